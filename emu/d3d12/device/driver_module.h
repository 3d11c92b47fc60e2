/* Loads drivers from shared objects. emu/driver.h and emu/kernel.h describe these drivers. */
#pragma once

#include "base/com.h"

#include <emu/driver.h>

/* Returns whether emu_config.driver is a path. False: it is the name of a built-in driver. */
bool driver_is_path(const char *name);

/* Finds the built-in driver `name`, or loads the shared object at the path `name` (UTF-8) and never
 * unloads it. DXGI_ERROR_NOT_FOUND: the driver doesn't exist, can't be loaded, or has no
 * emu_driver_open. DXGI_ERROR_UNSUPPORTED: the driver's table can't be used. E_OUTOFMEMORY is
 * possible, too. For each path, the first failure prints its reason on stderr, because no device
 * exists that could emit a message. */
HRESULT driver_find(const char *name, const emu_driver **out);

/* Loads the kernel-mode driver of the shared object at `path`. NULL: the driver can't be used. */
const emu_kernel_driver *kernel_driver_find(const char *path);
