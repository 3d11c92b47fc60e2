/* Rows name objects by identity, and say what of an execution they follow [ANN-CRASH-02,
 * ANN-DDI-03, ANN-VK-02]. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { QUEUE = 21, LIST = 100, BUNDLE = 200 };

struct passes {
    struct dump dump;
    uint64_t first, second;
};

static void passes_start(struct passes *p)
{
    dump_start(&p->dump, ERROR_HUNG, 0);
    dump_recording(&p->dump, 1, LIST);
    p->first = dump_begin(&p->dump, "first");
    dump_end(&p->dump);
    p->second = dump_begin(&p->dump, "second");
    dump_end(&p->dump);
    dump_submitted(&p->dump);
}

static annot_reader *passes_open(struct passes *p, const struct annot__dump_PROGRESS *row)
{
    passes_start(p);
    dump_section(&p->dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(&p->dump, row, NULL, 0);
    return dump_open(&p->dump, ANNOT_OK);
}

static void passes_done(struct passes *p, annot_reader *reader)
{
    annot_reader_close(reader);
    dump_free(&p->dump);
}

static annot_state state_of(const annot_reader *reader, uint64_t id, annot_evidence *evidence)
{
    return annot_reader_state(reader, 0, ANNOT_READER_NONE, annot_reader_entry_find(reader, id),
                              evidence);
}

/* Work that isn't tracked is unknown, never not started. */
Test(identity, what_is_not_tracked_is_unknown)
{
    enum {
        UNKNOWN = ANNOT_STATE_UNKNOWN,
        WAITS = ANNOT_STATE_NOT_STARTED,
        RUNS = ANNOT_STATE_IN_PROGRESS,
        DONE = ANNOT_STATE_FINISHED
    };
    static const struct {
        uint32_t inside;
        bool has_started, has_completed; /* the first pass */
        int first, second;
        annot_evidence evidence;
    } rows[] = {
        {ANNOT_INSIDE_NOT_TRACKED, false, false, UNKNOWN, UNKNOWN, ANNOT_EVIDENCE_NOT_TRACKED},
        {ANNOT_INSIDE_LOST, false, false, UNKNOWN, UNKNOWN, ANNOT_EVIDENCE_NO_MARKER},
        {ANNOT_INSIDE_TRACKED, false, false, WAITS, WAITS, ANNOT_EVIDENCE_DRIVER},
        {ANNOT_INSIDE_TRACKED, true, true, DONE, WAITS, ANNOT_EVIDENCE_DRIVER},
        {ANNOT_INSIDE_TRACKED, true, false, RUNS, WAITS, ANNOT_EVIDENCE_DRIVER},
        /* it may have been left: where the first pass ends no EventID starts */
        {ANNOT_INSIDE_STARTED, true, false, UNKNOWN, WAITS, ANNOT_EVIDENCE_NOT_TRACKED},
        {ANNOT_INSIDE_COMPLETED, false, true, DONE, UNKNOWN, ANNOT_EVIDENCE_NOT_TRACKED},
        {ANNOT_INSIDE_COMPLETED, false, false, UNKNOWN, UNKNOWN, ANNOT_EVIDENCE_NOT_TRACKED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct passes p, ids;
        passes_start(&ids);
        dump_free(&ids.dump);
        const struct annot__dump_PROGRESS row = {
            .queue = QUEUE,
            .submission = 1,
            .state = STARTED,
            .inside = rows[i].inside,
            .started = rows[i].has_started ? ids.first : 0,
            .completed = rows[i].has_completed ? ids.first : 0,
        };
        annot_reader *reader = passes_open(&p, &row);
        annot_reader_execution execution;
        annot_evidence evidence;
        cr_assert(annot_reader_execution_at(reader, 0, &execution));
        cr_expect_eq(execution.state, ANNOT_STATE_IN_PROGRESS, "row %zu", i);
        cr_expect_eq((int)state_of(reader, p.first, &evidence), rows[i].first, "row %zu", i);
        cr_expect_eq(evidence, rows[i].evidence, "row %zu: %s", i,
                     annot_evidence_text(NULL, evidence));
        cr_expect_eq((int)state_of(reader, p.second, NULL), rows[i].second, "row %zu", i);
        passes_done(&p, reader);
    }
}

/* No EventID reached the GPU, so a word that stayed 0 says nothing [ANN-CAPS-01]. */
Test(identity, without_annotations_in_the_driver_markers_are_unknown)
{
    AT_END(dump_free) struct dump dump;
    dump_start_device(&dump,
                      &(struct annot__dump_DEVICE){
                          .error = ERROR_HUNG, .mode = 2, .has_report = 1, .pointer_size = 8});
    dump_recording(&dump, 1, LIST);
    const uint64_t id = dump_set(&dump, "pass");
    dump_submitted(&dump);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1, .state = STARTED,
             .inside = ANNOT_INSIDE_TRACKED);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq((int)state_of(reader, id, NULL), ANNOT_STATE_UNKNOWN);
}

/* A row that breaks its own words is a driver's mistake. */
Test(identity, a_row_that_names_what_it_does_not_follow_is_not_believed)
{
    static const struct {
        uint32_t inside;
        bool has_started, has_completed;
        uint64_t object;
    } rows[] = {
        {ANNOT_INSIDE_NOT_TRACKED, true, false, 0},
        {ANNOT_INSIDE_COMPLETED, true, false, 0},
        {ANNOT_INSIDE_STARTED, true, true, 0},
        {ANNOT_INSIDE_LOST, true, false, 0},
        {5, false, false, 0},
        {UINT32_MAX, false, false, 0},
        {ANNOT_INSIDE_TRACKED, true, false, 101},
        {ANNOT_INSIDE_TRACKED, true, false, QUEUE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct passes p, ids;
        passes_start(&ids);
        dump_free(&ids.dump);
        const struct annot__dump_PROGRESS row = {
            .queue = QUEUE,
            .object = rows[i].object,
            .submission = 1,
            .state = STARTED,
            .inside = rows[i].inside,
            .started = rows[i].has_started ? ids.first : 0,
            .completed = rows[i].has_completed ? ids.first : 0,
        };
        annot_reader *reader = passes_open(&p, &row);
        annot_reader_execution execution = dump_execution_at(reader, 0);
        cr_expect_eq(execution.state, ANNOT_STATE_UNKNOWN, "row %zu", i);
        cr_expect_eq(execution.evidence, ANNOT_EVIDENCE_CONTRADICTORY, "row %zu", i);
        passes_done(&p, reader);
    }
}

/* The list, and the bundle that `bundle` numbers, by their own names. */
Test(identity, a_bundle_row_names_the_bundle)
{
    for (int is_right = 0; is_right < 2; is_right++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_recording(&dump, 1, LIST);
        dump_bundle(&dump, 1, 2, BUNDLE);
        dump_recording(&dump, 2, BUNDLE);
        uint64_t trees = dump_begin(&dump, "trees");
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .object = is_right ? BUNDLE : LIST,
                 .submission = 1, .bundle = 1, .state = STARTED, .inside = ANNOT_INSIDE_TRACKED,
                 .started = trees);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        uint32_t entry = annot_reader_entry_find(reader, trees);
        cr_expect_eq(annot_reader_state(reader, 0, 0, entry, NULL),
                     is_right ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN);
    }
}

/* ANN-CRASH-03: with starts alone nobody knows whether a scope was left. */
Test(identity, a_scope_that_may_have_been_left_is_not_called_left)
{
    struct passes p, ids;
    passes_start(&ids);
    dump_free(&ids.dump);
    const struct annot__dump_PROGRESS row = {
        .queue = QUEUE,
        .submission = 1,
        .state = STARTED,
        .inside = ANNOT_INSIDE_STARTED,
        .started = ids.first,
    };
    annot_reader *reader = passes_open(&p, &row);
    char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "(in an unknown scope)"), "%s", text);
    cr_expect(strstr(text, "last started   first"), "%s", text);
    free(text);
    passes_done(&p, reader);
}

/* DUMP_FORMAT.md: files from before `inside`, whose rows are 44 bytes. */
Test(identity, an_older_row_follows_both_if_it_names_a_marker)
{
    for (int is_named = 0; is_named < 2; is_named++) {
        struct passes p;
        passes_start(&p);
        struct annot__dump_PROGRESS row = {
            .queue = QUEUE, .submission = 1, .state = STARTED, .started = is_named ? p.first : 0};
        unsigned char fixed[44] = {0};
        memcpy(fixed, &row.queue, 8);
        memcpy(fixed + 8, &row.submission, 8);
        memcpy(fixed + 16, &row.started, 8);
        memcpy(fixed + 40, &row.state, 4);
        dump_section(&p.dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_record(&p.dump, ANNOT__DUMP_PROGRESS, fixed, sizeof fixed, NULL, 0);
        annot_reader *reader = dump_open(&p.dump, ANNOT_OK);
        cr_expect_eq(state_of(reader, p.first, NULL),
                     is_named ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN);
        cr_expect_eq(state_of(reader, p.second, NULL),
                     is_named ? ANNOT_STATE_NOT_STARTED : ANNOT_STATE_UNKNOWN);
        passes_done(&p, reader);
    }
}
