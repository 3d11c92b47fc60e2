/* Traces: any bytes are read, decoded and printed without harm [ANN-TRACE-03]. */
#include "trace/frame.h"

#include <capture/trace/print.h>

#include <stdlib.h>
#include <string.h>

#define AS_JSON    1u
#define CUT        2u /* long arrays are cut */
#define RECORDS    4u /* the bytes are the records of an open chunk */
#define TWO_LANES  8u /* ... of two threads */

#define CHUNK_SIZE (1u << 20)

/* The bytes are the file. */
struct input {
    const uint8_t *data;
    size_t size;
};

static size_t read_input(void *user, uint64_t offset, void *buffer, size_t size)
{
    const struct input *in = user;
    return frame_copy(offset, buffer, size, 0, in->data, in->size);
}

static struct trace *open_records(struct frame *frame, const struct input *in, bool is_two,
                                  const char **why)
{
    frame_put(frame, in->data, in->size, is_two ? in->size / 2 : in->size, CHUNK_SIZE);
    return trace_open(frame_read, frame, frame_size(frame), why);
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
    struct trace *trace = data[0] & RECORDS
                              ? open_records(&frame, &input, data[0] & TWO_LANES, &why)
                              : trace_open(read_input, &input, input.size, &why);
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
