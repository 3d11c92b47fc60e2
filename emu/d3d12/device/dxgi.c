#include "device/dxgi.h"

/* DXGI_ADAPTER_DESC and the first part of IDXGIAdapter's table, with names that DXGI's headers
 * don't use. */
struct adapter_desc {
    WCHAR description[128];
    UINT vendor, device, subsystem, revision;
    SIZE_T dedicated_video_memory, dedicated_system_memory, shared_system_memory;
    LUID luid;
};

struct adapter_table {
    HRESULT(STDMETHODCALLTYPE *QueryInterface)(IUnknown *, REFIID, void **);
    ULONG(STDMETHODCALLTYPE *AddRef)(IUnknown *);
    ULONG(STDMETHODCALLTYPE *Release)(IUnknown *);
    void *object_methods[4]; /* IDXGIObject */
    void *EnumOutputs;
    HRESULT(STDMETHODCALLTYPE *GetDesc)(IUnknown *, struct adapter_desc *);
};

bool dxgi_adapter_luid(IUnknown *unknown, LUID *out)
{
    static const GUID iid_dxgi_adapter = {
        0x2411e7e1, 0x12ac, 0x4ccf, {0xbd, 0x14, 0x97, 0x98, 0xe8, 0x53, 0x4d, 0xc0}};
    IUnknown *adapter = NULL;
    struct adapter_desc desc = {0};
    if (FAILED(unknown->lpVtbl->QueryInterface(unknown, &iid_dxgi_adapter, (void **)&adapter)) ||
        adapter == NULL)
        return false;
    const struct adapter_table *table = (const void *)adapter->lpVtbl;
    const HRESULT hr = table->GetDesc(adapter, &desc);
    adapter->lpVtbl->Release(adapter);
    *out = desc.luid;
    return SUCCEEDED(hr);
}
