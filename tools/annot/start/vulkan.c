/* annot vulkan: starts a program with the crash layer, and shows the dumps that appear. */
#include "child.h"
#include "cli.h"
#include "commands.h"
#include "options.h"
#include "crash_options.h"

#ifdef _WIN32

ABSENT_COMMAND(vulkan, "run a Vulkan program under the crash layer", "-- PROGRAM [ARGUMENT...]",
               "the Vulkan layer runs only on Linux")

#else

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../../program.h"
#include "environment.h"

#if __has_include(<vulkan/vulkan_core.h>)
#include <vulkan/vulkan_core.h>
#define HAS_VULKAN 1
#endif

#define LAYER    "VK_LAYER_ANNOT_crash"

struct arguments {
    struct crash_options crash;
};

static const struct option table[] = {
    CRASH_OPTIONS("auto|checkpoints|markers|barrier|fill|timeline",
                  "makes a device of each GPU, and prints what the layer uses on this GPU"),
};

const struct command command_vulkan = {
    .name = "vulkan",
    .about = "run a Vulkan program under the crash layer",
    .operands = "-- PROGRAM [ARGUMENT...]",
    .also = "--probe",
    .text = "Runs a Vulkan program under the layer " LAYER
            ", and shows the dumps that the program leaves when its GPU hangs or is lost. If "
            "ANNOT_VK_RECOVER=4 (MiB) is set, a program that is killed leaves a file for annot "
            "recover.",
    OPTIONS(table),
    .end = "exit code: the program's exit code; 1 instead of 0 if the layer saw no Vulkan "
           "instance; 2 if the program can't be started",
    .most = MANY_OPERANDS,
    .runs_program = true,
    .run = cmd_vulkan,
};

/* ---- the environment ---- */

#define MANIFEST (sizeof(void *) == 4 ? "VkLayer_annot_crash.32.json" : "VkLayer_annot_crash.json")

/* The folder of the layer's manifest: of this build or this installation. */
static bool find_layer(char *path)
{
    static const char *const places[] = {"../lib/vulkan", ANNOT_DATADIR "/vulkan/explicit_layer.d",
                                         NULL};
    char self[PATH_MAX], candidate[2 * PATH_MAX];
    if (!program_folder(self, sizeof self))
        return false;
    for (const char *const *place = places; *place; place++) {
        snprintf(candidate, sizeof candidate, "%s%s/%s", self, *place, MANIFEST);
        if (access(candidate, R_OK) != 0)
            continue;
        snprintf(candidate, sizeof candidate, "%s%s", self, *place);
        return realpath(candidate, path) != NULL;
    }
    return false;
}

/* Sets VK_ADD_LAYER_PATH, which keeps the other layers. Loaders ignore this variable if
 * VK_LAYER_PATH is set, or if they don't know it yet. */
static bool set_layer(const char *folder)
{
    return child_prepend("VK_ADD_LAYER_PATH", folder, ':') &&
           (!os_environment_borrow("VK_LAYER_PATH") ||
            child_prepend("VK_LAYER_PATH", folder, ':')) &&
           child_prepend("VK_INSTANCE_LAYERS", LAYER, ':');
}

/* ---- D3D programs of Wine and Proton ---- */

static bool is_exe(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".exe") == 0;
}

/* Whether Wine or Proton runs the program: their variables or the command's words say so. */
static bool is_wine(char **program)
{
    static const char *const variables[] = {"WINEPREFIX", "WINELOADER", "STEAM_COMPAT_DATA_PATH",
                                            "PROTONPATH"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (os_environment_borrow(variables[i]))
            return true;
    for (; *program; program++) {
        const char *slash = strrchr(*program, '/');
        const char *name = slash ? slash + 1 : *program;
        if (is_exe(name) || strncmp(name, "wine", 4) == 0 || strcmp(name, "proton") == 0 ||
            strcmp(name, "umu-run") == 0)
            return true;
    }
    return false;
}

/* Makes vkd3d-proton and DXVK pass labels on, which they don't do without these variables.
 * vkd3d-proton's variable is a list. DXVK's variable is one word; a user's own word stays. */
static bool ask_for_labels(char **program)
{
    const char *dxvk = os_environment_borrow("DXVK_DEBUG");
    if (!is_wine(program))
        return true;
    if (!dxvk || !*dxvk)
        dxvk = "markers";
    if (!child_prepend("VKD3D_CONFIG", "debug_utils", ',') ||
        !child_set_variable("DXVK_DEBUG", dxvk))
        return false;
    fprintf(stderr, "annot vulkan: VKD3D_CONFIG=%.200s is set for the labels of D3D programs%s\n",
            os_environment_borrow("VKD3D_CONFIG"),
            strcmp(dxvk, "markers") == 0 ? " DXVK_DEBUG=markers"
                                         : "; for DXVK's labels, set DXVK_DEBUG=markers");
    return true;
}

/* ---- --probe ---- */

#ifdef HAS_VULKAN
/* Makes a device of each GPU; the layer tells about them. They end with the process. */
static VkResult make_devices(void *loader)
{
#define FIND(name) const PFN_##name name = (PFN_##name)(uintptr_t)dlsym(loader, #name)
    FIND(vkCreateInstance);
    FIND(vkEnumeratePhysicalDevices);
    FIND(vkCreateDevice);
    static const char *const names[] = {"VK_EXT_debug_utils"};
    const float priority = 1;
    const VkApplicationInfo about = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &about,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = names};
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo wanted = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    VkInstance instance;
    VkDevice device;
    VkPhysicalDevice all[16];
    uint32_t count = 16;
    VkResult result = vkCreateInstance(&info, NULL, &instance);
    if (result == VK_SUCCESS)
        result = vkEnumeratePhysicalDevices(instance, &count, all);
    for (uint32_t i = 0; result >= 0 && i < count; i++)
        result = vkCreateDevice(all[i], &wanted, NULL, &device);
    return result < 0 || count > 0 ? result : VK_ERROR_INITIALIZATION_FAILED;
}

static int probe(void)
{
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!loader)
        return cli_complain("vulkan", "there is no Vulkan loader, libvulkan.so.1, for", "--probe");
    const VkResult result = make_devices(loader);
    if (result < 0)
        fprintf(stderr, "annot vulkan: no device: Vulkan returned %d\n", (int)result);
    return result < 0 ? EXIT_DAMAGED : EXIT_FINE;
}
#else
static int probe(void)
{
    return cli_complain("vulkan", "annot was built without Vulkan's headers, as needed for",
                        "--probe");
}
#endif

int cmd_vulkan(int argc, char **argv)
{
    struct arguments a = {0};
    char folder[PATH_MAX];
    int count, code;
    if (!options_read(&command_vulkan, argc, argv, &a, &count, &code))
        return code;
    if ((code = crash_options_check(&a.crash, "vulkan", count, argv + 1)) != EXIT_FINE)
        return code;
    if (!find_layer(folder))
        return cli_complain("vulkan",
                            "the Vulkan layer is missing. Install Vulkan's headers (Debian: "
                            "libvulkan-dev), then build annot again. Not found:",
                            MANIFEST);
    if ((code = crash_options_apply(&a.crash, "vulkan", "ANNOT_VK_")) != EXIT_FINE)
        return code;
    if (!set_layer(folder) || !(a.crash.is_probe ? child_set_variable("ANNOT_VK_PROBE", "tell")
                                                 : ask_for_labels(argv + 1)))
        return cli_complain("vulkan", "out of memory:", LAYER);
    code = a.crash.is_probe
               ? probe()
               : child_run_watched("vulkan", argv + 1,
                                   "the layer saw no Vulkan instance: the program makes no "
                                   "instance, the loader was told to leave layers out, or the "
                                   "program is privileged");
    crash_dumps_show("vulkan", code);
    free(a.crash.path);
    return code;
}

#endif
