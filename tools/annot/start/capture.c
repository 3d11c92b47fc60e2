/* annot capture: starts a program with the recording D3D12 library in front of the real one. */
#include "cli.h"
#include "commands.h"

#include <stdio.h>

#ifndef ANNOT_HAVE_REPLAY

int cmd_capture(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs("annot capture: this program was built without D3D12; programs are recorded where "
          "it was built with DirectX-Headers\n",
          stderr);
    return EXIT_UNUSABLE;
}

#else

#include "child.h"
#include "front.h"

#include <stdbool.h>
#include <string.h>

static const char usage[] =
    "usage: annot capture [-o TRACE] [--runtime PATH] -- PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs a program and records its D3D12 calls, for every process of it that makes any.\n"
    "\n"
    "  -o TRACE         the file; \"%p\" in it stands for the process id (default: "
    "annot-%p.annottrace). Where there\n"
    "                   is a file of that name the trace is NAME-2.EXT; which it is, is told on "
    "standard error\n"
    "  --runtime PATH   the real D3D12 library (default: the first libd3d12.so on LD_LIBRARY_PATH, "
    "else the emulator; on\n"
    "                   Windows the emulator)\n"
    "\n"
    "exit code: the program's; 1 when it ended well and none of its calls came by; 2 when it can't "
    "be started\n";

int cmd_capture(int argc, char **argv)
{
    const char *file = NULL, *runtime = NULL;
    int i = 1;
    while (i < argc && argv[i][0] == '-') {
        const char *option = argv[i++];
        if (strcmp(option, "--") == 0)
            break;
        if (cli_is_help(option))
            return cli_print_usage(usage);
        const bool is_file = strcmp(option, "-o") == 0;
        if ((!is_file && strcmp(option, "--runtime") != 0) || i == argc)
            return cli_refuse_option("capture", usage, option);
        *(is_file ? &file : &runtime) = argv[i++];
    }
    if (i >= argc)
        return cli_complain("capture", "a program is missing", "");
    struct front front = {.command = "capture"};
    if (!front_find(&front, runtime, argv[i]))
        return EXIT_UNUSABLE;
    if (!child_set_variable("ANNOT_CAPTURE_RUNTIME", front.runtime) ||
        (file && !child_set_variable("ANNOT_CAPTURE_FILE", file)))
        return cli_complain("capture", "out of memory for", argv[i]);
    return front_run(&front, argv + i);
}

#endif
