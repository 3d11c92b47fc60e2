/* Writes into the text report the object whose memory has the faulting address. */
#include "report/report_page.h"

#include <annot/dump.h>

enum { SHOWN = 8 };

static const char *kind_text(const annot_reader *reader, const struct annot__dump_RANGE *range)
{
    annot_reader_object object;
    if (range->kind == D3D12DDI_HT_HEAP)
        return "heap";
    if (range->kind == D3D12DDI_HT_RESOURCE)
        return "resource";
    return annot_reader_object_find(reader, range->object, &object)
               ? annot_object_type_text(object.type)
               : "object";
}

static void say_owner(struct annot__page *page, const struct annot__dump_RANGE *range)
{
    annot_resource of = {.memory = ANNOT_MEMORY_UNKNOWN};
    annot_reader_resource_of(page->reader, range->object, &of);
    const bool is_left = of.memory == ANNOT_MEMORY_FREED; /* the memory ended first */
    const char *memory = is_left ? "" : annot__memory_text(of.memory);
    const char *ended = is_left ? "memory freed" : "destroyed";
    annot__say_object(page, range->object);
    annot__format(page, " (%s%s%s", memory, *memory ? " " : "", kind_text(page->reader, range));
    if (range->size == 0) {
        annot__say(page, ")\n");
        return;
    }
    annot__format(page, ", %llu bytes at 0x%llx)", (unsigned long long)range->size,
                  (unsigned long long)range->address);
    if (range->flags & ANNOT_RANGE_FREED)
        annot__format(page, ", %s %llu.%06llu s before the error", ended,
                      (unsigned long long)(range->freed_before / 1000000000u),
                      (unsigned long long)(range->freed_before / 1000u % 1000000u));
    annot__say(page, "\n");
    annot_reader_object object;
    if (!annot_reader_object_find(page->reader, range->object, &object) || object.made == 0)
        return;
    annot__begin(page, 1, "life");
    annot__format(page, "made before the device's submission %llu",
                  (unsigned long long)object.made);
    if (object.destroyed != 0)
        annot__format(page, ", %s before submission %llu", ended,
                      (unsigned long long)object.destroyed);
    annot__say(page, "\n");
}

static void say_witnesses(struct annot__page *page, uint32_t witnesses)
{
    const char *between = "";
    if (witnesses & ANNOT_WITNESS_KERNEL) {
        annot__say(page, "the kernel");
        between = " and ";
    }
    if (witnesses & ANNOT_WITNESS_CRUMBS) {
        annot__format(page, "%sDRED", between);
        between = " and ";
    }
    if (witnesses & ANNOT_WITNESS_DRIVER)
        annot__format(page, "%sthe %s", between, page->words->driver);
}

/* Writes who reports the address, and who reports another address. */
static void write_source(struct annot__page *page)
{
    const annot_reader_hang *hang = &page->reader->hang;
    if ((hang->fault_witnesses | hang->fault_against) == 0)
        return;
    annot__begin(page, 1, "fault");
    if (hang->fault_witnesses != 0) {
        annot__format(page, "0x%llx, by ", (unsigned long long)hang->fault_address);
        say_witnesses(page, hang->fault_witnesses);
    } else {
        annot__say(page, "none");
    }
    if (hang->fault_against != 0) {
        annot__format(page, "; 0x%llx, by ", (unsigned long long)hang->fault_otherwise);
        say_witnesses(page, hang->fault_against);
        annot__say(page, hang->fault_witnesses != 0 ? ", which disagrees" : " alone");
    }
    annot__say(page, "\n");
}

void annot__write_fault(struct annot__page *page)
{
    const annot_reader *reader = page->reader;
    const uint64_t fault = reader->fault_address;
    bool is_inside = false, is_near_any = false;
    write_source(page);
    if (reader->fault_count == 0)
        return;
    for (uint32_t i = 0; i < reader->range_count && i < SHOWN; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (!annot__range_holds(range, fault))
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
        if (!annot__range_is_near(range, fault))
            continue;
        is_near_any = true;
        annot__item(page, 1, "address", "in no object: %llu bytes %s ",
                    (unsigned long long)annot__range_distance(range, fault),
                    range->address <= fault ? "past the end of" : "before");
        say_owner(page, range);
    }
    if (annot__is_null_fault(reader))
        annot__item(page, 1, "address", "a null address: a null pointer plus an offset\n");
    else if (reader->range_count > 0 && !is_inside && !is_near_any)
        annot__item(page, 1, "address", "in no object, and no object is near\n");
}
