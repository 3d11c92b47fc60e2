/*
 * uthash for what files hold: its own hash function lets a file's author put every key into one
 * bucket, so keys are hashed with a seed that nobody knows [ANN-SEC-04].
 *
 * An insertion without memory leaves the element out; table_has says so. Not utarray.h, which can't
 * report it.
 */
#pragma once

#include <stddef.h>

/* With a seed of this process. Not from several threads at once. */
unsigned table_hash(const void *key, size_t size);

#define HASH_NONFATAL_OOM              1
#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))

#include <uthash.h>

/* Behind HASH_ADD: whether `element` is in the table of which `head` is the first one. */
#define table_has(head, element) ((head) && (element)->hh.tbl == (head)->hh.tbl)
