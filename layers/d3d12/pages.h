/* Allocates pages from the operating system, for heaps over the process's own memory. */
#pragma once

#include <stddef.h>

/* Returns zeroed pages. NULL: out of memory. */
void *pages_take(size_t size);
/* Frees the pages; NULL is allowed. */
void pages_give(void *pages, size_t size);
