/*
 * The pages of mapped memory that were written since the last query. No page is made inaccessible:
 * writes, also those of the kernel in read(2), are made and noted, so system calls and the
 * program's own signal handlers work as usual.
 */
#pragma once

#include "../trace/format.h"

#include <stdbool.h>
#include <stdint.h>

#define WATCH_PAGE 4096u

/* Hashing: every page is hashed each time. Userfaultfd: its asynchronous write protection and
 * PAGEMAP_SCAN.
 *
 * Tries the kernel's way on a page of its own, with a store and with read(2), and takes it if both
 * are noticed. ANNOT_CAPTURE_WATCH=hashing chooses hashing. Called once, before any other; the
 * method never changes afterwards. */
enum trace_watch watch_open(void);

/* From now on writes to the pages that this memory touches are noted. False means that they can't
 * be noted, so hash the pages. The memory may be freed at any time. */
bool watch_begin(const void *memory, uint64_t size);

/* Calls `found` with the ranges of pages that were written since watch_begin or the last call,
 * neighbours joined. `found` must not write to the memory. False means that not all are known; hash
 * everything, and begin to watch again. */
bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user);
