/* Questions to a dump that the public interface lacks: names, walks, operations, fault, paths. */
#pragma once

#include "dump_read/dump_model.h"

#include "base/compiler.h"

/* ---- text from foreign bytes ---- */

/* Longest name that any output has. */
#define ANNOT__NAME_MAX (64u << 10)

struct annot__name {
    char *text; /* the name in valid UTF-8; it may hold any character but NUL */
    size_t size;
    bool is_cut;   /* the dump doesn't hold all of it */
    bool is_short; /* it is longer than the buffer */
    bool
        is_no_utf8; /* some 8-bit text isn't UTF-8; each such byte is the character of its number */
    bool is_opaque; /* the payload can't be decoded; its printable bytes are shown */
    bool has_color;
    uint32_t color; /* 0xAARRGGBB */
    annot_payload payload;
};

/* A marker's name by its payload, into `buffer` of `capacity` bytes. Linear in the payload of PIX
 * events, in the capacity otherwise. */
void annot__name_of_entry(const annot_reader *reader, uint32_t entry, char *buffer, size_t capacity,
                          struct annot__name *name);

/* The same for a marker's decoded record. */
void annot__name_of_marker(const struct annot__marker_view *marker, char *buffer, size_t capacity,
                           struct annot__name *name);

/* Makes a name from bytes that should be UTF-8. */
void annot__name_of_text(annot_text text, char *buffer, size_t capacity, struct annot__name *name);

/* ---- api.c: the writer of the dump, and its API ---- */

/* Makes a table for each voice from a list of sentences. */
#define ANNOT__IN_VOICES(LIST, ROW)                                                                \
    {LIST(ROW, ANNOT_IN_D3D12)}, {LIST(ROW, ANNOT_IN_LAYER)}, {LIST(ROW, ANNOT_IN_FILE)},          \
    {                                                                                              \
        LIST(ROW, ANNOT_IN_VULKAN)                                                                 \
    }

/* Finds the words of the dump's API after the model was read. */
void annot__find_voice(annot_reader *reader);

static inline bool annot__is_layer(const annot_reader *reader)
{
    return reader->voice == ANNOT_VOICE_LAYER || reader->voice == ANNOT_VOICE_VULKAN;
}

/* "R8G8B8A8_UNORM" of a VkFormat. */
void annot__vulkan_format_text(uint32_t format, char *text, size_t size);

bool annot__text_is(annot_text text, const char *words);
bool annot__text_begins(annot_text text, const char *words);

/* The value of the first fact with this key; empty: there is none. */
annot_text annot__fact_of(const annot_reader *reader, const char *key);

/* ---- called.c: names of objects at the time in question [ANN-TRUTH-03] ---- */

struct annot__called_object {
    uint64_t id;
    annot_text name; /* empty: none */
    bool is_name_cut, is_destroyed;
    bool is_known; /* the dump has the object itself */
};

/* The list of the recording `stream` (or ANNOT__NONE), with its name then. */
struct annot__called_object annot__called_in_recording(const annot_reader *reader, uint32_t stream,
                                                       uint64_t id);
/* The list, with its name when this execution was submitted. */
struct annot__called_object annot__called_in_execution(const annot_reader *reader,
                                                       uint32_t execution);
/* The bundle, with its name when this BUNDLE entry executed it. */
struct annot__called_object annot__called_in_bundle(const annot_reader *reader, uint32_t entry);
/* The queue, with its name when this submission was made. */
struct annot__called_object annot__called_in_submission(const annot_reader *reader,
                                                        uint32_t submission);
/* An object of an operation in the recording `stream`, with its name at the recording's submission.
 */
struct annot__called_object annot__called_bound(const annot_reader *reader, uint32_t stream,
                                                uint64_t id);
/* A queue with its name at its last submission; any other object with its present name. */
struct annot__called_object annot__called_last(const annot_reader *reader, uint64_t id);

/* ---- names in reports ---- */

/* Names for a report: at most ANNOT_REPORT_NAME_LIMIT bytes, valid until the next name is made. */
struct annot__names {
    const annot_reader *reader;
    struct annot__kept_name *kept; /* the kept names, in the order of their entries */
    uint32_t count;
    char text[ANNOT_REPORT_NAME_LIMIT + 1];
};

bool annot__names_init(struct annot__names *names, const annot_reader *reader);
void annot__names_finish(struct annot__names *names);
void annot__names_of_entry(struct annot__names *names, uint32_t entry, struct annot__name *name);
void annot__names_of_text(struct annot__names *names, annot_text text, struct annot__name *name);

/* Writes UTF-8 with annot_text_escape into a buffer. Returns the bytes stored. */
size_t annot__printable(char *to, size_t capacity, const char *text, size_t size);
/* Adds the text at *used, with a NUL after it. If the text is cut, *used becomes the capacity, so
 * that no later part follows it. */
void annot__printable_add(char *to, size_t *capacity, size_t *used, const char *text, size_t size);

/* ---- a report's own memory, so that threads can share the reader ---- */

void *annot__report_allocate(const annot_reader *reader, size_t size); /* not zeroed */
void annot__report_release(const annot_reader *reader, void *memory, size_t size);

/* ---- scopes of earlier lists that are open around an execution ---- */

struct annot__outer_scopes {
    const annot_reader *reader;
    uint32_t *crossings; /* active ones, outermost first */
    uint32_t count, capacity;
    uint32_t next;  /* index of the next one in reader->crossings */
    uint64_t depth; /* number of scopes in all of them */
};

bool annot__outer_scopes_init(struct annot__outer_scopes *outer, const annot_reader *reader);
void annot__outer_scopes_finish(struct annot__outer_scopes *outer);
/* Call both for each execution, in ascending order. In between, the active crossings are those
 * around `execution`. */
void annot__outer_scopes_leave(struct annot__outer_scopes *outer, uint32_t execution);
/* The state of the `scope`-th scope of this crossing. */
annot_state annot__outer_scope_state(const annot_reader *reader,
                                     const struct annot__crossing *crossing, uint32_t scope);

/* The submissions among these entries of the queue, the last one included, and their tally.
 * O(log n). */
struct annot__range annot__submissions_among(const annot_reader *reader,
                                             const struct annot__stream *queue, uint32_t first,
                                             uint32_t last, struct annot__tally *tally);

/* ---- one execution's entries, bundles expanded ---- */

/* For a recording without an execution: ANNOT_OBJECT_QUEUE or ANNOT_OBJECT_COMMAND_ALLOCATOR if it
 * has the markers of a queue or allocator, so that its lists are unknown; 0 if it belongs to a
 * list. */
annot_object_type annot__recorder_of(const annot_reader *reader, uint32_t stream);

struct annot__node {
    uint32_t entry;
    uint32_t bundle; /* the BUNDLE entry that executes it, or ANNOT__NONE */
    uint64_t depth;  /* includes scopes of earlier lists, and of the list around a bundle */
    annot_state state;
    annot_evidence evidence;
    bool closes_earlier; /* a surplus End that closes an earlier list's scope */
};

struct annot__walk {
    const annot_reader *reader;
    const struct annot__execution *execution; /* NULL: recorded, not executed */
    struct {
        const struct annot__stream *stream;
        struct annot__progress_bounds bounds;
        uint32_t at, end;
        uint64_t depth;
        uint32_t bundle;
    } frame[2]; /* the list, and the bundle inside it: bundles don't nest */
    uint32_t frames;
    uint32_t closed; /* number of surplus Ends that close scopes of earlier lists */
};

/* `stream` is the execution's. `outer` may be NULL. */
void annot__walk_init(struct annot__walk *walk, const annot_reader *reader, uint32_t stream,
                      uint32_t execution, const struct annot__outer_scopes *outer);
bool annot__walk_next(struct annot__walk *walk, struct annot__node *node);
/* The node that annot__walk_next would give for this entry of the innermost frame. */
void annot__walk_peek(const struct annot__walk *walk, uint32_t entry, struct annot__node *node);
/* Continues with this bundle's entries, if the dump holds them. */
void annot__walk_enter(struct annot__walk *walk, const struct annot__node *bundle);
/* Continues after everything inside this scope. */
void annot__walk_skip(struct annot__walk *walk, uint32_t entry);

/* ---- operations ---- */

/* Gets the operation reader->operations[noted] of this recording. False means that it is
 * damaged. */
bool annot__noted_at(const annot_reader *reader, uint32_t stream, uint32_t noted,
                     annot_reader_operation *out);

/* The first of reader->operations, from `first` up to `end`, whose record is at or after this
 * offset. */
uint32_t annot__noted_behind(const annot_reader *reader, uint32_t first, uint32_t end,
                             uint64_t offset);

/* The text of an operation that these breadcrumbs count, recorded in `stream` (or ANNOT__NONE):
 * "Dispatch(128, 1, 1)", or "Dispatch" if it was not noted. Returns the bytes stored. */
size_t annot__operation_name(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                             uint32_t number, char *buffer, size_t capacity);

/* ---- page faults ---- */

/* "placed" for ANNOT_MEMORY_PLACED; "" for a number without a word. */
const char *annot__memory_text(uint32_t memory);

/* Whether the address is in the range. A range without a size has only its own address. */
bool annot__range_holds(const struct annot__dump_RANGE *range, uint64_t address);
/* Bytes between an address outside of a range and the range. */
uint64_t annot__range_distance(const struct annot__dump_RANGE *range, uint64_t address);
bool annot__range_is_near(const struct annot__dump_RANGE *range, uint64_t address);

/* The object with the faulting address in its memory: a living one, otherwise the one that was
 * destroyed last. NULL: not known. */
const struct annot__dump_RANGE *annot__fault_range(const annot_reader *reader);
/* If the address was in no object: the nearest object, and the bytes between them. NULL: no object
 * is near. */
const struct annot__dump_RANGE *annot__fault_near(const annot_reader *reader, uint64_t *distance);
/* Whether the faulting address is a pointer of 0 with an offset: below 64 KiB, near no object. */
bool annot__is_null_fault(const annot_reader *reader);

/* ---- paths ---- */

enum { ANNOT__PATH_END = 32 };

/* The scopes around a stop: the outermost and the innermost ones, and how many are left out in
 * between. */
struct annot__path {
    uint32_t entries[2 * ANNOT__PATH_END]; /* outermost first */
    uint32_t count;
    uint64_t gap; /* number of entries that are left out after entries[ANNOT__PATH_END - 1] */
};

/* Time is linear in the path and in the crossings of the dump. */
void annot__path_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                         struct annot__path *path);
/* The queue's scopes around a submission, which may be ANNOT__NONE. */
void annot__path_of_submission(const annot_reader *reader, uint32_t submission,
                               struct annot__path *path);
/* Whether threads other than the submission's began or ended scopes in its path. They can, because
 * a queue has one stack of scopes for all threads. */
bool annot__mixes_threads(const annot_reader *reader, uint32_t submission);
/* Writes the path as one line, like annot_reader_stop_path. */
size_t annot__path_text(const annot_reader *reader, const struct annot__path *path, char *buffer,
                        size_t capacity);

/* ---- clock.c ---- */

/* Converts a time of the GPU's clock to the CPU's, in ns. The dump must have a clock pair. */
uint64_t annot__clock_convert(const annot_reader *reader, uint64_t ticks);
