/* Accesses: from an address to bytes, through tiles where the range is reserved. */
#include "gpu/memory.h"

#include <stdlib.h>

/* `size` bytes at most from the address on, with a reference; false when not even the first is in the allocation. The
 * lock is held. */
static bool begin_in(struct emu_gpu_allocation *allocation, uint64_t address, uint64_t size,
                     emu_gpu_access *out)
{
    const uint64_t offset = address - allocation->address;
    if (allocation->cpu == NULL || offset >= allocation->size)
        return false;
    const uint64_t mapped = allocation->size - offset;
    atomic_fetch_add_explicit(&allocation->references, 1, memory_order_relaxed);
    *out = (emu_gpu_access){(char *)allocation->cpu + offset, size < mapped ? size : mapped,
                            allocation};
    return true;
}

/* The lock is held. */
static bool begin_in_tile(emu_gpu *gpu, const struct emu_gpu_allocation *reserved, uint64_t address,
                          uint64_t size, emu_gpu_access *out)
{
    uint64_t mapped;
    if (address - reserved->address >= reserved->size)
        return false;
    const uint64_t memory = emu__gpu_tile_memory(reserved, address, size, &mapped);
    if (memory == 0) {
        *out = (emu_gpu_access){calloc(1, (size_t)mapped + 1), mapped, NULL};
        return out->cpu != NULL;
    }
    struct emu_gpu_allocation *heap = emu__gpu_find(gpu, memory);
    return heap != NULL &&
           begin_in(heap, memory, mapped, out); /* false: a tile's memory is a tile */
}

bool emu_gpu_access_begin(emu_gpu *gpu, uint64_t address, uint64_t size, emu_gpu_access *out)
{
    pthread_mutex_lock(&gpu->lock);
    struct emu_gpu_allocation *allocation = emu__gpu_find(gpu, address);
    bool found = false;
    if (allocation != NULL)
        found = allocation->tiles != NULL ? begin_in_tile(gpu, allocation, address, size, out)
                                          : begin_in(allocation, address, size, out);
    pthread_mutex_unlock(&gpu->lock);
    return found;
}

void emu_gpu_access_end(emu_gpu_access *access)
{
    if (access->allocation != NULL)
        emu__gpu_release(access->allocation);
    else
        free(access->cpu); /* zeros, of a tile without memory */
    *access = (emu_gpu_access){0};
}

void *emu_gpu_translate(emu_gpu *gpu, uint64_t address, uint64_t size)
{
    void *cpu = NULL;
    pthread_mutex_lock(&gpu->lock);
    const struct emu_gpu_allocation *allocation = emu__gpu_find(gpu, address);
    if (allocation != NULL && allocation->cpu != NULL) {
        const uint64_t offset = address - allocation->address;
        if (offset < allocation->size && size <= allocation->size - offset)
            cpu = (char *)allocation->cpu + offset;
    }
    pthread_mutex_unlock(&gpu->lock);
    return cpu;
}
