#include "kmd/types.h"
#include "gate.h"

#include <time.h>

#define NS_PER_S 1000000000u

/* Windows' pthreads wait only by the wall clock. If that clock is changed, a timeout is only early
 * or late. */
#ifdef _WIN32
#define WAIT_CLOCK CLOCK_REALTIME
#else
#define WAIT_CLOCK CLOCK_MONOTONIC
#endif

uint64_t emu__kmd_now(const struct emu_kmd *kmd)
{
    if (kmd->desc.seeded)
        return kmd->clock;
    struct timespec now;
    clock_gettime(WAIT_CLOCK, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t emu_kmd_time(struct emu_kmd *kmd)
{
    emu_lock(&kmd->lock);
    uint64_t now = emu__kmd_now(kmd);
    emu_unlock(&kmd->lock);
    return now;
}

bool emu__kmd_cond_init(pthread_cond_t *cond)
{
#ifdef _WIN32
    return pthread_cond_init(cond, NULL) == 0;
#else
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&attributes, WAIT_CLOCK) == 0 &&
              pthread_cond_init(cond, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return ok;
#endif
}

void emu__kmd_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *lock, uint64_t deadline)
{
    struct timespec time;
    time.tv_sec = (time_t)(deadline / NS_PER_S);
    time.tv_nsec = (long)(deadline % NS_PER_S);
    emu_wait(cond, lock, &time);
}

uint64_t emu__kmd_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}
