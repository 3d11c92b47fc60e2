/* The object around the address of a page fault, and the nearest one where it is in none
 * [ANN-CRASH-04, report.h, docs/SIGNATURE.md]: one that lives before a destroyed one, the one
 * destroyed last of those, the first of equal ones. */
#include "unit_kit.h"
#include "reader/ask.h"

#include <annot/dump.h>

enum { FREED = ANNOT_RANGE_FREED, KIB = 1024 };
#define NOWHERE UINT32_MAX

/* `ranges` of address, size, flags and nanoseconds since it was destroyed. */
static const struct row {
    const char *what;
    uint64_t ranges[3][4];
    uint32_t count, is_fault;
    uint64_t fault;
    uint32_t inside, nearest;
    uint64_t distance;
} rows[] = {
    {"no object", {{0}}, 0, 1, 500, NOWHERE, NOWHERE, 0},
    {"no fault, and an object at its address of 0", {{0, 16}}, 1, 0, 0, NOWHERE, NOWHERE, 0},
    {"no fault, and an object near 0", {{8, 16}}, 1, 0, 0, NOWHERE, NOWHERE, 0},
    {"first byte", {{500, 16}}, 1, 1, 500, 0, NOWHERE, 0},
    {"last byte", {{500, 16}}, 1, 1, 515, 0, NOWHERE, 0},
    {"one byte", {{500, 1}}, 1, 1, 500, 0, NOWHERE, 0},
    {"behind one byte", {{500, 1}}, 1, 1, 501, NOWHERE, 0, 0},
    {"behind", {{500, 16}}, 1, 1, 516, NOWHERE, 0, 0},
    {"before", {{500, 16}}, 1, 1, 499, NOWHERE, 0, 1},
    {"before one of all bytes", {{500, UINT64_MAX}}, 1, 1, 498, NOWHERE, 0, 2},
    {"of no known size", {{500, 0}}, 1, 1, 500, 0, NOWHERE, 0},
    {"behind one of no known size", {{500, 0}}, 1, 1, 501, NOWHERE, 0, 1},
    {"far behind", {{500, 16}}, 1, 1, 516 + 64 * KIB - 1, NOWHERE, 0, 64 * KIB - 1},
    {"too far behind", {{500, 16}}, 1, 1, 516 + 64 * KIB, NOWHERE, NOWHERE, 0},
    {"as far as a large one", {{0, 1024 * KIB}}, 1, 1, 2048 * KIB - 1, NOWHERE, 0, 1024 * KIB - 1},
    {"alive behind freed", {{500, 16, FREED, 0}, {500, 16}}, 2, 1, 505, 1, NOWHERE, 0},
    {"freed behind alive", {{500, 16, 0, 9}, {500, 16, FREED, 3}}, 2, 1, 505, 0, NOWHERE, 0},
    {"freed last",
     {{500, 16, FREED, 9}, {500, 16, FREED, 3}, {500, 16, FREED, 5}},
     3,
     1,
     505,
     1,
     NOWHERE,
     0},
    {"freed at once", {{500, 16, FREED, 3}, {500, 16, FREED, 3}}, 2, 1, 505, 0, NOWHERE, 0},
    {"both alive", {{500, 16}, {504, 16}}, 2, 1, 505, 0, NOWHERE, 0},
    {"the second holds it", {{600, 16}, {500, 16}}, 2, 1, 505, 1, NOWHERE, 0},
    {"nearer first", {{500, 16}, {600, 16}}, 2, 1, 520, NOWHERE, 0, 4},
    {"nearer last", {{600, 16}, {500, 16}}, 2, 1, 520, NOWHERE, 1, 4},
    {"as near", {{500, 16}, {525, 16}}, 2, 1, 520, NOWHERE, 0, 4},
    {"a far one and a near one", {{900000, 16}, {500, 16}}, 2, 1, 520, NOWHERE, 1, 4},
};

Test(fault_range, is_the_one_around_the_address_or_the_nearest)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct annot__dump_RANGE ranges[3];
        struct annot_reader reader = {.ranges = ranges,
                                      .range_count = row->count,
                                      .fault_count = row->is_fault,
                                      .fault_address = row->fault};
        for (uint32_t k = 0; k < row->count; k++)
            ranges[k] = (struct annot__dump_RANGE){.address = row->ranges[k][0],
                                                   .size = row->ranges[k][1],
                                                   .flags = (uint32_t)row->ranges[k][2],
                                                   .freed_before = row->ranges[k][3]};
        uint64_t distance = 0;
        const struct annot__dump_RANGE *inside = annot__fault_range(&reader);
        cr_expect_eq(inside ? (uint32_t)(inside - ranges) : NOWHERE, row->inside, "%s", row->what);
        if (inside)
            continue;
        const struct annot__dump_RANGE *near_by = annot__fault_near(&reader, &distance);
        cr_expect_eq(near_by ? (uint32_t)(near_by - ranges) : NOWHERE, row->nearest, "%s",
                     row->what);
        cr_expect_eq(distance, row->distance, "%s", row->what);
    }
}
