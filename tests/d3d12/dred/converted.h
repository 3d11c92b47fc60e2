/* A dump as a DirectX dump file, whose DRED is then all that says where the GPU stopped. */
#pragma once

#include "dred_kit.h"

#include <annot/dxdmp.h>

struct converted {
    char *bytes;
    size_t size;
};

static inline bool converted_gather(void *user, const void *data, size_t size)
{
    struct converted *to = user;
    to->bytes = realloc(to->bytes, to->size + size);
    cr_assert_not_null(to->bytes);
    memcpy(to->bytes + to->size, data, size);
    to->size += size;
    return true;
}

/* What is made of the file without the dump inside; the caller frees made->bytes behind it. */
static inline annot_reader *convert(const annot_reader *of, struct converted *made)
{
    struct converted file = {NULL, 0};
    annot_reader *reader = NULL;
    *made = file;
    cr_assert_eq(annot_dxdmp_write(of, &(annot_report_sink){&file, converted_gather}), ANNOT_OK);
    for (size_t i = 0; i + 8 <= file.size; i++)
        if (memcmp(file.bytes + i, "ANNOTDMP", 8) == 0)
            file.bytes[i] = 'N';
    cr_assert_eq(annot_dxdmp_as_dump(NULL, file.bytes, file.size,
                                     &(annot_report_sink){made, converted_gather}),
                 ANNOT_OK);
    free(file.bytes);
    cr_assert_eq(annot_reader_open_memory(NULL, made->bytes, made->size, &reader), ANNOT_OK);
    return reader;
}
