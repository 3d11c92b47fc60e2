/* ID3D12QueryHeap: owns GPU memory for the results of queries. EndQuery's packets write results,
 * and ResolveQueryData's copies read them. Timestamps come from the engine. Other queries count the
 * work of drawing; nothing is drawn, so their results stay 0. */
#pragma once

#include "device/child.h"

#include "gpu/gpu.h"

struct d3d12_query_heap {
    ID3D12QueryHeap iface;
    struct d3d12_child child;
    D3D12_QUERY_HEAP_DESC desc;
    bool is_for_cpu; /* D3D12_QUERY_HEAP_FLAG_CPU_RESOLVE: only the CPU may resolve the queries */
    emu_gpu_memory memory;
};

/* D3D12_MESSAGE_ID_RESOLVEQUERYDATA_INVALID_QUERYHEAP, a number that older headers lack. */
#define QUERY_HEAP_INVALID 1444

HRESULT d3d12_query_heap_create(struct d3d12_device *device, const D3D12_QUERY_HEAP_DESC *desc,
                                UINT flags, struct d3d12_query_heap **out);

/* Returns the query heap with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_query_heap *d3d12_query_heap_from(ID3D12QueryHeap *iface);

/* Whether the heap has these queries of this type. `copy_queue`: the list is a copy list. */
bool d3d12_query_heap_has(const struct d3d12_query_heap *heap, D3D12_QUERY_TYPE type, UINT first,
                          UINT count, bool copy_queue);

/* Returns the size of one query's result in this heap, in bytes. */
UINT d3d12_query_heap_stride(const struct d3d12_query_heap *heap);
