/*
 * For tools: reads the times in a dump [ANN-HIST-07]. A timeline has the CPU's submissions, the
 * GPU's work for each API call and each scope, and the work that was unfinished when the device was
 * removed.
 *
 *     annot_timeline *timeline;
 *     annot_timeline_create(reader, &timeline);
 *     for (size_t i = 0; annot_timeline_slice_at(timeline, i, &slice); i++)
 *         ...
 *     annot_timeline_destroy(timeline);
 *
 * A timeline has one track for each thread that submitted work, and one track for each queue. A
 * track has slices, which are pieces of time. If two slices of a track overlap, one slice is inside
 * the other. Slices are sorted by track, then by begin; an outer slice comes before its inner
 * slices.
 *
 * Times are nanoseconds of the CPU's clock. The reader converts the GPU's times with the clock
 * pairs in the dump. The timeline of a dump without times (include/emu/emu.h: ANNOT_TIMELINE) has
 * no slices.
 *
 * A timeline doesn't change, so any number of threads may use it. Destroy a timeline before its
 * reader.
 */
#ifndef ANNOT_TIMELINE_H
#define ANNOT_TIMELINE_H

#include "reader.h"

ANNOT_BEGIN_DECLS

typedef struct annot_timeline annot_timeline;

/* Makes a timeline. After ANNOT_ERROR_OUT_OF_MEMORY *out is NULL. Time and memory are linear in the
 * dump's size and the depth of its scopes. Slices past ANNOT_REPORT_NODE_LIMIT are only counted. */
ANNOT_READER_API annot_result annot_timeline_create(const annot_reader *reader,
                                                    annot_timeline **out);
ANNOT_READER_API void annot_timeline_destroy(annot_timeline *timeline); /* NULL is allowed */

typedef struct annot_timeline_about {
    uint64_t begin, end; /* the earliest time, and the time of the error, in ns */
    size_t tracks, slices, waiting;
    uint64_t left_out;  /* number of slices above ANNOT_REPORT_NODE_LIMIT, which are left out */
    uint64_t untimed;   /* number of submissions whose GPU times are missing or impossible */
    uint64_t forgotten; /* number of older submissions whose times were dropped for later ones */
} annot_timeline_about;

ANNOT_READER_API void annot_timeline_get_about(const annot_timeline *timeline,
                                               annot_timeline_about *out);

typedef enum annot_track_kind {
    ANNOT_TRACK_THREAD = 1, /* calls of ExecuteCommandLists by one thread of the application */
    ANNOT_TRACK_QUEUE = 2   /* the GPU's work for one queue */
} annot_track_kind;

typedef struct annot_timeline_track {
    annot_track_kind kind;
    /* For a thread, the system's number of the thread (0: not known). For a queue, its
     * annot_object_id. */
    uint64_t id;
    size_t first_slice, slice_count;
} annot_timeline_track;

ANNOT_READER_API bool annot_timeline_track_at(const annot_timeline *timeline, size_t index,
                                              annot_timeline_track *out);
/* Writes the name of track `index`, as annot_reader_entry_name writes names: "thread 4711", the
 * queue's name, or "queue #3". */
ANNOT_READER_API size_t annot_timeline_track_name(const annot_timeline *timeline, size_t index,
                                                  char *buffer, size_t capacity);

typedef enum annot_slice_kind {
    ANNOT_SLICE_SUBMIT = 1,     /* a submit call of the application, on the CPU's track */
    ANNOT_SLICE_SUBMISSION = 2, /* the execution of a submission by the GPU */
    ANNOT_SLICE_LIST = 3,       /* one command list of a submission */
    ANNOT_SLICE_SCOPE = 4,      /* a scope of a list or of the queue */
    ANNOT_SLICE_CALL = 5 /* from the end of a call's GPU work to the end of the next call's work */
} annot_slice_kind;

typedef struct annot_timeline_slice {
    annot_slice_kind kind;
    uint32_t track;
    uint32_t depth; /* slices around it */
    uint64_t begin,
        end; /* the slice's times in ns; an unfinished slice ends where the timeline ends */
    bool is_unfinished;  /* the work is unfinished; for a LIST, it may be unfinished */
    uint64_t submission; /* serial */
    uint32_t queue;      /* index of the queue's stream, or ANNOT_READER_NONE */
    uint32_t list;       /* index of the list in the submission; for LIST, CALL, a list's SCOPE */
    uint32_t entry;      /* entry of a SCOPE's marker; ANNOT_READER_NONE: not a SCOPE */
    uint32_t op;         /* CALL: D3D12_AUTO_BREADCRUMB_OP, or ANNOT_READER_NONE */
    uint64_t number;     /* for a CALL: its API sequence number */
} annot_timeline_slice;

ANNOT_READER_API bool annot_timeline_slice_at(const annot_timeline *timeline, size_t index,
                                              annot_timeline_slice *out);
/* Writes the name of slice `index`, as annot_reader_entry_name writes names: "ExecuteCommandLists",
 * "submission 3", "list 1", the marker's name, or "Dispatch". */
ANNOT_READER_API size_t annot_timeline_slice_name(const annot_timeline *timeline, size_t index,
                                                  char *buffer, size_t capacity);

/* Work that is not done, and perhaps not begun. */
typedef struct annot_timeline_waiting {
    uint32_t queue; /* index of the queue's stream, or ANNOT_READER_NONE */
    uint64_t submission;
    uint32_t list;          /* index of the list in the submission; ANNOT_READER_NONE: all lists */
    uint32_t first;         /* number of the list's first operation, from 1; 0: not known */
    uint32_t op;            /* D3D12_AUTO_BREADCRUMB_OP of the call, or ANNOT_READER_NONE */
    uint32_t calls;         /* number of calls */
    bool is_null_rendering; /* the driver skipped this work (NullRendering); it counts as done */
} annot_timeline_waiting;

ANNOT_READER_API bool annot_timeline_waiting_at(const annot_timeline *timeline, size_t index,
                                                annot_timeline_waiting *out);

/* Writes the timeline as text. `options` may be NULL; node_limit limits each track's lines. */
ANNOT_READER_API annot_result annot_timeline_text(const annot_timeline *timeline,
                                                  const annot_report_options *options,
                                                  const annot_report_sink *sink);

/* Writes the timeline as Chrome trace events in one JSON object, for Perfetto and chrome://tracing.
 * Times are microseconds since the timeline's begin, with three decimals. */
ANNOT_READER_API annot_result annot_timeline_json(const annot_timeline *timeline,
                                                  const annot_report_sink *sink);

ANNOT_END_DECLS

#endif
