/* Accesses: from an address to bytes; in reserved ranges through tiles. */
#include "gpu/memory.h"
#include "gate.h"

#include <stdlib.h>
#include <string.h>

/* Takes at most `size` bytes from the address on, with a reference. False: the first byte is not in
 * the allocation. The caller holds the lock. */
static bool begin_in(struct emu_gpu_allocation *allocation, uint64_t address, uint64_t size,
                     struct emu_gpu_access *out)
{
    const uint64_t offset = address - allocation->address;
    if (!allocation->cpu || offset >= allocation->size)
        return false;
    const uint64_t mapped = allocation->size - offset;
    atomic_fetch_add_explicit(&allocation->references, 1, memory_order_relaxed);
    *out = (struct emu_gpu_access){(char *)allocation->cpu + offset, size < mapped ? size : mapped,
                                   allocation};
    return true;
}

/* The lock is held. */
static bool begin_in_tile(emu_gpu *gpu, const struct emu_gpu_allocation *reserved, uint64_t address,
                          uint64_t size, struct emu_gpu_access *out)
{
    uint64_t mapped;
    if (address - reserved->address >= reserved->size)
        return false;
    const uint64_t memory = emu__gpu_tile_memory(reserved, address, size, &mapped);
    if (memory == 0) {
        *out = (struct emu_gpu_access){calloc(1, (size_t)mapped + 1), mapped, NULL};
        return out->cpu != NULL;
    }
    struct emu_gpu_allocation *heap = emu__gpu_find(gpu, memory);
    return heap && begin_in(heap, memory, mapped, out); /* a tile's memory must be no tile */
}

bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size, struct emu_gpu_access *out)
{
    emu_lock(&gpu->lock);
    struct emu_gpu_allocation *allocation = emu__gpu_find(gpu, address);
    bool found = false;
    if (allocation)
        found = allocation->tiles != NULL ? begin_in_tile(gpu, allocation, address, size, out)
                                          : begin_in(allocation, address, size, out);
    emu_unlock(&gpu->lock);
    return found;
}

void emu_gpu_access_end(struct emu_gpu_access *access)
{
    if (access->allocation)
        emu__gpu_release(access->allocation);
    else
        free(access->cpu); /* the zeros of a tile without memory */
}

/* The byte at the address, and how many follow in its allocation; NULL: it isn't mapped, or is in a
 * reserved range. Under the lock, which is held, there is no need for a reference: that costs as
 * much as finding the byte. */
static inline void *find(emu_gpu *gpu, uint64_t address, uint64_t *size)
{
    const struct emu_gpu_allocation *allocation = emu__gpu_find(gpu, address);
    if (!allocation || !allocation->cpu || address - allocation->address >= allocation->size)
        return NULL;
    *size = allocation->size - (address - allocation->address);
    return (char *)allocation->cpu + (address - allocation->address);
}

bool emu_gpu_store(emu_gpu *gpu, uint64_t address, uint64_t value, uint32_t size)
{
    uint64_t mapped = 0;
    emu_lock(&gpu->lock);
    void *at = find(gpu, address, &mapped);
    const bool is_there = size <= mapped;
    if (is_there && size == sizeof(uint32_t))
        atomic_store_explicit((_Atomic uint32_t *)at, (uint32_t)value, memory_order_release);
    else if (is_there)
        atomic_store_explicit((_Atomic uint64_t *)at, value, memory_order_release);
    emu_unlock(&gpu->lock);
    return is_there;
}

uint64_t emu_gpu_load(emu_gpu *gpu, uint64_t address, void *out, uint64_t size)
{
    uint64_t mapped = 0;
    emu_lock(&gpu->lock);
    const void *at = find(gpu, address, &mapped);
    if (size > mapped)
        size = mapped;
    if (at)
        memcpy(out, at, (size_t)size);
    emu_unlock(&gpu->lock);
    return size;
}

void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size)
{
    uint64_t mapped = 0;
    emu_lock(&gpu->lock);
    void *cpu = find(gpu, address, &mapped);
    emu_unlock(&gpu->lock);
    return size <= mapped ? cpu : NULL;
}
