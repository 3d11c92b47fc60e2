/* Describes the runtime and the adapter of the device, as far as the runtime and the system say it.
 * Readers of a dump need this first. */
#pragma once

#include "adapter.h"

/* UTF-8 texts; an unknown one is empty. */
struct layer_runtime {
    char loaded[320]; /* file and version of the library that gets the calls */
    char core[320];   /* the Agility SDK's library that it loaded: file and version */
    struct layer_adapter adapter;
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
