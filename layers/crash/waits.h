/* Finds what queues wait for, from the calls alone: fences belong to the program, which may release
 * them at any time. A fence is one of D3D12, or a timeline semaphore of Vulkan. A fence has the
 * value that was stored last, by the CPU or by a Signal that its queue has passed. The fence may
 * have a later value that the layer doesn't know. */
#pragma once

#include "watchdog.h"

struct crash_queue;

enum { CRASH_FENCES = 64, CRASH_SIGNALS = 8, CRASH_WAITS = 32 };

/* A Signal that the program queued after the submission with serial `before`. It is known to be
 * done once the submission `behind` is, which is the next one if a Wait is in between. */
struct crash_signal {
    uint64_t queue; /* annot_object_id */
    uint64_t before, behind, value;
    uint64_t order; /* this Signal's number among the device's Signals and Waits */
};

struct crash_fence {
    uint64_t object;       /* annot_object_id; 0: none */
    uint64_t used;         /* larger: later */
    uint64_t value;        /* value that the CPU set last, or the initial value */
    uint32_t flags;        /* annot_wait_flags */
    uint64_t given, giver; /* the highest value that a queue was told to signal, and that queue */
    uint64_t awaited, awaited_since;            /* the value that the CPU waits for; 0: none */
    struct crash_signal signals[CRASH_SIGNALS]; /* a ring buffer of the newest signals */
    uint32_t signal_count;
};

/* A Wait before the submission with serial `before`, or in that submission (annot_wait.list). */
struct crash_wait {
    uint64_t fence; /* annot_object_id */
    uint64_t value, before;
    uint32_t list;
    uint64_t order, since; /* `order`: number among Signals and Waits; `since`: time */
};

/* A queue, with the fences that it may wait for. */
struct crash_waiter {
    uint64_t id; /* annot_object_id */
    struct crash_queue *queue;
    struct crash_wait waits[CRASH_WAITS]; /* a ring buffer of the newest waits */
    uint32_t count;
    struct crash_waiter *next;
};

/* The fences and queues of a device. No function of this file calls others with the lock held. */
struct crash_waits {
    pthread_mutex_t lock;
    struct crash_fence fences[CRASH_FENCES];
    uint64_t used;
    struct crash_waiter *queues;
};

/* Adds a queue with its `id` and `queue`, and removes it again before its memory is freed. */
void crash_waits_add(struct crash_waits *waits, struct crash_waiter *queue);
void crash_waits_remove(struct crash_waits *waits, struct crash_waiter *queue);

/* Notes a value of a fence, given by its annot_object_id; 0 is ignored, as in the next functions.
 * The fence was made, or made for others, with the value; the CPU sets it, or waits for it (0: no
 * more); or others than queues and CPU signal the fence. */
enum crash_fence_note {
    CRASH_FENCE_MADE,
    CRASH_FENCE_SHARED,
    CRASH_FENCE_SET,
    CRASH_FENCE_AWAITED,
    CRASH_FENCE_LENT
};
void crash_fence_note(struct crash_waits *waits, uint64_t id, enum crash_fence_note note,
                      uint64_t value);
/* Notes a Wait (see crash_wait) or Signal (see crash_signal) behind the submission `after`.
 * `behind` is a Signal's, `list` a Wait's. */
void crash_call_note(struct crash_waits *waits, struct crash_waiter *queue, bool is_wait,
                     uint64_t id, uint64_t value, uint64_t after, uint64_t behind, uint32_t list);
/* Marks the work before the fence's Signals up to `value` as complete, on queues without a counter.
 */
void crash_fence_reached(struct crash_waits *waits, uint64_t id, uint64_t value);
/* Notes that the driver refused the queue's submissions from `first` on. */
void crash_waits_withdraw(struct crash_waits *waits, struct crash_waiter *queue, uint64_t first);

/* Finds the waits; `rows` tell which work is unfinished. Waits at most a second for the lock. */
void crash_waits_tell(struct crash_waits *waits, const annot_progress *rows, uint32_t row_count,
                      struct crash_told *out);
