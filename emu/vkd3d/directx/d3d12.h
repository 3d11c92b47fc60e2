/* DirectX-Headers' d3d12.h, with methods as vkd3d-proton's headers declare them. A build with
 * EMU_D3D12_ABI=vkd3d has this folder before the real folder in its include path.
 *
 * The real header has two forms of a method that returns a struct. If _WIN32 is defined, it uses `T
 * *Method(This, T *ret)`. This header defines _WIN32 only for the real header, and first includes
 * the files that the real header includes. */
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
