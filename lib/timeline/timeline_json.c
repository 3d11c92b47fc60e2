/*
 * Chrome trace events: one process for the CPU's threads, one for the device, and on them a
 * complete event ("X") for each slice; an arrow from a call of ExecuteCommandLists to its
 * execution. Numbers of 64 bits are strings.
 */
#include "timeline/timeline_model.h"
#include "json/json_writer.h"

#include <annot/dump.h>
#include <string.h>

enum { CPU = 1, GPU = 2, NAME = 4096 };

struct trace {
    struct annot__out out;
    struct annot__json to; /* into it */
    const annot_timeline *timeline;
    bool needs_comma;
    char name[NAME];
};

static void say(struct trace *trace, const char *text)
{
    annot__out_text(&trace->out, text);
}

/* Microseconds from the timeline's begin. */
static void say_time(struct trace *trace, const char *key, uint64_t nanoseconds)
{
    annot__out_format(&trace->out, ",\"%s\":%llu.%03llu", key,
                      (unsigned long long)(nanoseconds / 1000),
                      (unsigned long long)(nanoseconds % 1000));
}

static uint64_t since_begin(const struct trace *trace, uint64_t time)
{
    return time > trace->timeline->begin ? time - trace->timeline->begin : 0;
}

static void start_event(struct trace *trace, const char *phase, unsigned process, uint64_t track)
{
    say(trace, trace->needs_comma ? ",\n" : "\n");
    trace->needs_comma = true;
    annot__out_format(&trace->out, "{\"ph\":\"%s\",\"pid\":%u,\"tid\":%llu", phase, process,
                      (unsigned long long)track);
}

static void say_string(struct trace *trace, const char *key, const char *text)
{
    annot__out_format(&trace->out, "%s\"%s\":", key[0] == ',' ? "," : "", key + (key[0] == ','));
    annot__json_quote(&trace->to, text, strlen(text));
}

static void name_process(struct trace *trace, unsigned process, const char *name)
{
    start_event(trace, "M", process, 0);
    say(trace, ",\"name\":\"process_name\",\"args\":{");
    say_string(trace, "name", name);
    say(trace, "}}");
}

static unsigned process_of(annot_track_kind kind)
{
    return kind == ANNOT_TRACK_THREAD ? CPU : GPU;
}

static void name_tracks(struct trace *trace)
{
    annot_timeline_track track;
    for (size_t i = 0; annot_timeline_track_at(trace->timeline, i, &track); i++) {
        start_event(trace, "M", process_of(track.kind), i + 1);
        say(trace, ",\"name\":\"thread_name\",\"args\":{");
        annot_timeline_track_name(trace->timeline, i, trace->name, sizeof trace->name);
        say_string(trace, "name", trace->name);
        say(trace, "}}");
    }
}

static const char *category(annot_slice_kind kind)
{
    switch (kind) {
    case ANNOT_SLICE_SUBMIT:
        return "submit";
    case ANNOT_SLICE_SUBMISSION:
        return "submission";
    case ANNOT_SLICE_LIST:
        return "list";
    case ANNOT_SLICE_SCOPE:
        return "marker";
    case ANNOT_SLICE_CALL:
        break;
    }
    return "call";
}

static void say_arguments(struct trace *trace, const annot_timeline_slice *slice)
{
    annot__out_format(&trace->out, ",\"args\":{\"submission\":\"%llu\",\"state\":\"%s\"",
                      (unsigned long long)slice->submission,
                      slice->is_unfinished ? "in progress" : "finished");
    if (slice->list != ANNOT__NONE)
        annot__out_format(&trace->out, ",\"list\":%u", slice->list);
    if (slice->kind == ANNOT_SLICE_CALL)
        annot__out_format(&trace->out, ",\"operation\":%u,\"api_sequence_number\":\"0x%llx\"",
                          (uint32_t)slice->number, (unsigned long long)slice->number);
    if (slice->entry != ANNOT__NONE)
        annot__out_format(&trace->out, ",\"event_id\":\"0x%llx\"",
                          (unsigned long long)annot__entry_event_id(trace->timeline->reader,
                                                                    slice->entry));
    say(trace, "}}");
}

/* An arrow's end: at the slice that it is in at that time. */
static void say_flow(struct trace *trace, const annot_timeline_slice *slice)
{
    const bool is_start = slice->kind == ANNOT_SLICE_SUBMIT;
    if ((!is_start && slice->kind != ANNOT_SLICE_SUBMISSION) || slice->queue == ANNOT__NONE)
        return;
    start_event(trace, is_start ? "s" : "f", is_start ? CPU : GPU, (uint64_t)slice->track + 1);
    say(trace, is_start ? "" : ",\"bp\":\"e\"");
    say(trace, ",\"cat\":\"submit\",\"name\":\"submit\"");
    annot__out_format(&trace->out, ",\"id\":\"%u.%llu\"", slice->queue,
                      (unsigned long long)slice->submission);
    say_time(trace, "ts", since_begin(trace, slice->begin));
    say(trace, "}");
}

static void say_slices(struct trace *trace)
{
    annot_timeline_slice slice;
    for (size_t i = 0;
         annot_timeline_slice_at(trace->timeline, i, &slice) && !trace->out.has_failed; i++) {
        annot_timeline_slice_name(trace->timeline, i, trace->name, sizeof trace->name);
        start_event(trace, "X", slice.kind == ANNOT_SLICE_SUBMIT ? CPU : GPU,
                    (uint64_t)slice.track + 1);
        say_string(trace, ",name", trace->name);
        annot__out_format(&trace->out, ",\"cat\":\"%s\"", category(slice.kind));
        say_time(trace, "ts", since_begin(trace, slice.begin));
        say_time(trace, "dur", slice.end - slice.begin);
        say_arguments(trace, &slice);
        say_flow(trace, &slice);
    }
}

static void say_waiting_one(struct trace *trace, const annot_timeline_waiting *waiting)
{
    annot__out_format(&trace->out, "\n{\"queue\":%lld,\"submission\":\"%llu\"",
                      waiting->queue == ANNOT__NONE ? -1LL : (long long)waiting->queue,
                      (unsigned long long)waiting->submission);
    if (waiting->list != ANNOT__NONE)
        annot__out_format(&trace->out, ",\"list\":%u,\"calls\":%u", waiting->list, waiting->calls);
    if (waiting->first != 0) {
        annot__out_format(&trace->out, ",\"operation\":%u", waiting->first);
        say_string(trace, ",kind", annot_op_text(waiting->op));
    }
    say(trace, "}");
}

static void say_waiting(struct trace *trace, const char *heading, bool is_null_rendering)
{
    annot_timeline_waiting waiting;
    bool is_first = true;
    annot__out_format(&trace->out, "\"%s\":[", heading);
    for (size_t i = 0; annot_timeline_waiting_at(trace->timeline, i, &waiting); i++) {
        if (waiting.is_null_rendering != is_null_rendering)
            continue;
        say(trace, is_first ? "" : ",");
        is_first = false;
        say_waiting_one(trace, &waiting);
    }
    say(trace, "]");
}

static bool any_not_executed(const annot_timeline *timeline)
{
    annot_timeline_waiting waiting;
    for (size_t i = 0; annot_timeline_waiting_at(timeline, i, &waiting); i++)
        if (waiting.is_null_rendering)
            return true;
    return false;
}

static void say_about(struct trace *trace)
{
    annot_timeline_about about;
    annot_reader_device device;
    annot_timeline_get_about(trace->timeline, &about);
    annot_reader_get_device(trace->timeline->reader, &device);
    say(trace, "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{");
    say_string(trace, "error", annot_device_error_headline((int32_t)device.error));
    annot__out_format(&trace->out,
                      ",\"begin_ns\":\"%llu\",\"end_ns\":\"%llu\",\"untimed\":%llu,"
                      "\"forgotten\":%llu,\"left_out\":%llu,",
                      (unsigned long long)about.begin, (unsigned long long)about.end,
                      (unsigned long long)about.untimed, (unsigned long long)about.forgotten,
                      (unsigned long long)about.left_out);
    if (any_not_executed(trace->timeline)) {
        say_waiting(trace, "not_executed", true);
        say(trace, ",");
    }
    say_waiting(trace, "not_seen_to_begin", false);
    say(trace, "}}\n");
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
    say(trace, "{\"traceEvents\":[");
    name_process(trace, CPU, "CPU");
    name_process(trace, GPU, "GPU");
    name_tracks(trace);
    say_slices(trace);
    say_about(trace);
    const annot_result result = annot__out_flush(&trace->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    annot__report_release(timeline->reader, trace, sizeof *trace);
    return result;
}
