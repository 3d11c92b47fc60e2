/* The devices of the process. While an adapter's device lives, D3D12CreateDevice returns it again.
 */
#pragma once

#include "device/adapter.h"
#include "device/device.h"

/* Gets the adapter's device, or makes it with `tables`, with a reference for the caller.
 * DXGI_ERROR_DEVICE_REMOVED: a removed device of the adapter still has references. */
HRESULT device_registry_get(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out);

/* The adapter's device with a reference; NULL: the adapter has no device. */
struct d3d12_device *device_registry_find(const struct d3d12_adapter_identity *adapter);

/* The result of device_registry_get, except for errors that only a creation finds. */
HRESULT device_registry_check(const struct d3d12_adapter_identity *adapter);
