/* Includes the real d3d12video.h in the same way as this folder's d3d12.h, which says why. */
#pragma GCC system_header
#include <directx/d3d12.h>

#ifndef __d3d12video_h__
#define _WIN32
#include_next <directx/d3d12video.h>
#undef _WIN32
#endif
