/* Queries: timestamps are the GPU's; the others count nothing. */
#include "command_list_record.h"

#include "device.h"
#include "query_heap.h"
#include "resource.h"

static struct d3d12_query_heap *check_queries(struct d3d12_command_list *list,
                                              ID3D12QueryHeap *iface, D3D12_QUERY_TYPE type,
                                              UINT first, UINT count, int id, const char *method)
{
    struct d3d12_query_heap *heap = d3d12_query_heap_from(iface);
    if (heap != NULL && heap->child.device == list->child.device &&
        d3d12_query_heap_has(heap, type, first, count, list->type == D3D12_COMMAND_LIST_TYPE_COPY))
        return heap;
    command_list_fail(list, id, "ID3D12GraphicsCommandList::%s: the heap has no such query",
                      method);
    return NULL;
}

void STDMETHODCALLTYPE d3d12_command_list_BeginQuery(ID3D12GraphicsCommandList8 *iface,
                                                     ID3D12QueryHeap *heap, D3D12_QUERY_TYPE type,
                                                     UINT index)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON(DIRECT), "BeginQuery");
    const int id = D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS;
    if (list == NULL)
        return;
    if (type == D3D12_QUERY_TYPE_TIMESTAMP)
        command_list_fail(list, id,
                          "ID3D12GraphicsCommandList::BeginQuery: a timestamp has an end only");
    else
        check_queries(list, heap, type, index, 1, id, "BeginQuery");
}

void STDMETHODCALLTYPE d3d12_command_list_EndQuery(ID3D12GraphicsCommandList8 *iface,
                                                   ID3D12QueryHeap *heap_iface,
                                                   D3D12_QUERY_TYPE type, UINT index)
{
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COPYING, "EndQuery");
    const struct d3d12_query_heap *heap =
        list == NULL
            ? NULL
            : check_queries(list, heap_iface, type, index, 1,
                            D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, "EndQuery");
    if (heap != NULL && type == D3D12_QUERY_TYPE_TIMESTAMP)
        list->child.device->driver->cmd_timestamp(list->driver, heap->memory.address +
                                                                    (UINT64)index * sizeof(UINT64));
}

void STDMETHODCALLTYPE d3d12_command_list_ResolveQueryData(ID3D12GraphicsCommandList8 *iface,
                                                           ID3D12QueryHeap *heap_iface,
                                                           D3D12_QUERY_TYPE type, UINT first,
                                                           UINT count, ID3D12Resource *dst_iface,
                                                           UINT64 dst_offset)
{
    static const char method[] = "ResolveQueryData";
    const int id = D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS;
    struct d3d12_command_list *list = command_list_recorder(iface, ON_COPYING, method);
    const struct d3d12_resource *dst = d3d12_resource_from(dst_iface);
    const struct d3d12_query_heap *heap =
        list == NULL ? NULL : check_queries(list, heap_iface, type, first, count, id, method);
    if (heap == NULL)
        return;
    const UINT64 stride = d3d12_query_heap_stride(heap), size = count * stride;
    if (dst == NULL || dst->child.device != list->child.device || dst_offset % 8 != 0 ||
        dst->desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER || dst_offset > dst->size ||
        size > dst->size - dst_offset)
        command_list_fail(
            list, id, "ID3D12GraphicsCommandList::%s: no room in a buffer at a multiple of 8 bytes",
            method);
    else if (count != 0)
        list->child.device->driver->cmd_copy(list->driver, dst->address + dst_offset,
                                             heap->memory.address + first * stride, size);
}
