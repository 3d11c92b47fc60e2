/* Methods of ID3D12VideoEncoder and its heap that the emulator does not model, because they
 * describe one codec. Included by encoder.c only. */
#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_encoder
#define STUB_INTERFACE ID3D12VideoEncoder
#define STUB_NAME      "ID3D12VideoEncoder"
#define STUB_DEVICE    impl_from_ID3D12VideoEncoder(iface)->child.device

STUB_FAIL(GetCodecProfile, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)
STUB_FAIL(GetCodecConfiguration, D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION configuration)

#undef STUB_NOUN
#undef STUB_INTERFACE
#undef STUB_NAME
#undef STUB_DEVICE
#define STUB_NOUN      d3d12_video_encoder_heap
#define STUB_INTERFACE ID3D12VideoEncoderHeap
#define STUB_NAME      "ID3D12VideoEncoderHeap"
#define STUB_DEVICE    impl_from_ID3D12VideoEncoderHeap(iface)->child.device

STUB_FAIL(GetCodecProfile, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)
STUB_FAIL(GetCodecLevel, D3D12_VIDEO_ENCODER_LEVEL_SETTING level)
STUB_FAIL(GetResolutionList, UINT count, D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC *resolutions)
