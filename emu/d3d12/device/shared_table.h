/*
 * Objects that have shared handles. A handle is the operating system's, so that an application can
 * duplicate and close it. This table finds the object from the handle's token. Handles
 * are valid within the process only, and, unlike on Windows, they don't keep the object alive.
 *
 * Threads: any.
 */
#pragma once

#include "device/child.h"

#ifndef DXGI_ERROR_NAME_ALREADY_EXISTS
#define DXGI_ERROR_NAME_ALREADY_EXISTS ((HRESULT)0x887A002CL)
#endif

/* A new handle to the object, under a name of its own if `name` isn't NULL. E_OUTOFMEMORY, E_FAIL
 * when the system has no handle, DXGI_ERROR_NAME_ALREADY_EXISTS. */
HRESULT shared_table_add(struct d3d12_child *child, LPCWSTR name, HANDLE *out);

/* The object of a handle, with a reference; NULL: the handle is none of these, or its object is
 * gone. */
struct d3d12_child *shared_table_find(HANDLE handle);

/* One more handle to the object of this name; as above, E_INVALIDARG: there is none. */
HRESULT shared_table_open(LPCWSTR name, HANDLE *out);
