/*
 * From a device to a dump, at the worst of times. Nothing here allocates, formats with stdio or
 * waits for a lock without end: a lock that can't be had in bounded time costs the part behind it,
 * and the dump says so.
 *
 * Records are gathered in a buffer of one section; a full buffer is hashed and handed to the sink.
 * Marker data is read arena by arena under the arena's guard, so recording goes on meanwhile and
 * only a reset of that very arena waits.
 */
#include "dump/dump_format.h"
#include "record/types.h"
#include "base/utf.h"

#include <annot/dump.h>

#define XXH_INLINE_ALL
#define XXH_NO_STREAM
#include <xxhash.h>

#include <string.h>

struct annot_dump_writer {
    annot_device *device;
    const annot_dump_sink *sink;
    bool failed;
    uint32_t section_kind;
    uint32_t section_index;
    uint64_t records, markers;
    uint64_t locked_arenas, unknown_rows;
    bool locked_children;
    uint64_t unreadable; /* parts of what is pointed at */
    size_t used;         /* bytes of `section`, its header included */
    char section[ANNOT__DUMP_SECTION_HEADER + ANNOT__DUMP_SECTION_MAX];
    char referenced[ANNOT__REFERENCE_PIECE]; /* copied from memory that may not be there */
};

_Static_assert(ANNOT__REFERENCE_PIECE == ANNOT__DUMP_VARIABLE_MAX, "what a dump keeps of it");

/* ---- little-endian ---- */

static char *put_u16(char *at, uint16_t value)
{
    at[0] = (char)value;
    at[1] = (char)(value >> 8);
    return at + 2;
}

static char *put_u32(char *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (char)(value >> (8 * i));
    return at + 4;
}

static char *put_u64(char *at, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        at[i] = (char)(value >> (8 * i));
    return at + 8;
}

static size_t padding(size_t size)
{
    return (8 - size % 8) % 8;
}

/* ---- sections ---- */

static void sink_write(annot_dump_writer *writer, const void *data, size_t size)
{
    if (!writer->failed && !writer->sink->write(writer->sink->user, data, size))
        writer->failed = true;
}

static void section_flush(annot_dump_writer *writer)
{
    if (writer->used == ANNOT__DUMP_SECTION_HEADER)
        return;
    size_t payload = writer->used - ANNOT__DUMP_SECTION_HEADER;
    uint64_t seed = (uint64_t)writer->section_index << 32 | writer->section_kind;
    uint64_t hash = XXH64(writer->section + ANNOT__DUMP_SECTION_HEADER, payload, seed);
    char *at = writer->section;
    memcpy(at, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    at = put_u32(at + ANNOT__DUMP_MAGIC_SIZE, writer->section_kind);
    at = put_u32(at, writer->section_index);
    at = put_u64(at, payload);
    put_u64(at, hash);
    sink_write(writer, writer->section, writer->used); /* records are padded: so is the payload */
    writer->section_index++;
    writer->used = ANNOT__DUMP_SECTION_HEADER;
}

static void section_begin(annot_dump_writer *writer, uint32_t kind)
{
    section_flush(writer);
    writer->section_kind = kind;
}

/* Room for a record in the section; its header is written. */
static char *record_begin(annot_dump_writer *writer, uint32_t kind, uint32_t fixed,
                          uint32_t variable)
{
    size_t size = ANNOT__DUMP_RECORD_HEADER + (size_t)fixed + variable;
    size += padding(size);
    if (size > sizeof writer->section - writer->used)
        section_flush(writer);
    char *at = writer->section + writer->used;
    writer->used += size;
    writer->records++;
    at = put_u16(at, (uint16_t)kind);
    at = put_u16(at, (uint16_t)fixed);
    return put_u32(at, variable);
}

static void put_variable(char *at, uint32_t fixed, const void *data, uint32_t size)
{
    if (size > 0)
        memcpy(at, data, size);
    memset(at + size, 0, padding(ANNOT__DUMP_RECORD_HEADER + (size_t)fixed + size));
}

/* put_DEVICE(at, &fields), write_DEVICE(writer, &fields, data, size), ...: from the format's table.
 */
#define PUT_U32(name, doc) at = put_u32(at, fields->name);
#define PUT_U64(name, doc) at = put_u64(at, fields->name);
#define WRITE_RECORD(name, kind, doc, variable)                                                    \
    static char *put_##name(char *at, const struct annot__dump_##name *fields)                     \
    {                                                                                              \
        ANNOT__DUMP_FIELDS_##name(PUT_U32, PUT_U64) return at;                                     \
    }                                                                                              \
    ANNOT__UNUSED static void write_##name(annot_dump_writer *writer,                              \
                                           const struct annot__dump_##name *fields,                \
                                           const void *data, uint32_t size)                        \
    {                                                                                              \
        char *at = record_begin(writer, ANNOT__DUMP_##name, ANNOT__DUMP_##name##_FIXED, size);     \
        put_variable(put_##name(at, fields), ANNOT__DUMP_##name##_FIXED, data, size);              \
    }
ANNOT__DUMP_RECORDS(WRITE_RECORD)

static uint32_t cut(uint64_t size)
{
    return size < ANNOT__DUMP_VARIABLE_MAX ? (uint32_t)size : ANNOT__DUMP_VARIABLE_MAX;
}

/* The same for text, which is not cut inside of a character. */
static uint32_t cut_text(const char *text, uint64_t size)
{
    return size > ANNOT__DUMP_VARIABLE_MAX
               ? (uint32_t)annot__utf8_prefix(text, ANNOT__DUMP_VARIABLE_MAX)
               : (uint32_t)size;
}

/* ---- about ---- */

static void write_text(annot_dump_writer *writer, uint32_t role, const char *text)
{
    if (!text)
        return;
    size_t size = strlen(text);
    write_TEXT(writer, &(struct annot__dump_TEXT){.role = role}, text, cut_text(text, size));
}

static void write_loss(annot_dump_writer *writer, uint32_t what, uint64_t object, uint64_t count)
{
    if (count)
        write_LOSS(writer,
                   &(struct annot__dump_LOSS){.what = what, .object = object, .count = count}, NULL,
                   0);
}

static uint64_t guid_half(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static void write_about(annot_dump_writer *writer, const annot_dump_info *info)
{
    annot_device *device = writer->device;
    annot_device_stats stats;
    annot_device_get_stats(device, &stats);
    section_begin(writer, ANNOT__DUMP_SECTION_ABOUT);
    write_DEVICE(writer,
                 &(struct annot__dump_DEVICE){
                     .guid_low = guid_half(info->guid),
                     .guid_high = guid_half(info->guid + 8),
                     .time = info->time,
                     .budget = device->budget == UINT64_MAX ? 0 : device->budget,
                     .live_bytes = stats.live_bytes,
                     .error = (uint32_t)info->error,
                     .mode = (uint32_t)annot_device_mode(device),
                     .driver_supported = device->supported,
                     .order_window = info->report ? info->report->order_window : 0,
                     .has_report = info->report != NULL,
                     .pointer_size = sizeof(void *),
                 },
                 NULL, 0);
    write_text(writer, ANNOT__DUMP_TEXT_APPLICATION, info->application);
    write_text(writer, ANNOT__DUMP_TEXT_ADAPTER, info->adapter);
    write_text(writer, ANNOT__DUMP_TEXT_DRIVER, device->driver ? device->driver->name : NULL);
    write_text(writer, ANNOT__DUMP_TEXT_REASON, info->reason);
    write_text(writer, ANNOT__DUMP_TEXT_WRITER, annot_version());
    write_loss(writer, ANNOT__DUMP_LOSS_MARKERS, 0, stats.dropped_markers);
    write_loss(writer, ANNOT__DUMP_LOSS_BYTES, 0, stats.dropped_bytes);
    write_loss(writer, ANNOT__DUMP_LOSS_EVICTED, 0, stats.evicted_markers);
}

static bool lock_children(annot_dump_writer *writer)
{
    bool locked = annot__mutex_try_long(&writer->device->children);
    writer->locked_children |= !locked;
    return locked;
}

/* ---- objects; under children ---- */

static void write_object(annot_dump_writer *writer, const annot_object *object)
{
    uint32_t flags = (object->destroyed ? ANNOT__DUMP_OBJECT_DESTROYED : 0u) |
                     (object->name ? ANNOT__DUMP_OBJECT_NAMED : 0u) |
                     (object->mode == ANNOT_MODE_DRIVER_RETAIL ? ANNOT__DUMP_OBJECT_RETAIL : 0u);
    uint64_t size = object->name_size;
    write_OBJECT(writer,
                 &(struct annot__dump_OBJECT){
                     .id = object->id,
                     .handle = (uintptr_t)object->driver_handle,
                     .kind = (uint32_t)object->kind,
                     .flavor = object->flavor,
                     .flags = flags,
                     .name_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX,
                 },
                 object->name, cut_text(object->name, size));
}

static void write_objects(annot_dump_writer *writer)
{
    annot_device *device = writer->device;
    section_begin(writer, ANNOT__DUMP_SECTION_OBJECTS);
    for (annot_object *object = device->objects.first; object; object = object->next)
        write_object(writer, object);
    for (annot_object *object = device->freed.first; object; object = object->next)
        write_object(writer, object);
    write_loss(writer, ANNOT__DUMP_LOSS_FORGOTTEN_NAMES, 0, device->freed_forgotten);
}

/* ---- streams ---- */

static void write_marker_with(annot_dump_writer *writer, annot__kind kind,
                              const struct annot__dump_BEGIN *fields, const void *data)
{
    uint32_t stored = fields->flags & ANNOT__DUMP_MARKER_UNREADABLE ? 0 : cut(fields->size);
    writer->markers++;
    if (kind == ANNOT__KIND_BEGIN) {
        write_BEGIN(writer, fields, data, stored);
        return;
    }
    write_SET(writer,
              &(struct annot__dump_SET){.event_id = fields->event_id,
                                        .parent = fields->parent,
                                        .metadata = fields->metadata,
                                        .size = fields->size,
                                        .flags = fields->flags},
              data, stored);
}

static uint32_t read_reference(annot_dump_writer *writer, const annot__reference *reference)
{
    switch (annot__reference_read(reference, writer->referenced)) {
    case ANNOT__REFERENCE_SAME:
        break;
    case ANNOT__REFERENCE_CHANGED:
        return ANNOT__DUMP_MARKER_BY_REFERENCE | ANNOT__DUMP_MARKER_CHANGED;
    case ANNOT__REFERENCE_UNREADABLE:
        return ANNOT__DUMP_MARKER_BY_REFERENCE | ANNOT__DUMP_MARKER_UNREADABLE;
    }
    return ANNOT__DUMP_MARKER_BY_REFERENCE;
}

static void write_marker(annot_dump_writer *writer, annot__record *record, uint32_t word,
                         uint64_t id)
{
    const void *data = annot__record_payload(record);
    struct annot__dump_BEGIN fields = {
        .event_id = id,
        .parent = record->parent,
        .metadata = record->metadata,
        .size = annot__word_size(word),
        .flags = word & ANNOT__WORD_CLOSED ? ANNOT__DUMP_MARKER_CLOSED : 0,
    };
    if (annot__word_is_reference(word)) {
        const annot__reference *reference = data;
        fields.size = reference->size;
        fields.flags |= read_reference(writer, reference);
        data = writer->referenced;
    }
    write_marker_with(writer, annot__word_kind(word), &fields, data);
}

static void write_recording(annot_dump_writer *writer, annot__recording *recording, uint64_t id)
{
    write_RECORDING(
        writer,
        &(struct annot__dump_RECORDING){
            .id = id,
            .object = recording->object,
            .dropped = atomic_load_explicit(&recording->dropped, memory_order_relaxed),
            .open = atomic_load_explicit(&recording->open, memory_order_relaxed),
            .surplus_ends = atomic_load_explicit(&recording->surplus_ends, memory_order_relaxed),
            .unclosed = atomic_load_explicit(&recording->unclosed, memory_order_relaxed),
            .bundles = atomic_load_explicit(&recording->bundles, memory_order_relaxed),
        },
        NULL, 0);
}

static void write_bundle(annot_dump_writer *writer, const annot__record *record,
                         const annot__bundle_call *call)
{
    write_BUNDLE(writer,
                 &(struct annot__dump_BUNDLE){.parent = record->parent,
                                              .recording = call->recording,
                                              .object = call->object,
                                              .ordinal = call->ordinal},
                 NULL, 0);
}

/* The lists are encoded in place: a crash handler's stack may be small. */
static void write_submission(annot_dump_writer *writer, const annot__record *record,
                             const annot__submission *submission)
{
    uint32_t count = cut((uint64_t)submission->count * 16) / 16;
    char *at =
        record_begin(writer, ANNOT__DUMP_SUBMISSION, ANNOT__DUMP_SUBMISSION_FIXED, count * 16);
    at = put_SUBMISSION(at, &(struct annot__dump_SUBMISSION){.serial = submission->serial,
                                                             .parent = record->parent,
                                                             .count = submission->count});
    for (uint32_t i = 0; i < count; i++) {
        at = put_u64(at, submission->lists[i].recording);
        at = put_u64(at, submission->lists[i].object);
    }
    put_variable(at, ANNOT__DUMP_SUBMISSION_FIXED + count * 16, NULL, 0);
}

static void write_record(annot_dump_writer *writer, annot__record *record, uint32_t word,
                         uint64_t id)
{
    void *payload = annot__record_payload(record);
    switch (annot__word_kind(word)) {
    case ANNOT__KIND_NONE:
        break;
    case ANNOT__KIND_BEGIN:
    case ANNOT__KIND_SET:
        write_marker(writer, record, word, id);
        break;
    case ANNOT__KIND_SURPLUS_END:
        write_SURPLUS_END(writer, &(struct annot__dump_SURPLUS_END){.parent = record->parent}, NULL,
                          0);
        break;
    case ANNOT__KIND_RECORDING:
        write_recording(writer, payload, id);
        break;
    case ANNOT__KIND_BUNDLE:
        write_bundle(writer, record, payload);
        break;
    case ANNOT__KIND_SUBMISSION:
        write_submission(writer, record, payload);
        break;
    }
}

static void write_chunk(annot_dump_writer *writer, annot__chunk *chunk)
{
    char *at = (char *)(chunk + 1);
    const char *end = (const char *)chunk + chunk->size - ANNOT__UNIT;
    while (at <= end && !writer->failed) {
        annot__record *record = (annot__record *)(void *)at;
        uint32_t word = atomic_load_explicit(&record->word, memory_order_acquire);
        if (annot__word_kind(word) == ANNOT__KIND_NONE)
            return;
        uint64_t unit = (uint64_t)(at - (char *)chunk) / ANNOT__UNIT;
        write_record(writer, record, word, chunk->id_base + unit);
        at += annot__record_bytes(annot__word_size(word));
    }
}

/* Under guard: the live chunks, as many as there were at the start. */
static void write_chunks(annot_dump_writer *writer, const annot_arena *arena)
{
    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_acquire);
    annot__slot *slot = atomic_load_explicit(&arena->first, memory_order_acquire);
    for (; count > 0; count--) {
        write_chunk(writer, slot->chunk);
        slot = atomic_load_explicit(&slot->next, memory_order_acquire);
    }
}

static void write_lists(annot_dump_writer *writer)
{
    section_begin(writer, ANNOT__DUMP_SECTION_LISTS);
    annot_arena *arena = atomic_load_explicit(&writer->device->arenas, memory_order_acquire);
    for (; arena; arena = arena->next) {
        if (!annot__mutex_try_long(&arena->guard)) {
            writer->locked_arenas++;
            continue;
        }
        if (atomic_load(&arena->alive) && !arena->queue_object)
            write_chunks(writer, arena);
        annot__mutex_unlock(&arena->guard);
    }
}

/* ---- queues; under children ---- */

static void write_queue(annot_dump_writer *writer, annot__queue *queue)
{
    uint64_t object = queue->context->object->id;
    annot_arena *arena = queue->writer.arena;
    write_QUEUE(writer,
                &(struct annot__dump_QUEUE){
                    .object = object,
                    .submitted = atomic_load_explicit(&queue->submitted, memory_order_relaxed),
                    .completed = atomic_load_explicit(&queue->completed, memory_order_acquire),
                    .dropped = atomic_load_explicit(&queue->dropped_markers, memory_order_relaxed),
                    .surplus_ends =
                        atomic_load_explicit(&queue->surplus_ends, memory_order_relaxed),
                    .open_scopes = atomic_load_explicit(&queue->depth, memory_order_relaxed),
                },
                NULL, 0);
    if (annot__mutex_try_long(&arena->guard)) {
        write_chunks(writer, arena);
        annot__mutex_unlock(&arena->guard);
    } else {
        writer->locked_arenas++;
    }
    write_loss(writer, ANNOT__DUMP_LOSS_SUBMISSIONS, object,
               atomic_load_explicit(&queue->dropped_submissions, memory_order_relaxed));
    write_loss(writer, ANNOT__DUMP_LOSS_EVICTED_SUBMISSIONS, object,
               atomic_load_explicit(&queue->evicted_submissions, memory_order_relaxed));
}

static void write_queues(annot_dump_writer *writer)
{
    section_begin(writer, ANNOT__DUMP_SECTION_QUEUES);
    for (annot__queue *queue = writer->device->queues; queue; queue = queue->next)
        write_queue(writer, queue);
}

/* ---- evidence; under children ---- */

static uint64_t queue_object(const annot_device *device, const void *handle)
{
    for (annot__queue *queue = device->queues; queue; queue = queue->next)
        if (queue->context->object->driver_handle == handle)
            return queue->context->object->id;
    return 0;
}

static void write_progress(annot_dump_writer *writer, const annot_progress *row)
{
    uint64_t queue = queue_object(writer->device, row->queue);
    if (!queue) {
        writer->unknown_rows++;
        return;
    }
    write_PROGRESS(writer,
                   &(struct annot__dump_PROGRESS){
                       .queue = queue,
                       .submission = row->submission,
                       .started = row->started,
                       .completed = row->completed,
                       .list = row->list,
                       .bundle = row->bundle,
                       .state = row->state,
                   },
                   NULL, 0);
}

/* Copies the beginning of `size` bytes, whole units of it, into `referenced`; returns how many bytes, 0 when not even the
 * first unit can be read. */
static uint32_t copy_piece(annot_dump_writer *writer, const void *from, uint64_t size,
                           uint32_t unit)
{
    uint32_t part = cut(size) / unit * unit;
    while (part > 0 && !annot__memory_read(writer->referenced, from, part))
        part = part / 2 / unit * unit;
    return part;
}

static void write_blob(annot_dump_writer *writer, uint32_t index, const annot_blob *blob)
{
    const char *data = blob->data;
    uint64_t offset = 0;
    uint32_t part;
    do {
        part = copy_piece(writer, data + offset, blob->size - offset, 1);
        if (part > 0 || offset == 0)
            write_BLOB(writer,
                       &(struct annot__dump_BLOB){
                           .metadata = blob->metadata,
                           .offset = offset,
                           .size = blob->size,
                           .kind = blob->kind,
                           .index = index,
                       },
                       writer->referenced, part);
        offset += part;
    } while (offset < blob->size && part > 0 && !writer->failed);
    writer->unreadable += part == 0;
}

/* The driver says where its rows are and how many; the system knows whether they are. */
static void write_rows(annot_dump_writer *writer, const annot_progress *rows, size_t count)
{
    size_t i = 0, got = 1;
    while (i < count && got > 0 && !writer->failed) {
        got = copy_piece(writer, rows + i, (count - i) * sizeof *rows, sizeof *rows) / sizeof *rows;
        for (size_t k = 0; k < got; k++) {
            annot_progress row;
            memcpy(&row, writer->referenced + k * sizeof row, sizeof row);
            write_progress(writer, &row);
        }
        i += got;
    }
    writer->unreadable += got == 0;
}

/* The driver's report with whatever it claims, within the limits that it was told. */
static void write_report(annot_dump_writer *writer, const annot_crash_report *report)
{
    size_t rows = report->progress ? report->progress_count : 0;
    if (rows > ANNOT_CRASH_REPORT_MAX_ROWS)
        rows = ANNOT_CRASH_REPORT_MAX_ROWS;
    write_rows(writer, report->progress, rows);
    if (report->fault_address)
        write_FAULT(writer, &(struct annot__dump_FAULT){.address = report->fault_address}, NULL, 0);
}

static void write_blobs(annot_dump_writer *writer, const annot_dump_info *info)
{
    uint32_t index = 0;
    const annot_crash_report *report = info->report;
    if (report && report->blob && report->blob_size) {
        size_t size = report->blob_size;
        if (size > ANNOT_CRASH_REPORT_MAX_BLOB)
            size = ANNOT_CRASH_REPORT_MAX_BLOB;
        annot_blob blob = {.kind = ANNOT_BLOB_DRIVER, .data = report->blob, .size = size};
        write_blob(writer, index++, &blob);
    }
    for (size_t i = 0; i < info->blob_count && !writer->failed; i++)
        if (info->blobs[i].data && info->blobs[i].size)
            write_blob(writer, index++, &info->blobs[i]);
}

static void write_end(annot_dump_writer *writer)
{
    write_loss(writer, ANNOT__DUMP_LOSS_LOCKED_ARENAS, 0, writer->locked_arenas);
    write_loss(writer, ANNOT__DUMP_LOSS_LOCKED_NAMES, 0, writer->locked_children);
    write_loss(writer, ANNOT__DUMP_LOSS_PROGRESS_ROWS, 0, writer->unknown_rows);
    write_loss(writer, ANNOT__DUMP_LOSS_UNREADABLE, 0, writer->unreadable);
    section_begin(writer, ANNOT__DUMP_SECTION_END);
    write_END(writer,
              &(struct annot__dump_END){.sections = writer->section_index,
                                        .records = writer->records,
                                        .markers = writer->markers},
              NULL, 0);
    section_flush(writer);
}

/* ---- the file ---- */

/* The header without its magic, which only the finished dump gets. */
static void write_header(annot_dump_writer *writer)
{
    char header[ANNOT__DUMP_HEADER_SIZE] = {0};
    char *checked = header + ANNOT__DUMP_MAGIC_SIZE;
    char *at = put_u16(checked, ANNOT__DUMP_MAJOR);
    at = put_u16(at, ANNOT__DUMP_MINOR);
    at = put_u32(at, ANNOT__DUMP_HEADER_SIZE);
    at = put_u64(at, 0);
    put_u64(at, XXH64(checked, (size_t)(at - checked), 0));
    sink_write(writer, header, sizeof header);
}

annot_result annot_dump_write(annot_dump_writer *writer, const annot_dump_info *info,
                              const annot_dump_sink *sink)
{
    static const annot_dump_info nothing;
    assert(writer && sink && sink->write && sink->finish);
    annot_device *device = writer->device;
    if (!info)
        info = &nothing;
    writer->sink = sink;
    writer->failed = false;
    writer->section_index = 0;
    writer->records = writer->markers = 0;
    writer->locked_arenas = writer->unknown_rows = writer->unreadable = 0;
    writer->used = ANNOT__DUMP_SECTION_HEADER;

    write_header(writer);
    write_about(writer, info);
    writer->locked_children = false;
    if (lock_children(writer)) {
        write_objects(writer);
        annot__mutex_unlock(&device->children);
    }
    write_lists(writer);
    if (lock_children(writer)) {
        write_queues(writer);
        section_begin(writer, ANNOT__DUMP_SECTION_EVIDENCE);
        if (info->report)
            write_report(writer, info->report);
        annot__mutex_unlock(&device->children);
    }
    section_begin(writer, ANNOT__DUMP_SECTION_EVIDENCE);
    write_blobs(writer, info);
    write_end(writer);
    if (!writer->failed && !sink->finish(sink->user, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE))
        writer->failed = true;
    return writer->failed ? ANNOT_ERROR_IO : ANNOT_OK;
}

annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out)
{
    assert(device && out);
    *out = annot__allocate(device, sizeof **out, _Alignof(max_align_t));
    if (!*out)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(*out, 0, sizeof **out); /* touched now, not in the crash handler */
    (*out)->device = device;
    return ANNOT_OK;
}

void annot_dump_writer_destroy(annot_dump_writer *writer)
{
    if (writer)
        annot__release(writer->device, writer, sizeof *writer);
}
