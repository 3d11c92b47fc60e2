/* Texts of a DirectX dump file, of 8 and of 16 bits: whole at any length, and cut at a character's
 * border, where the caller's buffer ends [ANN-FILE]. */
#include "dxdmp_file.h"

TestSuite(dxdmp_texts, .fini = guarded_expect_nothing_left);

static void expect_string(const uint8_t *bytes, size_t size, bool is_wide, const char *text)
{
    struct file file = file_begin(1);
    char buffer[2048];
    const uint64_t keys[2] = {is_wide ? 0 : 7, is_wide ? 7 : 0};
    memory(&file, is_wide ? "DRWS" : "DRAS", 7, size);
    for (size_t i = 0; i < size; i++)
        put(&file, bytes[i], 1);
    wide(&file, "WSTR", 1, "behind it");
    struct dxdmp *dump = model_of(&file);
    for (size_t capacity = 1; capacity <= strlen(text) + 2;
         capacity += capacity > 8 && capacity + 8 < strlen(text) ? 5 : 1) {
        size_t whole = strlen(text) < capacity ? strlen(text) : capacity - 1;
        while (whole > 0 && (text[whole] & 0xC0) == 0x80)
            whole--;
        memset(buffer, 'w', sizeof buffer);
        cr_expect_eq(dxdmp_dred_string(dump, keys, buffer, capacity), whole, "%zu bytes in %zu",
                     size, capacity);
        cr_expect(memcmp(buffer, text, whole) == 0 && buffer[whole] == 0, "%s", buffer);
        for (size_t k = capacity; k < capacity + 8; k++)
            cr_expect_eq(buffer[k], 'w', "behind %zu bytes", capacity);
    }
    model_end(dump, &file);
}

#define REPLACED "\xEF\xBF\xBD" /* U+FFFD */

/* Characters of each size, behind texts of many lengths. */
Test(dxdmp_texts, texts_of_8_and_16_bits_are_whole_at_any_length)
{
    static const char *const characters[] = {"b", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"};
    static const uint16_t units[][2] = {{'b', 0}, {0xFC, 0}, {0x20AC, 0}, {0xD83D, 0xDE00}};
    for (size_t c = 0; c < 4; c++)
        for (size_t before = 250; before <= 900; before += before == 260 ? 640 : 1) {
            char text[1200];
            uint8_t wide_text[2400] = {0};
            memset(text, 'a', before);
            strcpy(text + before, characters[c]);
            strcat(text, "zz");
            size_t count = 0;
            for (; count < before; count++)
                wide_text[2 * count] = 'a';
            for (unsigned k = 0; k < 2 && units[c][k]; k++, count++) {
                wide_text[2 * count] = (uint8_t)units[c][k];
                wide_text[2 * count + 1] = (uint8_t)(units[c][k] >> 8);
            }
            for (unsigned k = 0; k < 2; k++, count++)
                wide_text[2 * count] = 'z';
            expect_string((const uint8_t *)text, strlen(text), false, text);
            expect_string((const uint8_t *)text, strlen(text) + 1, false, text);
            expect_string(wide_text, 2 * count, true, text);
            expect_string(wide_text, 2 * count + 1, true, text);
            expect_string(wide_text, 2 * count + 2, true, text);
        }
    for (size_t before = 240; before <= 260; before++)
        for (unsigned strays = 0; strays < 6; strays++) { /* behind a whole character, and alone */
            char text[300], expected[1200] = "";
            memset(text, 'a', before);
            strcpy(text + before, characters[3]);
            memcpy(expected, text, before + 4);
            for (unsigned i = 0; i < strays; i++) {
                text[before + 4 + i] = (char)0x80;
                strcat(expected, REPLACED);
            }
            expect_string((const uint8_t *)text, before + 4 + strays, false, expected);
        }
    char strays[300], replaced[3 * 300 + 1] = "";
    memset(strays, 0x80, sizeof strays);
    for (size_t i = 0; i < sizeof strays; i++)
        strcpy(replaced + 3 * i, REPLACED);
    expect_string((const uint8_t *)strays, sizeof strays, false, replaced);
    expect_string((const uint8_t *)"", 0, false, "");
    expect_string((const uint8_t *)"a\0b", 3, false, "a");
    expect_string((const uint8_t *)"a\0\0\0b", 6, true, "a");
    expect_string((const uint8_t *)"\x80", 1, false, REPLACED);
}

Test(dxdmp_texts, an_adapter_has_up_to_128_characters)
{
    for (size_t count = 126; count <= 130; count++)
        for (size_t size = 250; size <= 368; size += size < 260 ? 1 : 27) {
            struct file file = file_begin(1);
            char name[256];
            section(&file, "AdIn", size);
            for (size_t i = 0; i < size; i++)
                put(&file, i % 2 == 0 && i / 2 < count ? 'g' : 0, 1);
            struct dxdmp *dump = model_of(&file);
            const size_t room = size / 2 < 128 ? size / 2 : 128;
            cr_expect_eq(dxdmp_adapter(dump, name, sizeof name), count < room ? count : room,
                         "%zu of %zu bytes", count, size);
            model_end(dump, &file);
        }
}

/* No length of a name parts a pair, or waits for the rest of one. */
Test(dxdmp_texts, surrogates_stay_together_and_lone_ones_end_a_name)
{
    char name[2048];
    for (unsigned before = 0; before < 600; before++) {
        struct file file = file_begin(1);
        memory(&file, "DRWS", 1, 2 * (before + 3));
        for (unsigned i = 0; i < before; i++)
            put(&file, 'a', 2);
        put(&file, 0xDE00D83D, 4);
        put(&file, 0, 2);
        memory(&file, "DRWS", 2, 2 * (before + 2));
        for (unsigned i = 0; i < before; i++)
            put(&file, 'a', 2);
        put(&file, 0xD83D, 2);
        put(&file, 0, 2);
        struct dxdmp *dump = model_of(&file);
        cr_assert_eq(dxdmp_dred_string(dump, (const uint64_t[]){0, 1}, name, sizeof name),
                     before + 4);
        cr_assert_str_eq(name + before, "\xF0\x9F\x98\x80");
        dxdmp_dred_string(dump, (const uint64_t[]){0, 2}, name, sizeof name);
        cr_assert_str_eq(name + before, "\xEF\xBF\xBD", "%u units, then half a pair", before);
        model_end(dump, &file);
    }
}
