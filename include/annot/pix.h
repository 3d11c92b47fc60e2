/*
 * Encodes and decodes PIX event blobs: the data that applications give to BeginEvent and SetMarker.
 * These functions need no device, no allocation, no locale and no global state. Any thread may call
 * every function, and so may a signal handler. One exception: decoding a floating-point argument
 * calls snprintf [ANN-PIX].
 *
 *     decode     any bytes -> UTF-8 name, colour, kind, context word, timestamp, flags
 *     encode     a description -> the reference's bytes, v1 or v2
 *     macros     ANNOT_PIX_BEGIN(context, color, format, ...) and others on an annot_context, for
 *                C and C++; what they encode with is inline
 *
 * A blob is a sequence of little-endian 64-bit words. Strings are 8-bit (UTF-8) or 16-bit (UTF-16)
 * on every platform.
 *
 *     v1 (Metadata 2)         header, colour, [context], string info, characters, arguments
 *     v2 (Metadata 6345127)   header, [colour], [context], characters, arguments
 */
#ifndef ANNOT_PIX_H
#define ANNOT_PIX_H

#include "export.h"
#include "pix_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The values of Metadata that annot_pix_decode understands. */
#define ANNOT_PIX_METADATA_UTF16 0u
#define ANNOT_PIX_METADATA_UTF8  1u
#define ANNOT_PIX_METADATA_V1    2u
#define ANNOT_PIX_METADATA_V2    6345127u

/* Sizes of a GPU event. The encoder leaves out text and arguments that start after
 * ANNOT_PIX_BLOB_LIMIT. A 16-byte copy that starts before this limit may end 8 bytes after it. */
#define ANNOT_PIX_BLOB_WORDS  64u
#define ANNOT_PIX_LIMIT_WORDS 62u
#define ANNOT_PIX_ARG_MAX     16u

/* Makes a colour for an application's event. The result's C type tells an index from ARGB. */
#define ANNOT_PIX_COLOR(r, g, b)                                                                   \
    (0xff000000u | (((uint32_t)(r)&0xffu) << 16) | (((uint32_t)(g)&0xffu) << 8) |                  \
     ((uint32_t)(b)&0xffu))
#define ANNOT_PIX_COLOR_INDEX(i) ((unsigned char)(i))
#define ANNOT_PIX_COLOR_DEFAULT  ANNOT_PIX_COLOR_INDEX(0)

ANNOT_BEGIN_DECLS

typedef enum annot_pix_kind {
    ANNOT_PIX_KIND_UNKNOWN = 0, /* the event's kind is not known, because Metadata is 0 or 1 */
    ANNOT_PIX_KIND_BEGIN = 1,
    ANNOT_PIX_KIND_MARKER = 2,
    ANNOT_PIX_KIND_END = 3 /* v2 only */
} annot_pix_kind;

typedef enum annot_pix_color_kind {
    ANNOT_PIX_COLOR_KIND_NONE = 0, /* the event has no colour, or the blob ends before the colour */
    ANNOT_PIX_COLOR_KIND_ARGB = 1,
    ANNOT_PIX_COLOR_KIND_INDEX = 2 /* the colour is an index; in v1, a value up to 255 */
} annot_pix_color_kind;

/* ---- decode ---- */

typedef enum annot_pix_status {
    ANNOT_PIX_OK = 0,
    ANNOT_PIX_UNKNOWN_METADATA = 1, /* Metadata is none of the four known values */
    ANNOT_PIX_TOO_SHORT = 2,        /* the blob is too short for the first word of v1 or v2 */
    ANNOT_PIX_NOT_V1 = 3,           /* Metadata says v1, but the first word begins no v1 event */
    ANNOT_PIX_NOT_V2 = 4            /* Metadata says v2, but the first word begins no v2 event */
} annot_pix_status;

enum {
    ANNOT_PIX_TRUNCATED = 1 << 0, /* a string has no end, or the blob ends too early */
    /* A text is not UTF-8, and the name is "<invalid UTF8 string>"; or a UTF-16 text has a lone
     * surrogate, which becomes U+FFFD. */
    ANNOT_PIX_INVALID_TEXT = 1 << 1,
    /* The format has more conversions than the event has arguments (at most 16). The missing
       arguments become 0 or "". */
    ANNOT_PIX_ARGUMENTS_MISSING = 1 << 2,
    /* The format has an unknown conversion, which the name keeps unchanged; or %s for an argument
       that is not a string, which adds nothing; or the info word of a string is invalid. */
    ANNOT_PIX_FORMAT_INVALID = 1 << 3,
    ANNOT_PIX_FORMAT_HAS_N = 1 << 4,   /* the format has %n, which prints and writes nothing */
    ANNOT_PIX_FORMAT_CLIPPED = 1 << 5, /* a width or precision was lowered to ANNOT_PIX_FIELD_MAX */
    ANNOT_PIX_HAS_CONTEXT = 1 << 6     /* the event has a context word */
};

#define ANNOT_PIX_FIELD_MAX 512u /* largest width and largest precision of a conversion */

typedef struct annot_pix_event {
    /* Size of the whole UTF-8 name in bytes, without NUL, even if fewer bytes were stored. */
    size_t name_length;
    uint64_t timestamp; /* a time of the encoder's clock, in 44 bits; 0 in GPU events */
    uint64_t context;   /* the context word; 0 without ANNOT_PIX_HAS_CONTEXT */
    uint32_t color;     /* 0xAARRGGBB, an index or 0, as color_kind says */
    annot_pix_color_kind color_kind;
    annot_pix_kind kind;
    uint32_t flags; /* ANNOT_PIX_TRUNCATED and so on */
} annot_pix_event;

/*
 * Decodes the payload of BeginEvent or SetMarker [ANN-PIX-01, -03]. The result is defined for any
 * bytes, any size and any Metadata. The function reads at most `size` bytes, writes nothing to
 * `data`, and never gives the blob's format to printf. `metadata` decides the encoding; the
 * function refuses bytes that don't fit the encoding. If `data` is NULL, there are no bytes.
 *
 * Stores at most `capacity` bytes of NUL-terminated UTF-8 in `name` (may be NULL when `capacity` is
 * 0). A longer name is cut at a character's border; event->name_length is the length of the whole
 * name, for a second call. A NUL character in a name ends the name; %c of 0 prints nothing. Time is
 * linear in `size` + name_length, and name_length is at most 128 * `size`.
 *
 * The function always writes *event. If the result isn't ANNOT_PIX_OK, *event is all zeros and the
 * name is empty.
 */
ANNOT_API annot_pix_status annot_pix_decode(uint32_t metadata, const void *data, size_t size,
                                            char *name, size_t capacity, annot_pix_event *event);

/* Does the same as annot_pix_decode, but keeps a name whose 8-bit text isn't UTF-8. An invalid byte
 * becomes the character of its number, U+0080 to U+00FF, and sets ANNOT_PIX_INVALID_TEXT. */
ANNOT_API annot_pix_status annot_pix_decode_bytes(uint32_t metadata, const void *data, size_t size,
                                                  char *name, size_t capacity,
                                                  annot_pix_event *event);

/* Returns a static line of English that says what to do; never NULL. */
ANNOT_API const char *annot_pix_status_text(annot_pix_status status);

/* ---- encode ---- */

typedef enum annot_pix_version { ANNOT_PIX_V1 = 1, ANNOT_PIX_V2 = 2 } annot_pix_version;

typedef enum annot_pix_type {
    ANNOT_PIX_I32 = 1,
    ANNOT_PIX_U32,
    ANNOT_PIX_I64,
    ANNOT_PIX_U64,
    ANNOT_PIX_F32,
    ANNOT_PIX_F64,
    ANNOT_PIX_CHAR, /* a char, sign-extended as on Windows */
    ANNOT_PIX_BOOL,
    ANNOT_PIX_PTR,
    ANNOT_PIX_STR,   /* UTF-8 */
    ANNOT_PIX_WSTR,  /* UTF-16 */
    ANNOT_PIX_WCHARS /* a string of this platform's wchar_t, stored as UTF-16 */
} annot_pix_type;

typedef struct annot_pix_arg {
    annot_pix_type type;
    /* The number of bytes that each step of a string's copy moves in v1: 8 or 16; 0 means 8.
     * Microsoft's encoder takes 16 if the source pointer is a multiple of 16, and 8 otherwise. This
     * encoder never looks at the address of the caller's string. v2 always uses 8. */
    uint32_t chunk;
    union {
        int32_t i32;
        uint32_t u32;
        int64_t i64;
        uint64_t u64;
        float f32;
        double f64;
        signed char c;
        bool b;
        const void *ptr;
        const char *str;
        const uint16_t *wstr;
        const wchar_t *wchars;
    } value; /* a string that ends with a NUL, or NULL; the encoder keeps no pointer to it */
} annot_pix_arg;

typedef struct annot_pix_desc {
    annot_pix_version version;
    annot_pix_kind kind; /* BEGIN or MARKER */
    annot_pix_color_kind color_kind;
    bool has_context;
    uint64_t color;       /* ARGB or an index; v1 stores 64 bits, v2 only three bits of an index */
    uint64_t context;     /* with has_context */
    uint64_t timestamp;   /* time stamp of 44 bits; 0 in GPU events */
    annot_pix_arg format; /* the format, as a string argument */
    const annot_pix_arg *args; /* the arguments; NULL is allowed if arg_count is 0 */
    size_t arg_count;          /* number of arguments, at most ANNOT_PIX_ARG_MAX */
    /* The byte at which text and arguments are cut: a multiple of 8 from 32 to
     * ANNOT_PIX_ENCODE_LIMIT_MAX. 0 means 496, the limit of a GPU event. */
    size_t limit;
} annot_pix_desc;

#define ANNOT_PIX_ENCODE_LIMIT_MAX                                                                 \
    1008u /* v2 counts at most 127 words; one is kept for the end of a 16-byte copy */

/*
 * Encodes an event [ANN-PIX-02]. Returns the blob's size in bytes, a multiple of 8 and at most
 * limit + 8, or 0 for an invalid description (annot_pix_desc). Writes the blob only if `capacity`
 * is enough. Bytes after a string's NUL are zeros, while Microsoft's encoder copies the memory
 * after the source string. Microsoft's encoder writes a zero word after the blob; this encoder
 * doesn't.
 *
 * The encoder cuts events as Microsoft's encoder does: a string is cut in the middle, without a
 * NUL, and arguments that start past the limit are left out. v1 has no word for "no colour", so
 * ANNOT_PIX_COLOR_KIND_NONE becomes 0.
 */
ANNOT_API size_t annot_pix_encode(const annot_pix_desc *desc, void *blob, size_t capacity);

/* Returns the value of Metadata for a blob of this version. */
static inline uint32_t annot_pix_metadata(annot_pix_version version)
{
    return version == ANNOT_PIX_V2 ? ANNOT_PIX_METADATA_V2 : ANNOT_PIX_METADATA_V1;
}

ANNOT_END_DECLS

/* ---- the inlined encoder ---- */

typedef struct annot__pix_color {
    uint64_t value;
    bool is_index;
} annot__pix_color;

ANNOT__PIX_INLINE annot__pix_color annot__pix_color_index(unsigned char index)
{
    annot__pix_color color = {index, true};
    return color;
}

ANNOT__PIX_INLINE annot__pix_color annot__pix_color_i32(int argb)
{
    annot__pix_color color = {(uint64_t)(int64_t)argb, false};
    return color;
}

ANNOT__PIX_INLINE annot__pix_color annot__pix_color_u64(uint64_t argb)
{
    annot__pix_color color = {argb, false};
    return color;
}

/* Writes the words before the string; in v2, annot__pix_finish completes the first word later. */
ANNOT__PIX_INLINE uint64_t *annot__pix_head(uint64_t *blob, annot_pix_version version,
                                            annot_pix_kind kind, annot__pix_color color,
                                            bool has_color, bool has_context, uint64_t context,
                                            bool has_args, bool is_8bit, uint64_t timestamp)
{
    uint64_t *at = blob + 1;
    if (version == ANNOT_PIX_V2) {
        const uint64_t color_bits = !has_color ? 0 : color.is_index ? (color.value & 7) << 4 : 0xf0;
        const uint64_t bits = color_bits | (is_8bit ? 2u : 0u) | (has_context ? 1u : 0u);
        blob[0] = timestamp << 20 | bits << 12 | (uint64_t)kind << 7;
        if (color_bits == 0xf0)
            *at++ = annot__pix_le64(color.value);
    } else {
        const uint64_t opcode = (kind == ANNOT_PIX_KIND_BEGIN ? 1u : 7u) + (has_args ? 0u : 1u) +
                                (has_context ? 0x10u : 0u);
        blob[0] = annot__pix_le64(timestamp << 20 | opcode << 10);
        *at++ = annot__pix_le64(has_color ? color.value : 0);
    }
    if (has_context)
        *at++ = annot__pix_le64(context);
    return at;
}

/* Ends the blob and returns its size in bytes. */
ANNOT__PIX_INLINE uint32_t annot__pix_finish(uint64_t *blob, const uint64_t *at,
                                             annot_pix_version version)
{
    const uint32_t words = (uint32_t)(at - blob);
    if (version == ANNOT_PIX_V2)
        blob[0] = annot__pix_le64(blob[0] | words);
    return words * 8u;
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_u64(uint64_t *at, uint64_t *limit, uint64_t value)
{
    if (at < limit)
        *at++ = annot__pix_le64(value);
    return at;
}

/* Stores a value of 64 bits, or of a type that is sign-extended (int, char). */
ANNOT__PIX_INLINE uint64_t *annot__pix_put_i64(uint64_t *at, uint64_t *limit, int64_t value)
{
    return annot__pix_put_u64(at, limit, (uint64_t)value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_char(uint64_t *at, uint64_t *limit, char value)
{
    return annot__pix_put_i64(at, limit, (signed char)value);
}

/* Stores a value of a zero-extended type. Microsoft's encoder has no rule for this type. */
ANNOT__PIX_INLINE uint64_t *annot__pix_put_schar(uint64_t *at, uint64_t *limit, signed char value)
{
    return annot__pix_put_u64(at, limit, (unsigned char)value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_short(uint64_t *at, uint64_t *limit, short value)
{
    return annot__pix_put_u64(at, limit, (unsigned short)value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_long(uint64_t *at, uint64_t *limit, long value)
{
    return annot__pix_put_u64(at, limit, (unsigned long)value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_f64(uint64_t *at, uint64_t *limit, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return annot__pix_put_u64(at, limit, word);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put_ptr(uint64_t *at, uint64_t *limit,
                                               const volatile void *value)
{
    return annot__pix_put_u64(at, limit, (uint64_t)(uintptr_t)value);
}

/* If the compiler knows a string's length, inline code stores the string; else a function does. */
#if defined(__GNUC__)
#define ANNOT__PIX_INLINE_STRING(at, limit, text, info_words, info, fallback)                      \
    do {                                                                                           \
        if ((text) && __builtin_constant_p(strlen(text))) {                                        \
            const size_t annot__length = strlen(text);                                             \
            const size_t annot__words = annot__length / 8 + 1;                                     \
            if (annot__length < 256 && (size_t)((limit) - (at)) >= annot__words + (info_words)) {  \
                (at)[0] = annot__pix_le64(info);                                                   \
                (at)[annot__words + (info_words)-1] = 0;                                           \
                memcpy((at) + (info_words), (text), annot__length);                                \
                return (at) + annot__words + (info_words);                                         \
            }                                                                                      \
        }                                                                                          \
        return fallback(at, limit, text);                                                          \
    } while (0)
#else
#define ANNOT__PIX_INLINE_STRING(at, limit, text, info_words, info, fallback)                      \
    return fallback(at, limit, text)
#endif

ANNOT__PIX_INLINE uint64_t *annot__pix_put_str(uint64_t *at, uint64_t *limit, const char *text)
{
    ANNOT__PIX_INLINE_STRING(at, limit, text, 1, ANNOT__PIX_INFO_8BIT | ANNOT__PIX_INFO_CHUNK(8),
                             annot_pix_put_str);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_chars_str(uint64_t *at, uint64_t *limit, const char *text)
{
    ANNOT__PIX_INLINE_STRING(at, limit, text, 0, 0, annot_pix_chars_str);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format_str(uint64_t *at, uint64_t *limit,
                                                  annot_pix_version version, const char *text)
{
    return version == ANNOT_PIX_V2 ? annot__pix_chars_str(at, limit, text)
                                   : annot__pix_put_str(at, limit, text);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format_wstr(uint64_t *at, uint64_t *limit,
                                                   annot_pix_version version, const uint16_t *text)
{
    return version == ANNOT_PIX_V2 ? annot_pix_chars_wstr(at, limit, text)
                                   : annot_pix_put_wstr(at, limit, text);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format_wchars(uint64_t *at, uint64_t *limit,
                                                     annot_pix_version version, const wchar_t *text)
{
    return version == ANNOT_PIX_V2 ? annot_pix_chars_wchars(at, limit, text)
                                   : annot_pix_put_wchars(at, limit, text);
}

/* Marks an argument as a wchar_t string. C builds need ANNOT_PIX_WIDE if wchar_t is an int. C then
 * can't distinguish a wchar_t pointer from an int pointer for %p, so neither compiles. Write
 * ANNOT_PIX_WIDE(text) for the wchar_t pointer, and cast the int pointer to void *. In other C
 * builds and in C++ the macro changes nothing. The format itself never needs the macro. */
typedef struct annot_pix_wide {
    const wchar_t *text;
} annot_pix_wide;

ANNOT__PIX_INLINE annot_pix_wide annot__pix_wide(const wchar_t *text)
{
    annot_pix_wide wide = {text};
    return wide;
}

#define ANNOT_PIX_WIDE(text) annot__pix_wide(text)

ANNOT__PIX_INLINE uint64_t *annot__pix_put_wide(uint64_t *at, uint64_t *limit, annot_pix_wide wide)
{
    return annot_pix_put_wchars(at, limit, wide.text);
}

/*
 * Chooses the function that stores a value by the value's type: with _Generic in C, with overloads
 * in C++. The rules are the same as in Microsoft's encoder: int and char are sign-extended; short,
 * long of 32 bits and signed char are zero-extended; float becomes double.
 */
#ifndef __cplusplus

/* clang-format off */
#if WCHAR_MAX > 0xffff
#define ANNOT__PIX_CASES_WCHAR_FORMAT(prefix)                                                      \
    , wchar_t *: prefix##_wchars, const wchar_t *: prefix##_wchars
/* Declares a name that can't be called. The name says in the error message what to write. */
/* The compiler's error message shows the name of this object or of its type. */
extern const struct annot__pix_int_pointer_needs_ANNOT_PIX_WIDE_or_a_cast_to_void {
    char unused;
} annot__pix_int_pointer_needs_ANNOT_PIX_WIDE_or_a_cast_to_void;
#define ANNOT__PIX_CASES_WCHAR_PUT                                                                 \
    wchar_t *: annot__pix_int_pointer_needs_ANNOT_PIX_WIDE_or_a_cast_to_void,                      \
    const wchar_t *: annot__pix_int_pointer_needs_ANNOT_PIX_WIDE_or_a_cast_to_void,
#else
#define ANNOT__PIX_CASES_WCHAR_FORMAT(prefix)
#define ANNOT__PIX_CASES_WCHAR_PUT
#endif

#define ANNOT__PIX_COLOR_OF(color)                                                                 \
    _Generic((color),                                                                              \
        unsigned char: annot__pix_color_index,                                                     \
        int: annot__pix_color_i32,                                                                 \
        default: annot__pix_color_u64)(color)

#define ANNOT__PIX_FORMAT(at, limit, version, text)                                                \
    _Generic((text),                                                                               \
        char *: annot__pix_format_str, const char *: annot__pix_format_str,                        \
        uint16_t *: annot__pix_format_wstr, const uint16_t *: annot__pix_format_wstr               \
        ANNOT__PIX_CASES_WCHAR_FORMAT(annot__pix_format))(at, limit, version, text)

#define ANNOT__PIX_IS_8BIT(text) _Generic((text), char *: true, const char *: true, default: false)

#define ANNOT__PIX_PUT(at, limit, value)                                                           \
    _Generic((value),                                                                              \
        _Bool: annot__pix_put_u64, char: annot__pix_put_char, unsigned char: annot__pix_put_u64,   \
        signed char: annot__pix_put_schar, short: annot__pix_put_short,                            \
        unsigned short: annot__pix_put_u64, int: annot__pix_put_i64,                               \
        unsigned: annot__pix_put_u64, long: annot__pix_put_long,                                   \
        unsigned long: annot__pix_put_u64, long long: annot__pix_put_i64,                          \
        unsigned long long: annot__pix_put_u64, float: annot__pix_put_f64,                         \
        double: annot__pix_put_f64, char *: annot__pix_put_str, const char *: annot__pix_put_str,  \
        uint16_t *: annot_pix_put_wstr, const uint16_t *: annot_pix_put_wstr,                      \
        annot_pix_wide: annot__pix_put_wide, ANNOT__PIX_CASES_WCHAR_PUT                      \
        default: annot__pix_put_ptr)(at, limit, value)
/* clang-format on */

#else

ANNOT__PIX_INLINE annot__pix_color annot__pix_color_of(unsigned char index)
{
    return annot__pix_color_index(index);
}

ANNOT__PIX_INLINE annot__pix_color annot__pix_color_of(int argb)
{
    return annot__pix_color_i32(argb);
}

template <typename T> ANNOT__PIX_INLINE annot__pix_color annot__pix_color_of(T argb)
{
    return annot__pix_color_u64(static_cast<uint64_t>(argb));
}

ANNOT__PIX_INLINE const uint16_t *annot__pix_utf16(const char16_t *text)
{
    return reinterpret_cast<const uint16_t *>(text);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format(uint64_t *at, uint64_t *limit,
                                              annot_pix_version version, const char *text)
{
    return annot__pix_format_str(at, limit, version, text);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format(uint64_t *at, uint64_t *limit,
                                              annot_pix_version version, const char16_t *text)
{
    return annot__pix_format_wstr(at, limit, version, annot__pix_utf16(text));
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format(uint64_t *at, uint64_t *limit,
                                              annot_pix_version version, const uint16_t *text)
{
    return annot__pix_format_wstr(at, limit, version, text);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_format(uint64_t *at, uint64_t *limit,
                                              annot_pix_version version, const wchar_t *text)
{
    return annot__pix_format_wchars(at, limit, version, text);
}

/* Only decltype uses this template, so that the format is not evaluated twice. */
template <bool is_8bit> struct annot__pix_width {
    static constexpr bool value = is_8bit;
};
annot__pix_width<true> annot__pix_width_of(const char *);
template <typename T> annot__pix_width<false> annot__pix_width_of(const T *);

template <typename T>
ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, T value)
{
    static_assert(sizeof(T) <= sizeof(uint64_t), "an argument takes one word");
    uint64_t word = 0;
    memcpy(&word, &value, sizeof value);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word >>= 8 * (sizeof word - sizeof value);
#endif
    return annot__pix_put_u64(at, limit, word);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, int value)
{
    return annot__pix_put_i64(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, char value)
{
    return annot__pix_put_char(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, float value)
{
    return annot__pix_put_f64(at, limit, static_cast<double>(value));
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, const char *value)
{
    return annot__pix_put_str(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, char *value)
{
    return annot__pix_put_str(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, const char16_t *value)
{
    return annot_pix_put_wstr(at, limit, annot__pix_utf16(value));
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, char16_t *value)
{
    return annot_pix_put_wstr(at, limit, annot__pix_utf16(value));
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, const wchar_t *value)
{
    return annot_pix_put_wchars(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, wchar_t *value)
{
    return annot_pix_put_wchars(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, annot_pix_wide value)
{
    return annot__pix_put_wide(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, const uint16_t *value)
{
    return annot_pix_put_wstr(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, uint16_t *value)
{
    return annot_pix_put_wstr(at, limit, value);
}

ANNOT__PIX_INLINE uint64_t *annot__pix_put(uint64_t *at, uint64_t *limit, decltype(nullptr))
{
    return annot__pix_put_u64(at, limit, 0);
}

#define ANNOT__PIX_COLOR_OF(color)                  annot__pix_color_of(color)
#define ANNOT__PIX_FORMAT(at, limit, version, text) annot__pix_format(at, limit, version, text)
#define ANNOT__PIX_IS_8BIT(text)                    decltype(annot__pix_width_of(text))::value
#define ANNOT__PIX_PUT(at, limit, value)            annot__pix_put(at, limit, value)

#endif

/* ---- macros ---- */

/* If PIX_USE_GPU_MARKERS_V2 is defined before this header, the macros of the translation unit
 * encode v2. As with Microsoft's encoder, v2 events have a context word: the address of the list or
 * queue that records them. */
#ifdef PIX_USE_GPU_MARKERS_V2
#define ANNOT__PIX_MACRO_VERSION ANNOT_PIX_V2
#else
#define ANNOT__PIX_MACRO_VERSION ANNOT_PIX_V1
#endif
#define ANNOT_PIX_MACRO_METADATA annot_pix_metadata(ANNOT__PIX_MACRO_VERSION)

/* clang-format off */
#define ANNOT__PIX_JOIN_(a, b) a##b
#define ANNOT__PIX_JOIN(a, b)  ANNOT__PIX_JOIN_(a, b)
#define ANNOT__PIX_FIRST_(first, ...) first
#define ANNOT__PIX_FIRST(...)  ANNOT__PIX_FIRST_(__VA_ARGS__, 0)
#define ANNOT__PIX_COUNT_(f, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, n, ...) n
#define ANNOT__PIX_COUNT(...)                                                                      \
    ANNOT__PIX_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)

#define ANNOT__PIX_ADD(value) annot__at = ANNOT__PIX_PUT(annot__at, annot__limit, value);
#define ANNOT__PIX_ADD_0(f)
#define ANNOT__PIX_ADD_1(f, a)       ANNOT__PIX_ADD(a)
#define ANNOT__PIX_ADD_2(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_1(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_3(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_2(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_4(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_3(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_5(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_4(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_6(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_5(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_7(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_6(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_8(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_7(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_9(f, a, ...)  ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_8(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_10(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_9(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_11(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_10(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_12(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_11(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_13(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_12(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_14(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_13(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_15(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_14(f, __VA_ARGS__)
#define ANNOT__PIX_ADD_16(f, a, ...) ANNOT__PIX_ADD(a) ANNOT__PIX_ADD_15(f, __VA_ARGS__)
/* clang-format on */

/* Declares annot__blob and annot__size, which contain the encoded event. `object` is the list or
 * queue that records the event. After `color` come the format and the format's arguments. */
#define ANNOT__PIX_BUILD(object, kind, color, ...)                                                 \
    uint64_t annot__blob[ANNOT_PIX_BLOB_WORDS];                                                    \
    uint64_t *const annot__limit = annot__blob + ANNOT_PIX_LIMIT_WORDS;                            \
    uint64_t *annot__at =                                                                          \
        annot__pix_head(annot__blob, ANNOT__PIX_MACRO_VERSION, kind, ANNOT__PIX_COLOR_OF(color),   \
                        true, ANNOT__PIX_MACRO_VERSION == ANNOT_PIX_V2,                            \
                        (uint64_t)(uintptr_t)(object), ANNOT__PIX_COUNT(__VA_ARGS__) > 0,          \
                        ANNOT__PIX_IS_8BIT(ANNOT__PIX_FIRST(__VA_ARGS__)), 0);                     \
    annot__at = ANNOT__PIX_FORMAT(annot__at, annot__limit, ANNOT__PIX_MACRO_VERSION,               \
                                  ANNOT__PIX_FIRST(__VA_ARGS__));                                  \
    ANNOT__PIX_JOIN(ANNOT__PIX_ADD_, ANNOT__PIX_COUNT(__VA_ARGS__))                                \
    (__VA_ARGS__) const uint32_t annot__size =                                                     \
        annot__pix_finish(annot__blob, annot__at, ANNOT__PIX_MACRO_VERSION)

#define ANNOT__PIX_RECORD(call, context, kind, color, ...)                                         \
    do {                                                                                           \
        annot_context *const annot__context = (context);                                           \
        if (annot_context_forwards(annot__context)) {                                              \
            ANNOT__PIX_BUILD(annot__context, kind, color, __VA_ARGS__);                            \
            call(annot__context, ANNOT_PIX_MACRO_METADATA, annot__blob, annot__size);              \
        }                                                                                          \
    } while (0)

/*
 * Macros that record markers on an annot_context; include annot.h, too. The last arguments are the
 * format (a string of char, of 16-bit characters or of wchar_t) and up to ANNOT_PIX_ARG_MAX values.
 * Without values the format is the marker's name, and percent signs have no meaning. Each argument
 * is evaluated at most once, and under RUNTIME_ONLY only `context` is evaluated. If the compiler
 * knows a string's length, the macro doesn't call strlen.
 *
 *     ANNOT_PIX_BEGIN(list, ANNOT_PIX_COLOR(200, 80, 0), "shadow %d of %d", i, count);
 *     ANNOT_PIX_END(list);
 *
 * The _RETAIL family is for markers in shipped programs. If USE_PIX_RETAIL is defined before this
 * header, the other macros compile to nothing and evaluate nothing [ANN-PIX-04].
 */
#define ANNOT_PIX_BEGIN_RETAIL(context, color, ...)                                                \
    ANNOT__PIX_RECORD(annot_context_begin_event, context, ANNOT_PIX_KIND_BEGIN, color, __VA_ARGS__)
#define ANNOT_PIX_MARKER_RETAIL(context, color, ...)                                               \
    ANNOT__PIX_RECORD(annot_context_set_marker, context, ANNOT_PIX_KIND_MARKER, color, __VA_ARGS__)
#define ANNOT_PIX_END_RETAIL(context) annot_context_end_event(context)

#ifdef USE_PIX_RETAIL
#define ANNOT_PIX_BEGIN(...)  ((void)0)
#define ANNOT_PIX_MARKER(...) ((void)0)
#define ANNOT_PIX_END(...)    ((void)0)
#else
#define ANNOT_PIX_BEGIN(...)  ANNOT_PIX_BEGIN_RETAIL(__VA_ARGS__)
#define ANNOT_PIX_MARKER(...) ANNOT_PIX_MARKER_RETAIL(__VA_ARGS__)
#define ANNOT_PIX_END(...)    ANNOT_PIX_END_RETAIL(__VA_ARGS__)
#endif

#endif
