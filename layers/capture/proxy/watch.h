/*
 * The pages of mapped memory that were written since the last query. All pages stay accessible.
 * Writes, also the kernel's in read(2), are made and noted, so system calls and the program's own
 * signal handlers work as usual.
 */
#pragma once

#include "../trace/format.h"

#include <stdbool.h>
#include <stdint.h>

#define WATCH_PAGE 4096u

/* Hashing means that every page is hashed each time. Userfaultfd means its asynchronous write
 * protection and PAGEMAP_SCAN.
 *
 * Tries userfaultfd on a page of its own, with a store and with read(2), and uses it if both are
 * noticed. ANNOT_CAPTURE_WATCH=hashing chooses hashing. Called once, before any other; the method
 * never changes afterwards. */
enum trace_watch watch_open(void);

/* Starts noting writes to the pages of this memory. False means that they can't be noted, so hash
 * the pages. The memory may be freed at any time. */
bool watch_begin(const void *memory, uint64_t size);

/* Calls `found` with the ranges of pages that were written since watch_begin or the last call;
 * neighbours are joined. `found` must not write to the memory. False means that some are not known;
 * hash everything, and begin to watch again. */
bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user);
