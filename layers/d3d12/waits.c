/* Finds what queues wait for, from the calls alone: fences belong to the program, which may release
 * them at any time. A fence has the value that was stored last, by the CPU or by a Signal that its
 * queue has passed. The fence may have a later value that the layer doesn't know. */
#include "layer.h"

/* Returns the submission in front of a Signal: the queue's last submission; after a Wait the Signal
 * is also behind the next submission. */
static uint64_t front_of(const struct layer_queue *queue)
{
    return queue->serial + queue->has_waited;
}

/* Finds a fence's entry, or replaces the longest unused entry. The lock is held. */
static struct layer_fence *fence_of(struct layer_device *device, uint64_t object)
{
    struct layer_fence *oldest = &device->fences[0];
    for (unsigned i = 0; i < LAYER_FENCES; i++) {
        struct layer_fence *fence = &device->fences[i];
        if (fence->object == object)
            oldest = fence;
        if (oldest->object == object)
            break;
        if (fence->used < oldest->used)
            oldest = fence;
    }
    if (oldest->object != object)
        *oldest = (struct layer_fence){.object = object};
    oldest->used = ++device->fences_used;
    return oldest;
}

static uint64_t id_of(struct object *fence)
{
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    return mirror ? annot_object_id(mirror->object) : 0;
}

/* ---- calls ---- */

void layer_fence_set(struct object *fence, uint64_t value)
{
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (!mirror || !mirror->device)
        return;
    pthread_mutex_lock(&mirror->device->lock);
    struct layer_fence *of = fence_of(mirror->device, annot_object_id(mirror->object));
    of->is_whole &= value >= of->value; /* a store that went back may have released a queue */
    of->value = value;
    pthread_mutex_unlock(&mirror->device->lock);
}

void layer_fence_made(struct object *fence, uint64_t value, bool is_shared)
{
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (!mirror || !mirror->device)
        return;
    pthread_mutex_lock(&mirror->device->lock);
    struct layer_fence *of = fence_of(mirror->device, annot_object_id(mirror->object));
    of->value = value;
    of->is_whole = !is_shared;
    pthread_mutex_unlock(&mirror->device->lock);
}

void layer_queue_signals(struct object *object, struct object *fence, uint64_t value)
{
    struct layer_queue *queue = layer_queue_of(object);
    const uint64_t id = id_of(fence);
    if (!queue || id == 0)
        return;
    pthread_mutex_lock(&queue->lock);
    const uint64_t behind = front_of(queue);
    pthread_mutex_unlock(&queue->lock);
    pthread_mutex_lock(&queue->mirror.device->lock);
    struct layer_fence *of = fence_of(queue->mirror.device, id);
    of->signals[of->signal_count++ % LAYER_SIGNALS] =
        (struct layer_signal){annot_object_id(queue->mirror.object), behind, value};
    pthread_mutex_unlock(&queue->mirror.device->lock);
}

void layer_queue_waits(struct object *object, struct object *fence, uint64_t value)
{
    struct layer_queue *queue = layer_queue_of(object);
    const uint64_t id = id_of(fence);
    if (!queue || id == 0)
        return;
    pthread_mutex_lock(&queue->lock);
    const uint64_t before = queue->serial + 1;
    pthread_mutex_unlock(&queue->lock);
    pthread_mutex_lock(&queue->mirror.device->lock);
    fence_of(queue->mirror.device, id);
    queue->waits[queue->wait_count++ % LAYER_WAITS] = (struct layer_wait){id, value, before};
    pthread_mutex_unlock(&queue->mirror.device->lock);
}

/* ---- the dump ---- */

static uint64_t completed_of(const struct layer_device *device, uint64_t object)
{
    const struct layer_queue *queue = device->queues;
    while (queue && annot_object_id(queue->mirror.object) != object)
        queue = queue->next;
    return queue ? crash_queue_done(&queue->crash) : 0;
}

struct rows {
    const annot_progress *rows;
    uint32_t count;
};

/* Whether work in front of the signal is known to be unfinished, so that the GPU has not
 * signalled. */
static bool is_left(const struct rows *rows, const struct layer_signal *signal)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const annot_progress *row = &rows->rows[i];
        if (row->queue == signal->queue && row->submission <= signal->behind &&
            row->state == ANNOT_PROGRESS_STARTED && row->bundle == 0 &&
            row->list != ANNOT_PROGRESS_QUEUE)
            return true;
    }
    return false;
}

/* Whether the queue still waits, certainly or as far as known. Gets the fence's value, and the
 * queues that will signal a higher value. */
static bool judge(const struct layer_device *device, const struct layer_fence *fence,
                  const struct rows *rows, annot_wait *out)
{
    const uint32_t count =
        fence->signal_count < LAYER_SIGNALS ? fence->signal_count : LAYER_SIGNALS;
    unsigned signallers = 0;
    out->reached = fence->value;
    out->is_certain = fence->is_whole && count == fence->signal_count;
    if (out->reached >= out->value)
        return false;
    for (uint32_t i = fence->signal_count - count; i != fence->signal_count; i++) {
        const struct layer_signal *signal = &fence->signals[i % LAYER_SIGNALS];
        if (signal->behind <= completed_of(device, signal->queue)) {
            out->reached = signal->value;
        } else if (signal->value >= out->value) {
            out->is_certain &= is_left(rows, signal);
            if (signallers < ANNOT_SIGNALLERS_MAX)
                out->signallers[signallers++] = signal->queue;
        }
        if (out->reached >= out->value)
            return false;
    }
    return out->reached < out->value;
}

static bool tell(const struct layer_device *device, const struct layer_queue *queue,
                 const struct rows *rows, annot_wait *out)
{
    const uint32_t count = queue->wait_count < LAYER_WAITS ? queue->wait_count : LAYER_WAITS;
    for (uint32_t i = queue->wait_count - count; i != queue->wait_count; i++) {
        const struct layer_wait *wait = &queue->waits[i % LAYER_WAITS];
        if (wait->before <= crash_queue_done(&queue->crash))
            continue;
        *out = (annot_wait){.queue = annot_object_id(queue->mirror.object),
                            .submission = wait->before,
                            .fence = wait->fence,
                            .value = wait->value};
        for (unsigned k = 0; k < LAYER_FENCES; k++)
            if (device->fences[k].object == wait->fence &&
                judge(device, &device->fences[k], rows, out))
                return true;
    }
    return false;
}

uint32_t layer_waits_tell(const struct layer_device *device, const annot_progress *rows,
                          uint32_t row_count, annot_wait *out, uint32_t capacity)
{
    const struct rows known = {rows, row_count};
    const struct layer_queue *queue;
    uint32_t count = 0;
    for (queue = device->queues; queue && count < capacity; queue = queue->next)
        count += tell(device, queue, &known, &out[count]);
    return count;
}
