/* An adapter: a driver and a LUID. The process has a default adapter for every driver;
 * emu_adapter_create makes more, each with its own unique LUID. There is one device per LUID:
 * device_registry.h. */
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

/* Finds the adapter for D3D12CreateDevice's first argument: an adapter of the emulator, or an
 * object that returns an IDXCoreAdapter with such an adapter's LUID. For a DXGI adapter, makes an
 * adapter of the configured driver with the same LUID. NULL: the configured driver's default
 * adapter. */
HRESULT d3d12_adapter_identify(IUnknown *adapter, struct d3d12_adapter_identity *out);

/* Fills in the adapters that programs may choose from, the default one first, at most `capacity`.
 * Each has a reference for the caller, and its GetFactory answers `factory`. Returns the number. */
size_t d3d12_adapters_list(IUnknown *factory, IDXCoreAdapter **out, size_t capacity);

/* The adapter with this LUID, with a reference for the caller; NULL: no adapter has it. */
IDXCoreAdapter *d3d12_adapter_by_luid(IUnknown *factory, LUID luid);

/* Sets the function that returns the bytes of GPU memory of an adapter's device, 0 without a
 * device. The registry of devices calls this. */
void d3d12_adapters_measure(uint64_t (*bytes)(LUID luid));

/* A number that changes when an adapter is added or removed. */
unsigned d3d12_adapters_generation(void);
