/* The binary search for all sorted arrays, and a comparison of numbers. */
#pragma once

#include <stdint.h>

/* Compares for qsort: negative, 0 or positive. */
static inline int annot__compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Narrows the uint32_t variables `low` and `high` until both are the first index for which
 * `is_before` is false, or `high` if there is none. `is_before` is an expression in `index`. It
 * must be true up to some index, and false from there on.
 *
 *     uint32_t low = 0, high = count;
 *     ANNOT__LOWER_BOUND(low, high, i, rows[i].serial < serial);
 */
#define ANNOT__LOWER_BOUND(low, high, index, is_before)                                            \
    while ((low) < (high)) {                                                                       \
        uint32_t index = (low) + ((high) - (low)) / 2;                                             \
        if (is_before)                                                                             \
            (low) = index + 1;                                                                     \
        else                                                                                       \
            (high) = index;                                                                        \
    }
