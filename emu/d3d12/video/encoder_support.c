/* ID3D12VideoDevice::CheckFeatureSupport of encoders: what the creation of encoders and heaps
 * takes. Questions about frames have no answer, as no frame is coded. */
#include "video/capabilities.h"
#include "video/video.h"

#include <string.h>

/* Where the caller wants a level; false: not this codec's size. */
static bool put_level(D3D12_VIDEO_ENCODER_CODEC codec,
                      const D3D12_VIDEO_ENCODER_LEVEL_SETTING *setting, bool highest)
{
    const D3D12_VIDEO_ENCODER_LEVELS_H264 h264 =
        highest ? D3D12_VIDEO_ENCODER_LEVELS_H264_62 : D3D12_VIDEO_ENCODER_LEVELS_H264_1;
    const D3D12_VIDEO_ENCODER_LEVEL_TIER_CONSTRAINTS_HEVC hevc = {
        highest ? D3D12_VIDEO_ENCODER_LEVELS_HEVC_62 : D3D12_VIDEO_ENCODER_LEVELS_HEVC_1,
        highest ? D3D12_VIDEO_ENCODER_TIER_HEVC_HIGH : D3D12_VIDEO_ENCODER_TIER_HEVC_MAIN};
    const bool is_h264 = codec == D3D12_VIDEO_ENCODER_CODEC_H264;
    const size_t size = is_h264 ? sizeof h264 : sizeof hevc;
    if (!setting->pH264LevelSetting || setting->DataSize != size)
        return false;
    memcpy(setting->pH264LevelSetting, is_h264 ? (const void *)&h264 : (const void *)&hevc, size);
    return true;
}

static HRESULT profile_level(D3D12_FEATURE_DATA_VIDEO_ENCODER_PROFILE_LEVEL *data)
{
    data->IsSupported = data->NodeIndex == 0 && video_encodes(data->Codec, &data->Profile);
    if (!data->IsSupported)
        return S_OK;
    return put_level(data->Codec, &data->MinSupportedLevel, false) &&
                   put_level(data->Codec, &data->MaxSupportedLevel, true)
               ? S_OK
               : E_INVALIDARG;
}

/* No ratio is demanded of width and height. */
static HRESULT output_resolution(D3D12_FEATURE_DATA_VIDEO_ENCODER_OUTPUT_RESOLUTION *data)
{
    if (data->ResolutionRatiosCount != 0)
        return E_INVALIDARG;
    data->IsSupported = data->NodeIndex == 0 && video_is_encoder_codec(data->Codec);
    const UINT least = data->IsSupported ? 1 : 0;
    data->MinResolutionSupported = (D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC){least, least};
    data->MaxResolutionSupported = (D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC){
        least * VIDEO_MAX_WIDTH, least * VIDEO_MAX_HEIGHT};
    data->ResolutionWidthMultipleRequirement = data->ResolutionHeightMultipleRequirement = least;
    return S_OK;
}

/* Any configuration makes an encoder. */
static bool put_configuration(D3D12_VIDEO_ENCODER_CODEC codec,
                              const D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT *limits)
{
    const D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT_H264 h264 = {
        (D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT_H264_FLAGS)0x7F,
        (D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264_SLICES_DEBLOCKING_MODE_FLAGS)0x7F};
    const D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT_HEVC hevc = {
        (D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT_HEVC_FLAGS)(0xFF &
                                                                     ~(unsigned)
                                                                         D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT_HEVC_FLAG_ASYMETRIC_MOTION_PARTITION_REQUIRED),
        D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC_CUSIZE_8x8,
        D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC_CUSIZE_64x64,
        D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC_TUSIZE_4x4,
        D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC_TUSIZE_32x32,
        4, /* from the largest coding unit down to the smallest transform */
        4};
    const bool is_h264 = codec == D3D12_VIDEO_ENCODER_CODEC_H264;
    const size_t size = is_h264 ? sizeof h264 : sizeof hevc;
    if (!limits->pH264Support || limits->DataSize != size)
        return false;
    memcpy(limits->pH264Support, is_h264 ? (const void *)&h264 : (const void *)&hevc, size);
    return true;
}

static HRESULT
codec_configuration(D3D12_FEATURE_DATA_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT *data)
{
    data->IsSupported = data->NodeIndex == 0 && video_encodes(data->Codec, &data->Profile);
    return !data->IsSupported || put_configuration(data->Codec, &data->CodecSupportLimits)
               ? S_OK
               : E_INVALIDARG;
}

static HRESULT heap_size(D3D12_FEATURE_DATA_VIDEO_ENCODER_HEAP_SIZE *data)
{
    data->IsSupported = d3d12_video_encoder_heap_is_valid(&data->HeapDesc);
    data->MemoryPoolL0Size = data->MemoryPoolL1Size = 0; /* nothing is coded there */
    return S_OK;
}

HRESULT video_encoder_support(D3D12_FEATURE_VIDEO feature, void *data, UINT size, bool *is_known)
{
    *is_known = true;
    switch (feature) {
    case D3D12_FEATURE_VIDEO_ENCODER_CODEC:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_CODEC,
                     answer.IsSupported =
                         answer.NodeIndex == 0 && video_is_encoder_codec(answer.Codec));
    case D3D12_FEATURE_VIDEO_ENCODER_PROFILE_LEVEL:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_PROFILE_LEVEL,
                     answered = profile_level(&answer));
    case D3D12_FEATURE_VIDEO_ENCODER_INPUT_FORMAT:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_INPUT_FORMAT,
                     answer.IsSupported = answer.NodeIndex == 0 &&
                                          video_encodes(answer.Codec, &answer.Profile) &&
                                          answer.Format == DXGI_FORMAT_NV12);
    case D3D12_FEATURE_VIDEO_ENCODER_OUTPUT_RESOLUTION_RATIOS_COUNT:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_OUTPUT_RESOLUTION_RATIOS_COUNT,
                     answer.ResolutionRatiosCount = 0);
    case D3D12_FEATURE_VIDEO_ENCODER_OUTPUT_RESOLUTION:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_OUTPUT_RESOLUTION,
                     answered = output_resolution(&answer));
    case D3D12_FEATURE_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_CODEC_CONFIGURATION_SUPPORT,
                     answered = codec_configuration(&answer));
    case D3D12_FEATURE_VIDEO_ENCODER_HEAP_SIZE:
        VIDEO_ANSWER(D3D12_FEATURE_DATA_VIDEO_ENCODER_HEAP_SIZE, answered = heap_size(&answer));
    default:
        *is_known = false;
        return E_NOTIMPL;
    }
}
