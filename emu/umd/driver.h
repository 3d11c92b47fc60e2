/* Declares the built-in drivers; emu/driver.h describes the interface of drivers. */
#pragma once

#include "gpu/gpu.h"

/* Returns the driver with this name: "reference", "reorder", "warp", "legacy" or "hostile". NULL:
 * no driver has the name. */
const emu_driver *emu_driver_find(const char *name);

/* The functions that the emulator gives to loaded drivers. */
extern const emu_driver_host emu__driver_host;
