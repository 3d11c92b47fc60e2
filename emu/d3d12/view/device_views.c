/* ID3D12Device on descriptors. */
#include "device/device_methods.h"
#include "view/descriptor_heap.h"

DEVICE_CREATE(CreateDescriptorHeap,
              (device_iface * iface, const D3D12_DESCRIPTOR_HEAP_DESC *desc, REFIID riid,
               void **out),
              d3d12_descriptor_heap, d3d12_descriptor_heap_create(device, desc, &made))

/* Defines the older methods, which have no result. */
#define WITHOUT_RESULT(what, parameters, arguments)                                                \
    void STDMETHODCALLTYPE d3d12_device_Create##what parameters                                    \
    {                                                                                              \
        d3d12_device_TryCreate##what arguments;                                                    \
    }
#define OF_RESOURCE(what, Desc)                                                                    \
    WITHOUT_RESULT(what,                                                                           \
                   (device_iface * iface, ID3D12Resource * resource, const Desc *desc,             \
                    D3D12_CPU_DESCRIPTOR_HANDLE handle),                                           \
                   (iface, resource, desc, handle))
OF_RESOURCE(ShaderResourceView, D3D12_SHADER_RESOURCE_VIEW_DESC)
OF_RESOURCE(RenderTargetView, D3D12_RENDER_TARGET_VIEW_DESC)
OF_RESOURCE(DepthStencilView, D3D12_DEPTH_STENCIL_VIEW_DESC)
WITHOUT_RESULT(SamplerFeedbackUnorderedAccessView,
               (device_iface * iface, ID3D12Resource *targeted, ID3D12Resource *feedback,
                D3D12_CPU_DESCRIPTOR_HANDLE handle),
               (iface, targeted, feedback, handle))
WITHOUT_RESULT(UnorderedAccessView,
               (device_iface * iface, ID3D12Resource *resource, ID3D12Resource *counter,
                const D3D12_UNORDERED_ACCESS_VIEW_DESC *desc, D3D12_CPU_DESCRIPTOR_HANDLE handle),
               (iface, resource, counter, desc, handle))
WITHOUT_RESULT(ConstantBufferView,
               (device_iface * iface, const D3D12_CONSTANT_BUFFER_VIEW_DESC *desc,
                D3D12_CPU_DESCRIPTOR_HANDLE handle),
               (iface, desc, handle))
WITHOUT_RESULT(Sampler2,
               (device_iface * iface, const D3D12_SAMPLER_DESC2 *desc,
                D3D12_CPU_DESCRIPTOR_HANDLE handle),
               (iface, desc, handle))

void STDMETHODCALLTYPE d3d12_device_CreateSampler(device_iface *iface,
                                                  const D3D12_SAMPLER_DESC *desc,
                                                  D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    _Static_assert(offsetof(D3D12_SAMPLER_DESC2, Flags) == sizeof *desc, "they begin alike");
    D3D12_SAMPLER_DESC2 newer = {0};
    if (desc)
        memcpy(&newer, desc, sizeof *desc);
    d3d12_device_CreateSampler2(iface, desc != NULL ? &newer : NULL, handle);
}

/* The device has no sampler feedback, so it has no feedback map. */
HRESULT STDMETHODCALLTYPE d3d12_device_TryCreateSamplerFeedbackUnorderedAccessView(
    device_iface *iface, ID3D12Resource *targeted, ID3D12Resource *feedback,
    D3D12_CPU_DESCRIPTOR_HANDLE handle)
{
    const bool none = !targeted && !feedback;
    (void)handle;
    return d3d12_device_invalid(
        impl_from_device_iface(iface),
        none ? D3D12_MESSAGE_ID_SAMPLER_FEEDBACK_CREATE_UAV_NULL_ARGUMENTS
             : D3D12_MESSAGE_ID_SAMPLER_FEEDBACK_UAV_REQUIRES_SAMPLER_FEEDBACK_CAPABILITY,
        "ID3D12Device8::CreateSamplerFeedbackUnorderedAccessView: %s",
        none ? "no resources" : "the device has no sampler feedback");
}

void STDMETHODCALLTYPE d3d12_device_CopyDescriptorsSimple(device_iface *iface, UINT count,
                                                          D3D12_CPU_DESCRIPTOR_HANDLE to,
                                                          D3D12_CPU_DESCRIPTOR_HANDLE from,
                                                          D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    d3d12_device_CopyDescriptors(iface, 1, &to, &count, 1, &from, &count, type);
}

UINT STDMETHODCALLTYPE
d3d12_device_GetDescriptorHandleIncrementSize(device_iface *iface, D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    (void)iface;
    return (unsigned)type < D3D12_DESCRIPTOR_HEAP_TYPE_NUM_TYPES ? DESCRIPTOR_SIZE : 0;
}
