/* Pages of the process, which are a separate allocation of the operating system. */
#pragma once

#include <stddef.h>

/* Zeroed. NULL: no memory. */
void *pages_take(size_t size);
/* NULL is allowed. */
void pages_give(void *pages, size_t size);
