/* Loaded into a command by sweep.c: the allocation with the number in SWEEP_FAIL fails, and with
 * SWEEP_ON every one behind it. SWEEP_COUNT names a file that gets the number of all, in a line for
 * each process. */
#include "../stress/failing_malloc.h"

#ifndef UNSUITED

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MANY = 1000000000 };

__attribute__((constructor)) static void start(void)
{
    const char *fail = getenv("SWEEP_FAIL");
    atomic_store(&keep_failing, getenv("SWEEP_ON") != NULL);
    atomic_store(&countdown, fail ? strtol(fail, NULL, 10) : MANY);
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("SWEEP_COUNT");
    char text[32];
    const long count = MANY - atomic_load(&countdown);
    const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (file < 0)
        return;
    const int size = snprintf(text, sizeof text, "%ld\n", count);
    if (write(file, text, (size_t)size) != size)
        _exit(99);
    close(file);
}

#endif
