/* uthash for the contents of files. With uthash's own hash function a file's author could put every
 * key into one bucket, so keys are hashed with a secret seed [ANN-SEC-04]. */
#pragma once

#include <stddef.h>

/* Hashes a key with a seed of this process. Call it on one thread at a time. */
unsigned table_hash(const void *key, size_t size);

#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))

#include "hashed.h"

/* After HASH_ADD: whether `element` is in the table that begins with `head`. */
#define table_has(head, element) ((head) && (element)->hh.tbl == (head)->hh.tbl)
