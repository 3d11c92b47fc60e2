/* Includes the real header through this folder's d3d12.h; the comment there has the reason. */
#pragma GCC system_header
#include <directx/d3d12.h>

#include_next <directx/d3d12sdklayers.h>
