/* The internals of gpu.h, only for its own files and tests. */
#pragma once

#include "gpu/gpu.h"
#include "gpu/page_table.h"

#include <pthread.h>
#include <stdatomic.h>

struct emu_gpu_allocation {
    struct emu_gpu_allocation *prev, *next; /* neighbours in the list of mapped allocations */
    uint64_t address;
    uint64_t size;
    void *cpu;       /* the aligned start in `host`; NULL: the range has tiles */
    void *host;      /* what calloc returned; NULL: the caller's memory */
    uint64_t *tiles; /* for a reserved range: GPU virtual address of each tile's memory, 0: none */
    atomic_uint references; /* 1 for the mapping, 1 for each running access */
};

/* A window of automatic addresses. A counter of granules only goes up; modulo the window's size it
 * gives the address. */
struct emu_gpu_window {
    uint64_t first, end; /* pages */
    uint64_t granule;    /* pages */
    uint64_t next;
};

struct emu_gpu {
    pthread_mutex_t lock; /* guards the next members up to `bytes`, and tiles of reserved ranges */
    struct emu_page_table pages; /* struct emu_gpu_allocation */
    struct emu_gpu_allocation *mapped;
    struct emu_gpu_window small, large;
    uint64_t end;   /* automatic addresses are below it; tests lower it */
    size_t count;   /* number of `mapped` */
    uint64_t bytes; /* size of its host memory */
    enum emu_gpu_hang hang_at;
    enum emu_gpu_hang_kind hang_kind;
    _Atomic uint64_t hang_countdown;
    struct emu_gpu_clock clock;
    uint64_t clock_rate; /* ticks a second */
};

/* The allocation of an address; NULL: none. The caller holds the lock. */
struct emu_gpu_allocation *emu__gpu_find(const emu_gpu *gpu, uint64_t address);

/* Drops a reference, and frees the allocation with the last one. */
void emu__gpu_release(struct emu_gpu_allocation *allocation);

/* tiles.c: the address of the memory behind an address in a reserved range, 0: none, and how many
 * of the next `size` bytes are in the same tile. The caller holds the lock. */
uint64_t emu__gpu_tile_memory(const struct emu_gpu_allocation *reserved, uint64_t address,
                              uint64_t size, uint64_t *mapped);
