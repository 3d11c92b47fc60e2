/* Nothing is said of command buffers and labels that is not so [ANN-TRUTH-01, ANN-VK-02]. */
#include "asserts.h"
#include "kit.h"

/* The state of an execution of which the dump may lack the labels. */
static annot_state state_at(const struct app *app, uint32_t index)
{
    annot_reader *reader;
    annot_reader_execution execution = {.state = ANNOT_STATE_UNKNOWN};
    cr_assert_eq(annot_reader_open_file(NULL, app->dump, &reader), ANNOT_OK);
    cr_expect(annot_reader_execution_at(reader, index, &execution));
    annot_reader_close(reader);
    return execution.state;
}

static bool never(void)
{
    return false;
}

static bool always(void)
{
    return true;
}

static uint32_t steps_left;

static bool counted(void)
{
    return steps_left > 0 && steps_left-- > 0;
}

/* ---- checkpoints ---- */

Test(vulkan_truth, checkpoints_of_a_secondary_are_those_of_its_primary)
{
    mock.has_checkpoints = true;
    APP();
    VkCommandBuffer secondary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                    primary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_record(&app, secondary, 0, "{s w1 } {t w2 }", VK_NULL_HANDLE);
    app_record(&app, primary, 0, "{p S } {q w3 }", secondary);
    app_submit(&app, app_command(&app, "{before w4 }"), VK_NULL_HANDLE);
    mock.may_step = counted;
    steps_left = 14; /* of the front end and of what is behind it: into the secondary's w1 */
    app_submit(&app, primary, VK_NULL_HANDLE);
    app_lose(&app);
    app_expect_states(&app, "+ before+ | > p> (s> t-) q-", "");
    mock.may_step = NULL;
}

/* The driver names the last checkpoint of the recording: that of the execution which was done
 * before, or of the one that is in flight. */
Test(vulkan_truth, the_last_checkpoint_of_an_earlier_execution_is_not_the_next_ones)
{
    mock.has_checkpoints = true;
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    app_submit(&app, buffer, VK_NULL_HANDLE);
    mock.may_step = never;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_lose(&app);
    app_expect_states(&app, "+ a+ | ? a?", "");
    mock.may_step = NULL;
}

/* The front end is in the second execution, what is done is the first: no place of this one. */
Test(vulkan_truth, the_bottom_that_an_earlier_execution_left_is_before_the_top)
{
    mock.has_checkpoints = true;
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }");
    app_submit(&app, buffer, VK_NULL_HANDLE);
    mock.may_step = counted;
    steps_left = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_lose(&app);
    app_expect_states(&app, "+ a+ | > a-", "");
    mock.may_step = NULL;
}

/* The front end is behind it already: it may be done, as the earlier execution is, or not. */
Test(vulkan_truth, the_last_checkpoint_at_the_bottom_may_be_an_earlier_executions)
{
    mock.has_checkpoints = true;
    APP();
    VkCommandBuffer buffer = app_command(&app, "{a w1 }"), next = app_command(&app, "{b w2 }");
    app_submit(&app, buffer, VK_NULL_HANDLE);
    mock.may_step = never;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_submit(&app, next, VK_NULL_HANDLE);
    mock.may_step = counted;
    mock.is_ahead = always;
    steps_left = 12;
    mock_go_on(MOCK_NO_HANG);
    app_lose(&app);
    app_expect_states(&app, "+ a+ | ? a? | > b>", "");
    mock.may_step = mock.is_ahead = NULL;
}

/* The application knows by itself that a command buffer is done, and records it anew. Its last
 * checkpoint is that of a recording which the layer has no more. */
Test(vulkan_truth, checkpoints_of_a_recording_that_is_gone_are_not_those_of_the_new_one)
{
    for (int is_known = 0; is_known < 2; is_known++) {
        mock_reset();
        mock.has_checkpoints = true;
        mock.has_no_timeline = !is_known;
        APP(.is_pool_resettable = true);
        VkCommandBuffer buffer = app_command(&app, "{a w1 }");
        app_submit(&app, buffer, VK_NULL_HANDLE);
        app_record(&app, buffer, 0, "{b w2 }", VK_NULL_HANDLE);
        mock.may_step = never;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        app_lose(&app);
        const annot_state first = is_known ? ANNOT_STATE_FINISHED : ANNOT_STATE_UNKNOWN,
                          second = is_known ? ANNOT_STATE_NOT_STARTED : ANNOT_STATE_UNKNOWN;
        cr_expect_eq(state_at(&app, 0), first);
        cr_expect_eq(state_at(&app, 1), second);
        mock.may_step = NULL;
    }
}

Test(vulkan_truth, checkpoints_whose_numbers_are_used_again_say_nothing)
{
    mock.has_checkpoints = true;
    APP();
    app.layer->ranges = UINTPTR_MAX / 2;
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    app_lose(&app);
    cr_expect_eq(state_at(&app, 0), ANNOT_STATE_UNKNOWN);
}

/* The second queue has had fewer submissions. A recording that is gone says nothing of the first.
 */
Test(vulkan_truth, on_one_queue_and_then_on_another_a_recording_is_followed)
{
    for (int is_gone = 0; is_gone < 2; is_gone++) {
        mock_reset();
        mock.families = 2;
        APP(.is_pool_resettable = true);
        VkCommandBuffer buffer = app_command(&app, "{a w1 } {b w2 }");
        const VkSubmitInfo info = {.commandBufferCount = 1, .pCommandBuffers = &buffer};
        app_submit(&app, app_command(&app, "w3"), VK_NULL_HANDLE);
        mock.hang = is_gone ? 1 : MOCK_NO_HANG;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        mock.hang = 2;
        if (is_gone) /* Vulkan forbids this */
            app_record(&app, buffer, 0, "{a w4 } {b w2 }", VK_NULL_HANDLE);
        app.vk.QueueSubmit(app.queues[1], 1, &info, VK_NULL_HANDLE);
        cr_assert(app_watch(&app));
        if (is_gone)
            cr_expect_eq(state_at(&app, 1), ANNOT_STATE_UNKNOWN);
        else
            app_expect_states(&app, "+ | + a+ b+ | > a+ b>", "");
    }
}

/* ---- prologues that can't be ---- */

/* Without a prologue the executions of a recording can't be told apart. */
Test(vulkan_truth, where_nothing_can_be_put_in_front_executions_are_unknown)
{
    const VkDeviceGroupSubmitInfo group = {.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
                                           .commandBufferCount = 1};
    for (int is_counted = 0; is_counted < 2; is_counted++) {
        mock_reset();
        APP(.evidence = "barrier");
        VkCommandBuffer buffer = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        app_record(&app, buffer, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT, "{a w1 }",
                   VK_NULL_HANDLE);
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .pNext = is_counted ? &group : NULL,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &buffer};
        mock.hang = 1;
        app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
        mock.fails_by = is_counted ? NULL : "vkBeginCommandBuffer"; /* the prologue's */
        app.vk.QueueSubmit(app.queues[0], 1, &info, VK_NULL_HANDLE);
        mock.fails_by = NULL;
        app_lose(&app);
        app_expect_states(&app, "? a? | ? a?", "");
    }
}

/* ---- render passes ---- */

/* Behind a pass that is suspended nothing can be written, so that nothing says that its command
 * buffer is done, and not that it isn't. */
Test(vulkan_truth, a_command_buffer_that_ends_suspended_is_unknown)
{
    static const char *const kinds[] = {"barrier", "markers", "checkpoints"};
    for (int kind = 0; kind < 3; kind++) {
        mock_reset();
        mock.has_markers = kind == 1;
        mock.has_checkpoints = kind == 2;
        APP(.evidence = kinds[kind]);
        VkCommandBuffer buffers[] = {app_command(&app, "{a w1 } ! w2 >"),
                                     app_command(&app, "& w3 > {b w4 }")};
        mock.hang = 4;
        app_submit_all(&app, buffers, 2);
        app_lose(&app);
        const char *states = app_states(&app);
        cr_assert_not_null(states);
        cr_expect_neq(states[0], '>', "%s: it is done: %s", kinds[kind], states);
        cr_expect_not_null(strstr(states, "b>"), "%s: %s", kinds[kind], states);
    }
}

/* The label that was begun before the pass ends in it, and the work behind hangs. */
Test(vulkan_truth, a_label_that_ends_inside_a_pass_is_not_in_progress_behind)
{
    static const char *const levels[] = {"low", "labels"};
    for (int level = 0; level < 2; level++) {
        APP(.level = levels[level], .evidence = "barrier");
        mock.hang = 2;
        app_submit(&app, app_command(&app, "{frame w1 [ } w2 ] {behind w3 }"), VK_NULL_HANDLE);
        app_lose(&app);
        const char *states = app_states(&app);
        cr_assert_not_null(states);
        cr_expect_eq(states[0], '>', "%s", states);
        cr_expect_not_null(strstr(states, "frame?"), "%s: %s", levels[level], states);
    }
}

/* It is begun again behind the pass, which doesn't say that it had not begun. */
Test(vulkan_truth, a_label_that_goes_on_behind_a_pass_has_started_in_it)
{
    APP(.evidence = "barrier");
    mock.hang = 2;
    app_submit(&app, app_command(&app, "{a w1 } [ {b w2 ] w3 }"), VK_NULL_HANDLE);
    app_lose(&app);
    const char *states = app_states(&app);
    cr_assert_not_null(states);
    cr_expect_eq(states[0], '>', "%s", states);
    cr_expect_not_null(strstr(states, "a+"), "%s", states);
    cr_expect_null(strstr(states, "b-"), "%s", states);
}

/* Two of them, and the GPU stops between the one's second beginning and the other's. */
Test(vulkan_truth, labels_that_go_on_behind_a_pass_have_all_started)
{
    enum { STEPS = 40 };
    bool is_between = false;
    for (uint32_t steps = 1; steps < STEPS; steps++) {
        mock_reset();
        APP(.evidence = "barrier");
        VkCommandBuffer buffer = app_command(&app, "[ {b {c w1 ] w2 } }");
        mock.may_step = counted;
        steps_left = steps;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        app_lose(&app);
        const char *states = app_states(&app);
        cr_assert_not_null(states);
        if (mock.done_count > 0)
            cr_expect_null(strstr(states, "c-"), "%u: %s", steps, states);
        is_between |= mock.done_count > 0 && strstr(states, "c?");
        mock.may_step = NULL;
    }
    cr_expect(is_between);
}

/* The label is an earlier command buffer's. */
Test(vulkan_truth, an_earlier_buffers_label_that_ends_inside_a_pass_is_not_in_progress_behind)
{
    APP(.evidence = "barrier");
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a"), VK_NULL_HANDLE);
    app_submit(&app, app_command(&app, "[ } w1 ]"), VK_NULL_HANDLE);
    app_lose(&app);
    app_expect_states(&app, "+ a? | > vkCmdBeginRenderPass?", "");
}

/* It is recorded anew when the application knows that it is done, and the layer doesn't. */
Test(vulkan_truth, a_suspended_command_buffer_that_is_recorded_anew_was_not_in_progress)
{
    mock.has_markers = true;
    APP(.evidence = "markers", .is_pool_resettable = true);
    VkCommandBuffer buffers[] = {app_command(&app, "! w1 >"), app_command(&app, "& w2 >")};
    mock.hang = 2;
    app_submit_all(&app, buffers, 2);
    app_record(&app, buffers[0], 0, "{b w3 }", VK_NULL_HANDLE);
    app_lose(&app);
    cr_expect_eq(state_at(&app, 0), ANNOT_STATE_UNKNOWN);
    cr_expect_eq(state_at(&app, 1), ANNOT_STATE_IN_PROGRESS);
}

/* The front end is in the second execution already. */
Test(vulkan_truth, a_suspended_command_buffer_in_flight_twice_is_unknown)
{
    mock.has_markers = true;
    APP(.evidence = "markers");
    VkCommandBuffer buffers[] = {app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                                 app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY)};
    const VkCommandBufferUsageFlags again = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;
    app_record(&app, buffers[0], again, "{a w1 } ! w2 >", VK_NULL_HANDLE);
    app_record(&app, buffers[1], again, "& w3 >", VK_NULL_HANDLE);
    mock.hang = 3;
    mock.is_ahead = always;
    app_submit_all(&app, buffers, 2);
    app_submit_all(&app, buffers, 2);
    app_lose(&app);
    cr_expect_eq(state_at(&app, 0), ANNOT_STATE_UNKNOWN, "it is done");
    mock.is_ahead = NULL;
}
