/* ID3D12DescriptorHeap. device/descriptor_table.h finds the heap that a handle belongs to. */
#pragma once

#include "device/child.h"

#include "gpu/descriptor.h"
#include "gpu/gpu.h"

#define DESCRIPTOR_SIZE ((UINT)sizeof(struct emu_descriptor))

/* Limits of shader-visible heaps in D3D12 [resource binding tiers 1 and 2]. */
#define DESCRIPTORS_SHADER_VISIBLE_MAX D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2
#define SAMPLERS_SHADER_VISIBLE_MAX    D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE

struct view_parts;

struct d3d12_descriptor_heap {
    ID3D12DescriptorHeap iface;
    struct d3d12_child child;
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    /* the descriptors; if shaders can't see the heap, `memory.cpu` is plain memory */
    emu_gpu_memory memory;
    /* What each view shows of a texture; NULL: the heap is shader-visible, or has samplers. */
    struct view_parts *parts;
    uint64_t start; /* the first descriptor's CPU handle */
};

HRESULT d3d12_descriptor_heap_create(struct d3d12_device *device,
                                     const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                     struct d3d12_descriptor_heap **out);

/* Returns the descriptor heap with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_descriptor_heap *d3d12_descriptor_heap_from(ID3D12DescriptorHeap *iface);

/* Returns the heap that has `count` descriptors from `handle` on, and stores the first descriptor's
 * index in *index. NULL: no heap has all these descriptors. */
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
