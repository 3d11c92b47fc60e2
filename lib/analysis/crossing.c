/*
 * Scopes across lists [ANN-CRASH-06]: one execution opens them, a later one on the same queue
 * closes them, and they surround everything in between.
 */
#include "analysis/judge.h"
#include "analysis/states.h"
#include "base/search.h"

struct open_run {
    uint32_t execution, count; /* unclosed scopes of this execution that no list has closed yet,
                                  from the outermost */
};

/* Each surplus End closes the innermost scope that an earlier execution of the queue left open.
 * Runs of scopes are kept together, so the work is linear in executions. A recording with dropped
 * markers may have surplus Ends whose Begin was dropped: it closes nothing. */
static void cross_execution(annot_reader *reader, uint32_t index, struct open_run *runs,
                            uint32_t *run_count)
{
    const struct annot__execution *execution = &reader->executions[index];
    if (execution->stream == ANNOT__NONE)
        return;
    const struct annot__stream *stream = &reader->streams[execution->stream];
    uint32_t ends = stream->dropped == 0 ? stream->surplus.count : 0, end = 0;
    while (*run_count > 0 && end < ends) {
        struct open_run *run = &runs[*run_count - 1];
        uint32_t count = run->count < ends - end ? run->count : ends - end;
        run->count -= count;
        reader->crossings[reader->crossing_count++] = (struct annot__crossing){
            .opener = run->execution,
            .closer = index,
            .first = run->count,
            .count = count,
            .surplus = end,
        };
        end += count;
        if (run->count == 0)
            --*run_count;
    }
    if (stream->unclosed.count > 0)
        runs[(*run_count)++] = (struct open_run){index, stream->unclosed.count};
}

static bool sort_crossings(annot_reader *reader)
{
    uint32_t count = reader->crossing_count;
    bool is_done = false;
    struct annot__index index = {.count = count};
    index.entries = annot__reader_allocate(reader, count, sizeof *index.entries);
    struct annot__crossing *sorted =
        index.entries ? annot__reader_allocate(reader, reader->crossings_capacity, sizeof *sorted)
                      : NULL;
    if (!sorted)
        goto out;
    for (uint32_t i = 0; i < count; i++) {
        const struct annot__crossing *crossing = &reader->crossings[i];
        index.entries[i] =
            (struct annot__index_entry){(uint64_t)crossing->opener << 32 | crossing->first, i};
    }
    if (!annot__index_sort(reader, &index))
        goto out;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = reader->crossings[index.entries[i].value];
    struct annot__crossing *unsorted = reader->crossings;
    reader->crossings = sorted;
    sorted = unsorted;
    is_done = true;
out:
    annot__reader_release(reader, sorted, reader->crossings_capacity, sizeof *sorted);
    annot__reader_release(reader, index.entries, count, sizeof *index.entries);
    return is_done;
}

bool annot__find_crossings(annot_reader *reader)
{
    uint32_t count = reader->execution_count;
    if (reader->unclosed_count == 0 || reader->surplus_count == 0 || count == 0)
        return true;
    /* each execution adds one run, and each crossing uses up a run or an execution's Ends */
    reader->crossings =
        annot__reader_allocate(reader, (uint64_t)count * 2, sizeof *reader->crossings);
    struct open_run *runs =
        reader->crossings ? annot__reader_allocate(reader, count, sizeof *runs) : NULL;
    if (reader->crossings)
        reader->crossings_capacity = count * 2;
    if (!runs)
        return false;
    for (uint32_t q = 0; q < reader->stream_count; q++) {
        if (!reader->streams[q].is_queue)
            continue;
        struct annot__range range = annot__executions_of(reader, &reader->streams[q]);
        uint32_t run_count = 0;
        for (uint32_t i = 0; i < range.count; i++)
            cross_execution(reader, range.first + i, runs, &run_count);
    }
    annot__reader_release(reader, runs, count, sizeof *runs);
    return reader->crossing_count == 0 || sort_crossings(reader);
}

annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope)
{
    const struct annot__execution *opener = &reader->executions[crossing->opener];
    const struct annot__execution *closer = &reader->executions[crossing->closer];
    const struct annot__stream *opening = &reader->streams[opener->stream];
    const struct annot__stream *closing = &reader->streams[closer->stream];
    const struct annot__entry *begin =
        &reader->entries[reader->unclosed[opening->unclosed.first + crossing->first + scope]];
    uint32_t surplus = crossing->surplus + crossing->count - 1 - scope;
    const struct annot__entry *end =
        &reader->entries[reader->surplus[closing->surplus.first + surplus]];
    annot_state closed = annot__bounds_state(reader, &closer->bounds, end->begin, end->end);
    if (closed == ANNOT_STATE_FINISHED)
        return ANNOT_STATE_FINISHED;
    annot_state opened =
        opener->state == ANNOT_STATE_FINISHED
            ? ANNOT_STATE_FINISHED
            : annot__bounds_state(reader, &opener->bounds, begin->begin, begin->end);
    if (opened == ANNOT_STATE_NOT_STARTED || opened == ANNOT_STATE_UNKNOWN)
        return opened;
    /* has begun, on the way to an end that has not come; the front end may be past it, the work is
     * not */
    bool is_unfinished =
        !closer->bounds.is_uniform &&
        annot__bounds_know(reader, &closer->bounds, end->begin, end->end).is_unfinished;
    return closed == ANNOT_STATE_UNKNOWN && !is_unfinished ? ANNOT_STATE_UNKNOWN
                                                           : ANNOT_STATE_IN_PROGRESS;
}

/* The position of an unclosed scope among its stream's; ANNOT__NONE when it is closed or no
 * scope. */
static uint32_t unclosed_position(const annot_reader *reader, const struct annot__stream *stream,
                                  uint32_t entry)
{
    uint32_t first = stream->unclosed.first, low = 0, high = stream->unclosed.count;
    ANNOT__LOWER_BOUND(low, high, i, reader->unclosed[first + i] < entry)
    bool found = low < stream->unclosed.count && reader->unclosed[first + low] == entry;
    return found ? low : ANNOT__NONE;
}

/* Whether the crossing begins behind this scope of the execution. */
static bool is_behind(const struct annot__crossing *crossing, uint32_t execution, uint32_t position)
{
    return crossing->opener > execution ||
           (crossing->opener == execution && crossing->first > position);
}

bool annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state)
{
    const struct annot__stream *stream = &reader->streams[reader->executions[execution].stream];
    uint32_t position = unclosed_position(reader, stream, entry);
    if (position == ANNOT__NONE)
        return false;
    /* the last crossing that begins at or before it */
    uint32_t low = 0, high = reader->crossing_count;
    ANNOT__LOWER_BOUND(low, high, i, !is_behind(&reader->crossings[i], execution, position))
    if (low == 0)
        return false;
    const struct annot__crossing *crossing = &reader->crossings[low - 1];
    if (crossing->opener != execution || position - crossing->first >= crossing->count)
        return false;
    *state = annot__crossing_state(reader, crossing, position - crossing->first);
    return true;
}
