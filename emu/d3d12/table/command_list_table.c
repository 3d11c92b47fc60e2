/* The tables of command lists by type, and ID3D12Device::CreateCommandList. */
#include "device/device_methods.h"
#include "video/video_list.h"

D3D12_CHILD_METHODS(d3d12_command_list, list_iface)

#define STUB_NOUN      d3d12_command_list
#define STUB_INTERFACE list_iface
#define STUB_NAME      "ID3D12GraphicsCommandList"
#define STUB_DEVICE    impl_from_list_iface(iface)->child.device
#define ATOMIC_COPY                                                                                \
    ID3D12Resource *dst, UINT64 dst_offset, ID3D12Resource *src, UINT64 src_offset, UINT count,    \
        ID3D12Resource *const *resources, const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges
#define LIST_STUBS(S)                                                                              \
    S(VOID, AtomicCopyBufferUINT, ATOMIC_COPY)                                                     \
    S(VOID, AtomicCopyBufferUINT64, ATOMIC_COPY)                                                   \
    S(VOID, InitializeMetaCommand, ID3D12MetaCommand *meta_command,                                \
      const void *initialization_parameters_data,                                                  \
      SIZE_T initialization_parameters_data_size_in_bytes)                                         \
    S(VOID, ExecuteMetaCommand, ID3D12MetaCommand *meta_command,                                   \
      const void *execution_parameters_data, SIZE_T execution_parameters_data_size_in_bytes)       \
    S(VOID, BuildRaytracingAccelerationStructure,                                                  \
      const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC *desc,                              \
      UINT num_postbuild_info_descs,                                                               \
      const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *postbuild_info_descs)     \
    S(VOID, EmitRaytracingAccelerationStructurePostbuildInfo,                                      \
      const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *desc,                     \
      UINT num_source_acceleration_structures,                                                     \
      const D3D12_GPU_VIRTUAL_ADDRESS *source_acceleration_structure_data)                         \
    S(VOID, CopyRaytracingAccelerationStructure,                                                   \
      D3D12_GPU_VIRTUAL_ADDRESS dest_acceleration_structure_data,                                  \
      D3D12_GPU_VIRTUAL_ADDRESS source_acceleration_structure_data,                                \
      D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE mode)                                      \
    S(VOID, SetPipelineState1, ID3D12StateObject *state)                                           \
    S(VOID, DispatchRays, const D3D12_DISPATCH_RAYS_DESC *desc)                                    \
    S(VOID, DispatchMesh, UINT x, UINT y, UINT z)                                                  \
    S(VOID, CopyTiles, ID3D12Resource *tiled, const D3D12_TILED_RESOURCE_COORDINATE *start,        \
      const D3D12_TILE_REGION_SIZE *size, ID3D12Resource *buffer, UINT64 offset,                   \
      D3D12_TILE_COPY_FLAGS flags)
LIST_STUBS(STUB)

#define COMMAND_LIST_ENTRY(method) .method = d3d12_command_list_##method,

/* clang-format off */
static CONST_VTBL list_vtbl d3d12_command_list_vtable = {
    .older = {
    D3D12_CHILD_ENTRIES(d3d12_command_list),
    COMMAND_LIST_METHODS(COMMAND_LIST_ENTRY) LIST_STUBS(STUB_ENTRY)
    },
    COMMAND_LIST_NEWER_METHODS(COMMAND_LIST_ENTRY)
};
/* clang-format on */

#define LIST_CLASS(table, ...)                                                                     \
    .kind = D3D12DDI_HT_COMMAND_LIST,                                                              \
    .iids = (const IID *const[]){&IID_ID3D12CommandList, __VA_ARGS__, NULL}, .methods = &(table),  \
    .abandon = d3d12_command_list_abandon, .destroy = d3d12_command_list_destroy
static const struct d3d12_child_class graphics_class = {
    LIST_CLASS(d3d12_command_list_vtable, LIST_IIDS)};
static const struct d3d12_child_class decode_class = {
    LIST_CLASS(d3d12_video_decode_list_vtable, &IID_ID3D12VideoDecodeCommandList,
               &IID_ID3D12VideoDecodeCommandList1, &IID_ID3D12VideoDecodeCommandList2,
               &IID_ID3D12VideoDecodeCommandList3)};
static const struct d3d12_child_class process_class = {
    LIST_CLASS(d3d12_video_process_list_vtable, &IID_ID3D12VideoProcessCommandList,
               &IID_ID3D12VideoProcessCommandList1, &IID_ID3D12VideoProcessCommandList2,
               &IID_ID3D12VideoProcessCommandList3)};
static const struct d3d12_child_class encode_class = {
    LIST_CLASS(d3d12_video_encode_list_vtable, &IID_ID3D12VideoEncodeCommandList,
               &IID_ID3D12VideoEncodeCommandList1, &IID_ID3D12VideoEncodeCommandList2,
               &IID_ID3D12VideoEncodeCommandList3)};

static const struct d3d12_child_class *class_of(D3D12_COMMAND_LIST_TYPE type)
{
    return type == D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE    ? &decode_class
           : type == D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS ? &process_class
           : type == D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE  ? &encode_class
                                                           : &graphics_class;
}

/* Makes a list; the type is valid. `allocator` NULL: the list is closed. */
static HRESULT create(struct d3d12_device *device, D3D12_COMMAND_LIST_TYPE type,
                      struct d3d12_command_allocator *allocator, ID3D12PipelineState *state,
                      const IID *riid, void **out)
{
    struct d3d12_command_list *list;
    const HRESULT hr =
        d3d12_command_list_create(device, type, class_of(type), allocator, state, &list);
    if (FAILED(hr))
        return hr;
    return d3d12_child_give(&list->child, riid, out);
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandList(device_iface *iface, UINT node_mask,
                                                         D3D12_COMMAND_LIST_TYPE type,
                                                         ID3D12CommandAllocator *allocator_iface,
                                                         ID3D12PipelineState *state, REFIID riid,
                                                         void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    struct d3d12_command_allocator *allocator = d3d12_command_allocator_from(allocator_iface);
    const HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (node_mask > 1 || !d3d12_command_allocator_has_type(type) || !allocator ||
        allocator->child.device != device)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12Device::CreateCommandList: nodeMask or type is out of "
                                    "range, or pCommandAllocator is not of this device");
    if (allocator->type != type)
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_WRONG_COMMAND_ALLOCATOR_TYPE,
            "ID3D12Device::CreateCommandList: the command allocator must have the list's type");
    return create(device, type, allocator, state, riid, out);
}

HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommandList1(device_iface *iface, UINT node_mask,
                                                          D3D12_COMMAND_LIST_TYPE type,
                                                          D3D12_COMMAND_LIST_FLAGS flags,
                                                          REFIID riid, void **out)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const HRESULT hr = d3d12_device_begin_creation(device, out);
    if (FAILED(hr))
        return hr;
    if (node_mask > 1 || !d3d12_command_allocator_has_type(type) ||
        flags != D3D12_COMMAND_LIST_FLAG_NONE)
        return d3d12_device_invalid(
            device, EMU_MESSAGE_INVALID_ARGUMENT,
            "ID3D12Device4::CreateCommandList1: nodeMask, type or flags is out of range");
    return create(device, type, NULL, NULL, riid, out);
}
