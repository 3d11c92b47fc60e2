/* d3dconfig apps: the list of applications that settings apply to. */
#include "commands.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EDITS 256

static int parse_option(const char *option, const char *value, emu_edit *edit)
{
    char problem[EMU_CONFIG_TEXT];
    *edit = (emu_edit){.kind = EMU_EDIT_CLEAR_APPS};
    if (strcmp(option, "--clear") == 0)
        return EXIT_DONE;
    const bool adds = strcmp(option, "--add") == 0;
    if (!adds && strcmp(option, "--remove") != 0)
        return complain("d3dconfig apps takes --add X, --remove X or --clear, not '%.60s'; X is an "
                        "executable's name, its full path, or a folder ending in a separator",
                        option);
    if (!value)
        return complain("%s needs an application; try: d3dconfig apps %s game.exe", option, option);
    edit->kind = adds ? EMU_EDIT_ADD_APP : EMU_EDIT_REMOVE_APP;
    if (!adds) { /* the entry in the form of the list */
        edit->app = value;
        return EXIT_DONE;
    }
    edit->app = emu_app_normalise(value, problem, sizeof problem);
    return edit->app ? EXIT_DONE : complain("%s", problem);
}

int cmd_apps(int argc, char **argv)
{
    emu_edit edits[MAX_EDITS] = {0};
    int count = 0, code = EXIT_DONE;
    if (argc == 0)
        return show_category(EMU_CATEGORY_APPS);
    for (int i = 0; i < argc && code == EXIT_DONE; i++) {
        if (count == MAX_EDITS) {
            code = complain("more than %d applications at once; give their folders instead",
                            MAX_EDITS);
            break;
        }
        code = parse_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL, &edits[count]);
        if (code == EXIT_DONE && edits[count++].kind != EMU_EDIT_CLEAR_APPS)
            i++;
    }
    if (code == EXIT_DONE)
        code = edit_and_show(edits, (size_t)count, EMU_CATEGORY_APPS);
    for (int i = 0; i < count; i++) {
        if (edits[i].kind != EMU_EDIT_ADD_APP)
            continue;
        if (code == EXIT_DONE && !emu_app_exists(edits[i].app))
            warn("%.300s does not exist; settings will apply when the file exists", edits[i].app);
        free((char *)(uintptr_t)edits[i].app);
    }
    return code;
}
