/* Things that must not be confused: executions, recordings, queues, devices, instances [ANN-VK-04].
 */
#include "asserts.h"
#include "kit.h"

#include <stdio.h>

/* ---- executions of one recording ---- */

Test(vulkan_apart, keeps_a_hundred_submissions_of_one_recording)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 } {b w2 }");
    for (int i = 0; i < 99; i++)
        cr_assert_eq(app_submit(&app, buffer, VK_NULL_HANDLE), VK_SUCCESS);
    cr_expect_not(app_watch(&app));
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    const char *states = app_states(&app);
    cr_expect_str_eq(states + strlen(states) - 7, "> a> b-",
                     "the last is not what the others were");
    int finished = 0;
    for (const char *at = states; (at = strstr(at, "+ a+ b+")); at++)
        finished++;
    cr_expect_eq(finished, 99);
}

/* One that the layer doesn't know, because it had no memory when the program allocated it. */
static VkCommandBuffer unknown(struct app *app)
{
    struct app behind = *app;
    behind.vk = app->layer->next;
    return app_allocate(&behind, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
}

/* In flight at once, behind an unknown one: the first runs to its end, the second hangs, the third
 * waits. */
static void three_at_once(const char *evidence, const char *expected)
{
    APP(.evidence = evidence);
    VkCommandBuffer again = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_record(&app, again, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, "{a w1 } {b w2 }",
               VK_NULL_HANDLE);
    VkCommandBuffer between = app_command(&app, "{middle w3 }");
    VkCommandBuffer buffers[] = {unknown(&app), again, between, again};
    mock.hang = 3;
    cr_assert_eq(app_submit_all(&app, buffers, 4), VK_SUCCESS);
    app_submit(&app, again, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, expected, evidence);
}

Test(vulkan_apart, simultaneous_use_is_told_apart_by_barriers)
{
    three_at_once("barrier", "+ a+ b+ | > middle> | - a- b- | - a- b-");
}

/* The top of the pipe has been through all; nothing says that the later two are done. The first's
 * words are not theirs. */
Test(vulkan_apart, simultaneous_use_is_told_apart_by_markers)
{
    mock.has_markers = true;
    three_at_once("markers", "+ a+ b+ | > middle> | > a? b? | > a? b?");
}

/* Nothing tells that one of them is done. */
Test(vulkan_apart, simultaneous_use_by_fills)
{
    three_at_once("fill", "? a? b? | ? middle? | ? a? b? | ? a? b?");
    cr_expect_eq(mock.fills, 11, "two recordings' entrances and labels, two prologues; not %u",
                 mock.fills);
}

/* Work that is done already is not in flight, and nothing needs to be put in front. */
Test(vulkan_apart, submissions_after_each_other_cost_no_mark)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    const uint32_t recorded = mock.fills;
    for (int i = 0; i < 3; i++)
        app_submit(&app, buffer, VK_NULL_HANDLE);
    cr_expect_eq(mock.fills, recorded);
}

Test(vulkan_apart, what_is_put_in_front_is_used_again)
{
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    const uint32_t before = mock.commands;
    for (int i = 0; i < 50; i++) {
        mock.hang = 1;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        app_submit(&app, buffer, VK_NULL_HANDLE);
        mock_release();
        app.vk.QueueWaitIdle(app.queues[0]);
    }
    cr_expect(mock.commands > before && mock.commands < before + 5, "%u", mock.commands - before);
}

/* Where a structure counts a batch's command buffers none is put in front; other structures don't
 * keep one from it. */
Test(vulkan_apart, nothing_is_put_in_front_of_buffers_that_are_counted)
{
    const VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                           .commandBufferCount = 1};
    const VkTimelineSemaphoreSubmitInfo other = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
    const void *const chains[] = {&group, &other};
    for (uint32_t i = 0; i < 2; i++) {
        mock_reset();
        APP();
        VkCommandBuffer buffer = app_command(&app, "{a w1 }");
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = chains[i],
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &buffer};
        mock.hang = 1;
        app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
        app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
        cr_expect_eq(mock.buffers, 2 + i);
    }
}

/* vkQueueSubmit2 likewise: what the layer puts in front of a command buffer is in the list that the
 * driver gets. */
Test(vulkan_apart, simultaneous_use_is_told_apart_by_submit2)
{
    APP();
    VkCommandBuffer again = app_command(&app, "{a w1 } {b w2 }");
    const VkCommandBufferSubmitInfo buffers[] = {
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, unknown(&app), 1},
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, again, 1},
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, app_command(&app, "{middle w3 }"), 1},
        {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, again, 1}};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .commandBufferInfoCount = 4,
                                .pCommandBufferInfos = buffers};
    cr_assert_eq(app.vk.QueueSubmit2(app.queues[0], 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    cr_expect_eq(mock.done_count, 5);
    mock.hang = 3; /* behind the first of them, and so in front of what is put between */
    cr_assert_eq(app.vk.QueueSubmit2(app.queues[0], 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
    cr_assert(app_watch(&app));
    const char *states = app_states(&app);
    cr_expect_not_null(strstr(states, "+ a+ b+ | > middle> | - a- b-"), "%s", states);
    const uint32_t before = mock.fills;
    mock_release();
    app.vk.QueueWaitIdle(app.queues[0]);
    mock.hang =
        3; /* behind the first, which is finished; the prologue of the last is not reached */
    app.vk.QueueSubmit2(app.queues[0], 1, &info, VK_NULL_HANDLE);
    cr_expect_eq(mock.fills, before + 6, "entered and claimed twice, restarted, cleared");
    cr_expect_eq(mock.foreign, 0, "what is added is for the same devices");
}

Test(vulkan_apart, on_two_queues_at_once_nothing_is_claimed_inside)
{
    mock.families = 2;
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 } {b w2 }");
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &buffer};
    mock.hang = 1;
    app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
    app.vk.QueueSubmit(app.queues[1], 1, &info, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    cr_expect_null(strchr(app_states(&app), '+'));
    app_expect_states(&app, "? a? b? | ? a? b?", "");
}

Test(vulkan_apart, by_checkpoints_an_execution_in_flight_twice_is_unknown)
{
    mock.has_checkpoints = mock.counter_says_all = true;
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    mock.lost_by = "vkQueueSubmit";
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_expect_states(&app, "? a? | ? a?", "");
}

/* ---- recordings ---- */

Test(vulkan_apart, a_recording_anew_has_words_of_its_own)
{
    APP(.is_pool_resettable = true);
    VkCommandBuffer buffer = app_command(&app, "{old w1 }");
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_record(&app, buffer, 0, "{new w2 }", VK_NULL_HANDLE);
    mock.hang = 2;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    const char *states = app_states(&app);
    cr_expect_str_eq(states + strlen(states) - 6, "> new>", "%s", states);
}

Test(vulkan_apart, one_buffer_s_reset_leaves_the_others_of_its_pool)
{
    APP(.is_pool_resettable = true);
    VkCommandBuffer kept = app_command(&app, "{kept w1 }"),
                    other = app_command(&app, "{other w2 }");
    app.vk.ResetCommandBuffer(other, 0);
    app_record(&app, other, 0, "{again w3 }", VK_NULL_HANDLE);
    mock.hang = 1;
    app_submit(&app, kept, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "> kept>", "");
}

Test(vulkan_apart, a_pool_s_reset_ends_all_of_its_labels)
{
    APP();
    VkCommandBuffer buffers[3] = {app_command(&app, "{a w1 }"), app_command(&app, "{b w2 }"),
                                  app_command(&app, "{c w3 }")};
    for (int i = 0; i < 3; i++)
        app_submit(&app, buffers[i], VK_NULL_HANDLE);
    cr_expect_eq(app.vk.ResetCommandPool(app.device, app.pool, 0), VK_SUCCESS);
    app_record(&app, buffers[1], 0, "{d w4 }", VK_NULL_HANDLE);
    mock.hang = 4;
    app_submit(&app, buffers[1], VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "+ | + | + | > d>", "");
}

/* Frames without end take no more memory than a few. */
static uint64_t memory_after(struct app *app, int frames, bool frees)
{
    static char script[4096];
    memset(script, 0, sizeof script);
    for (int i = 0; i < 100; i++)
        strcat(script, "{a-label-of-this-frame w1 } ");
    for (int i = 0; i < frames; i++) {
        VkCommandBuffer buffer = app_command(app, script);
        app_submit(app, buffer, VK_NULL_HANDLE);
        if (frees)
            app->vk.FreeCommandBuffers(app->device, app->pool, 1, &buffer);
        else
            app->vk.ResetCommandPool(app->device, app->pool, 0);
    }
    annot_device_stats stats;
    annot_device_get_stats(app->layer->crash.annot, &stats);
    return stats.live_bytes;
}

Test(vulkan_apart, memory_does_not_grow_with_frames)
{
    for (int frees = 0; frees < 2; frees++) {
        APP(.is_pool_resettable = frees);
        const uint64_t few = memory_after(&app, 10, frees);
        cr_expect_leq(memory_after(&app, 300, frees), few + 65536, "frees %d", frees);
    }
}

/* A pool whose buffers are recorded by turns. */
Test(vulkan_apart, buffers_of_a_pool_recorded_by_turns)
{
    APP();
    VkCommandBuffer buffers[] = {app_begin(&app), app_begin(&app)};
    app_write(&app, buffers[0], "{a", VK_NULL_HANDLE);
    app_write(&app, buffers[1], "{b w2", VK_NULL_HANDLE);
    app_write(&app, buffers[0], "w1 }", VK_NULL_HANDLE);
    app_write(&app, buffers[1], "}", VK_NULL_HANDLE);
    for (int i = 0; i < 2; i++)
        app.vk.EndCommandBuffer(buffers[i]);
    mock.hang = 2;
    app_submit(&app, buffers[0], VK_NULL_HANDLE);
    app_submit(&app, buffers[1], VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "+ a+ | > b>", "");
}

/* Labels that the GPU doesn't mark have memory of the pool too. */
Test(vulkan_apart, inner_labels_of_a_pool_s_buffers_recorded_by_turns)
{
    APP(.level = "low");
    VkCommandBuffer first = app_begin(&app);
    app_write(&app, first, "{a {b w1 } }", VK_NULL_HANDLE);
    VkCommandBuffer second = app_begin(&app);
    app_write(&app, first, "{c {d w2", VK_NULL_HANDLE);
    VkCommandBuffer third = app_command(&app, "{e {f w3 } }");
    app_write(&app, second, "{g {h w4 } }", VK_NULL_HANDLE);
    app_write(&app, first, "} }", VK_NULL_HANDLE);
    app.vk.EndCommandBuffer(first);
    app.vk.EndCommandBuffer(second);
    mock.hang = 2;
    app_submit(&app, third, VK_NULL_HANDLE);
    app_submit(&app, second, VK_NULL_HANDLE);
    app_submit(&app, first, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "+ e+ (f+) | + g+ (h+) | > a+ (b+) c> (d?)", "");
}

/* Unknown parts of one list's pass are not of another's. */
Test(vulkan_apart, passes_of_two_buffers)
{
    APP();
    VkCommandBuffer buffers[] = {app_command(&app, "[ {a w1 ] }"),
                                 app_command(&app, "[ {b w2 } ] {c w3 }")};
    mock.hang = 3;
    app_submit_all(&app, buffers, 2);
    cr_assert(app_watch(&app));
    const char *states = app_states(&app);
    cr_expect_not_null(strstr(states, "| > vkCmdBeginRenderPass+ (b+) c>"), "%s", states);
}

/* ---- labels ---- */

/* The labels of 70,000 pieces of work, more than 16 bits count. */
Test(vulkan_apart, keeps_seventy_thousand_labels_in_one_buffer)
{
    static const char *const kinds[] = {"barrier", "markers", "checkpoints"};
    for (int kind = 0; kind < 3; kind++) {
        mock_reset();
        mock.has_markers = kind == 1;
        mock.has_checkpoints = kind == 2;
        APP(.evidence = kinds[kind]);
        VkCommandBuffer buffer = app_begin(&app);
        for (uint32_t i = 1; i <= 70000; i++) {
            char name[16];
            snprintf(name, sizeof name, "n%u", i);
            const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
                                                .pLabelName = name};
            app.vk.CmdBeginDebugUtilsLabelEXT(buffer, &label);
            app.dispatch(buffer, i, 0, 0);
            app.vk.CmdEndDebugUtilsLabelEXT(buffer);
        }
        app.vk.EndCommandBuffer(buffer);
        mock.hang = 66000;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        app_lose(&app);

        annot_reader *reader;
        cr_assert_eq(annot_reader_open_file(NULL, app.dump, &reader), ANNOT_OK);
        annot_reader_execution execution;
        annot_reader_stream stream;
        annot_reader_execution_at(reader, 0, &execution);
        annot_reader_stream_at(reader, execution.stream, &stream);
        cr_expect_eq(stream.entry_count, 70000);
        for (uint32_t i = 1; i <= 70000; i++) {
            const annot_state state =
                annot_reader_state(reader, 0, ANNOT_READER_NONE, stream.first_entry + i - 1, NULL);
            if (i < 66000)
                cr_assert_eq(state, ANNOT_STATE_FINISHED, "%s: %u", kinds[kind], i);
            else
                cr_assert_neq(state, ANNOT_STATE_FINISHED, "%s: %u", kinds[kind], i);
        }
        cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE, stream.first_entry + 65999,
                                        NULL),
                     ANNOT_STATE_IN_PROGRESS);
        annot_reader_close(reader);
    }
}

Test(vulkan_apart, keeps_a_label_across_command_buffers)
{
    APP();
    app_submit(&app, app_command(&app, "{frame w1"), VK_NULL_HANDLE);
    app_submit(&app, app_command(&app, "{a w2 }"), VK_NULL_HANDLE);
    mock.hang = 3;
    app_submit(&app, app_command(&app, "{b w3 } }"), VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "+ frame> | + a+ | > b>", "");
}

static void expect_path(const struct app *app, const char *expected)
{
    AT_END(at_end_close) annot_reader *reader;
    char path[256] = "";
    cr_assert_eq(annot_reader_open_file(NULL, app->dump, &reader), ANNOT_OK);
    cr_expect_eq(annot_reader_stop_count(reader), 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    cr_expect_str_eq(path, expected);
}

/* ANN-TRUTH-01: the path to the stop holds labels that are open there. */
Test(vulkan_apart, a_label_that_ended_in_front_of_the_hang_is_not_around_it)
{
    static const struct {
        const char *first, *second, *path;
    } rows[] = {
        {"{frame w1", "} {tail w2 }", "tail"},
        {"{frame w1", "w3 } {tail w2 }", "tail"},
        {"{frame w1", "{tail w2 } }", "frame / tail"},
        {"{frame {inner w1", "} {tail w2 } }", "frame / tail"},
        {"{frame ! w1 >", "& } w3 > {tail w2 }", "tail"},
        {"{frame ! w1 >", "& w3 > {tail w2 } }", "frame / tail"},
        {"{frame {inner ! w1 } >", "& w3 > } {tail w2 }", "tail"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mock_reset();
        APP();
        app_submit(&app, app_command(&app, rows[i].first), VK_NULL_HANDLE);
        mock.hang = 2;
        app_submit(&app, app_command(&app, rows[i].second), VK_NULL_HANDLE);
        cr_assert(app_watch(&app));
        expect_path(&app, rows[i].path);
    }
}

Test(vulkan_apart, surplus_ends_harm_nothing)
{
    APP();
    mock.hang = 2;
    app_submit(&app, app_command(&app, "} } {a w1 } } [ } {b w2 } ] } {c w3 }"), VK_NULL_HANDLE);
    app.vk.QueueEndDebugUtilsLabelEXT(app.queues[0]);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "> a? vkCmdBeginRenderPass? (b?) c-", "");
}

Test(vulkan_apart, labels_outside_of_a_recording_are_left_out)
{
    APP();
    VkCommandBuffer buffer = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_write(&app, buffer, "{a .b }", VK_NULL_HANDLE);
    app_record(&app, buffer, 0, "{c w1 }", VK_NULL_HANDLE);
    app_write(&app, buffer, "{d .e }", VK_NULL_HANDLE);
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    app_expect_states(&app, "> c>", "");
}

/* ---- devices and instances ---- */

Test(vulkan_apart, keeps_two_devices_of_one_instance)
{
    struct app first, second;
    app_open(&first, &(struct app_desc){0});
    second = first;
    app_open_device(&second, &(struct app_desc){0});
    mock.hang = 7;
    app_submit(&first, app_command(&first, "{a w1 }"), VK_NULL_HANDLE);
    app_submit(&second, app_command(&second, "{b w7 }"), VK_NULL_HANDLE);
    cr_expect_not(app_watch(&first), "it has nothing to do");
    cr_expect(app_watch(&second));
    app_expect_states(&second, "> b>", "");
    app_close_device(&second);
    app_close(&first);
}

Test(vulkan_apart, keeps_two_instances)
{
    struct app first, second;
    app_open(&first, &(struct app_desc){0});
    app_open(&second, &(struct app_desc){0});
    mock.hang = 7;
    app_submit(&first, app_command(&first, "{a w7 }"), VK_NULL_HANDLE);
    cr_expect_not(app_watch(&second));
    cr_expect(app_watch(&first));
    app_expect_states(&first, "> a>", "");
    app_close_device(&second);
    PFN_vkDestroyInstance destroy =
        (PFN_vkDestroyInstance)vkl_GetInstanceProcAddr(second.instance, "vkDestroyInstance");
    destroy(second.instance, NULL);
    app_close(&first);
}
