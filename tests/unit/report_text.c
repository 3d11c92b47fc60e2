/* What people and scripts get to see [ANN-CRASH-03, -04, -06, ANN-MARK-10, ANN-NAME-05, user complaints]. */
#include "dump_builder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t one[] = {1};

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* "Forty unordered nodes and no way to tell what started": the first screen says it. */
Test(report, the_first_screen_answers_what_hung)
{
    struct dump dump;
    dump_frame(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *text = report_of(reader, false, NULL);
    const char *path = strstr(text, "  Queue scope / Frame 7 / Shadow pass / Cascade 2 / Trees\n");
    cr_assert_not_null(path, "%s", text);
    *strstr(text, "MARKERS") = 0;
    cr_expect(lines_of(text) < 24, "%zu lines before the tree", lines_of(text));
    cr_expect(strstr(text, "queue \"Graphics\", submission 2, list 1 of 2 \"Shadow list\""));
    cr_expect(strstr(text, "WHAT TO DO NEXT"), "logs that don't say what to do next");
    cr_expect(strstr(text, "queue \"Compute\": submission 1 has not started"));
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(report, the_first_screen_names_a_started_submission_that_was_not_kept)
{
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_queue(&dump, 21, 3, 1);
    dump_row(&dump, 21, 2, 0, 0, STARTED, 0, 0);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "submission 2, list 1: started and not finished"), "%s", text);
    cr_expect(!strstr(text, "everything finished"), "%s", text);
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(report, text_and_json_name_the_same_scope)
{
    struct dump dump;
    dump_frame(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *json = report_of(reader, true, NULL);
    cr_expect(strstr(json, "\"text\":\"Queue scope / Frame 7 / Shadow pass / Cascade 2 / Trees\""));
    cr_expect(strstr(json, "\"name\":\"Cascade 1\",\"metadata\":1,\"size\":9,\"closed\":true,"
                           "\"state\":\"finished\""),
              "%s", json);
    free(json);
    annot_reader_close(reader);
    dump_free(&dump);
}

/* ANN-CRASH-03: submissions in order; everything is there when asked for. */
Test(report, all_shows_every_marker_of_every_execution)
{
    struct dump dump;
    dump_frame(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    char *text = report_of(reader, false, &all);
    const char *order[] = {"queue \"Graphics\"",
                           "submission 1, 2 lists",
                           "list 1 of 2",
                           "[X] Frame 7",
                           "[X] Cascade 1",
                           "[X] Cascade 2",
                           "list 2 of 2",
                           "Lighting",
                           "[>] Queue scope",
                           "submission 2, 2 lists",
                           "[>] Frame 7",
                           "[X] Cascade 1",
                           "[>] Cascade 2",
                           "[>] Trees",
                           "[ ] - W",
                           "list 2 of 2",
                           "[ ] Lighting",
                           "submission 3, 1 list",
                           "queue \"Compute\""};
    const char *at = strstr(text, "MARKERS");
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *next = strstr(at, order[i]);
        cr_assert_not_null(next, "'%s' is missing behind '%.60s' in\n%s", order[i], at, text);
        at = next + 1;
    }
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(report, thousands_of_finished_markers_do_not_bury_the_hung_one)
{
    struct dump dump;
    char name[32];
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
    dump_begin(&dump, "Frame");
    for (int i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "draw %d", i);
        dump_begin(&dump, name);
        dump_set(&dump, "detail");
        dump_end(&dump);
    }
    uint64_t done = dump.next_event - 0x20;
    uint64_t hung = dump_begin(&dump, "the hung one");
    dump_end(&dump);
    for (int i = 0; i < 5000; i++)
        dump_set(&dump, "later");
    dump_end(&dump);
    dump_queue(&dump, 21, 2000, 1999);
    for (uint64_t serial = 1; serial <= 2000; serial++)
        dump_submit(&dump, serial, 1, one);
    dump_row(&dump, 21, 2000, 0, 0, STARTED, hung, done);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *text = report_of(reader, false, NULL);
    cr_expect(lines_of(text) < 50, "%zu lines", lines_of(text));
    cr_expect(strstr(text, "[>] the hung one"));
    cr_expect(strstr(text, "submissions 1 to 1999 finished"));
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

/* ANN-MARK-10, "depth above 2,500 crashing a tool". */
Test(report, a_hundred_thousand_nested_scopes_are_shown_in_linear_output)
{
    enum { DEPTH = 100000 };
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    struct annot__dump_RECORDING recording = {.id = 1, .object = 100};
    dump_put_RECORDING(&dump, &recording, NULL, 0);
    uint64_t id = 0;
    for (uint32_t i = 0; i < DEPTH; i++) {
        struct annot__dump_BEGIN begin = {.parent = id, .metadata = 1, .size = 5, .flags = 1};
        id = begin.event_id = 0x500000010 + 0x10 * (uint64_t)i;
        dump_put_BEGIN(&dump, &begin, "scope", 5);
    }
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, one);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    char *folded = report_of(reader, false, NULL), *text = report_of(reader, false, &all);
    char *json = report_of(reader, true, NULL);
    cr_expect(lines_of(folded) < 80, "%zu lines", lines_of(folded));
    cr_expect(strstr(folded, "... 99936 more ... / scope"), "the path stays one readable line");
    cr_expect(strstr(folded, "(depth 99999)"), "the leaf is shown");
    cr_expect(lines_of(text) > DEPTH);
    cr_expect(strlen(text) < (size_t)DEPTH * 110, "%zu bytes", strlen(text));
    cr_expect(strstr(json, "\"depth\":99999"));
    free(folded);
    free(text);
    free(json);
    annot_reader_close(reader);
    dump_free(&dump);
}

/* ANN-NAME-05, and a name is data: it commands no terminal and breaks no line. */
Test(report, hostile_names_reach_the_terminal_as_text_only)
{
    static const char name[] = "two\nlines \x1b[2J\x1b]0;title\x07 \xe2\x80\xae"
                               "bidi \x80\xff \xed\xa0\x80"
                               " \xc2\x9b"
                               "31m \x7f end";
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_object(&dump, 100, 22, name);
    dump_object(&dump, 21, 19, name);
    dump_recording(&dump, 1, 100);
    uint64_t id = dump_begin(&dump, name);
    dump_end(&dump);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, one);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (int is_json = 0; is_json < 2; is_json++) {
        char *text = report_of(reader, is_json, NULL);
        for (const char *at = text; *at; at++)
            cr_assert((uint8_t)*at >= 0x20 || *at == '\n');
        cr_expect_not(strstr(text, "\xe2\x80\xae"), "a bidirectional override");
        cr_expect_not(strstr(text, "\xc2\x9b"), "a C1 control");
        cr_expect_not(strchr(text, 0x7f));
        cr_expect_not(strstr(text, "\x80\xff"), "invalid UTF-8");
        cr_expect(strstr(text, "\xef\xbf\xbd"), "U+FFFD stands for it");
        free(text);
    }
    char path[256];
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, "two\\nlines \\x1b[2J\\x1b]0;title\\x07 \\u202ebidi "
                           "\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                           " \\x9b31m \\x7f end");
    annot_reader_close(reader);
    dump_free(&dump);
}

/* ANN-SEC-04: a long name is cut wherever it is mentioned, which the text counts, and JSON has it whole, once. */
Test(report, long_names_are_whole_or_say_that_they_are_cut)
{
    char name[5001];
    memset(name, 'n', 5000);
    name[4999] = 'Z';
    name[5000] = 0;
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
    uint64_t id = dump_begin(&dump, name);
    dump_end(&dump);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, one);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    for (int i = 0; i < 2; i++) {
        char *text = report_of(reader, false, i ? &all : NULL);
        cr_expect(strstr(text, "nnn..."));
        cr_expect(!strstr(text, "nnnZ"));
        cr_expect(strstr(text, "of names longer than 400 bytes, cut above"), "%s", text);
        free(text);
    }
    char *json = report_of(reader, true, NULL);
    const char *whole = strstr(json, "nnnZ");
    cr_assert_not_null(whole);
    cr_expect_null(strstr(whole + 1, "nnnZ"), "a long name is written twice");
    cr_expect(strstr(json, "\"name_short\":true"));
    free(json);
    annot_reader_close(reader);
    dump_free(&dump);
}

/* ANN-CRASH-04 */
Test(report, everything_that_was_lost_is_said)
{
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    for (uint32_t what = 1; what <= 9; what++) {
        struct annot__dump_LOSS loss = {.count = 1000 + what, .what = what};
        dump_put_LOSS(&dump, &loss, NULL, 0);
    }
    dump_recording(&dump, 1, 100);
    dump_end(&dump);
    dump_begin(&dump, "open");
    struct annot__dump_SET cut = {
        .event_id = 0x900000010, .parent = dump.scopes[0], .metadata = 1, .size = 40000};
    dump_put_SET(&dump, &cut, "short", 5);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, one);
    dump_row(&dump, 21, 1, 0, 0, STARTED, 0, 0);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *text = report_of(reader, false, NULL);
    const char *lost = strstr(text, "LOST OR ODD");
    cr_assert_not_null(lost);
    for (uint32_t what = 1; what <= 9; what++) {
        char count[8];
        snprintf(count, sizeof count, "  %u ", 1000 + what);
        cr_expect(strstr(lost, count), "loss %u", what);
    }
    cr_expect(strstr(lost, "1 surplus EndEvent"));
    cr_expect(strstr(lost, "1 BeginEvent without its EndEvent"));
    cr_expect(strstr(lost, "1 payload cut"));
    annot_report_options all = {.all = true};
    char *whole = report_of(reader, false, &all);
    cr_expect(strstr(whole, "short (name cut)"), "%s", whole);
    free(whole);
    cr_expect_not(strstr(lost, "Nothing was lost"));
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(report, a_clean_dump_says_that_nothing_was_lost)
{
    struct dump dump;
    dump_start(&dump, ERROR_NONE, 0);
    dump_recording(&dump, 1, 100);
    dump_begin(&dump, "pass");
    dump_end(&dump);
    dump_queue(&dump, 21, 1, 1);
    dump_submit(&dump, 1, 1, one);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "Nothing was lost."), "%s", text);
    cr_expect(strstr(text, "LIVE DEVICE"), "ANN-CRASH-07");
    free(text);
    annot_reader_close(reader);
    dump_free(&dump);
}

Test(report, no_colour_unless_asked_for)
{
    struct dump dump;
    dump_frame(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options color = {.color = true};
    char *plain = report_of(reader, false, NULL), *colored = report_of(reader, false, &color);
    cr_expect_not(strchr(plain, 0x1b));
    cr_expect(strchr(colored, 0x1b));
    free(plain);
    free(colored);
    annot_reader_close(reader);
    dump_free(&dump);
}

static bool refuse(void *user, const void *data, size_t size)
{
    (void)data, (void)size;
    return --*(int *)user > 0;
}

Test(report, a_sink_that_refuses_ends_the_report)
{
    struct dump dump;
    int left = 1;
    dump_frame(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_sink sink = {&left, refuse};
    cr_expect_eq(annot_report_text(reader, NULL, &sink), ANNOT_ERROR_IO);
    cr_expect_eq(left, 0, "and is not called again");
    annot_reader_close(reader);
    dump_free(&dump);
}
