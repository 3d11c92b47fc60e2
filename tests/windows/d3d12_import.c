/* A D3D12 program as Windows has them: D3D12 through the import library of the system, events of
 * the system, wide names, and this emulator's d3d12.dll beside the executable [ANN-PORT-01, -02].
 * It builds and runs on Linux too, against libd3d12.so, in either ABI. No test framework: there is
 * none for mingw-w64.
 *
 *     d3d12_import [--tap FILE]     prints TAP, ends with "N passed, N failed";
 *                                   leaves DUMP_NAME in its folder
 */
#define COBJMACROS
#define USE_PIX
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <annot/pix3.h>
#include <annot/reader.h>
#include <emu/emu.h>

#include "base/abi.h"
#include "cases.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#endif

/* Paths are UTF-8 everywhere. */
#define DUMP_NAME      "h\xC3\xA4nger.annotdmp"

#define SUCCEEDS(call) REQUIRE(SUCCEEDED(call))

enum { WORDS = 256 };

/* ---- the system's events ---- */

#ifdef _WIN32

static HANDLE event_create(void)
{
    return CreateEventW(NULL, FALSE, FALSE, NULL);
}

static bool event_wait(HANDLE event, int milliseconds)
{
    return WaitForSingleObject(event, (DWORD)milliseconds) == WAIT_OBJECT_0;
}

static void event_close(HANDLE event)
{
    CloseHandle(event);
}

/* By name and, on Windows, by the ordinal that d3d12.lib may bind to. */
static bool is_exported(const char *name, int ordinal)
{
    HMODULE module = GetModuleHandleW(L"d3d12.dll");
    FARPROC by_name = module ? GetProcAddress(module, name) : NULL;
    return by_name && by_name == GetProcAddress(module, (const char *)(intptr_t)ordinal);
}

#else

static HANDLE event_create(void)
{
    return (HANDLE)(intptr_t)eventfd(0, EFD_CLOEXEC);
}

static bool event_wait(HANDLE event, int milliseconds)
{
    struct pollfd poller = {.fd = (int)(intptr_t)event, .events = POLLIN};
    uint64_t count;
    return poll(&poller, 1, milliseconds) == 1 &&
           read(poller.fd, &count, sizeof count) == sizeof count;
}

static void event_close(HANDLE event)
{
    close((int)(intptr_t)event);
}

static bool is_exported(const char *name, int ordinal)
{
    (void)ordinal;
    return dlsym(RTLD_DEFAULT, name) != NULL;
}

#endif

/* ---- what every case needs ---- */

static struct {
    ID3D12Device *device;
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Fence *fence;
    ID3D12RootSignature *signature;
} d;

static bool create_signature(void)
{
    const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    ID3DBlob *blob = NULL;
    SUCCEEDS(D3D12SerializeRootSignature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    SUCCEEDS(ID3D12Device_CreateRootSignature(d.device, 0, ID3D10Blob_GetBufferPointer(blob),
                                              ID3D10Blob_GetBufferSize(blob),
                                              &IID_ID3D12RootSignature, (void **)&d.signature));
    ID3D10Blob_Release(blob);
    return true;
}

static bool set_up(const emu_config *config)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = direct, .Priority = 100};
    ID3D12DeviceTools2 *tools;
    ID3D12Debug *debug;
    memset(&d, 0, sizeof d);
    SUCCEEDS(D3D12GetDebugInterface(&IID_ID3D12Debug, (void **)&debug));
    ID3D12Debug_EnableDebugLayer(debug);
    ID3D12Debug_Release(debug);
    REQUIRE(emu_configure(config) == ANNOT_OK);
    SUCCEEDS(
        D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&d.device));
    SUCCEEDS(ID3D12Device_QueryInterface(d.device, &IID_ID3D12DeviceTools2, (void **)&tools));
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
        tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    REQUIRE(ID3D12DeviceTools2_GetUserDefinedAnnotationMode(tools) ==
            D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12DeviceTools2_Release(tools);
    SUCCEEDS(ID3D12Device_CreateCommandQueue(d.device, &desc, &IID_ID3D12CommandQueue,
                                             (void **)&d.queue));
    SUCCEEDS(ID3D12Device_CreateCommandAllocator(d.device, direct, &IID_ID3D12CommandAllocator,
                                                 (void **)&d.allocator));
    SUCCEEDS(ID3D12Device_CreateCommandList(d.device, 0, direct, d.allocator, NULL,
                                            &IID_ID3D12GraphicsCommandList, (void **)&d.list));
    SUCCEEDS(ID3D12Device_CreateFence(d.device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                      (void **)&d.fence));
    return create_signature();
}

static bool tear_down(void)
{
    ID3D12RootSignature_Release(d.signature);
    ID3D12Fence_Release(d.fence);
    ID3D12GraphicsCommandList_Release(d.list);
    ID3D12CommandAllocator_Release(d.allocator);
    ID3D12CommandQueue_Release(d.queue);
    REQUIRE(ID3D12Device_Release(d.device) == 0);
    return true;
}

static const D3D12_RESOURCE_DESC buffer_desc = {
    .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
    .Width = WORDS * sizeof(uint32_t),
    .Height = 1,
    .DepthOrArraySize = 1,
    .MipLevels = 1,
    .SampleDesc = {.Count = 1},
    .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
};

static ID3D12Resource *readback_buffer(void)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_READBACK};
    ID3D12Resource *buffer = NULL;
    ID3D12Device_CreateCommittedResource(d.device, &heap, D3D12_HEAP_FLAG_NONE, &buffer_desc,
                                         D3D12_RESOURCE_STATE_COPY_DEST, NULL, &IID_ID3D12Resource,
                                         (void **)&buffer);
    return buffer;
}

/* The pipeline is kept by the list no longer than until its execution: release it after that. */
static ID3D12PipelineState *dispatch(emu_kernel kernel, ID3D12Resource *to, UINT value)
{
    const UINT constants[2] = {value, WORDS};
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = d.signature};
    ID3D12PipelineState *pipeline = NULL;
    desc.CS.pShaderBytecode = emu_kernel_bytecode(kernel, &desc.CS.BytecodeLength);
    if (FAILED(ID3D12Device_CreateComputePipelineState(d.device, &desc, &IID_ID3D12PipelineState,
                                                       (void **)&pipeline)))
        return NULL;
    ID3D12GraphicsCommandList_SetComputeRootSignature(d.list, d.signature);
    ID3D12GraphicsCommandList_SetPipelineState(d.list, pipeline);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        d.list, 0, ID3D12Resource_GetGPUVirtualAddress(to));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(d.list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(d.list, 1, 1, 1);
    return pipeline;
}

static bool execute(void)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)d.list};
    SUCCEEDS(ID3D12GraphicsCommandList_Close(d.list));
    ID3D12CommandQueue_ExecuteCommandLists(d.queue, 1, lists);
    SUCCEEDS(ID3D12CommandQueue_Signal(d.queue, d.fence, 1));
    return true;
}

/* ---- the cases ---- */

static bool exports(void)
{
    static const struct {
        const char *name;
        int ordinal;
    } all[] = {
        {"D3D12CreateDevice", 101},
        {"D3D12GetDebugInterface", 102},
        {"D3D12CreateRootSignatureDeserializer", 107},
        {"D3D12CreateVersionedRootSignatureDeserializer", 108},
        {"D3D12EnableExperimentalFeatures", 110},
        {"D3D12GetInterface", 111},
        {"D3D12SerializeRootSignature", 115},
        {"D3D12SerializeVersionedRootSignature", 116},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        REQUIRE(is_exported(all[i].name, all[i].ordinal));
    return true;
}

static bool support(void)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {0};
    REQUIRE(set_up(NULL));
    SUCCEEDS(ID3D12Device_CheckFeatureSupport(d.device, D3D12_FEATURE_USER_DEFINED_ANNOTATION,
                                              &data, sizeof data));
    REQUIRE(data.Supported);
    return tear_down();
}

/* Large ones and small ones: where binary interfaces differ. */
static bool returned_structs(void)
{
    D3D12_COMMAND_QUEUE_DESC queue;
    D3D12_RESOURCE_DESC buffer;
    D3D12_RESOURCE_ALLOCATION_INFO info;
    D3D12_HEAP_PROPERTIES heap;
    LUID luid;
    REQUIRE(set_up(NULL));
    ABI_CALL_STRUCT(d.queue, GetDesc, &queue);
    REQUIRE(queue.Type == D3D12_COMMAND_LIST_TYPE_DIRECT && queue.Priority == 100);
    ID3D12Resource *resource = readback_buffer();
    REQUIRE(resource);
    ABI_CALL_STRUCT(resource, GetDesc, &buffer);
    REQUIRE(buffer.Width == WORDS * sizeof(uint32_t) && buffer.MipLevels == 1);
    ID3D12Resource_Release(resource);
    ABI_CALL_STRUCT_ARGS(d.device, GetResourceAllocationInfo, &info, 0, 1, &buffer_desc);
    REQUIRE(info.SizeInBytes == 65536 && info.Alignment == 65536);
    ABI_CALL_STRUCT_ARGS(d.device, GetCustomHeapProperties, &heap, 0, D3D12_HEAP_TYPE_UPLOAD);
    REQUIRE(heap.Type == D3D12_HEAP_TYPE_CUSTOM);
    ABI_CALL_STRUCT(d.device, GetAdapterLuid, &luid);
    REQUIRE(luid.LowPart != 0);
    return tear_down();
}

static struct {
    WCHAR name[16];
    uint64_t begun, ended;
    uint32_t metadata, size;
} heard;

static void ANNOT_DDI_CALL hear_begin(D3D12DDI_HCOMMANDLIST list, uint32_t metadata,
                                      const void *data, uint32_t size, uint64_t id)
{
    heard.begun = id;
    heard.metadata = metadata;
    heard.size = size;
    emu_driver_annotation("reference")
        ->annotation->pfnCmdListBeginEvent(list, metadata, data, size, id);
}

static void ANNOT_DDI_CALL hear_end(D3D12DDI_HCOMMANDLIST list, uint64_t id)
{
    heard.ended = id;
    emu_driver_annotation("reference")->annotation->pfnCmdListEndEvent(list, id);
}

static void ANNOT_DDI_CALL hear_name(D3D12DDI_HANDLE_AND_TYPE object, const WCHAR *name)
{
    size_t length = 0;
    while (name && name[length] && length < 15)
        length++;
    memset(heard.name, 0, sizeof heard.name);
    memcpy(heard.name, name, length * sizeof *name);
    emu_driver_annotation("reference")->annotation->pfnSetName(object, name);
}

static bool markers_and_names_reach_the_driver(void)
{
    static const WCHAR wide[] = L"L\u00E4mpchen"; /* in whatever width WCHAR has */
    static D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 table;
    static const annot_driver ear = {
        "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &table, 0};
    emu_config config = EMU_CONFIG_INIT;
    table = *emu_driver_annotation("reference")->annotation;
    table.pfnCmdListBeginEvent = hear_begin;
    table.pfnCmdListEndEvent = hear_end;
    table.pfnSetName = hear_name;
    config.annotation = &ear;
    REQUIRE(set_up(&config));

    SUCCEEDS(ID3D12CommandQueue_SetName(d.queue, wide));
    REQUIRE(memcmp(heard.name, wide, sizeof wide) == 0);
    WCHAR back[16];
    UINT size = sizeof back;
    SUCCEEDS(ID3D12CommandQueue_GetPrivateData(d.queue, &WKPDID_D3DDebugObjectNameW, &size, back));
    REQUIRE(size == sizeof wide && memcmp(back, wide, size) == 0);

    PIXBeginEvent(d.list, PIX_COLOR(1, 2, 3), "pass %d", 1);
    PIXEndEvent(d.list);
    REQUIRE(heard.begun != 0 && heard.ended == heard.begun);
    REQUIRE(heard.metadata == ANNOT_PIX_MACRO_METADATA && heard.size != 0);
    SUCCEEDS(ID3D12GraphicsCommandList_Close(d.list));
    return tear_down();
}

static bool gpu_work_signals_an_event(void)
{
    REQUIRE(set_up(NULL));
    HANDLE event = event_create();
    ID3D12Resource *buffer = readback_buffer();
    REQUIRE(buffer);
    SUCCEEDS(ID3D12Fence_SetEventOnCompletion(d.fence, 1, event));
    REQUIRE(!event_wait(event, 0));
    ID3D12PipelineState *pipeline = dispatch(EMU_KERNEL_FILL, buffer, 0x00C0FFEE);
    REQUIRE(pipeline && execute());
    REQUIRE(event_wait(event, 20000));
    REQUIRE(ID3D12Fence_GetCompletedValue(d.fence) == 1);
    uint32_t *words = NULL;
    SUCCEEDS(ID3D12Resource_Map(buffer, 0, NULL, (void **)&words));
    for (int i = 0; i < WORDS; i++)
        REQUIRE(words[i] == 0x00C0FFEE);
    event_close(event);
    ID3D12PipelineState_Release(pipeline);
    ID3D12Resource_Release(buffer);
    return tear_down();
}

static bool an_event_may_be_closed_before_it_is_signalled(void)
{
    REQUIRE(set_up(NULL));
    HANDLE early = event_create(), late = event_create();
    SUCCEEDS(ID3D12Fence_SetEventOnCompletion(d.fence, 1, early));
    SUCCEEDS(ID3D12Fence_SetEventOnCompletion(d.fence, 2, late));
    event_close(early);
    SUCCEEDS(ID3D12Fence_Signal(d.fence, 1));
    REQUIRE(!event_wait(late, 0));
    SUCCEEDS(ID3D12Fence_Signal(d.fence, 2));
    REQUIRE(event_wait(late, 0));
    event_close(late);
    return tear_down();
}

static bool several_fences_signal_one_event(void)
{
    static const UINT64 values[2] = {1, 5};
    ID3D12Device1 *device = NULL;
    ID3D12Fence *fences[2] = {NULL, NULL};
    REQUIRE(set_up(NULL));
    SUCCEEDS(ID3D12Device_QueryInterface(d.device, &IID_ID3D12Device1, (void **)&device));
    SUCCEEDS(ID3D12Device_CreateFence(d.device, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                      (void **)&fences[1]));
    fences[0] = d.fence;
    HANDLE all = event_create(), any = event_create();
    SUCCEEDS(ID3D12Device1_SetEventOnMultipleFenceCompletion(
        device, fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ALL, all));
    SUCCEEDS(ID3D12Device1_SetEventOnMultipleFenceCompletion(
        device, fences, values, 2, D3D12_MULTIPLE_FENCE_WAIT_FLAG_ANY, any));
    SUCCEEDS(ID3D12CommandQueue_Signal(d.queue, fences[1], 5));
    REQUIRE(event_wait(any, 20000) && !event_wait(all, 0));
    SUCCEEDS(ID3D12CommandQueue_Signal(d.queue, fences[0], 1));
    REQUIRE(event_wait(all, 20000) && !event_wait(any, 0));
    event_close(all);
    event_close(any);
    ID3D12Fence_Release(fences[1]);
    ID3D12Device1_Release(device);
    return tear_down();
}

static void STDMETHODCALLTYPE hear_message(D3D12_MESSAGE_CATEGORY category,
                                           D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id,
                                           LPCSTR text, void *user)
{
    (void)category;
    if (severity == D3D12_MESSAGE_SEVERITY_ERROR && strstr(text, "CreateCommandQueue"))
        *(int *)user = (int)id;
}

static bool mistakes_are_told(void)
{
    D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_BUNDLE};
    ID3D12InfoQueue1 *messages = NULL;
    ID3D12DebugDevice *debug = NULL;
    void *out = &out;
    DWORD cookie = 0;
    int heard_id = 0;
    REQUIRE(set_up(NULL));
    SUCCEEDS(ID3D12Device_QueryInterface(d.device, &IID_ID3D12InfoQueue1, (void **)&messages));
    SUCCEEDS(ID3D12InfoQueue1_RegisterMessageCallback(
        messages, hear_message, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &heard_id, &cookie));
    const UINT64 before = ID3D12InfoQueue1_GetNumStoredMessages(messages);
    REQUIRE(ID3D12Device_CreateCommandQueue(d.device, &desc, &IID_ID3D12CommandQueue, &out) ==
            E_INVALIDARG);
    REQUIRE(!out && heard_id == (int)EMU_MESSAGE_INVALID_ARGUMENT);
    REQUIRE(ID3D12InfoQueue1_GetNumStoredMessages(messages) == before + 1);
    SUCCEEDS(ID3D12InfoQueue1_UnregisterMessageCallback(messages, cookie));
    SUCCEEDS(ID3D12Device_QueryInterface(d.device, &IID_ID3D12DebugDevice, (void **)&debug));
    SUCCEEDS(ID3D12DebugDevice_ReportLiveDeviceObjects(debug, D3D12_RLDO_DETAIL));
    REQUIRE(ID3D12InfoQueue1_GetNumStoredMessages(messages) == before + 2);
    ID3D12DebugDevice_Release(debug);
    ID3D12InfoQueue1_Release(messages);
    return tear_down();
}

static void *signal_later(void *fence)
{
    ID3D12Fence_Signal((ID3D12Fence *)fence, 1);
    return NULL;
}

static bool a_wait_without_event_blocks_until_the_value(void)
{
    pthread_t thread;
    REQUIRE(set_up(NULL));
    REQUIRE(pthread_create(&thread, NULL, signal_later, d.fence) == 0);
    SUCCEEDS(ID3D12Fence_SetEventOnCompletion(d.fence, 1, NULL));
    REQUIRE(ID3D12Fence_GetCompletedValue(d.fence) == 1);
    pthread_join(thread, NULL);
    return tear_down();
}

static bool dump_shows_the_path(const char *dump)
{
    annot_reader *reader = NULL;
    char path[256] = "";
    REQUIRE(annot_reader_open_file(NULL, dump, &reader) == ANNOT_OK);
    REQUIRE(annot_reader_stop_count(reader) == 1);
    annot_reader_stop_path(reader, 0, path, sizeof path);
    printf("# stopped in: %s\n", path);
    REQUIRE(strcmp(path, "frame 7 / the dispatch that hangs") == 0);
    annot_reader_close(reader);
    return true;
}

/* A dump replaces nothing, so one of an earlier run has to go. */
static void remove_dump(void)
{
#ifdef _WIN32
    _wremove(L"h\u00E4nger.annotdmp");
#else
    remove(DUMP_NAME);
#endif
}

static bool a_hang_removes_the_device_and_leaves_a_dump(void)
{
    emu_config config = EMU_CONFIG_INIT;
    config.tdr_timeout_ns = 300000000;
    config.dump_path = DUMP_NAME;
    for (int round = 0; round < 2; round++) {
        remove_dump();
        REQUIRE(set_up(&config));
        SUCCEEDS(ID3D12CommandQueue_SetName(d.queue, L"the queue that hangs"));
        HANDLE event = event_create();
        ID3D12Resource *buffer = readback_buffer();
        REQUIRE(buffer);
        SUCCEEDS(ID3D12Fence_SetEventOnCompletion(d.fence, 1, event));
        PIXBeginEvent(d.list, PIX_COLOR_DEFAULT, "frame %d", 7);
        PIXBeginEvent(d.list, PIX_COLOR_DEFAULT, "the dispatch that hangs");
        ID3D12PipelineState *pipeline = dispatch(EMU_KERNEL_SPIN, buffer, 0);
        PIXEndEvent(d.list);
        PIXEndEvent(d.list);
        REQUIRE(pipeline && execute());
        REQUIRE(event_wait(event, 20000)); /* removal completes every fence */
        REQUIRE(ID3D12Device_GetDeviceRemovedReason(d.device) == DXGI_ERROR_DEVICE_HUNG);
        REQUIRE(ID3D12Fence_GetCompletedValue(d.fence) == UINT64_MAX);
        event_close(event);
        ID3D12PipelineState_Release(pipeline);
        ID3D12Resource_Release(buffer);
        REQUIRE(tear_down());
        REQUIRE(dump_shows_the_path(DUMP_NAME));
    }
    return true;
}

static const struct named_case cases[] = {
    {"the eight exports of d3d12.dll", exports},
    {"a device and its support of annotations", support},
    {"methods that return structs", returned_structs},
    {"markers and names reach the driver", markers_and_names_reach_the_driver},
    {"GPU work signals an event and can be read back", gpu_work_signals_an_event},
    {"an event may be closed before it is signalled",
     an_event_may_be_closed_before_it_is_signalled},
    {"several fences signal one event", several_fences_signal_one_event},
    {"mistakes are told, and what lives", mistakes_are_told},
    {"a wait without event blocks until the value", a_wait_without_event_blocks_until_the_value},
    {"a hang removes the device and leaves a dump", a_hang_removes_the_device_and_leaves_a_dump},
};

int main(int argc, char **argv)
{
    (void)argc;
    return run_cases(cases, (int)(sizeof cases / sizeof cases[0]), argv + 1);
}
