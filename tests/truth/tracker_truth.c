#include "tracker_truth.h"

/* ---- making it ---- */

struct item *truth_item(struct truth *truth, int queue, enum item_kind kind)
{
    struct queue_truth *of = &truth->queues[queue];
    if (of->count == of->capacity) {
        of->capacity = of->capacity ? of->capacity * 2 : 16;
        of->items = grow(of->items, (size_t)of->capacity * sizeof *of->items);
    }
    struct item *item = &of->items[of->count++];
    *item = (struct item){.kind = kind, .partner = -1};
    if (kind != ITEM_END)
        return item;
    for (int i = of->count - 1, depth = 0; i-- > 0;) {
        if (of->items[i].kind == ITEM_BEGIN && of->items[i].partner < 0 && depth == 0) {
            of->items[i].partner = of->count - 1;
            item->partner = i;
            break;
        }
    }
    return item;
}

struct execution *truth_execution(struct truth *truth, int queue)
{
    if (truth->count == truth->capacity) {
        truth->capacity = truth->capacity ? truth->capacity * 2 : 32;
        truth->executions =
            grow(truth->executions, (size_t)truth->capacity * sizeof *truth->executions);
    }
    struct execution *execution = &truth->executions[truth->count];
    *execution = (struct execution){
        .queue = queue, .index = truth->count, .previous = truth->queues[queue].last_execution};
    truth->queues[queue].last_execution = truth->count++;
    return execution;
}

struct flat *truth_op(struct execution *execution, enum flat_kind kind)
{
    if (execution->count == execution->capacity) {
        execution->capacity = execution->capacity ? execution->capacity * 2 : 32;
        execution->ops = grow(execution->ops, (size_t)execution->capacity * sizeof *execution->ops);
    }
    struct flat *op = &execution->ops[execution->count++];
    *op = (struct flat){
        .kind = kind, .started = NO_WORD, .completed = NO_WORD, .partner = -1, .closed_by = -1};
    return op;
}

void truth_finish(struct truth *truth)
{
    for (int i = 0; i < truth->count; i++)
        free(truth->executions[i].ops);
    for (int i = 0; i < TRUTH_QUEUES; i++)
        free(truth->queues[i].items);
    free(truth->executions);
}

/* ---- scopes ---- */

struct open_scope {
    int execution, op;
};

struct open_scopes {
    struct open_scope *at;
    int count, capacity;
};

static void push(struct open_scopes *scopes, struct open_scope scope)
{
    if (scopes->count == scopes->capacity) {
        scopes->capacity = scopes->capacity ? scopes->capacity * 2 : 16;
        scopes->at = grow(scopes->at, (size_t)scopes->capacity * sizeof *scopes->at);
    }
    scopes->at[scopes->count++] = scope;
}

/* An END closes the innermost open scope of its own recording; without one, what lists before it on
 * the queue left open. Those of bundles are closed in the bundle. */
static void pair_execution(struct truth *truth, struct execution *execution,
                           struct open_scopes *scopes)
{
    int bundles[64], depth = 0;
    for (int i = 0; i < execution->count; i++) {
        struct flat *op = &execution->ops[i];
        if (op->kind == FLAT_BUNDLE && depth < 64) {
            bundles[depth++] = i;
        } else if (op->kind == FLAT_BUNDLE_END && depth > 0) {
            execution->ops[bundles[--depth]].partner = i;
        } else if (op->kind == FLAT_BEGIN) {
            push(scopes, (struct open_scope){execution->index, i});
        } else if (op->kind == FLAT_END && scopes->count > 0) {
            const struct open_scope scope = scopes->at[--scopes->count];
            struct flat *begin = &truth->executions[scope.execution].ops[scope.op];
            if (scope.execution == execution->index) {
                begin->partner = i;
                op->partner = scope.op;
            } else {
                begin->closed_by = execution->index;
                begin->closing_op = i;
            }
        }
    }
}

void truth_pair(struct truth *truth)
{
    for (int queue = 0; queue < truth->queue_count; queue++) {
        struct open_scopes scopes = {NULL, 0, 0};
        for (int i = 0; i < truth->count; i++)
            if (truth->executions[i].queue == queue)
                pair_execution(truth, &truth->executions[i], &scopes);
        free(scopes.at);
    }
}

/* ---- facts ---- */

bool truth_is_complete(const struct execution *execution, int from, int to)
{
    for (int i = from; i < to; i++) {
        const struct flat *op = &execution->ops[i];
        if (!op->is_reached || (op->kind == FLAT_WORK && !op->is_done) ||
            (op->started != NO_WORD && !op->is_shown) ||
            (op->completed != NO_WORD && !op->is_passed))
            return false;
    }
    return true;
}

bool truth_is_done(const struct execution *execution, int from, int to)
{
    for (int i = from; i < to; i++)
        if (!execution->ops[i].is_reached ||
            (execution->ops[i].kind == FLAT_WORK && !execution->ops[i].is_done))
            return false;
    return true;
}

bool truth_is_begun(const struct execution *execution, int from, int to)
{
    for (int i = from; i < to; i++) {
        const struct flat *op = &execution->ops[i];
        if (op->is_begun || (op->started != NO_WORD && op->is_shown))
            return true;
    }
    return false;
}
