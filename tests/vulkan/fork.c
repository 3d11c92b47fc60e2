/* fork without exec while other threads record, submit, name and wait [ANN-HOST-03]: in the child
 * the layer passes on what is done with the parent's objects, waits for nothing and writes no dump;
 * an instance and a device that the child makes are followed as any. */
#include "asserts.h"
#include "kit.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

/* A child of several threads cannot allocate if another thread was in the sanitizer's allocator
 * when it was made: those of gcc 12 and clang 14 lock nothing before a fork. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_LEFT_OUT true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_LEFT_OUT true
#endif
#if !defined(IS_LEFT_OUT)
#define IS_LEFT_OUT false
#endif

enum { THREADS = 3, FORKS = 60, LIMIT = 20 /* seconds until a child counts as hung */ };

static atomic_bool is_over;

struct worker {
    const struct app *app;
    pthread_t thread;
    uint32_t number;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct app mine = *worker->app;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = worker->number};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    mine.vk.CreateCommandPool(mine.device, &pool, NULL, &mine.pool);
    while (!atomic_load(&is_over)) {
        VkCommandBuffer buffer = app_allocate(&mine, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
        VkFence done;
        app_record(&mine, buffer, 0, "{frame {a w1 } .c }", VK_NULL_HANDLE);
        mine.create_fence(mine.device, &fence, NULL, &done);
        app_name(&mine, VK_OBJECT_TYPE_FENCE, (uint64_t)done, "a name");
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &buffer};
        mine.vk.QueueSubmit(mine.queues[worker->number], 1, &info, done);
        mine.vk.WaitForFences(mine.device, 1, &done, VK_TRUE, UINT64_MAX);
        mine.vk.DestroyFence(mine.device, done, NULL);
        mine.vk.FreeCommandBuffers(mine.device, mine.pool, 1, &buffer);
    }
    mine.vk.DestroyCommandPool(mine.device, mine.pool, NULL);
    return NULL;
}

static void use_inherited(struct app *app, VkCommandBuffer recorded)
{
    VkCommandBuffer buffer = app_allocate(app, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    app_name(app, VK_OBJECT_TYPE_COMMAND_BUFFER, (uint64_t)(uintptr_t)recorded, "a name");
    app_name(app, VK_OBJECT_TYPE_FENCE, 77, "a name");
    app_name(app, VK_OBJECT_TYPE_QUEUE, (uint64_t)(uintptr_t)app->queues[0], "a name");
    app_record(app, buffer, 0, "{frame {a w1 } .c }", VK_NULL_HANDLE);
    app_submit(app, buffer, VK_NULL_HANDLE);
    app_submit(app, recorded, VK_NULL_HANDLE);
    app->vk.QueueWaitIdle(app->queues[0]);
    app->vk.DeviceWaitIdle(app->device);
    vkl_watchdog_look(app->layer, 0);
    vkl_watchdog_look(app->layer, UINT64_MAX / 2);
    mock.lost_by = "vkQueueWaitIdle";
    app->vk.QueueWaitIdle(app->queues[0]);
    mock.lost_by = NULL;
    app->vk.ResetCommandPool(app->device, app->pool, 0);
    app->vk.FreeCommandBuffers(app->device, app->pool, 1, &recorded);
    app_close_device(app);
}

static bool use_own(void)
{
    struct app app;
    app_open(&app, &(struct app_desc){0});
    mock.hang = 2;
    app_submit(&app, app_command(&app, "{a w1 } {b w2 }"), VK_NULL_HANDLE);
    const bool is_seen = app_watch(&app) && app_dumps(&app) == 1;
    const char *states = app_states(&app);
    const bool is_right = states && strcmp(states, "> a+ b>") == 0;
    unlink(app.dump);
    if (!is_seen || !is_right)
        printf("its own device: %s\n", states ? states : "no dump");
    return is_seen && is_right;
}

static void be_child(struct app *app, VkCommandBuffer recorded)
{
    alarm(LIMIT);
    use_inherited(app, recorded);
    const bool is_clean = app_dumps(app) == 0;
    if (!is_clean)
        puts("a dump of the parent's device");
    mock_reset();
    const bool ok = use_own() && is_clean;
    fflush(stdout);
    _exit(!ok);
}

Test(vulkan_fork, a_child_uses_what_it_inherited_and_what_it_makes, .timeout = 300,
     .disabled = IS_LEFT_OUT)
{
    struct worker workers[THREADS];
    const char *wanted = getenv("FORKS");
    const int forks = wanted ? atoi(wanted) : FORKS;
    int wrong = 0, hung = 0;
    mock.families = THREADS + 1;
    APP();
    VkCommandBuffer recorded = app_command(&app, "{a w1 }");
    for (uint32_t i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){.app = &app, .number = i + 1};
        cr_assert_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < forks && hung < 2; i++) {
        int status = 0;
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0)
            be_child(&app, recorded);
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
            wrong++;
            hung += WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM;
        }
    }
    atomic_store(&is_over, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    cr_expect_eq(wrong, 0, "%d of %d children, %d hung", wrong, forks, hung);
    cr_expect_eq(app_dumps(&app), 0);
}

/* The watchdog's thread is not in the child. */
Test(vulkan_fork, a_child_destroys_a_device_that_had_a_watchdog, .timeout = 60)
{
    int status = 0;
    setenv("ANNOT_VK_RECOVER", "1", 1);
    APP(.has_clock = true);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(LIMIT);
        app_close_device(&app);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0);
    cr_expect_eq(access(app.layer->crash.live.path, F_OK), 0, "the file is the parent's");
}
