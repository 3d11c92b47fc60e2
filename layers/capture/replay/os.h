/* The replayer's part of the operating system. */
#ifndef REPLAY_OS_H
#define REPLAY_OS_H

#include <stdbool.h>
#include <stdint.h>

/* The D3D12 library, which stays loaded. NULL: it can't be. */
void *os_library_load(const char *path);
/* NULL: it exports no such function. */
void *os_library_function(void *library, const char *name);

/* An event, reset, that fences can set; 0 or UINT64_MAX: there is none to be had. Never closed. */
uint64_t os_event_create(void);

void os_event_end(uint64_t event);

/* Zeroed memory that begins an allocation of the operating system's, for good. NULL: none, or size
 * is 0. */
void *os_memory_take(uint64_t size);

void os_memory_give(void *memory, uint64_t size);

void os_sleep_millisecond(void);

/* A thread of its own for as long as the process runs. False: none. */
bool os_thread_start(void (*function)(void *user), void *user);

/* The process gets no more memory of its own than this. False: the system can't be told. */
bool os_limit_memory(uint64_t bytes);

/* From here on a break of the runtime's (ID3D12InfoQueue::SetBreakOnSeverity) ends the process no
 * more: a debugger stops there, and without one the call goes on. */
void os_pass_breaks(void);

#endif
