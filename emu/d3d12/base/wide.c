#include "base/wide.h"

/* Reads one character of UTF-8; a byte that belongs to no character gives U+FFFD. Overlong forms,
 * surrogates and values past U+10FFFF are not UTF-8. */
static uint32_t next_utf8(const unsigned char **at, const unsigned char *end)
{
    static const uint32_t least[4] = {0, 0x80, 0x800, 0x10000};
    const unsigned char *p = *at;
    uint32_t c = *p++;
    int more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : -1;
    *at = p;
    if (more <= 0)
        return more == 0 ? c : 0xFFFD;
    c &= 0x3Fu >> more;
    for (int i = 0; i < more; i++) {
        if (p == end || (*p & 0xC0) != 0x80)
            return 0xFFFD;
        c = c << 6 | (*p++ & 0x3F);
    }
    if (c < least[more] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0xFFFD;
    *at = p;
    return c;
}

WCHAR *wide_from_utf8(const void *data, size_t size)
{
    WCHAR *wide = malloc((size + 1) * sizeof *wide);
    if (!wide)
        return NULL;
    const unsigned char *p = data, *end = p + size;
    size_t n = 0;
    while (p < end && *p != 0) {
        uint32_t c = next_utf8(&p, end);
        if (sizeof(WCHAR) == 2 && c > 0xFFFF) { /* four bytes of input are room for two units */
            wide[n++] = (WCHAR)(0xD7C0 + (c >> 10));
            c = 0xDC00 + (c & 0x3FF);
        }
        wide[n++] = (WCHAR)c;
    }
    wide[n] = 0;
    return wide;
}
