#include "debug/debug.h"

#include "device/config.h"

static atomic_uint references; /* a count that only AddRef and Release return */

#define DEBUG_SWITCH(noun, I, method, on)                                                          \
    static void STDMETHODCALLTYPE noun##_##method(I *iface)                                        \
    {                                                                                              \
        (void)iface;                                                                               \
        atomic_store(&debug_layer_switch, on);                                                     \
    }
#define DEBUG_SET(noun, I, method, type)                                                           \
    static void STDMETHODCALLTYPE noun##_##method(I *iface, type value)                            \
    {                                                                                              \
        (void)iface, (void)value;                                                                  \
    }

/* The methods that ID3D12Debug1 and the newest ID3D12Debug share, and their table entries. */
#define DEBUG_METHODS(noun, I)                                                                     \
    COM_SHARED(noun, I, d3d12_debug_query)                                                         \
    DEBUG_SWITCH(noun, I, EnableDebugLayer, true)                                                  \
    DEBUG_SET(noun, I, SetEnableGPUBasedValidation, BOOL)                                          \
    DEBUG_SET(noun, I, SetEnableSynchronizedCommandQueueValidation, BOOL)
#define DEBUG_ENTRIES(noun)                                                                        \
    COM_FACE_ENTRIES(noun), COM_METHODS(noun, EnableDebugLayer, SetEnableGPUBasedValidation,       \
                                        SetEnableSynchronizedCommandQueueValidation)

DEBUG_METHODS(debug, ID3D12Debug6)
DEBUG_SWITCH(debug, ID3D12Debug6, DisableDebugLayer, false)
DEBUG_SET(debug, ID3D12Debug6, SetGPUBasedValidationFlags, D3D12_GPU_BASED_VALIDATION_FLAGS)
DEBUG_SET(debug, ID3D12Debug6, SetEnableAutoName, BOOL)
DEBUG_SET(debug, ID3D12Debug6, SetForceLegacyBarrierValidation, BOOL)

static CONST_VTBL ID3D12Debug6Vtbl debug_vtable = {
    DEBUG_ENTRIES(debug),
    COM_METHODS(debug, SetGPUBasedValidationFlags, DisableDebugLayer, SetEnableAutoName,
                SetForceLegacyBarrierValidation),
};

DEBUG_METHODS(debug1, ID3D12Debug1)

static CONST_VTBL ID3D12Debug1Vtbl debug1_vtable = {
    DEBUG_ENTRIES(debug1),
};

COM_SHARED(debug2, ID3D12Debug2, d3d12_debug_query)
DEBUG_SET(debug2, ID3D12Debug2, SetGPUBasedValidationFlags, D3D12_GPU_BASED_VALIDATION_FLAGS)

static CONST_VTBL ID3D12Debug2Vtbl debug2_vtable = {
    COM_FACE_ENTRIES(debug2),
    .SetGPUBasedValidationFlags = debug2_SetGPUBasedValidationFlags,
};

/* The one object with three interfaces. */
static ID3D12Debug6 debug = {&debug_vtable}; /* and 3 to 5 */
static ID3D12Debug1 debug1 = {&debug1_vtable};
static ID3D12Debug2 debug2 = {&debug2_vtable};

static void *find_interface(const IID *riid)
{
    static const IID *const iids[] = {&IID_ID3D12Debug, &IID_ID3D12Debug3, &IID_ID3D12Debug4,
                                      &IID_ID3D12Debug5, &IID_ID3D12Debug6};
    if (!riid || COM_IS_ANY(riid, iids))
        return &debug;
    if (com_same(riid, &IID_ID3D12Debug1))
        return &debug1;
    return com_same(riid, &IID_ID3D12Debug2) ? (void *)&debug2 : NULL;
}

HRESULT d3d12_debug_query(const IID *riid, void **out)
{
    return com_hand_out(find_interface(riid), riid, out);
}
