/*
 * The emulator's mutexes, and fork. A thread that locks one goes through a gate, which fork
 * closes: fork waits until no thread is inside. So in the child no mutex is held, and nothing that
 * one guards is half written. A thread that waits for a condition is outside.
 *
 * Fork waits 100 ms at most. It takes that long if a driver's function calls it inside, or stays
 * inside. The child then waits for a mutex no longer than that either.
 */
#pragma once

#include <pthread.h>

void emu_lock(pthread_mutex_t *mutex);
void emu_unlock(pthread_mutex_t *mutex);

/* In the child the mutex may still be held, because the waiting thread locks it again before the
 * gate: the owner of such a condition must make both anew there. `until` NULL: waits without end.
 */
void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);

/* `in_child` is called in every child of fork from now on; one function, however often. Without
 * memory forks are not followed: what a child inherits may then hang. */
void emu_gate_follow_forks(void (*in_child)(void));
