/* Allocates pages from the operating system, for heaps over the process's own memory. */
#pragma once

#include <stddef.h>

/* Zeroed. NULL: no memory. */
void *pages_take(size_t size);
/* NULL is allowed. */
void pages_give(void *pages, size_t size);
