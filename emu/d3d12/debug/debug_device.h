/* ID3D12DebugDevice's method tables, for the device's QueryInterface. */
#pragma once

#include "base/com.h"

extern CONST_VTBL ID3D12DebugDeviceVtbl d3d12_debug_device_vtable;
