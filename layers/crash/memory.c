/* Finds the living and destroyed objects near the address of a page fault. */
#include "memory.h"

#include "watchdog.h"

#include <stdio.h>

void crash_memory_log(struct crash_memory *memory, const annot_object *object, uint64_t address,
                      uint64_t size)
{
    struct crash_freed *freed = &memory->freed[memory->freed_count++ % CRASH_FREED];
    freed->range = (annot_allocation_range){address,           size, annot_object_id(object),
                                            crash_clock_now(), 0,    ANNOT_RANGE_FREED};
    annot_object_get_name(object, freed->name, sizeof freed->name);
}

void crash_memory_seek(struct crash_memory *memory, uint64_t fault)
{
    memory->fault = fault;
    memory->count = 0;
    memory->below = memory->above = (annot_allocation_range){.size = 0};
}

void crash_memory_weigh(struct crash_memory *memory, annot_allocation_range range)
{
    annot_allocation_range *below = &memory->below, *above = &memory->above;
    if (range.address == 0 || range.size == 0)
        return;
    if (memory->fault - range.address < range.size) {
        if (memory->count < CRASH_FOUND)
            memory->found[memory->count++] = range;
    } else if (range.address > memory->fault) {
        *above = above->size == 0 || range.address < above->address ? range : *above;
    } else if (range.address + range.size > below->address + below->size) {
        *below = range;
    }
}

bool crash_memory_tell(struct crash_memory *memory, struct crash_dump *dump, uint32_t kind)
{
    const annot_allocation_range *near[] = {&memory->below, &memory->above};
    size_t used = 0;
    for (uint64_t i = 1; i <= CRASH_FREED && i <= memory->freed_count; i++) {
        const struct crash_freed *freed = &memory->freed[(memory->freed_count - i) % CRASH_FREED];
        annot_allocation_range range = freed->range;
        range.freed_before = crash_clock_now() - range.freed_before;
        crash_memory_weigh(memory, range);
        if (i <= CRASH_FOUND)
            used += (size_t)snprintf(memory->last + used, sizeof memory->last - used,
                                     "%s%s, %llu bytes", used ? "; " : "",
                                     *freed->name ? freed->name : "no name",
                                     (unsigned long long)range.size);
    }
    const bool is_held = memory->count > 0;
    for (size_t i = 0; i < 2; i++)
        if (near[i]->size != 0 && memory->count < CRASH_FOUND)
            memory->found[memory->count++] = *near[i];
    for (uint32_t i = 0; i < memory->count; i++)
        memory->found[i].kind = kind;
    dump->info.ranges = memory->found;
    dump->info.range_count = memory->count;
    if (memory->count == 0 && used > 0)
        crash_dump_add_fact(dump, "destroyed last", memory->last);
    return is_held;
}
