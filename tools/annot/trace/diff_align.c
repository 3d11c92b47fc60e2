/* E. Myers, "An O(ND) difference algorithm and its variations", 1986. A path through the grid of
 * both sequences goes right (an element of `a` alone), down (of `b` alone) or diagonally (a pair).
 * On each diagonal k = x - y the farthest x that `d` steps off the diagonals reach is kept, for
 * each d, and the path is read from there backwards. */
#include "diff_align.h"

#include <stdlib.h>
#include <string.h>

#define STEPS 4096 /* most steps off the diagonals in one stretch */

struct stretch {
    const uint64_t *a, *b;
    int64_t a_count, b_count; /* numbers of elements that are left */
    int64_t *far;             /* farthest place on each diagonal, from -STEPS - 1 */
    int32_t *kept;            /* `far` for each number of steps d, which has d + 1 entries */
};

struct end {
    int64_t d, k, x;
};

static int64_t kept_at(int64_t d)
{
    return d * (d + 1) / 2;
}

/* Returns the entry of a diagonal: -d, -d + 2 ... d have an entry each. */
static int64_t entry(int64_t d, int64_t k)
{
    return kept_at(d) + (k + d) / 2;
}

static bool goes_down(const struct stretch *s, int64_t d, int64_t k)
{
    const int64_t *far = s->far + STEPS + 1;
    return k == -d || (k != d && far[k - 1] < far[k + 1]);
}

/* Makes one more step. True: the end of both sequences is reached, at *end. */
static bool step(struct stretch *s, int64_t d, struct end *end)
{
    int64_t *far = s->far + STEPS + 1;
    for (int64_t k = -d; k <= d; k += 2) {
        int64_t x = d == 0 ? 0 : goes_down(s, d, k) ? far[k + 1] : far[k - 1] + 1;
        int64_t y = x - k;
        while (x < s->a_count && y < s->b_count && y >= 0 && s->a[x] == s->b[y])
            x++, y++;
        far[k] = x;
        s->kept[entry(d, k)] = (int32_t)x;
        const bool is_inside = x <= s->a_count && y <= s->b_count && y >= 0;
        const int64_t sum = x + y, farthest = 2 * end->x - end->k;
        /* of equally far places, the place that leaves equally much of both sequences */
        if (is_inside && (sum > farthest || (sum == farthest && llabs(k) < llabs(end->k))))
            *end = (struct end){d, k, x};
        if (x >= s->a_count && y >= s->b_count) {
            *end = (struct end){d, k, x};
            return true;
        }
    }
    return false;
}

/* Reads back to the begin of the stretch, pair by pair. */
static void read_back(const struct stretch *s, struct end at, uint32_t a_first, uint32_t b_first,
                      uint32_t *partners)
{
    int64_t x = at.x;
    for (int64_t d = at.d, k = at.k;; d--) {
        int64_t from = 0, before = 0; /* where the diagonal began, and the diagonal before */
        if (d > 0) {
            const int64_t left = k > -d ? s->kept[entry(d - 1, k - 1)] : -1;
            const int64_t above = k < d ? s->kept[entry(d - 1, k + 1)] : -1;
            const bool is_down = k == -d || (k != d && left < above);
            from = is_down ? above : left + 1;
            before = is_down ? k + 1 : k - 1;
        }
        for (; x > from; x--)
            partners[a_first + x - 1] = (uint32_t)(b_first + x - 1 - k);
        if (d == 0)
            return;
        x = before == k + 1 ? from : from - 1;
        k = before;
    }
}

bool diff_align(const uint64_t *a, uint32_t a_count, const uint64_t *b, uint32_t b_count,
                uint32_t *partners)
{
    struct stretch s = {.far = calloc(2 * STEPS + 3, sizeof *s.far),
                        .kept = calloc((size_t)kept_at(STEPS + 1), sizeof *s.kept)};
    uint32_t i = 0, j = 0;
    bool ok = s.far && s.kept && a_count < INT32_MAX && b_count < INT32_MAX;
    memset(partners, 0xff, a_count * sizeof *partners);
    /* equal elements at both ends, whatever is in between */
    for (; i < a_count && i < b_count && a[i] == b[i]; i++)
        partners[i] = i;
    for (j = i; a_count > i && b_count > j && a[a_count - 1] == b[b_count - 1];
         a_count--, b_count--)
        partners[a_count - 1] = b_count - 1;
    while (ok && i < a_count && j < b_count) {
        struct end end = {0, 0, 0};
        bool is_over = false;
        s.a = a + i, s.b = b + j;
        s.a_count = a_count - i, s.b_count = b_count - j;
        for (int64_t d = 0; d <= STEPS && !is_over; d++)
            is_over = step(&s, d, &end);
        read_back(&s, end, i, j, partners);
        i += (uint32_t)end.x;
        j += (uint32_t)(end.x - end.k);
    }
    free(s.far);
    free(s.kept);
    return ok;
}
