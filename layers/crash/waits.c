#include "waits.h"

#include "queue.h"

#include <string.h>

#include <utlist.h>

static const struct crash_fence *find_fence(const struct crash_waits *waits, uint64_t object)
{
    for (unsigned i = 0; i < CRASH_FENCES; i++)
        if (waits->fences[i].object == object)
            return &waits->fences[i];
    return NULL;
}

/* Finds a fence's entry, or replaces the longest unused entry. The lock is held. */
static struct crash_fence *fence_of(struct crash_waits *waits, uint64_t object)
{
    const struct crash_fence *found = find_fence(waits, object);
    struct crash_fence *fence = &waits->fences[found ? found - waits->fences : 0];
    for (unsigned i = 1; !found && i < CRASH_FENCES; i++)
        if (waits->fences[i].used < fence->used)
            fence = &waits->fences[i];
    if (!found)
        *fence = (struct crash_fence){.object = object};
    fence->used = ++waits->used;
    return fence;
}

static struct crash_waiter *queue_of(const struct crash_waits *waits, uint64_t object)
{
    struct crash_waiter *queue = waits->queues;
    while (queue && queue->id != object)
        queue = queue->next;
    return queue;
}

static bool is_done(const struct crash_waits *waits, const struct crash_signal *signal)
{
    const struct crash_waiter *queue = queue_of(waits, signal->queue);
    return signal->behind <= (queue ? crash_queue_done(queue->queue) : 0);
}

/* ---- calls ---- */

void crash_waits_add(struct crash_waits *waits, struct crash_waiter *queue)
{
    pthread_mutex_lock(&waits->lock);
    LL_PREPEND(waits->queues, queue);
    pthread_mutex_unlock(&waits->lock);
}

void crash_waits_remove(struct crash_waits *waits, struct crash_waiter *queue)
{
    pthread_mutex_lock(&waits->lock);
    LL_DELETE(waits->queues, queue);
    pthread_mutex_unlock(&waits->lock);
}

void crash_fence_note(struct crash_waits *waits, uint64_t id, enum crash_fence_note note,
                      uint64_t value)
{
    if (id == 0)
        return;
    pthread_mutex_lock(&waits->lock);
    const bool is_over = note == CRASH_FENCE_AWAITED && value == 0;
    struct crash_fence none, *of = is_over && !find_fence(waits, id) ? &none : fence_of(waits, id);
    switch (note) {
    case CRASH_FENCE_SET: /* what went back may have let a queue go */
        of->flags |= value < of->value || value < of->given ? ANNOT_WAIT_REWOUND : 0u;
        of->flags |= ANNOT_WAIT_CPU;
        of->value = value;
        break;
    case CRASH_FENCE_MADE:
    case CRASH_FENCE_SHARED:
        of->flags = ANNOT_WAIT_KNOWN | (note == CRASH_FENCE_SHARED ? ANNOT_WAIT_SHARED : 0u);
        of->value = value;
        break;
    case CRASH_FENCE_AWAITED:
        of->awaited = value;
        of->awaited_since = crash_clock_now();
        break;
    case CRASH_FENCE_LENT:
        of->flags &= ~(uint32_t)ANNOT_WAIT_KNOWN;
        break;
    }
    pthread_mutex_unlock(&waits->lock);
}

/* Whether the fence goes back: a Signal with a higher value is certainly before this one. */
static bool goes_back(const struct crash_waits *waits, const struct crash_fence *of,
                      const struct crash_signal *signal)
{
    bool does = signal->value < of->value;
    for (unsigned i = 0; i < CRASH_SIGNALS && i < of->signal_count; i++) {
        const struct crash_signal *before = &of->signals[i];
        does |= before->value > signal->value &&
                (before->queue == signal->queue || is_done(waits, before));
    }
    return does;
}

/* The oldest Signal makes room; one that is not done takes knowledge with it. */
static void add_signal(const struct crash_waits *waits, struct crash_fence *of,
                       struct crash_signal signal)
{
    struct crash_signal *to = &of->signals[of->signal_count++ % CRASH_SIGNALS];
    if (of->signal_count > CRASH_SIGNALS && is_done(waits, to))
        of->value = to->value;
    else if (of->signal_count > CRASH_SIGNALS)
        of->flags &= ~(uint32_t)ANNOT_WAIT_KNOWN;
    of->flags |= goes_back(waits, of, &signal) ? ANNOT_WAIT_REWOUND : 0u;
    if (signal.value >= of->given) {
        of->given = signal.value;
        of->giver = signal.queue;
    }
    *to = signal;
}

void crash_call_note(struct crash_waits *waits, struct crash_waiter *queue, bool is_wait,
                     uint64_t id, uint64_t value, uint64_t after, uint64_t behind, uint32_t list)
{
    if (id == 0)
        return;
    pthread_mutex_lock(&waits->lock);
    struct crash_fence *of = fence_of(waits, id);
    if (is_wait)
        queue->waits[queue->count++ % CRASH_WAITS] =
            (struct crash_wait){id, value, after + 1, list, waits->used, crash_clock_now()};
    else
        add_signal(waits, of, (struct crash_signal){queue->id, after, behind, value, waits->used});
    pthread_mutex_unlock(&waits->lock);
}

/* What was never queued has the value 0, which ends no wait. */
void crash_waits_withdraw(struct crash_waits *waits, struct crash_waiter *queue, uint64_t first)
{
    pthread_mutex_lock(&waits->lock);
    for (unsigned i = 0; i < CRASH_WAITS; i++)
        if (queue->waits[i].before >= first)
            queue->waits[i].value = 0;
    for (unsigned i = 0; i < CRASH_FENCES * CRASH_SIGNALS; i++) {
        struct crash_fence *fence = &waits->fences[i / CRASH_SIGNALS];
        struct crash_signal *signal = &fence->signals[i % CRASH_SIGNALS];
        if (signal->queue != queue->id || signal->before < first)
            continue;
        signal->value = 0;
        signal->behind = UINT64_MAX;
        fence->flags &= ~(uint32_t)ANNOT_WAIT_KNOWN;
    }
    pthread_mutex_unlock(&waits->lock);
}

static uint32_t signals_of(const struct crash_fence *fence)
{
    return fence->signal_count < CRASH_SIGNALS ? fence->signal_count : CRASH_SIGNALS;
}

void crash_fence_reached(struct crash_waits *waits, uint64_t id, uint64_t value)
{
    pthread_mutex_lock(&waits->lock);
    const struct crash_fence *fence = find_fence(waits, id);
    for (unsigned i = 0; fence && i < signals_of(fence); i++) {
        struct crash_waiter *queue = queue_of(waits, fence->signals[i].queue);
        if (queue && !queue->queue->has_counter && fence->signals[i].value <= value)
            crash_queue_complete(queue->queue, fence->signals[i].behind);
    }
    pthread_mutex_unlock(&waits->lock);
}

/* ---- the dump ---- */

struct rows {
    const annot_progress *rows;
    uint32_t count;
};

/* Whether work in front of the signal is known to be unfinished, so that the GPU has not
 * signalled. */
static bool is_left(const struct rows *rows, const struct crash_signal *signal)
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

/* Whether the queue still waits, certainly or as far as known; gets the fence's value, and the
 * queues that will signal more. `order`: of the Wait; 0: the CPU waits. */
static bool judge(const struct crash_waits *waits, const struct crash_fence *fence,
                  const struct rows *rows, uint64_t order, annot_wait *out)
{
    const uint32_t unsure = ANNOT_WAIT_SHARED | ANNOT_WAIT_REWOUND;
    unsigned signallers = 0;
    out->reached = fence->value;
    out->flags = fence->flags;
    if ((fence->flags & (ANNOT_WAIT_KNOWN | ANNOT_WAIT_SHARED)) != ANNOT_WAIT_KNOWN)
        out->flags |= ANNOT_WAIT_LEAST;
    out->given = fence->given;
    out->giver = fence->giver;
    out->is_certain = (fence->flags & (ANNOT_WAIT_KNOWN | unsure)) == ANNOT_WAIT_KNOWN;
    if (out->reached >= out->value)
        return false;
    for (uint32_t i = fence->signal_count - signals_of(fence); i != fence->signal_count; i++) {
        const struct crash_signal *signal = &fence->signals[i % CRASH_SIGNALS];
        if (is_done(waits, signal)) {
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
    }
    return out->reached < out->value;
}

static void tell(const struct crash_waits *waits, const struct crash_waiter *queue,
                 const struct rows *rows, struct crash_told *out)
{
    const uint32_t count = queue->count < CRASH_WAITS ? queue->count : CRASH_WAITS;
    annot_wait *told = &out->waits[out->count];
    for (uint32_t i = queue->count - count; i != queue->count; i++) {
        const struct crash_wait *wait = &queue->waits[i % CRASH_WAITS];
        const struct crash_fence *fence = find_fence(waits, wait->fence);
        *told = (annot_wait){.queue = queue->id,
                             .submission = wait->before,
                             .fence = wait->fence,
                             .value = wait->value,
                             .list = wait->list,
                             .waited = crash_clock_now() - wait->since};
        if (wait->before <= crash_queue_done(queue->queue) || !fence ||
            !judge(waits, fence, rows, wait->order, told))
            continue;
        out->orders[out->count++] = wait->order;
        return;
    }
}

/* Whether the queue of the signal waits in front of it, by one of the waits that are left. A wait
 * in a list may not hold signals of the same submission. */
static bool is_behind(const struct crash_told *told, const bool *left,
                      const struct crash_signal *signal)
{
    for (uint32_t i = 0; i < told->count; i++)
        if (left[i] && told->waits[i].queue == signal->queue && signal->order > told->orders[i] &&
            (told->waits[i].list == 0 || signal->before >= told->waits[i].submission))
            return true;
    return false;
}

/* Whether only queues that wait will signal the value. If none has a Signal of exactly this value,
 * the CPU is expected to signal it. */
static bool is_endless(const struct crash_waits *waits, const struct crash_told *told,
                       uint32_t index, const bool *left)
{
    const annot_wait *wait = &told->waits[index];
    const struct crash_fence *fence = find_fence(waits, wait->fence);
    bool is_told = false;
    for (uint32_t i = fence->signal_count - signals_of(fence); i != fence->signal_count; i++) {
        const struct crash_signal *signal = &fence->signals[i % CRASH_SIGNALS];
        if (is_done(waits, signal) || signal->value < wait->value)
            continue;
        if (!is_behind(told, left, signal))
            return false;
        is_told |= signal->value == wait->value;
    }
    return (wait->flags & ~(uint32_t)ANNOT_WAIT_LEAST) == ANNOT_WAIT_KNOWN && is_told;
}

/* Waits that only each other can end are certain, because none of them can be the first to end. */
static void find_circles(const struct crash_waits *waits, struct crash_told *told)
{
    bool left[CRASH_WAITS_TOLD], changes = true;
    memset(left, 1, sizeof left);
    while (changes) {
        changes = false;
        for (uint32_t i = 0; i < told->count; i++)
            if (left[i] && !is_endless(waits, told, i, left)) {
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

void crash_waits_tell(struct crash_waits *waits, const annot_progress *rows, uint32_t row_count,
                      struct crash_told *out)
{
    const struct rows known = {rows, row_count};
    const struct crash_waiter *queue;
    const struct timespec until = crash_deadline(1);
    out->count = 0;
    out->has_circle = false;
    if (pthread_mutex_timedlock(&waits->lock, &until) != 0)
        return; /* a dead or stuck thread has the lock */
    for (queue = waits->queues; queue && out->count < CRASH_WAITS_TOLD; queue = queue->next)
        tell(waits, queue, &known, out);
    for (unsigned i = 0; i < CRASH_FENCES && out->count < CRASH_WAITS_TOLD; i++) {
        const struct crash_fence *fence = &waits->fences[i];
        annot_wait *told = &out->waits[out->count];
        *told = (annot_wait){.fence = fence->object,
                             .value = fence->awaited,
                             .waited = crash_clock_now() - fence->awaited_since};
        out->count += judge(waits, fence, &known, 0, told);
    }
    find_circles(waits, out);
    pthread_mutex_unlock(&waits->lock);
}
