/* Methods of ID3D12GraphicsCommandList that the emulator does not model; included by
 * command_list_table.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_command_list
#define STUB_INTERFACE list_iface
#define STUB_NAME      "ID3D12GraphicsCommandList"
#define STUB_DEVICE    impl_from_list_iface(iface)->child.device

#define ATOMIC_COPY                                                                                \
    ID3D12Resource *dst, UINT64 dst_offset, ID3D12Resource *src, UINT64 src_offset, UINT count,    \
        ID3D12Resource *const *resources, const D3D12_SUBRESOURCE_RANGE_UINT64 *ranges
STUB_VOID(AtomicCopyBufferUINT, ATOMIC_COPY)
STUB_VOID(AtomicCopyBufferUINT64, ATOMIC_COPY)
STUB_VOID(InitializeMetaCommand, ID3D12MetaCommand *meta_command,
          const void *initialization_parameters_data,
          SIZE_T initialization_parameters_data_size_in_bytes)
STUB_VOID(ExecuteMetaCommand, ID3D12MetaCommand *meta_command,
          const void *execution_parameters_data, SIZE_T execution_parameters_data_size_in_bytes)
STUB_VOID(BuildRaytracingAccelerationStructure,
          const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_DESC *desc,
          UINT num_postbuild_info_descs,
          const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *postbuild_info_descs)
STUB_VOID(EmitRaytracingAccelerationStructurePostbuildInfo,
          const D3D12_RAYTRACING_ACCELERATION_STRUCTURE_POSTBUILD_INFO_DESC *desc,
          UINT num_source_acceleration_structures,
          const D3D12_GPU_VIRTUAL_ADDRESS *source_acceleration_structure_data)
STUB_VOID(CopyRaytracingAccelerationStructure,
          D3D12_GPU_VIRTUAL_ADDRESS dest_acceleration_structure_data,
          D3D12_GPU_VIRTUAL_ADDRESS source_acceleration_structure_data,
          D3D12_RAYTRACING_ACCELERATION_STRUCTURE_COPY_MODE mode)
STUB_VOID(SetPipelineState1, ID3D12StateObject *state)
STUB_VOID(DispatchRays, const D3D12_DISPATCH_RAYS_DESC *desc)
STUB_VOID(DispatchMesh, UINT x, UINT y, UINT z)
STUB_VOID(CopyTiles, ID3D12Resource *tiled, const D3D12_TILED_RESOURCE_COORDINATE *start,
          const D3D12_TILE_REGION_SIZE *size, ID3D12Resource *buffer, UINT64 offset,
          D3D12_TILE_COPY_FLAGS flags)
