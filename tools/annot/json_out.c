#include "json_out.h"

#include <stdarg.h>
#include <string.h>

static void write_file(void *user, const char *bytes, size_t size)
{
    fwrite(bytes, 1, size, user);
}

struct json_out json_out_to_file(FILE *file)
{
    return (struct json_out){write_file, file, false};
}

static void put(struct json_out *out, const char *text)
{
    out->write(out->user, text, strlen(text));
}

/* Short: keys and numbers. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
print(struct json_out *out, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    const int size = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (size > 0)
        out->write(out->user, line, (size_t)size < sizeof line ? (size_t)size : sizeof line - 1);
}

static void write_string(struct json_out *out, const char *text, size_t size)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    out->write(out->user, "\"", 1);
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_JSON, text + at, size - at, piece, &piece_size);
        out->write(out->user, piece, piece_size);
    }
    out->write(out->user, "\"", 1);
}

static void start(struct json_out *out, const char *key)
{
    if (out->needs_comma)
        put(out, ",");
    out->needs_comma = true;
    if (key)
        print(out, "\"%s\":", key);
}

void json_out_open(struct json_out *out, const char *key, char bracket)
{
    start(out, key);
    out->write(out->user, &bracket, 1);
    out->needs_comma = false;
}

void json_out_close(struct json_out *out, char bracket)
{
    out->write(out->user, &bracket, 1);
    out->needs_comma = true;
}

void json_out_line(struct json_out *out)
{
    if (out->needs_comma)
        put(out, ",");
    put(out, "\n");
    out->needs_comma = false;
}

void json_out_text(struct json_out *out, const char *key, const char *text, size_t size)
{
    start(out, key);
    write_string(out, text, size);
}

void json_out_word(struct json_out *out, const char *key, const char *text)
{
    start(out, key);
    if (text)
        write_string(out, text, strlen(text));
    else
        put(out, "null");
}

void json_out_number(struct json_out *out, const char *key, uint64_t value)
{
    start(out, key);
    print(out, "%llu", (unsigned long long)value);
}

void json_out_long(struct json_out *out, const char *key, uint64_t value)
{
    start(out, key);
    print(out, "\"%llu\"", (unsigned long long)value);
}

void json_out_hex(struct json_out *out, const char *key, uint64_t value)
{
    start(out, key);
    print(out, "\"0x%llx\"", (unsigned long long)value);
}

void json_out_real(struct json_out *out, const char *key, double value)
{
    start(out, key);
    print(out, "%.6g", value);
}

void json_out_bool(struct json_out *out, const char *key, bool value)
{
    start(out, key);
    put(out, value ? "true" : "false");
}
