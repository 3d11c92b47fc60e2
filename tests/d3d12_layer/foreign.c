/* Stands for a D3D12 library of another binary interface: being called is what must not happen. */
#include <stdlib.h>

int D3D12CreateDevice(void *adapter, int level, const void *iid, void **device);
int D3D12CreateDevice(void *adapter, int level, const void *iid, void **device)
{
    (void)adapter, (void)level, (void)iid, (void)device;
    abort();
}
