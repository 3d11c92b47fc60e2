/* Random calls, among them wrong ones: objects that are released early or referenced by one more,
 * other interfaces of an object, private data, lists in every state, other threads, a device that
 * is removed in the middle. What each call returns is printed, and is the same under the layer
 * [ANN-D3D].
 *
 *     random SEED CALLS
 */
#define INITGUID
#include "../../examples/setup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum kind {
    DEVICE,
    QUEUE,
    ALLOCATOR,
    LIST,
    BUNDLES,
    BUNDLE,
    FENCE,
    BUFFER,
    VIEWS,
    HEAP,
    QUERIES,
    KINDS
};

static const char *const kind_names[KINDS] = {"device",  "queue",  "allocator", "list",
                                              "bundles", "bundle", "fence",     "buffer",
                                              "views",   "heap",   "queries"};

struct slot {
    IUnknown *object; /* NULL: it is free */
    enum kind kind;
    uint32_t references; /* the program's */
    uint32_t device;     /* slot */
    bool is_open;        /* a list that records */
    bool is_bad;         /* and has made a mistake, or was never closed well */
    uint32_t allocator;  /* of a list: slot of its recording; and how often that was reset then */
    uint32_t resets;
    UINT64 signaled; /* of a fence */
};

enum { SLOTS = 32, NONE = SLOTS };
static struct slot slots[SLOTS];
static uint64_t random_state;
static bool is_removed;

static uint32_t below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % n;
}

/* ---- an object of the program's own, which is given away ---- */

struct spy {
    IUnknown iface;
    atomic_int references;
};

static HRESULT WINAPI spy_query(IUnknown *self, REFIID iid, void **out)
{
    const bool is_known = memcmp(iid, &IID_IUnknown, sizeof *iid) == 0;
    *out = is_known ? self : NULL;
    if (is_known)
        atomic_fetch_add(&((struct spy *)(void *)self)->references, 1);
    return is_known ? S_OK : E_NOINTERFACE;
}

static ULONG WINAPI spy_add(IUnknown *self)
{
    return (ULONG)atomic_fetch_add(&((struct spy *)(void *)self)->references, 1) + 1;
}

static ULONG WINAPI spy_release(IUnknown *self)
{
    return (ULONG)atomic_fetch_sub(&((struct spy *)(void *)self)->references, 1) - 1;
}

static const IUnknownVtbl spy_table = {
    .QueryInterface = spy_query, .AddRef = spy_add, .Release = spy_release};
static struct spy spy = {{(IUnknownVtbl *)(uintptr_t)&spy_table}, 1};

/* ---- finding objects ---- */

static uint32_t find(enum kind kind)
{
    const uint32_t first = below(SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++) {
        const uint32_t at = (first + i) % SLOTS;
        if (slots[at].object && slots[at].kind == kind)
            return at;
    }
    return NONE;
}

static uint32_t find_any(void)
{
    const uint32_t first = below(SLOTS);
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slots[(first + i) % SLOTS].object)
            return (first + i) % SLOTS;
    return NONE;
}

static uint32_t find_free(void)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (!slots[i].object)
            return i;
    return NONE;
}

#define AS(type, at) ((type *)(void *)slots[at].object)

/* ---- calls ---- */

static void add(uint32_t at, enum kind kind, uint32_t device, HRESULT result, void *made)
{
    printf("create %s: %08X %d\n", kind_names[kind], (unsigned)result, made != NULL);
    if (FAILED(result) || !made)
        return;
    slots[at] = (struct slot){
        .object = made, .kind = kind, .references = 1, .device = device, .allocator = NONE};
}

static void create_list(uint32_t at, uint32_t device, enum kind kind)
{
    const uint32_t allocator = find(kind == BUNDLE ? BUNDLES : ALLOCATOR);
    void *made = NULL;
    if (allocator == NONE || slots[allocator].device != device)
        return;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slots[i].object && slots[i].is_open && slots[i].allocator == allocator)
            return; /* one list at a time */
    const HRESULT result = ID3D12Device_CreateCommandList(
        AS(ID3D12Device, device), 0,
        kind == BUNDLE ? D3D12_COMMAND_LIST_TYPE_BUNDLE : D3D12_COMMAND_LIST_TYPE_DIRECT,
        AS(ID3D12CommandAllocator, allocator), NULL, &IID_ID3D12GraphicsCommandList, &made);
    add(at, kind, device, result, made);
    if (!made)
        return;
    slots[at].is_open = true;
    slots[at].allocator = allocator;
    slots[at].resets = slots[allocator].resets;
}

static void create(void)
{
    const uint32_t at = find_free(), device = find(DEVICE);
    const enum kind kind = (enum kind)(1 + below(KINDS - 1));
    void *made = NULL;
    HRESULT result = S_OK;
    if (at == NONE || device == NONE)
        return;
    ID3D12Device *from = AS(ID3D12Device, device);
    switch (kind) {
    case QUEUE: {
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = D3D12_COMMAND_LIST_TYPE_DIRECT};
        result = ID3D12Device_CreateCommandQueue(from, &desc, &IID_ID3D12CommandQueue, &made);
        break;
    }
    case ALLOCATOR:
    case BUNDLES:
        result = ID3D12Device_CreateCommandAllocator(
            from, kind == BUNDLES ? D3D12_COMMAND_LIST_TYPE_BUNDLE : D3D12_COMMAND_LIST_TYPE_DIRECT,
            &IID_ID3D12CommandAllocator, &made);
        break;
    case LIST:
    case BUNDLE:
        create_list(at, device, kind);
        return;
    case FENCE:
        result = ID3D12Device_CreateFence(from, 0, D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, &made);
        break;
    case BUFFER: {
        const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
        const D3D12_RESOURCE_DESC desc = describe_buffer(4096);
        result = ID3D12Device_CreateCommittedResource(from, &heap, D3D12_HEAP_FLAG_NONE, &desc,
                                                      D3D12_RESOURCE_STATE_COMMON, NULL,
                                                      &IID_ID3D12Resource, &made);
        break;
    }
    case VIEWS: {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {D3D12_DESCRIPTOR_HEAP_TYPE_RTV, 4,
                                                 D3D12_DESCRIPTOR_HEAP_FLAG_NONE, 0};
        result = ID3D12Device_CreateDescriptorHeap(from, &desc, &IID_ID3D12DescriptorHeap, &made);
        break;
    }
    case HEAP: {
        const D3D12_HEAP_DESC desc = {.SizeInBytes = 65536,
                                      .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
        result = ID3D12Device_CreateHeap(from, &desc, &IID_ID3D12Heap, &made);
        break;
    }
    default: {
        const D3D12_QUERY_HEAP_DESC desc = {D3D12_QUERY_HEAP_TYPE_TIMESTAMP, 4, 0};
        result = ID3D12Device_CreateQueryHeap(from, &desc, &IID_ID3D12QueryHeap, &made);
    }
    }
    add(at, kind, device, result, made);
}

static void create_device(void)
{
    const uint32_t at = find_free();
    void *made = NULL;
    if (at == NONE || find(DEVICE) != NONE)
        return;
    const HRESULT result =
        D3D12CreateDevice(NULL, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &made);
    is_removed = false;
    add(at, DEVICE, at, result, made);
}

/* The last reference of what others still need is kept: D3D12 says nothing of what happens then. */
static bool is_needed(uint32_t at)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (i != at && slots[i].object && (slots[i].device == at || slots[i].allocator == at))
            return true;
    return false;
}

static void flush(void)
{
    void *fence = NULL;
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (!slots[i].object || slots[i].kind != QUEUE)
            continue;
        if (FAILED(ID3D12Device_CreateFence(AS(ID3D12Device, slots[i].device), 0,
                                            D3D12_FENCE_FLAG_NONE, &IID_ID3D12Fence, &fence)))
            continue;
        if (SUCCEEDED(ID3D12CommandQueue_Signal(AS(ID3D12CommandQueue, i), fence, 1)))
            ID3D12Fence_SetEventOnCompletion((ID3D12Fence *)fence, 1, NULL);
        ID3D12Fence_Release((ID3D12Fence *)fence);
    }
}

static void count_references(void)
{
    const uint32_t at = find_any();
    if (at == NONE)
        return;
    if (below(2)) {
        printf("%s AddRef: %u\n", kind_names[slots[at].kind],
               (unsigned)IUnknown_AddRef(slots[at].object));
        slots[at].references++;
        return;
    }
    if (slots[at].references == 1 && (is_needed(at) || slots[at].kind == DEVICE) && below(8) != 0)
        return;
    if (slots[at].references == 1) {
        flush(); /* its work is done */
        if (slots[at].kind == DEVICE || is_needed(at)) {
            /* the children first, at times; a child lives on without what made it */
            const uint32_t child = find_any();
            if (child == NONE || child == at || slots[child].kind == DEVICE || is_needed(child) ||
                slots[child].references != 1)
                return;
            printf("%s last: %u\n", kind_names[slots[child].kind],
                   (unsigned)IUnknown_Release(slots[child].object));
            slots[child] = (struct slot){0};
            return;
        }
    }
    printf("%s Release: %u\n", kind_names[slots[at].kind],
           (unsigned)IUnknown_Release(slots[at].object));
    if (--slots[at].references == 0)
        slots[at] = (struct slot){0};
}

static void query(void)
{
    static const IID *const iids[] = {&IID_IUnknown,
                                      &IID_ID3D12Object,
                                      &IID_ID3D12DeviceChild,
                                      &IID_ID3D12Pageable,
                                      &IID_ID3D12Device,
                                      &IID_ID3D12Device1,
                                      &IID_ID3D12Device5,
                                      &IID_ID3D12Device8,
                                      &IID_ID3D12CommandList,
                                      &IID_ID3D12GraphicsCommandList,
                                      &IID_ID3D12GraphicsCommandList4,
                                      &IID_ID3D12GraphicsCommandList7,
                                      &IID_ID3D12CommandQueue,
                                      &IID_ID3D12CommandAllocator,
                                      &IID_ID3D12Fence,
                                      &IID_ID3D12Fence1,
                                      &IID_ID3D12Resource,
                                      &IID_ID3D12Resource2,
                                      &IID_ID3D12Heap1,
                                      &IID_ID3D12DescriptorHeap,
                                      &IID_ID3D12QueryHeap,
                                      &IID_ID3D12DebugDevice,
                                      &IID_ID3D12InfoQueue,
                                      &IID_ID3D12DeviceRemovedExtendedData,
                                      &IID_ID3D12PipelineState,
                                      &IID_ID3D12DeviceTools,
                                      &IID_ID3D12LifetimeTracker};
    const uint32_t at = find_any(), which = below(sizeof iids / sizeof *iids);
    void *found = NULL, *again = NULL, *first = NULL, *second = NULL;
    if (at == NONE)
        return;
    const HRESULT result = IUnknown_QueryInterface(slots[at].object, iids[which], &found);
    printf("%s as %u: %08X", kind_names[slots[at].kind], which, (unsigned)result);
    if (FAILED(result)) {
        printf(" %d\n", found != NULL);
        return;
    }
    IUnknown_QueryInterface((IUnknown *)found, iids[which], &again);
    IUnknown_QueryInterface((IUnknown *)found, &IID_IUnknown, &first);
    IUnknown_QueryInterface(slots[at].object, &IID_IUnknown, &second);
    printf(" again %d, one identity %d,", again == found, first == second);
    void *const all[] = {found, again, first, second};
    for (int i = 0; i < 4; i++)
        printf(" %u", (unsigned)IUnknown_Release((IUnknown *)all[i]));
    puts("");
}

static const GUID guids[] = {{1, 2, 3, {4}}, {5, 6, 7, {8}}, {9, 1, 2, {3}}};

static void private_data(void)
{
    const uint32_t at = find_any(), other = find_any();
    if (at == NONE)
        return;
    ID3D12Object *object = AS(ID3D12Object, at);
    const GUID *guid = &guids[below(3)];
    unsigned char bytes[64];
    IUnknown *got = NULL;
    UINT size = below(sizeof bytes + 1);
    memset(bytes, (int)below(256), sizeof bytes);
    switch (below(6)) {
    case 0:
        printf("SetPrivateData: %08X\n",
               (unsigned)ID3D12Object_SetPrivateData(object, guid, size, bytes));
        break;
    case 1:
        printf("SetPrivateData, none: %08X\n",
               (unsigned)ID3D12Object_SetPrivateData(object, guid, 0, NULL));
        break;
    case 2:
        printf("SetPrivateDataInterface: %08X\n",
               (unsigned)ID3D12Object_SetPrivateDataInterface(object, guid, &spy.iface));
        break;
    case 3: /* one of the device's own, which another reference keeps: no object keeps itself */
        if (other == at || slots[other].kind == DEVICE || slots[at].kind == DEVICE)
            break;
        printf("SetPrivateDataInterface, %s: %08X\n", kind_names[slots[other].kind],
               (unsigned)ID3D12Object_SetPrivateDataInterface(object, guid, slots[other].object));
        printf("  %u", (unsigned)IUnknown_AddRef(slots[other].object));
        printf(" %u\n", (unsigned)IUnknown_Release(slots[other].object));
        size = sizeof got;
        if (SUCCEEDED(ID3D12Object_GetPrivateData(object, guid, &size, &got)) &&
            size == sizeof got && got) {
            printf("  the same %d", got == slots[other].object);
            printf(" %u\n", (unsigned)IUnknown_Release(got));
        }
        printf("  %08X\n", (unsigned)ID3D12Object_SetPrivateData(object, guid, 0, NULL));
        break;
    case 4:
        printf("GetPrivateData: %08X",
               (unsigned)ID3D12Object_GetPrivateData(object, guid, &size, below(4) ? NULL : bytes));
        printf(" %u\n", size);
        break;
    default:
        printf("SetName: %08X\n",
               (unsigned)ID3D12Object_SetName(object, below(3) ? L"A name" : NULL));
        size = sizeof bytes;
        printf("  %08X", (unsigned)ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW,
                                                               &size, bytes));
        printf(" %u\n", size);
    }
    printf("  spy %d\n", atomic_load(&spy.references));
}

static void ask_device(void)
{
    const uint32_t at = find_any();
    void *device = NULL;
    if (at == NONE || slots[at].kind == DEVICE)
        return;
    ID3D12DeviceChild *child = AS(ID3D12DeviceChild, at);
    const HRESULT result = ID3D12DeviceChild_GetDevice(child, &IID_ID3D12Device, &device);
    printf("GetDevice: %08X, the same %d", (unsigned)result,
           device == (void *)slots[slots[at].device].object);
    if (device)
        printf(", %u", (unsigned)ID3D12Device_Release((ID3D12Device *)device));
    puts("");
}

/* ---- lists and queues ---- */

static void use_list(void)
{
    const uint32_t at = find(below(3) ? LIST : BUNDLE);
    if (at == NONE)
        return;
    struct slot *slot = &slots[at];
    ID3D12GraphicsCommandList *list = AS(ID3D12GraphicsCommandList, at);
    HRESULT result;
    uint32_t other;
    switch (below(8)) {
    case 0:
        result = ID3D12GraphicsCommandList_Close(list);
        printf("Close: %08X\n", (unsigned)result);
        slot->is_bad = slot->is_bad || !slot->is_open || FAILED(result);
        slot->is_open = false;
        break;
    case 1:
        other = find(slot->kind == BUNDLE ? BUNDLES : ALLOCATOR);
        if (other == NONE || slots[other].device != slot->device)
            break;
        for (uint32_t i = 0; i < SLOTS; i++)
            if (i != at && slots[i].object && slots[i].is_open && slots[i].allocator == other)
                return;
        result = ID3D12GraphicsCommandList_Reset(list, AS(ID3D12CommandAllocator, other), NULL);
        printf("Reset: %08X\n", (unsigned)result);
        if (FAILED(result))
            break;
        slot->is_open = true;
        slot->is_bad = false;
        slot->allocator = other;
        slot->resets = slots[other].resets;
        break;
    case 2:
        PIXBeginEvent(list, PIX_COLOR(1, 2, 3), "scope %u", below(9));
        break;
    case 3:
        PIXEndEvent(list);
        break;
    case 4:
        ID3D12GraphicsCommandList_SetMarker(list, 1, "text", below(2) ? 5 : 0);
        break;
    case 5:
        ID3D12GraphicsCommandList_BeginEvent(list, below(5), below(2) ? "bytes" : NULL, below(6));
        break;
    case 6:
        other = find(BUNDLE);
        if (slot->kind == LIST && slot->is_open && other != NONE && !slots[other].is_open &&
            !slots[other].is_bad && slots[other].allocator != NONE &&
            slots[slots[other].allocator].resets == slots[other].resets)
            ID3D12GraphicsCommandList_ExecuteBundle(list, AS(ID3D12GraphicsCommandList, other));
        break;
    default:
        other = find(BUFFER);
        if (slot->kind == LIST && slot->is_open && other != NONE &&
            slots[other].device == slot->device)
            ID3D12GraphicsCommandList_CopyBufferRegion(list, AS(ID3D12Resource, other), 64,
                                                       AS(ID3D12Resource, other), 0,
                                                       below(2) ? 64 : 8192);
    }
}

static void use_allocator(void)
{
    const uint32_t at = find(below(2) ? ALLOCATOR : BUNDLES);
    if (at == NONE)
        return;
    for (uint32_t i = 0; i < SLOTS; i++)
        if (slots[i].object && slots[i].is_open && slots[i].allocator == at)
            return;
    flush();
    const HRESULT result = ID3D12CommandAllocator_Reset(AS(ID3D12CommandAllocator, at));
    printf("allocator Reset: %08X\n", (unsigned)result);
    slots[at].resets += SUCCEEDED(result);
}

static void use_queue(void)
{
    const uint32_t at = find(QUEUE), fence = find(FENCE);
    ID3D12CommandList *lists[3];
    UINT count = 0;
    if (at == NONE)
        return;
    ID3D12CommandQueue *queue = AS(ID3D12CommandQueue, at);
    switch (below(6)) {
    case 0:
    case 1:
        for (uint32_t i = below(3); i < 3; i++) {
            const uint32_t list = find(LIST);
            if (list == NONE || slots[list].is_bad || slots[list].device != slots[at].device ||
                slots[slots[list].allocator].resets != slots[list].resets ||
                (slots[list].is_open && below(16) != 0))
                continue;
            lists[count++] = AS(ID3D12CommandList, list);
        }
        ID3D12CommandQueue_ExecuteCommandLists(queue, count, lists);
        flush();
        break;
    case 2:
        if (fence == NONE || slots[fence].device != slots[at].device)
            break;
        slots[fence].signaled++;
        printf("Signal: %08X\n", (unsigned)ID3D12CommandQueue_Signal(queue, AS(ID3D12Fence, fence),
                                                                     slots[fence].signaled));
        printf("  wait: %08X", (unsigned)ID3D12Fence_SetEventOnCompletion(
                                   AS(ID3D12Fence, fence), slots[fence].signaled, NULL));
        printf(" %llx\n",
               (unsigned long long)ID3D12Fence_GetCompletedValue(AS(ID3D12Fence, fence)));
        break;
    case 3:
        if (fence == NONE || slots[fence].device != slots[at].device)
            break;
        printf("Wait: %08X\n", (unsigned)ID3D12CommandQueue_Wait(queue, AS(ID3D12Fence, fence),
                                                                 slots[fence].signaled));
        break;
    case 4:
        ID3D12CommandQueue_BeginEvent(queue, 1, "of the queue", 13);
        break;
    default:
        ID3D12CommandQueue_EndEvent(queue);
    }
}

static void use_device(void)
{
    const uint32_t at = find(DEVICE);
    void *device5 = NULL;
    if (at == NONE)
        return;
    ID3D12Device *device = AS(ID3D12Device, at);
    printf("reason: %08X\n", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
    if (below(24) == 0 &&
        SUCCEEDED(ID3D12Device_QueryInterface(device, &IID_ID3D12Device5, &device5))) {
        flush();
        ID3D12Device5_RemoveDevice((ID3D12Device5 *)device5);
        printf("removed: %08X", (unsigned)ID3D12Device_GetDeviceRemovedReason(device));
        printf(" %u\n", (unsigned)ID3D12Device5_Release((ID3D12Device5 *)device5));
        is_removed = true;
    }
}

static void step(void)
{
    static void (*const steps[])(void) = {
        create,   create,        create,     create_device, count_references, count_references,
        query,    private_data,  ask_device, use_list,      use_list,         use_list,
        use_list, use_allocator, use_queue,  use_queue,     use_device};
    steps[below(sizeof steps / sizeof *steps)]();
}

static void *step_elsewhere(void *none)
{
    step();
    return none;
}

int main(int argc, char **argv)
{
    emu_config config = EMU_CONFIG_INIT;
    const uint32_t calls = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 1000;
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 1 : 1;
    config.order = EMU_ORDER_THREADS;
    emu_configure(&config);
    create_device();
    for (uint32_t i = 0; i < calls; i++) {
        pthread_t thread;
        if (below(8) == 0 && pthread_create(&thread, NULL, step_elsewhere, NULL) == 0)
            pthread_join(thread, NULL);
        else
            step();
    }
    flush();
    const bool is_device_first = below(2);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < SLOTS; i++)
            while (slots[i].object &&
                   (slots[i].kind == DEVICE) == (is_device_first == (round == 0))) {
                const unsigned left = (unsigned)IUnknown_Release(slots[i].object);
                if (--slots[i].references > 0)
                    continue;
                printf("%s last: %u\n", kind_names[slots[i].kind], left);
                slots[i] = (struct slot){0};
            }
    printf("spy %d\n", atomic_load(&spy.references));
    return 0;
}
