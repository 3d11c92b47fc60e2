/* The address for the next allocation, which ID3D12DeviceTools::SetNextAllocationAddress sets
 * [ANN-MODE-09]. As documented, the address applies to the calling thread and to one allocation. */
#pragma once

#include "device/device.h"

/* Sets the address for the next object that the calling thread creates; 0 removes the address. */
void next_address_set(const struct d3d12_device *device, D3D12_GPU_VIRTUAL_ADDRESS address);

/* Returns the address that the calling thread set, and forgets it; 0: no address is set. */
D3D12_GPU_VIRTUAL_ADDRESS next_address_take(const struct d3d12_device *device);
