/* The settings. Each new setting is one more row of the table. */
#include "d3dconfig.h"

#include <stdio.h>
#include <string.h>

static const char *const category_names[EMU_CATEGORY_COUNT] = {
    [EMU_CATEGORY_APPS] = "apps",
    [EMU_CATEGORY_DEBUG_LAYER] = "debug-layer",
    [EMU_CATEGORY_DEVICE] = "device",
    [EMU_CATEGORY_DRED] = "dred",
    [EMU_CATEGORY_MESSAGE_BREAK] = "message-break",
    [EMU_CATEGORY_MESSAGE_MUTE] = "message-mute",
};

static const char *const true_words[] = {"false", "true", NULL};
static const char *const on_words[] = {"off", "on", NULL};
static const char *const layer_mode_words[] = {"app-controlled", "force-on", "off", NULL};
static const char *const debug_name_words[] = {"app-controlled", "forced-off", "forced-on", NULL};
/* D3D12_DRED_ENABLEMENT's values. */
static const char *const dred_words[] = {"system-controlled", "forced-off", "forced-on", NULL};

#define TRUE_FALSE(category, key) EMU_CATEGORY_##category, key, true_words, true, false, 0
#define DRED(key, has_effect)     EMU_CATEGORY_DRED, key, dred_words, false, has_effect, 0

static const emu_setting_info settings[EMU_SETTING_COUNT] = {
    [EMU_SETTING_DEBUG_LAYER_MODE] = {EMU_CATEGORY_DEBUG_LAYER, "debug-layer-mode",
                                      layer_mode_words, false, true,
                                      EMU_DEBUG_LAYER_APP_CONTROLLED},
    [EMU_SETTING_FORCE_WARP] = {TRUE_FALSE(DEVICE, "force-warp")},
    [EMU_SETTING_RETAIN_DUMP_FILE] = {EMU_CATEGORY_DEVICE, "retain-dump-file", true_words, true,
                                      true, 0},
    [EMU_SETTING_DUMP_FILE_DRIVER_OPTIONS] = {EMU_CATEGORY_DEVICE, "dump-file-driver-options", NULL,
                                              false, true, 1 /* NO_OVERHEAD */},
    [EMU_SETTING_AUTO_DEBUG_NAME] = {EMU_CATEGORY_DEVICE, "auto-debug-name", debug_name_words,
                                     false, false, 0},
    [EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS] = {EMU_CATEGORY_DEVICE,
                                                     "force-driver-retail-annotations", on_words,
                                                     true, true, 0},
    [EMU_SETTING_AUTO_BREADCRUMBS] = {DRED("auto-breadcrumbs", true)},
    [EMU_SETTING_BREADCRUMB_CONTEXTS] = {DRED("breadcrumb-contexts", true)},
    [EMU_SETTING_PAGE_FAULTS] = {DRED("page-faults", true)},
    [EMU_SETTING_WATSON_DUMPS] = {DRED("watson-dumps", false)},
    [EMU_SETTING_ALLOW_DEBUG_BREAKS] = {TRUE_FALSE(MESSAGE_BREAK, "allow-debug-breaks")},
    [EMU_SETTING_BREAK_ON_CORRUPTION] = {TRUE_FALSE(MESSAGE_BREAK, "break-on-corruption")},
    [EMU_SETTING_BREAK_ON_ERROR] = {TRUE_FALSE(MESSAGE_BREAK, "break-on-error")},
    [EMU_SETTING_BREAK_ON_WARNING] = {TRUE_FALSE(MESSAGE_BREAK, "break-on-warning")},
    [EMU_SETTING_BREAK_ON_INFO] = {TRUE_FALSE(MESSAGE_BREAK, "break-on-info")},
    [EMU_SETTING_MUTE_CORRUPTION] = {TRUE_FALSE(MESSAGE_MUTE, "mute-corruption")},
    [EMU_SETTING_MUTE_ERROR] = {TRUE_FALSE(MESSAGE_MUTE, "mute-error")},
    [EMU_SETTING_MUTE_WARNING] = {TRUE_FALSE(MESSAGE_MUTE, "mute-warning")},
    [EMU_SETTING_MUTE_INFO] = {TRUE_FALSE(MESSAGE_MUTE, "mute-info")},
};

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

const char *emu_category_name(emu_category category)
{
    return category_names[category];
}

bool emu_category_find(const char *name, size_t length, emu_category *out)
{
    for (int i = 0; i < EMU_CATEGORY_COUNT; i++) {
        if (is_word(category_names[i], name, length)) {
            *out = (emu_category)i;
            return true;
        }
    }
    return false;
}

bool emu_setting_find(const char *key, size_t length, emu_setting *out)
{
    for (int i = 0; i < EMU_SETTING_COUNT; i++) {
        if (is_word(settings[i].key, key, length)) {
            *out = (emu_setting)i;
            return true;
        }
    }
    return false;
}

const emu_setting_info *emu_setting_describe(emu_setting setting)
{
    return &settings[setting];
}

static bool find_word(const char *const *words, const char *text, size_t length, uint32_t *value)
{
    for (uint32_t i = 0; words[i]; i++) {
        if (is_word(words[i], text, length)) {
            *value = i;
            return true;
        }
    }
    return false;
}

/* Reads a decimal number, or a hexadecimal number after 0x. */
static bool parse_number(const char *text, size_t length, uint32_t *value)
{
    uint64_t number = 0;
    size_t at = length > 2 && text[0] == '0' && text[1] == 'x' ? 2 : 0;
    const unsigned base = at > 0 ? 16 : 10;
    if (length == 0)
        return false;
    for (; at < length; at++) {
        const char c = text[at];
        unsigned digit = base;
        if (c >= '0' && c <= '9')
            digit = (unsigned)(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = (unsigned)(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            digit = (unsigned)(c - 'A') + 10;
        if (digit >= base)
            return false;
        number = number * base + digit;
        if (number > UINT32_MAX)
            return false;
    }
    *value = (uint32_t)number;
    return true;
}

bool emu_setting_parse(emu_setting setting, const char *text, size_t length, uint32_t *value)
{
    const emu_setting_info *info = &settings[setting];
    if (!info->words)
        return parse_number(text, length, value);
    if (info->is_boolean)
        return find_word(true_words, text, length, value) ||
               find_word(on_words, text, length, value);
    return find_word(info->words, text, length, value);
}

void emu_setting_format(emu_setting setting, uint32_t value, char *buffer, size_t capacity)
{
    const emu_setting_info *info = &settings[setting];
    if (!info->words)
        snprintf(buffer, capacity, "%u", (unsigned)value);
    else
        snprintf(buffer, capacity, "%s", info->words[value]);
}

void emu_setting_values(emu_setting setting, char *buffer, size_t capacity)
{
    const char *const *words = settings[setting].words;
    if (!words)
        snprintf(buffer, capacity, "a number from 0 to 4294967295");
    else if (!words[2])
        snprintf(buffer, capacity, "%s or %s", words[1], words[0]);
    else
        snprintf(buffer, capacity, "%s, %s or %s", words[0], words[1], words[2]);
}
