/* The emulator as it would be without the markers' interface: its devices have no
 * ID3D12DeviceTools2 and don't know the feature. The stand-in exports D3D12CreateDevice, and the
 * hook of a runtime that hides its libannot. With OLDER_KEEPS, devices have the published interface
 * and feature, and lack those of the specification. */
#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <annot/conformance.h>
#include <annot/d3d12.h>

#include "stand_in.h"

static HRESULT(STDMETHODCALLTYPE *real_query)(ID3D12Device *, REFIID, void **);
static HRESULT(STDMETHODCALLTYPE *real_get_device)(ID3D12QueryHeap *, REFIID, void **);
static HRESULT(STDMETHODCALLTYPE *real_check)(ID3D12Device *, D3D12_FEATURE, void *, UINT);

static bool is_hidden(REFIID riid)
{
    return (!getenv("OLDER_KEEPS") && memcmp(riid, &IID_ID3D12DeviceTools2, sizeof *riid) == 0) ||
           memcmp(riid, &annot_IID_ID3D12DeviceTools2_v006, sizeof *riid) == 0;
}

static HRESULT hide(void **out)
{
    if (out)
        *out = NULL;
    return E_NOINTERFACE;
}

static HRESULT STDMETHODCALLTYPE query(ID3D12Device *device, REFIID riid, void **out)
{
    return is_hidden(riid) ? hide(out) : real_query(device, riid, out);
}

static HRESULT STDMETHODCALLTYPE get_device(ID3D12QueryHeap *heap, REFIID riid, void **out)
{
    return is_hidden(riid) ? hide(out) : real_get_device(heap, riid, out);
}

static HRESULT STDMETHODCALLTYPE check(ID3D12Device *device, D3D12_FEATURE feature, void *data,
                                       UINT size)
{
    if (feature == ANNOT_D3D12_FEATURE_V006 ||
        (feature == D3D12_FEATURE_USER_DEFINED_ANNOTATION && !getenv("OLDER_KEEPS")))
        return E_INVALIDARG;
    return real_check(device, feature, data, size);
}

static void hide_tools(ID3D12Device *device)
{
    const D3D12_QUERY_HEAP_DESC desc = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 1};
    ID3D12QueryHeap *heap;
    if (FAILED(ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, (void **)&heap)))
        abort();
    PATCH(&device->lpVtbl->QueryInterface, query, &real_query);
    PATCH(&device->lpVtbl->CheckFeatureSupport, check, &real_check);
    PATCH(&heap->lpVtbl->GetDevice, get_device, &real_get_device);
    ID3D12QueryHeap_Release(heap);
}

EXPORT annot_device *annot_conformance_device(void *d3d12_device);
EXPORT annot_device *annot_conformance_device(void *d3d12_device)
{
    (void)d3d12_device;
    return NULL;
}

EXPORT HRESULT WINAPI D3D12CreateDevice(IUnknown *adapter, D3D_FEATURE_LEVEL minimum, REFIID riid,
                                        void **out)
{
    HRESULT(WINAPI * create)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    ID3D12Device *device;
    if (!find("D3D12CreateDevice", &create))
        return E_FAIL;
    if (is_hidden(riid))
        return hide(out);
    const HRESULT hr = create(adapter, minimum, riid, out);
    if (FAILED(hr) || !out || real_query ||
        FAILED(
            ((IUnknown *)*out)->lpVtbl->QueryInterface(*out, &IID_ID3D12Device, (void **)&device)))
        return hr;
    hide_tools(device);
    ID3D12Device_Release(device);
    return hr;
}
