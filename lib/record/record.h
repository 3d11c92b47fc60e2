/* The functions that the files of this folder share, from the bottom up: messages, chunks, arenas,
 * dropped markers, references, objects, queues. */
#pragma once

#include "base/compiler.h"
#include "record/types.h"

/* ---- message.c ---- */

/* Formats a message into a fixed buffer and calls the callback. Hold no lock. */
ANNOT__PRINTF(4, 5)
void annot__message(const annot_device *device, annot_message_id id, annot_severity severity,
                    const char *format, ...);

/* Sends a message that `call` is wrong, if there is a device. Returns ANNOT_ERROR_INVALID_ARGUMENT.
 */
annot_result annot__misuse(const annot_device *device, const char *call, const char *what);

/* ---- chunk.c: memory, and its slots, which are a part of EventIDs ---- */

/* Returns a slot with an idle chunk that has room for a record of `record_bytes`. Charges the
 * budget unless `unbudgeted`. NULL: out of memory, or the budget is used up. */
struct annot__slot *annot__chunk_acquire(annot_device *device, uint64_t record_bytes,
                                         bool unbudgeted);

/* Takes the chunk back from an arena. The caller must have returned the budget. */
void annot__chunk_release(annot_device *device, struct annot__slot *slot);

/* Charges the budget; if it is full, evicts completed queue markers. */
bool annot__budget_take(annot_device *device, uint64_t bytes);

/* Frees all chunks, after every arena and oversized chunk is gone. */
void annot__chunks_finish(annot_device *device);

/* ---- arena.c ---- */

/* `queue_object`: the queue that owns the arena; 0 for the arena of a command allocator. NULL means
 * out of memory. */
struct annot_arena *annot__arena_init(annot_device *device, uint64_t queue_object);
void annot__arenas_finish(annot_device *device);

/* Returns room for a record of `bytes`, which the caller fills and publishes. NULL: out of memory;
 * then the cursor is unchanged. */
struct annot__record *annot__cursor_reserve(struct annot__cursor *cursor, uint64_t bytes);

/* Raises the limit so that one record of `bytes` fits, if the chunk has room and only the segment
 * is full. */
bool annot__cursor_extend(struct annot__cursor *cursor, uint64_t bytes);

/* Makes `record`, just reserved, the current recording. */
void annot__cursor_set_recording(struct annot__cursor *cursor, const struct annot__record *record);

/* ---- dropped.c: markers without memory, and the scopes among them ---- */

/* An EventID for a marker of `size` bytes that is not retained; counts the loss. */
uint64_t annot__drop(annot_device *device, uint32_t size);

/* Reports why a marker of this size, or a submission (size 0), was not retained. Lack of memory is
 * reported once, until memory was freed. Hold no lock. */
void annot__drop_report(annot_device *device, uint32_t size);

void annot__scopes_init(struct annot__dropped_scopes *scopes);
void annot__scopes_finish(annot_device *device, struct annot__dropped_scopes *scopes);
void annot__scopes_push(annot_device *device, struct annot__dropped_scopes *scopes, uint64_t id);
/* Returns the innermost scope's EventID; 0 if it could not be kept. */
uint64_t annot__scopes_pop(struct annot__dropped_scopes *scopes);

/* ---- context.c ---- */

/* The number of ExecuteBundle calls in the list's recording so far. */
uint32_t annot__bundle_calls(const annot_context *list);

/* ---- reference.c: payloads that the application keeps ---- */

#define ANNOT__REFERENCE_PIECE 32768u /* most bytes that are read at once */

enum annot__reference_state {
    ANNOT__REFERENCE_SAME,
    ANNOT__REFERENCE_CHANGED,
    ANNOT__REFERENCE_UNREADABLE
};

/* `size`: at least 1. */
struct annot__reference annot__reference_make(const void *data, uint32_t size);

/* Stores the first ANNOT__REFERENCE_PIECE bytes in `first`, if they can be read. */
enum annot__reference_state annot__reference_read(const struct annot__reference *reference,
                                                  void *first);

/* ---- object.c ---- */

/* Writes an object's number, and its name if it has one, for messages: "12 'shadows'". Takes the
 * lock of the device's objects. */
#define ANNOT__TITLE_NAME 96u
struct annot__title {
    char text[ANNOT__TITLE_NAME + 32];
};
struct annot__title annot__title_of(const annot_object *object);

/* How often the object got a name. A thread reads this before the name, to find out later whether
 * the name may have changed. */
static inline uint64_t annot__object_renamed(const annot_object *object)
{
    return atomic_load_explicit(&object->renamed, memory_order_acquire);
}

/* The size of a name as records have it. */
static inline uint32_t annot__name_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void annot__objects_finish(annot_device *device);

/* ---- fact.c ---- */

void annot__facts_finish(annot_device *device);

/* ---- queue.c ---- */

/* Makes the context's queue object; false means out of memory. */
bool annot__queue_create(annot_context *context);
void annot__queue_destroy(annot_context *context);
void annot__queue_record(annot_context *context, const struct annot__marker *marker);
void annot__queue_end(annot_context *context);

/* ---- evict.c: frees memory of queues; under the queue's lock ---- */

/* The record of a scope that is open or around kept markers; NULL: it is in the gap. */
struct annot__record *annot__queue_scope(const struct annot__queue *queue, uint64_t id);

/* The EventID of the kept scope around the gap, 0: none. */
uint64_t annot__queue_gap(const struct annot__queue *queue);

/* Frees the oldest chunk, unless a thread is reading the arena. False means that no chunk may be
 * freed. */
bool annot__queue_evict(struct annot__queue *queue);

/* annot_device.evict: frees one chunk of some queue. The caller holds no lock, or that of one
 * queue. */
bool annot__queues_evict(annot_device *device);

/* Frees kept scopes after the arena's queue is gone. Called with `guard`. */
void annot__arena_let_go_of_kept(struct annot_arena *arena);
