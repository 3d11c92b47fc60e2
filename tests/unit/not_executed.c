/* Work that the driver had not executed, which it may with NullRendering, is not executed in every
 * output, though its fence says that it is done [ANN-SUBM-05, ANN-TRUTH-01]. */
#include "dump_builder.h"
#include "sink.h"

#include <annot/dump.h>
#include <annot/timeline.h>

TestSuite(not_executed, .fini = guarded_expect_nothing_left);

enum { FLAGS = ANNOT_SUBMITTED_NULL_RENDERING | ANNOT_SUBMITTED_CALLED };

static void submitted(struct dump *dump, uint64_t serial, uint32_t flags)
{
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_add(dump, SUBMITTED, .queue = 21, .submission = serial, .cpu_end = 1, .flags = flags);
}

/* One that is executed, one that is not, one that hangs, and one that is not and waits. */
static annot_reader *open_scene(struct dump *dump)
{
    *dump = dump_hung();
    dump_begin(dump, "Shadow");
    dump_end(dump);
    dump_queue(dump, 21, 4, 2);
    dump_begin(dump, "Frame");
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    dump_submit(dump, 2, 1, (uint64_t[]){1});
    dump_end(dump);
    dump_submit(dump, 3, 1, (uint64_t[]){1});
    dump_submit(dump, 4, 1, (uint64_t[]){1});
    dump_row(dump, 21, 3, 0, 0, STARTED, 0, 0);
    dump_row(dump, 21, 4, 0, 0, NOT_STARTED, 0, 0);
    submitted(dump, 2, FLAGS | ANNOT_SUBMITTED_COMPLETED);
    submitted(dump, 4, FLAGS);
    return dump_open(dump, ANNOT_OK);
}

static annot_state state_of(const annot_reader *reader, uint32_t execution)
{
    annot_reader_execution view = dump_execution_at(reader, execution);
    annot_reader_submission around = dump_submission_at(reader, view.submission);
    cr_expect_eq(around.state, view.state, "its one list says what the submission does");
    return view.state;
}

Test(not_executed, is_the_state_of_list_and_marker)
{
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = open_scene(&dump);
    annot_reader_stream stream;
    annot_evidence evidence;
    cr_expect_eq(state_of(reader, 0), ANNOT_STATE_FINISHED);
    cr_expect_eq(state_of(reader, 1), ANNOT_STATE_NOT_EXECUTED);
    cr_expect_eq(state_of(reader, 2), ANNOT_STATE_IN_PROGRESS);
    cr_expect_eq(state_of(reader, 3), ANNOT_STATE_NOT_STARTED);
    cr_assert(annot_reader_stream_at(reader, 0, &stream));
    cr_expect_eq(annot_reader_state(reader, 1, ANNOT_READER_NONE, stream.first_entry, &evidence),
                 ANNOT_STATE_NOT_EXECUTED);
    cr_expect_eq(evidence, ANNOT_EVIDENCE_NULL_RENDERING);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, stream.first_entry, NULL),
                 ANNOT_STATE_FINISHED);
    cr_expect_str_eq(annot_state_text(ANNOT_STATE_NOT_EXECUTED), "not executed");
}

/* A list that is not executed begins no scope, whatever closes it. */
Test(not_executed, a_scope_that_it_begins_is_not_executed_and_not_open_behind_it)
{
    for (uint32_t completed = 1; completed <= 2; completed++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        char path[64];
        const uint64_t outer = dump_begin(&dump, "outer");
        dump_recording(&dump, 2, 101);
        const uint64_t inner = dump_begin(&dump, "inner");
        dump_end(&dump);
        dump_end(&dump);
        dump_queue(&dump, 21, 2, completed);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
        dump_submit(&dump, 2, 1, (uint64_t[]){2});
        if (completed < 2)
            dump_row(&dump, 21, 2, 0, 0, STARTED, inner, 0);
        submitted(&dump, 1, FLAGS | ANNOT_SUBMITTED_COMPLETED);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE,
                                        annot_reader_entry_find(reader, outer), NULL),
                     ANNOT_STATE_NOT_EXECUTED);
        annot_reader_stop_path(reader, 0, path, sizeof path);
        cr_expect_str_eq(path, completed < 2 ? "inner" : "");
    }
}

/* Nor does one that the GPU has not come to: an End behind it closes what was open in front. */
Test(not_executed, a_scope_that_it_would_begin_leaves_the_end_to_an_earlier_one)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t outer = dump_begin(&dump, "outer");
    dump_recording(&dump, 2, 101);
    dump_begin(&dump, "skipped");
    dump_recording(&dump, 3, 102);
    dump_end(&dump);
    dump_queue(&dump, 21, 3, 1);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_submit(&dump, 2, 1, (uint64_t[]){2});
    dump_submit(&dump, 3, 1, (uint64_t[]){3});
    dump_row(&dump, 21, 2, 0, 0, NOT_STARTED, 0, 0);
    dump_row(&dump, 21, 3, 0, 0, NOT_STARTED, 0, 0);
    submitted(&dump, 2, FLAGS);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE,
                                    annot_reader_entry_find(reader, outer), NULL),
                 ANNOT_STATE_IN_PROGRESS);
}

/* What one queue did not execute says nothing of another one's markers. */
Test(not_executed, leaves_the_markers_of_other_queues_alone)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t marks[2];
    dump_set(&dump, "set");
    for (uint64_t i = 0; i < 2; i++) {
        dump_queue(&dump, 20 + i, 2, 1);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
        marks[i] = dump_set(&dump, "mark");
        dump_submit(&dump, 2, 1, (uint64_t[]){1});
        dump_row(&dump, 20 + i, 0, ANNOT_PROGRESS_QUEUE, 0, STARTED, marks[i], marks[i]);
    }
    submitted(&dump, 1, FLAGS); /* on the second one */
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (uint64_t i = 0; i < 2; i++)
        cr_expect_eq(annot_reader_queue_state(reader, annot_reader_entry_find(reader, marks[i]),
                                              NULL),
                     i == 0 ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN);
}

/* The scope around it is not folded away as finished. */
Test(not_executed, text_and_json_say_it)
{
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = open_scene(&dump);
    AT_END(at_end_free) char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "[-] submission 2, 1 list"), "%s", text);
    cr_expect(strstr(text, "not executed: the driver submitted it with NullRendering"), "%s", text);
    cr_expect(strstr(text, "[-] not executed\n"), "the legend: %s", text);
    free(text);
    text = report_of(reader, true, NULL);
    cr_expect(strstr(text, "\"not executed\""), "%s", text);
}

Test(not_executed, timeline_says_it_of_what_is_done_and_not_of_what_waits)
{
    struct kept text = {0};
    struct dump dump;
    annot_reader *reader = open_scene(&dump);
    annot_timeline *timeline;
    const annot_report_sink sink = kept_sink(&text);
    cr_assert_eq(annot_timeline_create(reader, &timeline), ANNOT_OK);
    cr_assert_eq(annot_timeline_text(timeline, NULL, &sink), ANNOT_OK);
    cr_expect(strstr(text.data, "NOT EXECUTED\n  submission 2: the driver submitted it with"), "%s",
              text.data);
    cr_expect(strstr(text.data, "WORK THAT THE GPU MAY NOT HAVE BEGUN\n  submission 4\n"), "%s",
              text.data);
    annot_timeline_destroy(timeline);
    annot_reader_close(reader);
    dump_free(&dump);
    free(text.data);
}

Test(not_executed, nothing_is_said_of_it_where_none_is)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    AT_END(at_end_free) char *text = dump_report(&dump, false, NULL);
    cr_expect_null(strstr(text, "not executed"), "%s", text);
}

/* Opened by one list and closed by the next, neither of which was executed. */
Test(not_executed, is_a_scope_that_crosses_lists_too)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "opened");
    dump_recording(&dump, 2, 101);
    dump_end(&dump);
    dump_queue(&dump, 21, 1, 1);
    dump_submit(&dump, 1, 2, (uint64_t[]){1, 2});
    submitted(&dump, 1, FLAGS | ANNOT_SUBMITTED_COMPLETED);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stream stream = dump_stream_at(reader, 0);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, stream.first_entry, NULL),
                 ANNOT_STATE_NOT_EXECUTED);
}
