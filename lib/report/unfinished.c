/* Work that is known to be unfinished where nothing says in which scope. */
#include "report/unfinished.h"

#include "analysis/ops.h"

#include <annot/dump.h>

bool annot__is_crash(const annot_reader *reader)
{
    return reader->device.error != ANNOT_DEVICE_ERROR_NONE &&
           reader->device.error != ANNOT_DEVICE_ERROR_APPLICATION;
}

static bool is_started_elsewhere(const annot_reader *reader, const struct annot__row *row)
{
    return !row->is_used && !row->is_damaged && row->queue != ANNOT__NONE && row->bundle == 0 &&
           row->list != ANNOT_PROGRESS_QUEUE && row->state == ANNOT_PROGRESS_STARTED &&
           annot__is_submitted(&reader->streams[row->queue], row->submission);
}

uint32_t annot__started_elsewhere(const annot_reader *reader, uint32_t from)
{
    for (uint32_t i = from; i < reader->row_count; i++)
        if (is_started_elsewhere(reader, &reader->rows[i]))
            return i;
    return ANNOT__NONE;
}

uint32_t annot__operation_elsewhere(const annot_reader *reader, uint32_t from)
{
    for (uint32_t i = from; i < reader->crumb_count; i++) {
        const struct annot__crumbs *crumbs = &reader->crumbs[i];
        const annot_state claim = annot__crumbs_claim(&crumbs->fields);
        if (crumbs->execution == ANNOT__NONE && crumbs->queue != ANNOT__NONE &&
            crumbs->fields.bundle == 0 && claim != ANNOT_STATE_NOT_STARTED &&
            claim != ANNOT_STATE_FINISHED)
            return i;
    }
    return ANNOT__NONE;
}

uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream)
{
    const struct annot__stream *queue = &reader->streams[stream];
    for (uint32_t i = 0; queue->is_queue && i < queue->submissions.count; i++) {
        const struct annot__submitted *submission =
            &reader->submissions[queue->submissions.first + i];
        if ((submission->state == ANNOT_STATE_UNKNOWN ||
             submission->state == ANNOT_STATE_IN_PROGRESS) &&
            submission->executions.count > 0)
            return queue->submissions.first + i;
    }
    return ANNOT__NONE;
}
