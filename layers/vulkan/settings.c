/*
 * Settings from the three sources of Vulkan layers: the environment, which overrides
 * vk_layer_settings.txt, which overrides VK_EXT_layer_settings. A process with more rights than its
 * caller ignores the first two [ANN-SEC-01].
 */
#include "settings.h"
#include "vulkan_layer.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>

#define PREFIX "annot_crash."

static const char *const level_names[] = {"low", "labels", "exact"};
static const char *const evidence_names[] = {"checkpoints", "markers", "barrier", "fill",
                                             "timeline"};

const char *vkl_level_text(enum vkl_level level)
{
    return level_names[level];
}

/* ---- one setting ---- */

static bool find_word(const char *value, const char *const *words, int count, int *found)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(value, words[i]) == 0) {
            *found = i;
            return true;
        }
    }
    return false;
}

static bool read_number(const char *value, uint64_t limit, uint64_t *number)
{
    char *end;
    errno = 0;
    const unsigned long long read = strtoull(value, &end, 10);
    if (!isdigit((unsigned char)*value) || *end || errno || read > limit)
        return false;
    *number = read;
    return true;
}

/* False: there is no such setting, or no such value. */
static bool set(struct vkl_settings *settings, const char *key, const char *value)
{
    int word;
    uint64_t number;
    if (strcmp(key, "level") == 0 && find_word(value, level_names, 3, &word)) {
        settings->level = (enum vkl_level)word;
        return true;
    }
    if (strcmp(key, "evidence") == 0 && strcmp(value, "auto") == 0) {
        settings->evidence = VKL_EVIDENCE_AUTO;
        return true;
    }
    if (strcmp(key, "evidence") == 0 && find_word(value, evidence_names, 5, &word)) {
        settings->evidence = word;
        return true;
    }
    if (strcmp(key, "timeout") == 0 && read_number(value, 86400000, &number)) {
        settings->timeout = number * 1000000u;
        return true;
    }
    if (strcmp(key, "memory") == 0 && read_number(value, 1u << 20, &number)) {
        settings->memory = number << 20;
        return true;
    }
    if (strcmp(key, "dump") == 0 && *value && strlen(value) < sizeof settings->dump) {
        strcpy(settings->dump, value);
        return true;
    }
    if (strcmp(key, "quiet") == 0 && read_number(value, 1, &number)) {
        settings->is_quiet = number != 0;
        return true;
    }
    return false;
}

static void set_or_say(struct vkl_settings *settings, const char *where, const char *key,
                       const char *value)
{
    if (!set(settings, key, value))
        fprintf(stderr, "annot: %s: no setting '%.40s' with the value '%.80s'; it is ignored\n",
                where, key, value);
}

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

static void read_chain(struct vkl_settings *settings, const void *next)
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
                set_or_say(settings, "VK_EXT_layer_settings", one->name,
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

static void read_line(struct vkl_settings *settings, char *line)
{
    char *equals = strchr(line, '=');
    line = trim(line);
    if (*line == '#' || !equals)
        return;
    *equals = '\0';
    char *key = trim(line);
    if (strncmp(key, PREFIX, sizeof PREFIX - 1) == 0)
        set_or_say(settings, "vk_layer_settings.txt", key + sizeof PREFIX - 1, trim(equals + 1));
}

static FILE *open_file(void)
{
    const char *path = secure_getenv("VK_LAYER_SETTINGS_PATH");
    char inside[4096];
    if (!path || !*path)
        return fopen("vk_layer_settings.txt", "re");
    if (snprintf(inside, sizeof inside, "%s/vk_layer_settings.txt", path) < (int)sizeof inside) {
        FILE *file = fopen(inside, "re");
        if (file)
            return file;
    }
    return fopen(path, "re");
}

static void read_file(struct vkl_settings *settings)
{
    FILE *file = open_file();
    char line[2048];
    if (!file)
        return;
    /* A folder opens too, and has no lines. A line that is too long ends it: no file of settings
     * has one. */
    while (fgets(line, sizeof line, file) && strlen(line) + 1 < sizeof line)
        read_line(settings, line);
    fclose(file);
}

/* ---- the environment ---- */

static void read_environment(struct vkl_settings *settings)
{
    static const char *const keys[] = {"level", "evidence", "timeout", "memory", "dump", "quiet"};
    static const char *const prefixes[] = {"VK_ANNOT_CRASH_", "ANNOT_VK_"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (size_t j = 0; j < sizeof prefixes / sizeof *prefixes; j++) {
            char name[64];
            snprintf(name, sizeof name, "%s%s", prefixes[j], keys[i]);
            for (char *at = name; *at; at++)
                *at = (char)toupper((unsigned char)*at);
            const char *value = secure_getenv(name);
            if (value && *value)
                set_or_say(settings, name, keys[i], value);
        }
    }
}

void vkl_settings_read(struct vkl_settings *settings, const void *next)
{
    *settings = (struct vkl_settings){
        .level = VKL_LEVEL_LOW,
        .evidence = VKL_EVIDENCE_AUTO,
        .timeout = (uint64_t)30 * 1000000000u,
        .memory = (uint64_t)256 << 20,
        .dump = "annot-%p.annotdmp",
    };
    read_chain(settings, next);
    if (getauxval(AT_SECURE) == 0)
        read_file(settings);
    read_environment(settings);
}
