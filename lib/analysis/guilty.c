#include "analysis/guilty.h"

uint64_t annot__guilty_queue(const annot_reader *reader)
{
    return reader->tdr.fields.context ? reader->tdr.fields.context : reader->tdr.fields.queue;
}
