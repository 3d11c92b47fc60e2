/* Elements whose exact tokens both sequences have once divide them: the longest ascending series of
 * these pairs is kept, and the parts in between are aligned alone ("patience diff"). Parts without
 * such elements are aligned by plain tokens, window by window, each with as many pairs as possible.
 */
#include "diff_align.h"

#include "array.h"

#define WINDOW 256        /* elements of both sequences that are compared each with each */
#define LEVELS 16         /* how often parts are divided again */
#define IN_B   (1u << 31) /* a place in `b` */

struct seen { /* an element and its place */
    uint64_t element;
    uint32_t at;
};

struct aligning {
    const struct diff_sequence *a, *b;
    uint32_t *partners;
    struct seen *seen;        /* elements of both sequences */
    uint32_t *tails, *before; /* the ascending series: last places by length; the place before */
    uint16_t (*longest)[WINDOW + 1]; /* for each two places of a window the pairs behind them */
};

struct part { /* ranges of both sequences */
    uint32_t a, a_end, b, b_end;
};

static int by_element(const void *x, const void *y)
{
    const struct seen *a = x, *b = y;
    return a->element != b->element ? (a->element > b->element) - (a->element < b->element)
                                    : (a->at > b->at) - (a->at < b->at);
}

/* Pairs the elements that both ranges have once. */
static void pair_unique(struct aligning *w, const struct part *part)
{
    size_t n = 0, next;
    for (uint32_t i = part->a; i < part->a_end; i++)
        w->seen[n++] = (struct seen){w->a->exact[i], i};
    for (uint32_t i = part->b; i < part->b_end; i++)
        w->seen[n++] = (struct seen){w->b->exact[i], i | IN_B};
    qsort(w->seen, n, sizeof *w->seen, by_element);
    for (size_t i = 0; i < n; i = next) {
        for (next = i + 1; next < n && w->seen[next].element == w->seen[i].element;)
            next++;
        if (next - i == 2 && !(w->seen[i].at & IN_B) && (w->seen[i + 1].at & IN_B))
            w->partners[w->seen[i].at] = w->seen[i + 1].at & ~IN_B;
    }
}

/* Pairs the elements that both ranges have once, and that are in the same order. False: none. */
static bool divide(struct aligning *w, const struct part *part)
{
    uint32_t count = 0, *partners = w->partners;
    size_t shorter;
    pair_unique(w, part);
    for (uint32_t i = part->a; i < part->a_end; i++) {
        if (partners[i] == ALIGN_NONE)
            continue;
        ARRAY_COUNT_FIRST(shorter, count, k, partners[w->tails[k]] < partners[i]);
        w->before[i] = shorter ? w->tails[shorter - 1] : ALIGN_NONE;
        w->tails[shorter] = i;
        count += shorter == count;
    }
    uint32_t kept = count ? w->tails[count - 1] : ALIGN_NONE;
    for (uint32_t i = part->a_end; i-- > part->a;)
        if (i == kept)
            kept = w->before[i];
        else
            partners[i] = ALIGN_NONE;
    return count > 0;
}

/* Pairs equal elements at both ends, whatever is in between. */
static void pair_ends(struct aligning *w, struct part *p, const uint64_t *a, const uint64_t *b)
{
    while (p->a < p->a_end && p->b < p->b_end && a[p->a] == b[p->b])
        w->partners[p->a++] = p->b++;
    while (p->a < p->a_end && p->b < p->b_end && a[p->a_end - 1] == b[p->b_end - 1])
        w->partners[--p->a_end] = --p->b_end;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Pairs as many elements as possible of the next window. Moves the part's begin behind them. */
static void pair_window(struct aligning *w, struct part *p)
{
    const uint32_t a_left = p->a_end - p->a, b_left = p->b_end - p->b;
    const uint32_t n = least(a_left, WINDOW), m = least(b_left, WINDOW);
    const uint64_t *a = w->a->plain + p->a, *b = w->b->plain + p->b;
    uint32_t i, k;
    for (i = n + 1; i-- > 0;)
        for (k = m + 1; k-- > 0;)
            w->longest[i][k] = i == n || k == m ? 0
                               : a[i] == b[k]   ? (uint16_t)(w->longest[i + 1][k + 1] + 1)
                               : w->longest[i + 1][k] > w->longest[i][k + 1] ? w->longest[i + 1][k]
                                                                             : w->longest[i][k + 1];
    const bool has_pairs = w->longest[0][0] > 0;
    for (i = k = 0; w->longest[i][k] > 0;)
        if (a[i] == b[k])
            w->partners[p->a + i++] = p->b + k++;
        else if (w->longest[i + 1][k + 1] == w->longest[i][k]) /* one call that changed */
            i++, k++;
        else if (w->longest[i + 1][k] == w->longest[i][k])
            i++;
        else
            k++;
    const bool is_whole = n == a_left && m == b_left;
    p->a += is_whole ? n : has_pairs ? i : a_left >= b_left ? n : 0;
    p->b += is_whole ? m : has_pairs ? k : b_left >= a_left ? m : 0;
}

static void align(struct aligning *w, struct part part, int levels)
{
    pair_ends(w, &part, w->a->exact, w->b->exact);
    if (part.a < part.a_end && part.b < part.b_end && levels > 0 && divide(w, &part)) {
        struct part between = part;
        for (uint32_t i = part.a; i <= part.a_end; i++) {
            if (i < part.a_end && w->partners[i] == ALIGN_NONE)
                continue;
            between.a_end = i;
            between.b_end = i < part.a_end ? w->partners[i] : part.b_end;
            align(w, between, levels - 1);
            between.a = i + 1;
            between.b = between.b_end + 1;
        }
        return;
    }
    pair_ends(w, &part, w->a->plain, w->b->plain);
    while (part.a < part.a_end && part.b < part.b_end) {
        pair_window(w, &part);
        pair_ends(w, &part, w->a->plain, w->b->plain);
    }
}

bool diff_align(const struct diff_sequence *a, const struct diff_sequence *b, uint32_t *partners)
{
    struct aligning w = {.a = a,
                         .b = b,
                         .partners = partners,
                         .seen = malloc(((size_t)a->count + b->count + 1) * sizeof *w.seen),
                         .tails = malloc((a->count + 1u) * sizeof *w.tails),
                         .before = malloc((a->count + 1u) * sizeof *w.before),
                         .longest = malloc((WINDOW + 1) * sizeof *w.longest)};
    const bool ok =
        w.seen && w.tails && w.before && w.longest && a->count < IN_B && b->count < IN_B;
    memset(partners, 0xff, a->count * sizeof *partners);
    if (ok)
        align(&w, (struct part){0, a->count, 0, b->count}, LEVELS);
    free(w.seen);
    free(w.tails);
    free(w.before);
    free(w.longest);
    return ok;
}
