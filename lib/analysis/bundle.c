/* Judges executions of bundles: by the bundle's breadcrumbs, by the driver's row for the bundle, or
 * by the bundle's place in the list. */
#include "analysis/bundle.h"

#include "analysis/witness.h"

#include <annot/dump.h>

/* ---- one bundle ---- */

/* Returns true if a marker before this bundle was not reached, so that the bundle wasn't either. */
static bool is_before_bundle(const annot_reader *reader,
                             const struct annot__progress_bounds *bounds,
                             const struct annot__entry *bundle)
{
    return bundle->begin >= bounds->unreached + annot__window_of_bounds(reader, bounds);
}

static void judge_by_list(const annot_reader *reader, const struct annot__progress_bounds *list,
                          const struct annot__entry *bundle, struct annot__judgement *out)
{
    if (list->is_uniform)
        annot__set_verdict(out, (annot_state)list->state, (annot_evidence)list->evidence);
    else if (annot__bounds_state(reader, list, bundle->begin, bundle->end) == ANNOT_STATE_FINISHED)
        annot__set_verdict(out, ANNOT_STATE_FINISHED, ANNOT_EVIDENCE_ENCLOSING);
    else if (is_before_bundle(reader, list, bundle))
        annot__set_verdict(out, ANNOT_STATE_NOT_STARTED, ANNOT_EVIDENCE_ENCLOSING);
    else
        annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_NO_ROW);
}

static const struct annot__stream *stream_of(const annot_reader *reader, uint32_t bundle)
{
    const uint32_t stream = reader->entries[bundle].leaf.link;
    return stream == ANNOT__NONE ? NULL : &reader->streams[stream];
}

/* Judges a bundle's execution by the driver's row and the bundle's own recording. */
static void judge_by_row(const annot_reader *reader, uint32_t bundle, uint32_t row,
                         struct annot__judgement *out)
{
    annot__judge_row(reader, stream_of(reader, bundle), row,
                     annot__entry_bundle(reader, bundle).object, out);
}

/* Whether all of the list is done, or nothing of it has begun: so it is with its bundles. */
static bool is_settled(const struct annot__execution *execution)
{
    return execution->state == ANNOT_STATE_FINISHED || execution->state == ANNOT_STATE_NOT_STARTED;
}

/* Whether breadcrumbs say what became of the bundle as a whole: that none was written does not. */
static bool says(const annot_reader *reader, uint32_t crumbs)
{
    const annot_state claim = annot__crumbs_claim(&reader->crumbs[crumbs].fields);
    return claim == ANNOT_STATE_IN_PROGRESS || claim == ANNOT_STATE_FINISHED;
}

void annot__judge_bundle(const annot_reader *reader, const struct annot__execution *execution,
                         uint32_t bundle, struct annot__judgement *out)
{
    const struct annot__entry *entry = &reader->entries[bundle];
    const uint32_t ordinal = annot__entry_bundle(reader, bundle).ordinal;
    const uint64_t serial = reader->submissions[execution->submission].serial;
    const uint32_t crumbs = annot__bundle_crumbs(reader, execution, ordinal);
    const uint32_t row =
        annot__row_lower(reader, execution->queue, serial, execution->list, ordinal);
    const bool has_row =
        row - execution->rows.first < execution->rows.count && reader->rows[row].bundle == ordinal;
    judge_by_list(reader, &execution->bounds, entry, out);
    if (!is_settled(execution)) {
        const bool is_counted =
            crumbs != ANNOT__NONE && (out->state == ANNOT_STATE_UNKNOWN || says(reader, crumbs));
        if (is_counted)
            annot__judge_crumbs(reader, stream_of(reader, bundle), &reader->crumbs[crumbs], out);
        if (has_row &&
            (!is_counted || reader->crumbs[crumbs].fields.done == ANNOT_CRUMBS_NOT_BEGUN) &&
            (!execution->bounds.is_uniform || execution->state == ANNOT_STATE_IN_PROGRESS))
            judge_by_row(reader, bundle, row, out);
        if (is_counted &&
            annot__is_ruled_out(out->state, annot__crumbs_claim(&reader->crumbs[crumbs].fields)))
            annot__set_verdict(out, ANNOT_STATE_UNKNOWN, ANNOT_EVIDENCE_CRUMBS);
    }
    out->bounds.whole = (uint8_t)out->state;
    annot__mask_damaged(reader, entry->leaf.link, &out->bounds);
}

void annot__bundle_bounds(const annot_reader *reader, const struct annot__execution *execution,
                          uint32_t bundle, struct annot__progress_bounds *bounds)
{
    struct annot__judgement judgement;
    annot__judge_bundle(reader, execution, bundle, &judgement);
    *bounds = judgement.bounds;
}

/* ---- rows of all bundles of an execution ---- */

static bool bundle_has_begun(annot_state state)
{
    return state == ANNOT_STATE_IN_PROGRESS || state == ANNOT_STATE_FINISHED;
}

/* Returns true if a bundle's row and what is known of the list around it can both be true. */
static bool is_possible(const annot_reader *reader, const struct annot__execution *execution,
                        const struct annot__entry *bundle, annot_state state)
{
    const struct annot__progress_bounds *bounds = &execution->bounds;
    if (execution->state == ANNOT_STATE_FINISHED)
        return state == ANNOT_STATE_FINISHED || state == ANNOT_STATE_UNKNOWN;
    if (execution->state == ANNOT_STATE_NOT_STARTED)
        return state == ANNOT_STATE_NOT_STARTED || state == ANNOT_STATE_UNKNOWN;
    if (!bounds->is_started_known || !annot__is_exact(reader))
        return true;
    if (bundle_has_begun(state) && is_before_bundle(reader, bounds, bundle))
        return false;
    if (state == ANNOT_STATE_NOT_STARTED && bundle->begin < bounds->started)
        return false;
    return state != ANNOT_STATE_IN_PROGRESS || bundle->end > bounds->completed;
}

/* Drops the rows of bundles that the list doesn't call. */
void annot__disown_stray_bundles(annot_reader *reader, const struct annot__execution *execution)
{
    if (execution->stream == ANNOT__NONE)
        return;
    const struct annot__stream *stream = &reader->streams[execution->stream];
    for (uint32_t i = 0; i < execution->rows.count; i++) {
        struct annot__row *row = &reader->rows[execution->rows.first + i];
        row->is_used = row->bundle <= stream->bundle_calls ||
                       annot__find_bundle(reader, stream, row->bundle) != ANNOT__NONE;
    }
}

void annot__merge_bundles(annot_reader *reader, struct annot__execution *execution)
{
    if (execution->stream == ANNOT__NONE)
        return;
    for (uint32_t i = 0; i < execution->rows.count; i++) {
        const struct annot__row *row = &reader->rows[execution->rows.first + i];
        const struct annot__stream *stream = &reader->streams[execution->stream];
        const uint32_t entry = annot__find_bundle(reader, stream, row->bundle);
        if (entry == ANNOT__NONE)
            continue;
        struct annot__judgement judgement;
        judge_by_row(reader, entry, execution->rows.first + i, &judgement);
        if (judgement.evidence == ANNOT_EVIDENCE_CONTRADICTORY)
            ANNOT__FIND(&reader->findings, ROW_CONTRADICTORY, 0, row->submission);
        else if (!is_possible(reader, execution, &reader->entries[entry], judgement.state)) {
            annot__contradict(reader, execution);
            return;
        }
    }
}

/* Notes the rows of bundles that breadcrumbs contradict. */
void annot__dispute_bundles(annot_reader *reader, const struct annot__execution *execution)
{
    const struct annot__stream *stream =
        execution->stream != ANNOT__NONE ? &reader->streams[execution->stream] : NULL;
    for (uint32_t i = 0; stream && i < execution->rows.count; i++) {
        const uint32_t row = execution->rows.first + i, ordinal = reader->rows[row].bundle;
        const uint32_t crumbs = annot__bundle_crumbs(reader, execution, ordinal);
        const uint32_t entry =
            crumbs != ANNOT__NONE ? annot__find_bundle(reader, stream, ordinal) : ANNOT__NONE;
        if (entry == ANNOT__NONE)
            continue;
        struct annot__judgement judgement;
        judge_by_row(reader, entry, row, &judgement);
        if (annot__is_ruled_out(judgement.state,
                                annot__crumbs_claim(&reader->crumbs[crumbs].fields)))
            ANNOT__FIND(&reader->findings, WITNESSES_DISAGREE, 0, reader->rows[row].submission);
    }
}
