/* The internals of gpu.h; only this folder's files and tests may use them. */
#pragma once

#include "gpu/gpu.h"
#include "gpu/page_table.h"

#include <pthread.h>
#include <stdatomic.h>

struct emu_gpu_allocation {
    struct emu_gpu_allocation *prev, *next; /* neighbours in the list of mapped allocations */
    uint64_t address;
    uint64_t size;
    void *cpu;       /* the aligned start of `host`; NULL: a reserved range with tiles */
    void *host;      /* the result of calloc; NULL: the memory is the caller's */
    uint64_t *tiles; /* in a reserved range: the address of each tile's memory; 0: no memory */
    atomic_uint
        references; /* number of references: 1 for the mapping, and 1 for each running access */
};

/* A window of automatic addresses. A counter of granules only goes up; the counter modulo the
 * window's size gives the address. */
struct emu_gpu_window {
    uint64_t first, end; /* page numbers */
    uint64_t granule;    /* a granule's size in pages */
    uint64_t next;
};

struct emu_gpu {
    pthread_mutex_t lock; /* guards the members up to `bytes`, and tiles of reserved ranges */
    struct emu_page_table pages; /* maps pages to emu_gpu_allocation */
    struct emu_gpu_allocation *mapped;
    struct emu_gpu_window small, large;
    uint64_t end;   /* all automatic addresses are below this limit; tests make it smaller */
    size_t count;   /* number of `mapped` */
    uint64_t bytes; /* number of bytes of host memory in all allocations */
    enum emu_gpu_hang hang_at;
    enum emu_gpu_hang_kind hang_kind;
    _Atomic uint64_t hang_countdown;
    struct emu_gpu_clock clock;
    uint64_t clock_rate; /* ticks a second */
};

/* Returns the allocation that contains `address`, or NULL. The caller holds the lock. */
struct emu_gpu_allocation *emu__gpu_find(const emu_gpu *gpu, uint64_t address);

/* Drops a reference to the allocation. Frees the allocation with the last reference. */
void emu__gpu_release(struct emu_gpu_allocation *allocation);

/* Returns the address of the memory behind `address` in a reserved range, or 0 if the address has
 * no memory. *mapped tells how many of the next `size` bytes are in this tile. The caller holds the
 * lock. Defined in tiles.c. */
uint64_t emu__gpu_tile_memory(const struct emu_gpu_allocation *reserved, uint64_t address,
                              uint64_t size, uint64_t *mapped);
