/* d3dconfig why EXE: the settings for a device of this application, and the line of the file for
 * each. */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>

static void print_files(const emu_settings *settings)
{
    static const char *const states[] = {
        [EMU_FILE_ABSENT] = "absent",
        [EMU_FILE_READ] = "read",
        [EMU_FILE_UNREADABLE] = "unreadable",
        [EMU_FILE_DAMAGED] = "damaged",
    };
    puts("files; each setting comes from the first file that has the setting");
    for (size_t i = 0; i < settings->file_count; i++) {
        const emu_config_file *file = &settings->files[i];
        print_row("  %s: %s (%s)", emu_layer_name(file->layer), file->path, states[file->state]);
        if (file->problem[0] != '\0')
            print_row("    warning: %s", file->problem);
        if (file->unknown > 0)
            printf("    %u lines of the file are for another version, and are ignored\n",
                   file->unknown);
    }
    if (settings->file_count == 0)
        puts("  none: neither HOME nor ANNOT_CONFIG is set");
}

static void print_source(const emu_settings *settings, emu_layer layer, unsigned line)
{
    const emu_config_file *file = emu_settings_file(settings, layer);
    if (!file)
        fputs("default", stdout);
    else if (line > 0)
        print("%s:%u (%s)", file->path, line, emu_layer_name(layer));
    else
        print("%s (%s)", file->path, emu_layer_name(layer));
}

/* Prints possible entries, because a name tells nothing about entries that are paths. */
static void print_possible(const emu_settings *settings, const char *executable)
{
    size_t paths = 0;
    for (size_t i = 0; i < settings->app_count; i++)
        paths += emu_app_is_path(settings->apps[i].name);
    if (!emu_app_is_path(executable) && paths > 0)
        print_row(
            "  %s is only a name: give the full path to compare it with the %lu paths of the list",
            executable, (unsigned long)paths);
}

static void print_apps(const emu_settings *settings, int match, const char *executable)
{
    puts("apps");
    if (match == EMU_APP_ALL)
        fputs("  settings apply to all applications, because none is listed; ", stdout);
    else if (match == EMU_APP_NONE)
        fputs("  settings do not apply, because the application is not listed in ", stdout);
    else
        print("  settings apply: the application matches %s, ", settings->apps[match].name);
    print_source(settings, settings->apps_layer, match < 0 ? 0 : settings->apps[match].line);
    putchar('\n');
    if (match == EMU_APP_NONE)
        print_possible(settings, executable);
    for (size_t i = 0; i < settings->app_count; i++) {
        if (emu_app_exists(settings->apps[i].name))
            continue;
        print("  warning: %s no longer exists, ", settings->apps[i].name);
        print_source(settings, settings->apps_layer, settings->apps[i].line);
        puts("; if the executable moved, add its new path: d3dconfig apps --add X");
    }
}

static void print_settings(const emu_settings *settings, int match, emu_category category)
{
    printf("%s\n", emu_category_name(category));
    for (int i = 0; i < EMU_SETTING_COUNT; i++) {
        const emu_setting_info *info = emu_setting_describe((emu_setting)i);
        if (info->category != category)
            continue;
        const emu_setting_value value = emu_settings_get(settings, match, (emu_setting)i);
        char text[32];
        emu_setting_format((emu_setting)i, value.value, text, sizeof text);
        printf("  %s=%s, ", info->key, text);
        print_source(settings, value.layer, value.line);
        puts(value.layer != EMU_LAYER_DEFAULT && !info->has_effect
                 ? "; stored, but without effect on the emulator"
                 : "");
    }
}

static void print_all(const emu_settings *settings, const char *executable)
{
    char mode[EMU_CONFIG_TEXT];
    const int match = emu_settings_match(settings, executable);
    print_row("%s", executable);
    if (emu_app_is_path(executable) && !emu_app_exists(executable))
        puts("  warning: this executable does not exist");
    emu_settings_explain_mode(settings, match, executable, mode, sizeof mode);
    print_row("  a new device: %s", mode);
    print_files(settings);
    print_apps(settings, match, executable);
    for (int i = EMU_CATEGORY_APPS + 1; i < EMU_CATEGORY_COUNT; i++)
        print_settings(settings, match, (emu_category)i);
}

int cmd_why(int argc, char **argv)
{
    emu_settings settings;
    emu_config_paths paths;
    if (argc != 1 || argv[0][0] == '\0')
        return complain("an application is missing; try: d3dconfig why /path/to/game.exe");
    char *executable = emu_executable_resolve(argv[0]);
    if (!executable || !emu_config_paths_init(&paths)) {
        free(executable);
        return complain("out of memory; close something and try again");
    }
    emu_settings_load(&settings, &paths);
    emu_config_paths_finish(&paths);
    print_all(&settings, executable);
    emu_settings_finish(&settings);
    free(executable);
    return finish_output();
}
