/* Methods of ID3D12VideoProcessCommandList that the emulator does not model; included by
 * process_list.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_process_list
#define STUB_INTERFACE ID3D12VideoProcessCommandList3
#define STUB_NAME      "ID3D12VideoProcessCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoProcessCommandList3(iface)->child.device

STUB_VOID(InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)
STUB_VOID(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
          const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
STUB_VOID(ProcessFrames, ID3D12VideoProcessor *video_processor,
          const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments,
          UINT num_input_streams, const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS *input_arguments)
STUB_VOID(ProcessFrames1, ID3D12VideoProcessor *video_processor,
          const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments,
          UINT num_input_streams,
          const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS1 *input_arguments)
