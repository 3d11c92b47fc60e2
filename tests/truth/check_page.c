/* The page of `annot html` says what its dump says: its data, read as its script reads it. */
#include "check.h"

#include "json.h"
#include "page/page.h"

#include <string.h>

#define NONE ANNOT_READER_NONE

/* COLUMN(name): those of the page's data that have states in them, or places of states. */
#define COLUMNS(COLUMN)                                                                            \
    COLUMN(streamIsQueue)                                                                          \
    COLUMN(streamVerdict)                                                                          \
    COLUMN(streamStates)                                                                           \
    COLUMN(submissionState)                                                                        \
    COLUMN(executionStream)                                                                        \
    COLUMN(executionState)                                                                         \
    COLUMN(executionEvidence)                                                                      \
    COLUMN(executionStates)                                                                        \
    COLUMN(runExecution)                                                                           \
    COLUMN(runEntry)                                                                               \
    COLUMN(runState)                                                                               \
    COLUMN(runStates)                                                                              \
    COLUMN(states)

#define COLUMN_ENUM(name) COLUMN_##name,
#define COLUMN_NAME(name) #name,
enum { COLUMNS(COLUMN_ENUM) COLUMN_COUNT };
static const char *const column_names[] = {COLUMNS(COLUMN_NAME)};

struct column {
    const unsigned char *at;
    uint32_t width, count;
};

struct shown {
    const struct scene *scene;
    struct json_value json;
    struct column columns[COLUMN_COUNT];
};

static uint32_t number_in(struct json_value array, unsigned nth)
{
    const char *cursor = NULL;
    struct json_value element = {NULL, NULL};
    uint64_t number = 0;
    bool is_negative;
    for (unsigned i = 0; i <= nth; i++)
        json_next(array, &cursor, &element);
    json_integer(element, &is_negative, &number);
    return (uint32_t)number;
}

/* Columns lie behind the JSON text, each at a multiple of 8, in the order in which it names them.
 */
static bool take_columns(struct shown *shown, const struct cli_bytes *data)
{
    struct json_value columns, column;
    const char *cursor = NULL, *why;
    const unsigned char *bytes = (const unsigned char *)data->data;
    const uint32_t size =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    size_t at = 4 + size;
    if (!json_parse(data->data + 4, size, &shown->json, &why) ||
        !json_member(shown->json, "columns", &columns))
        return false;
    while (json_next(columns, &cursor, &column)) {
        const char *inner = NULL;
        struct json_value name;
        const uint32_t width = number_in(column, 1), count = number_in(column, 2);
        at = (at + 7) / 8 * 8;
        if (!json_next(column, &inner, &name) || at + (size_t)width * count > data->size)
            return false;
        for (int i = 0; i < COLUMN_COUNT; i++)
            if (json_is(name, column_names[i]))
                shown->columns[i] = (struct column){bytes + at, width, count};
        at += (size_t)width * count;
    }
    return true;
}

static uint32_t value(const struct shown *shown, int column, uint32_t index)
{
    const struct column *of = &shown->columns[column];
    uint32_t number = 0;
    if (index >= of->count)
        return NONE;
    for (uint32_t i = 0; i < of->width; i++)
        number |= (uint32_t)of->at[(size_t)index * of->width + i] << 8 * i;
    return number;
}

static void compare(const struct shown *shown, const char *what, uint32_t index, uint32_t said,
                    uint32_t right)
{
    if (said != right)
        complain(shown->scene->verdict, what, "of %u: %u, not %u", index, said, right);
}

/* The state of an entry: all of its stream have `uniform`, or the states from `offset` on. */
static uint32_t state_in(const struct shown *shown, uint32_t offset, uint32_t uniform,
                         const annot_reader_stream *stream, uint32_t entry)
{
    return offset == NONE ? uniform
                          : value(shown, COLUMN_states, offset + entry - stream->first_entry);
}

static void check_run(const struct shown *shown, uint32_t execution, uint32_t bundle)
{
    const annot_reader *reader = shown->scene->reader;
    annot_reader_entry entry;
    annot_reader_stream stream;
    uint32_t run = 0;
    if (!annot_reader_entry_at(reader, bundle, &entry) ||
        !annot_reader_stream_at(reader, entry.link, &stream))
        return;
    while (run < shown->columns[COLUMN_runEntry].count &&
           (value(shown, COLUMN_runExecution, run) != execution ||
            value(shown, COLUMN_runEntry, run) != bundle))
        run++;
    const bool is_there = run < shown->columns[COLUMN_runEntry].count;
    const uint32_t offset = is_there ? value(shown, COLUMN_runStates, run) : NONE;
    const uint32_t whole = is_there ? value(shown, COLUMN_runState, run)
                                    : value(shown, COLUMN_executionState, execution);
    for (uint32_t i = stream.first_entry; i < stream.first_entry + stream.entry_count; i++)
        compare(shown, "page: a state in a bundle", i, state_in(shown, offset, whole, &stream, i),
                (uint32_t)annot_reader_state(reader, execution, bundle, i, NULL));
}

static void check_execution(const struct shown *shown, uint32_t index)
{
    const annot_reader *reader = shown->scene->reader;
    annot_reader_execution execution;
    annot_reader_stream stream;
    annot_reader_entry entry;
    annot_reader_execution_at(reader, index, &execution);
    const uint32_t whole = value(shown, COLUMN_executionState, index);
    compare(shown, "page: a list's state", index, whole, execution.state);
    compare(shown, "page: a list's evidence", index, value(shown, COLUMN_executionEvidence, index),
            execution.evidence);
    compare(shown, "page: a list's recording", index, value(shown, COLUMN_executionStream, index),
            execution.stream);
    if (!annot_reader_stream_at(reader, execution.stream, &stream))
        return;
    const uint32_t offset = value(shown, COLUMN_executionStates, index);
    for (uint32_t i = stream.first_entry; i < stream.first_entry + stream.entry_count; i++) {
        compare(shown, "page: a state", i, state_in(shown, offset, whole, &stream, i),
                (uint32_t)annot_reader_state(reader, index, NONE, i, NULL));
        if (annot_reader_entry_at(reader, i, &entry) && entry.kind == ANNOT_ENTRY_BUNDLE)
            check_run(shown, index, i);
    }
}

static void check_stream(const struct shown *shown, uint32_t index,
                         const annot_reader_stream *stream)
{
    const annot_reader *reader = shown->scene->reader;
    annot_reader_entry entry;
    const uint32_t offset = value(shown, COLUMN_streamStates, index);
    compare(shown, "page: a queue", index, value(shown, COLUMN_streamIsQueue, index),
            stream->is_queue);
    if (!stream->is_queue)
        return;
    compare(shown, "page: a queue's verdict", index, value(shown, COLUMN_streamVerdict, index),
            (uint32_t)annot_reader_queue_verdict(reader, index));
    for (uint32_t i = stream->first_entry; i < stream->first_entry + stream->entry_count; i++)
        if (annot_reader_entry_at(reader, i, &entry) && entry.kind != ANNOT_ENTRY_SUBMISSION)
            compare(shown, "page: a state on a queue", i,
                    state_in(shown, offset, ANNOT_STATE_UNKNOWN, stream, i),
                    (uint32_t)annot_reader_queue_state(reader, i, NULL));
}

/* The words of the next stop in the outline, a JSON string as it is written, whose names are plain
 * ASCII. NULL: there is none. */
static const char *next_stop(const char *at, const char *end, size_t *size)
{
    static const char mark[] = "1\\tstop\\t";
    for (; (size_t)(end - at) >= sizeof mark; at++) {
        if (memcmp(at, mark, sizeof mark - 1) != 0)
            continue;
        at += sizeof mark - 1;
        for (*size = 0; at + *size < end && at[*size] != '\\';)
            ++*size;
        return at;
    }
    return NULL;
}

/* Where several scopes are unfinished, it is the oldest, "A up to B". */
static bool has_path(const char *words, size_t size, const char *path)
{
    static const char up_to[] = " up to ";
    const size_t length = strlen(path), more = sizeof up_to - 1;
    return size >= length && (memcmp(words + size - length, path, length) == 0 ||
                              (size > length + more && memcmp(words, path, length) == 0 &&
                               memcmp(words + length, up_to, more) == 0));
}

static void check_stops(const struct shown *shown)
{
    enum { OUTLINED = 8 };
    const annot_reader *reader = shown->scene->reader;
    struct json_value stops, stop, outline;
    const char *cursor = NULL, *words;
    char path[2048];
    size_t count = 0, outlined = 0, size;
    if (!json_member(shown->json, "stops", &stops) ||
        !json_member(shown->json, "outline", &outline))
        return;
    while (json_next(stops, &cursor, &stop))
        count++;
    compare(shown, "page: stops", 0, (uint32_t)count, (uint32_t)annot_reader_stop_count(reader));
    for (words = outline.at; (words = next_stop(words, outline.end, &size)); outlined++) {
        annot_reader_stop_path(reader, outlined, path, sizeof path);
        if (*path ? !has_path(words, size, path) : *words != '(')
            complain(shown->scene->verdict, "page: the path to a stop", "stop %u is not at \"%s\"",
                     (unsigned)outlined, path);
    }
    compare(shown, "page: stops with a path", 0, (uint32_t)outlined,
            (uint32_t)(count < OUTLINED ? count : OUTLINED));
}

void check_page(const struct scene *scene)
{
    struct shown shown = {.scene = scene};
    struct cli_bytes data = {NULL, 0, 0, false};
    annot_reader_stream stream;
    annot_reader_submission submission;
    if (!page_data(scene->reader, NULL, &data) || !take_columns(&shown, &data)) {
        complain(scene->verdict, "page: none", "its data can't be made or read");
        cli_bytes_free(&data);
        return;
    }
    for (uint32_t i = 0; annot_reader_stream_at(scene->reader, i, &stream); i++)
        check_stream(&shown, i, &stream);
    for (uint32_t i = 0; annot_reader_submission_at(scene->reader, i, &submission); i++)
        compare(&shown, "page: a submission's state", i, value(&shown, COLUMN_submissionState, i),
                submission.state);
    for (uint32_t i = 0; i < annot_reader_execution_count(scene->reader); i++)
        check_execution(&shown, i);
    check_stops(&shown);
    cli_bytes_free(&data);
}
