/* Queries and predicates, which video lists have too. Timestamps are the GPU's. Other queries count
 * nothing, but their begins and ends are checked as in D3D12. */
#include "list/command_list_record.h"

#include "device/device.h"
#include "resource/query_heap.h"
#include "resource/resource.h"
#include "array.h"

static struct d3d12_query_heap *check_queries(struct d3d12_command_list *list,
                                              ID3D12QueryHeap *iface, D3D12_QUERY_TYPE type,
                                              UINT first, UINT count, int id, const char *method)
{
    struct d3d12_query_heap *heap = d3d12_query_heap_from(iface);
    if (heap && heap->child.device == list->child.device &&
        d3d12_query_heap_has(heap, type, first, count, list->type == D3D12_COMMAND_LIST_TYPE_COPY))
        return heap;
    command_list_fail(
        list, id, method,
        "the query's Type and Index must suit the heap, and the heap must be of this device");
    return NULL;
}

static uint64_t result_of(const struct d3d12_query_heap *heap, UINT index)
{
    return heap->memory.address + (uint64_t)index * d3d12_query_heap_stride(heap);
}

/* ---- queries that began and did not end ---- */

static struct open_query *find_open(struct d3d12_command_list *list, uint64_t result)
{
    for (size_t i = 0; i < list->query_count; i++)
        if (list->queries[i].result == result)
            return &list->queries[i];
    return NULL;
}

void command_list_check_queries(struct d3d12_command_list *list)
{
    if (list->query_count != 0)
        command_list_fail(list, D3D12_MESSAGE_ID_CLOSE_COMMAND_LIST_OPEN_QUERY, "Close",
                          "%u queries are still open: call EndQuery first",
                          (unsigned)list->query_count);
}

/* ---- queries ---- */

void STDMETHODCALLTYPE d3d12_command_list_BeginQuery(list_iface *iface, ID3D12QueryHeap *heap_iface,
                                                     D3D12_QUERY_TYPE type, UINT index)
{
    LIST_METHOD(ON(DIRECT) | ON_VIDEO);
    const int id = D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS;
    LIST_REFUSES(type == D3D12_QUERY_TYPE_TIMESTAMP, fail, id,
                 "a timestamp needs no BeginQuery: call only EndQuery");
    const struct d3d12_query_heap *heap =
        check_queries(list, heap_iface, type, index, 1, id, method);
    if (!heap)
        return;
    if (find_open(list, result_of(heap, index)))
        command_list_fail(list, id, method, "the query is already open");
    else if (!ARRAY_ROOM(list->queries, list->query_count, list->query_capacity))
        list->failure = FAILED(list->failure) ? list->failure : E_OUTOFMEMORY;
    else
        list->queries[list->query_count++] = (struct open_query){result_of(heap, index), type};
}

void STDMETHODCALLTYPE d3d12_command_list_EndQuery(list_iface *iface, ID3D12QueryHeap *heap_iface,
                                                   D3D12_QUERY_TYPE type, UINT index)
{
    LIST_METHOD(ON_COPYING | ON_VIDEO);
    const int id = D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS;
    const struct d3d12_query_heap *heap =
        check_queries(list, heap_iface, type, index, 1, id, method);
    if (!heap)
        return;
    const uint64_t result = result_of(heap, index);
    if (type == D3D12_QUERY_TYPE_TIMESTAMP) {
        list->child.device->driver->cmd_timestamp(list->driver, result);
        return;
    }
    struct open_query *open = find_open(list, result);
    if (!open || open->type != type)
        command_list_fail(list, id, method,
                          "the query is not open, or was begun with a different Type");
    else
        *open = list->queries[--list->query_count];
}

void STDMETHODCALLTYPE d3d12_command_list_ResolveQueryData(list_iface *iface,
                                                           ID3D12QueryHeap *heap_iface,
                                                           D3D12_QUERY_TYPE type, UINT first,
                                                           UINT count, ID3D12Resource *dst_iface,
                                                           UINT64 offset)
{
    LIST_OPERATION(RESOLVEQUERYDATA);
    LIST_METHOD(ON_COPYING | ON_VIDEO | OUTSIDE_PASS);
    const int id = D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS;
    const struct d3d12_query_heap *heap =
        check_queries(list, heap_iface, type, first, count, id, method);
    if (!heap)
        return;
    LIST_REFUSES(heap->is_for_cpu, fail, QUERY_HEAP_INVALID,
                 "a command list can't resolve a heap with CPU_RESOLVE");
    const UINT64 size = (UINT64)count * d3d12_query_heap_stride(heap);
    const struct d3d12_resource *dst = command_list_buffer(list, dst_iface, offset, size);
    if (!dst || offset % 8 != 0)
        command_list_fail(list, id, method,
                          "AlignedDestinationBufferOffset must be a multiple of 8, and the results "
                          "must fit into the buffer");
    else if (count != 0)
        list->child.device->driver->cmd_resolve(list->driver, dst->address + offset,
                                                result_of(heap, first), size);
}

/* ---- predicates ---- */

void d3d12_command_list_end_predication(struct d3d12_command_list *list)
{
    if (list->predicated)
        list->child.device->driver->cmd_predicate(list->driver, 0, false);
    list->predicated = false;
}

void STDMETHODCALLTYPE d3d12_command_list_SetPredication(list_iface *iface,
                                                         ID3D12Resource *buffer_iface,
                                                         UINT64 offset,
                                                         D3D12_PREDICATION_OP operation)
{
    LIST_METHOD(ON_COPYING | ON_VIDEO);
    const struct d3d12_resource *buffer =
        buffer_iface ? command_list_buffer(list, buffer_iface, offset, sizeof(UINT64)) : NULL;
    if (buffer_iface && (!buffer || offset % sizeof(UINT64) != 0 ||
                         (unsigned)operation > D3D12_PREDICATION_OP_NOT_EQUAL_ZERO))
        command_list_fail(list, D3D12_MESSAGE_ID_SET_PREDICATION_INVALID_PARAMETERS, method,
                          "AlignedBufferOffset must be a multiple of 8 within the buffer, and "
                          "Operation must be a D3D12_PREDICATION_OP");
    else if (!buffer)
        d3d12_command_list_end_predication(list);
    else {
        list->predicated = true;
        list->child.device->driver->cmd_predicate(list->driver, buffer->address + offset,
                                                  operation == D3D12_PREDICATION_OP_NOT_EQUAL_ZERO);
    }
}

void d3d12_command_list_clear(struct d3d12_command_list *list)
{
    if (command_list_recorder(&list->iface, ON_VIDEO, "ClearState"))
        d3d12_command_list_end_predication(list);
}
