/* ID3D12StateObject. RaytracingTier is 0, so a state object has only a kind and a name, and no
 * ID3D12StateObjectProperties. No library is read or linked. Any thread may use a state object. */
#pragma once

#include "device/child.h"

struct d3d12_state_object {
    ID3D12StateObject iface;
    struct d3d12_child child;
    bool is_pipeline; /* true: a pipeline; false: a collection */
    D3D12_STATE_OBJECT_FLAGS flags;
};

/* Makes a state object. For E_INVALIDARG, a message says why. */
HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out);

/* Returns the state object with this interface, or NULL if the emulator didn't make `iface`. */
struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface);
