/* d3dconfig CATEGORY key=value...: sets all given keys or none. Also the options for all
 * categories: --export, --reset. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

static bool make_edits(const emu_edit *edits, size_t count)
{
    emu_config_paths paths;
    char problem[EMU_CONFIG_TEXT] = "";
    if (!emu_config_paths_init(&paths)) {
        complain("out of memory; close something and try again");
        return false;
    }
    const bool ok = emu_settings_edit(&paths, edits, count, problem, sizeof problem);
    emu_config_paths_finish(&paths);
    if (!ok)
        complain("%s", problem);
    return ok;
}

int edit_and_show(const emu_edit *edits, size_t count, emu_category category)
{
    return make_edits(edits, count) ? show_category(category) : EXIT_REFUSED;
}

static int complain_unknown(emu_category category, const char *key, size_t length)
{
    char keys[512] = "";
    emu_setting other;
    const int shown = length < 60 ? (int)length : 60;
    const char *name = emu_category_name(category);
    if (emu_setting_find(key, length, &other)) {
        const char *right = emu_category_name(emu_setting_describe(other)->category);
        return complain("%.*s is not a setting of %s; try: d3dconfig %s %.*s=...", shown, key, name,
                        right, shown, key);
    }
    for (int i = 0; i < EMU_SETTING_COUNT; i++) {
        const emu_setting_info *info = emu_setting_describe((emu_setting)i);
        if (info->category != category)
            continue;
        if (keys[0] != '\0')
            strcat(keys, ", ");
        strcat(keys, info->key);
    }
    return complain("%s has no setting '%.*s'; it has: %s", name, shown, key, keys);
}

static int parse_pair(emu_category category, const char *argument, emu_edit *edit)
{
    char values[80];
    const char *equals = strchr(argument, '=');
    const size_t length = equals != NULL ? (size_t)(equals - argument) : strlen(argument);
    if (argument[0] == '-')
        return complain("unknown option '%.60s'; try: d3dconfig --help", argument);
    if (!emu_setting_find(argument, length, &edit->setting) ||
        emu_setting_describe(edit->setting)->category != category)
        return complain_unknown(category, argument, length);
    emu_setting_values(edit->setting, values, sizeof values);
    if (!equals)
        return complain("a value for %s is missing; try: d3dconfig %s %s=..., with %s", argument,
                        emu_category_name(category), argument, values);
    if (!emu_setting_parse(edit->setting, equals + 1, strlen(equals + 1), &edit->value))
        return complain("%.*s takes %s, not '%.60s'", (int)length, argument, values, equals + 1);
    edit->kind = EMU_EDIT_SET;
    return EXIT_DONE;
}

/* Parses --force-on-all and --force-sys-controlled-all, for all of dred's settings at once. */
static bool parse_dred_option(const char *argument, emu_edit *edits, size_t *count)
{
    const bool on = strcmp(argument, "--force-on-all") == 0;
    const char *word = on ? "forced-on" : "system-controlled";
    if (!on && strcmp(argument, "--force-sys-controlled-all") != 0)
        return false;
    for (int i = 0; i < EMU_SETTING_COUNT; i++) {
        if (emu_setting_describe((emu_setting)i)->category != EMU_CATEGORY_DRED)
            continue;
        emu_edit *edit = &edits[(*count)++];
        *edit = (emu_edit){.kind = EMU_EDIT_SET, .setting = (emu_setting)i};
        emu_setting_parse((emu_setting)i, word, strlen(word), &edit->value);
    }
    return true;
}

int cmd_category(emu_category category, int argc, char **argv)
{
    emu_edit edits[64];
    size_t count = 0;
    if (argc == 0)
        return show_category(category);
    for (int i = 0; i < argc; i++) {
        if (count + EMU_SETTING_COUNT > sizeof edits / sizeof edits[0])
            return complain("too many settings at once; give each setting once");
        if (category == EMU_CATEGORY_DRED && parse_dred_option(argv[i], edits, &count))
            continue;
        const int code = parse_pair(category, argv[i], &edits[count]);
        if (code != EXIT_DONE)
            return code;
        count++;
    }
    return edit_and_show(edits, count, category);
}

/* Writes the settings as a settings file, so that the output can be stored as a file. */
int cmd_export(void)
{
    emu_settings settings;
    if (!load_settings(&settings))
        return EXIT_REFUSED;
    for (int category = 0; category < EMU_CATEGORY_COUNT; category++) {
        printf("%s[%s]\n", category > 0 ? "\n" : "", emu_category_name((emu_category)category));
        for (size_t i = 0; category == EMU_CATEGORY_APPS && i < settings.app_count; i++)
            printf("app=%s\n", settings.apps[i].name);
        print_values(&settings, (emu_category)category);
    }
    emu_settings_finish(&settings);
    return finish_output();
}

int cmd_reset(void)
{
    const emu_edit reset = {.kind = EMU_EDIT_RESET};
    emu_settings settings;
    if (!make_edits(&reset, 1) || !load_settings(&settings))
        return EXIT_REFUSED;
    for (int category = 0; category < EMU_CATEGORY_COUNT; category++) {
        if (category > 0)
            putchar('\n');
        print_category(&settings, (emu_category)category);
    }
    emu_settings_finish(&settings);
    return finish_output();
}
