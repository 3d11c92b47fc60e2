/* Reserved textures, whose tiles are rows of texels. */
#include "resource/reserved_kit.h"

/* ---- textures ---- */

/* 512 x 256 texels of 4 bytes are 8 tiles, all that the heap has. */
static void map_all(struct rig *r)
{
    const UINT none = 0;
    ID3D12CommandQueue_UpdateTileMappings(r->queue, r->tiled, 1, NULL, NULL, r->heap, 1, NULL,
                                          &none, NULL, D3D12_TILE_MAPPING_FLAG_NONE);
}

static const D3D12_SUBRESOURCE_FOOTPRINT rows_of_2048 = {DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1,
                                                         2048};

/* Between the texture and a buffer of rows of 2048 bytes. */
static void copy_texture(struct rig *r, ID3D12Resource *buffer, bool to_texture)
{
    const D3D12_TEXTURE_COPY_LOCATION texture = kit_part(r->tiled, 0),
                                      rows = kit_placed(buffer, 0, rows_of_2048);
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
    const D3D12_TEXTURE_COPY_LOCATION texture = kit_part(r.tiled, 0),
                                      rows = kit_placed(r.readback, 0, rows_of_2048);
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
}
