/* Clears: the texels that are there afterwards, of every format, and of what the view sees and no
 * more. */
#include "list/texel_kit.h"

#include <math.h>

/* ---- formats: what [D3D11.3 functional specification, 3.2] makes of numbers ---- */

Test(clear_target, writes_the_colour_as_the_format_has_it)
{
    static const struct {
        DXGI_FORMAT format;
        FLOAT color[4];
        UINT size;
        uint8_t bytes[16];
    } cases[] = {
        {DXGI_FORMAT_R8G8B8A8_UNORM, {1, 0, 0.5f, 2}, 4, {0xFF, 0x00, 0x80, 0xFF}},
        {DXGI_FORMAT_R8G8B8A8_UNORM_SRGB, {1, 0, 0.5f, 0.5f}, 4, {0xFF, 0x00, 0xBC, 0x80}},
        {DXGI_FORMAT_B8G8R8A8_UNORM, {1, 0, 0.5f, -1}, 4, {0x80, 0x00, 0xFF, 0x00}},
        {DXGI_FORMAT_R8G8B8A8_SNORM, {1, -1, 0.5f, -2}, 4, {0x7F, 0x81, 0x40, 0x81}},
        {DXGI_FORMAT_R8G8B8A8_UINT, {1, 255, 300, -1}, 4, {0x01, 0xFF, 0xFF, 0x00}},
        {DXGI_FORMAT_R8G8B8A8_SINT, {1, -128, 300, -1}, 4, {0x01, 0x80, 0x7F, 0xFF}},
        {DXGI_FORMAT_R16G16B16A16_FLOAT,
         {1, -2, 0.5f, 65504},
         8,
         {0x00, 0x3C, 0x00, 0xC0, 0x00, 0x38, 0xFF, 0x7B}},
        {DXGI_FORMAT_R16G16B16A16_FLOAT, {1, 0, -0.0f, 1}, 8, {0x00, 0x3C, 0, 0, 0, 0x80, 0, 0x3C}},
        /* rounded towards 0: too large is the largest finite number, only infinity is infinite */
        {DXGI_FORMAT_R16G16_FLOAT, {1e6f, 5.9604645e-8f}, 4, {0xFF, 0x7B, 0x01, 0x00}},
        {DXGI_FORMAT_R16G16_FLOAT, {-1e6f, 1.0009f}, 4, {0xFF, 0xFB, 0x00, 0x3C}},
        {DXGI_FORMAT_R16_FLOAT, {HUGE_VALF}, 2, {0x00, 0x7C}},
        {DXGI_FORMAT_R16_UNORM, {0.5f}, 2, {0x00, 0x80}},
        {DXGI_FORMAT_R8_UNORM, {1}, 1, {0xFF}},
        {DXGI_FORMAT_A8_UNORM, {0, 0, 0, 1}, 1, {0xFF}},
        {DXGI_FORMAT_B5G6R5_UNORM, {1, 0, 1}, 2, {0x1F, 0xF8}},
        {DXGI_FORMAT_R10G10B10A2_UNORM, {1, 0, 1, 1}, 4, {0xFF, 0x03, 0xF0, 0xFF}},
        {DXGI_FORMAT_R11G11B10_FLOAT, {1, -1, 1}, 4, {0xC0, 0x03, 0x00, 0x78}},
        {DXGI_FORMAT_R32_FLOAT, {1}, 4, {0x00, 0x00, 0x80, 0x3F}},
        {DXGI_FORMAT_R32G32B32A32_UINT,
         {1, 2, 3, 4},
         16,
         {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0}},
        {DXGI_FORMAT_R32G32B32_FLOAT,
         {0, 1, 0},
         12,
         {0, 0, 0, 0, 0x00, 0x00, 0x80, 0x3F, 0, 0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AT_END(texels_close) struct texels s = texels_open();
        const D3D12_RESOURCE_DESC desc =
            texels_desc(cases[i].format, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
        OWNED ID3D12Resource *texture = texels_create(&s, &desc);
        ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
        ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], cases[i].color, 0, NULL);
        texels_read_back(&s, texture, 0);
        for (UINT y = 0; y < 4; y++)
            for (UINT x = 0; x < 8; x++)
                cr_assert_mem_eq(s.bytes + y * 256 + x * cases[i].size, cases[i].bytes,
                                 cases[i].size, "format %d, %u %u: %02x %02x %02x %02x",
                                 (int)cases[i].format, x, y, s.bytes[0], s.bytes[1], s.bytes[2],
                                 s.bytes[3]);
        cr_assert_eq(kit_messages(s.device), 0);
    }
}

Test(clear_target, writes_the_rectangles_as_far_as_there_is_texture)
{
    AT_END(texels_close) struct texels s = texels_open();
    const D3D12_RESOURCE_DESC desc = texels_target();
    const FLOAT one[4] = {1}, two[4] = {2};
    const D3D12_RECT rects[] = {{-5, -5, 2, 1}, {6, 2, 100, 100}, {3, 3, 3, 4}, {20, 0, 30, 4}};
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], one, 0, NULL);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], two, 4, rects);
    texels_read_back(&s, texture, 0);
    for (UINT y = 0; y < 4; y++)
        for (UINT x = 0; x < 8; x++)
            cr_assert_eq(s.bytes[y * 256 + x], (x < 2 && y < 1) || (x >= 6 && y >= 2) ? 2 : 1,
                         "%u %u: %u", x, y, s.bytes[y * 256 + x]);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* A slice for each: rows that are whole and rows that are not, from each edge on. */
Test(clear_target, writes_each_rectangle_texel_by_texel)
{
    static const D3D12_RECT rects[] = {{0, 0, 8, 1},   {0, 1, 8, 2},  {0, 1, 8, 4}, {1, 1, 8, 4},
                                       {1, 0, 7, 4},   {0, 3, 8, 9},  {1, 1, 2, 2}, {0, 0, 1, 4},
                                       {7, 3, 8, 4},   {-1, 0, 8, 2}, {8, 0, 9, 4}, {0, 4, 8, 5},
                                       {-3, -2, 0, 4}, {0, 0, 7, 4}};
    enum { COUNT = sizeof rects / sizeof rects[0] };
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    const FLOAT one[4] = {1}, two[4] = {2};
    desc.DepthOrArraySize = COUNT;
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    for (UINT i = 0; i < COUNT; i++) {
        const D3D12_RENDER_TARGET_VIEW_DESC view = {
            .Format = DXGI_FORMAT_R8_UINT,
            .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
            .Texture2DArray = {.FirstArraySlice = i, .ArraySize = 1}};
        ID3D12Device_CreateRenderTargetView(s.device, texture, &view, s.at[RTV]);
        ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], one, 0, NULL);
        ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], two, 1, &rects[i]);
        texels_read_back(&s, texture, i);
        for (LONG y = 0; y < 4; y++)
            for (LONG x = 0; x < 8; x++)
                cr_expect_eq(s.bytes[y * 256 + x],
                             x >= rects[i].left && x < rects[i].right && y >= rects[i].top &&
                                     y < rects[i].bottom
                                 ? 2
                                 : 1,
                             "rectangle %u: %d %d", i, (int)x, (int)y);
    }
    cr_expect_eq(kit_messages(s.device), 0);
}

Test(clear_target, writes_what_the_view_sees_and_no_more)
{
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    desc.DepthOrArraySize = 3;
    desc.MipLevels = 2;
    const FLOAT seven[4] = {7};
    const D3D12_RENDER_TARGET_VIEW_DESC view = {
        .Format = DXGI_FORMAT_R8_UINT,
        .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
        .Texture2DArray = {.MipSlice = 1, .FirstArraySlice = 1, .ArraySize = 2}};
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, &view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], seven, 0, NULL);
    for (UINT part = 0; part < 6; part++) { /* mip + 2 * slice */
        texels_read_back(&s, texture, part);
        cr_assert_eq(s.bytes[0], part == 3 || part == 5 ? 7 : 0, "part %u", part);
    }
    D3D12_RENDER_TARGET_VIEW_DESC bad[3] = {view, view, view};
    bad[0].Texture2DArray.MipSlice = 2;
    bad[1].Texture2DArray.ArraySize = 3;
    bad[2].Texture2DArray.FirstArraySlice = 3;
    for (int i = 0; i < 3; i++)
        ID3D12Device_CreateRenderTargetView(s.device, texture, &bad[i], s.at[RTV]);
    cr_assert_eq(kit_messages(s.device), 3);
}

Test(clear_target, of_a_volume_writes_some_of_its_depths)
{
    AT_END(texels_close) struct texels s = texels_open();
    D3D12_RESOURCE_DESC desc = texels_target();
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    desc.DepthOrArraySize = 4;
    const FLOAT five[4] = {5};
    const D3D12_RENDER_TARGET_VIEW_DESC view = {.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE3D,
                                                .Texture3D = {.FirstWSlice = 2,
                                                              .WSize = UINT32_MAX}};
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, &view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], five, 0, NULL);
    texels_read_back(&s, texture, 0);
    for (UINT z = 0; z < 4; z++)
        cr_assert_eq(s.bytes[z * 4 * 256], z >= 2 ? 5 : 0, "depth %u", z);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* A view is copied with what it sees. */
Test(clear_target, works_through_a_copied_view)
{
    struct texels s = texels_open(), other = {0};
    const D3D12_RESOURCE_DESC desc = texels_target();
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {RTV, 1, 0, 0};
    const FLOAT nine[4] = {9};
    ID3D12Resource *texture = texels_create(&s, &desc);
    other.heaps[RTV] = MADE(ID3D12DescriptorHeap, s.device, CreateDescriptorHeap, &heap);
    ABI_CALL_STRUCT(other.heaps[RTV], GetCPUDescriptorHandleForHeapStart, &other.at[RTV]);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12Device_CopyDescriptorsSimple(s.device, 1, other.at[RTV], s.at[RTV], RTV);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, other.at[RTV], nine, 0, NULL);
    texels_read_back(&s, texture, 0);
    cr_assert_eqs(s.bytes[0], 9, s.bytes[3 * 256 + 7], 9);
    RELEASE(other.heaps[RTV], texture);
    texels_close(&s);
}

Test(clear_target, wants_a_view_of_a_target_and_rectangles)
{
    AT_END(texels_close) struct texels s = texels_open();
    const D3D12_RESOURCE_DESC desc = texels_target();
    const D3D12_RENDER_TARGET_VIEW_DESC null_view = {
        .Format = DXGI_FORMAT_R8_UINT, .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D};
    const FLOAT color[4] = {0};
    const D3D12_CPU_DESCRIPTOR_HANDLE nowhere = {0};
    const D3D12_RECT inside_out = {4, 0, 3, 1}, upside_down = {0, 4, 1, 3};
    const int handle = D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE;
    const int rect = D3D12_MESSAGE_ID_DEVICE_CLEARVIEW_INVALIDSOURCERECT;
    OWNED ID3D12Resource *texture = texels_create(&s, &desc);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 0, NULL);
    texels_mistake(&s, handle, "a descriptor that was never written");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, nowhere, color, 0, NULL);
    texels_mistake(&s, handle, "no handle");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[DSV], color, 0, NULL);
    texels_mistake(&s, handle, "another heap's");
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], NULL, 0, NULL);
    texels_mistake(&s, EMU_MESSAGE_INVALID_ARGUMENT, "no colour");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, NULL);
    texels_mistake(&s, EMU_MESSAGE_INVALID_ARGUMENT, "no rectangles");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, &inside_out);
    texels_mistake(&s, rect, "inside out");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, &upside_down);
    texels_mistake(&s, rect, "upside down");
    ID3D12Device_CreateRenderTargetView(s.device, NULL, &null_view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 0, NULL);
    MUST(ID3D12GraphicsCommandList_Close(s.list)); /* writes to a null view are dropped */
    cr_assert_eq(kit_messages(s.device), 0);
}

/* ---- depth and stencil ---- */

Test(clear_depth, writes_each_plane_by_itself)
{
    static const struct {
        DXGI_FORMAT format;
        FLOAT depth;
        uint32_t texel, mask; /* of plane 0 */
        bool has_stencil;
    } cases[] = {{DXGI_FORMAT_D32_FLOAT, 1, 0x3F800000, UINT32_MAX, false},
                 {DXGI_FORMAT_D32_FLOAT, 5, 0x3F800000, UINT32_MAX, false},
                 {DXGI_FORMAT_D16_UNORM, 0.5f, 0x8000, 0xFFFF, false},
                 {DXGI_FORMAT_D24_UNORM_S8_UINT, 1, 0xFFFFFF, 0xFFFFFF, true},
                 {DXGI_FORMAT_D32_FLOAT_S8X24_UINT, 0.5f, 0x3F000000, UINT32_MAX, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AT_END(texels_close) struct texels s = texels_open();
        const D3D12_RESOURCE_DESC desc =
            texels_desc(cases[i].format, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
        OWNED ID3D12Resource *texture = texels_create(&s, &desc);
        uint32_t texel;
        ID3D12Device_CreateDepthStencilView(s.device, texture, NULL, s.at[DSV]);
        ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH,
                                                        cases[i].depth, 9, 0, NULL);
        texels_read_back(&s, texture, 0);
        memcpy(&texel, s.bytes, sizeof texel);
        cr_assert_eq(texel & cases[i].mask, cases[i].texel, "case %zu: %x", i, texel);
        if (!cases[i].has_stencil) { /* both flags are what programs set that don't look at the
                                        format */
            ID3D12GraphicsCommandList_ClearDepthStencilView(
                s.list, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL, 0, 9, 0,
                NULL);
            texels_read_back(&s, texture, 0);
            memcpy(&texel, s.bytes, sizeof texel);
            cr_assert_eq(texel & cases[i].mask, 0, "case %zu: both flags", i);
        }
        if (cases[i].has_stencil) {
            texels_read_back(&s, texture, 1);
            cr_assert_eq(s.bytes[0], 0, "case %zu: the stencil was not meant", i);
            ID3D12GraphicsCommandList_ClearDepthStencilView(
                s.list, s.at[DSV], D3D12_CLEAR_FLAG_STENCIL, 0, 9, 0, NULL);
            texels_read_back(&s, texture, 1);
            cr_assert_eqs(s.bytes[0], 9, s.bytes[3 * 512 + 7], 9, "case %zu", i);
            texels_read_back(&s, texture, 0);
            memcpy(&texel, s.bytes, sizeof texel);
            cr_assert_eq(texel & cases[i].mask, cases[i].texel, "case %zu: nor the depth", i);
        }
        cr_assert_eq(kit_messages(s.device), 0);
    }
}

Test(clear_depth, wants_a_plane_that_may_be_written)
{
    AT_END(texels_close) struct texels s = texels_open();
    const D3D12_RESOURCE_DESC plain =
        texels_desc(DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    const D3D12_RESOURCE_DESC both =
        texels_desc(DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    D3D12_DEPTH_STENCIL_VIEW_DESC view = {.Format = DXGI_FORMAT_D24_UNORM_S8_UINT,
                                          .ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D};
    const int id = D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID;
    const D3D12_CLEAR_FLAGS depth = D3D12_CLEAR_FLAG_DEPTH, stencil = D3D12_CLEAR_FLAG_STENCIL;
    OWNED ID3D12Resource *texture = texels_create(&s, &plain), *planes = texels_create(&s, &both);
    ID3D12Device_CreateDepthStencilView(s.device, texture, NULL, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], (D3D12_CLEAR_FLAGS)0, 0, 0,
                                                    0, NULL);
    texels_mistake(&s, id, "neither");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], (D3D12_CLEAR_FLAGS)5, 0, 0,
                                                    0, NULL);
    texels_mistake(&s, id, "no such flag");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], stencil, 0, 0, 0, NULL);
    texels_mistake(&s, id, "no stencil");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[RTV], depth, 0, 0, 0, NULL);
    texels_mistake(&s, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, "another heap's");
    view.Flags = D3D12_DSV_FLAG_READ_ONLY_DEPTH;
    ID3D12Device_CreateDepthStencilView(s.device, planes, &view, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], depth, 0, 0, 0, NULL);
    texels_mistake_and(&s, S_OK, id, "a depth that is read only is reported");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], stencil, 0, 0, 0, NULL);
    cr_assert_eq(kit_messages(s.device), 0);
    view.Flags = D3D12_DSV_FLAG_READ_ONLY_STENCIL;
    ID3D12Device_CreateDepthStencilView(s.device, planes, &view, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], depth | stencil, 0, 0, 0,
                                                    NULL);
    texels_mistake_and(&s, S_OK, id, "a stencil that is read only is reported");
}

/* ---- unordered access: the view twice, where shaders see it and where the CPU does ---- */

struct access {
    ID3D12DescriptorHeap *visible;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
};

static struct access open_access(struct texels *s)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {UAV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    struct access a;
    a.visible = MADE(ID3D12DescriptorHeap, s->device, CreateDescriptorHeap, &desc);
    ABI_CALL_STRUCT(a.visible, GetCPUDescriptorHandleForHeapStart, &a.cpu);
    ABI_CALL_STRUCT(a.visible, GetGPUDescriptorHandleForHeapStart, &a.gpu);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s->list, 1, &a.visible);
    return a;
}

static void create_access(struct texels *s, struct access *a, ID3D12Resource *resource,
                          const D3D12_UNORDERED_ACCESS_VIEW_DESC *view)
{
    ID3D12Device_CreateUnorderedAccessView(s->device, resource, NULL, view, s->at[UAV]);
    ID3D12Device_CopyDescriptorsSimple(s->device, 1, a->cpu, s->at[UAV], UAV);
}

/* CheckFeatureSupport's word is kept: a texture, a view and a clear of each format that can be
 * rendered to. */
Test(clear_target, every_renderable_format_is_one)
{
    AT_END(texels_close) struct texels s = texels_open();
    const FLOAT one[4] = {1, 1, 1, 1};
    unsigned count = 0;
    for (int format = 1; format <= (int)DXGI_FORMAT_B4G4R4A4_UNORM; format++) {
        D3D12_FEATURE_DATA_FORMAT_SUPPORT support = {.Format = (DXGI_FORMAT)format};
        if (FAILED(ID3D12Device_CheckFeatureSupport(s.device, D3D12_FEATURE_FORMAT_SUPPORT,
                                                    &support, sizeof support)) ||
            (support.Support1 & D3D12_FORMAT_SUPPORT1_RENDER_TARGET) == 0)
            continue;
        const D3D12_RESOURCE_DESC desc =
            texels_desc((DXGI_FORMAT)format, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
        ID3D12Resource *texture = texels_create(&s, &desc);
        ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
        ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], one, 0, NULL);
        texels_read_back(&s, texture, 0);
        static const uint8_t nothing[16] = {0}; /* a float's first byte may be 0, not all of it */
        cr_assert_eq(kit_messages(s.device), 0, "format %d", format);
        cr_assert(memcmp(s.bytes, nothing, sizeof nothing) != 0, "format %d", format);
        ID3D12Resource_Release(texture);
        count++;
    }
    cr_assert(count >= 40, "%u formats", count);
}

Test(clear_access, writes_a_typed_or_raw_buffer)
{
    AT_END(texels_close) struct texels s = texels_open();
    struct access a = open_access(&s);
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    const D3D12_UNORDERED_ACCESS_VIEW_DESC raw = {
        .Format = DXGI_FORMAT_R32_TYPELESS,
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.FirstElement = 1, .NumElements = 2, .Flags = D3D12_BUFFER_UAV_FLAG_RAW}};
    const D3D12_UNORDERED_ACCESS_VIEW_DESC typed = {.Format = DXGI_FORMAT_R8G8_UNORM,
                                                    .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                                    .Buffer = {.FirstElement = 8,
                                                               .NumElements = 2}};
    const UINT values[4] = {0x11223344, 0x55, 0, 0};
    const FLOAT floats[4] = {1, 0.5f, 0, 0};
    ID3D12Resource *buffer = texels_create(&s, &desc);
    create_access(&s, &a, buffer, &raw);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], buffer, values,
                                                           0, NULL);
    create_access(&s, &a, buffer, &typed);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewFloat(s.list, a.gpu, s.at[UAV], buffer,
                                                            floats, 0, NULL);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 0, buffer, 0, 256);
    kit_run(s.device, s.queue, s.list);
    static const uint8_t expected[24] = {0,    0,    0, 0, 0x44, 0x33, 0x22, 0x11, 0x44, 0x33,
                                         0x22, 0x11, 0, 0, 0,    0,    0xFF, 0x80, 0xFF, 0x80};
    cr_assert_mem_eq(s.bytes, expected, sizeof expected);
    cr_assert_eq(kit_messages(s.device), 0);
    RELEASE(buffer, a.visible);
}

/* "… the lower n bits of each value are copied" [ClearUnorderedAccessViewUint]. */
Test(clear_access, writes_the_rectangles_of_a_texture)
{
    AT_END(texels_close) struct texels s = texels_open();
    struct access a = open_access(&s);
    D3D12_RESOURCE_DESC desc =
        texels_desc(DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    desc.MipLevels = 2;
    const D3D12_UNORDERED_ACCESS_VIEW_DESC view = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                                   .ViewDimension = D3D12_UAV_DIMENSION_TEXTURE2D,
                                                   .Texture2D = {.MipSlice = 1}};
    const UINT values[4] = {0x101, 2, 3, 4};
    const D3D12_RECT rect = {1, 0, 2, 1};
    ID3D12Resource *texture = texels_create(&s, &desc);
    create_access(&s, &a, texture, &view);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], texture,
                                                           values, 1, &rect);
    texels_read_back(&s, texture, 1);
    static const uint8_t expected[12] = {0, 0, 0, 0, 1, 2, 3, 4};
    cr_assert_mem_eq(s.bytes, expected, sizeof expected);
    texels_read_back(&s, texture, 0);
    cr_assert_eqs(s.bytes[4], 0, kit_messages(s.device), 0);
    RELEASE(texture, a.visible);
}

/* A buffer is one row of elements; what lies outside of it is not cleared. */
Test(clear_access, takes_rectangles_of_a_buffer)
{
    static const struct {
        D3D12_RECT rect;
        unsigned from, to; /* elements of 8 that are cleared */
    } cases[] = {{{2, 0, 5, 1}, 2, 5},  {{-3, -1, 2, 9}, 0, 2}, {{6, 0, 100, 1}, 6, 8},
                 {{0, 1, 8, 2}, 0, 0},  {{3, 0, 3, 1}, 0, 0},   {{8, 0, 9, 1}, 0, 0},
                 {{1, -5, 4, 0}, 0, 0}, {{-9, 0, -1, 1}, 0, 0}};
    const D3D12_UNORDERED_ACCESS_VIEW_DESC view = {.Format = DXGI_FORMAT_R32_UINT,
                                                   .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                                   .Buffer = {.NumElements = 8}};
    const UINT zero[4] = {0}, value[4] = {0xABCD1234u};
    const D3D12_RECT both[2] = {{0, 0, 1, 1}, {7, 0, 8, 1}};
    AT_END(texels_close) struct texels s = texels_open();
    struct access a = open_access(&s);
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(64);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    ID3D12Resource *buffer = texels_create(&s, &desc);
    create_access(&s, &a, buffer, &view);
    for (size_t i = 0; i <= sizeof cases / sizeof cases[0]; i++) {
        const bool two = i == sizeof cases / sizeof cases[0];
        ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &a.visible);
        ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], buffer,
                                                               zero, 0, NULL);
        ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(
            s.list, a.gpu, s.at[UAV], buffer, value, two ? 2 : 1, two ? both : &cases[i].rect);
        ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 0, buffer, 0, 32);
        kit_run(s.device, s.queue, s.list);
        MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
        UINT *words = kit_map(s.readback);
        for (unsigned k = 0; k < 8; k++) {
            const bool is_in = two ? k == 0 || k == 7 : k >= cases[i].from && k < cases[i].to;
            cr_assert_eq(words[k], is_in ? value[0] : 0, "case %zu, element %u", i, k);
        }
        ID3D12Resource_Unmap(s.readback, 0, NULL);
    }
    cr_assert_eq(kit_messages(s.device), 0);
    RELEASE(buffer, a.visible);
}

Test(clear_access, wants_both_handles_and_the_resource)
{
    AT_END(texels_close) struct texels s = texels_open();
    struct access a = open_access(&s);
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(256);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    const D3D12_UNORDERED_ACCESS_VIEW_DESC raw = {.Format = DXGI_FORMAT_R32_TYPELESS,
                                                  .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
                                                  .Buffer = {.NumElements = 2,
                                                             .Flags = D3D12_BUFFER_UAV_FLAG_RAW}};
    const D3D12_UNORDERED_ACCESS_VIEW_DESC structured = {
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.NumElements = 2, .StructureByteStride = 16}};
    const UINT values[4] = {0};
    const D3D12_GPU_DESCRIPTOR_HANDLE nowhere = {0};
    const int handle = D3D12_MESSAGE_ID_CLEAR_UNORDERED_ACCESS_VIEW_INVALID_DESCRIPTOR_HANDLE;
    const int resource = D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INVALID_RESOURCE_PTR;
    ID3D12Resource *buffer = texels_create(&s, &desc);
    create_access(&s, &a, buffer, &raw);
    const struct {
        const char *what;
        bool has_heap;
        D3D12_GPU_DESCRIPTOR_HANDLE gpu;
        D3D12_CPU_DESCRIPTOR_HANDLE cpu;
        ID3D12Resource *resource;
        const UINT *values;
        int id;
        HRESULT hr;
    } cases[] = {
        {"no heap is set", false, a.gpu, s.at[UAV], buffer, values, handle, S_OK},
        {"no GPU handle", true, nowhere, s.at[UAV], buffer, values, handle, S_OK},
        {"the CPU handle of a visible heap", true, a.gpu, a.cpu, buffer, values, handle,
         E_INVALIDARG},
        {"a render target's", true, a.gpu, s.at[RTV], buffer, values, handle, E_INVALIDARG},
        {"no resource", true, a.gpu, s.at[UAV], NULL, values, resource, E_INVALIDARG},
        {"another resource", true, a.gpu, s.at[UAV], s.readback, values, resource, E_INVALIDARG},
        {"no values", true, a.gpu, s.at[UAV], buffer, NULL, EMU_MESSAGE_INVALID_ARGUMENT,
         E_INVALIDARG},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, cases[i].has_heap, &a.visible);
        ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(
            s.list, cases[i].gpu, cases[i].cpu, cases[i].resource, cases[i].values, 0, NULL);
        texels_mistake_and(&s, cases[i].hr, cases[i].id, cases[i].what);
    }
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &a.visible);
    create_access(&s, &a, buffer, &structured);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], buffer, values,
                                                           0, NULL);
    texels_mistake(&s,
                   D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INCOMPATIBLE_WITH_STRUCTURED_BUFFERS,
                   "a structured buffer");
    RELEASE(buffer, a.visible);
}
