/* The devices of the process. D3D12 has one per adapter: while it lives, D3D12CreateDevice returns
 * it again. */
#pragma once

#include "device/adapter.h"
#include "device/device.h"

/* Gets the adapter's device, or makes it with `tables`, with a reference for the caller.
 * DXGI_ERROR_DEVICE_REMOVED: a removed device of the adapter still has references. */
HRESULT device_registry_get(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out);

/* The adapter's device with a reference; NULL: the adapter has no device. */
struct d3d12_device *device_registry_find(const struct d3d12_adapter_identity *adapter);

/* The result that device_registry_get would have, except for errors that only the creation of a
 * device finds. */
HRESULT device_registry_check(const struct d3d12_adapter_identity *adapter);
