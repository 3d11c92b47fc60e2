#include "table/tools.h"

#include "device/switches.h"

#include <stdatomic.h>

static atomic_uint references; /* counted, never acted on */

static HRESULT STDMETHODCALLTYPE tools_QueryInterface(ID3D12Tools *iface, REFIID riid, void **out)
{
    (void)iface;
    return out ? d3d12_tools_query(riid, out) : E_POINTER;
}

static ULONG STDMETHODCALLTYPE tools_AddRef(ID3D12Tools *iface)
{
    (void)iface;
    return atomic_fetch_add(&references, 1) + 1;
}

static ULONG STDMETHODCALLTYPE tools_Release(ID3D12Tools *iface)
{
    (void)iface;
    return atomic_fetch_sub(&references, 1) - 1;
}

static void STDMETHODCALLTYPE tools_EnableShaderInstrumentation(ID3D12Tools *iface, BOOL enable)
{
    (void)iface;
    switches_set_instrumentation(enable != FALSE);
}

static BOOL STDMETHODCALLTYPE tools_ShaderInstrumentationEnabled(ID3D12Tools *iface)
{
    (void)iface;
    return switches_now().shader_instrumentation;
}

static CONST_VTBL ID3D12ToolsVtbl tools_vtable = {
    .QueryInterface = tools_QueryInterface,
    .AddRef = tools_AddRef,
    .Release = tools_Release,
    .EnableShaderInstrumentation = tools_EnableShaderInstrumentation,
    .ShaderInstrumentationEnabled = tools_ShaderInstrumentationEnabled,
};

static ID3D12Tools tools = {&tools_vtable};

HRESULT d3d12_tools_query(const IID *riid, void **out)
{
    if (out)
        *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    if (!com_same(riid, &IID_IUnknown) && !com_same(riid, &IID_ID3D12Tools))
        return E_NOINTERFACE;
    if (!out)
        return S_FALSE;
    tools_AddRef(&tools);
    *out = &tools;
    return S_OK;
}
