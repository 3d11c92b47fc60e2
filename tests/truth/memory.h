/* Memory that runs out: the n-th allocation of the process fails. Not under ThreadSanitizer, nor
 * with another libc than glibc: nothing fails there. */
#pragma once

#include <stdbool.h>

/* From here on: the n-th allocation, and all behind it if `for_good`. 0: none. */
void memory_fail(unsigned nth, bool for_good);
/* No more; how many allocations there are still to the one that would have failed, 0: it did. */
unsigned memory_work(void);
