#include "video/capabilities.h"

bool video_decodes(const D3D12_VIDEO_DECODE_CONFIGURATION *configuration)
{
    return (com_same(&configuration->DecodeProfile, &D3D12_VIDEO_DECODE_PROFILE_H264) ||
            com_same(&configuration->DecodeProfile, &D3D12_VIDEO_DECODE_PROFILE_HEVC_MAIN)) &&
           configuration->BitstreamEncryption == D3D12_BITSTREAM_ENCRYPTION_TYPE_NONE &&
           (unsigned)configuration->InterlaceType <=
               D3D12_VIDEO_FRAME_CODED_INTERLACE_TYPE_FIELD_BASED;
}

bool video_format(DXGI_FORMAT format)
{
    return format == DXGI_FORMAT_NV12 || format == DXGI_FORMAT_P010 ||
           format == DXGI_FORMAT_R8G8B8A8_UNORM || format == DXGI_FORMAT_B8G8R8A8_UNORM;
}

bool video_size(UINT width, UINT height)
{
    return width != 0 && height != 0 && width <= VIDEO_MAX_WIDTH && height <= VIDEO_MAX_HEIGHT;
}

bool video_size_range(const D3D12_VIDEO_SIZE_RANGE *range)
{
    return video_size(range->MaxWidth, range->MaxHeight) && range->MinWidth <= range->MaxWidth &&
           range->MinHeight <= range->MaxHeight;
}

bool video_encodes(D3D12_VIDEO_ENCODER_CODEC codec, const D3D12_VIDEO_ENCODER_PROFILE_DESC *profile)
{
    if (!profile->pH264Profile || profile->DataSize != sizeof(D3D12_VIDEO_ENCODER_PROFILE_H264))
        return false;
    switch (codec) {
    case D3D12_VIDEO_ENCODER_CODEC_H264:
        return (unsigned)*profile->pH264Profile <= D3D12_VIDEO_ENCODER_PROFILE_H264_HIGH_10;
    case D3D12_VIDEO_ENCODER_CODEC_HEVC:
        return (unsigned)*profile->pHEVCProfile <= D3D12_VIDEO_ENCODER_PROFILE_HEVC_MAIN10;
    default: /* newer headers have more codecs, which the emulator doesn't encode */
        return false;
    }
}

HRESULT video_no_session(void **out)
{
    if (!out)
        return E_POINTER;
    *out = NULL;
    return DXGI_ERROR_NOT_FOUND;
}
