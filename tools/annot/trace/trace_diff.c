/*
 * The differences between two runs of a program. The calls of each thread are aligned by what they
 * say (diff_side.h), so that a call that was added, left out or changed does not hide those behind
 * it. Calls that stand for each other tell which object of the one run is which of the other; that
 * is then the same for all calls.
 *
 * Waiting is no difference: how often a fence was asked, and when memory was read, is chance.
 */
#include "trace_diff.h"

#include "diff_align.h"
#include "diff_side.h"
#include "memory_text.h"
#include "table.h"
#include "trace_marker.h"
#include "array.h"
#include "cli.h"
#include "json_writer.h"

#include <capture/trace/print.h>
#include <capture/trace/schema.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MAX    100u /* differences that are printed */
#define ELEMENTS_MAX 16u
#define LINE_MAX     400 /* characters of a call in text */

enum what { ALIKE, ARGUMENTS, RESULT, MEMORY, READ_BACK, ONLY_FIRST, ONLY_SECOND, WAIT, WHATS };

static const char *const names[WHATS] = {"alike",
                                         "other arguments",
                                         "other result",
                                         "other memory written before",
                                         "read back otherwise",
                                         "only in the first",
                                         "only in the second",
                                         "a wait"};

struct link { /* what a value of one run is in the other */
    struct {
        uint64_t value, kind;
    } key;
    uint64_t other;
    UT_hash_handle hh;
};

struct pair {
    uint32_t first, second;  /* calls; DIFF_NONE: none */
    uint32_t what;           /* enum what */
    uint64_t object, offset; /* of the first, for MEMORY and READ_BACK */
};

struct comparison {
    struct diff_side sides[2];
    struct trace *traces[2];
    struct link *links[2];
    struct pair *pairs;
    uint32_t *partners; /* by calls of the first: the second's, DIFF_NONE: none */
    uint32_t count, capacity;
    uint32_t counts[WHATS];
    bool has_threads; /* more than one */
    bool is_failed;   /* out of memory */
};

/* ---- pairs ---- */

static void add_pair(struct comparison *c, uint32_t first, uint32_t second)
{
    if (ARRAY_ROOM(c->pairs, c->count, c->capacity))
        c->pairs[c->count++] = (struct pair){.first = first, .second = second};
    else
        c->is_failed = true;
}

struct in_row { /* of calls that have no order */
    uint64_t token, number;
    uint32_t call;
};

static int by_token(const void *a, const void *b)
{
    const struct in_row *x = a, *y = b;
    return x->token != y->token ? (x->token > y->token) - (x->token < y->token)
                                : (x->number > y->number) - (x->number < y->number);
}

/* Releases in a row come in any order: programs keep objects in sets. They are put in that of what
 * they release. */
static bool order_releases(const struct diff_side *side, uint32_t *calls, uint32_t count)
{
    struct in_row *row = malloc((count ? count : 1) * sizeof *row);
    for (uint32_t i = 0, n; row && i < count; i += n ? n : 1) {
        for (n = 0; i + n < count; n++) {
            const struct diff_call *call = &side->calls.at[calls[i + n]];
            if (call->method != METHOD_IUnknown_Release)
                break;
            row[n] = (struct in_row){call->token, call->number, calls[i + n]};
        }
        if (n > 1)
            qsort(row, n, sizeof *row, by_token);
        for (uint32_t k = 0; k < n; k++)
            calls[i + k] = row[k].call;
    }
    free(row);
    return row != NULL;
}

/* The calls of a thread; NULL: out of memory. */
static uint32_t *calls_of(const struct diff_side *side, uint32_t thread)
{
    const struct diff_thread *t = &side->threads.at[thread];
    uint32_t *calls = malloc((t->count ? t->count : 1) * sizeof *calls), n = 0;
    for (uint32_t i = t->first; calls && i != DIFF_NONE; i = side->calls.at[i].next)
        calls[n++] = i;
    return calls;
}

/* Between two calls that are alike on both sides, calls of one method stand for each other in their
 * order. */
static void pair_gap(struct comparison *c, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                     uint32_t b_count)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < a_count; i++) {
        const int32_t method = c->sides[0].calls.at[a[i]].method;
        uint32_t k = at;
        while (k < b_count && c->sides[1].calls.at[b[k]].method != method)
            k++;
        if (k == b_count) {
            add_pair(c, a[i], DIFF_NONE);
            continue;
        }
        for (; at < k; at++)
            add_pair(c, DIFF_NONE, b[at]);
        add_pair(c, a[i], b[k]);
        at = k + 1;
    }
    for (; at < b_count; at++)
        add_pair(c, DIFF_NONE, b[at]);
}

static void pair_calls(struct comparison *c, const uint32_t *a, uint32_t a_count, const uint32_t *b,
                       uint32_t b_count, const uint32_t *partners)
{
    uint32_t from = 0, to = 0;
    for (uint32_t i = 0; i < a_count; i++) {
        if (partners[i] == ALIGN_NONE)
            continue;
        pair_gap(c, a + from, i - from, b + to, partners[i] - to);
        add_pair(c, a[i], b[partners[i]]);
        from = i + 1;
        to = partners[i] + 1;
    }
    pair_gap(c, a + from, a_count - from, b + to, b_count - to);
}

static bool pair_threads(struct comparison *c, uint32_t first, uint32_t second)
{
    const uint32_t threads[2] = {first, second};
    uint32_t *calls[2] = {NULL, NULL}, counts[2] = {0, 0}, *partners = NULL;
    uint64_t *tokens[2] = {NULL, NULL};
    bool ok = true;
    for (int s = 0; s < 2 && ok; s++) {
        const struct diff_side *side = &c->sides[s];
        counts[s] = threads[s] == DIFF_NONE ? 0 : side->threads.at[threads[s]].count;
        calls[s] = counts[s] ? calls_of(side, threads[s]) : malloc(sizeof **calls);
        tokens[s] = malloc((counts[s] ? counts[s] : 1) * sizeof **tokens);
        ok = calls[s] && tokens[s] && order_releases(side, calls[s], counts[s]);
        for (uint32_t i = 0; ok && i < counts[s]; i++)
            tokens[s][i] = side->calls.at[calls[s][i]].token;
    }
    ok = ok && (partners = malloc((counts[0] ? counts[0] : 1) * sizeof *partners)) &&
         diff_align(tokens[0], counts[0], tokens[1], counts[1], partners);
    if (ok)
        pair_calls(c, calls[0], counts[0], calls[1], counts[1], partners);
    for (int s = 0; s < 2; s++) {
        free(calls[s]);
        free(tokens[s]);
    }
    free(partners);
    return ok && !c->is_failed;
}

/* ---- threads ---- */

struct tokens { /* of a thread, how often each */
    uint64_t token;
    uint32_t counts[2];
    UT_hash_handle hh;
};

#define ALIKE_LOOK 4096u /* calls of a thread that are looked at */

/* How many calls two threads have in common. */
static uint32_t likeness(const struct comparison *c, uint32_t first, uint32_t second)
{
    const uint32_t threads[2] = {first, second};
    struct tokens *all = NULL, *t;
    uint32_t common = 0;
    for (int s = 0; s < 2; s++) {
        const struct diff_side *side = &c->sides[s];
        uint32_t i = side->threads.at[threads[s]].first;
        for (uint32_t n = 0; i != DIFF_NONE && n < ALIKE_LOOK; n++, i = side->calls.at[i].next) {
            const uint64_t token = side->calls.at[i].token;
            if (s == 0)
                TABLE_FIND_OR_ADD(all, token, token, t);
            else
                HASH_FIND(hh, all, &token, sizeof token, t);
            if (t)
                t->counts[s]++;
        }
    }
    for (t = all; t; t = t->hh.next)
        common += t->counts[0] < t->counts[1] ? t->counts[0] : t->counts[1];
    TABLE_FREE(struct tokens, all)
    return common;
}

#define THREADS_MAX 64u /* that are looked for by what they do; others by their order */

/* Each thread with the one of the other run that does most of what it does. */
static bool pair_all_threads(struct comparison *c)
{
    const uint32_t firsts = c->sides[0].threads.count, seconds = c->sides[1].threads.count;
    bool *taken = calloc(seconds ? seconds : 1, sizeof *taken);
    bool ok = taken != NULL;
    for (uint32_t i = 0; ok && i < firsts; i++) {
        uint32_t best = DIFF_NONE, most = 0;
        for (uint32_t k = 0; k < seconds; k++) {
            if (taken[k])
                continue;
            const uint32_t common = i < THREADS_MAX && k < THREADS_MAX && firsts + seconds > 2
                                        ? likeness(c, i, k)
                                        : i == k;
            if (best == DIFF_NONE || common > most) {
                best = k;
                most = common;
            }
        }
        if (best != DIFF_NONE)
            taken[best] = true;
        ok = pair_threads(c, i, best);
    }
    for (uint32_t k = 0; ok && k < seconds; k++)
        ok = taken[k] || pair_threads(c, DIFF_NONE, k);
    free(taken);
    return ok;
}

/* ---- what stands for what ---- */

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

/* Where threads share an object out, a place is what the call that took it made of it. */
static bool same_place(const struct comparison *c, const struct diff_ref *x,
                       const struct diff_ref *y)
{
    if (x->maker == DIFF_NONE || y->maker == DIFF_NONE)
        return x->maker == y->maker && x->offset == y->offset;
    return c->partners[x->maker] == y->maker;
}

/* References of two calls: the arguments' or the answer's. The system gives the handle of an event
 * that was closed to the next one, whenever that is. */
static bool same_refs(struct comparison *c, const struct diff_call *a, const struct diff_call *b,
                      bool is_answer)
{
    const uint32_t from_a = is_answer ? a->argument_refs : 0,
                   from_b = is_answer ? b->argument_refs : 0;
    const uint32_t to_a = is_answer ? a->ref_count : a->argument_refs,
                   to_b = is_answer ? b->ref_count : b->argument_refs;
    bool same = to_a - from_a == to_b - from_b;
    for (uint32_t i = 0; i < to_a - from_a && i < to_b - from_b; i++) {
        const struct diff_ref *x = &c->sides[0].refs.at[a->refs + from_a + i];
        const struct diff_ref *y = &c->sides[1].refs.at[b->refs + from_b + i];
        if (x->kind == KIND_K && y->kind == KIND_K && is_wait(a->method))
            continue;
        if (x->kind != y->kind || !same_place(c, x, y) ||
            !stands_for(c, x->kind, x->value, y->value, x->is_new && y->is_new))
            same = false;
    }
    return same;
}

/* ---- memory ---- */

static int by_place(const void *a, const void *b)
{
    const struct diff_page *x = a, *y = b;
    return x->object != y->object ? (x->object > y->object) - (x->object < y->object)
                                  : (x->offset > y->offset) - (x->offset < y->offset);
}

/* The first page of `of` that `in` has not, or has otherwise. With several threads memory that the
 * GPU writes to is seen now before and now behind its work, or amid it. */
static const struct diff_page *missing(struct comparison *c, int side, const struct diff_call *of,
                                       const struct diff_call *in)
{
    const struct diff_page *pages = c->sides[side].pages.at;
    const struct diff_page *others = c->sides[!side].pages.at;
    for (uint32_t i = 0; i < of->page_count; i++) {
        const struct diff_page *p = &pages[of->pages + i];
        if (p->is_shared && c->has_threads)
            continue;
        const struct link *l = link_of(c, side, KIND_O, p->object);
        const struct diff_page key = {.object = l ? l->other : 0, .offset = p->offset};
        const struct diff_page *found =
            l && in->page_count
                ? bsearch(&key, others + in->pages, in->page_count, sizeof key, by_place)
                : NULL;
        if (!found && p->is_taken)
            continue; /* it may have been there already, from who had the range before */
        if (!found || found->hash != p->hash)
            return p;
    }
    return NULL;
}

static bool same_memory(struct comparison *c, struct pair *pair, const struct diff_call *a,
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

/* Compares the memory that both runs looked at. */
static bool same_reads(struct comparison *c, struct pair *pair, const struct diff_call *a,
                       const struct diff_call *b)
{
    for (uint32_t i = 0; i < a->read_count; i++) {
        const struct diff_read *x = &c->sides[0].reads.at[a->reads + i];
        const struct link *l = link_of(c, 0, KIND_O, x->object);
        for (uint32_t k = 0; l && k < b->read_count; k++) {
            const struct diff_read *y = &c->sides[1].reads.at[b->reads + k];
            if (y->object != l->other || y->offset != x->offset || y->size != x->size ||
                y->hash == x->hash)
                continue;
            pair->object = x->object;
            pair->offset = x->offset;
            return false;
        }
    }
    return true;
}

/* ---- calls ---- */

/* Results that a call has by chance: a fence's value, and with several threads counts. */
static bool is_chance(const struct comparison *c, int32_t method)
{
    return method == METHOD_ID3D12Fence_GetCompletedValue ||
           (c->has_threads &&
            (method == METHOD_IUnknown_AddRef || method == METHOD_IUnknown_Release));
}

static enum what compare(struct comparison *c, struct pair *pair)
{
    const struct diff_call *a =
        pair->first == DIFF_NONE ? NULL : &c->sides[0].calls.at[pair->first];
    const struct diff_call *b =
        pair->second == DIFF_NONE ? NULL : &c->sides[1].calls.at[pair->second];
    if (!a || !b)
        return is_wait(a ? a->method : b->method) ? WAIT : a ? ONLY_FIRST : ONLY_SECOND;
    const bool same_arguments = same_refs(c, a, b, false) && a->token == b->token;
    const bool has_memory = same_memory(c, pair, a, b);
    const bool same_answers =
        (same_refs(c, a, b, true) && a->answer == b->answer) || is_chance(c, a->method);
    if (!same_arguments)
        return ARGUMENTS;
    if (!has_memory)
        return MEMORY;
    return !same_answers ? RESULT : !same_reads(c, pair, a, b) ? READ_BACK : ALIKE;
}

static uint64_t order_of(const struct pair *pair, uint64_t last)
{
    return pair->first == DIFF_NONE ? last : pair->first;
}

struct placed { /* a pair, and the call of the first run that it stands at or behind */
    uint64_t place;
    uint32_t index;
    struct pair pair;
};

static int by_order(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return x->place != y->place ? (x->place > y->place) - (x->place < y->place)
                                : (x->index > y->index) - (x->index < y->index);
}

/* An object that was made before is known when it is used, whichever thread made it. */
static bool sort_pairs(struct comparison *c)
{
    struct placed *all = malloc((c->count ? c->count : 1) * sizeof *all);
    uint64_t last = 0;
    if (!all)
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        last = order_of(&c->pairs[i], last);
        all[i] = (struct placed){last, i, c->pairs[i]};
    }
    qsort(all, c->count, sizeof *all, by_order);
    for (uint32_t i = 0; i < c->count; i++)
        c->pairs[i] = all[i].pair;
    free(all);
    return true;
}

static void sort_pages(struct diff_side *side)
{
    for (uint32_t i = 0; i < side->calls.count; i++) {
        const struct diff_call *call = &side->calls.at[i];
        if (call->page_count > 1)
            qsort(side->pages.at + call->pages, call->page_count, sizeof *side->pages.at, by_place);
    }
}

static bool note_partners(struct comparison *c)
{
    const uint32_t count = c->sides[0].calls.count;
    c->partners = malloc((count ? count : 1) * sizeof *c->partners);
    for (uint32_t i = 0; c->partners && i < count; i++)
        c->partners[i] = DIFF_NONE;
    for (uint32_t i = 0; c->partners && i < c->count; i++)
        if (c->pairs[i].first != DIFF_NONE)
            c->partners[c->pairs[i].first] = c->pairs[i].second;
    return c->partners != NULL;
}

static bool compare_all(struct comparison *c)
{
    c->has_threads = c->sides[0].threads.count > 1 || c->sides[1].threads.count > 1;
    for (int s = 0; s < 2; s++)
        sort_pages(&c->sides[s]);
    if (!pair_all_threads(c) || !sort_pairs(c) || !note_partners(c))
        return false;
    for (uint32_t i = 0; i < c->count; i++) {
        c->pairs[i].what = compare(c, &c->pairs[i]);
        c->counts[c->pairs[i].what]++;
    }
    return !c->is_failed;
}

/* ---- what is printed ---- */

struct shown { /* the line of a call that differs, and the scopes around it */
    uint64_t number;
    char *line, *path;
    UT_hash_handle hh;
};

static bool is_difference(const struct pair *pair)
{
    return pair->what != ALIKE && pair->what != WAIT;
}

static bool want(struct shown **all, const struct diff_side *side, uint32_t call)
{
    struct shown *s;
    if (call == DIFF_NONE)
        return true;
    const uint64_t number = side->calls.at[call].number;
    TABLE_FIND_OR_ADD(*all, number, number, s);
    return s != NULL;
}

/* NULL: out of memory. `markers` NULL: the call itself. */
static char *text_of(const struct trace_item *item, const struct markers *markers, bool is_json)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = memory_text_open(&text, &size);
    struct trace_printer printer;
    if (!file)
        return NULL;
    if (markers) {
        markers_print_path(markers, file, item, is_json);
    } else if (trace_printer_init(&printer, file, is_json)) {
        printer.elements_max = ELEMENTS_MAX;
        (void)trace_print(&printer, item);
        trace_printer_finish(&printer);
    }
    (void)memory_text_flush(file, &text, &size);
    fclose(file);
    return text;
}

/* False: out of memory. */
static bool read_lines(struct shown *all, struct trace *trace, bool is_json)
{
    struct markers *markers = all ? markers_open(NULL) : NULL;
    struct trace_item item;
    struct shown *s;
    bool ok = markers || !all;
    trace_rewind(trace);
    while (all && ok && trace_next(trace, &item)) {
        ok = markers_follow(markers, &item);
        if (item.record.kind != RECORD_ENTER)
            continue;
        HASH_FIND(hh, all, &item.record.call, sizeof item.record.call, s);
        if (s && !s->line) {
            s->line = text_of(&item, NULL, is_json);
            s->path = text_of(&item, markers, is_json);
        }
    }
    markers_close(markers);
    return ok;
}

static void free_lines(struct shown *all)
{
    struct shown *s, *next;
    HASH_ITER(hh, all, s, next)
    {
        HASH_DEL(all, s);
        free(s->line);
        free(s->path);
        free(s);
    }
}

static const struct shown *shown_of(struct shown *all, const struct diff_side *side, uint32_t call)
{
    struct shown *s = NULL;
    if (call != DIFF_NONE)
        HASH_FIND(hh, all, &side->calls.at[call].number, sizeof(uint64_t), s);
    return s;
}

static void print_line(const struct shown *s, const char *mark)
{
    if (s && s->line)
        printf("  %s %.*s%s\n", mark, LINE_MAX, s->line, strlen(s->line) > LINE_MAX ? " ..." : "");
}

/* The line is JSON already. */
static void json_line(struct annot__json *out, const char *key, const struct shown *s)
{
    annot__json_key(out, key);
    annot__json_raw(out, s && s->line ? s->line : "null");
}

/* `out` NULL: as text. */
static void print_pair(const struct comparison *c, const struct pair *pair, struct shown *lines[2],
                       struct annot__json *out)
{
    const bool has_first = pair->first != DIFF_NONE;
    const bool has_place = pair->what == MEMORY || pair->what == READ_BACK;
    const struct diff_call *call =
        has_first ? &c->sides[0].calls.at[pair->first] : &c->sides[1].calls.at[pair->second];
    const struct shown *first = shown_of(lines[0], &c->sides[0], pair->first);
    const struct shown *second = shown_of(lines[1], &c->sides[1], pair->second);
    const struct shown *said = has_first ? first : second;
    const char *path = said && said->path ? said->path : "";
    char method[160];
    if (out) {
        annot__json_open(out, NULL, "{");
        annot__json_string(out, "what", names[pair->what]);
        if (has_place) {
            annot__json_number(out, "object", pair->object);
            annot__json_number(out, "offset", pair->offset);
        }
        annot__json_raw(out, path);
        json_line(out, "first", first);
        json_line(out, "second", second);
        annot__json_close(out, "}");
        return;
    }
    trace_method_name(call->method, method, sizeof method);
    fputs(names[pair->what], stdout);
    if (has_place)
        printf(": #%" PRIu64 " from byte %" PRIu64 " on", pair->object, pair->offset);
    printf(", at call %" PRIu64 ": %s%s\n", call->number, method, path);
    print_line(first, "<");
    print_line(second, ">");
}

/* After both were read to their ends: nothing of them is damaged or missing. */
static bool is_whole(struct trace *const *both)
{
    return !trace_get_finding(both[0], 0) && !trace_get_finding(both[1], 0);
}

static uint32_t difference_count(const struct comparison *c)
{
    return c->count - c->counts[ALIKE] - c->counts[WAIT];
}

static void json_summary(const struct comparison *c, struct annot__json *out)
{
    static const struct {
        const char *key;
        enum what what;
    } members[] = {{"alike", ALIKE},
                   {"arguments", ARGUMENTS},
                   {"results", RESULT},
                   {"memory", MEMORY},
                   {"read_backs", READ_BACK},
                   {"only_first", ONLY_FIRST},
                   {"only_second", ONLY_SECOND},
                   {"waits", WAIT}};
    annot__json_open(out, NULL, "{");
    annot__json_bool(out, "same", !difference_count(c) && is_whole(c->traces));
    annot__json_open(out, "calls", "[");
    for (int s = 0; s < 2; s++)
        annot__json_number(out, NULL, c->sides[s].calls.count);
    annot__json_close(out, "]");
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        annot__json_number(out, members[i].key, c->counts[members[i].what]);
    annot__json_open(out, "differences", "[");
}

static void print_summary(const struct comparison *c)
{
    const uint32_t differ = difference_count(c);
    printf(differ                ? "%" PRIu32 " calls are alike"
           : is_whole(c->traces) ? "no difference in %" PRIu32 " calls"
                                 : "no difference in the %" PRIu32 " calls that can be read",
           c->counts[ALIKE]);
    for (int i = ARGUMENTS; i < WAIT; i++)
        if (c->counts[i])
            printf(", %" PRIu32 " %s", c->counts[i], names[i]);
    if (c->counts[WAIT])
        printf("; %" PRIu32 " waits that one run alone has", c->counts[WAIT]);
    puts("");
}

static int print_all(struct comparison *c, bool is_json)
{
    struct shown *lines[2] = {NULL, NULL};
    uint32_t shown = 0;
    bool ok = true;
    for (uint32_t i = 0; i < c->count && shown < SHOWN_MAX; i++) {
        if (!is_difference(&c->pairs[i]))
            continue;
        shown++;
        ok &= want(&lines[0], &c->sides[0], c->pairs[i].first) &&
              want(&lines[1], &c->sides[1], c->pairs[i].second);
    }
    for (int s = 0; s < 2; s++)
        ok &= read_lines(lines[s], c->traces[s], is_json);
    struct annot__json json = {cli_write, stdout, false}, *out = is_json ? &json : NULL;
    if (is_json)
        json_summary(c, out);
    else
        print_summary(c);
    shown = 0;
    for (uint32_t i = 0; i < c->count && shown < SHOWN_MAX; i++) {
        if (!is_difference(&c->pairs[i]))
            continue;
        print_pair(c, &c->pairs[i], lines, out);
        shown++;
    }
    const uint32_t rest = difference_count(c) - shown;
    if (is_json) {
        annot__json_close(out, "]");
        annot__json_number(out, "not_shown", rest);
        annot__json_close(out, "}");
        annot__json_raw(out, "\n");
    } else if (rest)
        printf("and %" PRIu32 " more\n", rest);
    for (int s = 0; s < 2; s++)
        free_lines(lines[s]);
    if (!ok)
        fputs("annot trace diff: some lines are missing: memory ran out\n", stderr);
    return difference_count(c) ? 1 : 0;
}

int trace_diff(struct trace *first, struct trace *second, bool is_json)
{
    struct comparison c = {.traces = {first, second}};
    const bool ok = diff_side_read(&c.sides[0], first) && diff_side_read(&c.sides[1], second) &&
                    compare_all(&c);
    const int status = ok ? print_all(&c, is_json) : 2;
    if (!ok)
        fputs("annot trace diff: memory ran out, or no temporary file can be made\n", stderr);
    if (c.sides[0].is_odd || c.sides[1].is_odd)
        fputs("annot trace diff: some records are missing: they are damaged, or memory ran out\n",
              stderr);
    for (int s = 0; s < 2; s++) {
        diff_side_free(&c.sides[s]);
        TABLE_FREE(struct link, c.links[s])
    }
    free(c.partners);
    free(c.pairs);
    return status;
}
