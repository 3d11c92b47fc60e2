/* Writes times of submissions and calls from the caller's memory, which is trusted. */
#include "dump_write/writer.h"

enum { CALL_BYTES = 16, PIECE_CALLS = 1024 };

/* Executions of one recording are mostly near each other. If breadcrumbs, or one of the last
 * executions, had the same operations, they are not written again. */
enum { OPS_WINDOW = 16, CRUMBS_WINDOW = 256 };

static bool are_ops_written(const annot_dump_info *info, size_t index)
{
    const uint64_t log = info->histories[index].log;
    for (size_t i = index; i-- > 0 && index - i <= OPS_WINDOW;)
        if (info->histories[i].log == log)
            return true;
    for (size_t i = 0; i < info->crumb_count && i < CRUMBS_WINDOW; i++)
        if (info->crumbs[i].log == log)
            return true;
    return false;
}

static void write_calls(annot_dump_writer *writer, const annot_history *history)
{
    uint32_t first = 0;
    do {
        uint32_t count = history->count - first;
        if (count > PIECE_CALLS)
            count = PIECE_CALLS;
        char *at = annot__record_begin(writer, ANNOT__DUMP_HISTORY, ANNOT__DUMP_HISTORY_FIXED,
                                       count * CALL_BYTES);
        at = annot__put_HISTORY(at, &(struct annot__dump_HISTORY){
                                        .queue = history->queue,
                                        .submission = history->submission,
                                        .object = history->object,
                                        .log = history->log,
                                        .list = history->list,
                                        .first = first,
                                        .count = history->op_count,
                                        .markers = history->markers,
                                    });
        for (uint32_t i = 0; i < count; i++) {
            at = annot__put_u64(at, history->stamps[first + i].number);
            at = annot__put_u64(at, history->stamps[first + i].time);
        }
        first += count;
    } while (first < history->count);
}

static void write_ops(annot_dump_writer *writer, const annot_history *history)
{
    const annot_crumbs crumbs = {.log = history->log,
                                 .count = history->op_count,
                                 .kept = history->kept,
                                 .ops = history->ops};
    annot__write_ops_of(writer, &crumbs);
}

void annot__write_section_HISTORY(annot_dump_writer *writer)
{
    const annot_dump_info *info = writer->info;
    for (size_t i = 0; i < info->clock_count; i++) {
        const annot_clock_pair *of = &info->clocks[i];
        annot__write_CLOCK(writer, &ANNOT__DUMP_OF(CLOCK), NULL, 0);
    }
    for (size_t i = 0; i < info->submitted_count; i++) {
        const annot_submitted *of = &info->submitted[i];
        annot__write_SUBMITTED(writer, &ANNOT__DUMP_OF(SUBMITTED), NULL, 0);
    }
    for (size_t i = 0; i < info->history_count; i++) {
        write_calls(writer, &info->histories[i]);
        if (info->histories[i].log != 0 && !are_ops_written(info, i))
            write_ops(writer, &info->histories[i]);
    }
    if (info->histories_lost > 0)
        ANNOT__WRITE(writer, TIMES, NULL, 0, .forgotten = info->histories_lost);
}
