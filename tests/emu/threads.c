/* Driver, kernel and GPU together under many threads, as the runtime uses them: for
 * ThreadSanitizer. */
#include "umd/driver.h"
#include "umd/types.h"
#include "kmd_rig.h"

#include <pthread.h>
#include <stdlib.h>

enum { THREADS = 4, FRAMES = 100 };

struct stack;

struct lane { /* one queue and the thread that feeds it */
    struct stack *stack;
    void *queue;
    struct emu_kmd_queue *kmd_queue;
    struct emu_kmd_fence *fence;
    emu_gpu_memory word;
    pthread_t thread;
    uint32_t number;
};

struct stack {
    struct rig rig;
    const emu_driver *driver;
    void *device;
    struct lane lanes[THREADS];
    atomic_bool removed;
    uint64_t hang_at; /* frame in which lane 0 hangs; 0: never */
    size_t started_rows;
};

static void retire(void *user, void *queue_user, uint64_t tag)
{
    struct stack *s = user;
    struct lane *lane = queue_user;
    if (tag)
        s->driver->submission_retired(lane->queue, tag);
}

/* Reads the report slowly, as a dump writer would, while the lanes go on submitting. */
static void take_report(void *user, const struct emu_kmd_removal *removal)
{
    struct stack *s = user;
    annot_crash_report report = {.size = sizeof report};
    (void)removal;
    s->driver->crash_report(s->device, &report);
    for (int pass = 0; pass < 100; pass++) {
        s->started_rows = 0;
        for (size_t i = 0; i < report.progress_count; i++)
            s->started_rows += report.progress[i].state == ANNOT_PROGRESS_STARTED &&
                               report.progress[i].list != ANNOT_PROGRESS_QUEUE;
    }
    atomic_store(&s->removed, true);
}

static bool submit_frame(struct lane *lane, void *list, uint64_t frame)
{
    struct stack *s = lane->stack;
    const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *annotation = s->driver->annot.annotation;
    D3D12DDI_HCOMMANDLIST handle = {list};
    emu_command_buffer b;
    if (!s->driver->list_reset(list))
        return false;
    annotation->pfnCmdListBeginEvent(handle, 0, NULL, 0, frame * 10 + 1);
    for (uint32_t i = 0; i < 20; i++)
        annotation->pfnCmdListSetMarker(handle, 0, NULL, 0, frame * 10 + 2);
    s->driver->cmd_write_immediate(list, lane->word.address, (uint32_t)frame, 0);
    if (lane->number == 0 && frame == s->hang_at)
        s->driver->cmd_dispatch(list,
                                &(emu_dispatch){.kernel = EMU_KERNEL_SPIN, .groups = {1, 1, 1}});
    annotation->pfnCmdListEndEvent(handle, frame * 10 + 1);
    annotation->pfnCmdQueueSetMarker((D3D12DDI_HCOMMANDQUEUE){lane->queue}, 0, NULL, 0, frame);
    annotation->pfnSetName((D3D12DDI_HANDLE_AND_TYPE){list, D3D12DDI_HT_COMMAND_LIST},
                           frame % 2 ? L"odd" : L"an even frame");
    void *lists[2] = {list, list};
    return s->driver->list_close(list) &&
           s->driver->queue_submit(
               lane->queue, &(emu_submission){.lists = lists, .count = 2, .serial = frame}, &b) &&
           emu_kmd_submit(lane->kmd_queue, b.address, b.size, frame) &&
           emu_kmd_signal(lane->kmd_queue, lane->fence, frame);
}

static void *feed(void *argument)
{
    struct lane *lane = argument;
    struct stack *s = lane->stack;
    void *lists[3];
    for (size_t i = 0; i < 3; i++)
        lists[i] = s->driver->list_create(s->device, 0, i + 1);
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        if (!submit_frame(lane, lists[frame % 3], frame))
            break;
        if (frame % 50 == 0)
            fence_wait(lane->fence, frame - 5);
    }
    fence_wait(lane->fence, FRAMES);
    for (size_t i = 0; i < 3; i++)
        s->driver->list_destroy(lists[i]);
    return NULL;
}

static void run_stack(struct stack *s, uint64_t hang_at)
{
    s->hang_at = hang_at;
    s->driver = emu_driver_find("reference");
    s->rig.gpu = emu_gpu_create();
    s->rig.kmd =
        KMD(s->rig.gpu, s, .tdr_timeout_ns = 50000000, .removed = take_report, .completed = retire);
    s->device = s->driver->device_create(s->rig.gpu, 0);
    for (uint32_t i = 0; i < THREADS; i++) {
        struct lane *lane = &s->lanes[i];
        lane->stack = s;
        lane->number = i;
        lane->word = allocate(s->rig.gpu, 4);
        lane->queue = s->driver->queue_create(s->device, 0, i + 1);
        lane->kmd_queue = emu_kmd_queue_create(s->rig.kmd, lane);
        lane->fence = emu_kmd_fence_create(s->rig.kmd, 0);
        pthread_create(&lane->thread, NULL, feed, lane);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(s->lanes[i].thread, NULL);
}

static void finish_stack(struct stack *s)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        emu_kmd_queue_destroy(s->lanes[i].kmd_queue);
        s->driver->queue_destroy(s->lanes[i].queue);
        emu_kmd_fence_destroy(s->lanes[i].fence);
    }
    emu_kmd_destroy(s->rig.kmd);
    s->driver->device_destroy(s->device);
    emu_gpu_destroy(s->rig.gpu);
    free(s);
}

Test(emu_threads, every_lane_runs_to_its_end)
{
    struct stack *s = calloc(1, sizeof *s);
    run_stack(s, 0);
    for (uint32_t i = 0; i < THREADS; i++)
        cr_assert_eq(*(uint32_t *)s->lanes[i].word.cpu, FRAMES);
    cr_assert_not(s->removed);
    finish_stack(s);
}

Test(emu_threads, a_report_is_read_while_others_go_on_submitting)
{
    struct stack *s = calloc(1, sizeof *s);
    run_stack(s, FRAMES / 2);
    cr_assert(s->removed);
    cr_assert_eq(*(uint32_t *)s->lanes[0].word.cpu, FRAMES / 2);
    cr_assert_geq(s->started_rows, 1);
    finish_stack(s);
}
