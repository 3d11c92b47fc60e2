/* A trace's file around records that a fuzzer made, so that it need not find one: two threads' open
 * chunks, whose hash nothing has to match. */
#pragma once

#include <capture/trace/read.h>

struct frame {
    const uint8_t *records; /* the first thread's, then the second's */
    size_t first;           /* bytes of the first's */
    uint32_t chunk_size;
    struct trace_header header;
    struct trace_chunk chunks[2];
};

/* Around `size` bytes, which stay the caller's, as far as they are multiples of 8. A chunk takes
 * chunk_size bytes less its header. */
void frame_put(struct frame *frame, const uint8_t *records, size_t size, size_t first,
               uint32_t chunk_size);

/* For trace_open, and the file's size. */
size_t frame_read(void *frame, uint64_t offset, void *buffer, size_t size);
uint64_t frame_size(const struct frame *frame);

/* Those of the bytes in `data`, which are in the file from `at` on, that lie at `offset`. */
size_t frame_copy(uint64_t offset, void *buffer, size_t size, uint64_t at, const void *data,
                  size_t available);
