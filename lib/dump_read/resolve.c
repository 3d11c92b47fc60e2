/* Resolves the references of a dump: indexes IDs, finds repeated ones, and links bundles and
 * submissions to the recordings that they executed. */
#include "dump_read/dump_model.h"

#include "base/search.h"

static void find_repeated(annot_reader *reader, const struct annot__index *index)
{
    for (uint32_t i = 1; i < index->count; i++)
        if (index->entries[i].key == index->entries[i - 1].key)
            ANNOT__FIND(&reader->findings, ID_REPEATED, 0, index->entries[i].key);
}

bool annot__index_model(annot_reader *reader)
{
    if (!annot__index_sort(reader, &reader->kind_index) ||
        !annot__index_sort(reader, &reader->object_index) ||
        !annot__index_sort(reader, &reader->recording_index) ||
        !annot__index_sort(reader, &reader->queue_index) || !annot__event_index_make(reader) ||
        !annot__index_sort(reader, &reader->ops_index) ||
        !annot__index_sort(reader, &reader->shader_index) ||
        !annot__index_sort(reader, &reader->resource_index) ||
        !annot__index_sort(reader, &reader->former_index))
        return false;
    find_repeated(reader, &reader->object_index);
    find_repeated(reader, &reader->recording_index);
    find_repeated(reader, &reader->queue_index);
    return true;
}

uint32_t annot__entry_stream(const annot_reader *reader, uint32_t entry)
{
    /* an empty stream and the next stream begin at the same entry */
    uint32_t low = 0, high = reader->stream_count;
    ANNOT__LOWER_BOUND(low, high, i, reader->streams[i].entries.first <= entry)
    return low - 1;
}

uint32_t annot__entry_thread(const annot_reader *reader, uint32_t entry)
{
    uint32_t low = 0, high = reader->thread_count;
    ANNOT__LOWER_BOUND(low, high, i, reader->threads[i].first <= entry)
    return low == 0 ? 0 : reader->threads[low - 1].thread;
}

/* Finds a recording. A finished recording may be gone, because a frame loop resets its
 * allocators. */
static uint32_t find_recording(annot_reader *reader, uint64_t recording, uint64_t offset, bool done)
{
    if (recording == 0)
        return ANNOT__NONE;
    uint32_t stream = annot__index_find(&reader->recording_index, recording);
    if (stream == ANNOT__NONE && done)
        reader->expired++;
    else if (stream == ANNOT__NONE)
        ANNOT__FIND(&reader->findings, RECORDING_MISSING, offset, recording);
    return stream;
}

static void resolve_bundles(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->bundle_count; i++) {
        struct annot__entry *entry = &reader->entries[reader->bundles[i]];
        const struct annot__dump_BUNDLE fields = annot__entry_bundle(reader, reader->bundles[i]);
        entry->leaf.link = find_recording(reader, fields.recording, entry->offset, false);
        if (entry->leaf.link == ANNOT__NONE)
            continue;
        reader->streams[entry->leaf.link].is_bundle = true;
        if (reader->streams[entry->leaf.link].bundles.count > 0) {
            ANNOT__FIND(&reader->findings, BUNDLE_NESTED, entry->offset, fields.recording);
            entry->leaf.link = ANNOT__NONE;
        }
    }
}

static void resolve_submissions(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->submission_count; i++) {
        const struct annot__submitted *submission = &reader->submissions[i];
        size_t offset = (size_t)reader->entries[submission->entry].offset;
        struct annot__bytes lists = annot__record_at(reader->file, offset).variable;
        bool done = submission->serial <= reader->streams[submission->queue].completed;
        for (uint32_t k = 0; k < submission->executions.count; k++) {
            uint64_t recording = annot__bytes_u64(&lists);
            uint64_t object = annot__bytes_u64(&lists);
            uint32_t stream = find_recording(reader, recording, offset, done);
            struct annot__execution *execution =
                &reader->executions[submission->executions.first + k];
            *execution = (struct annot__execution){
                .crumbs = ANNOT__NONE,
                .called = execution->called,
                .object = object,
                .queue = submission->queue,
                .submission = i,
                .list = k,
                .stream = stream,
                .started = ANNOT__NONE,
                .completed = ANNOT__NONE,
            };
            reader->streams[submission->queue].executions++;
            if (stream == ANNOT__NONE)
                continue;
            reader->streams[stream].executions++;
            if (!reader->streams[stream].is_left)
                reader->streams[stream].number = submission->number;
            reader->streams[stream].is_left |= !done;
        }
    }
}

/* Gives bundles and their objects the names of the place where a list executes them. */
static void number_bundles(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->bundle_count; i++) {
        const uint32_t bundle = reader->entries[reader->bundles[i]].leaf.link;
        const struct annot__stream *list =
            &reader->streams[annot__entry_stream(reader, reader->bundles[i])];
        if (bundle == ANNOT__NONE || reader->streams[bundle].is_left)
            continue;
        reader->streams[bundle].number = list->number;
        reader->streams[bundle].is_left = list->is_left;
    }
}

/* Reports missing scopes of a queue as damage, unless they were evicted for room. */
static void judge_orphans(annot_reader *reader)
{
    struct annot__finding_count *evicted = &reader->findings.of[ANNOT__FINDING_SLOT_SCOPE_EVICTED];
    if (evicted->count == 0 || reader->losses[ANNOT__LOSS_SLOT_QUEUE_MARKERS] > 0)
        return;
    struct annot__finding_count *unknown = &reader->findings.of[ANNOT__FINDING_SLOT_PARENT_UNKNOWN];
    const uint64_t count = unknown->count + evicted->count;
    if (unknown->count == 0 || evicted->offset < unknown->offset)
        *unknown = *evicted;
    unknown->count = count;
    *evicted = (struct annot__finding_count){0};
}

void annot__resolve_model(annot_reader *reader)
{
    judge_orphans(reader);
    for (uint32_t i = 0; i < reader->row_count; i++)
        reader->rows[i].queue =
            annot__index_find(&reader->queue_index, reader->rows[i].queue_object);
    resolve_bundles(reader);
    resolve_submissions(reader);
    number_bundles(reader);
}

struct annot__range annot__executions_of(const annot_reader *reader,
                                         const struct annot__stream *queue)
{
    if (queue->submissions.count == 0)
        return (struct annot__range){0};
    const struct annot__submitted *submissions = &reader->submissions[queue->submissions.first];
    uint32_t first = submissions[0].executions.first;
    const struct annot__range *last = &submissions[queue->submissions.count - 1].executions;
    return (struct annot__range){first, last->first + last->count - first};
}
