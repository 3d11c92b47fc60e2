/* Reads the device, its objects, blobs and losses, and the driver's report. */
#include "dump_read/builder.h"

#include <annot/dump.h>

/* The number that writers of format 1.0 put for ANNOT_DEVICE_ERROR_UNKNOWN. */
#define ERROR_UNKNOWN_ONCE 0x80000000u

static annot_text text_of(struct annot__bytes bytes)
{
    return (annot_text){(const char *)bytes.data, bytes.size};
}

ANNOT__READ(OBJECT)
{
    struct annot__object_entry *object = &reader->objects[reader->object_count];
    object->fields = *fields;
    object->name = text_of(builder->record.variable);
    annot__index_add(&reader->object_index, object->fields.id, reader->object_count++);
}

ANNOT__READ(FORMER)
{
    struct annot__former_name *former = &reader->formers[reader->former_count];
    former->fields = *fields;
    former->name = text_of(builder->record.variable);
    annot__index_add(&reader->former_index, former->fields.object, reader->former_count++);
}

ANNOT__READ(BLOB)
{
    struct annot__blob_entry *blob =
        reader->blob_count > 0 ? &reader->blobs[reader->blob_count - 1] : NULL;
    if (!blob || blob->blob.kind != fields->kind || blob->blob.index != fields->index) {
        blob = &reader->blobs[reader->blob_count++];
        blob->blob =
            (annot_reader_blob){fields->kind, fields->index, fields->metadata, fields->size};
        blob->pieces = (struct annot__range){reader->piece_count, 0};
    }
    blob->pieces.count++;
    reader->pieces[reader->piece_count++] = builder->record.offset;
}

ANNOT__READ(TEXT)
{
    if (fields->role < ANNOT__TEXTS && !reader->texts[fields->role].data)
        reader->texts[fields->role] = text_of(builder->record.variable);
}

ANNOT__READ(LOSS)
{
    (void)builder;
    uint32_t slot = annot__loss_slot(fields->what);
    uint64_t *loss = &reader->losses[slot < ANNOT__LOSS_SLOTS ? slot : ANNOT__LOSS_SLOT_UNKNOWN];
    *loss = fields->count > UINT64_MAX - *loss ? UINT64_MAX : *loss + fields->count;
}

ANNOT__READ(FAULT)
{
    (void)builder;
    const uint32_t source = fields->source <= ANNOT_FAULT_DRIVER ? fields->source : 0;
    reader->fault_count++;
    if (reader->faults[source] == 0)
        reader->faults[source] = fields->address;
}

ANNOT__READ(WAIT)
{
    struct annot__held *held = &reader->held[reader->held_count++];
    held->fields = *fields;
    held->signallers = builder->record.variable;
}

ANNOT__READ(END)
{
    const struct annot__census *census = builder->census;
    if (fields->sections != census->sections || fields->records != census->records ||
        fields->markers != census->of[ANNOT__DUMP_SLOT_BEGIN] + census->of[ANNOT__DUMP_SLOT_SET])
        ANNOT__FIND(&reader->findings, END_MISMATCH, builder->record.offset, fields->records);
}

ANNOT__READ(DEVICE)
{
    if (reader->has_device)
        return;
    reader->device = *fields;
    if (reader->device.error == ERROR_UNKNOWN_ONCE)
        reader->device.error = (uint32_t)ANNOT_DEVICE_ERROR_UNKNOWN;
    reader->has_device = true;
    if (builder->is_damaged)
        return;
    reader->order_window = reader->device.order_window;
    reader->promises = reader->device.promises;
}

/* In older rows, which lack the field, a named marker means that the driver tracks both
 * EventIDs. */
static uint32_t inside_of(const struct annot__record_view *record,
                          const struct annot__dump_PROGRESS *fields)
{
    if (record->fixed.size >= ANNOT__DUMP_PROGRESS_WITHOUT_INSIDE + sizeof fields->inside)
        return fields->inside;
    return fields->started || fields->completed ? ANNOT_INSIDE_TRACKED : ANNOT_INSIDE_NOT_TRACKED;
}

/* Its queue is resolved when all queues are known. */
ANNOT__READ(PROGRESS)
{
    reader->rows[reader->row_count++] = (struct annot__row){
        .queue_object = fields->queue,
        .object = fields->object,
        .submission = fields->submission,
        .started = fields->started,
        .completed = fields->completed,
        .queue = ANNOT__NONE,
        .list = fields->list,
        .bundle = fields->bundle,
        .state = fields->state,
        .inside = inside_of(&builder->record, fields),
        .is_damaged = builder->is_damaged,
    };
}

ANNOT__READ(KIND)
{
    reader->kinds[reader->kind_count] = text_of(builder->record.variable);
    annot__index_add(&reader->kind_index, fields->kind, reader->kind_count++);
}

ANNOT__READ(FACT)
{
    struct annot__bytes key = builder->record.variable, value = builder->record.variable;
    key.size = fields->key_size < key.size ? fields->key_size : key.size;
    value.data += key.size;
    value.size -= key.size;
    reader->facts[reader->fact_count++] =
        (struct annot__fact_entry){fields->source, text_of(key), text_of(value)};
}
