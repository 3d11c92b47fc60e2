/* ID3D12DebugDevice::ReportLiveDeviceObjects. */
#pragma once

#include "base/com.h"

struct d3d12_device;

/* One message on the device, one with the number of its objects for SUMMARY, one on each of them
 * for DETAIL; IGNORE_INTERNAL leaves out what only other objects or the GPU still use. Objects
 * whose destruction waits for the GPU are left out. E_OUTOFMEMORY: nothing was reported. */
HRESULT live_report(struct d3d12_device *device, D3D12_RLDO_FLAGS flags);
