/*
 * The emulator's mutexes, and fork. Whoever locks one goes through a gate that fork closes: it
 * waits until no thread is inside, so that in the child no mutex is held and nothing that one
 * guards is half written. A thread that waits for a condition is outside.
 *
 * Fork waits 100 ms at most. It takes that long when it is called inside, by a driver's function;
 * or when a driver's function stays inside. The child then waits for a mutex no longer than that
 * either.
 */
#pragma once

#include <pthread.h>

void emu_lock(pthread_mutex_t *mutex);
void emu_unlock(pthread_mutex_t *mutex);

/* The mutex may be held by a thread that is not in the child, since it is taken again before the
 * gate: what has such a condition makes both anew there. `until`: NULL: without end. */
void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);

/* `in_child` is called in every child of fork from now on; one function, however often. Without
 * memory forks are not followed: what a child inherits may then hang. */
void emu_gate_follow_forks(void (*in_child)(void));
