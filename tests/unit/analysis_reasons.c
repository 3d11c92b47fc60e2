/* Why a state is what a dump says it is, and where conclusions end: at a fence, at what was lost,
 * at the edge of a driver's order window [ANN-CRASH-02, -05, ANN-LIFE-06]. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(reasons, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21 };
enum { STARTS = ANNOT_PROMISE_STARTS_IN_ORDER, RETIRES = ANNOT_PROMISE_RETIRES_IN_ORDER };

static const uint64_t one[] = {1};

static void expect_marker(const annot_reader *reader, uint64_t event_id, annot_state state,
                          annot_evidence evidence, const char *what)
{
    annot_evidence because;
    const uint32_t entry = annot_reader_entry_find(reader, event_id);
    const annot_state is = annot_reader_queue_state(reader, entry, &because);
    cr_expect_eq(is, state, "%s is %s", what, annot_state_text(is));
    cr_expect_eq(because, evidence, "%s: %s", what, annot_evidence_text(NULL, because));
}

static void expect_execution(const annot_reader *reader, uint32_t index, annot_state state,
                             annot_evidence evidence)
{
    annot_reader_execution execution = dump_execution_at(reader, index);
    cr_expect_eq(execution.state, state, "%u is %s", index, annot_state_text(execution.state));
    cr_expect_eq(execution.evidence, evidence, "%u: %s", index,
                 annot_evidence_text(NULL, execution.evidence));
}

/* A fence is the strongest evidence, and named as such, whatever rows there are. */
Test(reasons, what_a_fence_has_passed_is_finished_by_the_fence)
{
    AT_END(dump_free) struct dump dump = dump_promising(STARTS);
    dump_set(&dump, "work");
    dump_queue(&dump, QUEUE, 4, 2);
    const uint64_t before = dump_set(&dump, "before");
    dump_submit(&dump, 1, 1, one);
    dump_submit(&dump, 2, 0, NULL);
    const uint64_t around = dump_begin(&dump, "around");
    dump_submit(&dump, 3, 1, one);
    dump_end(&dump);
    const uint64_t between = dump_set(&dump, "between");
    dump_submit(&dump, 4, 1, one);
    const uint64_t behind = dump_set(&dump, "behind");
    dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, QUEUE, 3, 0, 0, FINISHED, 0, 0);
    dump_row(&dump, QUEUE, 4, 0, 0, NOT_STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    expect_execution(reader, 0, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE);
    expect_execution(reader, 1, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_DRIVER);
    expect_execution(reader, 2, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_DRIVER);
    annot_reader_submission submission = dump_submission_at(reader, 1);
    cr_expect_eq(submission.state, ANNOT_STATE_FINISHED,
                 "it has no lists, but the fence passed it");
    expect_marker(reader, before, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE, "before");
    expect_marker(reader, around, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_SURROUNDED, "around");
    expect_marker(reader, between, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW, "between");
    expect_marker(reader, behind, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_BEHIND, "behind");
}

/* A submission whose lists are not all in the dump is finished when the fence has passed it; when
 * its lists that are there are finished, others may run. */
Test(reasons, a_cut_submission_is_finished_by_the_fence_alone)
{
    for (uint64_t completed = 0; completed < 2; completed++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 1, completed);
        dump_add_with(&dump, SUBMISSION, "\1\0\0\0\0\0\0\0\144\0\0\0\0\0\0", 16, .serial = 1,
                      .count = 2);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_submission submission = dump_submission_at(reader, 0);
        expect_execution(reader, 0, ANNOT_STATE_FINISHED,
                         completed ? ANNOT_EVIDENCE_FENCE : ANNOT_EVIDENCE_DRIVER);
        cr_expect_eq(submission.state, completed ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN);
    }
}

/* Nothing is said of a queue whose records contradict each other, and that is the reason. */
Test(reasons, of_a_damaged_queue_nothing_is_concluded)
{
    AT_END(dump_free) struct dump dump = dump_promising(STARTS | RETIRES);
    const uint64_t work = dump_set(&dump, "work");
    dump_set(&dump, "more work");
    dump_queue(&dump, QUEUE, 3, 1);
    const uint64_t before = dump_set(&dump, "before");
    for (uint64_t serial = 1; serial <= 3; serial++)
        dump_submit(&dump, serial, 1, one);
    dump_submit(&dump, 3, 1, one);
    dump_row(&dump, QUEUE, 2, 0, 0, STARTED, work, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    expect_marker(reader, before, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED, "before");
    expect_execution(reader, 0, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    expect_execution(reader, 1, ANNOT_STATE_IN_PROGRESS, ANNOT_EVIDENCE_DRIVER);
    expect_execution(reader, 2, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
}

/* The queue has come to the third submission, and the second is finished: what was marked between
 * them is finished when the first is, too. Lists may retire in any order, so nothing is known of
 * that when the dump doesn't hold it. */
Test(reasons, a_submission_that_is_not_in_the_dump_may_still_run)
{
    for (int is_lost = 0; is_lost < 2; is_lost++) {
        AT_END(dump_free) struct dump dump = dump_promising(STARTS);
        const uint64_t work = dump_set(&dump, "work");
        dump_queue(&dump, QUEUE, 3, 0);
        if (!is_lost)
            dump_submit(&dump, 1, 1, one);
        dump_submit(&dump, 2, 1, one);
        const uint64_t between = dump_set(&dump, "between");
        dump_submit(&dump, 3, 1, one);
        if (!is_lost)
            dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 2, 0, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 3, 0, 0, STARTED, work, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        if (is_lost)
            expect_marker(reader, between, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW, "lost");
        else
            expect_marker(reader, between, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_SURROUNDED, "kept");
    }
}

/* Behind a marker that was issued and not kept, markers are unknown for that reason. */
Test(reasons, what_follows_a_dropped_marker_is_unknown_because_of_it)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 1);
    const uint64_t kept = dump_set(&dump, "kept"), later = dump_set(&dump, "later");
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, 0x5FFFFF003, kept);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_evidence evidence;
    const uint32_t entry = annot_reader_entry_find(reader, later);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, entry, &evidence),
                 ANNOT_STATE_UNKNOWN);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_DROPPED, "%s", annot_evidence_text(NULL, evidence));
}

/* A driver that moves markers by one names the second of six: the GPU is at the third at most, the
 * fourth may have been moved there, so the fifth is the first that it can't have reached. A scope
 * is open as long as its End, which moves too, is one behind that. */
Test(reasons, a_window_ends_exactly_one_marker_further)
{
    for (int sets = 4; sets <= 5; sets++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 1);
        dump_recording(&dump, 1, 100);
        const uint64_t scope = dump_begin(&dump, "scope");
        uint64_t ids[6];
        for (int i = 0; i < sets; i++)
            ids[i] = dump_set(&dump, "set");
        dump_end(&dump);
        const uint64_t behind = dump_set(&dump, "behind"), last = dump_set(&dump, "last");
        dump_submitted(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_add(&dump, PROGRESS, .queue = QUEUE, .submission = 1, .started = ids[0],
                 .state = ANNOT_PROGRESS_STARTED, .inside = ANNOT_INSIDE_STARTED);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const struct {
            const char *what;
            uint64_t id;
            annot_state state;
        } expected[] = {
            {"scope", scope, ANNOT_STATE_IN_PROGRESS}, {"0", ids[0], ANNOT_STATE_UNKNOWN},
            {"3", ids[3], ANNOT_STATE_UNKNOWN},        {"behind", behind, ANNOT_STATE_NOT_STARTED},
            {"last", last, ANNOT_STATE_NOT_STARTED},
        };
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            const uint32_t entry = annot_reader_entry_find(reader, expected[i].id);
            const annot_state state = annot_reader_state(reader, 0, ANNOT_READER_NONE, entry, NULL);
            cr_expect_eq(state, expected[i].state, "%d sets: %s is %s", sets, expected[i].what,
                         annot_state_text(state));
        }
    }
}
