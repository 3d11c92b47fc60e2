/* Writes a dump into the caller's memory. */
#include "dump_write/writer.h"

#include <stdint.h>

struct target {
    char *bytes;
    size_t capacity, size; /* `size`: bytes of the whole dump */
};

static bool target_write(void *user, const void *data, size_t size)
{
    struct target *target = user;
    if (target->size <= target->capacity && size <= target->capacity - target->size)
        memcpy(target->bytes + target->size, data, size);
    target->size = size <= SIZE_MAX - target->size ? target->size + size : SIZE_MAX;
    return true;
}

static bool target_finish(void *user, const void *magic, size_t size)
{
    struct target *target = user;
    if (target->size <= target->capacity)
        memcpy(target->bytes, magic, size);
    return true;
}

annot_result annot_dump_write_memory_sized(annot_dump_writer *writer, const annot_dump_info *info,
                                           size_t info_size, void *buffer, size_t capacity,
                                           size_t *size)
{
    if (!size || (!buffer && capacity > 0))
        return annot__misuse(writer ? writer->device : NULL, "annot_dump_write_memory",
                             "`buffer` must not be NULL if `capacity` is above 0");
    *size = 0;
    struct target target = {.bytes = buffer, .capacity = capacity};
    const annot_dump_sink sink = {&target, target_write, target_finish};
    const annot_result result = annot_dump_write_sized(writer, info, info_size, &sink);
    *size = target.size;
    return target.size > capacity ? ANNOT_ERROR_TOO_LARGE : result;
}
