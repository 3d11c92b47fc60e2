#include "held.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

enum { MUTEXES_MAX = 16, TRIES = 2000 /* pauses of 50 microseconds */ };

static pthread_mutex_t *mutexes[MUTEXES_MAX];
static size_t count, taken;
static pthread_mutex_t forking = PTHREAD_MUTEX_INITIALIZER; /* only one thread may fork at a time */

void held_add(pthread_mutex_t *mutex)
{
    if (count < MUTEXES_MAX)
        mutexes[count++] = mutex;
}

static void give_back(void)
{
    while (taken > 0)
        pthread_mutex_unlock(mutexes[--taken]);
}

/* Locks all mutexes or none. Other threads may lock two mutexes in any order. */
static bool try_all(void)
{
    while (taken < count && pthread_mutex_trylock(mutexes[taken]) == 0)
        taken++;
    if (taken == count)
        return true;
    give_back();
    return false;
}

void held_take(void)
{
    const struct timespec some = {0, 50000};
    pthread_mutex_lock(&forking);
    for (int i = 0; i < TRIES && !try_all(); i++)
        nanosleep(&some, NULL);
}

void held_give(void)
{
    give_back();
    pthread_mutex_unlock(&forking);
}

void held_renew(void)
{
    taken = 0;
    pthread_mutex_init(&forking, NULL);
    for (size_t i = 0; i < count; i++)
        pthread_mutex_init(mutexes[i], NULL);
}
