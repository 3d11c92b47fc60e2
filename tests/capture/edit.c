/* Copies a trace with one change: as another runtime would have left it, or as an attacker would
 * have written it.
 *
 *     capture-edit FROM TO CALL OFFSET        one bit of what a call returned; OFFSET: in the data
 *                                             of its LEAVE record
 *     capture-edit FROM TO addresses BYTES    ADDRESS records say so many bytes more
 *     capture-edit FROM TO runtime PATH       the header names this library
 *     capture-edit FROM TO variable TEXT      a VARIABLE record, NAME=VALUE, in front of all others
 *     capture-edit FROM TO driver NAME        each emu_configure names this driver
 *     capture-edit FROM TO word CALL,AT,VALUE a word of a call's ENTER record; word 0 is the
 *                                             object's number
 *     capture-edit FROM TO zeros BYTES        puts so many bytes of text records of zeros first
 */
#include <capture/trace/read.h>
#include <capture/trace/schema.h>
#include <capture/trace/write.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct order {
    const char *what, *value;
    uint64_t call, at, word;
};

/* ---- records that change ---- */

static bool add_to_address(const struct trace_item *item, uint8_t *data, uint64_t bytes)
{
    uint64_t address;
    if (item->record.kind != RECORD_ADDRESS || item->size < sizeof address)
        return false;
    memcpy(&address, data, sizeof address);
    address += bytes;
    memcpy(data, &address, sizeof address);
    return true;
}

/* Behind the object's number, the pointer's word and the number of elements comes emu_config, whose
 * first member is the driver; what that points to comes first behind it. */
static bool name_driver(struct trace_item *item, uint8_t **data, const char *driver)
{
    const size_t before = 24, after = before + schema_structs[TYPE_emu_config].size;
    const uint64_t one = 1, length = strlen(driver);
    const size_t added = 8 + (((size_t)length + 7) & ~(size_t)7);
    if (item->record.kind != RECORD_ENTER || item->method != METHOD_NONE_emu_configure ||
        item->size < after)
        return false;
    uint8_t *longer = calloc(1, item->size + added);
    if (!longer)
        return false;
    memcpy(longer, *data, after);
    memcpy(longer + before, &one, sizeof one);
    memcpy(longer + after, &length, sizeof length);
    memcpy(longer + after + 8, driver, (size_t)length);
    memcpy(longer + after + added, *data + after, item->size - after);
    free(*data);
    *data = longer;
    item->size += added;
    return true;
}

static bool edit(struct trace_item *item, uint8_t **data, const struct order *o)
{
    if (strcmp(o->what, "addresses") == 0)
        return add_to_address(item, *data, strtoull(o->value, NULL, 0));
    if (strcmp(o->what, "driver") == 0)
        return name_driver(item, data, o->value);
    if (strcmp(o->what, "word") == 0) {
        if (item->record.kind != RECORD_ENTER || item->record.call != o->call ||
            o->at >= item->size / 8)
            return false;
        memcpy(*data + o->at * 8, &o->word, sizeof o->word);
        return true;
    }
    if (item->record.kind != RECORD_LEAVE || item->record.call != o->call || o->at >= item->size)
        return false;
    (*data)[o->at] ^= 1;
    return true;
}

/* ---- records that are added ---- */

static bool add(struct trace_writer *writer, uint32_t kind, const void *head, size_t head_size,
                const void *bytes, size_t size)
{
    const size_t whole = head_size + ((size + 7) & ~(size_t)7);
    uint8_t *data = calloc(1, whole ? whole : 1);
    if (!data)
        return false;
    memcpy(data, head, head_size);
    if (bytes)
        memcpy(data + head_size, bytes, size);
    const struct trace_item item = {
        .record = {.size = (uint32_t)(sizeof item.record + whole), .kind = kind, .call = 1},
        .thread = 1,
        .method = -1,
        .data = data,
        .size = whole};
    const bool ok = trace_writer_add(writer, &item);
    free(data);
    return ok;
}

/* False: failed. *is_changed: something was added. */
static bool add_in_front(struct trace_writer *writer, const struct order *o, bool *is_changed)
{
    const uint64_t size =
        strcmp(o->what, "variable") == 0 ? strlen(o->value) : strtoull(o->value, NULL, 0);
    *is_changed = true;
    if (strcmp(o->what, "variable") == 0)
        return add(writer, RECORD_VARIABLE, &size, sizeof size, o->value, (size_t)size);
    if (strcmp(o->what, "zeros") == 0) {
        for (uint64_t done = 0; done < size; done += 1u << 20)
            if (!add(writer, RECORD_TEXT, NULL, 0, NULL, 1u << 20))
                return false;
        return true;
    }
    *is_changed = strcmp(o->what, "runtime") == 0; /* in the header */
    return true;
}

/* ---- the whole ---- */

static bool copy(struct trace *trace, struct trace_writer *writer, const struct order *o)
{
    struct trace_item item;
    bool is_changed = false;
    bool ok = add_in_front(writer, o, &is_changed);
    while (ok && trace_next(trace, &item)) {
        uint8_t *data = malloc(item.size ? item.size : 1);
        if (!data)
            return false;
        memcpy(data, item.data, item.size);
        is_changed |= edit(&item, &data, o);
        item.record.size = (uint32_t)(sizeof item.record + item.size);
        item.data = data;
        ok = trace_writer_add(writer, &item);
        free(data);
    }
    return ok && is_changed;
}

static struct order order_of(char **argv)
{
    struct order o = {.what = argv[3], .value = argv[4]};
    char *end = argv[4];
    if (strcmp(o.what, "word") == 0) {
        o.call = strtoull(end, &end, 10);
        o.at = *end ? strtoull(end + 1, &end, 0) : 0;
        o.word = *end ? strtoull(end + 1, &end, 0) : 0;
    } else if (o.what[0] >= '0' && o.what[0] <= '9') {
        o.call = strtoull(o.what, NULL, 10);
        o.at = strtoull(o.value, NULL, 0);
    }
    return o;
}

int main(int argc, char **argv)
{
    const char *why = "capture-edit FROM TO WHAT VALUE; see tests/capture/edit.c";
    schema_init();
    struct trace *trace = argc == 5 ? trace_open_file(argv[1], &why) : NULL;
    struct trace_header header = {0};
    if (trace)
        header = *trace_get_header(trace);
    if (trace && strcmp(argv[3], "runtime") == 0)
        snprintf(header.runtime, sizeof header.runtime, "%s", argv[4]);
    FILE *file = trace ? fopen(argv[2], "wbx") : NULL;
    struct trace_writer *writer = file ? trace_writer_open(file, &header, false) : NULL;
    if (!writer) {
        fprintf(stderr, "%s\n", why);
        return 2;
    }
    const struct order order = order_of(argv);
    const bool ok = copy(trace, writer, &order);
    trace_close(trace);
    if (!trace_writer_close(writer) || fclose(file) || !ok) {
        fputs("nothing was changed, or it could not be written\n", stderr);
        return 1;
    }
    return 0;
}
