/* An adapter has a driver and a LUID. The process has a default adapter for every driver;
 * emu_adapter_create makes more, each with its own unique LUID. A LUID has at most one device. */
#pragma once

#include "base/com.h"

#include <emu/driver.h>
#include <emu/dxcore.h>

struct d3d12_adapter_identity {
    LUID luid;
    const emu_driver *driver;
};

static inline bool luid_same(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

/* Finds the adapter for D3D12CreateDevice's first argument. The argument is an adapter of the
 * emulator, or an object that returns an IDXCoreAdapter with such an adapter's LUID. For a DXGI
 * adapter, the function makes an adapter of the configured driver with the same LUID. For NULL, it
 * finds the configured driver's default adapter. */
HRESULT d3d12_adapter_identify(IUnknown *adapter, struct d3d12_adapter_identity *out);

/* Stores in `out` the adapters that programs may choose: the default adapter first, at most
 * `capacity` adapters. The caller gets a reference to each. Their GetFactory returns `factory`.
 * Returns how many adapters were stored. */
size_t d3d12_adapters_list(IUnknown *factory, IDXCoreAdapter **out, size_t capacity);

/* Returns the LUID's adapter, with a reference for the caller, or NULL if there is none. */
IDXCoreAdapter *d3d12_adapter_by_luid(IUnknown *factory, LUID luid);

/* Sets the callback that returns the size in bytes of the GPU memory of an adapter's device, or 0
 * if the adapter has no device. The registry of devices sets this callback. */
void d3d12_adapters_measure(uint64_t (*bytes)(LUID luid));

/* Returns a number that changes when an adapter is added or removed. */
unsigned d3d12_adapters_generation(void);
