/*
 * You will see a game's seventh frame hang the GPU in its third shadow cascade, and a dump that
 * shows it:
 *
 *     frame 1 … frame 7
 *     the device was removed: 0x887A0006
 *     695 markers were recorded; the dump of the hang is hang.annotdmp
 *
 *     hang [--seed N] [--out PATH]     --seed: no threads, a virtual clock, and N decides the order
 *
 * Two queues: compute culls lights while graphics draws depth, then shadows and lighting. The depth
 * list is recorded once and submitted in every frame; the bundle of static shadow casters is
 * executed twice in every shadow list.
 */
#define INITGUID
#include "setup.h"

enum { FRAMES = 7, SLOTS = 2, CASCADES = 4, MESHES = 60, CASTERS = 10, LIGHTS = 24, WORDS = 256 };

#define DIRECT  D3D12_COMMAND_LIST_TYPE_DIRECT
#define COMPUTE D3D12_COMMAND_LIST_TYPE_COMPUTE
#define BUNDLE  D3D12_COMMAND_LIST_TYPE_BUNDLE

static const uint32_t blue = PIX_COLOR(80, 160, 240), red = PIX_COLOR(220, 80, 60),
                      green = PIX_COLOR(90, 190, 90), gray = PIX_COLOR(150, 150, 150);

/* The GPU may still work on these while the CPU records the next frame: one of each per slot. */
struct slot {
    ID3D12CommandAllocator *graphics_allocator, *lighting_allocator, *compute_allocator;
    ID3D12GraphicsCommandList *shadow, *lighting, *culling;
};

static struct {
    ID3D12Device *device;
    ID3D12CommandQueue *graphics, *compute;
    ID3D12Fence *frame_done, *lights_culled;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *draw, *broken;
    ID3D12Resource *depth, *shadow_map, *lights;
    ID3D12CommandAllocator *depth_allocator, *bundle_allocator;
    ID3D12GraphicsCommandList *depth_list, *casters;
    struct slot slots[SLOTS];
} game;

static int markers; /* recorded in all */

#define BEGIN(object, ...)                                                                         \
    (void)++markers;                                                                               \
    PIXBeginEvent(object, __VA_ARGS__)
#define MARK(object, ...)                                                                          \
    (void)++markers;                                                                               \
    PIXSetMarker(object, __VA_ARGS__)

static void draw(ID3D12GraphicsCommandList *list, ID3D12Resource *target, UINT what)
{
    dispatch(list, game.signature, game.draw, target, what, WORDS);
}

/* ---- recorded once ---- */

static void record_depth(void)
{
    ID3D12GraphicsCommandList *list = game.depth_list;
    BEGIN(list, gray, "Depth prepass");
    for (UINT i = 0; i < MESHES; i++) {
        MARK(list, gray, "Mesh %u of %u", i + 1, MESHES);
        draw(list, game.depth, i);
    }
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void record_casters(void)
{
    BEGIN(game.casters, gray, "Static casters");
    for (UINT i = 0; i < CASTERS; i++) {
        MARK(game.casters, gray, "Building %c", 'A' + i);
        draw(game.casters, game.shadow_map, i);
    }
    PIXEndEvent(game.casters);
    MUST(ID3D12GraphicsCommandList_Close(game.casters));
}

/* ---- recorded in every frame ---- */

static void begin_list(ID3D12GraphicsCommandList *list, ID3D12CommandAllocator *allocator)
{
    MUST(ID3D12CommandAllocator_Reset(allocator));
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
}

static void record_shadows(struct slot *slot, int frame)
{
    ID3D12GraphicsCommandList *list = slot->shadow;
    begin_list(list, slot->graphics_allocator);
    BEGIN(list, blue, "Shadow pass");
    for (int i = 0; i < CASCADES; i++) {
        BEGIN(list, blue, "Cascade %d", i);
        if (i < 2)
            ID3D12GraphicsCommandList_ExecuteBundle(list, game.casters);
        for (int k = 0; k < CASTERS; k++) {
            MARK(list, gray, "Character \"%s\", %.1f m", k % 2 ? "guard" : "thief", 2.5 * k);
            draw(list, game.shadow_map, (UINT)k);
        }
        if (frame == FRAMES && i == 2) /* the bug */
            dispatch(list, game.signature, game.broken, game.shadow_map, 0, 0);
        PIXEndEvent(list);
    }
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void record_lighting(struct slot *slot)
{
    ID3D12GraphicsCommandList *list = slot->lighting;
    begin_list(list, slot->lighting_allocator);
    BEGIN(list, green, "Lighting");
    for (int i = 0; i < LIGHTS; i++) {
        MARK(list, gray, "Light %d: %d %%", i, 100 - i);
        draw(list, game.lights, (UINT)i);
    }
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

static void record_culling(struct slot *slot)
{
    ID3D12GraphicsCommandList *list = slot->culling;
    begin_list(list, slot->compute_allocator);
    BEGIN(list, green, "Light culling, %d tiles", 16);
    for (int i = 0; i < 16; i++) {
        MARK(list, gray, "Tile (%d, %d)", i % 4, i / 4);
        draw(list, game.lights, (UINT)i);
    }
    PIXEndEvent(list);
    MUST(ID3D12GraphicsCommandList_Close(list));
}

/* FAILED only when the device was removed meanwhile. */
static HRESULT run_frame(int frame)
{
    struct slot *slot = &game.slots[frame % SLOTS];
    const UINT64 value = (UINT64)frame;
    if (frame > SLOTS)
        MUST(ID3D12Fence_SetEventOnCompletion(game.frame_done, value - SLOTS, NULL));
    if (FAILED(ID3D12Device_GetDeviceRemovedReason(game.device)))
        return DXGI_ERROR_DEVICE_REMOVED;
    record_culling(slot);
    record_shadows(slot, frame);
    record_lighting(slot);

    BEGIN(game.compute, green, "Async compute, frame %d", frame);
    execute(game.compute, 1, &slot->culling);
    PIXEndEvent(game.compute);
    HRESULT hr = ID3D12CommandQueue_Signal(game.compute, game.lights_culled, value);

    BEGIN(game.graphics, red, "Frame %d", frame);
    execute(game.graphics, 1, &game.depth_list);
    if (SUCCEEDED(hr))
        hr = ID3D12CommandQueue_Wait(game.graphics, game.lights_culled, value);
    execute(game.graphics, 2, (ID3D12GraphicsCommandList *[]){slot->shadow, slot->lighting});
    PIXEndEvent(game.graphics);
    if (SUCCEEDED(hr))
        hr = ID3D12CommandQueue_Signal(game.graphics, game.frame_done, value);
    return hr;
}

/* ---- set-up ---- */

static ID3D12GraphicsCommandList *make_closed_list(ID3D12CommandAllocator *allocator,
                                                   D3D12_COMMAND_LIST_TYPE type, const WCHAR *name)
{
    ID3D12GraphicsCommandList *list = make_list(game.device, allocator, type, name);
    MUST(ID3D12GraphicsCommandList_Close(list));
    return list;
}

static void set_up(void)
{
    ID3D12Device *device = game.device = make_device();
    game.graphics = make_queue(device, DIRECT, L"Graphics queue");
    game.compute = make_queue(device, COMPUTE, L"Compute queue");
    game.frame_done = make_fence(device);
    game.lights_culled = make_fence(device);
    game.signature = make_root_signature(device);
    game.draw = make_pipeline(device, game.signature, EMU_KERNEL_FILL, L"Draw");
    game.broken = make_pipeline(device, game.signature, EMU_KERNEL_SPIN, L"Cloth simulation");
    game.depth = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4 * WORDS, L"Depth buffer");
    game.shadow_map = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4 * WORDS, L"Shadow map");
    game.lights = make_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4 * WORDS, L"Light grid");
    game.depth_allocator = make_allocator(device, DIRECT);
    game.bundle_allocator = make_allocator(device, BUNDLE);
    game.depth_list = make_list(device, game.depth_allocator, DIRECT, L"Depth list");
    game.casters = make_list(device, game.bundle_allocator, BUNDLE, L"Static casters");
    for (int i = 0; i < SLOTS; i++) {
        struct slot *s = &game.slots[i];
        s->graphics_allocator = make_allocator(device, DIRECT);
        s->lighting_allocator = make_allocator(device, DIRECT);
        s->compute_allocator = make_allocator(device, COMPUTE);
        s->shadow = make_closed_list(s->graphics_allocator, DIRECT, L"Shadow list");
        s->lighting = make_closed_list(s->lighting_allocator, DIRECT, L"Lighting list");
        s->culling = make_closed_list(s->compute_allocator, COMPUTE, L"Culling list");
    }
}

static void tear_down(void)
{
    void *const objects[] = {game.depth_list,       game.casters,    game.depth_allocator,
                             game.bundle_allocator, game.depth,      game.shadow_map,
                             game.lights,           game.draw,       game.broken,
                             game.signature,        game.frame_done, game.lights_culled};
    for (int i = 0; i < SLOTS; i++) {
        const struct slot *s = &game.slots[i];
        void *const own[] = {s->shadow,
                             s->lighting,
                             s->culling,
                             s->graphics_allocator,
                             s->lighting_allocator,
                             s->compute_allocator};
        for (size_t k = 0; k < sizeof own / sizeof own[0]; k++)
            IUnknown_Release((IUnknown *)own[k]);
    }
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        IUnknown_Release((IUnknown *)objects[i]);
    ID3D12CommandQueue_Release(game.graphics);
    ID3D12CommandQueue_Release(game.compute);
    ID3D12Device_Release(game.device);
}

static char written[4096]; /* the dump: a file that was there before is never replaced */

static void on_removed(void *user, annot_device_error error, const char *path)
{
    (void)user, (void)error;
    snprintf(written, sizeof written, "%s", path != NULL ? path : "");
}

int main(int argc, char **argv)
{
    emu_config config = EMU_CONFIG_INIT;
    config.dump_path = "hang.annotdmp";
    config.on_removed = on_removed;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
            config.order = EMU_ORDER_SEEDED;
            config.seed = strtoull(argv[++i], NULL, 0);
        } else if (strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
            config.dump_path = argv[++i];
        } else {
            const bool help = strcmp(argv[i], "--help") == 0;
            fprintf(help ? stdout : stderr, "usage: hang [--seed N] [--out PATH]\n");
            return help ? 0 : 2;
        }
    }
    emu_configure(&config);
    set_up();
    record_depth();
    record_casters();
    for (int frame = 1; frame <= FRAMES && SUCCEEDED(run_frame(frame)); frame++)
        printf("frame %d\n", frame);
    MUST(ID3D12Fence_SetEventOnCompletion(game.frame_done, FRAMES, NULL));
    const HRESULT reason = ID3D12Device_GetDeviceRemovedReason(game.device);
    printf("the device was removed: 0x%08X\n", (unsigned)reason);
    printf("%d markers were recorded; the dump of the hang %s %s\n", markers,
           written[0] ? "is" : "could not be written to", written[0] ? written : config.dump_path);
    tear_down();
    return FAILED(reason) && written[0] ? 0 : 1;
}
