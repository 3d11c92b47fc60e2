/* Reads the times of submissions and calls. */
#include "dump_read/builder.h"

void annot__read_CLOCK(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_CLOCK fields, *last;
    annot__decode_CLOCK(record->fixed, &fields);
    last = reader->clock_count > 0 ? &reader->clocks[reader->clock_count - 1] : NULL;
    if (builder->is_damaged || (last && (fields.gpu < last->gpu || fields.cpu < last->cpu)))
        return; /* clocks go on */
    reader->clocks[reader->clock_count++] = fields;
}

void annot__read_SUBMITTED(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__submitted_times *times = &reader->submitted[reader->submitted_count++];
    annot__decode_SUBMITTED(record->fixed, &times->fields);
    times->is_damaged = builder->is_damaged;
}

void annot__read_HISTORY(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__history *history = &reader->histories[reader->history_count++];
    annot__decode_HISTORY(record->fixed, &history->fields);
    history->calls = record->variable;
    history->is_damaged = builder->is_damaged;
}

void annot__read_TIMES(struct annot__builder *builder, const struct annot__record_view *record)
{
    struct annot__dump_TIMES fields;
    annot__decode_TIMES(record->fixed, &fields);
    if (!builder->is_damaged)
        builder->reader->times_forgotten = fields.forgotten;
}
