/* Writes the recordings of lists and queues. The writer reads one arena at a time, under the
 * arena's guard. Recording goes on meanwhile; only a reset of the present arena waits. */
#include "dump_write/writer.h"

#include <stddef.h>

_Static_assert((int)ANNOT__DUMP_BEGIN_FIXED == (int)ANNOT__DUMP_SET_FIXED, "the same fields");

static inline void write_marker_with(annot_dump_writer *writer, enum annot__kind kind,
                                     const struct annot__dump_BEGIN *fields, const void *data)
{
    uint32_t stored =
        fields->flags & ANNOT__DUMP_MARKER_UNREADABLE ? 0 : annot__cut_bytes(fields->size);
    writer->counts.markers++;
    char *at =
        annot__record_begin(writer, kind == ANNOT__KIND_BEGIN ? ANNOT__DUMP_BEGIN : ANNOT__DUMP_SET,
                            ANNOT__DUMP_BEGIN_FIXED, stored);
    at = annot__put_BEGIN(at, fields);
    memcpy(at, data, stored);
}

static uint32_t read_reference(annot_dump_writer *writer, const struct annot__reference *reference)
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

static inline void write_marker(annot_dump_writer *writer, struct annot__record *record,
                                uint32_t word, uint64_t id)
{
    const void *data = annot__record_payload(record);
    struct annot__dump_BEGIN fields = {
        .event_id = id,
        .parent = annot__record_parent_id(record),
        .metadata = record->metadata,
        .size = annot__word_size(word),
        .flags = word & ANNOT__WORD_CLOSED ? ANNOT__DUMP_MARKER_CLOSED : 0,
    };
    if (annot__word_is_reference(word)) {
        const struct annot__reference *reference = data;
        fields.size = reference->size;
        fields.flags |= read_reference(writer, reference);
        data = writer->referenced;
    }
    write_marker_with(writer, annot__word_kind(word), &fields, data);
}

static void write_recording(annot_dump_writer *writer, const struct annot__record *record,
                            struct annot__recording *recording, uint64_t id)
{
    ANNOT__WRITE(writer, RECORDING, NULL, 0, .id = id, .object = recording->object,
                 .dropped = atomic_load_explicit(&recording->dropped, memory_order_relaxed),
                 .open = atomic_load_explicit(&recording->open, memory_order_relaxed),
                 .surplus_ends =
                     atomic_load_explicit(&recording->surplus_ends, memory_order_relaxed),
                 .unclosed = atomic_load_explicit(&recording->unclosed, memory_order_relaxed),
                 .bundles = atomic_load_explicit(&recording->bundles, memory_order_relaxed),
                 .thread = record->metadata, .call = record->parent);
}

static void write_bundle(annot_dump_writer *writer, const struct annot__record *record,
                         const struct annot__bundle_call *call, uint32_t size)
{
    ANNOT__WRITE(writer, BUNDLE, call->name,
                 size - (uint32_t)offsetof(struct annot__bundle_call, name),
                 .parent = annot__record_parent_id(record), .recording = call->recording,
                 .object = call->object, .ordinal = call->ordinal, .name_size = call->name_size,
                 .flags = call->has_name);
}

/* Writes a submission, with as many lists as a section has room for. Lists are encoded in place,
 * because a crash handler's stack may be small. */
static void write_submission(annot_dump_writer *writer, const struct annot__record *record,
                             const struct annot__submission *submission)
{
    const uint32_t room =
        (ANNOT__DUMP_SECTION_MAX - ANNOT__DUMP_RECORD_HEADER - ANNOT__DUMP_SUBMISSION_FIXED) / 16;
    const uint32_t count = submission->count < room ? submission->count : room;
    char *at = annot__record_begin(writer, ANNOT__DUMP_SUBMISSION, ANNOT__DUMP_SUBMISSION_FIXED,
                                   count * 16);
    at = annot__put_SUBMISSION(
        at, &(struct annot__dump_SUBMISSION){.serial = submission->serial,
                                             .parent = annot__record_parent_id(record),
                                             .count = submission->count,
                                             .number = submission->number});
    for (uint32_t i = 0; i < count; i++) {
        at = annot__put_u64(at, submission->lists[i].recording);
        at = annot__put_u64(at, submission->lists[i].object);
    }
}

static void write_operation(annot_dump_writer *writer, const struct annot__record *record,
                            const struct annot__operation_head *head)
{
    const int64_t *arguments = (const int64_t *)(const void *)(head + 1);
    const annot_bound_object *objects =
        (const annot_bound_object *)(const void *)(arguments + head->arguments);
    uint32_t whole = head->objects; /* parts follow */
    while (whole > 0 && objects[whole - 1].role == ANNOT_BOUND_PART)
        whole--;
    char *at = annot__record_begin(writer, ANNOT__DUMP_OPERATION, ANNOT__DUMP_OPERATION_FIXED,
                                   head->arguments * 8u + head->objects * 16u);
    at = annot__put_OPERATION(
        at, &(struct annot__dump_OPERATION){.parent = annot__record_parent_id(record),
                                            .number = record->metadata,
                                            .kind = head->kind,
                                            .arguments = head->arguments,
                                            .objects = whole});
    for (uint32_t i = 0; i < head->arguments; i++)
        at = annot__put_u64(at, (uint64_t)arguments[i]);
    for (uint32_t i = 0; i < head->objects; i++) {
        at = annot__put_u64(at, objects[i].object);
        at = annot__put_u32(at, objects[i].role);
        at = annot__put_u32(at, objects[i].layout);
    }
}

/* Writes a list's name. */
static void write_name(annot_dump_writer *writer, const struct annot__record *record,
                       const void *payload, uint32_t size)
{
    ANNOT__WRITE(writer, NAME, payload, size, .name_size = record->metadata);
}

/* Writes that another thread made the next calls of a queue's stream. */
static void write_thread(annot_dump_writer *writer, uint64_t parent, uint32_t thread)
{
    if (thread == writer->thread || writer->thread == 0)
        return;
    writer->thread = thread;
    ANNOT__WRITE(writer, THREAD, NULL, 0, .parent = parent, .thread = thread);
}

/* Writes the name that an object had in a submission, or a submission that was never made. */
static void write_queues_other(annot_dump_writer *writer, const struct annot__record *record,
                               const struct annot__submitted_name *told, uint32_t size)
{
    if (record->metadata == 0)
        return;
    ANNOT__WRITE(writer, NAME, told->name,
                 size - (uint32_t)offsetof(struct annot__submitted_name, name),
                 .name_size = told->name_size, .list = told->list, .serial = told->serial);
}

static void write_record(annot_dump_writer *writer, struct annot__record *record, uint32_t word,
                         uint64_t id, bool is_queue)
{
    void *payload = annot__record_payload(record);
    switch (annot__word_kind(word)) {
    case ANNOT__KIND_OTHER:
        if (is_queue && annot__word_is_reference(word))
            write_thread(writer, annot__record_parent_id(record), record->metadata);
        else if (is_queue)
            write_queues_other(writer, record, payload, annot__word_size(word));
        else if (annot__word_is_reference(word))
            write_operation(writer, record, payload);
        else
            write_name(writer, record, payload, annot__word_size(word));
        break;
    case ANNOT__KIND_BEGIN:
    case ANNOT__KIND_SET:
        write_marker(writer, record, word, id);
        break;
    case ANNOT__KIND_SURPLUS_END:
        ANNOT__WRITE(writer, SURPLUS_END, NULL, 0, .parent = annot__record_parent_id(record));
        break;
    case ANNOT__KIND_RECORDING:
        write_recording(writer, record, payload, id);
        break;
    case ANNOT__KIND_BUNDLE:
        write_bundle(writer, record, payload, annot__word_size(word));
        break;
    case ANNOT__KIND_SUBMISSION:
        write_submission(writer, record, payload);
        break;
    case ANNOT__KIND_NONE: /* is not written */
        break;
    }
}

static void write_chunk(annot_dump_writer *writer, struct annot__chunk *chunk, bool is_queue)
{
    char *at = (char *)(chunk + 1);
    const char *end = (const char *)chunk + chunk->size - ANNOT__UNIT;
    while (at <= end && !writer->failed) { /* reading payloads by reference may take long */
        struct annot__record *record = (struct annot__record *)(void *)at;
        uint32_t word = atomic_load_explicit(&record->word, memory_order_acquire);
        if (annot__word_kind(word) == ANNOT__KIND_NONE)
            return;
        uint64_t unit = (uint64_t)(at - (char *)chunk) / ANNOT__UNIT;
        write_record(writer, record, word, chunk->id_base + unit, is_queue);
        at += annot__record_bytes(annot__word_size(word));
    }
}

/* Writes the chunks that were live at the start. Hold the arena's guard. */
static void write_chunks(annot_dump_writer *writer, const annot_arena *arena)
{
    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_acquire);
    struct annot__slot *slot = atomic_load_explicit(&arena->first, memory_order_acquire);
    for (; count > 0; count--) {
        write_chunk(writer, slot->chunk, arena->queue_object != 0);
        slot = atomic_load_explicit(&slot->next, memory_order_acquire);
    }
}

void annot__write_section_LISTS(annot_dump_writer *writer)
{
    annot_arena *arena = atomic_load_explicit(&writer->device->arenas, memory_order_acquire);
    for (; arena; arena = arena->next) {
        if (!annot__mutex_try_for(&arena->guard, &writer->wait_left)) {
            writer->locked_arenas++;
            continue;
        }
        if (!arena->queue_object)
            write_chunks(writer, arena);
        annot__mutex_unlock(&arena->guard);
    }
}

/* ---- queues; under objects_lock ---- */

/* Writes the scopes around the rest of a queue's stream. Hold the arena's guard. */
static void write_kept(annot_dump_writer *writer, const annot_arena *arena)
{
    uint64_t innermost = 0;
    for (struct annot__kept *kept = arena->kept; kept && !writer->failed; kept = kept->inner) {
        write_thread(writer, annot__record_parent_id(&kept->record), kept->thread);
        write_record(writer, &kept->record,
                     atomic_load_explicit(&kept->record.word, memory_order_relaxed), kept->id,
                     true);
        innermost = kept->id;
    }
    write_thread(writer, innermost,
                 atomic_load_explicit(&arena->first_thread, memory_order_relaxed));
}

static void write_queue(annot_dump_writer *writer, struct annot__queue *queue)
{
    uint64_t object = queue->context->object->id;
    annot_arena *arena = queue->cursor.arena;
    const bool is_lost = atomic_load_explicit(&queue->threads_lost, memory_order_relaxed);
    writer->thread = is_lost ? 0 : atomic_load_explicit(&arena->first_thread, memory_order_relaxed);
    ANNOT__WRITE(writer, QUEUE, NULL, 0, .object = object,
                 .submitted = atomic_load_explicit(&queue->submitted, memory_order_relaxed),
                 .completed = atomic_load_explicit(&queue->completed, memory_order_acquire),
                 .dropped = atomic_load_explicit(&queue->dropped_markers, memory_order_relaxed),
                 .surplus_ends = atomic_load_explicit(&queue->surplus_ends, memory_order_relaxed),
                 .open_scopes = atomic_load_explicit(&queue->depth, memory_order_relaxed),
                 .thread = writer->thread);
    if (annot__mutex_try_for(&arena->guard, &writer->wait_left)) {
        write_kept(writer, arena);
        write_chunks(writer, arena);
        annot__mutex_unlock(&arena->guard);
    } else {
        writer->locked_arenas++;
    }
    annot__write_loss(writer, ANNOT_LOSS_SUBMISSIONS, object,
                      atomic_load_explicit(&queue->dropped_submissions, memory_order_relaxed));
    annot__write_loss(writer, ANNOT_LOSS_EVICTED_SUBMISSIONS, object,
                      atomic_load_explicit(&queue->evicted_submissions, memory_order_relaxed));
}

/* Under objects_lock. */
static void write_queues(annot_dump_writer *writer)
{
    for (struct annot__queue *queue = writer->device->queues; queue; queue = queue->next)
        write_queue(writer, queue);
}

void annot__write_section_QUEUES(annot_dump_writer *writer)
{
    if (!annot__lock_objects(writer))
        return;
    write_queues(writer);
    annot__mutex_unlock(&writer->device->objects_lock);
}
