/* Hash tables (uthash) whose keys come from files. With uthash's hash function, the author of a
 * file could put every key into one bucket, so these tables use a secret seed [ANN-SEC-04]. */
#pragma once

#include <stddef.h>

/* Hashes a key with this process's secret seed. Only one thread at a time may call the function. */
unsigned table_hash(const void *key, size_t size);

#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))

#include "hashed.h"

/* Sets `element` to the element with this key, or to a new element, or to NULL if memory runs out.
 * A new element is zeroed, except its last member char key[], which is the key and a 0. */
#define TABLE_FIND_OR_ADD_BYTES(head, bytes, size, element)                                        \
    do {                                                                                           \
        HASH_FIND(hh, head, bytes, size, element);                                                 \
        if (!(element) && ((element) = calloc(1, sizeof *(element) + (size) + 1))) {               \
            memcpy((element)->key, bytes, size);                                                   \
            HASH_ADD_KEYPTR(hh, head, (element)->key, size, element);                              \
            if (!(element)->hh.tbl) {                                                              \
                free(element);                                                                     \
                (element) = NULL;                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)
