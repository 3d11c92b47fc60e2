#include "kit.h"

/* ---- devices ---- */

static HRESULT try_create(ID3D12Device **device)
{
    return the_runtime.create_device(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                     (void **)device);
}

emu_config kit_config(void)
{
    emu_config config = EMU_CONFIG_INIT;
    config.driver = case_driver_name();
    config.order = EMU_ORDER_SEEDED;
    config.seed = kit_seed(0);
    return config;
}

uint64_t kit_seed(uint64_t number)
{
    const char *driver = case_driver_name();
    const bool is_hostile = driver && strcmp(driver, "hostile") == 0;
    return number << 6 | (is_hostile ? EMU_LIES_MARKERS | EMU_LIES_REPORT : 0);
}

/* As try_create: the driver's table in place of the runtime's own. */
static HRESULT try_create_on(const annot_driver *driver, ID3D12Device **device)
{
    char reason[80];
    const int result = the_runtime.set_driver(driver);
    snprintf(reason, sizeof reason, ANNOT_CONFORMANCE_SET_DRIVER " refused the suite's driver: %d",
             result);
    if (result != ANNOT_OK)
        case_stop(reason);
    const HRESULT hr = try_create(device);
    REQUIRE_EQ(the_runtime.set_driver(NULL), ANNOT_OK);
    return hr;
}

HRESULT kit_device_try(const emu_config *config, ID3D12Device **device)
{
    if (!the_runtime.configure)
        return config->annotation ? try_create_on(config->annotation, device) : try_create(device);
    REQUIRE_EQ(the_runtime.configure(config), ANNOT_OK);
    const HRESULT hr = try_create(device);
    REQUIRE_EQ(the_runtime.configure(NULL), ANNOT_OK);
    return hr;
}

ID3D12Device *kit_device_with(const emu_config *config, kit_mode mode)
{
    ID3D12Device *device = NULL;
    REQUIRE_OK(kit_device_try(config, &device));
    if (mode)
        kit_set_mode(device, mode);
    return device;
}

ID3D12Device *kit_device(kit_mode mode)
{
    const emu_config config = kit_config();
    return kit_device_with(&config, mode);
}

ID3D12Device *kit_device_on(const annot_driver *driver, kit_mode mode)
{
    emu_config config = kit_config();
    config.annotation = driver;
    return kit_device_with(&config, mode);
}

const annot_driver *kit_driver(void)
{
    const char *name = case_driver_name();
    return name && the_runtime.driver_annotation ? the_runtime.driver_annotation(name) : NULL;
}

ID3D12Device *kit_spied_device(kit_mode mode)
{
    return kit_device_on(spy_driver(kit_driver()), mode);
}

void kit_device_done(ID3D12Device *device)
{
    EXPECT_EQ(ID3D12Device_Release(device), 0);
}

void kit_device_end(ID3D12Device **device)
{
    kit_device_done(*device);
}

void kit_remove(ID3D12Device *device)
{
    ID3D12Device5 *face = NULL;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device5, (void **)&face)))
        SKIP("needs ID3D12Device5::RemoveDevice, which the device does not have");
    ID3D12Device5_RemoveDevice(face);
    kit_release(face);
    REQUIRE(FAILED(ID3D12Device_GetDeviceRemovedReason(device)));
}

const char *const kit_letter_rows[] = {"published", "v0.06", NULL};
const struct kit_letter_of kit_letters[KIT_LETTERS] = {
    {&IID_ID3D12DeviceTools2, 0, (D3D12_FEATURE)73, 1465, true},
    {&annot_IID_ID3D12DeviceTools2_v006, 1, (D3D12_FEATURE)66, 1464, false}};

static const struct kit_letter_of *letter_asked;

void kit_use_letter(enum kit_letter letter)
{
    letter_asked = &kit_letters[letter];
}

static void *face_of(ID3D12Device *device, const struct kit_letter_of *letter)
{
    void *face = NULL;
    const HRESULT hr = ID3D12Device_QueryInterface(device, letter->iid, &face);
    if (hr != E_NOINTERFACE)
        REQUIRE_OK(hr);
    return face;
}

/* That a device has one is a case of its own, mode/devices_have_their_tools; the others are tested
 * as far as they don't need it. */
const struct kit_letter_of *kit_letter(ID3D12Device *device)
{
    const struct kit_letter_of *letter = letter_asked ? letter_asked : kit_letters;
    for (; letter < kit_letters + KIT_LETTERS; letter++) {
        IUnknown *face = face_of(device, letter);
        kit_release(face);
        if (face)
            return letter;
        if (letter_asked)
            break;
    }
    if (!letter_asked)
        case_note("the device has no ID3D12DeviceTools2");
    return NULL;
}

static const struct kit_letter_of *need_letter(ID3D12Device *device)
{
    const struct kit_letter_of *letter = kit_letter(device);
    if (!letter)
        SKIP("needs ID3D12DeviceTools2, which the device does not have");
    return letter;
}

HRESULT kit_try_mode(ID3D12Device *device, unsigned number)
{
    const struct kit_letter_of *letter = need_letter(device);
    OWNED void *face = face_of(device, letter);
    if (letter->has_result)
        return ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
            (ID3D12DeviceTools2 *)face, (D3D12_USER_DEFINED_ANNOTATION_MODE)number);
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode((annot_ID3D12DeviceTools2_v006 *)face,
                                                    (annot_D3D12_MODE_V006)number);
    return S_OK;
}

void kit_set_mode(ID3D12Device *device, kit_mode mode)
{
    const struct kit_letter_of *letter = kit_letter(device);
    if (!letter && mode == RUNTIME)
        return; /* it is the only mode that there is */
    EXPECT_OK(kit_try_mode(device, (unsigned)mode - RUNTIME + need_letter(device)->runtime));
}

kit_mode kit_get_mode(ID3D12Device *device)
{
    const struct kit_letter_of *letter = need_letter(device);
    OWNED void *face = face_of(device, letter);
    const unsigned number =
        (unsigned)ID3D12DeviceTools2_GetUserDefinedAnnotationMode((ID3D12DeviceTools2 *)face);
    return (kit_mode)(number - letter->runtime + RUNTIME);
}

bool kit_is_supported(ID3D12Device *device)
{
    D3D12_FEATURE_DATA_USER_DEFINED_ANNOTATION data = {0};
    REQUIRE_OK(
        ID3D12Device_CheckFeatureSupport(device, need_letter(device)->feature, &data, sizeof data));
    return data.Supported != FALSE;
}

annot_device *kit_annot(ID3D12Device *device)
{
    annot_device *annot = the_runtime.device(device);
    REQUIRE(annot);
    return annot;
}

annot_lookup kit_lookup(ID3D12Device *device, uint64_t event_id)
{
    annot_marker_info info;
    return the_runtime.lookup(kit_annot(device), event_id, &info, NULL, 0);
}

ULONG kit_references(void *object)
{
    IUnknown *unknown = object;
    IUnknown_AddRef(unknown);
    return IUnknown_Release(unknown);
}

void kit_release(void *object)
{
    IUnknown *unknown = object;
    if (unknown)
        IUnknown_Release(unknown);
}

void kit_release_end(void *pointer)
{
    void *object;
    memcpy(&object, pointer, sizeof object);
    kit_release(object);
}

/* ---- command lists ---- */

const char *const kit_list_rows[] = {"direct",       "bundle",        "compute",      "copy",
                                     "video-decode", "video-process", "video-encode", NULL};

ID3D12CommandAllocator *kit_allocator(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandAllocator *allocator = NULL;
    const HRESULT hr = ID3D12Device_CreateCommandAllocator(
        device, type, &IID_ID3D12CommandAllocator, (void **)&allocator);
    if (FAILED(hr) && type >= DECODE)
        SKIP("needs video, which the device does not have");
    REQUIRE_OK(hr);
    return allocator;
}

ID3D12CommandList *kit_list_on(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type,
                               ID3D12CommandAllocator *allocator)
{
    const IID *const iid = type == DECODE    ? &IID_ID3D12VideoDecodeCommandList
                           : type == PROCESS ? &IID_ID3D12VideoProcessCommandList
                           : type == ENCODE  ? &IID_ID3D12VideoEncodeCommandList
                                             : &IID_ID3D12GraphicsCommandList;
    ID3D12CommandList *list = NULL;
    REQUIRE_OK(
        ID3D12Device_CreateCommandList(device, 0, type, allocator, NULL, iid, (void **)&list));
    return list;
}

struct kit_list kit_list(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type)
{
    ID3D12CommandAllocator *allocator = kit_allocator(device, type);
    return (struct kit_list){type, allocator, kit_list_on(device, type, allocator)};
}

ID3D12GraphicsCommandList *kit_graphics(const struct kit_list *list)
{
    REQUIRE(list->type <= COPY);
    return (ID3D12GraphicsCommandList *)list->list;
}

/* A method that all four interfaces have, though not at one place. */
#define CALL(type, list, Method, ...) (((type *)(list)->list)->lpVtbl->Method(__VA_ARGS__))
#define EACH(l, Method, ...)                                                                       \
    ((l)->type == DECODE    ? CALL(ID3D12VideoDecodeCommandList, l, Method, __VA_ARGS__)           \
     : (l)->type == PROCESS ? CALL(ID3D12VideoProcessCommandList, l, Method, __VA_ARGS__)          \
     : (l)->type == ENCODE  ? CALL(ID3D12VideoEncodeCommandList, l, Method, __VA_ARGS__)           \
                            : CALL(ID3D12GraphicsCommandList, l, Method, __VA_ARGS__))
#define SELF(l) ((void *)(l)->list)

void kit_begin(const struct kit_list *list, UINT metadata, const void *data, UINT size)
{
    EACH(list, BeginEvent, SELF(list), metadata, data, size);
}

void kit_set(const struct kit_list *list, UINT metadata, const void *data, UINT size)
{
    EACH(list, SetMarker, SELF(list), metadata, data, size);
}

void kit_end(const struct kit_list *list)
{
    EACH(list, EndEvent, SELF(list));
}

HRESULT kit_list_try_close(const struct kit_list *list)
{
    return EACH(list, Close, SELF(list));
}

HRESULT kit_list_try_reset(const struct kit_list *list)
{
    if (list->type <= COPY)
        return ID3D12GraphicsCommandList_Reset(kit_graphics(list), list->allocator, NULL);
    return list->type == DECODE
               ? CALL(ID3D12VideoDecodeCommandList, list, Reset, SELF(list), list->allocator)
           : list->type == PROCESS
               ? CALL(ID3D12VideoProcessCommandList, list, Reset, SELF(list), list->allocator)
               : CALL(ID3D12VideoEncodeCommandList, list, Reset, SELF(list), list->allocator);
}

void kit_list_close(const struct kit_list *list)
{
    REQUIRE_OK(kit_list_try_close(list));
}

void kit_list_reset(const struct kit_list *list)
{
    REQUIRE_OK(kit_list_try_reset(list));
}

void kit_list_done(struct kit_list *list)
{
    kit_release(list->list);
    kit_release(list->allocator);
    *list = (struct kit_list){.type = list->type};
}

/* ---- names ---- */

enum { NAME_LIMIT = 128 };

void kit_name(void *object, const char *name)
{
    ID3D12Object *const named = object;
    WCHAR wide[NAME_LIMIT] = {0};
    for (size_t i = 0; name[i] && i + 1 < NAME_LIMIT; i++)
        wide[i] = (WCHAR)name[i];
    REQUIRE_OK(ID3D12Object_SetName(named, wide));
}

void kit_scope(const struct kit_list *list, const char *name)
{
    kit_begin(list, 1, name, (UINT)strlen(name) + 1);
}

void kit_marker(const struct kit_list *list, const char *name)
{
    kit_set(list, 1, name, (UINT)strlen(name) + 1);
}

void kit_queue_scope(ID3D12CommandQueue *queue, const char *name)
{
    ID3D12CommandQueue_BeginEvent(queue, 1, name, (UINT)strlen(name) + 1);
}

/* ---- queues, work and waiting ---- */

const char *const kit_queue_rows[] = {"direct",        "compute",      "copy", "video-decode",
                                      "video-process", "video-encode", NULL};
const D3D12_COMMAND_LIST_TYPE kit_queue_types[] = {DIRECT, COMPUTE, COPY, DECODE, PROCESS, ENCODE};

ID3D12CommandQueue *kit_queue(ID3D12Device *device, D3D12_COMMAND_LIST_TYPE type)
{
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = type};
    ID3D12CommandQueue *queue = NULL;
    const HRESULT hr =
        ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, (void **)&queue);
    if (FAILED(hr) && type >= DECODE)
        SKIP("needs video, which the device does not have");
    REQUIRE_OK(hr);
    return queue;
}

void kit_execute(ID3D12CommandQueue *queue, const struct kit_list *list)
{
    kit_list_close(list);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list->list);
}

ID3D12Fence *kit_fence(ID3D12Device *device, UINT64 value)
{
    ID3D12Fence *fence = NULL;
    REQUIRE_OK(ID3D12Device_CreateFence(device, value, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence,
                                        (void **)&fence));
    return fence;
}

void kit_wait(ID3D12Device *device, ID3D12CommandQueue *queue)
{
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    REQUIRE_OK(ID3D12CommandQueue_Signal(queue, fence, 1));
    REQUIRE_OK(ID3D12Fence_SetEventOnCompletion(fence, 1, NULL));
}

void kit_run(ID3D12Device *device, ID3D12CommandQueue *queue, const struct kit_list *list)
{
    kit_execute(queue, list);
    kit_wait(device, queue);
}

D3D12_RESOURCE_DESC kit_buffer_desc(UINT64 size)
{
    return (D3D12_RESOURCE_DESC){
        .Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
        .Width = size,
        .Height = 1,
        .DepthOrArraySize = 1,
        .MipLevels = 1,
        .SampleDesc = {.Count = 1},
        .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR,
    };
}

ID3D12Resource *kit_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    D3D12_RESOURCE_DESC desc = kit_buffer_desc(size);
    const D3D12_RESOURCE_STATES state =
        type == D3D12_HEAP_TYPE_UPLOAD     ? D3D12_RESOURCE_STATE_GENERIC_READ
        : type == D3D12_HEAP_TYPE_READBACK ? D3D12_RESOURCE_STATE_COPY_DEST
                                           : D3D12_RESOURCE_STATE_COMMON;
    ID3D12Resource *buffer = NULL;
    if (type == D3D12_HEAP_TYPE_DEFAULT)
        desc.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    REQUIRE_OK(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                                                    state, NULL, &IID_ID3D12Resource,
                                                    (void **)&buffer));
    return buffer;
}

ID3D12RootSignature *kit_root_signature(ID3D12Device *device)
{
    const D3D12_ROOT_PARAMETER parameters[3] = {
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_SRV},
        {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_32BIT_CONSTANTS,
         .Constants = {.Num32BitValues = 2}},
    };
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 3, .pParameters = parameters};
    OWNED ID3DBlob *blob = NULL;
    ID3D12RootSignature *signature = NULL;
    if (!the_runtime.serialize_root_signature)
        SKIP("needs a root signature: the runtime exports no D3D12SerializeRootSignature");
    REQUIRE_OK(
        the_runtime.serialize_root_signature(&desc, D3D_ROOT_SIGNATURE_VERSION_1_0, &blob, NULL));
    REQUIRE_OK(ID3D12Device_CreateRootSignature(device, 0, ID3D10Blob_GetBufferPointer(blob),
                                                ID3D10Blob_GetBufferSize(blob),
                                                &IID_ID3D12RootSignature, (void **)&signature));
    return signature;
}

ID3D12PipelineState *kit_pipeline(ID3D12Device *device, ID3D12RootSignature *signature,
                                  emu_kernel kernel)
{
    D3D12_COMPUTE_PIPELINE_STATE_DESC desc = {.pRootSignature = signature};
    size_t size = 0;
    ID3D12PipelineState *pipeline = NULL;
    desc.CS.pShaderBytecode = the_runtime.kernel_bytecode(kernel, &size);
    desc.CS.BytecodeLength = size;
    REQUIRE_OK(ID3D12Device_CreateComputePipelineState(device, &desc, &IID_ID3D12PipelineState,
                                                       (void **)&pipeline));
    return pipeline;
}

void kit_dispatch(ID3D12GraphicsCommandList *list, ID3D12RootSignature *signature,
                  ID3D12PipelineState *pipeline, ID3D12Resource *destination,
                  ID3D12Resource *source, UINT constant, UINT words)
{
    const UINT constants[2] = {constant, words};
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, pipeline);
    if (destination)
        ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
            list, 0, ID3D12Resource_GetGPUVirtualAddress(destination));
    if (source)
        ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(
            list, 1, ID3D12Resource_GetGPUVirtualAddress(source));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(list, 1, 1, 1);
}

/* ---- messages ---- */

static ID3D12InfoQueue *info_queue(ID3D12Device *device)
{
    ID3D12InfoQueue *queue = NULL;
    REQUIRE_OK(ID3D12Device_QueryInterface(device, &IID_ID3D12InfoQueue, (void **)&queue));
    ID3D12InfoQueue_Release(queue); /* the device holds it */
    return queue;
}

UINT64 kit_messages(ID3D12Device *device)
{
    return ID3D12InfoQueue_GetNumStoredMessages(info_queue(device));
}

/* Freed by the caller. */
static D3D12_MESSAGE *message_at(ID3D12InfoQueue *queue, UINT64 number)
{
    SIZE_T size = 0;
    ID3D12InfoQueue_GetMessage(queue, number, NULL, &size);
    D3D12_MESSAGE *message = malloc(size);
    REQUIRE(message);
    REQUIRE_OK(ID3D12InfoQueue_GetMessage(queue, number, message, &size));
    return message;
}

UINT64 kit_count(ID3D12Device *device, int id)
{
    ID3D12InfoQueue *queue = info_queue(device);
    UINT64 count = 0;
    for (UINT64 i = 0; i < ID3D12InfoQueue_GetNumStoredMessages(queue); i++) {
        D3D12_MESSAGE *message = message_at(queue, i);
        count += (int)message->ID == id;
        free(message);
    }
    return count;
}

UINT64 kit_messages_with(ID3D12Device *device, const char *part)
{
    ID3D12InfoQueue *queue = info_queue(device);
    UINT64 count = 0;
    for (UINT64 i = 0; i < ID3D12InfoQueue_GetNumStoredMessages(queue); i++) {
        D3D12_MESSAGE *message = message_at(queue, i);
        count += !!strstr(message->pDescription, part);
        free(message);
    }
    return count;
}

void kit_forget_messages(ID3D12Device *device)
{
    ID3D12InfoQueue_ClearStoredMessages(info_queue(device));
}
