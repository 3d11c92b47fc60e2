/* Hangs at each kind of place, by each kind of evidence [ANN-VK-02]. What is expected is the truth
 * as far as the evidence reaches; the mock GPU knows what was done. */
#include "asserts.h"
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* One command buffer of `script` with its work `hang` hung; the watchdog writes the dump. */
static void hang_in(struct app *app, const char *script, uint32_t hang)
{
    mock.hang = hang;
    cr_assert_eq(app_submit(app, app_command(app, script), VK_NULL_HANDLE), VK_SUCCESS);
    cr_assert(app_watch(app), "%s", script);
}

/* ---- a barrier and a fill, of one command buffer ---- */

static const struct {
    const char *claim, *level, *script;
    uint32_t hang;
    const char *states;
} hangs[] = {
    {"a barrier names the label", NULL, "{frame {a w1 } {b w2 } {c w3 } }", 2, "> frame> a+ b> c-"},
    {"behind the last label everything labelled is finished", NULL, "{a w1 } {b w2 } w3", 3,
     "> a+ b+"},
    {"in front of the first label none has started", NULL, "w1 {a w2 } .point", 1, "> a- point-"},
    /* In a render pass nothing can be marked: what is inside is unknown while the GPU is there, and
     * only then. */
    {"inside a pass labels are unknown", NULL, "{frame [ {a w1 } {b w2 } ] {c w3 } }", 2,
     "> frame> vkCmdBeginRenderPass> (a? b?) c-"},
    {"behind a pass its labels are finished", NULL, "{frame [ {a w1 } ] {c w2 } < {d w3 } > }", 2,
     "> frame> vkCmdBeginRenderPass+ (a+) c> vkCmdBeginRendering- (d-)"},
    /* It is opened again behind the pass, and what is inside never counts as finished. */
    {"a label that leaves a pass goes on", NULL, "[ {a w1 ] w2 } {b w3 }", 2,
     "> vkCmdBeginRenderPass+ (a?) a> b-"},
    {"a label that ends in a pass ends behind it", NULL, "{a w1 [ w2 } {b w3 } ] {c w4 }", 3,
     "> a? vkCmdBeginRenderPass? (b?) c-"},
    {"a suspended pass is not written into", NULL, "! {a w1 } > & {b w2 } > {c w3 }", 3,
     "> vkCmdBeginRendering+ (a+ b+) c>"},
    {"at level low inner labels are unknown", "low",
     "{frame {a w1 } [ {b w2 } ] } {next {c w3 } .point }", 2,
     "> frame> (a? b?) next- (c- point-)"},
    {"at level low a finished label's inner ones are finished", "low",
     "{frame {a w1 } } {next {c w3 } }", 3, "> frame+ (a+) next> (c?)"},
    {"at level low labels that the recording leaves open are in their place", "low",
     "{frame w1 {a .point", 1, "> frame> (a? point?)"},
    {"at level exact each command is followed", "exact", "{a w1 w2 w3 } [ w4 ] w5", 2,
     "> a> vkCmdDispatch+ vkCmdDispatch> vkCmdDispatch- vkCmdBeginRenderPass- (vkCmdDispatch-) "
     "vkCmdDispatch-"},
};

Test(vulkan_hang, states_are_as_far_as_marks_reach)
{
    for (size_t i = 0; i < sizeof hangs / sizeof *hangs; i++) {
        APP(.level = hangs[i].level);
        hang_in(&app, hangs[i].script, hangs[i].hang);
        app_expect_states(&app, hangs[i].states, hangs[i].claim);
        cr_expect_eq(mock.misplaced, 0, "%s", hangs[i].claim);
    }
}

/* It keeps a name of up to 511 bytes. */
Test(vulkan_hang, a_long_label_that_leaves_a_pass_goes_on)
{
    for (size_t length = 511; length <= 512; length++) {
        char script[600] = "[ {", name[128] = "";
        memset(script + 3, 'x', length);
        strcpy(script + 3 + length, " ] w1");
        memset(name, 'x', 100);
        APP();
        hang_in(&app, script, 1);
        const char *states = app_states(&app), *behind = strchr(states, ')');
        cr_assert_not_null(behind, "%s", states);
        cr_expect_not_null(strstr(behind, length == 511 ? name : "(label)>"), "%s", states);
    }
}

Test(vulkan_hang, at_level_low_few_marks_are_written)
{
    APP(.level = "low");
    app_command(&app, "{frame {a w1 } {b {c w2 } } }");
    cr_expect_eq(mock.fills, 4, "the buffer's two, the outermost label's two; not %u", mock.fills);
}

Test(vulkan_hang, at_level_low_commands_go_straight_to_the_driver)
{
    APP(.level = "low");
    cr_expect_eq((PFN_vkVoidFunction)app.dispatch,
                 mock_GetDeviceProcAddr(app.device, "vkCmdDispatch"));
}

/* ---- the other kinds of evidence ---- */

/* The front end runs on past work that hangs: b and c have been reached, and nothing tells how much
 * of them is done. */
Test(vulkan_hang, a_fill_says_started_only)
{
    APP(.evidence = "fill");
    hang_in(&app, "{a w1 } {b w2 } {c w3 }", 2);
    cr_expect_null(strchr(app_states(&app), '+'));
    app_expect_states(&app, "? a? b? c?", "");
    cr_expect_eq(mock.barriers, 0);
}

Test(vulkan_hang, the_timeline_says_submissions_only)
{
    APP(.evidence = "timeline");
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    hang_in(&app, "{b w2 } {c w3 }", 2);
    app_expect_states(&app, "+ a+ | ? b? c?", "");
    cr_expect_eq(mock.fills, 0);
}

Test(vulkan_hang, amd_markers_are_followed_into_passes)
{
    mock.has_markers = true;
    APP();
    hang_in(&app, "{frame [ {a w1 } {b w2 } ] {c w3 } }", 2);
    /* The top of the pipe has gone on through c. */
    app_expect_states(&app, "> frame> a+ b> c>", "");
    cr_expect_eq(mock.fills + mock.barriers, 0);
}

static void lose_in(struct app *app, const char *script, uint32_t hang)
{
    mock.hang = hang;
    app_submit(app, app_command(app, script), VK_NULL_HANDLE);
    mock.lost_by = "vkQueueWaitIdle";
    cr_assert_eq(app->vk.QueueWaitIdle(app->queues[0]), VK_ERROR_DEVICE_LOST);
}

Test(vulkan_hang, nv_checkpoints_are_followed_into_passes)
{
    mock.has_checkpoints = true;
    APP();
    app_submit(&app, app_command(&app, "{before w1 }"), VK_NULL_HANDLE);
    lose_in(&app, "{frame [ {a w2 } .point {b w3 } ] {c w4 } }", 3);
    app_expect_states(&app, "+ before+ | > frame> a+ point+ b> c>", "");
    cr_expect_eq(mock.fills + mock.barriers, 0);
}

/* Many more than one range of numbers. */
Test(vulkan_hang, behind_a_million_nv_checkpoints_labels_are_known)
{
    mock.has_checkpoints = true;
    APP();
    VkCommandBuffer buffer = app_begin(&app);
    for (uint32_t i = 0; i < 1u << 20; i++)
        app_write(&app, buffer, ".p", VK_NULL_HANDLE);
    app_write(&app, buffer, "{late w1 }", VK_NULL_HANDLE);
    app.vk.EndCommandBuffer(buffer);
    mock.hang = 1;
    app_submit(&app, buffer, VK_NULL_HANDLE);
    app_lose(&app);
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_execution execution;
    annot_reader_stream stream;
    cr_assert_eq(annot_reader_open_file(NULL, app.dump, &reader), ANNOT_OK);
    cr_assert(annot_reader_execution_at(reader, 0, &execution));
    cr_assert(annot_reader_stream_at(reader, execution.stream, &stream));
    cr_expect_eq(stream.entry_count, (1u << 20) + 1);
    cr_expect_eq(annot_reader_state(reader, 0, ANNOT_READER_NONE,
                                    stream.first_entry + stream.entry_count - 1, NULL),
                 ANNOT_STATE_IN_PROGRESS);
}

Test(vulkan_hang, nv_checkpoints_tell_command_buffers_apart)
{
    mock.has_checkpoints = true;
    mock.counter_says_all = true; /* the queue's timeline is of no use */
    APP();
    VkCommandBuffer buffers[3];
    buffers[0] = app_command(&app, "{a w1 }");
    buffers[1] = app_command(&app, "{b w2 }");
    buffers[2] = app_command(&app, "{c w3 }");
    mock.hang = 2;
    mock.lost_by = "vkQueueSubmit";
    cr_expect_eq(app_submit_all(&app, buffers, 3), VK_ERROR_DEVICE_LOST);
    app_expect_states(&app, "+ a+ | > b> | > c>", "");
}

/* Both ends of the pipeline are read after a loss only; a hang that the driver doesn't notice has
 * the timeline. */
Test(vulkan_hang, nv_checkpoints_are_not_asked_of_a_device_that_lives)
{
    mock.has_checkpoints = true;
    APP();
    hang_in(&app, "{a w1 } {b w2 }", 2);
    app_expect_states(&app, "? a? b?", "");
}

/* ---- secondary command buffers ---- */

static const struct {
    const char *claim, *primary, *script;
    uint32_t hang;
    VkCommandBufferUsageFlags flags;
    const char *states;
} secondaries[] = {
    {"in it", "{a w1 S } {b w9 }", "{s w2 } {t w3 }", 3, 0, "> a> (s+ t>) b-"},
    {"behind it", "{a w1 S } {b w9 }", "{s w2 } {t w3 }", 9, 0, "> a+ (s+ t+) b>"},
    {"in front of it", "{a w1 } {b S }", "{s w2 }", 1, 0, "> a> b- (s-)"},
    {"in it inside a pass", "{a [ S ] } {b w9 }", "{s w2 } {t w3 }", 3,
     VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT, "> a> vkCmdBeginRenderPass> (s? t?) b-"},
    /* A bundle can't have another inside: from its first pass on, a secondary's labels are unknown.
     */
    {"in a pass inside it", "{a S } {b w9 }", "{s w1 } < {t w2 } > {u w3 }", 2, 0,
     "> a> (s? t? u?) b-"},
    {"executed twice it is unknown while both may run", "{a S } {b S }", "{s w2 }", 2, 0,
     "> a> (s?) b- (s-)"},
};

Test(vulkan_hang, is_found_around_a_secondary)
{
    for (size_t i = 0; i < sizeof secondaries / sizeof *secondaries; i++) {
        APP();
        VkCommandBuffer secondary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                        buffer = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        app_record(&app, secondary, secondaries[i].flags, secondaries[i].script, VK_NULL_HANDLE);
        app_record(&app, buffer, 0, secondaries[i].primary, secondary);
        mock.hang = secondaries[i].hang;
        app_submit(&app, buffer, VK_NULL_HANDLE);
        cr_assert(app_watch(&app), "%s", secondaries[i].claim);
        app_expect_states(&app, secondaries[i].states, secondaries[i].claim);
        cr_expect_eq(mock.misplaced, 0, "%s", secondaries[i].claim);
    }
}

/* ---- alarms ---- */

static const char *report_of(const struct app *app, const char *path)
{
    struct app other = *app;
    snprintf(other.dump, sizeof other.dump, "%s", path);
    return app_report(&other);
}

/* Slow work is not a hang [ANN-LEAVE-02]: its dump says so once it is done, and the loss that comes
 * later has its own. */
Test(vulkan_hang, slow_work_is_said_to_be_slow_and_a_loss_has_its_own_dump)
{
    static const uint64_t second = 1000000000u;
    char path[80];
    setenv("ANNOT_VK_RECOVER", "1", 1); /* dumps that the layer only keeps change none of this */
    APP();
    mock.hang = 2;
    app_submit(&app, app_command(&app, "{Frame_1 {Bake w2 } }"), VK_NULL_HANDLE);
    vkl_watchdog_look(app.layer, 0);
    cr_expect(vkl_watchdog_look(app.layer, 8 * second));
    cr_expect_not_null(strstr(app_report(&app), "GPU HANG in Frame_1 / Bake"), "%s",
                       app_report(&app));
    cr_expect_not_null(strstr(app_report(&app), "alarm"));
    vkl_watchdog_look(app.layer, 9 * second);
    mock_go_on(3);
    vkl_watchdog_look(app.layer, 10 * second);
    cr_expect_not_null(strstr(app_report(&app), "slow: 10.0 s in Frame_1 / Bake"), "%s",
                       app_report(&app));
    cr_expect_not_null(strstr(app_report(&app), ", finished\n"));
    cr_expect_null(strstr(app_report(&app), "damage"), "%s", app_report(&app));
    cr_expect_null(strstr(app_report(&app), "GPU HANG"));
    cr_expect_not_null(strstr(app_report(&app), "WHAT WAS SLOW, as it was at the alarm"));
    app_submit(&app, app_command(&app, "{Frame_5 {Water w3 } }"), VK_NULL_HANDLE);
    mock.lost_by = "vkQueueWaitIdle";
    app.vk.QueueWaitIdle(app.queues[0]);
    cr_expect_eq(app_dumps(&app), 2);
    snprintf(path, sizeof path, "%s-2", app.dump);
    const char *dot = strrchr(app.dump, '.');
    if (dot)
        snprintf(path, sizeof path, "%.*s-2%s", (int)(dot - app.dump), app.dump, dot);
    cr_expect_not_null(strstr(report_of(&app, path), "Frame_5 / Water"), "%s",
                       report_of(&app, path));
    unlink(path);
}

/* A player may end the frozen program next [ANN-LEAVE]. */
Test(vulkan_hang, a_program_that_is_killed_leaves_what_was_running)
{
    char path[256], stop[64] = "", *bytes;
    size_t size, dump_size = 0;
    const char *why;
    annot_reader *reader;
    setenv("ANNOT_VK_RECOVER", "1", 1);
    {
        APP();
        snprintf(path, sizeof path, "%s", app.layer->crash.live.path);
        mock.hang = 2;
        app_submit(&app, app_command(&app, "{Frame_1 {Sky w1 } {Bake w2 } }"), VK_NULL_HANDLE);
        vkl_watchdog_look(app.layer, 0);
        cr_expect_eq(app_dumps(&app), 0);
        cr_assert_eq(os_read_file(path, true, LIVE_FILE_MAX, &bytes, &size, &why), OS_READ_DONE);
        const char *dump = live_file_find(bytes, size, 0, &dump_size);
        cr_assert_eq(annot_reader_open_memory(NULL, dump, dump_size, &reader), ANNOT_OK);
        annot_reader_stop_path(reader, 0, stop, sizeof stop);
        cr_expect_str_eq(stop, "Frame_1 / Bake");
        annot_reader_close(reader);
        free(bytes);
    }
    cr_expect_neq(access(path, F_OK), 0, "the device was destroyed");
}
