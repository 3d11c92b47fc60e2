/* Descriptions of pipeline states that D3D12 accepts, and what a refusal must look like. */
#pragma once

#include "kit.h"

struct pipelines {
    ID3D12Device *device;
    ID3D12RootSignature *signature;
};

struct pipelines pipeline_begin(void);
void pipeline_end(struct pipelines *f);

/* A device with this driver. */
ID3D12Device *pipeline_device(const char *driver);
/* A signature that allows stream output. */
ID3D12RootSignature *pipeline_signature_with_output(ID3D12Device *device);

/* The least that D3D12's documentation wants of a graphics pipeline. */
D3D12_GRAPHICS_PIPELINE_STATE_DESC pipeline_graphics(ID3D12RootSignature *signature);
D3D12_COMPUTE_PIPELINE_STATE_DESC pipeline_compute(ID3D12RootSignature *signature,
                                                   emu_kernel kernel);

HRESULT pipeline_create_graphics(ID3D12Device *device,
                                 const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc,
                                 ID3D12PipelineState **out);
HRESULT pipeline_create_compute(ID3D12Device *device, const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc,
                                ID3D12PipelineState **out);
HRESULT pipeline_create_stream(ID3D12Device *device, const void *stream, SIZE_T size,
                               ID3D12PipelineState **out);

/* Whether their cached blobs are the same bytes. */
bool pipeline_same_blob(ID3D12PipelineState *a, ID3D12PipelineState *b);

/* Expects E_INVALIDARG, no object, and exactly one message, with this number. */
void pipeline_refused(struct pipelines *f, HRESULT hr, void *out, int id, const char *what);

#define GRAPHICS_ID(name) D3D12_MESSAGE_ID_CREATEGRAPHICSPIPELINESTATE_##name
#define STREAM_ID(name)   D3D12_MESSAGE_ID_CREATEPIPELINESTATE_##name

/* Changes a copy, `desc`, of the description `good` and expects that it is refused. */
#define REFUSED(id, statement)                                                                     \
    do {                                                                                           \
        D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = good;                                            \
        statement;                                                                                 \
        out = (ID3D12PipelineState *)f.device;                                                     \
        HRESULT hr = pipeline_create_graphics(f.device, &desc, &out);                              \
        pipeline_refused(&f, hr, out, id, #statement);                                             \
    } while (0)

/* The same, and that it is taken although the debug layer reports it. */
#define REPORTED(id, statement)                                                                    \
    do {                                                                                           \
        D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = good;                                            \
        statement;                                                                                 \
        MUST(pipeline_create_graphics(f.device, &desc, &out));                                     \
        cr_assert(kit_messages(f.device) == 1 && kit_count(f.device, id) == 1, #statement);        \
        ID3D12PipelineState_Release(out);                                                          \
        kit_clear(f.device);                                                                       \
    } while (0)
