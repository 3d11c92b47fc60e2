/* ID3D12VideoDevice3, an interface of the device, and the objects that it creates. Programs can
 * describe, name and record with these objects, but no frame is ever coded. Objects with a codec
 * accept only what capabilities.h lists. */
#pragma once

#include "device/child.h"

struct d3d12_device;

/* Each makes one object. E_INVALIDARG: the description isn't supported; or E_OUTOFMEMORY. */
HRESULT d3d12_video_decoder_create(struct d3d12_device *device,
                                   const D3D12_VIDEO_DECODER_DESC *desc, struct d3d12_child **out);
HRESULT d3d12_video_decoder_heap_create(struct d3d12_device *device,
                                        const D3D12_VIDEO_DECODER_HEAP_DESC *desc,
                                        struct d3d12_child **out);
HRESULT d3d12_video_processor_create(struct d3d12_device *device, UINT node_mask,
                                     const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC *output,
                                     UINT input_count,
                                     const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *inputs,
                                     struct d3d12_child **out);
HRESULT d3d12_video_motion_estimator_create(struct d3d12_device *device,
                                            const D3D12_VIDEO_MOTION_ESTIMATOR_DESC *desc,
                                            struct d3d12_child **out);
HRESULT d3d12_video_motion_vector_heap_create(struct d3d12_device *device,
                                              const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC *desc,
                                              struct d3d12_child **out);
HRESULT d3d12_video_encoder_create(struct d3d12_device *device,
                                   const D3D12_VIDEO_ENCODER_DESC *desc, struct d3d12_child **out);
HRESULT d3d12_video_encoder_heap_create(struct d3d12_device *device,
                                        const D3D12_VIDEO_ENCODER_HEAP_DESC *desc,
                                        struct d3d12_child **out);
