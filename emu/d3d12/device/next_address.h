/* The address of the next allocation, set by ID3D12DeviceTools::SetNextAllocationAddress
 * [ANN-MODE-09]. As documented, the address applies to the calling thread and to one allocation. */
#pragma once

#include "device/device.h"

/* Sets the address for the calling thread's next creation; 0 removes the address. */
void next_address_set(const struct d3d12_device *device, D3D12_GPU_VIRTUAL_ADDRESS address);

/* Returns the calling thread's address and forgets it; 0: no address was set. */
D3D12_GPU_VIRTUAL_ADDRESS next_address_take(const struct d3d12_device *device);
