#include "device/next_address.h"

#define DEVICES 8u /* most devices of a thread; then the oldest address is forgotten */

struct next_address {
    uint64_t device; /* d3d12_device.serial; 0: free */
    D3D12_GPU_VIRTUAL_ADDRESS address;
};

static _Thread_local struct next_address addresses[DEVICES];

void next_address_set(const struct d3d12_device *device, D3D12_GPU_VIRTUAL_ADDRESS address)
{
    next_address_take(device);
    memmove(&addresses[1], &addresses[0], sizeof addresses - sizeof addresses[0]);
    addresses[0] = (struct next_address){device->serial, address};
}

D3D12_GPU_VIRTUAL_ADDRESS next_address_take(const struct d3d12_device *device)
{
    for (unsigned i = 0; i < DEVICES; i++)
        if (addresses[i].device == device->serial) {
            const D3D12_GPU_VIRTUAL_ADDRESS address = addresses[i].address;
            memmove(&addresses[i], &addresses[i + 1], (DEVICES - 1 - i) * sizeof addresses[0]);
            addresses[DEVICES - 1] = (struct next_address){0};
            return address;
        }
    return 0;
}
