/* An adapter's LUID: the only part of DXGI that the emulator needs and DirectX-Headers lacks. */
#pragma once

#include "base/com.h"

/* Gets the LUID. False means that `unknown` is no IDXGIAdapter, or its method failed. */
bool dxgi_adapter_luid(IUnknown *unknown, LUID *out);
