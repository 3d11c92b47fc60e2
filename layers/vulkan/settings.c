/* Settings from the three sources of Vulkan layers: the environment, which overrides
 * vk_layer_settings.txt, which overrides VK_EXT_layer_settings. A process with more rights than its
 * caller ignores the first two [ANN-SEC-01]. */
#include "settings.h"
#include "environment.h"
#include "os_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vulkan.h>

#define PREFIX   "annot_crash."
#define NAME     "vk_layer_settings.txt"
#define FILE_MAX ((size_t)1 << 20)

static const char *const evidence_names[] = {"checkpoints", "markers", "barrier", "fill",
                                             "timeline"};

static const struct crash_evidence_words known = {evidence_names,
                                                  sizeof evidence_names / sizeof *evidence_names};

/* ---- VK_EXT_layer_settings; headers have it from 1.3.272 on ---- */

enum { LAYER_SETTINGS_CREATE_INFO = 1000496000, LAYER_SETTING_STRING = 8 };

struct layer_setting {
    const char *layer, *name;
    int32_t type;
    uint32_t count;
    const void *values;
};

struct layer_settings {
    VkStructureType sType;
    const void *pNext;
    uint32_t count;
    const struct layer_setting *settings;
};

static void read_chain(struct crash_settings *settings, const void *next)
{
    for (const VkBaseInStructure *at = next; at; at = at->pNext) {
        if ((int)at->sType != LAYER_SETTINGS_CREATE_INFO)
            continue;
        const struct layer_settings *chained = (const struct layer_settings *)(const void *)at;
        for (uint32_t i = 0; i < chained->count; i++) {
            const struct layer_setting *one = &chained->settings[i];
            if (!one->layer || strcmp(one->layer, VKL_NAME) != 0 || one->count == 0)
                continue;
            if (one->type == LAYER_SETTING_STRING)
                crash_settings_take(settings, &known, "VK_EXT_layer_settings", one->name,
                                    *(const char *const *)one->values);
        }
    }
}

/* ---- vk_layer_settings.txt ---- */

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t size = strlen(text);
    while (size > 0 && isspace((unsigned char)text[size - 1]))
        text[--size] = '\0';
    return text;
}

static void read_line(struct crash_settings *settings, char *line)
{
    char *equals = strchr(line, '=');
    line = trim(line);
    if (*line == '#' || !equals)
        return;
    *equals = '\0';
    char *key = trim(line);
    if (strncmp(key, PREFIX, sizeof PREFIX - 1) == 0)
        crash_settings_take(settings, &known, NAME, key + sizeof PREFIX - 1, trim(equals + 1));
}

/* Reads a file. False: the file can't be read. */
static bool read_file(struct crash_settings *settings, const char *path)
{
    const char *reason;
    char *text, *rest = NULL;
    size_t size;
    if (os_read_file(path, true, FILE_MAX, &text, &size, &reason) != OS_READ_DONE)
        return false;
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        read_line(settings, line);
    free(text);
    return true;
}

/* VK_LAYER_SETTINGS_PATH is the file or its folder. */
static void read_files(struct crash_settings *settings)
{
    const char *path = os_environment_borrow("VK_LAYER_SETTINGS_PATH");
    char inside[4096];
    if (!path || !*path)
        (void)read_file(settings, NAME);
    else if (snprintf(inside, sizeof inside, "%s/" NAME, path) >= (int)sizeof inside ||
             !read_file(settings, inside))
        (void)read_file(settings, path);
}

/* ---- all sources of settings ---- */

void vkl_settings_read(struct crash_settings *settings, const void *next)
{
    crash_settings_init(settings);
    read_chain(settings, next);
    if (os_environment_is_trusted())
        read_files(settings);
    crash_settings_read(settings, &known, "VK_ANNOT_CRASH_", os_environment_borrow);
    crash_settings_read(settings, &known, "ANNOT_VK_", os_environment_borrow);
}
