/* The limits of resource descriptions: the last that is permitted and the first that is not. */
#include "kit.h"

#include "base/abi.h"

#define RT           D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET
#define DS           D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL
#define UA           D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS
#define NO_SHADER    D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE
#define SIMULTANEOUS D3D12_RESOURCE_FLAG_ALLOW_SIMULTANEOUS_ACCESS
#define ADAPTERS     D3D12_RESOURCE_FLAG_ALLOW_CROSS_ADAPTER
#define VIDEO        D3D12_RESOURCE_FLAG_VIDEO_DECODE_REFERENCE_ONLY

#define BUFFER       D3D12_RESOURCE_DIMENSION_BUFFER
#define LINE         D3D12_RESOURCE_DIMENSION_TEXTURE1D
#define PLANE        D3D12_RESOURCE_DIMENSION_TEXTURE2D
#define VOLUME       D3D12_RESOURCE_DIMENSION_TEXTURE3D

#define R8           DXGI_FORMAT_R8_UNORM
#define RGBA         DXGI_FORMAT_R8G8B8A8_UNORM
#define D32          DXGI_FORMAT_D32_FLOAT

#define BAD(what)    D3D12_MESSAGE_ID_CREATERESOURCE_INVALID##what

/* Asked whether it could be made, and never is: the limits are large. */
static bool is_possible(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    HRESULT hr = TRY(ID3D12Resource, NULL, device, CreateCommittedResource, &local,
                     D3D12_HEAP_FLAG_NONE, desc, D3D12_RESOURCE_STATE_COMMON, NULL);
    cr_assert(hr == S_FALSE || hr == E_INVALIDARG || hr == E_OUTOFMEMORY, "%x", (unsigned)hr);
    return hr != E_INVALIDARG;
}

Test(resource_desc, dimensions_have_limits)
{
    static const struct {
        const char *why;
        D3D12_RESOURCE_DESC desc;
        int id; /* 0: permitted */
    } cases[] = {
        {"buffer", {BUFFER, 0, 64, 1, 1, 1, 0, {1, 0}, 1, UA}, 0},
        {"buffer of quality", {BUFFER, 0, 64, 1, 1, 1, 0, {1, 1}, 1, 0}, BAD(SAMPLEDESC)},
        {"buffer of samples", {BUFFER, 0, 64, 1, 1, 1, 0, {2, 0}, 1, 0}, BAD(SAMPLEDESC)},
        {"buffers", {BUFFER, 0, 64, 1, 2, 1, 0, {1, 0}, 1, 0}, BAD(DIMENSIONS)},
        {"buffer of swizzled bytes", {BUFFER, 0, 64, 1, 1, 1, 0, {1, 0}, 2, 0}, BAD(LAYOUT)},
        {"longest line", {LINE, 0, 16384, 1, 1, 1, R8, {1, 0}, 0, 0}, 0},
        {"longer line", {LINE, 0, 16385, 1, 1, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"high line", {LINE, 0, 64, 2, 1, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"most lines", {LINE, 0, 4, 1, 2048, 1, R8, {1, 0}, 0, 0}, 0},
        {"more lines", {LINE, 0, 4, 1, 2049, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"highest plane", {PLANE, 0, 4, 16384, 1, 1, R8, {1, 0}, 0, 0}, 0},
        {"higher plane", {PLANE, 0, 4, 16385, 1, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"widest volume", {VOLUME, 0, 2048, 1, 1, 1, R8, {1, 0}, 0, 0}, 0},
        {"wider volume", {VOLUME, 0, 2049, 1, 1, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"deepest volume", {VOLUME, 0, 1, 1, 2048, 1, R8, {1, 0}, 0, 0}, 0},
        {"deeper volume", {VOLUME, 0, 1, 1, 2049, 1, R8, {1, 0}, 0, 0}, BAD(DIMENSIONS)},
        {"blocks", {PLANE, 0, 8, 12, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, 0}, 0},
        {"wide block",
         {PLANE, 0, 6, 12, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, 0},
         BAD(DIMENSIONS)},
        {"high block",
         {PLANE, 0, 8, 10, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, 0},
         BAD(DIMENSIONS)},
        {"blocks to write",
         {PLANE, 0, 8, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, UA},
         BAD(MISCFLAGS)},
        {"blocks as target",
         {PLANE, 0, 8, 8, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, RT},
         BAD(MISCFLAGS)},
        {"all mips", {PLANE, 0, 16, 8, 1, 5, R8, {1, 0}, 0, 0}, 0},
        {"a mip more", {PLANE, 0, 16, 8, 1, 6, R8, {1, 0}, 0, 0}, 0},
        {"most mips", {PLANE, 0, 16, 8, 1, 15, R8, {1, 0}, 0, 0}, 0},
        {"too many mips", {PLANE, 0, 16, 8, 1, 16, R8, {1, 0}, 0, 0}, BAD(MIPLEVELS)},
        {"mips of the depth", {VOLUME, 0, 2, 2, 16, 5, R8, {1, 0}, 0, 0}, 0},
        {"no samples", {PLANE, 0, 16, 16, 1, 1, RGBA, {0, 0}, 0, RT}, BAD(SAMPLEDESC)},
        {"quality", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 1}, 0, 0}, BAD(SAMPLEDESC)},
        {"samples", {PLANE, 0, 16, 16, 1, 1, RGBA, {8, 0}, 0, RT}, 0},
        {"samples' quality", {PLANE, 0, 16, 16, 1, 1, RGBA, {4, 1}, 0, RT}, BAD(SAMPLEDESC)},
        {"three samples", {PLANE, 0, 16, 16, 1, 1, RGBA, {3, 0}, 0, RT}, BAD(SAMPLEDESC)},
        {"samples of no target", {PLANE, 0, 16, 16, 1, 1, RGBA, {4, 0}, 0, 0}, BAD(SAMPLEDESC)},
        {"samples of mips", {PLANE, 0, 16, 16, 1, 2, RGBA, {4, 0}, 0, RT}, BAD(SAMPLEDESC)},
        {"samples to write", {PLANE, 0, 16, 16, 1, 1, RGBA, {4, 0}, 0, RT | UA}, BAD(SAMPLEDESC)},
        {"samples of volumes", {VOLUME, 0, 16, 16, 4, 1, RGBA, {4, 0}, 0, RT}, BAD(SAMPLEDESC)},
        {"depth", {PLANE, 0, 16, 16, 1, 1, D32, {1, 0}, 0, DS | NO_SHADER}, 0},
        {"depth of colours", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, DS}, BAD(MISCFLAGS)},
        {"depth of volumes", {VOLUME, 0, 16, 16, 4, 1, D32, {1, 0}, 0, DS}, BAD(MISCFLAGS)},
        {"depth to write", {PLANE, 0, 16, 16, 1, 1, D32, {1, 0}, 0, DS | UA}, BAD(MISCFLAGS)},
        {"depth as target", {PLANE, 0, 16, 16, 1, 1, D32, {1, 0}, 0, DS | RT}, BAD(MISCFLAGS)},
        {"depth for all",
         {PLANE, 0, 16, 16, 1, 1, D32, {1, 0}, 0, DS | SIMULTANEOUS},
         BAD(MISCFLAGS)},
        {"not for shaders", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, NO_SHADER}, BAD(MISCFLAGS)},
        {"for adapters", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, ADAPTERS}, BAD(MISCFLAGS)},
        {"video", {PLANE, 0, 16, 16, 1, 1, DXGI_FORMAT_NV12, {1, 0}, 0, VIDEO | NO_SHADER}, 0},
        {"video for shaders",
         {PLANE, 0, 16, 16, 1, 1, DXGI_FORMAT_NV12, {1, 0}, 0, VIDEO},
         BAD(MISCFLAGS)},
        {"small", {PLANE, 4096, 256, 256, 1, 1, R8, {1, 0}, 0, 0}, 0},
        {"small and high", {PLANE, 4096, 64, 1024, 1, 1, R8, {1, 0}, 0, 0}, 0},
        {"small, of thin rows", {PLANE, 4096, 32, 128, 1, 1, RGBA, {1, 0}, 0, 0}, 0},
        {"small volume", {VOLUME, 4096, 32, 32, 16, 1, RGBA, {1, 0}, 0, 0}, 0},
        {"small blocks", {PLANE, 4096, 512, 256, 1, 1, DXGI_FORMAT_BC1_UNORM, {1, 0}, 0, 0}, 0},
        {"a tile too deep", {VOLUME, 4096, 32, 32, 17, 1, RGBA, {1, 0}, 0, 0}, BAD(ALIGNMENT)},
        {"not small", {PLANE, 4096, 256, 257, 1, 1, R8, {1, 0}, 0, 0}, BAD(ALIGNMENT)},
        {"small target", {PLANE, 4096, 16, 16, 1, 1, R8, {1, 0}, 0, RT}, BAD(ALIGNMENT)},
        {"small samples", {PLANE, 65536, 256, 256, 1, 1, RGBA, {4, 0}, 0, RT}, 0},
        {"many samples", {PLANE, 65536, 1024, 1024, 1, 1, RGBA, {4, 0}, 0, RT}, 0},
        {"samples at 4 KiB", {PLANE, 4096, 16, 16, 1, 1, RGBA, {4, 0}, 0, RT}, BAD(ALIGNMENT)},
        {"samples' own", {PLANE, 4194304, 1024, 1024, 1, 1, RGBA, {4, 0}, 0, RT}, 0},
        {"an alignment of none", {PLANE, 8192, 16, 16, 1, 1, R8, {1, 0}, 0, 0}, BAD(ALIGNMENT)},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kit_clear(device);
        cr_expect_eq(is_possible(device, &cases[i].desc), cases[i].id == 0, "%s", cases[i].why);
        cr_expect_eq(kit_messages(device), cases[i].id != 0, "%s", cases[i].why);
        cr_expect(cases[i].id == 0 || kit_count(device, cases[i].id) == 1, "%s", cases[i].why);
    }
}

Test(resource_desc, clear_values_are_of_the_targets_format)
{
    static const struct {
        const char *why;
        D3D12_RESOURCE_DESC desc;
        DXGI_FORMAT format;
        int id;
    } cases[] = {
        {"a target's", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, RT}, RGBA, 0},
        {"of the family",
         {PLANE, 0, 16, 16, 1, 1, DXGI_FORMAT_R8G8B8A8_TYPELESS, {1, 0}, 0, RT},
         DXGI_FORMAT_R8G8B8A8_UNORM_SRGB,
         0},
        {"typeless",
         {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, RT},
         DXGI_FORMAT_R8G8B8A8_TYPELESS,
         BAD(CLEARVALUEFORMAT)},
        {"another family's",
         {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, RT},
         DXGI_FORMAT_R32_FLOAT,
         BAD(CLEARVALUEFORMAT)},
        {"of no format",
         {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, RT},
         (DXGI_FORMAT)999,
         D3D12_MESSAGE_ID_CREATERESOURCE_UNRECOGNIZEDCLEARVALUEFORMAT},
        {"a texture's", {PLANE, 0, 16, 16, 1, 1, RGBA, {1, 0}, 0, UA}, RGBA, BAD(CLEARVALUE)},
        {"a buffer's", {BUFFER, 0, 64, 1, 1, 1, 0, {1, 0}, 1, 0}, RGBA, BAD(CLEARVALUE)},
    };
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_CLEAR_VALUE clear = {.Format = cases[i].format};
        kit_clear(device);
        HRESULT hr = TRY(ID3D12Resource, NULL, device, CreateCommittedResource, &local,
                         D3D12_HEAP_FLAG_NONE, &cases[i].desc, D3D12_RESOURCE_STATE_COMMON, &clear);
        cr_expect_eq(hr, cases[i].id == 0 ? S_FALSE : E_INVALIDARG, "%s", cases[i].why);
        cr_expect_eq(kit_messages(device), cases[i].id != 0, "%s", cases[i].why);
        cr_expect(cases[i].id == 0 || kit_count(device, cases[i].id) == 1, "%s", cases[i].why);
    }
}

/* ---- what other calls have limits of ---- */

Test(resource_desc, a_buffer_has_at_most_what_an_address_range_has)
{
    static const UINT64 sizes[] = {(UINT64)1 << 40, ((UINT64)1 << 40) + 1, UINT64_MAX};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < 3; i++) {
        /* D3D12_FEATURE_DATA_GPU_VIRTUAL_ADDRESS_SUPPORT: 40 bits for a resource */
        const D3D12_RESOURCE_DESC desc = kit_buffer_desc(sizes[i]);
        D3D12_RESOURCE_ALLOCATION_INFO info;
        ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 1, &desc);
        cr_assert_eq(info.SizeInBytes, i == 0 ? sizes[0] : UINT64_MAX, "size %zu", i);
    }
}

Test(resource_desc, a_buffer_of_several_adapters_lies_in_their_heap)
{
    static const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    static const D3D12_HEAP_FLAGS flags[] = {D3D12_HEAP_FLAG_NONE, D3D12_HEAP_FLAG_SHARED,
                                             D3D12_HEAP_FLAG_SHARED |
                                                 D3D12_HEAP_FLAG_SHARED_CROSS_ADAPTER};
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    desc.Flags = ADAPTERS;
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (int i = 0; i < 3; i++) {
        kit_clear(device);
        HRESULT hr = TRY(ID3D12Resource, NULL, device, CreateCommittedResource, &local, flags[i],
                         &desc, D3D12_RESOURCE_STATE_COMMON, NULL);
        cr_expect_eq(hr, i == 2 ? S_FALSE : E_INVALIDARG, "%d", i);
        cr_expect_eq(kit_count(device, D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS),
                     i != 2, "%d", i);
    }
    kit_clear(device);
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, &desc, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                  &IID_ID3D12Resource, NULL),
              E_INVALIDARG);
    cr_assert_eq(kit_count(device, BAD(MISCFLAGS)), 1);
}

Test(resource_desc, a_mip_region_of_any_side_is_for_sampler_feedback)
{
    static const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    static const D3D12_MIP_REGION regions[] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {0, 0, 1}};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device8 *newer = AS(ID3D12Device8, device);
    for (int i = 0; i < 4; i++) {
        const D3D12_RESOURCE_DESC1 desc = {.Dimension = PLANE,
                                           .Width = 16,
                                           .Height = 16,
                                           .DepthOrArraySize = 1,
                                           .MipLevels = 1,
                                           .Format = RGBA,
                                           .SampleDesc = {.Count = 1},
                                           .SamplerFeedbackMipRegion = regions[i]};
        EXPECT_HR(TRY(ID3D12Resource, NULL, newer, CreateCommittedResource2, &local, 0, &desc,
                      D3D12_RESOURCE_STATE_COMMON, NULL, NULL),
                  i == 0 ? S_FALSE : E_INVALIDARG);
        cr_assert_eq(kit_messages(device), (UINT64)i);
    }
}
