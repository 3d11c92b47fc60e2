/*
 * The steps of the encoder in annot/pix.h that copy strings into the 64-bit words of a PIX blob.
 * annot/pix.h includes this file. All functions are inline, so a program that only writes markers
 * through annot/pix3.h links nothing of libannot [ANN-PIX-02, -05].
 *
 * The encoder cuts events as Microsoft's encoder does. No step looks ahead. Every step writes while
 * the next word is before the limit. A string copy goes on, one chunk at a time, until it has
 * copied the NUL or reached the limit.
 *
 *     limit 496:  ... | info | chars | chars | chars |          no NUL: cut
 *                                                    ^ 496      an 8-byte copy ends here
 *                 ... | info | chars   chars | chars   chars |
 *                                                    ^ 496   ^ 504: a 16-byte copy may end here
 */
#ifndef ANNOT_PIX_WORDS_H
#define ANNOT_PIX_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define ANNOT__PIX_INLINE  static inline __attribute__((always_inline, unused))
#define ANNOT__PIX_OUTLINE static __attribute__((noinline, unused))
#else
#define ANNOT__PIX_INLINE  static inline
#define ANNOT__PIX_OUTLINE static inline
#endif

/* Converts a word to the byte order of a blob. */
ANNOT__PIX_INLINE uint64_t annot__pix_le64(uint64_t word)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

/* The info word before a string. Bit 54 is set for 8-bit text; bits 55-59 are the chunk (bytes of a
 * copy's step); bits 60-63 are the alignment, always 0. */
#define ANNOT__PIX_INFO_8BIT         ((uint64_t)1 << 54)
#define ANNOT__PIX_INFO_CHUNK(bytes) ((uint64_t)(bytes) << 55)

/* A string that is being copied. One of its three pointers is set, or none for a NULL string. */
typedef struct annot__pix_source {
    const char *str;
    const uint16_t *wstr;
    const wchar_t *wchars;
    uint16_t low_surrogate; /* second unit of a surrogate pair, if wchar_t is wider than 16 bits */
} annot__pix_source;

ANNOT__PIX_INLINE annot__pix_source annot__pix_source_of(const char *str, const uint16_t *wstr,
                                                         const wchar_t *wchars)
{
    annot__pix_source source = {str, wstr, wchars, 0};
    return source;
}

/* Returns the next UTF-16 unit of a wchar_t string. A number above U+10FFFF becomes U+FFFD. */
ANNOT__PIX_OUTLINE uint16_t annot__pix_next_wchar(annot__pix_source *s)
{
    if (s->low_surrogate) {
        const uint16_t low = s->low_surrogate;
        s->low_surrogate = 0;
        return low;
    }
    const uint32_t c = (uint32_t)*s->wchars++;
    if (c > 0x10ffff)
        return 0xfffd;
    if (c < 0x10000)
        return (uint16_t)c;
    s->low_surrogate = (uint16_t)(0xdc00 + (c & 0x3ff));
    return (uint16_t)(0xd800 + ((c - 0x10000) >> 10));
}

/* Returns the next word of characters, with zeros after the NUL. The NUL clears *goes_on. */
ANNOT__PIX_OUTLINE uint64_t annot__pix_next_chars(annot__pix_source *s, bool *goes_on)
{
    const unsigned bits = s->str ? 8 : 16;
    uint64_t word = 0;
    for (unsigned shift = 0; shift < 64; shift += bits) {
        const uint64_t unit = s->str    ? (unsigned char)*s->str++
                              : s->wstr ? *s->wstr++
                                        : annot__pix_next_wchar(s);
        if (unit == 0) {
            *goes_on = false;
            return word;
        }
        word |= unit << shift;
    }
    return word;
}

/* Copies a string's characters in steps of `chunk` (8 or 16) bytes. */
ANNOT__PIX_OUTLINE uint64_t *annot__pix_copy_chars(uint64_t *at, uint64_t *limit,
                                                   annot__pix_source s, uint32_t chunk)
{
    bool goes_on = true;
    while (goes_on && at < limit) {
        *at++ = annot__pix_le64(annot__pix_next_chars(&s, &goes_on));
        if (chunk == 16)
            *at++ = goes_on ? annot__pix_le64(annot__pix_next_chars(&s, &goes_on)) : 0;
    }
    return at;
}

/* Writes an info word and the string's characters, or a zero word if the string is NULL. */
ANNOT__PIX_OUTLINE uint64_t *annot__pix_put_source(uint64_t *at, uint64_t *limit,
                                                   annot__pix_source s, uint32_t chunk)
{
    if (at >= limit)
        return at;
    if (!s.str && !s.wstr && !s.wchars) {
        *at++ = 0;
        return at;
    }
    *at++ = annot__pix_le64(ANNOT__PIX_INFO_CHUNK(chunk) | (s.str ? ANNOT__PIX_INFO_8BIT : 0));
    return annot__pix_copy_chars(at, limit, s, chunk);
}

/* Writes the string's characters without an info word. NULL is written as an empty string. */
ANNOT__PIX_OUTLINE uint64_t *annot__pix_chars_source(uint64_t *at, uint64_t *limit,
                                                     annot__pix_source s)
{
    if (at < limit && !s.str && !s.wstr && !s.wchars) {
        *at++ = 0;
        return at;
    }
    return annot__pix_copy_chars(at, limit, s, 8);
}

/* Copies an 8-bit string with memcpy. The macros mostly use this function. */
ANNOT__PIX_OUTLINE uint64_t *annot__pix_copy_str(uint64_t *at, uint64_t *limit, const char *text)
{
    const size_t room = (size_t)(limit - at) * 8;
    const char *const nul = (const char *)memchr(text, 0, room);
    if (!nul) {
        memcpy(at, text, room);
        return at + room / 8;
    }
    const size_t length = (size_t)(nul - text);
    at[length / 8] = 0;
    memcpy(at, text, length);
    return at + length / 8 + 1;
}

/*
 * The functions that write strings. Each function writes the string from `at` on, and returns the
 * address after the string. At or past the limit it writes nothing. A buffer must have room for one
 * word past the limit. The text is NUL-terminated or NULL. The function doesn't keep the pointer.
 *
 * put_* functions store an argument: an info word and characters, or a zero word for NULL. chars_*
 * functions store only characters. ANNOT_PIX_V2 needs them for format strings. They store NULL as
 * an empty string.
 */
ANNOT__PIX_OUTLINE uint64_t *annot_pix_put_str(uint64_t *at, uint64_t *limit, const char *text)
{
    if (!text || at >= limit)
        return annot__pix_put_source(at, limit, annot__pix_source_of(text, NULL, NULL), 8);
    *at++ = annot__pix_le64(ANNOT__PIX_INFO_CHUNK(8) | ANNOT__PIX_INFO_8BIT);
    return annot__pix_copy_str(at, limit, text);
}

ANNOT__PIX_OUTLINE uint64_t *annot_pix_chars_str(uint64_t *at, uint64_t *limit, const char *text)
{
    if (!text || at >= limit)
        return annot__pix_chars_source(at, limit, annot__pix_source_of(text, NULL, NULL));
    return annot__pix_copy_str(at, limit, text);
}

ANNOT__PIX_INLINE uint64_t *annot_pix_put_wstr(uint64_t *at, uint64_t *limit, const uint16_t *text)
{
    return annot__pix_put_source(at, limit, annot__pix_source_of(NULL, text, NULL), 8);
}

ANNOT__PIX_INLINE uint64_t *annot_pix_chars_wstr(uint64_t *at, uint64_t *limit,
                                                 const uint16_t *text)
{
    return annot__pix_chars_source(at, limit, annot__pix_source_of(NULL, text, NULL));
}

ANNOT__PIX_INLINE uint64_t *annot_pix_put_wchars(uint64_t *at, uint64_t *limit, const wchar_t *text)
{
    return annot__pix_put_source(at, limit, annot__pix_source_of(NULL, NULL, text), 8);
}

ANNOT__PIX_INLINE uint64_t *annot_pix_chars_wchars(uint64_t *at, uint64_t *limit,
                                                   const wchar_t *text)
{
    return annot__pix_chars_source(at, limit, annot__pix_source_of(NULL, NULL, text));
}

#endif
