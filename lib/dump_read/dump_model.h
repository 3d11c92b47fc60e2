/* Describes how a dump is stored in memory, in struct annot_reader. The reader fills the arrays,
 * the analysis completes them, and reports read them.
 *
 *     streams      one per recording and per queue; each owns a range of entries
 *     entries      BeginEvent, SetMarker, surplus EndEvent, ExecuteBundle and ExecuteCommandLists,
 *                  in recorded order
 *     submissions  in stream order, then serial order; each owns a range of executions
 *     executions   one per command list of each submission
 *     rows         the driver's progress rows, sorted by queue, submission, list, bundle
 *
 * Positions are numbers that order the calls in one stream. Every marker operation (a Begin, an
 * End, a SetMarker, a surplus End) takes the next even number. An ExecuteBundle or
 * ExecuteCommandLists takes the odd number after the previous marker operation. So two positions
 * 2n apart are n marker operations apart, as a driver's order window counts. 0 is before all calls;
 * ANNOT__NEVER is after all calls.
 *
 * No array grows. A first pass over the file counts elements, then the reader allocates all arrays
 * at once. No function is recursive: walks follow `parent`, `last` and the order of entries. */
#pragma once

#include "base/event_id.h"
#include "dump/dump_section.h"

#include <annot/dump.h>

#include <stdio.h>

#define ANNOT__NONE                                       ANNOT_READER_NONE
#define ANNOT__NEVER                                      0xFFFFFFFFu

#define ANNOT__LOSS_SLOT(name, number, member, one, many) ANNOT__LOSS_SLOT_##name,
enum { ANNOT_LOSSES(ANNOT__LOSS_SLOT, ANNOT_IN_D3D12) ANNOT__LOSS_SLOTS };

/* Returns the index of a kind of loss, or ANNOT__LOSS_SLOTS for an unknown number. */
#define ANNOT__LOSS_SLOT_CASE(name, number, member, one, many)                                     \
    case number:                                                                                   \
        return ANNOT__LOSS_SLOT_##name;
static inline uint32_t annot__loss_slot(uint32_t number)
{
    switch (number) {
        ANNOT_LOSSES(ANNOT__LOSS_SLOT_CASE, ANNOT_IN_D3D12)
    default:
        return ANNOT__LOSS_SLOTS;
    }
}

enum { ANNOT__TEXTS = 6 };

#define ANNOT__ENTRY_OFFSET_MASK ((UINT64_C(1) << 48) - 1)

/* One call in a stream. A large dump has millions of entries, so an entry is small. Functions read
 * the other data of the call, such as the EventID, from the file's bytes. */
struct annot__entry {
    uint64_t offset : 48; /* the record's offset in the file, which fits in 48 bits */
    uint64_t kind : 8;    /* annot_entry_kind */
    uint64_t is_closed : 1;
    uint64_t is_closed_elsewhere : 1; /* one thread began the scope, and another ended it */
    uint32_t parent;                  /* entry of the enclosing scope, or ANNOT__NONE */
    uint32_t begin, end; /* positions of both ends; `end` of an open scope is ANNOT__NEVER */
    uint32_t depth;
    union {
        struct {
            uint32_t last; /* the last entry in the scope; the scope itself if the scope is empty */
            uint32_t jump; /* an enclosing scope, for a fast search outward; or the scope itself */
        } scope;           /* BEGIN */
        struct {
            /* for a BUNDLE, index of its stream; for a SUBMISSION, of the submission; for a
             * SURPLUS_END, in the stream's range of annot_reader.surplus; or NONE */
            uint32_t link;
            uint32_t marker_before; /* the BEGIN or SET before this entry, or NONE */
        } leaf;                     /* for all other kinds */
    };
};
_Static_assert(sizeof(struct annot__entry) == 32, "two of them fill a cache line");

struct annot__range {
    uint32_t first, count;
};

/* How far the GPU got in one stream, as positions of calls. */
struct annot__progress_bounds {
    uint32_t started;   /* position of the last BeginEvent or SetMarker reached, or 0 */
    uint32_t completed; /* position where the last completed SetMarker or scope ends, or 0 */
    uint32_t unreached; /* first BeginEvent or SetMarker surely not reached, or NEVER */
    bool is_uniform;    /* `state` is the state of all entries */
    bool is_started_known, is_completed_known;
    bool is_drained;  /* in flight is only work right after the last marker (PROMISE_DRAINS) */
    uint8_t state;    /* annot_state */
    uint8_t evidence; /* annot_evidence */
    uint8_t whole;    /* state of the whole execution, an annot_state */
};

struct annot__stream {
    uint64_t recording; /* identity; 0: a queue */
    uint64_t object;
    uint64_t dropped;
    uint64_t submitted, completed; /* queue */
    uint64_t call;                 /* number of the API call that began the list */
    uint64_t number; /* number of a list's oldest incomplete submission, else of its last one */
    /* The list's name at its Close, or the queue's name at the queue's last submission. */
    annot_text name;
    uint32_t thread; /* the thread that began the recording */
    uint32_t held;   /* index of the wait in annot_reader.held, plus 1; 0: no wait */
    struct annot__range entries;
    struct annot__range unclosed;    /* range of annot_reader.unclosed: scopes without an End */
    struct annot__range surplus;     /* range of annot_reader.surplus: Ends without a scope */
    struct annot__range bundles;     /* this stream's range of annot_reader.bundles */
    struct annot__range submissions; /* queue */
    struct annot__range noted;       /* this list's range of annot_reader.operations */
    uint32_t markers, surplus_ends, bundle_calls;
    uint32_t operations; /* number of Begins, SetMarkers and Ends in the stream */
    uint32_t last_end;   /* position where the last SetMarker or closed scope ends */
    uint32_t executions;
    uint32_t closed_elsewhere; /* how many of this queue's scopes another thread ended */
    /* How far the GPU got with the queue's own markers, by the driver's progress row. */
    struct annot__progress_bounds bounds;
    /* Four positions in a queue's calls, which follow from the states of its submissions. Work that
     * ends at or before `done` is finished. Work that begins before `reached` has started; work
     * that begins after `waiting` has not started. The fence proves that work up to `fenced` is
     * finished. */
    uint32_t fenced, done, reached, waiting;
    bool is_queue, is_open, is_damaged;
    bool is_counted_apart;      /* breadcrumbs count other operations than `number` does */
    bool has_name, is_name_cut; /* the dump has `name`, which may be empty */
    bool is_bundle;             /* a list executes this stream's recording as a bundle */
    bool has_suspect;           /* queue: lib/hang */
    bool is_left;               /* a submission with this list has not completed */
    bool is_unpaired;           /* the dump lacks markers of this list, so scopes can't be paired */
};

/* How many submissions are in each state. */
struct annot__tally {
    uint32_t all, finished, running, waiting;
    uint32_t work, done; /* number of submissions with lists, and how many of these are finished */
};

/* The name that a list or a queue had at the time of a submission. */
struct annot__called {
    annot_text name;
    bool is_cut;
};

/* Consecutive calls on a queue that one thread made. */
struct annot__calls_of {
    uint32_t first; /* entry */
    uint32_t thread;
};

struct annot__submitted {
    uint64_t serial, number;
    uint32_t queue, entry;
    uint32_t called; /* index of the queue's name; NONE: the name is lost */
    struct annot__range executions;
    struct annot__tally before; /* how many of the queue's earlier submissions are in each state */
    uint8_t state;
    bool is_cut;  /* the dump lacks some lists of this submission */
    bool is_null; /* NullRendering was on, so the GPU executes nothing */
};

struct annot__execution {
    uint64_t object;
    uint32_t queue, submission, list;
    uint32_t stream; /* index of the list's stream, or NONE */
    struct annot__range rows;
    struct annot__progress_bounds bounds;
    uint32_t started, completed; /* entries that the driver's progress row names, or NONE */
    uint8_t state, evidence;     /* state of the whole execution, and the state's evidence */
    uint32_t crumbs;             /* index of the breadcrumbs that count the list, or NONE */
    uint32_t called; /* index of the list's name at this submission; NONE: use the stream's name */
    uint8_t overruled;    /* the annot_state by weaker evidence, which the reader rejected */
    bool is_disputed;     /* witnesses disagree */
    bool is_joined;       /* the reader matched breadcrumbs with the list's markers */
    uint32_t counted;     /* position before which breadcrumbs prove that all work is done */
    uint32_t lost_scopes; /* how many outermost open scopes lost data may have closed */
};

struct annot__row {
    uint64_t queue_object; /* the queue's identity */
    uint64_t submission, started, completed;
    uint64_t object; /* identity of the list or bundle of this progress row; 0: unknown */
    uint32_t queue;  /* stream or NONE */
    uint32_t list, bundle, state, inside;
    bool is_damaged, is_used;
};

/* Breadcrumbs of one execution. */
struct annot__crumbs {
    struct annot__dump_CRUMBS fields;
    uint32_t queue;     /* stream or NONE */
    uint32_t execution; /* index of the list's execution; NONE: breadcrumbs of a bundle */
    bool is_damaged;
    bool is_behind; /* the execution has not begun, because an earlier submission is unfinished */
};

/* Returns what breadcrumbs say about a whole execution. NOT_STARTED: no operation is done, but one
 * may have begun. UNKNOWN: all counted operations are done, but other work may be unfinished. */
static inline annot_state annot__crumbs_claim(const struct annot__dump_CRUMBS *crumbs)
{
    if (crumbs->done == ANNOT_CRUMBS_NOT_BEGUN)
        return ANNOT_STATE_NOT_STARTED;
    if (crumbs->done < crumbs->count)
        return ANNOT_STATE_IN_PROGRESS;
    if (!(crumbs->flags & ANNOT_CRUMBS_HAS_END))
        return ANNOT_STATE_UNKNOWN;
    return crumbs->flags & ANNOT_CRUMBS_ENDED ? ANNOT_STATE_FINISHED : ANNOT_STATE_IN_PROGRESS;
}

/* A queue that waits for a fence, as the kernel or the layer reported. */
struct annot__held {
    struct annot__dump_WAIT fields;
    struct annot__bytes signallers; /* u64 each */
};

/* A name that an object had earlier. */
struct annot__former_name {
    struct annot__dump_FORMER fields;
    annot_text name;
};

/* A part of a recording: consecutive operations that one record of the dump stores. */
struct annot__ops {
    uint64_t log;
    struct annot__bytes bytes; /* one each */
    uint32_t first;
    uint32_t markers_before; /* how many earlier markers of this recording the dump has */
    uint32_t sums;           /* index in op_sums of the number of markers before its first block */
};

/* Times of one submission, by the CPU's clock and by the GPU's clock. */
struct annot__submitted_times {
    struct annot__dump_SUBMITTED fields;
    uint32_t queue;      /* stream or NONE */
    uint32_t submission; /* index of the submission that has this execution, or NONE */
    struct annot__range histories;
    bool is_damaged;
};

/* A record with times of consecutive calls of one command list. */
struct annot__history {
    struct annot__dump_HISTORY fields;
    struct annot__bytes calls; /* ANNOT__CALL_BYTES each */
    bool is_damaged;
};

/* The first TDR record. */
struct annot__tdr {
    bool is_there;
    struct annot__dump_TDR fields;
    struct annot__bytes payload; /* the driver's input bytes, then its output bytes */
};

#define ANNOT__CALL_BYTES 16u

#define ANNOT__OP_BLOCK   256u

/* Scopes that one execution (the opener) opened, and that a later execution of the queue (the
 * closer) closed. These scopes are `count` of the opener's unclosed scopes, from `first` on. The
 * closer's surplus End number `surplus` closes the innermost scope. */
struct annot__crossing {
    uint32_t opener, closer; /* executions */
    uint32_t first, count;   /* indices in the opener's list of unclosed scopes */
    uint32_t surplus;
    /* a list between opener and closer is unfinished; or it may be */
    bool is_left, is_unknown;
};

struct annot__index_entry {
    uint64_t key;
    uint32_t value;
};

struct annot__index {
    struct annot__index_entry *entries; /* sorted by key; equal keys by order of insertion */
    uint32_t count;
};

/* Consecutive markers in one chunk of recording memory, with ascending EventIDs. */
struct annot__event_run {
    uint32_t first, last;
};

/* How many payloads are changed, unreadable or cut, for reports. */
struct annot__payloads {
    uint64_t changed, unreadable, cut;
    size_t longest; /* size in bytes of the dump's longest payload */
};

struct annot__fact_entry {
    uint32_t source;
    annot_text key, value;
};

/* A shader of a pipeline. */
struct annot__shader_entry {
    struct annot__dump_SHADER fields;
    annot_text name;
};

/* One operation of a command list, which a record describes. */
struct annot__operation {
    uint64_t offset; /* offset of the record in the dump file */
    uint32_t number, kind;
};

struct annot__object_entry {
    struct annot__dump_OBJECT fields;
    annot_text name;
};

struct annot__blob_entry {
    annot_reader_blob blob;
    struct annot__range pieces;
};

/* Calls ARRAY(member, elements) for each array that the reader allocates after its first pass over
 * the dump. An index has as many elements as the array that it points into. */
#define ANNOT__READER_ARRAYS(ARRAY)                                                                \
    ARRAY(kinds, ANNOT__COUNTED(KIND))                                                             \
    ARRAY(shaders, ANNOT__COUNTED(SHADER))                                                         \
    ARRAY(resources, ANNOT__COUNTED(RESOURCE))                                                     \
    ARRAY(operations, ANNOT__COUNTED(OPERATION))                                                   \
    ARRAY(facts, ANNOT__COUNTED(FACT))                                                             \
    ARRAY(objects, ANNOT__COUNTED(OBJECT))                                                         \
    ARRAY(blobs, ANNOT__COUNTED(BLOB))                                                             \
    ARRAY(pieces, ANNOT__COUNTED(BLOB))                                                            \
    ARRAY(streams, ANNOT__COUNTED(RECORDING) + ANNOT__COUNTED(QUEUE))                              \
    ARRAY(entries, entries)                                                                        \
    ARRAY(unclosed, ANNOT__COUNTED(BEGIN))                                                         \
    ARRAY(surplus, ANNOT__COUNTED(SURPLUS_END))                                                    \
    ARRAY(bundles, ANNOT__COUNTED(BUNDLE))                                                         \
    ARRAY(submissions, ANNOT__COUNTED(SUBMISSION))                                                 \
    ARRAY(executions, census->lists)                                                               \
    ARRAY(called, ANNOT__COUNTED(NAME))                                                            \
    ARRAY(threads, ANNOT__COUNTED(QUEUE) + ANNOT__COUNTED(THREAD))                                 \
    ARRAY(rows, ANNOT__COUNTED(PROGRESS))                                                          \
    ARRAY(crumbs, ANNOT__COUNTED(CRUMBS))                                                          \
    ARRAY(ops, ANNOT__COUNTED(OPS))                                                                \
    ARRAY(op_sums, census->op_blocks)                                                              \
    ARRAY(ranges, ANNOT__COUNTED(RANGE))                                                           \
    ARRAY(held, ANNOT__COUNTED(WAIT))                                                              \
    ARRAY(formers, ANNOT__COUNTED(FORMER))                                                         \
    ARRAY(clocks, ANNOT__COUNTED(CLOCK))                                                           \
    ARRAY(submitted, ANNOT__COUNTED(SUBMITTED))                                                    \
    ARRAY(histories, ANNOT__COUNTED(HISTORY))                                                      \
    ARRAY(runs, census->runs)
/* Calls ARRAY for each array that the analysis or lib/hang allocates. */
#define ANNOT__LATER_ARRAYS(ARRAY)                                                                 \
    ARRAY(crossings, 0)                                                                            \
    ARRAY(stops, 0)                                                                                \
    ARRAY(suspects, 0)                                                                             \
    ARRAY(waits, 0)
#define ANNOT__CAPACITY(member, elements) uint32_t member##_capacity;

struct annot_reader {
    annot_allocator allocator;
    uint64_t memory_limit, memory_used;
    annot_result allocation; /* why an allocation failed; then all later allocations fail */
    void *owned;             /* the file's bytes; the reader frees them; NULL: the caller does */
    size_t owned_size;
    struct annot__bytes file;
    struct annot__findings findings;

    bool has_device;
    annot_voice voice;
    struct annot__dump_DEVICE device;
    /* The driver's order window and promises; both are 0 if the device record is lost or
     * damaged. */
    uint32_t order_window, promises;
    annot_text texts[ANNOT__TEXTS];
    uint64_t losses[ANNOT__LOSS_SLOTS];
    uint64_t fault_count, fault_address;     /* number of page faults; address by the best source */
    uint64_t faults[ANNOT_FAULT_DRIVER + 1]; /* faulting address, by annot_fault_source; 0: none */

    struct annot__object_entry *objects;
    annot_text *kinds; /* the API's names of kinds of objects */
    struct annot__shader_entry *shaders;
    struct annot__dump_RESOURCE *resources;
    struct annot__operation *operations; /* operations in stream order */
    struct annot__fact_entry *facts;
    struct annot__blob_entry *blobs;
    uint64_t *pieces; /* offsets of BLOB records */
    struct annot__stream *streams;
    struct annot__entry *entries;
    struct annot__event_run *runs;
    struct annot__payloads payloads;
    uint32_t *unclosed, *surplus, *bundles;
    struct annot__submitted *submissions;
    struct annot__execution *executions;
    struct annot__called *called;    /* calls in stream order */
    struct annot__calls_of *threads; /* which thread made which calls, in stream order */
    struct annot__row *rows;
    struct annot__crumbs *crumbs;
    struct annot__ops *ops;
    uint32_t *op_sums;
    struct annot__dump_RANGE *ranges;
    struct annot__held *held;
    struct annot__former_name *formers; /* earlier names of objects, oldest first */
    struct annot__dump_CLOCK *clocks;
    struct annot__submitted_times *submitted; /* times of submissions, by queue and serial */
    struct annot__history *histories;         /* sorted by queue, serial, list, first call */
    struct annot__crossing *crossings;        /* sorted by opener; outermost scope first */
    annot_reader_stop *stops;
    annot_reader_suspect *suspects; /* lib/hang */
    annot_reader_wait *waits;
    annot_reader_hang hang;
    uint32_t kind_count, fact_count;
    uint32_t object_count, blob_count, piece_count, stream_count, entry_count, unclosed_count,
        surplus_count, bundle_count, submission_count, execution_count, row_count, crossing_count,
        stop_count, suspect_count, wait_count, crumb_count, ops_count, range_count, held_count,
        former_count, clock_count, submitted_count, history_count, run_count, called_count,
        shader_count, operation_count, resource_count, thread_count;
    ANNOT__READER_ARRAYS(ANNOT__CAPACITY)
    ANNOT__LATER_ARRAYS(ANNOT__CAPACITY)
    struct annot__index kind_index, object_index, recording_index, queue_index, event_index,
        ops_index, shader_index, resource_index, former_index,
        crumb_index; /* crumb_index finds a bundle's breadcrumbs by execution and ordinal */
    uint64_t times_forgotten;
    struct annot__tdr tdr;
    uint64_t expired; /* how many executions are done, although their recordings are lost */
};

/* ---- memory.c ---- */

/* Makes an empty reader. *file_limit becomes the largest size of a file. `desc` may be NULL. */
annot_result annot__reader_create(const annot_reader_desc *desc, annot_reader **out,
                                  uint64_t *file_limit);
void annot__reader_destroy(annot_reader *reader);

/* Allocates `count` elements, without clearing them, within the reader's limit. Returns NULL for 0
 * elements, or after a failure; reader->allocation then has the reason. */
void *annot__reader_allocate(annot_reader *reader, uint64_t count, size_t size);
void annot__reader_release(annot_reader *reader, void *memory, uint64_t count, size_t size);

/* Allocates every array with its capacity. A failure leaves the reason in reader->allocation. */
bool annot__reader_allocate_arrays(annot_reader *reader);

/* ---- load.c ---- */

/* Reads the whole file or pipe into reader->file, which the reader owns. If the file doesn't begin
 * like a dump, returns ANNOT_ERROR_NOT_A_DUMP without reading more. */
annot_result annot__reader_load(annot_reader *reader, FILE *file, uint64_t limit);

/* ---- index.c: finds array elements by keys, with a sorted index ---- */

/* Adds an entry to an index; the caller has made room for the entry. */
static inline void annot__index_add(struct annot__index *index, uint64_t key, uint32_t value)
{
    index->entries[index->count++] = (struct annot__index_entry){key, value};
}

/* Sorts an index by key in O(n); equal keys keep their order. The sort needs as much memory
 * again. */
bool annot__index_sort(annot_reader *reader, struct annot__index *index);

/* Copies `items` in the index's order to a new array of equal capacity, and releases the old array.
 * Returns the new array. If memory runs out, returns NULL and leaves the old array unchanged. */
void *annot__index_apply(annot_reader *reader, const struct annot__index *index, void *items,
                         uint32_t capacity, size_t size);

/* Returns the value of the index's first entry with this key, or ANNOT__NONE. */
uint32_t annot__index_find(const struct annot__index *index, uint64_t key);

/* Returns the position of the index's first entry whose key is `key` or greater. */
uint32_t annot__index_lower(const struct annot__index *index, uint64_t key);

/* ---- event_index.c: an index that finds markers by EventID ---- */

/* Adds a marker's entry after the marker with EventID `before`. The caller has made room. */
void annot__event_add(annot_reader *reader, uint32_t entry, uint64_t event_id, uint64_t before);
/* Makes the index of EventIDs, after all markers were added, and finds repeated EventIDs. A failure
 * leaves the reason in reader->allocation. */
bool annot__event_index_make(annot_reader *reader);
/* Returns the entry of the only marker with this EventID, or ANNOT__NONE. 0 is no EventID. */
uint32_t annot__event_find(const annot_reader *reader, uint64_t event_id);

/* ---- entries ---- */

static inline bool annot__entry_is_marker(const struct annot__entry *entry)
{
    return entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
}

/* Returns the last entry inside the scope `entry`, or `entry` if nothing is inside. */
static inline uint32_t annot__entry_last(const annot_reader *reader, uint32_t entry)
{
    const struct annot__entry *of = &reader->entries[entry];
    return of->kind == ANNOT_ENTRY_BEGIN ? of->scope.last : entry;
}

/* Returns a scope around the entry, for a fast search outward, or the entry itself. */
static inline uint32_t annot__entry_jump(const annot_reader *reader, uint32_t entry)
{
    const struct annot__entry *of = &reader->entries[entry];
    if (of->kind == ANNOT_ENTRY_BEGIN)
        return of->scope.jump;
    return of->parent == ANNOT__NONE ? entry : of->parent;
}

/* Returns `entry` if it is a BeginEvent or SetMarker, else the last one before it, or NONE. */
static inline uint32_t annot__marker_at(const annot_reader *reader, uint32_t entry)
{
    const struct annot__entry *of = &reader->entries[entry];
    return annot__entry_is_marker(of) ? entry : of->leaf.marker_before;
}

/* Returns the outermost scope around `entry` whose depth is at least `depth`, or `entry` if no
 * scope qualifies. O(log n), because jumps grow with the distance. */
static inline uint32_t annot__entry_outward(const annot_reader *reader, uint32_t entry,
                                            uint32_t depth)
{
    const struct annot__entry *entries = reader->entries;
    while (entries[entry].depth > depth) {
        const uint32_t jump = annot__entry_jump(reader, entry);
        entry = entries[jump].depth >= depth ? jump : entries[entry].parent;
    }
    return entry;
}

/* ---- contents.c ---- */

/* A BEGIN or SET entry with its decoded record. */
struct annot__marker_view {
    uint32_t metadata;
    uint32_t size; /* the payload's size when the application passed it */
    annot_payload payload;
    struct annot__bytes bytes; /* the part of the payload that the dump has */
};

static inline bool annot__is_payload_cut(const struct annot__marker_view *marker)
{
    return marker->payload != ANNOT_PAYLOAD_UNREADABLE && marker->size > marker->bytes.size;
}

void annot__entry_marker(const annot_reader *reader, const struct annot__entry *entry,
                         struct annot__marker_view *out);

/* Returns the EventID of a BEGIN or SET, or 0 for entries of other kinds. */
uint64_t annot__entry_event_id(const annot_reader *reader, uint32_t entry);

/* Decodes the record of a BUNDLE entry. */
struct annot__dump_BUNDLE annot__entry_bundle(const annot_reader *reader, uint32_t entry);

/* Gets the bundle's name from a BUNDLE record. Returns false if the record has none. */
bool annot__entry_bundle_name(const annot_reader *reader, uint32_t entry,
                              struct annot__called *out);

/* The values of D3D12_AUTO_BREADCRUMB_OP that the reader treats specially. */
enum {
    ANNOT__BEGIN_EVENT = 1,
    ANNOT__END_EVENT = 2,
    ANNOT__EXECUTE_INDIRECT = 5,
    ANNOT__COPY_BUFFER_REGION = 7,
    ANNOT__RESOURCE_BARRIER = 15,
    ANNOT__EXECUTE_BUNDLE = 16,
    ANNOT__BARRIER = 45,
    ANNOT__WAIT_BARRIER = 54
};

static inline bool annot__is_barrier(uint32_t kind)
{
    return kind == ANNOT__RESOURCE_BARRIER || kind == ANNOT__BARRIER;
}

/* In read_operations.c. Returns an operation's index in reader->operations, or ANNOT__NONE. */
uint32_t annot__operation_find(const annot_reader *reader, uint32_t stream, uint32_t number);

/* Decodes an operation's record, without `stream` and `crumbs`. A damaged record returns false. */
bool annot__operation_read(const annot_reader *reader, uint32_t operation,
                           annot_reader_operation *out);

/* annot_reader_blob_read. */
size_t annot__blob_read(const annot_reader *reader, const struct annot__blob_entry *blob,
                        uint64_t offset, void *buffer, size_t capacity);

/* Returns true if the queue got submission `serial`, even if the dump lacks this submission. */
static inline bool annot__is_submitted(const struct annot__stream *queue, uint64_t serial)
{
    return serial > 0 && serial <= queue->submitted;
}

/* ---- resolve.c ---- */

/* Sorts the indices when all streams are known. reader->allocation has a failure's reason. */
bool annot__index_model(annot_reader *reader);

/* Returns the stream that contains the entry. O(log n). */
uint32_t annot__entry_stream(const annot_reader *reader, uint32_t entry);

/* Returns the number of the thread that made a queue's entry, or 0 if unknown. O(log n). */
uint32_t annot__entry_thread(const annot_reader *reader, uint32_t entry);

/* Links bundles and submissions with their recordings, and progress rows with queues. */
void annot__resolve_model(annot_reader *reader);

/* Returns the indices of a queue's executions, which are in order. */
struct annot__range annot__executions_of(const annot_reader *reader,
                                         const struct annot__stream *queue);

/* ---- read.c ---- */

/* Makes the model from reader->file. ANNOT_ERROR_INCOMPLETE: the dump's end is missing in the file
 * and in the model. */
annot_result annot__read_model(annot_reader *reader);
