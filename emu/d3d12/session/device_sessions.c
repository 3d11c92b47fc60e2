/* ID3D12Device on protected sessions, shader caches and lifetimes. */
#include "device/device_methods.h"
#include "session/lifetime_tracker.h"
#include "session/protected_session.h"
#include "session/shader_cache_session.h"

DEVICE_CREATE(CreateProtectedResourceSession1,
              (device_iface * iface, const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc,
               REFIID riid, void **out),
              d3d12_protected_session, d3d12_protected_session_create(device, desc, &made))

HRESULT STDMETHODCALLTYPE d3d12_device_CreateProtectedResourceSession(
    device_iface *iface, const D3D12_PROTECTED_RESOURCE_SESSION_DESC *desc, REFIID riid, void **out)
{
    D3D12_PROTECTED_RESOURCE_SESSION_DESC1 desc1 = {
        .ProtectionType = D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED};
    if (desc) {
        desc1.NodeMask = desc->NodeMask;
        desc1.Flags = desc->Flags;
    }
    return d3d12_device_CreateProtectedResourceSession1(iface, desc != NULL ? &desc1 : NULL, riid,
                                                        out);
}

DEVICE_CREATE(CreateLifetimeTracker,
              (device_iface * iface, ID3D12LifetimeOwner *owner, REFIID riid, void **out),
              d3d12_lifetime_tracker, d3d12_lifetime_tracker_create(device, owner, &made))

DEVICE_CREATE(CreateShaderCacheSession,
              (device_iface * iface, const D3D12_SHADER_CACHE_SESSION_DESC *desc, REFIID riid,
               void **out),
              d3d12_shader_cache_session, d3d12_shader_cache_session_create(device, desc, &made))

#define CACHE_KINDS                                                                                \
    (D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CACHE_FOR_DRIVER |                                  \
     D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_D3D_CONVERSIONS |                                       \
     D3D12_SHADER_CACHE_KIND_FLAG_IMPLICIT_DRIVER_MANAGED |                                        \
     D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED)
#define CACHE_DISABLE D3D12_SHADER_CACHE_CONTROL_FLAG_DISABLE
#define CACHE_ENABLE  D3D12_SHADER_CACHE_CONTROL_FLAG_ENABLE
#define CACHE_CLEAR   D3D12_SHADER_CACHE_CONTROL_FLAG_CLEAR

/* The application's caches are the only ones; "any of these caches may or may not exist". */
HRESULT STDMETHODCALLTYPE d3d12_device_ShaderCacheControl(device_iface *iface,
                                                          D3D12_SHADER_CACHE_KIND_FLAGS kinds,
                                                          D3D12_SHADER_CACHE_CONTROL_FLAGS control)
{
    struct d3d12_device *device = impl_from_device_iface(iface);
    const UINT switches = (UINT)control & (CACHE_DISABLE | CACHE_ENABLE);
    if (kinds == 0 || ((UINT)kinds & ~(UINT)CACHE_KINDS) != 0 || control == 0 ||
        ((UINT)control & ~(UINT)(CACHE_DISABLE | CACHE_ENABLE | CACHE_CLEAR)) != 0 ||
        switches == (CACHE_DISABLE | CACHE_ENABLE))
        return d3d12_device_invalid(device, D3D12_MESSAGE_ID_SHADERCACHECONTROL_INVALIDFLAGS,
                                    "ID3D12Device9::ShaderCacheControl: invalid flags");
    if ((kinds & D3D12_SHADER_CACHE_KIND_FLAG_APPLICATION_MANAGED) == 0)
        return S_OK;
    if (switches != 0 && !shader_cache_enable(switches == CACHE_ENABLE))
        d3d12_device_warning(device, D3D12_MESSAGE_ID_SHADERCACHECONTROL_STATEALREADYSET,
                             "ID3D12Device9::ShaderCacheControl: caches are so already");
    if ((control & CACHE_CLEAR) != 0)
        shader_cache_clear();
    return S_OK;
}
