/* Merges the settings files by precedence, and notes which file each value comes from. */
#include "layer.h"
#include "environment.h"
#include "os_file.h"
#include "os_path.h"

#include <stdlib.h>
#include <string.h>

const char *emu_layer_name(emu_layer layer)
{
    static const char *const names[] = {
        [EMU_LAYER_DEFAULT] = "default",
        [EMU_LAYER_SYSTEM] = "system",
        [EMU_LAYER_USER] = "user",
        [EMU_LAYER_ENVIRONMENT] = "ANNOT_CONFIG",
    };
    return names[layer];
}

/* ---- paths ---- */

static void add_path(emu_config_paths *paths, emu_layer layer, char *path)
{
    if (path)
        paths->files[paths->count++] = (emu_config_path){layer, path};
}

bool emu_config_paths_init(emu_config_paths *paths)
{
    bool out_of_memory = false;
    *paths = (emu_config_paths){.count = 0};
    add_path(paths, EMU_LAYER_ENVIRONMENT, os_environment("ANNOT_CONFIG", &out_of_memory));
    if (paths->count == 0 && !out_of_memory) {
        add_path(paths, EMU_LAYER_USER, os_user_path(&out_of_memory));
        add_path(paths, EMU_LAYER_SYSTEM, os_system_path(&out_of_memory));
    }
    if (out_of_memory)
        emu_config_paths_finish(paths);
    return !out_of_memory;
}

void emu_config_paths_finish(emu_config_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->files[i].path);
    paths->count = 0;
}

/* ---- loading ---- */

static void read_file(emu_config_file *file, struct config_layer *layer)
{
    char *text = NULL;
    size_t size = 0;
    const char *reason = "";
    switch (os_read_file(file->path, true, EMU_CONFIG_MAX_FILE_SIZE, &text, &size, &reason)) {
    case OS_READ_ABSENT:
        file->state = EMU_FILE_ABSENT;
        break;
    case OS_READ_UNREADABLE:
        file->state = EMU_FILE_UNREADABLE;
        snprintf(file->problem, sizeof file->problem, "%s; it is ignored", reason);
        break;
    case OS_READ_TOO_LARGE:
        file->state = EMU_FILE_DAMAGED;
        snprintf(file->problem, sizeof file->problem,
                 "the file is larger than 1 MiB and is ignored: move the file away");
        break;
    case OS_READ_OUT_OF_MEMORY:
        file->state = EMU_FILE_UNREADABLE;
        snprintf(file->problem, sizeof file->problem, "out of memory; the file is ignored");
        break;
    case OS_READ_DONE:
        file->state = EMU_FILE_READ;
        if (config_layer_parse(layer, text, size) != CONFIG_LAYER_OK) {
            file->state = EMU_FILE_DAMAGED;
            snprintf(file->problem, sizeof file->problem, "%.400s; the whole file is ignored",
                     layer->problem);
        } else if (layer->skipped > 1) {
            snprintf(file->problem, sizeof file->problem, "%.400s, and %u more", layer->problem,
                     layer->skipped - 1);
        } else {
            snprintf(file->problem, sizeof file->problem, "%s", layer->problem);
        }
        file->unknown = layer->unknown;
        break;
    }
    free(text);
}

/* Adds the settings that no stronger file has. Takes over the layer's list. */
static void merge(emu_settings *settings, struct config_layer *layer, emu_layer kind)
{
    for (int i = 0; i < EMU_SETTING_COUNT; i++)
        if (layer->has[i] && settings->values[i].layer == EMU_LAYER_DEFAULT)
            settings->values[i] = (emu_setting_value){layer->value[i], kind, layer->line[i]};
    if (!layer->has_apps || settings->apps_layer != EMU_LAYER_DEFAULT)
        return;
    settings->apps = layer->apps;
    settings->app_count = layer->app_count;
    settings->apps_layer = kind;
    layer->apps = NULL;
    layer->app_count = 0;
}

void emu_settings_load(emu_settings *settings, const emu_config_paths *paths)
{
    memset(settings, 0, sizeof *settings);
    for (int i = 0; i < EMU_SETTING_COUNT; i++)
        settings->values[i].value = emu_setting_describe((emu_setting)i)->fallback;
    for (size_t i = 0; i < paths->count; i++) {
        struct config_layer layer = {0};
        emu_config_file *file = &settings->files[settings->file_count];
        file->layer = paths->files[i].layer;
        file->path = strdup(paths->files[i].path);
        if (!file->path)
            break;
        settings->file_count++;
        read_file(file, &layer);
        merge(settings, &layer, file->layer);
        config_layer_finish(&layer);
    }
}

void emu_settings_finish(emu_settings *settings)
{
    for (size_t i = 0; i < settings->file_count; i++)
        free(settings->files[i].path);
    for (size_t i = 0; i < settings->app_count; i++)
        free(settings->apps[i].name);
    free(settings->apps);
    memset(settings, 0, sizeof *settings);
}

const emu_config_file *emu_settings_file(const emu_settings *settings, emu_layer layer)
{
    for (size_t i = 0; i < settings->file_count; i++)
        if (settings->files[i].layer == layer)
            return &settings->files[i];
    return NULL;
}

bool emu_settings_problem(const emu_settings *settings, char *buffer, size_t capacity)
{
    const emu_config_file *first = NULL;
    unsigned more = 0;
    for (size_t i = 0; i < settings->file_count; i++) {
        if (settings->files[i].problem[0] == '\0')
            continue;
        if (!first)
            first = &settings->files[i];
        else
            more++;
    }
    if (!first)
        return false;
    snprintf(buffer, capacity, "%.240s: %.220s%s", first->path, first->problem,
             more > 0 ? " (the second settings file has a problem too)" : "");
    return true;
}

/* ---- the settings of an application ---- */

emu_setting_value emu_settings_get(const emu_settings *settings, int match, emu_setting setting)
{
    if (match == EMU_APP_NONE)
        return (emu_setting_value){emu_setting_describe(setting)->fallback, EMU_LAYER_DEFAULT, 0};
    return settings->values[setting];
}

static void explain_force(const emu_settings *settings, int match, emu_setting_value value,
                          char *buffer, size_t capacity)
{
    const emu_config_file *file = emu_settings_file(settings, value.layer);
    char entry[128] = "every application";
    if (match >= 0)
        snprintf(entry, sizeof entry, "applications that match the entry '%.90s'",
                 settings->apps[match].name);
    snprintf(buffer, capacity,
             "annotation mode DRIVER_RETAIL, forced for %s by %.200s, line %u (%s)", entry,
             file->path, value.line, emu_layer_name(value.layer));
}

/* If nothing forces the mode, says which file was read, so that a user sees whether the setting is
 * in another file. */
static void explain_default(const emu_settings *settings, char *buffer, size_t capacity)
{
    const emu_setting_value value = settings->values[EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS];
    const emu_config_file *file = emu_settings_file(settings, value.layer);
    const emu_config_file *first = settings->file_count > 0 ? &settings->files[0] : NULL;
    if (file)
        snprintf(buffer, capacity,
                 "annotation mode RUNTIME_ONLY, not forced by %.200s, line %u (%s)", file->path,
                 value.line, emu_layer_name(value.layer));
    else if (first && first->layer == EMU_LAYER_ENVIRONMENT && first->state == EMU_FILE_ABSENT)
        snprintf(buffer, capacity,
                 "annotation mode RUNTIME_ONLY, because this is the default and the file "
                 "ANNOT_CONFIG=%.200s does not exist",
                 first->path);
    else
        snprintf(buffer, capacity,
                 "annotation mode RUNTIME_ONLY, because this is the default and no file sets it");
}

void emu_settings_explain_mode(const emu_settings *settings, int match, const char *executable,
                               char *buffer, size_t capacity)
{
    const emu_setting_value value = settings->values[EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS];
    if (value.value == 0)
        explain_default(settings, buffer, capacity);
    else if (match == EMU_APP_NONE)
        snprintf(buffer, capacity,
                 "annotation mode RUNTIME_ONLY, because DRIVER_RETAIL is forced only for listed "
                 "applications, and %.160s is not in the list of %.160s",
                 executable ? executable : "this one",
                 emu_settings_file(settings, settings->apps_layer)->path);
    else
        explain_force(settings, match, value, buffer, capacity);
}
