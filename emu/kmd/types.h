/*
 * The kernel's state. One lock guards all of it; engines run and callbacks are called without the lock, and `active`
 * counts both, so that a removal can wait until none is running.
 *
 * A queue is: a FIFO of items, an engine, and a turn that at most one thread takes at a time (its
 * worker, or under the seeded order the thread that steps).
 */
#ifndef EMU_KMD_TYPES_H
#define EMU_KMD_TYPES_H

#include "kmd/blob.h"
#include "kmd/kmd.h"

#include "gpu/engine.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum emu_kmd_item_kind {
    EMU_KMD_ITEM_SUBMIT,
    EMU_KMD_ITEM_SIGNAL,
    EMU_KMD_ITEM_WAIT,
    EMU_KMD_ITEM_TILES
} emu_kmd_item_kind;

typedef struct emu_kmd_item {
    emu_kmd_item_kind kind;
    emu_kmd_fence *fence; /* SIGNAL, WAIT: a reference */
    bool seen;            /* WAIT: the value was reached while the queue was waiting */
    uint64_t value;       /* of the fence; SUBMIT: the tag */
    uint64_t address;     /* SUBMIT */
    uint64_t size;        /* SUBMIT: bytes; TILES: how many */
    emu_gpu_tiles *tiles; /* TILES: a copy */
} emu_kmd_item;

struct emu_kmd_queue {
    emu_kmd *kmd;
    emu_kmd_queue *next; /* in order of creation */
    void *user;
    uint32_t index;      /* the n-th queue of the kernel, from 0 */
    emu_kmd_item *items; /* ring */
    size_t first;
    size_t count;
    size_t capacity;
    emu_engine engine;   /* touched by who has the turn, without the lock */
    bool busy;           /* a submission is on the engine */
    bool spinning;       /* ... and made no progress since `spin_since` */
    uint64_t spin_since; /* clock, ns */
    uint64_t tag;        /* of the submission on the engine */
    bool quit;           /* the worker shall end */
    pthread_cond_t wake; /* for the worker: new items, a fence reached, stop */
    pthread_t worker;    /* !seeded */
};

typedef struct emu_kmd_waiter {
    struct emu_kmd_waiter *next;
    uint64_t value;
    void (*reached)(void *user);
    void *user;
} emu_kmd_waiter;

struct emu_kmd_fence {
    emu_kmd *kmd;
    emu_kmd_fence *next;
    emu_kmd_fence *previous;
    uint32_t refs; /* the creator's and one per item */
    uint64_t value;
    emu_kmd_waiter *waiters; /* in order of registration */
};

struct emu_kmd {
    emu_kmd_desc desc;
    pthread_mutex_t lock;
    pthread_mutex_t step_lock; /* seeded: held for a whole step */
    pthread_cond_t idle_cond;  /* `active` or a queue's idleness changed */
    pthread_cond_t stored;     /* a fence has a new value */
    emu_kmd_queue *queues;
    emu_kmd_fence *fences;
    uint32_t queue_serial;
    uint32_t active;
    bool failing;       /* the first error is being handled; nothing new starts */
    bool removed;       /* ... and has been: fences read UINT64_MAX */
    atomic_bool stop;   /* what running engines look at: failing or quitting */
    uint64_t clock;     /* seeded: virtual time, ns */
    uint64_t random;    /* seeded: state of the generator */
    emu_kmd_blob *blob; /* preallocated for blob_queues queues */
    size_t blob_queues;
};

#define EMU_KMD_TIMEOUT_LIMIT_NS ((uint64_t)1 << 60) /* 36 years; more would overflow the clock */

/* All of these with the lock held, unless they say otherwise. The files are listed from the lowest to the highest: each
 * calls only those before it. clock.c is below all of them, instance.c and wait.c above. */

/* callback.c; no lock */
/* Marks this thread as inside a callback, where waiting would wait for itself. */
void emu__kmd_enter_callback(void);
void emu__kmd_leave_callback(void);
bool emu__kmd_in_callback(void);

/* fence.c */
bool emu__kmd_fence_is_reached(const emu_kmd_fence *fence, uint64_t value);
void emu__kmd_fence_retain(emu_kmd_fence *fence);
void emu__kmd_fence_release(emu_kmd_fence *fence);

/* fifo.c */
emu_kmd_item *emu__kmd_queue_head(emu_kmd_queue *queue); /* NULL: empty */
void emu__kmd_queue_pop(emu_kmd_queue *queue);           /* and releases its fence */
bool emu__kmd_queue_can_run(emu_kmd_queue *queue);

/* signal.c */
/* Sets the value, wakes queues and waits, and returns the notifications that are due, for emu__kmd_notify. */
emu_kmd_waiter *emu__kmd_fence_store(emu_kmd_fence *fence, uint64_t value);
/* Calls and frees them. Releases the lock meanwhile. */
void emu__kmd_notify(emu_kmd *kmd, emu_kmd_waiter *due);
/* Both, as work of a queue, which a removal waits for. */
void emu__kmd_signal(emu_kmd *kmd, emu_kmd_fence *fence, uint64_t value);

/* blob_write.c */
bool emu__kmd_blob_reserve(emu_kmd *kmd, size_t queues);
/* Describes all queues; returns the bytes used. `culprit` NULL: no queue's fault. */
size_t emu__kmd_blob_fill(emu_kmd *kmd, const emu_kmd_queue *culprit, emu_kmd_error error);

/* tdr.c */
/* Stops every engine, calls the runtime, and removes the device; only the first call does. `culprit` NULL: no queue's
 * fault. Releases the lock meanwhile. */
void emu__kmd_fail(emu_kmd *kmd, emu_kmd_queue *culprit, emu_kmd_error error);
/* Fails the device when the queue has been spinning for too long. Releases the lock then. */
bool emu__kmd_check_timeout(emu_kmd_queue *queue);

/* scheduler.c */
void *emu__kmd_worker(void *queue);

/* queue.c */
/* Without the lock: ends the worker in the middle of what it does, drops the rest, frees the queue. */
void emu__kmd_queue_abandon(emu_kmd_queue *queue);

/* clock.c; no lock */
uint64_t emu__kmd_now(const emu_kmd *kmd);
bool emu__kmd_cond_init(pthread_cond_t *cond);
/* Waits until woken or until the real clock reads `deadline`. */
void emu__kmd_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline);
uint64_t emu__kmd_random(uint64_t *state); /* splitmix64 */

#endif
