/* The tracker's slots and flights. A slot is a pair of words that the GPU writes. A recording holds
 * its own slot and the slots of the bundles that it executes. An execution in flight that writes a
 * slot is a flight of this slot. A slot is free if no recording holds it and no flight writes it.
 *
 *    flights    executions in flight, in order of submission: queue, serial, list, bundle -> slot
 *    rows       as many rows as flights, so that a report allocates nothing */
#pragma once

#include "record/record.h"

#include <annot/evidence.h>

#define ANNOT__NO_SLOT   UINT32_MAX
#define ANNOT__NO_FLIGHT UINT32_MAX

struct annot__words_slot {
    uint32_t flights, holders;
    uint32_t next_free;
    bool is_shared; /* several executions in flight write these words, so they are ambiguous */
    bool is_stray;  /* unknown executions write these words, so the slot never becomes free */
    uint64_t queue; /* queue whose executions write the words of this slot */
    /* Set during a report: an execution in flight that writes this slot, or ANNOT__NO_FLIGHT. */
    uint32_t claimed_by; /* last execution whose annot_prologue proves that earlier work is done */
    uint32_t entered_by; /* the slot's last execution that the GPU reached */
    bool is_garbled;     /* words of an annot_prologue in this slot have impossible values */
};

struct annot__flight {
    uint64_t queue;  /* object id */
    uint64_t object; /* identity of the executed list or bundle; 0: a bundle inside a bundle */
    uint64_t serial;
    uint32_t list, bundle;
    uint32_t slot; /* index of the slot, or ANNOT__NO_SLOT */
    /* Slot with the execution's annot_prologue, whose writes show that this execution now writes
     * the words of `slot`. ANNOT__NO_SLOT: the execution had the words from the start. */
    uint32_t own;
};

struct annot_tracker {
    annot_device *device;
    annot_tracker_desc desc;
    struct annot__mutex lock;
    struct annot__words_slot *slots;
    uint32_t slot_count, free_slot;
    uint32_t touched_slots; /* number of slots, from the first on, whose words were ever written */
    struct annot__flight *flights;
    annot_progress *rows;
    uint32_t flight_count, flight_capacity;
};

/* Returns true if this process made the tracker. In a forked process the tracker does nothing. */
static inline bool annot__tracker_is_usable(const annot_tracker *tracker)
{
    return tracker && !annot__is_inherited(tracker->device);
}

/* Returns the offsets of a slot's two words. For ANNOT__NO_SLOT, both are ANNOT_WORDS_NONE. */
static inline annot_words annot__words_of(const annot_tracker *tracker, uint32_t slot)
{
    if (slot == ANNOT__NO_SLOT)
        return (annot_words){ANNOT_WORDS_NONE, ANNOT_WORDS_NONE};
    const uint64_t started = (uint64_t)slot * 2 * tracker->desc.word_size;
    return (annot_words){started, started + tracker->desc.word_size};
}
