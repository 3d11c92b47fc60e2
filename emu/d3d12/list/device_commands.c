/* ID3D12Device on what commands are recorded and submitted with, and on waiting for them. */
#include "list/command_list.h"
#include "queue/command_queue.h"
#include "list/command_signature.h"
#include "device/device.h"
#include "device/device_methods.h"
#include "sync/fence.h"
#include "resource/query_heap.h"

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandQueue(ID3D12Device11 *iface,
                                                          const D3D12_COMMAND_QUEUE_DESC *desc,
                                                          REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_command_queue *queue;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_command_queue_create(device, desc, &queue);
    return SUCCEEDED(hr) ? d3d12_child_give(&queue->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandQueue1(ID3D12Device11 *iface,
                                                           const D3D12_COMMAND_QUEUE_DESC *desc,
                                                           REFIID creator, REFIID riid, void **out)
{
    (void)creator; /* groups queues for the Windows scheduler */
    return d3d12_device_CreateCommandQueue(iface, desc, riid, out);
}

static bool is_list_type(D3D12_COMMAND_LIST_TYPE type)
{
    return type == D3D12_COMMAND_LIST_TYPE_DIRECT || type == D3D12_COMMAND_LIST_TYPE_BUNDLE ||
           type == D3D12_COMMAND_LIST_TYPE_COMPUTE || type == D3D12_COMMAND_LIST_TYPE_COPY ||
           type == D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE ||
           type == D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS ||
           type == D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandAllocator(ID3D12Device11 *iface,
                                                              D3D12_COMMAND_LIST_TYPE type,
                                                              REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_command_allocator *allocator;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (!is_list_type(type)) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::CreateCommandAllocator: no such type");
        return E_INVALIDARG;
    }
    hr = d3d12_command_allocator_create(device, type, &allocator);
    return SUCCEEDED(hr) ? d3d12_child_give(&allocator->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandList(ID3D12Device11 *iface, UINT node_mask,
                                                         D3D12_COMMAND_LIST_TYPE type,
                                                         ID3D12CommandAllocator *allocator_iface,
                                                         ID3D12PipelineState *state, REFIID riid,
                                                         void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_command_allocator *allocator = d3d12_command_allocator_from(allocator_iface);
    struct d3d12_command_list *list;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (node_mask > 1 || !is_list_type(type) || allocator == NULL ||
        allocator->child.device != device) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device::CreateCommandList: no such node or type, or not a "
                           "command allocator of this device");
        return E_INVALIDARG;
    }
    if (allocator->type != type) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
                           "ID3D12Device::CreateCommandList: the command allocator is of another "
                           "type");
        return E_INVALIDARG;
    }
    hr = d3d12_command_list_create(device, type, allocator, state, &list);
    return SUCCEEDED(hr) ? d3d12_child_give(&list->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandList1(ID3D12Device11 *iface, UINT node_mask,
                                                          D3D12_COMMAND_LIST_TYPE type,
                                                          D3D12_COMMAND_LIST_FLAGS flags,
                                                          REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_command_list *list;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (node_mask > 1 || !is_list_type(type) || flags != D3D12_COMMAND_LIST_FLAG_NONE) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device4::CreateCommandList1: no such node, type or flag");
        return E_INVALIDARG;
    }
    hr = d3d12_command_list_create(device, type, NULL, NULL, &list);
    return SUCCEEDED(hr) ? d3d12_child_give(&list->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateFence(ID3D12Device11 *iface, UINT64 initial,
                                                   D3D12_FENCE_FLAGS flags, REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_fence *fence;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_fence_create(device, initial, flags, &fence);
    return SUCCEEDED(hr) ? d3d12_child_give(&fence->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateQueryHeap(ID3D12Device11 *iface,
                                                       const D3D12_QUERY_HEAP_DESC *desc,
                                                       REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_query_heap *heap;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_query_heap_create(device, desc, &heap);
    return SUCCEEDED(hr) ? d3d12_child_give(&heap->child, riid, out) : hr;
}

HRESULT STDMETHODCALLTYPE
d3d12_device_CreateCommandSignature(ID3D12Device11 *iface, const D3D12_COMMAND_SIGNATURE_DESC *desc,
                                    ID3D12RootSignature *root_signature, REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    struct d3d12_command_signature *signature;
    HRESULT hr = d3d12_device_begin_creation(device, out);
    if (SUCCEEDED(hr))
        hr = d3d12_command_signature_create(device, desc, root_signature, &signature);
    return SUCCEEDED(hr) ? d3d12_child_give(&signature->child, riid, out) : hr;
}

static bool collect_fences(struct d3d12_device *device, ID3D12Fence *const *ifaces, UINT count,
                           emu_kmd_fence **fences)
{
    for (UINT i = 0; i < count; i++) {
        const struct d3d12_fence *fence = d3d12_fence_from(ifaces[i]);
        if (fence == NULL || fence->child.device != device)
            return false;
        fences[i] = fence->kmd;
    }
    return true;
}

HRESULT STDMETHODCALLTYPE d3d12_device_SetEventOnMultipleFenceCompletion(
    ID3D12Device11 *iface, ID3D12Fence *const *ifaces, const UINT64 *values, UINT count,
    D3D12_MULTIPLE_FENCE_WAIT_FLAGS flags, HANDLE event)
{
    struct d3d12_device *device = impl_from_ID3D12Device11(iface);
    const bool any = flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY;
    HRESULT hr = E_INVALIDARG;
    emu_kmd_fence **fences = NULL;
    if (ifaces != NULL && values != NULL && count > 0 &&
        (any || flags == D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL)) {
        fences = calloc(count, sizeof *fences);
        if (fences == NULL)
            return E_OUTOFMEMORY;
        if (collect_fences(device, ifaces, count, fences)) {
            const struct d3d12_fence_wait wait = {fences, values, count, any};
            hr = d3d12_fence_wait(device, &wait, event);
        }
    }
    free(fences);
    if (hr == E_INVALIDARG)
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "ID3D12Device1::SetEventOnMultipleFenceCompletion: not fences of this "
                           "device, no such flag, or not an event");
    in_flight_sweep(&device->in_flight);
    return hr;
}
