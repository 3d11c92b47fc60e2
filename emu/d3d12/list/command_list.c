#include "list/command_list_record.h"

#include "device/device.h"
#include "session/protected_session.h"
#include "base/result.h"
#include "video/video_list.h"

D3D12_CHILD_METHODS(d3d12_command_list, ID3D12GraphicsCommandList8)

struct d3d12_command_list *d3d12_command_list_from(ID3D12CommandList *iface)
{
    if (iface == NULL)
        return NULL;
    const void *vtable = iface->lpVtbl;
    const bool ours =
        vtable == &d3d12_command_list_vtable || vtable == &d3d12_video_decode_list_vtable ||
        vtable == &d3d12_video_process_list_vtable || vtable == &d3d12_video_encode_list_vtable;
    return ours ? container_of(iface, struct d3d12_command_list, iface) : NULL;
}

/* ---- allocators ---- */

bool command_list_hold_allocator(struct d3d12_command_list *list, struct allocator_usage *usage)
{
    for (size_t i = 0; i < list->allocator_count; i++)
        if (list->allocators[i].usage == usage)
            return true;
    if (list->allocator_count == list->allocator_capacity) {
        const size_t capacity = list->allocator_capacity != 0 ? list->allocator_capacity * 2 : 2;
        void *grown = realloc(list->allocators, capacity * sizeof *list->allocators);
        if (grown == NULL)
            return false;
        list->allocators = grown;
        list->allocator_capacity = capacity;
    }
    atomic_fetch_add(&usage->references, 1);
    list->allocators[list->allocator_count++] =
        (struct list_allocator){usage, atomic_load(&usage->resets)};
    return true;
}

static void drop_allocators(struct d3d12_command_list *list)
{
    while (list->allocator_count != 0)
        allocator_usage_release(list->allocators[--list->allocator_count].usage);
}

bool d3d12_command_list_is_intact(const struct d3d12_command_list *list)
{
    for (size_t i = 0; i < list->allocator_count; i++)
        if (atomic_load(&list->allocators[i].usage->resets) != list->allocators[i].resets)
            return false;
    return true;
}

void d3d12_command_list_submitted(struct d3d12_command_list *list, uint64_t ticket)
{
    for (size_t i = 0; i < list->allocator_count; i++)
        allocator_usage_submitted(list->allocators[i].usage, ticket);
}

/* ---- who may record ---- */

const char *command_list_interface(const struct d3d12_command_list *list)
{
    switch (list->type) {
    case D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE:
        return "ID3D12VideoDecodeCommandList";
    case D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS:
        return "ID3D12VideoProcessCommandList";
    case D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE:
        return "ID3D12VideoEncodeCommandList";
    default:
        return "ID3D12GraphicsCommandList";
    }
}

struct d3d12_command_list *command_list_recorder(ID3D12GraphicsCommandList8 *iface, unsigned types,
                                                 const char *method)
{
    struct d3d12_command_list *list = impl_from_ID3D12GraphicsCommandList8(iface);
    if (list->state != COMMAND_LIST_RECORDING) {
        d3d12_device_error(list->child.device, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                           "%s::%s: the list is not recording", command_list_interface(list),
                           method);
        return NULL;
    }
    if ((types & 1u << list->type) == 0) {
        const int id = list->type == D3D12_COMMAND_LIST_TYPE_BUNDLE
                           ? (int)D3D12_MESSAGE_ID_INVALID_BUNDLE_API
                           : (int)EMU_MESSAGE_INVALID_ARGUMENT;
        command_list_fail(list, id, "%s::%s: not on this type of list",
                          command_list_interface(list), method);
        return NULL;
    }
    if ((types & OUTSIDE_PASS) != 0 && list->pass.active) {
        command_list_fail(list, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED,
                          "%s::%s: not in a render pass", command_list_interface(list), method);
        return NULL;
    }
    return list;
}

/* ---- markers: the library does all of it, the mistakes too ---- */

static void STDMETHODCALLTYPE d3d12_command_list_SetMarker(ID3D12GraphicsCommandList8 *iface,
                                                           UINT metadata, const void *data,
                                                           UINT size)
{
    annot_context_set_marker(impl_from_ID3D12GraphicsCommandList8(iface)->context, metadata, data,
                             size);
}

static void STDMETHODCALLTYPE d3d12_command_list_BeginEvent(ID3D12GraphicsCommandList8 *iface,
                                                            UINT metadata, const void *data,
                                                            UINT size)
{
    annot_context_begin_event(impl_from_ID3D12GraphicsCommandList8(iface)->context, metadata, data,
                              size);
}

static void STDMETHODCALLTYPE d3d12_command_list_EndEvent(ID3D12GraphicsCommandList8 *iface)
{
    annot_context_end_event(impl_from_ID3D12GraphicsCommandList8(iface)->context);
}

/* ---- recording state ---- */

static D3D12_COMMAND_LIST_TYPE STDMETHODCALLTYPE
d3d12_command_list_GetType(ID3D12GraphicsCommandList8 *iface)
{
    return impl_from_ID3D12GraphicsCommandList8(iface)->type;
}

/* Starts a recording on a driver's list that is empty. */
static HRESULT open_list(struct d3d12_command_list *list, struct d3d12_command_allocator *allocator,
                         ID3D12PipelineState *state, const char *method)
{
    if (state != NULL && !command_list_check_pipeline(list, state, method))
        return E_INVALIDARG;
    if (!d3d12_command_allocator_begin(allocator)) {
        d3d12_device_error(list->child.device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION,
                           "another command list records through this command allocator");
        return E_INVALIDARG;
    }
    drop_allocators(list);
    HRESULT hr = E_OUTOFMEMORY;
    if (command_list_hold_allocator(list, allocator->usage))
        hr = hresult_from_annot(annot_context_open(list->context, allocator->arena));
    if (FAILED(hr)) {
        d3d12_command_allocator_end(allocator);
        return hr;
    }
    list->allocator = allocator;
    list->state = COMMAND_LIST_RECORDING;
    list->failure = S_OK;
    list->query_count = 0;
    list->pass.active = false;
    list->predicated = false;
    command_list_clear_state(list, state);
    return S_OK;
}

static void close_recording(struct d3d12_command_list *list)
{
    annot_context_close(list->context);
    d3d12_command_allocator_end(list->allocator);
    list->allocator = NULL;
}

HRESULT d3d12_command_list_close(struct d3d12_command_list *list)
{
    struct d3d12_device *device = list->child.device;
    if (list->state != COMMAND_LIST_RECORDING) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                           "%s::Close: the list is closed already", command_list_interface(list));
        return E_FAIL;
    }
    close_recording(list);
    command_list_check_queries(list);
    command_list_check_pass(list);
    HRESULT hr = list->failure;
    if (!device->driver->list_close(list->driver) && SUCCEEDED(hr))
        hr = E_OUTOFMEMORY;
    if (d3d12_device_is_removed(device))
        hr = DXGI_ERROR_DEVICE_REMOVED;
    list->state = FAILED(hr) ? COMMAND_LIST_FAILED : COMMAND_LIST_CLOSED;
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_command_list_Close(ID3D12GraphicsCommandList8 *iface)
{
    return d3d12_command_list_close(impl_from_ID3D12GraphicsCommandList8(iface));
}

HRESULT d3d12_command_list_reset(struct d3d12_command_list *list,
                                 ID3D12CommandAllocator *allocator_iface,
                                 ID3D12PipelineState *state)
{
    struct d3d12_command_allocator *allocator = d3d12_command_allocator_from(allocator_iface);
    struct d3d12_device *device = list->child.device;
    if (d3d12_device_is_removed(device))
        return DXGI_ERROR_DEVICE_REMOVED;
    if (list->state == COMMAND_LIST_RECORDING) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_COMMAND_LIST_OPEN,
                           "%s::Reset: the list is still recording", command_list_interface(list));
        return E_FAIL;
    }
    if (allocator == NULL || allocator->child.device != device) {
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "%s::Reset: not a command allocator of this device",
                           command_list_interface(list));
        return E_INVALIDARG;
    }
    if (allocator->type != list->type) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
                           "%s::Reset: the command allocator is of another type",
                           command_list_interface(list));
        return E_INVALIDARG;
    }
    HRESULT hr = open_list(list, allocator, state, "ID3D12GraphicsCommandList::Reset");
    if (SUCCEEDED(hr) && !device->driver->list_reset(list->driver)) {
        close_recording(list);
        list->state = COMMAND_LIST_FAILED;
        hr = E_OUTOFMEMORY;
    }
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_command_list_Reset(ID3D12GraphicsCommandList8 *iface,
                                                          ID3D12CommandAllocator *allocator,
                                                          ID3D12PipelineState *state)
{
    return d3d12_command_list_reset(impl_from_ID3D12GraphicsCommandList8(iface), allocator, state);
}

/* The emulator's memory is not encrypted: a session is the rules around it. */
void d3d12_command_list_set_session(struct d3d12_command_list *list,
                                    ID3D12ProtectedResourceSession *session)
{
    static const char method[] = "SetProtectedResourceSession";
    if (command_list_recorder(&list->iface, (ON_ANY & ~ON(BUNDLE)) | OUTSIDE_PASS, method) !=
            NULL &&
        !d3d12_protected_session_usable(list->child.device, session, method) &&
        SUCCEEDED(list->failure))
        list->failure = E_INVALIDARG;
}

static void STDMETHODCALLTYPE d3d12_command_list_SetProtectedResourceSession(
    ID3D12GraphicsCommandList8 *iface, ID3D12ProtectedResourceSession *session)
{
    d3d12_command_list_set_session(impl_from_ID3D12GraphicsCommandList8(iface), session);
}

#include "table/command_list_stubs.h"

CONST_VTBL ID3D12GraphicsCommandList8Vtbl d3d12_command_list_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_command_list),
    .GetType = d3d12_command_list_GetType,
    .Close = d3d12_command_list_Close,
    .Reset = d3d12_command_list_Reset,
    .ClearState = d3d12_command_list_ClearState,
    .DrawInstanced = d3d12_command_list_DrawInstanced,
    .DrawIndexedInstanced = d3d12_command_list_DrawIndexedInstanced,
    .Dispatch = d3d12_command_list_Dispatch,
    .CopyBufferRegion = d3d12_command_list_CopyBufferRegion,
    .CopyTextureRegion = d3d12_command_list_CopyTextureRegion,
    .CopyResource = d3d12_command_list_CopyResource,
    .CopyTiles = d3d12_command_list_CopyTiles,
    .ResolveSubresource = d3d12_command_list_ResolveSubresource,
    .IASetPrimitiveTopology = d3d12_command_list_IASetPrimitiveTopology,
    .RSSetViewports = d3d12_command_list_RSSetViewports,
    .RSSetScissorRects = d3d12_command_list_RSSetScissorRects,
    .OMSetBlendFactor = d3d12_command_list_OMSetBlendFactor,
    .OMSetStencilRef = d3d12_command_list_OMSetStencilRef,
    .SetPipelineState = d3d12_command_list_SetPipelineState,
    .ResourceBarrier = d3d12_command_list_ResourceBarrier,
    .ExecuteBundle = d3d12_command_list_ExecuteBundle,
    .SetDescriptorHeaps = d3d12_command_list_SetDescriptorHeaps,
    .SetComputeRootSignature = d3d12_command_list_SetComputeRootSignature,
    .SetGraphicsRootSignature = d3d12_command_list_SetGraphicsRootSignature,
    .SetComputeRootDescriptorTable = d3d12_command_list_SetComputeRootDescriptorTable,
    .SetGraphicsRootDescriptorTable = d3d12_command_list_SetGraphicsRootDescriptorTable,
    .SetComputeRoot32BitConstant = d3d12_command_list_SetComputeRoot32BitConstant,
    .SetGraphicsRoot32BitConstant = d3d12_command_list_SetGraphicsRoot32BitConstant,
    .SetComputeRoot32BitConstants = d3d12_command_list_SetComputeRoot32BitConstants,
    .SetGraphicsRoot32BitConstants = d3d12_command_list_SetGraphicsRoot32BitConstants,
    .SetComputeRootConstantBufferView = d3d12_command_list_SetComputeRootConstantBufferView,
    .SetGraphicsRootConstantBufferView = d3d12_command_list_SetGraphicsRootConstantBufferView,
    .SetComputeRootShaderResourceView = d3d12_command_list_SetComputeRootShaderResourceView,
    .SetGraphicsRootShaderResourceView = d3d12_command_list_SetGraphicsRootShaderResourceView,
    .SetComputeRootUnorderedAccessView = d3d12_command_list_SetComputeRootUnorderedAccessView,
    .SetGraphicsRootUnorderedAccessView = d3d12_command_list_SetGraphicsRootUnorderedAccessView,
    .IASetIndexBuffer = d3d12_command_list_IASetIndexBuffer,
    .IASetVertexBuffers = d3d12_command_list_IASetVertexBuffers,
    .SOSetTargets = d3d12_command_list_SOSetTargets,
    .OMSetRenderTargets = d3d12_command_list_OMSetRenderTargets,
    .ClearDepthStencilView = d3d12_command_list_ClearDepthStencilView,
    .ClearRenderTargetView = d3d12_command_list_ClearRenderTargetView,
    .ClearUnorderedAccessViewUint = d3d12_command_list_ClearUnorderedAccessViewUint,
    .ClearUnorderedAccessViewFloat = d3d12_command_list_ClearUnorderedAccessViewFloat,
    .DiscardResource = d3d12_command_list_DiscardResource,
    .BeginQuery = d3d12_command_list_BeginQuery,
    .EndQuery = d3d12_command_list_EndQuery,
    .ResolveQueryData = d3d12_command_list_ResolveQueryData,
    .SetPredication = d3d12_command_list_SetPredication,
    .SetMarker = d3d12_command_list_SetMarker,
    .BeginEvent = d3d12_command_list_BeginEvent,
    .EndEvent = d3d12_command_list_EndEvent,
    .ExecuteIndirect = d3d12_command_list_ExecuteIndirect,
    .AtomicCopyBufferUINT = d3d12_command_list_AtomicCopyBufferUINT,
    .AtomicCopyBufferUINT64 = d3d12_command_list_AtomicCopyBufferUINT64,
    .OMSetDepthBounds = d3d12_command_list_OMSetDepthBounds,
    .SetSamplePositions = d3d12_command_list_SetSamplePositions,
    .ResolveSubresourceRegion = d3d12_command_list_ResolveSubresourceRegion,
    .SetViewInstanceMask = d3d12_command_list_SetViewInstanceMask,
    .WriteBufferImmediate = d3d12_command_list_WriteBufferImmediate,
    .SetProtectedResourceSession = d3d12_command_list_SetProtectedResourceSession,
    .BeginRenderPass = d3d12_command_list_BeginRenderPass,
    .EndRenderPass = d3d12_command_list_EndRenderPass,
    .InitializeMetaCommand = d3d12_command_list_InitializeMetaCommand,
    .ExecuteMetaCommand = d3d12_command_list_ExecuteMetaCommand,
    .BuildRaytracingAccelerationStructure = d3d12_command_list_BuildRaytracingAccelerationStructure,
    .EmitRaytracingAccelerationStructurePostbuildInfo =
        d3d12_command_list_EmitRaytracingAccelerationStructurePostbuildInfo,
    .CopyRaytracingAccelerationStructure = d3d12_command_list_CopyRaytracingAccelerationStructure,
    .SetPipelineState1 = d3d12_command_list_SetPipelineState1,
    .DispatchRays = d3d12_command_list_DispatchRays,
    .RSSetShadingRate = d3d12_command_list_RSSetShadingRate,
    .RSSetShadingRateImage = d3d12_command_list_RSSetShadingRateImage,
    .DispatchMesh = d3d12_command_list_DispatchMesh,
    .Barrier = d3d12_command_list_Barrier,
    .OMSetFrontAndBackStencilRef = d3d12_command_list_OMSetFrontAndBackStencilRef,
};

/* ---- life ---- */

static void command_list_destroy(struct d3d12_child *child)
{
    struct d3d12_command_list *list = container_of(child, struct d3d12_command_list, child);
    if (list->state == COMMAND_LIST_RECORDING)
        close_recording(list);
    annot_context_destroy(list->context);
    child->device->driver->list_destroy(list->driver);
    drop_allocators(list);
    free(list->allocators);
    free(list->queries);
    d3d12_child_finish(child);
    free(list);
}

static const struct d3d12_child_class command_list_class = {
    .kind = D3D12DDI_HT_COMMAND_LIST,
    .iids = (const IID *const[]){&IID_ID3D12CommandList, &IID_ID3D12GraphicsCommandList,
                                 &IID_ID3D12GraphicsCommandList1, &IID_ID3D12GraphicsCommandList2,
                                 &IID_ID3D12GraphicsCommandList3, &IID_ID3D12GraphicsCommandList4,
                                 &IID_ID3D12GraphicsCommandList5, &IID_ID3D12GraphicsCommandList6,
                                 &IID_ID3D12GraphicsCommandList7, &IID_ID3D12GraphicsCommandList8,
                                 NULL},
    .destroy = command_list_destroy,
};

static const struct d3d12_child_class video_decode_list_class = {
    .kind = D3D12DDI_HT_COMMAND_LIST,
    .iids =
        (const IID *const[]){&IID_ID3D12CommandList, &IID_ID3D12VideoDecodeCommandList,
                             &IID_ID3D12VideoDecodeCommandList1, &IID_ID3D12VideoDecodeCommandList2,
                             &IID_ID3D12VideoDecodeCommandList3, NULL},
    .destroy = command_list_destroy,
};

static const struct d3d12_child_class video_process_list_class = {
    .kind = D3D12DDI_HT_COMMAND_LIST,
    .iids = (const IID *const[]){&IID_ID3D12CommandList, &IID_ID3D12VideoProcessCommandList,
                                 &IID_ID3D12VideoProcessCommandList1,
                                 &IID_ID3D12VideoProcessCommandList2,
                                 &IID_ID3D12VideoProcessCommandList3, NULL},
    .destroy = command_list_destroy,
};

static const struct d3d12_child_class video_encode_list_class = {
    .kind = D3D12DDI_HT_COMMAND_LIST,
    .iids =
        (const IID *const[]){&IID_ID3D12CommandList, &IID_ID3D12VideoEncodeCommandList,
                             &IID_ID3D12VideoEncodeCommandList1, &IID_ID3D12VideoEncodeCommandList2,
                             &IID_ID3D12VideoEncodeCommandList3, NULL},
    .destroy = command_list_destroy,
};

/* Gives the list the table of its type. */
static const struct d3d12_child_class *set_table(struct d3d12_command_list *list)
{
    switch (list->type) {
    case D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE:
        list->decode.lpVtbl = &d3d12_video_decode_list_vtable;
        return &video_decode_list_class;
    case D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS:
        list->process.lpVtbl = &d3d12_video_process_list_vtable;
        return &video_process_list_class;
    case D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE:
        list->encode.lpVtbl = &d3d12_video_encode_list_vtable;
        return &video_encode_list_class;
    default:
        list->iface.lpVtbl = &d3d12_command_list_vtable;
        return &command_list_class;
    }
}

HRESULT d3d12_command_list_create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out)
{
    struct d3d12_command_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    list->type = type;
    list->state = COMMAND_LIST_EMPTY;
    list->driver = device->driver->list_create(device->driver_device, (uint32_t)type);
    if (list->driver == NULL)
        goto err0;
    hr = d3d12_child_init(&list->child, &list->iface, set_table(list), device, (uint32_t)type,
                          list->driver);
    if (FAILED(hr))
        goto err1;
    hr = hresult_from_annot(annot_context_create(list->child.annot, &list->context));
    if (FAILED(hr))
        goto err2;
    if (allocator != NULL) {
        hr = open_list(list, allocator, state, "ID3D12Device::CreateCommandList");
        if (FAILED(hr))
            goto err3;
    }
    *out = list;
    return S_OK;
err3:
    drop_allocators(list);
    free(list->allocators);
    annot_context_destroy(list->context);
err2:
    d3d12_child_finish(&list->child);
    d3d12_device_release(device); /* d3d12_child_init's */
err1:
    device->driver->list_destroy(list->driver);
err0:
    free(list);
    return hr;
}
