/* Finds scopes across lists [ANN-CRASH-06]: one execution opens them, a later execution on the same
 * queue closes them, and they surround all work in between. */
#include "analysis/bundle.h"
#include "analysis/states.h"
#include "base/search.h"

/* The numbers of the queue's executions so far that are unfinished, and that may be unfinished. */
struct progress {
    uint32_t left, unknown;
};

struct open_run {
    uint32_t execution, count; /* unclosed scopes of this execution that no list has closed yet,
                                  from the outermost */
    struct progress at;        /* progress that includes the execution itself */
};

struct runs {
    struct open_run *open;
    uint32_t count;
    struct progress at;
};

static struct progress behind(struct progress at, annot_state state)
{
    at.left += state == ANNOT_STATE_NOT_STARTED || state == ANNOT_STATE_IN_PROGRESS;
    at.unknown += state == ANNOT_STATE_UNKNOWN;
    return at;
}

/* Returns true if a bundle's scopes may reach into those of the list around it. */
static bool is_unbalanced(const annot_reader *reader, uint32_t stream)
{
    const struct annot__stream *bundle = stream != ANNOT__NONE ? &reader->streams[stream] : NULL;
    return !bundle || bundle->is_damaged || bundle->dropped > 0 || bundle->surplus_ends > 0 ||
           bundle->unclosed.count > 0;
}

/* Finds unpaired Ends, except where the dump lacks data, because the Begin may be lost. */
static void find_unpaired(const annot_reader *reader, struct annot__stream *stream)
{
    stream->is_unpaired = stream->is_damaged || stream->dropped > 0;
    for (uint32_t i = 0; i < stream->bundles.count && !stream->is_unpaired; i++) {
        const uint32_t bundle = reader->bundles[stream->bundles.first + i];
        stream->is_unpaired = is_unbalanced(reader, reader->entries[bundle].leaf.link);
    }
}

/* Returns true if the dump doesn't have what was executed right before this, on the same queue. */
static bool is_behind_gap(const annot_reader *reader, const struct annot__execution *execution)
{
    const struct annot__submitted *submission = &reader->submissions[execution->submission];
    const struct annot__range *all = &reader->streams[execution->queue].submissions;
    if (execution->list > 0 || execution->submission == all->first)
        return false;
    return submission[-1].is_cut || submission[-1].serial + 1 != submission->serial;
}

/* Does the same for the end of the queue's data in the dump. */
static bool ends_in_gap(const annot_reader *reader, const struct annot__stream *queue)
{
    const struct annot__range *all = &queue->submissions;
    return all->count == 0 ||
           reader->submissions[all->first + all->count - 1].serial < queue->submitted;
}

/* Marks all open scopes as perhaps closed by calls that the dump lacks. */
static void lose(annot_reader *reader, struct runs *runs)
{
    while (runs->count > 0) {
        const struct open_run *lost = &runs->open[--runs->count];
        reader->executions[lost->execution].lost_scopes = lost->count;
    }
}

/* Each surplus End closes the innermost scope that an earlier execution of the queue left open.
 * Runs of scopes are kept together, so the work is linear in executions. Lists that the dump
 * doesn't hold may have closed all of them; they then become unknown. A list that was not executed
 * (NullRendering) opens and closes nothing. */
static void cross_execution(annot_reader *reader, uint32_t index, struct runs *runs)
{
    struct annot__execution *execution = &reader->executions[index];
    const struct annot__stream *stream =
        execution->stream != ANNOT__NONE ? &reader->streams[execution->stream] : NULL;
    const bool is_unpaired = !stream || stream->is_unpaired;
    if (stream && is_unpaired)
        execution->lost_scopes = stream->unclosed.count;
    if (is_unpaired || is_behind_gap(reader, execution))
        lose(reader, runs);
    const struct progress before = runs->at;
    runs->at = behind(before, (annot_state)execution->state);
    if (is_unpaired || reader->submissions[execution->submission].is_null)
        return;
    uint32_t ends = stream->surplus.count, end = 0;
    while (runs->count > 0 && end < ends) {
        struct open_run *run = &runs->open[runs->count - 1];
        uint32_t count = run->count < ends - end ? run->count : ends - end;
        run->count -= count;
        reader->crossings[reader->crossing_count++] = (struct annot__crossing){
            .opener = run->execution,
            .closer = index,
            .first = run->count,
            .count = count,
            .surplus = end,
            .is_left = before.left > run->at.left,
            .is_unknown = before.unknown > run->at.unknown,
        };
        end += count;
        if (run->count == 0)
            runs->count--;
    }
    if (stream->unclosed.count > 0)
        runs->open[runs->count++] = (struct open_run){index, stream->unclosed.count, runs->at};
}

static bool sort_crossings(annot_reader *reader)
{
    const uint32_t count = reader->crossing_count;
    struct annot__index index = {annot__reader_allocate(reader, count, sizeof *index.entries), 0};
    for (uint32_t i = 0; index.entries && i < count; i++) {
        const struct annot__crossing *crossing = &reader->crossings[i];
        annot__index_add(&index, (uint64_t)crossing->opener << 32 | crossing->first, i);
    }
    struct annot__crossing *sorted =
        index.entries && annot__index_sort(reader, &index)
            ? annot__index_apply(reader, &index, reader->crossings, reader->crossings_capacity,
                                 sizeof *sorted)
            : NULL;
    if (sorted)
        reader->crossings = sorted;
    annot__reader_release(reader, index.entries, count, sizeof *index.entries);
    return sorted;
}

bool annot__find_crossings(annot_reader *reader)
{
    uint32_t count = reader->execution_count;
    if (reader->unclosed_count == 0 || count == 0)
        return true;
    /* each execution adds one run, and each crossing uses up a run or an execution's Ends */
    reader->crossings =
        annot__reader_allocate(reader, (uint64_t)count * 2, sizeof *reader->crossings);
    struct open_run *open =
        reader->crossings ? annot__reader_allocate(reader, count, sizeof *open) : NULL;
    reader->crossings_capacity = count * 2;
    if (!open)
        return false;
    for (uint32_t i = 0; i < reader->stream_count; i++)
        find_unpaired(reader, &reader->streams[i]);
    for (uint32_t q = 0; q < reader->stream_count; q++) { /* lists execute nothing */
        struct annot__range range = annot__executions_of(reader, &reader->streams[q]);
        struct runs runs = {.open = open};
        for (uint32_t i = 0; i < range.count; i++)
            cross_execution(reader, range.first + i, &runs);
        if (ends_in_gap(reader, &reader->streams[q]))
            lose(reader, &runs);
    }
    annot__reader_release(reader, open, count, sizeof *open);
    return reader->crossing_count == 0 || sort_crossings(reader);
}

/* Whether the bundle that the list calls before this End is not done, and the End not passed. */
static bool is_behind_bundle(const annot_reader *reader, const struct annot__execution *execution,
                             const struct annot__entry *end)
{
    const struct annot__range *calls = &reader->streams[execution->stream].bundles;
    uint32_t low = calls->first, high = low + calls->count;
    ANNOT__LOWER_BOUND(low, high, i, &reader->entries[reader->bundles[i]] < end)
    if (low == calls->first || !annot__is_exact(reader))
        return false;
    struct annot__judgement bundle;
    annot__judge_bundle(reader, execution, reader->bundles[low - 1], &bundle);
    return bundle.state == ANNOT_STATE_IN_PROGRESS || bundle.state == ANNOT_STATE_NOT_STARTED;
}

/* Whether the GPU has passed a surplus End of the execution: FINISHED, or certainly not:
 * NOT_STARTED. Drivers have no EventID for it. So it proves nothing if they name no marker behind
 * it; but if they don't name a marker in front of it, the End was not passed. */
static annot_state end_state(const annot_reader *reader, const struct annot__execution *execution,
                             const struct annot__entry *end)
{
    const struct annot__progress_bounds *bounds = &execution->bounds;
    if (execution->is_joined)
        return end->end <= execution->counted ? ANNOT_STATE_FINISHED : ANNOT_STATE_NOT_STARTED;
    if (is_behind_bundle(reader, execution, end))
        return ANNOT_STATE_NOT_STARTED;
    if (bounds->is_uniform)
        return (annot_state)bounds->state;
    if (annot__bounds_know(reader, bounds, end->begin, end->end).is_finished)
        return ANNOT_STATE_FINISHED;
    const uint32_t marker = end->leaf.marker_before;
    if (marker == ANNOT__NONE)
        return ANNOT_STATE_UNKNOWN;
    const struct annot__entry *before = &reader->entries[annot__entry_outward(reader, marker, 0)];
    return annot__bounds_know(reader, bounds, before->begin, before->end).is_unfinished
               ? ANNOT_STATE_NOT_STARTED
               : ANNOT_STATE_UNKNOWN;
}

/* Returns the surplus End that closes the n-th scope of a crossing. */
static uint32_t end_of(const annot_reader *reader, const struct annot__crossing *crossing,
                       uint32_t scope)
{
    const struct annot__stream *closing =
        &reader->streams[reader->executions[crossing->closer].stream];
    return reader
        ->surplus[closing->surplus.first + crossing->surplus + crossing->count - 1 - scope];
}

annot_state annot__crossing_state(const annot_reader *reader,
                                  const struct annot__crossing *crossing, uint32_t scope)
{
    const struct annot__execution *opener = &reader->executions[crossing->opener];
    const struct annot__execution *closer = &reader->executions[crossing->closer];
    const struct annot__stream *opening = &reader->streams[opener->stream];
    const struct annot__entry *begin =
        &reader->entries[reader->unclosed[opening->unclosed.first + crossing->first + scope]];
    annot_state closed =
        end_state(reader, closer, &reader->entries[end_of(reader, crossing, scope)]);
    annot_state opened = annot__bounds_state(reader, &opener->bounds, begin->begin, begin->end);
    if (opened == ANNOT_STATE_NOT_STARTED || opened == ANNOT_STATE_UNKNOWN)
        return opened;
    /* The scope has the work behind its Begin, and the lists in between. */
    if (crossing->is_left || closed == ANNOT_STATE_NOT_STARTED ||
        opener->state == ANNOT_STATE_IN_PROGRESS)
        return ANNOT_STATE_IN_PROGRESS;
    return closed == ANNOT_STATE_FINISHED && !crossing->is_unknown ? ANNOT_STATE_FINISHED
                                                                   : ANNOT_STATE_UNKNOWN;
}

/* Returns true if this End is certainly behind the place where the execution stopped. */
static bool is_end_behind(const annot_reader *reader, const annot_reader_stop *stop, uint32_t end)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    const uint32_t place = stop->bundle != ANNOT__NONE ? stop->bundle : stop->entry;
    if (place != ANNOT__NONE)
        return end > place;
    if (annot__is_exact(reader) && execution->started != ANNOT__NONE && end < execution->started)
        return false;
    return end_state(reader, execution, &reader->entries[end]) == ANNOT_STATE_NOT_STARTED;
}

uint32_t annot__crossing_open_at(const annot_reader *reader, const struct annot__crossing *crossing,
                                 const annot_reader_stop *stop)
{
    if (crossing->opener >= stop->execution || crossing->closer < stop->execution)
        return 0;
    if (crossing->closer > stop->execution)
        return crossing->count;
    uint32_t open = 0, high = crossing->count;
    ANNOT__LOWER_BOUND(open, high, i, is_end_behind(reader, stop, end_of(reader, crossing, i)))
    return open;
}

/* Returns the index of an unclosed scope among the stream's unclosed scopes. */
static uint32_t unclosed_position(const annot_reader *reader, const struct annot__stream *stream,
                                  uint32_t entry)
{
    uint32_t first = stream->unclosed.first, low = 0, high = stream->unclosed.count;
    ANNOT__LOWER_BOUND(low, high, i, reader->unclosed[first + i] < entry)
    return low;
}

/* Returns true if the crossing begins behind this scope of the execution. */
static bool is_behind(const struct annot__crossing *crossing, uint32_t execution, uint32_t position)
{
    return crossing->opener > execution ||
           (crossing->opener == execution && crossing->first > position);
}

void annot__crossing_find(const annot_reader *reader, uint32_t execution, uint32_t entry,
                          annot_state *state, annot_evidence *evidence)
{
    const struct annot__stream *stream = &reader->streams[reader->executions[execution].stream];
    if (reader->entries[entry].end != ANNOT__NEVER)
        return;
    if (annot__entry_stream(reader, entry) != reader->executions[execution].stream) {
        if (*state == ANNOT_STATE_FINISHED) { /* the scope may be open behind the bundle */
            *state = ANNOT_STATE_UNKNOWN;
            *evidence = ANNOT_EVIDENCE_NONE;
        }
        return;
    }
    const uint32_t position = unclosed_position(reader, stream, entry);
    const annot_state in_list = *state;
    if (position < reader->executions[execution].lost_scopes && in_list == ANNOT_STATE_FINISHED)
        *state = ANNOT_STATE_UNKNOWN;
    /* the last crossing that begins at or before it: a scope is closed before those around it */
    uint32_t low = 0, high = reader->crossing_count;
    ANNOT__LOWER_BOUND(low, high, i, !is_behind(&reader->crossings[i], execution, position))
    const struct annot__crossing *crossing = low > 0 ? &reader->crossings[low - 1] : NULL;
    if (crossing && crossing->opener == execution)
        *state = annot__crossing_state(reader, crossing, position - crossing->first);
    if (*state != in_list)
        *evidence = *state == ANNOT_STATE_UNKNOWN ? ANNOT_EVIDENCE_NONE : ANNOT_EVIDENCE_SURROUNDED;
}
