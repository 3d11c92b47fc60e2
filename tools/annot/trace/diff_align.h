/* Pairs the matching elements of two sequences: a longest common subsequence, as `diff` finds it,
 * with a limit on the cost. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ALIGN_NONE UINT32_MAX

/* partners[i] becomes the index in `b` that matches a[i], or ALIGN_NONE; these indices ascend with
 * i. Myers' algorithm: O((a_count + b_count) * D) for D differences. D has a constant limit; above
 * the limit the alignment continues from the farthest place. False means out of memory. */
bool diff_align(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                uint32_t *partners);
