/* Declares the methods of ID3D12Device, and the method tables of the device's other interfaces, for
 * table/device_table.c. */
#pragma once

#include "device/device.h"

/* Lists the methods, except stubs, with the file of each group. Their types come from the table. */
/* clang-format off */
#define DEVICE_METHODS(M)                                                                          \
    /* device/object.c */ M(QueryInterface) M(AddRef) M(Release) M(GetPrivateData)                 \
        M(SetPrivateData) M(SetPrivateDataInterface) M(SetName) M(GetNodeCount)                    \
        M(CheckFeatureSupport) M(GetAdapterLuid) M(GetDeviceRemovedReason) M(SetStablePowerState)  \
    /* table/command_queue_table.c */ M(CreateCommandQueue) M(CreateCommandQueue1)                 \
    /* table/command_list_table.c */ M(CreateCommandList) M(CreateCommandList1)                    \
    /* list/device_commands.c */ M(CreateCommandAllocator) M(CreateCommandSignature)               \
    /* sync/device_fences.c */ M(CreateFence) M(SetEventOnMultipleFenceCompletion)                 \
    /* resource/device_resources.c */ M(CreateHeap) M(CreateHeap1) M(OpenExistingHeapFromAddress)  \
        M(GetCustomHeapProperties) M(CreateCommittedResource) M(CreateCommittedResource1)          \
        M(CreateCommittedResource2) M(CreateCommittedResource3) M(CreatePlacedResource)            \
        M(CreatePlacedResource1) M(CreatePlacedResource2) M(CreateReservedResource)                \
        M(CreateReservedResource1) M(CreateReservedResource2) M(CreateQueryHeap)                   \
    /* table/residency.c */ M(MakeResident) M(Evict) M(EnqueueMakeResident)                        \
    /* resource/device_sizes.c */ M(GetResourceAllocationInfo) M(GetResourceAllocationInfo1)       \
        M(GetResourceAllocationInfo2) M(GetCopyableFootprints) M(GetCopyableFootprints1)           \
    /* resource/device_tiling.c */ M(GetResourceTiling)                                            \
    /* view/view.c */ M(CopyDescriptors)                                                           \
    /* view/device_views.c */ M(CreateDescriptorHeap) M(GetDescriptorHandleIncrementSize)          \
        M(CreateConstantBufferView) M(CreateShaderResourceView) M(CreateUnorderedAccessView)       \
        M(CreateRenderTargetView) M(CreateDepthStencilView) M(CreateSampler) M(CreateSampler2)     \
        M(CreateSamplerFeedbackUnorderedAccessView) M(CopyDescriptorsSimple)                       \
    /* pipeline/device_pipelines.c */ M(CreateRootSignature) M(CreateGraphicsPipelineState)        \
        M(CreateComputePipelineState) M(CreatePipelineState) M(CreatePipelineLibrary)              \
    /* state_object/device_rays.c */ M(CreateStateObject)                                         \
        M(GetRaytracingAccelerationStructurePrebuildInfo) M(CheckDriverMatchingIdentifier)         \
    /* session/device_sessions.c */ M(CreateProtectedResourceSession)                              \
        M(CreateProtectedResourceSession1)                                                         \
    /* device/control.c */ M(RemoveDevice) M(EnumerateMetaCommands)                                \
        M(EnumerateMetaCommandParameters) M(CreateMetaCommand)
/* Lists the methods that ID3D12Device12 to ID3D12Device15 add. */
#define DEVICE_NEWER_METHODS(M)                                                                    \
    /* resource/device_sizes.c */ M(GetResourceAllocationInfo3)                                    \
    /* resource/device_resources.c */ M(OpenExistingHeapFromAddress1) M(CreateQueryHeap1)          \
        M(ResolveQueryData)                                                                        \
    /* view/view.c */ M(TryCreateConstantBufferView) M(TryCreateShaderResourceView)                \
        M(TryCreateUnorderedAccessView) M(TryCreateRenderTargetView) M(TryCreateDepthStencilView)  \
        M(TryCreateSampler2)                                                                       \
    /* view/device_views.c */ M(TryCreateSamplerFeedbackUnorderedAccessView)
/* clang-format on */
#define DEVICE_METHOD(method)                                                                      \
    __typeof__(*((device_vtbl *)NULL)->older.method) d3d12_device_##method;
DEVICE_METHODS(DEVICE_METHOD)
#undef DEVICE_METHOD
#define DEVICE_METHOD(method) __typeof__(*((device_vtbl *)NULL)->method) d3d12_device_##method;
DEVICE_NEWER_METHODS(DEVICE_METHOD)
#undef DEVICE_METHOD

/* Defines a method that only makes an object. The call `create` stores the object in `made`. */
#define DEVICE_CREATE(method, parameters, type, create)                                            \
    HRESULT STDMETHODCALLTYPE d3d12_device_##method parameters                                     \
    {                                                                                              \
        struct d3d12_device *device = impl_from_device_iface(iface);                               \
        struct type *made;                                                                         \
        HRESULT hr = d3d12_device_begin_creation(device, out);                                     \
        if (SUCCEEDED(hr))                                                                         \
            hr = create;                                                                           \
        return SUCCEEDED(hr) ? d3d12_child_give(&made->child, riid, out) : hr;                     \
    }

extern CONST_VTBL ID3D12DeviceTools2Vtbl d3d12_device_tools_vtable;
extern CONST_VTBL ID3D12InfoQueue1Vtbl d3d12_info_queue_vtable;
extern CONST_VTBL ID3D12VideoDevice3Vtbl d3d12_video_device_vtable;
extern CONST_VTBL ID3D12DebugDeviceVtbl d3d12_debug_device_vtable;
