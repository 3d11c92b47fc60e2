/* Opens a reader from a file or memory: loads the bytes, makes the model, runs the analysis, and
 * finds the hang. */
#include "hang/settle.h"
#include "analysis/analysis.h"
#include "base/os.h"
#include "base/sized.h"

#include <errno.h>

void annot_reader_close(annot_reader *reader)
{
    if (reader)
        annot__reader_destroy(reader);
}

static annot_result reader_finish(annot_reader *reader, annot_result result, annot_reader **out)
{
    if (result == ANNOT_OK)
        result = annot__read_model(reader);
    bool is_usable = result == ANNOT_OK || result == ANNOT_ERROR_INCOMPLETE;
    if (is_usable)
        annot__find_voice(reader);
    if (is_usable && annot__analyse(reader) && annot__settle(reader)) {
        *out = reader;
        return result;
    }
    if (is_usable)
        result = reader->allocation;
    annot_reader_close(reader);
    return result;
}

annot_result annot_reader_open_memory_sized(const annot_reader_desc *desc, size_t desc_size,
                                            const void *data, size_t size, annot_reader **out)
{
    annot_reader_desc known = {0};
    annot_reader *reader;
    uint64_t limit;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if ((!data && size > 0) || !ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_result result = annot__reader_create(&known, &reader, &limit);
    if (result != ANNOT_OK)
        return result;
    reader->file = (struct annot__bytes){data, size};
    return reader_finish(reader, size > limit ? ANNOT_ERROR_TOO_LARGE : ANNOT_OK, out);
}

annot_result annot_reader_open_file_sized(const annot_reader_desc *desc, size_t desc_size,
                                          const char *path, annot_reader **out)
{
    annot_reader_desc known = {0};
    annot_reader *reader;
    uint64_t limit;
    if (!out)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    *out = NULL;
    if (!path || !ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_result result = annot__reader_create(&known, &reader, &limit);
    if (result != ANNOT_OK)
        return result;
    FILE *file = annot__file_open_to_read(path);
    if (file) {
        setvbuf(file, NULL, _IONBF, 0);
        result = annot__reader_load(reader, file, limit);
        int error = errno;
        fclose(file);
        errno = error;
    } else {
        result = ANNOT_ERROR_IO;
    }
    return reader_finish(reader, result, out);
}
