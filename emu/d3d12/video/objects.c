/* The video objects that only store their description: decoder, decoder heap, motion estimator,
 * motion vector heap. */
#include "video/video.h"

#include "base/abi.h"
#include "device/device.h"
#include "video/capabilities.h"

#define DESCRIBED_OBJECT(noun, I, Desc, handle_type, ...)                                          \
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
    static HRESULT noun##_make(struct d3d12_device *device, const Desc *desc,                      \
                               struct d3d12_child **out)                                           \
    {                                                                                              \
        struct noun *object = d3d12_child_begin(device, &noun##_class, sizeof *object);            \
        if (!object)                                                                               \
            return E_OUTOFMEMORY;                                                                  \
        object->desc = *desc;                                                                      \
        *out = &object->child;                                                                     \
        return d3d12_child_end(&object->child, S_OK);                                              \
    }

DESCRIBED_OBJECT(d3d12_video_decoder, ID3D12VideoDecoder1, D3D12_VIDEO_DECODER_DESC,
                 D3D12DDI_HT_VIDEO_DECODER, &IID_ID3D12VideoDecoder, &IID_ID3D12VideoDecoder1)
DESCRIBED_OBJECT(d3d12_video_decoder_heap, ID3D12VideoDecoderHeap1, D3D12_VIDEO_DECODER_HEAP_DESC,
                 D3D12DDI_HT_VIDEO_DECODER_HEAP, &IID_ID3D12VideoDecoderHeap,
                 &IID_ID3D12VideoDecoderHeap1)
DESCRIBED_OBJECT(d3d12_video_motion_estimator, ID3D12VideoMotionEstimator,
                 D3D12_VIDEO_MOTION_ESTIMATOR_DESC, D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR,
                 &IID_ID3D12VideoMotionEstimator)
DESCRIBED_OBJECT(d3d12_video_motion_vector_heap, ID3D12VideoMotionVectorHeap,
                 D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC, D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP,
                 &IID_ID3D12VideoMotionVectorHeap)

HRESULT d3d12_video_decoder_create(struct d3d12_device *device,
                                   const D3D12_VIDEO_DECODER_DESC *desc, struct d3d12_child **out)
{
    if (!desc || desc->NodeMask > 1 || !video_decodes(&desc->Configuration))
        return E_INVALIDARG;
    return d3d12_video_decoder_make(device, desc, out);
}

HRESULT d3d12_video_decoder_heap_create(struct d3d12_device *device,
                                        const D3D12_VIDEO_DECODER_HEAP_DESC *desc,
                                        struct d3d12_child **out)
{
    if (!desc || desc->NodeMask > 1 || !video_decodes(&desc->Configuration) ||
        !video_size(desc->DecodeWidth, desc->DecodeHeight) || !video_format(desc->Format))
        return E_INVALIDARG;
    return d3d12_video_decoder_heap_make(device, desc, out);
}

static bool is_motion(DXGI_FORMAT format, D3D12_VIDEO_MOTION_ESTIMATOR_SEARCH_BLOCK_SIZE block,
                      D3D12_VIDEO_MOTION_ESTIMATOR_VECTOR_PRECISION precision,
                      const D3D12_VIDEO_SIZE_RANGE *range)
{
    return format == DXGI_FORMAT_NV12 &&
           (unsigned)block <= D3D12_VIDEO_MOTION_ESTIMATOR_SEARCH_BLOCK_SIZE_16X16 &&
           precision == D3D12_VIDEO_MOTION_ESTIMATOR_VECTOR_PRECISION_QUARTER_PEL &&
           video_size_range(range);
}

HRESULT d3d12_video_motion_estimator_create(struct d3d12_device *device,
                                            const D3D12_VIDEO_MOTION_ESTIMATOR_DESC *desc,
                                            struct d3d12_child **out)
{
    if (!desc || desc->NodeMask > 1 ||
        !is_motion(desc->InputFormat, desc->BlockSize, desc->Precision, &desc->SizeRange))
        return E_INVALIDARG;
    return d3d12_video_motion_estimator_make(device, desc, out);
}

HRESULT d3d12_video_motion_vector_heap_create(struct d3d12_device *device,
                                              const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC *desc,
                                              struct d3d12_child **out)
{
    if (!desc || desc->NodeMask > 1 ||
        !is_motion(desc->InputFormat, desc->BlockSize, desc->Precision, &desc->SizeRange))
        return E_INVALIDARG;
    return d3d12_video_motion_vector_heap_make(device, desc, out);
}
