/* The devices of the process. If an adapter has a device, D3D12CreateDevice returns this device. */
#pragma once

#include "device/device.h"

/* Gets the adapter's device, or makes one with `tables`. The caller gets a reference.
 * DXGI_ERROR_DEVICE_REMOVED: the adapter's removed device still has references. */
HRESULT device_registry_get(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out);

/* Returns the adapter's device, with a reference for the caller, or NULL if there is none. */
struct d3d12_device *device_registry_find(const struct d3d12_adapter_identity *adapter);

/* Predicts device_registry_get's result. Some errors are found only when a device is created. */
HRESULT device_registry_check(const struct d3d12_adapter_identity *adapter);
