/* ID3D12Device's methods that are outside of device.c, for its table. */
#ifndef D3D12_DEVICE_METHODS_H
#define D3D12_DEVICE_METHODS_H

#include "abi.h"
#include "device.h"

/* ---- device_resources.c ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap(ID3D12Device11 *iface,
                                                  const D3D12_HEAP_DESC *desc, REFIID riid,
                                                  void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateHeap1(ID3D12Device11 *iface,
                                                   const D3D12_HEAP_DESC *desc,
                                                   ID3D12ProtectedResourceSession *session,
                                                   REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommittedResource(
    ID3D12Device11 *iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
    const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear,
    REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateCommittedResource1(
    ID3D12Device11 *iface, const D3D12_HEAP_PROPERTIES *properties, D3D12_HEAP_FLAGS flags,
    const D3D12_RESOURCE_DESC *desc, D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear,
    ID3D12ProtectedResourceSession *session, REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreatePlacedResource(
    ID3D12Device11 *iface, ID3D12Heap *heap, UINT64 offset, const D3D12_RESOURCE_DESC *desc,
    D3D12_RESOURCE_STATES state, const D3D12_CLEAR_VALUE *clear, REFIID riid, void **out);
ABI_STRUCT_PROTOTYPE_ARGS(D3D12_HEAP_PROPERTIES, d3d12_device_GetCustomHeapProperties,
                          ID3D12Device11 *iface, UINT node_mask, D3D12_HEAP_TYPE type);
ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC *descs);
ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo1,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each);
ABI_STRUCT_PROTOTYPE_ARGS(D3D12_RESOURCE_ALLOCATION_INFO, d3d12_device_GetResourceAllocationInfo2,
                          ID3D12Device11 *iface, UINT visible_mask, UINT count,
                          const D3D12_RESOURCE_DESC1 *descs, D3D12_RESOURCE_ALLOCATION_INFO1 *each);
void STDMETHODCALLTYPE d3d12_device_GetCopyableFootprints(
    ID3D12Device11 *iface, const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows, UINT64 *row_sizes, UINT64 *total);
HRESULT STDMETHODCALLTYPE d3d12_device_MakeResident(ID3D12Device11 *iface, UINT count,
                                                    ID3D12Pageable *const *objects);
HRESULT STDMETHODCALLTYPE d3d12_device_Evict(ID3D12Device11 *iface, UINT count,
                                             ID3D12Pageable *const *objects);

/* ---- device_views.c ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_CreateDescriptorHeap(ID3D12Device11 *iface,
                                                            const D3D12_DESCRIPTOR_HEAP_DESC *desc,
                                                            REFIID riid, void **out);
void STDMETHODCALLTYPE d3d12_device_CreateConstantBufferView(
    ID3D12Device11 *iface, const D3D12_CONSTANT_BUFFER_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CreateShaderResourceView(
    ID3D12Device11 *iface, ID3D12Resource *resource, const D3D12_SHADER_RESOURCE_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CreateUnorderedAccessView(
    ID3D12Device11 *iface, ID3D12Resource *resource, ID3D12Resource *counter,
    const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc, D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CreateRenderTargetView(
    ID3D12Device11 *iface, ID3D12Resource *resource, const D3D12_RENDER_TARGET_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CreateDepthStencilView(
    ID3D12Device11 *iface, ID3D12Resource *resource, const D3D12_DEPTH_STENCIL_VIEW_DESC *desc,
    D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CreateSampler(ID3D12Device11 *iface,
                                                  const D3D12_SAMPLER_DESC *desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE handle);
void STDMETHODCALLTYPE d3d12_device_CopyDescriptors(ID3D12Device11 *iface, UINT to_count,
                                                    const D3D12_CPU_DESCRIPTOR_HANDLE *to,
                                                    const UINT *to_sizes, UINT from_count,
                                                    const D3D12_CPU_DESCRIPTOR_HANDLE *from,
                                                    const UINT *from_sizes,
                                                    D3D12_DESCRIPTOR_HEAP_TYPE type);
void STDMETHODCALLTYPE d3d12_device_CopyDescriptorsSimple(ID3D12Device11 *iface, UINT count,
                                                          D3D12_CPU_DESCRIPTOR_HANDLE to,
                                                          D3D12_CPU_DESCRIPTOR_HANDLE from,
                                                          D3D12_DESCRIPTOR_HEAP_TYPE type);
UINT STDMETHODCALLTYPE d3d12_device_GetDescriptorHandleIncrementSize(
    ID3D12Device11 *iface, D3D12_DESCRIPTOR_HEAP_TYPE type);

/* ---- device_pipelines.c ---- */

HRESULT STDMETHODCALLTYPE d3d12_device_CreateRootSignature(ID3D12Device11 *iface, UINT node_mask,
                                                           const void *blob, SIZE_T size,
                                                           REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateGraphicsPipelineState(
    ID3D12Device11 *iface, const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc, REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreateComputePipelineState(
    ID3D12Device11 *iface, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc, REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreatePipelineState(
    ID3D12Device11 *iface, const D3D12_PIPELINE_STATE_STREAM_DESC *desc, REFIID riid, void **out);
HRESULT STDMETHODCALLTYPE d3d12_device_CreatePipelineLibrary(ID3D12Device11 *iface,
                                                             const void *blob, SIZE_T size,
                                                             REFIID riid, void **out);

#endif
