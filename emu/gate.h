/* The emulator's mutexes, and fork. A thread that locks a mutex goes through a gate. fork closes
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

/* Waits for a condition. The owner of the condition must initialize it and its mutex again in a
 * child of fork: a waiting thread may have locked the mutex outside of the gate. `until` NULL: no
 * time limit. */
void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);

/* Makes every child of fork call `in_child`; there is one such function. If memory runs out, forks
 * are not followed, and inherited objects may hang. */
void emu_gate_follow_forks(void (*in_child)(void));
