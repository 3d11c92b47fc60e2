/* Functions that the files of this folder share, in this order: messages, chunks, arenas, dropped
 * markers, references, objects, queues. */
#pragma once

#include "base/compiler.h"
#include "record/types.h"

/* ---- message.c ---- */

/* Formats a message in a fixed buffer and calls the message callback. The caller holds no lock. */
ANNOT__PRINTF(4, 5)
void annot__message(const annot_device *device, annot_message_id id, annot_severity severity,
                    const char *format, ...);

/* Reports that the program called `call` wrongly, if `device` is not NULL. Returns
 * ANNOT_ERROR_INVALID_ARGUMENT. */
annot_result annot__misuse(const annot_device *device, const char *call, const char *what);

/* ---- chunk.c: chunks of marker memory, and their slots, whose numbers are in EventIDs ---- */

/* Returns a slot whose idle chunk has room for a record of `record_bytes`. Counts the chunk against
 * the budget unless `unbudgeted`. Returns NULL if memory or the budget is used up. */
struct annot__slot *annot__chunk_acquire(annot_device *device, uint64_t record_bytes,
                                         bool unbudgeted);

/* Takes a chunk back from an arena. The caller has already subtracted its bytes from the budget. */
void annot__chunk_release(annot_device *device, struct annot__slot *slot);

/* Takes bytes from the budget. If the budget is used up, first frees completed queue markers. */
bool annot__budget_take(annot_device *device, uint64_t bytes);

/* Frees all chunks of marker memory. Every arena and every oversized chunk must be gone. */
void annot__chunks_finish(annot_device *device);

/* ---- arena.c ---- */

/* Makes an arena. `queue_object` is the identity of the queue that owns the arena, or 0 for a
 * command allocator's arena. Returns NULL if memory runs out. */
struct annot_arena *annot__arena_init(annot_device *device, uint64_t queue_object);
void annot__arenas_finish(annot_device *device);

/* Returns space for a record of `bytes` bytes; the caller fills and publishes the record. If memory
 * runs out, returns NULL and leaves the cursor unchanged. */
struct annot__record *annot__cursor_reserve(struct annot__cursor *cursor, uint64_t bytes);

/* Raises the cursor's limit for a record of `bytes` bytes. Returns false if the chunk is full. */
bool annot__cursor_extend(struct annot__cursor *cursor, uint64_t bytes);

/* Makes `record`, which was just reserved, the RECORDING record of the markers that follow. */
void annot__cursor_set_recording(struct annot__cursor *cursor, const struct annot__record *record);

/* ---- dropped.c: markers and scopes for which memory was missing ---- */

/* Returns an EventID for a dropped marker of `size` bytes, and counts the loss. */
uint64_t annot__drop(annot_device *device, uint32_t size);

/* Reports why a marker of `size` bytes, or a submission (size 0), was not kept. Lack of memory is
 * reported only once until memory is freed. The caller holds no lock. */
void annot__drop_report(annot_device *device, uint32_t size);

void annot__scopes_init(struct annot__dropped_scopes *scopes);
void annot__scopes_finish(annot_device *device, struct annot__dropped_scopes *scopes);
void annot__scopes_push(annot_device *device, struct annot__dropped_scopes *scopes, uint64_t id);
/* Removes the innermost dropped scope. Returns its EventID, or 0 if it was not stored. */
uint64_t annot__scopes_pop(struct annot__dropped_scopes *scopes);

/* ---- context.c ---- */

/* Returns the number of ExecuteBundle calls in the list's recording so far. */
uint32_t annot__bundle_calls(const annot_context *list);

/* ---- reference.c: payloads that are not copied from the application's memory ---- */

#define ANNOT__REFERENCE_PIECE 32768u /* largest number of bytes that one read copies */

enum annot__reference_state {
    ANNOT__REFERENCE_SAME,
    ANNOT__REFERENCE_CHANGED,
    ANNOT__REFERENCE_UNREADABLE
};

/* Makes a reference to the `size` bytes at `data`; `size` is at least 1. */
struct annot__reference annot__reference_make(const void *data, uint32_t size);

/* Reads a payload by reference again. `first` gets its first ANNOT__REFERENCE_PIECE bytes, if
 * readable. */
enum annot__reference_state annot__reference_read(const struct annot__reference *reference,
                                                  void *first);

/* ---- object.c ---- */

/* Writes an object's number and, if the object has a name, the name, for messages: "12 'shadows'".
 * Takes the lock of the device's objects. */
#define ANNOT__TITLE_NAME 96u
struct annot__title {
    char text[ANNOT__TITLE_NAME + 32];
};
struct annot__title annot__title_of(const annot_object *object);

/* Returns how often an object was named. A thread reads this number before it reads the name. If
 * the number is different later, the name may have changed. */
static inline uint64_t annot__object_renamed(const annot_object *object)
{
    return atomic_load_explicit(&object->renamed, memory_order_acquire);
}

/* Returns how many bytes of a name a record stores. */
static inline uint32_t annot__name_size(size_t size)
{
    return size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

void annot__objects_finish(annot_device *device);

/* ---- fact.c ---- */

void annot__facts_finish(annot_device *device);

/* ---- queue.c ---- */

/* Makes the struct annot__queue for a queue's context. Returns false if memory runs out. */
bool annot__queue_create(annot_context *context);
void annot__queue_destroy(annot_context *context);
void annot__queue_record(annot_context *context, const struct annot__marker *marker);
void annot__queue_end(annot_context *context);

/* ---- evict.c: frees memory of queues; the caller holds the queue's lock ---- */

/* Returns the record of a scope that is open or around stored markers, or NULL if evicted. */
struct annot__record *annot__queue_scope(const struct annot__queue *queue, uint64_t id);

/* Returns the EventID of the innermost known scope around scopes that eviction dropped, or 0. */
uint64_t annot__queue_gap(const struct annot__queue *queue);

/* Frees a queue's oldest markers. Returns false if none are left, or a thread reads the arena. */
bool annot__queue_evict(struct annot__queue *queue);

/* This is annot_device.evict. Frees the oldest markers of any queue. The caller holds no lock, or
 * one queue's lock. */
bool annot__queues_evict(annot_device *device);

/* Frees the scopes that evict.c kept for a destroyed queue. The caller holds annot_arena.guard. */
void annot__arena_let_go_of_kept(struct annot_arena *arena);
