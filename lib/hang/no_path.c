/* Finds the reason why a report names no scope for stopped work. */
#include "hang/hang.h"
#include "analysis/states.h"

bool annot__is_opaque(const annot_reader *reader, const struct annot__execution *execution)
{
    return execution->bounds.is_uniform && (execution->stream == ANNOT__NONE ||
                                            reader->streams[execution->stream].entries.count > 0);
}

/* Returns true if the GPU is certainly in none of the scopes around the marker that the driver saw
 * start or end last. A moved marker may not have started by breadcrumbs. */
static bool is_scope_known(const annot_reader *reader, const annot_reader_stop *stop,
                           uint32_t entry)
{
    const uint32_t outermost = annot__entry_outward(reader, entry, 0);
    const annot_state state =
        annot_reader_state(reader, stop->execution, stop->bundle, outermost, NULL);
    return reader->entries[outermost].kind != ANNOT_ENTRY_BEGIN || state == ANNOT_STATE_FINISHED ||
           state == ANNOT_STATE_NOT_STARTED;
}

/* Returns true if a scope that an earlier list of the queue began may be open where it stopped. */
static bool is_in_earlier_scope(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__range *submissions = &reader->streams[stop->queue].submissions;
    const uint32_t first = reader->submissions[submissions->first].executions.first;
    uint64_t open = 0;
    for (uint32_t i = first; i < stop->execution; i++)
        if (reader->executions[i].stream != ANNOT__NONE &&
            reader->executions[i].state != ANNOT_STATE_NOT_EXECUTED)
            open += reader->streams[reader->executions[i].stream].unclosed.count;
    /* `open` > 0 saves time and changes no result */
    for (uint32_t i = 0; i < reader->crossing_count && open > 0; i++) {
        const struct annot__crossing *crossing = &reader->crossings[i];
        if (crossing->opener < first || crossing->opener >= stop->execution ||
            crossing->closer > stop->execution)
            continue;
        for (uint32_t k = 0; k < crossing->count && open > 0; k++)
            open -= crossing->closer < stop->execution ||
                    annot__crossing_state(reader, crossing, k) == ANNOT_STATE_FINISHED;
    }
    return open > 0;
}

enum annot__no_path annot__no_path_of(const annot_reader *reader,
                                      const annot_reader_suspect *suspect)
{
    const annot_reader_stop *stop = annot__stop_of(reader, suspect);
    const struct annot__execution *execution = &reader->executions[stop->execution];
    if (!stop->is_between && execution->stream == ANNOT__NONE)
        return ANNOT__NO_PATH_LOST;
    if (annot__is_before_begin(stop, suspect))
        return ANNOT__NO_PATH_BEGIN;
    if (stop->started != ANNOT__NONE && is_scope_known(reader, stop, stop->started) &&
        !is_in_earlier_scope(reader, stop))
        return ANNOT__NO_PATH_OUTSIDE;
    if (stop->started != ANNOT__NONE ||
        (!stop->is_between && annot__is_opaque(reader, execution)) ||
        (stop->completed != ANNOT__NONE && !is_scope_known(reader, stop, stop->completed)))
        return ANNOT__NO_PATH_UNKNOWN;
    return ANNOT__NO_PATH_NO_MARKER;
}
