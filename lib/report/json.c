/*
 * The report for programs: one object. Trees are flat arrays in order, with the depth of each
 * entry, so that no parser's recursion limit matters. 64-bit identities are strings of hexadecimal
 * digits: JSON's numbers can't hold them everywhere. docs/DUMP_FORMAT.md lists the members.
 */
#include "report/bound.h"
#include "report/place.h"
#include "report/report.h"
#include "analysis/operation.h"
#include "report/json_writer.h"
#include "analysis/operation.h"
#include "base/sized.h"

#include <annot/fleet.h>

#include <stddef.h>
#include <string.h>

enum { STOPS_MAX = 256 };

struct json {
    struct annot__json to;
    const annot_reader *reader;
    const annot_report_options *options;
    struct annot__outer_scopes outer;
    struct annot__names names;
    uint64_t nodes_left, nodes_cut, size_limit;
    enum annot__voice voice;
    annot_identity identity;
    char name[ANNOT__NAME_MAX + 1]; /* whole */
};

/* ---- texts ---- */

/* All of a text, as far as names go. False: there is more of it. */
static bool text_value(struct json *json, annot_text text)
{
    struct annot__name name;
    annot__name_of_text(text, json->name, sizeof json->name, &name);
    annot__out_json(&json->to.out, name.text, name.size);
    return !name.is_short;
}

static void text(struct json *json, const char *name, annot_text value)
{
    annot__json_key(&json->to, name);
    text_value(json, value);
}

/* Writes the beginning of a text that may be mentioned often. */
static void short_text(struct json *json, const char *name, annot_text value)
{
    struct annot__name beginning;
    annot__names_of_text(&json->names, value, &beginning);
    annot__json_key(&json->to, name);
    annot__out_json(&json->to.out, beginning.text, beginning.size);
}

/* An object's identity and the beginning of its name. */
static void called(struct json *json, const char *prefix, struct annot__called_object object)
{
    struct annot__name name;
    annot__json_decimal(&json->to, prefix, object.id);
    annot__json_separate(&json->to);
    annot__out_format(&json->to.out, "\"%s_name\":", prefix);
    if (object.name.size == 0) {
        annot__out_text(&json->to.out, "null");
        return;
    }
    annot__names_of_text(&json->names, object.name, &name);
    annot__out_json(&json->to.out, name.text, name.size);
    if (!name.is_short)
        return;
    annot__json_separate(&json->to);
    annot__out_format(&json->to.out, "\"%s_name_short\":true", prefix);
}

static void object(struct json *json, const char *prefix, uint64_t id)
{
    called(json, prefix, annot__called_last(json->reader, id));
}

static void queue_of(struct json *json, uint32_t submission)
{
    called(json, "queue", annot__called_in_submission(json->reader, submission));
}

static void list_of(struct json *json, uint32_t execution)
{
    called(json, "object", annot__called_in_execution(json->reader, execution));
}

static void recorded(struct json *json, uint32_t stream, uint64_t id)
{
    called(json, "object", annot__called_in_recording(json->reader, stream, id));
}

/* One of ours, in the words of the dump's API. */
static void sentence(struct json *json, const char *name, const char *words)
{
    char buffer[ANNOT__WORDS_MAX];
    annot__json_string(&json->to, name, annot__in_words(json->voice, words, buffer, sizeof buffer));
}

/* ---- markers ---- */

static void entry_name(struct json *json, uint32_t index)
{
    static const char *const payloads[] = {"copied", "referenced", "changed", "unreadable"};
    struct annot__name name;
    annot__names_of_entry(&json->names, index, &name);
    annot__json_key(&json->to, "name");
    annot__out_json(&json->to.out, name.text, name.size);
    if (name.is_short)
        annot__json_bool(&json->to, "name_short", true);
    if (name.is_cut)
        annot__json_bool(&json->to, "name_cut", true);
    if (name.has_color)
        annot__json_number(&json->to, "color", name.color);
    if (name.payload != ANNOT_PAYLOAD_COPIED)
        annot__json_string(&json->to, "payload", payloads[name.payload]);
}

static void entry(struct json *json, uint32_t index)
{
    static const char *const kinds[] = {"", "begin", "set", "surplus_end", "bundle", "submission"};
    const struct annot__entry *of = &json->reader->entries[index];
    annot__json_string(&json->to, "kind", kinds[of->kind]);
    if (annot__entry_is_marker(of)) {
        struct annot__marker_view marker;
        annot__entry_marker(json->reader, of, &marker);
        annot__json_hex(&json->to, "event_id", annot__entry_event_id(json->reader, index));
        entry_name(json, index);
        annot__json_number(&json->to, "metadata", marker.metadata);
        annot__json_number(&json->to, "size", marker.size);
    }
    if (of->kind == ANNOT_ENTRY_BEGIN)
        annot__json_bool(&json->to, "closed", of->end != ANNOT__NEVER);
    if (of->kind == ANNOT_ENTRY_BUNDLE) {
        annot__json_number(&json->to, "bundle", annot__entry_bundle(json->reader, index).ordinal);
        called(json, "object", annot__called_in_bundle(json->reader, index));
    }
}

static void state(struct json *json, annot_state value)
{
    annot__json_string(&json->to, "state", annot_state_text(value));
}

/* Room for one more node and everything in it but its own nodes. */
static bool take_node(struct json *json)
{
    if (json->to.out.written >= json->size_limit)
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
    annot__json_open(&json->to, "markers", "[");
    while (annot__walk_next(walk, &node) && take_node(json)) {
        annot__json_element(&json->to);
        annot__json_number(&json->to, "depth", node.depth);
        entry(json, node.entry);
        if (walk->execution)
            state(json, node.state);
        if (walk->execution && node.state == ANNOT_STATE_UNKNOWN)
            sentence(json, "evidence", annot_evidence_text(node.evidence));
        if (node.bundle != ANNOT__NONE)
            annot__json_number(&json->to, "in_bundle",
                               annot__entry_bundle(json->reader, node.bundle).ordinal);
        if (node.closes_earlier)
            annot__json_bool(&json->to, "closes_earlier_list", true);
        annot__json_close(&json->to, "}");
        annot__walk_enter(walk, &node);
    }
    annot__json_close(&json->to, "]");
}

static void enclosing(struct json *json)
{
    const annot_reader *reader = json->reader;
    if (json->outer.count == 0)
        return;
    annot__json_open(&json->to, "enclosing", "[");
    for (uint32_t i = 0; i < json->outer.count; i++) {
        const struct annot__crossing *crossing = &reader->crossings[json->outer.crossings[i]];
        const struct annot__execution *opener = &reader->executions[crossing->opener];
        uint32_t first = reader->streams[opener->stream].unclosed.first + crossing->first;
        for (uint32_t k = 0; k < crossing->count && take_node(json); k++) {
            annot__json_element(&json->to);
            entry(json, reader->unclosed[first + k]);
            state(json, annot__crossing_state(reader, crossing, k));
            annot__json_decimal(&json->to, "opened_in_submission",
                                reader->submissions[opener->submission].serial);
            annot__json_number(&json->to, "opened_in_list", opener->list);
            annot__json_close(&json->to, "}");
        }
        if (json->nodes_left == 0)
            break;
    }
    annot__json_close(&json->to, "]");
}

/* ---- parts ---- */

static void device(struct json *json)
{
    annot_reader_device of;
    annot_reader_get_device(json->reader, &of);
    annot__json_open(&json->to, "device", "{");
    annot__json_bool(&json->to, "known", of.is_known);
    annot__json_key(&json->to, "guid");
    annot__out_text(&json->to.out, "\"");
    for (unsigned i = 0; i < 16; i++)
        annot__out_format(&json->to.out, "%02x", of.guid[i]);
    annot__out_text(&json->to.out, "\"");
    annot__json_number(&json->to, "error", of.error);
    annot__json_decimal(&json->to, "time", of.time);
    if (of.has_virtual_clock)
        annot__json_decimal(&json->to, "virtual_time", of.virtual_time);
    annot__json_number(&json->to, "mode", of.mode);
    annot__json_bool(&json->to, "driver_supported", of.driver_supported);
    annot__json_bool(&json->to, "has_report", of.has_report);
    annot__json_number(&json->to, "order_window", of.order_window);
    annot__json_bool(&json->to, "starts_in_order", of.promises & ANNOT_PROMISE_STARTS_IN_ORDER);
    annot__json_bool(&json->to, "retires_in_order", of.promises & ANNOT_PROMISE_RETIRES_IN_ORDER);
    annot__json_decimal(&json->to, "budget", of.budget);
    annot__json_decimal(&json->to, "live_bytes", of.live_bytes);
    annot__json_number(&json->to, "pointer_size", of.pointer_size);
    annot__json_decimal(&json->to, "fault_count", of.fault_count);
    annot__json_hex(&json->to, "fault_address", of.fault_address);
    text(json, "application", of.application);
    text(json, "adapter", of.adapter);
    text(json, "driver", of.driver);
    text(json, "reason", of.reason);
    text(json, "writer", of.writer);
    annot__json_close(&json->to, "}");
}

static void marker_named(struct json *json, const char *name, uint32_t index)
{
    if (index == ANNOT__NONE)
        return;
    annot__json_open(&json->to, name, "{");
    entry(json, index);
    annot__json_close(&json->to, "}");
}

static void path(struct json *json, const annot_reader_stop *stop)
{
    struct annot__path of;
    annot__place_path(json->reader, stop, &of);
    annot__json_open(&json->to, "path", "[");
    for (uint32_t i = 0; i < of.count; i++) {
        struct annot__name name;
        annot__names_of_entry(&json->names, of.entries[i], &name);
        annot__json_separate(&json->to);
        annot__out_json(&json->to.out, name.text, name.size);
    }
    annot__json_close(&json->to, "]");
    if (of.gap == 0)
        return;
    annot__json_decimal(&json->to, "path_left_out", of.gap);
    annot__json_number(&json->to, "path_left_out_after", ANNOT__PATH_END);
}

/* The runtime's breadcrumbs of one execution. */
static void crumbs(struct json *json, uint32_t index)
{
    annot_reader_crumbs of;
    annot_reader_crumbs_at(json->reader, index, &of);
    annot__json_number(&json->to, "operations", of.count);
    if (of.done == UINT32_MAX) {
        annot__json_bool(&json->to, "begun", false);
        return;
    }
    annot__json_number(&json->to, "operations_done", of.done);
    if (of.done < of.count)
        annot__json_string(&json->to, "operation",
                           annot_op_text(annot_reader_op(json->reader, index, of.done)));
    if (of.done > 0 && of.done <= of.count)
        annot__json_string(&json->to, "operation_before",
                           annot_op_text(annot_reader_op(json->reader, index, of.done - 1)));
    if (of.is_markers_only)
        annot__json_bool(&json->to, "markers_only", true);
}

/* ---- the operation of a stop ---- */

enum { AROUND = 4, HASH_TEXT = 2 * ANNOT_SHADER_DIGEST_SIZE + 1 };

static void shaders(struct json *json, uint64_t pipeline)
{
    static const char *const forms[] = {"other", "dxbc", "dxil", "spirv"};
    annot_reader_shader shader;
    char hash[HASH_TEXT];
    if (!annot_reader_shader_of(json->reader, pipeline, 0, &shader))
        return;
    annot__json_open(&json->to, "shaders", "[");
    for (uint32_t i = 0;
         i < ANNOT_SHADERS_MAX && annot_reader_shader_of(json->reader, pipeline, i, &shader); i++) {
        annot__json_element(&json->to);
        annot__json_string(&json->to, "stage", annot_shader_stage_text(shader.stage));
        annot__json_string(&json->to, "form",
                           forms[shader.form <= ANNOT_SHADER_FORM_SPIRV ? shader.form : 0]);
        annot_reader_shader_hash(&shader, hash, sizeof hash);
        annot__json_string(&json->to, "hash", hash);
        annot__json_hex16(&json->to, "xxh3", shader.xxh3);
        if (shader.debug_name.size > 0)
            short_text(json, "debug_name", shader.debug_name);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

/* The bound resources, and the state that the recording's barriers left them in. */
static void resource(struct json *json, const annot_reader_operation *operation, uint64_t object)
{
    annot_resource of;
    uint32_t state_bits;
    if (operation->kind != ANNOT__RESOURCE_BARRIER &&
        annot__state_before(json->reader, operation, object, &state_bits))
        annot__json_number(&json->to, "resource_state", state_bits);
    if (!annot_reader_resource_of(json->reader, object, &of))
        return;
    annot__json_open(&json->to, "resource", "{");
    annot__json_number(&json->to, "dimension", of.dimension);
    annot__json_decimal(&json->to, "width", of.width);
    annot__json_number(&json->to, "height", of.height);
    annot__json_number(&json->to, "depth", of.depth);
    annot__json_number(&json->to, "mips", of.mips);
    annot__json_number(&json->to, "samples", of.samples);
    annot__json_number(&json->to, "format", of.format);
    annot__json_close(&json->to, "}");
}

static void bound(struct json *json, const annot_reader_operation *operation)
{
    annot__json_open(&json->to, "objects", "[");
    for (uint32_t i = 0; i < operation->object_count; i++) {
        const annot_bound_object *of = &operation->objects[i];
        if (of->object == 0)
            continue;
        annot__json_element(&json->to);
        annot__json_string(&json->to, "role", annot_bound_role_text(of->role));
        object(json, "object", of->object);
        resource(json, operation, of->object);
        if (of->role == ANNOT_BOUND_PIPELINE)
            shaders(json, of->object);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

/* The names of operations from `first` up to `end`. */
static void around(struct json *json, const char *member, const annot_reader_operation *at,
                   uint32_t first, uint32_t end)
{
    char name[256];
    annot__json_open(&json->to, member, "[");
    for (uint32_t i = first; i < end; i++) {
        const size_t size =
            annot__operation_name(json->reader, at->crumbs, at->stream, i, name, sizeof name);
        annot__json_separate(&json->to);
        annot__out_json(&json->to.out, name, size);
    }
    annot__json_close(&json->to, "]");
}

static void call(struct json *json, const annot_reader_operation *operation)
{
    char name[256];
    annot__json_string(&json->to, "operation", annot_op_text(operation->kind));
    annot_reader_operation_text(operation, name, sizeof name);
    annot__json_string(&json->to, "text", name);
    annot__json_open(&json->to, "arguments", "[");
    for (uint32_t i = 0; i < operation->argument_count; i++) {
        annot__json_separate(&json->to);
        annot__out_format(&json->to.out, "\"%lld\"", (long long)operation->arguments[i]);
    }
    annot__json_close(&json->to, "]");
    bound(json, operation);
}

static void last_in_scope(struct json *json, const annot_reader_stop *stop)
{
    annot_reader_operation operation;
    if (!annot__operation_of_scope(json->reader, stop, &operation))
        return;
    annot__json_open(&json->to, "last_operation", "{");
    annot__json_number(&json->to, "number", operation.number);
    annot__json_bool(&json->to, "is_only", operation.is_only);
    call(json, &operation);
    annot__json_close(&json->to, "}");
}

static void stopped_at(struct json *json, const annot_reader_stop *stop)
{
    annot_reader_operation operation;
    if (!annot__stop_operation(json->reader, stop, &operation)) {
        last_in_scope(json, stop);
        return;
    }
    const uint32_t number = operation.number;
    const uint32_t count = json->reader->crumbs[operation.crumbs].fields.count;
    annot__json_open(&json->to, "stopped_at", "{");
    annot__json_number(&json->to, "number", number);
    annot__json_number(&json->to, "operations", count);
    annot__json_bool(&json->to, "in_bundle",
                     operation.crumbs != json->reader->executions[stop->execution].crumbs);
    call(json, &operation);
    around(json, "done_before", &operation, number > AROUND ? number - AROUND : 0, number);
    around(json, "not_done_after", &operation, number + 1,
           count - number > AROUND ? number + 1 + AROUND : count);
    annot__json_close(&json->to, "}");
}

/* The oldest list that may be what hangs, when it is not the one that is said to be in progress. */
static void suspect(struct json *json, const annot_reader_stop *stop)
{
    if (stop->suspect == stop->execution)
        return;
    const struct annot__execution *oldest = &json->reader->executions[stop->suspect];
    annot__json_open(&json->to, "oldest_suspect", "{");
    annot__json_decimal(&json->to, "submission",
                        json->reader->submissions[oldest->submission].serial);
    annot__json_number(&json->to, "list", oldest->list);
    list_of(json, stop->suspect);
    state(json, (annot_state)oldest->state);
    annot__json_close(&json->to, "}");
}

static void stops(struct json *json)
{
    const annot_reader *reader = json->reader;
    annot__json_open(&json->to, "in_progress", "[");
    for (uint32_t i = 0; i < reader->stop_count && i < STOPS_MAX; i++) {
        const annot_reader_stop *stop = &reader->stops[i];
        const struct annot__execution *execution = &reader->executions[stop->execution];
        char line[2048];
        annot__json_element(&json->to);
        size_t size = annot_reader_stop_path(reader, i, line, sizeof line);
        annot__json_key(&json->to, "text");
        annot__out_json(&json->to.out, line, size);
        path(json, stop);
        queue_of(json, stop->submission);
        annot__json_decimal(&json->to, "submission", reader->submissions[stop->submission].serial);
        annot__json_number(&json->to, "list", execution->list);
        list_of(json, stop->execution);
        const uint32_t stream = execution->stream;
        if (stream != ANNOT__NONE && reader->streams[stream].call != 0)
            annot__json_decimal(&json->to, "recorded_from_call", reader->streams[stream].call);
        annot__json_number(
            &json->to, "bundle",
            stop->bundle == ANNOT__NONE ? 0 : annot__entry_bundle(reader, stop->bundle).ordinal);
        if (stop->bundle != ANNOT__NONE)
            called(json, "bundle_object", annot__called_in_bundle(reader, stop->bundle));
        annot__json_bool(&json->to, "between_lists", stop->is_between);
        if (annot__guilty_queue(reader) != 0)
            annot__json_bool(&json->to, "guilty", stop->is_guilty);
        marker_named(json, "scope",
                     stop->bundle_entry != ANNOT__NONE ? stop->bundle_entry : stop->entry);
        marker_named(json, "started", stop->started);
        marker_named(json, "completed", stop->completed);
        marker_named(json, "also_unfinished", stop->oldest);
        if (!stop->is_between && execution->crumbs != ANNOT__NONE)
            crumbs(json, execution->crumbs);
        stopped_at(json, stop);
        suspect(json, stop);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
    annot__json_number(&json->to, "in_progress_count", reader->stop_count);
}

static void answer(struct json *json)
{
    char words[4096];
    size_t size = annot_reader_answer(json->reader, words, sizeof words);
    annot__json_key(&json->to, "answer");
    annot__out_json(&json->to.out, words, size);
    annot__json_open(&json->to, "advice", "[");
    for (size_t i = 0; (size = annot_reader_advice(json->reader, i, words, sizeof words)) > 0;
         i++) {
        annot__json_separate(&json->to);
        annot__out_json(&json->to.out, words, size);
    }
    annot__json_close(&json->to, "]");
}

static void id_or_null(struct json *json, const char *key, const char *id)
{
    annot__json_key(&json->to, key);
    if (id[0])
        annot__out_json(&json->to.out, id, strlen(id));
    else
        annot__out_text(&json->to.out, "null");
}

static void identity_part(struct json *json, annot_part part)
{
    const annot_identity *of = &json->identity;
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)of->parts[part].hash);
    annot__json_open(&json->to, annot_part_word(part), "{");
    id_or_null(json, "hash", of->parts[part].hash ? digits : "");
    annot__json_string(&json->to, "text", of->parts[part].text);
    annot__json_close(&json->to, "}");
}

static void signature(struct json *json)
{
    annot_signature first;
    const annot_identity *of = &json->identity;
    annot_reader_signature(json->reader, &first);
    annot__json_open(&json->to, "signature", "{");
    annot__json_number(&json->to, "version", of->version);
    id_or_null(json, "id", of->id);
    annot__json_string(&json->to, "quality", annot_signature_quality_word(of->quality));
    if (annot_signature_is_weak(of->quality))
        annot__json_string(&json->to, "weak_because", annot_signature_quality_text(of->quality));
    annot__json_string(&json->to, "title", of->title);
    annot__json_string(&json->to, "path", of->path);
    annot__json_open(&json->to, "parts", "{");
    for (unsigned i = 0; i < ANNOT_IDENTITY_PARTS; i++)
        identity_part(json, (annot_part)i);
    annot__json_close(&json->to, "}");
    id_or_null(json, "v1", first.id);
    if (of->is_redacted)
        annot__json_bool(&json->to, "redacted", true);
    annot__json_close(&json->to, "}");
}

/* Those of a list, or of a bundle that this BUNDLE entry executes. */
static void operations_of(struct json *json, uint32_t execution, uint32_t bundle, uint32_t stream)
{
    annot_reader_operation operation;
    for (size_t i = 0;
         annot_reader_operation_at(json->reader, stream, i, &operation) && take_node(json); i++) {
        annot__json_element(&json->to);
        annot__json_number(&json->to, "number", operation.number);
        annot__json_string(&json->to, "state",
                           annot_operation_state_text(annot_reader_operation_state(
                               json->reader, execution, bundle, &operation)));
        if (operation.scope != 0)
            annot__json_hex(&json->to, "scope", operation.scope);
        if (bundle != ANNOT__NONE)
            annot__json_number(&json->to, "in_bundle",
                               annot__entry_bundle(json->reader, bundle).ordinal);
        call(json, &operation);
        annot__json_close(&json->to, "}");
    }
}

static void operations(struct json *json, uint32_t index)
{
    const annot_reader *reader = json->reader;
    const uint32_t list = reader->executions[index].stream;
    const struct annot__range *bundles = &reader->streams[list].bundles;
    annot__json_open(&json->to, "operations", "[");
    operations_of(json, index, ANNOT__NONE, list);
    for (uint32_t i = 0; i < bundles->count && json->nodes_left > 0; i++) {
        const uint32_t bundle = reader->bundles[bundles->first + i];
        if (reader->entries[bundle].leaf.link != ANNOT__NONE)
            operations_of(json, index, bundle, reader->entries[bundle].leaf.link);
    }
    annot__json_close(&json->to, "]");
}

static void execution(struct json *json, uint32_t index)
{
    const annot_reader *reader = json->reader;
    const struct annot__execution *of = &reader->executions[index];
    annot_reader_execution view;
    annot_reader_execution_at(reader, index, &view);
    annot__json_element(&json->to);
    annot__json_number(&json->to, "list", of->list);
    list_of(json, index);
    annot__json_key(&json->to, "recording");
    if (of->stream == ANNOT__NONE)
        annot__out_text(&json->to.out, "null");
    else
        annot__out_format(&json->to.out, "\"%llu\"",
                          (unsigned long long)reader->streams[of->stream].recording);
    state(json, view.state);
    sentence(json, "evidence", annot_evidence_text(view.evidence));
    if (of->bounds.is_uniform && view.state == ANNOT_STATE_IN_PROGRESS)
        sentence(json, "inside", annot_evidence_text((annot_evidence)of->bounds.evidence));
    annot__json_hex(&json->to, "started", view.started);
    annot__json_hex(&json->to, "completed", view.completed);
    bool is_written = json->options->all || view.state != ANNOT_STATE_FINISHED;
    if (of->stream != ANNOT__NONE)
        annot__json_number(&json->to, "marker_count", reader->streams[of->stream].markers);
    if (of->stream != ANNOT__NONE && is_written) {
        struct annot__walk walk;
        annot__walk_init(&walk, reader, of->stream, index, &json->outer);
        enclosing(json);
        walk_markers(json, &walk);
        if (json->options->operations)
            operations(json, index);
    }
    annot__json_close(&json->to, "}");
    annot__outer_scopes_leave(&json->outer, index);
}

static void queue(struct json *json, uint32_t index)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    const annot_reader *reader = json->reader;
    const struct annot__stream *of = &reader->streams[index];
    annot__json_element(&json->to);
    object(json, "object", of->object);
    annot__json_string(&json->to, "verdict", verdicts[annot_reader_queue_verdict(reader, index)]);
    annot__json_decimal(&json->to, "submitted", of->submitted);
    annot__json_decimal(&json->to, "completed", of->completed);
    annot__json_decimal(&json->to, "dropped", of->dropped);
    annot__json_number(&json->to, "surplus_ends", of->surplus_ends);
    annot__json_number(&json->to, "unclosed", of->unclosed.count);
    annot__json_open(&json->to, "entries", "[");
    for (uint32_t i = 0; i < of->entries.count; i++) {
        uint32_t at = of->entries.first + i;
        if (!take_node(json))
            break;
        annot__json_element(&json->to);
        annot__json_number(&json->to, "depth", reader->entries[at].depth);
        entry(json, at);
        state(json, annot_reader_queue_state(reader, at, NULL));
        if (reader->entries[at].kind == ANNOT_ENTRY_SUBMISSION) {
            const struct annot__submitted *submission =
                &reader->submissions[reader->entries[at].leaf.link];
            annot__json_decimal(&json->to, "serial", submission->serial);
            annot__json_open(&json->to, "lists", "[");
            for (uint32_t k = 0; k < submission->executions.count && take_node(json); k++)
                execution(json, submission->executions.first + k);
            annot__json_close(&json->to, "]");
        }
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
    annot__json_close(&json->to, "}");
}

static void recordings(struct json *json)
{
    const annot_reader *reader = json->reader;
    annot__json_open(&json->to, "recordings", "[");
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *of = &reader->streams[i];
        if (of->is_queue)
            continue;
        annot__json_element(&json->to);
        annot__json_decimal(&json->to, "id", of->recording);
        recorded(json, i, of->object);
        annot__json_number(&json->to, "marker_count", of->markers);
        annot__json_decimal(&json->to, "dropped", of->dropped);
        annot__json_number(&json->to, "surplus_ends", of->surplus_ends);
        annot__json_number(&json->to, "unclosed", of->unclosed.count);
        annot__json_number(&json->to, "executions", of->executions);
        annot__json_bool(&json->to, "open", of->is_open);
        if (of->thread != 0)
            annot__json_number(&json->to, "thread", of->thread);
        if (of->call != 0)
            annot__json_decimal(&json->to, "call", of->call);
        annot__json_bool(&json->to, "damaged", of->is_damaged);
        if (of->executions == 0) {
            struct annot__walk walk;
            annot__walk_init(&walk, reader, i, ANNOT__NONE, NULL);
            walk_markers(json, &walk);
        }
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void objects(struct json *json)
{
    annot_reader_object of;
    annot__json_open(&json->to, "objects", "[");
    for (size_t i = 0; annot_reader_object_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_decimal(&json->to, "id", of.id);
        annot__json_number(&json->to, "kind", of.kind);
        if (of.kind_name.size > 0)
            short_text(json, "kind_name", of.kind_name);
        if (json->reader->objects[i].fields.type != 0)
            annot__json_string(&json->to, "type", annot_object_type_text(of.type));
        annot__json_number(&json->to, "flavor", of.list_type);
        annot__json_hex(&json->to, "handle", of.handle);
        annot__json_key(&json->to, "name");
        bool is_whole = true;
        if (of.is_named || of.name.size > 0)
            is_whole = text_value(json, of.name);
        else
            annot__out_text(&json->to.out, "null");
        annot__json_bool(&json->to, "name_cut", of.is_name_cut || !is_whole);
        annot__json_bool(&json->to, "destroyed", of.is_destroyed);
        annot__json_bool(&json->to, "driver_retail", of.is_retail);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void facts(struct json *json)
{
    annot_reader_fact of;
    if (json->reader->fact_count == 0)
        return;
    annot__json_open(&json->to, "facts", "[");
    for (size_t i = 0; annot_reader_fact_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        text(json, "key", of.key);
        text(json, "value", of.value);
        annot__json_string(&json->to, "source", annot_fact_source_text(of.source));
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void blobs(struct json *json)
{
    annot_reader_blob of;
    annot__json_open(&json->to, "blobs", "[");
    for (size_t i = 0; annot_reader_blob_at(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_string(&json->to, "kind", annot_blob_kind_text(of.kind));
        annot__json_number(&json->to, "index", of.index);
        annot__json_decimal(&json->to, "metadata", of.metadata);
        annot__json_decimal(&json->to, "size", of.size);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

#define LOSS_MEMBER(name, number, member, one, many) #member,

/* Those that are too long to be repeated, whole. */
static void names(struct json *json)
{
    struct annot__name name;
    annot__json_open(&json->to, "names", "[");
    for (uint32_t i = 0; i < json->reader->entry_count; i++) {
        if (!annot__entry_is_marker(&json->reader->entries[i]))
            continue;
        annot__names_of_entry(&json->names, i, &name);
        if (!name.is_short)
            continue;
        if (!take_node(json))
            break;
        annot__name_of_entry(json->reader, i, json->name, sizeof json->name, &name);
        annot__json_element(&json->to);
        annot__json_hex(&json->to, "event_id", annot__entry_event_id(json->reader, i));
        annot__json_key(&json->to, "name");
        annot__out_json(&json->to.out, name.text, name.size);
        annot__json_bool(&json->to, "name_cut", name.is_cut || name.is_short);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void losses(struct json *json)
{
    static const char *const names[] = {ANNOT_LOSSES(LOSS_MEMBER)};
    annot__json_open(&json->to, "lost", "{");
    for (uint32_t i = 0; i < ANNOT__LOSS_SLOTS; i++)
        annot__json_decimal(&json->to, names[i], json->reader->losses[i]);
    annot__json_decimal(&json->to, "finished_lists_expired", json->reader->expired);
    annot__json_close(&json->to, "}");
}

static void findings(struct json *json)
{
    static const char *const classes[] = {"", "damage", "note", "evidence"};
    annot_finding of;
    annot__json_open(&json->to, "findings", "[");
    for (size_t i = 0; annot_reader_finding(json->reader, i, &of); i++) {
        annot__json_element(&json->to);
        annot__json_string(&json->to, "name", of.name);
        annot__json_number(&json->to, "number", (uint64_t)of.kind);
        annot__json_string(&json->to, "class", classes[of.finding_class]);
        sentence(json, "text", of.text);
        annot__json_decimal(&json->to, "count", of.count);
        annot__json_decimal(&json->to, "offset", of.offset);
        annot__json_hex(&json->to, "value", of.value);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void bytes(struct json *json, const char *name, const uint8_t *data, uint32_t size)
{
    annot__json_key(&json->to, name);
    annot__out_text(&json->to.out, "\"");
    for (uint32_t i = 0; i < size; i++)
        annot__out_format(&json->to.out, "%02x", data[i]);
    annot__out_text(&json->to.out, "\"");
}

static void kernel_driver(struct json *json)
{
    annot_reader_tdr tdr;
    if (!annot_reader_get_tdr(json->reader, &tdr))
        return;
    annot__json_open(&json->to, "tdr", "{");
    annot__json_string(&json->to, "type", annot_tdr_type_text(tdr.type));
    annot__json_number(&json->to, "type_number", tdr.type);
    annot__json_number(&json->to, "reason", tdr.reason);
    annot__json_number(&json->to, "ddi", tdr.ddi);
    annot__json_hex(&json->to, "status", (uint32_t)tdr.status);
    annot__json_hex(&json->to, "bucketing_key", tdr.bucketing_key);
    annot__json_hex(&json->to, "dma_buffer_offset", tdr.dma_offset);
    if (tdr.node != UINT32_MAX)
        annot__json_number(&json->to, "node", tdr.node);
    if (tdr.queue != 0)
        object(json, "queue", tdr.queue);
    if (tdr.context != 0)
        object(json, "guilty", tdr.context);
    annot__json_decimal(&json->to, "last_completed", tdr.last_completed);
    annot__json_decimal(&json->to, "last_submitted", tdr.last_submitted);
    annot__json_decimal(&json->to, "nanoseconds", tdr.time);
    annot__json_number(&json->to, "broken_rules", tdr.flags);
    bytes(json, "payload", tdr.payload, tdr.payload_size);
    bytes(json, "returned", tdr.returned, tdr.payload_size);
    annot__json_close(&json->to, "}");
}

static void all_crumbs(struct json *json)
{
    annot_reader_crumbs of;
    if (json->reader->crumb_count == 0)
        return;
    annot__json_open(&json->to, "breadcrumbs", "[");
    for (uint32_t i = 0; annot_reader_crumbs_at(json->reader, i, &of) && take_node(json); i++) {
        annot__json_element(&json->to);
        object(json, "queue", json->reader->crumbs[i].fields.queue);
        annot__json_decimal(&json->to, "submission", of.submission);
        annot__json_number(&json->to, "list", of.list);
        annot__json_number(&json->to, "bundle", of.bundle);
        crumbs(json, i);
        annot__json_bool(&json->to, "joined", of.is_joined);
        state(json, of.state);
        if (of.is_disputed)
            annot__json_string(&json->to, "disputed", annot_state_text(of.overruled));
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void ranges(struct json *json)
{
    annot_reader_range of;
    if (json->reader->range_count == 0)
        return;
    annot__json_open(&json->to, "ranges", "[");
    for (uint32_t i = 0; annot_reader_range_at(json->reader, i, &of) && take_node(json); i++) {
        annot__json_element(&json->to);
        annot__json_hex(&json->to, "address", of.address);
        annot__json_decimal(&json->to, "size", of.size);
        object(json, "object", of.object);
        annot__json_number(&json->to, "kind", of.kind);
        annot__json_bool(&json->to, "freed", of.is_freed);
        if (of.is_freed)
            annot__json_decimal(&json->to, "freed_before", of.freed_before);
        annot__json_close(&json->to, "}");
    }
    annot__json_close(&json->to, "]");
}

static void report(struct json *json)
{
    const annot_reader *reader = json->reader;
    annot__json_open(&json->to, NULL, "{");
    annot__json_number(&json->to, "version", 2);
    answer(json);
    annot__json_bool(&json->to, "damaged", annot_reader_is_damaged(reader));
    device(json);
    stops(json);
    signature(json);
    annot__json_open(&json->to, "queues", "[");
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_queue)
            queue(json, i);
    annot__json_close(&json->to, "]");
    recordings(json);
    objects(json);
    names(json);
    facts(json);
    all_crumbs(json);
    kernel_driver(json);
    ranges(json);
    blobs(json);
    losses(json);
    findings(json);
    annot__json_bool(&json->to, "cut", json->nodes_left == 0 || json->nodes_cut > 0);
    annot__json_close(&json->to, "}");
    annot__out_text(&json->to.out, "\n");
}

static annot_result report_json(const annot_reader *reader, const annot_report_options *options,
                                const annot_report_sink *sink)
{
    static const annot_report_options defaults;
    struct json *json = annot__report_allocate(reader, sizeof *json);
    if (!json)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(json, 0, offsetof(struct json, name));
    json->to.out.sink = sink;
    json->reader = reader;
    json->options = options ? options : &defaults;
    json->voice = annot__voice_of(reader);
    json->size_limit = annot__report_size_limit(reader, json->options);
    json->nodes_left =
        json->options->node_limit ? json->options->node_limit : ANNOT_REPORT_NODE_LIMIT;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (annot__names_init(&json->names, reader) && annot__outer_scopes_init(&json->outer, reader) &&
        annot_reader_identity(reader, &json->identity) == ANNOT_OK) {
        report(json);
        result = annot__out_flush(&json->to.out) ? ANNOT_OK : ANNOT_ERROR_IO;
    }
    annot__outer_scopes_finish(&json->outer);
    annot__names_finish(&json->names);
    annot__report_release(reader, json, sizeof *json);
    return result;
}

annot_result annot_report_json_sized(const annot_reader *reader,
                                     const annot_report_options *options, size_t options_size,
                                     const annot_report_sink *sink)
{
    annot_report_options known_options = {0};
    if (!reader || !sink || !sink->write ||
        !annot__take(&known_options, sizeof known_options, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    return report_json(reader, options ? &known_options : NULL, sink);
}
