/* ID3D12Heap1: GPU memory for placed resources. */
#ifndef D3D12_HEAP_H
#define D3D12_HEAP_H

#include "child.h"

#include "../gpu/gpu.h"

struct d3d12_heap {
    ID3D12Heap1 iface;
    struct d3d12_child child;
    D3D12_HEAP_DESC desc;
    emu_gpu_memory memory;
};

HRESULT d3d12_heap_create(struct d3d12_device *device, const D3D12_HEAP_DESC *desc,
                          struct d3d12_heap **out);

/* NULL for NULL and for somebody else's object. */
struct d3d12_heap *d3d12_heap_from(ID3D12Heap *iface);

/* What every allocation asks: properties that D3D12 accepts, and memory where SetNextAllocationAddress wants it. */
bool d3d12_heap_properties_valid(const D3D12_HEAP_PROPERTIES *properties);
bool d3d12_heap_properties_mappable(const D3D12_HEAP_PROPERTIES *properties);
HRESULT d3d12_memory_allocate(struct d3d12_device *device, UINT64 size, emu_gpu_memory *out);

#endif
