/* Dumps that earlier versions wrote, in tests/golden/dumps: every later reader prints them as it
 * did, byte for byte. tests/golden/README.md says when an expected report may change. */
#include "golden_dumps.h"
#include "unit_kit.h"

#include "dump_builder.h"

#include <dirent.h>

enum { DUMPS_MAX = 64 };

struct golden_file golden_read(const char *name, const char *suffix)
{
    char path[512];
    snprintf(path, sizeof path, GOLDEN_DIR "/dumps/%s%s", name, suffix);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    struct golden_file read = {.bytes = calloc(1, size + 1), .size = size};
    cr_assert_eq(fread(read.bytes, 1, size, file), size);
    fclose(file);
    return read;
}

unsigned golden_each_of(const char *folder, const char *suffix, void (*visit)(const char *name))
{
    char path[512];
    unsigned count = 0;
    snprintf(path, sizeof path, GOLDEN_DIR "/%s", folder);
    DIR *directory = opendir(path);
    cr_assert_not_null(directory, "%s", path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char *end = strstr(entry->d_name, suffix);
        if (!end || strcmp(end, suffix) != 0)
            continue;
        *end = 0;
        visit(entry->d_name);
        count++;
    }
    closedir(directory);
    return count;
}

void golden_each(void (*visit)(const char *name))
{
    const unsigned count = golden_each_of("dumps", ".annotdmp", visit);
    cr_assert(count >= 16, "only %u golden dumps", count);
}

void golden_expect_part(const char *name, const char *heading, const char *text)
{
    char path[256], line[256];
    snprintf(path, sizeof path, "../%s", name);
    snprintf(line, sizeof line, "==== %s\n", heading);
    struct golden_file file = golden_read(path, ".txt");
    const char *part = strstr((const char *)file.bytes, line), *at = text;
    cr_assert_not_null(part, "%s.txt has no part '%s'; it would be:\n%s", name, heading, text);
    for (part += strlen(line); *at && *at == *part; part++)
        at++;
    cr_expect(!*at && (!*part || strncmp(part, "====", 4) == 0), "%s: %.300s\nexpected: %.300s",
              heading, at, part);
    free(file.bytes);
}

static void expect_same(const char *name, const char *suffix, char *report)
{
    struct golden_file expected = golden_read(name, suffix);
    size_t at = 0, line = 1;
    while (at < expected.size && report[at] == (char)expected.bytes[at])
        line += report[at++] == '\n';
    cr_expect_eqs(at, expected.size, report[at], 0,
                  "%s%s differs in line %zu: %.120s\nexpected: %.120s", name, suffix, line,
                  report + at, (char *)expected.bytes + at);
    free(expected.bytes);
    free(report);
}

static void print(const char *name)
{
    struct golden_file dump = golden_read(name, ".annotdmp");
    annot_reader *reader;
    annot_result result = annot_reader_open_memory(&guarded_memory, dump.bytes, dump.size, &reader);
    cr_assert(result == ANNOT_OK || result == ANNOT_ERROR_INCOMPLETE, "%s: %d", name, result);
    expect_same(name, ".txt", report_of(reader, false, NULL));
    expect_same(name, ".json", report_of(reader, true, &(annot_report_options){.all = true}));
    annot_reader_close(reader);
    free(dump.bytes);
}

Test(golden_dumps, are_printed_byte_for_byte_as_they_were)
{
    golden_each(print);
}
