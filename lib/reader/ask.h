/* Private functions that read names, markers, operations, page faults and paths from a dump. */
#pragma once

#include "dump_read/dump_model.h"

#include "base/compiler.h"

/* ---- text from foreign bytes ---- */

/* The largest size of a name in any output, in bytes. */
#define ANNOT__NAME_MAX (64u << 10)

struct annot__name {
    char *text; /* name in valid UTF-8; any character except NUL may occur */
    size_t size;
    bool is_cut;     /* the dump has only a part of the name */
    bool is_short;   /* the name did not fit into the buffer */
    bool is_no_utf8; /* the name has bytes that aren't UTF-8; they are read as Latin-1 */
    bool is_opaque;  /* the payload can't be decoded; `text` shows its printable bytes */
    bool has_color;
    uint32_t color; /* 0xAARRGGBB */
    annot_payload payload;
};

/* Decodes a marker's payload and writes the marker's name to `buffer` of `capacity` bytes. Takes
 * time linear in the payload for PIX events, and in the capacity for other payloads. */
void annot__name_of_entry(const annot_reader *reader, uint32_t entry, char *buffer, size_t capacity,
                          struct annot__name *name);

/* Writes a marker's name, from the marker's decoded record, to `buffer`. */
void annot__name_of_marker(const struct annot__marker_view *marker, char *buffer, size_t capacity,
                           struct annot__name *name);

/* Writes a name to `buffer`, from bytes that may be invalid UTF-8. */
void annot__name_of_text(annot_text text, char *buffer, size_t capacity, struct annot__name *name);

/* ---- api.c: finds which API and which program the dump is from ---- */

/* Makes a table from LIST, with a row of sentences for each annot_voice (vocabulary of reports). */
#define ANNOT__IN_VOICES(LIST, ROW)                                                                \
    {LIST(ROW, ANNOT_IN_D3D12)}, {LIST(ROW, ANNOT_IN_LAYER)}, {LIST(ROW, ANNOT_IN_FILE)},          \
    {                                                                                              \
        LIST(ROW, ANNOT_IN_VULKAN)                                                                 \
    }

/* Chooses the vocabulary of the dump's reports (annot_voice), after the model was read. */
void annot__find_voice(annot_reader *reader);

static inline bool annot__is_layer(const annot_reader *reader)
{
    return reader->voice == ANNOT_VOICE_LAYER || reader->voice == ANNOT_VOICE_VULKAN;
}

/* Writes the name of a VkFormat, for example "R8G8B8A8_UNORM". */
void annot__vulkan_format_text(uint32_t format, char *text, size_t size);

bool annot__text_is(annot_text text, const char *words);
bool annot__text_begins(annot_text text, const char *words);

/* Returns the value of the dump's first fact with this key, or an empty text. */
annot_text annot__fact_of(const annot_reader *reader, const char *key);

/* ---- called.c: finds the names that objects had at an earlier time [ANN-TRUTH-03] ---- */

struct annot__called_object {
    uint64_t id;
    annot_text name; /* empty: none */
    bool is_name_cut, is_destroyed;
    bool is_known; /* the dump has a record of the object */
};

/* Returns the list of the recording `stream` (may be NONE), with its name at its Close. */
struct annot__called_object annot__called_in_recording(const annot_reader *reader, uint32_t stream,
                                                       uint64_t id);
/* Returns an execution's list, with the name that the list had at the submission. */
struct annot__called_object annot__called_in_execution(const annot_reader *reader,
                                                       uint32_t execution);
/* Returns the bundle of a BUNDLE entry, with the name that the bundle had at the call. */
struct annot__called_object annot__called_in_bundle(const annot_reader *reader, uint32_t entry);
/* Returns the queue of a submission, with the name that the queue had at the submission. */
struct annot__called_object annot__called_in_submission(const annot_reader *reader,
                                                        uint32_t submission);
/* Returns an object that the recording `stream` uses, with its name at that submission. */
struct annot__called_object annot__called_bound(const annot_reader *reader, uint32_t stream,
                                                uint64_t id);
/* Returns a queue with the name at its last submission, or another object with its last name. */
struct annot__called_object annot__called_last(const annot_reader *reader, uint64_t id);

/* ---- names in reports ---- */

/* Makes names of at most ANNOT_REPORT_NAME_LIMIT bytes. A name is valid until the next call. */
struct annot__names {
    const annot_reader *reader;
    struct annot__kept_name *kept; /* marker names that are already decoded, sorted by entry */
    uint32_t count;
    char text[ANNOT_REPORT_NAME_LIMIT + 1];
};

bool annot__names_init(struct annot__names *names, const annot_reader *reader);
void annot__names_finish(struct annot__names *names);
void annot__names_of_entry(struct annot__names *names, uint32_t entry, struct annot__name *name);
void annot__names_of_text(struct annot__names *names, annot_text text, struct annot__name *name);

/* Writes UTF-8 into a buffer, escaped by annot_text_escape. Returns the number of bytes written. */
size_t annot__printable(char *to, size_t capacity, const char *text, size_t size);
/* Writes escaped text and a NUL at *used. If the text is cut, sets *used to the capacity, so that
 * no later text follows. */
void annot__printable_add(char *to, size_t *capacity, size_t *used, const char *text, size_t size);

/* ---- allocates memory for a report; several threads can share the reader ---- */

void *annot__report_allocate(const annot_reader *reader, size_t size); /* not zeroed */
void annot__report_release(const annot_reader *reader, void *memory, size_t size);

/* ---- scopes of earlier lists that are open during an execution ---- */

struct annot__outer_scopes {
    const annot_reader *reader;
    uint32_t *crossings; /* crossings: open scopes of earlier lists, outermost first */
    uint32_t count, capacity;
    uint32_t next;  /* index in reader->crossings of the next scopes to enter */
    uint64_t depth; /* how many scopes of earlier lists are open */
};

bool annot__outer_scopes_init(struct annot__outer_scopes *outer, const annot_reader *reader);
void annot__outer_scopes_finish(struct annot__outer_scopes *outer);
/* Updates `outer` after an execution. Call the function for executions in ascending order. `outer`
 * then has the scopes of earlier lists that are still open after this execution. */
void annot__outer_scopes_leave(struct annot__outer_scopes *outer, uint32_t execution);
/* Returns the state of scope number `scope` of a crossing; a later list closes this scope. */
annot_state annot__outer_scope_state(const annot_reader *reader,
                                     const struct annot__crossing *crossing, uint32_t scope);

/* Returns the submissions among the queue's entries `first` to `last`, and counts them by state.
 * O(log n). */
struct annot__range annot__submissions_among(const annot_reader *reader,
                                             const struct annot__stream *queue, uint32_t first,
                                             uint32_t last, struct annot__tally *tally);

/* ---- a walk visits an execution's markers, and those of its bundles, in order ---- */

/* Returns who recorded markers that no execution has: ANNOT_OBJECT_QUEUE,
 * ANNOT_OBJECT_COMMAND_ALLOCATOR if the list is unknown, or 0 for a known list. */
annot_object_type annot__recorder_of(const annot_reader *reader, uint32_t stream);

struct annot__node {
    uint32_t entry;
    uint32_t bundle; /* BUNDLE entry through which this entry was reached, or ANNOT__NONE */
    uint64_t depth;  /* number of scopes around the entry, including scopes of other lists */
    annot_state state;
    annot_evidence evidence;
    bool closes_earlier; /* this entry is an End that closes an earlier list's scope */
};

struct annot__walk {
    const annot_reader *reader;
    const struct annot__execution *execution; /* NULL: the recording was not executed */
    struct {
        const struct annot__stream *stream;
        struct annot__progress_bounds bounds;
        uint32_t at, end;
        uint64_t depth;
        uint32_t bundle;
    } frame[2]; /* position of the walk in the list and in its bundle */
    uint32_t frames;
    uint32_t closed; /* number of Ends so far that closed scopes of earlier lists */
};

/* Begins a walk through `stream`, the execution's stream. `outer` may be NULL. */
void annot__walk_init(struct annot__walk *walk, const annot_reader *reader, uint32_t stream,
                      uint32_t execution, const struct annot__outer_scopes *outer);
bool annot__walk_next(struct annot__walk *walk, struct annot__node *node);
/* Gets the node that annot__walk_next would return for this entry. The walk does not move. */
void annot__walk_peek(const struct annot__walk *walk, uint32_t entry, struct annot__node *node);
/* The walk next visits the bundle's entries, if the dump has them. */
void annot__walk_enter(struct annot__walk *walk, const struct annot__node *bundle);
/* Makes the walk skip the rest of the scope `entry`, to the entry after it. */
void annot__walk_skip(struct annot__walk *walk, uint32_t entry);

/* ---- operations ---- */

/* Decodes reader->operations[noted], of the recording `stream`. A damaged record returns false. */
bool annot__noted_at(const annot_reader *reader, uint32_t stream, uint32_t noted,
                     annot_reader_operation *out);

/* Returns the first of reader->operations, from `first` up to `end`, whose record has this offset
 * in the file or a larger one. */
uint32_t annot__noted_behind(const annot_reader *reader, uint32_t first, uint32_t end,
                             uint64_t offset);

/* Writes the text of an operation that the breadcrumbs `crumbs` count: "Dispatch(128, 1, 1)", or
 * "Dispatch" if `stream` (or NONE) has no record of it. Returns the number of bytes written. */
size_t annot__operation_name(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                             uint32_t number, char *buffer, size_t capacity);

/* ---- page faults ---- */

/* Returns a word for an annot_memory: "placed" for ANNOT_MEMORY_PLACED, "" if unknown. */
const char *annot__memory_text(uint32_t memory);

/* Returns true if the address is in the range. A range of size 0 contains one address. */
bool annot__range_holds(const struct annot__dump_RANGE *range, uint64_t address);
/* Returns the number of bytes between a range and an address outside the range. */
uint64_t annot__range_distance(const struct annot__dump_RANGE *range, uint64_t address);
bool annot__range_is_near(const struct annot__dump_RANGE *range, uint64_t address);

/* Returns the range of the object at the faulting address: a living object, else the object that
 * was destroyed last. Returns NULL if the dump has no such object. */
const struct annot__dump_RANGE *annot__fault_range(const annot_reader *reader);
/* If no object has the faulting address, gets the nearest object and its distance in bytes. Returns
 * NULL if no object is near. */
const struct annot__dump_RANGE *annot__fault_near(const annot_reader *reader, uint64_t *distance);
/* Returns true if the address is NULL plus an offset: below 64 KiB, and not near an object. */
bool annot__is_null_fault(const annot_reader *reader);

/* ---- paths ---- */

enum { ANNOT__PATH_END = 32 };

/* The scopes around a stop. Of many scopes, only the outermost and innermost are stored; `gap`
 * counts the scopes between them. */
struct annot__path {
    uint32_t entries[2 * ANNOT__PATH_END]; /* outermost first */
    uint32_t count;
    uint64_t gap; /* number of scopes that are not stored, after entries[ANNOT__PATH_END - 1] */
};

/* Finds the scopes around a stop. Time is linear in the path and in scopes that cross lists. */
void annot__path_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                         struct annot__path *path);
/* Finds the scopes on the queue around a submission; `submission` may be ANNOT__NONE. */
void annot__path_of_submission(const annot_reader *reader, uint32_t submission,
                               struct annot__path *path);
/* Returns true if scopes around this submission began or ended in other threads. A queue has one
 * stack of scopes for all threads, so this is possible. */
bool annot__mixes_threads(const annot_reader *reader, uint32_t submission);
/* Writes a path of scopes as one line, as annot_reader_stop_path does. */
size_t annot__path_text(const annot_reader *reader, const struct annot__path *path, char *buffer,
                        size_t capacity);

/* ---- clock.c ---- */

/* Converts ticks of the GPU's clock to ns of the CPU's clock. The dump must have a clock pair. */
uint64_t annot__clock_convert(const annot_reader *reader, uint64_t ticks);
