#include "session/lifetime_tracker.h"

#include "device/device.h"

D3D12_CHILD_METHODS(d3d12_lifetime_tracker, ID3D12LifetimeTracker)

/* The last use of a tracked object has ended. Its tracker was used for it, which holds the
 * owner. */
static void STDMETHODCALLTYPE object_is_unused(void *user)
{
    struct d3d12_lifetime_tracker *tracker = user;
    ID3D12LifetimeOwner *owner = tracker->owner;
    owner->lpVtbl->LifetimeStateUpdated(owner, D3D12_LIFETIME_STATE_NOT_IN_USE);
    d3d12_child_release_private_ref(&tracker->child);
}

static HRESULT STDMETHODCALLTYPE
d3d12_lifetime_tracker_DestroyOwnedObject(ID3D12LifetimeTracker *iface, ID3D12DeviceChild *object)
{
    struct d3d12_lifetime_tracker *tracker = impl_from_ID3D12LifetimeTracker(iface);
    struct d3d12_device *device = tracker->child.device;
    struct d3d12_child *child = d3d12_child_from(object);
    if (!child || child->device != device || child == &tracker->child)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12LifetimeTracker::DestroyOwnedObject: not an object of "
                                    "this device, or the tracker itself");
    d3d12_child_add_private_ref(&tracker->child);
    const HRESULT hr = destruction_register(&child->destruction, object_is_unused, tracker, NULL);
    if (FAILED(hr)) {
        d3d12_child_release_private_ref(&tracker->child);
        return hr;
    }
    ID3D12LifetimeOwner *owner = tracker->owner;
    if (atomic_load(&child->references) > 1 || atomic_load(&child->private_references) > 1)
        owner->lpVtbl->LifetimeStateUpdated(owner, D3D12_LIFETIME_STATE_IN_USE);
    d3d12_child_release(child);
    return S_OK;
}

static CONST_VTBL ID3D12LifetimeTrackerVtbl d3d12_lifetime_tracker_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_lifetime_tracker),
    .DestroyOwnedObject = d3d12_lifetime_tracker_DestroyOwnedObject,
};

static void lifetime_tracker_release(struct d3d12_child *child)
{
    ID3D12LifetimeOwner *owner = container_of(child, struct d3d12_lifetime_tracker, child)->owner;
    owner->lpVtbl->Release(owner);
}

static const struct d3d12_child_class lifetime_tracker_class = {
    .kind = ANNOT_HT_LIFETIME_TRACKER,
    .iids = (const IID *const[]){&IID_ID3D12LifetimeTracker, NULL},
    .methods = &d3d12_lifetime_tracker_vtable,
    .release = lifetime_tracker_release,
    .immediate = true, /* the GPU never uses it */
};

HRESULT d3d12_lifetime_tracker_create(struct d3d12_device *device, ID3D12LifetimeOwner *owner,
                                      struct d3d12_lifetime_tracker **out)
{
    if (!owner)
        return d3d12_device_invalid(device, EMU_MESSAGE_INVALID_ARGUMENT,
                                    "ID3D12Device5::CreateLifetimeTracker: there is no owner");
    struct d3d12_lifetime_tracker *tracker =
        d3d12_child_begin(device, &lifetime_tracker_class, sizeof *tracker);
    if (!tracker)
        return E_OUTOFMEMORY;
    tracker->owner = owner;
    owner->lpVtbl->AddRef(owner);
    *out = tracker;
    return d3d12_child_end(&tracker->child, S_OK);
}
