/* annot d3d12: starts a program with the D3D12 crash layer, and shows the dumps that appear. */
#include "cli.h"
#include "commands.h"
#include "options.h"

#ifndef ANNOT_HAVE_REPLAY

ABSENT_COMMAND(d3d12, "run a D3D12 program under the crash layer", "-- PROGRAM [ARGUMENT...]",
               "annot was built without D3D12; build annot with DirectX-Headers to have the layer")

#else

#include "child.h"
#include "crash_options.h"
#include "front.h"
#include "environment.h"
#include "os_path.h"

#include <annot/annot.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct crash_options crash;
    const char *runtime;
};

static const struct option table[] = {
    CRASH_OPTIONS(
        "auto|immediate|readback|copy|dred|fence",
        "makes a device, tries each kind of evidence, and prints what works on this machine"),
    OPTION_RUNTIME,
};

const struct command command_d3d12 = {
    .name = "d3d12",
    .about = "run a D3D12 program under the crash layer",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .also = "--probe [--runtime PATH]",
    .text = "Runs a D3D12 program with the crash layer in front of its D3D12 library, and shows "
            "the dumps that the program leaves when its GPU hangs or the device is removed. If "
            "ANNOT_D3D12_RECOVER=4 (MiB) is set, a program that is killed leaves a file for annot "
            "recover.",
    OPTIONS(table),
    .end = "exit code: the program's exit code; 1 instead of 0 if the layer saw no D3D12 call; 2 "
           "if the program can't be started",
    .most = MANY_OPERANDS,
    .runs_program = true,
    .run = cmd_d3d12,
};

/* ---- --probe: code of this process, when it is started under the layer ---- */

enum { FEATURE_LEVEL_11_0 = 0xb000 };
static const unsigned char device_iid[16] = {0xf1, 0x19, 0x98, 0x18, 0xb6, 0x1d, 0x57, 0x4b,
                                             0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7};

static int probe_device(void)
{
    int32_t (*create)(void *adapter, int level, const void *iid, void **device);
    void *device = NULL;
    void *const found = child_library_function("D3D12CreateDevice");
    if (!found)
        return cli_complain("d3d12", "the D3D12 library can't be loaded:", "--probe");
    memcpy(&create, &found, sizeof create);
    const int32_t result = create(NULL, FEATURE_LEVEL_11_0, device_iid, &device);
    if (result < 0 || !device) {
        fprintf(stderr, "annot d3d12: no device: D3D12CreateDevice returned 0x%08x\n",
                (unsigned)result);
        return EXIT_DAMAGED;
    }
    return EXIT_FINE; /* the library ends with the process */
}

static int probe(const struct front *front, char *self)
{
    char command[] = "d3d12", option[] = "--probe";
    char *program[] = {self, command, option, NULL};
    if (!child_set_variable("ANNOT_D3D12_RUNTIME", front->runtime) ||
        !child_set_variable("ANNOT_D3D12_PROBE", "tell"))
        return cli_complain("d3d12", "out of memory:", option);
    printf("annot                     %s\n"
           "runtime                   %s\n",
           annot_version(), front->runtime);
    return front_run(front, program);
}

static int run_probe(struct front *front, const char *runtime)
{
    const char *told = os_environment_borrow("ANNOT_D3D12_PROBE");
    char self[4096];
    if (told && strcmp(told, "tell") == 0)
        return probe_device();
    os_program_path(self, sizeof self);
    return front_find(front, runtime, NULL) == EXIT_FINE && *self ? probe(front, self)
                                                                  : EXIT_UNUSABLE;
}

int cmd_d3d12(int argc, char **argv)
{
    struct front front = {.command = "d3d12"};
    struct arguments a = {0};
    int count, code;
    if (!options_read(&command_d3d12, argc, argv, &a, &count, &code))
        return code;
    if ((code = crash_options_check(&a.crash, "d3d12", count, argv + 1)) != EXIT_FINE)
        return code;
    if (a.crash.is_probe)
        return run_probe(&front, a.runtime);
    if ((code = front_find(&front, a.runtime, argv[1])) != EXIT_FINE ||
        (code = crash_options_apply(&a.crash, "d3d12", "ANNOT_D3D12_")) != EXIT_FINE)
        return code;
    if (!child_set_variable("ANNOT_D3D12_RUNTIME", front.runtime))
        return cli_complain("d3d12", "out of memory:", argv[1]);
    code = front_run(&front, argv + 1);
    crash_dumps_show("d3d12", code);
    free(a.crash.path);
    return code;
}

#endif
