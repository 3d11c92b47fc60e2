/*
 * The operation that a suspect stopped at. Breadcrumbs prove one. Without them the candidates are
 * the operations noted in the scope in progress or in open scopes and bundles below it, unless
 * evidence says that they are done or not begun. A single candidate is certain.
 */
#include "hang/candidates.h"
#include "analysis/analysis.h"

#include "analysis/operation.h"
#include "dump_read/ops.h"
#include "base/search.h"

#include <annot/dump.h>

enum { LOOK_AHEAD = 256 }; /* what is further away is not looked for */

bool annot__op_is_work(uint32_t op)
{
    return op != ANNOT__NONE && op != ANNOT__EXECUTE_BUNDLE && !annot__op_is_idle(op);
}

struct search {
    const annot_reader *reader;
    uint32_t execution;
    uint32_t scope, last;          /* entries: only what is in them; of bundles 0 and NONE: all */
    uint32_t count, noted, stream; /* candidates, and the last of them */
    uint32_t bundles; /* bundles that may be unfinished, and whose operations are known */
    bool is_unsure;   /* there may be more than those that were noted */
    bool is_at_fault;
    uint64_t *budget;
};

/* ---- the address of a page fault ---- */

static bool is_around_fault(const annot_reader *reader, uint64_t object)
{
    for (uint32_t i = 0; i < reader->range_count; i++)
        if (reader->ranges[i].object == object &&
            annot__range_holds(&reader->ranges[i], reader->fault_address))
            return true;
    return false;
}

/* Whether the operation is bound to what holds the address, or was given the address. */
static bool is_at_fault(const annot_reader *reader, const annot_reader_operation *operation)
{
    if (reader->fault_count == 0 || reader->device.error != ANNOT_DEVICE_ERROR_PAGE_FAULT)
        return false;
    for (uint32_t i = 0; i < operation->object_count; i++)
        if (operation->objects[i].object != 0 &&
            is_around_fault(reader, operation->objects[i].object))
            return true;
    for (uint32_t i = 0; i < operation->argument_count; i++)
        if (reader->fault_address != 0 &&
            (uint64_t)operation->arguments[i] == reader->fault_address)
            return true;
    return false;
}

/* ---- candidates ---- */

/* Whether the operation is in the scope or below, and may be unfinished. */
static bool may_be(const struct search *search, uint32_t bundle,
                   const annot_reader_operation *operation)
{
    const uint32_t around = search->scope > 0 || search->last != ANNOT__NONE
                                ? annot__event_find(search->reader, operation->scope)
                                : 0;
    if (around == ANNOT__NONE || around < search->scope || around > search->last)
        return false;
    const annot_operation_state state =
        annot__operation_state(search->reader, search->execution, bundle, operation);
    return state == ANNOT_OPERATION_UNKNOWN || state == ANNOT_OPERATION_STOPPED;
}

/* Looks at operations from `first` up to `end` of a list's or bundle's recording. Numbers count all
 * its operations, also those that were not noted; `before` is the first one's. */
static void look(struct search *search, uint32_t stream, uint32_t bundle, uint32_t first,
                 uint32_t end, uint32_t before)
{
    const annot_reader *reader = search->reader;
    annot_reader_operation operation;
    if (end - first >= LOOK_AHEAD)
        search->is_unsure = true;
    for (uint32_t i = end, looked = 0; i-- > first && looked < LOOK_AHEAD; looked++) {
        const uint32_t kind = reader->operations[i].kind;
        if (*search->budget == 0) {
            search->is_unsure = true;
            return;
        }
        --*search->budget;
        if (annot__is_barrier(kind) || (kind == ANNOT__EXECUTE_BUNDLE && search->bundles > 0))
            continue;
        if (!annot__operation_read(reader, i, &operation)) {
            search->is_unsure = true;
            continue;
        }
        operation.stream = stream;
        if (!may_be(search, bundle, &operation))
            continue;
        if (search->count++ == 0) {
            search->noted = i;
            search->stream = stream;
            search->is_unsure |= operation.number - before != i - first;
        }
        search->is_at_fault |= is_at_fault(reader, &operation);
    }
}

/* ---- what may have been reached ---- */

/* The place in the file where the GPU's possible progress ends: the first marker behind the last
 * started one, and the scope's end. */
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

static bool is_bundle_left(const annot_reader *reader, const struct annot__execution *execution,
                           uint32_t entry)
{
    struct annot__progress_bounds bounds;
    annot__bundle_bounds(reader, execution, entry, &bounds);
    const annot_state state = annot__bundle_state(&bounds);
    return state == ANNOT_STATE_IN_PROGRESS || state == ANNOT_STATE_UNKNOWN;
}

/* Searches the bundles that are executed between the scope's begin and this offset. */
static void look_into_bundles(struct search *search, uint32_t scope, uint64_t reached)
{
    const annot_reader *reader = search->reader;
    const struct annot__execution *execution = &reader->executions[search->execution];
    const uint32_t behind = annot__entry_last(reader, scope) + 1;
    for (uint32_t i = scope + 1; i < behind && reader->entries[i].offset < reached; i++) {
        if (i - scope > LOOK_AHEAD) {
            search->is_unsure = true;
            return;
        }
        if (reader->entries[i].kind != ANNOT_ENTRY_BUNDLE || !is_bundle_left(reader, execution, i))
            continue;
        const uint32_t stream = reader->entries[i].leaf.link;
        if (stream == ANNOT__NONE || reader->streams[stream].noted.count == 0) {
            search->is_unsure = true;
            continue;
        }
        const struct annot__range *noted = &reader->streams[stream].noted;
        search->bundles++;
        look(search, stream, i, noted->first, noted->first + noted->count, 0);
    }
}

static void find_in_scope(const annot_reader *reader, const annot_reader_stop *stop,
                          annot_reader_suspect *suspect, uint64_t *budget)
{
    const bool is_inside = stop->bundle != ANNOT__NONE;
    const uint32_t scope = is_inside ? stop->bundle_entry : stop->entry;
    if (stop->oldest != ANNOT__NONE || scope == ANNOT__NONE || stop->is_between ||
        reader->executions[stop->execution].crumbs != ANNOT__NONE)
        return;
    struct search search = {.reader = reader,
                            .execution = stop->execution,
                            .last = ANNOT__NONE,
                            .noted = ANNOT__NONE,
                            .budget = budget};
    const uint32_t number = is_inside ? reader->entries[stop->bundle].leaf.link
                                      : reader->executions[stop->execution].stream;
    const struct annot__stream *stream = &reader->streams[number];
    const uint64_t reached = end_of_reached(reader, &stream->entries, scope, stop->started);
    const uint32_t behind_all = stream->noted.first + stream->noted.count;
    const uint32_t first =
        annot__noted_behind(reader, stream->noted.first, behind_all, reader->entries[scope].offset);
    const uint32_t end = annot__noted_behind(reader, first, behind_all, reached);
    const uint32_t before =
        first == stream->noted.first ? 0 : reader->operations[first - 1].number + 1;
    if (!is_inside)
        look_into_bundles(&search, scope, reached);
    const struct search in_bundles = search;
    search.count = 0;
    search.scope = scope;
    search.last = annot__entry_last(reader, scope);
    look(&search, number, stop->bundle, first, end, before);
    if (search.count == 0) {
        search.noted = in_bundles.noted;
        search.stream = in_bundles.stream;
    }
    suspect->candidates = search.count + in_bundles.count;
    suspect->is_at_fault = search.is_at_fault;
    suspect->noted = search.noted;
    suspect->noted_stream = search.stream;
    if (search.noted == ANNOT__NONE)
        return;
    suspect->op = reader->operations[search.noted].kind;
    suspect->certainty = suspect->candidates == 1 && !search.is_unsure ? ANNOT_OPERATION_CERTAIN
                                                                       : ANNOT_OPERATION_AMONG;
}

void annot__find_operation(const annot_reader *reader, const annot_reader_stop *stop,
                           annot_reader_suspect *suspect, uint64_t *budget)
{
    struct annot__stopped at;
    annot_reader_operation operation;
    if (annot__op_is_work(suspect->op) && !reader->executions[stop->execution].is_disputed)
        suspect->certainty = ANNOT_OPERATION_COUNTED;
    if (stop->is_between || !annot__operation_of_stop(reader, stop, &at)) {
        find_in_scope(reader, stop, suspect, budget);
        return;
    }
    suspect->certainty = ANNOT_OPERATION_CERTAIN;
    suspect->noted = annot__operation_find(reader, at.stream, at.number);
    if (annot__operation_at(reader, at.crumbs, at.stream, at.number, &operation))
        suspect->is_at_fault = is_at_fault(reader, &operation);
}
