/* The devices of the process. While an adapter has a device, D3D12CreateDevice returns it. */
#pragma once

#include "device/device.h"

/* Gets the adapter's device, or makes one with `tables`. The caller gets a reference.
 * DXGI_ERROR_DEVICE_REMOVED: a removed device of the adapter still has references. */
HRESULT device_registry_get(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out);

/* Returns the adapter's device with a reference, or NULL if the adapter has no device. */
struct d3d12_device *device_registry_find(const struct d3d12_adapter_identity *adapter);

/* Predicts the result of device_registry_get. Only the creation itself can find some errors. */
HRESULT device_registry_check(const struct d3d12_adapter_identity *adapter);
