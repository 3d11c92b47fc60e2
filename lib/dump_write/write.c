/* Writes a device into a dump, in a crash handler. The writer never allocates, formats with stdio,
 * or waits without end for a lock. The clock limits all waits together, whichever locks a dead
 * thread holds and however busy the machine is [ANN-SEC-03]. If a lock is not free in that time,
 * the dump lacks the data that the lock protects, and says so. */
#include "base/compiler.h"
#include "base/sized.h"
#include "dump_write/writer.h"

_Static_assert(ANNOT__REFERENCE_PIECE == ANNOT__DUMP_VARIABLE_MAX, "what a dump keeps of it");

/* Counts the caller's facts past the limit, which are not written. */
static uint64_t findings_cut(const annot_dump_info *info)
{
    const size_t facts = info->facts ? info->fact_count : 0;
    return info->findings_cut + (facts > ANNOT_FACTS_MAX ? facts - ANNOT_FACTS_MAX : 0);
}

/* Writes the losses of this dump's writing into the section before the last. */
static void write_losses(annot_dump_writer *writer)
{
    annot__write_loss(writer, ANNOT_LOSS_LOCKED_ARENAS, 0, writer->locked_arenas);
    annot__write_loss(writer, ANNOT_LOSS_LOCKED_NAMES, 0, writer->are_objects_locked);
    annot__write_loss(writer, ANNOT_LOSS_PROGRESS_ROWS, 0, writer->unknown_rows);
    annot__write_loss(writer, ANNOT_LOSS_UNREADABLE, 0, writer->unreadable);
    annot__write_loss(writer, ANNOT_LOSS_PROGRESS_CUT, 0,
                      writer->info->progress_cut + writer->rows_cut);
    annot__write_loss(writer, ANNOT_LOSS_FINDINGS_CUT, 0, findings_cut(writer->info));
    annot__write_loss(writer, ANNOT_LOSS_OPERATIONS, 0,
                      atomic_load_explicit(&writer->device->dropped_operations,
                                           memory_order_relaxed));
}

void annot__write_section_END(annot_dump_writer *writer)
{
    ANNOT__WRITE(writer, END, NULL, 0, .sections = writer->counts.sections,
                 .records = writer->counts.records, .markers = writer->counts.markers);
    annot__section_flush(writer);
}

static void write_section(annot_dump_writer *writer, uint32_t kind,
                          void (*write_records)(annot_dump_writer *writer))
{
    if (kind == ANNOT__DUMP_SECTION_END)
        write_losses(writer);
    annot__section_begin(writer, kind);
    write_records(writer);
}

#define WRITE_SECTION(name, kind, doc) write_section(writer, kind, annot__write_section_##name);

/* Copies the report. Members past the size that the driver set become 0. */
static annot_crash_report report_known(const annot_crash_report *given)
{
    annot_crash_report known = {0};
    size_t size = given->size ? given->size : sizeof known;
    memcpy(&known, given, size < sizeof known ? size : sizeof known);
    return known;
}

annot_result annot_dump_write_sized(annot_dump_writer *writer, const annot_dump_info *info,
                                    size_t info_size, const annot_dump_sink *sink)
{
    annot_dump_info known = {0};
    annot_crash_report report;
    if (!writer || !sink || !sink->write || !sink->finish)
        return annot__misuse(writer ? writer->device : NULL, "annot_dump_write", "no sink");
    if (annot__is_inherited(writer->device))
        return ANNOT_ERROR_FORKED;
    if (!ANNOT__TAKE(known, info, info_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (known.report) {
        report = report_known(known.report);
        known.report = &report;
    }
    if (!known.waits && writer->device->waits) {
        known.waits = writer->waits;
        known.wait_count = writer->device->waits(writer->device->waits_user, writer->waits,
                                                 sizeof writer->waits / sizeof *writer->waits);
    }
    writer->info = &known;
    writer->sink = sink;
    writer->failed = false;
    writer->counts = (struct annot__dump_counts){0};
    writer->locked_arenas = writer->unknown_rows = writer->unreadable = writer->rows_cut = 0;
    writer->are_objects_locked = false;
    writer->wait_left = writer->info->lock_wait ? writer->info->lock_wait : ANNOT__CRASH_WAIT_NS;
    writer->used = ANNOT__DUMP_SECTION_HEADER;

    annot__write_header(writer);
    ANNOT__DUMP_SECTIONS(WRITE_SECTION)
    if (!writer->failed && !sink->finish(sink->user, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE))
        writer->failed = true;
    writer->info = NULL;
    return writer->failed ? ANNOT_ERROR_IO : ANNOT_OK;
}

annot_result annot__dump_continue(annot_dump_writer *writer, const annot_dump_sink *sink,
                                  const char *key, const char *value)
{
    writer->sink = sink;
    writer->failed = false;
    writer->counts = writer->file_counts;
    writer->counts.sections--; /* the new end takes the old end's index */
    writer->counts.records--;
    writer->used = ANNOT__DUMP_SECTION_HEADER;
    annot__section_begin(writer, ANNOT__DUMP_SECTION_ABOUT);
    annot__write_fact(writer, ANNOT_FACT_DUMP, key, value);
    annot__section_begin(writer, ANNOT__DUMP_SECTION_END);
    annot__write_section_END(writer);
    if (!writer->failed && !sink->finish(sink->user, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE))
        writer->failed = true;
    return writer->failed ? ANNOT_ERROR_IO : ANNOT_OK;
}

annot_result annot_dump_writer_create(annot_device *device, annot_dump_writer **out)
{
    if (!out)
        return annot__misuse(device, "annot_dump_writer_create", "`out` must not be NULL");
    *out = NULL;
    if (!device)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    *out = annot__allocate(device, sizeof **out, ANNOT__MAX_ALIGN);
    if (!*out)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    memset(*out, 0, sizeof **out); /* page faults happen now, not in the crash handler */
    (*out)->device = device;
    annot__process_describe(&(*out)->process);
    return ANNOT_OK;
}

void annot_dump_writer_destroy(annot_dump_writer *writer)
{
    if (writer && !annot__is_inherited(writer->device))
        annot__release(writer->device, writer, sizeof *writer);
}
