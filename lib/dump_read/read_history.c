/* Reads the times of submissions and calls. */
#include "dump_read/builder.h"

ANNOT__READ(CLOCK)
{
    const struct annot__dump_CLOCK *last =
        reader->clock_count > 0 ? &reader->clocks[reader->clock_count - 1] : NULL;
    if (builder->is_damaged || (last && (fields->gpu < last->gpu || fields->cpu < last->cpu)))
        return; /* clocks go on */
    reader->clocks[reader->clock_count++] = *fields;
}

ANNOT__READ(SUBMITTED)
{
    struct annot__submitted_times *times = &reader->submitted[reader->submitted_count++];
    times->fields = *fields;
    times->is_damaged = builder->is_damaged;
}

ANNOT__READ(HISTORY)
{
    struct annot__history *history = &reader->histories[reader->history_count++];
    history->fields = *fields;
    history->calls = builder->record.variable;
    history->is_damaged = builder->is_damaged;
}

ANNOT__READ(TIMES)
{
    if (!builder->is_damaged)
        reader->times_forgotten = fields->forgotten;
}
