/*
 * ID3D12SDKConfiguration1 and ID3D12DeviceFactory [DirectX-Specs, Independent Devices]. There is
 * only one runtime, so every SDK version means this one, and all factories share the process's
 * configuration. Drivers don't support independent devices: a factory finds the adapter's device or
 * makes it.
 */
#pragma once

#include "base/com.h"

#ifndef DXGI_ERROR_ALREADY_EXISTS
#define DXGI_ERROR_ALREADY_EXISTS ((HRESULT)0x887A0036L)
#endif

/* The exports that a factory calls upwards. */
struct device_factory_calls {
    HRESULT(WINAPI *create_device)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    HRESULT(WINAPI *get_interface)(REFCLSID, REFIID, void **);
    HRESULT(WINAPI *enable_features)(UINT, const IID *, void *, UINT *);
};

/* The process's own factory, always the same pointer; S_FALSE when `out` is NULL and there is such
 * an interface. `calls`, static data, are the same at every call. */
HRESULT device_factory_query(const struct device_factory_calls *calls, const IID *riid, void **out);

/* The process's ID3D12SDKConfiguration1; S_FALSE when `out` is NULL and there is such an interface.
 * The first call's `calls`, static data, are the ones of all its factories. */
HRESULT sdk_configuration_query(const struct device_factory_calls *calls, const IID *riid,
                                void **out);
