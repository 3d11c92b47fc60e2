/* Declares the drivers that are built in. emu/driver.h describes what a driver is. */
#pragma once

#include "gpu/gpu.h"

/* Returns the built-in driver with this name: "reference", "reorder", "warp", "legacy" or
 * "hostile". Returns NULL for other names. */
const emu_driver *emu_driver_find(const char *name);

/* The table of functions that the emulator gives to each driver. */
extern const emu_driver_host emu__driver_host;
