/* Barriers: what D3D12 permits of them, in their two forms. */
#include "kit.h"

#define ALL_PARTS D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES

struct scene {
    KIT_SCENE;
    ID3D12Device *stranger;
    ID3D12GraphicsCommandList7 *list7;
    ID3D12Resource *buffer, *upload, *foreign;
    ID3D12Resource *texture; /* 2 mips, 3 slices; a render target */
};

static ID3D12Resource *create_texture(ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC desc = kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 8, 8, 3, 2,
                                                      D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    return kit_resource(device, &desc, D3D12_RESOURCE_STATE_COMMON);
}

static struct scene open_scene(D3D12_COMMAND_LIST_TYPE type)
{
    struct scene s = {.stranger = kit_device()};
    KIT_SCENE_OPEN(&s, kit_device(), type);
    s.list7 = AS(ID3D12GraphicsCommandList7, s.list);
    s.buffer = kit_buffer(s.device, D3D12_HEAP_TYPE_DEFAULT, 64);
    s.upload = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 64);
    s.foreign = kit_buffer(s.stranger, D3D12_HEAP_TYPE_DEFAULT, 64);
    s.texture = create_texture(s.device);
    return s;
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->texture, s->buffer, s->upload, s->foreign, s->list7);
    kit_close(s->stranger);
}

/* One message, with this number (0: none), and what Close returns of it. */
static void expect(struct scene *s, int id, bool is_fatal, const char *what)
{
    kit_mistake(s->device, s->list, s->allocator, is_fatal ? E_INVALIDARG : S_OK, id, what);
}

static D3D12_RESOURCE_BARRIER transition(void *resource, UINT part, UINT before, UINT after)
{
    return (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                    .Transition = {resource, part, (D3D12_RESOURCE_STATES)before,
                                                   (D3D12_RESOURCE_STATES)after}};
}

Test(resource_barrier, is_taken_where_it_is_right)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    D3D12_RESOURCE_BARRIER barriers[] = {
        transition(s.texture, ALL_PARTS, D3D12_RESOURCE_STATE_COMMON,
                   D3D12_RESOURCE_STATE_RENDER_TARGET),
        transition(s.texture, 5, D3D12_RESOURCE_STATE_RENDER_TARGET,
                   D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_COPY_SOURCE),
        transition(s.buffer, 0, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_GENERIC_READ),
        transition(s.buffer, 0, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST),
        transition(s.buffer, 0, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST),
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV},
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV, .UAV = {s.buffer}},
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING},
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING, .Aliasing = {s.buffer, s.texture}},
    };
    barriers[3].Flags = D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY;
    barriers[4].Flags = D3D12_RESOURCE_BARRIER_FLAG_END_ONLY;
    ID3D12GraphicsCommandList_ResourceBarrier(s.list, sizeof barriers / sizeof barriers[0],
                                              barriers);
    ID3D12GraphicsCommandList_ResourceBarrier(s.list, 0, NULL);
    expect(&s, 0, false, "all of them");
}

Test(resource_barrier, is_refused_or_told_where_it_is_wrong)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    const UINT common = D3D12_RESOURCE_STATE_COMMON, dest = D3D12_RESOURCE_STATE_COPY_DEST;
    const D3D12_RESOURCE_BARRIER_TYPE unknown = (D3D12_RESOURCE_BARRIER_TYPE)3;
    struct {
        const char *what;
        D3D12_RESOURCE_BARRIER barrier;
        int id;
        bool is_fatal;
    } cases[] = {
        {"no such type", {.Type = unknown}, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_TYPE, true},
        {"a flag", transition(s.buffer, 0, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_FLAG, true},
        {"half an access",
         {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV, .Flags = D3D12_RESOURCE_BARRIER_FLAG_END_ONLY},
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_SPLIT_BARRIER,
         true},
        {"nothing", transition(NULL, 0, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER, true},
        {"something else", transition(s.list, 0, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE, true},
        {"another device's", transition(s.foreign, 0, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE, true},
        {"past a buffer", transition(s.buffer, 1, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_SUBRESOURCE, true},
        {"past a texture", transition(s.texture, 6, common, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_SUBRESOURCE, true},
        {"no change", transition(s.texture, 0, dest, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_MATCHING_STATES, false},
        {"an upload heap", transition(s.upload, 0, D3D12_RESOURCE_STATE_GENERIC_READ, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_HEAP, false},
        {"no state before", transition(s.texture, 0, 1u << 30, dest),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_RESERVED_BITS, true},
        {"no state after", transition(s.texture, 0, common, 1u << 30),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_RESERVED_BITS, true},
        {"write and read",
         transition(s.texture, 0, common, dest | D3D12_RESOURCE_STATE_COPY_SOURCE),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_COMBINATION, false},
        {"two writes", transition(s.texture, 0, dest | D3D12_RESOURCE_STATE_RENDER_TARGET, common),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_COMBINATION, false},
        {"no target", transition(s.buffer, 0, common, D3D12_RESOURCE_STATE_RENDER_TARGET),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_MISSING_BIND_FLAGS, false},
        {"no depth buffer", transition(s.texture, 0, D3D12_RESOURCE_STATE_DEPTH_WRITE, common),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_MISSING_BIND_FLAGS, false},
        {"no unordered access",
         transition(s.texture, 0, common, D3D12_RESOURCE_STATE_UNORDERED_ACCESS),
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_MISSING_BIND_FLAGS, false},
        {"an alias of another device",
         {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING, .Aliasing = {NULL, s.foreign}},
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE,
         true},
        {"an alias before",
         {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING, .Aliasing = {s.foreign, NULL}},
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE,
         true},
        {"an access of another device",
         {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV, .UAV = {s.foreign}},
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE,
         true},
    };
    cases[1].barrier.Flags =
        D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY | D3D12_RESOURCE_BARRIER_FLAG_END_ONLY;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_RESOURCE_BARRIER two[2] = {{.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV},
                                               cases[i].barrier};
        ID3D12GraphicsCommandList_ResourceBarrier(s.list, 2, two);
        expect(&s, cases[i].id, cases[i].is_fatal, cases[i].what);
    }
    ID3D12GraphicsCommandList_ResourceBarrier(s.list, 1, NULL);
    expect(&s, D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER, true, "no barriers");
}

/* Copy lists know COMMON and the two copy states, compute lists what shaders and copies do [Using
 * resource states]. */
Test(resource_barrier, has_the_states_of_its_list)
{
    static const struct {
        D3D12_COMMAND_LIST_TYPE type;
        UINT state;
        bool is_known;
    } cases[] = {
        {COPY, D3D12_RESOURCE_STATE_COPY_DEST, true},
        {COPY, D3D12_RESOURCE_STATE_COPY_SOURCE, true},
        {COPY, D3D12_RESOURCE_STATE_RENDER_TARGET, false},
        {COPY, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE, false},
        {COMPUTE, D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE, true},
        {COMPUTE, D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT, true},
        {COMPUTE, D3D12_RESOURCE_STATE_COPY_DEST, true},
        {COMPUTE, D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE, false},
        {COMPUTE, D3D12_RESOURCE_STATE_RENDER_TARGET, false},
        {DIRECT, D3D12_RESOURCE_STATE_RENDER_TARGET, true},
        {DIRECT, D3D12_RESOURCE_STATE_ALL_SHADER_RESOURCE, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int after = 0; after < 2; after++) {
            AT_END(close_scene) struct scene s = open_scene(cases[i].type);
            const D3D12_RESOURCE_BARRIER barrier =
                transition(s.texture, 0, after ? 0 : cases[i].state, after ? cases[i].state : 0);
            ID3D12GraphicsCommandList_ResourceBarrier(s.list, 1, &barrier);
            expect(&s,
                   cases[i].is_known ? 0
                                     : D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_COMMAND_LIST_TYPE,
                   false, "a state");
        }
}

/* ---- enhanced barriers ---- */

Test(barrier, is_supported_and_taken_where_it_is_right)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    D3D12_FEATURE_DATA_D3D12_OPTIONS12 options;
    MUST(ID3D12Device_CheckFeatureSupport(s.device, D3D12_FEATURE_D3D12_OPTIONS12, &options,
                                          sizeof options));
    cr_assert(options.EnhancedBarriersSupported);
    const D3D12_GLOBAL_BARRIER global = {D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_SYNC_ALL_SHADING,
                                         D3D12_BARRIER_ACCESS_COPY_DEST,
                                         D3D12_BARRIER_ACCESS_SHADER_RESOURCE};
    const D3D12_BUFFER_BARRIER buffers[2] = {
        {D3D12_BARRIER_SYNC_NONE, D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_ACCESS_NO_ACCESS,
         D3D12_BARRIER_ACCESS_COPY_DEST, s.buffer, 0, 64},
        {D3D12_BARRIER_SYNC_COPY, D3D12_BARRIER_SYNC_NONE, D3D12_BARRIER_ACCESS_COPY_DEST,
         D3D12_BARRIER_ACCESS_NO_ACCESS, s.buffer, 0, UINT64_MAX}};
    D3D12_TEXTURE_BARRIER textures[4];
    for (int i = 0; i < 4; i++)
        textures[i] = (D3D12_TEXTURE_BARRIER){D3D12_BARRIER_SYNC_NONE,
                                              D3D12_BARRIER_SYNC_RENDER_TARGET,
                                              D3D12_BARRIER_ACCESS_NO_ACCESS,
                                              D3D12_BARRIER_ACCESS_RENDER_TARGET,
                                              D3D12_BARRIER_LAYOUT_UNDEFINED,
                                              D3D12_BARRIER_LAYOUT_RENDER_TARGET,
                                              s.texture,
                                              {ALL_PARTS, 0, 0, 0, 0, 0},
                                              D3D12_TEXTURE_BARRIER_FLAG_NONE};
    textures[1].Subresources.IndexOrFirstMipLevel = 5;
    textures[2].Subresources = (D3D12_BARRIER_SUBRESOURCE_RANGE){1, 1, 1, 2, 0, 1};
    textures[3].Flags = D3D12_TEXTURE_BARRIER_FLAG_DISCARD;
    const D3D12_BARRIER_GROUP groups[] = {
        {.Type = D3D12_BARRIER_TYPE_GLOBAL, .NumBarriers = 1, .pGlobalBarriers = &global},
        {.Type = D3D12_BARRIER_TYPE_BUFFER, .NumBarriers = 2, .pBufferBarriers = buffers},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE, .NumBarriers = 4, .pTextureBarriers = textures},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE}};
    ID3D12GraphicsCommandList7_Barrier(s.list7, 4, groups);
    ID3D12GraphicsCommandList7_Barrier(s.list7, 0, NULL);
    expect(&s, 0, false, "all of them");
}

static void barrier(struct scene *s, UINT type, const void *one)
{
    const D3D12_BARRIER_GROUP group = {
        .Type = (D3D12_BARRIER_TYPE)type, .NumBarriers = 1, .pGlobalBarriers = one};
    ID3D12GraphicsCommandList7_Barrier(s->list7, 1, &group);
}

Test(barrier, global_ones_have_syncs_and_accesses_that_belong_together)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    const struct {
        const char *what;
        UINT sync, access;
        int id;
        bool is_fatal;
    } cases[] = {
        {"no such sync", 1u << 30, 0, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_SYNC, true},
        {"no such access", 1, 1u << 30, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_ACCESS, true},
        {"none and some", 1, 1u << 31 | 1, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_ACCESS, true},
        {"an access without sync", 0, 1, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_ACCESS, false},
        {"nothing", 0, 1u << 31, 0, false},
        {"a split one", 1u << 31, 1, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int after = 0; after < 2; after++) {
            D3D12_GLOBAL_BARRIER one = {D3D12_BARRIER_SYNC_ALL, D3D12_BARRIER_SYNC_ALL,
                                        D3D12_BARRIER_ACCESS_COMMON, D3D12_BARRIER_ACCESS_COMMON};
            *(after ? &one.SyncAfter : &one.SyncBefore) = (D3D12_BARRIER_SYNC)cases[i].sync;
            *(after ? &one.AccessAfter : &one.AccessBefore) = (D3D12_BARRIER_ACCESS)cases[i].access;
            barrier(&s, D3D12_BARRIER_TYPE_GLOBAL, &one);
            expect(&s, cases[i].id, cases[i].is_fatal, cases[i].what);
        }
    barrier(&s, 3, &s);
    expect(&s, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_TYPE, true, "no such type");
    barrier(&s, D3D12_BARRIER_TYPE_GLOBAL, NULL);
    expect(&s, D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER, true, "no barriers");
    ID3D12GraphicsCommandList7_Barrier(s.list7, 1, NULL);
    expect(&s, D3D12_MESSAGE_ID_RESOURCE_BARRIER_NULL_POINTER, true, "no groups");
}

Test(barrier, of_a_buffer_is_of_all_of_it)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    const struct {
        const char *what;
        void *resource;
        UINT64 offset, size;
        int id;
    } cases[] = {
        {"nothing", NULL, 0, 64, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE},
        {"something else", s.list, 0, 64, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE},
        {"another device's", s.foreign, 0, 64, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE},
        {"a texture", s.texture, 0, UINT64_MAX,
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_RESOURCE_DIMENSION},
        {"its end", s.buffer, 4, 60, D3D12_MESSAGE_ID_BUFFER_BARRIER_SUBREGION_OUT_OF_BOUNDS},
        {"its beginning", s.buffer, 0, 4, D3D12_MESSAGE_ID_BUFFER_BARRIER_SUBREGION_OUT_OF_BOUNDS},
        {"more", s.buffer, 0, 65, D3D12_MESSAGE_ID_BUFFER_BARRIER_SUBREGION_OUT_OF_BOUNDS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_BUFFER_BARRIER one = {
            .SyncBefore = D3D12_BARRIER_SYNC_ALL,
            .SyncAfter = D3D12_BARRIER_SYNC_ALL,
            .pResource = cases[i].resource,
            .Offset = cases[i].offset,
            .Size = cases[i].size,
        };
        barrier(&s, D3D12_BARRIER_TYPE_BUFFER, &one);
        expect(&s, cases[i].id, true, cases[i].what);
    }
    const D3D12_BUFFER_BARRIER unknown = {(D3D12_BARRIER_SYNC)(1 << 30),
                                          D3D12_BARRIER_SYNC_ALL,
                                          D3D12_BARRIER_ACCESS_COMMON,
                                          D3D12_BARRIER_ACCESS_COMMON,
                                          s.buffer,
                                          0,
                                          64};
    barrier(&s, D3D12_BARRIER_TYPE_BUFFER, &unknown);
    expect(&s, D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_SYNC, true, "no such sync");
}

Test(barrier, of_a_texture_has_layouts_and_subresources)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    const UINT undefined = (UINT)D3D12_BARRIER_LAYOUT_UNDEFINED;
    const int range = D3D12_MESSAGE_ID_TEXTURE_BARRIER_SUBRESOURCES_OUT_OF_BOUNDS;
    const struct {
        const char *what;
        void *resource;
        UINT before, after, flags;
        D3D12_BARRIER_SUBRESOURCE_RANGE range;
        int id;
    } cases[] = {
        /* clang-format off */
        {"nothing", NULL, 0, 0, 0, {0}, D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE},
        {"another device's", s.foreign, 0, 0, 0, {0},
         D3D12_MESSAGE_ID_RESOURCE_BARRIER_INVALID_RESOURCE},
        {"a buffer", s.buffer, 0, 0, 0, {0},
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_RESOURCE_DIMENSION},
        {"no layout before", s.texture, 99, 0, 0, {0}, D3D12_MESSAGE_ID_UNSUPPORTED_BARRIER_LAYOUT},
        {"no layout after", s.texture, 0, 99, 0, {0}, D3D12_MESSAGE_ID_UNSUPPORTED_BARRIER_LAYOUT},
        {"no such flag", s.texture, undefined, 0, 2, {0},
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_VALUES},
        {"what there is discarded", s.texture, 0, 0, 1, {0},
         D3D12_MESSAGE_ID_INCOMPATIBLE_BARRIER_VALUES},
        {"far away", s.texture, 0, 0, 0, {UINT32_MAX - 1, 2, 0, 1, 0, 1}, range},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const D3D12_TEXTURE_BARRIER one = {
            .SyncBefore = D3D12_BARRIER_SYNC_ALL,
            .SyncAfter = D3D12_BARRIER_SYNC_ALL,
            .LayoutBefore = (D3D12_BARRIER_LAYOUT)cases[i].before,
            .LayoutAfter = (D3D12_BARRIER_LAYOUT)cases[i].after,
            .pResource = cases[i].resource,
            .Subresources = cases[i].range,
            .Flags = (D3D12_TEXTURE_BARRIER_FLAGS)cases[i].flags,
        };
        barrier(&s, D3D12_BARRIER_TYPE_TEXTURE, &one);
        expect(&s, cases[i].id, true, cases[i].what);
    }
}

/* Each range of 2 mips, 3 slices and 2 planes, alone and among the others. */
Test(barrier, of_a_texture_reaches_as_far_as_it_has_mips_slices_and_planes)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    static const UINT most[] = {2, 3, 2};
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_TEXTURE2D,
                                      .Width = 8,
                                      .Height = 8,
                                      .DepthOrArraySize = 3,
                                      .MipLevels = 2,
                                      .Format = DXGI_FORMAT_D24_UNORM_S8_UINT,
                                      .SampleDesc = {.Count = 1},
                                      .Flags = D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL};
    OWNED ID3D12Resource *texture =
        MADE(ID3D12Resource, s.device, CreateCommittedResource, &heap, D3D12_HEAP_FLAG_NONE, &desc,
             D3D12_RESOURCE_STATE_COMMON, NULL);
    for (UINT side = 0; side < 3; side++)
        for (UINT first = 0; first < 5; first++)
            for (UINT count = side == 0; count < 5; count++) { /* no mip: an index */
                UINT at[3] = {0}, counts[3] = {1, 1, 1};
                at[side] = first;
                counts[side] = count;
                const D3D12_TEXTURE_BARRIER one = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                                   .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                                   .pResource = texture,
                                                   .Subresources = {at[0], counts[0], at[1],
                                                                    counts[1], at[2], counts[2]}};
                const bool is_right = first + count <= most[side];
                barrier(&s, D3D12_BARRIER_TYPE_TEXTURE, &one);
                expect(&s,
                       is_right ? 0 : D3D12_MESSAGE_ID_TEXTURE_BARRIER_SUBRESOURCES_OUT_OF_BOUNDS,
                       !is_right, "a range");
            }
    for (UINT index = 0; index < 14; index++) {
        const D3D12_TEXTURE_BARRIER one = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                           .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                           .pResource = texture,
                                           .Subresources = {.IndexOrFirstMipLevel = index}};
        barrier(&s, D3D12_BARRIER_TYPE_TEXTURE, &one);
        expect(&s, index < 12 ? 0 : D3D12_MESSAGE_ID_TEXTURE_BARRIER_SUBRESOURCES_OUT_OF_BOUNDS,
               index >= 12, "an index");
    }
}
