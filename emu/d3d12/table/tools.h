/* ID3D12Tools, which D3D12GetInterface hands out: the switch of shader instrumentation. It is
 * stored and has no effect, because shaders are not executed. One object of the process. */
#pragma once

#include "base/com.h"

/* S_FALSE when `out` is NULL and there is such an interface. */
HRESULT d3d12_tools_query(const IID *riid, void **out);
