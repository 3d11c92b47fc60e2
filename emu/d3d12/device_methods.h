/* ID3D12Device's methods that are outside of device.c, for its table. */
#ifndef D3D12_DEVICE_METHODS_H
#define D3D12_DEVICE_METHODS_H

#include "device.h"

/* Of the type that the table has. */
#define DEVICE_METHOD(method)                                                                      \
    __typeof__(*((ID3D12Device11Vtbl *)NULL)->method) d3d12_device_##method

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

#undef DEVICE_METHOD

/* ---- device_sessions.c, device_control.c ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_CreateProtectedResourceSession1(
    ID3D12Device11 *iface, const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc, REFIID riid,
    void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateProtectedResourceSession(
    ID3D12Device11 *iface, const D3D12_PROTECTED_RESOURCE_SESSION_DESC *desc, REFIID riid,
    void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateLifetimeTracker(ID3D12Device11 *iface,
                                                             ID3D12LifetimeOwner *owner,
                                                             REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateShaderCacheSession(
    ID3D12Device11 *iface, const D3D12_SHADER_CACHE_SESSION_DESC *desc, REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_ShaderCacheControl(ID3D12Device11 *iface,
                                                          D3D12_SHADER_CACHE_KIND_FLAGS kinds,
                                                          D3D12_SHADER_CACHE_CONTROL_FLAGS control);
void STDMETHODCALLTYPE d3d12_device_RemoveDevice(ID3D12Device11 *iface);
HRESULT STDMETHODCALLTYPE d3d12_device_SetBackgroundProcessingMode(
    ID3D12Device11 *iface, D3D12_BACKGROUND_PROCESSING_MODE mode, D3D12_MEASUREMENTS_ACTION action,
    HANDLE event, BOOL *further_measurements_desired);
HRESULT STDMETHODCALLTYPE d3d12_device_EnumerateMetaCommands(ID3D12Device11 *iface, UINT *count,
                                                             D3D12_META_COMMAND_DESC *descs);
HRESULT STDMETHODCALLTYPE d3d12_device_EnumerateMetaCommandParameters(
    ID3D12Device11 *iface, REFGUID id, D3D12_META_COMMAND_PARAMETER_STAGE stage, UINT *size,
    UINT *count, D3D12_META_COMMAND_PARAMETER_DESC *descs);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateMetaCommand(ID3D12Device11 *iface, REFGUID id,
                                                         UINT node_mask, const void *parameters,
                                                         SIZE_T size, REFIID riid, void **out);

#endif
