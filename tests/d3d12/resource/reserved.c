/* Reserved resources: what can be reserved, its tiling, and what buffers' tiles are mapped to and
 * when. */
#include "resource/reserved_kit.h"

#include "base/abi.h"

/* ---- what can be reserved ---- */

Test(reserved, descriptions_that_d3d12_refuses_are_refused)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    static const struct {
        const char *why;
        D3D12_RESOURCE_DIMENSION dimension;
        DXGI_FORMAT format;
        UINT samples;
        D3D12_TEXTURE_LAYOUT layout;
        D3D12_RESOURCE_FLAGS flags;
        UINT64 alignment;
        int id;
    } bad[] = {
        {"a texture of an unknown layout", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 0, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"the standard swizzle, which is an option", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 3, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"no such layout", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 4, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_UNRECOGNIZEDLAYOUT},
        {"a volume, which tier 3 has", 4, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 2, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"two planes", 3, DXGI_FORMAT_NV12, 1, 2, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"three channels of 32 bits", 3, DXGI_FORMAT_R32G32B32_FLOAT, 1, 2, 0, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"several samples", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 4, 2, 1, 0,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDLAYOUT},
        {"a small alignment", 3, DXGI_FORMAT_R8G8B8A8_UNORM, 1, 2, 0, 4096,
         D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDALIGNMENT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        D3D12_RESOURCE_DESC desc = texture_desc(bad[i].format, 64, 64, 1, 1);
        void *out = &out;
        desc.Dimension = bad[i].dimension;
        desc.SampleDesc.Count = bad[i].samples;
        desc.Layout = bad[i].layout;
        desc.Flags = bad[i].flags;
        desc.Alignment = bad[i].alignment;
        kit_clear(device);
        cr_expect_eqs(TRY(ID3D12Resource, &out, device, CreateReservedResource, &desc,
                          D3D12_RESOURCE_STATE_COMMON, NULL),
                      E_INVALIDARG, out, NULL, "%s", bad[i].why);
        cr_expect_eqs(kit_messages(device), 1, kit_count(device, bad[i].id), 1, "%s", bad[i].why);
    }
    D3D12_RESOURCE_DESC line = texture_desc(DXGI_FORMAT_R8_UNORM, 64, 1, 1, 1);
    line.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE1D;
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, &line, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                  &IID_ID3D12Resource, NULL),
              E_INVALIDARG);
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, NULL, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                  &IID_ID3D12Resource, NULL),
              E_INVALIDARG);
    const D3D12_RESOURCE_DESC good = kit_buffer_desc(1);
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, &good, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                  &IID_ID3D12Resource, NULL),
              S_FALSE);
    const D3D12_RESOURCE_DESC beyond = kit_buffer_desc(((UINT64)1 << 40) + 1);
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, &beyond, D3D12_RESOURCE_STATE_COMMON,
                                                  NULL, &IID_ID3D12Resource, NULL),
              E_OUTOFMEMORY);
}

Test(reserved, resources_have_an_address_and_a_name_but_neither_heap_nor_memory)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc((UINT64)1 << 34); /* more than there is */
    OWNED ID3D12Resource *buffer = reserve(device, &desc);
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_FLAGS flags;
    void *data = &data;
    cr_assert(ID3D12Resource_GetGPUVirtualAddress(buffer) != 0);
    cr_assert_eq(ID3D12Resource_GetGPUVirtualAddress(buffer) % TILE, 0);
    EXPECT_HR(ID3D12Resource_GetHeapProperties(buffer, &properties, &flags), E_INVALIDARG);
    EXPECT_HR(ID3D12Resource_Map(buffer, 0, NULL, &data), E_INVALIDARG);
    cr_assert_eq(data, &data);
    ID3D12Resource_Unmap(buffer, 0, NULL);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_GETHEAPPROPERTIES_INVALIDRESOURCE), 1);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_MAP_INVALIDRESOURCE), 1);
    cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED), 1);
    cr_assert_eq(kit_messages(device), 3);
    MUST(ID3D12Resource_SetName(buffer, L"sparse"));
    cr_assert_eqs(heard_count, 1, heard[0].what, HEARD_NAME);
    cr_assert_eqs(heard[0].type, D3D12DDI_HT_RESOURCE, heard[0].name_length, 6);
}

/* The state that a buffer begins in is ignored; one that there is not is refused. */
Test(reserved, buffers_begin_in_any_state)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    EXPECT_HR(TRY(ID3D12Resource, NULL, device, CreateReservedResource, &desc,
                  D3D12_RESOURCE_STATE_UNORDERED_ACCESS, NULL),
              S_FALSE);
    EXPECT_HR(ID3D12Device_CreateReservedResource(device, &desc, (D3D12_RESOURCE_STATES)0x40000000,
                                                  NULL, &IID_ID3D12Resource, NULL),
              E_INVALIDARG);
}

Test(reserved, the_newer_forms_make_the_same)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12Device11 *newer = AS(ID3D12Device11, device);
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_TYPELESS, 128, 128, 1, 1);
    DXGI_FORMAT castable[] = {DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R16G16_FLOAT};
    ID3D12Resource *resource = MADE(ID3D12Resource, newer, CreateReservedResource1, &desc,
                                    D3D12_RESOURCE_STATE_COMMON, NULL, NULL);
    ID3D12Resource_Release(resource);
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreateReservedResource1, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL, (ID3D12ProtectedResourceSession *)device);
    resource = MADE(ID3D12Resource, newer, CreateReservedResource2, &desc,
                    D3D12_BARRIER_LAYOUT_COMMON, NULL, NULL, 2, castable);
    ID3D12Resource_Release(resource);
    castable[1] = DXGI_FORMAT_R16_FLOAT;
    REFUSES(E_INVALIDARG, ID3D12Resource, newer, CreateReservedResource2, &desc,
            D3D12_BARRIER_LAYOUT_COMMON, NULL, NULL, 2, castable);
}

/* ---- GetResourceTiling ---- */

Test(reserved, a_buffer_is_one_row_of_tiles)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(3 * TILE + 1);
    OWNED ID3D12Resource *buffer = reserve(device, &desc);
    const struct tiling t = ask(device, buffer, 0, 5);
    cr_assert_eqs(t.tiles, 4, t.count, 1);
    cr_assert_eqs(t.shape.WidthInTexels, TILE, t.shape.HeightInTexels, 1);
    cr_assert_eq(t.shape.DepthInTexels, 1);
    cr_assert_eqs(t.packed.NumPackedMips, 0, t.packed.NumTilesForPackedMips, 0);
    cr_assert_eqs(t.parts[0].WidthInTiles, 4, t.parts[0].HeightInTiles, 1);
    cr_assert_eqs(t.parts[0].DepthInTiles, 1, t.parts[0].StartTileIndexInOverallResource, 0);
    ID3D12Device_GetResourceTiling(device, buffer, NULL, NULL, NULL, NULL, 0, NULL);
    cr_assert_eq(kit_messages(device), 0);
    OWNED ID3D12Resource *committed = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
    cr_assert_eq(ask(device, committed, 0, 1).count, 0);
    cr_assert_eq(ask(device, NULL, 0, 1).tiles, 0);
    cr_assert_eq(kit_messages(device), 2);
}

/* A tile is 64 KiB of the texture's rows, and all mips are packed. */
Test(reserved, a_texture_is_packed_as_a_whole)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 0);
    OWNED ID3D12Resource *texture = reserve(device, &desc);
    const struct tiling t = ask(device, texture, 0, 32), some = ask(device, texture, 9, 5);
    cr_assert_eq3(t.packed.NumStandardMips, 0, t.packed.NumPackedMips, 10, t.count, 10);
    cr_assert_eqs(t.packed.NumTilesForPackedMips, t.tiles, t.shape.WidthInTexels, 0);
    cr_assert(t.tiles >= 8 && t.tiles <= 16);
    for (UINT mip = 0; mip < 10; mip++)
        cr_assert(t.parts[mip].WidthInTiles == 0 && t.parts[mip].HeightInTiles == 0 &&
                  t.parts[mip].DepthInTiles == 0 &&
                  t.parts[mip].StartTileIndexInOverallResource == D3D12_PACKED_TILE);
    cr_assert_eqs(some.count, 1, some.parts[1].WidthInTiles, 0xEEEEEEEE);
    cr_assert_eq(ask(device, texture, 10, 5).count, 0);
    /* D3D12_TILED_RESOURCES_TIER: below tier 4 an array has no packed mips. */
    desc.DepthOrArraySize = 2;
    REFUSES(E_INVALIDARG, ID3D12Resource, device, CreateReservedResource, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL);
    EXPECT_MESSAGES(device, 1, D3D12_MESSAGE_ID_CREATERESOURCE_INVALIDMIPLEVELS);
}

/* ---- mappings ---- */

/* Each tile of the buffer reads this tile of the heap, from 1; 0: zeros. */
static void expect(struct rig *r, const char *why, const unsigned char tiles[TILES])
{
    begin(r);
    memset(r->read, 0xEE, TILES * TILE);
    ID3D12GraphicsCommandList_CopyBufferRegion(r->list, r->readback, 0, r->tiled, 0, TILES * TILE);
    end(r);
    for (UINT i = 0; i < TILES; i++)
        cr_assert_eqs(r->read[i * TILE], tiles[i], r->read[i * TILE + TILE - 1], tiles[i],
                      "%s: tile %u reads %u, not %u", why, i, r->read[i * TILE], tiles[i]);
}
#define EXPECT(r, why, ...) expect(r, why, (const unsigned char[TILES]){__VA_ARGS__})

/* One range for one region of the buffer. */
static void map(struct rig *r, UINT first, UINT count, D3D12_TILE_RANGE_FLAGS flags, UINT offset)
{
    const D3D12_TILED_RESOURCE_COORDINATE start = {.X = first};
    const D3D12_TILE_REGION_SIZE size = {.NumTiles = count};
    ID3D12CommandQueue_UpdateTileMappings(r->queue, r->tiled, 1, &start, &size, r->heap, 1, &flags,
                                          &offset, &count, D3D12_TILE_MAPPING_FLAG_NONE);
}

Test(reserved, tiles_are_mapped_in_ranges)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    EXPECT(&r, "nothing mapped", 0);
    map(&r, 2, 3, D3D12_TILE_RANGE_FLAG_NONE, 4);
    EXPECT(&r, "three", 0, 0, 5, 6, 7);
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_SKIP, 99);
    EXPECT(&r, "skipped", 0, 0, 5, 6, 7);
    map(&r, 5, 3, D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE, 7);
    EXPECT(&r, "one for three", 0, 0, 5, 6, 7, 8, 8, 8);
    map(&r, 3, 3, D3D12_TILE_RANGE_FLAG_NULL, 99);
    EXPECT(&r, "taken away", 0, 0, 5, 0, 0, 0, 8, 8);

    /* ranges and regions meet only in their sum */
    const D3D12_TILED_RESOURCE_COORDINATE starts[2] = {{.X = 6}, {.X = 0}};
    const D3D12_TILE_REGION_SIZE sizes[2] = {{.NumTiles = 2}, {.NumTiles = 4}};
    const D3D12_TILE_RANGE_FLAGS flags[3] = {D3D12_TILE_RANGE_FLAG_NONE, D3D12_TILE_RANGE_FLAG_NULL,
                                             D3D12_TILE_RANGE_FLAG_NONE};
    const UINT offsets[3] = {1, 0, 0}, counts[3] = {3, 1, 2};
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 2, starts, sizes, r.heap, 3, flags,
                                          offsets, counts, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "across regions", 4, 0, 1, 2, 0, 0, 2, 3);

    /* without sizes a region is one tile; without coordinates and sizes the resource; without count
     * all */
    const UINT two = 2, none = 0;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 2, starts, NULL, r.heap, 1, NULL, &none,
                                          &two, D3D12_TILE_MAPPING_FLAG_NO_HAZARD);
    EXPECT(&r, "single tiles", 2, 0, 1, 2, 0, 0, 1, 3);
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, NULL, NULL, r.heap, 1, NULL, &none,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "everything", 1, 2, 3, 4, 5, 6, 7, 8);

    /* a tile may be in many regions: the last one counts */
    enum { MANY = 5 * TILES };
    D3D12_TILED_RESOURCE_COORDINATE all[MANY] = {0};
    UINT backwards[MANY], ones[MANY];
    for (UINT i = 0; i < MANY; i++) {
        all[i].X = i % TILES;
        backwards[i] = i < MANY - TILES ? 0 : MANY - 1 - i;
        ones[i] = 1;
    }
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, MANY, all, NULL, r.heap, MANY, NULL,
                                          backwards, ones, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "in many regions", 8, 7, 6, 5, 4, 3, 2, 1);
    const D3D12_TILE_RANGE_FLAGS clear = D3D12_TILE_RANGE_FLAG_NULL;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, NULL, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "nothing", 0);
    cr_assert_eq(kit_messages(r.device), 0);
}

Test(reserved, mappings_that_make_no_sense_change_nothing)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    OWNED ID3D12Resource *committed = kit_buffer(r.device, D3D12_HEAP_TYPE_DEFAULT, TILE);
    OWNED ID3D12Heap *textures =
        heap_of(r.device, 4, D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES);
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    const D3D12_TILED_RESOURCE_COORDINATE at = {0}, past = {.X = 8}, part = {.Subresource = 1};
    const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1}, nine = {.NumTiles = 9}, none = {0};
    const D3D12_TILE_REGION_SIZE box = {
        .NumTiles = 2, .UseBox = TRUE, .Width = 1, .Height = 1, .Depth = 1};
    const D3D12_TILE_RANGE_FLAGS odd = (D3D12_TILE_RANGE_FLAGS)3,
                                 reuse = D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE;
    const UINT count = 1, two = 2, end = 8, first = 3;
    const struct {
        const char *why;
        ID3D12Resource *resource;
        UINT regions;
        const D3D12_TILED_RESOURCE_COORDINATE *start;
        const D3D12_TILE_REGION_SIZE *size;
        ID3D12Heap *heap;
        UINT ranges;
        const D3D12_TILE_RANGE_FLAGS *flags;
        const UINT *offsets, *counts;
        D3D12_TILE_MAPPING_FLAGS mapping;
    } bad[] = {
        {"no resource", NULL, 1, &at, &one, r.heap, 1, NULL, &first, &count, 0},
        {"not reserved", committed, 1, &at, &one, r.heap, 1, NULL, &first, &count, 0},
        {"another's object", (ID3D12Resource *)r.heap, 1, &at, &one, r.heap, 1, NULL, &first,
         &count, 0},
        {"no region", r.tiled, 0, &at, &one, r.heap, 1, NULL, &first, &count, 0},
        {"regions nowhere", r.tiled, 2, NULL, &one, r.heap, 1, NULL, &first, &two, 0},
        {"past the end", r.tiled, 1, &past, &one, r.heap, 1, NULL, &first, &count, 0},
        {"no such subresource", r.tiled, 1, &part, &one, r.heap, 1, NULL, &first, &count, 0},
        {"more tiles than there are", r.tiled, 1, &at, &nine, r.heap, 1, NULL, &first, NULL, 0},
        {"no tiles", r.tiled, 1, &at, &none, r.heap, 1, NULL, &first, NULL, 0},
        {"a box of other tiles", r.tiled, 1, &at, &box, r.heap, 1, NULL, &first, &two, 0},
        {"no heap", r.tiled, 1, &at, &one, NULL, 1, NULL, &first, &count, 0},
        {"another's heap", r.tiled, 1, &at, &one, (ID3D12Heap *)committed, 1, NULL, &first, &count,
         0},
        {"a heap without buffers", r.tiled, 1, &at, &one, textures, 1, NULL, &first, &count, 0},
        {"past the heap", r.tiled, 1, &at, &one, r.heap, 1, NULL, &end, &count, 0},
        {"one for all past the heap", r.tiled, 1, &at, &one, r.heap, 1, &reuse, &end, &count, 0},
        {"no offset", r.tiled, 1, &at, &one, r.heap, 1, NULL, NULL, &count, 0},
        {"no range", r.tiled, 1, &at, &one, r.heap, 0, NULL, &first, &count, 0},
        {"no such flags", r.tiled, 1, &at, &one, r.heap, 1, &odd, &first, &count, 0},
        {"more tiles than regions", r.tiled, 1, &at, &one, r.heap, 1, NULL, &first, &two, 0},
        {"no such mapping flags", r.tiled, 1, &at, &one, r.heap, 1, NULL, &first, &count, 2},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kit_clear(r.device);
        ID3D12CommandQueue_UpdateTileMappings(r.queue, bad[i].resource, bad[i].regions,
                                              bad[i].start, bad[i].size, bad[i].heap, bad[i].ranges,
                                              bad[i].flags, bad[i].offsets, bad[i].counts,
                                              bad[i].mapping);
        cr_expect_eqs(kit_messages(r.device), 1,
                      kit_count(r.device, D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_INVALID_PARAMETER), 1,
                      "%s", bad[i].why);
    }
    EXPECT(&r, "unchanged", 1, 2, 3, 4, 5, 6, 7, 8);
}

Test(reserved, mappings_take_effect_in_the_order_of_the_queue)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    OWNED ID3D12Fence *go = kit_fence(r.device, 0);
    ID3D12CommandAllocator *allocators[3];
    ID3D12GraphicsCommandList *lists[3];
    MUST(ID3D12CommandQueue_Wait(r.queue, go, 1)); /* nothing happens before all is submitted */
    for (UINT i = 0; i < 3; i++) {
        map(&r, 0, 1, i == 1 ? D3D12_TILE_RANGE_FLAG_NULL : D3D12_TILE_RANGE_FLAG_NONE, i);
        allocators[i] = kit_allocator(r.device, DIRECT);
        lists[i] = kit_list(r.device, allocators[i], DIRECT);
        ID3D12GraphicsCommandList_CopyBufferRegion(lists[i], r.readback, i * TILE, r.tiled, 0,
                                                   TILE);
        kit_execute(r.queue, lists[i]);
    }
    r.read[0] = r.read[TILE] = r.read[2 * TILE] = 0xEE;
    MUST(ID3D12Fence_Signal(go, 1));
    kit_finish(r.device, r.queue);
    cr_assert_eq3(r.read[0], 1, r.read[TILE], 0, r.read[2 * TILE], 3);
    for (UINT i = 0; i < 3; i++)
        RELEASE(lists[i], allocators[i]);
}

Test(reserved, writes_reach_the_heap_and_nothing_where_nothing_is_mapped)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    map(&r, 0, 2, D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE, 5);
    memset(r.written, 77, 3 * TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyBufferRegion(r.list, r.tiled, TILE, r.upload, 0, 2 * TILE);
    end(&r);
    EXPECT(&r, "written through one tile, seen through the other", 77, 77);
    map(&r, 7, 1, D3D12_TILE_RANGE_FLAG_NONE, 5);
    EXPECT(&r, "and through a third", 77, 77, 0, 0, 0, 0, 0, 77);
    /* a kernel writes through it as well */
    OWNED ID3D12RootSignature *signature = kit_root_signature(r.device);
    OWNED ID3D12PipelineState *fill = kit_pipeline(r.device, signature, EMU_KERNEL_FILL);
    begin(&r);
    kit_dispatch(r.list, signature, fill, r.tiled, NULL, 0x09090909, TILES * TILE / 4);
    end(&r);
    EXPECT(&r, "filled where mapped", 9, 9, 0, 0, 0, 0, 0, 9);
    cr_assert_eq(ID3D12Device_GetDeviceRemovedReason(r.device), S_OK);
}

Test(reserved, a_heap_that_is_gone_leaves_a_page_fault)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    map(&r, 0, 1, D3D12_TILE_RANGE_FLAG_NONE, 0);
    kit_finish(r.device, r.queue);
    ID3D12Heap_Release(r.heap);
    begin(&r);
    ID3D12GraphicsCommandList_CopyBufferRegion(r.list, r.readback, 0, r.tiled, 0, 4);
    end(&r);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(r.device), DXGI_ERROR_DEVICE_HUNG);
    /* afterwards calls are dropped */
    const UINT64 before = kit_messages(r.device);
    r.heap = NULL;
    map(&r, 0, 1, D3D12_TILE_RANGE_FLAG_NULL, 0);
    cr_assert_eq(kit_messages(r.device), before);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Resource, r.device, CreateReservedResource, &desc,
            D3D12_RESOURCE_STATE_COMMON, NULL);
    ID3D12Resource_AddRef(r.tiled);
    r.heap = (ID3D12Heap *)r.tiled; /* so that rig_close has something to release */
}

Test(reserved, a_resource_released_right_after_the_call_harms_nobody)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    OWNED ID3D12Fence *go = kit_fence(r.device, 0);
    ID3D12Resource *other = reserve(r.device, &desc);
    MUST(ID3D12CommandQueue_Wait(r.queue, go, 1));
    ID3D12Resource *kept = r.tiled;
    r.tiled = other;
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    ID3D12Resource_Release(other);
    r.tiled = kept;
    MUST(ID3D12Fence_Signal(go, 1));
    kit_finish(r.device, r.queue);
    cr_assert_eq(ID3D12Device_GetDeviceRemovedReason(r.device), S_OK);
}

Test(reserved, copies_of_tiles_and_mappings_are_not_modelled)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    AT_END(rig_close) struct rig r = rig_open(&desc);
    const D3D12_TILE_REGION_SIZE four = {.NumTiles = 4};
    const D3D12_TILED_RESOURCE_COORDINATE at0 = {0}, at1 = {.X = 1};
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    ID3D12CommandQueue_CopyTileMappings(r.queue, r.tiled, &at1, r.tiled, &at0, &four, 0);
    begin(&r);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &at0, &four, r.readback, 0, 0);
    end(&r);
    cr_assert_eq(kit_count(r.device, EMU_MESSAGE_NOT_MODELLED), 2);
    EXPECT(&r, "unchanged", 1, 2, 3, 4, 5, 6, 7, 8);
}
