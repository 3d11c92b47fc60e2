/* The form into which the emulator converts all three descriptions of a pipeline state:
 * D3D12_GRAPHICS_PIPELINE_STATE_DESC, D3D12_COMPUTE_PIPELINE_STATE_DESC and
 * D3D12_PIPELINE_STATE_STREAM_DESC. Pointers in this form point into the original description. */
#pragma once

#include "base/validation_error.h"
#include "root_signature/root_desc.h"

/* Values of D3D12_PIPELINE_STATE_FLAG_ that older headers lack. */
#define PIPELINE_DYNAMIC_DEPTH_BIAS 0x4u
#define PIPELINE_DYNAMIC_STRIP_CUT  0x8u

struct d3d12_device;

enum pipeline_kind { PIPELINE_COMPUTE = 1, PIPELINE_GRAPHICS, PIPELINE_MESH };

enum pipeline_stage {
    PIPELINE_VS,
    PIPELINE_HS,
    PIPELINE_DS,
    PIPELINE_GS,
    PIPELINE_AS,
    PIPELINE_MS,
    PIPELINE_PS,
    PIPELINE_CS,
    PIPELINE_STAGES
};

struct pipeline_desc {
    enum pipeline_kind kind;
    ID3D12RootSignature *root_signature;
    D3D12_SHADER_BYTECODE stages[PIPELINE_STAGES];
    D3D12_STREAM_OUTPUT_DESC stream_output;
    D3D12_BLEND_DESC blend;
    UINT sample_mask;
    D3D12_RASTERIZER_DESC rasterizer;
    D3D12_DEPTH_STENCIL_DESC2 depth_stencil;
    D3D12_INPUT_LAYOUT_DESC input_layout;
    D3D12_INDEX_BUFFER_STRIP_CUT_VALUE strip_cut;
    D3D12_PRIMITIVE_TOPOLOGY_TYPE topology;
    struct D3D12_RT_FORMAT_ARRAY render_targets;
    DXGI_FORMAT depth_format;
    DXGI_SAMPLE_DESC samples;
    D3D12_VIEW_INSTANCING_DESC views;
    UINT node_mask;
    D3D12_CACHED_PIPELINE_STATE cached;
    D3D12_PIPELINE_STATE_FLAGS flags;
};

struct pipeline_desc pipeline_desc_from_graphics(const D3D12_GRAPHICS_PIPELINE_STATE_DESC *desc);
struct pipeline_desc pipeline_desc_from_compute(const D3D12_COMPUTE_PIPELINE_STATE_DESC *desc);

/* Converts an older description, in which both faces have the same pair of masks. */
D3D12_DEPTH_STENCIL_DESC2 pipeline_depth_stencil(const D3D12_DEPTH_STENCIL_DESC1 *desc);

/* Reads a stream of subobjects (pipeline_stream.c). A missing subobject gets D3D12's default. */
struct validation_error pipeline_desc_from_stream(const D3D12_PIPELINE_STATE_STREAM_DESC *stream,
                                                  struct pipeline_desc *out);

/* Finds the first mistake in a description, for this device. Defined in pipeline_check.c. */
struct validation_error pipeline_desc_check(struct d3d12_device *device,
                                            const struct pipeline_desc *desc);

/* A pipeline's root signature, from the description or from a shader. */
struct pipeline_root {
    D3D12_ROOT_SIGNATURE_FLAGS flags;
    struct root_registers registers;
    bool is_own; /* whether the struct owns the memory of `layout`'s registers */
};

/* Each function finds the first mistake in a part of the description. The functions are in
 * check_shaders.c, check_streams.c and check_output.c. */
struct validation_error pipeline_check_bytecode(const struct pipeline_desc *desc);
struct validation_error pipeline_check_shaders(struct d3d12_device *device,
                                               const struct pipeline_desc *desc,
                                               const struct pipeline_root *root);
/* Returns whether two semantic names are equal, if upper and lower case don't matter. */
bool pipeline_same_semantic(const char *a, const char *b);
struct validation_error pipeline_check_input_layout(const D3D12_INPUT_LAYOUT_DESC *layout);
struct validation_error pipeline_check_stream_output(const D3D12_STREAM_OUTPUT_DESC *output);
struct validation_error pipeline_check_rasterizer(const D3D12_RASTERIZER_DESC *rasterizer);
struct validation_error pipeline_check_depth_stencil(const D3D12_DEPTH_STENCIL_DESC2 *desc);
struct validation_error pipeline_check_blend(const D3D12_BLEND_DESC *blend);

/* Returns a hash of everything that defines the state, including the root signature's content, but
 * without the cached blob and the flags (pipeline_digest.c). The description must be checked. */
uint64_t pipeline_desc_digest(const struct pipeline_desc *desc);

/* Returns the kernel of the first shader that has one, the compute shader first; 0: none. */
uint32_t pipeline_desc_kernel(const struct pipeline_desc *desc);
