/* ID3D12ProtectedResourceSession1. The emulator doesn't encrypt memory: a session only applies
 * D3D12's rules. A session is valid until the device is removed; then its fence is signaled. */
#pragma once

#include "sync/fence.h"

struct d3d12_protected_session {
    ID3D12ProtectedResourceSession1 iface;
    struct d3d12_child child;
    D3D12_PROTECTED_RESOURCE_SESSION_DESC1 desc;
    struct d3d12_fence *fence; /* a reference */
};

HRESULT d3d12_protected_session_create(struct d3d12_device *device,
                                       const D3D12_PROTECTED_RESOURCE_SESSION_DESC1 *desc,
                                       struct d3d12_protected_session **out);

/* Whether an object may be created in the session `iface`, which must be NULL or a valid session of
 * this device. Otherwise emits a message. */
bool d3d12_protected_session_usable(struct d3d12_device *device,
                                    ID3D12ProtectedResourceSession *iface, const char *method);

/* Adds a heap or a resource to the session, and references the session. Ignores a NULL session. */
HRESULT d3d12_protected_session_attach(struct d3d12_child *child,
                                       ID3D12ProtectedResourceSession *iface);
/* Puts a placed resource into the protected session of its heap. */
HRESULT d3d12_protected_session_inherit(struct d3d12_child *child, struct d3d12_child *heap);
/* Performs GetProtectedResourceSession for a heap or a resource. */
HRESULT d3d12_protected_session_query(struct d3d12_child *child, const IID *riid, void **out);
