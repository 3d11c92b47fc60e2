/* The device's annotation mode and what children latch of it [ANN-MODE-01..06]. */
#include "spy.h"

/* ANN-MODE-01 [S0: "By default, the runtime annotation mode is ... RUNTIME_ONLY"] */
Test(mode, new_device_is_runtime_only)
{
    annot_device *device = NULL;
    cr_assert_eq(annot_device_create(NULL, &device), ANNOT_OK);
    cr_expect_eq(annot_device_mode(device), 1);
    annot_device_destroy(device);
}

/* ANN-MODE-02 */
Test(mode, set_and_get_round_trip)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    static const uint32_t sequence[] = {2, 1, 1, 2, 2, 1};
    for (size_t i = 0; i < sizeof sequence / sizeof *sequence; i++) {
        cr_expect_eq(annot_device_set_mode(device, sequence[i]), ANNOT_OK);
        cr_expect_eq(annot_device_mode(device), sequence[i]);
    }
    cr_expect_eq(spy_said.count, 0);
}

/* ANN-MODE-03 */
Test(mode, any_other_value_is_refused_with_one_message_and_changes_nothing)
{
    static const uint32_t wrong[] = {0, 3, 4, 255, 256, 257, 258, 0x10001, 0x80000001, UINT32_MAX};
    for (uint32_t before = 1; before <= 2; before++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(before, 0);
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            spy_forget_messages();
            cr_expect_eq(annot_device_set_mode(device, wrong[i]), ANNOT_ERROR_INVALID_ARGUMENT);
            cr_expect_eq(annot_device_mode(device), before);
            cr_expect_eq(spy_said.count, 1, "value %u", wrong[i]);
            cr_expect_eq(spy_said.id, ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT);
        }
        /* The device lives on. */
        cr_expect_eq(annot_device_set_mode(device, 3 - before), ANNOT_OK);
        cr_expect_eq(annot_device_mode(device), 3 - before);
    }
}

static const D3D12DDI_HANDLETYPE kinds[] = {
    D3D12DDI_HT_COMMAND_QUEUE,
    D3D12DDI_HT_COMMAND_ALLOCATOR,
    D3D12DDI_HT_PIPELINE_STATE,
    D3D12DDI_HT_COMMAND_LIST,
    D3D12DDI_HT_FENCE,
    D3D12DDI_HT_DESCRIPTOR_HEAP,
    D3D12DDI_HT_HEAP,
    D3D12DDI_HT_ROOT_SIGNATURE,
    D3D12DDI_HT_QUERY_HEAP,
    D3D12DDI_HT_COMMAND_SIGNATURE,
    D3D12DDI_HT_PIPELINE_LIBRARY,
    D3D12DDI_HT_VIDEO_DECODER,
    D3D12DDI_HT_VIDEO_PROCESSOR,
    D3D12DDI_HT_RESOURCE,
    D3D12DDI_HT_STATE_OBJECT,
    D3D12DDI_HT_PROTECTEDRESOURCESESSION,
    D3D12DDI_HT_VIDEO_DECODER_HEAP,
    D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR,
    D3D12DDI_HT_VIDEO_ENCODER,
    D3D12DDI_HT_VIDEO_ENCODER_HEAP,
};

/* ANN-MODE-04, -05: every kind of child keeps what was current at its creation. */
Test(mode, child_keeps_the_mode_of_its_creation)
{
    enum { KINDS = sizeof kinds / sizeof *kinds };
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    annot_object *objects[2][KINDS];
    for (uint32_t mode = 1; mode <= 2; mode++) {
        annot_device_set_mode(device, mode);
        for (size_t i = 0; i < KINDS; i++) {
            annot_object_desc desc = {.kind = kinds[i], .driver_handle = spy_handle(i)};
            cr_assert_eq(annot_object_create(device, &desc, &objects[mode - 1][i]), ANNOT_OK);
        }
    }
    for (uint32_t now = 1; now <= 2; now++) {
        annot_device_set_mode(device, now);
        for (size_t i = 0; i < KINDS; i++)
            for (uint32_t mode = 1; mode <= 2; mode++) {
                annot_object *object = objects[mode - 1][i];
                cr_expect_eq(annot_object_mode(object), mode);
                spy_forget_calls();
                cr_expect_eq(annot_object_set_name(object, L"n", ANNOT_TEXT_UTF32), ANNOT_OK);
                cr_expect_eq(spy_calls.count, mode == ANNOT_MODE_DRIVER_RETAIL);
            }
    }
    for (size_t i = 0; i < KINDS; i++) {
        annot_object_destroy(objects[0][i]);
        annot_object_destroy(objects[1][i]);
    }
}

/* ANN-MODE-05: opening a list again is its Reset, not its creation. */
Test(mode, reopening_a_list_keeps_its_latch)
{
    for (uint32_t mode = 1; mode <= 2; mode++) {
        AT_END(spy_device_ended) annot_device *device = spy_device(mode, 0);
        AT_END(spy_child_ended) struct spy_child list = spy_list(device, 0, spy_handle(1));
        AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, spy_handle(2));
        AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
        annot_device_set_mode(device, 3 - mode);
        for (int recording = 0; recording < 3; recording++) {
            spy_forget_calls();
            cr_assert_eq(annot_arena_reset(arena), ANNOT_OK);
            cr_assert_eq(annot_context_open(list.context, arena), ANNOT_OK);
            annot_context_set_marker(list.context, 0, "m", 2);
            annot_context_set_marker(queue.context, 0, "m", 2);
            cr_assert_eq(annot_context_close(list.context), ANNOT_OK);
            cr_expect_eq(spy_calls.count, mode == 2 ? 2 : 0);
        }
        cr_expect_eq(annot_context_forwards(list.context), mode == 2);
        cr_expect_eq(annot_context_forwards(queue.context), mode == 2);
    }
}

/* ANN-MODE-04: the latch is the object's; a context made later obeys it and not the device. */
Test(mode, context_obeys_its_object_when_the_mode_changed_in_between)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object_desc desc = {.kind = D3D12DDI_HT_COMMAND_LIST, .driver_handle = spy_handle(1)};
    AT_END(spy_object_ended) annot_object *object;
    cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
    annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY);
    annot_context *list;
    cr_assert_eq(annot_context_create(object, &list), ANNOT_OK);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_context_open(list, arena);
    annot_context_set_marker(list, 0, "m", 2);
    annot_object_set_name(object, L"n", ANNOT_TEXT_UTF32);
    cr_expect_eq(spy_calls.count, 2);
    annot_context_destroy(list);
}

/* ANN-MODE-06 */
Test(mode, two_devices_are_independent)
{
    annot_device *first = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    AT_END(spy_device_ended) annot_device *second = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    cr_expect_eq(annot_device_mode(first), ANNOT_MODE_RUNTIME_ONLY);
    cr_expect_eq(annot_device_mode(second), ANNOT_MODE_DRIVER_RETAIL);
    struct spy_child of_first = spy_queue(first, 0, spy_handle(1));
    struct spy_child of_second = spy_queue(second, 0, spy_handle(2));
    annot_context_set_marker(of_first.context, 0, "m", 2);
    annot_context_set_marker(of_second.context, 0, "m", 2);
    cr_expect_eq(spy_calls.count, 1);
    cr_expect_eq(spy_last()->handle, spy_handle(2));
    annot_device_set_mode(second, ANNOT_MODE_RUNTIME_ONLY);
    annot_device_set_mode(first, ANNOT_MODE_DRIVER_RETAIL);
    cr_expect_eq(annot_device_mode(second), ANNOT_MODE_RUNTIME_ONLY);
    spy_child_done(of_first);
    spy_child_done(of_second);
    annot_device_destroy(first);
}

/* ANN-CONF-02: accepted, without effect; what is no mode at all is still refused. */
Test(mode, forced_device_accepts_set_without_effect)
{
    annot_device_desc desc = spy_desc();
    desc.driver = &spy_driver;
    desc.message = spy_message;
    desc.force_driver_retail = true;
    AT_END(spy_device_ended) annot_device *device;
    cr_assert_eq(annot_device_create(&desc, &device), ANNOT_OK);
    cr_expect_eq(annot_device_mode(device), ANNOT_MODE_DRIVER_RETAIL);
    cr_expect_eq(annot_device_set_mode(device, ANNOT_MODE_RUNTIME_ONLY), ANNOT_OK);
    cr_expect_eq(annot_device_mode(device), ANNOT_MODE_DRIVER_RETAIL);
    cr_expect_eq(annot_device_set_mode(device, ANNOT_MODE_DRIVER_RETAIL), ANNOT_OK);
    cr_expect_eq(spy_said.count, 0);
    cr_expect_eq(annot_device_set_mode(device, 7), ANNOT_ERROR_INVALID_ARGUMENT);
    cr_expect_eq(spy_said_how_often(ANNOT_MESSAGE_SET_MODE_INVALID_ARGUMENT), 1);
    cr_expect_eq(annot_device_mode(device), ANNOT_MODE_DRIVER_RETAIL);
    AT_END(spy_child_ended) struct spy_child queue = spy_queue(device, 0, spy_handle(1));
    cr_expect(annot_context_forwards(queue.context));
}

/* ANN-MODE-04: ids are unique per device, never 0, never reused. */
Test(mode, object_ids_are_never_reused)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_RUNTIME_ONLY, 0);
    uint64_t last = 0;
    for (int i = 0; i < 1000; i++) {
        annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
        AT_END(spy_object_ended) annot_object *object;
        cr_assert_eq(annot_object_create(device, &desc, &object), ANNOT_OK);
        cr_expect_gt(annot_object_id(object), last);
        last = annot_object_id(object);
    }
    annot_object_destroy(NULL);
}
