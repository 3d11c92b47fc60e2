/* Gathers a report's output in a buffer, gives the buffer to the sink, and escapes characters that
 * could control a terminal or break JSON. */
#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- bytes ---- */

bool annot__out_flush(struct annot__out *out)
{
    if (out->used > 0 && !out->has_failed &&
        !out->sink->write(out->sink->user, out->buffer, out->used))
        out->has_failed = true;
    out->used = 0;
    return !out->has_failed;
}

void annot__out_bytes(struct annot__out *out, const char *bytes, size_t size)
{
    out->written += size;
    while (size > 0) {
        if (out->used == sizeof out->buffer && !annot__out_flush(out))
            return;
        size_t room = sizeof out->buffer - out->used;
        size_t part = size < room ? size : room;
        memcpy(out->buffer + out->used, bytes, part);
        out->used += part;
        bytes += part;
        size -= part;
    }
}

void annot__out_text(struct annot__out *out, const char *text)
{
    annot__out_bytes(out, text, strlen(text));
}

void annot__out_format(struct annot__out *out, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0)
        annot__out_bytes(out, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

/* ---- foreign text ---- */

uint64_t annot__report_size_limit(const annot_reader *reader, const annot_report_options *options)
{
    const uint64_t least = 8u << 20, most = 1u << 30;
    if (options->size_limit > 0)
        return options->size_limit;
    uint64_t limit = least + (uint64_t)reader->file.size * 6;
    return limit < most ? limit : most;
}

uint64_t annot__report_visit_limit(const annot_reader *reader)
{
    const uint64_t least = 1u << 20, most = (uint64_t)64 << 20;
    const uint64_t limit = least + 16 * ((uint64_t)reader->entry_count + reader->execution_count);
    return limit < most ? limit : most;
}

bool annot__out_printable(struct annot__out *out, const char *text, size_t size, size_t limit)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size, written = 0;
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, size - at, piece, &piece_size);
        if (written + piece_size > limit) {
            annot__out_text(out, "...");
            return false;
        }
        annot__out_bytes(out, piece, piece_size);
        written += piece_size;
    }
    return true;
}

bool annot__out_json(void *out, const void *data, size_t size)
{
    annot__out_bytes(out, data, size);
    return true;
}
