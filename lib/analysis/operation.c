/*
 * Breadcrumbs count operations, the recording has those that were noted with their numbers. The two
 * come from different calls of the runtime, so they are compared before they are joined: the
 * operation that was noted must be of the kind that breadcrumbs have under its number, and none may
 * have been noted behind the last that they count.
 *
 * Without breadcrumbs a scope in progress says that the operation is one of those inside.
 */
#include "analysis/operation.h"

#include "analysis/bundle.h"
#include "analysis/ops.h"
#include "analysis/analysis.h"
#include "analysis/witness.h"
#include "base/search.h"

/* Nothing was noted that these breadcrumbs don't count. */
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

/* The first that is not done, which none that was noted is when all are, or when none has begun. */
static bool stopped_at(const annot_reader *reader, uint32_t crumbs, uint32_t stream,
                       annot_reader_operation *operation, struct annot__stopped *out)
{
    if (crumbs == ANNOT__NONE ||
        !annot__operation_at(reader, crumbs, stream, reader->crumbs[crumbs].fields.done, operation))
        return false;
    *out = (struct annot__stopped){crumbs, stream, operation->number};
    return true;
}

/* The same of the bundle that the list's operation executes: the one that was found in progress. */
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
    switch (state) {
    case ANNOT_STATE_FINISHED:
        return ANNOT_OPERATION_DONE;
    case ANNOT_STATE_NOT_STARTED:
    case ANNOT_STATE_NOT_EXECUTED:
        return ANNOT_OPERATION_NOT_DONE;
    case ANNOT_STATE_IN_PROGRESS:
    case ANNOT_STATE_UNKNOWN:
        break;
    }
    return ANNOT_OPERATION_UNKNOWN;
}

enum { LOOK_AHEAD = 256 }; /* what is further away is not looked for */

/* The place in reader->operations of the first one behind this offset. */
static uint32_t first_behind(const annot_reader *reader, const struct annot__range *noted,
                             uint64_t offset)
{
    uint32_t low = noted->first, end = low + noted->count;
    ANNOT__LOWER_BOUND(low, end, i, reader->operations[i].offset < offset);
    return low;
}

/* Where what the GPU may have come to ends in the file: at the first marker behind the last that
 * has started, and with the scope. */
static uint64_t end_of_reached(const annot_reader *reader, const struct annot__range *entries,
                               uint32_t scope, uint32_t started)
{
    const uint32_t end = entries->first + entries->count;
    const uint32_t behind = annot__entry_last(reader, scope) + 1;
    uint32_t next = started + 1;
    for (uint32_t i = 0; i < LOOK_AHEAD && next < behind; i++, next++)
        if (annot__entry_is_marker(&reader->entries[next]))
            break;
    return next < end ? reader->entries[next].offset : UINT64_MAX;
}

/* The last one in front of `end` that does work and is directly in this scope. */
static bool last_in_scope(const annot_reader *reader, uint32_t first, uint32_t end, uint64_t scope,
                          annot_reader_operation *out, uint32_t *place)
{
    for (uint32_t i = 0; i < LOOK_AHEAD && end > first; i++) {
        end--;
        if (!annot__is_barrier(reader->operations[end].kind) &&
            annot__operation_read(reader, end, out) && out->scope == scope) {
            *place = end;
            return true;
        }
    }
    return false;
}

/* Whether one of those noted from `first` to `end` lies in a scope inside of this one, and may be
 * unfinished. */
static bool is_any_inside_left(const annot_reader *reader, const annot_reader_stop *stop,
                               uint32_t first, uint32_t end, uint32_t scope)
{
    annot_reader_operation other;
    for (uint32_t i = first; i < end; i++) {
        if (annot__is_barrier(reader->operations[i].kind) ||
            !annot__operation_read(reader, i, &other))
            continue;
        const uint32_t inner = annot__event_find(reader, other.scope);
        if (inner > scope && inner <= annot__entry_last(reader, scope) &&
            annot__operation_state(reader, stop->execution, stop->bundle, &other) ==
                ANNOT_OPERATION_UNKNOWN)
            return true;
    }
    return false;
}

/* Whether a bundle that is executed between the scope's beginning and this offset may be
 * unfinished: its operations are not the list's. */
static bool is_any_bundle_left(const annot_reader *reader, const annot_reader_stop *stop,
                               uint32_t scope, uint64_t end)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    const uint32_t behind = annot__entry_last(reader, scope) + 1;
    struct annot__progress_bounds bounds;
    for (uint32_t i = scope + 1; i < behind && reader->entries[i].offset < end; i++) {
        if (i - scope > LOOK_AHEAD)
            return true;
        if (reader->entries[i].kind != ANNOT_ENTRY_BUNDLE)
            continue;
        annot__bundle_bounds(reader, execution, i, &bounds);
        if (from_state(annot__bundle_state(&bounds)) == ANNOT_OPERATION_UNKNOWN)
            return true;
    }
    return false;
}

/* Numbers count all operations of the recording, those too that were not noted. `first` is the
 * first one that was noted behind the scope's beginning. */
static bool is_only(const annot_reader *reader, const struct annot__range *noted, uint32_t first,
                    uint32_t place, const annot_reader_operation *operation)
{
    annot_reader_operation other;
    uint32_t other_place;
    const uint32_t before = first == noted->first ? 0 : reader->operations[first - 1].number + 1;
    return operation->number - before == place - first &&
           !last_in_scope(reader, first, place, operation->scope, &other, &other_place);
}

bool annot__operation_of_scope(const annot_reader *reader, const annot_reader_stop *stop,
                               annot_reader_operation *out)
{
    const bool is_inside = stop->bundle != ANNOT__NONE;
    const uint32_t scope = is_inside ? stop->bundle_entry : stop->entry;
    uint32_t place;
    if (stop->oldest != ANNOT__NONE || scope == ANNOT__NONE ||
        reader->executions[stop->execution].crumbs != ANNOT__NONE)
        return false;
    const uint32_t number = is_inside ? reader->entries[stop->bundle].leaf.link
                                      : reader->executions[stop->execution].stream;
    const struct annot__stream *stream = &reader->streams[number];
    const uint64_t reached = end_of_reached(reader, &stream->entries, scope, stop->started);
    const uint32_t first = first_behind(reader, &stream->noted, reader->entries[scope].offset);
    const uint32_t end = first_behind(reader, &stream->noted, reached);
    if (!last_in_scope(reader, first, end, annot__entry_event_id(reader, scope), out, &place))
        return false;
    out->stream = number;
    out->crumbs = ANNOT_READER_NONE;
    out->is_only = end - first < LOOK_AHEAD && is_only(reader, &stream->noted, first, place, out) &&
                   !is_any_inside_left(reader, stop, first, end, scope) &&
                   (is_inside || !is_any_bundle_left(reader, stop, scope, reached));
    return true;
}

/* ---- how far an execution came with any of them ---- */

/* Returns the state of an operation in progress, by breadcrumbs that count it. */
static annot_operation_state from_crumbs(const annot_reader *reader, uint32_t crumbs,
                                         uint32_t number)
{
    const struct annot__dump_CRUMBS *fields = &reader->crumbs[crumbs].fields;
    if (fields->done == ANNOT_CRUMBS_NOT_BEGUN || number > fields->done)
        return ANNOT_OPERATION_NOT_DONE;
    return number < fields->done ? ANNOT_OPERATION_DONE : ANNOT_OPERATION_STOPPED;
}

static annot_operation_state from_scope(const annot_reader *reader,
                                        const struct annot__progress_bounds *bounds, uint64_t scope)
{
    const uint32_t entry = annot__event_find(reader, scope);
    if (entry == ANNOT__NONE || reader->entries[entry].kind != ANNOT_ENTRY_BEGIN)
        return ANNOT_OPERATION_UNKNOWN;
    return from_state(annot__bounds_state(reader, bounds, reader->entries[entry].begin,
                                          reader->entries[entry].end));
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
    if (annot__operation_at(reader, crumbs, operation->stream, operation->number, &counted))
        return from_crumbs(reader, crumbs, operation->number);
    return from_scope(reader, &bounds, operation->scope);
}
