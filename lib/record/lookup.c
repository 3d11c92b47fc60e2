/* Finds an EventID's marker: slot, chunk, segment, record. */
#include "record/record.h"
#include "base/sized.h"

static struct annot__record *record_at(struct annot__chunk *chunk, uint32_t unit)
{
    return (struct annot__record *)(void *)((char *)chunk + (size_t)unit * ANNOT__UNIT);
}

/* Returns the record that begins exactly at `unit`, or NULL. The walk begins at the segment's first
 * record. */
static struct annot__record *find_record(struct annot__chunk *chunk, uint32_t unit, uint32_t *word,
                                         uint64_t *recording)
{
    uint32_t index = unit * ANNOT__UNIT / ANNOT__SEGMENT_SIZE;
    /* The walk is a chain of dependent loads, after the load of the segment's note. So prefetch the
     * note, and all memory that the walk may touch, before the note is known. */
    ANNOT__PREFETCH(&chunk->segment[index]);
    for (uint32_t line = index * (ANNOT__SEGMENT_SIZE / ANNOT__UNIT); line <= unit;
         line += 64 / ANNOT__UNIT)
        ANNOT__PREFETCH(record_at(chunk, line));
    uint32_t noted = atomic_load_explicit(&chunk->segment[index], memory_order_acquire);
    uint32_t at = noted & 0xFFFFu;
    uint32_t recording_unit = noted >> 16;
    if (at == 0)
        return NULL;
    while (at <= unit) {
        struct annot__record *record = record_at(chunk, at);
        *word = atomic_load_explicit(&record->word, memory_order_acquire);
        enum annot__kind kind = annot__word_kind(*word);
        if (kind == ANNOT__KIND_NONE)
            return NULL;
        if (at == unit) {
            *recording = recording_unit ? chunk->id_base + recording_unit : chunk->recording;
            return kind == ANNOT__KIND_BEGIN || kind == ANNOT__KIND_SET ? record : NULL;
        }
        if (kind == ANNOT__KIND_RECORDING)
            recording_unit = at;
        at += (uint32_t)(annot__record_bytes(annot__word_size(*word)) / ANNOT__UNIT);
    }
    return NULL;
}

/* Reads a record. Hold the arena's guard. */
static void read_record(struct annot__record *record, uint32_t word, uint64_t id, uint64_t object,
                        annot_marker_info *info, void *buffer, size_t capacity)
{
    const struct annot__reference *reference =
        annot__word_is_reference(word) ? annot__record_payload(record) : NULL;
    *info = (annot_marker_info){
        .event_id = id,
        .parent = annot__record_parent_id(record),
        .object = object,
        .metadata = record->metadata,
        .size = reference ? reference->size : annot__word_size(word),
        .is_scope = annot__word_kind(word) == ANNOT__KIND_BEGIN,
        .is_closed = word & ANNOT__WORD_CLOSED,
        .is_by_reference = reference != NULL,
    };
    size_t bytes = info->size < capacity ? info->size : capacity;
    if (!reference && bytes > 0)
        memcpy(buffer, annot__record_payload(record), bytes);
}

/* Reads a marker of a live slot. Hold the arena's guard. */
static annot_lookup read_marker(annot_device *device, const annot_arena *arena,
                                struct annot__slot *slot, uint64_t id, annot_marker_info *info,
                                void *buffer, size_t capacity)
{
    uint32_t word;
    uint64_t recording;
    struct annot__record *record = find_record(slot->chunk, annot__id_unit(id), &word, &recording);
    if (!record)
        return ANNOT_LOOKUP_NEVER_ISSUED;
    uint64_t object = arena->queue_object;
    if (recording) {
        struct annot__recording *header =
            annot__record_payload(annot__device_record(device, recording));
        object = header->object;
    }
    read_record(record, word, id, object, info, buffer, capacity);
    return ANNOT_LOOKUP_LIVE;
}

/* Looks for a kept scope of a queue, if the chunk of the EventID is gone. */
static annot_lookup lookup_kept(annot_device *device, uint64_t id, annot_marker_info *info,
                                void *buffer, size_t capacity)
{
    annot_arena *arena = atomic_load_explicit(&device->arenas, memory_order_acquire);
    annot_lookup answer = ANNOT_LOOKUP_EXPIRED;
    if (atomic_load_explicit(&device->kept_scopes, memory_order_relaxed) == 0)
        return answer;
    for (; arena && answer == ANNOT_LOOKUP_EXPIRED; arena = arena->next) {
        annot__mutex_lock(&arena->guard);
        struct annot__kept *kept = arena->kept;
        while (kept && kept->id != id)
            kept = kept->inner;
        if (kept) {
            read_record(&kept->record,
                        atomic_load_explicit(&kept->record.word, memory_order_relaxed), id,
                        arena->queue_object, info, buffer, capacity);
            answer = ANNOT_LOOKUP_LIVE;
        }
        annot__mutex_unlock(&arena->guard);
    }
    return answer;
}

static annot_lookup lookup_dropped(annot_device *device, uint64_t id)
{
    uint64_t issued = atomic_load_explicit(&device->dropped_ids, memory_order_relaxed);
    return annot__id_is_issued_dropped(id, issued) ? ANNOT_LOOKUP_DROPPED
                                                   : ANNOT_LOOKUP_NEVER_ISSUED;
}

static annot_lookup device_lookup(annot_device *device, uint64_t event_id, annot_marker_info *info,
                                  void *buffer, size_t capacity)
{
    if (!device || annot__is_inherited(device))
        return ANNOT_LOOKUP_NEVER_ISSUED;
    if (!buffer)
        capacity = 0;
    uint32_t number = annot__id_slot(event_id);
    uint32_t use = annot__id_use(event_id);
    if (annot__id_is_dropped(event_id))
        return lookup_dropped(device, event_id);
    if (number >= atomic_load_explicit(&device->slot_count, memory_order_acquire))
        return ANNOT_LOOKUP_NEVER_ISSUED;
    struct annot__slot *slot = annot__device_slot(device, number);
    uint32_t current = atomic_load_explicit(&slot->use, memory_order_acquire);
    if (use == 0 || use > current)
        return ANNOT_LOOKUP_NEVER_ISSUED;
    if (use < current)
        return lookup_kept(device, event_id, info, buffer, capacity);

    /* The chunk may get another arena before the lock is taken, so only reads under the lock
     * count. */
    annot_arena *arena = atomic_load_explicit(&slot->arena, memory_order_acquire);
    annot__mutex_lock(&arena->guard);
    annot_lookup answer = ANNOT_LOOKUP_EXPIRED;
    if (atomic_load_explicit(&slot->arena, memory_order_relaxed) == arena &&
        annot__slot_is_live(slot, arena) &&
        atomic_load_explicit(&slot->use, memory_order_relaxed) == use)
        answer = read_marker(device, arena, slot, event_id, info, buffer, capacity);
    annot__mutex_unlock(&arena->guard);
    return answer == ANNOT_LOOKUP_EXPIRED ? lookup_kept(device, event_id, info, buffer, capacity)
                                          : answer;
}

annot_lookup annot_device_lookup_sized(annot_device *device, uint64_t event_id,
                                       annot_marker_info *info, size_t info_size, void *buffer,
                                       size_t capacity)
{
    annot_marker_info whole = {0};
    annot_lookup answer = device_lookup(device, event_id, &whole, buffer, capacity);
    if (answer == ANNOT_LOOKUP_LIVE)
        annot__give(info, info_size, &whole, sizeof whole);
    return answer;
}

/* Returns the newest dropped marker with this unit, which follows from the number of dropped
 * markers. */
static uint64_t newest_dropped(const annot_device *device, uint32_t unit)
{
    uint64_t issued = atomic_load_explicit(&device->dropped_ids, memory_order_relaxed);
    if (issued <= unit)
        return 0;
    return annot__id_of_dropped(issued - 1 - (issued - 1 - unit) % ANNOT__ID_UNITS);
}

uint64_t annot_device_event_from_word(const annot_device *device, uint32_t word)
{
    uint32_t number = annot__id_slot(word), unit = annot__id_unit(word);
    if (!device || annot__is_inherited(device))
        return 0;
    if (annot__id_is_dropped(word))
        return newest_dropped(device, unit);
    if (unit < ANNOT__CHUNK_FIRST_UNIT ||
        number >= atomic_load_explicit(&device->slot_count, memory_order_acquire))
        return 0;
    const struct annot__slot *slot = annot__device_slot(device, number);
    uint32_t use = atomic_load_explicit(&slot->use, memory_order_acquire);
    return use ? annot__id_make(use, number, unit) : 0;
}
