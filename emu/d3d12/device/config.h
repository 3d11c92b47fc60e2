/* The settings of a new device. They come from emu_configure or, if the program didn't call
 * emu_configure, from environment variables. d3dconfig's settings are read in both cases. */
#pragma once

#include "dred/settings.h"

#include <emu/emu.h>

/* The switch of the process's debug layer (ID3D12Debug). A device has the layer, with
 * ID3D12InfoQueue and ID3D12DebugDevice, if the switch was on when the device was created.
 * emu_config.debug_layer and d3dconfig's debug-layer-mode also decide. */
extern atomic_bool debug_layer_switch;

struct d3d12_settings {
    emu_config config;        /* the configuration; its strings are stored in the next members */
    char *driver, *dump_path; /* the driver and the dump's path; NULL: not set */
    char *marker;             /* the string of config.hang.marker; NULL: no marker is set */
    char *messages;           /* EMU_MESSAGES; NULL: unset */
    bool times_work;          /* EMU_TDR=work */
    uint64_t fresh_memory;    /* EMU_FRESH_MEMORY; 0: new memory is cleared */
    /* The driver that EMU_KERNEL_DRIVER_PATH names; NULL: no driver. */
    const emu_kernel_driver *kernel_driver;
    bool kernel_driver_failed; /* whether EMU_KERNEL_DRIVER_PATH names an unusable driver */
    /* `marker` comes from this environment variable: EMU_HANG, EMU_FAULT, EMU_LOSE; or NULL */
    const char *hang_variable;
    bool configured; /* whether emu_configure chose the order of threads; the variable EMU_ORDER is
                        then ignored */
    struct dred_enablement dred;
    uint32_t dump_file_options; /* user's options for dump files; 0: the application's options */
    bool debug_layer;           /* whether the device has ID3D12InfoQueue and ID3D12DebugDevice */
    bool retain_dump_file;      /* whether dump files stay, unless d3dconfig decides otherwise */
    bool default_folder;        /* whether no path was set; dump_path is the system's dump folder */
    char mode[512];             /* the annotation mode and its source, as a text; "": not set */
    char problem[512];          /* the problem of d3dconfig's files; "": no problem */
};

/* Reads the settings for this process's device number `serial`; the first device has number 1.
 * False means out of memory; the caller must then not finish `settings`. */
bool d3d12_settings_init(struct d3d12_settings *settings, uint64_t serial);
/* Adds the user's settings from d3dconfig to `settings` (user_settings.c). Never fails. */
void d3d12_settings_read_user(struct d3d12_settings *settings);
void d3d12_settings_finish(struct d3d12_settings *settings);

/* Returns the configured driver's name or path; the caller frees it. NULL means out of memory. */
char *d3d12_settings_driver(void);
