/* Finds, allocates and limits memory of the operating system. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gets the size of the readable and writable memory from `address` on: on Windows the allocation
 * (VirtualAlloc) that starts at `address`; on Linux the mapping, which may join several mmaps.
 * Returns false if there is no such memory, or if `address` isn't the start of a page. */
bool os_allocation_at(const void *address, size_t *size);

/* Copies this process's own memory, which may not be there: then the result is false. */
bool os_memory_read(void *to, const void *from, size_t size);

/* Returns zeroed memory, a separate allocation of the operating system. Returns NULL on failure, or
 * if `size` is 0. */
void *os_memory_take(uint64_t size);
void os_memory_give(void *memory, uint64_t size);

/* Limits the memory that this process may use. Returns false if the system has no such limit. */
bool os_limit_memory(uint64_t bytes);

uint64_t os_physical_memory(void); /* returns how much memory the machine has, in bytes */
