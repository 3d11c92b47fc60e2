/* Pairs equal elements of two sequences, as `diff` does, with a limit on the cost. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ALIGN_NONE UINT32_MAX

/* Elements with the same token in `exact` also have the same token in `plain`. */
struct diff_sequence {
    uint64_t *exact, *plain;
    uint32_t count;
};

/* partners[i] becomes the index in `b` that matches a's element i, or ALIGN_NONE; indices ascend
 * with i. Elements whose exact tokens occur once in both sequences, or in both of two parts between
 * such pairs, come first. In between there are as many pairs of equal plain tokens as possible, if
 * few elements differ. For n elements the function takes time O(n log n), and at most 24 bytes an
 * element. False means out of memory. */
bool diff_align(const struct diff_sequence *a, const struct diff_sequence *b, uint32_t *partners);
