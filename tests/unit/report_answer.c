/* The line that a report begins with, and the better source that its advice names [ANN-OP-01,
 * ANN-CRASH-03]. */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(report_answer, .fini = guarded_expect_nothing_left);

/* D3D12_AUTO_BREADCRUMB_OP, ANNOT_BOUND, the type of a compute shader, a resource's kind, and
 * VkObjectType's number of queues. */
enum { DISPATCH = 6, PIPELINE = 1, COMPUTE = 6, RESOURCE = 34, VK_QUEUE = 4 };

static const uint64_t one[] = {1};

/* The answer is the first line of the text, and the same in JSON. */
static void expect_answer(struct dump *dump, const char *expected)
{
    char answer[4096], line[4096], quoted[4096];
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    cr_expect_eq(annot_reader_answer(reader, answer, sizeof answer), strlen(answer));
    cr_expect_str_eq(answer, expected);
    char *text = report_of(reader, false, NULL), *json = report_of(reader, true, NULL);
    snprintf(line, sizeof line, "%s\n\nWHAT TO DO NEXT\n", expected);
    cr_expect(strncmp(text, line, strlen(line)) == 0, "%.300s", text);
    snprintf(quoted, sizeof quoted, "{\"version\":3,\"answer\":\"");
    cr_expect(strncmp(json, quoted, strlen(quoted)) == 0, "%.300s", json);
    free(text);
    free(json);
    annot_reader_close(reader);
    dump_free(dump);
}

static void put_operation(struct dump *dump, uint32_t number, uint64_t scope)
{
    uint8_t bytes[32] = {64, [8] = 2, [16] = 200, [24] = PIPELINE};
    dump_add_with(dump, OPERATION, bytes, sizeof bytes, .parent = scope, .number = number,
                  .kind = DISPATCH, .arguments = 2, .objects = 1);
}

static void put_shader(struct dump *dump)
{
    dump_object(dump, 200, 20, "Spin");
    dump_add(dump, SHADER, .object = 200, .xxh3 = 0x3fa91c2d00000001, .form = 3, .stage = COMPUTE);
}

static void put_crumbs(struct dump *dump)
{
    const struct annot__dump_OPS ops = {.log = 5};
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 2, .done = 1);
    dump_put_OPS(dump, &ops, (const uint8_t[]){1, DISPATCH}, 2);
}

static void put_queue_object(struct dump *dump, bool is_vulkan)
{
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(dump, OBJECT, "Graphics", 8, .id = 21, .kind = is_vulkan ? VK_QUEUE : 19,
                  .type = (uint32_t)ANNOT_OBJECT_QUEUE, .flags = 2, .name_size = 8);
}

/* A list with a scope and `operations` dispatches in it; its driver names the scope. */
static void put_hang_of(struct dump *dump, int operations, bool has_crumbs, bool is_vulkan)
{
    put_queue_object(dump, is_vulkan);
    dump_object(dump, 100, 22, "Frame list");
    if (operations > 0)
        put_shader(dump);
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame 7");
    const uint64_t pass = dump_begin(dump, "Shadow pass");
    for (int i = 0; i < operations; i++)
        put_operation(dump, (uint32_t)i + has_crumbs, pass);
    dump_end(dump);
    dump_end(dump);
    dump_submitted(dump);
    if (has_crumbs)
        put_crumbs(dump);
    dump_row(dump, 21, 1, 0, 0, STARTED, pass, 0);
}

static void put_hang(struct dump *dump, int operations, bool has_crumbs)
{
    dump_start(dump, ERROR_HUNG, 0);
    put_hang_of(dump, operations, has_crumbs, false);
}

/* Nothing proves which of a scope's operations it is [ANN-TRUTH-04]. */
Test(report_answer, names_the_scopes_and_their_only_operation_with_its_pipeline_and_shader)
{
    static const char *const expected[] = {
        "GPU HANG in Frame 7 / Shadow pass",
        "GPU HANG in Frame 7 / Shadow pass: Dispatch(64, 2) with \"Spin\" (cs 3fa91c2d)",
        ("GPU HANG in Frame 7 / Shadow pass: one of several operations, for example "
         "Dispatch(64, 2) with \"Spin\" (cs 3fa91c2d)")};
    for (int operations = 0; operations < 3; operations++) {
        struct dump dump;
        put_hang(&dump, operations, false);
        expect_answer(&dump, expected[operations]);
    }
}

/* Layers that mark each operation call its scope by what it is: it is said once. */
Test(report_answer, does_not_say_the_operation_twice)
{
    struct dump dump = dump_hung();
    dump_begin(&dump, "Frame");
    const uint64_t pass = dump_begin(&dump, "Dispatch(64, 2) with \"Spin\"");
    put_operation(&dump, 0, pass);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, pass, 0);
    expect_answer(&dump, "GPU HANG in Frame: Dispatch(64, 2) with #200");
}

/* A layer's scope has the call's arguments, the operation those that reports show; a program's own
 * is a name. */
Test(report_answer, does_not_say_it_twice_where_the_scope_of_a_layer_has_other_arguments)
{
    for (int is_layer = 0; is_layer < 2; is_layer++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        if (is_layer)
            dump_fact(&dump, 1, "level", "exact");
        dump_recording(&dump, 1, 100);
        dump_begin(&dump, "Frame");
        const uint64_t call = dump_begin(&dump, "Dispatch(lights)");
        put_operation(&dump, 0, call);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, call, 0);
        expect_answer(&dump, is_layer ? "GPU HANG in Frame: Dispatch(64, 2) with #200"
                                      : "GPU HANG in Frame / Dispatch(lights): "
                                        "Dispatch(64, 2) with #200");
    }
}

/* A program without markers has no other scope. */
Test(report_answer, names_the_list_where_the_operation_is_the_only_scope)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    dump_recording(&dump, 1, 100);
    const uint64_t call = dump_begin(&dump, "Dispatch(64, 2) with \"Spin\"");
    put_operation(&dump, 0, call);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, call, 0);
    expect_answer(&dump, "GPU HANG in list #100 on queue \"Graphics\": "
                         "Dispatch(64, 2) with #200");
}

Test(report_answer, names_the_list_where_no_scope_is_open)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    dump_object(&dump, 100, 22, "Frame list");
    dump_recording(&dump, 1, 100);
    const uint64_t sky = dump_set(&dump, "sky");
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, sky, sky);
    expect_answer(&dump, "GPU HANG in list \"Frame list\" on queue \"Graphics\"");
}

Test(report_answer, says_that_nothing_tells_how_far_work_got)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "sky");
    dump_queue(&dump, 21, 2, 1);
    dump_submit(&dump, 2, 1, one);
    expect_answer(&dump, "GPU HANG in or after submission 2 on queue \"Graphics\": nothing says "
                         "how far the work got");
}

/* What is left of the dump names a queue; the end, which is lost, may have had the one that hangs
 * [ANN-TRUTH]. */
Test(report_answer, says_that_the_place_may_be_in_the_lost_part_of_a_damaged_dump)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "sky");
    dump_queue(&dump, 21, 2, 1);
    dump_submit(&dump, 2, 1, one);
    const size_t rest = dump.size;
    dump_finish(&dump);
    dump.size = rest;
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char answer[512];
    annot_reader_answer(reader, answer, sizeof answer);
    cr_expect_str_eq(answer, "GPU HANG in or after submission 2 on queue \"Graphics\", or in work "
                             "that the damaged dump lacks: nothing says how far the work got");
}

/* "Graphics", of which nothing is known, and "Async", which is at work. */
static void put_two_queues(struct dump *dump, uint32_t error, uint64_t guilty)
{
    dump_start_because(dump, error, "the cable was pulled");
    dump_object(dump, 21, 19, "Graphics");
    dump_object(dump, 22, 19, "Async");
    dump_recording(dump, 1, 100);
    dump_set(dump, "sky");
    dump_submitted(dump);
    dump_queue(dump, 22, 4, 3);
    dump_submit(dump, 4, 1, one);
    dump_row(dump, 22, 4, ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_TDR);
    dump_add(dump, TDR, .queue = guilty, .type = 6, .reason = 0x141, .ddi = 2);
    dump_finish(dump);
}

/* Not the one that happens to stand first [ANN-TRUTH], but the one that the kernel holds guilty. */
Test(report_answer, names_the_queue_that_is_guilty_or_has_begun_and_counts_the_others)
{
    static const char *const expected[] = {"4 on queue \"Async\", or on 1 other queue",
                                           "1 on queue \"Graphics\"", "4 on queue \"Async\""};
    for (unsigned i = 0; i < 3; i++) {
        struct dump dump;
        char answer[128];
        put_two_queues(&dump, ERROR_HUNG, i > 0 ? 20 + i : 0);
        snprintf(answer, sizeof answer,
                 "GPU HANG in or after submission %s: nothing says how far the work got",
                 expected[i]);
        expect_answer(&dump, answer);
    }
}

static void expect_text(struct dump *dump, const char *has, const char *lacks)
{
    char *text = dump_report(dump, false, NULL);
    cr_expect_not_null(strstr(text, has), "no '%s' in:\n%s", has, text);
    cr_expect_null(strstr(text, lacks), "'%s' in:\n%s", lacks, text);
    free(text);
    dump_free(dump);
}

/* The question is asked only where the dump has no answer. */
Test(report_answer, advice_on_a_page_fault_says_what_is_known_of_its_address)
{
    static const struct {
        uint64_t address, size;
        uint32_t flags;
        const char *says;
    } ranges[] = {
        {0x8000, 0x1000, 1, ": the address is in \"Light grid\", whose memory was freed:"},
        {0x8000, 0x1000, 0, ": the address is in \"Light grid\", which was not released:"},
        {0x7000, 0x1000, 0, ": the address is 16 bytes past the end of \"Light grid\": "},
        {0x7000, 0x1000, 1, "past the end of \"Light grid\","},
        {0x9000, 0x1000, 0, ": the address is 4080 bytes before \"Light grid\": "},
        {0x8000000, 0x1000, 0, ": the address is in no object:"},
        {0, 0, 0, ": which resource has the fault's address"},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct annot__dump_RANGE range = {.address = ranges[i].address,
                                                .size = ranges[i].size,
                                                .object = 51,
                                                .kind = RESOURCE,
                                                .flags = ranges[i].flags};
        struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
        dump_object(&dump, 51, RESOURCE, "Light grid");
        put_hang_of(&dump, 0, false, false);
        dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
        if (range.size > 0)
            dump_put_RANGE(&dump, &range, NULL, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
        dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = 0x8010}, NULL, 0);
        expect_text(&dump, ranges[i].says,
                    range.size > 0 ? "which resource has the" : "the address is in");
    }
}

/* A removal is no hang: it may have been pulled, or updated. */
Test(report_answer, gives_the_reason_of_a_failure_that_is_no_hang)
{
    struct dump dump;
    dump_start_because(&dump, 0x88000000, "the cable was pulled");
    put_hang_of(&dump, 0, false, false);
    expect_answer(&dump, "GPU ERROR in Frame 7 / Shadow pass; the cable was pulled");
    dump_start_because(&dump, 0x88000000, "the cable was pulled");
    put_hang_of(&dump, 0, false, false);
    expect_text(&dump, "WHAT WAS RUNNING\n", "WHAT HUNG");
}

/* Queues that wait for each other, or for a fence that nobody signals, are the cause. */
Test(report_answer, waiting_is_innocent_only_where_something_runs)
{
    for (int has_stop = 0; has_stop < 2; has_stop++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_object(&dump, 21, 19, "Graphics");
        dump_object(&dump, 22, 19, "Async");
        dump_recording(&dump, 1, 100);
        dump_set(&dump, "sky");
        dump_submitted(&dump);
        dump_queue(&dump, 22, 1, 0);
        dump_submit(&dump, 1, 1, one);
        dump_row(&dump, 21, 1, 0, 0, has_stop ? STARTED : NOT_STARTED, 0, 0);
        dump_row(&dump, 22, 1, 0, 0, NOT_STARTED, 0, 0);
        expect_text(&dump, has_stop ? "WAITING, not the cause\n" : "WAITING\n",
                    has_stop ? "WAITING\n" : "not the cause");
    }
}

/* A driver that reorders markers has told that this one is over, not that the work before is. */
Test(report_answer, advice_names_what_is_behind_only_where_markers_keep_their_order)
{
    for (uint32_t window = 0; window < 2; window++) {
        struct dump dump = dump_started(ERROR_HUNG, window);
        dump_object(&dump, 21, 19, "Graphics");
        dump_recording(&dump, 1, 100);
        const uint64_t sky = dump_set(&dump, "sky");
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, sky, sky);
        expect_text(&dump,
                    window ? "recorded in list #100. Look for an endless"
                           : "recorded in list #100 after \"sky\". Look for an endless",
                    "would show the place more exactly");
    }
}

/* There is nothing to look at, and no better source would have told more. */
Test(report_answer, advice_of_a_dump_without_unfinished_work_sends_to_the_facts)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "sky");
    dump_queue(&dump, 21, 1, 1);
    dump_submit(&dump, 1, 1, one);
    expect_text(&dump, "The dump shows no unfinished work: look at the facts below.", "[?] and");
}

/* A driver that follows none of them leaves them unknown, and more of them would be, too. */
Test(report_answer, advice_wants_scopes_only_of_a_list_without_markers)
{
    for (int has_markers = 0; has_markers < 2; has_markers++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_object(&dump, 21, 19, "Graphics");
        dump_recording(&dump, 1, 100);
        if (has_markers)
            dump_set(&dump, "sky");
        dump_recording(&dump, 2, 100);
        dump_set(&dump, "of another list");
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, 0, 0);
        expect_text(&dump,
                    has_markers ? "GPU HANG in list #100" : "would show the place more exactly",
                    has_markers ? "would show the place more exactly" : "no such text");
    }
}

/* [ANN-CRASH-07] */
Test(report_answer, of_a_device_that_did_not_fail)
{
    struct dump dump = dump_started(ERROR_NONE, 0);
    expect_answer(&dump, "LIVE DEVICE: nothing is known to be in progress");
}

/* Two queues that nobody holds guilty: either may be the cause. */
Test(report_answer, counts_what_else_is_in_progress)
{
    AT_END(dump_free) struct dump dump;
    put_hang(&dump, 0, false);
    dump_queue(&dump, 22, 1, 0);
    dump_submit(&dump, 1, 1, one);
    dump_row(&dump, 22, 1, 0, 0, STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char answer[512];
    cr_assert_eq(annot_reader_stop_count(reader), 2);
    annot_reader_answer(reader, answer, sizeof answer);
    cr_expect_not_null(strstr(answer, "; 1 more in progress"), "%s", answer);
}

/* A page fault is in an object that was freed. */
Test(report_answer, names_the_object_of_a_page_fault)
{
    struct dump dump = dump_started(ERROR_PAGE_FAULT, 0);
    dump_object(&dump, 51, RESOURCE, "Light grid");
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(&dump, RANGE, .address = 0x8000, .size = 0x1000, .object = 51, .kind = RESOURCE,
             .flags = 1);
    dump_section(&dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_FAULT(&dump, &(struct annot__dump_FAULT){.address = 0x8010}, NULL, 0);
    expect_answer(&dump, "GPU PAGE FAULT at 0x8010 (freed \"Light grid\"): nothing is known to "
                         "be in progress");
}

/* [ANN-SEC-06] A name is cut, and commands no terminal; a long path keeps both ends. */
Test(report_answer, stays_one_short_line_whatever_the_names)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    char name[3000], answer[4096];
    uint64_t id = 0;
    memset(name, 'x', sizeof name);
    memcpy(name, "\x1b[2J\n\"", 6);
    for (uint64_t i = 0; i < 60; i++)
        id = dump_marker(&dump, true, 1, name, sizeof name);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_answer(reader, answer, sizeof answer);
    cr_expect(strlen(answer) < 1000, "%zu bytes", strlen(answer));
    cr_expect_null(strpbrk(answer, "\x1b\n"));
    cr_expect_not_null(strstr(answer, " / ... 53 more ... / "), "%s", answer);
    char small[9];
    cr_expect_eq(annot_reader_answer(reader, small, sizeof small), 8);
    cr_expect_str_eq(small, "GPU HANG");
}

/* The objects that the operation works on, and the state in which the list's barriers left them. A
 * name's own quotes don't end those around it. */
Test(report_answer, the_block_has_size_format_and_state_of_what_is_bound)
{
    static const uint8_t ops[] = {15, 9};
    /* COMMON to COPY_DEST and PIXEL_SHADER_RESOURCE to COPY_SOURCE; then the copy's two */
    static const uint8_t barrier[64] = {[8] = 0x00, [9] = 0x04, [16] = 0x80, [25] = 0x08,
                                        [32] = 51,  [40] = 10,  [48] = 52,   [56] = 10},
                         copy[32] = {51, [8] = 7, [16] = 52, [24] = 8};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 51, RESOURCE, "The \"grid\"");
    dump_add(&dump, RESOURCE, .object = 51, .width = 4096, .dimension = 1);
    dump_object(&dump, 52, RESOURCE, "Shadow map");
    dump_add(&dump, RESOURCE, .object = 52, .width = 1024, .height = 512, .depth = 3,
             .dimension = 3, .samples = 4, .format = 40);
    dump_recording(&dump, 1, 100);
    dump_add_with(&dump, OPERATION, barrier, sizeof barrier, .kind = 15, .arguments = 4,
                  .objects = 2);
    dump_add_with(&dump, OPERATION, copy, sizeof copy, .number = 1, .kind = 9, .objects = 2);
    dump_submitted(&dump);
    dump_section(&dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(&dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = 2, .done = 1);
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    AT_END(at_end_free) char *text = dump_report(&dump, false, NULL);
    static const char block[] =
        "    destination    \"The \\\"grid\\\"\" (buffer, 4096 bytes), COPY_DEST\n"
        "    source         \"Shadow map\" (1024 x 512, 3 slices, D32_FLOAT, 4 samples), "
        "COPY_SOURCE\n"
        "    barrier        1 \"The \\\"grid\\\"\": COMMON -> COPY_DEST\n"
        "    barrier        1 \"Shadow map\": PIXEL_SHADER_RESOURCE -> COPY_SOURCE\n";
    cr_expect_not_null(strstr(text, block), "%s", text);
}

/* ---- what would have told more ---- */

static void expect_advice(struct dump *dump, const char *what, const char *wanted)
{
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    char advice[2048];
    bool is_said = false, is_other = false;
    for (size_t i = 0; annot_reader_advice(reader, i, advice, sizeof advice) > 0; i++) {
        is_said |= wanted && strcmp(advice, wanted) == 0;
        is_other |= (!wanted || strcmp(advice, wanted) != 0) && strncmp(advice, "To find ", 8) == 0;
    }
    cr_expect_eq(is_said, wanted != NULL, "%s", what);
    cr_expect(!is_other, "%s", what);
    annot_reader_close(reader);
    dump_free(dump);
}

Test(report_answer, advice_names_the_next_better_source_by_its_command)
{
    static const struct {
        const char *what, *driver, *level;
        bool is_vulkan;
        int operations;
        bool has_crumbs;
        const char *wanted, *evidence;
    } cases[] = {
        {"no breadcrumbs", "reference", NULL, false, 0, false,
         "To find the operation, run d3dconfig dred auto-breadcrumbs=forced-on, then run the "
         "program "
         "again.",
         NULL},
        {"no breadcrumbs, and several operations", "reference", NULL, false, 2, false,
         "To find the operation, run d3dconfig dred auto-breadcrumbs=forced-on, then run the "
         "program "
         "again.",
         NULL},
        {"a runtime that has no DRED", "d", NULL, false, 0, false, NULL, NULL},
        {"the scope's only operation", "d", NULL, false, 1, false, NULL, NULL},
        {"breadcrumbs", "d", NULL, false, 1, true, NULL, NULL},
        {"the D3D12 layer, low", "annot d3d12", "low", false, 0, false,
         "To find the operation, run annot d3d12 --level exact -- PROGRAM.", NULL},
        {"the D3D12 layer, labels", "annot d3d12", "labels", false, 0, false,
         "To find the operation, run annot d3d12 --level exact -- PROGRAM.", NULL},
        {"the D3D12 layer, exact", "annot d3d12", "exact", false, 0, false, NULL, NULL},
        {"the D3D12 layer, low, without words", "annot d3d12", "low", false, 0, false,
         "annot d3d12 --probe says which evidence works on this machine.",
         "DRED's breadcrumbs, and completed submissions"},
        {"the D3D12 layer, low, breadcrumbs", "annot d3d12", "low", false, 1, true, NULL,
         "DRED's breadcrumbs, and completed submissions"},
        {"Vulkan, low", "d", "low", true, 0, false,
         "To find the operation, run annot vulkan --level exact -- PROGRAM.", NULL},
        {"Vulkan, labels", "d", "labels", true, 2, false,
         "To find the operation, run annot vulkan --level exact -- PROGRAM.", NULL},
        {"Vulkan, labels, one operation", "d", "labels", true, 1, false, NULL, NULL},
        {"Vulkan, low, without marks", "d", "low", true, 0, false, NULL,
         "completed submissions only"},
    };
    static const char emulator[] = "libannot emulator, driver reference";
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_text(&dump, ANNOT__DUMP_TEXT_DRIVER, cases[i].driver);
        if (strcmp(cases[i].driver, "reference") == 0)
            dump_text(&dump, ANNOT__DUMP_TEXT_ADAPTER, emulator);
        put_hang_of(&dump, cases[i].operations, cases[i].has_crumbs, cases[i].is_vulkan);
        if (cases[i].level)
            dump_fact(&dump, 1, "level", cases[i].level);
        if (cases[i].evidence)
            dump_fact(&dump, 1, "evidence", cases[i].evidence);
        expect_advice(&dump, cases[i].what, cases[i].wanted);
    }
}

/* The driver gives no evidence in a render pass, or "exact" named no draw: no level tells more. */
Test(report_answer, advice_names_no_level_in_a_pass_without_evidence)
{
    static const char *const cases[][3] = {
        {"vkCmdBeginRendering", "nothing: no query is answered", "labels"},
        {"vkCmdBeginRenderPass2", "queries", "exact"},
        {"vkCmdBeginRendering", "", "low"},
        {"vkCmdBeginRendering", "queries", "labels"},
        {"Shadow pass", "nothing: no query is answered", "labels"}};
    for (size_t i = 0; i < 5; i++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        put_queue_object(&dump, true);
        dump_recording(&dump, 1, 100);
        const uint64_t scope = dump_begin(&dump, cases[i][0]);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, scope, 0);
        dump_fact(&dump, 1, "level", cases[i][2]);
        dump_fact(&dump, 1, "in passes", cases[i][1]);
        dump_fact(&dump, 1, "evidence", "vkCmdFillBuffer after a barrier");
        expect_advice(&dump, cases[i][0],
                      i == 0   ? "No level finds the draw in a render pass on this device. To "
                                 "narrow it down, divide the render pass."
                      : i == 1 ? "The level exact did not find the draw. To narrow it down, divide "
                                 "the render pass."
                      : i == 2
                          ? "To find out whether a level finds the draw, run annot vulkan "
                            "--level labels -- PROGRAM."
                          : "To find the operation, run annot vulkan --level exact -- PROGRAM.");
    }
}

/* A hang that somebody ordered is no fault of the program's. */
Test(report_answer, advice_says_first_that_the_hang_was_ordered)
{
    AT_END(dump_free) struct dump dump;
    char advice[512];
    put_hang(&dump, 0, false);
    dump_fact(&dump, 1, "EMU_HANG", "Shadow pass; breadcrumbs are on");
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_advice(reader, 0, advice, sizeof advice);
    cr_expect_str_eq(advice, "EMU_HANG caused the failure, not the program: "
                             "Shadow pass; breadcrumbs are on.");
}
