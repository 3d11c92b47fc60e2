/* Reads the runtime's breadcrumbs and the addresses around a page fault. */
#include "dump_read/builder.h"

ANNOT__READ(CRUMBS)
{
    struct annot__crumbs *crumbs = &reader->crumbs[reader->crumb_count++];
    crumbs->fields = *fields;
    crumbs->execution = crumbs->queue = ANNOT__NONE;
    crumbs->is_damaged = builder->is_damaged;
    crumbs->is_behind = false;
}

ANNOT__READ(OPS)
{
    reader->ops[reader->ops_count] = (struct annot__ops){
        .log = fields->log, .bytes = builder->record.variable, .first = fields->first};
    annot__index_add(&reader->ops_index, fields->log, reader->ops_count++);
}

ANNOT__READ(RANGE)
{
    (void)builder;
    reader->ranges[reader->range_count++] = *fields;
}
