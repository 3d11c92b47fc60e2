/* The user's settings from d3dconfig, if the emulator uses them [ANN-CONF-02, -04, -06]. */
#include "device/config.h"

#include "config/d3dconfig.h"

#include <stdio.h>

_Static_assert(sizeof((struct d3d12_settings *)0)->mode == EMU_CONFIG_TEXT &&
                   sizeof((struct d3d12_settings *)0)->problem == EMU_CONFIG_TEXT,
               "room for a line");

/* Whether no setting was ever made on this machine. Then a device emits no message about settings,
 * as in D3D12. */
static bool is_untouched(const emu_settings *user)
{
    for (size_t i = 0; i < user->file_count; i++)
        if (user->files[i].state != EMU_FILE_ABSENT ||
            user->files[i].layer == EMU_LAYER_ENVIRONMENT)
            return false;
    return true;
}

static D3D12_DRED_ENABLEMENT enablement(const emu_settings *user, int match, emu_setting setting)
{
    return (D3D12_DRED_ENABLEMENT)emu_settings_get(user, match, setting).value;
}

/* The user's setting wins over the program and emu_configure, as on Windows. */
static bool debug_layer(const emu_settings *user, int match, bool asked)
{
    switch (emu_settings_get(user, match, EMU_SETTING_DEBUG_LAYER_MODE).value) {
    case EMU_DEBUG_LAYER_FORCE_ON:
        return true;
    case EMU_DEBUG_LAYER_OFF:
        return false;
    default:
        return asked;
    }
}

/* Switches breadcrumbs on for an ordered hang, unless the user's settings say otherwise. */
static D3D12_DRED_ENABLEMENT breadcrumbs(const struct d3d12_settings *settings,
                                         const emu_settings *user, int match)
{
    const D3D12_DRED_ENABLEMENT set = enablement(user, match, EMU_SETTING_AUTO_BREADCRUMBS);
    return set == D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED && settings->hang_variable
               ? D3D12_DRED_ENABLEMENT_FORCED_ON
               : set;
}

static void read_files(struct d3d12_settings *settings, const emu_config_paths *paths)
{
    emu_settings user;
    char *executable = emu_executable_self();
    emu_settings_load(&user, paths);
    const int match = emu_settings_match(&user, executable);
    const bool forced =
        emu_settings_get(&user, match, EMU_SETTING_FORCE_DRIVER_RETAIL_ANNOTATIONS).value != 0;
    if (is_untouched(&user))
        settings->mode[0] = '\0';
    else if (settings->config.force_driver_retail && !forced)
        snprintf(settings->mode, sizeof settings->mode,
                 "annotation mode DRIVER_RETAIL, forced by emu_configure");
    else
        emu_settings_explain_mode(&user, match, executable, settings->mode, sizeof settings->mode);
    settings->config.force_driver_retail |= forced;
    settings->debug_layer = debug_layer(&user, match, settings->debug_layer);
    const emu_setting_value retain = emu_settings_get(&user, match, EMU_SETTING_RETAIN_DUMP_FILE);
    settings->retain_dump_file =
        retain.layer == EMU_LAYER_DEFAULT ? !settings->default_folder : retain.value != 0;
    const emu_setting_value options =
        emu_settings_get(&user, match, EMU_SETTING_DUMP_FILE_DRIVER_OPTIONS);
    settings->dump_file_options = options.layer == EMU_LAYER_DEFAULT ? 0 : options.value;
    settings->dred = dred_settings_latch(breadcrumbs(settings, &user, match),
                                         enablement(&user, match, EMU_SETTING_BREADCRUMB_CONTEXTS),
                                         enablement(&user, match, EMU_SETTING_PAGE_FAULTS));
    emu_settings_problem(&user, settings->problem, sizeof settings->problem);
    emu_settings_finish(&user);
    free(executable);
}

void d3d12_settings_read_user(struct d3d12_settings *settings)
{
    emu_config_paths paths = {.count = 0};
    const bool ok = emu_config_paths_init(&paths);
    settings->mode[0] = settings->problem[0] = '\0';
    read_files(settings, &paths);
    if (!ok)
        snprintf(settings->problem, sizeof settings->problem,
                 "out of memory: the settings of d3dconfig are ignored");
    emu_config_paths_finish(&paths);
}
