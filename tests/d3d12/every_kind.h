/* One object of every kind that the emulator has, for the tests of what all of them do alike. A new
 * kind belongs here. */
#pragma once

#include "kit.h"

struct kind {
    void *(*make)(ID3D12Device *device); /* a reference, and the object holds what else it needs */
    const char *interfaces;              /* beside IUnknown; space between */
};

extern const struct kind every_kind[];
extern const size_t every_kind_count;
