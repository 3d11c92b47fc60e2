/* D3D12 devices are singletons per adapter: while one lives, D3D12CreateDevice returns it again. */
#ifndef D3D12_SINGLETON_H
#define D3D12_SINGLETON_H

#include "device/adapter.h"
#include "device/device.h"

/* The adapter's device, made if there is none, with a reference for the caller. DXGI_ERROR_DEVICE_REMOVED while there is
 * a removed one that somebody still holds. */
HRESULT d3d12_singleton_get(const struct d3d12_adapter_identity *adapter,
                            struct d3d12_device **out);

/* What that would return, but for what only making a device can tell. */
HRESULT d3d12_singleton_check(const struct d3d12_adapter_identity *adapter);

/* The device's last reference is gone. */
void d3d12_singleton_forget(struct d3d12_device *device);

#endif
