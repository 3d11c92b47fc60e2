/* Writes JSON for the library's reports and the tools. Texts are escaped by annot_text_escape. */
#pragma once

#include <annot/text.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct annot__json {
    bool (*write)(void *user, const void *data, size_t size); /* as in annot_report_sink */
    void *user;
    bool needs_comma;
};

static inline void annot__json_raw(struct annot__json *json, const char *text)
{
    json->write(json->user, text, strlen(text));
}

/* Writes a comma, unless the next element or member is the first. */
static inline void annot__json_separate(struct annot__json *json)
{
    if (json->needs_comma)
        annot__json_raw(json, ",");
    json->needs_comma = true;
}

/* Writes a comma if needed, and `"key":`. `key` is NULL for an element of an array and for the
 * outermost value. Keys are constants of the program and need no escape. */
static inline void annot__json_key(struct annot__json *json, const char *key)
{
    if (!key) {
        annot__json_separate(json);
        return;
    }
    annot__json_raw(json, json->needs_comma ? ",\"" : "\"");
    annot__json_raw(json, key);
    annot__json_raw(json, "\":");
    json->needs_comma = true;
}

/* `bracket` is "{" or "[". */
static inline void annot__json_open(struct annot__json *json, const char *key, const char *bracket)
{
    annot__json_key(json, key);
    annot__json_raw(json, bracket);
    json->needs_comma = false;
}

static inline void annot__json_close(struct annot__json *json, const char *bracket)
{
    annot__json_raw(json, bracket);
    json->needs_comma = true;
}

/* Opens an object on a new line, as an element of an array. */
static inline void annot__json_element(struct annot__json *json)
{
    annot__json_separate(json);
    annot__json_raw(json, "\n{");
    json->needs_comma = false;
}

/* Whether 16 letters need no escape. Compilers make vector instructions of the loop. */
static inline bool annot__json_is_plain(const char *text)
{
    unsigned other = 0;
    for (int i = 0; i < 16; i++)
        other |= (text[i] < ' ') | (text[i] > '~') | (text[i] == '"') | (text[i] == '\\');
    return other == 0;
}

/* Writes a string value. */
static inline void annot__json_quote(struct annot__json *json, const char *text, size_t size)
{
    char pieces[256 + ANNOT_ESCAPED_MAX];
    size_t used = 1;
    pieces[0] = '"';
    for (size_t at = 0, step = 1, piece_size = 1; at < size; at += step, used += piece_size) {
        if (used >= 256) {
            json->write(json->user, pieces, used);
            used = 0;
        }
        step = piece_size = 1;
        pieces[used] = text[at];
        if (size - at >= 16 && annot__json_is_plain(text + at))
            memcpy(pieces + used, text + at, step = piece_size = 16);
        else if (text[at] < ' ' || text[at] > '~' || text[at] == '"' || text[at] == '\\')
            step = annot_text_escape(ANNOT_ESCAPE_JSON, text + at, size - at, pieces + used,
                                     &piece_size);
    }
    pieces[used++] = '"';
    json->write(json->user, pieces, used);
}

static inline void annot__json_bytes(struct annot__json *json, const char *key, const char *text,
                                     size_t size)
{
    annot__json_key(json, key);
    annot__json_quote(json, text, size);
}

/* Writes a member whose value is a text, or null if `text` is NULL. */
static inline void annot__json_string(struct annot__json *json, const char *key, const char *text)
{
    annot__json_key(json, key);
    if (text)
        annot__json_quote(json, text, strlen(text));
    else
        annot__json_raw(json, "null");
}

static inline void annot__json_bool(struct annot__json *json, const char *key, bool value)
{
    annot__json_key(json, key);
    annot__json_raw(json, value ? "true" : "false");
}

static inline void annot__json_real(struct annot__json *json, const char *key, double value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.6g", value);
    annot__json_key(json, key);
    annot__json_raw(json, digits);
}

/* Makes the functions that write numbers. Each number has one of four forms: a JSON number of up to
 * 53 bits, which every program can read; a string "1234"; an EventID as in reports, "0x500006097";
 * an EventID with 16 digits. */
#define ANNOT__JSON_NUMBER(name, format)                                                           \
    static inline void name(struct annot__json *json, const char *key, uint64_t value)             \
    {                                                                                              \
        char digits[32];                                                                           \
        snprintf(digits, sizeof digits, format, value);                                            \
        annot__json_key(json, key);                                                                \
        annot__json_raw(json, digits);                                                             \
    }
ANNOT__JSON_NUMBER(annot__json_number, "%" PRIu64)
ANNOT__JSON_NUMBER(annot__json_decimal, "\"%" PRIu64 "\"")
ANNOT__JSON_NUMBER(annot__json_hex, "\"0x%" PRIx64 "\"")
ANNOT__JSON_NUMBER(annot__json_hex16, "\"0x%016" PRIx64 "\"")

/* Writes a hash with 16 digits, or null for 0, which means unknown. */
static inline void annot__json_hash(struct annot__json *json, const char *key, uint64_t hash)
{
    char digits[17];
    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    annot__json_string(json, key, hash ? digits : NULL);
}

#if defined(__GNUC__) && !defined(_WIN32)
#define ANNOT__JSON_FORMAT __attribute__((format(printf, 2, 3)))
#else
#define ANNOT__JSON_FORMAT
#endif

/* What a uint64_t is in a format: a JSON number, a string of decimal digits, or one of hexadecimal
 * digits. */
#define JSON_U64    "%" PRIu64
#define JSON_DIGITS "%" PRId64
#define JSON_HEX    "%" PRIx64

/* Writes JSON from a format like "{name:%s count:%u list:[", and adds the commas that JSON needs.
 * "\n{" opens an element on a new line. %s is a text or NULL; %-s is a text, and null if the text
 * is empty; %.*s is a size and a text. %d is true or false, %u an unsigned, %x an unsigned in
 * hexadecimal digits, and %g a double. */
ANNOT__JSON_FORMAT static inline void annot__json_format(struct annot__json *json,
                                                         const char *format, ...)
{
    va_list values;
    va_start(values, format);
    for (const char *at = format; *at; at++) {
        const char text[2] = {*at, 0};
        if (*at >= 'a' && *at <= 'z') {
            const size_t key = strcspn(at, ":");
            annot__json_separate(json);
            annot__json_raw(json, "\"");
            json->write(json->user, at, key);
            annot__json_raw(json, "\":");
            json->needs_comma = false;
            at += key;
        } else if (*at == '%') {
            const char *const from = ++at;
            while (!strchr("sdugx", *at))
                at++;
            if (*at == 's') {
                const int size = *from == '.' ? va_arg(values, int) : -1;
                const char *value = va_arg(values, const char *);
                if (size >= 0)
                    annot__json_bytes(json, NULL, value, (size_t)size);
                else
                    annot__json_string(json, NULL, *from == '-' && !*value ? NULL : value);
            } else if (*from == 'd') {
                annot__json_bool(json, NULL, va_arg(values, int));
            } else if (*at == 'g') {
                annot__json_real(json, NULL, va_arg(values, double));
            } else {
                const uint64_t value =
                    at == from ? va_arg(values, unsigned) : va_arg(values, uint64_t);
                (*at == 'u'   ? annot__json_number
                 : *at == 'd' ? annot__json_decimal
                              : annot__json_hex)(json, NULL, value);
            }
        } else if (*at == '\n' && at[1] == '{') {
            annot__json_element(json);
            at++;
        } else if (strchr("{[", *at)) {
            annot__json_open(json, NULL, text);
        } else if (*at != ' ') {
            annot__json_close(json, text);
        }
    }
    va_end(values);
}
