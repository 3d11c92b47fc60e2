/* Mutexes on pthreads, which mingw-w64 has too. */
#include "base/os.h"

#include <assert.h>
#include <sched.h>

void annot__mutex_init(annot__mutex *mutex)
{
    pthread_mutex_init(&mutex->native, NULL);
}

void annot__mutex_finish(annot__mutex *mutex)
{
    pthread_mutex_destroy(&mutex->native);
}

void annot__mutex_lock(annot__mutex *mutex)
{
    int failed = pthread_mutex_lock(&mutex->native);
    assert(!failed);
    (void)failed;
}

void annot__mutex_unlock(annot__mutex *mutex)
{
    pthread_mutex_unlock(&mutex->native);
}

bool annot__mutex_try(annot__mutex *mutex)
{
    return pthread_mutex_trylock(&mutex->native) == 0;
}

bool annot__mutex_try_long(annot__mutex *mutex)
{
    for (int attempt = 0; attempt < 20000; attempt++) {
        if (pthread_mutex_trylock(&mutex->native) == 0)
            return true;
        sched_yield();
    }
    return false;
}
