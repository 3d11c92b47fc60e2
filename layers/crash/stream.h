/* A list's markers are recorded into two streams. The outer stream is tracked: the GPU writes a
 * mark for each of its markers. Markers that the level doesn't track, or that can't have a mark at
 * their place, go to the inner stream. The inner stream is a bundle, and only the bundle's place in
 * the outer stream is tracked. If the GPU stopped at that place, the state of the inner markers is
 * unknown. Otherwise they are finished or not started, like the place.
 *
 *     outer   Begin "frame"    . . . .  bundle  . . . .  End
 *     inner                  Begin "shadows" End
 *
 * The owner decides to which stream a marker goes, and flushes the inner stream before it records
 * into the outer one. One thread records into a stream at a time. */
#pragma once

#include "device.h"

struct crash_stream {
    uint32_t begun, ended,
        points; /* number of the program's marker calls that the device's counts still lack */
    uint32_t depth, inner_depth;  /* number of open markers in each stream */
    bool is_recording, is_marked; /* is_marked says that the GPU writes marks for the stream */
    bool inner_is_open;
    annot_context *outer, *inner; /* two contexts; `inner` is made only when it is needed */
    const struct crash_device *device;
    annot_words words; /* breadcrumbs of the recording */
    annot_object *inner_object;
    uint32_t operations[2]; /* number of operations so far, in the outer and the inner stream */
    uint32_t unnoted;       /* number of operations after the last noted operation */
};

/* Makes a stream. False means out of memory. */
bool crash_stream_create(struct crash_stream *stream, const struct crash_device *device,
                         annot_object *list);
/* Destroys a stream. Call crash_stream_drop before. */
void crash_stream_destroy(struct crash_stream *stream);

/* Begins a recording in the memory of `arena`. The recording has no marks yet. */
void crash_stream_open(struct crash_stream *stream, annot_arena *arena);
/* Gets memory for the recording's marks: sets `words`, and is_marked if there is memory. */
void crash_stream_mark(struct crash_stream *stream);
void crash_stream_close(struct crash_stream *stream);
/* Forgets a recording that won't be executed again, or that is open without GPU commands. */
void crash_stream_drop(struct crash_stream *stream, struct crash_counts *counts);
void crash_stream_count(struct crash_stream *stream, struct crash_counts *counts);

/* Opens the inner stream in the memory of `arena`; `handle` is the handle that the driver's
 * functions get. False means out of memory. */
bool crash_stream_open_inner(struct crash_stream *stream, annot_arena *arena, void *handle);
/* Executes a bundle in the outer stream. */
void crash_stream_execute(struct crash_stream *stream, annot_context *bundle);
/* Ends the open inner stream, and executes it in the outer stream. */
void crash_stream_flush(struct crash_stream *stream);

/* Begins a marker in one of the two streams. If `context` is NULL, the marker is lost, and only the
 * marker's end is expected. */
static inline void crash_stream_begin(struct crash_stream *stream, annot_context *context,
                                      uint32_t metadata, const void *data, uint32_t size)
{
    if (context)
        annot_context_begin_event(context, metadata, data, size);
    *(context == stream->outer ? &stream->depth : &stream->inner_depth) += 1;
}

/* Ends a marker of the inner stream. False: no marker of the inner stream is open. */
static inline bool crash_stream_end_inner(struct crash_stream *stream)
{
    if (stream->inner_depth == 0)
        return false;
    if (stream->inner_is_open)
        annot_context_end_event(stream->inner);
    stream->inner_depth--;
    return true;
}

/* ---- operations ---- */

/* Notes an operation in the open marker: the last of the operations that `unnoted` counts. The
 * stream's number is added to the operation's number. */
void crash_stream_note(struct crash_stream *stream, const annot_operation *operation);

/* Notes the barriers of one call. If one operation has no room, more are noted. */
enum { CRASH_BARRIERS = ANNOT_OPERATION_ARGUMENTS / 2 };

struct crash_barriers {
    struct crash_stream *stream;
    uint32_t kind;   /* a D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number; /* flags that are added to the operation's own flags */
    uint32_t count;
    int64_t numbers[ANNOT_OPERATION_ARGUMENTS];
    annot_bound_object objects[2 * CRASH_BARRIERS]; /* the objects of the barriers; the parts are
                                                       added behind them */
    uint64_t parts[CRASH_BARRIERS];
};

/* Adds a barrier. `part` is an ANNOT_PART, or 0 for all. `after` may have ANNOT_BARRIER_ bits. */
void crash_barriers_add(struct crash_barriers *barriers, annot_bound_object of, uint64_t part,
                        uint32_t before, int64_t after);
/* Notes the barriers. Call it after the last barrier. */
void crash_barriers_note(struct crash_barriers *barriers);
