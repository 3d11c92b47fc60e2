/*
 * An adapter: a driver and a LUID. The process has one by default for every driver; emu_adapter_create makes more, each
 * with a LUID of its own, which no other adapter ever gets. Devices are one per LUID: device_registry.h.
 */
#ifndef D3D12_ADAPTER_H
#define D3D12_ADAPTER_H

#include "base/com.h"

#include <emu/driver.h>

struct d3d12_adapter_identity {
    LUID luid;
    const emu_driver *driver;
};

static inline bool luid_same(LUID a, LUID b)
{
    return a.LowPart == b.LowPart && a.HighPart == b.HighPart;
}

/* What D3D12CreateDevice's first argument stands for: one of our adapters, an object that answers IDXCoreAdapter with
 * the LUID of one, or, when it is NULL, the default adapter of the configured driver. */
HRESULT d3d12_adapter_identify(IUnknown *adapter, struct d3d12_adapter_identity *out);

#endif
