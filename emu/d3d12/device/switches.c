#include "device/switches.h"
#include "base/abi.h"

#include <stdatomic.h>

static atomic_bool debug_layer, instrumentation;
static atomic_uint experimental;

void debug_layer_set(bool on)
{
    atomic_store(&debug_layer, on);
}

bool debug_layer_is_on(void)
{
    return atomic_load(&debug_layer);
}

void switches_set_instrumentation(bool on)
{
    atomic_store(&instrumentation, on);
}

void switches_set_experimental(unsigned features)
{
    atomic_store(&experimental, features);
}

struct switches switches_now(void)
{
    return (struct switches){atomic_load(&instrumentation), atomic_load(&experimental)};
}

const IID *switches_experimental_iid(unsigned i)
{
    static const IID tiled_resource_tier_4 = ABI_TILED_RESOURCE_TIER_4;
    return i == 0 ? &D3D12ExperimentalShaderModels : &tiled_resource_tier_4;
}

unsigned switches_experimental_bit(const IID *iid)
{
    for (unsigned i = 0; i < SWITCHES_EXPERIMENTAL; i++)
        if (com_same(iid, switches_experimental_iid(i)))
            return 1u << i;
    return 0;
}
