/* Unicode at the border: any text becomes valid UTF-8 [ANN-NAME-05]. */
#ifndef ANNOT_LIB_UTF_H
#define ANNOT_LIB_UTF_H

#include <annot/annot.h>

/*
 * Converts `count` code units of `unit` bytes to UTF-8. Lone surrogates, overlong forms, values
 * past U+10FFFF and cut sequences become U+FFFD, one per maximal ill-formed part. Writes at most
 * `capacity` bytes and never part of a character; returns the bytes of the whole conversion. No NUL
 * is added.
 */
size_t annot__utf8_from(char *to, size_t capacity, const void *text, size_t count,
                        annot_text_unit unit);

/* Code units before the terminating 0. */
size_t annot__text_length(const void *text, annot_text_unit unit);

/* The longest prefix of valid UTF-8, at most `size` bytes, that doesn't cut a character. */
size_t annot__utf8_prefix(const char *text, size_t size);

#endif
