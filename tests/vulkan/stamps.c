/* Draws inside render passes, where only time stamps can follow them [ANN-VK-02]: the driver
 * answers while the device lives, some only when the work is done, and none once it is lost. */
#include "asserts.h"
#include "kit.h"

#include <sys/mman.h>

enum { SIMULTANEOUS = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT };

static void wait_for_answer(const struct app *app)
{
    if (app->layer->stamps.question)
        cr_assert(vkl_question_wait(app->layer->stamps.question, 30));
}

/* The watchdog looks until it has so many answers; then the device is lost. */
static void look_and_lose(struct app *app, int answers)
{
    vkl_watchdog_look(app->layer, 0);
    for (int i = 0; i < answers; i++) {
        vkl_watchdog_look(app->layer, 0);
        wait_for_answer(app);
    }
    mock.lost_by = "vkGetQueryPoolResults";
    vkl_watchdog_look(app->layer, 0);
    wait_for_answer(app);
    mock.lost_by = "vkQueueWaitIdle";
    cr_expect_eq(app->vk.QueueWaitIdle(app->queues[0]), VK_ERROR_DEVICE_LOST);
}

static int steps;

static bool may_step(void)
{
    return steps-- > 0;
}

/* The draw with number 2 hangs. Every row is a recording and what was known when the device was
 * lost; `answers` is how often the driver told of the stamps before. */
Test(vulkan_stamps, name_the_draw_of_a_pass)
{
    static const struct {
        const char *what, *level, *evidence, *script, *secondary;
        VkCommandBufferUsageFlags flags;
        int answers;
        int steps;        /* the GPU stops behind so many; 0: at the draw that hangs */
        bool is_second;   /* an execution of the recording is done before */
        bool has_no_room; /* for time stamps */
        const char *states;
    } rows[] = {
        /* clang-format off */
        {.what = "a pass", .script = "{f [ w1 w2 w3 ] w4 }", .answers = 2,
         .states = "> f> vkCmdBeginRenderPass> (vkCmdDispatch+ vkCmdDispatch> vkCmdDispatch>) "
         "vkCmdDispatch-"},
        {.what = "a front end that stops", .script = "[ w1 w2 w3 ]", .answers = 2, .steps = 16,
         .states = "> vkCmdBeginRenderPass> (vkCmdDispatch+ vkCmdDispatch> vkCmdDispatch-)"},
        {.what = "dynamic rendering, and labels of the program", .script = "< {a w1 } {b w2 } >",
         .answers = 2, .states = "> vkCmdBeginRendering> (a+ vkCmdDispatch+ b> vkCmdDispatch>)"},
        {.what = "without a barrier", .evidence = "fill", .script = "[ w1 w2 ]", .answers = 2,
         .states = "? vkCmdBeginRenderPass? (vkCmdDispatch+ vkCmdDispatch>)"},
        {.what = "one answer", .script = "[ w1 w2 w3 ]", .answers = 1,
         .states = "> vkCmdBeginRenderPass> (vkCmdDispatch+ vkCmdDispatch? vkCmdDispatch?)"},
        {.what = "no answer", .script = "[ w1 w2 w3 ]",
         .states = "> vkCmdBeginRenderPass> (vkCmdDispatch? vkCmdDispatch? vkCmdDispatch?)"},
        {.what = "a second pass", .script = "[ w1 ] [ {x w5 w2 } w3 ]", .answers = 2,
         .states = "> vkCmdBeginRenderPass+ (vkCmdDispatch+) vkCmdBeginRenderPass> "
         "(x> vkCmdDispatch+ vkCmdDispatch> vkCmdDispatch>)"},
        {.what = "a secondary", .script = "[ S ] w4", .secondary = "w1 w2 {c w3 }", .answers = 2,
         .states = "> vkCmdBeginRenderPass> (vkCmdDispatch+ vkCmdDispatch> c> vkCmdDispatch>) "
         "vkCmdDispatch-"},
        {.what = "may be in flight twice", .flags = SIMULTANEOUS, .script = "[ w1 w2 ]",
         .answers = 2, .states = "> vkCmdBeginRenderPass> (vkCmdDispatch? vkCmdDispatch?)"},
        {.what = "in flight again", .is_second = true, .script = "[ w1 w2 S ]", .secondary = "w3",
         .answers = 2,
         .states = "+ vkCmdBeginRenderPass+ (vkCmdDispatch+ vkCmdDispatch+) (vkCmdDispatch+) | "
         "> vkCmdBeginRenderPass> (vkCmdDispatch+ vkCmdDispatch>) (vkCmdDispatch>)"},
        {.what = "several views", .script = "^ w1 w2 > < w3 >", .answers = 2,
         .states = "> vkCmdBeginRendering> (vkCmdDispatch? vkCmdDispatch?) vkCmdBeginRendering- "
         "(vkCmdDispatch-)"},
        {.what = "no room", .has_no_room = true, .script = "[ w1 w2 ]", .answers = 2,
         .states = "> vkCmdBeginRenderPass> (vkCmdDispatch? vkCmdDispatch?)"},
        {.what = "a label that ends in the pass", .script = "{m [ } w1 w2 ] w4", .answers = 2,
         .states = "> m? vkCmdBeginRenderPass? (vkCmdDispatch? vkCmdDispatch?) vkCmdDispatch-"},
        {.what = "labels alone", .level = "labels", .script = "[ {a w1 } {b w2 } ]", .answers = 2,
         .states = "> vkCmdBeginRenderPass> (a? b?)"},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        mock.has_stamps = true;
        mock.hang = rows[i].is_second ? MOCK_NO_HANG : 2;
        APP(.level = rows[i].level ? rows[i].level : "exact", .evidence = rows[i].evidence);
        if (rows[i].has_no_room)
            app.layer->stamps.free_count = 0;
        VkCommandBuffer secondary = VK_NULL_HANDLE, primary = app_command(&app, "");
        if (rows[i].secondary) {
            secondary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
            app_record(&app, secondary, VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                       rows[i].secondary, VK_NULL_HANDLE);
        }
        app_record(&app, primary, rows[i].flags, rows[i].script, secondary);
        steps = rows[i].steps;
        mock.may_step = steps ? may_step : NULL;
        if (rows[i].is_second)
            cr_assert_eq(app_submit(&app, primary, VK_NULL_HANDLE), VK_SUCCESS);
        mock.hang = 2;
        cr_assert_eq(app_submit(&app, primary, VK_NULL_HANDLE), VK_SUCCESS);
        look_and_lose(&app, rows[i].answers);
        app_expect_states(&app, rows[i].states, rows[i].what);
        cr_expect_eq(mock.misplaced, 0, "%s", rows[i].what);
        mock.may_step = NULL;
        mock.has_stamps = false;
        mock.lost_by = NULL;
    }
}

/* Such a driver costs the program no time. The dump says why draws are unknown, and advises no
 * level, at "labels" neither; where the driver answers, it advises "exact". */
Test(vulkan_stamps, of_a_driver_that_answers_when_the_work_is_done_are_not_waited_for)
{
    for (int i = 0; i < 3; i++) {
        mock.has_stamps = true;
        mock.query_blocks = i != 2;
        mock.hang = 2;
        APP(.level = i == 0 ? "exact" : "labels");
        cr_assert_eq(app_submit(&app, app_command(&app, "[ w1 w2 ]"), VK_NULL_HANDLE), VK_SUCCESS);
        cr_expect_not(vkl_watchdog_look(app.layer, 0));
        cr_expect_not(vkl_watchdog_look(app.layer, 0));
        if (i == 2)
            wait_for_answer(&app);
        cr_assert(vkl_watchdog_look(app.layer, 60000000000u));
        const char *report = app_report(&app);
        cr_expect_eq(strstr(report, "in passes    nothing: the driver answers no query") != NULL,
                     i != 2, "%d: %s", i, report);
        cr_expect_eq(strstr(report, "--level exact") != NULL, i == 2, "%d: %s", i, report);
        cr_expect_not_null(strstr(report, "in vkCmdBeginRenderPass: "), "%d: %s", i, report);
        mock.query_blocks = false;
    }
}

/* At "low" the device is the application's; at "exact" the application's word on the feature
 * stays. */
Test(vulkan_stamps, are_the_driver_s_and_the_applications_to_refuse)
{
    const VkPhysicalDeviceVulkan12Features own = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    for (int i = 0; i < 3; i++) {
        mock.has_stamps = i > 0;
        mock.stamps = 0;
        APP(.level = i == 1 ? "low" : "exact", .device_next = i == 2 ? &own : NULL);
        app_command(&app, "[ w1 ]");
        cr_expect_eqs(mock.stamps, 0, app.layer->stamps.pool == VK_NULL_HANDLE, true);
        app_lose(&app);
        cr_expect_eq(!strstr(app_report(&app), "nothing: the feature hostQueryReset"), i == 1);
    }
}

/* The primary is invalid then; the handle's memory is the driver's to take away. */
Test(vulkan_stamps, of_a_secondary_that_is_freed_nothing_is_read)
{
    mock.has_stamps = true;
    APP(.level = "exact");
    struct mock_cmd *driver_s =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    driver_s->key = vkl_key(app.device);
    mock.next_command = (VkCommandBuffer)driver_s;
    VkCommandBuffer secondary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_SECONDARY),
                    primary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_record(&app, secondary, 0, "w1", VK_NULL_HANDLE);
    app_record(&app, primary, 0, "S", secondary);
    app.vk.FreeCommandBuffers(app.device, app.pool, 1, &secondary);
    free(driver_s->ops);
    munmap(driver_s, 4096);
    vkl_stamps_submit(vkl_cmd_of(primary));
}
