#include "base/in_flight.h"

#include "containers.h"
#include "gate.h"

#include <stdlib.h>

struct in_flight_entry {
    struct in_flight_entry *prev, *next;
    const void *queue;
    uint64_t tag; /* the queue is done with the submission when it has completed this tag */
    uint64_t ticket;
    size_t count, room; /* of `uses` */
    struct in_flight_usage *uses[];
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

struct in_flight_entry *in_flight_add(struct in_flight *in_flight, const void *queue, uint64_t tag,
                                      size_t uses)
{
    struct in_flight_entry *entry = NULL;
    if (uses <= (SIZE_MAX - sizeof *entry) / sizeof *entry->uses)
        entry = calloc(1, sizeof *entry + uses * sizeof *entry->uses);
    if (!entry)
        return NULL;
    entry->queue = queue;
    entry->tag = tag;
    entry->room = uses;
    emu_lock(&in_flight->lock);
    entry->ticket = in_flight->next_ticket++;
    DL_APPEND(in_flight->entries, entry);
    emu_unlock(&in_flight->lock);
    return entry;
}

void in_flight_use(struct in_flight_entry *entry, struct in_flight_usage *usage)
{
    if (entry->count == entry->room)
        return; /* another thread records the list now, which D3D12 forbids */
    atomic_fetch_add(&usage->references, 1);
    atomic_fetch_add(&usage->submissions, 1);
    entry->uses[entry->count++] = usage;
}

static void end(struct in_flight *in_flight, struct in_flight_entry *entry)
{
    DL_DELETE(in_flight->entries, entry);
    for (size_t i = 0; i < entry->count; i++) {
        atomic_fetch_sub(&entry->uses[i]->submissions, 1);
        in_flight_usage_release(entry->uses[i]);
    }
    free(entry);
}

void in_flight_retire(struct in_flight *in_flight, const void *queue, uint64_t tag)
{
    struct in_flight_entry *entry, *next;
    emu_lock(&in_flight->lock);
    DL_FOREACH_SAFE(in_flight->entries, entry, next)
    {
        if (entry->queue == queue && entry->tag <= tag)
            end(in_flight, entry);
    }
    emu_unlock(&in_flight->lock);
}

void in_flight_cancel(struct in_flight *in_flight, struct in_flight_entry *entry)
{
    emu_lock(&in_flight->lock);
    end(in_flight, entry);
    emu_unlock(&in_flight->lock);
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
    if (usage)
        atomic_init(&usage->references, 1);
    return usage;
}

void in_flight_usage_release(struct in_flight_usage *usage)
{
    if (usage && atomic_fetch_sub(&usage->references, 1) == 1)
        free(usage);
}
