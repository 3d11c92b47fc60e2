/*
 * What the GPU may still be using. D3D12 leaves it to the application to keep objects alive until the GPU is done with
 * them; applications that don't must not crash the emulator.
 *
 * Every submission takes the next ticket. An object that dies while submissions are under way may be used by any of
 * them, through a list, a root argument or another object: it waits in limbo until every submission with a smaller
 * ticket has retired:
 *
 *     tickets   1 retired   2 under way   3 under way   | object dies: waits for 2 and 3 |   4 ...
 *
 * The GPU's side only retires tickets. Dead objects are destroyed on the application's threads.
 */
#ifndef D3D12_IN_FLIGHT_H
#define D3D12_IN_FLIGHT_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct d3d12_child;

struct in_flight_entry {
    struct in_flight_entry *next;
    const void *queue;
    uint64_t tag; /* the queue has done it when it has completed this */
    uint64_t ticket;
};

struct in_flight {
    pthread_mutex_t lock;
    struct in_flight_entry *first, **last;   /* in ticket order */
    struct d3d12_child *limbo, **limbo_last; /* in order of death */
    uint64_t next_ticket;
};

void in_flight_init(struct in_flight *in_flight);

/* Destroys what is in limbo; no queue is left. */
void in_flight_finish(struct in_flight *in_flight);

/* Notes a submission before the GPU can see it; returns its ticket, 0 when out of memory. */
uint64_t in_flight_add(struct in_flight *in_flight, const void *queue, uint64_t tag);

/* The queue has completed up to `tag`; UINT64_MAX: it is gone. Any thread, the GPU's too. */
void in_flight_retire(struct in_flight *in_flight, const void *queue, uint64_t tag);

/* The submission was refused after all. */
void in_flight_cancel(struct in_flight *in_flight, uint64_t ticket);

bool in_flight_has(struct in_flight *in_flight, uint64_t ticket);

/* Destroys a dead object now or when the GPU is done with it. */
void in_flight_bury(struct in_flight *in_flight, struct d3d12_child *child);

/* Destroys the objects that nothing in flight can be using any more. An application's thread, no lock held. */
void in_flight_sweep(struct in_flight *in_flight);

#endif
