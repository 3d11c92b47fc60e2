/* Breadcrumbs beside fences and the driver's rows [ANN-JOIN]: joined with markers by counting,
 * trusted more than rows and less than fences, and each contradiction reported with both claims. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(witness, .fini = guarded_expect_nothing_left);

enum { OTHER, LIST }; /* executions */
enum { SET = 0, BEGIN = 1, END = 2, DISPATCH = 6, COPY = 9, BUNDLE = 16, NEVER = -1, ENDED = 9 };

/* Frame { sky, Shadow { dispatch } , late }: 8 operations, of which the fifth, number 4, is the
 * dispatch. */
static const uint8_t ops[] = {BEGIN, COPY, SET, BEGIN, DISPATCH, END, SET, END};

struct scene {
    struct dump dump;
    uint64_t frame, sky, shadow, late;
};

static void record(struct scene *s, uint32_t order_window)
{
    dump_start(&s->dump, ERROR_HUNG, order_window);
    dump_object(&s->dump, 21, 19, "Graphics");
    dump_recording(&s->dump, 1, 100);
    s->frame = dump_begin(&s->dump, "Frame");
    s->sky = dump_set(&s->dump, "sky");
    s->shadow = dump_begin(&s->dump, "Shadow");
    dump_end(&s->dump);
    s->late = dump_set(&s->dump, "late");
    dump_end(&s->dump);
}

/* Another queue has executed something before, so that nothing of the list is the first. */
static void submit(struct scene *s, uint64_t completed)
{
    dump_recording(&s->dump, 9, 100);
    dump_set(&s->dump, "other");
    dump_queue(&s->dump, 20, 1, 0);
    dump_submit(&s->dump, 1, 1, (uint64_t[]){9});
    dump_queue(&s->dump, 21, 1, completed);
    dump_submit(&s->dump, 1, 1, (uint64_t[]){1});
}

static void crumbs_with(struct scene *s, int done, uint32_t markers, uint32_t flags)
{
    dump_section(&s->dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(&s->dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = sizeof ops,
             .done = (uint32_t)done, .markers = markers, .flags = flags);
    dump_put_OPS(&s->dump, &(struct annot__dump_OPS){.log = 4, .first = 7}, ops, 3);
    dump_put_OPS(&s->dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
}

/* ENDED: the GPU left the breadcrumb at the end, too. */
static void crumbs(struct scene *s, int done, uint32_t markers)
{
    const uint32_t flags =
        done == ENDED ? ANNOT_CRUMBS_HAS_END | ANNOT_CRUMBS_ENDED : (uint32_t)ANNOT_CRUMBS_HAS_END;
    crumbs_with(s, done == ENDED ? (int)sizeof ops : done, markers, flags);
}

static annot_reader *finish(struct scene *s)
{
    annot_reader *reader = dump_open(&s->dump, ANNOT_OK);
    cr_assert(!annot_reader_is_damaged(reader));
    return reader;
}

static void close(struct scene *s, annot_reader *reader)
{
    annot_reader_close(reader);
    dump_free(&s->dump);
}

static annot_state state_of(const annot_reader *reader, uint64_t event_id)
{
    return annot_reader_state(reader, LIST, ANNOT_READER_NONE,
                              annot_reader_entry_find(reader, event_id), NULL);
}

static annot_reader_execution execution_of(const annot_reader *reader)
{
    return dump_execution_at(reader, LIST);
}

static void expect_text(const annot_reader *reader, const char *wanted)
{
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, wanted) != NULL, "no \"%s\" in\n%s", wanted, text);
}

Test(witness, breadcrumbs_alone_cut_the_tree_at_each_operation)
{
    static const struct {
        int done;
        annot_state frame, sky, shadow, late;
    } rows[] = {
        {0, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
        {1, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
        {2, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
        {3, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED, ANNOT_STATE_UNKNOWN,
         ANNOT_STATE_UNKNOWN},
        {4, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS,
         ANNOT_STATE_UNKNOWN},
        {5, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS,
         ANNOT_STATE_UNKNOWN},
        {6, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED,
         ANNOT_STATE_UNKNOWN},
        {7, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED,
         ANNOT_STATE_FINISHED},
        {8, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED},
        {ENDED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED,
         ANNOT_STATE_FINISHED},
        {NEVER, ANNOT_STATE_NOT_STARTED, ANNOT_STATE_NOT_STARTED, ANNOT_STATE_NOT_STARTED,
         ANNOT_STATE_NOT_STARTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        record(&s, 0);
        submit(&s, 0);
        crumbs(&s, rows[i].done, 6);
        annot_reader *reader = finish(&s);
        cr_expect_eq(state_of(reader, s.frame), rows[i].frame, "%d done", rows[i].done);
        cr_expect_eq(state_of(reader, s.sky), rows[i].sky, "%d done", rows[i].done);
        cr_expect_eq(state_of(reader, s.shadow), rows[i].shadow, "%d done", rows[i].done);
        cr_expect_eq(state_of(reader, s.late), rows[i].late, "%d done", rows[i].done);
        cr_expect_eq(execution_of(reader).evidence, ANNOT_EVIDENCE_CRUMBS);
        close(&s, reader);
    }
}

/* Of two calls the GPU finishes the first before it begins the second, and the first breadcrumb of
 * a call waits for nothing [ANN-TRUTH-05]. What no breadcrumb counts has not started behind a call
 * that is not done, nor where its call has not begun; beside work in flight it may have. A call
 * whose fence was signalled is done, whatever its breadcrumbs say. */
Test(witness, what_no_breadcrumb_counts_may_have_started_beside_work_in_flight)
{
    static const struct {
        int done; /* of the first list of submission 1 */
        uint32_t submission, list;
        annot_state state;
        uint64_t completed;
    } rows[] = {
        {4, 1, 1, ANNOT_STATE_UNKNOWN, 0},         {ENDED, 1, 1, ANNOT_STATE_UNKNOWN, 0},
        {4, 2, 0, ANNOT_STATE_NOT_STARTED, 0},     {4, 2, 1, ANNOT_STATE_NOT_STARTED, 0},
        {ENDED, 2, 0, ANNOT_STATE_NOT_STARTED, 0}, {ENDED, 2, 1, ANNOT_STATE_UNKNOWN, 0},
        {4, 2, 1, ANNOT_STATE_UNKNOWN, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        annot_reader_crumbs told;
        annot_reader_execution is;
        record(&s, 0);
        dump_queue(&s.dump, 21, 2, rows[i].completed);
        dump_submit(&s.dump, 1, 2, (uint64_t[]){1, 1});
        dump_submit(&s.dump, 2, 2, (uint64_t[]){1, 1});
        crumbs(&s, rows[i].done, 6);
        dump_add(&s.dump, CRUMBS, .queue = 21, .submission = rows[i].submission,
                 .list = rows[i].list, .log = 5, .count = sizeof ops,
                 .done = ANNOT_CRUMBS_NOT_BEGUN, .markers = 6);
        annot_reader *reader = finish(&s);
        cr_assert(annot_reader_crumbs_at(reader, 1, &told));
        cr_assert(annot_reader_execution_at(reader, told.execution, &is));
        cr_expect_eqs(told.state, rows[i].state, is.state, rows[i].state, "row %zu", i);
        close(&s, reader);
    }
}

Test(witness, a_list_with_uncounted_work_is_not_finished)
{
    static const struct {
        uint32_t flags;
        annot_state list, scope; /* `scope`: one that the list leaves open */
    } rows[] = {
        {0, ANNOT_STATE_UNKNOWN,
         ANNOT_STATE_UNKNOWN}, /* of a writer that says nothing of the end */
        {ANNOT_CRUMBS_MARKERS_ONLY, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
        {ANNOT_CRUMBS_HAS_END, ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_IN_PROGRESS},
        {ANNOT_CRUMBS_HAS_END | ANNOT_CRUMBS_MARKERS_ONLY, ANNOT_STATE_IN_PROGRESS,
         ANNOT_STATE_IN_PROGRESS},
        {ANNOT_CRUMBS_HAS_END | ANNOT_CRUMBS_ENDED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED},
        {ANNOT_CRUMBS_ENDED, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        record(&s, 0);
        const uint64_t open = dump_begin(&s.dump, "left open");
        submit(&s, 0);
        dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 7, .done = 7,
                 .markers = 7, .flags = rows[i].flags);
        annot_reader *reader = finish(&s);
        annot_reader_crumbs told = dump_crumbs_at(reader, 0);
        cr_expect_eq(told.state, rows[i].list, "row %zu", i);
        cr_expect_eq(execution_of(reader).state, rows[i].list, "row %zu", i);
        cr_expect_eq(state_of(reader, s.frame), ANNOT_STATE_FINISHED, "row %zu", i);
        cr_expect_eq(state_of(reader, open), rows[i].scope, "row %zu", i);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 0, "row %zu", i);
        close(&s, reader);
    }
}

/* Every third operation of many is a marker, from the first on; the dump has them in one piece or
 * in several. */
Test(witness, markers_are_counted_between_any_two_operations)
{
    enum { OPS = 768, MARKERS = OPS / 3 };
    static const uint32_t pieces[][3] = {{OPS}, {256, 256, 256}, {100, 1, 667}};
    uint8_t many[OPS];
    uint64_t markers[MARKERS];
    for (uint32_t i = 0; i < OPS; i++)
        many[i] = i % 3 == 0 ? SET : DISPATCH;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        for (uint32_t done = 0; done < OPS; done += 32) {
            struct scene s;
            dump_start(&s.dump, ERROR_HUNG, 0);
            dump_object(&s.dump, 21, 19, "Graphics");
            dump_recording(&s.dump, 1, 100);
            for (uint32_t k = 0; k < MARKERS; k++)
                markers[k] = dump_set(&s.dump, "marker");
            submit(&s, 0);
            dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
            dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = OPS,
                     .done = done, .markers = MARKERS);
            for (uint32_t k = 0, first = 0; k < 3; first += pieces[i][k++])
                if (pieces[i][k] > 0)
                    dump_add_with(&s.dump, OPS, many + first, pieces[i][k], .log = 5,
                                  .first = first);
            annot_reader *reader = finish(&s);
            for (uint32_t k = 0; k < MARKERS; k++)
                cr_expect_eq(state_of(reader, markers[k]) == ANNOT_STATE_FINISHED, 3 * k < done,
                             "pieces %zu, %u done, marker %u", i, (unsigned)done, (unsigned)k);
            close(&s, reader);
        }
    }
}

Test(witness, agreeing_witnesses_are_one_path_and_one_operation)
{
    struct scene s;
    record(&s, 0);
    submit(&s, 0);
    dump_row(&s.dump, 21, 1, 0, 0, STARTED, s.shadow, s.sky);
    crumbs(&s, 4, 6);
    annot_reader *reader = finish(&s);
    cr_expect_eq(execution_of(reader).evidence, ANNOT_EVIDENCE_DRIVER);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 0);
    expect_text(reader, "Frame / Shadow");
    expect_text(reader, "operation      5 of 8 is not done: Dispatch; 4 is done: BeginEvent");
    annot_reader_crumbs of = dump_crumbs_at(reader, 0);
    cr_expect(of.execution == LIST && of.count == 8 && of.done == 4 && of.is_joined);
    cr_expect_eq(annot_reader_op(reader, 0, 4), DISPATCH);
    cr_expect_eq(annot_reader_op(reader, 0, 8), ANNOT_READER_NONE);
    close(&s, reader);
}

/* A driver that reports a place where the GPU wasn't is overruled, whatever it claims; fences
 * overrule breadcrumbs. */
Test(witness, contradictions_are_findings_with_both_claims)
{
    static const struct {
        uint32_t row;
        int done;
        uint64_t completed;
        annot_state state;
        annot_evidence evidence;
        const char *claims;
    } rows[] = {
        {FINISHED, 4, 0, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_CRUMBS,
         "the driver's report finished"},
        {NOT_STARTED, 4, 0, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_CRUMBS,
         "the driver's report not started"},
        {FINISHED, NEVER, 0, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_CRUMBS,
         "breadcrumbs say not started"},
        {NOT_STARTED, ENDED, 0, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_CRUMBS,
         "breadcrumbs say finished"},
        {NOT_SAID, 4, 1, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE,
         "its fence says finished, breadcrumbs in progress"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        record(&s, 0);
        submit(&s, rows[i].completed);
        if (rows[i].row != NOT_SAID)
            dump_row(&s.dump, 21, 1, 0, 0, rows[i].row, 0, 0);
        crumbs(&s, rows[i].done, 6);
        annot_reader *reader = finish(&s);
        cr_expect_eq(execution_of(reader).state, rows[i].state, "row %zu", i);
        cr_expect_eq(execution_of(reader).evidence, rows[i].evidence, "row %zu", i);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 1, "row %zu", i);
        expect_text(reader, rows[i].claims);
        expect_text(reader, "LOST OR ODD\n  submission 1, list");
        close(&s, reader);
    }
}

/* Eight of them are told with both claims, all are counted. */
Test(witness, many_contradictions_are_counted)
{
    enum { SUBMISSIONS = 12, TOLD = 8 };
    struct scene s;
    record(&s, 0);
    dump_queue(&s.dump, 21, SUBMISSIONS, 0);
    for (uint32_t i = 1; i <= SUBMISSIONS; i++)
        dump_submit(&s.dump, i, 1, (uint64_t[]){1});
    for (uint32_t i = 1; i <= SUBMISSIONS; i++)
        dump_row(&s.dump, 21, i, 0, 0, FINISHED, 0, 0);
    dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
    for (uint32_t i = 1; i <= SUBMISSIONS; i++)
        dump_add(&s.dump, CRUMBS, .queue = 21, .submission = i, .log = 5, .count = sizeof ops,
                 .done = 4, .markers = 6);
    dump_put_OPS(&s.dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    annot_reader *reader = finish(&s);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), SUBMISSIONS);
    char *text = report_of(reader, false, NULL);
    cr_expect_eq(report_count(text, ": breadcrumbs say "), TOLD, "%s", text);
    free(text);
    close(&s, reader);
}

/* The driver started "first" as the last one and completed the outermost scope. Breadcrumbs count
 * four Ends behind "first": no other marker began in between. */
Test(witness, ends_behind_the_last_marker_that_started_contradict_nothing)
{
    enum { DEPTH = 4, OPS = 2 * DEPTH + 3 };
    static const uint8_t many[OPS] = {BEGIN, BEGIN, BEGIN, BEGIN, SET,     END,
                                      END,   END,   END,   SET,   DISPATCH};
    struct scene s;
    dump_start(&s.dump, ERROR_HUNG, 0);
    dump_recording(&s.dump, 1, 100);
    const uint64_t outermost = dump_begin(&s.dump, "scope");
    for (int i = 1; i < DEPTH; i++)
        dump_begin(&s.dump, "scope");
    const uint64_t first = dump_set(&s.dump, "first");
    for (int i = 0; i < DEPTH; i++)
        dump_end(&s.dump);
    dump_set(&s.dump, "second");
    submit(&s, 0);
    dump_row(&s.dump, 21, 1, 0, 0, STARTED, first, outermost);
    dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = OPS, .done = OPS - 2,
             .markers = OPS - 1);
    dump_put_OPS(&s.dump, &(struct annot__dump_OPS){.log = 5}, many, OPS);
    annot_reader *reader = finish(&s);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 0);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY), 0);
    cr_expect_eq(state_of(reader, first), ANNOT_STATE_FINISHED);
    close(&s, reader);
}

/* Operations still count where markers can't be told: dropped ones, or a recording that the dump
 * doesn't hold whole. */
Test(witness, markers_that_are_not_all_there_break_no_count)
{
    struct scene s;
    record(&s, 0);
    submit(&s, 0);
    crumbs(&s, 4, 7); /* the recording has 6 */
    annot_reader *reader = finish(&s);
    cr_expect_eq(execution_of(reader).state, ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, s.sky), ANNOT_STATE_UNKNOWN);
    expect_text(reader, "5 of 8 is not done: Dispatch");
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_CRUMBS_UNJOINED), 1);
    close(&s, reader);
}

/* Two bundles have one ordinal: the list is where breadcrumbs say, its markers are anywhere. */
Test(witness, of_a_damaged_recording_only_the_operations_are_known)
{
    struct scene s;
    annot_evidence evidence;
    dump_start(&s.dump, ERROR_HUNG, 0);
    dump_recording(&s.dump, 1, 100);
    const uint64_t first = dump_set(&s.dump, "first");
    dump_bundle(&s.dump, 1, 2, 101);
    dump_bundle(&s.dump, 1, 2, 101);
    for (int i = 0; i < 5; i++)
        dump_set(&s.dump, "another");
    dump_recording(&s.dump, 2, 101);
    dump_set(&s.dump, "inside");
    submit(&s, 0);
    crumbs(&s, 4, 6);
    annot_reader *reader = finish(&s);
    cr_expect_eq(execution_of(reader).state, ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(execution_of(reader).evidence, ANNOT_EVIDENCE_CRUMBS);
    cr_expect_eq(annot_reader_state(reader, LIST, ANNOT_READER_NONE,
                                    annot_reader_entry_find(reader, first), &evidence),
                 ANNOT_STATE_UNKNOWN);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_DAMAGED);
    close(&s, reader);
}

Test(witness, breadcrumbs_of_lists_without_markers_are_shown)
{
    struct scene s;
    dump_start(&s.dump, ERROR_HUNG, 0);
    dump_object(&s.dump, 21, 19, "Graphics");
    dump_queue(&s.dump, 21, 1, 0);
    crumbs(&s, 4, 6);
    annot_reader *reader = finish(&s);
    expect_text(reader, "on queue \"Graphics\", submission 1, list 1");
    expect_text(reader, "operation      5 of 8 is not done: Dispatch");
    close(&s, reader);
}

/* Pieces that are missing, come twice or don't fit together: numbers stay, names and joins go. */
Test(witness, damaged_operations_name_nothing)
{
    static const uint32_t firsts[] = {1, 100, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        struct scene s;
        record(&s, 0);
        submit(&s, 0);
        dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 300, .done = 3,
                 .markers = 6);
        dump_add_with(&s.dump, OPS, ops, sizeof ops, .log = 5, .first = firsts[i]);
        dump_put_OPS(&s.dump, &(struct annot__dump_OPS){.log = 5, .first = 9999}, ops, sizeof ops);
        annot_reader *reader = finish(&s);
        cr_expect_eq(annot_reader_op(reader, 0, 9999), ANNOT_READER_NONE);
        cr_expect_eq(execution_of(reader).state, ANNOT_STATE_IN_PROGRESS);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_CRUMBS_UNJOINED), 1);
        close(&s, reader);
    }
}

/* docs/schema: how many operations are done, the one that is not, and the one before it. */
Test(witness, json_has_the_operations_around_the_place)
{
    for (int done = NEVER; done <= (int)sizeof ops; done++) {
        struct scene s;
        char count[64], place[64], before[64], expected[256];
        record(&s, 0);
        submit(&s, 0);
        crumbs(&s, done, 6);
        annot_reader *reader = finish(&s);
        char *json = report_of(reader, true, NULL);
        snprintf(count, sizeof count, "\"operations_done\":%d", done);
        snprintf(place, sizeof place, ",\"operation\":\"%s\"", annot_op_text(ops[done & 7]));
        snprintf(before, sizeof before, ",\"operation_before\":\"%s\"",
                 annot_op_text(ops[(done + 7) & 7]));
        snprintf(expected, sizeof expected, "\"operations\":8,%s%s%s,\"joined\"",
                 done == NEVER ? "\"begun\":false" : count, done >= 0 && done < 8 ? place : "",
                 done > 0 ? before : "");
        cr_expect(strstr(json, expected), "%s\n%s", expected, json);
        free(json);
        close(&s, reader);
    }
}

/* ---- which claim is believed ---- */

/* The driver's word, and that of breadcrumbs of which all may be done and the end is not counted:
 * a claim that can't be true beside a stronger one is told with it. Between the last operation and
 * the end of a list both "in progress" and "finished" are right. */
Test(witness, each_pair_of_claims_is_one_or_a_contradiction)
{
    enum { WAITS, RUNS, ALL_DONE, OVER, CLAIMS, FENCED = 9, SILENT };
    static const annot_state claims[CLAIMS] = {ANNOT_STATE_NOT_STARTED, ANNOT_STATE_IN_PROGRESS,
                                               ANNOT_STATE_UNKNOWN, ANNOT_STATE_FINISHED};
    static const struct {
        uint32_t said;
        annot_state state;
        annot_evidence evidence;
        bool is_disputed[CLAIMS];
    } rows[] = {
        {NOT_STARTED, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_DRIVER, {false, true, true, true}},
        {STARTED, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER, {true, false, false, false}},
        {FINISHED, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_DRIVER, {true, true, false, false}},
        {FENCED, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE, {true, true, false, false}},
        {SILENT, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW, {false, false, false, false}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int claim = 0; claim < CLAIMS; claim++) {
            struct scene s;
            record(&s, 0);
            submit(&s, rows[i].said == FENCED);
            if (rows[i].said == STARTED)
                dump_row(&s.dump, 21, 1, 0, 0, STARTED, s.shadow, s.sky);
            else if (rows[i].said < FENCED)
                dump_row(&s.dump, 21, 1, 0, 0, rows[i].said, 0, 0);
            if (claim == ALL_DONE)
                crumbs_with(&s, sizeof ops, 6, 0);
            else
                crumbs(&s, claim == WAITS ? NEVER : claim == RUNS ? 4 : ENDED, 6);
            annot_reader *reader = finish(&s);
            const bool is_disputed = rows[i].is_disputed[claim];
            const bool is_believed = (is_disputed && rows[i].said != FENCED) ||
                                     (rows[i].said == SILENT && claim != ALL_DONE);
            const annot_reader_execution is = execution_of(reader);
            annot_reader_crumbs of = dump_crumbs_at(reader, 0);
            cr_expect_eq(of.state, claims[claim]);
            cr_expect_eq(of.is_disputed, is_disputed, "row %zu, claim %d", i, claim);
            cr_expect_eq(of.is_joined,
                         rows[i].said != FENCED && (claim == RUNS || claim == ALL_DONE));
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), is_disputed);
            cr_expect_eq(is.state, is_believed ? claims[claim] : rows[i].state,
                         "row %zu, claim %d: %s", i, claim, annot_state_text(is.state));
            cr_expect_eq(is.evidence, is_believed ? ANNOT_EVIDENCE_CRUMBS : rows[i].evidence,
                         "row %zu, claim %d: %s", i, claim, annot_evidence_text(NULL, is.evidence));
            if (is_disputed)
                cr_expect_eq(of.overruled, rows[i].said == FENCED ? claims[claim] : rows[i].state,
                             "row %zu, claim %d: %s", i, claim, annot_state_text(of.overruled));
            close(&s, reader);
        }
}

static void row_that_follows(struct scene *s, uint32_t inside, uint64_t started, uint64_t completed)
{
    dump_section(&s->dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add(&s->dump, PROGRESS, .queue = 21, .submission = 1, .state = STARTED, .inside = inside,
             .started = started, .completed = completed);
}

/* Breadcrumbs say what is done, and a driver how far its front end is: together they know more than
 * one that says nothing of it or may have moved its markers. */
Test(witness, the_inside_is_told_by_who_knows_more)
{
    static const struct {
        uint32_t window, inside;
        enum { NONE, SKY, SHADOW, LATE } started, completed;
        uint32_t markers; /* by breadcrumbs: 6 are there */
        annot_state sky, shadow;
    } rows[] = {
        {0, ANNOT_INSIDE_TRACKED, SHADOW, NONE, 6, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS},
        {0, ANNOT_INSIDE_COMPLETED, NONE, NONE, 6, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS},
        {0, ANNOT_INSIDE_NOT_TRACKED, NONE, NONE, 6, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS},
        {1, ANNOT_INSIDE_TRACKED, SHADOW, NONE, 6, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS},
        {1, ANNOT_INSIDE_TRACKED, LATE, SHADOW, 7, ANNOT_STATE_FINISHED, ANNOT_STATE_UNKNOWN},
        {0, ANNOT_INSIDE_TRACKED, SHADOW, SKY, 7, ANNOT_STATE_FINISHED, ANNOT_STATE_IN_PROGRESS},
        {0, ANNOT_INSIDE_NOT_TRACKED, NONE, NONE, 7, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        record(&s, rows[i].window);
        submit(&s, 0);
        const uint64_t ids[] = {0, s.sky, s.shadow, s.late};
        row_that_follows(&s, rows[i].inside, ids[rows[i].started], ids[rows[i].completed]);
        crumbs(&s, 4, rows[i].markers);
        annot_reader *reader = finish(&s);
        cr_expect_eq(state_of(reader, s.sky), rows[i].sky, "row %zu", i);
        cr_expect_eq(state_of(reader, s.shadow), rows[i].shadow, "row %zu", i);
        char path[64];
        annot_reader_stop_path(reader, 0, path, sizeof path);
        if (rows[i].shadow == ANNOT_STATE_IN_PROGRESS)
            cr_expect_str_eq(path, "Frame / Shadow", "row %zu: %s", i, path);
        cr_expect_eq(execution_of(reader).evidence, ANNOT_EVIDENCE_DRIVER, "row %zu", i);
        close(&s, reader);
    }
}

/* The driver may name the marker in front of one that breadcrumbs count as done. All counted
 * operations are done, and the list has not ended: what hangs is in the scope that is open. */
Test(witness, the_place_is_in_a_scope_that_breadcrumbs_count_and_the_driver_does_not_name)
{
    static const uint32_t insides[] = {ANNOT_INSIDE_STARTED, ANNOT_INSIDE_TRACKED};
    for (uint32_t i = 0; i < 4; i++) {
        struct scene s;
        annot_reader_suspect suspect;
        char path[64];
        record(&s, i / 2);
        const uint64_t behind = dump_set(&s.dump, "behind");
        const uint64_t open = dump_begin(&s.dump, "left open");
        submit(&s, 0);
        row_that_follows(&s, insides[i % 2], behind, 0);
        crumbs(&s, sizeof ops, 8);
        annot_reader *reader = finish(&s);
        annot_reader_stop_path(reader, 0, path, sizeof path);
        cr_expect_str_eq(path, "left open", "row %u: %s", i, path);
        cr_expect_eq(state_of(reader, open), ANNOT_STATE_IN_PROGRESS, "row %u", i);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect(suspect.is_exact, "row %u", i);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), 0);
        close(&s, reader);
    }
}

/* Every operation is a marker, and the driver names the last one as completed. The next one may be
 * being done, and the driver may be off by what it moves: the named one by the window, and those
 * that it would have named instead by theirs, in the other direction. What is behind that has not
 * started, unless breadcrumbs count that far. */
Test(witness, a_place_is_the_same_give_or_take_an_operation_and_what_was_moved)
{
    enum { MANY = 14 };
    static const uint8_t sets[MANY + 1] = {[MANY] = BUNDLE};
    for (int window = 0; window <= 2; window++)
        for (int done = 0; done < MANY; done++)
            for (int named = 1; named <= MANY; named++) {
                struct scene s;
                uint64_t ids[MANY + 1] = {0};
                dump_start(&s.dump, ERROR_HUNG, (uint32_t)window);
                dump_recording(&s.dump, 1, 100);
                for (int i = 1; i <= MANY; i++)
                    ids[i] = dump_set(&s.dump, "set");
                dump_bundle(&s.dump, 1, 2, 101);
                submit(&s, 0);
                dump_row(&s.dump, 21, 1, 0, 0, STARTED, ids[named], ids[named - 1]);
                dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
                dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5,
                         .count = sizeof sets, .done = (uint32_t)done, .markers = MANY);
                dump_put_OPS(&s.dump, &(struct annot__dump_OPS){.log = 5}, sets, sizeof sets);
                annot_reader *reader = finish(&s);
                const bool is_same =
                    named - 1 <= done + 1 + window && done <= named + 1 + 3 * window;
                annot_reader_crumbs told = dump_crumbs_at(reader, 0);
                cr_expect_eq(told.is_disputed, !is_same, "window %d, %d done, at %d", window, done,
                             named);
                cr_expect_eq(dump_found(reader, ANNOT_FINDING_WITNESSES_DISAGREE), !is_same);
                cr_expect_eq(execution_of(reader).evidence,
                             is_same ? ANNOT_EVIDENCE_DRIVER : ANNOT_EVIDENCE_CRUMBS);
                annot_reader_stop stop = dump_stop_at(reader, 0);
                cr_expect_eq(stop.started,
                             annot_reader_entry_find(reader, ids[is_same ? named : done]));
                cr_expect_eq(stop.completed,
                             annot_reader_entry_find(reader, is_same ? ids[named - 1] : 0));
                for (int i = 1; i <= MANY; i++) {
                    const annot_state state = i <= done || (is_same && i < named - window)
                                                  ? ANNOT_STATE_FINISHED
                                              : !is_same            ? ANNOT_STATE_UNKNOWN
                                              : i <= named - window ? ANNOT_STATE_IN_PROGRESS
                                              : done <= named + 3 * window && i > named + 3 * window
                                                  ? ANNOT_STATE_NOT_STARTED
                                                  : ANNOT_STATE_UNKNOWN;
                    cr_expect_eq(state_of(reader, ids[i]), state, "window %d, %d done, at %d: %d",
                                 window, done, named, i);
                }
                const uint32_t last = annot_reader_entry_find(reader, ids[MANY]);
                cr_expect_eq(annot_reader_state(reader, LIST, ANNOT_READER_NONE, last + 1, NULL) ==
                                 ANNOT_STATE_NOT_STARTED,
                             state_of(reader, ids[MANY]) == ANNOT_STATE_NOT_STARTED,
                             "window %d, %d done, at %d: the bundle behind them", window, done,
                             named);
                close(&s, reader);
            }
}

/* ---- which execution they are of ---- */

Test(witness, breadcrumbs_speak_of_the_execution_that_they_name_and_of_no_other)
{
    enum { WHOLE, CRUMBS_BROKEN, QUEUE_BROKEN };
    static const struct {
        uint64_t queue, submission;
        uint32_t list;
        int damage;
        bool is_it;
    } rows[] = {
        {21, 1, 0, WHOLE, true},  {21, 1, 0, CRUMBS_BROKEN, false}, {21, 1, 0, QUEUE_BROKEN, false},
        {22, 1, 0, WHOLE, false}, {100, 1, 0, WHOLE, false},        {21, 0, 0, WHOLE, false},
        {21, 2, 0, WHOLE, false}, {21, 1, 1, WHOLE, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct scene s;
        record(&s, 0);
        submit(&s, 0);
        const size_t queues = s.dump.section;
        dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
        const size_t broken = rows[i].damage == QUEUE_BROKEN ? queues : s.dump.section;
        struct annot__dump_CRUMBS of = {.queue = rows[i].queue,
                                        .submission = rows[i].submission,
                                        .list = rows[i].list,
                                        .log = 5,
                                        .count = sizeof ops,
                                        .done = 4,
                                        .markers = 6};
        dump_put_CRUMBS(&s.dump, &of, NULL, 0);
        of.done = 7; /* of two for one execution the first one counts */
        dump_put_CRUMBS(&s.dump, &of, NULL, 0);
        dump_put_OPS(&s.dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
        dump_finish(&s.dump);
        s.dump.data[broken + 24] ^= rows[i].damage != WHOLE; /* the section's hash */
        annot_reader *reader = dump_open(&s.dump, ANNOT_OK);
        annot_reader_crumbs told = dump_crumbs_at(reader, 0);
        cr_expect_eq(told.execution, rows[i].is_it ? LIST : ANNOT_READER_NONE, "row %zu", i);
        cr_expect_eq(state_of(reader, s.sky) == ANNOT_STATE_FINISHED, rows[i].is_it);
        cr_expect_eq(execution_of(reader).evidence == ANNOT_EVIDENCE_CRUMBS, rows[i].is_it);
        close(&s, reader);
    }
}

/* Of a list of which the dump has nothing, or not all, or whose operations were noted with numbers
 * of another count, no markers are counted and nothing is odd; else two counts that differ are. */
Test(witness, counts_that_differ_are_odd_where_they_should_not)
{
    enum { SAME, NO_RECORDING, BROKEN, COUNTED_APART, DROPPED, FEWER, MORE, TOO_MANY_LEFT, KINDS };
    for (int kind = SAME; kind < KINDS; kind++) {
        static const uint8_t sets[sizeof ops];
        struct scene s;
        dump_start(&s.dump, ERROR_HUNG, 0);
        dump_section(&s.dump, ANNOT__DUMP_SECTION_LISTS);
        if (kind != NO_RECORDING)
            dump_add(&s.dump, RECORDING, .id = 1, .object = 100, .dropped = kind == DROPPED);
        if (kind == COUNTED_APART)
            dump_add(&s.dump, OPERATION, .number = ANNOT_OPERATION_APART | 1, .kind = DISPATCH);
        uint64_t sky = 0;
        for (int i = 0; kind != NO_RECORDING && i < 6; i++)
            sky = i == 1 ? dump_set(&s.dump, "sky") : (dump_set(&s.dump, "set"), sky);
        for (int i = 0; kind == BROKEN && i < 2; i++)
            dump_bundle(&s.dump, 1, 2, 101);
        submit(&s, 0);
        const uint32_t markers = kind == FEWER || kind == COUNTED_APART ? 5 : kind == MORE ? 7 : 6;
        dump_section(&s.dump, ANNOT__DUMP_SECTION_CRUMBS);
        dump_add(&s.dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = sizeof ops,
                 .done = kind == TOO_MANY_LEFT ? 1 : 4, .markers = markers);
        dump_add_with(&s.dump, OPS, kind == TOO_MANY_LEFT ? sets : ops, sizeof ops, .log = 5);
        annot_reader *reader = finish(&s);
        annot_reader_crumbs told = dump_crumbs_at(reader, 0);
        cr_expect_eq(execution_of(reader).state, ANNOT_STATE_IN_PROGRESS, "kind %d", kind);
        cr_expect_eq(told.is_joined, kind == SAME, "kind %d", kind);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_CRUMBS_UNJOINED), kind >= DROPPED, "kind %d",
                     kind);
        if (sky)
            cr_expect_eq(state_of(reader, sky),
                         kind == SAME ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN, "kind %d",
                         kind);
        close(&s, reader);
    }
}
