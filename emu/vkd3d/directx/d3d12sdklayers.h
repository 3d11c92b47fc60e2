/* The real one comes with d3d12.h: see there. */
#pragma GCC system_header
#include <directx/d3d12.h>

#include_next <directx/d3d12sdklayers.h>
