/* ID3D12DescriptorHeap. device/descriptor_table.h finds the heap of a handle. */
#pragma once

#include "device/child.h"

#include "gpu/descriptor.h"
#include "gpu/gpu.h"

#define DESCRIPTOR_SIZE ((UINT)sizeof(struct emu_descriptor))

/* D3D12's limits of shader-visible heaps [resource binding tiers 1 and 2]. */
#define DESCRIPTORS_SHADER_VISIBLE_MAX D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2
#define SAMPLERS_SHADER_VISIBLE_MAX    D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE

struct view_parts;

struct d3d12_descriptor_heap {
    ID3D12DescriptorHeap iface;
    struct d3d12_child child;
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    /* GPU memory if the heap is shader-visible; otherwise `memory.cpu` is plain memory. */
    emu_gpu_memory memory;
    struct view_parts
        *parts;     /* textures of the views; NULL if shaders see the heap, or for samplers */
    uint64_t start; /* CPU handle of the first descriptor */
};

HRESULT d3d12_descriptor_heap_create(struct d3d12_device *device,
                                     const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                     struct d3d12_descriptor_heap **out);

/* Returns the emulator's object of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_descriptor_heap *d3d12_descriptor_heap_from(ID3D12DescriptorHeap *iface);

/* Returns the heap that has `count` descriptors from `handle` on, or NULL if no heap has them.
 * Stores the first descriptor's index in *index. */
struct d3d12_descriptor_heap *d3d12_descriptor_heap_find(struct d3d12_device *device,
                                                         D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                                         UINT count, UINT *index);
struct d3d12_descriptor_heap *d3d12_descriptor_heap_find_gpu(struct d3d12_device *device,
                                                             D3D12_GPU_DESCRIPTOR_HANDLE handle,
                                                             UINT *index);

static inline struct emu_descriptor *d3d12_descriptor_heap_at(struct d3d12_descriptor_heap *heap,
                                                              UINT index)
{
    return (struct emu_descriptor *)heap->memory.cpu + index;
}
