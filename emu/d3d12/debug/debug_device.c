/* ID3D12DebugDevice, 1 and 2: tells how often the device is referred to, and takes settings, which
 * have no effect, because the emulator has no GPU-based validation. Both are interfaces of the
 * device's COM object. */
#include "debug/debug_device.h"

#include "device/device.h"

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
                                "ID3D12DebugDevice::%s: the type, size or data pointer is invalid",
                                method);
}

/* ---- what the faces have alike ---- */

/* The number of references is all that is known of what lives: each object has one. */
static HRESULT report(struct d3d12_device *device, D3D12_RLDO_FLAGS flags)
{
    const UINT known = D3D12_RLDO_SUMMARY | D3D12_RLDO_DETAIL | D3D12_RLDO_IGNORE_INTERNAL;
    if (((UINT)flags & ~known) != 0)
        return invalid_argument(device, "ReportLiveDeviceObjects");
    messages_emit(&device->messages, D3D12_MESSAGE_CATEGORY_STATE_CREATION,
                  D3D12_MESSAGE_SEVERITY_WARNING, D3D12_MESSAGE_ID_LIVE_DEVICE,
                  "Live ID3D12Device at %p, Refcount: %u", (void *)&device->iface,
                  (unsigned)atomic_load(&device->references));
    return S_OK;
}

/* `data` may be set, or answered as zeros, which says that it has no effect. */
static bool is_parameter(D3D12_DEBUG_DEVICE_PARAMETER_TYPE type, const void *data, UINT size)
{
    static const UINT sizes[] = {sizeof(D3D12_DEBUG_FEATURE),
                                 sizeof(D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS),
                                 sizeof(D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR)};
    return data && (UINT)type < sizeof sizes / sizeof sizes[0] && size == sizes[type];
}

static HRESULT set_parameter(struct d3d12_device *device, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type,
                             const void *data, UINT size)
{
    return is_parameter(type, data, size) ? S_OK : invalid_argument(device, "SetDebugParameter");
}

static HRESULT get_parameter(struct d3d12_device *device, D3D12_DEBUG_DEVICE_PARAMETER_TYPE type,
                             void *data, UINT size)
{
    if (!is_parameter(type, data, size))
        return invalid_argument(device, "GetDebugParameter");
    memset(data, 0, size);
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
        return set_parameter(impl_from_##I(iface), type, data, size);                              \
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
    return ((UINT)mask & ~(UINT)FEATURES) == 0
               ? S_OK
               : invalid_argument(impl_from_ID3D12DebugDevice2(iface), "SetFeatureMask");
}

static D3D12_DEBUG_FEATURE STDMETHODCALLTYPE debug_device2_GetFeatureMask(ID3D12DebugDevice2 *iface)
{
    (void)iface;
    return D3D12_DEBUG_FEATURE_NONE;
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
