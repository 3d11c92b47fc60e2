/* All data structures that record markers, their invariants, and plain access to them. record.h has
 * the functions.
 *
 * base/event_id.h has the EventID's arithmetic. This header has slots, uses of slots, and units.
 *
 *      chunk  |header|record|record|record|record ...                              |0|
 *      segment|<------ 2 KiB ----->|<------ 2 KiB ----->| ...
 *
 * Records follow each other; the word behind the last record is 0. The recorder writes the zero
 * behind a record, and then publishes the record by a release store of its word; so readers need no
 * cursor. Each segment notes its first record, so that a lookup doesn't walk a whole chunk. This
 * costs time only when a segment is full, because the fast path ends there.
 *
 * Locks, in the order in which they may be taken together:
 *
 *     annot__queue.lock        serialises the callers of one queue; the driver is called under it
 *     annot_device.naming      serialises SetName; the driver is called under it
 *     annot_device.objects_lock lists of queues, objects, names
 *     annot_arena.guard        readers against reset, eviction and destroy of one arena; never
 *                              held by recording
 *     annot_device.pool_lock   idle chunks and free slots
 *
 * Eviction takes `objects_lock` before a queue's lock, against this order; so it only tries to lock
 * the queue. */
#pragma once

#include <annot/shader.h>

#include "base/event_id.h"
#include "base/os.h"
#include "base/process.h"

#include <stdatomic.h>

/* ---- records ---- */

enum annot__kind {
    ANNOT__KIND_NONE = 0, /* the end of records */
    ANNOT__KIND_BEGIN = 1,
    ANNOT__KIND_SET = 2,
    ANNOT__KIND_SURPLUS_END = 3,
    ANNOT__KIND_RECORDING = 4,  /* payload: annot__recording */
    ANNOT__KIND_BUNDLE = 5,     /* payload: annot__bundle_call */
    ANNOT__KIND_SUBMISSION = 6, /* payload: annot__submission */
    /* On a list: the list's name when its recording was closed (metadata: bytes of the whole name).
     * On a queue: metadata 0 is a SUBMISSION that was never made, metadata 1 an
     * annot__submitted_name. KIND_OPERATION and KIND_THREAD use this kind, too. */
    ANNOT__KIND_OTHER = 7
};

#define ANNOT__BY_REFERENCE                                                                        \
    16u /* a flag for BEGIN and SET, whose payload is an annot__reference                          \
         */
/* A list's operation. Metadata: the number; payload: annot__operation_head, arguments, objects. */
#define ANNOT__KIND_OPERATION (ANNOT__KIND_OTHER | ANNOT__BY_REFERENCE)
/* A change of thread on a queue. Metadata: the number of the thread that makes the next calls. */
#define ANNOT__KIND_THREAD ANNOT__KIND_OPERATION

/* A record's head; the payload, padded to ANNOT__UNIT, follows. `word` publishes the record. */
struct annot__record {
    uint32_t metadata; /* in a RECORDING, the number of the thread that began the list */
    /* Bits 0-25: the payload's bytes; 26-28: annot__kind; 29: scope closed; 30: BY_REFERENCE. */
    _Atomic uint32_t word;
    /* The place (annot__id_place) of the enclosing scope; 0: no scope. In a RECORDING, the number
     * of the first call (annot_set_call_counter). */
    uint64_t parent;
};

#define ANNOT__UNIT          16u
#define ANNOT__SIZE_MAX      ((1u << 26) - 1u) /* limit of a retained payload */
#define ANNOT__WORD_CLOSED   (1u << 29)
#define ANNOT__WORD(k, size) ((uint32_t)(k) << 26 | (uint32_t)(size))

_Static_assert(sizeof(struct annot__record) == ANNOT__UNIT, "a record header is one unit");

_Static_assert(ANNOT__WORD(ANNOT__BY_REFERENCE, 0) == 1u << 30, "a bit of its own");

static inline bool annot__word_is_reference(uint32_t word)
{
    return word >> 30 & 1u;
}

static inline enum annot__kind annot__word_kind(uint32_t word)
{
    return (enum annot__kind)(word >> 26 & 7u);
}

static inline uint32_t annot__word_size(uint32_t word)
{
    return word & ANNOT__SIZE_MAX;
}

/* Returns the number of bytes of a record with a payload of `size` bytes. */
static inline uint64_t annot__record_bytes(uint32_t size)
{
    return ((uint64_t)size + sizeof(struct annot__record) + (ANNOT__UNIT - 1u)) &
           ~(uint64_t)(ANNOT__UNIT - 1u);
}

static inline void *annot__record_payload(struct annot__record *record)
{
    return record + 1;
}

/* A payload that the application owns: reference.c. */
struct annot__reference {
    const void *data;
    uint64_t hash; /* hash of the bytes when they were recorded */
    uint32_t size;
    uint32_t pad;
};

/* The beginning of an operation's payload. 8 bytes follow for each argument, 16 for each object. */
struct annot__operation_head {
    uint32_t kind;
    uint16_t arguments, objects;
};

#define ANNOT__OPERATION_MAX                                                                       \
    (sizeof(struct annot__operation_head) + ANNOT_OPERATION_ARGUMENTS * 8u +                       \
     2 * ANNOT_OPERATION_OBJECTS * sizeof(annot_bound_object))

/* The arguments of a BeginEvent or SetMarker. */
struct annot__marker {
    enum annot__kind kind; /* BEGIN, SET */
    uint32_t metadata;
    const void *data;
    uint32_t size;
    const struct annot__reference *reference; /* the payload that is not copied, or NULL */
};

/* A recording of a list; the markers follow until the arena's next recording. The counters change
 * until the recording is closed. */
struct annot__recording {
    uint64_t object;
    _Atomic uint64_t dropped;
    _Atomic uint32_t open;
    _Atomic uint32_t surplus_ends;
    _Atomic uint32_t unclosed;
    _Atomic uint32_t bundles;
};

#define ANNOT__LATCHED_NAME_MAX 255u /* bytes */

/* An ExecuteBundle. The bundle's name follows if the bundle's recording lacks this name. */
struct annot__bundle_call {
    uint64_t recording;
    uint64_t object;
    uint32_t ordinal;   /* number of the ExecuteBundle in the recording, from 1 */
    uint32_t name_size; /* of the whole name */
    bool has_name;
    char name[ANNOT__LATCHED_NAME_MAX + 1];
};

struct annot__submission {
    uint64_t serial;
    uint64_t number; /* number among all submissions of the device, for annot__former */
    uint32_t count;
    struct annot__submitted_list {
        uint64_t recording; /* 0: none was kept */
        uint64_t object;
    } lists[];
};

/* The name of a list or of the queue at a submission, if the stream has another name or none. The
 * record follows the SUBMISSION, and is void if the submission is withdrawn. */
struct annot__submitted_name {
    uint64_t serial;
    uint32_t list;      /* index of the named list, or ANNOT__QUEUE_ITSELF */
    uint32_t name_size; /* bytes of the uncut name */
    char name[ANNOT__LATCHED_NAME_MAX + 1];
};

#define ANNOT__QUEUE_ITSELF 0xFFFFFFFFu

/* ---- chunks ---- */

#define ANNOT__CHUNK_SIZE   65536u
#define ANNOT__SEGMENT_SIZE 2048u
#define ANNOT__SEGMENTS     (ANNOT__CHUNK_SIZE / ANNOT__SEGMENT_SIZE)

struct annot__slot;

struct annot__chunk {
    uint64_t id_base;   /* EventID of unit 0 */
    uint64_t recording; /* recording at the begin of the chunk; 0: none */
    uint64_t size;      /* the chunk's bytes: ANNOT__CHUNK_SIZE, or more for one record */
    uint64_t rest;      /* unused: padding for records' alignment */
    /* For each segment, the unit of the first record that begins there (0: none yet) in bits 0 to
     * 15, and the unit of that record's recording in bits 16 to 31 (0: `recording`). */
    _Atomic uint32_t segment[ANNOT__SEGMENTS];
};

#define ANNOT__CHUNK_FIRST_UNIT ((uint32_t)(sizeof(struct annot__chunk) / ANNOT__UNIT))
#define ANNOT__CHUNK_CAPACITY                                                                      \
    (ANNOT__CHUNK_SIZE - (uint32_t)sizeof(struct annot__chunk) - ANNOT__UNIT) /* for records */

_Static_assert(sizeof(struct annot__chunk) % ANNOT__UNIT == 0, "records are aligned");
_Static_assert(ANNOT__CHUNK_SIZE / ANNOT__UNIT == ANNOT__ID_UNITS, "a unit has a number");
_Static_assert(sizeof(struct annot__chunk) < ANNOT__SEGMENT_SIZE,
               "the first record begins in segment 0");

/* A place for a chunk. Slots live as long as the device, so lookups of old EventIDs are safe. */
struct annot__slot {
    _Atomic uint32_t use; /* number of the chunk's present use; 0: unused */
    uint32_t number;
    _Atomic(struct annot_arena *) arena; /* the arena that last filled the chunk */
    _Atomic uint64_t position;           /* live while position - live_first < live_count */
    struct annot__chunk *chunk;
    _Atomic(struct annot__slot *) next; /* next slot in the arena, the pool or the free slots */
    uint64_t serial; /* for queues: the submission that ends all work of the chunk */
};

#define ANNOT__ARENA_POSITIONS ((uint64_t)1 << 40) /* number of positions that an arena can use */

#define ANNOT__SLOTS_PER_PAGE  1024u
#define ANNOT__SLOT_PAGES      1024u
#define ANNOT__SLOTS_MAX       ANNOT__ID_SLOTS

/* ---- arenas ---- */

/* A queue's scope that was copied from a chunk before eviction freed the chunk: evict.c. */
struct annot__kept {
    struct annot__kept *outer, *inner;
    uint64_t id;
    size_t bytes;                /* size of the scope's block with the payload */
    uint32_t thread;             /* that began it */
    struct annot__record record; /* record.parent is the place of `outer` */
};

#define ANNOT__KEPT_BYTES 65536u /* limit of the kept bytes of a queue */

/* The position of the next record. The context has the cursor during a recording, otherwise the
 * arena. Invariants: at % 16 == 0; at <= limit <= the chunk's end - 16; the place of the record at
 * `at` is place_bias + at. at == limit == 0 if there is no chunk. */
struct annot__cursor {
    uintptr_t at;
    uintptr_t limit; /* the segment's end; a record past it takes the slow path */
    uint64_t place_bias;
    struct annot_arena *arena;
    struct annot__slot *slot; /* the current chunk's slot, or NULL */
    uint64_t recording;       /* EventID of the current RECORDING record; 0: none */
    uint32_t recording_unit;  /* the recording's unit in the current chunk, else 0 */
    bool unbudgeted;          /* new records may exceed the budget */
};

/* The memory of markers. Arenas are used again, and are not freed before the device. So a reader
 * with an old slot can lock `guard` and notice that the slot has another use. */
struct annot_arena {
    annot_device *device;
    struct annot__mutex guard;
    _Atomic bool recording;              /* a list is recording into the arena */
    uint64_t queue_object;               /* for a queue's arena, the queue's object id; else 0 */
    _Atomic(struct annot__slot *) first; /* live chunks in order, then cached chunks */
    /* The position of the first live chunk. Positions only grow, and no two arenas have a common
     * position. So a slot that left its arena never looks live again in any arena. */
    _Atomic uint64_t live_first;
    _Atomic uint64_t live_count;
    uint64_t live_bytes;         /* bytes of live chunks, for the recording thread */
    uint32_t oversized;          /* number of oversized chunks since a reset */
    struct annot__cursor cursor; /* between recordings */
    struct annot__kept *kept,
        *innermost_kept; /* a queue's outermost kept scope; guard protects it */
    size_t kept_bytes;
    _Atomic uint32_t first_thread; /* thread of a queue's first remaining call */
    struct annot_arena *next;      /* the next older arena of the device */
    struct annot_arena *next_free;
};

/* ---- objects ---- */

/* A pipeline's shader, from annot_object_add_shader. */
struct annot__shader {
    struct annot__shader *next; /* the next shader, in order of addition */
    annot_shader said;          /* said.debug_name points to `name` */
    uint32_t name_size;         /* bytes of the whole debug name */
    char name[ANNOT_SHADER_NAME_MAX + 1];
};

struct annot_object {
    annot_device *device;
    uint64_t id;
    void *driver_handle;
    uint32_t kind; /* the API's own number */
    annot_object_type type;
    uint32_t list_type;
    annot_mode mode;
    bool destroyed;
    char *name; /* the name in UTF-8, or NULL; device.objects_lock guards it */
    size_t name_size;
    struct annot__shader *shaders; /* device.objects_lock guards the shaders */
    annot_resource resource;       /* dimension is 0 if not known; device.objects_lock guards it */
    uint32_t shader_count;
    _Atomic uint64_t renamed;        /* how often the object got a name */
    uint64_t made_at;                /* annot_device.made at the creation */
    uint64_t named_at, destroyed_at; /* the same at the naming and at the destruction;
                                        device.objects_lock guards both */
    annot_object *previous,
        *next; /* next live object, or next destroyed object from oldest to newest */
};

/* A former name of an object, valid up to the submission number `until`. */
struct annot__former {
    struct annot__former *next;
    uint64_t object, until;
    size_t size;
    char name[]; /* UTF-8, without a NUL */
};

/* The API's name for a kind of object, kept once for each kind. */
struct annot__kind_name {
    struct annot__kind_name *next;
    uint32_t kind;
    const char *name; /* the caller's */
};

struct annot__fact {
    char *key, *value; /* a fact's block: key, NUL, value, NUL; or NULL */
    size_t size;       /* size of the block */
};

struct annot__object_list {
    annot_object *first, *last;
    uint64_t count;
};

/* ---- contexts ---- */

/* A stack of open scopes without a record (dropped scopes). They are inside the scopes with a
 * record: while a dropped scope is open, new scopes are dropped, too. If the stack can't grow, for
 * lack of memory or because all such stacks of the device have ANNOT__SCOPES_BYTES, `overflow`
 * counts and the matching Ends pass EventID 0. */
#define ANNOT__SCOPES_BYTES (1u << 20)

struct annot__dropped_scopes {
    uint64_t *ids;
    uint32_t depth, capacity;
    uint64_t overflow;
    uint64_t saved_open; /* place of the innermost scope with a record */
    uint64_t first[8];   /* first elements, which need no allocation */
};

struct annot__queue;
struct annot__block;

/* The surplus Ends and open scopes of a recording, which earlier and later lists of a queue match.
 * The surplus Ends come before the first scope that the recording leaves open. */
struct annot__balance {
    uint32_t surplus_ends, unclosed;
    bool is_unknown; /* the recording executes bundles that leave scopes open */
};

/* A context. `forwards` is the first member, as in annot_context_head. The members for the fast
 * path follow in two cache lines. `cursor` and `open` stay 0 for a queue, so that all its calls
 * take the slow path. */
struct annot_context {
    uint32_t forwards;
    bool is_recording;
    struct annot__cursor cursor;
    uint64_t open; /* place of the innermost open scope; 0 if none, or dropped */
    D3D12DDI_HCOMMANDLIST handle;
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT driver_begin;
    PFND3D12DDI_COMMAND_LIST_SET_MARKER driver_set;
    PFND3D12DDI_COMMAND_LIST_END_EVENT driver_end;
    annot_device *device;
    annot_object *object;
    struct annot__dropped_scopes dropped;
    uint64_t dropped_count;  /* markers dropped before the recording had a RECORDING */
    uint32_t dropped_calls;  /* ExecuteBundle calls dropped before a RECORDING */
    uint32_t opens;          /* number of the list's recordings, for tracker.c */
    uint64_t last_recording; /* number of the last closed recording, or 0 */
    uint64_t name_told;      /* 1 + object.renamed of last_recording's name; 0: none */
    struct annot__balance balance,
        last_balance;               /* balance of the present and of the last closed recording */
    struct annot__queue *queue;     /* NULL: a list */
    struct annot__tracked *tracked; /* tracker.c: set if executions of the list write words */
};

struct annot__queue {
    struct annot__mutex lock;
    struct annot__cursor cursor;
    uint64_t open; /* EventID of the innermost open scope; 0: none */
    /* True if forgotten scopes are open. `gap` is the innermost kept scope around them, or NULL;
     * `gap_open` is their number. */
    bool has_gap;
    uint32_t gap_open;
    struct annot__kept *gap;
    _Atomic uint32_t depth;     /* number of open scopes with a record */
    _Atomic uint64_t submitted; /* last serial */
    _Atomic uint64_t completed;
    _Atomic uint64_t dropped_markers, dropped_submissions;
    _Atomic uint64_t evicted_submissions;
    _Atomic uint32_t surplus_ends;
    uint32_t thread;           /* thread of the stream's next calls; 0: none yet */
    _Atomic bool threads_lost; /* memory ran out for a change of thread */
    uint64_t left_open;        /* number of scopes that executed lists left open */
    bool is_left_uncertain;    /* an executed list's scopes are not known */
    uint64_t name_told;        /* 1 + object.renamed of the stream's name; 0: none */
    uint64_t name_chunk;       /* EventID of the chunk with that name; older chunks may go */
    annot_context *context;
    struct annot__queue *previous, *next;
};

/* ---- device ---- */

struct annot_device {
    annot_allocator allocator;
    const annot_driver *driver;
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121
        *table; /* the driver's table, or a table of functions that do nothing */
    bool supported;
    bool forced;
    _Atomic uint32_t mode;
    uint32_t generation; /* annot__process_generation of the device's process */
    void (*message)(void *user, const annot_message *message);
    void *message_user;
    size_t (*waits)(void *user, struct annot_wait *waits, size_t capacity);
    void *waits_user;
    /* Makes room by dropping completed queue markers; false: there are none. Called with a queue's
     * lock or with none. */
    bool (*evict)(annot_device *device);

    uint64_t budget; /* UINT64_MAX: none */
    _Atomic uint64_t live_bytes, reserved_bytes;
    _Atomic uint64_t dropped_markers, dropped_bytes, evicted_markers, dropped_operations;
    _Atomic uint64_t kept_scopes;  /* bytes of all queues' kept scopes */
    _Atomic uint64_t dropped_ids;  /* number of EventIDs issued without a record */
    _Atomic uint64_t scopes_bytes; /* bytes of grown stacks of dropped scopes */
    _Atomic bool drop_reported;

    _Atomic(struct annot__slot *) slot_pages[ANNOT__SLOT_PAGES];
    _Atomic uint32_t slot_count;
    struct annot__mutex pool_lock;
    struct annot__slot *pool;       /* slots with idle chunks */
    struct annot__block *blocks;    /* the memory of the chunks */
    struct annot__slot *free_slots; /* slots without one */

    _Atomic(struct annot_arena *) arenas; /* the device's arenas, newest first */
    _Atomic uint64_t arena_count;
    struct annot_arena *free_arenas; /* pool_lock guards the list */

    struct annot__mutex naming;
    struct annot__mutex objects_lock;
    struct annot__queue *queues, *last_queue; /* queues in order of creation */
    struct annot__object_list objects, freed;
    struct annot__kind_name *kind_names;
    struct annot__fact facts[ANNOT_FACTS_MAX]; /* the device's facts, without gaps */
    uint32_t fact_count;
    uint64_t freed_bytes;     /* bytes of destroyed objects and their names */
    uint64_t freed_forgotten; /* number of names dropped for lack of room */
    uint32_t freed_max;
    _Atomic uint64_t next_object;
    _Atomic uint64_t made;                       /* submissions */
    struct annot__former *formers, *last_former; /* former names, the oldest first */
    uint64_t former_bytes;
};

static inline struct annot__slot *annot__device_slot(const annot_device *device, uint32_t number)
{
    struct annot__slot *page = atomic_load_explicit(
        &device->slot_pages[number / ANNOT__SLOTS_PER_PAGE], memory_order_acquire);
    return page + number % ANNOT__SLOTS_PER_PAGE;
}

/* Returns the record of an EventID that is known to be live. */
static inline struct annot__record *annot__device_record(const annot_device *device, uint64_t id)
{
    struct annot__chunk *chunk = annot__device_slot(device, annot__id_slot(id))->chunk;
    return (struct annot__record *)(void *)((char *)chunk +
                                            (size_t)annot__id_unit(id) * ANNOT__UNIT);
}

static inline bool annot__slot_is_live(const struct annot__slot *slot,
                                       const struct annot_arena *arena)
{
    uint64_t first = atomic_load_explicit(&arena->live_first, memory_order_relaxed);
    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_acquire);
    return atomic_load_explicit(&slot->position, memory_order_relaxed) - first < count;
}

static inline annot_mode annot__device_mode(const annot_device *device)
{
    return (annot_mode)atomic_load_explicit(&device->mode, memory_order_acquire);
}

/* Returns true if a parent of this process made the device. Threads that don't exist in this
 * process may hold the device's locks, and the guarded data may be half written. */
static inline bool annot__is_inherited(const annot_device *device)
{
    return device->generation != annot__process_generation();
}

static inline void *annot__allocate(const annot_device *device, size_t size, size_t alignment)
{
    return device->allocator.allocate(device->allocator.user, size, alignment);
}

static inline void annot__release(const annot_device *device, void *memory, size_t size)
{
    if (memory)
        device->allocator.release(device->allocator.user, memory, size);
}

static inline uint64_t annot__cursor_place(const struct annot__cursor *cursor,
                                           const struct annot__record *record)
{
    return cursor->place_bias + (uintptr_t)record;
}

static inline uint64_t annot__cursor_id(const struct annot__cursor *cursor,
                                        const struct annot__record *record)
{
    return annot__id_at_place(annot__cursor_place(cursor, record));
}

/* Returns the EventID of the scope around a record. */
static inline uint64_t annot__record_parent_id(const struct annot__record *record)
{
    return annot__id_at_place(record->parent);
}

static inline bool annot__scopes_any(const struct annot__dropped_scopes *scopes)
{
    return scopes->depth + scopes->overflow != 0;
}
