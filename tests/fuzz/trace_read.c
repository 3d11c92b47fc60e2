/* Traces: any bytes are read, decoded and printed without harm [ANN-TRACE-03]. */
#include <capture/trace/print.h>

#include <stdlib.h>
#include <string.h>

struct input {
    const uint8_t *data;
    size_t size;
};

static size_t read_input(void *user, uint64_t offset, void *buffer, size_t size)
{
    const struct input *input = user;
    if (offset >= input->size)
        return 0;
    if (size > input->size - offset)
        size = input->size - offset;
    memcpy(buffer, input->data + offset, size);
    return size;
}

/* The first byte chooses text or JSON. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct input input = {data + 1, size - 1};
    struct trace_printer printer;
    struct trace_item item;
    const char *why;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    if (size == 0 || !nowhere)
        return 0;
    struct trace *trace = trace_open(read_input, &input, input.size, &why);
    if (!trace)
        return 0;
    if (trace_printer_init(&printer, nowhere, data[0] & 1)) {
        printer.elements_max = data[0] & 2 ? 16 : 0;
        while (trace_next(trace, &item))
            trace_print(&printer, &item);
        trace_printer_finish(&printer);
    }
    trace_close(trace);
    return 0;
}
