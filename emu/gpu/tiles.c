/*
 * Reserved ranges: addresses whose 64 KiB tiles get their memory from other allocations, tile by tile and at any time.
 * A tile knows the GPU virtual address of its memory and no more, so memory that was freed is a page fault.
 *
 * Tiles without memory are as D3D12's tier 2 of tiled resources has them: they read as zeros, and what is written is
 * lost. An access of one gets zeros of its own that end with it.
 */
#include "gpu/memory.h"

#include <stdlib.h>

#define TILE_SIZE EMU_GPU_ADDRESS_ALIGNMENT

static uint64_t smallest(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t least = a < b ? a : b;
    return least < c ? least : c;
}

bool emu__gpu_access_tile(emu_gpu *gpu, const struct emu_gpu_allocation *reserved, uint64_t address,
                          uint64_t size, emu_gpu_access *out)
{
    const uint64_t offset = address - reserved->address, inside = offset % TILE_SIZE;
    const uint64_t memory =
        atomic_load_explicit(&reserved->tiles[offset / TILE_SIZE], memory_order_acquire);
    const uint64_t mapped = smallest(size, TILE_SIZE - inside, reserved->size - offset);
    if (memory == 0) {
        *out = (emu_gpu_access){calloc(1, (size_t)mapped + 1), mapped, NULL};
        return out->cpu != NULL;
    }
    struct emu_gpu_allocation *a = emu__gpu_acquire(gpu, memory);
    if (!a)
        return false;
    const uint64_t at = memory + inside - a->address;
    if (!a->cpu || at >= a->size) { /* a tile's memory is no tile itself */
        emu__gpu_release(gpu, a);
        return false;
    }
    *out = (emu_gpu_access){(char *)a->cpu + at, smallest(mapped, mapped, a->size - at), a};
    return true;
}

/* The tiles of a range; NULL with the reference given back when they are not all in one reserved range. */
static struct emu_gpu_allocation *acquire_tiles(emu_gpu *gpu, uint64_t address, uint64_t count,
                                                _Atomic uint64_t **tiles)
{
    struct emu_gpu_allocation *a = emu__gpu_acquire(gpu, address);
    if (!a)
        return NULL;
    const uint64_t first = (address - a->address) / TILE_SIZE;
    const uint64_t all = (a->size + TILE_SIZE - 1) / TILE_SIZE;
    if (!a->tiles || address % TILE_SIZE != 0 || first > all || count > all - first) {
        emu__gpu_release(gpu, a);
        return NULL;
    }
    *tiles = a->tiles + first;
    return a;
}

static void map_tiles(_Atomic uint64_t *tiles, const emu_gpu_tiles *update)
{
    for (uint64_t i = 0; i < update->count; i++)
        atomic_store_explicit(&tiles[i],
                              update->source == 0 ? 0 : update->source + i * update->stride,
                              memory_order_release);
}

/* As if all were read before any is written. */
static void copy_tiles(_Atomic uint64_t *to, _Atomic uint64_t *from, uint64_t count)
{
    const bool backwards = to > from;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = backwards ? count - 1 - i : i;
        atomic_store_explicit(&to[at], atomic_load_explicit(&from[at], memory_order_acquire),
                              memory_order_release);
    }
}

void emu_gpu_update_tiles(emu_gpu *gpu, const emu_gpu_tiles *update)
{
    _Atomic uint64_t *to, *from;
    struct emu_gpu_allocation *target = acquire_tiles(gpu, update->destination, update->count, &to);
    if (!target)
        return;
    if (update->kind == EMU_GPU_TILES_MAP) {
        map_tiles(to, update);
    } else {
        struct emu_gpu_allocation *source =
            acquire_tiles(gpu, update->source, update->count, &from);
        if (source) {
            copy_tiles(to, from, update->count);
            emu__gpu_release(gpu, source);
        }
    }
    emu__gpu_release(gpu, target);
}
