/* uthash for code that must survive a lack of memory: if memory runs out, an insertion leaves the
 * element out. utarray.h can't report a lack of memory, so no code uses it. If users choose the
 * keys, define HASH_FUNCTION first. */
#pragma once

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>

/* Sets `element` to the element with the key `wanted`. A missing element is added with zeroed
 * members. If memory runs out, `element` becomes NULL. */
#define TABLE_FIND_OR_ADD(head, field, wanted, element)                                            \
    do {                                                                                           \
        HASH_FIND(hh, head, &(wanted), sizeof(wanted), element);                                   \
        if (!(element) && ((element) = calloc(1, sizeof *(element)))) {                            \
            memcpy(&(element)->field, &(wanted), sizeof(wanted));                                  \
            HASH_ADD(hh, head, field, sizeof(wanted), element);                                    \
            if (!(element)->hh.tbl) {                                                              \
                free(element);                                                                     \
                (element) = NULL;                                                                  \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Removes and frees all elements. The elements must not own other memory. */
#define TABLE_FREE(type, head)                                                                     \
    for (type * element_; (element_ = (head));) {                                                  \
        HASH_DEL(head, element_);                                                                  \
        free(element_);                                                                            \
    }
