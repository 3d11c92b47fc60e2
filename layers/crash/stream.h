/* Records a list's markers into two streams. The outer stream is tracked: the GPU writes a mark for
 * each of its markers. Markers that the level doesn't track, or that can't have a mark at their
 * place, go to the inner stream. The inner stream is a bundle, and only the bundle's place in the
 * outer stream is tracked. If the GPU stopped at that place, the state of the inner markers is
 * unknown. Otherwise they are finished or not started, like the place.
 *
 *     outer   Begin "frame"    . . . .  bundle  . . . .  End
 *     inner                  Begin "shadows" End
 *
 * The owner decides to which stream a marker goes, and flushes the inner stream before it records
 * into the outer stream. One thread records into a stream at a time. */
#pragma once

#include "device.h"

struct crash_stream {
    /* Marker calls of the program that are not yet added to the device's counts. */
    uint32_t begun, ended, points;
    uint32_t depth, inner_depth;  /* how many markers are open in the outer and inner stream */
    bool is_recording, is_marked; /* is_marked: whether the GPU writes breadcrumbs for it */
    bool inner_is_open;
    annot_context *outer, *inner; /* contexts of the streams; `inner` is made when it is needed */
    const struct crash_device *device;
    annot_words words; /* breadcrumbs of the recording */
    annot_object *inner_object;
    uint32_t operations[2]; /* number of operations so far in the outer and in the inner stream */
    uint32_t unnoted;       /* number of operations since the last noted operation */
};

/* Makes a stream of markers. Returns false if memory runs out. */
bool crash_stream_create(struct crash_stream *stream, const struct crash_device *device,
                         annot_object *list);
/* Destroys a stream, after crash_stream_drop. */
void crash_stream_destroy(struct crash_stream *stream);

/* Begins a recording in the memory of `arena`. The recording has no breadcrumbs yet. */
void crash_stream_open(struct crash_stream *stream, annot_arena *arena);
/* Gets memory for breadcrumbs, and sets `words`. If there is memory, sets is_marked. */
void crash_stream_mark(struct crash_stream *stream);
void crash_stream_close(struct crash_stream *stream);
/* Forgets a recording that will never be executed again, or that has no GPU commands yet. */
void crash_stream_drop(struct crash_stream *stream, struct crash_counts *counts);
void crash_stream_count(struct crash_stream *stream, struct crash_counts *counts);

/* Opens the inner stream in the memory of `arena`. The driver's functions get `handle`. False means
 * out of memory. */
bool crash_stream_open_inner(struct crash_stream *stream, annot_arena *arena, void *handle);
/* Executes the bundle `bundle` in the outer stream. */
void crash_stream_execute(struct crash_stream *stream, annot_context *bundle);
/* Ends the inner stream, if it is open, and executes it (as a bundle) in the outer stream. */
void crash_stream_flush(struct crash_stream *stream);

/* Begins a marker in one of the two streams. If `context` is NULL, the marker is lost, and the
 * stream only expects its end. */
static inline void crash_stream_begin(struct crash_stream *stream, annot_context *context,
                                      uint32_t metadata, const void *data, uint32_t size)
{
    if (context)
        annot_context_begin_event(context, metadata, data, size);
    *(context == stream->outer ? &stream->depth : &stream->inner_depth) += 1;
}

/* Ends a marker of the inner stream. Returns false if the inner stream has no open marker. */
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

/* Notes the last of the operations that `unnoted` counts, in the open marker. Adds the stream's
 * number of operations to the operation's number. */
void crash_stream_note(struct crash_stream *stream, const annot_operation *operation);

/* Collects the barriers of one call, and notes them as one operation or several. */
enum { CRASH_BARRIERS = ANNOT_OPERATION_ARGUMENTS / 2 };

struct crash_barriers {
    struct crash_stream *stream;
    uint32_t kind;   /* a D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number; /* added to each operation's number: 0 or ANNOT_OPERATION_APART */
    uint32_t count;
    int64_t numbers[ANNOT_OPERATION_ARGUMENTS];
    /* The object of each barrier; after crash_barriers_note, each part is an object, too. */
    annot_bound_object objects[2 * CRASH_BARRIERS];
    uint64_t parts[CRASH_BARRIERS]; /* each barrier's ANNOT_PART; 0: the barrier has all parts */
};

/* Adds a barrier. `part`: an ANNOT_PART, or 0 for all. `after` may have ANNOT_BARRIER_ bits. */
void crash_barriers_add(struct crash_barriers *barriers, annot_bound_object of, uint64_t part,
                        uint32_t before, int64_t after);
/* Notes the collected barriers. Call this function after the last barrier. */
void crash_barriers_note(struct crash_barriers *barriers);
