/* Names: SetName and private data on every kind of child, and the driver's calls for them
 * [ANN-NAME]. */
#include "kit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

struct children {
    ID3D12CommandQueue *queue;
    ID3D12CommandAllocator *allocator, *bundle_allocator;
    ID3D12GraphicsCommandList *list, *bundle;
    ID3D12Fence *fence;
    ID3D12Heap *heap;
    ID3D12Resource *committed, *placed;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
};

#define KINDS 11

static void make(struct children *c, ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC buffer = kit_buffer_desc(1024);
    const D3D12_HEAP_DESC heap = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    c->queue = kit_queue(device, DIRECT);
    c->allocator = kit_allocator(device, DIRECT);
    c->bundle_allocator = kit_allocator(device, BUNDLE);
    c->list = kit_list(device, c->allocator, DIRECT);
    c->bundle = kit_list(device, c->bundle_allocator, BUNDLE);
    c->fence = kit_fence(device, 0);
    c->heap = MADE(ID3D12Heap, device, CreateHeap, &heap);
    c->committed = kit_buffer(device, D3D12_HEAP_TYPE_DEFAULT, 64);
    c->placed = MADE(ID3D12Resource, device, CreatePlacedResource, c->heap, 0, &buffer,
                     D3D12_RESOURCE_STATE_COMMON, NULL);
    c->signature = kit_root_signature(device);
    c->pipeline = kit_pipeline(device, c->signature, EMU_KERNEL_FILL);
}

/* The children as ID3D12Objects, each with the type that the driver is to hear. */
static void each(const struct children *c, ID3D12Object *objects[KINDS],
                 D3D12DDI_HANDLETYPE types[KINDS])
{
    void *const all[KINDS] = {c->queue,     c->allocator, c->bundle_allocator,
                              c->list,      c->bundle,    c->fence,
                              c->heap,      c->committed, c->placed,
                              c->signature, c->pipeline};
    static const D3D12DDI_HANDLETYPE kinds[KINDS] = {
        D3D12DDI_HT_COMMAND_QUEUE,  D3D12DDI_HT_COMMAND_ALLOCATOR, D3D12DDI_HT_COMMAND_ALLOCATOR,
        D3D12DDI_HT_COMMAND_LIST,   D3D12DDI_HT_COMMAND_LIST,      D3D12DDI_HT_FENCE,
        D3D12DDI_HT_HEAP,           D3D12DDI_HT_RESOURCE,          D3D12DDI_HT_RESOURCE,
        D3D12DDI_HT_ROOT_SIGNATURE, D3D12DDI_HT_PIPELINE_STATE};
    memcpy(objects, all, sizeof all);
    memcpy(types, kinds, sizeof kinds);
}

static void drop(ID3D12Object *objects[KINDS])
{
    for (size_t i = KINDS; i-- > 0;)
        ID3D12Object_Release(objects[i]);
}

Test(names, set_name_on_every_kind_reaches_the_driver_once) /* ANN-NAME-01, -04 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    struct children children;
    ID3D12Object *objects[KINDS];
    D3D12DDI_HANDLETYPE types[KINDS];
    void *handles[KINDS];
    make(&children, device);
    each(&children, objects, types);
    for (size_t i = 0; i < KINDS; i++) {
        heard_count = 0;
        MUST(ID3D12Object_SetName(objects[i], L"thing"));
        cr_assert_eqs(heard_count, 1, heard[0].what, HEARD_NAME, "kind %zu", i);
        cr_assert_eq(heard[0].type, types[i]);
        cr_assert(heard[0].has_name && heard[0].handle);
        cr_assert_eq(heard[0].name_length, 5);
        cr_assert_mem_eq(heard[0].name, L"thing", 5 * sizeof(WCHAR));
        MUST(ID3D12Object_SetName(objects[i], NULL));
        cr_assert(heard_count == 2 && !heard[1].has_name && heard[1].handle == heard[0].handle);
        handles[i] = heard[0].handle;
        for (size_t k = 0; k < i; k++)
            cr_assert(handles[k] != handles[i], "kinds %zu and %zu have one handle", k, i);
        for (size_t k = 0; k < KINDS; k++)
            cr_assert(handles[i] != objects[k], "a pointer of the runtime's, which no driver made");
    }
    drop(objects);
}

Test(names, under_runtime_only_they_are_kept_but_not_forwarded) /* ANN-NAME-03 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RUNTIME);
    struct children children;
    ID3D12Object *objects[KINDS];
    D3D12DDI_HANDLETYPE types[KINDS];
    make(&children, device);
    each(&children, objects, types);
    for (size_t i = 0; i < KINDS; i++) {
        WCHAR name[8] = {0};
        UINT size = sizeof name;
        MUST(ID3D12Object_SetName(objects[i], L"kept"));
        MUST(ID3D12Object_GetPrivateData(objects[i], &WKPDID_D3DDebugObjectNameW, &size, name));
        /* as SetPrivateData would have it: with its terminator */
        cr_assert_eq(size, 5 * sizeof(WCHAR));
        cr_assert_mem_eq(name, L"kept", size);
    }
    cr_assert_eq(heard_count, 0);
    drop(objects);
}

Test(names, the_device_itself_is_no_child) /* ANN-NAME-02 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    UINT size = 0;
    MUST(ID3D12Device_SetName(device, L"device"));
    MUST(ID3D12Device_GetPrivateData(device, &WKPDID_D3DDebugObjectNameW, &size, NULL));
    cr_assert_eqs(size, 7 * sizeof(WCHAR), heard_count, 0);
}

Test(names, private_data_names_too) /* ANN-NAME-06 */
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    /* wide, without NUL at its end */
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, 4 * sizeof(WCHAR),
                                    L"wide and more"));
    cr_assert_eqs(heard_count, 1, heard[0].name_length, 4);
    cr_assert_mem_eq(heard[0].name, L"wide", 4 * sizeof(WCHAR));
    /* char, UTF-8: the driver hears it wide */
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 8,
                                    "gr\xC3\xBC\xC3\x9F\xFF!"));
    cr_assert_eqs(heard_count, 2, heard[1].name_length, 6);
    static const WCHAR wide[] = {'g', 'r', 0xFC, 0xDF, 0xFFFD, '!'};
    cr_assert_mem_eq(heard[1].name, wide, sizeof wide);
    char back[16];
    UINT size = sizeof back;
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectName, &size, back));
    cr_assert_eq(size, 8);
    cr_assert_mem_eq(back, "gr\xC3\xBC\xC3\x9F\xFF!", 8);
}

static void expect_name(const WCHAR *name, size_t length)
{
    const struct heard *last = &heard[heard_count - 1];
    cr_assert_eqs(last->what, HEARD_NAME, last->has_name, name != NULL);
    cr_assert(!name || (last->name_length == length &&
                        memcmp(last->name, name, length * sizeof(WCHAR)) == 0));
}

/* ANN-NAME-04, -06: clearing one of the two names leaves the object the other one, which
 * GetPrivateData still answers. */
Test(names, a_cleared_name_leaves_the_other_one)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    UINT size = 0;
    MUST(ID3D12Fence_SetName(fence, L"wide"));
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(L"wide", 4);
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, NULL));
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    MUST(ID3D12Fence_SetName(fence, NULL));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(NULL, 0);
    cr_assert_eq(heard_count, 6);
}

/* An interface under a name's GUID replaces the name, in the runtime and at the driver. */
Test(names, an_interface_in_a_names_place_is_no_name)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    ID3D12Fence *fence = kit_fence(device, 0), *other = kit_fence(device, 0), *back = NULL;
    UINT size = sizeof back;
    MUST(ID3D12Fence_SetName(fence, L"wide"));
    MUST(
        ID3D12Fence_SetPrivateDataInterface(fence, &WKPDID_D3DDebugObjectNameW, (IUnknown *)other));
    expect_name(NULL, 0);
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, &back));
    cr_assert_eqs(back, other, size, sizeof back);
    ID3D12Fence_Release(back);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 6, "narrow"));
    expect_name(L"narrow", 6);
    MUST(ID3D12Fence_SetPrivateData(fence, &WKPDID_D3DDebugObjectName, 0, NULL));
    expect_name(NULL, 0);
    MUST(ID3D12Fence_SetPrivateDataInterface(fence, &WKPDID_D3DDebugObjectNameW, NULL));
    expect_name(NULL, 0);
    RELEASE(other, fence);
}

Test(names, any_text_arrives_unchanged) /* ANN-NAME-05 */
{
    static const WCHAR odd[] = {0x4E2D, (WCHAR)0x1F600, 0xD800, 'x', 0xDC00, 0};
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    MUST(ID3D12Fence_SetName(fence, odd));
    cr_assert_eq(heard[0].name_length, 5);
    cr_assert_mem_eq(heard[0].name, odd, 5 * sizeof(WCHAR));

    const size_t length = (1u << 20) / sizeof(WCHAR);
    WCHAR *huge = malloc((length + 1) * sizeof(WCHAR)),
          *back = malloc((length + 1) * sizeof(WCHAR));
    for (size_t i = 0; i < length; i++)
        huge[i] = (WCHAR)('a' + i % 26);
    huge[length] = 0;
    MUST(ID3D12Fence_SetName(fence, huge));
    cr_assert_eq(heard[1].name_length, length);
    UINT size = (UINT)((length + 1) * sizeof(WCHAR));
    MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, back));
    cr_assert_eq(size, (length + 1) * sizeof(WCHAR));
    cr_assert_mem_eq(back, huge, size);
    free(huge);
    free(back);
}

/* ---- two threads, one object ---- */

enum { NAMERS = 4, ROUNDS = 200 };

static atomic_int turn, ready; /* the round that may begin, and how many have named in it */

struct namer {
    ID3D12Fence *fence;
    WCHAR letter;
};

static void *name_in_turn(void *user)
{
    const struct namer *namer = user;
    const WCHAR name[] = {namer->letter, 0};
    for (int i = 1; i <= ROUNDS; i++) {
        while (atomic_load(&turn) < i)
            sched_yield();
        ID3D12Fence_SetName(namer->fence, name);
        atomic_fetch_add(&ready, 1);
    }
    return NULL;
}

/* ANN-NAME-01: what the driver heard last is what the runtime answers, whoever was last. */
Test(names, threads_that_name_one_object_leave_one_name)
{
    AT_END(kit_closed) ID3D12Device *device = kit_heard_device(MODE_RETAIL);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    struct namer namers[NAMERS];
    pthread_t threads[NAMERS];
    heard_slowly = true;
    for (int i = 0; i < NAMERS; i++) {
        namers[i] = (struct namer){fence, (WCHAR)('0' + i)};
        cr_assert_eq(pthread_create(&threads[i], NULL, name_in_turn, &namers[i]), 0);
    }
    for (int i = 1; i <= ROUNDS; i++) {
        WCHAR name[8] = {0};
        UINT size = sizeof name;
        heard_count = 0;
        atomic_store(&turn, i);
        while (atomic_load(&ready) < i * NAMERS)
            sched_yield();
        MUST(ID3D12Fence_GetPrivateData(fence, &WKPDID_D3DDebugObjectNameW, &size, name));
        cr_assert_eq(heard_count, NAMERS);
        expect_name(name, 1);
    }
    for (int i = 0; i < NAMERS; i++)
        pthread_join(threads[i], NULL);
}
