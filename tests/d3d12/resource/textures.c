/* Textures: descriptions, sizes and footprints, copies to and from buffers, the CPU's access. */
#include "kit.h"

#include "base/abi.h"

static D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, UINT width, UINT height, UINT depth,
                                        UINT mips)
{
    return kit_texture_desc(format, width, height, depth, mips, 0);
}

static HRESULT create(ID3D12Device *device, const D3D12_HEAP_PROPERTIES *heap,
                      const D3D12_RESOURCE_DESC *desc, const D3D12_CLEAR_VALUE *clear, void **out)
{
    return TRY(ID3D12Resource, out, device, CreateCommittedResource, heap, D3D12_HEAP_FLAG_NONE,
               desc, D3D12_RESOURCE_STATE_COMMON, clear);
}

static const D3D12_HEAP_PROPERTIES local = {.Type = D3D12_HEAP_TYPE_DEFAULT};
static const D3D12_HEAP_PROPERTIES shared = {
    D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0, 0};

Test(texture, descriptions_that_d3d12_refuses_are_refused)
{
    static const struct {
        const char *why;
        D3D12_RESOURCE_DIMENSION dimension;
        DXGI_FORMAT format;
        UINT width, height, depth, mips, samples;
        D3D12_RESOURCE_FLAGS flags;
        UINT64 alignment;
    } bad[] = {
        {"no format", 3, DXGI_FORMAT_UNKNOWN, 4, 4, 1, 1, 1, 0, 0},
        {"no such format", 3, (DXGI_FORMAT)999, 4, 4, 1, 1, 1, 0, 0},
        {"no width", 3, DXGI_FORMAT_R8_UNORM, 0, 4, 1, 1, 1, 0, 0},
        {"no height", 3, DXGI_FORMAT_R8_UNORM, 4, 0, 1, 1, 1, 0, 0},
        {"no slices", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 0, 1, 1, 0, 0},
        {"too wide", 3, DXGI_FORMAT_R8_UNORM, 16385, 4, 1, 1, 1, 0, 0},
        {"too deep", 4, DXGI_FORMAT_R8_UNORM, 4, 4, 2049, 1, 1, 0, 0},
        {"one dimension with height", 2, DXGI_FORMAT_R8_UNORM, 4, 2, 1, 1, 1, 0, 0},
        {"more mips than anything has", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 16, 1, 0, 0},
        {"half a block", 3, DXGI_FORMAT_BC1_UNORM, 6, 4, 1, 1, 1, 0, 0},
        {"blocks as target", 3, DXGI_FORMAT_BC1_UNORM, 4, 4, 1, 1, 1, 1, 0},
        {"depth without depth format", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 1, 1, 2, 0},
        {"two kinds of target", 3, DXGI_FORMAT_R32_TYPELESS, 4, 4, 1, 1, 1, 3, 0},
        {"samples without target", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 1, 4, 0, 0},
        {"three samples", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 1, 3, 1, 0},
        {"odd alignment", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 1, 1, 0, 512},
        {"small alignment of a target", 3, DXGI_FORMAT_R8_UNORM, 4, 4, 1, 1, 1, 1, 4096},
        {"small alignment of much", 3, DXGI_FORMAT_R8_UNORM, 1024, 1024, 1, 1, 1, 0, 4096},
    };
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        D3D12_RESOURCE_DESC desc =
            texture_desc(bad[i].format, bad[i].width, bad[i].height, bad[i].depth, bad[i].mips);
        void *out = &out;
        desc.Dimension = bad[i].dimension;
        desc.SampleDesc.Count = bad[i].samples;
        desc.Flags = bad[i].flags;
        desc.Alignment = bad[i].alignment;
        cr_expect_eqs(create(device, &local, &desc, NULL, &out), E_INVALIDARG, out, NULL, "%s",
                      bad[i].why);
        cr_expect_eq(kit_messages(device), i + 1, "%s", bad[i].why);
        D3D12_RESOURCE_ALLOCATION_INFO info;
        ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 1, &desc);
        cr_expect_eq(info.SizeInBytes, UINT64_MAX, "%s", bad[i].why);
    }
    /* heaps for buffers only; clear values for targets only */
    const D3D12_HEAP_PROPERTIES upload = {.Type = D3D12_HEAP_TYPE_UPLOAD};
    D3D12_RESOURCE_DESC good = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 1, 1);
    const D3D12_CLEAR_VALUE clear = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM};
    EXPECT_HR(create(device, &upload, &good, NULL, NULL), E_INVALIDARG);
    EXPECT_HR(create(device, &local, &good, &clear, NULL), E_INVALIDARG);
    good.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    EXPECT_HR(create(device, &local, &good, &clear, NULL), S_FALSE);
}

Test(texture, tells_what_it_became)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 256, 64, 3, 0);
    OWNED ID3D12Resource *texture = NULL;
    MUST(create(device, &local, &desc, NULL, (void **)&texture));
    ABI_CALL_STRUCT(texture, GetDesc, &desc);
    cr_assert_eq3(desc.MipLevels, 9, desc.Alignment, 65536, desc.Width, 256);
    cr_assert_eq(ID3D12Resource_GetGPUVirtualAddress(texture), 0);
}

Test(texture, sizes_are_multiples_of_alignments)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_RESOURCE_DESC descs[2] = {texture_desc(DXGI_FORMAT_R8_UNORM, 256, 257, 1, 1),
                                    texture_desc(DXGI_FORMAT_R8_UNORM, 16, 16, 1, 1)};
    D3D12_RESOURCE_ALLOCATION_INFO info;
    ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 1, descs);
    cr_assert_eqs(info.SizeInBytes, 2 * 65536, info.Alignment, 65536);
    descs[1].Alignment = 4096;
    ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 1, &descs[1]);
    cr_assert_eqs(info.SizeInBytes, 4096, info.Alignment, 4096);
    descs[1].Alignment = 0;
    descs[1].Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    descs[1].SampleDesc.Count = 4;
    ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 2, descs);
    cr_assert_eqs(info.Alignment, 4 << 20, info.SizeInBytes, 8 << 20,
                  "the second starts at a multiple of its alignment");
}

/* Numbers from D3D12's rules: rows at multiples of 256 bytes, subresources at multiples of 512. */
Test(texture, has_footprints_of_mips_blocks_and_planes)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout[4];
    UINT rows[4];
    UINT64 sizes[4], total = 0;
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 100, 50, 2, 2);
    ID3D12Device_GetCopyableFootprints(device, &desc, 1, 2, 512, layout, rows, sizes, &total);
    cr_assert_eqs(layout[0].Offset, 512, layout[0].Footprint.Width, 50);
    cr_assert_eqs(layout[0].Footprint.Height, 25, layout[0].Footprint.RowPitch, 256);
    cr_assert_eqs(rows[0], 25, sizes[0], 200);
    const UINT64 end = 512 + 24 * 256 + 200;
    cr_assert_eqs(layout[1].Offset, (end + 511) / 512 * 512, layout[1].Footprint.Width, 100);
    cr_assert_eq(layout[1].Footprint.RowPitch, 512);
    cr_assert_eq(total, layout[1].Offset + 49 * 512 + 400 - 512);

    /* Offsets are aligned relative to the base, as D3DX12GetCopyableFootprints computes them. */
    ID3D12Device_GetCopyableFootprints(device, &desc, 1, 2, 100, layout, rows, sizes, &total);
    cr_assert_eqs(layout[0].Offset, 100, layout[1].Offset,
                  100 + (24 * 256 + 200 + 511) / 512 * 512);
    cr_assert_eq(total, layout[1].Offset + 49 * 512 + 400 - 100);

    desc = texture_desc(DXGI_FORMAT_BC1_UNORM, 12, 8, 1, 2); /* its second mip is 6 x 4 */
    ID3D12Device_GetCopyableFootprints(device, &desc, 1, 1, 0, layout, rows, sizes, &total);
    cr_assert_eqs(layout[0].Footprint.Width, 8, layout[0].Footprint.Height, 4);
    cr_assert_eq3(rows[0], 1, sizes[0], 16, total, 16);

    desc = texture_desc(DXGI_FORMAT_D24_UNORM_S8_UINT, 10, 10, 1, 1);
    ID3D12Device_GetCopyableFootprints(device, &desc, 0, 2, 0, layout, rows, sizes, &total);
    cr_assert_eqs(layout[0].Footprint.Format, DXGI_FORMAT_R32_TYPELESS, sizes[0], 40);
    cr_assert_eqs(layout[1].Footprint.Format, DXGI_FORMAT_R8_TYPELESS, sizes[1], 10);
    /* rows of planes are aligned to twice as much, as on Windows */
    cr_assert_eqs(layout[0].Footprint.RowPitch, 512, layout[1].Footprint.RowPitch, 512);
    desc.Format = DXGI_FORMAT_NV12;
    ID3D12Device_GetCopyableFootprints(device, &desc, 1, 1, 0, layout, rows, sizes, &total);
    cr_assert_eqs(layout[0].Footprint.Format, DXGI_FORMAT_R8G8_TYPELESS, rows[0], 5);
    cr_assert_eq(sizes[0], 10);

    ID3D12Device_GetCopyableFootprints(device, &desc, 0, 3, 0, layout, rows, sizes, &total);
    cr_assert_eq3(total, UINT64_MAX, rows[0], UINT32_MAX, layout[0].Offset, UINT64_MAX);
}

Test(texture, is_placed_where_its_heap_allows)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8_UNORM, 256, 256, 1, 1);
    D3D12_RESOURCE_DESC samples = desc;
    D3D12_HEAP_DESC heap_desc = {.SizeInBytes = 8 << 20, .Properties = local};
    ID3D12Heap *heap = NULL;
    samples.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    samples.SampleDesc.Count = 4;
    for (int i = 0; i < 3; i++) {
        HRESULT plain, multi;
        heap_desc.Alignment = i == 0 ? 0 : 4 << 20;
        heap_desc.Flags = i == 2 ? D3D12_HEAP_FLAG_DENY_NON_RT_DS_TEXTURES : 0;
        heap = MADE(ID3D12Heap, device, CreateHeap, &heap_desc);
        plain = ID3D12Device_CreatePlacedResource(device, heap, 65536, &desc, 0, NULL,
                                                  &IID_ID3D12Resource, NULL);
        multi = ID3D12Device_CreatePlacedResource(device, heap, 4 << 20, &samples, 0, NULL,
                                                  &IID_ID3D12Resource, NULL);
        cr_assert_eq(plain, i == 2 ? E_INVALIDARG : S_FALSE, "%d", i);
        cr_assert_eq(multi, i == 0 ? E_INVALIDARG : S_FALSE, "%d", i);
        EXPECT_HR(ID3D12Device_CreatePlacedResource(device, heap, 8 << 20, &desc, 0, NULL,
                                                    &IID_ID3D12Resource, NULL),
                  E_INVALIDARG);
        ID3D12Heap_Release(heap);
    }
}

/* ---- the CPU's access ---- */

Test(texture, is_mapped_without_pointer)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8_UINT, 8, 8, 1, 2);
    OWNED ID3D12Resource *texture = NULL;
    uint8_t bytes[64] = {0};
    void *data = &data;
    MUST(create(device, &shared, &desc, NULL, (void **)&texture));
    MUST(ID3D12Resource_Map(texture, 1, NULL, NULL));
    ID3D12Resource_Unmap(texture, 1, NULL);
    cr_assert_eq(kit_messages(device), 0);
    EXPECT_HR(ID3D12Resource_Map(texture, 0, NULL, &data), E_INVALIDARG);
    cr_assert_eq(data, &data);
    EXPECT_HR(ID3D12Resource_Map(texture, 2, NULL, NULL), E_INVALIDARG);
    cr_assert_eq(kit_messages(device), 2);
    EXPECT_HR(ID3D12Resource_WriteToSubresource(texture, 0, NULL, bytes, 8, 64), E_NOTIMPL);
    EXPECT_HR(ID3D12Resource_ReadFromSubresource(texture, bytes, 8, 64, 0, NULL), E_NOTIMPL);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_NOT_MODELLED), 2);
}

/* ID3D12Resource::Map, and what D3D12's validation says: a 3D texture of one mip level is mapped
 * without a pointer, one of several is not. */
static void expect_map(ID3D12Device *device, UINT16 mips, HRESULT result)
{
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8_UINT, 4, 2, 2, mips);
    OWNED ID3D12Resource *texture = NULL;
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    MUST(create(device, &shared, &desc, NULL, (void **)&texture));
    EXPECT_HR(ID3D12Resource_Map(texture, 0, NULL, NULL), result);
}

Test(texture, of_three_dimensions_is_mapped_if_it_has_one_mip)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    expect_map(device, 1, S_OK);
    cr_assert_eq(kit_messages(device), 0);
    expect_map(device, 2, E_INVALIDARG);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_MAP_INVALIDRESOURCE);
}

/* ---- copies ---- */

struct scene {
    KIT_SCENE;
    ID3D12Resource *upload, *readback, *texture; /* 2 mips of 16 x 8 in R16 */
    uint16_t *from, *to;
    D3D12_PLACED_SUBRESOURCE_FOOTPRINT layout;
};

static void set_up(struct scene *s)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R16_UINT, 16, 8, 1, 2);
    KIT_SCENE_OPEN(s, kit_device(), COPY);
    s->upload = kit_buffer(s->device, D3D12_HEAP_TYPE_UPLOAD, 4096);
    s->readback = kit_buffer(s->device, D3D12_HEAP_TYPE_READBACK, 4096);
    MUST(create(s->device, &local, &desc, NULL, (void **)&s->texture));
    MUST(ID3D12Resource_Map(s->upload, 0, NULL, (void **)&s->from));
    MUST(ID3D12Resource_Map(s->readback, 0, NULL, (void **)&s->to));
    ID3D12Device_GetCopyableFootprints(s->device, &desc, 0, 1, 0, &s->layout, NULL, NULL, NULL);
}

static void tear_down(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->upload, s->readback, s->texture);
}

static D3D12_TEXTURE_COPY_LOCATION placed(const struct scene *s, ID3D12Resource *buffer)
{
    return kit_placed(buffer, s->layout.Offset, s->layout.Footprint);
}

Test(copy_texture, goes_up_across_mips_and_back)
{
    AT_END(tear_down) struct scene s;
    set_up(&s);
    for (UINT y = 0; y < 8; y++)
        for (UINT x = 0; x < 16; x++)
            s.from[y * 128 + x] = (uint16_t)(y * 16 + x + 1);
    const D3D12_TEXTURE_COPY_LOCATION up = placed(&s, s.upload), down = placed(&s, s.readback);
    const D3D12_TEXTURE_COPY_LOCATION mip0 = kit_part(s.texture, 0), mip1 = kit_part(s.texture, 1);
    const D3D12_BOX corner = {8, 4, 0, 16, 8, 1}, all = {0, 0, 0, 8, 4, 1};
    const D3D12_BOX empty = {3, 3, 0, 3, 3, 1};
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &mip0, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &mip1, 0, 0, 0, &mip0, &corner);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &mip0, 2, 1, 0, &mip1, &all);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &mip0, 0, 0, 0, &mip1, &empty);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &mip0, NULL);
    kit_run(s.device, s.queue, s.list);
    for (UINT y = 0; y < 8; y++)
        for (UINT x = 0; x < 16; x++) {
            const bool moved = x >= 2 && x < 10 && y >= 1 && y < 5;
            const UINT expected = moved ? (y - 1 + 4) * 16 + x - 2 + 8 + 1 : y * 16 + x + 1;
            cr_assert_eq(s.to[y * 128 + x], expected, "%u %u: %u", x, y, s.to[y * 128 + x]);
        }
    cr_assert_eqs(s.to[16], 0, kit_messages(s.device), 0);
}

Test(copy_texture, mistakes_are_told_and_not_copied)
{
    AT_END(tear_down) struct scene s;
    set_up(&s);
    const D3D12_TEXTURE_COPY_LOCATION mip0 = kit_part(s.texture, 0), mip1 = kit_part(s.texture, 1);
    const D3D12_TEXTURE_COPY_LOCATION none = kit_part(s.texture, 2), up = placed(&s, s.upload);
    D3D12_TEXTURE_COPY_LOCATION askew = up, past = up, wide = up;
    const D3D12_BOX outside = {8, 4, 0, 17, 8, 1};
    askew.PlacedFootprint.Offset = 256;
    past.PlacedFootprint.Offset = 2560;
    wide.PlacedFootprint.Footprint.Format = DXGI_FORMAT_R32_UINT;
    const struct {
        const D3D12_TEXTURE_COPY_LOCATION *to, *from;
        UINT x;
        const D3D12_BOX *box;
        int id;
    } bad[] = {
        {NULL, &up, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDDSTRESOURCE},
        {&none, &up, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDDSTRESOURCE},
        {&mip0, NULL, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE},
        {&mip0, &askew, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE},
        {&mip0, &past, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE},
        {&mip0, &wide, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_FORMATMISMATCH},
        {&mip0, &up, 0, &outside, D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCBOX},
        {&mip0, &up, 1, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS},
        {&mip1, &mip0, 0, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS},
        {&mip0, &up, UINT32_MAX, NULL, D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS},
        {&mip0, &mip0, 0, NULL, D3D12_MESSAGE_ID_COPY_ON_SAME_SUBRESOURCE},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (i > 0)
            MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
        kit_clear(s.device);
        ID3D12GraphicsCommandList_CopyTextureRegion(s.list, bad[i].to, bad[i].x, 0, 0, bad[i].from,
                                                    bad[i].box);
        cr_assert_eqs(kit_count(s.device, bad[i].id), 1, kit_messages(s.device), 1, "case %zu", i);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), S_OK);
    }
}

Test(copy_texture, copies_whole_resources_of_one_shape)
{
    AT_END(tear_down) struct scene s;
    set_up(&s);
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R16_UINT, 16, 8, 1, 2);
    const D3D12_RESOURCE_DESC other = texture_desc(DXGI_FORMAT_R16_UINT, 16, 8, 1, 1);
    OWNED ID3D12Resource *a = NULL, *b = NULL, *c = NULL;
    for (UINT i = 0; i < 8; i++)
        s.from[i * 128] = (uint16_t)(i + 500);
    MUST(create(s.device, &shared, &desc, NULL, (void **)&a));
    MUST(create(s.device, &shared, &desc, NULL, (void **)&b));
    MUST(create(s.device, &shared, &other, NULL, (void **)&c));
    const D3D12_TEXTURE_COPY_LOCATION up = placed(&s, s.upload), down = placed(&s, s.readback),
                                      to = kit_part(a, 0), from = kit_part(b, 0);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyResource(s.list, b, a);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &from, NULL);
    kit_run(s.device, s.queue, s.list);
    for (UINT i = 0; i < 8; i++)
        cr_assert_eq(s.to[i * 128], i + 500);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    ID3D12GraphicsCommandList_CopyResource(s.list, c, a);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, a, 0, s.upload, 0, 16);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), S_OK);
    cr_assert_eq(kit_messages(s.device), 2);
}

Test(texture, has_views_of_each_kind)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 16, 16, 1, 1);
    const D3D12_DESCRIPTOR_HEAP_DESC heaps[3] = {{D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV, 1, 0, 0},
                                                 {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 1, 0, 0},
                                                 {D3D12_DESCRIPTOR_HEAP_TYPE_DSV, 1, 0, 0}};
    ID3D12DescriptorHeap *heap[3];
    D3D12_CPU_DESCRIPTOR_HANDLE at[3];
    OWNED ID3D12Resource *target = NULL, *plain = NULL, *depth = NULL;
    for (int i = 0; i < 3; i++) {
        heap[i] = MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &heaps[i]);
        ABI_CALL_STRUCT(heap[i], GetCPUDescriptorHandleForHeapStart, &at[i]);
    }
    MUST(create(device, &local, &desc, NULL, (void **)&plain));
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    MUST(create(device, &local, &desc, NULL, (void **)&target));
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL | D3D12_RESOURCE_FLAG_DENY_SHADER_RESOURCE;
    desc.Format = DXGI_FORMAT_D32_FLOAT;
    MUST(create(device, &local, &desc, NULL, (void **)&depth));
    ID3D12Device_CreateShaderResourceView(device, plain, NULL, at[0]);
    ID3D12Device_CreateRenderTargetView(device, target, NULL, at[1]);
    ID3D12Device_CreateDepthStencilView(device, depth, NULL, at[2]);
    cr_assert_eq(kit_messages(device), 0);
    ID3D12Device_CreateRenderTargetView(device, plain, NULL, at[1]);
    ID3D12Device_CreateDepthStencilView(device, target, NULL, at[2]);
    ID3D12Device_CreateShaderResourceView(device, depth, NULL, at[0]);
    ID3D12Device_CreateUnorderedAccessView(device, plain, NULL, NULL, at[0]);
    cr_assert_eq(kit_messages(device), 4);
    for (int i = 0; i < 3; i++)
        ID3D12DescriptorHeap_Release(heap[i]);
}
