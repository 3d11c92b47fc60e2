/* Writes one of a dump's blobs into a file. */
#pragma once

#include <annot/reader.h>

/* Writes the dump's blob with the index `number` to the file `path`, which must not exist yet.
 * Writes zeros for bytes that the dump lacks. Returns the exit code of annot show. */
int blob_extract(const annot_reader *reader, const char *number, const char *path);
