/* ID3D12DeviceConfiguration: with what a device was created. A face of the device. */
#pragma once

#include "base/com.h"

extern CONST_VTBL ID3D12DeviceConfigurationVtbl d3d12_device_configuration_vtable;
