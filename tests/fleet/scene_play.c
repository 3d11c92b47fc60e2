#include "game.h"
#include "scene_tree.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

enum { LISTS_MAX = 16, QUEUES_MAX = 8, FRAMES_MAX = 3 };

/* A shader as one of the emulator's kernels, under a digest of its own. */
struct shader {
    char key[NAME_SIZE + 16];
    ID3D12PipelineState *pipeline;
    UT_hash_handle hh;
};

struct list {
    ID3D12GraphicsCommandList *list;
    ID3D12CommandAllocator *allocator;
    struct list *next;
};

struct player_queue {
    const struct node *node;
    ID3D12CommandQueue *queue;
    ID3D12Fence *done;
};

struct player {
    const struct scene *scene;
    const struct scene_fault *fault;
    struct frame_plan plan;
    bool is_patient, has_waits, reopens_scopes;
    int fault_frame, frame; /* plan.frame is what names say */
    ID3D12Device *device;
    ID3D12RootSignature *root;
    ID3D12Resource *target, *staging, *freed;
    uint64_t bad_address;
    struct player_queue queues[QUEUES_MAX];
    int queue_count;
    struct shader *shaders;
    struct list *garbage; /* until the end */
};

/* ---- objects ---- */

static ID3D12PipelineState *new_pipeline(struct player *player, const char *shader,
                                         emu_kernel kernel, bool is_draw)
{
    unsigned char code[256];
    size_t size;
    ID3D12PipelineState *pipeline = NULL;
    const void *bytes = emu_kernel_bytecode(kernel, &size);
    const XXH128_hash_t digest = XXH3_128bits(shader, strlen(shader));
    memcpy(code, bytes, size);
    memcpy(code + 4, &digest, sizeof digest);
    if (is_draw) {
        const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
            .pRootSignature = player->root,
            .VS = {code, size},
            .SampleMask = UINT32_MAX,
            .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID,
                                .CullMode = D3D12_CULL_MODE_NONE},
            .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
            .SampleDesc = {.Count = 1}};
        MUST(ID3D12Device_CreateGraphicsPipelineState(
            player->device, &desc, &IID_ID3D12PipelineState, (void **)&pipeline));
    } else {
        const D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = player->root,
                                                        .CS = {code, size}};
        MUST(ID3D12Device_CreateComputePipelineState(player->device, &desc,
                                                     &IID_ID3D12PipelineState, (void **)&pipeline));
    }
    game_name((ID3D12Object *)pipeline, shader);
    return pipeline;
}

static ID3D12PipelineState *pipeline_of(struct player *player, const char *shader,
                                        emu_kernel kernel, bool is_draw)
{
    char key[NAME_SIZE + 16];
    struct shader *found;
    snprintf(key, sizeof key, "%d%d%s", (int)kernel, is_draw, shader);
    HASH_FIND_STR(player->shaders, key, found);
    if (!found) {
        found = calloc(1, sizeof *found);
        strcpy(found->key, key);
        found->pipeline = new_pipeline(player, shader, kernel, is_draw);
        HASH_ADD_STR(player->shaders, key, found);
    }
    return found->pipeline;
}

static void open_queues(struct player *player)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {D3D12_COMMAND_LIST_TYPE_DIRECT,
                                                    D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                                    D3D12_COMMAND_LIST_TYPE_COPY};
    const struct node *node = player->fault->program->first;
    for (; node && player->queue_count < QUEUES_MAX; node = node->next) {
        if (node->kind != NODE_QUEUE)
            continue;
        struct player_queue *queue = &player->queues[player->queue_count++];
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = types[node->low]};
        char name[NAME_SIZE];
        queue->node = node;
        queue->done = make_fence(player->device);
        MUST(ID3D12Device_CreateCommandQueue(player->device, &desc, &IID_ID3D12CommandQueue,
                                             (void **)&queue->queue));
        frame_text(&player->plan, node->text, 0, name);
        game_name((ID3D12Object *)queue->queue, name);
    }
}

static struct player_queue *queue_of(struct player *player, const struct node *list)
{
    struct player_queue *queue = player->queues;
    while (strcmp(queue->node->name, list->name) != 0)
        queue++;
    return queue;
}

static void open_objects(struct player *player)
{
    char name[NAME_SIZE];
    player->device = make_device();
    annot_device_set_fact(emu_annot_device(player->device), "version",
                          player->plan.player % 3 ? "1.0.3" : "1.1.0");
    annot_device_set_fact(emu_annot_device(player->device), "application",
                          player->fault->program->name);
    player->root = make_root_signature(player->device);
    player->target = make_unnamed_buffer(player->device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    player->staging = make_unnamed_buffer(player->device, D3D12_HEAP_TYPE_DEFAULT, 65536);
    player->bad_address = 0x7f0000000000u + (unsigned)game_next(&player->plan.random);
    if (player->fault->kind == FAULT_FREED) {
        player->freed =
            make_unnamed_buffer(player->device, D3D12_HEAP_TYPE_DEFAULT, (UINT64)1 << 20);
        player->bad_address = ID3D12Resource_GetGPUVirtualAddress(player->freed) + 64;
        frame_text(&player->plan, player->fault->resource, 0, name);
        game_name((ID3D12Object *)player->freed, name);
    }
    open_queues(player);
}

static void release(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

static void close_objects(struct player *player)
{
    struct shader *shader, *next;
    for (struct list *list; (list = player->garbage);) {
        player->garbage = list->next;
        release(list->list);
        release(list->allocator);
        free(list);
    }
    HASH_ITER(hh, player->shaders, shader, next)
    {
        HASH_DEL(player->shaders, shader);
        release(shader->pipeline);
        free(shader);
    }
    for (int i = 0; i < player->queue_count; i++) {
        release(player->queues[i].done);
        release(player->queues[i].queue);
    }
    release(player->freed);
    release(player->staging);
    release(player->target);
    release(player->root);
    release(player->device);
}

/* ---- a list ---- */

struct recording {
    struct player *player;
    const struct node *list;
    ID3D12GraphicsCommandList *open, *lists[LISTS_MAX];
    int count;
    struct steps scopes; /* that are open */
};

static void begin_list(struct recording *recording)
{
    static const D3D12_COMMAND_LIST_TYPE types[] = {D3D12_COMMAND_LIST_TYPE_DIRECT,
                                                    D3D12_COMMAND_LIST_TYPE_COMPUTE,
                                                    D3D12_COMMAND_LIST_TYPE_COPY};
    struct player *player = recording->player;
    const D3D12_COMMAND_LIST_TYPE type = types[queue_of(player, recording->list)->node->low];
    ID3D12CommandAllocator *allocator = make_allocator(player->device, type);
    char name[NAME_SIZE];
    frame_text(&player->plan, recording->list->text, recording->count, name);
    MUST(ID3D12Device_CreateCommandList(player->device, 0, type, allocator, NULL,
                                        &IID_ID3D12GraphicsCommandList, (void **)&recording->open));
    game_name((ID3D12Object *)recording->open, name);
    struct list *kept = calloc(1, sizeof *kept);
    *kept = (struct list){recording->open, allocator, player->garbage};
    player->garbage = kept;
    recording->lists[recording->count++] = recording->open;
}

/* The program goes on in another list: its scopes stay open, or each list opens them anew. */
static void cut_list(struct recording *recording)
{
    const bool reopens = recording->player->reopens_scopes;
    const int depth = recording->scopes.count;
    for (int i = 0; reopens && i < depth; i++)
        PIXEndEvent(recording->open);
    MUST(ID3D12GraphicsCommandList_Close(recording->open));
    begin_list(recording);
    for (int i = 0; reopens && i < depth; i++)
        PIXBeginEvent(recording->open, 0, "%s", recording->scopes.all[i].text);
}

static void set_roots(struct player *player, ID3D12GraphicsCommandList *list, bool is_draw,
                      uint64_t value)
{
    const UINT constants[2] = {(UINT)value, (UINT)(value >> 32)};
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(player->target);
    if (is_draw) {
        ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, player->root);
        ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list, 0, address);
        ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list, 2, 2, constants, 0);
        ID3D12GraphicsCommandList_IASetPrimitiveTopology(
            list, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    } else {
        ID3D12GraphicsCommandList_SetComputeRootSignature(list, player->root);
        ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(list, 0, address);
        ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    }
}

static void record_work(struct recording *recording, const struct step *step, bool is_bad)
{
    struct player *player = recording->player;
    ID3D12GraphicsCommandList *list = recording->open;
    const bool is_draw = step->kind == NODE_DRAW;
    const emu_kernel kernel = !is_bad                             ? EMU_KERNEL_FILL
                              : player->fault->kind == FAULT_HANG ? EMU_KERNEL_SPIN
                                                                  : EMU_KERNEL_TOUCH;
    if (step->kind == NODE_COPY) {
        ID3D12GraphicsCommandList_CopyBufferRegion(list, player->target, 0, player->staging, 0,
                                                   4096);
        return;
    }
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline_of(player, step->node->text, kernel,
                                                                 is_draw));
    set_roots(player, list, is_draw,
              kernel == EMU_KERNEL_TOUCH ? player->bad_address : 7 | (uint64_t)8 << 32);
    if (is_draw)
        ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
    else
        ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

static void record_step(struct recording *recording, const struct step *step, bool is_bad)
{
    switch (step->kind) {
    case NODE_SCOPE:
        PIXBeginEvent(recording->open, 0, "%s", step->text);
        steps_add(&recording->scopes, step);
        break;
    case NODE_LIST:
        PIXEndEvent(recording->open);
        recording->scopes.count--;
        break;
    case NODE_MARKER:
        PIXSetMarker(recording->open, 0, "%s", step->text);
        break;
    default:
        record_work(recording, step, is_bad);
    }
}

/* Returns the place, of those where the fault may be, that has it; -1: none has. */
static int bad_step(struct player *player, const struct steps *steps)
{
    int count = 0, at = -1;
    if (player->frame != player->fault_frame)
        return -1;
    for (int i = 0; i < steps->count; i++)
        count += frame_has_fault(&player->plan, steps->all[i].node);
    count = count > 0 ? game_below(&player->plan.random, count) : -1;
    for (int i = 0; count >= 0 && i < steps->count; i++)
        if (frame_has_fault(&player->plan, steps->all[i].node) && count-- == 0)
            at = i;
    return at;
}

static void record_list(struct recording *recording, const struct steps *steps)
{
    struct player *player = recording->player;
    const bool is_graphics = queue_of(player, recording->list)->node->low == 0;
    const int bad = bad_step(player, steps), cuts = game_below(&player->plan.random, 4);
    const int count = steps->count;
    begin_list(recording);
    for (int i = 0; i < count; i++) {
        if (is_graphics && recording->count <= cuts &&
            game_below(&player->plan.random, count) < 2 * cuts)
            cut_list(recording);
        record_step(recording, &steps->all[i], i == bad);
    }
    MUST(ID3D12GraphicsCommandList_Close(recording->open));
    free(recording->scopes.all);
}

/* ---- a frame ---- */

/* Until the fault is in it, if it belongs here: a part of what varies may leave it out. */
static void expand_list(struct player *player, const struct node *list, struct steps *steps)
{
    const bool is_bad = frame_holds_fault(&player->plan, list);
    for (int tries = 0; tries < 1000; tries++) {
        steps->count = 0;
        frame_expand(&player->plan, list, steps);
        for (int i = 0; i < steps->count; i++)
            if (frame_has_fault(&player->plan, steps->all[i].node))
                return;
        if (!is_bad)
            return;
    }
    fprintf(stderr, "no frame has the fault %s\n", player->fault->name);
    exit(2);
}

static void submit(struct player *player, const struct recording *recording)
{
    struct player_queue *queue = queue_of(player, recording->list);
    for (int i = 0; i < recording->count;) {
        int count = 1 + game_below(&player->plan.random, 3);
        count = count > recording->count - i ? recording->count - i : count;
        ID3D12CommandQueue_ExecuteCommandLists(queue->queue, (UINT)count,
                                               (ID3D12CommandList **)(void *)&recording->lists[i]);
        i += count;
    }
    ID3D12CommandQueue_Signal(queue->queue, queue->done, (UINT64)player->frame);
}

static void run_list(struct player *player, const struct node *list)
{
    struct recording recording = {.player = player, .list = list};
    struct steps steps = {NULL, 0, 0};
    expand_list(player, list, &steps);
    record_list(&recording, &steps);
    submit(player, &recording);
    free(steps.all);
}

static void wait_for(struct player *player)
{
    for (int i = 0; i < player->queue_count; i++)
        ID3D12Fence_SetEventOnCompletion(player->queues[i].done, (UINT64)player->frame, NULL);
}

/* The queue with the fault comes last: seeded order gives the other ones only some steps until the
 * timeout of a hang, where a GPU has two seconds for them. */
static void run_frame(struct player *player)
{
    const struct node *program = player->fault->program, *bad = program->first;
    while (bad->kind != NODE_LIST || !frame_holds_fault(&player->plan, bad))
        bad = bad->next;
    for (int round = 0; round < 2; round++) {
        if (round == 1 && player->is_patient)
            emu_run_steps(player->device, 1 << 20);
        for (const struct node *list = program->first; list; list = list->next) {
            if (list->kind != NODE_LIST || (strcmp(list->name, bad->name) == 0) != (round == 1))
                continue;
            struct player_queue *queue = queue_of(player, list);
            for (int i = 0; round == 1 && player->has_waits && i < player->queue_count; i++)
                if (&player->queues[i] != queue && queue->node->low == 0 &&
                    player->queues[i].node->low == 1)
                    ID3D12CommandQueue_Wait(queue->queue, player->queues[i].done,
                                            (UINT64)player->frame - 1);
            run_list(player, list);
        }
    }
    wait_for(player);
}

/* ---- a run ---- */

static bool removed;

static void on_removed(void *user, annot_device_error error, const char *path)
{
    (void)user, (void)error;
    removed = path != NULL;
}

bool scene_play(const struct scene *scene, size_t fault, const struct corpus_run *run,
                const char *path)
{
    struct player player = {.scene = scene, .fault = &scene->faults[fault]};
    uint64_t random = run->seed * 1000003 + fault;
    emu_config config = EMU_CONFIG_INIT;
    player.plan = (struct frame_plan){.scene = scene,
                                      .fault = player.fault,
                                      .player = game_next(&random),
                                      .random = game_next(&random)};
    player.fault_frame = 1 + game_below(&random, FRAMES_MAX);
    player.is_patient = game_below(&random, player.fault->kind == FAULT_HANG ? 8 : 2) != 0;
    player.has_waits = game_below(&random, 4) != 0;
    player.reopens_scopes = XXH3_64bits(player.fault->program->name, 4) % 2;
    config.order = EMU_ORDER_SEEDED;
    config.driver = corpus_driver(run->seed);
    config.seed = game_next(&random) << 5;
    config.dump_path = path;
    config.on_removed = on_removed;
    emu_configure(&config);
    corpus_set_dred(run->breadcrumbs);
    removed = false;
    open_objects(&player);
    const int offset = game_below(&random, 100000);
    for (int frame = 1; frame <= player.fault_frame; frame++) {
        player.frame = frame;
        player.plan.frame = offset + frame;
        if (frame == player.fault_frame && player.freed) {
            ID3D12Resource_Release(player.freed);
            player.freed = NULL;
        }
        run_frame(&player);
    }
    close_objects(&player);
    return removed;
}
