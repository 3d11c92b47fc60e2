/* The answers of CheckFeatureSupport about formats. A set bit means that the emulator's resources,
 * views and commands accept this use of the format. A bit tells nothing about shaders, which are
 * not executed. */
#include "format/format_support.h"

#include "format/format.h"

enum kind {
    NONE, /* no texture of the emulator can have this format */
    TYPELESS,
    TYPELESS_PLANES, /* depth and stencil */
    TYPELESS_BLOCKS,
    COLOUR,   /* UNORM, SNORM, FLOAT */
    RENDERED, /* like COLOUR, but not in buffers or unordered access views */
    UNSIGNED,
    SIGNED,
    WIDE, /* 96 bits */
    SHARED,
    BLOCKS,
    DEPTH,
    DEPTH_READ,
    STENCIL_READ,
    DISPLAY_ONLY,
    VIDEO
};

#define S1(bit)      ((UINT)D3D12_FORMAT_SUPPORT1_##bit)
#define S2(bit)      ((UINT)D3D12_FORMAT_SUPPORT2_##bit)

#define FLAT         (S1(TEXTURE2D) | S1(TEXTURECUBE) | S1(MIP))
#define TEXTURES     (FLAT | S1(TEXTURE1D) | S1(TEXTURE3D))
#define CAST         S1(CAST_WITHIN_BIT_LAYOUT)
#define SAMPLED      (S1(SHADER_LOAD) | S1(SHADER_SAMPLE) | S1(SHADER_GATHER))
#define COMPARED     (S1(SHADER_SAMPLE_COMPARISON) | S1(SHADER_GATHER_COMPARISON))
#define MULTISAMPLED (S1(MULTISAMPLE_RENDERTARGET) | S1(MULTISAMPLE_LOAD))
#define TARGET       (S1(RENDER_TARGET) | MULTISAMPLED)
#define VERTICES     (S1(BUFFER) | S1(IA_VERTEX_BUFFER))
#define UNORDERED    S1(TYPED_UNORDERED_ACCESS_VIEW)
#define PROCESSED    (S1(VIDEO_PROCESSOR_INPUT) | S1(VIDEO_PROCESSOR_OUTPUT))
#define INTEGERS                                                                                   \
    (VERTICES | TEXTURES | CAST | S1(SHADER_LOAD) | S1(SHADER_GATHER) | TARGET | UNORDERED)

static const struct {
    UINT support1, support2;
} kinds[] = {
    [TYPELESS] = {TEXTURES | CAST, S2(TILED)},
    [TYPELESS_PLANES] = {FLAT | S1(TEXTURE1D) | CAST, 0},
    [TYPELESS_BLOCKS] = {FLAT | S1(TEXTURE3D) | CAST, S2(TILED)},
    [COLOUR] = {VERTICES | TEXTURES | CAST | SAMPLED | TARGET | S1(BLENDABLE) | UNORDERED,
                S2(TILED)},
    [RENDERED] = {TEXTURES | CAST | SAMPLED | TARGET | S1(BLENDABLE), S2(TILED)},
    [UNSIGNED] = {INTEGERS, S2(TILED) | S2(OUTPUT_MERGER_LOGIC_OP)},
    [SIGNED] = {INTEGERS, S2(TILED)},
    [WIDE] = {VERTICES | S1(SO_BUFFER) | TEXTURES | CAST | S1(SHADER_LOAD), 0},
    [SHARED] = {TEXTURES | SAMPLED, S2(TILED)},
    [BLOCKS] = {FLAT | S1(TEXTURE3D) | CAST | SAMPLED, S2(TILED)},
    [DEPTH] = {FLAT | S1(TEXTURE1D) | S1(DEPTH_STENCIL) | MULTISAMPLED, 0},
    [DEPTH_READ] = {FLAT | S1(TEXTURE1D) | CAST | SAMPLED | COMPARED | S1(MULTISAMPLE_LOAD), 0},
    [STENCIL_READ] = {FLAT | S1(TEXTURE1D) | CAST | S1(SHADER_LOAD) | S1(MULTISAMPLE_LOAD), 0},
    [DISPLAY_ONLY] = {S1(TEXTURE2D), 0},
    [VIDEO] = {S1(TEXTURE2D) | SAMPLED, 0},
};

#define KIND(format, kind) [DXGI_FORMAT_##format] = kind
/* The members of a family of formats with the usual names. */
#define NORMALIZED(family)                                                                         \
    KIND(family##_UNORM, COLOUR), KIND(family##_SNORM, COLOUR), KIND(family##_UINT, UNSIGNED),     \
        KIND(family##_SINT, SIGNED), KIND(family##_TYPELESS, TYPELESS)
#define FLOATING(family)                                                                           \
    KIND(family##_FLOAT, COLOUR), KIND(family##_UINT, UNSIGNED), KIND(family##_SINT, SIGNED),      \
        KIND(family##_TYPELESS, TYPELESS)
#define COMPRESSED(family, a, b)                                                                   \
    KIND(family##_TYPELESS, TYPELESS_BLOCKS), KIND(family##_##a, BLOCKS), KIND(family##_##b, BLOCKS)

static const uint8_t kind_of[] = {
    FLOATING(R32G32B32A32),
    KIND(R32G32B32_TYPELESS, TYPELESS),
    KIND(R32G32B32_FLOAT, WIDE),
    KIND(R32G32B32_UINT, WIDE),
    KIND(R32G32B32_SINT, WIDE),
    NORMALIZED(R16G16B16A16),
    KIND(R16G16B16A16_FLOAT, COLOUR),
    FLOATING(R32G32),
    KIND(R32G8X24_TYPELESS, TYPELESS_PLANES),
    KIND(D32_FLOAT_S8X24_UINT, DEPTH),
    KIND(R32_FLOAT_X8X24_TYPELESS, DEPTH_READ),
    KIND(X32_TYPELESS_G8X24_UINT, STENCIL_READ),
    KIND(R10G10B10A2_TYPELESS, TYPELESS),
    KIND(R10G10B10A2_UNORM, COLOUR),
    KIND(R10G10B10A2_UINT, UNSIGNED),
    KIND(R11G11B10_FLOAT, COLOUR),
    NORMALIZED(R8G8B8A8),
    KIND(R8G8B8A8_UNORM_SRGB, RENDERED),
    NORMALIZED(R16G16),
    KIND(R16G16_FLOAT, COLOUR),
    FLOATING(R32),
    KIND(D32_FLOAT, DEPTH),
    KIND(R24G8_TYPELESS, TYPELESS_PLANES),
    KIND(D24_UNORM_S8_UINT, DEPTH),
    KIND(R24_UNORM_X8_TYPELESS, DEPTH_READ),
    KIND(X24_TYPELESS_G8_UINT, STENCIL_READ),
    NORMALIZED(R8G8),
    NORMALIZED(R16),
    KIND(R16_FLOAT, COLOUR),
    KIND(D16_UNORM, DEPTH),
    NORMALIZED(R8),
    KIND(A8_UNORM, COLOUR),
    KIND(R9G9B9E5_SHAREDEXP, SHARED),
    KIND(R8G8_B8G8_UNORM, SHARED),
    KIND(G8R8_G8B8_UNORM, SHARED),
    COMPRESSED(BC1, UNORM, UNORM_SRGB),
    COMPRESSED(BC2, UNORM, UNORM_SRGB),
    COMPRESSED(BC3, UNORM, UNORM_SRGB),
    COMPRESSED(BC4, UNORM, SNORM),
    COMPRESSED(BC5, UNORM, SNORM),
    KIND(B5G6R5_UNORM, RENDERED),
    KIND(B5G5R5A1_UNORM, RENDERED),
    KIND(B8G8R8A8_UNORM, COLOUR),
    KIND(B8G8R8X8_UNORM, COLOUR),
    KIND(R10G10B10_XR_BIAS_A2_UNORM, DISPLAY_ONLY),
    KIND(B8G8R8A8_TYPELESS, TYPELESS),
    KIND(B8G8R8A8_UNORM_SRGB, RENDERED),
    KIND(B8G8R8X8_TYPELESS, TYPELESS),
    KIND(B8G8R8X8_UNORM_SRGB, RENDERED),
    COMPRESSED(BC6H, UF16, SF16),
    COMPRESSED(BC7, UNORM, UNORM_SRGB),
    KIND(AYUV, VIDEO),
    KIND(Y410, VIDEO),
    KIND(Y416, VIDEO),
    KIND(NV12, VIDEO),
    KIND(P010, VIDEO),
    KIND(P016, VIDEO),
    KIND(YUY2, VIDEO),
    KIND(Y210, VIDEO),
    KIND(Y216, VIDEO),
    KIND(B4G4R4A4_UNORM, RENDERED),
};

static enum kind find_kind(DXGI_FORMAT format)
{
    return (size_t)format < sizeof kind_of ? (enum kind)kind_of[format] : NONE;
}

/* The support that only some formats of a kind have. */
static UINT more_support1(DXGI_FORMAT format)
{
    switch (format) {
    case DXGI_FORMAT_R32_UINT:
        return S1(SO_BUFFER) | S1(IA_INDEX_BUFFER);
    case DXGI_FORMAT_R16_UINT:
        return S1(IA_INDEX_BUFFER);
    case DXGI_FORMAT_R32_FLOAT:
        return S1(SO_BUFFER) | COMPARED;
    case DXGI_FORMAT_R16_UNORM:
        return COMPARED;
    case DXGI_FORMAT_R32_SINT:
    case DXGI_FORMAT_R32G32_FLOAT:
    case DXGI_FORMAT_R32G32_UINT:
    case DXGI_FORMAT_R32G32_SINT:
    case DXGI_FORMAT_R32G32B32A32_FLOAT:
    case DXGI_FORMAT_R32G32B32A32_UINT:
    case DXGI_FORMAT_R32G32B32A32_SINT:
        return S1(SO_BUFFER);
    /* the support that the video device reports */
    case DXGI_FORMAT_NV12:
        return S1(DECODER_OUTPUT) | PROCESSED | S1(VIDEO_ENCODER);
    case DXGI_FORMAT_P010:
    case DXGI_FORMAT_R8G8B8A8_UNORM:
    case DXGI_FORMAT_B8G8R8A8_UNORM:
        return PROCESSED;
    default:
        return 0;
    }
}

static UINT more_support2(DXGI_FORMAT format, UINT support1)
{
    const UINT access = (support1 & UNORDERED) != 0 ? S2(UAV_TYPED_LOAD) | S2(UAV_TYPED_STORE) : 0;
    const UINT atomic = S2(UAV_ATOMIC_ADD) | S2(UAV_ATOMIC_BITWISE_OPS) |
                        S2(UAV_ATOMIC_COMPARE_STORE_OR_COMPARE_EXCHANGE) | S2(UAV_ATOMIC_EXCHANGE);
    switch (format) {
    case DXGI_FORMAT_R32_UINT:
        return access | atomic | S2(UAV_ATOMIC_UNSIGNED_MIN_OR_MAX);
    case DXGI_FORMAT_R32_SINT:
        return access | atomic | S2(UAV_ATOMIC_SIGNED_MIN_OR_MAX);
    case DXGI_FORMAT_R32_FLOAT:
        return access | S2(UAV_ATOMIC_EXCHANGE);
    default:
        return access;
    }
}

HRESULT format_support(void *answer)
{
    D3D12_FEATURE_DATA_FORMAT_SUPPORT *data = answer;
    const enum kind kind = find_kind(data->Format);
    UINT support1 = S1(BUFFER), support2 = 0; /* for UNKNOWN: structured buffers have this format */
    if (data->Format != DXGI_FORMAT_UNKNOWN) {
        if (kind == NONE)
            return E_FAIL;
        support1 = kinds[kind].support1 | more_support1(data->Format);
        support2 = kinds[kind].support2 | more_support2(data->Format, support1);
    }
    data->Support1 = (D3D12_FORMAT_SUPPORT1)support1;
    data->Support2 = (D3D12_FORMAT_SUPPORT2)support2;
    return S_OK;
}

/* Returns a format's planes, also if the emulator's textures can't have it; 0: no such format. */
static UINT8 planes_of(DXGI_FORMAT format)
{
    struct format found;
    if (format_find(format, &found))
        return found.planes;
    switch (format) {
    case DXGI_FORMAT_UNKNOWN:
    case DXGI_FORMAT_420_OPAQUE:
    case DXGI_FORMAT_AI44:
    case DXGI_FORMAT_IA44:
    case DXGI_FORMAT_P8:
    case DXGI_FORMAT_A8P8:
    case DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE:
    case DXGI_FORMAT_SAMPLER_FEEDBACK_MIP_REGION_USED_OPAQUE:
        return 1;
    case DXGI_FORMAT_NV11:
    case DXGI_FORMAT_P208:
        return 2;
    case DXGI_FORMAT_V208:
    case DXGI_FORMAT_V408:
        return 3;
    default:
        return 0;
    }
}

HRESULT format_info(void *answer)
{
    D3D12_FEATURE_DATA_FORMAT_INFO *data = answer;
    const UINT8 planes = planes_of(data->Format);
    if (planes == 0)
        return E_INVALIDARG;
    data->PlaneCount = planes;
    return S_OK;
}

HRESULT format_quality_levels(void *answer)
{
    D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS *data = answer;
    const UINT count = data->SampleCount;
    data->NumQualityLevels = 0; /* also on failure: programs that don't check the result need it */
    if (planes_of(data->Format) == 0 ||
        (UINT)data->Flags > D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_TILED_RESOURCE)
        return E_INVALIDARG;
    if (count == 0)
        return E_FAIL;
    const UINT support1 = kinds[find_kind(data->Format)].support1;
    const bool several = (count == 2 || count == 4 || count == 8) &&
                         (support1 & S1(MULTISAMPLE_RENDERTARGET)) != 0 &&
                         /* tiles of tier 2 have single samples */
                         data->Flags == D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_NONE;
    data->NumQualityLevels = count == 1 || several;
    return S_OK;
}
