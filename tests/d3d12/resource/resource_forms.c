/* Resources as the newer methods create them: with mip regions, initial layouts and castable
 * formats. */
#include "kit.h"

#include "base/abi.h"

static D3D12_RESOURCE_DESC1 desc1_of(const D3D12_RESOURCE_DESC *desc)
{
    return (D3D12_RESOURCE_DESC1){
        desc->Dimension,        desc->Alignment, desc->Width,  desc->Height,
        desc->DepthOrArraySize, desc->MipLevels, desc->Format, desc->SampleDesc,
        desc->Layout,           desc->Flags,     {0, 0, 0},
    };
}

static D3D12_RESOURCE_DESC square_desc(DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags)
{
    return kit_texture_desc(format, 64, 64, 1, 1, flags);
}

Test(resource, descriptions_may_have_a_mip_region)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536, .Properties = local};
    const D3D12_RESOURCE_DESC plain = square_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 0);
    D3D12_RESOURCE_DESC1 desc = desc1_of(&plain), got;
    OWNED ID3D12Heap *heap = MADE(ID3D12Heap, device, CreateHeap, &heap_desc);
    ID3D12Resource2 *resource = MADE(ID3D12Resource2, newer, CreateCommittedResource2, &local, 0,
                                     &desc, D3D12_RESOURCE_STATE_COPY_DEST, NULL, NULL);
    ABI_CALL_STRUCT(resource, GetDesc1, &got);
    cr_assert_eqs(got.Width, 64, got.Format, DXGI_FORMAT_R8G8B8A8_UNORM);
    cr_assert_eq(got.Alignment, 65536);
    ID3D12Resource2_Release(resource);
    resource = MADE(ID3D12Resource2, newer, CreatePlacedResource1, heap, 0, &desc,
                    D3D12_RESOURCE_STATE_COMMON, NULL);
    ID3D12Resource2_Release(resource);
    cr_assert_eq(kit_messages(device), 0);
    /* D3D12_FEATURE_D3D12_OPTIONS7 says that there is no sampler feedback */
    desc.SamplerFeedbackMipRegion = (D3D12_MIP_REGION){4, 4, 1};
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreateCommittedResource2, &local, 0, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL, NULL);
    cr_assert_eq(
        kit_count(device,
                  D3D12_MESSAGE_ID_NONZERO_SAMPLER_FEEDBACK_MIP_REGION_WITH_INCOMPATIBLE_FORMAT),
        1);
    desc.Format = DXGI_FORMAT_SAMPLER_FEEDBACK_MIN_MIP_OPAQUE;
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreatePlacedResource1, heap, 0, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL);
    cr_assert_eq(kit_count(device,
                           D3D12_MESSAGE_ID_RESOURCE_FORMAT_REQUIRES_SAMPLER_FEEDBACK_CAPABILITY),
                 1);
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreateCommittedResource2, &local, 0, NULL,
            D3D12_RESOURCE_STATE_COMMON, NULL, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_CREATERESOURCEANDHEAP_NULLRESOURCEPROPERTIES),
                 1);
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreateCommittedResource2, &local, 0, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL, (ID3D12ProtectedResourceSession *)heap);
    cr_assert_eq(kit_messages(device), 4);
}

Test(resource, initial_layouts_suit_the_resource)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(64),
                              texture = square_desc(DXGI_FORMAT_R8_UNORM, 0),
                              target = square_desc(DXGI_FORMAT_R8_UNORM, 1),
                              depth = square_desc(DXGI_FORMAT_D32_FLOAT, 2),
                              writable = square_desc(DXGI_FORMAT_R8_UNORM, 4),
                              simultaneous = square_desc(DXGI_FORMAT_R8_UNORM, 0x20);
    const struct {
        const char *why;
        D3D12_HEAP_TYPE heap;
        const D3D12_RESOURCE_DESC *desc;
        D3D12_BARRIER_LAYOUT layout;
        int id;
    } cases[] = {
        {"buffer", 1, &buffer, D3D12_BARRIER_LAYOUT_UNDEFINED, 0},
        {"upload", 2, &buffer, D3D12_BARRIER_LAYOUT_UNDEFINED, 0},
        {"readback", 3, &buffer, D3D12_BARRIER_LAYOUT_UNDEFINED, 0},
        {"buffer with a layout", 1, &buffer, D3D12_BARRIER_LAYOUT_COMMON,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_LAYOUT},
        {"texture", 1, &texture, D3D12_BARRIER_LAYOUT_COMMON, 0},
        {"texture of no layout", 1, &texture, D3D12_BARRIER_LAYOUT_UNDEFINED, 0},
        {"texture to read", 1, &texture, D3D12_BARRIER_LAYOUT_SHADER_RESOURCE, 0},
        {"texture as target", 1, &texture, D3D12_BARRIER_LAYOUT_RENDER_TARGET,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_LAYOUT},
        {"target", 1, &target, D3D12_BARRIER_LAYOUT_RENDER_TARGET, 0},
        {"texture as depth", 1, &texture, D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_READ,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_LAYOUT},
        {"depth", 1, &depth, D3D12_BARRIER_LAYOUT_DEPTH_STENCIL_WRITE, 0},
        {"texture to write", 1, &texture, D3D12_BARRIER_LAYOUT_DIRECT_QUEUE_UNORDERED_ACCESS,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_LAYOUT},
        {"writable", 1, &writable, D3D12_BARRIER_LAYOUT_COMPUTE_QUEUE_UNORDERED_ACCESS, 0},
        {"simultaneous", 1, &simultaneous, D3D12_BARRIER_LAYOUT_COMMON, 0},
        {"simultaneous in one layout", 1, &simultaneous, D3D12_BARRIER_LAYOUT_COPY_DEST,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_LAYOUT},
        {"no such layout", 1, &texture, (D3D12_BARRIER_LAYOUT)99,
         D3D12_MESSAGE_ID_UNSUPPORTED_BARRIER_LAYOUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_HEAP_PROPERTIES properties = {.Type = cases[i].heap};
        const D3D12_RESOURCE_DESC1 desc = desc1_of(cases[i].desc);
        kit_clear(device);
        HRESULT hr = TRY(ID3D12Resource, NULL, newer, CreateCommittedResource3, &properties, 0,
                         &desc, cases[i].layout, NULL, NULL, 0, NULL);
        cr_expect_eq(hr, cases[i].id ? E_INVALIDARG : S_FALSE, "%s: %x", cases[i].why,
                     (unsigned)hr);
        cr_expect_eq(kit_messages(device), cases[i].id != 0, "%s", cases[i].why);
        cr_expect(cases[i].id == 0 || kit_count(device, cases[i].id) == 1, "%s", cases[i].why);
    }
}

Test(resource, castable_formats_have_the_texture_s_size)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 65536, .Properties = local};
    OWNED ID3D12Heap *heap = MADE(ID3D12Heap, device, CreateHeap, &heap_desc);
    const struct {
        const char *why;
        DXGI_FORMAT format;
        UINT count;
        DXGI_FORMAT castable[2];
        HRESULT hr;
    } cases[] = {
        {"none", DXGI_FORMAT_R8G8B8A8_UNORM, 0, {0}, S_FALSE},
        {"two",
         DXGI_FORMAT_R8G8B8A8_UNORM,
         2,
         {DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R16G16_UINT},
         S_FALSE},
        {"blocks as words", DXGI_FORMAT_BC1_UNORM, 1, {DXGI_FORMAT_R32G32_UINT}, S_FALSE},
        {"another size",
         DXGI_FORMAT_R8G8B8A8_UNORM,
         2,
         {DXGI_FORMAT_R32_FLOAT, DXGI_FORMAT_R16_UINT},
         E_INVALIDARG},
        {"typeless", DXGI_FORMAT_R8G8B8A8_UNORM, 1, {DXGI_FORMAT_R32_TYPELESS}, E_INVALIDARG},
        {"no format", DXGI_FORMAT_R8G8B8A8_UNORM, 1, {DXGI_FORMAT_UNKNOWN}, E_INVALIDARG},
        {"planes", DXGI_FORMAT_NV12, 1, {DXGI_FORMAT_R8_UNORM}, E_INVALIDARG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_RESOURCE_DESC plain = square_desc(cases[i].format, 0);
        const D3D12_RESOURCE_DESC1 desc = desc1_of(&plain);
        HRESULT hr = ID3D12Device11_CreatePlacedResource2(
            newer, heap, 0, &desc, D3D12_BARRIER_LAYOUT_COMMON, NULL, cases[i].count,
            (DXGI_FORMAT *)cases[i].castable, &IID_ID3D12Resource, NULL);
        cr_expect_eq(hr, cases[i].hr, "%s: %x", cases[i].why, (unsigned)hr);
    }
    /* shaders write blocks as the integers that they may be cast to */
    const D3D12_RESOURCE_DESC blocks =
        square_desc(DXGI_FORMAT_BC1_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    D3D12_RESOURCE_DESC1 desc = desc1_of(&blocks);
    DXGI_FORMAT words = DXGI_FORMAT_R32G32_UINT, other = DXGI_FORMAT_BC4_UNORM;
    EXPECT_HR(TRY(ID3D12Resource, NULL, newer, CreatePlacedResource2, heap, 0, &desc,
                  D3D12_BARRIER_LAYOUT_COMMON, NULL, 1, &words),
              S_FALSE);
    EXPECT_HR(TRY(ID3D12Resource, NULL, newer, CreatePlacedResource2, heap, 0, &desc,
                  D3D12_BARRIER_LAYOUT_COMMON, NULL, 1, &other),
              E_INVALIDARG);
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(64);
    desc = desc1_of(&buffer);
    DXGI_FORMAT word = DXGI_FORMAT_R32_UINT;
    EXPECT_HR(TRY(ID3D12Resource, NULL, newer, CreatePlacedResource2, heap, 0, &desc,
                  D3D12_BARRIER_LAYOUT_UNDEFINED, NULL, 1, &word),
              E_INVALIDARG);
    EXPECT_HR(TRY(ID3D12Resource, NULL, newer, CreatePlacedResource2, heap, 0, &desc,
                  D3D12_BARRIER_LAYOUT_UNDEFINED, NULL, 1, NULL),
              E_INVALIDARG);
}

Test(resource, sizes_and_footprints_are_the_same_in_the_newer_form)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    const D3D12_RESOURCE_DESC plain[2] = {kit_buffer_desc(1), square_desc(DXGI_FORMAT_R8_UNORM, 0)};
    D3D12_RESOURCE_DESC1 descs[2] = {desc1_of(&plain[0]), desc1_of(&plain[1])};
    D3D12_RESOURCE_ALLOCATION_INFO old, info;
    D3D12_RESOURCE_ALLOCATION_INFO1 old_each[2], each[2];
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo1, &old, 0, 2, plain, old_each);
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo2, &info, 0, 2, descs, each);
    cr_assert_eqs(info.SizeInBytes, 2 * 65536, info.Alignment, 65536);
    cr_assert_mem_eq(&old, &info, sizeof old);
    cr_assert_mem_eq(old_each, each, sizeof each);
    cr_assert_eq(each[1].Offset, 65536);
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo2, &info, 2, 2, descs, NULL);
    cr_assert_eq(info.SizeInBytes, UINT64_MAX, "there is no second node");
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo2, &info, 0, 2, NULL, NULL);
    cr_assert_eq(info.SizeInBytes, UINT64_MAX);
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo, &info, 0, 1, NULL);
    cr_assert_eq(info.SizeInBytes, UINT64_MAX);

    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
    UINT rows;
    UINT64 row_size, total;
    ID3D12Device11_GetCopyableFootprints1(newer, &descs[1], 0, 1, 512, &layout, &rows, &row_size,
                                          &total);
    cr_assert_eqs(layout.Offset, 512, layout.Footprint.RowPitch, 256);
    cr_assert_eq3(rows, 64, row_size, 64, total, 63 * 256 + 64);
    ID3D12Device11_GetCopyableFootprints1(newer, &descs[1], 0, 1, UINT64_MAX - 5, &layout, &rows,
                                          &row_size, &total);
    cr_assert(layout.Offset == UINT64_MAX - 5 && rows == 64 && total == 63 * 256 + 64,
              "the base is any number");
    descs[1].SamplerFeedbackMipRegion.Width = 4;
    ID3D12Device11_GetCopyableFootprints1(newer, &descs[1], 0, 1, 0, NULL, NULL, NULL, &total);
    cr_assert_eq(total, UINT64_MAX);
    ABI_CALL_STRUCT_ARGS(newer, GetResourceAllocationInfo2, &info, 0, 2, descs, NULL);
    cr_assert_eq(info.SizeInBytes, UINT64_MAX);
    ID3D12Device11_GetCopyableFootprints1(newer, NULL, 0, 1, 0, NULL, NULL, NULL, &total);
    cr_assert_eq(total, UINT64_MAX);
}
