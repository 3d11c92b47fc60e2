/* The runtime's part of the operating system beyond libc and pthreads: events, the process's
 * name, clocks and breakpoints. */
#ifndef D3D12_OS_H
#define D3D12_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* An event of our own that signals the application's: the application may close its handle at once.
 * On Linux the handle is an eventfd as in every D3D12 on Linux, on Windows an event. False: not a
 * handle, or no more of them. */
bool os_event_duplicate(void *handle, intptr_t *out);
void os_event_signal(intptr_t event);
void os_event_close(intptr_t event);

/* The address of a function that the shared object at `path` exports, written to `function`, a
 * pointer to a function
 * (`size`: its bytes). The object stays loaded. False: why is in `reason`, one line of UTF-8. */
bool os_module_function(const char *path, const char *name, void *function, size_t size,
                        char *reason, size_t capacity);

/* A handle that the application owns, duplicates and closes, and that stands for a number within
 * this process: on Linux a descriptor, on Windows a section. False: no more handles; not such a
 * handle. */
bool os_token_create(uint64_t token, void **out);
bool os_token_read(void *handle, uint64_t *out);

/* The size of the memory that the operating system gave out at this address (mmap, VirtualAlloc),
 * to be read and written. False: there is none, or on Windows it doesn't start there. Linux can't
 * tell neighbours apart that are alike, and counts them in. */
bool os_allocation_at(const void *address, size_t *size);

/* Bytes of memory that the machine has. */
uint64_t os_physical_memory(void);

uint64_t os_process_id(void);
uint64_t os_thread_id(void); /* of the calling thread */

/* A file to append lines to, made if there is none for its user only; NULL: it can't be. It is no
 * link, and nothing but a regular file. */
FILE *os_open_log(const char *path);

/* File name of the executable without directories, UTF-8, cut to `capacity` with its NUL. */
void os_application_name(char *buffer, size_t capacity);

bool os_folder_make(const char *path); /* UTF-8; for this user only; false also if it is there */
bool os_file_remove(const char *path); /* UTF-8; a link, not what it leads to */

uint64_t os_wall_clock_ns(void); /* since 1970-01-01 UTC */
uint64_t os_monotonic_ns(void);

/* The time that QueryPerformanceCounter reads; where there is none, os_monotonic_ns. */
uint64_t os_performance_count(void);

/* DebugBreak: stops a debugger. Without one, SIGTRAP or the exception terminates the process unless
 * it is handled. */
void os_break(void);

#endif
