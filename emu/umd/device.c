/* The reference driver's device, and the memory that a crash report needs, allocated before the
 * crash. */
#include "umd/types.h"

#include <stdlib.h>
#include <utlist.h>

static void *add_block(struct emu_reference_device *device, size_t size)
{
    struct emu_reference_block *block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    LL_PREPEND(device->blocks, block);
    return block->bytes;
}

static void free_blocks(struct emu_reference_device *device)
{
    struct emu_reference_block *block, *next;
    LL_FOREACH_SAFE(device->blocks, block, next)
    free(block);
}

bool emu__reference_blob_reserve(struct emu_reference_device *device, size_t size)
{
    if (size <= device->blob_capacity)
        return true;
    void *blob = add_block(device, size * 2);
    if (!blob)
        return false;
    device->blob = blob;
    device->blob_capacity = size * 2;
    return true;
}

bool emu__reference_memory_take(emu_gpu *gpu, emu_gpu_memory *spare, uint64_t size,
                                emu_gpu_memory *out)
{
    if (spare->size >= size) {
        *out = *spare;
        *spare = (emu_gpu_memory){0};
        return true;
    }
    uint64_t rounded = 4096;
    while (rounded < size)
        rounded *= 2;
    return emu_gpu_allocate(gpu, rounded, 0, out);
}

void emu__reference_memory_give(emu_gpu *gpu, emu_gpu_memory *spare, emu_gpu_memory memory)
{
    const emu_gpu_memory smaller = memory.size > spare->size ? *spare : memory;
    if (memory.size > spare->size)
        *spare = memory;
    emu_gpu_free(gpu, smaller.address);
}

void *emu__reference_device_create(emu_gpu *gpu, bool reports, uint32_t order_window)
{
    struct emu_reference_device *device = calloc(1, sizeof *device);
    if (!device)
        return NULL;
    device->gpu = gpu;
    device->reports = reports;
    device->order_window = order_window;
    device->blob_size = sizeof(struct emu_reference_blob);
    if (emu__reference_blob_reserve(device, device->blob_size) &&
        pthread_mutex_init(&device->lock, NULL) == 0)
        return device;
    free_blocks(device);
    free(device);
    return NULL;
}

void emu__reference_device_destroy(void *handle)
{
    struct emu_reference_device *device = handle;
    if (!device)
        return;
    pthread_mutex_destroy(&device->lock);
    free_blocks(device);
    free(device);
}

bool emu__reference_rows_reserve(struct emu_reference_device *device, uint64_t more)
{
    uint64_t count = device->row_count + more;
    uint64_t needed = count < ANNOT_CRASH_REPORT_MAX_ROWS ? count : ANNOT_CRASH_REPORT_MAX_ROWS;
    if (needed > device->row_capacity) {
        uint64_t capacity = needed * 2;
        annot_progress *rows = add_block(device, (size_t)capacity * sizeof(annot_progress));
        if (!rows)
            return false;
        device->rows = rows;
        device->row_capacity = capacity;
    }
    device->row_count = count;
    return true;
}
