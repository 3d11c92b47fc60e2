/* The creation of devices, for D3D12CreateDevice. */
#pragma once

#include "device/device.h"

extern const struct d3d12_device_tables d3d12_device_tables;
