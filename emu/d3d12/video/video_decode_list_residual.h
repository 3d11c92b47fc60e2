/* What the emulator does not model of ID3D12VideoDecodeCommandList; included by video_decode_list.c only. */
#include "base/residual.h"

#define RESIDUAL_NOUN      d3d12_video_decode_list
#define RESIDUAL_INTERFACE ID3D12VideoDecodeCommandList3
#define RESIDUAL_NAME      "ID3D12VideoDecodeCommandList"
#define RESIDUAL_DEVICE    impl_from_ID3D12VideoDecodeCommandList3(iface)->child.device

RESIDUAL_VOID(InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
              const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)
RESIDUAL_VOID(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
              const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
RESIDUAL_VOID(DecodeFrame, ID3D12VideoDecoder *decoder,
              const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS *output_arguments,
              const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)
RESIDUAL_VOID(DecodeFrame1, ID3D12VideoDecoder *decoder,
              const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS1 *output_arguments,
              const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)
