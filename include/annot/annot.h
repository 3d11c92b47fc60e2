/*
 * For authors of runtimes, translation layers and API layers. These functions keep the annotation
 * mode, markers, names and submissions of a device, and find the marker that an EventID belongs to.
 *
 *     annot_device     one per API device
 *     annot_object     one per device child that can be named; latches the annotation mode when it
 *                      is created
 *     annot_arena      one per command allocator; owns the marker data that lists record through it
 *     annot_context    one per command list or queue; it records markers
 *
 * Destroy contexts before their objects and arenas, and destroy the device last. The library calls
 * the caller only through the driver's table, the message callback, the allocator and the function
 * given to annot_context_submit_with. The library holds no lock while it calls the message
 * callback.
 *
 * Every function accepts NULL for a device, object, arena or context, so that a layer can go on
 * after a failed creation. With NULL a creation fails with ANNOT_ERROR_INVALID_ARGUMENT; all other
 * functions do nothing and return ANNOT_OK, 0 or false. The library ignores a call that makes no
 * sense and emits ANNOT_MESSAGE_MISUSE. The arguments `out` and `info` must not be NULL.
 *
 * The context of a list, and the arena that it records into, belong to one thread at a time, as in
 * D3D12. The table shows which functions may be called from where:
 *
 *     from                      may call
 *     any thread                everything; for one list and its arena, one thread at a time
 *     the message callback      everything, but it must not destroy what the call was given
 *     the driver's functions    annot_device_lookup, annot_device_event_from_word,
 *                               annot_device_get_stats, annot_context_completed; no markers on the
 *                               same object, and no names
 *     the function given to     all but calls for the same queue; for that queue, only
 *     annot_context_submit_...  annot_context_completed is allowed
 *     the allocator             nothing
 *     a signal handler          annot_device_event_from_word, annot_context_completed, and
 *                               annot_dump_write... with a writer that was made before (dump.h)
 *
 * fork without exec. The child can't use the parent's objects, because threads that don't exist in
 * the child may hold locks of these objects. For such an object, functions with the result type
 * annot_result return ANNOT_ERROR_FORKED. All other functions do nothing and return the same as for
 * NULL. No function frees, writes to or waits for the parent's objects, with one exception: a
 * marker on a list that was recording still reaches the driver if the list's memory has room. A
 * submission function does the same as for a NULL queue. No dump is written. Objects that the child
 * creates work as usual [ANN-HOST-03].
 *
 * Set the device's mode before you create the objects that latch it. Call annot_context_submit
 * before the GPU can see the work, and annot_context_completed before the application can see that
 * the work is done. Call annot_arena_reset after that.
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
    ANNOT_ERROR_IO = -4,   /* the system refused to read or write; errno has the reason */
    ANNOT_ERROR_NOT_A_DUMP = -5,
    ANNOT_ERROR_INCOMPLETE = -6, /* the dump ends early: its writer was stopped */
    ANNOT_ERROR_TOO_LARGE = -7,  /* an argument exceeds a documented limit */
    ANNOT_ERROR_FORKED = -8      /* the object was made before fork, by the parent process */
} annot_result;

/* Returns one line of English for a result. The text is static and never NULL. */
ANNOT_API const char *annot_result_text(annot_result result);

/* Returns the library's version as "MAJOR.MINOR.PATCH". The text is static. */
ANNOT_API const char *annot_version(void);

/* ---- device ---- */

/* The values of D3D12_USER_DEFINED_ANNOTATION_MODE [D3D12 PIX Markers v0.06]. */
typedef enum annot_mode { ANNOT_MODE_RUNTIME_ONLY = 1, ANNOT_MODE_DRIVER_RETAIL = 2 } annot_mode;

/* The functions that allocate and release the library's memory. `allocate` returns memory aligned
 * to `alignment`, a power of two, or NULL on failure. `release` gets the size that was given to
 * `allocate`. The library calls both from any thread. */
typedef struct annot_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*release)(void *user, void *memory, size_t size);
} annot_allocator;

typedef enum annot_message_id {
    /* numbers of D3D12's messages */
    ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK = 1383,
    ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW = 1384,
    ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT = 1464,
    /* numbers of libannot's messages; a number never changes its meaning */
    ANNOT_MESSAGE_MARKER_NULL_DATA = 10001,     /* a marker with NULL data and a size above 0 */
    ANNOT_MESSAGE_MARKER_NOT_RECORDING = 10002, /* a marker on a list that is not recording */
    ANNOT_MESSAGE_DRIVER_TABLE_INVALID = 10003, /* the driver's table is incomplete or unknown */
    /* Markers are lost: no memory or budget is left. An arena's reset allows this message again. */
    ANNOT_MESSAGE_MARKERS_DROPPED = 10004,
    ANNOT_MESSAGE_MISUSE = 10005 /* a call made no sense and was ignored; the text names the call */
} annot_message_id;

typedef enum annot_severity {
    ANNOT_SEVERITY_ERROR = 1,
    ANNOT_SEVERITY_WARNING = 2,
    ANNOT_SEVERITY_INFO = 3
} annot_severity;

typedef struct annot_message {
    annot_message_id id;
    annot_severity severity;
    const char *text; /* the message's text in UTF-8, valid during the call */
} annot_message;

#define ANNOT_BUDGET_DEFAULT      ((uint64_t)64 << 20)
#define ANNOT_BUDGET_NONE         ((uint64_t)0)
#define ANNOT_FREED_NAMES_DEFAULT 65536u

struct annot_wait; /* annot/dump.h */

typedef struct annot_device_desc {
    annot_allocator allocator;  /* all NULL: malloc's */
    const annot_driver *driver; /* the driver, which must outlive the device; NULL: no driver */
    uint64_t memory_budget;     /* limit of retained marker data in bytes, or ANNOT_BUDGET_NONE
                                   [ANN-LIFE-06] */
    /* The number of destroyed objects that a dump can still name. Their names take at most 16 MiB
     * and a quarter of the budget; the oldest names are dropped first [ANN-NAME-07]. */
    uint32_t freed_name_count;
    bool force_driver_retail; /* the device starts in DRIVER_RETAIL and stays there [ANN-CONF-02] */
    void (*message)(void *user, const annot_message *message); /* NULL: messages are dropped */
    void *message_user;
    /* Called for a dump whose caller gives no waits. Stores the waits of queues in `waits`, and
     * returns the number of waits. The function runs on the thread that writes the dump, and waits
     * for no lock without end. */
    size_t (*waits)(void *user, struct annot_wait *waits, size_t capacity);
    void *waits_user;
} annot_device_desc;

#define ANNOT_DEVICE_DESC_INIT                                                                     \
    {                                                                                              \
        {0, 0, 0}, 0, ANNOT_BUDGET_DEFAULT, ANNOT_FREED_NAMES_DEFAULT, false, 0, 0, 0, 0           \
    }

/* Makes a RUNTIME_ONLY device [ANN-MODE-01]. `desc` may be NULL. After a failure *out is NULL. */
ANNOT_INLINE annot_result annot_device_create(const annot_device_desc *desc, annot_device **out);

/* Frees the device and its memory. Destroy all objects of the device first. NULL is allowed. */
ANNOT_API void annot_device_destroy(annot_device *device);

/* Sets the device's mode; objects that are created later latch this mode. If `mode` is no value of
 * annot_mode, the mode stays, one SET_MODE_INVALID_ARGUMENT message is emitted, and the result is
 * ANNOT_ERROR_INVALID_ARGUMENT [ANN-MODE-03]. If the device has force_driver_retail, a valid `mode`
 * has no effect and the result is ANNOT_OK. Any thread. */
ANNOT_API annot_result annot_device_set_mode(annot_device *device, uint32_t mode);

/* Returns the mode that the next object will latch. Any thread. */
ANNOT_API annot_mode annot_device_mode(const annot_device *device);

/* Returns true if the driver takes annotations: the driver reports a known version of the feature,
 * and its table has all functions. If false, the library never calls the driver. All calls still
 * succeed, and under DRIVER_RETAIL markers are still retained for dumps [ANN-CAPS-02, -04]. */
ANNOT_API bool annot_device_is_supported(const annot_device *device);

typedef struct annot_device_stats {
    /* Bytes of the chunks that contain live data. The budget limits only the bytes for markers. */
    uint64_t live_bytes;
    uint64_t reserved_bytes;  /* bytes of all chunks of the device: live, cached and idle */
    uint64_t dropped_markers; /* number of markers whose data was not retained [ANN-LIFE-06, -07] */
    uint64_t dropped_bytes;   /* number of payload bytes of the dropped markers */
    uint64_t evicted_markers; /* number of completed queue markers that were evicted */
} annot_device_stats;

/* Copies the device's counters to *out. While threads record, counters may disagree slightly. */
ANNOT_INLINE void annot_device_get_stats(const annot_device *device, annot_device_stats *out);

/* ---- facts ---- */

/* Limits of facts. A fact is a key with a value, for readers of a dump: "scene" = "harbour". */
#define ANNOT_FACTS_MAX      64u
#define ANNOT_FACT_KEY_MAX   64u   /* bytes */
#define ANNOT_FACT_VALUE_MAX 1024u /* bytes */

/* Sets the fact `key` to `value`, or removes the fact if `value` is NULL or empty. The library
 * copies both texts, which are UTF-8. Returns ANNOT_ERROR_TOO_LARGE above a limit
 * (ANNOT_FACTS_MAX), and ANNOT_ERROR_INVALID_ARGUMENT for an empty key; the facts then don't
 * change. Any thread. */
ANNOT_API annot_result annot_device_set_fact(annot_device *device, const char *key,
                                             const char *value);

/* ---- objects and names ---- */

/* Calls TYPE(name, number, words) for each type of object in any API. Numbers never change. */
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
    ANNOT_OBJECT_OF_D3D12 = 0, /* annot_object_desc.kind, a D3D12DDI_HANDLETYPE, gives the type */
    ANNOT_OBJECT_TYPES(ANNOT_OBJECT_TYPE_ENUM)
} annot_object_type;

/* Returns static words for a type, for example "command list"; "object" for an unknown number. */
ANNOT_API const char *annot_object_type_text(uint32_t type);

typedef struct annot_object_desc {
    /* The API's number for the kind of object: D3D12DDI_HANDLETYPE or VkObjectType. The driver's
     * SetName gets this number. */
    uint32_t kind;
    /* For queues and lists, the D3D12_COMMAND_LIST_TYPE (0 direct, 1 bundle, 2 compute, 3 copy, 4
     * video decode, 5 video process, 6 video encode). For other objects, 0. */
    uint32_t list_type;
    void *driver_handle; /* the object's pDrvPrivate, which the driver's functions get unchanged */
    uint32_t type;       /* annot_object_type */
    /* The API's name of `kind` ("VkPipeline"), a UTF-8 text that outlives the device, or NULL. */
    const char *kind_name;
    /* An identity from annot_device_reserve_id, for one object. 0: the library chooses the ID. */
    uint64_t id;
} annot_object_desc;

/* Reserves an identity for an object that is created later. A driver may need the identity earlier,
 * because evidence names objects by identity. An identity is unique and never 0. Any thread. */
ANNOT_API uint64_t annot_device_reserve_id(annot_device *device);

/* Registers a device child. The object latches and keeps the device's mode [ANN-MODE-04, -05]. */
ANNOT_INLINE annot_result annot_object_create(annot_device *device, const annot_object_desc *desc,
                                              annot_object **out);

/* Frees the object. Dumps still show the object's name until too many other objects were destroyed
 * (freed_name_count) [ANN-NAME-07]. NULL is allowed. */
ANNOT_API void annot_object_destroy(annot_object *object);

/* Returns the object's identity. It is unique in the device, never 0 and never reused. */
ANNOT_API uint64_t annot_object_id(const annot_object *object);
ANNOT_API annot_mode annot_object_mode(const annot_object *object);

/* The size of a name's code unit in bytes. */
typedef enum annot_text_unit {
    ANNOT_TEXT_UTF8 = 1,
    ANNOT_TEXT_UTF16 = 2,
    ANNOT_TEXT_UTF32 = 4
} annot_text_unit;

/* Sets the object's name; NULL clears the name. Under DRIVER_RETAIL the driver gets the name once
 * [ANN-NAME-01, -03, -04]. Drivers take wide characters, so a UTF-8 name is converted to units of
 * annot_driver.name_unit, with U+FFFD for invalid parts. Names in UTF-16 and UTF-32 are passed to
 * the driver unchanged. The library keeps a UTF-8 copy of the name, where invalid Unicode becomes
 * U+FFFD [ANN-NAME-05]. If memory for the copy runs out, the library forgets the old name and
 * returns ANNOT_ERROR_OUT_OF_MEMORY. If a name can't be converted for lack of memory, the driver
 * gets NULL. Any thread; after two racing calls for one object, the library and the driver have the
 * same name. The driver's SetName must not call this function. */
ANNOT_API annot_result annot_object_set_name(annot_object *object, const void *name,
                                             annot_text_unit unit);

/* Sets the object's name as annot_object_set_name does. The name has `count` code units and needs
 * no NUL at the end; a NUL among them ends the name. */
ANNOT_API annot_result annot_object_set_name_counted(annot_object *object, const void *name,
                                                     size_t count, annot_text_unit unit);

/* Returns the code unit of a name that SetPrivateData stores under `guid` (16 bytes, as in memory)
 * [ANN-NAME-06]. The unit is ANNOT_TEXT_UTF8 for WKPDID_D3DDebugObjectName, and `wide` for
 * WKPDID_D3DDebugObjectNameW; `wide` is the unit of the application's WCHAR. Data under any other
 * GUID is no name, and the result is 0:
 *     unit = annot_guid_name_unit(guid, ANNOT_TEXT_UTF16);
 *     if (unit)
 *         annot_object_set_name_counted(object, data, size / unit, unit);
 */
ANNOT_API uint32_t annot_guid_name_unit(const void *guid, annot_text_unit wide);

/* Copies the name as NUL-terminated UTF-8 into `buffer` (may be NULL when capacity is 0). A name
 * that doesn't fit is cut at a character's border. Returns the size of the whole name in bytes,
 * without the NUL, or 0 if the object has no name. Any thread. */
ANNOT_API size_t annot_object_get_name(const annot_object *object, char *buffer, size_t capacity);

/* ---- arenas: marker memory with the lifetime of a command allocator ---- */

/* Makes an arena. The arena takes memory when a list records the first marker into it. */
ANNOT_API annot_result annot_arena_create(annot_device *device, annot_arena **out);

/* Ends the life of all markers in the arena; lookups of their EventIDs now return
 * ANNOT_LOOKUP_EXPIRED. The arena keeps its memory for the next recording [ANN-LIFE-01, -05]. The
 * call waits for a lookup or dump that is reading the arena. If a list is recording into the arena,
 * the call returns ANNOT_ERROR_BUSY and does nothing. O(1), except for oversized payloads. */
ANNOT_API annot_result annot_arena_reset(annot_arena *arena);

/* Resets the arena, gives the arena's memory back to the device, and frees the arena. No list may
 * be recording into the arena. NULL is allowed. */
ANNOT_API void annot_arena_destroy(annot_arena *arena);

/* ---- contexts: they record markers ---- */

/* Makes a context for a command list or bundle (type COMMAND_LIST) or for a queue (type QUEUE). The
 * context has the latched mode, driver handle and identity of `object`, which must outlive the
 * context. A queue's context records until it is destroyed; a list's context starts closed. */
ANNOT_API annot_result annot_context_create(annot_object *object, annot_context **out);

/* Closes an open recording, then frees the context. The list's marker data stays, because the arena
 * owns the data. NULL is allowed. */
ANNOT_API void annot_context_destroy(annot_context *context);

/* Starts a recording of `list` into `arena` [D3D12: CreateCommandList, Reset]. Returns
 * ANNOT_ERROR_BUSY if another list is recording into the arena, or if `list` is already recording.
 * Scopes of an earlier recording never continue in the new recording [ANN-MARK-07]. The call never
 * fails for lack of memory. */
ANNOT_API annot_result annot_context_open(annot_context *list, annot_arena *arena);

/* Ends the list's recording. Scopes may stay open, because a later list may close them; an INFO
 * message PROBABLE_PIX_EVENT_LEAK reports open scopes. The same message is a WARNING when a queue
 * is destroyed while scopes are open: scopes of the queue, or of lists that the queue executed. */
ANNOT_API annot_result annot_context_close(annot_context *list);

/* Every context begins with these members, in this version and in all later versions. */
typedef struct annot_context_head {
    uint32_t forwards; /* not 0: the context records markers */
} annot_context_head;

/* Returns true if the library records markers on this context. The result is false for NULL, and
 * for an object that was created under RUNTIME_ONLY; the caller then needs to make no payload. */
static inline bool annot_context_forwards(const annot_context *context)
{
    return context && ((const annot_context_head *)(const void *)context)->forwards != 0;
}

/*
 * Markers [ANN-MARK-01..14]. Under RUNTIME_ONLY the marker functions do nothing. Otherwise they
 * copy the payload and give the marker an EventID, and they call the driver exactly once before
 * they return. Marker functions don't interpret `metadata` and `data`. Reports read them as PIX
 * does: `metadata` 0 means text in UTF-16, 1 means text in UTF-8, and 2 and 6345127 mean PIX events
 * (annot/pix.h). Marker functions never fail: without memory the driver still gets its call, with a
 * valid EventID, and the loss is counted [ANN-LIFE-06, -07]. A list's markers come from the
 * recording thread, a queue's markers from any thread.
 */
ANNOT_API void annot_context_begin_event(annot_context *context, uint32_t metadata,
                                         const void *data, uint32_t size);
ANNOT_API void annot_context_set_marker(annot_context *context, uint32_t metadata, const void *data,
                                        uint32_t size);

/*
 * Begins an event without copying the payload, which the application owns. Until the marker's life
 * ends, the library keeps only the payload's address, size and hash, 48 bytes in all. The library
 * reads the payload now, for the hash, and again when a dump is written. The dump marks the payload
 * as changed if its hash differs, and as unreadable if its memory is gone [ANN-LIFE-08]. The driver
 * gets the application's pointer, which is valid during the call only.
 */
ANNOT_API void annot_context_begin_event_by_reference(annot_context *context, uint32_t metadata,
                                                      const void *data, uint32_t size);
ANNOT_API void annot_context_set_marker_by_reference(annot_context *context, uint32_t metadata,
                                                     const void *data, uint32_t size);

/* Closes the innermost open scope and passes its EventID to the driver. Without an open scope the
 * driver gets EventID 0, and a PIX_EVENT_UNDERFLOW message is emitted [ANN-MARK-05, -06]. The
 * message is an INFO on a list, because an earlier list may have opened the scope. On a queue the
 * message is a WARNING. A WARNING for the list follows if a queue executes the list and no earlier
 * list of the queue left a scope open. */
ANNOT_API void annot_context_end_event(annot_context *context);

/* Notes that the open recording of `list` executes the last closed recording of `bundle` at this
 * point. annot_progress.bundle == n means the n-th such call of a recording [ANN-MARK-11]. The
 * retained markers of the bundle are kept, whatever the list's mode is. */
ANNOT_API void annot_context_execute_bundle(annot_context *list, const annot_context *bundle);

/* ---- operations: the calls between markers ---- */

/* How an operation uses an object. A number never changes its meaning. */
typedef enum annot_bound_role {
    ANNOT_BOUND_PIPELINE = 1,
    ANNOT_BOUND_TARGET = 2, /* a target of rendering */
    ANNOT_BOUND_DEPTH = 3,
    ANNOT_BOUND_INDICES = 4,
    ANNOT_BOUND_ARGUMENTS = 5, /* buffer with the arguments of an indirect operation */
    ANNOT_BOUND_COUNTS = 6,
    ANNOT_BOUND_DESTINATION = 7,
    ANNOT_BOUND_SOURCE = 8,
    ANNOT_BOUND_BUNDLE = 9,
    /* An object of a barrier. The operation's arguments 2 n and 2 n + 1 are the states
     * (ResourceBarrier) or layouts of the n-th object, before and after the barrier. */
    ANNOT_BOUND_BARRIER = 10,
    ANNOT_BOUND_ACCESS = 11, /* a barrier's accesses; bits 28 to 30 are Vulkan's bits 32 to 34 */
    ANNOT_BOUND_VERTICES = 12,
    /* Subresources of another object of the operation. `object` is an ANNOT_PART; `layout` is the
     * other object's index among the operation's objects. */
    ANNOT_BOUND_PART = 13
} annot_bound_role;

/* Packs a range of subresources into one number. `planes` has a bit for each plane in D3D12, and is
 * a VkImageAspectFlags in Vulkan. If `mips` is 255, `slices` is 65,535 or `planes` is 0xFFFF, the
 * range reaches to the last mip, slice or plane. */
#define ANNOT_PART(planes, mip, mips, slice, slices)                                               \
    ((uint64_t)(mip) | (uint64_t)(mips) << 8 | (uint64_t)(slice) << 16 |                           \
     (uint64_t)(slices) << 32 | (uint64_t)(planes) << 48)
/* Packs a range of bytes of a Vulkan buffer into one number. `offset` and `size` are multiples of
 * 4. If `size` is 4 * 0xFFFFFFFF, the range reaches to the buffer's end. */
#define ANNOT_PART_OF_BUFFER(offset, size) ((uint64_t)(offset) / 4 | (uint64_t)(size) / 4 << 32)
/* A part of an object whose subresources or bytes are not known. */
#define ANNOT_PART_UNKNOWN ANNOT_PART(0, 1, 1, 0, 1)

typedef struct annot_bound_object {
    uint64_t object; /* annot_object_id; 0: none */
    uint32_t role;   /* annot_bound_role */
    uint32_t layout; /* layout of the object in this call (D3D12 or Vulkan), plus 1; 0: none */
} annot_bound_object;

/* Where a buffer or texture has its memory. A number never changes its meaning. */
typedef enum annot_memory {
    ANNOT_MEMORY_UNKNOWN = 0,
    ANNOT_MEMORY_PLACED = 1,    /* the memory is a part of a heap */
    ANNOT_MEMORY_COMMITTED = 2, /* the object has memory of its own */
    ANNOT_MEMORY_IMPLICIT = 3,  /* the API gave the memory, as for a swap chain */
    ANNOT_MEMORY_RESERVED = 4,  /* the memory consists of the tiles that are mapped */
    ANNOT_MEMORY_IN_BUFFER = 5, /* the memory is a part of a buffer that the runtime owns */
    ANNOT_MEMORY_FREED = 6      /* the memory was freed before the resource's end, if any */
} annot_memory;

/* Describes a buffer or texture with the API's numbers. */
typedef struct annot_resource {
    uint64_t width;     /* a texture's width in texels, or a buffer's size in bytes */
    uint32_t dimension; /* D3D12_RESOURCE_DIMENSION: 1 is a buffer; 2 to 4 are textures */
    uint32_t format;    /* D3D12: the DXGI_FORMAT; other APIs: the API's number of the format */
    uint32_t height;    /* texels */
    uint32_t depth;     /* depth of a texture in texels, or number of array slices */
    uint32_t mips, samples;
    uint32_t state;  /* the resource's state at creation, plus 1; 0: not known */
    uint32_t memory; /* annot_memory */
} annot_resource;

/* Gives the object the description of a buffer or texture. Reports print the description with each
 * operation that uses the object. `resource` is copied. Any thread. */
ANNOT_INLINE annot_result annot_object_set_resource(annot_object *object,
                                                    const annot_resource *resource);

#define ANNOT_OPERATION_ARGUMENTS 8u
#define ANNOT_OPERATION_OBJECTS   16u

/* A call that gives the GPU work: a draw, a dispatch, a copy. */
typedef struct annot_operation {
    uint32_t kind;           /* D3D12_AUTO_BREADCRUMB_OP */
    uint32_t number;         /* the operation's index in the recording, as annot_crumbs counts */
    uint32_t argument_count; /* ANNOT_OPERATION_ARGUMENTS at most */
    uint32_t object_count; /* number of objects, up to ANNOT_OPERATION_OBJECTS, parts not counted */
    const int64_t *arguments; /* the call's numeric arguments, in the call's order */
    /* The objects that the operation uses. Parts (ANNOT_BOUND_PART) come after the other objects;
     * each other object has at most one part. An object without a part is used as a whole. */
    const annot_bound_object *objects;
} annot_operation;

/* If breadcrumbs and the recorder count different operations in a recording, add this to each
 * annot_operation.number. Readers then don't join these operations with breadcrumbs. */
#define ANNOT_OPERATION_APART 0x40000000u

/* Notes an operation of the open recording in the list's memory. If breadcrumbs tell which
 * operation hung, reports then describe this operation [ANN-OP-01]. `number` must grow from call to
 * call; only the operations of one barrier call share a number. The call does nothing under
 * RUNTIME_ONLY, on a queue, on a list that isn't recording and above the limits
 * (ANNOT_OPERATION_ARGUMENTS, ANNOT_OPERATION_OBJECTS). If memory runs out, the operation is not
 * kept. The driver is not called. Call this function on the recording thread. */
ANNOT_API void annot_context_note_operation(annot_context *list, const annot_operation *operation);

/* ---- submissions ---- */

/* Notes that `queue` executes the last closed recordings of `lists`, in this order. Returns the
 * submission's serial on the queue: 1, 2, 3, ... The driver's progress rows and
 * annot_context_completed use this serial. Call the function before the GPU can see the work. Two
 * racing calls on one queue get serials in either order. If that order must agree with the order of
 * the real submissions, hold a lock of your own across both calls, or use
 * annot_context_submit_with. The call never fails: without memory the execution is counted as
 * dropped. If `count` is 0, `lists` may be NULL; only queue markers are submitted. Any thread. */
ANNOT_API uint64_t annot_context_submit(annot_context *queue, annot_context *const *lists,
                                        uint32_t count);

/* The caller's function that submits the real work of `serial`. It returns false if the work failed
 * to start and will never run. */
typedef bool (*annot_submit_function)(void *user, uint64_t serial);

/* Calls annot_context_submit and makes the real submission in one step. The queue is locked while
 * `make` runs. So markers and submissions of other threads come either before or after this
 * submission, in the same order for the library and the driver. If `make` returns false, the
 * submission is withdrawn and 0 is returned. `make` must not call the library with this queue,
 * except annot_context_completed. Any thread. */
ANNOT_API uint64_t annot_context_submit_with(annot_context *queue, annot_context *const *lists,
                                             uint32_t count, annot_submit_function make,
                                             void *user);

/* The caller's function that returns the list at `index` of a submission, or NULL for an unknown
 * list. The library calls the function up to twice per index, with the queue locked. The function
 * must not call the library. */
typedef annot_context *(*annot_list_function)(const void *lists, uint32_t index);

/* Does the same as annot_context_submit_with, for lists that are not in an array of pointers. `at`
 * finds each list in `lists`, the caller's own structure. `make` may be NULL. If `queue` is NULL,
 * nothing is noted, `make` is called with serial 0, and the result is 0. Any thread. */
ANNOT_API uint64_t annot_context_submit_each(annot_context *queue, annot_list_function at,
                                             const void *lists, uint32_t count,
                                             annot_submit_function make, void *user);

/* Withdraws the submission `serial`, which the GPU never got; dumps don't show the submission. If
 * `serial` was the last submission, the next submission gets the same serial. So a driver that
 * knows the serial must forget it, too. Returns ANNOT_ERROR_INVALID_ARGUMENT and does nothing if
 * the serial was never issued or is completed. Any thread. Time is linear in the queue's retained
 * data. */
ANNOT_API annot_result annot_context_withdraw(annot_context *queue, uint64_t serial);

/* Notes that the queue has completed all submissions up to `serial`. Call the function before the
 * application can learn of the completion, by a fence or otherwise. If the application resets its
 * allocators before the call, a dump may show the lists as not known to be finished, and their
 * markers as expired. Serials that are lower or never issued are ignored. Any thread, wait-free. */
ANNOT_API void annot_context_completed(annot_context *queue, uint64_t serial);

/* ---- from EventID to marker ---- */

typedef enum annot_lookup {
    ANNOT_LOOKUP_LIVE = 0,
    ANNOT_LOOKUP_EXPIRED = 1, /* the marker's arena was reset, or the queue's marker was evicted */
    ANNOT_LOOKUP_DROPPED = 2, /* no memory or budget was left for the marker */
    ANNOT_LOOKUP_NEVER_ISSUED = 3 /* no marker of the device has this EventID */
} annot_lookup;

typedef struct annot_marker_info {
    uint64_t event_id;
    uint64_t parent; /* the enclosing scope's EventID on the same list or queue; 0: no scope */
    uint64_t object; /* annot_object_id of the list or queue that has the marker */
    uint32_t metadata;
    uint32_t size;        /* bytes of payload */
    bool is_scope;        /* BeginEvent, else SetMarker */
    bool is_closed;       /* whether the marker's scope has an EndEvent */
    bool is_by_reference; /* the payload stays with the application, so lookups don't copy it */
} annot_marker_info;

/* Finds the marker of an EventID of this device [ANN-LIFE-03, -04]. If the marker is live, the call
 * fills in *info and copies up to `capacity` payload bytes to `buffer` (may be NULL when `capacity`
 * is 0). The call doesn't copy payloads that were recorded by reference. `event_id` may be any
 * 64-bit value. The result for an EventID in memory that is no longer in use is
 * ANNOT_LOOKUP_EXPIRED, even if no marker ever had this EventID. Any thread, also while other
 * threads record and reset. */
ANNOT_INLINE annot_lookup annot_device_lookup(annot_device *device, uint64_t event_id,
                                              annot_marker_info *info, void *buffer,
                                              size_t capacity);

/*
 * Returns the EventID for a 32-bit word that a GPU wrote. Hardware and APIs whose markers have 32
 * bits write such a word, the low half of an EventID. The high half counts how often the marker's
 * memory was filled. So the result is the newest marker with that low half:
 *
 *     - it is right as long as the marker is live, whatever other arenas do;
 *     - after its arena was reset, it is right (and expired) until the memory is filled again;
 *       after that it is the marker that fills the memory now.
 *
 * Clear each word before the GPU may write it again, so that you never read an old word. The result
 * is 0 for words that no marker can have: 0 to 9, which the caller may use for its own purposes,
 * and words for memory that never held a marker. Any thread, also in signal handlers; wait-free.
 */
ANNOT_API uint64_t annot_device_event_from_word(const annot_device *device, uint32_t word);

/* ---- exported functions; each takes the sizes of its structs, so that structs can grow ---- */

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
