/* A program that finds D3D12 and WinPixEventRuntime by name alone, as Dawn and DirectML do: every
 * function comes from GetProcAddress or dlsym. Its markers reach the driver and the dump of a hang
 * [ANN-PIX-06].
 *
 *     pix_runtime D3D12-LIBRARY PIX-LIBRARY [--tap FILE]
 */
#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <directx/d3d12video.h>
#include <annot/d3d12.h>
#include <annot/pix.h>
#include <annot/reader.h>
#include <emu/emu.h>

#include "cases.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#define DUMP_NAME      "pix_runtime.annotdmp"

#define SUCCEEDS(call) REQUIRE(SUCCEEDED(call))

/* ---- libraries by name ---- */

static void *d3d12_library, *pix_library;

static void *library_open(const char *path)
{
#ifdef _WIN32
    return (void *)LoadLibraryA(path);
#else
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
#endif
}

/* Fills a pointer to a function, whatever its type. */
static bool find(void *library, const char *name, void *function)
{
#ifdef _WIN32
    const FARPROC found = GetProcAddress((HMODULE)library, name);
#else
    void *const found = dlsym(library, name);
#endif
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

typedef void(WINAPI *begin_fn)(void *object, UINT64 color, const char *text);
typedef void(WINAPI *end_fn)(void *object);
typedef annot_result (*configure_fn)(const emu_config *config);
typedef const annot_driver *(*annotation_fn)(const char *driver);
typedef const void *(*bytecode_fn)(emu_kernel kernel, size_t *size);

/* ---- a device, found by name ---- */

static struct {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
} d;

static bool set_up(const emu_config *config)
{
    HRESULT(WINAPI * create)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    configure_fn configure;
    ID3D12DeviceTools2 *tools = NULL;
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
    REQUIRE(find(d3d12_library, "emu_configure", &configure));
    REQUIRE(find(d3d12_library, "D3D12CreateDevice", &create));
    REQUIRE(configure(config) == ANNOT_OK);
    SUCCEEDS(create(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&d.device));
    SUCCEEDS(ID3D12Device_QueryInterface(d.device, &IID_ID3D12DeviceTools2, (void **)&tools));
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
        tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12DeviceTools2_Release(tools);
    SUCCEEDS(ID3D12Device_CreateCommandQueue(d.device, &desc, &IID_ID3D12CommandQueue,
                                             (void **)&d.queue));
    SUCCEEDS(ID3D12Device_CreateCommandAllocator(d.device, desc.Type, &IID_ID3D12CommandAllocator,
                                                 (void **)&d.allocator));
    SUCCEEDS(ID3D12Device_CreateCommandList(d.device, 0, desc.Type, d.allocator, NULL,
                                            &IID_ID3D12GraphicsCommandList, (void **)&d.list));
    return true;
}

static bool tear_down(void)
{
    ID3D12GraphicsCommandList_Release(d.list);
    ID3D12CommandAllocator_Release(d.allocator);
    ID3D12CommandQueue_Release(d.queue);
    REQUIRE(ID3D12Device_Release(d.device) == 0);
    return true;
}

/* ---- a driver that writes down what it gets ---- */

static char heard[512];

static void hear(const char *verb, uint32_t metadata, const void *data, uint32_t size)
{
    char name[64] = "undecodable";
    annot_pix_event event = {0};
    if (metadata == ANNOT_PIX_METADATA_V1)
        annot_pix_decode(metadata, data, size, name, sizeof name, &event);
    const size_t used = strlen(heard);
    const char *kind = event.kind == ANNOT_PIX_KIND_BEGIN    ? " as a begin"
                       : event.kind == ANNOT_PIX_KIND_MARKER ? " as a marker"
                                                             : "";
    snprintf(heard + used, sizeof heard - used, "%s %s %08X%s\n", verb, name, event.color, kind);
}

static void ANNOT_DDI_CALL hear_list_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                           const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)id;
    hear("list begin", metadata, data, size);
}

static void ANNOT_DDI_CALL hear_list_marker(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                            const void *data, uint32_t size, uint64_t id)
{
    (void)list, (void)id;
    hear("list marker", metadata, data, size);
}

static void ANNOT_DDI_CALL hear_list_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    (void)list, (void)id;
    hear("list end", 0, NULL, 0);
}

static void ANNOT_DDI_CALL hear_queue_begin(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                            const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)id;
    hear("queue begin", metadata, data, size);
}

static void ANNOT_DDI_CALL hear_queue_marker(D3D12DDI_HCOMMANDQUEUE queue, uint32_t metadata,
                                             const void *data, uint32_t size, uint64_t id)
{
    (void)queue, (void)id;
    hear("queue marker", metadata, data, size);
}

static void ANNOT_DDI_CALL hear_queue_end(D3D12DDI_HCOMMANDQUEUE queue, uint64_t id)
{
    (void)queue, (void)id;
    hear("queue end", 0, NULL, 0);
}

/* ---- the cases ---- */

static const char *const kinds[] = {"CommandList", "CommandQueue", "VideoDecodeCommandList",
                                    "VideoProcessCommandList", "VideoEncodeCommandList"};
enum { KINDS = 5 };

static bool all_27_exports(void)
{
    static const char *const others[] = {
        "PIXGetThreadInfo",
        "PIXEventsReplaceBlock",
        "PIXBeginEventOnThread",
        "PIXSetMarkerOnThread",
        "PIXEndEventOnThread",
        "PIXReportCounter",
        "PIXNotifyWakeFromFenceSignal",
        "PIXRecordMemoryAllocationEvent",
        "PIXRecordMemoryFreeEvent",
        "PIXBeginCapture2",
        "PIXEndCapture",
        "PIXGetCaptureState",
    };
    static const char *const verbs[] = {"PIXBeginEventOn", "PIXSetMarkerOn", "PIXEndEventOn"};
    char name[64];
    void *function;
    int count = 0;
    for (int kind = 0; kind < KINDS; kind++)
        for (int verb = 0; verb < 3; verb++) {
            snprintf(name, sizeof name, "%s%s", verbs[verb], kinds[kind]);
            REQUIRE(find(pix_library, name, &function));
            count++;
        }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        REQUIRE(find(pix_library, others[i], &function));
        count++;
    }
    REQUIRE(count == 27);
    return true;
}

/* Begin, a marker, End, on an object and on NULL. */
static bool mark(const char *kind, void *object)
{
    char name[64];
    begin_fn begin, marker;
    end_fn end;
    snprintf(name, sizeof name, "PIXBeginEventOn%s", kind);
    REQUIRE(find(pix_library, name, &begin));
    snprintf(name, sizeof name, "PIXSetMarkerOn%s", kind);
    REQUIRE(find(pix_library, name, &marker));
    snprintf(name, sizeof name, "PIXEndEventOn%s", kind);
    REQUIRE(find(pix_library, name, &end));
    begin(NULL, 0, "nowhere");
    marker(NULL, 0, "nowhere");
    end(NULL);
    begin(object, 0xff102030, kind);
    marker(object, 5, "100 %d as it stands");
    end(object);
    return true;
}

static bool expect_heard(const char *object, const char *kind)
{
    char expected[256];
    snprintf(expected, sizeof expected,
             "%s begin %s FF102030 as a begin\n"
             "%s marker 100 %%d as it stands 00000005 as a marker\n"
             "%s end undecodable 00000000\n",
             object, kind, object, object);
    if (strcmp(heard, expected) != 0) {
        printf("# the driver got:\n# %s# and not:\n# %s", heard, expected);
        return false;
    }
    heard[0] = '\0';
    return true;
}

static bool mark_video(int kind, D3D12_COMMAND_LIST_TYPE type, const IID *iid)
{
    ID3D12CommandAllocator *allocator = NULL;
    ID3D12CommandList *list = NULL;
    SUCCEEDS(ID3D12Device_CreateCommandAllocator(d.device, type, &IID_ID3D12CommandAllocator,
                                                 (void **)&allocator));
    SUCCEEDS(
        ID3D12Device_CreateCommandList(d.device, 0, type, allocator, NULL, iid, (void **)&list));
    REQUIRE(mark(kinds[kind], list) && expect_heard("list", kinds[kind]));
    ID3D12CommandList_Release(list);
    ID3D12CommandAllocator_Release(allocator);
    return true;
}

static bool markers_reach_the_driver(void)
{
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static const annot_driver ear = {
        "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};
    annotation_fn annotation;
    emu_config config = EMU_CONFIG_INIT;
    REQUIRE(find(d3d12_library, "emu_driver_annotation", &annotation));
    table = *annotation("reference")->annotation;
    table.pfnCmdListBeginEvent = hear_list_begin;
    table.pfnCmdListSetMarker = hear_list_marker;
    table.pfnCmdListEndEvent = hear_list_end;
    table.pfnCmdQueueBeginEvent = hear_queue_begin;
    table.pfnCmdQueueSetMarker = hear_queue_marker;
    table.pfnCmdQueueEndEvent = hear_queue_end;
    config.annotation = &ear;
    heard[0] = '\0';
    REQUIRE(set_up(&config));
    REQUIRE(mark(kinds[0], d.list) && expect_heard("list", kinds[0]));
    REQUIRE(mark(kinds[1], d.queue) && expect_heard("queue", kinds[1]));
    REQUIRE(mark_video(2, D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE, &IID_ID3D12VideoDecodeCommandList));
    REQUIRE(
        mark_video(3, D3D12_COMMAND_LIST_TYPE_VIDEO_PROCESS, &IID_ID3D12VideoProcessCommandList));
    REQUIRE(mark_video(4, D3D12_COMMAND_LIST_TYPE_VIDEO_ENCODE, &IID_ID3D12VideoEncodeCommandList));
    return tear_down();
}

/* The question that pix3.h's inline encoder asks before it writes an event of the thread. */
static bool the_inline_encoder_has_nothing_to_write(void)
{
    struct {
        void *block;
        UINT64 *biasedLimit;
        UINT64 *destination;
    } * (WINAPI * thread_info)(void);
    UINT64(WINAPI * replace)(void *info, bool earliest);
    REQUIRE(find(pix_library, "PIXGetThreadInfo", &thread_info));
    REQUIRE(find(pix_library, "PIXEventsReplaceBlock", &replace));
    REQUIRE(thread_info() && !thread_info()->biasedLimit);
    REQUIRE(replace(thread_info(), false) == 0 && replace(thread_info(), true) == 0);
    REQUIRE(replace(NULL, true) == 0 && !thread_info()->biasedLimit);
    return true;
}

static bool the_rest_answers_harmlessly(void)
{
    void(WINAPI * thread_event)(UINT32, const char *);
    void(WINAPI * thread_end)(void);
    void(WINAPI * counter)(const WCHAR *, float);
    void(WINAPI * woken)(HANDLE);
    void(WINAPI * memory)(USHORT, void *, size_t, UINT64);
    HRESULT(WINAPI * begin_capture)(DWORD, const void *);
    HRESULT(WINAPI * end_capture)(BOOL);
    DWORD(WINAPI * state)(void);
    REQUIRE(find(pix_library, "PIXBeginEventOnThread", &thread_event));
    thread_event(1, "thread");
    thread_event(1, NULL);
    REQUIRE(find(pix_library, "PIXSetMarkerOnThread", &thread_event));
    thread_event(1, "thread");
    REQUIRE(find(pix_library, "PIXEndEventOnThread", &thread_end));
    thread_end();
    REQUIRE(find(pix_library, "PIXReportCounter", &counter));
    counter(L"counter", 0.5f);
    counter(NULL, 0);
    REQUIRE(find(pix_library, "PIXNotifyWakeFromFenceSignal", &woken));
    woken(NULL);
    REQUIRE(find(pix_library, "PIXRecordMemoryAllocationEvent", &memory));
    memory(1, NULL, SIZE_MAX, 0);
    REQUIRE(find(pix_library, "PIXRecordMemoryFreeEvent", &memory));
    memory(1, NULL, 0, UINT64_MAX);
    REQUIRE(find(pix_library, "PIXBeginCapture2", &begin_capture));
    REQUIRE(find(pix_library, "PIXEndCapture", &end_capture));
    REQUIRE(find(pix_library, "PIXGetCaptureState", &state));
    REQUIRE((UINT32)begin_capture(2, NULL) == 0x8007007E && state() == 0);
    REQUIRE((UINT32)end_capture(FALSE) == 0x8007007E);
    return true;
}

static bool dispatch_that_hangs(ID3D12RootSignature **signature, ID3D12PipelineState **pipeline)
{
    HRESULT(WINAPI * serialize)
    (const D3D12_ROOT_SIGNATURE_DESC *, D3D_ROOT_SIGNATURE_VERSION, ID3DBlob **, ID3DBlob **);
    bytecode_fn bytecode;
    const D3D12_ROOT_SIGNATURE_DESC desc = {0};
    D3D12_COMPUTE_PIPELINE_STATE_DESC compute = {0};
    ID3DBlob *blob = NULL;
    REQUIRE(find(d3d12_library, "D3D12SerializeRootSignature", &serialize));
    REQUIRE(find(d3d12_library, "emu_kernel_bytecode", &bytecode));
    SUCCEEDS(serialize(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    SUCCEEDS(ID3D12Device_CreateRootSignature(d.device, 0, ID3D10Blob_GetBufferPointer(blob),
                                              ID3D10Blob_GetBufferSize(blob),
                                              &IID_ID3D12RootSignature, (void **)signature));
    ID3D10Blob_Release(blob);
    compute.pRootSignature = *signature;
    compute.CS.pShaderBytecode = bytecode(EMU_KERNEL_SPIN, &compute.CS.BytecodeLength);
    SUCCEEDS(ID3D12Device_CreateComputePipelineState(d.device, &compute, &IID_ID3D12PipelineState,
                                                     (void **)pipeline));
    ID3D12GraphicsCommandList_SetComputeRootSignature(d.list, *signature);
    ID3D12GraphicsCommandList_SetPipelineState(d.list, *pipeline);
    ID3D12GraphicsCommandList_Dispatch(d.list, 1, 1, 1);
    return true;
}

static bool the_dump_shows_the_path(void)
{
    annot_reader *reader = NULL;
    char path[128] = "";
    REQUIRE(annot_reader_open_file(NULL, DUMP_NAME, &reader) == ANNOT_OK);
    REQUIRE(annot_reader_stop_count(reader) == 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    annot_reader_close(reader);
    printf("# stopped in: %s\n", path);
    REQUIRE(strcmp(path, "frame of a queue / particles") == 0);
    return true;
}

static bool a_hang_is_found_by_these_markers(void)
{
    emu_config config = EMU_CONFIG_INIT;
    ID3D12RootSignature *signature = NULL;
    ID3D12PipelineState *pipeline = NULL;
    ID3D12Fence *fence = NULL;
    begin_fn begin, begin_queue;
    end_fn end, end_queue;
    config.order = EMU_ORDER_SEEDED;
    remove(DUMP_NAME); /* of an earlier run: a dump replaces nothing */
    config.dump_path = DUMP_NAME;
    REQUIRE(set_up(&config));
    REQUIRE(find(pix_library, "PIXBeginEventOnCommandList", &begin));
    REQUIRE(find(pix_library, "PIXEndEventOnCommandList", &end));
    REQUIRE(find(pix_library, "PIXBeginEventOnCommandQueue", &begin_queue));
    REQUIRE(find(pix_library, "PIXEndEventOnCommandQueue", &end_queue));
    SUCCEEDS(ID3D12Device_CreateFence(d.device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                      (void **)&fence));
    begin(d.list, 0xff00ff00, "particles");
    REQUIRE(dispatch_that_hangs(&signature, &pipeline));
    end(d.list);
    SUCCEEDS(ID3D12GraphicsCommandList_Close(d.list));
    begin_queue(d.queue, 1, "frame of a queue");
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)d.list};
    ID3D12CommandQueue_ExecuteCommandLists(d.queue, 1, lists);
    end_queue(d.queue);
    SUCCEEDS(ID3D12CommandQueue_Signal(d.queue, fence, 1));
    SUCCEEDS(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
    REQUIRE(ID3D12Device_GetDeviceRemovedReason(d.device) == DXGI_ERROR_DEVICE_HUNG);
    ID3D12Fence_Release(fence);
    ID3D12PipelineState_Release(pipeline);
    ID3D12RootSignature_Release(signature);
    return tear_down() && the_dump_shows_the_path();
}

static const struct named_case cases[] = {
    {"all 27 exports", all_27_exports},
    {"markers on lists, queues and video lists reach the driver as v1 events",
     markers_reach_the_driver},
    {"the inline encoder has nothing to write", the_inline_encoder_has_nothing_to_write},
    {"the rest answers harmlessly", the_rest_answers_harmlessly},
    {"a hang is found by these markers", a_hang_is_found_by_these_markers},
};

int main(int argc, char **argv)
{
    if (argc < 3 || !(d3d12_library = library_open(argv[1])) ||
        !(pix_library = library_open(argv[2]))) {
        printf("usage: pix_runtime D3D12-LIBRARY PIX-LIBRARY [--tap FILE]; both must load\n");
        return 2;
    }
    return run_cases(cases, (int)(sizeof cases / sizeof cases[0]), argv + 3);
}
