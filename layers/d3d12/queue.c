/* Submissions. Each ExecuteCommandLists is one submission for libannot. After each submission, a
 * fence of the layer gets the submission's serial. If the submission comes after a Wait, another
 * fence gets the serial in front of it, because the Wait may take very long. */
#include "layer.h"

#include <stdlib.h>

#include <utlist.h>

static D3D12_COMMAND_LIST_TYPE type_of(ID3D12CommandQueue *queue)
{
#ifdef INTERCEPT_STRUCTS_BY_POINTER
    D3D12_COMMAND_QUEUE_DESC desc;
    queue->lpVtbl->GetDesc(queue, &desc);
    return desc.Type;
#else
    return queue->lpVtbl->GetDesc(queue).Type;
#endif
}

ID3D12Fence *layer_fence_create(struct layer_device *device)
{
    void *fence = NULL;
    if (device->real->lpVtbl->CreateFence(device->real, 0, D3D12_FENCE_FLAG_NONE,
                                          iid_of(TYPE_ID3D12Fence), &fence) < 0)
        return NULL;
    layer_device_hold(device);
    return fence;
}

static void batch_free(const struct layer_batch *batch)
{
    free(batch->contexts);
    free(batch->prologues);
    free(batch->places);
    free(batch->ours);
    free(batch->lists);
}

static void finish(struct layer_mirror *mirror)
{
    struct layer_queue *queue = (struct layer_queue *)(void *)mirror;
    struct layer_device *device = mirror->device;
    pthread_mutex_lock(&device->lock);
    LL_DELETE(device->queues, queue);
    pthread_mutex_unlock(&device->lock);
    crash_waits_remove(&device->crash.waits, &queue->waiter);
    annot_context_destroy(queue->crash.context);
    layer_release(device, queue->done);
    layer_release(device, queue->begun);
    layer_seams_finish(queue);
    batch_free(&queue->batch);
    pthread_mutex_destroy(&queue->lock);
    queue->crash.context = NULL;
    queue->done = queue->begun = NULL;
}

static const struct layer_class queues = {LAYER_QUEUE, sizeof(struct layer_queue), finish};

static struct layer_mirror *create(struct layer_device *device, const struct object *object)
{
    struct layer_queue *queue = layer_mirror_create(device, &queues, D3D12DDI_HT_COMMAND_QUEUE,
                                                    (uint32_t)type_of(object->real));
    if (!queue)
        return NULL;
    queue->type = type_of(object->real);
    queue->real = object->real;
    queue->crash.tracker = device->crash.tracker;
    queue->waiter.id = annot_object_id(queue->mirror.object);
    queue->waiter.queue = &queue->crash;
    pthread_mutex_init(&queue->lock, NULL);
    annot_context_create(queue->mirror.object, &queue->crash.context);
    queue->done = layer_fence_create(device);
    queue->tells_begun = device->evidence == LAYER_EVIDENCE_FENCE;
    if (queue->tells_begun)
        queue->begun = layer_fence_create(device);
    pthread_mutex_lock(&device->lock);
    LL_PREPEND(device->queues, queue);
    pthread_mutex_unlock(&device->lock);
    crash_waits_add(&device->crash.waits, &queue->waiter);
    return &queue->mirror;
}

struct layer_queue *layer_queue_of(struct object *object)
{
    return (struct layer_queue *)(void *)layer_mirror_need(object, LAYER_QUEUE, create);
}

/* ---- completion ---- */

/* On a removed device every fence has this value, which tells nothing about work. */
#define REMOVED UINT64_MAX

static bool poll(struct layer_queue *queue)
{
    const uint64_t value =
        queue->done ? queue->done->lpVtbl->GetCompletedValue(queue->done) : (uint64_t)0;
    if (value == REMOVED)
        return false;
    crash_queue_complete(&queue->crash, value);
    return true;
}

enum layer_reached layer_queue_reached(const struct layer_queue *queue, uint64_t serial)
{
    const uint64_t begun = queue->begun ? queue->begun->lpVtbl->GetCompletedValue(queue->begun) : 0;
    if (begun == REMOVED)
        return LAYER_REACHED_UNKNOWN;
    if (begun >= serial)
        return LAYER_REACHED;
    const uint64_t waited = atomic_load_explicit(&queue->waited, memory_order_relaxed);
    return queue->tells_begun || serial == waited ? LAYER_NOT_REACHED : LAYER_REACHED_UNKNOWN;
}

bool layer_device_poll(struct layer_device *device)
{
    struct layer_queue *queue;
    bool is_there = true;
    pthread_mutex_lock(&device->lock);
    LL_FOREACH(device->queues, queue)
    is_there &= poll(queue);
    pthread_mutex_unlock(&device->lock);
    return is_there;
}

/* ---- submissions ---- */

static bool batch_make_room(struct layer_batch *batch, uint32_t count)
{
    if (count <= batch->capacity)
        return true;
    if (count > UINT32_MAX / 4)
        return false;
    const struct layer_batch larger = {
        .contexts = malloc(count * sizeof *larger.contexts),
        .prologues = malloc(count * sizeof *larger.prologues),
        .places = malloc(count * sizeof *larger.places),
        .ours = malloc(count * sizeof *larger.ours),
        .lists = malloc((size_t)count * 2 * sizeof *larger.lists),
        .capacity = count,
    };
    const bool is_whole =
        larger.contexts && larger.prologues && larger.places && larger.ours && larger.lists;
    batch_free(is_whole ? batch : &larger);
    if (is_whole)
        *batch = larger;
    return is_whole;
}

/* Makes the layer's lists for the prologues. False: a list can't be made. */
static bool make_ours(struct layer_queue *queue)
{
    struct layer_batch *batch = &queue->batch;
    for (uint32_t i = 0; i < batch->count; i++) {
        const annot_prologue *prologue =
            batch->places[i] == UINT32_MAX ? NULL : &batch->prologues[batch->places[i]];
        batch->ours[i] = NULL;
        if (!prologue || prologue->entered == ANNOT_WORDS_NONE)
            continue;
        batch->ours[i] = layer_seam_record(queue, queue->serial, prologue);
        if (!batch->ours[i])
            return false;
        batch->has_ours = true;
    }
    return true;
}

/* Submits. Executions that can't be distinguished are unknown. */
static void submit(struct layer_queue *queue, uint32_t known, bool may_be_parted)
{
    struct layer_batch *batch = &queue->batch;
    annot_tracker *tracker = queue->mirror.device->crash.tracker;
    batch->has_ours = false;
    if (may_be_parted) {
        queue->serial = annot_tracker_submit_apart(tracker, queue->crash.context, batch->contexts,
                                                   known, batch->prologues);
        if (make_ours(queue))
            return;
        batch->has_ours = false;
        annot_tracker_withdraw(tracker, queue->crash.context, queue->serial);
    }
    queue->serial =
        annot_tracker_submit(tracker, queue->crash.context, batch->contexts, known, NULL);
}

static void note_submission(struct layer_queue *queue, uint32_t count, const uint64_t *lists)
{
    struct layer_batch *batch = &queue->batch;
    uint32_t known = 0;
    bool may_be_parted = true; /* whether lists of the layer may be in between */
    batch->count = batch_make_room(batch, count) ? count : 0;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct object *object = object_at((void *)(uintptr_t)lists[i]);
        struct layer_list *list = object ? layer_list_of(object) : NULL;
        batch->places[i] = list ? known : UINT32_MAX;
        if (!list)
            continue;
        batch->contexts[known++] = list->stream.outer;
        for (const struct crash_wait *of = list->fences; of < list->fences + list->fence_count;
             of++)
            crash_call_note(&queue->mirror.device->crash.waits, &queue->waiter, of->list > 0,
                            of->fence, of->value, queue->serial, queue->serial + 1, known);
        atomic_store_explicit(&list->is_submitted, true, memory_order_relaxed);
        if (list->straddles)
            may_be_parted = false;
    }
    submit(queue, known, may_be_parted);
}

/* Locks the queue until layer_queue_submitted, so that serials have the runtime's order. */
void layer_queue_submit(struct object *object, uint32_t count, const uint64_t *lists)
{
    struct layer_queue *queue = layer_queue_of(object);
    if (!queue)
        return;
    /* before the device can be removed, because then the fences tell nothing */
    layer_device_poll(queue->mirror.device);
    pthread_mutex_lock(&queue->lock);
    note_submission(queue, lists ? count : 0, lists);
    if (queue->has_waited && queue->begun)
        atomic_store_explicit(&queue->waited, queue->serial, memory_order_relaxed);
    if ((queue->has_waited || queue->tells_begun) && queue->begun)
        queue->real->lpVtbl->Signal(queue->real, queue->begun, queue->serial);
    queue->has_waited = false;
    crash_queue_submit(&queue->crash, queue->serial);
}

void layer_queue_pass(struct object *object, uint64_t *args)
{
    struct layer_queue *queue = layer_queue_of(object);
    ID3D12CommandList *const *lists = (ID3D12CommandList *const *)(uintptr_t)args[1];
    uint32_t out = 0;
    if (!queue || !queue->batch.has_ours || (uint32_t)args[0] != queue->batch.count)
        return;
    for (uint32_t i = 0; i < queue->batch.count; i++) {
        if (queue->batch.ours[i])
            queue->batch.lists[out++] = queue->batch.ours[i];
        queue->batch.lists[out++] = lists[i];
    }
    args[0] = out;
    args[1] = (uintptr_t)(void *)queue->batch.lists;
}

uint32_t layer_queue_submitted(struct object *object)
{
    struct layer_queue *queue = layer_queue_of(object);
    HRESULT result = S_OK;
    if (!queue)
        return S_OK;
    if (queue->done)
        result = queue->real->lpVtbl->Signal(queue->real, queue->done, queue->serial);
    pthread_mutex_unlock(&queue->lock);
    return (uint32_t)result;
}

/* ---- markers of the queue itself ---- */

void layer_queue_marker(struct object *object, bool is_scope, const uint64_t *args)
{
    const struct layer_queue *queue = layer_queue_of(object);
    if (!queue)
        return;
    crash_counts_add(&queue->mirror.device->crash.counts, is_scope, 0, !is_scope);
    (is_scope ? annot_context_begin_event
              : annot_context_set_marker)(queue->crash.context, (uint32_t)args[0],
                                          (const void *)(uintptr_t)args[1], (uint32_t)args[2]);
}

void layer_queue_end(struct object *object)
{
    const struct layer_queue *queue = layer_queue_of(object);
    if (!queue)
        return;
    crash_counts_add(&queue->mirror.device->crash.counts, 0, 1, 0);
    annot_context_end_event(queue->crash.context);
}
