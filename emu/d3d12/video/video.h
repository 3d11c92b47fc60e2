/* ID3D12VideoDevice3, an interface of the device, and the objects that it creates. Programs can
 * describe, name and record with these objects, but no frame is ever coded. Objects with a codec
 * accept only the parameters in capabilities.h. */
#pragma once

#include "device/child.h"

struct d3d12_device;

/* Makes a video object. Errors: E_INVALIDARG (the description isn't supported), E_OUTOFMEMORY. */
#define VIDEO_OBJECT(noun, Desc)                                                                   \
    HRESULT noun##_create(struct d3d12_device *device, const Desc *desc, struct d3d12_child **out);
VIDEO_OBJECT(d3d12_video_decoder, D3D12_VIDEO_DECODER_DESC)
VIDEO_OBJECT(d3d12_video_decoder_heap, D3D12_VIDEO_DECODER_HEAP_DESC)
VIDEO_OBJECT(d3d12_video_motion_estimator, D3D12_VIDEO_MOTION_ESTIMATOR_DESC)
VIDEO_OBJECT(d3d12_video_motion_vector_heap, D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC)
VIDEO_OBJECT(d3d12_video_encoder, D3D12_VIDEO_ENCODER_DESC)
VIDEO_OBJECT(d3d12_video_encoder_heap, D3D12_VIDEO_ENCODER_HEAP_DESC)
HRESULT d3d12_video_processor_create(struct d3d12_device *device, UINT node_mask,
                                     const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC *output,
                                     UINT input_count,
                                     const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *inputs,
                                     struct d3d12_child **out);

/* Defines the class of a struct with `child` and `desc`, and the function that creates it.
 * `is_valid` is an expression that checks `desc`. */
#define VIDEO_CREATE_DESCRIBED(noun, Desc, is_valid)                                               \
    HRESULT noun##_create(struct d3d12_device *device, const Desc *desc, struct d3d12_child **out) \
    {                                                                                              \
        if (!desc || !(is_valid))                                                                  \
            return E_INVALIDARG;                                                                   \
        struct noun *object = d3d12_child_begin(device, &noun##_class, sizeof *object);            \
        if (!object)                                                                               \
            return E_OUTOFMEMORY;                                                                  \
        object->desc = *desc;                                                                      \
        *out = &object->child;                                                                     \
        return d3d12_child_end(&object->child, S_OK);                                              \
    }
