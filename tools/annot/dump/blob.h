/* Writes a blob of a dump into a file. */
#pragma once

#include <annot/reader.h>

/* Writes the blob with the index `number` in the dump to `path`, which must not exist yet. Bytes
 * that the dump lacks become zeros. Returns the exit code of annot show. */
int blob_extract(const annot_reader *reader, const char *number, const char *path);
