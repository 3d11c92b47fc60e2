/* The memory at a page fault: a log of the objects that were destroyed last, and the choice of the
 * objects that a dump has. The layer's lock for its objects guards it. */
#pragma once

#include "dump.h"

enum { CRASH_FREED = 1024, CRASH_FOUND = 8 };

struct crash_memory {
    struct crash_freed {
        annot_allocation_range range; /* freed_before is the time of the destruction */
        char name[48];                /* UTF-8 */
    } freed[CRASH_FREED];             /* a ring */
    uint64_t freed_count;             /* number of objects ever added to `freed` */
    uint64_t fault;
    annot_allocation_range found[CRASH_FOUND], below, above; /* size 0: none */
    uint32_t count;                                          /* of `found` */
    char last[CRASH_FOUND * 80];
};

/* Logs an object that is being destroyed. If `address` is 0, it is not known. */
void crash_memory_log(struct crash_memory *memory, const annot_object *object, uint64_t address,
                      uint64_t size);
/* Begins the choice for a fault; the layer then gives each living object to crash_memory_weigh. */
void crash_memory_seek(struct crash_memory *memory, uint64_t fault);
void crash_memory_weigh(struct crash_memory *memory, annot_allocation_range range);
/* Also considers the logged (destroyed) objects. Adds to the dump those that have the faulting
 * address, and the nearest ones, with this annot_allocation_range.kind. Without any addresses, a
 * fact names the objects that were destroyed last. Returns true if an object has the address. */
bool crash_memory_tell(struct crash_memory *memory, struct crash_dump *dump, uint32_t kind);
