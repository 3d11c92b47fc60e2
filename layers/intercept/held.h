/* The mutexes of this library. fork locks them first. So in the child process every mutex is free,
 * and the data that it guards is whole. */
#pragma once

#include <pthread.h>

/* Registers a mutex of a file before the program begins. */
#define HELD_AT_FORK(mutex)                                                                        \
    __attribute__((constructor)) static void hold_##mutex(void)                                    \
    {                                                                                              \
        held_add(&mutex);                                                                          \
    }
void held_add(pthread_mutex_t *mutex);

/* Locks all mutexes, but waits at most 100 ms for a mutex, and then goes on without it. */
void held_take(void);
void held_give(void);
/* Initializes the mutexes again. A child of fork calls this function instead of held_give. */
void held_renew(void);
