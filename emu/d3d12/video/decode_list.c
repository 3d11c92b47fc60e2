#include "video/video_list.h"

VIDEO_LIST_METHODS(d3d12_video_decode_list, ID3D12VideoDecodeCommandList3)

#define STUB_NOUN      d3d12_video_decode_list
#define STUB_INTERFACE ID3D12VideoDecodeCommandList3
#define STUB_NAME      "ID3D12VideoDecodeCommandList"
#define STUB_DEVICE    impl_from_ID3D12VideoDecodeCommandList3(iface)->child.device
#define DECODE_STUBS(S)                                                                            \
    VIDEO_EXTENSION_STUBS(S)                                                                       \
    S(VOID, DecodeFrame, ID3D12VideoDecoder *decoder,                                              \
      const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS *output_arguments,                          \
      const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)                            \
    S(VOID, DecodeFrame1, ID3D12VideoDecoder *decoder,                                             \
      const D3D12_VIDEO_DECODE_OUTPUT_STREAM_ARGUMENTS1 *output_arguments,                         \
      const D3D12_VIDEO_DECODE_INPUT_STREAM_ARGUMENTS *input_arguments)
DECODE_STUBS(STUB)

CONST_VTBL ID3D12VideoDecodeCommandList3Vtbl d3d12_video_decode_list_vtable = {
    VIDEO_LIST_ENTRIES(d3d12_video_decode_list), DECODE_STUBS(STUB_ENTRY)};
