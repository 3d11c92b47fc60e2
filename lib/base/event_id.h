/* An EventID is an address in marker memory. The library never uses an EventID twice.
 *
 *     63            32 31         12 11        0
 *    |      use       |    slot     |   unit    |
 *
 * Marker memory consists of chunks of 64 KiB. Every chunk is in a numbered slot of its device. Each
 * time a chunk is filled again, its slot's use count grows. `unit` is the record's offset in the
 * chunk, in units of 16 bytes. So an ID costs one addition, and needs no table and no shared
 * counter; slot, chunk and offset lead to the record. An ID whose use is lower than its slot's use
 * count has expired; an ID with a higher use was never issued. No ID is 0, because uses count from
 * 1. When a use count is exhausted, its slot is no longer used, so IDs never repeat.
 *
 * Dropped markers get IDs with a slot number that no chunk has. The dropped marker number n, from
 * 0, has unit n % 4096 and use n / 4096 + 1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define ANNOT__ID_UNITS        4096u    /* number of 16-byte units in one chunk of marker memory */
#define ANNOT__ID_SLOTS        0xFFFFFu /* this slot number means: the marker was dropped */
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

/* Returns the place of an EventID: the EventID rotated left by 4 bits. No bit is lost, because
 * records have at least 16 bytes. In one chunk, a place is the record's address plus a constant, so
 * an End finds its scope by one subtraction. The place of EventID 0 is 0. */
static inline uint64_t annot__id_place(uint64_t id)
{
    return id << 4 | id >> 60;
}

static inline uint64_t annot__id_at_place(uint64_t place)
{
    return place >> 4 | place << 60;
}

/* Returns true if `id` and `before` are in the same use of one chunk, and `id` was issued later. */
static inline bool annot__id_follows(uint64_t id, uint64_t before)
{
    return (id ^ before) < ANNOT__ID_UNITS && id > before;
}

/* Returns true if the EventID belongs to a dropped marker. */
static inline bool annot__id_is_dropped(uint64_t id)
{
    return annot__id_slot(id) == ANNOT__ID_SLOT_DROPPED;
}

static inline uint64_t annot__id_of_dropped(uint64_t number)
{
    return annot__id_make((uint32_t)(number / ANNOT__ID_UNITS + 1), ANNOT__ID_SLOT_DROPPED,
                          (uint32_t)(number % ANNOT__ID_UNITS));
}

/* Returns true if the EventID belongs to one of the first `issued` dropped markers. */
static inline bool annot__id_is_issued_dropped(uint64_t id, uint64_t issued)
{
    uint64_t use = annot__id_use(id);
    return annot__id_is_dropped(id) && use > 0 &&
           (use - 1) * ANNOT__ID_UNITS + annot__id_unit(id) < issued;
}
