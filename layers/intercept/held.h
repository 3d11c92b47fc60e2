/* The layer library's mutexes. fork first locks all mutexes. So in the child process each mutex is
 * free, and the data that it guards is whole. */
#pragma once

#include <pthread.h>

/* Registers a file's mutex before the program begins. */
#define HELD_AT_FORK(mutex)                                                                        \
    __attribute__((constructor)) static void hold_##mutex(void)                                    \
    {                                                                                              \
        held_add(&mutex);                                                                          \
    }
void held_add(pthread_mutex_t *mutex);

/* Locks all mutexes. If this fails for 100 ms, the function goes on with some mutexes unlocked. */
void held_take(void);
void held_give(void);
/* Initializes the mutexes again, in a child of fork, which calls this instead of held_give. */
void held_renew(void);
