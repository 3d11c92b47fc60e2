/* What is behind gpu.h, shown to its tests and to its own files only. */
#ifndef EMU_GPU_MEMORY_H
#define EMU_GPU_MEMORY_H

#include "gpu/gpu.h"
#include "gpu/page_table.h"

#include <stdatomic.h>

#define EMU_GPU_SLOTS_IN_PAGE 256u
#define EMU_GPU_SLOT_PAGES    4096u

/*
 * An allocation, in a slot that others have after it. `state` is
 *
 *     63    32 31        0
 *     |  life | references |      life: which allocation of those that had the slot. references: 1 for the mapping,
 *                                 1 per access that is under way; 0: nobody may begin an access any more
 */
struct emu_gpu_allocation {
    _Atomic uint64_t state;
    uint64_t address;
    uint64_t size;
    void *cpu;  /* the aligned start within `host`; NULL: tiles */
    void *host; /* what calloc returned; NULL: somebody else's memory */
    _Atomic uint64_t
        *tiles; /* of a reserved range: GPU virtual address of a tile's memory, 0: none */
    uint32_t index;
    atomic_uint next_free; /* index + 1 */
};

/* Automatic addresses: a counter of granules that only goes up, and starts over at the end by being taken modulo. */
struct emu_gpu_window {
    uint64_t first, end; /* pages */
    uint64_t granule;    /* pages */
    _Atomic uint64_t next;
};

struct emu_gpu {
    emu_page_table pages;
    struct emu_gpu_window small, large;
    _Atomic uint64_t end;   /* no automatic address at or above; tests lower it */
    atomic_size_t count;    /* mapped allocations */
    _Atomic uint64_t bytes; /* of those with host memory */
    _Atomic(struct emu_gpu_allocation *) slots[EMU_GPU_SLOT_PAGES];
    atomic_uint slot_count;
    _Atomic uint64_t
        free_slot; /* counter of changes << 32 | index + 1 of the first free slot; 0: none */
    emu_gpu_hang hang_at;
    _Atomic uint64_t hang_countdown;
};

/* The allocation that a page belongs to, with a reference; NULL: none. */
struct emu_gpu_allocation *emu__gpu_acquire(emu_gpu *gpu, uint64_t address);
void emu__gpu_release(emu_gpu *gpu, struct emu_gpu_allocation *allocation);

/* tiles.c: an access in a reserved range. */
bool emu__gpu_access_tile(emu_gpu *gpu, const struct emu_gpu_allocation *reserved, uint64_t address,
                          uint64_t size, emu_gpu_access *out);

#endif
