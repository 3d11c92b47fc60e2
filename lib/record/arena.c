/* Marker memory with the lifetime of a command allocator.
 *
 *     first -> chunk -> chunk -> chunk -> chunk -> chunk
 *              |---- live_count ----|    |--- cached --|
 *
 * Recording appends to the last live chunk and makes cached chunks live. Reset sets live_count to 0
 * and so makes all chunks cached: the memory stays, the EventIDs expire. Chunks that the previous
 * cycle didn't need go back to the device, so an arena has the memory of its busiest recent
 * frame. */
#include "record/record.h"

/* ---- the cursor ---- */

/* Notes a record that will begin at `at`, a terminated place, if it is the first of its segment. */
static void segment_note(const struct annot__cursor *cursor, uintptr_t at)
{
    struct annot__chunk *chunk = cursor->slot->chunk;
    uint32_t offset = (uint32_t)(at - (uintptr_t)chunk);
    _Atomic uint32_t *segment = &chunk->segment[offset / ANNOT__SEGMENT_SIZE];
    if (atomic_load_explicit(segment, memory_order_relaxed) == 0)
        atomic_store_explicit(segment, offset / ANNOT__UNIT | cursor->recording_unit << 16,
                              memory_order_release);
}

static void record_terminate(uintptr_t at)
{
    struct annot__record *record = (struct annot__record *)at;
    atomic_store_explicit(&record->word, ANNOT__WORD(ANNOT__KIND_NONE, 0), memory_order_relaxed);
}

/* Begins a new use of the cursor's slot. The slot has no live markers, so no reader uses it. */
static void chunk_start(struct annot__cursor *cursor, struct annot__slot *slot)
{
    struct annot_arena *arena = cursor->arena;
    struct annot__chunk *chunk = slot->chunk;
    uint32_t use = atomic_load_explicit(&slot->use, memory_order_relaxed) + 1;
    chunk->id_base = annot__id_make(use, slot->number, 0);
    chunk->recording = cursor->recording;
    for (uint32_t i = 0; i < ANNOT__SEGMENTS; i++)
        atomic_store_explicit(&chunk->segment[i], 0, memory_order_relaxed);

    cursor->slot = slot;
    cursor->recording_unit = 0;
    cursor->at = (uintptr_t)(chunk + 1);
    cursor->place_bias = annot__id_place(chunk->id_base) - (uintptr_t)chunk;
    record_terminate(cursor->at);
    segment_note(cursor, cursor->at);

    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_relaxed);
    uint64_t position = atomic_load_explicit(&arena->live_first, memory_order_relaxed) + count;
    atomic_store_explicit(&slot->arena, arena, memory_order_relaxed);
    atomic_store_explicit(&slot->position, position, memory_order_relaxed);
    atomic_store_explicit(&slot->use, use, memory_order_release);
    atomic_store_explicit(&arena->live_count, count + 1, memory_order_release);
    arena->live_bytes += chunk->size;
    arena->oversized += chunk->size != ANNOT__CHUNK_SIZE;
}

static _Atomic(struct annot__slot *) *chain_end(const struct annot__cursor *cursor)
{
    return cursor->slot ? &cursor->slot->next : &cursor->arena->first;
}

/* Returns the next cached chunk, charged to the budget, or NULL if there is none or no budget. */
static struct annot__slot *cached_take(struct annot__cursor *cursor)
{
    _Atomic(struct annot__slot *) *link = chain_end(cursor);
    struct annot__slot *slot;
    while ((slot = atomic_load_explicit(link, memory_order_relaxed))) {
        if (atomic_load_explicit(&slot->use, memory_order_relaxed) != UINT32_MAX)
            return annot__budget_take(cursor->arena->device, slot->chunk->size) ? slot : NULL;
        atomic_store_explicit(link, atomic_load_explicit(&slot->next, memory_order_relaxed),
                              memory_order_relaxed);
        annot__chunk_release(cursor->arena->device, slot);
    }
    return NULL;
}

static bool advance(struct annot__cursor *cursor, uint64_t bytes)
{
    struct annot__slot *slot = bytes <= ANNOT__CHUNK_CAPACITY ? cached_take(cursor) : NULL;
    if (!slot) {
        slot = annot__chunk_acquire(cursor->arena->device, bytes, cursor->unbudgeted);
        if (slot) {
            _Atomic(struct annot__slot *) *link = chain_end(cursor);
            atomic_store_explicit(&slot->next, atomic_load_explicit(link, memory_order_relaxed),
                                  memory_order_relaxed);
            atomic_store_explicit(link, slot, memory_order_release);
        }
    }
    if (!slot)
        return false;
    chunk_start(cursor, slot);
    return true;
}

static bool has_room(const struct annot__cursor *cursor, uint64_t bytes)
{
    if (!cursor->slot || cursor->slot->chunk->size != ANNOT__CHUNK_SIZE)
        return false;
    uintptr_t end = (uintptr_t)cursor->slot->chunk + ANNOT__CHUNK_SIZE - ANNOT__UNIT;
    return bytes <= end - cursor->at;
}

/* Terminates and notes the place behind the record beforehand, so that the caller may bump, fill
 * and publish as on the fast path. */
bool annot__cursor_extend(struct annot__cursor *cursor, uint64_t bytes)
{
    if (!has_room(cursor, bytes))
        return false;
    uintptr_t end = (uintptr_t)cursor->slot->chunk + ANNOT__CHUNK_SIZE - ANNOT__UNIT;
    uintptr_t next = cursor->at + (uintptr_t)bytes;
    uintptr_t segment_end = (next | (ANNOT__SEGMENT_SIZE - 1u)) + 1u;
    segment_note(cursor, cursor->at);
    record_terminate(next);
    segment_note(cursor, next);
    cursor->limit = segment_end < end ? segment_end : end;
    return true;
}

/* Behind the record the cursor is terminated and its segment noted, so a fast path may go on until
 * `limit`. */
struct annot__record *annot__cursor_reserve(struct annot__cursor *cursor, uint64_t bytes)
{
    if (!has_room(cursor, bytes) && !advance(cursor, bytes))
        return NULL;
    struct annot__record *record = (struct annot__record *)cursor->at;
    if (annot__cursor_extend(cursor, bytes)) {
        cursor->at += (uintptr_t)bytes;
        return record;
    }
    /* An oversized chunk has only one record. The cursor stays inside the first 64 KiB, where the
     * EventID is. */
    record_terminate(cursor->at + (uintptr_t)bytes);
    cursor->limit = cursor->at;
    return record;
}

/* If the record ended exactly at a segment's end, the next segment was noted with the old
 * recording. */
void annot__cursor_set_recording(struct annot__cursor *cursor, const struct annot__record *record)
{
    struct annot__chunk *chunk = cursor->slot->chunk;
    uint32_t offset = (uint32_t)(cursor->at - (uintptr_t)chunk);
    uint32_t unit = offset / ANNOT__UNIT;
    _Atomic uint32_t *segment = &chunk->segment[offset / ANNOT__SEGMENT_SIZE];
    cursor->recording = annot__cursor_id(cursor, record);
    cursor->recording_unit = annot__id_unit(cursor->recording);
    if ((atomic_load_explicit(segment, memory_order_relaxed) & 0xFFFFu) == unit)
        atomic_store_explicit(segment, unit | cursor->recording_unit << 16, memory_order_release);
}

/* ---- the arena ---- */

struct annot_arena *annot__arena_init(annot_device *device, uint64_t queue_object)
{
    annot__mutex_lock(&device->pool_lock);
    struct annot_arena *arena = device->free_arenas;
    if (arena)
        device->free_arenas = arena->next_free;
    annot__mutex_unlock(&device->pool_lock);

    if (!arena) {
        arena = annot__allocate(device, sizeof *arena, ANNOT__MAX_ALIGN);
        if (!arena)
            return NULL;
        uint64_t number = atomic_fetch_add_explicit(&device->arena_count, 1, memory_order_relaxed);
        *arena =
            (struct annot_arena){.device = device, .live_first = number * ANNOT__ARENA_POSITIONS};
        annot__mutex_init(&arena->guard);
        while (!atomic_compare_exchange_weak_explicit(&device->arenas, &arena->next, arena,
                                                      memory_order_release, memory_order_relaxed))
            ;
    }
    annot__mutex_lock(&arena->guard);
    arena->queue_object = queue_object;
    atomic_store_explicit(&arena->first_thread, 0, memory_order_relaxed);
    arena->cursor = (struct annot__cursor){.arena = arena};
    annot__mutex_unlock(&arena->guard);
    return arena;
}

annot_result annot_arena_create(annot_device *device, annot_arena **out)
{
    if (!out)
        return annot__misuse(device, "annot_arena_create", "`out` must not be NULL");
    *out = NULL;
    if (!device)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    *out = annot__arena_init(device, 0);
    return *out ? ANNOT_OK : ANNOT_ERROR_OUT_OF_MEMORY;
}

/* Makes every live chunk cached. Hold the guard. */
static void expire_all(struct annot_arena *arena)
{
    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_relaxed);
    atomic_store_explicit(&arena->live_count, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&arena->live_first, count, memory_order_relaxed);
    atomic_fetch_sub_explicit(&arena->device->live_bytes, arena->live_bytes, memory_order_relaxed);
    arena->live_bytes = 0;
    if (count) /* there is memory again, so the next loss is reported */
        atomic_store_explicit(&arena->device->drop_reported, false, memory_order_relaxed);
}

/* Gives a chain of chunks that are not live back to the device. */
static void chain_release(annot_device *device, struct annot__slot *slot)
{
    while (slot) {
        struct annot__slot *next = atomic_load_explicit(&slot->next, memory_order_relaxed);
        annot__chunk_release(device, slot);
        slot = next;
    }
}

/* Frees oversized chunks, which are not kept for the next recording. Their count is mostly 0, so a
 * reset takes the same time for any number of markers. Hold the guard. */
static void drop_oversized(struct annot_arena *arena)
{
    _Atomic(struct annot__slot *) *link = &arena->first;
    struct annot__slot *slot;
    while (arena->oversized && (slot = atomic_load_explicit(link, memory_order_relaxed))) {
        if (slot->chunk->size == ANNOT__CHUNK_SIZE) {
            link = &slot->next;
            continue;
        }
        atomic_store_explicit(link, atomic_load_explicit(&slot->next, memory_order_relaxed),
                              memory_order_relaxed);
        annot__chunk_release(arena->device, slot);
        arena->oversized--;
    }
}

annot_result annot_arena_reset(annot_arena *arena)
{
    if (!arena)
        return ANNOT_OK;
    if (annot__is_inherited(arena->device))
        return ANNOT_ERROR_FORKED;
    if (atomic_load_explicit(&arena->recording, memory_order_acquire))
        return ANNOT_ERROR_BUSY;
    annot__mutex_lock(&arena->guard);
    _Atomic(struct annot__slot *) *used_end = chain_end(&arena->cursor);
    struct annot__slot *excess = atomic_load_explicit(used_end, memory_order_relaxed);
    atomic_store_explicit(used_end, NULL, memory_order_relaxed);
    expire_all(arena);
    drop_oversized(arena);
    arena->cursor = (struct annot__cursor){.arena = arena};
    annot__mutex_unlock(&arena->guard);
    chain_release(arena->device, excess);
    return ANNOT_OK;
}

void annot_arena_destroy(annot_arena *arena)
{
    if (!arena || annot__is_inherited(arena->device))
        return;
    annot_device *device = arena->device;
    if (atomic_load(&arena->recording)) {
        annot__message(device, ANNOT_MESSAGE_MISUSE, ANNOT_SEVERITY_ERROR,
                       "annot_arena_destroy: a list still records into the arena, so the arena is "
                       "kept; close the list first");
        return;
    }
    annot__mutex_lock(&arena->guard);
    struct annot__slot *chain = atomic_load_explicit(&arena->first, memory_order_relaxed);
    atomic_store_explicit(&arena->first, NULL, memory_order_relaxed);
    expire_all(arena);
    atomic_fetch_sub_explicit(&device->live_bytes, arena->kept_bytes, memory_order_relaxed);
    annot__arena_let_go_of_kept(arena);
    arena->oversized = 0;
    annot__mutex_unlock(&arena->guard);
    chain_release(device, chain);

    annot__mutex_lock(&device->pool_lock);
    arena->next_free = device->free_arenas;
    device->free_arenas = arena;
    annot__mutex_unlock(&device->pool_lock);
}

void annot__arenas_finish(annot_device *device)
{
    struct annot_arena *arena = atomic_load(&device->arenas);
    while (arena) {
        struct annot_arena *next = arena->next;
        annot__arena_let_go_of_kept(arena);
        annot__mutex_finish(&arena->guard);
        annot__release(device, arena, sizeof *arena);
        arena = next;
    }
}
