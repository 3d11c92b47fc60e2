/* Rows that break a rule, or say less than they seem to: what is left to be said [ANN-CRASH-02,
 * ANN-DDI-03]. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(rows, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, STARTS = ANNOT_PROMISE_STARTS_IN_ORDER };

static const uint64_t one[] = {1}, dropped_id = 0x5FFFFF003;

static void expect_list(const annot_reader *reader, annot_state state, annot_evidence evidence,
                        const char *why)
{
    annot_reader_execution execution = dump_execution_at(reader, 0);
    cr_expect_eq(execution.state, state, "%s: %s", why, annot_state_text(execution.state));
    cr_expect_eq(execution.evidence, evidence, "%s: %s", why,
                 annot_evidence_text(NULL, execution.evidence));
}

/* One list { kept, open scope } of which `dropped` markers were lost, and a row for it. */
static annot_reader *one_row(struct dump *dump, uint32_t window, uint32_t dropped,
                             struct annot__dump_PROGRESS row, uint64_t ids[2])
{
    dump_start(dump, ERROR_HUNG, window);
    dump_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(dump, RECORDING, .id = 1, .object = 100, .dropped = dropped);
    dump->depth = 0;
    ids[0] = dump_set(dump, "kept");
    ids[1] = dump_begin(dump, "open");
    dump_submitted(dump);
    row.queue = QUEUE;
    row.submission = 1;
    row.inside = ANNOT_INSIDE_TRACKED;
    row.started = row.started < 2 ? ids[row.started] : row.started;
    row.completed = row.completed == 1 ? ids[1] : row.completed == 2 ? 0 : row.completed;
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(dump, &row, NULL, 0);
    return dump_open(dump, ANNOT_OK);
}

Test(rows, what_a_row_names_must_be_there_and_must_be_possible)
{
    static const struct {
        const char *why;
        uint32_t window, dropped;
        uint64_t started, completed; /* 0 kept, 1 open; completed 2: none */
        uint32_t says;
        annot_state state;
        annot_evidence evidence;
    } rows[] = {
        {"a marker that was dropped, in a list that lost one", 0, 1, dropped_id, 2, STARTED,
         ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER},
        {"a marker that was dropped, in a list that lost none", 0, 0, dropped_id, 2, STARTED,
         ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY},
        {"a marker of no list, in a list that lost one", 0, 1, 0x12340000010, 2, STARTED,
         ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY},
        {"completed a scope without an End, and started one that was dropped", 0, 1, dropped_id, 1,
         STARTED, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY},
        {"completed one that was dropped", 0, 1, 0, dropped_id, STARTED, ANNOT_STATE_IN_PROGRESS,
         ANNOT_EVIDENCE_DRIVER},
        {"completed a scope without an End", 0, 0, 1, 1, STARTED, ANNOT_STATE_UNKNOWN,
         ANNOT_EVIDENCE_CONTRADICTORY},
        {"the same from a driver that moves markers", 9, 0, 1, 1, STARTED, ANNOT_STATE_UNKNOWN,
         ANNOT_EVIDENCE_CONTRADICTORY},
        {"the last marker, and does not say whether it is done", 0, 0, 1, 2, NOT_SAID,
         ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER},
        {"the same from a driver that moves markers", 1, 0, 1, 2, NOT_SAID, ANNOT_STATE_UNKNOWN,
         ANNOT_EVIDENCE_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump;
        uint64_t ids[2];
        const struct annot__dump_PROGRESS row = {
            .started = rows[i].started, .completed = rows[i].completed, .state = rows[i].says};
        AT_END(at_end_close)
        annot_reader *reader = one_row(&dump, rows[i].window, rows[i].dropped, row, ids);
        expect_list(reader, rows[i].state, rows[i].evidence, rows[i].why);
    }
}

/* Where markers drain the GPU, no work behind the next one has begun. A surplus End is no such
 * marker: it has no EventID, so nothing is written for it. */
Test(rows, work_behind_a_marker_that_drains_has_not_begun)
{
    for (int is_surplus = 0; is_surplus < 2; is_surplus++) {
        AT_END(dump_free) struct dump dump;
        annot_reader_entry entry;
        dump_start_promising(&dump, ERROR_HUNG, 0, ANNOT_PROMISE_DRAINS);
        dump_recording(&dump, 2, 101);
        dump_recording(&dump, 1, 100);
        if (!is_surplus)
            dump_begin(&dump, "outer");
        const uint64_t scope = dump_begin(&dump, "scope");
        dump_end(&dump);
        dump_end(&dump);
        dump_bundle(&dump, 1, 2, 101);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, STARTED, scope, scope);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        uint32_t bundle = 0;
        while (annot_reader_entry_at(reader, bundle, &entry) && entry.kind != ANNOT_ENTRY_BUNDLE)
            bundle++;
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, bundle, NULL),
                     is_surplus ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_NOT_STARTED);
    }
}

/* Two rows for one execution of a bundle: neither is believed, and the list keeps its own. */
Test(rows, two_rows_for_one_execution_of_a_bundle_are_both_refused)
{
    for (uint32_t window = 0; window < 2; window++)
        for (int rows = 1; rows <= 2; rows++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, window);
            dump_recording(&dump, 1, 100);
            const uint64_t before = dump_set(&dump, "before");
            dump_bundle(&dump, 1, 2, 101);
            dump_recording(&dump, 2, 101);
            const uint64_t inside = dump_set(&dump, "inside");
            dump_set(&dump, "more");
            dump_submitted(&dump);
            dump_row(&dump, QUEUE, 1, 0, 0, STARTED, before, 0);
            for (int i = 0; i < rows; i++)
                dump_row(&dump, QUEUE, 1, 0, 1, STARTED, inside, 0);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            expect_list(reader, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER, "the list");
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY), rows == 2 ? 2 : 0);
            annot_reader_stop stop = dump_stop_at(reader, 0);
            cr_expect_eq(stop.bundle != ANNOT_READER_NONE, rows == 1);
        }
}

/* A row for a submission that was never made is odd, unless the dump lost what it spoke of. */
Test(rows, a_row_of_nothing_is_told_unless_the_dump_is_damaged)
{
    enum { WHOLE, ORPHAN, REPEATED_ID, NO_END, BROKEN, MISSING, KINDS };
    for (int kind = 0; kind < KINDS; kind++)
        for (int of_queue = 0; of_queue < 2; of_queue++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
            if (kind == ORPHAN)
                dump_set(&dump, "in no list");
            dump_recording(&dump, 1, 100);
            if (kind == REPEATED_ID)
                dump_recording(&dump, 1, 100);
            const size_t lists = dump.section;
            dump.index += kind == MISSING;
            dump_submitted(&dump);
            dump_row(&dump, QUEUE, 9, of_queue ? ANNOT_PROGRESS_QUEUE : 0, 0, STARTED, 0, 0);
            dump_finish(&dump);
            if (kind == NO_END)
                dump.size -= 40;
            if (kind == BROKEN)
                dump.data[lists + 24] ^= 1; /* the section's hash */
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), kind == WHOLE, "%d, %d", kind,
                         of_queue);
        }
}

/* A queue's row for a submission says that the GPU has begun it, when it says "started" and
 * nothing else. */
Test(rows, a_submission_is_begun_when_its_queues_row_says_so_and_no_more)
{
    static const struct {
        uint32_t state;
        bool names_started, names_completed;
        annot_state expected;
    } rows[] = {
        {STARTED, false, false, ANNOT_STATE_IN_PROGRESS},
        {NOT_SAID, false, false, ANNOT_STATE_NOT_STARTED},
        {STARTED, true, false, ANNOT_STATE_NOT_STARTED},
        {STARTED, false, true, ANNOT_STATE_NOT_STARTED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 1, 0);
        const uint64_t mark = dump_set(&dump, "mark");
        dump_submit(&dump, 1, 1, one);
        dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, ANNOT_PROGRESS_QUEUE, 0, rows[i].state,
                 rows[i].names_started ? mark : 0, rows[i].names_completed ? mark : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_submission submission = dump_submission_at(reader, 0);
        cr_expect_eq(submission.state, rows[i].expected, "%zu: %s", i,
                     annot_state_text(submission.state));
    }
}

/* Fences alone: nothing is said of its lists. */
Test(rows, a_submission_that_was_begun_is_in_progress_whatever_is_unknown_of_its_lists)
{
    static const struct {
        uint32_t second;
        annot_state expected;
    } cases[] = {{NOT_SAID, ANNOT_STATE_IN_PROGRESS}, {NOT_STARTED, ANNOT_STATE_IN_PROGRESS}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 2, (uint64_t[]){1, 1});
        dump_row(&dump, QUEUE, 1, 0, 0, NOT_SAID, 0, 0);
        dump_row(&dump, QUEUE, 1, 1, 0, cases[i].second, 0, 0);
        dump_row(&dump, QUEUE, 1, ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_submission submission = dump_submission_at(reader, 0);
        cr_expect_eq(submission.state, cases[i].expected, "%zu: %s", i,
                     annot_state_text(submission.state));
    }
}

/* Where lists of a submission are missing, the first that has not started need not be next. */
Test(rows, between_the_lists_of_a_cut_submission_nothing_has_stopped)
{
    for (uint32_t more = 0; more < 2; more++) {
        static const uint8_t lists[32] = {[0] = 1, [8] = 100, [16] = 1, [24] = 101};
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 1, 0);
        dump_add_with(&dump, SUBMISSION, lists, sizeof lists, .serial = 1, .count = 2 + more);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 1, 1, 0, NOT_STARTED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop stop;
        cr_expect_eq(annot_reader_stop_at(reader, 0, &stop), more == 0);
    }
}

/* ---- the queue's own row ---- */

enum { FOREIGN_MARKER, BEHIND_A_WAITING_ONE, SAYS_FINISHED, IS_TRUE };

Test(rows, a_queues_row_is_believed_as_far_as_it_can_be_true)
{
    for (int which = FOREIGN_MARKER; which <= IS_TRUE; which++) {
        AT_END(dump_free) struct dump dump = dump_promising(STARTS);
        const uint64_t foreign = dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 2, 0);
        const uint64_t first = dump_set(&dump, "first");
        dump_submit(&dump, 1, 1, one);
        const uint64_t second = dump_set(&dump, "second");
        dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .list = ANNOT_PROGRESS_QUEUE,
                 .state = which == SAYS_FINISHED ? ANNOT_PROGRESS_FINISHED : ANNOT_PROGRESS_STARTED,
                 .inside = ANNOT_INSIDE_TRACKED,
                 .started = which == FOREIGN_MARKER         ? foreign
                            : which == BEHIND_A_WAITING_ONE ? second
                                                            : first,
                 .completed = which == IS_TRUE ? first : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_evidence evidence;
        const annot_state state =
            annot_reader_queue_state(reader, annot_reader_entry_find(reader, first), &evidence);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY),
                     which == FOREIGN_MARKER || which == BEHIND_A_WAITING_ONE, "%d", which);
        cr_expect_eq(state, which == IS_TRUE ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN, "%d: %s",
                     which, annot_state_text(state));
        if (which == SAYS_FINISHED)
            cr_expect_eq(evidence, ANNOT_EVIDENCE_UNDECIDED, "a queue is never finished");
    }
}

/* Two markers that move two places each may change their order, so the one that was written last
 * says little about the next ones. */
Test(rows, where_markers_move_the_next_ones_may_have_been_reached)
{
    AT_END(dump_free) struct dump dump;
    uint64_t sets[4];
    dump_start_promising(&dump, ERROR_HUNG, 2, ANNOT_PROMISE_DRAINS);
    dump_recording(&dump, 1, 100);
    for (int i = 0; i < 4; i++)
        sets[i] = dump_set(&dump, "set");
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, sets[0], sets[0]);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE,
                                    annot_reader_entry_find(reader, sets[3]), NULL),
                 ANNOT_STATE_UNKNOWN);
}

/* Markers of lists drain the GPU by promise, a queue's own don't. */
Test(rows, a_queues_own_markers_promise_no_drain)
{
    AT_END(dump_free) struct dump dump = dump_promising(ANNOT_PROMISE_DRAINS);
    dump_queue(&dump, QUEUE, 1, 0);
    const uint64_t first = dump_set(&dump, "first");
    dump_submit(&dump, 1, 1, one);
    const uint64_t second = dump_set(&dump, "second");
    dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, second, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_queue_state(reader, annot_reader_entry_find(reader, first), NULL),
                 ANNOT_STATE_IN_PROGRESS);
}

/* A scope that the queue has not reached has not started: unless something in it has, or may have
 * because the dump doesn't hold it. */
Test(rows, a_scope_around_lost_work_is_not_called_not_started)
{
    for (int is_lost = 0; is_lost < 2; is_lost++)
        for (int has_run = 0; has_run < 2; has_run++) {
            AT_END(dump_free) struct dump dump = dump_promising(has_run ? STARTS : 0);
            dump_set(&dump, "work");
            dump_queue(&dump, QUEUE, 2, 0);
            const uint64_t before = dump_set(&dump, "before");
            const uint64_t scope = dump_begin(&dump, "scope");
            if (!is_lost)
                dump_submit(&dump, 1, 1, one);
            dump_submit(&dump, 2, 1, one);
            dump_end(&dump);
            const uint32_t says = has_run ? FINISHED : NOT_STARTED;
            if (!is_lost)
                dump_row(&dump, QUEUE, 1, 0, 0, says, 0, 0);
            dump_row(&dump, QUEUE, 2, 0, 0, says, 0, 0);
            dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, before, 0);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            const annot_state state =
                annot_reader_queue_state(reader, annot_reader_entry_find(reader, scope), NULL);
            cr_expect_eq(state,
                         is_lost   ? ANNOT_STATE_UNKNOWN
                         : has_run ? ANNOT_STATE_FINISHED
                                   : ANNOT_STATE_NOT_STARTED,
                         "lost %d, run %d: %s", is_lost, has_run, annot_state_text(state));
        }
}

/* A submission without lists is no work: what comes behind it is as if it were not there. */
Test(rows, a_submission_without_lists_hides_nothing)
{
    AT_END(dump_free) struct dump dump = dump_promising(STARTS);
    const uint64_t work = dump_set(&dump, "work");
    dump_queue(&dump, QUEUE, 2, 0);
    dump_submit(&dump, 1, 0, NULL);
    const uint64_t between = dump_set(&dump, "between");
    dump_submit(&dump, 2, 1, one);
    dump_row(&dump, QUEUE, 2, 0, 0, STARTED, work, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_queue_state(reader, annot_reader_entry_find(reader, between), NULL),
                 ANNOT_STATE_FINISHED);
}

/* ---- which execution a row is of ---- */

enum { QUEUES = 2, SUBMISSIONS = 2, LISTS = 2, BUNDLES = 3, ROWS = 24 };

/* The n-th row is of the n-th execution of a list or bundle (0: the list itself). */
static struct annot__dump_PROGRESS row_of(uint32_t n)
{
    static const uint32_t said[] = {STARTED, NOT_STARTED, FINISHED};
    const uint32_t bundle = n % BUNDLES, list = n / BUNDLES % LISTS;
    return (struct annot__dump_PROGRESS){.queue = QUEUE + n / BUNDLES / LISTS / SUBMISSIONS,
                                         .submission = 1 + n / BUNDLES / LISTS % SUBMISSIONS,
                                         .list = list,
                                         .bundle = bundle,
                                         .inside = ANNOT_INSIDE_NOT_TRACKED,
                                         .state = bundle == 0 ? STARTED : said[(n + n / 3) % 3]};
}

/* A row for a bundle that no list calls, with the greatest number, is among them. */
Test(rows, are_of_the_execution_that_they_name_in_any_order)
{
    for (uint32_t step = 1; step < ROWS; step += 6) { /* 1, 7, 13, 19: no divisors of 24 */
        AT_END(dump_free) struct dump dump = dump_hung();
        uint32_t calls[BUNDLES] = {ANNOT_READER_NONE};
        annot_reader_entry entry;
        dump_bundle(&dump, 1, 2, 102);
        dump_bundle(&dump, 2, 2, 102);
        for (uint32_t queue = 0; queue < QUEUES; queue++) {
            dump_queue(&dump, QUEUE + queue, SUBMISSIONS, 0);
            for (uint64_t serial = 1; serial <= SUBMISSIONS; serial++)
                dump_submit(&dump, serial, LISTS, (uint64_t[]){1, 1});
        }
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1, .bundle = UINT32_MAX,
                 .state = 1);
        for (uint32_t i = 0; i < ROWS; i++) {
            const struct annot__dump_PROGRESS row = row_of((ROWS - 1 + i * step) % ROWS);
            dump_put_PROGRESS(&dump, &row, NULL, 0);
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry); i++)
            if (entry.kind == ANNOT_ENTRY_BUNDLE)
                calls[entry.ordinal] = i;
        for (uint32_t n = 0; n < ROWS; n++) {
            const struct annot__dump_PROGRESS row = row_of(n);
            annot_reader_execution execution = dump_execution_at(reader, n / BUNDLES);
            const annot_state is = row.bundle == 0
                                       ? execution.state
                                       : annot_reader_state(reader, n / BUNDLES, ANNOT_READER_NONE,
                                                            calls[row.bundle], NULL);
            cr_expect_eq(is,
                         row.state == STARTED       ? ANNOT_STATE_IN_PROGRESS
                         : row.state == NOT_STARTED ? ANNOT_STATE_NOT_STARTED
                                                    : ANNOT_STATE_FINISHED,
                         "step %u, row %u: %s", (unsigned)step, (unsigned)n, annot_state_text(is));
        }
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), 1);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_REPEATED), 0);
    }
}

/* A row for the second of three bundles, which the dump lacks, is of none of the others. */
Test(rows, of_a_bundle_that_the_dump_lacks_speak_of_no_other)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_bundle(&dump, 1, 2, 102);
    dump_bundle(&dump, 3, 2, 102);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
    dump_row(&dump, QUEUE, 1, 0, 2, STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stop stop = dump_stop_at(reader, 0);
    cr_expect_eq(stop.bundle, ANNOT_READER_NONE);
}

/* In a part of the dump whose bytes are not what was written, no row is believed, and none is
 * odd. */
Test(rows, of_a_damaged_part_say_nothing)
{
    for (uint8_t is_damaged = 0; is_damaged < 2; is_damaged++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_submission submission;
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 2, 0);
        dump_submit(&dump, 1, 1, one);
        dump_submit(&dump, 2, 1, one);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 2, ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, 5, 0, STARTED, 0, 0);
        const size_t section = dump.section;
        dump_finish(&dump);
        dump.data[section + 24] = (uint8_t)(dump.data[section + 24] ^ is_damaged); /* its hash */
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        expect_list(reader, is_damaged ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_FINISHED,
                    is_damaged ? ANNOT_EVIDENCE_DAMAGED : ANNOT_EVIDENCE_DRIVER, "the list");
        cr_assert(annot_reader_submission_at(reader, 1, &submission));
        cr_expect_eq(submission.state, is_damaged ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_IN_PROGRESS);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), !is_damaged);
    }
}

/* The GPU can have completed a marker and started none when both were moved, by the window each:
 * the one forth, the first of all back. One that was dropped may be any. */
Test(rows, completed_before_any_is_started_is_possible_as_far_as_markers_move)
{
    enum { SETS = 6 };
    for (uint32_t window = 0; window <= 2; window++)
        for (uint32_t which = 0; which <= SETS; which++) {
            AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, window);
            uint64_t ids[SETS + 1] = {dropped_id};
            dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
            dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 1);
            dump.depth = 0;
            for (uint32_t i = 1; i <= SETS; i++)
                ids[i] = dump_set(&dump, "set");
            dump_submitted(&dump);
            dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, ids[which]);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            const bool is_possible = which == 0 ? window > 0 : which <= 2 * window;
            expect_list(reader, is_possible ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN,
                        is_possible ? ANNOT_EVIDENCE_DRIVER : ANNOT_EVIDENCE_CONTRADICTORY, "list");
        }
}

/* ---- submissions ---- */

/* Two lists, of which the dump may lack a third; the driver says that the submission has begun, or
 * doesn't. */
static annot_state of_lists(const annot_state of[2], bool is_cut, bool is_begun)
{
    const bool is_one = of[0] == of[1];
    if (is_one && of[0] == ANNOT_STATE_FINISHED && !is_cut)
        return ANNOT_STATE_FINISHED;
    if (is_begun)
        return ANNOT_STATE_IN_PROGRESS;
    if (of[0] == ANNOT_STATE_IN_PROGRESS || of[1] == ANNOT_STATE_IN_PROGRESS)
        return ANNOT_STATE_IN_PROGRESS;
    if (of[0] == ANNOT_STATE_UNKNOWN || of[1] == ANNOT_STATE_UNKNOWN)
        return ANNOT_STATE_UNKNOWN;
    if (!is_one)
        return ANNOT_STATE_IN_PROGRESS; /* one is done and one is not */
    return of[0] == ANNOT_STATE_NOT_STARTED && !is_cut ? ANNOT_STATE_NOT_STARTED
                                                       : ANNOT_STATE_UNKNOWN;
}

Test(rows, a_submission_is_as_far_as_its_lists)
{
    static const annot_state states[] = {ANNOT_STATE_UNKNOWN, ANNOT_STATE_NOT_STARTED,
                                         ANNOT_STATE_IN_PROGRESS, ANNOT_STATE_FINISHED};
    static const uint8_t lists[32] = {[0] = 1, [8] = 100, [16] = 1, [24] = 101};
    for (int code = 0; code < 64; code++) {
        const uint32_t said[2] = {code & 3, code >> 2 & 3};
        const bool is_cut = code & 16, is_begun = code & 32;
        const annot_state of[2] = {states[said[0]], states[said[1]]};
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_submission is;
        dump_queue(&dump, QUEUE, 1, 0);
        dump_add_with(&dump, SUBMISSION, lists, sizeof lists, .serial = 1, .count = 2 + is_cut);
        for (uint32_t i = 0; i < 2; i++)
            if (said[i] != NOT_SAID)
                dump_row(&dump, QUEUE, 1, i, 0, said[i], 0, 0);
        if (is_begun)
            dump_row(&dump, QUEUE, 1, ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_submission_at(reader, 0, &is));
        cr_expect_eq(is.state, of_lists(of, is_cut, is_begun), "%u and %u, cut %d, begun %d: %s",
                     (unsigned)said[0], (unsigned)said[1], is_cut, is_begun,
                     annot_state_text(is.state));
    }
}

/* One without lists, between two: it is done with what its fence or the queue's order has passed,
 * and has not started behind what waits. So is the scope around it alone. */
Test(rows, a_submission_without_lists_is_where_the_queue_is)
{
    static const struct {
        uint64_t completed;
        uint32_t first, last;
        annot_state state, scope;
    } rows[] = {
        {0, NOT_SAID, NOT_SAID, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
        {2, NOT_SAID, NOT_SAID, ANNOT_STATE_FINISHED, ANNOT_STATE_UNKNOWN}, /* its End may wait */
        {1, NOT_SAID, STARTED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED},
        {0, FINISHED, STARTED, ANNOT_STATE_FINISHED, ANNOT_STATE_FINISHED},
        {0, NOT_STARTED, NOT_STARTED, ANNOT_STATE_NOT_STARTED, ANNOT_STATE_NOT_STARTED},
        {1, NOT_SAID, NOT_STARTED, ANNOT_STATE_UNKNOWN, ANNOT_STATE_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_promising(STARTS);
        annot_reader_submission is;
        dump_queue(&dump, QUEUE, 3, rows[i].completed);
        dump_submit(&dump, 1, 1, one);
        const uint64_t scope = dump_begin(&dump, "scope");
        dump_submit(&dump, 2, 0, NULL);
        dump_end(&dump);
        dump_submit(&dump, 3, 1, one);
        if (rows[i].first != NOT_SAID)
            dump_row(&dump, QUEUE, 1, 0, 0, rows[i].first, 0, 0);
        if (rows[i].last != NOT_SAID)
            dump_row(&dump, QUEUE, 3, 0, 0, rows[i].last, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_submission_at(reader, 1, &is));
        cr_expect_eq(is.state, rows[i].state, "row %zu: %s", i, annot_state_text(is.state));
        const annot_state around =
            annot_reader_queue_state(reader, annot_reader_entry_find(reader, scope), NULL);
        cr_expect_eq(around, rows[i].scope, "row %zu: the scope is %s", i,
                     annot_state_text(around));
    }
}
