/* Writes the data of the driver and the kernel. The operating system reads this data, because the
 * pointers are not trusted. */
#include "dump_write/writer.h"

/* ---- the driver's rows; under objects_lock ---- */

static bool has_queue(const annot_device *device, uint64_t id)
{
    const struct annot__queue *queue = device->queues;
    while (queue && queue->context->object->id != id)
        queue = queue->next;
    return queue != NULL;
}

static void write_progress(annot_dump_writer *writer, const annot_progress *of)
{
    if (has_queue(writer->device, of->queue))
        annot__write_PROGRESS(writer, &ANNOT__DUMP_OF(PROGRESS), NULL, 0);
    else
        writer->unknown_rows++;
}

/* Copies whole units of `size` bytes into `referenced`. Returns the number of bytes, or 0 if the
 * first unit can't be read. */
static uint32_t copy_piece(annot_dump_writer *writer, const void *from, uint64_t size,
                           uint32_t unit)
{
    uint32_t part = annot__cut_bytes(size) / unit * unit;
    while (part > 0 && !annot__memory_read(writer->referenced, from, part))
        part = part / 2 / unit * unit;
    return part;
}

static void write_blob(annot_dump_writer *writer, uint32_t index, const annot_blob *blob)
{
    const char *data = blob->data;
    uint64_t offset = 0;
    uint32_t part;
    do {
        part = copy_piece(writer, data + offset, blob->size - offset, 1);
        if (part > 0 || offset == 0)
            ANNOT__WRITE(writer, BLOB, writer->referenced, part, .metadata = blob->metadata,
                         .offset = offset, .size = blob->size, .kind = blob->kind, .index = index);
        offset += part;
    } while (offset < blob->size && part > 0);
    writer->unreadable += part == 0;
}

/* Writes the driver's rows. The system checks that the driver's pointer and count are readable. */
static void write_rows(annot_dump_writer *writer, const annot_progress *rows, size_t count)
{
    size_t i = 0, got = 1;
    while (i < count && got > 0) {
        got = copy_piece(writer, rows + i, (count - i) * sizeof *rows, sizeof *rows) / sizeof *rows;
        for (size_t k = 0; k < got; k++) {
            annot_progress row;
            memcpy(&row, writer->referenced + k * sizeof row, sizeof row);
            write_progress(writer, &row);
        }
        i += got;
    }
    writer->unreadable += got == 0;
}

static void write_fault(annot_dump_writer *writer, const annot_fault *fault)
{
    if (fault->address == 0)
        return;
    ANNOT__WRITE(writer, FAULT, NULL, 0, .address = fault->address, .source = fault->source);
}

/* Writes all claims of the driver's report, within the limits that the driver was told. */
static void write_report(annot_dump_writer *writer, const annot_crash_report *report)
{
    size_t rows = report->progress ? report->progress_count : 0;
    if (rows > ANNOT_CRASH_REPORT_MAX_ROWS) {
        writer->rows_cut = rows - ANNOT_CRASH_REPORT_MAX_ROWS;
        rows = ANNOT_CRASH_REPORT_MAX_ROWS;
    }
    write_rows(writer, report->progress, rows);
    write_fault(writer, &(annot_fault){report->fault_address, ANNOT_FAULT_DRIVER, 0});
}

/* ---- the kernel's and the runtime's word ---- */

static void write_wait(annot_dump_writer *writer, const annot_wait *wait)
{
    uint32_t count = 0;
    while (count < ANNOT_SIGNALLERS_MAX && wait->signallers[count] != 0)
        count++;
    char *at = annot__record_begin(writer, ANNOT__DUMP_WAIT, ANNOT__DUMP_WAIT_FIXED, count * 8);
    at = annot__put_WAIT(at, &(struct annot__dump_WAIT){.queue = wait->queue,
                                                        .submission = wait->submission,
                                                        .fence = wait->fence,
                                                        .value = wait->value,
                                                        .reached = wait->reached,
                                                        .certain = wait->is_certain,
                                                        .flags = wait->flags,
                                                        .given = wait->given,
                                                        .giver = wait->giver,
                                                        .waited = wait->waited,
                                                        .list = wait->list});
    for (uint32_t i = 0; i < count; i++)
        at = annot__put_u64(at, wait->signallers[i]);
}

static void write_blobs(annot_dump_writer *writer, const annot_dump_info *info)
{
    uint32_t index = 0;
    const annot_crash_report *report = info->report;
    if (report && report->blob && report->blob_size) {
        size_t size = report->blob_size;
        if (size > ANNOT_CRASH_REPORT_MAX_BLOB)
            size = ANNOT_CRASH_REPORT_MAX_BLOB;
        annot_blob blob = {.kind = ANNOT_BLOB_DRIVER, .data = report->blob, .size = size};
        write_blob(writer, index++, &blob);
    }
    for (size_t i = 0; i < info->blob_count; i++)
        if (info->blobs[i].data && info->blobs[i].size)
            write_blob(writer, index++, &info->blobs[i]);
}

void annot__write_section_EVIDENCE(annot_dump_writer *writer)
{
    const annot_dump_info *info = writer->info;
    const annot_crash_report *report = info->report;
    for (size_t i = 0; i < info->fault_count; i++)
        write_fault(writer, &info->faults[i]);
    for (size_t i = 0; i < info->wait_count; i++)
        write_wait(writer, &info->waits[i]);
    if (report && annot__lock_objects(writer)) {
        write_report(writer, report);
        annot__mutex_unlock(&writer->device->objects_lock);
    }
    annot__section_begin(writer,
                         ANNOT__DUMP_SECTION_EVIDENCE); /* a damaged blob must not damage rows */
    write_blobs(writer, info);
}
