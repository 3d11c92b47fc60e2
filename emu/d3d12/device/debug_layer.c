#include "device/debug_layer.h"

#include <stdatomic.h>

static atomic_bool is_on;

void debug_layer_set(bool on)
{
    atomic_store(&is_on, on);
}

bool debug_layer_is_on(void)
{
    return atomic_load(&is_on);
}
