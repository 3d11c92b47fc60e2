/* Shared by the files of the tracker: its slots and flights. A slot is a pair of words. Recordings
 * hold slots: their own, and those of the bundles that they execute. Every execution that writes a
 * slot counts as one flight of it. A slot is free when it is neither held nor in flight.
 *
 *     flights    executions in flight, in order of submission: queue, serial, list, bundle -> slot
 *     rows       as many as flights, so that a report allocates nothing
 */
#pragma once

#include "record/record.h"

#include <annot/evidence.h>

#define ANNOT__NO_SLOT   UINT32_MAX
#define ANNOT__NO_FLIGHT UINT32_MAX

struct annot__words_slot {
    uint32_t flights, holders;
    uint32_t next_free;
    bool is_shared; /* two executions in flight wrote the slot, and can't be distinguished */
    bool is_stray;  /* executions that could not be noted write the slot; never reset */
    uint64_t queue; /* the queue of the slot's flights */
    /* for a report: flights, or ANNOT__NO_FLIGHT */
    uint32_t claimed_by; /* the last execution before which all work was done, by its prologue */
    uint32_t entered_by; /* the last execution that the GPU reached */
    bool is_garbled;     /* a prologue's words have values that are never written */
};

struct annot__flight {
    uint64_t queue;  /* object id */
    uint64_t object; /* of the list or bundle; 0: a bundle inside a bundle, which has no row */
    uint64_t serial;
    uint32_t list, bundle;
    uint32_t slot; /* index of the slot, or ANNOT__NO_SLOT */
    /* The slot of this execution's prologue, which says when it took over the words of `slot`; or
     * ANNOT__NO_SLOT: it had them from the start. */
    uint32_t own;
};

struct annot_tracker {
    annot_device *device;
    annot_tracker_desc desc;
    struct annot__mutex lock;
    struct annot__words_slot *slots;
    uint32_t slot_count, free_slot;
    uint32_t touched_slots; /* the memory of other slots was never written */
    struct annot__flight *flights;
    annot_progress *rows;
    uint32_t flight_count, flight_capacity;
};

/* Whether calls with the tracker work: they do nothing in a child of the process that made it. */
static inline bool annot__tracker_is_usable(const annot_tracker *tracker)
{
    return tracker && !annot__is_inherited(tracker->device);
}

/* A slot's words; ANNOT_WORDS_NONE for ANNOT__NO_SLOT. */
static inline annot_words annot__words_of(const annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    const uint64_t started = (uint64_t)slot * 2 * tracker->desc.word_size;
    return (annot_words){started, started + tracker->desc.word_size};
}
