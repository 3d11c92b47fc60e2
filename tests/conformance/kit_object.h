/* One object of each kind that can be named [ANN-NAME-01]. */
#ifndef CONFORMANCE_KIT_OBJECT_H
#define CONFORMANCE_KIT_OBJECT_H

#include "kit.h"

enum kit_object_kind {
    OBJECT_QUEUE,
    OBJECT_ALLOCATOR,
    OBJECT_LIST,
    OBJECT_BUNDLE,
    OBJECT_DECODE_LIST,
    OBJECT_PROCESS_LIST,
    OBJECT_ENCODE_LIST,
    OBJECT_FENCE,
    OBJECT_HEAP,
    OBJECT_COMMITTED_RESOURCE,
    OBJECT_PLACED_RESOURCE,
    OBJECT_RESERVED_RESOURCE,
    OBJECT_DESCRIPTOR_HEAP,
    OBJECT_QUERY_HEAP,
    OBJECT_ROOT_SIGNATURE,
    OBJECT_COMPUTE_PIPELINE,
    OBJECT_GRAPHICS_PIPELINE,
    OBJECT_COMMAND_SIGNATURE,
    OBJECT_PIPELINE_LIBRARY,
    OBJECT_STATE_OBJECT,
    OBJECT_PROTECTED_SESSION,
    OBJECT_VIDEO_DECODER,
    OBJECT_VIDEO_DECODER_HEAP,
    OBJECT_VIDEO_PROCESSOR,
    OBJECT_VIDEO_MOTION_ESTIMATOR,
    OBJECT_VIDEO_MOTION_VECTOR_HEAP,
    OBJECT_VIDEO_ENCODER,
    OBJECT_VIDEO_ENCODER_HEAP,
    OBJECT_KINDS
};

/* Rows: every kind, case_row() is its enum kit_object_kind. The names alone: kit_object_rows[kind]. */
extern const char *const kit_object_rows[];

struct kit_object {
    ID3D12Object *object;
    IUnknown *below[2];       /* what it was made of, alive as long as it is */
    D3D12DDI_HANDLETYPE type; /* what a driver is told that it is */
};

/* Skips the case when the runtime doesn't have this kind (E_NOTIMPL, or no such interface). */
struct kit_object kit_object(ID3D12Device *device, enum kit_object_kind kind);
/* The same without skipping: an object that is NULL where the runtime doesn't have the kind. */
struct kit_object kit_object_if_any(ID3D12Device *device, enum kit_object_kind kind);
void kit_object_done(struct kit_object *object);

/* kit_video_object.c's part of it. */
HRESULT kit_video_object(ID3D12Device *device, enum kit_object_kind kind, void **out);

#endif
