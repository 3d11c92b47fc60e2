/* Values that stand in replay for the numbers of a trace [ANN-TRACE-02]. */
#include <capture/replay/map.h>

#include "asserts.h"

enum { KIND = 3, OTHER = 4 };

static struct map *map;

static void setup(void)
{
    map = map_create();
    cr_assert(map);
}

static void teardown(void)
{
    map_destroy(map);
}

TestSuite(trace_map, .init = setup, .fini = teardown);

static void add(uint64_t recorded, uint64_t here, uint64_t size)
{
    cr_assert(map_add_range(map, KIND, recorded, here, size));
}

static void expect(uint64_t recorded, uint64_t here)
{
    cr_expect_eq(map_range(map, KIND, recorded), here, "%lx", (unsigned long)recorded);
}

Test(trace_map, a_value_in_no_range_is_itself)
{
    expect(7, 7);
    add(100, 1100, 10);
    expect(99, 99);
    expect(111, 111);
    cr_expect_eq(map_range(map, OTHER, 105), 105, "another kind");
}

/* One behind the last byte is where a program's loop over a range ends. */
Test(trace_map, a_range_ends_behind_its_last_byte)
{
    add(100, 1100, 10);
    expect(100, 1100);
    expect(109, 1109);
    expect(110, 1110);
}

Test(trace_map, a_newer_range_hides_the_end_of_an_older_one)
{
    add(100, 1100, 100);
    add(150, 2150, 100);
    expect(149, 1149);
    expect(150, 2150);
    expect(249, 2249);
}

Test(trace_map, a_newer_range_hides_the_beginning_of_an_older_one)
{
    add(100, 1100, 100);
    add(50, 2050, 100);
    expect(50, 2050);
    expect(149, 2149);
    expect(160, 1160);
    expect(199, 1199);
}

Test(trace_map, a_newer_range_hides_the_middle_of_an_older_one)
{
    add(100, 1100, 100);
    add(140, 2140, 20);
    expect(139, 1139);
    expect(150, 2150);
    expect(170, 1170);
    expect(199, 1199);
}

Test(trace_map, a_newer_range_hides_older_ones_that_it_covers)
{
    add(100, 1100, 10);
    add(120, 1120, 10);
    add(140, 1140, 10);
    add(90, 2090, 100);
    expect(100, 2100);
    expect(125, 2125);
    expect(145, 2145);
    expect(189, 2189);
}

/* The beginning of a descriptor heap or a resource is mapped where its size is not known. */
Test(trace_map, a_range_of_unknown_size_is_its_first_value)
{
    add(100, 1100, 10);
    add(105, 2105, 0);
    expect(104, 1104);
    expect(105, 2105);
    expect(106, 1106);
    expect(110, 1110);
}

Test(trace_map, ranges_may_end_with_the_numbers)
{
    add(UINT64_MAX - 4, 1000, 100);
    expect(UINT64_MAX, 1004);
}

/* A handle that a program never had leads nowhere. */
Test(trace_map, a_value_here_has_the_owner_of_its_range)
{
    struct map_owner owner = {0};
    cr_assert(map_add_owned(map, KIND, 100, 1100, 10, (struct map_owner){5, 7}));
    cr_expect_eq(map_find_owner(map, KIND, 1100, &owner), 10);
    cr_expect_eqs(owner.number, 5, owner.serial, 7);
    cr_expect_eq(map_find_owner(map, KIND, 1109, &owner), 1);
    cr_expect_eq(map_find_owner(map, KIND, 1110, &owner), 0, "behind its last byte");
    cr_expect_eq(map_find_owner(map, KIND, 1099, &owner), 0, "before its first");
    cr_expect_eq(map_find_owner(map, KIND, 100, &owner), 0, "as recorded");
    cr_expect_eq(map_find_owner(map, OTHER, 1100, &owner), 0, "another kind");
}
