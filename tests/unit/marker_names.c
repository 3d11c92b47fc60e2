/* A marker's name of its payload, in each encoding, at each length around what is converted and
 * kept at once, and cut to each capacity [ANN-NAME-05, annot_reader_entry_name]. */
#include "dump_builder.h"
#include "unit_kit.h"
#include "reader/ask.h"

#include <annot/pix.h>

TestSuite(marker_names, .fini = guarded_expect_nothing_left);

/* The names that are kept have at most this many bytes. */
enum { KEPT = 4095 };

/* The name of the only marker; it stands in a buffer of `capacity` bytes. */
static const char *name_of(uint32_t metadata, const void *payload, size_t size, uint32_t whole,
                           uint32_t flags, size_t capacity)
{
    static char name[1 << 14];
    struct dump dump = dump_hung();
    dump_add_with(&dump, SET, payload, size, .event_id = 0x500000010, .metadata = metadata,
                  .size = whole, .flags = flags);
    annot_reader *reader = dump_open(&dump, ANNOT_OK);
    memset(name, 'w', sizeof name);
    const size_t stored = annot_reader_entry_name(reader, 0, name, capacity);
    cr_expect_eq(stored, strlen(name));
    cr_expect_eq(name[capacity], 'w', "written behind %zu bytes", capacity);
    cr_expect_eq(annot_reader_entry_name(reader, 1, name + capacity, 1), 0, "there is no other");
    annot_reader_close(reader);
    dump_free(&dump);
    return name;
}

static void expect_name(uint32_t metadata, const void *payload, size_t size, const char *expected)
{
    const char *name = name_of(metadata, payload, size, (uint32_t)size, 0, 1 << 13);
    cr_expect_str_eq(name, expected, "%zu bytes with metadata %u: ...%s, not ...%s", size, metadata,
                     name + (strlen(name) > 12 ? strlen(name) - 12 : 0),
                     expected + (strlen(expected) > 12 ? strlen(expected) - 12 : 0));
}

/* ---- at each length ---- */

static const struct {
    const char *utf8;
    uint16_t units[2];
} characters[] = {{"b", {'b', 0}},
                  {"\xC3\xBC", {0xFC, 0}},
                  {"\xE2\x82\xAC", {0x20AC, 0}},
                  {"\xF0\x9F\x98\x80", {0xD83D, 0xDE00}}};

/* `before` letters and the character, as UTF-8, as units, and what is kept of it. */
static void expect_character(size_t before, size_t character)
{
    static char text[8192], kept[8192];
    static uint8_t wide[2 * 8192];
    size_t count = 0;
    memset(text, 'a', before);
    strcpy(text + before, characters[character].utf8);
    memset(wide, 0, sizeof wide);
    for (; count < before; count++)
        wide[2 * count] = 'a';
    for (int i = 0; i < 2 && characters[character].units[i]; i++, count++) {
        wide[2 * count] = (uint8_t)characters[character].units[i];
        wide[2 * count + 1] = (uint8_t)(characters[character].units[i] >> 8);
    }
    strcpy(kept, text);
    if (strlen(text) > KEPT)
        kept[before < KEPT ? before : KEPT] = 0;
    expect_name(ANNOT_PIX_METADATA_UTF8, text, strlen(text), kept);
    expect_name(ANNOT_PIX_METADATA_UTF8, text, strlen(text) + 1, kept);
    expect_name(ANNOT_PIX_METADATA_UTF16, wide, 2 * count, kept);
    expect_name(ANNOT_PIX_METADATA_UTF16, wide, 2 * count + 1, kept);
    expect_name(ANNOT_PIX_METADATA_UTF16, wide, 2 * count + 2, kept);
}

Test(marker_names, are_whole_around_each_piece_and_cut_at_a_character)
{
    for (size_t character = 0; character < 4; character++) {
        for (size_t before = 1; before < 4; before++)
            expect_character(before, character);
        for (size_t before = 253; before <= 258; before++)
            expect_character(before, character);
        for (size_t before = KEPT - 5; before <= KEPT + 2; before++)
            expect_character(before, character);
    }
}

Test(marker_names, end_at_a_nul_and_have_replacements_for_what_is_no_text)
{
    expect_name(ANNOT_PIX_METADATA_UTF8, "ab\0cd", 5, "ab");
    expect_name(ANNOT_PIX_METADATA_UTF8, "\0ab", 3, "(no name)");
    expect_name(ANNOT_PIX_METADATA_UTF8, "", 0, "(no name)");
    expect_name(ANNOT_PIX_METADATA_UTF8,
                "a\xFF"
                "b",
                3,
                "a\xC3\xBF"
                "b");
    expect_name(ANNOT_PIX_METADATA_UTF8, "\xD2\xE5\xED\xE8", 4, /* CP1251 */
                "\xC3\x92\xC3\xA5\xC3\xAD\xC3\xA8");
    expect_name(ANNOT_PIX_METADATA_UTF8, "\xE4\xB8\xAD\xE4\xB8", 5, "\xE4\xB8\xAD\xC3\xA4\xC2\xB8");
    expect_name(ANNOT_PIX_METADATA_UTF16, "a\0b\0\0\0c\0", 8, "ab");
    expect_name(ANNOT_PIX_METADATA_UTF16, "\0\1", 2, "\xC4\x80");
    expect_name(ANNOT_PIX_METADATA_UTF16, "a", 1, "(no name)");
    expect_name(ANNOT_PIX_METADATA_UTF16, "\x3D\xD8", 2, "\xEF\xBF\xBD");
    expect_name(99, "abc", 3, "(metadata 99, 3 bytes) abc");
    expect_name(99, "S\0h\0\1\xE4\x90", 7, "(metadata 99, 7 bytes) Sh\xC3\xA4");
    expect_name(99, "\0\1", 2, "(metadata 99, 2 bytes)");
    expect_name(UINT32_MAX, "", 0, "(metadata 4294967295, 0 bytes)");
    expect_name(ANNOT_PIX_METADATA_V1, "abc", 3, "(metadata 2, 3 bytes) abc");
    expect_name(ANNOT_PIX_METADATA_V2, "abc", 3, "(metadata 6345127, 3 bytes) abc");
}

/* A name of a code page in a PIX event: its text is shown, whatever it means, and not lost. */
Test(marker_names, of_pix_in_a_code_page_are_shown_by_their_bytes)
{
    const uint64_t head[] = {UINT64_C(2) << 10, 0xFF00FF00u, UINT64_C(8) << 55 | UINT64_C(1) << 54};
    uint8_t blob[sizeof head + 8] = {0};
    memcpy(blob, head, sizeof head);
    memcpy(blob + sizeof head,
           "Fl\xE4"
           "che",
           6);
    expect_name(ANNOT_PIX_METADATA_V1, blob, sizeof blob,
                "Fl\xC3\xA4"
                "che");
}

/* Half a character at a payload's cut is no byte of a code page. */
Test(marker_names, that_are_cut_end_at_a_character)
{
    cr_expect_str_eq(name_of(ANNOT_PIX_METADATA_UTF8, "ab\xE4\xB8", 4, 100, 0, 64), "ab");
}

Test(marker_names, of_pix_are_whole_up_to_what_is_kept)
{
    static uint8_t blob[8192];
    static char text[8192];
    for (size_t size = KEPT - 3; size <= KEPT + 2; size++)
        for (annot_pix_version version = ANNOT_PIX_V1; version <= ANNOT_PIX_V2; version++) {
            memset(text, 'p', size);
            text[size] = 0;
            const annot_pix_desc desc = {.version = version,
                                         .kind = ANNOT_PIX_KIND_MARKER,
                                         .format = {.type = ANNOT_PIX_STR, .value = {.str = text}}};
            const size_t bytes = annot_pix_encode(&desc, blob, sizeof blob);
            cr_assert_leq(bytes, sizeof blob);
            char expected[8192];
            annot_pix_event event;
            const uint32_t metadata =
                version == ANNOT_PIX_V1 ? ANNOT_PIX_METADATA_V1 : ANNOT_PIX_METADATA_V2;
            cr_assert_eq(annot_pix_decode(metadata, blob, bytes, expected, KEPT + 1, &event),
                         ANNOT_PIX_OK);
            expect_name(metadata, blob, bytes, expected);
        }
}

/* ---- at each capacity ---- */

Test(marker_names, are_cut_to_the_callers_buffer_at_a_character)
{
    static const char *const names[] = {"Aa", "Gr\xC3\xBC\xC3\x9F", "\xE2\x82\xAC 5",
                                        "z\xF0\x9F\x98\x80z"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t capacity = 1; capacity <= strlen(names[i]) + 2; capacity++) {
            char expected[32];
            size_t size = strlen(names[i]) < capacity ? strlen(names[i]) : capacity - 1;
            while (size > 0 && (names[i][size] & 0xC0) == 0x80)
                size--;
            memcpy(expected, names[i], size);
            expected[size] = 0;
            cr_expect_str_eq(name_of(ANNOT_PIX_METADATA_UTF8, names[i], strlen(names[i]),
                                     (uint32_t)strlen(names[i]), 0, capacity),
                             expected, "%s in %zu bytes", names[i], capacity);
        }
}

/* The name in a buffer of just so many bytes: as many whole characters as have room before the
 * first one that has none; `utf8` is all of it. */
static void expect_cut(uint32_t metadata, const void *payload, size_t size, size_t capacity,
                       const char *utf8)
{
    char *buffer = malloc(capacity), *bytes = malloc(size); /* sanitizers see what is beyond */
    memcpy(bytes, payload, size);
    memset(buffer, 'w', capacity);
    const struct annot__marker_view marker = {
        .metadata = metadata, .size = (uint32_t)size, .bytes = {(const uint8_t *)bytes, size}};
    struct annot__name name;
    size_t fits = strlen(utf8) < capacity ? strlen(utf8) : capacity - 1;
    while (fits > 0 && (utf8[fits] & 0xC0) == 0x80)
        fits--;
    annot__name_of_marker(&marker, buffer, capacity, &name);
    if (fits == 0)
        cr_expect_eq(memcmp(name.text, "(no name)", name.size), 0);
    else
        cr_expect(name.size == fits && memcmp(name.text, utf8, fits) == 0,
                  "metadata %u, %zu bytes of %zu: %zu", metadata, capacity, strlen(utf8),
                  name.size);
    cr_expect_eq(name.is_short, strlen(utf8) >= capacity);
    free(bytes);
    free(buffer);
}

Test(marker_names, have_as_many_characters_as_have_room)
{
    static const size_t counts[][2] = {{1, 0}, {3, 1}, {4, 9}, {100, 200}, {200, 57}, {255, 3}};
    for (size_t character = 0; character < 4; character++)
        for (size_t row = 0; row < sizeof counts / sizeof counts[0]; row++) {
            char text[2048] = "";
            uint16_t units[1024];
            uint8_t wide[2048], blob[2048];
            size_t count = 0;
            for (size_t i = 0; i < counts[row][0]; i++) {
                strcat(text, characters[character].utf8);
                for (int k = 0; k < 2 && characters[character].units[k]; k++)
                    units[count++] = characters[character].units[k];
            }
            for (size_t i = 0; i < counts[row][1]; i++, units[count++] = 'b')
                strcat(text, "b");
            for (size_t i = 0; i < count; i++) {
                wide[2 * i] = (uint8_t)units[i];
                wide[2 * i + 1] = (uint8_t)(units[i] >> 8);
            }
            const annot_pix_desc desc = {.version = ANNOT_PIX_V2,
                                         .kind = ANNOT_PIX_KIND_MARKER,
                                         .format = {.type = ANNOT_PIX_STR, .value = {.str = text}}};
            const size_t bytes = annot_pix_encode(&desc, blob, sizeof blob);
            for (size_t capacity = 1; capacity < strlen(text) + 3; capacity++) {
                if (capacity > 12 && capacity + 4 < strlen(text) && capacity % 100 > 4)
                    continue;
                expect_cut(ANNOT_PIX_METADATA_UTF8, text, strlen(text), capacity, text);
                expect_cut(ANNOT_PIX_METADATA_UTF16, wide, 2 * count, capacity, text);
                if (capacity > 1 && strlen(text) < 480)
                    expect_cut(ANNOT_PIX_METADATA_V2, blob, bytes, capacity, text);
            }
        }
}

Test(marker_names, of_memory_that_is_gone_say_so)
{
    cr_expect_str_eq(name_of(1, "", 0, 5,
                             ANNOT__DUMP_MARKER_BY_REFERENCE | ANNOT__DUMP_MARKER_UNREADABLE, 64),
                     "(memory gone)");
    cr_expect_str_eq(name_of(1, "abc", 3, 3, ANNOT__DUMP_MARKER_BY_REFERENCE, 64), "abc");
}
