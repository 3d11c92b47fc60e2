#include "base/in_flight.h"

#include "device/child.h"

#include <stdlib.h>

void in_flight_init(struct in_flight *in_flight)
{
    pthread_mutex_init(&in_flight->lock, NULL);
    in_flight->first = NULL;
    in_flight->last = &in_flight->first;
    in_flight->limbo = NULL;
    in_flight->limbo_last = &in_flight->limbo;
    in_flight->next_ticket = 1;
}

void in_flight_finish(struct in_flight *in_flight)
{
    while (in_flight->first != NULL)
        in_flight_retire(in_flight, in_flight->first->queue, UINT64_MAX);
    in_flight_sweep(in_flight);
    pthread_mutex_destroy(&in_flight->lock);
}

uint64_t in_flight_add(struct in_flight *in_flight, const void *queue, uint64_t tag)
{
    struct in_flight_entry *entry = malloc(sizeof *entry);
    if (entry == NULL)
        return 0;
    entry->next = NULL;
    entry->queue = queue;
    entry->tag = tag;
    pthread_mutex_lock(&in_flight->lock);
    const uint64_t ticket = in_flight->next_ticket++;
    entry->ticket = ticket;
    *in_flight->last = entry;
    in_flight->last = &entry->next;
    pthread_mutex_unlock(&in_flight->lock);
    return ticket;
}

void in_flight_retire(struct in_flight *in_flight, const void *queue, uint64_t tag)
{
    struct in_flight_entry *retired = NULL;
    pthread_mutex_lock(&in_flight->lock);
    struct in_flight_entry **link = &in_flight->first;
    while (*link != NULL) {
        struct in_flight_entry *entry = *link;
        if (entry->queue == queue && entry->tag <= tag) {
            *link = entry->next;
            entry->next = retired;
            retired = entry;
        } else {
            link = &entry->next;
        }
    }
    in_flight->last = link;
    pthread_mutex_unlock(&in_flight->lock);
    while (retired != NULL) {
        struct in_flight_entry *next = retired->next;
        free(retired);
        retired = next;
    }
}

void in_flight_cancel(struct in_flight *in_flight, uint64_t ticket)
{
    pthread_mutex_lock(&in_flight->lock);
    struct in_flight_entry **link = &in_flight->first;
    while (*link != NULL && (*link)->ticket != ticket)
        link = &(*link)->next;
    struct in_flight_entry *entry = *link;
    if (entry != NULL) {
        *link = entry->next;
        if (entry->next == NULL)
            in_flight->last = link;
    }
    pthread_mutex_unlock(&in_flight->lock);
    free(entry);
}

bool in_flight_has(struct in_flight *in_flight, uint64_t ticket)
{
    bool found = false;
    pthread_mutex_lock(&in_flight->lock);
    for (const struct in_flight_entry *e = in_flight->first; e != NULL && !found; e = e->next)
        found = e->ticket == ticket;
    pthread_mutex_unlock(&in_flight->lock);
    return found;
}

void in_flight_bury(struct in_flight *in_flight, struct d3d12_child *child)
{
    child->next_dead = NULL;
    pthread_mutex_lock(&in_flight->lock);
    child->death = in_flight->next_ticket;
    *in_flight->limbo_last = child;
    in_flight->limbo_last = &child->next_dead;
    pthread_mutex_unlock(&in_flight->lock);
    in_flight_sweep(in_flight);
}

/* The first of those who died before anything that is in flight was submitted; NULL: none. */
static struct d3d12_child *take_free(struct in_flight *in_flight)
{
    pthread_mutex_lock(&in_flight->lock);
    struct d3d12_child *child = in_flight->limbo;
    if (child != NULL && in_flight->first != NULL && in_flight->first->ticket < child->death)
        child = NULL;
    if (child != NULL) {
        in_flight->limbo = child->next_dead;
        if (in_flight->limbo == NULL)
            in_flight->limbo_last = &in_flight->limbo;
    }
    pthread_mutex_unlock(&in_flight->lock);
    return child;
}

void in_flight_sweep(struct in_flight *in_flight)
{
    for (struct d3d12_child *child; (child = take_free(in_flight)) != NULL;)
        d3d12_child_destroy(child);
}
