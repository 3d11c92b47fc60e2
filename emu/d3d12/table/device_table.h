/* The creation of devices, for D3D12CreateDevice. */
#ifndef D3D12_DEVICE_TABLE_H
#define D3D12_DEVICE_TABLE_H

#include "device/device.h"

extern const struct d3d12_device_tables d3d12_device_tables;

#endif
