/* Reading and reporting stay O(n log n) in the file's size, for every file [ANN-SEC-04]. Each dump
 * here is small and made so that work or output grows with the product of two of its numbers
 * wherever one is walked per element of the other. At these sizes the product is out of reach of
 * the tests' time limit. BOUNDS_MANY in the environment makes them larger, 750000 a file of 112 MB,
 * and BOUNDS_DIR keeps the files, for `annot show` and a clock. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(report_bounds, .fini = guarded_expect_nothing_left);

enum { SECONDS = 30 };

static uint32_t many(void)
{
    const char *text = getenv("BOUNDS_MANY");
    return text ? (uint32_t)strtoul(text, NULL, 10) : 200000;
}

/* The dump as a file, where somebody asked for it. */
static void keep(const struct dump *dump, const char *name)
{
    const char *folder = getenv("BOUNDS_DIR");
    char path[4096];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%s.annotdmp", folder, name);
    FILE *file = fopen(path, "wb");
    cr_assert(file, "%s", path);
    cr_assert_eq(fwrite(dump->data, 1, dump->size, file), dump->size);
    fclose(file);
}

static const uint64_t first_event = 0x500000010;

static uint64_t event(uint32_t index)
{
    return first_event + 0x10 * (uint64_t)index;
}

/* Scopes 0 to count - 1, each inside the one before. */
static void nested_scopes(struct dump *dump, uint32_t count, uint32_t flags)
{
    for (uint32_t i = 0; i < count; i++) {
        dump_add(dump, BEGIN, .event_id = event(i), .parent = i ? event(i - 1) : 0, .metadata = 1,
                 .flags = flags);
    }
}

/* Submissions 1 to count on queue 21, each of recording 1 alone, and a row for each. */
static void executions(struct dump *dump, uint32_t count, uint32_t state, uint64_t started,
                       uint64_t completed)
{
    static const uint64_t recordings[] = {1};
    dump_queue(dump, 21, count, 0);
    for (uint32_t i = 1; i <= count; i++)
        dump_submit(dump, i, 1, recordings);
    for (uint32_t i = 1; i <= count; i++)
        dump_row(dump, 21, i, 0, 0, state, started, completed);
}

/* Every execution stopped behind a chain of finished scopes, in the one scope around them. */
Test(report_bounds, hold_for_executions_that_stopped_deep_in_one_list, .timeout = SECONDS)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    nested_scopes(&dump, many(), ANNOT__DUMP_MARKER_CLOSED);
    executions(&dump, many(), STARTED, event(many() - 1), event(1));
    dump_finish(&dump);
    keep(&dump, "deep");
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stop stop;
    cr_expect_eq(annot_reader_stop_count(reader), many());
    cr_assert(annot_reader_stop_at(reader, many() - 1, &stop));
    cr_expect_eq(stop.entry, annot_reader_entry_find(reader, event(0)));
}

/* The driver can't tell their state, and the scopes around the marker it names never end. */
Test(report_bounds, hold_for_executions_of_unknown_state_deep_in_one_list, .timeout = SECONDS)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    nested_scopes(&dump, many(), 0);
    executions(&dump, many(), NOT_SAID, event(many() - 1), 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_execution execution = dump_execution_at(reader, many() - 1);
    cr_expect_eq(execution.state, ANNOT_STATE_UNKNOWN);
    cr_expect_eq(execution.evidence, ANNOT_EVIDENCE_UNDECIDED);
}

/* Submissions that all say one serial, which has as many rows. */
Test(report_bounds, hold_for_many_submissions_of_one_serial_with_many_rows, .timeout = SECONDS)
{
    static const uint64_t recordings[] = {1};
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_queue(&dump, 21, 1, 0);
    for (uint32_t i = 0; i < many(); i++)
        dump_submit(&dump, 1, 1, recordings);
    for (uint32_t i = 0; i < many(); i++)
        dump_row(&dump, 21, 1, 0, i, FINISHED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_execution execution = dump_execution_at(reader, many() - 1);
    cr_expect_eq(execution.state, ANNOT_STATE_UNKNOWN);
    cr_expect_eq(execution.evidence, ANNOT_EVIDENCE_DAMAGED);
}

static void put_number(struct dump *dump, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        dump->data[dump->size++] = (uint8_t)(value >> 8 * i);
}

/* Headers one behind the other, each of a section that reaches to the end of the file and whose
 * hash is wrong. Hashing all of them would be quadratic. */
Test(report_bounds, hold_for_sections_that_overlap, .timeout = SECONDS)
{
    enum { HEADER = 32 };
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_set(&dump, "whole");
    dump_finish(&dump);
    const size_t more = (size_t)many() * HEADER, end = dump.size + more;
    dump.data = realloc(dump.data, end + 16);
    dump.capacity = end + 16;
    cr_assert(dump.data);
    for (uint32_t i = 0; i < many(); i++) {
        memcpy(dump.data + dump.size, ANNOT__DUMP_SECTION_MAGIC, 8);
        dump.size += 8;
        put_number(&dump, ANNOT__DUMP_SECTION_LISTS, 4);
        put_number(&dump, 1000 + i, 4);
        put_number(&dump, end - dump.size - 16, 8);
        put_number(&dump, 0x0123456789abcdef, 8);
    }
    put_number(&dump, 0, 8);
    put_number(&dump, 0, 8);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_neq(annot_reader_finding_count(reader), 0);
    cr_expect_neq(annot_reader_entry_find(reader, event(0)), ANNOT_READER_NONE,
                  "what is whole is there");
}

/* Many executions leave scopes open that many later ones close: in the middle all of them are
 * around. */
static void crossing_scopes(struct dump *dump, uint32_t scopes)
{
    *dump = dump_hung();
    nested_scopes(dump, scopes, 0);
    dump_recording(dump, 2, 101);
    for (uint32_t i = 0; i < scopes; i++)
        dump_end(dump);
    dump_queue(dump, 21, many(), 0);
    for (uint32_t i = 1; i <= many(); i++)
        dump_submit(dump, i, 1, (uint64_t[]){i <= many() / 2 ? 1 : 2});
}

/* All of them in progress: each is shown, inside the scopes of those before it. */
Test(report_bounds, hold_for_one_scope_each_across_many_lists, .timeout = SECONDS)
{
    AT_END(dump_free) struct dump dump;
    crossing_scopes(&dump, 1);
    for (uint32_t i = 1; i <= many(); i++)
        dump_row(&dump, 21, i, 0, 0, STARTED, i <= many() / 2 ? event(0) : 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options few = {.node_limit = many()};
    OWNED char *text = report_of(reader, false, NULL), *json = report_of(reader, true, &few);
    cr_expect(strstr(text, "LOST OR ODD"));
    cr_expect(strstr(json, "\"findings\""));
}

Test(report_bounds, hold_for_thousands_of_scopes_each_across_many_lists, .timeout = SECONDS)
{
    enum { SCOPES = 100000 };
    AT_END(dump_free) struct dump dump;
    char path[4096];
    crossing_scopes(&dump, SCOPES);
    dump_row(&dump, 21, many() / 2, 0, 0, STARTED, event(SCOPES - 1), 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_stop_count(reader), 1);
    cr_expect_gt(annot_reader_stop_path(reader, 0, path, sizeof path), 0);
    uint64_t above = (uint64_t)SCOPES * (many() / 2), shown = 64;
    char gap[64];
    snprintf(gap, sizeof gap, "... %llu more ...", (unsigned long long)(above - shown));
    cr_expect(strstr(path, gap), "%s", path);
}

/* ---- output ---- */

/* One long name in a list that is executed often: 98 KB were 787 MB of JSON. */
Test(report_bounds, a_long_name_is_not_written_per_execution, .timeout = SECONDS)
{
    enum { NAME = 60000, EXECUTIONS = 1000 };
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    OWNED char *name = malloc(NAME + 1);
    memset(name, '\x01', NAME);
    name[NAME] = 0;
    dump_object(&dump, 21, 19, name);
    dump_recording(&dump, 1, 100);
    dump_set(&dump, name);
    executions(&dump, EXECUTIONS, STARTED, event(0), 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    OWNED char *text = report_of(reader, false, &all), *json = report_of(reader, true, &all);
    cr_expect_lt(strlen(text), (8u << 20) + dump.size * 6);
    cr_expect_lt(strlen(json), (8u << 20) + dump.size * 6);
    keep(&dump, "names");
    cr_expect(strstr(json, "\"cut\":false"), "the limit is for dumps that can't do without it");
}

/* A place for each of many executions, each deep in the same list. */
Test(report_bounds, many_places_are_a_report_as_large_as_the_dump, .timeout = SECONDS)
{
    enum { FEW = 10000 };
    AT_END(dump_free) struct dump dump = dump_hung();
    nested_scopes(&dump, FEW, ANNOT__DUMP_MARKER_CLOSED);
    executions(&dump, FEW, STARTED, event(FEW - 1), event(1));
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    /* the tree ends at its limit; what stands behind it is linear in the dump */
    const size_t limit = (8u << 20) + 7 * dump.size + 8192;
    OWNED char *text = report_of(reader, false, NULL), *json = report_of(reader, true, NULL);
    cr_expect_lt(strlen(text), limit);
    cr_expect_lt(strlen(json), limit);
}

/* Many markers in a list that is executed often. */
Test(report_bounds, a_report_ends_at_its_size_limit_and_says_so, .timeout = SECONDS)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    for (int i = 0; i < 2000; i++)
        dump_set(&dump, "draw");
    executions(&dump, 2000, STARTED, event(0), 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true}, few = {.all = true, .size_limit = 100000};
    const struct {
        const annot_report_options *options;
        size_t limit;
    } cases[] = {{&all, (8u << 20) + dump.size * 6}, {&few, 100000}};
    for (size_t i = 0; i < 2; i++) {
        /* what stands behind the tree is linear in the dump */
        const size_t slack = 8192 + dump.size;
        OWNED char *text = report_of(reader, false, cases[i].options);
        OWNED char *json = report_of(reader, true, cases[i].options);
        cr_expect_lt(strlen(text), cases[i].limit + slack);
        cr_expect_lt(strlen(json), cases[i].limit + slack);
        cr_expect_geq(strlen(text), cases[i].limit, "no sooner either");
        cr_expect_geq(strlen(json), cases[i].limit);
        cr_expect(strstr(text, "the report's limit is reached"));
        cr_expect(strstr(json, "\"cut\":true}"));
    }
}

Test(report_bounds, show_as_many_nodes_as_asked_for)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    for (int i = 0; i < 100; i++)
        dump_set(&dump, "draw");
    executions(&dump, 1, STARTED, event(0), 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const annot_report_options few = {.all = true, .node_limit = 20},
                               enough = {.all = true, .node_limit = 200};
    OWNED char *json = report_of(reader, true, &few), *text = report_of(reader, false, &few);
    cr_expect_leq(report_count(json, "\"name\":\"draw\""), 20);
    cr_expect(strstr(json, "\"cut\":true}"), "%s", json);
    cr_expect_leq(report_count(strstr(text, "MARKERS"), "draw\n"), 20, "%s", text);
    cr_expect(strstr(text, "the report's limit is reached"), "%s", text);
    free(json);
    free(text);
    json = report_of(reader, true, &enough), text = report_of(reader, false, &enough);
    cr_expect_geq(report_count(json, "\"name\":\"draw\""), 100);
    cr_expect(strstr(json, "\"cut\":false}"));
    cr_expect_geq(report_count(text, "draw"), 100, "%s", text);
    cr_expect(!strstr(text, "limit is reached"));
}
