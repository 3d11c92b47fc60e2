/* The mutexes of this library. fork locks them first. So in the child no other thread holds a
 * mutex, and the guarded data is whole. */
#pragma once

#include <pthread.h>

/* Registers a mutex of a file before the program begins. */
#define HELD_AT_FORK(mutex)                                                                        \
    __attribute__((constructor)) static void hold_##mutex(void)                                    \
    {                                                                                              \
        held_add(&mutex);                                                                          \
    }
void held_add(pthread_mutex_t *mutex);

/* Locks all mutexes, except those that it can't lock within 100 ms. */
void held_take(void);
void held_give(void);
/* Initializes the mutexes again. A child of fork calls this function instead of held_give. */
void held_renew(void);
