#include "table/tools.h"

#include "device/switches.h"

#include <stdatomic.h>

static atomic_uint references; /* counted, never acted on */

COM_SHARED(tools, ID3D12Tools, d3d12_tools_query)

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
    COM_FACE_ENTRIES(tools),
    .EnableShaderInstrumentation = tools_EnableShaderInstrumentation,
    .ShaderInstrumentationEnabled = tools_ShaderInstrumentationEnabled,
};

static ID3D12Tools tools = {&tools_vtable};

HRESULT d3d12_tools_query(const IID *riid, void **out)
{
    static const IID *const iids[] = {&IID_ID3D12Tools};
    return com_hand_out(com_is_any(riid, iids, 1) ? &tools : NULL, riid, out);
}
