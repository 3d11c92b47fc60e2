/* Reads JSON, for commands that read lines. A text is checked once as a whole. Then its parts are
 * read in place, as slices. Nothing is allocated, nesting is bounded, 64-bit integers stay exact,
 * and strings keep lone surrogates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_NESTING_MAX 64

/* A slice of a text that json_parse accepted. The slice is valid while the text exists. */
struct json_value {
    const char *at, *end;
};

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Checks that `text` is one JSON value and nothing else. If it is not, returns false, and *why is a
 * static text with the reason. NaN, Infinity and -Infinity are numbers, too, and strings may have
 * bytes that aren't UTF-8. */
bool json_parse(const char *text, size_t size, struct json_value *value, const char **why);

enum json_type json_type_of(struct json_value value);

/* Gets the first member of `object` with this plain ASCII name. Returns false if no member has the
 * name, or `object` isn't an object. */
bool json_member(struct json_value object, const char *name, struct json_value *member);

/* Gets the next element of an array; start with *cursor = NULL. Returns false after the last
 * element, and for a value that isn't an array. */
bool json_next(struct json_value array, const char **cursor, struct json_value *element);

bool json_bool(struct json_value value, bool *out);

/* Reads an integer as sign and magnitude. The value is a number without fraction and exponent, or a
 * string with a decimal integer or a 0x hexadecimal integer. Returns false for all other values,
 * and for integers of more than 64 bits. */
bool json_integer(struct json_value value, bool *is_negative, uint64_t *magnitude);

/* Reads any number, or one of the strings "inf", "-inf", "nan". If `single`, the function rounds
 * the value once, to a float. */
bool json_double(struct json_value value, bool single, double *out);

/* Converts a string to UTF-16, at most `capacity` units. Returns how many units the whole string
 * has, never more than its slice has bytes. A byte that isn't UTF-8 becomes the lone surrogate
 * 0xdc00 + byte, as in Python's surrogateescape. */
size_t json_units(struct json_value string, uint16_t *units, size_t capacity);

/* Whether the value is a string that equals this plain ASCII text. */
bool json_is(struct json_value value, const char *text);
