/*
 * Timelines out of dumps that are written by hand [ANN-HIST, ANN-SUBM]: calls in scopes, two clocks
 * on one line, what is not believed, and files that nobody wrote on purpose.
 */
#include "dump_builder.h"
#include "guarded.h"

#include <annot/timeline.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(timeline, .fini = guarded_expect_nothing_left);

enum { SET = 0, BEGIN = 1, END = 2, DISPATCH = 6, COPY = 7 };
enum { STAMPED = 1, COMPLETED = 2, NULL_RENDERING = 4, CALLED = 8 };

/* copy, Frame { copy, Shadow { dispatch }, dispatch }: 8 operations, four of them with times. */
static const uint8_t ops[] = {COPY, BEGIN, COPY, BEGIN, DISPATCH, END, DISPATCH, END};

static void put_u64(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void clocks(struct dump *dump, size_t count, const uint64_t (*pairs)[2])
{
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    for (size_t i = 0; i < count; i++)
        dump_put_CLOCK(dump,
                       &(struct annot__dump_CLOCK){
                           .gpu = pairs[i][0], .cpu = pairs[i][1], .frequency = 1000000},
                       NULL, 0);
}

static void history_of(struct dump *dump, uint64_t serial, uint32_t list, uint32_t markers,
                       const uint64_t *times)
{
    static const uint32_t calls[] = {1, 3, 5, 7};
    uint8_t bytes[4 * 16];
    for (int i = 0; i < 4; i++) {
        put_u64(bytes + 16 * i, (uint64_t)9 << 32 | calls[i]);
        put_u64(bytes + 16 * i + 8, times[i]);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_HISTORY(dump,
                     &(struct annot__dump_HISTORY){.queue = 21,
                                                   .submission = serial,
                                                   .object = 100,
                                                   .log = 5,
                                                   .list = list,
                                                   .count = sizeof ops,
                                                   .markers = markers},
                     bytes, sizeof bytes);
}

static void history(struct dump *dump, uint64_t serial, uint32_t list, const uint64_t *times)
{
    history_of(dump, serial, list, 4, times);
}

static void submitted(struct dump *dump, uint64_t serial, uint64_t begin, uint64_t end,
                      uint32_t flags, uint32_t problem)
{
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_SUBMITTED(dump,
                       &(struct annot__dump_SUBMITTED){.queue = 21,
                                                       .submission = serial,
                                                       .cpu_begin = 1000 * serial,
                                                       .cpu_end = 1000 * serial + 100,
                                                       .begin = begin,
                                                       .end = end,
                                                       .thread = 7,
                                                       .sequence = (uint32_t)serial,
                                                       .flags = flags | CALLED,
                                                       .problem = problem},
                       NULL, 0);
}

static void record(struct dump *dump, uint64_t completed)
{
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 21, 19, "Graphics");
    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame");
    dump_begin(dump, "Sha\x1b"
                     "dow");
    dump_end(dump);
    dump_end(dump);
    dump_queue(dump, 21, 2, completed);
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    dump_submit(dump, 2, 1, (uint64_t[]){1});
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
}

static const uint64_t even[][2] = {{0, 0}, {1000, 1000000}};

/* The first submission is done; the second stopped at its third call. */
static void frame(struct dump *dump)
{
    record(dump, 1);
    clocks(dump, 2, even);
    submitted(dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    history(dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    submitted(dump, 2, 100, 0, STAMPED, 0);
    history(dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
    dump_finish(dump);
}

struct opened {
    annot_reader *reader;
    annot_timeline *timeline;
};

static struct opened open_dump(const struct dump *dump)
{
    struct opened o;
    o.reader = dump_open(dump, ANNOT_OK);
    cr_assert_eq(annot_timeline_create(o.reader, &o.timeline), ANNOT_OK);
    return o;
}

static void close_dump(struct opened *o, struct dump *dump)
{
    annot_timeline_destroy(o->timeline);
    annot_reader_close(o->reader);
    dump_free(dump);
}

static void expect_slice(const struct opened *o, size_t index, const char *name, uint32_t depth,
                         uint64_t begin, uint64_t end, bool is_unfinished)
{
    annot_timeline_slice slice;
    char text[64];
    cr_assert(annot_timeline_slice_at(o->timeline, index, &slice), "%zu", index);
    annot_timeline_slice_name(o->timeline, index, text, sizeof text);
    cr_assert_str_eq(text, name, "%zu: %s", index, text);
    cr_assert(slice.depth == depth && slice.begin == begin && slice.end == end,
              "%s: %u, %llu, %llu", name, slice.depth, (unsigned long long)slice.begin,
              (unsigned long long)slice.end);
    cr_assert_eq(slice.is_unfinished, is_unfinished, "%s", name);
}

Test(timeline, calls_lie_in_scopes)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
    expect_slice(&o, 0, "ExecuteCommandLists on \"Graphics\"", 0, 1000, 1100, false);
    expect_slice(&o, 1, "ExecuteCommandLists on \"Graphics\"", 0, 2000, 2100, false);
    expect_slice(&o, 2, "submission 1", 0, 10000, 60000, false);
    expect_slice(&o, 3, "list 1", 1, 10000, 50000, false);
    expect_slice(&o, 4, "CopyBufferRegion", 2, 10000, 20000, false);
    expect_slice(&o, 5, "Frame", 2, 20000, 50000, false);
    expect_slice(&o, 6, "CopyBufferRegion", 3, 20000, 30000, false);
    expect_slice(&o, 7, "Sha\\x1bdow", 3, 30000, 40000, false);
    expect_slice(&o, 8, "Dispatch", 4, 30000, 40000, false);
    expect_slice(&o, 9, "Dispatch", 3, 40000, 50000, false);
    expect_slice(&o, 10, "submission 2", 0, 100000, 1000000, true);
    expect_slice(&o, 11, "list 1", 1, 100000, 1000000, true);
    expect_slice(&o, 12, "CopyBufferRegion", 2, 100000, 120000, false);
    expect_slice(&o, 13, "Frame", 2, 120000, 1000000, true);
    expect_slice(&o, 14, "CopyBufferRegion", 3, 120000, 150000, false);
    expect_slice(&o, 15, "Sha\\x1bdow", 3, 150000, 1000000, true);
    expect_slice(&o, 16, "Dispatch", 4, 150000, 1000000, true);
    annot_timeline_about about;
    annot_timeline_get_about(o.timeline, &about);
    cr_assert(about.slices == 17 && about.waiting == 1 && about.tracks == 2 && about.untimed == 0);
    annot_timeline_waiting waiting;
    cr_assert(annot_timeline_waiting_at(o.timeline, 0, &waiting));
    cr_assert(waiting.first == 7 && waiting.calls == 1 && waiting.op == DISPATCH);
    close_dump(&o, &dump);
}

/* annot/timeline.h: slices come track by track. */
/* Markers are counted against each other: a log that has fewer than the recording names none. */
Test(timeline, markers_of_another_number_are_not_claimed)
{
    struct dump dump;
    annot_timeline_slice slice;
    unsigned calls = 0, markers = 0;
    record(&dump, 2);
    clocks(&dump, 2, even);
    submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    history_of(&dump, 1, 0, 3, (uint64_t[]){20, 30, 40, 50});
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++) {
        calls += slice.kind == ANNOT_SLICE_CALL;
        markers += slice.kind == ANNOT_SLICE_SCOPE;
    }
    cr_assert(calls == 4 && markers == 0, "%u calls, %u markers", calls, markers);
    close_dump(&o, &dump);
}

Test(timeline, every_slice_is_in_its_track)
{
    static const struct {
        annot_track_kind kind;
        uint64_t id;
    } expected[] = {{ANNOT_TRACK_THREAD, 7}, {ANNOT_TRACK_QUEUE, 21}};
    struct dump dump;
    annot_timeline_about about;
    annot_timeline_track track;
    annot_timeline_slice slice;
    size_t next = 0;
    frame(&dump);
    struct opened o = open_dump(&dump);
    annot_timeline_get_about(o.timeline, &about);
    cr_assert_eq(about.tracks, 2);
    for (size_t i = 0; i < about.tracks; i++) {
        cr_assert(annot_timeline_track_at(o.timeline, i, &track));
        cr_assert(track.kind == expected[i].kind && track.id == expected[i].id, "%zu", i);
        cr_assert(track.first_slice == next && track.slice_count > 0, "%zu", i);
        for (next += track.slice_count; track.slice_count > 0; track.slice_count--) {
            cr_assert(annot_timeline_slice_at(o.timeline, track.first_slice++, &slice));
            cr_assert_eq(slice.track, i);
        }
    }
    cr_assert_eq(next, about.slices);
    cr_assert_not(annot_timeline_track_at(o.timeline, 2, &track));
    close_dump(&o, &dump);
}

Test(timeline, the_clock_is_the_line_through_the_nearest_pairs)
{
    struct dump dump;
    const uint64_t pairs[][2] = {{100, 1000}, {200, 2000}, {200, 2000}, {400, 3000}};
    record(&dump, 2);
    clocks(&dump, 4, pairs);
    submitted(&dump, 1, 50, 500, STAMPED | COMPLETED, 0);
    history(&dump, 1, 0, (uint64_t[]){150, 200, 300, 400});
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    expect_slice(&o, 1, "submission 1", 0, 500, 3500, false);
    expect_slice(&o, 3, "CopyBufferRegion", 2, 500, 1500, false);
    expect_slice(&o, 5, "CopyBufferRegion", 3, 1500, 2000, false);
    expect_slice(&o, 7, "Dispatch", 4, 2000, 2500, false);
    expect_slice(&o, 8, "Dispatch", 3, 2500, 3000, false);
    close_dump(&o, &dump);
}

static void check_untimed(uint32_t problem, size_t pairs, uint32_t flags, uint64_t begin,
                          unsigned untimed, unsigned findings)
{
    struct dump dump;
    annot_finding finding;
    unsigned found = 0;
    record(&dump, 2);
    clocks(&dump, pairs, even);
    submitted(&dump, 1, begin, begin ? 60 : 0, flags, problem);
    history(&dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    annot_timeline_about about;
    annot_timeline_get_about(o.timeline, &about);
    cr_assert_eq(about.untimed, untimed, "problem %u", problem);
    cr_assert_eq(about.slices, untimed || begin == 0 ? 1 : 9, "the CPU's call stays: %zu",
                 about.slices);
    for (size_t i = 0; annot_reader_finding(o.reader, i, &finding); i++)
        found += finding.kind == ANNOT_FINDING_HISTORY_UNTRUSTED;
    cr_assert_eq(found, findings);
    close_dump(&o, &dump);
}

Test(timeline, times_that_break_a_rule_are_none)
{
    check_untimed(0, 2, STAMPED | COMPLETED, 10, 0, 0);
    check_untimed(0, 0, STAMPED | COMPLETED, 10, 1, 0); /* no clocks */
    check_untimed(0, 2, COMPLETED, 0, 1, 0);            /* done, and no times */
    check_untimed(0, 2, NULL_RENDERING | COMPLETED, 0, 0, 0);
    for (uint32_t problem = 1; problem <= 16; problem++)
        check_untimed(problem, 2, STAMPED | COMPLETED, 10, 1, problem != 9 /* no memory */);
}

/* Numbers that no runtime gives out, recordings that are not there, times that go back. */
Test(timeline, anything_at_all_gives_a_timeline)
{
    struct dump dump;
    uint8_t bytes[3 * 16] = {0};
    const struct annot__dump_HISTORY odd[] = {
        {.queue = 21, .submission = 1, .log = 5, .count = 1, .markers = 4},
        {.queue = 21, .submission = 1, .log = 5, .list = UINT32_MAX, .count = UINT32_MAX},
        {.queue = 21, .submission = 1, .log = UINT64_MAX, .count = 8, .markers = UINT32_MAX},
        {.queue = 99, .submission = 1, .log = 5, .count = 8, .markers = 4},
        {.queue = 21, .submission = UINT64_MAX, .log = 5, .count = 8, .markers = 4},
    };
    put_u64(bytes, UINT64_MAX);
    put_u64(bytes + 8, UINT64_MAX);
    put_u64(bytes + 24, 5);
    put_u64(bytes + 32, 1);
    put_u64(bytes + 40, 3);
    record(&dump, 0);
    clocks(&dump, 2,
           (const uint64_t[][2]){{UINT64_MAX - 5, UINT64_MAX - 9}, {UINT64_MAX, UINT64_MAX}});
    for (size_t i = 0; i < 5; i++)
        dump_put_HISTORY(&dump, &odd[i], bytes, sizeof bytes - i);
    submitted(&dump, 1, 1, UINT64_MAX, 0, 0);
    submitted(&dump, 1, UINT64_MAX, 1, 0, 0);
    submitted(&dump, UINT64_MAX, 7, 7, 0, 99);
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    annot_timeline_slice slice;
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++)
        cr_assert(slice.begin <= slice.end);
    close_dump(&o, &dump);
}

/* timeline.h: the end of what is unfinished is the timeline's. A clock that was compared last
 * before the work began knows of no later moment. */
Test(timeline, nothing_ends_before_it_begins)
{
    struct dump dump;
    record(&dump, 0);
    clocks(&dump, 2, (const uint64_t[][2]){{0, 0}, {5, 5000}});
    submitted(&dump, 2, 100, 0, STAMPED, 0);
    history(&dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    annot_timeline_slice slice;
    size_t count = 0, late = 0;
    for (; annot_timeline_slice_at(o.timeline, count, &slice); count++) {
        cr_expect(slice.begin <= slice.end, "%zu: %llu to %llu", count,
                  (unsigned long long)slice.begin, (unsigned long long)slice.end);
        late += slice.begin > 5000;
    }
    cr_expect_gt(count, 0);
    cr_expect_gt(late, 0, "some of it is behind the last pair");
    close_dump(&o, &dump);
}

static bool drop(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return true;
}

Test(timeline, every_prefix_gives_one)
{
    struct dump dump;
    const annot_report_sink sink = {.write = drop};
    frame(&dump);
    for (size_t size = 0; size <= dump.size; size++) {
        annot_reader *reader;
        annot_timeline *timeline;
        annot_reader_open_memory(&guarded_memory, dump.data, size, &reader);
        if (!reader)
            continue;
        cr_assert_eq(annot_timeline_create(reader, &timeline), ANNOT_OK);
        cr_assert_eq(annot_timeline_text(timeline, NULL, &sink), ANNOT_OK);
        cr_assert_eq(annot_timeline_json(timeline, &sink), ANNOT_OK);
        annot_timeline_destroy(timeline);
        annot_reader_close(reader);
    }
    dump_free(&dump);
}

/* ---- output ---- */

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

static struct text *written(const struct opened *o, bool is_json)
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
Test(timeline, json_is_chrome_trace_events)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
    struct text *text = written(&o, true);
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
    cr_assert(depth == 0 && !in_string);
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
    free(text);
    close_dump(&o, &dump);
}

Test(timeline, text_marks_what_was_not_done)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
    struct text *text = written(&o, false);
    cr_assert_not_null(strstr(text->bytes, "[>]         Dispatch, operation 5: not done"), "%s",
                       text->bytes);
    cr_assert_not_null(
        strstr(text->bytes, "submission 2, list 1: 1 call, from operation 7 (Dispatch) on"));
    cr_assert_null(strchr(text->bytes, 0x1b), "names are inert");
    free(text);
    close_dump(&o, &dump);
}

/* The report of annot show has the last call that was done, and the one that was not, with their
 * times. */
/* More than three finished calls in a row are one line, unless all are asked for. */
Test(timeline, runs_of_calls_are_folded)
{
    for (uint32_t calls = 3; calls <= 4; calls++) {
        struct dump dump;
        uint8_t bytes[4 * 16];
        record(&dump, 2);
        clocks(&dump, 2, even);
        for (uint32_t i = 0; i < calls; i++) {
            put_u64(bytes + 16 * i, (uint64_t)9 << 32 | (10 + i));
            put_u64(bytes + 16 * i + 8, 20 + i);
        }
        submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
        dump_put_HISTORY(
            &dump,
            &(struct annot__dump_HISTORY){.queue = 21, .submission = 1, .object = 100, .count = 20},
            bytes, 16 * calls);
        dump_finish(&dump);
        struct opened o = open_dump(&dump);
        struct text *text = written(&o, false);
        cr_assert_eq(strstr(text->bytes, "4 calls, operations 10 to 13\n") != NULL, calls == 4,
                     "%s", text->bytes);
        cr_assert_eq(strstr(text->bytes, ", operation 11\n") != NULL, calls == 3, "%s",
                     text->bytes);
        free(text);
        close_dump(&o, &dump);
    }
}

Test(timeline, colours_are_asked_for)
{
    struct dump dump;
    const annot_report_options options = {.color = true};
    frame(&dump);
    struct opened o = open_dump(&dump);
    struct text text = {0};
    const annot_report_sink sink = {&text, append};
    cr_assert_eq(annot_timeline_text(o.timeline, &options, &sink), ANNOT_OK);
    cr_assert_not_null(strstr(text.bytes, "\x1b[1;31m [>]         Dispatch"), "%s", text.bytes);
    cr_assert_not_null(strstr(text.bytes, "\x1b[1m"));
    annot_timeline_destroy(NULL);
    close_dump(&o, &dump);
}

static void times_of_queue(struct dump *dump, uint64_t queue, const uint64_t *times)
{
    uint8_t bytes[2 * 16];
    for (uint32_t i = 0; i < 2; i++) {
        put_u64(bytes + 16 * i, (uint64_t)9 << 32 | (i == 0 ? 3 : 5));
        put_u64(bytes + 16 * i + 8, times[i]);
    }
    dump_section(dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_SUBMITTED(dump,
                       &(struct annot__dump_SUBMITTED){
                           .queue = queue, .submission = 1, .begin = 10, .flags = STAMPED},
                       NULL, 0);
    dump_put_HISTORY(dump,
                     &(struct annot__dump_HISTORY){.queue = queue,
                                                   .submission = 1,
                                                   .object = 100,
                                                   .log = 5,
                                                   .count = sizeof ops,
                                                   .markers = 4},
                     bytes, sizeof bytes);
}

/* Each queue has a submission 1, and the file has them in no order. */
Test(timeline, reports_name_the_last_calls_of_each_queue)
{
    struct dump dump = {0};
    dump_start(&dump, ERROR_HUNG, 0);
    dump_recording(&dump, 1, 100);
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
    clocks(&dump, 2, even);
    times_of_queue(&dump, 23, (uint64_t[]){0, 0});
    times_of_queue(&dump, 21, (uint64_t[]){20, 0});
    times_of_queue(&dump, 22, (uint64_t[]){20, 40});
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    dump_finish(&dump);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    char *report = report_of(reader, false, NULL);
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
    free(report);
    struct opened o = {.reader = reader};
    cr_assert_eq(annot_timeline_create(reader, &o.timeline), ANNOT_OK);
    struct text *json = written(&o, true);
    cr_expect_not_null(strstr(json->bytes, "{\"ph\":\"X\",\"pid\":2,\"tid\":1,"),
                       "the GPU's process, and the first queue's track in it");
    free(json);
    close_dump(&o, &dump);
}

Test(timeline, reports_name_the_last_calls)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
    char *report = report_of(o.reader, false, NULL);
    cr_assert_null(strstr(report, "last call done"), "nothing says that the list is in progress");
    free(report);
    close_dump(&o, &dump);
}

static void text_is(const struct opened *o, const annot_report_options *options,
                    const char *expected)
{
    struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(annot_timeline_text(o->timeline, options, &sink), ANNOT_OK);
    cr_assert_str_eq(text->bytes, expected, "%s", text->bytes);
    free(text);
}

/* A line for each slice, indented by what it lies in, with begin and duration in milliseconds. */
Test(timeline, text_has_a_line_for_each_slice)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
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
            "\nNEVER BEGUN\n"
            "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
    close_dump(&o, &dump);
}

/* The last lines of a track are shown, since they tell how it ended. */
Test(timeline, text_leaves_out_the_first_lines)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
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
            "\nNEVER BEGUN\n"
            "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
    struct text *text = calloc(1, sizeof *text);
    const annot_report_sink sink = {text, append};
    cr_assert_eq(annot_timeline_text(o.timeline, &all, &sink), ANNOT_OK);
    cr_expect_null(strstr(text->bytes, "earlier lines"));
    free(text);
    close_dump(&o, &dump);
}

/* On a terminal: headings in bold, what was not done in red. */
Test(timeline, text_with_colors)
{
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
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
        "\x1b[1m\nNEVER BEGUN\n\x1b[0m"
        "  submission 2, list 1: 1 call, from operation 7 (Dispatch) on\n");
    close_dump(&o, &dump);
}

/* One submission of a list that has nothing but `count` copies; the last one is not done. */
static void copies(struct dump *dump, uint32_t count)
{
    uint8_t bytes[16 * 8] = {0}, kinds[8];
    dump_start(dump, ERROR_HUNG, 0);
    dump_object(dump, 21, 19, "Graphics");
    dump_recording(dump, 1, 100);
    dump_queue(dump, 21, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){1});
    clocks(dump, 2, even);
    submitted(dump, 1, 10, 0, STAMPED, 0);
    for (uint32_t i = 0; i < count; i++) {
        kinds[i] = COPY;
        put_u64(bytes + 16 * i, i + 1);
        put_u64(bytes + 16 * i + 8, i + 1 < count ? 20 + i : 0);
    }
    dump_put_OPS(dump, &(struct annot__dump_OPS){.log = 5}, kinds, count);
    dump_put_HISTORY(dump,
                     &(struct annot__dump_HISTORY){
                         .queue = 21, .submission = 1, .object = 100, .log = 5, .count = count},
                     bytes, 16 * count);
    dump_finish(dump);
}

static void copies_are(uint32_t count, bool all, const char *expected)
{
    struct dump dump;
    const annot_report_options options = {.all = all};
    char text[1024];
    copies(&dump, count);
    struct opened o = open_dump(&dump);
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
    close_dump(&o, &dump);
}

/* More than three calls that were done one after the other are one line. */
Test(timeline, text_joins_calls_that_follow_each_other)
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
Test(timeline, json_has_every_member)
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
        "\"untimed\":0,\"forgotten\":0,\"left_out\":0,\"never_begun\":[\n"
        "{\"queue\":1,\"submission\":\"2\",\"list\":0,\"calls\":1,\"operation\":7,"
        "\"kind\":\"Dispatch\"}]}}\n"};
    struct dump dump;
    frame(&dump);
    struct opened o = open_dump(&dump);
    struct text *text = written(&o, true);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        cr_expect_not_null(strstr(text->bytes, lines[i]), "%s in\n%s", lines[i], text->bytes);
    free(text);
    close_dump(&o, &dump);
}

/* A dump has more recordings than the one that a list executed. */
Test(timeline, scopes_are_those_of_the_recording_that_ran)
{
    struct dump dump;
    dump_start(&dump, ERROR_HUNG, 0);
    dump_object(&dump, 21, 19, "Graphics");
    for (uint64_t i = 1; i <= 3; i++) {
        dump_recording(&dump, i, 99 + i);
        dump_begin(&dump, i == 2 ? "Frame" : "another frame");
        dump_begin(&dump, i == 2 ? "Shadow" : "another shadow");
        dump_end(&dump);
        dump_end(&dump);
    }
    dump_queue(&dump, 21, 1, 0);
    dump_submit(&dump, 1, 1, (uint64_t[]){2});
    dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, ops, sizeof ops);
    clocks(&dump, 2, even);
    submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    history(&dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    dump_finish(&dump);
    struct opened o = open_dump(&dump);
    expect_slice(&o, 4, "Frame", 2, 20000, 50000, false);
    expect_slice(&o, 6, "Shadow", 3, 30000, 40000, false);
    close_dump(&o, &dump);
}
