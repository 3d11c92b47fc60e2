/* ID3D12Device on protected sessions. */
#include "device/device_methods.h"
#include "session/protected_session.h"

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
