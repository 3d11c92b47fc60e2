/*
 * Root signatures among the subobjects of a DXIL library: its chunk RDAT, as DirectXShaderCompiler
 * writes it. All numbers little-endian, 32 bits.
 *
 *     content     version, parts: number, the offset of each
 *     part        type, bytes of its content, content
 *     texts 1     UTF-8, each with a zero behind it; raw bytes 5
 *     subobjects 6   records: number, bytes of one; records
 *     record      kind (1: global root signature, 2: local), offset of its name among the texts;
 *                 of a root signature: offset of its content among the raw bytes, size
 */
#include "root_signature/root_signature_blob.h"

#include "base/dxbc.h"
#include "base/wide.h"

enum { PART_TEXTS = 1, PART_BYTES = 5, PART_SUBOBJECTS = 6, GLOBAL = 1, LOCAL = 2, RECORD = 16 };

static bool find_part(struct bytes content, uint32_t type, struct bytes *out)
{
    uint32_t count = 0, at, found, size;
    if (!bytes_u32(content, 4, &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!bytes_u32(content, 8 + i * 4, &at) || !bytes_u32(content, at, &found) ||
            !bytes_u32(content, (size_t)at + 4, &size))
            return false;
        if (found == type)
            return bytes_part(content, (size_t)at + 8, size, out);
    }
    return false;
}

static enum root_read is_named(struct bytes texts, size_t at, const WCHAR *name)
{
    const unsigned char *end = at < texts.size ? memchr(texts.data + at, 0, texts.size - at) : NULL;
    if (!end)
        return ROOT_READ_DAMAGED;
    WCHAR *wide = wide_from_utf8(texts.data + at, (size_t)(end - texts.data) - at);
    const bool is = wide && wide_same(wide, name);
    free(wide);
    return !wide ? ROOT_READ_NO_MEMORY : is ? ROOT_READ_OK : ROOT_READ_NONE;
}

/* The record at `at`. NONE: another one. */
static enum root_read match(struct bytes records, size_t at, struct bytes texts, const WCHAR *name)
{
    uint32_t kind, text;
    if (!bytes_u32(records, at, &kind) || !bytes_u32(records, at + 4, &text))
        return ROOT_READ_DAMAGED;
    if (kind != GLOBAL && kind != LOCAL)
        return ROOT_READ_NONE;
    return name ? is_named(texts, text, name) : ROOT_READ_OK;
}

enum root_read root_signature_find(struct bytes *bytes, const WCHAR *name)
{
    struct bytes content, texts, raw, records, found = {NULL, 0};
    uint32_t count, stride, at, size;
    const enum dxbc_result chunk = dxbc_find(*bytes, DXBC_TAG('R', 'D', 'A', 'T'), &content);
    if (chunk == DXBC_DAMAGED)
        return ROOT_READ_DAMAGED;
    if (chunk != DXBC_OK || !find_part(content, PART_TEXTS, &texts) ||
        !find_part(content, PART_BYTES, &raw) || !find_part(content, PART_SUBOBJECTS, &records))
        return ROOT_READ_NONE;
    if (!bytes_u32(records, 0, &count) || !bytes_u32(records, 4, &stride) || stride < RECORD ||
        count > (records.size - 8) / stride)
        return ROOT_READ_DAMAGED;
    for (size_t i = 0; i < count; i++) {
        const size_t record = 8 + i * stride;
        const enum root_read is = match(records, record, texts, name);
        if (is == ROOT_READ_NONE)
            continue;
        if (is != ROOT_READ_OK)
            return is;
        if (found.data || !bytes_u32(records, record + 8, &at) ||
            !bytes_u32(records, record + 12, &size) || !bytes_part(raw, at, size, &found))
            return ROOT_READ_DAMAGED; /* two of the name, or without one */
    }
    if (!found.data)
        return ROOT_READ_NONE;
    *bytes = found;
    return ROOT_READ_OK;
}
