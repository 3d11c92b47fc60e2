/*
 * The data of the page. Markers are stored in columns: entries of all streams in order, streams,
 * submissions, executions. Each name is stored once. Parents and ends of scopes follow from depths,
 * EventIDs from their differences. States are stored only for executions whose parts differ from
 * the state of the whole.
 */
#include "cli.h"
#include "json_out.h"
#include "page.h"
#include "table.h"

#include <annot/fleet.h>
#include <annot/pix.h>
#include <annot/timeline.h>

#include <stdlib.h>
#include <string.h>

#define NONE ANNOT_READER_NONE

enum { NAME_MAX_SIZE = 1024 };

struct name {
    UT_hash_handle hh;
    uint32_t index;
    char text[];
};

struct object {
    UT_hash_handle hh;
    uint64_t id;
    uint32_t index;
};

/* COLUMN(name, bytes of a number) */
#define COLUMNS(COLUMN)                                                                            \
    COLUMN(kind, 1)                                                                                \
    COLUMN(closed, 1)                                                                              \
    COLUMN(depth, 4)                                                                               \
    COLUMN(name, 4)                                                                                \
    COLUMN(step, 4)                                                                                \
    COLUMN(link, 4)                                                                                \
    COLUMN(color, 4)                                                                               \
    COLUMN(streamFirst, 4)                                                                         \
    COLUMN(streamCount, 4)                                                                         \
    COLUMN(streamIsQueue, 1)                                                                       \
    COLUMN(streamIsBundle, 1)                                                                      \
    COLUMN(streamOpen, 1)                                                                          \
    COLUMN(streamVerdict, 1)                                                                       \
    COLUMN(streamRuns, 4)                                                                          \
    COLUMN(streamObject, 4)                                                                        \
    COLUMN(streamName, 4)                                                                          \
    COLUMN(streamStates, 4)                                                                        \
    COLUMN(submissionQueue, 4)                                                                     \
    COLUMN(submissionEntry, 4)                                                                     \
    COLUMN(submissionSerial, 4)                                                                    \
    COLUMN(submissionFirst, 4)                                                                     \
    COLUMN(submissionCount, 4)                                                                     \
    COLUMN(submissionState, 1)                                                                     \
    COLUMN(executionQueue, 4)                                                                      \
    COLUMN(executionSubmission, 4)                                                                 \
    COLUMN(executionList, 4)                                                                       \
    COLUMN(executionStream, 4)                                                                     \
    COLUMN(executionObject, 4)                                                                     \
    COLUMN(executionName, 4)                                                                       \
    COLUMN(executionState, 1)                                                                      \
    COLUMN(executionEvidence, 1)                                                                   \
    COLUMN(executionStates, 4)                                                                     \
    COLUMN(runExecution, 4)                                                                        \
    COLUMN(runEntry, 4)                                                                            \
    COLUMN(runState, 1)                                                                            \
    COLUMN(runStates, 4)                                                                           \
    COLUMN(sliceQueue, 4)                                                                          \
    COLUMN(sliceIsSubmit, 1)                                                                       \
    COLUMN(sliceOpen, 1)                                                                           \
    COLUMN(sliceSerial, 4)                                                                         \
    COLUMN(sliceBegin, 4)                                                                          \
    COLUMN(sliceEnd, 4)                                                                            \
    COLUMN(states, 1)

#define COLUMN_ENUM(name, width)  COLUMN_##name,
#define COLUMN_NAME(name, width)  #name,
#define COLUMN_WIDTH(name, width) width,
enum { COLUMNS(COLUMN_ENUM) COLUMN_COUNT };
static const char *const column_names[] = {COLUMNS(COLUMN_NAME)};
static const unsigned char column_widths[] = {COLUMNS(COLUMN_WIDTH)};

struct page {
    const annot_reader *reader;
    struct page_bytes columns[COLUMN_COUNT];
    struct page_bytes names, far_ids; /* JSON, without brackets */
    struct name *name_table;
    struct object *object_table;
    uint32_t name_count;
    uint64_t states_left, last_id;
    uint64_t cut;       /* executions, and bundles in them, whose states are not in the page */
    uint64_t tick, end; /* ns: of the slices' times, and the whole timeline's end; 0: no times */
    bool has_color, has_far_id, is_failed;
};

static void put(struct page *page, int column, uint64_t value)
{
    const unsigned char bytes[4] = {(unsigned char)value, (unsigned char)(value >> 8),
                                    (unsigned char)(value >> 16), (unsigned char)(value >> 24)};
    page_bytes_add(&page->columns[column], bytes, column_widths[column]);
}

static void append(void *user, const char *bytes, size_t size)
{
    page_bytes_add(user, bytes, size);
}

/* ---- texts ---- */

/* As reports print it: no control, format or other invisible character is left. NUL-terminated. */
static size_t printable(annot_text text, char *buffer, size_t capacity)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t written = 0, piece_size;
    const char *nul = text.size > 0 ? memchr(text.data, 0, text.size) : NULL;
    const size_t size = nul ? (size_t)(nul - text.data) : text.size;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text.data + at, size - at, piece, &piece_size);
        if (written + piece_size >= capacity)
            break;
        memcpy(buffer + written, piece, piece_size);
        written += piece_size;
    }
    buffer[written] = 0;
    return written;
}

static void say(struct json_out *out, const char *key, annot_text text)
{
    char buffer[NAME_MAX_SIZE];
    json_out_text(out, key, buffer, printable(text, buffer, sizeof buffer));
}

/* The number of a name; the same name has the same. */
static uint32_t name_of(struct page *page, const char *text, size_t size)
{
    struct name *name;
    HASH_FIND(hh, page->name_table, text, size, name);
    if (name)
        return name->index;
    name = malloc(sizeof *name + size + 1);
    if (!name) {
        page->is_failed = true;
        return 0;
    }
    memcpy(name->text, text, size);
    name->text[size] = 0;
    name->index = page->name_count++;
    HASH_ADD_KEYPTR(hh, page->name_table, name->text, size, name);
    if (!table_has(page->name_table, name)) {
        free(name);
        page->is_failed = true;
        return 0;
    }
    struct json_out out = {append, &page->names, name->index > 0};
    json_out_text(&out, NULL, text, size);
    return name->index;
}

static uint32_t object_of(const struct page *page, uint64_t id)
{
    struct object *object;
    HASH_FIND(hh, page->object_table, &id, sizeof id, object);
    return object ? object->index : NONE;
}

static bool index_objects(struct page *page)
{
    annot_reader_object object;
    for (size_t i = 0; annot_reader_object_at(page->reader, i, &object); i++) {
        struct object *entry;
        HASH_FIND(hh, page->object_table, &object.id, sizeof object.id, entry);
        if (entry)
            continue;
        entry = malloc(sizeof *entry);
        if (!entry)
            return false;
        entry->id = object.id;
        entry->index = (uint32_t)i;
        HASH_ADD(hh, page->object_table, id, sizeof entry->id, entry);
        if (!table_has(page->object_table, entry)) {
            free(entry);
            return false;
        }
    }
    return true;
}

static void forget_tables(struct page *page)
{
    struct name *name, *next_name;
    struct object *object, *next_object;
    HASH_ITER(hh, page->name_table, name, next_name)
    {
        HASH_DELETE(hh, page->name_table, name);
        free(name);
    }
    HASH_ITER(hh, page->object_table, object, next_object)
    {
        HASH_DELETE(hh, page->object_table, object);
        free(object);
    }
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

/* An EventID as the step from the one before; far ones, whole. */
static void put_id(struct page *page, uint32_t index, uint64_t id)
{
    const uint64_t step = id - page->last_id;
    put(page, COLUMN_step, step <= UINT32_MAX ? step : 0);
    page->last_id = id;
    if (step <= UINT32_MAX)
        return;
    struct json_out out = {append, &page->far_ids, page->has_far_id};
    json_out_open(&out, NULL, '[');
    json_out_number(&out, NULL, index);
    json_out_hex(&out, NULL, id);
    json_out_close(&out, ']');
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
            size = printable(entry->bundle_name, name, sizeof name);
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

/* What has a state for each entry of a stream: an execution, a bundle in one, or a queue (execution
 * NONE). */
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

/* False: so many entries can't be looked at any more. */
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

/* Puts the states, and where they begin into `column`; NONE: all are `whole`, or they are too
 * many. */
static void put_states(struct page *page, const struct run *run, annot_state whole, int column)
{
    const annot_reader_stream *stream = run->stream;
    struct page_bytes *states = &page->columns[COLUMN_states];
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

/* The bundles that an execution runs; of one that is `settled` those that leave a scope open, which
 * is not known to end. */
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
    put(page, COLUMN_executionObject, object_of(page, of->object));
    put(page, COLUMN_executionName, name_of(page, name, printable(of->name, name, sizeof name)));
    put(page, COLUMN_executionState, (uint64_t)of->state);
    put(page, COLUMN_executionEvidence, (uint64_t)of->evidence);
    if (!annot_reader_stream_at(page->reader, of->stream, &stream)) {
        put(page, COLUMN_executionStates, NONE);
        return;
    }
    const bool has_bundles = stream.entry_count > stream.marker_count + stream.surplus_ends;
    const struct run run = {index, NONE, &stream};
    if (is_settled && stream.unclosed == 0)
        put(page, COLUMN_executionStates, NONE);
    else
        put_states(page, &run, of->state, COLUMN_executionStates);
    if (!is_settled || (of->state == ANNOT_STATE_FINISHED && has_bundles))
        put_runs(page, index, &stream, is_settled);
}

/* ---- times ---- */

/* What the CPU submitted and the GPU executed, by queue. Times are counted in ticks since the
 * timeline's begin, so that 32 bits do. */
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

static annot_text object_name(const annot_reader *reader, uint64_t id)
{
    annot_reader_object object;
    if (annot_reader_object_find(reader, id, &object))
        return object.name;
    return (annot_text){NULL, 0};
}

/* What a list was called when it was recorded, or a queue when it was last submitted to. */
static annot_text stream_name(const annot_reader *reader, const annot_reader_stream *of)
{
    return of->has_name ? of->name : object_name(reader, of->object);
}

static void put_stream(struct page *page, uint32_t index, const annot_reader_stream *of,
                       const unsigned char *is_bundle)
{
    annot_reader_entry entry;
    char name[NAME_MAX_SIZE];
    const struct run run = {NONE, NONE, of};
    for (uint32_t i = of->first_entry; i < of->first_entry + of->entry_count; i++)
        if (annot_reader_entry_at(page->reader, i, &entry))
            put_entry(page, i, &entry);
    put(page, COLUMN_streamFirst, of->first_entry);
    put(page, COLUMN_streamCount, of->entry_count);
    put(page, COLUMN_streamIsQueue, of->is_queue);
    put(page, COLUMN_streamIsBundle, is_bundle[index]);
    put(page, COLUMN_streamOpen, of->is_open);
    put(page, COLUMN_streamVerdict,
        of->is_queue ? (uint64_t)annot_reader_queue_verdict(page->reader, index) : 0);
    put(page, COLUMN_streamRuns, of->execution_count);
    put(page, COLUMN_streamObject, object_of(page, of->object));
    put(page, COLUMN_streamName,
        name_of(page, name, printable(stream_name(page->reader, of), name, sizeof name)));
    if (of->is_queue)
        put_states(page, &run, ANNOT_STATE_UNKNOWN, COLUMN_streamStates);
    else
        put(page, COLUMN_streamStates, NONE);
}

/* Streams that some list executes as a bundle. NULL: out of memory. */
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

/* ---- the JSON part ---- */

static void say_device(struct json_out *out, const annot_reader *reader)
{
    annot_reader_device device;
    annot_reader_get_device(reader, &device);
    json_out_open(out, "device", '{');
    json_out_word(out, "sentence", annot_device_error_text((int32_t)device.error));
    json_out_number(out, "error", device.error);
    json_out_number(out, "time", device.time);
    if (device.has_virtual_clock)
        json_out_long(out, "virtualTime", device.virtual_time);
    json_out_number(out, "fault_count", device.fault_count);
    json_out_hex(out, "fault_address", device.fault_address);
    say(out, "application", device.application);
    say(out, "adapter", device.adapter);
    say(out, "driver", device.driver);
    say(out, "reason", device.reason);
    json_out_close(out, '}');
}

/* The line that answers, and paragraphs of what to do next. */
static void say_answer(struct json_out *out, const annot_reader *reader)
{
    char words[4096];
    annot_reader_answer(reader, words, sizeof words);
    json_out_word(out, "answer", words);
    json_out_open(out, "advice", '[');
    for (size_t i = 0; annot_reader_advice(reader, i, words, sizeof words) > 0; i++)
        json_out_word(out, NULL, words);
    json_out_close(out, ']');
}

static void say_index(struct json_out *out, const char *key, uint32_t value)
{
    if (value == NONE)
        json_out_word(out, key, NULL);
    else
        json_out_number(out, key, value);
}

/* "queue Graphics, submission 12, list 2 of 3: Shadow list" */
static void say_where(struct json_out *out, const annot_reader *reader,
                      const annot_reader_stop *stop)
{
    char line[1024], queue[256], list[256], word[32];
    annot_reader_stream stream = {0};
    annot_reader_submission submission = {0};
    annot_reader_execution execution = {0};
    annot_reader_stream_at(reader, stop->queue, &stream);
    annot_reader_submission_at(reader, stop->submission, &submission);
    annot_reader_execution_at(reader, stop->execution, &execution);
    if (printable(submission.queue_name, queue, sizeof queue) == 0)
        snprintf(queue, sizeof queue, "#%llu", (unsigned long long)stream.object);
    printable(execution.name, list, sizeof list);
    annot_reader_words(reader, "list", word, sizeof word);
    snprintf(line, sizeof line, "%s%s%squeue %s, submission %llu, %s %u of %u%s%s",
             stop->is_between ? "between two " : "", stop->is_between ? word : "",
             stop->is_between ? "s: " : "", queue, (unsigned long long)submission.serial, word,
             execution.list + 1, submission.execution_count, list[0] ? ": " : "", list);
    json_out_word(out, "where", line);
}

/* "shader cs 3fa91c2d..., spin.pdb" */
static void say_shaders(struct json_out *out, const annot_reader *reader, uint64_t pipeline)
{
    annot_reader_shader shader;
    char line[512], hash[2 * ANNOT_SHADER_DIGEST_SIZE + 1], name[320];
    for (uint32_t i = 0;
         i < ANNOT_SHADERS_MAX && annot_reader_shader_of(reader, pipeline, i, &shader); i++) {
        annot_reader_shader_hash(&shader, hash, sizeof hash);
        const bool has_name = printable(shader.debug_name, name, sizeof name) > 0;
        snprintf(line, sizeof line, "shader %s %s%s%s", annot_shader_stage_text(shader.stage), hash,
                 has_name ? ", " : "", has_name ? name : "");
        json_out_word(out, NULL, line);
    }
}

/* Lines: what the operation of the stop was, and what it works on. */
static void say_operation(struct json_out *out, const annot_reader *reader, size_t stop)
{
    annot_reader_operation operation;
    annot_reader_object object;
    char line[512], text[320];
    if (!annot_reader_stop_operation(reader, stop, &operation))
        return;
    json_out_open(out, "operation", '[');
    annot_reader_operation_text(&operation, text, sizeof text);
    snprintf(line, sizeof line, "operation %llu, %s: not done",
             (unsigned long long)operation.number + 1, text);
    json_out_word(out, NULL, line);
    for (uint32_t i = 0; i < operation.object_count; i++) {
        const annot_bound_object *bound = &operation.objects[i];
        if (bound->object == 0)
            continue;
        if (!annot_reader_object_find(reader, bound->object, &object) ||
            printable(object.name, text, sizeof text) == 0)
            snprintf(text, sizeof text, "#%llu", (unsigned long long)bound->object);
        snprintf(line, sizeof line, "%s %s", annot_bound_role_text(bound->role), text);
        json_out_word(out, NULL, line);
        if (bound->role == ANNOT_BOUND_PIPELINE)
            say_shaders(out, reader, bound->object);
    }
    json_out_close(out, ']');
}

static void say_stops(struct json_out *out, const annot_reader *reader)
{
    annot_reader_stop stop;
    char path[2048];
    json_out_open(out, "stops", '[');
    for (size_t i = 0; i < 256 && annot_reader_stop_at(reader, i, &stop); i++) {
        json_out_open(out, NULL, '{');
        json_out_text(out, "text", path, annot_reader_stop_path(reader, i, path, sizeof path));
        say_where(out, reader, &stop);
        say_operation(out, reader, i);
        json_out_number(out, "execution", stop.execution);
        say_index(out, "entry", stop.entry);
        say_index(out, "bundle", stop.bundle);
        say_index(out, "bundle_entry", stop.bundle_entry);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_objects(struct json_out *out, const annot_reader *reader)
{
    annot_reader_object object;
    json_out_open(out, "objects", '[');
    for (size_t i = 0; annot_reader_object_at(reader, i, &object); i++) {
        json_out_open(out, NULL, '{');
        json_out_long(out, "id", object.id);
        json_out_word(out, "type", annot_object_type_text(object.type));
        if (object.name.size > 0)
            say(out, "name", object.name);
        if (object.is_destroyed)
            json_out_bool(out, "destroyed", true);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_ranges(struct json_out *out, const struct page *page)
{
    annot_reader_range range;
    json_out_open(out, "ranges", '[');
    for (size_t i = 0; annot_reader_range_at(page->reader, i, &range); i++) {
        json_out_open(out, NULL, '{');
        json_out_hex(out, "address", range.address);
        json_out_long(out, "size", range.size);
        say_index(out, "object", object_of(page, range.object));
        json_out_bool(out, "freed", range.is_freed);
        json_out_real(out, "freed_before", (double)range.freed_before / 1e9);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_crumbs(struct json_out *out, const struct page *page)
{
    const annot_reader *reader = page->reader;
    annot_reader_crumbs crumbs;
    annot_reader_stream queue;
    json_out_open(out, "crumbs", '[');
    for (size_t i = 0; i < 65536 && annot_reader_crumbs_at(reader, i, &crumbs); i++) {
        const bool has_queue = annot_reader_stream_at(reader, crumbs.queue, &queue);
        json_out_open(out, NULL, '{');
        say_index(out, "queue", has_queue ? object_of(page, queue.object) : NONE);
        json_out_long(out, "submission", crumbs.submission);
        json_out_number(out, "list", crumbs.list);
        json_out_number(out, "bundle", crumbs.bundle);
        json_out_number(out, "count", crumbs.count);
        say_index(out, "done", crumbs.done == ANNOT_CRUMBS_NOT_BEGUN ? NONE : crumbs.done);
        if (crumbs.done < crumbs.count)
            json_out_word(out, "operation", annot_op_text(annot_reader_op(reader, i, crumbs.done)));
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_loss(struct json_out *out, uint64_t count, const char *one, const char *many)
{
    if (count == 0)
        return;
    json_out_open(out, NULL, '{');
    json_out_long(out, "count", count);
    json_out_word(out, "text", count == 1 ? one : many);
    json_out_close(out, '}');
}

static void say_losses(struct json_out *out, const struct page *page)
{
#define LOSS_ROW(name, number, member, one, many) {number, one, many},
    static const struct {
        uint32_t number;
        const char *one, *many;
    } losses[] = {ANNOT_LOSSES(LOSS_ROW)};
    json_out_open(out, "losses", '[');
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        say_loss(out, annot_reader_loss(page->reader, losses[i].number), losses[i].one,
                 losses[i].many);
    say_loss(out, page->cut, "execution whose markers' states this page leaves out, being too many",
             "executions whose markers' states this page leaves out, being too many");
    json_out_close(out, ']');
}

/* One of the library's, in the words of the dump's API. */
static void say_sentence(struct json_out *out, const char *key, const annot_reader *reader,
                         const char *words)
{
    char buffer[512];
    annot_reader_words(reader, words, buffer, sizeof buffer);
    json_out_word(out, key, buffer);
}

static void say_findings(struct json_out *out, const annot_reader *reader)
{
    static const char *const classes[] = {"", "damage", "note", "evidence"};
    annot_finding finding;
    json_out_open(out, "findings", '[');
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++) {
        json_out_open(out, NULL, '{');
        json_out_word(out, "class", classes[finding.finding_class]);
        json_out_long(out, "count", finding.count);
        say_sentence(out, "text", reader, finding.text);
        json_out_long(out, "offset", finding.offset);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_facts(struct json_out *out, const annot_reader *reader)
{
    annot_reader_fact fact;
    annot_reader_blob blob;
    json_out_open(out, "facts", '[');
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        json_out_open(out, NULL, '{');
        say(out, "key", fact.key);
        say(out, "value", fact.value);
        json_out_word(out, "source", annot_fact_source_text(fact.source));
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
    json_out_open(out, "blobs", '[');
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++) {
        json_out_open(out, NULL, '{');
        json_out_number(out, "index", blob.index);
        json_out_word(out, "kind", annot_blob_kind_text(blob.kind));
        json_out_long(out, "size", blob.size);
        json_out_close(out, '}');
    }
    json_out_close(out, ']');
}

static void say_signature(struct json_out *out, const annot_reader *reader)
{
    annot_identity signature;
    annot_reader_identity(reader, &signature);
    json_out_open(out, "signature", '{');
    json_out_word(out, "id", signature.id);
    json_out_word(out, "title", signature.title);
    json_out_close(out, '}');
}

/* What the page calls things. */
static void say_words(struct json_out *out, const annot_reader *reader)
{
    json_out_open(out, "words", '{');
    say_sentence(out, "list", reader, "list");
    say_sentence(out, "bundle", reader, "bundle");
    json_out_close(out, '}');
}

static void say_evidences(struct json_out *out, const annot_reader *reader)
{
    json_out_open(out, "evidences", '[');
    for (int i = 0; i < 32; i++)
        say_sentence(out, NULL, reader, annot_evidence_text((annot_evidence)i));
    json_out_close(out, ']');
}

static void say_raw(struct json_out *out, const char *key, const struct page_bytes *inner)
{
    json_out_open(out, key, '[');
    if (inner->size > 0)
        out->write(out->user, inner->data, inner->size);
    json_out_close(out, ']');
}

static void say_columns(struct json_out *out, const struct page *page)
{
    json_out_open(out, "columns", '[');
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (i == COLUMN_color && !page->has_color)
            continue;
        json_out_open(out, NULL, '[');
        json_out_word(out, NULL, column_names[i]);
        json_out_number(out, NULL, column_widths[i]);
        json_out_number(out, NULL, page->columns[i].size / column_widths[i]);
        json_out_close(out, ']');
    }
    json_out_close(out, ']');
}

static void say_all(struct json_out *out, const struct page *page)
{
    json_out_open(out, NULL, '{');
    say_answer(out, page->reader);
    say_device(out, page->reader);
    json_out_bool(out, "damaged", annot_reader_is_damaged(page->reader));
    json_out_open(out, "times", '{');
    json_out_long(out, "tick", page->tick);
    json_out_long(out, "end", page->end);
    json_out_close(out, '}');
    say_signature(out, page->reader);
    say_stops(out, page->reader);
    say_objects(out, page->reader);
    say_ranges(out, page);
    say_crumbs(out, page);
    say_losses(out, page);
    say_findings(out, page->reader);
    say_facts(out, page->reader);
    say_evidences(out, page->reader);
    say_words(out, page->reader);
    say_raw(out, "names", &page->names);
    say_raw(out, "far_ids", &page->far_ids);
    say_columns(out, page);
    json_out_close(out, '}');
}

static void align(struct page_bytes *bytes)
{
    static const char zeros[8];
    page_bytes_add(bytes, zeros, (8 - bytes->size % 8) % 8);
}

bool page_data(const annot_reader *reader, struct page_bytes *out)
{
    struct page page = {.reader = reader, .states_left = cli_marker_limit(reader)};
    struct json_out json = {append, out, false};
    bool is_good =
        index_objects(&page) && put_columns(&page) && put_times(&page) && !page.is_failed;
    page_bytes_add(out, "\0\0\0\0", 4);
    say_all(&json, &page);
    const size_t size = out->size - 4;
    for (unsigned i = 0; i < 4 && !out->is_failed; i++)
        out->data[i] = (char)(size >> (8 * i));
    align(out);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        is_good &= !page.columns[i].is_failed;
        page_bytes_add(out, page.columns[i].data, page.columns[i].size);
        align(out);
        page_bytes_free(&page.columns[i]);
    }
    is_good &= !page.names.is_failed && !page.far_ids.is_failed && !out->is_failed;
    page_bytes_free(&page.names);
    page_bytes_free(&page.far_ids);
    forget_tables(&page);
    return is_good;
}
