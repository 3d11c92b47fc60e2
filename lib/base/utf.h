/* Converts text from callers to valid UTF-8 [ANN-NAME-05]. */
#pragma once

#include <annot/annot.h>

/* Converts `count` code units of `unit` bytes to UTF-8. Lone surrogates, overlong forms, values
 * above U+10FFFF and cut sequences are ill-formed: U+FFFD replaces each maximal ill-formed part.
 * Writes at most `capacity` bytes, only whole characters, and no NUL. Returns the number of bytes
 * that the whole text takes in UTF-8. */
size_t annot__utf8_from(char *to, size_t capacity, const void *text, size_t count,
                        annot_text_unit unit);

/* Converts `count` bytes of UTF-8 to units of 2 or 4 bytes, without a 0 at the end. U+FFFD replaces
 * ill-formed parts. Returns the number of units of the whole text. `to` is NULL, or has room for
 * all units. */
size_t annot__utf8_to(void *to, annot_text_unit unit, const char *text, size_t count);

/* Returns the number of code units before the 0 at the end of the text. */
size_t annot__text_length(const void *text, annot_text_unit unit);

/* Returns the size of the longest beginning of `text` that ends with a whole character. `text` is
 * valid UTF-8, except that its last character may be cut. */
size_t annot__utf8_prefix(const char *text, size_t size);

/* Returns the character at *index, or ANNOT__UTF_INVALID for a maximal ill-formed part [Unicode 15,
 * table 3-7]. Moves *index past the character. *index must be less than `size`. */
#define ANNOT__UTF_INVALID 0xFFFFFFFFu
uint32_t annot__utf8_next(const void *text, size_t size, size_t *index);

/* Writes a character, up to U+10FFFF and no surrogate, in UTF-8. Returns the number of bytes. */
unsigned annot__utf8_encode(char out[4], uint32_t character);

static inline bool annot__is_surrogate(uint32_t value)
{
    return value >= 0xD800 && value <= 0xDFFF;
}
