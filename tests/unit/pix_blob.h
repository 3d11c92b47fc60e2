/* Blobs written word by word, so that the decoder's tests don't lean on the encoder, and a decode
 * whose input lies at the very end of its allocation. */
#pragma once

#include <annot/pix.h>

#include <stdlib.h>
#include <string.h>

#define V1_BEGIN_ARGS 0x400u
#define V1_BEGIN      0x800u
#define V1_MARKER     0x2000u
#define INFO_8BIT     0x0440000000000000u
#define INFO_WIDE     0x0400000000000000u

struct blob {
    uint8_t bytes[4096];
    size_t size;
};

static inline void add_word(struct blob *b, uint64_t word)
{
    for (int i = 0; i < 8; i++)
        b->bytes[b->size++] = (uint8_t)(word >> 8 * i);
}

static inline void add_double(struct blob *b, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    add_word(b, word);
}

/* Characters, NUL, zeros up to a word. */
static inline void add_chars(struct blob *b, const char *text)
{
    const size_t length = strlen(text);
    memcpy(b->bytes + b->size, text, length);
    b->size += (length / 8 + 1) * 8;
}

static inline void add_wide_chars(struct blob *b, const uint16_t *text)
{
    size_t count = 0;
    do {
        b->bytes[b->size + 2 * count] = (uint8_t)text[count];
        b->bytes[b->size + 2 * count + 1] = (uint8_t)(text[count] >> 8);
    } while (text[count++] != 0);
    b->size += (2 * count + 7) / 8 * 8;
}

static inline void add_string(struct blob *b, const char *text)
{
    add_word(b, INFO_8BIT);
    add_chars(b, text);
}

static inline void add_wide_string(struct blob *b, const uint16_t *text)
{
    add_word(b, INFO_WIDE);
    add_wide_chars(b, text);
}

/* A v1 begin of this format; arguments are added by the caller. */
static inline struct blob v1_format(const char *format)
{
    struct blob b = {{0}, 0};
    add_word(&b, V1_BEGIN_ARGS);
    add_word(&b, 0xff112233);
    add_string(&b, format);
    return b;
}

static inline struct blob v1_wide_format(const uint16_t *format)
{
    struct blob b = {{0}, 0};
    add_word(&b, V1_BEGIN_ARGS);
    add_word(&b, 0xff112233);
    add_wide_string(&b, format);
    return b;
}

struct decoded {
    annot_pix_status status;
    annot_pix_event event;
    char name[8192];
};

/* The copy has no byte to spare: under AddressSanitizer a read past `size` is a failed test. */
static inline struct decoded decode_bytes(uint32_t metadata, const void *bytes, size_t size)
{
    struct decoded d;
    memset(&d, 0xee, sizeof d);
    uint8_t *const copy = calloc(size ? size : 1, 1);
    if (size > 0)
        memcpy(copy, bytes, size);
    d.status = annot_pix_decode(metadata, copy, size, d.name, sizeof d.name, &d.event);
    if (size > 0 && memcmp(copy, bytes, size) != 0)
        abort(); /* the input was written to */
    if (!(d.event.flags & ANNOT_PIX_INVALID_TEXT) && d.event.name_length + 1 < sizeof d.name &&
        (uint8_t)d.name[d.event.name_length + 1] != 0xee)
        abort(); /* and something behind the name */
    free(copy);
    return d;
}

static inline struct decoded decode_v1(const struct blob *b)
{
    return decode_bytes(ANNOT_PIX_METADATA_V1, b->bytes, b->size);
}
