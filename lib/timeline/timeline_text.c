/* Writes the text of a timeline: a line for each slice, with unfinished slices marked as in
 * reports. */
#include "timeline/timeline_model.h"

#include <annot/dump.h>
#include <string.h>

enum {
    NAME = ANNOT_REPORT_NAME_LIMIT + 1,
    LINES = 100,
    RUN = 3,
    INDENT_MAX = 24,
    WAITING_SHOWN = 40
};

struct lines {
    struct annot__out out;
    const annot_timeline *timeline;
    const annot_report_options *options;
    char name[NAME];
};

static void say(struct lines *lines, const char *text)
{
    annot__out_text(&lines->out, text);
}

/* Writes milliseconds with three decimals in 12 columns. */
static void say_ms(struct lines *lines, uint64_t nanoseconds)
{
    annot__out_format(&lines->out, "%8llu.%03llu", (unsigned long long)(nanoseconds / 1000000),
                      (unsigned long long)(nanoseconds / 1000 % 1000));
}

static void style(struct lines *lines, const char *code)
{
    if (lines->options->color)
        annot__out_format(&lines->out, "\x1b[%sm", code);
}

static void say_depth(struct lines *lines, uint32_t depth)
{
    for (uint32_t i = 0; i < depth && i < INDENT_MAX; i++)
        say(lines, "  ");
    if (depth > INDENT_MAX)
        annot__out_format(&lines->out, "(level %u) ", depth);
}

static void say_slice(struct lines *lines, size_t index, const annot_timeline_slice *slice)
{
    say_ms(lines, annot__since_begin(lines->timeline, slice->begin));
    say(lines, " ");
    say_ms(lines, slice->end - slice->begin);
    style(lines, slice->is_unfinished ? "1;31" : "0");
    say(lines, slice->is_unfinished ? " [>] " : "     ");
    say_depth(lines, slice->depth);
    annot_timeline_slice_name(lines->timeline, index, lines->name, sizeof lines->name);
    say(lines, lines->name);
    style(lines, "0");
    if (slice->kind == ANNOT_SLICE_SUBMIT)
        annot__out_format(&lines->out, ", submission %llu", (unsigned long long)slice->submission);
    if (slice->kind == ANNOT_SLICE_CALL)
        annot__out_format(&lines->out, ", operation %u", (uint32_t)slice->number);
    if (slice->is_unfinished)
        say(lines, slice->kind == ANNOT_SLICE_SUBMIT ? ": had not returned" : ": not done");
    say(lines, "\n");
}

static bool is_done_call(const annot_timeline_slice *slice)
{
    return slice->kind == ANNOT_SLICE_CALL && !slice->is_unfinished;
}

/* Returns the number of consecutive finished calls of one scope or list from `index` on. */
static size_t run_at(const struct lines *lines, size_t index, size_t end)
{
    annot_timeline_slice first, next;
    size_t count = 0;
    annot_timeline_slice_at(lines->timeline, index, &first);
    while (index + count < end && annot_timeline_slice_at(lines->timeline, index + count, &next) &&
           is_done_call(&next) && next.depth == first.depth)
        count++;
    return count;
}

/* Writes several calls as one line. */
static void say_run(struct lines *lines, size_t index, size_t count)
{
    annot_timeline_slice first = {0}, last = {0};
    annot_timeline_slice_at(lines->timeline, index, &first);
    annot_timeline_slice_at(lines->timeline, index + count - 1, &last);
    say_ms(lines, annot__since_begin(lines->timeline, first.begin));
    say(lines, " ");
    say_ms(lines, last.end - first.begin);
    say(lines, "     ");
    say_depth(lines, first.depth);
    annot__out_format(&lines->out, "%llu calls, operations %u to %u\n", (unsigned long long)count,
                      (uint32_t)first.number, (uint32_t)last.number);
}

/* Prints the lines of some slices, or counts them. */
static uint64_t say_slices(struct lines *lines, size_t first, size_t end, uint64_t skip,
                           bool is_counting)
{
    annot_timeline_slice slice = {0};
    uint64_t count = 0;
    for (size_t i = first, run; i < end && !lines->out.has_failed; i += run > 0 ? run : 1) {
        run = lines->options->all ? 0 : run_at(lines, i, end);
        if (run <= RUN)
            run = 0;
        if (count++ < skip || is_counting)
            continue;
        annot_timeline_slice_at(lines->timeline, i, &slice);
        if (run > 0)
            say_run(lines, i, run);
        else
            say_slice(lines, i, &slice);
    }
    return count;
}

/* Writes a track's lines. If there are too many, the first lines are left out, because the last
 * lines show the end. */
static void say_track(struct lines *lines, size_t index, const annot_timeline_track *track)
{
    const uint64_t limit = lines->options->all          ? UINT64_MAX
                           : lines->options->node_limit ? lines->options->node_limit
                                                        : LINES;
    const size_t first = track->first_slice, end = first + track->slice_count;
    annot_timeline_track_name(lines->timeline, index, lines->name, sizeof lines->name);
    style(lines, "1");
    const bool is_named = strncmp(lines->name, "queue #", strlen("queue #")) != 0;
    annot__out_text(&lines->out, track->kind == ANNOT_TRACK_THREAD ? "\nCPU, "
                                 : is_named                        ? "\nGPU, queue "
                                                                   : "\nGPU, ");
    say(lines, lines->name);
    style(lines, "0");
    say(lines, "\n    begin ms      took ms\n");
    const uint64_t count = say_slices(lines, first, end, 0, true);
    const uint64_t skip = count > limit ? count - limit : 0;
    if (skip > 0)
        annot__out_format(&lines->out, "  ... %llu earlier lines; --all shows them\n",
                          (unsigned long long)skip);
    say_slices(lines, first, end, skip, false);
}

static void say_waiting_one(struct lines *lines, const annot_timeline_waiting *waiting)
{
    annot__out_format(&lines->out, "  submission %llu", (unsigned long long)waiting->submission);
    if (waiting->list != ANNOT__NONE)
        annot__out_format(&lines->out, ", %s %llu", annot__words_of(lines->timeline->reader)->list,
                          (unsigned long long)waiting->list + 1);
    if (waiting->is_null_rendering)
        annot__out_format(&lines->out, ": %s",
                          annot_evidence_text(NULL, ANNOT_EVIDENCE_NULL_RENDERING));
    else if (waiting->calls > 0)
        annot__out_format(&lines->out, ": %u call%s, from operation %u (%s) on", waiting->calls,
                          waiting->calls == 1 ? "" : "s", waiting->first,
                          annot_op_text(waiting->op));
    say(lines, "\n");
}

static void say_waiting(struct lines *lines, const char *heading, bool is_null_rendering)
{
    annot_timeline_waiting waiting;
    uint64_t count = 0;
    for (size_t i = 0; annot_timeline_waiting_at(lines->timeline, i, &waiting); i++) {
        if (waiting.is_null_rendering != is_null_rendering)
            continue;
        if (count == 0) {
            style(lines, "1");
            say(lines, heading);
            style(lines, "0");
        }
        if (count++ < WAITING_SHOWN || lines->options->all)
            say_waiting_one(lines, &waiting);
    }
    if (!lines->options->all && count > WAITING_SHOWN)
        annot__out_format(&lines->out, "  ... %llu more\n",
                          (unsigned long long)(count - WAITING_SHOWN));
}

static void say_head(struct lines *lines)
{
    annot_timeline_about about;
    annot_reader_device device;
    annot_timeline_get_about(lines->timeline, &about);
    annot_reader_get_device(lines->timeline->reader, &device);
    style(lines, "1");
    say(lines, "TIMELINE");
    style(lines, "0");
    say(lines, " up to ");
    say(lines, device.is_known ? annot_device_error_headline((int32_t)device.error)
                               : "GPU DUMP (the device record is lost)");
    say(lines, " at");
    say_ms(lines, about.end - about.begin);
    say(lines, " ms\n");
    if (about.tracks == 0)
        say(lines, annot_reader_is_damaged(lines->timeline->reader)
                       ? "  The dump shows no times, perhaps because the dump is damaged.\n"
                       : "  The dump has no times. The emulator records times with "
                         "ANNOT_TIMELINE=1; the layers record none.\n");
    if (about.untimed > 0)
        annot__out_format(&lines->out,
                          "  The GPU's times of %llu submissions are missing or impossible: annot "
                          "show says why.\n",
                          (unsigned long long)about.untimed);
    if (about.forgotten > 0)
        annot__out_format(&lines->out, "  The times of %llu earlier submissions were not kept.\n",
                          (unsigned long long)about.forgotten);
    if (about.left_out > 0)
        annot__out_format(&lines->out, "  %llu slices are left out.\n",
                          (unsigned long long)about.left_out);
}

annot_result annot_timeline_text(const annot_timeline *timeline,
                                 const annot_report_options *options, const annot_report_sink *sink)
{
    static const annot_report_options defaults;
    struct lines *lines = annot__report_allocate(timeline->reader, sizeof *lines);
    annot_timeline_track track;
    if (!lines)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(lines, 0, sizeof *lines);
    lines->out.sink = sink;
    lines->timeline = timeline;
    lines->options = options ? options : &defaults;
    say_head(lines);
    for (size_t i = 0; annot_timeline_track_at(timeline, i, &track); i++)
        say_track(lines, i, &track);
    say_waiting(lines, "\nNOT EXECUTED\n", true);
    say_waiting(lines, "\nWORK THAT THE GPU MAY NOT HAVE BEGUN\n", false);
    const annot_result result = annot__out_flush(&lines->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    annot__report_release(timeline->reader, lines, sizeof *lines);
    return result;
}
