#include "video/video.h"

#include "device/device_methods.h"

static struct d3d12_device *impl_from_ID3D12VideoDevice3(ID3D12VideoDevice3 *iface)
{
    return container_of(iface, struct d3d12_device, video);
}

/* ---- IUnknown, which is the device's ---- */

COM_FACE(d3d12_video_device, ID3D12VideoDevice3, &impl_from_ID3D12VideoDevice3(iface)->iface)

/* ---- creation ---- */

/* Sessions for video are not supported. */
#define VIDEO_CREATE(method, parameters, session, create)                                          \
    static HRESULT STDMETHODCALLTYPE d3d12_video_device_##method parameters                        \
    {                                                                                              \
        struct d3d12_device *device = impl_from_ID3D12VideoDevice3(iface);                         \
        struct d3d12_child *child;                                                                 \
        HRESULT hr = d3d12_device_begin_creation(device, out);                                     \
        if (SUCCEEDED(hr))                                                                         \
            hr = (session) != NULL ? E_INVALIDARG : create;                                        \
        return SUCCEEDED(hr) ? d3d12_child_give(child, riid, out) : hr;                            \
    }

VIDEO_CREATE(CreateVideoDecoder1,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_DECODER_DESC *desc,
              ID3D12ProtectedResourceSession *session, REFIID riid, void **out),
             session, d3d12_video_decoder_create(device, desc, &child))

static HRESULT STDMETHODCALLTYPE d3d12_video_device_CreateVideoDecoder(
    ID3D12VideoDevice3 *iface, const D3D12_VIDEO_DECODER_DESC *desc, REFIID riid, void **out)
{
    return d3d12_video_device_CreateVideoDecoder1(iface, desc, NULL, riid, out);
}

VIDEO_CREATE(CreateVideoDecoderHeap1,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_DECODER_HEAP_DESC *desc,
              ID3D12ProtectedResourceSession *session, REFIID riid, void **out),
             session, d3d12_video_decoder_heap_create(device, desc, &child))

static HRESULT STDMETHODCALLTYPE d3d12_video_device_CreateVideoDecoderHeap(
    ID3D12VideoDevice3 *iface, const D3D12_VIDEO_DECODER_HEAP_DESC *desc, REFIID riid, void **out)
{
    return d3d12_video_device_CreateVideoDecoderHeap1(iface, desc, NULL, riid, out);
}

VIDEO_CREATE(CreateVideoProcessor1,
             (ID3D12VideoDevice3 * iface, UINT node_mask,
              const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC *output, UINT input_count,
              const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *inputs,
              ID3D12ProtectedResourceSession *session, REFIID riid, void **out),
             session,
             d3d12_video_processor_create(device, node_mask, output, input_count, inputs, &child))

static HRESULT STDMETHODCALLTYPE d3d12_video_device_CreateVideoProcessor(
    ID3D12VideoDevice3 *iface, UINT node_mask, const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC *output,
    UINT input_count, const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC *inputs, REFIID riid, void **out)
{
    return d3d12_video_device_CreateVideoProcessor1(iface, node_mask, output, input_count, inputs,
                                                    NULL, riid, out);
}

VIDEO_CREATE(CreateVideoMotionEstimator,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_MOTION_ESTIMATOR_DESC *desc,
              ID3D12ProtectedResourceSession *session, REFIID riid, void **out),
             session, d3d12_video_motion_estimator_create(device, desc, &child))

VIDEO_CREATE(CreateVideoMotionVectorHeap,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC *desc,
              ID3D12ProtectedResourceSession *session, REFIID riid, void **out),
             session, d3d12_video_motion_vector_heap_create(device, desc, &child))

VIDEO_CREATE(CreateVideoEncoder,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_ENCODER_DESC *desc, REFIID riid,
              void **out),
             NULL, d3d12_video_encoder_create(device, desc, &child))

VIDEO_CREATE(CreateVideoEncoderHeap,
             (ID3D12VideoDevice3 * iface, const D3D12_VIDEO_ENCODER_HEAP_DESC *desc, REFIID riid,
              void **out),
             NULL, d3d12_video_encoder_heap_create(device, desc, &child))

#include "base/stubs.h"

#define STUB_NOUN      d3d12_video_device
#define STUB_INTERFACE ID3D12VideoDevice3
#define STUB_NAME      "ID3D12VideoDevice"
#define STUB_DEVICE    impl_from_ID3D12VideoDevice3(iface)
#define VIDEO_DEVICE_STUBS(S)                                                                      \
    S(CREATE, CreateVideoExtensionCommand, const D3D12_VIDEO_EXTENSION_COMMAND_DESC *desc,         \
      const void *creation_parameters, SIZE_T creation_parameters_data_size_in_bytes,              \
      ID3D12ProtectedResourceSession *protected_resource_session)                                  \
    S(FAIL, ExecuteExtensionCommand, ID3D12VideoExtensionCommand *extension_command,               \
      const void *execution_parameters, SIZE_T execution_parameters_size_in_bytes,                 \
      void *output_data, SIZE_T output_data_size_in_bytes)                                         \
    S(FAIL, CheckFeatureSupport, D3D12_FEATURE_VIDEO feature, void *data, UINT size)
VIDEO_DEVICE_STUBS(STUB)

CONST_VTBL ID3D12VideoDevice3Vtbl d3d12_video_device_vtable = {
    COM_FACE_ENTRIES(d3d12_video_device),
    COM_METHODS(d3d12_video_device, CreateVideoDecoder, CreateVideoDecoderHeap,
                CreateVideoProcessor, CreateVideoMotionEstimator, CreateVideoMotionVectorHeap,
                CreateVideoDecoder1, CreateVideoDecoderHeap1, CreateVideoProcessor1),
    COM_METHODS(d3d12_video_device, CreateVideoEncoder, CreateVideoEncoderHeap),
    VIDEO_DEVICE_STUBS(STUB_ENTRY)};
