/* Tracks evidence for layers that act as the driver: the words of recordings, and executions in
 * flight. tracker_rows.c reads the words.
 *
 * An execution that could not be noted keeps its slot in flight for ever. Reports claim nothing
 * about the execution, and no other execution gets words that the GPU may still write. */
#include "record/tracker.h"
#include "base/sized.h"

/* The words that a recording writes: its words, and the words of the bundles that it executes
 * (annot_context.tracked). */
struct annot__tracked {
    uint32_t slot;
    uint32_t opens; /* annot_context.opens of the recording */
    struct tracked_bundle {
        uint64_t object; /* 0: a bundle of the recording executes the object */
        uint32_t slot, ordinal;
    } * bundles; /* the bundles in order */
    uint32_t bundle_count, bundle_capacity;
};

static void clear_words(const annot_tracker *tracker, uint32_t slot)
{
    memset((char *)tracker->desc.memory + annot__words_of(tracker, slot).started, 0,
           (size_t)tracker->desc.word_size * 2);
}

/* ---- slots; under the lock ---- */

static uint32_t slot_take(annot_tracker *tracker)
{
    uint32_t slot = tracker->free_slot;
    if (slot != ANNOT__NO_SLOT)
        tracker->free_slot = tracker->slots[slot].next_free;
    else if (tracker->touched_slots < tracker->slot_count)
        slot = tracker->touched_slots++;
    else
        return ANNOT__NO_SLOT;
    tracker->slots[slot] = (struct annot__words_slot){0};
    clear_words(tracker, slot);
    return slot;
}

static void slot_free_if_unused(annot_tracker *tracker, uint32_t slot)
{
    if (tracker->slots[slot].holders > 0 || tracker->slots[slot].flights > 0)
        return;
    tracker->slots[slot].next_free = tracker->free_slot;
    tracker->free_slot = slot;
}

static void slot_hold(annot_tracker *tracker, uint32_t slot)
{
    if (slot != ANNOT__NO_SLOT)
        tracker->slots[slot].holders++;
}

static void slot_let_go(annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return;
    tracker->slots[slot].holders--;
    slot_free_if_unused(tracker, slot);
}

/* If a recording is already in flight on the same queue, gives its new execution words of its own,
 * as long as there are words. */
static uint32_t slot_take_apart(annot_tracker *tracker, uint32_t slot, uint64_t queue)
{
    if (slot == ANNOT__NO_SLOT)
        return ANNOT__NO_SLOT;
    const struct annot__words_slot *of = &tracker->slots[slot];
    if (of->flights == 0 || of->is_shared || of->queue != queue)
        return ANNOT__NO_SLOT;
    return slot_take(tracker);
}

static void slot_launch(annot_tracker *tracker, uint32_t slot, uint32_t own, uint64_t queue)
{
    if (slot == ANNOT__NO_SLOT)
        return;
    struct annot__words_slot *of = &tracker->slots[slot];
    if (of->flights++ > 0) {
        of->is_shared |= own == ANNOT__NO_SLOT;
        return;
    }
    of->is_shared = false;
    of->queue = queue;
    clear_words(tracker, slot);
}

static void slot_land(annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return;
    tracker->slots[slot].flights--;
    slot_free_if_unused(tracker, slot);
}

/* ---- creation ---- */

annot_result annot_tracker_create_sized(annot_device *device, const annot_tracker_desc *desc,
                                        size_t desc_size, annot_tracker **out)
{
    annot_tracker_desc known = {0};
    if (!out)
        return annot__misuse(device, "annot_tracker_create", "`out` must not be NULL");
    *out = NULL;
    if (!ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (!device || !desc)
        return annot__misuse(device, "annot_tracker_create", "no description");
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if ((known.word_size != 4 && known.word_size != 8) ||
        (uintptr_t)known.memory % known.word_size != 0)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    uint64_t count = known.memory ? known.memory_size / (2 * known.word_size) : 0;
    if (count >= ANNOT__NO_SLOT || count > SIZE_MAX / sizeof(struct annot__words_slot))
        return ANNOT_ERROR_TOO_LARGE;
    annot_tracker *tracker = annot__allocate(device, sizeof *tracker, _Alignof(annot_tracker));
    struct annot__words_slot *slots = NULL;
    if (tracker && count > 0)
        slots = annot__allocate(device, (size_t)count * sizeof *slots,
                                _Alignof(struct annot__words_slot));
    if (!tracker || (count > 0 && !slots)) {
        annot__release(device, tracker, sizeof *tracker);
        return ANNOT_ERROR_OUT_OF_MEMORY;
    }
    *tracker = (annot_tracker){
        .device = device,
        .desc = known,
        .slots = slots,
        .slot_count = (uint32_t)count,
        .free_slot = ANNOT__NO_SLOT,
    };
    annot__mutex_init(&tracker->lock);
    *out = tracker;
    return ANNOT_OK;
}

void annot_tracker_destroy(annot_tracker *tracker)
{
    if (!annot__tracker_is_usable(tracker))
        return;
    annot_device *device = tracker->device;
    annot__release(device, tracker->flights, tracker->flight_capacity * sizeof *tracker->flights);
    annot__release(device, tracker->rows, tracker->flight_capacity * sizeof *tracker->rows);
    annot__release(device, tracker->slots, tracker->slot_count * sizeof *tracker->slots);
    annot__mutex_finish(&tracker->lock);
    annot__release(device, tracker, sizeof *tracker);
}

/* ---- recordings ---- */

/* Returns the entry of the list's last recording, or NULL if the recording is not tracked. */
static struct annot__tracked *tracked_now(const annot_context *list)
{
    struct annot__tracked *tracked = list->tracked;
    return tracked && tracked->opens == list->opens ? tracked : NULL;
}

/* Takes the words of an earlier recording from the list. Hold the lock. */
static void let_go(annot_tracker *tracker, struct annot__tracked *tracked)
{
    slot_let_go(tracker, tracked->slot);
    tracked->slot = ANNOT__NO_SLOT;
    while (tracked->bundle_count > 0)
        slot_let_go(tracker, tracked->bundles[--tracked->bundle_count].slot);
}

/* Tracks a recording that the list has begun. Returns NULL without memory. Hold the lock. */
static struct annot__tracked *track(annot_tracker *tracker, annot_context *list)
{
    if (list->tracked) {
        let_go(tracker, list->tracked);
    } else {
        list->tracked = annot__allocate(tracker->device, sizeof *list->tracked,
                                        _Alignof(struct annot__tracked));
        if (!list->tracked)
            return NULL;
        *list->tracked = (struct annot__tracked){.slot = ANNOT__NO_SLOT};
    }
    list->tracked->opens = list->opens;
    return list->tracked;
}

annot_words annot_tracker_record(annot_tracker *tracker, annot_context *list)
{
    uint32_t slot = ANNOT__NO_SLOT;
    if (!annot__tracker_is_usable(tracker) || !list ||
        (!annot_context_forwards(list) && !list->tracked))
        return annot__words_of(tracker, ANNOT__NO_SLOT);
    annot__mutex_lock(&tracker->lock);
    struct annot__tracked *tracked = track(tracker, list);
    if (tracked && annot_context_forwards(list)) {
        tracked->slot = slot = slot_take(tracker);
        slot_hold(tracker, slot);
    }
    annot__mutex_unlock(&tracker->lock);
    return annot__words_of(tracker, slot);
}

void annot_tracker_forget(annot_tracker *tracker, annot_context *list)
{
    if (!annot__tracker_is_usable(tracker) || !list || !list->tracked)
        return;
    annot__mutex_lock(&tracker->lock);
    struct annot__tracked *tracked = list->tracked;
    list->tracked = NULL;
    let_go(tracker, tracked);
    annot__mutex_unlock(&tracker->lock);
    annot__release(tracker->device, tracked->bundles,
                   tracked->bundle_capacity * sizeof *tracked->bundles);
    annot__release(tracker->device, tracked, sizeof *tracked);
}

/* Makes room for bundles. Returns false without memory. Hold the lock. */
static bool reserve_bundles(annot_tracker *tracker, struct annot__tracked *tracked, uint32_t count)
{
    const uint64_t needed = (uint64_t)tracked->bundle_count + count;
    uint64_t capacity = 8;
    if (needed <= tracked->bundle_capacity)
        return true;
    while (capacity < needed)
        capacity *= 2;
    if (capacity > ANNOT_CRASH_REPORT_MAX_ROWS)
        return false;
    struct tracked_bundle *bundles = annot__allocate(
        tracker->device, (size_t)capacity * sizeof *bundles, _Alignof(struct tracked_bundle));
    if (!bundles)
        return false;
    if (tracked->bundle_count > 0)
        memcpy(bundles, tracked->bundles, tracked->bundle_count * sizeof *bundles);
    annot__release(tracker->device, tracked->bundles,
                   tracked->bundle_capacity * sizeof *tracked->bundles);
    tracked->bundles = bundles;
    tracked->bundle_capacity = (uint32_t)capacity;
    return true;
}

/* Gives up the words of a bundle whose execution can't be noted. Hold the lock. */
static void slot_give_up(annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return;
    slot_hold(tracker, slot);
    tracker->slots[slot].is_stray = true;
}

static void add_bundle(annot_tracker *tracker, struct annot__tracked *tracked,
                       struct tracked_bundle bundle)
{
    slot_hold(tracker, bundle.slot);
    tracked->bundles[tracked->bundle_count++] = bundle;
}

/* Notes the n-th bundle that the list executes, and the bundles inside this bundle; `inside` is
 * NULL if these are not tracked. An untracked list becomes tracked if it writes words. Hold the
 * lock. */
static void note_bundle(annot_tracker *tracker, annot_context *list, uint64_t object,
                        const struct annot__tracked *inside, uint32_t ordinal)
{
    struct annot__tracked *tracked = tracked_now(list);
    if (!tracked && inside)
        tracked = track(tracker, list);
    const uint32_t inner = inside ? inside->bundle_count : 0;
    if (!tracked || !reserve_bundles(tracker, tracked, inner + 1)) {
        slot_give_up(tracker, inside ? inside->slot : ANNOT__NO_SLOT);
        for (uint32_t i = 0; i < inner; i++)
            slot_give_up(tracker, inside->bundles[i].slot);
        return;
    }
    add_bundle(tracker, tracked,
               (struct tracked_bundle){object, inside ? inside->slot : ANNOT__NO_SLOT, ordinal});
    for (uint32_t i = 0; i < inner; i++)
        if (inside->bundles[i].slot != ANNOT__NO_SLOT)
            add_bundle(tracker, tracked, (struct tracked_bundle){.slot = inside->bundles[i].slot});
}

void annot_tracker_execute_bundle(annot_tracker *tracker, annot_context *list,
                                  annot_context *bundle)
{
    if (!list || !bundle)
        return;
    annot_context_execute_bundle(list, bundle);
    if (!annot__tracker_is_usable(tracker) || !list->is_recording || list->queue || bundle->queue)
        return;
    annot__mutex_lock(&tracker->lock);
    note_bundle(tracker, list, bundle->object->id, tracked_now(bundle), annot__bundle_calls(list));
    annot__mutex_unlock(&tracker->lock);
}

/* ---- in flight ---- */

/* Makes room for `count` more flights. Hold the lock. */
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
    struct annot__flight *flights =
        annot__allocate(device, (size_t)capacity * sizeof *flights, _Alignof(struct annot__flight));
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

/* A submission that is being made. At most one of `words` and `prologues` is set. */
struct tracked_submission {
    annot_tracker *tracker;
    const annot_context *queue;
    annot_list_function at;
    const void *lists;
    uint32_t count;
    annot_words *words;
    annot_prologue *prologues;
    annot_submit_function make;
    void *user;
};

static uint64_t flights_of(const struct tracked_submission *submission)
{
    uint64_t flights = submission->count;
    for (uint32_t i = 0; i < submission->count; i++) {
        const annot_context *list = submission->at(submission->lists, i);
        const struct annot__tracked *tracked = list ? tracked_now(list) : NULL;
        flights += tracked ? tracked->bundle_count : 0;
    }
    return flights;
}

/* Under the lock. */
static void launch(annot_tracker *tracker, const struct annot__flight *flight, bool has_room)
{
    slot_launch(tracker, flight->slot, flight->own, flight->queue);
    if (flight->own != ANNOT__NO_SLOT)
        tracker->slots[flight->own].flights++;
    if (has_room)
        tracker->flights[tracker->flight_count++] = *flight;
}

/* Notes the flight of a list, and the flights of its bundles. Hold the lock. */
static void launch_list(annot_tracker *tracker, struct annot__flight flight,
                        const struct annot__tracked *tracked, bool has_room)
{
    launch(tracker, &flight, has_room);
    flight.own = ANNOT__NO_SLOT;
    for (uint32_t i = 0; tracked && i < tracked->bundle_count; i++) {
        flight.bundle = tracked->bundles[i].ordinal;
        flight.object = tracked->bundles[i].object;
        flight.slot = tracked->bundles[i].slot;
        launch(tracker, &flight, has_room);
    }
}

static const annot_prologue no_prologue = {ANNOT_WORDS_NONE, ANNOT_WORDS_NONE, ANNOT_WORDS_NONE,
                                           ANNOT_WORDS_NONE};

static annot_prologue prologue_of(const annot_tracker *tracker, const struct annot__flight *flight)
{
    const annot_words own = annot__words_of(tracker, flight->own),
                      shared = annot__words_of(tracker, flight->slot);
    if (flight->own == ANNOT__NO_SLOT)
        return no_prologue;
    return (annot_prologue){own.started, shared.started, own.completed, shared.completed};
}

/* Notes that the submission's executions are in flight. A NULL list has no words. Hold the lock. */
static void launch_lists(const struct tracked_submission *submission, uint64_t serial)
{
    annot_tracker *tracker = submission->tracker;
    annot_words *words = submission->words;
    const bool has_room = reserve_flights(tracker, flights_of(submission));
    struct annot__flight flight = {.queue = submission->queue->object->id, .serial = serial};
    for (flight.list = 0; flight.list < submission->count; flight.list++) {
        annot_context *list = submission->at(submission->lists, flight.list);
        if (!list)
            continue;
        const struct annot__tracked *tracked = tracked_now(list);
        flight.object = list->object->id;
        flight.slot = words ? slot_take(tracker) : tracked ? tracked->slot : ANNOT__NO_SLOT;
        flight.own = ANNOT__NO_SLOT;
        if (submission->prologues && has_room)
            flight.own = slot_take_apart(tracker, flight.slot, flight.queue);
        launch_list(tracker, flight, tracked, has_room);
        if (words)
            words[flight.list] = annot__words_of(tracker, flight.slot);
        if (submission->prologues)
            submission->prologues[flight.list] = prologue_of(tracker, &flight);
    }
}

/* Ends the queue's flights with serials from `first` to `last`. Hold the lock. */
static void land(annot_tracker *tracker, const annot_context *queue, uint64_t first, uint64_t last)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < tracker->flight_count; i++) {
        const struct annot__flight *flight = &tracker->flights[i];
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

/* Makes a tracked submission under the queue's lock, which is taken before the tracker's. The
 * tracker is not locked meanwhile, because a driver that never returns must not keep a watchdog
 * from the tracker. */
static bool make_tracked(void *user, uint64_t serial)
{
    const struct tracked_submission *submission = user;
    annot_tracker *tracker = submission->tracker;
    annot__mutex_lock(&tracker->lock);
    launch_lists(submission, serial);
    annot__mutex_unlock(&tracker->lock);
    if (!submission->make || submission->make(submission->user, serial))
        return true;
    annot__mutex_lock(&tracker->lock);
    land(tracker, submission->queue, serial, serial);
    annot__mutex_unlock(&tracker->lock);
    return false;
}

uint64_t annot_tracker_submit_each(annot_tracker *tracker, annot_context *queue,
                                   annot_list_function at, const void *lists, uint32_t count,
                                   annot_words *words, annot_prologue *prologues,
                                   annot_submit_function make, void *user)
{
    struct tracked_submission submission = {tracker, queue,     at,   lists, at ? count : 0,
                                            words,   prologues, make, user};
    for (uint32_t i = 0; i < count && words; i++)
        words[i] = (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    for (uint32_t i = 0; i < count && prologues; i++)
        prologues[i] = no_prologue;
    if (!annot__tracker_is_usable(tracker) || !queue || !queue->queue)
        return annot_context_submit_each(queue, at, lists, count, make, user);
    return annot_context_submit_each(queue, at, lists, count, make_tracked, &submission);
}

static annot_context *list_of_array(const void *lists, uint32_t index)
{
    return ((annot_context *const *)lists)[index];
}

uint64_t annot_tracker_submit(annot_tracker *tracker, annot_context *queue,
                              annot_context *const *lists, uint32_t count, annot_words *words)
{
    return annot_tracker_submit_each(tracker, queue, lists ? list_of_array : NULL, lists, count,
                                     words, NULL, NULL, NULL);
}

uint64_t annot_tracker_submit_apart(annot_tracker *tracker, annot_context *queue,
                                    annot_context *const *lists, uint32_t count,
                                    annot_prologue *prologues)
{
    return annot_tracker_submit_each(tracker, queue, lists ? list_of_array : NULL, lists, count,
                                     NULL, prologues, NULL, NULL);
}

annot_result annot_tracker_withdraw(annot_tracker *tracker, annot_context *queue, uint64_t serial)
{
    if (annot__tracker_is_usable(tracker) && queue) {
        annot__mutex_lock(&tracker->lock);
        land(tracker, queue, serial, serial);
        annot__mutex_unlock(&tracker->lock);
    }
    return annot_context_withdraw(queue, serial);
}

void annot_tracker_completed(annot_tracker *tracker, annot_context *queue, uint64_t serial)
{
    annot_context_completed(queue, serial);
    if (!annot__tracker_is_usable(tracker) || !queue || !queue->queue)
        return;
    uint64_t completed = atomic_load_explicit(&queue->queue->completed, memory_order_acquire);
    annot__mutex_lock(&tracker->lock);
    land(tracker, queue, 0, completed);
    annot__mutex_unlock(&tracker->lock);
}
