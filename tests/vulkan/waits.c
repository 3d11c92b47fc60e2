/* Timeline semaphores that queues and the CPU wait for: each dump says what is known to be true,
 * and only queues that wait for each other leave a dump by themselves [ANN-LEAVE-03]. */
#include "kit.h"
#include "waiting_programs.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>

enum { SEMAPHORES = 4 };

struct stage {
    struct app app;
    VkSemaphore semaphores[SEMAPHORES];
    bool with_submit2;
};

static const char *const phrases[256] = {
    ['o'] = "; these queues wait for each other\n",
    ['e'] = "; that queue waits for ever\n",
    ['q'] = "waiting for \"Q",
    ['h'] = "; the highest value that a queue was ever told to signal is ",
    ['n'] = "; no queue was ever told to signal the semaphore\n",
    ['p'] = "; the program's CPU signals this semaphore\n",
    ['s'] = "; the semaphore is shared: another device or process may signal it\n",
    ['r'] = "; the semaphore had this value, but was lowered later\n",
    ['w'] = "; the semaphore's only Signal comes later, on this waiting queue\n",
};

/* ---- the program ---- */

static VkSemaphore semaphore_of(struct stage *s, char letter)
{
    const bool is_shared = letter < 'a';
    const unsigned index = (unsigned)(letter - (is_shared ? 'A' : 'a'));
    const char name[] = {letter, 0};
    const VkExportSemaphoreCreateInfo shared = {
        .sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
        .handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT};
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .pNext = is_shared ? &shared : NULL,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    if (s->semaphores[index])
        return s->semaphores[index];
    s->app.vk.CreateSemaphore(s->app.device, &info, NULL, &s->semaphores[index]);
    vkl_name_set(s->app.layer, VK_OBJECT_TYPE_SEMAPHORE, (uint64_t)s->semaphores[index], name);
    return s->semaphores[index];
}

static void submit(struct stage *s, VkQueue queue, VkSemaphore semaphore, uint64_t value,
                   bool is_wait)
{
    const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = is_wait,
        .pWaitSemaphoreValues = &value,
        .signalSemaphoreValueCount = !is_wait,
        .pSignalSemaphoreValues = &value};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .pNext = &values,
                               .waitSemaphoreCount = is_wait,
                               .pWaitSemaphores = &semaphore,
                               .pWaitDstStageMask = &stage,
                               .signalSemaphoreCount = !is_wait,
                               .pSignalSemaphores = &semaphore};
    const VkSemaphoreSubmitInfo of = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, .semaphore = semaphore, .value = value};
    const VkSubmitInfo2 info2 = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                                 .waitSemaphoreInfoCount = is_wait,
                                 .pWaitSemaphoreInfos = &of,
                                 .signalSemaphoreInfoCount = !is_wait,
                                 .pSignalSemaphoreInfos = &of};
    if (s->with_submit2)
        s->app.vk.QueueSubmit2(queue, 1, &info2, VK_NULL_HANDLE);
    else
        s->app.vk.QueueSubmit(queue, 1, &info, VK_NULL_HANDLE);
}

static void make_call(struct stage *s, const char *call)
{
    const struct vkl_device_next *vk = &s->app.vk;
    const VkSemaphore semaphore = call[1] == 'x' ? VK_NULL_HANDLE : semaphore_of(s, call[2]);
    const uint64_t value = semaphore ? (uint64_t)atoi(call + 3) : 0;
    const VkSemaphoreSignalInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = semaphore, .value = value};
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &semaphore,
                                      .pValues = &value};
    if (call[0] == 'c' && call[1] == 's')
        vk->SignalSemaphore(s->app.device, &signal);
    else if (call[0] == 'c')
        vk->WaitSemaphores(s->app.device, &wait, 1);
    else if (call[1] == 'x') {
        const VkCommandBuffer buffer = app_command(&s->app, "{a w1 }");
        const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                   .commandBufferCount = 1,
                                   .pCommandBuffers = &buffer};
        vk->QueueSubmit(s->app.queues[call[0] - '0'], 1, &info, VK_NULL_HANDLE);
    } else
        submit(s, s->app.queues[call[0] - '0'], semaphore, value, call[1] == 'w');
}

static void play(struct stage *s, const char *calls)
{
    mock.families = 4;
    app_open(&s->app, &(struct app_desc){.dump = NULL});
    for (unsigned i = 0; i < 4; i++)
        vkl_name_set(s->app.layer, VK_OBJECT_TYPE_QUEUE, (uint64_t)(uintptr_t)s->app.queues[i],
                     (const char[]){'Q', (char)('0' + i), 0});
    for (const char *at = calls; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        at += *at == '=';
        make_call(s, at);
        for (int i = 0; i < 4; i++) /* what was signalled lets other queues go */
            mock_go_on(MOCK_NO_HANG);
    }
}

static void end(struct stage *s)
{
    for (unsigned i = 0; i < 8 * SEMAPHORES; i++) { /* nothing may wait for what is destroyed */
        if (s->semaphores[i % SEMAPHORES])
            ((struct mock_semaphore *)s->semaphores[i % SEMAPHORES])->value = UINT64_MAX;
        mock_go_on(MOCK_NO_HANG);
    }
    for (unsigned i = 0; i < SEMAPHORES; i++)
        if (s->semaphores[i])
            s->app.vk.DestroySemaphore(s->app.device, s->semaphores[i], NULL);
    app_close(&s->app);
    mock_reset();
}

/* ---- what reports say ---- */

/* The line about queue `who`, or about the CPU, that `phrase` is in. */
static const char *line_of(const char *report, char who, const char *phrase)
{
    char start[24];
    snprintf(start, sizeof start, who == 'c' ? "\n  the program's CPU: " : "\n  queue \"Q%c\"",
             who);
    const char *line = strstr(report, start);
    const char *next = line ? strchr(line + 1, '\n') : NULL;
    const char *found = line && phrase ? strstr(line, phrase) : line;
    return next && found && found < next ? line : NULL;
}

/* A wait is certain only as far as the layer sees the values of semaphores. */
static void check(const struct program *row, const char *report)
{
    for (const char *who = "0123c"; *who; who++) {
        const char *kind = strchr(row->truth, *who);
        const char *waits = line_of(report, *who, "waiting for");
        if (!kind)
            cr_expect_null(waits, "%s: %c waits: %s", row->calls, *who, report);
        else if (kind[1] != 'o' || strcmp(row->truth, "0o") != 0)
            cr_expect(line_of(report, *who, phrases[(unsigned char)kind[1]]) ||
                          (!waits && strchr("qw", kind[1])),
                      "%s: %c is not '%c': %s", row->calls, *who, kind[1], report);
    }
}

Test(vulkan_waits, each_wait_is_told_as_it_is)
{
    unsigned tried = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct stage s = {.with_submit2 = i % 2};
        const bool is_circle = strchr(programs[i].truth, 'o') != NULL;
        if (strstr(programs[i].calls, "wx") || strstr(programs[i].calls, "=c"))
            continue; /* a second device, or a CPU that sets back, which Vulkan forbids */
        play(&s, programs[i].calls);
        cr_expect_eq(app_watch(&s.app), is_circle, "%s: the watchdog", programs[i].calls);
        app_lose(&s.app);
        check(&programs[i], app_report(&s.app));
        end(&s);
        tried++;
    }
    cr_expect_geq(tried, 40);
}

/* Timelines allow a Signal of less that is queued later: nothing says that it comes later. */
Test(vulkan_waits, what_is_queued_later_may_come_first)
{
    struct stage s = {.with_submit2 = true};
    play(&s, "2wb1 2sa5 0wa1 0x 0sb1 1wb1 1sa1");
    cr_expect(app_watch(&s.app));
    cr_expect_not_null(strstr(app_report(&s.app), "\"Q0\" waits for \"Q2\"'s semaphore \"a\" = 1"),
                       "%s", app_report(&s.app));
    end(&s);
}

Test(vulkan_waits, fences_displace_no_semaphore)
{
    static struct mock_fence fences[100];
    struct stage s = {.with_submit2 = true};
    play(&s, "0wa7");
    for (int i = 0; i < 100; i++)
        s.app.vk.QueueSubmit(s.app.queues[1], 0, NULL, (VkFence)&fences[i]);
    app_lose(&s.app);
    cr_expect_not_null(line_of(app_report(&s.app), '0', phrases['n']), "%s", app_report(&s.app));
    end(&s);
}

Test(vulkan_waits, nobody_waits_for_a_semaphore_that_is_gone)
{
    struct stage s = {.with_submit2 = false};
    play(&s, "cwa7");
    s.app.vk.DestroySemaphore(s.app.device, s.semaphores[0], NULL);
    s.semaphores[0] = VK_NULL_HANDLE;
    app_lose(&s.app);
    cr_expect_null(strstr(app_report(&s.app), "CPU: waiting"), "%s", app_report(&s.app));
    end(&s);
}
