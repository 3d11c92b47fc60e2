/* The tracker's slots and flights, which the files of the tracker share. A slot is a pair of words.
 * A recording holds its slot, and the slots of the bundles that it executes. Each execution that
 * writes a slot is a flight of the slot. A slot is free when it is neither held nor in flight.
 *
 *     flights    executions in flight, in order of submission: queue, serial, list, bundle -> slot
 *     rows       as many rows as flights, so that a report allocates nothing
 */
#pragma once

#include "record/record.h"

#include <annot/evidence.h>

#define ANNOT__NO_SLOT   UINT32_MAX
#define ANNOT__NO_FLIGHT UINT32_MAX

struct annot__words_slot {
    uint32_t flights, holders;
    uint32_t next_free;
    bool is_shared; /* two executions in flight write the slot and can't be distinguished */
    bool is_stray;  /* executions that are not noted write the slot, which is never free again */
    uint64_t queue; /* the queue of the executions that write the slot */
    /* For a report: executions in flight that write the slot, or ANNOT__NO_FLIGHT. */
    uint32_t claimed_by; /* the last execution whose prologue says that earlier work is done */
    uint32_t entered_by; /* the last execution that the GPU reached */
    bool is_garbled;     /* a prologue's words have impossible values */
};

struct annot__flight {
    uint64_t queue;  /* object id */
    uint64_t object; /* the executed list or bundle; 0: a bundle inside a bundle */
    uint64_t serial;
    uint32_t list, bundle;
    uint32_t slot; /* the slot's index, or ANNOT__NO_SLOT */
    /* The slot of the execution's prologue, which says when the execution took over the words of
     * `slot`. ANNOT__NO_SLOT: the execution had the words from the start. */
    uint32_t own;
};

struct annot_tracker {
    annot_device *device;
    annot_tracker_desc desc;
    struct annot__mutex lock;
    struct annot__words_slot *slots;
    uint32_t slot_count, free_slot;
    uint32_t touched_slots; /* number of slots whose memory was ever written */
    struct annot__flight *flights;
    annot_progress *rows;
    uint32_t flight_count, flight_capacity;
};

/* Returns true if the tracker works: it does nothing in a fork of the process that made it. */
static inline bool annot__tracker_is_usable(const annot_tracker *tracker)
{
    return tracker && !annot__is_inherited(tracker->device);
}

/* Returns a slot's words; ANNOT_WORDS_NONE for ANNOT__NO_SLOT. */
static inline annot_words annot__words_of(const annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    const uint64_t started = (uint64_t)slot * 2 * tracker->desc.word_size;
    return (annot_words){started, started + tracker->desc.word_size};
}
