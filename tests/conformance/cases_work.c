/* What a driver records is what the GPU does: a case for each kind of work, with the words that it
 * leaves in a buffer. A driver that leaves one out, or does its opposite, fails the case that has
 * its name [ANN-DDI-01]. D3D12 alone can't run a kernel, so rows "kernel..." need the emulator.
 */
#include "kit_object.h"
#include "kit_scene.h"
#include "kit_tell.h"

CASES(work_cases, "work");

enum { WORDS = 8, SOURCE = 0x76543210, NUMBERS = 48 };

struct work {
    struct kit_scene scene;
    struct kit_list list;
    D3D12_COMMAND_LIST_TYPE type; /* of list and queue */
    ID3D12CommandQueue *queue;
    ID3D12Resource *source; /* words SOURCE, SOURCE + 1, ..., and from word NUMBERS on 0, 1, ... */
    ID3D12QueryHeap *stamps;
    ID3D12PipelineState *copy, *add, *draw;
    ID3D12CommandSignature *indirect[2]; /* a dispatch, a draw */
    ID3D12DescriptorHeap *heaps[2];      /* of the clear */
    ID3D12Resource *large, *middle;
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

static ID3D12CommandSignature *make_signature(struct work *w, D3D12_INDIRECT_ARGUMENT_TYPE type)
{
    const D3D12_INDIRECT_ARGUMENT_DESC arguments[] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW,
         .UnorderedAccessView = {.RootParameterIndex = 0}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
         .Constant = {.RootParameterIndex = 2, .Num32BitValuesToSet = 2}},
        {.Type = type}};
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
    w->indirect[0] = make_signature(w, D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH);
    w->indirect[1] = make_signature(w, D3D12_INDIRECT_ARGUMENT_TYPE_DRAW);
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
    const D3D12_QUERY_HEAP_DESC stamps = {.Type = D3D12_QUERY_HEAP_TYPE_TIMESTAMP, .Count = 3};
    if (the_runtime.configure && the_runtime.kernel_bytecode) {
        kit_scene(&w->scene, changes);
        make_kernels(w);
    } else {
        w->scene.device = kit_device(0);
        w->scene.buffer = kit_buffer(w->scene.device, D3D12_HEAP_TYPE_READBACK, 256);
        w->scene.words = map(w->scene.buffer);
    }
    ID3D12Device *device = w->scene.device;
    w->list = kit_list(device, w->type);
    w->queue = kit_queue(device, w->type);
    w->source = kit_buffer(device, D3D12_HEAP_TYPE_UPLOAD, 256);
    for (uint32_t i = 0; i < 64; i++)
        map(w->source)[i] = i < NUMBERS ? SOURCE + i : i - NUMBERS;
    REQUIRE_OK(
        ID3D12Device_CreateQueryHeap(device, &stamps, &IID_ID3D12QueryHeap, (void **)&w->stamps));
    if (w->scene.fill)
        return;
    zero(w, w->scene.buffer, 64);
    kit_run(device, w->queue, &w->list);
    kit_list_reset(&w->list);
}

static void end(struct work *w)
{
    void *const owned[] = {w->large,       w->middle,      w->heaps[0], w->heaps[1],
                           w->indirect[0], w->indirect[1], w->draw,     w->add,
                           w->copy,        w->stamps,      w->source,   w->queue};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        kit_release(owned[i]);
    kit_list_done(&w->list);
    kit_scene_done(&w->scene);
}
#define OPEN_WORK_ON(list_type, changes)                                                           \
    AT_END(end) struct work w = {.type = (list_type)};                                             \
    begin(&w, changes)
#define OPEN_WORK(changes) OPEN_WORK_ON(DIRECT, changes)

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

static struct arguments {
    D3D12_COMMAND_LIST_TYPE type;
    DXGI_FORMAT format; /* of a clear, and the view's elements */
    UINT first, count;
    UINT limit, commands; /* of ExecuteIndirect; `commands` 0: without a count */
    bool draws;
} asked;

static void record_copy(struct work *w)
{
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->scene.buffer, 9, w->source, 17, 5);
}

static const D3D12_RESOURCE_BARRIER uav_barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV};

static void leave_state(struct work *w, D3D12_RESOURCE_STATES left, D3D12_RESOURCE_STATES next)
{
    const D3D12_RESOURCE_BARRIER barrier = {.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                            .Transition = {w->middle, 0, left, next}};
    ID3D12GraphicsCommandList_ResourceBarrier(list_of(w), 1, &barrier);
}

static void show_middle(struct work *w, D3D12_RESOURCE_STATES state, UINT from)
{
    leave_state(w, state, D3D12_RESOURCE_STATE_COPY_SOURCE);
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->scene.buffer, 0, w->middle, from, 32);
}

/* A large copy, and many small ones over the end of it but the last word. */
static void record_copies(struct work *w)
{
    enum { SIZE = (1 << 20) + 36, COUNT = 4096 };
    w->large = kit_buffer(w->scene.device, D3D12_HEAP_TYPE_UPLOAD, SIZE);
    w->middle = kit_buffer(w->scene.device, D3D12_HEAP_TYPE_DEFAULT, SIZE);
    map(w->large)[SIZE / 4 - 1] = 3;
    ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->middle, 0, w->large, 0, SIZE);
    for (UINT i = 1; i < COUNT; i++)
        ID3D12GraphicsCommandList_CopyBufferRegion(list_of(w), w->middle,
                                                   SIZE - 4 * COUNT + 4 * (i - 1), w->source,
                                                   4 * (NUMBERS + i % WORDS), 4);
    show_middle(w, D3D12_RESOURCE_STATE_COPY_DEST, SIZE - 32);
}

/* Nothing where a dispatch has no groups. */
static void record_fill(struct work *w)
{
    fill_words(w, &w->list, 1, 0xF0000007, 2);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstant(list_of(w), 2, 8, 0);
    for (UINT i = 0; i < 3; i++) /* no groups, so no work */
        ID3D12GraphicsCommandList_Dispatch(list_of(w), i != 0, i != 1, i != 2);
}

/* From byte 8 or 16 on. A clear needs the view in a heap that shaders see and in one that they
 * don't. */
static void record_clear(struct work *w)
{
    const D3D12_UNORDERED_ACCESS_VIEW_DESC view = {
        .Format = asked.format,
        .ViewDimension = D3D12_UAV_DIMENSION_BUFFER,
        .Buffer = {.FirstElement = asked.first, .NumElements = asked.count},
    };
    static const UINT values[][4] = {{6, 1, 1, 1}, {6, 7, 8, 9}};
    D3D12_CPU_DESCRIPTOR_HANDLE cpu[2];
    D3D12_GPU_DESCRIPTOR_HANDLE gpu;
    w->middle = kit_buffer(w->scene.device, D3D12_HEAP_TYPE_DEFAULT, 256);
    zero(w, w->middle, WORDS);
    leave_state(w, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_UNORDERED_ACCESS);
    for (UINT i = 0; i < 2; i++) {
        const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = D3D12_DESCRIPTOR_HEAP_TYPE_CBV_SRV_UAV,
                                                 .NumDescriptors = 1,
                                                 .Flags = (D3D12_DESCRIPTOR_HEAP_FLAGS)i};
        REQUIRE_OK(ID3D12Device_CreateDescriptorHeap(
            w->scene.device, &desc, &IID_ID3D12DescriptorHeap, (void **)&w->heaps[i]));
        KIT_STRUCT(w->heaps[i], GetCPUDescriptorHandleForHeapStart, &cpu[i]);
        ID3D12Device_CreateUnorderedAccessView(w->scene.device, w->middle, NULL, &view, cpu[i]);
    }
    KIT_STRUCT(w->heaps[1], GetGPUDescriptorHandleForHeapStart, &gpu);
    ID3D12GraphicsCommandList_SetDescriptorHeaps(list_of(w), 1, &w->heaps[1]);
    for (UINT i = 0; i < 2; i++) {
        ID3D12GraphicsCommandList_ClearUnorderedAccessViewUint(list_of(w), gpu, cpu[0], w->middle,
                                                               values[i], 0, NULL);
        ID3D12GraphicsCommandList_ResourceBarrier(list_of(w), 1, &uav_barrier);
    }
    show_middle(w, D3D12_RESOURCE_STATE_UNORDERED_ACCESS, 0);
}

static void record_kernels(struct work *w)
{
    kit_dispatch(list_of(w), w->scene.signature, w->copy, w->scene.buffer, w->source, 0, 3);
    kit_dispatch(list_of(w), w->scene.signature, w->add, w->scene.buffer, w->source, 0, 2);
}

/* What a draw of `list` needs beside bindings, and those of two words from word `to` on. */
static void set_draw(const struct work *w, ID3D12GraphicsCommandList *list)
{
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list, w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, w->draw);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(list, D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
}

static void bind_draw(struct work *w, UINT to)
{
    static const UINT constants[] = {9, 2};
    ID3D12GraphicsCommandList_SetGraphicsRootUnorderedAccessView(list_of(w), 0,
                                                                 at(w->scene.buffer, to));
    ID3D12GraphicsCommandList_SetGraphicsRoot32BitConstants(list_of(w), 2, 2, constants, 0);
}

static void record_draw(struct work *w)
{
    set_draw(w, list_of(w));
    bind_draw(w, 0);
    ID3D12GraphicsCommandList_DrawInstanced(list_of(w), 3, 1, 0, 0);
    bind_draw(w, 4);
    ID3D12GraphicsCommandList_DrawInstanced(list_of(w), 3, 0, 0, 0);
}

/* To the first words; first + i to word i. */
static void write_words(struct work *w, UINT count, const D3D12_WRITEBUFFERIMMEDIATE_MODE *modes,
                        UINT first)
{
    OWNED ID3D12GraphicsCommandList2 *list = NULL;
    REQUIRE_OK(ID3D12GraphicsCommandList_QueryInterface(list_of(w), &IID_ID3D12GraphicsCommandList2,
                                                        (void **)&list));
    for (UINT i = 0; i < count; i++) {
        const D3D12_WRITEBUFFERIMMEDIATE_PARAMETER write = {at(w->scene.buffer, i), first + i};
        ID3D12GraphicsCommandList2_WriteBufferImmediate(list, 1, &write, &modes[i]);
    }
}

static const D3D12_WRITEBUFFERIMMEDIATE_MODE modes[] = {D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_IN,
                                                        D3D12_WRITEBUFFERIMMEDIATE_MODE_MARKER_OUT,
                                                        D3D12_WRITEBUFFERIMMEDIATE_MODE_DEFAULT};

static void record_writes(struct work *w)
{
    write_words(w, 3, modes, 0xE0000000);
}

/* Empty bundles; then a dispatch and a draw, executed twice with other bindings. */
static void record_bundle(struct work *w)
{
    AT_END(kit_list_done) struct kit_list bundle = kit_list(w->scene.device, BUNDLE);
    ID3D12GraphicsCommandList *const in = kit_graphics(&bundle);
    const UINT constants[] = {0, 2};
    ID3D12GraphicsCommandList_SetComputeRootSignature(in, w->scene.signature);
    ID3D12GraphicsCommandList_SetPipelineState(in, w->add);
    ID3D12GraphicsCommandList_Dispatch(in, 1, 1, 1);
    set_draw(w, in);
    ID3D12GraphicsCommandList_DrawInstanced(in, 3, 1, 0, 0);
    kit_list_close(&bundle);
    for (UINT i = 0; i < 20; i++) {
        OWNED_LIST empty = kit_list(w->scene.device, BUNDLE);
        kit_list_close(&empty);
        kit_bundle(&w->list, &empty);
    }
    fill_words(w, &w->list, 0, 1, 3);
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(list_of(w), 2, 2, constants, 0);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(list_of(w), w->scene.signature);
    for (UINT i = 0; i < 2; i++) {
        ID3D12GraphicsCommandList_SetComputeRootShaderResourceView(list_of(w), 1, at(w->source, i));
        bind_draw(w, 4 + 2 * i);
        ID3D12GraphicsCommandList_ExecuteBundle(list_of(w), in);
    }
}

/* Four commands in memory; the second one has no groups. The program writes them after it recorded
 * the call, because the GPU reads commands when it executes them. */
static void record_indirect(struct work *w)
{
    uint32_t *const words = map(w->source) + 32;
    fill_words(w, &w->list, 0, 0, 0);
    if (asked.draws) {
        set_draw(w, list_of(w));
        bind_draw(w, 0);
    }
    ID3D12GraphicsCommandList_ExecuteIndirect(list_of(w), w->indirect[asked.draws], asked.limit,
                                              w->source, 128, asked.commands ? w->source : NULL,
                                              asked.commands ? 124 : 0);
    for (UINT i = 0; i < 4; i++) {
        const D3D12_GPU_VIRTUAL_ADDRESS target = at(w->scene.buffer, 2 * i);
        memcpy(&words[8 * i], &target, 8);
        memcpy(&words[8 * i + 2], (const uint32_t[]){30 + i, i + 1, i != 1, 1, !asked.draws, 0},
               24);
    }
    words[-1] = asked.commands;
}

#define SINGLES(M)                                                                                 \
    M("copy", record_copy, {.type = DIRECT}, {0, 0, 0x76543200, 0x3215})                           \
    M("copy-on-compute", record_copy, {.type = COMPUTE}, {0, 0, 0x76543200, 0x3215})               \
    M("copy-on-copy", record_copy, {.type = COPY}, {0, 0, 0x76543200, 0x3215})                     \
    M("copies-large-and-many", record_copies, {.type = DIRECT}, {1, 2, 3, 4, 5, 6, 7, 3})          \
    M("kernel-fill", record_fill, {.type = DIRECT}, {0, 0xF0000007, 0xF0000007})                   \
    M("kernel-on-compute", record_fill, {.type = COMPUTE}, {0, 0xF0000007, 0xF0000007})            \
    M("clear", record_clear, {.format = DXGI_FORMAT_R32_UINT, .first = 2, .count = 3},             \
      {0, 0, 6, 6, 6})                                                                             \
    M("clear-bytes", record_clear, {.format = DXGI_FORMAT_R8_UINT, .first = 8, .count = 5},        \
      {0, 0, 0x06060606, 6})                                                                       \
    M("clear-pairs", record_clear, {.format = DXGI_FORMAT_R8G8_UINT, .first = 4, .count = 3},      \
      {0, 0, 0x07060706, 0x0706})                                                                  \
    M("clear-fours", record_clear,                                                                 \
      {.format = DXGI_FORMAT_R32G32B32A32_UINT, .first = 1, .count = 1}, {0, 0, 0, 0, 6, 7, 8, 9}) \
    M("kernels", record_kernels, {.type = DIRECT}, {2u * SOURCE, 2u * SOURCE + 2, SOURCE + 2})     \
    M("kernel-draw", record_draw, {.type = DIRECT}, {9, 9})                                        \
    M("write-immediate", record_writes, {.type = DIRECT}, {0xE0000000, 0xE0000001, 0xE0000002})    \
    M("kernel-write-on-copy", record_writes, {.type = COPY}, {0xE0000000, 0xE0000001, 0xE0000002}) \
    M("kernel-bundle", record_bundle, {.type = DIRECT},                                            \
      {2u * SOURCE + 2, 2u * SOURCE + 4, 1, 0, 9, 9, 9, 9})                                        \
    M("kernel-indirect", record_indirect, {.limit = 4, .commands = 3}, {30, 0, 0, 0, 32, 32, 32})  \
    M("kernel-indirect-limit", record_indirect, {.limit = 3, .commands = 4},                       \
      {30, 0, 0, 0, 32, 32, 32})                                                                   \
    M("kernel-indirect-all", record_indirect, {.limit = 3}, {30, 0, 0, 0, 32, 32, 32})             \
    M("kernel-indirect-draw", record_indirect, {.limit = 3, .draws = true},                        \
      {30, 0, 0, 0, 32, 32, 32})
#define NAME(name, ...)   name,
#define SINGLE(name, ...) {__VA_ARGS__},
static const struct {
    void (*record)(struct work *w);
    struct arguments arguments;
    uint32_t words[WORDS];
} singles[] = {SINGLES(SINGLE)};
static const char *const single_rows[] = {SINGLES(NAME) NULL};

static void expect_words(const struct work *w, const uint32_t *words)
{
    for (size_t i = 0; i < WORDS; i++)
        EXPECT_EQ_AT(i, w->scene.words[i], words[i]);
}

CASE(the_gpu_does_what_a_list_recorded, "ANN-DDI-01",
     "A driver leaves this work out, does it twice, or with other arguments.", .rows = single_rows)
{
    asked = singles[case_row()].arguments;
    OPEN_WORK_ON(asked.type, NULL);
    singles[case_row()].record(&w);
    kit_run(w.scene.device, w.queue, &w.list);
    expect_words(&w, singles[case_row()].words);
}

/* ---- order ---- */

CASE(lists_run_all_and_in_their_order, "ANN-DDI-01",
     "A driver loses the last list of an ExecuteCommandLists, or runs a later one first.")
{
    enum { COUNT = 20 };
    OPEN_WORK(NULL);
    struct kit_list lists[COUNT];
    ID3D12CommandList *commands[COUNT];
    for (UINT i = 0; i < COUNT; i++) {
        lists[i] = kit_list(w.scene.device, DIRECT);
        commands[i] = lists[i].list;
    }
    for (UINT i = COUNT; i-- > 0; kit_list_close(&lists[i])) /* recorded in another order */
        put_words(&w, &lists[i], i / 4, i % 16, 2);
    ID3D12CommandQueue_ExecuteCommandLists(w.queue, COUNT, commands);
    kit_wait(w.scene.device, w.queue);
    expect_words(&w, (const uint32_t[WORDS]){3, 7, 11, 15, 3, 3});
    for (UINT i = 0; i < COUNT; i++)
        kit_list_done(&lists[i]);
}

CASE(a_recording_replaces_the_one_before, "ANN-DDI-01",
     "A driver keeps commands of a recording that was reset, loses those that were submitted, or "
     "runs a list only once.")
{
    OPEN_WORK(NULL);
    put_words(&w, &w.list, 0, 1, 2);
    kit_list_close(&w.list);
    kit_list_reset(&w.list);
    put_words(&w, &w.list, 1, 2, 2);
    kit_execute(w.queue, &w.list);
    kit_list_reset(&w.list);
    put_words(&w, &w.list, 4, 3, 1);
    kit_wait(w.scene.device, w.queue);
    expect_words(&w, (const uint32_t[WORDS]){0, 2, 2});
    kit_list_close(&w.list);
    for (UINT i = 0; i < 2; i++) {
        map(w.scene.buffer)[1] = map(w.scene.buffer)[4] = 0;
        ID3D12CommandQueue_ExecuteCommandLists(w.queue, 1, &w.list.list);
        kit_wait(w.scene.device, w.queue);
        expect_words(&w, (const uint32_t[WORDS]){0, 0, 2, 0, 3});
    }
}

static const char *const engine_rows[] = {"direct", "compute", NULL};

CASE(a_barrier_waits_for_what_is_in_flight, "ANN-DDI-01 ANN-TRUTH-05",
     "A driver leaves out barriers: a copy reads what the one before it has not written yet.",
     .needs = EMULATOR | KERNELS | DUMP, .rows = engine_rows)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        emu_config config = kit_config();
        config.seed = kit_seed(seed);
        config.in_flight = 8;
        OPEN_WORK_ON(case_row() ? COMPUTE : DIRECT, &config);
        for (UINT i = 1; i < WORDS; i++) {
            fill_words(&w, &w.list, i - 1, i, 2);
            ID3D12GraphicsCommandList_ResourceBarrier(list_of(&w), 1, &uav_barrier);
        }
        kit_run(w.scene.device, w.queue, &w.list);
        expect_words(&w, (const uint32_t[WORDS]){1, 2, 3, 4, 5, 6, 7, 7});
    }
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
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0);
    ID3D12GraphicsCommandList_SetPredication(list_of(&w), value, 8,
                                             case_row() % 2 ? D3D12_PREDICATION_OP_NOT_EQUAL_ZERO
                                                            : D3D12_PREDICATION_OP_EQUAL_ZERO);
    copy_word(&w, 0, 0);
    put_words(&w, &w.list, 1, 5, 1);
    ID3D12GraphicsCommandList_ResolveQueryData(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 0,
                                               1, w.scene.buffer, 16);
    ID3D12GraphicsCommandList_SetPredication(list_of(&w), NULL, 0, D3D12_PREDICATION_OP_EQUAL_ZERO);
    copy_word(&w, 2, 2);
    map(value)[3] = is_one; /* the GPU reads all 8 bytes, and only now */
    kit_run(w.scene.device, w.queue, &w.list);
    EXPECT_EQ(w.scene.words[0], skips ? 0 : SOURCE);
    EXPECT_EQ(w.scene.words[1], skips ? 0 : 5);
    EXPECT_EQ(w.scene.words[2], SOURCE + 2);
    EXPECT((w.scene.words[4] | w.scene.words[5]) != 0);
}

CASE(time_stamps_are_the_times_of_their_places, "ANN-DDI-01",
     "A driver writes or resolves no time stamps, the same one everywhere, or another clock's.",
     .rows = engine_rows)
{
    emu_config config = kit_config();
    config.gpu_clock = (emu_gpu_clock_config){.hz = 1000000000, .offset = UINT64_C(5) << 32};
    OPEN_WORK_ON(case_row() ? COMPUTE : DIRECT, &config);
    uint64_t stamps[2], before = 0, after = 0, cpu;
    const HRESULT hr = ID3D12CommandQueue_GetClockCalibration(w.queue, &before, &cpu);
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 1);
    for (UINT i = 0; i < 100; i++)
        put_words(&w, &w.list, 8, i % 16, 1);
    ID3D12GraphicsCommandList_EndQuery(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 2);
    ID3D12GraphicsCommandList_ResolveQueryData(list_of(&w), w.stamps, D3D12_QUERY_TYPE_TIMESTAMP, 1,
                                               2, w.scene.buffer, 0);
    kit_run(w.scene.device, w.queue, &w.list);
    memcpy(stamps, (const void *)(uintptr_t)w.scene.words, sizeof stamps);
    EXPECT(stamps[0] != 0 && stamps[0] >= before);
    EXPECT(stamps[1] > stamps[0]);
    if (FAILED(hr) || before == 0) /* 0: a GPU whose clock the runtime can't read, as on Wine */
        return;
    REQUIRE_OK(ID3D12CommandQueue_GetClockCalibration(w.queue, &after, &cpu));
    EXPECT(stamps[1] <= after);
}

/* ---- hangs ---- */

/* The front end is ahead of the work by as much as the GPU chooses, so some seed shows it. */
CASE(only_a_marker_that_goes_in_passes_a_hang, "ANN-DDI-01 ANN-TRUTH-05",
     "MARKER_IN waits for the work before it, or MARKER_OUT doesn't.",
     .needs = EMULATOR | KERNELS | DUMP)
{
    bool is_in = false;
    for (uint64_t seed = 0; seed < 8; seed++) {
        emu_config config = kit_config();
        config.seed = kit_seed(seed);
        config.in_flight = 8;
        OPEN_WORK(&config);
        kit_spin(&w.scene, &w.list);
        write_words(&w, 2, modes, 1);
        kit_execute(w.queue, &w.list);
        kit_crash(&w.scene);
        is_in |= w.scene.words[0] == 1;
        EXPECT_EQ(w.scene.words[1], 0);
    }
    EXPECT(is_in);
}

/* ---- what the driver says after a hang ---- */

#define NEEDED (EMULATOR | KERNELS | DUMP | HANG)

/* On the queue without `list`. */
static void mark(const struct work *w, const struct kit_list *list, char call, const char *name)
{
    if (list)
        call == 'B' ? kit_scope(list, name) : call == 'S' ? kit_marker(list, name) : kit_end(list);
    else if (call == 'B')
        kit_queue_scope(w->queue, name);
    else if (call == 'S')
        ID3D12CommandQueue_SetMarker(w->queue, 1, name, (UINT)strlen(name) + 1);
    else
        ID3D12CommandQueue_EndEvent(w->queue);
}

CASE(the_crash_report_says_how_far_the_gpu_got, "ANN-DDI-01 ANN-CRASH-01 ANN-MARK-11",
     "A driver's crash report lacks rows, as of submissions that it retired too early, or has a "
     "wrong state, queue, list or execution, or an address of a page fault where there was none.",
     .needs = NEEDED)
{
    emu_config config = kit_config();
    config.hang = (emu_hang){.place = EMU_HANG_AT_DISPATCH, .count = 2};
    OPEN_WORK(&config);
    annot_reader_device device;
    OWNED ID3D12CommandQueue *queue = kit_named_queue(&w.scene, DIRECT, "Second");
    OWNED_LIST list = kit_named_list(&w.scene, DIRECT, "L");
    kit_name(w.queue, "First");
    kit_name(w.list.list, "Empty");
    kit_list_close(&w.list);
    kit_scope(&list, "Frame");
    kit_work(&w.scene, &list, 0);
    kit_end(&list);
    kit_execute(queue, &list);
    ID3D12CommandList *const lists[] = {w.list.list, list.list};
    ID3D12CommandQueue_ExecuteCommandLists(queue, 2, lists);
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, &lists[1]);
    const annot_reader *const dump = kit_crash(&w.scene);
    annot_reader_get_device(dump, &device);
    EXPECT_EQ(device.fault_count, 0);
    EXPECT_TELLS(dump, "stop Second #2 L: Frame\n"
                       "queue First idle\n"
                       "queue Second stopped\n"
                       " X #1\n"
                       "  X L\n"
                       "   X Frame\n"
                       " > #2\n"
                       "  X Empty\n"
                       "  > L\n"
                       "   > Frame\n"
                       " . #3\n"
                       "  . L\n"
                       "   . Frame\n");
}

static const char *const marker_rows[] = {"list-begin", "list-end",   "list-set",    "bundle-begin",
                                          "bundle-end", "bundle-set", "queue-begin", "queue-end",
                                          "queue-set",  NULL};

CASE(a_marker_has_the_state_of_its_place, "ANN-DDI-01 ANN-CRASH-01",
     "A driver loses this call of markers, takes it for another's, or reports a wrong EventID or a "
     "wrong state of the list.",
     .needs = NEEDED, .rows = marker_rows)
{
    static const char *const calls[] = {"B", "BBEE", "S"};
    const size_t place = case_row() / 3, call = case_row() % 3;
    OPEN_WORK_ON(COMPUTE, NULL);
    OWNED ID3D12CommandQueue *queue = kit_queue(w.scene.device, DIRECT);
    OWNED_LIST bundle = kit_list(w.scene.device, BUNDLE), list = kit_list(w.scene.device, DIRECT);
    const struct kit_list *const on = place == 0 ? &list : place == 1 ? &bundle : NULL;
    for (size_t i = 0; calls[call][i]; i++) {
        mark(&w, on, calls[call][i], i == 0 ? "it" : "in it");
        kit_scope(&w.list, "elsewhere");
    }
    kit_spin(&w.scene, place == 1 ? &bundle : &list);
    kit_wait(w.scene.device, w.queue);
    mark(&w, on, call == 2 ? 'S' : 'B', "next");
    kit_list_close(&bundle);
    if (place == 1)
        kit_bundle(&list, &bundle);
    kit_execute(queue, &list);
    const char *const told = kit_tell(kit_crash(&w.scene));
    case_note("%s", told);
    EXPECT(strstr(told, "> #1"));
    EXPECT(strstr(told, call == 0 ? "> it" : "X it"));
    EXPECT(strstr(told, ". next"));
}

/* A decision: the specification passes names to the driver for its report, and doesn't say how the
 * report has them. Text of a driver is UTF-8 or UTF-16, without its zeros ASCII. */
static const char *const name_rows[] = {"queue", "list", "resource", "pipeline", NULL};

CASE(the_drivers_report_has_the_names, "ANN-DDI-01 ANN-NAME-01",
     "A driver drops names, or keeps old ones: its own report can't say which object it speaks of.",
     .needs = EMULATOR | KERNELS | DUMP, .rows = name_rows)
{
    OPEN_WORK(NULL);
    ID3D12Object *const objects[] = {(ID3D12Object *)w.queue, (ID3D12Object *)w.list.list,
                                     (ID3D12Object *)w.source, (ID3D12Object *)w.scene.spin};
    char bytes[4096], text[sizeof bytes + 1] = {0}, *end = text;
    annot_reader_blob blob;
    size_t i = 0;
    kit_name(objects[case_row()], "Crowded beach");
    kit_name(w.scene.fill, "Empty beach");
    REQUIRE_OK(ID3D12Object_SetName((ID3D12Object *)w.scene.fill, NULL));
    kit_name(objects[case_row()], "Tessellated sea");
    kit_spin(&w.scene, &w.list);
    kit_execute(w.queue, &w.list);
    annot_reader *dump = kit_crash(&w.scene);
    while (annot_reader_blob_at(dump, i, &blob) && blob.kind != ANNOT_BLOB_DRIVER)
        i++;
    const size_t size = annot_reader_blob_read(dump, i, 0, bytes, sizeof bytes);
    if (size == 0)
        SKIP("this driver reports no blob");
    for (const char *from = bytes; from < bytes + size; from++)
        if (*from)
            *end++ = *from;
    EXPECT(strstr(text, "Tessellated sea"));
    EXPECT(!strstr(text, "beach"));
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
