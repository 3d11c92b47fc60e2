/* Finds the operations that a suspect may have stopped at [ANN-TRUTH-05]. Breadcrumbs prove which
 * is the oldest operation that is not done. Without breadcrumbs, it is one of the noted operations
 * that no evidence proves done. Later operations may have been in flight, too. They end at the
 * first marker that the front end has not reached, or at the submission's end. If there is only one
 * operation, it is certain. */
#include "hang/candidates.h"
#include "analysis/analysis.h"

#include "analysis/operation.h"
#include "dump_read/ops.h"
#include "base/search.h"

#include <annot/dump.h>

enum { LOOK_AHEAD = 256 }; /* number of operations that are searched */

bool annot__op_is_work(uint32_t op)
{
    return op != ANNOT__NONE && op != ANNOT__EXECUTE_BUNDLE && !annot__op_is_idle(op);
}

struct search {
    const annot_reader *reader;
    uint32_t execution;
    uint32_t scope, last; /* entries of the scope in progress; in bundles 0 and NONE: all */
    uint32_t count, noted,
        stream;       /* candidates; the first at the fault, or the last in the scope */
    uint32_t bundles; /* number of bundles that may be unfinished, with known operations */
    bool is_unsure;   /* operations that were not noted may be unfinished */
    bool is_at_fault;
    uint64_t *budget;
};

/* ---- the address of a page fault ---- */

static bool is_around_fault(const annot_reader *reader, uint64_t object)
{
    for (uint32_t i = 0; i < reader->range_count; i++)
        if (reader->ranges[i].object == object &&
            annot__range_holds(&reader->ranges[i], reader->fault_address))
            return true;
    return false;
}

/* Returns true if the operation is bound to what holds the address, or was given the address. */
static bool is_at_fault(const annot_reader *reader, const annot_reader_operation *operation)
{
    if (reader->fault_count == 0 || reader->device.error != ANNOT_DEVICE_ERROR_PAGE_FAULT)
        return false;
    for (uint32_t i = 0; i < operation->object_count; i++)
        if (operation->objects[i].object != 0 &&
            is_around_fault(reader, operation->objects[i].object))
            return true;
    for (uint32_t i = 0; i < operation->argument_count; i++)
        if (reader->fault_address != 0 &&
            (uint64_t)operation->arguments[i] == reader->fault_address)
            return true;
    return false;
}

/* ---- candidates ---- */

/* Returns true if it was recorded in the scope or below. */
static bool is_inside(const struct search *search, const annot_reader_operation *operation)
{
    const uint32_t around = search->scope > 0 || search->last != ANNOT__NONE
                                ? annot__event_find(search->reader, operation->scope)
                                : 0;
    return around != ANNOT__NONE && around >= search->scope && around <= search->last;
}

/* Returns true if it may be unfinished. */
static bool may_be(const struct search *search, uint32_t bundle,
                   const annot_reader_operation *operation)
{
    const annot_operation_state state =
        annot__operation_state(search->reader, search->execution, bundle, operation);
    return state == ANNOT_OPERATION_UNKNOWN || state == ANNOT_OPERATION_STOPPED;
}

/* Looks at operations from `first` up to `end` of a list's or bundle's recording. Numbers count all
 * operations of the recording, noted or not; `before` is the first operation's number. */
static void look(struct search *search, uint32_t stream, uint32_t bundle, uint32_t first,
                 uint32_t end, uint32_t before)
{
    const annot_reader *reader = search->reader;
    annot_reader_operation operation;
    if (end - first >= LOOK_AHEAD)
        search->is_unsure = true;
    for (uint32_t i = end, looked = 0; i-- > first && looked < LOOK_AHEAD; looked++) {
        const uint32_t kind = reader->operations[i].kind;
        if (*search->budget == 0) {
            search->is_unsure = true;
            return;
        }
        --*search->budget;
        if (annot__is_barrier(kind) || (kind == ANNOT__EXECUTE_BUNDLE && search->bundles > 0))
            continue;
        if (!annot__operation_read(reader, i, &operation)) {
            search->is_unsure = true;
            continue;
        }
        operation.stream = stream;
        if (!may_be(search, bundle, &operation))
            continue;
        if (search->count++ == 0)
            search->is_unsure |= operation.number - before != i - first;
        const bool is_hit = is_at_fault(reader, &operation);
        if (is_hit || (search->noted == ANNOT__NONE && is_inside(search, &operation))) {
            search->noted = i;
            search->stream = stream;
        }
        search->is_at_fault |= is_hit;
    }
}

/* ---- what may have been reached ---- */

/* Returns the range of entries whose work may be in flight: behind the last done entry, and in
 * front of the first marker that the front end has not reached. */
static struct annot__range find_reached(const annot_reader *reader,
                                        const struct annot__range *entries,
                                        const struct annot__progress_bounds *bounds,
                                        uint32_t completed)
{
    const uint64_t window = annot__window_of_bounds(reader, bounds);
    uint32_t low = entries->first, high = low + entries->count;
    const uint32_t first =
        completed == ANNOT__NONE || window > 0 ? low : annot__entry_last(reader, completed) + 1;
    ANNOT__LOWER_BOUND(low, high, i, reader->entries[i].begin < bounds->unreached + window)
    return (struct annot__range){first, low > first ? low - first : 0};
}

static bool is_bundle_left(const annot_reader *reader, const struct annot__execution *execution,
                           uint32_t entry)
{
    struct annot__progress_bounds bounds;
    annot__bundle_bounds(reader, execution, entry, &bounds);
    const annot_state state = annot__bundle_state(&bounds);
    return state == ANNOT_STATE_IN_PROGRESS || state == ANNOT_STATE_UNKNOWN;
}

/* Looks into the bundles that are executed in a range of entries. */
static void look_into_bundles(struct search *search, const struct annot__range *reached)
{
    const annot_reader *reader = search->reader;
    const struct annot__execution *execution = &reader->executions[search->execution];
    for (uint32_t i = reached->first; i < reached->first + reached->count; i++) {
        if (i - reached->first > LOOK_AHEAD) {
            search->is_unsure = true;
            return;
        }
        if (reader->entries[i].kind != ANNOT_ENTRY_BUNDLE || !is_bundle_left(reader, execution, i))
            continue;
        const uint32_t stream = reader->entries[i].leaf.link;
        if (stream == ANNOT__NONE || reader->streams[stream].noted.count == 0) {
            search->is_unsure = true;
            continue;
        }
        const struct annot__range *noted = &reader->streams[stream].noted;
        search->bundles++;
        look(search, stream, i, noted->first, noted->first + noted->count, 0);
    }
}

/* ---- the front end ---- */

/* Returns true if work of the submission's other lists may have been in flight as well. */
static bool runs_on(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__submitted *submission = &reader->submissions[stop->submission];
    const uint32_t end = submission->executions.first + submission->executions.count;
    bool may_have_begun = submission->is_cut;
    for (uint32_t i = stop->execution + 1; i < end; i++)
        may_have_begun |= reader->executions[i].state == ANNOT_STATE_UNKNOWN ||
                          reader->executions[i].state == ANNOT_STATE_IN_PROGRESS;
    return may_have_begun;
}

/* Counts the work behind the oldest operation that is not done, up to the first marker that the
 * front end has not reached. Returns true if there is no such marker, so that more work may have
 * been reached. */
static bool count_behind(const annot_reader *reader, uint32_t index, uint32_t unreached,
                         annot_reader_suspect *suspect, uint64_t *budget)
{
    const struct annot__dump_CRUMBS *crumbs = &reader->crumbs[index].fields;
    uint32_t behind = 0;
    if (crumbs->flags & ANNOT_CRUMBS_MARKERS_ONLY ||
        !annot__ops_markers(reader, crumbs->log, crumbs->done, crumbs->count, &behind))
        return true;
    uint64_t markers = crumbs->markers - behind;
    for (uint32_t i = crumbs->done; i < crumbs->count; i++) {
        const uint32_t op = annot__op_at(reader, crumbs->log, i);
        markers += annot__op_is_marker(op);
        if (markers * 2 >= unreached)
            return false;
        if (*budget == 0)
            return true;
        --*budget;
        if (i == crumbs->done || annot__is_barrier(op) ||
            (op != ANNOT__EXECUTE_BUNDLE && !annot__op_is_work(op)))
            continue;
        suspect->candidates++;
        suspect->last = i;
    }
    return true;
}

static uint32_t unreached_of(const struct annot__progress_bounds *bounds)
{
    return bounds->is_uniform ? ANNOT__NEVER : bounds->unreached;
}

void annot__find_candidates(const annot_reader *reader, const annot_reader_stop *stop,
                            annot_reader_suspect *suspect, uint64_t *budget)
{
    const struct annot__execution *execution = stop ? &reader->executions[stop->execution] : NULL;
    uint32_t crumbs = suspect->crumbs;
    suspect->candidates = 1;
    if (stop && stop->bundle != ANNOT__NONE) {
        struct annot__progress_bounds bounds;
        annot__bundle_bounds(reader, execution, stop->bundle, &bounds);
        if (!count_behind(reader, crumbs, unreached_of(&bounds), suspect, budget))
            return;
        suspect->last = ANNOT__NONE;
        if (execution->crumbs == ANNOT__NONE || execution->crumbs == crumbs)
            return;
        crumbs = execution->crumbs;
    }
    suspect->runs_on =
        count_behind(reader, crumbs, stop ? unreached_of(&execution->bounds) : ANNOT__NEVER,
                     suspect, budget) &&
        stop && runs_on(reader, stop);
    if (crumbs != suspect->crumbs) /* the last is not an operation of the bundle */
        suspect->last = ANNOT__NONE;
}

/* ---- without breadcrumbs ---- */

static void find_noted(const annot_reader *reader, const annot_reader_stop *stop,
                       annot_reader_suspect *suspect, uint64_t *budget)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    const bool is_in_bundle = stop->bundle != ANNOT__NONE;
    struct annot__progress_bounds bounds = execution->bounds;
    if (stop->is_between || execution->crumbs != ANNOT__NONE ||
        (is_in_bundle ? stop->bundle_entry : stop->entry) == ANNOT__NONE)
        return;
    if (is_in_bundle)
        annot__bundle_bounds(reader, execution, stop->bundle, &bounds);
    bounds.unreached = unreached_of(&bounds);
    suspect->runs_on = bounds.unreached == ANNOT__NEVER && (is_in_bundle || runs_on(reader, stop));
    struct search search = {.reader = reader,
                            .execution = stop->execution,
                            .last = ANNOT__NONE,
                            .noted = ANNOT__NONE,
                            .is_unsure = suspect->runs_on || stop->suspect != stop->execution,
                            .budget = budget};
    const uint32_t number =
        is_in_bundle ? reader->entries[stop->bundle].leaf.link : execution->stream;
    const struct annot__stream *stream = &reader->streams[number];
    const struct annot__range reached =
        find_reached(reader, &stream->entries, &bounds, stop->completed);
    const uint32_t behind = reached.first + reached.count;
    const uint32_t behind_all = stream->noted.first + stream->noted.count;
    const uint32_t first = reached.first == stream->entries.first
                               ? stream->noted.first
                               : annot__noted_behind(reader, stream->noted.first, behind_all,
                                                     reader->entries[reached.first - 1].offset);
    const uint32_t end =
        behind == stream->entries.first + stream->entries.count
            ? behind_all
            : annot__noted_behind(reader, first, behind_all, reader->entries[behind].offset);
    const uint32_t before =
        first == stream->noted.first ? 0 : reader->operations[first - 1].number + 1;
    if (!is_in_bundle)
        look_into_bundles(&search, &reached);
    const struct search in_bundles = search;
    search.count = 0;
    search.noted = ANNOT__NONE;
    search.is_at_fault = false;
    search.scope = is_in_bundle                  ? stop->bundle_entry
                   : stop->oldest != ANNOT__NONE ? stop->oldest
                                                 : stop->entry;
    search.last = annot__entry_last(reader, search.scope);
    look(&search, number, stop->bundle, first, end, before);
    if (search.noted == ANNOT__NONE || (in_bundles.is_at_fault && !search.is_at_fault)) {
        search.noted = in_bundles.noted;
        search.stream = in_bundles.stream;
    }
    suspect->candidates = search.count + in_bundles.count;
    suspect->is_at_fault = search.is_at_fault || in_bundles.is_at_fault;
    suspect->noted = search.noted;
    suspect->noted_stream = search.stream;
    if (search.noted == ANNOT__NONE)
        return;
    suspect->op = reader->operations[search.noted].kind;
    suspect->certainty = suspect->candidates == 1 && !search.is_unsure ? ANNOT_OPERATION_CERTAIN
                                                                       : ANNOT_OPERATION_AMONG;
}

/* After a page fault, replaces the oldest candidate with the first candidate that uses the
 * address. */
static void prefer_fault(const annot_reader *reader, const struct annot__stopped *at,
                         annot_reader_suspect *suspect)
{
    annot_reader_operation operation;
    const uint32_t end = suspect->last != ANNOT__NONE ? suspect->last + 1
                         : suspect->candidates > 1    ? reader->crumbs[at->crumbs].fields.count
                                                      : at->number + 1;
    for (uint32_t i = at->number; i < end && i - at->number < LOOK_AHEAD; i++) {
        if (!annot__operation_at(reader, at->crumbs, at->stream, i, &operation) ||
            !annot__op_is_work(operation.kind) || annot__is_barrier(operation.kind) ||
            !is_at_fault(reader, &operation))
            continue;
        suspect->is_at_fault = true;
        suspect->op = operation.kind;
        suspect->noted = annot__operation_find(reader, at->stream, i);
        return;
    }
}

void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget)
{
    struct annot__stopped at;
    const bool is_counted =
        annot__op_is_work(suspect->op) && !reader->executions[stop->execution].is_disputed;
    if (is_counted)
        suspect->certainty = ANNOT_OPERATION_COUNTED;
    if (stop->is_between || !annot__operation_of_stop(reader, stop, &at)) {
        if (is_counted)
            annot__find_candidates(reader, stop, suspect, budget);
        find_noted(reader, stop, suspect, budget);
        return;
    }
    annot__find_candidates(reader, stop, suspect, budget);
    suspect->certainty = suspect->candidates == 1 && !suspect->runs_on ? ANNOT_OPERATION_CERTAIN
                                                                       : ANNOT_OPERATION_AMONG;
    suspect->noted = annot__operation_find(reader, at.stream, at.number);
    prefer_fault(reader, &at, suspect);
}
