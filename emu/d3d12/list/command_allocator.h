/* ID3D12CommandAllocator: has the memory for the markers of the lists that record through it. The
 * commands themselves are in the driver's lists. */
#pragma once

#include "device/child.h"

struct d3d12_command_allocator {
    ID3D12CommandAllocator iface;
    struct d3d12_child child;
    D3D12_COMMAND_LIST_TYPE type;
    annot_arena *arena;
    atomic_bool recording; /* whether a list is recording through this allocator */
};

HRESULT d3d12_command_allocator_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                       struct d3d12_command_allocator **out);

/* Returns whether allocators and lists of this type exist in D3D12. */
bool d3d12_command_allocator_has_type(D3D12_COMMAND_LIST_TYPE type);

/* Returns the allocator with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_command_allocator *d3d12_command_allocator_from(ID3D12CommandAllocator *iface);

/* Lets one list record through the allocator, until d3d12_command_allocator_end is called. The
 * allocator lives until then. Returns false if another list is recording. */
bool d3d12_command_allocator_begin(struct d3d12_command_allocator *allocator);
void d3d12_command_allocator_end(struct d3d12_command_allocator *allocator);
