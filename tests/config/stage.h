/* A folder of its own for each test, the settings files in it, and devices that are made under
 * them. */
#pragma once

#include "asserts.h"
#include "config/d3dconfig.h"
#include "d3d12_objects.h"

#define MODE_RUNTIME D3D12_USER_DEFINED_ANNOTATION_MODE_RUNTIME_ONLY
#define MODE_RETAIL  D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL

#define FORCE        "force-driver-retail-annotations"
#define FORCE_ON     "[device]\n" FORCE "=on\n"

/* The folder without separator at its end; made at first use, gone when the test is over. */
const char *stage_folder(void);
/* "folder/name", static until the eighth call after it. */
const char *stage_path(const char *name);
void stage_write(const char *name, const void *bytes, size_t size);
void stage_write_text(const char *name, const char *text);
/* A static copy of the file with a NUL behind it; "" when it is absent. */
const char *stage_read(const char *name);

/* ANNOT_CONFIG becomes the file of the stage; emptied: XDG_CONFIG_HOME becomes the folder
 * instead. */
void stage_use(const char *name);

/* Settings of a user's and a system's file that are both on the stage. */
emu_config_paths stage_two_files(void);
emu_settings stage_load(const emu_config_paths *paths);

/* A device under the seeded order, with an info queue. */
ID3D12Device *stage_device(void);

void stage_clear(void); /* the suites' .fini */
