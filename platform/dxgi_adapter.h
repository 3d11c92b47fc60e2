/* Gets an IDXGIAdapter's LUID; DirectX-Headers lacks this type. Include D3D12's header first. */
#pragma once

#include <stdbool.h>
#include <string.h>

/* DXGI_ADAPTER_DESC, and the slot of GetDesc in IDXGIAdapter's table; named unlike DXGI's. */
struct dxgi_adapter_desc {
    WCHAR description[128];
    UINT vendor, device, subsystem, revision;
    SIZE_T memory[3];
    LUID luid;
};

struct dxgi_adapter_methods {
    void *others[8];
    HRESULT(STDMETHODCALLTYPE *GetDesc)(IUnknown *, struct dxgi_adapter_desc *);
};

static const IID dxgi_adapter_iid = {
    0x2411e7e1, 0x12ac, 0x4ccf, {0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0}};

/* Gets the adapter's LUID. False: `unknown` is not an IDXGIAdapter, or GetDesc failed. */
static inline bool dxgi_adapter_luid(IUnknown *unknown, LUID *out)
{
    struct dxgi_adapter_desc desc = {.vendor = 0};
    const struct dxgi_adapter_methods *methods;
    void *found = NULL;
    if (unknown->lpVtbl->QueryInterface(unknown, &dxgi_adapter_iid, &found) < 0 || !found)
        return false;
    IUnknown *adapter = found;
    memcpy(&methods, found, sizeof methods);
    const HRESULT hr = methods->GetDesc(adapter, &desc);
    adapter->lpVtbl->Release(adapter);
    *out = desc.luid;
    return hr >= 0;
}
