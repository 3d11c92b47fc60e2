/* The video objects that only store their description: decoder, decoder heap, motion estimator,
 * motion vector heap. */
#include "video/video.h"

#include "base/abi.h"
#include "video/capabilities.h"

#define DESCRIBED_OBJECT(noun, I, Desc, is_valid, handle_type, ...)                                \
    struct noun {                                                                                  \
        I iface;                                                                                   \
        struct d3d12_child child;                                                                  \
        Desc desc;                                                                                 \
    };                                                                                             \
    D3D12_CHILD_METHODS(noun, I)                                                                   \
    ABI_STRUCT_METHOD(Desc, noun##_GetDesc, I *iface)                                              \
    {                                                                                              \
        ABI_RETURN_STRUCT(impl_from_##I(iface)->desc);                                             \
    }                                                                                              \
    static HRESULT STDMETHODCALLTYPE noun##_GetProtectedResourceSession(I *iface, REFIID riid,     \
                                                                        void **out)                \
    {                                                                                              \
        (void)iface, (void)riid;                                                                   \
        return video_no_session(out);                                                              \
    }                                                                                              \
    static CONST_VTBL I##Vtbl noun##_vtable = {                                                    \
        D3D12_CHILD_ENTRIES(noun),                                                                 \
        .GetDesc = noun##_GetDesc,                                                                 \
        .GetProtectedResourceSession = noun##_GetProtectedResourceSession,                         \
    };                                                                                             \
    static const struct d3d12_child_class noun##_class = {                                         \
        .kind = handle_type,                                                                       \
        .iids = (const IID *const[]){&IID_ID3D12Pageable, __VA_ARGS__, NULL},                      \
        .methods = &noun##_vtable,                                                                 \
    };                                                                                             \
    VIDEO_CREATE_DESCRIBED(noun, Desc, is_valid)

static bool is_motion(DXGI_FORMAT format, D3D12_VIDEO_MOTION_ESTIMATOR_SEARCH_BLOCK_SIZE block,
                      D3D12_VIDEO_MOTION_ESTIMATOR_VECTOR_PRECISION precision,
                      const D3D12_VIDEO_SIZE_RANGE *range)
{
    return format == DXGI_FORMAT_NV12 &&
           (unsigned)block <= D3D12_VIDEO_MOTION_ESTIMATOR_SEARCH_BLOCK_SIZE_16X16 &&
           precision == D3D12_VIDEO_MOTION_ESTIMATOR_VECTOR_PRECISION_QUARTER_PEL &&
           video_size_range(range);
}
#define IS_MOTION                                                                                  \
    desc->NodeMask <= 1 &&                                                                         \
        is_motion(desc->InputFormat, desc->BlockSize, desc->Precision, &desc->SizeRange)

DESCRIBED_OBJECT(d3d12_video_decoder, ID3D12VideoDecoder1, D3D12_VIDEO_DECODER_DESC,
                 desc->NodeMask <= 1 && video_decodes(&desc->Configuration),
                 D3D12DDI_HT_VIDEO_DECODER, &IID_ID3D12VideoDecoder, &IID_ID3D12VideoDecoder1)
DESCRIBED_OBJECT(d3d12_video_decoder_heap, ID3D12VideoDecoderHeap1, D3D12_VIDEO_DECODER_HEAP_DESC,
                 desc->NodeMask <= 1 && video_decodes(&desc->Configuration) &&
                     video_size(desc->DecodeWidth, desc->DecodeHeight) &&
                     video_format(desc->Format),
                 D3D12DDI_HT_VIDEO_DECODER_HEAP, &IID_ID3D12VideoDecoderHeap,
                 &IID_ID3D12VideoDecoderHeap1)
DESCRIBED_OBJECT(d3d12_video_motion_estimator, ID3D12VideoMotionEstimator,
                 D3D12_VIDEO_MOTION_ESTIMATOR_DESC, IS_MOTION, D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR,
                 &IID_ID3D12VideoMotionEstimator)
DESCRIBED_OBJECT(d3d12_video_motion_vector_heap, ID3D12VideoMotionVectorHeap,
                 D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC, IS_MOTION,
                 D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP, &IID_ID3D12VideoMotionVectorHeap)
