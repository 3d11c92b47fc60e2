/* Writes JSON for the library's reports and the tools. annot_text_escape escapes texts. */
#pragma once

#include <annot/text.h>

#include <inttypes.h>
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

/* Writes a comma before an element or a member, unless the element or member is the first. */
static inline void annot__json_separate(struct annot__json *json)
{
    if (json->needs_comma)
        annot__json_raw(json, ",");
    json->needs_comma = true;
}

/* Writes `"key":` and, if needed, a comma before this. `key` is NULL for an element of an array and
 * for the outermost value. Keys come from the program's code and need no escape. */
static inline void annot__json_key(struct annot__json *json, const char *key)
{
    annot__json_separate(json);
    if (!key)
        return;
    annot__json_raw(json, "\"");
    annot__json_raw(json, key);
    annot__json_raw(json, "\":");
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

/* Opens an element of an array on a new line. */
static inline void annot__json_element(struct annot__json *json)
{
    annot__json_separate(json);
    annot__json_raw(json, "\n{");
    json->needs_comma = false;
}

/* Writes a string value. */
static inline void annot__json_quote(struct annot__json *json, const char *text, size_t size)
{
    char piece[ANNOT_ESCAPED_MAX];
    size_t piece_size;
    annot__json_raw(json, "\"");
    for (size_t at = 0; at < size;) {
        at += annot_text_escape(ANNOT_ESCAPE_JSON, text + at, size - at, piece, &piece_size);
        json->write(json->user, piece, piece_size);
    }
    annot__json_raw(json, "\"");
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

/* Writes a member whose value is a text, or null if the text is empty. */
static inline void annot__json_word(struct annot__json *json, const char *key, const char *text)
{
    annot__json_string(json, key, text[0] ? text : NULL);
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

/* Makes the functions that write numbers. The forms: a JSON number of up to 53 bits, which every
 * program can read; a string "1234"; an EventID as in reports, "0x500006097"; an EventID with 16
 * digits. */
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
