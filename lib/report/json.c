/*
 * The report for programs: one object. Trees are flat arrays in order, with the depth of each entry, so that no
 * parser's recursion limit matters. 64-bit identities are strings of hexadecimal digits: JSON's numbers can't hold
 * them everywhere. docs/DUMP_FORMAT.md lists the members.
 */
#include "report/report.h"

#include <stddef.h>
#include <string.h>

enum { STOPS_MAX = 256 };

struct json {
    struct annot__out out;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__around around;
    struct annot__names names;
    uint64_t nodes_left, nodes_cut, size_limit;
    bool needs_comma;
    char name[ANNOT__NAME_MAX + 1]; /* whole */
};

/* ---- syntax ---- */

static void separate(struct json *json)
{
    if (json->needs_comma)
        annot__out_text(&json->out, ",");
    json->needs_comma = true;
}

static void key(struct json *json, const char *name)
{
    separate(json);
    annot__out_format(&json->out, "\"%s\":", name);
}

static void start(struct json *json, const char *name, const char *bracket)
{
    if (name)
        key(json, name);
    else
        separate(json);
    annot__out_text(&json->out, bracket);
    json->needs_comma = false;
}

static void end(struct json *json, const char *bracket)
{
    annot__out_text(&json->out, bracket);
    json->needs_comma = true;
}

/* An element of an array that is worth a line of its own. */
static void start_element(struct json *json)
{
    separate(json);
    annot__out_text(&json->out, "\n{");
    json->needs_comma = false;
}

static void number(struct json *json, const char *name, uint64_t value)
{
    key(json, name);
    annot__out_format(&json->out, "%llu", (unsigned long long)value);
}

/* A number of 64 bits, whose digits JSON's numbers can't hold everywhere. */
static void long_number(struct json *json, const char *name, uint64_t value)
{
    key(json, name);
    annot__out_format(&json->out, "\"%llu\"", (unsigned long long)value);
}

/* An EventID as every report spells it, and other numbers that are looked for in tools. */
static void hex(struct json *json, const char *name, uint64_t value)
{
    key(json, name);
    annot__out_format(&json->out, "\"0x%llx\"", (unsigned long long)value);
}

static void truth(struct json *json, const char *name, bool value)
{
    key(json, name);
    annot__out_text(&json->out, value ? "true" : "false");
}

static void word(struct json *json, const char *name, const char *value)
{
    key(json, name);
    annot__out_json(&json->out, value, strlen(value));
}

/* All of a text, as far as names go. False: there is more of it. */
static bool text_value(struct json *json, annot_text text)
{
    struct annot__name name;
    annot__name_of_text(text, json->name, sizeof json->name, &name);
    annot__out_json(&json->out, name.text, name.size);
    return !name.is_short;
}

static void text(struct json *json, const char *name, annot_text value)
{
    key(json, name);
    text_value(json, value);
}

/* Of a text that may be mentioned often, the beginning. */
static void short_text(struct json *json, const char *name, annot_text value)
{
    struct annot__name beginning;
    annot__names_of_text(&json->names, value, &beginning);
    key(json, name);
    annot__out_json(&json->out, beginning.text, beginning.size);
}

/* An object's identity and the beginning of its name. */
static void object(struct json *json, const char *prefix, uint64_t id)
{
    annot_reader_object found;
    struct annot__name name;
    long_number(json, prefix, id);
    separate(json);
    annot__out_format(&json->out, "\"%s_name\":", prefix);
    if (!annot_reader_object_find(json->reader, id, &found) || found.name.size == 0) {
        annot__out_text(&json->out, "null");
        return;
    }
    annot__names_of_text(&json->names, found.name, &name);
    annot__out_json(&json->out, name.text, name.size);
    if (!name.is_short)
        return;
    separate(json);
    annot__out_format(&json->out, "\"%s_name_short\":true", prefix);
}

/* ---- markers ---- */

static void entry_name(struct json *json, uint32_t index)
{
    static const char *const payloads[] = {"copied", "referenced", "changed", "unreadable"};
    struct annot__name name;
    annot__names_of_entry(&json->names, index, &name);
    key(json, "name");
    annot__out_json(&json->out, name.text, name.size);
    if (name.is_short)
        truth(json, "name_short", true);
    if (name.is_cut)
        truth(json, "name_cut", true);
    if (name.has_color)
        number(json, "color", name.color);
    if (name.payload != ANNOT_PAYLOAD_COPIED)
        word(json, "payload", payloads[name.payload]);
}

static void entry(struct json *json, uint32_t index)
{
    static const char *const kinds[] = {"", "begin", "set", "surplus_end", "bundle", "submission"};
    const struct annot__entry *of = &json->reader->entries[index];
    word(json, "kind", kinds[of->kind]);
    if (annot__entry_is_marker(of)) {
        struct annot__marker_view marker;
        annot__entry_marker(json->reader, of, &marker);
        hex(json, "event_id", of->event_id);
        entry_name(json, index);
        number(json, "metadata", marker.metadata);
        number(json, "size", marker.size);
    }
    if (of->kind == ANNOT_ENTRY_BEGIN)
        truth(json, "closed", of->end != ANNOT__NEVER);
    if (of->kind == ANNOT_ENTRY_BUNDLE)
        number(json, "bundle", of->ordinal);
}

static void state(struct json *json, annot_state value)
{
    word(json, "state", annot_state_text(value));
}

/* Room for one more node and everything in it but its own nodes. */
static bool take_node(struct json *json)
{
    if (json->out.written >= json->size_limit)
        json->nodes_left = 0;
    if (json->nodes_left == 0) {
        json->nodes_cut++;
        return false;
    }
    json->nodes_left--;
    return true;
}

static void walk_markers(struct json *json, struct annot__walk *walk)
{
    struct annot__node node;
    start(json, "markers", "[");
    while (annot__walk_next(walk, &node) && take_node(json)) {
        start_element(json);
        number(json, "depth", node.depth);
        entry(json, node.entry);
        if (walk->execution)
            state(json, node.state);
        if (walk->execution && node.state == ANNOT_STATE_UNKNOWN)
            word(json, "evidence", annot_evidence_text(node.evidence));
        if (node.bundle != ANNOT__NONE)
            number(json, "in_bundle", json->reader->entries[node.bundle].ordinal);
        if (node.closes_earlier)
            truth(json, "closes_earlier_list", true);
        end(json, "}");
        annot__walk_enter(walk, &node);
    }
    end(json, "]");
}

static void enclosing(struct json *json)
{
    const annot_reader *reader = json->reader;
    if (json->around.count == 0)
        return;
    start(json, "enclosing", "[");
    for (uint32_t i = 0; i < json->around.count; i++) {
        const struct annot__crossing *crossing = &reader->crossings[json->around.crossings[i]];
        const struct annot__execution *opener = &reader->executions[crossing->opener];
        uint32_t first = reader->streams[opener->stream].unclosed.first + crossing->first;
        for (uint32_t k = 0; k < crossing->count && take_node(json); k++) {
            start_element(json);
            entry(json, reader->unclosed[first + k]);
            state(json, annot__crossing_state(reader, crossing, k));
            long_number(json, "opened_in_submission",
                        reader->submissions[opener->submission].serial);
            number(json, "opened_in_list", opener->list);
            end(json, "}");
        }
        if (json->nodes_left == 0)
            break;
    }
    end(json, "]");
}

/* ---- parts ---- */

static void device(struct json *json)
{
    annot_reader_device of;
    annot_reader_get_device(json->reader, &of);
    start(json, "device", "{");
    truth(json, "known", of.is_known);
    key(json, "guid");
    annot__out_text(&json->out, "\"");
    for (unsigned i = 0; i < 16; i++)
        annot__out_format(&json->out, "%02x", of.guid[i]);
    annot__out_text(&json->out, "\"");
    number(json, "error", of.error);
    long_number(json, "time", of.time);
    number(json, "mode", of.mode);
    truth(json, "driver_supported", of.driver_supported);
    truth(json, "has_report", of.has_report);
    number(json, "order_window", of.order_window);
    truth(json, "starts_in_order", of.promises & ANNOT_PROMISE_STARTS_IN_ORDER);
    truth(json, "retires_in_order", of.promises & ANNOT_PROMISE_RETIRES_IN_ORDER);
    long_number(json, "budget", of.budget);
    long_number(json, "live_bytes", of.live_bytes);
    number(json, "pointer_size", of.pointer_size);
    long_number(json, "fault_count", of.fault_count);
    hex(json, "fault_address", of.fault_address);
    text(json, "application", of.application);
    text(json, "adapter", of.adapter);
    text(json, "driver", of.driver);
    text(json, "reason", of.reason);
    text(json, "writer", of.writer);
    end(json, "}");
}

static void marker_named(struct json *json, const char *name, uint32_t index)
{
    if (index == ANNOT__NONE)
        return;
    start(json, name, "{");
    entry(json, index);
    end(json, "}");
}

static void path(struct json *json, const annot_reader_stop *stop)
{
    struct annot__path of;
    annot__path_of_stop(json->reader, stop, &of);
    start(json, "path", "[");
    for (uint32_t i = 0; i < of.count; i++) {
        struct annot__name name;
        annot__names_of_entry(&json->names, of.entries[i], &name);
        separate(json);
        annot__out_json(&json->out, name.text, name.size);
    }
    end(json, "]");
    if (of.gap == 0)
        return;
    long_number(json, "path_left_out", of.gap);
    number(json, "path_left_out_after", ANNOT__PATH_END);
}

/* The runtime's breadcrumbs of one execution. */
static void crumbs(struct json *json, uint32_t index)
{
    annot_reader_crumbs of;
    annot_reader_crumbs_at(json->reader, index, &of);
    number(json, "operations", of.count);
    if (of.done == UINT32_MAX) {
        truth(json, "begun", false);
        return;
    }
    number(json, "operations_done", of.done);
    if (of.done < of.count)
        word(json, "operation", annot_op_text(annot_reader_op(json->reader, index, of.done)));
    if (of.done > 0 && of.done <= of.count)
        word(json, "operation_before",
             annot_op_text(annot_reader_op(json->reader, index, of.done - 1)));
    if (of.is_markers_only)
        truth(json, "markers_only", true);
}

/* The oldest list that may be what hangs, when it is not the one that is said to be in progress. */
static void suspect(struct json *json, const annot_reader_stop *stop)
{
    if (stop->suspect == stop->execution)
        return;
    const struct annot__execution *oldest = &json->reader->executions[stop->suspect];
    start(json, "oldest_suspect", "{");
    number(json, "submission", json->reader->submissions[oldest->submission].serial);
    number(json, "list", oldest->list);
    object(json, "object", oldest->object);
    state(json, (annot_state)oldest->state);
    end(json, "}");
}

static void stops(struct json *json)
{
    const annot_reader *reader = json->reader;
    start(json, "in_progress", "[");
    for (uint32_t i = 0; i < reader->stop_count && i < STOPS_MAX; i++) {
        const annot_reader_stop *stop = &reader->stops[i];
        const struct annot__execution *execution = &reader->executions[stop->execution];
        char line[2048];
        start_element(json);
        size_t size = annot_reader_stop_path(reader, i, line, sizeof line);
        key(json, "text");
        annot__out_json(&json->out, line, size);
        path(json, stop);
        object(json, "queue", reader->streams[stop->queue].object);
        long_number(json, "submission", reader->submissions[stop->submission].serial);
        number(json, "list", execution->list);
        object(json, "object", execution->object);
        number(json, "bundle",
               stop->bundle == ANNOT__NONE ? 0 : reader->entries[stop->bundle].ordinal);
        truth(json, "between_lists", stop->is_between);
        marker_named(json, "scope",
                     stop->bundle_entry != ANNOT__NONE ? stop->bundle_entry : stop->entry);
        marker_named(json, "started", stop->started);
        marker_named(json, "completed", stop->completed);
        marker_named(json, "also_unfinished", stop->oldest);
        if (!stop->is_between && execution->crumbs != ANNOT__NONE)
            crumbs(json, execution->crumbs);
        suspect(json, stop);
        end(json, "}");
    }
    end(json, "]");
    number(json, "in_progress_count", reader->stop_count);
}

static void execution(struct json *json, uint32_t index)
{
    const annot_reader *reader = json->reader;
    const struct annot__execution *of = &reader->executions[index];
    annot_reader_execution view;
    annot_reader_execution_at(reader, index, &view);
    start_element(json);
    number(json, "list", of->list);
    object(json, "object", of->object);
    key(json, "recording");
    if (of->stream == ANNOT__NONE)
        annot__out_text(&json->out, "null");
    else
        annot__out_format(&json->out, "\"%llu\"",
                          (unsigned long long)reader->streams[of->stream].recording);
    state(json, view.state);
    word(json, "evidence", annot_evidence_text(view.evidence));
    if (of->cut.is_uniform && view.state == ANNOT_STATE_IN_PROGRESS)
        word(json, "inside", annot_evidence_text((annot_evidence)of->cut.evidence));
    hex(json, "started", view.started);
    hex(json, "completed", view.completed);
    bool is_written = json->options->all || view.state != ANNOT_STATE_FINISHED;
    if (of->stream != ANNOT__NONE)
        number(json, "marker_count", reader->streams[of->stream].markers);
    if (of->stream != ANNOT__NONE && is_written) {
        struct annot__walk walk;
        annot__walk_init(&walk, reader, of->stream, index, &json->around);
        enclosing(json);
        walk_markers(json, &walk);
    }
    end(json, "}");
    annot__around_leave(&json->around, index);
}

static void queue(struct json *json, uint32_t index)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    const annot_reader *reader = json->reader;
    const struct annot__stream *of = &reader->streams[index];
    start_element(json);
    object(json, "object", of->object);
    word(json, "verdict", verdicts[annot_reader_queue_verdict(reader, index)]);
    long_number(json, "submitted", of->submitted);
    long_number(json, "completed", of->completed);
    long_number(json, "dropped", of->dropped);
    number(json, "surplus_ends", of->surplus_ends);
    number(json, "unclosed", of->unclosed.count);
    start(json, "entries", "[");
    for (uint32_t i = 0; i < of->entries.count; i++) {
        uint32_t at = of->entries.first + i;
        if (!take_node(json))
            break;
        start_element(json);
        number(json, "depth", reader->entries[at].depth);
        entry(json, at);
        state(json, annot_reader_queue_state(reader, at, NULL));
        if (reader->entries[at].kind == ANNOT_ENTRY_SUBMISSION) {
            const struct annot__submitted *submission =
                &reader->submissions[reader->entries[at].link];
            long_number(json, "serial", submission->serial);
            start(json, "lists", "[");
            for (uint32_t k = 0; k < submission->executions.count && take_node(json); k++)
                execution(json, submission->executions.first + k);
            end(json, "]");
        }
        end(json, "}");
    }
    end(json, "]");
    end(json, "}");
}

static void recordings(struct json *json)
{
    const annot_reader *reader = json->reader;
    start(json, "recordings", "[");
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *of = &reader->streams[i];
        if (of->is_queue)
            continue;
        start_element(json);
        long_number(json, "id", of->recording);
        object(json, "object", of->object);
        number(json, "marker_count", of->markers);
        long_number(json, "dropped", of->dropped);
        number(json, "surplus_ends", of->surplus_ends);
        number(json, "unclosed", of->unclosed.count);
        number(json, "executions", of->executions);
        truth(json, "open", of->is_open);
        if (of->thread != 0)
            number(json, "thread", of->thread);
        truth(json, "damaged", of->is_damaged);
        if (of->executions == 0) {
            struct annot__walk walk;
            annot__walk_init(&walk, reader, i, ANNOT__NONE, NULL);
            walk_markers(json, &walk);
        }
        end(json, "}");
    }
    end(json, "]");
}

static void objects(struct json *json)
{
    annot_reader_object of;
    start(json, "objects", "[");
    for (size_t i = 0; annot_reader_object_at(json->reader, i, &of); i++) {
        start_element(json);
        long_number(json, "id", of.id);
        number(json, "kind", of.kind);
        if (of.kind_name.size > 0)
            short_text(json, "kind_name", of.kind_name);
        if (json->reader->objects[i].fields.type != 0)
            word(json, "type", annot_object_type_text(of.type));
        number(json, "flavor", of.flavor);
        hex(json, "handle", of.handle);
        key(json, "name");
        bool is_whole = true;
        if (of.is_named || of.name.size > 0)
            is_whole = text_value(json, of.name);
        else
            annot__out_text(&json->out, "null");
        truth(json, "name_cut", of.is_name_cut || !is_whole);
        truth(json, "destroyed", of.is_destroyed);
        truth(json, "driver_retail", of.is_retail);
        end(json, "}");
    }
    end(json, "]");
}

static void facts(struct json *json)
{
    static const char *const sources[] = {"unknown", "device", "dump", "library"};
    annot_reader_fact of;
    if (json->reader->fact_count == 0)
        return;
    start(json, "facts", "[");
    for (size_t i = 0; annot_reader_fact_at(json->reader, i, &of); i++) {
        start_element(json);
        text(json, "key", of.key);
        text(json, "value", of.value);
        word(json, "source", sources[of.source < 4 ? of.source : 0]);
        end(json, "}");
    }
    end(json, "]");
}

static void blobs(struct json *json)
{
    static const char *const kinds[] = {"unknown", "driver", "kernel", "application"};
    annot_reader_blob of;
    start(json, "blobs", "[");
    for (size_t i = 0; annot_reader_blob_at(json->reader, i, &of); i++) {
        start_element(json);
        word(json, "kind", kinds[of.kind < 4 ? of.kind : 0]);
        number(json, "index", of.index);
        long_number(json, "metadata", of.metadata);
        long_number(json, "size", of.size);
        end(json, "}");
    }
    end(json, "]");
}

#define LOSS_MEMBER(name, number, member, one, many) #member,

/* Those that are too long to be repeated, whole. */
static void names(struct json *json)
{
    struct annot__name name;
    start(json, "names", "[");
    for (uint32_t i = 0; i < json->reader->entry_count; i++) {
        if (!annot__entry_is_marker(&json->reader->entries[i]))
            continue;
        annot__names_of_entry(&json->names, i, &name);
        if (!name.is_short)
            continue;
        if (!take_node(json))
            break;
        annot__name_of_entry(json->reader, i, json->name, sizeof json->name, &name);
        start_element(json);
        hex(json, "event_id", json->reader->entries[i].event_id);
        key(json, "name");
        annot__out_json(&json->out, name.text, name.size);
        truth(json, "name_cut", name.is_cut || name.is_short);
        end(json, "}");
    }
    end(json, "]");
}

static void losses(struct json *json)
{
    static const char *const names[] = {ANNOT_LOSSES(LOSS_MEMBER)};
    start(json, "lost", "{");
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++)
        long_number(json, names[i], json->reader->losses[i]);
    long_number(json, "finished_lists_expired", json->reader->expired);
    end(json, "}");
}

static void findings(struct json *json)
{
    static const char *const classes[] = {"", "damage", "note", "evidence"};
    annot_finding of;
    start(json, "findings", "[");
    for (size_t i = 0; annot_reader_finding(json->reader, i, &of); i++) {
        start_element(json);
        word(json, "name", of.name);
        number(json, "number", of.kind);
        word(json, "class", classes[of.finding_class]);
        word(json, "text", of.text);
        long_number(json, "count", of.count);
        long_number(json, "offset", of.offset);
        hex(json, "value", of.value);
        end(json, "}");
    }
    end(json, "]");
}

static void all_crumbs(struct json *json)
{
    annot_reader_crumbs of;
    if (json->reader->crumb_count == 0)
        return;
    start(json, "breadcrumbs", "[");
    for (uint32_t i = 0; annot_reader_crumbs_at(json->reader, i, &of) && take_node(json); i++) {
        start_element(json);
        object(json, "queue", json->reader->crumbs[i].fields.queue);
        number(json, "submission", of.submission);
        number(json, "list", of.list);
        number(json, "bundle", of.bundle);
        crumbs(json, i);
        truth(json, "joined", of.is_joined);
        if (of.is_disputed)
            word(json, "disputed", annot_state_text(of.overruled));
        end(json, "}");
    }
    end(json, "]");
}

static void ranges(struct json *json)
{
    annot_reader_range of;
    if (json->reader->range_count == 0)
        return;
    start(json, "ranges", "[");
    for (uint32_t i = 0; annot_reader_range_at(json->reader, i, &of) && take_node(json); i++) {
        start_element(json);
        hex(json, "address", of.address);
        number(json, "size", of.size);
        object(json, "object", of.object);
        number(json, "kind", of.kind);
        truth(json, "freed", of.is_freed);
        if (of.is_freed)
            number(json, "freed_before", of.freed_before);
        end(json, "}");
    }
    end(json, "]");
}

static void report(struct json *json)
{
    const annot_reader *reader = json->reader;
    start(json, NULL, "{");
    number(json, "version", 2);
    truth(json, "damaged", annot_reader_is_damaged(reader));
    device(json);
    stops(json);
    start(json, "queues", "[");
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_queue)
            queue(json, i);
    end(json, "]");
    recordings(json);
    objects(json);
    names(json);
    facts(json);
    all_crumbs(json);
    ranges(json);
    blobs(json);
    losses(json);
    findings(json);
    truth(json, "cut", json->nodes_left == 0 || json->nodes_cut > 0);
    end(json, "}");
    annot__out_text(&json->out, "\n");
}

annot_result annot_report_json(const annot_reader *reader, const annot_report_options *options,
                               const annot_report_sink *sink)
{
    static const annot_report_options defaults;
    struct json *json = annot__report_allocate(reader, sizeof *json);
    if (!json)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(json, 0, offsetof(struct json, name));
    json->out.sink = sink;
    json->reader = reader;
    json->options = options ? options : &defaults;
    json->size_limit = annot__report_size_limit(reader, json->options);
    json->nodes_left =
        json->options->node_limit ? json->options->node_limit : ANNOT_REPORT_NODE_LIMIT;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (annot__names_init(&json->names, reader) && annot__around_init(&json->around, reader)) {
        report(json);
        result = annot__out_flush(&json->out) ? ANNOT_OK : ANNOT_ERROR_IO;
    }
    annot__around_finish(&json->around);
    annot__names_finish(&json->names);
    annot__report_release(reader, json, sizeof *json);
    return result;
}
