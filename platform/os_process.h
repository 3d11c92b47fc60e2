/* The process: its threads, clocks, breakpoints and libraries. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

uint32_t os_process_id(void);
uint64_t os_thread_id(void); /* of the calling thread */

/* Called around fork, where there is one. */
void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

void os_sleep_millisecond(void);

uint64_t os_wall_clock_ns(void); /* since 1970-01-01 UTC */
uint64_t os_monotonic_ns(void);
/* The time that QueryPerformanceCounter reads; where there is none, os_monotonic_ns. */
uint64_t os_performance_count(void);

/* DebugBreak: stops a debugger. Without one, SIGTRAP or the exception terminates the process unless
 * it is handled. */
void os_break(void);
/* From now on os_break never ends the process: a debugger stops there, and without one the call
 * returns. */
void os_pass_breaks(void);

/* A library, which stays loaded. If it fails, os_library_error says why. */
void *os_library_load(const char *path);
/* NULL: neither the library nor the libannot that came with it has such a function. */
void *os_library_function(void *library, const char *name);
const char *os_library_error(void);
