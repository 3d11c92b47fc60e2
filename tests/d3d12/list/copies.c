/* Copies: which two places may be copied between; every field that describes a place is tested. */
#include "kit.h"

struct scene {
    KIT_SCENE;
    ID3D12Device *stranger;
    ID3D12Resource *buffer, *readback, *foreign; /* foreign: the stranger's */
    uint8_t *from, *to;
};

static struct scene open_scene(void)
{
    struct scene s = {.stranger = kit_device()};
    KIT_SCENE_OPEN(&s, kit_device(), DIRECT);
    s.buffer = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 8192);
    s.readback = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 8192);
    s.foreign = kit_buffer(s.stranger, D3D12_HEAP_TYPE_UPLOAD, 8192);
    MUST(ID3D12Resource_Map(s.buffer, 0, NULL, (void **)&s.from));
    MUST(ID3D12Resource_Map(s.readback, 0, NULL, (void **)&s.to));
    return s;
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->buffer, s->readback, s->foreign);
    kit_close(s->stranger);
}

static void run(struct scene *s)
{
    kit_run(s->device, s->queue, s->list);
}

enum {
    OTHER_SHAPE = D3D12_MESSAGE_ID_COPYRESOURCE_INVALIDDSTRESOURCE,
    NO_SOURCE = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDSRCRESOURCE,
    NO_DESTINATION = D3D12_MESSAGE_ID_COPYTEXTUREREGION_INVALIDDSTRESOURCE,
    OUT_OF_BOUNDS = D3D12_MESSAGE_ID_COPYTEXTUREREGION_DSTREGIONOUTOFBOUNDS,
    MISMATCH = D3D12_MESSAGE_ID_COPYTEXTUREREGION_FORMATMISMATCH
};

/* The mistake is told, the call does nothing, and the next one may begin. */
#define REFUSED(what, id, Method, ...)                                                             \
    do {                                                                                           \
        s.list->lpVtbl->Method(s.list, __VA_ARGS__);                                               \
        kit_mistake(s.device, s.list, s.allocator, S_OK, id, what);                                \
    } while (0)

static D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, UINT width, UINT height, UINT slices)
{
    return kit_texture_desc(format, width, height, slices, 1, 0);
}

static ID3D12Resource *create(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    return kit_resource(device, desc, D3D12_RESOURCE_STATE_COMMON);
}

/* ---- CopyResource ---- */

/* "Must be the same type; … the same dimensions" and formats [CopyResource]; every field that could
 * differ. */
Test(copy_resource, wants_two_resources_of_one_shape)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_UINT, 8, 8, 2);
    D3D12_RESOURCE_DESC others[6];
    for (size_t i = 0; i < 6; i++)
        others[i] = desc;
    others[0].Width = 16;
    others[1].Height = 16;
    others[2].DepthOrArraySize = 3;
    others[3].MipLevels = 2;
    others[4].Format = DXGI_FORMAT_R16_UINT;
    others[5].Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    OWNED ID3D12Resource *texture = create(s.device, &desc);
    for (size_t i = 0; i < 6; i++) {
        OWNED ID3D12Resource *other = create(s.device, &others[i]);
        REFUSED("texture to texture", OTHER_SHAPE, CopyResource, texture, other);
        REFUSED("and back", OTHER_SHAPE, CopyResource, other, texture);
    }
    REFUSED("onto itself", OTHER_SHAPE, CopyResource, texture, texture);
    REFUSED("texture to buffer", OTHER_SHAPE, CopyResource, s.readback, texture);
    REFUSED("nowhere", OTHER_SHAPE, CopyResource, NULL, texture);
    REFUSED("nothing", OTHER_SHAPE, CopyResource, texture, NULL);
    REFUSED("from another device's", OTHER_SHAPE, CopyResource, s.readback, s.foreign);
    REFUSED("to another device's", OTHER_SHAPE, CopyResource, s.foreign, s.buffer);
}

/* "Compatible DXGI formats, which means the formats need to be from the same type group." */
Test(copy_resource, takes_formats_of_one_type_group)
{
    AT_END(close_scene) struct scene s = open_scene();
    static const DXGI_FORMAT formats[] = {DXGI_FORMAT_R8G8B8A8_TYPELESS, DXGI_FORMAT_R8G8B8A8_UNORM,
                                          DXGI_FORMAT_R8G8B8A8_UNORM_SRGB,
                                          DXGI_FORMAT_R8G8B8A8_UINT};
    ID3D12Resource *textures[4];
    for (int i = 0; i < 4; i++) {
        const D3D12_RESOURCE_DESC desc = texture_desc(formats[i], 8, 8, 1);
        textures[i] = create(s.device, &desc);
    }
    for (int i = 0; i < 4; i++)
        ID3D12GraphicsCommandList_CopyResource(s.list, textures[i], textures[(i + 1) % 4]);
    cr_assert_eq(kit_messages(s.device), 0);
    for (int i = 0; i < 4; i++)
        ID3D12Resource_Release(textures[i]);
}

Test(copy_resource, tells_samples_apart)
{
    AT_END(close_scene) struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_UINT, 8, 8, 1);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    OWNED ID3D12Resource *one = create(s.device, &desc);
    desc.SampleDesc.Count = 4;
    OWNED ID3D12Resource *four = create(s.device, &desc), *also_four = create(s.device, &desc);
    REFUSED("four samples to one", OTHER_SHAPE, CopyResource, one, four);
    ID3D12GraphicsCommandList_CopyResource(s.list, also_four, four);
    run(&s);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* A box of it, too, between textures of as many samples. */
Test(copy_texture, takes_boxes_of_several_samples)
{
    AT_END(close_scene) struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_UINT, 8, 8, 1);
    desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET;
    OWNED ID3D12Resource *one = create(s.device, &desc);
    desc.SampleDesc.Count = 4;
    OWNED ID3D12Resource *four = create(s.device, &desc), *also_four = create(s.device, &desc);
    const D3D12_TEXTURE_COPY_LOCATION single = kit_part(one, 0), from = kit_part(four, 0),
                                      to = kit_part(also_four, 0);
    const D3D12_BOX box = {1, 1, 0, 5, 3, 1};
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 2, 4, 0, &from, &box);
    run(&s);
    cr_assert_eq(kit_messages(s.device), 0);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    REFUSED("four to one", MISMATCH, CopyTextureRegion, &single, 0, 0, 0, &from, NULL);
    const D3D12_TEXTURE_COPY_LOCATION buffer = kit_placed(
        s.readback, 0, (D3D12_SUBRESOURCE_FOOTPRINT){DXGI_FORMAT_R32_UINT, 8, 8, 1, 256});
    REFUSED("four to a buffer", MISMATCH, CopyTextureRegion, &buffer, 0, 0, 0, &from, NULL);
}

/* "Self-copies" of enhanced barriers: where nothing is read that is written. */
Test(copy_texture, within_a_subresource_regions_are_apart)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_UINT, 8, 8, 1);
    OWNED ID3D12Resource *texture = create(s.device, &desc);
    const D3D12_SUBRESOURCE_FOOTPRINT footprint = {DXGI_FORMAT_R32_UINT, 8, 8, 1, 256};
    const D3D12_TEXTURE_COPY_LOCATION own = kit_part(texture, 0),
                                      from = kit_placed(s.buffer, 0, footprint),
                                      to = kit_placed(s.readback, 0, footprint);
    const D3D12_BOX box = {0, 0, 0, 4, 4, 1};
    for (size_t i = 0; i < 8192; i++)
        s.from[i] = (unsigned char)(i % 251);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &own, 0, 0, 0, &from, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &own, 4, 0, 0, &own, &box);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &own, 0, 4, 0, &own, &box);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 0, 0, 0, &own, NULL);
    run(&s);
    cr_assert_eq(kit_messages(s.device), 0);
    for (size_t row = 0; row < 4; row++) {
        cr_assert_mem_eq(s.to + row * 256 + 16, s.from + row * 256, 16, "right");
        cr_assert_mem_eq(s.to + (row + 4) * 256, s.from + row * 256, 16, "below");
    }
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    static const UINT onto[][2] = {{0, 0}, {3, 3}, {3, 0}, {0, 3}};
    for (size_t i = 0; i < 4; i++) {
        REFUSED("they overlap", D3D12_MESSAGE_ID_COPY_ON_SAME_SUBRESOURCE, CopyTextureRegion, &own,
                onto[i][0], onto[i][1], 0, &own, &box);
    }
}

/* ---- CopyBufferRegion ---- */

Test(copy_buffer, wants_two_ranges_of_buffers_of_the_device)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_UINT, 8, 8, 1);
    OWNED ID3D12Resource *texture = create(s.device, &desc);
    const struct {
        ID3D12Resource *resource;
        UINT64 offset, size;
    } bad[] = {{NULL, 0, 4},
               {(ID3D12Resource *)s.queue, 0, 4},
               {s.foreign, 0, 4},
               {texture, 0, 4},
               {s.readback, 8192, 1},
               {s.readback, 1, 8192},
               {s.readback, UINT64_MAX, 2},
               {s.readback, 2, UINT64_MAX}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        for (int is_source = 0; is_source < 2; is_source++) {
            kit_clear(s.device);
            if (is_source)
                ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 0, bad[i].resource,
                                                           bad[i].offset, bad[i].size);
            else
                ID3D12GraphicsCommandList_CopyBufferRegion(s.list, bad[i].resource, bad[i].offset,
                                                           s.buffer, 0, bad[i].size);
            cr_assert_eq(kit_count(s.device,
                                   is_source
                                       ? D3D12_MESSAGE_ID_COPYBUFFERREGION_SRCRANGEOUTOFBOUNDS
                                       : D3D12_MESSAGE_ID_COPYBUFFERREGION_DSTRANGEOUTOFBOUNDS),
                         1, "case %zu, %d", i, is_source);
            EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), S_OK);
            MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
        }
    kit_clear(s.device);
    s.from[8191] = 77;
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 8192, s.buffer, 8192, 0);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 8191, s.buffer, 8191, 1);
    run(&s);
    cr_assert_eqs(s.to[8191], 77, kit_messages(s.device), 0);
}

/* ---- CopyTextureRegion ---- */

/* Offsets are multiples of 512 and pitches of 256, rows fit into the pitch and all of it into the
 * buffer [D3D12_PLACED_SUBRESOURCE_FOOTPRINT]. */
Test(copy_texture, wants_a_footprint_that_is_one)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_BC1_UNORM, 16, 16, 1);
    OWNED ID3D12Resource *texture = create(s.device, &desc);
    const D3D12_TEXTURE_COPY_LOCATION to = kit_part(texture, 0);
    const DXGI_FORMAT bc1 = DXGI_FORMAT_BC1_UNORM;
    const struct {
        const char *what;
        UINT64 offset;
        D3D12_SUBRESOURCE_FOOTPRINT footprint;
    } bad[] = {{"two planes", 0, {DXGI_FORMAT_NV12, 16, 16, 1, 256}},
               {"no format", 0, {DXGI_FORMAT_UNKNOWN, 16, 16, 1, 256}},
               {"no width", 0, {bc1, 0, 16, 1, 256}},
               {"no height", 0, {bc1, 16, 0, 1, 256}},
               {"no depth", 0, {bc1, 16, 16, 0, 256}},
               {"part of a block in width", 0, {bc1, 14, 16, 1, 256}},
               {"part of a block in height", 0, {bc1, 16, 14, 1, 256}},
               {"an offset between rows", 256, {bc1, 16, 16, 1, 256}},
               {"a pitch of half a row's unit", 0, {bc1, 16, 16, 1, 128}},
               {"a pitch of no whole units", 0, {bc1, 16, 16, 1, 384}},
               {"rows longer than the pitch", 0, {bc1, 1024, 16, 1, 256}},
               {"an offset behind the buffer", 8192 * 2, {bc1, 16, 16, 1, 256}},
               {"rows behind the buffer", 7680, {bc1, 16, 16, 1, 256}}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const D3D12_TEXTURE_COPY_LOCATION from =
            kit_placed(s.buffer, bad[i].offset, bad[i].footprint);
        REFUSED(bad[i].what, NO_SOURCE, CopyTextureRegion, &to, 0, 0, 0, &from, NULL);
    }
    D3D12_TEXTURE_COPY_LOCATION other = kit_placed(s.foreign, 0, bad[1].footprint);
    other.PlacedFootprint.Footprint.Format = bc1;
    REFUSED("another device's", NO_SOURCE, CopyTextureRegion, &to, 0, 0, 0, &other, NULL);
    other.pResource = texture;
    REFUSED("in a texture", NO_SOURCE, CopyTextureRegion, &to, 0, 0, 0, &other, NULL);
    other = kit_part(s.buffer, 0);
    REFUSED("part of a buffer", NO_SOURCE, CopyTextureRegion, &to, 0, 0, 0, &other, NULL);
    other = kit_part(texture, 0);
    other.Type = (D3D12_TEXTURE_COPY_TYPE)2;
    REFUSED("no such type", NO_DESTINATION, CopyTextureRegion, &other, 0, 0, 0, &to, NULL);
}

/* The last row needs no whole pitch. */
Test(copy_texture, a_footprint_may_end_with_the_buffer)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8_UINT, 64, 2, 1);
    const D3D12_RESOURCE_DESC room = kit_buffer_desc(512 + 256 + 64);
    OWNED ID3D12Resource *texture = create(s.device, &desc), *tight = create(s.device, &room);
    const D3D12_SUBRESOURCE_FOOTPRINT footprint = {DXGI_FORMAT_R8_UINT, 64, 2, 1, 256};
    const D3D12_TEXTURE_COPY_LOCATION up = kit_placed(s.buffer, 0, footprint),
                                      to = kit_part(texture, 0);
    const D3D12_TEXTURE_COPY_LOCATION down = kit_placed(tight, 512, footprint);
    s.from[0] = 3;
    s.from[256 + 63] = 4;
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &to, NULL);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.readback, 0, tight, 512, 256 + 64);
    run(&s);
    cr_assert_eq3(s.to[0], 3, s.to[256 + 63], 4, kit_messages(s.device), 0);
}

Test(copy_texture, blocks_are_copied_as_blocks)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_BC1_UNORM, 16, 16, 1);
    const D3D12_RESOURCE_DESC texels = texture_desc(DXGI_FORMAT_R32G32_FLOAT, 16, 16, 1);
    OWNED ID3D12Resource *texture = create(s.device, &desc), *wide = create(s.device, &texels);
    const D3D12_SUBRESOURCE_FOOTPRINT footprint = {DXGI_FORMAT_BC1_UNORM, 16, 16, 1, 256};
    const D3D12_TEXTURE_COPY_LOCATION up = kit_placed(s.buffer, 0, footprint),
                                      to = kit_part(texture, 0);
    const D3D12_TEXTURE_COPY_LOCATION down = kit_placed(s.readback, 0, footprint);
    const D3D12_TEXTURE_COPY_LOCATION other = kit_part(wide, 0);
    const D3D12_BOX corner = {0, 0, 0, 4, 4, 1};
    REFUSED("half a block down", OUT_OF_BOUNDS, CopyTextureRegion, &to, 0, 2, 0, &up, &corner);
    REFUSED("half a block in", OUT_OF_BOUNDS, CopyTextureRegion, &to, 2, 0, 0, &up, &corner);
    REFUSED("a slice too deep", OUT_OF_BOUNDS, CopyTextureRegion, &to, 0, 0, 1, &up, &corner);
    REFUSED("much too deep", OUT_OF_BOUNDS, CopyTextureRegion, &to, 0, 0, UINT32_MAX, &up, &corner);
    REFUSED("blocks to floats", MISMATCH, CopyTextureRegion, &other, 0, 0, 0, &up, NULL);
    for (int row = 0; row < 4; row++)
        for (int i = 0; i < 32; i++)
            s.from[row * 256 + i] = (uint8_t)(row * 32 + i + 1);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &to, NULL);
    run(&s);
    for (int row = 0; row < 4; row++)
        cr_assert_mem_eq(s.to + row * 256, s.from + row * 256, 32, "row %d", row);
    cr_assert_eq3(s.to[32], 0, s.to[4 * 256], 0, kit_messages(s.device), 0);
}

/* 16 x 16 texels of BC1 are 4 x 4 blocks of 8 bytes, and so are 4 x 4 texels of two words. */
Test(copy_texture, a_block_is_copied_as_an_integer)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC blocks = texture_desc(DXGI_FORMAT_BC1_UNORM, 16, 16, 1);
    const D3D12_RESOURCE_DESC texels = texture_desc(DXGI_FORMAT_R32G32_UINT, 4, 4, 1);
    const D3D12_RESOURCE_DESC wrong = texture_desc(DXGI_FORMAT_R32G32B32A32_UINT, 4, 4, 1);
    OWNED ID3D12Resource *compressed = create(s.device, &blocks),
                         *again = create(s.device, &blocks);
    OWNED ID3D12Resource *integers = create(s.device, &texels), *large = create(s.device, &wrong);
    const D3D12_SUBRESOURCE_FOOTPRINT footprint = {DXGI_FORMAT_BC1_UNORM, 16, 16, 1, 256};
    const D3D12_TEXTURE_COPY_LOCATION up = kit_placed(s.buffer, 0, footprint);
    const D3D12_TEXTURE_COPY_LOCATION down = kit_placed(s.readback, 0, footprint);
    const D3D12_TEXTURE_COPY_LOCATION bc = kit_part(compressed, 0), uint = kit_part(integers, 0);
    const D3D12_TEXTURE_COPY_LOCATION back = kit_part(again, 0), other = kit_part(large, 0);
    const D3D12_BOX row = {1, 2, 0, 4, 3, 1}, two = {8, 4, 0, 16, 8, 1}, all = {0, 0, 0, 4, 4, 1};
    const D3D12_BOX third = {0, 8, 0, 16, 12, 1}, placed_two = {2, 3, 0, 4, 4, 1};
    for (int y = 0; y < 4; y++)
        for (int i = 0; i < 32; i++)
            s.from[y * 256 + i] = (uint8_t)(y * 32 + i + 1);
    REFUSED("of another size", MISMATCH, CopyTextureRegion, &other, 0, 0, 0, &bc, NULL);
    REFUSED("one too far", OUT_OF_BOUNDS, CopyTextureRegion, &uint, 3, 0, 0, &bc, &two);
    REFUSED("a block too far", OUT_OF_BOUNDS, CopyTextureRegion, &back, 4, 0, 0, &uint, &all);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &bc, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &uint, 2, 3, 0, &bc, &two);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &uint, 0, 2, 0, &bc, &third);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &back, 4, 12, 0, &uint, &row);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &back, 0, 0, 0, &uint, &placed_two);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &back, NULL);
    run(&s);
    cr_assert_mem_eq(s.to, s.from + 256 + 16, 16, "two blocks there and back");
    cr_assert_mem_eq(s.to + 3 * 256 + 8, s.from + 2 * 256 + 8, 24, "three of a row");
    cr_assert_eq3(s.to[16], 0, s.to[3 * 256], 0, kit_messages(s.device), 0);
}

/* CopyResource of all of it: the same blocks across and down, of one mip. */
Test(copy_resource, copies_blocks_as_integers)
{
    AT_END(close_scene) struct scene s = open_scene();
    const D3D12_RESOURCE_DESC blocks = texture_desc(DXGI_FORMAT_BC3_UNORM, 8, 8, 1);
    const D3D12_RESOURCE_DESC texels = texture_desc(DXGI_FORMAT_R32G32B32A32_SINT, 2, 2, 1);
    const D3D12_RESOURCE_DESC larger = texture_desc(DXGI_FORMAT_R32G32B32A32_SINT, 8, 8, 1);
    OWNED ID3D12Resource *compressed = create(s.device, &blocks),
                         *integers = create(s.device, &texels);
    OWNED ID3D12Resource *texture = create(s.device, &larger);
    const D3D12_SUBRESOURCE_FOOTPRINT footprint = {DXGI_FORMAT_BC3_UNORM, 8, 8, 1, 256};
    const D3D12_SUBRESOURCE_FOOTPRINT result = {DXGI_FORMAT_R32G32B32A32_SINT, 2, 2, 1, 256};
    const D3D12_TEXTURE_COPY_LOCATION up = kit_placed(s.buffer, 0, footprint);
    const D3D12_TEXTURE_COPY_LOCATION down = kit_placed(s.readback, 0, result);
    const D3D12_TEXTURE_COPY_LOCATION bc = kit_part(compressed, 0), sint = kit_part(integers, 0);
    REFUSED("more blocks", OTHER_SHAPE, CopyResource, texture, compressed);
    for (int i = 0; i < 32; i++) {
        s.from[i] = (uint8_t)(i + 1);
        s.from[256 + i] = (uint8_t)(i + 101);
    }
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &bc, 0, 0, 0, &up, NULL);
    ID3D12GraphicsCommandList_CopyResource(s.list, integers, compressed);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &sint, NULL);
    run(&s);
    cr_assert_mem_eq(s.to, s.from, 32);
    cr_assert_mem_eq(s.to + 256, s.from + 256, 32);
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(copy_texture, takes_slices_of_volumes_and_places_in_one_buffer)
{
    AT_END(close_scene) struct scene s = open_scene();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8_UINT, 4, 2, 4);
    desc.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE3D;
    OWNED ID3D12Resource *volume = create(s.device, &desc);
    const D3D12_SUBRESOURCE_FOOTPRINT two = {DXGI_FORMAT_R8_UINT, 4, 2, 2, 256};
    const D3D12_TEXTURE_COPY_LOCATION up = kit_placed(s.buffer, 0, two), to = kit_part(volume, 0);
    const D3D12_TEXTURE_COPY_LOCATION down = kit_placed(s.readback, 0, two);
    const D3D12_TEXTURE_COPY_LOCATION beside = kit_placed(s.readback, 1024, two);
    const D3D12_BOX upper = {0, 0, 2, 4, 2, 4};
    REFUSED("two in the last", OUT_OF_BOUNDS, CopyTextureRegion, &to, 0, 0, 3, &up, NULL);
    for (int row = 0; row < 4; row++)
        s.from[row * 256 + 3] = (uint8_t)(row + 1);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &to, 0, 0, 2, &up, NULL);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &down, 0, 0, 0, &to, &upper);
    ID3D12GraphicsCommandList_CopyTextureRegion(s.list, &beside, 0, 0, 0, &down, NULL);
    run(&s);
    for (int row = 0; row < 4; row++)
        cr_assert_eqs(s.to[row * 256 + 3], row + 1, s.to[1024 + row * 256 + 3], row + 1, "row %d",
                      row);
    cr_assert_eq(kit_messages(s.device), 0);
}
