/* The functions that the files of this folder share, from the bottom up: messages, chunks, arenas,
 * dropped markers, references, objects, queues. */
#pragma once

#include "base/compiler.h"
#include "record/types.h"

/* ---- message.c ---- */

/* Formats a message in a fixed buffer and calls the message callback. Hold no lock. */
ANNOT__PRINTF(4, 5)
void annot__message(const annot_device *device, annot_message_id id, annot_severity severity,
                    const char *format, ...);

/* Sends a message that `call` is wrong, unless `device` is NULL. Returns
 * ANNOT_ERROR_INVALID_ARGUMENT. */
annot_result annot__misuse(const annot_device *device, const char *call, const char *what);

/* ---- chunk.c: memory in chunks, and slots, whose numbers are a part of EventIDs ---- */

/* Returns a slot with an idle chunk that has room for a record of `record_bytes`. Charges the
 * budget unless `unbudgeted`. Returns NULL if memory or the budget is used up. */
struct annot__slot *annot__chunk_acquire(annot_device *device, uint64_t record_bytes,
                                         bool unbudgeted);

/* Takes a chunk back from an arena. The caller must have given the bytes back to the budget. */
void annot__chunk_release(annot_device *device, struct annot__slot *slot);

/* Charges the budget; if the budget is full, evicts completed queue markers. */
bool annot__budget_take(annot_device *device, uint64_t bytes);

/* Frees all chunks, after every arena and oversized chunk is gone. */
void annot__chunks_finish(annot_device *device);

/* ---- arena.c ---- */

/* Makes an arena. `queue_object` is the queue that owns the arena, or 0 for a command allocator's
 * arena. Returns NULL if memory runs out. */
struct annot_arena *annot__arena_init(annot_device *device, uint64_t queue_object);
void annot__arenas_finish(annot_device *device);

/* Returns room for a record of `bytes`, which the caller fills and publishes. Returns NULL if
 * memory runs out; the cursor is then unchanged. */
struct annot__record *annot__cursor_reserve(struct annot__cursor *cursor, uint64_t bytes);

/* Raises the limit so that a record of `bytes` fits, if only the segment is full, not the chunk. */
bool annot__cursor_extend(struct annot__cursor *cursor, uint64_t bytes);

/* Makes `record`, which was just reserved, the current recording. */
void annot__cursor_set_recording(struct annot__cursor *cursor, const struct annot__record *record);

/* ---- dropped.c: markers that got no memory, and the scopes among them ---- */

/* Returns an EventID for a marker of `size` bytes that is not retained, and counts the loss. */
uint64_t annot__drop(annot_device *device, uint32_t size);

/* Reports why a marker of this size, or a submission (size 0), was not retained. It reports a lack
 * of memory once, until memory is freed. Hold no lock. */
void annot__drop_report(annot_device *device, uint32_t size);

void annot__scopes_init(struct annot__dropped_scopes *scopes);
void annot__scopes_finish(annot_device *device, struct annot__dropped_scopes *scopes);
void annot__scopes_push(annot_device *device, struct annot__dropped_scopes *scopes, uint64_t id);
/* Removes the innermost scope. Returns the scope's EventID, or 0 if it was not kept. */
uint64_t annot__scopes_pop(struct annot__dropped_scopes *scopes);

/* ---- context.c ---- */

/* Returns the number of ExecuteBundle calls in the list's recording so far. */
uint32_t annot__bundle_calls(const annot_context *list);

/* ---- reference.c: payloads that the application owns ---- */

#define ANNOT__REFERENCE_PIECE 32768u /* largest number of bytes read at once */

enum annot__reference_state {
    ANNOT__REFERENCE_SAME,
    ANNOT__REFERENCE_CHANGED,
    ANNOT__REFERENCE_UNREADABLE
};

/* Makes a reference to `size` (at least 1) bytes at `data`. */
struct annot__reference annot__reference_make(const void *data, uint32_t size);

/* Reads the payload again; its first ANNOT__REFERENCE_PIECE bytes go to `first`, if readable. */
enum annot__reference_state annot__reference_read(const struct annot__reference *reference,
                                                  void *first);

/* ---- object.c ---- */

/* Writes an object's number and name, if there is a name, for messages: "12 'shadows'". Takes the
 * lock of the device's objects. */
#define ANNOT__TITLE_NAME 96u
struct annot__title {
    char text[ANNOT__TITLE_NAME + 32];
};
struct annot__title annot__title_of(const annot_object *object);

/* Returns how often the object got a name. A thread reads this number before the name, to find out
 * later whether the name may have changed. */
static inline uint64_t annot__object_renamed(const annot_object *object)
{
    return atomic_load_explicit(&object->renamed, memory_order_acquire);
}

/* Returns the size of a name in records. */
static inline uint32_t annot__name_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void annot__objects_finish(annot_device *device);

/* ---- fact.c ---- */

void annot__facts_finish(annot_device *device);

/* ---- queue.c ---- */

/* Makes the context's annot__queue. Returns false if memory runs out. */
bool annot__queue_create(annot_context *context);
void annot__queue_destroy(annot_context *context);
void annot__queue_record(annot_context *context, const struct annot__marker *marker);
void annot__queue_end(annot_context *context);

/* ---- evict.c: frees memory of queues. Hold the queue's lock ---- */

/* Returns the record of a scope that is open or around kept markers; NULL: the scope is
 * forgotten. */
struct annot__record *annot__queue_scope(const struct annot__queue *queue, uint64_t id);

/* Returns the EventID of the kept scope around forgotten scopes, or 0. */
uint64_t annot__queue_gap(const struct annot__queue *queue);

/* Frees the oldest chunk, unless a thread is reading the arena. Returns false if none can be
 * freed. */
bool annot__queue_evict(struct annot__queue *queue);

/* annot_device.evict: frees a chunk of some queue. The caller holds no lock, or one queue's
 * lock. */
bool annot__queues_evict(annot_device *device);

/* Frees kept scopes after the arena's queue was destroyed. Hold annot_arena.guard. */
void annot__arena_let_go_of_kept(struct annot_arena *arena);
