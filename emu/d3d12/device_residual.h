/* What the emulator does not model of ID3D12Device; included by device.c only. */
#include "residual.h"

#define RESIDUAL_NOUN      d3d12_device
#define RESIDUAL_INTERFACE ID3D12Device11
#define RESIDUAL_NAME      "ID3D12Device"
#define RESIDUAL_DEVICE    impl_from_ID3D12Device11(iface)

RESIDUAL_CREATE(CreateReservedResource, const D3D12_RESOURCE_DESC *desc,
                D3D12_RESOURCE_STATES initial_state, const D3D12_CLEAR_VALUE *optimized_clear_value)
RESIDUAL_FAIL(CreateSharedHandle, ID3D12DeviceChild *object, const SECURITY_ATTRIBUTES *attributes,
              DWORD access, LPCWSTR name, HANDLE *handle)
RESIDUAL_CREATE(OpenSharedHandle, HANDLE nthandle)
RESIDUAL_FAIL(OpenSharedHandleByName, LPCWSTR name, DWORD access, HANDLE *nthandle)
RESIDUAL_VOID(GetResourceTiling, ID3D12Resource *tiled_resource,
              UINT *num_tiles_for_entire_resource, D3D12_PACKED_MIP_INFO *packed_mip_desc,
              D3D12_TILE_SHAPE *standard_tile_shape_for_non_packed_mips,
              UINT *num_subresource_tilings, UINT first_subresource_tiling_to_get,
              D3D12_SUBRESOURCE_TILING *subresource_tilings_for_non_packed_mips)
RESIDUAL_FAIL(SetResidencyPriority, UINT num_objects, ID3D12Pageable *const *objects,
              const D3D12_RESIDENCY_PRIORITY *priorities)
RESIDUAL_CREATE(OpenExistingHeapFromAddress, const void *address)
RESIDUAL_CREATE(OpenExistingHeapFromFileMapping, HANDLE file_mapping)
RESIDUAL_FAIL(EnqueueMakeResident, D3D12_RESIDENCY_FLAGS flags, UINT num_objects,
              ID3D12Pageable *const *objects, ID3D12Fence *fence_to_signal,
              UINT64 fence_value_to_signal)
RESIDUAL_CREATE(CreateProtectedResourceSession, const D3D12_PROTECTED_RESOURCE_SESSION_DESC *desc)
RESIDUAL_CREATE(CreateReservedResource1, const D3D12_RESOURCE_DESC *desc,
                D3D12_RESOURCE_STATES initial_state, const D3D12_CLEAR_VALUE *optimized_clear_value,
                ID3D12ProtectedResourceSession *protected_session)
RESIDUAL_CREATE(CreateLifetimeTracker, ID3D12LifetimeOwner *owner)
RESIDUAL_VOID0(RemoveDevice)
RESIDUAL_FAIL(EnumerateMetaCommands, UINT *num_meta_commands, D3D12_META_COMMAND_DESC *descs)
RESIDUAL_FAIL(EnumerateMetaCommandParameters, REFGUID command_id,
              D3D12_META_COMMAND_PARAMETER_STAGE stage, UINT *total_structure_size_in_bytes,
              UINT *parameter_count, D3D12_META_COMMAND_PARAMETER_DESC *parameter_descs)
RESIDUAL_CREATE(CreateMetaCommand, REFGUID command_id, UINT node_mask,
                const void *creation_parameters_data, SIZE_T creation_parameters_data_size_in_bytes)
RESIDUAL_CREATE(CreateStateObject, const D3D12_STATE_OBJECT_DESC *desc)
RESIDUAL_VOID(GetRaytracingAccelerationStructurePrebuildInfo,
              const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *desc,
              D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO *info)
RESIDUAL_FAIL(SetBackgroundProcessingMode, D3D12_BACKGROUND_PROCESSING_MODE mode,
              D3D12_MEASUREMENTS_ACTION measurements_action, HANDLE event_to_signal_upon_completion,
              BOOL *further_measurements_desired)
RESIDUAL_CREATE(AddToStateObject, const D3D12_STATE_OBJECT_DESC *addition,
                ID3D12StateObject *state_object_to_grow_from)
RESIDUAL_CREATE(CreateProtectedResourceSession1, const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc)
RESIDUAL_CREATE(CreateCommittedResource2, const D3D12_HEAP_PROPERTIES *heap_properties,
                D3D12_HEAP_FLAGS heap_flags, const D3D12_RESOURCE_DESC1 *desc,
                D3D12_RESOURCE_STATES initial_resource_state,
                const D3D12_CLEAR_VALUE *optimized_clear_value,
                ID3D12ProtectedResourceSession *protected_session)
RESIDUAL_CREATE(CreatePlacedResource1, ID3D12Heap *heap, UINT64 heap_offset,
                const D3D12_RESOURCE_DESC1 *desc, D3D12_RESOURCE_STATES initial_state,
                const D3D12_CLEAR_VALUE *optimized_clear_value)
RESIDUAL_VOID(CreateSamplerFeedbackUnorderedAccessView, ID3D12Resource *targeted_resource,
              ID3D12Resource *feedback_resource, D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor)
RESIDUAL_VOID(GetCopyableFootprints1, const D3D12_RESOURCE_DESC1 *resource_desc,
              UINT first_subresource, UINT num_subresources, UINT64 base_offset,
              D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *num_rows,
              UINT64 *row_size_in_bytes, UINT64 *total_bytes)
RESIDUAL_CREATE(CreateShaderCacheSession, const D3D12_SHADER_CACHE_SESSION_DESC *desc)
RESIDUAL_FAIL(ShaderCacheControl, D3D12_SHADER_CACHE_KIND_FLAGS kinds,
              D3D12_SHADER_CACHE_CONTROL_FLAGS control)
RESIDUAL_CREATE(CreateCommittedResource3, const D3D12_HEAP_PROPERTIES *heap_properties,
                D3D12_HEAP_FLAGS heap_flags, const D3D12_RESOURCE_DESC1 *desc,
                D3D12_BARRIER_LAYOUT initial_layout, const D3D12_CLEAR_VALUE *optimized_clear_value,
                ID3D12ProtectedResourceSession *protected_session, UINT32 num_castable_formats,
                DXGI_FORMAT *castable_formats)
RESIDUAL_CREATE(CreatePlacedResource2, ID3D12Heap *heap, UINT64 heap_offset,
                const D3D12_RESOURCE_DESC1 *desc, D3D12_BARRIER_LAYOUT initial_layout,
                const D3D12_CLEAR_VALUE *optimized_clear_value, UINT32 num_castable_formats,
                DXGI_FORMAT *castable_formats)
RESIDUAL_CREATE(CreateReservedResource2, const D3D12_RESOURCE_DESC *desc,
                D3D12_BARRIER_LAYOUT initial_layout, const D3D12_CLEAR_VALUE *optimized_clear_value,
                ID3D12ProtectedResourceSession *protected_session, UINT32 num_castable_formats,
                DXGI_FORMAT *castable_formats)
RESIDUAL_VOID(CreateSampler2, const D3D12_SAMPLER_DESC2 *desc,
              D3D12_CPU_DESCRIPTOR_HANDLE dest_descriptor)
