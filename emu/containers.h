/* The macros of uthash and utlist for the emulator. If memory runs out, an insertion changes
 * nothing and sets the caller's variable `hash_add_failed`. */
#pragma once

#define HASH_NONFATAL_OOM        1
#define uthash_nonfatal_oom(elt) (hash_add_failed = true)

#include <uthash.h>
#include <utlist.h>
