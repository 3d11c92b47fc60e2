/* Threads, clocks, breakpoints and libraries of the process. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

uint32_t os_process_id(void);
uint64_t os_thread_id(void); /* returns the calling thread's ID */

/* Makes fork call these functions, on systems with fork. */
void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

void os_sleep_millisecond(void);

uint64_t os_wall_clock_ns(void); /* returns the ns since 1970-01-01 UTC */
uint64_t os_monotonic_ns(void);
/* Returns the value of QueryPerformanceCounter. Systems without it return os_monotonic_ns(). */
uint64_t os_performance_count(void);

/* Stops in a debugger, as DebugBreak does. Without a debugger, SIGTRAP or an exception ends the
 * process, unless the process handles it. */
void os_break(void);
/* Makes os_break return if there is no debugger, so that it never ends the process. A debugger
 * still stops. */
void os_pass_breaks(void);

/* Loads a library, which is never unloaded. After a failure os_library_error has the reason. */
void *os_library_load(const char *path);
/* Returns a function of the library, or of the libannot that the library has loaded, or NULL. */
void *os_library_function(void *library, const char *name);
const char *os_library_error(void);
