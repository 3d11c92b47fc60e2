/* Finds work that is unfinished in an unknown scope. */
#include "hang/unfinished.h"

#include "dump_read/ops.h"

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

bool annot__has_unfinished(const annot_reader *reader)
{
    if (reader->losses[ANNOT__LOSS_SLOT_UNTOLD] > 0)
        return true;
    for (uint32_t i = 0; i < reader->submission_count; i++)
        if (reader->submissions[i].executions.count > 0 &&
            reader->submissions[i].state != ANNOT_STATE_FINISHED &&
            reader->submissions[i].state != ANNOT_STATE_NOT_EXECUTED)
            return true;
    for (uint32_t i = 0; i < reader->stream_count; i++)
        if (annot__is_pending(reader, i))
            return true;
    return annot__started_elsewhere(reader, 0) != ANNOT__NONE ||
           annot__operation_elsewhere(reader, 0) != ANNOT__NONE;
}

uint32_t annot__oldest_unknown(const annot_reader *reader, uint32_t stream)
{
    const struct annot__stream *queue = &reader->streams[stream];
    const bool is_guilty = queue->object == reader->hang.guilty;
    uint32_t waiting = ANNOT__NONE;
    for (uint32_t i = 0; i < queue->submissions.count; i++) { /* lists have none */
        const uint32_t at = queue->submissions.first + i;
        const struct annot__submitted *submission = &reader->submissions[at];
        if (submission->executions.count == 0)
            continue;
        if (submission->state == ANNOT_STATE_IN_PROGRESS ||
            (is_guilty && submission->state == ANNOT_STATE_NOT_STARTED))
            return at;
        if (submission->state == ANNOT_STATE_NOT_STARTED && waiting == ANNOT__NONE)
            waiting = at; /* a queue begins its submissions in order */
        if (submission->state == ANNOT_STATE_UNKNOWN)
            return waiting != ANNOT__NONE ? waiting : at;
    }
    return ANNOT__NONE;
}

/* Returns true if the dump has one of the queue's submissions that are not complete. */
static bool has_incomplete(const annot_reader *reader, const struct annot__stream *queue)
{
    const uint32_t count = queue->submissions.count;
    return count > 0 &&
           reader->submissions[queue->submissions.first + count - 1].serial > queue->completed;
}

bool annot__is_pending(const annot_reader *reader, uint32_t stream)
{
    const struct annot__stream *queue = &reader->streams[stream];
    return queue->submitted > queue->completed && /* lists submit nothing */
           annot_reader_queue_verdict(reader, stream) == ANNOT_QUEUE_UNKNOWN &&
           !has_incomplete(reader, queue);
}
