/* annot convert: an annotation dump as a DirectX dump file. */
#include "cli.h"
#include "commands.h"
#include "options.h"

#include <annot/dxdmp.h>

#include <errno.h>

struct arguments {
    const char *to;
};

static const struct option table[] = {
    OPTION_WANTED("-o", "FILE", to, OPTION_NEEDED,
                  "the DirectX dump file to write; the file must not exist yet"),
};

const struct command command_convert = {
    .name = "convert",
    .about = "write a dump as a DirectX dump file",
    .operands = "DUMP",
    .text = "Writes the dump as a DirectX dump file with objects, blobs, and annotations by queue "
            "and allocator. A driver's blob in the file contains the whole dump, so annot show "
            "FILE still shows the tree of markers and the markers' states.",
    OPTIONS(table),
    .end = "exit code: 0 = written; 1 = written from a damaged or incomplete dump; 2 = not written",
    ONE_OPERAND("dump can be given",
                "a dump or -o is missing; usage: annot convert DUMP -o FILE.dxdmp"),
    .run = cmd_convert,
};

static int convert(const annot_reader *reader, const char *to)
{
    FILE *file = cli_create("convert", to);
    if (!file)
        return EXIT_UNUSABLE;
    const annot_report_sink sink = {.user = file, .write = cli_write};
    const annot_result result = annot_dxdmp_write(reader, &sink);
    if (result == ANNOT_ERROR_OUT_OF_MEMORY)
        errno = ENOMEM;
    return cli_close_created("convert", to, file, result == ANNOT_OK) ? EXIT_FINE : EXIT_UNUSABLE;
}

int cmd_convert(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct cli_dump dump;
    int count, code;
    if (!options_read(&command_convert, argc, argv, &arguments, &count, &code))
        return code;
    if (!cli_open("convert", argv[1], &dump))
        return EXIT_UNUSABLE;
    return cli_close(&dump, "convert", convert(dump.reader, arguments.to));
}
