/* Pages of the process's own, as an allocation of the system's by themselves. */
#pragma once

#include <stddef.h>

/* Zeroed. NULL: no memory. */
void *pages_take(size_t size);
/* NULL is allowed. */
void pages_give(void *pages, size_t size);
