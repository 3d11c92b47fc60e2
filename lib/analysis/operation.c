/* Breadcrumbs count operations, and the recording has noted operations with numbers. Both come from
 * different calls of the runtime, so they are compared before they are joined: breadcrumbs must
 * have the noted kind under the same number, and no operation may be noted behind the last that
 * they count.
 */
#include "analysis/operation.h"

#include "dump_read/ops.h"
#include "analysis/analysis.h"
#include "analysis/witness.h"

/* Returns true if these breadcrumbs count everything that was noted. */
static bool is_same_recording(const annot_reader *reader, const struct annot__dump_CRUMBS *crumbs,
                              const struct annot__stream *stream)
{
    const struct annot__range *noted = &stream->noted;
    return !stream->is_damaged && !stream->is_counted_apart &&
           (noted->count == 0 ||
            reader->operations[noted->first + noted->count - 1].number < crumbs->count);
}

bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out)
{
    if (crumbs == ANNOT__NONE || stream == ANNOT__NONE)
        return false;
    const struct annot__crumbs *of = &reader->crumbs[crumbs];
    if ((of->fields.flags & ANNOT_CRUMBS_MARKERS_ONLY) ||
        !is_same_recording(reader, &of->fields, &reader->streams[stream]))
        return false;
    const uint32_t found = annot__operation_find(reader, stream, number);
    if (found == ANNOT__NONE ||
        reader->operations[found].kind != annot__op_at(reader, of->fields.log, number) ||
        !annot__operation_read(reader, found, out))
        return false;
    out->stream = stream;
    out->crumbs = crumbs;
    return true;
}

/* Finds the first operation that is not done. False: not known, or all are done. */
static bool stopped_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                       annot_reader_operation *operation, struct annot__stopped *out)
{
    if (crumbs == ANNOT__NONE ||
        !annot__operation_at(reader, crumbs, stream, reader->crumbs[crumbs].fields.done, operation))
        return false;
    *out = (struct annot__stopped){crumbs, stream, operation->number};
    return true;
}

/* Does the same for a bundle in progress that the list's operation executes. */
static bool stopped_in_bundle(const annot_reader *reader, const struct annot__execution *execution,
                              const annot_reader_stop *stop, const annot_reader_operation *call,
                              struct annot__stopped *out)
{
    annot_reader_operation inside;
    const uint32_t ordinal = annot__entry_bundle(reader, stop->bundle).ordinal;
    if (call->arguments[0] != (int64_t)ordinal)
        return false;
    stopped_at(reader, annot__bundle_crumbs(reader, execution, ordinal),
               reader->entries[stop->bundle].leaf.link, &inside, out);
    return true;
}

bool annot__operation_of_stop(const annot_reader *reader, const annot_reader_stop *stop,
                              struct annot__stopped *out)
{
    annot_reader_operation operation;
    const struct annot__execution *execution = &reader->executions[stop->execution];
    if (!stopped_at(reader, execution->crumbs, execution->stream, &operation, out))
        return false;
    if (stop->bundle == ANNOT__NONE)
        return true;
    return operation.kind == ANNOT__EXECUTE_BUNDLE &&
           stopped_in_bundle(reader, execution, stop, &operation, out);
}

/* ---- without breadcrumbs ---- */

static annot_operation_state from_state(annot_state state)
{
    return state == ANNOT_STATE_FINISHED ? ANNOT_OPERATION_DONE
           : state == ANNOT_STATE_NOT_STARTED || state == ANNOT_STATE_NOT_EXECUTED
               ? ANNOT_OPERATION_NOT_DONE
               : ANNOT_OPERATION_UNKNOWN;
}

/* ---- the state of any operation of an execution ---- */

/* Work before the last marker that drained is done; behind it, work in other scopes has not begun.
 */
static annot_operation_state from_drain(const annot_reader *reader,
                                        const struct annot__progress_bounds *bounds,
                                        const annot_reader_operation *operation, uint32_t scope)
{
    const struct annot__stream *stream = &reader->streams[operation->stream];
    const uint32_t at = annot__position_of(bounds);
    const uint32_t marker = annot__last_marker_at(reader, stream, at),
                   noted = annot__operation_find(reader, operation->stream, operation->number);
    if (!bounds->is_drained || noted == ANNOT__NONE)
        return ANNOT_OPERATION_UNKNOWN;
    if (marker != ANNOT__NONE && reader->operations[noted].offset < reader->entries[marker].offset)
        return ANNOT_OPERATION_DONE;
    return scope == annot__scope_at(reader, stream, at) ? ANNOT_OPERATION_UNKNOWN
                                                        : ANNOT_OPERATION_NOT_DONE;
}

static annot_operation_state from_scope(const annot_reader *reader,
                                        const struct annot__progress_bounds *bounds,
                                        const annot_reader_operation *operation)
{
    const uint32_t entry = annot__event_find(reader, operation->scope);
    annot_operation_state state = ANNOT_OPERATION_UNKNOWN;
    if (entry != ANNOT__NONE && reader->entries[entry].kind == ANNOT_ENTRY_BEGIN)
        state = from_state(annot__bounds_state(reader, bounds, reader->entries[entry].begin,
                                               reader->entries[entry].end));
    else if (operation->scope != 0)
        return ANNOT_OPERATION_UNKNOWN;
    return state != ANNOT_OPERATION_UNKNOWN ? state : from_drain(reader, bounds, operation, entry);
}

annot_operation_state annot__operation_state(const annot_reader *reader, uint32_t index,
                                             uint32_t bundle,
                                             const annot_reader_operation *operation)
{
    const struct annot__execution *execution = &reader->executions[index];
    annot_state whole = (annot_state)execution->state;
    struct annot__progress_bounds bounds = execution->bounds;
    uint32_t crumbs = execution->crumbs;
    annot_reader_operation counted;
    if (bundle != ANNOT__NONE) {
        annot__bundle_bounds(reader, execution, bundle, &bounds);
        whole = annot__bundle_state(&bounds);
        crumbs =
            annot__bundle_crumbs(reader, execution, annot__entry_bundle(reader, bundle).ordinal);
    }
    if (whole != ANNOT_STATE_IN_PROGRESS)
        return from_state(whole);
    if (annot__operation_at(reader, crumbs, operation->stream, operation->number, &counted)) {
        const uint32_t done = reader->crumbs[crumbs].fields.done;
        if (done != ANNOT_CRUMBS_NOT_BEGUN && operation->number <= done)
            return operation->number < done ? ANNOT_OPERATION_DONE : ANNOT_OPERATION_STOPPED;
    }
    return from_scope(reader, &bounds, operation);
}
