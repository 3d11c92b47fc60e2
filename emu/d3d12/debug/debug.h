/* The debug layer's switches. Its messages are always on, so that no switch does anything; programs find what they
 * expect to switch. One object of the process, which is never destroyed. */
#ifndef D3D12_DEBUG_H
#define D3D12_DEBUG_H

#include "base/com.h"

/* As D3D12GetDebugInterface: S_FALSE when `out` is NULL and there is such an interface. */
HRESULT d3d12_debug_query(const IID *riid, void **out);

#endif
