/* Writes a dump's blob into a file. */
#pragma once

#include <annot/reader.h>

/* Writes the blob whose index the dump gives as `number` to `path`, which must not exist yet. Bytes
 * that the dump doesn't hold are zeros. Returns the exit code of annot show. */
int blob_extract(const annot_reader *reader, const char *number, const char *path);
