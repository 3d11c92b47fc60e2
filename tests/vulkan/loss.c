/* Device loss by each call that can report it: one dump each, which names the call [ANN-VK-01]. */
#include "asserts.h"
#include "kit.h"
#include "os_say.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

struct place {
    struct app app;
    VkFence fence;
    VkSemaphore semaphore;
};

/* A function that makes one call. */
#define BY(name, ...)                                                                              \
    static VkResult by_##name(struct place *at)                                                    \
    {                                                                                              \
        return at->app.vk.__VA_ARGS__;                                                             \
    }
BY(empty_submit, QueueSubmit(at->app.queues[0], 0, NULL, at->fence))
BY(empty_submit2, QueueSubmit2(at->app.queues[0], 0, NULL, at->fence))
BY(present, QueuePresentKHR(at->app.queues[0], &(const VkPresentInfoKHR){.pNext = NULL}))
BY(acquire, AcquireNextImageKHR(at->app.device, VK_NULL_HANDLE, 0, VK_NULL_HANDLE, VK_NULL_HANDLE,
                                &(uint32_t){0}))
BY(acquire2, AcquireNextImage2KHR(at->app.device, &(const VkAcquireNextImageInfoKHR){.pNext = NULL},
                                  &(uint32_t){0}))
BY(present_wait, WaitForPresentKHR(at->app.device, VK_NULL_HANDLE, 0, 0))
BY(swapchain_status, GetSwapchainStatusKHR(at->app.device, VK_NULL_HANDLE))
BY(swapchain_counter, GetSwapchainCounterEXT(at->app.device, VK_NULL_HANDLE,
                                             VK_SURFACE_COUNTER_VBLANK_BIT_EXT, &(uint64_t){0}))
BY(refresh, GetRefreshCycleDurationGOOGLE(at->app.device, VK_NULL_HANDLE,
                                          &(VkRefreshCycleDurationGOOGLE){0}))
BY(timing, GetPastPresentationTimingGOOGLE(at->app.device, VK_NULL_HANDLE, &(uint32_t){0}, NULL))
BY(wait, WaitForFences(at->app.device, 1, &at->fence, VK_TRUE, 0))
BY(status, GetFenceStatus(at->app.device, at->fence))
BY(counter, GetSemaphoreCounterValue(at->app.device, at->semaphore, &(uint64_t){0}))
BY(signal, SignalSemaphore(at->app.device,
                           &(const VkSemaphoreSignalInfo){.semaphore = at->semaphore, .value = 1}))
BY(queue_wait, QueueWaitIdle(at->app.queues[0]))
BY(device_wait, DeviceWaitIdle(at->app.device))
BY(event, GetEventStatus(at->app.device, VK_NULL_HANDLE))
BY(query, GetQueryPoolResults(at->app.device, VK_NULL_HANDLE, 0, 0, 0, NULL, 0, 0))
BY(sparse, QueueBindSparse(at->app.queues[0], 0, NULL, VK_NULL_HANDLE))
BY(fence_reset, ResetFences(at->app.device, 1, &at->fence))

static VkResult by_submit(struct place *at)
{
    return app_submit(&at->app, app_command(&at->app, "{late w9 }"), VK_NULL_HANDLE);
}

static VkResult by_submit2(struct place *at)
{
    VkCommandBufferSubmitInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = app_command(&at->app, "{late w9 }")};
    VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                          .commandBufferInfoCount = 1,
                          .pCommandBufferInfos = &buffer};
    return at->app.vk.QueueSubmit2(at->app.queues[0], 1, &info, VK_NULL_HANDLE);
}

static VkResult by_semaphore_wait(struct place *at)
{
    const uint64_t value = 7;
    const VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &at->semaphore,
                                      .pValues = &value};
    return at->app.vk.WaitSemaphores(at->app.device, &info, 0);
}

static VkResult by_begin(struct place *at)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    return at->app.vk.BeginCommandBuffer(app_allocate(&at->app, VK_COMMAND_BUFFER_LEVEL_PRIMARY),
                                         &info);
}

static VkResult by_pool_reset(struct place *at)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkCommandPool pool;
    at->app.vk.CreateCommandPool(at->app.device, &info, NULL, &pool);
    VkResult result = at->app.vk.ResetCommandPool(at->app.device, pool, 0);
    at->app.vk.DestroyCommandPool(at->app.device, pool, NULL);
    return result;
}

static const struct way {
    const char *call;
    VkResult (*lose)(struct place *at);
} ways[] = {
    {"vkQueueSubmit", by_submit},
    {"vkQueueSubmit", by_empty_submit},
    {"vkQueueSubmit2", by_submit2},
    {"vkQueueSubmit2", by_empty_submit2},
    {"vkQueuePresentKHR", by_present},
    {"vkAcquireNextImageKHR", by_acquire},
    {"vkAcquireNextImage2KHR", by_acquire2},
    {"vkWaitForPresentKHR", by_present_wait},
    {"vkGetSwapchainStatusKHR", by_swapchain_status},
    {"vkGetSwapchainCounterEXT", by_swapchain_counter},
    {"vkGetRefreshCycleDurationGOOGLE", by_refresh},
    {"vkGetPastPresentationTimingGOOGLE", by_timing},
    {"vkWaitForFences", by_wait},
    {"vkGetFenceStatus", by_status},
    {"vkWaitSemaphores", by_semaphore_wait},
    {"vkGetSemaphoreCounterValue", by_counter},
    {"vkSignalSemaphore", by_signal},
    {"vkQueueWaitIdle", by_queue_wait},
    {"vkDeviceWaitIdle", by_device_wait},
    {"vkGetEventStatus", by_event},
    {"vkGetQueryPoolResults", by_query},
    {"vkQueueBindSparse", by_sparse},
    {"vkBeginCommandBuffer", by_begin},
    {"vkResetCommandPool", by_pool_reset},
    {"vkResetFences", by_fence_reset},
};

/* The call returns `result` while the second of two labels hangs. */
static void lose_by(const struct way *way, VkResult result)
{
    struct place at;
    app_open(&at.app, &(struct app_desc){0});
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    at.app.create_fence(at.app.device, &fence, NULL, &at.fence);
    at.semaphore = app_timeline(&at.app);
    mock.hang = 2;
    const VkCommandBufferSubmitInfo buffer = {.commandBuffer =
                                                  app_command(&at.app, "{a w1 } {b w2 }")};
    const VkSemaphoreSubmitInfo signal = {.semaphore = at.semaphore, .value = 7};
    const VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                .commandBufferInfoCount = 1,
                                .pCommandBufferInfos = &buffer,
                                .signalSemaphoreInfoCount = 1,
                                .pSignalSemaphoreInfos = &signal};
    at.app.vk.QueueSubmit2(at.app.queues[0], 1, &info, at.fence);
    mock.lost_by = result == VK_SUCCESS ? NULL : way->call;
    mock.says_done = result == VK_SUCCESS;
    for (int i = 0; i < 3; i++)
        cr_expect_eq(way->lose(&at), result, "%s", way->call);
    if (result == VK_SUCCESS)
        app_lose(&at.app);
    cr_expect_eq(app_dumps(&at.app), 1, "%s: %u dumps", way->call, app_dumps(&at.app));
    const char *states = app_states(&at.app);
    cr_expect(states && strncmp(states, "> a+ b>", 7) == 0, "%s: %s", way->call, states);
    const char *report = app_report(&at.app);
    cr_expect(result == VK_SUCCESS || strstr(report, way->call), "%s is not in %s", way->call,
              report);
    mock.lost_by = NULL;
    mock_release();
    at.app.vk.DestroyFence(at.app.device, at.fence, NULL);
    at.app.vk.DestroySemaphore(at.app.device, at.semaphore, NULL);
    app_close(&at.app);
    mock_reset();
}

Test(vulkan_loss, every_call_that_tells_leaves_one_dump)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        lose_by(&ways[i], VK_ERROR_DEVICE_LOST);
}

/* Waits on a lost device "must return either VK_SUCCESS or VK_ERROR_DEVICE_LOST" (Vulkan 1.3,
 * "Lost Device"): then VK_SUCCESS doesn't say that the work is done. */
Test(vulkan_loss, a_wait_that_succeeds_on_a_lost_device_finishes_nothing)
{
    const struct way waits[] = {{"vkWaitForFences", by_wait},
                                {"vkGetFenceStatus", by_status},
                                {"vkWaitSemaphores", by_semaphore_wait},
                                {"vkQueueWaitIdle", by_queue_wait},
                                {"vkDeviceWaitIdle", by_device_wait}};
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        lose_by(&waits[i], VK_SUCCESS);
}

/* ---- several who learn of it ---- */

struct learner {
    struct app *app;
    pthread_t thread;
    unsigned dumps; /* as its call returned */
};

static void *learn(void *argument)
{
    struct learner *learner = argument;
    learner->app->vk.QueueWaitIdle(learner->app->queues[0]);
    learner->dumps = app_dumps(learner->app);
    return NULL;
}

/* They may end the process next. The first one is held up by its driver. */
Test(vulkan_loss, whoever_learns_of_it_finds_the_dump, .timeout = 60)
{
    struct learner learners[4];
    mock.has_fault = true;
    APP();
    mock.lost_by = "vkQueueWaitIdle";
    mock.fault_blocks = true;
    for (size_t i = 0; i < 4; i++) {
        learners[i] = (struct learner){.app = &app};
        cr_assert_eq(pthread_create(&learners[i].thread, NULL, learn, &learners[i]), 0);
        while (!crash_device_has_dump(&app.layer->crash))
            sched_yield();
    }
    for (size_t i = 0; i < 4; i++) {
        pthread_join(learners[i].thread, NULL);
        cr_expect_eq(learners[i].dumps, 1, "thread %zu", i);
    }
    mock.fault_blocks = false;
}

/* Nobody has asked: the program may learn of it by other ways, and leave. */
Test(vulkan_loss, the_watchdog_writes_when_the_layer_s_own_timeline_says_it)
{
    APP();
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    mock.lost_by = "vkGetSemaphoreCounterValue";
    vkl_watchdog_look(app.layer, 0);
    cr_expect_eq(app_dumps(&app), 1);
    cr_expect_str_eq(app_states(&app), "> a>");
}

/* A lost device's timeline is not believed. */
Test(vulkan_loss, a_counter_beyond_all_submissions_finishes_nothing)
{
    APP();
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    mock.counter_says_all = true;
    app_lose(&app);
    cr_expect_str_eq(app_states(&app), "> a>");
}

Test(vulkan_loss, the_report_names_its_evidence_and_level)
{
    static const struct {
        const char *evidence, *text;
    } kinds[] = {{"checkpoints", "VK_NV_device_diagnostic_checkpoints"},
                 {"markers", "VK_AMD_buffer_marker"},
                 {"barrier", "vkCmdFillBuffer after a barrier"},
                 {"fill", "vkCmdFillBuffer without a barrier"},
                 {"timeline", "completed submissions only"}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        mock_reset();
        mock.has_checkpoints = mock.has_markers = true;
        APP(.evidence = kinds[i].evidence, .level = "low");
        app_lose(&app);
        cr_expect_not_null(strstr(app_report(&app), kinds[i].text), "%s", kinds[i].evidence);
        cr_expect_not_null(strstr(app_report(&app), "low"));
    }
}

/* ---- what is said ---- */

/* Loses the device; what the layer then wrote to stderr. Static. */
static const char *said(struct app *app)
{
    static char text[4096];
    char path[] = "vulkan-said-XXXXXX";
    const int file = mkostemp(path, O_APPEND), before = dup(STDERR_FILENO);
    cr_assert(file >= 0 && before >= 0);
    unlink(path);
    dup2(file, STDERR_FILENO);
    os_say_begin();
    app_lose(app);
    dup2(before, STDERR_FILENO);
    const ssize_t size = pread(file, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    close(file);
    close(before);
    return text;
}

Test(vulkan_loss, stderr_says_where_the_dump_is_unless_it_is_to_be_quiet)
{
    for (int quiet = 0; quiet < 2; quiet++) {
        mock_reset();
        char expected[200] = "";
        APP();
        app.layer->settings.is_quiet = quiet;
        if (!quiet)
            snprintf(expected, sizeof expected,
                     "annot: vkDeviceWaitIdle returned VK_ERROR_DEVICE_LOST; wrote %s\n", app.dump);
        cr_expect_str_eq(said(&app), expected);
    }
}

/* Where a path would be too long it ends in front of a process id, not inside of one. */
static void fill_path(const char *folder)
{
    char id[16];
    const size_t length = (size_t)snprintf(id, sizeof id, "%ld", (long)getpid());
    APP();
    app.layer->settings.is_quiet = false;
    strcpy(app.layer->settings.dump, folder);
    for (int i = 0; i < 500; i++)
        strcat(app.layer->settings.dump, "%p");
    const char *at = strstr(said(&app), folder);
    cr_assert_not_null(at);
    for (at += strlen(folder); strncmp(at, id, length) == 0;)
        at += length;
    cr_expect_eq(*at, ':', "%s", at);
}

Test(vulkan_loss, process_ids_in_a_path_are_whole)
{
    fill_path("no-such-folder/"); /* one of the two doesn't come out even */
    fill_path("no-such-folders/");
}

/* ---- VK_EXT_device_fault ---- */

Test(vulkan_loss, the_fault_s_address_and_words_are_in_the_dump)
{
    mock.has_fault = true;
    APP();
    app_lose(&app);
    const char *report = app_report(&app);
    cr_expect_not_null(strstr(report, "GPU PAGE FAULT"), "%s", report);
    cr_expect_not_null(strstr(report, "0xabc123"));
    cr_expect_not_null(strstr(report, "the mock GPU met a page that is not there"));
    cr_expect_not_null(strstr(report, "invalid write from 0xabc000 to 0xabcfff"));
    cr_expect_not_null(strstr(report, "MMU: code 0x7, data 0x9"));
    AT_END(at_end_close) annot_reader *reader;
    char bytes[8] = "";
    annot_reader_open_file(NULL, app.dump, &reader);
    cr_expect_eq(annot_reader_blob_count(reader), 1);
    cr_expect_eq(annot_reader_blob_read(reader, 0, 0, bytes, sizeof bytes), 6);
    cr_expect_str_eq(bytes, "binary");
}

/* The dump's address is that of the access, and no more is asked for than there is room for. */
Test(vulkan_loss, of_a_fault_with_many_addresses_the_first_access_counts)
{
    mock.has_fault = true;
    mock.faults = 9;
    APP();
    app_lose(&app);
    cr_expect_eq(mock.fault_room, 8);
    const char *report = app_report(&app);
    cr_expect_not_null(strstr(report, "0xabc123"), "%s", report);
    cr_expect_not_null(strstr(report, "instruction pointer of the fault from 0xb2c000"), "%s",
                       report);
    cr_expect_not_null(strstr(report, "MMU: code 0xe, data 0x9"), "%s", report);
}

/* An application may turn the feature on itself, or want it off. */
Test(vulkan_loss, the_application_s_choice_of_fault_reports_stays)
{
    for (VkBool32 wants = 0; wants < 2; wants++) {
        mock_reset();
        VkPhysicalDeviceFaultFeaturesEXT own = {
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT, .deviceFault = wants};
        mock.has_fault = true;
        APP(.device_next = &own, .extensions = {VK_EXT_DEVICE_FAULT_EXTENSION_NAME});
        app_lose(&app);
        const char *told = strstr(app_report(&app), "the mock GPU met a page that is not there");
        cr_expect_eq(told != NULL, wants == 1);
    }
}

static void *lose(void *argument)
{
    struct app *app = argument;
    app->vk.DeviceWaitIdle(app->device);
    return NULL;
}

/* A sanitizer takes much of a stack. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const size_t small_stack = 1 << 18;
#else
static const size_t small_stack = 1 << 14;
#endif

Test(vulkan_loss, a_thread_of_16_kib_can_write)
{
    pthread_attr_t attributes;
    pthread_t thread;
    APP(.level = "exact");
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a [ {b w1 } ] }"), VK_NULL_HANDLE);
    mock.lost_by = "vkDeviceWaitIdle";
    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, small_stack), 0);
    cr_assert_eq(pthread_create(&thread, &attributes, lose, &app), 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, NULL);
    cr_expect_not_null(strstr(app_report(&app), "vkDeviceWaitIdle"));
}

/* A late answer is not asked more: the device may be gone by then. */
Test(vulkan_loss, a_driver_that_does_not_answer_costs_a_second)
{
    mock.has_fault = true;
    APP();
    mock.lost_by = "vkDeviceWaitIdle";
    mock.fault_blocks = true;
    app.vk.DeviceWaitIdle(app.device);
    cr_expect_not_null(strstr(app_report(&app), "vkDeviceWaitIdle"));
    mock.fault_blocks = false;
    for (int i = 0; i < 500 && mock.fault_calls == 0; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    nanosleep(&(struct timespec){0, 50000000}, NULL);
    cr_expect_eq(mock.fault_calls, 1);
}

Test(vulkan_loss, a_live_device_is_not_asked_for_its_fault)
{
    mock.has_fault = true;
    APP();
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    mock.fault_blocks = true; /* or this would not end */
    cr_expect(app_watch(&app));
    cr_expect_str_eq(app_states(&app), "> a>");
}
