/* Makes the slices of a queue's work on the GPU. The queue's engine executes one operation after
 * another, so each call of a submission begins when the previous call ended. The first call without
 * a time was not completed, and lasts until the error. There is no evidence that later calls began.
 *
 * Calls are joined with scopes by counting markers, as breadcrumbs are (analysis/witness.c): the
 * marker operations before operation n of the recording give the scopes that are open there. */
#include "timeline/timeline_queue.h"
#include "dump_read/ops.h"

struct queue {
    struct annot_timeline *timeline;
    const struct annot__submitted_times *times;
    uint32_t track, depth; /* track and depth of the next slice */
    uint64_t now;          /* end of the last call, in ns */
    bool has_stopped;      /* a call was not done */
    uint32_t timed_end;    /* behind the submission's last record that has a time */
};

/* The open scopes of one stream. */
struct scopes {
    struct annot__list *open;           /* struct annot__open_scope */
    const struct annot__stream *stream; /* NULL: not joined */
    uint64_t log;
    uint32_t markers, count; /* counts of the recording */
    uint32_t at;             /* the next entry */
    uint32_t list;           /* the list's index; NONE: the queue's scopes */
};

/* ---- slices ---- */

static size_t add(struct queue *queue, annot_slice_kind kind, uint64_t begin, uint64_t end,
                  const annot_timeline_slice *more)
{
    annot_timeline_slice slice = *more;
    slice.kind = kind;
    slice.track = queue->track;
    slice.depth = queue->depth;
    slice.begin = begin;
    slice.end = end > begin ? end : begin;
    slice.submission = queue->times->fields.submission;
    slice.queue = queue->times->queue;
    return annot__slice_add(queue->timeline, &slice);
}

static annot_timeline_slice none(uint32_t list)
{
    return (annot_timeline_slice){.list = list, .entry = ANNOT__NONE, .op = ANNOT__NONE};
}

/* Ends a slice now, or at the error's time if it is unfinished. */
static void finish(struct queue *queue, size_t at)
{
    if (at == SIZE_MAX)
        return;
    annot_timeline_slice *slice = annot__slice(queue->timeline, at);
    slice->is_unfinished = queue->has_stopped;
    slice->end = queue->has_stopped ? queue->timeline->end : queue->now;
    if (slice->end < slice->begin)
        slice->end = slice->begin;
}

/* Returns true if the driver did not let the work execute; waiting work doesn't count. */
static bool is_not_executed(const struct queue *queue)
{
    const uint32_t flags = ANNOT_SUBMITTED_NULL_RENDERING | ANNOT_SUBMITTED_COMPLETED;
    return (queue->times->fields.flags & flags) == flags;
}

static void wait_for(struct queue *queue, uint32_t list, uint32_t first, uint32_t op,
                     uint32_t calls)
{
    annot_timeline_waiting *waiting =
        annot__list_add(queue->timeline, &queue->timeline->waiting, sizeof *waiting);
    if (waiting)
        *waiting = (annot_timeline_waiting){
            .queue = queue->times->queue,
            .submission = queue->times->fields.submission,
            .list = list,
            .first = first,
            .op = op,
            .calls = calls,
            .is_null_rendering = is_not_executed(queue),
        };
}

/* ---- scopes of one list ---- */

/* Finds the recording that a list executed, if its markers are the log's markers. */
static void scopes_init(const struct queue *queue, const struct annot__dump_HISTORY *fields,
                        struct scopes *scopes)
{
    const annot_reader *reader = queue->timeline->reader;
    *scopes = (struct scopes){.open = &queue->timeline->open,
                              .log = fields->log,
                              .markers = fields->markers,
                              .count = fields->count,
                              .list = fields->list};
    if (queue->times->submission == ANNOT__NONE || fields->log == 0)
        return;
    const struct annot__submitted *submission = &reader->submissions[queue->times->submission];
    if (fields->list >= submission->executions.count)
        return;
    const uint32_t stream = reader->executions[submission->executions.first + fields->list].stream;
    if (stream == ANNOT__NONE || reader->streams[stream].is_damaged ||
        reader->streams[stream].dropped > 0 ||
        reader->streams[stream].operations != fields->markers)
        return;
    scopes->stream = &reader->streams[stream];
    scopes->at = scopes->stream->entries.first;
}

static struct annot__open_scope *innermost(const struct scopes *scopes)
{
    const struct annot__list *open = scopes->open;
    return open->count ? (struct annot__open_scope *)open->items + open->count - 1 : NULL;
}

static void leave(struct queue *queue, struct scopes *scopes)
{
    finish(queue, innermost(scopes)->slice);
    scopes->open->count--;
    queue->depth--;
}

static void leave_all(struct queue *queue, struct scopes *scopes)
{
    while (innermost(scopes))
        leave(queue, scopes);
}

static void enter(struct queue *queue, struct scopes *scopes, uint32_t entry)
{
    annot_timeline_slice more = none(scopes->list);
    more.entry = entry;
    struct annot__open_scope *scope = annot__list_add(queue->timeline, scopes->open, sizeof *scope);
    if (!scope)
        return;
    scope->entry = entry;
    scope->slice = add(queue, ANNOT_SLICE_SCOPE, queue->now, queue->now, &more);
    queue->depth++;
}

/* Leaves the scopes that end at or before the position. */
static void leave_behind(struct queue *queue, struct scopes *scopes, uint32_t position)
{
    const struct annot__entry *entries = queue->timeline->reader->entries;
    while (innermost(scopes) && entries[innermost(scopes)->entry].end <= position)
        leave(queue, scopes);
}

/* Enters the scopes around the position, and passes scopes that end before it without a call. */
static void enter_around(struct queue *queue, struct scopes *scopes, uint32_t position)
{
    struct annot_timeline *timeline = queue->timeline;
    const struct annot__entry *entries = timeline->reader->entries;
    const uint32_t end = scopes->stream->entries.first + scopes->stream->entries.count;
    for (; scopes->at < end && entries[scopes->at].begin <= position && timeline->visits_left > 0;
         scopes->at++) {
        const struct annot__entry *entry = &entries[scopes->at];
        timeline->visits_left--;
        if (entry->kind == ANNOT_ENTRY_BEGIN && entry->end > position)
            enter(queue, scopes, scopes->at);
    }
}

/* Counts the markers before the operation. Returns false if the dump can't tell. */
static bool markers_before(const struct queue *queue, const struct scopes *scopes, uint32_t op,
                           uint32_t *markers)
{
    uint32_t behind;
    if (op > scopes->count ||
        !annot__ops_markers(queue->timeline->reader, scopes->log, op, scopes->count, &behind) ||
        behind > scopes->markers)
        return false;
    *markers = scopes->markers - behind;
    return true;
}

/* ---- one list ---- */

/* Adds a call. `time` is 0 if the call was not done. */
static void add_call(struct queue *queue, struct scopes *scopes, uint64_t number, uint64_t time)
{
    const annot_reader *reader = queue->timeline->reader;
    const uint32_t op = (uint32_t)number - 1; /* from 0 */
    uint32_t markers;
    if (scopes->stream && markers_before(queue, scopes, op, &markers)) {
        leave_behind(queue, scopes, markers * 2);
        enter_around(queue, scopes, markers * 2);
    }
    annot_timeline_slice more = none(scopes->list);
    more.number = number;
    more.op = scopes->log ? annot__op_at(reader, scopes->log, op) : ANNOT__NONE;
    more.is_unfinished = time == 0;
    const uint64_t end = time ? annot__clock_convert(reader, time) : queue->timeline->end;
    add(queue, ANNOT_SLICE_CALL, queue->now, end, &more);
    queue->has_stopped = time == 0;
    if (end > queue->now)
        queue->now = end;
}

/* Returns the state of a list of the submission by other evidence. */
static annot_state state_of(const struct queue *queue, uint32_t list)
{
    const annot_reader *reader = queue->timeline->reader;
    if (queue->times->submission == ANNOT__NONE)
        return ANNOT_STATE_UNKNOWN;
    const struct annot__submitted *submission = &reader->submissions[queue->times->submission];
    return list < submission->executions.count
               ? (annot_state)reader->executions[submission->executions.first + list].state
               : ANNOT_STATE_UNKNOWN;
}

static bool has_time(const struct annot__history *history)
{
    struct annot__bytes calls = history->calls;
    while (calls.size >= ANNOT__CALL_BYTES && !history->is_damaged) {
        annot__bytes_u64(&calls);
        if (annot__bytes_u64(&calls) != 0)
            return true;
    }
    return false;
}

/* Returns true if a list may be unfinished. It may have work behind its last call, such as the
 * clears of a render pass. So if all calls are done, the list is finished only if a later list has
 * a time. */
static bool is_left(const struct queue *queue, uint32_t list, uint32_t next)
{
    return queue->times->fields.end == 0 && next >= queue->timed_end &&
           state_of(queue, list) != ANNOT_STATE_FINISHED;
}

/* Adds the calls of a list's records. Returns the first record of the next list. */
static uint32_t add_list(struct queue *queue, uint32_t first, uint32_t end)
{
    const annot_reader *reader = queue->timeline->reader;
    const struct annot__dump_HISTORY *fields = &reader->histories[first].fields;
    const annot_timeline_slice more = none(fields->list);
    struct scopes scopes;
    uint32_t waiting = 0, next = 0, next_op = ANNOT__NONE, i = first;
    scopes_init(queue, fields, &scopes);
    const annot_state state = state_of(queue, fields->list);
    const bool is_begun = !queue->has_stopped && state != ANNOT_STATE_NOT_STARTED;
    const size_t slice =
        is_begun ? add(queue, ANNOT_SLICE_LIST, queue->now, queue->now, &more) : SIZE_MAX;
    queue->depth += is_begun;
    for (; i < end && reader->histories[i].fields.list == fields->list; i++) {
        struct annot__bytes calls = reader->histories[i].calls;
        while (calls.size >= ANNOT__CALL_BYTES && !reader->histories[i].is_damaged) {
            const uint64_t number = annot__bytes_u64(&calls), time = annot__bytes_u64(&calls);
            if (is_begun && !queue->has_stopped) {
                add_call(queue, &scopes, number, time);
            } else if (waiting++ == 0) {
                next = (uint32_t)number;
                next_op = scopes.log ? annot__op_at(reader, scopes.log, next - 1) : ANNOT__NONE;
            }
        }
    }
    const bool has_stopped = queue->has_stopped || state == ANNOT_STATE_IN_PROGRESS;
    queue->has_stopped |= is_begun && is_left(queue, fields->list, i);
    leave_all(queue, &scopes);
    queue->depth -= is_begun;
    finish(queue, slice);
    queue->has_stopped &= has_stopped; /* if the state is unknown, a later list may have begun */
    if (waiting > 0 || !is_begun)
        wait_for(queue, fields->list, next, next_op, waiting);
    return i;
}

/* ---- one submission ---- */

static uint32_t timed_end(const annot_reader *reader, const struct annot__range *histories)
{
    uint32_t end = histories->first + histories->count;
    while (end > histories->first && !has_time(&reader->histories[end - 1]))
        end--;
    return end;
}

static void add_submission(struct queue *queue, struct scopes *outer)
{
    struct annot_timeline *timeline = queue->timeline;
    const annot_reader *reader = timeline->reader;
    const struct annot__submitted_times *times = queue->times;
    const struct annot__dump_SUBMITTED *fields = &times->fields;
    const annot_timeline_slice more = none(ANNOT__NONE);
    if (fields->flags & ANNOT_SUBMITTED_NULL_RENDERING) {
        wait_for(queue, ANNOT__NONE, 0, ANNOT__NONE, 0);
        return;
    }
    if (times->is_damaged || fields->problem != ANNOT_HISTORY_PROBLEM_NONE ||
        reader->clock_count == 0 ||
        (fields->begin == 0 && fields->flags & ANNOT_SUBMITTED_COMPLETED)) {
        timeline->untimed++;
        return;
    }
    if (fields->begin == 0) {
        wait_for(queue, ANNOT__NONE, 0, ANNOT__NONE, 0);
        return;
    }
    const uint32_t position =
        times->submission != ANNOT__NONE
            ? reader->entries[reader->submissions[times->submission].entry].begin
            : 0;
    leave_behind(queue, outer, position);
    queue->now = annot__clock_convert(reader, fields->begin);
    queue->has_stopped = false;
    if (outer->stream)
        enter_around(queue, outer, position);
    const size_t slice = add(queue, ANNOT_SLICE_SUBMISSION, queue->now, queue->now, &more);
    queue->depth++;
    queue->timed_end = timed_end(reader, &times->histories);
    for (uint32_t i = times->histories.first, end = i + times->histories.count; i < end;)
        i = add_list(queue, i, end);
    queue->depth--;
    queue->has_stopped |= fields->end == 0;
    const uint64_t end = annot__clock_convert(reader, fields->end);
    queue->now = end > queue->now ? end : queue->now;
    finish(queue, slice);
}

/* ---- the queue ---- */

void annot__timeline_queue(struct annot_timeline *timeline, uint32_t first, uint32_t end)
{
    const annot_reader *reader = timeline->reader;
    struct queue queue = {.timeline = timeline, .track = (uint32_t)timeline->tracks.count - 1};
    struct scopes outer = {.open = &timeline->outer, .list = ANNOT__NONE};
    const uint32_t stream = reader->submitted[first].queue;
    if (stream != ANNOT__NONE && !reader->streams[stream].is_damaged) {
        outer.stream = &reader->streams[stream];
        outer.at = outer.stream->entries.first;
    }
    for (uint32_t i = first; i < end; i++) {
        queue.times = &reader->submitted[i];
        add_submission(&queue, &outer);
    }
    leave_all(&queue, &outer);
}
