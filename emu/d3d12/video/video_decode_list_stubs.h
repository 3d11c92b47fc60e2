/* Methods of ID3D12VideoDecodeCommandList that the emulator does not model; included by
 * decode_list.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_decode_list
#define STUB_INTERFACE ID3D12VideoDecodeCommandList3
#define STUB_NAME      "ID3D12VideoDecodeCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoDecodeCommandList3(iface)->child.device

STUB_VOID(InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)
STUB_VOID(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
STUB_VOID(DecodeFrame, ID3D12VideoDecoder *decoder,
          const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS *output_arguments,
          const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)
STUB_VOID(DecodeFrame1, ID3D12VideoDecoder *decoder,
          const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS1 *output_arguments,
          const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)
