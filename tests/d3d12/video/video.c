/* Video: queues, lists, the video device and its objects. */
#include "kit.h"

#include "base/abi.h"

#define DECODE  D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE
#define PROCESS D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS
#define ENCODE  D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE

static const D3D12_COMMAND_LIST_TYPE types[] = {DECODE, PROCESS, ENCODE};

static const IID *list_iid(D3D12_COMMAND_LIST_TYPE type)
{
    return type == DECODE    ? &IID_ID3D12VideoDecodeCommandList
           : type == PROCESS ? &IID_ID3D12VideoProcessCommandList
                             : &IID_ID3D12VideoEncodeCommandList;
}

static ID3D12CommandList *video_list(ID3D12Device *device, ID3D12CommandAllocator *allocator,
                                     D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandList *list = NULL;
    MUST(ID3D12Device_CreateCommandList(device, 0, type, allocator, NULL, list_iid(type),
                                        (void **)&list));
    return list;
}

static void expect_no_hole(void *object, size_t table_size)
{
    const void *const *table = *(const void *const *const *)object;
    for (size_t i = 0; i < table_size / sizeof(void *); i++)
        cr_assert(table[i] != NULL, "slot %zu is empty", i);
}

/* ---- lists ---- */

/* The methods common to the three interfaces, called through each; SELF is `list` in the
 * arguments. */
#define SELF                             ((void *)list)
#define CALL(I, list, Method, arguments) (((I *)(list))->lpVtbl->Method arguments)
#define EACH_LIST(list, type, Method, arguments)                                                   \
    ((type) == DECODE    ? CALL(ID3D12VideoDecodeCommandList2, list, Method, arguments)            \
     : (type) == PROCESS ? CALL(ID3D12VideoProcessCommandList2, list, Method, arguments)           \
                         : CALL(ID3D12VideoEncodeCommandList1, list, Method, arguments))

Test(video_list, is_of_its_own_interfaces_only)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    static const IID *const newest[] = {&IID_ID3D12VideoDecodeCommandList3,
                                        &IID_ID3D12VideoProcessCommandList3,
                                        &IID_ID3D12VideoEncodeCommandList3};
    static const size_t tables[] = {sizeof(ID3D12VideoDecodeCommandList3Vtbl),
                                    sizeof(ID3D12VideoProcessCommandList3Vtbl),
                                    sizeof(ID3D12VideoEncodeCommandList3Vtbl)};
    for (size_t t = 0; t < 3; t++) {
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, types[t]);
        OWNED ID3D12CommandList *list = video_list(device, allocator, types[t]);
        void *other = NULL;
        cr_assert_eq(EACH_LIST(list, types[t], GetType, (SELF)), types[t]);
        MUST(ID3D12CommandList_QueryInterface(list, newest[t], &other));
        cr_assert_eq(other, list);
        expect_no_hole(list, tables[t]);
        ID3D12CommandList_Release(list);
        EXPECT_HR(ID3D12CommandList_QueryInterface(list, newest[(t + 1) % 3], &other),
                  E_NOINTERFACE);
        EXPECT_HR(ID3D12CommandList_QueryInterface(list, &IID_ID3D12GraphicsCommandList, &other),
                  E_NOINTERFACE);
    }
}

Test(video_list, records_as_other_lists_do)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *decode = kit_allocator(device, DECODE);
    OWNED ID3D12CommandAllocator *encode = kit_allocator(device, ENCODE);
    OWNED ID3D12CommandList *list = video_list(device, decode, DECODE);
    REFUSES(E_INVALIDARG, ID3D12VideoDecodeCommandList, device, CreateCommandList, 0, DECODE,
            encode, NULL);
    REFUSES(E_INVALIDARG, ID3D12VideoDecodeCommandList, device, CreateCommandList, 0, DECODE,
            decode, NULL); /* it records already */
    EXPECT_HR(EACH_LIST(list, DECODE, Reset, (SELF, decode)), E_FAIL);
    EXPECT_HR(ID3D12CommandAllocator_Reset(decode), E_FAIL);
    EACH_LIST(list, DECODE, ClearState, (SELF));
    MUST(EACH_LIST(list, DECODE, Close, (SELF)));
    EXPECT_HR(EACH_LIST(list, DECODE, Close, (SELF)), E_FAIL);
    EXPECT_HR(EACH_LIST(list, DECODE, Reset, (SELF, encode)), E_INVALIDARG);
    MUST(EACH_LIST(list, DECODE, Reset, (SELF, decode)));
    EACH_LIST(list, DECODE, ResourceBarrier, (SELF, 1, NULL));
    EXPECT_HR(EACH_LIST(list, DECODE, Close, (SELF)), E_INVALIDARG);
}

Test(video_list, has_timestamps_and_predicates)
{
    for (size_t t = 0; t < 3; t++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        OWNED ID3D12CommandQueue *queue = kit_queue(device, types[t]);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, types[t]);
        OWNED ID3D12CommandList *list = video_list(device, allocator, types[t]);
        OWNED ID3D12Resource *result = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 64);
        const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 1, 0};
        const D3D12_QUERY_TYPE time = D3D12_QUERY_TYPE_TIMESTAMP;
        OWNED ID3D12QueryHeap *heap = MADE(ID3D12QueryHeap, device, CreateQueryHeap, &desc);
        uint64_t *ticks = kit_map(result);
        emu_advance_clock(device, 1000);
        EACH_LIST(list, types[t], SetPredication,
                  (SELF, result, 8, D3D12_PREDICATION_OP_EQUAL_ZERO));
        EACH_LIST(list, types[t], EndQuery, (SELF, heap, time, 0));
        EACH_LIST(list, types[t], ResolveQueryData, (SELF, heap, time, 0, 1, result, 0));
        EACH_LIST(list, types[t], DiscardResource, (SELF, result, NULL));
        EACH_LIST(list, types[t], ClearState, (SELF));
        MUST(EACH_LIST(list, types[t], Close, (SELF)));
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list);
        kit_finish(device, queue);
        cr_assert(ticks[0] >= 1000);
        cr_assert_eq(kit_messages(device), 0);
        MUST(EACH_LIST(list, types[t], Reset, (SELF, allocator)));
        EACH_LIST(list, types[t], BeginQuery, (SELF, heap, time, 0));
        EACH_LIST(list, types[t], SetPredication,
                  (SELF, result, 4, D3D12_PREDICATION_OP_EQUAL_ZERO));
        cr_assert_eq(kit_messages(device), 2);
        EXPECT_HR(EACH_LIST(list, types[t], Close, (SELF)), E_INVALIDARG);
    }
}

Test(video_list, closed_ones_take_nothing_and_say_what_they_are)
{
    static const char *const names[] = {"ID3D12VideoDecodeCommandList::ClearState",
                                        "ID3D12VideoProcessCommandList::ClearState",
                                        "ID3D12VideoEncodeCommandList::ClearState"};
    for (size_t t = 0; t < 3; t++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, types[t]);
        OWNED ID3D12CommandList *list = video_list(device, allocator, types[t]);
        char text[512];
        MUST(EACH_LIST(list, types[t], Close, (SELF)));
        EACH_LIST(list, types[t], ClearState, (SELF));
        cr_assert_eqs(kit_messages(device), 1,
                      kit_count_texts(device, D3D12_MESSAGE_ID_COMMAND_LIST_CLOSED, text), 1);
        cr_assert(strstr(text, names[t]), "%s", text);
    }
}

Test(video_list, what_is_not_modelled_says_so_once)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, DECODE);
    OWNED ID3D12VideoDecodeCommandList *list =
        (ID3D12VideoDecodeCommandList *)video_list(device, allocator, DECODE);
    ID3D12VideoDecodeCommandList_DecodeFrame(list, NULL, NULL, NULL);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_NOT_MODELLED);
    MUST(ID3D12VideoDecodeCommandList_Close(list));
}

/* ---- queues ---- */

Test(video_queue, executes_lists_of_its_type)
{
    for (size_t t = 0; t < 3; t++) {
        AT_END(kit_closed) ID3D12Device *device = kit_device();
        OWNED ID3D12CommandQueue *queue = kit_queue(device, types[t]);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(device, types[t]);
        OWNED ID3D12CommandList *list = video_list(device, allocator, types[t]);
        OWNED ID3D12Resource *buffer = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, 16);
        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {
            ID3D12Resource_GetGPUVirtualAddress(buffer) + 4, 77};
        EACH_LIST(list, types[t], BeginEvent, (SELF, 1, "w", 1));
        EACH_LIST(list, types[t], WriteBufferImmediate, (SELF, 1, &write, NULL));
        EACH_LIST(list, types[t], EndEvent, (SELF));
        MUST(EACH_LIST(list, types[t], Close, (SELF)));
        ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list);
        kit_finish(device, queue);
        UINT *words = kit_map(buffer);
        cr_assert_eq(words[1], 77);
        ID3D12Resource_Unmap(buffer, 0, NULL);
        cr_assert_eq(kit_messages(device), 0);

        OWNED ID3D12CommandQueue *other = kit_queue(device, types[(t + 1) % 3]);
        ID3D12CommandQueue_ExecuteCommandLists(other, 1, &list);
        cr_assert_eq(kit_count(device, D3D12_MESSAGE_ID_EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH),
                     1);
    }
}

/* ---- the video device and its objects ---- */

static ID3D12VideoDevice3 *video_device(ID3D12Device *device)
{
    return AS(ID3D12VideoDevice3, device);
}

Test(video_device, is_the_device)
{
    static const IID *const iids[] = {&IID_ID3D12VideoDevice, &IID_ID3D12VideoDevice1,
                                      &IID_ID3D12VideoDevice2, &IID_ID3D12VideoDevice3};
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    for (size_t i = 0; i < 4; i++) {
        OWNED IUnknown *video = NULL, *one = NULL, *other = NULL;
        MUST(ID3D12Device_QueryInterface(device, iids[i], (void **)&video));
        one = AS(IUnknown, video);
        other = AS(IUnknown, device);
        cr_assert_eqs(one, other, kit_references(device), 4);
        expect_no_hole(video, sizeof(ID3D12VideoDevice3Vtbl));
    }
}

static D3D12_VIDEO_ENCODER_PROFILE_H264 h264_profile = D3D12_VIDEO_ENCODER_PROFILE_H264_HIGH;
static D3D12_VIDEO_ENCODER_LEVELS_H264 h264_level = D3D12_VIDEO_ENCODER_LEVELS_H264_41;
static D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264 h264 = {
    .DirectModeConfig = D3D12_VIDEO_ENCODER_CODEC_CONFIGURATION_H264_DIRECT_MODES_TEMPORAL};
static const D3D12_VIDEO_ENCODER_PICTURE_RESOLUTION_DESC sizes[] = {{1920, 1080}, {640, 480}};

static const D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC output = {.Format = DXGI_FORMAT_NV12};
static const D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC input = {.Format = DXGI_FORMAT_NV12,
                                                            .SourceSizeRange = {1920, 1080, 1, 1},
                                                            .DestinationSizeRange = {1920, 1080, 1,
                                                                                     1}};

struct descs {
    D3D12_VIDEO_DECODER_DESC decoder;
    D3D12_VIDEO_DECODER_HEAP_DESC decoder_heap;
    D3D12_VIDEO_MOTION_ESTIMATOR_DESC estimator;
    D3D12_VIDEO_MOTION_VECTOR_HEAP_DESC vector_heap;
    D3D12_VIDEO_ENCODER_DESC encoder;
    D3D12_VIDEO_ENCODER_HEAP_DESC encoder_heap;
};

static struct descs good_descs(void)
{
    const D3D12_VIDEO_SIZE_RANGE range = {1920, 1080, 16, 16};
    const D3D12_VIDEO_ENCODER_PROFILE_DESC profile = {sizeof h264_profile, {&h264_profile}};
    struct descs d = {
        .decoder = {.Configuration = {.DecodeProfile = D3D12_VIDEO_DECODE_PROFILE_H264}},
        .decoder_heap = {.DecodeWidth = 1920, .DecodeHeight = 1080, .Format = DXGI_FORMAT_NV12},
        .estimator = {.InputFormat = DXGI_FORMAT_NV12, .SizeRange = range},
        .vector_heap = {.InputFormat = DXGI_FORMAT_NV12, .SizeRange = range},
        .encoder = {.EncodeProfile = profile,
                    .InputFormat = DXGI_FORMAT_NV12,
                    .CodecConfiguration = {sizeof h264, {&h264}}},
        .encoder_heap = {.EncodeProfile = profile,
                         .EncodeLevel = {sizeof h264_level, {&h264_level}},
                         .ResolutionsListCount = 2,
                         .pResolutionList = sizes},
    };
    d.decoder_heap.Configuration = d.decoder.Configuration;
    return d;
}

#define OBJECTS 7

/* In the order of `kinds`. */
static void make_all(ID3D12VideoDevice3 *v, const struct descs *d, HRESULT hr[OBJECTS],
                     void *out[OBJECTS])
{
    hr[0] = ID3D12VideoDevice3_CreateVideoDecoder(v, &d->decoder, &IID_ID3D12VideoDecoder, &out[0]);
    hr[1] = TRY(ID3D12VideoDecoderHeap, &out[1], v, CreateVideoDecoderHeap, &d->decoder_heap);
    hr[2] = TRY(ID3D12VideoProcessor, &out[2], v, CreateVideoProcessor, 0, &output, 1, &input);
    hr[3] = ID3D12VideoDevice3_CreateVideoMotionEstimator(v, &d->estimator, NULL,
                                                          &IID_ID3D12VideoMotionEstimator, &out[3]);
    hr[4] = ID3D12VideoDevice3_CreateVideoMotionVectorHeap(
        v, &d->vector_heap, NULL, &IID_ID3D12VideoMotionVectorHeap, &out[4]);
    hr[5] = ID3D12VideoDevice3_CreateVideoEncoder(v, &d->encoder, &IID_ID3D12VideoEncoder, &out[5]);
    hr[6] = TRY(ID3D12VideoEncoderHeap, &out[6], v, CreateVideoEncoderHeap, &d->encoder_heap);
}

Test(video_device, objects_can_be_named) /* ANN-NAME-01, -04 */
{
    static const D3D12DDI_HANDLETYPE kinds[OBJECTS] = {D3D12DDI_HT_VIDEO_DECODER,
                                                       D3D12DDI_HT_VIDEO_DECODER_HEAP,
                                                       D3D12DDI_HT_VIDEO_PROCESSOR,
                                                       D3D12DDI_HT_VIDEO_MOTION_ESTIMATOR,
                                                       D3D12DDI_HT_VIDEO_MOTION_VECTOR_HEAP,
                                                       D3D12DDI_HT_VIDEO_ENCODER,
                                                       D3D12DDI_HT_VIDEO_ENCODER_HEAP};
    static const size_t tables[OBJECTS] = {
        sizeof(ID3D12VideoDecoder1Vtbl),         sizeof(ID3D12VideoDecoderHeap1Vtbl),
        sizeof(ID3D12VideoProcessor1Vtbl),       sizeof(ID3D12VideoMotionEstimatorVtbl),
        sizeof(ID3D12VideoMotionVectorHeapVtbl), sizeof(ID3D12VideoEncoderVtbl),
        sizeof(ID3D12VideoEncoderHeapVtbl)};
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12VideoDevice3 *video = video_device(device);
    const struct descs descs = good_descs();
    HRESULT hr[OBJECTS];
    void *objects[OBJECTS] = {0};
    make_all(video, &descs, hr, objects);
    for (size_t i = 0; i < OBJECTS; i++) {
        ID3D12Object *object = objects[i];
        cr_assert(hr[i] == S_OK && object, "object %zu: 0x%08x", i, (unsigned)hr[i]);
        expect_no_hole(object, tables[i]);
        heard_count = 0;
        MUST(ID3D12Object_SetName(object, L"thing"));
        MUST(ID3D12Object_SetName(object, NULL));
        cr_assert_eqs(heard_count, 2, heard[0].type, kinds[i]);
        cr_assert(heard[0].handle);
        cr_assert_eq(heard[0].name_length, 5);
        cr_assert(!heard[1].has_name);
        ID3D12Device *owner = GOT(ID3D12Device, (ID3D12DeviceChild *)object, GetDevice);
        cr_assert_eq(owner, device);
        ID3D12Device_Release(owner);
        cr_assert_eq(ID3D12Object_Release(object), 0);
    }
}

Test(video_device, refuses_what_it_does_not_support)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12VideoDevice3 *video = video_device(device);
    struct descs descs = good_descs();
    HRESULT hr[OBJECTS];
    void *objects[OBJECTS];
    memset(objects, 0x55, sizeof objects);
    descs.decoder.Configuration.DecodeProfile = IID_ID3D12Device;
    descs.decoder_heap.DecodeWidth = 0;
    descs.estimator.InputFormat = DXGI_FORMAT_R32_FLOAT;
    descs.vector_heap.SizeRange.MinWidth = 4000;
    descs.encoder.CodecConfiguration.DataSize--;
    descs.encoder_heap.ResolutionsListCount = 0;
    make_all(video, &descs, hr, objects);
    for (size_t i = 0; i < OBJECTS; i++)
        if (i != 2)
            cr_assert_eqs(hr[i], E_INVALIDARG, objects[i], NULL, "object %zu", i);
    IUnknown_Release((IUnknown *)objects[2]);
    EXPECT_HR(ID3D12VideoDevice3_CreateVideoProcessor(video, 0, &output, 0, &input,
                                                      &IID_ID3D12VideoProcessor, &objects[2]),
              E_INVALIDARG);
    EXPECT_HR(ID3D12VideoDevice3_CreateVideoProcessor(video, 2, &output, 1, &input,
                                                      &IID_ID3D12VideoProcessor, &objects[2]),
              E_INVALIDARG);
    EXPECT_HR(TRY(ID3D12VideoDecoder, &objects[0], video, CreateVideoDecoder, NULL), E_INVALIDARG);
    descs = good_descs();
    EXPECT_HR(TRY(ID3D12Fence, &objects[0], video, CreateVideoDecoder, &descs.decoder),
              E_NOINTERFACE);
    EXPECT_HR(TRY(ID3D12VideoDecoder, NULL, video, CreateVideoDecoder, &descs.decoder), S_FALSE);
}

Test(video_device, objects_describe_themselves)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12VideoDevice3 *video = video_device(device);
    const struct descs descs = good_descs();
    HRESULT hr[OBJECTS];
    void *objects[OBJECTS] = {0}, *session = &session;
    make_all(video, &descs, hr, objects);

    ID3D12VideoDecoderHeap *decoder_heap_object = objects[1];
    D3D12_VIDEO_DECODER_HEAP_DESC decoder_heap;
    ABI_CALL_STRUCT(decoder_heap_object, GetDesc, &decoder_heap);
    cr_assert_eqs(decoder_heap.DecodeWidth, 1920, decoder_heap.Format, DXGI_FORMAT_NV12);

    ID3D12VideoProcessor *processor = objects[2];
    D3D12_VIDEO_PROCESS_INPUT_STREAM_DESC streams[2];
    cr_assert_eq(ID3D12VideoProcessor_GetNumInputStreamDescs(processor), 1);
    MUST(ID3D12VideoProcessor_GetInputStreamDescs(processor, 1, streams));
    cr_assert_eq(streams[0].SourceSizeRange.MaxWidth, 1920);
    EXPECT_HR(ID3D12VideoProcessor_GetInputStreamDescs(processor, 2, streams), E_INVALIDARG);
    D3D12_VIDEO_PROCESS_OUTPUT_STREAM_DESC out;
    ABI_CALL_STRUCT(processor, GetOutputStreamDesc, &out);
    cr_assert_mem_eq(&out, &output, sizeof out);
    cr_assert_eq(ID3D12VideoProcessor_GetNodeMask(processor), 0);

    ID3D12VideoEncoder *encoder = objects[5];
    ID3D12VideoEncoderHeap *heap = objects[6];
    cr_assert_eqs(ID3D12VideoEncoder_GetInputFormat(encoder), DXGI_FORMAT_NV12,
                  ID3D12VideoEncoder_GetCodec(encoder), D3D12_VIDEO_ENCODER_CODEC_H264);
    cr_assert_eqs(ID3D12VideoEncoderHeap_GetResolutionListCount(heap), 2,
                  ID3D12VideoEncoderHeap_GetCodec(heap), D3D12_VIDEO_ENCODER_CODEC_H264);
    EXPECT_HR(ID3D12VideoEncoderHeap_GetResolutionList(heap, 2, NULL), E_NOTIMPL);
    EXPECT_MESSAGES(device, 1, EMU_MESSAGE_NOT_MODELLED);

    EXPECT_HR(ID3D12VideoMotionEstimator_GetProtectedResourceSession(
                  (ID3D12VideoMotionEstimator *)objects[3], &IID_ID3D12ProtectedResourceSession,
                  &session),
              DXGI_ERROR_NOT_FOUND);
    cr_assert(!session);
    for (size_t i = 0; i < OBJECTS; i++)
        IUnknown_Release((IUnknown *)objects[i]);
}

/* The forms with a session do what the others do; there are no sessions for video, so that none is
 * taken. */
Test(video_device, takes_no_protected_session)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12VideoDevice3 *v = video_device(device);
    const struct descs d = good_descs();
    ID3D12ProtectedResourceSession *sessions[] = {NULL, (ID3D12ProtectedResourceSession *)device};
    for (int i = 0; i < 2; i++) {
        void *out[3] = {v, v, v};
        const HRESULT hr[] = {
            TRY(ID3D12VideoDecoder1, &out[0], v, CreateVideoDecoder1, &d.decoder, sessions[i]),
            ID3D12VideoDevice3_CreateVideoDecoderHeap1(v, &d.decoder_heap, sessions[i],
                                                       &IID_ID3D12VideoDecoderHeap1, &out[1]),
            ID3D12VideoDevice3_CreateVideoProcessor1(v, 0, &output, 1, &input, sessions[i],
                                                     &IID_ID3D12VideoProcessor1, &out[2]),
        };
        for (int k = 0; k < 3; k++) {
            EXPECT_HR(hr[k], i == 0 ? S_OK : E_INVALIDARG);
            cr_assert_eq(out[k] != NULL, i == 0);
            if (out[k])
                IUnknown_Release((IUnknown *)out[k]);
        }
    }
}

Test(video_device, says_nothing_of_features)
{
    AT_END(kit_closed) ID3D12Device *device = kit_device();
    OWNED ID3D12VideoDevice3 *video = video_device(device);
    D3D12_FEATURE_DATA_VIDEO_FEATURE_AREA_SUPPORT area = {0};
    EXPECT_HR(ID3D12VideoDevice3_CheckFeatureSupport(
                  video, D3D12_FEATURE_VIDEO_FEATURE_AREA_SUPPORT, &area, sizeof area),
              E_NOTIMPL);
    cr_assert_eq(kit_count(device, EMU_MESSAGE_NOT_MODELLED), 1);
}
