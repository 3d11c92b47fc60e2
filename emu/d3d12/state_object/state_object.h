/*
 * ID3D12StateObject and ID3D12StateObjectProperties. RaytracingTier is 0, so a state object is
 * opaque: it has a kind, a name, and an identifier for every export that is requested. No library
 * is read and nothing is linked. Any thread.
 */
#pragma once

#include "device/child.h"

#include <pthread.h>

struct state_identifier;

struct d3d12_state_object {
    ID3D12StateObject iface;
    struct d3d12_child child;
    ID3D12StateObjectProperties properties;
    bool is_pipeline; /* else a collection */
    D3D12_STATE_OBJECT_FLAGS flags;
    uint64_t number; /* unique in the process, and so are its identifiers */
    pthread_mutex_t lock;
    struct state_identifier *identifiers; /* the requested identifiers */
    _Atomic uint64_t stack_size;          /* stack size of a ray tracing pipeline */
};

/* Makes a state object. E_INVALIDARG: a message has the reason. */
HRESULT d3d12_state_object_create(struct d3d12_device *device, const D3D12_STATE_OBJECT_DESC *desc,
                                  struct d3d12_state_object **out);

/* The emulator's object of `iface`; NULL if it is NULL or not the emulator's. */
struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface);
