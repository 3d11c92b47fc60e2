/* The runtime and the adapter of the device, as far as the runtime and the system tell them.
 * Readers of a dump ask for them first. */
#pragma once

#include "adapter.h"

/* UTF-8; what is not known is empty. */
struct layer_runtime {
    char loaded[320]; /* the one that calls are passed on to: its file and its version */
    char core[320];   /* the same of the library that it loaded for the work: an Agility SDK's */
    struct layer_adapter adapter;
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
