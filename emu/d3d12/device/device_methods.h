/* ID3D12Device's methods and the tables of the device's other interfaces, for
 * table/device_table.c. */
#ifndef D3D12_DEVICE_METHODS_H
#define D3D12_DEVICE_METHODS_H

#include "device/device.h"

/* Of the type that the table has. */
#define DEVICE_METHOD(method) __typeof__(*((device_vtbl *)NULL)->method) d3d12_device_##method

/* device/object.c */
DEVICE_METHOD(QueryInterface);
DEVICE_METHOD(AddRef);
DEVICE_METHOD(Release);
DEVICE_METHOD(GetPrivateData);
DEVICE_METHOD(SetPrivateData);
DEVICE_METHOD(SetPrivateDataInterface);
DEVICE_METHOD(SetName);
DEVICE_METHOD(GetNodeCount);
DEVICE_METHOD(CheckFeatureSupport);
DEVICE_METHOD(GetAdapterLuid);
DEVICE_METHOD(GetDeviceRemovedReason);
DEVICE_METHOD(SetStablePowerState);

/* table/command_queue_table.c */
DEVICE_METHOD(CreateCommandQueue);
DEVICE_METHOD(CreateCommandQueue1);

/* table/command_list_table.c */
DEVICE_METHOD(CreateCommandList);
DEVICE_METHOD(CreateCommandList1);

/* list/device_commands.c */
DEVICE_METHOD(CreateCommandAllocator);
DEVICE_METHOD(CreateCommandSignature);

/* sync/device_fences.c */
DEVICE_METHOD(CreateFence);
DEVICE_METHOD(SetEventOnMultipleFenceCompletion);

/* resource/device_resources.c */
DEVICE_METHOD(CreateHeap);
DEVICE_METHOD(CreateHeap1);
DEVICE_METHOD(OpenExistingHeapFromAddress);
DEVICE_METHOD(GetCustomHeapProperties);
DEVICE_METHOD(CreateCommittedResource);
DEVICE_METHOD(CreateCommittedResource1);
DEVICE_METHOD(CreateCommittedResource2);
DEVICE_METHOD(CreateCommittedResource3);
DEVICE_METHOD(CreatePlacedResource);
DEVICE_METHOD(CreatePlacedResource1);
DEVICE_METHOD(CreatePlacedResource2);
DEVICE_METHOD(CreateReservedResource);
DEVICE_METHOD(CreateReservedResource1);
DEVICE_METHOD(CreateReservedResource2);
DEVICE_METHOD(CreateQueryHeap);

/* resource/device_sharing.c */
DEVICE_METHOD(CreateSharedHandle);
DEVICE_METHOD(OpenSharedHandle);
DEVICE_METHOD(OpenSharedHandleByName);

/* table/residency.c */
DEVICE_METHOD(MakeResident);
DEVICE_METHOD(Evict);
DEVICE_METHOD(EnqueueMakeResident);
DEVICE_METHOD(SetResidencyPriority);

/* resource/device_sizes.c */
DEVICE_METHOD(GetResourceAllocationInfo);
DEVICE_METHOD(GetResourceAllocationInfo1);
DEVICE_METHOD(GetResourceAllocationInfo2);
DEVICE_METHOD(GetCopyableFootprints);
DEVICE_METHOD(GetCopyableFootprints1);

/* resource/device_tiling.c */
DEVICE_METHOD(GetResourceTiling);

/* view/device_views.c */
DEVICE_METHOD(CreateDescriptorHeap);
DEVICE_METHOD(GetDescriptorHandleIncrementSize);
DEVICE_METHOD(CreateConstantBufferView);
DEVICE_METHOD(CreateShaderResourceView);
DEVICE_METHOD(CreateUnorderedAccessView);
DEVICE_METHOD(CreateRenderTargetView);
DEVICE_METHOD(CreateDepthStencilView);
DEVICE_METHOD(CreateSampler);
DEVICE_METHOD(CreateSampler2);
DEVICE_METHOD(CreateSamplerFeedbackUnorderedAccessView);
DEVICE_METHOD(CopyDescriptors);
DEVICE_METHOD(CopyDescriptorsSimple);

/* pipeline/device_pipelines.c */
DEVICE_METHOD(CreateRootSignature);
DEVICE_METHOD(CreateGraphicsPipelineState);
DEVICE_METHOD(CreateComputePipelineState);
DEVICE_METHOD(CreatePipelineState);
DEVICE_METHOD(CreatePipelineLibrary);

/* state_object/device_rays.c */
DEVICE_METHOD(CreateStateObject);
DEVICE_METHOD(AddToStateObject);
DEVICE_METHOD(GetRaytracingAccelerationStructurePrebuildInfo);
DEVICE_METHOD(CheckDriverMatchingIdentifier);

/* session/device_sessions.c */
DEVICE_METHOD(CreateProtectedResourceSession);
DEVICE_METHOD(CreateProtectedResourceSession1);
DEVICE_METHOD(CreateLifetimeTracker);
DEVICE_METHOD(CreateShaderCacheSession);
DEVICE_METHOD(ShaderCacheControl);

/* device/control.c */
DEVICE_METHOD(RemoveDevice);
DEVICE_METHOD(SetBackgroundProcessingMode);
DEVICE_METHOD(EnumerateMetaCommands);
DEVICE_METHOD(EnumerateMetaCommandParameters);
DEVICE_METHOD(CreateMetaCommand);

#undef DEVICE_METHOD

extern CONST_VTBL ID3D12DeviceTools2Vtbl d3d12_device_tools_vtable;
extern CONST_VTBL ID3D12InfoQueue1Vtbl d3d12_info_queue_vtable;
extern CONST_VTBL ID3D12VideoDevice3Vtbl d3d12_video_device_vtable;

#endif
