#include "diff_report.h"

#include "cli.h"
#include "json_writer.h"
#include "trace_marker.h"
#include "trace_where.h"

#include <stdlib.h>

#define SHOWN_MAX    100u /* groups that are printed */
#define ELEMENTS_MAX 16u
#define LINE_MAX     400 /* characters of a call in text */

static const struct {
    const char *name, *key; /* name in text; name of the count in JSON */
} words[DIFF_WHATS] = {{"alike", "alike"},
                       {"other arguments", "arguments"},
                       {"other result", "results"},
                       {"different memory contents before the call", "memory"},
                       {"read back otherwise", "read_backs"},
                       {"other order", "order"},
                       {"only in the first trace", "only_first"},
                       {"only in the second trace", "only_second"},
                       {"a wait", "waits"},
                       {"by chance", "by_chance"}};

/* ---- groups ---- */

static const struct diff_call *call_of(const struct diff_result *r, const struct diff_pair *pair)
{
    return pair->first != DIFF_NONE ? &r->sides[0].calls.at[pair->first]
                                    : &r->sides[1].calls.at[pair->second];
}

static bool is_alone(uint32_t what)
{
    return what == DIFF_ONLY_FIRST || what == DIFF_ONLY_SECOND;
}

bool diff_result_add(struct diff_result *r, const struct diff_pair *pair)
{
    const struct diff_call *call = call_of(r, pair);
    struct diff_group wanted, *group;
    memset(&wanted, 0, sizeof wanted);
    wanted.key.scope = is_alone(pair->what) ? call->scope : 0;
    wanted.key.what = pair->what;
    wanted.key.method = call->method;
    r->counts[pair->what]++;
    if (pair->what == DIFF_ALIKE || pair->what >= DIFF_WAIT)
        return true;
    TABLE_FIND_OR_ADD(r->groups, key, wanted.key, group);
    if (group && group->count++ == 0)
        group->pair = *pair;
    return group != NULL;
}

void diff_result_free(struct diff_result *r)
{
    TABLE_FREE(struct diff_group, r->groups)
}

static int rank(const struct diff_group *group)
{
    const bool is_work = trace_is_work(group->key.method);
    if (group->key.what == DIFF_ORDER)
        return is_work ? 1 : 4;
    return !is_alone(group->key.what) ? 3 : is_work ? 0 : 2;
}

/* Returns a group's place: calls of both runs alternate in the order in which they were found. */
static uint64_t place(const struct diff_group *group)
{
    const struct diff_pair *pair = &group->pair;
    return pair->first != DIFF_NONE ? 2 * (uint64_t)pair->first : 2 * (uint64_t)pair->second + 1;
}

static int by_rank(const struct diff_group *a, const struct diff_group *b)
{
    const uint64_t x = place(a), y = place(b);
    return rank(a) != rank(b) ? rank(a) - rank(b) : (x > y) - (x < y);
}

/* ---- lines ---- */

struct shown { /* the line of a call that differs, and the scopes around it */
    uint64_t number;
    char *line, *path;
    UT_hash_handle hh;
};

static bool want(struct shown **all, const struct diff_side *side, uint32_t call)
{
    struct shown *s;
    if (call == DIFF_NONE)
        return true;
    const uint64_t number = side->calls.at[call].number;
    TABLE_FIND_OR_ADD(*all, number, number, s);
    return s != NULL;
}

static bool take_line(struct shown *s, const struct trace_item *item, const struct markers *markers,
                      bool is_json)
{
    struct trace_printer printer;
    struct trace_text path = {0};
    markers_add_path(markers, &path, item, is_json);
    s->path = path.data;
    if (!trace_printer_init(&printer, NULL, is_json))
        return false;
    printer.elements_max = ELEMENTS_MAX;
    (void)trace_print(&printer, item);
    const bool ok = !path.has_failed && !printer.text.has_failed;
    s->line = printer.text.data;
    printer.text.data = NULL;
    trace_printer_finish(&printer);
    return ok;
}

/* Reads the lines. False: out of memory. */
static bool read_lines(struct shown *all, struct trace *trace, bool is_json)
{
    struct markers *markers = all ? markers_open(trace, NULL) : NULL;
    struct trace_item item;
    struct shown *s;
    bool ok = markers || !all;
    trace_rewind(trace);
    while (all && ok && trace_next(trace, &item)) {
        ok = markers_follow(markers, &item);
        if (item.record.kind != RECORD_ENTER)
            continue;
        HASH_FIND(hh, all, &item.record.call, sizeof item.record.call, s);
        if (s && !s->line && !s->path)
            ok &= take_line(s, &item, markers, is_json);
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

/* ---- output ---- */

static void print_line(const struct shown *s, const char *mark)
{
    if (s && s->line)
        printf("  %s %.*s%s\n", mark, LINE_MAX, s->line, strlen(s->line) > LINE_MAX ? " ..." : "");
}

/* Prints a line that is JSON already. */
static void json_line(struct annot__json *out, const char *key, const struct shown *s)
{
    annot__json_key(out, key);
    annot__json_raw(out, s && s->line ? s->line : "null");
}

/* Prints a group; `out` NULL: as text. */
static void print_group(const struct diff_result *r, const struct diff_group *group,
                        struct shown *lines[2], struct annot__json *out)
{
    const struct diff_pair *pair = &group->pair;
    const bool has_place = pair->what == DIFF_MEMORY || pair->what == DIFF_READ_BACK;
    const struct diff_call *call = call_of(r, pair);
    const struct shown *first = shown_of(lines[0], &r->sides[0], pair->first);
    const struct shown *second = shown_of(lines[1], &r->sides[1], pair->second);
    const struct shown *said = pair->first != DIFF_NONE ? first : second;
    const char *path = said && said->path ? said->path : "";
    char method[160];
    if (out) {
        annot__json_format(out, "{what:%s count:%" PRIu64, words[pair->what].name, group->count);
        if (has_place)
            annot__json_format(out, "object:%" PRIu64 " offset:%" PRIu64, pair->object,
                               pair->offset);
        annot__json_raw(out, path);
        json_line(out, "first", first);
        json_line(out, "second", second);
        annot__json_close(out, "}");
        return;
    }
    trace_method_name(call->method, method, sizeof method);
    fputs(words[pair->what].name, stdout);
    if (has_place)
        printf(": #%" PRIu64 " from byte %" PRIu64 " on", pair->object, pair->offset);
    if (group->count > 1)
        printf(", %" PRIu64 " times, first", group->count);
    printf(group->count > 1 ? " at call %" PRIu64 ": %s%s\n" : ", at call %" PRIu64 ": %s%s\n",
           call->number, method, path);
    print_line(first, "<");
    print_line(second, ">");
}

/* Whether no part of the traces is damaged or missing. Both traces were read to their ends. */
static bool is_whole(const struct diff_result *r)
{
    return !trace_get_finding(r->traces[0], 0) && !trace_get_finding(r->traces[1], 0);
}

static void print_summary(const struct diff_result *r, struct annot__json *out)
{
    if (out) {
        annot__json_format(out, "{same:%d calls:[%" PRIu64 "%" PRIu64 "]",
                           !r->groups && is_whole(r), (uint64_t)r->sides[0].calls.count,
                           (uint64_t)r->sides[1].calls.count);
        for (int i = 0; i < DIFF_WHATS; i++)
            annot__json_number(out, words[i].key, r->counts[i]);
        annot__json_open(out, "differences", "[");
        return;
    }
    printf(r->groups     ? "%" PRIu64 " calls are alike"
           : is_whole(r) ? "no difference in %" PRIu64 " calls"
                         : "no difference in the %" PRIu64 " calls that can be read",
           r->counts[DIFF_ALIKE]);
    for (int i = DIFF_ARGUMENTS; i < DIFF_WAIT; i++)
        if (r->counts[i])
            printf(", %" PRIu64 " %s", r->counts[i], words[i].name);
    if (r->counts[DIFF_WAIT])
        printf("; %" PRIu64 " waits in only one run", r->counts[DIFF_WAIT]);
    if (r->counts[DIFF_CHANCE])
        printf("; %" PRIu64 " differ by chance", r->counts[DIFF_CHANCE]);
    puts("");
}

int diff_report(struct diff_result *r, bool is_json)
{
    struct shown *lines[2] = {NULL, NULL};
    struct annot__json json = {cli_write, stdout, false}, *out = is_json ? &json : NULL;
    const unsigned groups = HASH_COUNT(r->groups);
    unsigned shown = 0;
    bool ok = true;
    HASH_SORT(r->groups, by_rank);
    for (const struct diff_group *g = r->groups; g && shown++ < SHOWN_MAX; g = g->hh.next)
        ok &= want(&lines[0], &r->sides[0], g->pair.first) &&
              want(&lines[1], &r->sides[1], g->pair.second);
    for (int s = 0; s < 2; s++)
        ok &= read_lines(lines[s], r->traces[s], is_json);
    print_summary(r, out);
    shown = 0;
    for (const struct diff_group *g = r->groups; g && shown < SHOWN_MAX; g = g->hh.next, shown++)
        print_group(r, g, lines, out);
    if (is_json)
        annot__json_format(out, "] not_shown:%u}\n", groups - shown);
    else if (groups > shown)
        printf("and %u more\n", groups - shown);
    for (int s = 0; s < 2; s++)
        free_lines(lines[s]);
    if (!ok)
        fputs("annot trace diff: some lines are missing: memory ran out\n", stderr);
    return r->groups ? 1 : 0;
}
