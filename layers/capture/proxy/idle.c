#include "idle.h"
#include "../../intercept/held.h"

#include <stdlib.h>

#include <utlist.h>

struct queue {
    struct queue *next;
    uint64_t number, submitted, done; /* numbers of submissions */
};

struct signal { /* A signal: the queue sets a fence after so many submissions. */
    struct signal *next;
    uint64_t queue, fence, value, submitted;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(lock)
static struct queue *queues;
static struct signal *signals;
static uint64_t busy; /* number of queues with submissions that are not known to be done */

static struct queue *queue_of(uint64_t number)
{
    struct queue *q;
    LL_SEARCH_SCALAR(queues, q, number, number);
    if (q)
        return q;
    q = calloc(1, sizeof *q);
    if (q) {
        q->number = number;
        LL_PREPEND(queues, q);
    }
    return q;
}

void idle_submitted(const struct object *queue)
{
    pthread_mutex_lock(&lock);
    struct queue *q = queue_of(queue->more->number);
    if (q) {
        busy += q->submitted == q->done;
        q->submitted++;
    }
    pthread_mutex_unlock(&lock);
}

void idle_signals(const struct object *queue, const struct object *fence, uint64_t value)
{
    pthread_mutex_lock(&lock);
    struct queue *q = queue_of(queue->more->number);
    struct signal *s = q ? calloc(1, sizeof *s) : NULL;
    if (s) {
        *s = (struct signal){NULL, queue->more->number, fence->more->number, value, q->submitted};
        LL_PREPEND(signals, s);
    }
    pthread_mutex_unlock(&lock);
}

static void finish(struct queue *q, uint64_t submitted)
{
    if (!q || submitted <= q->done)
        return;
    q->done = submitted;
    busy -= q->submitted == q->done;
}

void idle_reached(const struct object *fence, uint64_t value)
{
    struct signal *s, *next;
    pthread_mutex_lock(&lock);
    LL_FOREACH_SAFE(signals, s, next)
    {
        if (s->fence != fence->more->number || s->value > value)
            continue;
        finish(queue_of(s->queue), s->submitted);
        LL_DELETE(signals, s);
        free(s);
    }
    pthread_mutex_unlock(&lock);
}

void idle_reached_all(void)
{
    struct queue *q;
    pthread_mutex_lock(&lock);
    LL_FOREACH(queues, q)
    finish(q, q->submitted);
    pthread_mutex_unlock(&lock);
}

void idle_forget(const struct object *object)
{
    struct queue *q;
    struct signal *s, *next;
    pthread_mutex_lock(&lock);
    LL_SEARCH_SCALAR(queues, q, number, object->more->number);
    if (q) {
        finish(q, q->submitted);
        LL_DELETE(queues, q);
        free(q);
    }
    LL_FOREACH_SAFE(signals, s, next)
    {
        if (s->queue != object->more->number && s->fence != object->more->number)
            continue;
        LL_DELETE(signals, s);
        free(s);
    }
    pthread_mutex_unlock(&lock);
}

bool idle_is(void)
{
    pthread_mutex_lock(&lock);
    const bool is_idle = busy == 0;
    pthread_mutex_unlock(&lock);
    return is_idle;
}
