/* The golden events through the decoder itself: more than the command line shows, and every prefix
 * of each of them [ANN-PIX-01, -03]. */
#include "unit_kit.h"
#include "pix_blob.h"

/* The text after "name": in a row, or NULL. Rows are written without spaces. */
static const char *find_field(const char *row, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *const found = strstr(row, key);
    return found ? found + strlen(key) : NULL;
}

/* Reads a JSON string of raw UTF-8 with the escapes that the rows use. */
static const char *read_string(const char *at, char *out)
{
    for (at++; *at != '"'; at++) {
        unsigned code = 0;
        if (*at != '\\') {
            *out++ = *at;
            continue;
        }
        switch (*++at) {
        case 't':
            *out++ = '\t';
            break;
        case 'u':
            cr_assert_eq(sscanf(at + 1, "%4x", &code), 1);
            cr_assert_lt(code, 0x80u);
            *out++ = (char)code;
            at += 4;
            break;
        default:
            *out++ = *at;
        }
    }
    *out = '\0';
    return at;
}

static size_t read_hex(const char *at, uint8_t *out)
{
    size_t size = 0;
    unsigned byte;
    for (at++; *at != '"'; at += 2) {
        cr_assert_eq(sscanf(at, "%2x", &byte), 1);
        out[size++] = (uint8_t)byte;
    }
    return size;
}

static void check_row(const char *row)
{
    char id[128], expected[2048];
    uint8_t bytes[1024];
    read_string(find_field(row, "id"), id);
    const char *const untrimmed = find_field(row, "untrimmed");
    read_string(untrimmed ? untrimmed : find_field(row, "name"), expected);
    const size_t size = read_hex(find_field(row, "hex"), bytes);
    const uint32_t metadata = (uint32_t)strtoul(find_field(row, "metadata"), NULL, 10);
    const bool is_hand = strstr(row, "\"mode\":\"hand\"") != NULL;
    const bool is_timing = strstr(row, "\"mode\":\"timing\"") != NULL;
    const bool is_invalid = strstr(row, "\"invalid-utf8\"") != NULL;

    const struct decoded d = decode_bytes(metadata, bytes, size);
    cr_expect_eq(d.status, ANNOT_PIX_OK, "%s", id);
    if (!strstr(row, "\"crt-dependent\""))
        cr_expect_str_eq(d.name, expected, "%s: %s", id, d.name);
    cr_expect_eq(d.event.color, (uint32_t)strtoul(find_field(row, "color"), NULL, 10), "%s", id);
    cr_expect_eq((d.event.flags & ANNOT_PIX_TRUNCATED) != 0, strstr(row, "\"truncated\"") != NULL,
                 "%s", id);
    cr_expect_eq(strcmp(d.name, "<invalid UTF8 string>") == 0, is_invalid, "%s", id);
    cr_expect(!is_invalid || (d.event.flags & ANNOT_PIX_INVALID_TEXT), "%s", id);
    cr_expect_eq(d.event.timestamp, is_timing ? 0x123456789ab : 0, "%s", id);
    cr_expect_eq((d.event.flags & ANNOT_PIX_HAS_CONTEXT) != 0, metadata == 6345127, "%s", id);
    if (!is_hand) {
        cr_expect_eq(d.event.kind,
                     strstr(row, "\"SetMarker\"") ? ANNOT_PIX_KIND_MARKER : ANNOT_PIX_KIND_BEGIN);
    }
    for (size_t prefix = 0; prefix < size; prefix++) {
        const struct decoded part = decode_bytes(metadata, bytes, prefix);
        cr_expect_eq(strlen(part.name), part.event.name_length, "%s cut at %zu", id, prefix);
    }
}

Test(pix_golden, every_row_decodes_and_every_prefix_is_survived)
{
    static char row[8192];
    size_t count = 0;
    FILE *const file = fopen(GOLDEN_DIR "/pix_golden.jsonl", "rb");
    cr_assert(file);
    while (fgets(row, sizeof row, file)) {
        check_row(row);
        count++;
    }
    fclose(file);
    cr_expect_eq(count, 247u);
}
