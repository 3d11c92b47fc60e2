/* A report's output: gathered in a buffer, handed to the sink, and inert on a terminal and in JSON. */
#include "report/report.h"

#include "base/utf.h"

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

/* ---- characters that may go out ---- */

/* Control characters, line and paragraph separators, and what reorders the text around it. */
static bool is_unprintable(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
           (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

static size_t escape(uint32_t c, char to[16])
{
    int size;
    if (c == '\n' || c == '\r' || c == '\t')
        size = snprintf(to, 16, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    else
        size = snprintf(to, 16, c < 0x100 ? "\\x%02x" : "\\u%04x", c);
    return (size_t)size;
}

/* The next piece of printable output: as it stands, or escaped. */
static size_t printable_piece(const char *text, size_t size, char escaped[16], const char **piece,
                              size_t *piece_size)
{
    size_t step = 0;
    uint32_t c = annot__utf8_next(text, size, &step);
    *piece = text;
    *piece_size = step;
    if (is_unprintable(c)) {
        *piece = escaped;
        *piece_size = escape(c, escaped);
    }
    return step;
}

void annot__out_printable(struct annot__out *out, const char *text, size_t size, size_t limit)
{
    char escaped[16];
    const char *piece;
    size_t piece_size, written = 0;
    for (size_t at = 0; at < size;) {
        at += printable_piece(text + at, size - at, escaped, &piece, &piece_size);
        if (written + piece_size > limit) {
            annot__out_text(out, "...");
            return;
        }
        annot__out_bytes(out, piece, piece_size);
        written += piece_size;
    }
}

size_t annot__printable(char *to, size_t capacity, const char *text, size_t size)
{
    char escaped[16];
    const char *piece;
    size_t piece_size, written = 0;
    if (capacity == 0)
        return 0;
    for (size_t at = 0; at < size;) {
        at += printable_piece(text + at, size - at, escaped, &piece, &piece_size);
        if (written + piece_size >= capacity)
            break;
        memcpy(to + written, piece, piece_size);
        written += piece_size;
    }
    to[written] = 0;
    return written;
}

void annot__out_json(struct annot__out *out, const char *text, size_t size)
{
    annot__out_bytes(out, "\"", 1);
    for (size_t at = 0, step; at < size; at += step) {
        step = 0;
        uint32_t c = annot__utf8_next(text + at, size - at, &step);
        if (c == '"' || c == '\\')
            annot__out_format(out, "\\%c", (char)c);
        else if (is_unprintable(c))
            annot__out_format(out, "\\u%04x", c);
        else
            annot__out_bytes(out, text + at, step);
    }
    annot__out_bytes(out, "\"", 1);
}
