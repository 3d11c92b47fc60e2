/*
 * Evidence for layers that are the driver. Words come in pairs, a slot each. A slot is held by the recording that was
 * given it, and in flight once for every execution that writes it; it is free when it is neither.
 *
 *     flights    what is in flight, in order of submission: queue, serial, list, bundle -> slot
 *     rows       as many as flights, so that a report needs no memory
 *
 * An execution that could not be noted keeps its slot in flight for ever: nothing is claimed of it, and nobody else gets
 * the words that a GPU may still write.
 */
#include "record/record.h"

#include <annot/evidence.h>

#include <string.h>

#define NO_SLOT UINT32_MAX

struct slot {
    uint32_t flights;
    uint32_t next_free;
    bool is_held;
    bool is_shared; /* two executions in flight wrote it */
};

struct flight {
    uint64_t queue; /* object id */
    uint64_t serial;
    uint32_t list, bundle;
    uint32_t slot; /* or NO_SLOT */
};

struct annot_tracker {
    annot_device *device;
    annot_tracker_desc desc;
    annot__mutex lock;
    struct slot *slots;
    uint32_t slot_count, free_slot;
    struct flight *flights;
    annot_progress *rows;
    uint32_t flight_count, flight_capacity;
};

/* A list that was given words; annot_context.tracked. */
struct annot__tracked {
    uint32_t slot;
    uint32_t *bundles; /* slots of the bundles that the recording executes, in order */
    uint32_t bundle_count, bundle_capacity;
};

/* ---- words ---- */

static annot_words words_of(const annot_tracker *tracker, uint32_t slot)
{
    if (slot == NO_SLOT)
        return (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    uint64_t started = (uint64_t)slot * 2 * tracker->desc.word_size;
    return (annot_words){started, started + tracker->desc.word_size};
}

static uint64_t word_at(const annot_tracker *tracker, uint64_t offset)
{
    const char *at = (const char *)tracker->desc.memory + offset;
    if (tracker->desc.word_size == 8)
        return *(const volatile uint64_t *)(const void *)at;
    return *(const volatile uint32_t *)(const void *)at;
}

static void clear_words(const annot_tracker *tracker, uint32_t slot)
{
    memset((char *)tracker->desc.memory + words_of(tracker, slot).started, 0,
           (size_t)tracker->desc.word_size * 2);
}

/* ---- slots; under the lock ---- */

static uint32_t slot_take(annot_tracker *tracker)
{
    uint32_t slot = tracker->free_slot;
    if (slot == NO_SLOT)
        return NO_SLOT;
    tracker->free_slot = tracker->slots[slot].next_free;
    tracker->slots[slot] = (struct slot){0};
    clear_words(tracker, slot);
    return slot;
}

static void slot_free_if_unused(annot_tracker *tracker, uint32_t slot)
{
    if (slot == NO_SLOT || tracker->slots[slot].is_held || tracker->slots[slot].flights > 0)
        return;
    tracker->slots[slot].next_free = tracker->free_slot;
    tracker->free_slot = slot;
}

static void slot_let_go(annot_tracker *tracker, uint32_t slot)
{
    if (slot == NO_SLOT)
        return;
    tracker->slots[slot].is_held = false;
    slot_free_if_unused(tracker, slot);
}

static void slot_launch(annot_tracker *tracker, uint32_t slot)
{
    if (slot == NO_SLOT)
        return;
    if (tracker->slots[slot].flights++ > 0) {
        tracker->slots[slot].is_shared = true;
        return;
    }
    tracker->slots[slot].is_shared = false;
    clear_words(tracker, slot);
}

static void slot_land(annot_tracker *tracker, uint32_t slot)
{
    if (slot == NO_SLOT)
        return;
    tracker->slots[slot].flights--;
    slot_free_if_unused(tracker, slot);
}

/* ---- creation ---- */

annot_result annot_tracker_create(annot_device *device, const annot_tracker_desc *desc,
                                  annot_tracker **out)
{
    assert(device && desc && out);
    *out = NULL;
    if ((desc->word_size != 4 && desc->word_size != 8) ||
        (uintptr_t)desc->memory % desc->word_size != 0)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    uint64_t count = desc->memory ? desc->memory_size / (2 * desc->word_size) : 0;
    if (count >= NO_SLOT || count > SIZE_MAX / sizeof(struct slot))
        return ANNOT_ERROR_TOO_LARGE;
    annot_tracker *tracker = annot__allocate(device, sizeof *tracker, _Alignof(annot_tracker));
    struct slot *slots = NULL;
    if (tracker && count > 0)
        slots = annot__allocate(device, (size_t)count * sizeof *slots, _Alignof(struct slot));
    if (!tracker || (count > 0 && !slots)) {
        annot__release(device, tracker, sizeof *tracker);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    *tracker = (annot_tracker){
        .device = device,
        .desc = *desc,
        .slots = slots,
        .slot_count = (uint32_t)count,
        .free_slot = NO_SLOT,
    };
    annot__mutex_init(&tracker->lock);
    for (uint32_t slot = tracker->slot_count; slot-- > 0;) {
        slots[slot] = (struct slot){.next_free = tracker->free_slot};
        tracker->free_slot = slot;
    }
    *out = tracker;
    return ANNOT_OK;
}

void annot_tracker_destroy(annot_tracker *tracker)
{
    if (!tracker)
        return;
    annot_device *device = tracker->device;
    annot__release(device, tracker->flights, tracker->flight_capacity * sizeof *tracker->flights);
    annot__release(device, tracker->rows, tracker->flight_capacity * sizeof *tracker->rows);
    annot__release(device, tracker->slots, tracker->slot_count * sizeof *tracker->slots);
    annot__mutex_finish(&tracker->lock);
    annot__release(device, tracker, sizeof *tracker);
}

/* ---- recordings ---- */

/* Under the lock. */
static struct annot__tracked *tracked_of(annot_tracker *tracker, annot_context *list)
{
    if (!list->tracked) {
        list->tracked = annot__allocate(tracker->device, sizeof *list->tracked,
                                        _Alignof(struct annot__tracked));
        if (list->tracked)
            *list->tracked = (struct annot__tracked){.slot = NO_SLOT};
    }
    return list->tracked;
}

annot_words annot_tracker_record(annot_tracker *tracker, annot_context *list)
{
    uint32_t slot = NO_SLOT;
    if (!tracker || !list || !annot_context_forwards(list))
        return words_of(tracker, NO_SLOT);
    annot__mutex_lock(&tracker->lock);
    struct annot__tracked *tracked = tracked_of(tracker, list);
    if (tracked) {
        slot_let_go(tracker, tracked->slot);
        tracked->bundle_count = 0;
        tracked->slot = slot = slot_take(tracker);
        if (slot != NO_SLOT)
            tracker->slots[slot].is_held = true;
    }
    annot__mutex_unlock(&tracker->lock);
    return words_of(tracker, slot);
}

void annot_tracker_forget(annot_tracker *tracker, annot_context *list)
{
    if (!tracker || !list || !list->tracked)
        return;
    annot__mutex_lock(&tracker->lock);
    struct annot__tracked *tracked = list->tracked;
    list->tracked = NULL;
    slot_let_go(tracker, tracked->slot);
    annot__mutex_unlock(&tracker->lock);
    annot__release(tracker->device, tracked->bundles,
                   tracked->bundle_capacity * sizeof *tracked->bundles);
    annot__release(tracker->device, tracked, sizeof *tracked);
}

/* Under the lock. False without memory. */
static bool reserve_bundle(annot_tracker *tracker, struct annot__tracked *tracked)
{
    if (tracked->bundle_count < tracked->bundle_capacity)
        return true;
    uint32_t capacity = tracked->bundle_capacity ? tracked->bundle_capacity * 2 : 8;
    uint32_t *bundles =
        annot__allocate(tracker->device, capacity * sizeof *bundles, _Alignof(uint32_t));
    if (!bundles)
        return false;
    if (tracked->bundle_count > 0)
        memcpy(bundles, tracked->bundles, tracked->bundle_count * sizeof *bundles);
    annot__release(tracker->device, tracked->bundles,
                   tracked->bundle_capacity * sizeof *tracked->bundles);
    tracked->bundles = bundles;
    tracked->bundle_capacity = capacity;
    return true;
}

/* A bundle that can't be noted gets no row; those behind it neither, since rows count calls. */
void annot_tracker_execute_bundle(annot_tracker *tracker, annot_context *list,
                                  annot_context *bundle)
{
    if (!list || !bundle)
        return;
    annot_context_execute_bundle(list, bundle);
    if (!tracker || !list->tracked || !annot_context_forwards(list))
        return;
    annot__mutex_lock(&tracker->lock);
    if (reserve_bundle(tracker, list->tracked))
        list->tracked->bundles[list->tracked->bundle_count++] =
            bundle->tracked ? bundle->tracked->slot : NO_SLOT;
    annot__mutex_unlock(&tracker->lock);
}

/* ---- in flight ---- */

/* Under the lock: room for `count` more. */
static bool reserve_flights(annot_tracker *tracker, uint64_t count)
{
    uint64_t needed = tracker->flight_count + count, capacity = tracker->flight_capacity;
    if (needed <= capacity)
        return true;
    while (capacity < needed)
        capacity = capacity ? capacity * 2 : 64;
    if (capacity > ANNOT_CRASH_REPORT_MAX_ROWS)
        return false;
    annot_device *device = tracker->device;
    struct flight *flights =
        annot__allocate(device, (size_t)capacity * sizeof *flights, _Alignof(struct flight));
    annot_progress *rows =
        annot__allocate(device, (size_t)capacity * sizeof *rows, _Alignof(annot_progress));
    if (!flights || !rows) {
        annot__release(device, flights, (size_t)capacity * sizeof *flights);
        annot__release(device, rows, (size_t)capacity * sizeof *rows);
        return false;
    }
    if (tracker->flight_count > 0)
        memcpy(flights, tracker->flights, tracker->flight_count * sizeof *flights);
    annot__release(device, tracker->flights, tracker->flight_capacity * sizeof *flights);
    annot__release(device, tracker->rows, tracker->flight_capacity * sizeof *rows);
    tracker->flights = flights;
    tracker->rows = rows;
    tracker->flight_capacity = (uint32_t)capacity;
    return true;
}

static uint64_t flights_of(annot_context *const *lists, uint32_t count)
{
    uint64_t flights = count;
    for (uint32_t i = 0; i < count; i++)
        if (lists[i]->tracked)
            flights += lists[i]->tracked->bundle_count;
    return flights;
}

/* Under the lock. `flight` has everything but the bundle and the slot. */
static void launch(annot_tracker *tracker, struct flight flight, uint32_t bundle, uint32_t slot,
                   bool has_room)
{
    slot_launch(tracker, slot);
    flight.bundle = bundle;
    flight.slot = slot;
    if (has_room)
        tracker->flights[tracker->flight_count++] = flight;
}

uint64_t annot_tracker_submit(annot_tracker *tracker, annot_context *queue,
                              annot_context *const *lists, uint32_t count, annot_words *words)
{
    if (!tracker)
        return annot_context_submit(queue, lists, count);
    annot__mutex_lock(&tracker->lock);
    bool has_room = reserve_flights(tracker, flights_of(lists, count));
    struct flight flight = {
        .queue = queue->object->id,
        .serial = annot_context_submit(queue, lists, count),
    };
    for (flight.list = 0; flight.list < count; flight.list++) {
        const struct annot__tracked *tracked = lists[flight.list]->tracked;
        uint32_t slot = words ? slot_take(tracker) : tracked ? tracked->slot : NO_SLOT;
        launch(tracker, flight, 0, slot, has_room);
        for (uint32_t i = 0; tracked && i < tracked->bundle_count; i++)
            launch(tracker, flight, i + 1, tracked->bundles[i], has_room);
        if (words)
            words[flight.list] = words_of(tracker, slot);
    }
    annot__mutex_unlock(&tracker->lock);
    return flight.serial;
}

void annot_tracker_completed(annot_tracker *tracker, annot_context *queue, uint64_t serial)
{
    annot_context_completed(queue, serial);
    if (!tracker)
        return;
    uint64_t completed = atomic_load_explicit(&queue->queue->completed, memory_order_acquire);
    uint32_t left = 0;
    annot__mutex_lock(&tracker->lock);
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct flight *flight = &tracker->flights[i];
        if (flight->queue == queue->object->id && flight->serial <= completed)
            slot_land(tracker, flight->slot);
        else
            tracker->flights[left++] = *flight;
    }
    tracker->flight_count = left;
    annot__mutex_unlock(&tracker->lock);
}

/* ---- the report ---- */

/* The EventID in a word; *is_lost when it has a value that nobody writes. */
static uint64_t event_of(const annot_tracker *tracker, uint64_t word, bool *is_lost)
{
    if (word <= ANNOT_WORD_LEFT)
        return 0;
    uint64_t event = tracker->desc.word_size == 8
                         ? word
                         : annot_device_event_from_word(tracker->device, (uint32_t)word);
    *is_lost |= event == 0;
    return event;
}

/* Leaves the row UNKNOWN where the words are none, or those of two executions, or where starts alone are written. */
static void row_fill(const annot_tracker *tracker, uint32_t slot, annot_progress *row)
{
    if (slot == NO_SLOT || tracker->slots[slot].is_shared || !tracker->desc.writes_completed)
        return;
    annot_words words = words_of(tracker, slot);
    uint64_t completed = word_at(tracker, words.completed),
             started = word_at(tracker, words.started);
    bool is_lost = false;
    if (completed == ANNOT_WORD_LEFT) {
        row->state = ANNOT_PROGRESS_FINISHED;
        return;
    }
    if (started == 0 && completed == 0) {
        if (tracker->desc.writes_entered)
            row->state = ANNOT_PROGRESS_NOT_STARTED;
        return;
    }
    uint64_t started_event = event_of(tracker, started, &is_lost);
    uint64_t completed_event = event_of(tracker, completed, &is_lost);
    row->inside = is_lost ? ANNOT_INSIDE_LOST : ANNOT_INSIDE_TRACKED;
    if (is_lost)
        return;
    row->state = ANNOT_PROGRESS_STARTED;
    row->started = started_event;
    row->completed = completed_event;
}

bool annot_tracker_report(annot_tracker *tracker, annot_crash_report *report)
{
    uint64_t wait_left = ANNOT__CRASH_WAIT_NS;
    assert(report);
    if (!tracker || !annot__mutex_try_for(&tracker->lock, &wait_left))
        return false;
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct flight *flight = &tracker->flights[i];
        tracker->rows[i] = (annot_progress){
            .queue = flight->queue,
            .submission = flight->serial,
            .list = flight->list,
            .bundle = flight->bundle,
        };
        row_fill(tracker, flight->slot, &tracker->rows[i]);
    }
    report->order_window = tracker->desc.order_window;
    report->progress = tracker->rows;
    report->progress_count = tracker->flight_count;
    annot__mutex_unlock(&tracker->lock);
    return true;
}
