/* Where executions stopped, and what is not finished besides [ANN-CRASH-03], at every depth and
 * whatever else the dump holds. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(places, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, OTHER_QUEUE = 22 };

static const uint64_t one[] = {1};

static annot_reader *open_stopped(struct dump *dump, uint64_t started, uint64_t completed)
{
    dump_submitted(dump);
    dump_row(dump, QUEUE, 1, 0, 0, STARTED, started, completed);
    return dump_open(dump, ANNOT_OK);
}

static annot_reader_stop only_stop(const annot_reader *reader)
{
    annot_reader_stop stop;
    cr_assert_eq(annot_reader_stop_count(reader), 1u);
    cr_assert(annot_reader_stop_at(reader, 0, &stop));
    return stop;
}

static uint32_t entry_of(const annot_reader *reader, uint64_t event_id)
{
    return event_id ? annot_reader_entry_find(reader, event_id) : ANNOT_READER_NONE;
}

/* The scopes around the last started marker end from the inside: the place is in the innermost that
 * is not completed. */
Test(places, the_innermost_scope_is_found_at_every_depth)
{
    enum { DEPTH = 40 };
    for (int ended = 0; ended <= DEPTH; ended++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        uint64_t scopes[DEPTH];
        for (int i = 0; i < DEPTH; i++)
            scopes[i] = dump_begin(&dump, "scope");
        for (int i = 0; i < DEPTH; i++)
            dump_end(&dump);
        dump_set(&dump, "behind");
        AT_END(at_end_close)
        annot_reader *reader =
            open_stopped(&dump, scopes[DEPTH - 1], ended ? scopes[DEPTH - ended] : 0);
        const annot_reader_stop stop = only_stop(reader);
        cr_expect_eq(stop.entry, entry_of(reader, ended < DEPTH ? scopes[DEPTH - ended - 1] : 0),
                     "%d have ended", ended);
        cr_expect_eq(stop.oldest, ANNOT_READER_NONE);
    }
}

/* Scopes that the front end has left, and nobody says are done, are named from the outermost one
 * on, also where something inside of it is completed. A scope inside the place is no other one. */
Test(places, the_oldest_scope_that_may_hang_is_the_outermost)
{
    enum { OUTER, INNER, PLACE, INSIDE, LAST, MARKERS, NOTHING };
    static const struct {
        bool has_place; /* around the last marker, and what is in front of that */
        uint32_t window;
        int completed, entry, oldest;
    } rows[] = {
        {true, 0, NOTHING, PLACE, OUTER},   {true, 0, INNER, PLACE, OUTER},
        {true, 0, OUTER, PLACE, NOTHING},   {false, 0, NOTHING, NOTHING, OUTER},
        {false, 0, OUTER, NOTHING, INSIDE}, {true, 9, NOTHING, NOTHING, NOTHING},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, rows[i].window);
        uint64_t ids[NOTHING + 1] = {0};
        dump_recording(&dump, 1, 100);
        ids[OUTER] = dump_begin(&dump, "outer");
        ids[INNER] = dump_begin(&dump, "inner");
        dump_end(&dump);
        dump_end(&dump);
        if (rows[i].has_place)
            ids[PLACE] = dump_begin(&dump, "place");
        ids[INSIDE] = dump_begin(&dump, "inside");
        dump_end(&dump);
        ids[LAST] = dump_set(&dump, "last");
        if (rows[i].has_place)
            dump_end(&dump);
        dump_set(&dump, "behind");
        AT_END(at_end_close)
        annot_reader *reader = open_stopped(&dump, ids[LAST], ids[rows[i].completed]);
        const annot_reader_stop stop = only_stop(reader);
        cr_expect_eq(stop.entry, entry_of(reader, ids[rows[i].entry]), "row %zu", i);
        cr_expect_eq(stop.oldest, entry_of(reader, ids[rows[i].oldest]), "row %zu", i);
    }
}

/* As many scopes are looked at as in one long recording or in many short ones: then no more are
 * named. */
Test(places, the_oldest_scope_is_looked_for_so_far)
{
    enum { SETS = 4095, LISTS = 64, SUBMISSIONS = 17, LOOKED_AT = (1 << 22) / (SETS + 1) };
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t lists[LISTS];
    annot_reader_stop stop;
    for (int i = 0; i < SETS; i++)
        dump_set(&dump, "set");
    dump_begin(&dump, "left");
    dump_end(&dump);
    const uint64_t last = dump_set(&dump, "last");
    for (int i = 0; i < LISTS; i++)
        lists[i] = 1;
    dump_queue(&dump, QUEUE, SUBMISSIONS, 0);
    for (uint64_t serial = 1; serial <= SUBMISSIONS; serial++)
        dump_submit(&dump, serial, LISTS, lists);
    for (uint64_t serial = 1; serial <= SUBMISSIONS; serial++)
        for (uint32_t list = 0; list < LISTS; list++)
            dump_row(&dump, QUEUE, serial, list, 0, STARTED, last, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_stop_count(reader), (size_t)SUBMISSIONS * LISTS);
    for (uint32_t i = 0; annot_reader_stop_at(reader, i, &stop); i++)
        cr_assert_eq(stop.oldest, i < LOOKED_AT ? (uint32_t)SETS : ANNOT_READER_NONE, "stop %u", i);
}

/* Places between lists are counted before they are kept, in each submission; the suspects of one
 * queue are not those of the next. */
Test(places, every_submission_may_have_stopped_between_lists)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    annot_reader_stop stop;
    const uint64_t set = dump_set(&dump, "set");
    for (uint64_t queue = QUEUE; queue <= OTHER_QUEUE; queue++) {
        dump_queue(&dump, queue, 1, 0);
        dump_submit(&dump, 1, 2, (uint64_t[]){1, 1});
    }
    dump_row(&dump, OTHER_QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, OTHER_QUEUE, 1, 1, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert_eq(annot_reader_stop_count(reader), 1u);
    cr_assert(annot_reader_stop_at(reader, 0, &stop));
    cr_expect(stop.is_between);
    cr_expect_eqs(stop.execution, 3, stop.suspect, 3, "not the other queue's");
    (void)set;
}

/* A queue may be the first that a dump has, in front of the lists that it executes. */
Test(places, a_queue_in_front_of_its_lists_is_judged)
{
    AT_END(dump_free) struct dump dump;
    annot_reader_execution execution;
    dump_start_promising(&dump, ERROR_HUNG, 0, ANNOT_PROMISE_RETIRES_IN_ORDER);
    dump_queue(&dump, QUEUE, 1, 0);
    dump_submit(&dump, 1, 2, (uint64_t[]){1, 2});
    dump_recording(&dump, 1, 100);
    const uint64_t scope = dump_begin(&dump, "across");
    dump_recording(&dump, 2, 101);
    dump_end(&dump);
    dump_row(&dump, QUEUE, 1, 1, 0, FINISHED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_expect_eqs(execution.state, ANNOT_STATE_FINISHED, execution.evidence,
                  ANNOT_EVIDENCE_LATER_FINISHED);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, entry_of(reader, scope), NULL),
                 ANNOT_STATE_FINISHED);
}

/* One queue's wait says nothing of the next one's first list. */
Test(places, a_queue_that_waits_says_nothing_of_the_next)
{
    AT_END(dump_free) struct dump dump = dump_promising(ANNOT_PROMISE_STARTS_IN_ORDER);
    annot_reader_execution execution;
    dump_set(&dump, "set");
    for (uint64_t queue = QUEUE; queue <= OTHER_QUEUE; queue++) {
        dump_queue(&dump, queue, 1, 0);
        dump_submit(&dump, 1, 1, one);
    }
    dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert(annot_reader_execution_at(reader, 1, &execution));
    cr_expect_eqs(execution.state, ANNOT_STATE_UNKNOWN, execution.evidence, ANNOT_EVIDENCE_NO_ROW);
}

/* Between two that are in progress on a queue that starts and retires in order a list is, too, but
 * nothing is known of what is inside, unless a row names that. */
Test(places, a_list_between_two_in_progress_is_in_progress)
{
    for (int names = 0; names < 2; names++)
        for (int is_damaged = 0; is_damaged < 2; is_damaged++) {
            AT_END(dump_free)
            struct dump dump =
                dump_promising(ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER);
            annot_reader_execution execution;
            annot_evidence evidence;
            const uint64_t open = dump_begin(&dump, "open"), set = dump_set(&dump, "set");
            if (is_damaged) /* an EventID that is there already */
                dump.next_event -= 0x10, dump_set(&dump, "set");
            dump_recording(&dump, 2, 101);
            dump_set(&dump, "other");
            dump_queue(&dump, QUEUE, 1, 0);
            dump_submit(&dump, 1, 3, (uint64_t[]){2, 1, 2});
            dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
            if (names)
                dump_row(&dump, QUEUE, 1, 1, 0, NOT_SAID, set, set);
            dump_row(&dump, QUEUE, 1, 2, 0, STARTED, 0, 0);
            AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
            cr_assert(annot_reader_execution_at(reader, 1, &execution));
            if (!is_damaged)
                cr_expect_eqs(execution.state, ANNOT_STATE_IN_PROGRESS, execution.evidence,
                              ANNOT_EVIDENCE_BETWEEN);
            const annot_state state =
                annot_reader_state(reader, 1, ANNOT_READER_NONE, entry_of(reader, open), &evidence);
            cr_expect_eq(state,
                         names && !is_damaged ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN,
                         "%d, %d", names, is_damaged);
            if (!names && !is_damaged)
                cr_expect_eq(evidence, ANNOT_EVIDENCE_BETWEEN);
        }
}

/* Work that the fence has passed is finished, whatever an old row says of a bundle in it; a row of
 * a bundle alone keeps a list from being judged by its neighbours. */
Test(places, rows_of_bundles_beside_a_fence_and_a_promise)
{
    enum { FENCED, ALONE, BESIDE, CASES };
    for (int what = 0; what < CASES; what++) {
        AT_END(dump_free) struct dump dump = dump_promising(ANNOT_PROMISE_RETIRES_IN_ORDER);
        annot_reader_execution execution;
        dump_bundle(&dump, 1, 2, 200);
        dump_recording(&dump, 2, 200);
        const uint64_t leaf = dump_set(&dump, "leaf");
        dump_set(&dump, "more");
        dump_queue(&dump, QUEUE, 2, what == FENCED);
        dump_submit(&dump, 1, 1, one);
        dump_submit(&dump, 2, 1, one);
        if (what == BESIDE)
            dump_row(&dump, QUEUE, 1, 0, 0, NOT_SAID, 0, 0);
        dump_row(&dump, QUEUE, 1, 0, 1, STARTED, leaf, 0);
        if (what != FENCED)
            dump_row(&dump, QUEUE, 2, 0, 0, FINISHED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_execution_at(reader, 0, &execution));
        cr_expect_eq(execution.state, what == FENCED ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN,
                     "case %d", what);
    }
}

/* ---- rows ---- */

/* A row for an execution whose recording the dump does not have, and one whose list is damaged, are
 * as far as they go without its markers; the reason says why there is no more. */
Test(places, rows_of_what_can_not_be_checked)
{
    static const struct {
        uint32_t state;
        uint64_t started, completed;
        annot_state expected;
    } rows[] = {
        {FINISHED, 0, 0, ANNOT_STATE_FINISHED},    {FINISHED, 77, 77, ANNOT_STATE_FINISHED},
        {STARTED, 77, 0, ANNOT_STATE_IN_PROGRESS}, {STARTED, 0, 77, ANNOT_STATE_IN_PROGRESS},
        {STARTED, 0, 0, ANNOT_STATE_IN_PROGRESS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        annot_reader_execution execution;
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){9});
        dump_row(&dump, QUEUE, 1, 0, 0, rows[i].state, rows[i].started, rows[i].completed);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_execution_at(reader, 0, &execution));
        cr_expect_eqs(execution.state, rows[i].expected, execution.evidence, ANNOT_EVIDENCE_DRIVER,
                      "row %zu", i);
    }
}

/* The completed marker is one that was lost: nothing is unfinished because of it, and that is why
 * it is unknown. An execution that is not tracked says another reason. */
Test(places, what_is_behind_a_lost_completion_is_unknown_because_of_it)
{
    for (int is_tracked = 0; is_tracked < 2; is_tracked++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        annot_evidence evidence;
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 1);
        const uint64_t scope = dump_begin(&dump, "scope");
        dump_end(&dump);
        const uint64_t last = dump_set(&dump, "last");
        dump_submitted(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1,
                 .state = is_tracked ? STARTED : NOT_SAID, .started = is_tracked ? last : 0,
                 .completed = is_tracked ? 0x5FFFFF003 : 0,
                 .inside = is_tracked ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_NOT_TRACKED);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const annot_state state =
            annot_reader_state(reader, 0, ANNOT_READER_NONE, entry_of(reader, scope), &evidence);
        cr_expect_eqs(state, ANNOT_STATE_UNKNOWN, evidence,
                      is_tracked ? ANNOT_EVIDENCE_DROPPED : ANNOT_EVIDENCE_UNDECIDED);
    }
}

/* Where a driver moves markers, and says only what is completed, a scope around that may have
 * ended, however far away its End is. */
Test(places, completions_alone_leave_nothing_unfinished_where_markers_move)
{
    for (uint32_t window = 0; window < 2; window++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, window);
        uint64_t sets[12];
        dump_recording(&dump, 1, 100);
        const uint64_t scope = dump_begin(&dump, "scope");
        for (int i = 0; i < 12; i++)
            sets[i] = dump_set(&dump, "set");
        dump_end(&dump);
        dump_submitted(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1, .state = STARTED,
                 .completed = sets[3], .inside = ANNOT_INSIDE_COMPLETED);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, entry_of(reader, scope),
                                        NULL),
                     window ? ANNOT_STATE_UNKNOWN : ANNOT_STATE_IN_PROGRESS);
    }
}

/* ---- queues ---- */

/* Nothing is concluded of a damaged queue: not of submissions without lists, not by its own row,
 * and not that a fence has passed what a row knows better. */
Test(places, of_a_damaged_queue_only_rows_that_name_markers_are_believed)
{
    AT_END(dump_free) struct dump dump = dump_promising(ANNOT_PROMISE_STARTS_IN_ORDER);
    annot_reader_execution execution;
    annot_reader_submission submission;
    annot_evidence evidence;
    const uint64_t work = dump_set(&dump, "work");
    dump_set(&dump, "more work");
    dump_queue(&dump, QUEUE, 4, 1);
    const uint64_t before = dump_set(&dump, "before");
    dump_submit(&dump, 1, 1, one);
    dump_submit(&dump, 2, 0, NULL);
    dump_submit(&dump, 3, 1, one);
    dump_submit(&dump, 4, 0, NULL);
    dump_submit(&dump, 4, 0, NULL); /* twice: that is the damage */
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, work, 0);
    dump_row(&dump, QUEUE, 3, ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
    dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, before, before);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_expect_eqs(execution.state, ANNOT_STATE_IN_PROGRESS, execution.evidence,
                  ANNOT_EVIDENCE_DRIVER, "although its fence says that it is done");
    for (uint32_t i = 1; i < 4; i++) {
        cr_assert(annot_reader_submission_at(reader, i, &submission));
        cr_expect_eq(submission.state, ANNOT_STATE_UNKNOWN, "submission %u", i);
    }
    cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, before), &evidence),
                 ANNOT_STATE_UNKNOWN);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_DAMAGED);
}

/* The rows of two queues, the other's own one last: each is believed, and marked as seen. */
Test(places, a_queues_row_behind_those_of_others_is_its_own)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    annot_finding found;
    annot_evidence evidence;
    uint64_t marks[2];
    dump_set(&dump, "set");
    for (uint64_t i = 0; i < 2; i++) {
        dump_queue(&dump, QUEUE + i, 1, 0);
        marks[i] = dump_set(&dump, "mark");
        dump_submit(&dump, 1, 1, one);
    }
    dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, OTHER_QUEUE, 0, 0, 0, NOT_STARTED, 0, 0); /* of no submission */
    dump_row(&dump, OTHER_QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, marks[1], marks[1]);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, marks[1]), &evidence),
                 ANNOT_STATE_FINISHED);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_DRIVER, "%s", annot_evidence_text(NULL, evidence));
    for (size_t i = 0; annot_reader_finding(reader, i, &found); i++)
        cr_expect(found.kind != ANNOT_FINDING_ROW_STRAY || found.count == 1);
}

/* A marker before work is finished by the fence that has passed the work; a scope around an empty
 * submission that the fence has passed and work that waits is not. */
Test(places, queue_markers_around_the_first_submissions)
{
    AT_END(dump_free) struct dump dump = dump_promising(ANNOT_PROMISE_STARTS_IN_ORDER);
    dump_set(&dump, "set");
    dump_queue(&dump, QUEUE, 3, 1);
    const uint64_t before = dump_set(&dump, "before");
    const uint64_t around = dump_begin(&dump, "around");
    dump_submit(&dump, 1, 0, NULL);
    dump_submit(&dump, 2, 2, (uint64_t[]){1, 1});
    dump_end(&dump);
    const uint64_t behind = dump_set(&dump, "behind");
    dump_submit(&dump, 3, 1, one);
    dump_row(&dump, QUEUE, 2, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE, 2, 1, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_evidence evidence;
    cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, before), &evidence),
                 ANNOT_STATE_FINISHED);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_FENCE);
    cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, around), NULL),
                 ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, behind), NULL),
                 ANNOT_STATE_NOT_STARTED);
}

/* A row that completes what lies behind work that waits is not believed, unless the driver moves
 * markers. */
Test(places, a_queues_row_beyond_work_that_waits_is_not_believed)
{
    for (uint32_t window = 0; window < 2; window++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, window);
        annot_evidence evidence;
        dump_recording(&dump, 1, 100);
        dump_set(&dump, "set");
        dump_queue(&dump, QUEUE, 3, 0);
        dump_submit(&dump, 1, 1, one);
        dump_submit(&dump, 2, 1, one);
        const uint64_t behind = dump_set(&dump, "behind");
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 2, 0, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, behind, behind);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_queue_state(reader, entry_of(reader, behind), &evidence),
                     ANNOT_STATE_UNKNOWN);
        cr_expect_eq(evidence == ANNOT_EVIDENCE_CONTRADICTORY, window == 0, "%s",
                     annot_evidence_text(NULL, evidence));
    }
}

/* ---- memory ---- */

/* With any allocation failing a dump is not opened, and nothing is left of it. */
Test(places, without_memory_a_dump_is_not_opened)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "across");
    dump_recording(&dump, 2, 101);
    dump_end(&dump);
    dump_set(&dump, "set");
    dump_queue(&dump, QUEUE, 1, 0);
    dump_submit(&dump, 1, 2, (uint64_t[]){1, 2});
    dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE, 1, 1, 0, STARTED, 0, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
    dump_put_TDR(&dump, &(struct annot__dump_TDR){.context = QUEUE}, NULL, 0);
    dump_finish(&dump);
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    for (unsigned fail = 1; result != ANNOT_OK; fail++) {
        AT_END(at_end_close) annot_reader *reader = (annot_reader *)&dump;
        guarded_fail_at(fail);
        result = annot_reader_open_memory(&guarded_memory, dump.data, dump.size, &reader);
        guarded_fail_at(0);
        cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_OUT_OF_MEMORY, "%d", result);
        cr_expect_eq(reader != NULL, result == ANNOT_OK);
    }
}
