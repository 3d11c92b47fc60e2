#include "blob.h"
#include "cli.h"

#include <stdlib.h>

/* Finds the position of the blob with this index. False: there is none. */
static bool find(const annot_reader *reader, const char *number, size_t *at)
{
    char *end;
    annot_reader_blob blob;
    unsigned long index = strtoul(number, &end, 10);
    if (end == number || *end)
        return false;
    for (*at = 0; annot_reader_blob_at(reader, *at, &blob); ++*at)
        if (blob.index == index)
            return true;
    return false;
}

/* Copies a blob. The announced size may be wrong, so it copies at most what a dump can have. */
static bool copy(const annot_reader *reader, size_t at, FILE *file)
{
    static char piece[65536];
    uint64_t offset = 0;
    size_t got;
    while (offset < ANNOT_READER_FILE_LIMIT &&
           (got = annot_reader_blob_read(reader, at, offset, piece, sizeof piece)) > 0) {
        if (fwrite(piece, 1, got, file) != got)
            return false;
        offset += got;
    }
    return true;
}

int blob_extract(const annot_reader *reader, const char *number, const char *path)
{
    size_t at;
    if (!find(reader, number, &at)) {
        fprintf(stderr,
                "annot show: no blob '%.20s' in this dump; \"blobs\" of --output json lists the "
                "blobs\n",
                number);
        return EXIT_UNUSABLE;
    }
    FILE *file = cli_create("show", path);
    if (!file || !cli_close_created("show", path, file, copy(reader, at, file)))
        return EXIT_UNUSABLE;
    return annot_reader_is_damaged(reader) ? EXIT_DAMAGED : EXIT_FINE;
}
