/* The decoder reads headers, strings and damage [ANN-PIX-01, -03]. */
#include "asserts.h"
#include "pix_blob.h"

Test(pix_decode, v1_opcodes_say_kind_and_context)
{
    static const struct {
        uint64_t opcode;
        annot_pix_kind kind;
        bool has_context, has_args;
    } rows[] = {
        {0x01, ANNOT_PIX_KIND_BEGIN, false, true},  {0x02, ANNOT_PIX_KIND_BEGIN, false, false},
        {0x07, ANNOT_PIX_KIND_MARKER, false, true}, {0x08, ANNOT_PIX_KIND_MARKER, false, false},
        {0x11, ANNOT_PIX_KIND_BEGIN, true, true},   {0x12, ANNOT_PIX_KIND_BEGIN, true, false},
        {0x17, ANNOT_PIX_KIND_MARKER, true, true},  {0x18, ANNOT_PIX_KIND_MARKER, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct blob b = {{0}, 0};
        add_word(&b, rows[i].opcode << 10 | (uint64_t)0x123456789ab << 20);
        add_word(&b, 0xff112233);
        if (rows[i].has_context)
            add_word(&b, 0xabcdef0123456789);
        add_string(&b, "n=%d");
        add_word(&b, 5);
        const struct decoded d = decode_v1(&b);
        cr_expect_eq(d.status, ANNOT_PIX_OK);
        cr_expect_eq(d.event.kind, rows[i].kind);
        cr_expect_eq(d.event.timestamp, 0x123456789ab);
        cr_expect_eq(d.event.context, rows[i].has_context ? 0xabcdef0123456789 : 0);
        cr_expect_eq(d.event.flags, rows[i].has_context ? ANNOT_PIX_HAS_CONTEXT : 0u);
        cr_expect_str_eq(d.name, rows[i].has_args ? "n=5" : "n=%d", "row %zu", i);
    }
}

/* A v2 header; bits are its metadata field. */
static uint64_t v2_header(uint64_t words, uint64_t type, uint64_t bits)
{
    return words | type << 7 | bits << 12;
}

/* What a blob has behind the size that its event announces. */
Test(pix_decode, v2_words_behind_the_announced_size_are_not_the_events)
{
    struct blob b = {{0}, 0};
    add_word(&b, v2_header(3, 1, 0x02));
    add_chars(&b, "%d %d");
    add_word(&b, 5);
    add_word(&b, 6); /* behind the event */
    struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, b.size);
    cr_expect_str_eq(d.name, "5 0");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_ARGUMENTS_MISSING);
    b.size = 0;
    add_word(&b, v2_header(2, 1, 0));
    add_word(&b, 0xd83d006300620061); /* "abc" and half a character, the other half behind */
    add_word(&b, 0xde00);
    d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, b.size);
    cr_expect_str_eq(d.name, "abc\xef\xbf\xbd");
    cr_expect_eq(d.event.flags, (uint32_t)(ANNOT_PIX_TRUNCATED | ANNOT_PIX_INVALID_TEXT));
}

Test(pix_decode, v2_string_that_ends_at_the_announced_size_is_no_format)
{
    struct blob b = {{0}, 0};
    add_word(&b, v2_header(2, 1, 0x02));
    add_chars(&b, "%d%%");
    add_word(&b, 5); /* behind the event */
    struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, b.size);
    cr_expect_str_eq(d.name, "%d%%");
    cr_expect_eq(d.event.flags, 0u);
    b.bytes[0] = 3;
    b.bytes[0] |= 0x80;
    d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, b.size);
    cr_expect_str_eq(d.name, "5%");
}

Test(pix_decode, v2_event_longer_than_its_bytes_is_truncated)
{
    struct blob b = {{0}, 0};
    add_word(&b, v2_header(9, 1, 0x02));
    add_chars(&b, "a %d");
    const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, b.size);
    cr_expect_str_eq(d.name, "a 0");
    cr_expect_eq(d.event.flags, (uint32_t)(ANNOT_PIX_TRUNCATED | ANNOT_PIX_ARGUMENTS_MISSING));
}

/* Cut inside its string, it can't be told whether arguments followed: percent signs stay. */
Test(pix_decode, v2_string_cut_with_its_event_is_no_format)
{
    struct blob b = {{0}, 0};
    add_word(&b, v2_header(9, 1, 0x02));
    add_chars(&b, "%d %d %%");
    const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, 16);
    cr_expect_str_eq(d.name, "%d %d %%");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_TRUNCATED);
}

/* The same for v2: header, colour, context, string. */
Test(pix_decode, takes_v2_of_0_to_24_bytes)
{
    struct blob b = {{0}, 0};
    add_word(&b, v2_header(4, 1, 0xf3));
    add_word(&b, 0xff112233);
    add_word(&b, 42);
    add_chars(&b, "name");
    for (size_t size = 0; size <= 24; size++) {
        const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V2, b.bytes, size);
        cr_expect_str_eq(d.name, size < 8 ? "" : d.name);
        cr_expect_eq(d.status, size < 8 ? ANNOT_PIX_TOO_SHORT : ANNOT_PIX_OK, "size %zu", size);
        if (size >= 8) {
            cr_expect(d.event.flags & ANNOT_PIX_TRUNCATED, "size %zu", size);
            cr_expect_eq(d.event.color, size < 16 ? 0u : 0xff112233u, "size %zu", size);
            cr_expect_eq((d.event.flags & ANNOT_PIX_HAS_CONTEXT) != 0, size >= 24);
        }
    }
}

Test(pix_decode, unterminated_strings_are_whole_and_truncated)
{
    struct blob b = {{0}, 0};
    add_word(&b, V1_BEGIN);
    add_word(&b, 0xff112233);
    add_word(&b, INFO_8BIT);
    memcpy(b.bytes + b.size, "12345678abcd", 12);
    struct decoded d = decode_bytes(ANNOT_PIX_METADATA_V1, b.bytes, b.size + 12);
    cr_expect_str_eq(d.name, "12345678abcd");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_TRUNCATED);

    b.bytes[23] = 0x04;
    b.bytes[22] = 0x00; /* the same bytes as UTF-16 */
    d = decode_bytes(ANNOT_PIX_METADATA_V1, b.bytes, b.size + 3);
    cr_expect_str_eq(d.name, "\xe3\x88\xb1");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_TRUNCATED);
}

/* Bits 0 to 52 are zero, the chunk is 8 or 16: each other word is none. */
Test(pix_decode, each_wrong_bit_of_a_string_info_is_flagged)
{
    for (unsigned i = 0; i < 53 + 32; i++) {
        const uint64_t chunk = i < 53 ? 8 : i - 53;
        const bool is_info = i >= 53 && (chunk == 8 || chunk == 16);
        struct blob b = {{0}, 0};
        add_word(&b, V1_BEGIN);
        add_word(&b, 1);
        add_word(&b,
                 chunk << 55 | (uint64_t)1 << 54 |
                     (i < 53 ? (uint64_t)1 << i : (uint64_t)(i & 1) << 53)); /* bit 53 is free */
        add_chars(&b, "text of 2 words");
        const struct decoded d = decode_v1(&b);
        cr_expect_str_eq(d.name, is_info ? "text of 2 words" : "", "row %u", i);
        cr_expect_eq(d.event.flags, is_info ? 0u : (uint32_t)ANNOT_PIX_FORMAT_INVALID, "row %u", i);
    }
}

Test(pix_decode, half_a_utf16_unit_is_truncated)
{
    const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_UTF16, "n\0o", 3);
    cr_expect_str_eq(d.name, "n");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_TRUNCATED);
}

Test(pix_decode, null_data_is_no_bytes)
{
    char name[8];
    annot_pix_event event;
    cr_expect_eq(annot_pix_decode(1, NULL, 100, name, sizeof name, &event), ANNOT_PIX_OK);
    cr_expect_str_eq(name, "");
    cr_expect_eq(annot_pix_decode(2, NULL, 100, name, sizeof name, &event), ANNOT_PIX_TOO_SHORT);
}

Test(pix_decode, lone_surrogates_become_replacement_characters)
{
    static const uint16_t high_low_pair[] = {'a', 0xd800, 'b', 0xdc00, 0xd83c, 0xdfae, 0xd83c};
    const struct decoded d =
        decode_bytes(ANNOT_PIX_METADATA_UTF16, high_low_pair, sizeof high_low_pair);
    cr_expect_str_eq(d.name, "a\xef\xbf\xbd"
                             "b\xef\xbf\xbd\xf0\x9f\x8e\xae\xef\xbf\xbd");
    cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT);
}

static size_t put_utf8(char *to, uint32_t c)
{
    if (c < 0x80)
        to[0] = (char)c;
    else if (c < 0x800)
        to[0] = (char)(0xc0 | c >> 6);
    else if (c < 0x10000)
        to[0] = (char)(0xe0 | c >> 12);
    else
        to[0] = (char)(0xf0 | c >> 18);
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = 1; i < size; i++)
        to[i] = (char)(0x80 | (c >> 6 * (size - 1 - i) & 0x3f));
    to[size] = 0;
    return size;
}

static uint32_t lone_or_self(uint32_t unit)
{
    return unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit;
}

Test(pix_decode, a_high_surrogate_pairs_with_a_low_one_only)
{
    static const uint16_t behind[] = {1, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff};
    static const uint16_t first[] = {0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        for (size_t j = 0; j < sizeof behind / sizeof *behind; j++) {
            const uint32_t high = first[i], low = behind[j];
            const uint16_t text[] = {first[i], behind[j]};
            const bool is_pair = (high & 0xfc00) == 0xd800 && (low & 0xfc00) == 0xdc00;
            char expected[16];
            size_t size =
                put_utf8(expected, is_pair ? 0x10000 + (high - 0xd800) * 0x400 + low - 0xdc00
                                           : lone_or_self(high));
            if (!is_pair)
                put_utf8(expected + size, lone_or_self(low));
            const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_UTF16, text, sizeof text);
            cr_expect_str_eq(d.name, expected, "%x %x", high, low);
        }
}

/* Unicode, table 3-7: what is and isn't well formed, at each border. */
Test(pix_decode, utf8_is_checked_strictly)
{
    static const char *const good[] = {"\x7f",         "\xc2\x80",         "\xdf\xbf",
                                       "\xe0\xa0\x80", "\xed\x9f\xbf",     "\xee\x80\x80",
                                       "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"};
    static const char *const bad[] = {"\x80",
                                      "\xc1\xbf",
                                      "\xe0\x9f\xbf",
                                      "\xed\xa0\x80",
                                      "\xed\xbf\xbf",
                                      "\xf0\x8f\xbf\xbf",
                                      "\xf4\x90\x80\x80",
                                      "\xf5\x80\x80\x80",
                                      "\xff",
                                      "a\xc3",
                                      "a\xe4\xb8",
                                      "a\xf0\x9f\x8e",
                                      "\xc3(",
                                      "\xe4\xb8("};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_UTF8, good[i], strlen(good[i]));
        cr_expect_str_eq(d.name, good[i], "good %zu", i);
        cr_expect_eq(d.event.flags, 0u, "good %zu", i);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_UTF8, bad[i], strlen(bad[i]));
        cr_expect_str_eq(d.name, "<invalid UTF8 string>", "bad %zu", i);
        cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT, "bad %zu", i);
    }
    for (size_t i = 0; i < 40; i++) { /* wherever it stands */
        char text[] = "0123456789012345678901234567890123456789";
        text[i] = '\x80';
        const struct decoded d = decode_bytes(ANNOT_PIX_METADATA_UTF8, text, 40);
        cr_expect_eq(d.event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT, "byte %zu", i);
    }
}

/* Metadata alone decides the encoding; a blob of another one is refused or read as the text that it
 * isn't. */
Test(pix_decode, metadata_that_lies_has_a_defined_answer)
{
    struct blob v1 = {{0}, 0}, v2 = {{0}, 0};
    add_word(&v1, V1_BEGIN);
    add_word(&v1, 0xff112233);
    add_string(&v1, "name");
    add_word(&v2, v2_header(4, 1, 0xf3));
    add_word(&v2, 0xff112233);
    add_word(&v2, 42);
    add_chars(&v2, "name");

    cr_expect_eq(decode_bytes(2, v2.bytes, v2.size).status, ANNOT_PIX_NOT_V1);
    cr_expect_eq(decode_bytes(6345127, v1.bytes, v1.size).status, ANNOT_PIX_NOT_V2);
    cr_expect_eq(decode_bytes(2, "plain text", 10).status, ANNOT_PIX_NOT_V1);
    cr_expect_eq(decode_bytes(6345127, "plain text", 10).status, ANNOT_PIX_NOT_V2);
    cr_expect_str_eq(decode_bytes(1, v1.bytes, v1.size).name, ""); /* its first byte is 0 */
    cr_expect_str_eq(decode_bytes(1, v2.bytes, v2.size).name, "<invalid UTF8 string>");
    cr_expect_str_eq(decode_bytes(0, "ab", 2).name, "\xe6\x89\xa1");
    static const uint32_t unknown[] = {3, 42, 6345126, 0xffffffff};
    for (size_t i = 0; i < 4; i++) {
        const struct decoded d = decode_bytes(unknown[i], v1.bytes, v1.size);
        cr_expect_eq(d.status, ANNOT_PIX_UNKNOWN_METADATA);
        cr_expect_str_eq(d.name, "");
        cr_expect_eq(d.event.flags, 0u);
    }
}

Test(pix_decode, unknown_opcodes_and_types_are_refused)
{
    struct blob b = {{0}, 0};
    add_word(&b, 0);
    add_word(&b, 0);
    add_word(&b, 0);
    for (uint32_t opcode = 0; opcode < 0x400; opcode++) {
        const uint32_t plain = opcode & ~0x10u;
        const bool is_known = plain == 1 || plain == 2 || plain == 7 || plain == 8;
        b.bytes[1] = (uint8_t)(opcode << 2);
        b.bytes[2] = (uint8_t)(opcode >> 6);
        cr_expect_eq(decode_v1(&b).status, is_known ? ANNOT_PIX_OK : ANNOT_PIX_NOT_V1, "%x",
                     opcode);
    }
    b.bytes[1] = 0x08;
    b.bytes[2] = 0;
    for (uint8_t bit = 0; bit < 7; bit++) { /* bits 0-6 are what tells v2 */
        b.bytes[0] = (uint8_t)(1 << bit);
        cr_expect_eq(decode_v1(&b).status, ANNOT_PIX_NOT_V1, "bit %u", bit);
    }
    for (uint64_t type = 0; type < 32; type++) {
        struct blob v2 = {{0}, 0};
        add_word(&v2, v2_header(1, type, 2));
        cr_expect_eq(decode_bytes(6345127, v2.bytes, v2.size).status,
                     type <= 2 ? ANNOT_PIX_OK : ANNOT_PIX_NOT_V2);
        v2.size = 0;
        add_word(&v2, v2_header(0, type, 2));
        cr_expect_eq(decode_bytes(6345127, v2.bytes, 8).status, ANNOT_PIX_NOT_V2, "no size");
    }
}

Test(pix_decode, short_buffers_get_whole_characters_and_the_length)
{
    static const char text[] = "a\xc3\xa9\xe4\xb8\xad\xf0\x9f\x8e\xae"; /* 1, 2, 3 and 4 bytes */
    static const size_t stored[] = {0, 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (size_t capacity = 0; capacity < sizeof stored / sizeof *stored; capacity++) {
        char *const name = malloc(capacity + 16);
        annot_pix_event event;
        memset(name, 0x77, capacity + 16);
        annot_pix_decode(1, text, sizeof text, capacity ? name : NULL, capacity, &event);
        cr_expect_eq(event.name_length, 10u);
        annot_pix_decode(1, text, sizeof text, NULL, capacity, &event);
        cr_expect_eq(event.name_length, 10u, "without a place for it");
        if (capacity > 0) {
            cr_expect_eq(strlen(name), stored[capacity], "capacity %zu", capacity);
            cr_expect_eq(memcmp(name, text, stored[capacity]), 0);
        }
        for (size_t i = 0; i < 16; i++)
            cr_expect_eq(name[capacity + i], 0x77, "byte %zu behind %zu", i, capacity);
        free(name);
    }
}

/* Microsoft's decoder skips `alignment` bytes in front of the characters, takes whole chunks from
 * there, and goes on at the word where they end. */
Test(pix_decode, aligned_strings_begin_behind_their_alignment)
{
    static const char lead[] = "ABCDEFGHIJKLMNO";
    for (uint64_t alignment = 0; alignment < 16; alignment++)
        for (uint64_t chunk = 8; chunk <= 16; chunk += 8) {
            struct blob b = {{0}, 0};
            const bool is_valid = alignment < chunk;
            const size_t end = 32 + (size_t)((alignment + 16) & ~UINT64_C(7));
            add_word(&b, UINT64_C(1) << 10); /* with arguments */
            add_word(&b, 0xFF00FF00);
            add_word(&b, alignment << 60 | chunk << 55 | UINT64_C(1) << 54);
            memcpy(b.bytes + b.size, lead, alignment);
            memcpy(b.bytes + b.size + alignment, "light %d", 9); /* two words with its NUL */
            b.size = end - 8;
            b.bytes[b.size] = 0;
            add_word(&b, 42);
            const struct decoded d = decode_v1(&b);
            cr_expect_str_eq(d.name, is_valid ? "light 42" : "", "%u of %u", (unsigned)alignment,
                             (unsigned)chunk);
            cr_expect_eq((d.event.flags & ANNOT_PIX_FORMAT_INVALID) == 0, is_valid);
        }
}

Test(pix_decode, bytes_that_are_no_utf8_can_be_had_as_characters)
{
    char name[32];
    annot_pix_event event;
    cr_expect_eq(annot_pix_decode_bytes(1, "\xC3\xA4\xE4(\xFF", 5, name, sizeof name, &event),
                 ANNOT_PIX_OK);
    cr_expect_str_eq(name, "\xC3\xA4\xC3\xA4(\xC3\xBF");
    cr_expect_eq(event.flags, (uint32_t)ANNOT_PIX_INVALID_TEXT);
    cr_expect_eq(event.name_length, strlen(name));
}

Test(pix_decode, every_status_has_a_text)
{
    for (int status = ANNOT_PIX_OK; status <= ANNOT_PIX_NOT_V2 + 1; status++)
        cr_expect_gt(strlen(annot_pix_status_text((annot_pix_status)status)), 0u);
}
