/* From a driver's report to states, by identity [ANN-CRASH-02]. */
#include "device_dump.h"
#include "spy.h"

/* Two queues without a driver's handle: one hangs, and the other has finished. */
Test(identity, two_queues_without_a_handle_are_kept_apart)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    struct spy_child queues[] = {spy_queue(device, 0, NULL), spy_queue(device, 0, NULL)};
    struct spy_child list = spy_list(device, 0, NULL);
    AT_END(spy_arena_ended) annot_arena *arena = spy_arena(device);
    annot_context_open(list.context, arena);
    annot_context_set_marker(list.context, 1, "m", 1);
    annot_context_close(list.context);
    annot_progress rows[2];
    for (int i = 0; i < 2; i++) {
        annot_context_submit(queues[i].context, &list.context, 1);
        rows[i] = (annot_progress){
            .queue = annot_object_id(queues[i].object),
            .object = annot_object_id(list.object),
            .submission = 1,
            .state = i == 0 ? ANNOT_PROGRESS_FINISHED : ANNOT_PROGRESS_STARTED,
        };
    }
    const annot_crash_report report = {
        .size = sizeof report, .progress = rows, .progress_count = 2};
    struct device_dump dump = device_dump_take(device, &report);
    cr_expect_eq(annot_reader_finding_count(dump.reader), 0);
    for (uint32_t i = 0; i < 2; i++) {
        annot_reader_execution execution;
        cr_assert(annot_reader_execution_at(dump.reader, i, &execution));
        cr_expect_eq(execution.state, i == 0 ? ANNOT_STATE_FINISHED : ANNOT_STATE_IN_PROGRESS);
    }
    device_dump_done(&dump);
    spy_child_done(list);
    spy_child_done(queues[0]);
    spy_child_done(queues[1]);
}

/* annot.h: a driver may know an object's identity before the library knows the driver's handle. */
Test(identity, a_reserved_identity_is_the_objects)
{
    AT_END(spy_device_ended) annot_device *device = spy_device(ANNOT_MODE_DRIVER_RETAIL, 0);
    annot_object *objects[3];
    const uint64_t id = annot_device_reserve_id(device);
    const annot_object_desc desc = {.kind = D3D12DDI_HT_FENCE};
    annot_object_desc reserved = desc;
    reserved.id = id;
    cr_expect_neq(id, 0);
    cr_assert_eq(annot_object_create(device, &desc, &objects[0]), ANNOT_OK);
    cr_assert_eq(annot_object_create(device, &reserved, &objects[1]), ANNOT_OK);
    cr_assert_eq(annot_object_create(device, &desc, &objects[2]), ANNOT_OK);
    cr_expect_eq(annot_object_id(objects[1]), id);
    cr_expect_neq(annot_object_id(objects[0]), id);
    cr_expect_neq(annot_object_id(objects[2]), id);
    cr_expect_neq(annot_object_id(objects[0]), annot_object_id(objects[2]));
    for (int i = 0; i < 3; i++)
        annot_object_destroy(objects[i]);
}
