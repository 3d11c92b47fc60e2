/* One execution's evidence says something about other executions, and about the queue's markers
 * between them. Expectations: ANN-CRASH-02, -05, ddi.h's promises, by hand; tests/models tries them
 * in every state. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(order, .fini = guarded_expect_nothing_left);

enum { QUEUE = 21, COUNT = 5 };
enum { STARTS = ANNOT_PROMISE_STARTS_IN_ORDER, RETIRES = ANNOT_PROMISE_RETIRES_IN_ORDER };
enum {
    UNKNOWN = ANNOT_STATE_UNKNOWN,
    WAITS = ANNOT_STATE_NOT_STARTED,
    RUNS = ANNOT_STATE_IN_PROGRESS,
    DONE = ANNOT_STATE_FINISHED
};

static const uint64_t one[] = {1};

/* `rows[i]`: what the driver says of submission i + 1, NONE: nothing. */
enum { NONE = 9 };

/* A row that says nothing, not even that it follows any marker. */
static void dump_empty_row(struct dump *dump, uint64_t queue, uint64_t submission)
{
    const struct annot__dump_PROGRESS row = {.queue = queue, .submission = submission};
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(dump, &row, NULL, 0);
}

static annot_reader *five_submissions(struct dump *dump, uint32_t promises, uint64_t completed,
                                      const uint32_t rows[COUNT])
{
    dump_start_promising(dump, ERROR_HUNG, 0, promises);
    dump_recording(dump, 1, 100);
    dump_begin(dump, "pass");
    dump_end(dump);
    dump_queue(dump, QUEUE, COUNT, completed);
    for (uint64_t serial = 1; serial <= COUNT; serial++)
        dump_submit(dump, serial, 1, one);
    for (uint64_t i = 0; i < COUNT; i++)
        if (rows[i] == NOT_SAID)
            dump_empty_row(dump, QUEUE, i + 1);
        else if (rows[i] != NONE)
            dump_row(dump, QUEUE, i + 1, 0, 0, rows[i], 0, 0);
    return dump_open(dump, ANNOT_OK);
}

static void expect_states(const annot_reader *reader, const char *why, const int states[COUNT])
{
    for (uint32_t i = 0; i < COUNT; i++) {
        annot_reader_execution execution = dump_execution_at(reader, i);
        cr_expect_eq((int)execution.state, states[i], "%s: submission %u is %s, because %s", why,
                     i + 1, annot_state_text(execution.state),
                     annot_evidence_text(NULL, execution.evidence));
    }
}

/* ANN-CRASH-05: a front end that runs ahead starts a list before the ones in front are done. */
Test(order, a_row_and_a_promise_prove_states)
{
    static const struct {
        const char *why;
        uint32_t promises, rows[COUNT];
        int states[COUNT];
    } rows[] = {
        /* clang-format off */
        {"a start proves nothing of the work before", 0, {NONE, NONE, STARTED, NONE, NONE},
         {UNKNOWN, UNKNOWN, RUNS, UNKNOWN, UNKNOWN}},
        {"nor does it when lists start in order", STARTS, {NONE, NONE, STARTED, NONE, NONE},
         {UNKNOWN, UNKNOWN, RUNS, UNKNOWN, UNKNOWN}},
        {"what lies behind unfinished work may have started", RETIRES,
         {NONE, NONE, STARTED, NONE, NONE}, {UNKNOWN, UNKNOWN, RUNS, UNKNOWN, UNKNOWN}},
        {"an end proves nothing without a promise", 0, {NONE, NONE, FINISHED, NONE, NONE},
         {UNKNOWN, UNKNOWN, DONE, UNKNOWN, UNKNOWN}},
        {"nor when only starts are in order", STARTS, {NONE, NONE, FINISHED, NONE, NONE},
         {UNKNOWN, UNKNOWN, DONE, UNKNOWN, UNKNOWN}},
        {"finished, so everything before is", RETIRES, {NONE, NONE, FINISHED, NONE, NONE},
         {DONE, DONE, DONE, UNKNOWN, UNKNOWN}},
        {"not started says nothing without a promise", 0, {NONE, NONE, NOT_STARTED, NONE, NONE},
         {UNKNOWN, UNKNOWN, WAITS, UNKNOWN, UNKNOWN}},
        {"nor when only ends are in order", RETIRES, {NONE, NONE, NOT_STARTED, NONE, NONE},
         {UNKNOWN, UNKNOWN, WAITS, UNKNOWN, UNKNOWN}},
        {"not started, so nothing behind is", STARTS, {NONE, NONE, NOT_STARTED, NONE, NONE},
         {UNKNOWN, UNKNOWN, WAITS, WAITS, WAITS}},
        {"started before a later one, unfinished behind an earlier one", STARTS | RETIRES,
         {STARTED, NONE, STARTED, NONE, NONE}, {RUNS, RUNS, RUNS, UNKNOWN, UNKNOWN}},
        {"a row that can't tell is no row", STARTS | RETIRES,
         {NOT_SAID, NOT_SAID, FINISHED, NOT_STARTED, NOT_SAID}, {DONE, DONE, DONE, WAITS, WAITS}},
        {"not started before a started one breaks the promise", STARTS,
         {NOT_STARTED, NONE, STARTED, NONE, NONE}, {UNKNOWN, UNKNOWN, RUNS, UNKNOWN, UNKNOWN}},
        {"which nobody made", 0, {NOT_STARTED, NONE, STARTED, NONE, NONE},
         {WAITS, UNKNOWN, RUNS, UNKNOWN, UNKNOWN}},
        {"finished behind an unfinished one breaks the promise", RETIRES,
         {STARTED, NONE, FINISHED, NONE, NONE}, {RUNS, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}},
        {"which nobody made", 0, {STARTED, NONE, FINISHED, NONE, NONE},
         {RUNS, UNKNOWN, DONE, UNKNOWN, UNKNOWN}},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump;
        AT_END(at_end_close)
        annot_reader *reader = five_submissions(&dump, rows[i].promises, 0, rows[i].rows);
        expect_states(reader, rows[i].why, rows[i].states);
    }
}

/* A row left out means what UNKNOWN means: no state depends on which of the two it was. */
Test(order, a_row_left_out_is_a_row_that_can_not_tell)
{
    for (uint32_t promises = 0; promises < 4; promises++)
        for (int code = 0; code < 5 * 5 * 5 * 5 * 5; code++) {
            uint32_t with[COUNT], without[COUNT];
            int rest = code;
            for (int i = 0; i < COUNT; i++, rest /= 5) {
                static const uint32_t said[] = {NONE, NOT_SAID, NOT_STARTED, STARTED, FINISHED};
                with[i] = said[rest % 5];
                without[i] = with[i] == NOT_SAID ? (uint32_t)NONE : with[i];
            }
            if (!memcmp(with, without, sizeof with))
                continue;
            struct dump a, b;
            AT_END(at_end_close) annot_reader *first = five_submissions(&a, promises, 0, with);
            annot_reader *second = five_submissions(&b, promises, 0, without);
            for (uint32_t i = 0; i < COUNT; i++) {
                annot_reader_execution x, y;
                annot_reader_execution_at(first, i, &x);
                annot_reader_execution_at(second, i, &y);
                cr_assert_eq(x.state, y.state, "rows %d, promises %u", code, promises);
            }
            annot_reader_close(second);
            dump_free(&a);
            dump_free(&b);
        }
}

/* A list that may be running keeps the queue from being called innocent. */
Test(order, a_queue_is_waiting_only_when_nothing_on_it_may_run)
{
    static const struct {
        uint32_t promises, rows[COUNT];
        annot_queue_verdict verdict;
    } rows[] = {
        {0, {NOT_STARTED, NONE, NONE, NONE, NONE}, ANNOT_QUEUE_UNKNOWN},
        {STARTS, {NOT_STARTED, NONE, NONE, NONE, NONE}, ANNOT_QUEUE_WAITING},
        {STARTS, {NONE, NOT_STARTED, NONE, NONE, NONE}, ANNOT_QUEUE_UNKNOWN},
        {0, {FINISHED, NOT_STARTED, NOT_STARTED, NOT_STARTED, NOT_STARTED}, ANNOT_QUEUE_WAITING},
        {0, {FINISHED, FINISHED, FINISHED, FINISHED, FINISHED}, ANNOT_QUEUE_IDLE},
        {0, {NONE, FINISHED, FINISHED, FINISHED, FINISHED}, ANNOT_QUEUE_UNKNOWN},
        {0, {NOT_STARTED, NONE, STARTED, NONE, NONE}, ANNOT_QUEUE_STOPPED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        AT_END(dump_free) struct dump dump;
        AT_END(at_end_close)
        annot_reader *reader = five_submissions(&dump, rows[i].promises, 0, rows[i].rows);
        cr_expect_eq(annot_reader_queue_verdict(reader, 1), rows[i].verdict, "row %zu", i);
    }
}

/* Two executions of a submission on either side of one of which nothing is known: it may be that
 * one. */
Test(order, the_gap_between_two_lists_is_named_only_when_no_list_may_be_in_it)
{
    for (int is_known = 0; is_known < 2; is_known++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        const uint64_t lists[] = {1, 1, 1};
        dump_set(&dump, "m");
        dump_queue(&dump, QUEUE, 1, 0);
        dump_submit(&dump, 1, 3, lists);
        dump_row(&dump, QUEUE, 1, 0, 0, FINISHED, 0, 0);
        if (is_known)
            dump_row(&dump, QUEUE, 1, 1, 0, FINISHED, 0, 0);
        dump_row(&dump, QUEUE, 1, 2, 0, NOT_STARTED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_stop_count(reader), (size_t)is_known);
    }
}

/* ---- the queue's own markers ---- */

struct marked {
    struct dump dump;
    uint64_t before, frame, between, after, empty;
};

/* SET before, BEGIN frame, submission 1, SET between, submission 2, END, SET after, BEGIN empty,
 * END. */
static void mark_queue(struct marked *m, uint32_t promises, uint64_t completed)
{
    struct dump *dump = &m->dump;
    dump_start_promising(dump, ERROR_HUNG, 0, promises);
    dump_recording(dump, 1, 100);
    dump_begin(dump, "pass");
    dump_end(dump);
    dump_queue(dump, QUEUE, 2, completed);
    m->before = dump_set(dump, "before");
    m->frame = dump_begin(dump, "Frame");
    dump_submit(dump, 1, 1, one);
    m->between = dump_set(dump, "between");
    dump_submit(dump, 2, 1, one);
    dump_end(dump);
    m->after = dump_set(dump, "after");
    m->empty = dump_begin(dump, "empty");
    dump_end(dump);
}

static void expect_queue(struct marked *m, const char *why, const int states[5])
{
    annot_reader *reader = dump_open(&m->dump, ANNOT_OK);
    const uint64_t ids[] = {m->before, m->frame, m->between, m->after, m->empty};
    for (size_t i = 0; i < 5; i++) {
        annot_evidence evidence;
        uint32_t entry = annot_reader_entry_find(reader, ids[i]);
        annot_state state = annot_reader_queue_state(reader, entry, &evidence);
        cr_expect_eq((int)state, states[i], "%s: marker %zu is %s, because %s", why, i,
                     annot_state_text(state), annot_evidence_text(NULL, evidence));
    }
    annot_reader_close(reader);
    dump_free(&m->dump);
}

/* All submissions inside completed: finished; an earlier one that never started: not started;
 * behind one that started nothing is known. */
Test(order, queue_markers_follow_from_the_submissions_that_they_surround)
{
    static const struct {
        const char *why;
        uint32_t promises, first, second; /* rows */
        uint64_t completed;
        int states[5];
    } rows[] = {
        /* clang-format off */
        {"everything inside is completed", 0, NONE, NONE, 2, {DONE, DONE, DONE, UNKNOWN, UNKNOWN}},
        {"everything inside is finished, says the driver", 0, FINISHED, FINISHED, 0,
         {UNKNOWN, DONE, UNKNOWN, UNKNOWN, UNKNOWN}},
        {"the first is completed, the second runs", STARTS, NONE, STARTED, 1,
         {DONE, RUNS, DONE, UNKNOWN, UNKNOWN}},
        {"the same from a GPU that starts in any order", 0, NONE, STARTED, 1,
         {DONE, RUNS, UNKNOWN, UNKNOWN, UNKNOWN}},
        {"the second never started", STARTS, STARTED, NOT_STARTED, 0,
         {DONE, RUNS, UNKNOWN, WAITS, WAITS}},
        {"the same from a GPU that starts in any order", 0, STARTED, NOT_STARTED, 0,
         {UNKNOWN, RUNS, UNKNOWN, UNKNOWN, UNKNOWN}},
        {"the first never started", STARTS, NOT_STARTED, NONE, 0,
         {UNKNOWN, UNKNOWN, WAITS, WAITS, WAITS}},
        {"one is finished, one has not started", 0, FINISHED, NOT_STARTED, 0,
         {UNKNOWN, RUNS, UNKNOWN, UNKNOWN, UNKNOWN}},
        {"nothing is known", STARTS | RETIRES, NONE, NONE, 0,
         {UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN}},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct marked m;
        mark_queue(&m, rows[i].promises, rows[i].completed);
        if (rows[i].first != NONE)
            dump_row(&m.dump, QUEUE, 1, 0, 0, rows[i].first, 0, 0);
        if (rows[i].second != NONE)
            dump_row(&m.dump, QUEUE, 2, 0, 0, rows[i].second, 0, 0);
        expect_queue(&m, rows[i].why, rows[i].states);
    }
}

/* A submission that was not kept may be what hangs. */
Test(order, a_scope_around_a_submission_that_was_not_kept_is_not_finished)
{
    for (uint64_t lost = 0; lost <= 3; lost++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        dump_set(&dump, "m");
        dump_queue(&dump, QUEUE, 4, 0);
        uint64_t frame = dump_begin(&dump, "Frame");
        for (uint64_t serial = 1; serial <= 3; serial++)
            if (serial != lost)
                dump_submit(&dump, serial, 1, one);
        dump_end(&dump);
        dump_submit(&dump, 4, 1, one);
        for (uint64_t serial = 1; serial <= 4; serial++)
            if (serial != lost)
                dump_row(&dump, QUEUE, serial, 0, 0, FINISHED, 0, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_state state =
            annot_reader_queue_state(reader, annot_reader_entry_find(reader, frame), NULL);
        cr_expect_eq((int)state, lost == 0 ? DONE : UNKNOWN);
    }
}

/* The first list has not started and the driver starts in order. A row of the second that names
 * markers, a bundle's row, and a row of a list that the dump lacks: nothing follows from either. */
Test(order, a_row_that_may_contradict_the_promise_is_left_alone)
{
    for (int kind = 0; kind < 3; kind++) {
        AT_END(dump_free) struct dump dump = dump_promising(STARTS);
        const uint64_t pass = dump_begin(&dump, "pass");
        dump_end(&dump);
        dump_queue(&dump, QUEUE, 2, 0);
        dump_submit(&dump, 1, 1, one);
        dump_submit(&dump, 2, 1, kind == 2 ? (uint64_t[]){7} : one);
        if (kind != 2)
            dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, QUEUE, 2, 0, kind == 1, kind == 1 ? STARTED : NOT_SAID,
                 kind == 1 ? 0 : pass, kind == 0 ? pass : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_execution second = dump_execution_at(reader, 1);
        cr_expect_eq((int)second.state, UNKNOWN, "kind %d: %s", kind,
                     annot_state_text(second.state));
    }
}

/* ---- the headline ---- */

/* The front end has come to C1 and nothing is completed: the likeliest culprit is the oldest. */
Test(order, the_headline_gives_the_range_of_suspects_oldest_first)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t ids[3];
    static const char *const names[] = {"A1", "B1", "C1"};
    dump_begin(&dump, "Frame");
    for (int i = 0; i < 3; i++) {
        ids[i] = dump_begin(&dump, names[i]);
        dump_end(&dump);
    }
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, QUEUE, 1, 0, 0, STARTED, ids[2], 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stop stop = dump_stop_at(reader, 0);
    cr_expect_eq(stop.oldest, annot_reader_entry_find(reader, ids[0]));
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "WHAT HUNG\n  Frame / A1\n  or the later work, up to\n  Frame / C1\n"),
              "%s", text);
    cr_expect(strstr(text, "\"A1\", up to \"C1\""), "%s", text);
}

/* A list before the one in progress of which nothing is known is under suspicion first. */
Test(order, the_headline_names_the_oldest_list_that_may_be_unfinished)
{
    static const uint32_t rows[COUNT] = {FINISHED, NONE, NONE, STARTED, NONE};
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = five_submissions(&dump, 0, 0, rows);
    annot_reader_stop stop = dump_stop_at(reader, 0);
    cr_expect_eq(stop.execution, 3);
    cr_expect_eq(stop.suspect, 1);
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "or an earlier list: submission 2"), "%s", text);
    free(text);
    text = report_of(reader, true, NULL);
    cr_expect(strstr(text, "\"oldest_suspect\""), "%s", text);
    const char *serial = strstr(text, "\"oldest_suspect\"");
    serial = serial ? strstr(serial, "\"submission\"") : NULL;
    serial = serial ? strchr(serial + strlen("\"submission\""), '2') : NULL;
    cr_expect(serial && serial[-1] == '"', "a number of 64 bits is a string: %s", text);
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);

    reader = five_submissions(&dump, RETIRES, 3, rows);
    cr_assert(annot_reader_stop_at(reader, 0, &stop));
    cr_expect_eq(stop.suspect, stop.execution, "everything before is completed");
    text = report_of(reader, false, NULL);
    cr_expect_not(strstr(text, "or an earlier list"), "%s", text);
}

/* ANN-DDI-03: a row that names a marker of a list behind one that has not started breaks the
 * promise to start in order. What the GPU reached is not called "not started". */
Test(order, a_list_whose_marker_was_reached_is_never_called_not_started)
{
    AT_END(dump_free) struct dump dump = dump_promising(STARTS);
    const uint64_t last = dump_set(&dump, "last");
    dump_queue(&dump, QUEUE, 3, 0);
    for (uint64_t serial = 1; serial <= 3; serial++)
        dump_submit(&dump, serial, 1, one);
    dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, QUEUE, 2, 0, 0, ANNOT_PROGRESS_UNKNOWN, last, last); /* maybe all is done */
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_execution execution = dump_execution_at(reader, 1);
    cr_expect_eq((int)execution.state, UNKNOWN);
    cr_expect_eq(execution.started, last);
    cr_assert(annot_reader_execution_at(reader, 2, &execution));
    cr_expect_eq((int)execution.state, WAITS, "of this one nothing is said");
}

/* ANN-DDI-03: a bundle that is in progress, in a list that a promise would call finished. */
Test(order, a_list_is_not_called_finished_over_its_bundles_row)
{
    AT_END(dump_free) struct dump dump;
    dump_start_promising(&dump, ERROR_HUNG, 0, RETIRES);
    dump_recording(&dump, 2, 200);
    const uint64_t inside = dump_begin(&dump, "trees");
    dump_end(&dump);
    dump_recording(&dump, 1, 100);
    dump_begin(&dump, "pass");
    dump_bundle(&dump, 1, 2, 200);
    dump_end(&dump);
    dump_queue(&dump, QUEUE, 2, 0);
    dump_submit(&dump, 1, 1, one);
    dump_submit(&dump, 2, 1, one);
    dump_row(&dump, QUEUE, 1, 0, 1, STARTED, inside, 0);
    dump_row(&dump, QUEUE, 2, 0, 0, FINISHED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_execution execution = dump_execution_at(reader, 0);
    cr_expect_neq((int)execution.state, DONE);
}

/* ANN-DDI-03: a reordering driver's row for the queue says that a scope is done, its row for a list
 * inside that this has not started. */
Test(order, a_queue_scope_around_unfinished_work_is_not_finished)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 1);
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "draw");
    dump_queue(&dump, QUEUE, 1, 0);
    const uint64_t frame = dump_begin(&dump, "Frame");
    dump_submit(&dump, 1, 1, one);
    dump_end(&dump);
    uint64_t last = 0;
    for (int i = 0; i < 5; i++)
        last = dump_set(&dump, "behind");
    dump_row(&dump, QUEUE, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, QUEUE, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, last, last);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const annot_state state =
        annot_reader_queue_state(reader, annot_reader_entry_find(reader, frame), NULL);
    cr_expect_eq((int)state, UNKNOWN, "it is %s", annot_state_text(state));
}

/* Q3, M4: a scope of the queue in front of a list that has started has begun; the row says that its
 * End was not passed. */
Test(order, a_queue_scope_in_front_of_a_started_list_has_begun)
{
    for (uint32_t promises = 0; promises <= STARTS; promises += STARTS) {
        AT_END(dump_free) struct dump dump = dump_promising(promises);
        dump_set(&dump, "draw");
        dump_queue(&dump, QUEUE, 2, 0);
        const uint64_t scope = dump_begin(&dump, "Shadows");
        dump_submit(&dump, 1, 1, one);
        dump_end(&dump);
        dump_submit(&dump, 2, 1, one);
        dump_row(&dump, QUEUE, 2, 0, 0, STARTED, 0, 0);
        const struct annot__dump_PROGRESS row = {.queue = QUEUE,
                                                 .list = ANNOT_PROGRESS_QUEUE,
                                                 .state = STARTED,
                                                 .inside = ANNOT_INSIDE_COMPLETED};
        dump_put_PROGRESS(&dump, &row, NULL, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const annot_state state =
            annot_reader_queue_state(reader, annot_reader_entry_find(reader, scope), NULL);
        cr_expect_eq((int)state, promises ? RUNS : UNKNOWN, "it is %s", annot_state_text(state));
    }
}
