/* Drivers from outside: shared objects, as emu/driver.h describes them. */
#pragma once

#include "base/com.h"

#include <emu/driver.h>

#include <stdbool.h>
#include <stddef.h>

/* emu_config.driver's two kinds. */
bool driver_is_path(const char *name);

/* The built-in driver of that name, or that of the shared object at a path, UTF-8, loaded once and
 * for good. DXGI_ERROR_NOT_FOUND: there is none, or it can't be loaded or has no emu_driver_open;
 * DXGI_ERROR_UNSUPPORTED: what that returned can't be used; E_OUTOFMEMORY. There is no device yet
 * to have a message, so the reason goes to stderr, in one line, the first time that a path
 * fails. */
HRESULT driver_find(const char *name, const emu_driver **out);

/* The address of a function that the shared object at `path` exports, written to `function`, a
 * pointer to a function (`size`: its bytes). The object stays loaded. False: why is in `reason`,
 * one line of UTF-8. */
bool driver_module_function(const char *path, const char *name, void *function, size_t size,
                            char *reason, size_t capacity);
