/* What the emulator does not model of ID3D12GraphicsCommandList; included by command_list.c only. */
#include "residual.h"

#define RESIDUAL_NOUN      d3d12_command_list
#define RESIDUAL_INTERFACE ID3D12GraphicsCommandList8
#define RESIDUAL_NAME      "ID3D12GraphicsCommandList"
#define RESIDUAL_DEVICE    impl_from_ID3D12GraphicsCommandList8(iface)->child.device

RESIDUAL_VOID(ResolveSubresource, ID3D12Resource *dst_resource, UINT dst_subresource,
              ID3D12Resource *src_resource, UINT src_subresource, DXGI_FORMAT format)
RESIDUAL_VOID(ClearDepthStencilView, D3D12_CPU_DESCRIPTOR_HANDLE depth_stencil_view,
              D3D12_CLEAR_FLAGS clear_flags, FLOAT depth, UINT8 stencil, UINT num_rects,
              const D3D12_RECT *rects)
RESIDUAL_VOID(ClearRenderTargetView, D3D12_CPU_DESCRIPTOR_HANDLE render_target_view,
              const FLOAT color_rgba[4], UINT num_rects, const D3D12_RECT *rects)
RESIDUAL_VOID(ClearUnorderedAccessViewUint,
              D3D12_GPU_DESCRIPTOR_HANDLE view_gpuhandle_in_current_heap,
              D3D12_CPU_DESCRIPTOR_HANDLE view_cpuhandle, ID3D12Resource *resource,
              const UINT values[4], UINT num_rects, const D3D12_RECT *rects)
RESIDUAL_VOID(ClearUnorderedAccessViewFloat,
              D3D12_GPU_DESCRIPTOR_HANDLE view_gpuhandle_in_current_heap,
              D3D12_CPU_DESCRIPTOR_HANDLE view_cpuhandle, ID3D12Resource *resource,
              const FLOAT values[4], UINT num_rects, const D3D12_RECT *rects)
RESIDUAL_VOID(AtomicCopyBufferUINT, ID3D12Resource *dst_buffer, UINT64 dst_offset,
              ID3D12Resource *src_buffer, UINT64 src_offset, UINT dependencies,
              ID3D12Resource *const *dependent_resources,
              const D3D12_SUBRESOURCE_RANGE_UINT64 *dependent_subresource_ranges)
RESIDUAL_VOID(AtomicCopyBufferUINT64, ID3D12Resource *dst_buffer, UINT64 dst_offset,
              ID3D12Resource *src_buffer, UINT64 src_offset, UINT dependencies,
              ID3D12Resource *const *dependent_resources,
              const D3D12_SUBRESOURCE_RANGE_UINT64 *dependent_subresource_ranges)
RESIDUAL_VOID(ResolveSubresourceRegion, ID3D12Resource *dst_resource, UINT dst_subresource,
              UINT dst_x, UINT dst_y, ID3D12Resource *src_resource, UINT src_subresource,
              D3D12_RECT *src_rect, DXGI_FORMAT format, D3D12_RESOLVE_MODE resolve_mode)
RESIDUAL_VOID(SetProtectedResourceSession,
              ID3D12ProtectedResourceSession *protected_resource_session)
RESIDUAL_VOID(BeginRenderPass, UINT num_render_targets,
              const D3D12_RENDER_PASS_RENDER_TARGET_DESC *render_targets,
              const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *depth_stencil,
              D3D12_RENDER_PASS_FLAGS flags)
RESIDUAL_VOID0(EndRenderPass)
RESIDUAL_VOID(InitializeMetaCommand, ID3D12MetaCommand *meta_command,
              const void *initialization_parameters_data,
              SIZE_T initialization_parameters_data_size_in_bytes)
RESIDUAL_VOID(ExecuteMetaCommand, ID3D12MetaCommand *meta_command,
              const void *execution_parameters_data, SIZE_T execution_parameters_data_size_in_bytes)
RESIDUAL_VOID(
    BuildRaytracingAccelerationStructure,
    const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC *desc, UINT num_postbuild_info_descs,
    const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *postbuild_info_descs)
RESIDUAL_VOID(EmitRaytracingAccelerationStructurePostbuildInfo,
              const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *desc,
              UINT num_source_acceleration_structures,
              const D3D12_GPU_VIRTUAL_ADDRESS *source_acceleration_structure_data)
RESIDUAL_VOID(CopyRaytracingAccelerationStructure,
              D3D12_GPU_VIRTUAL_ADDRESS dest_acceleration_structure_data,
              D3D12_GPU_VIRTUAL_ADDRESS source_acceleration_structure_data,
              D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE mode)
RESIDUAL_VOID(DispatchMesh, UINT thread_group_count_x, UINT thread_group_count_y,
              UINT thread_group_count_z)
