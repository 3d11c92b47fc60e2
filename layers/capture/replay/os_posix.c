#include "os.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

void os_event_end(uint64_t event)
{
    close((int)event);
}

/* A page that nobody can read on either side keeps it from growing together with its neighbours. */
void *os_memory_take(uint64_t size)
{
    const uint64_t page = 4096;
    if (size == 0 || size > SIZE_MAX - 2 * page)
        return NULL;
    char *whole =
        mmap(NULL, (size_t)(size + 2 * page), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (whole == MAP_FAILED)
        return NULL;
    if (mprotect(whole + page, (size_t)size, PROT_READ | PROT_WRITE)) {
        munmap(whole, (size_t)(size + 2 * page));
        return NULL;
    }
    return whole + page;
}

void os_memory_give(void *memory, uint64_t size)
{
    const uint64_t page = 4096;
    munmap((char *)memory - page, (size_t)(size + 2 * page));
}

struct start {
    void (*function)(void *user);
    void *user;
};

static void *run(void *argument)
{
    const struct start start = *(struct start *)argument;
    free(argument);
    start.function(start.user);
    return NULL;
}

bool os_thread_start(void (*function)(void *user), void *user)
{
    pthread_t thread;
    struct start *start = malloc(sizeof *start);
    if (!start)
        return false;
    *start = (struct start){function, user};
    if (pthread_create(&thread, NULL, run, start)) {
        free(start);
        return false;
    }
    pthread_detach(thread);
    return true;
}

bool os_limit_memory(uint64_t bytes)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit))
        return false;
    if (limit.rlim_max == RLIM_INFINITY || bytes < limit.rlim_max)
        limit.rlim_cur = (rlim_t)bytes;
    return setrlimit(RLIMIT_DATA, &limit) == 0;
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
