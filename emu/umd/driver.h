/* The built-in drivers; emu/driver.h describes the interface. */
#pragma once

#include <emu/driver.h>

#include "gpu/gpu.h"

/* Finds a driver by its name: "reference", "reorder", "warp", "legacy" or "hostile"; NULL: there is
 * none with this name. */
const emu_driver *emu_driver_find(const char *name);

/* The functions that loaded drivers get. */
extern const emu_driver_host emu__driver_host;
