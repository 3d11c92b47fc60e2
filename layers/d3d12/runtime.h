/* Describes the device's runtime and adapter, as far as the runtime and the system know them.
 * Readers of a dump need this description first. */
#pragma once

#include "adapter.h"

/* What is known about a runtime, in UTF-8; an unknown text is empty. */
struct layer_runtime {
    char loaded[320]; /* the library that gets the calls: its file and version */
    char core[320];   /* the Agility SDK's library in the process: its file and version */
    struct layer_adapter adapter;
};

void layer_runtime_read(ID3D12Device *device, struct layer_runtime *out);
