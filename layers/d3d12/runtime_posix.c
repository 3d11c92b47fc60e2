#include "runtime.h"

void layer_runtime_system(ID3D12Device *device, struct layer_runtime *out)
{
    (void)device, (void)out;
}
