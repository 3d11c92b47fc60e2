#include "video/video_list.h"

VIDEO_LIST_METHODS(d3d12_video_process_list, ID3D12VideoProcessCommandList3)

#define STUB_NOUN      d3d12_video_process_list
#define STUB_INTERFACE ID3D12VideoProcessCommandList3
#define STUB_NAME      "ID3D12VideoProcessCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoProcessCommandList3(iface)->child.device
#define PROCESS_STUBS(S)                                                                           \
    VIDEO_EXTENSION_STUBS(S)                                                                       \
    S(VOID, ProcessFrames, ID3D12VideoProcessor *video_processor,                                  \
      const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments, UINT num_input_streams, \
      const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS *input_arguments)                           \
    S(VOID, ProcessFrames1, ID3D12VideoProcessor *video_processor,                                 \
      const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_ARGUMENTS *output_arguments, UINT num_input_streams, \
      const D3D12_VIDEO_PROCESS_INPUT_STREAM_ARGUMENTS1 *input_arguments)
PROCESS_STUBS(STUB)

CONST_VTBL ID3D12VideoProcessCommandList3Vtbl d3d12_video_process_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_process_list), PROCESS_STUBS(STUB_ENTRY)};
