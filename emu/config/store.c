/* Changing the file: read, change, replace, all under the writers' lock. */
#include "layer.h"
#include "os_file.h"
#include "os_replace.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct failure {
    char *text;
    size_t capacity;
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct failure *failure,
                                                       const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(failure->text, failure->capacity, format, args);
    va_end(args);
    return false;
}

/* Copies the list that applies into this file, if the list comes from another file. */
static bool copy_list(struct config_layer *layer, const emu_config_paths *paths)
{
    emu_settings settings;
    bool ok = true;
    if (layer->has_apps)
        return true;
    layer->has_apps = true;
    emu_settings_load(&settings, paths);
    for (size_t i = 0; i < settings.app_count && ok; i++)
        ok = config_layer_add_app(layer, settings.apps[i].name, strlen(settings.apps[i].name), 0,
                                  false);
    emu_settings_finish(&settings);
    return ok;
}

static bool edit_apps(struct config_layer *layer, const emu_edit *edit,
                      const emu_config_paths *paths, const struct failure *failure)
{
    if (!copy_list(layer, paths))
        return fail(failure, "out of memory; nothing is changed");
    if (edit->kind == EMU_EDIT_CLEAR_APPS) {
        config_layer_clear_apps(layer);
        return true;
    }
    if (edit->kind == EMU_EDIT_REMOVE_APP) {
        if (!config_layer_has_app(layer, edit->app))
            return fail(failure, "'%s' is not in the list of applications; try: d3dconfig apps",
                        edit->app);
        config_layer_remove_app(layer, edit->app);
        return true;
    }
    if (config_layer_add_app(layer, edit->app, strlen(edit->app), 0, true))
        return true;
    if (layer->app_count == EMU_CONFIG_MAX_APPS)
        return fail(failure, "the list is full (1024); add a folder instead: d3dconfig apps --add "
                             "/path/to/folder/");
    return fail(failure, "out of memory; nothing is changed");
}

static bool edit(struct config_layer *layer, const emu_edit *edit, const emu_config_paths *paths,
                 const struct failure *failure)
{
    switch (edit->kind) {
    case EMU_EDIT_SET:
        layer->has[edit->setting] = layer->touched[edit->setting] = true;
        layer->value[edit->setting] = edit->value;
        return true;
    case EMU_EDIT_RESET:
        for (int i = 0; i < EMU_SETTING_COUNT; i++) {
            layer->has[i] = false;
            layer->touched[i] = true;
            layer->line[i] = 0;
        }
        config_layer_clear_apps(layer);
        layer->has_apps = false;
        return true;
    case EMU_EDIT_ADD_APP:
    case EMU_EDIT_REMOVE_APP:
    case EMU_EDIT_CLEAR_APPS:
        return edit_apps(layer, edit, paths, failure);
    }
    return false;
}

static bool read_old(const char *path, char **old, size_t *size, const struct failure *failure)
{
    const char *reason = "";
    switch (os_read_file(path, true, EMU_CONFIG_MAX_FILE_SIZE, old, size, &reason)) {
    case OS_READ_DONE:
    case OS_READ_ABSENT:
        return true;
    case OS_READ_UNREADABLE:
        return fail(failure, "%.300s: %s; nothing is changed", path, reason);
    case OS_READ_TOO_LARGE:
        return fail(failure, "%.300s: a settings file must have at most 1 MiB; move this file away",
                    path);
    case OS_READ_OUT_OF_MEMORY:
        break;
    }
    return fail(failure, "out of memory; nothing is changed");
}

static bool write_new(struct os_writer *writer, const struct config_layer *layer, const char *old,
                      size_t old_size, const struct failure *failure)
{
    size_t size;
    const char *reason = "";
    char *text = config_layer_rewrite(layer, old, old_size, &size);
    if (!text)
        return fail(failure, "out of memory; nothing is changed");
    bool ok = true;
    if (size > EMU_CONFIG_MAX_FILE_SIZE)
        ok = fail(failure, "%.300s: the file would exceed 1 MiB; shorten the file", writer->target);
    else if (size != old_size || memcmp(text, old, size) != 0)
        ok = os_writer_replace(writer, text, size, &reason) ||
             fail(failure, "%.300s: can't be written: %s", writer->target, reason);
    free(text);
    return ok;
}

bool emu_settings_edit(const emu_config_paths *paths, const emu_edit *edits, size_t count,
                       char *problem, size_t capacity)
{
    const struct failure failure = {problem, capacity};
    struct os_writer writer;
    struct config_layer layer;
    const char *reason = "";
    char *old = NULL;
    size_t old_size = 0;
    bool ok = false;
    if (paths->count == 0)
        return fail(&failure,
                    "there is no place for settings; set HOME, or set ANNOT_CONFIG to a file");
    const char *path = paths->files[0].path;
    if (paths->files[0].layer == EMU_LAYER_SYSTEM)
        return fail(&failure,
                    "HOME must be a folder, because a user's settings are kept there: set HOME. To "
                    "change the settings of all users, set ANNOT_CONFIG to %.200s",
                    path);
    if (!os_writer_init(&writer, path, &reason))
        return fail(&failure, "%.300s: can't be written: %s", path, reason);
    if (!read_old(writer.target, &old, &old_size, &failure))
        goto err1;
    if (config_layer_parse(&layer, old_size > 0 ? old : "", old_size) != CONFIG_LAYER_OK) {
        fail(&failure, "%.300s: %.160s", path, layer.problem);
        goto err2;
    }
    ok = true;
    for (size_t i = 0; i < count && ok; i++)
        ok = edit(&layer, &edits[i], paths, &failure);
    ok = ok && write_new(&writer, &layer, old_size > 0 ? old : "", old_size, &failure);
err2:
    config_layer_finish(&layer);
    free(old);
err1:
    os_writer_finish(&writer);
    return ok;
}
