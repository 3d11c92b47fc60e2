/* Operations and shaders from the calls to the bytes of a dump [ANN-OP-01]. */
#include "dump_bytes.h"
#include "spy.h"

#include <annot/shader.h>

enum { DISPATCH = 6, RECORD_SHADER = 27, RECORD_OPERATION = 28, COUNT = 5000 };

static uint64_t number_at(const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    return value;
}

static annot_object *make(annot_device *device, annot_object_type type)
{
    annot_object *object;
    const annot_object_desc desc = {.type = (uint32_t)type};
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    return object;
}

/* The number of parts behind the objects. */
static uint32_t parts_of(uint32_t number, uint32_t objects)
{
    return objects > 0 && objects < 17 ? number % (objects + 1) : 0;
}

static uint32_t role_at(uint32_t place, uint32_t objects)
{
    return place < objects ? 1 + place % 12 : ANNOT_BOUND_PART;
}

static void note(annot_context *list, uint32_t number, uint32_t arguments, uint32_t objects)
{
    const int64_t numbers[9] = {number, -(int64_t)number, INT64_MIN, INT64_MAX, 5, 6, 7, 8, 9};
    annot_bound_object bound[40];
    for (uint32_t i = 0; i < 40; i++)
        bound[i] = (annot_bound_object){number + i, role_at(i, objects), 0};
    const annot_operation operation = {
        DISPATCH, number, arguments, objects + parts_of(number, objects), numbers, bound};
    annot_context_note_operation(list, &operation);
}

static void check(const struct dump_record *record, uint32_t number)
{
    const uint32_t arguments = number % 9, objects = number % 17;
    cr_assert_eq(number_at(record->fields + 8, 4), number);
    cr_assert_eq(number_at(record->fields + 12, 4), DISPATCH);
    cr_assert_eq(number_at(record->fields + 16, 4), arguments);
    cr_assert_eq(number_at(record->fields + 20, 4), objects);
    const uint32_t all = objects + parts_of(number, objects);
    cr_assert_eq(record->variable, arguments * 8 + all * 16);
    if (arguments > 3) {
        cr_assert_eq((int64_t)number_at(record->bytes + 8, 8), -(int64_t)number);
        cr_assert_eq((int64_t)number_at(record->bytes + 16, 8), INT64_MIN);
        cr_assert_eq((int64_t)number_at(record->bytes + 24, 8), INT64_MAX);
    }
    for (uint32_t i = 0; i < all; i++) {
        cr_assert_eq(number_at(record->bytes + arguments * 8 + i * 16, 8), number + i);
        cr_assert_eq(number_at(record->bytes + arguments * 8 + i * 16 + 8, 4), role_at(i, objects));
        cr_assert_eq(number_at(record->bytes + arguments * 8 + i * 16 + 12, 4), 0);
    }
}

/* Enough to fill segments and chunks. */
Test(operation, thousands_of_all_sizes_come_out_as_they_went_in)
{
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object *object = make(device, ANNOT_OBJECT_COMMAND_LIST);
    annot_arena *arena;
    annot_context *list;
    uint32_t seen = 0, markers = 0;
    annot_arena_create(device, &arena);
    annot_context_create(object, &list);
    note(list, 77, 1, 1); /* not recording */
    annot_context_open(list, arena);
    annot_context_begin_event(list, 1, "scope", 5);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i % 7 == 0)
            annot_context_set_marker(list, 1, "marker", 6);
        note(list, i, i % 9, i % 17);
    }
    note(list, COUNT, 9, 1);
    note(list, COUNT, 1, 17);
    note(list, COUNT, 1, 33);
    annot_context_end_event(list);
    annot_context_close(list);
    note(list, COUNT, 1, 1);
    struct dump d = taken_from(device, NULL);
    for (size_t i = 0; i < d.count; i++) {
        markers += d.records[i].kind == RECORD_SET || d.records[i].kind == RECORD_BEGIN;
        if (d.records[i].kind != RECORD_OPERATION)
            continue;
        cr_assert_neq(number_at(d.records[i].fields, 8), 0, "it has the scope as its parent");
        check(&d.records[i], seen++);
    }
    cr_expect_eq(seen, COUNT);
    cr_expect_eq(markers, 1 + (COUNT + 6) / 7);
    taken_free(&d);
    annot_context_destroy(list);
    annot_arena_destroy(arena);
    annot_object_destroy(object);
    annot_device_destroy(device);
}

Test(operation, costs_nothing_where_markers_are_not_kept)
{
    annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    annot_object *object = make(device, ANNOT_OBJECT_COMMAND_LIST);
    annot_arena *arena;
    annot_context *list;
    annot_device_stats stats;
    annot_arena_create(device, &arena);
    annot_context_create(object, &list);
    annot_context_open(list, arena);
    note(list, 0, 3, 1);
    annot_context_close(list);
    annot_device_get_stats(device, &stats);
    cr_expect_eq(stats.live_bytes, 0);
    annot_context_destroy(list);
    annot_arena_destroy(arena);
    annot_object_destroy(object);
    annot_device_destroy(device);
}
