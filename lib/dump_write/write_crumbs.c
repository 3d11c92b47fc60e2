/* Writes breadcrumbs and address ranges from the caller's memory, which is trusted. */
#include "dump_write/writer.h"

/* Executions of one recording are mostly near each other. If one of the last OPS_WINDOW executions
 * had the same operations, they are not written again. */
#define OPS_WINDOW 16u

static bool is_written(const annot_dump_info *info, size_t index)
{
    for (size_t i = index; i-- > 0 && index - i <= OPS_WINDOW;)
        if (info->crumbs[i].log == info->crumbs[index].log)
            return true;
    return false;
}

/* Writes records that don't cross the ring's end, unless the claimed number of operations is too
 * large. */
static void write_ops(annot_dump_writer *writer, const annot_crumbs *crumbs)
{
    uint32_t first = crumbs->count - crumbs->kept;
    while (first < crumbs->count) {
        const uint32_t at = first % ANNOT_CRUMBS_OPS;
        uint32_t size = annot__cut_bytes(crumbs->count - first);
        if (size > ANNOT_CRUMBS_OPS - at)
            size = ANNOT_CRUMBS_OPS - at;
        ANNOT__WRITE(writer, OPS, crumbs->ops + at, size, .log = crumbs->log, .first = first);
        first += size;
    }
}

static bool has_ops(const annot_crumbs *crumbs)
{
    return crumbs->ops && crumbs->kept <= ANNOT_CRUMBS_OPS;
}

void annot__write_ops_of(annot_dump_writer *writer, const annot_crumbs *crumbs)
{
    if (has_ops(crumbs))
        write_ops(writer, crumbs);
}

void annot__write_section_CRUMBS(annot_dump_writer *writer)
{
    const annot_dump_info *info = writer->info;
    for (size_t i = 0; i < info->range_count; i++) {
        const annot_allocation_range *of = &info->ranges[i];
        annot__write_RANGE(writer, &ANNOT__DUMP_OF(RANGE), NULL, 0);
    }
    for (size_t i = 0; i < info->crumb_count; i++) {
        const annot_crumbs *of = &info->crumbs[i];
        annot__write_CRUMBS(writer, &ANNOT__DUMP_OF(CRUMBS), NULL, 0);
        if (!is_written(info, i))
            annot__write_ops_of(writer, of);
    }
}
