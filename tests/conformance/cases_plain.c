/* Cases that need D3D12 alone, and no ID3D12DeviceTools2 either: markers of every encoding on every
 * list and queue do no harm, change no result, and names come back. For runtimes that offer nothing
 * else; video is skipped where there is none. */
#include "kit.h"
#include "kit_dred.h"
#include "kit_object.h"

#include <pthread.h>

CASES(plain_cases, "plain");

static ID3D12Device *device_of_case(void)
{
    return kit_device(0);
}

static void expect_alive(ID3D12Device *device)
{
    EXPECT_OK(ID3D12Device_GetDeviceRemovedReason(device));
}

/* ---- markers of every encoding ---- */

static const UINT encodings[] = {0, 1, 2, 6345127, 0x80000007};
enum { ENCODINGS = sizeof encodings / sizeof *encodings };
#define EACH_ENCODING(type) type "-utf16", type "-utf8", type "-pix1", type "-pix2", type "-unknown"

static UINT encoding_of_row(void)
{
    return encodings[case_row() % ENCODINGS];
}

static const UINT sizes[] = {0, 1, 3, 8, 255, 4096, 65536};
enum { SIZES = sizeof sizes / sizeof *sizes, LONGEST = 65536 };

/* An odd size is at an odd address. */
static const void *payload(UINT size)
{
    static unsigned char bytes[LONGEST + 1];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i % 2 ? 0 : 'a' + i / 2 % 26);
    return size > 0 ? bytes + size % 2 : NULL;
}

static void mark_list(const struct kit_list *list, UINT metadata)
{
    for (size_t i = 0; i < SIZES; i++) {
        kit_begin(list, metadata, payload(sizes[i]), sizes[i]);
        kit_set(list, metadata, payload(sizes[i]), sizes[i]);
    }
    for (size_t i = 0; i < SIZES; i++)
        kit_end(list);
}

static const char *const list_encoding_rows[] = {
    EACH_ENCODING("direct"),       EACH_ENCODING("bundle"),
    EACH_ENCODING("compute"),      EACH_ENCODING("copy"),
    EACH_ENCODING("video-decode"), EACH_ENCODING("video-process"),
    EACH_ENCODING("video-encode"), NULL};

CASE(a_list_bears_markers_of_any_encoding, "ANN-MARK-14 ANN-MARK-08",
     "A marker of some encoding or size makes Close fail or removes the device.",
     .rows = list_encoding_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    const D3D12_COMMAND_LIST_TYPE type = (D3D12_COMMAND_LIST_TYPE)(case_row() / ENCODINGS);
    OWNED_LIST list = kit_list(device, type);
    for (int recording = 0; recording < 2; recording++) {
        mark_list(&list, encoding_of_row());
        EXPECT_OK(kit_list_try_close(&list));
        EXPECT_OK(kit_list_try_reset(&list));
    }
    kit_list_close(&list);
    expect_alive(device);
}

static const char *const queue_encoding_rows[] = {EACH_ENCODING("direct"),
                                                  EACH_ENCODING("compute"),
                                                  EACH_ENCODING("copy"),
                                                  EACH_ENCODING("video-decode"),
                                                  EACH_ENCODING("video-process"),
                                                  EACH_ENCODING("video-encode"),
                                                  NULL};

CASE(a_queue_bears_markers_of_any_encoding, "ANN-MARK-14 ANN-MARK-02 ANN-MARK-06",
     "A queue's marker of some encoding or size, or a surplus end, removes the device, or what "
     "follows never ends.",
     .rows = queue_encoding_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    const D3D12_COMMAND_LIST_TYPE type = kit_queue_types[case_row() / ENCODINGS];
    const UINT metadata = encoding_of_row();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, type);
    for (size_t i = 0; i < SIZES; i++) {
        ID3D12CommandQueue_BeginEvent(queue, metadata, payload(sizes[i]), sizes[i]);
        ID3D12CommandQueue_SetMarker(queue, metadata, payload(sizes[i]), sizes[i]);
    }
    for (size_t i = 0; i < SIZES + 2; i++)
        ID3D12CommandQueue_EndEvent(queue);
    kit_wait(device, queue);
    expect_alive(device);
}

enum { THREADS = 4, DEPTH_OF_THREAD = 25000 };

static void *mark_deeply(void *queue)
{
    for (int i = 0; i < DEPTH_OF_THREAD; i++)
        ID3D12CommandQueue_BeginEvent((ID3D12CommandQueue *)queue, 1, "scope", 6);
    ID3D12CommandQueue_SetMarker((ID3D12CommandQueue *)queue, 1, "deepest", 8);
    for (int i = 0; i < DEPTH_OF_THREAD; i++)
        ID3D12CommandQueue_EndEvent((ID3D12CommandQueue *)queue);
    return NULL;
}

CASE(threads_may_mark_one_queue, "ANN-MARK-13 ANN-MARK-10",
     "Threads that mark one queue, or deep scopes, crash it or remove the device.",
     .rows = kit_queue_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, kit_queue_types[case_row()]);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        REQUIRE_EQ(pthread_create(&threads[i], NULL, mark_deeply, queue), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    kit_wait(device, queue);
    expect_alive(device);
}

/* ---- results ---- */

enum { BYTES = 1024 };

static const char *const work_rows[] = {EACH_ENCODING("direct"), EACH_ENCODING("compute"),
                                        EACH_ENCODING("copy"), EACH_ENCODING("bundle"), NULL};
static const D3D12_COMMAND_LIST_TYPE work_types[] = {DIRECT, COMPUTE, COPY, DIRECT};

static void fill(ID3D12Resource *upload, unsigned char seed)
{
    unsigned char *bytes = NULL;
    REQUIRE_OK(ID3D12Resource_Map(upload, 0, NULL, (void **)&bytes));
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + seed);
    ID3D12Resource_Unmap(upload, 0, NULL);
}

static void expect_filled(ID3D12Resource *readback, unsigned char seed)
{
    const unsigned char *bytes = NULL;
    size_t wrong = 0;
    REQUIRE_OK(ID3D12Resource_Map(readback, 0, NULL, (void **)&bytes));
    for (size_t i = 0; i < BYTES; i++)
        wrong += bytes[i] != (unsigned char)(i * 7 + seed);
    EXPECT_EQ(wrong, 0);
    ID3D12Resource_Unmap(readback, 0, NULL);
}

struct copying {
    ID3D12CommandQueue *queue;
    struct kit_list list, bundle;
    ID3D12Resource *from, *to;
};

/* Four copies of a quarter each, between markers or without. */
static void record_copies(const struct copying *copying, bool is_marked, UINT metadata)
{
    for (UINT64 part = 0; part < 4; part++) {
        if (is_marked)
            mark_list(&copying->list, metadata);
        if (is_marked)
            kit_begin(&copying->list, metadata, payload(8), 8);
        if (is_marked && copying->bundle.list)
            ID3D12GraphicsCommandList_ExecuteBundle(kit_graphics(&copying->list),
                                                    kit_graphics(&copying->bundle));
        ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(&copying->list), copying->to,
                                                   part * BYTES / 4, copying->from,
                                                   part * BYTES / 4, BYTES / 4);
        if (is_marked)
            kit_end(&copying->list);
    }
}

CASE(markers_change_no_result, "ANN-MARK-01 ANN-MARK-11",
     "Work between markers does something else than the same work without them.", .rows = work_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    const size_t kind = case_row() / ENCODINGS;
    struct copying copying = {
        .queue = kit_queue(device, work_types[kind]),
        .list = kit_list(device, work_types[kind]),
        .from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, BYTES),
        .to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, BYTES),
    };
    if (kind == 3) {
        copying.bundle = kit_list(device, BUNDLE);
        mark_list(&copying.bundle, encoding_of_row());
        kit_list_close(&copying.bundle);
    }
    for (unsigned char run = 0; run < 4; run++) {
        fill(copying.from, run);
        if (run > 0)
            kit_list_reset(&copying.list);
        record_copies(&copying, run % 2 != 0, encoding_of_row());
        kit_run(device, copying.queue, &copying.list);
        expect_filled(copying.to, run);
    }
    expect_alive(device);
    kit_release(copying.from);
    kit_release(copying.to);
    kit_list_done(&copying.list);
    kit_list_done(&copying.bundle);
    kit_release(copying.queue);
}

/* ---- scopes ---- */

CASE(surplus_ends_do_no_harm, "ANN-MARK-06",
     "An EndEvent without a BeginEvent makes Close fail or removes the device.",
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    for (int i = 0; i < 100; i++)
        kit_end(&list);
    kit_begin(&list, 1, "scope", 6);
    kit_end(&list);
    kit_end(&list);
    EXPECT_OK(kit_list_try_close(&list));
    expect_alive(device);
}

CASE(scopes_may_stay_open, "ANN-MARK-07",
     "A BeginEvent without an EndEvent makes Close fail, or the next recording.",
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    for (int recording = 0; recording < 3; recording++) {
        for (int i = 0; i < 100; i++)
            kit_begin(&list, 1, "scope", 6);
        EXPECT_OK(kit_list_try_close(&list));
        kit_list_reset(&list);
    }
    kit_list_close(&list);
    expect_alive(device);
}

static const char *const deep_rows[] = {"direct", "compute", "copy", NULL};

CASE(nesting_may_be_10000_deep, "ANN-MARK-10",
     "Deeply nested scopes overflow a stack or lose the work inside of them.", .rows = deep_rows)
{
    enum { DEPTH = 10000 };
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    struct copying copying = {
        .queue = kit_queue(device, work_types[case_row()]),
        .list = kit_list(device, work_types[case_row()]),
        .from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, BYTES),
        .to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, BYTES),
    };
    fill(copying.from, 99);
    for (int i = 0; i < DEPTH; i++)
        kit_begin(&copying.list, 1, "scope", 6);
    record_copies(&copying, false, 0);
    for (int i = 0; i < DEPTH; i++)
        kit_end(&copying.list);
    kit_run(device, copying.queue, &copying.list);
    expect_filled(copying.to, 99);
    kit_release(copying.from);
    kit_release(copying.to);
    kit_list_done(&copying.list);
    kit_release(copying.queue);
}

CASE(balanced_markers_say_nothing, "ANN-MARK-06 ANN-MARK-07",
     "The debug layer complains about markers that are as they should be.", .needs = MESSAGES,
     .rows = kit_list_rows)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED_LIST list = kit_list(device, (D3D12_COMMAND_LIST_TYPE)case_row());
    kit_forget_messages(device);
    kit_begin(&list, 1, "outer", 6);
    kit_begin(&list, 1, "inner", 6);
    kit_set(&list, 1, "set", 4);
    kit_end(&list);
    kit_end(&list);
    kit_list_close(&list);
    EXPECT_EQ(kit_messages(device), 0);
}

/* ---- names ---- */

static const WCHAR first_name[] = {'S', 'h', 'a', 'd', 'o', 'w', ' ', 0x5F71, 0};
static const WCHAR second_name[] = {'S', 'u', 'n', 0};

static UINT bytes_of(const WCHAR *name)
{
    UINT length = 0;
    while (name[length])
        length++;
    return length * (UINT)sizeof *name;
}

/* With or without the NUL: Windows counts what SetName was given. */
static void expect_name(ID3D12Object *object, const WCHAR *name)
{
    WCHAR got[64] = {0};
    UINT size = sizeof got;
    EXPECT_OK(ID3D12Object_GetPrivateData(object, &WKPDID_D3DDebugObjectNameW, &size, got));
    EXPECT(size == bytes_of(name) || size == bytes_of(name) + sizeof *name);
    EXPECT_BYTES(got, name, bytes_of(name));
}

CASE(a_name_is_private_data, "ANN-NAME-06",
     "A tool that asks an object for its name gets none, though SetName succeeded.")
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    EXPECT_OK(ID3D12Fence_SetName(fence, first_name));
    expect_name((ID3D12Object *)fence, first_name);
}

CASE(a_name_comes_back, "ANN-NAME-03 ANN-NAME-04 ANN-NAME-06",
     "An object of this kind forgets its name, keeps an old one, or has its neighbour's.",
     .needs = NAMES, .rows = kit_object_rows)
{
    UINT size = 0;
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    AT_END(kit_object_done)
    struct kit_object made = kit_object(device, (enum kit_object_kind)case_row());
    AT_END(kit_object_done)
    struct kit_object other = kit_object(device, (enum kit_object_kind)case_row());
    EXPECT_OK(ID3D12Object_SetName(made.object, first_name));
    EXPECT_OK(ID3D12Object_SetName(other.object, second_name));
    expect_name(made.object, first_name);
    EXPECT_OK(ID3D12Object_SetName(made.object, second_name));
    expect_name(made.object, second_name);
    EXPECT_OK(ID3D12Object_SetName(made.object, NULL));
    EXPECT_HR(ID3D12Object_GetPrivateData(made.object, &WKPDID_D3DDebugObjectNameW, &size, NULL),
              0x887A0002); /* DXGI_ERROR_NOT_FOUND */
    expect_name(other.object, second_name);
}

CASE(a_devices_name_comes_back, "ANN-NAME-02", "A device can't be named, or forgets its name.",
     .needs = NAMES)
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    EXPECT_OK(ID3D12Device_SetName(device, first_name));
    expect_name((ID3D12Object *)device, first_name);
}

CASE(private_data_is_a_name_that_comes_back, "ANN-NAME-06",
     "A name that was set as private data is not the name that tools read.",
     .rows = kit_object_rows)
{
    char got[16] = "";
    UINT size = sizeof got;
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    AT_END(kit_object_done)
    struct kit_object made = kit_object(device, (enum kit_object_kind)case_row());
    EXPECT_OK(ID3D12Object_SetPrivateData(made.object, &WKPDID_D3DDebugObjectNameW,
                                          bytes_of(second_name), second_name));
    expect_name(made.object, second_name);
    EXPECT_OK(ID3D12Object_SetPrivateData(made.object, &WKPDID_D3DDebugObjectName, 3, "sun"));
    EXPECT_OK(ID3D12Object_GetPrivateData(made.object, &WKPDID_D3DDebugObjectName, &size, got));
    EXPECT_EQ(size, 3);
    EXPECT_BYTES(got, "sun", 3);
}

CASE(other_private_data_comes_back, "ANN-NAME-06",
     "Annotations lose an application's own data, or take it for a name.", .rows = kit_object_rows)
{
    static const GUID own = {0x11223344, 0x5566, 0x7788, {1, 2, 3, 4, 5, 6, 7, 9}};
    unsigned char got[8] = {0};
    UINT size = sizeof got;
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    AT_END(kit_object_done)
    struct kit_object made = kit_object(device, (enum kit_object_kind)case_row());
    EXPECT_OK(ID3D12Object_SetPrivateData(made.object, &WKPDID_D3DDebugObjectNameW,
                                          bytes_of(first_name), first_name));
    EXPECT_OK(ID3D12Object_SetPrivateData(made.object, &own, 5, "\1\2\0\3\4"));
    EXPECT_OK(ID3D12Object_GetPrivateData(made.object, &own, &size, got));
    EXPECT_EQ(size, 5);
    EXPECT_BYTES(got, "\1\2\0\3\4", 5);
    expect_name(made.object, first_name);
}

/* ---- allocators, and what fails ---- */

CASE(an_allocator_awaits_its_own_work_only, "ANN-LIFE-01",
     "A marked list can't be recorded anew while some other queue still has work to do.",
     .rows = kit_queue_rows)
{
    const D3D12_COMMAND_LIST_TYPE type = kit_queue_types[case_row()];
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED ID3D12CommandQueue *busy = kit_queue(device, type);
    OWNED ID3D12CommandQueue *queue = kit_queue(device, type);
    OWNED_LIST waiting = kit_list(device, type);
    OWNED_LIST list = kit_list(device, type);
    OWNED ID3D12Fence *gate = kit_fence(device, 0);
    kit_set(&waiting, 1, "waits", 6);
    kit_set(&list, 1, "done", 5);
    REQUIRE_OK(ID3D12CommandQueue_Wait(busy, gate, 1));
    kit_execute(busy, &waiting);
    kit_run(device, queue, &list);
    EXPECT_OK(ID3D12CommandAllocator_Reset(list.allocator));
    kit_list_reset(&list);
    kit_set(&list, 1, "again", 6);
    kit_list_close(&list);
    REQUIRE_OK(ID3D12Fence_Signal(gate, 1));
    kit_wait(device, busy);
    EXPECT_OK(ID3D12CommandAllocator_Reset(waiting.allocator));
}

CASE(a_reset_list_is_as_new, "ANN-MODE-05",
     "After one mistake a pooled list, and every marker on it, is lost for ever.")
{
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED_LIST list = kit_list(device, COMPUTE);
    kit_begin(&list, 1, "before", 7);
    ID3D12GraphicsCommandList_DrawInstanced(kit_graphics(&list), 3, 1, 0, 0);
    if (SUCCEEDED(kit_list_try_close(&list)))
        SKIP("this runtime lets a compute list draw");
    EXPECT_OK(kit_list_try_reset(&list));
    kit_set(&list, 1, "after", 6);
    EXPECT_OK(kit_list_try_close(&list));
    expect_alive(device);
}

CASE(a_removed_device_takes_no_more, "ANN-CRASH-01",
     "An application that doesn't notice the removal goes on, or its markers crash it.")
{
    enum { REMOVED = (int)0x887A0005 }; /* DXGI_ERROR_DEVICE_REMOVED */
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, DIRECT);
    OWNED ID3D12Fence *fence = kit_fence(device, 0);
    OWNED_LIST list = kit_list(device, DIRECT);
    kit_set(&list, 1, "never", 6);
    kit_list_close(&list);
    kit_remove(device);
    const HRESULT reason = ID3D12Device_GetDeviceRemovedReason(device);
    ID3D12CommandQueue_SetMarker(queue, 1, "late", 5);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &list.list);
    EXPECT_HR(ID3D12CommandQueue_Signal(queue, fence, 7), REMOVED);
    EXPECT_HR(ID3D12CommandQueue_Wait(queue, fence, 7), REMOVED);
    EXPECT_HR(kit_list_try_reset(&list), REMOVED);
    EXPECT_EQ(ID3D12Fence_GetCompletedValue(fence), UINT64_MAX);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), reason);
}

/* ---- DRED, of a list that a queue has not come to ---- */

static const char *const dred_rows[] = {"direct", "compute", "copy", NULL};

CASE(dred_tells_the_markers_of_a_list_that_waits, "ANN-DRED-07 ANN-DRED-09",
     "DRED's breadcrumbs and contexts of a list are not the markers that were set on it.",
     .needs = DRED, .rows = dred_rows)
{
    kit_dred_set(DRED_ON, DRED_ON, DRED_OFF);
    AT_END(kit_device_end) ID3D12Device *device = device_of_case();
    OWNED ID3D12CommandQueue *queue = kit_queue(device, work_types[case_row()]);
    OWNED_LIST list = kit_list(device, work_types[case_row()]);
    OWNED ID3D12Resource *from = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, BYTES);
    OWNED ID3D12Resource *to = kit_buffer(device, D3D12_HEAP_TYPE_READBACK, BYTES);
    OWNED ID3D12Fence *never = kit_fence(device, 0);
    kit_begin(&list, 1, "Shadow pass", 12);
    ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(&list), to, 0, from, 0, BYTES);
    kit_set(&list, 1, "sun", 4);
    kit_end(&list);
    REQUIRE_OK(ID3D12CommandQueue_Wait(queue, never, 1));
    kit_execute(queue, &list);
    kit_remove(device);
    OWNED kit_dred *dred = kit_dred_of(device);
    const D3D12_AUTO_BREADCRUMB_NODE1 *node = kit_dred_nodes(dred);
    while (node && node->pCommandList != (void *)list.list)
        node = node->pNext;
    REQUIRE(node);
    static const D3D12_AUTO_BREADCRUMB_OP wanted[] = {D3D12_AUTO_BREADCRUMB_OP_BEGINEVENT,
                                                      D3D12_AUTO_BREADCRUMB_OP_COPYBUFFERREGION,
                                                      D3D12_AUTO_BREADCRUMB_OP_SETMARKER,
                                                      D3D12_AUTO_BREADCRUMB_OP_ENDEVENT};
    REQUIRE_EQ(node->BreadcrumbCount, 4);
    EXPECT_EQ(*node->pLastBreadcrumbValue, 0);
    for (UINT i = 0; i < 4; i++)
        EXPECT_EQ_AT(i, node->pCommandHistory[i], wanted[i]);
    REQUIRE_EQ(node->BreadcrumbContextsCount, 2);
    EXPECT_EQ(node->pBreadcrumbContexts[0].BreadcrumbIndex, 0);
    EXPECT(kit_is_text(node->pBreadcrumbContexts[0].pContextString, "Shadow pass"));
    EXPECT_EQ(node->pBreadcrumbContexts[1].BreadcrumbIndex, 2);
    EXPECT(kit_is_text(node->pBreadcrumbContexts[1].pContextString, "sun"));
}
