/* Finds the places where the GPU stopped: for each execution in progress the innermost scope, in a
 * bundle if evidence names a bundle, and older scopes that are unfinished, too; or the gap between
 * two lists of a submission. */
#include "analysis/bundle.h"
#include "base/search.h"

static annot_state entry_state(const annot_reader *reader,
                               const struct annot__progress_bounds *bounds, uint32_t entry)
{
    return annot__bounds_state(reader, bounds, reader->entries[entry].begin,
                               reader->entries[entry].end);
}

static bool is_in_progress(const annot_reader *reader, const struct annot__progress_bounds *bounds,
                           uint32_t entry)
{
    return reader->entries[entry].kind == ANNOT_ENTRY_BEGIN &&
           entry_state(reader, bounds, entry) == ANNOT_STATE_IN_PROGRESS;
}

/* The innermost scope in progress around a marker, or the marker itself. O(log n): a scope begins
 * before and ends behind its contents, so all scopes around one in progress are in progress, and no
 * jump misses the innermost one. */
static uint32_t innermost(const annot_reader *reader, const struct annot__progress_bounds *bounds,
                          uint32_t entry)
{
    while (entry != ANNOT__NONE && !is_in_progress(reader, bounds, entry)) {
        uint32_t jump = annot__entry_jump(reader, entry);
        bool is_short = jump != entry && !is_in_progress(reader, bounds, jump);
        entry = is_short ? jump : reader->entries[entry].parent;
    }
    return entry;
}

/* The outermost scope around `entry`, itself included, that lies in front of `leaf`. O(log n). */
static uint32_t outermost_before(const annot_reader *reader, uint32_t entry, uint32_t leaf)
{
    const struct annot__entry *entries = reader->entries;
    uint32_t outer = entries[entry].parent;
    while (outer != ANNOT__NONE && entries[outer].scope.last < leaf) {
        const uint32_t jump = annot__entry_jump(reader, entry);
        entry = entries[jump].scope.last < leaf && jump < outer ? jump : outer;
        outer = entries[entry].parent;
    }
    return entry;
}

/* The first unfinished scope that the GPU's front end started and left before it started `leaf`: a
 * GPU with several things in flight may hang there, too. `*budget` bounds the search over all
 * executions. */
static uint32_t find_oldest(const annot_reader *reader, const struct annot__execution *execution,
                            uint32_t leaf, uint32_t completed, uint64_t *budget)
{
    const struct annot__stream *stream = &reader->streams[execution->stream];
    uint32_t from = completed == ANNOT__NONE ? stream->entries.first
                                             : outermost_before(reader, completed, leaf);
    for (uint32_t i = from; *budget > 0 && i < leaf; i++, --*budget)
        if (reader->entries[i].kind == ANNOT_ENTRY_BEGIN && reader->entries[i].scope.last < leaf &&
            entry_state(reader, &execution->bounds, i) == ANNOT_STATE_IN_PROGRESS)
            return i;
    return ANNOT__NONE;
}

/* Notes the bundle if it is in progress and later than the bundle that was noted before. */
static void stop_in_bundle(const annot_reader *reader, const struct annot__execution *execution,
                           uint32_t ordinal, annot_reader_stop *stop)
{
    const struct annot__stream *stream = &reader->streams[execution->stream];
    const uint32_t entry = annot__find_bundle(reader, stream, ordinal);
    if (entry == ANNOT__NONE || (stop->bundle != ANNOT__NONE && entry <= stop->bundle))
        return;
    struct annot__judgement judgement;
    annot__judge_bundle(reader, execution, entry, &judgement);
    if (judgement.state != ANNOT_STATE_IN_PROGRESS)
        return;
    stop->bundle = entry;
    stop->bundle_entry = innermost(reader, &judgement.bounds, judgement.started);
    stop->entry = stream->is_damaged ? ANNOT__NONE : reader->entries[entry].parent;
    stop->started = judgement.started;
    stop->completed = judgement.completed;
}

static void stop_in_bundles(const annot_reader *reader, const struct annot__execution *execution,
                            annot_reader_stop *stop)
{
    for (uint32_t i = 0; i < execution->rows.count; i++)
        stop_in_bundle(reader, execution, reader->rows[execution->rows.first + i].bundle, stop);
    const uint64_t index = (uint64_t)(execution - reader->executions);
    const struct annot__index *crumbs = &reader->crumb_index;
    uint32_t low = 0, high = crumbs->count;
    ANNOT__LOWER_BOUND(low, high, i, crumbs->entries[i].key < index << 32)
    for (; low < crumbs->count && crumbs->entries[low].key >> 32 == index; low++)
        stop_in_bundle(reader, execution, (uint32_t)crumbs->entries[low].key, stop);
}

/* Returns the last marker that was certainly reached, by breadcrumbs and the driver. */
static uint32_t last_reached(const annot_reader *reader, const struct annot__execution *execution)
{
    return execution->is_joined ? annot__last_marker_at(reader, &reader->streams[execution->stream],
                                                        execution->bounds.started)
                                : execution->started;
}

static void stop_in_execution(const annot_reader *reader, uint32_t index, uint64_t *budget,
                              annot_reader_stop *stop)
{
    const struct annot__execution *execution = &reader->executions[index];
    stop->execution = index;
    stop->started = execution->started;
    stop->completed = execution->completed;
    if (execution->stream == ANNOT__NONE)
        return;
    stop->entry = innermost(reader, &execution->bounds, last_reached(reader, execution));
    stop_in_bundles(reader, execution, stop);
    uint32_t leaf = stop->entry != ANNOT__NONE ? stop->entry : execution->started;
    if (leaf != ANNOT__NONE && annot__is_exact(reader))
        stop->oldest = find_oldest(reader, execution, leaf, execution->completed, budget);
}

/* For a submission in progress without a list that is or may be in progress: the first list that
 * has not started. */
static uint32_t stop_between(const annot_reader *reader, const struct annot__submitted *submission)
{
    if (submission->state != ANNOT_STATE_IN_PROGRESS)
        return ANNOT__NONE;
    uint32_t between = ANNOT__NONE;
    for (uint32_t i = submission->executions.count; i-- > 0;) {
        uint32_t index = submission->executions.first + i;
        if (reader->executions[index].state == ANNOT_STATE_IN_PROGRESS ||
            reader->executions[index].state == ANNOT_STATE_UNKNOWN)
            return ANNOT__NONE;
        if (reader->executions[index].state == ANNOT_STATE_NOT_STARTED)
            between = index;
    }
    return submission->is_cut ? ANNOT__NONE : between;
}

/* Returns a submission's first execution that may have started and may be unfinished. */
static uint32_t first_suspect(const annot_reader *reader, const struct annot__submitted *submission)
{
    for (uint32_t i = 0; i < submission->executions.count; i++) {
        annot_state state = (annot_state)reader->executions[submission->executions.first + i].state;
        if (state == ANNOT_STATE_UNKNOWN || state == ANNOT_STATE_IN_PROGRESS)
            return submission->executions.first + i;
    }
    return ANNOT__NONE;
}

bool annot__find_stops(annot_reader *reader)
{
    uint64_t count = 0, budget = 1u << 22;
    for (uint32_t i = 0; i < reader->execution_count; i++)
        count += reader->executions[i].state == ANNOT_STATE_IN_PROGRESS;
    for (uint32_t i = 0; i < reader->submission_count; i++)
        count += stop_between(reader, &reader->submissions[i]) != ANNOT__NONE;
    if (count == 0)
        return true;
    reader->stops = annot__reader_allocate(reader, count, sizeof *reader->stops);
    if (!reader->stops)
        return false;
    reader->stops_capacity = (uint32_t)count;
    uint32_t suspect = ANNOT__NONE;
    for (uint32_t i = 0; i < reader->submission_count; i++) {
        const struct annot__submitted *submission = &reader->submissions[i];
        if (i > 0 && submission->queue != reader->submissions[i - 1].queue)
            suspect = ANNOT__NONE;
        if (suspect == ANNOT__NONE)
            suspect = first_suspect(reader, submission);
        annot_reader_stop stop = {
            .queue = submission->queue,
            .submission = i,
            .entry = ANNOT__NONE,
            .bundle = ANNOT__NONE,
            .bundle_entry = ANNOT__NONE,
            .started = ANNOT__NONE,
            .completed = ANNOT__NONE,
            .oldest = ANNOT__NONE,
        };
        stop.execution = stop_between(reader, submission);
        stop.is_between = stop.execution != ANNOT__NONE;
        stop.suspect = suspect != ANNOT__NONE ? suspect : stop.execution;
        if (stop.is_between)
            reader->stops[reader->stop_count++] = stop;
        for (uint32_t k = 0; k < submission->executions.count; k++) {
            uint32_t index = submission->executions.first + k;
            if (reader->executions[index].state != ANNOT_STATE_IN_PROGRESS)
                continue;
            annot_reader_stop *inside = &reader->stops[reader->stop_count++];
            *inside = stop;
            stop_in_execution(reader, index, &budget, inside);
        }
    }
    return true;
}
