/* Finds the pages of mapped memory that were written since the last query. Pages stay accessible,
 * so system calls such as read(2) and the program's signal handlers work as usual. */
#pragma once

#include "../trace/format.h"

#include <stdbool.h>

#define WATCH_PAGE 4096u

/* Chooses a method; call this function once, before the other functions. The method is userfaultfd
 * (asynchronous write protection with PAGEMAP_SCAN) if a test shows that it notices a store and a
 * read(2). Otherwise every page is hashed. ANNOT_CAPTURE_WATCH=hashing chooses hashing. */
enum trace_watch watch_open(void);

/* Begins to watch writes to memory, which may be freed at any time. If `are_written`, all pages
 * count as written until the next watch_collect, and writes cause no page faults. False: it is
 * impossible. */
bool watch_begin(const void *memory, uint64_t size, bool are_written);

/* Calls `found` with the ranges of pages that were written since watch_begin or the last call.
 * Adjacent ranges are joined. `found` must not write to the memory. False: some writes are unknown;
 * then hash all pages and call watch_begin again. */
bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user);

/* Returns how many page faults the process had. While the number is the same, the process writes
 * no page that was unwritten after the last watch_collect. 0: unknown. */
uint64_t watch_faults(void);
