/* Reads recordings and queues: the records behind a RECORDING or QUEUE become entries of a stream,
 * and the tree of scopes follows from the records' parents. */
#include "dump_read/builder.h"

static struct annot__findings *findings_of(struct annot__builder *builder)
{
    return &builder->reader->findings;
}

static void close_scope(struct annot__builder *builder)
{
    struct annot__entry *scope = &builder->reader->entries[builder->open];
    if (builder->stream->is_queue && scope->is_closed &&
        annot__entry_thread(builder->reader, builder->open) != builder->thread) {
        scope->is_closed_elsewhere = true;
        builder->stream->closed_elsewhere++;
    }
    builder->position += 2;
    scope->end = builder->position;
    builder->stream->last_end = builder->position;
    scope->scope.last = builder->reader->entry_count - 1;
    builder->open = scope->parent;
    if (builder->open != ANNOT__NONE)
        builder->open_id = annot__entry_event_id(builder->reader, builder->open);
}

/* The largest number of scopes without an end that are read. A device that goes on recording needs
 * fewer; a hostile dump gets no more. */
enum { UNENDED_SCOPES = 64 };

static bool is_around(const struct annot__builder *builder, uint64_t event_id)
{
    const struct annot__entry *entries = builder->reader->entries;
    uint32_t scope = builder->open;
    for (uint32_t unended = 0; scope != ANNOT__NONE && unended < UNENDED_SCOPES;
         scope = entries[scope].parent) {
        if (annot__entry_event_id(builder->reader, scope) == event_id)
            return true;
        unended += unended > 0 || !entries[scope].is_closed;
    }
    return false;
}

/* Handles an entry whose scope was evicted. That scope was inside the scopes that are still
 * open. */
static void close_ended(struct annot__builder *builder, uint64_t parent, uint64_t offset)
{
    while (builder->open != ANNOT__NONE && builder->reader->entries[builder->open].is_closed)
        close_scope(builder);
    ANNOT__FIND(findings_of(builder), SCOPE_EVICTED, offset, parent);
}

/* The scope around the next entry, by its EventID: scopes in between have ended. Without a scope of
 * that name everything has ended. */
static void close_until(struct annot__builder *builder, uint64_t parent, uint64_t offset)
{
    const struct annot__entry *entries = builder->reader->entries;
    if (builder->stream->is_queue && parent != 0 &&
        (builder->open == ANNOT__NONE || builder->open_id != parent) &&
        !is_around(builder, parent)) {
        close_ended(builder, parent, offset);
        return;
    }
    while (builder->open != ANNOT__NONE && builder->open_id != parent) {
        const struct annot__entry *scope = &entries[builder->open];
        if (!scope->is_closed && !builder->stream->is_open) /* a queue is */
            ANNOT__FIND(findings_of(builder), SCOPE_ORDER, scope->offset, builder->open_id);
        close_scope(builder);
    }
    if (parent != 0 && builder->open == ANNOT__NONE)
        ANNOT__FIND(findings_of(builder), PARENT_UNKNOWN, offset, parent);
}

/* Ends the scopes that are open at the stream's end, up to the outermost one whose End was
 * recorded. The others never ended. */
static void close_rest(struct annot__builder *builder)
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
                        builder->open_id);
        close_scope(builder);
    }
    for (uint32_t i = builder->open; i != ANNOT__NONE; i = entries[i].parent) {
        entries[i].scope.last = reader->entry_count - 1;
        left++;
    }
    builder->stream->unclosed = (struct annot__range){reader->unclosed_count, left};
    reader->unclosed_count += left;
    for (uint32_t i = builder->open, at = reader->unclosed_count; i != ANNOT__NONE;
         i = entries[i].parent)
        reader->unclosed[--at] = i;
}

void annot__finish_stream(struct annot__builder *builder)
{
    if (!builder->stream)
        return;
    annot_reader *reader = builder->reader;
    struct annot__stream *stream = builder->stream;
    stream->entries.count = reader->entry_count - stream->entries.first;
    stream->surplus.count = reader->surplus_count - stream->surplus.first;
    stream->bundles.count = reader->bundle_count - stream->bundles.first;
    stream->submissions.count = reader->submission_count - stream->submissions.first;
    stream->noted.count = reader->operation_count - stream->noted.first;
    if (stream->surplus_ends < stream->surplus.count)
        stream->surplus_ends = stream->surplus.count;
    close_rest(builder);
    builder->stream = NULL;
}

void annot__break_stream(struct annot__builder *builder)
{
    if (builder->stream)
        builder->stream->is_damaged = true;
    annot__finish_stream(builder);
}

static struct annot__stream *start_stream(struct annot__builder *builder)
{
    annot_reader *reader = builder->reader;
    annot__finish_stream(builder);
    builder->stream = &reader->streams[reader->stream_count++];
    builder->open = builder->last_marker = builder->called = ANNOT__NONE;
    builder->position = 0;
    *builder->stream = (struct annot__stream){
        .entries.first = reader->entry_count,
        .surplus.first = reader->surplus_count,
        .bundles.first = reader->bundle_count,
        .submissions.first = reader->submission_count,
        .noted.first = reader->operation_count,
        .is_damaged = builder->is_damaged,
    };
    return builder->stream;
}

/* Returns an entry's jump. Lengths of jumps are those of skew binary numbers, so O(log depth) jumps
 * and steps reach any outer scope. */
static uint32_t jump_of(const annot_reader *reader, uint32_t index, uint32_t parent)
{
    const struct annot__entry *entries = reader->entries;
    if (parent == ANNOT__NONE)
        return index;
    uint32_t one = entries[parent].scope.jump, two = entries[one].scope.jump;
    bool is_even =
        entries[parent].depth - entries[one].depth == entries[one].depth - entries[two].depth;
    return is_even ? two : parent;
}

/* Adds an entry. Returns NULL if the stream is not known. */
static struct annot__entry *add_entry(struct annot__builder *builder, annot_entry_kind kind,
                                      uint64_t parent)
{
    annot_reader *reader = builder->reader;
    if (!builder->stream) {
        ANNOT__FIND(&reader->findings, RECORD_ORPHAN, builder->record.offset, 0);
        return NULL;
    }
    close_until(builder, parent, builder->record.offset);
    builder->stream->is_damaged |= builder->is_damaged;
    uint32_t index = reader->entry_count++;
    struct annot__entry *entry = &reader->entries[index];
    bool is_operation = kind != ANNOT_ENTRY_BUNDLE && kind != ANNOT_ENTRY_SUBMISSION;
    builder->stream->operations += is_operation;
    if (is_operation)
        builder->position += 2;
    *entry = (struct annot__entry){
        .offset = builder->record.offset & ANNOT__ENTRY_OFFSET_MASK,
        .parent = builder->open,
        .begin = builder->position + !is_operation,
        .end = builder->position + !is_operation,
        .depth = builder->open == ANNOT__NONE ? 0 : reader->entries[builder->open].depth + 1,
        .kind = (uint8_t)kind,
    };
    if (kind == ANNOT_ENTRY_BEGIN) {
        entry->scope.jump = jump_of(reader, index, builder->open);
    } else {
        entry->leaf.link = ANNOT__NONE;
        entry->leaf.marker_before = builder->last_marker;
    }
    return entry;
}

static void count_payload(struct annot__payloads *payloads, const struct annot__dump_BEGIN *fields,
                          size_t stored)
{
    bool is_reference = fields->flags & ANNOT__DUMP_MARKER_BY_REFERENCE;
    bool is_unreadable = is_reference && (fields->flags & ANNOT__DUMP_MARKER_UNREADABLE);
    payloads->unreadable += is_unreadable;
    payloads->changed +=
        is_reference && !is_unreadable && (fields->flags & ANNOT__DUMP_MARKER_CHANGED);
    payloads->cut += !is_unreadable && fields->size > stored;
    if (stored > payloads->longest)
        payloads->longest = stored;
}

static void add_marker(struct annot__builder *builder, annot_entry_kind kind)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_BEGIN fields;
    annot__decode_BEGIN(builder->record.fixed, &fields);
    struct annot__entry *entry = add_entry(builder, kind, fields.parent);
    if (!entry)
        return;
    uint32_t index = (uint32_t)(entry - reader->entries);
    builder->last_marker = index;
    if (kind == ANNOT_ENTRY_SET)
        builder->stream->last_end = entry->end;
    builder->stream->markers++;
    annot__event_add(reader, index, fields.event_id, builder->last_id);
    builder->last_id = fields.event_id;
    count_payload(&reader->payloads, &fields, builder->record.variable.size);
    if (kind != ANNOT_ENTRY_BEGIN)
        return;
    entry->is_closed = (fields.flags & ANNOT__DUMP_MARKER_CLOSED) != 0;
    builder->stream->operations += entry->is_closed;
    entry->end = ANNOT__NEVER;
    builder->open = index;
    builder->open_id = fields.event_id;
}

ANNOT__READ(SURPLUS_END)
{
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_SURPLUS_END, fields->parent);
    if (!entry || entry->depth > 0)
        return;
    entry->leaf.link = reader->surplus_count - builder->stream->surplus.first;
    reader->surplus[reader->surplus_count++] = (uint32_t)(entry - reader->entries);
}

void annot__read_BEGIN(struct annot__builder *builder)
{
    add_marker(builder, ANNOT_ENTRY_BEGIN);
}

void annot__read_SET(struct annot__builder *builder)
{
    add_marker(builder, ANNOT_ENTRY_SET);
}

/* `link` is resolved when all recordings are known. */
ANNOT__READ(BUNDLE)
{
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_BUNDLE, fields->parent);
    if (!entry)
        return;
    if (builder->stream->is_queue)
        return;
    uint32_t count = reader->bundle_count - builder->stream->bundles.first;
    if (count > 0 &&
        annot__entry_bundle(reader, reader->bundles[reader->bundle_count - 1]).ordinal >=
            fields->ordinal)
        builder->stream->is_damaged = true;
    else
        reader->bundles[reader->bundle_count++] = (uint32_t)(entry - reader->entries);
}

/* The lists are resolved when all recordings are known; `stream` holds nothing until then. */
ANNOT__READ(SUBMISSION)
{
    if (builder->stream && !builder->stream->is_queue) {
        ANNOT__FIND(&reader->findings, RECORD_ORPHAN, builder->record.offset, fields->serial);
        return;
    }
    struct annot__entry *entry = add_entry(builder, ANNOT_ENTRY_SUBMISSION, fields->parent);
    if (!entry)
        return;
    const struct annot__stream *queue = builder->stream;
    uint32_t index = reader->submission_count++;
    if (index > queue->submissions.first &&
        reader->submissions[index - 1].serial >= fields->serial) {
        ANNOT__FIND(&reader->findings, SUBMISSION_ORDER, builder->record.offset, fields->serial);
        builder->stream->is_damaged = true;
    }
    entry->leaf.link = index;
    uint32_t lists = (uint32_t)(builder->record.variable.size / ANNOT__LIST_BYTES);
    if (lists > fields->count)
        lists = fields->count;
    if (lists < fields->count)
        ANNOT__FIND(&reader->findings, SUBMISSION_CUT, builder->record.offset, fields->serial);
    reader->submissions[index] = (struct annot__submitted){
        .serial = fields->serial,
        .number = fields->number,
        .queue = (uint32_t)(queue - reader->streams),
        .entry = (uint32_t)(entry - reader->entries),
        .called = builder->called,
        .executions = {reader->execution_count, lists},
        .is_cut = lists < fields->count,
    };
    for (uint32_t i = 0; i < lists; i++)
        reader->executions[reader->execution_count++].called = ANNOT__NONE;
}

ANNOT__READ(RECORDING)
{
    struct annot__stream *stream = start_stream(builder);
    stream->recording = fields->id;
    stream->object = fields->object;
    stream->dropped = fields->dropped;
    stream->is_open = fields->open != 0;
    stream->surplus_ends = fields->surplus_ends;
    stream->bundle_calls = fields->bundles;
    stream->thread = fields->thread;
    stream->call = fields->call;
    annot__index_add(&reader->recording_index, fields->id, (uint32_t)(stream - reader->streams));
}

/* Returns the submission of a NAME in a queue's stream; NULL if never made, or evicted. */
static struct annot__submitted *submission_before(struct annot__builder *builder, uint64_t serial)
{
    annot_reader *reader = builder->reader;
    if (reader->submission_count == builder->stream->submissions.first)
        return NULL;
    struct annot__submitted *last = &reader->submissions[reader->submission_count - 1];
    return last->serial == serial ? last : NULL;
}

static void call_submitted(struct annot__builder *builder, const struct annot__dump_NAME *fields,
                           const struct annot__called *called)
{
    annot_reader *reader = builder->reader;
    struct annot__submitted *submission = submission_before(builder, fields->serial);
    const uint32_t index = reader->called_count++;
    reader->called[index] = *called;
    if (fields->list == ANNOT__NONE)
        builder->called = index;
    if (submission && fields->list == ANNOT__NONE)
        submission->called = index;
    else if (submission && fields->list < submission->executions.count)
        reader->executions[submission->executions.first + fields->list].called = index;
}

ANNOT__READ(NAME)
{
    (void)reader;
    if (!builder->stream)
        return;
    const struct annot__called called = {
        .name = {(const char *)builder->record.variable.data, builder->record.variable.size},
        .is_cut = fields->name_size > builder->record.variable.size,
    };
    if (builder->stream->is_queue)
        call_submitted(builder, fields, &called);
    if (builder->stream->is_queue && fields->list != ANNOT__NONE)
        return;
    builder->stream->has_name = true;
    builder->stream->name = called.name;
    builder->stream->is_name_cut = called.is_cut;
}

static void start_thread(struct annot__builder *builder, uint32_t thread)
{
    annot_reader *reader = builder->reader;
    builder->thread = thread;
    reader->threads[reader->thread_count++] =
        (struct annot__calls_of){.first = reader->entry_count, .thread = thread};
}

/* Reads a change of thread: the thread before ended everything that ended before. */
ANNOT__READ(THREAD)
{
    (void)reader;
    if (!builder->stream || !builder->stream->is_queue)
        return;
    close_until(builder, fields->parent, builder->record.offset);
    start_thread(builder, fields->thread);
}

ANNOT__READ(QUEUE)
{
    struct annot__stream *stream = start_stream(builder);
    stream->is_queue = stream->is_open = true;
    stream->object = fields->object;
    stream->submitted = fields->submitted;
    stream->completed = fields->completed;
    stream->dropped = fields->dropped;
    stream->surplus_ends = fields->surplus_ends;
    start_thread(builder, fields->thread);
    annot__index_add(&reader->queue_index, fields->object, (uint32_t)(stream - reader->streams));
}
