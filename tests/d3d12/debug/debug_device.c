/* ID3D12DebugDevice, 1 and 2: which objects live, and switches that are kept. */
#include "every_kind.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

struct debug {
    ID3D12Device *device;
    ID3D12DebugDevice2 *debug2;
    ID3D12DebugDevice1 *debug1;
};

static struct debug open_debug(void)
{
    struct debug d = {.device = kit_device()};
    d.debug2 = AS(ID3D12DebugDevice2, d.device);
    d.debug1 = AS(ID3D12DebugDevice1, d.device);
    return d;
}

static void close_debug(struct debug *d)
{
    RELEASE(d->debug2, d->debug1);
    kit_close(d->device);
}

/* Whether one stored message with this ID has the text, which is "Live ..." and no error. */
static bool told(ID3D12Device *device, int id, const char *text)
{
    bool found = false;
    OWNED ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    for (UINT64 i = 0; i < ID3D12InfoQueue_GetNumStoredMessages(queue); i++) {
        _Alignas(16) char room[1024];
        D3D12_MESSAGE *message = (D3D12_MESSAGE *)(void *)room;
        SIZE_T size = sizeof room;
        MUST(ID3D12InfoQueue_GetMessage(queue, i, message, &size));
        cr_assert_eqs(message->Category, D3D12_MESSAGE_CATEGORY_STATE_CREATION, message->Severity,
                      D3D12_MESSAGE_SEVERITY_WARNING);
        cr_assert(strncmp(message->pDescription, "Live ", 5) == 0);
        found |= (int)message->ID == id && strstr(message->pDescription, text);
    }
    return found;
}

Test(live_objects, are_told_with_names_and_references)
{
    AT_END(close_debug) struct debug d = open_debug();
    char text[128];
    ID3D12Fence *fence = kit_fence(d.device, 0), *gone = kit_fence(d.device, 0);
    ID3D12CommandQueue *queue = kit_queue(d.device, COPY);
    const WCHAR name[] = {'Z', 0xE4, 'h', 0x4E2D, 0};
    MUST(ID3D12Fence_SetName(fence, name));
    ID3D12Fence_AddRef(fence);
    ID3D12Fence_Release(gone);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert_eq(kit_messages(d.device), 3);
    snprintf(text, sizeof text, "Live ID3D12Device at %p, Refcount: 5", (void *)d.device);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_DEVICE, text));
    snprintf(text, sizeof text,
             "Live ID3D12Fence at %p, Name: Z\xC3\xA4h\xE4\xB8\xAD, Refcount: 2, IntRef: 0",
             (void *)fence);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_MONITOREDFENCE, text));
    snprintf(text, sizeof text, "Live ID3D12CommandQueue at %p, Refcount: 1, IntRef: 0",
             (void *)queue);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_COMMANDQUEUE, text));
    RELEASE(fence, fence, queue);
    kit_clear(d.device);
    MUST(ID3D12DebugDevice1_ReportLiveDeviceObjects(d.debug1, D3D12_RLDO_DETAIL));
    cr_assert_eq(kit_messages(d.device), 1);
}

Test(live_objects, are_counted_in_the_summary)
{
    AT_END(close_debug) struct debug d = open_debug();
    ID3D12Fence *fences[2] = {kit_fence(d.device, 0), kit_fence(d.device, 0)};
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_SUMMARY));
    cr_assert_eq(kit_messages(d.device), 2);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, "Live objects: 2"));
    kit_clear(d.device);
    MUST(ID3D12DebugDevice1_ReportLiveDeviceObjects(d.debug1,
                                                    D3D12_RLDO_SUMMARY | D3D12_RLDO_DETAIL));
    cr_assert_eq(kit_messages(d.device), 4);
    kit_clear(d.device);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_NONE));
    EXPECT_MESSAGES(d.device, 1, D3D12_MESSAGE_ID_LIVE_DEVICE);
    ID3D12Fence_Release(fences[0]);
    kit_clear(d.device);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_SUMMARY));
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, "Live objects: 1"));
    ID3D12Fence_Release(fences[1]);
}

/* A heap that its application let go lives in what is placed in it. */
Test(live_objects, of_others_are_internal)
{
    AT_END(close_debug) struct debug d = open_debug();
    const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(4);
    ID3D12Heap *heap = MADE(ID3D12Heap, d.device, CreateHeap, &desc);
    OWNED ID3D12Resource *placed = MADE(ID3D12Resource, d.device, CreatePlacedResource, heap, 0,
                                        &buffer, D3D12_RESOURCE_STATE_COMMON, NULL);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_HEAP, ", Refcount: 1, IntRef: 1"));
    ID3D12Heap_Release(heap);
    kit_clear(d.device);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert_eq(kit_messages(d.device), 3);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_HEAP, ", Refcount: 0, IntRef: 1"));
    kit_clear(d.device);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(
        d.debug2, D3D12_RLDO_SUMMARY | D3D12_RLDO_DETAIL | D3D12_RLDO_IGNORE_INTERNAL));
    cr_assert_eqs(kit_messages(d.device), 3, kit_count(d.device, D3D12_MESSAGE_ID_LIVE_HEAP), 0);
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, "Live objects: 1"));
}

/* D3D12_MESSAGE_ID's names. */
static const struct {
    const char *name;
    int id;
} live_ids[] = {
    {"ID3D12CommandQueue", 570},
    {"ID3D12CommandAllocator", 571},
    {"ID3D12PipelineState", 572},
    {"ID3D12GraphicsCommandList", 573},
    {"ID3D12Resource", 575},
    {"ID3D12DescriptorHeap", 576},
    {"ID3D12RootSignature", 577},
    {"ID3D12Heap", 579},
    {"ID3D12Fence", 580},
    {"ID3D12QueryHeap", 581},
    {"ID3D12CommandSignature", 582},
    {"ID3D12PipelineLibrary", 967},
    {"ID3D12VideoDecodeCommandList", 982},
    {"ID3D12VideoDecoder", 983},
    {"ID3D12VideoProcessCommandList", 1055},
    {"ID3D12VideoProcessor", 1062},
    {"ID3D12ProtectedResourceSession", 1073},
    {"ID3D12VideoDecoderHeap", 1084},
    {"ID3D12LifetimeTracker", 1164},
    {"ID3D12VideoEncodeCommandList", 1178},
    {"ID3D12VideoMotionEstimator", 1184},
    {"ID3D12VideoMotionVectorHeap", 1187},
    {"ID3D12ShaderCacheSession", 1281},
    {"ID3D12VideoEncoder", 1298},
    {"ID3D12VideoEncoderHeap", 1301},
    {"ID3D12DeviceChild", D3D12_MESSAGE_ID_UNKNOWN}, /* D3D12 has no number for others */
};

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)); at += length)
        if (at[length] == ' ' || at[length] == '\0')
            return true;
    return false;
}

/* Each kind of child has a message of its own, under its first interface's name. */
Test(live_objects, of_every_kind_say_what_they_are)
{
    AT_END(close_debug) struct debug d = open_debug();
    for (size_t k = 0; k < every_kind_count; k++) {
        OWNED IUnknown *object = every_kind[k].make(d.device);
        const char *interfaces = every_kind[k].interfaces;
        if (has_word(interfaces, "ID3D12DeviceChild")) {
            char text[96];
            size_t i = 0;
            while (!has_word(interfaces, live_ids[i].name))
                i++;
            kit_clear(d.device);
            MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
            snprintf(text, sizeof text, "Live %s at %p, Refcount: 1", live_ids[i].name,
                     (void *)object);
            cr_assert(told(d.device, live_ids[i].id, text), "%s: %s", interfaces, text);
        }
    }
}

/* UTF-8 of every length; half a pair is U+FFFD, and a name of more than 95 units is left out. */
Test(live_objects, have_names_in_utf8)
{
    AT_END(close_debug) struct debug d = open_debug();
    OWNED ID3D12Fence *fence = kit_fence(d.device, 0);
    WCHAR half[] = {'a', 0xDC00, 'b', 0}, name[97];
    static const WCHAR edges[] = L"\x7F\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff";
    MUST(ID3D12Fence_SetName(fence, edges));
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_MONITOREDFENCE,
                   ", Name: \x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF"
                   "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF, Refcount: 1"));
    kit_clear(d.device);
    MUST(ID3D12Fence_SetName(fence, half));
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_MONITOREDFENCE,
                   ", Name: a\xEF\xBF\xBD"
                   "b, Refcount: 1"));
    for (size_t length = 95; length <= 96; length++) {
        char text[512], utf8[400];
        for (size_t i = 0; i < length; i++) {
            name[i] = 0xFFFF;
            memcpy(&utf8[3 * i], "\xEF\xBF\xBF", 4);
        }
        name[length] = 0;
        MUST(ID3D12Fence_SetName(fence, name));
        kit_clear(d.device);
        MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
        snprintf(text, sizeof text, ", Name: %s, Refcount: 1, IntRef: 0", utf8);
        cr_assert_eq(told(d.device, D3D12_MESSAGE_ID_LIVE_MONITOREDFENCE, text), length < 96,
                     "%zu units", length);
    }
}

static ID3D12Fence *made;

static void STDMETHODCALLTYPE make_one(D3D12_MESSAGE_CATEGORY category,
                                       D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id,
                                       LPCSTR text, void *user)
{
    (void)category, (void)severity, (void)text;
    if (id == D3D12_MESSAGE_ID_LIVE_DEVICE)
        made = kit_fence(user, 0);
}

Test(live_objects, may_be_made_by_who_listens)
{
    AT_END(close_debug) struct debug d = open_debug();
    DWORD cookie = 0;
    OWNED ID3D12InfoQueue1 *queue = AS(ID3D12InfoQueue1, d.device);
    MUST(ID3D12InfoQueue1_RegisterMessageCallback(queue, make_one, D3D12_MESSAGE_CALLBACK_FLAG_NONE,
                                                  d.device, &cookie));
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert(made);
    cr_assert_eq(kit_messages(d.device), 1);
    MUST(ID3D12InfoQueue1_UnregisterMessageCallback(queue, cookie));
    ID3D12Fence_Release(made);
}

static void *make_and_release(void *user)
{
    static const WCHAR name[] = {'n', 'a', 'm', 'e', 0};
    for (int i = 0; i < 200; i++) {
        OWNED ID3D12Fence *fence = kit_fence(user, 0);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(user, DIRECT);
        MUST(ID3D12Fence_SetName(fence, name));
    }
    return NULL;
}

Test(live_objects, may_come_and_go_while_they_are_told)
{
    AT_END(close_debug) struct debug d = open_debug();
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, make_and_release, d.device), 0);
    for (int i = 0; i < 100; i++)
        MUST(ID3D12DebugDevice1_ReportLiveDeviceObjects(d.debug1,
                                                        D3D12_RLDO_DETAIL | D3D12_RLDO_SUMMARY));
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    kit_clear(d.device);
    MUST(ID3D12DebugDevice1_ReportLiveDeviceObjects(d.debug1, D3D12_RLDO_SUMMARY));
    cr_assert(told(d.device, D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, "Live objects: 0"));
}

/* An object that was released while the GPU works with it is the application's no more. */
Test(live_objects, are_not_those_that_wait_for_the_gpu)
{
    AT_END(close_debug) struct debug d = open_debug();
    OWNED ID3D12CommandQueue *queue = kit_queue(d.device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(d.device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(d.device, allocator, DIRECT);
    OWNED ID3D12Fence *go = kit_fence(d.device, 0);
    MUST(ID3D12CommandQueue_Wait(queue, go, 1));
    kit_execute(queue, list);
    RELEASE(list, allocator);
    MUST(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, D3D12_RLDO_DETAIL));
    cr_assert_eq(kit_messages(d.device), 3, "the device, the queue, the fence");
    MUST(ID3D12Fence_Signal(go, 1));
    kit_finish(d.device, queue);
}

/* ---- switches ---- */

#define FEATURES D3D12_DEBUG_DEVICE_PARAMETER_FEATURE_FLAGS
#define SETTINGS D3D12_DEBUG_DEVICE_PARAMETER_GPU_BASED_VALIDATION_SETTINGS
#define SLOWDOWN D3D12_DEBUG_DEVICE_PARAMETER_GPU_SLOWDOWN_PERFORMANCE_FACTOR

Test(debug_device, keeps_its_switches)
{
    AT_END(close_debug) struct debug d = open_debug();
    D3D12_DEBUG_FEATURE features = D3D12_DEBUG_FEATURE_EMULATE_WINDOWS7;
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings = {0};
    D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown = {-1};
    cr_assert_eq(ID3D12DebugDevice2_GetFeatureMask(d.debug2), D3D12_DEBUG_FEATURE_NONE);
    MUST(ID3D12DebugDevice2_SetFeatureMask(
        d.debug2, D3D12_DEBUG_FEATURE_CONSERVATIVE_RESOURCE_STATE_TRACKING));
    MUST(ID3D12DebugDevice1_GetDebugParameter(d.debug1, FEATURES, &features, sizeof features));
    cr_assert_eq(features, D3D12_DEBUG_FEATURE_CONSERVATIVE_RESOURCE_STATE_TRACKING);
    features = (D3D12_DEBUG_FEATURE)15;
    MUST(ID3D12DebugDevice1_SetDebugParameter(d.debug1, FEATURES, &features, sizeof features));
    cr_assert_eq((int)ID3D12DebugDevice2_GetFeatureMask(d.debug2), 15);

    MUST(ID3D12DebugDevice2_GetDebugParameter(d.debug2, SETTINGS, &settings, sizeof settings));
    cr_assert_eqs(settings.MaxMessagesPerCommandList, 256, settings.PipelineStateCreateFlags, 0);
    cr_assert_eq(settings.DefaultShaderPatchMode,
                 D3D12_GPU_BASED_VALIDATION_SHADER_PATCH_MODE_UNGUARDED_VALIDATION);
    settings.MaxMessagesPerCommandList = 7;
    MUST(ID3D12DebugDevice1_SetDebugParameter(d.debug1, SETTINGS, &settings, sizeof settings));
    memset(&settings, 0, sizeof settings);
    MUST(ID3D12DebugDevice2_GetDebugParameter(d.debug2, SETTINGS, &settings, sizeof settings));
    cr_assert_eq(settings.MaxMessagesPerCommandList, 7);

    MUST(ID3D12DebugDevice2_GetDebugParameter(d.debug2, SLOWDOWN, &slowdown, sizeof slowdown));
    cr_assert_eq(slowdown.SlowdownFactor, 0);
    slowdown.SlowdownFactor = 10;
    MUST(ID3D12DebugDevice2_SetDebugParameter(d.debug2, SLOWDOWN, &slowdown, sizeof slowdown));
    slowdown.SlowdownFactor = 0;
    MUST(ID3D12DebugDevice1_GetDebugParameter(d.debug1, SLOWDOWN, &slowdown, sizeof slowdown));
    cr_assert_eqs(slowdown.SlowdownFactor, 10, kit_messages(d.device), 0);
}

static atomic_bool stop;

static D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings_of(UINT i)
{
    return (D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS){
        i,
        (D3D12_GPU_BASED_VALIDATION_SHADER_PATCH_MODE)(i % 4),
        (D3D12_GPU_BASED_VALIDATION_PIPELINE_STATE_CREATE_FLAGS)(i % 8),
    };
}

static void *set_settings(void *user)
{
    ID3D12DebugDevice2 *debug = user;
    for (UINT i = 0; !atomic_load(&stop); i++) {
        const D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings = settings_of(i);
        MUST(ID3D12DebugDevice2_SetDebugParameter(debug, SETTINGS, &settings, sizeof settings));
    }
    return NULL;
}

Test(debug_device, shows_its_switches_whole)
{
    AT_END(close_debug) struct debug d = open_debug();
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings = settings_of(0);
    pthread_t setter;
    MUST(ID3D12DebugDevice2_SetDebugParameter(d.debug2, SETTINGS, &settings, sizeof settings));
    cr_assert_eq(pthread_create(&setter, NULL, set_settings, d.debug2), 0);
    for (int i = 0; i < 200000; i++) {
        MUST(ID3D12DebugDevice1_GetDebugParameter(d.debug1, SETTINGS, &settings, sizeof settings));
        const D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS whole =
            settings_of(settings.MaxMessagesPerCommandList);
        cr_assert_mem_eq(&settings, &whole, sizeof whole);
    }
    atomic_store(&stop, true);
    pthread_join(setter, NULL);
}

static void expect_text(ID3D12Device *device, UINT64 index, const char *start)
{
    _Alignas(16) char room[1024];
    D3D12_MESSAGE *message = (D3D12_MESSAGE *)(void *)room;
    SIZE_T size = sizeof room;
    OWNED ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    MUST(ID3D12InfoQueue_GetMessage(queue, index, message, &size));
    cr_assert(strncmp(message->pDescription, start, strlen(start)) == 0, "%s",
              message->pDescription);
}

Test(debug_device, refuses_what_is_no_switch)
{
    AT_END(close_debug) struct debug d = open_debug();
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS settings = {.DefaultShaderPatchMode = 4};
    D3D12_DEBUG_DEVICE_GPU_BASED_VALIDATION_SETTINGS flags = {.PipelineStateCreateFlags = 8};
    const D3D12_DEBUG_DEVICE_GPU_SLOWDOWN_PERFORMANCE_FACTOR slowdown = {-1};
    const UINT features = 16, feature = 1;
    const struct {
        int type;
        const void *data;
        UINT size;
    } cases[] = {{FEATURES, &features, 4},
                 {FEATURES, NULL, 4},
                 {FEATURES, &feature, 3},
                 {FEATURES, &feature, 8},
                 {SETTINGS, &settings, sizeof settings},
                 {SETTINGS, &flags, sizeof flags},
                 {SETTINGS, &feature, 4},
                 {SLOWDOWN, &slowdown, 4},
                 {3, &feature, 4},
                 {-1, &feature, 4}};
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t i = 0; i < count; i++)
        cr_assert_eqs(ID3D12DebugDevice2_SetDebugParameter(
                          d.debug2, (D3D12_DEBUG_DEVICE_PARAMETER_TYPE)cases[i].type, cases[i].data,
                          cases[i].size),
                      E_INVALIDARG, kit_count(d.device, EMU_MESSAGE_INVALID_ARGUMENT), i + 1,
                      "case %zu", i);
    UINT got = 77;
    EXPECT_HR(ID3D12DebugDevice2_SetFeatureMask(d.debug2, (D3D12_DEBUG_FEATURE)16), E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice1_GetDebugParameter(d.debug1, FEATURES, NULL, 4), E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice1_GetDebugParameter(d.debug1, FEATURES, &got, 2), E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice1_GetDebugParameter(d.debug1, (D3D12_DEBUG_DEVICE_PARAMETER_TYPE)9,
                                                   &got, 4),
              E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice2_ReportLiveDeviceObjects(d.debug2, (D3D12_RLDO_FLAGS)8),
              E_INVALIDARG);
    EXPECT_HR(ID3D12DebugDevice1_ReportLiveDeviceObjects(d.debug1, (D3D12_RLDO_FLAGS)-1),
              E_INVALIDARG);
    cr_assert_eqs(got, 77, kit_messages(d.device), count + 6);
    expect_text(d.device, 0, "ID3D12DebugDevice::SetDebugParameter: invalid argument");
    expect_text(d.device, count, "ID3D12DebugDevice::SetFeatureMask: invalid argument");
    expect_text(d.device, count + 1, "ID3D12DebugDevice::GetDebugParameter: invalid argument");
    expect_text(d.device, count + 5,
                "ID3D12DebugDevice::ReportLiveDeviceObjects: invalid argument");
    cr_assert_eq(ID3D12DebugDevice2_GetFeatureMask(d.debug2), D3D12_DEBUG_FEATURE_NONE);
}
