/* The contents of the text report [ANN-CRASH-03, -04, -06, ANN-MARK-10, ANN-NAME-05, user
 * complaints]. */
#include "dump_builder.h"
#include "unit_kit.h"

TestSuite(report, .fini = guarded_expect_nothing_left);

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
    AT_END(dump_free) struct dump dump = dump_frame();
    OWNED char *text = dump_report(&dump, false, NULL);
    const char *path = strstr(text, "  Queue scope / Frame 7 / Shadow pass / Cascade 2 / Trees\n");
    cr_assert_not_null(path, "%s", text);
    *strstr(text, "MARKERS") = 0;
    cr_expect(lines_of(text) < 24, "%zu lines before the tree", lines_of(text));
    cr_expect(strstr(text, "queue \"Graphics\", submission 2, list 1 of 2 \"Shadow list\""));
    cr_expect(strstr(text, "WHAT TO DO NEXT"), "logs that don't say what to do next");
    cr_expect(strstr(text, "queue \"Compute\": submission 1 has not started"));
}

Test(report, text_and_json_name_the_same_scope)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    OWNED char *json = dump_report(&dump, true, NULL);
    cr_expect(strstr(json, "\"text\":\"Queue scope / Frame 7 / Shadow pass / Cascade 2 / Trees\""));
    cr_expect(strstr(json, "\"name\":\"Cascade 1\",\"metadata\":1,\"size\":9,\"closed\":true,"
                           "\"state\":\"finished\""),
              "%s", json);
}

/* ANN-CRASH-03: submissions in order; everything is there when asked for. */
Test(report, all_shows_every_marker_of_every_execution)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    annot_report_options all = {.all = true};
    OWNED char *text = dump_report(&dump, false, &all);
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
}

Test(report, thousands_of_finished_markers_do_not_bury_the_hung_one)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    char name[32];
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
    OWNED char *text = dump_report(&dump, false, NULL);
    cr_expect(lines_of(text) < 50, "%zu lines", lines_of(text));
    cr_expect(strstr(text, "[>] the hung one"));
    cr_expect(strstr(text, "submissions 1 to 1999 finished"));
}

/* ANN-MARK-10, "depth above 2,500 crashing a tool". */
Test(report, a_hundred_thousand_nested_scopes_are_shown_in_linear_output)
{
    enum { DEPTH = 100000 };
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100);
    uint64_t id = 0;
    for (uint32_t i = 0; i < DEPTH; i++) {
        struct annot__dump_BEGIN begin = {.parent = id, .metadata = 1, .size = 5, .flags = 1};
        id = begin.event_id = 0x500000010 + 0x10 * (uint64_t)i;
        dump_put_BEGIN(&dump, &begin, "scope", 5);
    }
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    OWNED char *folded = report_of(reader, false, NULL), *text = report_of(reader, false, &all);
    OWNED char *json = report_of(reader, true, NULL);
    cr_expect(lines_of(folded) < 80, "%zu lines", lines_of(folded));
    cr_expect(strstr(folded, "... 99936 more ... / scope"), "the path stays one readable line");
    cr_expect(strstr(folded, "(depth 99999)"), "the leaf is shown");
    cr_expect(lines_of(text) > DEPTH);
    cr_expect(strlen(text) < (size_t)DEPTH * 110, "%zu bytes", strlen(text));
    cr_expect(strstr(json, "\"depth\":99999"));
}

/* ANN-NAME-05, and a name is data: it commands no terminal and breaks no line. */
Test(report, hostile_names_reach_the_terminal_as_text_only)
{
    static const char name[] = "two\nlines \x1b[2J\x1b]0;title\x07 \xe2\x80\xae"
                               "bidi \x80\xff \xed\xa0\x80"
                               " \xc2\x9b"
                               "31m \x7f end";
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 100, 22, name);
    dump_object(&dump, 21, 19, name);
    dump_recording(&dump, 1, 100);
    uint64_t id = dump_begin(&dump, name);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    for (int is_json = 0; is_json < 2; is_json++) {
        OWNED char *text = report_of(reader, is_json, NULL);
        for (const char *at = text; *at; at++)
            cr_assert((uint8_t)*at >= 0x20 || *at == '\n');
        cr_expect_not(strstr(text, "\xe2\x80\xae"), "a bidirectional override");
        cr_expect_not(strstr(text, "\xc2\x9b"), "a C1 control");
        cr_expect_not(strchr(text, 0x7f));
        cr_expect_not(strstr(text, "\x80\xff"), "invalid UTF-8");
        cr_expect(strstr(text, "\xef\xbf\xbd"), "U+FFFD stands for it in names of objects");
    }
    char path[256];
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, "two\\nlines \\x1b[2J\\x1b]0;title\\x07 \\u202ebidi "
                           "\\x80\xc3\xbf \xc3\xad\xc2\xa0\\x80 \\x9b31m \\x7f end");
}

/* ANN-SEC-04: a long name is cut wherever it is mentioned, which the text counts, and JSON has it
 * whole, once. */
Test(report, long_names_are_whole_or_say_that_they_are_cut)
{
    char name[5001];
    memset(name, 'n', 5000);
    name[4999] = 'Z';
    name[5000] = 0;
    AT_END(dump_free) struct dump dump = dump_hung();
    uint64_t id = dump_begin(&dump, name);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options all = {.all = true};
    for (int i = 0; i < 2; i++) {
        OWNED char *text = report_of(reader, false, i ? &all : NULL);
        cr_expect(strstr(text, "nnn..."));
        cr_expect(!strstr(text, "nnnZ"));
        cr_expect(strstr(text, "cut after 400 bytes"), "%s", text);
    }
    OWNED char *json = report_of(reader, true, NULL);
    const char *whole = strstr(json, "nnnZ");
    cr_assert_not_null(whole);
    cr_expect_null(strstr(whole + 1, "nnnZ"), "a long name is written twice");
    cr_expect(strstr(json, "\"name_short\":true"));
}

/* Long names are converted once: each stands at its own marker, and nowhere else. */
Test(report, long_names_stand_at_their_own_markers)
{
    char first[601], second[601];
    memset(first, 'a', 600);
    memset(second, 'b', 600);
    first[600] = second[600] = 0;
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "short");
    dump_begin(&dump, first);
    const uint64_t id = dump_begin(&dump, second);
    dump_end(&dump);
    dump_end(&dump);
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, id, 0);
    const annot_report_options all = {.all = true};
    OWNED char *text = dump_report(&dump, false, &all);
    const char *tree = strstr(text, "[>] short");
    cr_assert(tree, "%s", text);
    const char *of_first = strstr(tree, "[>] aaaa");
    cr_assert(of_first, "%s", text);
    cr_expect(strstr(of_first, "[>] bbbb"), "%s", text);
}

/* ANN-CRASH-04 */
/* Escapes are longer than what they stand for: what they make too long is cut, and said to be. */
Test(report, a_name_that_escapes_make_long_is_cut)
{
    AT_END(dump_free) struct dump dump;
    char name[201], expected[512] = "";
    memset(name, 1, 200);
    name[200] = 0;
    for (int i = 0; i < ANNOT_REPORT_NAME_LIMIT / 4; i++)
        strcat(expected, "\\x01");
    strcat(expected, "...\"");
    dump_start(&dump, ERROR_HUNG, 0);
    dump_object(&dump, 100, 17, name);
    dump_recording(&dump, 1, 100);
    dump_submitted(&dump);
    OWNED char *text = dump_report(&dump, false, NULL);
    cr_expect(strstr(text, expected), "%s", text);
}

/* An object without a name has its number, and the report says that the name is what it lacks. */
Test(report, objects_without_names_have_their_numbers)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_object(&dump, 100, 17, "");
    dump_recording(&dump, 1, 100);
    dump_recording(&dump, 2, 101);
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 2, (uint64_t[]){1, 2});
    OWNED char *text = dump_report(&dump, false, NULL);
    cr_expect(strstr(text, "list 1 of 2 #100 (unnamed)"), "%s", text);
    cr_expect(strstr(text, "list 2 of 2 #101  "), "nothing is known of that one: %s", text);
}

/* A type of lists that this version does not know. */
Test(report, queues_of_unknown_types_are_said_to_be)
{
    static const struct {
        uint32_t type;
        const char *text;
    } rows[] = {
        {0, "(direct)"}, {6, "(video encode)"}, {7, "(unknown kind)"}, {~0u, "(unknown kind)"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_section(&dump, ANNOT__DUMP_SECTION_OBJECTS);
        dump_add_with(&dump, OBJECT, "Q", 1, .id = 21, .kind = 19, .list_type = rows[i].type,
                      .flags = 2, .name_size = 1);
        dump_queue(&dump, 21, 0, 0);
        OWNED char *text = dump_report(&dump, false, NULL);
        cr_expect(strstr(text, rows[i].text), "%u: %s", rows[i].type, text);
    }
}

Test(report, everything_that_was_lost_is_said)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
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
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, STARTED, 0, 0);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    OWNED char *text = report_of(reader, false, NULL);
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
}

Test(report, has_no_colour_unless_asked_for)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_options color = {.color = true};
    OWNED char *plain = report_of(reader, false, NULL), *colored = report_of(reader, false, &color);
    cr_expect_not(strchr(plain, 0x1b));
    cr_expect(strchr(colored, 0x1b));
}

static bool refuse(void *user, const void *data, size_t size)
{
    (void)data, (void)size;
    return --*(int *)user > 0;
}

Test(report, a_sink_that_refuses_ends_the_report)
{
    AT_END(dump_free) struct dump dump;
    int left = 1;
    dump = dump_frame();
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_report_sink sink = {&left, refuse};
    cr_expect_eq(annot_report_text(reader, NULL, &sink), ANNOT_ERROR_IO);
    cr_expect_eq(left, 0, "and is not called again");
}

/* reader.h: names are those of markers; what is none has an empty one. */
Test(report, what_is_no_marker_has_no_name)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_bundle(&dump, 1, 2, 101);
    const uint64_t id = dump_set(&dump, "sky");
    dump_end(&dump);
    dump_submitted(&dump);
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    const uint32_t sky = annot_reader_entry_find(reader, id);
    annot_reader_entry entry;
    uint32_t i = 0;
    for (; annot_reader_entry_at(reader, i, &entry); i++) {
        char name[8] = "before";
        cr_expect_eq(annot_reader_entry_name(reader, i, name, sizeof name), i == sky ? 3 : 0);
        cr_expect_str_eq(name, i == sky ? "sky" : "", "entry %u", i);
    }
    cr_expect_eq(i, 4, "a bundle, a marker, a surplus EndEvent and a submission");
    char name[8] = "before";
    cr_expect_eq(annot_reader_entry_name(reader, sky, name, 0), 0, "no room");
    cr_expect_str_eq(name, "before");
}

static size_t indent_of(const char *text, const char *line)
{
    const char *at = strstr(text, line);
    cr_assert_not_null(at, "'%s' is missing in\n%s", line, text);
    size_t indent = 0;
    while (at > text && at[-1] != '\n')
        indent += *--at == ' ';
    return indent;
}

/* ANN-MARK-11: what a bundle holds stands one step below the call, and what follows the call does
 * not. */
Test(report, contents_of_a_bundle_stand_below_its_call)
{
    AT_END(dump_free) struct dump dump = dump_hung();
    dump_begin(&dump, "outer");
    dump_begin(&dump, "around");
    dump_bundle(&dump, 1, 2, 101);
    dump_set(&dump, "behind");
    dump_end(&dump);
    dump_end(&dump);
    dump_recording(&dump, 2, 101);
    dump_begin(&dump, "inside");
    dump_set(&dump, "deeper");
    dump_end(&dump);
    dump_submitted(&dump);
    dump_row(&dump, 21, 1, 0, 0, NOT_STARTED, 0, 0);
    annot_report_options all = {.all = true};
    OWNED char *text = dump_report(&dump, false, &all);
    const size_t step = indent_of(text, "[ ] around") - indent_of(text, "[ ] outer");
    cr_expect_gt(step, 0);
    const size_t call = indent_of(text, "[ ] ExecuteBundle 1");
    cr_expect_eq(call, indent_of(text, "[ ] around") + step, "%s", text);
    cr_expect_eq(indent_of(text, "[ ] inside"), call + step, "%s", text);
    cr_expect_eq(indent_of(text, "[ ] - deeper"), call + 2 * step, "%s", text);
    cr_expect_eq(indent_of(text, "[ ] - behind"), call, "%s", text);
}

/* ANN-LIFE-06: what a dump's queues and lists lost is one sum. */
Test(report, losses_of_several_queues_are_added_up)
{
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
    dump_add(&dump, RECORDING, .id = 1, .object = 100, .dropped = 40);
    for (uint32_t i = 0; i < 3; i++) {
        dump_section(&dump, ANNOT__DUMP_SECTION_QUEUES);
        dump_add(&dump, QUEUE, .object = 21 + i, .dropped = 100 * (i + 1));
    }
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    annot_reader_stream stream;
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(annot_reader_stream_at(reader, i, &stream));
        cr_expect_eq(stream.dropped, i ? 100 * i : 40);
    }
    OWNED char *text = report_of(reader, false, NULL);
    cr_expect(strstr(text, "  640 markers dropped"), "%s", text);
}

/* Markers of which nothing is known have a line each, up to a bound: those behind it are counted,
 * and none is left out in silence. */
Test(report, lines_that_are_left_out_are_counted)
{
    enum { SHOWN = 120 };
    for (uint32_t more = 0; more <= 2; more++) {
        AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
        char sentence[64];
        dump_section(&dump, ANNOT__DUMP_SECTION_LISTS);
        for (uint64_t list = 1; list < 3; list++) {
            dump_add(&dump, RECORDING, .id = list, .object = 100, .dropped = 1);
            for (uint32_t i = 0; i < SHOWN + more; i++)
                dump_set(&dump, "draw");
        }
        dump_queue(&dump, 21, 1, 0);
        dump_submit(&dump, 1, 2, (uint64_t[]){1, 2});
        dump_row(&dump, 21, 1, 0, 0, STARTED, 0x5FFFFF003, 0);
        dump_row(&dump, 21, 1, 1, 0, STARTED, 0x5FFFFF003, 0);
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        OWNED char *text = report_of(reader, false, NULL);
        snprintf(sentence, sizeof sentence, "\n      ... %u more lines; --all shows them\n", more);
        cr_expect_eq(report_count(text, "- draw  0x"), 2 * SHOWN);
        cr_expect_eq(report_count(text, sentence), more > 0 ? 2 : 0, "%u: %s", more, text);
        cr_expect_eq(strstr(text, "more line") != NULL, more != 0, "%s", text);
        free(text);
        annot_report_options all = {.all = true};
        text = report_of(reader, false, &all);
        cr_expect_not(strstr(text, "more line"), "%s", text);
    }
}

/* The first six and the last six scopes of earlier lists are shown, whichever lists began them. */
Test(report, scopes_of_many_earlier_lists_keep_both_ends)
{
    enum { DEPTH = 20, LISTS = 4 };
    static const unsigned scopes[LISTS] = {7, 3, 4, 6};
    AT_END(dump_free) struct dump dump = dump_started(ERROR_HUNG, 0);
    unsigned depth = 0;
    for (uint64_t list = 0; list < LISTS; list++) {
        dump_recording(&dump, list + 1, 100);
        for (unsigned i = 0; i < scopes[list]; i++)
            dump_begin(&dump, (char[]){'S', (char)('a' + depth++), 0});
    }
    dump_recording(&dump, 5, 100);
    const uint64_t here = dump_begin(&dump, "here");
    dump_end(&dump);
    dump_recording(&dump, 6, 100);
    for (unsigned i = 0; i < DEPTH; i++)
        dump_end(&dump);
    dump_queue(&dump, 21, 2, 1);
    dump_set(&dump, "in front"); /* folded with work that has no list */
    dump_submit(&dump, 1, 0, NULL);
    dump_submit(&dump, 2, 6, (uint64_t[]){1, 2, 3, 4, 5, 6});
    for (uint32_t i = 0; i < LISTS; i++)
        dump_row(&dump, 21, 2, i, 0, FINISHED, 0, 0);
    dump_row(&dump, 21, 2, LISTS, 0, STARTED, here, 0);
    dump_row(&dump, 21, 2, LISTS + 1, 0, NOT_STARTED, 0, 0);
    OWNED char *text = dump_report(&dump, false, NULL);
    for (unsigned i = 0; i < DEPTH; i++)
        cr_expect_eq(!strstr(text, (char[]){'S', (char)('a' + i), ' ', ' ', '(', 0}),
                     i >= 6 && i < DEPTH - 6, "scope %u: %s", i, text);
    cr_expect_not_null(strstr(text, "... 8 more scopes of earlier lists ..."), "%s", text);
    char *first = strstr(text, "list 1 of 6 ");
    cr_assert_not_null(first, "%s", text);
    *strchr(first, '\n') = 0;
    cr_expect_null(strstr(first, "inside"), "%s", first);
}

/* Scopes that nothing ended share a line where their work is done: none that has ended, and what is
 * in the first four has its own lines. The line's last work opens a scope that the last one closes.
 */
Test(report, forgotten_scopes_are_those_that_are_open_and_done)
{
    enum { OUTER = 12 };
    for (uint64_t completed = 8; completed <= 11; completed += 3) {
        AT_END(dump_free) struct dump dump = dump_hung();
        char fold[128];
        uint64_t serial = 0;
        dump_set(&dump, "set");
        dump_recording(&dump, 2, 100);
        dump_begin(&dump, "X");
        dump_recording(&dump, 3, 100);
        dump_end(&dump);
        dump_queue(&dump, 21, OUTER + 1, completed);
        for (unsigned i = 0; i < OUTER; i++) {
            dump_begin(&dump, (char[]){'O', (char)('a' + i), 0});
            if (i == 3) {
                dump_begin(&dump, "closed");
                dump_submit(&dump, ++serial, 1, one);
                dump_end(&dump);
            }
            ++serial;
            dump_submit(&dump, serial, 1, (uint64_t[]){serial == 9 ? 2 : serial == 13 ? 3 : 1});
        }
        AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
        const annot_report_options options = {.all = true};
        OWNED char *all = report_of(reader, false, &options);
        OWNED char *text = report_of(reader, false, NULL);
        const int count = completed == 8 ? 3 : 4;
        snprintf(fold, sizeof fold,
                 "  ... %d more scopes that nothing ended; the %d submissions in them are "
                 "finished\n%*s] O%c ",
                 count, count, 12 + 2 * count, completed == 8 ? "[?" : "[>", 'e' + count);
        cr_expect_not_null(strstr(text, fold), "%s", text);
        cr_expect_not_null(strstr(text, "[X] submissions 4 to 5, 1 queue marker finished\n"));
        const char *behind = strstr(text, "submission 10, 1 list\n");
        cr_expect_not_null(memmem(behind, 160, "inside \"X\"", 10), "%s", text);
        cr_expect_null(strstr(all, "nothing ended"), "%s", all);
    }
}
