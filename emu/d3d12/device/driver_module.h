/* Drivers from outside: shared objects, as emu/driver.h describes them. */
#ifndef D3D12_DRIVER_MODULE_H
#define D3D12_DRIVER_MODULE_H

#include "base/com.h"

#include <emu/driver.h>

#include <stdbool.h>
#include <stddef.h>

/* The driver of the shared object at `path`, UTF-8, loaded once and for good. DXGI_ERROR_NOT_FOUND:
 * it can't be loaded or has no emu_driver_open; DXGI_ERROR_UNSUPPORTED: what that returned can't be
 * used; E_OUTOFMEMORY. There is no device yet to have a message, so the reason goes to stderr, in
 * one line, the first time that a path fails. */
HRESULT driver_module_find(const char *path, const emu_driver **out);

/* The address of a function that the shared object at `path` exports, written to `function`, a
 * pointer to a function (`size`: its bytes). The object stays loaded. False: why is in `reason`,
 * one line of UTF-8. */
bool driver_module_function(const char *path, const char *name, void *function, size_t size,
                            char *reason, size_t capacity);

#endif
