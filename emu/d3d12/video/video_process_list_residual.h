/* What the emulator does not model of ID3D12VideoProcessCommandList; included by video_process_list.c only. */
#include "base/residual.h"

#define RESIDUAL_NOUN      d3d12_video_process_list
#define RESIDUAL_INTERFACE ID3D12VideoProcessCommandList3
#define RESIDUAL_NAME      "ID3D12VideoProcessCommandList"
#define RESIDUAL_DEVICE    impl_from_ID3D12VideoProcessCommandList3(iface)->child.device

RESIDUAL_VOID(InitializeExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
              const void *initialization_parameters, SIZE_T initialization_parameters_size_in_bytes)
RESIDUAL_VOID(ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,
              const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes)
RESIDUAL_VOID(ProcessFrames, ID3D12VideoProcessor *video_processor,
              const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments,
              UINT num_input_streams,
              const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS *input_arguments)
RESIDUAL_VOID(ProcessFrames1, ID3D12VideoProcessor *video_processor,
              const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments,
              UINT num_input_streams,
              const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS1 *input_arguments)
