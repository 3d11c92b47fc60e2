/* Declares the method tables that D3D12CreateDevice needs for a new device. */
#pragma once

#include "device/device.h"

extern const struct d3d12_device_tables d3d12_device_tables;
