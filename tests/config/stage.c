#define INITGUID
#include "stage.h"

#include <unistd.h>

static char folder[256];

const char *stage_folder(void)
{
    if (folder[0] == '\0') {
        const char *place = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%.200s/annot-config-XXXXXX", place ? place : "/tmp");
        cr_assert(mkdtemp(folder));
    }
    return folder;
}

const char *stage_path(const char *name)
{
    static char paths[8][1024];
    static unsigned next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", stage_folder(), name);
    return path;
}

void stage_write(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(stage_path(name), "wb");
    cr_assert(file);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    cr_assert_eq(fclose(file), 0);
}

void stage_write_text(const char *name, const char *text)
{
    stage_write(name, text, strlen(text));
}

const char *stage_read(const char *name)
{
    static char text[1 << 16];
    FILE *file = fopen(stage_path(name), "rb");
    const size_t size = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = '\0';
    return text;
}

void stage_use(const char *name)
{
    setenv("XDG_CONFIG_HOME", stage_folder(), 1);
    if (name[0] != '\0')
        setenv("ANNOT_CONFIG", stage_path(name), 1);
    else
        unsetenv("ANNOT_CONFIG");
}

emu_config_paths stage_two_files(void)
{
    static char user[1024], system_wide[1024];
    snprintf(user, sizeof user, "%s/user.ini", stage_folder());
    snprintf(system_wide, sizeof system_wide, "%s/system.ini", stage_folder());
    return (emu_config_paths){{{EMU_LAYER_USER, user}, {EMU_LAYER_SYSTEM, system_wide}}, 2};
}

emu_settings stage_load(const emu_config_paths *paths)
{
    emu_settings settings;
    emu_settings_load(&settings, paths);
    return settings;
}

ID3D12Device *stage_device(void)
{
    IUnknown *adapter = NULL; /* its own: several devices live in some tests */
    ID3D12Device *device = NULL;
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.debug_layer = true;
    cr_assert_eq(emu_configure(&config), ANNOT_OK);
    cr_assert_eq(emu_adapter_create(NULL, (void **)&adapter), ANNOT_OK);
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    IUnknown_Release(adapter);
    return device;
}

void stage_clear(void)
{
    char command[600];
    if (folder[0] == '\0')
        return;
    snprintf(command, sizeof command, "chmod -R u+rwx '%s'; rm -rf '%s'", folder, folder);
    cr_assert_eq(system(command), 0);
}
