/* ID3D12CommandAllocator: the memory for the markers of lists that record through the allocator.
 * The commands are in the driver's lists. */
#pragma once

#include "device/child.h"

#include <pthread.h>

struct in_flight;

enum { ALLOCATOR_QUEUES = 4 };

/* For each queue, the last submission with a list that recorded through an allocator. The allocator
 * and its lists share this struct; any of them may be destroyed first. */
struct allocator_usage {
    atomic_uint references, resets;
    pthread_mutex_t lock;
    struct {
        const void *queue;
        uint64_t ticket; /* ticket (in_flight.h) of the last submission on this queue; 0: none */
    } last[ALLOCATOR_QUEUES];
    uint64_t
        elsewhere; /* ticket of the newest submission on the queues that `last` has no room for */
};

void allocator_usage_release(struct allocator_usage *usage);

/* Notes that a submission on this queue, with this ticket, has lists that recorded through the
 * allocator. Any thread may call it. */
void allocator_usage_submitted(struct allocator_usage *usage, const void *queue, uint64_t ticket);

struct d3d12_command_allocator {
    ID3D12CommandAllocator iface;
    struct d3d12_child child;
    D3D12_COMMAND_LIST_TYPE type;
    annot_arena *arena;
    atomic_bool recording; /* whether a list is recording through the allocator */
    struct allocator_usage *usage;
};

HRESULT d3d12_command_allocator_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                       struct d3d12_command_allocator **out);

/* Whether there are allocators and lists of this type. */
bool d3d12_command_allocator_has_type(D3D12_COMMAND_LIST_TYPE type);

/* Returns the emulator's allocator of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_command_allocator *d3d12_command_allocator_from(ID3D12CommandAllocator *iface);

/* Lets one list record, until d3d12_command_allocator_end; the allocator lives until then. False:
 * another list is recording. */
bool d3d12_command_allocator_begin(struct d3d12_command_allocator *allocator);
void d3d12_command_allocator_end(struct d3d12_command_allocator *allocator);
