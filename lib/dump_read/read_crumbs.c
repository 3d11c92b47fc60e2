/* Reads the runtime's breadcrumbs and the addresses around a page fault. */
#include "dump_read/builder.h"

void annot__read_CRUMBS(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__crumbs *crumbs = &reader->crumbs[reader->crumb_count++];
    annot__decode_CRUMBS(record->fixed, &crumbs->fields);
    crumbs->execution = crumbs->queue = ANNOT__NONE;
    crumbs->is_damaged = builder->is_damaged;
    crumbs->is_behind = false;
}

void annot__read_OPS(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    struct annot__dump_OPS fields;
    annot__decode_OPS(record->fixed, &fields);
    reader->ops[reader->ops_count] =
        (struct annot__ops){.log = fields.log, .bytes = record->variable, .first = fields.first};
    annot__index_add(&reader->ops_index, fields.log, reader->ops_count++);
}

void annot__read_RANGE(struct annot__builder *builder, const struct annot__record_view *record)
{
    annot_reader *reader = builder->reader;
    annot__decode_RANGE(record->fixed, &reader->ranges[reader->range_count++]);
}
