#include "adapter.h"

void layer_adapter_read(ID3D12Device *device, struct layer_adapter *out)
{
    (void)device, (void)out;
}
