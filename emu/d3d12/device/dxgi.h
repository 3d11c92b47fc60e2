/* An adapter's LUID: the only part of DXGI that the emulator needs and DirectX-Headers lacks. */
#pragma once

#include "base/com.h"

/* False means `unknown` answers no IDXGIAdapter, or that fails. */
bool dxgi_adapter_luid(IUnknown *unknown, LUID *out);
