/* annot: what is in a dump, and what is in a PIX event blob. */
#include "commands.h"

#include "../program.h"

#include <annot/annot.h>

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: annot show DUMP [--output text|json] [--all] [--color auto|always|never]\n"
    "       annot show DUMP --blob N -o FILE\n"
    "       annot convert DUMP -o FILE.dxdmp\n"
    "       annot pix decode|encode --jsonl\n"
    "       annot capture [-o TRACE] -- PROGRAM [ARGUMENT...]\n"
    "       annot replay TRACE [--until CALL] [--runtime PATH] [--dump DUMP]\n"
    "       annot trace show|dump|info TRACE, annot trace diff TRACE TRACE\n"
    "       annot --version | --help\n"
    "\n"
    "annot COMMAND --help says more about a command.\n";

int main(int argc, char **argv)
{
    argv = program_set_up(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    if (strcmp(command, "show") == 0)
        return cmd_show(argc - 1, argv + 1);
    if (strcmp(command, "convert") == 0)
        return cmd_convert(argc - 1, argv + 1);
    if (strcmp(command, "pix") == 0)
        return cmd_pix(argc - 1, argv + 1);
    if (strcmp(command, "trace") == 0)
        return cmd_trace(argc - 1, argv + 1);
    if (strcmp(command, "capture") == 0)
        return cmd_capture(argc - 1, argv + 1);
    if (strcmp(command, "replay") == 0)
        return cmd_replay(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0)
        return printf("annot %s\n", annot_version()) < 0 || fflush(stdout) ? 2 : 0;
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0)
        return fputs(usage, stdout) < 0 || fflush(stdout) ? 2 : 0;
    if (*command)
        fprintf(stderr, "annot: unknown command '%.40s'; try: annot --help\n", command);
    else
        fputs("annot: a command is missing; try: annot show DUMP\n", stderr);
    return 2;
}
