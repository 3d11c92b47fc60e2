/* Converts text in a PIX blob to a name. Untrusted 8-bit or 16-bit characters become UTF-8 in a
 * bounded buffer; bytes that don't fit are only counted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANNOT__PIX_REPLACEMENT 0xfffdu

/* The characters of a text in a blob, without NUL. A character unit has 8 bits, or 16 bits in
 * little-endian order. */
struct annot__pix_text {
    const uint8_t *bytes;
    size_t units;
    bool is_wide;
};

/* A buffer for a name. `stored` is min(length, capacity - 1), or less, so that the last character
 * is whole. */
struct annot__pix_out {
    char *name;
    size_t capacity; /* size of the buffer, with the NUL; 0: nothing is stored */
    size_t length;   /* size in bytes of all text so far, with text that did not fit */
    uint32_t flags;  /* ANNOT_PIX_* flags for the text so far */
    bool is_invalid; /* some 8-bit text is not UTF-8 */
    bool has_bytes;  /* each byte that is not UTF-8 is read as Latin-1 */
};

/* The words of a blob that were not read yet. Invariant: at <= end <= size of the blob. */
struct annot__pix_reader {
    const uint8_t *data;
    size_t at, end; /* bytes */
    uint32_t flags;
};

static inline uint32_t annot__pix_unit(const struct annot__pix_text *text, size_t i)
{
    return text->is_wide ? (uint32_t)text->bytes[2 * i] | (uint32_t)text->bytes[2 * i + 1] << 8
                         : text->bytes[i];
}

static inline struct annot__pix_text annot__pix_slice(const struct annot__pix_text *text,
                                                      size_t from, size_t to)
{
    return (struct annot__pix_text){text->bytes + (text->is_wide ? 2 * from : from), to - from,
                                    text->is_wide};
}

/* Bytes of ASCII. */
void annot__pix_out_bytes(struct annot__pix_out *out, const char *bytes, size_t count);
void annot__pix_out_fill(struct annot__pix_out *out, char byte, size_t count);

/* Adds text to the buffer, as UTF-8. A lone surrogate becomes U+FFFD and sets a flag. 8-bit text
 * that is not UTF-8 sets is_invalid. */
void annot__pix_out_text(struct annot__pix_out *out, const struct annot__pix_text *text);

/* Returns the character at *i and moves *i past it. Returns -1 if 8-bit text is not UTF-8.
 * Returns a lone surrogate unchanged. */
int32_t annot__pix_next_char(const struct annot__pix_text *text, size_t *i);

/* Reads the next word. At the blob's end, returns false and stays there. */
bool annot__pix_read_word(struct annot__pix_reader *reader, uint64_t *word);

/* Reads characters up to a NUL, and moves past the word that contains the NUL. Without a NUL, the
 * characters end with the blob, and the flag ANNOT_PIX_TRUNCATED is set. */
struct annot__pix_text annot__pix_read_chars(struct annot__pix_reader *reader, bool is_wide,
                                             size_t chunk);

enum annot__pix_string {
    ANNOT__PIX_STRING_OK,
    ANNOT__PIX_STRING_NULL,   /* the word is 0; the reader is still before it */
    ANNOT__PIX_STRING_MISSING /* the blob ends, so there is no word */
};

/* Reads a string: an info word and the characters. If the word is no string info, the reader moves
 * past it and gets the flag ANNOT_PIX_FORMAT_INVALID; *text stays as it is. */
enum annot__pix_string annot__pix_read_string(struct annot__pix_reader *reader,
                                              struct annot__pix_text *text);

/* Writes `format` to `out` as printf does; the arguments come from `reader`. */
void annot__pix_interpret(struct annot__pix_out *out, struct annot__pix_reader *reader,
                          const struct annot__pix_text *format);
