/* ID3D12CommandAllocator: has the memory for the markers of the lists that record through it. The
 * commands themselves are in the driver's lists. */
#pragma once

#include "device/child.h"

#include <pthread.h>

struct in_flight;

enum { ALLOCATOR_QUEUES = 4 };

/* For each queue, the last submission of a list that recorded through the allocator. The allocator
 * and its lists share this struct, because any of them may be destroyed first. */
struct allocator_usage {
    atomic_uint references, resets;
    pthread_mutex_t lock;
    struct {
        const void *queue;
        uint64_t ticket; /* ticket (in_flight.h) of the queue's last submission; 0: none */
    } last[ALLOCATOR_QUEUES];
    uint64_t elsewhere; /* ticket of the newest submission on queues that `last` lacks */
};

void allocator_usage_release(struct allocator_usage *usage);

/* Notes a submission on this queue, with this ticket. The submission has lists that recorded
 * through the allocator. Any thread may call the function. */
void allocator_usage_submitted(struct allocator_usage *usage, const void *queue, uint64_t ticket);

struct d3d12_command_allocator {
    ID3D12CommandAllocator iface;
    struct d3d12_child child;
    D3D12_COMMAND_LIST_TYPE type;
    annot_arena *arena;
    atomic_bool recording; /* whether a list is recording through this allocator */
    struct allocator_usage *usage;
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
