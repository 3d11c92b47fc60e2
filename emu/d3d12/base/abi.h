/* Hides the differences between the D3D12 headers that the emulator is compiled with. Defines names
 * that newer headers removed. If only newer headers have a constant, the emulator's code uses the
 * constant's number.
 *
 * Binary interfaces differ only in methods that return a struct:
 *
 *     DirectX-Headers on Linux     T Method(This, ...)          by value, as C++ on SysV returns it
 *     Windows; vkd3d-proton        T *Method(This, T *ret, ...) the caller's memory, returned
 *
 * A method is written once:
 *
 *     ABI_STRUCT_METHOD(D3D12_HEAP_DESC, d3d12_heap_GetDesc, ID3D12Heap1 *iface)
 *     {
 *         ...
 *         ABI_RETURN_STRUCT(desc);
 *     }
 *
 * A function that is not static uses ABI_STRUCT_PROTOTYPE. Code calls such a method through an
 * interface:
 *
 *     ABI_CALL_STRUCT(heap, GetDesc, &desc);
 *     ABI_CALL_STRUCT_ARGS(device, GetResourceAllocationInfo, &info, 0, 1, &desc); */
#pragma once

#include <unknwn.h>
#include <directx/d3d12.h>

#if defined(_WIN32) || defined(EMU_D3D12_ABI_VKD3D)
#define ABI_STRUCTS_BY_POINTER
#endif

#ifdef ABI_STRUCTS_BY_POINTER

#define ABI_STRUCT_PROTOTYPE(type, name, iface) type *STDMETHODCALLTYPE name(iface, type *abi_ret)
#define ABI_STRUCT_PROTOTYPE_ARGS(type, name, iface, ...)                                          \
    type *STDMETHODCALLTYPE name(iface, type *abi_ret, __VA_ARGS__)
#define ABI_RETURN_STRUCT(value)                                                                   \
    do {                                                                                           \
        *abi_ret = (value);                                                                        \
        return abi_ret;                                                                            \
    } while (0)
#define ABI_CALL_STRUCT(object, method, out) ((void)(object)->lpVtbl->method(object, out))
#define ABI_CALL_STRUCT_ARGS(object, method, out, ...)                                             \
    ((void)(object)->lpVtbl->method(object, out, __VA_ARGS__))

#else

#define ABI_STRUCT_PROTOTYPE(type, name, iface) type STDMETHODCALLTYPE name(iface)
#define ABI_STRUCT_PROTOTYPE_ARGS(type, name, iface, ...)                                          \
    type STDMETHODCALLTYPE name(iface, __VA_ARGS__)
#define ABI_RETURN_STRUCT(value)             return (value)
#define ABI_CALL_STRUCT(object, method, out) ((void)(*(out) = (object)->lpVtbl->method(object)))
#define ABI_CALL_STRUCT_ARGS(object, method, out, ...)                                             \
    ((void)(*(out) = (object)->lpVtbl->method(object, __VA_ARGS__)))

#endif

#define ABI_STRUCT_METHOD(...) static ABI_STRUCT_PROTOTYPE(__VA_ARGS__)

/* Defines a method that does nothing but return a member of its object. */
#define ABI_GET(type, I, method, member)                                                           \
    ABI_STRUCT_METHOD(type, method, I *iface)                                                      \
    {                                                                                              \
        ABI_RETURN_STRUCT(impl_from_##I(iface)->member);                                           \
    }

/* The type of CreateCommittedResource3 and similar methods, with castable formats that aren't
 * const. In newer headers the formats are const. */
typedef HRESULT(STDMETHODCALLTYPE *castable_formats_plain)(
    ID3D12Device10 *, const D3D12_RESOURCE_DESC *, D3D12_BARRIER_LAYOUT, const D3D12_CLEAR_VALUE *,
    ID3D12ProtectedResourceSession *, UINT32, DXGI_FORMAT *, REFIID, void **);
typedef __typeof__(_Generic(((ID3D12Device10Vtbl *)0)->CreateReservedResource2,
                            castable_formats_plain
                            : (DXGI_FORMAT *)0, default
                            : (const DXGI_FORMAT *)0)) castable_formats;

#define ABI_BARRIER_LAYOUT_VIDEO_QUEUE_COMMON 30
static const IID abi_tiled_resource_tier_4 = {
    0xC9C4725F, 0xA81A, 0x4F56, {0x8C, 0x5B, 0xC5, 0x10, 0x39, 0xD6, 0x94, 0xFB}};
