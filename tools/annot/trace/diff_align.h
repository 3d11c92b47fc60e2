/*
 * Pairs the elements of two sequences that correspond: a longest common subsequence, as `diff`
 * finds it, with a limit on the cost.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ALIGN_NONE UINT32_MAX

/* partners[i]: the index in `b` of what a[i] is matched with, rising with i, ALIGN_NONE for none.
 * Myers' algorithm: O((a_count + b_count) * D) for D differences, D is limited by a constant; past
 * it the alignment goes on from the farthest place that it reached. False means out of memory. */
bool diff_align(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                uint32_t *partners);
