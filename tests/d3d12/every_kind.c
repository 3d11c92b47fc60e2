#include "every_kind.h"

static void *make_device(ID3D12Device *device)
{
    ID3D12Device_AddRef(device);
    return device;
}

static void *make_queue(ID3D12Device *device)
{
    return kit_queue(device, COPY);
}

static void *make_allocator(ID3D12Device *device)
{
    return kit_allocator(device, DIRECT);
}

static void *make_list_of(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12Device4 *device4 = AS(ID3D12Device4, device);
    void *list =
        MADE(ID3D12CommandList, device4, CreateCommandList1, 0, type, D3D12_COMMAND_LIST_FLAG_NONE);
    ID3D12Device4_Release(device4);
    return list;
}

static void *make_list(ID3D12Device *device)
{
    return make_list_of(device, DIRECT);
}

static void *make_bundle(ID3D12Device *device)
{
    return make_list_of(device, BUNDLE);
}

static void *make_decode_list(ID3D12Device *device)
{
    return make_list_of(device, D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE);
}

static void *make_process_list(ID3D12Device *device)
{
    return make_list_of(device, D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS);
}

static void *make_encode_list(ID3D12Device *device)
{
    return make_list_of(device, D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE);
}

static void *make_fence(ID3D12Device *device)
{
    return kit_fence(device, 0);
}

static void *make_heap(ID3D12Device *device)
{
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    return MADE(ID3D12Heap, device, CreateHeap, &desc);
}

static void *make_buffer(ID3D12Device *device)
{
    return kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
}

static void *make_placed(ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(4);
    ID3D12Heap *heap = make_heap(device);
    void *buffer = MADE(ID3D12Resource, device, CreatePlacedResource, heap, 0, &desc,
                        D3D12_RESOURCE_STATE_COMMON, NULL);
    ID3D12Heap_Release(heap);
    return buffer;
}

static void *make_reserved(ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC desc = kit_buffer_desc(65536);
    return MADE(ID3D12Resource, device, CreateReservedResource, &desc, D3D12_RESOURCE_STATE_COMMON,
                NULL);
}

static void *make_texture(ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC desc = kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 4, 4, 1, 1, 0);
    return kit_resource(device, &desc, D3D12_RESOURCE_STATE_COMMON);
}

static void *make_root_signature(ID3D12Device *device)
{
    return kit_root_signature(device);
}

static void *make_pipeline(ID3D12Device *device)
{
    ID3D12RootSignature *signature = kit_root_signature(device);
    void *pipeline = kit_pipeline(device, signature, EMU_KERNEL_COPY);
    ID3D12RootSignature_Release(signature);
    return pipeline;
}

static void *make_pipeline_library(ID3D12Device *device)
{
    ID3D12Device1 *device1 = AS(ID3D12Device1, device);
    void *library = MADE(ID3D12PipelineLibrary, device1, CreatePipelineLibrary, NULL, 0);
    ID3D12Device1_Release(device1);
    return library;
}

static void *make_state_object(ID3D12Device *device)
{
    const D3D12_STATE_OBJECT_DESC desc = {.Type = D3D12_STATE_OBJECT_TYPE_COLLECTION};
    ID3D12Device5 *device5 = AS(ID3D12Device5, device);
    void *object = MADE(ID3D12StateObject, device5, CreateStateObject, &desc);
    ID3D12Device5_Release(device5);
    return object;
}

static void *make_descriptor_heap(ID3D12Device *device)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
                                             .NumDescriptors = 1};
    return MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &desc);
}

static void *make_query_heap(ID3D12Device *device)
{
    const D3D12_QUERY_HEAP_DESC desc = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 1};
    return MADE(ID3D12QueryHeap, device, CreateQueryHeap, &desc);
}

static void *make_command_signature(ID3D12Device *device)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    return MADE(ID3D12CommandSignature, device, CreateCommandSignature, &desc, NULL);
}

static ID3D12Device11 *newest(ID3D12Device *device)
{
    ID3D12Device11 *newest = AS(ID3D12Device11, device);
    ID3D12Device11_Release(newest);
    return newest;
}

static void *make_protected_session(ID3D12Device *device)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC desc = {0};
    return MADE(ID3D12ProtectedResourceSession, newest(device), CreateProtectedResourceSession,
                &desc);
}

static ID3D12VideoDevice3 *video_of(ID3D12Device *device)
{
    ID3D12VideoDevice3 *video = AS(ID3D12VideoDevice3, device);
    ID3D12VideoDevice3_Release(video);
    return video;
}

static void *make_decoder(ID3D12Device *device)
{
    const D3D12_VIDEO_DECODER_DESC desc = {
        .Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264}};
    return MADE(ID3D12VideoDecoder, video_of(device), CreateVideoDecoder, &desc);
}

static void *make_decoder_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_DECODER_HEAP_DESC desc = {
        .Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264},
        .DecodeWidth = 1920,
        .DecodeHeight = 1080,
        .Format = DXGI_FORMAT_NV12};
    return MADE(ID3D12VideoDecoderHeap, video_of(device), CreateVideoDecoderHeap, &desc);
}

static const D3D12_VIDEO_SIZE_RANGE video_range = {1920, 1080, 16, 16};

static void *make_processor(ID3D12Device *device)
{
    const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC output = {.Format = DXGI_FORMAT_NV12};
    const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC input = {.Format = DXGI_FORMAT_NV12,
                                                         .SourceSizeRange = video_range,
                                                         .DestinationSizeRange = video_range};
    return MADE(ID3D12VideoProcessor, video_of(device), CreateVideoProcessor, 0, &output, 1,
                &input);
}

static void *make_motion_estimator(ID3D12Device *device)
{
    const D3D12_VIDEO_MOTION_ESTIMATOR_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                    .SizeRange = video_range};
    return MADE(ID3D12VideoMotionEstimator, video_of(device), CreateVideoMotionEstimator, &desc,
                NULL);
}

static void *make_motion_vector_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                      .SizeRange = video_range};
    return MADE(ID3D12VideoMotionVectorHeap, video_of(device), CreateVideoMotionVectorHeap, &desc,
                NULL);
}

static D3D12_VIDEO_ENCODER_PROFILE_H264 h264_profile = D3D12_VIDEO_ENCODER_PROFILE_H264_HIGH;
static D3D12_VIDEO_ENCODER_LEVELS_H264 h264_level = D3D12_VIDEO_ENCODER_LEVELS_H264_41;
static D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264 h264;

static void *make_encoder(ID3D12Device *device)
{
    const D3D12_VIDEO_ENCODER_DESC desc = {.EncodeProfile = {sizeof h264_profile, {&h264_profile}},
                                           .InputFormat = DXGI_FORMAT_NV12,
                                           .CodecConfiguration = {sizeof h264, {&h264}}};
    return MADE(ID3D12VideoEncoder, video_of(device), CreateVideoEncoder, &desc);
}

static void *make_encoder_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC size = {640, 480};
    const D3D12_VIDEO_ENCODER_HEAP_DESC desc = {.EncodeProfile = {sizeof h264_profile,
                                                                  {&h264_profile}},
                                                .EncodeLevel = {sizeof h264_level, {&h264_level}},
                                                .ResolutionsListCount = 1,
                                                .pResolutionList = &size};
    return MADE(ID3D12VideoEncoderHeap, video_of(device), CreateVideoEncoderHeap, &desc);
}

static void *make_debug(ID3D12Device *device)
{
    void *debug = NULL;
    (void)device;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug, &debug));
    return debug;
}

static void *make_dred_settings(ID3D12Device *device)
{
    void *settings = NULL;
    (void)device;
    MUST(D3D12GetDebugInterface(&IID_ID3D12DeviceRemovedExtendedDataSettings, &settings));
    return settings;
}

static void *make_of_class(const CLSID *clsid)
{
    void *made = NULL;
    MUST(D3D12GetInterface(clsid, &IID_IUnknown, &made));
    return made;
}

static void *make_device_factory(ID3D12Device *device)
{
    (void)device;
    return make_of_class(&CLSID_D3D12DeviceFactory);
}

/* ---- what each of them is, beside IUnknown ---- */

#define CHILD    "ID3D12Object ID3D12DeviceChild "
#define PAGEABLE CHILD "ID3D12Pageable "

const struct kind every_kind[] = {
    {make_device,
     "ID3D12Object ID3D12Device ID3D12Device1 ID3D12Device2 ID3D12Device3 "
     "ID3D12Device4 ID3D12Device5 ID3D12Device6 ID3D12Device7 ID3D12Device8 ID3D12Device9 "
     "ID3D12Device10 ID3D12Device11 ID3D12Device12 ID3D12Device13 ID3D12Device14 ID3D12Device15 "
     "ID3D12DeviceTools ID3D12DeviceTools1 "
     "ID3D12DeviceTools2 ID3D12DeviceTools2_v006 "
     "ID3D12InfoQueue ID3D12InfoQueue1 ID3D12DebugDevice "
     "ID3D12VideoDevice ID3D12VideoDevice1 "
     "ID3D12VideoDevice2 "
     "ID3D12VideoDevice3 ID3D12DeviceRemovedExtendedData ID3D12DeviceRemovedExtendedData1 "
     "ID3D12DeviceRemovedExtendedData2 ID3D12DevicePreview"},
    {make_queue, PAGEABLE "ID3D12CommandQueue ID3D12CommandQueue1"},
    {make_allocator, PAGEABLE "ID3D12CommandAllocator"},
    {make_list,
     CHILD "ID3D12CommandList ID3D12GraphicsCommandList ID3D12GraphicsCommandList1 "
           "ID3D12GraphicsCommandList2 ID3D12GraphicsCommandList3 ID3D12GraphicsCommandList4 "
           "ID3D12GraphicsCommandList5 ID3D12GraphicsCommandList6 ID3D12GraphicsCommandList7 "
           "ID3D12GraphicsCommandList8 ID3D12GraphicsCommandList9"},
    {make_bundle,
     CHILD "ID3D12CommandList ID3D12GraphicsCommandList ID3D12GraphicsCommandList1 "
           "ID3D12GraphicsCommandList2 ID3D12GraphicsCommandList3 ID3D12GraphicsCommandList4 "
           "ID3D12GraphicsCommandList5 ID3D12GraphicsCommandList6 ID3D12GraphicsCommandList7 "
           "ID3D12GraphicsCommandList8 ID3D12GraphicsCommandList9"},
    {make_decode_list,
     CHILD "ID3D12CommandList ID3D12VideoDecodeCommandList ID3D12VideoDecodeCommandList1 "
           "ID3D12VideoDecodeCommandList2 ID3D12VideoDecodeCommandList3"},
    {make_process_list,
     CHILD "ID3D12CommandList ID3D12VideoProcessCommandList ID3D12VideoProcessCommandList1 "
           "ID3D12VideoProcessCommandList2 ID3D12VideoProcessCommandList3"},
    {make_encode_list,
     CHILD "ID3D12CommandList ID3D12VideoEncodeCommandList ID3D12VideoEncodeCommandList1 "
           "ID3D12VideoEncodeCommandList2 ID3D12VideoEncodeCommandList3"},
    {make_fence, PAGEABLE "ID3D12Fence ID3D12Fence1"},
    {make_heap, PAGEABLE "ID3D12Heap ID3D12Heap1"},
    {make_buffer, PAGEABLE "ID3D12Resource ID3D12Resource1 ID3D12Resource2"},
    {make_placed, PAGEABLE "ID3D12Resource ID3D12Resource1 ID3D12Resource2"},
    {make_reserved, PAGEABLE "ID3D12Resource ID3D12Resource1 ID3D12Resource2"},
    {make_texture, PAGEABLE "ID3D12Resource ID3D12Resource1 ID3D12Resource2"},
    {make_root_signature, CHILD "ID3D12RootSignature ID3D12RootSignature1"},
    {make_pipeline, PAGEABLE "ID3D12PipelineState ID3D12PipelineState1"},
    {make_pipeline_library, CHILD "ID3D12PipelineLibrary ID3D12PipelineLibrary1"},
    {make_state_object, PAGEABLE "ID3D12StateObject"},
    {make_descriptor_heap, PAGEABLE "ID3D12DescriptorHeap"},
    {make_query_heap, PAGEABLE "ID3D12QueryHeap"},
    {make_command_signature, PAGEABLE "ID3D12CommandSignature"},
    {make_protected_session,
     CHILD "ID3D12ProtectedSession ID3D12ProtectedResourceSession ID3D12ProtectedResourceSession1"},
    {make_decoder, PAGEABLE "ID3D12VideoDecoder ID3D12VideoDecoder1"},
    {make_decoder_heap, PAGEABLE "ID3D12VideoDecoderHeap ID3D12VideoDecoderHeap1"},
    {make_processor, PAGEABLE "ID3D12VideoProcessor ID3D12VideoProcessor1"},
    {make_motion_estimator, PAGEABLE "ID3D12VideoMotionEstimator"},
    {make_motion_vector_heap, PAGEABLE "ID3D12VideoMotionVectorHeap"},
    {make_encoder, PAGEABLE "ID3D12VideoEncoder"},
    {make_encoder_heap, PAGEABLE "ID3D12VideoEncoderHeap"},
    {make_debug,
     "ID3D12Debug ID3D12Debug1 ID3D12Debug2 ID3D12Debug3 ID3D12Debug4 ID3D12Debug5 ID3D12Debug6"},
    {make_dred_settings,
     "ID3D12DeviceRemovedExtendedDataSettings ID3D12DeviceRemovedExtendedDataSettings1 "
     "ID3D12DeviceRemovedExtendedDataSettings2"},
    {make_device_factory, "ID3D12DeviceFactory"},
};

const size_t every_kind_count = sizeof every_kind / sizeof every_kind[0];
