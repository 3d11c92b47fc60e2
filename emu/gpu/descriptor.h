/* A descriptor in GPU memory: the address and size of a view's bytes. An engine reads the
 * descriptor when work that uses it starts. So a change between recording and execution has an
 * effect, as with D3D12's volatile descriptors. */
#pragma once

#include <stdint.h>

/* Zeroed memory is a descriptor that nothing was written to; its use causes a page fault. */
enum emu_descriptor_kind {
    EMU_DESCRIPTOR_CONSTANTS = 1,
    EMU_DESCRIPTOR_READ = 2,
    EMU_DESCRIPTOR_READ_WRITE = 3,
    EMU_DESCRIPTOR_SAMPLER = 4,
    EMU_DESCRIPTOR_TARGET = 5,
    EMU_DESCRIPTOR_DEPTH = 6
};

struct emu_descriptor {
    uint64_t address; /* GPU address of the view's first byte; 0: a null descriptor */
    uint64_t size;   /* size of the view in bytes; past it, reads return 0 and writes are dropped */
    uint32_t kind;   /* an emu_descriptor_kind */
    uint32_t format; /* a DXGI_FORMAT */
    uint32_t stride; /* the stride of a structured buffer, or the filter of a sampler */
    uint32_t reserved;
};

_Static_assert(sizeof(struct emu_descriptor) == 32, "descriptor layout");
