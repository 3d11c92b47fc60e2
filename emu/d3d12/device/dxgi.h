/* The only part of DXGI that is needed here, and that DirectX-Headers lacks: an adapter's LUID. */
#ifndef D3D12_DXGI_H
#define D3D12_DXGI_H

#include "base/com.h"

/* False: `unknown` answers no IDXGIAdapter, or that fails. */
bool dxgi_adapter_luid(IUnknown *unknown, LUID *out);

#endif
