/* Mutexes of a library between a program and a D3D12 library, which fork holds: in the child none
 * is locked, and what they guard is whole. */
#pragma once

#include <pthread.h>

/* For a mutex of a file; before the program begins. */
#define HELD_AT_FORK(mutex)                                                                        \
    __attribute__((constructor)) static void hold_##mutex(void)                                    \
    {                                                                                              \
        held_add(&mutex);                                                                          \
    }
void held_add(pthread_mutex_t *mutex);

/* All of them; those that can't be had within 100 ms are left out. */
void held_take(void);
void held_give(void);
/* In the child, in place of held_give. */
void held_renew(void);
