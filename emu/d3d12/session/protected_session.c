#include "session/protected_session.h"

#include "base/abi.h"
#include "device/device.h"

static const struct d3d12_child_class protected_session_class;

D3D12_CHILD_METHODS(d3d12_protected_session, ID3D12ProtectedResourceSession1)

bool d3d12_protected_session_usable(struct d3d12_device *device,
                                    ID3D12ProtectedResourceSession *iface, const char *method)
{
    const struct d3d12_protected_session *session = d3d12_child_of(iface, &protected_session_class);
    if (!iface || (session && session->child.device == device))
        return true;
    return d3d12_device_refused(
        device, EMU_MESSAGE_INVALID_ARGUMENT,
        "%s: the session must be a protected resource session of this device", method);
}

/* The GUID of the session in the private data of a heap or resource; no application knows it. */
static const GUID session_guid = {
    0x1d0c6a57, 0x94e2, 0x4f3b, {0x8a, 0x71, 0x5c, 0x20, 0xd9, 0xb6, 0x43, 0xee}};

HRESULT d3d12_protected_session_attach(struct d3d12_child *child,
                                       ID3D12ProtectedResourceSession *iface)
{
    if (!iface)
        return S_OK;
    return private_data_set_interface(&child->private_data, &session_guid, (IUnknown *)iface);
}

/* Returns the object's session with a reference; NULL: the object has no session. */
static ID3D12ProtectedResourceSession *session_of(struct d3d12_child *child)
{
    ID3D12ProtectedResourceSession *session = NULL;
    UINT size = sizeof session;
    private_data_get(&child->private_data, &session_guid, &size, &session);
    return session;
}

HRESULT d3d12_protected_session_inherit(struct d3d12_child *child, struct d3d12_child *heap)
{
    ID3D12ProtectedResourceSession *session = session_of(heap);
    const HRESULT hr = d3d12_protected_session_attach(child, session);
    if (session)
        session->lpVtbl->Release(session);
    return hr;
}

HRESULT d3d12_protected_session_query(struct d3d12_child *child, const IID *riid, void **out)
{
    ID3D12ProtectedResourceSession *session = session_of(child);
    if (!session) {
        if (out)
            *out = NULL;
        return DXGI_ERROR_NOT_FOUND; /* as documented */
    }
    const HRESULT hr = session->lpVtbl->QueryInterface(session, riid, out);
    session->lpVtbl->Release(session);
    return hr;
}

static HRESULT STDMETHODCALLTYPE d3d12_protected_session_GetStatusFence(
    ID3D12ProtectedResourceSession1 *iface, REFIID riid, void **out)
{
    return d3d12_child_query(&impl_from_ID3D12ProtectedResourceSession1(iface)->fence->child, riid,
                             out);
}

static D3D12_PROTECTED_SESSION_STATUS STDMETHODCALLTYPE
d3d12_protected_session_GetSessionStatus(ID3D12ProtectedResourceSession1 *iface)
{
    return d3d12_device_is_removed(impl_from_ID3D12ProtectedResourceSession1(iface)->child.device)
               ? D3D12_PROTECTED_SESSION_STATUS_INVALID
               : D3D12_PROTECTED_SESSION_STATUS_OK;
}

ABI_STRUCT_METHOD(D3D12_PROTECTED_RESOURCE_SESSION_DESC, d3d12_protected_session_GetDesc,
                  ID3D12ProtectedResourceSession1 *iface)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc =
        &impl_from_ID3D12ProtectedResourceSession1(iface)->desc;
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC answer = {desc->NodeMask, desc->Flags};
    ABI_RETURN_STRUCT(answer);
}

ABI_GET(D3D12_PROTECTED_RESOURCE_SESSION_DESC1, ID3D12ProtectedResourceSession1,
        d3d12_protected_session_GetDesc1, desc)

static CONST_VTBL ID3D12ProtectedResourceSession1Vtbl d3d12_protected_session_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_protected_session),
    COM_METHODS(d3d12_protected_session, GetStatusFence, GetSessionStatus, GetDesc, GetDesc1),
};

static void protected_session_destroy(struct d3d12_child *child)
{
    struct d3d12_protected_session *session =
        container_of(child, struct d3d12_protected_session, child);
    struct d3d12_fence *fence = session->fence;
    d3d12_child_finish(child);
    free(session);
    d3d12_child_release(&fence->child); /* the device may end with this reference */
}

static const struct d3d12_child_class protected_session_class = {
    .kind = D3D12DDI_HT_PROTECTEDRESOURCESESSION,
    .iids = (const IID *const[]){&IID_ID3D12ProtectedSession, &IID_ID3D12ProtectedResourceSession,
                                 &IID_ID3D12ProtectedResourceSession1, NULL},
    .methods = &d3d12_protected_session_vtable,
    .destroy = protected_session_destroy,
};

static bool is_valid(const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc)
{
    return desc && desc->NodeMask <= 1 &&
           desc->Flags == D3D12_PROTECTED_RESOURCE_SESSION_FLAG_NONE &&
           com_same(&desc->ProtectionType, &D3D12_PROTECTED_RESOURCES_SESSION_HARDWARE_PROTECTED);
}

HRESULT d3d12_protected_session_create(struct d3d12_device *device,
                                       const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc,
                                       struct d3d12_protected_session **out)
{
    if (!is_valid(desc))
        return d3d12_device_invalid(
            device, D3D12_MESSAGE_ID_CREATE_PROTECTED_RESOURCE_SESSION_INVALID_ARGUMENT,
            "ID3D12Device::CreateProtectedResourceSession: NodeMask, Flags or the type is out of "
            "range");
    struct d3d12_fence *fence;
    HRESULT hr = d3d12_fence_create(device, 0, D3D12_FENCE_FLAG_NONE, &fence);
    if (FAILED(hr))
        return hr;
    fence->read_only = true;
    struct d3d12_protected_session *session =
        d3d12_child_begin(device, &protected_session_class, sizeof *session);
    hr = E_OUTOFMEMORY;
    if (session) {
        session->desc = *desc;
        if (session->desc.NodeMask == 0)
            session->desc.NodeMask = 1;
        session->fence = fence;
        hr = d3d12_child_end(&session->child, S_OK);
    }
    if (FAILED(hr))
        d3d12_child_release(&fence->child);
    *out = session;
    return hr;
}
