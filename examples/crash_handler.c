/*
 * How a program leaves a dump when it fails: SIGSEGV and abort, Windows' unhandled exceptions, and
 * a main loop that stands still. A thread that was made at start waits for it and writes.
 *
 *     crash_handler PATH segv|abort|still     writes PATH and ends as it would have without it
 */
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#define _DEFAULT_SOURCE /* sigaltstack and nanosleep, also with -std=c11 */
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#endif

#include <annot/dump.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_MS = 20, STILL_TICKS = 50, PATIENCE_TICKS = 250 };

static annot_dump_writer *writer;
static const char *dump_path;
static _Atomic(const char *) failure; /* what happened; set once */
static _Atomic uint32_t failed;       /* the thread's number */
static atomic_uint heartbeat;         /* the main loop's */
static atomic_bool is_written;

static void sleep_ms(unsigned ms)
{
#ifdef _WIN32
    Sleep(ms);
#else
    nanosleep(&(struct timespec){0, ms * 1000000L}, NULL);
#endif
}

/* The system's number of this thread, by which the dump knows what it was recording. */
static uint32_t thread_number(void)
{
#ifdef _WIN32
    return GetCurrentThreadId();
#else
    return (uint32_t)syscall(SYS_gettid);
#endif
}

/* The thread that is well: nothing that failed has to work for it but the dump writer. */
static void watch(void)
{
    unsigned seen = 0, still = 0;
    while (!failure && still < STILL_TICKS) {
        sleep_ms(TICK_MS);
        still = heartbeat == seen ? still + 1 : 0;
        seen = heartbeat;
    }
    const annot_dump_info info = {
        .error = ANNOT_DEVICE_ERROR_APPLICATION,
        .reason = failure ? failure : "the main loop stands still",
        .thread = failed,
    };
    annot_dump_write_file(writer, &info, dump_path);
    is_written = true;
    if (!failure)
        _Exit(3);
}

/* The thread that failed: it wakes the other one and waits a few seconds, and no longer. */
static void hand_over(const char *what)
{
    const char *none = NULL;
    uint32_t nobody = 0;
    atomic_compare_exchange_strong(&failed, &nobody, thread_number());
    atomic_compare_exchange_strong(&failure, &none, what);
    for (int i = 0; i < PATIENCE_TICKS && !is_written; i++)
        sleep_ms(TICK_MS);
}

#ifdef _WIN32
static LONG CALLBACK on_exception(EXCEPTION_POINTERS *exception)
{
    bool is_access = exception->ExceptionRecord->ExceptionCode == EXCEPTION_ACCESS_VIOLATION;
    hand_over(is_access ? "access violation" : "unhandled exception");
    return EXCEPTION_CONTINUE_SEARCH; /* whoever had the filter before, or Windows, ends it */
}

/* abort() raises no exception: the C library calls this, and then ends the process. */
static void on_abort(int number)
{
    (void)number;
    hand_over("abort");
}

static DWORD WINAPI watch_main(void *argument)
{
    (void)argument;
    watch();
    return 0;
}

static bool install(void)
{
    SetUnhandledExceptionFilter(on_exception);
    signal(SIGABRT, on_abort);
    return CreateThread(NULL, 0, watch_main, NULL, 0, NULL) != NULL;
}
#else
/* On a stack of its own, so that it runs when a stack has overflowed. SA_RESETHAND: when it returns
 * the instruction faults again, or abort() goes on, without a handler: the process ends as it would
 * have, with its core file. */
static void on_signal(int number)
{
    hand_over(number == SIGABRT ? "abort" : "SIGSEGV");
}

static void *watch_main(void *argument)
{
    watch();
    return argument;
}

static bool install(void)
{
    static char stack[65536];
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal,
                               .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGABRT, &action, NULL);
    return pthread_create(&thread, NULL, watch_main, NULL) == 0;
}
#endif

/* ---- a program that fails ---- */

static void frame(annot_context *list, annot_arena *arena, const char *fault)
{
    annot_arena_reset(arena);
    annot_context_open(list, arena);
    annot_context_begin_event(list, 1, "frame", sizeof "frame");
    annot_context_begin_event(list, 1, "particles", sizeof "particles");
    annot_context_set_marker(list, 1, "sorted", sizeof "sorted");
    if (fault && strcmp(fault, "segv") == 0)
        *(volatile int *)(uintptr_t)(heartbeat * sizeof(int)) = 1;
    if (fault && strcmp(fault, "abort") == 0)
        abort();
    while (fault)
        sleep_ms(TICK_MS);
    annot_context_end_event(list);
    annot_context_end_event(list);
    annot_context_close(list);
}

int main(int argc, char **argv)
{
    const annot_object_desc list_desc = {.type = ANNOT_OBJECT_COMMAND_LIST};
    annot_device *device;
    annot_object *object;
    annot_arena *arena;
    annot_context *list;
    if (argc != 3) {
        const bool is_help = argc == 2 && strcmp(argv[1], "--help") == 0;
        fprintf(is_help ? stdout : stderr, "usage: crash_handler PATH segv|abort|still\n");
        return is_help ? 0 : 2;
    }
    dump_path = argv[1];
    if (annot_device_create(NULL, &device) || annot_dump_writer_create(device, &writer) ||
        annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL) ||
        annot_object_create(device, &list_desc, &object) || annot_arena_create(device, &arena) ||
        annot_context_create(object, &list) || !install())
        return 1;
    annot_object_set_name(object, "main list", ANNOT_TEXT_UTF8);
    annot_device_set_fact(device, "scene", "harbour");
    if (strcmp(argv[2], "still") == 0)
        failed = thread_number(); /* the watchdog watches this one */
    for (int i = 0;; i++, heartbeat++)
        frame(list, arena, i == 5 ? argv[2] : NULL);
}
