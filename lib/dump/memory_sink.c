/* A dump into memory that the caller has. */
#include <annot/dump.h>

#include <assert.h>
#include <string.h>

struct target {
    char *bytes;
    size_t capacity, size; /* size: of all that came */
};

static bool target_write(void *user, const void *data, size_t size)
{
    struct target *target = user;
    if (target->size <= target->capacity && size <= target->capacity - target->size)
        memcpy(target->bytes + target->size, data, size);
    target->size += size;
    return true;
}

static bool target_finish(void *user, const void *magic, size_t size)
{
    struct target *target = user;
    if (target->size <= target->capacity)
        memcpy(target->bytes, magic, size);
    return true;
}

annot_result annot_dump_write_memory(annot_dump_writer *writer, const annot_dump_info *info,
                                     void *buffer, size_t capacity, size_t *size)
{
    struct target target = {.bytes = buffer, .capacity = capacity};
    annot_dump_sink sink = {&target, target_write, target_finish};
    assert(size && (buffer || capacity == 0));
    annot_result result = annot_dump_write(writer, info, &sink);
    *size = target.size;
    if (result == ANNOT_OK && target.size > capacity)
        result = ANNOT_ERROR_TOO_LARGE;
    return result;
}
