/* States of the GPU's work, from a dump's evidence. Expectations: ANN-CRASH, ANN-MARK-11,
 * ANN-DDI-03, by hand. */
#include "dump_builder.h"
#include "unit_kit.h"

enum { QUEUE = 21, OTHER_QUEUE = 22 };

static annot_state state_of(const annot_reader *reader, uint32_t execution, uint64_t event_id)
{
    return annot_reader_state(reader, execution, ANNOT_READER_NONE,
                              annot_reader_entry_find(reader, event_id), NULL);
}

static const char *path_of(const annot_reader *reader, size_t stop)
{
    static char path[512];
    annot_reader_stop_path(reader, stop, path, sizeof path);
    return path;
}

static void expect_evidence(const annot_reader *reader, uint32_t execution, annot_state state,
                            annot_evidence evidence)
{
    annot_reader_execution of = dump_execution_at(reader, execution);
    cr_expect_eq(of.state, state, "execution %u is %s", execution, annot_state_text(of.state));
    cr_expect_eq(of.evidence, evidence, "because %s", annot_evidence_text(NULL, of.evidence));
}

static const uint64_t one[] = {1}, three[] = {1, 2, 3};

/* One list: sky, Shadow { near }, fog inside Frame; submitted once. */
struct frame {
    struct dump dump;
    uint64_t frame, sky, shadow, near, fog, next; /* of another list */
};

static struct frame frame_started(uint32_t order_window)
{
    struct frame frame = {.dump = dump_started(ERROR_HUNG, order_window)};
    struct dump *dump = &frame.dump;
    dump_recording(dump, 1, 100);
    frame.frame = dump_begin(dump, "Frame");
    frame.sky = dump_set(dump, "sky");
    frame.shadow = dump_begin(dump, "Shadow");
    frame.near = dump_set(dump, "near");
    dump_end(dump);
    frame.fog = dump_set(dump, "fog");
    dump_end(dump);
    dump_recording(dump, 2, 101);
    frame.next = dump_set(dump, "next");
    dump_submitted(dump);
    return frame;
}

static void frame_done(struct frame *frame)
{
    dump_free(&frame->dump);
}

static annot_reader *frame_open(struct frame *frame)
{
    return dump_open(&frame->dump, ANNOT_OK);
}

/* ANN-CRASH-01 */
Test(analysis, a_row_cuts_the_list_into_finished_in_progress_and_not_started)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, STARTED, frame.shadow, frame.sky);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    cr_expect_eq(state_of(reader, 0, frame.frame), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, 0, frame.sky), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 0, frame.shadow), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, 0, frame.near), ANNOT_STATE_NOT_STARTED);
    cr_expect_eq(state_of(reader, 0, frame.fog), ANNOT_STATE_NOT_STARTED);
    expect_evidence(reader, 0, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER);
    cr_expect_str_eq(path_of(reader, 0), "Frame / Shadow");
}

/* ANN-CRASH-03: after a scope has ended, its parent is what is in progress. */
Test(analysis, the_path_ends_where_the_last_started_scope_was_left)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, STARTED, frame.near, frame.shadow);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    cr_expect_eq(state_of(reader, 0, frame.shadow), ANNOT_STATE_FINISHED);
    cr_expect_str_eq(path_of(reader, 0), "Frame");
}

/* ANN-DDI-03: what a GPU can't have seen is not believed, and nothing is claimed from it. */
Test(analysis, contradictory_rows_leave_everything_unknown)
{
    enum which { NONE, FRAME, SKY, SHADOW, NEAR, FOG, FOREIGN, NEXT };
    static const struct {
        const char *why;
        uint32_t state;
        enum which started, completed;
    } rows[] = {
        {"an EventID that the list doesn't hold", STARTED, FOREIGN, NONE},
        {"completed an EventID that the list doesn't hold", STARTED, NEAR, FOREIGN},
        {"completed a marker before it started", STARTED, SKY, NEAR},
        {"left a scope with markers inside that haven't started", STARTED, SHADOW, SHADOW},
        {"left the frame, but its last marker hasn't started", STARTED, NEAR, FRAME},
        {"completed something and started nothing", STARTED, NONE, SKY},
        {"not started, but started a marker", NOT_STARTED, SKY, NONE},
        {"not started, but completed a marker", NOT_STARTED, NONE, SKY},
        {"the first marker of the next list", STARTED, NEXT, NONE},
        {"a state that does not exist", 9, SKY, NONE},
        {"finished, but names a foreign marker", FINISHED, FOREIGN, NONE},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(frame_done) struct frame frame = frame_started(0);
        uint64_t ids[] = {0,          frame.frame, frame.sky,     frame.shadow,
                          frame.near, frame.fog,   0x12340000010, frame.next};
        dump_row(&frame.dump, QUEUE, 1, 0, 0, rows[i].state, ids[rows[i].started],
                 ids[rows[i].completed]);
        AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
        annot_reader_execution execution = dump_execution_at(reader, 0);
        cr_expect_eq(execution.state, ANNOT_STATE_UNKNOWN, "%s", rows[i].why);
        cr_expect_eq(execution.evidence, ANNOT_EVIDENCE_CONTRADICTORY, "%s", rows[i].why);
        for (int k = FRAME; k <= FOG; k++)
            cr_expect_eq(state_of(reader, 0, ids[k]), ANNOT_STATE_UNKNOWN, "%s", rows[i].why);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY), 1, "%s", rows[i].why);
        cr_expect_eq(annot_reader_stop_count(reader), 0, "%s", rows[i].why);
        cr_expect_not(annot_reader_is_damaged(reader), "%s", rows[i].why);
    }
}

Test(analysis, two_rows_for_one_execution_are_both_refused)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, STARTED, frame.sky, 0);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    expect_evidence(reader, 0, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_REPEATED), 1);
}

Test(analysis, rows_of_executions_that_do_not_exist_are_reported)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&frame.dump, QUEUE, 1, 5, 0, STARTED, frame.sky, 0);
    dump_row(&frame.dump, QUEUE, 9, 0, 0, STARTED, frame.sky, 0);
    dump_row(&frame.dump, 777, 1, 0, 0, STARTED, frame.sky, 0);
    dump_row(&frame.dump, QUEUE, 1, 0, 3, STARTED, frame.sky, 0);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    expect_evidence(reader, 0, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_DRIVER);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), 4);
}

Test(analysis, rows_of_bundles_that_do_not_exist_are_reported_without_a_row_of_their_list)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 3, STARTED, frame.sky, 0);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), 1);
}

/* ANN-CRASH-05 */
Test(analysis, without_any_promised_order_nothing_inside_is_claimed)
{
    AT_END(frame_done) struct frame frame = frame_started(ANNOT_ORDER_UNKNOWN);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, STARTED, frame.fog, frame.fog);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    annot_evidence evidence;
    expect_evidence(reader, 0, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER);
    for (uint32_t i = 0; i < 5; i++) {
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, i, &evidence),
                     ANNOT_STATE_UNKNOWN);
        cr_expect_eq(evidence, ANNOT_EVIDENCE_REORDERED);
    }
}

/* ANN-MARK-11: three submissions of one recording are three executions. */
Test(analysis, executions_of_one_recording_are_told_apart)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_submit(&frame.dump, 2, 1, one);
    dump_submit(&frame.dump, 3, 1, one);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&frame.dump, QUEUE, 2, 0, 0, STARTED, frame.shadow, frame.sky);
    dump_row(&frame.dump, QUEUE, 3, 0, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    cr_expect_eq(state_of(reader, 0, frame.shadow), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 1, frame.shadow), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, 2, frame.shadow), ANNOT_STATE_NOT_STARTED);
    annot_reader_stop stop;
    cr_assert_eq(annot_reader_stop_count(reader), 1);
    annot_reader_stop_at(reader, 0, &stop);
    cr_expect_eq(stop.execution, 1);
}

/* The fence is the runtime's own evidence: it wins over a stale row. */
Test(analysis, what_the_queue_completed_is_finished_whatever_its_row_says)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t id = dump_begin(&dump, "pass");
    dump_end(&dump);
    dump_queue(&dump, QUEUE, 2, 1);
    dump_submit(&dump, 1, 1, one);
    dump_submit(&dump, 2, 1, one);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    expect_evidence(reader, 0, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE);
    expect_evidence(reader, 1, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW);
}

/* ANN-CRASH-04: work that the dump doesn't hold, for lack of memory or because nothing was kept
 * under RUNTIME_ONLY, is neither finished nor the driver's invention. */
Test(analysis, a_queue_with_submissions_that_were_not_kept_is_not_idle)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_queue(&dump, QUEUE, 3, 1);
    dump_queue(&dump, OTHER_QUEUE, 2, 2);
    dump_row(&dump, QUEUE, 2, 0, 0, STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_queue_verdict(reader, 0), ANNOT_QUEUE_UNKNOWN);
    cr_expect_eq(annot_reader_queue_verdict(reader, 1), ANNOT_QUEUE_IDLE);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), 0, "that submission does exist");
}

Test(analysis, a_submission_can_stop_between_two_lists)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    for (uint64_t id = 1; id <= 3; id++) {
        dump_recording(&dump, id, 99 + id);
        dump_begin(&dump, "pass");
        dump_end(&dump);
    }
    dump_queue(&dump, QUEUE, 1, 0);
    dump_begin(&dump, "Frame 3");
    dump_submit(&dump, 1, 3, three);
    dump_end(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE, 1, 1, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, QUEUE, 1, 2, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stop stop;
    cr_assert_eq(annot_reader_stop_count(reader), 1);
    annot_reader_stop_at(reader, 0, &stop);
    cr_expect(stop.is_between);
    cr_expect_eq(stop.execution, 1, "the next list");
    cr_expect_str_eq(path_of(reader, 0), "Frame 3");
    cr_expect_eq(annot_reader_queue_verdict(reader, 3), ANNOT_QUEUE_STOPPED);
}

/* The driver's row for the submission itself: begun, and no list of it. Without one, or where a
 * list has started, it says nothing more; nor where the row is absurd. */
Test(analysis, a_submission_can_stop_before_its_first_list)
{
    static const struct {
        uint32_t state, list;
        uint64_t started;
        uint32_t stops;
        annot_queue_verdict verdict;
    } cases[] = {{STARTED, NOT_STARTED, 0, 1, ANNOT_QUEUE_STOPPED},
                 {NOT_STARTED, NOT_STARTED, 0, 0, ANNOT_QUEUE_WAITING},
                 {FINISHED, NOT_STARTED, 0, 0, ANNOT_QUEUE_WAITING},
                 {STARTED, NOT_STARTED, 77, 0, ANNOT_QUEUE_WAITING},
                 {STARTED, FINISHED, 0, 1, ANNOT_QUEUE_STOPPED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        for (uint64_t id = 1; id <= 3; id++) {
            dump_recording(&dump, id, 99 + id);
            dump_end(&dump);
        }
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 3, three);
        dump_end(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, cases[i].list, 0, 0);
        dump_row(&dump, QUEUE, 1, 1, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, 2, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, ANNOT_PROGRESS_QUEUE, 0, cases[i].state, cases[i].started, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop stop = {0};
        cr_assert_eq(annot_reader_stop_count(reader), cases[i].stops, "case %zu", i);
        annot_reader_stop_at(reader, 0, &stop);
        if (cases[i].stops == 1)
            cr_expect(stop.is_between && stop.execution == (cases[i].list == FINISHED), "case %zu",
                      i);
        cr_expect_eq(annot_reader_queue_verdict(reader, 3), cases[i].verdict, "case %zu", i);
        cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_STRAY), 0, "case %zu", i);
    }
}

/* ANN-MARK-11: the second execution of a bundle hangs, the first is finished. */
Test(analysis, executions_of_a_bundle_are_told_apart)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t outer = dump_begin(&dump, "outer");
    dump_bundle(&dump, 1, 2, 200);
    uint64_t between = dump_set(&dump, "between");
    dump_bundle(&dump, 2, 2, 200);
    dump_set(&dump, "after");
    dump_bundle(&dump, 3, 2, 200);
    dump_end(&dump);
    dump_recording(&dump, 2, 200);
    uint64_t trees = dump_begin(&dump, "trees");
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, between, between);
    dump_row(&dump, QUEUE, 1, 0, 2, STARTED, trees, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    uint32_t marker = annot_reader_entry_find(reader, trees);
    uint32_t first = annot_reader_entry_find(reader, outer) + 1;
    cr_expect_eq(annot_reader_state(reader, 0, first, marker, NULL), ANNOT_STATE_FINISHED,
                 "the list is past it");
    cr_expect_eq(annot_reader_state(reader, 0, first + 2, marker, NULL), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(annot_reader_state(reader, 0, first + 4, marker, NULL), ANNOT_STATE_NOT_STARTED,
                 "a marker before it has not started");
    cr_expect_str_eq(path_of(reader, 0), "outer / trees");
}

/* ANN-CRASH-06 */
Test(analysis, a_scope_is_in_progress_across_lists_until_a_later_one_closes_it)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "Frame");
    dump_recording(&dump, 2, 101);
    uint64_t middle = dump_begin(&dump, "middle");
    dump_end(&dump);
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    dump_set(&dump, "present");
    dump_queue(&dump, QUEUE, 1, 0);
    dump_submit(&dump, 1, 3, three);
    dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE, 1, 1, 0, STARTED, middle, 0);
    dump_row(&dump, QUEUE, 1, 2, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_str_eq(path_of(reader, 0), "Frame / middle");
    annot_report_options all = {.all = true};
    AT_END(at_end_free) char *text = report_of(reader, false, &all);
    cr_expect(strstr(text, "[>] Frame  (crosses lists: opened in submission 1, list 1)\n"), "%s",
              text);
}

/* ANN-CRASH-06 is about one queue: another queue's surplus End closes nothing here. */
Test(analysis, scopes_do_not_cross_queues)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "open");
    dump_recording(&dump, 2, 101);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_queue(&dump, OTHER_QUEUE, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){2});
    AT_END(at_end_free) char *text = dump_report(&dump, false, NULL);
    cr_expect_not(strstr(text, "crosses lists"), "%s", text);
}

/* ANN-LIFE-06: the last started marker was issued but not kept. Its place is unknown; what is
 * completed is not. */
Test(analysis, a_dropped_marker_in_a_row_is_no_contradiction)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 1);
    uint64_t kept = dump_set(&dump, "kept"), later = dump_set(&dump, "later");
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0x5FFFFF003, kept);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    expect_evidence(reader, 0, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER);
    cr_expect_eq(state_of(reader, 0, kept), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 0, later), ANNOT_STATE_UNKNOWN);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY), 0);
}

/* ANN-DDI-03: the queue can't have left a scope around work that is in progress. */
Test(analysis, a_queue_row_that_contradicts_its_submissions_is_not_trusted)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t pass = dump_begin(&dump, "pass");
    dump_end(&dump);
    dump_queue(&dump, QUEUE, 1, 0);
    uint64_t frame = dump_begin(&dump, "Frame");
    dump_submit(&dump, 1, 1, one);
    dump_end(&dump);
    dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, frame, frame);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, pass, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_neq(annot_reader_queue_state(reader, annot_reader_entry_find(reader, frame), NULL),
                  ANNOT_STATE_FINISHED);
    cr_expect_eq(dump_found(reader, ANNOT_FINDING_ROW_CONTRADICTORY), 1);
}

/* ANN-DDI-03: a driver that does not say whether it began a list claims no progress for it, unless
 * a marker that it names is followed by one that the GPU has not reached. */
Test(analysis, a_row_that_does_not_say_is_not_read_as_in_progress)
{
    static const struct {
        uint32_t window;
        bool is_fog;
        annot_state state;
        annot_evidence evidence;
    } rows[] = {
        {0, false, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER},
        {0, true, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED},
        {ANNOT_ORDER_UNKNOWN, false, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(frame_done) struct frame frame = frame_started(rows[i].window);
        dump_row(&frame.dump, QUEUE, 1, 0, 0, NOT_SAID, rows[i].is_fog ? frame.fog : frame.sky,
                 rows[i].is_fog ? frame.frame : 0);
        AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
        expect_evidence(reader, 0, rows[i].state, rows[i].evidence);
    }
}

/* The scopes around the place are the path to it: only what was left before it is unfinished as
 * well [ANN-CRASH-03]. */
Test(analysis, scopes_around_a_stop_are_not_also_unfinished)
{
    AT_END(frame_done) struct frame frame = frame_started(0);
    dump_row(&frame.dump, QUEUE, 1, 0, 0, STARTED, frame.near, 0);
    AT_END(at_end_close) annot_reader *reader = frame_open(&frame);
    annot_reader_stop stop = dump_stop_at(reader, 0);
    cr_expect_eq(stop.oldest, ANNOT_READER_NONE);
    cr_expect_eq(stop.entry, annot_reader_entry_find(reader, frame.shadow));
    AT_END(at_end_free) char *text = report_of(reader, true, NULL);
    cr_expect(strstr(text, "\"also_unfinished\": null") || !strstr(text, "also_unfinished"), "%s",
              text);
}

/* The front end has left the first scope, whose work nobody says is done: it may be what hangs. */
Test(analysis, the_oldest_scope_that_was_left_and_is_not_finished_is_named)
{
    for (int is_done = 0; is_done < 2; is_done++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        const uint64_t over = dump_begin(&dump, "over");
        dump_end(&dump);
        const uint64_t first = dump_begin(&dump, "first");
        dump_end(&dump);
        dump_begin(&dump, "second");
        dump_end(&dump);
        const uint64_t last = dump_begin(&dump, "last");
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, STARTED, last, is_done ? over : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop stop = dump_stop_at(reader, 0);
        cr_expect_eq(stop.oldest, annot_reader_entry_find(reader, is_done ? first : over));
        cr_expect_eq(stop.entry, annot_reader_entry_find(reader, last));
    }
}

/* Each queue has suspects of its own, from its oldest list that may be unfinished on. */
Test(analysis, suspects_are_of_the_queue_that_stopped)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t reached = dump_set(&dump, "reached");
    for (uint64_t queue = QUEUE; queue <= OTHER_QUEUE; queue++) {
        dump_queue(&dump, queue, 3, 0);
        for (uint64_t serial = 1; serial <= 3; serial++)
            dump_submit(&dump, serial, 1, one);
    }
    dump_row(&dump, OTHER_QUEUE, 1, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, OTHER_QUEUE, 3, 0, 0, STARTED, reached, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stop stop = dump_stop_at(reader, 0);
    cr_expect_eq(stop.execution, 5);
    cr_expect_eq(stop.suspect, 4, "of which nothing is known");
}

/* Of two executions of a bundle that are both unfinished the GPU is in the later one. */
Test(analysis, the_place_is_in_the_last_bundle_that_was_entered)
{
    for (int is_counted = 0; is_counted < 2; is_counted++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        annot_reader_entry entry;
        dump_bundle(&dump, 1, 2, 200);
        dump_bundle(&dump, 2, 2, 200);
        dump_recording(&dump, 2, 200);
        const uint64_t trees = dump_begin(&dump, "trees");
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0, 0);
        dump_row(&dump, QUEUE, 1, 0, 1, STARTED, trees, 0);
        dump_row(&dump, QUEUE, 1, 0, 2, STARTED, trees, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        if (is_counted) /* by two witnesses that follow each other */
            dump_add(&dump, CRUMBS, .queue = QUEUE, .submission = 1, .log = 5, .bundle = 1,
                     .count = 3, .done = 1);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_stop stop = dump_stop_at(reader, 0);
        cr_assert(annot_reader_entry_at(reader, stop.bundle, &entry));
        cr_expect_eq(entry.ordinal, 2);
        cr_expect_eq(stop.bundle_entry, annot_reader_entry_find(reader, trees));
    }
}
