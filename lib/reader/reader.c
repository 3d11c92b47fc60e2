/* The public functions of a reader, which only look up data of the model. */
#include "reader/ask.h"
#include "analysis/analysis.h"
#include "analysis/states.h"
#include "base/object_type.h"
#include "base/sized.h"

/* ---- how many ---- */

#define COUNT(things, member)                                                                      \
    size_t annot_reader_##things##_count(const annot_reader *reader)                               \
    {                                                                                              \
        return reader->member;                                                                     \
    }
COUNT(object, object_count)
COUNT(fact, fact_count)
COUNT(blob, blob_count)
COUNT(stream, stream_count)
COUNT(submission, submission_count)
COUNT(execution, execution_count)
COUNT(shader, shader_count)
COUNT(crumbs, crumb_count)
COUNT(range, range_count)
COUNT(suspect, suspect_count)
COUNT(wait, wait_count)
COUNT(stop, stop_count)

/* ---- findings ---- */

#define FINDING(name, number, class, text) {number, ANNOT_FINDING_##class, #name, text, 0, 0, 0},
static const annot_finding finding_rows[][ANNOT__FINDING_SLOTS] = {
    ANNOT__IN_VOICES(ANNOT_FINDINGS, FINDING)};

size_t annot_reader_finding_count(const annot_reader *reader)
{
    size_t count = 0;
    for (size_t i = 0; i < ANNOT__FINDING_SLOTS; i++)
        count += reader->findings.of[i].count > 0;
    return count;
}

bool annot_reader_finding_sized(const annot_reader *reader, size_t index, annot_finding *out,
                                size_t out_size)
{
    for (size_t i = 0; i < ANNOT__FINDING_SLOTS; i++) {
        const struct annot__finding_count *of = &reader->findings.of[i];
        if (of->count == 0 || index-- > 0)
            continue;
        annot_finding whole = finding_rows[reader->voice][i];
        whole.count = of->count;
        whole.offset = of->offset;
        whole.value = of->value;
        return ANNOT__GIVE(out, out_size, whole);
    }
    return false;
}

bool annot_reader_is_damaged(const annot_reader *reader)
{
    for (size_t i = 0; i < ANNOT__FINDING_SLOTS; i++)
        if (reader->findings.of[i].count > 0 &&
            finding_rows[0][i].finding_class == ANNOT_FINDING_DAMAGE)
            return true;
    return false;
}

/* ---- the dump as a whole ---- */

#define YEAR_2000 (UINT64_C(946684800) * 1000000000u)

void annot_reader_get_device_sized(const annot_reader *reader, annot_reader_device *out,
                                   size_t out_size)
{
    const struct annot__dump_DEVICE *device = &reader->device;
    const bool is_virtual =
        device->virtual_clock != 0 || (device->time != 0 && device->time < YEAR_2000);
    annot_reader_device whole = {
        .time = is_virtual ? 0 : device->time,
        .virtual_time = is_virtual ? device->time : 0,
        .has_virtual_clock = is_virtual,
        .budget = device->budget,
        .live_bytes = device->live_bytes,
        .fault_count = reader->fault_count,
        .fault_address = reader->fault_address,
        .error = device->error,
        .mode = device->mode,
        .order_window = device->order_window,
        .promises = device->promises,
        .pointer_size = device->pointer_size,
        .driver_supported = device->driver_supported != 0,
        .has_report = device->has_report != 0,
        .is_known = reader->has_device,
        .application = reader->texts[ANNOT__DUMP_TEXT_APPLICATION],
        .adapter = reader->texts[ANNOT__DUMP_TEXT_ADAPTER],
        .driver = reader->texts[ANNOT__DUMP_TEXT_DRIVER],
        .reason = reader->texts[ANNOT__DUMP_TEXT_REASON],
        .writer = reader->texts[ANNOT__DUMP_TEXT_WRITER],
    };
    for (unsigned i = 0; i < 8; i++) {
        whole.guid[i] = (uint8_t)(device->guid_low >> (8 * i));
        whole.guid[8 + i] = (uint8_t)(device->guid_high >> (8 * i));
    }
    ANNOT__GIVE(out, out_size, whole);
}

uint64_t annot_reader_loss(const annot_reader *reader, uint32_t loss)
{
    uint32_t slot = annot__loss_slot(loss);
    return slot < ANNOT__LOSS_SLOTS ? reader->losses[slot] : 0;
}

bool annot_reader_object_at_sized(const annot_reader *reader, size_t index,
                                  annot_reader_object *out, size_t out_size)
{
    if (index >= reader->object_count)
        return false;
    const struct annot__object_entry *object = &reader->objects[index];
    uint32_t kind = annot__index_find(&reader->kind_index, object->fields.kind);
    annot_reader_object whole = {
        .type = object->fields.type ? object->fields.type
                                    : (uint32_t)annot__object_type_of_d3d12(object->fields.kind),
        .kind_name = kind == ANNOT__NONE ? (annot_text){NULL, 0} : reader->kinds[kind],
        .id = object->fields.id,
        .handle = object->fields.handle,
        .kind = object->fields.kind,
        .list_type = object->fields.list_type,
        .is_destroyed = object->fields.flags & ANNOT__DUMP_OBJECT_DESTROYED,
        .is_named = object->fields.flags & ANNOT__DUMP_OBJECT_NAMED,
        .is_retail = object->fields.flags & ANNOT__DUMP_OBJECT_RETAIL,
        .is_name_cut = object->fields.name_size > object->name.size,
        .name = object->name,
        .made = object->fields.made,
        .destroyed = object->fields.destroyed,
    };
    return ANNOT__GIVE(out, out_size, whole);
}

bool annot_reader_object_find_sized(const annot_reader *reader, uint64_t id,
                                    annot_reader_object *out, size_t out_size)
{
    return annot_reader_object_at_sized(reader, annot__index_find(&reader->object_index, id), out,
                                        out_size);
}

bool annot_reader_fact_at_sized(const annot_reader *reader, size_t index, annot_reader_fact *out,
                                size_t out_size)
{
    if (index >= reader->fact_count)
        return false;
    const struct annot__fact_entry *fact = &reader->facts[index];
    return ANNOT__GIVE_NEW(out, out_size, annot_reader_fact, fact->source, fact->key, fact->value);
}

bool annot_reader_blob_at_sized(const annot_reader *reader, size_t index, annot_reader_blob *out,
                                size_t out_size)
{
    return index < reader->blob_count && ANNOT__GIVE(out, out_size, reader->blobs[index].blob);
}

size_t annot_reader_blob_read(const annot_reader *reader, size_t index, uint64_t offset,
                              void *buffer, size_t capacity)
{
    return index < reader->blob_count
               ? annot__blob_read(reader, &reader->blobs[index], offset, buffer, capacity)
               : 0;
}

const char *annot_fact_source_text(uint32_t source)
{
    static const char *const words[] = {"unknown", "device", "dump", "library"};
    return words[source < sizeof words / sizeof *words ? source : 0];
}

const char *annot_blob_kind_text(uint32_t kind)
{
    static const char *const words[] = {"unknown", "driver", "kernel", "application",
                                        "kernel-mode driver"};
    return words[kind < sizeof words / sizeof *words ? kind : 0];
}

/* ---- streams and entries ---- */

bool annot_reader_stream_at_sized(const annot_reader *reader, uint32_t index,
                                  annot_reader_stream *out, size_t out_size)
{
    if (index >= reader->stream_count)
        return false;
    const struct annot__stream *stream = &reader->streams[index];
    return ANNOT__GIVE_NEW(out, out_size, annot_reader_stream, .object = stream->object,
                           .recording = stream->recording, .dropped = stream->dropped,
                           .submitted = stream->submitted, .completed = stream->completed,
                           .call = stream->call, .thread = stream->thread,
                           .first_entry = stream->entries.first,
                           .entry_count = stream->entries.count, .marker_count = stream->markers,
                           .unclosed = stream->unclosed.count, .surplus_ends = stream->surplus_ends,
                           .execution_count = stream->executions, .is_queue = stream->is_queue,
                           .is_open = stream->is_open, .is_damaged = stream->is_damaged,
                           .name = stream->name, .has_name = stream->has_name);
}

bool annot_reader_resource_of_sized(const annot_reader *reader, uint64_t object,
                                    annot_resource *out, size_t out_size)
{
    const uint32_t found = annot__index_find(&reader->resource_index, object);
    if (found == ANNOT__NONE)
        return false;
    return ANNOT__GIVE_NEW(out, out_size, annot_resource,
                           ANNOT__RESOURCE_MEMBERS(&reader->resources[found]));
}

bool annot_reader_entry_at_sized(const annot_reader *reader, uint32_t index,
                                 annot_reader_entry *out, size_t out_size)
{
    if (index >= reader->entry_count)
        return false;
    const struct annot__entry *entry = &reader->entries[index];
    annot_reader_entry whole = {
        .kind = (annot_entry_kind)entry->kind,
        .event_id = annot__entry_event_id(reader, index),
        .stream = annot__entry_stream(reader, index),
        .parent = entry->parent,
        .last = annot__entry_last(reader, index),
        .depth = entry->depth,
        .link = ANNOT__NONE,
        .is_closed = entry->is_closed,
    };
    if (entry->kind == ANNOT_ENTRY_BUNDLE) {
        const struct annot__called_object bundle = annot__called_in_bundle(reader, index);
        whole.ordinal = annot__entry_bundle(reader, index).ordinal;
        whole.bundle_name = bundle.name;
        whole.is_bundle_name_cut = bundle.is_name_cut;
    }
    if (entry->kind == ANNOT_ENTRY_BUNDLE || entry->kind == ANNOT_ENTRY_SUBMISSION)
        whole.link = entry->leaf.link;
    if (annot__entry_is_marker(entry)) {
        struct annot__marker_view marker;
        annot__entry_marker(reader, entry, &marker);
        whole.metadata = marker.metadata;
        whole.size = marker.size;
        whole.data = marker.bytes.data;
        whole.stored = (uint32_t)marker.bytes.size;
        whole.payload = marker.payload;
    }
    return ANNOT__GIVE(out, out_size, whole);
}

uint32_t annot_reader_entry_find(const annot_reader *reader, uint64_t event_id)
{
    return annot__event_find(reader, event_id);
}

/* ---- states ---- */

const char *annot_state_text(annot_state state)
{
    static const char *const words[] = {"unknown", "not started", "in progress", "finished",
                                        "not executed"};
    return words[(unsigned)state < sizeof words / sizeof *words ? state : 0];
}

const char *annot_evidence_text(const annot_reader *reader, annot_evidence evidence)
{
#define SENTENCE(name, number, text) [number] = text,
    enum { EVIDENCES = 26 };
    static const char *const all[][EVIDENCES] = {ANNOT__IN_VOICES(ANNOT_EVIDENCES, SENTENCE)};
    const char *text =
        (unsigned)evidence < EVIDENCES ? all[reader ? reader->voice : 0][evidence] : NULL;
    return text ? text : "";
}

bool annot_reader_submission_at_sized(const annot_reader *reader, uint32_t index,
                                      annot_reader_submission *out, size_t out_size)
{
    if (index >= reader->submission_count)
        return false;
    const struct annot__submitted *submission = &reader->submissions[index];
    annot_reader_submission whole = {
        .queue = submission->queue,
        .entry = submission->entry,
        .serial = submission->serial,
        .first_execution = submission->executions.first,
        .execution_count = submission->executions.count,
        .state = (annot_state)submission->state,
    };
    const struct annot__called_object object = annot__called_in_submission(reader, index);
    whole.queue_name = object.name;
    whole.is_queue_name_cut = object.is_name_cut;
    return ANNOT__GIVE(out, out_size, whole);
}

bool annot_reader_execution_at_sized(const annot_reader *reader, uint32_t index,
                                     annot_reader_execution *out, size_t out_size)
{
    if (index >= reader->execution_count)
        return false;
    const struct annot__execution *execution = &reader->executions[index];
    annot_reader_execution whole = {
        .queue = execution->queue,
        .submission = execution->submission,
        .list = execution->list,
        .stream = execution->stream,
        .object = execution->object,
        .state = (annot_state)execution->state,
        .evidence = (annot_evidence)execution->evidence,
    };
    const struct annot__called_object object = annot__called_in_execution(reader, index);
    whole.name = object.name;
    whole.is_name_cut = object.is_name_cut;
    if (execution->rows.count > 0 && reader->rows[execution->rows.first].bundle == 0) {
        whole.started = reader->rows[execution->rows.first].started;
        whole.completed = reader->rows[execution->rows.first].completed;
    }
    return ANNOT__GIVE(out, out_size, whole);
}

/* Returns the state of a marker from the bounds of its list or bundle. */
static annot_state state_within(const annot_reader *reader, uint32_t execution, uint32_t entry,
                                const struct annot__progress_bounds *bounds,
                                annot_evidence *evidence)
{
    annot_state state = annot__bounds_state(reader, bounds, reader->entries[entry].begin,
                                            reader->entries[entry].end);
    *evidence = (annot_evidence)bounds->evidence;
    annot__crossing_find(reader, execution, entry, &state, evidence);
    return state;
}

annot_state annot_reader_state(const annot_reader *reader, uint32_t execution_index,
                               uint32_t bundle, uint32_t entry_index, annot_evidence *evidence)
{
    evidence = evidence ? evidence : &(annot_evidence){ANNOT_EVIDENCE_NONE};
    *evidence = ANNOT_EVIDENCE_NONE;
    if (execution_index >= reader->execution_count || entry_index >= reader->entry_count)
        return ANNOT_STATE_UNKNOWN;
    const struct annot__execution *execution = &reader->executions[execution_index];
    const uint32_t stream = annot__entry_stream(reader, entry_index);
    uint32_t of_list = entry_index;
    struct annot__progress_bounds bounds;
    if (bundle != ANNOT__NONE) {
        if (bundle >= reader->entry_count || reader->entries[bundle].kind != ANNOT_ENTRY_BUNDLE ||
            reader->entries[bundle].leaf.link != stream)
            return ANNOT_STATE_UNKNOWN;
        of_list = bundle;
    }
    if (annot__entry_stream(reader, of_list) != execution->stream)
        return ANNOT_STATE_UNKNOWN;
    if (bundle == ANNOT__NONE && reader->entries[entry_index].kind != ANNOT_ENTRY_BUNDLE)
        return state_within(reader, execution_index, entry_index, &execution->bounds, evidence);
    annot__bundle_bounds(reader, execution, of_list, &bounds);
    if (bundle != ANNOT__NONE)
        return state_within(reader, execution_index, entry_index, &bounds, evidence);
    *evidence = (annot_evidence)bounds.evidence;
    return annot__bundle_state(&bounds);
}

annot_state annot_reader_queue_state(const annot_reader *reader, uint32_t index,
                                     annot_evidence *evidence)
{
    evidence = evidence ? evidence : &(annot_evidence){ANNOT_EVIDENCE_NONE};
    *evidence = ANNOT_EVIDENCE_NONE;
    if (index >= reader->entry_count)
        return ANNOT_STATE_UNKNOWN;
    const struct annot__entry *entry = &reader->entries[index];
    const struct annot__stream *stream = &reader->streams[annot__entry_stream(reader, index)];
    if (!stream->is_queue)
        return ANNOT_STATE_UNKNOWN;
    if (entry->kind == ANNOT_ENTRY_SUBMISSION)
        return (annot_state)reader->submissions[entry->leaf.link].state;
    return annot__queue_marker_state(reader, index, evidence);
}

/* Returns true if the dump holds every submission that is not completed; the state of a missing one
 * is unknown. */
static bool holds_all(const annot_reader *reader, const struct annot__stream *queue)
{
    uint64_t held = 0;
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        uint64_t serial = reader->submissions[queue->submissions.first + i].serial;
        held += serial > queue->completed && serial <= queue->submitted;
    }
    return !queue->is_damaged &&
           (queue->submitted <= queue->completed || held == queue->submitted - queue->completed);
}

annot_queue_verdict annot_reader_queue_verdict(const annot_reader *reader, uint32_t index)
{
    if (index >= reader->stream_count)
        return ANNOT_QUEUE_UNKNOWN;
    const struct annot__stream *queue = &reader->streams[index];
    bool is_waiting = false, is_known = holds_all(reader, queue);
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        if (submission->state == ANNOT_STATE_IN_PROGRESS)
            return ANNOT_QUEUE_STOPPED;
        is_waiting |= submission->state == ANNOT_STATE_NOT_STARTED;
        is_known &= submission->state != ANNOT_STATE_UNKNOWN || submission->executions.count == 0;
    }
    if (!is_known)
        return ANNOT_QUEUE_UNKNOWN;
    return is_waiting ? ANNOT_QUEUE_WAITING : ANNOT_QUEUE_IDLE;
}
