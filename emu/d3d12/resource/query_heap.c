#include "resource/query_heap.h"

#include "device/device.h"

D3D12_CHILD_METHODS(d3d12_query_heap, ID3D12QueryHeap)

/* Returns the stride; 0: this adapter doesn't have the heap type. */
static UINT stride_of(D3D12_QUERY_HEAP_TYPE type)
{
    switch (type) {
    case D3D12_QUERY_HEAP_TYPE_OCCLUSION:
    case D3D12_QUERY_HEAP_TYPE_TIMESTAMP:
    case D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP:
        return sizeof(UINT64);
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS:
        return sizeof(D3D12_QUERY_DATA_PIPELINE_STATISTICS);
    case D3D12_QUERY_HEAP_TYPE_SO_STATISTICS:
        return sizeof(D3D12_QUERY_DATA_SO_STATISTICS);
    default: /* queries of video decoding and of mesh shaders */
        return 0;
    }
}

UINT d3d12_query_heap_stride(const struct d3d12_query_heap *heap)
{
    return stride_of(heap->desc.Type);
}

static bool is_of_type(const struct d3d12_query_heap *heap, D3D12_QUERY_TYPE type, bool copy_queue)
{
    switch (heap->desc.Type) {
    case D3D12_QUERY_HEAP_TYPE_OCCLUSION:
        return !copy_queue &&
               (type == D3D12_QUERY_TYPE_OCCLUSION || type == D3D12_QUERY_TYPE_BINARY_OCCLUSION);
    case D3D12_QUERY_HEAP_TYPE_TIMESTAMP:
        return !copy_queue && type == D3D12_QUERY_TYPE_TIMESTAMP;
    case D3D12_QUERY_HEAP_TYPE_COPY_QUEUE_TIMESTAMP:
        return copy_queue && type == D3D12_QUERY_TYPE_TIMESTAMP;
    case D3D12_QUERY_HEAP_TYPE_PIPELINE_STATISTICS:
        return !copy_queue && type == D3D12_QUERY_TYPE_PIPELINE_STATISTICS;
    case D3D12_QUERY_HEAP_TYPE_SO_STATISTICS:
        return !copy_queue && type >= D3D12_QUERY_TYPE_SO_STATISTICS_STREAM0 &&
               type <= D3D12_QUERY_TYPE_SO_STATISTICS_STREAM3;
    default:
        return false;
    }
}

bool d3d12_query_heap_has(const struct d3d12_query_heap *heap, D3D12_QUERY_TYPE type, UINT first,
                          UINT count, bool copy_queue)
{
    return is_of_type(heap, type, copy_queue) && first <= heap->desc.Count &&
           count <= heap->desc.Count - first;
}

static CONST_VTBL ID3D12QueryHeapVtbl d3d12_query_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_query_heap),
};

static void query_heap_release(struct d3d12_child *child)
{
    emu_gpu_free(child->device->gpu,
                 container_of(child, struct d3d12_query_heap, child)->memory.address);
}

static const struct d3d12_child_class query_heap_class = {
    .kind = D3D12DDI_HT_QUERY_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12QueryHeap, NULL},
    .methods = &d3d12_query_heap_vtable,
    .release = query_heap_release,
};

D3D12_CHILD_FROM(d3d12_query_heap, ID3D12QueryHeap, query_heap_class)

HRESULT d3d12_query_heap_create(struct d3d12_device *device, const D3D12_QUERY_HEAP_DESC *desc,
                                UINT flags, struct d3d12_query_heap **out)
{
    if (!desc || flags > 1 || desc->Count == 0 || desc->NodeMask > 1 || stride_of(desc->Type) == 0)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS,
            "ID3D12Device::CreateQueryHeap: Type must be a D3D12_QUERY_HEAP_TYPE, Count must be "
            "above 0, and NodeMask must be 0 or 1");
    struct d3d12_query_heap *heap = d3d12_child_begin(device, &query_heap_class, sizeof *heap);
    if (!heap)
        return E_OUTOFMEMORY;
    heap->desc = *desc;
    heap->is_for_cpu = flags != 0;
    *out = heap;
    const UINT64 size = (UINT64)desc->Count * stride_of(desc->Type);
    return d3d12_child_end(
        &heap->child, emu_gpu_allocate(device->gpu, size, 0, &heap->memory) ? S_OK : E_OUTOFMEMORY);
}
