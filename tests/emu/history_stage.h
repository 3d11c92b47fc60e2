/* The reference user-mode driver above the kernel, with marker logs and history buffers, and what
 * the kernel told of them last. */
#pragma once

#include "umd/driver.h"
#include "rig.h"

#include <stdlib.h>

enum { LIST = 12, OTHER_LIST = 13, COPIES = 5 };

struct taken {
    uint32_t count, list_count;
    enum emu_kmd_log_problem problem;
    bool null_rendering;
    uint32_t sequence;
    uint64_t begin, end;
    uint64_t numbers[8192], stamps[8192];
    struct emu_kmd_log_list lists[4];
};

struct stage {
    emu_gpu *gpu;
    struct emu_kmd *kmd;
    const emu_driver *driver;
    void *device, *queue, *lists[6];
    size_t list_count; /* which end with it */
    struct emu_kmd_queue *kmd_queue;
    emu_gpu_memory memory;
    struct taken taken; /* of the last submission */
    unsigned histories, completed;
};

static inline void on_history(void *user, void *queue, uint64_t tag,
                              const struct emu_kmd_history *history)
{
    struct stage *s = user;
    (void)queue, (void)tag;
    s->histories++;
    s->taken = (struct taken){.count = history->count,
                              .list_count = history->list_count,
                              .problem = history->problem,
                              .null_rendering = history->null_rendering,
                              .sequence = history->sequence,
                              .begin = history->begin,
                              .end = history->end};
    for (uint32_t i = 0; i < history->count && i < 8192; i++) {
        s->taken.numbers[i] = history->numbers[i];
        s->taken.stamps[i] = history->stamps[i];
    }
    for (uint32_t i = 0; i < history->list_count && i < 4; i++)
        s->taken.lists[i] = history->lists[i];
}

static inline void on_completed(void *user, void *queue, uint64_t tag)
{
    struct stage *s = user;
    (void)queue;
    s->completed++;
    s->driver->submission_retired(s->queue, tag);
}

static inline void on_removed(void *user, const struct emu_kmd_removal *removal)
{
    (void)user, (void)removal;
}

static inline struct stage *open_with(const struct emu_gpu_clock *clock,
                                      const emu_kernel_driver *kernel, uint32_t type)
{
    struct stage *s = calloc(1, sizeof *s);
    s->gpu = emu_gpu_create();
    cr_assert(emu_gpu_set_clock(s->gpu, clock));
    s->kmd = KMD(s->gpu, s, .seeded = true, .removed = on_removed, .completed = on_completed,
                 .history = on_history, .driver = kernel, .marker_type = type);
    s->driver = emu_driver_find("reference");
    s->device = s->driver->device_create(s->gpu, 0);
    if (type != D3DWDDM1_3DDI_MARKER_TYPE_NONE)
        s->driver->set_marker_mode(s->device, type, 0);
    s->queue = s->driver->queue_create(s->device, 0, 11);
    s->kmd_queue = emu_kmd_queue_create(s->kmd, NULL);
    cr_assert(emu_kmd_queue_identify(s->kmd_queue, 0, 0, s->queue));
    s->memory = allocate(s->gpu, 65536);
    return s;
}

static inline struct stage *open_stage(void)
{
    return open_with(&(struct emu_gpu_clock){.stamp_bits = 64}, NULL,
                     D3DWDDM1_3DDI_MARKER_TYPE_PROFILE);
}

static inline void stage_ended(struct stage **stage)
{
    struct stage *s = *stage;
    for (size_t i = 0; i < s->list_count; i++)
        s->driver->list_destroy(s->lists[i]);
    emu_kmd_queue_destroy(s->kmd_queue);
    s->driver->queue_destroy(s->queue);
    s->driver->device_destroy(s->device);
    emu_kmd_destroy(s->kmd);
    emu_gpu_destroy(s->gpu);
    free(s);
}

#define STAGE AT_END(stage_ended) struct stage *s

static inline void copy(struct stage *s, void *list)
{
    s->driver->cmd_copy(list, s->memory.address, s->memory.address + 4096, 256);
    s->driver->cmd_set_marker(list);
}

static inline void *list_open(struct stage *s, uint64_t id)
{
    cr_assert_lt(s->list_count, sizeof s->lists / sizeof s->lists[0]);
    return s->lists[s->list_count++] = s->driver->list_create(s->device, 0, id);
}

static inline void *list_of(struct stage *s, uint64_t id, unsigned copies)
{
    void *list = list_open(s, id);
    for (unsigned i = 0; i < copies; i++)
        copy(s, list);
    cr_assert(s->driver->list_close(list));
    return list;
}

static const uint32_t highs[] = {7, 9, 11};
static const uint64_t ids[] = {LIST, OTHER_LIST, OTHER_LIST + 1};

static inline emu_command_buffer build(struct stage *s, void *const *lists, uint32_t count)
{
    emu_command_buffer buffer = {0};
    cr_assert(s->driver->queue_submit(
        s->queue,
        &(emu_submission){.lists = lists, .count = count, .serial = 1, .sequence_high = highs},
        &buffer));
    return buffer;
}

static inline void run_command(struct stage *s, emu_command_buffer buffer,
                               const D3DDDICB_SUBMITCOMMAND *command, uint32_t count)
{
    const unsigned before = s->completed;
    cr_assert(
        emu_kmd_submit_command(s->kmd_queue, buffer.address, buffer.size, 1, command, ids, count));
    emu_kmd_run_until_idle(s->kmd);
    cr_assert_eq(s->completed, before + 1, "the work is done whatever its log is");
}

static inline void run_lists(struct stage *s, void *const *lists, uint32_t count)
{
    emu_command_buffer buffer = build(s, lists, count);
    run_command(s, buffer, buffer.submit, count);
}
