#include "dxdmp/writer.h"

#include "base/utf.h"

void dxdmp_put(struct dxdmp_file *file, uint64_t value, unsigned size)
{
    char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (char)(value >> (8 * i));
    annot__out_bytes(&file->out, bytes, size);
}

void dxdmp_put_all(struct dxdmp_file *file, const uint64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dxdmp_put_u64(file, values[i]);
}

void dxdmp_put_zeros(struct dxdmp_file *file, uint64_t count)
{
    while (count-- > 0)
        dxdmp_put(file, 0, 1);
}

static uint64_t padding(uint64_t size)
{
    return (0 - size) & 7;
}

void dxdmp_begin_section(struct dxdmp_file *file, uint32_t type, uint64_t size)
{
    DXDMP_PUT_U64(file, type, size);
}

void dxdmp_begin_memory(struct dxdmp_file *file, uint32_t type, uint64_t key, uint64_t size)
{
    dxdmp_begin_section(file, DXDMP_MEMORY, DXDMP_MEMORY_HEADER_SIZE + size + padding(size));
    DXDMP_PUT_U64(file, type, size, key);
}

void dxdmp_end_memory(struct dxdmp_file *file, uint64_t size)
{
    dxdmp_put_zeros(file, padding(size));
}

void dxdmp_put_wide(struct dxdmp_file *file, uint32_t type, uint64_t key, annot_text text)
{
    size_t most = sizeof file->units / sizeof *file->units;
    size_t size = text.size < most ? text.size : most; /* a unit needs at least one byte */
    size_t units = annot__utf8_to(file->units, ANNOT_TEXT_UTF16, text.data, size);
    dxdmp_begin_memory(file, type, key, 2 * (units + 1));
    for (size_t i = 0; i < units; i++)
        dxdmp_put(file, file->units[i], 2);
    dxdmp_put(file, 0, 2);
    dxdmp_end_memory(file, 2 * (units + 1));
}
