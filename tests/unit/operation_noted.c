/* Operations and shaders from the calls to the bytes of a dump [ANN-OP-01]. */
#include "asserts.h"
#include "dump_bytes.h"
#include "spy.h"

#include <annot/shader.h>

#include <string.h>

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

static void note(annot_context *list, uint32_t number, uint32_t arguments, uint32_t objects)
{
    const int64_t numbers[9] = {number, -(int64_t)number, INT64_MIN, INT64_MAX, 5, 6, 7, 8, 9};
    annot_bound_object bound[17];
    for (uint32_t i = 0; i < 17; i++)
        bound[i] = (annot_bound_object){number + i, 1 + i, 0};
    const annot_operation operation = {DISPATCH, number, arguments, objects, numbers, bound};
    annot_context_note_operation(list, &operation);
}

static void check(const struct dump_record *record, uint32_t number)
{
    const uint32_t arguments = number % 9, objects = number % 17;
    cr_assert_eq(number_at(record->fields + 8, 4), number);
    cr_assert_eq(number_at(record->fields + 12, 4), DISPATCH);
    cr_assert_eq(number_at(record->fields + 16, 4), arguments);
    cr_assert_eq(number_at(record->fields + 20, 4), objects);
    cr_assert_eq(record->variable, arguments * 8 + objects * 16);
    if (arguments > 3) {
        cr_assert_eq((int64_t)number_at(record->bytes + 8, 8), -(int64_t)number);
        cr_assert_eq((int64_t)number_at(record->bytes + 16, 8), INT64_MIN);
        cr_assert_eq((int64_t)number_at(record->bytes + 24, 8), INT64_MAX);
    }
    for (uint32_t i = 0; i < objects; i++) {
        cr_assert_eq(number_at(record->bytes + arguments * 8 + i * 16, 8), number + i);
        cr_assert_eq(number_at(record->bytes + arguments * 8 + i * 16 + 8, 4), 1 + i);
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

/* A pipeline without a name is remembered for its shaders; a name that is too long is cut. */
Test(operation, shaders_of_a_pipeline_outlive_it)
{
    char name[300];
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object *pipeline = make(device, ANNOT_OBJECT_PIPELINE);
    const uint64_t id = annot_object_id(pipeline);
    uint32_t seen = 0;
    memset(name, 'n', sizeof name);
    annot_shader shader = {.stage = ANNOT_SHADER_STAGE_COMPUTE,
                           .xxh3 = 0x1122334455667788,
                           .debug_name = name,
                           .debug_name_size = sizeof name};
    for (uint32_t i = 0; i < ANNOT_SHADERS_MAX; i++) {
        shader.form = i;
        cr_assert_eq(annot_object_add_shader(pipeline, &shader), ANNOT_OK);
        shader.debug_name_size = i;
    }
    cr_expect_eq(annot_object_add_shader(pipeline, &shader), ANNOT_ERROR_TOO_LARGE);
    cr_expect_eq(annot_object_add_shader(pipeline, NULL), ANNOT_ERROR_INVALID_ARGUMENT);
    annot_object_destroy(pipeline);
    struct dump d = taken_from(device, NULL);
    for (size_t i = 0; i < d.count; i++) {
        const struct dump_record *record = &d.records[i];
        if (record->kind != RECORD_SHADER)
            continue;
        cr_expect_eq(number_at(record->fields, 8), id);
        cr_expect_eq(number_at(record->fields + 8, 8), 0x1122334455667788);
        cr_expect_eq(number_at(record->fields + 48, 4), seen);
        cr_expect_eq(number_at(record->fields + 60, 4), seen == 0 ? 300 : seen - 1);
        cr_expect_eq(record->variable, seen == 0 ? ANNOT_SHADER_NAME_MAX : seen - 1);
        seen++;
    }
    cr_expect_eq(seen, ANNOT_SHADERS_MAX);
    taken_free(&d);
    annot_device_destroy(device);
}

/* A call of a bundle has the bundle's name where the bundle's recording has another one: what it
 * was called when it was recorded is there once. */
Test(operation, a_call_has_a_bundles_name_where_its_recording_has_not)
{
    static char longest[301];
    memset(longest, 'n', sizeof longest - 1);
    static const struct {
        const char *name; /* set before the call */
        bool is_recorded; /* and recorded again with it */
        uint32_t flags, size, kept;
    } calls[] = {{"trees", true, 0, 0, 0},      {"trees", false, 1, 5, 5},
                 {"bushes", false, 1, 6, 6},    {NULL, false, 1, 0, 0},
                 {longest, false, 1, 300, 255}, {"bushes", true, 0, 0, 0},
                 {NULL, true, 0, 0, 0},         {"trees", true, 0, 0, 0}};
    annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child bundle = spy_list(device, 1, NULL), list = spy_list(device, 0, NULL);
    annot_arena *inner = spy_arena(device), *outer = spy_arena(device);
    uint32_t seen = 0;
    annot_context_open(list.context, outer);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        annot_object_set_name(bundle.object, calls[i].name, ANNOT_TEXT_UTF8);
        if (calls[i].is_recorded) {
            annot_context_open(bundle.context, inner);
            annot_context_set_marker(bundle.context, 1, "m", 1);
            annot_context_close(bundle.context);
        }
        annot_context_execute_bundle(list.context, bundle.context);
    }
    annot_context_close(list.context);
    struct dump d = taken_from(device, NULL);
    for (size_t i = 0; i < d.count; i++) {
        if (d.records[i].kind != RECORD_BUNDLE)
            continue;
        cr_assert_eq(number_at(d.records[i].fields + 24, 4), seen + 1);
        cr_expect_eq(number_at(d.records[i].fields + 28, 4), calls[seen].size, "call %u", seen);
        cr_expect_eq(number_at(d.records[i].fields + 32, 4), calls[seen].flags, "call %u", seen);
        cr_assert_eq(d.records[i].variable, calls[seen].kept, "call %u", seen);
        if (calls[seen].kept > 0)
            cr_expect_eq(memcmp(d.records[i].bytes, calls[seen].name, calls[seen].kept), 0);
        seen++;
    }
    cr_expect_eq(seen, sizeof calls / sizeof *calls);
    taken_free(&d);
    spy_child_done(list);
    spy_child_done(bundle);
    annot_arena_destroy(inner);
    annot_arena_destroy(outer);
    spy_device_done(device);
}
