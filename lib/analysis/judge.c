/* Judges a progress row by its stream. The result is the GPU's progress as bounds, or the reason
 * why the row is not believed. analysis.c explains bounds. */
#include "analysis/judge.h"
#include "base/search.h"

/* ---- states from bounds ---- */

/* Every marker, also a named one, may be up to `window` away from its recorded place; the work does
 * not move. So the GPU has reached at least `started - window`, and is not past `unreached +
 * window`; it has completed at least up to `completed - window`. If it were done up to a position
 * more than the window beyond both, it would have named the marker there. A window of 0 makes all
 * of this exact; ANNOT_ORDER_UNKNOWN is a window beyond everything.
 */
struct annot__known annot__bounds_know(const annot_reader *reader,
                                       const struct annot__progress_bounds *bounds, uint32_t begin,
                                       uint32_t end)
{
    const uint64_t window = annot__window_of_bounds(reader, bounds);
    const uint64_t farthest = annot__position_of(bounds);
    const bool has_end = end != ANNOT__NEVER,
               has_both = bounds->is_started_known && bounds->is_completed_known;
    /* an unclosed scope ends with the stream */
    return (struct annot__known){
        .is_finished = end + window <= bounds->completed,
        .has_not_started = begin >= bounds->unreached + window,
        .has_started = begin + window <= farthest,
        .is_unfinished =
            has_end ? end >= bounds->unreached + window || (has_both && end > farthest + window) ||
                          (window == 0 && bounds->is_completed_known && end > bounds->completed)
                    : bounds->whole == ANNOT_STATE_IN_PROGRESS,
    };
}

annot_state annot__bounds_state(const annot_reader *reader,
                                const struct annot__progress_bounds *bounds, uint32_t begin,
                                uint32_t end)
{
    if (bounds->is_uniform)
        return (annot_state)bounds->state;
    const struct annot__known known = annot__bounds_know(reader, bounds, begin, end);
    if (known.is_finished)
        return ANNOT_STATE_FINISHED;
    if (known.has_not_started)
        return ANNOT_STATE_NOT_STARTED;
    return known.has_started && known.is_unfinished ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN;
}

void annot__set_uniform(struct annot__progress_bounds *bounds, annot_state state,
                        annot_evidence evidence)
{
    *bounds = (struct annot__progress_bounds){.is_uniform = true,
                                              .state = (uint8_t)state,
                                              .evidence = (uint8_t)evidence,
                                              .whole = (uint8_t)state};
}

void annot__contradict(annot_reader *reader, struct annot__execution *execution)
{
    execution->state = ANNOT_STATE_UNKNOWN;
    execution->evidence = ANNOT_EVIDENCE_CONTRADICTORY;
    annot__set_uniform(&execution->bounds, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0,
                reader->submissions[execution->submission].serial);
}

void annot__mask_damaged(const annot_reader *reader, uint32_t stream,
                         struct annot__progress_bounds *bounds)
{
    if (stream == ANNOT__NONE || !reader->streams[stream].is_damaged)
        return;
    uint8_t whole = bounds->whole;
    annot__set_uniform(bounds, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    bounds->whole = whole;
}

/* ---- rows ---- */

int annot__row_order(const struct annot__row *row, uint32_t queue, uint64_t submission,
                     uint32_t list, uint32_t bundle)
{
    int order = annot__compare(row->queue, queue);
    order = order ? order : annot__compare(row->submission, submission);
    order = order ? order : annot__compare(row->list, list);
    return order ? order : annot__compare(row->bundle, bundle);
}

uint32_t annot__row_lower(const annot_reader *reader, uint32_t queue, uint64_t submission,
                          uint32_t list, uint32_t bundle)
{
    uint32_t low = 0, high = reader->row_count;
    ANNOT__LOWER_BOUND(low, high, i,
                       annot__row_order(&reader->rows[i], queue, submission, list, bundle) < 0)
    return low;
}

/* Sorts by each key, the least significant one first. */
bool annot__sort_rows(annot_reader *reader)
{
    const uint32_t count = reader->row_count;
    if (count < 2)
        return true;
    struct annot__index index = {annot__reader_allocate(reader, count, sizeof *index.entries), 0};
    bool is_done = index.entries;
    for (uint32_t i = 0; is_done && i < count; i++)
        annot__index_add(&index, 0, i);
    for (int pass = 0; is_done && pass < 3; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const struct annot__row *row = &reader->rows[index.entries[i].value];
            index.entries[i].key = pass == 0   ? (uint64_t)row->list << 32 | row->bundle
                                   : pass == 1 ? row->submission
                                               : row->queue;
        }
        is_done = annot__index_sort(reader, &index);
    }
    struct annot__row *sorted = is_done ? annot__index_apply(reader, &index, reader->rows,
                                                             reader->rows_capacity, sizeof *sorted)
                                        : NULL;
    if (sorted)
        reader->rows = sorted;
    annot__reader_release(reader, index.entries, count, sizeof *index.entries);
    return sorted;
}

static bool is_repeated(const annot_reader *reader, uint32_t row)
{
    return (row > 0 && annot__is_same_row(&reader->rows[row - 1], &reader->rows[row])) ||
           (row + 1 < reader->row_count &&
            annot__is_same_row(&reader->rows[row + 1], &reader->rows[row]));
}

/* ---- one row against its stream ---- */

enum marker_lookup { MARKER_NONE, MARKER_FOUND, MARKER_DROPPED, MARKER_FOREIGN };

static enum marker_lookup find_marker(const annot_reader *reader,
                                      const struct annot__stream *stream, uint64_t event_id,
                                      uint32_t *entry)
{
    if (event_id == 0)
        return MARKER_NONE;
    uint32_t found = annot__event_find(reader, event_id);
    if (found - stream->entries.first < stream->entries.count) {
        *entry = found;
        return MARKER_FOUND;
    }
    return annot__id_is_dropped(event_id) && stream->dropped > 0 ? MARKER_DROPPED : MARKER_FOREIGN;
}

/* Returns true if a marker can be completed when `started` is the last that the GPU reached. */
static bool can_be_completed(const annot_reader *reader, uint32_t completed, uint32_t started)
{
    const struct annot__entry *done = &reader->entries[completed];
    if (done->end == ANNOT__NEVER)
        return false;
    return !annot__is_exact(reader) ||
           annot__marker_at(reader, annot__entry_last(reader, completed)) <= started;
}

void annot__set_verdict(struct annot__judgement *out, annot_state state, annot_evidence evidence)
{
    out->state = state;
    out->evidence = evidence;
    annot__set_uniform(&out->bounds, state, evidence);
}

/* Judges an execution that the driver calls in progress, without any claim about its inside. */
static void judge_opaque(struct annot__judgement *out, const struct annot__row *row,
                         annot_evidence why)
{
    bool is_started = row->state == ANNOT_PROGRESS_STARTED;
    out->state = is_started ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN;
    out->evidence = is_started ? ANNOT_EVIDENCE_DRIVER : ANNOT_EVIDENCE_UNDECIDED;
    annot__set_uniform(&out->bounds, ANNOT_STATE_UNKNOWN, why);
}

/* Returns the position of the first Begin or Set behind `position`, or ANNOT__NEVER. */
static uint32_t marker_behind(const annot_reader *reader, const struct annot__stream *stream,
                              uint64_t position)
{
    uint32_t low = stream->entries.first, end = low + stream->entries.count, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t marker = annot__marker_at(reader, middle);
        if (marker == ANNOT__NONE || reader->entries[marker].begin <= position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < end ? reader->entries[low].begin : ANNOT__NEVER;
}

/* The first marker that was certainly not reached: this one and the last reached one may both have
 * been moved. */
static void find_unreached(const annot_reader *reader, const struct annot__stream *stream,
                           struct annot__progress_bounds *bounds)
{
    bounds->unreached = ANNOT__NEVER;
    if (bounds->is_started_known)
        bounds->unreached = marker_behind(
            reader, stream,
            bounds->started ? (uint64_t)bounds->started + 2 * annot__window_of(reader) : 0);
}

/* Rule D1: the last marker that was written waited for all work before it, and nothing behind the
 * next marker has begun, whatever its kind. A surplus End is no such marker: it has no EventID. */
static void drain(const annot_reader *reader, const struct annot__stream *stream,
                  struct annot__progress_bounds *bounds)
{
    const uint32_t next = annot__position_of(bounds) + 2;
    bounds->is_drained = (reader->promises & ANNOT_PROMISE_DRAINS) && annot__is_exact(reader) &&
                         bounds->is_started_known && bounds->is_completed_known &&
                         !stream->is_queue && stream->surplus_ends == 0;
    if (!bounds->is_drained)
        return;
    if (bounds->started > bounds->completed)
        bounds->completed = bounds->started - 1;
    if (next <= stream->operations * 2)
        bounds->unreached = next;
}

/* Whether something of the stream has not been reached or not been passed for certain. */
static bool is_marker_left(const annot_reader *reader, const struct annot__stream *stream,
                           const struct annot__progress_bounds *bounds)
{
    return bounds->unreached != ANNOT__NEVER ||
           (annot__is_exact(reader) && bounds->is_completed_known &&
            stream->last_end > bounds->completed);
}

struct named {
    enum marker_lookup started, completed;
};

/* Returns true if a marker, perhaps a dropped one, can be completed although no marker was started:
 * its end may come before the first begin only by the driver's window. */
static bool can_be_completed_first(const annot_reader *reader, const struct annot__stream *stream,
                                   uint32_t completed)
{
    const uint64_t window = annot__window_of(reader);
    if (completed == ANNOT__NONE)
        return window > 0;
    return reader->entries[completed].end < marker_behind(reader, stream, 0) + 2 * window;
}

/* Looks up the markers that a row names; `out` is empty before. False: a GPU can't have seen these
 * markers of this stream. */
static bool find_named(const annot_reader *reader, const struct annot__stream *stream,
                       const struct annot__row *row, struct annot__judgement *out,
                       struct named *named)
{
    named->started = find_marker(reader, stream, row->started, &out->started);
    named->completed = find_marker(reader, stream, row->completed, &out->completed);
    bool is_known = named->started != MARKER_FOREIGN && named->completed != MARKER_FOREIGN;
    bool is_causal = named->started != MARKER_NONE || named->completed == MARKER_NONE ||
                     !(row->inside & ANNOT_INSIDE_STARTED) ||
                     can_be_completed_first(reader, stream, out->completed);
    bool is_ordered =
        named->completed != MARKER_FOUND || can_be_completed(reader, out->completed, out->started);
    return is_known && is_causal && is_ordered;
}

static void judge_started(const annot_reader *reader, const struct annot__stream *stream,
                          const struct annot__row *row, struct named named,
                          struct annot__judgement *out)
{
    bool is_dropped = named.started == MARKER_DROPPED || named.completed == MARKER_DROPPED;
    bool is_half = row->inside != ANNOT_INSIDE_TRACKED;
    out->state = ANNOT_STATE_IN_PROGRESS;
    out->evidence = ANNOT_EVIDENCE_DRIVER;
    out->bounds = (struct annot__progress_bounds){
        .started = named.started == MARKER_FOUND ? reader->entries[out->started].begin : 0,
        .completed = named.completed == MARKER_FOUND ? reader->entries[out->completed].end : 0,
        .is_started_known = (row->inside & ANNOT_INSIDE_STARTED) && named.started != MARKER_DROPPED,
        .is_completed_known =
            (row->inside & ANNOT_INSIDE_COMPLETED) && named.completed != MARKER_DROPPED,
        .evidence = is_dropped                 ? ANNOT_EVIDENCE_DROPPED
                    : !annot__is_exact(reader) ? ANNOT_EVIDENCE_REORDERED
                    : is_half                  ? ANNOT_EVIDENCE_NOT_TRACKED
                                               : ANNOT_EVIDENCE_DRIVER,
    };
    find_unreached(reader, stream, &out->bounds);
    drain(reader, stream, &out->bounds);
    bool has_started = row->state == ANNOT_PROGRESS_STARTED || row->started || row->completed;
    if (!has_started ||
        (row->state == ANNOT_PROGRESS_UNKNOWN && !is_marker_left(reader, stream, &out->bounds))) {
        out->state = ANNOT_STATE_UNKNOWN;
        out->evidence = ANNOT_EVIDENCE_UNDECIDED;
    }
    out->bounds.whole = (uint8_t)out->state;
}

/* Returns true if the row breaks its own rules, whatever was recorded. */
static bool is_absurd(const annot_reader *reader, uint32_t index)
{
    const struct annot__row *row = &reader->rows[index];
    bool has_markers = row->started || row->completed;
    return is_repeated(reader, index) || row->state > ANNOT_PROGRESS_FINISHED ||
           row->inside > ANNOT_INSIDE_LOST ||
           (row->started && !(row->inside & ANNOT_INSIDE_STARTED)) ||
           (row->completed && !(row->inside & ANNOT_INSIDE_COMPLETED)) ||
           (row->state == ANNOT_PROGRESS_NOT_STARTED && has_markers);
}

/* A driver that takes no annotations gets no EventID, so "no marker was reached" says nothing. */
static bool lacks_event_ids(const annot_reader *reader, const struct annot__row *row)
{
    return reader->has_device && !reader->device.driver_supported && !row->started &&
           !row->completed;
}

void annot__judge_row(const annot_reader *reader, const struct annot__stream *stream,
                      uint32_t index, uint64_t object, struct annot__judgement *out)
{
    const struct annot__row *row = &reader->rows[index];
    struct named named = {MARKER_NONE, MARKER_NONE};
    bool is_checkable = stream && !stream->is_damaged;
    *out = (struct annot__judgement){.started = ANNOT__NONE, .completed = ANNOT__NONE};
    if (row->is_damaged)
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    else if (is_absurd(reader, index) || (row->object && row->object != object))
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    else if (row->state == ANNOT_PROGRESS_NOT_STARTED)
        annot__set_verdict(out, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_DRIVER);
    else if (is_checkable && !find_named(reader, stream, row, out, &named))
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    else if (row->state == ANNOT_PROGRESS_FINISHED)
        annot__set_verdict(out, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_DRIVER);
    else if (row->state == ANNOT_PROGRESS_UNKNOWN && !(row->inside & ANNOT_INSIDE_TRACKED))
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED);
    else if (!is_checkable)
        judge_opaque(out, row,
                     row->started || row->completed ? ANNOT_EVIDENCE_DROPPED
                                                    : ANNOT_EVIDENCE_NO_MARKER);
    else if (row->inside == ANNOT_INSIDE_NOT_TRACKED || lacks_event_ids(reader, row))
        judge_opaque(out, row, ANNOT_EVIDENCE_NOT_TRACKED);
    else if (row->inside == ANNOT_INSIDE_LOST)
        judge_opaque(out, row, ANNOT_EVIDENCE_NO_MARKER);
    else
        judge_started(reader, stream, row, named, out);
}

/* ---- bundles ---- */

uint32_t annot__find_bundle(const annot_reader *reader, const struct annot__stream *stream,
                            uint32_t ordinal)
{
    uint32_t low = stream->bundles.first, end = low + stream->bundles.count, high = end;
    ANNOT__LOWER_BOUND(low, high, i,
                       annot__entry_bundle(reader, reader->bundles[i]).ordinal < ordinal)
    bool is_found = ordinal != 0 && /* which is the list */
                    low < end &&
                    annot__entry_bundle(reader, reader->bundles[low]).ordinal == ordinal;
    return is_found ? reader->bundles[low] : ANNOT__NONE;
}

/* ---- places ---- */

uint32_t annot__last_marker_at(const annot_reader *reader, const struct annot__stream *stream,
                               uint32_t position)
{
    uint32_t low = stream->entries.first, high = low + stream->entries.count;
    ANNOT__LOWER_BOUND(low, high, i, reader->entries[i].begin <= position)
    return low == stream->entries.first ? ANNOT__NONE : annot__marker_at(reader, low - 1);
}

static bool is_around(const annot_reader *reader, uint32_t entry, uint32_t position)
{
    return reader->entries[entry].kind == ANNOT_ENTRY_BEGIN &&
           reader->entries[entry].end > position;
}

/* O(log n): all scopes around one that is around the position are around it, too. */
uint32_t annot__scope_at(const annot_reader *reader, const struct annot__stream *stream,
                         uint32_t position)
{
    uint32_t scope = annot__last_marker_at(reader, stream, position);
    while (scope != ANNOT__NONE && !is_around(reader, scope, position)) {
        const uint32_t jump = annot__entry_jump(reader, scope);
        scope = jump != scope && !is_around(reader, jump, position) ? jump
                                                                    : reader->entries[scope].parent;
    }
    return scope;
}
