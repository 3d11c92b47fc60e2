/* Timelines as text and as a trace of events, out of dumps that are written by hand: which slices
 * have lines, what is folded, and the last calls that reports name. */
#include "timeline/timeline_model.h"
#include "sink.h"
#include "timed_dump.h"

#include <annot/timeline.h>

TestSuite(timeline_output, .fini = guarded_expect_nothing_left);

struct text {
    char bytes[32768];
    size_t size;
};

static bool append(void *user, const void *data, size_t size)
{
    struct text *text = user;
    cr_assert(size < sizeof text->bytes - text->size);
    memcpy(text->bytes + text->size, data, size);
    text->size += size;
    return true;
}

static struct text *written(const struct timed *o, bool is_json)
{
    struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(is_json ? annot_timeline_json(o->timeline, &sink)
                         : annot_timeline_text(o->timeline, NULL, &sink),
                 ANNOT_OK);
    return text;
}

/* The trace event format: every event has a phase, a process and a thread; complete events have a
 * time and a duration, flows a time and an identity; braces and quotes are balanced. */
Test(timeline_output, json_is_chrome_trace_events)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    AT_END(at_end_free) struct text *text = written(&o, true);
    unsigned complete = 0, metadata = 0, starts = 0, ends = 0;
    int depth = 0;
    bool in_string = false;
    cr_assert_eq(strncmp(text->bytes, "{\"traceEvents\":[", 16), 0);
    for (size_t i = 0; i < text->size; i++) {
        const char c = text->bytes[i];
        cr_assert(!in_string || (unsigned char)c >= 0x20);
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string)
            depth += (c == '{' || c == '[') - (c == '}' || c == ']');
    }
    cr_assert_eq(depth, 0);
    cr_assert(!in_string);
    for (const char *at = text->bytes; (at = strstr(at, "{\"ph\":\"")); at++) {
        char line[1024];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        cr_assert(strstr(line, "\"pid\":") && strstr(line, "\"tid\":") &&
                  strstr(line, "\"name\":"));
        const bool is_timed = strstr(line, "\"ts\":") != NULL;
        complete += at[7] == 'X' && is_timed && strstr(line, "\"dur\":");
        metadata += at[7] == 'M';
        starts += at[7] == 's' && is_timed && strstr(line, "\"id\":");
        ends += at[7] == 'f' && is_timed && strstr(line, "\"id\":");
    }
    cr_assert(complete == 17 && metadata == 4 && starts == 2 && ends == 2, "%u %u %u %u", complete,
              metadata, starts, ends);
    cr_assert_not_null(strstr(text->bytes, "\"ts\":150.000,\"dur\":850.000"),
                       "from the first call on");
    cr_assert_not_null(strstr(text->bytes, "\"state\":\"in progress\""));
    cr_assert_not_null(strstr(
        text->bytes,
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"ExecuteCommandLists on \\\"Graphics\\\"\""));
    cr_assert_not_null(strstr(text->bytes, "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"name\":\"Frame\""),
                       "another process, and a track of its own");
}

Test(timeline_output, text_marks_what_was_not_done)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    AT_END(at_end_free) struct text *text = written(&o, false);
    cr_assert_not_null(strstr(text->bytes, "[>]         Dispatch, operation 5: not done"), "%s",
                       text->bytes);
    cr_assert_not_null(
        strstr(text->bytes, "submission 2, list 1: 1 call, from operation 7 (Dispatch) on"));
    cr_assert_null(strchr(text->bytes, 0x1b), "names are inert");
}

/* More than three finished calls in a row are one line, unless all are asked for. */
Test(timeline_output, runs_of_calls_are_folded)
{
    for (uint32_t calls = 3; calls <= 4; calls++) {
        struct dump dump;
        uint8_t bytes[4 * 16];
        timed_record(&dump, 2);
        timed_clocks(&dump, 2, timed_even);
        for (uint32_t i = 0; i < calls; i++) {
            timed_put(bytes + 16 * i, (uint64_t)9 << 32 | (10 + i));
            timed_put(bytes + 16 * i + 8, 20 + i);
        }
        timed_submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
        dump_add_with(&dump, HISTORY, bytes, 16 * calls, .queue = 21, .submission = 1,
                      .object = 100, .count = 20);
        AT_END(timed_close) struct timed o = timed_open(dump);
        AT_END(at_end_free) struct text *text = written(&o, false);
        cr_assert_eq(strstr(text->bytes, "4 calls, operations 10 to 13\n") != NULL, calls == 4,
                     "%s", text->bytes);
        cr_assert_eq(strstr(text->bytes, ", operation 11\n") != NULL, calls == 3, "%s",
                     text->bytes);
    }
}

static void times_of_queue(struct dump *dump, uint64_t queue, const uint64_t *times)
{
    uint8_t bytes[2 * 16];
    for (uint32_t i = 0; i < 2; i++) {
        timed_put(bytes + 16 * i, (uint64_t)9 << 32 | (i == 0 ? 3 : 5));
        timed_put(bytes + 16 * i + 8, times[i]);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_add(dump, SUBMITTED, .queue = queue, .submission = 1, .begin = 10, .flags = STAMPED);
    dump_add_with(dump, HISTORY, bytes, sizeof bytes, .queue = queue, .submission = 1,
                  .object = 100, .log = 5, .count = sizeof timed_ops, .markers = 4);
}

/* Each queue has a submission 1, and the file has them in no order. */
Test(timeline_output, reports_name_the_last_calls_of_each_queue)
{
    struct dump dump = dump_hung();
    const uint64_t frame = dump_begin(&dump, "Frame");
    dump_begin(&dump, "Shadow");
    dump_end(&dump);
    dump_end(&dump);
    for (uint64_t queue = 21; queue <= 23; queue++) {
        dump_queue(&dump, queue, 1, 0);
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
    }
    for (uint64_t queue = 21; queue <= 23; queue++)
        dump_row(&dump, queue, 1, 0, 0, STARTED, frame, 0);
    timed_clocks(&dump, 2, timed_even);
    times_of_queue(&dump, 23, (uint64_t[]){0, 0});
    times_of_queue(&dump, 21, (uint64_t[]){20, 0});
    times_of_queue(&dump, 22, (uint64_t[]){20, 40});
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, timed_ops, sizeof timed_ops);
    AT_END(timed_close) struct timed o = timed_open(dump);
    AT_END(at_end_free) char *report = report_of(o.reader, false, NULL);
    static const char *const expected[] = {
        "last call done CopyBufferRegion, operation 3, 0.000980 s before the error\n",
        "call not done  Dispatch, operation 5, for 0.000980 s\n",
        "last call done Dispatch, operation 5, 0.000960 s before the error\n",
        "call not done  CopyBufferRegion, operation 3, for 0.000990 s\n"};
    const char *at = report;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const char *found = strstr(at, expected[i]);
        cr_assert(found, "%s\n%s", expected[i], report);
        at = found;
    }
    AT_END(at_end_free) struct text *json = written(&o, true);
    cr_expect_not_null(strstr(json->bytes, "{\"ph\":\"X\",\"pid\":2,\"tid\":1,"),
                       "the GPU's process, and the first queue's track in it");
}

Test(timeline_output, reports_name_no_call_of_a_list_that_nothing_says_is_in_progress)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    AT_END(at_end_free) char *report = report_of(o.reader, false, NULL);
    cr_assert_null(strstr(report, "last call done"), "nothing says that the list is in progress");
}

static void text_is(const struct timed *o, const annot_report_options *options,
                    const char *expected)
{
    AT_END(at_end_free) struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(annot_timeline_text(o->timeline, options, &sink), ANNOT_OK);
    cr_assert_str_eq(text->bytes, expected);
}

/* A line for each slice, indented by what it lies in, with begin and duration in milliseconds. */
Test(timeline_output, text_has_a_line_for_each_slice)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    text_is(&o, NULL,
            "TIMELINE up to GPU HANG at       1.000 ms\n"
            "\nCPU, thread 7\n"
            "    begin ms      took ms\n"
            "       0.001        0.000     ExecuteCommandLists on \"Graphics\", submission 1\n"
            "       0.002        0.000     ExecuteCommandLists on \"Graphics\", submission 2\n"
            "\nGPU, queue Graphics\n"
            "    begin ms      took ms\n"
            "       0.010        0.050     submission 1\n"
            "       0.010        0.040       list 1\n"
            "       0.010        0.010         CopyBufferRegion, operation 1\n"
            "       0.020        0.030         Frame\n"
            "       0.020        0.010           CopyBufferRegion, operation 3\n"
            "       0.030        0.010           Sha\\x1bdow\n"
            "       0.030        0.010             Dispatch, operation 5\n"
            "       0.040        0.010           Dispatch, operation 7\n"
            "       0.100        0.900 [>] submission 2: not done\n"
            "       0.100        0.900 [>]   list 1: not done\n"
            "       0.100        0.020         CopyBufferRegion, operation 1\n"
            "       0.120        0.880 [>]     Frame: not done\n"
            "       0.120        0.030           CopyBufferRegion, operation 3\n"
            "       0.150        0.850 [>]       Sha\\x1bdow: not done\n"
            "       0.150        0.850 [>]         Dispatch, operation 5: not done\n"
            "\nWORK THAT THE GPU MAY NOT HAVE BEGUN\n"
            "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
}

/* The last lines of a track are shown, since they tell how it ended. */
Test(timeline_output, text_leaves_out_the_first_lines)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    const annot_report_options two = {.node_limit = 2}, all = {.node_limit = 2, .all = true};
    text_is(&o, &two,
            "TIMELINE up to GPU HANG at       1.000 ms\n"
            "\nCPU, thread 7\n"
            "    begin ms      took ms\n"
            "       0.001        0.000     ExecuteCommandLists on \"Graphics\", submission 1\n"
            "       0.002        0.000     ExecuteCommandLists on \"Graphics\", submission 2\n"
            "\nGPU, queue Graphics\n"
            "    begin ms      took ms\n"
            "  ... 13 earlier lines; --all shows them\n"
            "       0.150        0.850 [>]       Sha\\x1bdow: not done\n"
            "       0.150        0.850 [>]         Dispatch, operation 5: not done\n"
            "\nWORK THAT THE GPU MAY NOT HAVE BEGUN\n"
            "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
    AT_END(at_end_free) struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(annot_timeline_text(o.timeline, &all, &sink), ANNOT_OK);
    cr_expect_null(strstr(text->bytes, "earlier lines"));
}

/* On a terminal: headings in bold, what was not done in red. */
Test(timeline_output, has_text_with_colors)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    const annot_report_options options = {.node_limit = 2, .color = true};
    text_is(
        &o, &options,
        "\x1b[1mTIMELINE\x1b[0m up to GPU HANG at       1.000 ms\n"
        "\x1b[1m\nCPU, thread 7\x1b[0m\n"
        "    begin ms      took ms\n"
        "       0.001        0.000\x1b[0m     ExecuteCommandLists on \"Graphics\"\x1b[0m, "
        "submission 1\n"
        "       0.002        0.000\x1b[0m     ExecuteCommandLists on \"Graphics\"\x1b[0m, "
        "submission 2\n"
        "\x1b[1m\nGPU, queue Graphics\x1b[0m\n"
        "    begin ms      took ms\n"
        "  ... 13 earlier lines; --all shows them\n"
        "       0.150        0.850\x1b[1;31m [>]       Sha\\x1bdow\x1b[0m: not done\n"
        "       0.150        0.850\x1b[1;31m [>]         Dispatch\x1b[0m, operation 5: not done\n"
        "\x1b[1m\nWORK THAT THE GPU MAY NOT HAVE BEGUN\n\x1b[0m"
        "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
    annot_timeline_destroy(NULL);
}

/* One submission of a list that has nothing but `count` copies; the last one is not done. */
static void copies(struct dump *dump, uint32_t count)
{
    uint8_t bytes[16 * 8] = {0}, kinds[8];
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 21, 19, "Graphics");
    dump_recording(dump, 1, 100);
    dump_submitted(dump);
    timed_clocks(dump, 2, timed_even);
    timed_submitted(dump, 1, 10, 0, STAMPED, 0);
    for (uint32_t i = 0; i < count; i++) {
        kinds[i] = COPY;
        timed_put(bytes + 16 * i, i + 1);
        timed_put(bytes + 16 * i + 8, i + 1 < count ? 20 + i : 0);
    }
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, kinds, count);
    dump_add_with(dump, HISTORY, bytes, 16 * count, .queue = 21, .submission = 1, .object = 100,
                  .log = 5, .count = count);
    dump_finish(dump);
}

static void copies_are(uint32_t count, bool all, const char *expected)
{
    struct dump dump;
    const annot_report_options options = {.all = all};
    char text[1024];
    copies(&dump, count);
    AT_END(timed_close) struct timed o = timed_open(dump);
    snprintf(text, sizeof text,
             "TIMELINE up to GPU HANG at       1.000 ms\n"
             "\nCPU, thread 7\n"
             "    begin ms      took ms\n"
             "       0.001        0.000     ExecuteCommandLists on \"Graphics\", submission 1\n"
             "\nGPU, queue Graphics\n"
             "    begin ms      took ms\n"
             "       0.010        0.990 [>] submission 1: not done\n"
             "       0.010        0.990 [>]   list 1: not done\n%s",
             expected);
    text_is(&o, &options, text);
}

/* More than three calls that were done one after the other are one line. */
Test(timeline_output, text_joins_calls_that_follow_each_other)
{
    copies_are(4, false,
               "       0.010        0.010         CopyBufferRegion, operation 1\n"
               "       0.020        0.001         CopyBufferRegion, operation 2\n"
               "       0.021        0.001         CopyBufferRegion, operation 3\n"
               "       0.022        0.978 [>]     CopyBufferRegion, operation 4: not done\n");
    copies_are(5, false,
               "       0.010        0.013         4 calls, operations 1 to 4\n"
               "       0.023        0.977 [>]     CopyBufferRegion, operation 5: not done\n");
    copies_are(5, true,
               "       0.010        0.010         CopyBufferRegion, operation 1\n"
               "       0.020        0.001         CopyBufferRegion, operation 2\n"
               "       0.021        0.001         CopyBufferRegion, operation 3\n"
               "       0.022        0.001         CopyBufferRegion, operation 4\n"
               "       0.023        0.977 [>]     CopyBufferRegion, operation 5: not done\n");
}

/* docs/man/annot-timeline.1: categories, arguments, arrows, and what was never begun. */
Test(timeline_output, json_has_every_member)
{
    static const char *const lines[] = {
        "{\"ph\":\"M\",\"pid\":2,\"tid\":0,\"name\":\"process_name\",\"args\":{\"name\":\"GPU\"}}",
        "{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_name\",\"args\":{\"name\":\"thread "
        "7\"}}",
        "{\"ph\":\"M\",\"pid\":2,\"tid\":2,\"name\":\"thread_name\",\"args\":{\"name\":"
        "\"Graphics\"}}",
        "{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"name\":\"ExecuteCommandLists on "
        "\\\"Graphics\\\"\",\"cat\":\"submit\","
        "\"ts\":2.000,\"dur\":0.100,\"args\":{\"submission\":\"2\",\"state\":\"finished\"}}",
        "{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"cat\":\"submit\",\"name\":\"submit\",\"id\":\"1.2\","
        "\"ts\":2.000}",
        "{\"ph\":\"f\",\"pid\":2,\"tid\":2,\"bp\":\"e\",\"cat\":\"submit\",\"name\":\"submit\","
        "\"id\":\"1.2\",\"ts\":100.000}",
        "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"name\":\"submission 2\",\"cat\":\"submission\","
        "\"ts\":100.000,\"dur\":900.000,\"args\":{\"submission\":\"2\",\"state\":\"in progress\"}}",
        "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"name\":\"list 1\",\"cat\":\"list\",\"ts\":10.000,"
        "\"dur\":40.000,\"args\":{\"submission\":\"1\",\"state\":\"finished\",\"list\":0}}",
        "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"name\":\"Frame\",\"cat\":\"marker\",\"ts\":120.000,"
        "\"dur\":880.000,\"args\":{\"submission\":\"2\",\"state\":\"in progress\",\"list\":0,"
        "\"event_id\":\"0x500000010\"}}",
        "{\"ph\":\"X\",\"pid\":2,\"tid\":2,\"name\":\"Dispatch\",\"cat\":\"call\",\"ts\":150.000,"
        "\"dur\":850.000,\"args\":{\"submission\":\"2\",\"state\":\"in progress\",\"list\":0,"
        "\"operation\":5,\"api_sequence_number\":\"0x900000005\"}}",
        "\"otherData\":{\"error\":\"GPU HANG\",\"begin_ns\":\"0\",\"end_ns\":\"1000000\","
        "\"untimed\":0,\"forgotten\":0,\"left_out\":0,\"not_seen_to_begin\":[\n"
        "{\"queue\":1,\"submission\":\"2\",\"list\":0,\"calls\":1,\"operation\":7,"
        "\"kind\":\"Dispatch\"}]}}\n"};
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    AT_END(at_end_free) struct text *text = written(&o, true);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect_not_null(strstr(text->bytes, lines[i]), "%s in\n%s", lines[i], text->bytes);
}

/* Whether the timeline's text says this. */
static bool says(const annot_timeline *timeline, const annot_report_options *options,
                 const char *words)
{
    AT_END(at_end_free) struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(annot_timeline_text(timeline, options, &sink), ANNOT_OK);
    const bool is_said = strstr(text->bytes, words) != NULL;
    return is_said;
}

Test(timeline_output, says_what_it_does_not_have)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    for (uint64_t count = 0; count < 3; count++) {
        char words[3][80];
        snprintf(words[0], sizeof words[0], "\n  %u slices are left out.\n", (unsigned)count);
        snprintf(words[1], sizeof words[1], "  The GPU's times of %u submissions are missing",
                 (unsigned)count);
        snprintf(words[2], sizeof words[2],
                 "  The times of %u earlier submissions were not kept.\n", (unsigned)count);
        o.timeline->left_out = o.timeline->untimed = o.reader->times_forgotten = count;
        for (int i = 0; i < 3; i++)
            cr_expect_eq(says(o.timeline, NULL, words[i]), count > 0, "%s", words[i]);
    }
    cr_expect_not(says(o.timeline, NULL, "has no times"));
    o.timeline->tracks.count = 1;
    cr_expect_not(says(o.timeline, NULL, "has no times"));
    o.timeline->tracks.count = 0;
    cr_expect(says(o.timeline, NULL,
                   "  The dump has no times. The emulator records times with ANNOT_TIMELINE=1; the "
                   "layers record none.\n"));
    for (size_t i = 0; i < ANNOT__FINDING_SLOTS; i++)
        o.reader->findings.of[i].count = 1;
    cr_expect(says(o.timeline, NULL,
                   "  The dump shows no times, perhaps because the dump is damaged.\n"));
    o.timeline->tracks.count = 2;
}

/* Up to 24 levels are indented, deeper ones say their number. */
Test(timeline_output, deep_scopes_say_their_level)
{
    enum { SCOPES = 30 };
    uint8_t ops[2 * SCOPES + 1], bytes[16];
    struct dump dump = dump_hung();
    for (int i = 0; i < SCOPES; i++)
        dump_begin(&dump, "scope");
    for (int i = 0; i < SCOPES; i++)
        dump_end(&dump);
    dump_queue(&dump, 21, 1, 1);
    dump_submit(&dump, 1, 1, (uint64_t[]){1});
    memset(ops, BEGIN, SCOPES);
    ops[SCOPES] = DISPATCH;
    memset(ops + SCOPES + 1, END, SCOPES);
    dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    timed_clocks(&dump, 2, timed_even);
    timed_submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    timed_put(bytes, (uint64_t)9 << 32 | (SCOPES + 1));
    timed_put(bytes + 8, 50);
    dump_add_with(&dump, HISTORY, bytes, sizeof bytes, .queue = 21, .submission = 1, .object = 100,
                  .log = 5, .count = sizeof ops, .markers = 2 * SCOPES);
    AT_END(timed_close) struct timed o = timed_open(dump);
    for (int level = 2; level < SCOPES + 3; level++) {
        char words[128];
        snprintf(words, sizeof words, "     %*s%s", 2 * (level < 24 ? level : 24), "",
                 level < SCOPES + 2 ? "scope\n" : "Dispatch, operation 31\n");
        if (level > 24)
            snprintf(words, sizeof words, "     %*s(level %d) %s", 2 * 24, "", level,
                     level < SCOPES + 2 ? "scope\n" : "Dispatch, operation 31\n");
        cr_expect(says(o.timeline, NULL, words), "%s", words);
    }
}

/* Forty of those that were never begun are listed, all where that is asked for. */
Test(timeline_output, counts_the_others_that_wait)
{
    for (uint32_t count = 39; count < 43; count++) {
        struct dump dump;
        timed_record(&dump, 1);
        timed_clocks(&dump, 2, timed_even);
        for (uint32_t i = 1; i <= count; i++)
            timed_submitted(&dump, i, 0, 0, 0, 0);
        AT_END(timed_close) struct timed o = timed_open(dump);
        for (int is_all = 0; is_all < 2; is_all++) {
            const annot_report_options options = {.all = is_all};
            char last[32], more[32];
            snprintf(last, sizeof last, "\n  submission %u\n", count);
            snprintf(more, sizeof more, "\n  ... %u more\n", count - 40);
            cr_expect(says(o.timeline, &options, "\n  submission 39\n"));
            cr_expect_eq(says(o.timeline, &options, last), is_all || count <= 40, "%u", count);
            cr_expect_eq(says(o.timeline, &options, more), !is_all && count > 40, "%u", count);
            cr_expect_eq(says(o.timeline, &options, " more\n"), !is_all && count > 40, "%u", count);
        }
    }
}

Test(timeline_output, a_full_disk_is_told)
{
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    unsigned left = 0;
    const annot_report_sink sink = full_sink(&left);
    cr_expect_eq(annot_timeline_text(o.timeline, NULL, &sink), ANNOT_ERROR_IO);
    cr_expect_eq(annot_timeline_json(o.timeline, &sink), ANNOT_ERROR_IO);
}

/* ---- the calls that reports name ---- */

/* One queue, whose submission 2 is in progress; times of the submissions whose bits are set. */
static annot_reader *stopped(struct dump *dump, uint32_t times)
{
    *dump = dump_hung();
    const uint64_t frame = dump_begin(dump, "Frame");
    dump_begin(dump, "Shadow");
    dump_end(dump);
    dump_end(dump);
    dump_queue(dump, 21, 3, 1);
    for (uint64_t serial = 1; serial < 4; serial++)
        dump_submit(dump, serial, 1, (uint64_t[]){1});
    dump_row(dump, 21, 2, 0, 0, STARTED, frame, 0);
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, timed_ops, TIMED_OPS);
    timed_clocks(dump, 2, timed_even);
    for (uint32_t serial = 1; serial < 4; serial++)
        if (times >> serial & 1) {
            timed_submitted(dump, serial, 10 * serial, 0, STAMPED, 0);
            timed_history(dump, serial, 0, (uint64_t[]){10 * serial + 5, 0, 0, 0});
        }
    return dump_open(dump, ANNOT_OK);
}

enum spoilt {
    NOTHING,
    TIMES,
    CALLS,
    PROBLEM,
    NO_BEGIN,
    BEGUN_AT_1,
    NO_CLOCK,
    ONE_CLOCK,
    QUEUE,
    LIST
};

static void spoil(struct annot_reader *reader, enum spoilt what)
{
    struct annot__submitted_times *times = &reader->submitted[0];
    if (what == NOTHING)
        return;
    times->is_damaged = what == TIMES;
    times->fields.problem = what == PROBLEM;
    times->fields.queue += what == QUEUE;
    if (what == NO_BEGIN || what == BEGUN_AT_1)
        times->fields.begin = what == BEGUN_AT_1;
    if (what == NO_CLOCK || what == ONE_CLOCK)
        reader->clock_count = what == ONE_CLOCK;
    reader->histories[0].is_damaged = what == CALLS;
    reader->histories[0].fields.list = what == LIST;
}

Test(timeline_output, reports_name_calls_where_the_stops_own_times_can_be_believed)
{
    static const struct {
        enum spoilt what;
        uint32_t times;
        bool is_named;
    } rows[] = {{NOTHING, 0, false},  {NOTHING, 2, false},   {NOTHING, 4, true},
                {NOTHING, 8, false},  {NOTHING, 10, false},  {NOTHING, 14, true},
                {TIMES, 4, false},    {CALLS, 4, false},     {PROBLEM, 4, false},
                {NO_BEGIN, 4, false}, {BEGUN_AT_1, 4, true}, {NO_CLOCK, 4, false},
                {ONE_CLOCK, 4, true}, {QUEUE, 4, false},     {LIST, 4, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(dump_free) struct dump dump;
        AT_END(at_end_close) annot_reader *reader = stopped(&dump, rows[i].times);
        spoil(reader, rows[i].what);
        AT_END(at_end_free) char *report = report_of(reader, false, NULL);
        cr_expect_eq(strstr(report, "\n    last call done CopyBufferRegion, operation 1, ") != NULL,
                     rows[i].is_named, "row %zu: %s", i, report);
        cr_expect_eq(strstr(report, "\n    call not done  CopyBufferRegion, operation 3, for ") !=
                         NULL,
                     rows[i].is_named, "row %zu: %s", i, report);
    }
}
