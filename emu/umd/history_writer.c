/* Marker logs and history buffers as WDDM 1.3 and 2.0 have them. One history buffer a submission:
 *
 *     header | lists, first time stamp of each: u32, zeros to 8 | begin, end |
 *     calls of list 0 | calls of list 1 | …
 *
 * The engine fills in the time stamps; a stamp that stays 0 was not reached. */
#include "umd/types.h"
#include "array.h"
#include "gate.h"

#define BEGIN_AND_END          2u
#define FREE_THREADED_SEQUENCE 0x80000000u /* the first submission has the next number */

struct emu_reference_log {
    D3DDDICB_SUBMITCOMMAND submit;
    D3DKMT_HANDLE history;
    D3DDDI_BATCHEDMARKERDATA *batched;
    size_t batched_capacity;
};

void emu__reference_set_marker_mode(void *handle, uint32_t type, uint32_t flags)
{
    (void)flags;
    struct emu_reference_device *device = handle;
    emu_lock(&device->lock);
    device->marker_type = type;
    device->render_cb_sequence = FREE_THREADED_SEQUENCE;
    emu_unlock(&device->lock);
}

/* ---- the buffer ---- */

static uint32_t private_size(uint32_t lists)
{
    return ((1 + lists) * (uint32_t)sizeof(uint32_t) + 7) / 8 * 8;
}

void emu__reference_history_finish(struct emu_reference_queue *queue)
{
    emu_gpu_free(queue->object.device->gpu, queue->spare_history.address);
    if (queue->log)
        free(queue->log->batched);
    free(queue->log);
}

static bool reserve_log(struct emu_reference_queue *queue, uint32_t lists)
{
    if (!queue->log && !(queue->log = calloc(1, sizeof *queue->log)))
        return false;
    struct emu_reference_log *log = queue->log;
    return ARRAY_RESERVE(log->batched, log->batched_capacity, lists);
}

bool emu__reference_history_make(struct emu_reference_queue *queue, const emu_submission *asked,
                                 struct emu_reference_submission *submission)
{
    struct emu_reference_device *device = queue->object.device;
    const uint32_t count = submission->list_count;
    if (device->marker_type == D3DWDDM1_3DDI_MARKER_TYPE_NONE ||
        (count > 0 && !asked->sequence_high))
        return true;
    uint64_t stamps = BEGIN_AND_END;
    for (uint32_t i = 0; i < count; i++)
        stamps += submission->lists[i]->stamp_count;
    const uint64_t size = sizeof(DXGK_HISTORY_BUFFER_HEADER) + private_size(count) +
                          stamps * emu_gpu_stamp_size(device->gpu);
    if (stamps > UINT32_MAX || !reserve_log(queue, count) ||
        !emu__reference_memory_take(device->gpu, &queue->spare_history, size, &submission->history))
        return false;
    memset(submission->history.cpu, 0, (size_t)size);
    DXGK_HISTORY_BUFFER_HEADER header = {.RenderCbSequence = ++device->render_cb_sequence,
                                         .NumTimestamps = (uint32_t)stamps,
                                         .PrivateDataSize = private_size(count)};
    char *at = submission->history.cpu;
    memcpy(at, &header, sizeof header);
    at += sizeof header;
    memcpy(at, &count, sizeof count);
    uint32_t first = BEGIN_AND_END;
    for (uint32_t i = 0; i < count; i++) {
        at += sizeof first;
        memcpy(at, &first, sizeof first);
        first += submission->lists[i]->stamp_count;
    }
    return true;
}

uint64_t emu__reference_history_stamps(const struct emu_reference_submission *submission)
{
    return submission->history.size == 0
               ? 0
               : submission->history.address + sizeof(DXGK_HISTORY_BUFFER_HEADER) +
                     private_size(submission->list_count);
}

/* ---- the log ---- */

static void fill_batched(struct emu_reference_log *log, const emu_submission *asked,
                         const struct emu_reference_submission *submission)
{
    for (uint32_t i = 0; i < submission->list_count; i++) {
        const struct emu_recording *recording = submission->lists[i];
        log->batched[i] = (D3DDDI_BATCHEDMARKERDATA){
            .hRTCommandListHandle = (void *)(uintptr_t)recording->object,
            .FirstAPISequenceNumberHigh = asked->sequence_high[i],
            .CompletedAPISequenceNumberLowSize = recording->stamp_count,
            .pCompletedAPISequenceNumberLow = recording->stamped,
        };
    }
    log->submit.MarkerLogType = D3DDDIMLT_BATCHED;
    log->submit.BatchedMarkerDataCount = submission->list_count;
    log->submit.pBatchedMarkerData = log->batched;
}

void emu__reference_history_log(struct emu_reference_queue *queue, const emu_submission *asked,
                                const struct emu_reference_submission *submission,
                                emu_command_buffer *out)
{
    if (submission->history.size == 0)
        return;
    struct emu_reference_log *log = queue->log;
    log->history = EMU_HISTORY_HANDLE(submission->history.address);
    log->submit = (D3DDDICB_SUBMITCOMMAND){
        .Commands = out->address,
        .CommandLength = (uint32_t)out->size,
        .BroadcastContextCount = 1,
        .BroadcastContext = {queue},
        .MarkerLogType = D3DDDIMLT_FT_PROFILE,
        .RenderCBSequence = queue->object.device->render_cb_sequence,
        .NumHistoryBuffers = 1,
        .HistoryBufferArray = &log->history,
    };
    if (submission->list_count > 1) {
        fill_batched(log, asked, submission);
    } else if (submission->list_count == 1) {
        const struct emu_recording *recording = submission->lists[0];
        log->submit.FirstAPISequenceNumberHigh = asked->sequence_high[0];
        log->submit.CompletedAPISequenceNumberLow0Size = recording->stamp_count;
        log->submit.pCompletedAPISequenceNumberLow0 = recording->stamped;
    }
    out->submit = &log->submit;
}
