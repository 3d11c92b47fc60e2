/* A printf for untrusted formats. The format comes from a dump, so no part of it ever reaches the C
 * library's printf: a conversion specification is parsed into `spec`, checked, and carried out
 * here. Floating-point digits come from snprintf, with a format built from the spec's own parts;
 * sign, padding and the decimal point are done here, so that no locale shows.
 *
 *     %[flags][width][.precision][length]conversion
 *
 * Lengths are those of Windows, where the blobs come from: long has 32 bits. Widths and precisions
 * count bytes in an 8-bit format and 16-bit units in a wide one, and never split a character.
 * Whether a string argument is 8-bit or wide is what its info word says, not what %s or %S says.
 */
#if defined(_WIN32) && !defined(__USE_MINGW_ANSI_STDIO)
#define __USE_MINGW_ANSI_STDIO 1 /* two-digit exponents, as everywhere else */
#endif

#include <annot/pix.h>
#include "pix/pix_text.h"

#include <stdio.h>

enum length {
    LENGTH_NONE,
    LENGTH_HH,
    LENGTH_H,
    LENGTH_L,
    LENGTH_64 /* ll, I64, j, z, t, I */
};

struct spec {
    bool left, plus, space, alternate, zero;
    bool has_precision;
    uint32_t width, precision;
    enum length length;
    char conversion;
};

/* The interpreter's state. */
struct formatter {
    struct annot__pix_out *out;
    struct annot__pix_reader *reader;
    uint32_t args; /* taken so far */
    bool is_wide;  /* the format */
};

/* The limit of a stored width or precision, far above ANNOT_PIX_FIELD_MAX. */
#define NUMBER_MAX 1000000000u

/* ---- arguments ---- */

static bool take_arg(struct formatter *f)
{
    if (f->args == ANNOT_PIX_ARG_MAX) {
        f->out->flags |= ANNOT_PIX_ARGUMENTS_MISSING;
        return false;
    }
    f->args++;
    return true;
}

static uint64_t next_word(struct formatter *f)
{
    uint64_t word = 0;
    if (take_arg(f) && !annot__pix_read_word(f->reader, &word))
        f->out->flags |= ANNOT_PIX_ARGUMENTS_MISSING;
    return word;
}

static struct annot__pix_text next_string(struct formatter *f)
{
    struct annot__pix_text text = {f->reader->data, 0, false};
    if (!take_arg(f))
        return text;
    const enum annot__pix_string found = annot__pix_read_string(f->reader, &text);
    if (found == ANNOT__PIX_STRING_NULL)
        f->args--; /* the word stays for the next conversion, as in Microsoft's decoder */
    else if (found == ANNOT__PIX_STRING_MISSING)
        f->out->flags |= ANNOT_PIX_ARGUMENTS_MISSING;
    return text;
}

/* ---- fields ---- */

static uint32_t clip(struct formatter *f, uint32_t value)
{
    if (value > ANNOT_PIX_FIELD_MAX) {
        f->out->flags |= ANNOT_PIX_FORMAT_CLIPPED;
        return ANNOT_PIX_FIELD_MAX;
    }
    return value;
}

static size_t padding_of(struct formatter *f, const struct spec *s, size_t taken)
{
    const size_t width = clip(f, s->width);
    return width > taken ? width - taken : 0;
}

/* Writes a number's parts: padding, prefix (sign, 0x), zeros, digits, padding. */
static void put_number(struct formatter *f, const struct spec *s, const char *prefix, size_t zeros,
                       const char *digits, size_t count, bool may_zero_pad)
{
    const size_t prefix_length = strlen(prefix);
    size_t padding = padding_of(f, s, prefix_length + zeros + count);
    if (s->zero && !s->left && may_zero_pad) {
        zeros += padding;
        padding = 0;
    }
    if (!s->left)
        annot__pix_out_fill(f->out, ' ', padding);
    annot__pix_out_bytes(f->out, prefix, prefix_length);
    annot__pix_out_fill(f->out, '0', zeros);
    annot__pix_out_bytes(f->out, digits, count);
    if (s->left)
        annot__pix_out_fill(f->out, ' ', padding);
}

static const char *sign_of(const struct spec *s, bool is_negative)
{
    return is_negative ? "-" : s->plus ? "+" : s->space ? " " : "";
}

/* ---- integers ---- */

static unsigned bits_of(const struct spec *s)
{
    switch (s->length) {
    case LENGTH_HH:
        return 8;
    case LENGTH_H:
        return 16;
    case LENGTH_64:
        return 64;
    default:
        return 32;
    }
}

/* Writes digits before `end`; returns the first. Zero has none. */
static char *digits_before(char *end, uint64_t value, unsigned base, const char *alphabet)
{
    while (value != 0) {
        *--end = alphabet[value % base];
        value /= base;
    }
    return end;
}

static void put_integer(struct formatter *f, const struct spec *s)
{
    const unsigned bits = bits_of(s);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    const bool is_signed = s->conversion == 'd' || s->conversion == 'i';
    const bool is_hex = s->conversion == 'x' || s->conversion == 'X';
    const unsigned base = is_hex ? 16 : s->conversion == 'o' ? 8 : 10;

    uint64_t value = next_word(f) & mask;
    const bool is_negative = is_signed && (value >> (bits - 1)) != 0;
    if (is_negative)
        value = (0 - value) & mask;
    char buffer[24]; /* 64 bits in octal: 22 digits */
    char *const end = buffer + sizeof buffer;
    const char *const first = digits_before(
        end, value, base, s->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef");
    const size_t count = (size_t)(end - first);

    size_t precision = s->has_precision ? clip(f, s->precision) : 1;
    if (base == 8 && s->alternate && precision <= count)
        precision = count + 1;
    const char *prefix = is_signed ? sign_of(s, is_negative) : "";
    if (is_hex && s->alternate && count > 0)
        prefix = s->conversion == 'X' ? "0X" : "0x";
    put_number(f, s, prefix, precision > count ? precision - count : 0, first, count,
               !s->has_precision);
}

/* Prints a pointer as Windows does: 16 capital digits. */
static void put_pointer(struct formatter *f, const struct spec *s)
{
    char buffer[16];
    char *const end = buffer + sizeof buffer;
    const char *const first = digits_before(end, next_word(f), 16, "0123456789ABCDEF");
    const size_t count = (size_t)(end - first);
    put_number(f, s, "", sizeof buffer - count, first, count, false);
}

/* ---- floating point ---- */

/* 309 digits before the point, the point, the precision, an exponent. */
#define EXPONENT_MAX 8
#define FLOAT_MAX    (309 + 1 + ANNOT_PIX_FIELD_MAX + EXPONENT_MAX)

/* Drops snprintf's decimal point, which may be several bytes of any value in a locale. */
static size_t without_locale(char *digits, size_t count)
{
    size_t to = 0;
    bool in_point = false;
    for (size_t i = 0; i < count; i++) {
        const char c = digits[i];
        const bool is_plain =
            (c >= '0' && c <= '9') || c == 'e' || c == 'E' || c == '+' || c == '-';
        if (is_plain)
            digits[to++] = c;
        else if (!in_point)
            digits[to++] = '.';
        in_point = !is_plain;
    }
    return to;
}

static size_t decimal_digits(char *digits, size_t size, double magnitude, uint32_t precision,
                             const struct spec *s)
{
    char format[8];
    snprintf(format, sizeof format, s->alternate ? "%%#.*%c" : "%%.*%c", s->conversion);
    const int count = snprintf(digits, size, format, (int)precision, magnitude);
    if (count < 0)
        return 0;
    /* equivalent: the longest number and point fit */
    return without_locale(digits, (size_t)count < size ? (size_t)count : size - 1);
}

/* %a: 0x1.8p+1. Without a precision all 13 digits, as the reference's C runtime has it. */
static size_t hexadecimal_digits(char *digits, uint64_t bits, uint32_t precision,
                                 const struct spec *s)
{
    const char *const alphabet = s->conversion == 'A' ? "0123456789ABCDEF" : "0123456789abcdef";
    const unsigned shown = !s->has_precision || precision > 13 ? 13 : precision;
    const unsigned dropped = 4 * (13 - shown); /* bits */
    const unsigned biased = bits >> 52 & 0x7ff;
    uint64_t mantissa = (bits & (UINT64_MAX >> 12)) | (biased ? (uint64_t)1 << 52 : 0);
    if (dropped > 0) {
        const uint64_t half = (uint64_t)1 << (dropped - 1);
        const uint64_t rest = mantissa & (2 * half - 1);
        mantissa >>= dropped;
        if (rest > half || (rest == half && (mantissa & 1)))
            mantissa++;
        mantissa <<= dropped;
    }
    size_t at = 0;
    digits[at++] = alphabet[mantissa >> 52 & 0xf];
    const size_t wanted = s->has_precision ? precision : 13;
    if (wanted > 0 || s->alternate)
        digits[at++] = '.';
    for (size_t i = 0; i < wanted; i++)
        digits[at++] = i < 13 ? alphabet[mantissa >> (48 - 4 * i) & 0xf] : '0';
    const int exponent = bits == 0 ? 0 : biased ? (int)biased - 1023 : -1022;
    const char letter = s->conversion == 'A' ? 'P' : 'p';
    return at + (size_t)snprintf(digits + at, EXPONENT_MAX, "%c%+d", letter, exponent);
}

static void put_float(struct formatter *f, const struct spec *s)
{
    const uint64_t bits = next_word(f);
    const char *const sign = sign_of(s, bits >> 63 != 0);
    const uint64_t magnitude_bits = bits & (UINT64_MAX >> 1);
    const bool is_upper = s->conversion < 'a';

    if (magnitude_bits >> 52 == 0x7ff) {
        const bool is_infinite = magnitude_bits << 12 == 0;
        const char *name = is_infinite ? (is_upper ? "INF" : "inf") : is_upper ? "NAN" : "nan";
        put_number(f, s, sign, 0, name, 3, false);
        return;
    }
    char digits[FLOAT_MAX];
    const uint32_t precision = s->has_precision ? clip(f, s->precision) : 6;
    if (s->conversion == 'a' || s->conversion == 'A') {
        const size_t count = hexadecimal_digits(digits, magnitude_bits, precision, s);
        char prefix[4] = "";
        strcat(prefix, sign);
        strcat(prefix, is_upper ? "0X" : "0x");
        put_number(f, s, prefix, 0, digits, count, true);
        return;
    }
    double magnitude;
    memcpy(&magnitude, &magnitude_bits, sizeof magnitude);
    const size_t count = decimal_digits(digits, sizeof digits, magnitude, precision, s);
    put_number(f, s, sign, 0, digits, count, true);
}

/* ---- characters and strings ---- */

/* Returns how many units of the format's width a character takes. */
static size_t units_of(const struct formatter *f, int32_t c)
{
    if (f->is_wide)
        return c >= 0x10000 ? 2 : 1;
    return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/* Returns the prefix of `text` that the precision allows, and adds its width to *taken. */
static struct annot__pix_text fit(const struct formatter *f, const struct spec *s,
                                  const struct annot__pix_text *text, size_t *taken)
{
    const size_t limit = s->has_precision ? s->precision : SIZE_MAX;
    size_t i = 0;
    while (i < text->units) {
        size_t next = i;
        const size_t units = units_of(f, annot__pix_next_char(text, &next));
        if (units > limit - *taken)
            break;
        *taken += units;
        i = next;
    }
    return annot__pix_slice(text, 0, i);
}

static void put_padded(struct formatter *f, const struct spec *s,
                       const struct annot__pix_text *text, size_t taken)
{
    const size_t padding = padding_of(f, s, taken);
    if (!s->left)
        annot__pix_out_fill(f->out, ' ', padding);
    annot__pix_out_text(f->out, text);
    if (s->left)
        annot__pix_out_fill(f->out, ' ', padding);
}

static void put_string(struct formatter *f, const struct spec *s)
{
    struct annot__pix_text text = next_string(f);
    size_t taken = 0;
    if (s->has_precision || s->width > 0)
        text = fit(f, s, &text, &taken);
    put_padded(f, s, &text, taken);
}

static void put_character(struct formatter *f, const struct spec *s)
{
    bool is_wide = f->is_wide != (s->conversion == 'C');
    if (s->length == LENGTH_H || s->length == LENGTH_HH)
        is_wide = false;
    else if (s->length == LENGTH_L)
        is_wide = true;
    const uint64_t word = next_word(f);
    const uint8_t bytes[2] = {(uint8_t)word, (uint8_t)(word >> 8)};
    const bool is_nul = is_wide ? (word & 0xffff) == 0 : (word & 0xff) == 0;
    const struct annot__pix_text text = {bytes, is_nul ? 0 : 1, is_wide};
    put_padded(f, s, &text, 1);
}

/* ---- the format ---- */

/* Returns the format's unit at `i` as ASCII, or 0 at the end and for other characters. */
static char ascii_at(const struct annot__pix_text *format, size_t i)
{
    const uint32_t unit = i < format->units ? annot__pix_unit(format, i) : 0;
    return unit < 0x80 ? (char)unit : '\0';
}

static bool is_in(const char *set, char c)
{
    return c && strchr(set, c);
}

static bool set_flag(struct spec *s, char c)
{
    s->left |= c == '-';
    s->plus |= c == '+';
    s->space |= c == ' ';
    s->alternate |= c == '#';
    s->zero |= c == '0';
    return is_in("-+ #0", c);
}

/* Reads a width or a precision: digits, or an argument for `*`. */
static size_t parse_number(struct formatter *f, const struct annot__pix_text *format, size_t i,
                           int64_t *number)
{
    if (ascii_at(format, i) == '*') {
        const uint32_t word = (uint32_t)next_word(f);
        *number = word < 0x80000000u ? (int64_t)word : (int64_t)word - 0x100000000;
        return i + 1;
    }
    *number = 0;
    for (char c; c = ascii_at(format, i), c >= '0' && c <= '9'; i++) {
        *number = *number * 10 + (c - '0');
        if (*number > NUMBER_MAX)
            *number = NUMBER_MAX;
    }
    return i;
}

static size_t parse_length(const struct annot__pix_text *format, size_t i, enum length *out)
{
    const char c = ascii_at(format, i);
    const char next = ascii_at(format, i + 1);
    switch (c) {
    case 'h':
        *out = next == 'h' ? LENGTH_HH : LENGTH_H;
        return next == 'h' ? i + 2 : i + 1;
    case 'l':
        *out = next == 'l' ? LENGTH_64 : LENGTH_L;
        return next == 'l' ? i + 2 : i + 1;
    case 'I':
        if (next == '3' && ascii_at(format, i + 2) == '2')
            return i + 3;
        *out = LENGTH_64;
        return next == '6' && ascii_at(format, i + 2) == '4' ? i + 3 : i + 1;
    case 'w':
        *out = LENGTH_L;
        return i + 1;
    case 'L':
        return i + 1;
    case 'z':
    case 'j':
    case 't':
        *out = LENGTH_64;
        return i + 1;
    default:
        return i;
    }
}

/* Parses a conversion behind a percent sign at `i`. Returns the index of the conversion
 * character. */
static size_t parse_spec(struct formatter *f, const struct annot__pix_text *format, size_t i,
                         struct spec *s)
{
    *s = (struct spec){.length = LENGTH_NONE};
    int64_t number;
    while (set_flag(s, ascii_at(format, i)))
        i++;
    i = parse_number(f, format, i, &number);
    if (number < 0) {
        s->left = true;
        number = -number;
    }
    s->width = (uint32_t)number;
    if (ascii_at(format, i) == '.') {
        i = parse_number(f, format, i + 1, &number);
        s->has_precision = number >= 0;
        s->precision = (uint32_t)number; /* has no meaning without a precision */
    }
    i = parse_length(format, i, &s->length);
    s->conversion = ascii_at(format, i);
    return i;
}

/* Writes a conversion. Returns false, and writes nothing, if the conversion is unknown. */
static bool convert(struct formatter *f, const struct spec *s)
{
    if (is_in("diuoxX", s->conversion)) {
        put_integer(f, s);
    } else if (is_in("cC", s->conversion)) {
        put_character(f, s);
    } else if (is_in("sS", s->conversion)) {
        put_string(f, s);
    } else if (is_in("eEfFgGaA", s->conversion)) {
        put_float(f, s);
    } else if (s->conversion == 'p') {
        put_pointer(f, s);
    } else if (s->conversion == 'n') {
        next_word(f);
        f->out->flags |= ANNOT_PIX_FORMAT_HAS_N;
    } else if (s->conversion == '%') {
        annot__pix_out_bytes(f->out, "%", 1);
    } else {
        return false;
    }
    return true;
}

static size_t find_percent(const struct annot__pix_text *format, size_t i)
{
    while (i < format->units && annot__pix_unit(format, i) != '%')
        i++;
    return i;
}

void annot__pix_interpret(struct annot__pix_out *out, struct annot__pix_reader *reader,
                          const struct annot__pix_text *format)
{
    struct formatter f = {out, reader, 0, format->is_wide};
    for (size_t i = 0;;) {
        const size_t percent = find_percent(format, i);
        const struct annot__pix_text literal = annot__pix_slice(format, i, percent);
        annot__pix_out_text(out, &literal);
        if (percent == format->units)
            break;
        const struct formatter before = f;
        const size_t at = reader->at;
        struct spec s;
        i = parse_spec(&f, format, percent + 1, &s);
        if (convert(&f, &s)) {
            i++;
            continue;
        }
        /* An unknown conversion is shown unchanged, and its stars take no arguments. `i` is past
         * the percent sign, so the loop ends. */
        const struct annot__pix_text verbatim = annot__pix_slice(format, percent, i);
        annot__pix_out_text(out, &verbatim);
        out->flags |= ANNOT_PIX_FORMAT_INVALID;
        f = before;
        reader->at = at;
    }
}
