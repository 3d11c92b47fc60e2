/* Converts text of a PIX blob to a name: untrusted 8-bit or 16-bit characters become UTF-8 in a
 * bounded buffer. Counts the bytes that don't fit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ANNOT__PIX_REPLACEMENT 0xfffdu

/* The characters of a text in a blob, without a NUL. A character unit has 8 bits, or 16 bits in
 * little-endian order. */
struct annot__pix_text {
    const uint8_t *bytes;
    size_t units;
    bool is_wide;
};

/* A buffer for a name. `stored` is min(length, capacity - 1), or less if the last character doesn't
 * fit. */
struct annot__pix_out {
    char *name;
    size_t capacity; /* the buffer's size with the NUL; 0: nothing is stored */
    size_t length;   /* number of bytes of all text so far, stored or not */
    uint32_t flags;  /* ANNOT_PIX_* flags of the text so far */
    bool is_invalid; /* whether some 8-bit text isn't UTF-8 */
    bool has_bytes;  /* whether each invalid byte becomes the character with the byte's number */
};

/* The blob's words that are not read yet. Invariant: at <= end <= size of the blob. */
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

/* Adds text as UTF-8. A lone surrogate becomes U+FFFD and sets a flag. Invalid UTF-8 sets
 * is_invalid. */
void annot__pix_out_text(struct annot__pix_out *out, const struct annot__pix_text *text);

/* Returns the character at *i, or -1 if 8-bit text isn't UTF-8, and moves *i past it. A lone
 * surrogate is returned unchanged. */
int32_t annot__pix_next_char(const struct annot__pix_text *text, size_t *i);

/* Reads the next word. At the blob's end it returns false and consumes nothing. */
bool annot__pix_read_word(struct annot__pix_reader *reader, uint64_t *word);

/* Reads characters up to a NUL, and moves past the whole chunk with the NUL. Without a NUL the
 * characters end with the blob, and ANNOT_PIX_TRUNCATED is set. */
struct annot__pix_text annot__pix_read_chars(struct annot__pix_reader *reader, bool is_wide,
                                             size_t chunk);

enum annot__pix_string {
    ANNOT__PIX_STRING_OK,
    ANNOT__PIX_STRING_NULL,    /* the word is zero, and the reader has not moved past it */
    ANNOT__PIX_STRING_MISSING, /* the blob ends before the word */
    ANNOT__PIX_STRING_INVALID  /* the reader has moved past the word, which is not a string info */
};

/* Reads an info word and the string's characters. */
enum annot__pix_string annot__pix_read_string(struct annot__pix_reader *reader,
                                              struct annot__pix_text *text);

/* Writes `format` to `out` as printf does, with the arguments from `reader`. */
void annot__pix_interpret(struct annot__pix_out *out, struct annot__pix_reader *reader,
                          const struct annot__pix_text *format);
