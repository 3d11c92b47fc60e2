/* The operating system's memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the readable and writable memory that the operating system gave out at this address
 * (mmap, VirtualAlloc). False means that there is none, or on Windows that it doesn't start there.
 * Linux can't distinguish equal neighbours, and includes them. */
bool os_allocation_at(const void *address, size_t *size);

/* Zeroed memory at the begin of an allocation of the operating system. NULL: none, or size is 0. */
void *os_memory_take(uint64_t size);
void os_memory_give(void *memory, uint64_t size);

/* Limits the process's own memory. False means that the system has no such limit. */
bool os_limit_memory(uint64_t bytes);

uint64_t os_physical_memory(void); /* bytes of memory of the machine */
