/* ID3D12Resource2: buffers and textures, which are committed, placed or reserved. */
#pragma once

#include "resource/heap.h"
#include "resource/resource_desc.h"

struct d3d12_resource {
    ID3D12Resource2 iface;
    struct d3d12_child child;
    D3D12_RESOURCE_DESC desc;
    D3D12_HEAP_PROPERTIES heap_properties;
    D3D12_HEAP_FLAGS heap_flags;
    bool reserved;           /* whether memory is mapped tile by tile (command_queue_tiles.c) */
    struct d3d12_heap *heap; /* the heap that has a placed resource's memory */
    uint64_t address;        /* GPU virtual address */
    UINT64 size;             /* bytes from `address` on */
    void *cpu;               /* NULL: a reserved resource */
    UINT castable_count;
    /* Formats for views, in addition to the formats of the texture's family. */
    DXGI_FORMAT *castable;
    struct dred_range range;
    /* For each subresource, its number of Maps without Unmap; NULL: the CPU can't map it. */
    atomic_uint *mapped;
};

/* Makes a committed resource; or a reserved resource, without `properties` and `flags`. */
HRESULT d3d12_resource_create(struct d3d12_device *device, enum resource_kind kind,
                              const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
                              const struct resource_request *request, struct d3d12_resource **out);
HRESULT d3d12_resource_create_placed(struct d3d12_device *device, struct d3d12_heap *heap,
                                     UINT64 offset, const struct resource_request *request,
                                     struct d3d12_resource **out);

UINT d3d12_resource_parts(const struct d3d12_resource *resource); /* number of subresources */

/* Returns the resource with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_resource *d3d12_resource_from(ID3D12Resource *iface);
