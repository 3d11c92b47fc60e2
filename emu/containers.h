/* The macros of uthash and utlist for the emulator. If memory runs out, an insertion changes
 * nothing and sets `added` to false.
 *
 *     bool added;
 *     HASH_ADD_KEYPTR_OR_FAIL(hh, head, &item->key, sizeof item->key, item, added); */
#pragma once

#include <stdbool.h>

#define HASH_NONFATAL_OOM        1
#define uthash_nonfatal_oom(elt) (hash_add_failed = true)

#include <uthash.h>
#include <utlist.h>

/* Inserts `item` and sets `added` to true. If memory runs out, only sets `added` to false. */
#define HASH_ADD_KEYPTR_OR_FAIL(hh, head, key, size, item, added)                                  \
    do {                                                                                           \
        bool hash_add_failed = false;                                                              \
        HASH_ADD_KEYPTR(hh, head, key, size, item);                                                \
        (added) = !hash_add_failed;                                                                \
    } while (0)
