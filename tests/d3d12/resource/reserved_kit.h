/* Reserved resources, their tilings, and a rig of a queue, a heap of numbered tiles and what reads
 * them. */
#pragma once

#include "kit.h"

#define TILE 65536u

static inline D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, UINT width, UINT height,
                                               UINT slices, UINT mips)
{
    D3D12_RESOURCE_DESC desc =
        kit_texture_desc(format, width, height, slices, mips, D3D12_RESOURCE_FLAG_NONE);
    desc.Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE;
    return desc;
}

static inline ID3D12Resource *reserve(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    return MADE(ID3D12Resource, device, CreateReservedResource, desc, D3D12_RESOURCE_STATE_COMMON,
                NULL);
}

static inline ID3D12Heap *heap_of(ID3D12Device *device, UINT tiles, D3D12_HEAP_FLAGS flags)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = (UINT64)tiles * TILE,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                  .Flags = flags};
    return MADE(ID3D12Heap, device, CreateHeap, &desc);
}

struct tiling {
    UINT tiles;
    D3D12_PACKED_MIP_INFO packed;
    D3D12_TILE_SHAPE shape;
    UINT count;
    D3D12_SUBRESOURCE_TILING parts[32];
};

static inline struct tiling ask(ID3D12Device *device, ID3D12Resource *resource, UINT first,
                                UINT count)
{
    struct tiling t;
    memset(&t, 0xEE, sizeof t);
    t.count = count;
    ID3D12Device_GetResourceTiling(device, resource, &t.tiles, &t.packed, &t.shape, &t.count, first,
                                   t.parts);
    return t;
}

/* A buffer of tiles that carry their number in the heap that they are to be mapped to, and what
 * reads it. */
struct rig {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Heap *heap;
    ID3D12Resource *upload, *readback, *tiled;
    unsigned char *written, *read;
};

enum { TILES = 8 };

static inline void begin(struct rig *r)
{
    if (!r->list) {
        r->list = kit_list(r->device, r->allocator, DIRECT);
        return;
    }
    MUST(ID3D12CommandAllocator_Reset(r->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(r->list, r->allocator, NULL));
}

static inline void end(struct rig *r)
{
    kit_execute(r->queue, r->list);
    kit_finish(r->device, r->queue);
}

static inline struct rig rig_open(const D3D12_RESOURCE_DESC *desc)
{
    struct rig r = {.device = kit_device()};
    r.queue = kit_queue(r.device, DIRECT);
    r.allocator = kit_allocator(r.device, DIRECT);
    r.heap = heap_of(r.device, TILES, D3D12_HEAP_FLAG_NONE);
    r.upload = kit_buffer(r.device, D3D12_HEAP_TYPE_UPLOAD, TILES * TILE);
    r.readback = kit_buffer(r.device, D3D12_HEAP_TYPE_READBACK, TILES * TILE);
    MUST(ID3D12Resource_Map(r.upload, 0, NULL, (void **)&r.written));
    MUST(ID3D12Resource_Map(r.readback, 0, NULL, (void **)&r.read));
    r.tiled = reserve(r.device, desc);
    /* tile n of the heap is full of n + 1 */
    const D3D12_RESOURCE_DESC whole = kit_buffer_desc(TILES * TILE);
    ID3D12Resource *placed = MADE(ID3D12Resource, r.device, CreatePlacedResource, r.heap, 0, &whole,
                                  D3D12_RESOURCE_STATE_COMMON, NULL);
    for (UINT i = 0; i < TILES; i++)
        memset(r.written + i * TILE, (int)i + 1, TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyBufferRegion(r.list, placed, 0, r.upload, 0, TILES * TILE);
    end(&r);
    ID3D12Resource_Release(placed);
    return r;
}

static inline void rig_close(struct rig *r)
{
    RELEASE(r->tiled, r->readback, r->upload, r->heap, r->list, r->allocator, r->queue);
    kit_close(r->device);
}
