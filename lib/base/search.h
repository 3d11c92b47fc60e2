/* The binary search for all sorted arrays, a comparison of numbers, and a search in lists of words.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Compares numbers for qsort: returns a negative number, 0 or a positive number. */
static inline int annot__compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Gets word `index`, from 0, in an array of words that each end with a NUL. NULL: there are fewer
 * words, or the word is empty. */
#define ANNOT__WORD_AT(words, index) annot__word_at((words), sizeof(words), (index))
static inline const char *annot__word_at(const char *words, size_t size, uint32_t index)
{
    const char *const end = words + size;
    while (words < end && index-- > 0)
        words += strlen(words) + 1;
    return words < end && *words ? words : NULL;
}

/* Narrows the uint32_t variables `low` and `high` until both are the first index for which
 * `is_before` is false; if there is none, both become `high`. `is_before` is an expression in
 * `index` that must be true up to some index, and false from there on.
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
