#include "kit_video_object.h"

static D3D12_VIDEO_ENCODER_PROFILE_H264 h264_profile = D3D12_VIDEO_ENCODER_PROFILE_H264_HIGH;
static D3D12_VIDEO_ENCODER_LEVELS_H264 h264_level = D3D12_VIDEO_ENCODER_LEVELS_H264_41;
static D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264 h264 = {
    .DirectModeConfig = D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264_DIRECT_MODES_TEMPORAL};

static D3D12_VIDEO_DECODE_CONFIGURATION decode_configuration(void)
{
    return (D3D12_VIDEO_DECODE_CONFIGURATION){.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264};
}

static D3D12_VIDEO_ENCODER_PROFILE_DESC encode_profile(void)
{
    return (D3D12_VIDEO_ENCODER_PROFILE_DESC){sizeof h264_profile, {&h264_profile}};
}

static HRESULT make_decoder_heap(ID3D12VideoDevice3 *video, void **out)
{
    const D3D12_VIDEO_DECODER_HEAP_DESC desc = {.Configuration = decode_configuration(),
                                                .DecodeWidth = 1920,
                                                .DecodeHeight = 1080,
                                                .Format = DXGI_FORMAT_NV12};
    return ID3D12VideoDevice3_CreateVideoDecoderHeap(video, &desc, &IID_ID3D12VideoDecoderHeap,
                                                     out);
}

static HRESULT make_processor(ID3D12VideoDevice3 *video, void **out)
{
    const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC to = {.Format = DXGI_FORMAT_NV12};
    const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC from = {.Format = DXGI_FORMAT_NV12,
                                                        .SourceSizeRange = {1920, 1080, 1, 1},
                                                        .DestinationSizeRange = {1920, 1080, 1, 1}};
    return ID3D12VideoDevice3_CreateVideoProcessor(video, 0, &to, 1, &from,
                                                   &IID_ID3D12VideoProcessor, out);
}

static HRESULT make_estimator(ID3D12VideoDevice3 *video, void **out)
{
    const D3D12_VIDEO_MOTION_ESTIMATOR_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                    .SizeRange = {1920, 1080, 16, 16}};
    return ID3D12VideoDevice3_CreateVideoMotionEstimator(video, &desc, NULL,
                                                         &IID_ID3D12VideoMotionEstimator, out);
}

static HRESULT make_vector_heap(ID3D12VideoDevice3 *video, void **out)
{
    const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                      .SizeRange = {1920, 1080, 16, 16}};
    return ID3D12VideoDevice3_CreateVideoMotionVectorHeap(video, &desc, NULL,
                                                          &IID_ID3D12VideoMotionVectorHeap, out);
}

static HRESULT make_encoder(ID3D12VideoDevice3 *video, void **out)
{
    const D3D12_VIDEO_ENCODER_DESC desc = {.EncodeProfile = encode_profile(),
                                           .InputFormat = DXGI_FORMAT_NV12,
                                           .CodecConfiguration = {sizeof h264, {&h264}}};
    return ID3D12VideoDevice3_CreateVideoEncoder(video, &desc, &IID_ID3D12VideoEncoder, out);
}

static HRESULT make_encoder_heap(ID3D12VideoDevice3 *video, void **out)
{
    static const D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC size = {1920, 1080};
    const D3D12_VIDEO_ENCODER_HEAP_DESC desc = {.EncodeProfile = encode_profile(),
                                                .EncodeLevel = {sizeof h264_level, {&h264_level}},
                                                .ResolutionsListCount = 1,
                                                .pResolutionList = &size};
    return ID3D12VideoDevice3_CreateVideoEncoderHeap(video, &desc, &IID_ID3D12VideoEncoderHeap,
                                                     out);
}

static HRESULT make(ID3D12VideoDevice3 *video, enum kit_object_kind kind, void **out)
{
    const D3D12_VIDEO_DECODER_DESC decoder = {.Configuration = decode_configuration()};
    switch (kind) {
    case OBJECT_VIDEO_DECODER:
        return ID3D12VideoDevice3_CreateVideoDecoder(video, &decoder, &IID_ID3D12VideoDecoder, out);
    case OBJECT_VIDEO_DECODER_HEAP:
        return make_decoder_heap(video, out);
    case OBJECT_VIDEO_PROCESSOR:
        return make_processor(video, out);
    case OBJECT_VIDEO_MOTION_ESTIMATOR:
        return make_estimator(video, out);
    case OBJECT_VIDEO_MOTION_VECTOR_HEAP:
        return make_vector_heap(video, out);
    case OBJECT_VIDEO_ENCODER:
        return make_encoder(video, out);
    case OBJECT_VIDEO_ENCODER_HEAP:
        return make_encoder_heap(video, out);
    default:
        return E_INVALIDARG;
    }
}

HRESULT kit_video_object(ID3D12Device *device, enum kit_object_kind kind, void **out)
{
    ID3D12VideoDevice3 *video = NULL;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12VideoDevice3, (void **)&video)))
        return E_NOTIMPL;
    const HRESULT hr = make(video, kind, out);
    ID3D12VideoDevice3_Release(video);
    return hr;
}
