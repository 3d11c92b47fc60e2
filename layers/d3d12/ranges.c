/* Living buffers by their GPU addresses, and descriptor heaps by the addresses of their
 * descriptors, sorted. */
#include "layer.h"

#include "array.h"

/* Returns the place behind the last range that begins at or before the address. */
static uint32_t behind(const struct layer_ranges *ranges, uint64_t address)
{
    size_t at;
    ARRAY_COUNT_FIRST(at, ranges->count, i, ranges->ranges[i].address <= address);
    return (uint32_t)at;
}

/* Computes the ends of the ranges from this place on. */
static void tell_ends(struct layer_ranges *ranges, uint32_t at)
{
    for (; at < ranges->count; at++) {
        struct layer_range *range = &ranges->ranges[at];
        const uint64_t before = at > 0 ? range[-1].last_end : 0;
        range->last_end = range->address + range->size;
        if (range->last_end < before)
            range->last_end = before;
    }
}

void layer_range_add(struct layer_ranges *ranges, const struct layer_range *range)
{
    if (!ARRAY_ROOM(ranges->ranges, ranges->count, ranges->capacity))
        return;
    const uint32_t at = behind(ranges, range->address);
    memmove(&ranges->ranges[at + 1], &ranges->ranges[at],
            (ranges->count - at) * sizeof *ranges->ranges);
    ranges->ranges[at] = *range;
    ranges->count++;
    tell_ends(ranges, at);
}

/* Returns the range's size; 0: there is none. */
static uint64_t range_remove(struct layer_ranges *ranges, uint64_t address,
                             const struct layer_mirror *of)
{
    for (uint32_t at = behind(ranges, address); at > 0 && ranges->ranges[at - 1].address == address;
         at--)
        if (ranges->ranges[at - 1].of == of) {
            const uint64_t size = ranges->ranges[at - 1].size;
            memmove(&ranges->ranges[at - 1], &ranges->ranges[at],
                    (ranges->count - at) * sizeof *ranges->ranges);
            ranges->count--;
            tell_ends(ranges, at - 1);
            return size;
        }
    return 0;
}

const struct layer_range *layer_range_at(const struct layer_ranges *ranges, uint64_t address)
{
    const struct layer_range *found = NULL;
    for (uint32_t at = behind(ranges, address); at > 0; at--) {
        const struct layer_range *range = &ranges->ranges[at - 1];
        if (range->last_end <= address)
            break;
        if (address - range->address >= range->size)
            continue;
        if (found)
            return NULL;
        found = range;
    }
    return found;
}

void layer_ranges_finish(struct layer_device *device)
{
    free(device->buffers.ranges);
    free(device->heaps.ranges);
    device->buffers = device->heaps = (struct layer_ranges){NULL, 0, 0};
}

/* ---- mirrors that have ranges ---- */

static void resource_finish(struct layer_mirror *mirror)
{
    struct layer_device *device = mirror->device;
    const struct layer_resource *resource = (const struct layer_resource *)(const void *)mirror;
    if (resource->address == 0)
        return;
    pthread_mutex_lock(&device->lock);
    const uint64_t size = range_remove(&device->buffers, resource->address, mirror);
    if (size > 0)
        crash_memory_log(&device->freed, mirror->object, resource->address, size);
    pthread_mutex_unlock(&device->lock);
}

const struct layer_class layer_resources = {LAYER_RESOURCE, sizeof(struct layer_resource),
                                            resource_finish};

static void heap_finish(struct layer_mirror *mirror)
{
    struct layer_heap *heap = (struct layer_heap *)(void *)mirror;
    pthread_mutex_lock(&mirror->device->lock);
    if (heap->step != 0)
        range_remove(&mirror->device->heaps, heap->start, mirror);
    pthread_mutex_unlock(&mirror->device->lock);
    free(heap->seen);
    heap->seen = NULL;
}

const struct layer_class layer_signatures = {LAYER_SIGNATURE, sizeof(struct layer_signature), NULL};

const struct layer_class layer_heaps = {LAYER_HEAP, sizeof(struct layer_heap), heap_finish};
