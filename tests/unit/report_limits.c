/* How many of a kind a text report shows, and what it says of the others [ANN-CRASH-04,
 * ANN-SEC-04]: at a limit, below and above. */
#include "dump_builder.h"
#include "report/report_page.h"
#include "sink.h"

#include <annot/annot.h>
#include <annot/dump.h>

TestSuite(report_limits, .fini = guarded_expect_nothing_left);

enum { QUEUE = 1000, FAULT = 0x100000 };

static void recordings(struct dump *dump)
{
    dump_recording(dump, 1, 100);
    dump_set(dump, "mark");
}

static void stopped_queues(struct dump *dump, uint32_t count)
{
    recordings(dump);
    for (uint32_t i = 0; i < count; i++) {
        dump_queue(dump, QUEUE + i, 1, 0);
        dump_submit(dump, 1, 1, (uint64_t[]){1});
    }
    for (uint32_t i = 0; i < count; i++)
        dump_row(dump, QUEUE + i, 1, 0, 0, STARTED, 0, 0);
}

static void unknown_queues(struct dump *dump, uint32_t count)
{
    recordings(dump);
    for (uint32_t i = 0; i < count; i++) {
        dump_queue(dump, QUEUE + i, 1, 0);
        dump_submit(dump, 1, 1, (uint64_t[]){1});
    }
}

static void unknown_submissions(struct dump *dump, uint32_t count)
{
    recordings(dump);
    dump_queue(dump, QUEUE, count, 0);
    for (uint32_t i = 1; i <= count; i++)
        dump_submit(dump, i, 1, (uint64_t[]){1});
}

static void waiting_queues(struct dump *dump, uint32_t count)
{
    unknown_queues(dump, count);
    for (uint32_t i = 0; i < count; i++)
        dump_row(dump, QUEUE + i, 1, 0, 0, NOT_STARTED, 0, 0);
}

static void rows_of_lost_work(struct dump *dump, uint32_t count)
{
    dump_queue(dump, QUEUE, count, 0);
    for (uint32_t i = 0; i < count; i++)
        dump_row(dump, QUEUE, 1 + i, 0, 0, STARTED, 0, 0);
}

static void breadcrumbs_of_lost_work(struct dump *dump, uint32_t count)
{
    dump_queue(dump, QUEUE, count, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 0; i < count; i++)
        dump_add(dump, CRUMBS, .queue = QUEUE, .submission = 1 + i, .log = 5, .count = 3,
                 .done = 1);
}

static void facts(struct dump *dump, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        dump_put_FACT(dump, &(struct annot__dump_FACT){.source = 1, .key_size = 3}, "keyvalue", 8);
}

static void objects_around_a_fault(struct dump *dump, uint32_t count, uint64_t distance)
{
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = FAULT}, NULL, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 0; i < count; i++)
        dump_add(dump, RANGE, .address = FAULT - 15 - distance, .size = 16, .object = 50 + i);
}

static void objects_with_the_fault(struct dump *dump, uint32_t count)
{
    objects_around_a_fault(dump, count, 0);
}

static void objects_near_the_fault(struct dump *dump, uint32_t count)
{
    objects_around_a_fault(dump, count, 100);
}

static void lists_without_submissions(struct dump *dump, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        dump_recording(dump, 1 + i, 100 + i);
        dump_set(dump, "mark");
    }
}

static void open_lists(struct dump *dump, uint32_t count)
{
    dump_section(dump, ANNOT__DUMP_SECTION_LISTS);
    for (uint32_t i = 0; i < count; i++)
        dump_add(dump, RECORDING, .id = 1 + i, .object = 100 + i, .open = 1);
}

static void open_scopes(struct dump *dump, uint32_t count)
{
    open_lists(dump, 1);
    for (uint32_t i = 0; i < count; i++)
        dump_begin(dump, "scope");
    dump_set(dump, "mark");
}

/* One submission of so many executions of one list, each with a row of this state. */
static void submitted_lists(struct dump *dump, uint32_t count, uint32_t state)
{
    uint64_t lists[64];
    recordings(dump);
    for (uint32_t i = 0; i < count; i++)
        lists[i] = 1;
    dump_queue(dump, QUEUE, 1, 0);
    dump_submit(dump, 1, count, lists);
    for (uint32_t i = 0; i < count; i++)
        dump_row(dump, QUEUE, 1, i, 0, state, 0, 0);
}

static void lists_of_a_submission(struct dump *dump, uint32_t count)
{
    submitted_lists(dump, count, NOT_STARTED);
    dump_queue(dump, QUEUE + 1, 1, 0); /* so that the submission is not alone, and not folded */
}

static void disputed_lists(struct dump *dump, uint32_t count)
{
    submitted_lists(dump, count, FINISHED);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 0; i < count; i++)
        dump_add(dump, CRUMBS, .queue = QUEUE, .submission = 1, .list = i, .log = 5, .count = 1,
                 .done = 0, .markers = 1);
}

static const struct limit {
    const char *name;
    void (*put)(struct dump *dump, uint32_t count);
    uint32_t error;
    const char *part, *sign; /* the report's part, and what stands there once for each */
    uint32_t shown, all;     /* UINT32_MAX: all of them */
    const char *more;        /* what is said of one more; NULL: nothing */
} limits[] = {
    {"stops", stopped_queues, ERROR_HUNG, "WHAT HUNG", "    on queue ", 8, 256,
     "  ... 1 more places, marked [>] in the tree\n"},
    {"oldest submissions", unknown_queues, ERROR_HUNG, "WHAT HUNG", "    on queue ", 8, 256, NULL},
    {"rows", rows_of_lost_work, ERROR_HUNG, "WHAT HUNG", "according to the driver\n", 8, 256, NULL},
    {"breadcrumbs", breadcrumbs_of_lost_work, ERROR_HUNG, "WHAT HUNG", "    operation ", 8, 256,
     NULL},
    {"waiting queues", waiting_queues, ERROR_HUNG, "WAITING", "\n  queue #", UINT32_MAX, UINT32_MAX,
     NULL},
    {"facts", facts, ERROR_HUNG, "FACTS", "  key          value\n", 2 * ANNOT_FACTS_MAX, UINT32_MAX,
     NULL},
    {"objects with the fault", objects_with_the_fault, ERROR_PAGE_FAULT, "FACTS", " bytes into #",
     8, 8, NULL},
    {"objects near the fault", objects_near_the_fault, ERROR_PAGE_FAULT, "FACTS",
     " past the end of #", 8, 8, NULL},
    {"lists without submissions", lists_without_submissions, ERROR_HUNG, "recorded, but not",
     "\n  list #", 4, UINT32_MAX, "\n  ... 1 more lists; --all shows them\n"},
    {"open lists", open_lists, (uint32_t)ANNOT_DEVICE_ERROR_APPLICATION, "WHAT WAS BEING RECORDED",
     "    on list #", 16, 256, "\n  ... 1 more list\n"},
    {"open scopes", open_scopes, (uint32_t)ANNOT_DEVICE_ERROR_APPLICATION,
     "WHAT WAS BEING RECORDED", "scope", 32, 32, "scope / ... 1 more ... / scope"},
    {"lists of a submission", lists_of_a_submission, ERROR_HUNG, "MARKERS", "[ ] list ", 4,
     UINT32_MAX, NULL},
    {"unknown submissions", unknown_submissions, ERROR_HUNG, "MARKERS", "[?] submission ", 8,
     UINT32_MAX, "\n  ... 1 more submissions of unknown state; --all shows them\n"},
    {"stops in a line each", stopped_queues, ERROR_HUNG, "IN PROGRESS", "[>] #", 256, 256, NULL},
    {"disputes", disputed_lists, ERROR_HUNG, "LOST OR ODD", "and the driver's report finished\n", 8,
     8, NULL},
};

/* The part of a report that begins with this heading, up to the next empty line. */
static char *part_of(const struct limit *of, uint32_t count, bool is_all)
{
    const annot_report_options options = {.all = is_all,
                                          .branches = strcmp(of->part, "IN PROGRESS") == 0};
    struct dump dump = dump_started(of->error, 0);
    of->put(&dump, count);
    char *text = dump_report(&dump, false, &options);
    dump_free(&dump);
    char *part = strstr(text, of->part);
    cr_assert_not_null(part, "%s: %s", of->name, text);
    char *end = strstr(part, "\n\n");
    if (end)
        end[1] = 0;
    cr_expect_null(strstr(part + 1, of->part), "%s: one heading", of->name);
    memmove(text, part, strlen(part) + 1);
    return text;
}

static void check(const struct limit *of, uint32_t count, bool is_all)
{
    const uint32_t limit = is_all ? of->all : of->shown;
    OWNED char *part = part_of(of, count, is_all);
    uint32_t shown = count < limit ? count : limit;
    if (strcmp(of->name, "lists of a submission") == 0 && count > limit)
        shown = 2; /* the first and the last of a run, which count the others */
    cr_expect_eq(report_count(part, of->sign), shown, "%s, %u: %s", of->name, count, part);
    if (of->more)
        cr_expect_eq(strstr(part, of->more) != NULL, count == limit + 1, "%s, %u: %s", of->name,
                     count, part);
    if (of->more && count <= limit)
        cr_expect_null(strstr(part, " more "), "%s, %u: %s", of->name, count, part);
}

Test(report_limits, as_many_are_shown_as_the_limit_says_and_the_others_are_counted)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        for (int is_all = 0; is_all < 2; is_all++)
            for (int more = -1; more <= 1; more++) {
                const uint32_t limit = is_all ? limits[i].all : limits[i].shown;
                const uint32_t least = limits[i].shown == UINT32_MAX ? 3 : limits[i].shown + 2;
                check(&limits[i], (limit == UINT32_MAX ? least : limit) + (uint32_t)more, is_all);
            }
}

/* ---- bytes ---- */

/* annot_report_options.size_limit, and of what is looked at: 2^20 entries and 16 times what the
 * dump has, 2^26 at most. */
Test(report_limits, a_report_is_bounded_by_the_size_of_its_dump)
{
    enum { MIB = 1 << 20 };
    static const uint64_t rows[][2] = {{0, 8 * MIB},
                                       {1, 8 * MIB + 6},
                                       {1000, 8 * MIB + 6000},
                                       {(UINT64_C(1024) - 8) * MIB / 6, 1024 * MIB - 2},
                                       {(UINT64_C(1024) - 8) * MIB / 6 + 1, 1024 * MIB},
                                       {UINT32_MAX, 1024 * MIB}};
    static const uint64_t visits[][3] = {{0, 0, MIB},
                                         {1, 0, MIB + 16},
                                         {0, 1, MIB + 16},
                                         {1000, 500, MIB + 24000},
                                         {63 * MIB / 16, 0, 64 * MIB},
                                         {63 * MIB / 16, 1, 64 * MIB},
                                         {63 * MIB / 16 - 1, 0, 64 * MIB - 16}};
    OWNED struct annot_reader *reader = calloc(1, sizeof *reader);
    annot_report_options options = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        reader->file.size = (size_t)rows[i][0];
        cr_expect_eq(annot__report_size_limit(reader, &options), rows[i][1], "row %zu", i);
    }
    for (options.size_limit = 1; options.size_limit < 4; options.size_limit++)
        cr_expect_eq(annot__report_size_limit(reader, &options), options.size_limit);
    for (size_t i = 0; i < sizeof visits / sizeof visits[0]; i++) {
        reader->entry_count = (uint32_t)visits[i][0];
        reader->execution_count = (uint32_t)visits[i][1];
        cr_expect_eq(annot__report_visit_limit(reader), visits[i][2], "row %zu", i);
    }
}

/* ---- lines of the tree ---- */

enum { DISPATCH = 6 };

static void dispatches(struct dump *dump, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        dump_add(dump, OPERATION, .number = first + i, .kind = DISPATCH);
}

/* Two queues, scopes from list to list, a bundle, operations, a list that nothing executes. */
static void all_kinds(struct dump *dump)
{
    *dump = dump_hung();
    dump_begin(dump, "from list to list");
    dump_begin(dump, "and another");
    dump_set(dump, "mark");
    dispatches(dump, 3, 2);
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump->depth = 0;
    dump_recording(dump, 2, 101);
    dump_set(dump, "inside");
    dump_bundle(dump, 1, 3, 102);
    dispatches(dump, 3, 1);
    dump_end(dump);
    dump_end(dump);
    dump_set(dump, "outside");
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(dump, 3, 102);
    dump_begin(dump, "of the bundle");
    dispatches(dump, 1, 1);
    dump_set(dump, "mark");
    dump_end(dump);
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(dump, 4, 103);
    dump_set(dump, "not executed");
    dump_set(dump, "either");
    dump_queue(dump, QUEUE, 3, 1);
    dump_submit(dump, 1, 2, (uint64_t[]){1, 2});
    dump_begin(dump, "of the queue");
    dump_submit(dump, 2, 3, (uint64_t[]){1, 2, 2});
    dump_end(dump);
    dump_submit(dump, 3, 1, (uint64_t[]){2});
    dump_queue(dump, QUEUE + 1, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){2});
    for (uint32_t i = 0; i < 3; i++)
        dump_row(dump, QUEUE, 2, i, 0, i < 1 ? FINISHED : NOT_STARTED, 0, 0);
    dump_finish(dump);
}

static bool begins_with(const char *text, const char *words)
{
    return strncmp(text, words, strlen(words)) == 0;
}

/* The report that the whole one becomes when its tree has so many lines, and when none begins
 * behind the one that begins at `bytes` or later. Queues have their lines, and what they have in
 * them ends. */
static char *shortened(const char *whole, uint64_t lines, uint64_t bytes)
{
    char *text = calloc(1, strlen(whole) + 256);
    const char *at = strchr(strstr(whole, "\nMARKERS") + 1, '\n') + 1;
    size_t used = (size_t)(at - whole);
    memcpy(text, whole, used);
    for (; *at != '\n'; at = strchr(at, '\n') + 1) {
        const size_t size = strcspn(at, "\n") + 1;
        const bool is_queue = begins_with(at, "queue ");
        const bool is_head = is_queue || begins_with(at, "recorded, ");
        if (lines == 0 && !is_queue)
            continue;
        memcpy(text + used, at, size);
        used += size;
        lines -= !is_head;
        if (!is_head && (uint64_t)(at - whole) >= bytes)
            lines = 0;
    }
    if (lines == 0)
        used += (size_t)sprintf(text + used, "... the report's limit is reached; the rest of the "
                                             "tree is not shown\n");
    strcpy(text + used, at);
    return text;
}

/* annot_report_options.node_limit, .size_limit. */
Test(report_limits, the_tree_ends_at_its_limit)
{
    AT_END(dump_free) struct dump dump;
    annot_report_options options = {.all = true, .operations = true};
    all_kinds(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    OWNED char *whole = report_of(reader, false, &options);
    const size_t tree = (size_t)(strstr(whole, "\nMARKERS") - whole);
    for (options.node_limit = 1; options.node_limit < 50; options.node_limit++) {
        OWNED char *text = report_of(reader, false, &options),
                   *expected = shortened(whole, options.node_limit, UINT64_MAX);
        cr_expect_str_eq(text, expected, "%u lines: %s", (unsigned)options.node_limit, text);
    }
    options.node_limit = 0;
    for (size_t at = tree; whole[at]; at++) {
        if (whole[at] != '\n')
            continue;
        for (options.size_limit = at; options.size_limit < at + 3; options.size_limit++) {
            OWNED char *text = report_of(reader, false, &options),
                       *expected = shortened(whole, UINT64_MAX, options.size_limit);
            cr_expect_str_eq(text, expected, "%u bytes: %s", (unsigned)options.size_limit, text);
        }
    }
}

static uint32_t elements(const char *json)
{
    static const char *const takers[] = {
        "\"depth\":", "\"list\":", "\"opened_in_list\":", "\"number\":"};
    uint32_t count = 0;
    const char *queues = strstr(json, "\"queues\":");
    for (size_t i = 0; i < sizeof takers / sizeof takers[0]; i++)
        count += report_count(queues, takers[i]);
    return count;
}

/* The same of JSON, which says whether anything is left out. */
Test(report_limits, the_arrays_of_json_end_at_their_limit)
{
    AT_END(dump_free) struct dump dump;
    annot_report_options options = {.all = true, .operations = true};
    all_kinds(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    OWNED char *whole = report_of(reader, true, &options);
    const uint32_t count = elements(whole);
    cr_expect_not_null(strstr(whole, "\"cut\":false"));
    for (options.node_limit = 1; options.node_limit < count + 3; options.node_limit++) {
        OWNED char *text = report_of(reader, true, &options);
        const bool is_cut = options.node_limit < count;
        cr_expect_eq(elements(text), is_cut ? options.node_limit : count, "%u: %s",
                     (unsigned)options.node_limit, text);
        cr_expect_not_null(strstr(text, is_cut ? "\"cut\":true" : "\"cut\":false"), "%u: %s",
                           (unsigned)options.node_limit, text);
    }
}

/* The lines of markers and operations in a tree for which so many entries may be looked at. */
static uint32_t lines_after(const annot_reader *reader, bool is_all, uint64_t visits)
{
    const annot_report_options options = {.all = is_all, .operations = true};
    struct kept kept = {0};
    const annot_report_sink sink = kept_sink(&kept);
    struct annot__page *page = calloc(1, sizeof *page);
    page->out.sink = &sink;
    page->reader = reader;
    page->words = annot__words_of(reader);
    page->options = &options;
    page->nodes_left = page->size_limit = UINT64_MAX;
    page->visits_left = visits;
    cr_expect(annot__names_init(&page->names, reader) &&
              annot__outer_scopes_init(&page->outer, reader));
    annot__write_tree(page);
    cr_expect(annot__out_flush(&page->out));
    const uint32_t lines =
        report_count(kept.data, "- mark  0x") + report_count(kept.data, " Dispatch\n");
    cr_expect_eq(strstr(kept.data, "limit is reached") != NULL, page->nodes_left == 0);
    annot__outer_scopes_finish(&page->outer);
    annot__names_finish(&page->names);
    free(page);
    free(kept.data);
    return lines;
}

/* annot__report_visit_limit: what is folded away is looked at, too. */
Test(report_limits, the_tree_ends_where_enough_was_looked_at)
{
    enum { MARKS = 10 };
    for (int kind = 0; kind < 3; kind++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        if (kind == 1) { /* in a scope of the list before */
            dump_begin(&dump, "scope");
            dump_new_section(&dump, ANNOT__DUMP_SECTION_LISTS);
            dump.depth = 0;
            dump_recording(&dump, 2, 101);
        }
        if (kind == 2)
            dispatches(&dump, 0, MARKS);
        for (uint32_t i = 0; i < MARKS && kind < 2; i++)
            dump_set(&dump, "mark");
        if (kind == 1)
            dump_end(&dump);
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, kind == 1 ? 2 : 1, (uint64_t[]){1, 2});
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        if (kind == 1)
            dump_row(&dump, QUEUE, 1, 1, 0, FINISHED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t visits = 1; visits < 20; visits++) {
            const uint32_t before = kind == 1 ? 3 : 1; /* and the scope, in its list and around */
            const uint32_t most = visits < before ? 0 : visits - before;
            const uint32_t lines = lines_after(reader, true, visits);
            if (kind < 2)
                cr_expect_eq(lines, most < MARKS ? most : MARKS, "%d, %u: %u", kind, visits, lines);
            else /* one is looked at to see whether it goes on like this */
                cr_expect(lines == (most < MARKS ? most : MARKS) || lines + 1 == most, "%u: %u",
                          visits, lines);
        }
    }
}

/* Up to 511 bytes of a format, whatever its arguments are, and nothing when there is nothing. */
Test(report_limits, a_line_of_words_is_short)
{
    char words[600];
    for (size_t size = 0; size < sizeof words; size += size < 505 || size > 515 ? 5 : 1) {
        struct kept kept = {0};
        const annot_report_sink sink = kept_sink(&kept);
        OWNED struct annot__out *out = calloc(1, sizeof *out);
        const size_t expected = size < 511 ? size : 511;
        out->sink = &sink;
        memset(words, 'w', size);
        words[size] = 0;
        annot__out_format(out, "%s", words);
        cr_expect(annot__out_flush(out) && out->written == expected);
        cr_expect_eq(kept.size, expected);
        cr_expect(expected == 0 || memcmp(kept.data, words, expected) == 0);
        cr_expect(annot__out_flush(out) && kept.size == expected, "and no more");
        free(kept.data);
    }
}
