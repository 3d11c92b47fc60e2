/*
 * Breadcrumbs count operations, the recording has those that were noted with their numbers. The two
 * come from different calls of the runtime, so they are compared before they are joined: the
 * operation that was noted must be of the kind that breadcrumbs have under its number, and none may
 * have been noted behind the last that they count.
 */
#include "analysis/operation.h"

#include "analysis/ops.h"
#include "analysis/witness.h"

enum { EXECUTE_BUNDLE = 16 }; /* D3D12_AUTO_BREADCRUMB_OP */

/* Nothing was noted that these breadcrumbs don't count. */
static bool is_same_recording(const annot_reader *reader, const struct annot__dump_CRUMBS *crumbs,
                              const struct annot__stream *stream)
{
    const struct annot__range *noted = &stream->noted;
    return !stream->is_damaged &&
           (noted->count == 0 ||
            reader->operations[noted->first + noted->count - 1].number < crumbs->count);
}

bool annot__operation_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                         uint32_t number, annot_reader_operation *out)
{
    if (crumbs == ANNOT__NONE || stream == ANNOT__NONE)
        return false;
    const struct annot__crumbs *of = &reader->crumbs[crumbs];
    if (of->is_damaged || (of->fields.flags & ANNOT_CRUMBS_MARKERS_ONLY) ||
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

/* The first that is not done. */
static bool stopped_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                       annot_reader_operation *operation, struct annot__stopped *out)
{
    if (crumbs == ANNOT__NONE)
        return false;
    const struct annot__dump_CRUMBS *fields = &reader->crumbs[crumbs].fields;
    if (fields->done == ANNOT_CRUMBS_NOT_BEGUN || fields->done >= fields->count ||
        !annot__operation_at(reader, crumbs, stream, fields->done, operation))
        return false;
    *out = (struct annot__stopped){crumbs, stream, fields->done};
    return true;
}

/* The same of the bundle that the list's operation executes: the one that was found in progress. */
static bool stopped_in_bundle(const annot_reader *reader, const struct annot__execution *execution,
                              const annot_reader_stop *stop, const annot_reader_operation *call,
                              struct annot__stopped *out)
{
    annot_reader_operation inside;
    const uint32_t ordinal = annot__entry_bundle(reader, stop->bundle).ordinal;
    if (call->argument_count == 0 || call->arguments[0] != (int64_t)ordinal)
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
    if (stop->is_between || execution->crumbs == ANNOT__NONE ||
        execution->state != ANNOT_STATE_IN_PROGRESS ||
        (execution->is_disputed && execution->evidence != ANNOT_EVIDENCE_CRUMBS) ||
        !stopped_at(reader, execution->crumbs, execution->stream, &operation, out))
        return false;
    if (stop->bundle == ANNOT__NONE)
        return true;
    return operation.kind == EXECUTE_BUNDLE &&
           stopped_in_bundle(reader, execution, stop, &operation, out);
}
