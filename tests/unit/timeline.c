/* Timelines out of dumps that are written by hand [ANN-HIST, ANN-SUBM]: calls in scopes, two clocks
 * on one line, what is not believed, and files that nobody wrote on purpose. */
#include "timeline/timeline_model.h"
#include "sink.h"
#include "timed_dump.h"

#include <annot/timeline.h>

TestSuite(timeline, .fini = guarded_expect_nothing_left);

static void expect_slice(const struct timed *o, size_t index, const char *name, uint32_t depth,
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
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
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
    cr_assert_eqs(about.slices, 17, about.waiting, 1);
    cr_assert_eqs(about.tracks, 2, about.untimed, 0);
    annot_timeline_waiting waiting;
    cr_assert(annot_timeline_waiting_at(o.timeline, 0, &waiting));
    cr_assert_eq3(waiting.first, 7, waiting.calls, 1, waiting.op, DISPATCH);
}

/* annot/timeline.h: slices come track by track. */
/* Markers are counted against each other: a log that has fewer than the recording names none. */
Test(timeline, markers_of_another_number_are_not_claimed)
{
    struct dump dump;
    annot_timeline_slice slice;
    unsigned calls = 0, markers = 0;
    timed_record(&dump, 2);
    timed_clocks(&dump, 2, timed_even);
    timed_submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    timed_history_of(&dump, 1, 0, 3, (uint64_t[]){20, 30, 40, 50});
    AT_END(timed_close) struct timed o = timed_open(dump);
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++) {
        calls += slice.kind == ANNOT_SLICE_CALL;
        markers += slice.kind == ANNOT_SLICE_SCOPE;
    }
    cr_assert_eqs(calls, 4, markers, 0, "%u calls, %u markers", calls, markers);
}

Test(timeline, every_slice_is_in_its_track)
{
    static const struct {
        annot_track_kind kind;
        uint64_t id;
    } expected[] = {{ANNOT_TRACK_THREAD, 7}, {ANNOT_TRACK_QUEUE, 21}};
    annot_timeline_about about;
    annot_timeline_track track;
    annot_timeline_slice slice;
    size_t next = 0;
    AT_END(timed_close) struct timed o = timed_open(timed_frame());
    annot_timeline_get_about(o.timeline, &about);
    cr_assert_eq(about.tracks, 2);
    for (size_t i = 0; i < about.tracks; i++) {
        cr_assert(annot_timeline_track_at(o.timeline, i, &track));
        cr_assert_eqs(track.kind, expected[i].kind, track.id, expected[i].id, "%zu", i);
        cr_assert_eq(track.first_slice, next, "%zu", i);
        cr_assert(track.slice_count > 0, "%zu", i);
        for (next += track.slice_count; track.slice_count > 0; track.slice_count--) {
            cr_assert(annot_timeline_slice_at(o.timeline, track.first_slice++, &slice));
            cr_assert_eq(slice.track, i);
        }
    }
    cr_assert_eq(next, about.slices);
    cr_assert_not(annot_timeline_track_at(o.timeline, 2, &track));
}

Test(timeline, the_clock_is_the_line_through_the_nearest_pairs)
{
    struct dump dump;
    const uint64_t pairs[][2] = {{100, 1000}, {200, 2000}, {200, 2000}, {400, 3000}};
    timed_record(&dump, 2);
    timed_clocks(&dump, 4, pairs);
    timed_submitted(&dump, 1, 50, 500, STAMPED | COMPLETED, 0);
    timed_history(&dump, 1, 0, (uint64_t[]){150, 200, 300, 400});
    AT_END(timed_close) struct timed o = timed_open(dump);
    expect_slice(&o, 1, "submission 1", 0, 500, 3500, false);
    expect_slice(&o, 3, "CopyBufferRegion", 2, 500, 1500, false);
    expect_slice(&o, 5, "CopyBufferRegion", 3, 1500, 2000, false);
    expect_slice(&o, 7, "Dispatch", 4, 2000, 2500, false);
    expect_slice(&o, 8, "Dispatch", 3, 2500, 3000, false);
}

static void check_untimed(uint32_t problem, size_t pairs, uint32_t flags, uint64_t begin,
                          unsigned untimed, unsigned findings)
{
    struct dump dump;
    annot_finding finding;
    unsigned found = 0;
    timed_record(&dump, 2);
    timed_clocks(&dump, pairs, timed_even);
    timed_submitted(&dump, 1, begin, begin ? 60 : 0, flags, problem);
    timed_history(&dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    AT_END(timed_close) struct timed o = timed_open(dump);
    annot_timeline_about about;
    annot_timeline_get_about(o.timeline, &about);
    cr_assert_eq(about.untimed, untimed, "problem %u", problem);
    cr_assert_eq(about.slices, untimed || begin == 0 ? 1 : 9, "the CPU's call stays: %zu",
                 about.slices);
    for (size_t i = 0; annot_reader_finding(o.reader, i, &finding); i++)
        found += finding.kind == ANNOT_FINDING_HISTORY_UNTRUSTED;
    cr_assert_eq(found, findings);
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
    timed_put(bytes, UINT64_MAX);
    timed_put(bytes + 8, UINT64_MAX);
    timed_put(bytes + 24, 5);
    timed_put(bytes + 32, 1);
    timed_put(bytes + 40, 3);
    timed_record(&dump, 0);
    timed_clocks(&dump, 2,
                 (const uint64_t[][2]){{UINT64_MAX - 5, UINT64_MAX - 9}, {UINT64_MAX, UINT64_MAX}});
    for (size_t i = 0; i < 5; i++)
        dump_put_HISTORY(&dump, &odd[i], bytes, sizeof bytes - i);
    timed_submitted(&dump, 1, 1, UINT64_MAX, 0, 0);
    timed_submitted(&dump, 1, UINT64_MAX, 1, 0, 0);
    timed_submitted(&dump, UINT64_MAX, 7, 7, 0, 99);
    AT_END(timed_close) struct timed o = timed_open(dump);
    annot_timeline_slice slice;
    for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++)
        cr_assert(slice.begin <= slice.end);
}

/* timeline.h: the end of what is unfinished is the timeline's. A clock that was compared last
 * before the work began knows of no later moment. */
Test(timeline, nothing_ends_before_it_begins)
{
    struct dump dump;
    timed_record(&dump, 0);
    timed_clocks(&dump, 2, (const uint64_t[][2]){{0, 0}, {5, 5000}});
    timed_submitted(&dump, 2, 100, 0, STAMPED, 0);
    timed_history(&dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
    AT_END(timed_close) struct timed o = timed_open(dump);
    annot_timeline_slice slice;
    size_t count = 0, late = 0;
    for (; annot_timeline_slice_at(o.timeline, count, &slice); count++) {
        cr_expect(slice.begin <= slice.end, "%zu: %llu to %llu", count,
                  (unsigned long long)slice.begin, (unsigned long long)slice.end);
        late += slice.begin > 5000;
    }
    cr_expect_gt(count, 0);
    cr_expect_gt(late, 0, "some of it is behind the last pair");
}

Test(timeline, every_prefix_gives_one)
{
    AT_END(dump_free) struct dump dump;
    unsigned left = UINT32_MAX;
    const annot_report_sink sink = full_sink(&left);
    dump = timed_frame();
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
}

/* A dump has more recordings than the one that a list executed. */
Test(timeline, scopes_are_those_of_the_recording_that_ran)
{
    struct dump dump = dump_started(ERROR_HUNG, 0);
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
    dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, timed_ops, sizeof timed_ops);
    timed_clocks(&dump, 2, timed_even);
    timed_submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
    timed_history(&dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
    AT_END(timed_close) struct timed o = timed_open(dump);
    expect_slice(&o, 4, "Frame", 2, 20000, 50000, false);
    expect_slice(&o, 6, "Shadow", 3, 30000, 40000, false);
}

/* What a report says of the list in progress: its last call that is done and the first that is not,
 * numbers from 1; 0: none is. */
static void expect_calls(const annot_reader *reader, bool is_said, unsigned done, unsigned pending)
{
    char words[64], *text = report_of(reader, false, NULL);
    snprintf(words, sizeof words, "\n    last call done operation, operation %u, 0.", done);
    cr_expect_eq(strstr(text, words) != NULL, is_said && done > 0, "%u: %s", done, text);
    cr_expect_eq(strstr(text, "last call done") != NULL, is_said && done > 0, "%u: %s", done, text);
    snprintf(words, sizeof words, "\n    call not done  operation, operation %u, for 0.", pending);
    cr_expect_eq(strstr(text, words) != NULL, is_said && pending > 0, "%u: %s", pending, text);
    cr_expect_eq(strstr(text, "call not done") != NULL, is_said && pending > 0, "%s", text);
    free(text);
}

/* Three lists of two calls each; the GPU was done with `done` of the six. What follows for each
 * list, by the rules in words: a list has begun unless an earlier one has a call that is not done,
 * or is known to be in progress or not finished; it is unfinished when a call is not done, or when
 * nothing behind it is done, neither the submission nor a later list's call, and no witness says
 * that it is finished. */
Test(timeline, a_list_is_done_where_something_behind_it_is)
{
    enum { LISTS = 3, CALLS = 2 };
    static const uint32_t states[] = {NOT_SAID, STARTED, FINISHED};
    for (unsigned row = 0; row < 3 * 2 * 2 * 7; row++) {
        const unsigned done = row % 7, is_ended = row / 7 % 2, is_split = row / 14 % 2;
        const uint32_t state = states[row / 28];
        struct dump dump = dump_started(ERROR_HUNG, 0);
        dump_object(&dump, 21, 19, "Graphics");
        dump_recording(&dump, 1, 100);
        dump_queue(&dump, 21, 1, 0);
        dump_submit(&dump, 1, LISTS, (uint64_t[]){1, 1, 1});
        if (state != NOT_SAID)
            dump_row(&dump, 21, 1, 0, 0, state, 0, 0);
        timed_clocks(&dump, 2, timed_even);
        timed_submitted(&dump, 1, 10, is_ended ? 90 : 0, STAMPED, 0);
        for (uint32_t i = 0; i < LISTS; i++) {
            uint8_t bytes[CALLS * 16];
            for (unsigned k = 0; k < CALLS; k++) {
                timed_put(bytes + 16 * k, (uint64_t)9 << 32 | (k + 1));
                timed_put(bytes + 16 * k + 8, CALLS * i + k < done ? 20 + CALLS * i + k : 0);
            }
            for (uint32_t k = 0; k < (is_split ? CALLS : 1); k++)
                dump_add_with(&dump, HISTORY, bytes + 16 * k, is_split ? 16 : sizeof bytes,
                              .queue = 21, .submission = 1, .object = 100, .list = i, .first = k,
                              .count = CALLS);
        }
        AT_END(timed_close) struct timed o = timed_open(dump);
        annot_timeline_slice slice;
        unsigned seen = 0, unfinished = 0, calls = 0;
        for (size_t i = 0; annot_timeline_slice_at(o.timeline, i, &slice); i++) {
            if (slice.kind == ANNOT_SLICE_LIST) {
                seen |= 1u << slice.list;
                unfinished |= (unsigned)slice.is_unfinished << slice.list;
            }
            calls += slice.kind == ANNOT_SLICE_CALL && !slice.is_unfinished;
        }
        bool is_stopped = false;
        unsigned expected_seen = 0, expected_unfinished = 0;
        for (unsigned i = 0; i < LISTS; i++) {
            const bool are_done = done >= CALLS * (i + 1), is_behind = done > CALLS * (i + 1);
            const uint32_t said = i == 0 ? state : NOT_SAID;
            if (is_stopped)
                break;
            expected_seen |= 1u << i;
            if (!are_done || (!is_ended && !is_behind && said != FINISHED))
                expected_unfinished |= 1u << i;
            is_stopped = !are_done || (said == STARTED && !is_behind && !is_ended);
        }
        cr_expect_eq(seen, expected_seen, "row %u: %u done, ended %u, state %u", row, done,
                     is_ended, state);
        cr_expect_eq(unfinished, expected_unfinished, "row %u: %u done, ended %u, state %u", row,
                     done, is_ended, state);
        cr_expect_eq(calls, done, "row %u", row);
        expect_calls(o.reader, state == STARTED, done < CALLS ? done : CALLS,
                     done < CALLS ? done + 1 : 0);
    }
}

/* ---- what is not believed ---- */

/* How many slices of a kind the timeline has. */
static uint32_t slices_of(const annot_timeline *timeline, annot_slice_kind kind)
{
    annot_timeline_slice slice;
    uint32_t count = 0;
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
        count += slice.kind == kind;
    return count;
}

enum spoilt {
    NOTHING,
    LIST,
    MARKER,
    MARKERS,
    NUMBER,
    RECORDINGS,
    LOG,
    SECOND_LIST,
    CALLS,
    TIMES,
    QUEUE
};

static void spoil(struct annot_reader *reader, enum spoilt what)
{
    struct annot__stream *list = &reader->streams[0];
    list->is_damaged = what == LIST;
    list->dropped = what == MARKERS ? 2 : what == MARKER;
    list->operations += what == NUMBER;
    reader->streams[1].is_damaged = what == QUEUE;
    for (uint32_t i = 0; i < 2; i++) {
        if (what == RECORDINGS)
            reader->executions[i].stream = ANNOT__NONE;
        if (what == LOG)
            reader->histories[i].fields.log = 0;
        reader->histories[i].fields.list = what == SECOND_LIST;
        reader->histories[i].is_damaged = what == CALLS;
        reader->submitted[i].is_damaged = what == TIMES;
    }
}

/* Six scopes, two of them the queue's, and seven calls of two submissions; less where what would
 * say so is damaged, of another number or not there. */
Test(timeline, scopes_and_calls_are_those_that_whole_records_tell)
{
    static const struct {
        enum spoilt what;
        uint32_t scopes, calls, submissions;
    } rows[] = {{NOTHING, 5, 7, 2}, {LIST, 1, 7, 2},        {MARKER, 1, 7, 2},
                {MARKERS, 1, 7, 2}, {NUMBER, 1, 7, 2},      {RECORDINGS, 1, 7, 2},
                {LOG, 1, 7, 2},     {SECOND_LIST, 1, 7, 2}, {QUEUE, 4, 7, 2},
                {CALLS, 1, 0, 2},   {TIMES, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dump dump = dump_hung();
        dump_begin(&dump, "Frame");
        dump_begin(&dump, "Shadow");
        dump_end(&dump);
        dump_end(&dump);
        dump_queue(&dump, 21, 2, 1);
        dump_begin(&dump, "Queue");
        dump_submit(&dump, 1, 1, (uint64_t[]){1});
        dump_submit(&dump, 2, 1, (uint64_t[]){1});
        dump_end(&dump);
        dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
        dump_put_OPS(&dump, &(struct annot__dump_OPS){.log = 5}, timed_ops, TIMED_OPS);
        timed_clocks(&dump, 2, timed_even);
        timed_submitted(&dump, 1, 10, 60, STAMPED | COMPLETED, 0);
        timed_history(&dump, 1, 0, (uint64_t[]){20, 30, 40, 50});
        timed_submitted(&dump, 2, 100, 0, STAMPED, 0);
        timed_history(&dump, 2, 0, (uint64_t[]){120, 150, 0, 0});
        AT_END(timed_close) struct timed o = timed_open(dump);
        annot_timeline_destroy(o.timeline);
        spoil(o.reader, rows[i].what);
        cr_assert_eq(annot_timeline_create(o.reader, &o.timeline), ANNOT_OK);
        const uint32_t counts[] = {slices_of(o.timeline, ANNOT_SLICE_SCOPE),
                                   slices_of(o.timeline, ANNOT_SLICE_CALL),
                                   slices_of(o.timeline, ANNOT_SLICE_SUBMISSION),
                                   slices_of(o.timeline, ANNOT_SLICE_SUBMIT)};
        cr_expect(counts[0] == rows[i].scopes && counts[1] == rows[i].calls &&
                      counts[2] == rows[i].submissions && counts[3] == rows[i].submissions,
                  "row %zu: %u, %u, %u, %u", i, counts[0], counts[1], counts[2], counts[3]);
    }
}

/* Without pairs of clocks: from the first call of the CPU's to the last; at 0 without those. */
Test(timeline, begins_and_ends_with_what_it_has)
{
    static const uint64_t pair[][2] = {{1000, 1500}};
    static const struct {
        size_t clocks;
        uint32_t flags;
        uint64_t begin, end;
    } rows[] = {
        {0, CALLED, 1000, 2100}, {1, CALLED, 1000, 2100}, {0, 0, 2100, 2100}, {1, 0, 1500, 2100}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct dump dump;
        annot_timeline_about about;
        timed_record(&dump, 1);
        timed_clocks(&dump, rows[i].clocks, pair);
        for (uint64_t serial = 1; serial < 3; serial++)
            dump_add(&dump, SUBMITTED, .queue = 21, .submission = serial,
                     .cpu_begin = 1000 * serial, .cpu_end = 1000 * serial + 100,
                     .flags = rows[i].flags);
        AT_END(timed_close) struct timed o = timed_open(dump);
        annot_timeline_get_about(o.timeline, &about);
        cr_expect_eq(about.begin, rows[i].begin, "row %zu: %u", i, (unsigned)about.begin);
        cr_expect_eq(about.end, rows[i].end, "row %zu: %u", i, (unsigned)about.end);
    }
}

/* Threads have tracks in the order of their numbers, and their calls come in the order of time. */
Test(timeline, threads_and_their_calls_are_in_order)
{
    static const uint64_t calls[][3] = {
        {9, 100, 200}, {7, 700, 800}, {7, 300, 400}}; /* thread, begin, end */
    static const uint64_t expected[] = {300, 700, 100};
    struct dump dump;
    annot_timeline_slice slice;
    char name[64];
    timed_record(&dump, 1);
    dump_object(&dump, 7, 22, "no thread");
    dump_section(&dump, ANNOT__DUMP_SECTION_HISTORY);
    for (uint32_t i = 0; i < 3; i++)
        dump_add(&dump, SUBMITTED, .queue = 21, .submission = 1 + i, .cpu_begin = calls[i][1],
                 .cpu_end = calls[i][2], .thread = (uint32_t)calls[i][0], .sequence = i,
                 .flags = CALLED);
    AT_END(timed_close) struct timed o = timed_open(dump);
    for (size_t i = 0; i < 3; i++) {
        cr_assert(annot_timeline_slice_at(o.timeline, i, &slice));
        cr_expect_eq(slice.begin, expected[i], "%zu", i);
        cr_expect_eq(slice.track, i / 2, "%zu", i);
        cr_expect_eq(slice.number, 0, "which calls of the GPU have");
    }
    annot_timeline_track_name(o.timeline, 0, name, sizeof name);
    cr_expect_str_eq(name, "thread 7");
    annot_timeline_track_name(o.timeline, 1, name, sizeof name);
    cr_expect_str_eq(name, "thread 9");
}

/* timeline_model.h: a slice past the limit is counted, and has no place. */
Test(timeline, has_as_many_slices_as_a_report_has_nodes)
{
    struct annot_reader reader = {0};
    struct annot_timeline timeline = {.reader = &reader};
    const annot_timeline_slice slice = {.kind = ANNOT_SLICE_CALL};
    timeline.slices.count = timeline.slices.capacity = ANNOT_REPORT_NODE_LIMIT;
    for (uint64_t i = 1; i < 3; i++) {
        cr_expect_eq(annot__slice_add(&timeline, &slice), SIZE_MAX);
        cr_expect_eq(timeline.left_out, i);
    }
    cr_expect_eq(timeline.slices.count, ANNOT_REPORT_NODE_LIMIT);
}
