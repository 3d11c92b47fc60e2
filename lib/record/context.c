/* Markers on command lists: the path that every application pays for.
 *
 * The fast path is begin_event, set_marker and end_event: a test of the latch, a bump against the
 * segment's limit, a 16-byte header, an inlined copy, and one call of the driver. In an unusual
 * case (no room, queue, not recording, invalid arguments, open dropped scopes) the bump fails or
 * `open` is 0. The fast path then ends in a tail call of another function, so it spills no
 * registers. */
#include "record/append.h"
#include "base/process.h"

#include <annot/calls.h>

#include <stddef.h>

_Static_assert(offsetof(annot_context, forwards) == offsetof(annot_context_head, forwards),
               "annot_context_forwards reads it inline");

static bool list_is_dropping(const annot_context *list)
{
    return annot__scopes_any(&list->dropped);
}

/* Makes every call take the slow path while dropped scopes are open. */
static void list_pin(annot_context *list)
{
    if (list_is_dropping(list))
        list->cursor.limit = list->cursor.at;
}

/* Returns the place of the innermost scope with a record, or 0. */
static uint64_t list_parent(const annot_context *list)
{
    return list_is_dropping(list) ? list->dropped.saved_open : list->open;
}

static _Atomic(annot_call_counter) call_counter;

void annot_set_call_counter(annot_call_counter counter)
{
    atomic_store_explicit(&call_counter, counter, memory_order_release);
}

static uint64_t call_now(void)
{
    const annot_call_counter counter = atomic_load_explicit(&call_counter, memory_order_acquire);
    return counter ? counter() : 0;
}

/* Makes the record that names the owner of the next markers: at open, or later if there was no
 * memory. */
static bool recording_start(annot_context *list)
{
    if (list->cursor.recording)
        return true;
    struct annot__recording recording = {
        .object = list->object->id,
        .dropped = list->dropped_count,
        .open = 1,
        .surplus_ends = list->balance.surplus_ends,
        .bundles = list->dropped_calls,
    };
    struct annot__record *record =
        annot__record_append(&list->cursor, ANNOT__KIND_RECORDING, call_now(),
                             annot__thread_number(), &recording, sizeof recording);
    if (!record)
        return false;
    annot__cursor_set_recording(&list->cursor, record);
    return true;
}

static struct annot__recording *recording_of(const annot_context *list)
{
    return annot__recording_of(list->device, list->cursor.recording);
}

static struct annot__record *list_append(annot_context *list, enum annot__kind kind,
                                         uint32_t metadata, const void *data, uint32_t size)
{
    if (!recording_start(list))
        return NULL;
    struct annot__record *record =
        annot__record_append(&list->cursor, kind, list_parent(list), metadata, data, size);
    list_pin(list);
    return record;
}

static struct annot__record *list_append_marker(annot_context *list,
                                                const struct annot__marker *marker)
{
    if (!recording_start(list))
        return NULL;
    struct annot__record *record = annot__marker_append(&list->cursor, list_parent(list), marker);
    list_pin(list);
    return record;
}

static void list_count_dropped(annot_context *list)
{
    if (list->cursor.recording)
        atomic_fetch_add_explicit(&recording_of(list)->dropped, 1, memory_order_relaxed);
    else
        list->dropped_count++;
}

/* Drops a scope without memory; scopes inside are dropped too, so that Ends find their Begins. */
static void list_push_dropped(annot_context *list, uint64_t id)
{
    if (!list_is_dropping(list)) {
        list->dropped.saved_open = list->open;
        list->open = 0;
    }
    annot__scopes_push(list->device, &list->dropped, id);
    list_pin(list);
}

static void say_not_recording(const annot_context *list, const char *call)
{
    annot__message(list->device, ANNOT_MESSAGE_MARKER_NOT_RECORDING, ANNOT_SEVERITY_ERROR,
                   "%s on command list %s: the list is not recording, so the marker is ignored",
                   call, annot__title_of(list->object).text);
}

static void list_record(annot_context *list, const struct annot__marker *marker)
{
    bool is_begin = marker->kind == ANNOT__KIND_BEGIN;
    if (!list->is_recording) {
        say_not_recording(list, is_begin ? "BeginEvent" : "SetMarker");
        return;
    }
    bool inside_dropped = is_begin && list_is_dropping(list);
    struct annot__record *record = inside_dropped ? NULL : list_append_marker(list, marker);
    const void *data = marker->data;
    uint64_t id;
    if (record) {
        id = annot__cursor_id(&list->cursor, record);
        if (!marker->reference)
            data = annot__record_payload(record);
        if (is_begin)
            list->open = annot__id_place(id);
    } else {
        id = annot__drop(list->device, marker->size);
        list_count_dropped(list);
        if (is_begin)
            list_push_dropped(list, id);
    }
    (is_begin ? list->driver_begin : list->driver_set)(list->handle, marker->metadata, data,
                                                       marker->size, id);
    if (!record)
        annot__drop_report(list->device, marker->size);
}

ANNOT__COLD static void record_slow(annot_context *context, struct annot__marker marker)
{
    if (annot__is_inherited(context->device))
        return;
    if (!marker.data && marker.size > 0) {
        annot__message(context->device, ANNOT_MESSAGE_MARKER_NULL_DATA, ANNOT_SEVERITY_ERROR,
                       "a marker with NULL data and size %u is recorded with an empty payload",
                       (unsigned)marker.size);
        marker.size = 0;
    }
    if (context->queue)
        annot__queue_record(context, &marker);
    else
        list_record(context, &marker);
}

/* ---- records that fit at the cursor ---- */

/* Returns the cursor behind the next record: annot__record_bytes further, with one rounding,
 * because the cursor is aligned. */
static inline uint64_t next_cursor(const annot_context *context, uint32_t size)
{
    return ((uint64_t)context->cursor.at + size + sizeof(struct annot__record) +
            (ANNOT__UNIT - 1u)) &
           ~(uint64_t)(ANNOT__UNIT - 1u);
}

/* Fills the record at the cursor, except its publication. */
static ANNOT__INLINE struct annot__record *put(annot_context *context, enum annot__kind kind,
                                               uint32_t metadata, const void *data, uint32_t size)
{
    struct annot__record *record = (struct annot__record *)context->cursor.at;
    struct annot__record *next = (struct annot__record *)(uintptr_t)next_cursor(context, size);
    context->cursor.at = (uintptr_t)next;
    atomic_store_explicit(&next->word, ANNOT__WORD(ANNOT__KIND_NONE, 0), memory_order_relaxed);
    record->metadata = metadata;
    record->parent = context->open;
    annot__payload_copy(annot__record_payload(record), data, size);
    annot__record_publish(record, kind, size);
    return record;
}

static ANNOT__INLINE void put_begin(annot_context *context, uint32_t metadata, const void *data,
                                    uint32_t size)
{
    struct annot__record *record = put(context, ANNOT__KIND_BEGIN, metadata, data, size);
    uint64_t place = annot__cursor_place(&context->cursor, record);
    uint64_t id = annot__id_at_place(place);
    context->open = place;
    context->driver_begin(context->handle, metadata, annot__record_payload(record), size, id);
}

static ANNOT__INLINE void put_set(annot_context *context, uint32_t metadata, const void *data,
                                  uint32_t size)
{
    struct annot__record *record = put(context, ANNOT__KIND_SET, metadata, data, size);
    uint64_t id = annot__cursor_id(&context->cursor, record);
    context->driver_set(context->handle, metadata, annot__record_payload(record), size, id);
}

/* ---- where it has not ---- */

/* Moves the limit if only a segment's end was reached, once in 2 KiB of records. Returns false for
 * a queue's cursor, and for a list without a RECORDING record. */
static inline bool list_extend(annot_context *context, const void *data, uint32_t size)
{
    return data && context->cursor.recording && !annot__is_inherited(context->device) &&
           !list_is_dropping(context) &&
           annot__cursor_extend(&context->cursor, annot__record_bytes(size));
}

ANNOT__NOINLINE static void begin_slow(annot_context *context, uint32_t metadata, const void *data,
                                       uint32_t size)
{
    if (list_extend(context, data, size))
        put_begin(context, metadata, data, size);
    else
        record_slow(context, (struct annot__marker){ANNOT__KIND_BEGIN, metadata, data, size, NULL});
}

ANNOT__NOINLINE static void set_slow(annot_context *context, uint32_t metadata, const void *data,
                                     uint32_t size)
{
    if (list_extend(context, data, size))
        put_set(context, metadata, data, size);
    else
        record_slow(context, (struct annot__marker){ANNOT__KIND_SET, metadata, data, size, NULL});
}

static void list_end_dropped(annot_context *list)
{
    uint64_t id = annot__scopes_pop(&list->dropped);
    if (!list_is_dropping(list))
        list->open = list->dropped.saved_open;
    list->driver_end(list->handle, id);
}

static void list_end_surplus(annot_context *list)
{
    struct annot__record *record = list_append(list, ANNOT__KIND_SURPLUS_END, 0, NULL, 0);
    if (list->cursor.recording)
        atomic_fetch_add_explicit(&recording_of(list)->surplus_ends, 1, memory_order_relaxed);
    list->balance.surplus_ends++;
    if (!record)
        list_count_dropped(list);
    list->driver_end(list->handle, 0);
    annot__message(list->device, ANNOT_MESSAGE_PIX_EVENT_UNDERFLOW, ANNOT_SEVERITY_INFO,
                   "EndEvent on command list %s: no BeginEvent is open in this recording",
                   annot__title_of(list->object).text);
}

ANNOT__COLD static void end_slow(annot_context *context)
{
    if (annot__is_inherited(context->device))
        return;
    if (context->queue)
        annot__queue_end(context);
    else if (!context->is_recording)
        say_not_recording(context, "EndEvent");
    else if (list_is_dropping(context))
        list_end_dropped(context);
    else
        list_end_surplus(context);
}

/* ---- the fast path ---- */

/* Returns true if the record fits. NULL with size 0 is legal but rare, so every NULL takes the slow
 * path. */
static inline bool fits(const annot_context *context, const void *data, uint32_t size)
{
    return ANNOT__LIKELY(next_cursor(context, size) <= context->cursor.limit && data);
}

ANNOT__HOT void annot_context_begin_event(annot_context *context, uint32_t metadata,
                                          const void *data, uint32_t size)
{
    if (!context || !context->forwards)
        return;
    if (fits(context, data, size))
        put_begin(context, metadata, data, size);
    else
        begin_slow(context, metadata, data, size);
}

ANNOT__HOT void annot_context_set_marker(annot_context *context, uint32_t metadata,
                                         const void *data, uint32_t size)
{
    if (!context || !context->forwards)
        return;
    if (fits(context, data, size))
        put_set(context, metadata, data, size);
    else
        set_slow(context, metadata, data, size);
}

ANNOT__HOT void annot_context_end_event(annot_context *context)
{
    if (!context || !context->forwards)
        return;
    uint64_t place = context->open;
    if (ANNOT__UNLIKELY(!place)) {
        end_slow(context);
        return;
    }
    uint64_t id = annot__id_at_place(place);
    /* The bias gives the record's address in the current chunk; otherwise the slot gives it. */
    uintptr_t address = (uintptr_t)(place - context->cursor.place_bias);
    if (ANNOT__UNLIKELY((address ^ context->cursor.at) >= ANNOT__CHUNK_SIZE))
        address = (uintptr_t)annot__device_record(context->device, id);
    struct annot__record *scope = (struct annot__record *)address;
    uint64_t parent = scope->parent;
    /* The open scope is stored last: the next End waits for this store, and processors forward only
     * their last few stores without cost. */
    annot__record_close(scope);
    context->open = parent;
    context->driver_end(context->handle, id);
}

/* ---- by reference ---- */

static void record_by_reference(annot_context *context, enum annot__kind kind, uint32_t metadata,
                                const void *data, uint32_t size)
{
    struct annot__reference reference;
    struct annot__marker marker = {kind, metadata, data, size, NULL};
    if (!context || !context->forwards)
        return;
    if (data && size > 0 && size <= ANNOT__SIZE_MAX) {
        reference = annot__reference_make(data, size);
        marker.reference = &reference;
    }
    record_slow(context, marker);
}

void annot_context_begin_event_by_reference(annot_context *context, uint32_t metadata,
                                            const void *data, uint32_t size)
{
    record_by_reference(context, ANNOT__KIND_BEGIN, metadata, data, size);
}

void annot_context_set_marker_by_reference(annot_context *context, uint32_t metadata,
                                           const void *data, uint32_t size)
{
    record_by_reference(context, ANNOT__KIND_SET, metadata, data, size);
}

/* ---- operations ---- */

static uint32_t operation_size(const annot_operation *operation)
{
    return (uint32_t)sizeof(struct annot__operation_head) + operation->argument_count * 8u +
           operation->object_count * (uint32_t)sizeof(annot_bound_object);
}

static ANNOT__INLINE void operation_fill(void *payload, const annot_operation *operation)
{
    struct annot__operation_head *head = payload;
    char *arguments = (char *)(head + 1);
    const uint32_t size = operation->argument_count * 8u;
    *head = (struct annot__operation_head){operation->kind, (uint16_t)operation->argument_count,
                                           (uint16_t)operation->object_count};
    annot__payload_copy(arguments, operation->arguments, size);
    annot__payload_copy(arguments + size, operation->objects,
                        operation->object_count * (uint32_t)sizeof(annot_bound_object));
}

ANNOT__NOINLINE static void operation_slow(annot_context *list, const annot_operation *operation,
                                           uint32_t size)
{
    uint64_t payload[(ANNOT__OPERATION_MAX + 7) / 8];
    if (list->queue || !list->is_recording || annot__is_inherited(list->device))
        return;
    operation_fill(payload, operation);
    if (!list_append(list, (enum annot__kind)ANNOT__KIND_OPERATION, operation->number, payload,
                     size))
        atomic_fetch_add_explicit(&list->device->dropped_operations, 1, memory_order_relaxed);
}

/* Adds an OPERATION that has parts in addition to the largest number of objects. */
ANNOT__NOINLINE static void operation_of_parts(annot_context *list,
                                               const annot_operation *operation)
{
    if (operation->object_count <= 2 * ANNOT_OPERATION_OBJECTS &&
        operation->objects[ANNOT_OPERATION_OBJECTS].role == ANNOT_BOUND_PART)
        operation_slow(list, operation, operation_size(operation));
}

ANNOT__HOT void annot_context_note_operation(annot_context *list, const annot_operation *operation)
{
    if (!list || !list->forwards || operation->argument_count > ANNOT_OPERATION_ARGUMENTS)
        return;
    if (ANNOT__UNLIKELY(operation->object_count > ANNOT_OPERATION_OBJECTS)) {
        operation_of_parts(list, operation);
        return;
    }
    const uint32_t size = operation_size(operation);
    if (ANNOT__UNLIKELY(next_cursor(list, size) > list->cursor.limit)) {
        operation_slow(list, operation, size);
        return;
    }
    struct annot__record *record = (struct annot__record *)list->cursor.at;
    struct annot__record *next = (struct annot__record *)(uintptr_t)next_cursor(list, size);
    list->cursor.at = (uintptr_t)next;
    atomic_store_explicit(&next->word, ANNOT__WORD(ANNOT__KIND_NONE, 0), memory_order_relaxed);
    record->metadata = operation->number;
    record->parent = list->open;
    operation_fill(annot__record_payload(record), operation);
    annot__record_publish(record, (enum annot__kind)ANNOT__KIND_OPERATION, size);
}

/* ---- recordings ---- */

static annot_result say_misuse(const annot_context *context, const char *call, const char *what)
{
    annot__message(context->device, ANNOT_MESSAGE_MISUSE, ANNOT_SEVERITY_ERROR,
                   "%s on object %s: %s; the call is ignored", call,
                   annot__title_of(context->object).text, what);
    return ANNOT_ERROR_INVALID_ARGUMENT;
}

annot_result annot_context_open(annot_context *list, annot_arena *arena)
{
    if (!list)
        return ANNOT_OK;
    if (annot__is_inherited(list->device))
        return ANNOT_ERROR_FORKED;
    if (!arena || list->queue || arena->device != list->device)
        return say_misuse(
            list, "annot_context_open",
            "the arena must be of the list's device, and the context must not be a queue");
    if (list->is_recording ||
        atomic_exchange_explicit(&arena->recording, true, memory_order_acquire))
        return ANNOT_ERROR_BUSY;
    list->is_recording = true;
    list->opens++;
    list->cursor = arena->cursor;
    list->cursor.recording = 0;
    list->dropped.depth = 0;
    list->dropped.overflow = 0;
    annot__scopes_finish(list->device, &list->dropped); /* frees a stack that grew */
    list->dropped_count = 0;
    list->dropped_calls = 0;
    list->balance = (struct annot__balance){0};
    /* Without a RECORDING record the fast path must not use the chunk's rest, which would count as
     * the previous recording's. */
    if (list->forwards && !recording_start(list))
        list->cursor.limit = list->cursor.at;
    return ANNOT_OK;
}

/* Returns the number of open scopes with a record. */
static uint32_t open_depth(const annot_context *list)
{
    uint32_t depth = 0;
    for (uint64_t place = list_parent(list); place; depth++)
        place = annot__device_record(list->device, annot__id_at_place(place))->parent;
    return depth;
}

/* Notes the list's name in the recording, because programs rename a list for each use. A missing
 * name is noted, too, unless it needs a new chunk; the submission then notes it. */
static void latch_name(annot_context *list)
{
    char name[ANNOT__LATCHED_NAME_MAX + 1];
    const uint64_t renamed = annot__object_renamed(list->object);
    const uint32_t size = annot__name_size(annot_object_get_name(list->object, name, sizeof name));
    if (size == 0 && !annot__cursor_extend(&list->cursor, annot__record_bytes(0)))
        return;
    if (annot__record_append(&list->cursor, ANNOT__KIND_OTHER, 0, size, name,
                             (uint32_t)strlen(name)))
        list->name_told = 1 + renamed;
}

static void say_leak(const annot_context *list, uint32_t depth, uint64_t innermost)
{
    annot__message(list->device, ANNOT_MESSAGE_PROBABLE_PIX_EVENT_LEAK, ANNOT_SEVERITY_INFO,
                   "command list %s was closed with %u open event scope(s); the innermost scope "
                   "has EventID 0x%llx",
                   annot__title_of(list->object).text, depth, (unsigned long long)innermost);
}

annot_result annot_context_close(annot_context *list)
{
    if (!list)
        return ANNOT_OK;
    if (annot__is_inherited(list->device))
        return ANNOT_ERROR_FORKED;
    if (list->queue)
        return say_misuse(list, "annot_context_close", "a queue can't be closed");
    if (!list->is_recording)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    uint32_t dropped_depth = list->dropped.depth + (uint32_t)list->dropped.overflow;
    uint64_t innermost = list->dropped.depth ? list->dropped.ids[list->dropped.depth - 1]
                                             : annot__id_at_place(list_parent(list));
    uint32_t depth = open_depth(list) + dropped_depth;
    list->balance.unclosed = depth;
    list->last_balance = list->balance;
    list->last_recording = list->cursor.recording;
    list->name_told = 0;
    if (list->cursor.recording) {
        struct annot__recording *recording = recording_of(list);
        atomic_store_explicit(&recording->unclosed, depth, memory_order_relaxed);
        atomic_store_explicit(&recording->open, 0, memory_order_relaxed);
        latch_name(list);
    }

    annot_arena *arena = list->cursor.arena;
    arena->cursor = list->cursor;
    list->cursor = (struct annot__cursor){0};
    list->open = 0;
    list->is_recording = false;
    atomic_store_explicit(&arena->recording, false, memory_order_release);
    if (depth)
        say_leak(list, depth, innermost);
    return ANNOT_OK;
}

/* Notes the bundle's present name, if the bundle's recording lacks this name. Returns the bytes of
 * the call. */
static uint32_t name_bundle(const annot_context *bundle, struct annot__bundle_call *call)
{
    call->has_name = bundle->name_told != 1 + annot__object_renamed(bundle->object);
    if (!call->has_name)
        return offsetof(struct annot__bundle_call, name);
    call->name_size =
        annot__name_size(annot_object_get_name(bundle->object, call->name, sizeof call->name));
    return (uint32_t)(offsetof(struct annot__bundle_call, name) + strlen(call->name));
}

/* If a bundle retains markers, a list that retains none still notes that it executes the bundle:
 * its recording begins with the first such call. Earlier calls are counted, because evidence
 * numbers all of them. */
void annot_context_execute_bundle(annot_context *list, const annot_context *bundle)
{
    if (!list || !bundle || annot__is_inherited(list->device))
        return;
    if (list->queue || bundle->queue) {
        say_misuse(list, "annot_context_execute_bundle", "a queue was given in place of a list");
        return;
    }
    if (!list->is_recording)
        return;
    const struct annot__balance *inside = &bundle->last_balance;
    if (!bundle->forwards || inside->surplus_ends || inside->unclosed || inside->is_unknown)
        list->balance.is_unknown = true;
    bool is_kept = list->forwards || bundle->last_recording;
    struct annot__bundle_call call;
    call.recording = bundle->last_recording;
    call.object = bundle->object->id;
    call.name_size = 0;
    const bool is_started = is_kept ? recording_start(list) : list->cursor.recording != 0;
    if (is_started)
        call.ordinal =
            atomic_fetch_add_explicit(&recording_of(list)->bundles, 1, memory_order_relaxed) + 1;
    else
        list->dropped_calls++;
    if (!is_kept)
        return;
    /* no second attempt: a call without a number says nothing */
    if (!is_started ||
        !list_append(list, ANNOT__KIND_BUNDLE, 0, &call, name_bundle(bundle, &call))) {
        list_count_dropped(list);
        annot__drop_report(list->device, 0);
    }
}

uint32_t annot__bundle_calls(const annot_context *list)
{
    if (!list->cursor.recording)
        return list->dropped_calls;
    return atomic_load_explicit(&recording_of(list)->bundles, memory_order_relaxed);
}

/* ---- creation ---- */

annot_result annot_context_create(annot_object *object, annot_context **out)
{
    annot_device *device = object ? object->device : NULL;
    if (!out)
        return annot__misuse(device, "annot_context_create", "`out` must not be NULL");
    *out = NULL;
    if (!object)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if (object->type != ANNOT_OBJECT_COMMAND_LIST && object->type != ANNOT_OBJECT_QUEUE) {
        annot__message(device, ANNOT_MESSAGE_MISUSE, ANNOT_SEVERITY_ERROR,
                       "annot_context_create: object %llu is neither a command list nor a queue",
                       (unsigned long long)object->id);
        return ANNOT_ERROR_INVALID_ARGUMENT;
    }
    annot_context *context = annot__allocate(device, sizeof *context, 64);
    if (!context)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    *context = (annot_context){
        .forwards = object->mode == ANNOT_MODE_DRIVER_RETAIL,
        .handle = {object->driver_handle},
        .driver_begin = device->table->pfnCmdListBeginEvent,
        .driver_set = device->table->pfnCmdListSetMarker,
        .driver_end = device->table->pfnCmdListEndEvent,
        .device = device,
        .object = object,
    };
    annot__scopes_init(&context->dropped);
    if (object->type == ANNOT_OBJECT_QUEUE && !annot__queue_create(context)) {
        annot__release(device, context, sizeof *context);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    *out = context;
    return ANNOT_OK;
}

void annot_context_destroy(annot_context *context)
{
    if (!context || annot__is_inherited(context->device))
        return;
    annot_device *device = context->device;
    if (context->queue)
        annot__queue_destroy(context);
    else
        annot_context_close(context);
    annot__scopes_finish(device, &context->dropped);
    annot__release(device, context, sizeof *context);
}
