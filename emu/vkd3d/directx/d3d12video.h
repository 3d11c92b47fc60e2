/* Includes the real header as this folder's d3d12.h does; the comment there has the reason. */
#pragma GCC system_header
#include <directx/d3d12.h>

#ifndef __d3d12video_h__
#define _WIN32
#include_next <directx/d3d12video.h>
#undef _WIN32
#endif
