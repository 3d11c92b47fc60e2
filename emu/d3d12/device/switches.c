#include "device/switches.h"

#include <stdatomic.h>

static atomic_bool debug_layer;

void debug_layer_set(bool on)
{
    atomic_store(&debug_layer, on);
}

bool debug_layer_is_on(void)
{
    return atomic_load(&debug_layer);
}
