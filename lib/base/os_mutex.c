/* Mutexes on pthreads, which mingw-w64 has too. */
#include "base/os.h"

#include <assert.h>

void annot__mutex_init(struct annot__mutex *mutex)
{
    pthread_mutex_init(&mutex->native, NULL);
}

void annot__mutex_finish(struct annot__mutex *mutex)
{
    pthread_mutex_destroy(&mutex->native);
}

void annot__mutex_lock(struct annot__mutex *mutex)
{
    int failed = pthread_mutex_lock(&mutex->native);
    assert(!failed);
    (void)failed;
}

void annot__mutex_unlock(struct annot__mutex *mutex)
{
    pthread_mutex_unlock(&mutex->native);
}

bool annot__mutex_try(struct annot__mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->native) == 0;
}

bool annot__mutex_try_for(struct annot__mutex *mutex, uint64_t *left)
{
    if (annot__mutex_try(mutex))
        return true;
    uint64_t start = annot__clock_ns(), waited = 0;
    bool is_locked = false;
    while (!is_locked && waited < *left) {
        annot__pause();
        is_locked = annot__mutex_try(mutex);
        waited = annot__clock_ns() - start;
    }
    *left -= waited < *left ? waited : *left;
    return is_locked;
}
