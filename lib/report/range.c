/* The objects around the address of a page fault: for programs, and in the text report. */
#include "report/report_page.h"

#include "base/sized.h"

#include <annot/dump.h>

enum { SHOWN = 8 };

/* ---- for programs ---- */

size_t annot_reader_range_count(const annot_reader *reader)
{
    return reader->range_count;
}

bool annot_reader_range_at_sized(const annot_reader *reader, size_t index, annot_reader_range *out,
                                 size_t out_size)
{
    if (index >= reader->range_count)
        return false;
    const struct annot__dump_RANGE *range = &reader->ranges[index];
    annot_reader_range whole = {
        .address = range->address,
        .size = range->size,
        .object = range->object,
        .freed_before = range->freed_before,
        .kind = range->kind,
        .is_freed = range->flags & ANNOT_RANGE_FREED,
    };
    return ANNOT__GIVE(out, out_size, whole);
}

/* ---- whose memory it was ---- */

/* Without a size only its address is known to be in it. */
static bool holds(const struct annot__dump_RANGE *range, uint64_t address)
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
        if (!holds(range, reader->fault_address))
            continue;
        const bool was_freed = best && (best->flags & ANNOT_RANGE_FREED);
        if (!best || (was_freed && !is_freed) ||
            (was_freed == is_freed && range->freed_before < best->freed_before))
            best = range;
    }
    return best;
}

/* ---- for people ---- */

static const char *kind_text(uint32_t kind)
{
    switch (kind) {
    case D3D12DDI_HT_HEAP:
        return "heap";
    case D3D12DDI_HT_RESOURCE:
        return "resource";
    default:
        return "object";
    }
}

static void say_owner(struct annot__page *page, const struct annot__dump_RANGE *range)
{
    annot__say_object(page, range->object);
    if (range->size == 0) {
        annot__format(page, " (%s)\n", kind_text(range->kind));
        return;
    }
    annot__format(page, " (%s, %llu bytes at 0x%llx)", kind_text(range->kind),
                  (unsigned long long)range->size, (unsigned long long)range->address);
    if (range->flags & ANNOT_RANGE_FREED)
        annot__format(page, ", destroyed %llu.%06llu s before",
                      (unsigned long long)(range->freed_before / 1000000000u),
                      (unsigned long long)(range->freed_before / 1000u % 1000000u));
    annot__say(page, "\n");
}

/* Bytes between an address outside of a range and the range. */
static uint64_t distance_of(const struct annot__dump_RANGE *range, uint64_t address)
{
    return range->address > address ? range->address - address
                                    : address - range->address - range->size;
}

/* An index that runs past an object's end is seldom off by more than the object, or by 64 KiB, the
 * alignment of allocations: what is further away says nothing. */
static bool is_near(const struct annot__dump_RANGE *range, uint64_t address)
{
    const uint64_t least = 65536;
    return distance_of(range, address) < (range->size > least ? range->size : least);
}

const struct annot__dump_RANGE *annot__fault_near(const annot_reader *reader, uint64_t *distance)
{
    const struct annot__dump_RANGE *best = NULL;
    for (uint32_t i = 0; i < reader->range_count && reader->fault_count > 0; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        const uint64_t away = distance_of(range, reader->fault_address);
        if (is_near(range, reader->fault_address) && (!best || away < *distance)) {
            best = range;
            *distance = away;
        }
    }
    return best;
}

void annot__write_fault(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    const uint64_t fault = reader->fault_address;
    bool is_inside = false, is_near_any = false;
    if (reader->fault_count == 0)
        return;
    for (uint32_t i = 0; i < reader->range_count && i < SHOWN; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (!holds(range, fault))
            continue;
        is_inside = true;
        annot__begin(page, 1, "address");
        if (range->size > 0)
            annot__format(page, "%llu bytes ", (unsigned long long)(fault - range->address));
        annot__say(page, range->size > 0 ? "into " : "in ");
        say_owner(page, range);
    }
    for (uint32_t i = 0; i < reader->range_count && i < SHOWN && !is_inside; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (!is_near(range, fault))
            continue;
        is_near_any = true;
        annot__item(page, 1, "address", "in no object: %llu bytes %s ",
                    (unsigned long long)distance_of(range, fault),
                    range->address <= fault ? "past the end of" : "before");
        say_owner(page, range);
    }
    if (reader->range_count > 0 && !is_inside && !is_near_any)
        annot__item(page, 1, "address", "in no object, and none is near\n");
}
