/* Frees the oldest chunks of a queue's stream when memory runs out. Remaining records may be in
 * scopes that began in freed chunks. The records of these scopes are kept, so a scope that stays
 * open for hours needs only a few bytes.
 *
 *     stream   [   freed chunk   ] [ chunk ] [ chunk ] [ current chunk ]
 *     kept       A { B {                ^ A and B are around its first record
 *
 * Kept scopes have ANNOT__KEPT_BYTES. If a program forgets to end scopes, the outermost and the
 * newest stay. Those between are forgotten; the gap only counts them.
 */
#include "record/append.h"

static uint64_t kept_id(const struct annot__kept *kept)
{
    return kept ? kept->id : 0;
}

static struct annot__kept *find_kept(const annot_arena *arena, uint64_t id)
{
    struct annot__kept *kept = arena->innermost_kept;
    while (kept && kept->id != id)
        kept = kept->outer;
    return kept;
}

struct annot__record *annot__queue_scope(const struct annot__queue *queue, uint64_t id)
{
    annot_arena *arena = queue->cursor.arena;
    const struct annot__slot *slot = annot__device_slot(arena->device, annot__id_slot(id));
    if (atomic_load_explicit(&slot->use, memory_order_relaxed) == annot__id_use(id) &&
        annot__slot_is_live(slot, arena))
        return annot__device_record(arena->device, id);
    struct annot__kept *kept = find_kept(arena, id);
    return kept ? &kept->record : NULL;
}

uint64_t annot__queue_gap(const struct annot__queue *queue)
{
    return kept_id(queue->gap);
}

static void count_evicted(annot_device *device, uint64_t markers)
{
    atomic_fetch_add_explicit(&device->evicted_markers, markers, memory_order_relaxed);
}

/* ---- kept scopes; under the queue's lock and the arena's guard ---- */

/* Returns the thread that made the call of `record`, which is not its chunk's first; for NULL, the
 * last call's thread. */
static uint32_t thread_at(const struct annot_arena *arena, const struct annot__slot *slot,
                          const struct annot__record *record)
{
    uint32_t thread = atomic_load_explicit(&arena->first_thread, memory_order_relaxed);
    const char *at = (const char *)(slot->chunk + 1);
    for (;;) {
        const struct annot__record *of = (const struct annot__record *)(const void *)at;
        const uint32_t word = atomic_load_explicit(&of->word, memory_order_relaxed);
        if (of == record || annot__word_kind(word) == ANNOT__KIND_NONE)
            return thread;
        if (word == ANNOT__WORD(ANNOT__KIND_THREAD, 0))
            thread = of->metadata;
        at += annot__record_bytes(annot__word_size(word));
    }
}

/* Keeps a scope's record. `outer` is the kept scope around it, or NULL. Returns false without
 * memory. */
static bool keep(annot_arena *arena, struct annot__kept *outer, uint64_t id,
                 const struct annot__record *record, uint32_t thread)
{
    const uint32_t word = atomic_load_explicit(&record->word, memory_order_relaxed);
    const uint32_t size = annot__word_size(word);
    const size_t bytes = sizeof(struct annot__kept) + size;
    struct annot__kept *inner = outer ? outer->inner : arena->kept;
    struct annot__kept *kept =
        size < ANNOT__KEPT_BYTES ? annot__allocate(arena->device, bytes, ANNOT__MAX_ALIGN) : NULL;
    if (!kept)
        return false;
    *kept = (struct annot__kept){.outer = outer,
                                 .inner = inner,
                                 .id = id,
                                 .bytes = bytes,
                                 .thread = thread,
                                 .record = {.metadata = record->metadata,
                                            .parent = annot__id_place(kept_id(outer))}};
    atomic_store_explicit(&kept->record.word, word, memory_order_relaxed);
    memcpy(annot__record_payload(&kept->record), record + 1, size);
    *(outer ? &outer->inner : &arena->kept) = kept;
    *(inner ? &inner->outer : &arena->innermost_kept) = kept;
    if (inner)
        inner->record.parent = annot__id_place(id);
    arena->kept_bytes += bytes;
    atomic_fetch_add_explicit(&arena->device->kept_scopes, 1, memory_order_relaxed);
    return true;
}

static void let_go(annot_arena *arena, struct annot__kept *kept)
{
    *(kept->outer ? &kept->outer->inner : &arena->kept) = kept->inner;
    *(kept->inner ? &kept->inner->outer : &arena->innermost_kept) = kept->outer;
    if (kept->inner)
        kept->inner->record.parent = annot__id_place(kept_id(kept->outer));
    arena->kept_bytes -= kept->bytes;
    atomic_fetch_sub_explicit(&arena->device->kept_scopes, 1, memory_order_relaxed);
    annot__release(arena->device, kept, kept->bytes);
}

void annot__arena_let_go_of_kept(annot_arena *arena)
{
    while (arena->kept)
        let_go(arena, arena->kept);
}

/* ---- the gap; likewise ---- */

/* Forgets a scope in the gap; its End passes EventID 0. */
static void forget(struct annot__queue *queue, uint64_t id, const struct annot__record *record)
{
    if (!(atomic_load_explicit(&record->word, memory_order_relaxed) & ANNOT__WORD_CLOSED))
        queue->gap_open++;
    if (queue->open == id)
        queue->open = kept_id(queue->gap);
}

static struct annot__kept *inside_gap(const struct annot__queue *queue)
{
    return queue->gap ? queue->gap->inner : queue->cursor.arena->kept;
}

static void forget_kept(struct annot__queue *queue, struct annot__kept *kept)
{
    forget(queue, kept->id, &kept->record);
    count_evicted(queue->context->device, 1);
    let_go(queue->cursor.arena, kept);
}

/* Opens the gap behind the outermost scopes, which take half of the bytes. */
static void open_gap(struct annot__queue *queue)
{
    struct annot__kept *kept = queue->cursor.arena->kept;
    size_t bytes = 0;
    queue->has_gap = true;
    queue->gap = NULL;
    for (; kept && bytes + kept->bytes <= ANNOT__KEPT_BYTES / 2; kept = kept->inner) {
        bytes += kept->bytes;
        queue->gap = kept;
    }
}

/* Extends the gap from its begin, or from behind `outer`, up to the innermost kept scope. */
static void widen_gap(struct annot__queue *queue, struct annot__kept *outer)
{
    if (!queue->has_gap)
        queue->gap = outer;
    queue->has_gap = true;
    while (inside_gap(queue))
        forget_kept(queue, inside_gap(queue));
}

/* Keeps only the kept scopes around a record with the parent `base`. A missing parent is in the
 * gap. */
static void leave_kept(struct annot__queue *queue, uint64_t base)
{
    annot_arena *arena = queue->cursor.arena;
    const struct annot__kept *stay = find_kept(arena, base);
    if (!stay && queue->has_gap && (base || queue->gap_open))
        stay = queue->gap;
    else if (queue->has_gap && queue->gap_open == 0 && stay == queue->gap)
        queue->has_gap = false;
    while (arena->innermost_kept != stay) {
        if (arena->innermost_kept == queue->gap)
            queue->has_gap = false;
        count_evicted(arena->device, 1);
        let_go(arena, arena->innermost_kept);
    }
}

/* ---- chunks ---- */

static bool is_in(const struct annot__slot *slot, uint64_t id)
{
    return id && annot__id_slot(id) == slot->number &&
           annot__id_use(id) == atomic_load_explicit(&slot->use, memory_order_relaxed);
}

static uint64_t parent_of(const annot_device *device, uint64_t id)
{
    return annot__record_parent_id(annot__device_record(device, id));
}

/* Keeps the scopes of `slot`, the oldest, that are around the first record behind it. Returns their
 * number. */
static uint64_t keep_scopes(struct annot__queue *queue, const struct annot__slot *slot)
{
    annot_arena *arena = queue->cursor.arena;
    const annot_device *device = arena->device;
    const struct annot__slot *next = atomic_load_explicit(&slot->next, memory_order_relaxed);
    uint64_t id = annot__record_parent_id((const struct annot__record *)(next->chunk + 1));
    uint64_t base = id, count = 0;
    bool is_full = false;
    while (is_in(slot, base))
        base = parent_of(device, base);
    leave_kept(queue, base);
    struct annot__kept *outer = arena->innermost_kept;
    for (; is_in(slot, id); id = parent_of(device, id)) {
        const struct annot__record *record = annot__device_record(device, id);
        if (!is_full && keep(arena, outer, id, record, thread_at(arena, slot, record))) {
            count++;
            continue;
        }
        if (!is_full)
            widen_gap(queue, outer);
        is_full = true;
        forget(queue, id, record);
    }
    if (arena->kept_bytes > ANNOT__KEPT_BYTES && !queue->has_gap)
        open_gap(queue);
    while (arena->kept_bytes > ANNOT__KEPT_BYTES)
        forget_kept(queue, inside_gap(queue));
    return count;
}

struct contents {
    uint64_t markers, submissions;
};

static struct contents contents_of(const struct annot__slot *slot)
{
    struct contents count = {0, 0};
    char *at = (char *)(slot->chunk + 1);
    for (;;) {
        struct annot__record *record = (struct annot__record *)(void *)at;
        uint32_t word = atomic_load_explicit(&record->word, memory_order_relaxed);
        enum annot__kind kind = annot__word_kind(word);
        if (kind == ANNOT__KIND_NONE)
            return count;
        count.markers += kind == ANNOT__KIND_BEGIN || kind == ANNOT__KIND_SET;
        count.submissions += kind == ANNOT__KIND_SUBMISSION;
        at += annot__record_bytes(annot__word_size(word));
    }
}

/* Returns true if nothing of it is in flight. */
static bool is_idle(const struct annot__queue *queue)
{
    return atomic_load_explicit(&queue->completed, memory_order_acquire) >=
           atomic_load_explicit(&queue->submitted, memory_order_relaxed);
}

/* Takes the oldest chunk out of the arena without releasing the chunk. Hold the queue's lock and
 * the arena's guard. */
static void unlink_first(annot_arena *arena)
{
    struct annot__slot *slot = atomic_load_explicit(&arena->first, memory_order_relaxed);
    uint64_t size = slot->chunk->size;
    uint64_t count = atomic_load_explicit(&arena->live_count, memory_order_relaxed);
    atomic_store_explicit(&arena->first, atomic_load_explicit(&slot->next, memory_order_relaxed),
                          memory_order_relaxed);
    atomic_fetch_add_explicit(&arena->live_first, 1, memory_order_relaxed);
    atomic_store_explicit(&arena->live_count, count - 1, memory_order_release);
    arena->live_bytes -= size;
}

/* Evicts the first chunk. The current chunk, and chunks of unfinished submissions, stay. Markers
 * without a later submission belong to the next submission. If nothing is in flight
 * (`even_unsubmitted`), they are evicted before newer markers are lost. */
static bool evict_first(struct annot__queue *queue, bool even_unsubmitted)
{
    annot_arena *arena = queue->cursor.arena;
    struct annot__slot *slot = atomic_load_explicit(&arena->first, memory_order_relaxed);
    const uint64_t completed = atomic_load_explicit(&queue->completed, memory_order_acquire);
    if (slot == queue->cursor.slot ||
        (slot->serial > completed && !(even_unsubmitted && is_idle(queue))))
        return false;
    if (!annot__mutex_try(&arena->guard))
        return false;
    const struct contents lost = contents_of(slot);
    const uint64_t before = arena->kept_bytes, kept = keep_scopes(queue, slot);
    const uint64_t bytes = slot->chunk->size - (arena->kept_bytes - before);
    atomic_store_explicit(&arena->first_thread, thread_at(arena, slot, NULL), memory_order_relaxed);
    unlink_first(arena);
    annot__mutex_unlock(&arena->guard);
    atomic_fetch_sub_explicit(&arena->device->live_bytes, bytes, memory_order_relaxed);
    annot__chunk_release(arena->device, slot);
    count_evicted(arena->device, lost.markers - kept);
    atomic_fetch_add_explicit(&queue->evicted_submissions, lost.submissions, memory_order_relaxed);
    return true;
}

bool annot__queue_evict(struct annot__queue *queue)
{
    return evict_first(queue, false) || evict_first(queue, true);
}

static bool evict_some(const annot_device *device, bool even_unsubmitted)
{
    bool evicted = false;
    for (struct annot__queue *queue = device->queues; queue && !evicted; queue = queue->next) {
        if (!annot__mutex_try(&queue->lock))
            continue;
        evicted = evict_first(queue, even_unsubmitted);
        annot__mutex_unlock(&queue->lock);
    }
    return evicted;
}

/* Evicts a chunk of some queue, and skips busy queues, because a later call will evict their
 * chunks. Callers may hold their own queue's lock. */
bool annot__queues_evict(annot_device *device)
{
    if (!annot__mutex_try(&device->objects_lock))
        return false;
    const bool evicted = evict_some(device, false) || evict_some(device, true);
    annot__mutex_unlock(&device->objects_lock);
    return evicted;
}
