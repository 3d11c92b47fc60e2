#include "state_object/dxil_library.h"

#include "base/dxbc.h"

#define TAG_RDAT DXBC_TAG('R', 'D', 'A', 'T')
#define VERSION  0x10u

enum part_type { PART_STRINGS = 1, PART_ARRAYS, PART_FUNCTIONS = 4, PART_RAW, PART_SUBOBJECTS };
enum { FUNCTION_SIZE = 7 * 4, SUBOBJECT_SIZE = (2 + DXIL_SUBOBJECT_VALUES) * 4 };

static bool read_table(struct bytes part, uint32_t least, struct dxil_table *table)
{
    if (!bytes_u32(part, 0, &table->count) || !bytes_u32(part, 4, &table->stride) ||
        table->stride < least)
        return false;
    const uint64_t size = (uint64_t)table->count * table->stride;
    return size <= part.size && bytes_part(part, 8, (size_t)size, &table->records);
}

static bool read_part(struct bytes content, uint32_t offset, struct dxil_library *library)
{
    uint32_t type, size;
    struct bytes part;
    if (!bytes_u32(content, offset, &type) || !bytes_u32(content, (size_t)offset + 4, &size) ||
        !bytes_part(content, (size_t)offset + 8, size, &part))
        return false;
    switch (type) {
    case PART_STRINGS:
        library->strings = part;
        return true;
    case PART_ARRAYS:
        library->arrays = part;
        return true;
    case PART_RAW:
        library->raw = part;
        return true;
    case PART_FUNCTIONS:
        return read_table(part, FUNCTION_SIZE, &library->functions);
    case PART_SUBOBJECTS:
        return read_table(part, SUBOBJECT_SIZE, &library->subobjects);
    default:
        return true; /* newer compilers have more */
    }
}

bool dxil_library_open(struct bytes container, struct dxil_library *out)
{
    struct bytes content;
    uint32_t version, parts, offset;
    *out = (struct dxil_library){0};
    if (dxbc_find(container, TAG_RDAT, &content) != DXBC_OK || !bytes_u32(content, 0, &version) ||
        version != VERSION || !bytes_u32(content, 4, &parts))
        return false;
    for (uint32_t i = 0; i < parts; i++)
        if (!bytes_u32(content, 8 + (size_t)i * 4, &offset) || !read_part(content, offset, out))
            return false;
    return true;
}

const char *dxil_library_string(const struct dxil_library *library, uint32_t at)
{
    const struct bytes strings = library->strings;
    return at < strings.size && memchr(strings.data + at, 0, strings.size - at) != NULL
               ? (const char *)strings.data + at
               : NULL;
}

bool dxil_library_array(const struct dxil_library *library, uint32_t at, struct bytes *numbers)
{
    uint32_t count;
    return bytes_u32(library->arrays, (size_t)at * 4, &count) &&
           count <= library->arrays.size / 4 &&
           bytes_part(library->arrays, (size_t)at * 4 + 4, (size_t)count * 4, numbers);
}

/* A record's first `count` numbers; the table has room for them. */
static bool read_record(const struct dxil_table *table, uint32_t index, uint32_t count,
                        uint32_t *numbers)
{
    if (index >= table->count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!bytes_u32(table->records, (size_t)index * table->stride + (size_t)i * 4, &numbers[i]))
            return false;
    return true;
}

bool dxil_library_function(const struct dxil_library *library, uint32_t index,
                           struct dxil_function *out)
{
    uint32_t numbers[FUNCTION_SIZE / 4] = {0};
    if (!read_record(&library->functions, index, FUNCTION_SIZE / 4, numbers))
        return false;
    *out = (struct dxil_function){.name = dxil_library_string(library, numbers[0]),
                                  .unmangled = dxil_library_string(library, numbers[1]),
                                  .kind = numbers[4],
                                  .payload = numbers[5],
                                  .attributes = numbers[6]};
    return out->name && out->unmangled;
}

bool dxil_library_subobject(const struct dxil_library *library, uint32_t index,
                            struct dxil_subobject *out)
{
    uint32_t numbers[SUBOBJECT_SIZE / 4] = {0};
    if (!read_record(&library->subobjects, index, SUBOBJECT_SIZE / 4, numbers))
        return false;
    out->kind = numbers[0];
    out->name = dxil_library_string(library, numbers[1]);
    memcpy(out->values, numbers + 2, sizeof out->values);
    return out->name != NULL;
}
