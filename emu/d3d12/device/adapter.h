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

/* The adapter that D3D12CreateDevice's first argument stands for. It may be one of our adapters,
 * or an object that answers IDXCoreAdapter with the LUID of one. The LUID of a DXGI adapter
 * becomes that of an adapter of the configured driver. NULL: the default adapter of the configured
 * driver. */
HRESULT d3d12_adapter_identify(IUnknown *adapter, struct d3d12_adapter_identity *out);

/* Fills in the adapters that programs may choose from, the default one first, at most `capacity`.
 * Each has a reference for the caller, and its GetFactory answers `factory`. Returns the number. */
size_t d3d12_adapters_list(IUnknown *factory, IDXCoreAdapter **out, size_t capacity);

/* The adapter with this LUID, as there; NULL: none has it. */
IDXCoreAdapter *d3d12_adapter_by_luid(IUnknown *factory, LUID luid);

/* The function with which the registry of devices tells how much GPU memory an adapter's device
 * has; 0: no device. */
void d3d12_adapters_measure(uint64_t (*bytes)(LUID luid));

/* Another number after an adapter came or went. */
unsigned d3d12_adapters_generation(void);
