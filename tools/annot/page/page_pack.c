#include "page.h"

#include <stdlib.h>
#include <string.h>

#ifdef ANNOT_HAVE_ZLIB
#include <zlib.h>
#endif

static void put_base64(FILE *file, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const unsigned char a = bytes[i], b = left > 1 ? bytes[i + 1] : 0,
                            c = left > 2 ? bytes[i + 2] : 0;
        const char out[4] = {digits[a >> 2], digits[(a & 3) << 4 | b >> 4],
                             (char)(left > 1 ? digits[(b & 15) << 2 | c >> 6] : '='),
                             (char)(left > 2 ? digits[c & 63] : '=')};
        fwrite(out, 1, sizeof out, file);
    }
}

/* The file's own error flag tells whether the write worked. */
#ifdef ANNOT_HAVE_ZLIB

const char *page_encoding(void)
{
    return "deflate";
}

bool page_pack(const struct cli_bytes *bytes, FILE *file)
{
    uLongf size = compressBound((uLong)bytes->size);
    unsigned char *out = malloc(size);
    const bool is_packed =
        out && compress(out, &size, (const unsigned char *)bytes->data, (uLong)bytes->size) == Z_OK;
    if (is_packed)
        put_base64(file, out, size);
    free(out);
    return is_packed;
}

#else

const char *page_encoding(void)
{
    return "identity";
}

bool page_pack(const struct cli_bytes *bytes, FILE *file)
{
    put_base64(file, (const unsigned char *)bytes->data, bytes->size);
    return true;
}

#endif
