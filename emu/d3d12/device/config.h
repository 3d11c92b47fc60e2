/* The settings for a new device: those of emu_configure or else of the environment, and the user's
 * settings in d3dconfig. */
#pragma once

#include "base/com.h"

#include "dred/settings.h"

#include <emu/emu.h>

struct d3d12_settings {
    emu_config config;                      /* its strings are the first three below */
    char *driver, *dump_path;               /* NULL: none */
    char *marker;                           /* memory of config.hang.marker; NULL: none */
    char *messages;                         /* EMU_MESSAGES; NULL: unset */
    bool times_work;                        /* EMU_TDR=work */
    const emu_kernel_driver *kernel_driver; /* the driver in EMU_KERNEL_DRIVER_PATH; NULL: none */
    bool kernel_driver_failed;              /* whether that driver can't be used */
    const char *
        hang_variable; /* EMU_HANG, EMU_FAULT or EMU_LOSE, whose value is `marker`; NULL: not set */
    bool configured; /* whether emu_configure chose the order of threads; then the environment's is
                        not used */
    struct dred_enablement dred;
    uint32_t dump_file_options; /* 0: the application's */
    bool debug_layer;           /* the device has ID3D12InfoQueue and ID3D12DebugDevice */
    bool retain_dump_file;      /* the default, which the user may change */
    bool default_folder;        /* no path was set: dump_path is the system's folder for dumps */
    char mode[512];             /* the annotation mode and its source; "": unset */
    char problem[512];          /* what is wrong in d3dconfig's files; "": nothing */
};

/* Reads the settings for the process's device number `serial`, from 1. False means out of memory;
 * then there is nothing to finish. */
bool d3d12_settings_init(struct d3d12_settings *settings, uint64_t serial);
/* user_settings.c: adds what the user set with d3dconfig. Never fails. */
void d3d12_settings_read_user(struct d3d12_settings *settings);
void d3d12_settings_finish(struct d3d12_settings *settings);

/* The configured driver, as name or path. The caller frees it. NULL: out of memory. */
char *d3d12_settings_driver(void);
