/*
 * A copy of a trace in which one byte of what a call returned is another, or all memory that was
 * allocated lies elsewhere: as another runtime would have left it.
 *
 *     capture-edit FROM TO CALL OFFSET       OFFSET: in the data of the call's LEAVE record
 *     capture-edit FROM TO addresses BYTES   ADDRESS records say so many bytes more
 */
#include <capture/trace/read.h>
#include <capture/trace/schema.h>
#include <capture/trace/write.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* `call` 0: addresses, `offset` more each. */
static bool edit(const struct trace_item *item, uint8_t *data, uint64_t call, uint64_t offset)
{
    uint64_t address;
    if (call == 0 && item->record.kind == RECORD_ADDRESS && item->size >= sizeof address) {
        memcpy(&address, data, sizeof address);
        address += offset;
        memcpy(data, &address, sizeof address);
        return true;
    }
    if (item->record.kind != RECORD_LEAVE || item->record.call != call || offset >= item->size)
        return false;
    data[offset] ^= 1;
    return true;
}

static bool copy(struct trace *trace, struct trace_writer *writer, uint64_t call, uint64_t offset)
{
    struct trace_item item;
    bool is_changed = false;
    while (trace_next(trace, &item)) {
        uint8_t *data = malloc(item.size ? item.size : 1);
        if (!data)
            return false;
        memcpy(data, item.data, item.size);
        is_changed |= edit(&item, data, call, offset);
        item.data = data;
        const bool ok = trace_writer_add(writer, &item);
        free(data);
        if (!ok)
            return false;
    }
    return is_changed;
}

int main(int argc, char **argv)
{
    const char *why = "capture-edit FROM TO CALL|addresses OFFSET";
    schema_init();
    struct trace *trace = argc == 5 ? trace_open_file(argv[1], &why) : NULL;
    struct trace_writer *writer =
        trace ? trace_writer_open(argv[2], trace_get_header(trace), false, &why) : NULL;
    if (!writer) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    const uint64_t call = strcmp(argv[3], "addresses") == 0 ? 0 : strtoull(argv[3], NULL, 10);
    const bool ok = copy(trace, writer, call, strtoull(argv[4], NULL, 0));
    trace_close(trace);
    if (!trace_writer_close(writer) || !ok) {
        fputs("nothing was changed, or it could not be written\n", stderr);
        return 1;
    }
    return 0;
}
