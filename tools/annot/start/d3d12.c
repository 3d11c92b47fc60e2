/* annot d3d12: starts a program with the D3D12 crash layer, and shows the dumps that appear. */
#include "cli.h"
#include "commands.h"

#include <stdio.h>

#ifndef ANNOT_HAVE_REPLAY

int cmd_d3d12(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs("annot d3d12: this program was built without D3D12; the layer is where it was built with "
          "DirectX-Headers\n",
          stderr);
    return EXIT_UNUSABLE;
}

#else

#include "child.h"
#include "crash_options.h"
#include "front.h"
#include "config/environment.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: annot d3d12 [-o DUMP] [--level low|labels|exact] [--timeout SECONDS]\n"
    "                   [--evidence auto|immediate|readback|copy|dred|fence] \n"
    "                   [--runtime PATH] -- PROGRAM [ARGUMENT...]\n"
    "       annot d3d12 --probe [--runtime PATH]\n"
    "\n"
    "Runs a D3D12 program with the crash layer in front of its D3D12 library, and shows the dumps "
    "that it leaves\n"
    "when its GPU hangs or the device is removed.\n"
    "\n"
    "  -o DUMP            the file; \"%p\" in it stands for the process id (default: "
    "annot-%p.annotdmp)\n"
    "  --level LEVEL      what the GPU marks: outermost markers, all markers, or every command "
    "that "
    "does work\n"
    "                     (default: low)\n"
    "  --timeout SECONDS  without progress until a dump is written; 0: never (default: 30)\n"
    "  --evidence KIND    at best this kind of evidence (default: the best that works)\n"
    "  --runtime PATH     the real D3D12 library (default: the first libd3d12.so on "
    "LD_LIBRARY_PATH, else the\n"
    "                     emulator; on Windows the one that the program would load,\n"
    "                     beside itself or the system's)\n"
    "  --probe            make a device, try each kind of evidence and say what works here\n"
    "\n"
    "exit code: the program's; 1 when it ended well and none of its calls came by; 2 when it can't "
    "be started\n";

/* ---- --probe: what this process does when it is started under the layer ---- */

enum { FEATURE_LEVEL_11_0 = 0xb000 };
static const unsigned char device_iid[16] = {0xf1, 0x19, 0x98, 0x18, 0xb6, 0x1d, 0x57, 0x4b,
                                             0xbe, 0x54, 0x18, 0x21, 0x33, 0x9b, 0x85, 0xf7};

static int probe_device(void)
{
    int32_t (*create)(void *adapter, int level, const void *iid, void **device);
    void *device = NULL;
    void *const found = child_library_function("D3D12CreateDevice");
    if (!found)
        return cli_complain("d3d12", "the D3D12 library can't be loaded for", "--probe");
    memcpy(&create, &found, sizeof create);
    const int32_t result = create(NULL, FEATURE_LEVEL_11_0, device_iid, &device);
    if (result < 0 || !device) {
        fprintf(stderr, "annot d3d12: no device: D3D12CreateDevice returned 0x%08x\n",
                (unsigned)result);
        return EXIT_DAMAGED;
    }
    return EXIT_FINE; /* it goes with the process */
}

static int probe(const struct front *front, char *self)
{
    char command[] = "d3d12", option[] = "--probe";
    char *program[] = {self, command, option, NULL};
    if (!child_set_variable("ANNOT_D3D12_RUNTIME", front->runtime) ||
        !child_set_variable("ANNOT_D3D12_PROBE", "tell"))
        return cli_complain("d3d12", "out of memory for", option);
    printf("runtime                   %s\n", front->runtime);
    return front_run(front, program);
}

static const struct crash_options options = {"ANNOT_D3D12_",
                                             "auto immediate readback copy dred fence"};

int cmd_d3d12(int argc, char **argv)
{
    struct front front = {.command = "d3d12"};
    const char *dump = emu_environment_borrow("ANNOT_D3D12_DUMP"), *runtime = NULL;
    const char *told = emu_environment_borrow("ANNOT_D3D12_PROBE");
    bool is_probe = false;
    int i = 1;
    if (!dump || !*dump)
        dump = "annot-%p.annotdmp";
    while (i < argc && argv[i][0] == '-') {
        const char *option = argv[i++];
        if (strcmp(option, "--") == 0)
            break;
        if (cli_is_help(option))
            return cli_print_usage(usage);
        if (strcmp(option, "--probe") == 0) {
            is_probe = true;
            continue;
        }
        const char *value = i < argc ? argv[i++] : "";
        if (strcmp(option, "-o") == 0 && *value)
            dump = value;
        else if (strcmp(option, "--runtime") == 0 && *value)
            runtime = value;
        else if (!crash_option(&options, option, value))
            return cli_refuse_option("d3d12", usage, option);
    }
    if (is_probe && told && strcmp(told, "tell") == 0)
        return probe_device();
    if (is_probe) {
        char self[4096];
        return front_find(&front, runtime, NULL) && child_own_path(self, sizeof self)
                   ? probe(&front, self)
                   : EXIT_UNUSABLE;
    }
    if (i >= argc)
        return cli_complain("d3d12", "a program is missing", "");
    if (!front_find(&front, runtime, argv[i]))
        return EXIT_UNUSABLE;
    if (!child_set_variable("ANNOT_D3D12_RUNTIME", front.runtime) ||
        !crash_set_dump(&options, dump))
        return cli_complain("d3d12", "out of memory for", argv[i]);
    struct crash_dumps *before = crash_dumps_before(dump);
    const int code = front_run(&front, argv + i);
    crash_dumps_show_new(before, "d3d12");
    return code;
}

#endif
