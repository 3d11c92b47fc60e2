/* Finds the objects near a page fault. */
#include "reader/ask.h"

#include "base/sized.h"

#include <annot/dump.h>

/* ---- for programs ---- */

bool annot_reader_range_at_sized(const annot_reader *reader, size_t index, annot_reader_range *out,
                                 size_t out_size)
{
    if (index >= reader->range_count)
        return false;
    const struct annot__dump_RANGE *range = &reader->ranges[index];
    return ANNOT__GIVE_NEW(out, out_size, annot_reader_range, .address = range->address,
                           .size = range->size, .object = range->object,
                           .freed_before = range->freed_before, .kind = range->kind,
                           .is_freed = range->flags & ANNOT_RANGE_FREED);
}

/* ---- whose memory it was ---- */

const char *annot__memory_text(uint32_t memory)
{
    static const char *const words[] = {
        "", "placed", "committed", "implicit", "reserved", "placed in a buffer", "freed"};
    return memory < sizeof words / sizeof *words ? words[memory] : "";
}

bool annot__range_holds(const struct annot__dump_RANGE *range, uint64_t address)
{
    return address >= range->address &&
           address - range->address < (range->size > 0 ? range->size : 1);
}

const struct annot__dump_RANGE *annot__fault_range(const annot_reader *reader)
{
    const struct annot__dump_RANGE *best = NULL;
    for (uint32_t i = 0; i < reader->range_count && reader->fault_count > 0; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        const bool is_freed = range->flags & ANNOT_RANGE_FREED;
        if (!annot__range_holds(range, reader->fault_address))
            continue;
        const bool was_freed = best && (best->flags & ANNOT_RANGE_FREED);
        if (!best || (was_freed && !is_freed) ||
            (was_freed == is_freed && range->freed_before < best->freed_before))
            best = range;
    }
    return best;
}

uint64_t annot__range_distance(const struct annot__dump_RANGE *range, uint64_t address)
{
    return range->address > address ? range->address - address
                                    : address - range->address - range->size;
}

/* Returns true if a range is near an address. An index past an object's end is seldom wrong by more
 * than the object's size, or by 64 KiB, the alignment of allocations. */
bool annot__range_is_near(const struct annot__dump_RANGE *range, uint64_t address)
{
    const uint64_t least = 65536;
    return annot__range_distance(range, address) < (range->size > least ? range->size : least);
}

const struct annot__dump_RANGE *annot__fault_near(const annot_reader *reader, uint64_t *distance)
{
    const struct annot__dump_RANGE *best = NULL;
    for (uint32_t i = 0; i < reader->range_count && reader->fault_count > 0; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        const uint64_t away = annot__range_distance(range, reader->fault_address);
        if (annot__range_is_near(range, reader->fault_address) && (!best || away < *distance)) {
            best = range;
            *distance = away;
        }
    }
    return best;
}

bool annot__is_null_fault(const annot_reader *reader)
{
    const uint64_t least_address = 65536;
    uint64_t distance = 0;
    return reader->fault_count > 0 && reader->fault_address < least_address &&
           !annot__fault_range(reader) && !annot__fault_near(reader, &distance);
}
