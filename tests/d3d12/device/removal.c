/* Removal of a device: what every call returns afterwards, and the dump. The hang needs no waiting:
 * the clock is virtual. */
#include "kit.h"

#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct removed {
    int count;
    annot_device_error error;
    char path[256];
};

static void on_removed(void *user, annot_device_error error, const char *path)
{
    struct removed *removed = user;
    removed->count++;
    removed->error = error;
    snprintf(removed->path, sizeof removed->path, "%s", path ? path : "");
}

/* A device whose queue hangs, or faults, in a marker; everything else is as it was left. */
struct wreck {
    KIT_SCENE;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *pipeline;
    ID3D12Resource *buffer;
    ID3D12Fence *fence;
    struct removed removed;
    char path[64];
};

static void wreck_open(struct wreck *w, emu_kernel kernel, bool threads)
{
    emu_config config = EMU_CONFIG_INIT;
    memset(w, 0, sizeof *w);
    snprintf(w->path, sizeof w->path, "./removal-%d.annotdmp", (int)getpid());
    config.order = threads ? EMU_ORDER_THREADS : EMU_ORDER_SEEDED;
    config.tdr_timeout_ns = threads ? 50000000 : 0;
    remove(w->path);
    config.dump_path = w->path;
    config.on_removed = on_removed;
    config.user = &w->removed;
    ID3D12Device *device = kit_device_with(&config);
    kit_set_mode(device, MODE_RETAIL);
    KIT_SCENE_OPEN(w, device, DIRECT);
    w->signature = kit_root_signature(w->device);
    w->pipeline = kit_pipeline(w->device, w->signature, kernel);
    w->buffer = kit_buffer(w->device, D3D12_HEAP_TYPE_READBACK, 64);
    w->fence = kit_fence(w->device, 3);
    ID3D12GraphicsCommandList_BeginEvent(w->list, 1, "the scope that hangs", 20);
    kit_dispatch(w->list, w->signature, w->pipeline, w->buffer, NULL, 0x1000, 0);
    ID3D12GraphicsCommandList_EndEvent(w->list);
    kit_execute(w->queue, w->list);
    MUST(ID3D12CommandQueue_Signal(w->queue, w->fence, 4));
}

static void wreck_close(struct wreck *w)
{
    KIT_SCENE_CLOSE(w, w->fence, w->buffer, w->pipeline, w->signature);
    remove(w->path);
}

static bool file_contains(const char *path, const char *text)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 0; i + strlen(text) <= size; i++)
        if (memcmp(bytes + i, text, strlen(text)) == 0)
            return true;
    return false;
}

Test(removal, a_hang_removes_the_device_and_leaves_a_dump) /* ANN-CRASH-01 */
{
    AT_END(wreck_close) struct wreck w;
    wreck_open(&w, EMU_KERNEL_SPIN, false);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(w.device), S_OK);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, 4, NULL));
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(w.device), DXGI_ERROR_DEVICE_HUNG);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(w.fence), UINT64_MAX);
    cr_assert_eqs(w.removed.count, 1, w.removed.error, ANNOT_DEVICE_ERROR_HUNG);
    cr_assert_str_eq(w.removed.path, w.path);
    cr_assert(file_contains(w.path, "the scope that hangs"));
    cr_assert_eq(kit_count(w.device, D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT), 1);
}

/* docs/EMULATOR.md: no dump replaces a file. */
Test(removal, the_message_names_the_dump_and_the_file_in_its_place)
{
    for (int exists = 0; exists < 2; exists++) {
        AT_END(wreck_close) struct wreck w;
        char text[512], end[512];
        wreck_open(&w, EMU_KERNEL_SPIN, false);
        if (exists)
            fclose(fopen(w.path, "w"));
        emu_run_until_idle(w.device);
        cr_assert_eq(
            kit_count_texts(w.device, D3D12_MESSAGE_ID_DEVICE_REMOVAL_PROCESS_AT_FAULT, text), 1);
        snprintf(end, sizeof end, "; the dump is ./removal-%d%s.annotdmp%s%s", (int)getpid(),
                 exists ? "-2" : "", exists ? ", because the file exists: " : "",
                 exists ? w.path + 2 : "");
        cr_assert_str_eq(strstr(text, "; the dump"), end);
        if (exists)
            remove(w.removed.path);
    }
}

/* docs/EMULATOR.md: the newest sixteen messages, the oldest of them first. */
Test(removal, the_dump_has_what_the_info_queue_held)
{
    AT_END(wreck_close) struct wreck w;
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_fact fact;
    char text[ANNOT_FACT_VALUE_MAX * 2 + 1];
    uint32_t seen = 0;
    wreck_open(&w, EMU_KERNEL_SPIN, false);
    ID3D12InfoQueue *messages = AS(ID3D12InfoQueue, w.device);
    for (int i = 1; i <= 20; i++) {
        snprintf(text, sizeof text, "number %d", i);
        if (i == 20) /* the cut of a fact would be in the middle of a character */
            for (size_t k = 0; k + 3 < sizeof text; k += 2)
                memcpy(text + k, "\xC3\xA9", 3);
        MUST(ID3D12InfoQueue_AddApplicationMessage(messages, D3D12_MESSAGE_SEVERITY_WARNING, text));
    }
    ID3D12InfoQueue_Release(messages);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, 4, NULL));
    cr_assert_eq(annot_reader_open_file(NULL, w.path, &reader), ANNOT_OK);
    for (size_t i = 0; annot_reader_fact_at(reader, i, &fact); i++) {
        if (fact.source != ANNOT_FACT_DUMP)
            continue;
        char key[16], start[64];
        snprintf(key, sizeof key, "message.%u", ++seen);
        snprintf(start, sizeof start, seen < 16 ? "WARNING %d: number %u" : "WARNING %d: \xC3\xA9",
                 (int)D3D12_MESSAGE_ID_UNKNOWN, seen + 4);
        cr_assert_eq(fact.key.size, strlen(key));
        cr_assert_mem_eq(fact.key.data, key, fact.key.size);
        cr_assert_mem_eq(fact.value.data, start, strlen(start), "%u: %.60s", seen, fact.value.data);
        cr_assert(seen < 16 || (fact.value.size > ANNOT_FACT_VALUE_MAX - 2 &&
                                fact.value.data[fact.value.size - 1] == '\xA9'));
    }
    cr_assert_eq(seen, 16);
}

Test(removal, a_page_fault_too_is_reported_as_hung)
{
    AT_END(wreck_close) struct wreck w;
    wreck_open(&w, EMU_KERNEL_TOUCH, false);
    emu_run_until_idle(w.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(w.device), DXGI_ERROR_DEVICE_HUNG);
    cr_assert_eqs(w.removed.count, 1, w.removed.error, ANNOT_DEVICE_ERROR_PAGE_FAULT);
}

Test(removal, every_call_answers_as_d3d12_does)
{
    AT_END(wreck_close) struct wreck w;
    void *out = &out;
    wreck_open(&w, EMU_KERNEL_SPIN, false);
    OWNED ID3D12Fence *pending = kit_fence(w.device, 0);
    int event = eventfd(0, EFD_CLOEXEC);
    MUST(ID3D12Fence_SetEventOnCompletion(pending, 1000, (HANDLE)(intptr_t)event));
    emu_run_until_idle(w.device);
    struct pollfd poller = {.fd = event, .events = POLLIN};
    cr_assert_eq(poll(&poller, 1, 0), 1, "waiting applications are let go");

    const D3D12_COMMAND_QUEUE_DESC queue = {.Type = DIRECT};
    const D3D12_HEAP_DESC heap = {.SizeInBytes = 65536,
                                  .Properties = {.Type = D3D12_HEAP_TYPE_DEFAULT}};
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12CommandQueue, w.device, CreateCommandQueue, &queue);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Heap, w.device, CreateHeap, &heap);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12Fence, w.device, CreateFence, 0,
            D3D12_FENCE_FLAG_NONE);
    REFUSES(DXGI_ERROR_DEVICE_REMOVED, ID3D12CommandAllocator, w.device, CreateCommandAllocator,
            DIRECT);
    EXPECT_HR(ID3D12CommandQueue_Signal(w.queue, w.fence, 9), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandQueue_Wait(w.queue, w.fence, 9), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12Fence_Signal(w.fence, 1), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12Resource_Map(w.buffer, 0, NULL, &out), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12CommandAllocator_Reset(w.allocator), DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12GraphicsCommandList_Reset(w.list, w.allocator, NULL),
              DXGI_ERROR_DEVICE_REMOVED);
    cr_assert_eq(ID3D12Fence_GetCompletedValue(pending), UINT64_MAX);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, 12345, NULL));

    ID3D12CommandList *lists[] = {(ID3D12CommandList *)w.list};
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, 1, lists);
    ID3D12CommandQueue_BeginEvent(w.queue, 1, "late", 4);
    ID3D12CommandQueue_EndEvent(w.queue);
    MUST(ID3D12CommandQueue_SetName(w.queue, L"late"));
    cr_assert_eq(w.removed.count, 1);

    close(event);
}

Test(removal, a_dump_that_can_not_be_written_is_told)
{
    emu_config config = EMU_CONFIG_INIT;
    struct removed removed = {0};
    config.order = EMU_ORDER_SEEDED;
    config.dump_path = "/no/such/directory/at.all";
    config.on_removed = on_removed;
    config.user = &removed;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    OPEN_QUEUE_AND_LIST(DIRECT);
    OWNED ID3D12RootSignature *signature = kit_root_signature(device);
    OWNED ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    kit_dispatch(list, signature, spin, NULL, NULL, 0, 0);
    kit_execute(queue, list);
    emu_run_until_idle(device);
    cr_assert_eqs(removed.count, 1, removed.path[0], '\0');
    cr_assert_eq(kit_count(device, EMU_MESSAGE_DUMP_NOT_WRITTEN), 1);
}

Test(removal, of_one_device_leaves_another_alone)
{
    AT_END(wreck_close) struct wreck w;
    AT_END(kit_closed) ID3D12Device *other = kit_device();
    wreck_open(&w, EMU_KERNEL_SPIN, false);
    emu_run_until_idle(w.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(other), S_OK);
    OWNED ID3D12CommandQueue *queue = kit_queue(other, DIRECT);
    kit_finish(other, queue);
}

Test(removal, happens_on_worker_threads_too)
{
    AT_END(wreck_close) struct wreck w;
    wreck_open(&w, EMU_KERNEL_SPIN, true);
    MUST(ID3D12Fence_SetEventOnCompletion(w.fence, 4, NULL));
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(w.device), DXGI_ERROR_DEVICE_HUNG);
    cr_assert(file_contains(w.path, "the scope that hangs"));
}

Test(removal, everything_may_be_released_before_it_happens)
{
    struct wreck w;
    wreck_open(&w, EMU_KERNEL_SPIN, true);
    wreck_close(&w);
    cr_assert_eqs(w.removed.count, 1, w.removed.error, ANNOT_DEVICE_ERROR_HUNG);
}

/* ---- what the dump says ---- */

/* A queue marker stands before the fence operation that follows it, submission or not: who waits
 * for the fence may rely on the GPU having come to the marker. */
Test(removal, queue_markers_before_a_signal_are_finished_when_it_is)
{
    AT_END(wreck_close) struct wreck w;
    wreck_open(&w, EMU_KERNEL_SPIN, false);
    OWNED ID3D12CommandQueue *other = kit_queue(w.device, COPY);
    AT_END(at_end_close) annot_reader *reader = NULL;
    annot_reader_entry entry;
    bool found = false;
    ID3D12CommandQueue_SetMarker(other, 1, "uploads done", 12);
    kit_finish(w.device, other);
    emu_run_until_idle(w.device);
    cr_assert_eq(annot_reader_open_file(NULL, w.path, &reader), ANNOT_OK);
    for (uint32_t i = 0; annot_reader_entry_at(reader, i, &entry) && !found; i++) {
        char name[32];
        annot_reader_entry_name(reader, i, name, sizeof name);
        found = strcmp(name, "uploads done") == 0;
        if (found)
            cr_assert_eq(annot_reader_queue_state(reader, i, NULL), ANNOT_STATE_FINISHED);
    }
    cr_assert(found);
}

struct slow {
    ID3D12CommandQueue *queue;
    ID3D12Fence *fence;
    HRESULT in_callback;
    atomic_bool is_held;
    atomic_uint calls; /* that were not refused meanwhile */
};

static void signal_in_callback(void *user, annot_device_error error, const char *path)
{
    struct slow *slow = user;
    (void)error, (void)path;
    slow->in_callback = ID3D12CommandQueue_Signal(slow->queue, slow->fence, 1);
}

/* Holds up the removal where it is told that the dump failed, until other calls ran into it. One
 * that waits for the removal's end makes no other: the holding ends all the same. */
static void take_time(D3D12_MESSAGE_CATEGORY category, D3D12_MESSAGE_SEVERITY severity,
                      D3D12_MESSAGE_ID id, LPCSTR text, void *context)
{
    struct slow *slow = context;
    (void)category, (void)severity, (void)text;
    if ((int)id != EMU_MESSAGE_DUMP_NOT_WRITTEN)
        return;
    atomic_store(&slow->is_held, true);
    for (int i = 0; i < 100000 && atomic_load(&slow->calls) < 10; i++)
        sched_yield();
}

/* A call that comes while the dump is being written is not refused for another reason, and who is
 * told that the device is removed can ask why. */
Test(removal, is_seen_whole_or_not_at_all)
{
    struct slow slow = {0};
    emu_config config = EMU_CONFIG_INIT;
    config.tdr_timeout_ns = 20000000;
    config.dump_path = "/no/such/directory/at.all";
    config.on_removed = signal_in_callback;
    config.user = &slow;
    AT_END(kit_closed) ID3D12Device *device = kit_device_with(&config);
    DWORD cookie;
    ID3D12InfoQueue1 *info_queue = AS(ID3D12InfoQueue1, device);
    MUST(ID3D12InfoQueue1_RegisterMessageCallback(
        info_queue, take_time, D3D12_MESSAGE_CALLBACK_FLAG_NONE, &slow, &cookie));
    ID3D12InfoQueue1_Release(info_queue);
    slow.queue = kit_queue(device, DIRECT);
    slow.fence = kit_fence(device, 0);
    ID3D12CommandAllocator *allocator = kit_allocator(device, DIRECT);
    ID3D12GraphicsCommandList *list = kit_list(device, allocator, DIRECT);
    ID3D12RootSignature *signature = kit_root_signature(device);
    ID3D12PipelineState *spin = kit_pipeline(device, signature, EMU_KERNEL_SPIN);
    kit_dispatch(list, signature, spin, NULL, NULL, 0, 0);
    kit_execute(slow.queue, list);
    HRESULT hr;
    UINT64 value = 1;
    while (!atomic_load(&slow.is_held))
        sched_yield();
    while ((hr = ID3D12CommandQueue_Signal(slow.queue, slow.fence, value++)) == S_OK)
        atomic_fetch_add(&slow.calls, 1);
    cr_assert_eq(hr, DXGI_ERROR_DEVICE_REMOVED);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(device), DXGI_ERROR_DEVICE_HUNG);
    MUST(ID3D12Fence_SetEventOnCompletion(slow.fence, UINT64_MAX, NULL));
    cr_assert_eq(slow.in_callback, DXGI_ERROR_DEVICE_REMOVED);
    RELEASE(spin, signature, list, allocator, slow.fence, slow.queue);
}
