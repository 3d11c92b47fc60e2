/* The settings for a new device: the settings of emu_configure, or else of the environment, and the
 * user's settings in d3dconfig. */
#pragma once

#include "dred/settings.h"

#include <emu/emu.h>

struct d3d12_settings {
    emu_config config;        /* the configuration; the next members own its strings */
    char *driver, *dump_path; /* NULL: no driver or path is set */
    char *marker;             /* the memory of config.hang.marker; NULL: no marker */
    char *messages;           /* EMU_MESSAGES; NULL: unset */
    bool times_work;          /* EMU_TDR=work */
    const emu_kernel_driver *kernel_driver; /* the driver in EMU_KERNEL_DRIVER_PATH; NULL: none */
    bool kernel_driver_failed;              /* EMU_KERNEL_DRIVER_PATH has no usable driver */
    const char *hang_variable; /* EMU_HANG, EMU_FAULT or EMU_LOSE, which set `marker`; NULL: none */
    bool configured; /* whether emu_configure chose the order of threads; then the environment
                        variable for this order is ignored */
    struct dred_enablement dred;
    uint32_t dump_file_options; /* the user's options for dump files; 0: the application's apply */
    bool debug_layer;           /* the device has ID3D12InfoQueue and ID3D12DebugDevice */
    bool retain_dump_file;      /* whether dump files stay, unless the user decides otherwise */
    bool default_folder; /* whether dump_path is the system's folder for dumps, because no path was
                            set */
    char mode[512];      /* the annotation mode and its source; "": unset */
    char problem[512];   /* the problem of d3dconfig's files; "": no problem */
};

/* Reads the settings for device number `serial` of this process, from 1. False means out of memory;
 * then `settings` must not be finished. */
bool d3d12_settings_init(struct d3d12_settings *settings, uint64_t serial);
/* Adds the user's settings from d3dconfig (user_settings.c). Never fails. */
void d3d12_settings_read_user(struct d3d12_settings *settings);
void d3d12_settings_finish(struct d3d12_settings *settings);

/* Returns the configured driver, a name or a path. The caller frees it. NULL: out of memory. */
char *d3d12_settings_driver(void);
