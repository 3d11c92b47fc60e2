/* Writes JSON by a format string, for the tools. Include json_writer.h first. */
#pragma once

#include <stdarg.h>

/* Returns the text, or NULL if the text is empty. */
static inline const char *annot__json_filled(const char *text)
{
    return text[0] ? text : NULL;
}

#if defined(__GNUC__) && !defined(_WIN32)
#define ANNOT__JSON_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define ANNOT__JSON_FORMAT
#endif

/* Writes JSON from a format like "{name:%s count:%u list:[", and adds the commas that JSON needs.
 * %s is a text or NULL, %d true or false, %u an unsigned, and PRIu64 a uint64_t. */
ANNOT__JSON_FORMAT static inline void annot__json_format(struct annot__json *json,
                                                         const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (const char *at = format; *at;) {
        const size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
        char text[32] = {*at, 0};
        if (size > 0) {
            snprintf(text, sizeof text, "%.*s", (int)size, at);
            annot__json_key(json, text);
            json->needs_comma = false;
            at += size; /* and its colon */
        } else if (*at == '%') {
            if (at[1] == 's')
                annot__json_string(json, NULL, va_arg(values, const char *));
            else if (at[1] == 'd')
                annot__json_bool(json, NULL, va_arg(values, int));
            else
                annot__json_number(
                    json, NULL, at[1] == 'u' ? va_arg(values, unsigned) : va_arg(values, uint64_t));
            at += strcspn(at, "sdu");
        } else if (strchr("{[", *at)) {
            annot__json_open(json, NULL, text);
        } else if (*at != ' ') {
            annot__json_close(json, text);
        }
        at++;
    }
    va_end(values);
}
