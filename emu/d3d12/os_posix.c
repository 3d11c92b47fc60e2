#include "os.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

bool os_event_duplicate(void *handle, intptr_t *out)
{
    int fd = fcntl((int)(intptr_t)handle, F_DUPFD_CLOEXEC, 0);
    *out = fd;
    return fd >= 0;
}

void os_event_signal(intptr_t event)
{
    const uint64_t one = 1;
    /* A full counter (EAGAIN) is a signalled event too. */
    while (write((int)event, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

void os_event_close(intptr_t event)
{
    close((int)event);
}

bool os_module_function(const char *path, const char *name, void *function, size_t size,
                        char *reason, size_t capacity)
{
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *address = module ? dlsym(module, name) : NULL;
    if (!address) {
        const char *error = dlerror();
        snprintf(reason, capacity, "%s", error ? error : "the system doesn't say why");
        return false;
    }
    memcpy(function, &address, size); /* POSIX: as large, and the same bits */
    return true;
}

void os_application_name(char *buffer, size_t capacity)
{
    char path[4096];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size < 0)
        size = 0;
    path[size] = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(buffer, capacity, "%s", slash != NULL ? slash + 1 : path);
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
