#include "resource/query_heap.h"

#include "device/device.h"

static CONST_VTBL ID3D12QueryHeapVtbl d3d12_query_heap_vtable;

D3D12_CHILD_METHODS(d3d12_query_heap, ID3D12QueryHeap)

struct d3d12_query_heap *d3d12_query_heap_from(ID3D12QueryHeap *iface)
{
    return iface && iface->lpVtbl == &d3d12_query_heap_vtable ? impl_from_ID3D12QueryHeap(iface)
                                                              : NULL;
}

/* 0: a heap type that this adapter doesn't have. */
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
    default: /* of video decoding, of mesh shaders */
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

static void query_heap_destroy(struct d3d12_child *child)
{
    struct d3d12_query_heap *heap = container_of(child, struct d3d12_query_heap, child);
    emu_gpu_free(child->device->gpu, heap->memory.address);
    d3d12_child_finish(child);
    free(heap);
}

static const struct d3d12_child_class query_heap_class = {
    .kind = D3D12DDI_HT_QUERY_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12QueryHeap, NULL},
    .destroy = query_heap_destroy,
};

HRESULT d3d12_query_heap_create(struct d3d12_device *device, const D3D12_QUERY_HEAP_DESC *desc,
                                struct d3d12_query_heap **out)
{
    if (!desc || desc->Count == 0 || desc->NodeMask > 1 || stride_of(desc->Type) == 0) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATEQUERY_HEAP_INVALID_PARAMETERS,
                           "ID3D12Device::CreateQueryHeap: invalid description");
        return E_INVALIDARG;
    }
    struct d3d12_query_heap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    heap->iface.lpVtbl = &d3d12_query_heap_vtable;
    heap->desc = *desc;
    if (!emu_gpu_allocate(device->gpu, (UINT64)desc->Count * stride_of(desc->Type), 0,
                          &heap->memory))
        goto err0;
    hr = d3d12_child_init(&heap->child, &heap->iface, &query_heap_class, device, 0, NULL);
    if (FAILED(hr))
        goto err1;
    *out = heap;
    return S_OK;
err1:
    emu_gpu_free(device->gpu, heap->memory.address);
err0:
    free(heap);
    return hr;
}
