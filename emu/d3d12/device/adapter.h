/*
 * An adapter: a driver and a LUID. The process has one by default for every driver;
 * emu_adapter_create makes more, each with a LUID of its own, which no other adapter ever gets.
 * There is one device per LUID: device_registry.h.
 */
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

/* The adapter that D3D12CreateDevice's first argument stands for: one of our adapters, an object
 * that answers IDXCoreAdapter with the LUID of one, a DXGI adapter, whose LUID becomes that of an
 * adapter of the configured driver, or, when it is NULL, the default adapter of the configured
 * driver. */
HRESULT d3d12_adapter_identify(IUnknown *adapter, struct d3d12_adapter_identity *out);

/* The adapters that programs may choose from, the default one first, each with a reference for the
 * caller and `factory` as what its GetFactory answers. At most `capacity` of them; the number. */
size_t d3d12_adapters_list(IUnknown *factory, IDXCoreAdapter **out, size_t capacity);

/* The adapter with this LUID, as there; NULL: none has it. */
IDXCoreAdapter *d3d12_adapter_by_luid(IUnknown *factory, LUID luid);

/* The registry of devices says how much GPU memory an adapter's device has, 0 without one. */
void d3d12_adapters_measure(uint64_t (*bytes)(LUID luid));

/* Another number after an adapter came or went. */
unsigned d3d12_adapters_generation(void);
