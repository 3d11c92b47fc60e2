/* d3dconfig: settings for D3D12 devices, which take effect without changes to applications. */
#include "commands.h"

#include "../program.h"

#include <annot/annot.h>

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: d3dconfig CATEGORY [KEY=VALUE...]   sets the given values, then shows the category\n   "
    "    d3dconfig apps [--add X | --remove X | --clear]\n       d3dconfig dred [--force-on-all | "
    "--force-sys-controlled-all]\n       d3dconfig why EXE                   shows an "
    "application's settings, and their sources\n       d3dconfig --export | --reset | --version | "
    "--help\n\nSettings are read when a D3D12 device is created; existing devices keep their "
    "settings.\n\n  apps           X: an executable's name, its full path, or a folder ending in a "
    "separator.\n                 While the list has entries, settings apply to these applications "
    "only.\n";

static const char usage_end[] =
    "\nA setting that takes true and false also takes on and off. Settings marked * have an "
    "effect\non the emulator; other settings are only stored and shown.\n\n  --export       prints "
    "all settings, in the form of the settings file\n  --reset        deletes all settings and the "
    "list of applications\n\nfiles: $XDG_CONFIG_HOME/annot/d3dconfig.ini (~/.config without it), "
    "then\n/etc/xdg/annot/d3dconfig.ini; Windows: annot\\d3dconfig.ini in %APPDATA%, then "
    "%PROGRAMDATA%.\nANNOT_CONFIG names one file that is used instead of both.\nexit code: 0 = "
    "done; 2 = refused or failed, and nothing has changed\n";

static int print_help(void)
{
    fputs(usage, stdout);
    for (int category = EMU_CATEGORY_APPS + 1; category < EMU_CATEGORY_COUNT; category++) {
        const char *name = emu_category_name((emu_category)category);
        for (int i = 0; i < EMU_SETTING_COUNT; i++) {
            const emu_setting_info *info = emu_setting_describe((emu_setting)i);
            char values[80];
            if ((int)info->category != category)
                continue;
            emu_setting_values((emu_setting)i, values, sizeof values);
            printf("  %-14s %s=%s%s\n", name, info->key, values, info->has_effect ? " *" : "");
            name = "";
        }
    }
    fputs(usage_end, stdout);
    return finish_output();
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    argv = program_set_up(argc, argv);
    const char *command = argc > 1 ? argv[1] : "";
    emu_category category;
    if (asks_for_help(argc, argv))
        return print_help();
    if (emu_category_find(command, strlen(command), &category))
        return category == EMU_CATEGORY_APPS ? cmd_apps(argc - 2, argv + 2)
                                             : cmd_category(category, argc - 2, argv + 2);
    if (strcmp(command, "--version") == 0) {
        printf("d3dconfig %s\n", annot_version());
        return finish_output();
    }
    if (strcmp(command, "why") == 0)
        return cmd_why(argc - 2, argv + 2);
    const bool exports = strcmp(command, "--export") == 0, resets = strcmp(command, "--reset") == 0;
    if ((exports || resets) && argc > 2)
        return complain("%s takes no arguments; unexpected '%.60s'", command, argv[2]);
    if (exports)
        return cmd_export();
    if (resets)
        return cmd_reset();
    if (command[0] == '\0')
        return complain("a category is missing; try: d3dconfig device, or d3dconfig --help");
    return complain("unknown category '%.60s'; use apps, debug-layer, device, dred, "
                    "message-break, message-mute, or why EXE",
                    command);
}
