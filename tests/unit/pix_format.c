/* The interpreter of conversion specifications [ANN-PIX-03]. Expectations: C11 7.21.6.1 with
 * Windows' types. */
#include "unit_kit.h"
#include "pix_blob.h"

#include <criterion/parameterized.h>
#include <locale.h>

static const char *format_int(const char *format, int64_t value, char *room)
{
    struct blob b = v1_format(format);
    add_word(&b, (uint64_t)value);
    const struct decoded d = decode_v1(&b);
    cr_assert_eq(d.status, ANNOT_PIX_OK);
    return strcpy(room, d.name);
}

Test(pix_format, prints_integers)
{
    static const struct {
        const char *format;
        int64_t value;
        const char *expected;
    } rows[] = {
        {"%d", -7, "-7"},
        {"%i", INT32_MIN, "-2147483648"},
        {"%d", 0x100000005, "5"}, /* int is 32 bits of the word */
        {"%u", -1, "4294967295"},
        {"%hhd", 0x1ff, "-1"},
        {"%hhu", 0x1ff, "255"},
        {"%hd", 0xfffe, "-2"},
        {"%hu", 0x1fffe, "65534"},
        {"%ld", 0xfffffffd, "-3"}, /* long has 32 bits on Windows */
        {"%lu", -1, "4294967295"},
        {"%lld", INT64_MIN, "-9223372036854775808"},
        {"%llu", -1, "18446744073709551615"},
        {"%I64d", -5, "-5"},
        {"%I64x", 0xabcdef0123, "abcdef0123"},
        {"%I32d", -5, "-5"},
        {"%Iu", -1, "18446744073709551615"},
        {"%Ix2", 0xabcdef0123, "abcdef01232"}, /* the I of 64-bit builds, not a part of I32 */
        {"%I32x", 0xabcdef0123, "cdef0123"},
        {"%wx", 0xabcdef0123, "cdef0123"},
        {"%Lx", 0xabcdef0123, "cdef0123"},
        {"%zu", -1, "18446744073709551615"},
        {"%jd", -1, "-1"},
        {"%td", INT64_MAX, "9223372036854775807"},
        {"%x", 0xbeef, "beef"},
        {"%#X", 0xbeef, "0XBEEF"},
        {"%#x", 0, "0"},
        {"%o", 64, "100"},
        {"%#o", 64, "0100"},
        {"%#o", 0, "0"},
        {"%5d|", 42, "   42|"},
        {"%-5d|", 42, "42   |"},
        {"%05d", -42, "-0042"},
        {"%+d", 42, "+42"},
        {"% d", 42, " 42"},
        {"%+ d", 42, "+42"},
        {"%.5d", -42, "-00042"},
        {"%8.5d|", -42, "  -00042|"},
        {"%08.5d|", 42, "   00042|"}, /* 0 is ignored with a precision */
        {"%-08d|", 42, "42      |"},  /* and with - */
        {"%.0d|", 0, "|"},
        {"%.0d", 1, "1"},
        {"%#.0o", 0, "0"},
        {"%#08x", 255, "0x0000ff"},
        {"%p", 0x1234abcd, "000000001234ABCD"},
        {"%20p|", 1, "    0000000000000001|"},
    };
    char room[8192];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_str_eq(format_int(rows[i].format, rows[i].value, room), rows[i].expected,
                         "%s: %s", rows[i].format, room);
    }
}

Test(pix_format, prints_floats)
{
    static const struct {
        const char *format;
        double value;
        const char *expected;
    } rows[] = {
        {"%f", -0.5, "-0.500000"},
        {"%.2f ms", 16.667, "16.67 ms"},
        {"%F", 1e15, "1000000000000000.000000"},
        {"%e", 123456.0, "1.234560e+05"},
        {"%.3E", 123456.0, "1.235E+05"},
        {"%g", 0.00001, "1e-05"},
        {"%G", 1e-10, "1E-10"},
        {"%#g", 1.0, "1.00000"},
        {"%#.0f", 1.0, "1."},
        {"%.0f", 0.5, "0"}, /* half to even */
        {"%.1f", -0.0, "-0.0"},
        {"%+.1f", 1.0, "+1.0"},
        {"% .1f", 1.0, " 1.0"},
        {"%8.2f|", 3.14159, "    3.14|"},
        {"%-8.2f|", 3.14159, "3.14    |"},
        {"%08.2f", -3.14159, "-0003.14"},
        {"%Lf", 1.0, "1.000000"}, /* long double is double on Windows */
        {"%a", 1.0, "0x1.0000000000000p+0"},
        {"%.2a", 1.9999, "0x2.00p+0"},
        {"%.1a", 1.03125, "0x1.0p+0"}, /* 0x1.08: half to even */
        {"%.1a", 1.09375, "0x1.2p+0"}, /* 0x1.18 */
        {"%.1A", -0.15625, "-0X1.4P-3"},
        {"%.0a", 0.0, "0x0p+0"},
        {"%.15a", 1.0, "0x1.000000000000000p+0"},
        {"%.16a", 1.0, "0x1.0000000000000000p+0"},
        {"%a", 5e-324, "0x0.0000000000001p-1022"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct blob b = v1_format(rows[i].format);
        add_double(&b, rows[i].value);
        const struct decoded d = decode_v1(&b);
        cr_expect_str_eq(d.name, rows[i].expected, "%s: %s", rows[i].format, d.name);
        cr_expect_eq(d.event.flags, 0u);
    }
}

/* Every flag with some widths and precisions, of this libc, which has C11's rules. */
static void expect_as_printf(const char *flags, const char *width, const char *precision,
                             const char *conversion, int64_t integer, double number)
{
    const bool is_integer = strchr("diuxXo", conversion[strlen(conversion) - 1]) != NULL;
    char format[32], expected[512];
    snprintf(format, sizeof format, "%%%s%s%s%s", flags, width, precision, conversion);
    struct blob b = v1_format(format);
    if (is_integer) {
        add_word(&b, (uint64_t)integer);
        snprintf(expected, sizeof expected, format, (long long)integer);
    } else {
        add_double(&b, number);
        snprintf(expected, sizeof expected, format, number);
    }
    const struct decoded d = decode_v1(&b);
    cr_assert_str_eq(d.name, expected, "%s of %lld or %a: %s", format, (long long)integer, number,
                     d.name);
    cr_assert_eq(d.event.flags, 0u, "%s", format);
}

Test(pix_format, numbers_are_written_as_c_writes_them)
{
    static const char *const widths[] = {"", "9", "30"};
    static const char *const precisions[] = {"", ".0", ".1", ".6", ".13", ".14"};
    static const char *const conversions[] = {"lld", "lli", "llu", "llx", "llX", "llo", "e",
                                              "E",   "f",   "g",   "G",   "a",   "A"};
    static const int64_t integers[] = {0, 1, -1, 9, 10, 0x7fffffff, INT64_MIN, INT64_MAX};
    static const double numbers[] = {0.0,         -0.0,
                                     1.0,         -1.5,
                                     0.1,         1e-9,
                                     9.9999,      123456,
                                     0x1.8p-40,   0x1.fffffffffffffp+10,
                                     5e-324,      0x1.08p+0,
                                     0x1.18p+0,   0x1.081p+0,
                                     0x1.fp-1022, 0x1.2800000000001p+0};
    for (unsigned set = 0; set < 32; set++) {
        char flags[6] = "";
        for (unsigned i = 0; i < 5; i++)
            if (set >> i & 1)
                strncat(flags, &"0# +-"[i], 1);
        for (size_t w = 0; w < 3; w++)
            for (size_t p = 0; p < 6; p++)
                for (size_t c = 0; c < 13; c++) {
                    const bool is_hex_float = c >= 11 && p == 0; /* Windows writes 13 digits */
                    for (size_t v = 0; v < (c < 6 ? 8u : 16u) && !is_hex_float; v++)
                        expect_as_printf(flags, widths[w], precisions[p], conversions[c],
                                         integers[v % 8], numbers[v]);
                }
    }
}

/* A locale whose decimal point isn't a period; compiled when the machine has none. */
static bool set_locale(const char *name, const char *directory)
{
    char command[256];
    if (setlocale(LC_ALL, name))
        return true;
    snprintf(command, sizeof command, "localedef -i %.5s -f UTF-8 '%s/%s' >%s/log 2>&1", name,
             directory, name, directory);
    if (system(command) != 0)
        return false;
    setenv("LOCPATH", directory, 1);
    return setlocale(LC_ALL, name) != NULL;
}

/* A comma; U+066B, two bytes; and a period. */
static char locales[][16] = {"de_DE.UTF-8", "ps_AF.UTF-8", "C"};

ParameterizedTestParameters(pix_format, a_locale_does_not_show)
{
    return cr_make_param_array(char[16], locales, sizeof locales / sizeof locales[0]);
}

ParameterizedTest(char name[16], pix_format, a_locale_does_not_show)
{
    char directory[] = "/tmp/annot-locale-XXXXXX", command[64];
    cr_assert(mkdtemp(directory));
    struct blob b = v1_format("%.2f %g %d %.0f %#.0f %e");
    add_double(&b, 1234.5);
    add_double(&b, 0.25);
    add_word(&b, 1234567);
    add_double(&b, 3);
    add_double(&b, 3);
    add_double(&b, 1.5);
    const bool is_set = set_locale(name, directory);
    if (is_set)
        cr_expect_str_eq(decode_v1(&b).name, "1234.50 0.25 1234567 3 3. 1.500000e+00", "%s", name);
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_expect_eq(system(command), 0);
    if (!is_set)
        cr_skip("%s can't be made here", name);
}

Test(pix_format, huge_widths_and_precisions_are_clipped)
{
    static const struct {
        const char *format;
        uint64_t star;
        size_t length;
    } rows[] = {
        {"%*d", 0x7fffffff, 512},
        {"%*d", 0x80000000, 512},
        {"%.*d", 0x7fffffff, 512},
        {"%.*f", 0x7fffffff, 514},
        {"%*s", 0x7fffffff, 512},
        {"%*c", 1000000, 511}, /* and no NUL */
        {"%999999999999999d", 0, 512},
        {"%.999999999999999d", 0, 512},
        {"%.99999999999999999a", 0, 512 + 7}, /* 0x0. and p+0 */
        {"%18446744073709551617d", 0, 512},   /* 2^64 + 1 */
        {"%.18446744073709551617d", 0, 512},
        {"%4294967297d", 0, 512},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct blob b = v1_format(rows[i].format);
        add_word(&b, rows[i].star);
        const struct decoded d = decode_v1(&b);
        cr_expect_eq(d.event.name_length, rows[i].length, "%s: %zu", rows[i].format,
                     d.event.name_length);
        cr_expect(d.event.flags & ANNOT_PIX_FORMAT_CLIPPED, "%s", rows[i].format);
    }
}

/* The most negative width is one to the left, as every negative one. */
Test(pix_format, a_star_of_31_bits_keeps_its_sign)
{
    static const uint32_t stars[] = {0x7fffffff, 0x80000000, 0x80000001};
    for (size_t i = 0; i < 3; i++) {
        struct blob b = v1_format("%*d");
        add_word(&b, stars[i]);
        add_word(&b, 7);
        const struct decoded d = decode_v1(&b);
        cr_expect_eq(d.name[0], i == 0 ? ' ' : '7', "0x%x", stars[i]);
        cr_expect_eq(d.name[511], i == 0 ? '7' : ' ', "0x%x", stars[i]);
    }
}

Test(pix_format, the_limit_itself_is_no_clip)
{
    static const struct {
        const char *format;
        size_t length;
        uint32_t flags;
    } rows[] = {
        {"%512d", 512, 0},
        {"%513d", 512, ANNOT_PIX_FORMAT_CLIPPED},
        {"%.512d", 512, 0},
        {"%.513d", 512, ANNOT_PIX_FORMAT_CLIPPED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct blob b = v1_format(rows[i].format);
        add_word(&b, 5);
        const struct decoded d = decode_v1(&b);
        cr_expect_eq(d.event.name_length, rows[i].length, "%s", rows[i].format);
        cr_expect_eq(d.event.flags, rows[i].flags, "%s", rows[i].format);
    }
}

Test(pix_format, percent_n_prints_nothing_and_is_flagged)
{
    struct blob b = v1_format("a%nb%lln%dc");
    add_word(&b, 0xdeadbeef);
    add_word(&b, 0xdeadbeef);
    add_word(&b, 3);
    const struct decoded d = decode_v1(&b);
    cr_expect_str_eq(d.name, "ab3c");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_FORMAT_HAS_N);
}

Test(pix_format, arguments_past_the_16th_read_as_zero)
{
    char format[17 * 3 + 1] = "";
    for (int i = 0; i < 17; i++)
        strcat(format, "%d ");
    struct blob b = v1_format(format);
    for (uint64_t i = 1; i <= 17; i++)
        add_word(&b, i);
    const struct decoded d = decode_v1(&b);
    cr_expect_str_eq(d.name, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 0 ");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_ARGUMENTS_MISSING);
    b = v1_format("%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s|%s");
    for (int i = 0; i < 17; i++)
        add_string(&b, "x");
    cr_expect_str_eq(decode_v1(&b).name, "xxxxxxxxxxxxxxxx|", "strings count, too");
    cr_expect_eq(decode_v1(&b).event.flags, (uint32_t)ANNOT_PIX_ARGUMENTS_MISSING);
}

Test(pix_format, missing_arguments_read_as_zero)
{
    struct blob b = v1_format("%d %s|%f|%c|%p");
    const struct decoded d = decode_v1(&b);
    cr_expect_str_eq(d.name, "0 |0.000000||0000000000000000");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_ARGUMENTS_MISSING);
    static const char *const conversions[] = {"%d", "%s", "%f", "%c", "%p", "%a", "%n", "%*%"};
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++) {
        b = v1_format(conversions[i]);
        cr_expect(decode_v1(&b).event.flags & ANNOT_PIX_ARGUMENTS_MISSING, "%s", conversions[i]);
    }
}

Test(pix_format, null_string_is_not_consumed)
{
    struct blob b = v1_format("%s %d %d");
    add_word(&b, 0);
    add_word(&b, 5);
    const struct decoded d = decode_v1(&b);
    cr_expect_str_eq(d.name, " 0 5");
    cr_expect_eq(d.event.flags, 0u);

    /* Nor does it count: 16 others are still to be had. */
    b = v1_format("%s%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d");
    for (uint64_t i = 0; i < 16; i++)
        add_word(&b, i % 10);
    cr_expect_str_eq(decode_v1(&b).name, "0123456789012345");
}

Test(pix_format, what_is_no_conversion_stands_as_it_is)
{
    static const char *const formats[] = {"%y",  "100%",      "%-",      "%*",    "%*.*y", "%5.",
                                          "%ll", "%\xc3\xa9", "%-+ #0q", "%I",    "%I3d",  "%I6",
                                          "%I3", "%I14d",     "%I65d",   "%I35d", "%5:d"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct blob b = v1_format(formats[i]);
        add_word(&b, 5);
        add_word(&b, 6);
        const struct decoded d = decode_v1(&b);
        cr_expect_str_eq(d.name, formats[i], "%s: %s", formats[i], d.name);
        cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_FORMAT_INVALID, "%s", formats[i]);
    }
    /* The star gave its argument back: all 16 are still to be had. */
    struct blob b = v1_format("%*y %d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d");
    for (uint64_t i = 0; i < 16; i++)
        add_word(&b, i % 10);
    cr_expect_str_eq(decode_v1(&b).name, "%*y 0123456789012345");
}

/* A character is what its width makes of the argument; its low unit may be a NUL. */
Test(pix_format, characters_of_each_width_are_the_arguments_low_unit)
{
    static const struct {
        const char *conversion;
        bool is_wide[2]; /* in an 8-bit format, in a wide one */
    } rows[] = {{"c", {false, true}},    {"C", {true, false}},   {"hc", {false, false}},
                {"hhc", {false, false}}, {"hC", {false, false}}, {"hhC", {false, false}},
                {"lc", {true, true}},    {"lC", {true, true}},   {"wc", {true, true}},
                {"wC", {true, true}}};
    static const uint64_t words[] = {0x4e00, 0x0100, 0x1234560041, 0x10000, 0x0141, 0xff00};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t w = 0; w < sizeof words / sizeof *words; w++)
            for (int wide = 0; wide < 2; wide++) {
                char narrow[16];
                uint16_t format[16];
                snprintf(narrow, sizeof narrow, "[%%%s]", rows[i].conversion);
                for (size_t k = 0; k <= strlen(narrow); k++)
                    format[k] = (uint16_t)narrow[k];
                struct blob b = wide ? v1_wide_format(format) : v1_format(narrow);
                add_word(&b, words[w]);
                const struct decoded d = decode_v1(&b);
                const uint32_t c = (uint32_t)(words[w] & (rows[i].is_wide[wide] ? 0xffff : 0xff));
                char expected[8] = "[";
                size_t length = 1;
                if (c >= 0x800)
                    expected[length++] = (char)(0xe0 | c >> 12);
                if (c >= 0x80)
                    expected[length++] =
                        (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
                if (c > 0)
                    expected[length++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
                expected[length] = ']';
                cr_expect_str_eq(d.name, expected, "%s of 0x%llx, wide %d: %s", narrow,
                                 (unsigned long long)words[w], wide, d.name);
            }
}

/* A precision counts the format's units, and a character that does not fit whole is left out; a
 * width pads what is left. */
Test(pix_format, precisions_and_widths_count_units_of_the_format)
{
    static const struct {
        uint32_t c;
        const char *utf8;
    } rows[] = {{1, "\x01"},
                {0x7f, "\x7f"},
                {0x80, "\xc2\x80"},
                {0x7ff, "\xdf\xbf"},
                {0x800, "\xe0\xa0\x80"},
                {0xfffe, "\xef\xbf\xbe"},
                {0xffff, "\xef\xbf\xbf"},
                {0x10000, "\xf0\x90\x80\x80"},
                {0x10ffff, "\xf4\x8f\xbf\xbf"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int wide = 0; wide < 2; wide++)
            for (size_t precision = 0; precision <= 9; precision++)
                for (size_t width = 0; width <= 9; width += 3) {
                    const size_t units =
                        wide ? (rows[i].c >= 0x10000 ? 2 : 1) : strlen(rows[i].utf8);
                    char text[16], narrow[32], expected[64] = "";
                    uint16_t format[32];
                    snprintf(text, sizeof text, "%s%s", rows[i].utf8, rows[i].utf8);
                    snprintf(narrow, sizeof narrow, "%%%zu.%zus|", width, precision);
                    for (size_t k = 0; k <= strlen(narrow); k++)
                        format[k] = (uint16_t)narrow[k];
                    struct blob b = wide ? v1_wide_format(format) : v1_format(narrow);
                    add_string(&b, text);
                    const size_t kept = precision / units < 2 ? precision / units : 2;
                    for (size_t k = kept * units; k < width; k++)
                        strcat(expected, " ");
                    for (size_t k = 0; k < kept; k++)
                        strcat(expected, rows[i].utf8);
                    strcat(expected, "|");
                    const struct decoded d = decode_v1(&b);
                    cr_expect_str_eq(d.name, expected, "%s of U+%X, wide %d", narrow, rows[i].c,
                                     wide);
                }
}

Test(pix_format, prints_characters)
{
    static const uint16_t wide_format[] = {'%', 'c', '%', 'C', '%', 'h', 'c', 0};
    struct blob b = v1_format("%c%c%C%lc%3c|%-3c|%c%C|%1s|%20p|%020p");
    add_word(&b, 'Q');
    add_word(&b, 0); /* a NUL prints nothing */
    add_word(&b, 0x4e2d);
    add_word(&b, 0xe9);
    add_word(&b, 'r');
    add_word(&b, 'l');
    add_word(&b, 1);
    add_word(&b, 1);
    add_string(&b, "ab");
    add_word(&b, 0xA0);
    add_word(&b, 0xA0);
    struct decoded d = decode_v1(&b);
    cr_expect_str_eq(d.name, "Q\xe4\xb8\xad\xc3\xa9  r|l  |\1\1|ab|    00000000000000A0|    "
                             "00000000000000A0");
    cr_expect_eq(d.event.flags, 0u);

    b = v1_wide_format(wide_format);
    add_word(&b, 0x4e2d);
    add_word(&b, 'c');
    add_word(&b, 'h');
    cr_expect_str_eq(decode_v1(&b).name, "\xe4\xb8\xad"
                                         "ch");

    b = v1_format("%C");
    add_word(&b, 0xd83c);
    d = decode_v1(&b);
    cr_expect_str_eq(d.name, "\xef\xbf\xbd");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT);

    b = v1_format("a%c");
    add_word(&b, 0xe9); /* a byte that starts no character */
    d = decode_v1(&b);
    cr_expect_str_eq(d.name, "<invalid UTF8 string>");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT);
}

Test(pix_format, an_argument_of_half_a_word_is_missing_and_truncated)
{
    struct blob b = v1_format("%d");
    add_word(&b, 5);
    for (size_t missing = 1; missing <= 8; missing++) {
        const struct decoded d = decode_bytes(2, b.bytes, b.size - missing);
        cr_expect_str_eq(d.name, "0");
        cr_expect_eq(d.event.flags, (uint32_t)(ANNOT_PIX_ARGUMENTS_MISSING |
                                               (missing < 8 ? ANNOT_PIX_TRUNCATED : 0)));
    }
}

/* The blob is a part of more bytes, which would continue it. */
Test(pix_format, bytes_behind_a_blob_are_not_its_own)
{
    char name[64];
    annot_pix_event event;
    struct blob b = v1_format("%s %d");
    add_string(&b, "ab");
    memset(b.bytes + b.size - 5, 0x77, 64); /* behind the NUL of "ab" */
    annot_pix_decode(2, b.bytes, b.size - 5, name, sizeof name, &event);
    cr_expect_str_eq(name, "ab 0");
    cr_expect_eq(event.flags, (uint32_t)ANNOT_PIX_ARGUMENTS_MISSING);
    b = v1_format("50%%");
    annot_pix_decode(2, b.bytes, b.size - 5, name, sizeof name, &event);
    cr_expect_str_eq(name, "50%");
    cr_expect_eq(event.flags, (uint32_t)(ANNOT_PIX_TRUNCATED | ANNOT_PIX_FORMAT_INVALID));
}
