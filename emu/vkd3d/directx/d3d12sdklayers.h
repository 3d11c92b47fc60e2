/* Includes the real d3d12sdklayers.h after this folder's d3d12.h, which says why. */
#pragma GCC system_header
#include <directx/d3d12.h>

#include_next <directx/d3d12sdklayers.h>
