/* ID3D12Resource2: buffers and textures, committed or placed. */
#ifndef D3D12_RESOURCE_H
#define D3D12_RESOURCE_H

#include "heap.h"

struct d3d12_resource {
    ID3D12Resource2 iface;
    struct d3d12_child child;
    D3D12_RESOURCE_DESC desc;
    D3D12_HEAP_PROPERTIES heap_properties;
    D3D12_HEAP_FLAGS heap_flags;
    struct d3d12_heap *heap; /* a placed resource uses it; NULL: committed */
    uint64_t address;        /* GPU virtual address */
    UINT64 size;             /* bytes from there */
    void *cpu;
    atomic_uint mapped; /* Maps without their Unmap */
};

HRESULT d3d12_resource_create_committed(struct d3d12_device *device,
                                        const D3D12_HEAP_PROPERTIES *properties,
                                        D3D12_HEAP_FLAGS flags, const D3D12_RESOURCE_DESC *desc,
                                        D3D12_RESOURCE_STATES state, struct d3d12_resource **out);
HRESULT d3d12_resource_create_placed(struct d3d12_device *device, struct d3d12_heap *heap,
                                     UINT64 offset, const D3D12_RESOURCE_DESC *desc,
                                     D3D12_RESOURCE_STATES state, struct d3d12_resource **out);

/* Only targets have a value that they are cleared to. */
bool d3d12_resource_clear_value_valid(const D3D12_RESOURCE_DESC *desc,
                                      const D3D12_CLEAR_VALUE *clear);

UINT d3d12_resource_parts(const struct d3d12_resource *resource); /* how many subresources */

/* NULL for NULL and for somebody else's object. */
struct d3d12_resource *d3d12_resource_from(ID3D12Resource *iface);

/* What a resource of this description takes; SizeInBytes UINT64_MAX: it can't be made. */
D3D12_RESOURCE_ALLOCATION_INFO d3d12_resource_allocation(const D3D12_RESOURCE_DESC *desc);

/* ID3D12Device::GetCopyableFootprints. */
void d3d12_resource_footprints(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
                               D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows,
                               UINT64 *row_sizes, UINT64 *total);

#endif
