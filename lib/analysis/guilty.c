#include "analysis/guilty.h"

uint64_t annot__guilty_queue(const annot_reader *reader)
{
    return reader->tdr.fields.context ? reader->tdr.fields.context : reader->tdr.fields.queue;
}

bool annot__order_stops(annot_reader *reader)
{
    const uint64_t guilty = annot__guilty_queue(reader);
    const uint32_t count = reader->stop_count;
    if (guilty == 0 || count == 0)
        return true;
    annot_reader_stop *ordered =
        annot__reader_allocate(reader, reader->stops_capacity, sizeof *ordered);
    if (!ordered)
        return false;
    uint32_t at = 0;
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < count; i++) {
            annot_reader_stop *stop = &reader->stops[i];
            stop->is_guilty = reader->streams[stop->queue].object == guilty;
            if (stop->is_guilty == (turn == 0))
                ordered[at++] = *stop;
        }
    annot__reader_release(reader, reader->stops, reader->stops_capacity, sizeof *reader->stops);
    reader->stops = ordered;
    return true;
}
