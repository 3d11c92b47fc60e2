/* Drivers from outside: shared objects, as emu/driver.h and emu/kernel.h describe them. */
#pragma once

#include "base/com.h"

#include <emu/driver.h>
#include <emu/kernel.h>

#include <stdbool.h>

/* Whether a driver in emu_config.driver is a path or a name. */
bool driver_is_path(const char *name);

/* Finds the built-in driver of this name, or loads the shared object at this path (UTF-8) and never
 * unloads it. DXGI_ERROR_NOT_FOUND: there is none, it can't be loaded, or it has no
 * emu_driver_open. DXGI_ERROR_UNSUPPORTED: its table can't be used. E_OUTOFMEMORY is possible, too.
 * The first failure of a path prints the reason on stderr, because there is no device for a message
 * yet. */
HRESULT driver_find(const char *name, const emu_driver **out);

/* Loads the kernel-mode driver of a shared object in the same way. NULL: it can't be used. */
const emu_kernel_driver *kernel_driver_find(const char *path);
