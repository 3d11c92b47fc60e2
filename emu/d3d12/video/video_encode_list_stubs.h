/* Methods of ID3D12VideoEncodeCommandList that the emulator does not model; included by
 * encode_list.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_encode_list
#define STUB_INTERFACE ID3D12VideoEncodeCommandList3
#define STUB_NAME      "ID3D12VideoEncodeCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoEncodeCommandList3(iface)->child.device

STUB_VOID(InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)
STUB_VOID(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
STUB_VOID(EstimateMotion, ID3D12VideoMotionEstimator *motion_estimator,
          const D3D12_VIDEO_MOTION_ESTIMATOR_OUTPUT *output_arguments,
          const D3D12_VIDEO_MOTION_ESTIMATOR_INPUT *input_arguments)
STUB_VOID(ResolveMotionVectorHeap,
          const D3D12_RESOLVE_VIDEO_MOTION_VECTOR_HEAP_OUTPUT *output_arguments,
          const D3D12_RESOLVE_VIDEO_MOTION_VECTOR_HEAP_INPUT *input_arguments)
STUB_VOID(EncodeFrame, ID3D12VideoEncoder *encoder, ID3D12VideoEncoderHeap *heap,
          const D3D12_VIDEO_ENCODER_ENCODEFRAME_INPUT_ARGUMENTS *input_arguments,
          const D3D12_VIDEO_ENCODER_ENCODEFRAME_OUTPUT_ARGUMENTS *output_arguments)
STUB_VOID(ResolveEncoderOutputMetadata,
          const D3D12_VIDEO_ENCODER_RESOLVE_METADATA_INPUT_ARGUMENTS *input_arguments,
          const D3D12_VIDEO_ENCODER_RESOLVE_METADATA_OUTPUT_ARGUMENTS *output_arguments)
