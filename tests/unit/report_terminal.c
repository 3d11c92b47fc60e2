/* The text report on a terminal: lines fit, nothing is lost by breaking them, and the tree's levels
 * are drawn. */
#include "device_dump.h"
#include "golden_dumps.h"
#include "report/wrap.h"
#include "sink.h"
#include "spy.h"

#include <annot/reader.h>
#include <limits.h>

TestSuite(report_terminal, .fini = guarded_expect_nothing_left);

static char *report_of(const char *name, const annot_report_options *options)
{
    struct golden_file dump = golden_read(name, ".annotdmp");
    annot_reader *reader;
    char *text;
    annot_reader_open_memory(&guarded_memory, dump.bytes, dump.size, &reader);
    cr_assert(reader);
    cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, options, &text, NULL), ANNOT_OK);
    annot_reader_close(reader);
    free(dump.bytes);
    return text;
}

static bool is_continuation(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Characters of the longest row. No wide ones are in the dumps but one rocket. */
static size_t longest(const char *text)
{
    size_t most = 0, row = 0;
    for (; *text; text++) {
        row = *text == '\n' ? 0 : row + !is_continuation(*text);
        most = row > most ? row : most;
    }
    return most;
}

/* Without spaces, line ends and guides: what breaking lines may not change. */
static void squeeze(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (strncmp(text, "\xe2\x94\x82", 3) == 0)
            text += 2;
        else if (*text != ' ' && *text != '\n')
            *to++ = *text;
    *to = 0;
}

static size_t empty_rows(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += text[0] == '\n' && text[1] == '\n';
    return count;
}

static void check_widths(const char *name)
{
    static const uint32_t widths[] = {1, 40, 41, 57, 80, 120};
    annot_report_options options = {.branches = true};
    AT_END(at_end_free_report) char *whole = report_of(name, &options);
    const size_t empty = empty_rows(whole);
    squeeze(whole);
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        options.width = widths[i];
        AT_END(at_end_free_report) char *text = report_of(name, &options);
        size_t width = widths[i] < 40 ? 40 : widths[i];
        cr_expect(longest(text) <= width, "%s at %zu columns has %zu", name, width, longest(text));
        cr_expect_eq(empty_rows(text), empty, "%s at %zu columns", name, width);
        squeeze(text);
        cr_expect_str_eq(text, whole, "%s at %zu columns", name, width);
    }
}

/* A line that is as long as the terminal is wide stays whole. */
static void check_fitting(const char *name)
{
    annot_report_options options = {.branches = true};
    AT_END(at_end_free_report) char *whole = report_of(name, &options);
    options.width = (uint32_t)longest(whole);
    AT_END(at_end_free_report) char *text = report_of(name, &options);
    cr_expect_str_eq(text, whole, "%s at %u columns", name, (unsigned)options.width);
}

Test(report_terminal, lines_that_fit_stay_whole)
{
    golden_each(check_fitting);
}

/* annot_report_options.width: no row is longer, 40 is the least, and every word is still there. */
Test(report_terminal, lines_fit_and_lose_nothing)
{
    golden_each(check_widths);
}

/* Leaves out what colours a terminal. */
static void bleach(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (*text == '\x1b')
            text += strcspn(text, "m");
        else
            *to++ = *text;
    *to = 0;
}

static void check_colors(const char *name)
{
    annot_report_options options = {.width = 57, .branches = true};
    AT_END(at_end_free_report) char *plain = report_of(name, &options);
    options.color = true;
    AT_END(at_end_free_report) char *colored = report_of(name, &options);
    cr_expect_not_null(strchr(colored, '\x1b'), "%s", name);
    bleach(colored);
    cr_expect_str_eq(colored, plain, "%s", name);
}

/* annot_report_options.color, .width: colours take no columns. */
Test(report_terminal, lines_break_in_the_same_places_with_colors)
{
    golden_each(check_colors);
}

/* annot_report_options.branches, .no_ids: levels are lines, names keep their own quotes, EventIDs
 * stay where the GPU stopped. */
Test(report_terminal, draws_a_tree_without_ids)
{
    const annot_report_options options = {.branches = true, .no_ids = true};
    AT_END(at_end_free_report) char *text = report_of("demo_frame", &options);
    cr_expect(strstr(text, "\n│ │ │ │ [>] Shadow pass\n"), "%s", text);
    cr_expect(strstr(text, "“Character \"guard\", 22.5 m”"));
    cr_expect(strstr(text, "last started   Character \"guard\", 22.5 m  (EventID 0x5000060d1)"));
    cr_expect(strstr(text, "in progress (the driver's report)"));
    char *tree = strstr(text, "\nMARKERS");
    cr_assert(tree);
    cr_expect_not(strstr(tree, "0x5"), "%s", tree);
}

/* Lines of the levels are dim, and what follows them is not. */
Test(report_terminal, draws_a_tree_in_colors)
{
    const annot_report_options options = {.branches = true, .color = true};
    AT_END(at_end_free_report) char *text = report_of("demo_frame", &options);
    cr_expect(strstr(text, "\n\x1b[2m│ │ │ │ \x1b[0m\x1b[1;31m[>]\x1b[0m Shadow pass"), "%s", text);
}

static char *report_at(const annot_reader *reader, uint32_t width)
{
    const annot_report_options options = {.width = width};
    char *text;
    cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, &options, &text, NULL), ANNOT_OK);
    return text;
}

/* A dump of an application that crashed inside that many scopes; each name is 300 times one letter.
 */
static struct device_dump dump_inside_scopes(unsigned count)
{
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child list = spy_list(device, 0, spy_handle(1));
    annot_arena *arena = spy_arena(device);
    annot_context_open(list.context, arena);
    for (unsigned i = 0; i < count; i++) {
        char name[301];
        memset(name, 'a' + (char)(i % 26), sizeof name - 1);
        name[300] = 0;
        annot_context_begin_event(list.context, 1, name, sizeof name);
    }
    const annot_dump_info info = {.error = ANNOT_DEVICE_ERROR_APPLICATION};
    struct device_dump dump = device_dump_with(device, &info);
    annot_context_close(list.context);
    annot_arena_destroy(arena);
    spy_child_done(list);
    spy_device_done(device);
    return dump;
}

static bool take_some(void *user, const void *data, size_t size)
{
    cr_expect_gt(size, 0, "a file's fwrite may take nothing for an error");
    return kept_take(user, data, size);
}

/* The text as annot__wrap_write breaks it at 40 columns. */
static char *wrapped(const char *text)
{
    struct kept kept = {0};
    const annot_report_sink sink = {&kept, take_some};
    struct annot__wrap wrap = {.to = &sink, .width = 40};
    cr_expect(annot__wrap_write(&wrap, text, strlen(text)));
    return kept.data;
}

#define X10      "xxxxxxxxxx"
#define X35      X10 X10 X10 "xxxxx"
#define BLANKS15 "               "

/* wrap.h: a row ends at a blank behind more than four columns of words, or where it is full; the
 * next one has four columns more than the line, or four alone where half of the width would be
 * lost. */
Test(report_terminal, rows_break_at_a_blank_or_where_they_are_full)
{
    static const struct {
        const char *line, *rows;
    } rows[] = {
        {"abcd " X35 X10, "abcd " X35 "\n    " X10},
        {"abcde " X35 X10, "abcde\n    " X35 "x\n    xxxxxxxxx"},
        {"abcde f " X35, "abcde f\n    " X35},
        {X35 "xxxxx", X35 "xxxxx"},
        {X35 "xxxxxy", X35 "xxxxx\n    y"},
        {X35 "x xxxx", X35 "x\n    xxxx"},
        {"  " X35 " yyyy", "  " X35 "\n      yyyy"},
        {BLANKS15 " " X10 " " X10 " " X10, BLANKS15 " " X10 " " X10 "\n" BLANKS15 "     " X10},
        {BLANKS15 "  " X10 " " X10 " " X35, BLANKS15 "  " X10 " " X10 "\n    " X35},
        {BLANKS15 "  " X10 " " X10 " " X35 "xx", BLANKS15 "  " X10 " " X10 "\n    " X35 "x\n    x"},
        {BLANKS15 BLANKS15 BLANKS15 "x", "\n    x"},
        {"\xe2\x94\x8c " X35 " y", "\xe2\x94\x8c " X35 " y"},
        {"\xe2\x94\x8c " X35 " yyyy", "\xe2\x94\x8c " X35 "\n    yyyy"},
        {"\xe2\x94\x82 " X35 " yyyy", "\xe2\x94\x82 " X35 "\n\xe2\x94\x82     yyyy"},
        {X35 "xxxxx     ", X35 "xxxxx"},
        {"  ", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[256], expected[256];
        snprintf(line, sizeof line, "%s\n", rows[i].line);
        snprintf(expected, sizeof expected, "%s\n", rows[i].rows);
        AT_END(at_end_free) char *text = wrapped(line);
        cr_expect_str_eq(text, expected, "%s: %s", rows[i].line, text);
    }
}

/* Whichever call the terminal refuses, and wherever a line ends or is too long for one. */
Test(report_terminal, a_refused_row_is_an_error)
{
    char text[10000];
    memset(text, 'x', sizeof text);
    memcpy(text + 100, "\n  " X10 " " X35 "\n", 3 + 10 + 1 + 35 + 2);
    text[sizeof text - 2] = '\n';
    text[sizeof text - 1] = 0;
    unsigned left = UINT_MAX;
    const annot_report_sink sink = full_sink(&left);
    struct annot__wrap wrap = {.to = &sink, .width = 40};
    cr_expect(annot__wrap_write(&wrap, text, sizeof text - 1));
    for (unsigned calls = UINT_MAX - left; calls-- > 0;) {
        left = calls;
        wrap.used = 0;
        cr_expect_not(annot__wrap_write(&wrap, text, sizeof text - 1), "%u calls", calls);
    }
}

/* A word that is wider than the terminal fills its rows: none before it is left empty. */
Test(report_terminal, a_word_wider_than_the_terminal_fills_its_rows)
{
    AT_END(device_dump_done) struct device_dump dump = dump_inside_scopes(1);
    AT_END(at_end_free_report)
    char *whole = report_at(dump.reader, 0), *broken = report_at(dump.reader, 60);
    cr_expect_eq(empty_rows(broken), empty_rows(whole), "%s", broken);
    cr_expect_leq(longest(broken), 60, "%s", broken);
    squeeze(whole);
    squeeze(broken);
    cr_expect_str_eq(broken, whole);
}

/* Inside 40 scopes with long names the path is longer than any buffer for a line. Its middle is
 * left out and counted, and breaking it loses nothing. */
Test(report_terminal, a_very_long_line_loses_nothing)
{
    AT_END(device_dump_done) struct device_dump dump = dump_inside_scopes(40);
    AT_END(at_end_free_report)
    char *whole = report_at(dump.reader, 0), *broken = report_at(dump.reader, 80);
    const char *path = strstr(whole, "WHAT WAS BEING RECORDED\n  aaa"), *end;
    cr_assert(path);
    end = strstr(path, "nnn\n    on list ");
    cr_assert(end, "the path ends with the innermost scope, and its line there");
    const char *gap = strstr(path, "ppp / ... 8 more ... / yyy");
    cr_expect(gap && gap < end, "16 scopes, 8 left out, 16 scopes");
    char name[301] = {0};
    memset(name, 'n', sizeof name - 1);
    cr_expect(strstr(broken, name), "a line too long to be broken is not taken apart either");
    cr_expect(strstr(whole, "Nothing was lost."), "scopes of an open recording may still end");
    squeeze(whole);
    squeeze(broken);
    cr_expect_str_eq(broken, whole);
}

/* Two queues, each with a list in progress: both are listed before the tree, one row each. */
Test(report_terminal, lists_everything_in_progress)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queues[2], lists[2];
    annot_arena *arenas[2];
    annot_progress rows[2];
    for (unsigned i = 0; i < 2; i++) {
        queues[i] = spy_queue(device, 0, spy_handle(1 + i));
        lists[i] = spy_list(device, 0, spy_handle(3 + i));
        arenas[i] = spy_arena(device);
        annot_context_open(lists[i].context, arenas[i]);
        annot_context_begin_event(lists[i].context, 1, i ? "second" : "first", i ? 7 : 6);
        annot_context_end_event(lists[i].context);
        annot_context_close(lists[i].context);
        annot_context_submit(queues[i].context, &lists[i].context, 1);
        rows[i] = (annot_progress){.queue = annot_object_id(queues[i].object),
                                   .submission = 1,
                                   .state = ANNOT_PROGRESS_STARTED};
    }
    const annot_crash_report report = {
        .size = sizeof report, .progress = rows, .progress_count = 2};
    const annot_report_options plain = {0}, drawn = {.branches = true};
    struct device_dump dump = device_dump_take(device, &report);
    char *text;
    cr_assert_eq(annot_report_memory(dump.reader, ANNOT_REPORT_TEXT, &drawn, &text, NULL),
                 ANNOT_OK);
    const char *tree = strstr(text, "\nMARKERS");
    const char *list =
        strstr(text, "\nIN PROGRESS\n  [>] #1 (unnamed), submission 1, list 1 of 1 #2 ");
    cr_assert(list && tree && list < tree, "%s", text);
    const char *second = strstr(list, "\n  [>] #3 (unnamed), submission 1, list 1 of 1 #4 ");
    cr_assert(second && second < tree, "%s", text);
    annot_report_free(text);
    cr_assert_eq(annot_report_memory(dump.reader, ANNOT_REPORT_TEXT, &plain, &text, NULL),
                 ANNOT_OK);
    cr_expect_null(strstr(text, "\nIN PROGRESS\n"));
    annot_report_free(text);
    device_dump_done(&dump);
    for (unsigned i = 0; i < 2; i++) {
        annot_arena_destroy(arenas[i]);
        spy_child_done(lists[i]);
        spy_child_done(queues[i]);
    }
}
