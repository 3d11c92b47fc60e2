/* What a driver records is what the GPU does: a case for each kind of work, with the words that it
 * leaves in a buffer. A driver that leaves one out, or does its opposite, fails the case that has
 * its name [ANN-DDI-01]. D3D12 alone can't run a kernel, so rows "kernel..." need the emulator.
 */
#include "kit_object.h"
#include "kit_scene.h"
#include "kit_tell.h"

#include <string.h>

enum { WORDS = 8, SOURCE = 100, NUMBERS = 48 };

struct work {
    struct kit_scene scene;
    struct kit_list list;
    ID3D12CommandQueue *queue;
    ID3D12Resource *source; /* words SOURCE, SOURCE + 1, ..., and from word NUMBERS on 0, 1, ... */
    ID3D12QueryHeap *stamps;
    ID3D12PipelineState *copy, *add, *draw;
    ID3D12CommandSignature *signature;
    ID3D12DescriptorHeap *heaps[2]; /* of the clear */
    ID3D12Resource *cleared;
};

static uint32_t *map(ID3D12Resource *upload)
{
    uint32_t *words = NULL;
    REQUIRE_OK(ID3D12Resource_Map(upload, 0, NULL, (void **)&words));
    return words;
}

static D3D12_GPU_VIRTUAL_ADDRESS at(ID3D12Resource *buffer, UINT word)
{
    return ID3D12Resource_GetGPUVirtualAddress(buffer) + 4 * word;
}

static ID3D12CommandSignature *make_signature(struct work *w)
{
    const D3D12_INDIRECT_ARGUMENT_DESC arguments[] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW,
         .UnorderedAccessView = {.RootParameterIndex = 0}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
         .Constant = {.RootParameterIndex = 2, .Num32BitValuesToSet = 2}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH}};
    const D3D12_COMMAND_SIGNATURE_DESC desc = {
        .ByteStride = 32, .NumArgumentDescs = 3, .pArgumentDescs = arguments};
    ID3D12CommandSignature *signature = NULL;
    REQUIRE_OK(ID3D12Device_CreateCommandSignature(w->scene.device, &desc, w->scene.signature,
                                                   &IID_ID3D12CommandSignature,
                                                   (void **)&signature));
    return signature;
}

static ID3D12PipelineState *make_draw(struct work *w)
{
    D3D12_GRAPHICS_PIPELINE_STATE_DESC desc = {
        .pRootSignature = w->scene.signature,
        .PrimitiveTopologyType = D3D12_PRIMITIVE_TOPOLOGY_TYPE_TRIANGLE,
        .SampleMask = 0xFFFFFFFF,
        .SampleDesc = {.Count = 1},
        .RasterizerState = {.FillMode = D3D12_FILL_MODE_SOLID, .CullMode = D3D12_CULL_MODE_NONE},
    };
    size_t size = 0;
    desc.VS.pShaderBytecode = the_runtime.kernel_bytecode(EMU_KERNEL_FILL, &size);
    desc.VS.BytecodeLength = size;
    ID3D12PipelineState *pipeline = NULL;
    REQUIRE_OK(ID3D12Device_CreateGraphicsPipelineState(
        w->scene.device, &desc, &IID_ID3D12PipelineState, (void **)&pipeline));
    return pipeline;
}

static void make_kernels(struct work *w)
{
    w->copy = kit_pipeline(w->scene.device, w->scene.signature, EMU_KERNEL_COPY);
    w->add = kit_pipeline(w->scene.device, w->scene.signature, EMU_KERNEL_ADD);
    w->draw = make_draw(w);
    w->signature = make_signature(w);
}

/* `words` words of `buffer`: a runtime may hand out memory with old contents. */
static void zero(const struct work *w, ID3D12Resource *buffer, UINT words)
{
    for (UINT i = 0; i < words; i++)
        ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(&w->list), buffer, 4 * i, w->source,
                                                   4 * NUMBERS, 4);
}

static void begin(struct work *w, const emu_config *changes)
{
    const D3D12_QUERY_HEAP_DESC stamps = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 2};
    if (the_runtime.configure && the_runtime.kernel_bytecode) {
        kit_scene(&w->scene, changes);
        make_kernels(w);
    } else {
        w->scene.device = kit_device(0);
        w->scene.buffer = kit_buffer(w->scene.device, D3D12_HEAP_TYPE_READBACK, 256);
        w->scene.words = map(w->scene.buffer);
    }
    ID3D12Device *device = w->scene.device;
    w->list = kit_list(device, DIRECT);
    w->queue = kit_queue(device, DIRECT);
    w->source = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    for (uint32_t i = 0; i < 64; i++)
        map(w->source)[i] = i < NUMBERS ? SOURCE + i : i - NUMBERS;
    REQUIRE_OK(
        ID3D12Device_CreateQueryHeap(device, &stamps, &IID_ID3D12QueryHeap, (void **)&w->stamps));
    if (w->scene.fill)
        return;
    zero(w, w->scene.buffer, 64);
    kit_execute(w->queue, &w->list);
    kit_wait(device, w->queue);
    kit_list_reset(&w->list);
}

static void end(struct work *w)
{
    void *const owned[] = {w->cleared, w->heaps[0], w->heaps[1], w->signature, w->draw,
                           w->add,     w->copy,     w->stamps,   w->source,    w->queue};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        kit_release(owned[i]);
    kit_list_done(&w->list);
    kit_scene_done(&w->scene);
}
#define OPEN_WORK(changes)                                                                         \
    AT_END(end) struct work w = {0};                                                               \
    begin(&w, changes)

static ID3D12GraphicsCommandList *list_of(struct work *w)
{
    return kit_graphics(&w->list);
}

static void copy_word(struct work *w, UINT to, UINT from)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->scene.buffer, 4 * to, w->source,
                                               4 * from, 4);
}

/* `words` words from word `to` on become `value`. */
static void fill_words(struct work *w, const struct kit_list *list, UINT to, UINT value, UINT words)
{
    const UINT constants[] = {value, words};
    ID3D12GraphicsCommandList *of = kit_graphics(list);
    ID3D12GraphicsCommandList_SetComputeRootSignature(of, w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(of, w->scene.fill);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(of, 0, at(w->scene.buffer, to));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(of, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(of, 1, 1, 1);
}

/* The same by copies where there are no kernels; `value` < 16. */
static void put_words(struct work *w, const struct kit_list *list, UINT to, UINT value, UINT words)
{
    if (w->scene.fill)
        fill_words(w, list, to, value, words);
    else
        for (UINT i = 0; i < words; i++)
            ID3D12GraphicsCommandList_CopyBufferRegion(kit_graphics(list), w->scene.buffer,
                                                       4 * (to + i), w->source,
                                                       4 * (NUMBERS + value), 4);
}

/* ---- one list ---- */

static void record_copy(struct work *w)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->scene.buffer, 8, w->source, 16, 8);
}

static void record_fill(struct work *w)
{
    fill_words(w, &w->list, 1, 7, 2);
}

static void leave_state(struct work *w, D3D12_RESOURCE_STATES left, D3D12_RESOURCE_STATES next)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                            .Transition = {w->cleared, 0, left, next}};
    ID3D12GraphicsCommandList_ResourceBarrier(list_of(w), 1, &barrier);
}

/* The view's words 2 to 4. A clear needs the view in a heap that shaders see and in one that they
 * don't. */
static void record_clear(struct work *w)
{
    const D3D12_UNORDERED_ACCESS_VIEW_DESC view = {
        .Format = DXGI_FORMAT_R32_UINT,
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.FirstElement = 2, .NumElements = 3},
    };
    static const UINT values[4] = {6, 6, 6, 6};
    D3D12_CPU_DESCRIPTOR_HANDLE cpu[2];
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
    D3D12_RESOURCE_DESC buffer = kit_buffer_desc(256);
    buffer.Flags = D3D12_RESOURCE_FLAG_ALLOW_UNORDERED_ACCESS;
    REQUIRE_OK(ID3D12Device_CreateCommittedResource(
        w->scene.device, &(D3D12_HEAP_PROPERTIES){.Type = D3D12_HEAP_TYPE_DEFAULT},
        D3D12_HEAP_FLAG_NONE, &buffer, D3D12_RESOURCE_STATE_COMMON, NULL, &IID_ID3D12Resource,
        (void **)&w->cleared));
    zero(w, w->cleared, WORDS);
    leave_state(w, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    for (UINT i = 0; i < 2; i++) {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                                 .NumDescriptors = 1,
                                                 .Flags = (D3D12_DESCRIPTOR_HEAP_FLAGS)i};
        REQUIRE_OK(ID3D12Device_CreateDescriptorHeap(
            w->scene.device, &desc, &IID_ID3D12DescriptorHeap, (void **)&w->heaps[i]));
        KIT_STRUCT(w->heaps[i], GetCPUDescriptorHandleForHeapStart, &cpu[i]);
        ID3D12Device_CreateUnorderedAccessView(w->scene.device, w->cleared, NULL, &view, cpu[i]);
    }
    KIT_STRUCT(w->heaps[1], GetGPUDescriptorHandleForHeapStart, &gpu);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(list_of(w), 1, &w->heaps[1]);
    ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(list_of(w), gpu, cpu[0], w->cleared,
                                                           values, 0, NULL);
    leave_state(w, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, D3D12_RESOURCE_STATE_COPY_SOURCE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->scene.buffer, 0, w->cleared, 0, 32);
}

static void record_kernels(struct work *w)
{
    kit_dispatch(list_of(w), w->scene.signature, w->copy, w->scene.buffer, w->source, 0, 3);
    kit_dispatch(list_of(w), w->scene.signature, w->add, w->scene.buffer, w->source, 0, 2);
}

static void record_draw(struct work *w)
{
    static const UINT constants[] = {9, 2};
    ID3D12GraphicsCommandList *list = list_of(w);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, w->draw);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list, 0, at(w->scene.buffer, 0));
    ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_DrawInstanced(list, 3, 1, 0, 0);
}

static void record_writes(struct work *w)
{
    static const D3D12_WRITEBUFFERIMMEDIATE_MODE modes[] = {
        D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN,
        D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT};
    D3D12_WRITEBUFFERIMMEDIATE_PARAMETER writes[3];
    OWNED ID3D12GraphicsCommandList2 *list = NULL;
    REQUIRE_OK(ID3D12GraphicsCommandList_QueryInterface(list_of(w), &IID_ID3D12GraphicsCommandList2,
                                                        (void **)&list));
    for (UINT i = 0; i < 3; i++)
        writes[i] = (D3D12_WRITEBUFFERIMMEDIATE_PARAMETER){at(w->scene.buffer, i), 20 + i};
    ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 3, writes, modes);
}

static void record_bundle(struct work *w)
{
    AT_END(kit_list_done) struct kit_list bundle = kit_list(w->scene.device, BUNDLE);
    ID3D12GraphicsCommandList_SetComputeRootSignature(kit_graphics(&bundle), w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(kit_graphics(&bundle), w->add);
    ID3D12GraphicsCommandList_Dispatch(kit_graphics(&bundle), 1, 1, 1);
    kit_list_close(&bundle);
    fill_words(w, &w->list, 0, 1, 3);
    ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(list_of(w), 1, at(w->source, 0));
    const UINT constants[] = {0, 2};
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list_of(w), 2, 2, constants, 0);
    ID3D12GraphicsCommandList_ExecuteBundle(list_of(w), kit_graphics(&bundle));
}

/* Three commands in memory, a limit of three, and a count of two behind them. */
static void record_indirect(struct work *w)
{
    uint32_t *words = map(w->source) + 32;
    for (UINT i = 0; i < 3; i++) {
        const D3D12_GPU_VIRTUAL_ADDRESS target = at(w->scene.buffer, 2 * i);
        memcpy(&words[8 * i], &target, 8);
        memcpy(&words[8 * i + 2], (const uint32_t[]){30 + i, i + 1, 1, 1, 1}, 20);
    }
    words[24] = 2;
    ID3D12GraphicsCommandList_SetComputeRootSignature(list_of(w), w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(list_of(w), w->scene.fill);
    ID3D12GraphicsCommandList_ExecuteIndirect(list_of(w), w->signature, 3, w->source, 128,
                                              w->source, 128 + 96);
}

static const struct {
    const char *name;
    void (*record)(struct work *w);
    uint32_t words[WORDS];
} singles[] = {
    {"copy", record_copy, {0, 0, SOURCE + 4, SOURCE + 5}},
    {"kernel-fill", record_fill, {0, 7, 7}},
    {"clear", record_clear, {0, 0, 6, 6, 6}},
    {"kernels", record_kernels, {2 * SOURCE, 2 * SOURCE + 2, SOURCE + 2}},
    {"kernel-draw", record_draw, {9, 9}},
    {"write-immediate", record_writes, {20, 21, 22}},
    {"kernel-bundle", record_bundle, {SOURCE + 1, SOURCE + 2, 1}},
    {"kernel-indirect", record_indirect, {30, 0, 31, 31}},
};
static const char *const single_rows[] = {"copy",          "kernel-fill",     "clear",
                                          "kernels",       "kernel-draw",     "write-immediate",
                                          "kernel-bundle", "kernel-indirect", NULL};

static void expect_words(const struct work *w, const uint32_t *words)
{
    for (size_t i = 0; i < WORDS; i++)
        EXPECT_EQ(w->scene.words[i], words[i]);
}

CASE(the_gpu_does_what_a_list_recorded, "ANN-DDI-01",
     "A driver leaves this work out, does it twice, or with other arguments.", .rows = single_rows)
{
    OPEN_WORK(NULL);
    singles[case_row()].record(&w);
    kit_execute(w.queue, &w.list);
    kit_wait(w.scene.device, w.queue);
    expect_words(&w, singles[case_row()].words);
}

/* ---- order ---- */

CASE(lists_run_all_and_in_their_order, "ANN-DDI-01",
     "A driver loses the last list of an ExecuteCommandLists, or runs a later one first.")
{
    OPEN_WORK(NULL);
    OWNED_LIST second = kit_list(w.scene.device, DIRECT);
    put_words(&w, &w.list, 0, 1, 2);
    put_words(&w, &second, 1, 2, 2);
    kit_list_close(&w.list);
    kit_list_close(&second);
    ID3D12CommandList *const lists[] = {w.list.list, second.list};
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, 2, lists);
    kit_wait(w.scene.device, w.queue);
    expect_words(&w, (const uint32_t[WORDS]){1, 2, 2});
}

CASE(a_recording_replaces_the_one_before, "ANN-DDI-01",
     "A driver keeps commands of a recording that was reset.")
{
    OPEN_WORK(NULL);
    put_words(&w, &w.list, 0, 1, 2);
    kit_list_close(&w.list);
    kit_list_reset(&w.list);
    put_words(&w, &w.list, 1, 2, 2);
    kit_execute(w.queue, &w.list);
    kit_wait(w.scene.device, w.queue);
    expect_words(&w, (const uint32_t[WORDS]){0, 2, 2});
}

CASE(a_barrier_waits_for_what_is_in_flight, "ANN-DDI-01 ANN-TRUTH-05",
     "A driver leaves out barriers: a copy reads what the one before it has not written yet.",
     .needs = EMULATOR | KERNELS | DUMP)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};
    for (uint64_t seed = 0; seed < 8; seed++) {
        emu_config config = kit_config();
        config.seed = kit_seed(seed);
        config.in_flight = 8;
        OPEN_WORK(&config);
        for (UINT i = 1; i < WORDS; i++) {
            fill_words(&w, &w.list, i - 1, i, 2);
            ID3D12GraphicsCommandList_ResourceBarrier(list_of(&w), 1, &barrier);
        }
        kit_execute(w.queue, &w.list);
        kit_wait(w.scene.device, w.queue);
        expect_words(&w, (const uint32_t[WORDS]){1, 2, 3, 4, 5, 6, 7, 7});
    }
}

/* ---- hangs ---- */

/* The front end is ahead of the work by as much as the GPU chooses, so some seed shows it. */
CASE(only_a_marker_that_goes_in_passes_a_hang, "ANN-DDI-01 ANN-TRUTH-05",
     "MARKER_IN waits for the work before it, or MARKER_OUT doesn't.",
     .needs = EMULATOR | KERNELS | DUMP)
{
    static const D3D12_WRITEBUFFERIMMEDIATE_MODE modes[] = {
        D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN, D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT};
    bool is_in = false;
    for (uint64_t seed = 0; seed < 8; seed++) {
        emu_config config = kit_config();
        config.seed = kit_seed(seed);
        config.in_flight = 8;
        OPEN_WORK(&config);
        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER writes[] = {{at(w.scene.buffer, 0), 1},
                                                               {at(w.scene.buffer, 1), 1}};
        OWNED ID3D12GraphicsCommandList2 *list = NULL;
        REQUIRE_OK(ID3D12GraphicsCommandList_QueryInterface(
            list_of(&w), &IID_ID3D12GraphicsCommandList2, (void **)&list));
        kit_spin(&w.scene, &w.list);
        ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 2, writes, modes);
        kit_execute(w.queue, &w.list);
        kit_crash(&w.scene);
        is_in |= w.scene.words[0] == 1;
        EXPECT_EQ(w.scene.words[1], 0);
    }
    EXPECT(is_in);
}

/* A decision: the specification passes names to the driver for its report, and doesn't say how the
 * report has them. Text of a driver is UTF-8 or UTF-16. */
CASE(the_drivers_report_has_the_names, "ANN-DDI-01 ANN-NAME-01",
     "A driver drops names: its own report can't say which object it speaks of.",
     .needs = EMULATOR | KERNELS | DUMP)
{
    static const char name[] = "Tessellated sea";
    OPEN_WORK(NULL);
    bool is_there = false, has_blob = false;
    annot_reader_blob blob;
    char bytes[4096];
    kit_name(w.source, name);
    kit_spin(&w.scene, &w.list);
    kit_execute(w.queue, &w.list);
    annot_reader *dump = kit_crash(&w.scene);
    for (size_t i = 0; annot_reader_blob_at(dump, i, &blob); i++) {
        if (blob.kind != ANNOT_BLOB_DRIVER)
            continue;
        has_blob = true;
        const size_t size = annot_reader_blob_read(dump, i, 0, bytes, sizeof bytes);
        for (size_t from = 0; from < size && !is_there; from++)
            for (size_t step = 1; step <= 4 && !is_there; step *= 2) {
                size_t same = 0;
                while (same < sizeof name - 1 && from + same * step < size &&
                       bytes[from + same * step] == name[same])
                    same++;
                is_there = same == sizeof name - 1;
            }
    }
    if (!has_blob)
        SKIP("this driver reports no blob");
    EXPECT(is_there);
}

/* ---- submissions that were refused ---- */

static struct {
    ID3D12CommandQueue *queue;
    ID3D12CommandList *list;
    unsigned calls;
} refused;

/* Engines have stopped, and the driver has not reported yet. What is submitted now is refused. A
 * program's thread would have to hit this moment, so the kernel's call submits, though drivers must
 * not call D3D12. */
static NTSTATUS submit_late(void *adapter, const DXGKARG_COLLECTDBGINFO *information)
{
    (void)adapter, (void)information;
    refused.calls++;
    ID3D12CommandQueue_ExecuteCommandLists(refused.queue, 1, &refused.list);
    return STATUS_SUCCESS;
}

CASE(a_refused_submission_is_not_reported, "ANN-DDI-01 ANN-CRASH-02",
     "A driver ignores submission_withdrawn, or takes it for the end of other submissions.",
     .needs = EMULATOR | KERNELS | DUMP)
{
    static const emu_kernel_driver kernel = {.size = sizeof kernel,
                                             .version = EMU_KERNEL_DRIVER_VERSION,
                                             .name = "late",
                                             .DxgkDdiCollectDbgInfo = submit_late};
    emu_config config = kit_config();
    config.kernel_driver = &kernel;
    OPEN_WORK(&config);
    OWNED_LIST late = kit_list(w.scene.device, DIRECT);
    kit_list_close(&late);
    refused.queue = w.queue;
    refused.list = late.list;
    kit_spin(&w.scene, &w.list);
    kit_execute(w.queue, &w.list);
    const annot_reader *dump = kit_crash(&w.scene);
    EXPECT_EQ(refused.calls, 1);
    EXPECT_EQ(kit_finding(dump, ANNOT_FINDING_ROW_STRAY), 0);
    EXPECT_EQ(annot_reader_stop_count(dump), 1);
}

/* ---- predicates and time stamps ---- */

static const char *const predicate_rows[] = {"zero-equal", "zero-not-equal", "one-equal",
                                             "one-not-equal", NULL};

CASE(a_predicate_skips_what_it_says, "ANN-DDI-01",
     "A driver ignores or inverts a predicate, skips a resolve, or never ends the predicate.",
     .rows = predicate_rows)
{
    OPEN_WORK(NULL);
    const bool is_one = case_row() / 2 != 0, skips = is_one == (case_row() % 2 != 0);
    OWNED ID3D12Resource *value = kit_buffer(w.scene.device, D3D12_HEAP_TYPE_UPLOAD, 256);
    map(value)[0] = is_one;
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    ID3D12GraphicsCommandList_SetPredication(list_of(&w), value, 0,
                                             case_row() % 2 ? D3D12_PREDICATION_OP_NOT_EQUAL_ZERO
                                                            : D3D12_PREDICATION_OP_EQUAL_ZERO);
    copy_word(&w, 0, 0);
    put_words(&w, &w.list, 1, 5, 1);
    ID3D12GraphicsCommandList_ResolveQueryData(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0,
                                               1, w.scene.buffer, 16);
    ID3D12GraphicsCommandList_SetPredication(list_of(&w), NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    copy_word(&w, 2, 2);
    kit_execute(w.queue, &w.list);
    kit_wait(w.scene.device, w.queue);
    EXPECT_EQ(w.scene.words[0], skips ? 0 : SOURCE);
    EXPECT_EQ(w.scene.words[1], skips ? 0 : 5);
    EXPECT_EQ(w.scene.words[2], SOURCE + 2);
    EXPECT((w.scene.words[4] | w.scene.words[5]) != 0);
}

CASE(time_stamps_are_the_times_of_their_places, "ANN-DDI-01",
     "A driver writes no time stamps, or the same one everywhere.")
{
    OPEN_WORK(NULL);
    uint64_t stamps[2];
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    for (UINT i = 0; i < 100; i++)
        put_words(&w, &w.list, 8, i % 16, 1);
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 1);
    ID3D12GraphicsCommandList_ResolveQueryData(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0,
                                               2, w.scene.buffer, 0);
    kit_execute(w.queue, &w.list);
    kit_wait(w.scene.device, w.queue);
    memcpy(stamps, (const void *)(uintptr_t)w.scene.words, sizeof stamps);
    EXPECT(stamps[0] != 0);
    EXPECT(stamps[1] > stamps[0]);
}

extern const struct case_table work_cases;
const struct case_table work_cases =
    CASES("work", &the_gpu_does_what_a_list_recorded, &lists_run_all_and_in_their_order,
          &a_recording_replaces_the_one_before, &a_barrier_waits_for_what_is_in_flight,
          &only_a_marker_that_goes_in_passes_a_hang, &the_drivers_report_has_the_names,
          &a_refused_submission_is_not_reported, &a_predicate_skips_what_it_says,
          &time_stamps_are_the_times_of_their_places);
