/* ExecuteIndirect: commands in memory, read when the GPU comes to them. */
#include "kit.h"

#include <unistd.h>

struct command { /* of the signature below, packed as D3D12 has it */
    UINT destination[2];
    UINT constants[2];
    UINT groups[3];
};

_Static_assert(sizeof(struct command) == 28, "no padding in an argument buffer");

#define STRIDE   32
#define COMMANDS 4

struct scene {
    KIT_SCENE;
    ID3D12RootSignature *root;
    ID3D12PipelineState *fill;
    ID3D12CommandSignature *signature; /* destination, two constants, dispatch */
    ID3D12CommandSignature *plain;     /* dispatch */
    ID3D12Resource *arguments, *counts, *result;
    char *commands;
    UINT *count;
    uint32_t *words;
};

static ID3D12CommandSignature *create_signature(ID3D12Device *device, ID3D12RootSignature *root,
                                                UINT stride, UINT count,
                                                const D3D12_INDIRECT_ARGUMENT_DESC *arguments)
{
    const D3D12_COMMAND_SIGNATURE_DESC desc = {stride, count, arguments, 0};
    return MADE(ID3D12CommandSignature, device, CreateCommandSignature, &desc, root);
}

static struct scene open_scene(D3D12_COMMAND_LIST_TYPE type)
{
    const D3D12_INDIRECT_ARGUMENT_DESC all[] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_UNORDERED_ACCESS_VIEW},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
         .Constant = {.RootParameterIndex = 2, .Num32BitValuesToSet = 2}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH},
    };
    struct scene s;
    KIT_SCENE_OPEN(&s, kit_device(), type);
    s.root = kit_root_signature(s.device);
    s.fill = kit_pipeline(s.device, s.root, EMU_KERNEL_FILL);
    s.signature = create_signature(s.device, s.root, STRIDE, 3, all);
    s.plain = create_signature(s.device, NULL, 12, 1, &all[2]);
    s.arguments = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, COMMANDS * STRIDE);
    s.counts = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 16);
    s.result = kit_buffer(s.device, D3D12_HEAP_TYPE_READBACK, 256);
    s.commands = kit_map(s.arguments);
    s.count = kit_map(s.counts);
    s.words = kit_map(s.result);
    return s;
}

static void close_scene(struct scene *s)
{
    KIT_SCENE_CLOSE(s, s->arguments, s->counts, s->result, s->signature, s->plain, s->fill,
                    s->root);
}

/* Command `index` fills word `word` of the result with `value`. */
static void write_command(struct scene *s, UINT index, UINT word, UINT value)
{
    const UINT64 address = ID3D12Resource_GetGPUVirtualAddress(s->result) + word * 4;
    struct command command = {.constants = {value, 1}, .groups = {1, 1, 1}};
    memcpy(command.destination, &address, sizeof address);
    memcpy(s->commands + (size_t)index * STRIDE, &command, sizeof command);
}

static void bind(struct scene *s)
{
    ID3D12GraphicsCommandList_SetComputeRootSignature(s->list, s->root);
    ID3D12GraphicsCommandList_SetPipelineState(s->list, s->fill);
}

static void bind_all(struct scene *s, UINT value)
{
    const UINT constants[2] = {value, 1};
    bind(s);
    ID3D12GraphicsCommandList_SetComputeRootUnorderedAccessView(
        s->list, 0, ID3D12Resource_GetGPUVirtualAddress(s->result));
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s->list, 2, 2, constants, 0);
}

static void run(struct scene *s)
{
    kit_run(s->device, s->queue, s->list);
}

Test(indirect, each_command_has_its_own_arguments)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    for (UINT i = 0; i < COMMANDS; i++)
        write_command(&s, i, i * 2, 100 + i);
    bind(&s);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, COMMANDS, s.arguments, 0, NULL,
                                              0);
    run(&s);
    for (UINT i = 0; i < COMMANDS; i++)
        cr_assert_eqs(s.words[i * 2], 100 + i, s.words[i * 2 + 1], 0, "command %u: %u", i,
                      s.words[i * 2]);
    cr_assert_eq(kit_messages(s.device), 0);
}

Test(indirect, the_count_buffer_limits_and_is_limited_and_offsets_count)
{
    const struct {
        UINT count, max, first, done;
    } cases[] = {{2, 4, 0, 2}, {0, 4, 0, 0}, {UINT32_MAX, 3, 0, 3}, {9, 2, 1, 2}, {1, 0, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        AT_END(close_scene) struct scene s = open_scene(DIRECT);
        for (UINT i = 0; i < COMMANDS; i++)
            write_command(&s, i, i, 1);
        s.count[1] = cases[c].count;
        bind(&s);
        ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, cases[c].max, s.arguments,
                                                  (UINT64)cases[c].first * STRIDE, s.counts, 4);
        run(&s);
        for (UINT i = 0; i < COMMANDS; i++)
            cr_assert_eq(s.words[i],
                         i >= cases[c].first && i < cases[c].first + cases[c].done ? 1u : 0u,
                         "case %zu, command %u", c, i);
        cr_assert_eq(kit_messages(s.device), 0);
    }
}

Test(indirect, arguments_and_count_are_read_when_the_gpu_comes_to_them)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
    write_command(&s, 0, 0, 1);
    s.count[0] = 0;
    bind(&s);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 2, s.arguments, 0, s.counts, 0);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    for (UINT i = 0; i < 2; i++)
        write_command(&s, i, i, 7 + i);
    s.count[0] = 2;
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    kit_finish(s.device, s.queue);
    cr_assert_eqs(s.words[0], 7, s.words[1], 8);
    write_command(&s, 1, 1, 9);
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    kit_finish(s.device, s.queue);
    cr_assert_eq(s.words[1], 9);
}

Test(indirect, what_commands_do_not_say_is_the_lists)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    const UINT groups[6] = {0, 1, 1, 1, 1, 1};
    memcpy(s.commands, groups, sizeof groups);
    bind_all(&s, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.plain, 1, s.arguments, 0, NULL, 0);
    run(&s);
    cr_assert_eq(s.words[0], 0, "no groups, no work");
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    bind_all(&s, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.plain, 2, s.arguments, 0, NULL, 0);
    run(&s);
    cr_assert_eq(s.words[0], 5);
    cr_assert_eq(kit_messages(s.device), 0);
}

/* "If the command signature sets a root constant, then after ExecuteIndirect is called, the root
 * constant value is set to 0"; views likewise [Indirect Drawing]. */
Test(indirect, arguments_that_commands_set_are_gone_afterwards)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    bind_all(&s, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 0, s.arguments, 0, NULL, 0);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1);
    run(&s);
    cr_assert_eq(s.words[0], 0);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    bind_all(&s, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.plain, 0, s.arguments, 0, NULL, 0);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1);
    run(&s);
    cr_assert_eq(s.words[0], 5, "but not what they leave alone");
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    bind_all(&s, 5);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 0, s.arguments, 0, NULL, 0);
    const UINT constants[2] = {6, 1};
    ID3D12GraphicsCommandList_SetComputeRoot32BitConstants(s.list, 2, 2, constants, 0);
    ID3D12GraphicsCommandList_Dispatch(s.list, 1, 1, 1); /* writes to nowhere */
    kit_execute(s.queue, s.list);
    emu_run_until_idle(s.device);
    cr_assert_eq(s.words[0], 5);
}

Test(indirect, constants_go_where_the_signature_says)
{
    const D3D12_INDIRECT_ARGUMENT_DESC second_only[] = {
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_CONSTANT,
         .Constant = {2, .DestOffsetIn32BitValues = 1, .Num32BitValuesToSet = 1}},
        {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH},
    };
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    OWNED ID3D12CommandSignature *words = create_signature(s.device, s.root, 16, 2, second_only);
    const UINT command[4] = {3, 1, 1, 1}; /* three words instead of one */
    memcpy(s.commands, command, sizeof command);
    bind_all(&s, 6);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, words, 1, s.arguments, 0, NULL, 0);
    run(&s);
    cr_assert_eq3(s.words[0], 6, s.words[2], 6, s.words[3], 0);
}

Test(indirect, a_buffer_that_is_gone_is_a_page_fault_and_removes_the_device)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    ID3D12Resource *lost = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 64);
    bind(&s);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 1, lost, 0, NULL, 0);
    MUST(ID3D12GraphicsCommandList_Close(s.list));
    ID3D12Resource_Release(lost);
    ID3D12CommandList *lists[] = {(ID3D12CommandList *)s.list};
    ID3D12CommandQueue_ExecuteCommandLists(s.queue, 1, lists);
    emu_run_until_idle(s.device);
    EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), DXGI_ERROR_DEVICE_HUNG);
}

/* Only one command has groups, so only this command hangs. A bundle has calls without a count. */
Test(indirect, a_command_may_hang_and_a_dump_names_it)
{
    static const struct {
        UINT max, count, groups_at; /* count 0: no count buffer */
        const char *said;
    } rows[] = {
        {3, 0, 0, "command 1 of 3: Dispatch(3, 2, 1)"},
        {3, 0, 24, "command 3 of 3: Dispatch(3, 2, 1)"},
        {4, 3, STRIDE + 16, "command 2 of 3 (count 3 was read, at most 4): Dispatch(3, 2, 1)"},
        {2, 9, STRIDE + 16, "command 2 of 2 (count 9 was read, at most 2): Dispatch(3, 2, 1)"}};
    char path[64];
    snprintf(path, sizeof path, "indirect-%d.annotdmp", (int)getpid());
    setenv("EMU_DUMP", path, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        AT_END(close_scene) struct scene s = open_scene(DIRECT);
        OWNED ID3D12PipelineState *spin = kit_pipeline(s.device, s.root, EMU_KERNEL_SPIN);
        OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
        OWNED ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
        ID3D12GraphicsCommandList *list = rows[i].count ? s.list : bundle;
        memcpy(s.commands + rows[i].groups_at, (UINT[]){3, 2, 1}, 12);
        s.count[0] = rows[i].count;
        bind_all(&s, 1);
        ID3D12GraphicsCommandList_SetPipelineState(list, spin);
        ID3D12GraphicsCommandList_ExecuteIndirect(list, rows[i].count ? s.signature : s.plain,
                                                  rows[i].max, s.arguments, 0,
                                                  rows[i].count ? s.counts : NULL, 0);
        MUST(ID3D12GraphicsCommandList_Close(bundle));
        ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
        run(&s);
        EXPECT_HR(ID3D12Device_GetDeviceRemovedReason(s.device), DXGI_ERROR_DEVICE_HUNG);
        AT_END(at_end_close) annot_reader *reader = NULL;
        AT_END(at_end_free_report) char *text = NULL;
        cr_assert_eq(annot_reader_open_file(NULL, path, &reader), ANNOT_OK);
        remove(path);
        cr_assert_eq(annot_report_memory(reader, ANNOT_REPORT_TEXT, NULL, &text, NULL), ANNOT_OK);
        cr_expect_not_null(strstr(text, rows[i].said), "row %zu: %s", i, text);
    }
}

Test(indirect, refuses_wrong_arguments)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    AT_END(kit_closed) ID3D12Device *stranger = kit_device();
    OWNED ID3D12Resource *foreign = kit_buffer(stranger, D3D12_HEAP_TYPE_UPLOAD, 256);
    OWNED ID3D12RootSignature *foreign_root = kit_root_signature(stranger);
    const D3D12_INDIRECT_ARGUMENT_DESC dispatch = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    const D3D12_INDIRECT_ARGUMENT_DESC draw = {.Type = D3D12_INDIRECT_ARGUMENT_TYPE_DRAW};
    OWNED ID3D12CommandSignature *foreign_signature =
        create_signature(stranger, NULL, 12, 1, &dispatch);
    OWNED ID3D12CommandSignature *draws = create_signature(s.device, NULL, 16, 1, &draw);
    const struct {
        const char *what;
        void *signature;
        UINT max;
        ID3D12Resource *arguments;
        UINT64 offset;
        ID3D12Resource *counts;
        UINT64 count_offset;
    } cases[] = {
        {"no signature", NULL, 1, s.arguments, 0, NULL, 0},
        {"something else", s.queue, 1, s.arguments, 0, NULL, 0},
        {"another device's", foreign_signature, 1, s.arguments, 0, NULL, 0},
        {"draws", draws, 1, s.arguments, 0, NULL, 0},
        {"no buffer", s.signature, 1, NULL, 0, NULL, 0},
        {"another device's buffer", s.signature, 1, foreign, 0, NULL, 0},
        {"misaligned", s.signature, 1, s.arguments, 2, NULL, 0},
        {"misaligned count", s.signature, 1, s.arguments, 0, s.counts, 2},
        {"past the end", s.signature, 5, s.arguments, 0, NULL, 0},
        {"by an offset", s.signature, 1, s.arguments, COMMANDS * STRIDE - 24, NULL, 0},
        {"by much", s.signature, UINT32_MAX, s.arguments, 0, s.counts, 0},
        {"with an offset that wraps", s.signature, 1, s.arguments, UINT64_MAX - 3, NULL, 0},
        {"a count past the end", s.signature, 1, s.arguments, 0, s.counts, 16},
        {"another device's count", s.signature, 1, s.arguments, 0, foreign, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        kit_clear(s.device);
        bind(&s);
        ID3D12GraphicsCommandList_ExecuteIndirect(s.list, cases[i].signature, cases[i].max,
                                                  cases[i].arguments, cases[i].offset,
                                                  cases[i].counts, cases[i].count_offset);
        cr_assert_eqs(kit_messages(s.device), 1, kit_count(s.device, EMU_MESSAGE_INVALID_ARGUMENT),
                      1, "%s", cases[i].what);
        EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_INVALIDARG);
        MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, NULL));
    }
}

/* The last command needs no whole stride. */
Test(indirect, the_last_command_may_end_with_the_buffer)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    const UINT64 offset = COMMANDS * STRIDE - sizeof(struct command);
    write_command(&s, 0, 0, 3);
    memmove(s.commands + offset, s.commands, sizeof(struct command));
    bind(&s);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 1, s.arguments, offset, NULL, 0);
    run(&s);
    cr_assert_eq(s.words[0], 3);
}

Test(indirect, wants_the_root_signature_of_its_command_signature)
{
    AT_END(close_scene) struct scene s = open_scene(COMPUTE);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, s.fill);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 1, s.arguments, 0, NULL, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_INVALIDARG);

    const D3D12_ROOT_PARAMETER parameter = {.ParameterType = D3D12_ROOT_PARAMETER_TYPE_UAV};
    const D3D12_ROOT_SIGNATURE_DESC desc = {.NumParameters = 1, .pParameters = &parameter};
    OWNED ID3D12RootSignature *other = kit_root_signature_of(s.device, &desc);
    MUST(ID3D12GraphicsCommandList_Reset(s.list, s.allocator, s.fill));
    kit_clear(s.device);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, other);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.signature, 1, s.arguments, 0, NULL, 0);
    EXPECT_MESSAGES(s.device, 1, D3D12_MESSAGE_ID_COMMAND_LIST_DISPATCH_ROOT_SIGNATURE_MISMATCH);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_INVALIDARG);
}

Test(indirect, is_not_for_copy_lists)
{
    AT_END(close_scene) struct scene s = open_scene(COPY);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, s.plain, 1, s.arguments, 0, NULL, 0);
    EXPECT_MESSAGES(s.device, 1, EMU_MESSAGE_INVALID_ARGUMENT);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(s.list), E_FAIL);
}

/* In a bundle: no count buffer, and one operation only [ExecuteIndirect]. */
Test(indirect, in_a_bundle_is_one_operation_counted_by_the_caller)
{
    AT_END(close_scene) struct scene s = open_scene(DIRECT);
    OWNED ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    OWNED ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    ID3D12GraphicsCommandList_SetComputeRootSignature(bundle, s.root);
    ID3D12GraphicsCommandList_SetPipelineState(bundle, s.fill);
    ID3D12GraphicsCommandList_ExecuteIndirect(bundle, s.signature, 1, s.arguments, 0, NULL, 0);
    ID3D12GraphicsCommandList_ExecuteIndirect(bundle, s.plain, 1, s.arguments, 0, s.counts, 0);
    EXPECT_MESSAGES(s.device, 2, D3D12_MESSAGE_ID_INVALID_BUNDLE_API);
    EXPECT_HR(ID3D12GraphicsCommandList_Close(bundle), E_INVALIDARG);
    MUST(ID3D12GraphicsCommandList_Reset(bundle, allocator, s.fill));
    kit_clear(s.device);
    const UINT groups[3] = {1, 1, 1};
    memcpy(s.commands, groups, sizeof groups);
    ID3D12GraphicsCommandList_ExecuteIndirect(bundle, s.plain, 1, s.arguments, 0, NULL, 0);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    bind_all(&s, 11);
    ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
    run(&s);
    cr_assert_eq(s.words[0], 11, "with the caller's arguments");
    cr_assert_eq(kit_messages(s.device), 0);
}
