/* The encoder on descriptions [ANN-PIX-02]. The corpus is run by pix_golden.sh; here are limits and
 * cuts. */
#include "asserts.h"
#include "pix_blob.h"

#include <wchar.h>

static annot_pix_desc describe(annot_pix_version version, const char *format)
{
    annot_pix_desc desc = {.version = version, .kind = ANNOT_PIX_KIND_BEGIN};
    desc.color_kind = ANNOT_PIX_COLOR_KIND_ARGB;
    desc.color = ANNOT_PIX_COLOR(0x11, 0x22, 0x33);
    desc.format.type = ANNOT_PIX_STR;
    desc.format.value.str = format;
    return desc;
}

static struct blob encode(const annot_pix_desc *desc)
{
    struct blob b = {{0}, 0};
    b.size = annot_pix_encode(desc, b.bytes, sizeof b.bytes);
    return b;
}

static uint64_t word_at(const struct blob *b, size_t index)
{
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++)
        word |= (uint64_t)b->bytes[8 * index + i] << 8 * i;
    return word;
}

/* Numbers of a wchar_t string at each border of UTF-16. */
Test(pix_encode, characters_of_wchar_t_become_utf16)
{
    static const struct {
        uint32_t character;
        uint32_t units;
    } rows[] = {{1, 1},
                {0xd7ff, 0xd7ff},
                {0xe000, 0xe000},
                {0xfffd, 0xfffd},
                {0xffff, 0xffff},
                {0x10000, 0xdc00d800},
                {0x10001, 0xdc01d800},
                {0x103ff, 0xdfffd800},
                {0x10400, 0xdc00d801},
                {0x10ffff, 0xdfffdbff},
                {0x110000, 0xfffd},
                {0x7fffffff, 0xfffd}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows && sizeof(wchar_t) == 4; i++) {
        const wchar_t text[] = {(wchar_t)rows[i].character, 0};
        annot_pix_desc desc = describe(ANNOT_PIX_V1, "");
        const annot_pix_arg arg = {ANNOT_PIX_WCHARS, 0, {.wchars = text}};
        desc.args = &arg;
        desc.arg_count = 1;
        const struct blob b = encode(&desc);
        cr_expect_eq(word_at(&b, 5), rows[i].units, "U+%X: %llx", rows[i].character,
                     (unsigned long long)word_at(&b, 5));
    }
}

/* From the golden rows: 472 characters fill a v1 event to its limit, 16-byte copies may go 8 bytes
 * further. */
Test(pix_encode, strings_are_cut_at_the_limit)
{
    static const struct {
        annot_pix_version version;
        uint32_t chunk;
        size_t length, size, kept;
    } rows[] = {
        {ANNOT_PIX_V1, 8, 471, 496, 471},  {ANNOT_PIX_V1, 8, 472, 496, 472},
        {ANNOT_PIX_V1, 8, 600, 496, 472},  {ANNOT_PIX_V1, 16, 471, 504, 471},
        {ANNOT_PIX_V1, 16, 479, 504, 479}, {ANNOT_PIX_V1, 16, 480, 504, 480},
        {ANNOT_PIX_V1, 16, 600, 504, 480}, {ANNOT_PIX_V2, 8, 479, 496, 479},
        {ANNOT_PIX_V2, 8, 480, 496, 480},  {ANNOT_PIX_V2, 16, 600, 496, 480},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[601] = "";
        memset(text, 'x', rows[i].length);
        annot_pix_desc desc = describe(rows[i].version, text);
        desc.format.chunk = rows[i].chunk;
        const struct blob b = encode(&desc);
        const struct decoded d = decode_bytes(annot_pix_metadata(rows[i].version), b.bytes, b.size);
        cr_expect_eq(b.size, rows[i].size, "row %zu: %zu", i, b.size);
        cr_expect_eq(d.event.name_length, rows[i].kept, "row %zu: %zu", i, d.event.name_length);
        const size_t header = rows[i].version == ANNOT_PIX_V1 ? 24 : 16;
        const bool has_nul = rows[i].kept == rows[i].length && header + rows[i].length < b.size;
        cr_expect_eq((d.event.flags & ANNOT_PIX_TRUNCATED) == 0, has_nul, "row %zu", i);
    }
}

Test(pix_encode, what_starts_past_the_limit_is_left_out)
{
    char text[480] = "";
    memset(text, 'x', 471);
    const annot_pix_arg args[] = {{ANNOT_PIX_I32, 0, {.i32 = 5}},
                                  {ANNOT_PIX_STR, 0, {.str = "gone"}}};
    annot_pix_desc desc = describe(ANNOT_PIX_V1, text);
    desc.args = args;
    desc.arg_count = 2;
    cr_expect_eq(encode(&desc).size, 496u);
    text[463] = '\0'; /* room for one word more */
    cr_expect_eq(encode(&desc).size, 496u);
    desc.args = &args[1]; /* which an info word takes, leaving no character */
    desc.arg_count = 1;
    const struct blob b = encode(&desc);
    cr_expect_eq(b.size, 496u);
    cr_expect_eq(word_at(&b, 61), INFO_8BIT);
}

Test(pix_encode, nothing_behind_the_source_leaks)
{
    static const char source[16] = "ab\0secret";
    annot_pix_desc desc = describe(ANNOT_PIX_V1, source);
    desc.format.chunk = 16;
    const struct blob b = encode(&desc);
    cr_assert_eq(b.size, 40u);
    cr_expect_eq(word_at(&b, 3), (uint64_t)('a' | 'b' << 8));
    cr_expect_eq(word_at(&b, 4), 0u);
}

Test(pix_encode, too_small_a_buffer_is_left_alone)
{
    uint8_t bytes[40];
    memset(bytes, 0xee, sizeof bytes);
    const annot_pix_desc desc = describe(ANNOT_PIX_V1, "12345678");
    cr_expect_eq(annot_pix_encode(&desc, NULL, 0), 40u);
    cr_expect_eq(annot_pix_encode(&desc, bytes, 39), 40u);
    for (size_t i = 0; i < sizeof bytes; i++)
        cr_expect_eq(bytes[i], 0xee);
    cr_expect_eq(annot_pix_encode(&desc, bytes, 40), 40u);
    cr_expect_eq(bytes[39], 0);
}

Test(pix_encode, v2_of_the_largest_limit_counts_its_words)
{
    static char text[2001];
    memset(text, 'x', 2000);
    const annot_pix_arg args[] = {{ANNOT_PIX_STR, 16, {.str = text}}};
    annot_pix_desc desc = describe(ANNOT_PIX_V2, text);
    desc.limit = ANNOT_PIX_ENCODE_LIMIT_MAX;
    struct blob b = encode(&desc);
    cr_expect_eq(b.size, 1008u);
    cr_expect_eq(b.bytes[0] & 0x7f, 126);
    desc.version = ANNOT_PIX_V1;
    desc.format.value.str = "%s";
    desc.args = args;
    desc.arg_count = 1;
    b = encode(&desc);
    cr_expect_leq(b.size, 1016u);
}

Test(pix_encode, steps_write_nothing_at_the_limit_or_past_it)
{
    uint64_t words[3] = {0x5555, 0x5555, 0x5555}, *at = words + 1;
    for (int past = 0; past < 2; past++) {
        uint64_t *limit = at - past;
        cr_expect_eq(annot_pix_put_str(at, limit, "x"), at);
        cr_expect_eq(annot_pix_put_str(at, limit, NULL), at);
        cr_expect_eq(annot_pix_put_wstr(at, limit, u"x"), at);
        cr_expect_eq(annot_pix_put_wchars(at, limit, L"x"), at);
        cr_expect_eq(annot_pix_chars_str(at, limit, "x"), at);
        cr_expect_eq(annot_pix_chars_wstr(at, limit, u"x"), at);
        cr_expect_eq(annot_pix_chars_wchars(at, limit, NULL), at);
        cr_expect_eq(at[0], 0x5555u, "%d past", past);
    }
    cr_expect_eq(annot_pix_put_str(at, at + 1, "x"), at + 1); /* the info word alone */
    cr_expect_eq(at[1], 0x5555u);
}

/* annot/pix.h: a description outside its enumerations and limits has no blob. */
Test(pix_encode, what_is_no_description_has_no_blob)
{
    const annot_pix_desc sound = describe(ANNOT_PIX_V2, "x");
    cr_assert_gt(encode(&sound).size, 0);
    annot_pix_desc odd[9];
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        odd[i] = sound;
    odd[0].version = (annot_pix_version)77;
    odd[1].kind = (annot_pix_kind)77;
    odd[2].format.type = ANNOT_PIX_I32;
    odd[3].format.type = (annot_pix_type)77;
    odd[4].arg_count = ANNOT_PIX_ARG_MAX + 1;
    odd[5].limit = 31;
    odd[6].limit = 24;
    odd[7].limit = 33;
    odd[8].limit = ANNOT_PIX_ENCODE_LIMIT_MAX + 8;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        cr_expect_eq(encode(&odd[i]).size, 0, "%zu", i);
    annot_pix_desc strange = sound;
    const annot_pix_arg unknown = {.type = (annot_pix_type)77};
    strange.args = &unknown;
    strange.arg_count = 1;
    cr_expect_eq(encode(&strange).size, encode(&sound).size, "an unknown argument is left out");
    strange = sound;
    strange.kind = ANNOT_PIX_KIND_MARKER;
    strange.format.type = ANNOT_PIX_WCHARS;
    strange.format.value.wchars = L"x";
    strange.limit = ANNOT_PIX_ENCODE_LIMIT_MAX;
    cr_expect_gt(encode(&strange).size, 0);
}

/* Arguments past the limit are not written, whatever their type. */
Test(pix_encode, arguments_stop_at_the_limit)
{
    for (int type = ANNOT_PIX_I32; type <= ANNOT_PIX_WCHARS; type++) {
        annot_pix_arg args[ANNOT_PIX_ARG_MAX] = {{0}};
        annot_pix_desc desc = describe(ANNOT_PIX_V1, "x");
        for (size_t i = 0; i < ANNOT_PIX_ARG_MAX; i++)
            args[i].type = (annot_pix_type)type;
        desc.args = args;
        desc.arg_count = ANNOT_PIX_ARG_MAX;
        desc.limit = 64;
        const struct blob b = encode(&desc);
        cr_expect_gt(b.size, 32, "type %d", type);
        cr_expect_leq(b.size, 64 + 8, "type %d", type);
    }
}

/* ---- all steps against a model of words ---- */

struct words {
    uint64_t at[ANNOT_PIX_ENCODE_LIMIT_MAX / 8 + 2];
    size_t count, limit;
};

static void put_word(struct words *w, uint64_t word)
{
    if (w->count < w->limit)
        w->at[w->count++] = word;
}

/* Units of 8 or 16 bits; NULL is a zero word. As many words as hold the NUL, or up to the limit,
 * which is looked at once a chunk. */
static void put_units(struct words *w, const uint16_t *units, unsigned bits, bool has_info,
                      uint32_t chunk)
{
    size_t length = 0;
    if (!units) {
        put_word(w, 0);
        return;
    }
    if (has_info && w->count >= w->limit)
        return;
    if (has_info)
        put_word(w, (uint64_t)chunk << 55 | (bits == 8 ? (uint64_t)1 << 54 : 0));
    while (units[length])
        length++;
    const size_t in_word = 64 / bits, words = length / in_word + 1;
    for (size_t i = 0; i < words && w->count < w->limit; i += chunk / 8)
        for (size_t k = i; k < i + chunk / 8; k++) {
            uint64_t word = 0;
            for (size_t u = 0; u < in_word && k * in_word + u < length; u++)
                word |= (uint64_t)units[k * in_word + u] << u * bits;
            w->at[w->count++] = word;
        }
}

static void expect_words(const struct words *expected, const uint64_t *found, size_t count,
                         const char *what, size_t length)
{
    cr_assert_eq(count, expected->count, "%s of %zu units in %zu words: %zu", what, length,
                 expected->limit, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t word = 0;
        for (unsigned k = 0; k < 8; k++)
            word |= (uint64_t)((const uint8_t *)&found[i])[k] << 8 * k;
        cr_assert_eq(word, expected->at[i], "%s of %zu units: word %zu", what, length, i);
    }
}

/* Texts of every length in every room, with and without an info word; nothing is written behind the
 * limit. */
Test(pix_encode, every_step_writes_as_far_as_there_is_room)
{
    enum { LONGEST = 26, ROOM = 9, NONE = LONGEST + 1 };
    typedef uint64_t *step_str(uint64_t *, uint64_t *, const char *);
    typedef uint64_t *step_wstr(uint64_t *, uint64_t *, const uint16_t *);
    typedef uint64_t *step_wchars(uint64_t *, uint64_t *, const wchar_t *);
    static step_str *const strs[] = {annot_pix_chars_str, annot_pix_put_str};
    static step_wstr *const wstrs[] = {annot_pix_chars_wstr, annot_pix_put_wstr};
    static step_wchars *const wchars[] = {annot_pix_chars_wchars, annot_pix_put_wchars};
    static const char *const names[] = {"str", "wstr", "wchars"};
    for (size_t length = 0; length <= NONE; length++)
        for (size_t room = 0; room <= ROOM; room++)
            for (int step = 0; step < 6; step++) {
                uint16_t units[LONGEST + 1] = {0}, wide[LONGEST + 1] = {0};
                char narrow[LONGEST + 1] = "";
                wchar_t characters[LONGEST + 1] = {0};
                uint64_t words[ROOM + 2];
                const bool has_info = step % 2, is_none = length == NONE;
                for (size_t i = 0; i < length && !is_none; i++) {
                    units[i] = (uint16_t)(step < 2 ? 0xe0 - i : 0xff01 + i);
                    narrow[i] = (char)units[i];
                    wide[i] = units[i];
                    characters[i] = (wchar_t)units[i];
                }
                struct words expected = {.limit = room};
                put_units(&expected, is_none ? NULL : units, step < 2 ? 8 : 16, has_info, 8);
                memset(words, 0x5a, sizeof words);
                uint64_t *const end =
                    step < 2   ? strs[has_info](words, words + room, is_none ? NULL : narrow)
                    : step < 4 ? wstrs[has_info](words, words + room, is_none ? NULL : wide)
                               : wchars[has_info](words, words + room, is_none ? NULL : characters);
                expect_words(&expected, words, (size_t)(end - words), names[step / 2], length);
                for (size_t i = room; i < ROOM + 2; i++)
                    cr_assert_eq(words[i], 0x5a5a5a5a5a5a5a5au, "%s behind the limit",
                                 names[step / 2]);
            }
}

/* Whole events at every limit: header, name and arguments of all kinds, in both chunks. */
Test(pix_encode, events_are_cut_at_every_limit)
{
    static const uint16_t name[] = {'n', 'a', 'm', 'e', ' ', 'o', 'f', ' ', '%', 's', '%', 'd', 0};
    static const uint16_t text[] = {'s', 'i', 'x', 't', 'e', 'e', 'n', ' ', 'u',
                                    'n', 'i', 't', 's', ' ', 'i', 's', 0};
    char narrow_name[16] = "", narrow_text[20] = "";
    wchar_t wide_name[16] = {0};
    for (size_t i = 0; name[i]; i++)
        narrow_name[i] = (char)name[i], wide_name[i] = (wchar_t)name[i];
    for (size_t i = 0; text[i]; i++)
        narrow_text[i] = (char)text[i];
    for (uint32_t limit = 24; limit <= ANNOT_PIX_ENCODE_LIMIT_MAX + 8; limit += 4)
        for (int shape = 0; shape < 24; shape++) {
            const annot_pix_version version = shape % 2 ? ANNOT_PIX_V2 : ANNOT_PIX_V1;
            const uint32_t chunk = shape / 2 % 2 ? 16 : 8,
                           kept = version == ANNOT_PIX_V1 ? chunk : 8;
            const annot_pix_arg names[] = {{ANNOT_PIX_STR, chunk, {.str = narrow_name}},
                                           {ANNOT_PIX_WSTR, chunk, {.wstr = name}},
                                           {ANNOT_PIX_WCHARS, chunk, {.wchars = wide_name}}};
            const annot_pix_arg args[] = {{ANNOT_PIX_STR, chunk, {.str = narrow_text}},
                                          {ANNOT_PIX_I32, 0, {.i32 = -2}},
                                          {ANNOT_PIX_WSTR, chunk, {.wstr = text}},
                                          {ANNOT_PIX_U64, 0, {.u64 = 0x0123456789abcdef}},
                                          {ANNOT_PIX_STR, chunk, {.str = NULL}},
                                          {ANNOT_PIX_STR, chunk, {.str = narrow_text}},
                                          {ANNOT_PIX_WSTR, chunk, {.wstr = text}}};
            annot_pix_desc desc = describe(version, NULL);
            struct words expected = {.limit = limit / 8};
            struct blob found = {{0}, 0};
            desc.format = names[shape / 4 % 3];
            desc.args = args;
            desc.arg_count = shape / 12 ? 7 : 0;
            desc.limit = limit;
            desc.has_context = true;
            desc.context = 42;
            found.size = annot_pix_encode(&desc, found.bytes, sizeof found.bytes);
            if (limit % 8 != 0 || limit < 32 || limit > ANNOT_PIX_ENCODE_LIMIT_MAX) {
                cr_assert_eq(found.size, 0, "limit %u", limit);
                continue;
            }
            put_word(&expected, word_at(&found, 0)); /* the header has tests of its own */
            if (version == ANNOT_PIX_V2)
                cr_assert_eq(word_at(&found, 0) & 0x7f, found.size / 8);
            put_word(&expected, 0xff112233);
            put_word(&expected, 42);
            put_units(&expected, name, desc.format.type == ANNOT_PIX_STR ? 8 : 16,
                      version == ANNOT_PIX_V1, kept);
            for (size_t i = 0; i < desc.arg_count; i++)
                switch (args[i].type) {
                case ANNOT_PIX_STR:
                    put_units(&expected, args[i].value.str ? text : NULL, 8, true, kept);
                    break;
                case ANNOT_PIX_WSTR:
                    put_units(&expected, text, 16, true, kept);
                    break;
                case ANNOT_PIX_I32:
                    put_word(&expected, (uint64_t)-2);
                    break;
                default:
                    put_word(&expected, args[i].value.u64);
                    break;
                }
            cr_assert_eq(found.size, expected.count * 8, "limit %u, shape %d: %zu", limit, shape,
                         found.size);
            for (size_t i = 0; i < expected.count; i++)
                cr_assert_eq(word_at(&found, i), expected.at[i], "limit %u, shape %d: word %zu",
                             limit, shape, i);
        }
}
