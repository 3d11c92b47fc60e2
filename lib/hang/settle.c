/* Finds the suspects. A place where work stopped gets scopes, by breadcrumbs or else the driver,
 * and an operation. A queue without such a place gets its oldest work that may be unfinished.
 * order.c sorts the suspects. */
#include "hang/settle.h"
#include "analysis/bundle.h"

#include "analysis/operation.h"
#include "dump_read/ops.h"
#include "analysis/witness.h"
#include "hang/candidates.h"
#include "hang/failure.h"
#include "hang/hang.h"
#include "hang/order.h"
#include "hang/unfinished.h"
#include "hang/wait.h"

#include <annot/dump.h>

enum { ELSEWHERE_MAX = 256 /* lists that were not kept */ };

/* Returns the breadcrumbs of the bundle in progress, or of the execution, or NONE. */
static uint32_t crumbs_of(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    if (stop->is_between)
        return ANNOT__NONE;
    if (stop->bundle == ANNOT__NONE)
        return execution->crumbs;
    return annot__bundle_crumbs(reader, execution,
                                annot__entry_bundle(reader, stop->bundle).ordinal);
}

/* Returns the operation that is not done, or ANNOT__NONE if it is not known or all are done. */
static uint32_t counted_op(const annot_reader *reader, uint32_t crumbs)
{
    if (crumbs == ANNOT__NONE || reader->crumbs[crumbs].is_damaged)
        return ANNOT__NONE;
    const struct annot__dump_CRUMBS *of = &reader->crumbs[crumbs].fields;
    return of->done < of->count ? annot_reader_op(reader, crumbs, of->done) : ANNOT__NONE;
}

/* ---- where ---- */

/* Moves the stop to the scope that breadcrumbs tell, which are believed before the driver, or, if
 * the driver's front end is ahead, from there up to where it is. A BeginEvent that is not done
 * opens its scope where the driver saw it start. */
static void refine(const annot_reader *reader, annot_reader_stop *stop,
                   annot_reader_suspect *suspect)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    const uint32_t index =
        stop->bundle == ANNOT__NONE ? execution->stream : reader->entries[stop->bundle].leaf.link;
    uint32_t *entry = stop->bundle == ANNOT__NONE ? &stop->entry : &stop->bundle_entry;
    struct annot__judgement judgement;
    if (suspect->crumbs == ANNOT__NONE || suspect->op == ANNOT__NONE || index == ANNOT__NONE ||
        !annot__judge_crumbs(reader, &reader->streams[index], &reader->crumbs[suspect->crumbs],
                             &judgement))
        return;
    const struct annot__stream *stream = &reader->streams[index];
    uint32_t scope = annot__scope_at(reader, stream, judgement.bounds.started);
    if (stop->bundle == ANNOT__NONE && annot__op_is_work(suspect->op) && scope != ANNOT__NONE &&
        execution->bounds.started > judgement.bounds.started) {
        stop->oldest = scope != stop->entry ? scope : ANNOT__NONE;
        suspect->is_exact = scope == stop->entry;
        return;
    }
    suspect->is_exact = true;
    if (stop->bundle == ANNOT__NONE)
        stop->oldest = ANNOT__NONE;
    if (suspect->op == ANNOT__BEGIN_EVENT) {
        suspect->begin = annot__last_marker_at(reader, stream, judgement.bounds.started + 2);
        if (suspect->begin == *entry)
            return;
        if (suspect->begin != ANNOT__NONE)
            scope = reader->entries[suspect->begin].parent;
    }
    *entry = scope;
}

/* Returns true if the innermost scope is known by what the driver or breadcrumbs follow. */
static bool is_exact(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    struct annot__progress_bounds bounds = execution->bounds;
    if (stop->bundle != ANNOT__NONE)
        annot__bundle_bounds(reader, execution, stop->bundle, &bounds);
    return !bounds.is_uniform && bounds.is_started_known && bounds.is_completed_known &&
           annot__window_of_bounds(reader, &bounds) == 0;
}

/* ---- who says so ---- */

static void hear(const annot_reader *reader, annot_reader_suspect *suspect)
{
    const annot_reader_hang *hang = &reader->hang;
    suspect->mixes_threads =
        suspect->submission != ANNOT__NONE && annot__mixes_threads(reader, suspect->submission);
    const uint32_t kernel =
        hang->is_guilty_by_driver ? ANNOT_WITNESS_KERNEL_DRIVER : ANNOT_WITNESS_KERNEL;
    if (hang->guilty != 0 && hang->guilty == suspect->queue_object)
        suspect->witnesses |= kernel;
    else if (hang->guilty != 0)
        suspect->against |= kernel;
    if (suspect->execution == ANNOT__NONE)
        return;
    const struct annot__execution *execution = &reader->executions[suspect->execution];
    if (execution->rows.count > 0)
        suspect->witnesses |= ANNOT_WITNESS_DRIVER;
    if (suspect->crumbs != ANNOT__NONE)
        suspect->witnesses |= ANNOT_WITNESS_CRUMBS;
    if (execution->is_disputed)
        suspect->against |= execution->evidence == ANNOT_EVIDENCE_FENCE ? ANNOT_WITNESS_CRUMBS
                                                                        : ANNOT_WITNESS_DRIVER;
    suspect->witnesses &= ~suspect->against;
}

/* ---- suspects ---- */

static annot_reader_suspect *add(annot_reader *reader, uint32_t queue, annot_suspect_place place)
{
    annot_reader_suspect *suspect = &reader->suspects[reader->suspect_count++];
    *suspect = (annot_reader_suspect){
        .role = place <= ANNOT_SUSPECT_STARTED ? ANNOT_SUSPECT_IN_PROGRESS : ANNOT_SUSPECT_MAY_BE,
        .place = place,
        .queue_object = queue == ANNOT__NONE ? reader->hang.guilty : reader->streams[queue].object,
        .queue = queue,
        .submission = ANNOT__NONE,
        .execution = ANNOT__NONE,
        .stop = ANNOT__NONE,
        .crumbs = ANNOT__NONE,
        .begin = ANNOT__NONE,
        .op = ANNOT__NONE,
        .noted = ANNOT__NONE,
        .last = ANNOT__NONE,
        .is_begun = place <= ANNOT_SUSPECT_STARTED,
    };
    if (queue != ANNOT__NONE)
        reader->streams[queue].has_suspect = true;
    if (reader->hang.guilty != 0 && suspect->queue_object == reader->hang.guilty)
        suspect->role = ANNOT_SUSPECT_GUILTY;
    return suspect;
}

static void add_stop(annot_reader *reader, uint32_t index, uint64_t *budget)
{
    annot_reader_stop *stop = &reader->stops[index];
    const struct annot__execution *execution = &reader->executions[stop->execution];
    annot_reader_suspect *suspect =
        add(reader, stop->queue,
            stop->is_between ? ANNOT_SUSPECT_BETWEEN_LISTS : ANNOT_SUSPECT_IN_LIST);
    suspect->submission = stop->submission;
    suspect->serial = reader->submissions[stop->submission].serial;
    suspect->execution = stop->execution;
    suspect->list = execution->list;
    suspect->stop = index;
    suspect->crumbs = crumbs_of(reader, stop);
    suspect->op = counted_op(reader, suspect->crumbs);
    suspect->dropped =
        execution->stream == ANNOT__NONE ? 0 : reader->streams[execution->stream].dropped;
    suspect->is_exact = is_exact(reader, stop);
    stop->is_guilty = suspect->role == ANNOT_SUSPECT_GUILTY;
    annot__find_operation(reader, stop, suspect, budget);
    refine(reader, stop, suspect);
    suspect->is_call = annot__is_call(reader, suspect);
}

static void add_elsewhere(annot_reader *reader, uint64_t *budget)
{
    uint32_t taken = 0, i = annot__operation_elsewhere(reader, 0);
    for (; i != ANNOT__NONE && taken < ELSEWHERE_MAX; taken++) {
        const struct annot__crumbs *crumbs = &reader->crumbs[i];
        annot_reader_suspect *suspect = add(reader, crumbs->queue, ANNOT_SUSPECT_COUNTED);
        suspect->serial = crumbs->fields.submission;
        suspect->list = crumbs->fields.list;
        suspect->crumbs = i;
        suspect->op = counted_op(reader, i);
        suspect->certainty =
            annot__op_is_work(suspect->op) ? ANNOT_OPERATION_COUNTED : ANNOT_OPERATION_NONE;
        if (suspect->certainty != ANNOT_OPERATION_NONE)
            annot__find_candidates(reader, NULL, suspect, budget);
        suspect->witnesses = ANNOT_WITNESS_CRUMBS;
        i = annot__operation_elsewhere(reader, i + 1);
    }
    if (taken > 0) /* breadcrumbs say more than the driver's rows */
        return;
    for (i = annot__started_elsewhere(reader, 0); i != ANNOT__NONE && taken < ELSEWHERE_MAX;
         taken++) {
        annot_reader_suspect *suspect = add(reader, reader->rows[i].queue, ANNOT_SUSPECT_STARTED);
        suspect->serial = reader->rows[i].submission;
        suspect->list = reader->rows[i].list;
        suspect->witnesses = ANNOT_WITNESS_DRIVER;
        i = annot__started_elsewhere(reader, i + 1);
    }
}

static uint32_t first_waiting(const annot_reader *reader, uint32_t queue)
{
    const struct annot__range *of = &reader->streams[queue].submissions;
    for (uint32_t i = of->first; i < of->first + of->count; i++)
        if (reader->submissions[i].state == ANNOT_STATE_NOT_STARTED &&
            reader->submissions[i].executions.count > 0)
            return i;
    return ANNOT__NONE;
}

/* Adds a suspect for a queue whose progress is unknown, or whose next work waits. */
static void add_queue(annot_reader *reader, uint32_t queue)
{
    const uint32_t oldest = annot__oldest_unknown(reader, queue);
    const bool is_pending = oldest == ANNOT__NONE && annot__is_pending(reader, queue);
    const uint32_t at = oldest != ANNOT__NONE || is_pending ? oldest : first_waiting(reader, queue);
    if (at == ANNOT__NONE && !is_pending)
        return;
    annot_reader_suspect *suspect =
        add(reader, queue, is_pending ? ANNOT_SUSPECT_NOT_KEPT : ANNOT_SUSPECT_SUBMISSION);
    suspect->witnesses = ANNOT_WITNESS_FENCE;
    suspect->submission = at;
    if (is_pending) {
        suspect->serial = reader->streams[queue].completed + 1;
        if (suspect->role == ANNOT_SUSPECT_MAY_BE && annot__is_held(reader, queue, suspect->serial))
            suspect->role = ANNOT_SUSPECT_WAITING;
        return;
    }
    const struct annot__submitted *submission = &reader->submissions[at];
    if (suspect->role == ANNOT_SUSPECT_MAY_BE &&
        (oldest == ANNOT__NONE || annot__is_held(reader, queue, submission->serial)))
        suspect->role = ANNOT_SUSPECT_WAITING;
    suspect->serial = submission->serial;
    suspect->execution = submission->executions.first;
    suspect->is_begun = submission->state == ANNOT_STATE_IN_PROGRESS;
}

/* Adds the guilty queue, if none of its work is a suspect. */
static void add_guilty(annot_reader *reader)
{
    const uint32_t queue = annot__index_find(&reader->queue_index, reader->hang.guilty);
    annot_reader_suspect *suspect = add(reader, queue, ANNOT_SUSPECT_QUEUE);
    if (queue == ANNOT__NONE)
        return;
    const struct annot__stream *stream = &reader->streams[queue];
    const bool is_done =
        stream->submitted > 0 && (stream->completed >= stream->submitted ||
                                  annot_reader_queue_verdict(reader, queue) == ANNOT_QUEUE_IDLE);
    if (is_done)
        suspect->role = ANNOT_SUSPECT_CLEARED;
    else if (stream->submitted > stream->completed)
        suspect->serial = stream->completed + 1;
    suspect->against = is_done ? ANNOT_WITNESS_FENCE : 0;
}

static void add_suspects(annot_reader *reader)
{
    uint64_t budget = 1u << 22;
    const bool has_failed = reader->device.error != ANNOT_DEVICE_ERROR_NONE;
    bool has_guilty = reader->hang.guilty == 0;
    for (uint32_t i = 0; i < reader->stop_count; i++)
        add_stop(reader, i, &budget);
    add_elsewhere(reader, &budget);
    for (uint32_t i = 0; i < reader->stream_count && has_failed; i++)
        if (reader->streams[i].is_queue && !reader->streams[i].has_suspect)
            add_queue(reader, i);
    for (uint32_t i = 0; i < reader->suspect_count; i++) {
        hear(reader, &reader->suspects[i]);
        if (annot__waits_inside(reader, &reader->suspects[i]))
            reader->suspects[i].role = ANNOT_SUSPECT_WAITING;
        has_guilty |= reader->suspects[i].role == ANNOT_SUSPECT_GUILTY;
    }
    if (!has_guilty && annot__is_crash(reader))
        add_guilty(reader);
}

/* ---- the application's own failure ---- */

/* Finds the recording of the thread that failed, or the only recording if the thread is not
 * known. */
static void find_recording(annot_reader *reader)
{
    annot_reader_hang *hang = &reader->hang;
    const uint32_t thread = reader->device.thread;
    hang->failed = ANNOT__NONE;
    for (uint32_t i = 0; i < reader->stream_count; i++) {
        const struct annot__stream *stream = &reader->streams[i];
        if (!stream->is_open || stream->is_queue)
            continue;
        hang->recording++;
        if (thread == 0 ? hang->recording == 1
                        : stream->thread == thread && hang->failed == ANNOT__NONE)
            hang->failed = i;
    }
    if (thread == 0 && hang->recording > 1)
        hang->failed = ANNOT__NONE;
}

/* ---- the address of a page fault ---- */

static uint32_t witness_of(uint32_t source)
{
    static const uint32_t witnesses[] = {0, ANNOT_WITNESS_KERNEL, ANNOT_WITNESS_CRUMBS,
                                         ANNOT_WITNESS_DRIVER};
    return witnesses[source];
}

/* Returns true if both are in one page, because the kernel's log has the page's begin. */
static bool is_same_page(uint64_t address, uint64_t other)
{
    const uint64_t page = 4096;
    return address / page == other / page && (address % page == 0 || other % page == 0);
}

/* Whether there can be a fault address: only a page fault has one, whatever the witnesses say. */
static bool may_have_fault(const annot_reader *reader)
{
    const uint32_t error = reader->device.error;
    return !reader->has_device ||
           (error != ANNOT_DEVICE_ERROR_NONE && error != ANNOT_DEVICE_ERROR_HUNG &&
            error != ANNOT_DEVICE_ERROR_APPLICATION);
}

static void hear_fault(annot_reader *reader, uint32_t source, bool is_first)
{
    annot_reader_hang *hang = &reader->hang;
    const uint64_t address = reader->faults[source];
    if (may_have_fault(reader) && (is_first || address == hang->fault_address ||
                                   is_same_page(address, hang->fault_address))) {
        hang->fault_witnesses |= witness_of(source);
        if (is_first || address > hang->fault_address)
            hang->fault_address = address;
    } else {
        hang->fault_against |= witness_of(source);
        hang->fault_otherwise = address;
    }
}

/* Chooses the fault's address: the kernel's, or else the runtime's, or else the driver's. */
static void settle_fault(annot_reader *reader)
{
    static const uint32_t order[] = {ANNOT_FAULT_KERNEL, ANNOT_FAULT_RUNTIME, ANNOT_FAULT_DRIVER,
                                     0};
    bool is_first = true;
    for (unsigned i = 0; i < sizeof order / sizeof order[0]; i++) {
        if (reader->faults[order[i]] == 0)
            continue;
        hear_fault(reader, order[i], is_first);
        is_first = false;
    }
    reader->fault_address = reader->hang.fault_address;
    if (is_first || !may_have_fault(reader))
        reader->fault_count = 0;
}

/* ---- all of it ---- */

static void settle_hang(annot_reader *reader)
{
    annot_reader_hang *hang = &reader->hang;
    hang->is_guilty_by_driver = reader->tdr.fields.context != 0;
    hang->guilty =
        hang->is_guilty_by_driver ? reader->tdr.fields.context : reader->tdr.fields.queue;
    hang->is_ordered = annot__fact_of(reader, "EMU_HANG").size > 0 ||
                       annot__fact_of(reader, "EMU_FAULT").size > 0 ||
                       annot__fact_of(reader, "EMU_LOSE").size > 0;
    hang->is_anothers =
        annot__text_begins(annot__fact_of(reader, ANNOT_FACT_RESET_OF), "another process");
    hang->slow = annot__fact_of(reader, ANNOT_FACT_SLOW);
    find_recording(reader);
    settle_fault(reader);
}

bool annot__settle(annot_reader *reader)
{
    uint32_t queues = 0;
    for (uint32_t i = 0; i < reader->stream_count; i++)
        queues += reader->streams[i].is_queue;
    settle_hang(reader);
    annot__hold_queues(reader);
    reader->suspects_capacity = reader->stop_count + ELSEWHERE_MAX + queues + 1;
    reader->waits_capacity = queues + reader->held_count;
    reader->suspects =
        annot__reader_allocate(reader, reader->suspects_capacity, sizeof *reader->suspects);
    reader->waits = annot__reader_allocate(reader, reader->waits_capacity, sizeof *reader->waits);
    if (reader->allocation != ANNOT_OK)
        return false;
    add_suspects(reader);
    reader->hang.has_unfinished = annot__has_unfinished(reader);
    if (!annot__order_suspects(reader))
        return false;
    annot__find_waits(reader);
    annot__settle_failure(reader);
    return true;
}
