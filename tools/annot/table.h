/*
 * uthash for the contents of files. With its own hash function a file's author could put every key
 * into one bucket, so keys are hashed with a secret seed [ANN-SEC-04].
 *
 * An insertion without memory leaves the element out; table_has says so. Not utarray.h, which can't
 * report it.
 */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* With a seed of this process. Not from several threads at once. */
unsigned table_hash(const void *key, size_t size);

#define HASH_NONFATAL_OOM              1
#define HASH_FUNCTION(key, size, hash) ((hash) = table_hash(key, size))

#include <uthash.h>

/* After HASH_ADD: whether `element` is in the table that begins with `head`. */
#define table_has(head, element) ((head) && (element)->hh.tbl == (head)->hh.tbl)

/* `element` is the one with this key, or a new one of zeros that has it. NULL: without memory. */
#define TABLE_FIND_OR_ADD(head, field, wanted, element)                                            \
    do {                                                                                           \
        HASH_FIND(hh, head, &(wanted), sizeof(wanted), element);                                   \
        if (!(element) && ((element) = calloc(1, sizeof *(element)))) {                            \
            memcpy(&(element)->field, &(wanted), sizeof(wanted));                                  \
            HASH_ADD(hh, head, field, sizeof(wanted), element);                                    \
            if (!table_has(head, element)) {                                                       \
                free(element);                                                                     \
                (element) = NULL;                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Takes out and frees the elements, which own nothing. */
#define TABLE_FREE(type, head)                                                                     \
    for (type * element_; (element_ = (head));) {                                                  \
        HASH_DEL(head, element_);                                                                  \
        free(element_);                                                                            \
    }
