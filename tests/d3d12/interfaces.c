/* The shape of the COM interfaces: no hole in any table, identity, and what is not modelled says so. */
#include "kit.h"

/* Every interface of D3D12's headers, and those of ours. */
#define EVERY_INTERFACE(X)                                                                         \
    X(ID3D12Object)                                                                                \
    X(ID3D12DeviceChild)                                                                           \
    X(ID3D12RootSignature)                                                                         \
    X(ID3D12RootSignatureDeserializer)                                                             \
    X(ID3D12VersionedRootSignatureDeserializer)                                                    \
    X(ID3D12Pageable)                                                                              \
    X(ID3D12Heap)                                                                                  \
    X(ID3D12Heap1)                                                                                 \
    X(ID3D12Resource)                                                                              \
    X(ID3D12Resource1)                                                                             \
    X(ID3D12Resource2)                                                                             \
    X(ID3D12CommandAllocator)                                                                      \
    X(ID3D12Fence)                                                                                 \
    X(ID3D12Fence1)                                                                                \
    X(ID3D12PipelineState)                                                                         \
    X(ID3D12DescriptorHeap)                                                                        \
    X(ID3D12QueryHeap)                                                                             \
    X(ID3D12CommandSignature)                                                                      \
    X(ID3D12CommandList)                                                                           \
    X(ID3D12GraphicsCommandList)                                                                   \
    X(ID3D12GraphicsCommandList1)                                                                  \
    X(ID3D12GraphicsCommandList2)                                                                  \
    X(ID3D12GraphicsCommandList3)                                                                  \
    X(ID3D12GraphicsCommandList4)                                                                  \
    X(ID3D12GraphicsCommandList5)                                                                  \
    X(ID3D12GraphicsCommandList6)                                                                  \
    X(ID3D12GraphicsCommandList7)                                                                  \
    X(ID3D12GraphicsCommandList8)                                                                  \
    X(ID3D12CommandQueue)                                                                          \
    X(ID3D12Device)                                                                                \
    X(ID3D12Device1)                                                                               \
    X(ID3D12Device2)                                                                               \
    X(ID3D12Device3)                                                                               \
    X(ID3D12Device4)                                                                               \
    X(ID3D12Device5)                                                                               \
    X(ID3D12Device6)                                                                               \
    X(ID3D12Device7)                                                                               \
    X(ID3D12Device8)                                                                               \
    X(ID3D12Device9)                                                                               \
    X(ID3D12Device10)                                                                              \
    X(ID3D12Device11)                                                                              \
    X(ID3D12DeviceTools)                                                                           \
    X(ID3D12DeviceTools1)                                                                          \
    X(ID3D12DeviceTools2)                                                                          \
    X(ID3D12PipelineLibrary)                                                                       \
    X(ID3D12PipelineLibrary1)                                                                      \
    X(ID3D12ProtectedSession)                                                                      \
    X(ID3D12ProtectedResourceSession)                                                              \
    X(ID3D12ProtectedResourceSession1)                                                             \
    X(ID3D12LifetimeOwner)                                                                         \
    X(ID3D12LifetimeTracker)                                                                       \
    X(ID3D12SwapChainAssistant)                                                                    \
    X(ID3D12StateObject)                                                                           \
    X(ID3D12StateObjectProperties)                                                                 \
    X(ID3D12DeviceRemovedExtendedDataSettings)                                                     \
    X(ID3D12DeviceRemovedExtendedDataSettings1)                                                    \
    X(ID3D12DeviceRemovedExtendedDataSettings2)                                                    \
    X(ID3D12DeviceRemovedExtendedData)                                                             \
    X(ID3D12DeviceRemovedExtendedData1)                                                            \
    X(ID3D12DeviceRemovedExtendedData2)                                                            \
    X(ID3D12MetaCommand)                                                                           \
    X(ID3D12ShaderCacheSession)                                                                    \
    X(ID3D12VirtualizationGuestDevice)                                                             \
    X(ID3D12Tools)                                                                                 \
    X(ID3D12SDKConfiguration)                                                                      \
    X(ID3D12SDKConfiguration1)                                                                     \
    X(ID3D12DeviceFactory)                                                                         \
    X(ID3D12DeviceConfiguration)                                                                   \
    X(ID3D12Debug)                                                                                 \
    X(ID3D12Debug1)                                                                                \
    X(ID3D12Debug2)                                                                                \
    X(ID3D12Debug3)                                                                                \
    X(ID3D12Debug4)                                                                                \
    X(ID3D12Debug5)                                                                                \
    X(ID3D12Debug6)                                                                                \
    X(ID3D12DebugDevice)                                                                           \
    X(ID3D12DebugDevice1)                                                                          \
    X(ID3D12DebugDevice2)                                                                          \
    X(ID3D12DebugCommandQueue)                                                                     \
    X(ID3D12DebugCommandQueue1)                                                                    \
    X(ID3D12DebugCommandList)                                                                      \
    X(ID3D12DebugCommandList1)                                                                     \
    X(ID3D12DebugCommandList2)                                                                     \
    X(ID3D12DebugCommandList3)                                                                     \
    X(ID3D12SharingContract)                                                                       \
    X(ID3D12InfoQueue)                                                                             \
    X(ID3D12InfoQueue1)                                                                            \
    X(ID3D12VideoDevice)                                                                           \
    X(ID3D12VideoDevice1)                                                                          \
    X(ID3D12VideoDevice2)                                                                          \
    X(ID3D12VideoDevice3)                                                                          \
    X(ID3D12VideoDecoder)                                                                          \
    X(ID3D12VideoDecoder1)                                                                         \
    X(ID3D12VideoDecoderHeap)                                                                      \
    X(ID3D12VideoDecoderHeap1)                                                                     \
    X(ID3D12VideoProcessor)                                                                        \
    X(ID3D12VideoProcessor1)                                                                       \
    X(ID3D12VideoMotionEstimator)                                                                  \
    X(ID3D12VideoMotionVectorHeap)                                                                 \
    X(ID3D12VideoExtensionCommand)                                                                 \
    X(ID3D12VideoEncoder)                                                                          \
    X(ID3D12VideoEncoderHeap)                                                                      \
    X(ID3D12VideoDecodeCommandList)                                                                \
    X(ID3D12VideoDecodeCommandList1)                                                               \
    X(ID3D12VideoDecodeCommandList2)                                                               \
    X(ID3D12VideoDecodeCommandList3)                                                               \
    X(ID3D12VideoProcessCommandList)                                                               \
    X(ID3D12VideoProcessCommandList1)                                                              \
    X(ID3D12VideoProcessCommandList2)                                                              \
    X(ID3D12VideoProcessCommandList3)                                                              \
    X(ID3D12VideoEncodeCommandList)                                                                \
    X(ID3D12VideoEncodeCommandList1)                                                               \
    X(ID3D12VideoEncodeCommandList2)                                                               \
    X(ID3D12VideoEncodeCommandList3)

static const struct {
    const IID *iid;
    size_t slots;
    const char *name;
} interfaces[] = {
#define ROW(I) {&IID_##I, sizeof(I##Vtbl) / sizeof(void *), #I},
    EVERY_INTERFACE(ROW)
#undef ROW
        {&ANNOT_IID_ID3DDestructionNotifier, sizeof(ID3DDestructionNotifierVtbl) / sizeof(void *),
         "ID3DDestructionNotifier"},
};
#define INTERFACES (sizeof interfaces / sizeof interfaces[0])

/* ---- an object of every kind ---- */

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
    ID3D12Device4 *device4 = NULL;
    void *list = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device4, (void **)&device4));
    MUST(ID3D12Device4_CreateCommandList1(device4, 0, type, D3D12_COMMAND_LIST_FLAG_NONE,
                                          &IID_ID3D12CommandList, &list));
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
    void *heap = NULL;
    MUST(ID3D12Device_CreateHeap(device, &desc, &IID_ID3D12Heap, &heap));
    return heap;
}

static void *make_buffer(ID3D12Device *device)
{
    return kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 4);
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

static void *make_descriptor_heap(ID3D12Device *device)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_RTV,
                                             .NumDescriptors = 1};
    void *heap = NULL;
    MUST(ID3D12Device_CreateDescriptorHeap(device, &desc, &IID_ID3D12DescriptorHeap, &heap));
    return heap;
}

static void *make_query_heap(ID3D12Device *device)
{
    const D3D12_QUERY_HEAP_DESC desc = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 1};
    void *heap = NULL;
    MUST(ID3D12Device_CreateQueryHeap(device, &desc, &IID_ID3D12QueryHeap, &heap));
    return heap;
}

static void *make_command_signature(ID3D12Device *device)
{
    const D3D12_INDIRECT_ARGUMENT_DESC argument = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    void *signature = NULL;
    MUST(ID3D12Device_CreateCommandSignature(device, &desc, NULL, &IID_ID3D12CommandSignature,
                                             &signature));
    return signature;
}

static ID3D12Device11 *newest(ID3D12Device *device)
{
    ID3D12Device11 *newest = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12Device11, (void **)&newest));
    ID3D12Device11_Release(newest);
    return newest;
}

static void *make_protected_session(ID3D12Device *device)
{
    const D3D12_PROTECTED_RESOURCE_SESSION_DESC desc = {0};
    void *session = NULL;
    MUST(ID3D12Device11_CreateProtectedResourceSession(
        newest(device), &desc, &IID_ID3D12ProtectedResourceSession, &session));
    return session;
}

static void *make_shader_cache_session(ID3D12Device *device)
{
    const D3D12_SHADER_CACHE_SESSION_DESC desc = {.Identifier = {1, 2, 3, {4}}};
    void *session = NULL;
    MUST(ID3D12Device11_CreateShaderCacheSession(newest(device), &desc,
                                                 &IID_ID3D12ShaderCacheSession, &session));
    return session;
}

static HRESULT STDMETHODCALLTYPE no_query(ID3D12LifetimeOwner *iface, REFIID riid, void **out)
{
    (void)iface, (void)riid;
    *out = NULL;
    return E_NOINTERFACE;
}

static ULONG STDMETHODCALLTYPE no_count(ID3D12LifetimeOwner *iface)
{
    (void)iface;
    return 1;
}

static void *make_lifetime_tracker(ID3D12Device *device)
{
    static ID3D12LifetimeOwnerVtbl table = {
        .QueryInterface = no_query, .AddRef = no_count, .Release = no_count};
    static ID3D12LifetimeOwner owner = {&table};
    void *tracker = NULL;
    MUST(ID3D12Device11_CreateLifetimeTracker(newest(device), &owner, &IID_ID3D12LifetimeTracker,
                                              &tracker));
    return tracker;
}

static ID3D12VideoDevice3 *video_of(ID3D12Device *device)
{
    ID3D12VideoDevice3 *video = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12VideoDevice3, (void **)&video));
    ID3D12VideoDevice3_Release(video);
    return video;
}

static void *make_decoder(ID3D12Device *device)
{
    const D3D12_VIDEO_DECODER_DESC desc = {
        .Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264}};
    void *decoder = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoDecoder(video_of(device), &desc, &IID_ID3D12VideoDecoder,
                                               &decoder));
    return decoder;
}

static void *make_decoder_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_DECODER_HEAP_DESC desc = {
        .Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264},
        .DecodeWidth = 1920,
        .DecodeHeight = 1080,
        .Format = DXGI_FORMAT_NV12};
    void *heap = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoDecoderHeap(video_of(device), &desc,
                                                   &IID_ID3D12VideoDecoderHeap, &heap));
    return heap;
}

static const D3D12_VIDEO_SIZE_RANGE video_range = {1920, 1080, 16, 16};

static void *make_processor(ID3D12Device *device)
{
    const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC output = {.Format = DXGI_FORMAT_NV12};
    const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC input = {.Format = DXGI_FORMAT_NV12,
                                                         .SourceSizeRange = video_range,
                                                         .DestinationSizeRange = video_range};
    void *processor = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoProcessor(video_of(device), 0, &output, 1, &input,
                                                 &IID_ID3D12VideoProcessor, &processor));
    return processor;
}

static void *make_motion_estimator(ID3D12Device *device)
{
    const D3D12_VIDEO_MOTION_ESTIMATOR_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                    .SizeRange = video_range};
    void *estimator = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoMotionEstimator(
        video_of(device), &desc, NULL, &IID_ID3D12VideoMotionEstimator, &estimator));
    return estimator;
}

static void *make_motion_vector_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC desc = {.InputFormat = DXGI_FORMAT_NV12,
                                                      .SizeRange = video_range};
    void *heap = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoMotionVectorHeap(video_of(device), &desc, NULL,
                                                        &IID_ID3D12VideoMotionVectorHeap, &heap));
    return heap;
}

static D3D12_VIDEO_ENCODER_PROFILE_H264 h264_profile = D3D12_VIDEO_ENCODER_PROFILE_H264_HIGH;
static D3D12_VIDEO_ENCODER_LEVELS_H264 h264_level = D3D12_VIDEO_ENCODER_LEVELS_H264_41;
static D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264 h264;

static void *make_encoder(ID3D12Device *device)
{
    const D3D12_VIDEO_ENCODER_DESC desc = {.EncodeProfile = {sizeof h264_profile, {&h264_profile}},
                                           .InputFormat = DXGI_FORMAT_NV12,
                                           .CodecConfiguration = {sizeof h264, {&h264}}};
    void *encoder = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoEncoder(video_of(device), &desc, &IID_ID3D12VideoEncoder,
                                               &encoder));
    return encoder;
}

static void *make_encoder_heap(ID3D12Device *device)
{
    const D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC size = {640, 480};
    const D3D12_VIDEO_ENCODER_HEAP_DESC desc = {.EncodeProfile = {sizeof h264_profile,
                                                                  {&h264_profile}},
                                                .EncodeLevel = {sizeof h264_level, {&h264_level}},
                                                .ResolutionsListCount = 1,
                                                .pResolutionList = &size};
    void *heap = NULL;
    MUST(ID3D12VideoDevice3_CreateVideoEncoderHeap(video_of(device), &desc,
                                                   &IID_ID3D12VideoEncoderHeap, &heap));
    return heap;
}

static void *make_debug(ID3D12Device *device)
{
    void *debug = NULL;
    (void)device;
    MUST(D3D12GetDebugInterface(&IID_ID3D12Debug, &debug));
    return debug;
}

static void *make_deserializer_of(const IID *iid, bool versioned)
{
    const D3D12_ROOT_SIGNATURE_DESC desc = {0};
    ID3DBlob *blob = NULL;
    void *deserializer = NULL;
    MUST(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    MUST((versioned ? D3D12CreateVersionedRootSignatureDeserializer
                    : D3D12CreateRootSignatureDeserializer)(
        ID3D10Blob_GetBufferPointer(blob), ID3D10Blob_GetBufferSize(blob), iid, &deserializer));
    ID3D10Blob_Release(blob);
    return deserializer;
}

static void *make_deserializer(ID3D12Device *device)
{
    (void)device;
    return make_deserializer_of(&IID_ID3D12RootSignatureDeserializer, false);
}

static void *make_versioned_deserializer(ID3D12Device *device)
{
    (void)device;
    return make_deserializer_of(&IID_ID3D12VersionedRootSignatureDeserializer, true);
}

/* ---- what each of them is, beside IUnknown ---- */

#define CHILD    "ID3D12Object ID3D12DeviceChild ID3DDestructionNotifier "
#define PAGEABLE CHILD "ID3D12Pageable "

static const struct {
    void *(*make)(ID3D12Device *device);
    const char *interfaces;
} kinds[] = {
    {make_device,
     "ID3D12Object ID3DDestructionNotifier ID3D12Device ID3D12Device1 ID3D12Device2 ID3D12Device3 "
     "ID3D12Device4 ID3D12Device5 ID3D12Device6 ID3D12Device7 ID3D12Device8 ID3D12Device9 "
     "ID3D12Device10 ID3D12Device11 ID3D12DeviceTools ID3D12DeviceTools1 ID3D12DeviceTools2 "
     "ID3D12InfoQueue ID3D12InfoQueue1 ID3D12VideoDevice ID3D12VideoDevice1 ID3D12VideoDevice2 "
     "ID3D12VideoDevice3"},
    {make_queue, PAGEABLE "ID3D12CommandQueue"},
    {make_allocator, PAGEABLE "ID3D12CommandAllocator"},
    {make_list,
     CHILD "ID3D12CommandList ID3D12GraphicsCommandList ID3D12GraphicsCommandList1 "
           "ID3D12GraphicsCommandList2 ID3D12GraphicsCommandList3 ID3D12GraphicsCommandList4 "
           "ID3D12GraphicsCommandList5 ID3D12GraphicsCommandList6 ID3D12GraphicsCommandList7 "
           "ID3D12GraphicsCommandList8"},
    {make_bundle,
     CHILD "ID3D12CommandList ID3D12GraphicsCommandList ID3D12GraphicsCommandList1 "
           "ID3D12GraphicsCommandList2 ID3D12GraphicsCommandList3 ID3D12GraphicsCommandList4 "
           "ID3D12GraphicsCommandList5 ID3D12GraphicsCommandList6 ID3D12GraphicsCommandList7 "
           "ID3D12GraphicsCommandList8"},
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
    {make_root_signature, CHILD "ID3D12RootSignature"},
    {make_pipeline, PAGEABLE "ID3D12PipelineState"},
    {make_descriptor_heap, PAGEABLE "ID3D12DescriptorHeap"},
    {make_query_heap, PAGEABLE "ID3D12QueryHeap"},
    {make_command_signature, PAGEABLE "ID3D12CommandSignature"},
    {make_protected_session,
     CHILD "ID3D12ProtectedSession ID3D12ProtectedResourceSession ID3D12ProtectedResourceSession1"},
    {make_shader_cache_session, CHILD "ID3D12ShaderCacheSession"},
    {make_lifetime_tracker, CHILD "ID3D12LifetimeTracker"},
    {make_decoder, PAGEABLE "ID3D12VideoDecoder ID3D12VideoDecoder1"},
    {make_decoder_heap, PAGEABLE "ID3D12VideoDecoderHeap ID3D12VideoDecoderHeap1"},
    {make_processor, PAGEABLE "ID3D12VideoProcessor ID3D12VideoProcessor1"},
    {make_motion_estimator, PAGEABLE "ID3D12VideoMotionEstimator"},
    {make_motion_vector_heap, PAGEABLE "ID3D12VideoMotionVectorHeap"},
    {make_encoder, PAGEABLE "ID3D12VideoEncoder"},
    {make_encoder_heap, PAGEABLE "ID3D12VideoEncoderHeap"},
    {make_debug,
     "ID3D12Debug ID3D12Debug1 ID3D12Debug2 ID3D12Debug3 ID3D12Debug4 ID3D12Debug5 ID3D12Debug6"},
    {make_deserializer, "ID3D12RootSignatureDeserializer"},
    {make_versioned_deserializer, "ID3D12VersionedRootSignatureDeserializer"},
};

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* A table is an array of function pointers. */
static void expect_face(IUnknown *object, IUnknown *face, size_t slots, const char *name)
{
    const void *const *table = *(const void *const *const *)(void *)face;
    IUnknown *one = NULL, *other = NULL;
    for (size_t i = 0; i < slots; i++)
        cr_assert(table[i] != NULL, "%s: slot %zu is empty", name, i);
    MUST(IUnknown_QueryInterface(object, &IID_IUnknown, (void **)&one));
    MUST(IUnknown_QueryInterface(face, &IID_IUnknown, (void **)&other));
    cr_assert(one == other, "%s is another object", name);
    IUnknown_Release(one);
    IUnknown_Release(other);
}

/* Each object answers for what it is and for nothing else; no table has a hole, and each face is the same object. */
Test(interfaces, of_every_object_are_whole)
{
    ID3D12Device *device = kit_device();
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        IUnknown *object = kinds[k].make(device);
        const ULONG before = kit_references(object);
        size_t faces = 0, words = 1;
        for (const char *at = kinds[k].interfaces; *at != '\0'; at++)
            words += *at == ' ';
        for (size_t i = 0; i < INTERFACES; i++) {
            IUnknown *face = (IUnknown *)(void *)&face;
            const char *name = interfaces[i].name;
            const HRESULT hr = IUnknown_QueryInterface(object, interfaces[i].iid, (void **)&face);
            if (!has_word(kinds[k].interfaces, name)) {
                cr_assert(hr == E_NOINTERFACE && face == NULL, "%s of kind %zu: 0x%08x", name, k,
                          (unsigned)hr);
                continue;
            }
            cr_assert(hr == S_OK && face != NULL, "%s of kind %zu: 0x%08x", name, k, (unsigned)hr);
            expect_face(object, face, interfaces[i].slots, name);
            IUnknown_Release(face);
            faces++;
        }
        cr_assert(faces == words, "kind %zu: %zu faces of %zu", k, faces, words);
        cr_assert(kit_references(object) == before);
        EXPECT_HR(IUnknown_QueryInterface(object, &IID_IUnknown, NULL), E_POINTER);
        IUnknown_Release(object);
    }
    kit_close(device);
}

Test(interfaces, children_hold_their_device)
{
    ID3D12Device *device = kit_device(), *same = NULL;
    ID3D12Fence *fence = kit_fence(device, 0);
    cr_assert(kit_references(device) == 2);
    MUST(ID3D12Fence_GetDevice(fence, &IID_ID3D12Device, (void **)&same));
    cr_assert(same == device && kit_references(device) == 3);
    ID3D12Device_Release(same);
    cr_assert(ID3D12Device_Release(device) == 1);
    cr_assert(ID3D12Fence_Release(fence) == 0); /* and with it the device: LeakSanitizer looks */
}

Test(interfaces, a_device_can_be_asked_for_without_being_made)
{
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, NULL), S_FALSE);
    void *out = &out;
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_12_2, &IID_ID3D12Device, &out),
              DXGI_ERROR_UNSUPPORTED);
    cr_assert(out == NULL);
    EXPECT_HR(D3D12CreateDevice(NULL, (D3D_FEATURE_LEVEL)1, &IID_ID3D12Device, &out), E_INVALIDARG);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Fence, &out),
              E_NOINTERFACE);
    emu_config config = EMU_CONFIG_INIT;
    config.driver = "there is no such driver";
    cr_assert(emu_configure(&config) == ANNOT_OK);
    EXPECT_HR(D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &out),
              DXGI_ERROR_NOT_FOUND);
    cr_assert(emu_configure(NULL) == ANNOT_OK);
}

Test(not_modelled, methods_fail_with_one_message_that_names_them)
{
    ID3D12Device *device = kit_device();
    void *out = &out;
    EXPECT_HR(ID3D12Device_OpenSharedHandle(device, NULL, &IID_ID3D12Fence, &out), E_NOTIMPL);
    cr_assert(out == NULL);
    cr_assert(kit_messages(device) == 1 && kit_count(device, EMU_MESSAGE_NOT_MODELLED) == 1);

    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12GraphicsCommandList4 *list4 = NULL;
    MUST(ID3D12GraphicsCommandList_QueryInterface(list, &IID_ID3D12GraphicsCommandList4,
                                                  (void **)&list4));
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    ID3D12GraphicsCommandList4_Release(list4);
    cr_assert(kit_count(device, EMU_MESSAGE_NOT_MODELLED) == 2);
    MUST(ID3D12GraphicsCommandList_Close(list));

    ID3D12InfoQueue *queue = NULL;
    MUST(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&queue));
    char room[512];
    SIZE_T size = sizeof room;
    MUST(ID3D12InfoQueue_GetMessage(queue, 1, (D3D12_MESSAGE *)(void *)room, &size));
    cr_assert(strstr(((D3D12_MESSAGE *)(void *)room)->pDescription,
                     "ID3D12GraphicsCommandList::EndRenderPass"));
    ID3D12InfoQueue_Release(queue);
    ID3D12GraphicsCommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    kit_close(device);
}
