#include "base/process.h"

#include <inttypes.h>
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

uint32_t annot__thread_number(void)
{
#if defined(SYS_gettid)
    static _Thread_local uint32_t number;
    if (number == 0)
        number = (uint32_t)syscall(SYS_gettid);
    return number;
#else
    return 0;
#endif
}
