/* IDXGIFactory to IDXGIFactory7, and the exports of dxgi.dll. */
#define INITGUID
#include "dxgi.h"

#include <emu/emu.h>

#include <stdatomic.h>
#include <stdlib.h>

struct factory {
    IDXGIFactory7 iface;
    atomic_uint references;
    UINT flags;
    IDXCoreAdapterFactory *core;
};

/* ---- IUnknown, IDXGIObject ---- */

DXGI_OBJECT(factory, IDXGIFactory7, &IID_IDXGIFactory, &IID_IDXGIFactory1, &IID_IDXGIFactory2,
            &IID_IDXGIFactory3, &IID_IDXGIFactory4, &IID_IDXGIFactory5, &IID_IDXGIFactory6,
            &IID_IDXGIFactory7)

static ULONG STDMETHODCALLTYPE factory_Release(IDXGIFactory7 *iface)
{
    struct factory *factory = impl_from_IDXGIFactory7(iface);
    const ULONG left = atomic_fetch_sub(&factory->references, 1) - 1;
    if (left == 0) {
        factory->core->lpVtbl->Release(factory->core);
        free(factory);
    }
    return left;
}

static HRESULT STDMETHODCALLTYPE factory_GetParent(IDXGIFactory7 *iface, REFIID riid, void **out)
{
    (void)iface, (void)riid;
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

/* ---- adapters, in DXCore's order ---- */

static HRESULT give(IDXGIFactory7 *iface, IDXCoreAdapter *core, REFIID riid, void **out)
{
    IDXGIAdapter4 *adapter = dxgi_adapter_create((IUnknown *)iface, core);
    if (!adapter)
        return E_OUTOFMEMORY;
    const HRESULT hr = IDXGIAdapter4_QueryInterface(adapter, riid, out);
    IDXGIAdapter4_Release(adapter);
    return hr;
}

static HRESULT find_core(struct factory *factory, UINT index, IDXCoreAdapter **out)
{
    const GUID attribute = DXCORE_ADAPTER_ATTRIBUTE_D3D12_CORE_COMPUTE;
    IDXCoreAdapterList *list = NULL;
    HRESULT hr = factory->core->lpVtbl->CreateAdapterList(factory->core, 1, &attribute,
                                                          &IID_IDXCoreAdapterList, (void **)&list);
    if (FAILED(hr))
        return hr;
    hr = DXGI_ERROR_NOT_FOUND;
    if (index < list->lpVtbl->GetAdapterCount(list))
        hr = list->lpVtbl->GetAdapter(list, index, &IID_IDXCoreAdapter, (void **)out);
    list->lpVtbl->Release(list);
    return hr;
}

static HRESULT enum_adapters(IDXGIFactory7 *iface, UINT index, REFIID riid, void **out)
{
    IDXCoreAdapter *core = NULL;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    const HRESULT hr = find_core(impl_from_IDXGIFactory7(iface), index, &core);
    return SUCCEEDED(hr) ? give(iface, core, riid, out) : hr;
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapters(IDXGIFactory7 *iface, UINT index,
                                                      IDXGIAdapter **out)
{
    return enum_adapters(iface, index, &IID_IDXGIAdapter, (void **)out);
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapters1(IDXGIFactory7 *iface, UINT index,
                                                       IDXGIAdapter1 **out)
{
    return enum_adapters(iface, index, &IID_IDXGIAdapter1, (void **)out);
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapterByGpuPreference(IDXGIFactory7 *iface,
                                                                    UINT index,
                                                                    DXGI_GPU_PREFERENCE preference,
                                                                    REFIID riid, void **out)
{
    (void)preference; /* all adapters are equally fast */
    return enum_adapters(iface, index, riid, out);
}

static HRESULT STDMETHODCALLTYPE factory_EnumAdapterByLuid(IDXGIFactory7 *iface, LUID luid,
                                                           REFIID riid, void **out)
{
    struct factory *factory = impl_from_IDXGIFactory7(iface);
    IDXCoreAdapter *core = NULL;
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    const HRESULT hr = factory->core->lpVtbl->GetAdapterByLuid(factory->core, &luid,
                                                               &IID_IDXCoreAdapter, (void **)&core);
    return SUCCEEDED(hr) ? give(iface, core, riid, out) : DXGI_ERROR_NOT_FOUND;
}

static UINT STDMETHODCALLTYPE factory_GetCreationFlags(IDXGIFactory7 *iface)
{
    return impl_from_IDXGIFactory7(iface)->flags;
}

/* ---- parts that don't exist: software adapters, windows, swap chains, stereo ---- */

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* these methods don't use their parameters */
#endif

#define ANSWER(type, method, answer, ...)                                                          \
    static type STDMETHODCALLTYPE factory_##method(IDXGIFactory7 *iface, __VA_ARGS__)              \
    {                                                                                              \
        return answer;                                                                             \
    }
/* Defines a method that returns no object; the last parameter is the object's place. */
#define REFUSE(method, answer, ...)                                                                \
    static HRESULT STDMETHODCALLTYPE factory_##method(IDXGIFactory7 *iface, __VA_ARGS__)           \
    {                                                                                              \
        if (out)                                                                                   \
            *out = NULL;                                                                           \
        return answer;                                                                             \
    }

REFUSE(EnumWarpAdapter, DXGI_ERROR_NOT_FOUND, REFIID riid, void **out)
REFUSE(CreateSoftwareAdapter, DXGI_ERROR_UNSUPPORTED, HMODULE module, IDXGIAdapter **out)
REFUSE(CreateSwapChain, DXGI_ERROR_UNSUPPORTED, IUnknown *device, DXGI_SWAP_CHAIN_DESC *desc,
       IDXGISwapChain **out)
REFUSE(CreateSwapChainForHwnd, DXGI_ERROR_UNSUPPORTED, IUnknown *device, HWND window,
       const DXGI_SWAP_CHAIN_DESC1 *desc, const DXGI_SWAP_CHAIN_FULLSCREEN_DESC *fullscreen,
       IDXGIOutput *output, IDXGISwapChain1 **out)
REFUSE(CreateSwapChainForCoreWindow, DXGI_ERROR_UNSUPPORTED, IUnknown *device, IUnknown *window,
       const DXGI_SWAP_CHAIN_DESC1 *desc, IDXGIOutput *output, IDXGISwapChain1 **out)
REFUSE(CreateSwapChainForComposition, DXGI_ERROR_UNSUPPORTED, IUnknown *device,
       const DXGI_SWAP_CHAIN_DESC1 *desc, IDXGIOutput *output, IDXGISwapChain1 **out)
ANSWER(HRESULT, MakeWindowAssociation, S_OK, HWND window, UINT flags) /* nothing watches it */
ANSWER(HRESULT, GetSharedResourceAdapterLuid, DXGI_ERROR_UNSUPPORTED, HANDLE resource, LUID *luid)
ANSWER(HRESULT, RegisterWindow, DXGI_ERROR_UNSUPPORTED, HWND window, UINT message, DWORD *cookie)
ANSWER(HRESULT, RegisterEvent, DXGI_ERROR_UNSUPPORTED, HANDLE event, DWORD *cookie)

static void STDMETHODCALLTYPE factory_Unregister(IDXGIFactory7 *iface, DWORD cookie)
{
}

static BOOL STDMETHODCALLTYPE factory_IsCurrent(IDXGIFactory7 *iface)
{
    return TRUE;
}

static BOOL STDMETHODCALLTYPE factory_IsWindowedStereoEnabled(IDXGIFactory7 *iface)
{
    return FALSE;
}

static HRESULT STDMETHODCALLTYPE factory_GetWindowAssociation(IDXGIFactory7 *iface, HWND *window)
{
    if (!window)
        return DXGI_ERROR_INVALID_CALL;
    *window = NULL;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_CheckFeatureSupport(IDXGIFactory7 *iface,
                                                             DXGI_FEATURE feature, void *data,
                                                             UINT size)
{
    if (feature != DXGI_FEATURE_PRESENT_ALLOW_TEARING || !data || size != sizeof(BOOL))
        return DXGI_ERROR_INVALID_CALL;
    *(BOOL *)data = FALSE;
    return S_OK;
}

/* Only emu_adapter_create changes the adapters. */
static HRESULT STDMETHODCALLTYPE factory_RegisterAdaptersChangedEvent(IDXGIFactory7 *iface,
                                                                      HANDLE event, DWORD *cookie)
{
    if (!event || !cookie)
        return DXGI_ERROR_INVALID_CALL;
    *cookie = 1;
    return S_OK;
}

static HRESULT STDMETHODCALLTYPE factory_UnregisterAdaptersChangedEvent(IDXGIFactory7 *iface,
                                                                        DWORD cookie)
{
    return cookie == 1 ? S_OK : DXGI_ERROR_INVALID_CALL;
}

static CONST_VTBL IDXGIFactory7Vtbl factory_vtable = {
    DXGI_OBJECT_ENTRIES(factory),
    COM_METHODS(factory, EnumAdapters, MakeWindowAssociation, GetWindowAssociation, CreateSwapChain,
                CreateSoftwareAdapter, EnumAdapters1, IsCurrent, IsWindowedStereoEnabled),
    COM_METHODS(factory, CreateSwapChainForHwnd, CreateSwapChainForCoreWindow,
                GetSharedResourceAdapterLuid),
    .RegisterStereoStatusWindow = factory_RegisterWindow,
    .RegisterStereoStatusEvent = factory_RegisterEvent,
    .UnregisterStereoStatus = factory_Unregister,
    .RegisterOcclusionStatusWindow = factory_RegisterWindow,
    .RegisterOcclusionStatusEvent = factory_RegisterEvent,
    .UnregisterOcclusionStatus = factory_Unregister,
    COM_METHODS(factory, CreateSwapChainForComposition, GetCreationFlags, EnumAdapterByLuid,
                EnumWarpAdapter, CheckFeatureSupport, EnumAdapterByGpuPreference,
                RegisterAdaptersChangedEvent, UnregisterAdaptersChangedEvent),
};

/* ---- exports ---- */

HRESULT WINAPI CreateDXGIFactory2(UINT flags, REFIID riid, void **out)
{
    if (!out)
        return DXGI_ERROR_INVALID_CALL;
    *out = NULL;
    struct factory *factory = calloc(1, sizeof *factory);
    if (!factory)
        return E_OUTOFMEMORY;
    HRESULT hr = emu_dxcore_factory(&IID_IDXCoreAdapterFactory, (void **)&factory->core);
    if (FAILED(hr)) {
        free(factory);
        return hr;
    }
    factory->iface.lpVtbl = &factory_vtable;
    factory->flags = flags;
    atomic_init(&factory->references, 1);
    hr = factory_QueryInterface(&factory->iface, riid, out);
    factory_Release(&factory->iface);
    return hr;
}

HRESULT WINAPI CreateDXGIFactory1(REFIID riid, void **out)
{
    return CreateDXGIFactory2(0, riid, out);
}

HRESULT WINAPI CreateDXGIFactory(REFIID riid, void **out)
{
    return CreateDXGIFactory2(0, riid, out);
}

HRESULT WINAPI DXGIDeclareAdapterRemovalSupport(void); /* mingw-w64's headers lack this function */

HRESULT WINAPI DXGIDeclareAdapterRemovalSupport(void)
{
    return S_OK;
}

/* Fails as on Windows without the graphics tools. */
HRESULT WINAPI DXGIGetDebugInterface1(UINT flags, REFIID riid, void **out)
{
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}
