/* One pass checks a text, with recursion bounded by JSON_NESTING_MAX. After that `skip_value` can
 * walk the same text without checks, and every accessor is a walk. */
#include "json.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* ---- checking ---- */

struct scanner {
    const char *at, *end;
    const char *why;
    int depth;
};

static bool fail(struct scanner *s, const char *why)
{
    if (!s->why)
        s->why = why;
    return false;
}

static char peek(const struct scanner *s)
{
    return s->at < s->end ? *s->at : '\0';
}

static void skip_space(struct scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
        s->at++;
}

static bool take(struct scanner *s, char c)
{
    if (peek(s) != c || s->at == s->end)
        return false;
    s->at++;
    return true;
}

static bool take_word(struct scanner *s, const char *word)
{
    const size_t length = strlen(word);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, word, length) != 0)
        return false;
    s->at += length;
    return true;
}

static bool scan_escape(struct scanner *s)
{
    const char c = peek(s);
    s->at++;
    if (c == 'u') {
        for (int i = 0; i < 4; i++, s->at++)
            if (cli_digit(peek(s)) < 0)
                return fail(s, "\\u needs four hexadecimal digits");
        return true;
    }
    return (c != '\0' && strchr("\"\\/bfnrt", c)) || fail(s, "unknown escape in a string");
}

static bool scan_string(struct scanner *s)
{
    s->at++;
    while (s->at < s->end && *s->at != '"') {
        const char c = *s->at++;
        if ((unsigned char)c < 0x20)
            return fail(s, "a string has a control character: escape it");
        if (c == '\\' && (s->at == s->end || !scan_escape(s)))
            return fail(s, "a string has no closing quote");
    }
    return take(s, '"') || fail(s, "a string has no closing quote");
}

static bool scan_digits(struct scanner *s)
{
    const char *const from = s->at;
    while (peek(s) >= '0' && peek(s) <= '9')
        s->at++;
    return s->at > from || fail(s, "a number has no digits");
}

static bool scan_number(struct scanner *s)
{
    take(s, '-');
    if (take_word(s, "Infinity"))
        return true;
    if (!take(s, '0') && !scan_digits(s))
        return false;
    if (take(s, '.') && !scan_digits(s))
        return false;
    if (take(s, 'e') || take(s, 'E')) {
        if (!take(s, '+'))
            take(s, '-');
        return scan_digits(s);
    }
    return true;
}

static bool scan_value(struct scanner *s);

static bool scan_elements(struct scanner *s, char close, bool has_names)
{
    s->at++;
    skip_space(s);
    if (take(s, close))
        return true;
    for (;;) {
        skip_space(s);
        if (has_names) {
            if (peek(s) != '"')
                return fail(s, "a member's name must be in quotes");
            if (!scan_string(s))
                return false;
            skip_space(s);
            if (!take(s, ':'))
                return fail(s, "a member needs a colon after its name");
        }
        if (!scan_value(s))
            return false;
        skip_space(s);
        if (take(s, close))
            return true;
        if (!take(s, ','))
            return fail(s, "expected a comma or the closing bracket");
    }
}

static bool scan_value(struct scanner *s)
{
    skip_space(s);
    const char c = peek(s);
    if (c == '{' || c == '[') {
        if (s->depth == JSON_NESTING_MAX)
            return fail(s, "nested too deeply");
        s->depth++;
        const bool is_good = scan_elements(s, c == '{' ? '}' : ']', c == '{');
        s->depth--;
        return is_good;
    }
    if (c == '"')
        return scan_string(s);
    if (c == '-' || (c >= '0' && c <= '9') || c == 'I')
        return scan_number(s);
    return take_word(s, "null") || take_word(s, "true") || take_word(s, "false") ||
           take_word(s, "NaN") || fail(s, "expected a JSON value");
}

bool json_parse(const char *text, size_t size, struct json_value *value, const char **why)
{
    struct scanner s = {text, text + size, NULL, 0};
    skip_space(&s);
    value->at = s.at;
    if (!scan_value(&s)) {
        *why = s.why;
        return false;
    }
    value->end = s.at;
    skip_space(&s);
    if (s.at != s.end) {
        *why = "text follows the JSON value";
        return false;
    }
    return true;
}

/* ---- reading ---- */

enum json_type json_type_of(struct json_value value)
{
    const char c = *value.at;
    return c == 'n'               ? JSON_NULL
           : c == 't' || c == 'f' ? JSON_BOOL
           : c == '"'             ? JSON_STRING
           : c == '['             ? JSON_ARRAY
           : c == '{'             ? JSON_OBJECT
                                  : JSON_NUMBER;
}

/* Returns the value at s->at of a checked text. */
static struct json_value skip_value(struct scanner *s)
{
    skip_space(s);
    struct json_value value = {s->at, s->at};
    scan_value(s);
    value.end = s->at;
    return value;
}

bool json_member(struct json_value object, const char *name, struct json_value *member)
{
    if (json_type_of(object) != JSON_OBJECT)
        return false;
    struct scanner s = {object.at + 1, object.end, NULL, 0};
    skip_space(&s);
    while (peek(&s) == '"') {
        const struct json_value key = skip_value(&s);
        skip_space(&s);
        take(&s, ':');
        const struct json_value value = skip_value(&s);
        if (json_is(key, name)) {
            *member = value;
            return true;
        }
        skip_space(&s);
        take(&s, ',');
        skip_space(&s);
    }
    return false;
}

bool json_next(struct json_value array, const char **cursor, struct json_value *element)
{
    if (json_type_of(array) != JSON_ARRAY)
        return false;
    struct scanner s = {*cursor ? *cursor : array.at + 1, array.end, NULL, 0};
    skip_space(&s);
    if (*cursor) {
        take(&s, ',');
        skip_space(&s);
    }
    if (peek(&s) == ']')
        return false;
    *element = skip_value(&s);
    *cursor = s.at;
    return true;
}

bool json_bool(struct json_value value, bool *out)
{
    *out = *value.at == 't';
    return json_type_of(value) == JSON_BOOL;
}

bool json_integer(struct json_value value, bool *is_negative, uint64_t *magnitude)
{
    const enum json_type type = json_type_of(value);
    struct scanner s = {value.at, value.end, NULL, 0};
    if (type == JSON_STRING) {
        s.at++;
        s.end--;
    } else if (type != JSON_NUMBER) {
        return false;
    }
    *is_negative = take(&s, '-');
    const uint64_t base =
        type == JSON_STRING && (take_word(&s, "0x") || take_word(&s, "0X")) ? 16 : 10;
    if (s.at == s.end)
        return false;
    *magnitude = 0;
    for (; s.at < s.end; s.at++) {
        const int digit = cli_digit(*s.at);
        if (digit < 0 || (uint64_t)digit >= base ||
            *magnitude > (UINT64_MAX - (uint64_t)digit) / base)
            return false;
        *magnitude = *magnitude * base + (uint64_t)digit;
    }
    return true;
}

bool json_double(struct json_value value, bool single, double *out)
{
    char text[400]; /* more digits than a double distinguishes, and the largest exponent */
    const enum json_type type = json_type_of(value);
    if (type == JSON_STRING) {
        if (!json_is(value, "inf") && !json_is(value, "-inf") && !json_is(value, "nan"))
            return false;
        value.at++;
        value.end--;
    } else if (type != JSON_NUMBER) {
        return false;
    }
    const size_t size = (size_t)(value.end - value.at);
    if (size >= sizeof text)
        return false;
    memcpy(text, value.at, size);
    text[size] = '\0';
    *out = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    return true;
}

/* ---- strings ---- */

/* Reads a character of raw UTF-8; other bytes are returned one by one as 0xdc00 + byte. */
static uint32_t next_raw(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    const uint32_t lead = *p;
    const unsigned length = lead < 0x80   ? 1
                            : lead < 0xc2 ? 0
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                                          : 4;
    uint32_t c = length == 1 ? lead : lead & (0x7fu >> length);
    bool is_good = length > 0 && (size_t)(end - p) >= length;
    for (unsigned i = 1; is_good && i < length; i++) {
        is_good = (p[i] & 0xc0) == 0x80;
        c = c << 6 | (p[i] & 0x3fu);
    }
    is_good = is_good && !(length == 3 && c < 0x800) && !(length == 4 && c < 0x10000) &&
              !(c >= 0xd800 && c < 0xe000) && c <= 0x10ffff;
    *at = is_good ? p + length : p + 1;
    return is_good ? c : 0xdc00 + lead;
}

static uint32_t next_escape(const unsigned char **at)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const unsigned char *p = *at;
    const char *letter = strchr(letters, p[1]);
    uint32_t c = 0;
    *at = p + (p[1] == 'u' ? 6 : 2);
    for (int i = 2; p[1] == 'u' && i < 6; i++)
        c = c << 4 | (uint32_t)cli_digit((char)p[i]);
    return p[1] == 'u' ? c : letter ? (uint32_t)meant[letter - letters] : p[1];
}

size_t json_units(struct json_value string, uint16_t *units, size_t capacity)
{
    const unsigned char *at = (const unsigned char *)string.at + 1;
    const unsigned char *const end = (const unsigned char *)string.end - 1;
    size_t count = 0;
    while (at < end) {
        const uint32_t c = *at == '\\' ? next_escape(&at) : next_raw(&at, end);
        const uint16_t pair[2] = {(uint16_t)(c < 0x10000 ? c : 0xd7c0 + (c >> 10)),
                                  (uint16_t)(0xdc00 | (c & 0x3ff))};
        for (size_t i = 0; i < (c < 0x10000 ? 1u : 2u); i++, count++)
            if (count < capacity)
                units[count] = pair[i];
    }
    return count;
}

bool json_is(struct json_value value, const char *text)
{
    const size_t length = strlen(text);
    return json_type_of(value) == JSON_STRING && (size_t)(value.end - value.at) == length + 2 &&
           memcmp(value.at + 1, text, length) == 0;
}
