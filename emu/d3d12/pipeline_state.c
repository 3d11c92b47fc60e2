#include "pipeline_state.h"

#include "device.h"
#include "root_signature.h"

static CONST_VTBL ID3D12PipelineStateVtbl d3d12_pipeline_state_vtable;

D3D12_CHILD_METHODS(d3d12_pipeline_state, ID3D12PipelineState)

struct d3d12_pipeline_state *d3d12_pipeline_state_from(ID3D12PipelineState *iface)
{
    return iface != NULL && iface->lpVtbl == &d3d12_pipeline_state_vtable
               ? impl_from_ID3D12PipelineState(iface)
               : NULL;
}

static HRESULT STDMETHODCALLTYPE d3d12_pipeline_state_GetCachedBlob(ID3D12PipelineState *iface,
                                                                    ID3DBlob **blob)
{
    if (blob != NULL)
        *blob = NULL;
    d3d12_device_not_modelled(impl_from_ID3D12PipelineState(iface)->child.device,
                              "ID3D12PipelineState::GetCachedBlob");
    return E_NOTIMPL;
}

static CONST_VTBL ID3D12PipelineStateVtbl d3d12_pipeline_state_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_pipeline_state),
    .GetCachedBlob = d3d12_pipeline_state_GetCachedBlob,
};

static void pipeline_state_destroy(struct d3d12_child *child)
{
    d3d12_child_finish(child);
    free(container_of(child, struct d3d12_pipeline_state, child));
}

static const struct d3d12_child_class pipeline_state_class = {
    .kind = D3D12DDI_HT_PIPELINE_STATE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12PipelineState, NULL},
    .destroy = pipeline_state_destroy,
};

/* The kernel that bytecode names; 0: none. */
static uint32_t find_kernel(const D3D12_SHADER_BYTECODE *code)
{
    for (uint32_t kernel = EMU_KERNEL_FILL; kernel <= EMU_KERNEL_TOUCH; kernel++) {
        size_t size;
        const void *known = emu_kernel_bytecode((emu_kernel)kernel, &size);
        if (known != NULL && code->pShaderBytecode != NULL && code->BytecodeLength == size &&
            memcmp(code->pShaderBytecode, known, size) == 0)
            return kernel;
    }
    return 0;
}

static HRESULT check(struct d3d12_device *device, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                     uint32_t *kernel)
{
    if (desc == NULL)
        return E_INVALIDARG;
    if (d3d12_root_signature_from(desc->pRootSignature) == NULL) {
        d3d12_device_error(device,
                           D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_MISSING_ROOT_SIGNATURE,
                           "ID3D12Device::CreateComputePipelineState: no root signature");
        return E_INVALIDARG;
    }
    *kernel = find_kernel(&desc->CS);
    if (*kernel == 0) {
        d3d12_device_error(device, D3D12_MESSAGE_ID_CREATECOMPUTEPIPELINESTATE_INVALID_SHADER,
                           "ID3D12Device::CreateComputePipelineState: the shader is none of "
                           "emu_kernel_bytecode's");
        return E_INVALIDARG;
    }
    return S_OK;
}

HRESULT d3d12_pipeline_state_create_compute(struct d3d12_device *device,
                                            const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                            struct d3d12_pipeline_state **out)
{
    uint32_t kernel;
    HRESULT hr = check(device, desc, &kernel);
    if (FAILED(hr))
        return hr;
    struct d3d12_pipeline_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return E_OUTOFMEMORY;
    state->iface.lpVtbl = &d3d12_pipeline_state_vtable;
    state->kernel = kernel;
    hr = d3d12_child_init(&state->child, &state->iface, &pipeline_state_class, device, 0, NULL);
    if (FAILED(hr)) {
        free(state);
        return hr;
    }
    *out = state;
    return S_OK;
}
