#include "os_process.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint32_t os_process_id(void)
{
    return (uint32_t)getpid();
}

uint64_t os_thread_id(void)
{
#ifdef __linux__
    return (uint64_t)syscall(SYS_gettid);
#else
    return 0;
#endif
}

void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void))
{
    pthread_atfork(before, after, in_child);
}

void os_sleep_millisecond(void)
{
    const struct timespec a_while = {0, 1000000};
    nanosleep(&a_while, NULL);
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now = {0};
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t os_wall_clock_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

uint64_t os_monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

uint64_t os_performance_count(void)
{
    return os_monotonic_ns();
}

void os_break(void)
{
    raise(SIGTRAP);
}

static void pass_break(int signal_number)
{
    (void)signal_number;
}

void os_pass_breaks(void)
{
    struct sigaction action = {.sa_handler = pass_break, .sa_flags = SA_RESTART};
    sigaction(SIGTRAP, &action, NULL);
}

void *os_library_load(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void *os_library_function(void *library, const char *name)
{
    return dlsym(library, name);
}

const char *os_library_error(void)
{
    const char *error = dlerror();
    return error ? error : "the system gives no reason";
}
