/* Converts a caller's text to valid UTF-8 [ANN-NAME-05]. */
#pragma once

#include <annot/annot.h>

/* Converts `count` code units of `unit` bytes to UTF-8. Lone surrogates, overlong forms, values
 * past U+10FFFF and cut sequences become U+FFFD, one for each maximal ill-formed part. Writes at
 * most `capacity` bytes, never a part of a character, and no NUL. Returns the bytes of the whole
 * conversion. */
size_t annot__utf8_from(char *to, size_t capacity, const void *text, size_t count,
                        annot_text_unit unit);

/* Converts `count` bytes of UTF-8 to units of 2 or 4 bytes, without a 0 at the end. Ill-formed
 * parts become U+FFFD. Returns the number of units of the whole conversion; `to` must have room for
 * all units, or be NULL. */
size_t annot__utf8_to(void *to, annot_text_unit unit, const char *text, size_t count);

/* Returns the number of code units before the 0 that ends the text. */
size_t annot__text_length(const void *text, annot_text_unit unit);

/* Returns the size of the longest prefix that doesn't end inside a character. `text` is valid
 * UTF-8, but may be cut at its end. */
size_t annot__utf8_prefix(const char *text, size_t size);

/* Returns the character at *index, or ANNOT__UTF_INVALID for a maximal ill-formed part [Unicode 15,
 * table 3-7], and moves *index behind it. *index is less than `size`. */
#define ANNOT__UTF_INVALID 0xFFFFFFFFu
uint32_t annot__utf8_next(const void *text, size_t size, size_t *index);

/* Writes a character, at most U+10FFFF and no surrogate. Returns the number of bytes written. */
unsigned annot__utf8_encode(char out[4], uint32_t character);

static inline bool annot__is_surrogate(uint32_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}
