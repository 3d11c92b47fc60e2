/*
 * From a description to a blob. Events are cut as the reference cuts them: no step looks ahead,
 * every step writes while the next word is before the limit, and a string copy that has begun goes
 * on a chunk at a time until it has copied the NUL or reached the limit.
 *
 *     limit 496:  ... | info | chars | chars | chars |          no NUL: cut
 *                                                    ^ 496      an 8-byte copy ends here
 *                 ... | info | chars   chars | chars   chars |
 *                                                    ^ 496   ^ 504: a 16-byte copy may end here
 */
#include <annot/pix.h>

#include <string.h>

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "arguments are IEEE 754");

/* ---- characters ---- */

struct source {
    const char *str; /* one of the three is set */
    const uint16_t *wstr;
    const wchar_t *wchars;
    uint16_t low_surrogate; /* owed, when wchar_t is wider than UTF-16 */
};

/* The next UTF-16 unit of a wchar_t string. A number that is no character is passed on cut to 16
 * bits or as U+FFFD. */
static uint16_t next_wchar(struct source *s)
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

/* The next word of characters, zeros from the NUL on; *goes_on becomes false when the NUL is in
 * it. */
static uint64_t next_chars(struct source *s, bool *goes_on)
{
    const unsigned bits = s->str ? 8 : 16;
    uint64_t word = 0;
    for (unsigned shift = 0; shift < 64; shift += bits) {
        const uint64_t unit = s->str    ? (unsigned char)*s->str++
                              : s->wstr ? *s->wstr++
                                        : next_wchar(s);
        if (unit == 0) {
            *goes_on = false;
            return word;
        }
        word |= unit << shift;
    }
    return word;
}

static uint64_t *copy_chars(uint64_t *at, uint64_t *limit, struct source s, uint32_t chunk)
{
    bool goes_on = true;
    while (goes_on && at < limit) {
        *at++ = annot__pix_le64(next_chars(&s, &goes_on));
        if (chunk == 16)
            *at++ = goes_on ? annot__pix_le64(next_chars(&s, &goes_on)) : 0;
    }
    return at;
}

/* An info word and characters, or a zero word for NULL. */
static uint64_t *put_string(uint64_t *at, uint64_t *limit, struct source s, uint32_t chunk)
{
    if (!s.str && !s.wstr && !s.wchars)
        return annot__pix_put_u64(at, limit, 0);
    if (at < limit) {
        *at++ = annot__pix_le64(ANNOT__PIX_INFO_CHUNK(chunk) | (s.str ? ANNOT__PIX_INFO_8BIT : 0));
        at = copy_chars(at, limit, s, chunk);
    }
    return at;
}

/* Characters without an info word; NULL is an empty string. */
static uint64_t *put_chars(uint64_t *at, uint64_t *limit, struct source s)
{
    if (!s.str && !s.wstr && !s.wchars)
        return annot__pix_put_u64(at, limit, 0);
    return copy_chars(at, limit, s, 8);
}

/* 8-bit strings outside descriptions are the common case of the macros: whole words at a time. */
static uint64_t *copy_str(uint64_t *at, uint64_t *limit, const char *text)
{
    const size_t room = (size_t)(limit - at) * 8;
    const char *const nul = memchr(text, 0, room);
    if (!nul) {
        memcpy(at, text, room);
        return at + room / 8;
    }
    const size_t length = (size_t)(nul - text);
    at[length / 8] = 0;
    memcpy(at, text, length);
    return at + length / 8 + 1;
}

uint64_t *annot_pix_put_str(uint64_t *at, uint64_t *limit, const char *text)
{
    if (!text)
        return annot__pix_put_u64(at, limit, 0);
    if (at >= limit)
        return at;
    *at++ = annot__pix_le64(ANNOT__PIX_INFO_CHUNK(8) | ANNOT__PIX_INFO_8BIT);
    return copy_str(at, limit, text);
}

uint64_t *annot_pix_chars_str(uint64_t *at, uint64_t *limit, const char *text)
{
    if (!text)
        return annot__pix_put_u64(at, limit, 0);
    return at < limit ? copy_str(at, limit, text) : at;
}

uint64_t *annot_pix_put_wstr(uint64_t *at, uint64_t *limit, const uint16_t *text)
{
    return put_string(at, limit, (struct source){.wstr = text}, 8);
}

uint64_t *annot_pix_chars_wstr(uint64_t *at, uint64_t *limit, const uint16_t *text)
{
    return put_chars(at, limit, (struct source){.wstr = text});
}

uint64_t *annot_pix_put_wchars(uint64_t *at, uint64_t *limit, const wchar_t *text)
{
    return put_string(at, limit, (struct source){.wchars = text}, 8);
}

uint64_t *annot_pix_chars_wchars(uint64_t *at, uint64_t *limit, const wchar_t *text)
{
    return put_chars(at, limit, (struct source){.wchars = text});
}

/* ---- descriptions ---- */

static struct source source_of(const annot_pix_arg *arg)
{
    switch (arg->type) {
    case ANNOT_PIX_STR:
        return (struct source){.str = arg->value.str};
    case ANNOT_PIX_WSTR:
        return (struct source){.wstr = arg->value.wstr};
    default:
        return (struct source){.wchars = arg->value.wchars};
    }
}

static uint64_t *put_arg(uint64_t *at, uint64_t *limit, const annot_pix_arg *arg, uint32_t chunk)
{
    switch (arg->type) {
    case ANNOT_PIX_I32:
        return annot__pix_put_i64(at, limit, arg->value.i32);
    case ANNOT_PIX_U32:
        return annot__pix_put_u64(at, limit, arg->value.u32);
    case ANNOT_PIX_I64:
        return annot__pix_put_i64(at, limit, arg->value.i64);
    case ANNOT_PIX_U64:
        return annot__pix_put_u64(at, limit, arg->value.u64);
    case ANNOT_PIX_F32:
        return annot__pix_put_f64(at, limit, (double)arg->value.f32);
    case ANNOT_PIX_F64:
        return annot__pix_put_f64(at, limit, arg->value.f64);
    case ANNOT_PIX_CHAR:
        return annot__pix_put_i64(at, limit, arg->value.c);
    case ANNOT_PIX_BOOL:
        return annot__pix_put_u64(at, limit, arg->value.b);
    case ANNOT_PIX_PTR:
        return annot__pix_put_ptr(at, limit, arg->value.ptr);
    case ANNOT_PIX_STR:
    case ANNOT_PIX_WSTR:
    case ANNOT_PIX_WCHARS:
        return put_string(at, limit, source_of(arg), chunk);
    }
    return at;
}

static uint32_t chunk_of(const annot_pix_desc *desc, const annot_pix_arg *arg)
{
    return desc->version == ANNOT_PIX_V1 && arg->chunk == 16 ? 16 : 8;
}

static bool is_sound(const annot_pix_desc *desc)
{
    const annot_pix_type text = desc->format.type;
    return (desc->version == ANNOT_PIX_V1 || desc->version == ANNOT_PIX_V2) &&
           (desc->kind == ANNOT_PIX_KIND_BEGIN || desc->kind == ANNOT_PIX_KIND_MARKER) &&
           (text == ANNOT_PIX_STR || text == ANNOT_PIX_WSTR || text == ANNOT_PIX_WCHARS) &&
           desc->arg_count <= ANNOT_PIX_ARG_MAX &&
           (desc->limit == 0 || (desc->limit % 8 == 0 && desc->limit >= 32 &&
                                 desc->limit <= ANNOT_PIX_ENCODE_LIMIT_MAX));
}

size_t annot_pix_encode(const annot_pix_desc *desc, void *blob, size_t capacity)
{
    if (!is_sound(desc))
        return 0;
    uint64_t words[ANNOT_PIX_ENCODE_LIMIT_MAX / 8 + 1];
    uint64_t *const limit = words + (desc->limit ? desc->limit / 8 : (size_t)ANNOT_PIX_LIMIT_WORDS);
    const annot__pix_color color = {desc->color, desc->color_kind == ANNOT_PIX_COLOR_KIND_INDEX};
    uint64_t *at = annot__pix_head(words, desc->version, desc->kind, color,
                                   desc->color_kind != ANNOT_PIX_COLOR_KIND_NONE, desc->has_context,
                                   desc->context, desc->arg_count > 0,
                                   desc->format.type == ANNOT_PIX_STR, desc->timestamp);
    if (desc->version == ANNOT_PIX_V2)
        at = put_chars(at, limit, source_of(&desc->format));
    else
        at = put_string(at, limit, source_of(&desc->format), chunk_of(desc, &desc->format));
    for (size_t i = 0; i < desc->arg_count; i++)
        at = put_arg(at, limit, &desc->args[i], chunk_of(desc, &desc->args[i]));
    const size_t size = annot__pix_finish(words, at, desc->version);
    if (size <= capacity)
        memcpy(blob, words, size);
    return size;
}
