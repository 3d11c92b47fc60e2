/* The list holds no references: a device is removed from the list when its last reference is
 * released. A thread that finds the device between these two moments sees a count of 0, takes no
 * reference, and makes a new device. */
#include "device/device_registry.h"

#include "containers.h"
#include "gate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct d3d12_device *devices;

/* The lock is held. Returns the device with a reference, or NULL. */
static struct d3d12_device *find(LUID luid)
{
    for (struct d3d12_device *device = devices; device; device = device->next)
        if (luid_same(device->luid, luid) && counter_step(&device->references, 1))
            return device;
    return NULL;
}

/* The function for d3d12_device.gone. */
static void forget(struct d3d12_device *device)
{
    emu_lock(&lock);
    DL_DELETE(devices, device);
    emu_unlock(&lock);
}

static void forget_nothing(struct d3d12_device *device)
{
    (void)device;
}

/* A child of fork lacks the threads of these devices, so they are removed without a dump, and are
 * not found any more. */
static void inherit(void)
{
    for (struct d3d12_device *device = devices; device; device = device->next) {
        HRESULT alive = S_OK;
        atomic_compare_exchange_strong(&device->removed_reason, &alive, DXGI_ERROR_DEVICE_REMOVED);
        device->gone = forget_nothing;
        emu_kmd_inherit(device->kmd);
    }
    devices = NULL;
}

/* Returns the bytes that count against the adapter's memory budget. */
static uint64_t device_memory(LUID luid)
{
    emu_lock(&lock);
    struct d3d12_device *device = find(luid);
    emu_unlock(&lock);
    if (!device)
        return 0;
    const uint64_t bytes = emu_gpu_bytes(device->gpu);
    d3d12_device_release(device);
    return bytes;
}

/* The lock is held. */
static HRESULT find_or_create(const struct d3d12_adapter_identity *adapter,
                              const struct d3d12_device_tables *tables, struct d3d12_device **out)
{
    *out = find(adapter->luid);
    if (*out)
        return S_OK;
    const HRESULT hr = d3d12_device_create(adapter, tables, out);
    if (FAILED(hr))
        return hr;
    d3d12_adapters_measure(device_memory);
    (*out)->gone = forget;
    DL_PREPEND(devices, *out);
    return S_OK;
}

HRESULT device_registry_get(const struct d3d12_adapter_identity *adapter,
                            const struct d3d12_device_tables *tables, struct d3d12_device **out)
{
    emu_gate_follow_forks(inherit);
    emu_lock(&lock);
    const HRESULT hr = find_or_create(adapter, tables, out);
    emu_unlock(&lock);
    if (FAILED(hr) || !d3d12_device_is_removed(*out))
        return hr;
    d3d12_device_release(*out); /* maybe the last reference: not released under the lock */
    return DXGI_ERROR_DEVICE_REMOVED;
}

struct d3d12_device *device_registry_find(const struct d3d12_adapter_identity *adapter)
{
    emu_lock(&lock);
    struct d3d12_device *device = find(adapter->luid);
    emu_unlock(&lock);
    return device;
}

HRESULT device_registry_check(const struct d3d12_adapter_identity *adapter)
{
    struct d3d12_device *device = device_registry_find(adapter);
    const bool removed = device != NULL && d3d12_device_is_removed(device);
    if (device)
        d3d12_device_release(device);
    return removed ? DXGI_ERROR_DEVICE_REMOVED : S_OK;
}
