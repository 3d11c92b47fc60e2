/* d3d12.h of this folder includes the real one: see there. */
#pragma GCC system_header
#include <directx/d3d12.h>

#include_next <directx/d3d12sdklayers.h>
