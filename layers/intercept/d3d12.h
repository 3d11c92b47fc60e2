/* Includes D3D12's headers for the binary interface that programs use: docs/PORTING.md. */
#pragma once

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#include <unknwn.h>
#undef GetMessage /* this macro of Windows would hide a method of ID3D12InfoQueue */
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#ifdef _WIN32
/* in C, these types would make parameters const, and code could not replace them */
#undef REFIID
#undef REFCLSID
#undef REFGUID
#define REFIID   const IID *
#define REFCLSID const CLSID *
#define REFGUID  const GUID *
#endif
#include "../capture/trace/schema.h"

#include <annot/d3d12.h>
#include <emu/emu.h>

typedef struct D3D12_RT_FORMAT_ARRAY D3D12_RT_FORMAT_ARRAY;
typedef annot_driver annot_driver_table;

#if defined(_WIN32) || defined(EMU_D3D12_ABI_VKD3D)
#define INTERCEPT_STRUCTS_BY_POINTER
#endif

static inline const IID *iid_of(uint16_t type)
{
    return (const IID *)(const void *)schema_interfaces[type - SCHEMA_INTERFACE_FIRST].iid;
}

static inline D3D12_RESOURCE_DESC resource_desc_of(ID3D12Resource *resource)
{
#ifdef INTERCEPT_STRUCTS_BY_POINTER
    D3D12_RESOURCE_DESC desc;
    resource->lpVtbl->GetDesc(resource, &desc);
    return desc;
#else
    return resource->lpVtbl->GetDesc(resource);
#endif
}
