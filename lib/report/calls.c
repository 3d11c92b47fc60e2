/* Writes into text reports the last call that the GPU completed, and the first call that it did not
 * complete, by time stamps. */
#include "report/report_page.h"
#include "dump_read/ops.h"

#include "base/search.h"

struct calls {
    uint64_t done, done_time; /* the last done call: API sequence number and GPU's time; 0: none */
    uint64_t pending;         /* the first call without a time */
    uint64_t log;
};

static const struct annot__submitted_times *times_of(const annot_reader *reader, uint64_t queue,
                                                     uint64_t serial)
{
    uint32_t low = 0, high = reader->submitted_count;
    ANNOT__LOWER_BOUND(low, high, i,
                       reader->submitted[i].fields.queue < queue ||
                           (reader->submitted[i].fields.queue == queue &&
                            reader->submitted[i].fields.submission < serial));
    const struct annot__submitted_times *times =
        low < reader->submitted_count ? &reader->submitted[low] : NULL;
    return times && times->fields.queue == queue && times->fields.submission == serial ? times
                                                                                       : NULL;
}

static void look_at(const annot_reader *reader, const struct annot__submitted_times *times,
                    uint32_t list, struct calls *calls)
{
    *calls = (struct calls){0};
    for (uint32_t i = 0; i < times->histories.count && calls->pending == 0; i++) {
        const struct annot__history *history = &reader->histories[times->histories.first + i];
        struct annot__bytes bytes = history->calls;
        if (history->fields.list != list || history->is_damaged)
            continue;
        calls->log = history->fields.log;
        while (bytes.size >= ANNOT__CALL_BYTES && calls->pending == 0) {
            const uint64_t number = annot__bytes_u64(&bytes), time = annot__bytes_u64(&bytes);
            if (time == 0) {
                calls->pending = number;
            } else {
                calls->done = number;
                calls->done_time = time;
            }
        }
    }
}

static void say_call(struct annot__page *page, const struct calls *calls, uint64_t number)
{
    const uint32_t operation = (uint32_t)number;
    const uint32_t op =
        calls->log != 0 ? annot__op_at(page->reader, calls->log, operation - 1) : ANNOT__NONE;
    annot__format(page, "%s, operation %u", annot_op_text(op), operation);
}

/* Writes the duration from a time to the error, which is the last pair's time. */
static void say_since(struct annot__page *page, uint64_t ticks)
{
    const annot_reader *reader = page->reader;
    const uint64_t end = reader->clocks[reader->clock_count - 1].cpu;
    const uint64_t time = annot__clock_convert(reader, ticks);
    const uint64_t ago = time < end ? end - time : 0;
    annot__format(page, "%llu.%06llu s", (unsigned long long)(ago / 1000000000u),
                  (unsigned long long)(ago / 1000u % 1000000u));
}

void annot__write_calls(struct annot__page *page, uint32_t execution)
{
    const annot_reader *reader = page->reader;
    const struct annot__execution *of = &reader->executions[execution];
    const struct annot__submitted_times *times = times_of(
        reader, reader->streams[of->queue].object, reader->submissions[of->submission].serial);
    struct calls calls;
    if (!times || times->is_damaged || times->fields.problem != ANNOT_HISTORY_PROBLEM_NONE ||
        times->fields.begin == 0 || reader->clock_count == 0)
        return;
    look_at(reader, times, of->list, &calls);
    if (calls.done != 0) {
        annot__begin(page, 2, "last call done");
        say_call(page, &calls, calls.done);
        annot__say(page, ", ");
        say_since(page, calls.done_time);
        annot__say(page, " before the error\n");
    }
    if (calls.pending != 0) {
        annot__begin(page, 2, "call not done");
        say_call(page, &calls, calls.pending);
        annot__say(page, ", for ");
        say_since(page, calls.done != 0 ? calls.done_time : times->fields.begin);
        annot__say(page, "\n");
    }
}
