/* The reference driver's crash report: the markers that the GPU reached, for each execution.
 * Allocates nothing. */
#include "umd/types.h"
#include "gate.h"

#include <string.h>

static uint32_t reported_state(uint32_t state)
{
    static const uint32_t states[] = {[EMU_PROGRESS_NOT_STARTED] = ANNOT_PROGRESS_NOT_STARTED,
                                      [EMU_PROGRESS_STARTED] = ANNOT_PROGRESS_STARTED,
                                      [EMU_PROGRESS_FINISHED] = ANNOT_PROGRESS_FINISHED};
    /* any other number: something else wrote over the progress */
    return state <= EMU_PROGRESS_FINISHED ? states[state] : ANNOT_PROGRESS_UNKNOWN;
}

/* The rows of one report, up to its room. */
struct rows {
    struct emu_reference_device *device;
    uint64_t count;
};

static void add_row(struct rows *rows, annot_progress row, const struct emu_progress *progress)
{
    if (rows->count == rows->device->row_capacity)
        return;
    row.state = reported_state(atomic_load_explicit(&progress->state, memory_order_acquire));
    row.started = atomic_load_explicit(&progress->started, memory_order_acquire);
    row.completed = atomic_load_explicit(&progress->completed, memory_order_acquire);
    row.inside = ANNOT_INSIDE_TRACKED;
    rows->device->rows[rows->count++] = row;
}

static void add_queue(struct rows *rows, struct emu_reference_queue *queue)
{
    annot_progress row = {.queue = queue->object.id, .list = ANNOT_PROGRESS_QUEUE};
    uint64_t at = rows->count;
    add_row(rows, row, &queue->progress->markers);
    if (queue->markers_lost && rows->count > at) {
        row.inside = ANNOT_INSIDE_LOST;
        rows->device->rows[at] = row;
    }
}

/* If no list's row shows that the GPU began the submission, adds a row that shows it. */
static void add_begun(struct rows *rows, const struct emu_reference_queue *queue,
                      const struct emu_reference_submission *submission)
{
    const struct emu_progress *progress = submission->memory.cpu;
    if (submission->list_count == 0 ||
        atomic_load_explicit(&queue->progress->sequence, memory_order_acquire) !=
            submission->sequence ||
        atomic_load_explicit(&progress->state, memory_order_acquire) != EMU_PROGRESS_NOT_STARTED ||
        rows->count == rows->device->row_capacity)
        return;
    rows->device->rows[rows->count++] = (annot_progress){
        .queue = queue->object.id,
        .submission = submission->serial,
        .list = ANNOT_PROGRESS_QUEUE,
        .state = ANNOT_PROGRESS_STARTED,
    };
}

static void add_submission(struct rows *rows, struct emu_reference_queue *queue,
                           const struct emu_reference_submission *submission)
{
    const struct emu_progress *progress = submission->memory.cpu;
    for (uint32_t i = 0; i < submission->list_count; i++) {
        const struct emu_recording *list = submission->lists[i];
        for (uint32_t bundle = 0; bundle <= list->bundle_count; bundle++) {
            annot_progress row = {
                .queue = queue->object.id,
                .object = bundle ? list->bundles[bundle - 1]->object : list->object,
                .submission = submission->serial,
                .list = i,
                .bundle = bundle,
            };
            add_row(rows, row, progress++);
        }
    }
}

static void collect(struct emu_reference_device *device, annot_crash_report *report)
{
    struct rows rows = {device, 0};
    for (struct emu_reference_queue *queue = device->queues; queue; queue = queue->next) {
        add_queue(&rows, queue);
        for (const struct emu_reference_submission *s = queue->first; s; s = s->next) {
            add_begun(&rows, queue, s);
            add_submission(&rows, queue, s);
        }
    }
    emu__reference_blob_fill(device);
    report->order_window = device->order_window;
    /* an engine runs one packet after the other */
    report->promises = ANNOT_PROMISE_STARTS_IN_ORDER | ANNOT_PROMISE_RETIRES_IN_ORDER;
    report->progress = device->rows;
    report->progress_count = (size_t)rows.count;
    report->blob = device->blob;
    report->blob_size = device->blob_size;
}

/* Reports no address of a page fault, because only the kernel knows it. */
void emu__reference_crash_report(void *handle, annot_crash_report *report)
{
    struct emu_reference_device *device = handle;
    annot_crash_report full = {.order_window = ANNOT_ORDER_UNKNOWN};
    if (device->reports) {
        emu_lock(&device->lock);
        collect(device, &full);
        emu_unlock(&device->lock);
    }
    full.size = report->size;
    memcpy(report, &full, report->size < sizeof full ? report->size : sizeof full);
}
