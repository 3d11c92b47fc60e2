/*
 * Evidence for layers that act as the driver. A slot is a pair of words. A recording holds the slot
 * that it was given, and every execution that writes a slot counts as one flight of it; a slot is
 * free when it is neither held nor in flight.
 *
 *     flights    what is in flight, in order of submission: queue, serial, list, bundle -> slot
 *     rows       as many as flights, so that a report needs no memory
 *
 * An execution that could not be noted keeps its slot in flight for ever: nothing is claimed about
 * it, and no other execution gets words that a GPU may still write.
 */
#include "record/record.h"
#include "base/sized.h"

#include <annot/evidence.h>

#include <string.h>

#define NO_SLOT UINT32_MAX

struct slot {
    uint32_t flights;
    uint32_t next_free;
    bool is_held;
    bool is_shared;        /* two executions in flight wrote it, and can't be told apart */
    uint64_t queue;        /* of the flights */
    uint32_t owner;        /* for a report: the last flight that claimed `completed`, and ... */
    uint32_t last_entered; /* ... the last that the GPU came to; NO_FLIGHT: none */
};

#define NO_FLIGHT UINT32_MAX

struct flight {
    uint64_t queue;  /* object id */
    uint64_t object; /* of the list or bundle */
    uint64_t serial;
    uint32_t list, bundle;
    uint32_t slot; /* or NO_SLOT */
    /* Words of this execution alone, which say when it took over those of `slot` from an earlier
     * one; or NO_SLOT: it had them from the start. */
    uint32_t own;
};

struct annot_tracker {
    annot_device *device;
    annot_tracker_desc desc;
    struct annot__mutex lock;
    struct slot *slots;
    uint32_t slot_count, free_slot;
    struct flight *flights;
    annot_progress *rows;
    uint32_t flight_count, flight_capacity;
};

/* A list that was given words; annot_context.tracked. */
struct annot__tracked {
    uint32_t slot;
    struct tracked_bundle {
        uint64_t object;
        uint32_t slot;
    } * bundles; /* that the recording executes, in order */
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
        return __atomic_load_n((const uint64_t *)(const void *)at, __ATOMIC_RELAXED);
    return __atomic_load_n((const uint32_t *)(const void *)at, __ATOMIC_RELAXED);
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

/* Words of its own for an execution whose recording is in flight already, so that the two stay
 * apart: when both are on one queue, and there are words. */
static uint32_t slot_take_apart(annot_tracker *tracker, uint32_t slot, uint64_t queue)
{
    if (slot == NO_SLOT)
        return NO_SLOT;
    const struct slot *of = &tracker->slots[slot];
    if (of->flights == 0 || of->is_shared || of->queue != queue)
        return NO_SLOT;
    return slot_take(tracker);
}

static void slot_launch(annot_tracker *tracker, uint32_t slot, uint32_t own, uint64_t queue)
{
    if (slot == NO_SLOT)
        return;
    struct slot *of = &tracker->slots[slot];
    if (of->flights++ > 0) {
        of->is_shared |= own == NO_SLOT;
        return;
    }
    of->is_shared = false;
    of->queue = queue;
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

static annot_result tracker_create(annot_device *device, const annot_tracker_desc *desc,
                                   annot_tracker **out)
{
    if (!device || !desc)
        return annot__misuse(device, "annot_tracker_create", "no description");
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

annot_result annot_tracker_create_sized(annot_device *device, const annot_tracker_desc *desc,
                                        size_t desc_size, annot_tracker **out)
{
    annot_tracker_desc known_desc = {0};
    if (!out)
        return annot__misuse(device, "annot_tracker_create", "nowhere to put the tracker");
    *out = NULL;
    if (!annot__take(&known_desc, sizeof known_desc, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    return tracker_create(device, desc ? &known_desc : NULL, out);
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
    struct tracked_bundle *bundles = annot__allocate(tracker->device, capacity * sizeof *bundles,
                                                     _Alignof(struct tracked_bundle));
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
        list->tracked->bundles[list->tracked->bundle_count++] = (struct tracked_bundle){
            bundle->object->id, bundle->tracked ? bundle->tracked->slot : NO_SLOT};
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
        if (lists[i] && lists[i]->tracked)
            flights += lists[i]->tracked->bundle_count;
    return flights;
}

/* Under the lock. */
static void launch(annot_tracker *tracker, const struct flight *flight, bool has_room)
{
    slot_launch(tracker, flight->slot, flight->own, flight->queue);
    if (flight->own != NO_SLOT)
        tracker->slots[flight->own].flights++;
    if (has_room)
        tracker->flights[tracker->flight_count++] = *flight;
}

/* Under the lock: the list that `flight` names, and its bundles. */
static void launch_list(annot_tracker *tracker, struct flight flight,
                        const struct annot__tracked *tracked, bool has_room)
{
    launch(tracker, &flight, has_room);
    flight.own = NO_SLOT;
    for (uint32_t i = 0; tracked && i < tracked->bundle_count; i++) {
        flight.bundle = i + 1;
        flight.object = tracked->bundles[i].object;
        flight.slot = tracked->bundles[i].slot;
        launch(tracker, &flight, has_room);
    }
}

static annot_prologue prologue_of(const annot_tracker *tracker, const struct flight *flight)
{
    const annot_words own = words_of(tracker, flight->own),
                      shared = words_of(tracker, flight->slot);
    if (flight->own == NO_SLOT)
        return (annot_prologue){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    return (annot_prologue){own.started, shared.completed, own.completed};
}

/* At most one of `words` and `prologues` is given. A NULL list, and all of a NULL queue, find no
 * words. */
static uint64_t submit(annot_tracker *tracker, annot_context *queue, annot_context *const *lists,
                       uint32_t count, annot_words *words, annot_prologue *prologues)
{
    for (uint32_t i = 0; i < count && words; i++)
        words[i] = (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    for (uint32_t i = 0; i < count && prologues; i++)
        prologues[i] = (annot_prologue){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    if (!tracker || !queue || !queue->queue || !lists)
        return annot_context_submit(queue, lists, count);
    annot__mutex_lock(&tracker->lock);
    bool has_room = reserve_flights(tracker, flights_of(lists, count));
    struct flight flight = {
        .queue = queue->object->id,
        .serial = annot_context_submit(queue, lists, count),
    };
    for (flight.list = 0; flight.list < count; flight.list++) {
        if (!lists[flight.list])
            continue;
        const struct annot__tracked *tracked = lists[flight.list]->tracked;
        flight.object = lists[flight.list]->object->id;
        flight.slot = words ? slot_take(tracker) : tracked ? tracked->slot : NO_SLOT;
        flight.own = NO_SLOT;
        if (prologues && has_room)
            flight.own = slot_take_apart(tracker, flight.slot, flight.queue);
        launch_list(tracker, flight, tracked, has_room);
        if (words)
            words[flight.list] = words_of(tracker, flight.slot);
        if (prologues)
            prologues[flight.list] = prologue_of(tracker, &flight);
    }
    annot__mutex_unlock(&tracker->lock);
    return flight.serial;
}

uint64_t annot_tracker_submit(annot_tracker *tracker, annot_context *queue,
                              annot_context *const *lists, uint32_t count, annot_words *words)
{
    return submit(tracker, queue, lists, count, words, NULL);
}

uint64_t annot_tracker_submit_apart(annot_tracker *tracker, annot_context *queue,
                                    annot_context *const *lists, uint32_t count,
                                    annot_prologue *prologues)
{
    return submit(tracker, queue, lists, count, NULL, prologues);
}

/* Under the lock: those of the queue whose serials lie from `first` to `last` are in flight no
 * more. */
static void land(annot_tracker *tracker, const annot_context *queue, uint64_t first, uint64_t last)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct flight *flight = &tracker->flights[i];
        if (flight->queue == queue->object->id && flight->serial >= first &&
            flight->serial <= last) {
            slot_land(tracker, flight->slot);
            slot_land(tracker, flight->own);
        } else {
            tracker->flights[left++] = *flight;
        }
    }
    tracker->flight_count = left;
}

annot_result annot_tracker_withdraw(annot_tracker *tracker, annot_context *queue, uint64_t serial)
{
    if (!tracker)
        return annot_context_withdraw(queue, serial);
    annot__mutex_lock(&tracker->lock);
    annot_result result = annot_context_withdraw(queue, serial);
    if (result == ANNOT_OK)
        land(tracker, queue, serial, serial);
    annot__mutex_unlock(&tracker->lock);
    return result;
}

void annot_tracker_completed(annot_tracker *tracker, annot_context *queue, uint64_t serial)
{
    annot_context_completed(queue, serial);
    if (!tracker || !queue || !queue->queue)
        return;
    uint64_t completed = atomic_load_explicit(&queue->queue->completed, memory_order_acquire);
    annot__mutex_lock(&tracker->lock);
    land(tracker, queue, 0, completed);
    annot__mutex_unlock(&tracker->lock);
}

/* ---- the report ---- */

/* The EventID in a word; *is_lost when it has a value that no marker has. */
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

/* Under the lock: which flight the words of each slot belong to. */
static void find_owners(annot_tracker *tracker)
{
    for (uint32_t i = 0; i < tracker->flight_count; i++)
        if (tracker->flights[i].slot != NO_SLOT) {
            struct slot *slot = &tracker->slots[tracker->flights[i].slot];
            slot->owner = slot->last_entered = NO_FLIGHT;
        }
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct flight *flight = &tracker->flights[i];
        if (flight->slot == NO_SLOT)
            continue;
        struct slot *slot = &tracker->slots[flight->slot];
        const annot_words own = words_of(tracker, flight->own);
        if (flight->own == NO_SLOT || word_at(tracker, own.completed) != 0)
            slot->owner = i;
        if (flight->own == NO_SLOT || word_at(tracker, own.started) != 0)
            slot->last_entered = i;
    }
}

/* What `started` says of an execution whose `completed` is not written: that markers were
 * reached. */
static void row_fill_started(const annot_tracker *tracker, uint64_t started, annot_progress *row)
{
    bool is_lost = false;
    const uint64_t event = event_of(tracker, started, &is_lost);
    if (is_lost || event == 0)
        return;
    row->inside = ANNOT_INSIDE_STARTED;
    row->started = event;
}

/* The flight that the words belong to, up to `completed` at least. */
static void row_fill_words(const annot_tracker *tracker, annot_words words, bool has_started,
                           annot_progress *row)
{
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
    uint64_t started_event = has_started ? event_of(tracker, started, &is_lost) : 0;
    uint64_t completed_event = event_of(tracker, completed, &is_lost);
    row->inside = is_lost       ? ANNOT_INSIDE_LOST
                  : has_started ? ANNOT_INSIDE_TRACKED
                                : ANNOT_INSIDE_COMPLETED;
    if (is_lost)
        return;
    row->state = ANNOT_PROGRESS_STARTED;
    row->started = started_event;
    row->completed = completed_event;
}

/* Leaves the row UNKNOWN where the words are none, or those of two executions that can't be told
 * apart. */
static void row_fill(const annot_tracker *tracker, uint32_t index, annot_progress *row)
{
    const struct flight *flight = &tracker->flights[index];
    if (flight->slot == NO_SLOT || tracker->slots[flight->slot].is_shared)
        return;
    const struct slot *slot = &tracker->slots[flight->slot];
    const annot_words words = words_of(tracker, flight->slot);
    const bool is_last = slot->last_entered == index;
    if (!tracker->desc.writes_completed) {
        if (is_last)
            row_fill_started(tracker, word_at(tracker, words.started), row);
    } else if (slot->owner == index) {
        row_fill_words(tracker, words, is_last, row);
    } else if (slot->owner != NO_FLIGHT && index < slot->owner) {
        row->state = ANNOT_PROGRESS_FINISHED; /* the owner claimed the words behind its work */
    } else if (word_at(tracker, words_of(tracker, flight->own).started) != 0) {
        row->state = ANNOT_PROGRESS_STARTED;
    } else if (tracker->desc.writes_entered) {
        row->state = ANNOT_PROGRESS_NOT_STARTED;
    }
}

/* Under the lock. */
static uint32_t rows_fill(annot_tracker *tracker, annot_progress *rows, uint32_t capacity)
{
    uint32_t count = tracker->flight_count < capacity ? tracker->flight_count : capacity;
    find_owners(tracker);
    for (uint32_t i = 0; i < count; i++) {
        const struct flight *flight = &tracker->flights[i];
        rows[i] = (annot_progress){
            .queue = flight->queue,
            .object = flight->object,
            .submission = flight->serial,
            .list = flight->list,
            .bundle = flight->bundle,
        };
        row_fill(tracker, i, &rows[i]);
    }
    return count;
}

bool annot_tracker_report(annot_tracker *tracker, annot_crash_report *report)
{
    uint64_t wait_left = ANNOT__CRASH_WAIT_NS;
    if (!tracker || !report || !annot__mutex_try_for(&tracker->lock, &wait_left))
        return false;
    report->order_window = tracker->desc.order_window;
    report->promises = tracker->desc.promises;
    report->progress = tracker->rows;
    report->progress_count = rows_fill(tracker, tracker->rows, tracker->flight_count);
    annot__mutex_unlock(&tracker->lock);
    return true;
}

bool annot_tracker_copy_rows(annot_tracker *tracker, annot_progress *rows, uint32_t capacity,
                             uint32_t *count, uint32_t *in_flight)
{
    uint64_t wait_left = ANNOT__CRASH_WAIT_NS;
    if (!count || !in_flight)
        return false;
    *count = *in_flight = 0;
    if (!tracker || (!rows && capacity > 0) || !annot__mutex_try_for(&tracker->lock, &wait_left))
        return false;
    *count = rows_fill(tracker, rows, capacity);
    *in_flight = tracker->flight_count;
    annot__mutex_unlock(&tracker->lock);
    return true;
}
