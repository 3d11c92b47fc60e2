/* Threads that record and submit while the watchdog looks and a dump is written: for
 * ThreadSanitizer, and for what is in the dump in the end. */
#include "asserts.h"
#include "kit.h"

#include <signal.h>

enum { THREADS = 3, FRAMES = 40 };

struct worker {
    struct app *app;
    pthread_t thread;
    uint32_t number;
    VkCommandPool pool;
};

/* A pool, command buffers, fences and a queue of its own. */
static void *work(void *argument)
{
    struct worker *worker = argument;
    struct app mine = *worker->app;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = worker->number};
    mine.vk.CreateCommandPool(mine.device, &pool, NULL, &mine.pool);
    for (int frame = 0; frame < FRAMES; frame++) {
        VkCommandBuffer buffer = app_allocate(&mine, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        app_record(&mine, buffer, 0, "{frame {a w1 } [ {b w2 } ] .c }", VK_NULL_HANDLE);
        app_name(&mine, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)buffer, "a list");
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &buffer};
        mine.vk.QueueSubmit(mine.queues[worker->number], 1, &info, VK_NULL_HANDLE);
        mine.vk.QueueWaitIdle(mine.queues[worker->number]);
        if (frame % 4 == 3)
            mine.vk.ResetCommandPool(mine.device, mine.pool, 0);
        mine.vk.FreeCommandBuffers(mine.device, mine.pool, 1, &buffer);
    }
    worker->pool = mine.pool;
    return NULL;
}

Test(vulkan_threads, record_and_submit_while_the_watchdog_looks)
{
    struct worker workers[THREADS];
    mock.families = THREADS;
    APP();
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.app = &app, .number = i};
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (uint64_t now = 0; now < 200; now++)
        vkl_watchdog_look(app.layer, now);
    crash_device_lost(&app.layer->crash, ANNOT_DEVICE_ERROR_NONE, "a look");
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        app.vk.DestroyCommandPool(app.device, workers[i].pool, NULL);
    }
    cr_expect_eq(app_dumps(&app), 1);
    cr_expect_not_null(app_states(&app));
    cr_expect_eq(mock.misplaced, 0);
}

/* The watchdog's own thread, with a limit of a tenth of a second. */
Test(vulkan_threads, the_watchdog_s_thread_writes_the_dump)
{
    setenv("ANNOT_VK_TIMEOUT", "100", 1);
    APP(.has_clock = true);
    mock.hang = 1;
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    for (int i = 0; i < 2000 && app_dumps(&app) == 0; i++)
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    cr_expect_str_eq(app_states(&app), "> a>");
}

Test(vulkan_threads, a_timeout_of_0_has_no_watchdog)
{
    setenv("ANNOT_VK_TIMEOUT", "0", 1);
    APP(.has_clock = true);
    cr_expect_not(app.layer->crash.watchdog.is_running);
}

/* Signals are for the application's threads: none reaches the watchdog's, none is kept from them.
 */
Test(vulkan_threads, the_application_s_thread_keeps_its_signals)
{
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    APP(.has_clock = true);
    cr_assert(app.layer->crash.watchdog.is_running);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        cr_expect_eq(sigismember(&after, signal), sigismember(&before, signal), "%d", signal);
}

/* ---- locks ---- */

static void *take_objects(void *layer)
{
    pthread_rwlock_t *objects = &((struct vkl_device *)layer)->objects;
    const bool is_free = pthread_rwlock_trywrlock(objects) == 0;
    if (is_free)
        pthread_rwlock_unlock(objects);
    return is_free ? layer : NULL;
}

/* No other thread would be kept waiting. */
static void expect_free(const struct app *app, const char *call)
{
    pthread_t thread;
    void *is_free;
    cr_assert_eq(pthread_create(&thread, NULL, take_objects, app->layer), 0);
    pthread_join(thread, &is_free);
    cr_expect_not_null(is_free, "%s", call);
}

#define FREE_AFTER(call) ((call), expect_free(&app, #call))

Test(vulkan_threads, no_call_keeps_others_waiting_when_it_is_over)
{
    APP(.is_pool_resettable = true);
    const VkFenceCreateInfo make_fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkCommandPoolCreateInfo make_pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    VkFence fence;
    VkSemaphore semaphore;
    VkCommandPool pool;
    VkCommandBuffer buffer;
    uint64_t value;
    app.create_fence(app.device, &make_fence, NULL, &fence);
    FREE_AFTER(app.vk.GetDeviceQueue(app.device, 0, 0, &app.queues[0]));
    FREE_AFTER(app.vk.CreateCommandPool(app.device, &make_pool, NULL, &pool));
    FREE_AFTER(app.vk.ResetCommandPool(app.device, pool, 0));
    FREE_AFTER(app.vk.DestroyCommandPool(app.device, pool, NULL));
    FREE_AFTER(buffer = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_PRIMARY));
    FREE_AFTER(app_record(&app, buffer, 0, "{a w1 }", VK_NULL_HANDLE));
    FREE_AFTER(app_name(&app, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)buffer, "a list"));
    FREE_AFTER(app_submit(&app, buffer, fence));
    FREE_AFTER(app.vk.GetFenceStatus(app.device, fence));
    FREE_AFTER(semaphore = app_timeline(&app));
    FREE_AFTER(app.vk.GetSemaphoreCounterValue(app.device, semaphore, &value));
    FREE_AFTER(vkl_name_set(app.layer, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)semaphore, "ticks"));
    FREE_AFTER(app.vk.DestroySemaphore(app.device, semaphore, NULL));
    FREE_AFTER(app.vk.DestroyFence(app.device, fence, NULL));
    FREE_AFTER(app.vk.FreeCommandBuffers(app.device, app.pool, 1, &buffer));
    mock.lost_by = "vkDeviceWaitIdle";
    FREE_AFTER(app.vk.DeviceWaitIdle(app.device));
}
