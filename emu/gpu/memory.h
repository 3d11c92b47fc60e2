/* Internals of gpu.h, for the files of this folder and for tests only. */
#pragma once

#include "gpu/gpu.h"
#include "gpu/page_table.h"

#include <pthread.h>
#include <stdatomic.h>

struct emu_gpu_allocation {
    struct emu_gpu_allocation *prev, *next; /* previous and next mapped allocation */
    uint64_t address;
    uint64_t size;
    void *cpu;              /* the first aligned address in `host`; NULL: a reserved range */
    void *host;             /* the memory from calloc; NULL: the caller owns the memory */
    uint64_t *tiles;        /* GPU address of each tile's memory in a reserved range; 0: none */
    atomic_uint references; /* references: 1 for the mapping, and 1 for each running access */
};

/* A window of automatic addresses. A counter of address granules only goes up. The counter modulo
 * the window's size gives the next address. */
struct emu_gpu_window {
    uint64_t first, end; /* page numbers */
    uint64_t granule;    /* size of a granule in pages */
    uint64_t next;
};

struct emu_gpu {
    pthread_mutex_t lock; /* guards the members up to `bytes`, and the tiles of reserved ranges */
    struct emu_page_table pages; /* maps pages to emu_gpu_allocation */
    struct emu_gpu_allocation *mapped;
    struct emu_gpu_window small, large;
    uint64_t end;   /* limit of all automatic addresses; tests make it smaller */
    size_t count;   /* number of `mapped` */
    uint64_t bytes; /* size in bytes of the host memory of all GPU allocations */
    enum emu_gpu_hang hang_at;
    enum emu_gpu_hang_kind hang_kind;
    _Atomic uint64_t hang_countdown;
    struct emu_gpu_clock clock;
    uint64_t clock_rate; /* ticks a second */
};

/* Returns the allocation at `address`, or NULL. The caller must hold the lock. */
struct emu_gpu_allocation *emu__gpu_find(const emu_gpu *gpu, uint64_t address);

/* Drops a reference to the allocation. The last reference frees the allocation. */
void emu__gpu_release(struct emu_gpu_allocation *allocation);

/* Returns the address of the memory for `address` in a reserved range, or 0 if `address` has no
 * memory. *mapped becomes how many of the next `size` bytes are in the same tile. The caller must
 * hold the lock. Defined in tiles.c. */
uint64_t emu__gpu_tile_memory(const struct emu_gpu_allocation *reserved, uint64_t address,
                              uint64_t size, uint64_t *mapped);
