/* The newest interface of each kind of object that D3D12 has in several versions. For newer
 * headers, change the typedefs and the list of identifiers here, and then add the new methods in
 * table/.
 *
 * The oldest headers that the emulator compiles with, 1.606, lack the newest interfaces. So a table
 * begins with the newest table of these headers, and this file declares the further slots, with C's
 * own types if D3D12's are missing. The comment after a typedef is the type's name in D3D12. */
#pragma once

#include "base/abi.h"
#include "base/com.h"

#define SLOT(result, method, ...) result(STDMETHODCALLTYPE *method)(__VA_ARGS__)
#ifdef ABI_STRUCTS_BY_POINTER
#define SLOT_STRUCT(result, method, I, ...) SLOT(result *, method, I, result *abi_ret, __VA_ARGS__)
#else
#define SLOT_STRUCT(result, method, I, ...) SLOT(result, method, I, __VA_ARGS__)
#endif

extern const IID newest_iid_device12, newest_iid_device13, newest_iid_device14, newest_iid_device15,
    newest_iid_list9, newest_iid_queue1, newest_iid_pipeline_state1, newest_iid_root_signature1;

typedef ID3D12Device11 device_iface; /* ID3D12Device15 */
typedef struct {
    ID3D12Device11Vtbl older;
    SLOT_STRUCT(D3D12_RESOURCE_ALLOCATION_INFO, GetResourceAllocationInfo3, device_iface *iface,
                UINT, UINT, const D3D12_RESOURCE_DESC1 *, const UINT32 *, castable_formats const *,
                D3D12_RESOURCE_ALLOCATION_INFO1 *);
    SLOT(HRESULT, OpenExistingHeapFromAddress1, device_iface *, const void *, SIZE_T, REFIID,
         void **);
    SLOT(HRESULT, CreateRootSignatureFromSubobjectInLibrary, device_iface *, UINT, const void *,
         SIZE_T, LPCWSTR, REFIID, void **);
    SLOT(HRESULT, RegisterTrimNotificationCallback, device_iface *, void *);
    SLOT(HRESULT, UnregisterTrimNotificationCallback, device_iface *, UINT);
    SLOT(HRESULT, TryCreateShaderResourceView, device_iface *, ID3D12Resource *,
         const D3D12_SHADER_RESOURCE_VIEW_DESC *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateUnorderedAccessView, device_iface *, ID3D12Resource *, ID3D12Resource *,
         const D3D12_UNORDERED_ACCESS_VIEW_DESC *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateConstantBufferView, device_iface *,
         const D3D12_CONSTANT_BUFFER_VIEW_DESC *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateSampler2, device_iface *, const D3D12_SAMPLER_DESC2 *,
         D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateRenderTargetView, device_iface *, ID3D12Resource *,
         const D3D12_RENDER_TARGET_VIEW_DESC *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateDepthStencilView, device_iface *, ID3D12Resource *,
         const D3D12_DEPTH_STENCIL_VIEW_DESC *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, TryCreateSamplerFeedbackUnorderedAccessView, device_iface *, ID3D12Resource *,
         ID3D12Resource *, D3D12_CPU_DESCRIPTOR_HANDLE);
    SLOT(HRESULT, CreateQueryHeap1, device_iface *, const D3D12_QUERY_HEAP_DESC *, UINT, REFIID,
         void **);
    SLOT(HRESULT, ResolveQueryData, device_iface *, ID3D12QueryHeap *, D3D12_QUERY_TYPE, UINT, UINT,
         void *);
} device_vtbl; /* ID3D12Device15Vtbl */
#define DEVICE_IIDS                                                                                \
    &IID_ID3D12Device, &IID_ID3D12Device1, &IID_ID3D12Device2, &IID_ID3D12Device3,                 \
        &IID_ID3D12Device4, &IID_ID3D12Device5, &IID_ID3D12Device6, &IID_ID3D12Device7,            \
        &IID_ID3D12Device8, &IID_ID3D12Device9, &IID_ID3D12Device10, &IID_ID3D12Device11,          \
        &newest_iid_device12, &newest_iid_device13, &newest_iid_device14, &newest_iid_device15

typedef ID3D12GraphicsCommandList8 list_iface; /* ID3D12GraphicsCommandList9 */
typedef struct {
    ID3D12GraphicsCommandList8Vtbl older;
    SLOT(void, RSSetDepthBias, list_iface *, FLOAT, FLOAT, FLOAT);
    SLOT(void, IASetIndexBufferStripCutValue, list_iface *, D3D12_INDEX_BUFFER_STRIP_CUT_VALUE);
} list_vtbl; /* ID3D12GraphicsCommandList9Vtbl */
#define LIST_IIDS                                                                                  \
    &IID_ID3D12GraphicsCommandList, &IID_ID3D12GraphicsCommandList1,                               \
        &IID_ID3D12GraphicsCommandList2, &IID_ID3D12GraphicsCommandList3,                          \
        &IID_ID3D12GraphicsCommandList4, &IID_ID3D12GraphicsCommandList5,                          \
        &IID_ID3D12GraphicsCommandList6, &IID_ID3D12GraphicsCommandList7,                          \
        &IID_ID3D12GraphicsCommandList8, &newest_iid_list9

typedef ID3D12CommandQueue queue_iface; /* ID3D12CommandQueue1 */
typedef struct {
    ID3D12CommandQueueVtbl older;
    SLOT(HRESULT, SetProcessPriority, queue_iface *, UINT);
    SLOT(HRESULT, GetProcessPriority, queue_iface *, UINT *);
    SLOT(HRESULT, SetGlobalPriority, queue_iface *, UINT);
    SLOT(HRESULT, GetGlobalPriority, queue_iface *, UINT *);
} queue_vtbl; /* ID3D12CommandQueue1Vtbl */
#define QUEUE_IIDS &IID_ID3D12CommandQueue, &newest_iid_queue1

typedef struct {
    ID3D12PipelineStateVtbl older;
    SLOT(HRESULT, GetRootSignature, ID3D12PipelineState *, REFIID, void **);
} pipeline_state_vtbl; /* ID3D12PipelineState1Vtbl */

typedef struct {
    ID3D12RootSignatureVtbl older;
    SLOT(SIZE_T, GetSerializedSize, ID3D12RootSignature *);
    SLOT(HRESULT, GetSerializedData, ID3D12RootSignature *, void *, SIZE_T);
} root_signature_vtbl; /* ID3D12RootSignature1Vtbl */

#undef SLOT
#undef SLOT_STRUCT
