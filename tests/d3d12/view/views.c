/* Views of textures: which mips, slices, planes and formats of which dimension they may show. */
#include "kit.h"

#include "base/abi.h"

#define CBV_SRV_UAV D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV
#define ALL         UINT32_MAX
#define TARGET      D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET
#define DEPTH       D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL
#define WRITABLE    D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS

/* The textures that views are tried on. */
enum which {
    NO_TEXTURE,
    LINE,     /* 1D, 64 texels, 3 mips, 4 slices */
    ATLAS,    /* 2D, 64 x 64, 4 mips, 13 slices */
    SAMPLED,  /* 2D, 4 samples, 3 slices, a target */
    VOLUME,   /* 3D, 16 deep, 3 mips */
    SHALLOW,  /* 3D, 2 deep, 4 mips */
    TYPELESS, /* R8G8B8A8_TYPELESS */
    CASTABLE, /* R8G8B8A8_UNORM that may be R32_FLOAT */
    STENCIL,  /* R24G8_TYPELESS for depth */
    SURFACE,  /* D32_FLOAT, 2 mips, 3 slices */
    VIDEO,    /* NV12 */
    TEXTURES
};

struct fixture {
    ID3D12Device *device;
    ID3D12DescriptorHeap *heap;
    D3D12_CPU_DESCRIPTOR_HANDLE at;
    ID3D12Resource *textures[TEXTURES];
};

static D3D12_RESOURCE_DESC texture(D3D12_RESOURCE_DIMENSION dimension, UINT width, UINT height,
                                   UINT depth, UINT mips, DXGI_FORMAT format,
                                   D3D12_RESOURCE_FLAGS flags)
{
    return (D3D12_RESOURCE_DESC){.Dimension = dimension,
                                 .Width = width,
                                 .Height = height,
                                 .DepthOrArraySize = (UINT16)depth,
                                 .MipLevels = (UINT16)mips,
                                 .Format = format,
                                 .SampleDesc = {.Count = 1},
                                 .Flags = flags};
}

static ID3D12Resource *make(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    return kit_resource(device, desc, D3D12_RESOURCE_STATE_COMMON);
}

static ID3D12Resource *make_castable(ID3D12Device *device)
{
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC1 desc = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                       .Width = 16,
                                       .Height = 16,
                                       .DepthOrArraySize = 1,
                                       .MipLevels = 1,
                                       .Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                       .SampleDesc = {.Count = 1},
                                       .Flags = WRITABLE};
    DXGI_FORMAT castable[] = {DXGI_FORMAT_R32_FLOAT};
    OWNED ID3D12Device10 *newer = AS(ID3D12Device10, device);
    ID3D12Resource *resource =
        MADE(ID3D12Resource, newer, CreateCommittedResource3, &local, D3D12_HEAP_FLAG_NONE, &desc,
             D3D12_BARRIER_LAYOUT_COMMON, NULL, NULL, 1, castable);
    return resource;
}

static void set_up(struct fixture *f, D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {type, 1, 0, 0};
    const D3D12_RESOURCE_DIMENSION d1 = D3D12_RESOURCE_DIMENSION_TEXTURE1D,
                                   d2 = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                   d3 = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    const DXGI_FORMAT rgba = DXGI_FORMAT_R8G8B8A8_UNORM;
    D3D12_RESOURCE_DESC sampled = texture(d2, 16, 16, 3, 1, rgba, TARGET);
    sampled.SampleDesc.Count = 4;
    const D3D12_RESOURCE_DESC descs[TEXTURES] = {
        [LINE] = texture(d1, 64, 1, 4, 3, rgba, TARGET | WRITABLE),
        [ATLAS] = texture(d2, 64, 64, 13, 4, rgba, TARGET | WRITABLE),
        [SAMPLED] = sampled,
        [VOLUME] = texture(d3, 16, 16, 16, 3, rgba, TARGET | WRITABLE),
        [SHALLOW] = texture(d3, 16, 16, 2, 4, rgba, TARGET | WRITABLE),
        [TYPELESS] = texture(d2, 16, 16, 1, 1, DXGI_FORMAT_R8G8B8A8_TYPELESS, TARGET | WRITABLE),
        [STENCIL] = texture(d2, 16, 16, 1, 1, DXGI_FORMAT_R24G8_TYPELESS, DEPTH),
        [SURFACE] = texture(d2, 16, 16, 3, 2, DXGI_FORMAT_D32_FLOAT, DEPTH),
        [VIDEO] = texture(d2, 16, 16, 1, 1, DXGI_FORMAT_NV12, TARGET | WRITABLE),
    };
    memset(f, 0, sizeof *f);
    f->device = kit_device();
    f->heap = MADE(ID3D12DescriptorHeap, f->device, CreateDescriptorHeap, &heap);
    ABI_CALL_STRUCT(f->heap, GetCPUDescriptorHandleForHeapStart, &f->at);
    for (int i = 0; i < TEXTURES; i++)
        if (descs[i].Dimension != D3D12_RESOURCE_DIMENSION_UNKNOWN)
            f->textures[i] = make(f->device, &descs[i]);
    f->textures[CASTABLE] = make_castable(f->device);
}

static void tear_down(struct fixture *f)
{
    for (int i = 1; i < TEXTURES; i++)
        ID3D12Resource_Release(f->textures[i]);
    ID3D12DescriptorHeap_Release(f->heap);
    kit_close(f->device);
}

/* `f` for this block, whose heap has one descriptor of that type. */
#define FIXTURE(type)                                                                              \
    AT_END(tear_down) struct fixture f;                                                            \
    set_up(&f, type)

static void expect_told(struct fixture *f, int id, const char *why)
{
    cr_expect_eq(kit_messages(f->device), id != 0, "%s: %u messages", why,
                 (unsigned)kit_messages(f->device));
    cr_expect(id == 0 || kit_count(f->device, id) == 1, "%s: not message %d", why, id);
    kit_clear(f->device);
}

/* The messages of the kind that VIEW is. */
#define BAD_OF(view, what) D3D12_MESSAGE_ID_CREATE##view##_INVALID##what
#define BAD(view, what)    BAD_OF(view, what)
#define BAD_DESC           BAD(VIEW, DESC)
#define BAD_FORMAT         BAD(VIEW, FORMAT)
#define BAD_DIMENSIONS     BAD(VIEW, DIMENSIONS)
#define BAD_PLANE          BAD(VIEW, PLANESLICE)
#define VIEW               SHADERRESOURCEVIEW

/* D3D12's mapping, as every description here has it. */
#define SRV(dimension, as)                                                                         \
    .Format = as, .ViewDimension = D3D12_SRV_DIMENSION_##dimension,                                \
    .Shader4ComponentMapping = D3D12_DEFAULT_SHADER_4_COMPONENT_MAPPING

Test(views, of_textures_show_mips_and_slices_that_are_there)
{
    static const DXGI_FORMAT rgba = DXGI_FORMAT_R8G8B8A8_UNORM;
    const struct {
        const char *why;
        enum which texture;
        D3D12_SHADER_RESOURCE_VIEW_DESC desc;
        int id;
    } cases[] = {
        /* clang-format off */
        {"a line", LINE, {SRV(TEXTURE1D, rgba), .Texture1D = {0, 3, 0}}, 0},
        {"no mip", LINE, {SRV(TEXTURE1D, rgba), .Texture1D = {0, 0, 0}}, BAD_DESC},
        {"behind the mips", LINE, {SRV(TEXTURE1D, rgba), .Texture1D = {3, 1, 0}}, BAD_DESC},
        {"all mips", LINE, {SRV(TEXTURE1D, rgba), .Texture1D = {2, ALL, 0}}, 0},
        {"lines", LINE, {SRV(TEXTURE1DARRAY, rgba), .Texture1DArray = {0, 1, 1, 3, 0}}, 0},
        {"a line more", LINE, {SRV(TEXTURE1DARRAY, rgba), .Texture1DArray = {0, 1, 1, 4, 0}},
         BAD_DESC},
        {"a plane as line", ATLAS, {SRV(TEXTURE1D, rgba), .Texture1D = {0, 1, 0}}, BAD_DIMENSIONS},
        {"a line as plane", LINE, {SRV(TEXTURE2D, rgba), .Texture2D = {0, 1, 0, 0}},
         BAD_DIMENSIONS},
        {"an atlas", ATLAS, {SRV(TEXTURE2D, rgba), .Texture2D = {1, 3, 0, 0}}, 0},
        {"a mip more", ATLAS, {SRV(TEXTURE2D, rgba), .Texture2D = {1, 4, 0, 0}}, BAD_DESC},
        {"a mip from the end", ATLAS, {SRV(TEXTURE2D, rgba), .Texture2D = {ALL, 1, 0, 0}},
         BAD_DESC},
        {"a second plane", ATLAS, {SRV(TEXTURE2D, rgba), .Texture2D = {0, 1, 1, 0}}, BAD_PLANE},
        {"pages", ATLAS, {SRV(TEXTURE2DARRAY, rgba), .Texture2DArray = {0, 4, 12, 1, 0, 0}}, 0},
        {"all pages", ATLAS, {SRV(TEXTURE2DARRAY, rgba), .Texture2DArray = {0, 4, 5, ALL, 0, 0}},
         0},
        {"no page", ATLAS, {SRV(TEXTURE2DARRAY, rgba), .Texture2DArray = {0, 4, 0, 0, 0, 0}},
         BAD_DESC},
        {"the page behind", ATLAS, {SRV(TEXTURE2DARRAY, rgba),
         .Texture2DArray = {0, 4, 13, 1, 0, 0}}, BAD_DESC},
        {"pages around", ATLAS, {SRV(TEXTURE2DARRAY, rgba),
         .Texture2DArray = {0, 4, 12, ALL - 1, 0, 0}}, BAD_DESC},
        {"a page's second plane", ATLAS,
         {SRV(TEXTURE2DARRAY, rgba), .Texture2DArray = {0, 4, 0, 1, 1, 0}}, BAD_PLANE},
        {"samples of none", ATLAS, {SRV(TEXTURE2DMS, rgba)}, BAD_DIMENSIONS},
        {"samples", SAMPLED, {SRV(TEXTURE2DMS, rgba)}, 0},
        {"samples as texels", SAMPLED, {SRV(TEXTURE2D, rgba), .Texture2D = {0, 1, 0, 0}},
         BAD_DIMENSIONS},
        {"arrays of samples", SAMPLED, {SRV(TEXTURE2DMSARRAY, rgba), .Texture2DMSArray = {1, 2}},
         0},
        {"an array more", SAMPLED, {SRV(TEXTURE2DMSARRAY, rgba), .Texture2DMSArray = {1, 3}},
         BAD_DESC},
        {"a volume", VOLUME, {SRV(TEXTURE3D, rgba), .Texture3D = {0, 3, 0}}, 0},
        {"a flat mip", SHALLOW, {SRV(TEXTURE3D, rgba), .Texture3D = {3, 1, 0}}, 0},
        {"a volume's fourth mip", VOLUME, {SRV(TEXTURE3D, rgba), .Texture3D = {3, ALL, 0}},
         BAD_DESC},
        {"an atlas as volume", ATLAS, {SRV(TEXTURE3D, rgba), .Texture3D = {0, 1, 0}},
         BAD_DIMENSIONS},
        {"a cube", ATLAS, {SRV(TEXTURECUBE, rgba), .TextureCube = {0, 4, 0}}, 0},
        {"a cube of one side", TYPELESS, {SRV(TEXTURECUBE, rgba), .TextureCube = {0, 1, 0}},
         BAD_DESC},
        {"a cube of samples", SAMPLED, {SRV(TEXTURECUBE, rgba), .TextureCube = {0, 1, 0}},
         BAD_DIMENSIONS},
        {"two cubes", ATLAS, {SRV(TEXTURECUBEARRAY, rgba), .TextureCubeArray = {0, 4, 1, 2, 0}}, 0},
        {"half a cube too much", ATLAS,
         {SRV(TEXTURECUBEARRAY, rgba), .TextureCubeArray = {0, 4, 2, 2, 0}}, BAD_DESC},
        {"cubes around", ATLAS, {SRV(TEXTURECUBEARRAY, rgba),
         .TextureCubeArray = {0, 4, 0, 0x2AAAAAAB, 0}}, BAD_DESC},
        {"no dimension", ATLAS, {SRV(UNKNOWN, rgba)}, BAD_DESC},
        {"rays", ATLAS, {SRV(RAYTRACING_ACCELERATION_STRUCTURE, rgba)}, BAD_DESC},
        {"a texture's words", ATLAS, {SRV(BUFFER, DXGI_FORMAT_R32_UINT), .Buffer = {0, 1, 0, 0}},
         BAD_DIMENSIONS},
        {"nothing", NO_TEXTURE, {SRV(TEXTURECUBEARRAY, rgba), .TextureCubeArray = {9, 0, 9, 9, 0}},
         0},
        /* clang-format on */
    };
    FIXTURE(CBV_SRV_UAV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12Device_CreateShaderResourceView(f.device, f.textures[cases[i].texture],
                                              &cases[i].desc, f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
}

Test(views, of_textures_have_formats_of_their_family)
{
    const struct {
        const char *why;
        enum which texture;
        DXGI_FORMAT format;
        UINT plane;
        int id;
    } cases[] = {
        {"its own", ATLAS, DXGI_FORMAT_UNKNOWN, 0, 0},
        {"of the family", ATLAS, DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, 0, 0},
        {"of its size", ATLAS, DXGI_FORMAT_R32_FLOAT, 0, BAD_FORMAT},
        {"of another size", ATLAS, DXGI_FORMAT_R16_UINT, 0, BAD_FORMAT},
        {"typeless", ATLAS, DXGI_FORMAT_R8G8B8A8_TYPELESS, 0, BAD_FORMAT},
        {"no such format", ATLAS, (DXGI_FORMAT)999, 0, BAD_FORMAT},
        {"typed of typeless", TYPELESS, DXGI_FORMAT_R8G8B8A8_UINT, 0, 0},
        {"typeless' own", TYPELESS, DXGI_FORMAT_UNKNOWN, 0, BAD_FORMAT},
        {"listed", CASTABLE, DXGI_FORMAT_R32_FLOAT, 0, 0},
        {"own beside the list", CASTABLE, DXGI_FORMAT_R8G8B8A8_UNORM, 0, 0},
        {"not listed", CASTABLE, DXGI_FORMAT_R32_UINT, 0, BAD_FORMAT},
        {"depth", STENCIL, DXGI_FORMAT_R24_UNORM_X8_TYPELESS, 0, 0},
        {"stencil", STENCIL, DXGI_FORMAT_X24_TYPELESS_G8_UINT, 1, 0},
        {"depth as it is copied", STENCIL, DXGI_FORMAT_R32_FLOAT, 0, BAD_FORMAT},
        {"a third plane", STENCIL, DXGI_FORMAT_X24_TYPELESS_G8_UINT, 2, BAD_PLANE},
        {"luma", VIDEO, DXGI_FORMAT_R8_UNORM, 0, 0},
        {"chroma", VIDEO, DXGI_FORMAT_R8G8_UNORM, 1, 0},
        {"no colours of video", VIDEO, DXGI_FORMAT_R16G16_UNORM, 0, BAD_FORMAT},
        {"null of a format", NO_TEXTURE, DXGI_FORMAT_R32_FLOAT, 0, 0},
        {"null of none", NO_TEXTURE, DXGI_FORMAT_UNKNOWN, 0, BAD_FORMAT},
        {"null of typeless", NO_TEXTURE, DXGI_FORMAT_R32_TYPELESS, 0, BAD_FORMAT},
    };
    FIXTURE(CBV_SRV_UAV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_SHADER_RESOURCE_VIEW_DESC desc = {SRV(TEXTURE2D, cases[i].format),
                                                      .Texture2D = {0, 1, cases[i].plane, 0}};
        ID3D12Device_CreateShaderResourceView(f.device, f.textures[cases[i].texture], &desc, f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
    /* without a description the format is the texture's, and it has one */
    ID3D12Device_CreateShaderResourceView(f.device, f.textures[ATLAS], NULL, f.at);
    expect_told(&f, 0, "a typed texture");
    ID3D12Device_CreateShaderResourceView(f.device, f.textures[TYPELESS], NULL, f.at);
    expect_told(&f, BAD_DESC, "a typeless texture");
}

#undef VIEW
#define VIEW UNORDEREDACCESSVIEW
#define UAV(dimension)                                                                             \
    .Format = DXGI_FORMAT_R8G8B8A8_UNORM, .ViewDimension = D3D12_UAV_DIMENSION_##dimension

Test(views, that_shaders_write_show_one_mip)
{
    const struct {
        const char *why;
        enum which texture;
        D3D12_UNORDERED_ACCESS_VIEW_DESC desc;
        int id;
    } cases[] = {
        {"a line", LINE, {UAV(TEXTURE1D), .Texture1D = {2}}, 0},
        {"behind the mips", LINE, {UAV(TEXTURE1D), .Texture1D = {3}}, BAD_DESC},
        {"lines", LINE, {UAV(TEXTURE1DARRAY), .Texture1DArray = {0, 2, 2}}, 0},
        {"a line more", LINE, {UAV(TEXTURE1DARRAY), .Texture1DArray = {0, 3, 2}}, BAD_DESC},
        {"an atlas", ATLAS, {UAV(TEXTURE2D), .Texture2D = {3, 0}}, 0},
        {"the fifth mip", ATLAS, {UAV(TEXTURE2D), .Texture2D = {4, 0}}, BAD_DESC},
        {"a second plane", ATLAS, {UAV(TEXTURE2D), .Texture2D = {0, 1}}, BAD_PLANE},
        {"pages", ATLAS, {UAV(TEXTURE2DARRAY), .Texture2DArray = {0, 0, 13, 0}}, 0},
        {"no page", ATLAS, {UAV(TEXTURE2DARRAY), .Texture2DArray = {0, 0, 0, 0}}, BAD_DESC},
        {"a page's second plane",
         ATLAS,
         {UAV(TEXTURE2DARRAY), .Texture2DArray = {0, 0, 1, 1}},
         BAD_PLANE},
        {"a volume", VOLUME, {UAV(TEXTURE3D), .Texture3D = {0, 15, 1}}, 0},
        {"a flat mip", SHALLOW, {UAV(TEXTURE3D), .Texture3D = {3, 0, 1}}, 0},
        {"a flat mip's second slice", SHALLOW, {UAV(TEXTURE3D), .Texture3D = {3, 1, 1}}, BAD_DESC},
        {"a volume's mip", VOLUME, {UAV(TEXTURE3D), .Texture3D = {2, 3, 1}}, 0},
        {"deeper than the mip", VOLUME, {UAV(TEXTURE3D), .Texture3D = {2, 4, 1}}, BAD_DESC},
        {"all of its depth", VOLUME, {UAV(TEXTURE3D), .Texture3D = {1, 0, ALL}}, 0},
        {"an atlas as volume", ATLAS, {UAV(TEXTURE3D), .Texture3D = {0, 0, 1}}, BAD_DIMENSIONS},
        {"samples", ATLAS, {UAV(TEXTURE2DMS)}, BAD_DESC},
        {"no dimension", ATLAS, {UAV(UNKNOWN)}, BAD_DESC},
        {"another format", VIDEO, {UAV(TEXTURE2D), .Texture2D = {0, 0}}, BAD_FORMAT},
        {"nothing", NO_TEXTURE, {UAV(TEXTURE2D), .Texture2D = {9, 9}}, 0},
    };
    FIXTURE(CBV_SRV_UAV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12Device_CreateUnorderedAccessView(f.device, f.textures[cases[i].texture], NULL,
                                               &cases[i].desc, f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
    OWNED ID3D12Resource *counter = kit_buffer(f.device, D3D12_HEAP_TYPE_DEFAULT, 64);
    ID3D12Device_CreateUnorderedAccessView(f.device, f.textures[ATLAS], counter, &cases[4].desc,
                                           f.at);
    expect_told(&f, BAD_DESC, "a texture with a counter");
    ID3D12Device_CreateUnorderedAccessView(f.device, f.textures[TYPELESS], NULL, NULL, f.at);
    expect_told(&f, BAD_DESC, "a typeless texture");
}

Test(views, of_buffers_have_elements_that_d3d12_knows)
{
    const struct {
        const char *why;
        D3D12_BUFFER_UAV buffer;
        DXGI_FORMAT format;
        bool counted;
        int id; /* of an unordered access view */
    } cases[] = {
        {"structures", {0, 4, 12, 0, 0}, DXGI_FORMAT_UNKNOWN, false, 0},
        {"structures of no whole words", {0, 4, 6, 0, 0}, DXGI_FORMAT_UNKNOWN, false, BAD_DESC},
        {"the largest structures", {0, 1, 2048, 0, 0}, DXGI_FORMAT_UNKNOWN, false, 0},
        {"larger ones", {0, 1, 2052, 0, 0}, DXGI_FORMAT_UNKNOWN, false, BAD_DESC},
        {"no elements' size", {0, 4, 0, 0, 0}, DXGI_FORMAT_UNKNOWN, false, BAD_DESC},
        {"all of it", {0, 2048, 0, 0, 0}, DXGI_FORMAT_R32_UINT, false, 0},
        {"one word more", {1, 2048, 0, 0, 0}, DXGI_FORMAT_R32_UINT, false, BAD_DESC},
        {"behind the end", {2049, 0, 0, 0, 0}, DXGI_FORMAT_R32_UINT, false, BAD_DESC},
        {"blocks", {0, 1, 0, 0, 0}, DXGI_FORMAT_BC1_UNORM, false, BAD_DESC},
        {"raw", {0, 2048, 0, 0, 1}, DXGI_FORMAT_R32_TYPELESS, false, 0},
        {"raw of a type", {0, 2048, 0, 0, 1}, DXGI_FORMAT_R32_UINT, false, BAD_DESC},
        {"raw structures", {0, 4, 4, 0, 1}, DXGI_FORMAT_R32_TYPELESS, false, BAD_DESC},
        {"counted", {0, 4, 16, 4096, 0}, DXGI_FORMAT_UNKNOWN, true, 0},
        {"counted in between", {0, 4, 16, 4, 0}, DXGI_FORMAT_UNKNOWN, true, BAD_DESC},
        {"counted behind the end", {0, 4, 16, 8192, 0}, DXGI_FORMAT_UNKNOWN, true, BAD_DESC},
        {"counted nowhere", {0, 4, 16, 4096, 0}, DXGI_FORMAT_UNKNOWN, false, BAD_DESC},
    };
    FIXTURE(CBV_SRV_UAV);
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(8192), tiny = kit_buffer_desc(3);
    desc.Flags = tiny.Flags = WRITABLE;
    OWNED ID3D12Resource *buffer = make(f.device, &desc), *small = make(f.device, &tiny);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_UNORDERED_ACCESS_VIEW_DESC uav = {.Format = cases[i].format,
                                                      .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                                      .Buffer = cases[i].buffer};
        ID3D12Device_CreateUnorderedAccessView(f.device, buffer, cases[i].counted ? buffer : NULL,
                                               &uav, f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
    const D3D12_UNORDERED_ACCESS_VIEW_DESC counted = {.ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                                      .Buffer = {0, 4, 16, 0, 0}};
    ID3D12Device_CreateUnorderedAccessView(f.device, buffer, small, &counted, f.at);
    expect_told(&f, BAD_DESC, "a counter of three bytes");
    ID3D12Device_CreateUnorderedAccessView(f.device, buffer, f.textures[ATLAS], &counted, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE,
                "a texture that counts");
    ID3D12Device_CreateUnorderedAccessView(f.device, buffer, (ID3D12Resource *)f.heap, &counted,
                                           f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_UNORDEREDACCESS_VIEW_INVALID_COUNTER_USAGE,
                "a heap that counts");
}

Test(views, of_constants_are_aligned_and_small)
{
    static const struct {
        const char *why;
        D3D12_CONSTANT_BUFFER_VIEW_DESC desc;
        bool good;
    } cases[] = {
        {"the largest", {65536, 65536}, true},
        {"larger", {65536, 65536 + 256}, false},
        {"no whole unit", {65536, 128}, false},
        {"no unit's address", {65536 + 16, 256}, false},
        {"the last", {UINT64_MAX - 511, 256}, true},
        {"around", {UINT64_MAX - 255, 512}, false},
        {"null", {0, 0}, true},
    };
    FIXTURE(CBV_SRV_UAV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12Device_CreateConstantBufferView(f.device, &cases[i].desc, f.at);
        expect_told(&f,
                    cases[i].good ? 0 : D3D12_MESSAGE_ID_CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC,
                    cases[i].why);
    }
}

#undef VIEW
#define VIEW RENDERTARGETVIEW
#define RTV(dimension)                                                                             \
    .Format = DXGI_FORMAT_R8G8B8A8_UNORM, .ViewDimension = D3D12_RTV_DIMENSION_##dimension

Test(views, of_targets_show_one_mip)
{
    const struct {
        const char *why;
        enum which texture;
        D3D12_RENDER_TARGET_VIEW_DESC desc;
        int id;
    } cases[] = {
        {"a line", LINE, {RTV(TEXTURE1D), .Texture1D = {2}}, 0},
        {"behind the mips", LINE, {RTV(TEXTURE1D), .Texture1D = {3}}, BAD_DESC},
        {"lines", LINE, {RTV(TEXTURE1DARRAY), .Texture1DArray = {0, 2, 2}}, 0},
        {"a line more", LINE, {RTV(TEXTURE1DARRAY), .Texture1DArray = {0, 3, 2}}, BAD_DESC},
        {"an atlas", ATLAS, {RTV(TEXTURE2D), .Texture2D = {3, 0}}, 0},
        {"the fifth mip", ATLAS, {RTV(TEXTURE2D), .Texture2D = {4, 0}}, BAD_DESC},
        {"a second plane", ATLAS, {RTV(TEXTURE2D), .Texture2D = {0, 1}}, BAD_PLANE},
        {"pages", ATLAS, {RTV(TEXTURE2DARRAY), .Texture2DArray = {0, 1, 12, 0}}, 0},
        {"a page more", ATLAS, {RTV(TEXTURE2DARRAY), .Texture2DArray = {0, 1, 13, 0}}, BAD_DESC},
        {"a page's second plane",
         ATLAS,
         {RTV(TEXTURE2DARRAY), .Texture2DArray = {0, 0, 1, 1}},
         BAD_PLANE},
        {"samples", SAMPLED, {RTV(TEXTURE2DMS)}, 0},
        {"samples of none", ATLAS, {RTV(TEXTURE2DMS)}, BAD_DIMENSIONS},
        {"arrays of samples", SAMPLED, {RTV(TEXTURE2DMSARRAY), .Texture2DMSArray = {0, 3}}, 0},
        {"an array more", SAMPLED, {RTV(TEXTURE2DMSARRAY), .Texture2DMSArray = {0, 4}}, BAD_DESC},
        {"a volume", VOLUME, {RTV(TEXTURE3D), .Texture3D = {1, 7, 1}}, 0},
        {"deeper than the mip", VOLUME, {RTV(TEXTURE3D), .Texture3D = {1, 7, 2}}, BAD_DESC},
        {"a buffer's dimension", ATLAS, {RTV(BUFFER)}, BAD_DESC},
        {"no such dimension", ATLAS, {.ViewDimension = (D3D12_RTV_DIMENSION)9}, BAD_DESC},
        {"another format", VIDEO, {RTV(TEXTURE2D), .Texture2D = {0, 0}}, BAD_FORMAT},
        {"no target", SURFACE, {RTV(TEXTURE2D), .Texture2D = {0, 0}}, BAD_DESC},
        {"nothing", NO_TEXTURE, {RTV(TEXTURE2D), .Texture2D = {9, 9}}, 0},
    };
    FIXTURE(D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12Device_CreateRenderTargetView(f.device, f.textures[cases[i].texture], &cases[i].desc,
                                            f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
    ID3D12Device_CreateRenderTargetView(f.device, f.textures[TYPELESS], NULL, f.at);
    expect_told(&f, BAD_DESC, "a typeless texture");
    ID3D12Device_CreateRenderTargetView(f.device, (ID3D12Resource *)f.heap, NULL, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATERENDERTARGETVIEW_INVALIDRESOURCE, "no resource");
}

#undef VIEW
#define VIEW DEPTHSTENCILVIEW
#define DSV(dimension)                                                                             \
    .Format = DXGI_FORMAT_D32_FLOAT, .ViewDimension = D3D12_DSV_DIMENSION_##dimension

Test(views, of_depth_show_one_mip)
{
    const struct {
        const char *why;
        enum which texture;
        D3D12_DEPTH_STENCIL_VIEW_DESC desc;
        int id;
    } cases[] = {
        {"a surface", SURFACE, {DSV(TEXTURE2D), .Texture2D = {1}}, 0},
        {"the third mip", SURFACE, {DSV(TEXTURE2D), .Texture2D = {2}}, BAD_DESC},
        {"surfaces", SURFACE, {DSV(TEXTURE2DARRAY), .Texture2DArray = {0, 1, 2}}, 0},
        {"a surface more", SURFACE, {DSV(TEXTURE2DARRAY), .Texture2DArray = {0, 2, 2}}, BAD_DESC},
        {"samples of none", SURFACE, {DSV(TEXTURE2DMS)}, BAD_DIMENSIONS},
        {"arrays of samples of none",
         SURFACE,
         {DSV(TEXTURE2DMSARRAY), .Texture2DMSArray = {0, 1}},
         BAD_DIMENSIONS},
        {"a line", SURFACE, {DSV(TEXTURE1D), .Texture1D = {0}}, BAD_DIMENSIONS},
        {"lines", SURFACE, {DSV(TEXTURE1DARRAY), .Texture1DArray = {0, 0, 1}}, BAD_DIMENSIONS},
        {"read only", SURFACE, {DSV(TEXTURE2D), .Flags = D3D12_DSV_FLAG_READ_ONLY_DEPTH}, 0},
        {"no such flag",
         SURFACE,
         {DSV(TEXTURE2D), .Flags = (D3D12_DSV_FLAGS)4},
         D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDFLAGS},
        {"no dimension", SURFACE, {DSV(UNKNOWN)}, BAD_DESC},
        {"another format", STENCIL, {DSV(TEXTURE2D), .Texture2D = {0}}, BAD_FORMAT},
        {"no depth", ATLAS, {DSV(TEXTURE2D), .Texture2D = {0}}, BAD_DESC},
        {"nothing", NO_TEXTURE, {DSV(TEXTURE2D), .Texture2D = {9}}, 0},
    };
    FIXTURE(D3D12_DESCRIPTOR_HEAP_TYPE_DSV);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12Device_CreateDepthStencilView(f.device, f.textures[cases[i].texture], &cases[i].desc,
                                            f.at);
        expect_told(&f, cases[i].id, cases[i].why);
    }
    D3D12_DEPTH_STENCIL_VIEW_DESC typed = {DSV(TEXTURE2D)};
    typed.Format = DXGI_FORMAT_D24_UNORM_S8_UINT;
    ID3D12Device_CreateDepthStencilView(f.device, f.textures[STENCIL], &typed, f.at);
    expect_told(&f, 0, "depth and stencil of a typeless texture");
    for (unsigned format = DXGI_FORMAT_R24G8_TYPELESS; format <= DXGI_FORMAT_X24_TYPELESS_G8_UINT;
         format++) { /* the others are for shaders that read one of both */
        typed.Format = (DXGI_FORMAT)format;
        ID3D12Device_CreateDepthStencilView(f.device, f.textures[STENCIL], &typed, f.at);
        expect_told(&f, format == DXGI_FORMAT_D24_UNORM_S8_UINT ? 0 : BAD_DESC, "a view's format");
    }
    typed.Format = DXGI_FORMAT_UNKNOWN;
    ID3D12Device_CreateDepthStencilView(f.device, f.textures[SURFACE], &typed, f.at);
    expect_told(&f, 0, "the texture's format");
    ID3D12Device_CreateDepthStencilView(f.device, f.textures[STENCIL], &typed, f.at);
    expect_told(&f, BAD_FORMAT, "the format of a typeless texture");
    ID3D12Device_CreateDepthStencilView(f.device, f.textures[STENCIL], NULL, f.at);
    expect_told(&f, BAD_DESC, "a typeless texture");
    ID3D12Device_CreateDepthStencilView(f.device, (ID3D12Resource *)f.heap, NULL, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATEDEPTHSTENCILVIEW_INVALIDRESOURCE, "no resource");
}

/* ---- of no texture ---- */

static ID3D12Device11 *device11(ID3D12Device *device)
{
    ID3D12Device11 *out = AS(ID3D12Device11, device);
    ID3D12Device11_Release(out);
    return out;
}

Test(views, newer_samplers_have_flags)
{
    FIXTURE(D3D12_DESCRIPTOR_HEAP_TYPE_SAMPLER);
    D3D12_SAMPLER_DESC2 desc = {.Filter = D3D12_FILTER_ANISOTROPIC,
                                .AddressU = D3D12_TEXTURE_ADDRESS_MODE_BORDER,
                                .AddressV = D3D12_TEXTURE_ADDRESS_MODE_BORDER,
                                .AddressW = D3D12_TEXTURE_ADDRESS_MODE_BORDER,
                                .MaxAnisotropy = 16,
                                .FloatBorderColor = {1, 0, 0, 1}};
    ID3D12Device11_CreateSampler2(device11(f.device), &desc, f.at);
    expect_told(&f, 0, "a sampler");
    const D3D12_CPU_DESCRIPTOR_HANDLE nowhere = {f.at.ptr + 1};
    ID3D12Device11_CreateSampler2(device11(f.device), &desc, nowhere);
    expect_told(&f, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, "no descriptor");
    ID3D12Device11_CreateSampler2(device11(f.device), NULL, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID, "no description");
    /* D3D12_FEATURE_DATA_D3D12_OPTIONS14 says that there are no advanced texture operations */
    desc.Flags = D3D12_SAMPLER_FLAG_UINT_BORDER_COLOR;
    ID3D12Device11_CreateSampler2(device11(f.device), &desc, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID, "integers");
    desc.Flags = D3D12_SAMPLER_FLAG_NONE;
    desc.Filter = (D3D12_FILTER)0x200;
    ID3D12Device11_CreateSampler2(device11(f.device), &desc, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID, "no filter");
    desc.Filter = D3D12_FILTER_ANISOTROPIC;
    desc.AddressV = (D3D12_TEXTURE_ADDRESS_MODE)0;
    ID3D12Device11_CreateSampler2(device11(f.device), &desc, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_CREATE_SAMPLER_INVALID, "no address mode");
}

Test(views, there_is_no_sampler_feedback)
{
    D3D12_FEATURE_DATA_D3D12_OPTIONS7 options;
    FIXTURE(CBV_SRV_UAV);
    MUST(ID3D12Device_CheckFeatureSupport(f.device, D3D12_FEATURE_D3D12_OPTIONS7, &options,
                                          sizeof options));
    cr_assert_eq(options.SamplerFeedbackTier, D3D12_SAMPLER_FEEDBACK_TIER_NOT_SUPPORTED);
    ID3D12Device11_CreateSamplerFeedbackUnorderedAccessView(device11(f.device), f.textures[ATLAS],
                                                            f.textures[ATLAS], f.at);
    expect_told(&f, D3D12_MESSAGE_ID_SAMPLER_FEEDBACK_UAV_REQUIRES_SAMPLER_FEEDBACK_CAPABILITY,
                "two textures");
    ID3D12Device11_CreateSamplerFeedbackUnorderedAccessView(device11(f.device), NULL, NULL, f.at);
    expect_told(&f, D3D12_MESSAGE_ID_SAMPLER_FEEDBACK_CREATE_UAV_NULL_ARGUMENTS, "no textures");
}

/* Views have no result: after the device's removal they are written and copied as before. */
Test(views, of_a_removed_device_are_harmless)
{
    FIXTURE(CBV_SRV_UAV);
    kit_remove(f.device);
    kit_clear(f.device);
    ID3D12Device_CreateShaderResourceView(f.device, f.textures[ATLAS], NULL, f.at);
    ID3D12Device_CreateUnorderedAccessView(f.device, f.textures[ATLAS], NULL, NULL, f.at);
    ID3D12Device_CreateConstantBufferView(f.device, NULL, f.at);
    ID3D12Device_CopyDescriptorsSimple(f.device, 1, f.at, f.at, CBV_SRV_UAV);
    cr_assert(ID3D12Device_GetDescriptorHandleIncrementSize(f.device, CBV_SRV_UAV) != 0);
    expect_told(&f, 0, "a removed device");
}
