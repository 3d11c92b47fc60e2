/* Allocates pages of the operating system, for heaps over the process's own memory. */
#pragma once

#include <stddef.h>

/* Returns zeroed pages, or NULL if memory runs out. */
void *pages_take(size_t size);
/* Frees pages from pages_take. NULL is allowed. */
void pages_give(void *pages, size_t size);
