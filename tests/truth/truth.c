#include "truth.h"

#include <stdlib.h>
#include <string.h>

/* Room for one more; `array` grows as it must. */
#define GROW(array, count, capacity)                                                               \
    do {                                                                                           \
        if ((count) == (capacity)) {                                                               \
            (capacity) = (capacity) ? (capacity)*2 : 32;                                           \
            (array) = realloc((array), (capacity) * sizeof *(array));                              \
            if (!(array))                                                                          \
                abort();                                                                           \
        }                                                                                          \
    } while (0)

void truth_finish(struct truth *truth)
{
    for (uint32_t i = 0; i < truth->recording_count; i++)
        free(truth->recordings[i]);
    free(truth->recordings);
    for (uint32_t i = 0; i < QUEUES; i++) {
        free(truth->queues[i].entries);
        free(truth->queues[i].executions);
        free(truth->queues[i].marks);
        free(truth->queues[i].places);
    }
}

/* ---- what is recorded and submitted ---- */

uint32_t truth_recording(struct truth *truth, uint32_t actor, bool is_bundle, bool is_retained)
{
    GROW(truth->recordings, truth->recording_count, truth->recording_capacity);
    struct recording *recording = calloc(1, sizeof *recording);
    if (!recording)
        abort();
    recording->actor = actor;
    recording->is_bundle = is_bundle;
    recording->is_retained = recording->is_known = is_retained;
    truth->recordings[truth->recording_count] = recording;
    return truth->recording_count++;
}

struct item *truth_item(struct truth *truth, uint32_t recording, enum item_kind kind)
{
    struct recording *to = truth->recordings[recording];
    if (to->count == ITEMS_MAX)
        return NULL;
    struct item *item = &to->items[to->count++];
    *item = (struct item){.kind = (uint8_t)kind, .word = NO_COUNTER};
    return item;
}

void truth_entry(struct queue_truth *queue, enum entry_kind kind, uint32_t name)
{
    GROW(queue->entries, queue->entry_count, queue->entry_capacity);
    queue->entries[queue->entry_count++] =
        (struct queue_entry){.kind = (uint8_t)kind, .name = name};
}

void truth_submission(struct truth *truth, struct queue_truth *queue,
                      const struct submitted *submitted)
{
    truth_entry(queue, ENTRY_SUBMISSION, submitted->queue_name);
    struct queue_entry *entry = &queue->entries[queue->entry_count - 1];
    entry->first = queue->execution_count;
    entry->count = submitted->count;
    entry->is_null = submitted->is_null;
    entry->is_known = queue->is_retained;
    for (uint32_t i = 0; i < submitted->count; i++) {
        struct recording *recording = truth->recordings[submitted->recordings[i]];
        entry->is_known = entry->is_known || recording->is_known;
        uint32_t *executions = &recording->executions[queue - truth->queues];
        *executions += !submitted->is_null;
        GROW(queue->executions, queue->execution_count, queue->execution_capacity);
        queue->executions[queue->execution_count++] = (struct execution){
            .recording = submitted->recordings[i],
            .nth = *executions,
            .name = submitted->names[i],
            .is_null = submitted->is_null,
        };
    }
    for (uint32_t i = entry->first; i < queue->execution_count; i++) {
        struct execution *e = &queue->executions[i];
        e->first_nth = e->last_nth = e->nth;
        for (uint32_t k = entry->first; truth->in_flight > 1 && k < queue->execution_count; k++) {
            const struct execution *other = &queue->executions[k];
            if (other->recording != e->recording)
                continue;
            e->first_nth = other->nth < e->first_nth ? other->nth : e->first_nth;
            e->last_nth = other->nth > e->last_nth ? other->nth : e->last_nth;
        }
    }
}

/* ---- where everything is ---- */

/* The scopes that are open while a queue's events are laid out. */
struct layout {
    struct truth *truth;
    struct queue_truth *queue;
    uint32_t *open; /* marks of lists that no End has closed yet, the innermost one last */
    uint32_t open_count, open_capacity;
    uint32_t base;                /* of them, those that the execution's list closes none of */
    uint32_t others;              /* executions of the recording on other queues, at any time */
    uint32_t first_nth, last_nth; /* the execution, and those of its recording beside it */
    unsigned left;   /* operations that may be in flight behind the first that is not done */
    unsigned unsure; /* operations from here on, until what no counter tells is done, too */
    bool skips;      /* the execution's predicate */
    bool is_null;    /* the execution is not executed */
    bool is_consistent;
};

static struct mark *add_mark(struct layout *l, enum mark_kind kind, uint32_t name, uint32_t bundle,
                             int execution)
{
    struct queue_truth *q = l->queue;
    GROW(q->marks, q->mark_count, q->mark_capacity);
    struct mark *mark = &q->marks[q->mark_count++];
    const int at = q->events++;
    *mark = (struct mark){.kind = (uint8_t)kind,
                          .name = name,
                          .bundle = bundle,
                          .begin = at,
                          .end = at,
                          .last_end = at,
                          .execution = execution,
                          .is_null = l->is_null};
    if (kind != MARK_CALL && name != 0 && name == l->truth->hang && l->truth->in_flight > 1)
        l->unsure = l->truth->in_flight;
    return mark;
}

static void open_scope(struct layout *l)
{
    GROW(l->open, l->open_count, l->open_capacity);
    l->open[l->open_count++] = l->queue->mark_count - 1;
    l->queue->marks[l->queue->mark_count - 1].end = NOWHERE;
    l->queue->marks[l->queue->mark_count - 1].last_end = NOWHERE;
}

static void close_scope(struct layout *l)
{
    struct mark *mark = &l->queue->marks[l->open[--l->open_count]];
    const int at = l->queue->events++;
    if (mark->end == NOWHERE)
        mark->end = at;
    if (mark->last_end == NOWHERE)
        mark->last_end = at;
}

static bool is_predicated(const struct item *item)
{
    return item->work != WORK_WRITE && item->work != WORK_BARRIER;
}

/* A counter's word of the execution: 1 done, 0 not done, -1 nothing. Those of other queues may have
 * been before it or not. */
static int counted(const struct layout *l, const struct item *item, int word)
{
    const uint32_t *words = l->truth->words;
    if (l->is_null || (l->skips && is_predicated(item)))
        return -1;
    switch (item->work) {
    case WORK_DISPATCH:
    case WORK_DRAW:
    case WORK_INDIRECT:
        return words[word] >= (l->last_nth + l->others) * item->times                    ? 1
               : words[word] <= (l->first_nth - 1) * item->times                         ? 0
               : l->first_nth == l->last_nth && words[word] < l->first_nth * item->times ? 0
                                                                                         : -1;
    case WORK_WRITE:
    case WORK_COPY:
        if (l->last_nth + l->others > 1)
            return words[word] == 0 ? 0 : -1;
        return words[word] != 0;
    case WORK_SPIN:
    case WORK_TOUCH:
    case WORK_LOST_PASS:
        return 0;
    default:
        return -1;
    }
}

/* Counted up in part: the queue has come to it. */
static bool is_begun(const struct layout *l, const struct item *item, int word)
{
    return item->work == WORK_INDIRECT && !l->is_null &&
           l->truth->words[word] > (l->last_nth - 1 + l->others) * item->times;
}

/* How far the front end may be, behind the first work that is not done. */
static void bound_front(struct layout *l, const struct item *item, int at)
{
    const bool is_idle = item->work == WORK_PASS || item->work == WORK_LOST_PASS || l->is_null ||
                         (l->skips && is_predicated(item));
    if (l->queue->limit == NOWHERE || l->queue->front != NOWHERE)
        return;
    if (item->work == WORK_BARRIER ? l->truth->has_barriers && !l->is_null
                                   : !is_idle && l->left-- == 0)
        l->queue->front = at;
}

/* Whether all work before the one at `at`, which was counted, is done for certain. */
static bool is_all_before(struct layout *l, const struct item *item, int state)
{
    const bool is_work = item->work != WORK_BARRIER && item->work != WORK_LOST_PASS &&
                         !l->is_null && !(l->skips && is_predicated(item));
    const bool is_sure = l->unsure == 0;
    if (item->work == WORK_BARRIER && l->truth->has_barriers)
        l->unsure = 0;
    else if (is_work && state < 0)
        l->unsure = l->truth->in_flight > 1 ? l->truth->in_flight : 0;
    else if (is_work && l->unsure > 0)
        l->unsure--;
    return is_sure;
}

static int lay_out_work(struct layout *l, const struct item *item, int base)
{
    struct queue_truth *q = l->queue;
    const int at = q->events++, state = counted(l, item, base + item->word);
    if (state == 0 && (item->work == WORK_SPIN || item->work == WORK_TOUCH) &&
        q->fatal_count < sizeof q->fatal / sizeof *q->fatal)
        q->fatal[q->fatal_count++] = at;
    if (state == 0 && q->limit == NOWHERE) {
        q->limit = at;
        l->left = l->truth->in_flight;
        if (l->left == 1)
            q->front = at;
    }
    bound_front(l, item, at);
    const bool is_sure = is_all_before(l, item, state);
    if (state == 1 || is_begun(l, item, base + item->word)) {
        q->reached = state == 1 ? at + 1 : at;
        if (is_sure && (q->limit == NOWHERE || q->limit == at))
            q->done = q->reached;
        if (q->reached > q->front)
            l->is_consistent = false;
    }
    return state;
}

/* A bundle's scopes that it doesn't close stay open for all that is known; its surplus Ends may
 * close any scope that is open around it. */
static void lay_out_bundle(struct layout *l, const struct item *call, uint32_t ordinal,
                           int execution)
{
    const struct recording *bundle = l->truth->recordings[call->bundle];
    const uint32_t base = l->open_count;
    for (uint32_t i = 0; i < bundle->count; i++) {
        const struct item *item = &bundle->items[i];
        switch (item->kind) {
        case ITEM_BEGIN:
            add_mark(l, MARK_BEGIN, item->name, ordinal, execution);
            open_scope(l);
            break;
        case ITEM_SET:
            add_mark(l, MARK_SET, item->name, ordinal, execution);
            break;
        case ITEM_END:
            if (l->open_count > base) {
                close_scope(l);
                break;
            }
            for (uint32_t k = l->base; k < l->open_count; k++)
                l->queue->marks[l->open[k]].end = l->queue->events;
            l->queue->events++;
            break;
        default:
            lay_out_work(l, item, call->word);
        }
    }
    while (l->open_count > base) {
        struct mark *mark = &l->queue->marks[l->open[--l->open_count]];
        mark->end = l->queue->events++;
    }
}

static void lay_out_items(struct layout *l, const struct recording *recording, int execution)
{
    uint32_t calls = 0;
    const uint32_t first = l->queue->place_count;
    /* a list that is not executed closes none of the others' scopes */
    l->base = l->is_null ? l->open_count : 0;
    for (uint32_t i = 0; i < recording->count; i++) {
        const struct item *item = &recording->items[i];
        struct queue_truth *q = l->queue;
        uint32_t mark;
        GROW(q->places, q->place_count, q->place_capacity);
        q->places[q->place_count++] = (struct place){.begin = q->events, .state = -1};
        switch (item->kind) {
        case ITEM_BEGIN:
            add_mark(l, MARK_BEGIN, item->name, 0, execution);
            open_scope(l);
            break;
        case ITEM_SET:
            add_mark(l, MARK_SET, item->name, 0, execution);
            break;
        case ITEM_END:
            if (l->open_count > l->base)
                close_scope(l);
            else
                l->queue->events++;
            break;
        case ITEM_CALL:
            mark = l->queue->mark_count;
            add_mark(l, MARK_CALL, ++calls, 0, execution);
            lay_out_bundle(l, item, calls, execution);
            l->queue->marks[mark].end = l->queue->marks[mark].last_end = l->queue->events++;
            break;
        case ITEM_PREDICATE:
            l->skips = item->work != 0;
            l->queue->events++;
            break;
        default:
            q->places[first + i].state = lay_out_work(l, item, 0);
        }
        q->places[first + i].end = q->events - 1;
    }
}

static void lay_out_execution(struct layout *l, uint32_t index)
{
    struct execution *execution = &l->queue->executions[index];
    const struct recording *recording = l->truth->recordings[execution->recording];
    const uint32_t open = l->open_count;
    l->skips = false;
    l->is_null = execution->is_null;
    l->others = 0;
    for (unsigned i = 0; i < QUEUES; i++)
        if (&l->truth->queues[i] != l->queue)
            l->others += recording->executions[i];
    l->first_nth = execution->first_nth;
    l->last_nth = execution->last_nth;
    execution->begin = l->queue->events++;
    execution->first_mark = l->queue->mark_count;
    execution->first_place = l->queue->place_count;
    lay_out_items(l, recording, (int)index);
    execution->end = l->queue->events++;
    execution->mark_count = l->queue->mark_count - execution->first_mark;
    if (l->is_null)
        l->open_count = open;
    l->is_null = false;
    if (!recording->is_retained && l->open_count > open) /* nobody knows of its scopes */
        l->open_count = open;
}

static void lay_out(struct layout *l)
{
    struct queue_truth *q = l->queue;
    uint32_t scopes[OPS_MAX], scope_count = 0;
    q->limit = q->front = NOWHERE;
    for (uint32_t i = 0; i < q->entry_count; i++) {
        struct queue_entry *entry = &q->entries[i];
        switch (entry->kind) {
        case ENTRY_BEGIN:
            add_mark(l, MARK_BEGIN, entry->name, 0, -1)->end = NOWHERE;
            q->marks[q->mark_count - 1].last_end = NOWHERE;
            scopes[scope_count++] = q->mark_count - 1;
            break;
        case ENTRY_SET:
            add_mark(l, MARK_SET, entry->name, 0, -1);
            break;
        case ENTRY_END:
            if (scope_count > 0) {
                struct mark *mark = &q->marks[scopes[--scope_count]];
                mark->end = mark->last_end = q->events;
            }
            q->events++;
            break;
        default:
            entry->begin = q->events++;
            l->unsure = 0;
            for (uint32_t k = 0; k < entry->count; k++)
                lay_out_execution(l, entry->first + k);
            entry->end = q->events++;
            if (q->limit != NOWHERE && q->front == NOWHERE)
                q->front = entry->end;
        }
    }
    if (q->limit == NOWHERE)
        q->limit = q->events;
    if (q->front == NOWHERE)
        q->front = q->events;
}

bool truth_find_places(struct truth *truth)
{
    bool is_consistent = true;
    for (uint32_t i = 0; i < QUEUES; i++) {
        struct layout l = {.truth = truth, .queue = &truth->queues[i], .is_consistent = true};
        lay_out(&l);
        free(l.open);
        is_consistent = is_consistent && l.is_consistent;
    }
    return is_consistent;
}

/* ---- statements ---- */

/* All before p is done, where p is in [done, limit]; the front end is at f, in [reached, front]. */
bool truth_allows(const struct queue_truth *queue, annot_state claim, int begin, int end,
                  int last_end)
{
    switch (claim) {
    case ANNOT_STATE_FINISHED:
        return end < queue->limit;
    case ANNOT_STATE_NOT_STARTED:
        return begin >= queue->reached;
    case ANNOT_STATE_IN_PROGRESS:
        return begin < queue->front && last_end >= queue->done;
    default:
        return true;
    }
}

bool truth_allows_mark(const struct queue_truth *queue, annot_state claim, const struct mark *mark)
{
    int end = mark->end;
    if (mark->is_null)
        return claim != ANNOT_STATE_FINISHED && claim != ANNOT_STATE_IN_PROGRESS;
    if (end == NOWHERE) /* nobody closes it: what it surrounds is done then */
        end = mark->execution >= 0 ? queue->executions[mark->execution].end : queue->events - 1;
    return truth_allows(queue, claim, mark->begin, end, mark->last_end);
}

/* Render passes and predicates are none. */
bool truth_is_operation(const struct item *item)
{
    return item->kind != ITEM_PREDICATE &&
           (item->kind != ITEM_WORK || (item->work != WORK_PASS && item->work != WORK_LOST_PASS));
}

const struct place *truth_operation(const struct truth *truth, const struct queue_truth *queue,
                                    uint32_t execution, uint32_t number, const struct item **item)
{
    const struct execution *e = &queue->executions[execution];
    const struct recording *recording = truth->recordings[e->recording];
    for (uint32_t i = 0; i < recording->count; i++) {
        if (!truth_is_operation(&recording->items[i]) || --number > 0)
            continue;
        if (item)
            *item = &recording->items[i];
        return &queue->places[e->first_place + i];
    }
    return NULL;
}

const struct mark *truth_mark(const struct queue_truth *queue, int execution, enum mark_kind kind,
                              uint32_t name, uint32_t bundle)
{
    const struct execution *e = execution >= 0 ? &queue->executions[execution] : NULL;
    const uint32_t first = e ? e->first_mark : 0;
    const uint32_t last = e ? first + e->mark_count : queue->mark_count;
    for (uint32_t i = first; i < last; i++) {
        const struct mark *mark = &queue->marks[i];
        if (mark->execution == execution && mark->kind == kind && mark->name == name &&
            mark->bundle == bundle)
            return mark;
    }
    return NULL;
}
