/* Encoder and encoder heap. Profiles, configurations and levels are small structs behind pointers,
 * by codec; they are kept as bytes. */
#include "video/video.h"

#include "device/device.h"
#include "video/capabilities.h"

#define MAX_CODEC_DATA 32u

struct codec_data {
    UINT size;
    char bytes[MAX_CODEC_DATA];
};

static UINT configuration_size(D3D12_VIDEO_ENCODER_CODEC codec)
{
    return codec == D3D12_VIDEO_ENCODER_CODEC_H264
               ? sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264)
               : sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC);
}

static UINT level_size(D3D12_VIDEO_ENCODER_CODEC codec)
{
    return codec == D3D12_VIDEO_ENCODER_CODEC_H264
               ? sizeof(D3D12_VIDEO_ENCODER_LEVELS_H264)
               : sizeof(D3D12_VIDEO_ENCODER_LEVEL_TIER_CONSTRAINTS_HEVC);
}

_Static_assert(sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC) <= MAX_CODEC_DATA &&
                   sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264) <= MAX_CODEC_DATA,
               "the largest of the structs that a codec has");

/* False unless there are `expected` bytes. */
static bool codec_data_init(struct codec_data *data, const void *bytes, UINT size, UINT expected)
{
    if (!bytes || size != expected)
        return false;
    data->size = size;
    memcpy(data->bytes, bytes, size);
    return true;
}

static HRESULT codec_data_get(const struct codec_data *data, void *bytes, UINT size)
{
    if (!bytes || size != data->size)
        return E_INVALIDARG;
    memcpy(bytes, data->bytes, size);
    return S_OK;
}

/* ---- the encoder ---- */

struct d3d12_video_encoder {
    ID3D12VideoEncoder iface;
    struct d3d12_child child;
    D3D12_VIDEO_ENCODER_DESC desc; /* its pointers are the application's, not to be followed */
    struct codec_data profile, configuration;
};

D3D12_CHILD_METHODS(d3d12_video_encoder, ID3D12VideoEncoder)

COM_GET(UINT, ID3D12VideoEncoder, d3d12_video_encoder_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_FLAGS, ID3D12VideoEncoder, d3d12_video_encoder_GetEncoderFlags,
        desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoder, d3d12_video_encoder_GetCodec,
        desc.EncodeCodec)

static HRESULT STDMETHODCALLTYPE d3d12_video_encoder_GetCodecProfile(
    ID3D12VideoEncoder *iface, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)
{
    return codec_data_get(&impl_from_ID3D12VideoEncoder(iface)->profile, profile.pH264Profile,
                          profile.DataSize);
}

static HRESULT STDMETHODCALLTYPE d3d12_video_encoder_GetCodecConfiguration(
    ID3D12VideoEncoder *iface, D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION configuration)
{
    return codec_data_get(&impl_from_ID3D12VideoEncoder(iface)->configuration,
                          configuration.pH264Config, configuration.DataSize);
}

COM_GET(DXGI_FORMAT, ID3D12VideoEncoder, d3d12_video_encoder_GetInputFormat, desc.InputFormat)
COM_GET(D3D12_VIDEO_ENCODER_MOTION_ESTIMATION_PRECISION_MODE, ID3D12VideoEncoder,
        d3d12_video_encoder_GetMaxMotionEstimationPrecision, desc.MaxMotionEstimationPrecision)

static CONST_VTBL ID3D12VideoEncoderVtbl d3d12_video_encoder_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_video_encoder),
    .GetNodeMask = d3d12_video_encoder_GetNodeMask,
    .GetEncoderFlags = d3d12_video_encoder_GetEncoderFlags,
    .GetCodec = d3d12_video_encoder_GetCodec,
    .GetCodecProfile = d3d12_video_encoder_GetCodecProfile,
    .GetCodecConfiguration = d3d12_video_encoder_GetCodecConfiguration,
    .GetInputFormat = d3d12_video_encoder_GetInputFormat,
    .GetMaxMotionEstimationPrecision = d3d12_video_encoder_GetMaxMotionEstimationPrecision,
};

static const struct d3d12_child_class video_encoder_class = {
    .kind = D3D12DDI_HT_VIDEO_ENCODER,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12VideoEncoder, NULL},
    .methods = &d3d12_video_encoder_vtable,
};

HRESULT d3d12_video_encoder_create(struct d3d12_device *device,
                                   const D3D12_VIDEO_ENCODER_DESC *desc, struct d3d12_child **out)
{
    if (!desc || desc->NodeMask > 1 || desc->Flags != D3D12_VIDEO_ENCODER_FLAG_NONE ||
        !video_encodes(desc->EncodeCodec, &desc->EncodeProfile) ||
        desc->InputFormat != DXGI_FORMAT_NV12 ||
        (unsigned)desc->MaxMotionEstimationPrecision >
            D3D12_VIDEO_ENCODER_MOTION_ESTIMATION_PRECISION_MODE_QUARTER_PIXEL)
        return E_INVALIDARG;
    struct d3d12_video_encoder *encoder =
        d3d12_child_begin(device, &video_encoder_class, sizeof *encoder);
    if (!encoder)
        return E_OUTOFMEMORY;
    encoder->desc = *desc;
    const bool is_valid =
        codec_data_init(&encoder->profile, desc->EncodeProfile.pH264Profile,
                        desc->EncodeProfile.DataSize, sizeof(D3D12_VIDEO_ENCODER_PROFILE_H264)) &&
        codec_data_init(&encoder->configuration, desc->CodecConfiguration.pH264Config,
                        desc->CodecConfiguration.DataSize, configuration_size(desc->EncodeCodec));
    *out = &encoder->child;
    return d3d12_child_end(&encoder->child, is_valid ? S_OK : E_INVALIDARG);
}

/* ---- the encoder heap ---- */

struct d3d12_video_encoder_heap {
    ID3D12VideoEncoderHeap iface;
    struct d3d12_child child;
    D3D12_VIDEO_ENCODER_HEAP_DESC desc; /* as above */
    struct codec_data profile, level;
    D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC resolutions[];
};

D3D12_CHILD_METHODS(d3d12_video_encoder_heap, ID3D12VideoEncoderHeap)

COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_HEAP_FLAGS, ID3D12VideoEncoderHeap,
        d3d12_video_encoder_heap_GetEncoderHeapFlags, desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetCodec,
        desc.EncodeCodec)

static HRESULT STDMETHODCALLTYPE d3d12_video_encoder_heap_GetCodecProfile(
    ID3D12VideoEncoderHeap *iface, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)
{
    return codec_data_get(&impl_from_ID3D12VideoEncoderHeap(iface)->profile, profile.pH264Profile,
                          profile.DataSize);
}

static HRESULT STDMETHODCALLTYPE d3d12_video_encoder_heap_GetCodecLevel(
    ID3D12VideoEncoderHeap *iface, D3D12_VIDEO_ENCODER_LEVEL_SETTING level)
{
    return codec_data_get(&impl_from_ID3D12VideoEncoderHeap(iface)->level, level.pH264LevelSetting,
                          level.DataSize);
}

COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetResolutionListCount,
        desc.ResolutionsListCount)

static HRESULT STDMETHODCALLTYPE
d3d12_video_encoder_heap_GetResolutionList(ID3D12VideoEncoderHeap *iface, const UINT count,
                                           D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC *resolutions)
{
    const struct d3d12_video_encoder_heap *heap = impl_from_ID3D12VideoEncoderHeap(iface);
    if (!resolutions || count != heap->desc.ResolutionsListCount)
        return E_INVALIDARG;
    memcpy(resolutions, heap->resolutions, count * sizeof *resolutions);
    return S_OK;
}

static CONST_VTBL ID3D12VideoEncoderHeapVtbl d3d12_video_encoder_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_video_encoder_heap),
    .GetNodeMask = d3d12_video_encoder_heap_GetNodeMask,
    .GetEncoderHeapFlags = d3d12_video_encoder_heap_GetEncoderHeapFlags,
    .GetCodec = d3d12_video_encoder_heap_GetCodec,
    .GetCodecProfile = d3d12_video_encoder_heap_GetCodecProfile,
    .GetCodecLevel = d3d12_video_encoder_heap_GetCodecLevel,
    .GetResolutionListCount = d3d12_video_encoder_heap_GetResolutionListCount,
    .GetResolutionList = d3d12_video_encoder_heap_GetResolutionList,
};

static const struct d3d12_child_class video_encoder_heap_class = {
    .kind = D3D12DDI_HT_VIDEO_ENCODER_HEAP,
    .iids = (const IID *const[]){&IID_ID3D12Pageable, &IID_ID3D12VideoEncoderHeap, NULL},
    .methods = &d3d12_video_encoder_heap_vtable,
};

static bool are_resolutions(const D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC *list, UINT count)
{
    if (!list || count == 0 || count > 64)
        return false;
    for (UINT i = 0; i < count; i++)
        if (!video_size(list[i].Width, list[i].Height))
            return false;
    return true;
}

bool d3d12_video_encoder_heap_is_valid(const D3D12_VIDEO_ENCODER_HEAP_DESC *desc)
{
    return desc->NodeMask <= 1 && desc->Flags == D3D12_VIDEO_ENCODER_HEAP_FLAG_NONE &&
           video_encodes(desc->EncodeCodec, &desc->EncodeProfile) &&
           desc->EncodeLevel.pH264LevelSetting &&
           desc->EncodeLevel.DataSize == level_size(desc->EncodeCodec) &&
           are_resolutions(desc->pResolutionList, desc->ResolutionsListCount);
}

HRESULT d3d12_video_encoder_heap_create(struct d3d12_device *device,
                                        const D3D12_VIDEO_ENCODER_HEAP_DESC *desc,
                                        struct d3d12_child **out)
{
    if (!desc || !d3d12_video_encoder_heap_is_valid(desc))
        return E_INVALIDARG;
    const size_t list_size = desc->ResolutionsListCount * sizeof *desc->pResolutionList;
    struct d3d12_video_encoder_heap *heap =
        d3d12_child_begin(device, &video_encoder_heap_class, sizeof *heap + list_size);
    if (!heap)
        return E_OUTOFMEMORY;
    heap->desc = *desc;
    memcpy(heap->resolutions, desc->pResolutionList, list_size);
    const bool is_valid =
        codec_data_init(&heap->profile, desc->EncodeProfile.pH264Profile,
                        desc->EncodeProfile.DataSize, sizeof(D3D12_VIDEO_ENCODER_PROFILE_H264)) &&
        codec_data_init(&heap->level, desc->EncodeLevel.pH264LevelSetting,
                        desc->EncodeLevel.DataSize, level_size(desc->EncodeCodec));
    *out = &heap->child;
    return d3d12_child_end(&heap->child, is_valid ? S_OK : E_INVALIDARG);
}
