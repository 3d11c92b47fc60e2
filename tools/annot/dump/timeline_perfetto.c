/*
 * A Perfetto trace: a packet that names each track, and one for each begin and end of a slice.
 * Perfetto draws a slice without an end as one that did not terminate, which is what unfinished
 * work is. An arrow leads from a call of ExecuteCommandLists to the execution of what it submitted.
 */
#include "timeline_perfetto.h"

#include "array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_SIZE = 1024, PACKET_MAX = 2 * NAME_MAX_SIZE };

/* Field numbers of perfetto/trace/trace_packet.proto, track_event/track_descriptor.proto and
 * track_event.proto. */
enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_TRACK = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PARENT = 5 };
enum {
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_FLOW = 47,
    EVENT_LAST_FLOW = 48
};
enum { ANNOTATION_UINT = 3, ANNOTATION_STRING = 6, ANNOTATION_NAME = 10 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3 };
enum { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

enum { CPU_TRACK = 1, GPU_TRACK = 2, FIRST_TRACK = 16 }; /* UUIDs */

struct message {
    size_t size;
    unsigned char bytes[PACKET_MAX];
};

struct trace {
    const annot_reader *reader;
    const annot_timeline *timeline;
    const annot_report_sink *sink;
    annot_result result;
    size_t *open; /* slices whose ends are not written, outermost first */
    size_t open_count, open_capacity;
    char name[NAME_MAX_SIZE];
};

/* ---- protobuf ---- */

static void put_byte(struct message *message, unsigned value)
{
    if (message->size < sizeof message->bytes)
        message->bytes[message->size++] = (unsigned char)value;
}

static void put_varint(struct message *message, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        put_byte(message, (unsigned)(value & 0x7f) | 0x80);
    put_byte(message, (unsigned)value);
}

static void put_number(struct message *message, unsigned field, uint64_t value)
{
    put_varint(message, (uint64_t)field << 3 | WIRE_VARINT);
    put_varint(message, value);
}

static void put_fixed(struct message *message, unsigned field, uint64_t value)
{
    put_varint(message, (uint64_t)field << 3 | WIRE_FIXED64);
    for (int i = 0; i < 8; i++)
        put_byte(message, (unsigned)(value >> (8 * i)) & 0xff);
}

static void put_bytes(struct message *message, unsigned field, const void *data, size_t size)
{
    put_varint(message, (uint64_t)field << 3 | WIRE_BYTES);
    put_varint(message, size);
    for (size_t i = 0; i < size; i++)
        put_byte(message, ((const unsigned char *)data)[i]);
}

static void put_text(struct message *message, unsigned field, const char *text)
{
    put_bytes(message, field, text, strlen(text));
}

static void put_message(struct message *message, unsigned field, const struct message *inner)
{
    put_bytes(message, field, inner->bytes, inner->size);
}

static void annotate_number(struct message *event, const char *name, uint64_t value)
{
    struct message annotation = {0};
    put_text(&annotation, ANNOTATION_NAME, name);
    put_number(&annotation, ANNOTATION_UINT, value);
    put_message(event, EVENT_ANNOTATION, &annotation);
}

static void annotate_text(struct message *event, const char *name, const char *value)
{
    struct message annotation = {0};
    put_text(&annotation, ANNOTATION_NAME, name);
    put_text(&annotation, ANNOTATION_STRING, value);
    put_message(event, EVENT_ANNOTATION, &annotation);
}

static void write_packet(struct trace *trace, const struct message *packet)
{
    struct message head = {0};
    put_varint(&head, TRACE_PACKET << 3 | WIRE_BYTES);
    put_varint(&head, packet->size);
    if (trace->result == ANNOT_OK &&
        (!trace->sink->write(trace->sink->user, head.bytes, head.size) ||
         !trace->sink->write(trace->sink->user, packet->bytes, packet->size)))
        trace->result = ANNOT_ERROR_IO;
}

/* ---- tracks ---- */

static void name_track(struct trace *trace, uint64_t uuid, uint64_t parent, const char *name)
{
    struct message track = {0}, packet = {0};
    put_number(&track, TRACK_UUID, uuid);
    put_text(&track, TRACK_NAME, name);
    if (parent != 0)
        put_number(&track, TRACK_PARENT, parent);
    put_number(&packet, PACKET_SEQUENCE, 1);
    put_message(&packet, PACKET_TRACK, &track);
    write_packet(trace, &packet);
}

static void name_tracks(struct trace *trace)
{
    annot_timeline_track track;
    name_track(trace, CPU_TRACK, 0, "CPU");
    name_track(trace, GPU_TRACK, 0, "GPU");
    for (size_t i = 0; annot_timeline_track_at(trace->timeline, i, &track); i++) {
        annot_timeline_track_name(trace->timeline, i, trace->name, sizeof trace->name);
        name_track(trace, FIRST_TRACK + i, track.kind == ANNOT_TRACK_THREAD ? CPU_TRACK : GPU_TRACK,
                   trace->name);
    }
}

/* ---- slices ---- */

static void write_event(struct trace *trace, uint64_t time, const struct message *event)
{
    struct message packet = {0};
    put_number(&packet, PACKET_TIMESTAMP, time);
    put_number(&packet, PACKET_SEQUENCE, 1);
    put_message(&packet, PACKET_EVENT, event);
    write_packet(trace, &packet);
}

static void begin_event(struct message *event, unsigned type, size_t track)
{
    *event = (struct message){0};
    put_number(event, EVENT_TYPE, type);
    put_number(event, EVENT_TRACK, FIRST_TRACK + track);
}

/* The same of the call and of the execution. */
static uint64_t flow_of(const annot_timeline_slice *slice)
{
    return ((uint64_t)slice->queue + 1) << 40 ^ slice->submission;
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
        return "call";
    }
    return "";
}

/* A call of the CPU that came back at time 0 of an injected clock looks as if it had not. */
static bool has_no_end(const annot_timeline_slice *slice)
{
    return slice->is_unfinished && slice->kind != ANNOT_SLICE_SUBMIT;
}

static void write_begin(struct trace *trace, size_t index, const annot_timeline_slice *slice)
{
    struct message event;
    annot_reader_entry entry;
    char text[24];
    begin_event(&event, SLICE_BEGIN, slice->track);
    put_text(&event, EVENT_CATEGORY, category(slice->kind));
    annot_timeline_slice_name(trace->timeline, index, trace->name, sizeof trace->name);
    put_text(&event, EVENT_NAME, trace->name);
    if (slice->kind == ANNOT_SLICE_SUBMIT)
        put_fixed(&event, EVENT_FLOW, flow_of(slice));
    if (slice->kind == ANNOT_SLICE_SUBMISSION)
        put_fixed(&event, EVENT_LAST_FLOW, flow_of(slice));
    annotate_number(&event, "submission", slice->submission);
    if (slice->kind == ANNOT_SLICE_CALL)
        annotate_number(&event, "call", slice->number);
    if (slice->kind == ANNOT_SLICE_SCOPE &&
        annot_reader_entry_at(trace->reader, slice->entry, &entry)) {
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)entry.event_id);
        annotate_text(&event, "EventID", text);
    }
    if (has_no_end(slice))
        annotate_text(&event, "state", "unfinished");
    write_event(trace, slice->begin, &event);
}

/* Ends of open slices, from the inside out, down to `depth`. Unfinished ones have none. */
static void end_slices(struct trace *trace, size_t depth)
{
    struct message event;
    annot_timeline_slice slice;
    while (trace->open_count > depth) {
        if (!annot_timeline_slice_at(trace->timeline, trace->open[--trace->open_count], &slice) ||
            has_no_end(&slice))
            continue;
        begin_event(&event, SLICE_END, slice.track);
        write_event(trace, slice.end, &event);
    }
}

static void push(struct trace *trace, size_t index)
{
    if (ARRAY_ROOM(trace->open, trace->open_count, trace->open_capacity))
        trace->open[trace->open_count++] = index;
    else
        trace->result = ANNOT_ERROR_OUT_OF_MEMORY;
}

static void write_slices(struct trace *trace)
{
    annot_timeline_slice slice;
    uint32_t track = 0;
    for (size_t i = 0;
         trace->result == ANNOT_OK && annot_timeline_slice_at(trace->timeline, i, &slice); i++) {
        end_slices(trace, slice.track == track ? slice.depth : 0);
        track = slice.track;
        write_begin(trace, i, &slice);
        push(trace, i);
    }
    end_slices(trace, 0);
}

/* ---- what never began ---- */

static size_t track_of_queue(const struct trace *trace, uint32_t queue)
{
    annot_timeline_track track;
    annot_reader_stream stream;
    if (!annot_reader_stream_at(trace->reader, queue, &stream))
        return SIZE_MAX;
    for (size_t i = 0; annot_timeline_track_at(trace->timeline, i, &track); i++)
        if (track.kind == ANNOT_TRACK_QUEUE && track.id == stream.object)
            return i;
    return SIZE_MAX;
}

static void write_waiting(struct trace *trace)
{
    annot_timeline_waiting waiting;
    annot_timeline_about about;
    char text[96];
    annot_timeline_get_about(trace->timeline, &about);
    for (size_t i = 0;
         trace->result == ANNOT_OK && annot_timeline_waiting_at(trace->timeline, i, &waiting);
         i++) {
        struct message event;
        const size_t track = track_of_queue(trace, waiting.queue);
        if (track == SIZE_MAX || waiting.is_null_rendering)
            continue;
        int size = snprintf(text, sizeof text, "not begun: submission %llu",
                            (unsigned long long)waiting.submission);
        if (waiting.list != ANNOT_READER_NONE)
            size +=
                snprintf(text + size, sizeof text - (size_t)size, ", list %u", waiting.list + 1);
        if (waiting.first != 0)
            snprintf(text + size, sizeof text - (size_t)size, ", %u call%s from the %u.",
                     waiting.calls, waiting.calls == 1 ? "" : "s", waiting.first);
        begin_event(&event, INSTANT, track);
        put_text(&event, EVENT_CATEGORY, "waiting");
        put_text(&event, EVENT_NAME, text);
        write_event(trace, about.end, &event);
    }
}

annot_result timeline_write_perfetto(const annot_reader *reader, const annot_timeline *timeline,
                                     const annot_report_sink *sink)
{
    struct trace trace = {.reader = reader, .timeline = timeline, .sink = sink, .result = ANNOT_OK};
    name_tracks(&trace);
    write_slices(&trace);
    write_waiting(&trace);
    free(trace.open);
    return trace.result;
}
