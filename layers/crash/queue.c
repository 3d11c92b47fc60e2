#include "queue.h"

void crash_queue_submit(struct crash_queue *queue, uint64_t serial)
{
    if (!crash_queue_is_busy(queue))
        atomic_store_explicit(&queue->busy_since, crash_clock_now(), memory_order_relaxed);
    atomic_store_explicit(&queue->submitted, serial, memory_order_release);
}

void crash_queue_complete(struct crash_queue *queue, uint64_t serial)
{
    uint64_t now = atomic_load_explicit(&queue->completed, memory_order_relaxed);
    do {
        if (serial <= now || serial > crash_queue_submitted(queue))
            return; /* older than the known value, or a lost device's value */
    } while (!atomic_compare_exchange_weak_explicit(&queue->completed, &now, serial,
                                                    memory_order_release, memory_order_relaxed));
    annot_tracker_completed(queue->tracker, queue->context, serial);
}

void crash_queue_look(struct crash_queue *queue, bool is_due, struct crash_look *look)
{
    const bool is_at_work = crash_queue_is_busy(queue);
    if (look->marks == CRASH_MARKS_BUSY || (look->marks == CRASH_MARKS_DUE && is_due))
        queue->alarmed = is_at_work ? crash_queue_done(queue) + 1 : 0;
    look->is_alarmed |= queue->alarmed > crash_queue_done(queue);
    look->is_pending |= is_due && is_at_work;
    crash_look_mix(look, crash_queue_done(queue));
}

void crash_queue_tell(const struct crash_queue *queue, struct crash_dump *dump)
{
    const uint64_t since = atomic_load_explicit(&queue->busy_since, memory_order_relaxed);
    if (crash_queue_is_busy(queue) && (dump->since == 0 || since < dump->since))
        dump->since = since;
}
