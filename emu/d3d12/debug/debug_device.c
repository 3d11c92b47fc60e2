/* ID3D12DebugDevice, 1 and 2: reports the live objects of the device, and stores settings that have
 * no effect, because the emulator has no GPU-based validation. Both are interfaces of the device's
 * COM object. */
#include "debug/debug_device.h"

#include "device/device.h"
#include "debug/live_report.h"
#include "gate.h"

#define FEATURES                                                                                   \
    (D3D12_DEBUG_FEATURE_ALLOW_BEHAVIOR_CHANGING_DEBUG_AIDS |                                      \
     D3D12_DEBUG_FEATURE_CONSERVATIVE_RESOURCE_STATE_TRACKING |                                    \
     D3D12_DEBUG_FEATURE_DISABLE_VIRTUALIZED_BUNDLES_VALIDATION |                                  \
     D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7)

static struct d3d12_device *impl_from_ID3D12DebugDevice2(ID3D12DebugDevice2 *iface)
{
    return container_of(iface, struct d3d12_device, debug_device2);
}

static struct d3d12_device *impl_from_ID3D12DebugDevice1(ID3D12DebugDevice1 *iface)
{
    return container_of(iface, struct d3d12_device, debug_device1);
}

static HRESULT invalid_argument(struct d3d12_device *device, const char *method)
{
    return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                "ID3D12DebugDevice::%s: invalid argument", method);
}

/* ---- what the faces have alike ---- */

static HRESULT report(struct d3d12_device *device, D3D12_RLDO_FLAGS flags)
{
    const UINT known = D3D12_RLDO_SUMMARY | D3D12_RLDO_DETAIL | D3D12_RLDO_IGNORE_INTERNAL;
    if (((UINT)flags & ~known) != 0)
        return invalid_argument(device, "ReportLiveDeviceObjects");
    return live_report(device, flags);
}

/* Where a parameter is kept; NULL: there is none such of that size. */
static void *parameter(struct d3d12_device *device, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type,
                       UINT size)
{
    struct debug_settings *debug = &device->debug;
    switch (type) {
    case D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS:
        return size == sizeof debug->features ? &debug->features : NULL;
    case D3D12_DEBUG_DEVICE_PARAMETER_GPU_BASED_VALIDATION_SETTINGS:
        return size == sizeof debug->validation ? &debug->validation : NULL;
    case D3D12_DEBUG_DEVICE_PARAMETER_GPU_SLOWDOWN_PERFORMANCE_FACTOR:
        return size == sizeof debug->slowdown ? &debug->slowdown : NULL;
    }
    return NULL;
}

static bool is_valid(D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, const void *data)
{
    D3D12_DEBUG_FEATURE features;
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS validation;
    D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown;
    switch (type) {
    case D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS:
        memcpy(&features, data, sizeof features);
        return ((UINT)features & ~(UINT)FEATURES) == 0;
    case D3D12_DEBUG_DEVICE_PARAMETER_GPU_BASED_VALIDATION_SETTINGS:
        memcpy(&validation, data, sizeof validation);
        return (UINT)validation.DefaultShaderPatchMode <
                   NUM_D3D12_GPU_BASED_VALIDATION_SHADER_PATCH_MODES &&
               ((UINT)validation.PipelineStateCreateFlags &
                ~(UINT)D3D12_GPU_BASED_VALIDATION_PIPELINE_STATE_CREATE_FLAGS_VALID_MASK) == 0;
    case D3D12_DEBUG_DEVICE_PARAMETER_GPU_SLOWDOWN_PERFORMANCE_FACTOR:
        memcpy(&slowdown, data, sizeof slowdown);
        return slowdown.SlowdownFactor >= 0;
    }
    return false;
}

static HRESULT set_parameter(struct d3d12_device *device, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type,
                             const void *data, UINT size, const char *method)
{
    void *kept = parameter(device, type, size);
    if (!data || !kept || !is_valid(type, data))
        return invalid_argument(device, method);
    emu_lock(&device->debug.lock);
    memcpy(kept, data, size);
    emu_unlock(&device->debug.lock);
    return S_OK;
}

static HRESULT get_parameter(struct d3d12_device *device, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type,
                             void *data, UINT size)
{
    const void *kept = parameter(device, type, size);
    if (!data || !kept)
        return invalid_argument(device, "GetDebugParameter");
    emu_lock(&device->debug.lock);
    memcpy(data, kept, size);
    emu_unlock(&device->debug.lock);
    return S_OK;
}

#define DEBUG_DEVICE_METHODS(noun, I)                                                              \
    COM_FACE(noun, I, &impl_from_##I(iface)->iface)                                                \
    static HRESULT STDMETHODCALLTYPE noun##_ReportLiveDeviceObjects(I *iface,                      \
                                                                    D3D12_RLDO_FLAGS flags)        \
    {                                                                                              \
        return report(impl_from_##I(iface), flags);                                                \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_SetDebugParameter(                                     \
        I *iface, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, const void *data, UINT size)             \
    {                                                                                              \
        return set_parameter(impl_from_##I(iface), type, data, size, "SetDebugParameter");         \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_GetDebugParameter(                                     \
        I *iface, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, void *data, UINT size)                   \
    {                                                                                              \
        return get_parameter(impl_from_##I(iface), type, data, size);                              \
    }
#define DEBUG_DEVICE_ENTRIES(noun)                                                                 \
    COM_FACE_ENTRIES(noun), .ReportLiveDeviceObjects = noun##_ReportLiveDeviceObjects,             \
                            .SetDebugParameter = noun##_SetDebugParameter,                         \
                            .GetDebugParameter = noun##_GetDebugParameter

DEBUG_DEVICE_METHODS(debug_device2, ID3D12DebugDevice2)

static HRESULT STDMETHODCALLTYPE debug_device2_SetFeatureMask(ID3D12DebugDevice2 *iface,
                                                              D3D12_DEBUG_FEATURE mask)
{
    return set_parameter(impl_from_ID3D12DebugDevice2(iface),
                         D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS, &mask, sizeof mask,
                         "SetFeatureMask");
}

static D3D12_DEBUG_FEATURE STDMETHODCALLTYPE debug_device2_GetFeatureMask(ID3D12DebugDevice2 *iface)
{
    D3D12_DEBUG_FEATURE mask = D3D12_DEBUG_FEATURE_NONE;
    get_parameter(impl_from_ID3D12DebugDevice2(iface), D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS,
                  &mask, sizeof mask);
    return mask;
}

CONST_VTBL ID3D12DebugDevice2Vtbl d3d12_debug_device2_vtable = {
    DEBUG_DEVICE_ENTRIES(debug_device2),
    .SetFeatureMask = debug_device2_SetFeatureMask,
    .GetFeatureMask = debug_device2_GetFeatureMask,
};

DEBUG_DEVICE_METHODS(debug_device1, ID3D12DebugDevice1)

CONST_VTBL ID3D12DebugDevice1Vtbl d3d12_debug_device1_vtable = {
    DEBUG_DEVICE_ENTRIES(debug_device1),
};
