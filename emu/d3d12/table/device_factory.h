/* ID3D12DeviceFactory [DirectX-Specs, Independent Devices]. The process has one factory with its
 * configuration. The emulator's drivers don't support independent devices, so the factory returns
 * the adapter's existing device, or makes one. */
#pragma once

#include "base/com.h"

#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

/* Functions that libd3d12 exports, and that a device factory calls. */
struct device_factory_calls {
    HRESULT(WINAPI *create_device)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    HRESULT(WINAPI *get_interface)(REFCLSID, REFIID, void **);
    HRESULT(WINAPI *enable_features)(UINT, const IID *, void *, UINT *);
};

/* Gets the factory of the process. S_FALSE: `out` is NULL and the interface exists. `calls` must be
 * static, and every call must pass the same `calls`. */
HRESULT device_factory_query(const struct device_factory_calls *calls, const IID *riid, void **out);
