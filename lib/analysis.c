/*
 * What the GPU did, from evidence alone [ANN-CRASH-02]. Three things are evidence: a queue's completed serial (its
 * fence), the driver's progress rows, and, where markers keep their order, that a queue takes its work in order.
 *
 *     BEGIN Frame            position 2
 *       SET sky              4
 *       BEGIN Shadow         6      <- started: the last that the GPU reached
 *         ExecuteBundle      7
 *       END                  8
 *     END                    10
 *
 * A row "started Shadow, completed sky" cuts the stream at 6 and 4: what begins behind 6 has not started, what ends at
 * or before 4 is finished, and Frame and Shadow, in between, are in progress. States are computed from the cut when
 * somebody asks, so that a thousand executions of one recording cost a thousand cuts and no copies.
 *
 * Rows are a driver's output, and not trusted: a row that names markers the stream doesn't hold, completed more than it
 * started, or contradicts another row makes the execution unknown [ANN-DDI-03].
 */
#include "dump_model.h"

/* ---- states from a cut ---- */

static uint64_t window_of(const annot_reader *reader)
{
    return (uint64_t)reader->order_window * 2;
}

static bool is_exact(const annot_reader *reader)
{
    return reader->order_window == 0;
}

static bool is_unordered(const annot_reader *reader)
{
    return reader->order_window == ANNOT_ORDER_UNKNOWN;
}

annot_state annot__cut_state(const annot_reader *reader, const struct annot__cut *cut,
                             uint32_t begin, uint32_t end)
{
    if (cut->is_uniform)
        return (annot_state)cut->state;
    uint64_t window = window_of(reader);
    if (end != ANNOT__NEVER &&
        (window == 0 ? end <= cut->completed : end + window < cut->completed))
        return ANNOT_STATE_FINISHED;
    if (!cut->is_started_known)
        return ANNOT_STATE_UNKNOWN;
    if (begin > cut->started + window)
        return ANNOT_STATE_NOT_STARTED;
    if (!cut->is_completed_known)
        return ANNOT_STATE_UNKNOWN;
    bool is_inside = window == 0 || (begin + window < cut->started && end > cut->started + window &&
                                     end > cut->completed + window);
    return is_inside ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN;
}

static void set_uniform(struct annot__cut *cut, annot_state state, annot_evidence evidence)
{
    *cut = (struct annot__cut){.is_uniform = true,
                               .state = (uint8_t)state,
                               .evidence = (uint8_t)evidence,
                               .whole = (uint8_t)state};
}

/* In a damaged stream a marker may belong to another list: of what is inside nothing is claimed, not even that it is
 * finished with the whole. */
static void shade_damaged(const annot_reader *reader, uint32_t stream, struct annot__cut *cut)
{
    if (stream == ANNOT__NONE || !reader->streams[stream].is_damaged)
        return;
    uint8_t whole = cut->whole;
    set_uniform(cut, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    cut->whole = whole;
}

/* ---- rows ---- */

static int row_order(const struct annot__row *row, uint32_t queue, uint64_t submission,
                     uint32_t list, uint32_t bundle)
{
    if (row->queue != queue)
        return row->queue < queue ? -1 : 1;
    if (row->submission != submission)
        return row->submission < submission ? -1 : 1;
    if (row->list != list)
        return row->list < list ? -1 : 1;
    return row->bundle == bundle ? 0 : row->bundle < bundle ? -1 : 1;
}

/* Index of the first row that is not before the key. */
static uint32_t row_lower(const annot_reader *reader, uint32_t queue, uint64_t submission,
                          uint32_t list, uint32_t bundle)
{
    uint32_t low = 0, high = reader->row_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (row_order(&reader->rows[middle], queue, submission, list, bundle) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Stable sort, least significant key first. */
static bool sort_rows(annot_reader *reader)
{
    uint32_t count = reader->row_count;
    if (count < 2)
        return true;
    bool is_done = false;
    struct annot__index index = {.count = count};
    index.entries = annot__reader_allocate(reader, count, sizeof *index.entries);
    struct annot__row *sorted =
        index.entries ? annot__reader_allocate(reader, reader->rows_capacity, sizeof *sorted)
                      : NULL;
    if (!sorted)
        goto out;
    for (uint32_t i = 0; i < count; i++)
        index.entries[i].value = i;
    for (int pass = 0; pass < 3; pass++) {
        for (uint32_t i = 0; i < count; i++) {
            const struct annot__row *row = &reader->rows[index.entries[i].value];
            index.entries[i].key = pass == 0   ? (uint64_t)row->list << 32 | row->bundle
                                   : pass == 1 ? row->submission
                                               : row->queue;
        }
        if (!annot__index_sort(reader, &index))
            goto out;
    }
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = reader->rows[index.entries[i].value];
    struct annot__row *unsorted = reader->rows;
    reader->rows = sorted;
    sorted = unsorted;
    is_done = true;
out:
    annot__reader_release(reader, sorted, reader->rows_capacity, sizeof *sorted);
    annot__reader_release(reader, index.entries, count, sizeof *index.entries);
    return is_done;
}

static bool is_same_key(const struct annot__row *row, const struct annot__row *other)
{
    return row_order(row, other->queue, other->submission, other->list, other->bundle) == 0;
}

static bool is_repeated(const annot_reader *reader, uint32_t row)
{
    return (row > 0 && is_same_key(&reader->rows[row - 1], &reader->rows[row])) ||
           (row + 1 < reader->row_count && is_same_key(&reader->rows[row + 1], &reader->rows[row]));
}

/* ---- one row against its stream ---- */

enum marker_lookup { MARKER_NONE, MARKER_FOUND, MARKER_DROPPED, MARKER_FOREIGN };

static enum marker_lookup find_marker(const annot_reader *reader,
                                      const struct annot__stream *stream, uint64_t event_id,
                                      uint32_t *entry)
{
    *entry = ANNOT__NONE;
    if (event_id == 0)
        return MARKER_NONE;
    uint32_t found = annot__index_find(&reader->event_index, event_id);
    if (found != ANNOT__NONE && found - stream->entries.first < stream->entries.count) {
        *entry = found;
        return MARKER_FOUND;
    }
    if (found == ANNOT__NONE && annot__event_is_dropped(event_id) && stream->dropped > 0)
        return MARKER_DROPPED;
    return MARKER_FOREIGN;
}

/* Whether a marker can be completed when `started` is the last that the GPU reached. */
static bool can_be_completed(const annot_reader *reader, uint32_t completed, uint32_t started)
{
    const struct annot__entry *done = &reader->entries[completed];
    if (done->end == ANNOT__NEVER)
        return false;
    return !is_exact(reader) ||
           (done->kind == ANNOT_ENTRY_SET ? completed : done->last_marker) <= started;
}

struct judgement {
    struct annot__cut cut;
    uint32_t started, completed; /* entries */
    annot_state state;
    annot_evidence evidence;
};

static void judge_as(struct judgement *out, annot_state state, annot_evidence evidence)
{
    out->state = state;
    out->evidence = evidence;
    set_uniform(&out->cut, state, evidence);
}

/* An execution that is in progress, if the driver says so, of whose inside nothing is claimed. */
static void judge_opaque(struct judgement *out, const struct annot__row *row, annot_evidence why)
{
    bool is_started = row->state == ANNOT_PROGRESS_STARTED;
    out->state = is_started ? ANNOT_STATE_IN_PROGRESS : ANNOT_STATE_UNKNOWN;
    out->evidence = is_started ? ANNOT_EVIDENCE_DRIVER : ANNOT_EVIDENCE_UNDECIDED;
    set_uniform(&out->cut, ANNOT_STATE_UNKNOWN, why);
}

/* Whether the last started marker, or a scope around it that is closed in this stream, is unfinished for certain. */
static bool has_progress(const annot_reader *reader, const struct judgement *judgement)
{
    for (uint32_t i = judgement->started; i != ANNOT__NONE; i = reader->entries[i].parent) {
        const struct annot__entry *entry = &reader->entries[i];
        if (entry->end != ANNOT__NEVER)
            return annot__cut_state(reader, &judgement->cut, entry->begin, entry->end) ==
                   ANNOT_STATE_IN_PROGRESS;
    }
    return false;
}

struct named {
    enum marker_lookup started, completed;
};

/* Looks up the markers that a row names. False: they can't be what a GPU has seen of this stream. */
static bool find_named(const annot_reader *reader, const struct annot__stream *stream,
                       const struct annot__row *row, struct judgement *out, struct named *named)
{
    named->started = find_marker(reader, stream, row->started, &out->started);
    named->completed = find_marker(reader, stream, row->completed, &out->completed);
    bool is_known = named->started != MARKER_FOREIGN && named->completed != MARKER_FOREIGN;
    bool is_causal = named->started != MARKER_NONE || named->completed == MARKER_NONE;
    bool is_ordered = named->started != MARKER_FOUND || named->completed != MARKER_FOUND ||
                      can_be_completed(reader, out->completed, out->started);
    return is_known && is_causal && is_ordered;
}

static void judge_started(const annot_reader *reader, const struct annot__stream *stream,
                          const struct annot__row *row, struct judgement *out)
{
    struct named named;
    if (!find_named(reader, stream, row, out, &named)) {
        judge_as(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
        return;
    }
    if (is_unordered(reader)) {
        judge_opaque(out, row, ANNOT_EVIDENCE_REORDERED);
        return;
    }
    bool is_dropped = named.started == MARKER_DROPPED || named.completed == MARKER_DROPPED;
    out->state = ANNOT_STATE_IN_PROGRESS;
    out->evidence = ANNOT_EVIDENCE_DRIVER;
    out->cut = (struct annot__cut){
        .started = named.started == MARKER_FOUND ? reader->entries[out->started].begin : 0,
        .completed = named.completed == MARKER_FOUND ? reader->entries[out->completed].end : 0,
        .is_started_known = named.started != MARKER_DROPPED,
        .is_completed_known = named.completed != MARKER_DROPPED,
        .evidence = is_dropped          ? ANNOT_EVIDENCE_DROPPED
                    : !is_exact(reader) ? ANNOT_EVIDENCE_REORDERED
                                        : ANNOT_EVIDENCE_DRIVER,
    };
    if (row->state == ANNOT_PROGRESS_UNKNOWN && !has_progress(reader, out)) {
        out->state = ANNOT_STATE_UNKNOWN;
        out->evidence = ANNOT_EVIDENCE_UNDECIDED;
    }
}

/* `stream` may be NULL: the dump doesn't hold it, so the row's markers can't be checked and there are none to show. */
static void judge_row(const annot_reader *reader, const struct annot__stream *stream,
                      uint32_t index, struct judgement *out)
{
    const struct annot__row *row = &reader->rows[index];
    struct named named;
    bool has_markers = row->started || row->completed;
    bool is_checkable = stream && !stream->is_damaged;
    *out = (struct judgement){.started = ANNOT__NONE, .completed = ANNOT__NONE};
    if (row->is_damaged)
        judge_as(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    else if (is_repeated(reader, index) || row->state > ANNOT_PROGRESS_FINISHED ||
             (row->state == ANNOT_PROGRESS_NOT_STARTED && has_markers))
        judge_as(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    else if (row->state == ANNOT_PROGRESS_NOT_STARTED)
        judge_as(out, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_DRIVER);
    else if (row->state == ANNOT_PROGRESS_FINISHED)
        judge_as(out, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_DRIVER);
    else if (row->state == ANNOT_PROGRESS_UNKNOWN && !has_markers)
        judge_as(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_UNDECIDED);
    else if (!is_checkable)
        judge_opaque(out, row, stream ? ANNOT_EVIDENCE_DAMAGED : ANNOT_EVIDENCE_DROPPED);
    else
        judge_started(reader, stream, row, out);
    if (out->state == ANNOT_STATE_FINISHED && is_checkable &&
        !find_named(reader, stream, row, out, &named))
        judge_as(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
}

/* ---- bundles ---- */

static uint32_t find_bundle(const annot_reader *reader, const struct annot__stream *stream,
                            uint32_t ordinal)
{
    uint32_t low = stream->bundles.first, end = low + stream->bundles.count, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->entries[reader->bundles[middle]].ordinal < ordinal)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low < end && reader->entries[reader->bundles[low]].ordinal == ordinal;
    return is_found ? reader->bundles[low] : ANNOT__NONE;
}

/* Whether a marker between the last started one and this bundle has not started, so that the bundle hasn't either. */
static bool is_before_bundle(const annot_reader *reader, const struct annot__cut *cut,
                             const struct annot__entry *bundle)
{
    return cut->is_started_known && bundle->last_marker != ANNOT__NONE &&
           reader->entries[bundle->last_marker].begin > cut->started + window_of(reader);
}

/* Without a row of its own a bundle is where its list is. */
static void bundle_cut_from_list(const annot_reader *reader, const struct annot__cut *list,
                                 const struct annot__entry *bundle, struct annot__cut *cut)
{
    if (list->is_uniform)
        set_uniform(cut, (annot_state)list->state, (annot_evidence)list->evidence);
    else if (annot__cut_state(reader, list, bundle->begin, bundle->end) == ANNOT_STATE_FINISHED)
        set_uniform(cut, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_ENCLOSING);
    else if (is_before_bundle(reader, list, bundle))
        set_uniform(cut, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_ENCLOSING);
    else
        set_uniform(cut, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW);
}

static void judge_bundle(const annot_reader *reader, const struct annot__entry *bundle,
                         uint32_t row, struct judgement *out)
{
    judge_row(reader, bundle->link == ANNOT__NONE ? NULL : &reader->streams[bundle->link], row,
              out);
}

void annot__bundle_cut(const annot_reader *reader, const struct annot__execution *execution,
                       const struct annot__entry *bundle, struct annot__cut *cut, uint32_t *started,
                       uint32_t *completed)
{
    *started = *completed = ANNOT__NONE;
    const struct annot__submitted *submission = &reader->submissions[execution->submission];
    uint32_t row = execution->cut.is_uniform && execution->state != ANNOT_STATE_IN_PROGRESS
                       ? reader->row_count
                       : row_lower(reader, execution->queue, submission->serial, execution->list,
                                   bundle->ordinal);
    if (row - execution->rows.first >= execution->rows.count ||
        reader->rows[row].bundle != bundle->ordinal) {
        bundle_cut_from_list(reader, &execution->cut, bundle, cut);
    } else {
        struct judgement judgement;
        judge_bundle(reader, bundle, row, &judgement);
        *cut = judgement.cut;
        cut->whole = (uint8_t)judgement.state;
        *started = judgement.started;
        *completed = judgement.completed;
    }
    shade_damaged(reader, bundle->link, cut);
}

/* ---- one execution ---- */

static bool bundle_has_begun(annot_state state)
{
    return state == ANNOT_STATE_IN_PROGRESS || state == ANNOT_STATE_FINISHED;
}

/* A bundle's row says something about the list around it: it moves the list's cut, or contradicts it. */
static bool merge_bundle(const annot_reader *reader, struct annot__execution *execution,
                         const struct annot__entry *bundle, annot_state state)
{
    struct annot__cut *cut = &execution->cut;
    if (execution->state == ANNOT_STATE_FINISHED)
        return state == ANNOT_STATE_FINISHED || state == ANNOT_STATE_UNKNOWN;
    if (execution->state == ANNOT_STATE_NOT_STARTED)
        return state == ANNOT_STATE_NOT_STARTED || state == ANNOT_STATE_UNKNOWN;
    if (cut->is_uniform || !cut->is_started_known || !is_exact(reader))
        return true;
    if (bundle_has_begun(state) && is_before_bundle(reader, cut, bundle))
        return false;
    if (state == ANNOT_STATE_NOT_STARTED && bundle->begin < cut->started)
        return false;
    if (state == ANNOT_STATE_IN_PROGRESS && bundle->end <= cut->completed)
        return false;
    if (bundle_has_begun(state) && cut->started < bundle->begin)
        cut->started = bundle->begin;
    return true;
}

static void contradict(annot_reader *reader, struct annot__execution *execution)
{
    execution->state = ANNOT_STATE_UNKNOWN;
    execution->evidence = ANNOT_EVIDENCE_CONTRADICTORY;
    set_uniform(&execution->cut, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CONTRADICTORY);
    ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0,
                reader->submissions[execution->submission].serial);
}

static void merge_bundles(annot_reader *reader, struct annot__execution *execution)
{
    if (execution->stream == ANNOT__NONE)
        return;
    for (uint32_t i = 0; i < execution->rows.count; i++) {
        struct annot__row *row = &reader->rows[execution->rows.first + i];
        if (row->bundle == 0)
            continue;
        const struct annot__stream *stream = &reader->streams[execution->stream];
        uint32_t entry = find_bundle(reader, stream, row->bundle);
        if (entry == ANNOT__NONE) {
            row->is_used = row->bundle <= stream->bundle_calls;
            continue;
        }
        struct judgement judgement;
        judge_bundle(reader, &reader->entries[entry], execution->rows.first + i, &judgement);
        if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY)
            ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, row->submission);
        else if (!merge_bundle(reader, execution, &reader->entries[entry], judgement.state)) {
            contradict(reader, execution);
            return;
        }
    }
}

static bool is_fenced(const annot_reader *reader, const struct annot__execution *execution)
{
    const struct annot__stream *queue = &reader->streams[execution->queue];
    return !queue->is_damaged &&
           reader->submissions[execution->submission].serial <= queue->completed;
}

static void judge_execution(annot_reader *reader, struct annot__execution *execution)
{
    const struct annot__submitted *submission = &reader->submissions[execution->submission];
    uint32_t first = row_lower(reader, execution->queue, submission->serial, execution->list, 0);
    uint32_t last = first;
    while (last < reader->row_count && reader->rows[last].queue == execution->queue &&
           reader->rows[last].submission == submission->serial &&
           reader->rows[last].list == execution->list && !reader->rows[last].is_used)
        reader->rows[last++].is_used = true;
    execution->rows = (struct annot__range){first, last - first};

    struct judgement judgement = {.started = ANNOT__NONE, .completed = ANNOT__NONE};
    bool has_row = execution->rows.count > 0 && reader->rows[first].bundle == 0;
    if (is_fenced(reader, execution))
        judge_as(&judgement, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_FENCE);
    else if (has_row)
        judge_row(reader,
                  execution->stream == ANNOT__NONE ? NULL : &reader->streams[execution->stream],
                  first, &judgement);
    else
        judge_as(&judgement, ANNOT_STATE_UNKNOWN,
                 reader->streams[execution->queue].is_damaged ? ANNOT_EVIDENCE_DAMAGED
                 : reader->device.has_report                  ? ANNOT_EVIDENCE_NO_ROW
                                                              : ANNOT_EVIDENCE_NO_REPORT);
    /* the recording may not be the one that was submitted, unless the row names its markers */
    if (reader->streams[execution->queue].is_damaged && judgement.state != ANNOT_STATE_IN_PROGRESS)
        judge_as(&judgement, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
    execution->cut = judgement.cut;
    execution->state = (uint8_t)judgement.state;
    execution->evidence = (uint8_t)judgement.evidence;
    execution->started = judgement.started;
    execution->completed = judgement.completed;
    shade_damaged(reader, execution->stream, &execution->cut);
    if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY)
        ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, submission->serial);
    if (judgement.evidence != ANNOT_EVIDENCE_FENCE && has_row)
        merge_bundles(reader, execution);
}

/* ---- one queue: what its order says about executions without a row ---- */

static bool is_lost(const annot_reader *reader)
{
    const struct annot__finding_count *of = reader->findings.of;
    return of[ANNOT__FINDING_SLOT_SECTION_HASH].count ||
           of[ANNOT__FINDING_SLOT_SECTION_FRAME].count ||
           of[ANNOT__FINDING_SLOT_SECTION_CUT].count ||
           of[ANNOT__FINDING_SLOT_SECTION_MISSING].count ||
           of[ANNOT__FINDING_SLOT_RECORD_BROKEN].count ||
           of[ANNOT__FINDING_SLOT_RECORD_ORPHAN].count ||
           of[ANNOT__FINDING_SLOT_END_MISSING].count || of[ANNOT__FINDING_SLOT_ID_REPEATED].count;
}

struct annot__range annot__executions_of(const annot_reader *reader,
                                         const struct annot__stream *queue)
{
    if (queue->submissions.count == 0)
        return (struct annot__range){0, 0};
    const struct annot__submitted *submissions = &reader->submissions[queue->submissions.first];
    uint32_t first = submissions[0].executions.first;
    const struct annot__range *last = &submissions[queue->submissions.count - 1].executions;
    return (struct annot__range){first, last->first + last->count - first};
}

static void infer(const annot_reader *reader, struct annot__execution *execution, annot_state state,
                  annot_evidence evidence)
{
    if (execution->evidence != ANNOT_EVIDENCE_NO_ROW || execution->rows.count > 0)
        return;
    execution->state = (uint8_t)state;
    execution->evidence = (uint8_t)evidence;
    set_uniform(&execution->cut, state, evidence);
    shade_damaged(reader, execution->stream, &execution->cut);
}

/*
 * In order: what lies before the first execution in progress, or before the last finished one, is finished; what lies
 * behind one that has not started, or behind the last one in progress, has not started. A driver that says "not
 * started" of something that lies before what has started is wrong about one of them: that "not started" is dropped.
 * Holds only where rows can't be lost and markers keep their order.
 */
static void infer_queue(annot_reader *reader, const struct annot__stream *queue)
{
    struct annot__range range = annot__executions_of(reader, queue);
    if (range.count == 0 || !is_exact(reader) || is_lost(reader) || queue->is_damaged)
        return;
    struct annot__execution *executions = &reader->executions[range.first];
    uint32_t in_progress = ANNOT__NONE, started = ANNOT__NONE, waiting = ANNOT__NONE;
    for (uint32_t i = range.count; i-- > 0;) {
        struct annot__execution *execution = &executions[i];
        bool is_reached =
            execution->state == ANNOT_STATE_FINISHED || execution->state == ANNOT_STATE_IN_PROGRESS;
        if (started == ANNOT__NONE && is_reached)
            started = i;
        if (execution->state == ANNOT_STATE_IN_PROGRESS)
            in_progress = i;
        if (execution->state == ANNOT_STATE_NOT_STARTED) {
            waiting = i;
            if (started != ANNOT__NONE)
                contradict(reader, execution);
        }
    }
    if (started == ANNOT__NONE && waiting == ANNOT__NONE)
        return;
    for (uint32_t i = 0; i < range.count; i++) {
        if (started != ANNOT__NONE && i < started &&
            (in_progress == ANNOT__NONE || i < in_progress))
            infer(reader, &executions[i], ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_LATER_STARTED);
        bool is_behind = (started == ANNOT__NONE || i > started) &&
                         (in_progress != ANNOT__NONE || (waiting != ANNOT__NONE && i > waiting));
        if (is_behind)
            infer(reader, &executions[i], ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_BEHIND);
    }
}

/* Finished and not-started lists side by side: the GPU is between them, inside the submission. */
static void judge_submission(annot_reader *reader, struct annot__submitted *submission)
{
    const struct annot__stream *queue = &reader->streams[submission->queue];
    uint32_t count[4] = {0};
    for (uint32_t i = 0; i < submission->executions.count; i++)
        count[reader->executions[submission->executions.first + i].state]++;
    uint32_t all = submission->executions.count;
    bool is_fenced = !queue->is_damaged && submission->serial <= queue->completed;
    if (is_fenced || (all > 0 && count[ANNOT_STATE_FINISHED] == all))
        submission->state = ANNOT_STATE_FINISHED;
    else if (all == 0 || count[ANNOT_STATE_UNKNOWN] == all)
        submission->state = ANNOT_STATE_UNKNOWN;
    else if (count[ANNOT_STATE_NOT_STARTED] == all)
        submission->state = ANNOT_STATE_NOT_STARTED;
    else if (count[ANNOT_STATE_IN_PROGRESS] > 0 ||
             (count[ANNOT_STATE_FINISHED] > 0 && count[ANNOT_STATE_NOT_STARTED] > 0))
        submission->state = ANNOT_STATE_IN_PROGRESS;
    else
        submission->state = ANNOT_STATE_UNKNOWN;
}

/* ---- a queue's own markers ---- */

static uint32_t raise(uint32_t position, uint32_t to)
{
    return position > to ? position : to;
}

/* Position of the first submission that is known not to be finished, ANNOT__NEVER when there is none. */
static uint32_t first_unfinished(const annot_reader *reader, const struct annot__stream *queue)
{
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        if (submission->state == ANNOT_STATE_IN_PROGRESS ||
            submission->state == ANNOT_STATE_NOT_STARTED)
            return reader->entries[submission->entry].begin;
    }
    return ANNOT__NEVER;
}

/* A queue's markers lie between its submissions, so what is known of a submission is known of the markers before it:
 * always from the fence, from the rest only where markers keep their order. */
static void cut_from_submissions(const annot_reader *reader, const struct annot__stream *queue,
                                 struct annot__cut *cut)
{
    bool is_all_finished = true;
    *cut = (struct annot__cut){.is_completed_known = true, .evidence = ANNOT_EVIDENCE_NO_ROW};
    for (uint32_t i = 0; i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        uint32_t at = reader->entries[submission->entry].begin;
        if (submission->serial > queue->completed && !is_exact(reader))
            break;
        if (submission->state == ANNOT_STATE_IN_PROGRESS) {
            cut->is_started_known = true;
            cut->evidence = ANNOT_EVIDENCE_BEHIND;
            if (is_all_finished)
                cut->completed = raise(cut->completed, at - 1);
        } else if (submission->state == ANNOT_STATE_FINISHED && is_all_finished) {
            cut->completed = raise(cut->completed, at);
        }
        if (submission->state == ANNOT_STATE_IN_PROGRESS ||
            submission->state == ANNOT_STATE_FINISHED)
            cut->started = raise(cut->started, at);
        is_all_finished &= submission->state == ANNOT_STATE_FINISHED;
    }
}

/* The driver's row for the queue may say more; one that has completed what lies behind an unfinished submission is
 * wrong. */
static void merge_queue_row(annot_reader *reader, struct annot__stream *queue, uint32_t row)
{
    struct annot__cut *cut = &queue->cut;
    struct judgement judgement;
    judge_row(reader, queue, row, &judgement);
    bool is_cut = !judgement.cut.is_uniform;
    if (is_cut && is_exact(reader) && judgement.cut.completed > first_unfinished(reader, queue))
        judgement.evidence = ANNOT_EVIDENCE_CONTRADICTORY;
    if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY) {
        ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, queue->object);
        cut->evidence = ANNOT_EVIDENCE_CONTRADICTORY;
    } else if (is_cut) {
        cut->started = raise(cut->started, judgement.cut.started);
        cut->completed = raise(cut->completed, judgement.cut.completed);
        cut->is_started_known = judgement.cut.is_started_known;
        cut->is_completed_known = judgement.cut.is_completed_known;
        cut->evidence = judgement.cut.evidence;
        queue->cut_started = judgement.started;
        queue->cut_completed = judgement.completed;
    }
}

static void judge_queue(annot_reader *reader, struct annot__stream *queue, uint32_t index)
{
    uint32_t first = row_lower(reader, index, 0, ANNOT_PROGRESS_QUEUE, 0);
    uint32_t row = first;
    while (row < reader->row_count &&
           row_order(&reader->rows[row], index, 0, ANNOT_PROGRESS_QUEUE, 0) == 0)
        reader->rows[row++].is_used = true;
    if (queue->is_damaged) {
        set_uniform(&queue->cut, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_DAMAGED);
        return;
    }
    cut_from_submissions(reader, queue, &queue->cut);
    if (row > first)
        merge_queue_row(reader, queue, first);
}

static bool is_submission_held(const annot_reader *reader, const struct annot__stream *queue,
                               uint64_t serial)
{
    uint32_t low = 0, high = queue->submissions.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->submissions[queue->submissions.first + middle].serial < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < queue->submissions.count &&
           reader->submissions[queue->submissions.first + low].serial == serial;
}

static void check_stray_rows(annot_reader *reader)
{
    for (uint32_t i = 0; i < reader->row_count; i++) {
        const struct annot__row *row = &reader->rows[i];
        if (i > 0 && is_same_key(row, row - 1))
            ANNOT__FIND(&reader->findings, ROW_REPEATED, 0, row->submission);
        if (row->is_used || row->is_damaged)
            continue;
        /* evicted, dropped, or never kept: lists of RUNTIME_ONLY devices leave no submissions */
        const struct annot__stream *queue =
            row->queue != ANNOT__NONE ? &reader->streams[row->queue] : NULL;
        bool is_not_kept = queue && row->list != ANNOT_PROGRESS_QUEUE &&
                           annot__is_submitted(queue, row->submission) &&
                           !is_submission_held(reader, queue, row->submission);
        if (!is_not_kept && !is_lost(reader))
            ANNOT__FIND(&reader->findings, ROW_STRAY, 0, row->submission);
    }
}

/* ---- stops ---- */

static annot_state entry_state(const annot_reader *reader, const struct annot__cut *cut,
                               uint32_t entry)
{
    return annot__cut_state(reader, cut, reader->entries[entry].begin, reader->entries[entry].end);
}

/* The innermost scope in progress around a marker, itself among them. */
static uint32_t innermost(const annot_reader *reader, const struct annot__cut *cut, uint32_t entry)
{
    while (entry != ANNOT__NONE && (reader->entries[entry].kind != ANNOT_ENTRY_BEGIN ||
                                    entry_state(reader, cut, entry) != ANNOT_STATE_IN_PROGRESS))
        entry = reader->entries[entry].parent;
    return entry;
}

/* The first unfinished scope that started, and ended for the front of the GPU, before `leaf` did: work that a GPU with
 * several things in flight may be stuck in as well. `*budget` bounds the search over all executions. */
static uint32_t find_oldest(const annot_reader *reader, const struct annot__execution *execution,
                            uint32_t leaf, uint32_t completed, uint64_t *budget)
{
    const struct annot__stream *stream = &reader->streams[execution->stream];
    uint32_t from = completed == ANNOT__NONE ? stream->entries.first : completed;
    for (uint32_t i = from; *budget > 0 && i < leaf; i++, --*budget)
        if (reader->entries[i].kind == ANNOT_ENTRY_BEGIN && reader->entries[i].last < leaf &&
            entry_state(reader, &execution->cut, i) == ANNOT_STATE_IN_PROGRESS)
            return i;
    return ANNOT__NONE;
}

/* The bundle that is in progress: the last of those that the driver says are. */
static void stop_in_bundle(const annot_reader *reader, const struct annot__execution *execution,
                           annot_reader_stop *stop)
{
    const struct annot__stream *stream = &reader->streams[execution->stream];
    for (uint32_t i = execution->rows.count; i-- > 0;) {
        uint32_t row = execution->rows.first + i;
        uint32_t ordinal = reader->rows[row].bundle;
        uint32_t entry = ordinal ? find_bundle(reader, stream, ordinal) : ANNOT__NONE;
        if (entry == ANNOT__NONE)
            continue;
        struct judgement judgement;
        judge_bundle(reader, &reader->entries[entry], row, &judgement);
        if (judgement.state != ANNOT_STATE_IN_PROGRESS)
            continue;
        stop->bundle = entry;
        stop->bundle_entry = innermost(reader, &judgement.cut, judgement.started);
        stop->entry = innermost(reader, &execution->cut, reader->entries[entry].parent);
        stop->started = judgement.started;
        stop->completed = judgement.completed;
        return;
    }
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
    stop->entry = innermost(reader, &execution->cut, execution->started);
    stop_in_bundle(reader, execution, stop);
    uint32_t leaf = stop->entry != ANNOT__NONE ? stop->entry : execution->started;
    if (leaf != ANNOT__NONE && is_exact(reader))
        stop->oldest = find_oldest(reader, execution, leaf, execution->completed, budget);
}

/* A submission in progress none of whose lists is: the first list that has not started. */
static uint32_t stop_between(const annot_reader *reader, const struct annot__submitted *submission)
{
    if (submission->state != ANNOT_STATE_IN_PROGRESS)
        return ANNOT__NONE;
    uint32_t between = ANNOT__NONE;
    for (uint32_t i = submission->executions.count; i-- > 0;) {
        uint32_t index = submission->executions.first + i;
        if (reader->executions[index].state == ANNOT_STATE_IN_PROGRESS)
            return ANNOT__NONE;
        if (reader->executions[index].state == ANNOT_STATE_NOT_STARTED)
            between = index;
    }
    return between;
}

static bool find_stops(annot_reader *reader)
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
    for (uint32_t i = 0; i < reader->submission_count; i++) {
        const struct annot__submitted *submission = &reader->submissions[i];
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

/* ---- all of it ---- */

static void count_submissions(annot_reader *reader)
{
    uint32_t finished = 0, waiting = 0;
    for (uint32_t i = 0; i < reader->submission_count; i++) {
        struct annot__submitted *submission = &reader->submissions[i];
        submission->finished_before = finished;
        submission->waiting_before = waiting;
        finished += submission->state == ANNOT_STATE_FINISHED;
        waiting += submission->state == ANNOT_STATE_NOT_STARTED;
    }
}

bool annot__analyse(annot_reader *reader)
{
    if (!sort_rows(reader))
        return false;
    for (uint32_t i = 0; i < reader->execution_count; i++)
        judge_execution(reader, &reader->executions[i]);
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_queue)
            infer_queue(reader, &reader->streams[i]);
    for (uint32_t i = 0; i < reader->submission_count; i++)
        judge_submission(reader, &reader->submissions[i]);
    count_submissions(reader);
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (reader->streams[i].is_queue)
            judge_queue(reader, &reader->streams[i], i);
    check_stray_rows(reader);
    return annot__find_crossings(reader) && find_stops(reader);
}
