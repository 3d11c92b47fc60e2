/* ID3D12StateObject. RaytracingTier is 0, so a state object only has a kind and a name, but no
 * ID3D12StateObjectProperties. No library is read, and nothing is linked. Any thread may use it. */
#pragma once

#include "device/child.h"

struct d3d12_state_object {
    ID3D12StateObject iface;
    struct d3d12_child child;
    bool is_pipeline; /* false: the object is a collection */
    D3D12_STATE_OBJECT_FLAGS flags;
};

/* Makes a state object. If the result is E_INVALIDARG, a message has the reason. */
HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out);

/* Returns the emulator's object of `iface`, or NULL if `iface` is not the emulator's. */
struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface);
