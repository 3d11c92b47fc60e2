/* Reserved resources: tiles, what they are mapped to and when, and copies of them. */
#include "kit.h"

#include "../../emu/d3d12/abi.h"

#define TILE 65536u

static D3D12_RESOURCE_DESC texture_desc(DXGI_FORMAT format, UINT width, UINT height, UINT slices,
                                        UINT mips)
{
    return (D3D12_RESOURCE_DESC){.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                 .Width = width,
                                 .Height = height,
                                 .DepthOrArraySize = (UINT16)slices,
                                 .MipLevels = (UINT16)mips,
                                 .Format = format,
                                 .SampleDesc = {.Count = 1},
                                 .Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE};
}

static ID3D12Resource *reserve(ID3D12Device *device, const D3D12_RESOURCE_DESC *desc)
{
    ID3D12Resource *resource = NULL;
    MUST(ID3D12Device_CreateReservedResource(device, desc, D3D12_RESOURCE_STATE_COMMON, NULL,
                                             &IID_ID3D12Resource, (void **)&resource));
    return resource;
}

static ID3D12Heap *heap_of(ID3D12Device *device, UINT tiles, D3D12_HEAP_FLAGS flags)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = (UINT64)tiles * TILE,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT},
                                  .Flags = flags};
    ID3D12Heap *heap = NULL;
    MUST(ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, (void **)&heap));
    return heap;
}

/* ---- what can be reserved ---- */

Test(reserved, descriptions_that_d3d12_refuses_are_refused)
{
    ID3D12Device *device = kit_device();
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
        cr_expect(ID3D12Device_CreateReservedResource(device, &desc, D3D12_RESOURCE_STATE_COMMON,
                                                      NULL, &IID_ID3D12Resource,
                                                      &out) == E_INVALIDARG &&
                      out == NULL,
                  "%s", bad[i].why);
        cr_expect(kit_messages(device) == 1 && kit_count(device, bad[i].id) == 1, "%s", bad[i].why);
    }
    const D3D12_RESOURCE_DESC line = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE1D,
                                      .Width = 64,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .Format = DXGI_FORMAT_R8_UNORM,
                                      .SampleDesc = {.Count = 1},
                                      .Layout = D3D12_TEXTURE_LAYOUT_64KB_UNDEFINED_SWIZZLE};
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
    kit_close(device);
}

Test(reserved, resources_have_an_address_and_a_name_but_neither_heap_nor_memory)
{
    ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc((UINT64)1 << 34); /* more than there is */
    ID3D12Resource *buffer = reserve(device, &desc);
    D3D12_HEAP_PROPERTIES properties;
    D3D12_HEAP_FLAGS flags;
    void *data = &data;
    cr_assert(ID3D12Resource_GetGPUVirtualAddress(buffer) != 0);
    cr_assert(ID3D12Resource_GetGPUVirtualAddress(buffer) % TILE == 0);
    EXPECT_HR(ID3D12Resource_GetHeapProperties(buffer, &properties, &flags), E_INVALIDARG);
    EXPECT_HR(ID3D12Resource_Map(buffer, 0, NULL, &data), E_INVALIDARG);
    cr_assert(data == NULL);
    ID3D12Resource_Unmap(buffer, 0, NULL);
    EXPECT_HR(ID3D12Resource_WriteToSubresource(buffer, 0, NULL, &flags, 4, 4), E_INVALIDARG);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_GETHEAPPROPERTIES_INVALIDRESOURCE) == 1);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_MAP_INVALIDRESOURCE) == 1);
    cr_assert(kit_count(device, D3D12_MESSAGE_ID_RESOURCE_UNMAP_NOTMAPPED) == 1);
    cr_assert(kit_messages(device) == 4);
    MUST(ID3D12Resource_SetName(buffer, L"sparse"));
    cr_assert(heard_count == 1 && heard[0].what == HEARD_NAME);
    cr_assert(heard[0].type == D3D12DDI_HT_RESOURCE && heard[0].name_length == 6);
    ID3D12Resource_Release(buffer);
    kit_close(device);
}

Test(reserved, the_newer_forms_make_the_same)
{
    ID3D12Device *device = kit_device();
    ID3D12Device11 *newer = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device11, (void **)&newer));
    D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R32_TYPELESS, 128, 128, 1, 1);
    DXGI_FORMAT castable[] = {DXGI_FORMAT_R8G8B8A8_UNORM, DXGI_FORMAT_R16G16_FLOAT};
    ID3D12Resource *resource = NULL;
    void *out = &out;
    MUST(ID3D12Device11_CreateReservedResource1(newer, &desc, D3D12_RESOURCE_STATE_COMMON, NULL,
                                                NULL, &IID_ID3D12Resource, (void **)&resource));
    ID3D12Resource_Release(resource);
    EXPECT_HR(ID3D12Device11_CreateReservedResource1(newer, &desc, D3D12_RESOURCE_STATE_COMMON,
                                                     NULL, (ID3D12ProtectedResourceSession *)device,
                                                     &IID_ID3D12Resource, &out),
              E_INVALIDARG);
    cr_assert(out == NULL);
    MUST(ID3D12Device11_CreateReservedResource2(newer, &desc, D3D12_BARRIER_LAYOUT_COMMON, NULL,
                                                NULL, 2, castable, &IID_ID3D12Resource,
                                                (void **)&resource));
    ID3D12Resource_Release(resource);
    castable[1] = DXGI_FORMAT_R16_FLOAT;
    EXPECT_HR(ID3D12Device11_CreateReservedResource2(newer, &desc, D3D12_BARRIER_LAYOUT_COMMON,
                                                     NULL, NULL, 2, castable, &IID_ID3D12Resource,
                                                     &out),
              E_INVALIDARG);
    ID3D12Device11_Release(newer);
    kit_close(device);
}

/* ---- GetResourceTiling ---- */

struct tiling {
    UINT tiles;
    D3D12_PACKED_MIP_INFO packed;
    D3D12_TILE_SHAPE shape;
    UINT count;
    D3D12_SUBRESOURCE_TILING parts[32];
};

static struct tiling ask(ID3D12Device *device, ID3D12Resource *resource, UINT first, UINT count)
{
    struct tiling t;
    memset(&t, 0xEE, sizeof t);
    t.count = count;
    ID3D12Device_GetResourceTiling(device, resource, &t.tiles, &t.packed, &t.shape, &t.count, first,
                                   t.parts);
    return t;
}

Test(reserved, tiling_of_a_buffer)
{
    ID3D12Device *device = kit_device();
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(3 * TILE + 1);
    ID3D12Resource *buffer = reserve(device, &desc);
    const struct tiling t = ask(device, buffer, 0, 5);
    cr_assert(t.tiles == 4 && t.count == 1);
    cr_assert(t.shape.WidthInTexels == TILE && t.shape.HeightInTexels == 1 &&
              t.shape.DepthInTexels == 1);
    cr_assert(t.packed.NumPackedMips == 0 && t.packed.NumTilesForPackedMips == 0);
    cr_assert(t.parts[0].WidthInTiles == 4 && t.parts[0].HeightInTiles == 1 &&
              t.parts[0].DepthInTiles == 1 && t.parts[0].StartTileIndexInOverallResource == 0);
    ID3D12Device_GetResourceTiling(device, buffer, NULL, NULL, NULL, NULL, 0, NULL);
    cr_assert(kit_messages(device) == 0);
    ID3D12Resource *committed = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
    cr_assert(ask(device, committed, 0, 1).count == 0);
    cr_assert(ask(device, NULL, 0, 1).tiles == 0);
    cr_assert(kit_messages(device) == 2);
    ID3D12Resource_Release(committed);
    ID3D12Resource_Release(buffer);
    kit_close(device);
}

Test(reserved, tiles_have_the_standard_shapes) /* D3D11.3 functional specification 5.9.2 */
{
    static const struct {
        DXGI_FORMAT format;
        UINT width, height;
    } shapes[] = {
        {DXGI_FORMAT_R8_UNORM, 256, 256},         {DXGI_FORMAT_R16_FLOAT, 256, 128},
        {DXGI_FORMAT_R8G8B8A8_UNORM, 128, 128},   {DXGI_FORMAT_R16G16B16A16_FLOAT, 128, 64},
        {DXGI_FORMAT_R32G32B32A32_FLOAT, 64, 64}, {DXGI_FORMAT_BC1_UNORM, 512, 256},
        {DXGI_FORMAT_BC4_UNORM, 512, 256},        {DXGI_FORMAT_BC3_UNORM, 256, 256},
        {DXGI_FORMAT_BC7_UNORM_SRGB, 256, 256},
    };
    ID3D12Device *device = kit_device();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const D3D12_RESOURCE_DESC desc = texture_desc(shapes[i].format, 1024, 1024, 1, 1);
        ID3D12Resource *texture = reserve(device, &desc);
        const struct tiling t = ask(device, texture, 0, 1);
        cr_expect(t.shape.WidthInTexels == shapes[i].width &&
                      t.shape.HeightInTexels == shapes[i].height && t.shape.DepthInTexels == 1,
                  "%d: %u x %u", shapes[i].format, t.shape.WidthInTexels, t.shape.HeightInTexels);
        cr_expect(t.tiles == 1024 / shapes[i].width * (1024 / shapes[i].height));
        ID3D12Resource_Release(texture);
    }
    kit_close(device);
}

Test(reserved, tiling_of_mips_and_slices)
{
    ID3D12Device *device = kit_device();
    /* tiles of 128 x 128: 3 x 2, then 150 x 128 has 2 x 1, then 75 x 64 and less are packed */
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 300, 256, 2, 0);
    ID3D12Resource *texture = reserve(device, &desc);
    D3D12_RESOURCE_DESC complete;
    ABI_CALL_STRUCT(texture, GetDesc, &complete);
    cr_assert(complete.MipLevels == 9);
    const struct tiling t = ask(device, texture, 0, 32);
    cr_assert(t.packed.NumStandardMips == 2 && t.packed.NumPackedMips == 7);
    cr_assert(t.packed.StartTileIndexInOverallResource == 8);
    cr_assert(t.packed.NumTilesForPackedMips >= 1);
    const UINT slice = 8 + t.packed.NumTilesForPackedMips;
    cr_assert(t.tiles == 2 * slice && t.count == 18);
    for (UINT s = 0; s < 2; s++) {
        const D3D12_SUBRESOURCE_TILING *p = &t.parts[9 * s];
        cr_assert(p[0].WidthInTiles == 3 && p[0].HeightInTiles == 2 && p[0].DepthInTiles == 1 &&
                  p[0].StartTileIndexInOverallResource == s * slice);
        cr_assert(p[1].WidthInTiles == 2 && p[1].HeightInTiles == 1 &&
                  p[1].StartTileIndexInOverallResource == s * slice + 6);
        for (UINT mip = 2; mip < 9; mip++)
            cr_assert(p[mip].WidthInTiles == 0 && p[mip].HeightInTiles == 0 &&
                      p[mip].DepthInTiles == 0 &&
                      p[mip].StartTileIndexInOverallResource == D3D12_PACKED_TILE);
    }
    const struct tiling some = ask(device, texture, 10, 1);
    cr_assert(some.count == 1 && some.parts[0].StartTileIndexInOverallResource == slice + 6);
    cr_assert(some.parts[1].WidthInTiles == 0xEEEEEEEE);
    cr_assert(ask(device, texture, 17, 5).count == 1);
    cr_assert(ask(device, texture, 18, 5).count == 0);
    ID3D12Resource_Release(texture);
    const D3D12_RESOURCE_DESC little = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64, 1, 1);
    texture = reserve(device, &little);
    const struct tiling l = ask(device, texture, 0, 1);
    cr_assert(l.packed.NumStandardMips == 0 && l.packed.NumPackedMips == 1 && l.tiles == 1);
    cr_assert(l.packed.StartTileIndexInOverallResource == 0 && l.shape.WidthInTexels == 0);
    ID3D12Resource_Release(texture);
    kit_close(device);
}

/* ---- mappings ---- */

/* A buffer of tiles that carry their number in the heap that they are to be mapped to, and what reads it. */
struct rig {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Heap *heap;
    ID3D12Resource *upload, *readback, *tiled;
    unsigned char *written, *read;
};

enum { TILES = 8 };

static void begin(struct rig *r)
{
    if (r->list == NULL) {
        r->list = kit_list(r->device, r->allocator, DIRECT);
        return;
    }
    MUST(ID3D12CommandAllocator_Reset(r->allocator));
    MUST(ID3D12GraphicsCommandList_Reset(r->list, r->allocator, NULL));
}

static void end(struct rig *r)
{
    kit_execute(r->queue, r->list);
    kit_finish(r->device, r->queue);
}

static struct rig rig_open(const D3D12_RESOURCE_DESC *desc)
{
    struct rig r = {.device = kit_device()};
    r.queue = kit_queue(r.device, DIRECT);
    r.allocator = kit_allocator(r.device, DIRECT);
    r.heap = heap_of(r.device, TILES, D3D12_HEAP_FLAG_NONE);
    r.upload = kit_buffer(r.device, D3D12_HEAP_TYPE_UPLOAD, TILES * TILE);
    r.readback = kit_buffer(r.device, D3D12_HEAP_TYPE_READBACK, TILES * TILE);
    MUST(ID3D12Resource_Map(r.upload, 0, NULL, (void **)&r.written));
    MUST(ID3D12Resource_Map(r.readback, 0, NULL, (void **)&r.read));
    r.tiled = reserve(r.device, desc);
    /* tile n of the heap is full of n + 1 */
    const D3D12_RESOURCE_DESC whole = kit_buffer_desc(TILES * TILE);
    ID3D12Resource *placed = NULL;
    MUST(ID3D12Device_CreatePlacedResource(r.device, r.heap, 0, &whole, D3D12_RESOURCE_STATE_COMMON,
                                           NULL, &IID_ID3D12Resource, (void **)&placed));
    for (UINT i = 0; i < TILES; i++)
        memset(r.written + i * TILE, (int)i + 1, TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyBufferRegion(r.list, placed, 0, r.upload, 0, TILES * TILE);
    end(&r);
    ID3D12Resource_Release(placed);
    return r;
}

static void rig_close(struct rig *r)
{
    ID3D12Resource_Release(r->tiled);
    ID3D12Resource_Release(r->readback);
    ID3D12Resource_Release(r->upload);
    ID3D12Heap_Release(r->heap);
    ID3D12GraphicsCommandList_Release(r->list);
    ID3D12CommandAllocator_Release(r->allocator);
    ID3D12CommandQueue_Release(r->queue);
    kit_close(r->device);
}

/* Which tile of the heap, from 1, each tile of the buffer reads; 0: zeros. */
static void expect(struct rig *r, const char *why, const unsigned char tiles[TILES])
{
    begin(r);
    memset(r->read, 0xEE, TILES * TILE);
    ID3D12GraphicsCommandList_CopyBufferRegion(r->list, r->readback, 0, r->tiled, 0, TILES * TILE);
    end(r);
    for (UINT i = 0; i < TILES; i++)
        cr_assert(r->read[i * TILE] == tiles[i] && r->read[i * TILE + TILE - 1] == tiles[i],
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
    struct rig r = rig_open(&desc);
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

    /* without sizes a region is one tile; without coordinates and sizes the resource; without count all */
    const UINT two = 2, none = 0;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 2, starts, NULL, r.heap, 1, NULL, &none,
                                          &two, D3D12_TILE_MAPPING_FLAG_NO_HAZARD);
    EXPECT(&r, "single tiles", 2, 0, 1, 2, 0, 0, 1, 3);
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, NULL, NULL, r.heap, 1, NULL, &none,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "everything", 1, 2, 3, 4, 5, 6, 7, 8);
    const D3D12_TILE_RANGE_FLAGS clear = D3D12_TILE_RANGE_FLAG_NULL;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, NULL, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    EXPECT(&r, "nothing", 0);
    cr_assert(kit_messages(r.device) == 0);
    rig_close(&r);
}

Test(reserved, mappings_that_make_no_sense_change_nothing)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
    ID3D12Resource *committed = kit_buffer(r.device, D3D12_HEAP_TYPE_DEFAULT, TILE);
    ID3D12Heap *textures = heap_of(r.device, 4, D3D12_HEAP_FLAG_ALLOW_ONLY_NON_RT_DS_TEXTURES);
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    const D3D12_TILED_RESOURCE_COORDINATE at = {0}, past = {.X = 8}, part = {.Subresource = 1};
    const D3D12_TILE_REGION_SIZE one = {.NumTiles = 1}, nine = {.NumTiles = 9}, none = {0};
    const D3D12_TILE_REGION_SIZE box = {
        .NumTiles = 2, .UseBox = TRUE, .Width = 1, .Height = 1, .Depth = 1};
    const D3D12_TILE_RANGE_FLAGS odd = (D3D12_TILE_RANGE_FLAGS)3;
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
        cr_expect(kit_messages(r.device) == 1 &&
                      kit_count(r.device, D3D12_MESSAGE_ID_UPDATETILEMAPPINGS_INVALID_PARAMETER) ==
                          1,
                  "%s", bad[i].why);
    }
    EXPECT(&r, "unchanged", 1, 2, 3, 4, 5, 6, 7, 8);
    ID3D12Heap_Release(textures);
    ID3D12Resource_Release(committed);
    rig_close(&r);
}

Test(reserved, mappings_take_effect_in_the_order_of_the_queue)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
    ID3D12Fence *go = kit_fence(r.device, 0);
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
    cr_assert(r.read[0] == 1 && r.read[TILE] == 0 && r.read[2 * TILE] == 3);
    for (UINT i = 0; i < 3; i++) {
        ID3D12GraphicsCommandList_Release(lists[i]);
        ID3D12CommandAllocator_Release(allocators[i]);
    }
    ID3D12Fence_Release(go);
    rig_close(&r);
}

Test(reserved, writes_reach_the_heap_and_nothing_where_nothing_is_mapped)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
    map(&r, 0, 2, D3D12_TILE_RANGE_FLAG_REUSE_SINGLE_TILE, 5);
    memset(r.written, 77, 3 * TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyBufferRegion(r.list, r.tiled, TILE, r.upload, 0, 2 * TILE);
    end(&r);
    EXPECT(&r, "written through one tile, seen through the other", 77, 77);
    map(&r, 7, 1, D3D12_TILE_RANGE_FLAG_NONE, 5);
    EXPECT(&r, "and through a third", 77, 77, 0, 0, 0, 0, 0, 77);
    /* a kernel writes through it as well */
    ID3D12RootSignature *signature = kit_root_signature(r.device);
    ID3D12PipelineState *fill = kit_pipeline(r.device, signature, EMU_KERNEL_FILL);
    begin(&r);
    kit_dispatch(r.list, signature, fill, r.tiled, NULL, 0x09090909, TILES * TILE / 4);
    end(&r);
    EXPECT(&r, "filled where mapped", 9, 9, 0, 0, 0, 0, 0, 9);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(r.device) == S_OK);
    ID3D12PipelineState_Release(fill);
    ID3D12RootSignature_Release(signature);
    rig_close(&r);
}

Test(reserved, a_heap_that_is_gone_leaves_a_page_fault)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
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
    ID3D12CommandQueue_CopyTileMappings(r.queue, NULL, NULL, NULL, NULL, NULL, 0);
    cr_assert(kit_messages(r.device) == before);
    void *out = &out;
    EXPECT_HR(ID3D12Device_CreateReservedResource(r.device, &desc, D3D12_RESOURCE_STATE_COMMON,
                                                  NULL, &IID_ID3D12Resource, &out),
              DXGI_ERROR_DEVICE_REMOVED);
    cr_assert(out == NULL);
    ID3D12Resource_AddRef(r.tiled);
    r.heap = (ID3D12Heap *)r.tiled; /* so that rig_close has something to release */
    rig_close(&r);
}

Test(reserved, a_resource_released_right_after_the_call_harms_nobody)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
    ID3D12Fence *go = kit_fence(r.device, 0);
    ID3D12Resource *other = reserve(r.device, &desc);
    MUST(ID3D12CommandQueue_Wait(r.queue, go, 1));
    ID3D12Resource *kept = r.tiled;
    r.tiled = other;
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    ID3D12Resource_Release(other);
    r.tiled = kept;
    MUST(ID3D12Fence_Signal(go, 1));
    kit_finish(r.device, r.queue);
    cr_assert(ID3D12Device_GetDeviceRemovedReason(r.device) == S_OK);
    ID3D12Fence_Release(go);
    rig_close(&r);
}

Test(reserved, mappings_are_copied)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE);
    struct rig r = rig_open(&desc);
    ID3D12Resource *other = reserve(r.device, &desc), *tiled = r.tiled;
    const D3D12_TILE_REGION_SIZE four = {.NumTiles = 4}, nine = {.NumTiles = 9};
    const D3D12_TILED_RESOURCE_COORDINATE at0 = {0}, at1 = {.X = 1}, at2 = {.X = 2}, at5 = {.X = 5};
    map(&r, 0, 8, D3D12_TILE_RANGE_FLAG_NONE, 0);
    ID3D12CommandQueue_CopyTileMappings(r.queue, other, &at2, tiled, &at1, &four,
                                        D3D12_TILE_MAPPING_FLAG_NONE);
    r.tiled = other;
    EXPECT(&r, "into another", 0, 0, 2, 3, 4, 5);
    r.tiled = tiled;
    ID3D12CommandQueue_CopyTileMappings(r.queue, tiled, &at1, tiled, &at0, &four, 0);
    EXPECT(&r, "upwards", 1, 1, 2, 3, 4, 6, 7, 8);
    ID3D12CommandQueue_CopyTileMappings(r.queue, tiled, &at0, tiled, &at2, &four, 0);
    EXPECT(&r, "downwards", 2, 3, 4, 6, 4, 6, 7, 8);
    cr_assert(kit_messages(r.device) == 0);
    const struct {
        ID3D12Resource *dst, *src;
        const D3D12_TILED_RESOURCE_COORDINATE *to, *from;
        const D3D12_TILE_REGION_SIZE *size;
    } bad[] = {
        {NULL, tiled, &at0, &at0, &four},     {tiled, NULL, &at0, &at0, &four},
        {r.upload, tiled, &at0, &at0, &four}, {tiled, tiled, NULL, &at0, &four},
        {tiled, tiled, &at0, NULL, &four},    {tiled, tiled, &at0, &at0, NULL},
        {tiled, tiled, &at5, &at0, &four},    {tiled, tiled, &at0, &at5, &four},
        {tiled, tiled, &at0, &at0, &nine},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ID3D12CommandQueue_CopyTileMappings(r.queue, bad[i].dst, bad[i].to, bad[i].src, bad[i].from,
                                            bad[i].size, 0);
        cr_expect(kit_messages(r.device) == i + 1, "%zu", i);
    }
    cr_assert(kit_count(r.device, D3D12_MESSAGE_ID_COPYTILEMAPPINGS_INVALID_PARAMETER) ==
              sizeof bad / sizeof bad[0]);
    EXPECT(&r, "unchanged", 2, 3, 4, 6, 4, 6, 7, 8);
    ID3D12Resource_Release(other);
    rig_close(&r);
}

/* ---- textures ---- */

/* 512 x 256 texels of 4 bytes are 4 x 2 tiles, all that the heap has. */
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
    struct rig r = rig_open(&desc);
    map_all(&r);
    fill_upload(&r);
    copy_texture(&r, r.upload, true);
    memset(r.read, 0xEE, TILES * TILE);
    copy_texture(&r, r.readback, false);
    cr_assert(memcmp(r.read, r.written, TILES * TILE) == 0);
    /* a tile of 128 x 128 texels that is taken away takes exactly these texels with it */
    const D3D12_TILED_RESOURCE_COORDINATE at = {.X = 2, .Y = 1};
    const D3D12_TILE_RANGE_FLAGS clear = D3D12_TILE_RANGE_FLAG_NULL;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &at, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    copy_texture(&r, r.readback, false);
    for (UINT y = 0; y < 256; y++)
        for (UINT x = 0; x < 512; x++)
            cr_assert(((uint32_t *)(void *)r.read)[y * 512 + x] ==
                          (x / 128 == 2 && y / 128 == 1 ? 0 : texel(x, y)),
                      "%u %u", x, y);
    cr_assert(kit_messages(r.device) == 0);
    rig_close(&r);
}

Test(reserved, boxes_of_tiles_are_mapped_row_by_row)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 1);
    struct rig r = rig_open(&desc);
    const D3D12_TILED_RESOURCE_COORDINATE at = {.X = 1}, to = {.X = 2};
    const D3D12_TILE_REGION_SIZE box = {4, TRUE, 2, 2, 1}, wide = {3, TRUE, 3, 1, 1};
    const UINT first = 2, four = 4;
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &at, &box, r.heap, 1, NULL, &first,
                                          &four, D3D12_TILE_MAPPING_FLAG_NONE);
    copy_texture(&r, r.readback, false);
    static const unsigned char mapped[2][4] = {{0, 3, 4, 0}, {0, 5, 6, 0}};
    for (UINT i = 0; i < 8; i++)
        cr_expect(r.read[i / 4 * 128 * 2048 + i % 4 * 512] == mapped[i / 4][i % 4], "tile %u", i);
    ID3D12CommandQueue_CopyTileMappings(r.queue, r.tiled, &to, r.tiled, &at, &box, 0);
    copy_texture(&r, r.readback, false);
    static const unsigned char copied[2][4] = {{0, 3, 3, 4}, {0, 5, 5, 6}};
    for (UINT i = 0; i < 8; i++)
        cr_expect(r.read[i / 4 * 128 * 2048 + i % 4 * 512] == copied[i / 4][i % 4], "tile %u", i);
    ID3D12CommandQueue_CopyTileMappings(r.queue, r.tiled, &to, r.tiled, &at, &wide, 0);
    cr_assert(kit_count(r.device, D3D12_MESSAGE_ID_COPYTILEMAPPINGS_INVALID_PARAMETER) == 1);
    rig_close(&r);
}

Test(reserved, copies_of_boxes_that_overlap_read_all_first)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 256, 512, 1, 1);
    struct rig r = rig_open(&desc);
    const D3D12_TILED_RESOURCE_COORDINATE top = {0}, second = {.Y = 1};
    const D3D12_TILE_REGION_SIZE box = {6, TRUE, 2, 3, 1};
    const D3D12_TEXTURE_COPY_LOCATION texture = {.pResource = r.tiled,
                                                 .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX};
    const D3D12_TEXTURE_COPY_LOCATION rows = {
        .pResource = r.readback,
        .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
        .PlacedFootprint = {.Footprint = {DXGI_FORMAT_R8G8B8A8_UNORM, 256, 512, 1, 1024}}};
    for (UINT up = 0; up < 2; up++) {
        map_all(&r);
        ID3D12CommandQueue_CopyTileMappings(r.queue, r.tiled, up ? &top : &second, r.tiled,
                                            up ? &second : &top, &box, 0);
        begin(&r);
        ID3D12GraphicsCommandList_CopyTextureRegion(r.list, &rows, 0, 0, 0, &texture, NULL);
        end(&r);
        static const unsigned char after[2][8] = {{1, 2, 1, 2, 3, 4, 5, 6},
                                                  {3, 4, 5, 6, 7, 8, 7, 8}};
        for (UINT i = 0; i < 8; i++)
            cr_expect(r.read[i / 2 * 128 * 1024 + i % 2 * 512] == after[up][i], "%u: tile %u", up,
                      i);
    }
    rig_close(&r);
}

Test(reserved, any_box_of_texels_may_be_copied)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 1);
    struct rig r = rig_open(&desc);
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
            cr_assert(((uint32_t *)(void *)r.read)[y * 512 + x] ==
                          (inside ? texel(x - 7 + 100, y - 9 + 120) : 0xEEEEEEEE),
                      "%u %u", x, y);
        }
    /* and into a texture of another layout, whole */
    D3D12_RESOURCE_DESC plain = desc;
    plain.Layout = D3D12_TEXTURE_LAYOUT_UNKNOWN;
    const D3D12_HEAP_PROPERTIES custom = {
        D3D12_HEAP_TYPE_CUSTOM, D3D12_CPU_PAGE_PROPERTY_WRITE_BACK, D3D12_MEMORY_POOL_L0, 0, 0};
    for (UINT swizzled = 0; swizzled < 2; swizzled++) {
        ID3D12Resource *copy = NULL;
        plain.Layout = swizzled ? desc.Layout : D3D12_TEXTURE_LAYOUT_UNKNOWN;
        MUST(ID3D12Device_CreateCommittedResource(r.device, &custom, 0, &plain,
                                                  D3D12_RESOURCE_STATE_COMMON, NULL,
                                                  &IID_ID3D12Resource, (void **)&copy));
        begin(&r);
        ID3D12GraphicsCommandList_CopyResource(r.list, copy, r.tiled);
        end(&r);
        memset(r.read, 0xEE, TILES * TILE);
        MUST(ID3D12Resource_ReadFromSubresource(copy, r.read, 2048, 0, 0, NULL));
        cr_assert(memcmp(r.read, r.written, TILES * TILE) == 0);
        uint32_t some[3][50];
        const D3D12_BOX part = {120, 10, 0, 170, 13, 1};
        MUST(ID3D12Resource_ReadFromSubresource(copy, some, sizeof some[0], 0, 0, &part));
        cr_assert(some[2][49] == texel(169, 12) && some[0][0] == texel(120, 10));
        ID3D12Resource_Release(copy);
    }
    rig_close(&r);
}

Test(reserved, packed_mips_share_tiles)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 128, 128, 2, 0);
    struct rig r = rig_open(&desc);
    struct tiling t = ask(r.device, r.tiled, 0, 1);
    cr_assert(t.packed.NumStandardMips == 1 && t.tiles == 4);
    map_all(&r);
    begin(&r);
    UINT64 offset = 0;
    for (UINT i = 0; i < 16; i++) { /* every mip of both slices is itself and nothing else */
        const UINT side = 128u >> i % 8;
        memset(r.written + offset, (int)i + 1, 512 * side);
        const D3D12_TEXTURE_COPY_LOCATION dst = {.pResource = r.tiled,
                                                 .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                                 .SubresourceIndex = i};
        const D3D12_TEXTURE_COPY_LOCATION src = {
            .pResource = r.upload,
            .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
            .PlacedFootprint = {offset, {DXGI_FORMAT_R8G8B8A8_UNORM, side, side, 1, 512}}};
        ID3D12GraphicsCommandList_CopyTextureRegion(r.list, &dst, 0, 0, 0, &src, NULL);
        offset += 512 * side;
    }
    end(&r);
    begin(&r);
    offset = 0;
    for (UINT i = 0; i < 16; i++) {
        const UINT side = 128u >> i % 8;
        const D3D12_TEXTURE_COPY_LOCATION src = {.pResource = r.tiled,
                                                 .Type = D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX,
                                                 .SubresourceIndex = i};
        const D3D12_TEXTURE_COPY_LOCATION dst = {
            .pResource = r.readback,
            .Type = D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT,
            .PlacedFootprint = {offset, {DXGI_FORMAT_R8G8B8A8_UNORM, side, side, 1, 512}}};
        ID3D12GraphicsCommandList_CopyTextureRegion(r.list, &dst, 0, 0, 0, &src, NULL);
        offset += 512 * side;
    }
    end(&r);
    offset = 0;
    for (UINT i = 0; i < 16; i++) {
        const UINT side = 128u >> i % 8;
        for (UINT y = 0; y < side; y++)
            for (UINT x = 0; x < side * 4; x++)
                cr_assert(r.read[offset + y * 512 + x] == i + 1, "mip %u", i);
        offset += 512 * side;
    }
    /* their coordinates count tiles, whichever of them is named; boxes they have none */
    const D3D12_TILED_RESOURCE_COORDINATE packed = {.Subresource = 5}, beyond = {1, 0, 0, 5};
    const D3D12_TILE_RANGE_FLAGS clear = D3D12_TILE_RANGE_FLAG_NULL;
    const D3D12_TILE_REGION_SIZE box = {1, TRUE, 1, 1, 1};
    kit_clear(r.device);
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &packed, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    cr_assert(kit_messages(r.device) == 0);
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &beyond, NULL, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    ID3D12CommandQueue_UpdateTileMappings(r.queue, r.tiled, 1, &packed, &box, NULL, 1, &clear, NULL,
                                          NULL, D3D12_TILE_MAPPING_FLAG_NONE);
    cr_assert(kit_messages(r.device) == 2);
    rig_close(&r);
}

/* ---- CopyTiles ---- */

#define TO_TILES   D3D12_TILE_COPY_FLAG_LINEAR_BUFFER_TO_SWIZZLED_TILED_RESOURCE
#define FROM_TILES D3D12_TILE_COPY_FLAG_SWIZZLED_TILED_RESOURCE_TO_LINEAR_BUFFER

Test(reserved, tiles_are_copied_as_rows_of_texels)
{
    const D3D12_RESOURCE_DESC desc = texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 512, 256, 1, 1);
    struct rig r = rig_open(&desc);
    const D3D12_TILED_RESOURCE_COORDINATE at = {.X = 1};
    const D3D12_TILE_REGION_SIZE box = {4, TRUE, 2, 2, 1};
    map_all(&r);
    fill_upload(&r);
    copy_texture(&r, r.upload, true);
    begin(&r);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &at, &box, r.readback, 256, FROM_TILES);
    end(&r);
    for (UINT tile = 0; tile < 4; tile++)
        for (UINT i = 0; i < 128 * 128; i++) {
            uint32_t read;
            memcpy(&read, r.read + 256 + tile * TILE + i * 4, 4);
            cr_assert(read == texel((1 + tile % 2) * 128 + i % 128, tile / 2 * 128 + i / 128));
        }
    /* and back, in another place */
    const D3D12_TILED_RESOURCE_COORDINATE to = {0};
    memset(r.written, 5, TILE);
    begin(&r);
    ID3D12GraphicsCommandList_CopyTiles(r.list, r.tiled, &to,
                                        &(D3D12_TILE_REGION_SIZE){.NumTiles = 1}, r.upload, 0,
                                        TO_TILES | D3D12_TILE_COPY_FLAG_NO_HAZARD);
    end(&r);
    copy_texture(&r, r.readback, false);
    for (UINT y = 0; y < 256; y++)
        for (UINT x = 0; x < 512; x++)
            cr_assert(((uint32_t *)(void *)r.read)[y * 512 + x] ==
                      (x < 128 && y < 128 ? 0x05050505 : texel(x, y)));
    rig_close(&r);
}

Test(reserved, copies_of_tiles_that_make_no_sense_fail_the_recording)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(TILES * TILE - 100);
    struct rig r = rig_open(&desc);
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
        {"no direction", r.tiled, &at, &one, r.readback, 0, 0, false},
        {"both directions", r.tiled, &at, &one, r.readback, 0, FROM_TILES | TO_TILES, false},
        {"no such flag", r.tiled, &at, &one, r.readback, 0, FROM_TILES | 8, false},
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
        cr_expect(kit_messages(r.device) == 1, "%s", copies[i].why);
        cr_expect(ID3D12GraphicsCommandList_Close(r.list) == E_INVALIDARG, "%s", copies[i].why);
    }
    cr_assert(ID3D12Device_GetDeviceRemovedReason(r.device) == S_OK);
    rig_close(&r);
}
