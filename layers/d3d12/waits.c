/* Finds what queues wait for, from the calls alone: fences belong to the program, which may release
 * them at any time. A fence has the value that was stored last, by the CPU or by a Signal that its
 * queue has passed. The fence may have a later value that the layer doesn't know. */
#include "layer.h"

#include <string.h>

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

static uint64_t completed_of(const struct layer_device *device, uint64_t object)
{
    const struct layer_queue *queue = device->queues;
    while (queue && annot_object_id(queue->mirror.object) != object)
        queue = queue->next;
    return queue ? crash_queue_done(&queue->crash) : 0;
}

static bool is_done(const struct layer_device *device, const struct layer_signal *signal)
{
    return signal->behind <= completed_of(device, signal->queue);
}

/* ---- calls ---- */

void layer_fence_note(struct object *fence, enum layer_fence_note note, uint64_t value)
{
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (!mirror || !mirror->device)
        return;
    pthread_mutex_lock(&mirror->device->lock);
    struct layer_fence *of = fence_of(mirror->device, annot_object_id(mirror->object));
    switch (note) {
    case LAYER_FENCE_SET: /* what went back may have let a queue go */
        of->flags |= value < of->value || value < of->given ? ANNOT_WAIT_REWOUND : 0u;
        of->flags |= ANNOT_WAIT_CPU;
        of->value = value;
        break;
    case LAYER_FENCE_MADE:
    case LAYER_FENCE_SHARED:
        of->flags = ANNOT_WAIT_KNOWN | (note == LAYER_FENCE_SHARED ? ANNOT_WAIT_SHARED : 0u);
        of->value = value;
        break;
    case LAYER_FENCE_AWAITED:
        of->awaited = value;
        of->awaited_since = crash_clock_now();
        break;
    case LAYER_FENCE_LENT:
        of->flags &= ~(uint32_t)ANNOT_WAIT_KNOWN;
        break;
    }
    pthread_mutex_unlock(&mirror->device->lock);
}

/* The oldest Signal makes room; one that is not done takes knowledge with it. */
static void add_signal(const struct layer_device *device, struct layer_fence *of,
                       struct layer_signal signal)
{
    struct layer_signal *to = &of->signals[of->signal_count++ % LAYER_SIGNALS];
    if (of->signal_count > LAYER_SIGNALS && is_done(device, to))
        of->value = to->value;
    else if (of->signal_count > LAYER_SIGNALS)
        of->flags &= ~(uint32_t)ANNOT_WAIT_KNOWN;
    of->flags |= signal.value < of->given ? ANNOT_WAIT_REWOUND : 0u;
    if (signal.value >= of->given) {
        of->given = signal.value;
        of->giver = signal.queue;
    }
    *to = signal;
}

void layer_queue_told(struct object *object, bool is_wait, struct object *fence, uint64_t value)
{
    struct layer_queue *queue = layer_queue_of(object);
    const struct layer_mirror *mirror = fence ? layer_mirror_for(fence) : NULL;
    if (!queue)
        return;
    struct layer_device *device = queue->mirror.device;
    pthread_mutex_lock(&queue->lock);
    const uint64_t before = queue->serial, behind = before + queue->has_waited;
    if (is_wait && !queue->begun)
        queue->begun = layer_fence_create(device);
    queue->has_waited |= is_wait;
    pthread_mutex_unlock(&queue->lock);
    if (!mirror)
        return;
    const uint64_t id = annot_object_id(mirror->object);
    pthread_mutex_lock(&device->lock);
    struct layer_fence *of = fence_of(device, id);
    if (is_wait)
        queue->waits[queue->wait_count++ % LAYER_WAITS] =
            (struct layer_wait){id, value, before + 1, device->fences_used, crash_clock_now()};
    else
        add_signal(device, of,
                   (struct layer_signal){annot_object_id(queue->mirror.object), before, behind,
                                         value, device->fences_used});
    pthread_mutex_unlock(&device->lock);
}

/* ---- the dump ---- */

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
        if (row->queue == signal->queue && row->submission <= signal->before &&
            row->state == ANNOT_PROGRESS_STARTED && row->bundle == 0 &&
            row->list != ANNOT_PROGRESS_QUEUE)
            return true;
    }
    return false;
}

static uint32_t signals_of(const struct layer_fence *fence)
{
    return fence->signal_count < LAYER_SIGNALS ? fence->signal_count : LAYER_SIGNALS;
}

/* Whether the queue still waits, certainly or as far as known; gets the fence's value, and the
 * queues that will signal more. `order`: of the Wait; 0: the CPU waits. */
static bool judge(const struct layer_device *device, const struct layer_fence *fence,
                  const struct rows *rows, uint64_t order, annot_wait *out)
{
    const uint32_t unsure = ANNOT_WAIT_SHARED | ANNOT_WAIT_REWOUND;
    unsigned signallers = 0;
    out->reached = fence->value;
    out->flags = fence->flags;
    out->given = fence->given;
    out->giver = fence->giver;
    out->is_certain = (fence->flags & (ANNOT_WAIT_KNOWN | unsure)) == ANNOT_WAIT_KNOWN;
    if (out->reached >= out->value)
        return false;
    for (uint32_t i = fence->signal_count - signals_of(fence); i != fence->signal_count; i++) {
        const struct layer_signal *signal = &fence->signals[i % LAYER_SIGNALS];
        if (is_done(device, signal)) {
            if (signal->value > out->reached || fence->flags & ANNOT_WAIT_REWOUND)
                out->reached = signal->value;
        } else if (signal->value >= out->value) {
            if (signal->queue == out->queue && signal->order < order)
                return false; /* it is in front of the Wait */
            out->is_certain &= is_left(rows, signal);
            if (signallers < ANNOT_SIGNALLERS_MAX)
                out->signallers[signallers++] = signal->queue;
        } else if (signal->value > out->reached && !is_left(rows, signal)) {
            out->flags |= ANNOT_WAIT_LEAST;
        }
        if (out->reached >= out->value)
            return false;
    }
    return out->reached < out->value;
}

static const struct layer_fence *find_fence(const struct layer_device *device, uint64_t object)
{
    for (unsigned i = 0; i < LAYER_FENCES; i++)
        if (device->fences[i].object == object)
            return &device->fences[i];
    return NULL;
}

static void tell(const struct layer_device *device, const struct layer_queue *queue,
                 const struct rows *rows, struct layer_told *out)
{
    const uint32_t count = queue->wait_count < LAYER_WAITS ? queue->wait_count : LAYER_WAITS;
    annot_wait *told = &out->waits[out->count];
    for (uint32_t i = queue->wait_count - count; i != queue->wait_count; i++) {
        const struct layer_wait *wait = &queue->waits[i % LAYER_WAITS];
        const struct layer_fence *fence = find_fence(device, wait->fence);
        *told = (annot_wait){.queue = annot_object_id(queue->mirror.object),
                             .submission = wait->before,
                             .fence = wait->fence,
                             .value = wait->value,
                             .waited = crash_clock_now() - wait->since};
        if (wait->before <= crash_queue_done(&queue->crash) || !fence ||
            !judge(device, fence, rows, wait->order, told))
            continue;
        out->orders[out->count++] = wait->order;
        return;
    }
}

/* Whether the queue of the signal waits in front of it, by one of the waits that are left. */
static bool is_behind(const struct layer_told *told, const bool *left,
                      const struct layer_signal *signal)
{
    for (uint32_t i = 0; i < told->count; i++)
        if (left[i] && told->waits[i].queue == signal->queue && signal->order > told->orders[i])
            return true;
    return false;
}

/* Whether only queues that wait will signal the value. If none has a Signal of exactly this value,
 * the CPU is expected to signal it. */
static bool is_endless(const struct layer_device *device, const struct layer_told *told,
                       uint32_t index, const bool *left)
{
    const annot_wait *wait = &told->waits[index];
    const struct layer_fence *fence = find_fence(device, wait->fence);
    bool is_told = false;
    for (uint32_t i = fence->signal_count - signals_of(fence); i != fence->signal_count; i++) {
        const struct layer_signal *signal = &fence->signals[i % LAYER_SIGNALS];
        if (is_done(device, signal) || signal->value < wait->value)
            continue;
        if (!is_behind(told, left, signal))
            return false;
        is_told |= signal->value == wait->value;
    }
    return (wait->flags & ~(uint32_t)ANNOT_WAIT_LEAST) == ANNOT_WAIT_KNOWN && is_told;
}

/* Waits that only each other can end are certain, because none of them can be the first to end. */
static void find_circles(const struct layer_device *device, struct layer_told *told)
{
    bool left[LAYER_WAITS_TOLD], changes = true;
    memset(left, 1, sizeof left);
    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < told->count; i++)
            if (left[i] && !is_endless(device, told, i, left)) {
                left[i] = false;
                changes = true;
            }
    }
    for (uint32_t i = 0; i < told->count; i++) {
        told->waits[i].is_certain |= left[i];
        told->waits[i].flags |= left[i] ? ANNOT_WAIT_ENDLESS : 0u;
        told->has_circle |= left[i];
    }
}

void layer_waits_tell(const struct layer_device *device, const annot_progress *rows,
                      uint32_t row_count, struct layer_told *out)
{
    const struct rows known = {rows, row_count};
    const struct layer_queue *queue;
    out->count = 0;
    out->has_circle = false;
    for (queue = device->queues; queue && out->count < LAYER_WAITS_TOLD; queue = queue->next)
        tell(device, queue, &known, out);
    for (unsigned i = 0; i < LAYER_FENCES && out->count < LAYER_WAITS_TOLD; i++) {
        const struct layer_fence *fence = &device->fences[i];
        annot_wait *told = &out->waits[out->count];
        *told = (annot_wait){.fence = fence->object,
                             .value = fence->awaited,
                             .waited = crash_clock_now() - fence->awaited_since};
        out->count += judge(device, fence, &known, 0, told);
    }
    find_circles(device, out);
}
