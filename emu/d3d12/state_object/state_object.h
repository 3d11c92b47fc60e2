/*
 * ID3D12StateObject and ID3D12StateObjectProperties: a raytracing pipeline or a collection of parts
 * of one. Nothing is compiled; a library's RDAT says what it exports. Its contents never change
 * after creation, so any thread may read them.
 */
#pragma once

#include "device/child.h"
#include "state_object/state_parts.h"

struct d3d12_state_object {
    ID3D12StateObject iface;
    struct d3d12_child child;
    ID3D12StateObjectProperties properties;
    struct state_parts parts;
    uint64_t pipeline_config;
    uint32_t kernel; /* that DispatchRays runs, of the ray generation shaders; 0: none */
    _Atomic uint64_t stack_size; /* a pipeline's */
};

/* As d3d12_child_begin. */
struct d3d12_state_object *d3d12_state_object_begin(struct d3d12_device *device);

/* NULL if `iface` is NULL or not ours. */
struct d3d12_state_object *d3d12_state_object_from(ID3D12StateObject *iface);
