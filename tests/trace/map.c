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

/* Ranges in the order in which they are added, and recorded values with their values here. */
static const struct {
    const char *claim;
    struct {
        uint64_t recorded, here, size;
    } ranges[5];
    struct {
        uint64_t recorded, here;
    } values[5];
} maps[] = {
    {"a value in no range is itself", {{0}}, {{7, 7}}},
    {"a value beside a range is itself", {{100, 1100, 10}}, {{99, 99}, {111, 111}}},
    /* One behind the last byte is where a program's loop over a range ends. */
    {"a range ends behind its last byte",
     {{100, 1100, 10}},
     {{100, 1100}, {109, 1109}, {110, 1110}}},
    {"a newer range hides the end of an older one",
     {{100, 1100, 100}, {150, 2150, 100}},
     {{149, 1149}, {150, 2150}, {249, 2249}}},
    {"a newer range hides the beginning of an older one",
     {{100, 1100, 100}, {50, 2050, 100}},
     {{50, 2050}, {149, 2149}, {160, 1160}, {199, 1199}}},
    {"a newer range hides the middle of an older one",
     {{100, 1100, 100}, {140, 2140, 20}},
     {{139, 1139}, {150, 2150}, {170, 1170}, {199, 1199}}},
    {"a newer range hides older ones that it covers",
     {{100, 1100, 10}, {120, 1120, 10}, {140, 1140, 10}, {90, 2090, 100}},
     {{100, 2100}, {125, 2125}, {145, 2145}, {189, 2189}}},
    /* The beginning of a descriptor heap or a resource is mapped where its size is not known. */
    {"a range of unknown size is its first value",
     {{100, 1100, 10}, {105, 2105, 0}},
     {{104, 1104}, {105, 2105}, {106, 1106}, {110, 1110}}},
    {"ranges may end with the numbers", {{UINT64_MAX - 4, 1000, 100}}, {{UINT64_MAX, 1004}}},
};

Test(trace_map, values_are_those_of_the_newest_range)
{
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        teardown();
        setup();
        for (size_t n = 0; maps[i].ranges[n].recorded != 0; n++)
            cr_assert(map_add_range(map, KIND, maps[i].ranges[n].recorded, maps[i].ranges[n].here,
                                    maps[i].ranges[n].size));
        for (size_t n = 0; maps[i].values[n].recorded != 0; n++)
            cr_expect_eq(map_range(map, KIND, maps[i].values[n].recorded), maps[i].values[n].here,
                         "%s: value %zu", maps[i].claim, n);
        cr_expect_eq(map_range(map, OTHER, 105), 105, "%s: another kind", maps[i].claim);
    }
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
