/*
 * ID3D12DescriptorHeap, and the way from a handle back to its heap. Handles are numbers, not pointers:
 *
 *     63     62      48 47    32 31                 0
 *     | GPU |   life   |  slot  | byte in the heap |      slot: which heap    life: which heap of those that had the slot
 *
 * An application's arithmetic on handles stays in the low half; what leaves the heap, or outlives it, is noticed.
 * Taking and giving back slots and looking up handles takes no lock.
 */
#ifndef D3D12_DESCRIPTOR_HEAP_H
#define D3D12_DESCRIPTOR_HEAP_H

#include "device/child.h"
#include "view/view_parts.h"

#include "gpu/descriptor.h"
#include "gpu/gpu.h"

#define DESCRIPTOR_SIZE ((UINT)sizeof(emu_descriptor))

/* D3D12's limits on what shaders see [resource binding tiers 1 and 2]. */
#define DESCRIPTORS_SHADER_VISIBLE_MAX D3D12_MAX_SHADER_VISIBLE_DESCRIPTOR_HEAP_SIZE_TIER_2
#define SAMPLERS_SHADER_VISIBLE_MAX    D3D12_MAX_SHADER_VISIBLE_SAMPLER_HEAP_SIZE

#define DESCRIPTOR_TABLE_PAGES         64u
#define DESCRIPTOR_TABLE_SLOTS         1024u /* in a page */

struct d3d12_descriptor_heap;

struct descriptor_table_page {
    struct {
        _Atomic(struct d3d12_descriptor_heap *) heap; /* NULL: free */
        atomic_uint life;                             /* counts up when the slot is given back */
    } slots[DESCRIPTOR_TABLE_SLOTS];
};

/* The device's descriptor heaps by slot. Zeroed memory is an empty table. */
struct descriptor_table {
    _Atomic(struct descriptor_table_page *) pages[DESCRIPTOR_TABLE_PAGES]; /* NULL until needed */
    atomic_uint next; /* where the search for a free slot starts */
};

/* No heap is left. */
void descriptor_table_finish(struct descriptor_table *table);

struct d3d12_descriptor_heap {
    ID3D12DescriptorHeap iface;
    struct d3d12_child child;
    D3D12_DESCRIPTOR_HEAP_DESC desc;
    emu_gpu_memory
        memory; /* shader-visible heaps'; address 0: not visible, `memory.cpu` is plain memory */
    struct view_parts *parts; /* what each view sees; NULL: shader-visible heaps, and samplers' */
    uint64_t start;           /* CPU handle of the first descriptor */
};

HRESULT d3d12_descriptor_heap_create(struct d3d12_device *device,
                                     const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                     struct d3d12_descriptor_heap **out);

/* NULL for NULL and for somebody else's object. */
struct d3d12_descriptor_heap *d3d12_descriptor_heap_from(ID3D12DescriptorHeap *iface);

/* The heap that `count` descriptors from a handle on are in, and the first one's index; NULL when they aren't. */
struct d3d12_descriptor_heap *d3d12_descriptor_heap_find(struct d3d12_device *device,
                                                         D3D12_CPU_DESCRIPTOR_HANDLE handle,
                                                         UINT count, UINT *index);
struct d3d12_descriptor_heap *d3d12_descriptor_heap_find_gpu(struct d3d12_device *device,
                                                             D3D12_GPU_DESCRIPTOR_HANDLE handle,
                                                             UINT *index);

static inline emu_descriptor *d3d12_descriptor_heap_at(struct d3d12_descriptor_heap *heap,
                                                       UINT index)
{
    return (emu_descriptor *)heap->memory.cpu + index;
}

#endif
