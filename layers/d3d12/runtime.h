/* Describes the runtime and the adapter of the device, as far as the runtime and the system know
 * them. Readers of a dump need this first. */
#pragma once

#include "adapter.h"

/* All texts are UTF-8; a text that is not known is empty. */
struct layer_runtime {
    char loaded[320]; /* file and version of the library that gets the calls */
    char core[320];   /* file and version of the Agility SDK's library in the process */
    struct layer_adapter adapter;
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
