/* Where the GPU stopped, as signatures and identities see it: by breadcrumbs first. */
#include "hang/place.h"

#include "analysis/operation.h"
#include "analysis/witness.h"
#include "base/search.h"
#include "base/sized.h"

#include <annot/dump.h>

#include <string.h>

const char *annot__error_word(uint32_t error)
{
    switch (error) {
    case ANNOT_DEVICE_ERROR_HUNG:
        return "hang";
    case ANNOT_DEVICE_ERROR_PAGE_FAULT:
        return "page fault";
    case ANNOT_DEVICE_ERROR_APPLICATION:
        return "application";
    default:
        return "lost";
    }
}

/* The breadcrumbs of the bundle that the execution is in, or the execution's own; NONE. */
uint32_t annot__place_crumbs(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    if (stop->is_between)
        return ANNOT__NONE;
    if (stop->bundle == ANNOT__NONE)
        return execution->crumbs;
    return annot__bundle_crumbs(reader, execution,
                                annot__entry_bundle(reader, stop->bundle).ordinal);
}

/* The operation that is not done; ANNOT__NONE: not known, or none is left. */
uint32_t annot__place_operation(const annot_reader *reader, uint32_t crumbs)
{
    if (crumbs == ANNOT__NONE || reader->crumbs[crumbs].is_damaged)
        return ANNOT__NONE;
    const struct annot__dump_CRUMBS *of = &reader->crumbs[crumbs].fields;
    return of->done < of->count ? annot_reader_op(reader, crumbs, of->done) : ANNOT__NONE;
}

/* Breadcrumbs are believed before the driver. */
bool annot__place_refine(const annot_reader *reader, uint32_t crumbs, uint32_t op,
                         annot_reader_stop *stop, uint32_t *begin)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    const uint32_t index =
        stop->bundle == ANNOT__NONE ? execution->stream : reader->entries[stop->bundle].leaf.link;
    struct annot__judgement judgement;
    if (op == ANNOT__NONE || index == ANNOT__NONE ||
        !annot__judge_crumbs(reader, &reader->streams[index], &reader->crumbs[crumbs], &judgement))
        return false;
    const struct annot__stream *stream = &reader->streams[index];
    uint32_t scope = annot__scope_at(reader, stream, judgement.bounds.started);
    if (op == ANNOT__BEGIN_EVENT && begin)
        *begin = scope = annot__last_marker_at(reader, stream, judgement.bounds.started + 2);
    if (stop->bundle != ANNOT__NONE) {
        stop->bundle_entry = scope;
        return true;
    }
    stop->entry = scope;
    stop->oldest = ANNOT__NONE;
    return true;
}

uint32_t annot__place_begin(const annot_reader *reader, const annot_reader_stop *stop)
{
    annot_reader_stop at = *stop;
    uint32_t begin = ANNOT__NONE;
    const uint32_t crumbs = annot__place_crumbs(reader, stop);
    annot__place_refine(reader, crumbs, annot__place_operation(reader, crumbs), &at, &begin);
    return begin == stop->entry || begin == stop->bundle_entry ? ANNOT__NONE : begin;
}

/* A BeginEvent that is not done opens its scope where the driver saw it start. */
annot_reader_stop annot__place_stop(const annot_reader *reader, const annot_reader_stop *stop)
{
    annot_reader_stop at = *stop;
    uint32_t begin = ANNOT__NONE;
    const uint32_t crumbs = annot__place_crumbs(reader, stop);
    const bool is_in_list = stop->bundle == ANNOT__NONE;
    annot__place_refine(reader, crumbs, annot__place_operation(reader, crumbs), &at, &begin);
    if (begin != ANNOT__NONE && begin != (is_in_list ? stop->entry : stop->bundle_entry))
        *(is_in_list ? &at.entry : &at.bundle_entry) = reader->entries[begin].parent;
    return at;
}

/* The front end ran ahead by as much as it happened to: the oldest scope is the place. */
void annot__place_path(const annot_reader *reader, const annot_reader_stop *stop,
                       struct annot__path *path)
{
    annot_reader_stop at = annot__place_stop(reader, stop);
    if (at.oldest != ANNOT__NONE && at.bundle == ANNOT__NONE)
        at.entry = at.oldest;
    annot__path_of_stop(reader, &at, path);
}

size_t annot_reader_stop_path(const annot_reader *reader, size_t index, char *buffer,
                              size_t capacity)
{
    struct annot__path path;
    if (capacity == 0)
        return 0;
    buffer[0] = 0;
    if (index >= reader->stop_count)
        return 0;
    annot__place_path(reader, &reader->stops[index], &path);
    return annot__path_text(reader, &path, buffer, capacity);
}

/* Whether the innermost scope at the stop is known by what the driver or breadcrumbs follow. */
bool annot__place_is_exact(const annot_reader *reader, const annot_reader_stop *stop)
{
    const struct annot__execution *execution = &reader->executions[stop->execution];
    struct annot__progress_bounds bounds = execution->bounds;
    if (stop->bundle != ANNOT__NONE)
        annot__bundle_bounds(reader, execution, stop->bundle, &bounds);
    return !bounds.is_uniform && bounds.is_started_known && bounds.is_completed_known &&
           annot__window_of_bounds(reader, &bounds) == 0;
}

/* An operation that may hang: markers don't, and a bundle is what is in it. */
bool annot__op_is_work(uint32_t op)
{
    return op != ANNOT__NONE && op > ANNOT__END_EVENT && op != ANNOT__EXECUTE_BUNDLE;
}

/* Evidence is the last part of a dump: where any of it may be missing, so may be what decides. */
bool annot__evidence_is_whole(const annot_reader *reader)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.finding_class == ANNOT_FINDING_DAMAGE &&
            finding.kind != ANNOT_FINDING_INCOMPLETE && finding.kind != ANNOT_FINDING_HEADER)
            return false;
    return reader->has_device;
}

enum annot__certainty annot__answer_operation(const annot_reader *reader,
                                              const annot_reader_stop *stop,
                                              annot_reader_operation *out)
{
    if (annot__stop_operation(reader, stop, out))
        return ANNOT__CERTAIN;
    if (annot__operation_of_scope(reader, stop, out))
        return out->is_only ? ANNOT__CERTAIN : ANNOT__AMONG_OTHERS;
    return ANNOT__NOT_KNOWN;
}

bool annot__stop_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_operation *out)
{
    struct annot__stopped at;
    return annot__operation_of_stop(reader, stop, &at) &&
           annot__operation_at(reader, at.crumbs, at.stream, at.number, out);
}

bool annot_reader_stop_operation_sized(const annot_reader *reader, size_t index,
                                       annot_reader_operation *out, size_t out_size)
{
    annot_reader_operation whole;
    if (index >= reader->stop_count ||
        (!annot__stop_operation(reader, &reader->stops[index], &whole) &&
         !annot__operation_of_scope(reader, &reader->stops[index], &whole)))
        return false;
    return ANNOT__GIVE(out, out_size, whole);
}

size_t annot_reader_stop_count(const annot_reader *reader)
{
    return reader->stop_count;
}

bool annot_reader_stop_at_sized(const annot_reader *reader, size_t index, annot_reader_stop *out,
                                size_t out_size)
{
    if (index >= reader->stop_count)
        return false;
    return ANNOT__GIVE(out, out_size, reader->stops[index]);
}
