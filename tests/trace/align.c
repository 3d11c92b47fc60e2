/* The alignment of two runs, of `annot trace diff`: tools/annot/trace/diff_align.h. */
#include "asserts.h"
#include "diff_align.h"

#include <string.h>

#define MOST (1u << 18)

static uint64_t a[MOST], b[MOST], exact[2][MOST];
static uint32_t partners[MOST];

/* Pairs rise on both sides and are equal. How many there are; exact tokens say nothing. */
static uint32_t aligned(uint32_t a_count, uint32_t b_count)
{
    uint32_t next = 0, pairs = 0;
    for (uint32_t i = 0; i < a_count || i < b_count; i++) {
        exact[0][i] = 2 * i;
        exact[1][i] = 2 * i + 1;
    }
    cr_assert(diff_align(&(struct diff_sequence){exact[0], a, a_count},
                         &(struct diff_sequence){exact[1], b, b_count}, partners));
    for (uint32_t i = 0; i < a_count; i++) {
        if (partners[i] == ALIGN_NONE)
            continue;
        cr_assert(partners[i] >= next && partners[i] < b_count, "pair %u is out of order", i);
        cr_assert_eq(a[i], b[partners[i]], "pair %u is none", i);
        next = partners[i] + 1;
        pairs++;
    }
    return pairs;
}

static uint32_t random_below(uint32_t *state, uint32_t end)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % end;
}

/* The length of the longest common subsequence, by the definition. */
static uint32_t longest(uint32_t a_count, uint32_t b_count)
{
    uint32_t rows[2][61] = {{0}};
    for (uint32_t i = 1; i <= a_count; i++)
        for (uint32_t k = 1; k <= b_count; k++) {
            const uint32_t up = rows[(i - 1) % 2][k], left = rows[i % 2][k - 1];
            rows[i % 2][k] = a[i - 1] == b[k - 1] ? rows[(i - 1) % 2][k - 1] + 1
                             : up > left          ? up
                                                  : left;
        }
    return rows[a_count % 2][b_count];
}

Test(align, nothing_is_aligned_with_nothing)
{
    a[0] = 1;
    cr_assert_eq(aligned(0, 0), 0);
    cr_assert_eq(aligned(1, 0), 0);
    cr_assert_eq(aligned(0, 1), 0);
}

Test(align, what_was_added_or_left_out_moves_what_follows)
{
    for (uint32_t i = 0; i < 100; i++) {
        a[i] = i;
        b[i + (i >= 50 ? 7 : 0)] = i;
    }
    for (uint32_t i = 50; i < 57; i++)
        b[i] = 1000 + i;
    cr_assert_eq(aligned(100, 107), 100);
    cr_assert_eqs(partners[49], 49, partners[50], 57);
}

Test(align, as_many_pairs_as_there_can_be)
{
    uint32_t state = 1;
    for (int round = 0; round < 300; round++) {
        const uint32_t a_count = random_below(&state, 60), b_count = random_below(&state, 60);
        const uint32_t kinds = 1 + random_below(&state, 8);
        for (uint32_t i = 0; i < a_count; i++)
            a[i] = random_below(&state, kinds);
        for (uint32_t i = 0; i < b_count; i++)
            b[i] = random_below(&state, kinds);
        cr_assert_eq(aligned(a_count, b_count), longest(a_count, b_count), "round %d", round);
    }
}

/* Of a frame's draws with the same arguments, that with the other pipeline is left out. */
Test(align, exact_tokens_say_which_of_equal_elements_is_left_out)
{
    static uint64_t first[] = {8, 11, 12, 21, 22, 31, 32, 8}, second[] = {9, 11, 12, 31, 32, 9};
    static uint64_t plain[2][8] = {{8, 1, 2, 1, 2, 1, 2, 8}, {9, 1, 2, 1, 2, 9}};
    static const uint32_t expected[8] = {ALIGN_NONE, 1, 2, ALIGN_NONE,
                                         ALIGN_NONE, 3, 4, ALIGN_NONE};
    cr_assert(diff_align(&(struct diff_sequence){first, plain[0], 8},
                         &(struct diff_sequence){second, plain[1], 6}, partners));
    cr_expect_arr_eq(partners, expected, sizeof expected);
}

/* Differences without end are aligned piece by piece: pairs are pairs, and what is alike behind
 * them is found again. The time grows with the number of elements, not with its square. */
Test(align, more_differences_than_one_stretch_takes)
{
    for (uint32_t i = 0; i < 3000; i++) {
        a[i] = 10000 + i;
        b[i] = 20000 + i;
    }
    for (uint32_t i = 3000; i < 4000; i++)
        a[i] = b[i] = i;
    for (uint32_t i = 4000; i < MOST; i++) {
        a[i] = 30000 + i;
        b[i] = 40000 + i;
    }
    cr_assert_geq(aligned(MOST, MOST), 990);
    cr_assert_eq(partners[3500], 3500);
}

Test(align, however_much_one_has_alone)
{
    for (uint32_t i = 0; i < MOST; i++)
        b[i] = i;
    memcpy(a, b, 10 * sizeof *a);
    memcpy(a + 10, b + MOST - 10, 10 * sizeof *a);
    cr_assert_eq(aligned(20, MOST), 20);
}
