/* d3d12.h of this folder includes the real header and explains it. */
#pragma GCC system_header
#include <directx/d3d12.h>

#include_next <directx/d3d12sdklayers.h>
