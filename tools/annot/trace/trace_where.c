/* Finds places of a dump in the trace of the same run. A recording in the dump has the number of
 * the call that began it. From this call on, the list's calls are counted: markers up to those that
 * the driver's report names, operations up to the runtime's breadcrumbs, if there are any. */
#include "trace_where.h"
#include "cli.h"
#include "json_writer.h"
#include "trace_marker.h"

#include <capture/trace/schema.h>

#include <stdlib.h>

#define NOT_COUNTED UINT32_MAX
#define PLACES_MAX  64u

/* A list that is in progress in the dump. */
struct place {
    uint64_t call;       /* the call that began the list's recording */
    uint64_t submission; /* serial */
    uint32_t list;       /* index in the submission */
    uint32_t markers;    /* number of Begins and Sets up to the last reached marker; NOT_COUNTED:
                            they can't be counted */
    uint32_t operations; /* operations that breadcrumbs prove done; NOT_COUNTED: not known */
    char marker[128];    /* name of the last reached marker */
};

/* The matching part of the trace, and its calls so far. */
struct found {
    bool is_known;        /* whether the trace has calls of the recording */
    uint64_t marker;      /* call of the last reached marker */
    uint64_t first, last; /* operations in which the list may have stopped; 0: none */
    int first_method, last_method;
    uint64_t count;
    uint32_t markers, operations;
    bool is_over; /* no later call of the recording matters */
};

/* ---- the dump ---- */

static void find_marker(const annot_reader *reader, const annot_reader_stream *stream,
                        uint64_t event_id, struct place *place)
{
    const uint32_t entry = event_id ? annot_reader_entry_find(reader, event_id) : ANNOT_READER_NONE;
    annot_reader_entry at;
    place->markers = stream->dropped ? NOT_COUNTED : 0;
    if (entry == ANNOT_READER_NONE || entry < stream->first_entry ||
        entry - stream->first_entry >= stream->entry_count || stream->dropped)
        return;
    for (uint32_t i = stream->first_entry; i <= entry; i++)
        if (annot_reader_entry_at(reader, i, &at) &&
            (at.kind == ANNOT_ENTRY_BEGIN || at.kind == ANNOT_ENTRY_SET))
            place->markers++;
    annot_reader_entry_name(reader, entry, place->marker, sizeof place->marker);
}

static uint32_t operations_of(const annot_reader *reader, uint32_t execution)
{
    annot_reader_crumbs crumbs;
    for (size_t i = 0; annot_reader_crumbs_at(reader, i, &crumbs); i++)
        if (crumbs.execution == execution && crumbs.bundle == 0 && !crumbs.is_markers_only &&
            crumbs.done < crumbs.count)
            return crumbs.done;
    return NOT_COUNTED;
}

static size_t find_places(const annot_reader *reader, struct place *places, size_t capacity)
{
    annot_reader_execution execution;
    annot_reader_submission submission;
    annot_reader_stream stream;
    size_t count = 0;
    for (uint32_t i = 0; count < capacity && annot_reader_execution_at(reader, i, &execution);
         i++) {
        if (execution.state != ANNOT_STATE_IN_PROGRESS ||
            !annot_reader_stream_at(reader, execution.stream, &stream) || !stream.call)
            continue;
        struct place *place = &places[count++];
        *place = (struct place){.call = stream.call, .list = execution.list};
        if (annot_reader_submission_at(reader, execution.submission, &submission))
            place->submission = submission.serial;
        find_marker(reader, &stream, execution.started, place);
        place->operations = operations_of(reader, i);
    }
    return count;
}

/* ---- the trace ---- */

/* Whether breadcrumbs count the method as an operation, or a GPU can stop in it. */
bool trace_is_work(int method)
{
    static const char *const prefixes[] = {"Draw",
                                           "Dispatch",
                                           "Copy",
                                           "Resolve",
                                           "Clear",
                                           "Execute",
                                           "Build",
                                           "EmitRaytracing",
                                           "WriteBufferImmediate",
                                           "Decode",
                                           "AtomicCopyBuffer",
                                           "EstimateMotion",
                                           "Encode",
                                           "ProcessFrames",
                                           "InitializeMetaCommand"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (schema_begins(method, prefixes[i]) && !schema_is_named(method, "ClearState"))
            return true;
    return false;
}

static bool is_operation(int method)
{
    return trace_is_work(method) || marker_is_set_by(method) ||
           schema_is_named(method, "EndEvent") || schema_is_named(method, "ResourceBarrier") ||
           schema_is_named(method, "Barrier") || schema_is_named(method, "SetPipelineState1") ||
           schema_is_named(method, "SetProtectedResourceSession");
}

static void add_work(struct found *found, const struct trace_item *item)
{
    if (found->count++ == 0) {
        found->first = item->record.call;
        found->first_method = item->method;
    }
    found->last = item->record.call;
    found->last_method = item->method;
}

/* Counts a call of the recording. */
static void step(const struct place *place, struct found *found, const struct trace_item *item)
{
    const int method = item->method;
    found->is_known = true;
    found->is_over = schema_is_named(method, "Close");
    if (is_operation(method) && place->operations != NOT_COUNTED &&
        found->operations++ == place->operations) {
        add_work(found, item);
        found->is_over = found->markers >= place->markers;
    }
    if (marker_is_set_by(method)) {
        if (found->markers == place->markers && place->operations == NOT_COUNTED)
            found->is_over = true;
        if (++found->markers == place->markers)
            found->marker = item->record.call;
    } else if (trace_is_work(method) && place->operations == NOT_COUNTED &&
               place->markers != NOT_COUNTED && found->markers == place->markers) {
        add_work(found, item);
    }
}

/* Finds the calls of all places in one reading. False: out of memory. */
static bool find_calls(struct trace *trace, const struct place *places, struct found *found,
                       size_t count)
{
    struct markers *markers = markers_open(trace, NULL);
    struct trace_item item;
    size_t over = 0;
    bool ok = markers != NULL;
    trace_rewind(trace);
    while (ok && over < count && trace_next(trace, &item)) {
        ok = markers_follow(markers, &item);
        const uint64_t recording = markers_recording(markers, &item);
        over = 0;
        for (size_t i = 0; i < count; i++) {
            if (recording == places[i].call && !found[i].is_over)
                step(&places[i], &found[i], &item);
            over += found[i].is_over;
        }
    }
    markers_close(markers);
    return ok;
}

/* ---- output ---- */

static void print_call(uint64_t call, int method)
{
    char name[160];
    trace_method_name(method, name, sizeof name);
    printf("call %" PRIu64 ", %s", call, name);
}

/* Writes a call, or null if the operation is not known. */
static void json_call(struct annot__json *out, const char *key, const struct found *found,
                      uint64_t call, int method)
{
    char name[160];
    if (!found->count) {
        annot__json_string(out, key, NULL);
        return;
    }
    trace_method_name(method, name, sizeof name);
    annot__json_open(out, key, "{");
    annot__json_format(out, "call:%" PRIu64 " method:%s}", call, name);
}

static void print_json(struct annot__json *out, const struct place *place,
                       const struct found *found)
{
    annot__json_format(out,
                       "{submission:%" PRIu64 " list:%u recorded_from:%" PRIu64 " marker:%-s "
                       "marker_call:%" PRIu64 " operations:%" PRIu64,
                       place->submission, place->list + 1, place->call, place->marker,
                       found->marker, found->count);
    json_call(out, "first", found, found->first, found->first_method);
    json_call(out, "last", found, found->last, found->last_method);
    annot__json_close(out, "}");
}

static void print_text(const struct place *place, const struct found *found)
{
    printf("submission %" PRIu64 ", list %" PRIu32 ", recorded from call %" PRIu64 "\n",
           place->submission, place->list + 1, place->call);
    if (!found->is_known) {
        puts("  the trace lacks this call");
        return;
    }
    if (found->marker)
        printf("  last marker reached  call %" PRIu64 ", \"%s\"\n", found->marker, place->marker);
    if (!found->count) {
        puts("  no draw, dispatch or copy is known after this marker");
        return;
    }
    fputs(found->count == 1 ? "  stopped in           " : "  stopped between      ", stdout);
    print_call(found->first, found->first_method);
    if (found->count > 1) {
        fputs("\n             and       ", stdout);
        print_call(found->last, found->last_method);
        printf("; %" PRIu64 " operations", found->count);
    }
    puts("");
}

static void say_no_call(const annot_reader *reader)
{
    annot_reader_stream stream;
    bool has_list = false;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        has_list |= !stream.is_queue;
    fprintf(stderr, "annot trace: %s\n",
            has_list ? "annot capture recorded none of the lists that were in progress in this dump"
                     : "this dump has no lists, because only DRIVER_RETAIL keeps lists: run "
                       "d3dconfig device\nforce-driver-retail-annotations=on, then record again");
}

int trace_where(struct trace *trace, const char *dump, bool is_json)
{
    struct place places[PLACES_MAX];
    struct found found[PLACES_MAX] = {0};
    annot_reader *reader = markers_open_dump(trace, dump);
    int status = 1;
    if (!reader)
        return 2;
    const size_t count = find_places(reader, places, sizeof places / sizeof places[0]);
    struct annot__json out = {cli_write, stdout, false};
    if (is_json)
        annot__json_open(&out, NULL, "[");
    if (!find_calls(trace, places, found, count))
        fputs("annot trace: out of memory\n", stderr);
    for (size_t i = 0; i < count; i++) {
        if (is_json)
            print_json(&out, &places[i], &found[i]);
        else
            print_text(&places[i], &found[i]);
        if (found[i].is_known)
            status = 0;
    }
    if (is_json)
        annot__json_close(&out, "]\n");
    if (count == 0)
        say_no_call(reader);
    annot_reader_close(reader);
    return status;
}
