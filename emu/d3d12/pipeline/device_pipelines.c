/* ID3D12Device on root signatures and pipelines. */
#include "device/device_methods.h"
#include "pipeline/pipeline_library.h"
#include "pipeline/pipeline_state.h"
#include "root_signature/root_signature.h"

static HRESULT check_node(struct d3d12_device *device, UINT node_mask)
{
    return node_mask > 1 ? d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                                "ID3D12Device::CreateRootSignature: nodeMask must "
                                                "be 0 or 1: the adapter has one node")
                         : S_OK;
}

DEVICE_CREATE(CreateRootSignature,
              (device_iface * iface, UINT node_mask, const void *blob, SIZE_T size, REFIID riid,
               void **out),
              d3d12_root_signature,
              FAILED(check_node(device, node_mask))
                  ? E_INVALIDARG
                  : d3d12_root_signature_create(device, blob, size, &made))

/* `hr` is the result of reading the description. */
static HRESULT finish_pipeline(HRESULT hr, struct d3d12_device *device, const char *method,
                               const struct pipeline_desc *desc, const IID *riid, void **out)
{
    struct d3d12_pipeline_state *state;
    if (SUCCEEDED(hr))
        hr = d3d12_pipeline_state_create(device, method, desc, &state);
    return SUCCEEDED(hr) ? d3d12_child_give(&state->child, riid, out) : hr;
}

#define CREATE_STATE(I, Create, Desc, read_desc)                                                   \
    HRESULT STDMETHODCALLTYPE d3d12_device_##Create(device_iface *iface, const Desc *desc,         \
                                                    REFIID riid, void **out)                       \
    {                                                                                              \
        static const char method[] = #I "::" #Create;                                              \
        struct d3d12_device *device = impl_from_device_iface(iface);                               \
        struct pipeline_desc read;                                                                 \
        HRESULT hr = d3d12_device_begin_creation(device, out);                                     \
        if (SUCCEEDED(hr))                                                                         \
            hr = read_desc(device, method, desc, &read);                                           \
        return finish_pipeline(hr, device, method, &read, riid, out);                              \
    }
CREATE_STATE(ID3D12Device, CreateGraphicsPipelineState, D3D12_GRAPHICS_PIPELINE_STATE_DESC,
             d3d12_pipeline_desc_read_graphics)
CREATE_STATE(ID3D12Device, CreateComputePipelineState, D3D12_COMPUTE_PIPELINE_STATE_DESC,
             d3d12_pipeline_desc_read_compute)
CREATE_STATE(ID3D12Device2, CreatePipelineState, D3D12_PIPELINE_STATE_STREAM_DESC,
             d3d12_pipeline_desc_read_stream)

DEVICE_CREATE(CreatePipelineLibrary,
              (device_iface * iface, const void *blob, SIZE_T size, REFIID riid, void **out),
              d3d12_pipeline_library, d3d12_pipeline_library_create(device, blob, size, &made))
