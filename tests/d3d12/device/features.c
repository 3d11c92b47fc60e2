/* ID3D12Device::CheckFeatureSupport: every feature of the headers, and answers that agree with what
 * else the device does. */
#include "kit.h"

#include "base/abi.h"

#define EVERY_FEATURE(X)                                                                           \
    X(D3D12_OPTIONS)                                                                               \
    X(ARCHITECTURE)                                                                                \
    X(FEATURE_LEVELS)                                                                              \
    X(FORMAT_SUPPORT)                                                                              \
    X(MULTISAMPLE_QUALITY_LEVELS)                                                                  \
    X(FORMAT_INFO)                                                                                 \
    X(GPU_VIRTUAL_ADDRESS_SUPPORT)                                                                 \
    X(SHADER_MODEL)                                                                                \
    X(D3D12_OPTIONS1)                                                                              \
    X(PROTECTED_RESOURCE_SESSION_SUPPORT)                                                          \
    X(ROOT_SIGNATURE)                                                                              \
    X(ARCHITECTURE1)                                                                               \
    X(D3D12_OPTIONS2)                                                                              \
    X(SHADER_CACHE)                                                                                \
    X(COMMAND_QUEUE_PRIORITY)                                                                      \
    X(D3D12_OPTIONS3)                                                                              \
    X(EXISTING_HEAPS)                                                                              \
    X(D3D12_OPTIONS4)                                                                              \
    X(SERIALIZATION)                                                                               \
    X(CROSS_NODE)                                                                                  \
    X(D3D12_OPTIONS5)                                                                              \
    X(DISPLAYABLE)                                                                                 \
    X(D3D12_OPTIONS6)                                                                              \
    X(QUERY_META_COMMAND)                                                                          \
    X(D3D12_OPTIONS7)                                                                              \
    X(PROTECTED_RESOURCE_SESSION_TYPE_COUNT)                                                       \
    X(PROTECTED_RESOURCE_SESSION_TYPES)                                                            \
    X(D3D12_OPTIONS8)                                                                              \
    X(D3D12_OPTIONS9)                                                                              \
    X(D3D12_OPTIONS10)                                                                             \
    X(D3D12_OPTIONS11)                                                                             \
    X(D3D12_OPTIONS12)                                                                             \
    X(D3D12_OPTIONS13)                                                                             \
    X(D3D12_OPTIONS14)                                                                             \
    X(D3D12_OPTIONS15)                                                                             \
    X(USER_DEFINED_ANNOTATION)                                                                     \
    X(DUMP_FILE)                                                                                   \
    X(DEBUG_BREAK)

#define ROOM 128 /* no feature's struct is larger */

static const struct {
    unsigned id;
    UINT size;
    const char *name;
} features[] = {
#define ROW(name) {D3D12_FEATURE_##name, (UINT)sizeof(D3D12_FEATURE_DATA_##name), #name},
    EVERY_FEATURE(ROW)
#undef ROW
        {45, 8, "OPTIONS16"},
    {46, 8, "OPTIONS17"},
    {47, 4, "OPTIONS18"},
    {48, 40, "OPTIONS19"},
    {49, 8, "OPTIONS20"},
    {50, 4, "PREDICATION"},
    {52, 4, "HARDWARE_COPY"},
    {53, 16, "OPTIONS21"},
    {54, 4, "TIGHT_ALIGNMENT"},
    {56, 4, "APPLICATION_SPECIFIC_DRIVER_STATE"},
    {57, 4, "BYTECODE_BYPASS_HASH_SUPPORTED"},
    {60, 4, "HARDWARE_SCHEDULING_QUEUE_GROUPINGS"},
    {65, 16, "OPTIONS22"},
    {66, 4, "USER_DEFINED_ANNOTATION of the specification v0.06"},
};
#define FEATURES (sizeof features / sizeof features[0])

static HRESULT ask(ID3D12Device *device, unsigned id, void *data, UINT size)
{
    return ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)id, data, size);
}
#define ASK(device, name, data) ask(device, D3D12_FEATURE_##name, data, (UINT)sizeof *(data))

/* A question that has an answer; what isn't asked is 0xA5. */
static void write_question(unsigned id, unsigned char room[ROOM])
{
    static const D3D_FEATURE_LEVEL level = D3D_FEATURE_LEVEL_11_0;
    static const UINT zero = 0;
    static GUID type;
    memset(room, 0xA5, ROOM);
    memcpy(room, &zero, sizeof zero); /* node, DXGI_FORMAT_UNKNOWN, DIRECT */
    if (id == D3D12_FEATURE_FEATURE_LEVELS)
        *(D3D12_FEATURE_DATA_FEATURE_LEVELS *)(void *)room =
            (D3D12_FEATURE_DATA_FEATURE_LEVELS){1, &level, (D3D_FEATURE_LEVEL)0};
    if (id == D3D12_FEATURE_SHADER_MODEL)
        ((D3D12_FEATURE_DATA_SHADER_MODEL *)(void *)room)->HighestShaderModel =
            D3D_SHADER_MODEL_6_0;
    if (id == D3D12_FEATURE_ROOT_SIGNATURE)
        ((D3D12_FEATURE_DATA_ROOT_SIGNATURE *)(void *)room)->HighestVersion =
            D3D_ROOT_SIGNATURE_VERSION_1_0;
    if (id == D3D12_FEATURE_MULTISAMPLE_QUALITY_LEVELS)
        *(D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS *)(void *)room =
            (D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS){
                DXGI_FORMAT_R8G8B8A8_UNORM, 4, D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_NONE, 0};
    if (id == D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPES)
        *(D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES *)(void *)room =
            (D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES){0, 1, &type};
}

Test(features, each_has_an_answer_in_its_size_and_no_other) /* ANN-CAPS-03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    _Alignas(16) unsigned char asked[ROOM], room[ROOM];
    for (size_t i = 0; i < FEATURES; i++) {
        const unsigned id = features[i].id;
        const UINT size = features[i].size;
        cr_assert(size < ROOM);
        write_question(id, asked);
        memcpy(room, asked, ROOM);
        for (UINT wrong = 0; wrong < ROOM; wrong++)
            if (wrong != size)
                cr_assert_eq(ask(device, id, room, wrong), E_INVALIDARG, "%s takes %u bytes",
                             features[i].name, wrong);
        cr_assert_eq(ask(device, id, NULL, size), E_INVALIDARG, "%s", features[i].name);
        cr_assert_mem_eq(room, asked, ROOM, "%s writes and fails", features[i].name);
        if (id == D3D12_FEATURE_QUERY_META_COMMAND)
            continue;
        cr_assert_eq(ask(device, id, room, size), S_OK, "%s", features[i].name);
        cr_assert_mem_eq(room + size, asked + size, ROOM - size, "%s writes past its struct",
                         features[i].name);
    }
}

Test(features, others_are_unknown_whatever_the_size)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    unsigned char room[ROOM], before[ROOM];
    memset(room, 0xA5, ROOM);
    memset(before, 0xA5, ROOM);
    for (unsigned id = 0; id < 200; id++) {
        bool known = false;
        for (size_t i = 0; i < FEATURES; i++)
            known |= features[i].id == id;
        for (UINT size = 0; size <= ROOM && !known; size++)
            cr_assert_eq(ask(device, id, room, size), E_INVALIDARG, "%u", id);
    }
    EXPECT_HR(ask(device, 0xFFFFFFFF, room, 4), E_INVALIDARG);
    cr_assert_mem_eq(room, before, ROOM);
}

Test(features, there_is_one_node)
{
    static const unsigned of_a_node[] = {
        D3D12_FEATURE_ARCHITECTURE,
        D3D12_FEATURE_ARCHITECTURE1,
        D3D12_FEATURE_SERIALIZATION,
        D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_SUPPORT,
        D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPE_COUNT,
        D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPES,
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    cr_assert_eq(ID3D12Device_GetNodeCount(device), 1);
    for (size_t i = 0; i < sizeof of_a_node / sizeof of_a_node[0]; i++) {
        _Alignas(16) unsigned char asked[ROOM], room[ROOM];
        UINT size = 0;
        for (size_t f = 0; f < FEATURES; f++)
            size = features[f].id == of_a_node[i] ? features[f].size : size;
        write_question(of_a_node[i], asked);
        asked[0] = 1;
        memcpy(room, asked, ROOM);
        EXPECT_HR(ask(device, of_a_node[i], room, size), E_INVALIDARG);
        cr_assert_mem_eq(room, asked, ROOM, "%u", of_a_node[i]);
    }
}

/* ---- versions ---- */

static D3D_FEATURE_LEVEL best_of(ID3D12Device *device, UINT count, const D3D_FEATURE_LEVEL *levels)
{
    D3D12_FEATURE_DATA_FEATURE_LEVELS data = {count, levels, (D3D_FEATURE_LEVEL)0};
    MUST(ASK(device, FEATURE_LEVELS, &data));
    return data.MaxSupportedFeatureLevel;
}

/* "the highest of those requested that the device supports"; on Windows whatever the numbers
 * are. */
Test(features, feature_levels_are_the_best_of_those_asked_for)
{
    static const D3D_FEATURE_LEVEL all[] = {D3D_FEATURE_LEVEL_11_0, D3D_FEATURE_LEVEL_12_2,
                                            D3D_FEATURE_LEVEL_12_0, D3D_FEATURE_LEVEL_11_1};
    static const D3D_FEATURE_LEVEL old[] = {D3D_FEATURE_LEVEL_9_1, D3D_FEATURE_LEVEL_9_3};
    static const D3D_FEATURE_LEVEL odd[] = {(D3D_FEATURE_LEVEL)0, (D3D_FEATURE_LEVEL)0x3000};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    cr_assert_eq(best_of(device, 4, all), D3D_FEATURE_LEVEL_12_0);
    cr_assert_eq(best_of(device, 2, all), D3D_FEATURE_LEVEL_11_0);
    cr_assert_eq(best_of(device, 2, old), D3D_FEATURE_LEVEL_9_3);
    cr_assert_eq(best_of(device, 2, odd), (D3D_FEATURE_LEVEL)0x3000);

    D3D12_FEATURE_DATA_FEATURE_LEVELS data = {0, all, (D3D_FEATURE_LEVEL)77};
    EXPECT_HR(ASK(device, FEATURE_LEVELS, &data), E_INVALIDARG);
    data = (D3D12_FEATURE_DATA_FEATURE_LEVELS){2, NULL, (D3D_FEATURE_LEVEL)77};
    EXPECT_HR(ASK(device, FEATURE_LEVELS, &data), E_INVALIDARG);
    data = (D3D12_FEATURE_DATA_FEATURE_LEVELS){1, &all[1], (D3D_FEATURE_LEVEL)77};
    EXPECT_HR(ASK(device, FEATURE_LEVELS, &data), DXGI_ERROR_UNSUPPORTED);
    cr_assert_eq(data.MaxSupportedFeatureLevel, (D3D_FEATURE_LEVEL)77);
}

Test(features, root_signature_version_is_at_most_the_one_asked_for)
{
    static const struct {
        unsigned asked;
        HRESULT hr;
        unsigned answer;
    } cases[] = {
        {1, S_OK, 1},         {2, S_OK, 2},         {3, S_OK, 3},
        {0, E_INVALIDARG, 0}, {4, E_INVALIDARG, 4}, {0xDEADBEEF, E_INVALIDARG, 0xDEADBEEF},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        D3D12_FEATURE_DATA_ROOT_SIGNATURE data = {(D3D_ROOT_SIGNATURE_VERSION)cases[i].asked};
        EXPECT_HR(ASK(device, ROOT_SIGNATURE, &data), cases[i].hr);
        cr_assert_eq((unsigned)data.HighestVersion, cases[i].answer, "%u", cases[i].asked);
    }
}

/* D3D12_FEATURE_DATA_D3D12_OPTIONS3: what CreateCommittedResource3 and views do is said. */
Test(features, fully_typed_formats_are_cast)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_D3D12_OPTIONS3 data = {0};
    MUST(ASK(device, D3D12_OPTIONS3, &data));
    cr_assert(data.CastingFullyTypedFormatSupported);
}

/* Newer headers call these D3D12_FEATURE_BARRIER_LAYOUT and D3D12_FEATURE_DATA_BARRIER_LAYOUT
 * [D3D12 Enhanced Barriers, "Command Queue Layout Compatibility"]. */
Test(features, barrier_layouts_are_for_lists_of_their_kind)
{
    enum { DRAWS = 1, COMPUTES = 2, COPIES = 4, DECODES = 8, PROCESSES = 16, ENCODES = 32 };
    enum { ALL = 63 };
    static const struct {
        D3D12_BARRIER_LAYOUT layout;
        unsigned lists;
    } cases[] = {
        {D3D12_BARRIER_LAYOUT_UNDEFINED, ALL},
        {D3D12_BARRIER_LAYOUT_COMMON, ALL},
        {D3D12_BARRIER_LAYOUT_RENDER_TARGET, DRAWS},
        {D3D12_BARRIER_LAYOUT_UNORDERED_ACCESS, DRAWS | COMPUTES},
        {D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_COMMON, DRAWS},
        {D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_COPY_DEST, COMPUTES},
        {D3D12_BARRIER_LAYOUT_VIDEO_DECODE_READ, DECODES},
        {D3D12_BARRIER_LAYOUT_VIDEO_DECODE_WRITE, DECODES},
        {D3D12_BARRIER_LAYOUT_VIDEO_PROCESS_READ, PROCESSES},
        {D3D12_BARRIER_LAYOUT_VIDEO_PROCESS_WRITE, PROCESSES},
        {D3D12_BARRIER_LAYOUT_VIDEO_ENCODE_READ, ENCODES},
        {D3D12_BARRIER_LAYOUT_VIDEO_ENCODE_WRITE, ENCODES},
        {ABI_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON, DECODES | PROCESSES | ENCODES},
        /* DIRECT_QUEUE_GENERIC_READ_COMPUTE_QUEUE_ACCESSIBLE: known since 1.617, optional */
        {(D3D12_BARRIER_LAYOUT)31, 0}};
    static const D3D12_COMMAND_LIST_TYPE types[] = {DIRECT,
                                                    COMPUTE,
                                                    COPY,
                                                    D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE,
                                                    D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS,
                                                    D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    struct {
        D3D12_COMMAND_LIST_TYPE type;
        D3D12_BARRIER_LAYOUT layout;
        BOOL supported;
    } data;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned t = 0; t < 6; t++) {
            data.type = types[t];
            data.layout = cases[i].layout;
            data.supported = 77;
            MUST(ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)64, &data, sizeof data));
            cr_expect_eq(data.supported, (BOOL)(cases[i].lists >> t & 1), "case %zu, list %u", i,
                         t);
        }
    data.layout = D3D12_BARRIER_LAYOUT_COMMON;
    data.type = BUNDLE; /* which no queue executes by itself */
    EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)64, &data, sizeof data),
              E_INVALIDARG);
    data.type = DIRECT;
    data.layout = (D3D12_BARRIER_LAYOUT)999;
    EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)64, &data, sizeof data),
              E_INVALIDARG);
    EXPECT_HR(ID3D12Device_CheckFeatureSupport(device, (D3D12_FEATURE)64, &data, 8), E_INVALIDARG);
}

/* "E_INVALIDARG if HighestShaderModel isn't known by the current runtime"; the highest that is
 * known and not higher than the one passed in: shaders of every model do the same here. */
Test(features, shader_model_is_the_one_asked_for)
{
    static const unsigned known[] = {0x51, 0x60, 0x61, 0x62, 0x63, 0x64,
                                     0x65, 0x66, 0x67, 0x68, 0x69, 0x6A};
    static const unsigned unknown[] = {0, 0x50, 0x52, 0x5F, 0x6B, 0x70, 0xFFFFFFFF};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        D3D12_FEATURE_DATA_SHADER_MODEL data = {(D3D_SHADER_MODEL)known[i]};
        MUST(ASK(device, SHADER_MODEL, &data));
        cr_assert_eq((unsigned)data.HighestShaderModel, known[i], "%#x", known[i]);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        D3D12_FEATURE_DATA_SHADER_MODEL data = {(D3D_SHADER_MODEL)unknown[i]};
        EXPECT_HR(ASK(device, SHADER_MODEL, &data), E_INVALIDARG);
        cr_assert_eq((unsigned)data.HighestShaderModel, unknown[i]);
    }
}

/* ---- formats ---- */

static D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, D3D12_RESOURCE_DIMENSION dimension,
                                        D3D12_RESOURCE_FLAGS flags, UINT samples)
{
    const UINT height = dimension == D3D12_RESOURCE_DIMENSION_TEXTURE1D ? 1 : 16;
    D3D12_RESOURCE_DESC desc = kit_texture_desc(format, 16, height, 1, 1, flags);
    desc.Dimension = dimension;
    desc.SampleDesc.Count = samples;
    return desc;
}

static bool can_create(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    return TRY(ID3D12Resource, NULL, device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE,
               desc, D3D12_RESOURCE_STATE_COMMON, NULL) == S_FALSE;
}

static bool supports(ID3D12Device *device, DXGI_FORMAT format, UINT support1)
{
    D3D12_FEATURE_DATA_FORMAT_SUPPORT data = {format, (D3D12_FORMAT_SUPPORT1)0,
                                              (D3D12_FORMAT_SUPPORT2)0};
    return ASK(device, FORMAT_SUPPORT, &data) == S_OK &&
           ((UINT)data.Support1 & support1) == support1;
}

/* A format's promises hold; a format that isn't a texture's can't be made. */
Test(features, formats_can_be_what_is_said_of_them)
{
    static const struct {
        UINT support1;
        D3D12_RESOURCE_DIMENSION dimension;
        D3D12_RESOURCE_FLAGS flags;
        UINT samples;
    } uses[] = {
        {D3D12_FORMAT_SUPPORT1_TEXTURE1D, D3D12_RESOURCE_DIMENSION_TEXTURE1D,
         D3D12_RESOURCE_FLAG_NONE, 1},
        {D3D12_FORMAT_SUPPORT1_TEXTURE3D, D3D12_RESOURCE_DIMENSION_TEXTURE3D,
         D3D12_RESOURCE_FLAG_NONE, 1},
        {D3D12_FORMAT_SUPPORT1_RENDER_TARGET, D3D12_RESOURCE_DIMENSION_TEXTURE2D,
         D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, 1},
        {D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL, D3D12_RESOURCE_DIMENSION_TEXTURE2D,
         D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL, 1},
        {D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW, D3D12_RESOURCE_DIMENSION_TEXTURE2D,
         D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS, 1},
        {D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET,
         D3D12_RESOURCE_DIMENSION_TEXTURE2D, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, 4},
        {D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL | D3D12_FORMAT_SUPPORT1_MULTISAMPLE_RENDERTARGET,
         D3D12_RESOURCE_DIMENSION_TEXTURE2D, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL, 8},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    int textures = 0;
    for (int f = 0; f < 256; f++) {
        const DXGI_FORMAT format = (DXGI_FORMAT)f;
        const D3D12_RESOURCE_DESC plain =
            texture_desc(format, D3D12_RESOURCE_DIMENSION_TEXTURE2D, D3D12_RESOURCE_FLAG_NONE, 1);
        const bool texture = supports(device, format, D3D12_FORMAT_SUPPORT1_TEXTURE2D);
        cr_assert_eq(texture, can_create(device, &plain), "format %d", f);
        textures += texture;
        for (size_t u = 0; u < sizeof uses / sizeof uses[0]; u++) {
            const D3D12_RESOURCE_DESC desc =
                texture_desc(format, uses[u].dimension, uses[u].flags, uses[u].samples);
            if (supports(device, format, uses[u].support1))
                cr_assert(can_create(device, &desc), "format %d, use %zu", f, u);
        }
    }
    cr_assert(textures > 90);
}

/* "Hardware support for Direct3D 12.0 formats": some that a program may rely on, and some that it
 * may not. */
Test(features, formats_have_what_feature_level_12_0_requires)
{
    static const UINT target = D3D12_FORMAT_SUPPORT1_RENDER_TARGET |
                               D3D12_FORMAT_SUPPORT1_BLENDABLE |
                               D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE | D3D12_FORMAT_SUPPORT1_MIP |
                               D3D12_FORMAT_SUPPORT1_TEXTURECUBE;
    static const UINT unordered = D3D12_FORMAT_SUPPORT1_TYPED_UNORDERED_ACCESS_VIEW;
    static const struct {
        DXGI_FORMAT format;
        UINT has, has_not;
    } cases[] = {
        {DXGI_FORMAT_R8G8B8A8_UNORM, target | unordered | D3D12_FORMAT_SUPPORT1_IA_VERTEX_BUFFER,
         D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL},
        {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, target, unordered},
        {DXGI_FORMAT_R16G16B16A16_FLOAT, target | unordered, D3D12_FORMAT_SUPPORT1_SO_BUFFER},
        {DXGI_FORMAT_R32_UINT,
         D3D12_FORMAT_SUPPORT1_IA_INDEX_BUFFER | unordered | D3D12_FORMAT_SUPPORT1_BUFFER |
             D3D12_FORMAT_SUPPORT1_RENDER_TARGET,
         D3D12_FORMAT_SUPPORT1_BLENDABLE | D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE},
        {DXGI_FORMAT_R16_UINT, D3D12_FORMAT_SUPPORT1_IA_INDEX_BUFFER,
         D3D12_FORMAT_SUPPORT1_SO_BUFFER},
        {DXGI_FORMAT_R8_UINT, unordered, D3D12_FORMAT_SUPPORT1_IA_INDEX_BUFFER},
        {DXGI_FORMAT_R32G32B32_FLOAT,
         D3D12_FORMAT_SUPPORT1_IA_VERTEX_BUFFER | D3D12_FORMAT_SUPPORT1_SO_BUFFER, unordered},
        {DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL,
         D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_SHADER_LOAD |
             D3D12_FORMAT_SUPPORT1_TEXTURE3D},
        {DXGI_FORMAT_R24_UNORM_X8_TYPELESS, D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE_COMPARISON,
         D3D12_FORMAT_SUPPORT1_DEPTH_STENCIL},
        {DXGI_FORMAT_BC7_UNORM, D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE,
         D3D12_FORMAT_SUPPORT1_RENDER_TARGET | D3D12_FORMAT_SUPPORT1_BUFFER |
             D3D12_FORMAT_SUPPORT1_TEXTURE1D},
        {DXGI_FORMAT_R8G8B8A8_TYPELESS, D3D12_FORMAT_SUPPORT1_CAST_WITHIN_BIT_LAYOUT,
         D3D12_FORMAT_SUPPORT1_SHADER_LOAD | D3D12_FORMAT_SUPPORT1_RENDER_TARGET},
        /* "Format Support for Direct3D 12": shaders load, sample and gather planes of video */
        {DXGI_FORMAT_NV12,
         D3D12_FORMAT_SUPPORT1_DECODER_OUTPUT | D3D12_FORMAT_SUPPORT1_SHADER_LOAD |
             D3D12_FORMAT_SUPPORT1_SHADER_SAMPLE | D3D12_FORMAT_SUPPORT1_SHADER_GATHER,
         D3D12_FORMAT_SUPPORT1_MIP | D3D12_FORMAT_SUPPORT1_DISPLAY},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        D3D12_FEATURE_DATA_FORMAT_SUPPORT data = {cases[i].format, (D3D12_FORMAT_SUPPORT1)0,
                                                  (D3D12_FORMAT_SUPPORT2)0};
        MUST(ASK(device, FORMAT_SUPPORT, &data));
        cr_assert_eqs((UINT)data.Support1 & cases[i].has, cases[i].has,
                      (UINT)data.Support1 & cases[i].has_not, 0, "format %d: %#x",
                      (int)cases[i].format, (unsigned)data.Support1);
    }
    D3D12_FEATURE_DATA_FORMAT_SUPPORT data = {DXGI_FORMAT_R32_UINT, (D3D12_FORMAT_SUPPORT1)0,
                                              (D3D12_FORMAT_SUPPORT2)0};
    const UINT atomics = D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_ADD |
                         D3D12_FORMAT_SUPPORT2_UAV_ATOMIC_UNSIGNED_MIN_OR_MAX |
                         D3D12_FORMAT_SUPPORT2_UAV_TYPED_LOAD |
                         D3D12_FORMAT_SUPPORT2_UAV_TYPED_STORE;
    MUST(ASK(device, FORMAT_SUPPORT, &data));
    cr_assert_eq((UINT)data.Support2 & atomics, atomics);
}

Test(features, structured_buffers_have_the_unknown_format)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_FORMAT_SUPPORT data = {DXGI_FORMAT_UNKNOWN, (D3D12_FORMAT_SUPPORT1)-1,
                                              (D3D12_FORMAT_SUPPORT2)-1};
    MUST(ASK(device, FORMAT_SUPPORT, &data));
    cr_assert_eq(data.Support1, D3D12_FORMAT_SUPPORT1_BUFFER);
    cr_assert_eq(data.Support2, D3D12_FORMAT_SUPPORT2_NONE);
}

Test(features, a_format_that_can_not_be_had_is_refused)
{
    static const int formats[] = {
        DXGI_FORMAT_R1_UNORM, DXGI_FORMAT_P8, DXGI_FORMAT_V408, 120, 255, -1};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        D3D12_FEATURE_DATA_FORMAT_SUPPORT data = {(DXGI_FORMAT)formats[i], (D3D12_FORMAT_SUPPORT1)7,
                                                  (D3D12_FORMAT_SUPPORT2)9};
        EXPECT_HR(ASK(device, FORMAT_SUPPORT, &data), E_FAIL);
        cr_assert_eqs((int)data.Support1, 7, (int)data.Support2, 9, "format %d", formats[i]);
    }
}

/* The plane counts of D3D12's documentation, for every DXGI_FORMAT. */
Test(features, every_format_has_its_planes)
{
    static const struct {
        unsigned format;
        UINT8 planes;
    } several[] = {
        {DXGI_FORMAT_R32G8X24_TYPELESS, 2},
        {DXGI_FORMAT_D32_FLOAT_S8X24_UINT, 2},
        {DXGI_FORMAT_R32_FLOAT_X8X24_TYPELESS, 2},
        {DXGI_FORMAT_X32_TYPELESS_G8X24_UINT, 2},
        {DXGI_FORMAT_R24G8_TYPELESS, 2},
        {DXGI_FORMAT_D24_UNORM_S8_UINT, 2},
        {DXGI_FORMAT_R24_UNORM_X8_TYPELESS, 2},
        {DXGI_FORMAT_X24_TYPELESS_G8_UINT, 2},
        {DXGI_FORMAT_NV12, 2},
        {DXGI_FORMAT_P010, 2},
        {DXGI_FORMAT_P016, 2},
        {DXGI_FORMAT_NV11, 2},
        {DXGI_FORMAT_P208, 2},
        {DXGI_FORMAT_V208, 3},
        {DXGI_FORMAT_V408, 3},
        {DXGI_FORMAT_R1_UNORM, 0},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (unsigned f = (unsigned)-1; f + 1 <= 300; f++) {
        const bool exists = f <= DXGI_FORMAT_B4G4R4A4_UNORM ||
                            (f >= DXGI_FORMAT_P208 && f <= DXGI_FORMAT_V408) || f == 189 ||
                            f == 190;
        UINT8 planes = exists ? 1 : 0;
        for (size_t i = 0; i < sizeof several / sizeof several[0]; i++)
            if (several[i].format == f)
                planes = several[i].planes;
        D3D12_FEATURE_DATA_FORMAT_INFO data = {(DXGI_FORMAT)f, 77};
        const HRESULT hr = ASK(device, FORMAT_INFO, &data);
        cr_assert_eq(hr, planes != 0 ? S_OK : E_INVALIDARG, "format %u: 0x%08x", f, (unsigned)hr);
        cr_assert_eq(data.PlaneCount, planes != 0 ? planes : 77, "format %u", f);
    }
}

static UINT quality_levels(ID3D12Device *device, unsigned format, UINT samples, unsigned flags)
{
    D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS data = {
        (DXGI_FORMAT)format, samples, (D3D12_MULTISAMPLE_QUALITY_LEVEL_FLAGS)flags, 77};
    MUST(ASK(device, MULTISAMPLE_QUALITY_LEVELS, &data));
    return data.NumQualityLevels;
}

Test(features, sample_counts_have_quality_levels)
{
    static const D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS bad[] = {
        {DXGI_FORMAT_R8G8B8A8_UNORM, 4, (D3D12_MULTISAMPLE_QUALITY_LEVEL_FLAGS)2, 77},
        {DXGI_FORMAT_R1_UNORM, 1, D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_NONE, 77},
        {(DXGI_FORMAT)255, 4, D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_NONE, 77},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (unsigned f = 0; f <= DXGI_FORMAT_B4G4R4A4_UNORM; f++)
        cr_assert(f == DXGI_FORMAT_R1_UNORM || quality_levels(device, f, 1, 0) == 1, "%u", f);
    for (UINT samples = 2; samples <= 40; samples++) {
        const bool had = samples == 2 || samples == 4 || samples == 8;
        cr_assert_eq(quality_levels(device, DXGI_FORMAT_R8G8B8A8_UNORM, samples, 0), had);
        cr_assert_eq(quality_levels(device, DXGI_FORMAT_D32_FLOAT_S8X24_UINT, samples, 0), had);
        cr_assert_eq(quality_levels(device, DXGI_FORMAT_BC1_UNORM, samples, 0), 0);
        cr_assert_eq(quality_levels(device, DXGI_FORMAT_UNKNOWN, samples, 0), 0);
        cr_assert_eq(quality_levels(device, DXGI_FORMAT_R8G8B8A8_UNORM, samples, 1), 0);
    }
    D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS none = {
        DXGI_FORMAT_R8G8B8A8_UNORM, 0, D3D12_MULTISAMPLE_QUALITY_LEVELS_FLAG_NONE, 77};
    EXPECT_HR(ASK(device, MULTISAMPLE_QUALITY_LEVELS, &none), E_FAIL);
    cr_assert_eq(none.NumQualityLevels, 0, "for programs that look at the number only");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        D3D12_FEATURE_DATA_MULTISAMPLE_QUALITY_LEVELS data = bad[i];
        EXPECT_HR(ASK(device, MULTISAMPLE_QUALITY_LEVELS, &data), E_INVALIDARG);
        cr_assert_eq(data.NumQualityLevels, 0);
    }
}

/* ---- the rest ---- */

/* The documented least of the feature level that the device says it has. */
Test(features, options_keep_what_feature_level_12_0_promises)
{
    D3D12_FEATURE_DATA_D3D12_OPTIONS options;
    D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT addresses;
    D3D12_FEATURE_DATA_ARCHITECTURE architecture = {0};
    D3D12_FEATURE_DATA_ARCHITECTURE1 architecture1 = {0};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    MUST(ASK(device, D3D12_OPTIONS, &options));
    cr_assert(options.ResourceBindingTier >= D3D12_RESOURCE_BINDING_TIER_2);
    cr_assert(options.TiledResourcesTier >= D3D12_TILED_RESOURCES_TIER_2);
    cr_assert(options.TypedUAVLoadAdditionalFormats && options.OutputMergerLogicOp);
    MUST(ASK(device, GPU_VIRTUAL_ADDRESS_SUPPORT, &addresses));
    cr_assert_eq(addresses.MaxGPUVirtualAddressBitsPerResource,
                 options.MaxGPUVirtualAddressBitsPerResource);
    cr_assert(addresses.MaxGPUVirtualAddressBitsPerProcess >=
              addresses.MaxGPUVirtualAddressBitsPerResource);
    MUST(ASK(device, ARCHITECTURE, &architecture));
    MUST(ASK(device, ARCHITECTURE1, &architecture1));
    cr_assert_eq(architecture.UMA, architecture1.UMA);
    cr_assert_eq(architecture.CacheCoherentUMA, architecture1.CacheCoherentUMA);
    cr_assert_eq(architecture.TileBasedRenderer, architecture1.TileBasedRenderer);
}

Test(features, queues_have_priorities_up_to_100)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int type = -1; type < 9; type++) {
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = (D3D12_COMMAND_LIST_TYPE)type};
        const bool is_queue =
            ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, NULL) ==
            S_FALSE;
        for (UINT priority = 0; priority <= 10000; priority += 100) {
            D3D12_FEATURE_DATA_COMMAND_QUEUE_PRIORITY data = {(D3D12_COMMAND_LIST_TYPE)type,
                                                              priority, 77};
            EXPECT_HR(ASK(device, COMMAND_QUEUE_PRIORITY, &data), is_queue ? S_OK : E_INVALIDARG);
            cr_assert_eq(data.PriorityForTypeIsSupported, is_queue ? priority <= 100 : 77);
        }
    }
}

/* "Count must match the count of D3D12_FEATURE_PROTECTED_RESOURCE_SESSION_TYPE_COUNT" */
Test(features, protected_sessions_have_one_type)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_SUPPORT support = {0};
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPE_COUNT count = {0};
    GUID type = {0};
    MUST(ASK(device, PROTECTED_RESOURCE_SESSION_SUPPORT, &support));
    cr_assert_eq(support.Support, D3D12_PROTECTED_RESOURCE_SESSION_SUPPORT_FLAG_SUPPORTED);
    MUST(ASK(device, PROTECTED_RESOURCE_SESSION_TYPE_COUNT, &count));
    cr_assert_eq(count.Count, 1);
    D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES types = {0, 1, &type};
    MUST(ASK(device, PROTECTED_RESOURCE_SESSION_TYPES, &types));
    cr_assert_mem_eq(&type, &D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED, sizeof type);
    for (UINT wrong = 0; wrong < 3; wrong += 2) {
        types = (D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES){0, wrong, &type};
        EXPECT_HR(ASK(device, PROTECTED_RESOURCE_SESSION_TYPES, &types), E_INVALIDARG);
    }
    types = (D3D12_FEATURE_DATA_PROTECTED_RESOURCE_SESSION_TYPES){0, 1, NULL};
    EXPECT_HR(ASK(device, PROTECTED_RESOURCE_SESSION_TYPES, &types), E_INVALIDARG);
}

/* The one query whose struct may be right and that has no answer: there is no meta command. */
Test(features, no_meta_command_can_be_asked_about)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_FEATURE_DATA_QUERY_META_COMMAND data = {.NodeMask = 1};
    EXPECT_HR(ASK(device, QUERY_META_COMMAND, &data), DXGI_ERROR_UNSUPPORTED);
}
