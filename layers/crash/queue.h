/* The progress of a queue: its submissions, and how many of them are complete. */
#pragma once

#include "dump.h"
#include "watchdog.h"

struct crash_queue {
    annot_tracker *tracker;
    annot_context *context;
    _Atomic uint64_t submitted, completed; /* serials of submissions */
    uint64_t alarmed;            /* serial that the watchdog's last alarm stored; 0: no alarm */
    _Atomic uint64_t busy_since; /* when the oldest unfinished work was submitted */
    bool has_counter;            /* the layer's own counter tells what is complete; fences don't */
};

static inline uint64_t crash_queue_submitted(const struct crash_queue *queue)
{
    return atomic_load_explicit(&queue->submitted, memory_order_acquire);
}

static inline uint64_t crash_queue_done(const struct crash_queue *queue)
{
    return atomic_load_explicit(&queue->completed, memory_order_acquire);
}

/* Whether some submissions of the queue may be unfinished. */
static inline bool crash_queue_is_busy(const struct crash_queue *queue)
{
    return crash_queue_done(queue) < crash_queue_submitted(queue);
}

/* Notes a submission when libannot has it, and before the driver gets it. */
void crash_queue_submit(struct crash_queue *queue, uint64_t serial);
/* Notes that the queue has completed all up to submission `serial`. Any thread may call it. */
void crash_queue_complete(struct crash_queue *queue, uint64_t serial);

/* Adds the queue's progress to the watchdog's check. `is_due` says that nothing blocks the queue's
 * oldest work. */
void crash_queue_look(struct crash_queue *queue, bool is_due, struct crash_look *look);
/* Adds to a dump the fact when the queue's oldest unfinished work was submitted. */
void crash_queue_tell(const struct crash_queue *queue, struct crash_dump *dump);
