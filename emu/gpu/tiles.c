/* Reserved ranges: addresses whose 64 KiB tiles get their memory from other allocations, tile by
 * tile and at any time. A tile stores only the GPU virtual address of its memory, so an access to
 * memory that was freed is a page fault.
 *
 * Tiles without memory follow tier 2 of D3D12's tiled resources: they read as zeros, and writes are
 * lost. An access to such a tile gets a buffer of zeros, which is freed with the access. */
#include "gpu/memory.h"
#include "gate.h"

#define TILE_SIZE EMU_GPU_ADDRESS_ALIGNMENT

uint64_t emu__gpu_tile_memory(const struct emu_gpu_allocation *reserved, uint64_t address,
                              uint64_t size, uint64_t *mapped)
{
    const uint64_t offset = address - reserved->address, inside = offset % TILE_SIZE;
    const uint64_t memory = reserved->tiles[offset / TILE_SIZE];
    *mapped = emu__smaller(size, emu__smaller(TILE_SIZE - inside, reserved->size - offset));
    return memory != 0 ? memory + inside : 0;
}

/* Returns a range's tiles; NULL: not all are in one reserved range. The lock is held. */
static uint64_t *find_tiles(const emu_gpu *gpu, uint64_t address, uint64_t count)
{
    const struct emu_gpu_allocation *reserved = emu__gpu_find(gpu, address);
    if (!reserved || !reserved->tiles || address % TILE_SIZE != 0)
        return NULL;
    const uint64_t first = (address - reserved->address) / TILE_SIZE;
    const uint64_t all = (reserved->size + TILE_SIZE - 1) / TILE_SIZE;
    return count <= all - first ? reserved->tiles + first : NULL;
}

void emu_gpu_update_tiles(emu_gpu *gpu, const struct emu_gpu_tiles *update)
{
    emu_lock(&gpu->lock);
    uint64_t *to = find_tiles(gpu, update->destination, update->count);
    for (uint64_t i = 0; to && i < update->count; i++)
        to[i] = update->source == 0 ? 0 : update->source + i * update->stride;
    emu_unlock(&gpu->lock);
}
