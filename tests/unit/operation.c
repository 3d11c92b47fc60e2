/* Operations that lists noted are joined with breadcrumbs only where both are of the same recording
 * [ANN-OP-01]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/reader.h>

enum { APART = ANNOT_OPERATION_APART, BROKEN = 1 << 30 /* flag: the recording is */ };
#define DRAINS 0x100u /* flag: ANNOT_PROMISE_DRAINS */

TestSuite(operation, .fini = guarded_expect_nothing_left);

static void put_operation(struct dump *dump, uint32_t number, uint32_t kind, uint64_t argument)
{
    const struct annot__dump_OPERATION fields = {.number = number, .kind = kind, .arguments = 1};
    uint8_t bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(argument >> (8 * i));
    dump_put_OPERATION(dump, &fields, bytes, sizeof bytes);
}

struct crumbs_case {
    const char *why;
    uint32_t done, count, flags;
    uint8_t ops[4];
    uint32_t numbers[3], kinds[3]; /* as noted; kind 0: no more */
    bool is_named;
    int64_t argument;
};

/* A list in progress with breadcrumbs; the n-th operation that it noted has the argument 10 * n. */
static void play(const struct crumbs_case *of)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    annot_reader_operation operation;
    dump_object(&dump, 21, 0, "Queue");
    dump_object(&dump, 100, 0, "List");
    dump_recording(&dump, 1, 100);
    for (int i = 0; i < 3 && of->kinds[i]; i++)
        put_operation(&dump, of->numbers[i], of->kinds[i], (uint64_t)(10 * i));
    for (int i = 0; of->flags & BROKEN && i < 2; i++) /* two with one ordinal */
        dump_bundle(&dump, 1, 2, 101);
    dump_submitted(&dump);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    const struct annot__dump_OPS ops = {.log = 5};
    dump_add(&dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = of->count,
             .done = of->done, .flags = of->flags & ~(uint32_t)BROKEN);
    dump_put_OPS(&dump, &ops, of->ops, 4);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const bool is_named = annot_reader_stop_operation(reader, 0, &operation);
    cr_expect_eq(is_named, of->is_named, "%s", of->why);
    if (is_named)
        cr_expect_eq(operation.arguments[0], of->argument, "%s", of->why);
}

Test(operation, is_named_only_where_breadcrumbs_prove_it)
{
    static const struct crumbs_case cases[] = {
        {"the second of four", 1, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, true, 10},
        {"the last", 3, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, true, 20},
        {"it was not noted", 2, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"all are done", 4, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"never begun", UINT32_MAX, 4, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"noted as another kind", 1, 4, 0, {6, 9, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"counted by markers alone", 1, 4, 1, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"in a damaged recording", 1, 4, BROKEN, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"counted apart", 1, 4, 0, {6, 6, 9, 6}, {APART, APART | 1}, {6, 6}, false, 0},
        {"noted behind the last", 1, 3, 0, {6, 6, 9, 6}, {0, 1, 3}, {6, 6, 6}, false, 0},
        {"numbers that go back", 1, 4, 0, {6, 6, 6, 6}, {2, 1}, {6, 6}, false, 0},
        {"a number that goes back is left out",
         2,
         4,
         0,
         {6, 6, 6, 6},
         {2, 0, 3},
         {6, 6, 6},
         true,
         0},
        {"a number that came twice: the first", 1, 4, 0, {6, 6, 6, 6}, {1, 1}, {6, 6}, true, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        play(&cases[i]);
}

/* ---- without breadcrumbs ---- */

/* Several operations are in flight [ANN-TRUTH-05]: one of those that are not behind a marker that
 * the front end has not reached. One list: { a scope begins, } ends, s is a marker, o an operation,
 * r a barrier, - one that was not noted, b a bundle, | a later list that may have begun. */
struct scope_case {
    const char *why, *list;
    uint32_t started; /* the last scope or marker that has begun, from 1 */
    bool is_named, is_only;
    uint32_t number;
    bool is_left;    /* and has ended */
    uint32_t inside; /* what the driver's row follows; 0: all; and DRAINS */
    uint32_t said;   /* its row for the bundle; NOT_SAID: none */
};

static const struct scope_case scope_cases[] = {
    {"one of all around it", "o{o}o", 1, true, false, 1, false, 0, NOT_SAID},
    {"the first of the list", "{o}", 1, true, true, 0, false, 0, NOT_SAID},
    {"the last of two in it", "{oo}o", 1, true, false, 1, false, 0, NOT_SAID},
    {"one before it was not noted", "{-o}", 1, true, false, 1, false, 0, NOT_SAID},
    {"in front of a later list", "{o}|", 1, true, false, 0, false, 0, NOT_SAID},
    {"in front of a barrier", "{or}", 1, true, true, 0, false, 0, NOT_SAID},
    {"behind a barrier", "{ro}", 1, true, true, 1, false, 0, NOT_SAID},
    {"a barrier is none", "{r}", 1, false, false, 0, false, 0, NOT_SAID},
    {"of the inner scope", "{o{o}o}", 2, true, false, 1, false, 0, NOT_SAID},
    {"behind a scope that has not begun", "o{o{o}o}o", 1, true, false, 1, false, 0, NOT_SAID},
    {"what is in front of a scope that was left", "{o{o}o}", 2, true, true, 2, true, 0, NOT_SAID},
    {"behind a scope that was left", "{{o}o}", 2, true, true, 1, true, 0, NOT_SAID},
    {"in front of a scope in it", "{o{oo}}o", 1, true, true, 0, false, 0, NOT_SAID},
    {"in front of a marker in it", "{oso}o", 1, true, true, 0, false, 0, NOT_SAID},
    {"behind a marker in it", "{so}o", 2, true, false, 0, true, 0, NOT_SAID},
    {"none is in it", "o{}o", 1, false, false, 0, false, 0, NOT_SAID},
    {"none is directly in it", "{{o}}", 1, false, false, 0, false, 0, NOT_SAID},
    {"an older scope is unfinished, too", "{o}{o}", 2, true, false, 0, false, 0, NOT_SAID},
    {"behind a bundle that is over", "{bo}", 1, true, true, 0, false, 0, FINISHED},
    {"in front of one that has not begun", "{ob}", 1, true, true, 0, false, 0, NOT_STARTED},
    /* The GPU's front end is past it, and its work may be what hangs [ANN-TRUTH-04]. */
    {"behind a scope that was entered", "{{o}o{o}}", 2, true, false, 1, false, ANNOT_INSIDE_STARTED,
     NOT_SAID},
    {"in front of one", "{o{o}{o}}", 2, true, false, 1, false, ANNOT_INSIDE_STARTED, NOT_SAID},
    {"a barrier in one that was entered", "{{r}o{}}", 2, true, true, 1, false, ANNOT_INSIDE_STARTED,
     NOT_SAID},
    {"behind a bundle", "{bo{o}}", 1, true, false, 0, false, ANNOT_INSIDE_STARTED, NOT_SAID},
    {"in front of a bundle", "{ob{o}}", 1, true, false, 0, false, ANNOT_INSIDE_STARTED, NOT_SAID},
    /* Markers drain the GPU: work in front of the last is done, and none is behind the next. */
    {"all around it wait", "o{o}o", 1, true, true, 1, false, DRAINS, NOT_SAID},
    {"two in it", "o{oo}o", 1, true, false, 2, false, DRAINS, NOT_SAID},
    {"a later list waits", "{o}|", 1, true, true, 0, false, DRAINS, NOT_SAID},
    {"behind a scope that was left", "{o{o}o}o", 2, true, true, 2, true, DRAINS, NOT_SAID},
    {"in front of an older scope", "{o{o}o}{o}", 3, true, true, 3, false, DRAINS, NOT_SAID},
    {"a bundle behind its end waits", "{o}b", 1, true, true, 0, false, DRAINS, NOT_SAID},
    {"a bundle in front of it is done", "{b{o}}", 2, true, true, 0, false, DRAINS, NOT_SAID},
    {"a bundle in it", "{bo}", 1, true, false, 0, false, DRAINS, NOT_SAID},
    {"only what begins is known", "{o{o}{o}}", 2, true, false, 1, false,
     DRAINS | ANNOT_INSIDE_STARTED, NOT_SAID},
};

static void record_scopes(struct dump *dump, const char *list, uint64_t *ids)
{
    uint64_t scopes[8] = {0};
    uint32_t number = 0, depth = 0, begun = 0;
    for (const char *at = list; *at; at++) {
        const struct annot__dump_OPERATION fields = {
            .parent = scopes[depth], .number = number, .kind = *at == 'r' ? 15 : 6};
        number += *at == 'o' || *at == 'r' || *at == '-';
        if (*at == '{')
            scopes[++depth] = ids[++begun] = dump_begin(dump, "scope");
        else if (*at == 's')
            ids[++begun] = dump_set(dump, "set");
        else if (*at == '}')
            dump_end(dump), depth--;
        else if (*at == 'b')
            dump_bundle(dump, 1, 2, 101);
        else if (*at == 'o' || *at == 'r')
            dump_put_OPERATION(dump, &fields, NULL, 0);
    }
}

static void play_scope(const struct scope_case *of)
{
    AT_END(dump_free) struct dump dump;
    annot_reader_operation operation;
    uint64_t ids[300] = {0};
    dump_start_promising(&dump, ERROR_HUNG, 0, of->inside & DRAINS ? ANNOT_PROMISE_DRAINS : 0);
    dump_object(&dump, 21, 0, "Queue");
    dump_object(&dump, 100, 0, "List");
    dump_recording(&dump, 2, 101);
    dump_recording(&dump, 1, 100);
    record_scopes(&dump, of->list, ids);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, strchr(of->list, '|') ? 2 : 1, (uint64_t[]){1, 2});
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add(&dump, PROGRESS, .queue = 21, .submission = 1, .started = ids[of->started],
             .completed = of->is_left ? ids[of->started] : 0, .state = STARTED,
             .inside = of->inside & ~DRAINS ? of->inside & ~DRAINS : ANNOT_INSIDE_TRACKED);
    if (of->said != NOT_SAID)
        dump_row(&dump, 21, 1, 0, 1, of->said, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const bool is_named = annot_reader_stop_operation(reader, 0, &operation);
    cr_expect_eq(is_named, of->is_named, "%s", of->why);
    if (is_named && of->is_named) {
        cr_expect_eq(operation.is_only, of->is_only, "%s", of->why);
        cr_expect_eq(operation.number, of->number, "%s: %u", of->why, operation.number);
        cr_expect_eq(operation.stream, 1, "%s", of->why);
        cr_expect_eq(operation.crumbs, ANNOT_READER_NONE, "%s", of->why);
        AT_END(at_end_free) char *report = report_of(reader, false, NULL);
        const char *said = of->is_only ? "operation      Dispatch\n"
                           : strcmp(of->list, "{o}{o}") == 0
                               ? "operation      Dispatch, the oldest of several"
                               : "last operation Dispatch, one of several";
        cr_expect_not_null(strstr(report, said), "%s: %s", of->why, report);
    }
}

Test(operation, a_scope_says_which_operations_it_may_be)
{
    for (size_t i = 0; i < sizeof scope_cases / sizeof *scope_cases; i++)
        play_scope(&scope_cases[i]);
}

/* `count` of `what` between the two parts. */
static void play_long(const char *front, char what, int count, const char *behind,
                      struct scope_case of)
{
    char list[300];
    snprintf(list, sizeof list, "%s%*s%s", front, count, "", behind);
    memset(list + strlen(front), what, (size_t)count);
    of.list = list;
    play_scope(&of);
}

/* What is further away than 256 places is not looked for: the operation is then one of several, or
 * not found. */
Test(operation, in_long_scopes_is_looked_for_nearby)
{
    play_long("{", 's', 256, "o}", (struct scope_case){"", "", 257, true, true, 0, true, 0, 0});
    play_long("{", 's', 257, "o}", (struct scope_case){"", "", 258, true, true, 0, true, 0, 0});
    play_long("{{", 'o', 254, "}o}", (struct scope_case){"", "", 2, true, true, 254, true, 0, 0});
    play_long("{{", 'o', 255, "}o}", (struct scope_case){"", "", 2, true, false, 255, true, 0, 0});
    play_long("{o{", 'o', 256, "}}", (struct scope_case){"", "", 2, false, false, 0, true, 0, 0});
}

/* A list and a bundle that hang: the operation is the bundle's where the list's is the call of that
 * bundle. */
Test(operation, is_a_bundles_where_the_list_says_that_it_executes_that_one)
{
    static const struct {
        uint8_t kind;
        uint32_t arguments;
        uint8_t argument;
        bool is_named;
    } calls[] = {{16, 1, 1, true}, {16, 1, 2, false}, {16, 0, 0, false}, {6, 1, 1, false}};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        static const uint8_t dispatch = 6;
        const uint8_t argument[8] = {calls[i].argument};
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_operation operation;
        dump_add_with(&dump, OPERATION, argument, sizeof argument, .kind = calls[i].kind,
                      .arguments = calls[i].arguments);
        dump_bundle(&dump, 1, 2, 101);
        dump_recording(&dump, 2, 101);
        put_operation(&dump, 0, dispatch, 0);
        dump_submitted(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        for (uint32_t bundle = 0; bundle < 2; bundle++) {
            const struct annot__dump_CRUMBS crumbs = {.queue = 21,
                                                      .submission = 1,
                                                      .log = 5 + bundle,
                                                      .bundle = bundle,
                                                      .count = 1,
                                                      .flags = ANNOT_CRUMBS_HAS_END};
            dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
            dump_add_with(&dump, OPS, bundle ? &dispatch : &calls[i].kind, 1, .log = crumbs.log);
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const bool is_named = annot_reader_stop_operation(reader, 0, &operation);
        cr_expect_eq(is_named, calls[i].is_named, "call %zu", i);
        if (is_named)
            cr_expect_eqs(operation.stream, 1, operation.crumbs, 1, "call %zu", i);
    }
}

/* ---- damage ---- */

enum { RECORDED = 5, DISPATCHED = 6 };

/* The numbers of a list's operations, of which the third record is `damaged`. */
static void play_damage(const struct annot__dump_OPERATION *damaged, size_t size,
                        const char *expected)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    annot_reader_operation operation;
    char numbers[64] = "";
    const uint8_t bytes[8 * 64] = {0};
    dump_object(&dump, 100, 0, "List");
    dump_recording(&dump, 1, 100);
    for (uint32_t i = 0; i < RECORDED; i++)
        if (i == 2)
            dump_put_OPERATION(&dump, damaged, bytes, size);
        else
            put_operation(&dump, 10 * i, DISPATCHED, i);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (size_t i = 0; annot_reader_operation_at(reader, 0, i, &operation); i++)
        snprintf(numbers + strlen(numbers), sizeof numbers - strlen(numbers), "%u ",
                 operation.number);
    cr_expect_str_eq(numbers, expected);
}

/* The others keep their places. */
Test(operation, one_that_is_damaged_takes_none_with_it)
{
    const struct annot__dump_OPERATION fine = {.number = 20, .kind = 6, .arguments = 1},
                                       barrier = {.number = 0, .kind = 15, .arguments = 1},
                                       back = {.number = 0, .kind = 6, .arguments = 1},
                                       wordy = {.number = 20, .kind = 6, .arguments = 9},
                                       crowded = {.number = 20, .kind = 6, .objects = 17},
                                       cut = {.number = 20, .kind = 6, .arguments = 8};
    play_damage(&fine, 8, "0 10 20 30 40 ");
    play_damage(&back, 8, "0 10 30 40 ");
    play_damage(&barrier, 8, "0 10 30 40 ");
    play_damage(&wordy, 8 * 64, "0 10 30 40 ");
    play_damage(&crowded, 8 * 64, "0 10 30 40 ");
    play_damage(&cut, 8, "0 10 30 40 ");
}
