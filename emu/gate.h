/*
 * The emulator's mutexes, and fork. A thread that locks a mutex goes through a gate. fork closes
 * the gate and waits until no thread is inside. So in the child no mutex is locked, and no guarded
 * data is half written. A thread that waits for a condition is outside.
 *
 * fork waits at most 100 ms. It waits that long if a driver's function calls fork inside the gate,
 * or stays inside. The child then waits for a mutex at most that long, too.
 */
#pragma once

#include <pthread.h>

void emu_lock(pthread_mutex_t *mutex);
void emu_unlock(pthread_mutex_t *mutex);

/* In a child the mutex may still be locked, because a waiting thread locks it again before the
 * gate. So the owner of such a condition must make both anew in the child. `until` NULL: waits
 * without end. */
void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);

/* From now on `in_child` is called in every child of fork; there is one such function. Without
 * memory forks are not followed, and inherited objects may then hang. */
void emu_gate_follow_forks(void (*in_child)(void));
