/* ID3D12CommandQueue on reserved resources. Calls are checked and expanded into runs of tiles. The
 * kernel applies the runs when the queue has completed all earlier work. */
#include "queue/command_queue.h"

#include "device/device.h"
#include "resource/tile_region.h"
#include "array.h"

#define TILE ((UINT64)D3D12_TILED_RESOURCE_TILE_SIZE_IN_BYTES)

/* ---- runs of tiles ---- */

struct runs {
    struct emu_gpu_tiles *runs;
    size_t count, capacity;
};

/* Whether the next tile continues the last run. */
static bool continues(const struct emu_gpu_tiles *run, const struct emu_gpu_tiles *tile)
{
    return run->destination + run->count * TILE == tile->destination &&
           (run->source == 0) == (tile->source == 0) &&
           (run->source == 0 || run->source + run->count * run->stride == tile->source);
}

static bool runs_add_tile(struct runs *runs, const struct emu_gpu_tiles *tile)
{
    struct emu_gpu_tiles *last = runs->count != 0 ? &runs->runs[runs->count - 1] : NULL;
    if (last && continues(last, tile))
        last->count++;
    else if (ARRAY_ROOM(runs->runs, runs->count, runs->capacity))
        runs->runs[runs->count++] = *tile;
    else
        return false;
    return true;
}

/* Passes the runs to the kernel, and frees the runs. */
static void submit(struct d3d12_command_queue *queue, struct runs *runs, bool complete)
{
    struct d3d12_device *device = queue->child.device;
    bool done = complete;
    if (done && runs->count != 0)
        done = emu_kmd_update_tiles(queue->kmd, runs->runs, runs->count);
    free(runs->runs);
    if (!done && !emu_kmd_is_removed(device->kmd))
        d3d12_child_error(
            &queue->child, EMU_MESSAGE_SUBMISSION_LOST,
            "ID3D12CommandQueue::UpdateTileMappings: out of memory; no mapping was changed");
}

static struct d3d12_resource *find_reserved(const struct d3d12_command_queue *queue,
                                            ID3D12Resource *iface)
{
    struct d3d12_resource *resource = d3d12_resource_from(iface);
    return resource && resource->child.device == queue->child.device && resource->reserved
               ? resource
               : NULL;
}

/* ---- UpdateTileMappings ---- */

/* The arguments that come in arrays. */
struct update {
    const struct d3d12_resource *resource;
    const struct d3d12_heap *heap;
    UINT region_count;
    const D3D12_TILED_RESOURCE_COORDINATE *starts;
    const D3D12_TILE_REGION_SIZE *sizes;
    UINT range_count;
    const D3D12_TILE_RANGE_FLAGS *flags;
    const UINT *offsets, *counts;
};

/* Finds a region. Without coordinates and size, the only region is the whole resource. */
static bool find_region(const struct update *update, UINT index, struct tile_region *out)
{
    if (update->starts || update->sizes)
        return tile_region_find(update->resource, update->starts ? &update->starts[index] : NULL,
                                update->sizes ? &update->sizes[index] : NULL, out);
    *out = (struct tile_region){0, tile_count(update->resource)};
    return true;
}

/* Adds up the tiles of the regions; 0: a region is not in the resource. */
static UINT64 count_tiles(const struct update *update)
{
    UINT64 total = 0;
    if (update->region_count > 1 && !update->starts)
        return 0;
    for (UINT i = 0; i < update->region_count; i++) {
        struct tile_region region;
        if (!find_region(update, i, &region))
            return 0;
        total += region.count;
    }
    return total;
}

static D3D12_TILE_RANGE_FLAGS range_flags(const struct update *update, UINT range)
{
    return update->flags ? update->flags[range] : D3D12_TILE_RANGE_FLAG_NONE;
}

/* Returns a range's tiles. If the only range has no count, the range has all tiles. */
static UINT64 tiles_of_range(const struct update *update, UINT range, UINT64 total)
{
    return update->counts ? update->counts[range] : total;
}

static bool check_range(const struct update *update, UINT range, UINT64 count)
{
    const D3D12_TILE_RANGE_FLAGS flags = range_flags(update, range);
    switch ((int)flags) {
    case D3D12_TILE_RANGE_FLAG_NULL:
    case D3D12_TILE_RANGE_FLAG_SKIP:
        return true;
    case D3D12_TILE_RANGE_FLAG_NONE:
    case D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE:
        break;
    default:
        return false;
    }
    if (!update->heap || !update->offsets ||
        resource_desc_is_denied(&update->resource->desc, update->heap->desc.Flags))
        return false;
    const UINT64 tiles = update->heap->memory.size / TILE, offset = update->offsets[range];
    const UINT64 used = flags == D3D12_TILE_RANGE_FLAG_NONE ? count : 1;
    return offset <= tiles && used <= tiles - offset;
}

/* Whether the ranges have as many tiles as the regions, and are all in the heap. */
static bool check_ranges(const struct update *update, UINT64 total)
{
    UINT64 sum = 0;
    if (total == 0 || update->range_count == 0 || (!update->counts && update->range_count > 1))
        return false;
    for (UINT i = 0; i < update->range_count; i++) {
        const UINT64 count = tiles_of_range(update, i, total);
        if (!check_range(update, i, count))
            return false;
        sum += count;
    }
    return sum == total;
}

/* Walks over the tiles of the ranges. */
struct range_walk {
    UINT range;
    UINT64 done;
};

/* Finds the page for the next tile; false: the tile keeps its page. */
static bool next_source(const struct update *update, UINT64 total, struct range_walk *walk,
                        struct emu_gpu_tiles *out)
{
    while (walk->done == tiles_of_range(update, walk->range, total)) {
        walk->range++;
        walk->done = 0;
    }
    const D3D12_TILE_RANGE_FLAGS flags = range_flags(update, walk->range);
    const UINT64 done = walk->done++;
    out->source = 0;
    out->stride = TILE;
    if (flags == D3D12_TILE_RANGE_FLAG_SKIP)
        return false;
    if (flags == D3D12_TILE_RANGE_FLAG_NULL)
        return true;
    out->source = update->heap->memory.address + update->offsets[walk->range] * TILE;
    if (flags == D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE)
        out->stride = 0;
    else
        out->source += done * TILE;
    return true;
}

static bool spell_out(const struct update *update, UINT64 total, struct runs *runs)
{
    struct range_walk walk = {0, 0};
    for (UINT i = 0; i < update->region_count; i++) {
        struct tile_region region;
        find_region(update, i, &region);
        for (UINT64 k = 0; k < region.count; k++) {
            struct emu_gpu_tiles tile = {
                .destination = update->resource->address + (region.first + k) * TILE, .count = 1};
            if (next_source(update, total, &walk, &tile) && !runs_add_tile(runs, &tile))
                return false;
        }
    }
    return true;
}

void STDMETHODCALLTYPE d3d12_command_queue_UpdateTileMappings(
    queue_iface *iface, ID3D12Resource *resource, UINT region_count,
    const D3D12_TILED_RESOURCE_COORDINATE *starts, const D3D12_TILE_REGION_SIZE *sizes,
    ID3D12Heap *heap, UINT range_count, const D3D12_TILE_RANGE_FLAGS *flags, const UINT *offsets,
    const UINT *counts, D3D12_TILE_MAPPING_FLAGS mapping_flags)
{
    struct d3d12_command_queue *queue = d3d12_command_queue_from(iface);
    struct d3d12_device *device = queue->child.device;
    const struct update update = {.resource = find_reserved(queue, resource),
                                  .heap = d3d12_heap_from(heap),
                                  .region_count = region_count,
                                  .starts = starts,
                                  .sizes = sizes,
                                  .range_count = range_count,
                                  .flags = flags,
                                  .offsets = offsets,
                                  .counts = counts};
    struct runs runs = {NULL, 0, 0};
    if (d3d12_device_is_removed(device))
        return;
    const bool heap_is_ours = !heap || (update.heap && update.heap->child.device == device);
    const UINT64 total = update.resource != NULL && heap_is_ours ? count_tiles(&update) : 0;
    if (((UINT)mapping_flags & ~(UINT)D3D12_TILE_MAPPING_FLAG_NO_HAZARD) != 0 ||
        !check_ranges(&update, total)) {
        d3d12_child_error(&queue->child, D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_INVALID_PARAMETER,
                          "ID3D12CommandQueue::UpdateTileMappings: the regions must lie in a "
                          "reserved resource, the ranges must lie in the heap, and the regions "
                          "must have as many tiles as the ranges");
        return;
    }
    const bool complete = spell_out(&update, total, &runs);
    submit(queue, &runs, complete);
}

void STDMETHODCALLTYPE d3d12_command_queue_CopyTileMappings(
    queue_iface *iface, ID3D12Resource *dst, const D3D12_TILED_RESOURCE_COORDINATE *dst_start,
    ID3D12Resource *src, const D3D12_TILED_RESOURCE_COORDINATE *src_start,
    const D3D12_TILE_REGION_SIZE *size, D3D12_TILE_MAPPING_FLAGS flags)
{
    (void)dst, (void)dst_start, (void)src, (void)src_start, (void)size, (void)flags;
    d3d12_device_not_modelled(command_queue_of(iface)->child.device,
                              "ID3D12CommandQueue::CopyTileMappings");
}
