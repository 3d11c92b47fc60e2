/* A long run in little memory: what has to be known when it hangs is the newest work and the scopes
 * around it, however many frames there were and whatever was never closed [ANN-LIFE-02, -06]. */
#include "device_dump.h"
#include "scene.h"
#include "record/types.h"

enum { BUDGET = 1 << 20, BLINK = 1000 };

/* What is done on the queue besides its frames "frame N { list }". */
enum habit {
    TIDY,
    SESSION,          /* a scope around everything */
    SESSION_ENDS,     /* ... that ends just before the last frame */
    LEVELS,           /* scopes around some thousand frames each, inside a session */
    LEAKS,            /* each frame's scope is never ended */
    LEAKS_ALL_CLOSED, /* ... and all at once before the last frame */
    BURSTS,           /* once nothing of 40,000 submissions is completed for a while */
    MARKS_ONLY,       /* a second queue has markers and never a submission */
    SESSION_LOST,     /* the session's Begin found no memory */
    HABITS
};

struct run {
    struct scene s;
    struct spy_child other;
    enum habit habit;
    uint64_t begun; /* markers of the device */
    uint64_t open, deepest;
};

static void begin(struct run *run, const char *name, uint64_t number)
{
    char text[32];
    const int size = number
                         ? snprintf(text, sizeof text, "%s %llu", name, (unsigned long long)number)
                         : snprintf(text, sizeof text, "%s", name);
    annot_context_begin_event(run->s.queue.context, 1, text, (uint32_t)size + 1);
    run->begun++;
    run->open++;
}

static void end(struct run *run)
{
    annot_context_end_event(run->s.queue.context);
    run->open--;
}

static uint64_t submit_list(struct run *run)
{
    return annot_context_submit(run->s.queue.context, &run->s.list.context, 1);
}

static void around_frame(struct run *run, uint64_t frame)
{
    if (run->habit == LEVELS && frame % 5000 == 0) {
        if (run->open > 1)
            end(run);
        begin(run, "level", frame + 1);
    }
    if (run->habit == MARKS_ONLY) {
        annot_context_set_marker(run->other.context, 1, "vsync", 6);
        run->begun++;
    }
}

static void play(struct run *run, uint64_t frames)
{
    uint64_t serial = 0;
    for (uint64_t frame = 0; frame < frames; frame++) {
        around_frame(run, frame);
        begin(run, "frame", frame + 1);
        serial = submit_list(run);
        if (run->habit != LEAKS && run->habit != LEAKS_ALL_CLOSED)
            end(run);
        if (run->habit != BURSTS || frame < frames / 4 || frame > frames / 4 + 40000)
            annot_context_completed(run->s.queue.context, serial);
        spy_forget_calls();
    }
    if (run->habit == SESSION_ENDS || run->habit == LEAKS_ALL_CLOSED)
        while (run->open)
            end(run);
}

static struct run started(enum habit habit)
{
    struct run run = {.s = scene_make(BUDGET), .habit = habit};
    run.other = spy_queue(run.s.device, 0, spy_handle(3));
    if (habit == SESSION_LOST) { /* lists have it all */
        static const char all[60000];
        while (spy_stats(run.s.device).dropped_markers == 0)
            annot_context_set_marker(run.s.list.context, 0, all, sizeof all), run.begun++;
    }
    if (habit == SESSION || habit == SESSION_ENDS || habit == LEVELS || habit == SESSION_LOST)
        begin(&run, "session", 0);
    annot_context_close(run.s.list.context);
    annot_arena_reset(run.s.arena);
    if (habit == SESSION_LOST)
        run.begun = 1;
    annot_context_open(run.s.list.context, run.s.arena);
    annot_context_set_marker(run.s.list.context, 1, "draw", 5);
    annot_context_close(run.s.list.context);
    run.begun++;
    return run;
}

static uint64_t loss(const annot_reader *reader, annot_loss kind)
{
    return annot_reader_loss(reader, kind);
}

static void name_of(const annot_reader *reader, uint32_t entry, char *name, size_t size)
{
    annot_reader_entry_name(reader, entry, name, size);
}

/* The newest submission is there, in its frame, in what was open around that. */
static void expect_newest(const struct run *run, const annot_reader *reader, uint64_t frames)
{
    const uint32_t count = (uint32_t)annot_reader_submission_count(reader);
    annot_reader_submission newest;
    annot_reader_entry entry;
    char name[64], expected[64];
    cr_assert_gt(count, BLINK);
    cr_assert(annot_reader_submission_at(reader, count - 1, &newest));
    cr_expect_eq(newest.serial, frames + 1);
    cr_assert(annot_reader_entry_at(reader, newest.entry, &entry));
    cr_assert_neq(entry.parent, ANNOT_READER_NONE);
    name_of(reader, entry.parent, name, sizeof name);
    cr_expect_str_eq(name, "last");
    cr_assert(annot_reader_entry_at(reader, entry.parent, &entry));
    const uint64_t depth = entry.depth;
    uint32_t outer = entry.parent;
    snprintf(expected, sizeof expected, "%s %llu", run->habit == LEVELS ? "level" : "frame",
             (unsigned long long)(run->habit == LEVELS ? (frames - 1) / 5000 * 5000 + 1 : frames));
    if (run->habit == LEVELS || run->habit == LEAKS) {
        cr_assert_neq(outer, ANNOT_READER_NONE);
        name_of(reader, outer, name, sizeof name);
        cr_expect_str_eq(name, expected);
    }
    while (outer != ANNOT_READER_NONE) {
        name_of(reader, outer, name, sizeof name);
        cr_assert(annot_reader_entry_at(reader, outer, &entry));
        outer = entry.parent;
    }
    if (run->habit == SESSION || run->habit == LEVELS)
        cr_expect_str_eq(name, "session");
    if (run->habit == LEAKS) {
        cr_expect_str_eq(name, "frame 1");
        cr_expect_gt(depth, BLINK);
    } else {
        cr_expect_eq(depth,
                     run->habit == SESSION  ? 1
                     : run->habit == LEVELS ? 2
                                            : 0,
                     "habit %d", run->habit);
    }
}

static uint64_t markers_in(const annot_reader *reader)
{
    uint64_t markers = 0;
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        markers += stream.marker_count;
    return markers;
}

static void run_long(enum habit habit, uint64_t frames)
{
    struct run run = started(habit);
    play(&run, frames);
    begin(&run, "last", 0);
    submit_list(&run);
    cr_expect_leq(spy_stats(run.s.device).live_bytes, BUDGET + 16 * 65536);
    struct device_dump dump = device_dump_take(run.s.device, NULL);
    cr_expect_not(annot_reader_is_damaged(dump.reader), "habit %d", habit);
    expect_newest(&run, dump.reader, frames);
    cr_expect_eq(annot_reader_submission_count(dump.reader) +
                     loss(dump.reader, ANNOT_LOSS_EVICTED_SUBMISSIONS) +
                     loss(dump.reader, ANNOT_LOSS_SUBMISSIONS),
                 frames + 1);
    if (habit != SESSION_LOST)
        cr_expect_eq(markers_in(dump.reader) + loss(dump.reader, ANNOT_LOSS_QUEUE_MARKERS) +
                         loss(dump.reader, ANNOT_LOSS_MARKERS),
                     run.begun, "habit %d: %llu", habit,
                     (unsigned long long)(run.begun - markers_in(dump.reader)));
    device_dump_done(&dump);
    end(&run);
    cr_expect_neq(spy_last()->id, 0, "the newest scope's End names it");
    spy_child_done(run.other);
    scene_done(&run.s);
}

Test(long_run, knows_its_newest_work)
{
    for (int habit = 0; habit < HABITS; habit++)
        run_long((enum habit)habit, 150000);
}

/* A quarter of an hour and more, with what the default budget's sixty-fourth part holds. */
Test(long_run, of_ten_million_frames_knows_its_newest_work, .timeout = 120)
{
    run_long(LEVELS, 10000000);
}
