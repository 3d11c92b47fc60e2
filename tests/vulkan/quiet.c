/* When there is nothing to report [ANN-VK-03]: no dump, and nothing of the application's is
 * changed. */
#include "asserts.h"
#include "kit.h"

static const uint64_t second = 1000000000u;

/* ---- the watchdog ---- */

Test(vulkan_quiet, an_idle_minute_is_no_hang)
{
    APP();
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    for (uint64_t now = 0; now < 600 * second; now += second)
        cr_assert_not(vkl_watchdog_look(app.layer, now));
    cr_expect_eq(app_dumps(&app), 0);
}

/* One label after the other, for as long as it takes: each is progress. */
Test(vulkan_quiet, a_slow_frame_that_goes_on_is_no_hang)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 } {b w2 } {c w3 } {d w4 } {e w5 }");
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    uint64_t now = 0;
    for (uint32_t hang = 1; hang <= 5; hang++) {
        mock_go_on(hang);
        for (int i = 0; i < 7; i++, now += second)
            cr_assert_not(vkl_watchdog_look(app.layer, now));
    }
    cr_expect_eq(app_dumps(&app), 0);
}

Test(vulkan_quiet, the_limit_is_eight_seconds_and_a_dump_is_written_once)
{
    APP();
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    cr_expect_not(vkl_watchdog_look(app.layer, 5 * second));
    cr_expect_not(vkl_watchdog_look(app.layer, 13 * second - 1));
    cr_expect(vkl_watchdog_look(app.layer, 13 * second));
    cr_expect_not(vkl_watchdog_look(app.layer, 500 * second));
    cr_expect_eq(app_dumps(&app), 1);
    cr_expect_not_null(strstr(app_report(&app), "made no progress for 8.0 s"), "%s",
                       app_report(&app));
    cr_expect_not_null(strstr(app_report(&app), "GPU HANG"));
}

/* Whoever waits for a semaphore may wait for a signal that is due tomorrow; for timelines: waits.c.
 */
Test(vulkan_quiet, waiting_for_a_semaphore_is_no_hang)
{
    for (uint32_t count = 1; count <= 10000; count += 9999) {
        static VkSubmitInfo infos[10000];
        mock_reset();
        APP(.level = NULL);
        const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
        const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
        VkSemaphore semaphore;
        app.vk.CreateSemaphore(app.device, &create, NULL, &semaphore);
        infos[0] = (VkSubmitInfo){
            .waitSemaphoreCount = 1, .pWaitSemaphores = &semaphore, .pWaitDstStageMask = &stage};
        mock.is_waiting = true;
        cr_assert_eq(app.vk.QueueSubmit(app.queues[0], count, infos, VK_NULL_HANDLE), VK_SUCCESS);
        cr_expect_not(app_watch(&app));
        cr_expect_eq(app_dumps(&app), 0);
        app.vk.DestroySemaphore(app.device, semaphore, NULL);
    }
}

/* ---- completion ---- */

/* Without a timeline of the layer's own the application's fences and waits tell. */
Test(vulkan_quiet, without_timelines_fences_tell_what_is_complete)
{
    mock.has_no_timeline = true;
    APP(.evidence = "timeline");
    const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fences[3];
    for (int i = 0; i < 3; i++) {
        app.create_fence(app.device, &create, NULL, &fences[i]);
        app_submit(&app, app_command(&app, "{a w1 }"), fences[i]);
    }
    struct vkl_queue *queue = atomic_load(&app.layer->queues);
    cr_expect_eq(atomic_load(&queue->crash.completed), 0, "nobody has looked");
    cr_expect_eq(app.vk.GetFenceStatus(app.device, fences[0]), VK_SUCCESS);
    cr_expect_eq(atomic_load(&queue->crash.completed), 1);
    cr_expect_eq(app.vk.WaitForFences(app.device, 1, &fences[1], VK_FALSE, 0), VK_SUCCESS);
    cr_expect_eq(atomic_load(&queue->crash.completed), 2);
    app.vk.ResetFences(app.device, 2, fences);
    cr_expect_eq(app.vk.GetFenceStatus(app.device, fences[0]), VK_NOT_READY);
    cr_expect_eq(app.vk.WaitForFences(app.device, 1, &fences[2], VK_TRUE, 0), VK_SUCCESS);
    cr_expect_eq(atomic_load(&queue->crash.completed), 3);
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    app.vk.QueueWaitIdle(app.queues[0]);
    cr_expect_eq(atomic_load(&queue->crash.completed), 4);
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    app.vk.DeviceWaitIdle(app.device);
    cr_expect_eq(atomic_load(&queue->crash.completed), 5);
    for (int i = 0; i < 3; i++)
        app.vk.DestroyFence(app.device, fences[i], NULL);
}

Test(vulkan_quiet, without_timelines_of_ours_the_application_s_tell)
{
    /* The application's structure says that it wants none for the device: then ours isn't made. */
    VkPhysicalDeviceTimelineSemaphoreFeatures none = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES};
    APP(.device_next = &none);
    struct vkl_queue *queue = atomic_load(&app.layer->queues);
    cr_expect_eq(queue->timeline, VK_NULL_HANDLE);
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkExportSemaphoreCreateInfo exported = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO, .pNext = &type};
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                          .pNext = &exported};
    VkSemaphore two[2];
    app.vk.CreateSemaphore(app.device, &create, NULL, &two[0]);
    app.vk.CreateSemaphore(app.device, &create, NULL, &two[1]);
    for (uint64_t i = 1; i <= 4; i++) {
        const uint64_t value = i * 10;
        const VkTimelineSemaphoreSubmitInfo values = {
            .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
            .signalSemaphoreValueCount = 1,
            .pSignalSemaphoreValues = &value};
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = &values,
                                   .signalSemaphoreCount = 1,
                                   .pSignalSemaphores = &two[i == 4]};
        app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
    }
    uint64_t value;
    const uint64_t values[] = {15, 40};
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1, /* not the second */
                                      .pSemaphores = two,
                                      .pValues = values};
    cr_expect_eq(app.vk.WaitSemaphores(app.device, &wait, 0), VK_SUCCESS);
    cr_expect_eq(atomic_load(&queue->crash.completed), 1,
                 "15 says nothing of the one that sets 20");
    cr_expect_eq(app.vk.GetSemaphoreCounterValue(app.device, two[0], &value), VK_SUCCESS);
    cr_expect_eq(value, 30);
    cr_expect_eq(atomic_load(&queue->crash.completed), 3);
    app.vk.DestroySemaphore(app.device, two[0], NULL);
    app.vk.DestroySemaphore(app.device, two[1], NULL);
}

Test(vulkan_quiet, a_submission_that_fails_is_taken_back)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    mock.fails_by = "vkQueueSubmit";
    cr_expect_eq(app_submit(&app, buffer, VK_NULL_HANDLE), VK_ERROR_OUT_OF_HOST_MEMORY);
    mock.fails_by = NULL;
    cr_expect_not(app_watch(&app), "nothing is in flight");
    mock.hang = 1;
    cr_expect_eq(app_submit(&app, buffer, VK_NULL_HANDLE), VK_SUCCESS);
    cr_assert(app_watch(&app));
    cr_expect_str_eq(app_states(&app), "> a>");
}

/* Its fence and semaphore may be signalled by something else later: an image that was acquired, the
 * host. That says nothing of the submission that got its number. */
Test(vulkan_quiet, what_a_submission_that_fails_would_have_signalled_completes_no_other)
{
    mock.has_no_timeline = true;
    APP();
    const struct vkl_queue *queue = atomic_load(&app.layer->queues);
    const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const uint64_t one = 1;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &one};
    VkFence fence;
    VkSemaphore semaphore = app_timeline(&app);
    cr_assert_eq(app.create_fence(app.device, &fence_info, NULL, &fence), VK_SUCCESS);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .signalSemaphoreCount = 1,
                               .pSignalSemaphores = &semaphore};
    mock.fails_by = "vkQueueSubmit";
    cr_expect_eq(app.vk.QueueSubmit(app.queues[0], 1, &info, fence), VK_ERROR_OUT_OF_HOST_MEMORY);
    mock.fails_by = NULL;
    mock.hang = 1;
    cr_expect_eq(app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE), VK_SUCCESS);
    ((struct mock_fence *)fence)->is_signaled = true;
    cr_expect_eq(app.vk.GetFenceStatus(app.device, fence), VK_SUCCESS);
    cr_expect_eq(atomic_load(&queue->crash.completed), 0);
    atomic_store(&((struct mock_semaphore *)semaphore)->value, 1);
    uint64_t value;
    cr_expect_eq(app.vk.GetSemaphoreCounterValue(app.device, semaphore, &value), VK_SUCCESS);
    cr_expect_eq(value, 1);
    cr_expect_eq(atomic_load(&queue->crash.completed), 0);
    app.vk.DestroyFence(app.device, fence, NULL);
    app.vk.DestroySemaphore(app.device, semaphore, NULL);
}

/* ---- results ---- */

static void run_some(struct app *app)
{
    app_submit(app, app_command(app, "{a w1 [ {b w2 } ] } w3"), VK_NULL_HANDLE);
    VkCommandBuffer twice = app_command(app, "w4 {c w5 }");
    app_submit(app, twice, VK_NULL_HANDLE);
    app_submit(app, twice, VK_NULL_HANDLE);
}

Test(vulkan_quiet, the_gpu_does_the_same_work_in_the_same_order)
{
    static const uint64_t expected[] = {1, 2, 3, 4, 5, 4, 5};
    static const char *const kinds[] = {"checkpoints", "markers", "barrier", "fill", "timeline"};
    for (int i = 0; i < 5; i++) {
        mock_reset();
        mock.has_checkpoints = mock.has_markers = true;
        APP(.evidence = kinds[i]);
        run_some(&app);
        cr_expect_eq(mock.done_count, 7, "%s: %u", kinds[i], mock.done_count);
        cr_expect_arr_eq(mock.done, expected, sizeof expected);
    }
}

Test(vulkan_quiet, labels_and_names_reach_the_driver)
{
    APP();
    app_command(&app, "{a {b } } }");
    cr_expect_eq(mock.labels, 5);
    cr_expect_eq(app_name(&app, VK_OBJECT_TYPE_COMMAND_POOL, (uint64_t)app.pool,
                          "pool of the frame"),
                 VK_SUCCESS);
    cr_expect_eq(mock.names, 1);
}

/* ---- devices ---- */

Test(vulkan_quiet, a_driver_that_refuses_what_the_layer_adds_still_gives_a_device)
{
    mock.has_markers = mock.refuses_markers = true;
    APP(.extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, VK_KHR_SWAPCHAIN_EXTENSION_NAME});
    cr_assert_eq(mock.extension_count, 1, "the application's, but for the one that the layer has");
    cr_expect_str_eq(mock.extensions[0], VK_KHR_SWAPCHAIN_EXTENSION_NAME);
    mock.hang = 2;
    app_submit(&app, app_command(&app, "{a w1 } {b w2 }"), VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    cr_expect_str_eq(app_states(&app), "> a+ b>", "a barrier and a fill do");
}

Test(vulkan_quiet, the_offered_extension_does_not_reach_a_driver_without_it)
{
    for (int has = 0; has < 2; has++) {
        mock_reset();
        mock.has_debug_marker = has;
        APP(.extensions = {VK_EXT_DEBUG_MARKER_EXTENSION_NAME});
        cr_expect_eq(mock.extension_count, (uint32_t)has);
    }
}

Test(vulkan_quiet, without_memory_that_both_can_see_submissions_are_followed)
{
    mock.has_no_memory = true;
    APP();
    cr_expect_eq(app.layer->evidence, VKL_EVIDENCE_TIMELINE);
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    cr_expect_str_eq(app_states(&app), "? a?");
}

/* vkCmdFillBuffer is for graphics and compute queues; for transfer queues from Vulkan 1.1 on. */
Test(vulkan_quiet, no_fill_is_recorded_where_a_queue_can_t_do_it)
{
    static const struct {
        VkQueueFlags flags;
        uint32_t version;
        bool fills;
    } queues[] = {{VK_QUEUE_TRANSFER_BIT, VK_API_VERSION_1_0, false},
                  {VK_QUEUE_TRANSFER_BIT, VK_API_VERSION_1_1, true},
                  {VK_QUEUE_COMPUTE_BIT, VK_API_VERSION_1_0, true},
                  {VK_QUEUE_GRAPHICS_BIT, VK_API_VERSION_1_0, true},
                  {VK_QUEUE_SPARSE_BINDING_BIT, VK_API_VERSION_1_3, false}};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++) {
        mock_reset();
        mock.flags[0] = queues[i].flags;
        APP(.api_version = queues[i].version);
        app_command(&app, "{a w1 }");
        cr_expect_eq(mock.fills > 0, queues[i].fills, "case %zu", i);
    }
}

Test(vulkan_quiet, no_fill_is_recorded_into_a_protected_command_buffer)
{
    APP();
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT};
    app.vk.DestroyCommandPool(app.device, app.pool, NULL);
    cr_assert_eq(app.vk.CreateCommandPool(app.device, &info, NULL, &app.pool), VK_SUCCESS);
    app_command(&app, "{a w1 }");
    cr_expect_eq(mock.fills, 0);
}

/* ---- the queue's timeline ---- */

static uint64_t value_of(VkSemaphore semaphore)
{
    return atomic_load(&((struct mock_semaphore *)semaphore)->value);
}

/* The layer's signal rides on the application's last batch, whose own signals keep their values;
 * every submission is seen to be complete. */
Test(vulkan_quiet, a_batch_stays_one_batch)
{
    APP();
    VkSemaphore two[] = {app_timeline(&app), app_timeline(&app)};
    const uint64_t values[] = {70, 80};
    VkCommandBuffer buffer = app_command(&app, "{A w1 }");
    const VkTimelineSemaphoreSubmitInfo timelines = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 2,
        .pSignalSemaphoreValues = values};
    const VkSubmitInfo with = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &timelines,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &buffer,
                               .signalSemaphoreCount = 2,
                               .pSignalSemaphores = two};
    const VkSubmitInfo batches[] = {with, {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO}};
    struct vkl_queue *queue = atomic_load(&app.layer->queues);
    const uint32_t before = mock.batches;
    cr_assert_eq(app.vk.QueueSubmit(app.queues[0], 1, &with, VK_NULL_HANDLE), VK_SUCCESS);
    cr_expect_eq(mock.batches, before + 1);
    cr_expect_eqs(value_of(two[0]), 70, value_of(two[1]), 80);
    cr_expect_eq(value_of(queue->timeline), 1);
    cr_assert_eq(app.vk.QueueSubmit(app.queues[0], 2, batches, VK_NULL_HANDLE), VK_SUCCESS);
    cr_expect_eq(mock.batches, before + 3);
    cr_expect_eq(value_of(queue->timeline), 3);

    VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = two[0], .value = 90};
    const VkSubmitInfo2 newer = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .signalSemaphoreInfoCount = 1,
                                 .pSignalSemaphoreInfos = &signal};
    cr_assert_eq(app.vk.QueueSubmit2(app.queues[0], 1, &newer, VK_NULL_HANDLE), VK_SUCCESS);
    cr_expect_eq(mock.batches, before + 4);
    cr_expect_eqs(value_of(two[0]), 90, value_of(queue->timeline), 4);
    app.vk.DestroySemaphore(app.device, two[0], NULL);
    app.vk.DestroySemaphore(app.device, two[1], NULL);
}

/* Structures behind a batch may count its semaphores: then it stays as it is, and a batch follows
 * that sets the timeline. */
Test(vulkan_quiet, a_batch_whose_semaphores_are_counted_is_left_alone)
{
    APP();
    const VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO};
    const VkTimelineSemaphoreSubmitInfo behind = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO, .pNext = &group};
    const uint64_t more[] = {1, 2};
    const VkTimelineSemaphoreSubmitInfo surplus = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .signalSemaphoreValueCount = 2,
        .pSignalSemaphoreValues = more};
    const void *const chains[] = {&group, &behind, &surplus};
    struct vkl_queue *queue = atomic_load(&app.layer->queues);
    for (uint64_t i = 0; i < 3; i++) {
        const uint32_t before = mock.batches;
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = chains[i]};
        cr_assert_eq(app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
        cr_expect_eq(mock.batches, before + 2);
        cr_expect_eq(value_of(queue->timeline), i + 1);
    }
}
