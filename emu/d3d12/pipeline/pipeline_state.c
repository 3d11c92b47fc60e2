#include "pipeline/pipeline_state.h"

#include "base/blob.h"
#include "device/device.h"
#include "format/format.h"
#include "root_signature/root_signature.h"

#include <annot/shader.h>

D3D12_CHILD_METHODS(d3d12_pipeline_state, ID3D12PipelineState)

static HRESULT STDMETHODCALLTYPE d3d12_pipeline_state_GetCachedBlob(ID3D12PipelineState *iface,
                                                                    ID3DBlob **out)
{
    const struct d3d12_pipeline_state *state = impl_from_ID3D12PipelineState(iface);
    if (!out)
        return E_INVALIDARG;
    const struct pipeline_blob blob =
        pipeline_blob_make(state->child.device, PIPELINE_BLOB_STATE, state->digest);
    *out = d3d12_blob_create(sizeof blob);
    if (!*out)
        return E_OUTOFMEMORY;
    memcpy((*out)->lpVtbl->GetBufferPointer(*out), &blob, sizeof blob);
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE d3d12_pipeline_state_GetRootSignature(ID3D12PipelineState *iface,
                                                                       REFIID riid, void **out)
{
    struct d3d12_child *root = &impl_from_ID3D12PipelineState(iface)->root_signature->child;
    d3d12_child_revive(root);
    return d3d12_child_give(root, riid, out);
}

static CONST_VTBL pipeline_state_vtbl d3d12_pipeline_state_vtable = {
    .older = {D3D12_CHILD_ENTRIES(d3d12_pipeline_state),
              .GetCachedBlob = d3d12_pipeline_state_GetCachedBlob},
    .GetRootSignature = d3d12_pipeline_state_GetRootSignature,
};

static void pipeline_state_release(struct d3d12_child *child)
{
    struct d3d12_pipeline_state *state = container_of(child, struct d3d12_pipeline_state, child);
    if (state->root_signature)
        d3d12_child_release_private_ref(&state->root_signature->child);
}

static const struct d3d12_child_class pipeline_state_class = {
    .kind = D3D12DDI_HT_PIPELINE_STATE,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12PipelineState,
                                 &newest_iid_pipeline_state1, NULL},
    .methods = &d3d12_pipeline_state_vtable,
    .release = pipeline_state_release,
};

D3D12_CHILD_FROM(d3d12_pipeline_state, ID3D12PipelineState, pipeline_state_class)

/* ---- descriptions ---- */

/* `error` is the result of the description's conversion into *out. */
#define READ_DESC(form, Desc, error)                                                               \
    HRESULT d3d12_pipeline_desc_read_##form(struct d3d12_device *device, const char *method,       \
                                            const Desc *desc, struct pipeline_desc *out)           \
    {                                                                                              \
        struct validation_error mistake =                                                          \
            validation_error(EMU_MESSAGE_INVALID_ARGUMENT, "the description must not be NULL");    \
        if (desc)                                                                                  \
            mistake = error;                                                                       \
        UNLESS_REFUSED(mistake, pipeline_desc_check(device, out));                                 \
        return d3d12_device_refuse(device, method, mistake);                                       \
    }
READ_DESC(graphics, D3D12_GRAPHICS_PIPELINE_STATE_DESC,
          (*out = pipeline_desc_from_graphics(desc), no_validation_error))
READ_DESC(compute, D3D12_COMPUTE_PIPELINE_STATE_DESC,
          (*out = pipeline_desc_from_compute(desc), no_validation_error))
READ_DESC(stream, D3D12_PIPELINE_STATE_STREAM_DESC, pipeline_desc_from_stream(desc, out))

static bool is_color_format(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_UNKNOWN ||
           (format_element_size(format) != 0 && format != DXGI_FORMAT_D32_FLOAT &&
            format != DXGI_FORMAT_D16_UNORM);
}

/* Reports mistakes that the runtime allows and the debug layer reports. */
static void warn(struct d3d12_device *device, const char *method, const struct pipeline_desc *desc)
{
    if (desc->kind == PIPELINE_COMPUTE)
        return;
    if (desc->stages[PIPELINE_HS].BytecodeLength != 0 &&
        desc->topology != D3D12_PRIMITIVE_TOPOLOGY_TYPE_PATCH)
        d3d12_device_error(
            device,
            D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_HULL_SHADER_INPUT_TOPOLOGY_MISMATCH,
            "%s: a hull shader needs PrimitiveTopologyType = PATCH", method);
    bool suits = desc->depth_format == DXGI_FORMAT_UNKNOWN || format_is_depth(desc->depth_format);
    for (UINT i = 0; i < desc->render_targets.NumRenderTargets; i++)
        suits &= is_color_format(desc->render_targets.RTFormats[i]);
    if (!suits)
        d3d12_device_error(device, EMU_MESSAGE_INVALID_ARGUMENT,
                           "%s: RTVFormats or DSVFormat has a format that can't be rendered to",
                           method);
    if (desc->sample_mask == 0)
        d3d12_device_warning(device, D3D12_MESSAGE_ID_GRAPHICS_PIPELINE_STATE_DESC_ZERO_SAMPLE_MASK,
                             "%s: SampleMask is 0, so nothing will be drawn", method);
    if ((desc->depth_stencil.DepthEnable || desc->depth_stencil.StencilEnable) &&
        desc->depth_format == DXGI_FORMAT_UNKNOWN)
        d3d12_device_warning(device,
                             D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_DEPTHSTENCILVIEW_NOT_SET,
                             "%s: DepthEnable or StencilEnable is set, but DSVFormat is UNKNOWN",
                             method);
}

/* ---- creation ---- */

static HRESULT check_cached(struct d3d12_device *device, const char *method,
                            const D3D12_CACHED_PIPELINE_STATE *cached, uint64_t digest)
{
    const struct pipeline_blob wanted = pipeline_blob_make(device, PIPELINE_BLOB_STATE, digest);
    const HRESULT hr =
        pipeline_blob_compare(&wanted, cached->pCachedBlob, cached->CachedBlobSizeInBytes);
    int id = 0;
    if (hr == D3D12_ERROR_ADAPTER_NOT_FOUND)
        id = D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBADAPTERMISMATCH;
    else if (hr == D3D12_ERROR_DRIVER_VERSION_MISMATCH)
        id = D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDRIVERVERSIONMISMATCH;
    else if (FAILED(hr))
        id = D3D12_MESSAGE_ID_CREATEPIPELINESTATE_INVALIDCACHEDBLOB;
    else if (hr != S_OK)
        id = D3D12_MESSAGE_ID_CREATEPIPELINESTATE_CACHEDBLOBDESCMISMATCH;
    if (id == 0)
        return S_OK;
    d3d12_device_error(device, id,
                       "%s: CachedPSO is damaged, or made from another description or by another "
                       "driver or adapter: create the state without it",
                       method);
    return FAILED(hr) ? hr : E_INVALIDARG;
}

/* Notes shaders for dumps. If memory runs out, dumps lack the shaders. */
static void note_shaders(annot_object *object, const struct pipeline_desc *desc)
{
    static const annot_shader_stage stages[PIPELINE_STAGES] = {
        [PIPELINE_VS] = ANNOT_SHADER_STAGE_VERTEX,
        [PIPELINE_HS] = ANNOT_SHADER_STAGE_HULL,
        [PIPELINE_DS] = ANNOT_SHADER_STAGE_DOMAIN,
        [PIPELINE_GS] = ANNOT_SHADER_STAGE_GEOMETRY,
        [PIPELINE_AS] = ANNOT_SHADER_STAGE_AMPLIFICATION,
        [PIPELINE_MS] = ANNOT_SHADER_STAGE_MESH,
        [PIPELINE_PS] = ANNOT_SHADER_STAGE_PIXEL,
        [PIPELINE_CS] = ANNOT_SHADER_STAGE_COMPUTE};
    for (int i = 0; i < PIPELINE_STAGES; i++) {
        const D3D12_SHADER_BYTECODE *code = &desc->stages[i];
        annot_shader shader;
        if (!annot_shader_read(code->pShaderBytecode, code->BytecodeLength, &shader))
            continue;
        shader.stage = (uint32_t)stages[i];
        annot_object_add_shader(object, &shader);
    }
}

/* Takes a private reference to the root signature, or makes one from the shaders' signature. */
static HRESULT keep_root_signature(struct d3d12_device *device, const struct pipeline_desc *desc,
                                   struct d3d12_root_signature **out)
{
    struct d3d12_root_signature *made = NULL;
    struct d3d12_root_signature *given = d3d12_root_signature_from(desc->root_signature);
    HRESULT hr = S_OK;
    for (int i = 0; i < PIPELINE_STAGES && !given && !made && SUCCEEDED(hr); i++)
        if (root_signature_is_in(desc->stages[i].pShaderBytecode, desc->stages[i].BytecodeLength))
            hr = d3d12_root_signature_create(device, desc->stages[i].pShaderBytecode,
                                             desc->stages[i].BytecodeLength, &made);
    if (FAILED(hr))
        return hr;
    *out = given ? given : made;
    d3d12_child_add_private_ref(&(*out)->child);
    if (made)
        d3d12_child_release(&made->child);
    return S_OK;
}

HRESULT d3d12_pipeline_state_create(struct d3d12_device *device, const char *method,
                                    const struct pipeline_desc *desc,
                                    struct d3d12_pipeline_state **out)
{
    const uint64_t digest = pipeline_desc_digest(desc);
    HRESULT hr = S_OK;
    if (desc->cached.CachedBlobSizeInBytes != 0)
        hr = check_cached(device, method, &desc->cached, digest);
    if (FAILED(hr))
        return hr;
    struct d3d12_pipeline_state *state =
        d3d12_child_begin(device, &pipeline_state_class, sizeof *state);
    if (!state)
        return E_OUTOFMEMORY;
    /* Shaders are not executed: each counts as a shader with a break, which halts its waves. */
    const UINT halts = D3D12_PIPELINE_STATE_FLAG_DEBUG_BREAK_ALWAYS_HALT;
    state->kernel = (UINT)desc->flags & halts ? EMU_KERNEL_SPIN : pipeline_desc_kernel(desc);
    state->is_graphics = desc->kind != PIPELINE_COMPUTE;
    state->is_mesh = desc->kind == PIPELINE_MESH;
    state->flags = (UINT)desc->flags;
    state->digest = digest;
    if (device->settings.debug_layer)
        state->child.usage = in_flight_usage_create();
    hr = d3d12_child_end(&state->child, keep_root_signature(device, desc, &state->root_signature));
    if (FAILED(hr))
        return hr;
    note_shaders(state->child.annot, desc);
    warn(device, method, desc);
    *out = state;
    return S_OK;
}
