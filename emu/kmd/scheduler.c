/* Decides which queue runs when. For applications each queue has a worker thread that takes the
 * queue's turns as they come. Under the seeded order there is no thread: emu_kmd_step picks, by a
 * generator that the seed starts, one of the queues that could take a turn, and the turn is one
 * packet long. While an engine spins, the clock is one more candidate, and moves by a part of the
 * timeout. So other queues make some progress, different for each seed, before the device is
 * removed. */
#include "kmd/types.h"
#include "gate.h"

#include <stdlib.h>

#define STEP_NS      1000u /* virtual time that a packet takes */
#define CLOCK_SLICES 64u   /* a clock step is at least this part of the timeout */
#define WORKER_STEPS 256u  /* packets between two looks at the queue's state */

/* ---- one queue's turn ---- */

static enum emu_engine_status run_engine(struct emu_kmd_queue *queue, unsigned steps)
{
    enum emu_engine_status status = EMU_ENGINE_BUSY;
    while (steps-- && status == EMU_ENGINE_BUSY &&
           !atomic_load_explicit(&queue->kmd->stop, memory_order_relaxed))
        status = emu_engine_step(&queue->engine);
    return status;
}

static enum emu_kmd_error error_of(enum emu_fault_reason reason)
{
    return reason == EMU_FAULT_PAGE   ? EMU_KMD_PAGE_FAULT
           : reason == EMU_FAULT_LOST ? EMU_KMD_LOST
                                      : EMU_KMD_HUNG;
}

/* Whether one operation stays on the engine for longer than the timeout. */
static bool takes_too_long(struct emu_kmd_queue *queue, enum emu_engine_status status)
{
    const struct emu_engine *engine = &queue->engine;
    const uint64_t now = emu__kmd_now(queue->kmd);
    if (status != EMU_ENGINE_BUSY || engine->retired == engine->issued) {
        queue->work_at = 0;
        return false;
    }
    if (queue->work_at != engine->retired + 1) {
        queue->work_at = engine->retired + 1;
        queue->work_since = now;
    }
    return now - queue->work_since >= queue->kmd->desc.tdr_timeout_ns;
}

/* The lock is not held. */
static void tell_completed(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    emu_lock(&kmd->lock);
    queue->address = 0; /* the driver may use this memory again: nobody may read it from now on */
    emu_unlock(&kmd->lock);
    if (queue->log)
        emu__kmd_history_take(queue, queue->tag, queue->log);
    if (!kmd->desc.completed)
        return;
    emu__kmd_enter_callback();
    kmd->desc.completed(kmd->desc.user, queue->user, queue->tag);
    emu__kmd_leave_callback();
}

/* Runs a submission. The lock is held, but not while the engine runs or the runtime is called. */
static void run_submission(struct emu_kmd_queue *queue, unsigned steps)
{
    struct emu_kmd *kmd = queue->kmd;
    kmd->active++;
    queue->engine.time = emu_gpu_counter(kmd->desc.gpu, emu__kmd_now(kmd));
    emu_unlock(&kmd->lock);
    const enum emu_engine_status status = run_engine(queue, steps); /* done: nothing is rendered */
    if (status == EMU_ENGINE_DONE)
        tell_completed(queue);
    emu_lock(&kmd->lock);
    kmd->active--;
    if (status == EMU_ENGINE_DONE) {
        queue->busy = false;
        emu__kmd_queue_look(queue);
        queue->completed_tag = queue->tag;
        free(queue->log);
        queue->log = NULL;
        emu__kmd_calibrate(kmd, false);
    }
    if (status == EMU_ENGINE_SPINNING) {
        queue->spinning = true;
        queue->spin_since = emu__kmd_now(kmd);
    }
    pthread_cond_broadcast(&kmd->idle_cond);
    if (kmd->desc.times_work && takes_too_long(queue, status))
        emu__kmd_fail(kmd, queue, EMU_KMD_HUNG);
    if (status == EMU_ENGINE_FAULT)
        emu__kmd_fail(kmd, queue, error_of(queue->engine.fault.reason));
}

static void start_submission(struct emu_kmd_queue *queue)
{
    struct emu_kmd_item *head = emu__kmd_queue_head(queue);
    if (!head->log || !head->log->null_rendering)
        emu_engine_start(&queue->engine, head->address, head->size);
    queue->tag = head->value;
    queue->address = head->address;
    queue->log = head->log;
    head->log = NULL;
    if (queue->log) {
        emu__kmd_calibrate(queue->kmd, false);
        queue->log->base = emu__kmd_last_pair(queue->kmd).gpu;
    }
    queue->busy = true;
    emu__kmd_queue_pop(queue);
}

/* The lock is held and the queue can run. */
static void take_turn(struct emu_kmd_queue *queue, unsigned steps)
{
    if (!queue->busy) {
        const struct emu_kmd_item *head = emu__kmd_queue_head(queue);
        switch (head->kind) {
        case EMU_KMD_ITEM_WAIT:
            emu__kmd_queue_pop(queue);
            return;
        case EMU_KMD_ITEM_SIGNAL:
            emu__kmd_signal(queue);
            return;
        case EMU_KMD_ITEM_TILES:
            for (uint64_t i = 0; i < head->size; i++)
                emu_gpu_update_tiles(queue->kmd->desc.gpu, &head->tiles[i]);
            emu__kmd_queue_pop(queue);
            return;
        case EMU_KMD_ITEM_SUBMIT:
            start_submission(queue);
            break;
        }
    }
    run_submission(queue, steps);
}

/* ---- a worker thread per queue ---- */

static void worker_sleep(struct emu_kmd_queue *queue)
{
    struct emu_kmd *kmd = queue->kmd;
    pthread_cond_broadcast(&kmd->idle_cond);
    if (queue->spinning && !kmd->failing)
        emu__kmd_cond_wait_until(&queue->wake, &kmd->lock,
                                 queue->spin_since + kmd->desc.tdr_timeout_ns);
    else
        emu_wait(&queue->wake, &kmd->lock, NULL);
    emu__kmd_check_timeout(queue);
}

void *emu__kmd_worker(void *argument)
{
    struct emu_kmd_queue *queue = argument;
    emu_lock(&queue->kmd->lock);
    while (!queue->quit)
        if (emu__kmd_queue_can_run(queue))
            take_turn(queue, WORKER_STEPS);
        else
            worker_sleep(queue);
    emu_unlock(&queue->kmd->lock);
    return NULL;
}

/* ---- the seeded order ---- */

static uint64_t clock_after(const struct emu_kmd *kmd, uint64_t nanoseconds)
{
    return nanoseconds > EMU_KMD_TIMEOUT_LIMIT_NS * 4 - kmd->clock ? EMU_KMD_TIMEOUT_LIMIT_NS * 4
                                                                   : kmd->clock + nanoseconds;
}

static void pass_time(struct emu_kmd *kmd, uint64_t nanoseconds)
{
    kmd->clock = clock_after(kmd, nanoseconds);
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (emu__kmd_check_timeout(queue))
            return;
}

static uint64_t clock_step(struct emu_kmd *kmd)
{
    uint64_t slice = kmd->desc.tdr_timeout_ns / CLOCK_SLICES + 1;
    return slice + emu__kmd_random(&kmd->random) % slice;
}

static struct emu_kmd_queue *nth_runnable(const struct emu_kmd *kmd, uint64_t n)
{
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (emu__kmd_queue_can_run(queue) && n-- == 0)
            return queue;
    return NULL;
}

static bool step(struct emu_kmd *kmd)
{
    uint64_t runnable = 0;
    uint64_t clock = 0;
    if (kmd->failing)
        return false;
    for (struct emu_kmd_queue *queue = kmd->queues; queue; queue = queue->next)
        if (emu__kmd_queue_can_run(queue))
            runnable++;
        else if (queue->busy)
            clock = 1;
    if (runnable + clock == 0)
        return false;
    kmd->clock = clock_after(kmd, STEP_NS);
    struct emu_kmd_queue *queue =
        nth_runnable(kmd, emu__kmd_random(&kmd->random) % (runnable + clock));
    if (queue)
        take_turn(queue, 1);
    else
        pass_time(kmd, clock_step(kmd));
    return true;
}

bool emu_kmd_step(struct emu_kmd *kmd)
{
    if (!kmd->desc.seeded || emu__kmd_in_callback())
        return false;
    emu_lock(&kmd->step_lock);
    emu_lock(&kmd->lock);
    bool stepped = step(kmd);
    emu_unlock(&kmd->lock);
    emu_unlock(&kmd->step_lock);
    return stepped;
}

void emu_kmd_advance(struct emu_kmd *kmd, uint64_t nanoseconds)
{
    if (!kmd->desc.seeded || emu__kmd_in_callback())
        return;
    emu_lock(&kmd->step_lock);
    emu_lock(&kmd->lock);
    pass_time(kmd, nanoseconds);
    emu_unlock(&kmd->lock);
    emu_unlock(&kmd->step_lock);
}

void emu_kmd_run_until_idle(struct emu_kmd *kmd)
{
    while (emu_kmd_step(kmd))
        ;
}
