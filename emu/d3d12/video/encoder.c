/* Encoder and encoder heap: descriptions that fit a codec, without what they say of one. */
#include "video/video.h"

#include "device/device.h"
#include "video/capabilities.h"

/* The descriptions' pointers are the application's: they are read at creation and not later. */
struct d3d12_video_encoder {
    ID3D12VideoEncoder iface;
    struct d3d12_child child;
    D3D12_VIDEO_ENCODER_DESC desc;
};
struct d3d12_video_encoder_heap {
    ID3D12VideoEncoderHeap iface;
    struct d3d12_child child;
    D3D12_VIDEO_ENCODER_HEAP_DESC desc;
};

D3D12_CHILD_METHODS(d3d12_video_encoder, ID3D12VideoEncoder)
D3D12_CHILD_METHODS(d3d12_video_encoder_heap, ID3D12VideoEncoderHeap)

#include "video/video_encoder_stubs.h"

/* ---- the encoder ---- */

COM_GET(UINT, ID3D12VideoEncoder, d3d12_video_encoder_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_FLAGS, ID3D12VideoEncoder, d3d12_video_encoder_GetEncoderFlags,
        desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoder, d3d12_video_encoder_GetCodec,
        desc.EncodeCodec)
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

static bool is_encoder(const D3D12_VIDEO_ENCODER_DESC *desc)
{
    const UINT size = desc->EncodeCodec == D3D12_VIDEO_ENCODER_CODEC_H264
                          ? sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264)
                          : sizeof(D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_HEVC);
    return desc->NodeMask <= 1 && desc->Flags == D3D12_VIDEO_ENCODER_FLAG_NONE &&
           video_encodes(desc->EncodeCodec, &desc->EncodeProfile) &&
           desc->InputFormat == DXGI_FORMAT_NV12 && desc->CodecConfiguration.pH264Config &&
           desc->CodecConfiguration.DataSize == size &&
           (unsigned)desc->MaxMotionEstimationPrecision <=
               D3D12_VIDEO_ENCODER_MOTION_ESTIMATION_PRECISION_MODE_QUARTER_PIXEL;
}

HRESULT d3d12_video_encoder_create(struct d3d12_device *device,
                                   const D3D12_VIDEO_ENCODER_DESC *desc, struct d3d12_child **out)
{
    if (!desc || !is_encoder(desc))
        return E_INVALIDARG;
    struct d3d12_video_encoder *encoder =
        d3d12_child_begin(device, &video_encoder_class, sizeof *encoder);
    if (!encoder)
        return E_OUTOFMEMORY;
    encoder->desc = *desc;
    *out = &encoder->child;
    return d3d12_child_end(&encoder->child, S_OK);
}

/* ---- the encoder heap ---- */

COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_HEAP_FLAGS, ID3D12VideoEncoderHeap,
        d3d12_video_encoder_heap_GetEncoderHeapFlags, desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetCodec,
        desc.EncodeCodec)
COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetResolutionListCount,
        desc.ResolutionsListCount)

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

static bool is_encoder_heap(const D3D12_VIDEO_ENCODER_HEAP_DESC *desc)
{
    const UINT size = desc->EncodeCodec == D3D12_VIDEO_ENCODER_CODEC_H264
                          ? sizeof(D3D12_VIDEO_ENCODER_LEVELS_H264)
                          : sizeof(D3D12_VIDEO_ENCODER_LEVEL_TIER_CONSTRAINTS_HEVC);
    return desc->NodeMask <= 1 && desc->Flags == D3D12_VIDEO_ENCODER_HEAP_FLAG_NONE &&
           video_encodes(desc->EncodeCodec, &desc->EncodeProfile) &&
           desc->EncodeLevel.pH264LevelSetting && desc->EncodeLevel.DataSize == size &&
           are_resolutions(desc->pResolutionList, desc->ResolutionsListCount);
}

HRESULT d3d12_video_encoder_heap_create(struct d3d12_device *device,
                                        const D3D12_VIDEO_ENCODER_HEAP_DESC *desc,
                                        struct d3d12_child **out)
{
    if (!desc || !is_encoder_heap(desc))
        return E_INVALIDARG;
    struct d3d12_video_encoder_heap *heap =
        d3d12_child_begin(device, &video_encoder_heap_class, sizeof *heap);
    if (!heap)
        return E_OUTOFMEMORY;
    heap->desc = *desc;
    *out = &heap->child;
    return d3d12_child_end(&heap->child, S_OK);
}
