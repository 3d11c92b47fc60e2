/* The process: its threads, clocks, breakpoints and libraries. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

uint32_t os_process_id(void);
uint64_t os_thread_id(void); /* ID of the calling thread */

/* Registers functions to call around fork, if the system has it. */
void os_at_fork(void (*before)(void), void (*after)(void), void (*in_child)(void));

void os_sleep_millisecond(void);

uint64_t os_wall_clock_ns(void); /* since 1970-01-01 UTC */
uint64_t os_monotonic_ns(void);
/* The time of QueryPerformanceCounter, or without it os_monotonic_ns. */
uint64_t os_performance_count(void);

/* DebugBreak: stops in a debugger. Without one, SIGTRAP or the exception ends the process unless
 * the process handles it. */
void os_break(void);
/* From now on os_break never ends the process: a debugger still stops there, and without one the
 * call returns. */
void os_pass_breaks(void);

/* Loads a library, which stays loaded. After a failure os_library_error has the reason. */
void *os_library_load(const char *path);
/* A function of the library, or of the libannot that it loaded; NULL: neither has it. */
void *os_library_function(void *library, const char *name);
const char *os_library_error(void);
