/* Hash tables (uthash) whose keys come from files. With uthash's hash function, the author of a
 * file could put every key into one bucket, so keys are hashed with a secret seed [ANN-SEC-04]. */
#pragma once

#include <stddef.h>

/* Hashes a key with a seed of this process. Only one thread at a time may call it. */
unsigned table_hash(const void *key, size_t size);

#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))

#include "hashed.h"

/* Whether `element` is in the table that begins with `head`. Use it after HASH_ADD. */
#define table_has(head, element) ((head) && (element)->hh.tbl == (head)->hh.tbl)
