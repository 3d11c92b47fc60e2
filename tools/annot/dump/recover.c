/* annot recover: the dump that a killed program left in its layer's file. */
#include "cli.h"
#include "commands.h"
#include "options.h"

#include "live_file.h"

#include <annot/fleet.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const struct command command_recover = {
    .name = "recover",
    .about = "make a dump of what a killed program left",
    .operands = "FILE",
    .text =
        "Makes a dump of a .live file, named FILE.annotdmp, and prints its path. If a crash "
        "layer's "
        "setting recover is set, a program that is killed leaves a .live file beside its dumps. "
        "The dump shows the GPU's work at the layer's last check.",
    .end = "exit code: 0 written, 2 not written",
    ONE_OPERAND("file can be given", "a file is missing; usage: annot recover FILE"),
    .run = cmd_recover,
};

/* Opens the newest dump that is whole; NULL: there is none. */
static annot_reader *open_newest(const char *bytes, size_t size)
{
    annot_reader *reader = NULL;
    for (unsigned age = 0; age < 2 && !reader; age++) {
        size_t dump_size;
        const char *dump = live_file_find(bytes, size, age, &dump_size);
        if (dump && (annot_reader_open_memory(NULL, dump, dump_size, &reader) != ANNOT_OK ||
                     annot_reader_is_damaged(reader))) {
            annot_reader_close(reader);
            reader = NULL;
        }
    }
    return reader;
}

static int copy(const annot_reader *reader, const char *from)
{
    char to[4096];
    const annot_fact fact = {"recovered",
                             "from the file that the layer kept while the program ran; "
                             "what happened after this dump's time is lost"};
    snprintf(to, sizeof to, "%s.annotdmp", from);
    umask(077); /* as a layer's dumps: its owner's alone */
    FILE *file = cli_create("recover", to);
    const annot_report_sink sink = {file, cli_write};
    if (!file || !cli_close_created("recover", to, file,
                                    annot_dump_write_with(reader, &fact, 1, 0, &sink) == ANNOT_OK))
        return EXIT_UNUSABLE;
    cli_format(stdout, "%s\n", to);
    return EXIT_FINE;
}

int cmd_recover(int argc, char **argv)
{
    int count, code;
    char *bytes;
    size_t size;
    const char *why =
        "there is no whole dump in it: it is no .live file, it was cut or damaged, or "
        "the program was killed before the layer's first check";
    if (!options_read(&command_recover, argc, argv, NULL, &count, &code))
        return code;
    const enum os_read read = os_read_file(
        argv[1], false, LIVE_FILE_MAX + sizeof(struct live_header), &bytes, &size, &why);
    if (read == OS_READ_ABSENT || read == OS_READ_OUT_OF_MEMORY)
        why = strerror(read == OS_READ_ABSENT ? ENOENT : ENOMEM);
    annot_reader *reader = bytes ? open_newest(bytes, size) : NULL;
    code = reader ? copy(reader, argv[1]) : EXIT_UNUSABLE;
    if (!reader)
        cli_format(stderr, "annot recover: %s: %s\n", argv[1], why);
    annot_reader_close(reader);
    free(bytes);
    return code;
}
