#include "run.h"

#include "play.h"

#include <string.h>
#include <unistd.h>

/* ---- lists that are recorded on several threads ---- */

/* Operations of one actor among `count`. */
struct thread {
    struct run *run;
    pthread_t thread;
    const struct op *ops;
    uint32_t count;
    uint8_t actor;
    bool is_running;
};

static void *record_one(void *user)
{
    const struct thread *thread = user;
    for (uint32_t i = 0; i < thread->count; i++)
        if (thread->ops[i].a == thread->actor)
            record_op(thread->run, &thread->ops[i]);
    return NULL;
}

/* Whether other lists don't see the operation: bundles and views are shared. */
static bool is_apart(const struct op *op)
{
    return record_is(op) && op->kind != OP_CALL && op->a < ACTORS &&
           (op->kind != OP_WORK || (op->b != WORK_PASS && op->b != WORK_LOST_PASS));
}

static void record_at_once(struct run *run, const struct op *ops, uint32_t count)
{
    struct thread threads[ACTORS];
    for (uint8_t actor = 0; actor < ACTORS; actor++) {
        struct thread *thread = &threads[actor];
        *thread = (struct thread){.run = run, .ops = ops, .count = count, .actor = actor};
        for (uint32_t i = 0; i < count && !thread->is_running; i++)
            thread->is_running = ops[i].a == actor;
        if (thread->is_running && pthread_create(&thread->thread, NULL, record_one, thread) != 0)
            abort();
    }
    for (uint8_t actor = 0; actor < ACTORS; actor++)
        if (threads[actor].is_running)
            pthread_join(threads[actor].thread, NULL);
}

/* Plays one operation, or several at once; returns how many. */
static uint32_t play_some(struct run *run, uint32_t first)
{
    const struct program *program = run->program;
    const struct op *op = &program->ops[first];
    uint32_t count = 0;
    while (program->witnesses.has_threads && first + count < program->count && is_apart(&op[count]))
        count++;
    if (count > 1) {
        record_at_once(run, op, count);
        return count;
    }
    if (record_is(op))
        record_op(run, op);
    else
        play_op(run, op);
    return 1;
}

/* ---- a program ---- */

static void release_all(struct run *run)
{
    for (unsigned i = 0; i < ACTORS; i++)
        if (run->actors[i].list)
            ID3D12GraphicsCommandList_Release(run->actors[i].list);
    for (unsigned i = 0; i < run->allocator_count; i++)
        if (run->allocators[i])
            ID3D12CommandAllocator_Release(run->allocators[i]);
    for (unsigned i = 0; i < QUEUES; i++)
        if (run->queues[i])
            ID3D12CommandQueue_Release(run->queues[i]);
    for (unsigned i = 0; i < FENCES; i++)
        if (run->fences[i])
            ID3D12Fence_Release(run->fences[i]);
}

void run_program(const struct program *program, const char *folder, struct outcome *outcome)
{
    struct run *run = calloc(1, sizeof *run);
    if (!run)
        abort();
    *outcome = (struct outcome){.is_removed = false};
    pthread_mutex_init(&run->lock, NULL);
    run->program = program;
    run->outcome = outcome;
    run->truth = &outcome->truth;
    witnesses_configure(program, folder, outcome);
    gpu_open(&run->gpu);
    witnesses_open(run);
    run->is_retail = true;
    gpu_set_mode(&run->gpu, true);
    for (uint32_t i = 0;
         i < program->count && (!outcome->is_removed || program->witnesses.is_late);)
        i += play_some(run, i);
    if (!outcome->is_removed) /* what is given back runs on: this ends it */
        play_stop(run, STOP_REMOVE);
    ID3D12Device_GetDeviceRemovedReason(run->gpu.device); /* as programs do: a layer learns of it */
    memcpy(outcome->truth.words, run->gpu.words, run->truth->next_word * sizeof(uint32_t));
    if (program->witnesses.dred != DRED_NONE && program->witnesses.dred != DRED_SYSTEM &&
        !outcome->has_failed)
        dred_take(run);
    if (program->witnesses.is_late && !run->had_null) /* as of a live device */
        play_late_dump(run);
    release_all(run);
    witnesses_close(run);
    gpu_close(&run->gpu);
    pthread_mutex_destroy(&run->lock);
    free(run);
}

void run_finish(struct outcome *outcome)
{
    if (outcome->dump[0])
        unlink(outcome->dump);
    if (outcome->other[0])
        unlink(outcome->other);
    if (outcome->late[0])
        unlink(outcome->late);
    truth_finish(&outcome->truth);
}
