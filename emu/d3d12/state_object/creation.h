/* Creates state objects: reads a description, links it, and computes the properties of the whole
 * pipeline. */
#pragma once

#include "state_object/state_object.h"

/* E_INVALIDARG: a message says why. */
HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out);
/* ID3D12Device7::AddToStateObject. */
HRESULT d3d12_state_object_grow(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                ID3D12StateObject *from, struct d3d12_state_object **out);
