/* annot ask: a dump of a program that runs. */
#include "commands.h"
#include "cli.h"
#include "options.h"

#include "os_ask.h"

#include <stdlib.h>
#include <string.h>

const struct command command_ask = {
    .name = "ask",
    .about = "ask a running program for a dump",
    .operands = "PID",
    .text =
        "Asks a program for a dump, and prints the path of each device's dump. The program must "
        "run under annot d3d12 or annot vulkan, as this user and without more rights. The "
        "program's settings choose the dump's folder.",
    .end = "exit code: 0 = the dump was written; 2 = no dump was written",
    ONE_OPERAND("process can be asked", "a process is missing; usage: annot ask PID"),
    .run = cmd_ask,
};

int cmd_ask(int argc, char **argv)
{
    char answer[OS_ASK_ANSWER], *rest;
    int operands, code;
    if (!options_read(&command_ask, argc, argv, NULL, &operands, &code))
        return code;
    const unsigned long long process = strtoull(argv[1], &rest, 10);
    if (*rest || process == 0 || process > UINT32_MAX)
        return cli_complain("ask",
                            "the argument must be the number of a process; unusable:", argv[1]);
    const char *why = os_ask_refusal((uint32_t)process);
    if (!why)
        cli_format(stderr, "annot ask: process %llu: waiting for its answer, at most 30 s\n",
                   process);
    if (why || !os_ask((uint32_t)process, 30000, answer)) {
        cli_format(stderr, "annot ask: process %llu: %s\n", process, why ? why : answer);
        return EXIT_UNUSABLE;
    }
    for (const char *path = strtok(answer, "\n"); path; path = strtok(NULL, "\n"))
        cli_format(stdout, "%s\n", path);
    return EXIT_FINE;
}
