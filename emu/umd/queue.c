/* A submission's memory:
 *
 *     rows of list 0 | rows of list 1 | …
 *     QUEUE  MARKER…  { EXECUTION_BEGIN  CALL  EXECUTION_END }…  END
 *
 * Row 0 of a list is its own, row n its n-th execution of a bundle; zeroed rows read "not started".
 */
#include "array.h"
#include "umd/types.h"
#include "gate.h"

#include <utlist.h>

#define QUEUE_ROWS                                                                                 \
    2 /* of a crash report: of its markers, and of the submission that it has begun */

void *emu__reference_queue_create(void *handle, uint32_t type, uint64_t id)
{
    (void)type;
    struct emu_reference_device *device = handle;
    struct emu_reference_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        goto err0;
    if (!emu_gpu_allocate(device->gpu, sizeof(struct emu_queue_progress), 0, &queue->memory))
        goto err1;
    queue->progress = queue->memory.cpu;
    queue->last = &queue->first;
    emu_lock(&device->lock);
    bool reserved = emu__reference_rows_reserve(device, QUEUE_ROWS);
    if (reserved)
        LL_APPEND(device->queues, queue);
    emu_unlock(&device->lock);
    if (!reserved)
        goto err2;
    emu__reference_object_init(&queue->object, device, D3D12DDI_HT_COMMAND_QUEUE, id);
    return queue;
err2:
    emu_gpu_free(device->gpu, queue->memory.address);
err1:
    free(queue);
err0:
    return NULL;
}

/* ---- recycling; the lock is held ---- */

static void submission_free(struct emu_reference_queue *queue,
                            struct emu_reference_submission *submission)
{
    for (uint32_t i = 0; i < submission->list_count; i++)
        emu__recording_release(submission->lists[i]);
    emu__reference_memory_give(queue->object.device->gpu, &queue->spare, submission->memory);
    emu__reference_memory_give(queue->object.device->gpu, &queue->spare_history,
                               submission->history);
    free(submission);
}

static void pop(struct emu_reference_queue *queue)
{
    struct emu_reference_submission *submission = queue->first;
    queue->first = submission->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->object.device->row_count -= submission->row_count;
    submission_free(queue, submission);
}

void emu__reference_submission_retired(void *handle, uint64_t serial)
{
    struct emu_reference_queue *queue = handle;
    struct emu_reference_device *device = queue->object.device;
    emu_lock(&device->lock);
    while (queue->first && queue->first->serial <= serial)
        pop(queue);
    emu_unlock(&device->lock);
}

/* Removes the submission: the queue's markers in it are lost, and its rows don't count any more. */
void emu__reference_submission_withdrawn(void *handle, uint64_t serial)
{
    struct emu_reference_queue *queue = handle;
    struct emu_reference_device *device = queue->object.device;
    emu_lock(&device->lock);
    struct emu_reference_submission **link = &queue->first;
    while (*link && (*link)->serial != serial)
        link = &(*link)->next;
    struct emu_reference_submission *submission = *link;
    if (submission) {
        *link = submission->next;
        if (!*link)
            queue->last = link;
        device->row_count -= submission->row_count;
        queue->markers_lost |= submission->has_markers;
        submission_free(queue, submission);
    }
    emu_unlock(&device->lock);
}

void emu__reference_queue_destroy(void *handle)
{
    struct emu_reference_queue *queue = handle;
    if (!queue)
        return;
    struct emu_reference_device *device = queue->object.device;
    emu_lock(&device->lock);
    emu__reference_object_finish(&queue->object);
    LL_DELETE(device->queues, queue);
    while (queue->first)
        pop(queue);
    device->row_count -= QUEUE_ROWS;
    emu_unlock(&device->lock);
    emu_gpu_free(device->gpu, queue->spare.address);
    emu_gpu_free(device->gpu, queue->memory.address);
    emu__reference_history_finish(queue);
    free(queue->markers);
    free(queue);
}

/* ---- markers ---- */

void emu__reference_queue_mark(void *handle, enum emu_marker_kind kind, uint64_t event_id)
{
    struct emu_reference_queue *queue = handle;
    struct emu_reference_device *device = queue->object.device;
    emu_lock(&device->lock);
    if (queue->marker_count < EMU_REFERENCE_MARKER_LIMIT &&
        ARRAY_ROOM(queue->markers, queue->marker_count, queue->marker_capacity))
        queue->markers[queue->marker_count++] = (struct emu_packet_marker){
            {EMU_PACKET_MARKER, sizeof(struct emu_packet_marker)}, event_id, (uint32_t)kind, 0};
    else
        queue->markers_lost = true;
    emu_unlock(&device->lock);
}

/* ---- submissions; the lock is held ---- */

struct layout {
    uint64_t rows; /* bytes */
    uint64_t size; /* bytes of all */
    uint32_t row_count;
};

static bool lay_out(const struct emu_reference_queue *queue, void *const *lists, uint32_t count,
                    struct layout *out)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct emu_recording *recording = ((struct emu_reference_list *)lists[i])->recording;
        if (!recording || !recording->closed)
            return false;
        rows += 1 + (uint64_t)recording->bundle_count;
    }
    if (rows > UINT32_MAX)
        return false;
    out->row_count = (uint32_t)rows;
    out->rows = rows * sizeof(struct emu_progress);
    out->size = out->rows + sizeof(struct emu_packet_queue) +
                queue->marker_count * sizeof(struct emu_packet_marker) +
                count * (sizeof(struct emu_packet_execution_begin) +
                         sizeof(struct emu_packet_call) + sizeof(struct emu_packet_header)) +
                sizeof(struct emu_packet_header);
    return true;
}

/* Writes packets one behind the other. */
struct writer {
    char *at;
};

static void put(struct writer *writer, const void *packets, size_t size)
{
    if (size)
        memcpy(writer->at, packets, size);
    writer->at += size;
}

#define PUT(writer, type, opcode, ...)                                                             \
    put(writer, &(struct type){{opcode, sizeof(struct type)}, __VA_ARGS__}, sizeof(struct type))

static void put_header(struct writer *writer, enum emu_opcode opcode)
{
    const struct emu_packet_header header = {opcode, sizeof header};
    put(writer, &header, sizeof header);
}

static void put_execution(struct writer *writer, const struct emu_recording *recording,
                          uint64_t rows, uint64_t crumbs, uint64_t stamps)
{
    PUT(writer, emu_packet_execution_begin, EMU_PACKET_EXECUTION_BEGIN, rows,
        recording->bundle_count + 1, recording->stamp_count, crumbs, stamps);
    PUT(writer, emu_packet_call, EMU_PACKET_CALL, recording->memory.address, recording->used, 0, 0);
    put_header(writer, EMU_PACKET_EXECUTION_END);
}

static void put_markers(struct emu_reference_queue *queue, struct writer *writer)
{
    size_t size = queue->marker_count * sizeof *queue->markers;
    uint32_t window = queue->object.device->order_window;
    if (window)
        emu__reorder_markers(queue->markers, size, window);
    put(writer, queue->markers, size);
    queue->marker_count = 0;
}

static void write_packets(struct emu_reference_queue *queue,
                          const struct emu_reference_submission *submission, const uint64_t *crumbs,
                          const struct layout *layout, emu_command_buffer *out)
{
    uint64_t rows = submission->memory.address;
    uint64_t stamps = emu__reference_history_stamps(submission);
    const uint32_t stamp_size = emu_gpu_stamp_size(queue->object.device->gpu);
    struct writer writer = {(char *)submission->memory.cpu + layout->rows};
    memset(submission->memory.cpu, 0, (size_t)layout->rows);
    PUT(&writer, emu_packet_queue, EMU_PACKET_QUEUE, queue->memory.address, stamps,
        submission->sequence);
    put_markers(queue, &writer);
    if (stamps != 0)
        stamps += 2 * (uint64_t)stamp_size;
    for (uint32_t i = 0; i < submission->list_count; i++) {
        put_execution(&writer, submission->lists[i], rows, crumbs ? crumbs[i] : 0, stamps);
        if (stamps != 0)
            stamps += submission->lists[i]->stamp_count * (uint64_t)stamp_size;
        rows += (submission->lists[i]->bundle_count + (uint64_t)1) * sizeof(struct emu_progress);
    }
    put_header(&writer, EMU_PACKET_END);
    out->address = submission->memory.address + layout->rows;
    out->size = layout->size - layout->rows;
}

static bool submit(struct emu_reference_queue *queue, const emu_submission *asked,
                   emu_command_buffer *out)
{
    const uint32_t count = asked->count;
    struct emu_reference_device *device = queue->object.device;
    struct layout layout;
    emu_gpu_memory memory;
    if (!lay_out(queue, asked->lists, count, &layout))
        return false;
    struct emu_reference_submission *submission =
        malloc(sizeof *submission + count * sizeof submission->lists[0]);
    if (!submission)
        goto err0;
    if (!emu__reference_memory_take(device->gpu, &queue->spare, layout.size, &memory))
        goto err1;
    if (!emu__reference_rows_reserve(device, layout.row_count))
        goto err2;
    *submission = (struct emu_reference_submission){.memory = memory,
                                                    .serial = asked->serial,
                                                    .sequence = ++queue->sequence,
                                                    .has_markers = queue->marker_count > 0,
                                                    .row_count = layout.row_count,
                                                    .list_count = count};
    for (uint32_t i = 0; i < count; i++) {
        submission->lists[i] = ((struct emu_reference_list *)asked->lists[i])->recording;
        emu__recording_retain(submission->lists[i]);
    }
    if (!emu__reference_history_make(queue, asked, submission))
        goto err3;
    write_packets(queue, submission, asked->crumbs, &layout, out);
    emu__reference_history_log(queue, asked, submission, out);
    *queue->last = submission;
    queue->last = &submission->next;
    return true;
err3:
    for (uint32_t i = 0; i < count; i++)
        emu__recording_release(submission->lists[i]);
    device->row_count -= layout.row_count;
err2:
    emu__reference_memory_give(device->gpu, &queue->spare, memory);
err1:
    free(submission);
err0:
    return false;
}

bool emu__reference_queue_submit(void *handle, const emu_submission *submission,
                                 emu_command_buffer *out)
{
    struct emu_reference_queue *queue = handle;
    out->submit = NULL;
    emu_lock(&queue->object.device->lock);
    bool ok = submit(queue, submission, out);
    emu_unlock(&queue->object.device->lock);
    return ok;
}

bool emu__reference_queue_flush(void *handle, uint64_t serial, emu_command_buffer *out)
{
    struct emu_reference_queue *queue = handle;
    *out = (emu_command_buffer){0};
    emu_lock(&queue->object.device->lock);
    const emu_submission markers = {.serial = serial};
    bool ok = queue->marker_count == 0 || submit(queue, &markers, out);
    emu_unlock(&queue->object.device->lock);
    return ok;
}
