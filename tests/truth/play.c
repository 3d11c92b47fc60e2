/* Plays a program's queues and the lifetimes of its objects. */
#include "play.h"

#include "memory.h"

#include <annot/dump.h>
#include <string.h>

/* ---- markers ---- */

uint32_t play_marker_name(const struct run *run, const struct op *op)
{
    return run->program->first_name + (uint32_t)(op - run->program->ops) + 1;
}

UINT play_marker_text(char *text, size_t capacity, uint32_t name, const struct op *op)
{
    size_t more = (size_t)(op->value & 15) * 1024;
    program_marker(text, name);
    const size_t length = strlen(text);
    more = more < capacity - MARKER_TEXT_MAX ? more : capacity - MARKER_TEXT_MAX;
    memset(text + length, 0, more + 1);
    return (UINT)(length + 1 + more);
}

/* ---- memory ---- */

void play_fail(struct run *run)
{
    if (run->fails_at != 0)
        memory_fail(run->fails_at, false);
}

void play_fail_no_more(struct run *run)
{
    if (run->fails_at == 0)
        return;
    run->fails_at = memory_work();
    run->outcome->has_failed = run->outcome->has_failed || run->fails_at == 0;
}

bool play_ok(const struct run *run, HRESULT hr, const char *what)
{
    if (SUCCEEDED(hr))
        return true;
    if (run->outcome->is_removed ||
        (hr == E_OUTOFMEMORY && (run->fails_at != 0 || run->outcome->has_failed)))
        return false;
    fprintf(stderr, "%s: 0x%08x\n", what, (unsigned)hr);
    abort();
}

/* ---- queues and fences ---- */

static ID3D12CommandQueue *queue_of(struct run *run, unsigned index)
{
    if (index >= QUEUES)
        return NULL;
    if (run->queues[index] || run->outcome->is_removed)
        return run->queues[index];
    struct queue_truth *truth = &run->truth->queues[index];
    const D3D12_COMMAND_QUEUE_DESC desc = {
        .Type = (D3D12_COMMAND_LIST_TYPE)run->program->queue_types[index]};
    run->queues[index] = MADE(ID3D12CommandQueue, run->gpu.device, CreateCommandQueue, &desc);
    truth->is_made = true;
    truth->is_retained = run->is_retail;
    run->truth->queue_order[run->truth->queue_count++] = index;
    return run->queues[index];
}

static ID3D12Fence *fence_of(struct run *run, unsigned index)
{
    if (index >= FENCES)
        return NULL;
    if (!run->fences[index])
        run->fences[index] =
            MADE(ID3D12Fence, run->gpu.device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
    return run->fences[index];
}

/* ---- what queues are given ---- */

/* Adds what the operation's lists have recorded. */
static void gather(struct run *run, const struct op *op, struct submitted *submitted,
                   ID3D12CommandList **lists)
{
    for (uint32_t i = 0; i < op->b && i < LISTS_AT_ONCE; i++) {
        const uint32_t index = op->value >> 4 * i & 15;
        struct actor *actor = index < LISTS ? &run->actors[index] : NULL;
        if (!actor || !actor->list || actor->type != run->program->queue_types[op->a])
            continue;
        bool is_there = false;
        for (uint32_t k = 0; k < submitted->count; k++)
            is_there = is_there || submitted->recordings[k] == actor->recording;
        if (is_there)
            continue;
        record_close(run, actor);
        if (!actor->allocator)
            continue;
        lists[submitted->count] = (ID3D12CommandList *)actor->list;
        submitted->names[submitted->count] = actor->name;
        submitted->recordings[submitted->count++] = actor->recording;
    }
}

static void play_execute(struct run *run, const struct op *op)
{
    ID3D12CommandQueue *queue = queue_of(run, op->a);
    ID3D12CommandList *lists[LISTS_AT_ONCE];
    struct submitted submitted = {.count = 0};
    if (!queue)
        return;
    gather(run, op, &submitted, lists);
    if (submitted.count == 0)
        return;
    submitted.queue_name = run->queue_names[op->a];
    run->is_lost = false;
    play_fail(run);
    ID3D12CommandQueue_ExecuteCommandLists(queue, submitted.count, lists);
    play_fail_no_more(run);
    submitted.is_null = run->next_is_null && !*run->less_next_is_null;
    if (run->next_is_null)
        *run->less_next_is_null = run->next_is_null = false;
    if (run->is_lost)
        return;
    truth_submission(run->truth, &run->truth->queues[op->a], &submitted);
}

static void play_queue_marker(struct run *run, const struct op *op)
{
    ID3D12CommandQueue *queue = queue_of(run, op->a);
    char text[MARKER_MAX];
    if (!queue)
        return;
    const uint32_t name = op->kind == OP_QUEUE_END ? 0 : play_marker_name(run, op);
    const UINT size = play_marker_text(text, sizeof text, name, op);
    truth_entry(&run->truth->queues[op->a],
                op->kind == OP_QUEUE_BEGIN ? ENTRY_BEGIN
                : op->kind == OP_QUEUE_END ? ENTRY_END
                                           : ENTRY_SET,
                name);
    play_fail(run);
    if (op->kind == OP_QUEUE_BEGIN)
        ID3D12CommandQueue_BeginEvent(queue, 1, text, size);
    else if (op->kind == OP_QUEUE_SET)
        ID3D12CommandQueue_SetMarker(queue, 1, text, size);
    else
        ID3D12CommandQueue_EndEvent(queue);
    play_fail_no_more(run);
}

static void play_fence(struct run *run, const struct op *op)
{
    ID3D12CommandQueue *queue = queue_of(run, op->a);
    ID3D12Fence *fence = fence_of(run, op->b);
    if (!queue || !fence)
        return;
    play_fail(run);
    if (op->kind == OP_SIGNAL)
        PLAY_OK(run, ID3D12CommandQueue_Signal(queue, fence, op->value));
    else
        PLAY_OK(run, ID3D12CommandQueue_Wait(queue, fence, op->value));
    play_fail_no_more(run);
}

/* ---- names and lifetimes ---- */

static void play_name(struct run *run, const struct op *op)
{
    char name[16];
    const bool is_queue = op->kind == OP_QUEUE_NAME;
    void *object = NULL;
    if (is_queue)
        object = queue_of(run, op->a);
    else if (op->a < ACTORS)
        object = run->actors[op->a].list;
    if (!object)
        return;
    snprintf(name, sizeof name, "n%u", op->value);
    play_fail(run);
    const bool is_named = PLAY_OK(run, gpu_name(object, op->value != 0 ? name : NULL));
    play_fail_no_more(run);
    if (is_named && is_queue)
        run->queue_names[op->a] = op->value;
    else if (is_named)
        run->actors[op->a].name = op->value;
}

static void play_reset(struct run *run, const struct op *op)
{
    struct actor *actor = op->a < ACTORS ? &run->actors[op->a] : NULL;
    if (!actor || !actor->allocator || actor->is_recording ||
        !(run->program->witnesses.resets_in_flight || run->outcome->is_removed))
        return;
    PLAY_OK(run, ID3D12CommandAllocator_Reset(actor->allocator));
}

static void play_release(struct run *run, const struct op *op)
{
    struct actor *actor = op->a < ACTORS ? &run->actors[op->a] : NULL;
    if (!actor || !actor->list)
        return;
    record_close(run, actor);
    ID3D12GraphicsCommandList_Release(actor->list);
    for (uint32_t i = 0; op->b && actor->allocator && i < run->allocator_count; i++)
        if (run->allocators[i] == actor->allocator) {
            ID3D12CommandAllocator_Release(actor->allocator);
            run->allocators[i] = NULL;
        }
    actor->list = NULL;
    actor->allocator = NULL;
}

/* ---- all of it ---- */

/* A dump of the device as it is, without a driver's report; its path. */
static void take_dump(const struct run *run, char *to, size_t capacity)
{
    annot_dump_writer *writer = NULL;
    const annot_dump_info info = {.application = "truth"};
    char path[300];
    snprintf(path, sizeof path, "%s.live", run->outcome->path);
    if (annot_dump_writer_create(emu_annot_device(run->gpu.device), &writer) != ANNOT_OK ||
        annot_dump_write_file(writer, &info, path) != ANNOT_OK)
        abort();
    snprintf(to, capacity, "%s", annot_dump_writer_path(writer));
    annot_dump_writer_destroy(writer);
}

void play_late_dump(struct run *run)
{
    take_dump(run, run->outcome->late, sizeof run->outcome->late);
}

static void take_live_dump(struct run *run)
{
    take_dump(run, run->outcome->dump, sizeof run->outcome->dump);
    run->outcome->is_removed = true;
}

void play_stop(struct run *run, enum stop_way way)
{
    ID3D12Device5 *device = NULL;
    /* a live dump has no kernel's word for what was not executed */
    if (way == STOP_LIVE && !run->had_null) {
        take_live_dump(run);
        return;
    }
    if (way != STOP_FORCED_TDR)
        device = AS(ID3D12Device5, run->gpu.device);
    if (run->fails_at != 0) /* a dump is written without memory */
        memory_fail(run->fails_at, true);
    if (device)
        ID3D12Device5_RemoveDevice(device);
    else
        emu_force_tdr(run->gpu.device);
    if (run->fails_at != 0)
        memory_work();
    if (device)
        ID3D12Device5_Release(device);
}

static void play_next_is_null(struct run *run)
{
    if (run->less_next_is_null && run->program->witnesses.has_times)
        *run->less_next_is_null = run->next_is_null = run->had_null = true;
}

/* Whether an operation makes sense when the device has stopped. */
static bool is_for_later(const struct op *op)
{
    switch (op->kind) {
    case OP_CLOSE:
    case OP_QUEUE_BEGIN:
    case OP_QUEUE_END:
    case OP_QUEUE_SET:
    case OP_NAME:
    case OP_QUEUE_NAME:
    case OP_RESET:
    case OP_RELEASE:
        return true;
    default:
        return false;
    }
}

void play_op(struct run *run, const struct op *op)
{
    if (run->outcome->is_removed && !is_for_later(op))
        return;
    switch (op->kind) {
    case OP_CLOSE:
        if (op->a < ACTORS && run->actors[op->a].list)
            record_close(run, &run->actors[op->a]);
        break;
    case OP_EXECUTE:
        play_execute(run, op);
        break;
    case OP_QUEUE_BEGIN:
    case OP_QUEUE_END:
    case OP_QUEUE_SET:
        play_queue_marker(run, op);
        break;
    case OP_SIGNAL:
    case OP_WAIT:
        play_fence(run, op);
        break;
    case OP_STEPS:
        if (op->value == UINT32_MAX)
            emu_run_until_idle(run->gpu.device);
        else
            emu_run_steps(run->gpu.device, op->value);
        break;
    case OP_MODE:
        run->is_retail = op->a != 0;
        gpu_set_mode(&run->gpu, run->is_retail);
        break;
    case OP_NAME:
    case OP_QUEUE_NAME:
        play_name(run, op);
        break;
    case OP_RESET:
        play_reset(run, op);
        break;
    case OP_RELEASE:
        play_release(run, op);
        break;
    case OP_TILES:
        if (queue_of(run, op->a))
            gpu_map_tile(&run->gpu, run->queues[op->a]);
        break;
    case OP_NULL_RENDERING:
        play_next_is_null(run);
        break;
    case OP_FAIL:
        if (!run->program->witnesses.has_threads)
            run->fails_at = op->value;
        break;
    case OP_STOP:
        play_stop(run, (enum stop_way)op->a);
        break;
    default:
        break;
    }
}
