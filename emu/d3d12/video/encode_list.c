#include "video/video_list.h"

VIDEO_LIST_METHODS(d3d12_video_encode_list, ID3D12VideoEncodeCommandList3)

#define STUB_NOUN      d3d12_video_encode_list
#define STUB_INTERFACE ID3D12VideoEncodeCommandList3
#define STUB_NAME      "ID3D12VideoEncodeCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoEncodeCommandList3(iface)->child.device
#define ENCODE_STUBS(S)                                                                            \
    VIDEO_EXTENSION_STUBS(S)                                                                       \
    S(VOID, EstimateMotion, ID3D12VideoMotionEstimator *motion_estimator,                          \
      const D3D12_VIDEO_MOTION_ESTIMATOR_OUTPUT *output_arguments,                                 \
      const D3D12_VIDEO_MOTION_ESTIMATOR_INPUT *input_arguments)                                   \
    S(VOID, ResolveMotionVectorHeap,                                                               \
      const D3D12_RESOLVE_VIDEO_MOTION_VECTOR_HEAP_OUTPUT *output_arguments,                       \
      const D3D12_RESOLVE_VIDEO_MOTION_VECTOR_HEAP_INPUT *input_arguments)                         \
    S(VOID, EncodeFrame, ID3D12VideoEncoder *encoder, ID3D12VideoEncoderHeap *heap,                \
      const D3D12_VIDEO_ENCODER_ENCODEFRAME_INPUT_ARGUMENTS *input_arguments,                      \
      const D3D12_VIDEO_ENCODER_ENCODEFRAME_OUTPUT_ARGUMENTS *output_arguments)                    \
    S(VOID, ResolveEncoderOutputMetadata,                                                          \
      const D3D12_VIDEO_ENCODER_RESOLVE_METADATA_INPUT_ARGUMENTS *input_arguments,                 \
      const D3D12_VIDEO_ENCODER_RESOLVE_METADATA_OUTPUT_ARGUMENTS *output_arguments)
ENCODE_STUBS(STUB)

CONST_VTBL ID3D12VideoEncodeCommandList3Vtbl d3d12_video_encode_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_encode_list), ENCODE_STUBS(STUB_ENTRY)};
