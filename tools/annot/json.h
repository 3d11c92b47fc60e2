/* Reads JSON for commands that read lines. A text is checked once as a whole, and is then read in
 * place through slices. Nothing is allocated, nesting is bounded, 64-bit integers stay exact, and
 * strings keep lone surrogates. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JSON_NESTING_MAX 64

/* A slice of a text that json_parse accepted; the slice is valid as long as that text. */
struct json_value {
    const char *at, *end;
};

enum json_type { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* Checks that `text` is one JSON value and nothing else. If not, it returns false, and *why is a
 * static reason. NaN, Infinity and -Infinity are numbers, too, and strings may have bytes that
 * aren't UTF-8. */
bool json_parse(const char *text, size_t size, struct json_value *value, const char **why);

enum json_type json_type_of(struct json_value value);

/* Finds the first member of an object with this plain ASCII name. Returns false if there is no such
 * member, or `object` isn't an object. */
bool json_member(struct json_value object, const char *name, struct json_value *member);

/* Walks an array; start with *cursor = NULL. Returns false after the last element, and for a value
 * that is not an array. */
bool json_next(struct json_value array, const char **cursor, struct json_value *element);

bool json_bool(struct json_value value, bool *out);

/* Reads an integer as sign and magnitude: a number without fraction and exponent, or a string with
 * a decimal integer or a 0x hexadecimal integer. Returns false for all other values, and for
 * integers of more than 64 bits. */
bool json_integer(struct json_value value, bool *is_negative, uint64_t *magnitude);

/* Reads any number, or one of the strings "inf", "-inf", "nan". if `single`, the value is rounded
 * once to a float. */
bool json_double(struct json_value value, bool single, double *out);

/* Converts a string to UTF-16, at most `capacity` units. Returns how many units the whole string
 * has, at most the number of bytes in its slice. A byte that isn't UTF-8 becomes the lone surrogate
 * 0xdc00 + byte, as in Python's surrogateescape. */
size_t json_units(struct json_value string, uint16_t *units, size_t capacity);

/* Whether a string is exactly this plain ASCII text. */
bool json_is(struct json_value value, const char *text);
