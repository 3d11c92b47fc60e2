#include "os.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>

void *os_library_load(const char *path)
{
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

void *os_library_function(void *library, const char *name)
{
    return dlsym(library, name);
}

uint64_t os_event_create(void)
{
    return (uint64_t)eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

/* A page that nobody can read on either side keeps it from growing together with its neighbours. */
void *os_memory_take(uint64_t size)
{
    const uint64_t page = 4096;
    if (size == 0 || size > SIZE_MAX - 2 * page)
        return NULL;
    char *whole =
        mmap(NULL, (size_t)(size + 2 * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED || mprotect(whole + page, (size_t)size, PROT_READ | PROT_WRITE))
        return NULL;
    return whole + page;
}

void os_sleep_millisecond(void)
{
    const struct timespec a_while = {0, 1000000};
    nanosleep(&a_while, NULL);
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
