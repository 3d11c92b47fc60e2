/* Breadcrumbs, for programs. */
#include "reader/ask.h"

#include "dump_read/ops.h"
#include "base/sized.h"

#include <annot/dump.h>

/* ---- for programs ---- */

bool annot_reader_crumbs_at_sized(const annot_reader *reader, size_t index,
                                  annot_reader_crumbs *out, size_t out_size)
{
    if (index >= reader->crumb_count)
        return false;
    const struct annot__crumbs *crumbs = &reader->crumbs[index];
    annot_reader_crumbs whole = {
        .queue = crumbs->queue,
        .execution = crumbs->execution,
        .submission = crumbs->fields.submission,
        .list = crumbs->fields.list,
        .bundle = crumbs->fields.bundle,
        .count = crumbs->fields.count,
        .done = crumbs->fields.done,
        .is_markers_only = crumbs->fields.flags & ANNOT_CRUMBS_MARKERS_ONLY,
        .state = annot__crumbs_claim(&crumbs->fields),
    };
    if (whole.state == ANNOT_STATE_NOT_STARTED && !crumbs->is_behind)
        whole.state = ANNOT_STATE_UNKNOWN; /* nothing of it is done */
    if (crumbs->execution != ANNOT__NONE &&
        reader->executions[crumbs->execution].crumbs == (uint32_t)index) {
        const struct annot__execution *execution = &reader->executions[crumbs->execution];
        whole.is_joined = execution->is_joined;
        whole.is_disputed = execution->is_disputed;
        whole.overruled = (annot_state)execution->overruled;
    }
    return ANNOT__GIVE(out, out_size, whole);
}

uint32_t annot_reader_op(const annot_reader *reader, size_t crumbs, uint32_t number)
{
    return crumbs < reader->crumb_count
               ? annot__op_at(reader, reader->crumbs[crumbs].fields.log, number)
               : ANNOT__NONE;
}
