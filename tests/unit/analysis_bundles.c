/* A row for a list against rows for bundles inside it [ANN-MARK-11, ANN-DDI-03]: two that can't
 * both be true are not believed, and the report says so. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { QUEUE = 21, NO_ROW = 9 };

/* Begin outer, bundle 1, Set between, bundle 2, End; the bundle is Begin trees, End. */
struct markers {
    uint64_t outer, between, trees;
};

enum name { NOTHING, OUTER, BETWEEN, TREES };

struct said {
    uint32_t state;
    enum name started, completed;
};

struct row {
    const char *why;
    struct said list, bundle[2];
    bool is_contradictory; /* something is found */
    annot_state state;     /* of the list */
};

static uint64_t id_of(const struct markers *markers, enum name name)
{
    return name == OUTER     ? markers->outer
           : name == BETWEEN ? markers->between
           : name == TREES   ? markers->trees
                             : 0;
}

static void put_row(struct dump *dump, const struct markers *markers, uint32_t bundle,
                    const struct said *said)
{
    if (said->state != NO_ROW)
        dump_row(dump, QUEUE, 1, 0, bundle, said->state, id_of(markers, said->started),
                 id_of(markers, said->completed));
}

static annot_reader *open_row(struct dump *dump, const struct row *row, uint32_t window)
{
    struct markers markers;
    dump_start(dump, ERROR_HUNG, window);
    dump_recording(dump, 1, 100);
    markers.outer = dump_begin(dump, "outer");
    dump_bundle(dump, 1, 2, 200);
    markers.between = dump_set(dump, "between");
    dump_bundle(dump, 2, 2, 200);
    dump_end(dump);
    dump_recording(dump, 2, 200);
    markers.trees = dump_begin(dump, "trees");
    dump_end(dump);
    dump_submitted(dump);
    put_row(dump, &markers, 0, &row->list);
    put_row(dump, &markers, 1, &row->bundle[0]);
    put_row(dump, &markers, 2, &row->bundle[1]);
    return dump_open(dump, ANNOT_OK);
}

/* What is said of a bundle counts where its list is in progress; else it is as its list. */
static annot_state bundle_state(const struct said *said, annot_state list)
{
    if (list != ANNOT_STATE_IN_PROGRESS)
        return list;
    return said->state == FINISHED                            ? ANNOT_STATE_FINISHED
           : said->state == NOT_STARTED                       ? ANNOT_STATE_NOT_STARTED
           : said->state == STARTED && said->started == TREES ? ANNOT_STATE_IN_PROGRESS
                                                              : ANNOT_STATE_UNKNOWN;
}

/* Where markers may be moved, none of them says that a bundle must have begun or be over. */
static void check(const struct row *row, uint32_t window)
{
    const bool is_of_place = row->list.state == STARTED && row->state == ANNOT_STATE_UNKNOWN;
    const bool is_contradictory = row->is_contradictory && (window == 0 || !is_of_place);
    const annot_state state = is_of_place && window > 0 ? ANNOT_STATE_IN_PROGRESS : row->state;
    AT_END(dump_free) struct dump dump;
    annot_reader_execution execution;
    annot_reader_entry entry;
    AT_END(at_end_close) annot_reader *reader = open_row(&dump, row, window);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_expect_eq(execution.state, state, "%s: it is %s", row->why,
                 annot_state_text(execution.state));
    cr_expect_eq(annot_reader_finding_count(reader) > 0, is_contradictory, "%s", row->why);
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE && row->bundle[entry.ordinal - 1].state != NO_ROW) {
            const annot_state is = annot_reader_state(reader, 0, ANNOT_READER_NONE, i, NULL);
            cr_expect_eq(is, bundle_state(&row->bundle[entry.ordinal - 1], state),
                         "%s, window %u: bundle %u is %s", row->why, (unsigned)window,
                         (unsigned)entry.ordinal, annot_state_text(is));
        }
}

Test(analysis, rows_of_a_list_and_of_its_bundles_are_held_against_each_other)
{
    static const struct row rows[] = {
        /* clang-format off */
        {"a finished list has finished bundles", {FINISHED, NOTHING, NOTHING},
         {{FINISHED, NOTHING, NOTHING}, {FINISHED, NOTHING, NOTHING}}, false, ANNOT_STATE_FINISHED},
        {"and bundles without a known state", {FINISHED, NOTHING, NOTHING},
         {{ANNOT_PROGRESS_UNKNOWN, NOTHING, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, false,
         ANNOT_STATE_FINISHED},
        {"so has one that has not started", {NOT_STARTED, NOTHING, NOTHING},
         {{ANNOT_PROGRESS_UNKNOWN, NOTHING, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, false,
         ANNOT_STATE_NOT_STARTED},
        {"but none in progress", {FINISHED, NOTHING, NOTHING},
         {{FINISHED, NOTHING, NOTHING}, {STARTED, TREES, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"nor one that has not started", {FINISHED, NOTHING, NOTHING},
         {{NOT_STARTED, NOTHING, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"a list that has not started has no bundle in progress", {NOT_STARTED, NOTHING, NOTHING},
         {{STARTED, TREES, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"nor a finished one", {NOT_STARTED, NOTHING, NOTHING},
         {{FINISHED, NOTHING, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"its bundles have not started", {NOT_STARTED, NOTHING, NOTHING},
         {{NOT_STARTED, NOTHING, NOTHING}, {NOT_STARTED, NOTHING, NOTHING}}, false,
         ANNOT_STATE_NOT_STARTED},
        {"a bundle has not begun behind a marker that was not reached", {STARTED, OUTER, NOTHING},
         {{FINISHED, NOTHING, NOTHING}, {STARTED, TREES, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"in front of it, it has", {STARTED, OUTER, NOTHING},
         {{STARTED, TREES, NOTHING}, {NOT_STARTED, NOTHING, NOTHING}}, false,
         ANNOT_STATE_IN_PROGRESS},
        {"a bundle has started in front of a marker that was reached", {STARTED, BETWEEN, NOTHING},
         {{NOT_STARTED, NOTHING, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"it may be in progress there", {STARTED, BETWEEN, NOTHING},
         {{STARTED, TREES, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, false, ANNOT_STATE_IN_PROGRESS},
        {"but not when the marker was passed", {STARTED, BETWEEN, BETWEEN},
         {{STARTED, TREES, NOTHING}, {NO_ROW, NOTHING, NOTHING}}, true, ANNOT_STATE_UNKNOWN},
        {"behind that marker it may be in progress", {STARTED, BETWEEN, BETWEEN},
         {{FINISHED, NOTHING, NOTHING}, {STARTED, TREES, NOTHING}}, false, ANNOT_STATE_IN_PROGRESS},
        {"a row that names a marker of another recording says nothing of its list",
         {STARTED, BETWEEN, BETWEEN}, {{FINISHED, NOTHING, NOTHING}, {STARTED, OUTER, NOTHING}},
         true, ANNOT_STATE_IN_PROGRESS},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i], 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i], 8);
}

/* A bundle that the dump doesn't hold, of a list that it holds or not: its row is all there is. */
Test(analysis, a_bundle_that_the_dump_lacks_is_as_its_row_says)
{
    for (int has_list = 0; has_list < 2; has_list++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        if (has_list) {
            dump_recording(&dump, 1, 100);
            dump_bundle(&dump, 1, 2, 200);
        }
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, 0, 1, STARTED, 0x500000010, 0);
        const struct annot__dump_CRUMBS crumbs = {
            .queue = QUEUE, .submission = 1, .bundle = 1, .count = 4, .done = UINT32_MAX};
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        if (!has_list)
            dump_put_CRUMBS(&dump, &crumbs, NULL, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop stop = dump_stop_at(reader, 0);
        cr_expect_eq(stop.bundle, has_list ? 0 : ANNOT_READER_NONE);
        cr_expect_eq(stop.bundle_entry, ANNOT_READER_NONE);
        annot_finding finding;
        for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
            cr_expect(finding.kind != ANNOT_FINDING_ROW_CONTRADICTORY &&
                      finding.kind != ANNOT_FINDING_WITNESSES_DISAGREE);
    }
}

/* A scope that a bundle leaves open may go on behind it [ANN-TRUTH-01]: that the list is done says
 * nothing of it, but all of the scopes that it closes are. */
Test(analysis, a_scope_that_a_bundle_leaves_open_is_not_finished)
{
    for (uint32_t said = NOT_STARTED; said <= FINISHED; said += FINISHED - NOT_STARTED) {
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_stream bundle;
        annot_evidence evidence;
        dump_bundle(&dump, 1, 2, 200);
        dump_recording(&dump, 2, 200);
        dump_begin(&dump, "left open");
        dump_begin(&dump, "closed");
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, said, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_execution list;
        annot_reader_stream calls;
        annot_reader_entry call;
        cr_assert(annot_reader_execution_at(reader, 0, &list));
        const bool is_over = said == FINISHED;
        cr_expect_eq(list.state, is_over ? ANNOT_STATE_FINISHED : ANNOT_STATE_NOT_STARTED);
        cr_assert(annot_reader_stream_at(reader, list.stream, &calls));
        cr_assert(annot_reader_entry_at(reader, calls.first_entry, &call));
        cr_assert(annot_reader_stream_at(reader, call.link, &bundle));
        cr_expect_eq(annot_reader_state(reader, 0, calls.first_entry, bundle.first_entry,
                                        &evidence),
                     is_over ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_NOT_STARTED);
        cr_expect_eq(evidence, is_over ? ANNOT_EVIDENCE_NONE : ANNOT_EVIDENCE_DRIVER);
        cr_expect_eq(annot_reader_state(reader, 0, calls.first_entry, bundle.first_entry + 1, NULL),
                     list.state);
    }
}
