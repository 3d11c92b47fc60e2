/*
 * Bytes to model. Two passes over the same framing: the first counts and collects findings, then every array is
 * allocated with its final size, the second fills them. Both see the same records, whatever the bytes are, so the
 * second can't run past what the first has counted.
 *
 * Damage never stops the reading. A section with a wrong hash is used as far as its records parse, and what they belong
 * to is marked as damaged: the analysis then claims nothing inside it. After a gap the records up to the next list or
 * queue are left out, since whose they are is not known.
 */
#include "dump/dump_decode.h"
#include "dump/dump_model.h"

/* ---- first pass ---- */

#define LIST_BYTES 16u /* one command list in a SUBMISSION */

enum { RECORD_KINDS = 16 };

struct census {
    uint64_t of[RECORD_KINDS]; /* by record kind, 0: unknown */
    uint64_t lists;            /* command lists of all submissions */
    uint64_t sections, records;
    uint32_t last_kind;
    bool is_broken;
};

static void count_section(annot_reader *reader, const struct annot__section *section,
                          struct census *census)
{
    struct annot__record_walk walk;
    struct annot__record_view record;
    bool is_known =
        section->kind >= ANNOT__DUMP_SECTION_ABOUT && section->kind <= ANNOT__DUMP_SECTION_END;
    if (!is_known) {
        if (!section->is_damaged)
            ANNOT__FIND(&reader->findings, NEWER, section->offset, section->kind);
        return;
    }
    annot__record_walk_init(&walk, reader->file, section);
    while (annot__record_walk_next(&walk, &record)) {
        bool is_record = record.kind < RECORD_KINDS;
        census->of[is_record ? record.kind : 0]++;
        if (!is_record)
            ANNOT__FIND(&reader->findings, NEWER, record.offset, record.kind);
        if (record.kind == ANNOT__DUMP_SUBMISSION)
            census->lists += record.variable.size / LIST_BYTES;
        if (record.kind != ANNOT__DUMP_END)
            census->records++;
    }
    if (walk.is_broken) {
        ANNOT__FIND(&reader->findings, RECORD_BROKEN, walk.at, 0);
        census->is_broken = true;
    }
}

/* False: more than 32-bit indices can number. */
static bool size_arrays(annot_reader *reader, const struct census *census)
{
    const uint64_t *of = census->of;
    uint64_t markers = of[ANNOT__DUMP_BEGIN] + of[ANNOT__DUMP_SET];
    uint64_t entries =
        markers + of[ANNOT__DUMP_SURPLUS_END] + of[ANNOT__DUMP_BUNDLE] + of[ANNOT__DUMP_SUBMISSION];
    const uint64_t limit = UINT32_MAX / 8; /* positions take four numbers per entry at most */
    if (entries > limit || census->lists > limit || of[ANNOT__DUMP_PROGRESS] > limit ||
        of[ANNOT__DUMP_OBJECT] > limit || of[ANNOT__DUMP_BLOB] > limit)
        return false;
    reader->objects_capacity = (uint32_t)of[ANNOT__DUMP_OBJECT];
    reader->blobs_capacity = reader->pieces_capacity = (uint32_t)of[ANNOT__DUMP_BLOB];
    reader->streams_capacity = (uint32_t)(of[ANNOT__DUMP_RECORDING] + of[ANNOT__DUMP_QUEUE]);
    reader->entries_capacity = (uint32_t)entries;
    reader->unclosed_capacity = (uint32_t)markers;
    reader->surplus_capacity = (uint32_t)of[ANNOT__DUMP_SURPLUS_END];
    reader->bundles_capacity = (uint32_t)of[ANNOT__DUMP_BUNDLE];
    reader->submissions_capacity = (uint32_t)of[ANNOT__DUMP_SUBMISSION];
    reader->executions_capacity = (uint32_t)census->lists;
    reader->rows_capacity = (uint32_t)of[ANNOT__DUMP_PROGRESS];
    return true;
}

static void count_file(annot_reader *reader, size_t sections, struct census *census)
{
    struct annot__section_walk walk;
    struct annot__section section;
    annot__section_walk_init(&walk, reader->file, sections, &reader->findings);
    while (annot__section_walk_next(&walk, &section)) {
        count_section(reader, &section, census);
        if (section.kind != ANNOT__DUMP_SECTION_END)
            census->sections++;
    }
    if (!census->of[ANNOT__DUMP_END])
        ANNOT__FIND(&reader->findings, END_MISSING, reader->file.size, 0);
}

/* ---- second pass ---- */

struct builder {
    annot_reader *reader;
    struct annot__stream *stream; /* that the next records belong to, or NULL */
    uint32_t open;     /* innermost scope of `stream` that was not seen to end, or NONE */
    uint32_t position; /* of the last marker operation */
    uint32_t last_marker;
    uint32_t kind; /* of the section */
    bool is_damaged;
    const struct census *census;
};

static struct annot__findings *findings_of(struct builder *builder)
{
    return &builder->reader->findings;
}

static void close_scope(struct builder *builder)
{
    struct annot__entry *scope = &builder->reader->entries[builder->open];
    builder->position += 2;
    scope->end = builder->position;
    scope->last = builder->reader->entry_count - 1;
    scope->last_marker = builder->last_marker;
    builder->open = scope->parent;
}

/* The scope around the next entry, by its EventID: scopes in between have ended. Without a scope of that name
 * everything has ended. */
static void close_until(struct builder *builder, uint64_t parent, uint64_t offset)
{
    struct annot__entry *entries = builder->reader->entries;
    while (builder->open != ANNOT__NONE && entries[builder->open].event_id != parent) {
        const struct annot__entry *scope = &entries[builder->open];
        if (!scope->is_closed && !builder->stream->is_open && !builder->stream->is_queue)
            ANNOT__FIND(findings_of(builder), SCOPE_ORDER, scope->offset, scope->event_id);
        close_scope(builder);
    }
    if (parent != 0 && builder->open == ANNOT__NONE)
        ANNOT__FIND(findings_of(builder), PARENT_UNKNOWN, offset, parent);
}

/* What is still open at the stream's end, up to the outermost scope whose End was recorded, has ended; the rest never
 * did. */
static void close_rest(struct builder *builder)
{
    annot_reader *reader = builder->reader;
    struct annot__entry *entries = reader->entries;
    uint32_t outermost = ANNOT__NONE, left = 0;
    for (uint32_t i = builder->open; i != ANNOT__NONE; i = entries[i].parent)
        if (entries[i].is_closed)
            outermost = i;
    bool closing = outermost != ANNOT__NONE;
    while (closing) {
        closing = builder->open != outermost;
        if (!entries[builder->open].is_closed)
            ANNOT__FIND(findings_of(builder), SCOPE_ORDER, entries[builder->open].offset,
                        entries[builder->open].event_id);
        close_scope(builder);
    }
    for (uint32_t i = builder->open; i != ANNOT__NONE; i = entries[i].parent) {
        entries[i].last = reader->entry_count - 1;
        entries[i].last_marker = builder->last_marker;
        left++;
    }
    builder->stream->unclosed = (struct annot__range){reader->unclosed_count, left};
    reader->unclosed_count += left;
    for (uint32_t i = builder->open, at = reader->unclosed_count; i != ANNOT__NONE;
         i = entries[i].parent)
        reader->unclosed[--at] = i;
}

static void finish_stream(struct builder *builder)
{
    if (!builder->stream)
        return;
    annot_reader *reader = builder->reader;
    struct annot__stream *stream = builder->stream;
    stream->entries.count = reader->entry_count - stream->entries.first;
    stream->surplus.count = reader->surplus_count - stream->surplus.first;
    stream->bundles.count = reader->bundle_count - stream->bundles.first;
    stream->submissions.count = reader->submission_count - stream->submissions.first;
    if (stream->surplus_ends < stream->surplus.count)
        stream->surplus_ends = stream->surplus.count;
    close_rest(builder);
    builder->stream = NULL;
}

/* Something behind the current records is lost: they may not be all of their stream. */
static void break_stream(struct builder *builder)
{
    if (builder->stream)
        builder->stream->is_damaged = true;
    finish_stream(builder);
}

static struct annot__stream *start_stream(struct builder *builder)
{
    annot_reader *reader = builder->reader;
    finish_stream(builder);
    builder->stream = &reader->streams[reader->stream_count++];
    builder->open = builder->last_marker = ANNOT__NONE;
    builder->position = 0;
    *builder->stream = (struct annot__stream){
        .entries = {reader->entry_count, 0},
        .surplus = {reader->surplus_count, 0},
        .bundles = {reader->bundle_count, 0},
        .submissions = {reader->submission_count, 0},
        .cut_started = ANNOT__NONE,
        .cut_completed = ANNOT__NONE,
        .is_damaged = builder->is_damaged,
    };
    return builder->stream;
}

static void index_add(struct annot__index *index, uint64_t key, uint32_t value)
{
    index->entries[index->count++] = (struct annot__index_entry){key, value};
}

/* Jump lengths as in a skew binary number: from any depth, O(log depth) jumps and steps reach any scope outside. */
static uint32_t jump_of(const annot_reader *reader, uint32_t index, uint32_t parent)
{
    const struct annot__entry *entries = reader->entries;
    if (parent == ANNOT__NONE)
        return index;
    uint32_t near = entries[parent].jump, far = entries[near].jump;
    bool is_even =
        entries[parent].depth - entries[near].depth == entries[near].depth - entries[far].depth;
    return is_even ? far : parent;
}

/* NULL: nobody knows whose it is. */
static struct annot__entry *add_entry(struct builder *builder, annot_entry_kind kind,
                                      uint64_t parent, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    if (!builder->stream) {
        ANNOT__FIND(&reader->findings, RECORD_ORPHAN, record->offset, 0);
        return NULL;
    }
    close_until(builder, parent, record->offset);
    builder->stream->is_damaged |= builder->is_damaged;
    uint32_t index = reader->entry_count++;
    struct annot__entry *entry = &reader->entries[index];
    bool is_operation = kind != ANNOT_ENTRY_BUNDLE && kind != ANNOT_ENTRY_SUBMISSION;
    if (is_operation)
        builder->position += 2;
    *entry = (struct annot__entry){
        .offset = record->offset,
        .stream = (uint32_t)(builder->stream - reader->streams),
        .parent = builder->open,
        .jump = jump_of(reader, index, builder->open),
        .last = index,
        .begin = builder->position + !is_operation,
        .end = builder->position + !is_operation,
        .depth = builder->open == ANNOT__NONE ? 0 : reader->entries[builder->open].depth + 1,
        .link = ANNOT__NONE,
        .last_marker = builder->last_marker,
        .kind = (uint8_t)kind,
    };
    return entry;
}

static void add_marker(struct builder *builder, annot_entry_kind kind,
                       const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_BEGIN fields;
    annot__decode_BEGIN(record->fixed, &fields);
    struct annot__entry *entry = add_entry(builder, kind, fields.parent, record);
    if (!entry)
        return;
    uint32_t index = (uint32_t)(entry - reader->entries);
    entry->event_id = fields.event_id;
    builder->last_marker = index;
    builder->stream->markers++;
    index_add(&reader->event_index, fields.event_id, index);
    if (kind != ANNOT_ENTRY_BEGIN)
        return;
    entry->is_closed = fields.flags & ANNOT__DUMP_MARKER_CLOSED;
    entry->end = ANNOT__NEVER;
    builder->open = index;
}

static void add_surplus_end(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_SURPLUS_END fields;
    annot__decode_SURPLUS_END(record->fixed, &fields);
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_SURPLUS_END, fields.parent, record);
    if (!entry || entry->depth > 0)
        return;
    entry->link = reader->surplus_count - builder->stream->surplus.first;
    reader->surplus[reader->surplus_count++] = (uint32_t)(entry - reader->entries);
}

/* `link` and `object` are resolved when all recordings are known. */
static void add_bundle(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_BUNDLE fields;
    annot__decode_BUNDLE(record->fixed, &fields);
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_BUNDLE, fields.parent, record);
    if (!entry)
        return;
    entry->ordinal = fields.ordinal;
    if (builder->stream->is_queue)
        return;
    uint32_t count = reader->bundle_count - builder->stream->bundles.first;
    if (count > 0 &&
        reader->entries[reader->bundles[reader->bundle_count - 1]].ordinal >= fields.ordinal)
        builder->stream->is_damaged = true;
    else
        reader->bundles[reader->bundle_count++] = (uint32_t)(entry - reader->entries);
}

/* The lists are resolved when all recordings are known; `stream` holds nothing until then. */
static void add_submission(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_SUBMISSION fields;
    annot__decode_SUBMISSION(record->fixed, &fields);
    if (builder->stream && !builder->stream->is_queue) {
        ANNOT__FIND(&reader->findings, RECORD_ORPHAN, record->offset, fields.serial);
        return;
    }
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_SUBMISSION, fields.parent, record);
    if (!entry)
        return;
    const struct annot__stream *queue = builder->stream;
    uint32_t index = reader->submission_count++;
    if (index > queue->submissions.first &&
        reader->submissions[index - 1].serial >= fields.serial) {
        ANNOT__FIND(&reader->findings, SUBMISSION_ORDER, record->offset, fields.serial);
        builder->stream->is_damaged = true;
    }
    entry->link = index;
    uint32_t lists = (uint32_t)(record->variable.size / LIST_BYTES);
    if (lists > fields.count)
        lists = fields.count;
    if (lists < fields.count)
        ANNOT__FIND(&reader->findings, SUBMISSION_CUT, record->offset, fields.serial);
    reader->submissions[index] = (struct annot__submitted){
        .serial = fields.serial,
        .queue = (uint32_t)(queue - reader->streams),
        .entry = (uint32_t)(entry - reader->entries),
        .executions = {reader->execution_count, lists},
    };
    reader->execution_count += lists;
}

static void add_recording(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_RECORDING fields;
    annot__decode_RECORDING(record->fixed, &fields);
    struct annot__stream *stream = start_stream(builder);
    stream->recording = fields.id;
    stream->object = fields.object;
    stream->dropped = fields.dropped;
    stream->is_open = fields.open != 0;
    stream->surplus_ends = fields.surplus_ends;
    stream->bundle_calls = fields.bundles;
    index_add(&reader->recording_index, fields.id, (uint32_t)(stream - reader->streams));
}

static void add_queue(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_QUEUE fields;
    annot__decode_QUEUE(record->fixed, &fields);
    struct annot__stream *stream = start_stream(builder);
    stream->is_queue = stream->is_open = true;
    stream->object = fields.object;
    stream->submitted = fields.submitted;
    stream->completed = fields.completed;
    stream->dropped = fields.dropped;
    stream->surplus_ends = fields.surplus_ends;
    index_add(&reader->queue_index, fields.object, (uint32_t)(stream - reader->streams));
}

/* The queue's object id stands in for its stream until all queues are known. */
static void add_row(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_PROGRESS fields;
    annot__decode_PROGRESS(record->fixed, &fields);
    uint32_t queue = annot__index_find(&reader->queue_index, fields.queue);
    reader->rows[reader->row_count++] = (struct annot__row){
        .submission = fields.submission,
        .started = fields.started,
        .completed = fields.completed,
        .queue = queue,
        .list = fields.list,
        .bundle = fields.bundle,
        .state = fields.state,
        .is_damaged = builder->is_damaged,
    };
}

static annot_text text_of(struct annot__bytes bytes)
{
    return (annot_text){(const char *)bytes.data, bytes.size};
}

static void add_object(annot_reader *reader, const struct annot__record_view *record)
{
    struct annot__object_entry *object = &reader->objects[reader->object_count];
    annot__decode_OBJECT(record->fixed, &object->fields);
    object->name = text_of(record->variable);
    index_add(&reader->object_index, object->fields.id, reader->object_count++);
}

static void add_blob_piece(annot_reader *reader, const struct annot__record_view *record)
{
    struct annot__dump_BLOB fields;
    annot__decode_BLOB(record->fixed, &fields);
    struct annot__blob_entry *blob =
        reader->blob_count > 0 ? &reader->blobs[reader->blob_count - 1] : NULL;
    if (!blob || blob->blob.kind != fields.kind || blob->blob.index != fields.index) {
        blob = &reader->blobs[reader->blob_count++];
        blob->blob = (annot_reader_blob){fields.kind, fields.index, fields.metadata, fields.size};
        blob->pieces = (struct annot__range){reader->piece_count, 0};
    }
    blob->pieces.count++;
    reader->pieces[reader->piece_count++] = record->offset;
}

static void add_text(annot_reader *reader, const struct annot__record_view *record)
{
    struct annot__dump_TEXT fields;
    annot__decode_TEXT(record->fixed, &fields);
    if (fields.role < ANNOT__TEXTS && !reader->texts[fields.role].data)
        reader->texts[fields.role] = text_of(record->variable);
}

static void add_loss(annot_reader *reader, const struct annot__record_view *record)
{
    struct annot__dump_LOSS fields;
    annot__decode_LOSS(record->fixed, &fields);
    uint64_t *loss = &reader->losses[fields.what < ANNOT__LOSSES ? fields.what : 0];
    *loss = fields.count > UINT64_MAX - *loss ? UINT64_MAX : *loss + fields.count;
}

static void add_fault(annot_reader *reader, const struct annot__record_view *record)
{
    struct annot__dump_FAULT fields;
    annot__decode_FAULT(record->fixed, &fields);
    if (reader->fault_count++ == 0)
        reader->fault_address = fields.address;
}

static void check_end(struct builder *builder, const struct annot__record_view *record)
{
    const struct census *census = builder->census;
    struct annot__dump_END fields;
    annot__decode_END(record->fixed, &fields);
    if (fields.sections != census->sections || fields.records != census->records ||
        fields.markers != census->of[ANNOT__DUMP_BEGIN] + census->of[ANNOT__DUMP_SET])
        ANNOT__FIND(findings_of(builder), END_MISMATCH, record->offset, fields.records);
}

static void add_device(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    if (reader->has_device)
        return;
    annot__decode_DEVICE(record->fixed, &reader->device);
    reader->has_device = true;
    if (!builder->is_damaged)
        reader->order_window = reader->device.order_window;
}

static void add_record(struct builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    switch (record->kind) {
    case ANNOT__DUMP_DEVICE:
        add_device(builder, record);
        break;
    case ANNOT__DUMP_TEXT:
        add_text(reader, record);
        break;
    case ANNOT__DUMP_LOSS:
        add_loss(reader, record);
        break;
    case ANNOT__DUMP_OBJECT:
        add_object(reader, record);
        break;
    case ANNOT__DUMP_RECORDING:
        add_recording(builder, record);
        break;
    case ANNOT__DUMP_BEGIN:
        add_marker(builder, ANNOT_ENTRY_BEGIN, record);
        break;
    case ANNOT__DUMP_SET:
        add_marker(builder, ANNOT_ENTRY_SET, record);
        break;
    case ANNOT__DUMP_SURPLUS_END:
        add_surplus_end(builder, record);
        break;
    case ANNOT__DUMP_BUNDLE:
        add_bundle(builder, record);
        break;
    case ANNOT__DUMP_QUEUE:
        add_queue(builder, record);
        break;
    case ANNOT__DUMP_SUBMISSION:
        add_submission(builder, record);
        break;
    case ANNOT__DUMP_PROGRESS:
        break; /* when all queues are known */
    case ANNOT__DUMP_FAULT:
        add_fault(reader, record);
        break;
    case ANNOT__DUMP_BLOB:
        add_blob_piece(reader, record);
        break;
    case ANNOT__DUMP_END:
        check_end(builder, record);
        break;
    default:
        break;
    }
}

static void add_section(struct builder *builder, const struct annot__section *section)
{
    struct annot__record_walk walk;
    struct annot__record_view record;
    if (section->is_detached)
        break_stream(builder);
    else if (!section->is_damaged && section->kind != builder->kind)
        finish_stream(builder);
    if (section->kind < ANNOT__DUMP_SECTION_ABOUT || section->kind > ANNOT__DUMP_SECTION_END)
        return;
    builder->kind = section->kind;
    builder->is_damaged = section->is_damaged;
    annot__record_walk_init(&walk, builder->reader->file, section);
    while (annot__record_walk_next(&walk, &record))
        add_record(builder, &record);
    if (walk.is_broken)
        break_stream(builder);
}

static void add_sections(annot_reader *reader, size_t sections, const struct census *census)
{
    struct builder builder = {.reader = reader, .census = census};
    struct annot__section_walk walk;
    struct annot__section section;
    annot__section_walk_init(&walk, reader->file, sections, NULL);
    while (annot__section_walk_next(&walk, &section))
        add_section(&builder, &section);
    if (census->of[ANNOT__DUMP_END])
        finish_stream(&builder);
    else
        break_stream(&builder);
}

static void add_rows(annot_reader *reader, size_t sections)
{
    struct builder builder = {.reader = reader};
    struct annot__section_walk walk;
    struct annot__section section;
    annot__section_walk_init(&walk, reader->file, sections, NULL);
    while (annot__section_walk_next(&walk, &section)) {
        struct annot__record_walk records;
        struct annot__record_view record;
        if (section.kind < ANNOT__DUMP_SECTION_ABOUT || section.kind > ANNOT__DUMP_SECTION_END)
            continue;
        builder.is_damaged = section.is_damaged;
        annot__record_walk_init(&records, reader->file, &section);
        while (annot__record_walk_next(&records, &record))
            if (record.kind == ANNOT__DUMP_PROGRESS)
                add_row(&builder, &record);
    }
}

/* ---- both ---- */

annot_result annot__read_model(annot_reader *reader)
{
    size_t sections;
    annot_result result = annot__dump_header(reader->file, &reader->findings, &sections);
    if (result == ANNOT_ERROR_NOT_A_DUMP)
        return result;
    struct census census = {0};
    count_file(reader, sections, &census);
    if (!size_arrays(reader, &census))
        return ANNOT_ERROR_TOO_LARGE;
    if (!annot__reader_allocate_arrays(reader))
        return reader->allocation;
    add_sections(reader, sections, &census);
    if (!annot__index_model(reader))
        return reader->allocation;
    add_rows(reader, sections);
    annot__resolve_model(reader);
    if (!annot__analyse(reader))
        return reader->allocation;
    return result;
}
