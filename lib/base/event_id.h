/*
 * The EventID: an address of marker memory that is never recycled.
 *
 *      63            32 31         12 11        0
 *     |      use       |    slot     |   unit    |
 *
 * Marker memory comes in chunks of 64 KiB. Every chunk sits in a numbered slot of its device; each
 * time a chunk begins to be filled anew, its slot's use count goes up. `unit` is the record's
 * offset in the chunk in units of 16 bytes. So an ID costs one addition, needs no table and no
 * shared counter, and finding its record is slot -> chunk -> offset. A use count below the slot's
 * is expired, one above it was never issued. No ID is 0 since uses count from 1. A slot whose use
 * count is exhausted is retired, so IDs never repeat.
 *
 * Markers that are not retained get IDs from a slot number that no chunk has: the n-th one, counted
 * from 0, takes unit n % 4096 of use n / 4096 + 1.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ANNOT__ID_UNITS        4096u    /* of a slot */
#define ANNOT__ID_SLOTS        0xFFFFFu /* that chunks can have */
#define ANNOT__ID_SLOT_DROPPED ANNOT__ID_SLOTS

static inline uint64_t annot__id_make(uint32_t use, uint32_t slot, uint32_t unit)
{
    return (uint64_t)use << 32 | (uint64_t)slot << 12 | unit;
}

static inline uint32_t annot__id_use(uint64_t id)
{
    return (uint32_t)(id >> 32);
}

static inline uint32_t annot__id_slot(uint64_t id)
{
    return (uint32_t)(id >> 12) & 0xFFFFFu;
}

static inline uint32_t annot__id_unit(uint64_t id)
{
    return (uint32_t)id & (ANNOT__ID_UNITS - 1u);
}

/*
 * The place of an EventID is the EventID times 16, a record's smallest size, with the bits that
 * fall out put in again at the other end. Within a chunk it is the record's address and a constant,
 * so that an End finds the scope that it closes by one subtraction. 0 is the place of 0.
 */
static inline uint64_t annot__id_place(uint64_t id)
{
    return id << 4 | id >> 60;
}

static inline uint64_t annot__id_at_place(uint64_t place)
{
    return place >> 4 | place << 60;
}

/* Whether `id` belongs to the same use of the same slot as `before`, and comes after it. */
static inline bool annot__id_follows(uint64_t id, uint64_t before)
{
    return (id ^ before) < ANNOT__ID_UNITS && id > before;
}

/* Whether the ID belongs to a marker that was issued but never retained. */
static inline bool annot__id_is_dropped(uint64_t id)
{
    return annot__id_slot(id) == ANNOT__ID_SLOT_DROPPED;
}

static inline uint64_t annot__id_of_dropped(uint64_t number)
{
    return annot__id_make((uint32_t)(number / ANNOT__ID_UNITS + 1), ANNOT__ID_SLOT_DROPPED,
                          (uint32_t)(number % ANNOT__ID_UNITS));
}

/* Whether one of the first `issued` dropped markers has this ID. */
static inline bool annot__id_is_issued_dropped(uint64_t id, uint64_t issued)
{
    uint64_t use = annot__id_use(id);
    return annot__id_is_dropped(id) && use > 0 &&
           (use - 1) * ANNOT__ID_UNITS + annot__id_unit(id) < issued;
}
