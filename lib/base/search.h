/* A binary search for all sorted arrays, a comparison of numbers, and a search in lists of
 * words. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Compares two numbers for qsort: the result is below 0 if a < b, 0 if equal, above 0 if a > b. */
static inline int annot__compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Returns word `index`, from 0, of an array of words that each end with a NUL. Returns NULL if the
 * array has fewer words, or if this word is empty. */
#define ANNOT__WORD_AT(words, index) annot__word_at((words), sizeof(words), (index))
static inline const char *annot__word_at(const char *words, size_t size, uint32_t index)
{
    const char *const end = words + size;
    while (words < end && index-- > 0)
        words += strlen(words) + 1;
    return words < end && *words ? words : NULL;
}

/* Narrows the uint32_t variables `low` and `high` until both variables are the first index for
 * which `is_before` is false, or the old `high` if there is none. `is_before` is an expression with
 * `index`; it must be true up to some index, and false from there on.
 *
 *    uint32_t low = 0, high = count;
 *    ANNOT__LOWER_BOUND(low, high, i, rows[i].serial < serial); */
#define ANNOT__LOWER_BOUND(low, high, index, is_before)                                            \
    while ((low) < (high)) {                                                                       \
        uint32_t index = (low) + ((high) - (low)) / 2;                                             \
        if (is_before)                                                                             \
            (low) = index + 1;                                                                     \
        else                                                                                       \
            (high) = index;                                                                        \
    }
