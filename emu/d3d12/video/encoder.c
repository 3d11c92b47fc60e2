/* Encoder and encoder heap: their descriptions fit a codec, but methods for one codec are stubs. */
#include "video/video.h"

#include "base/stubs.h"
#include "device/device.h"
#include "video/capabilities.h"

/* The pointers in the descriptions belong to the application: they are read only at creation. */
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

/* ---- the encoder ---- */

COM_GET(UINT, ID3D12VideoEncoder, d3d12_video_encoder_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_FLAGS, ID3D12VideoEncoder, d3d12_video_encoder_GetEncoderFlags,
        desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoder, d3d12_video_encoder_GetCodec,
        desc.EncodeCodec)
COM_GET(DXGI_FORMAT, ID3D12VideoEncoder, d3d12_video_encoder_GetInputFormat, desc.InputFormat)
COM_GET(D3D12_VIDEO_ENCODER_MOTION_ESTIMATION_PRECISION_MODE, ID3D12VideoEncoder,
        d3d12_video_encoder_GetMaxMotionEstimationPrecision, desc.MaxMotionEstimationPrecision)

/* The codec's own descriptions are not modelled. */
#define STUB_NOUN      d3d12_video_encoder
#define STUB_INTERFACE ID3D12VideoEncoder
#define STUB_NAME      "ID3D12VideoEncoder"
#define STUB_DEVICE    impl_from_ID3D12VideoEncoder(iface)->child.device
#define ENCODER_STUBS(S)                                                                           \
    S(FAIL, GetCodecProfile, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)                             \
    S(FAIL, GetCodecConfiguration, D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION configuration)
ENCODER_STUBS(STUB)

static CONST_VTBL ID3D12VideoEncoderVtbl d3d12_video_encoder_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_video_encoder),
    COM_METHODS(d3d12_video_encoder, GetNodeMask, GetEncoderFlags, GetCodec, GetInputFormat,
                GetMaxMotionEstimationPrecision),
    ENCODER_STUBS(STUB_ENTRY)};

static const struct d3d12_child_class d3d12_video_encoder_class = {
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

VIDEO_CREATE_DESCRIBED(d3d12_video_encoder, D3D12_VIDEO_ENCODER_DESC, is_encoder(desc))

/* ---- the encoder heap ---- */

COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetNodeMask, desc.NodeMask)
COM_GET(D3D12_VIDEO_ENCODER_HEAP_FLAGS, ID3D12VideoEncoderHeap,
        d3d12_video_encoder_heap_GetEncoderHeapFlags, desc.Flags)
COM_GET(D3D12_VIDEO_ENCODER_CODEC, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetCodec,
        desc.EncodeCodec)
COM_GET(UINT, ID3D12VideoEncoderHeap, d3d12_video_encoder_heap_GetResolutionListCount,
        desc.ResolutionsListCount)

#undef STUB_NOUN
#undef STUB_INTERFACE
#undef STUB_NAME
#undef STUB_DEVICE
#define STUB_NOUN      d3d12_video_encoder_heap
#define STUB_INTERFACE ID3D12VideoEncoderHeap
#define STUB_NAME      "ID3D12VideoEncoderHeap"
#define STUB_DEVICE    impl_from_ID3D12VideoEncoderHeap(iface)->child.device
#define ENCODER_HEAP_STUBS(S)                                                                      \
    S(FAIL, GetCodecProfile, D3D12_VIDEO_ENCODER_PROFILE_DESC profile)                             \
    S(FAIL, GetCodecLevel, D3D12_VIDEO_ENCODER_LEVEL_SETTING level)                                \
    S(FAIL, GetResolutionList, UINT count, D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC *resolutions)
ENCODER_HEAP_STUBS(STUB)

static CONST_VTBL ID3D12VideoEncoderHeapVtbl d3d12_video_encoder_heap_vtable = {
    D3D12_CHILD_ENTRIES(d3d12_video_encoder_heap),
    COM_METHODS(d3d12_video_encoder_heap, GetNodeMask, GetEncoderHeapFlags, GetCodec,
                GetResolutionListCount),
    ENCODER_HEAP_STUBS(STUB_ENTRY)};

static const struct d3d12_child_class d3d12_video_encoder_heap_class = {
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

VIDEO_CREATE_DESCRIBED(d3d12_video_encoder_heap, D3D12_VIDEO_ENCODER_HEAP_DESC,
                       is_encoder_heap(desc))
