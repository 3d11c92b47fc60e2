/* Drivers from outside: shared objects, as emu/driver.h describes them. */
#ifndef D3D12_DRIVER_MODULE_H
#define D3D12_DRIVER_MODULE_H

#include "base/com.h"

#include <emu/driver.h>

/* The driver of the shared object at `path`, UTF-8, loaded once and for good. DXGI_ERROR_NOT_FOUND:
 * it can't be loaded or has no emu_driver_open; DXGI_ERROR_UNSUPPORTED: what that returned can't be
 * used; E_OUTOFMEMORY. There is no device yet to have a message, so the reason goes to stderr, in
 * one line, the first time that a path fails. */
HRESULT driver_module_find(const char *path, const emu_driver **out);

#endif
