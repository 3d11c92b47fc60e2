#include "asserts.h"
#include "stage.h"

#include <annot/dump.h>
#include <annot/reader.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct transcript {
    annot_reader *reader;
    char *text;
    size_t size, capacity;
};

__attribute__((format(printf, 3, 4))) static void put(struct transcript *to, uint32_t indent,
                                                      const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    if (indent > 100) /* 100,000 scopes would make a square of spaces */
        indent = 100;
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    cr_assert(length >= 0 && (size_t)length < sizeof line);
    size_t needed = to->size + 2u * indent + (size_t)length + 2;
    if (needed > to->capacity) {
        to->capacity = needed * 2;
        to->text = realloc(to->text, to->capacity);
        cr_assert(to->text);
    }
    memset(to->text + to->size, ' ', 2u * indent);
    to->size += 2u * indent;
    memcpy(to->text + to->size, line, (size_t)length);
    to->size += (size_t)length;
    to->text[to->size++] = '\n';
    to->text[to->size] = 0;
}

static const char *mark(annot_state state)
{
    switch (state) {
    case ANNOT_STATE_FINISHED:
        return "[X]";
    case ANNOT_STATE_IN_PROGRESS:
        return "[>]";
    case ANNOT_STATE_NOT_STARTED:
        return "[ ]";
    case ANNOT_STATE_NOT_EXECUTED:
        return "[-]";
    case ANNOT_STATE_UNKNOWN:
        break;
    }
    return "[?]";
}

/* The object's name; every object of a stage has one. */
static void object_name(const struct transcript *from, uint64_t id, char name[64])
{
    annot_reader_object object;
    snprintf(name, 64, "?");
    if (annot_reader_object_find(from->reader, id, &object) && object.is_named)
        snprintf(name, 64, "%.*s", (int)object.name.size, object.name.data);
}

static void stream_name(const struct transcript *from, uint32_t stream, char name[64])
{
    annot_reader_stream info;
    cr_assert(annot_reader_stream_at(from->reader, stream, &info));
    object_name(from, info.object, name);
}

static void tell_entries(struct transcript *to, uint32_t execution, uint32_t bundle,
                         uint32_t stream, uint32_t indent)
{
    annot_reader_stream info;
    if (stream == ANNOT_READER_NONE)
        return;
    cr_assert(annot_reader_stream_at(to->reader, stream, &info));
    for (uint32_t i = 0; i < info.entry_count; i++) {
        uint32_t index = info.first_entry + i;
        annot_reader_entry entry;
        cr_assert(annot_reader_entry_at(to->reader, index, &entry));
        annot_state state = annot_reader_state(to->reader, execution, bundle, index, NULL);
        char name[256];
        if (entry.kind == ANNOT_ENTRY_SURPLUS_END) {
            put(to, indent + entry.depth, "end");
        } else if (entry.kind == ANNOT_ENTRY_BUNDLE) {
            char object[64] = "?";
            if (entry.link != ANNOT_READER_NONE)
                stream_name(to, entry.link, object);
            put(to, indent + entry.depth, "%s bundle %s", mark(state), object);
            tell_entries(to, execution, index, entry.link, indent + entry.depth + 1);
        } else {
            annot_reader_entry_name(to->reader, index, name, sizeof name);
            put(to, indent + entry.depth, "%s %s", mark(state), name);
        }
    }
}

static void tell_submission(struct transcript *to, uint32_t index, uint32_t indent)
{
    annot_reader_submission submission;
    cr_assert(annot_reader_submission_at(to->reader, index, &submission));
    put(to, indent, "%s #%llu", mark(submission.state), (unsigned long long)submission.serial);
    for (uint32_t i = 0; i < submission.execution_count; i++) {
        annot_reader_execution execution;
        char name[64];
        cr_assert(
            annot_reader_execution_at(to->reader, submission.first_execution + i, &execution));
        object_name(to, execution.object, name);
        put(to, indent + 1, "%s %s", mark(execution.state), name);
        tell_entries(to, submission.first_execution + i, ANNOT_READER_NONE, execution.stream,
                     indent + 2);
    }
}

static void tell_queue(struct transcript *to, uint32_t stream, const annot_reader_stream *info)
{
    static const char *const verdicts[] = {"idle", "waiting", "stopped", "unknown"};
    char name[256];
    stream_name(to, stream, name);
    put(to, 0, "queue %s: %s", name, verdicts[annot_reader_queue_verdict(to->reader, stream)]);
    for (uint32_t i = 0; i < info->entry_count; i++) {
        uint32_t index = info->first_entry + i;
        annot_reader_entry entry;
        cr_assert(annot_reader_entry_at(to->reader, index, &entry));
        if (entry.kind == ANNOT_ENTRY_SUBMISSION) {
            tell_submission(to, entry.link, entry.depth);
            continue;
        }
        if (entry.kind == ANNOT_ENTRY_SURPLUS_END) {
            put(to, entry.depth, "end");
            continue;
        }
        annot_reader_entry_name(to->reader, index, name, sizeof name);
        put(to, entry.depth, "%s %s", mark(annot_reader_queue_state(to->reader, index, NULL)),
            name);
    }
}

static void tell_stop(struct transcript *to, size_t index)
{
    annot_reader_stop stop;
    annot_reader_submission submission;
    annot_reader_execution execution;
    char queue[64], list[64], path[2048];
    cr_assert(annot_reader_stop_at(to->reader, index, &stop));
    cr_assert(annot_reader_submission_at(to->reader, stop.submission, &submission));
    cr_assert(annot_reader_execution_at(to->reader, stop.execution, &execution));
    stream_name(to, stop.queue, queue);
    object_name(to, execution.object, list);
    if (annot_reader_stop_path(to->reader, index, path, sizeof path) == 0)
        snprintf(path, sizeof path, "(no marker)");
    put(to, 0, "stop %s #%llu %s%s: %s", queue, (unsigned long long)submission.serial,
        stop.is_between ? "before " : "", list, path);
}

char *transcript_of_dump(const char *path)
{
    struct transcript to = {0};
    annot_result result = annot_reader_open_file(NULL, path, &to.reader);
    cr_assert_eq(result, ANNOT_OK, "%s: %s", path, annot_result_text(result));
    cr_assert(!annot_reader_is_damaged(to.reader));
    for (size_t i = 0; i < annot_reader_stop_count(to.reader); i++)
        tell_stop(&to, i);
    for (uint32_t stream = 0; stream < annot_reader_stream_count(to.reader); stream++) {
        annot_reader_stream info;
        cr_assert(annot_reader_stream_at(to.reader, stream, &info));
        if (info.is_queue)
            tell_queue(&to, stream, &info);
    }
    annot_reader_close(to.reader);
    return to.text;
}

struct removal_id removal_of_dump(const char *path)
{
    annot_reader *reader;
    annot_reader_device device;
    struct removal_id id = {.time = 0};
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    annot_reader_get_device(reader, &device);
    memcpy(id.guid, device.guid, sizeof id.guid);
    id.time = device.virtual_time;
    annot_reader_blob blob;
    for (size_t i = 0; annot_reader_blob_at(reader, i, &blob); i++)
        if (blob.kind == ANNOT_BLOB_KERNEL)
            annot_reader_blob_read(reader, i, 0, id.kernel, sizeof id.kernel);
    annot_reader_close(reader);
    return id;
}

uint64_t dropped_markers(const char *path)
{
    annot_reader *reader;
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    uint64_t count = annot_reader_loss(reader, ANNOT_LOSS_MARKERS);
    annot_reader_close(reader);
    return count;
}
