/* Checks a resource before it is created: description, offset in a heap, initial state. */
#pragma once

#include "base/validation_error.h"

enum resource_kind { RESOURCE_COMMITTED, RESOURCE_PLACED, RESOURCE_RESERVED };

/* What a call of any Create*Resource method requests. */
struct resource_request {
    const char *method;
    bool has_desc, has_layout;
    D3D12_RESOURCE_DESC desc;
    D3D12_MIP_REGION feedback;   /* the member of D3D12_RESOURCE_DESC1 */
    D3D12_RESOURCE_STATES state; /* the resource's initial state; not used if has_layout is true */
    D3D12_BARRIER_LAYOUT layout;
    const D3D12_CLEAR_VALUE *clear;
    UINT castable_count;
    const DXGI_FORMAT *castable;
};

/* The size of the members that D3D12_RESOURCE_DESC1 has in common with D3D12_RESOURCE_DESC. */
#define RESOURCE_DESC_SHARED offsetof(D3D12_RESOURCE_DESC1, SamplerFeedbackMipRegion)
_Static_assert(offsetof(D3D12_RESOURCE_DESC, Flags) == offsetof(D3D12_RESOURCE_DESC1, Flags) &&
                   RESOURCE_DESC_SHARED <= sizeof(D3D12_RESOURCE_DESC),
               "the older description is a beginning of the newer one");

/* Each function copies a description into the request. NULL: the request has no description. */
void resource_request_describe(struct resource_request *request, const D3D12_RESOURCE_DESC *desc);
void resource_request_describe1(struct resource_request *request, const D3D12_RESOURCE_DESC1 *desc);

static inline bool resource_desc_is_buffer(const D3D12_RESOURCE_DESC *desc)
{
    return desc->Dimension == D3D12_RESOURCE_DIMENSION_BUFFER;
}

#define RESOURCE_STATES_READ                                                                       \
    (D3D12_RESOURCE_STATE_VERTEX_AND_CONSTANT_BUFFER | D3D12_RESOURCE_STATE_INDEX_BUFFER |         \
     D3D12_RESOURCE_STATE_DEPTH_READ | D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE |            \
     D3D12_RESOURCE_STATE_PIXEL_SHADER_RESOURCE | D3D12_RESOURCE_STATE_INDIRECT_ARGUMENT |         \
     D3D12_RESOURCE_STATE_COPY_SOURCE | D3D12_RESOURCE_STATE_RESOLVE_SOURCE |                      \
     D3D12_RESOURCE_STATE_SHADING_RATE_SOURCE | D3D12_RESOURCE_STATE_VIDEO_DECODE_READ |           \
     D3D12_RESOURCE_STATE_VIDEO_PROCESS_READ | D3D12_RESOURCE_STATE_VIDEO_ENCODE_READ)
#define RESOURCE_STATES_WRITE                                                                      \
    (D3D12_RESOURCE_STATE_RENDER_TARGET | D3D12_RESOURCE_STATE_UNORDERED_ACCESS |                  \
     D3D12_RESOURCE_STATE_DEPTH_WRITE | D3D12_RESOURCE_STATE_STREAM_OUT |                          \
     D3D12_RESOURCE_STATE_COPY_DEST | D3D12_RESOURCE_STATE_RESOLVE_DEST |                          \
     D3D12_RESOURCE_STATE_VIDEO_DECODE_WRITE | D3D12_RESOURCE_STATE_VIDEO_PROCESS_WRITE |          \
     D3D12_RESOURCE_STATE_VIDEO_ENCODE_WRITE)

enum resource_state_verdict {
    RESOURCE_STATE_VALID,
    RESOURCE_STATE_UNKNOWN,       /* the state has bits that this device doesn't know */
    RESOURCE_STATE_CONTRADICTORY, /* the state combines a state for writing with another state */
    RESOURCE_STATE_DENIED         /* the resource's flags forbid the state */
};

enum resource_state_verdict resource_state_check(D3D12_RESOURCE_STATES state,
                                                 D3D12_RESOURCE_FLAGS flags);

struct validation_error resource_desc_check(const D3D12_RESOURCE_DESC *desc);

/* Finds the first mistake in a request, but doesn't check where in memory the resource goes. */
struct validation_error resource_request_check(const struct resource_request *request,
                                               enum resource_kind kind);

/* Finds why a heap with these properties and flags can't hold the requested resource. */
struct validation_error resource_request_check_heap(const struct resource_request *request,
                                                    const D3D12_HEAP_PROPERTIES *properties,
                                                    D3D12_HEAP_FLAGS flags);

/* Returns whether the flags of a heap forbid a resource with this description. */
bool resource_desc_is_denied(const D3D12_RESOURCE_DESC *desc, D3D12_HEAP_FLAGS flags);

/* Returns size and alignment of a resource's memory. SizeInBytes UINT64_MAX: can't exist. */
D3D12_RESOURCE_ALLOCATION_INFO resource_desc_allocation(const D3D12_RESOURCE_DESC *desc);

/* Returns a resource's size in memory; for a buffer, the requested size. `desc` must be valid. */
UINT64 resource_desc_size(const D3D12_RESOURCE_DESC *desc);

/* Returns a copy of `desc` in which real values replace each 0. `desc` must be valid. */
D3D12_RESOURCE_DESC resource_desc_complete(const D3D12_RESOURCE_DESC *desc);

/* Performs ID3D12Device::GetCopyableFootprints. */
void resource_desc_footprints(const D3D12_RESOURCE_DESC *desc, UINT first, UINT count, UINT64 base,
                              D3D12_PLACED_SUBRESOURCE_FOOTPRINT *layouts, UINT *rows,
                              UINT64 *row_sizes, UINT64 *total);
