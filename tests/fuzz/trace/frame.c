#include "frame.h"

#include <string.h>

#define START sizeof(struct trace_header)

size_t frame_copy(uint64_t offset, void *buffer, size_t size, uint64_t at, const void *data,
                  size_t available)
{
    if (offset < at || offset - at >= available)
        return 0;
    if (size > available - (offset - at))
        size = (size_t)(available - (offset - at));
    memcpy(buffer, (const uint8_t *)data + (offset - at), size);
    return size;
}

size_t frame_read(void *frame, uint64_t offset, void *buffer, size_t size)
{
    const struct frame *f = frame;
    if (offset < START)
        return frame_copy(offset, buffer, size, 0, &f->header, START);
    const uint64_t lane = (offset - START) / f->chunk_size, at = START + lane * f->chunk_size;
    if (lane > 1)
        return 0;
    const size_t n = frame_copy(offset, buffer, size, at, &f->chunks[lane], sizeof *f->chunks);
    return n ? n
             : frame_copy(offset, buffer, size, at + sizeof *f->chunks,
                          f->records + (lane ? f->first : 0), f->chunks[lane].used);
}

uint64_t frame_size(const struct frame *frame)
{
    return START + 2ull * frame->chunk_size;
}

void frame_put(struct frame *frame, const uint8_t *records, size_t size, size_t first,
               uint32_t chunk_size)
{
    const size_t whole = size & ~(size_t)7;
    *frame = (struct frame){.records = records,
                            .first = (first < whole ? first : whole) & ~(size_t)7,
                            .chunk_size = chunk_size,
                            .header = {.version = TRACE_VERSION,
                                       .header_size = START,
                                       .slot_count = 2,
                                       .chunk_size = chunk_size,
                                       .wchar_size = 4,
                                       .is_finished = 1}};
    memcpy(frame->header.magic, TRACE_MAGIC, sizeof frame->header.magic);
    for (uint32_t i = 0; i < 2; i++) {
        const size_t used = i ? whole - frame->first : frame->first;
        frame->chunks[i] = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                                .state = i && !used ? CHUNK_FREE : CHUNK_OPEN,
                                                .serial = i + 1,
                                                .thread = i + 1,
                                                .used = (uint32_t)used};
    }
}
