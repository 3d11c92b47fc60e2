/* Resolves. Nothing is rasterised: all samples of a texel have the value that it was cleared to. */
#include "list/texel_kit.h"

#define ID(name)     D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_##name
#define FORMAT(name) DXGI_FORMAT_##name

/* UNORM and sRGB of one family, a typeless texture, and depth by the name that it is read as. */
Test(resolve, takes_formats_of_the_family)
{
    const D3D12_RESOURCE_FLAGS target = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET,
                               depth = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL;
    const struct {
        DXGI_FORMAT to, from, format;
        D3D12_RESOURCE_FLAGS flags;
        bool good;
    } cases[] = {
        {FORMAT(R8G8B8A8_UNORM), FORMAT(R8G8B8A8_UNORM_SRGB), FORMAT(R8G8B8A8_UNORM), target, true},
        {FORMAT(B8G8R8A8_UNORM_SRGB), FORMAT(B8G8R8A8_UNORM), FORMAT(B8G8R8A8_UNORM_SRGB), target,
         true},
        {FORMAT(B8G8R8X8_UNORM_SRGB), FORMAT(B8G8R8X8_UNORM), FORMAT(B8G8R8X8_UNORM), target, true},
        {FORMAT(R16_TYPELESS), FORMAT(R16_FLOAT), FORMAT(R16_FLOAT), target, true},
        {FORMAT(D32_FLOAT), FORMAT(D32_FLOAT), FORMAT(R32_FLOAT), depth, true},
        {FORMAT(R32_TYPELESS), FORMAT(D32_FLOAT), FORMAT(D32_FLOAT), depth, true},
        {FORMAT(D24_UNORM_S8_UINT), FORMAT(D24_UNORM_S8_UINT), FORMAT(R24_UNORM_X8_TYPELESS), depth,
         true},
        {FORMAT(R8G8B8A8_UNORM), FORMAT(B8G8R8A8_UNORM), FORMAT(R8G8B8A8_UNORM), target, false},
        {FORMAT(R8G8B8A8_UNORM), FORMAT(R8G8B8A8_UNORM), FORMAT(R8G8B8A8_UINT), target, false},
        {FORMAT(R16_TYPELESS), FORMAT(R16_TYPELESS), FORMAT(R16_TYPELESS), target, false},
        {FORMAT(R16_FLOAT), FORMAT(R16_TYPELESS), FORMAT(R8G8_UNORM), target, false},
    };
    AT_END(texels_close) struct texels s = texels_open();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        D3D12_RESOURCE_DESC desc = texels_desc(cases[i].to, cases[i].flags);
        OWNED ID3D12Resource *to = texels_create(&s, &desc);
        desc.Format = cases[i].from;
        desc.SampleDesc.Count = 4;
        OWNED ID3D12Resource *from = texels_create(&s, &desc);
        ID3D12GraphicsCommandList_ResolveSubresource(s.list, to, 0, from, 0, cases[i].format);
        const int id = ID(INVALID_FORMAT);
        cr_assert_eqs(kit_messages(s.device), !cases[i].good, kit_count(s.device, id),
                      !cases[i].good, "case %zu", i);
        kit_clear(s.device);
        kit_run(s.device, s.queue, s.list);
        MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    }
}

/* "The source and destination resources must have the same sample count"
 * [D3D12_RESOLVE_MODE_DECOMPRESS]. */
Test(resolve, decompresses_as_many_samples)
{
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    const FLOAT three[4] = {3};
    const DXGI_FORMAT format = DXGI_FORMAT_R8_UINT;
    const D3D12_RESOLVE_MODE decompress = D3D12_RESOLVE_MODE_DECOMPRESS;
    OWNED ID3D12GraphicsCommandList1 *list1 = AS(ID3D12GraphicsCommandList1, s.list);
    OWNED ID3D12Resource *one = texels_create(&s, &desc), *another = texels_create(&s, &desc);
    desc.SampleDesc.Count = 4;
    OWNED ID3D12Resource *four = texels_create(&s, &desc), *more = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, four, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], three, 0, NULL);
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, more, 0, 0, 0, four, 0, NULL, format,
                                                        decompress);
    ID3D12GraphicsCommandList_ResolveSubresource(s.list, one, 0, more, 0, format);
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, another, 0, 0, 0, one, 0, NULL,
                                                        format, decompress);
    texels_read_back(&s, another, 0);
    cr_assert_eq3(s.bytes[0], 3, s.bytes[3 * 256 + 7], 3, kit_messages(s.device), 0);
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 0, 0, four, 0, NULL, format,
                                                        decompress);
    texels_report(&s, ID(INVALID_SAMPLE_COUNT), "four to one");
}

Test(resolve, makes_one_sample_of_several)
{
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    const FLOAT three[4] = {3};
    OWNED ID3D12GraphicsCommandList1 *list1 = AS(ID3D12GraphicsCommandList1, s.list);
    OWNED ID3D12Resource *one = texels_create(&s, &desc), *another = texels_create(&s, &desc);
    desc.SampleDesc.Count = 4;
    OWNED ID3D12Resource *four = texels_create(&s, &desc);
    D3D12_RECT rect = {0, 0, 2, 2}, past = {7, 0, 9, 1};
    ID3D12Device_CreateRenderTargetView(s.device, four, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], three, 0, NULL);
    ID3D12GraphicsCommandList_ResolveSubresource(s.list, one, 0, four, 0, DXGI_FORMAT_R8_UINT);
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(
        list1, another, 0, 5, 1, four, 0, &rect, DXGI_FORMAT_R8_UINT, D3D12_RESOLVE_MODE_MAX);
    texels_read_back(&s, one, 0);
    for (UINT i = 0; i < 32; i++)
        cr_assert_eq(s.bytes[i / 8 * 256 + i % 8], 3);
    texels_read_back(&s, another, 0);
    for (UINT y = 0; y < 4; y++)
        for (UINT x = 0; x < 8; x++)
            cr_assert_eq(s.bytes[y * 256 + x], x >= 5 && x < 7 && y >= 1 && y < 3 ? 3 : 0);
    cr_assert_eq(kit_messages(s.device), 0);

    const DXGI_FORMAT format = DXGI_FORMAT_R8_UINT;
    const struct {
        const char *what;
        ID3D12Resource *to;
        UINT to_part;
        ID3D12Resource *from;
        UINT from_part;
        DXGI_FORMAT format;
        int id;
    } bad[] = {
        {"nowhere", NULL, 0, four, 0, format, ID(NULLDST)},
        {"nothing", one, 0, NULL, 0, format, ID(NULLSRC)},
        {"to a buffer", s.readback, 0, four, 0, format, ID(INVALIDDSTRESOURCE)},
        {"from something else", one, 0, (ID3D12Resource *)s.queue, 0, format,
         ID(INVALIDSRCRESOURCE)},
        {"one sample", one, 0, another, 0, format, ID(INVALID_SAMPLE_COUNT)},
        {"to several", four, 0, four, 0, format, ID(INVALID_SAMPLE_COUNT)},
        {"a part that is not", one, 1, four, 0, format, ID(INVALID_SUBRESOURCE_INDEX)},
        {"from a part that is not", one, 0, four, 1, format, ID(INVALID_SUBRESOURCE_INDEX)},
        {"another format", one, 0, four, 0, DXGI_FORMAT_R8_UNORM, ID(INVALID_FORMAT)},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ID3D12GraphicsCommandList_ResolveSubresource(s.list, bad[i].to, bad[i].to_part, bad[i].from,
                                                     bad[i].from_part, bad[i].format);
        texels_report(&s, bad[i].id, bad[i].what);
    }
    desc.SampleDesc.Count = 1;
    desc.Width = 16;
    OWNED ID3D12Resource *wide = texels_create(&s, &desc);
    ID3D12GraphicsCommandList_ResolveSubresource(s.list, wide, 0, four, 0, format);
    texels_report(&s, ID(RESOURCE_MISMATCH), "another size");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 0, 0, four, 0, &past, format,
                                                        D3D12_RESOLVE_MODE_AVERAGE);
    texels_report(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCEREGION_INVALID_RECT, "past the source");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 7, 0, four, 0, &rect, format,
                                                        D3D12_RESOLVE_MODE_AVERAGE);
    texels_report(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCEREGION_INVALID_RECT, "past the target");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 0, 0, four, 0, &rect, format,
                                                        (D3D12_RESOLVE_MODE)9);
    texels_report(&s, ID(RESOURCE_FLAGS_NOT_SUPPORTED), "a mode");
}
