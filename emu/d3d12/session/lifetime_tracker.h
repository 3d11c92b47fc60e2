/*
 * ID3D12LifetimeTracker: destroys objects for a component that is not the only one to use them, and
 * tells its ID3D12LifetimeOwner. DestroyOwnedObject takes the caller's reference. If that was the
 * last use, the owner is told NOT_IN_USE before the call returns; otherwise it is told IN_USE now
 * and NOT_IN_USE when the last use ends.
 */
#pragma once

#include "device/child.h"

struct d3d12_lifetime_tracker {
    ID3D12LifetimeTracker iface;
    struct d3d12_child child;
    ID3D12LifetimeOwner *owner; /* a reference */
};

HRESULT d3d12_lifetime_tracker_create(struct d3d12_device *device, ID3D12LifetimeOwner *owner,
                                      struct d3d12_lifetime_tracker **out);
