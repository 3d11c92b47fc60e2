/* Reports in memory, of a dump that is open or of a device as it is now. */
#include "report/report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t size, capacity;
};

static bool text_write(void *user, const void *data, size_t size)
{
    struct text *text = user;
    if (size >= text->capacity - text->size) {
        size_t capacity = (text->size + size + 1) * 2;
        char *bytes = realloc(text->bytes, capacity);
        if (!bytes)
            return false;
        text->bytes = bytes;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->size, data, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return true;
}

annot_result annot_report_memory(const annot_reader *reader, annot_report_format format,
                                 const annot_report_options *options, char **out, size_t *size)
{
    struct text text = {0};
    const annot_report_sink sink = {&text, text_write};
    assert(reader && out);
    *out = NULL;
    if (size)
        *size = 0;
    annot_result result = format == ANNOT_REPORT_TEXT   ? annot_report_text(reader, options, &sink)
                          : format == ANNOT_REPORT_JSON ? annot_report_json(reader, options, &sink)
                                                        : ANNOT_ERROR_INVALID_ARGUMENT;
    if (result != ANNOT_OK) {
        free(text.bytes);
        return result == ANNOT_ERROR_IO ? ANNOT_ERROR_OUT_OF_MEMORY : result;
    }
    *out = text.bytes;
    if (size)
        *size = text.size;
    return ANNOT_OK;
}

/* ---- of a device ---- */

static bool dump_write(void *user, const void *data, size_t size)
{
    return text_write(user, data, size);
}

static bool dump_finish(void *user, const void *magic, size_t size)
{
    struct text *dump = user;
    memcpy(dump->bytes, magic, size);
    return true;
}

annot_result annot_device_report(annot_device *device, const annot_dump_info *info,
                                 annot_report_format format, const annot_report_options *options,
                                 char **out, size_t *size)
{
    struct text dump = {0};
    const annot_dump_sink sink = {&dump, dump_write, dump_finish};
    annot_dump_writer *writer;
    annot_reader *reader = NULL;
    assert(device && out);
    *out = NULL;
    if (size)
        *size = 0;
    annot_result result = annot_dump_writer_create(device, &writer);
    if (result != ANNOT_OK)
        return result;
    result = annot_dump_write(writer, info, &sink);
    annot_dump_writer_destroy(writer);
    if (result == ANNOT_OK)
        result = annot_reader_open_memory(NULL, dump.bytes, dump.size, &reader);
    else if (result == ANNOT_ERROR_IO)
        result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (result == ANNOT_OK)
        result = annot_report_memory(reader, format, options, out, size);
    annot_reader_close(reader);
    free(dump.bytes);
    return result;
}

void annot_report_free(char *text)
{
    free(text);
}
