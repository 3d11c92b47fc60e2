/* The hostile driver under many seeds [ANN-DDI-02, -03]: whatever it returns, no call crashes or
 * hangs, a dump is whole, and it claims nothing about markers that the driver's evidence does not
 * support. Only public interfaces are used; the truth of a run is known from the script alone.
 * HOSTILE_SEEDS is the number of seeds, HOSTILE_FIRST the first one. */
#include "kit.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#define SEEDS 1200

enum { LISTS = 4, MARKERS = 6 };

/* Everything that may be missing, because a driver said so. */
struct stage {
    ID3D12Device *device;
    ID3D12CommandQueue *queues[2];
    ID3D12CommandAllocator *allocators[LISTS + 1];
    ID3D12GraphicsCommandList *lists[LISTS], *bundle;
    ID3D12RootSignature *signature;
    ID3D12PipelineState *fill, *spin;
    ID3D12Resource *buffers[2]; /* a queue's own: lists 1 and the others */
    ID3D12Fence *fence, *end;   /* the second queue's; the first queue's */
};

static void expect_refusal(HRESULT hr, const void *out, const char *what)
{
    cr_assert(SUCCEEDED(hr) ? !!out
                            : !out && (hr == E_OUTOFMEMORY || hr == DXGI_ERROR_DEVICE_REMOVED),
              "%s: 0x%08x, %p", what, (unsigned)hr, out);
}

static void drop(void *object)
{
    if (object)
        IUnknown_Release((IUnknown *)object);
}

static ID3D12Device *make_device(const emu_config *config)
{
    IUnknown *adapter = NULL;
    void *device = NULL;
    cr_assert_eq(emu_configure(config), ANNOT_OK);
    cr_assert_eq(emu_adapter_create("hostile", (void **)&adapter), ANNOT_OK);
    const HRESULT hr =
        D3D12CreateDevice(adapter, D3D_FEATURE_LEVEL_11_0, &IID_ID3D12Device, &device);
    expect_refusal(hr, device, "D3D12CreateDevice");
    drop(adapter);
    return device;
}

static void make_queues_and_lists(struct stage *s)
{
    for (int i = 0; i < 2; i++) {
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = DIRECT};
        const HRESULT hr = ID3D12Device_CreateCommandQueue(
            s->device, &desc, &IID_ID3D12CommandQueue, (void **)&s->queues[i]);
        expect_refusal(hr, s->queues[i], "CreateCommandQueue");
        if (s->queues[i])
            ID3D12CommandQueue_SetName(s->queues[i], i == 0 ? L"first" : L"second");
    }
    for (int i = 0; i <= LISTS; i++) {
        const D3D12_COMMAND_LIST_TYPE type = i < LISTS ? DIRECT : BUNDLE;
        ID3D12GraphicsCommandList **list = i < LISTS ? &s->lists[i] : &s->bundle;
        s->allocators[i] = kit_allocator(s->device, type);
        const HRESULT hr = TRY(ID3D12GraphicsCommandList, list, s->device, CreateCommandList, 0,
                               type, s->allocators[i], NULL);
        expect_refusal(hr, *list, "CreateCommandList");
    }
}

static void set_up(struct stage *s)
{
    make_queues_and_lists(s);
    s->signature = kit_root_signature(s->device);
    s->fill = kit_pipeline(s->device, s->signature, EMU_KERNEL_FILL);
    s->spin = kit_pipeline(s->device, s->signature, EMU_KERNEL_SPIN);
    for (int i = 0; i < 2; i++)
        s->buffers[i] = kit_buffer(s->device, D3D12_HEAP_TYPE_DEFAULT, 64);
    s->fence = kit_fence(s->device, 0);
    s->end = kit_fence(s->device, 0);
}

static void tear_down(struct stage *s)
{
    void *const objects[] = {s->bundle,     s->signature, s->fill, s->spin,      s->buffers[0],
                             s->buffers[1], s->fence,     s->end,  s->queues[0], s->queues[1]};
    for (int i = 0; i < LISTS; i++)
        drop(s->lists[i]);
    for (int i = 0; i <= LISTS; i++)
        drop(s->allocators[i]);
    for (size_t i = 0; i < sizeof objects / sizeof objects[0]; i++)
        drop(objects[i]);
    kit_close(s->device);
}

/* "Pass" with marks around dispatches; the last of them hangs if it is told to. */
static bool record(const struct stage *s, ID3D12GraphicsCommandList *list, bool hangs, bool calls)
{
    if (!list)
        return false;
    ID3D12Resource *buffer = s->buffers[list == s->lists[1]];
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "Pass", 5);
    for (int i = 0; i < MARKERS; i++) {
        ID3D12GraphicsCommandList_SetMarker(list, 1, "Mark", 5);
        kit_dispatch(list, s->signature, s->fill, buffer, NULL, 1, 4);
    }
    if (calls)
        ID3D12GraphicsCommandList_ExecuteBundle(list, s->bundle);
    if (hangs)
        kit_dispatch(list, s->signature, s->spin, buffer, NULL, 0, 0);
    ID3D12GraphicsCommandList_BeginEvent(list, 1, "After", 6);
    ID3D12GraphicsCommandList_EndEvent(list);
    ID3D12GraphicsCommandList_EndEvent(list);
    const HRESULT hr = ID3D12GraphicsCommandList_Close(list);
    cr_assert(hr == S_OK || hr == E_OUTOFMEMORY || hr == DXGI_ERROR_DEVICE_REMOVED, "Close: 0x%08x",
              (unsigned)hr);
    return hr == S_OK;
}

static void execute(ID3D12CommandQueue *queue, ID3D12GraphicsCommandList *list)
{
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)list};
    if (!queue || !list)
        return;
    ID3D12CommandQueue_BeginEvent(queue, 1, "Frame", 6);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, lists);
    ID3D12CommandQueue_EndEvent(queue);
}

/* One list runs through and is recorded again, one runs on the second queue, one hangs, one comes
 * after it. */
static void play(struct stage *s)
{
    const bool has_bundle = record(s, s->bundle, false, false);
    record(s, s->lists[0], false, has_bundle);
    execute(s->queues[0], s->lists[0]);
    emu_run_until_idle(s->device);
    if (s->lists[0] && SUCCEEDED(ID3D12CommandAllocator_Reset(s->allocators[0])) &&
        SUCCEEDED(ID3D12GraphicsCommandList_Reset(s->lists[0], s->allocators[0], NULL))) {
        record(s, s->lists[0], false, false);
        execute(s->queues[0], s->lists[0]);
    }
    for (int i = 1; i < LISTS; i++)
        record(s, s->lists[i], i == 2, i == 2 && has_bundle);
    execute(s->queues[1], s->lists[1]);
    execute(s->queues[0], s->lists[2]);
    execute(s->queues[0], s->lists[3]);
    if (s->queues[1])
        ID3D12CommandQueue_Signal(s->queues[1], s->fence, 1);
    emu_run_until_idle(s->device);
}

/* ---- what the dump says ---- */

struct seen {
    int devices, dumps, removed; /* what the GPU did */
    int stops;                   /* what its report says of it */
    int findings[3];             /* contradictory, repeated, stray rows */
    int unreadable;
};

static bool swallow(void *user, const void *data, size_t size)
{
    (void)data;
    *(size_t *)user += size;
    return true;
}

static void expect_reports(const annot_reader *reader)
{
    size_t size = 0;
    const annot_report_sink sink = {&size, swallow};
    cr_assert_eq(annot_report_text(reader, NULL, &sink), ANNOT_OK);
    cr_assert_eq(annot_report_json(reader, NULL, &sink), ANNOT_OK);
    cr_assert(size > 0);
}

static bool has_finding(const annot_reader *reader, annot_finding_kind kind)
{
    annot_finding finding;
    for (size_t i = 0; annot_reader_finding(reader, i, &finding); i++)
        if (finding.kind == kind)
            return true;
    return false;
}

/* An EventID that is in neither the list's stream nor a bundle's proves nothing about the list:
 * none of its markers is finished by it, and a finding says so. */
static void expect_forgery_is_noted(const annot_reader *reader, uint32_t index,
                                    const annot_reader_execution *execution)
{
    const uint64_t ids[] = {execution->started, execution->completed};
    for (int i = 0; i < 2; i++) {
        annot_reader_entry entry;
        const uint32_t found =
            ids[i] != 0 ? annot_reader_entry_find(reader, ids[i]) : ANNOT_READER_NONE;
        if (ids[i] == 0 || execution->evidence == ANNOT_EVIDENCE_FENCE ||
            (annot_reader_entry_at(reader, found, &entry) && entry.stream == execution->stream))
            continue;
        annot_evidence evidence;
        cr_assert(execution->evidence != ANNOT_EVIDENCE_DRIVER ||
                      execution->state != ANNOT_STATE_IN_PROGRESS,
                  "a place that is nowhere");
        for (uint32_t e = 0; annot_reader_entry_at(reader, e, &entry); e++)
            if (entry.stream == execution->stream &&
                annot_reader_state(reader, index, ANNOT_READER_NONE, e, &evidence) ==
                    ANNOT_STATE_FINISHED)
                cr_assert(evidence != ANNOT_EVIDENCE_DRIVER ||
                              execution->state == ANNOT_STATE_FINISHED,
                          "finished by a marker of somebody else's");
        cr_assert(has_finding(reader, ANNOT_FINDING_ROW_CONTRADICTORY) ||
                  has_finding(reader, ANNOT_FINDING_ROW_REPEATED));
    }
}

static void read_dump(const char *path, struct seen *seen)
{
    AT_END(at_end_close) annot_reader *reader = NULL;
    cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
    cr_assert(!annot_reader_is_damaged(reader), "a driver's lie has damaged the file");
    expect_reports(reader);
    annot_reader_execution execution;
    for (uint32_t i = 0; annot_reader_execution_at(reader, i, &execution); i++)
        if (execution.stream != ANNOT_READER_NONE)
            expect_forgery_is_noted(reader, i, &execution);
    seen->dumps++;
    seen->stops += annot_reader_stop_count(reader) != 0;
    seen->findings[0] += has_finding(reader, ANNOT_FINDING_ROW_CONTRADICTORY);
    seen->findings[1] += has_finding(reader, ANNOT_FINDING_ROW_REPEATED);
    seen->findings[2] += has_finding(reader, ANNOT_FINDING_ROW_STRAY);
    seen->unreadable += annot_reader_loss(reader, ANNOT_LOSS_UNREADABLE) != 0;
}

/* ---- seeds ---- */

static void on_removed(void *user, annot_device_error error, const char *path)
{
    (void)error;
    cr_assert(path != NULL, "the dump could not be written");
    atomic_store((atomic_bool *)user, true); /* on the thread of a queue */
}

static void run(uint64_t seed, emu_order order, const char *path, struct seen *seen)
{
    atomic_bool removed = false;
    struct stage s = {.device = NULL};
    emu_config config = EMU_CONFIG_INIT;
    config.order = order;
    config.seed = seed;
    config.dump_path = path;
    if (path)
        remove(path); /* a dump replaces nothing */
    config.on_removed = on_removed;
    config.user = &removed;
    config.tdr_timeout_ns = 20000000;
    s.device = make_device(&config);
    if (!s.device)
        return;
    seen->devices++;
    kit_set_mode(s.device, MODE_RETAIL);
    set_up(&s);
    play(&s);
    if (order == EMU_ORDER_THREADS && s.queues[0] &&
        SUCCEEDED(ID3D12CommandQueue_Signal(s.queues[0], s.end, 1))) /* a removal ends it, too */
        MUST(ID3D12Fence_SetEventOnCompletion(s.end, 1, NULL));
    cr_assert(FAILED(ID3D12Device_GetDeviceRemovedReason(s.device)) == atomic_load(&removed) ||
              order == EMU_ORDER_THREADS);
    tear_down(&s);
    seen->removed += atomic_load(&removed);
    if (atomic_load(&removed))
        read_dump(path, seen);
}

static uint64_t number_from(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 0) : otherwise;
}

Test(hostile, no_lie_does_harm)
{
    char path[] = "/tmp/annot-hostile-XXXXXX";
    struct seen seen = {0};
    const uint64_t first = number_from("HOSTILE_FIRST", 0);
    const uint64_t count = number_from("HOSTILE_SEEDS", SEEDS);
    close(mkstemp(path));
    for (uint64_t seed = first; seed < first + count; seed++)
        run(seed, EMU_ORDER_SEEDED, path, &seen);
    remove(path);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
    if (count < SEEDS)
        return;
    /* The lies were told, and came as far as they can. */
    cr_assert(seen.devices < (int)count && seen.devices > (int)count * 8 / 10);
    cr_assert(seen.removed > (int)count / 2 && seen.dumps == seen.removed && seen.stops > 100);
    cr_assert(seen.findings[0] > 50 && seen.findings[1] > 20 && seen.findings[2] > 50,
              "%d contradictory, %d repeated, %d stray", seen.findings[0], seen.findings[1],
              seen.findings[2]);
    cr_assert(seen.unreadable > 20, "%d", seen.unreadable);
}

Test(hostile, no_lie_does_harm_with_threads)
{
    char path[] = "/tmp/annot-hostile-XXXXXX";
    struct seen seen = {0};
    close(mkstemp(path));
    for (uint64_t seed = 0; seed < 24; seed++)
        run(seed, EMU_ORDER_THREADS, path, &seen);
    remove(path);
    cr_assert(seen.removed > 0);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* The same seed tells the same lies: what went wrong once can be looked at again. */
Test(hostile, lies_are_repeated_by_their_seed)
{
    char paths[2][sizeof "/tmp/annot-hostile-XXXXXX"] = {"/tmp/annot-hostile-XXXXXX",
                                                         "/tmp/annot-hostile-XXXXXX"};
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct seen seen[2] = {{0}, {0}};
        for (int i = 0; i < 2; i++) {
            if (seed == 0)
                close(mkstemp(paths[i]));
            run(seed, EMU_ORDER_SEEDED, paths[i], &seen[i]);
        }
        /* Reports claim memory behind their own, and what lies there is not the seed's: then only
         * what the GPU did is compared. */
        const size_t size =
            seed & EMU_LIES_REPORT ? offsetof(struct seen, stops) : sizeof(struct seen);
        const int *const first = (int *)&seen[0], *const second = (int *)&seen[1];
        for (size_t i = 0; i < size / sizeof *first; i++)
            cr_assert_eq(first[i], second[i], "seed %d, count %zu of struct seen: %d, then %d",
                         (int)seed, i, first[i], second[i]);
    }
    remove(paths[0]);
    remove(paths[1]);
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}

/* How many of 100 queues the hostile driver refuses to a device with that seed; -1: there is no
 * device. */
static int refusals(uint64_t seed)
{
    emu_config config = EMU_CONFIG_INIT;
    config.seed = seed;
    ID3D12Device *device = make_device(&config);
    int refused = 0;
    if (!device)
        return -1;
    for (int i = 0; i < 100; i++) {
        const D3D12_COMMAND_QUEUE_DESC desc = {.Type = DIRECT};
        void *queue = NULL;
        const HRESULT hr =
            ID3D12Device_CreateCommandQueue(device, &desc, &IID_ID3D12CommandQueue, &queue);
        expect_refusal(hr, queue, "CreateCommandQueue");
        refused += !queue;
        drop(queue);
    }
    kit_close(device);
    return refused;
}

Test(hostile, lies_as_the_environment_says_when_the_program_does_not)
{
    cr_assert_eq(refusals(0), 0);
    setenv("EMU_SEED", "0x41", 1); /* EMU_LIES_CREATION */
    const int refused = refusals(0x41);
    cr_assert(refused > 0, "%d", refused);
    cr_assert_eq(refusals(0), refused);
    cr_assert_eq(refusals(0x20), 0);
    setenv("EMU_SEED", "", 1);
    cr_assert_eq(refusals(0), 0);
    unsetenv("EMU_SEED");
    cr_assert_eq(emu_configure(NULL), ANNOT_OK);
}
