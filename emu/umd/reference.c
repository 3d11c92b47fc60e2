/*
 * The reference driver: every marker is a packet with its EventID in the command stream, and what
 * the GPU wrote about them is all that the crash report says.
 */
#include "umd/reference.h"

#include <stdlib.h>
#include <string.h>

/* ---- device ---- */

void *emu__reference_block_add(emu_reference_device *device, size_t size)
{
    emu_reference_block *block = malloc(sizeof *block + size);
    if (!block)
        return NULL;
    block->next = device->blocks;
    device->blocks = block;
    return block->bytes;
}

static void free_blocks(emu_reference_device *device)
{
    while (device->blocks) {
        emu_reference_block *next = device->blocks->next;
        free(device->blocks);
        device->blocks = next;
    }
}

void *emu__reference_device_create(emu_gpu *gpu, bool reports, uint32_t order_window)
{
    emu_reference_device *device = calloc(1, sizeof *device);
    if (!device)
        goto err0;
    device->gpu = gpu;
    device->reports = reports;
    device->order_window = order_window;
    device->blob_size = sizeof(emu_reference_blob);
    if (!emu__reference_blob_reserve(device, device->blob_size))
        goto err1;
    if (pthread_mutex_init(&device->lock, NULL) != 0)
        goto err2;
    return device;
err2:
    free_blocks(device);
err1:
    free(device);
err0:
    return NULL;
}

void emu__reference_device_destroy(void *handle)
{
    emu_reference_device *device = handle;
    if (!device)
        return;
    pthread_mutex_destroy(&device->lock);
    free_blocks(device);
    free(device);
}

/* ---- crash report ---- */

bool emu__reference_rows_reserve(emu_reference_device *device, uint64_t more)
{
    uint64_t count = device->row_count + more;
    uint64_t needed = count < ANNOT_CRASH_REPORT_MAX_ROWS ? count : ANNOT_CRASH_REPORT_MAX_ROWS;
    if (needed > device->row_capacity) {
        uint64_t capacity = needed * 2;
        annot_progress *rows =
            emu__reference_block_add(device, (size_t)capacity * sizeof(annot_progress));
        if (!rows)
            return false;
        device->rows = rows;
        device->row_capacity = capacity;
    }
    device->row_count = count;
    return true;
}

static uint32_t reported_state(uint32_t state)
{
    switch (state) {
    case EMU_PROGRESS_NOT_STARTED:
        return ANNOT_PROGRESS_NOT_STARTED;
    case EMU_PROGRESS_STARTED:
        return ANNOT_PROGRESS_STARTED;
    case EMU_PROGRESS_FINISHED:
        return ANNOT_PROGRESS_FINISHED;
    default: /* something wrote over it */
        return ANNOT_PROGRESS_UNKNOWN;
    }
}

/* The rows of one report, as far as there is room. */
struct rows {
    emu_reference_device *device;
    uint64_t count;
};

static void add_row(struct rows *rows, annot_progress row, const emu_progress *progress)
{
    if (rows->count == rows->device->row_capacity)
        return;
    row.state = reported_state(atomic_load_explicit(&progress->state, memory_order_acquire));
    row.started = atomic_load_explicit(&progress->started, memory_order_acquire);
    row.completed = atomic_load_explicit(&progress->completed, memory_order_acquire);
    rows->device->rows[rows->count++] = row;
}

static void add_queue(struct rows *rows, emu_reference_queue *queue)
{
    annot_progress row = {.queue = queue, .list = ANNOT_PROGRESS_QUEUE};
    uint64_t at = rows->count;
    add_row(rows, row, &queue->progress->markers);
    if (queue->markers_lost && rows->count > at)
        rows->device->rows[at].state = ANNOT_PROGRESS_UNKNOWN;
}

static void add_submission(struct rows *rows, emu_reference_queue *queue,
                           const emu_reference_submission *submission)
{
    const emu_progress *progress = submission->memory.cpu;
    for (uint32_t i = 0; i < submission->list_count; i++)
        for (uint32_t bundle = 0; bundle <= submission->lists[i]->bundle_count; bundle++) {
            annot_progress row = {
                .queue = queue, .submission = submission->serial, .list = i, .bundle = bundle};
            add_row(rows, row, progress++);
        }
}

static void collect(emu_reference_device *device, annot_crash_report *report)
{
    struct rows rows = {device, 0};
    for (emu_reference_queue *queue = device->queues; queue; queue = queue->next) {
        add_queue(&rows, queue);
        for (const emu_reference_submission *s = queue->first; s; s = s->next)
            add_submission(&rows, queue, s);
    }
    emu__reference_blob_fill(device);
    report->order_window = device->order_window;
    report->progress = device->rows;
    report->progress_count = (size_t)rows.count;
    report->blob = device->blob;
    report->blob_size = device->blob_size;
}

/* A page fault's address is the kernel's to know. */
void emu__reference_crash_report(void *handle, annot_crash_report *report)
{
    emu_reference_device *device = handle;
    annot_crash_report full = {.order_window = ANNOT_ORDER_UNKNOWN};
    if (device->reports) {
        pthread_mutex_lock(&device->lock);
        collect(device, &full);
        pthread_mutex_unlock(&device->lock);
    }
    full.size = report->size;
    memcpy(report, &full, report->size < sizeof full ? report->size : sizeof full);
}

/* ---- annotation table ---- */

static void ANNOT_DDI_CALL queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                       const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emu__reference_queue_mark(queue.pDrvPrivate, EMU_MARKER_BEGIN, event_id);
}

static void ANNOT_DDI_CALL queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t event_id)
{
    emu__reference_queue_mark(queue.pDrvPrivate, EMU_MARKER_END, event_id);
}

static void ANNOT_DDI_CALL queue_set(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                     const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emu__reference_queue_mark(queue.pDrvPrivate, EMU_MARKER_SET, event_id);
}

static void ANNOT_DDI_CALL list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emu__reference_list_mark(list.pDrvPrivate, EMU_MARKER_BEGIN, event_id);
}

static void ANNOT_DDI_CALL list_end(D3D12DDI_HCOMMANDLIST list, uint64_t event_id)
{
    emu__reference_list_mark(list.pDrvPrivate, EMU_MARKER_END, event_id);
}

static void ANNOT_DDI_CALL list_set(D3D12DDI_HCOMMANDLIST list, uint32_t metadata, const void *data,
                                    uint32_t size, uint64_t event_id)
{
    (void)metadata, (void)data, (void)size;
    emu__reference_list_mark(list.pDrvPrivate, EMU_MARKER_SET, event_id);
}

const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 emu__reference_annotation = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, emu__reference_set_name,
};

/* ---- driver ---- */

static void *device_create(emu_gpu *gpu, uint64_t seed)
{
    (void)seed;
    return emu__reference_device_create(gpu, true, 0);
}

const emu_driver emu__driver_reference = {
    EMU_DRIVER_HEAD,
    .annot = {"reference", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0,
              &emu__reference_annotation},
    .device_create = device_create,
    EMU_REFERENCE_COMMON,
};
