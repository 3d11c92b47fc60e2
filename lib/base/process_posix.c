#include "base/process.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/syscall.h>
#endif

static void describe_name(char *name, size_t capacity)
{
    char path[1024];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size <= 0)
        return;
    path[size] = 0;
    const char *slash = strrchr(path, '/');
    snprintf(name, capacity, "%.*s", (int)capacity - 1, slash ? slash + 1 : path);
}

void annot__process_describe(struct annot__process *process)
{
    struct utsname system;
    memset(process, 0, sizeof *process);
    describe_name(process->name, sizeof process->name);
    snprintf(process->id, sizeof process->id, "%ld", (long)getpid());
    if (uname(&system) == 0)
        snprintf(process->system, sizeof process->system, "%.48s %.64s %.32s", system.sysname,
                 system.release, system.machine);
}

uint64_t annot__time_now(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static _Thread_local uint32_t thread_number; /* 0: this process has not asked yet */

uint32_t annot__thread_number(void)
{
#if defined(SYS_gettid)
    if (thread_number == 0)
        thread_number = (uint32_t)syscall(SYS_gettid);
#endif
    return thread_number;
}

static atomic_uint generation;

static void enter_child(void)
{
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    thread_number = 0;
}

uint32_t annot__process_generation(void)
{
    return atomic_load_explicit(&generation, memory_order_relaxed);
}

/* The function uses no lock, because a thread that is not in the child could hold the lock. If two
 * threads come first together, forks are counted twice, which does no harm. */
bool annot__process_follow_forks(void)
{
    static atomic_bool are_followed;
    if (atomic_load_explicit(&are_followed, memory_order_acquire))
        return true;
    if (pthread_atfork(NULL, NULL, enter_child) != 0)
        return false;
    atomic_store_explicit(&are_followed, true, memory_order_release);
    return true;
}
