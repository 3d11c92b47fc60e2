/* The data of the page. Markers are stored in columns: entries of all streams in order, streams,
 * submissions, executions. Each name is stored once. Parents and ends of scopes follow from depths,
 * EventIDs from their differences. States are stored only for executions whose parts differ from
 * the state of the whole. */
#include "page_json.h"
#include "table.h"

#include <annot/pix.h>
#include <annot/timeline.h>

#include <stdlib.h>

struct name {
    UT_hash_handle hh;
    uint32_t number; /* the name's index and 1 */
    char key[];
};

#define ONE(name)  1,
#define FOUR(name) 4,
static const unsigned char column_widths[] = {COLUMNS(ONE, FOUR)};

static void put(struct page *page, int column, uint64_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    cli_bytes_add(&page->columns[column], bytes, column_widths[column]);
}

/* ---- texts ---- */

/* Returns the number of a name; equal names have equal numbers. */
static uint32_t name_of(struct page *page, const char *text, size_t size)
{
    struct name *name;
    TABLE_FIND_OR_ADD_BYTES(page->name_table, text, size, name);
    page->is_failed |= !name;
    if (name && name->number == 0) {
        struct annot__json out = {cli_bytes_write, &page->names, page->name_count > 0};
        name->number = ++page->name_count;
        annot__json_bytes(&out, NULL, text, size);
    }
    return name ? name->number - 1 : 0;
}

/* ---- entries ---- */

static uint32_t color_of(const annot_reader_entry *entry)
{
    annot_pix_event event;
    char name[8];
    if (entry->metadata == ANNOT_PIX_METADATA_UTF8 || entry->metadata == ANNOT_PIX_METADATA_UTF16 ||
        annot_pix_decode(entry->metadata, entry->data, entry->stored, name, sizeof name, &event) !=
            ANNOT_PIX_OK ||
        event.color_kind != ANNOT_PIX_COLOR_KIND_ARGB)
        return 0;
    return event.color;
}

/* Puts an EventID as the step from the EventID before; distant EventIDs are written whole. */
static void put_id(struct page *page, uint32_t index, uint64_t id)
{
    const uint64_t step = id - page->last_id;
    put(page, COLUMN_step, step <= UINT32_MAX ? step : 0);
    page->last_id = id;
    if (step <= UINT32_MAX)
        return;
    struct annot__json out = {cli_bytes_write, &page->far_ids, page->has_far_id};
    annot__json_format(&out, "[%u" JSON_HEX "]", index, id);
    page->has_far_id = true;
}

static void put_entry(struct page *page, uint32_t index, const annot_reader_entry *entry)
{
    const bool is_marker = entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
    char name[NAME_MAX_SIZE];
    size_t size = 0;
    uint32_t color = 0;
    if (is_marker) {
        size = annot_reader_entry_name(page->reader, index, name, sizeof name);
        color = color_of(entry);
        put_id(page, index, entry->event_id);
    } else {
        if (entry->kind == ANNOT_ENTRY_BUNDLE)
            size = cli_printable(entry->bundle_name, name, sizeof name);
        put(page, COLUMN_step, 0);
    }
    put(page, COLUMN_kind, (uint64_t)entry->kind);
    put(page, COLUMN_closed, entry->is_closed);
    put(page, COLUMN_depth, entry->depth);
    put(page, COLUMN_name, name_of(page, name, size));
    put(page, COLUMN_link, entry->link);
    put(page, COLUMN_color, color);
    page->has_color |= color != 0;
}

/* ---- states ---- */

/* A run has a state for each entry of a stream: an execution, a bundle in an execution, or a queue
 * (execution NONE). */
struct run {
    uint32_t execution, bundle;
    const annot_reader_stream *stream;
};

static annot_state state_of(const struct page *page, const struct run *run, uint32_t entry)
{
    return run->execution == NONE
               ? annot_reader_queue_state(page->reader, entry, NULL)
               : annot_reader_state(page->reader, run->execution, run->bundle, entry, NULL);
}

/* Counts entries. False: the limit is reached. */
static bool spend(struct page *page, uint32_t entries)
{
    if (entries > page->states_left) {
        page->states_left = 0;
        page->cut++;
        return false;
    }
    page->states_left -= entries;
    return true;
}

/* Puts the states into their column, and their begin into `column`; NONE: all are `whole`, or there
 * are too many. */
static void put_states(struct page *page, const struct run *run, annot_state whole, int column)
{
    const annot_reader_stream *stream = run->stream;
    struct cli_bytes *states = &page->columns[COLUMN_states];
    const size_t start = states->size;
    bool is_uniform = true;
    if (!spend(page, stream->entry_count)) {
        put(page, column, NONE);
        return;
    }
    for (uint32_t i = 0; i < stream->entry_count; i++) {
        const annot_state state = state_of(page, run, stream->first_entry + i);
        is_uniform &= state == whole;
        put(page, COLUMN_states, (uint64_t)state);
    }
    put(page, column, is_uniform && run->execution != NONE ? NONE : start);
    if (is_uniform && run->execution != NONE && !states->is_failed)
        states->size = start;
}

/* ---- operations ---- */

static void put_operations(struct page *page, uint32_t stream)
{
    annot_reader_operation operation;
    char name[NAME_MAX_SIZE];
    const size_t first = page->columns[COLUMN_opNumber].size / 4;
    size_t count = 0;
    for (; annot_reader_operation_at(page->reader, stream, count, &operation); count++) {
        const size_t size =
            annot_reader_operation_line(page->reader, &operation, name, sizeof name);
        put(page, COLUMN_opNumber, (uint64_t)operation.number + 1);
        put(page, COLUMN_opName, name_of(page, name, size));
        put(page, COLUMN_opScope,
            operation.scope ? annot_reader_entry_find(page->reader, operation.scope) : NONE);
        put(page, COLUMN_opBefore, operation.before);
    }
    put(page, COLUMN_streamOpFirst, first);
    put(page, COLUMN_streamOpCount, count);
}

/* Puts how many operations an execution, or a bundle that it executes here, has done. Puts the
 * begin of this data, or NONE. */
static void put_operation_states(struct page *page, uint32_t execution, uint32_t bundle,
                                 uint32_t stream, int column)
{
    annot_reader_operation operation;
    const size_t count = annot_reader_operation_count(page->reader, stream);
    if (count == 0 || !spend(page, (uint32_t)count)) {
        put(page, column, NONE);
        return;
    }
    put(page, column, page->columns[COLUMN_opStates].size);
    for (size_t i = 0; i < count; i++) {
        const bool is_read = annot_reader_operation_at(page->reader, stream, i, &operation);
        put(page, COLUMN_opStates,
            is_read ? (uint64_t)annot_reader_operation_state(page->reader, execution, bundle,
                                                             &operation)
                    : 0);
    }
}

/* ---- executions ---- */

/* Puts the bundles that an execution runs. If the execution is `settled`, puts only bundles that
 * leave a scope open, which is not known to end. */
static void put_runs(struct page *page, uint32_t execution, const annot_reader_stream *stream,
                     bool is_settled)
{
    annot_reader_entry entry;
    annot_reader_stream bundle;
    if (!spend(page, stream->entry_count))
        return;
    for (uint32_t i = stream->first_entry; i < stream->first_entry + stream->entry_count; i++) {
        if (!annot_reader_entry_at(page->reader, i, &entry) || entry.kind != ANNOT_ENTRY_BUNDLE ||
            !annot_reader_stream_at(page->reader, entry.link, &bundle) ||
            (is_settled && bundle.unclosed == 0))
            continue;
        if (page->states_left == 0) {
            page->cut++;
            return;
        }
        const annot_state state = annot_reader_state(page->reader, execution, NONE, i, NULL);
        const struct run run = {execution, i, &bundle};
        put(page, COLUMN_runExecution, execution);
        put(page, COLUMN_runEntry, i);
        put(page, COLUMN_runState, (uint64_t)state);
        put_states(page, &run, state, COLUMN_runStates);
        put_operation_states(page, execution, i, entry.link, COLUMN_runOps);
    }
}

static void put_execution(struct page *page, uint32_t index, const annot_reader_execution *of)
{
    annot_reader_stream stream;
    char name[NAME_MAX_SIZE];
    const bool is_settled =
        of->state != ANNOT_STATE_UNKNOWN && of->state != ANNOT_STATE_IN_PROGRESS;
    put(page, COLUMN_executionQueue, of->queue);
    put(page, COLUMN_executionSubmission, of->submission);
    put(page, COLUMN_executionList, of->list);
    put(page, COLUMN_executionStream, of->stream);
    put(page, COLUMN_executionObject, page_object_of(page, of->object));
    put(page, COLUMN_executionName,
        name_of(page, name, cli_printable(of->name, name, sizeof name)));
    put(page, COLUMN_executionState, (uint64_t)of->state);
    put(page, COLUMN_executionEvidence, (uint64_t)of->evidence);
    if (!annot_reader_stream_at(page->reader, of->stream, &stream)) {
        put(page, COLUMN_executionStates, NONE);
        put(page, COLUMN_executionOps, NONE);
        return;
    }
    const bool has_bundles = stream.entry_count > stream.marker_count + stream.surplus_ends;
    const struct run run = {index, NONE, &stream};
    if (is_settled && stream.unclosed == 0)
        put(page, COLUMN_executionStates, NONE);
    else
        put_states(page, &run, of->state, COLUMN_executionStates);
    put_operation_states(page, index, NONE, of->stream, COLUMN_executionOps);
    if (!is_settled || (of->state == ANNOT_STATE_FINISHED && has_bundles))
        put_runs(page, index, &stream, is_settled);
}

/* ---- times ---- */

/* Puts the CPU's submissions and the GPU's executions, by queue. Times count in ticks since the
 * timeline's begin, so 32 bits are enough. */
static bool put_times(struct page *page)
{
    annot_timeline *timeline;
    annot_timeline_about about;
    annot_timeline_slice slice;
    if (annot_timeline_create(page->reader, &timeline) != ANNOT_OK)
        return false;
    annot_timeline_get_about(timeline, &about);
    page->tick = (about.end - about.begin) / UINT32_MAX + 1;
    for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++) {
        const bool is_submit = slice.kind == ANNOT_SLICE_SUBMIT;
        if (slice.queue == NONE || (!is_submit && slice.kind != ANNOT_SLICE_SUBMISSION))
            continue;
        put(page, COLUMN_sliceQueue, slice.queue);
        put(page, COLUMN_sliceIsSubmit, is_submit);
        put(page, COLUMN_sliceOpen, slice.is_unfinished);
        put(page, COLUMN_sliceSerial, slice.submission);
        put(page, COLUMN_sliceBegin, (slice.begin - about.begin) / page->tick);
        put(page, COLUMN_sliceEnd, (slice.end - about.begin) / page->tick);
    }
    if (page->columns[COLUMN_sliceQueue].size > 0)
        page->end = about.end - about.begin;
    annot_timeline_destroy(timeline);
    return true;
}

/* ---- columns ---- */

static void put_stream(struct page *page, uint32_t index, const annot_reader_stream *of,
                       const unsigned char *is_bundle)
{
    annot_reader_entry entry;
    annot_reader_object object = {0};
    char name[NAME_MAX_SIZE];
    const struct run run = {NONE, NONE, of};
    annot_reader_object_find(page->reader, of->object, &object);
    /* a list's name at its recording, or a queue's name at its last submission */
    const annot_text called = of->has_name ? of->name : object.name;
    for (uint32_t i = of->first_entry; i < of->first_entry + of->entry_count; i++)
        if (annot_reader_entry_at(page->reader, i, &entry))
            put_entry(page, i, &entry);
    put_operations(page, index);
    put(page, COLUMN_streamFirst, of->first_entry);
    put(page, COLUMN_streamCount, of->entry_count);
    put(page, COLUMN_streamIsQueue, of->is_queue);
    put(page, COLUMN_streamIsBundle, is_bundle[index]);
    put(page, COLUMN_streamOpen, of->is_open);
    put(page, COLUMN_streamVerdict,
        of->is_queue ? (uint64_t)annot_reader_queue_verdict(page->reader, index) : 0);
    put(page, COLUMN_streamRuns, of->execution_count);
    put(page, COLUMN_streamObject, page_object_of(page, of->object));
    put(page, COLUMN_streamName, name_of(page, name, cli_printable(called, name, sizeof name)));
    if (of->is_queue)
        put_states(page, &run, ANNOT_STATE_UNKNOWN, COLUMN_streamStates);
    else
        put(page, COLUMN_streamStates, NONE);
}

/* Finds the streams that some list executes as a bundle. NULL: out of memory. */
static unsigned char *find_bundles(const annot_reader *reader)
{
    annot_reader_entry entry;
    const size_t count = annot_reader_stream_count(reader);
    unsigned char *is_bundle = calloc(count + 1, 1);
    for (uint32_t i = 0; is_bundle && annot_reader_entry_at(reader, i, &entry); i++)
        if (entry.kind == ANNOT_ENTRY_BUNDLE && entry.link < count)
            is_bundle[entry.link] = 1;
    return is_bundle;
}

static bool put_columns(struct page *page)
{
    annot_reader_stream stream;
    annot_reader_submission submission;
    annot_reader_execution execution;
    unsigned char *is_bundle = find_bundles(page->reader);
    if (!is_bundle)
        return false;
    name_of(page, "", 0);
    for (uint32_t i = 0; annot_reader_stream_at(page->reader, i, &stream); i++)
        put_stream(page, i, &stream, is_bundle);
    free(is_bundle);
    for (uint32_t i = 0; annot_reader_submission_at(page->reader, i, &submission); i++) {
        put(page, COLUMN_submissionQueue, submission.queue);
        put(page, COLUMN_submissionEntry, submission.entry);
        put(page, COLUMN_submissionSerial, submission.serial);
        put(page, COLUMN_submissionFirst, submission.first_execution);
        put(page, COLUMN_submissionCount, submission.execution_count);
        put(page, COLUMN_submissionState, (uint64_t)submission.state);
    }
    for (uint32_t i = 0; annot_reader_execution_at(page->reader, i, &execution); i++)
        put_execution(page, i, &execution);
    if (!page->has_color)
        page->columns[COLUMN_color].size = 0;
    return true;
}

static void align(struct cli_bytes *bytes)
{
    static const char zeros[8];
    cli_bytes_add(bytes, zeros, (8 - bytes->size % 8) % 8);
}

bool page_data(const annot_reader *reader, const char *dump, struct cli_bytes *out)
{
    struct page page = {.reader = reader, .dump = dump, .states_left = cli_marker_limit(reader)};
    struct annot__json json = {cli_bytes_write, out, false};
    bool is_good =
        page_index_objects(&page) && put_columns(&page) && put_times(&page) && !page.is_failed;
    cli_bytes_add(out, "\0\0\0\0", 4);
    is_good &= page_say_all(&json, &page);
    const size_t size = out->size - 4;
    for (unsigned i = 0; i < 4 && !out->is_failed; i++)
        out->data[i] = (char)(size >> (8 * i));
    align(out);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        is_good &= !page.columns[i].is_failed;
        cli_bytes_add(out, page.columns[i].data, page.columns[i].size);
        align(out);
        cli_bytes_free(&page.columns[i]);
    }
    is_good &= !page.names.is_failed && !page.far_ids.is_failed && !out->is_failed;
    cli_bytes_free(&page.names);
    cli_bytes_free(&page.far_ids);
    TABLE_FREE(struct name, page.name_table)
    page_forget_objects(&page);
    return is_good;
}
