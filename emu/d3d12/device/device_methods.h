/* ID3D12Device's methods that are outside of device.c, for its table. */
#ifndef D3D12_DEVICE_METHODS_H
#define D3D12_DEVICE_METHODS_H

#include "device/device.h"

/* Of the type that the table has. */
#define DEVICE_METHOD(method)                                                                      \
    __typeof__(*((ID3D12Device11Vtbl *)NULL)->method) d3d12_device_##method

/* device_commands.c */
DEVICE_METHOD(CreateCommandQueue);
DEVICE_METHOD(CreateCommandQueue1);
DEVICE_METHOD(CreateCommandAllocator);
DEVICE_METHOD(CreateCommandList);
DEVICE_METHOD(CreateCommandList1);
DEVICE_METHOD(CreateFence);
DEVICE_METHOD(CreateQueryHeap);
DEVICE_METHOD(CreateCommandSignature);
DEVICE_METHOD(SetEventOnMultipleFenceCompletion);

/* device_resources.c */
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

/* device_sharing.c */
DEVICE_METHOD(CreateSharedHandle);
DEVICE_METHOD(OpenSharedHandle);
DEVICE_METHOD(OpenSharedHandleByName);

/* device_residency.c */
DEVICE_METHOD(MakeResident);
DEVICE_METHOD(Evict);
DEVICE_METHOD(EnqueueMakeResident);
DEVICE_METHOD(SetResidencyPriority);

/* device_sizes.c */
DEVICE_METHOD(GetResourceAllocationInfo);
DEVICE_METHOD(GetResourceAllocationInfo1);
DEVICE_METHOD(GetResourceAllocationInfo2);
DEVICE_METHOD(GetCopyableFootprints);
DEVICE_METHOD(GetCopyableFootprints1);

/* device_tiling.c */
DEVICE_METHOD(GetResourceTiling);

/* device_views.c */
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

/* device_pipelines.c */
DEVICE_METHOD(CreateRootSignature);
DEVICE_METHOD(CreateGraphicsPipelineState);
DEVICE_METHOD(CreateComputePipelineState);
DEVICE_METHOD(CreatePipelineState);
DEVICE_METHOD(CreatePipelineLibrary);

/* device_rays.c */
DEVICE_METHOD(CreateStateObject);
DEVICE_METHOD(AddToStateObject);
DEVICE_METHOD(GetRaytracingAccelerationStructurePrebuildInfo);
DEVICE_METHOD(CheckDriverMatchingIdentifier);

/* device_sessions.c */
DEVICE_METHOD(CreateProtectedResourceSession);
DEVICE_METHOD(CreateProtectedResourceSession1);
DEVICE_METHOD(CreateLifetimeTracker);
DEVICE_METHOD(CreateShaderCacheSession);
DEVICE_METHOD(ShaderCacheControl);

/* device_control.c */
DEVICE_METHOD(RemoveDevice);
DEVICE_METHOD(SetBackgroundProcessingMode);
DEVICE_METHOD(EnumerateMetaCommands);
DEVICE_METHOD(EnumerateMetaCommandParameters);
DEVICE_METHOD(CreateMetaCommand);

#undef DEVICE_METHOD

#endif
