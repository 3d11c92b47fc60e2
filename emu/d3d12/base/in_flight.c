#include "base/in_flight.h"

#include "containers.h"
#include "gate.h"

#include <stdlib.h>

struct in_flight_entry {
    struct in_flight_entry *prev, *next;
    const void *queue;
    uint64_t tag; /* the queue is done with the submission when it has completed this tag */
    uint64_t ticket;
};

void in_flight_init(struct in_flight *in_flight)
{
    *in_flight = (struct in_flight){.next_ticket = 1};
    pthread_mutex_init(&in_flight->lock, NULL);
}

void in_flight_finish(struct in_flight *in_flight)
{
    while (in_flight->entries)
        in_flight_retire(in_flight, in_flight->entries->queue, UINT64_MAX);
    in_flight_sweep(in_flight);
    pthread_mutex_destroy(&in_flight->lock);
}

uint64_t in_flight_add(struct in_flight *in_flight, const void *queue, uint64_t tag)
{
    struct in_flight_entry *entry = malloc(sizeof *entry);
    if (!entry)
        return 0;
    entry->queue = queue;
    entry->tag = tag;
    emu_lock(&in_flight->lock);
    const uint64_t ticket = entry->ticket = in_flight->next_ticket++;
    DL_APPEND(in_flight->entries, entry);
    emu_unlock(&in_flight->lock);
    return ticket;
}

void in_flight_retire(struct in_flight *in_flight, const void *queue, uint64_t tag)
{
    struct in_flight_entry *entry, *next;
    emu_lock(&in_flight->lock);
    DL_FOREACH_SAFE(in_flight->entries, entry, next)
    {
        if (entry->queue == queue && entry->tag <= tag) {
            DL_DELETE(in_flight->entries, entry);
            free(entry);
        }
    }
    emu_unlock(&in_flight->lock);
}

void in_flight_cancel(struct in_flight *in_flight, uint64_t ticket)
{
    struct in_flight_entry *entry;
    emu_lock(&in_flight->lock);
    DL_SEARCH_SCALAR(in_flight->entries, entry, ticket, ticket);
    if (entry)
        DL_DELETE(in_flight->entries, entry);
    emu_unlock(&in_flight->lock);
    free(entry);
}

bool in_flight_has(struct in_flight *in_flight, uint64_t ticket)
{
    const struct in_flight_entry *entry;
    emu_lock(&in_flight->lock);
    DL_SEARCH_SCALAR(in_flight->entries, entry, ticket, ticket);
    emu_unlock(&in_flight->lock);
    return entry != NULL;
}

bool in_flight_has_up_to(struct in_flight *in_flight, uint64_t ticket)
{
    emu_lock(&in_flight->lock);
    const bool found = in_flight->entries != NULL && in_flight->entries->ticket <= ticket;
    emu_unlock(&in_flight->lock);
    return found;
}

void in_flight_defer_destroy(struct in_flight *in_flight, struct deferred_destroy *object)
{
    emu_lock(&in_flight->lock);
    object->ticket = in_flight->next_ticket;
    DL_APPEND(in_flight->pending, object);
    emu_unlock(&in_flight->lock);
    in_flight_sweep(in_flight);
}

/* Takes the first object that died before all submissions in flight; NULL: none. */
static struct deferred_destroy *take_pending(struct in_flight *in_flight)
{
    emu_lock(&in_flight->lock);
    const struct in_flight_entry *oldest = in_flight->entries;
    struct deferred_destroy *object = in_flight->pending;
    if (object && oldest && oldest->ticket < object->ticket)
        object = NULL;
    if (object)
        DL_DELETE(in_flight->pending, object);
    emu_unlock(&in_flight->lock);
    return object;
}

void in_flight_sweep(struct in_flight *in_flight)
{
    for (struct deferred_destroy *object; (object = take_pending(in_flight)) != NULL;)
        object->destroy(object);
}

struct in_flight_usage *in_flight_usage_create(void)
{
    struct in_flight_usage *usage = calloc(1, sizeof *usage);
    if (!usage)
        return NULL;
    atomic_init(&usage->references, 1);
    atomic_init(&usage->resets, 0);
    pthread_mutex_init(&usage->lock, NULL);
    return usage;
}

void in_flight_usage_release(struct in_flight_usage *usage)
{
    if (!usage || atomic_fetch_sub(&usage->references, 1) != 1)
        return;
    pthread_mutex_destroy(&usage->lock);
    free(usage);
}

/* Keeps only each queue's last submission, because a queue completes in order. */
void in_flight_usage_submitted(struct in_flight_usage *usage, const void *queue, uint64_t ticket)
{
    emu_lock(&usage->lock);
    uint64_t *last = &usage->elsewhere;
    for (int i = 0; i < IN_FLIGHT_QUEUES; i++)
        if (usage->last[i].queue == queue || !usage->last[i].queue) {
            usage->last[i].queue = queue;
            last = &usage->last[i].ticket;
            break;
        }
    if (*last < ticket)
        *last = ticket;
    emu_unlock(&usage->lock);
}

/* If too many queues use the object, submissions on other queues count, too. */
bool in_flight_uses(struct in_flight *in_flight, struct in_flight_usage *usage)
{
    emu_lock(&usage->lock);
    bool is_busy = usage->elsewhere != 0 && in_flight_has_up_to(in_flight, usage->elsewhere);
    for (int i = 0; i < IN_FLIGHT_QUEUES && !is_busy; i++)
        is_busy = usage->last[i].ticket != 0 && in_flight_has(in_flight, usage->last[i].ticket);
    emu_unlock(&usage->lock);
    return is_busy;
}
