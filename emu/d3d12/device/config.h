/* The process's settings as a device finds them when it is created: the settings of emu_configure,
 * which replace those of the environment, and the user's settings in d3dconfig. */
#pragma once

#include "base/com.h"

#include "dred/settings.h"

#include <emu/emu.h>

struct d3d12_settings {
    emu_config config;        /* the first three strings below are what it points at */
    char *driver, *dump_path; /* NULL: none */
    char *marker;             /* config.hang.marker or what it is a part of; NULL: none */
    char *messages;           /* EMU_MESSAGES; NULL: unset */
    bool times_work;          /* EMU_TDR=work */
    const emu_kernel_driver *kernel_driver; /* the driver in EMU_KERNEL_DRIVER_PATH; NULL: none */
    bool kernel_driver_failed;              /* it names one that can't be used */
    const char *hang_variable; /* EMU_HANG, ...: `marker` is its value; NULL: none of them is set */
    bool configured;           /* by emu_configure: its order counts, not the environment's */
    struct dred_enablement dred;
    uint32_t dump_file_options; /* 0: the application's */
    bool debug_layer;           /* the device has ID3D12InfoQueue and ID3D12DebugDevice */
    bool retain_dump_file;      /* unless the user says otherwise */
    bool default_folder;        /* no path was given: dump_path is the system's folder for dumps */
    char mode[512];             /* the annotation mode and its source; "": unset */
    char problem[512];          /* of d3dconfig's files; "": none */
};

/* For the process's device of this number, from 1. False when out of memory; nothing is left to
 * finish then. */
bool d3d12_settings_init(struct d3d12_settings *settings, uint64_t serial);
/* user_settings.c: adds what the user set with d3dconfig. Never fails. */
void d3d12_settings_read_user(struct d3d12_settings *settings);
void d3d12_settings_finish(struct d3d12_settings *settings);

/* The configured driver, by name or path: the caller's to free; NULL when out of memory. */
char *d3d12_settings_driver(void);
