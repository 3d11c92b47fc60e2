/* Describes the device's runtime and adapter, as far as the runtime and the system know them.
 * Readers of a dump need this description first. */
#pragma once

#include "adapter.h"

/* What the layer knows of a D3D12 runtime, as UTF-8 texts; an unknown text is empty. */
struct layer_runtime {
    char loaded[320]; /* file and version of the library that gets the calls */
    char core[320];   /* file and version of the Agility SDK's library in the process */
    struct layer_adapter adapter;
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
