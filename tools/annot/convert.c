/* annot convert: an annotation dump as a DirectX dump file. */
#include "commands.h"

#include <annot/dxdmp.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_FINE = 0, EXIT_DAMAGED = 1, EXIT_UNUSABLE = 2 };

static const char usage[] =
    "usage: annot convert DUMP -o FILE.dxdmp\n"
    "\n"
    "Writes the dump as a DirectX dump file, for tools that read those: objects, annotations by "
    "queue and\n"
    "allocator, blobs. The dump itself goes into it as a driver's blob, so that annot show "
    "FILE.dxdmp still\n"
    "shows the tree of markers and its states. An existing file is not replaced.\n"
    "\n"
    "exit code: 0 written, 1 written but the dump is damaged or incomplete, 2 not written\n";

static int complain(const char *what, const char *which)
{
    fprintf(stderr, "annot convert: %s '%.60s'; try: annot convert --help\n", what, which);
    return EXIT_UNUSABLE;
}

static int parse(int argc, char **argv, const char **from, const char **to)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--out") == 0) {
            if (++i == argc)
                return complain("a file's name is missing behind", argv[i - 1]);
            *to = argv[i];
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return complain("unknown option", argv[i]);
        } else if (*from) {
            return complain("one dump at a time; unexpected", argv[i]);
        } else {
            *from = argv[i];
        }
    }
    if (!*from || !*to) {
        fputs("annot convert: which dump, and to where? annot convert DUMP -o FILE.dxdmp\n",
              stderr);
        return EXIT_UNUSABLE;
    }
    return EXIT_FINE;
}

static bool write_file(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static int fail(const char *path, annot_result result)
{
    const char *why =
        result == ANNOT_ERROR_IO && errno ? strerror(errno) : annot_result_text(result);
    fprintf(stderr, "annot convert: %.200s: %s\n", path, why);
    return EXIT_UNUSABLE;
}

/* Removes what is left of a file that could not be written whole. */
static annot_result convert(const annot_reader *reader, const char *to)
{
    FILE *file = fopen(to, "wbx");
    if (!file)
        return ANNOT_ERROR_IO;
    annot_report_sink sink = {.user = file, .write = write_file};
    annot_result result = annot_dxdmp_write(reader, &sink);
    int error = errno;
    if (fclose(file) != 0 && result == ANNOT_OK) {
        result = ANNOT_ERROR_IO;
        error = errno;
    }
    if (result != ANNOT_OK)
        remove(to);
    errno = error;
    return result;
}

int cmd_convert(int argc, char **argv)
{
    const char *from = NULL, *to = NULL;
    annot_reader *reader;
    if (argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
        return fputs(usage, stdout) < 0 || fflush(stdout) ? EXIT_UNUSABLE : EXIT_FINE;
    int code = parse(argc, argv, &from, &to);
    if (code != EXIT_FINE)
        return code;
    errno = 0;
    annot_result result = annot_reader_open_file(NULL, from, &reader);
    if (!reader)
        return fail(from, result);
    bool is_damaged = result != ANNOT_OK || annot_reader_is_damaged(reader);
    errno = 0;
    result = convert(reader, to);
    annot_reader_close(reader);
    if (result != ANNOT_OK)
        return fail(to, result);
    return is_damaged ? EXIT_DAMAGED : EXIT_FINE;
}
