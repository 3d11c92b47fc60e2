/* ID3D12Heap1: owns the GPU memory for placed resources. */
#pragma once

#include "device/child.h"
#include "base/validation_error.h"

#include "dred/range.h"

#include "gpu/gpu.h"

struct d3d12_heap {
    ID3D12Heap1 iface;
    struct d3d12_child child;
    D3D12_HEAP_DESC desc;
    emu_gpu_memory memory;
    struct dred_range range;
};

HRESULT d3d12_heap_create(struct d3d12_device *device, const D3D12_HEAP_DESC *desc,
                          struct d3d12_heap **out);

/* Makes a heap over the application's memory, for ID3D12Device3::OpenExistingHeapFromAddress. If
 * `size` is 0, the heap has the whole memory that the operating system allocated at `address`. */
HRESULT d3d12_heap_open(struct d3d12_device *device, const void *address, SIZE_T size,
                        struct d3d12_heap **out);

/* Returns the heap with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_heap *d3d12_heap_from(ID3D12Heap *iface);

/* Finds a mistake in a heap's description. `with_resource`: the heap is made by a function for
 * committed resources, otherwise by CreateHeap. `properties` may be NULL. */
struct validation_error d3d12_heap_check(const D3D12_HEAP_PROPERTIES *properties,
                                         D3D12_HEAP_FLAGS flags, bool with_resource);
/* Returns the properties, but with 1 instead of each node mask that is 0. */
D3D12_HEAP_PROPERTIES d3d12_heap_properties_complete(const D3D12_HEAP_PROPERTIES *properties);
bool d3d12_heap_properties_mappable(const D3D12_HEAP_PROPERTIES *properties);

/* d3d12_range_add tells DRED a new object's addresses. d3d12_range_remove removes the range before
 * the object is destroyed. `is_placed` says that other resources may have the same addresses. */
void d3d12_range_add(struct dred_range *range, struct d3d12_child *child, uint64_t address,
                     uint64_t size, bool is_placed);
void d3d12_range_remove(struct dred_range *range, struct d3d12_child *child);

/* Allocates memory, or only a range of addresses for tiles. If SetNextAllocationAddress has set an
 * address, the function uses this address. */
HRESULT d3d12_memory_allocate(struct d3d12_device *device, UINT64 size, bool for_tiles,
                              emu_gpu_memory *out);
