/* The emulator's mutexes, and fork. A thread that locks a mutex goes through a gate. fork closes
 * the gate and waits until no thread is inside. So in the child process no mutex is locked, and no
 * guarded data is half written. A thread that waits for a condition is outside the gate.
 *
 * fork waits at most 100 ms. It waits that long only if a driver's function calls fork inside the
 * gate, or stays inside. In this case the child waits for a mutex at most 100 ms, too. */
#pragma once

#include <pthread.h>

void emu_lock(pthread_mutex_t *mutex);
void emu_unlock(pthread_mutex_t *mutex);

/* Waits for a condition. In a child of fork, the condition's owner must initialize the condition
 * and its mutex again: a waiting thread may have locked the mutex outside of the gate. If `until`
 * is NULL, the wait has no limit. */
void emu_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until);

/* Makes every child process of fork call `in_child`. A process has only one such callback. If
 * memory runs out, no child process calls it, and operations on inherited objects may hang. */
void emu_gate_follow_forks(void (*in_child)(void));
