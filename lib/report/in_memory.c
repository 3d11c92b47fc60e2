/* Reports in memory. */
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

annot_result annot_report_memory_sized(const annot_reader *reader, annot_report_format format,
                                       const annot_report_options *options, size_t options_size,
                                       char **out, size_t *size)
{
    annot_report_options known = {0};
    if (size)
        *size = 0;
    if (out)
        *out = NULL;
    if (!out || !reader || !ANNOT__TAKE(known, options, options_size))
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

void annot_report_free(char *text)
{
    free(text);
}
