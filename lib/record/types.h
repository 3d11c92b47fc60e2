/* Data structures that record markers, their invariants, and plain access to them. record.h has the
 * functions; base/event_id.h has the arithmetic of EventIDs, slots, uses and units.
 *
 *     chunk  |header|record|record|record|record ...                              |0|
 *     segment|<------ 2 KiB ----->|<------ 2 KiB ----->| ...
 *
 * Records follow each other; the word after the last record is 0. A thread first writes the 0
 * after its new record, and then publishes the record by a release store of the record's word. So
 * readers need no cursor. Each segment notes its first record, so a lookup doesn't walk a whole
 * chunk. The fast path ends with each segment, so it does not pay for this.
 *
 * A thread that takes several locks must take them in this order:
 *
 *     annot__queue.lock         one caller at a time uses a queue; held in calls of the driver
 *     annot_device.naming       one SetName at a time; held in calls of the driver
 *     annot_device.objects_lock protects the lists of queues, objects, names
 *     annot_arena.guard         protects readers from reset, eviction and destroy of one arena;
 *                               recording never takes it
 *     annot_device.pool_lock    protects idle chunks and free slots
 *
 * Only eviction takes `objects_lock` before a queue's lock; so it tries the queue's lock and never
 * waits for it. */
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
    /* On a list: the list's name at its Close; metadata is the whole name's size. On a queue:
     * metadata 0 is a withdrawn SUBMISSION, metadata 1 an annot__submitted_name. KIND_OPERATION and
     * KIND_THREAD are this kind with BY_REFERENCE. */
    ANNOT__KIND_OTHER = 7
};

#define ANNOT__BY_REFERENCE 16u /* flag of BEGIN and SET: the payload is an annot__reference */
/* A list's operation. Metadata: its number; payload: annot__operation_head, arguments, objects. */
#define ANNOT__KIND_OPERATION (ANNOT__KIND_OTHER | ANNOT__BY_REFERENCE)
/* Says that another thread makes the queue's next calls. Metadata: the number of this thread. */
#define ANNOT__KIND_THREAD ANNOT__KIND_OPERATION

/* A record's head; the payload follows, padded to ANNOT__UNIT. A store to `word` publishes all. */
struct annot__record {
    uint32_t metadata; /* a marker's metadata; in a RECORDING, the thread that began the list */
    /* Bits 0-25: the payload's bytes; 26-28: annot__kind; 29: scope closed; 30: BY_REFERENCE. */
    _Atomic uint32_t word;
    /* The place (annot__id_place) of the enclosing scope; 0: no scope. A RECORDING has the number
     * of its first call here (annot_set_call_counter). */
    uint64_t parent;
};

#define ANNOT__UNIT          16u
#define ANNOT__SIZE_MAX      ((1u << 26) - 1u) /* largest size of a marker's payload, in bytes */
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

/* Returns the size in bytes of a record whose payload has `size` bytes. */
static inline uint64_t annot__record_bytes(uint32_t size)
{
    return ((uint64_t)size + sizeof(struct annot__record) + (ANNOT__UNIT - 1u)) &
           ~(uint64_t)(ANNOT__UNIT - 1u);
}

static inline void *annot__record_payload(struct annot__record *record)
{
    return record + 1;
}

/* A payload that stays in the application's memory instead of a copy (reference.c). */
struct annot__reference {
    const void *data;
    uint64_t hash; /* hash that the bytes had when the marker was recorded */
    uint32_t size;
    uint32_t pad;
};

/* The head of an operation's payload. 8 bytes for each argument and 16 for each object follow. */
struct annot__operation_head {
    uint32_t kind;
    uint16_t arguments, objects;
};

#define ANNOT__OPERATION_MAX                                                                       \
    (sizeof(struct annot__operation_head) + ANNOT_OPERATION_ARGUMENTS * 8u +                       \
     2 * ANNOT_OPERATION_OBJECTS * sizeof(annot_bound_object))

/* The arguments of a BeginEvent or SetMarker call. */
struct annot__marker {
    enum annot__kind kind; /* BEGIN, SET */
    uint32_t metadata;
    const void *data;
    uint32_t size;
    const struct annot__reference *reference; /* a payload that is not copied, or NULL */
};

/* The payload of a RECORDING record. The recording's markers follow, up to the arena's next
 * RECORDING. Recording threads change the counters until the recording is closed. */
struct annot__recording {
    uint64_t object;
    _Atomic uint64_t dropped;
    _Atomic uint32_t open;
    _Atomic uint32_t surplus_ends;
    _Atomic uint32_t unclosed;
    _Atomic uint32_t bundles;
};

#define ANNOT__LATCHED_NAME_MAX 255u /* bytes */

/* An ExecuteBundle call. The bundle's name follows if its recording has another name. */
struct annot__bundle_call {
    uint64_t recording;
    uint64_t object;
    uint32_t ordinal;   /* number of the ExecuteBundle call in its recording, from 1 */
    uint32_t name_size; /* of the whole name */
    bool has_name;
    char name[ANNOT__LATCHED_NAME_MAX + 1];
};

struct annot__submission {
    uint64_t serial;
    uint64_t number; /* number of the submission on the device, for struct annot__former */
    uint32_t count;
    struct annot__submitted_list {
        uint64_t recording; /* 0: none was kept */
        uint64_t object;
    } lists[];
};

/* A name that a list or the queue had at a submission, if its stream has another name or none. The
 * record follows the SUBMISSION, and is void if the submission is withdrawn. */
struct annot__submitted_name {
    uint64_t serial;
    uint32_t list;      /* index of the list with this name, or ANNOT__QUEUE_ITSELF */
    uint32_t name_size; /* size in bytes of the whole name, which may be cut */
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
    uint64_t recording; /* EventID of the recording that is open at the chunk's begin; 0: none */
    uint64_t size;      /* size of the chunk: ANNOT__CHUNK_SIZE, or more for one large record */
    uint64_t rest;      /* unused; pads the header so that records are aligned */
    /* Bits 0 to 15: 16-byte unit of the first record that begins in this segment; 0: none yet. Bits
     * 16 to 31: unit of the recording that has this first record; 0: see `recording`. */
    _Atomic uint32_t segment[ANNOT__SEGMENTS];
};

#define ANNOT__CHUNK_FIRST_UNIT ((uint32_t)(sizeof(struct annot__chunk) / ANNOT__UNIT))
#define ANNOT__CHUNK_CAPACITY                                                                      \
    (ANNOT__CHUNK_SIZE - (uint32_t)sizeof(struct annot__chunk) - ANNOT__UNIT) /* for records */

_Static_assert(sizeof(struct annot__chunk) % ANNOT__UNIT == 0, "records are aligned");
_Static_assert(ANNOT__CHUNK_SIZE / ANNOT__UNIT == ANNOT__ID_UNITS, "a unit has a number");
_Static_assert(sizeof(struct annot__chunk) < ANNOT__SEGMENT_SIZE,
               "the first record begins in segment 0");

/* A slot holds one chunk. Slots live as long as the device, so lookups of old EventIDs are safe. */
struct annot__slot {
    _Atomic uint32_t use; /* how often the chunk was filled (part of EventIDs); 0: unused */
    uint32_t number;
    _Atomic(struct annot_arena *) arena; /* the arena that last had markers in the chunk */
    _Atomic uint64_t position; /* the slot is live while position - live_first < live_count */
    struct annot__chunk *chunk;
    _Atomic(struct annot__slot *) next; /* next slot of the arena, the pool or the free slots */
    uint64_t serial; /* queue submission after which the whole chunk may be freed */
};

#define ANNOT__ARENA_POSITIONS ((uint64_t)1 << 40) /* number of positions of an arena */

#define ANNOT__SLOTS_PER_PAGE  1024u
#define ANNOT__SLOT_PAGES      1024u
#define ANNOT__SLOTS_MAX       ANNOT__ID_SLOTS

/* ---- arenas ---- */

/* A queue's scope, copied before eviction freed the chunk with its record (evict.c). */
struct annot__kept {
    struct annot__kept *outer, *inner;
    uint64_t id;
    size_t bytes;                /* size in bytes of this struct with the payload behind it */
    uint32_t thread;             /* that began it */
    struct annot__record record; /* copied record; its parent is annot__id_place of `outer` */
};

#define ANNOT__KEPT_BYTES 65536u /* largest size of one queue's struct annot__kept, in bytes */

/* Where the next record goes. A context owns the cursor during a recording; at other times its
 * arena does. Invariants: at % 16 == 0; at <= limit <= the chunk's end - 16; the place of the
 * record at `at` is place_bias + at. If there is no chunk, at == limit == 0. */
struct annot__cursor {
    uintptr_t at;
    uintptr_t limit; /* end of the current segment; a record that crosses it takes the slow path */
    uint64_t place_bias;
    struct annot_arena *arena;
    struct annot__slot *slot; /* the current chunk's slot, or NULL */
    uint64_t recording;       /* EventID of the current recording's RECORDING record; 0: none */
    uint32_t recording_unit;  /* 16-byte unit where the recording begins; 0: in an earlier chunk */
    bool unbudgeted;          /* new records may use more memory than the budget */
};

/* Memory for markers. An arena is reused, and freed only with the device. So a reader with an old
 * slot can lock `guard` and see that the slot has a new use. */
struct annot_arena {
    annot_device *device;
    struct annot__mutex guard;
    _Atomic bool recording; /* whether a list records into this arena now */
    uint64_t queue_object;  /* identity of the queue that has this arena; 0: an allocator has it */
    _Atomic(struct annot__slot *) first; /* the live chunks in order, then the cached chunks */
    /* The position of the first live chunk. Positions only grow, and no two arenas share a
     * position. So a slot that left its arena never looks live again in any arena. */
    _Atomic uint64_t live_first;
    _Atomic uint64_t live_count;
    uint64_t live_bytes;         /* bytes of live chunks; only the recording thread uses it */
    uint32_t oversized;          /* how many large chunks it got since the last reset */
    struct annot__cursor cursor; /* between recordings */
    struct annot__kept *kept,
        *innermost_kept; /* `kept`: outermost scope kept by eviction; guarded by `guard` */
    size_t kept_bytes;
    _Atomic uint32_t first_thread; /* thread of the oldest call whose data the queue still has */
    struct annot_arena *next;      /* the arena that the device made before this one */
    struct annot_arena *next_free;
};

/* ---- objects ---- */

/* A pipeline's shader that annot_object_add_shader added. */
struct annot__shader {
    struct annot__shader *next; /* the object's next shader, in the order of adding */
    annot_shader said;          /* the shader's description; its debug name is in `name` */
    uint32_t name_size;         /* size in bytes of the whole debug name, which may be cut */
    char name[ANNOT_SHADER_NAME_MAX + 1];
};

struct annot_object {
    annot_device *device;
    uint64_t id;
    void *driver_handle;
    uint32_t kind; /* the API's number for this kind of object */
    annot_object_type type;
    uint32_t list_type;
    annot_mode mode;
    bool destroyed;
    char *name; /* the name in UTF-8, or NULL; guarded by device.objects_lock */
    size_t name_size;
    struct annot__shader *shaders; /* guarded by device.objects_lock */
    annot_resource resource;       /* dimension 0: not known; guarded by device.objects_lock */
    uint32_t shader_count;
    _Atomic uint64_t renamed;        /* how many times the object was named */
    uint64_t made_at;                /* value of annot_device.made when the object was created */
    uint64_t named_at, destroyed_at; /* the same at the naming and at the destruction;
                                        device.objects_lock guards both */
    annot_object *previous,
        *next; /* next live object, or next destroyed object from oldest to newest */
};

/* A former name of an object, which submissions up to the number `until` saw. */
struct annot__former {
    struct annot__former *next;
    uint64_t object, until;
    size_t size;
    char name[]; /* the object's name in UTF-8, without NUL */
};

/* The API's name for one kind of object; the device stores it once. */
struct annot__kind_name {
    struct annot__kind_name *next;
    uint32_t kind;
    const char *name; /* the caller's */
};

struct annot__fact {
    char *key, *value; /* one allocation: key, NUL, value, NUL; or NULL */
    size_t size;       /* size of the block */
};

struct annot__object_list {
    annot_object *first, *last;
    uint64_t count;
};

/* ---- contexts ---- */

/* A stack of dropped scopes: open scopes that have no record. While a dropped scope is open, new
 * scopes are dropped too. The stack can't grow if memory runs out, or if the device's stacks have
 * ANNOT__SCOPES_BYTES. Then `overflow` counts scopes, and their Ends pass EventID 0. */
#define ANNOT__SCOPES_BYTES (1u << 20)

struct annot__dropped_scopes {
    uint64_t *ids;
    uint32_t depth, capacity;
    uint64_t overflow;
    uint64_t saved_open; /* annot__id_place of the innermost open scope with a record */
    uint64_t first[8];   /* the stack's first elements, which need no allocation */
};

struct annot__queue;
struct annot__block;

/* Numbers of a recording's Ends and scopes that have no partner in this recording. Surplus Ends
 * close scopes of earlier lists; later lists close unclosed scopes. All surplus Ends come before
 * the first unclosed scope. */
struct annot__balance {
    uint32_t surplus_ends, unclosed;
    bool is_unknown; /* executed bundles left scopes open, so the numbers are unknown */
};

/* A context of a list or queue. `forwards` must be the first member, as in annot_context_head. The
 * fast path's members follow, in two cache lines. On a queue, `cursor` and `open` stay 0, so all
 * its calls take the slow path. */
struct annot_context {
    uint32_t forwards;
    bool is_recording;
    struct annot__cursor cursor;
    uint64_t open; /* annot__id_place of the innermost open scope; 0: none, or a dropped scope */
    D3D12DDI_HCOMMANDLIST handle;
    PFND3D12DDI_COMMAND_LIST_BEGIN_EVENT driver_begin;
    PFND3D12DDI_COMMAND_LIST_SET_MARKER driver_set;
    PFND3D12DDI_COMMAND_LIST_END_EVENT driver_end;
    annot_device *device;
    annot_object *object;
    struct annot__dropped_scopes dropped;
    uint64_t dropped_count;  /* number of markers that were dropped before the RECORDING record */
    uint32_t dropped_calls;  /* number of ExecuteBundle calls dropped before the RECORDING record */
    uint32_t opens;          /* number of recordings of this list so far, for tracker.c */
    uint64_t last_recording; /* number of the last closed recording, or 0 */
    uint64_t name_told;      /* object.renamed + 1 when last_recording got its name; 0: no name */
    /* `balance`: current recording; `last_balance`: last closed recording */
    struct annot__balance balance, last_balance;
    struct annot__queue *queue;     /* NULL: a list */
    struct annot__tracked *tracked; /* NULL: the GPU writes no words for the list */
};

struct annot__queue {
    struct annot__mutex lock;
    struct annot__cursor cursor;
    uint64_t open; /* EventID of the innermost scope that is open; 0: none */
    /* True while scopes are open that eviction forgot. `gap_open` is the number of these scopes.
     * `gap` is the innermost kept scope around them, or NULL. */
    bool has_gap;
    uint32_t gap_open;
    struct annot__kept *gap;
    _Atomic uint32_t depth;     /* how many scopes with a record are open */
    _Atomic uint64_t submitted; /* last serial */
    _Atomic uint64_t completed;
    _Atomic uint64_t dropped_markers, dropped_submissions;
    _Atomic uint64_t evicted_submissions;
    _Atomic uint32_t surplus_ends;
    uint32_t thread;           /* thread that calls Present on the queue; 0: no call yet */
    _Atomic bool threads_lost; /* memory ran out, so the queue's list of threads has a gap */
    uint64_t left_open;        /* how many scopes were left open by executed lists */
    bool is_left_uncertain;    /* it is unknown which scopes an executed list left open */
    uint64_t name_told;        /* object.renamed + 1 when the stream got its name; 0: no name */
    uint64_t name_chunk; /* id_base of the chunk with the list's name; older chunks may be gone */
    annot_context *context;
    struct annot__queue *previous, *next;
};

/* ---- device ---- */

struct annot_device {
    annot_allocator allocator;
    const annot_driver *driver;
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121
        *table; /* the driver's functions, or functions that do nothing */
    bool supported;
    bool forced;
    _Atomic uint32_t mode;
    uint32_t generation; /* annot__process_generation of the process that made the device */
    void (*message)(void *user, const annot_message *message);
    void *message_user;
    size_t (*waits)(void *user, struct annot_wait *waits, size_t capacity);
    void *waits_user;
    /* Frees completed markers of queues to make room. Returns false if no such markers are left.
     * The caller holds one queue's lock, or no lock. */
    bool (*evict)(annot_device *device);

    uint64_t budget; /* UINT64_MAX: none */
    _Atomic uint64_t live_bytes, reserved_bytes;
    _Atomic uint64_t dropped_markers, dropped_bytes, evicted_markers, dropped_operations;
    _Atomic uint64_t kept_scopes;  /* scopes kept after their chunks were evicted */
    _Atomic uint64_t dropped_ids;  /* how many EventIDs of dropped markers were issued */
    _Atomic uint64_t scopes_bytes; /* bytes that were allocated for stacks of dropped scopes */
    _Atomic bool drop_reported;

    _Atomic(struct annot__slot *) slot_pages[ANNOT__SLOT_PAGES];
    _Atomic uint32_t slot_count;
    struct annot__mutex pool_lock;
    struct annot__slot *pool;       /* slots with idle chunks */
    struct annot__block *blocks;    /* all memory blocks that chunks are part of */
    struct annot__slot *free_slots; /* slots without one */

    _Atomic(struct annot_arena *) arenas; /* the device's arenas, newest first */
    _Atomic uint64_t arena_count;
    struct annot_arena *free_arenas; /* pool_lock guards the list */

    struct annot__mutex naming;
    struct annot__mutex objects_lock;
    struct annot__queue *queues, *last_queue; /* the device's queues, oldest first */
    struct annot__object_list objects, freed;
    struct annot__kind_name *kind_names;
    struct annot__fact facts[ANNOT_FACTS_MAX]; /* the device's facts; fact_count are used */
    uint32_t fact_count;
    uint64_t freed_bytes;     /* bytes of destroyed objects and of their names */
    uint64_t freed_forgotten; /* number of names that were dropped for lack of room */
    uint32_t freed_max;
    _Atomic uint64_t next_object;
    _Atomic uint64_t made;                       /* submissions */
    struct annot__former *formers, *last_former; /* names that objects had earlier, oldest first */
    uint64_t former_bytes;
};

static inline struct annot__slot *annot__device_slot(const annot_device *device, uint32_t number)
{
    struct annot__slot *page = atomic_load_explicit(
        &device->slot_pages[number / ANNOT__SLOTS_PER_PAGE], memory_order_acquire);
    return page + number % ANNOT__SLOTS_PER_PAGE;
}

/* Returns the record of an EventID. The caller knows that the EventID is live. */
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

/* Returns true if this process was forked from the process that made the device. Threads that are
 * not in this process may hold the device's locks, and guarded data may be half written. */
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

/* Returns the EventID of the scope around a record; 0: no scope. */
static inline uint64_t annot__record_parent_id(const struct annot__record *record)
{
    return annot__id_at_place(record->parent);
}

static inline bool annot__scopes_any(const struct annot__dropped_scopes *scopes)
{
    return scopes->depth + scopes->overflow != 0;
}
