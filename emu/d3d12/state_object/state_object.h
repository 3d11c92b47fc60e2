/*
 * ID3D12StateObject and ID3D12StateObjectProperties: a raytracing pipeline or a collection of parts of one. Nothing is
 * compiled; a library's RDAT says what it exports. What it consists of never changes after creation, so that any thread
 * may ask.
 */
#ifndef D3D12_STATE_OBJECT_H
#define D3D12_STATE_OBJECT_H

#include "device/child.h"
#include "state_object/state_parts.h"

struct d3d12_state_object {
    ID3D12StateObject iface;
    ID3D12StateObjectProperties properties;
    struct d3d12_child child;
    struct state_parts parts;
    uint64_t pipeline_config;
    uint32_t kernel; /* that DispatchRays runs, of the ray generation shaders; 0: none */
    _Atomic uint64_t stack_size; /* a pipeline's */
};

/* E_INVALIDARG: told as an error of creation. */
HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out);
/* ID3D12Device7::AddToStateObject. */
HRESULT d3d12_state_object_grow(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                ID3D12StateObject *from, struct d3d12_state_object **out);

/* NULL for NULL and for somebody else's object. */
struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface);

#endif
