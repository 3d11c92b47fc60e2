#include "stream.h"

bool crash_stream_create(struct crash_stream *stream, const struct crash_device *device,
                         annot_object *list)
{
    stream->device = device;
    stream->words = (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    return annot_context_create(list, &stream->outer) == ANNOT_OK;
}

void crash_stream_destroy(struct crash_stream *stream)
{
    if (stream->inner)
        annot_tracker_forget(stream->device->tracker, stream->inner);
    annot_context_destroy(stream->outer);
    annot_context_destroy(stream->inner);
    annot_object_destroy(stream->inner_object);
    stream->outer = stream->inner = NULL;
    stream->inner_object = NULL;
}

/* ---- recordings ---- */

void crash_stream_open(struct crash_stream *stream, annot_arena *arena)
{
    stream->depth = stream->inner_depth = stream->unnoted = 0;
    stream->operations[0] = stream->operations[1] = 0;
    stream->words = (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    stream->is_marked = false;
    stream->is_recording = annot_context_open(stream->outer, arena) == ANNOT_OK;
}

void crash_stream_mark(struct crash_stream *stream)
{
    if (stream->is_recording)
        stream->words = annot_tracker_record(stream->device->tracker, stream->outer);
    stream->is_marked = stream->words.started != ANNOT_WORDS_NONE;
}

void crash_stream_close(struct crash_stream *stream)
{
    annot_context_close(stream->outer);
    stream->is_recording = false;
}

void crash_stream_count(struct crash_stream *stream, struct crash_counts *counts)
{
    crash_counts_add(counts, stream->begun, stream->ended, stream->points);
    stream->begun = stream->ended = stream->points = 0;
}

void crash_stream_drop(struct crash_stream *stream, struct crash_counts *counts)
{
    crash_stream_count(stream, counts);
    if (stream->inner_is_open)
        annot_context_close(stream->inner);
    stream->inner_is_open = false;
    if (stream->is_recording)
        crash_stream_close(stream);
    annot_tracker_forget(stream->device->tracker, stream->outer);
}

/* ---- the inner stream ---- */

/* Makes the inner stream's object, which is the layer's own and no object of the program. */
static bool create_inner(struct crash_stream *stream, void *handle)
{
    enum { BUNDLE = 1 }; /* D3D12_COMMAND_LIST_TYPE */
    const annot_object_desc desc = {.type = ANNOT_OBJECT_COMMAND_LIST,
                                    .kind_name = "markers without marks",
                                    .list_type = BUNDLE,
                                    .driver_handle = handle};
    annot_device *device = stream->device->annot;
    return (stream->inner_object ||
            annot_object_create(device, &desc, &stream->inner_object) == ANNOT_OK) &&
           annot_context_create(stream->inner_object, &stream->inner) == ANNOT_OK;
}

bool crash_stream_open_inner(struct crash_stream *stream, annot_arena *arena, void *handle)
{
    stream->operations[1] = 0;
    stream->inner_is_open = arena && (stream->inner || create_inner(stream, handle)) &&
                            annot_context_open(stream->inner, arena) == ANNOT_OK;
    return stream->inner_is_open;
}

void crash_stream_execute(struct crash_stream *stream, annot_context *bundle)
{
    annot_tracker_execute_bundle(stream->device->tracker, stream->outer, bundle);
}

void crash_stream_flush(struct crash_stream *stream)
{
    annot_context_close(stream->inner);
    stream->inner_is_open = false;
    crash_stream_execute(stream, stream->inner);
}

/* ---- operations ---- */

void crash_stream_note(struct crash_stream *stream, const annot_operation *operation)
{
    const bool is_inner = stream->inner_depth > 0;
    annot_operation numbered = *operation;
    stream->operations[is_inner] += stream->unnoted;
    stream->unnoted = 0;
    numbered.number += stream->operations[is_inner] - 1;
    if (!is_inner || stream->inner_is_open)
        annot_context_note_operation(is_inner ? stream->inner : stream->outer, &numbered);
}

void crash_barriers_note(struct crash_barriers *barriers)
{
    uint32_t objects = barriers->count;
    if (barriers->count == 0)
        return;
    for (uint32_t i = 0; i < barriers->count; i++)
        if (barriers->parts[i] != 0)
            barriers->objects[objects++] =
                (annot_bound_object){barriers->parts[i], ANNOT_BOUND_PART, i};
    const annot_operation operation = {.kind = barriers->kind,
                                       .number = barriers->number,
                                       .argument_count = 2 * barriers->count,
                                       .object_count = objects,
                                       .arguments = barriers->numbers,
                                       .objects = barriers->objects};
    barriers->stream->unnoted++;
    crash_stream_note(barriers->stream, &operation);
    barriers->count = 0;
}

void crash_barriers_add(struct crash_barriers *barriers, annot_bound_object of, uint64_t part,
                        uint32_t before, int64_t after)
{
    barriers->parts[barriers->count] = part;
    barriers->numbers[2 * barriers->count] = before;
    barriers->numbers[2 * barriers->count + 1] = after;
    barriers->objects[barriers->count++] = of;
    if (barriers->count == CRASH_BARRIERS)
        crash_barriers_note(barriers);
}
