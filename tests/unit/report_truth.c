/* Sentences of a report that have to be so: who says what, how far away, and what was never known
 * [ANN-TRUTH-01, -04]. */
#include "dump_builder.h"
#include "unit_kit.h"
#include "report/report.h"

#include <annot/dump.h>
#include <annot/fleet.h>

TestSuite(report_truth, .fini = guarded_expect_nothing_left);

enum { RUNTIME_ONLY = 1, QUEUE_ITSELF = (int)ANNOT_PROGRESS_QUEUE };

static void says(struct dump *dump, const char *sentence)
{
    char *text = dump_report(dump, false, NULL);
    cr_expect(strstr(text, sentence), "not \"%s\":\n%s", sentence, text);
    free(text);
    dump_free(dump);
}

static void does_not_say(struct dump *dump, const char *sentence)
{
    char *text = dump_report(dump, false, NULL);
    cr_expect_null(strstr(text, sentence), "\"%s\":\n%s", sentence, text);
    free(text);
    dump_free(dump);
}

/* ---- nothing is said of what was not kept ---- */

/* A RUNTIME_ONLY device keeps no submissions; its driver reports them all the same. */
static void runtime_only(struct dump *dump)
{
    dump_start_device(dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG,
                                                         .mode = RUNTIME_ONLY,
                                                         .driver_supported = 1,
                                                         .has_report = 1});
    dump_object(dump, 21, 19, "Graphics");
    dump_queue(dump, 21, 2, 1);
    dump_row(dump, 21, 2, (uint32_t)QUEUE_ITSELF, 0, STARTED, 0, 0);
    dump_row(dump, 21, 2, 0, 0, STARTED, 0, 0);
}

/* Fences say that it is not complete. */
Test(report_truth, a_submission_of_which_nothing_was_kept_is_named)
{
    struct dump dump;
    for (int turn = 0; turn < 2; turn++) {
        dump_start_device(&dump, &(struct annot__dump_DEVICE){
                                     .error = ERROR_HUNG, .mode = RUNTIME_ONLY, .has_report = 1});
        dump_object(&dump, 21, 19, "Graphics");
        dump_queue(&dump, 21, 2, 1);
        if (turn == 0)
            says(&dump, "GPU HANG in or after submission 2 on queue \"Graphics\": nothing says "
                        "how far the work got\n");
        else
            says(&dump, "    on queue \"Graphics\", submission 2: not known to be complete\n");
    }
}

Test(report_truth, a_driver_may_report_submissions_that_were_not_kept)
{
    struct dump dump;
    runtime_only(&dump);
    does_not_say(&dump, "executions that do not exist");
}

Test(report_truth, a_driver_that_reports_what_was_never_submitted_is_told_of)
{
    struct dump dump;
    runtime_only(&dump);
    dump_row(&dump, 21, 3, (uint32_t)QUEUE_ITSELF, 0, STARTED, 0, 0);
    says(&dump, "the driver reported executions that do not exist (1 time");
}

static void list_without_recording(struct dump *dump, uint64_t started)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_queue(dump, 21, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){0});
    dump_row(dump, 21, 1, 0, 0, STARTED, started, 0);
}

Test(report_truth, no_marker_is_missed_that_the_driver_did_not_name)
{
    struct dump dump;
    list_without_recording(&dump, 0);
    does_not_say(&dump, "the marker that the driver names");
    list_without_recording(&dump, 0);
    says(&dump, "nothing is known about work inside this list: it started, and no marker inside it "
                "is known");
    list_without_recording(&dump, 0x700000020);
    says(&dump,
         "nothing is known about work inside this list: the marker that the driver names was not");
}

/* Nothing tells whether the recordings that are gone had markers. */
Test(report_truth, recordings_that_are_gone_are_not_said_to_have_had_markers)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_queue(&dump, 21, 2, 2);
    dump_submit(&dump, 1, 1, (uint64_t[]){7});
    dump_submit(&dump, 2, 1, (uint64_t[]){8});
    says(&dump, "  2 finished lists without their recordings (allocators reset)\n");
}

/* ---- distances ---- */

static void fault_near(struct dump *dump, uint64_t fault, uint64_t size)
{
    dump_start(dump, ERROR_PAGE_FAULT, 0);
    dump_object(dump, 24, 30, "Lights");
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(dump, &(struct annot__dump_FAULT){.address = fault}, NULL, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, RANGE, .address = 0x100000000, .size = size, .object = 24, .kind = 30);
}

Test(report_truth, an_object_is_near_within_its_own_size_or_64_kib)
{
    struct dump dump;
    fault_near(&dump, 0x100000000 + 4096 + 64, 4096);
    says(&dump, "in no object: 64 bytes past the end of \"Lights\"");
    fault_near(&dump, 0x100000000 + 4096 + 65535, 4096);
    says(&dump, "in no object: 65535 bytes past the end of \"Lights\"");
    fault_near(&dump, 0x100000000 + 4096 + 65536, 4096);
    says(&dump, "  address      in no object, and no object is near\n");
    fault_near(&dump, 0x100000000 + 0x200000 + 0x1FFFFF, 0x200000);
    says(&dump, "in no object: 2097151 bytes past the end of \"Lights\"");
    fault_near(&dump, 0x100000000 + 0x200000 + 0x200000, 0x200000);
    says(&dump, "in no object, and no object is near");
    fault_near(&dump, 0x100000000 - 65535, 4096);
    says(&dump, "in no object: 65535 bytes before \"Lights\"");
    fault_near(&dump, 0x800000000000, 4096);
    does_not_say(&dump, "Lights");
}

/* ---- who says what ---- */

/* Two queues stand still, and the kernel-mode driver holds one guilty. */
static void two_stopped(struct dump *dump, uint64_t engine, uint64_t guilty)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 21, 19, "Innocent");
    dump_object(dump, 22, 19, "Guilty");
    dump_object(dump, 23, 19, "Idle");
    dump_recording(dump, 1, 100);
    const uint64_t first = dump_begin(dump, "Waits");
    dump_end(dump);
    dump_recording(dump, 2, 100);
    const uint64_t second = dump_begin(dump, "Hangs");
    dump_end(dump);
    dump_submitted(dump);
    dump_queue(dump, 22, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){2});
    dump_queue(dump, 23, 0, 0);
    dump_row(dump, 21, 1, 0, 0, STARTED, first, 0);
    dump_row(dump, 22, 1, 0, 0, STARTED, second, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_TDR);
    dump_add(dump, TDR, .queue = engine, .context = guilty, .type = 6, .reason = 0x141, .ddi = 2);
}

Test(report_truth, what_the_kernel_holds_guilty_comes_first)
{
    AT_END(dump_free) struct dump dump;
    two_stopped(&dump, 22, 22);
    says(&dump, "WHAT HUNG\n"
                "  Hangs\n"
                "    on queue \"Guilty\", submission 1, list 1 of 1 #100\n"
                "    guilty         yes, according to the kernel-mode driver\n");
    two_stopped(&dump, 22, 22);
    says(&dump, "  Waits\n"
                "    on queue \"Innocent\", submission 1, list 1 of 1 #100\n"
                "    guilty         no, the kernel-mode driver names another queue: \"Guilty\"\n");
    two_stopped(&dump, 22, 22);
    says(&dump, "Look at the work recorded in \"Hangs\"");
    two_stopped(&dump, 22, 22);
    AT_END(at_end_free) char *text = dump_report(&dump, true, NULL);
    cr_expect(strstr(text, "\"in_progress\":[\n{\"text\":\"Hangs\""), "%s", text);
    cr_expect(strstr(text, "\"guilty\":true") && strstr(text, "\"guilty\":false"), "%s", text);
}

/* The engine that timed out, where the driver names no context. */
Test(report_truth, without_the_drivers_word_the_kernels_counts)
{
    struct dump dump;
    two_stopped(&dump, 22, 0);
    says(&dump, "WHAT HUNG\n"
                "  Hangs\n"
                "    on queue \"Guilty\", submission 1, list 1 of 1 #100\n"
                "    guilty         yes, according to the kernel: the queue's engine timed out\n");
    two_stopped(&dump, 21, 22);
    says(&dump, "engine of \"Innocent\"");
    two_stopped(&dump, 0, 0);
    does_not_say(&dump, "according to the kernel");
}

Test(report_truth, a_guilty_queue_without_work_in_progress_is_said_to_be_that)
{
    struct dump dump;
    two_stopped(&dump, 23, 23);
    says(&dump, "  The kernel-mode driver holds queue \"Idle\" guilty, but no work of this queue "
                "is known to be in progress.\n");
}

/* Its lists have not started: it may have stopped in front of them, and waits for nobody. */
Test(report_truth, a_queue_that_is_held_guilty_is_not_called_waiting)
{
    struct dump dump;
    for (int turn = 0; turn < 3; turn++) {
        dump_start(&dump, ERROR_HUNG, 0);
        dump_object(&dump, 21, 19, "Innocent");
        dump_object(&dump, 22, 19, "Guilty");
        dump_recording(&dump, 1, 100);
        dump_set(&dump, "sky");
        for (uint64_t queue = 21; queue <= 22; queue++) {
            dump_queue(&dump, queue, 1, 0);
            dump_submit(&dump, 1, 1, (uint64_t[]){1});
        }
        dump_row(&dump, 21, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_row(&dump, 22, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
        dump_add(&dump, TDR, .queue = 22, .context = 22, .type = 6, .reason = 0x141, .ddi = 2);
        if (turn == 0)
            says(&dump, "GPU HANG in or after submission 1 on queue \"Guilty\": nothing says how "
                        "far the work got\n");
        else if (turn == 1)
            does_not_say(&dump, "queue \"Guilty\": submission 1 has not started");
        else
            says(&dump, "queue \"Innocent\": submission 1 has not started");
    }
}

/* ---- scopes around the place ---- */

/* Two lists of one submission; the first begins a scope and leaves it open, the second has passed
 * "sky" and stopped. */
static void across(struct dump *dump, bool is_closed_behind)
{
    *dump = dump_hung();
    dump_begin(dump, "Over");
    dump_recording(dump, 2, 101);
    const uint64_t sky = dump_set(dump, "sky");
    if (is_closed_behind)
        dump_end(dump);
    dump_queue(dump, 21, 1, 0);
    dump_submit(dump, 1, 2, (uint64_t[]){1, 2});
    dump_row(dump, 21, 1, 0, 0, FINISHED, 0, 0);
    dump_row(dump, 21, 1, 1, 0, STARTED, sky, sky);
}

Test(report_truth, a_place_in_a_scope_of_an_earlier_list_is_not_called_outside)
{
    struct dump dump;
    across(&dump, false);
    does_not_say(&dump, "(outside of any scope)");
    across(&dump, true);
    does_not_say(&dump, "(outside of any scope)");
}

/* Four lists that begin or end scopes of the queue, each in a submission of its own, and a fifth
 * that has passed "sky": outside of any scope if, and only if, each scope has ended. */
Test(report_truth, a_place_is_outside_where_all_scopes_of_earlier_lists_have_ended)
{
    enum { LISTS = 4, ACTS = 4 /* nothing, a begin, two of them, an end */ };
    for (unsigned acts = 0; acts < 256 * 2; acts++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        unsigned open = 0;
        for (unsigned i = 0; i < LISTS; i++) {
            const unsigned act = acts >> 2 * i & 3;
            dump_recording(&dump, 1 + i, 100);
            for (unsigned k = 0; k < act && act < 3; k++)
                dump_begin(&dump, "Over");
            open += act < 3 ? act : 0u - (open > 0);
            if (act == 3)
                dump_end(&dump);
        }
        dump_recording(&dump, 1 + LISTS, 100);
        if (acts >> 2 * LISTS)
            dump_end(&dump);
        open -= acts >> 2 * LISTS && open > 0;
        const uint64_t sky = dump_set(&dump, "sky");
        const bool is_one = acts % 3 == 0; /* one submission of all, or one for each */
        dump_queue(&dump, 21, is_one ? 1 : LISTS + 1, is_one ? 0 : LISTS);
        if (is_one)
            dump_submit(&dump, 1, LISTS + 1, (uint64_t[]){1, 2, 3, 4, 5});
        for (uint64_t i = 1; i <= LISTS + 1 && !is_one; i++)
            dump_submit(&dump, i, 1, &i);
        for (uint32_t i = 0; i < LISTS && is_one; i++)
            dump_row(&dump, 21, 1, i, 0, FINISHED, 0, 0);
        dump_row(&dump, 21, is_one ? 1 : LISTS + 1, is_one ? LISTS : 0, 0, STARTED, sky, sky);
        if (open == 0)
            says(&dump, "(outside of any scope)");
        else
            does_not_say(&dump, "(outside of any scope)");
    }
}

/* Recordings are 1 "(", 2 ".", 3 ")" and 9, which is gone. A row has another queue's lists, those
 * of the place's, which stopped in the one at `stop`, and one of them that was not executed. */
Test(report_truth, a_place_is_outside_by_the_lists_that_its_queue_executed_before_it)
{
    enum { ALL = 99 };
    static const struct {
        uint64_t other[4], lists[6];
        uint32_t stop, not_executed;
        int is_outside; /* -1: either */
    } rows[] = {
        {{0}, {2}, 0, ALL, 1},       {{0}, {1, 2}, 1, ALL, 0},    {{0}, {1, 3, 2}, 2, ALL, 1},
        {{1, 3}, {1, 2}, 1, ALL, 0}, {{1, 1, 3}, {2}, 0, ALL, 1}, {{0}, {1, 2, 1, 3}, 1, ALL, 0},
        {{0}, {2, 1, 3}, 0, ALL, 1}, {{0}, {1, 2}, 1, 0, 1},      {{0}, {1, 3, 2}, 2, 0, 1},
        {{0}, {9, 2}, 1, ALL, -1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        uint32_t counts[2] = {0, 0};
        dump_begin(&dump, "Over");
        dump_recording(&dump, 2, 101);
        const uint64_t sky = dump_set(&dump, "sky");
        dump_recording(&dump, 3, 102);
        dump_end(&dump);
        while (rows[i].other[counts[0]])
            counts[0]++;
        while (rows[i].lists[counts[1]])
            counts[1]++;
        dump_queue(&dump, 20, 1, 1);
        dump_submit(&dump, 1, counts[0], rows[i].other);
        dump_queue(&dump, 21, 1, 0);
        dump_submit(&dump, 1, counts[1], rows[i].lists);
        for (uint32_t k = 0; k < counts[1]; k++)
            dump_row(&dump, 21, 1, k, 0,
                     k < rows[i].stop   ? FINISHED
                     : k > rows[i].stop ? NOT_STARTED
                                        : STARTED,
                     k == rows[i].stop ? sky : 0, k == rows[i].stop ? sky : 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        if (rows[i].not_executed != ALL)
            reader->executions[counts[0] + rows[i].not_executed].state = ANNOT_STATE_NOT_EXECUTED;
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        if (rows[i].is_outside >= 0)
            cr_expect_eq(strstr(text, "(outside of any scope)") != NULL, rows[i].is_outside,
                         "row %zu: %s", i, text);
    }
}

/* Where the GPU has passed a marker, and the one that it reached last is not known. */
Test(report_truth, a_scope_that_the_tree_calls_in_progress_is_not_denied)
{
    struct dump dump = dump_hung();
    dump_begin(&dump, "Root");
    const uint64_t inner = dump_begin(&dump, "inner");
    dump_end(&dump);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_add(&dump, PROGRESS, .queue = 21, .submission = 1, .state = STARTED, .completed = inner,
             .inside = ANNOT_INSIDE_COMPLETED);
    does_not_say(&dump, "(no marker is known to be in progress)");
}

/* A list of { sky, Draw, } on a device whose driver takes no annotations; `done` operations are. */
static void counted(struct dump *dump, uint32_t done, uint32_t queue_type)
{
    dump_start_device(
        dump, &(struct annot__dump_DEVICE){
                  .error = ERROR_HUNG, .mode = 2, .order_window = 0xFFFFFFFF, .has_report = 1});
    const struct annot__dump_OBJECT queue = {.id = 21,
                                             .kind = 19,
                                             .type = (uint32_t)ANNOT_OBJECT_QUEUE,
                                             .list_type = queue_type,
                                             .name_size = 5};
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_put_OBJECT(dump, &queue, "Queue", 5);
    dump_recording(dump, 1, 100);
    dump_begin(dump, "sky");
    dump_end(dump);
    dump_submitted(dump);
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 3, .done = done,
             .markers = 2);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, (const uint8_t[]){1, 6, 2}, 3);
}

/* Breadcrumbs are left in order, whatever the driver does; what it names itself may have moved. */
Test(report_truth, what_breadcrumbs_say_started_is_not_called_out_of_order)
{
    struct dump dump;
    counted(&dump, 1, 0);
    says(&dump, "last started   sky  (EventID 0x500000010)\n");
    counted(&dump, 1, 0);
    dump_row(&dump, 21, 1, 0, 0, STARTED, 0x500000010, 0);
    says(&dump, "last started   sky  (EventID 0x500000010), perhaps out of order\n");
}

/* Whether the GPU is in front of it or behind it is not known. */
Test(report_truth, a_begin_event_that_is_not_done_is_named_and_not_left_out)
{
    struct dump dump;
    counted(&dump, 0, 0);
    says(&dump, "GPU HANG in list #100 on queue \"Queue\", at the BeginEvent of \"sky\"\n");
    counted(&dump, 0, 0);
    says(&dump, "WHAT HUNG\n  (at the beginning of a scope)\n");
    counted(&dump, 1, 0);
    does_not_say(&dump, "at the beginning");
}

Test(report_truth, no_shader_is_blamed_on_a_copy_queue)
{
    enum { COMPUTE = 2, COPY = 3 };
    struct dump dump;
    counted(&dump, 0, COPY);
    does_not_say(&dump, "shader");
    counted(&dump, 0, COMPUTE);
    says(&dump, "an endless loop in a shader");
}

/* ---- only fences ---- */

Test(report_truth, without_marks_the_oldest_incomplete_submission_is_named)
{
    struct dump dump;
    dump_start_device(
        &dump, &(struct annot__dump_DEVICE){.error = ERROR_HUNG, .mode = 2, .driver_supported = 1});
    dump_object(&dump, 21, 19, "Graphics");
    dump_object(&dump, 22, 19, "Idle");
    dump_object(&dump, 101, 23, "Lighting list");
    dump_recording(&dump, 1, 100);
    dump_begin(&dump, "Shadow");
    dump_end(&dump);
    dump_queue(&dump, 21, 3, 1);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    dump_submit(&dump, 2, 2, (uint64_t[]){1, 1});
    dump_submit(&dump, 3, 1, (uint64_t[]){1});
    dump_queue(&dump, 22, 1, 1);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    says(&dump, "WHAT HUNG\n  Nothing says how far the work got. The oldest submission not known "
                "to be complete:\n    on queue \"Graphics\", submission 2, list 1 of 2 #100\n");
}

/* ---- the command from a report to the calls of its trace [ANN-TRACE-05, ANN-SEC-06] ---- */

static void dump_traced(struct dump *dump, const char *trace)
{
    char fact[128] = "trace";
    dump_start(dump, ERROR_HUNG, 0);
    strcat(fact, trace);
    dump_put_FACT(dump, &(struct annot__dump_FACT){.source = 2, .key_size = 5}, fact, strlen(fact));
    dump_add(dump, RECORDING, .id = 1, .object = 100, .call = 674);
    dump_submitted(dump);
    dump_row(dump, 21, 1, 0, 0, STARTED, 0, 0);
    dump_finish(dump);
}

/* Whole, and nothing that a shell could take for more than a path. */
Test(report_truth, the_command_to_the_calls_of_a_trace_can_be_copied)
{
    static const struct {
        const char *trace, *dump, *command;
    } cases[] = {
        {"/home/a/game.annottrace", "crash.annotdmp",
         "annot trace where /home/a/game.annottrace crash.annotdmp\n"},
        {"C:\\my games\\a.annottrace", "b c.annotdmp",
         "annot trace where \"C:\\my games\\a.annottrace\" \"b c.annotdmp\"\n"},
        {"/tmp/a", NULL, "annot trace where /tmp/a DUMP\n"},
        {"/tmp/a;reboot", "$(reboot)", "annot trace where TRACE DUMP\n"},
        {"-o", "`reboot`", "annot trace where TRACE DUMP\n"},
        {"a\"b", "a'b", "annot trace where TRACE DUMP\n"},
        {"a\nb", "a&b", "annot trace where TRACE DUMP\n"},
        {"a\xe2\x80\xae"
         "b",
         "%a%", "annot trace where TRACE DUMP\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        AT_END(dump_free) struct dump dump = {0};
        dump_traced(&dump, cases[i].trace);
        AT_END(at_end_free)
        char *text = dump_report(&dump, false, &(annot_report_options){.dump = cases[i].dump});
        cr_expect(strstr(text, "from call 674 on") && strstr(text, cases[i].command),
                  "not \"%s\":\n%s", cases[i].command, text);
    }
}

/* ---- sentences that agree with each other [ANN-TRUTH-04] ---- */

/* A submission without lists is no work, and nothing says that it is complete. */
Test(report_truth, a_queue_with_no_list_left_is_not_called_finished)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 0, NULL);
    AT_END(at_end_free) char *text = dump_report(&dump, false, NULL);
    cr_expect(strstr(text, "idle, no work left; submitted 1, completed 0"), "%s", text);
    cr_expect_null(strstr(text, "finished;"), "%s", text);
}

/* ---- without the device's record ---- */

static void start_without_device(struct dump *dump)
{
    dump_start(dump, ERROR_HUNG, 0);
    /* its record is of a kind that nobody knows */
    dump->data[ANNOT__DUMP_HEADER_SIZE + ANNOT__DUMP_SECTION_HEADER + 1] = 0x7F;
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame");
    dump_set(dump, "mark");
    dump_end(dump);
    dump_submitted(dump);
}

/* Nothing is said of the error, of a driver's report or of a mode; what is unfinished may be why.
 */
Test(report_truth, without_the_devices_record_only_what_is_there_is_said)
{
    static const char *const never[] = {"no report",      "takes no annotations",
                                        "had not failed", "RUNTIME_ONLY",
                                        "  error  ",      "This driver may"};
    static const char *const said[2][3] = {
        {"GPU DUMP (the device record is lost): nothing is known to be in progress\n\nWHAT TO DO "
         "NEXT\n  Nothing is known to have been in progress when the device failed: ",
         "  If the program uses D3D12, annot d3d12 -- PROGRAM shows the program's markers with any "
         "driver. "
         "To\n",
         "list 1 of 1 #100  2 markers  -- unknown: nothing says what became of it\n"},
        {"GPU DUMP (the device record is lost) in list #100 on queue #21\n\nWHAT TO DO NEXT\n  "
         "Look at the work recorded in list #100: this work was in progress when the device "
         "failed.",
         "  To find the operation, run d3dconfig dred auto-breadcrumbs=forced-on, then run the "
         "program "
         "again.\n",
         "list 1 of 1 #100  2 markers  -- in progress: the driver's report\n"}};
    for (int has_stop = 0; has_stop < 2; has_stop++) {
        AT_END(dump_free) struct dump dump;
        static annot_identity identity;
        start_without_device(&dump);
        if (has_stop)
            dump_row(&dump, 21, 1, 0, 0, STARTED, 0x500000010, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        AT_END(at_end_free) char *text = report_of(reader, false, NULL);
        for (size_t i = 0; i < 3; i++)
            cr_expect_not_null(strstr(text, said[has_stop][i]), "%s: %s", said[has_stop][i], text);
        for (size_t i = 0; i < sizeof never / sizeof never[0]; i++)
            cr_expect_null(strstr(text, never[i]), "%s: %s", never[i], text);
        cr_expect_eq(strstr(text, ", perhaps out of order\n") != NULL, has_stop, "%s", text);
        cr_assert_eq(annot_reader_identity(reader, &identity), ANNOT_OK);
        cr_expect_eq(identity.quality, ANNOT_SIGNATURE_DAMAGED);
    }
}
