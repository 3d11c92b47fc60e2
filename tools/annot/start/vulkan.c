/* annot vulkan: starts a program with the crash layer, and shows the dumps that appear. */
#include "child.h"
#include "cli.h"
#include "commands.h"
#include "crash_options.h"

#ifdef _WIN32

int cmd_vulkan(int argc, char **argv)
{
    (void)argc, (void)argv;
    fputs("annot vulkan: the layer is for Linux\n", stderr);
    return EXIT_UNUSABLE;
}

#else

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../program.h"
#include "config/environment.h"

#define LAYER "VK_LAYER_ANNOT_crash"

static const char usage[] =
    "usage: annot vulkan [-o DUMP] [--level low|labels|exact] [--timeout SECONDS]\n"
    "                    [--evidence auto|checkpoints|markers|barrier|fill|timeline]\n"
    "                    -- PROGRAM [ARGUMENT...]\n"
    "\n"
    "Runs a Vulkan program under the layer " LAYER
    ", and shows the dumps that it leaves when its GPU\n"
    "hangs or is lost.\n"
    "\n"
    "  -o DUMP            the file; \"%p\" in it stands for the process id (default: "
    "annot-%p.annotdmp)\n"
    "  --level LEVEL      what the GPU marks: outermost labels, all labels, or every command that "
    "does work\n"
    "                     (default: low)\n"
    "  --timeout SECONDS  without progress until a dump is written; 0: never (default: 30)\n"
    "  --evidence KIND    at best this kind of evidence (default: the best that the device has)\n"
    "\n"
    "exit code: the program's; 2 when it can't be started\n";

/* ---- the environment ---- */

/* The folder of the layer's manifest: of this build or this installation. */
static bool find_layer(char *path)
{
    static const char *const places[] = {"../lib/vulkan", ANNOT_DATADIR "/vulkan/explicit_layer.d",
                                         NULL};
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    if (!program_folder(self, sizeof self))
        return false;
    for (const char *const *place = places; *place; place++) {
        snprintf(candidate, sizeof candidate, "%s%s/VkLayer_annot_crash.json", self, *place);
        if (access(candidate, R_OK) != 0)
            continue;
        snprintf(candidate, sizeof candidate, "%s%s", self, *place);
        return realpath(candidate, path) != NULL;
    }
    return false;
}

/* Puts `first` in front of a list of the environment's. */
static bool prepend(const char *name, const char *first)
{
    const char *old = emu_environment_borrow(name);
    const size_t size = strlen(first) + (old ? strlen(old) : 0) + 2;
    char *list = malloc(size);
    if (!list)
        return false;
    snprintf(list, size, "%s%s%s", first, old && *old ? ":" : "", old && *old ? old : "");
    const bool is_set = setenv(name, list, 1) == 0;
    free(list);
    return is_set;
}

/* VK_ADD_LAYER_PATH leaves the other layers where they are. A loader that is given VK_LAYER_PATH
 * ignores it, and so do loaders that don't know it yet. */
static bool set_layer(const char *folder)
{
    return prepend("VK_ADD_LAYER_PATH", folder) &&
           (!emu_environment_borrow("VK_LAYER_PATH") || prepend("VK_LAYER_PATH", folder)) &&
           prepend("VK_INSTANCE_LAYERS", LAYER);
}

static const struct crash_options options = {"ANNOT_VK_",
                                             "auto checkpoints markers barrier fill timeline"};

int cmd_vulkan(int argc, char **argv)
{
    const char *dump = emu_environment_borrow("ANNOT_VK_DUMP");
    char folder[PATH_MAX];
    int i = 1;
    if (!dump || !*dump)
        dump = "annot-%p.annotdmp";
    while (i < argc && argv[i][0] == '-') {
        const char *option = argv[i++];
        if (strcmp(option, "--") == 0)
            break;
        if (cli_is_help(option))
            return cli_print_usage(usage);
        const char *value = i < argc ? argv[i++] : "";
        if (strcmp(option, "-o") == 0 && *value)
            dump = value;
        else if (!crash_option(&options, option, value))
            return cli_refuse_option("vulkan", usage, option);
    }
    if (i >= argc)
        return cli_complain("vulkan", "a program is missing", "");
    if (!find_layer(folder))
        return cli_complain("vulkan", "the layer is not installed beside this program:",
                            "VkLayer_annot_crash.json");
    if (!set_layer(folder) || !crash_set_dump(&options, dump))
        return cli_complain("vulkan", "out of memory for", argv[i]);
    struct crash_dumps *before = crash_dumps_before(dump);
    const int code = child_run("vulkan", argv + i);
    crash_dumps_show_new(before, "vulkan");
    return code;
}

#endif
