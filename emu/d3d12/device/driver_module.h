/* Drivers from outside: shared objects, as emu/driver.h and emu/kernel.h describe them. */
#pragma once

#include "base/com.h"

#include <emu/driver.h>
#include <emu/kernel.h>

#include <stdbool.h>

/* emu_config.driver's two kinds. */
bool driver_is_path(const char *name);

/* The built-in driver of that name, or that of the shared object at a path, UTF-8, loaded once and
 * for good. DXGI_ERROR_NOT_FOUND: there is none, or it can't be loaded or has no emu_driver_open;
 * DXGI_ERROR_UNSUPPORTED: what that returned can't be used; E_OUTOFMEMORY. There is no device yet
 * to have a message, so the reason goes to stderr, in one line, the first time that a path
 * fails. */
HRESULT driver_find(const char *name, const emu_driver **out);

/* The kernel-mode driver of the shared object at a path, likewise. NULL: it can't be used. */
const emu_kernel_driver *kernel_driver_find(const char *path);
