/* Finds the characters that may be printed unchanged, and replaces the others [ANN-SEC-06]. */
#include "base/utf.h"

#include <annot/text.h>

#include <stdio.h>
#include <string.h>

/* Unicode 15: general categories Cc, Cf, Zl, Zp, Cs and the property Default_Ignorable_Code_Point.
 * Ascending. The last range ends every search: it has all numbers behind the characters. */
static const struct range {
    uint32_t first, last;
} unsafe[] = {
    {0x0000, 0x001F},   {0x007F, 0x009F},       {0x00AD, 0x00AD},   {0x034F, 0x034F},
    {0x0600, 0x0605},   {0x061C, 0x061C},       {0x06DD, 0x06DD},   {0x070F, 0x070F},
    {0x0890, 0x0891},   {0x08E2, 0x08E2},       {0x115F, 0x1160},   {0x17B4, 0x17B5},
    {0x180B, 0x180F},   {0x200B, 0x200F},       {0x2028, 0x202E},   {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xD800, 0xDFFF},       {0xFDD0, 0xFDEF},   {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},       {0xFFF0, 0xFFFB},   {0x110BD, 0x110BD},
    {0x110CD, 0x110CD}, {0x13430, 0x1343F},     {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
    {0xE0000, 0xE0FFF}, {0x110000, UINT32_MAX},
};

static bool is_inert(uint32_t character)
{
    for (size_t i = 0; unsafe[i].first <= character; i++)
        if (character <= unsafe[i].last)
            return false;
    return (character & 0xFFFE) != 0xFFFE;
}

static int escape_text(uint32_t c, char *to)
{
    if (c == '\n' || c == '\r' || c == '\t')
        return snprintf(to, ANNOT_ESCAPED_MAX, "\\%c", c == '\n' ? 'n' : c == '\r' ? 'r' : 't');
    if (c < 0x100)
        return snprintf(to, ANNOT_ESCAPED_MAX, "\\x%02x", c);
    return snprintf(to, ANNOT_ESCAPED_MAX, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

/* Escapes as UTF-16 for JSON, except controls for which JSON has letters. */
static int escape_json(uint32_t c, char *to)
{
    static const char letters[] = "btn\0fr"; /* 8 to 13 */
    if (c >= 8 && c <= 13 && letters[c - 8])
        return snprintf(to, ANNOT_ESCAPED_MAX, "\\%c", letters[c - 8]);
    if (c == '"' || c == '\\')
        return snprintf(to, ANNOT_ESCAPED_MAX, "\\%c", (char)c);
    if (c < 0x10000)
        return snprintf(to, ANNOT_ESCAPED_MAX, "\\u%04x", c);
    return snprintf(to, ANNOT_ESCAPED_MAX, "\\u%04x\\u%04x", 0xD800 + ((c - 0x10000) >> 10),
                    0xDC00 + (c & 0x3FF));
}

size_t annot_text_escape(annot_escape how, const char *text, size_t size,
                         char out[ANNOT_ESCAPED_MAX], size_t *out_size)
{
    size_t step = 0;
    *out_size = 0;
    if (size == 0)
        return 0;
    uint32_t c = annot__utf8_next(text, size, &step);
    if (c == ANNOT__UTF_INVALID)
        *out_size = annot__utf8_encode(out, 0xFFFD);
    else if (how == ANNOT_ESCAPE_JSON && (c == '"' || c == '\\' || !is_inert(c)))
        *out_size = (size_t)escape_json(c, out);
    else if (!is_inert(c))
        *out_size = (size_t)escape_text(c, out);
    else
        memcpy(out, text, *out_size = step);
    return step;
}
