/* The interpreter of conversion specifications [ANN-PIX-03]. Expectations: C11 7.21.6.1 with
 * Windows' types. */
#include "pix_blob.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <locale.h>
#include <stdio.h>

static const char *format_int(const char *format, int64_t value, char *room)
{
    struct blob b = v1_format(format);
    add_word(&b, (uint64_t)value);
    const struct decoded d = decode_v1(&b);
    cr_assert_eq(d.status, ANNOT_PIX_OK);
    return strcpy(room, d.name);
}

Test(pix_format, integers)
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

Test(pix_format, floats)
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
    static const double numbers[] = {
        0.0,    -0.0,      1.0,       -1.5,       0.1,
        1e-9,   9.9999,    123456,    0x1.8p-40,  0x1.fffffffffffffp+10,
        5e-324, 0x1.08p+0, 0x1.18p+0, 0x1.081p+0, 0x1.fp-1022};
    for (unsigned set = 0; set < 32; set++) {
        char flags[6] = "";
        for (unsigned i = 0; i < 5; i++)
            if (set >> i & 1)
                strncat(flags, &"-+ #0"[i], 1);
        for (size_t w = 0; w < 3; w++)
            for (size_t p = 0; p < 6; p++)
                for (size_t c = 0; c < 13; c++) {
                    const bool is_hex_float = c >= 11 && p == 0; /* Windows writes 13 digits */
                    for (size_t v = 0; v < (c < 6 ? 8u : 15u) && !is_hex_float; v++)
                        expect_as_printf(flags, widths[w], precisions[p], conversions[c],
                                         integers[v % 8], numbers[v]);
                }
    }
}

Test(pix_format, infinities_and_nans)
{
    struct blob b = v1_format("%f %E %010g %f %G");
    add_word(&b, 0x7ff0000000000000);
    add_word(&b, 0xfff0000000000000);
    add_word(&b, 0x7ff0000000000000);
    add_word(&b, 0x7ff8000000000000);
    add_word(&b, 0xfff8000000000000);
    cr_expect_str_eq(decode_v1(&b).name, "inf -INF        inf nan -NAN");
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
