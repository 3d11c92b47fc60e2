#include "debug/debug.h"

#include "device/debug_layer.h"

#include <stdatomic.h>

static atomic_uint references; /* for show */

static ULONG add_ref(void)
{
    return atomic_fetch_add(&references, 1) + 1;
}

static ULONG release(void)
{
    return atomic_fetch_sub(&references, 1) - 1;
}

/* What IUnknown takes in each of the three interfaces. */
#define DEBUG_UNKNOWN(noun, I)                                                                     \
    static HRESULT STDMETHODCALLTYPE noun##_QueryInterface(I *iface, REFIID riid, void **out)      \
    {                                                                                              \
        (void)iface;                                                                               \
        return out ? d3d12_debug_query(riid, out) : E_POINTER;                                     \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_AddRef(I *iface)                                         \
    {                                                                                              \
        (void)iface;                                                                               \
        return add_ref();                                                                          \
    }                                                                                              \
    static ULONG STDMETHODCALLTYPE noun##_Release(I *iface)                                        \
    {                                                                                              \
        (void)iface;                                                                               \
        return release();                                                                          \
    }
#define DEBUG_UNKNOWN_ENTRIES(noun)                                                                \
    .QueryInterface = noun##_QueryInterface, .AddRef = noun##_AddRef, .Release = noun##_Release

#define DEBUG_SWITCH(noun, I, method, on)                                                          \
    static void STDMETHODCALLTYPE noun##_##method(I *iface)                                        \
    {                                                                                              \
        (void)iface;                                                                               \
        debug_layer_set(on);                                                                       \
    }
#define DEBUG_SET(noun, I, method, type)                                                           \
    static void STDMETHODCALLTYPE noun##_##method(I *iface, type value)                            \
    {                                                                                              \
        (void)iface, (void)value;                                                                  \
    }

DEBUG_UNKNOWN(debug, ID3D12Debug6)
DEBUG_SWITCH(debug, ID3D12Debug6, EnableDebugLayer, true)
DEBUG_SWITCH(debug, ID3D12Debug6, DisableDebugLayer, false)
DEBUG_SET(debug, ID3D12Debug6, SetEnableGPUBasedValidation, BOOL)
DEBUG_SET(debug, ID3D12Debug6, SetEnableSynchronizedCommandQueueValidation, BOOL)
DEBUG_SET(debug, ID3D12Debug6, SetGPUBasedValidationFlags, D3D12_GPU_BASED_VALIDATION_FLAGS)
DEBUG_SET(debug, ID3D12Debug6, SetEnableAutoName, BOOL)
DEBUG_SET(debug, ID3D12Debug6, SetForceLegacyBarrierValidation, BOOL)

static CONST_VTBL ID3D12Debug6Vtbl debug_vtable = {
    DEBUG_UNKNOWN_ENTRIES(debug),
    .EnableDebugLayer = debug_EnableDebugLayer,
    .SetEnableGPUBasedValidation = debug_SetEnableGPUBasedValidation,
    .SetEnableSynchronizedCommandQueueValidation =
        debug_SetEnableSynchronizedCommandQueueValidation,
    .SetGPUBasedValidationFlags = debug_SetGPUBasedValidationFlags,
    .DisableDebugLayer = debug_DisableDebugLayer,
    .SetEnableAutoName = debug_SetEnableAutoName,
    .SetForceLegacyBarrierValidation = debug_SetForceLegacyBarrierValidation,
};

DEBUG_UNKNOWN(debug1, ID3D12Debug1)
DEBUG_SWITCH(debug1, ID3D12Debug1, EnableDebugLayer, true)
DEBUG_SET(debug1, ID3D12Debug1, SetEnableGPUBasedValidation, BOOL)
DEBUG_SET(debug1, ID3D12Debug1, SetEnableSynchronizedCommandQueueValidation, BOOL)

static CONST_VTBL ID3D12Debug1Vtbl debug1_vtable = {
    DEBUG_UNKNOWN_ENTRIES(debug1),
    .EnableDebugLayer = debug1_EnableDebugLayer,
    .SetEnableGPUBasedValidation = debug1_SetEnableGPUBasedValidation,
    .SetEnableSynchronizedCommandQueueValidation =
        debug1_SetEnableSynchronizedCommandQueueValidation,
};

DEBUG_UNKNOWN(debug2, ID3D12Debug2)
DEBUG_SET(debug2, ID3D12Debug2, SetGPUBasedValidationFlags, D3D12_GPU_BASED_VALIDATION_FLAGS)

static CONST_VTBL ID3D12Debug2Vtbl debug2_vtable = {
    DEBUG_UNKNOWN_ENTRIES(debug2),
    .SetGPUBasedValidationFlags = debug2_SetGPUBasedValidationFlags,
};

/* One object with three interfaces. */
static ID3D12Debug6 debug = {&debug_vtable}; /* and 3 to 5 */
static ID3D12Debug1 debug1 = {&debug1_vtable};
static ID3D12Debug2 debug2 = {&debug2_vtable};

static void *find_interface(const IID *riid)
{
    static const IID *const iids[] = {&IID_IUnknown,     &IID_ID3D12Debug,  &IID_ID3D12Debug3,
                                      &IID_ID3D12Debug4, &IID_ID3D12Debug5, &IID_ID3D12Debug6};
    for (size_t i = 0; i < sizeof iids / sizeof iids[0]; i++)
        if (com_same(riid, iids[i]))
            return &debug;
    if (com_same(riid, &IID_ID3D12Debug1))
        return &debug1;
    return com_same(riid, &IID_ID3D12Debug2) ? (void *)&debug2 : NULL;
}

HRESULT d3d12_debug_query(const IID *riid, void **out)
{
    if (out)
        *out = NULL;
    if (!riid)
        return E_INVALIDARG;
    void *found = find_interface(riid);
    if (!found)
        return E_NOINTERFACE;
    if (!out)
        return S_FALSE;
    add_ref();
    *out = found;
    return S_OK;
}
