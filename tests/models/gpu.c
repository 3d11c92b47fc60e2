#include "gpu.h"

#include <string.h>

/* ---- lists ---- */

/* Steps after which a marker has begun, and has ended. */
static const int begins[MARKERS] = {2, 3, 5}, ends[MARKERS] = {4, 3, 5};

static enum truth truth_of(bool has_begun, bool has_ended)
{
    return has_ended ? FINISHED : has_begun ? IN_PROGRESS : NOT_STARTED;
}

enum truth list_truth(struct list_state list)
{
    return truth_of(list.reached > 0, list.retired == STEPS);
}

enum truth marker_truth(struct list_state list, int marker)
{
    return truth_of(list.reached >= begins[marker], list.retired >= ends[marker]);
}

static int last_at(const int steps[MARKERS], int step)
{
    int last = NO_MARKER;
    for (int marker = 0; marker < MARKERS; marker++)
        if (steps[marker] <= step && (last == NO_MARKER || steps[marker] > steps[last]))
            last = marker;
    return last;
}

int last_started(struct list_state list)
{
    return last_at(begins, list.reached);
}

int last_completed(struct list_state list)
{
    return last_at(ends, list.retired);
}

/* ---- counting ---- */

enum { STATES = (STEPS + 1) * (STEPS + 1) }; /* of one list, the impossible ones among them */

double interleavings(int depth)
{
    static double ways[STATES][STATES][STATES];
    memset(ways, 0, sizeof ways);
    ways[0][0][0] = 1;
    for (int a = 0; a < STATES; a++)
        for (int b = 0; b < STATES; b++)
            for (int c = 0; c < STATES; c++) {
                const int of[LISTS] = {a, b, c};
                int ahead = 0;
                bool is_state = true;
                for (int i = 0; i < LISTS; i++) {
                    int reached = of[i] / (STEPS + 1), retired = of[i] % (STEPS + 1);
                    ahead += reached - retired;
                    is_state &= retired <= reached;
                }
                if (!is_state || ahead > depth) {
                    ways[a][b][c] = 0;
                    continue;
                }
                for (int i = 0; i < LISTS; i++) {
                    int to[LISTS] = {a, b, c};
                    to[i] = of[i] + STEPS + 1;
                    if (of[i] / (STEPS + 1) < STEPS)
                        ways[to[0]][to[1]][to[2]] += ways[a][b][c];
                    to[i] = of[i] + 1;
                    if (of[i] % (STEPS + 1) < STEPS)
                        ways[to[0]][to[1]][to[2]] += ways[a][b][c];
                }
            }
    return ways[STATES - 1][STATES - 1][STATES - 1];
}

/* ---- the queue ---- */

struct timeline timeline_of(const char *text)
{
    struct timeline timeline = {0};
    int open[QUEUE_ITEMS], depth = 0, lists = 0;
    for (; *text; text++) {
        struct item *item = &timeline.items[timeline.count];
        *item = (struct item){.list_first = lists, .list_end = lists};
        if (*text == '(') {
            item->kind = SUBMIT;
            for (text++; *text != ')'; text++)
                item->list_end = ++lists;
            timeline.submissions++;
        } else {
            item->kind = *text == '{' ? BEGIN : *text == '}' ? END : SET;
            item->operation = timeline.operations++;
        }
        if (item->kind == BEGIN) {
            item->scope = NO_MARKER;
            open[depth++] = timeline.count;
        } else if (item->kind == END) {
            item->scope = open[--depth];
            timeline.items[item->scope].scope = timeline.count;
        }
        timeline.count++;
    }
    return timeline;
}

static bool all_finished(const enum truth lists[LISTS], int first, int end)
{
    for (int i = first; i < end; i++)
        if (lists[i] != FINISHED)
            return false;
    return true;
}

static bool keeps_promises(const enum truth lists[LISTS], unsigned promises)
{
    for (int i = 1; i < LISTS; i++) {
        if ((promises & STARTS_IN_ORDER) && lists[i] != NOT_STARTED && lists[i - 1] == NOT_STARTED)
            return false;
        if ((promises & RETIRES_IN_ORDER) && lists[i] == FINISHED && lists[i - 1] != FINISHED)
            return false;
    }
    return true;
}

bool is_possible(const struct timeline *timeline, const enum truth lists[LISTS],
                 struct queue_state queue, unsigned promises, int fence)
{
    int submissions = 0;
    if (!keeps_promises(lists, promises))
        return false;
    for (int i = 0; i < timeline->count; i++) {
        const struct item *item = &timeline->items[i];
        bool is_fenced = submissions < fence;
        if (item->kind == SUBMIT) {
            submissions++;
            if (is_fenced && !all_finished(lists, item->list_first, item->list_end))
                return false;
            continue;
        }
        bool is_reached = item->operation < queue.reached;
        bool is_retired = item->operation < queue.retired;
        if (is_fenced && !is_retired)
            return false;
        if (is_retired && !all_finished(lists, 0, item->list_end))
            return false;
        if (!(promises & STARTS_IN_ORDER))
            continue;
        for (int k = 0; k < LISTS; k++)
            if (k < item->list_end ? is_reached && lists[k] == NOT_STARTED
                                   : !is_reached && lists[k] != NOT_STARTED)
                return false;
    }
    return true;
}

bool is_true(const struct timeline *timeline, const enum truth lists[LISTS],
             struct queue_state queue, int index, enum truth claim)
{
    const struct item *begin = &timeline->items[index];
    const bool is_open = begin->kind == BEGIN && begin->scope == NO_MARKER;
    const struct item *end =
        begin->kind == BEGIN && !is_open ? &timeline->items[begin->scope] : begin;
    int first = begin->list_end, last = is_open ? LISTS : end->list_end;
    bool has_begun = begin->operation < queue.reached;
    bool is_done = end->operation < queue.reached && all_finished(lists, 0, last);
    for (int i = first; i < last; i++)
        has_begun |= lists[i] != NOT_STARTED;
    if (first < last)
        is_done |= all_finished(lists, first, last);
    is_done &= !is_open; /* more may come */
    bool is_left = !is_open && end->operation < queue.retired;
    return claim == FINISHED ? is_done : claim == IN_PROGRESS ? has_begun && !is_left : !has_begun;
}

int queue_started(const struct timeline *timeline, struct queue_state queue)
{
    int last = NO_MARKER;
    for (int i = 0; i < timeline->count; i++)
        if ((timeline->items[i].kind == BEGIN || timeline->items[i].kind == SET) &&
            timeline->items[i].operation < queue.reached)
            last = i;
    return last;
}

int queue_completed(const struct timeline *timeline, struct queue_state queue)
{
    int last = NO_MARKER;
    for (int i = 0; i < timeline->count; i++) {
        const struct item *item = &timeline->items[i];
        if ((item->kind == END || item->kind == SET) && item->operation < queue.retired)
            last = item->kind == END ? item->scope : i;
    }
    return last;
}
