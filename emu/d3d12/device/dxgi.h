/* The only part of DXGI that is needed here, and that DirectX-Headers lacks: an adapter's LUID. */
#pragma once

#include "base/com.h"

/* False: `unknown` answers no IDXGIAdapter, or that fails. */
bool dxgi_adapter_luid(IUnknown *unknown, LUID *out);
