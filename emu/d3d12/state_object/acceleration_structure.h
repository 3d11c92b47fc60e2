/* Raytracing acceleration structures on the CPU's side: their sizes, and which driver can read
 * serialized ones. */
#pragma once

#include "base/com.h"

struct d3d12_device;

/* The memory that building from these inputs takes; never less for more of anything. What is wrong
 * with the inputs, or NULL. */
const char *
acceleration_structure_size(const D3D12_BUILD_RAYTRACING_ACCELERATION_STRUCTURE_INPUTS *inputs,
                            D3D12_RAYTRACING_ACCELERATION_STRUCTURE_PREBUILD_INFO *out);

/* The identifier of this device's driver and adapter. */
D3D12_SERIALIZED_DATA_DRIVER_MATCHING_IDENTIFIER
acceleration_structure_identifier(const struct d3d12_device *device);
