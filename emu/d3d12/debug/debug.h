/* The switches of ID3D12Debug. Devices that are created while the debug layer's switch is on have
 * ID3D12InfoQueue and ID3D12DebugDevice. The other switches change nothing. The process has one
 * object with all switches; it is never destroyed. */
#pragma once

#include "base/com.h"

/* Performs D3D12GetDebugInterface. S_FALSE means that `out` is NULL and the interface exists. */
HRESULT d3d12_debug_query(const IID *riid, void **out);
