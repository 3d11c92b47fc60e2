/* Sentences of a report that are one line: an operation, a path, names in quotes, and what
 * breadcrumbs count [annot_reader_answer, annot_reader_operation_line, -_text, annot_reader_voice].
 */
#include "dump_builder.h"
#include "unit_kit.h"

#include <annot/dump.h>

TestSuite(report_line, .fini = guarded_expect_nothing_left);

enum { BEGIN = 1, END = 2, DRAW = 3, DISPATCH = 6, BUNDLE = 16, ONE = 1, OTHER = 9 };

/* ---- an operation ---- */

static annot_reader *pipelines(struct dump *dump)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, ONE, 20, "One");
    dump_object(dump, OTHER, 20, "Other");
    return dump_open(dump, ANNOT_OK);
}

/* The first pipeline among as many objects as it has. */
Test(report_line, an_operation_has_the_first_pipeline_that_is_bound)
{
    enum { P = ANNOT_BOUND_PIPELINE, T = ANNOT_BOUND_PIPELINE + 1 };
    static const struct {
        uint32_t count, objects[4][2];
        const char *expected;
    } rows[] = {
        {0, {{ONE, P}}, "Dispatch(5)"},
        {1, {{ONE, T}, {ONE, P}}, "Dispatch(5)"},
        {1, {{0, P}, {ONE, P}}, "Dispatch(5)"},
        {1, {{ONE, P}}, "Dispatch(5) with \"One\""},
        {4, {{ONE, T}, {0, P}, {ONE, P}, {OTHER, P}}, "Dispatch(5) with \"One\""},
        {2, {{OTHER, P}, {ONE, P}}, "Dispatch(5) with \"Other\""},
        {1, {{77, P}}, "Dispatch(5) with #77"},
    };
    AT_END(dump_free) struct dump dump;
    AT_END(at_end_close) annot_reader *reader = pipelines(&dump);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        annot_reader_operation operation = {
            .kind = DISPATCH, .argument_count = 1, .arguments = {5}, .object_count = rows[i].count};
        for (int k = 0; k < 4; k++) {
            operation.objects[k].object = rows[i].objects[k][0];
            operation.objects[k].role = rows[i].objects[k][1];
        }
        for (size_t capacity = 0; capacity < strlen(rows[i].expected) + 3; capacity++) {
            char line[64];
            memset(line, 'w', sizeof line);
            const size_t size = annot_reader_operation_line(reader, &operation, line, capacity);
            const size_t fits = strlen(rows[i].expected) < capacity ? strlen(rows[i].expected)
                                : capacity > 0                      ? capacity - 1
                                                                    : 0;
            cr_expect(size == fits && memcmp(line, rows[i].expected, fits) == 0,
                      "row %zu in %zu bytes: %zu", i, capacity, size);
            cr_expect_eq(line[size], capacity > 0 ? 0 : 'w');
        }
    }
}

/* ---- words ---- */

/* The name of the queue's kind says which API it is, or else its number; the driver's, whether it
 * is the layer; the writer's, whether it was made of a DirectX dump file. */
Test(report_line, words_are_those_of_the_kind_of_queue_and_of_the_driver)
{
    static const struct {
        const char *kind, *driver;
        uint32_t number;
        annot_voice voice;
        const char *writer;
    } rows[] = {
        {"VkQueue", "x", 19, ANNOT_VOICE_VULKAN, "x"},
        {"Vkx", "x", 19, ANNOT_VOICE_VULKAN, "x"},
        {"Vk", "x", 4, ANNOT_VOICE_D3D12, "x"},
        {"VxQueue", "x", 4, ANNOT_VOICE_D3D12, "x"},
        {"xkQueue", "x", 4, ANNOT_VOICE_D3D12, "x"},
        {"", "x", 4, ANNOT_VOICE_VULKAN, "x"},
        {"", "x", 5, ANNOT_VOICE_D3D12, "x"},
        {"", "annot d3d12", 19, ANNOT_VOICE_LAYER, "x"},
        {"", "annot d3d13", 19, ANNOT_VOICE_D3D12, "x"},
        {"", "annot d3d12x", 19, ANNOT_VOICE_D3D12, "x"},
        {"", "x", 19, ANNOT_VOICE_FILE, "DirectX dump file"},
        {"", "x", 19, ANNOT_VOICE_D3D12, "DirectX dump file 2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_text(&dump, ANNOT__DUMP_TEXT_DRIVER, rows[i].driver);
        dump_text(&dump, ANNOT__DUMP_TEXT_WRITER, rows[i].writer);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        if (rows[i].kind[0])
            dump_add_with(&dump, KIND, rows[i].kind, strlen(rows[i].kind), .kind = rows[i].number);
        dump_add(&dump, OBJECT, .id = 21, .kind = rows[i].number,
                 .type = (uint32_t)ANNOT_OBJECT_QUEUE);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_expect_eq(annot_reader_voice(reader), rows[i].voice, "row %zu", i);
    }
}

/* ---- answers ---- */

static void expect_answer(struct dump *dump, const char *expected)
{
    char answer[1024];
    annot_reader *reader = dump_open(dump, ANNOT_OK);
    cr_expect_eq(annot_reader_answer(reader, answer, sizeof answer), strlen(answer));
    cr_expect_str_eq(answer, expected, "%s", answer);
    annot_reader_close(reader);
    dump_free(dump);
}

static void put_crumbs(struct dump *dump, const uint8_t *ops, uint32_t logged, uint32_t count,
                       uint32_t done)
{
    uint32_t markers = 0;
    for (uint32_t i = 0; i < count; i++)
        markers += ops[i] <= END;
    dump_section(dump, ANNOT__DUMP_SECTION_CRUMBS);
    dump_add(dump, CRUMBS, .queue = 21, .submission = 1, .log = 5, .count = count, .done = done,
             .markers = markers);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, ops, logged);
}

/* At level "exact" a layer's scope of the call is the call, whatever its arguments are; otherwise a
 * scope that begins with the operation's whole text. */
Test(report_line, an_operation_is_not_said_twice)
{
    static const struct {
        const char *level, *scope;
        uint32_t arguments;
        const char *answer;
    } rows[] = {
        {NULL, "Dispatch(64, 2)", 2, "GPU HANG in Frame: Dispatch(64, 2)"},
        {NULL, "Dispatch(64, 2) x", 2, "GPU HANG in Frame: Dispatch(64, 2)"},
        {NULL, "Dispatch(64, 2", 2, "GPU HANG in Frame / Dispatch(64, 2: Dispatch(64, 2)"},
        {NULL, "Dispatch(1)", 2, "GPU HANG in Frame / Dispatch(1): Dispatch(64, 2)"},
        {"exact", "Dispatch(1)", 2, "GPU HANG in Frame: Dispatch(64, 2)"},
        {"exact", "Dispatch(", 2, "GPU HANG in Frame: Dispatch(64, 2)"},
        {"exact", "Dispatch", 2, "GPU HANG in Frame / Dispatch: Dispatch(64, 2)"},
        {"exact", "DispatchRays(1)", 2, "GPU HANG in Frame / DispatchRays(1): Dispatch(64, 2)"},
        {"exact", "Dispatch it", 0, "GPU HANG in Frame: Dispatch"},
        {"other", "Dispatch(1)", 2, "GPU HANG in Frame / Dispatch(1): Dispatch(64, 2)"},
        {"exacs", "Dispatch(1)", 2, "GPU HANG in Frame / Dispatch(1): Dispatch(64, 2)"},
        {"exactly", "Dispatch(1)", 2, "GPU HANG in Frame / Dispatch(1): Dispatch(64, 2)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dump dump = dump_started(ERROR_HUNG, 0);
        const uint8_t bytes[16] = {64, [8] = 2};
        if (rows[i].level)
            dump_fact(&dump, 1, "level", rows[i].level);
        dump_recording(&dump, 1, 100);
        dump_begin(&dump, "Frame");
        const uint64_t pass = dump_begin(&dump, rows[i].scope);
        dump_add_with(&dump, OPERATION, bytes, 8 * rows[i].arguments, .parent = pass, .number = 2,
                      .kind = DISPATCH, .arguments = rows[i].arguments);
        dump_end(&dump);
        dump_end(&dump);
        dump_submitted(&dump);
        put_crumbs(&dump, (const uint8_t[]){BEGIN, BEGIN, DISPATCH, END, END}, 5, 5, 2);
        expect_answer(&dump, rows[i].answer);
    }
}

Test(report_line, of_a_long_path_two_scopes_and_five_are_said)
{
    for (uint32_t count = 6; count < 11; count++) {
        char expected[128] = "GPU HANG in ";
        uint64_t scope = 0;
        struct dump dump = dump_hung();
        for (uint32_t i = 0; i < count; i++)
            scope = dump_begin(&dump, (char[]){(char)('A' + i), 0});
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, scope, 0);
        for (uint32_t i = 0; i < count; i++) {
            if (count > 7 && i == 2)
                sprintf(expected + strlen(expected), " / ... %u more ...", count - 7);
            if (i < 2 || i + 5 >= count)
                sprintf(expected + strlen(expected), "%s%c", i > 0 ? " / " : "", 'A' + (int)i);
        }
        expect_answer(&dump, expected);
    }
}

/* A name that the dump cut says so; quotes of a name stand as they are where none are around it. */
Test(report_line, names_say_that_they_are_cut_and_have_their_quotes)
{
    struct dump dump;
    dump_start_because(&dump, 0x88000000, "the \"reason\"");
    dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_add_with(&dump, OBJECT, "a \"queue\"", 9, .id = 21, .kind = 19, .flags = 2,
                  .name_size = 90);
    dump_recording(&dump, 1, 100);
    dump_set(&dump, "mark");
    dump_submitted(&dump);
    expect_answer(&dump, "GPU ERROR in or after submission 1 on queue \"a \\\"queue\\\"...\": "
                         "nothing says how far the work got; the \"reason\"");
    dump = dump_hung();
    dump_add_with(&dump, BEGIN, "a \"name", 7, .event_id = 0x500000010, .metadata = 1, .size = 9);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, 0x500000010, 0);
    expect_answer(&dump, "GPU HANG in a \"name...");
}

/* The first that is not done, if it works; nothing where all are done, whatever the log has behind
 * them. */
Test(report_line, breadcrumbs_name_the_operation_that_is_not_done)
{
    static const uint8_t ops[] = {BEGIN, DISPATCH, BUNDLE, END, DRAW};
    static const char *const answers[] = {
        "GPU HANG in list #100 on queue #21, at the BeginEvent of \"Frame\"",
        "GPU HANG in Frame: Dispatch, or in a later operation that may have been in flight",
        "GPU HANG in Frame", "GPU HANG in Frame", "GPU HANG in list #100 on queue #21"};
    for (uint32_t done = 0; done < 5; done++) {
        struct dump dump = dump_hung();
        const uint64_t frame = dump_begin(&dump, "Frame");
        dump_end(&dump);
        dump_submitted(&dump);
        put_crumbs(&dump, ops, 5, 4, done);
        if (done == 4)
            dump_row(&dump, 21, 1, 0, 0, STARTED, frame, frame);
        expect_answer(&dump, answers[done]);
    }
}

/* A { Dispatch } B { Dispatch }, and A's BeginEvent is done [ANN-TRUTH-05]. The second Dispatch may
 * have been in flight with the first, unless the driver's front end has not reached B. One between
 * A and B may have been in either case. */
Test(report_line, operations_behind_the_first_that_is_not_done_may_have_been_in_flight)
{
    static const uint8_t ops[] = {BEGIN, DISPATCH, END, BEGIN, DISPATCH, END},
                         more[] = {BEGIN, DISPATCH, END, DISPATCH, BEGIN, DISPATCH, END};
    static const struct {
        int started; /* scope that the driver saw; 0: it has no row, 1: A, 2: B */
        const char *answer;
        annot_state second;
        uint32_t candidates;
        bool is_between; /* there is one between A and B */
    } rows[] = {
        {0, "GPU HANG in A: Dispatch, or in a later operation that may have been in flight",
         ANNOT_STATE_UNKNOWN, 2, false},
        {1, "GPU HANG in A: Dispatch", ANNOT_STATE_NOT_STARTED, 1, false},
        {1, "GPU HANG in A: Dispatch, or in a later operation that may have been in flight",
         ANNOT_STATE_NOT_STARTED, 2, true},
        {2,
         "GPU HANG in A: Dispatch, or in a later operation that may have "
         "been in "
         "flight",
         ANNOT_STATE_IN_PROGRESS, 2, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        char answer[1024];
        uint64_t scopes[3] = {0};
        for (int scope = 1; scope <= 2; scope++) {
            scopes[scope] = dump_begin(&dump, scope == 1 ? "A" : "B");
            dump_end(&dump);
        }
        dump_submitted(&dump);
        if (rows[i].started)
            dump_row(&dump, 21, 1, 0, 0, STARTED, scopes[rows[i].started], 0);
        const uint32_t count = rows[i].is_between ? sizeof more : sizeof ops;
        put_crumbs(&dump, rows[i].is_between ? more : ops, count, count, 1);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_answer(reader, answer, sizeof answer);
        cr_expect_str_eq(answer, rows[i].answer, "row %zu: %s", i, answer);
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE,
                                        annot_reader_entry_find(reader, scopes[2]), NULL),
                     rows[i].second, "row %zu", i);
        annot_reader_suspect suspect;
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eq(suspect.candidates, rows[i].candidates, "row %zu", i);
        cr_expect_eq(suspect.against, 0, "row %zu: a front end that is ahead contradicts nothing",
                     i);
    }
}

/* Frame { 1, 2, ... 12 } with one Dispatch; the driver started 6 and completed 5, and may have
 * moved each by one. 5 may have come before the work in front of it, and 9, which it would have
 * named in its place, behind the work that follows it [ANN-CRASH-05]. */
Test(report_line, where_markers_move_operations_around_them_may_have_been_in_flight)
{
    for (uint32_t at = 1; at < 12; at++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 1);
        uint64_t ids[13];
        annot_reader_suspect suspect;
        dump_recording(&dump, 1, 100);
        ids[0] = dump_begin(&dump, "Frame");
        for (uint32_t i = 1; i <= 12; i++) {
            ids[i] = dump_set(&dump, "set");
            if (i == at)
                dump_add(&dump, OPERATION, .parent = ids[0], .number = at + 1, .kind = DISPATCH);
        }
        dump_end(&dump);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, ids[6], ids[5]);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        cr_assert(annot_reader_suspect_at(reader, 0, &suspect));
        cr_expect_eq(suspect.certainty != ANNOT_OPERATION_NONE, at < 10, "behind %u", at);
    }
}

/* The GPU began the submission and not its first list; of two queues each is told. */
Test(report_line, before_a_submissions_first_list_is_a_place)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    char answer[256], advice[256];
    dump_set(&dump, "mark");
    for (uint64_t queue = 21; queue < 23; queue++) {
        dump_queue(&dump, queue, 1, 0);
        dump_submit(&dump, 1, 2, (uint64_t[]){1, 1});
    }
    for (uint64_t queue = 21; queue < 23; queue++) {
        dump_row(&dump, queue, 1, (uint32_t)ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
        dump_row(&dump, queue, 1, 0, 0, queue == 21 ? NOT_STARTED : FINISHED, 0, 0);
        dump_row(&dump, queue, 1, 1, 0, NOT_STARTED, 0, 0);
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    OWNED char *text = report_of(reader, false, &(annot_report_options){.branches = true});
    annot_reader_answer(reader, answer, sizeof answer);
    cr_expect_str_eq(answer,
                     "GPU HANG in submission 1 on queue #21, before list #100; 1 more in progress",
                     "%s", answer);
    annot_reader_advice(reader, 0, advice, sizeof advice);
    cr_expect_eq(strncmp(advice, "The GPU began the submission, but has not begun any list: ", 58),
                 0, "%s", advice);
    cr_expect_not_null(strstr(text, "submission 1, before its first list: list 1 of 2 #100"), "%s",
                       text);
    cr_expect_not_null(strstr(text, "submission 1, between two lists; the next, list 2 of 2 #101"),
                       "%s", text);
    cr_expect_not_null(strstr(text, "\n  [ ] #21, submission 1, list 1 of 2 #100\n"), "%s", text);
}

/* The advice is about the queue that the kernel holds guilty, though no list of it has started, and
 * about one that has begun and of which nothing else is known. */
Test(report_line, advice_of_work_without_a_place_follows_from_what_began)
{
    for (int is_begun = 0; is_begun < 2; is_begun++) {
        AT_END(dump_free) struct dump dump = dump_hung();
        char advice[256];
        dump_set(&dump, "mark");
        dump_submitted(&dump);
        if (is_begun)
            dump_row(&dump, 21, 1, (uint32_t)ANNOT_PROGRESS_QUEUE, 0, STARTED, 0, 0);
        else
            dump_row(&dump, 21, 1, 0, 0, NOT_STARTED, 0, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_TDR);
        dump_add(&dump, TDR, .queue = 21, .type = 6, .reason = 0x141, .ddi = 2);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        annot_reader_advice(reader, 0, advice, sizeof advice);
        if (is_begun)
            cr_expect_str_eq(advice, "Look at the submission that is named below.");
        else
            cr_expect_eq(strncmp(advice,
                                 "The kernel holds that queue guilty, and no list of the "
                                 "submission has started: ",
                                 77),
                         0, "%s", advice);
        cr_expect_eq(annot_reader_advice(reader, SIZE_MAX, advice, sizeof advice), 0);
    }
}

/* A layer's next level or evidence is named by its own words, and no other's; a level that marks
 * nothing more where the GPU stopped is not named. A scope's `inside` is a label in it. */
Test(report_line, advice_names_a_layers_next_level)
{
    static const struct {
        const char *driver, *level, *evidence;
        bool is_vulkan;
        const char *said; /* NULL: neither level nor probe */
        const char *scope, *inside, *engine, *labels;
    } rows[] = {
        {"annot d3d12", "low", "marks", false, .said = "annot d3d12 --level labels", .inside = "x"},
        {"annot d3d12", "low", "marks", false, .said = "annot d3d12 --level exact"},
        {"annot vulkan", "low", "marks", true, .said = "annot vulkan --level exact"},
        {"annot vulkan", "exact", "marks", true, .said = "DXVK_DEBUG=markers", .engine = "DXVK",
         .labels = "0 begun, 0 ended, 0 points, 9 names"},
        {"annot vulkan", "exact", "marks", true, .said = "VKD3D_CONFIG=debug_utils",
         .engine = "vkd3d", .labels = "0 begun, 0 ended, 0 points, 0 names"},
        {"annot vulkan", "exact", "marks", true, .said = NULL, .engine = "Unity",
         .labels = "0 begun, 0 ended, 0 points, 0 names"},
        {"annot vulkan", "exact", "marks", true, .said = NULL, .engine = "DXVK",
         .labels = "1 begun, 1 ended, 0 points, 0 names"},
        {"annot d3d12", "labels", "marks", false, .said = "annot d3d12 --level exact"},
        {"annot d3d12", "labelz", "marks", false, .said = NULL},
        {"annot d3d12", "lot", "marks", false, .said = NULL},
        {"annot d3d12", "exact", "marks", false, .said = NULL},
        {"annot d3d12", "low", "DRED's", false, .said = "annot d3d12 --probe"},
        {"annot d3d12", "low", "completed submissions only, as x", false,
         .said = "annot d3d12 --probe"},
        {"annot d3d12", "low", "DREX's", false, .said = "annot d3d12 --level labels",
         .inside = "x"},
        {"annot vulkan", "low", "marks", true, .said = "annot vulkan --level labels",
         .inside = "x"},
        {"annot vulkan", "labels", "marks", true, .said = "annot vulkan --level exact"},
        {"annot vulkan", "low", "completed submissions only", true, .said = NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_text(&dump, ANNOT__DUMP_TEXT_DRIVER, rows[i].driver);
        dump_fact(&dump, 1, "level", rows[i].level);
        dump_fact(&dump, 1, "evidence", rows[i].evidence);
        if (rows[i].engine)
            dump_fact(&dump, 1, "engine", rows[i].engine);
        if (rows[i].labels)
            dump_fact(&dump, 1, "labels", rows[i].labels);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        dump_add(&dump, OBJECT, .id = 21, .kind = rows[i].is_vulkan ? 4 : 19,
                 .type = (uint32_t)ANNOT_OBJECT_QUEUE);
        dump_recording(&dump, 1, 100);
        const uint64_t mark = dump_begin(&dump, rows[i].scope ? rows[i].scope : "mark");
        if (rows[i].inside)
            dump_set(&dump, rows[i].inside);
        dump_submitted(&dump);
        dump_row(&dump, 21, 1, 0, 0, STARTED, mark, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        char advice[2048] = "", paragraph[512];
        for (size_t k = 0; annot_reader_advice(reader, k, paragraph, sizeof paragraph) > 0; k++)
            strcat(advice, paragraph);
        cr_expect_eq(strstr(advice, "--level") != NULL,
                     rows[i].said && strstr(rows[i].said, "--level"), "row %zu: %s", i, advice);
        cr_expect_eq(strstr(advice, "--probe") != NULL,
                     rows[i].said && strstr(rows[i].said, "--probe"), "row %zu: %s", i, advice);
        cr_expect_eq(strstr(advice, "annot vulkan sets") != NULL,
                     rows[i].said && strchr(rows[i].said, '='), "row %zu: %s", i, advice);
        if (rows[i].said)
            cr_expect_not_null(strstr(advice, rows[i].said), "row %zu: %s", i, advice);
    }
}

/* ---- breadcrumbs that contradict the driver ---- */

Test(report_line, breadcrumbs_that_contradict_the_driver_are_told_with_both_claims)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    const uint64_t mark = dump_set(&dump, "mark");
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, mark, 0);
    put_crumbs(&dump, (const uint8_t[]){0}, 1, 1, ANNOT_CRUMBS_NOT_BEGUN);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_crumbs crumbs = dump_crumbs_at(reader, 0);
    cr_expect(crumbs.is_disputed && crumbs.overruled == ANNOT_STATE_IN_PROGRESS);
    OWNED char *text = report_of(reader, false, NULL), *json = report_of(reader, true, NULL);
    cr_expect_null(strstr(text, "Nothing was lost."), "%s", text);
    cr_expect_not_null(strstr(json, "\"disputed\":\"in progress\""), "%s", json);
}

/* ---- an outline ---- */

/* Lines of a part have a level and a label. */
Test(report_line, an_outline_has_levels)
{
    AT_END(dump_free) struct dump dump = dump_started((uint32_t)ANNOT_DEVICE_ERROR_APPLICATION, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100, .open = 1);
    dump_begin(&dump, "scope");
    dump_set(&dump, "mark");
    OWNED char *text = dump_report(&dump, false, &(annot_report_options){.outline = true});
    cr_expect_not_null(strstr(text, "\n1\t\tscope\n"), "%s", text);
    cr_expect_not_null(strstr(text, "\n2\t\ton list #100"), "%s", text);
    cr_expect_not_null(strstr(text, "\n2\tlast recorded\tmark  (EventID 0x500000020)\n"), "%s",
                       text);
}
