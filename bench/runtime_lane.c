#define COBJMACROS
#define INITGUID
#include <unknwn.h>
#include <directx/d3d12.h>
#include <directx/d3d12sdklayers.h>
#include <annot/d3d12.h>
#include <emu/emu.h>

#include "runtime_lane.h"

#include "bench.h"
#include "module.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define BYTES 32u

struct bench_runtime {
    HRESULT(WINAPI *create_device)(IUnknown *, D3D_FEATURE_LEVEL, REFIID, void **);
    annot_result (*configure)(const emu_config *);
    annot_result (*adapter_create)(const char *, void **);
};

struct bench_runtime_lane {
    ID3D12Device *device;
    ID3D12CommandAllocator *allocator;
    ID3D12GraphicsCommandList *list;
    ID3D12Resource *from, *to; /* of a lane with buffers */
    /* of a lane with mapped memory */
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *empty_allocator;
    ID3D12GraphicsCommandList *empty;
    ID3D12Resource *upload;
    char *memory;
    uint64_t written;
};

static struct bench_runtime *runtime_of(void *library, const char *path)
{
    struct bench_runtime *runtime = calloc(1, sizeof *runtime);
    if (!runtime)
        abort();
    *(void **)&runtime->create_device = dlsym(library, "D3D12CreateDevice");
    *(void **)&runtime->configure = dlsym(library, "emu_configure");
    *(void **)&runtime->adapter_create = dlsym(library, "emu_adapter_create");
    if (runtime->create_device)
        return runtime;
    bench_note("%s exports no D3D12CreateDevice", path);
    free(runtime);
    return NULL;
}

struct bench_runtime *bench_runtime_load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library)
        return runtime_of(library, path);
    bench_note("can't load the runtime: %s", dlerror());
    return NULL;
}

struct bench_runtime *bench_runtime_load_emulator(void)
{
    void *library = bench_module_open("libd3d12.so");
    return library ? runtime_of(library, "libd3d12.so") : NULL;
}

/* Our library in front of the emulator, which `variable` tells of. */
static struct bench_runtime *load_in_front(const char *variable)
{
    Dl_info info;
    const struct bench_runtime *emulator = bench_runtime_load_emulator();
    if (!emulator || !dladdr(*(void *const *)&emulator->create_device, &info) ||
        setenv(variable, info.dli_fname, 1) != 0)
        return NULL;
    void *library = bench_module_open("capture/libd3d12.so");
    struct bench_runtime *front = library ? runtime_of(library, "capture/libd3d12.so") : NULL;
    if (front) { /* settings are the runtime's behind it */
        front->configure = emulator->configure;
        front->adapter_create = NULL;
    }
    return front;
}

struct bench_runtime *bench_runtime_load_recorder(const char *path)
{
    return setenv("ANNOT_CAPTURE_FILE", path, 1) == 0 ? load_in_front("ANNOT_CAPTURE_RUNTIME")
                                                      : NULL;
}

struct bench_runtime *bench_runtime_load_layer(void)
{
    return setenv("ANNOT_D3D12_LEVEL", "labels", 1) == 0 &&
                   setenv("ANNOT_D3D12_EVIDENCE", "fence", 1) == 0 &&
                   setenv("ANNOT_D3D12_PROBE", "0", 1) == 0 &&
                   setenv("ANNOT_D3D12_TIMEOUT", "0", 1) == 0
               ? load_in_front("ANNOT_D3D12_RUNTIME")
               : NULL;
}

bool bench_runtime_has_controls(const struct bench_runtime *runtime)
{
    return runtime->configure != NULL;
}

static bool make_list(struct bench_runtime_lane *lane)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    return SUCCEEDED(ID3D12Device_CreateCommandAllocator(
               lane->device, direct, &IID_ID3D12CommandAllocator, (void **)&lane->allocator)) &&
           SUCCEEDED(ID3D12Device_CreateCommandList(lane->device, 0, direct, lane->allocator, NULL,
                                                    &IID_ID3D12GraphicsCommandList,
                                                    (void **)&lane->list));
}

static void turn_on(ID3D12Device *device)
{
    ID3D12DeviceTools2 *tools;
    if (FAILED(ID3D12Device_QueryInterface(device, &IID_ID3D12DeviceTools2, (void **)&tools))) {
        bench_note("the device has no ID3D12DeviceTools2: markers are measured as it leaves them");
        return;
    }
    ID3D12DeviceTools2_SetUserDefinedAnnotationMode(
        tools, D3D12_USER_DEFINED_ANNOTATION_MODE_DRIVER_RETAIL);
    ID3D12DeviceTools2_Release(tools);
}

/* An adapter has one device, whoever asks: where they can be made, each lane gets one of its
 * own. */
static bool make_device(const struct bench_runtime *runtime, struct bench_runtime_lane *lane,
                        bool is_retail, const char *driver)
{
    void *adapter = NULL;
    if (runtime->adapter_create && runtime->adapter_create(driver, &adapter) != ANNOT_OK)
        return false;
    HRESULT result = runtime->create_device(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device,
                                            (void **)&lane->device);
    if (adapter)
        IUnknown_Release((IUnknown *)adapter);
    if (FAILED(result))
        return false;
    if (is_retail)
        turn_on(lane->device);
    return true;
}

static bool configure(const struct bench_runtime *runtime, const char *driver,
                      const annot_driver *annotation)
{
    emu_config config = EMU_CONFIG_INIT;
    config.order = EMU_ORDER_SEEDED;
    config.memory_budget = ANNOT_BUDGET_NONE;
    config.driver = driver;
    config.annotation = annotation;
    return !runtime->configure || runtime->configure(&config) == ANNOT_OK;
}

struct bench_runtime_lane *bench_runtime_open(const struct bench_runtime *runtime, bool is_retail,
                                              const char *driver, const annot_driver *annotation)
{
    struct bench_runtime_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        abort();
    if (configure(runtime, driver, annotation) && make_device(runtime, lane, is_retail, driver) &&
        make_list(lane))
        return lane;
    bench_note("the runtime made no device or list%s%s", driver ? " with driver " : "",
               driver ? driver : "");
    bench_runtime_close(lane);
    return NULL;
}

static bool make_buffer(ID3D12Device *device, D3D12_HEAP_TYPE type, UINT64 size,
                        ID3D12Resource **out)
{
    const D3D12_HEAP_PROPERTIES heap = {.Type = type};
    const D3D12_RESOURCE_STATES state = type == D3D12_HEAP_TYPE_UPLOAD
                                            ? D3D12_RESOURCE_STATE_GENERIC_READ
                                            : D3D12_RESOURCE_STATE_COMMON;
    const D3D12_RESOURCE_DESC desc = {.Dimension = D3D12_RESOURCE_DIMENSION_BUFFER,
                                      .Width = size,
                                      .Height = 1,
                                      .DepthOrArraySize = 1,
                                      .MipLevels = 1,
                                      .SampleDesc = {.Count = 1},
                                      .Layout = D3D12_TEXTURE_LAYOUT_ROW_MAJOR};
    return SUCCEEDED(ID3D12Device_CreateCommittedResource(device, &heap, D3D12_HEAP_FLAG_NONE,
                                                          &desc, state, NULL, &IID_ID3D12Resource,
                                                          (void **)out));
}

struct bench_runtime_lane *bench_runtime_open_buffers(const struct bench_runtime *runtime)
{
    struct bench_runtime_lane *lane = calloc(1, sizeof *lane);
    if (!lane)
        abort();
    if (configure(runtime, NULL, NULL) && make_device(runtime, lane, false, NULL) &&
        make_list(lane) && make_buffer(lane->device, D3D12_HEAP_TYPE_DEFAULT, 65536, &lane->from) &&
        make_buffer(lane->device, D3D12_HEAP_TYPE_DEFAULT, 65536, &lane->to))
        return lane;
    bench_note("the emulator made no device with a list and two buffers");
    bench_runtime_close(lane);
    return NULL;
}

void bench_runtime_close(struct bench_runtime_lane *lane)
{
    if (!lane)
        return;
    void *const others[] = {lane->from,  lane->to,    lane->upload,
                            lane->empty, lane->queue, lane->empty_allocator};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i])
            IUnknown_Release((IUnknown *)others[i]);
    if (lane->list)
        ID3D12GraphicsCommandList_Release(lane->list);
    if (lane->allocator)
        ID3D12CommandAllocator_Release(lane->allocator);
    if (lane->device)
        ID3D12Device_Release(lane->device);
    free(lane);
}

void bench_runtime_rewind(void *state)
{
    struct bench_runtime_lane *lane = state;
    ID3D12GraphicsCommandList_Close(lane->list);
    ID3D12CommandAllocator_Reset(lane->allocator);
    ID3D12GraphicsCommandList_Reset(lane->list, lane->allocator, NULL);
}

static const uint64_t payload[BYTES / 8];

void bench_runtime_set(void *state)
{
    ID3D12GraphicsCommandList *list = ((struct bench_runtime_lane *)state)->list;
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--)
        ID3D12GraphicsCommandList_SetMarker(list, 2, payload, BYTES);
}

void bench_runtime_pair(void *state)
{
    ID3D12GraphicsCommandList *list = ((struct bench_runtime_lane *)state)->list;
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--) {
        ID3D12GraphicsCommandList_BeginEvent(list, 2, payload, BYTES);
        ID3D12GraphicsCommandList_EndEvent(list);
    }
}

void bench_runtime_copy(void *state)
{
    const struct bench_runtime_lane *lane = state;
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--)
        ID3D12GraphicsCommandList_CopyBufferRegion(lane->list, lane->to, 0, lane->from, 0, 4);
}

/* An object of a library that does nothing but forward: calls find the runtime's behind it. */
struct in_front {
    const ID3D12GraphicsCommandListVtbl *table;
    void *real;
};

static void *behind(void *object)
{
    return ((struct in_front *)object)->real;
}

static void STDMETHODCALLTYPE forward_copy(ID3D12GraphicsCommandList *list, ID3D12Resource *to,
                                           UINT64 to_offset, ID3D12Resource *from,
                                           UINT64 from_offset, UINT64 bytes)
{
    ID3D12GraphicsCommandList_CopyBufferRegion((ID3D12GraphicsCommandList *)behind(list),
                                               behind(to), to_offset, behind(from), from_offset,
                                               bytes);
}

void bench_runtime_copy_forwarded(void *state)
{
    static const ID3D12GraphicsCommandListVtbl table = {.CopyBufferRegion = forward_copy};
    const struct bench_runtime_lane *lane = state;
    struct in_front front[] = {{&table, lane->list}, {NULL, lane->to}, {NULL, lane->from}};
    struct in_front *objects = front;
    __asm__ volatile("" : "+r"(objects) : : "memory");
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--)
        ID3D12GraphicsCommandList_CopyBufferRegion((ID3D12GraphicsCommandList *)(void *)objects,
                                                   (ID3D12Resource *)(void *)(objects + 1), 0,
                                                   (ID3D12Resource *)(void *)(objects + 2), 0, 4);
}

/* ---- and notes what comes by ---- */

struct noted {
    uint64_t parent; /* place of the scope around it, and later that it is closed */
    uint32_t metadata, size;
    uint64_t payload[BYTES / 8];
};

static struct {
    struct noted notes[BENCH_RUNTIME_CALLS];
    uint32_t count, open;
} noted;

_Static_assert(sizeof(struct noted) == 48, "a header and the payload");

static void STDMETHODCALLTYPE note_begin(ID3D12GraphicsCommandList *list, UINT metadata,
                                         const void *data, UINT size)
{
    struct noted *note = &noted.notes[noted.count % BENCH_RUNTIME_CALLS];
    note->parent = noted.open;
    note->metadata = metadata;
    note->size = size;
    memcpy(note->payload, data, size < BYTES ? size : BYTES);
    noted.open = ++noted.count;
    ID3D12GraphicsCommandList_BeginEvent((ID3D12GraphicsCommandList *)behind(list), metadata, data,
                                         size);
}

static void STDMETHODCALLTYPE note_end(ID3D12GraphicsCommandList *list)
{
    struct noted *note = &noted.notes[(noted.open - 1) % BENCH_RUNTIME_CALLS];
    noted.open = (uint32_t)note->parent;
    note->parent |= UINT64_C(1) << 63;
    ID3D12GraphicsCommandList_EndEvent((ID3D12GraphicsCommandList *)behind(list));
}

void bench_runtime_pair_noted(void *state)
{
    static const ID3D12GraphicsCommandListVtbl table = {.BeginEvent = note_begin,
                                                        .EndEvent = note_end};
    const struct bench_runtime_lane *lane = state;
    struct in_front front = {&table, lane->list}, *object = &front;
    __asm__ volatile("" : "+r"(object) : : "memory");
    for (uint32_t i = BENCH_RUNTIME_CALLS; i != 0; i--) {
        ID3D12GraphicsCommandList_BeginEvent((ID3D12GraphicsCommandList *)(void *)object, 2,
                                             payload, BYTES);
        ID3D12GraphicsCommandList_EndEvent((ID3D12GraphicsCommandList *)(void *)object);
    }
}

char *bench_runtime_map(struct bench_runtime_lane *lane)
{
    const D3D12_COMMAND_LIST_TYPE direct = D3D12_COMMAND_LIST_TYPE_DIRECT;
    const D3D12_COMMAND_QUEUE_DESC desc = {.Type = direct};
    if (SUCCEEDED(ID3D12Device_CreateCommandQueue(lane->device, &desc, &IID_ID3D12CommandQueue,
                                                  (void **)&lane->queue)) &&
        SUCCEEDED(ID3D12Device_CreateCommandAllocator(
            lane->device, direct, &IID_ID3D12CommandAllocator, (void **)&lane->empty_allocator)) &&
        SUCCEEDED(ID3D12Device_CreateCommandList(lane->device, 0, direct, lane->empty_allocator,
                                                 NULL, &IID_ID3D12GraphicsCommandList,
                                                 (void **)&lane->empty)) &&
        SUCCEEDED(ID3D12GraphicsCommandList_Close(lane->empty)) &&
        make_buffer(lane->device, D3D12_HEAP_TYPE_UPLOAD, BENCH_RUNTIME_PAGES * 4096,
                    &lane->upload) &&
        SUCCEEDED(ID3D12Resource_Map(lane->upload, 0, NULL, (void **)&lane->memory)))
        return lane->memory;
    bench_note("the runtime mapped no upload buffer");
    return NULL;
}

void bench_runtime_submit_pages(void *state)
{
    struct bench_runtime_lane *lane = state;
    ID3D12CommandList *const lists[] = {(ID3D12CommandList *)lane->empty};
    lane->written++;
    for (uint32_t i = 0; i < BENCH_RUNTIME_PAGES; i++)
        memcpy(lane->memory + (size_t)i * 4096, &lane->written, sizeof lane->written);
    ID3D12CommandQueue_ExecuteCommandLists(lane->queue, 1, lists);
}
