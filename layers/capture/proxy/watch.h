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
 * are seen. ANNOT_CAPTURE_WATCH=hashing does without. Called once, before any other; the method is
 * then the same for good. */
enum trace_watch watch_open(void);

/* From now on writes to the pages that this memory touches are noted. False: they cannot be, hash
 * them. The memory may be freed at any time. */
bool watch_begin(const void *memory, uint64_t size);

/* Tells the ranges of pages that were written since watch_begin or the last call, neighbours
 * together; `found` must not write to the memory. False: not known, `found` may have been told
 * some: all has to be hashed and watched anew. */
bool watch_collect(const void *memory, uint64_t size,
                   void (*found)(void *user, uint64_t first, uint64_t end), void *user);
