/* Traces: any bytes are read, decoded and printed without harm [ANN-TRACE-03]. */
#include <capture/trace/print.h>

#include <stdlib.h>
#include <string.h>

#define AS_JSON 1u
#define CUT     2u /* long arrays are cut */
#define RECORDS                                                                                    \
    4u /* the bytes are the records of an open chunk, whose hash nothing has to match              \
        */
#define TWO_LANES 8u /* ... of two threads */

/* A file around records, that a fuzzer would take long to make. */
struct frame {
    struct trace_header header;
    struct trace_chunk chunks[2];
};

struct input {
    const uint8_t *data;
    size_t size;
    const struct frame *frame; /* NULL: the bytes are the file */
    size_t first;              /* bytes of the first chunk */
};

#define HEADER_SIZE sizeof(struct trace_header)
#define CHUNK_SIZE  (1u << 20)

static size_t copy(uint64_t offset, void *buffer, size_t size, uint64_t at, const void *data,
                   size_t available)
{
    if (offset < at || offset - at >= available)
        return 0;
    if (size > available - (offset - at))
        size = (size_t)(available - (offset - at));
    memcpy(buffer, (const uint8_t *)data + (offset - at), size);
    return size;
}

static size_t read_input(void *user, uint64_t offset, void *buffer, size_t size)
{
    const struct input *in = user;
    const struct frame *f = in->frame;
    if (!f)
        return copy(offset, buffer, size, 0, in->data, in->size);
    if (offset < HEADER_SIZE)
        return copy(offset, buffer, size, 0, &f->header, HEADER_SIZE);
    const uint64_t lane = (offset - HEADER_SIZE) / CHUNK_SIZE;
    const uint64_t at = HEADER_SIZE + lane * CHUNK_SIZE;
    if (lane > 1)
        return 0;
    const size_t n = copy(offset, buffer, size, at, &f->chunks[lane], sizeof *f->chunks);
    return n ? n
             : copy(offset, buffer, size, at + sizeof *f->chunks, in->data + (lane ? in->first : 0),
                    f->chunks[lane].used);
}

static void frame_records(struct input *in, struct frame *f, bool is_two)
{
    const size_t whole = in->size & ~(size_t)7;
    *f = (struct frame){.header = {.version = TRACE_VERSION,
                                   .header_size = HEADER_SIZE,
                                   .slot_count = 2,
                                   .chunk_size = CHUNK_SIZE,
                                   .wchar_size = 4,
                                   .is_finished = 1}};
    memcpy(f->header.magic, TRACE_MAGIC, sizeof f->header.magic);
    in->frame = f;
    in->first = is_two ? whole / 2 & ~(size_t)7 : whole;
    for (uint32_t i = 0; i < 2; i++)
        f->chunks[i] = (struct trace_chunk){.magic = TRACE_CHUNK_MAGIC,
                                            .state = i && !is_two ? CHUNK_FREE : CHUNK_OPEN,
                                            .serial = i + 1,
                                            .thread = i + 1,
                                            .used = (uint32_t)(i ? whole - in->first : in->first)};
}

/* The first byte chooses what is done with the others. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct input input = {.data = data + 1, .size = size - 1};
    struct frame frame;
    struct trace_printer printer;
    struct trace_item item;
    const char *why;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (size == 0 || !nowhere || size > CHUNK_SIZE / 2)
        return 0;
    if (data[0] & RECORDS)
        frame_records(&input, &frame, data[0] & TWO_LANES);
    struct trace *trace = trace_open(
        read_input, &input, input.frame ? HEADER_SIZE + 2ull * CHUNK_SIZE : input.size, &why);
    if (!trace)
        return 0;
    if (trace_printer_init(&printer, nowhere, data[0] & AS_JSON)) {
        printer.elements_max = data[0] & CUT ? 16 : 0;
        while (trace_next(trace, &item))
            trace_print(&printer, &item);
        trace_printer_finish(&printer);
    }
    trace_close(trace);
    return 0;
}
