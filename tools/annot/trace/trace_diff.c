/* The differences between two runs of a program. The calls of each thread are aligned by their
 * contents (diff_side.h), so that an added, missing or changed call does not hide later calls. The
 * remaining calls are aligned without regard to objects. Of the others, calls of one method between
 * the same two aligned calls are one call that changed, and equal calls in the same scope are one
 * call that moved. Paired calls show which objects of the runs correspond, for all calls.
 *
 * Waiting is no difference: chance decides how often a fence was asked, and when memory was read.
 * The order of releases and private data depends on chance, too, because programs keep objects in
 * sets. */
#include "trace_diff.h"

#include "diff_align.h"
#include "diff_report.h"
#include "trace_where.h"

#include <capture/trace/schema.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link { /* the value in the other run that matches a value */
    struct {
        uint64_t value, kind;
    } key;
    uint64_t other;
    UT_hash_handle hh;
};

struct comparison {
    struct diff_result result;
    struct diff_side sides[2];
    struct link *links[2];
    uint32_t *partners[2]; /* the partner of each call of a side; DIFF_NONE: none */
    uint32_t *anchors[2];  /* 1 + the first run's call that was aligned last; 0: none yet */
    bool has_threads;      /* there is more than one thread */
    bool is_noise;         /* the second side is another recording of the first run */
    bool has_noise;        /* there is or was such a side */
    bool is_failed;        /* memory ran out */
};

/* ---- pairs ---- */

static void set_pair(struct comparison *c, uint32_t first, uint32_t second)
{
    c->partners[0][first] = second;
    c->partners[1][second] = first;
}

/* Chance decides the order of calls that release or unmap objects, or give them private data. */
static bool has_no_order(int32_t method)
{
    return method == METHOD_IUnknown_Release || method == METHOD_ID3D12Resource_Unmap ||
           method == METHOD_ID3D12Object_SetPrivateData ||
           method == METHOD_ID3D12Object_SetPrivateDataInterface;
}

/* Gets the calls of a thread and their tokens. False: out of memory. */
static bool calls_of(const struct diff_side *side, uint32_t thread, uint32_t **calls,
                     struct diff_sequence *tokens)
{
    const struct diff_thread *t = &side->threads.at[thread];
    *calls = malloc((t->count + 1u) * sizeof **calls);
    tokens->exact = malloc((t->count + 1u) * sizeof *tokens->exact);
    tokens->plain = malloc((t->count + 1u) * sizeof *tokens->plain);
    const bool ok = *calls && tokens->exact && tokens->plain;
    for (uint32_t i = t->first; ok && i != DIFF_NONE; i = side->calls.at[i].next) {
        const struct diff_call *call = &side->calls.at[i];
        (*calls)[tokens->count] = i;
        tokens->exact[tokens->count] = call->token;
        tokens->plain[tokens->count++] = has_no_order(call->method) ? call->token : call->plain;
    }
    return ok;
}

static bool pair_threads(struct comparison *c, uint32_t first, uint32_t second)
{
    const uint32_t count = c->sides[0].threads.at[first].count;
    uint32_t *calls[2] = {NULL, NULL}, *partners = malloc((count + 1u) * sizeof *partners);
    struct diff_sequence tokens[2] = {{0}, {0}};
    const bool ok = partners && calls_of(&c->sides[0], first, &calls[0], &tokens[0]) &&
                    calls_of(&c->sides[1], second, &calls[1], &tokens[1]) &&
                    diff_align(&tokens[0], &tokens[1], partners);
    for (uint32_t i = 0; ok && i < count; i++)
        if (partners[i] != ALIGN_NONE)
            set_pair(c, calls[0][i], calls[1][partners[i]]);
    for (int s = 0; s < 2; s++) {
        free(calls[s]);
        free(tokens[s].exact);
        free(tokens[s].plain);
    }
    free(partners);
    return ok;
}

/* ---- threads ---- */

enum {
    THREADS_MAX = 64, /* most threads that are matched by their calls, not by their order */
    ALIKE_LOOK = 4096 /* most calls of a thread that are compared */
};

struct sample { /* a thread's tokens, ascending */
    uint64_t tokens[ALIKE_LOOK];
    uint32_t count;
};

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void take_sample(const struct diff_side *side, uint32_t thread, struct sample *sample)
{
    sample->count = 0;
    for (uint32_t i = side->threads.at[thread].first; i != DIFF_NONE && sample->count < ALIKE_LOOK;
         i = side->calls.at[i].next)
        sample->tokens[sample->count++] = side->calls.at[i].token;
    qsort(sample->tokens, sample->count, sizeof *sample->tokens, by_value);
}

/* How many calls two threads have in common. */
static uint32_t likeness(const struct sample *a, const struct sample *b)
{
    uint32_t common = 0;
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        const int order = by_value(&a->tokens[i], &b->tokens[k]);
        common += order == 0;
        i += order <= 0;
        k += order >= 0;
    }
    return common;
}

static uint32_t best_thread(const struct comparison *c, uint32_t first, const struct sample *own,
                            const struct sample *others, const bool *taken)
{
    uint32_t best = DIFF_NONE, most = 0;
    for (uint32_t k = 0; k < c->sides[1].threads.count; k++) {
        const uint32_t common =
            first < THREADS_MAX && k < THREADS_MAX ? likeness(own, &others[k]) : first == k;
        if (!taken[k] && (best == DIFF_NONE || common > most)) {
            best = k;
            most = common;
        }
    }
    return best;
}

/* Pairs each thread with the thread of the other run that makes most of the same calls. */
static bool pair_all_threads(struct comparison *c)
{
    const uint32_t firsts = c->sides[0].threads.count, seconds = c->sides[1].threads.count;
    bool *taken = calloc(seconds + 1u, sizeof *taken);
    struct sample *samples = malloc((THREADS_MAX + 1) * sizeof *samples), *own = samples;
    bool ok = taken && samples;
    for (uint32_t k = 0; ok && k < seconds && k < THREADS_MAX; k++)
        take_sample(&c->sides[1], k, &samples[1 + k]);
    for (uint32_t i = 0; ok && i < firsts; i++) {
        take_sample(&c->sides[0], i, own);
        const uint32_t best = best_thread(c, i, own, samples + 1, taken);
        if (best == DIFF_NONE)
            continue;
        taken[best] = true;
        ok = pair_threads(c, i, best);
    }
    free(samples);
    free(taken);
    return ok;
}

/* ---- calls that were not aligned ---- */

static void note_anchors(struct comparison *c)
{
    for (int s = 0; s < 2; s++)
        for (uint32_t t = 0; t < c->sides[s].threads.count; t++) {
            uint32_t last = 0;
            for (uint32_t i = c->sides[s].threads.at[t].first; i != DIFF_NONE;
                 i = c->sides[s].calls.at[i].next) {
                if (c->partners[s][i] != DIFF_NONE)
                    last = 1 + (s ? c->partners[s][i] : i);
                c->anchors[s][i] = last;
            }
        }
}

struct left {
    uint64_t key[2];
    uint32_t call;
};

static int by_keys(const struct left *x, const struct left *y)
{
    const int order = by_value(&x->key[0], &y->key[0]);
    return order ? order : by_value(&x->key[1], &y->key[1]);
}

static int by_key(const void *a, const void *b)
{
    const struct left *x = a, *y = b;
    const int order = by_keys(x, y);
    return order ? order : (x->call > y->call) - (x->call < y->call);
}

/* What unpaired calls have in common. */
enum key {
    KEY_MOVED,  /* the call and the scope */
    KEY_ANCHOR, /* the method and the anchor, if the call has an order */
    KEY_PLAIN   /* the call without objects and constants, and the scope */
};

/* Finds the unpaired calls with their keys, in ascending order. NULL: out of memory. */
static struct left *left_of(const struct comparison *c, int s, enum key key, uint32_t *count)
{
    const struct diff_side *side = &c->sides[s];
    struct left *left = malloc((side->calls.count + 1u) * sizeof *left);
    *count = 0;
    for (uint32_t i = 0; left && i < side->calls.count; i++) {
        const struct diff_call *call = &side->calls.at[i];
        const uint64_t method = (uint64_t)(int64_t)call->method;
        const uint64_t anchor = has_no_order(call->method) ? 0 : c->anchors[s][i];
        if (c->partners[s][i] != DIFF_NONE || (key == KEY_PLAIN && trace_is_work(call->method)))
            continue;
        left[(*count)++] = (struct left){{key == KEY_MOVED   ? call->token
                                          : key == KEY_PLAIN ? call->plain
                                                             : method,
                                          key == KEY_ANCHOR ? anchor : call->scope},
                                         i};
    }
    if (left && *count)
        qsort(left, *count, sizeof *left, by_key);
    return left;
}

/* Pairs the n-th call with a key with the n-th such call of the other run. */
static bool pair_left(struct comparison *c, enum key key)
{
    uint32_t counts[2];
    struct left *a = left_of(c, 0, key, &counts[0]), *b = left_of(c, 1, key, &counts[1]);
    for (uint32_t i = 0, k = 0; a && b && i < counts[0] && k < counts[1];) {
        const int order = by_keys(&a[i], &b[k]);
        if (order == 0)
            set_pair(c, a[i].call, b[k].call);
        i += order <= 0;
        k += order >= 0;
    }
    const bool ok = a && b;
    free(a);
    free(b);
    return ok;
}

/* ---- matching values ---- */

static struct link *link_of(struct comparison *c, int side, uint64_t kind, uint64_t value)
{
    struct link *l, key = {.key = {value, kind}};
    HASH_FIND(hh, c->links[side], &key.key, sizeof key.key, l);
    return l;
}

static void set_link(struct comparison *c, int side, uint64_t kind, uint64_t value, uint64_t other)
{
    struct link *l, key = {.key = {value, kind}};
    TABLE_FIND_OR_ADD(c->links[side], key, key.key, l);
    c->is_failed |= !l;
    if (l)
        l->other = other;
}

static bool stands_for(struct comparison *c, uint64_t kind, uint64_t first, uint64_t second,
                       bool is_new)
{
    const struct link *to = link_of(c, 0, kind, first), *from = link_of(c, 1, kind, second);
    if (to && from && !is_new)
        return to->other == second && from->other == first;
    if ((to || from) && !is_new)
        return false;
    set_link(c, 0, kind, first, second);
    set_link(c, 1, kind, second, first);
    return true;
}

static bool is_wait(int32_t method)
{
    return method == METHOD_ID3D12Fence_GetCompletedValue ||
           method == METHOD_ID3D12Fence_SetEventOnCompletion ||
           method == METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion;
}

/* The reference of an element of a set, as the second run's object. */
static uint64_t in_set(struct comparison *c, int side, const struct diff_ref *ref)
{
    const struct link *l = link_of(c, side, ref->kind, ref->value);
    return diff_mix(ref->piece, !l ? 0 : side ? ref->value : l->other);
}

/* Whether a root constant may be the upper half of an address that was in memory by chance: three
 * recordings of one run have only a few of these values, so that two of them may be equal. */
static bool is_half(uint64_t value)
{
    return value >= 0x5500 && value < 0x8000;
}

/* Compares the references of two calls, the arguments' or the answer's. The references of sets are
 * compared by sums, in any order. The system may give the handle of a closed event to any later
 * event. */
static bool same_refs(struct comparison *c, const struct diff_call *a, const struct diff_call *b,
                      bool is_answer)
{
    const uint32_t from_a = is_answer ? a->argument_refs : 0,
                   from_b = is_answer ? b->argument_refs : 0;
    const uint32_t to_a = is_answer ? a->ref_count : a->argument_refs,
                   to_b = is_answer ? b->ref_count : b->argument_refs;
    bool same = to_a - from_a == to_b - from_b;
    uint64_t sets[2] = {0, 0};
    for (uint32_t i = 0; i < to_a - from_a && i < to_b - from_b; i++) {
        struct diff_ref *x = &c->sides[0].refs.at[a->refs + from_a + i];
        const struct diff_ref *y = &c->sides[1].refs.at[b->refs + from_b + i];
        if (x->kind == KIND_K && y->kind == KIND_K && is_wait(a->method))
            continue;
        if (x->piece && y->piece) {
            sets[0] += in_set(c, 0, x);
            sets[1] += in_set(c, 1, y);
        } else if (x->kind == KIND_U && y->kind == KIND_U) {
            x->is_chance |= y->is_chance || (c->is_noise && x->value != y->value);
            same &= x->is_chance || x->value == y->value ||
                    (c->has_noise && is_half(x->value) && is_half(y->value));
        } else if (x->kind != y->kind ||
                   !stands_for(c, x->kind, x->value, y->value, x->is_new && y->is_new)) {
            same = false;
        }
    }
    return same && sets[0] == sets[1];
}

static int by_place(const void *a, const void *b)
{
    const struct diff_page *x = a, *y = b;
    return x->object != y->object ? (x->object > y->object) - (x->object < y->object)
                                  : (x->offset > y->offset) - (x->offset < y->offset);
}

/* Finds the page of another call at the same place; NULL: there is none. */
static struct diff_page *at_place(struct comparison *c, int side, const struct diff_page *p,
                                  struct diff_page *others, uint32_t count)
{
    const struct link *l = link_of(c, side, KIND_O, p->object);
    const struct diff_page key = {.object = l ? l->other : 0, .offset = p->offset};
    return l && count ? bsearch(&key, others, count, sizeof key, by_place) : NULL;
}

/* Finds the first page of `of` that `in` lacks or has with other bytes. With several threads,
 * memory that the GPU writes is seen before, during or behind the GPU's work. */
static const struct diff_page *missing(struct comparison *c, int side, const struct diff_call *of,
                                       const struct diff_call *in)
{
    for (uint32_t i = 0; i < of->page_count; i++) {
        struct diff_page *p = &c->sides[side].pages.at[of->pages + i];
        if ((p->is_shared && c->has_threads) || p->is_chance)
            continue;
        struct diff_page *found =
            at_place(c, side, p, c->sides[!side].pages.at + in->pages, in->page_count);
        if ((found && (found->is_chance || found->hash == p->hash)))
            continue;
        if (!c->is_noise || side == 1)
            return p;
        p->is_chance = true;
    }
    return NULL;
}

static bool same_memory(struct comparison *c, struct diff_pair *pair, const struct diff_call *a,
                        const struct diff_call *b)
{
    const struct diff_page *p = missing(c, 0, a, b), *q = p ? NULL : missing(c, 1, b, a);
    const struct link *l = q ? link_of(c, 1, KIND_O, q->object) : NULL;
    if (!p && !q)
        return true;
    pair->object = p ? p->object : l ? l->other : 0;
    pair->offset = p ? p->offset : q->offset;
    return false;
}

/* Compares the memory that both runs read. */
static bool same_reads(struct comparison *c, struct diff_pair *pair, const struct diff_call *a,
                       const struct diff_call *b)
{
    for (uint32_t i = 0; i < a->read_count; i++) {
        struct diff_page *x = &c->sides[0].reads.at[a->reads + i];
        const struct diff_page *y =
            at_place(c, 0, x, c->sides[1].reads.at + b->reads, b->read_count);
        if (!y || y->size != x->size || y->hash == x->hash || x->is_chance)
            continue;
        x->is_chance = c->is_noise;
        if (c->is_noise)
            continue;
        pair->object = x->object;
        pair->offset = x->offset;
        return false;
    }
    return true;
}

/* ---- calls ---- */

/* Whether chance decides the result: a fence's value, or a count with several threads. */
static bool is_chance(const struct comparison *c, int32_t method)
{
    return method == METHOD_ID3D12Fence_GetCompletedValue ||
           (c->has_threads &&
            (method == METHOD_IUnknown_AddRef || method == METHOD_IUnknown_Release));
}

static enum diff_what compare(struct comparison *c, struct diff_pair *pair)
{
    const struct diff_call *a = &c->sides[0].calls.at[pair->first];
    const struct diff_call *b = &c->sides[1].calls.at[pair->second];
    if (has_no_order(a->method) && a->token == b->token && !a->page_count && !b->page_count)
        return DIFF_ALIKE;
    const bool same_arguments = same_refs(c, a, b, false) && a->plain == b->plain;
    const bool has_memory = same_memory(c, pair, a, b);
    const bool same_answers =
        (same_refs(c, a, b, true) && a->answer == b->answer) || is_chance(c, a->method);
    if (!same_arguments)
        return DIFF_ARGUMENTS;
    if (!has_memory)
        return DIFF_MEMORY;
    if (!same_answers)
        return DIFF_RESULT;
    if (!same_reads(c, pair, a, b))
        return DIFF_READ_BACK;
    if (c->anchors[0][pair->first] == pair->first + 1 || has_no_order(a->method))
        return DIFF_ALIKE;
    return is_wait(a->method) ? DIFF_WAIT : DIFF_ORDER;
}

static void compare_one(struct comparison *c, uint32_t first, uint32_t second)
{
    struct diff_pair pair = {.first = first, .second = second};
    if (first != DIFF_NONE && second != DIFF_NONE)
        pair.what = compare(c, &pair);
    else if (is_wait(first != DIFF_NONE ? c->sides[0].calls.at[first].method
                                        : c->sides[1].calls.at[second].method))
        pair.what = DIFF_WAIT;
    else
        pair.what = first != DIFF_NONE ? DIFF_ONLY_FIRST : DIFF_ONLY_SECOND;
    uint32_t *chances = first != DIFF_NONE ? &c->sides[0].calls.at[first].chances : &(uint32_t){0};
    if (c->is_noise) {
        *chances |= 1u << pair.what;
        return;
    }
    if (pair.what && pair.what < DIFF_WAIT && (*chances >> pair.what & 1))
        pair.what = DIFF_CHANCE;
    c->is_failed |= !diff_result_add(&c->result, &pair);
}

static void sort_pages(struct diff_side *side)
{
    for (uint32_t i = 0; i < side->calls.count; i++) {
        const struct diff_call *call = &side->calls.at[i];
        if (call->page_count > 1)
            qsort(side->pages.at + call->pages, call->page_count, sizeof *side->pages.at, by_place);
        if (call->read_count > 1)
            qsort(side->reads.at + call->reads, call->read_count, sizeof *side->reads.at, by_place);
    }
}

/* Compares in the order of the first run's calls: an object's creation comes before its uses,
 * whichever thread made the object. */
static bool compare_all(struct comparison *c)
{
    for (int s = 0; s < 2; s++) {
        const size_t size = (c->sides[s].calls.count + 1u) * sizeof(uint32_t);
        c->partners[s] = malloc(size);
        c->anchors[s] = malloc(size);
        if (!c->partners[s] || !c->anchors[s])
            return false;
        memset(c->partners[s], 0xff, size); /* DIFF_NONE */
        sort_pages(&c->sides[s]);
    }
    c->has_threads = c->sides[0].threads.count > 1 || c->sides[1].threads.count > 1;
    if (!pair_all_threads(c))
        return false;
    note_anchors(c);
    if (!pair_left(c, KEY_MOVED) || !pair_left(c, KEY_ANCHOR) || !pair_left(c, KEY_PLAIN))
        return false;
    for (uint32_t i = 0; i < c->sides[0].calls.count; i++)
        compare_one(c, i, c->partners[0][i]);
    for (uint32_t i = 0; i < c->sides[1].calls.count; i++)
        if (c->partners[1][i] == DIFF_NONE)
            compare_one(c, DIFF_NONE, i);
    return !c->is_failed;
}

/* Forgets the second run. */
static void forget(struct comparison *c)
{
    diff_side_free(&c->sides[1]);
    for (int s = 0; s < 2; s++) {
        TABLE_FREE(struct link, c->links[s])
        free(c->partners[s]);
        free(c->anchors[s]);
        c->partners[s] = c->anchors[s] = NULL;
    }
}

static bool compare_with(struct comparison *c, struct trace *second)
{
    return diff_side_read(&c->sides[1], second) && compare_all(c);
}

int trace_diff(struct trace *first, struct trace *second, struct trace *noise, bool is_json)
{
    struct comparison c = {.result = {.traces = {first, second}}, .has_noise = noise != NULL};
    c.result.sides = c.sides;
    bool ok = diff_side_read(&c.sides[0], first);
    if (ok && noise) {
        c.is_noise = true;
        ok = compare_with(&c, noise);
        c.is_noise = false;
        forget(&c);
    }
    ok = ok && compare_with(&c, second);
    const int status = ok ? diff_report(&c.result, is_json) : 2;
    if (!ok)
        fputs("annot trace diff: memory ran out\n", stderr);
    if (c.sides[0].is_odd || c.sides[1].is_odd)
        fputs("annot trace diff: some records are damaged, or memory ran out\n", stderr);
    diff_result_free(&c.result);
    forget(&c);
    diff_side_free(&c.sides[0]);
    return status;
}
