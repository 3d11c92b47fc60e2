#include "command_list.h"

#include "descriptor_heap.h"
#include "device.h"
#include "pipeline_state.h"
#include "query_heap.h"
#include "resource.h"
#include "result.h"
#include "root_signature.h"
#include "texture.h"
#include "video_list.h"

static CONST_VTBL ID3D12GraphicsCommandList8Vtbl d3d12_command_list_vtable;

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

void d3d12_command_list_submitted(struct d3d12_command_list *list, uint64_t ticket)
{
    if (list->usage != NULL)
        atomic_store(&list->usage->ticket, ticket);
}

/* ---- which list may do what ---- */

#define ON(type)   (1u << D3D12_COMMAND_LIST_TYPE_##type)
#define ON_COPYING (ON(DIRECT) | ON(COMPUTE) | ON(COPY))
#define ON_COMPUTE (ON(DIRECT) | ON(COMPUTE) | ON(BUNDLE))
#define ON_VIDEO   (ON(VIDEO_DECODE) | ON(VIDEO_PROCESS) | ON(VIDEO_ENCODE))
#define ON_ANY     (ON_COPYING | ON_COMPUTE | ON_VIDEO)

static const char *interface_name(const struct d3d12_command_list *list)
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

/* A mistake that D3D12 answers by failing Close. */
#define fail(list, id, ...)                                                                        \
    do {                                                                                           \
        d3d12_device_error((list)->child.device, id, __VA_ARGS__);                                 \
        if (SUCCEEDED((list)->failure))                                                            \
            (list)->failure = E_INVALIDARG;                                                        \
    } while (0)

/* The list behind `iface` when it may record this command now; NULL after a message otherwise. */
static struct d3d12_command_list *recorder(ID3D12GraphicsCommandList8 *iface, unsigned types,
                                           const char *method)
{
    struct d3d12_command_list *list = impl_from_ID3D12GraphicsCommandList8(iface);
    if (list->state != COMMAND_LIST_RECORDING) {
        d3d12_device_error(list->child.device, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED,
                           "%s::%s: the list is not recording", interface_name(list), method);
        return NULL;
    }
    if ((types & 1u << list->type) == 0) {
        fail(list, EMU_MESSAGE_INVALID_ARGUMENT, "%s::%s: not on this type of list",
             interface_name(list), method);
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

static void set_pipeline(struct d3d12_command_list *list, ID3D12PipelineState *state)
{
    const struct d3d12_pipeline_state *pipeline = d3d12_pipeline_state_from(state);
    list->next.kernel = pipeline != NULL ? pipeline->kernel : 0;
}

static void clear_state(struct d3d12_command_list *list, ID3D12PipelineState *state)
{
    list->has_signature = false;
    memset(&list->next, 0, sizeof list->next);
    memset(list->heaps, 0, sizeof list->heaps);
    set_pipeline(list, state);
}

/* Starts a recording on a driver's list that is empty. */
static HRESULT open_list(struct d3d12_command_list *list, struct d3d12_command_allocator *allocator,
                         ID3D12PipelineState *state)
{
    if (!d3d12_command_allocator_begin(allocator)) {
        d3d12_device_error(list->child.device, D3D12_MESSAGE_ID_COMMAND_ALLOCATOR_CONTENTION,
                           "another command list records through this command allocator");
        return E_INVALIDARG;
    }
    annot_result result = annot_context_open(list->context, allocator->arena);
    if (result != ANNOT_OK) {
        d3d12_command_allocator_end(allocator);
        return hresult_from_annot(result);
    }
    allocator_usage_release(list->usage);
    list->usage = allocator->usage;
    atomic_fetch_add(&list->usage->references, 1);
    list->allocator = allocator;
    list->state = COMMAND_LIST_RECORDING;
    list->failure = S_OK;
    clear_state(list, state);
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
                           "%s::Close: the list is closed already", interface_name(list));
        return E_FAIL;
    }
    close_recording(list);
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
                           "%s::Reset: the list is still recording", interface_name(list));
        return E_FAIL;
    }
    if (allocator == NULL || allocator->child.device != device)
        return E_INVALIDARG;
    if (allocator->type != list->type) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
                           "%s::Reset: the command allocator is of another type",
                           interface_name(list));
        return E_INVALIDARG;
    }
    HRESULT hr = open_list(list, allocator, state);
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

static void STDMETHODCALLTYPE d3d12_command_list_ClearState(ID3D12GraphicsCommandList8 *iface,
                                                            ID3D12PipelineState *state)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE & ~ON(BUNDLE), "ClearState");
    if (list != NULL)
        clear_state(list, state);
}

static void STDMETHODCALLTYPE d3d12_command_list_SetPipelineState(ID3D12GraphicsCommandList8 *iface,
                                                                  ID3D12PipelineState *state)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, "SetPipelineState");
    if (list != NULL)
        set_pipeline(list, state);
}

static void STDMETHODCALLTYPE d3d12_command_list_SetComputeRootSignature(
    ID3D12GraphicsCommandList8 *iface, ID3D12RootSignature *signature_iface)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, "SetComputeRootSignature");
    const struct d3d12_root_signature *signature = d3d12_root_signature_from(signature_iface);
    if (list == NULL)
        return;
    list->has_signature = signature != NULL;
    if (signature != NULL)
        list->layout = signature->layout;
    memset(list->next.arguments, 0, sizeof list->next.arguments);
    memset(list->next.constants, 0, sizeof list->next.constants);
    list->next.descriptors = 0;
}

/* ---- root arguments: parameters 0 and 1 are the kernel's buffers, 2 its constants [emu.h] ---- */

static bool check_root(struct d3d12_command_list *list, UINT index, D3D12_ROOT_PARAMETER_TYPE type,
                       const char *method)
{
    if (list->has_signature && index < list->layout.count &&
        list->layout.parameters[index].type == type)
        return true;
    fail(list, EMU_MESSAGE_INVALID_ARGUMENT,
         "ID3D12GraphicsCommandList::%s: the root signature has no such parameter %u", method,
         index);
    return false;
}

static void set_argument(struct d3d12_command_list *list, UINT index, uint64_t address,
                         bool is_descriptor)
{
    if (index >= 2)
        return;
    list->next.arguments[index] = address;
    list->next.descriptors &= ~(1u << index);
    list->next.descriptors |= (uint32_t)is_descriptor << index;
}

static void set_root_address(ID3D12GraphicsCommandList8 *iface, UINT index,
                             D3D12_ROOT_PARAMETER_TYPE type, D3D12_GPU_VIRTUAL_ADDRESS address,
                             const char *method)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, method);
    if (list == NULL || !check_root(list, index, type, method))
        return;
    set_argument(list, index, address, false);
}

#define ROOT_ADDRESS_METHOD(View, type)                                                            \
    static void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot##View(                         \
        ID3D12GraphicsCommandList8 *iface, UINT index, D3D12_GPU_VIRTUAL_ADDRESS address)          \
    {                                                                                              \
        set_root_address(iface, index, D3D12_ROOT_PARAMETER_TYPE_##type, address,                  \
                         "SetComputeRoot" #View);                                                  \
    }

ROOT_ADDRESS_METHOD(ConstantBufferView, CBV)
ROOT_ADDRESS_METHOD(ShaderResourceView, SRV)
ROOT_ADDRESS_METHOD(UnorderedAccessView, UAV)

/* At most one heap of each kind that shaders see; those that were set before are not any more. */
static void STDMETHODCALLTYPE d3d12_command_list_SetDescriptorHeaps(
    ID3D12GraphicsCommandList8 *iface, UINT count, ID3D12DescriptorHeap *const *heaps)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, "SetDescriptorHeaps");
    struct d3d12_descriptor_heap *set[2] = {NULL, NULL};
    if (list == NULL)
        return;
    for (UINT i = 0; i < count; i++) {
        struct d3d12_descriptor_heap *heap =
            heaps != NULL ? d3d12_descriptor_heap_from(heaps[i]) : NULL;
        if (heap == NULL || heap->child.device != list->child.device || heap->memory.address == 0 ||
            set[heap->desc.Type] != NULL) {
            fail(list, D3D12_MESSAGE_ID_SET_DESCRIPTOR_HEAP_INVALID,
                 "ID3D12GraphicsCommandList::SetDescriptorHeaps: heap %u is not shader visible or "
                 "the second of its type",
                 i);
            return;
        }
        set[heap->desc.Type] = heap;
    }
    memcpy(list->heaps, set, sizeof set);
}

/* The kernels' buffers are the tables' first descriptors. */
static void STDMETHODCALLTYPE d3d12_command_list_SetComputeRootDescriptorTable(
    ID3D12GraphicsCommandList8 *iface, UINT index, D3D12_GPU_DESCRIPTOR_HANDLE handle)
{
    static const char method[] = "SetComputeRootDescriptorTable";
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, method);
    UINT first;
    if (list == NULL ||
        !check_root(list, index, D3D12_ROOT_PARAMETER_TYPE_DESCRIPTOR_TABLE, method))
        return;
    struct d3d12_descriptor_heap *heap =
        d3d12_descriptor_heap_find_gpu(list->child.device, handle, &first);
    if (heap == NULL || (heap != list->heaps[0] && heap != list->heaps[1])) {
        fail(list, D3D12_MESSAGE_ID_SET_DESCRIPTOR_TABLE_INVALID,
             "ID3D12GraphicsCommandList::%s: the handle is of no heap that is set", method);
        return;
    }
    set_argument(list, index, heap->memory.address + (uint64_t)first * DESCRIPTOR_SIZE, true);
}

static void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot32BitConstants(
    ID3D12GraphicsCommandList8 *iface, UINT index, UINT count, const void *values, UINT first)
{
    static const char method[] = "SetComputeRoot32BitConstants";
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, method);
    if (list == NULL || !check_root(list, index, D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS, method))
        return;
    const UINT size = list->layout.parameters[index].constants;
    if (first > size || count > size - first || (values == NULL && count != 0)) {
        fail(list, EMU_MESSAGE_INVALID_ARGUMENT,
             "ID3D12GraphicsCommandList::%s: past the end of parameter %u", method, index);
        return;
    }
    const UINT kept = sizeof list->next.constants / sizeof list->next.constants[0];
    for (UINT i = 0; i < count && index == 2 && first + i < kept; i++)
        memcpy(&list->next.constants[first + i], (const char *)values + (size_t)i * 4, 4);
}

static void STDMETHODCALLTYPE d3d12_command_list_SetComputeRoot32BitConstant(
    ID3D12GraphicsCommandList8 *iface, UINT index, UINT value, UINT first)
{
    d3d12_command_list_SetComputeRoot32BitConstants(iface, index, 1, &value, first);
}

/* ---- work ---- */

static void STDMETHODCALLTYPE d3d12_command_list_Dispatch(ID3D12GraphicsCommandList8 *iface, UINT x,
                                                          UINT y, UINT z)
{
    struct d3d12_command_list *list = recorder(iface, ON_COMPUTE, "Dispatch");
    if (list == NULL)
        return;
    if (!list->has_signature || list->next.kernel == 0) {
        d3d12_device_error(list->child.device,
                           D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_NOT_SET,
                           "ID3D12GraphicsCommandList::Dispatch: no root signature or no compute "
                           "pipeline state is set; nothing is dispatched");
        return;
    }
    list->next.groups[0] = x;
    list->next.groups[1] = y;
    list->next.groups[2] = z;
    list->child.device->driver->cmd_dispatch(list->driver, &list->next);
}

/* The buffer behind `iface`, when `size` bytes at `offset` are in it. */
static const struct d3d12_resource *check_range(struct d3d12_command_list *list,
                                                ID3D12Resource *iface, UINT64 offset, UINT64 size,
                                                D3D12_MESSAGE_ID id, const char *what)
{
    const struct d3d12_resource *resource = d3d12_resource_from(iface);
    if (resource != NULL && resource->child.device == list->child.device &&
        resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER &&
        offset <= resource->desc.Width && size <= resource->desc.Width - offset)
        return resource;
    fail(list, id, "ID3D12GraphicsCommandList::CopyBufferRegion: %s", what);
    return NULL;
}

static void STDMETHODCALLTYPE d3d12_command_list_CopyBufferRegion(ID3D12GraphicsCommandList8 *iface,
                                                                  ID3D12Resource *dst_iface,
                                                                  UINT64 dst_offset,
                                                                  ID3D12Resource *src_iface,
                                                                  UINT64 src_offset, UINT64 size)
{
    struct d3d12_command_list *list = recorder(iface, ON_COPYING, "CopyBufferRegion");
    if (list == NULL)
        return;
    const struct d3d12_resource *dst =
        check_range(list, dst_iface, dst_offset, size,
                    D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS,
                    "no destination, or the range is not in it");
    const struct d3d12_resource *src =
        check_range(list, src_iface, src_offset, size,
                    D3D12_MESSAGE_ID_COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS,
                    "no source, or the range is not in it");
    if (dst != NULL && src != NULL && size != 0)
        list->child.device->driver->cmd_copy(list->driver, dst->address + dst_offset,
                                             src->address + src_offset, size);
}

/* Formats that differ in how they read the same bits count as different here. */
static bool is_same_shape(const D3D12_RESOURCE_DESC *a, const D3D12_RESOURCE_DESC *b)
{
    return a->Dimension == b->Dimension && a->Width == b->Width && a->Height == b->Height &&
           a->DepthOrArraySize == b->DepthOrArraySize && a->MipLevels == b->MipLevels &&
           a->Format == b->Format && a->SampleDesc.Count == b->SampleDesc.Count;
}

/* One side of CopyTextureRegion. */
struct side {
    struct texture_part part;
    uint64_t address; /* of the part's first byte */
    const struct d3d12_resource *resource;
    UINT index; /* of a subresource */
};

/* What the buffer holds at the footprint, as if it were a subresource; false when it is none or not all in there. */
static bool find_placed(const struct d3d12_resource *buffer,
                        const D3D12_PLACED_SUBRESOURCE_FOOTPRINT *placed, struct side *out)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *size = &placed->Footprint;
    struct format format;
    if (buffer->desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER ||
        !format_find(size->Format, &format) || format.planes != 1 || size->Width == 0 ||
        size->Height == 0 || size->Depth == 0 || size->Width % format.plane[0].width != 0 ||
        size->Height % format.plane[0].height != 0 ||
        placed->Offset % D3D12_TEXTURE_DATA_PLACEMENT_ALIGNMENT != 0 ||
        size->RowPitch % D3D12_TEXTURE_DATA_PITCH_ALIGNMENT != 0)
        return false;
    struct texture_part *part = &out->part;
    part->footprint = *placed;
    part->plane = format.plane[0];
    part->width = size->Width;
    part->height = size->Height;
    part->depth = size->Depth;
    part->rows = size->Height / part->plane.height;
    part->row_size = (UINT64)(size->Width / part->plane.width) * part->plane.bytes;
    part->size = ((UINT64)part->rows * part->depth - 1) * size->RowPitch + part->row_size;
    out->address = buffer->address + placed->Offset;
    return part->row_size <= size->RowPitch && placed->Offset <= buffer->size &&
           part->size <= buffer->size - placed->Offset;
}

static bool find_side(const struct d3d12_command_list *list,
                      const D3D12_TEXTURE_COPY_LOCATION *location, struct side *out)
{
    out->resource = location != NULL ? d3d12_resource_from(location->pResource) : NULL;
    if (out->resource == NULL || out->resource->child.device != list->child.device)
        return false;
    if (location->Type == D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT) {
        out->index = UINT32_MAX;
        return find_placed(out->resource, &location->PlacedFootprint, out);
    }
    out->index = location->SubresourceIndex;
    if (location->Type != D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX ||
        out->resource->desc.Dimension == D3D12_RESOURCE_DIMENSION_BUFFER ||
        out->resource->desc.SampleDesc.Count != 1 ||
        out->index >= d3d12_resource_parts(out->resource))
        return false;
    texture_part_find(&out->resource->desc, out->index, &out->part);
    out->address = out->resource->address + out->part.footprint.Offset;
    return true;
}

/* The place of a box of the source's blocks in the destination; false when it isn't whole blocks in there. */
static bool find_target(const struct side *dst, const D3D12_BOX *box, UINT x, UINT y, UINT z)
{
    const D3D12_SUBRESOURCE_FOOTPRINT *room = &dst->part.footprint.Footprint;
    return x % dst->part.plane.width == 0 && y % dst->part.plane.height == 0 && x <= room->Width &&
           y <= room->Height && z <= room->Depth && box->right - box->left <= room->Width - x &&
           box->bottom - box->top <= room->Height - y && box->back - box->front <= room->Depth - z;
}

static void copy_box(struct d3d12_command_list *list, const struct side *dst, UINT x, UINT y,
                     UINT z, const struct side *src, const D3D12_BOX *box)
{
    const struct format_plane *plane = &src->part.plane;
    const uint64_t size = (uint64_t)(box->right - box->left) / plane->width * plane->bytes;
    for (UINT k = 0; k < box->back - box->front; k++)
        for (UINT j = 0; j < box->bottom - box->top; j += plane->height)
            list->child.device->driver->cmd_copy(
                list->driver, dst->address + texture_part_offset(&dst->part, x, y + j, z + k),
                src->address +
                    texture_part_offset(&src->part, box->left, box->top + j, box->front + k),
                size);
}

static void STDMETHODCALLTYPE d3d12_command_list_CopyTextureRegion(
    ID3D12GraphicsCommandList8 *iface, const D3D12_TEXTURE_COPY_LOCATION *dst_location, UINT x,
    UINT y, UINT z, const D3D12_TEXTURE_COPY_LOCATION *src_location, const D3D12_BOX *src_box)
{
    struct d3d12_command_list *list = recorder(iface, ON_COPYING, "CopyTextureRegion");
    struct side dst, src;
    D3D12_BOX box;
    int id = 0;
    if (list == NULL)
        return;
    if (!find_side(list, dst_location, &dst))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDDSTRESOURCE;
    else if (!find_side(list, src_location, &src))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE;
    else if (dst.part.plane.bytes != src.part.plane.bytes ||
             dst.part.plane.width != src.part.plane.width)
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_FORMATMISMATCH;
    else if (!texture_part_box(&src.part, src_box, &box))
        id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX;
    else if (dst.resource == src.resource && dst.index == src.index && dst.index != UINT32_MAX)
        id = D3D12_MESSAGE_ID_COPY_ON_SAME_SUBRESOURCE;
    else if (box.left < box.right && box.top < box.bottom && box.front < box.back) {
        if (find_target(&dst, &box, x, y, z))
            copy_box(list, &dst, x, y, z, &src, &box);
        else
            id = D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS;
    }
    if (id != 0)
        fail(list, id,
             "ID3D12GraphicsCommandList::CopyTextureRegion: not two places for the same texels");
}

static void STDMETHODCALLTYPE d3d12_command_list_CopyResource(ID3D12GraphicsCommandList8 *iface,
                                                              ID3D12Resource *dst_iface,
                                                              ID3D12Resource *src_iface)
{
    struct d3d12_command_list *list = recorder(iface, ON_COPYING, "CopyResource");
    const struct d3d12_resource *dst = d3d12_resource_from(dst_iface);
    const struct d3d12_resource *src = d3d12_resource_from(src_iface);
    if (list == NULL)
        return;
    if (dst == NULL || src == NULL || dst == src || dst->child.device != list->child.device ||
        src->child.device != list->child.device || !is_same_shape(&dst->desc, &src->desc)) {
        fail(list, D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
             "ID3D12GraphicsCommandList::CopyResource: not two resources of one size and format");
        return;
    }
    list->child.device->driver->cmd_copy(list->driver, dst->address, src->address, dst->size);
}

/* ---- queries ---- */

static struct d3d12_query_heap *check_queries(struct d3d12_command_list *list,
                                              ID3D12QueryHeap *iface, D3D12_QUERY_TYPE type,
                                              UINT first, UINT count, int id, const char *method)
{
    struct d3d12_query_heap *heap = d3d12_query_heap_from(iface);
    if (heap != NULL && heap->child.device == list->child.device &&
        d3d12_query_heap_has(heap, type, first, count, list->type == D3D12_COMMAND_LIST_TYPE_COPY))
        return heap;
    fail(list, id, "ID3D12GraphicsCommandList::%s: the heap has no such query", method);
    return NULL;
}

static void STDMETHODCALLTYPE d3d12_command_list_BeginQuery(ID3D12GraphicsCommandList8 *iface,
                                                            ID3D12QueryHeap *heap,
                                                            D3D12_QUERY_TYPE type, UINT index)
{
    struct d3d12_command_list *list = recorder(iface, ON(DIRECT) | ON(BUNDLE), "BeginQuery");
    const int id = D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS;
    if (list == NULL)
        return;
    if (type == D3D12_QUERY_TYPE_TIMESTAMP)
        fail(list, id, "ID3D12GraphicsCommandList::BeginQuery: a timestamp has an end only");
    else
        check_queries(list, heap, type, index, 1, id, "BeginQuery");
}

static void STDMETHODCALLTYPE d3d12_command_list_EndQuery(ID3D12GraphicsCommandList8 *iface,
                                                          ID3D12QueryHeap *heap_iface,
                                                          D3D12_QUERY_TYPE type, UINT index)
{
    struct d3d12_command_list *list = recorder(iface, ON_COPYING | ON(BUNDLE), "EndQuery");
    const struct d3d12_query_heap *heap =
        list == NULL
            ? NULL
            : check_queries(list, heap_iface, type, index, 1,
                            D3D12_MESSAGE_ID_BEGIN_END_QUERY_INVALID_PARAMETERS, "EndQuery");
    if (heap != NULL && type == D3D12_QUERY_TYPE_TIMESTAMP)
        list->child.device->driver->cmd_timestamp(list->driver, heap->memory.address +
                                                                    (UINT64)index * sizeof(UINT64));
}

static void STDMETHODCALLTYPE d3d12_command_list_ResolveQueryData(
    ID3D12GraphicsCommandList8 *iface, ID3D12QueryHeap *heap_iface, D3D12_QUERY_TYPE type,
    UINT first, UINT count, ID3D12Resource *dst_iface, UINT64 dst_offset)
{
    static const char method[] = "ResolveQueryData";
    const int id = D3D12_MESSAGE_ID_RESOLVE_QUERY_DATA_INVALID_PARAMETERS;
    struct d3d12_command_list *list = recorder(iface, ON_COPYING, method);
    const struct d3d12_resource *dst = d3d12_resource_from(dst_iface);
    const struct d3d12_query_heap *heap =
        list == NULL ? NULL : check_queries(list, heap_iface, type, first, count, id, method);
    if (heap == NULL)
        return;
    const UINT64 stride = d3d12_query_heap_stride(heap), size = count * stride;
    if (dst == NULL || dst->child.device != list->child.device || dst_offset % 8 != 0 ||
        dst->desc.Dimension != D3D12_RESOURCE_DIMENSION_BUFFER || dst_offset > dst->size ||
        size > dst->size - dst_offset)
        fail(list, id,
             "ID3D12GraphicsCommandList::%s: no room in a buffer at a multiple of 8 bytes", method);
    else if (count != 0)
        list->child.device->driver->cmd_copy(list->driver, dst->address + dst_offset,
                                             heap->memory.address + first * stride, size);
}

void d3d12_command_list_write_immediate(struct d3d12_command_list *list, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    if (recorder(&list->iface, ON_ANY, "WriteBufferImmediate") == NULL)
        return;
    for (UINT i = 0; i < count; i++) {
        const D3D12_WRITEBUFFERIMMEDIATE_MODE mode =
            modes != NULL ? modes[i] : D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT;
        if (parameters == NULL || parameters[i].Dest % 4 != 0 ||
            mode > D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT) {
            fail(list, D3D12_MESSAGE_ID_WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT,
                 "%s::WriteBufferImmediate: bad parameter %u", interface_name(list), i);
            return;
        }
        list->child.device->driver->cmd_write_immediate(list->driver, parameters[i].Dest,
                                                        parameters[i].Value, (uint32_t)mode);
    }
}

static void STDMETHODCALLTYPE
d3d12_command_list_WriteBufferImmediate(ID3D12GraphicsCommandList8 *iface, UINT count,
                                        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER *parameters,
                                        const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes)
{
    d3d12_command_list_write_immediate(impl_from_ID3D12GraphicsCommandList8(iface), count,
                                       parameters, modes);
}

void d3d12_command_list_barrier(struct d3d12_command_list *list, UINT count, const void *barriers,
                                const char *method)
{
    if (recorder(&list->iface, ON_COPYING | ON_VIDEO, method) == NULL)
        return;
    if (count != 0 && barriers == NULL)
        fail(list, EMU_MESSAGE_INVALID_ARGUMENT, "%s::%s: no barriers", interface_name(list),
             method);
    else if (count != 0)
        list->child.device->driver->cmd_barrier(list->driver);
}

static void STDMETHODCALLTYPE d3d12_command_list_ResourceBarrier(
    ID3D12GraphicsCommandList8 *iface, UINT count, const D3D12_RESOURCE_BARRIER *barriers)
{
    d3d12_command_list_barrier(impl_from_ID3D12GraphicsCommandList8(iface), count, barriers,
                               "ResourceBarrier");
}

static void STDMETHODCALLTYPE d3d12_command_list_Barrier(ID3D12GraphicsCommandList8 *iface,
                                                         UINT32 count,
                                                         const D3D12_BARRIER_GROUP *groups)
{
    d3d12_command_list_barrier(impl_from_ID3D12GraphicsCommandList8(iface), count, groups,
                               "Barrier");
}

/* A bundle starts without state here; D3D12 lets it inherit the root signature and arguments of its caller. */
static void STDMETHODCALLTYPE d3d12_command_list_ExecuteBundle(
    ID3D12GraphicsCommandList8 *iface, ID3D12GraphicsCommandList *bundle_iface)
{
    struct d3d12_command_list *list = recorder(iface, ON(DIRECT), "ExecuteBundle");
    const struct d3d12_command_list *bundle =
        d3d12_command_list_from((ID3D12CommandList *)bundle_iface);
    if (list == NULL)
        return;
    if (bundle == NULL || bundle->type != D3D12_COMMAND_LIST_TYPE_BUNDLE ||
        bundle->child.device != list->child.device) {
        fail(list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_TYPE,
             "ID3D12GraphicsCommandList::ExecuteBundle: not a bundle of this device");
        return;
    }
    if (bundle->state != COMMAND_LIST_CLOSED) {
        fail(list, D3D12_MESSAGE_ID_EXECUTE_BUNDLE_OPEN_BUNDLE,
             "ID3D12GraphicsCommandList::ExecuteBundle: the bundle is not closed");
        return;
    }
    annot_context_execute_bundle(list->context, bundle->context);
    list->child.device->driver->cmd_execute_bundle(list->driver, bundle->driver);
}

#include "command_list_residual.h"

static CONST_VTBL ID3D12GraphicsCommandList8Vtbl d3d12_command_list_vtable = {
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
    allocator_usage_release(list->usage);
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
                                  D3D12_COMMAND_LIST_FLAGS flags,
                                  struct d3d12_command_allocator *allocator,
                                  ID3D12PipelineState *state, struct d3d12_command_list **out)
{
    struct d3d12_command_list *list = calloc(1, sizeof *list);
    if (list == NULL)
        return E_OUTOFMEMORY;
    HRESULT hr = E_OUTOFMEMORY;
    list->type = type;
    list->flags = flags;
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
        hr = open_list(list, allocator, state);
        if (FAILED(hr))
            goto err3;
    }
    *out = list;
    return S_OK;
err3:
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
