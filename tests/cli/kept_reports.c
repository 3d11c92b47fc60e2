/* The linker puts this in front of annot_reader_close: with ANNOT_TEST_REPORTS, a folder, whatever
 * dump a test had open leaves its report there, under the hash of what it says. tests/cli/schema.sh
 * checks them. */
#include <annot/reader.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void __real_annot_reader_close(annot_reader *reader);
void __wrap_annot_reader_close(annot_reader *reader);

static void keep(const char *folder, const annot_reader *reader)
{
    const annot_report_options options = {.all = true};
    char path[4096], *text = NULL;
    size_t size = 0;
    if (annot_report_memory(reader, ANNOT_REPORT_JSON, &options, &text, &size) != ANNOT_OK)
        return;
    snprintf(path, sizeof path, "%s/%016" PRIx64 ".json", folder,
             (uint64_t)XXH3_64bits(text, size));
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(text, 1, size, file);
        fclose(file);
    }
    annot_report_free(text);
}

void __wrap_annot_reader_close(annot_reader *reader)
{
    const char *folder = getenv("ANNOT_TEST_REPORTS");
    if (folder && reader)
        keep(folder, reader);
    __real_annot_reader_close(reader);
}
