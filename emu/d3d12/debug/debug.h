/* The debug layer's switches. Devices that are created while the layer is on have ID3D12InfoQueue
 * and ID3D12DebugDevice; the other switches change nothing. The process has one object with the
 * switches, which is never destroyed. */
#pragma once

#include "base/com.h"

/* Answers D3D12GetDebugInterface. S_FALSE: `out` is NULL, and the interface exists. */
HRESULT d3d12_debug_query(const IID *riid, void **out);
