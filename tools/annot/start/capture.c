/* annot capture: starts a program with the recording D3D12 library in front of the real library. */
#include "cli.h"
#include "commands.h"
#include "options.h"

#ifndef ANNOT_HAVE_REPLAY

ABSENT_COMMAND(capture, "run a program and record its D3D12 calls", "-- PROGRAM [ARGUMENT...]",
               "annot was built without D3D12; build annot with DirectX-Headers to record programs")

#else

#include "child.h"
#include "front.h"

#include <stdbool.h>
#include <string.h>

struct arguments {
    const char *file, *runtime;
};

static const struct option table[] = {
    OPTION(
        "-o", "TRACE", file,
        "the trace's file (default: annot-%p.annottrace); \"%p\" in the name means the process id. "
        "If the file exists, the trace gets the name NAME-2.EXT, and standard error says so"),
    OPTION_RUNTIME,
};

const struct command command_capture = {
    .name = "capture",
    .about = "run a program and record its D3D12 calls",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .text = "Runs a program and records the D3D12 calls of all its processes.",
    OPTIONS(table),
    .end = "exit code: the program's exit code; 1 instead of 0 if no D3D12 call was recorded, or "
           "a recording ended early; 2 if the program can't be started",
    .least = 1,
    .most = MANY_OPERANDS,
    .missing = "a program is missing; usage: annot capture -- PROGRAM",
    .runs_program = true,
    .run = cmd_capture,
};

int cmd_capture(int argc, char **argv)
{
    struct arguments a = {0};
    int count, code;
    if (!options_read(&command_capture, argc, argv, &a, &count, &code))
        return code;
    if (a.file && strcmp(a.file, "-") == 0)
        return cli_complain("capture", "-o needs the name of a file; unusable:", a.file);
    struct front front = {.command = "capture"};
    if ((code = front_find(&front, a.runtime, argv[1])) != EXIT_FINE)
        return code;
    if (!child_set_variable("ANNOT_CAPTURE_RUNTIME", front.runtime) ||
        (a.file && !child_set_variable("ANNOT_CAPTURE_FILE", a.file)))
        return cli_complain("capture", "out of memory:", argv[1]);
    return front_run(&front, argv + 1);
}

#endif
