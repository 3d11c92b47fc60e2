#define INITGUID
#include "kit.h"

#include <malloc.h>
#include <sched.h>
#include <pthread.h>

#define SHADER(stage)                                                                              \
    {                                                                                              \
        'D', 'X', 'B', 'C', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 52, 0, 0,  \
            0, 1, 0, 0, 0, 36, 0, 0, 0, 'S', 'H', 'E', 'X', 8, 0, 0, 0, 0x50, 0, stage, 0, 2, 0,   \
            0, 0                                                                                   \
    }

const unsigned char kit_shaders[KIT_STAGES][52] = {SHADER(0),  SHADER(1),  SHADER(2),  SHADER(3),
                                                   SHADER(4),  SHADER(5),  SHADER(6),  SHADER(7),
                                                   SHADER(8),  SHADER(9),  SHADER(10), SHADER(11),
                                                   SHADER(12), SHADER(13), SHADER(14)};

/* ---- devices ---- */

ID3D12Device *kit_device_with(const emu_config *config)
{
    IUnknown *adapter = NULL;
    ID3D12Device *device = NULL;
    emu_config watched = *config;
    watched.debug_layer = true;
    cr_assert_eq(emu_configure(&watched), ANNOT_OK);
    cr_assert_eq(emu_adapter_create(NULL, (void **)&adapter), ANNOT_OK);
    MUST(D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, (void **)&device));
    IUnknown_Release(adapter);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
    return device;
}

ID3D12Device *kit_device(void)
{
    emu_config config = kit_config();
    return kit_device_with(&config);
}

void kit_close(ID3D12Device *device)
{
    ULONG left = ID3D12Device_Release(device);
    cr_assert_eq(left, 0, "%u references are left", (unsigned)left);
}

void kit_release(void *pointer)
{
    IUnknown *object;
    memcpy(&object, pointer, sizeof object);
    IUnknown_Release(object);
}

void kit_closed(void *pointer)
{
    ID3D12Device *device;
    memcpy(&device, pointer, sizeof device);
    kit_close(device);
}

ULONG kit_references(void *object)
{
    IUnknown *unknown = object;
    IUnknown_AddRef(unknown);
    return IUnknown_Release(unknown);
}

/* Bytes of the main heap and of its large blocks. Freed memory in caches counts as allocated, so
 * the first calls of anything add some. */
static size_t allocated(void)
{
#if defined(__GLIBC__)
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

size_t kit_left_behind(void (*round)(void))
{
    size_t least = SIZE_MAX;
    for (int i = 0; i < 24; i++) {
        const size_t before = allocated();
        round();
        const size_t after = allocated();
        const size_t left = after > before ? after - before : 0;
        least = left < least ? left : least;
    }
    return least;
}

void kit_remove(ID3D12Device *device)
{
    ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    kit_dispatch(list, signature, spin, NULL, NULL, 0, 0);
    kit_execute(queue, list);
    emu_run_until_idle(device);
    RELEASE(spin, signature, list, allocator, queue);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
}

ID3D12PipelineState *kit_draws(ID3D12Device *device, ID3D12RootSignature *signature)
{
    const D3D12_GRAPHICS_PIPELINE_STATE_DESC desc =
        kit_graphics_desc(signature, (D3D12_SHADER_BYTECODE)KIT_SHADER(VS));
    return MADE(ID3D12PipelineState, device, CreateGraphicsPipelineState, &desc);
}

/* ---- messages ---- */

static ID3D12InfoQueue *info_queue(ID3D12Device *device)
{
    ID3D12InfoQueue *queue = AS(ID3D12InfoQueue, device);
    ID3D12InfoQueue_Release(queue); /* the device holds it */
    return queue;
}

UINT64 kit_messages(ID3D12Device *device)
{
    return ID3D12InfoQueue_GetNumStoredMessages(info_queue(device));
}

void kit_clear(ID3D12Device *device)
{
    ID3D12InfoQueue_ClearStoredMessages(info_queue(device));
}

void kit_mistake(ID3D12Device *device, ID3D12GraphicsCommandList *list,
                 ID3D12CommandAllocator *allocator, HRESULT hr, int id, const char *what)
{
    cr_assert_eqs(kit_messages(device), id != 0, kit_count(device, id), id != 0, "%s", what);
    const HRESULT closed = ID3D12GraphicsCommandList_Close(list);
    cr_assert_eq(closed, hr, "%s: 0x%08x", what, (unsigned)closed);
    MUST(ID3D12GraphicsCommandList_Reset(list, allocator, NULL));
    kit_clear(device);
}

ID3D12InfoQueue1 *kit_info_queue(void)
{
    ID3D12Device *device = kit_device();
    ID3D12InfoQueue1 *queue = AS(ID3D12InfoQueue1, device);
    ID3D12Device_Release(device);
    return queue;
}

void kit_close_info_queue(ID3D12InfoQueue1 *queue)
{
    cr_assert_eq(ID3D12InfoQueue1_Release(queue), 0);
}

/* ---- the ear ---- */

struct heard heard[256];
size_t heard_count;
bool heard_slowly;
static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 *next_table(void)
{
    return emu_driver_annotation("reference")->annotation;
}

static void note(struct heard what)
{
    pthread_mutex_lock(&heard_lock);
    if (heard_count < sizeof heard / sizeof heard[0])
        heard[heard_count++] = what;
    pthread_mutex_unlock(&heard_lock);
}

/* A call is noted and passed on. */
#define HEAR_MARKER(name, Handle, event, Pfn)                                                      \
    static void name(Handle of, uint32_t metadata, const void *data, uint32_t size, uint64_t id)   \
    {                                                                                              \
        note((struct heard){.what = event, .event_id = id});                                       \
        next_table()->Pfn(of, metadata, data, size, id);                                           \
    }
#define HEAR_END(name, Handle, Pfn)                                                                \
    static void name(Handle of, uint64_t id)                                                       \
    {                                                                                              \
        note((struct heard){.what = HEARD_END, .event_id = id});                                   \
        next_table()->Pfn(of, id);                                                                 \
    }
HEAR_MARKER(queue_begin, D3D12DDI_HCOMMANDQUEUE, HEARD_BEGIN, pfnCmdQueueBeginEvent)
HEAR_END(queue_end, D3D12DDI_HCOMMANDQUEUE, pfnCmdQueueEndEvent)
HEAR_MARKER(queue_set, D3D12DDI_HCOMMANDQUEUE, HEARD_SET, pfnCmdQueueSetMarker)
HEAR_MARKER(list_begin, D3D12DDI_HCOMMANDLIST, HEARD_BEGIN, pfnCmdListBeginEvent)
HEAR_END(list_end, D3D12DDI_HCOMMANDLIST, pfnCmdListEndEvent)
HEAR_MARKER(list_set, D3D12DDI_HCOMMANDLIST, HEARD_SET, pfnCmdListSetMarker)

static void set_name(D3D12DDI_HANDLE_AND_TYPE object, const WCHAR *name)
{
    struct heard h = {
        .what = HEARD_NAME, .handle = object.Handle, .type = object.Type, .has_name = name != NULL};
    for (size_t i = 0; name && name[i] != 0; i++, h.name_length++)
        if (i < sizeof h.name / sizeof h.name[0])
            h.name[i] = name[i];
    note(h);
    if (heard_slowly)
        sched_yield();
    next_table()->pfnSetName(object, name);
}

static const D3D12DDI_USER_DEFINED_ANNOTATION_FUNCS_0121 ear = {
    queue_begin, queue_end, queue_set, list_begin, list_end, list_set, set_name,
};

static const annot_driver ear_driver = {
    "ear", D3D12DDI_FEATURE_VERSION_USER_DEFINED_ANNOTATIONS_0121_0, &ear, 0};

ID3D12Device *kit_heard_device(D3D12_USER_DEFINED_ANNOTATION_MODE mode)
{
    emu_config config = kit_config();
    config.annotation = &ear_driver;
    ID3D12Device *device = kit_device_with(&config);
    kit_set_mode(device, mode);
    heard_count = 0;
    return device;
}
