/* Reserved textures, whose tiles are rows of texels, and copies of tiles. */
#include "resource/reserved_kit.h"

/* ---- textures ---- */

/* 512 x 256 texels of 4 bytes are 8 tiles, all that the heap has. */
static void map_all(struct rig *r)
{
    const UINT none = 0;
    ID3D12CommandQueue_UpdateTileMappings(r->queue, r->tiled, 1, NULL, NULL, r->heap, 1, NULL,
                                          &none, NULL, D3D12_TILE_MAPPING_FLAG_NONE);
}

/* Between the texture and a buffer of rows of 2048 bytes. */
static void copy_texture(struct rig *r, ID3D12Resource *buffer, bool to_texture)
{
    const D3D12_TEXTURE_COPY_LOCATION texture = {.pResource = r->tiled,
                                                 .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX};
    const D3D12_TEXTURE_COPY_LOCATION rows = {
        .pResource = buffer,
        .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
        .PlacedFootprint = {.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 2048}}};
    begin(r);
    ID3D12GraphicsCommandList_CopyTextureRegion(r->list, to_texture ? &texture : &rows, 0, 0, 0,
                                                to_texture ? &rows : &texture, NULL);
    end(r);
}

static uint32_t texel(UINT x, UINT y)
{
    return y << 16 | x;
}

static void fill_upload(struct rig *r)
{
    for (UINT y = 0; y < 256; y++)
        for (UINT x = 0; x < 512; x++)
            ((uint32_t *)(void *)r->written)[y * 512 + x] = texel(x, y);
}

Test(reserved, textures_are_copied_texel_by_texel_through_their_tiles)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 1);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    map_all(&r);
    fill_upload(&r);
    copy_texture(&r, r.upload, true);
    memset(r.read, 0xEE, TILES * TILE);
    copy_texture(&r, r.readback, false);
    cr_assert_mem_eq(r.read, r.written, TILES * TILE);
    /* a tile that is taken away takes its 32 rows with it, whichever subresource is named */
    const D3D12_TILED_RESOURCE_COORDINATE at = {.X = 6}, beyond = {.X = 8}, down = {.Y = 1};
    const D3D12_TILE_REGION_SIZE box = {1, TRUE, 1, 1, 1};
    const D3D12_TILE_RANGE_FLAGS clear = D3D12_TILE_RANGE_FLAG_NULL;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &at, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    copy_texture(&r, r.readback, false);
    for (UINT y = 0; y < 256; y++)
        for (UINT x = 0; x < 512; x++)
            cr_assert_eq(((uint32_t *)(void *)r.read)[y * 512 + x], y / 32 == 6 ? 0 : texel(x, y),
                         "%u %u", x, y);
    cr_assert_eq(kit_messages(r.device), 0);
    /* packed mips have no boxes */
    const D3D12_TILED_RESOURCE_COORDINATE *const starts[] = {&beyond, &down, &at};
    for (UINT i = 0; i < 3; i++)
        ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, starts[i], i == 2 ? &box : NULL,
                                              NULL, 1, &clear, NULL, NULL, 0);
    cr_assert_eq(kit_messages(r.device), 3);
}

Test(reserved, any_box_of_texels_may_be_copied)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 1);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    map_all(&r);
    fill_upload(&r);
    copy_texture(&r, r.upload, true);
    const D3D12_BOX box = {100, 120, 0, 400, 140, 1};
    const D3D12_TEXTURE_COPY_LOCATION texture = {.pResource = r.tiled,
                                                 .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX};
    const D3D12_TEXTURE_COPY_LOCATION rows = {
        .pResource = r.readback,
        .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
        .PlacedFootprint = {.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 2048}}};
    memset(r.read, 0xEE, TILES * TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyTextureRegion(r.list, &rows, 7, 9, 0, &texture, &box);
    end(&r);
    for (UINT y = 0; y < 256; y++)
        for (UINT x = 0; x < 512; x++) {
            const bool inside = x >= 7 && x < 307 && y >= 9 && y < 29;
            cr_assert_eq(((uint32_t *)(void *)r.read)[y * 512 + x],
                         inside ? texel(x - 7 + 100, y - 9 + 120) : 0xEEEEEEEE, "%u %u", x, y);
        }
    /* and into a texture of another layout, whole */
    D3D12_RESOURCE_DESC plain = desc;
    plain.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
    const D3D12_HEAP_PROPERTIES custom = {
        D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0, 0};
    for (UINT swizzled = 0; swizzled < 2; swizzled++) {
        plain.Layout = swizzled ? desc.Layout : D3D12_TEXTURE_LAYOUT_UNKNOWN;
        OWNED ID3D12Resource *copy = MADE(ID3D12Resource, r.device, CreateCommittedResource,
                                          &custom, 0, &plain, D3D12_RESOURCE_STATE_COMMON, NULL);
        begin(&r);
        ID3D12GraphicsCommandList_CopyResource(r.list, copy, r.tiled);
        end(&r);
        memset(r.read, 0xEE, TILES * TILE);
        MUST(ID3D12Resource_ReadFromSubresource(copy, r.read, 2048, 0, 0, NULL));
        cr_assert_mem_eq(r.read, r.written, TILES * TILE);
        uint32_t some[3][50];
        const D3D12_BOX part = {120, 10, 0, 170, 13, 1};
        MUST(ID3D12Resource_ReadFromSubresource(copy, some, sizeof some[0], 0, 0, &part));
        cr_assert_eqs(some[2][49], texel(169, 12), some[0][0], texel(120, 10));
    }
}

/* ---- CopyTiles ---- */

#define TO_TILES   D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE
#define FROM_TILES D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER

Test(reserved, tiles_are_copied_from_and_to_buffers)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    const D3D12_TILED_RESOURCE_COORDINATE at = {.X = 1}, to = {.X = 3};
    const D3D12_TILE_REGION_SIZE box = {2, TRUE, 2, 1, 1}, one = {.NumTiles = 1};
    map_all(&r);
    begin(&r);
    memset(r.written, 99, TILE);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &to, &one, r.upload, 0,
                                        TO_TILES | D3D12_TILE_COPY_FLAG_NO_HAZARD);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &at, &box, r.readback, 256, FROM_TILES);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &to, &one, r.readback, 4 * TILE,
                                        FROM_TILES);
    end(&r);
    cr_assert_eqs(r.read[256], 2, r.read[255 + TILE], 2);
    cr_assert_eqs(r.read[256 + TILE], 3, r.read[255 + 2 * TILE], 3);
    cr_assert_eqs(r.read[4 * TILE], 99, r.read[5 * TILE - 1], 99);
    cr_assert_eq(kit_messages(r.device), 0);
}

Test(reserved, copies_of_tiles_that_make_no_sense_are_not_done)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE - 100);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    const D3D12_TILED_RESOURCE_COORDINATE at = {0}, last = {.X = 7}, past = {.X = 8};
    const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1};
    const struct {
        const char *why;
        ID3D12Resource *tiled;
        const D3D12_TILED_RESOURCE_COORDINATE *start;
        const D3D12_TILE_REGION_SIZE *size;
        ID3D12Resource *buffer;
        UINT64 offset;
        D3D12_TILE_COPY_FLAGS flags;
        bool good;
    } copies[] = {
        {"no resource", NULL, &at, &one, r.readback, 0, FROM_TILES, false},
        {"not reserved", r.upload, &at, &one, r.readback, 0, FROM_TILES, false},
        {"no start", r.tiled, NULL, &one, r.readback, 0, FROM_TILES, false},
        {"no size", r.tiled, &at, NULL, r.readback, 0, FROM_TILES, false},
        {"past the end", r.tiled, &past, &one, r.readback, 0, FROM_TILES, false},
        {"no buffer", r.tiled, &at, &one, NULL, 0, FROM_TILES, false},
        {"past the buffer", r.tiled, &at, &one, r.readback, 7 * TILE + 1, FROM_TILES, false},
        {"far past the buffer", r.tiled, &at, &one, r.readback, UINT64_MAX, FROM_TILES, false},
        {"both directions", r.tiled, &at, &one, r.readback, 0, FROM_TILES | TO_TILES, false},
        {"no such flag", r.tiled, &at, &one, r.readback, 0, FROM_TILES | 8, false},
        {"no direction: to the buffer", r.tiled, &at, &one, r.readback, 0, 0, true},
        {"a buffer's last tile", r.tiled, &last, &one, r.readback, 7 * TILE, FROM_TILES, true},
    };
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++) {
        begin(&r);
        kit_clear(r.device);
        ID3D12GraphicsCommandList_CopyTiles(r.list, copies[i].tiled, copies[i].start,
                                            copies[i].size, copies[i].buffer, copies[i].offset,
                                            copies[i].flags);
        if (copies[i].good) {
            end(&r);
            continue;
        }
        cr_expect_eq(kit_messages(r.device), 1, "%s", copies[i].why);
        cr_expect_eq(ID3D12GraphicsCommandList_Close(r.list), S_OK, "%s", copies[i].why);
    }
    cr_assert_eq(ID3D12Device_GetDeviceRemovedReason(r.device), S_OK);
}
