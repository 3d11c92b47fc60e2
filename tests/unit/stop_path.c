/* The path to a stop holds the scopes that are open at it, and no others [ANN-CRASH-06,
 * ANN-TRUTH-01]: lists and what a GPU that takes one operation after the other leaves of them. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(stop_path, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, LISTS_MAX = 5, BUNDLE = 90, BUNDLE_OBJECT = 190 };

/* The knowledge of the list that hangs. */
enum witness {
    DRIVER_AND_CRUMBS,
    DRIVER,       /* follows what was started and completed */
    STARTED_ONLY, /* what was started */
    CRUMBS,
    LIST_ONLY, /* that it is in progress */
    WITNESSES
};

/* A list is a text: a capital letter begins the scope of that name, `.` ends a scope, `s` is a
 * marker, `d` a dispatch, `!` the dispatch that hangs, `b` a bundle "Y.", `u` a bundle that ends a
 * scope, `@` the bundle "Y!." that hangs, `?` says that the dump doesn't have the list, `-` that it
 * lost a marker, `|` that the submission before it is not in the dump. */
struct row {
    const char *lists[LISTS_MAX];
    const char *path[WITNESSES];
};

struct player {
    struct dump *dump;
    const struct row *row;
    uint64_t open[16], started, completed, in_bundle;
    unsigned depth, bundles, hung_bundle;
    uint8_t ops[64];
    uint32_t count, done, markers;
    bool is_behind; /* the hang */
};

static void note(struct player *p, uint8_t op)
{
    p->done += !p->is_behind;
    p->markers += op <= 2;
    p->ops[p->count++] = op;
}

static void begin(struct player *p, char name)
{
    const uint64_t id = dump_begin(p->dump, (char[]){name, 0});
    p->open[p->depth++] = id;
    if (!p->is_behind)
        p->started = id;
    note(p, 1);
}

static void end(struct player *p)
{
    dump_end(p->dump);
    if (p->depth > 0 && !p->is_behind)
        p->completed = p->open[p->depth - 1];
    p->depth -= p->depth > 0;
    note(p, 2);
}

static void operation(struct player *p, char what)
{
    if (what >= 'A' && what <= 'Z') {
        begin(p, what);
    } else if (what == '.') {
        end(p);
    } else if (what == 's') {
        const uint64_t id = dump_set(p->dump, "s");
        if (!p->is_behind)
            p->started = p->completed = id;
        note(p, 0);
    } else if (what == 'd' || what == '!') {
        p->is_behind |= what == '!';
        note(p, 6);
    } else if (what == 'b' || what == 'u' || what == '@') {
        const uint64_t bundle = BUNDLE + (what == 'u' ? 1 : what == '@' ? 2 : 0);
        dump_bundle(p->dump, ++p->bundles, bundle, BUNDLE_OBJECT);
        if (what == '@') {
            p->hung_bundle = p->bundles;
            p->is_behind = true;
        }
        note(p, 16);
    }
}

static bool is_hung(const char *list)
{
    return strpbrk(list, "!@") != NULL;
}

/* The recording of one list; leaves in the player what the GPU did of it. */
static void record(struct player *p, uint32_t index)
{
    const char *list = p->row->lists[index];
    if (strchr(list, '?'))
        return;
    dump_section(p->dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(p->dump, RECORDING, .id = 1 + index, .object = 100 + index,
             .dropped = strchr(list, '-') != NULL);
    p->dump->depth = 0;
    for (; *list; list++)
        operation(p, *list);
}

static void put_crumbs(const struct player *p, uint64_t serial)
{
    dump_section(p->dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(p->dump, CRUMBS, .queue = QUEUE, .submission = serial, .log = 5, .count = p->count,
             .done = p->done, .markers = p->markers, .flags = ANNOT_CRUMBS_HAS_END);
    dump_put_OPS(p->dump, &(struct annot__dump_OPS){.log = 5}, p->ops, p->count);
}

static void put_row(const struct player *p, uint64_t serial, enum witness witness)
{
    struct annot__dump_PROGRESS row = {
        .queue = QUEUE, .submission = serial, .state = ANNOT_PROGRESS_STARTED};
    if (witness == CRUMBS)
        return;
    if (witness != LIST_ONLY) {
        row.inside = ANNOT_INSIDE_STARTED;
        row.started = p->started;
    }
    if (witness == DRIVER || witness == DRIVER_AND_CRUMBS) {
        row.inside = ANNOT_INSIDE_TRACKED;
        row.completed = p->completed;
    }
    dump_section(p->dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(p->dump, &row, NULL, 0);
    if (p->hung_bundle)
        dump_row(p->dump, QUEUE, serial, 0, p->hung_bundle, STARTED, p->in_bundle, 0);
}

/* Lists in front of the hang are finished, those behind it have not started. */
static void put_evidence(struct dump *dump, const struct row *row, const struct player *hung,
                         enum witness witness)
{
    bool is_behind = false;
    for (uint64_t i = 0; i < LISTS_MAX && row->lists[i]; i++) {
        if (is_hung(row->lists[i])) {
            put_row(hung, i + 1, witness);
            is_behind = true;
        } else {
            dump_row(dump, QUEUE, i + 1, 0, 0, is_behind ? NOT_STARTED : FINISHED, 0, 0);
        }
    }
    for (uint64_t i = 0; i < LISTS_MAX && row->lists[i]; i++)
        if (is_hung(row->lists[i]) && (witness == CRUMBS || witness == DRIVER_AND_CRUMBS))
            put_crumbs(hung, i + 1);
}

static void build(struct dump *dump, const struct row *row, enum witness witness)
{
    struct player hung = {.dump = dump};
    dump_start(dump, ERROR_HUNG, 0);
    dump_recording(dump, BUNDLE, BUNDLE_OBJECT);
    dump_begin(dump, "Y");
    dump_end(dump);
    dump_recording(dump, BUNDLE + 1, BUNDLE_OBJECT);
    dump_end(dump);
    dump_recording(dump, BUNDLE + 2, BUNDLE_OBJECT);
    const uint64_t in_bundle = dump_begin(dump, "Y");
    dump_end(dump);
    uint32_t count = 0;
    for (; count < LISTS_MAX && row->lists[count]; count++) {
        struct player p = {.dump = dump, .row = row, .in_bundle = in_bundle};
        record(&p, count);
        if (is_hung(row->lists[count]))
            hung = p;
    }
    dump_queue(dump, QUEUE, count, 0);
    for (uint64_t i = 0; i < count; i++)
        if (i + 1 == count || !strchr(row->lists[i + 1], '|'))
            dump_submit(dump, i + 1, 1, (uint64_t[]){1 + i});
    put_evidence(dump, row, &hung, witness);
    dump_finish(dump);
}

static void check(const struct row *rows, size_t count)
{
    static const char *const names[] = {"driver and breadcrumbs", "driver", "started only",
                                        "breadcrumbs", "list only"};
    for (size_t i = 0; i < count; i++) {
        const char *wanted = rows[i].path[0];
        for (int witness = 0; witness < WITNESSES; witness++) {
            AT_END(dump_free) struct dump dump;
            char path[256];
            wanted = rows[i].path[witness] ? rows[i].path[witness] : wanted;
            build(&dump, &rows[i], (enum witness)witness);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            cr_assert_eq(annot_reader_stop_count(reader), 1, "row %zu, %s", i, names[witness]);
            annot_reader_stop_path(reader, 0, path, sizeof path);
            cr_expect_str_eq(path, wanted, "row %zu, %s: \"%s\" is not \"%s\"", i, names[witness],
                             path, wanted);
        }
    }
}

/* Paths of witnesses that are left out are those of the witness before. */
Test(stop_path, an_end_in_front_of_the_stop_has_closed_its_scope)
{
    static const struct row rows[] = {
        {{"A", ".T!."}, {"T", "T", "", "T", ""}},
        {{"A", ".Td!."}, {"T", "T", "", "T", ""}},
        {{"AB", ".T!.."}, {"A / T", "A / T", "", "A / T", ""}},
        {{"A", "B", ".T!.."}, {"A / T", "A / T", "", "A / T", ""}},
        {{"A", ".", "T!."}, {"T", "T", "", "T", ""}},
        {{"A.", "T!.", "."}, {"T", "T", "", "T", ""}},
        {{"A", ".s!s"}, {""}},
        {{"A", "S..T!."}, {"T", "T", "", "T", ""}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

Test(stop_path, an_end_behind_the_stop_has_not)
{
    static const struct row rows[] = {
        {{"A", "T!.."}, {"A / T", "A / T", "", "A / T", ""}},
        {{"A", "T!.", "."}, {"A / T", "A / T", "A", "A / T", "A"}},
        {{"AB", "T!..", "."}, {"A / B / T", "A / B / T", "A", "A / B / T", "A"}},
        {{"A", "S.!s."}, {"A", "A", "A", "A", ""}},
        {{"A", "B.T!.", "."}, {"A / T", "A / T", "A", "A / T", "A"}},
        {{"A", "T!..", "B", "."}, {"A / T", "A / T", "", "A / T", ""}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

/* Drivers name no EventID when a surplus End is passed: whether it was is only known from what they
 * name around it. Breadcrumbs count it. */
Test(stop_path, an_end_that_may_be_in_front_of_the_stop_names_no_scope)
{
    static const struct row rows[] = {
        {{"A", "!."}, {"A", "", "", "A", ""}},
        {{"A", ".!"}, {""}},
        {{"A", ".d!"}, {""}},
        {{"A", "S.d!."}, {"A", "", "", "A", ""}},
        {{"AB", "S..!."}, {"A", "", "", "A", ""}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

Test(stop_path, a_bundle_that_hangs_is_a_place_in_its_list)
{
    static const struct row rows[] = {
        {{"A", "@."}, {"A / Y", NULL, NULL, "A", "A / Y"}},
        {{"A", ".@"}, {"Y", NULL, NULL, "", "Y"}},
        {{"A", "T@..", "."}, {"A / T / Y", NULL, NULL, "A / T", "A / T / Y"}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

/* A list that the dump doesn't hold may have closed scopes, and opened others. */
Test(stop_path, a_list_that_is_not_known_closes_what_may_be_closed)
{
    static const struct row rows[] = {
        {{"A", "?", "T!.."}, {"T", "T", "", "T", ""}},
        {{"A", "-", "T!.."}, {"T", "T", "", "T", ""}},
        {{"A", "-.", "T!..", "."}, {"T", "T", "", "T", ""}},
        {{"A", "d", "|T!.", "."}, {"T", "T", "", "T", ""}},
        {{"A", "u", "T!.", "."}, {"T", "T", "", "T", ""}},
        {{"A", "b", "T!.", "."}, {"A / T", "A / T", "A", "A / T", "A"}},
        {{"A", "?", "B", "T!..", "."}, {"B / T", "B / T", "", "B / T", ""}},
    };
    check(rows, sizeof rows / sizeof rows[0]);
}

/* A scope that was closed in front of the stop is not shown in progress, and one that was not is
 * not shown finished. */
Test(stop_path, the_state_of_a_scope_says_what_is_known_of_its_end)
{
    static const struct {
        struct row row;
        annot_state state[WITNESSES];
    } rows[] = {
        {{{"A", ".T!."}, {NULL}},
         {ANNOT_STATE_FINISHED, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN, ANNOT_STATE_FINISHED,
          ANNOT_STATE_UNKNOWN}},
        {{{"A", "T!.."}, {NULL}},
         {ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN,
          ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN}},
        {{{"A", "s!."}, {NULL}},
         {ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN,
          ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int witness = 0; witness < WITNESSES; witness++) {
            AT_END(dump_free) struct dump dump;
            annot_reader_stream stream;
            annot_reader_execution opener;
            build(&dump, &rows[i].row, (enum witness)witness);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            cr_assert(annot_reader_execution_at(reader, 0, &opener));
            cr_assert(annot_reader_stream_at(reader, opener.stream, &stream));
            cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, stream.first_entry, NULL),
                         rows[i].state[witness], "row %zu, witness %d", i, witness);
        }
}

/* ---- long paths ---- */

/* Names of scopes `first` up to `end`, behind " / " each but the first of all. */
static void add_names(char *text, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++)
        sprintf(text + strlen(text), "%s%u", *text ? " / " : "", i);
}

static void open_scopes(struct dump *dump, unsigned *next, unsigned count)
{
    char name[12];
    for (unsigned i = 0; i < count; i++) {
        sprintf(name, "%u", (*next)++);
        dump_begin(dump, name);
    }
}

/* A queue's scopes, those of two earlier lists, and those of the list: of more than 64 the 32
 * outermost and innermost ones are named and the others counted, wherever they lie
 * [annot_reader_stop_path]. */
Test(stop_path, names_the_outermost_and_the_innermost_scopes_of_a_long_path)
{
    static const unsigned sizes[][4] = {
        {0, 0, 0, 1},     {0, 0, 0, 64},    {0, 0, 0, 65},   {0, 0, 0, 66},  {0, 0, 0, 100},
        {64, 0, 0, 1},    {63, 0, 0, 1},    {100, 0, 0, 1},  {0, 64, 0, 1},  {0, 63, 0, 1},
        {0, 100, 0, 1},   {0, 0, 65, 1},    {0, 40, 40, 1},  {0, 32, 32, 1}, {0, 31, 32, 1},
        {20, 20, 20, 20}, {33, 1, 1, 32},   {32, 1, 1, 33},  {31, 1, 1, 31}, {31, 0, 0, 33},
        {32, 0, 0, 32},   {33, 0, 0, 31},   {33, 0, 0, 32},  {1, 31, 0, 33}, {1, 33, 0, 31},
        {0, 90, 3, 40},   {70, 70, 70, 70}, {2, 3, 100, 20}, {5, 0, 0, 95},  {0, 0, 34, 66}};
    for (size_t row = 0; row < sizeof sizes / sizeof sizes[0]; row++) {
        const unsigned *size = sizes[row], all = size[0] + size[1] + size[2] + size[3];
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        char expected[2048] = "", path[2048], line[2300];
        unsigned next = size[0];
        for (unsigned i = 1; i <= 3; i++) {
            dump_recording(&dump, i, 99 + i);
            open_scopes(&dump, &next, size[i]);
        }
        const uint64_t last = dump.scopes[dump.depth - 1];
        for (unsigned i = 0; i < size[3]; i++)
            dump_end(&dump);
        dump_recording(&dump, 4, 103);
        for (unsigned i = 0; i < size[1] + size[2]; i++)
            dump_end(&dump); /* so that they cross lists */
        dump_queue(&dump, QUEUE, 1, 0);
        next = 0;
        open_scopes(&dump, &next, size[0]);
        dump_submit(&dump, 1, 4, (uint64_t[]){1, 2, 3, 4});
        for (uint32_t i = 0; i < 2; i++)
            dump_row(&dump, QUEUE, 1, i, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 1, 2, 0, STARTED, last, 0);
        dump_row(&dump, QUEUE, 1, 3, 0, NOT_STARTED, 0, 0);
        dump_queue(&dump, QUEUE + 1, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){4});
        dump_row(&dump, QUEUE + 1, 1, 0, 0, STARTED, 0, 0);
        dump_finish(&dump);
        add_names(expected, 0, all > 64 ? 32 : all);
        if (all > 64)
            sprintf(expected + strlen(expected), " / ... %u more ...", all - 64);
        add_names(expected, all > 64 ? all - 32 : all, all);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop_path(reader, 0, path, sizeof path);
        cr_expect_str_eq(path, expected, "row %zu", row);
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        sprintf(line, "\n  %s\n    on queue ", expected);
        cr_expect(strstr(text, line), "row %zu, %s: %s", row, expected, text);
        const annot_report_options drawn = {.branches = true};
        AT_END(at_end_free) char *list = report_of(reader, false, &drawn);
        sprintf(line, "\n  [>] #21, submission 1, list 3 of 4 #102: %s\n", expected);
        cr_expect(strstr(list, line), "row %zu, %s: %s", row, line, list);
    }
}
