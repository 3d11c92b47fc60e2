#include "tracker_gpu.h"

static void write_word(const struct gpu *gpu, uint64_t offset, uint64_t value)
{
    if (gpu->word_size == 8) {
        memcpy(gpu->memory + offset, &value, 8);
    } else {
        const uint32_t low = (uint32_t)value;
        memcpy(gpu->memory + offset, &low, 4);
    }
    if (gpu->wrote)
        gpu->wrote(offset, value);
}

static struct execution *previous_of(const struct gpu *gpu, const struct execution *execution)
{
    return execution->previous < 0 ? NULL : &gpu->truth->executions[execution->previous];
}

static bool is_all_before(const struct gpu *gpu, const struct execution *execution,
                          bool (*is_so)(const struct execution *))
{
    for (const struct execution *at = previous_of(gpu, execution); at; at = previous_of(gpu, at))
        if (!is_so(at))
            return false;
    return true;
}

static bool is_passed(const struct execution *execution)
{
    return execution->reached == execution->count;
}

static bool is_complete(const struct execution *execution)
{
    return truth_is_complete(execution, 0, execution->count);
}

/* Whether the words `started` of all operations before are in memory. */
static bool is_shown(const struct execution *execution, int to)
{
    for (int i = 0; i < to; i++)
        if (execution->ops[i].started != NO_WORD && !execution->ops[i].is_shown)
            return false;
    return true;
}

static bool is_all_shown(const struct execution *execution)
{
    return is_shown(execution, execution->count);
}

static bool may_retire(const struct gpu *gpu, const struct execution *execution, bool is_last)
{
    return !gpu->retires_in_order || !is_last || is_all_before(gpu, execution, is_complete);
}

/* ---- what may happen to one operation ---- */

static bool pass(const struct gpu *gpu, struct execution *execution)
{
    if (is_passed(execution) || (gpu->starts_in_order && !is_all_before(gpu, execution, is_passed)))
        return false;
    const struct flat *before =
        execution->reached > 0 ? &execution->ops[execution->reached - 1] : NULL;
    if (gpu->waits && before && before->completed != NO_WORD && !before->is_passed)
        return false;
    if (gpu->drains && before && before->started != NO_WORD && !before->is_shown)
        return false;
    execution->ops[execution->reached++].is_reached = true;
    return true;
}

static bool show(const struct gpu *gpu, struct execution *execution, int op)
{
    struct flat *at = &execution->ops[op];
    if (at->started == NO_WORD || at->is_shown || !at->is_reached || !is_shown(execution, op) ||
        (gpu->starts_in_order && !is_all_before(gpu, execution, is_all_shown)) ||
        (gpu->drains && !truth_is_done(execution, 0, op)))
        return false;
    at->is_shown = true;
    write_word(gpu, at->started, at->started_value);
    return true;
}

static bool begin(const struct gpu *gpu, struct execution *execution, int op)
{
    struct flat *at = &execution->ops[op];
    if (at->kind != FLAT_WORK || at->is_begun || !at->is_reached || !is_shown(execution, op) ||
        (gpu->starts_in_order && !is_all_before(gpu, execution, is_all_shown)))
        return false;
    at->is_begun = true;
    return true;
}

static bool finish(const struct gpu *gpu, struct execution *execution, int op)
{
    struct flat *at = &execution->ops[op];
    if (at->kind != FLAT_WORK || !at->is_begun || at->is_done || at->is_hung)
        return false;
    at->is_done = true;
    if (may_retire(gpu, execution, truth_is_done(execution, 0, execution->count)))
        return true;
    at->is_done = false;
    return false;
}

static bool complete(const struct gpu *gpu, struct execution *execution, int op)
{
    struct flat *at = &execution->ops[op];
    if (at->completed == NO_WORD || at->is_passed || !at->is_reached ||
        !is_shown(execution, op + 1))
        return false;
    for (int i = 0; i < op; i++)
        if ((execution->ops[i].kind == FLAT_WORK && !execution->ops[i].is_done) ||
            (execution->ops[i].completed != NO_WORD && !execution->ops[i].is_passed))
            return false;
    if (at->kind == FLAT_PROLOGUE && !is_all_before(gpu, execution, is_complete))
        return false;
    if (!may_retire(gpu, execution, op == execution->count - 1))
        return false;
    at->is_passed = true;
    write_word(gpu, at->completed, at->completed_value);
    return true;
}

/* ---- steps ---- */

static bool try_step(const struct gpu *gpu, struct execution *execution, uint32_t what)
{
    if (what < 3)
        return pass(gpu, execution);
    for (int op = 0; op < execution->reached; op++)
        if (what == 3   ? show(gpu, execution, op)
            : what == 4 ? begin(gpu, execution, op)
            : what == 5 ? finish(gpu, execution, op)
                        : complete(gpu, execution, op))
            return true;
    return false;
}

bool gpu_step(struct gpu *gpu, struct dice *dice)
{
    for (int attempts = 0; attempts < 12 && gpu->truth->count > 0; attempts++) {
        const uint32_t index = pick(dice, (uint32_t)gpu->truth->count);
        if (try_step(gpu, &gpu->truth->executions[index], pick(dice, 8)))
            return true;
    }
    return false;
}

uint64_t gpu_fence(const struct gpu *gpu, int queue)
{
    const struct queue_truth *of = &gpu->truth->queues[queue];
    uint64_t serial = 0;
    for (int i = 0; i < of->count; i++) {
        if (of->items[i].kind != ITEM_SUBMISSION)
            continue;
        for (int k = 0; k < of->items[i].count; k++)
            if (!is_complete(&gpu->truth->executions[of->items[i].first + k]))
                return serial;
        serial = of->items[i].serial;
    }
    return serial;
}
