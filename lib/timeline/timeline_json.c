/* Writes Chrome trace events: one process for the CPU's threads, one process for the device, a
 * complete event ("X") for each slice, and an arrow from each call of ExecuteCommandLists to its
 * execution. Numbers of 64 bits are strings. */
#include "timeline/timeline_model.h"
#include "json/json_writer.h"

#include <annot/dump.h>

enum { CPU = 1, GPU = 2, NAME = 4096 };

struct trace {
    struct annot__out out;
    struct annot__json to; /* into it */
    const annot_timeline *timeline;
    char name[NAME];
};

/* Microseconds. */
static void say_time(struct trace *trace, const char *key, uint64_t nanoseconds)
{
    annot__json_key(&trace->to, key);
    annot__out_format(&trace->out, "%llu.%03u", (unsigned long long)(nanoseconds / 1000),
                      (unsigned)(nanoseconds % 1000));
}

static void start_event(struct trace *trace, const char *phase, unsigned process, uint64_t track)
{
    annot__json_format(&trace->to, "\n{ph:%s pid:%u tid:" JSON_U64, phase, process, track);
}

static void name_it(struct trace *trace, const char *what, unsigned process, uint64_t track,
                    const char *name)
{
    start_event(trace, "M", process, track);
    annot__json_format(&trace->to, "name:%s args:{name:%s}}", what, name);
}

static void name_tracks(struct trace *trace)
{
    annot_timeline_track track;
    for (size_t i = 0; annot_timeline_track_at(trace->timeline, i, &track); i++) {
        annot_timeline_track_name(trace->timeline, i, trace->name, sizeof trace->name);
        name_it(trace, "thread_name", track.kind == ANNOT_TRACK_THREAD ? CPU : GPU, i + 1,
                trace->name);
    }
}

/* By annot_slice_kind. */
static const char *const categories[] = {NULL, "submit", "submission", "list", "marker", "call"};

static void say_arguments(struct trace *trace, const annot_timeline_slice *slice)
{
    struct annot__json *to = &trace->to;
    annot__json_format(to, "args:{submission:" JSON_DIGITS " state:%s", slice->submission,
                       slice->is_unfinished ? "in progress" : "finished");
    if (slice->list != ANNOT__NONE)
        annot__json_format(to, "list:%u", slice->list);
    if (slice->kind == ANNOT_SLICE_CALL)
        annot__json_format(to, "operation:%u api_sequence_number:" JSON_HEX,
                           (uint32_t)slice->number, slice->number);
    if (slice->entry != ANNOT__NONE)
        annot__json_format(to, "event_id:" JSON_HEX,
                           annot__entry_event_id(trace->timeline->reader, slice->entry));
    annot__json_format(to, "}}");
}

/* Writes an end of an arrow, at the slice of that time. */
static void say_flow(struct trace *trace, const annot_timeline_slice *slice)
{
    const bool is_start = slice->kind == ANNOT_SLICE_SUBMIT;
    if ((!is_start && slice->kind != ANNOT_SLICE_SUBMISSION) || slice->queue == ANNOT__NONE)
        return;
    start_event(trace, is_start ? "s" : "f", is_start ? CPU : GPU, (uint64_t)slice->track + 1);
    if (!is_start)
        annot__json_format(&trace->to, "bp:%s", "e");
    annot__json_format(&trace->to, "cat:%s name:%s", "submit", "submit");
    annot__json_key(&trace->to, "id");
    annot__out_format(&trace->out, "\"%u.%llu\"", slice->queue,
                      (unsigned long long)slice->submission);
    say_time(trace, "ts", annot__since_begin(trace->timeline, slice->begin));
    annot__json_close(&trace->to, "}");
}

static void say_slices(struct trace *trace)
{
    annot_timeline_slice slice;
    for (size_t i = 0;
         annot_timeline_slice_at(trace->timeline, i, &slice) && !trace->out.has_failed; i++) {
        annot_timeline_slice_name(trace->timeline, i, trace->name, sizeof trace->name);
        start_event(trace, "X", slice.kind == ANNOT_SLICE_SUBMIT ? CPU : GPU,
                    (uint64_t)slice.track + 1);
        annot__json_format(&trace->to, "name:%s cat:%s", trace->name, categories[slice.kind]);
        say_time(trace, "ts", annot__since_begin(trace->timeline, slice.begin));
        say_time(trace, "dur", slice.end - slice.begin);
        say_arguments(trace, &slice);
        say_flow(trace, &slice);
    }
}

static void say_waiting_one(struct trace *trace, const annot_timeline_waiting *waiting)
{
    struct annot__json *to = &trace->to;
    annot__json_element(to);
    annot__json_key(to, "queue");
    annot__out_format(&trace->out, "%lld",
                      waiting->queue == ANNOT__NONE ? -1LL : (long long)waiting->queue);
    annot__json_format(to, "submission:" JSON_DIGITS, waiting->submission);
    if (waiting->list != ANNOT__NONE)
        annot__json_format(to, "list:%u calls:%u", waiting->list, waiting->calls);
    if (waiting->first != 0)
        annot__json_format(to, "operation:%u kind:%s", waiting->first, annot_op_text(waiting->op));
    annot__json_format(to, "}");
}

/* Writes the work that waits, unless there is none. */
static void say_waiting(struct trace *trace, const char *heading, bool is_null_rendering)
{
    annot_timeline_waiting waiting;
    bool is_open = !is_null_rendering;
    if (is_open)
        annot__json_open(&trace->to, heading, "[");
    for (size_t i = 0; annot_timeline_waiting_at(trace->timeline, i, &waiting); i++) {
        if (waiting.is_null_rendering != is_null_rendering)
            continue;
        if (!is_open)
            annot__json_open(&trace->to, heading, "[");
        is_open = true;
        say_waiting_one(trace, &waiting);
    }
    if (is_open)
        annot__json_close(&trace->to, "]");
}

static void say_about(struct trace *trace)
{
    struct annot__json *to = &trace->to;
    annot_timeline_about about;
    annot_reader_device device;
    annot_timeline_get_about(trace->timeline, &about);
    annot_reader_get_device(trace->timeline->reader, &device);
    annot__json_raw(to, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
    to->needs_comma = false;
    annot__json_format(to,
                       "error:%-s begin_ns:" JSON_DIGITS " end_ns:" JSON_DIGITS " untimed:" JSON_U64
                       " forgotten:" JSON_U64 " left_out:" JSON_U64,
                       device.is_known ? annot_device_error_headline((int32_t)device.error) : "",
                       about.begin, about.end, about.untimed, about.forgotten, about.left_out);
    say_waiting(trace, "not_executed", true);
    say_waiting(trace, "not_seen_to_begin", false);
    annot__json_close(to, "}}\n");
}

annot_result annot_timeline_json(const annot_timeline *timeline, const annot_report_sink *sink)
{
    struct trace *trace = annot__report_allocate(timeline->reader, sizeof *trace);
    if (!trace)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(trace, 0, sizeof *trace);
    trace->out.sink = sink;
    trace->to = (struct annot__json){annot__out_json, &trace->out, false};
    trace->timeline = timeline;
    annot__json_open(&trace->to, NULL, "{");
    annot__json_open(&trace->to, "traceEvents", "[");
    name_it(trace, "process_name", CPU, 0, "CPU");
    name_it(trace, "process_name", GPU, 0, "GPU");
    name_tracks(trace);
    say_slices(trace);
    say_about(trace);
    const annot_result result = annot__out_flush(&trace->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    annot__report_release(timeline->reader, trace, sizeof *trace);
    return result;
}
