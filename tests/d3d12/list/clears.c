/* Clears: the texels that are there afterwards, of every format, and of what the view sees and no more. */
#include "kit.h"

#include <math.h>

#include "base/abi.h"

struct scene {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Resource *readback;
    uint8_t *bytes; /* of the readback buffer */
    ID3D12DescriptorHeap *heaps[4];
    D3D12_CPU_DESCRIPTOR_HANDLE at[4]; /* by heap type; each heap has one descriptor */
};

#define RTV D3D12_DESCRIPTOR_HEAP_TYPE_RTV
#define DSV D3D12_DESCRIPTOR_HEAP_TYPE_DSV
#define UAV D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV

static struct scene open_scene(void)
{
    struct scene s = {.device = kit_device()};
    s.queue = kit_queue(s.device, DIRECT);
    s.allocator = kit_allocator(s.device, DIRECT);
    s.list = kit_list(s.device, s.allocator, DIRECT);
    s.readback = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 65536);
    MUST(ID3D12Resource_Map(s.readback, 0, NULL, (void **)&s.bytes));
    memset(s.bytes, 0xEE, 65536);
    for (int type = 0; type < 4; type++) {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {(D3D12_DESCRIPTOR_HEAP_TYPE)type, 1, 0, 0};
        MUST(ID3D12Device_CreateDescriptorHeap(s.device, &desc, &IID_ID3D12DescriptorHeap,
                                               (void **)&s.heaps[type]));
        ABI_CALL_STRUCT(s.heaps[type], GetCPUDescriptorHandleForHeapStart, &s.at[type]);
    }
    return s;
}

static void close_scene(struct scene *s)
{
    for (int type = 0; type < 4; type++)
        ID3D12DescriptorHeap_Release(s->heaps[type]);
    ID3D12Resource_Release(s->readback);
    ID3D12GraphicsCommandList_Release(s->list);
    ID3D12CommandAllocator_Release(s->allocator);
    ID3D12CommandQueue_Release(s->queue);
    kit_close(s->device);
}

static D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags)
{
    return (D3D12_RESOURCE_DESC){
        .Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
        .Width = 8,
        .Height = 4,
        .DepthOrArraySize = 1,
        .MipLevels = 1,
        .Format = format,
        .SampleDesc = {.Count = 1},
        .Flags = flags,
    };
}

static ID3D12Resource *create(struct scene *s, const D3D12_RESOURCE_DESC *desc)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    ID3D12Resource *texture = NULL;
    MUST(ID3D12Device_CreateCommittedResource(s->device, &heap, D3D12_HEAP_FLAG_NONE, desc,
                                              D3D12_RESOURCE_STATE_COMMON, NULL,
                                              &IID_ID3D12Resource, (void **)&texture));
    return texture;
}

/* Copies a subresource to the start of the readback buffer, rows 256 bytes apart, and runs the list. */
static void read_back(struct scene *s, ID3D12Resource *texture, UINT part)
{
    D3D12_RESOURCE_DESC desc;
    ABI_CALL_STRUCT(texture, GetDesc, &desc);
    D3D12_TEXTURE_COPY_LOCATION to = {.pResource = s->readback,
                                      .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT};
    const D3D12_TEXTURE_COPY_LOCATION from = {.pResource = texture,
                                              .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                              .SubresourceIndex = part};
    ID3D12Device_GetCopyableFootprints(s->device, &desc, part, 1, 0, &to.PlacedFootprint, NULL,
                                       NULL, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s->list, &to, 0, 0, 0, &from, NULL);
    kit_execute(s->queue, s->list);
    kit_finish(s->device, s->queue);
    MUST(ID3D12GraphicsCommandList_Reset(s->list, s->allocator, NULL));
}

static void expect_mistake(struct scene *s, int id, const char *what)
{
    cr_assert(kit_messages(s->device) == 1 && kit_count(s->device, id) == 1, "%s", what);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s->list), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Reset(s->list, s->allocator, NULL));
    kit_clear(s->device);
}

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
        struct scene s = open_scene();
        const D3D12_RESOURCE_DESC desc =
            texture_desc(cases[i].format, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
        ID3D12Resource *texture = create(&s, &desc);
        ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
        ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], cases[i].color, 0, NULL);
        read_back(&s, texture, 0);
        for (UINT y = 0; y < 4; y++)
            for (UINT x = 0; x < 8; x++)
                cr_assert(memcmp(s.bytes + y * 256 + x * cases[i].size, cases[i].bytes,
                                 cases[i].size) == 0,
                          "format %d, %u %u: %02x %02x %02x %02x", (int)cases[i].format, x, y,
                          s.bytes[0], s.bytes[1], s.bytes[2], s.bytes[3]);
        cr_assert(kit_messages(s.device) == 0);
        ID3D12Resource_Release(texture);
        close_scene(&s);
    }
}

Test(clear_target, writes_the_rectangles_as_far_as_there_is_texture)
{
    struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    const FLOAT one[4] = {1}, two[4] = {2};
    const D3D12_RECT rects[] = {{-5, -5, 2, 1}, {6, 2, 100, 100}, {3, 3, 3, 4}, {20, 0, 30, 4}};
    ID3D12Resource *texture = create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], one, 0, NULL);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], two, 4, rects);
    read_back(&s, texture, 0);
    for (UINT y = 0; y < 4; y++)
        for (UINT x = 0; x < 8; x++)
            cr_assert(s.bytes[y * 256 + x] == ((x < 2 && y < 1) || (x >= 6 && y >= 2) ? 2 : 1),
                      "%u %u: %u", x, y, s.bytes[y * 256 + x]);
    cr_assert(kit_messages(s.device) == 0);
    ID3D12Resource_Release(texture);
    close_scene(&s);
}

Test(clear_target, writes_what_the_view_sees_and_no_more)
{
    struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.DepthOrArraySize = 3;
    desc.MipLevels = 2;
    const FLOAT seven[4] = {7};
    const D3D12_RENDER_TARGET_VIEW_DESC view = {
        .Format = DXGI_FORMAT_R8_UINT,
        .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2DARRAY,
        .Texture2DArray = {.MipSlice = 1, .FirstArraySlice = 1, .ArraySize = 2}};
    ID3D12Resource *texture = create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, &view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], seven, 0, NULL);
    for (UINT part = 0; part < 6; part++) { /* mip + 2 * slice */
        read_back(&s, texture, part);
        cr_assert(s.bytes[0] == (part == 3 || part == 5 ? 7 : 0), "part %u", part);
    }
    D3D12_RENDER_TARGET_VIEW_DESC bad[3] = {view, view, view};
    bad[0].Texture2DArray.MipSlice = 2;
    bad[1].Texture2DArray.ArraySize = 3;
    bad[2].Texture2DArray.FirstArraySlice = 3;
    for (int i = 0; i < 3; i++)
        ID3D12Device_CreateRenderTargetView(s.device, texture, &bad[i], s.at[RTV]);
    cr_assert(kit_messages(s.device) == 3);
    ID3D12Resource_Release(texture);
    close_scene(&s);
}

Test(clear_target, of_a_volume_writes_some_of_its_depths)
{
    struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    desc.DepthOrArraySize = 4;
    const FLOAT five[4] = {5};
    const D3D12_RENDER_TARGET_VIEW_DESC view = {.ViewDimension = D3D12_RTV_DIMENSION_TEXTURE3D,
                                                .Texture3D = {.FirstWSlice = 2,
                                                              .WSize = UINT32_MAX}};
    ID3D12Resource *texture = create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, &view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], five, 0, NULL);
    read_back(&s, texture, 0);
    for (UINT z = 0; z < 4; z++)
        cr_assert(s.bytes[z * 4 * 256] == (z >= 2 ? 5 : 0), "depth %u", z);
    cr_assert(kit_messages(s.device) == 0);
    ID3D12Resource_Release(texture);
    close_scene(&s);
}

/* A view is copied with what it sees. */
Test(clear_target, through_a_copied_view)
{
    struct scene s = open_scene(), other = {0};
    const D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    const D3D12_DESCRIPTOR_HEAP_DESC heap = {RTV, 1, 0, 0};
    const FLOAT nine[4] = {9};
    ID3D12Resource *texture = create(&s, &desc);
    MUST(ID3D12Device_CreateDescriptorHeap(s.device, &heap, &IID_ID3D12DescriptorHeap,
                                           (void **)&other.heaps[RTV]));
    ABI_CALL_STRUCT(other.heaps[RTV], GetCPUDescriptorHandleForHeapStart, &other.at[RTV]);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12Device_CopyDescriptorsSimple(s.device, 1, other.at[RTV], s.at[RTV], RTV);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, other.at[RTV], nine, 0, NULL);
    read_back(&s, texture, 0);
    cr_assert(s.bytes[0] == 9 && s.bytes[3 * 256 + 7] == 9);
    ID3D12DescriptorHeap_Release(other.heaps[RTV]);
    ID3D12Resource_Release(texture);
    close_scene(&s);
}

Test(clear_target, wants_a_view_of_a_target_and_rectangles)
{
    struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    const D3D12_RENDER_TARGET_VIEW_DESC null_view = {
        .Format = DXGI_FORMAT_R8_UINT, .ViewDimension = D3D12_RTV_DIMENSION_TEXTURE2D};
    const FLOAT color[4] = {0};
    const D3D12_CPU_DESCRIPTOR_HANDLE nowhere = {0};
    const D3D12_RECT inside_out = {4, 0, 3, 1}, upside_down = {0, 4, 1, 3};
    const int handle = D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE;
    const int rect = D3D12_MESSAGE_ID_DEVICE_CLEARVIEW_INVALIDSOURCERECT;
    ID3D12Resource *texture = create(&s, &desc);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 0, NULL);
    expect_mistake(&s, handle, "a descriptor that was never written");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, nowhere, color, 0, NULL);
    expect_mistake(&s, handle, "no handle");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[DSV], color, 0, NULL);
    expect_mistake(&s, handle, "another heap's");
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], NULL, 0, NULL);
    expect_mistake(&s, EMU_MESSAGE_INVALID_ARGUMENT, "no colour");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, NULL);
    expect_mistake(&s, EMU_MESSAGE_INVALID_ARGUMENT, "no rectangles");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, &inside_out);
    expect_mistake(&s, rect, "inside out");
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 1, &upside_down);
    expect_mistake(&s, rect, "upside down");
    ID3D12Device_CreateRenderTargetView(s.device, NULL, &null_view, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], color, 0, NULL);
    MUST(ID3D12GraphicsCommandList_Close(s.list)); /* writes to a null view are dropped */
    cr_assert(kit_messages(s.device) == 0);
    ID3D12Resource_Release(texture);
    close_scene(&s);
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
        struct scene s = open_scene();
        const D3D12_RESOURCE_DESC desc =
            texture_desc(cases[i].format, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
        ID3D12Resource *texture = create(&s, &desc);
        uint32_t texel;
        ID3D12Device_CreateDepthStencilView(s.device, texture, NULL, s.at[DSV]);
        ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH,
                                                        cases[i].depth, 9, 0, NULL);
        read_back(&s, texture, 0);
        memcpy(&texel, s.bytes, sizeof texel);
        cr_assert((texel & cases[i].mask) == cases[i].texel, "case %zu: %x", i, texel);
        if (!cases[i]
                 .has_stencil) { /* both flags are what programs set that don't look at the format */
            ID3D12GraphicsCommandList_ClearDepthStencilView(
                s.list, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH | D3D12_CLEAR_FLAG_STENCIL, 0, 9, 0,
                NULL);
            read_back(&s, texture, 0);
            memcpy(&texel, s.bytes, sizeof texel);
            cr_assert((texel & cases[i].mask) == 0, "case %zu: both flags", i);
        }
        if (cases[i].has_stencil) {
            read_back(&s, texture, 1);
            cr_assert(s.bytes[0] == 0, "case %zu: the stencil was not meant", i);
            ID3D12GraphicsCommandList_ClearDepthStencilView(
                s.list, s.at[DSV], D3D12_CLEAR_FLAG_STENCIL, 0, 9, 0, NULL);
            read_back(&s, texture, 1);
            cr_assert(s.bytes[0] == 9 && s.bytes[3 * 256 + 7] == 9, "case %zu", i);
            read_back(&s, texture, 0);
            memcpy(&texel, s.bytes, sizeof texel);
            cr_assert((texel & cases[i].mask) == cases[i].texel, "case %zu: nor the depth", i);
        }
        cr_assert(kit_messages(s.device) == 0);
        ID3D12Resource_Release(texture);
        close_scene(&s);
    }
}

Test(clear_depth, wants_a_plane_that_may_be_written)
{
    struct scene s = open_scene();
    const D3D12_RESOURCE_DESC plain =
        texture_desc(DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    const D3D12_RESOURCE_DESC both =
        texture_desc(DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    D3D12_DEPTH_STENCIL_VIEW_DESC view = {.Format = DXGI_FORMAT_D24_UNORM_S8_UINT,
                                          .ViewDimension = D3D12_DSV_DIMENSION_TEXTURE2D};
    const int id = D3D12_MESSAGE_ID_CLEARDEPTHSTENCILVIEW_INVALID;
    const D3D12_CLEAR_FLAGS depth = D3D12_CLEAR_FLAG_DEPTH, stencil = D3D12_CLEAR_FLAG_STENCIL;
    ID3D12Resource *texture = create(&s, &plain), *planes = create(&s, &both);
    ID3D12Device_CreateDepthStencilView(s.device, texture, NULL, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], (D3D12_CLEAR_FLAGS)0, 0, 0,
                                                    0, NULL);
    expect_mistake(&s, id, "neither");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], (D3D12_CLEAR_FLAGS)5, 0, 0,
                                                    0, NULL);
    expect_mistake(&s, id, "no such flag");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], stencil, 0, 0, 0, NULL);
    expect_mistake(&s, id, "no stencil");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[RTV], depth, 0, 0, 0, NULL);
    expect_mistake(&s, D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE, "another heap's");
    view.Flags = D3D12_DSV_FLAG_READ_ONLY_DEPTH;
    ID3D12Device_CreateDepthStencilView(s.device, planes, &view, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], depth, 0, 0, 0, NULL);
    expect_mistake(&s, id, "a depth that is read only");
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], stencil, 0, 0, 0, NULL);
    cr_assert(kit_messages(s.device) == 0);
    view.Flags = D3D12_DSV_FLAG_READ_ONLY_STENCIL;
    ID3D12Device_CreateDepthStencilView(s.device, planes, &view, s.at[DSV]);
    ID3D12GraphicsCommandList_ClearDepthStencilView(s.list, s.at[DSV], depth | stencil, 0, 0, 0,
                                                    NULL);
    expect_mistake(&s, id, "a stencil that is read only");
    ID3D12Resource_Release(texture);
    ID3D12Resource_Release(planes);
    close_scene(&s);
}

/* ---- unordered access: the view twice, where shaders see it and where the CPU does ---- */

struct access {
    ID3D12DescriptorHeap *visible;
    D3D12_CPU_DESCRIPTOR_HANDLE cpu;
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
};

static struct access open_access(struct scene *s)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {UAV, 1, D3D12_DESCRIPTOR_HEAP_FLAG_SHADER_VISIBLE, 0};
    struct access a;
    MUST(ID3D12Device_CreateDescriptorHeap(s->device, &desc, &IID_ID3D12DescriptorHeap,
                                           (void **)&a.visible));
    ABI_CALL_STRUCT(a.visible, GetCPUDescriptorHandleForHeapStart, &a.cpu);
    ABI_CALL_STRUCT(a.visible, GetGPUDescriptorHandleForHeapStart, &a.gpu);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s->list, 1, &a.visible);
    return a;
}

static void create_access(struct scene *s, struct access *a, ID3D12Resource *resource,
                          const D3D12_UNORDERED_ACCESS_VIEW_DESC *view)
{
    ID3D12Device_CreateUnorderedAccessView(s->device, resource, NULL, view, s->at[UAV]);
    ID3D12Device_CopyDescriptorsSimple(s->device, 1, a->cpu, s->at[UAV], UAV);
}

Test(clear_access, writes_a_typed_or_raw_buffer)
{
    struct scene s = open_scene();
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
    ID3D12Resource *buffer = create(&s, &desc);
    create_access(&s, &a, buffer, &raw);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], buffer, values,
                                                           0, NULL);
    create_access(&s, &a, buffer, &typed);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewFloat(s.list, a.gpu, s.at[UAV], buffer,
                                                            floats, 0, NULL);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 0, buffer, 0, 256);
    kit_execute(s.queue, s.list);
    kit_finish(s.device, s.queue);
    static const uint8_t expected[24] = {0,    0,    0, 0, 0x44, 0x33, 0x22, 0x11, 0x44, 0x33,
                                         0x22, 0x11, 0, 0, 0,    0,    0xFF, 0x80, 0xFF, 0x80};
    cr_assert(memcmp(s.bytes, expected, sizeof expected) == 0);
    cr_assert(kit_messages(s.device) == 0);
    ID3D12Resource_Release(buffer);
    ID3D12DescriptorHeap_Release(a.visible);
    close_scene(&s);
}

/* "… the lower n bits of each value are copied" [ClearUnorderedAccessViewUint]. */
Test(clear_access, writes_the_rectangles_of_a_texture)
{
    struct scene s = open_scene();
    struct access a = open_access(&s);
    D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS);
    desc.MipLevels = 2;
    const D3D12_UNORDERED_ACCESS_VIEW_DESC view = {.Format = DXGI_FORMAT_R8G8B8A8_UNORM,
                                                   .ViewDimension = D3D12_UAV_DIMENSION_TEXTURE2D,
                                                   .Texture2D = {.MipSlice = 1}};
    const UINT values[4] = {0x101, 2, 3, 4};
    const D3D12_RECT rect = {1, 0, 2, 1};
    ID3D12Resource *texture = create(&s, &desc);
    create_access(&s, &a, texture, &view);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], texture,
                                                           values, 1, &rect);
    read_back(&s, texture, 1);
    static const uint8_t expected[12] = {0, 0, 0, 0, 1, 2, 3, 4};
    cr_assert(memcmp(s.bytes, expected, sizeof expected) == 0);
    read_back(&s, texture, 0);
    cr_assert(s.bytes[4] == 0 && kit_messages(s.device) == 0);
    ID3D12Resource_Release(texture);
    ID3D12DescriptorHeap_Release(a.visible);
    close_scene(&s);
}

Test(clear_access, wants_both_handles_and_the_resource)
{
    struct scene s = open_scene();
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
    const D3D12_RECT rect = {0, 0, 1, 1};
    const D3D12_GPU_DESCRIPTOR_HANDLE nowhere = {0};
    const int handle = D3D12_MESSAGE_ID_CLEAR_UNORDERED_ACCESS_VIEW_INVALID_DESCRIPTOR_HANDLE;
    const int resource = D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INVALID_RESOURCE_PTR;
    ID3D12Resource *buffer = create(&s, &desc);
    create_access(&s, &a, buffer, &raw);
    const struct {
        const char *what;
        bool has_heap;
        D3D12_GPU_DESCRIPTOR_HANDLE gpu;
        D3D12_CPU_DESCRIPTOR_HANDLE cpu;
        ID3D12Resource *resource;
        const UINT *values;
        UINT count;
        int id;
    } cases[] = {
        {"no heap is set", false, a.gpu, s.at[UAV], buffer, values, 0, handle},
        {"no GPU handle", true, nowhere, s.at[UAV], buffer, values, 0, handle},
        {"the CPU handle of a visible heap", true, a.gpu, a.cpu, buffer, values, 0, handle},
        {"a render target's", true, a.gpu, s.at[RTV], buffer, values, 0, handle},
        {"no resource", true, a.gpu, s.at[UAV], NULL, values, 0, resource},
        {"another resource", true, a.gpu, s.at[UAV], s.readback, values, 0, resource},
        {"no values", true, a.gpu, s.at[UAV], buffer, NULL, 0, EMU_MESSAGE_INVALID_ARGUMENT},
        {"a rectangle of a buffer", true, a.gpu, s.at[UAV], buffer, values, 1,
         EMU_MESSAGE_INVALID_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, cases[i].has_heap, &a.visible);
        ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, cases[i].gpu, cases[i].cpu,
                                                               cases[i].resource, cases[i].values,
                                                               cases[i].count, &rect);
        expect_mistake(&s, cases[i].id, cases[i].what);
    }
    ID3D12GraphicsCommandList_SetDescriptorHeaps(s.list, 1, &a.visible);
    create_access(&s, &a, buffer, &structured);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(s.list, a.gpu, s.at[UAV], buffer, values,
                                                           0, NULL);
    expect_mistake(&s,
                   D3D12_MESSAGE_ID_CLEARUNORDEREDACCESSVIEW_INCOMPATIBLE_WITH_STRUCTURED_BUFFERS,
                   "a structured buffer");
    ID3D12Resource_Release(buffer);
    ID3D12DescriptorHeap_Release(a.visible);
    close_scene(&s);
}

/* ---- resolves: nothing is rasterised, so that all samples of a texel are what it was cleared to ---- */

Test(resolve, makes_one_sample_of_several)
{
    struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    const FLOAT three[4] = {3};
    ID3D12GraphicsCommandList1 *list1 = NULL;
    MUST(ID3D12GraphicsCommandList_QueryInterface(s.list, &IID_ID3D12GraphicsCommandList1,
                                                  (void **)&list1));
    ID3D12Resource *one = create(&s, &desc), *another = create(&s, &desc);
    desc.SampleDesc.Count = 4;
    ID3D12Resource *four = create(&s, &desc);
    D3D12_RECT rect = {0, 0, 2, 2}, past = {7, 0, 9, 1};
    ID3D12Device_CreateRenderTargetView(s.device, four, NULL, s.at[RTV]);
    ID3D12GraphicsCommandList_ClearRenderTargetView(s.list, s.at[RTV], three, 0, NULL);
    ID3D12GraphicsCommandList_ResolveSubresource(s.list, one, 0, four, 0, DXGI_FORMAT_R8_UINT);
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(
        list1, another, 0, 5, 1, four, 0, &rect, DXGI_FORMAT_R8_UINT, D3D12_RESOLVE_MODE_MAX);
    read_back(&s, one, 0);
    for (UINT i = 0; i < 32; i++)
        cr_assert(s.bytes[i / 8 * 256 + i % 8] == 3);
    read_back(&s, another, 0);
    for (UINT y = 0; y < 4; y++)
        for (UINT x = 0; x < 8; x++)
            cr_assert(s.bytes[y * 256 + x] == (x >= 5 && x < 7 && y >= 1 && y < 3 ? 3 : 0));
    cr_assert(kit_messages(s.device) == 0);

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
        {"nowhere", NULL, 0, four, 0, format, D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_NULLDST},
        {"nothing", one, 0, NULL, 0, format, D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_NULLSRC},
        {"to a buffer", s.readback, 0, four, 0, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALIDDSTRESOURCE},
        {"from something else", one, 0, (ID3D12Resource *)s.queue, 0, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALIDSRCRESOURCE},
        {"one sample", one, 0, another, 0, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALID_SAMPLE_COUNT},
        {"to several", four, 0, four, 0, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALID_SAMPLE_COUNT},
        {"a part that is not", one, 1, four, 0, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALID_SUBRESOURCE_INDEX},
        {"from a part that is not", one, 0, four, 1, format,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALID_SUBRESOURCE_INDEX},
        {"another format", one, 0, four, 0, DXGI_FORMAT_R8_UNORM,
         D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_INVALID_FORMAT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ID3D12GraphicsCommandList_ResolveSubresource(s.list, bad[i].to, bad[i].to_part, bad[i].from,
                                                     bad[i].from_part, bad[i].format);
        expect_mistake(&s, bad[i].id, bad[i].what);
    }
    desc.SampleDesc.Count = 1;
    desc.Width = 16;
    ID3D12Resource *wide = create(&s, &desc);
    ID3D12GraphicsCommandList_ResolveSubresource(s.list, wide, 0, four, 0, format);
    expect_mistake(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_RESOURCE_MISMATCH, "another size");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 0, 0, four, 0, &past, format,
                                                        D3D12_RESOLVE_MODE_AVERAGE);
    expect_mistake(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCEREGION_INVALID_RECT, "past the source");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 7, 0, four, 0, &rect, format,
                                                        D3D12_RESOLVE_MODE_AVERAGE);
    expect_mistake(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCEREGION_INVALID_RECT, "past the target");
    ID3D12GraphicsCommandList1_ResolveSubresourceRegion(list1, one, 0, 0, 0, four, 0, &rect, format,
                                                        (D3D12_RESOLVE_MODE)9);
    expect_mistake(&s, D3D12_MESSAGE_ID_RESOLVESUBRESOURCE_RESOURCE_FLAGS_NOT_SUPPORTED, "a mode");
    ID3D12Resource_Release(wide);
    ID3D12Resource_Release(one);
    ID3D12Resource_Release(another);
    ID3D12Resource_Release(four);
    ID3D12GraphicsCommandList1_Release(list1);
    close_scene(&s);
}

/* ---- render passes ---- */

#define BEGIN_CLEAR   D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_CLEAR
#define BEGIN_KEEP    D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE
#define BEGIN_NOTHING D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_NO_ACCESS
#define END_KEEP      D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE
#define END_RESOLVE   D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE
#define END_NOTHING   D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_NO_ACCESS

Test(render_pass, clears_at_its_beginning_and_resolves_at_its_end)
{
    struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    const D3D12_RESOURCE_DESC depth_desc =
        texture_desc(DXGI_FORMAT_D24_UNORM_S8_UINT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL);
    ID3D12GraphicsCommandList4 *list4 = NULL;
    MUST(ID3D12GraphicsCommandList_QueryInterface(s.list, &IID_ID3D12GraphicsCommandList4,
                                                  (void **)&list4));
    ID3D12Resource *one = create(&s, &desc), *planes = create(&s, &depth_desc);
    desc.SampleDesc.Count = 2;
    ID3D12Resource *two = create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, two, NULL, s.at[RTV]);
    ID3D12Device_CreateDepthStencilView(s.device, planes, NULL, s.at[DSV]);
    const D3D12_RENDER_PASS_ENDING_ACCESS_RESOLVE_SUBRESOURCE_PARAMETERS parts = {
        .SrcRect = {0, 0, 8, 4}};
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {
        .cpuDescriptor = s.at[RTV],
        .BeginningAccess = {BEGIN_CLEAR, {{{DXGI_FORMAT_R8_UINT, {{6}}}}}},
        .EndingAccess = {
            END_RESOLVE,
            {{two, one, 1, &parts, DXGI_FORMAT_R8_UINT, D3D12_RESOLVE_MODE_AVERAGE, FALSE}}}};
    const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC depth = {
        .cpuDescriptor = s.at[DSV],
        .DepthBeginningAccess = {.Type = BEGIN_KEEP},
        .StencilBeginningAccess = {BEGIN_CLEAR,
                                   {{{DXGI_FORMAT_D24_UNORM_S8_UINT,
                                      {.DepthStencil = {.Stencil = 4}}}}}},
        .DepthEndingAccess = {.Type = END_KEEP},
        .StencilEndingAccess = {.Type = END_KEEP}};
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &target, &depth,
                                               D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList_RSSetViewports(s.list, 0, NULL);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    read_back(&s, one, 0);
    cr_assert(s.bytes[0] == 6 && s.bytes[3 * 256 + 7] == 6);
    read_back(&s, planes, 1);
    cr_assert(s.bytes[0] == 4);
    read_back(&s, planes, 0);
    cr_assert(s.bytes[0] == 0 && kit_messages(s.device) == 0);
    ID3D12Resource_Release(one);
    ID3D12Resource_Release(two);
    ID3D12Resource_Release(planes);
    ID3D12GraphicsCommandList4_Release(list4);
    close_scene(&s);
}

Test(render_pass, is_begun_and_ended_once_in_its_list)
{
    struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc =
        texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    ID3D12GraphicsCommandList4 *l = NULL;
    MUST(ID3D12GraphicsCommandList_QueryInterface(s.list, &IID_ID3D12GraphicsCommandList4,
                                                  (void **)&l));
    ID3D12Resource *texture = create(&s, &desc);
    ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
    D3D12_RENDER_PASS_RENDER_TARGET_DESC right = {.cpuDescriptor = s.at[RTV],
                                                  .BeginningAccess = {.Type = BEGIN_KEEP},
                                                  .EndingAccess = {.Type = END_KEEP}};
    D3D12_RENDER_PASS_RENDER_TARGET_DESC wrong[6];
    for (int i = 0; i < 6; i++)
        wrong[i] = right;
    wrong[0].cpuDescriptor = s.at[DSV];
    wrong[1].BeginningAccess.Type = (D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE)9;
    wrong[2].EndingAccess.Type = (D3D12_RENDER_PASS_ENDING_ACCESS_TYPE)9;
    wrong[3].BeginningAccess.Type = BEGIN_NOTHING;
    wrong[4].EndingAccess.Type = END_NOTHING;
    wrong[5].EndingAccess.Type = END_RESOLVE;
    static const int ids[6] = {D3D12_MESSAGE_ID_INVALID_DESCRIPTOR_HANDLE,
                               D3D12_MESSAGE_ID_RENDER_PASS_ERROR,
                               D3D12_MESSAGE_ID_RENDER_PASS_ERROR,
                               D3D12_MESSAGE_ID_RENDER_PASS_MISMATCHING_NO_ACCESS,
                               D3D12_MESSAGE_ID_RENDER_PASS_MISMATCHING_NO_ACCESS,
                               D3D12_MESSAGE_ID_RENDER_PASS_UNSUPPORTED_RESOLVE};
    for (int i = 0; i < 6; i++) {
        ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &wrong[i], NULL,
                                                   D3D12_RENDER_PASS_FLAG_NONE);
        expect_mistake(&s, ids[i], "a target");
    }
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 0, NULL, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    expect_mistake(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "no targets");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 9, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    expect_mistake(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "nine");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, (D3D12_RENDER_PASS_FLAGS)8);
    expect_mistake(&s, D3D12_MESSAGE_ID_RENDER_PASS_ERROR, "a flag");
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    expect_mistake(&s, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_END_WITHOUT_BEGIN, "the end of none");
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_INVALIDARG);
    cr_assert(kit_messages(s.device) == 1 &&
              kit_count(s.device, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_CLOSE_COMMAND_LIST) == 1);
    kit_clear(s.device);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL)); /* and is in none */
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &right, NULL, D3D12_RENDER_PASS_FLAG_NONE);
    cr_assert(kit_count(s.device, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES) == 1);
    ID3D12GraphicsCommandList4_EndRenderPass(l);
    expect_mistake(&s, D3D12_MESSAGE_ID_RENDER_PASS_CANNOT_NEST_RENDER_PASSES, "one in another");
    ID3D12Resource_Release(texture);
    ID3D12GraphicsCommandList4_Release(l);
    close_scene(&s);
}

/* The list of disallowed APIs [D3D12 Render Passes]. */
Test(render_pass, has_no_copies_clears_resolves_or_dispatches_in_it)
{
    enum { CALLS = 20 };
    for (int call = 0; call < CALLS; call++) {
        struct scene s = open_scene();
        const D3D12_RESOURCE_DESC desc =
            texture_desc(DXGI_FORMAT_R8_UINT, D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
        ID3D12GraphicsCommandList4 *l = NULL;
        const FLOAT color[4] = {0};
        const UINT values[4] = {0};
        const D3D12_GPU_DESCRIPTOR_HANDLE nowhere = {0};
        MUST(ID3D12GraphicsCommandList_QueryInterface(s.list, &IID_ID3D12GraphicsCommandList4,
                                                      (void **)&l));
        ID3D12Resource *texture = create(&s, &desc);
        ID3D12Device_CreateRenderTargetView(s.device, texture, NULL, s.at[RTV]);
        const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {.cpuDescriptor = s.at[RTV],
                                                             .BeginningAccess = {.Type =
                                                                                     BEGIN_KEEP},
                                                             .EndingAccess = {.Type = END_KEEP}};
        ID3D12GraphicsCommandList4_BeginRenderPass(l, 1, &target, NULL,
                                                   D3D12_RENDER_PASS_FLAG_NONE);
        switch (call) {
        case 0:
            ID3D12GraphicsCommandList4_AtomicCopyBufferUINT(l, s.readback, 0, s.readback, 4, 0,
                                                            NULL, NULL);
            break;
        case 1:
            ID3D12GraphicsCommandList4_AtomicCopyBufferUINT64(l, s.readback, 0, s.readback, 8, 0,
                                                              NULL, NULL);
            break;
        case 2:
            ID3D12GraphicsCommandList4_ClearState(l, NULL);
            break;
        case 3:
            ID3D12GraphicsCommandList4_ClearRenderTargetView(l, s.at[RTV], color, 0, NULL);
            break;
        case 4:
            ID3D12GraphicsCommandList4_ClearDepthStencilView(l, s.at[DSV], D3D12_CLEAR_FLAG_DEPTH,
                                                             0, 0, 0, NULL);
            break;
        case 5:
            ID3D12GraphicsCommandList4_ClearUnorderedAccessViewUint(l, nowhere, s.at[UAV], texture,
                                                                    values, 0, NULL);
            break;
        case 6:
            ID3D12GraphicsCommandList4_ClearUnorderedAccessViewFloat(l, nowhere, s.at[UAV], texture,
                                                                     color, 0, NULL);
            break;
        case 7:
            ID3D12GraphicsCommandList4_CopyBufferRegion(l, s.readback, 0, s.readback, 4, 4);
            break;
        case 8:
            ID3D12GraphicsCommandList4_CopyTextureRegion(l, NULL, 0, 0, 0, NULL, NULL);
            break;
        case 9:
            ID3D12GraphicsCommandList4_CopyResource(l, s.readback, s.readback);
            break;
        case 10:
            ID3D12GraphicsCommandList4_CopyTiles(l, texture, NULL, NULL, s.readback, 0,
                                                 D3D12_TILE_COPY_FLAG_NONE);
            break;
        case 11:
            ID3D12GraphicsCommandList4_DiscardResource(l, texture, NULL);
            break;
        case 12:
            ID3D12GraphicsCommandList4_Dispatch(l, 1, 1, 1);
            break;
        case 13:
            ID3D12GraphicsCommandList4_OMSetRenderTargets(l, 0, NULL, FALSE, NULL);
            break;
        case 14:
            ID3D12GraphicsCommandList4_ResolveQueryData(l, NULL, D3D12_QUERY_TYPE_TIMESTAMP, 0, 1,
                                                        s.readback, 0);
            break;
        case 15:
            ID3D12GraphicsCommandList4_ResolveSubresource(l, texture, 0, texture, 0,
                                                          DXGI_FORMAT_R8_UINT);
            break;
        case 16:
            ID3D12GraphicsCommandList4_ResolveSubresourceRegion(l, texture, 0, 0, 0, texture, 0,
                                                                NULL, DXGI_FORMAT_R8_UINT,
                                                                D3D12_RESOLVE_MODE_AVERAGE);
            break;
        case 17:
            ID3D12GraphicsCommandList4_SetProtectedResourceSession(l, NULL);
            break;
        case 18:
            ID3D12GraphicsCommandList4_SetDescriptorHeaps(l, 0, NULL);
            break;
        default: /* what sets state is allowed */
            ID3D12GraphicsCommandList4_OMSetStencilRef(l, 1);
            break;
        }
        const bool allowed = call == CALLS - 1;
        cr_assert(kit_messages(s.device) == !allowed &&
                      kit_count(s.device, D3D12_MESSAGE_ID_RENDER_PASS_DISALLOWED_API_CALLED) ==
                          !allowed,
                  "call %d", call);
        ID3D12GraphicsCommandList4_EndRenderPass(l);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), allowed ? S_OK : E_INVALIDARG);
        ID3D12Resource_Release(texture);
        ID3D12GraphicsCommandList4_Release(l);
        close_scene(&s);
    }
}
