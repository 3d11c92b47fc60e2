/* Keeps a list of the submissions in flight, and of the objects whose destruction waits for them.
 * In D3D12 the application must keep objects alive until the GPU is done with them. If an
 * application doesn't, the emulator must not crash.
 *
 * Every submission takes the next ticket. An object may die while submissions in flight use the
 * object, through a list, a root argument or another object. Its destruction waits until every
 * submission with a smaller ticket has retired:
 *
 *     tickets   1 retired   2 in flight   3 in flight   | object dies: waits for 2 and 3 |   4 ...
 *
 * The GPU's side only retires tickets. Dead objects are destroyed on the application's threads. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct in_flight_entry;

/* The part of an object that in_flight_defer_destroy needs. */
struct deferred_destroy {
    struct deferred_destroy *prev, *next;
    void (*destroy)(struct deferred_destroy *self);
    uint64_t ticket; /* submissions with a smaller ticket can still use the object */
};

struct in_flight {
    pthread_mutex_t lock;
    struct in_flight_entry *entries;  /* the submissions in flight, ordered by ticket */
    struct deferred_destroy *pending; /* the dead objects, in the order in which they died */
    uint64_t next_ticket;
};

void in_flight_init(struct in_flight *in_flight);

/* Destroys all pending objects. Call this function when no queue exists any more. */
void in_flight_finish(struct in_flight *in_flight);

/* How many submissions in flight use an allocator or a pipeline. The object, its lists and their
 * submissions share this struct, because any of them may be destroyed first. */
struct in_flight_usage {
    atomic_uint references, resets, submissions;
};

/* NULL: out of memory. */
struct in_flight_usage *in_flight_usage_create(void);
void in_flight_usage_release(struct in_flight_usage *usage);

/* Adds a submission before the GPU can see it, with room for `uses` calls of in_flight_use. NULL:
 * out of memory. */
struct in_flight_entry *in_flight_add(struct in_flight *in_flight, const void *queue, uint64_t tag,
                                      size_t uses);
/* Notes that the submission uses an object. Call it before the GPU can see the submission. */
void in_flight_use(struct in_flight_entry *entry, struct in_flight_usage *usage);

/* Notes that the queue has completed everything up to `tag`; UINT64_MAX means that the queue is
 * gone. Any thread may call the function, even the GPU's. */
void in_flight_retire(struct in_flight *in_flight, const void *queue, uint64_t tag);

/* Cancels a submission, because the kernel or the driver refused it. */
void in_flight_cancel(struct in_flight *in_flight, struct in_flight_entry *entry);

/* Calls `object->destroy` now, or as soon as the GPU no longer needs the object. */
void in_flight_defer_destroy(struct in_flight *in_flight, struct deferred_destroy *object);

/* Destroys the pending objects that no submission in flight can use. Call this function on an
 * application's thread, without a lock. */
void in_flight_sweep(struct in_flight *in_flight);
