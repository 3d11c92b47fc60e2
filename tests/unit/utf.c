/* Any text becomes valid UTF-8, one U+FFFD per maximal ill-formed part [ANN-NAME-05; Unicode 15,
 * 3.9 D92 and the practice "substitution of maximal subparts"]. */
#include "unit_kit.h"
#include "base/utf.h"

#define FFFD "\xEF\xBF\xBD"

static const struct {
    const char *in, *out;
} utf8_rows[] = {
    {"", ""},
    {"plain", "plain"},
    {"\x7F\xC2\x80\xDF\xBF", "\x7F\xC2\x80\xDF\xBF"},
    {"\xE0\xA0\x80\xEF\xBF\xBF", "\xE0\xA0\x80\xEF\xBF\xBF"},
    {"\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
    {"\x80", FFFD},
    {"\xBF\x80", FFFD FFFD},
    {"\xC0\x80", FFFD FFFD},          /* overlong NUL */
    {"\xC1\xBF", FFFD FFFD},          /* overlong DEL */
    {"\xE0\x80\xAF", FFFD FFFD FFFD}, /* overlong slash */
    {"\xE0\x9F\xBF", FFFD FFFD FFFD}, /* overlong U+07FF */
    {"\xF0\x8F\xBF\xBF", FFFD FFFD FFFD FFFD},
    {"\xED\x9F\xBF", "\xED\x9F\xBF"}, /* U+D7FF */
    {"\xED\xA0\x80", FFFD FFFD FFFD}, /* U+D800 */
    {"\xED\xBF\xBF", FFFD FFFD FFFD}, /* U+DFFF */
    {"\xF4\x90\x80\x80", FFFD FFFD FFFD FFFD},
    {"\xF5\x80\x80\x80", FFFD FFFD FFFD FFFD},
    {"\xFE\xFF", FFFD FFFD},
    {"\xC3", FFFD},
    {"\xC3(", FFFD "("},
    {"\xC3\x7F", FFFD "\x7F"},
    {"\xC3\xC0", FFFD FFFD},
    {"\xE2\x82\xC0", FFFD FFFD},
    {"\xE2\x82\x7F", FFFD "\x7F"},
    {"\xE2\x82", FFFD},
    {"\xE2\x82(", FFFD "("},
    {"\xF0\x9F\x98", FFFD},
    {"\xF0\x9F\x98z", FFFD "z"},
    {"\xF0\x9Fz", FFFD "z"},
    {"\xE2\xE2\x82\xAC", FFFD "\xE2\x82\xAC"},
    /* The standard's own example, table 3-8. */
    {"\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64",
     "a" FFFD FFFD FFFD "b" FFFD "c" FFFD FFFD "d"},
};

Test(utf, ill_formed_utf8_is_replaced_by_maximal_parts)
{
    for (size_t i = 0; i < sizeof utf8_rows / sizeof *utf8_rows; i++) {
        char out[64] = {0};
        size_t size = annot__utf8_from(out, sizeof out, utf8_rows[i].in, strlen(utf8_rows[i].in),
                                       ANNOT_TEXT_UTF8);
        cr_expect_eq(size, strlen(utf8_rows[i].out), "row %zu", i);
        cr_expect_str_eq(out, utf8_rows[i].out, "row %zu", i);
    }
    char out[8] = {0};
    cr_expect_eq(annot__utf8_from(out, sizeof out, "\xC3\xA9", 1, ANNOT_TEXT_UTF8), 3);
    cr_expect_str_eq(out, FFFD, "what lies behind the text is no part of it");
}

/* A high surrogate and a low one behind it are a character; every other one is none. */
Test(utf, surrogates_pair_high_with_low)
{
    static const uint16_t units[] = {0xD7FF, 0xD800, 0xD801, 0xDBFF,
                                     0xDC00, 0xDC01, 0xDFFF, 0xE000};
    for (size_t i = 0; i < 8; i++)
        for (size_t k = 0; k < 8; k++) {
            const uint16_t text[] = {units[i], units[k]};
            char out[16] = {0}, expected[16] = {0};
            unsigned size = 0;
            const bool is_pair = units[i] >= 0xD800 && units[i] <= 0xDBFF && units[k] >= 0xDC00 &&
                                 units[k] <= 0xDFFF;
            if (is_pair) {
                size = annot__utf8_encode(expected, 0x10000 + (units[i] - 0xD800u) * 0x400 +
                                                        (units[k] - 0xDC00u));
            } else {
                for (size_t n = 0; n < 2; n++)
                    size += annot__utf8_encode(expected + size,
                                               annot__is_surrogate(text[n]) ? 0xFFFD : text[n]);
            }
            cr_expect_eq(annot__utf8_from(out, sizeof out, text, 2, ANNOT_TEXT_UTF16), size);
            cr_expect_str_eq(out, expected, "%04X %04X", text[0], text[1]);
        }
}

/* In UTF-32 no two units are one character, surrogates or not. */
Test(utf, units_of_32_bits_are_a_character_each)
{
    static const uint32_t text[] = {0xD800, 0xDC00, 0x10FFFF, 0x110000, 'a', 0xE9};
    char out[32] = {0};
    annot__utf8_from(out, sizeof out, text, 6, ANNOT_TEXT_UTF32);
    cr_expect_str_eq(out, FFFD FFFD "\xF4\x8F\xBF\xBF" FFFD "a\xC3\xA9");
}

Test(utf, characters_become_units_of_16_and_32_bits)
{
    static const uint32_t points[] = {'a', 0x7F, 0x80, 0xFFFF, 0x10000, 0x103FF, 0x10400, 0x10FFFF};
    enum { POINTS = sizeof points / sizeof *points };
    char text[4 * POINTS + 1];
    uint16_t expected[2 * POINTS], halves[2 * POINTS + 1];
    uint32_t words[POINTS + 1];
    size_t size = 0, units = 0;
    for (size_t i = 0; i < POINTS; i++) {
        size += annot__utf8_encode(text + size, points[i]);
        if (points[i] >= 0x10000)
            expected[units++] = (uint16_t)(0xD800 + (points[i] - 0x10000) / 0x400);
        expected[units++] =
            (uint16_t)(points[i] < 0x10000 ? points[i] : 0xDC00 + points[i] % 0x400);
    }
    memset(halves, 0x77, sizeof halves);
    memset(words, 0x77, sizeof words);
    cr_expect_eq(annot__utf8_to(NULL, ANNOT_TEXT_UTF16, text, size), units);
    cr_expect_eq(annot__utf8_to(halves, ANNOT_TEXT_UTF16, text, size), units);
    cr_expect_eq(memcmp(halves, expected, units * 2), 0);
    cr_expect_eq(halves[units], 0x7777);
    cr_expect_eq(annot__utf8_to(NULL, ANNOT_TEXT_UTF32, text, size), (size_t)POINTS);
    cr_expect_eq(annot__utf8_to(words, ANNOT_TEXT_UTF32, text, size), (size_t)POINTS);
    cr_expect_eq(memcmp(words, points, sizeof points), 0);
    cr_expect_eq(words[POINTS], 0x77777777u);
}

/* Characters with the first and last lead byte of each length, whole and cut. */
Test(utf, a_prefix_ends_at_a_characters_border)
{
    static const uint32_t points[] = {0x7F,   0x80,   0x7FF,   0x800,   0xFFF,
                                      0x1000, 0xFFFD, 0x10000, 0x10FFFF};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        char text[10] = "\xF0"; /* before the text */
        const size_t size = annot__utf8_encode(text + 1, points[i]);
        memcpy(text + 1 + size, text + 1, size);
        for (size_t cut = 0; cut <= 2 * size; cut++)
            cr_expect_eq(annot__utf8_prefix(text + 1, cut), cut / size * size, "U+%04X: %zu",
                         points[i], cut);
    }
}

/* Every code point there is, against the definition of UTF-8 (RFC 3629, section 3). */
Test(utf, every_code_point_converts_from_each_unit)
{
    for (uint32_t point = 1; point < 0x120000; point++) {
        unsigned char expected[4];
        size_t size;
        uint32_t valid = point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF) ? 0xFFFD : point;
        if (valid < 0x80) {
            size = 1;
            expected[0] = (unsigned char)valid;
        } else if (valid < 0x800) {
            size = 2;
            expected[0] = (unsigned char)(0xC0 | valid >> 6);
            expected[1] = (unsigned char)(0x80 | (valid & 63));
        } else if (valid < 0x10000) {
            size = 3;
            expected[0] = (unsigned char)(0xE0 | valid >> 12);
            expected[1] = (unsigned char)(0x80 | (valid >> 6 & 63));
            expected[2] = (unsigned char)(0x80 | (valid & 63));
        } else {
            size = 4;
            expected[0] = (unsigned char)(0xF0 | valid >> 18);
            expected[1] = (unsigned char)(0x80 | (valid >> 12 & 63));
            expected[2] = (unsigned char)(0x80 | (valid >> 6 & 63));
            expected[3] = (unsigned char)(0x80 | (valid & 63));
        }
        char out[8];
        if (annot__utf8_from(out, 8, &point, 1, ANNOT_TEXT_UTF32) != size ||
            memcmp(out, expected, size) != 0)
            cr_assert_fail("UTF-32 U+%04X", point);
        uint16_t units[2];
        size_t count = 1;
        if (point < 0x10000) {
            units[0] = (uint16_t)point;
        } else if (point <= 0x10FFFF) {
            units[0] = (uint16_t)(0xD800 + ((point - 0x10000) >> 10));
            units[1] = (uint16_t)(0xDC00 + (point & 0x3FF));
            count = 2;
        } else {
            continue;
        }
        if (annot__utf8_from(out, 8, units, count, ANNOT_TEXT_UTF16) != size ||
            memcmp(out, expected, size) != 0)
            cr_assert_fail("UTF-16 U+%04X", point);
        if (annot__utf8_from(out, 8, expected, size, ANNOT_TEXT_UTF8) != size ||
            memcmp(out, expected, size) != 0)
            cr_assert_fail("UTF-8 U+%04X", point);
    }
}

Test(utf, never_writes_past_its_capacity_or_part_of_a_character)
{
    static const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
    static const size_t fits[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
    for (size_t capacity = 0; capacity < sizeof fits / sizeof *fits; capacity++) {
        char out[16];
        memset(out, '#', sizeof out);
        cr_expect_eq(annot__utf8_from(out, capacity, text, 11, ANNOT_TEXT_UTF8), 11);
        cr_expect_eq(memcmp(out, text, fits[capacity]), 0);
        for (size_t i = fits[capacity]; i < sizeof out; i++)
            cr_expect_eq(out[i], '#', "capacity %zu", capacity);
        if (capacity <= 11)
            cr_expect_eq(annot__utf8_prefix(text, capacity), fits[capacity]);
    }
}

Test(utf, reads_units_at_any_address)
{
    char bytes[64];
    static const uint16_t units[] = {'h', 0xE9, 0};
    memcpy(bytes + 1, units, sizeof units);
    char out[8] = {0};
    cr_expect_eq(annot__text_length(bytes + 1, ANNOT_TEXT_UTF16), 2);
    cr_expect_eq(annot__utf8_from(out, 8, bytes + 1, 2, ANNOT_TEXT_UTF16), 3);
    cr_expect_str_eq(out, "h\xC3\xA9");
}
