/* Reports in memory, of an open dump or of a live device. */
#include "report/report.h"
#include "base/sized.h"

#include "array.h"

struct text {
    char *bytes;
    size_t size, capacity;
};

static bool text_write(void *user, const void *data, size_t size)
{
    struct text *text = user;
    if (!ARRAY_RESERVE(text->bytes, text->capacity, text->size + size + 1))
        return false;
    memcpy(text->bytes + text->size, data, size);
    text->size += size;
    text->bytes[text->size] = 0;
    return true;
}

/* False: there is nowhere to put the text. */
static bool clear(char **out, size_t *size)
{
    if (size)
        *size = 0;
    if (out)
        *out = NULL;
    return out;
}

annot_result annot_report_memory_sized(const annot_reader *reader, annot_report_format format,
                                       const annot_report_options *options, size_t options_size,
                                       char **out, size_t *size)
{
    annot_report_options known = {0};
    if (!clear(out, size) || !reader || !ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct text text = {0};
    const annot_report_sink sink = {&text, text_write};
    annot_result result = format == ANNOT_REPORT_TEXT   ? annot_report_text(reader, &known, &sink)
                          : format == ANNOT_REPORT_JSON ? annot_report_json(reader, &known, &sink)
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

annot_result annot_device_report_sized(annot_device *device, const annot_dump_info *info,
                                       size_t info_size, annot_report_format format,
                                       const annot_report_options *options, size_t options_size,
                                       char **out, size_t *size)
{
    annot_dump_info known_info = {0};
    annot_report_options known = {0};
    if (!clear(out, size) || !device || !ANNOT__TAKE(known_info, info, info_size) ||
        !ANNOT__TAKE(known, options, options_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    struct text dump = {0};
    const annot_dump_sink sink = {&dump, dump_write, dump_finish};
    annot_dump_writer *writer;
    annot_reader *reader = NULL;
    annot_result result = annot_dump_writer_create(device, &writer);
    if (result != ANNOT_OK)
        return result;
    result = annot_dump_write(writer, &known_info, &sink);
    annot_dump_writer_destroy(writer);
    if (result == ANNOT_OK)
        result = annot_reader_open_memory(NULL, dump.bytes, dump.size, &reader);
    else if (result == ANNOT_ERROR_IO)
        result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (result == ANNOT_OK)
        result = annot_report_memory(reader, format, &known, out, size);
    annot_reader_close(reader);
    free(dump.bytes);
    return result;
}

void annot_report_free(char *text)
{
    free(text);
}
