#include "page.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

#ifdef ANNOT_HAVE_ZLIB
#include <zlib.h>
#endif

void page_bytes_add(struct page_bytes *bytes, const void *data, size_t size)
{
    if (bytes->is_failed)
        return;
    if (!ARRAY_RESERVE(bytes->data, bytes->capacity, bytes->size + size)) {
        bytes->is_failed = true;
        return;
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

bool page_bytes_write(void *bytes, const void *data, size_t size)
{
    page_bytes_add(bytes, data, size);
    return true;
}

void page_bytes_free(struct page_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct page_bytes){NULL, 0, 0, false};
}

/* ---- base64, in pieces of any size ---- */

struct base64 {
    FILE *file;
    unsigned char kept[3];
    size_t count; /* of kept */
};

static void put_group(struct base64 *base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *kept = base64->kept;
    char out[4] = {digits[kept[0] >> 2], digits[(kept[0] & 3) << 4 | kept[1] >> 4],
                   digits[(kept[1] & 15) << 2 | kept[2] >> 6], digits[kept[2] & 63]};
    if (base64->count < 3)
        out[3] = '=';
    if (base64->count < 2)
        out[2] = '=';
    fwrite(out, 1, sizeof out, base64->file);
    memset(base64->kept, 0, sizeof base64->kept);
    base64->count = 0;
}

static void base64_add(struct base64 *base64, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        base64->kept[base64->count++] = bytes[i];
        if (base64->count == 3)
            put_group(base64);
    }
}

static void base64_end(struct base64 *base64)
{
    if (base64->count > 0)
        put_group(base64);
}

/* ---- packing ---- */

#ifdef ANNOT_HAVE_ZLIB

const char *page_encoding(void)
{
    return "deflate";
}

bool page_pack(const struct page_bytes *bytes, FILE *file)
{
    static unsigned char out[1 << 16];
    struct base64 base64 = {.file = file};
    z_stream stream = {.next_in = (unsigned char *)bytes->data};
    size_t left = bytes->size;
    int code = Z_OK;
    if (deflateInit(&stream, Z_DEFAULT_COMPRESSION) != Z_OK)
        return false;
    while (code != Z_STREAM_END) {
        if (stream.avail_in == 0) {
            stream.avail_in = left < 1u << 30 ? (uInt)left : 1u << 30;
            left -= stream.avail_in;
        }
        stream.next_out = out;
        stream.avail_out = sizeof out;
        code = deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END)
            break;
        base64_add(&base64, out, sizeof out - stream.avail_out);
    }
    deflateEnd(&stream);
    base64_end(&base64);
    return code == Z_STREAM_END; /* whether the file took it, its own error flag says */
}

#else

const char *page_encoding(void)
{
    return "identity";
}

bool page_pack(const struct page_bytes *bytes, FILE *file)
{
    struct base64 base64 = {.file = file};
    base64_add(&base64, (const unsigned char *)bytes->data, bytes->size);
    base64_end(&base64);
    return true;
}

#endif
