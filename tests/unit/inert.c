/* Characters that a report may print as they stand, and what stands for the rest [ANN-SEC-06]. */
#include "base/utf.h"
#include "dump_builder.h"
#include "unit_kit.h"

static void expect_escaped(annot_escape how, uint32_t character, const char *expected)
{
    char utf8[4], out[ANNOT_ESCAPED_MAX];
    size_t size, length = annot__utf8_encode(utf8, character);
    cr_expect_eq(annot_text_escape(how, utf8, length, out, &size), length);
    cr_expect(size == strlen(expected) && memcmp(out, expected, size) == 0,
              "U+%04X is '%.*s', not '%s'", character, (int)size, out, expected);
}

Test(inert, each_class_of_character_that_acts_is_escaped)
{
    static const struct {
        uint32_t character;
        const char *text, *json;
    } cases[] = {
        {0x00, "\\x00", "\\u0000"},
        {'\t', "\\t", "\\t"},
        {'\n', "\\n", "\\n"},
        {'\f', "\\x0c", "\\f"},
        {'\r', "\\r", "\\r"},
        {0x0E, "\\x0e", "\\u000e"},
        {0x1B, "\\x1b", "\\u001b"},
        {0x1F, "\\x1f", "\\u001f"},
        {0x7F, "\\x7f", "\\u007f"},
        {0x85, "\\x85", "\\u0085"},
        {0x9B, "\\x9b", "\\u009b"},
        {0xAD, "\\xad", "\\u00ad"},
        {0x61C, "\\u061c", "\\u061c"},
        {0x200B, "\\u200b", "\\u200b"},
        {0x200D, "\\u200d", "\\u200d"},
        {0x200E, "\\u200e", "\\u200e"},
        {0x2028, "\\u2028", "\\u2028"},
        {0x2029, "\\u2029", "\\u2029"},
        {0x202E, "\\u202e", "\\u202e"},
        {0x2066, "\\u2066", "\\u2066"},
        {0x206A, "\\u206a", "\\u206a"},
        {0xFE0F, "\\ufe0f", "\\ufe0f"},
        {0xFEFF, "\\ufeff", "\\ufeff"},
        {0xFFF9, "\\ufff9", "\\ufff9"},
        {0xFFFE, "\\ufffe", "\\ufffe"},
        {0xFFFF, "\\uffff", "\\uffff"},
        {0xE0000, "\\U000e0000", "\\udb40\\udc00"},
        {0xE0001, "\\U000e0001", "\\udb40\\udc01"},
        {0xE007F, "\\U000e007f", "\\udb40\\udc7f"},
        {0x1FFFF, "\\U0001ffff", "\\ud83f\\udfff"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_escaped(ANNOT_ESCAPE_TEXT, cases[i].character, cases[i].text);
        expect_escaped(ANNOT_ESCAPE_JSON, cases[i].character, cases[i].json);
    }
}

Test(inert, what_people_write_stays)
{
    for (char c = ' '; c <= '~'; c++)
        expect_escaped(ANNOT_ESCAPE_TEXT, (uint32_t)c, (char[]){c, 0});
    expect_escaped(ANNOT_ESCAPE_TEXT, 0xE9, "\xC3\xA9");
    expect_escaped(ANNOT_ESCAPE_TEXT, 0x5F71, "\xE5\xBD\xB1");
    expect_escaped(ANNOT_ESCAPE_TEXT, 0x1F600, "\xF0\x9F\x98\x80");
    expect_escaped(ANNOT_ESCAPE_JSON, '<', "<");
    expect_escaped(ANNOT_ESCAPE_JSON, 0xFFFD, "\xEF\xBF\xBD");
}

Test(inert, json_escapes_its_own_syntax)
{
    expect_escaped(ANNOT_ESCAPE_JSON, '"', "\\\"");
    expect_escaped(ANNOT_ESCAPE_JSON, '\\', "\\\\");
    expect_escaped(ANNOT_ESCAPE_JSON, '\b', "\\b");
    expect_escaped(ANNOT_ESCAPE_JSON, '\t', "\\t");
    expect_escaped(ANNOT_ESCAPE_JSON, '\v', "\\u000b");
}

Test(inert, text_that_is_not_utf8_ends_and_is_replaced)
{
    const char text[] = "\xF0\x9F";
    char out[ANNOT_ESCAPED_MAX];
    size_t size, at = 0;
    while (at < 2) {
        size_t step = annot_text_escape(ANNOT_ESCAPE_TEXT, text + at, 2 - at, out, &size);
        cr_assert_gt(step, 0);
        cr_expect(size == 3 && memcmp(out, "\xEF\xBF\xBD", 3) == 0);
        at += step;
    }
    cr_expect_eq(annot_text_escape(ANNOT_ESCAPE_TEXT, text, 0, out, &size), 0);
    cr_expect_eq(size, 0);
}

/* ANN-SEC-06, and in one spelling: numbers that a reader of JSON would round are strings, EventIDs
 * the same everywhere. */
Test(inert, json_has_numbers_of_64_bits_as_strings)
{
    AT_END(dump_free) struct dump dump = dump_frame();
    AT_END(at_end_close) annot_reader *reader = dump_open(&dump, ANNOT_OK);
    OWNED char *json = report_of(reader, true, NULL), *text = report_of(reader, false, NULL);
    static const char *const members[] = {"time",      "budget",  "live_bytes", "submitted",
                                          "completed", "queue",   "object",     "id",
                                          "serial",    "dropped", "count",      "recording",
                                          "submission"};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char member[32];
        snprintf(member, sizeof member, "\"%s\":", members[i]);
        for (const char *at = json; (at = strstr(at, member)); at += strlen(member))
            cr_expect(at[strlen(member)] == '"' || strncmp(at + strlen(member), "null", 4) == 0,
                      "%.40s", at);
    }
    cr_expect(strstr(json, "\"event_id\":\"0x500000010\""));
    cr_expect(strstr(text, "0x500000010"));
}
