/* A dump as a file: absent, PATH.part, or whole. The magic goes in last, after the rest is on disk.
 */
#include "base/os.h"

#include <annot/dump.h>

#include <assert.h>
#include <string.h>

static bool file_write(void *user, const void *data, size_t size)
{
    return annot__file_append(user, data, size);
}

static bool file_finish(void *user, const void *magic, size_t size)
{
    return annot__file_sync(user) && annot__file_write_at_start(user, magic, size) &&
           annot__file_sync(user);
}

annot_result annot_dump_write_file(annot_dump_writer *writer, const annot_dump_info *info,
                                   const char *path)
{
    static const char suffix[] = ".part";
    char part[4096];
    assert(writer && path);
    size_t length = strlen(path);
    if (length == 0 || length > sizeof part - sizeof suffix)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    memcpy(part, path, length);
    memcpy(part + length, suffix, sizeof suffix);

    annot__file file;
    if (!annot__file_create(&file, part))
        return ANNOT_ERROR_IO;
    annot_dump_sink sink = {&file, file_write, file_finish};
    annot_result result = annot_dump_write(writer, info, &sink);
    annot__file_close(&file);
    if (result == ANNOT_OK && !annot__file_publish(part, path))
        result = ANNOT_ERROR_IO;
    if (result != ANNOT_OK)
        annot__file_remove(part);
    return result;
}
