/*
 * libannot for the authors of runtimes, translation layers and API layers: the annotation mode,
 * markers, names and submissions of one device, and the way back from an EventID to its marker.
 *
 *     annot_device     one per API device
 *     annot_object     one per device child that can be named; latches the annotation mode when it
 *                      is created
 *     annot_arena      one per command allocator; owns the marker data that lists record through it
 *     annot_context    one per command list or queue; it records markers
 *
 * Lifetimes nest: contexts before their objects and arenas, everything before the device. The
 * library calls the caller only through the driver's table, the message callback, the allocator and
 * the function given to annot_context_submit_with; no lock is held around the message callback.
 *
 * Every function accepts NULL for a device, object, arena or context, so that a layer can go on
 * after a failed creation. With NULL a creation fails with ANNOT_ERROR_INVALID_ARGUMENT; all other
 * functions do nothing and return ANNOT_OK, 0 or false. A call that makes no sense emits
 * ANNOT_MESSAGE_MISUSE and is ignored. `out` and `info` must not be NULL.
 *
 * Threads and callbacks. A list context and the arena it records into belong to one thread at a
 * time, as in D3D12.
 *
 *     from                      may call
 *     any thread                everything; for one list and its arena, one thread at a time
 *     the message callback      everything, but it must not destroy what the call was given
 *     the driver's functions    annot_device_lookup, annot_device_event_from_word,
 *                               annot_device_get_stats, annot_context_completed; no markers on the
 *                               same object, and no names
 *     the function given to     everything but calls for the same queue; for it only
 *     annot_context_submit_...  annot_context_completed is allowed
 *     the allocator             nothing
 *     a signal handler          annot_device_event_from_word, annot_context_completed, and
 *                               annot_dump_write... with a writer that was made before (dump.h)
 *
 * fork without exec. The child can't use the parent's objects, because the threads that held their
 * locks don't exist there. Calls that return an annot_result return ANNOT_ERROR_FORKED; all others
 * do nothing and return what they return for NULL. They don't free, write to or wait for anything
 * of the parent. One exception: a marker on a list that was recording still reaches the driver if
 * the list's memory has room. A submission is made as with a NULL queue. No dump is written.
 * Objects that the child makes itself work [ANN-HOST-03].
 *
 * Order of calls: the device's mode before the objects that latch it; annot_context_submit before
 * the GPU can see the work; annot_context_completed before the application can see that the work is
 * done; annot_arena_reset after that.
 */
#ifndef ANNOT_ANNOT_H
#define ANNOT_ANNOT_H

#include "ddi.h"
#include "export.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

ANNOT_BEGIN_DECLS

typedef struct annot_device annot_device;
typedef struct annot_object annot_object;
typedef struct annot_arena annot_arena;
typedef struct annot_context annot_context;

typedef enum annot_result {
    ANNOT_OK = 0,
    ANNOT_ERROR_INVALID_ARGUMENT = -1,
    ANNOT_ERROR_OUT_OF_MEMORY = -2,
    ANNOT_ERROR_BUSY = -3, /* a list still records into the arena */
    ANNOT_ERROR_IO = -4,   /* the system refused a read or write; errno has the reason */
    ANNOT_ERROR_NOT_A_DUMP = -5,
    ANNOT_ERROR_INCOMPLETE = -6, /* the dump's writer was stopped before the end */
    ANNOT_ERROR_TOO_LARGE = -7,  /* past a documented limit */
    ANNOT_ERROR_FORKED = -8      /* the parent of this process made it, before fork */
} annot_result;

/* One line of English for a result; static, never NULL. */
ANNOT_API const char *annot_result_text(annot_result result);

/* The library's version as "MAJOR.MINOR.PATCH"; static. */
ANNOT_API const char *annot_version(void);

/* ---- device ---- */

/* The values of D3D12_USER_DEFINED_ANNOTATION_MODE [D3D12 PIX Markers v0.06]. */
typedef enum annot_mode { ANNOT_MODE_RUNTIME_ONLY = 1, ANNOT_MODE_DRIVER_RETAIL = 2 } annot_mode;

/* Functions for the memory of everything that the library keeps. allocate returns NULL on failure
 * and memory aligned to `alignment`, a power of two, otherwise; release gets the size that allocate
 * was given. Both may be called from any thread. */
typedef struct annot_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *memory, size_t size);
} annot_allocator;

typedef enum annot_message_id {
    /* D3D12's own numbers */
    ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK = 1383,
    ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW = 1384,
    ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT = 1464,
    /* this library's own numbers; a number keeps its meaning for ever */
    ANNOT_MESSAGE_MARKER_NULL_DATA = 10001,     /* a marker with NULL data and a size above 0 */
    ANNOT_MESSAGE_MARKER_NOT_RECORDING = 10002, /* a marker on a list that is not recording */
    ANNOT_MESSAGE_DRIVER_TABLE_INVALID =
        10003, /* the driver's table lacks a function, or has a newer version */
    ANNOT_MESSAGE_MARKERS_DROPPED =
        10004, /* markers are lost: budget or memory is used up; sent again after a reset */
    ANNOT_MESSAGE_MISUSE = 10005 /* a call made no sense and was ignored; the text names it */
} annot_message_id;

typedef enum annot_severity {
    ANNOT_SEVERITY_ERROR = 1,
    ANNOT_SEVERITY_WARNING = 2,
    ANNOT_SEVERITY_INFO = 3
} annot_severity;

typedef struct annot_message {
    annot_message_id id;
    annot_severity severity;
    const char *text; /* UTF-8, valid during the call */
} annot_message;

#define ANNOT_BUDGET_DEFAULT      ((uint64_t)64 << 20)
#define ANNOT_BUDGET_NONE         ((uint64_t)0)
#define ANNOT_FREED_NAMES_DEFAULT 65536u

typedef struct annot_device_desc {
    annot_allocator allocator;  /* all NULL: malloc's */
    const annot_driver *driver; /* outlives the device; NULL: no driver takes annotations */
    uint64_t memory_budget;     /* bytes of retained marker data; ANNOT_BUDGET_NONE: unbounded
                                   [ANN-LIFE-06] */
    /* how many destroyed objects a dump can still name; their names take at most 16 MiB and a
     * quarter of the budget, and the oldest are dropped first [ANN-NAME-07] */
    uint32_t freed_name_count;
    bool force_driver_retail; /* the device starts in DRIVER_RETAIL and stays there [ANN-CONF-02] */
    void (*message)(void *user, const annot_message *message); /* NULL: messages are dropped */
    void *message_user;
} annot_device_desc;

#define ANNOT_DEVICE_DESC_INIT                                                                     \
    {                                                                                              \
        {0, 0, 0}, 0, ANNOT_BUDGET_DEFAULT, ANNOT_FREED_NAMES_DEFAULT, false, 0, 0                 \
    }

/* Makes a device in RUNTIME_ONLY [ANN-MODE-01]. `desc` may be NULL for the defaults. *out is NULL
 * on failure. */
ANNOT_INLINE annot_result annot_device_create(const annot_device_desc *desc, annot_device **out);

/* Frees the device and every chunk of marker memory. Destroy all its children first. NULL is
 * allowed. */
ANNOT_API void annot_device_destroy(annot_device *device);

/* Sets the mode that later children latch. For any other value the mode stays, one
 * SET_MODE_INVALID_ARGUMENT message is emitted, and the result is ANNOT_ERROR_INVALID_ARGUMENT
 * [ANN-MODE-03]. Under force_driver_retail a valid mode is accepted without effect. Any thread. */
ANNOT_API annot_result annot_device_set_mode(annot_device *device, uint32_t mode);

/* The mode that the next child will latch. Any thread. */
ANNOT_API annot_mode annot_device_mode(const annot_device *device);

/* Whether the driver takes annotations: the driver reports a known version of the feature, and its
 * table has all functions. If false, all calls succeed, markers are still retained under
 * DRIVER_RETAIL and appear in dumps, and no driver call is made [ANN-CAPS-02, -04]. */
ANNOT_API bool annot_device_is_supported(const annot_device *device);

typedef struct annot_device_stats {
    uint64_t
        live_bytes; /* bytes of chunks with live data; the budget limits the part for markers */
    uint64_t reserved_bytes;  /* bytes of all chunks of the device: live, cached and idle */
    uint64_t dropped_markers; /* number of markers whose data was not retained [ANN-LIFE-06, -07] */
    uint64_t dropped_bytes;   /* their payload bytes */
    uint64_t evicted_markers; /* number of completed queue markers that were evicted */
} annot_device_stats;

/* A snapshot of the device's counters. While other threads record, the members may differ slightly
 * in time. */
ANNOT_INLINE void annot_device_get_stats(const annot_device *device, annot_device_stats *out);

/* ---- facts ---- */

/* Facts about the application for readers of a dump: "scene" is "harbour", "seed" is "4711". */
#define ANNOT_FACTS_MAX      64u
#define ANNOT_FACT_KEY_MAX   64u   /* bytes */
#define ANNOT_FACT_VALUE_MAX 1024u /* bytes */

/* Sets the fact `key`, or removes it when `value` is NULL. Both are UTF-8 and copied. Returns
 * ANNOT_ERROR_TOO_LARGE past the limits above, and ANNOT_ERROR_INVALID_ARGUMENT for an empty key;
 * the facts then stay the same. Any thread. */
ANNOT_API annot_result annot_device_set_fact(annot_device *device, const char *key,
                                             const char *value);

/* ---- objects and names ---- */

/* TYPE(name, number, words): an object's type in any API. A number never changes its meaning. */
#define ANNOT_OBJECT_TYPES(TYPE)                                                                   \
    TYPE(OTHER, 1, "object")                                                                       \
    TYPE(QUEUE, 2, "queue")                                                                        \
    TYPE(COMMAND_LIST, 3, "command list")                                                          \
    TYPE(COMMAND_ALLOCATOR, 4, "command allocator")                                                \
    TYPE(FENCE, 5, "fence")                                                                        \
    TYPE(SEMAPHORE, 6, "semaphore")                                                                \
    TYPE(EVENT, 7, "event")                                                                        \
    TYPE(MEMORY, 8, "memory")                                                                      \
    TYPE(RESOURCE, 9, "resource")                                                                  \
    TYPE(BUFFER, 10, "buffer")                                                                     \
    TYPE(IMAGE, 11, "image")                                                                       \
    TYPE(VIEW, 12, "view")                                                                         \
    TYPE(SAMPLER, 13, "sampler")                                                                   \
    TYPE(SHADER, 14, "shader")                                                                     \
    TYPE(PIPELINE, 15, "pipeline")                                                                 \
    TYPE(PIPELINE_LAYOUT, 16, "pipeline layout")                                                   \
    TYPE(PIPELINE_CACHE, 17, "pipeline cache")                                                     \
    TYPE(DESCRIPTOR_POOL, 18, "descriptor pool")                                                   \
    TYPE(DESCRIPTOR_SET, 19, "descriptor set")                                                     \
    TYPE(DESCRIPTOR_LAYOUT, 20, "descriptor layout")                                               \
    TYPE(QUERY_POOL, 21, "query pool")                                                             \
    TYPE(RENDER_PASS, 22, "render pass")                                                           \
    TYPE(FRAMEBUFFER, 23, "framebuffer")                                                           \
    TYPE(COMMAND_SIGNATURE, 24, "command signature")                                               \
    TYPE(STATE_OBJECT, 25, "state object")                                                         \
    TYPE(ACCELERATION_STRUCTURE, 26, "acceleration structure")                                     \
    TYPE(META_COMMAND, 27, "meta command")                                                         \
    TYPE(PROTECTED_SESSION, 28, "protected session")                                               \
    TYPE(VIDEO, 29, "video object")                                                                \
    TYPE(SWAPCHAIN, 30, "swapchain")                                                               \
    TYPE(SURFACE, 31, "surface")                                                                   \
    TYPE(DEVICE, 32, "device")                                                                     \
    TYPE(ADAPTER, 33, "adapter")                                                                   \
    TYPE(INSTANCE, 34, "instance")

#define ANNOT_OBJECT_TYPE_ENUM(name, number, words) ANNOT_OBJECT_##name = number,
typedef enum annot_object_type {
    ANNOT_OBJECT_OF_D3D12 =
        0, /* in a desc: `kind` is a D3D12DDI_HANDLETYPE, from which the type follows */
    ANNOT_OBJECT_TYPES(ANNOT_OBJECT_TYPE_ENUM)
} annot_object_type;

/* "command list"; "object" for a number without a name. Static. */
ANNOT_API const char *annot_object_type_text(uint32_t type);

typedef struct annot_object_desc {
    /* the API's own number: D3D12DDI_HANDLETYPE, VkObjectType; the driver's SetName gets it */
    uint32_t kind;
    /* For queues and lists the D3D12_COMMAND_LIST_TYPE (0 direct, 1 bundle, 2 compute, 3 copy, 4
     * video decode, 5 video process, 6 video encode); 0 otherwise. */
    uint32_t list_type;
    void *driver_handle;   /* pDrvPrivate, passed to the driver's functions unchanged */
    uint32_t type;         /* annot_object_type */
    const char *kind_name; /* the API's name of `kind`: "VkPipeline"; UTF-8, outlives the device;
                              NULL: no name */
    uint64_t
        id; /* an identity from annot_device_reserve_id, used once; 0: the library chooses one */
} annot_object_desc;

/* Reserves an identity for an object that is created later. A driver may need it first, for its own
 * object, because evidence names objects by it. Unique in the device, never 0. Any thread. */
ANNOT_API uint64_t annot_device_reserve_id(annot_device *device);

/* Registers a device child and latches the device's mode for it; the latched mode never changes
 * [ANN-MODE-04, -05]. */
ANNOT_INLINE annot_result annot_object_create(annot_device *device, const annot_object_desc *desc,
                                              annot_object **out);

/* Frees the object. Dumps can still show its name until too many objects were destroyed after it
 * [ANN-NAME-07]. NULL is allowed. */
ANNOT_API void annot_object_destroy(annot_object *object);

/* The object's identity: unique per device, never 0, never reused. */
ANNOT_API uint64_t annot_object_id(const annot_object *object);
ANNOT_API annot_mode annot_object_mode(const annot_object *object);

/* The size of a name's code unit in bytes. */
typedef enum annot_text_unit {
    ANNOT_TEXT_UTF8 = 1,
    ANNOT_TEXT_UTF16 = 2,
    ANNOT_TEXT_UTF32 = 4
} annot_text_unit;

/* Names the object, or clears its name with NULL. Under DRIVER_RETAIL the driver gets the name once
 * [ANN-NAME-01, -03, -04]. Drivers take wide characters: a UTF-8 name is converted to units of
 * annot_driver.name_unit, with U+FFFD for invalid parts. Any other name is forwarded unchanged. The
 * library keeps a UTF-8 copy, where invalid Unicode becomes U+FFFD [ANN-NAME-05]. Without memory
 * for the copy the library forgets the old name and returns ANNOT_ERROR_OUT_OF_MEMORY; the driver
 * gets NULL instead of a name that could not be converted. Any thread; after two racing calls for
 * one object the library and the driver have the same name. The driver's function must not name
 * objects. */
ANNOT_API annot_result annot_object_set_name(annot_object *object, const void *name,
                                             annot_text_unit unit);

/* Does the same for a name of `count` code units without a NUL at the end. An earlier NUL ends the
 * name. */
ANNOT_API annot_result annot_object_set_name_counted(annot_object *object, const void *name,
                                                     size_t count, annot_text_unit unit);

/* For SetPrivateData: the unit of the name that is stored under this GUID (16 bytes, as in memory)
 * [ANN-NAME-06]. UTF-8 for WKPDID_D3DDebugObjectName; `wide`, the unit of the application's WCHAR,
 * for WKPDID_D3DDebugObjectNameW; 0 for all other GUIDs, because their data is no name:
 *     unit = annot_guid_name_unit(guid, ANNOT_TEXT_UTF16);
 *     if (unit)
 *         annot_object_set_name_counted(object, data, size / unit, unit);
 */
ANNOT_API uint32_t annot_guid_name_unit(const void *guid, annot_text_unit wide);

/* Copies the name as NUL-terminated UTF-8 into `buffer` (may be NULL when capacity is 0). A name
 * that doesn't fit is cut at a character's border. Returns the bytes of the whole name without the
 * NUL, or 0 if the object has no name. Any thread. */
ANNOT_API size_t annot_object_get_name(const annot_object *object, char *buffer, size_t capacity);

/* ---- arenas: marker memory with the lifetime of a command allocator ---- */

/* Makes an arena without memory. It takes its first chunk with its first record. */
ANNOT_API annot_result annot_arena_create(annot_device *device, annot_arena **out);

/* Ends the life of every marker recorded into the arena; lookups of their EventIDs return
 * ANNOT_LOOKUP_EXPIRED from now on. The memory stays for the next recording [ANN-LIFE-01, -05].
 * Waits for a lookup or dump that is reading this arena. While a list records into it, returns
 * ANNOT_ERROR_BUSY and does nothing. O(1), except for oversized payloads. */
ANNOT_API annot_result annot_arena_reset(annot_arena *arena);

/* Does what a reset does, then gives the memory back to the device. No list may be recording into
 * it. NULL is allowed. */
ANNOT_API void annot_arena_destroy(annot_arena *arena);

/* ---- contexts: they record markers ---- */

/* A context for a command list or bundle (type COMMAND_LIST) or a queue (type QUEUE). The context
 * has the latched mode, driver handle and identity of `object`, which must outlive it. A queue is
 * recording from now to its destruction; a list starts closed. */
ANNOT_API annot_result annot_context_create(annot_object *object, annot_context **out);

/* Closes an open recording first. The marker data of a list stays, because it belongs to the arena.
 */
ANNOT_API void annot_context_destroy(annot_context *context);

/* Starts a recording into `arena` [D3D12: CreateCommandList, Reset]. Returns ANNOT_ERROR_BUSY if
 * another list records into it, or if this list is already recording. Scopes of an earlier
 * recording never continue in this one [ANN-MARK-07]. Never fails for lack of memory. */
ANNOT_API annot_result annot_context_open(annot_context *list, annot_arena *arena);

/* Ends the recording. Open scopes are legal, because a later list may close them; an INFO message
 * PROBABLE_PIX_EVENT_LEAK reports them. When a queue is destroyed with open scopes, its own or
 * those of lists that it executed, the same message comes as a WARNING. */
ANNOT_API annot_result annot_context_close(annot_context *list);

/* The first members of every context, in this version and all later ones. */
typedef struct annot_context_head {
    uint32_t forwards; /* 0: markers on this context are not recorded */
} annot_context_head;

/* Whether the library records markers on this context. False for a child created under
 * RUNTIME_ONLY, and for NULL. If false, a caller can skip making a payload.
 */
static inline bool annot_context_forwards(const annot_context *context)
{
    return context && ((const annot_context_head *)(const void *)context)->forwards != 0;
}

/*
 * Markers [ANN-MARK-01..14]. Under RUNTIME_ONLY these do nothing. Otherwise the payload is copied
 * and gets an EventID, and the driver gets exactly one call before the function returns. These
 * functions don't interpret `metadata` and bytes. Reports read them as PIX does: 0 for text in
 * UTF-16, 1 for text in UTF-8, 2 and 6345127 for PIX events (annot/pix.h). These functions never
 * fail: without memory the driver still gets its call, with a valid EventID, and the loss is
 * counted [ANN-LIFE-06, -07]. Threads: for a list the recording thread, for a queue any.
 */
ANNOT_API void annot_context_begin_event(annot_context *context, uint32_t metadata,
                                         const void *data, uint32_t size);
ANNOT_API void annot_context_set_marker(annot_context *context, uint32_t metadata, const void *data,
                                        uint32_t size);

/*
 * Begins an event without a copy of the payload, which the application owns. The library keeps only
 * its address, its size and a hash until the marker's life ends, 48 bytes in all. The bytes are
 * read once now, for the hash, and again when a dump is written; the dump marks them as changed if
 * the hash differs, and as unreadable if the memory is gone [ANN-LIFE-08]. The driver gets the
 * application's pointer, valid for the call only.
 */
ANNOT_API void annot_context_begin_event_by_reference(annot_context *context, uint32_t metadata,
                                                      const void *data, uint32_t size);
ANNOT_API void annot_context_set_marker_by_reference(annot_context *context, uint32_t metadata,
                                                     const void *data, uint32_t size);

/* Closes the innermost open scope and passes its EventID to the driver. Without an open scope the
 * driver gets EventID 0, and a PIX_EVENT_UNDERFLOW message is emitted [ANN-MARK-05, -06]. It is an
 * INFO on a list, because an earlier list may have opened the scope, and a WARNING on a queue. The
 * list's message becomes a WARNING when a queue executes the list and no earlier list of the queue
 * left a scope open. */
ANNOT_API void annot_context_end_event(annot_context *context);

/* Notes that the open recording of `list` executes the last closed recording of `bundle` at this
 * point. annot_progress.bundle == n means the n-th such call of a recording [ANN-MARK-11]. A
 * bundle's retained markers are kept in every mode of the list. */
ANNOT_API void annot_context_execute_bundle(annot_context *list, const annot_context *bundle);

/* ---- operations: the calls between markers ---- */

/* An object's part in an operation. A number keeps its meaning for ever. */
typedef enum annot_bound_role {
    ANNOT_BOUND_PIPELINE = 1,
    ANNOT_BOUND_TARGET = 2, /* a target of rendering */
    ANNOT_BOUND_DEPTH = 3,
    ANNOT_BOUND_INDICES = 4,
    ANNOT_BOUND_ARGUMENTS = 5, /* the buffer with the arguments of an indirect operation */
    ANNOT_BOUND_COUNTS = 6,
    ANNOT_BOUND_DESTINATION = 7,
    ANNOT_BOUND_SOURCE = 8,
    ANNOT_BOUND_BUNDLE = 9,
    /* an object of a barrier: arguments 2 n and 2 n + 1 are the n-th object's states
       (ResourceBarrier) or layouts, before and after */
    ANNOT_BOUND_BARRIER = 10,
    ANNOT_BOUND_ACCESS = 11, /* a barrier with accesses; Vulkan's bits 32 to 34 are 28 to 30 */
    ANNOT_BOUND_VERTICES = 12,
    /* subresources of another object of the operation: `object` is an ANNOT_PART, and `layout` is
       that object's index among the operation's objects */
    ANNOT_BOUND_PART = 13
} annot_bound_role;

/* A range of subresources in one number. `planes` is a bit for each plane in D3D12,
 * VkImageAspectFlags in Vulkan. 255 mips, 65,535 slices and planes 0xFFFF mean up to the last. */
#define ANNOT_PART(planes, mip, mips, slice, slices)                                               \
    ((uint64_t)(mip) | (uint64_t)(mips) << 8 | (uint64_t)(slice) << 16 |                           \
     (uint64_t)(slices) << 32 | (uint64_t)(planes) << 48)
/* A range of bytes of a Vulkan buffer. Both numbers are multiples of 4; a size of 4 * 0xFFFFFFFF
 * means up to the buffer's end. */
#define ANNOT_PART_OF_BUFFER(offset, size) ((uint64_t)(offset) / 4 | (uint64_t)(size) / 4 << 32)
/* Some of an object's subresources or bytes; which ones is not known. */
#define ANNOT_PART_UNKNOWN ANNOT_PART(0, 1, 1, 0, 1)

typedef struct annot_bound_object {
    uint64_t object; /* annot_object_id; 0: none */
    uint32_t role;   /* annot_bound_role */
    uint32_t layout; /* the layout that the call names for the object, plus 1; 0: it names none */
} annot_bound_object;

/* Whose memory a buffer or texture has. A number keeps its meaning for ever. */
typedef enum annot_memory {
    ANNOT_MEMORY_UNKNOWN = 0,
    ANNOT_MEMORY_PLACED = 1,    /* a part of a heap */
    ANNOT_MEMORY_COMMITTED = 2, /* its own */
    ANNOT_MEMORY_IMPLICIT = 3,  /* the API's, as of a swap chain */
    ANNOT_MEMORY_RESERVED = 4,  /* tiles, if any are mapped */
    ANNOT_MEMORY_IN_BUFFER = 5  /* a part of a buffer, inside the runtime */
} annot_memory;

/* A buffer's or texture's description, in the API's numbers. */
typedef struct annot_resource {
    uint64_t width;     /* width in texels; size of a buffer in bytes */
    uint32_t dimension; /* D3D12_RESOURCE_DIMENSION: 1 buffer; 2, 3, 4 texture of 1, 2, 3 */
    uint32_t format;    /* DXGI_FORMAT for D3D12's objects; the API's own number for others */
    uint32_t height;    /* texels */
    uint32_t depth;     /* depth in texels, or number of slices of an array */
    uint32_t mips, samples;
    uint32_t state;  /* the state at its creation, plus 1; 0: not known */
    uint32_t memory; /* annot_memory */
} annot_resource;

/* Reports print this description with each operation that uses the object. Any thread. */
ANNOT_INLINE annot_result annot_object_set_resource(annot_object *object,
                                                    const annot_resource *resource);

#define ANNOT_OPERATION_ARGUMENTS 8u
#define ANNOT_OPERATION_OBJECTS   16u

/* A call that gives the GPU work: a draw, a dispatch, a copy. */
typedef struct annot_operation {
    uint32_t kind;            /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number;          /* its number in the recording, from 0, as annot_crumbs counts */
    uint32_t argument_count;  /* ANNOT_OPERATION_ARGUMENTS at most */
    uint32_t object_count;    /* at most ANNOT_OPERATION_OBJECTS, without parts */
    const int64_t *arguments; /* the call's numbers, in its order */
    /* Parts (ANNOT_BOUND_PART) follow the other objects, at most one for each. Without a part the
     * operation uses the whole object. */
    const annot_bound_object *objects;
} annot_operation;

/* Add this to the numbers of a recording if breadcrumbs and the recorder count different
 * operations. Readers don't join such numbers with breadcrumbs. */
#define ANNOT_OPERATION_APART 0x40000000u

/* Notes an operation of the open recording in the list's memory. If breadcrumbs tell which
 * operation hung, reports then describe this operation [ANN-OP-01]. `number` must grow from call to
 * call; only the operations of one barrier call share a number. Does nothing under RUNTIME_ONLY, on
 * a queue, on a list that isn't recording and past the limits above. If memory runs out, the
 * operation is not kept. The driver is not called. Threads: the recording thread. */
ANNOT_API void annot_context_note_operation(annot_context *list, const annot_operation *operation);

/* ---- submissions ---- */

/* Notes that this queue executes the last closed recordings of these lists, in this order. Returns
 * the submission's serial on this queue: 1, 2, 3, ...; the driver's progress rows and
 * annot_context_completed use it. Call it before the GPU can see the work. Two racing calls on one
 * queue get serials in either order. If that order must agree with the order of the real
 * submissions, hold a lock of your own across both calls, or use annot_context_submit_with. Never
 * fails: without memory the execution is counted as dropped. With count 0 (`lists` may be NULL) the
 * submission has no lists; it submits only the queue's markers. Any thread. */
ANNOT_API uint64_t annot_context_submit(annot_context *queue, annot_context *const *lists,
                                        uint32_t count);

/* Makes the submission `serial`. False means that the submission could not be made and will never
 * run. */
typedef bool (*annot_submit_function)(void *user, uint64_t serial);

/* Calls annot_context_submit and makes the real submission in one step. `make` runs with the queue
 * locked. So markers and submissions of other threads come before this one or after it, in the same
 * order for the library and the driver. If `make` returns false, the submission is withdrawn and 0
 * is returned. `make` must not call the library with this queue, except annot_context_completed.
 * Any thread. */
ANNOT_API uint64_t annot_context_submit_with(annot_context *queue, annot_context *const *lists,
                                             uint32_t count, annot_submit_function make,
                                             void *user);

/* The list at this index of a submission, or NULL for an unknown one. Runs with the queue locked,
 * up to twice per index, and must not call the library. */
typedef annot_context *(*annot_list_function)(const void *lists, uint32_t index);

/* Does what annot_context_submit_with does, for lists that are not in an array of pointers. `at`
 * finds each list in `lists`, the caller's own structure. With a NULL queue nothing is noted,
 * `make` (which may be NULL) is called with serial 0, and 0 is returned. Any thread. */
ANNOT_API uint64_t annot_context_submit_each(annot_context *queue, annot_list_function at,
                                             const void *lists, uint32_t count,
                                             annot_submit_function make, void *user);

/* Withdraws the submission `serial`, which was never made. No dump shows it as an execution. If it
 * was the last submission, the next one gets the same serial; so a driver that knows the serial
 * must forget it too. Returns ANNOT_ERROR_INVALID_ARGUMENT and does nothing if the serial was never
 * issued or is completed. Any thread. O(what the queue retains). */
ANNOT_API annot_result annot_context_withdraw(annot_context *queue, uint64_t serial);

/* Notes that this queue has completed everything up to `serial`. Call it before the application can
 * learn of the completion, by a fence or otherwise. After that the application may reset its
 * allocators; a dump that is taken before this call would show the lists as not known to be
 * finished, and their markers as expired. Serials that go backwards or were never issued are
 * ignored. Any thread, wait-free. */
ANNOT_API void annot_context_completed(annot_context *queue, uint64_t serial);

/* ---- from EventID to marker ---- */

typedef enum annot_lookup {
    ANNOT_LOOKUP_LIVE = 0,
    ANNOT_LOOKUP_EXPIRED = 1, /* the marker's arena was reset, or the marker was evicted */
    ANNOT_LOOKUP_DROPPED =
        2, /* the ID was issued, but the marker was not retained: budget or memory was used up */
    ANNOT_LOOKUP_NEVER_ISSUED = 3 /* no marker of this device has the ID */
} annot_lookup;

typedef struct annot_marker_info {
    uint64_t event_id;
    uint64_t parent; /* EventID of the enclosing scope on the same list or queue; 0: none */
    uint64_t object; /* annot_object_id of the list or queue */
    uint32_t metadata;
    uint32_t size;        /* bytes of payload */
    bool is_scope;        /* BeginEvent, else SetMarker */
    bool is_closed;       /* the scope's EndEvent was recorded */
    bool is_by_reference; /* the application owns the payload: a lookup copies none of it */
} annot_marker_info;

/* Resolves an EventID of this device [ANN-LIFE-03, -04]. If the marker is live, it fills in *info
 * and copies up to `capacity` payload bytes to `buffer` (may be NULL when capacity is 0). It copies
 * no payload by reference. Any 64-bit value is allowed. An ID inside memory that is no longer in
 * use is expired, even if no marker began exactly there: the library can't tell any more. Any
 * thread, also while others record and reset. */
ANNOT_INLINE annot_lookup annot_device_lookup(annot_device *device, uint64_t event_id,
                                              annot_marker_info *info, void *buffer,
                                              size_t capacity);

/*
 * The EventID of a 32-bit word that a GPU wrote: the low half of an EventID, for hardware and APIs
 * whose markers have 32 bits. The high half counts how often the marker's memory was filled, so the
 * answer is the newest marker with that low half:
 *
 *     - it is right as long as the marker is live, whatever other arenas do;
 *     - after its arena was reset, it is right (and expired) until the memory is filled again;
 *       after that it is the marker that fills the memory now.
 *
 * Clear words before the GPU may write them anew; then a stale word is never read. Returns 0 for
 * words that no marker can have: 0 to 9, which are free for the caller's own use, and words for
 * memory that never held a marker. Any thread, from signal handlers too; wait-free.
 */
ANNOT_API uint64_t annot_device_event_from_word(const annot_device *device, uint32_t word);

/* ---- the exported forms; each takes the sizes of its structs, so that structs can grow ---- */

ANNOT_API annot_result annot_device_create_sized(const annot_device_desc *desc, size_t desc_size,
                                                 annot_device **out);
ANNOT_INLINE annot_result annot_device_create(const annot_device_desc *desc, annot_device **out)
{
    return annot_device_create_sized(desc, sizeof *desc, out);
}

ANNOT_API annot_result annot_object_create_sized(annot_device *device,
                                                 const annot_object_desc *desc, size_t desc_size,
                                                 annot_object **out);
ANNOT_INLINE annot_result annot_object_create(annot_device *device, const annot_object_desc *desc,
                                              annot_object **out)
{
    return annot_object_create_sized(device, desc, sizeof *desc, out);
}

ANNOT_API void annot_device_get_stats_sized(const annot_device *device, annot_device_stats *out,
                                            size_t out_size);
ANNOT_INLINE void annot_device_get_stats(const annot_device *device, annot_device_stats *out)
{
    annot_device_get_stats_sized(device, out, sizeof *out);
}

ANNOT_API annot_lookup annot_device_lookup_sized(annot_device *device, uint64_t event_id,
                                                 annot_marker_info *info, size_t info_size,
                                                 void *buffer, size_t capacity);
ANNOT_INLINE annot_lookup annot_device_lookup(annot_device *device, uint64_t event_id,
                                              annot_marker_info *info, void *buffer,
                                              size_t capacity)
{
    return annot_device_lookup_sized(device, event_id, info, sizeof *info, buffer, capacity);
}

ANNOT_API annot_result annot_object_set_resource_sized(annot_object *object,
                                                       const annot_resource *resource,
                                                       size_t resource_size);
ANNOT_INLINE annot_result annot_object_set_resource(annot_object *object,
                                                    const annot_resource *resource)
{
    return annot_object_set_resource_sized(object, resource, sizeof *resource);
}

ANNOT_END_DECLS

#endif
