/* Every public call with any of its allocations failing: no crash, no leak, the documented answer,
 * and each driver call made all the same [ANN-LIFE-07]. */
#include "device_dump.h"
#include "spy.h"

#include <annot/dump.h>

static const char payload[100000];

static bool sink_write(void *user, const void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return true;
}

/* Everything that there is to call, once; returns how far it got. What the driver must have seen is
 * counted in *expected. */
static void life_of_a_device(size_t *expected)
{
    annot_device_desc desc = spy_desc();
    desc.driver = &spy_driver;
    desc.message = spy_message;
    desc.force_driver_retail = true;
    annot_device *device = (annot_device *)&desc;
    annot_result result = annot_device_create(&desc, &device);
    if (result != ANNOT_OK) {
        cr_assert_eq(result, ANNOT_ERROR_OUT_OF_MEMORY);
        cr_assert_null(device);
        return;
    }
    annot_object *objects[3] = {NULL};
    annot_context *contexts[3] = {NULL};
    annot_arena *arenas[2] = {NULL};
    annot_dump_writer *writer = NULL;
    for (int i = 0; i < 3; i++) {
        annot_object_desc object = {.kind = i == 2 ? D3D12DDI_HT_COMMAND_QUEUE
                                                   : D3D12DDI_HT_COMMAND_LIST,
                                    .list_type = i == 1,
                                    .driver_handle = spy_handle((size_t)i)};
        objects[i] = (annot_object *)&object;
        result = annot_object_create(device, &object, &objects[i]);
        cr_assert_eq(result, objects[i] ? ANNOT_OK : ANNOT_ERROR_OUT_OF_MEMORY);
        if (!objects[i])
            continue;
        static const uint16_t name[] = {'n', 0xD800, 0};
        result = annot_object_set_name(objects[i], name, ANNOT_TEXT_UTF16);
        cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_OUT_OF_MEMORY);
        cr_assert_eq(annot_object_get_name(objects[i], NULL, 0), result == ANNOT_OK ? 4 : 0);
        ++*expected;
        contexts[i] = (annot_context *)&object;
        result = annot_context_create(objects[i], &contexts[i]);
        cr_assert_eq(result, contexts[i] ? ANNOT_OK : ANNOT_ERROR_OUT_OF_MEMORY);
    }
    for (int i = 0; i < 2; i++) {
        arenas[i] = (annot_arena *)&desc;
        result = annot_arena_create(device, &arenas[i]);
        cr_assert_eq(result, arenas[i] ? ANNOT_OK : ANNOT_ERROR_OUT_OF_MEMORY);
    }
    writer = (annot_dump_writer *)&desc;
    result = annot_dump_writer_create(device, &writer);
    cr_assert_eq(result, writer ? ANNOT_OK : ANNOT_ERROR_OUT_OF_MEMORY);

    for (int i = 0; i < 3; i++) {
        annot_context *context = contexts[i];
        if (!context || (i < 2 && !arenas[i]))
            continue;
        if (i < 2)
            cr_assert_eq(annot_context_open(context, arenas[i]), ANNOT_OK, "never for memory");
        uint64_t stack[64];
        for (int depth = 0; depth < 64; depth++) {
            annot_context_begin_event(context, 0, payload, depth == 20 ? sizeof payload : 2000);
            stack[depth] = spy_last()->id;
            cr_assert_neq(stack[depth], 0);
            annot_lookup answer = spy_lookup(device, stack[depth]);
            cr_assert(answer == ANNOT_LOOKUP_LIVE || answer == ANNOT_LOOKUP_DROPPED);
            annot_context_set_marker(context, 0, payload, 100);
            cr_assert_neq(spy_last()->id, 0);
        }
        if (i == 0 && contexts[1])
            annot_context_execute_bundle(context, contexts[1]);
        for (int depth = 64; depth-- > 0;) {
            annot_context_end_event(context);
            /* types.h: past what can be remembered of dropped scopes, 0. */
            cr_assert(spy_last()->id == stack[depth] || spy_last()->id == 0);
        }
        annot_context_end_event(context); /* surplus */
        cr_assert_eq(spy_last()->id, 0);
        *expected += 64 * 3 + 1;
        if (i < 2)
            cr_assert_eq(annot_context_close(context), ANNOT_OK);
    }
    if (contexts[2] && contexts[0]) {
        cr_assert_eq(annot_context_submit(contexts[2], contexts, 1), 1);
        annot_context_completed(contexts[2], 1);
    }
    if (writer) {
        annot_dump_sink sink = {NULL, sink_write, sink_write};
        cr_assert_eq(annot_dump_write(writer, NULL, &sink), ANNOT_OK);
    }
    annot_dump_writer_destroy(writer);
    for (int i = 0; i < 3; i++) {
        annot_context_destroy(contexts[i]);
        if (i < 2 && arenas[i])
            cr_assert_eq(annot_arena_reset(arenas[i]), ANNOT_OK);
        annot_object_destroy(objects[i]);
    }
    annot_arena_destroy(arenas[0]);
    annot_arena_destroy(arenas[1]);
    annot_device_destroy(device);
}

static void fail_each(bool and_all_after)
{
    size_t expected = 0;
    spy_heap = (struct spy_memory){0};
    life_of_a_device(&expected);
    size_t most = spy_heap.allocations;
    cr_assert_gt(most, 10);
    cr_assert_eq(spy_heap.blocks, 0);
    for (size_t number = 1; number <= most; number++) {
        expected = 0;
        spy_forget_calls();
        spy_heap = (struct spy_memory){.fail_at = number, .fail_from = and_all_after};
        life_of_a_device(&expected);
        cr_assert_eq(spy_calls.count, expected, "driver calls when allocation %zu fails", number);
        cr_assert_eq(spy_heap.blocks, 0, "leak when allocation %zu fails", number);
        cr_assert_eq(spy_heap.bytes, 0);
        cr_assert_eq(spy_heap.wrong, 0, "wrong size when allocation %zu fails", number);
    }
}

Test(out_of_memory, any_single_allocation_may_fail)
{
    fail_each(false);
}

Test(out_of_memory, all_allocations_from_any_on_may_fail)
{
    fail_each(true);
}

/* ANN-LIFE-07: "behaves as 06": told, counted, and over when there is memory again. */
Test(out_of_memory, drops_like_an_exhausted_budget_and_recovers)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    AT_END(spy_child_ended)
    struct spy_child list = spy_list(device, 0, NULL), queue = spy_queue(device, 0, NULL);
    spy_fail();
    annot_context_open(list.context, arena);
    annot_context *contexts[] = {list.context, queue.context};
    for (int i = 0; i < 2; i++) {
        annot_context_begin_event(contexts[i], 3, "scope", 5);
        uint64_t id = spy_last()->id;
        cr_expect_eq(spy_last()->hash, spy_hash("scope", 5));
        cr_expect_eq(spy_lookup(device, id), ANNOT_LOOKUP_DROPPED);
        annot_context_end_event(contexts[i]);
        cr_expect_eq(spy_last()->id, id);
    }
    cr_expect_eq(spy_stats(device).dropped_markers, 2);
    cr_expect_eq(spy_stats(device).dropped_bytes, 10);
    cr_expect_eq(spy_stats(device).live_bytes, 0, "nothing stays charged");
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_MARKERS_DROPPED), 1);
    spy_heap.fail_at = 0;
    for (int i = 0; i < 2; i++) {
        annot_context_begin_event(contexts[i], 3, "scope", 5);
        annot_marker_info info;
        cr_expect_eq(annot_device_lookup(device, spy_last()->id, &info, NULL, 0),
                     ANNOT_LOOKUP_LIVE);
        cr_expect_eq(info.object, annot_object_id(i ? queue.object : list.object));
        annot_context_end_event(contexts[i]);
    }
    annot_context_close(list.context);
    AT_END(device_dump_done) struct device_dump dump = device_dump_take(device, NULL);
    for (uint32_t i = 0; i < annot_reader_stream_count(dump.reader); i++) {
        annot_reader_stream stream;
        annot_reader_stream_at(dump.reader, i, &stream);
        cr_expect_eq(stream.dropped, 1, "also what was lost before there was a recording");
    }
}
