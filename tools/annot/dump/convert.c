/* annot convert: an annotation dump as a DirectX dump file. */
#include "cli.h"
#include "commands.h"

#include <annot/dxdmp.h>

#include <errno.h>
#include <string.h>

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

static int parse(int argc, char **argv, const char **from, const char **to)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--out") == 0) {
            if (++i == argc)
                return cli_complain("convert", "a file's name is missing behind", argv[i - 1]);
            *to = argv[i];
        } else if (argv[i][0] == '-' && argv[i][1]) {
            return cli_refuse_option("convert", usage, argv[i]);
        } else if (*from) {
            return cli_complain("convert", "one dump at a time; unexpected", argv[i]);
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

static int convert(const annot_reader *reader, const char *to)
{
    FILE *file = cli_create("convert", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {.user = file, .write = write_file};
    const annot_result result = annot_dxdmp_write(reader, &sink);
    if (result == ANNOT_ERROR_OUT_OF_MEMORY)
        errno = ENOMEM;
    return cli_close_created("convert", to, file, result == ANNOT_OK) ? EXIT_FINE : EXIT_UNUSABLE;
}

int cmd_convert(int argc, char **argv)
{
    const char *from = NULL, *to = NULL;
    struct cli_dump dump;
    if (argc > 1 && cli_is_help(argv[1]))
        return cli_print_usage(usage);
    int code = parse(argc, argv, &from, &to);
    if (code != EXIT_FINE)
        return code;
    if (!cli_open("convert", from, &dump))
        return EXIT_UNUSABLE;
    code = convert(dump.reader, to);
    const bool is_damaged = dump.is_damaged;
    cli_close(&dump);
    return code == EXIT_FINE && is_damaged ? EXIT_DAMAGED : code;
}
