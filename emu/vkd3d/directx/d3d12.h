/*
 * DirectX-Headers' d3d12.h with the methods as vkd3d-proton's headers declare them: this folder
 * comes before the real one on the include path of a build with EMU_D3D12_ABI=vkd3d.
 *
 * The real header holds both forms of a method that returns a struct, and takes `T *Method(This, T
 * *ret)` where _WIN32 is defined. It is, for as long as this header lasts; what it includes itself
 * came before and doesn't see it.
 */
#pragma GCC system_header

#ifndef __d3d12_h__
#include <unknwn.h>

#include <oaidl.h>
#include <ocidl.h>
#include <winapifamily.h>

#include <directx/d3dcommon.h>
#include <directx/dxgicommon.h>
#include <directx/dxgiformat.h>

#ifndef COM_NO_WINDOWS_H
#define COM_NO_WINDOWS_H
#endif
#ifdef _WIN32
#error "EMU_D3D12_ABI=vkd3d is an ABI of Linux"
#endif
#define _WIN32
#include_next <directx/d3d12.h>
#undef _WIN32
#endif
