/* The operation that hung, as reports tell it [ANN-OP-01]: named with its arguments, its pipeline
 * and the hash of its shader exactly where breadcrumbs prove which one it was, and not named
 * elsewhere. */
#include "dred_kit.h"

#include "base/abi.h"

#include <annot/fleet.h>

static void remove_dump(void)
{
    unlink(dred_dump());
}

static void set_breadcrumbs(void)
{
    dred_set(DRED_ON, DRED_OFF, DRED_OFF, FALSE);
}

TestSuite(operations, .init = set_breadcrumbs, .fini = remove_dump, .timeout = 60);

static void open_scene(struct scene *s, const char *driver, bool retail)
{
    emu_config config = kit_config();
    unlink(dred_dump());
    config.driver = driver;
    config.dump_path = dred_dump();
    config.force_driver_retail = retail;
    scene_open_with(s, &config);
    MUST(ID3D12PipelineState_SetName(s->spin, (const WCHAR *)L"Spin"));
    MUST(ID3D12Resource_SetName(s->buffer, (const WCHAR *)L"Lights"));
}

/* Opens `s`. A test closes it, and reads where its dump says that it stopped. */
#define SCENE(driver)                                                                              \
    struct scene s;                                                                                \
    AT_END(at_end_close) annot_reader *reader;                                                     \
    annot_reader_operation operation;                                                              \
    open_scene(&s, driver, true)

static void dispatch(ID3D12GraphicsCommandList *list, const struct scene *s, UINT x, UINT y, UINT z)
{
    ID3D12GraphicsCommandList_SetComputeRootSignature(list, s->signature);
    ID3D12GraphicsCommandList_SetPipelineState(list, s->spin);
    ID3D12GraphicsCommandList_Dispatch(list, x, y, z);
}

/* The dump's first stop; false: its operation is not named. */
static bool stopped_at(annot_reader **reader, annot_reader_operation *operation)
{
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), reader), ANNOT_OK);
    return annot_reader_stop_operation(*reader, 0, operation);
}

static char *report_of(const annot_reader *reader, annot_report_format format)
{
    char *text;
    cr_assert_eq(annot_report_memory(reader, format, NULL, &text, NULL), ANNOT_OK);
    return text;
}

#define EXPECT_SAYS(text, words)                                                                   \
    cr_expect(strstr(text, words) != NULL, "no \"%s\" in:\n%s", words, text)

static const char *const drivers[] = {"reference", "legacy", "reorder"};
enum { DRIVERS = sizeof drivers / sizeof drivers[0] };

static void record_frame(const struct scene *s)
{
    ID3D12GraphicsCommandList_BeginEvent(s->list, 1, "Frame", 6);
    ID3D12GraphicsCommandList_CopyBufferRegion(s->list, s->buffer, 0, s->other, 4096, 256);
    kit_dispatch(s->list, s->signature, s->fill, s->buffer, NULL, 7, 16);
    dispatch(s->list, s, 128, 2, 1);
    ID3D12GraphicsCommandList_CopyResource(s->list, s->buffer, s->other);
    ID3D12GraphicsCommandList_EndEvent(s->list);
}

/* The hash that the pipeline's own container states. */
static void expect_shader(const annot_reader *reader, uint64_t pipeline, const char *text)
{
    size_t size;
    annot_shader said;
    annot_reader_shader shader;
    char hash[33];
    const void *code = emu_kernel_bytecode(EMU_KERNEL_SPIN, &size);
    cr_assert(annot_shader_read(code, size, &said));
    cr_assert(annot_reader_shader_of(reader, pipeline, 0, &shader));
    cr_expect_not(annot_reader_shader_of(reader, pipeline, 1, &shader));
    cr_expect_eqs(shader.stage, ANNOT_SHADER_STAGE_COMPUTE, shader.xxh3, said.xxh3);
    annot_reader_shader_hash(&shader, hash, sizeof hash);
    EXPECT_SAYS(text, hash);
    for (size_t i = 0; annot_reader_shader_at(reader, i, &shader); i++) {
        char other[33];
        annot_reader_shader_hash(&shader, other, sizeof other);
        cr_expect_eq(strcmp(hash, other) == 0, shader.object == pipeline, "%s of another", other);
    }
}

Test(operations, the_one_that_hung_has_arguments_pipeline_and_shader)
{
    for (int i = 0; i < DRIVERS; i++) {
        annot_reader_object object;
        SCENE(drivers[i]);
        record_frame(&s);
        scene_run(&s);
        scene_close(&s);
        cr_assert(stopped_at(&reader, &operation), "%s", drivers[i]);
        cr_expect_eqs(operation.kind, D3D12_AUTO_BREADCRUMB_OP_DISPATCH, operation.number, 3);
        cr_assert_eq(operation.argument_count, 3);
        cr_expect(operation.arguments[0] == 128 && operation.arguments[1] == 2 &&
                  operation.arguments[2] == 1);
        cr_assert_eq(operation.object_count, 1);
        cr_expect_eq(operation.objects[0].role, ANNOT_BOUND_PIPELINE);
        cr_assert(annot_reader_object_find(reader, operation.objects[0].object, &object));
        cr_expect(object.name.size == 4 && memcmp(object.name.data, "Spin", 4) == 0);
        AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
        EXPECT_SAYS(text, "4 of 6 is not done: Dispatch(128, 2, 1); 3 is done: Dispatch(1, 1, 1)");
        EXPECT_SAYS(text, "    pipeline       \"Spin\"");
        EXPECT_SAYS(text, "    done before    1 BeginEvent, 2 CopyBufferRegion(to 0, from 4096, "
                          "bytes 256), 3 Dispatch(1, 1, 1)\n");
        EXPECT_SAYS(text, "    after it       5 CopyResource, 6 EndEvent\n");
        expect_shader(reader, operation.objects[0].object, text);
        annot_report_free(text);
        text = report_of(reader, ANNOT_REPORT_JSON);
        EXPECT_SAYS(text, "\"text\":\"Dispatch(128, 2, 1)\",\"arguments\":[\"128\",\"2\",\"1\"]");
        EXPECT_SAYS(text, "\"object_name\":\"Spin\",\"shaders\":[");
    }
}

static ID3D12Resource *texture(ID3D12Device *device, DXGI_FORMAT format, D3D12_RESOURCE_FLAGS flags,
                               const WCHAR *name)
{
    const D3D12_RESOURCE_DESC desc = kit_texture_desc(format, 64, 32, 1, 1, flags);
    ID3D12Resource *made = kit_resource(device, &desc, D3D12_RESOURCE_STATE_COMMON);
    MUST(ID3D12Resource_SetName(made, name));
    return made;
}

static void transition(const struct scene *s, D3D12_RESOURCE_STATES before,
                       D3D12_RESOURCE_STATES after)
{
    const D3D12_RESOURCE_BARRIER barriers[2] = {
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV},
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
         .Transition = {.pResource = s->buffer, .StateBefore = before, .StateAfter = after}}};
    ID3D12GraphicsCommandList_ResourceBarrier(s->list, 2, barriers);
}

/* The barriers since the last work, and no earlier ones. */
Test(operations, the_one_that_hung_has_the_barriers_before_it)
{
    SCENE("reference");
    transition(&s, D3D12_RESOURCE_STATE_COMMON, D3D12_RESOURCE_STATE_COPY_DEST);
    ID3D12GraphicsCommandList_CopyBufferRegion(s.list, s.buffer, 0, s.other, 4096, 256);
    transition(&s, D3D12_RESOURCE_STATE_COPY_DEST, D3D12_RESOURCE_STATE_COPY_SOURCE);
    dispatch(s.list, &s, 1, 1, 1);
    scene_run(&s);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
    EXPECT_SAYS(text, "    barrier        3 \"Lights\": COPY_DEST -> COPY_SOURCE\n");
    cr_expect_null(strstr(text, "COMMON ->"), "%s", text);
}

/* The same of enhanced barriers: layouts of textures, accesses of buffers; without a barrier a
 * resource has the state that it was created in. */
Test(operations, the_one_that_hung_has_enhanced_barriers_too)
{
    SCENE("reference");
    ID3D12Resource *image = texture(s.device, DXGI_FORMAT_R8G8B8A8_UNORM, D3D12_RESOURCE_FLAG_NONE,
                                    (const WCHAR *)L"Image");
    ID3D12GraphicsCommandList7 *list7 = AS(ID3D12GraphicsCommandList7, s.list);
    const D3D12_TEXTURE_BARRIER textures = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                            .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                            .AccessBefore = D3D12_BARRIER_ACCESS_COMMON,
                                            .AccessAfter = D3D12_BARRIER_ACCESS_COPY_DEST,
                                            .LayoutBefore = D3D12_BARRIER_LAYOUT_COMMON,
                                            .LayoutAfter = D3D12_BARRIER_LAYOUT_COPY_DEST,
                                            .pResource = image};
    const D3D12_BUFFER_BARRIER buffers = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                          .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                          .AccessBefore = D3D12_BARRIER_ACCESS_UNORDERED_ACCESS,
                                          .AccessAfter = D3D12_BARRIER_ACCESS_INDEX_BUFFER |
                                                         D3D12_BARRIER_ACCESS_COPY_SOURCE,
                                          .pResource = s.buffer,
                                          .Size = UINT64_MAX};
    const D3D12_BARRIER_GROUP groups[2] = {
        {D3D12_BARRIER_TYPE_TEXTURE, 1, {.pTextureBarriers = &textures}},
        {D3D12_BARRIER_TYPE_BUFFER, 1, {.pBufferBarriers = &buffers}}};
    ID3D12GraphicsCommandList7_Barrier(list7, 2, groups);
    ID3D12GraphicsCommandList_SetMarker(s.list, 1, "between", 8);
    dispatch(s.list, &s, 1, 1, 1);
    scene_run(&s);
    RELEASE(list7, image);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
    EXPECT_SAYS(text, "    barrier        1 \"Image\": COMMON -> COPY_DEST\n");
    EXPECT_SAYS(
        text, "    barrier        1 \"Lights\": UNORDERED_ACCESS -> INDEX_BUFFER | COPY_SOURCE\n");
}

/* A dump of which nothing is proven names no operation, whatever was noted. */
static void expect_unnamed(const char *why)
{
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_operation operation;
    cr_expect_not(stopped_at(&reader, &operation), "%s", why);
    AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
    cr_expect_null(strstr(text, "Dispatch("), "%s:\n%s", why, text);
}

Test(operations, are_not_named_without_breadcrumbs_of_them)
{
    static const struct {
        const char *why;
        D3D12_DRED_ENABLEMENT breadcrumbs;
        BOOL markers_only;
        bool retail;
    } cases[] = {{"no breadcrumbs", DRED_OFF, FALSE, true},
                 {"of markers only", DRED_ON, TRUE, true},
                 {"RUNTIME_ONLY", DRED_ON, FALSE, false}};
    for (int i = 0; i < DRIVERS * 3; i++) {
        struct scene s;
        dred_set(cases[i % 3].breadcrumbs, DRED_OFF, DRED_OFF, cases[i % 3].markers_only);
        open_scene(&s, drivers[i / 3], cases[i % 3].retail);
        record_frame(&s);
        scene_run(&s);
        scene_close(&s);
        expect_unnamed(cases[i % 3].why);
    }
}

Test(operations, of_a_bundle_are_told_of_the_execution_that_hangs)
{
    for (int i = 0; i < DRIVERS; i++) {
        SCENE(drivers[i]);
        ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
        ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
        ID3D12GraphicsCommandList_SetMarker(bundle, 1, "inside", 7);
        dispatch(bundle, &s, 5, 6, 7);
        MUST(ID3D12GraphicsCommandList_Close(bundle));
        kit_dispatch(s.list, s.signature, s.fill, s.buffer, NULL, 7, 16);
        ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
        ID3D12GraphicsCommandList_ExecuteBundle(s.list, bundle);
        scene_run(&s);
        RELEASE(bundle, allocator);
        scene_close(&s);
        cr_assert(stopped_at(&reader, &operation), "%s", drivers[i]);
        cr_expect_eq(operation.kind, D3D12_AUTO_BREADCRUMB_OP_DISPATCH, "%s", drivers[i]);
        cr_expect_eq(operation.number, 1);
        AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
        EXPECT_SAYS(text,
                    "2 of 3 is not done: ExecuteBundle(number 1); 1 is done: Dispatch(1, 1, 1)");
        EXPECT_SAYS(text, "inside it      2 of 2 is not done: Dispatch(5, 6, 7)");
        EXPECT_SAYS(text, "    pipeline       \"Spin\"");
    }
}

/* The list's own recording is over when the GPU hangs in it: what it recorded since is another. */
Test(operations, of_a_list_that_was_reset_since_are_those_of_the_submission)
{
    for (int keep = 0; keep < 2; keep++) {
        SCENE("reference");
        ID3D12CommandAllocator *other = kit_allocator(s.device, DIRECT);
        dispatch(s.list, &s, 11, 1, 1);
        kit_execute(s.queue, s.list);
        MUST(ID3D12GraphicsCommandList_Reset(s.list, other, NULL));
        dispatch(s.list, &s, 22, 1, 1);
        if (!keep)
            MUST(ID3D12GraphicsCommandList_Close(s.list));
        emu_run_until_idle(s.device);
        cr_assert(ID3D12Device_GetDeviceRemovedReason(s.device) != S_OK);
        if (keep)
            ID3D12GraphicsCommandList_Close(s.list);
        ID3D12CommandAllocator_Release(other);
        scene_close(&s);
        cr_assert(stopped_at(&reader, &operation));
        cr_expect_eq(operation.arguments[0], 11);
    }
}

/* Its arguments are in the GPU's memory: the call's numbers and the buffer are named. */
Test(operations, that_are_indirect_name_their_buffers)
{
    static const D3D12_INDIRECT_ARGUMENT_DESC argument = {
        .Type = D3D12_INDIRECT_ARGUMENT_TYPE_DISPATCH};
    static const D3D12_COMMAND_SIGNATURE_DESC desc = {12, 1, &argument, 0};
    SCENE("reference");
    ID3D12Resource *buffer = kit_buffer(s.device, D3D12_HEAP_TYPE_UPLOAD, 4096);
    MUST(ID3D12Resource_SetName(buffer, (const WCHAR *)L"Args"));
    UINT *groups = kit_map(buffer);
    for (int i = 0; i < 1024; i++)
        groups[i] = 1;
    ID3D12CommandSignature *signature =
        MADE(ID3D12CommandSignature, s.device, CreateCommandSignature, &desc, NULL);
    ID3D12GraphicsCommandList_SetComputeRootSignature(s.list, s.signature);
    ID3D12GraphicsCommandList_SetPipelineState(s.list, s.spin);
    ID3D12GraphicsCommandList_ExecuteIndirect(s.list, signature, 2, buffer, 64, NULL, 0);
    scene_run(&s);
    RELEASE(signature, buffer);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
    EXPECT_SAYS(text,
                "1 of 1 is not done: ExecuteIndirect(at most 2, offset 64, count's offset 0)");
    EXPECT_SAYS(text, "    arguments      \"Args\"");
    cr_expect_null(strstr(text, "    counts "), "there is no such buffer:\n%s", text);
}

/* ---- what a draw works on ---- */

struct drawing {
    ID3D12DescriptorHeap *views, *depths;
    ID3D12PipelineState *pipeline;
    ID3D12Resource *targets[2], *depth, *indices;
    D3D12_CPU_DESCRIPTOR_HANDLE at[2], depth_at;
};

static ID3D12DescriptorHeap *heap_of(ID3D12Device *device, D3D12_DESCRIPTOR_HEAP_TYPE type)
{
    const D3D12_DESCRIPTOR_HEAP_DESC desc = {.Type = type, .NumDescriptors = 2};
    return MADE(ID3D12DescriptorHeap, device, CreateDescriptorHeap, &desc);
}

static D3D12_CPU_DESCRIPTOR_HANDLE start_of(ID3D12DescriptorHeap *heap)
{
    D3D12_CPU_DESCRIPTOR_HANDLE start;
    ABI_CALL_STRUCT(heap, GetCPUDescriptorHandleForHeapStart, &start);
    return start;
}

static struct drawing open_drawing(const struct scene *s)
{
    struct drawing d = {.views = heap_of(s->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV),
                        .depths = heap_of(s->device, D3D12_DESCRIPTOR_HEAP_TYPE_DSV)};
    d.pipeline = kit_draws(s->device, s->signature);
    MUST(ID3D12PipelineState_SetName(d.pipeline, (const WCHAR *)L"Draw"));
    d.targets[0] = texture(s->device, DXGI_FORMAT_R8G8B8A8_UNORM,
                           D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, (const WCHAR *)L"Color");
    d.targets[1] = texture(s->device, DXGI_FORMAT_R8G8B8A8_UNORM,
                           D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET, (const WCHAR *)L"Normals");
    d.depth = texture(s->device, DXGI_FORMAT_D32_FLOAT, D3D12_RESOURCE_FLAG_ALLOW_DEPTH_STENCIL,
                      (const WCHAR *)L"Depth");
    d.indices = kit_buffer(s->device, D3D12_HEAP_TYPE_DEFAULT, 4096);
    MUST(ID3D12Resource_SetName(d.indices, (const WCHAR *)L"Indices"));
    for (int i = 0; i < 2; i++) {
        d.at[i] = start_of(d.views);
        d.at[i].ptr += (SIZE_T)i * ID3D12Device_GetDescriptorHandleIncrementSize(
                                       s->device, D3D12_DESCRIPTOR_HEAP_TYPE_RTV);
        ID3D12Device_CreateRenderTargetView(s->device, d.targets[i], NULL, d.at[i]);
    }
    d.depth_at = start_of(d.depths);
    ID3D12Device_CreateDepthStencilView(s->device, d.depth, NULL, d.depth_at);
    return d;
}

static void close_drawing(struct drawing *d)
{
    RELEASE(d->pipeline, d->views, d->depths, d->targets[0], d->targets[1], d->depth, d->indices);
}

/* "target Color, depth Depth" of the list's n-th operation. */
static const char *bound_to(const annot_reader *reader, uint32_t stream, size_t index)
{
    static char text[512];
    annot_reader_operation operation;
    annot_reader_object object;
    text[0] = '\0';
    cr_assert(annot_reader_operation_at(reader, stream, index, &operation));
    for (uint32_t i = 0; i < operation.object_count; i++) {
        const size_t size = strlen(text);
        cr_assert(annot_reader_object_find(reader, operation.objects[i].object, &object));
        snprintf(text + size, sizeof text - size, "%s%s %.*s", i ? ", " : "",
                 annot_bound_role_text(operation.objects[i].role), (int)object.name.size,
                 object.name.data);
    }
    return text;
}

/* Each draw names what is bound then, however it was bound: one by one, as a range, by a pass. */
Test(operations, that_draw_name_their_targets_and_indices)
{
    dred_set(DRED_ON, DRED_OFF, DRED_ON, FALSE);
    SCENE("reference");
    struct drawing d = open_drawing(&s);
    ID3D12GraphicsCommandList *l = s.list;
    const D3D12_INDEX_BUFFER_VIEW indices = {ID3D12Resource_GetGPUVirtualAddress(d.indices) + 64,
                                             64, DXGI_FORMAT_R16_UINT};
    const D3D12_VERTEX_BUFFER_VIEW vertices = {
        ID3D12Resource_GetGPUVirtualAddress(d.indices) + 2048, 64, 16};
    ID3D12GraphicsCommandList4 *list4 = AS(ID3D12GraphicsCommandList4, l);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(l, s.signature);
    ID3D12GraphicsCommandList_SetPipelineState(l, d.pipeline);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        l, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_DrawInstanced(l, 3, 1, 0, 0);
    const D3D12_CPU_DESCRIPTOR_HANDLE swapped[2] = {d.at[1], d.at[0]};
    ID3D12GraphicsCommandList_OMSetRenderTargets(l, 2, swapped, FALSE, NULL);
    ID3D12GraphicsCommandList_IASetIndexBuffer(l, &indices);
    ID3D12GraphicsCommandList_DrawInstanced(l, 3, 1, 0, 0);
    ID3D12GraphicsCommandList_OMSetRenderTargets(l, 2, d.at, TRUE, &d.depth_at);
    ID3D12GraphicsCommandList_IASetVertexBuffers(l, 1, 1, &vertices);
    ID3D12GraphicsCommandList_DrawIndexedInstanced(l, 3, 1, 0, 0, 0);
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC target = {
        .cpuDescriptor = d.at[1],
        .BeginningAccess = {.Type = D3D12_RENDER_PASS_BEGINNING_ACCESS_TYPE_PRESERVE},
        .EndingAccess = {.Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_PRESERVE}};
    ID3D12GraphicsCommandList4_BeginRenderPass(list4, 1, &target, NULL,
                                               D3D12_RENDER_PASS_FLAG_NONE);
    ID3D12GraphicsCommandList_DrawInstanced(l, 3, 1, 0, 0);
    ID3D12GraphicsCommandList4_EndRenderPass(list4);
    ID3D12CommandAllocator *allocator = kit_allocator(s.device, BUNDLE);
    ID3D12GraphicsCommandList *bundle = kit_list(s.device, allocator, BUNDLE);
    ID3D12GraphicsCommandList_IASetVertexBuffers(bundle, 0, 1, &vertices);
    MUST(ID3D12GraphicsCommandList_Close(bundle));
    ID3D12GraphicsCommandList_ExecuteBundle(l, bundle);
    ID3D12GraphicsCommandList_DrawInstanced(l, 3, 1, 0, 0);
    ID3D12GraphicsCommandList_ClearState(l, d.pipeline);
    ID3D12GraphicsCommandList_SetGraphicsRootSignature(l, s.signature);
    ID3D12GraphicsCommandList_IASetPrimitiveTopology(
        l, (D3D12_PRIMITIVE_TOPOLOGY)D3D_PRIMITIVE_TOPOLOGY_TRIANGLELIST);
    ID3D12GraphicsCommandList_DrawInstanced(l, 3, 1, 0, 0);
    dispatch(l, &s, 1, 1, 1);
    scene_run(&s);
    RELEASE(bundle, allocator, list4);
    close_drawing(&d);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    static const char *const expected[] = {
        "pipeline Draw",
        "pipeline Draw, target Normals, target Color",
        ("pipeline Draw, target Color, target Normals, depth Depth, indices Indices, "
         "vertices Indices"),
        "pipeline Draw, target Normals, vertices Indices",
        "pipeline Draw, vertices Indices, vertices Indices",
        "pipeline Draw",
    };
    size_t draws = 0;
    for (size_t i = 0; i < annot_reader_operation_count(reader, operation.stream); i++) {
        annot_reader_operation at;
        cr_assert(annot_reader_operation_at(reader, operation.stream, i, &at));
        if (at.kind != D3D12_AUTO_BREADCRUMB_OP_DRAWINSTANCED &&
            at.kind != D3D12_AUTO_BREADCRUMB_OP_DRAWINDEXEDINSTANCED)
            continue;
        cr_assert_lt(draws, 6);
        cr_expect_str_eq(bound_to(reader, operation.stream, i), expected[draws]);
        draws++;
    }
    cr_expect_eq(draws, 6);
}

/* A video list waits while another queue hangs: its barriers name their resources and states. */
Test(operations, that_are_barriers_of_video_lists_name_their_resources)
{
    struct scene s;
    AT_END(at_end_close) annot_reader *reader;
    annot_reader_operation at;
    unsigned found = 0;
    const D3D12_COMMAND_LIST_TYPE decode = D3D12_COMMAND_LIST_TYPE_VIDEO_DECODE;
    open_scene(&s, "reference", true);
    ID3D12CommandQueue *queue = kit_queue(s.device, decode);
    ID3D12CommandAllocator *allocator = kit_allocator(s.device, decode);
    ID3D12VideoDecodeCommandList *list =
        MADE(ID3D12VideoDecodeCommandList, s.device, CreateCommandList, 0, decode, allocator, NULL);
    ID3D12Fence *fence = MADE(ID3D12Fence, s.device, CreateFence, 0, D3D12_FENCE_FLAG_NONE);
    const D3D12_RESOURCE_BARRIER barrier = {
        .Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
        .Transition = {.pResource = s.buffer,
                       .StateBefore = D3D12_RESOURCE_STATE_COMMON,
                       .StateAfter = D3D12_RESOURCE_STATE_VIDEO_DECODE_READ}};
    ID3D12VideoDecodeCommandList_ResourceBarrier(list, 1, &barrier);
    MUST(ID3D12VideoDecodeCommandList_Close(list));
    MUST(ID3D12CommandQueue_Wait(queue, fence, 1));
    ID3D12CommandQueue_ExecuteCommandLists(queue, 1, (ID3D12CommandList *const *)&list);
    dispatch(s.list, &s, 1, 1, 1);
    scene_run(&s);
    RELEASE(fence, list, allocator, queue);
    scene_close(&s);
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    annot_reader_stream stream;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        for (size_t n = 0; annot_reader_operation_at(reader, i, n, &at); n++) {
            if (at.kind != D3D12_AUTO_BREADCRUMB_OP_RESOURCEBARRIER)
                continue;
            cr_expect_str_eq(bound_to(reader, i, n), "barrier Lights");
            cr_assert_eq(at.argument_count, 2);
            cr_expect_eq(at.arguments[0], D3D12_RESOURCE_STATE_COMMON);
            cr_expect_eq(at.arguments[1], D3D12_RESOURCE_STATE_VIDEO_DECODE_READ);
            found++;
        }
    cr_expect_eq(found, 1);
}

/* "resource|part|before>after" of each barrier of the records of one number. */
static void say_barriers(const annot_reader *reader, uint32_t stream, uint32_t number, char *text,
                         size_t size)
{
    annot_reader_operation at;
    annot_reader_object object;
    text[0] = '\0';
    for (size_t n = 0; annot_reader_operation_at(reader, stream, n, &at); n++)
        for (uint32_t i = 0; at.number == number && i < at.object_count; i++) {
            const size_t used = strlen(text);
            const bool is_one = annot_reader_object_find(reader, at.objects[i].object, &object);
            snprintf(text + used, size - used, "%.*s|%llx|%llx>%llx\n",
                     is_one ? (int)object.name.size : 1, is_one ? object.name.data : "*",
                     (unsigned long long)at.parts[i], (unsigned long long)at.arguments[2 * i],
                     (unsigned long long)at.arguments[2 * i + 1]);
        }
}

static ID3D12Resource *chain(ID3D12Device *device)
{
    const D3D12_RESOURCE_DESC desc = kit_texture_desc(DXGI_FORMAT_R8G8B8A8_UNORM, 64, 64, 6, 4,
                                                      D3D12_RESOURCE_FLAG_ALLOW_RENDER_TARGET);
    ID3D12Resource *made = kit_resource(device, &desc, D3D12_RESOURCE_STATE_COMMON);
    MUST(ID3D12Resource_SetName(made, (const WCHAR *)L"Chain"));
    return made;
}

static D3D12_RESOURCE_BARRIER barrier_of(ID3D12Resource *resource, UINT subresource,
                                         D3D12_RESOURCE_BARRIER_FLAGS half)
{
    return (D3D12_RESOURCE_BARRIER){.Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION,
                                    .Flags = half,
                                    .Transition = {.pResource = resource,
                                                   .Subresource = subresource,
                                                   .StateBefore = D3D12_RESOURCE_STATE_COPY_DEST,
                                                   .StateAfter = D3D12_RESOURCE_STATE_COPY_SOURCE}};
}

static void enhanced_barriers(ID3D12GraphicsCommandList *list, ID3D12Resource *texture,
                              ID3D12Resource *buffer)
{
    OWNED ID3D12GraphicsCommandList7 *list7 = AS(ID3D12GraphicsCommandList7, list);
    const D3D12_GLOBAL_BARRIER global = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                         .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                         .AccessBefore = D3D12_BARRIER_ACCESS_UNORDERED_ACCESS,
                                         .AccessAfter = D3D12_BARRIER_ACCESS_COPY_SOURCE};
    D3D12_TEXTURE_BARRIER textures[5];
    for (unsigned i = 0; i < 5; i++)
        textures[i] = (D3D12_TEXTURE_BARRIER){.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                              .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                              .LayoutBefore = D3D12_BARRIER_LAYOUT_COMMON,
                                              .LayoutAfter = D3D12_BARRIER_LAYOUT_COPY_SOURCE,
                                              .pResource = texture,
                                              .Subresources = {1, i, 2, 3, 0, 1}};
    textures[0].Subresources.IndexOrFirstMipLevel = 23; /* one, by its index */
    textures[1].Subresources =
        (D3D12_BARRIER_SUBRESOURCE_RANGE){.IndexOrFirstMipLevel = UINT32_MAX};
    textures[3].SyncAfter = D3D12_BARRIER_SYNC_SPLIT;
    textures[4].Subresources = (D3D12_BARRIER_SUBRESOURCE_RANGE){0, 3, 0, 6, 0, 1};
    const D3D12_BUFFER_BARRIER one = {.SyncBefore = D3D12_BARRIER_SYNC_ALL,
                                      .SyncAfter = D3D12_BARRIER_SYNC_ALL,
                                      .AccessBefore = D3D12_BARRIER_ACCESS_UNORDERED_ACCESS,
                                      .AccessAfter = D3D12_BARRIER_ACCESS_COPY_DEST,
                                      .pResource = buffer,
                                      .Size = UINT64_MAX};
    const D3D12_BARRIER_GROUP groups[] = {
        {.Type = D3D12_BARRIER_TYPE_GLOBAL, .NumBarriers = 1, .pGlobalBarriers = &global},
        {.Type = D3D12_BARRIER_TYPE_TEXTURE, .NumBarriers = 5, .pTextureBarriers = textures},
        {.Type = D3D12_BARRIER_TYPE_BUFFER, .NumBarriers = 1, .pBufferBarriers = &one}};
    ID3D12GraphicsCommandList7_Barrier(list7, 3, groups);
}

/* All barriers of a call, of each kind, with the subresources that they are of: 4 mips, 6 slices.
 * Subresource 23 is the last mip of slice 5. Bits above the second number say what it is. */
Test(operations, that_are_barriers_have_all_kinds_and_parts)
{
    char text[1024];
    SCENE("reference");
    ID3D12Resource *texture = chain(s.device);
    const UINT all = D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES;
    const D3D12_RESOURCE_BARRIER barriers[] = {
        barrier_of(texture, all, D3D12_RESOURCE_BARRIER_FLAG_NONE),
        barrier_of(texture, 9, D3D12_RESOURCE_BARRIER_FLAG_NONE),
        barrier_of(texture, 23, D3D12_RESOURCE_BARRIER_FLAG_BEGIN_ONLY),
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV, .UAV = {s.buffer}},
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_UAV},
        barrier_of(texture, 0, D3D12_RESOURCE_BARRIER_FLAG_END_ONLY),
        {.Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING, .Aliasing = {NULL, texture}}};
    ID3D12GraphicsCommandList_ResourceBarrier(s.list, 7, barriers);
    enhanced_barriers(s.list, texture, s.buffer);
    dispatch(s.list, &s, 1, 1, 1);
    scene_run(&s);
    ID3D12Resource_Release(texture);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    say_barriers(reader, operation.stream, operation.number - 2, text, sizeof text);
    cr_expect_str_eq(text, "Chain|0|400>800\n"
                           "Chain|1000100020101|400>800\n"
                           "Chain|1000100050103|400>800000800\n"
                           "Lights|0|8>100000008\n"
                           "*|0|8>100000008\n"
                           "Chain|1000100000100|400>1000000800\n"
                           "*|0|0>200000000\n"
                           "Chain|0|0>400000000\n");
    say_barriers(reader, operation.stream, operation.number - 1, text, sizeof text);
    cr_expect_str_eq(text, "*|0|10>800\n"
                           "Chain|1000100050103|0>7\n"
                           "Chain|0|0>7\n"
                           "Chain|1000300020201|0>7\n"
                           "Chain|1000300020301|0>800000007\n"
                           "Chain|1000600000300|0>7\n"
                           "Lights|0|10>400\n");
}

/* Two queues: each list's own breadcrumbs say where that one is. */
Test(operations, of_two_queues_are_not_mixed_up)
{
    annot_reader_stop stop;
    bool has_seen[2] = {false, false};
    SCENE("reference");
    ID3D12CommandQueue *queue = kit_queue(s.device, COMPUTE);
    ID3D12CommandAllocator *allocator = kit_allocator(s.device, COMPUTE);
    ID3D12GraphicsCommandList *list = kit_list(s.device, allocator, COMPUTE);
    dispatch(s.list, &s, 1001, 1, 1);
    ID3D12GraphicsCommandList_SetMarker(list, 1, "async", 6);
    dispatch(list, &s, 2002, 1, 1);
    kit_execute(queue, list);
    scene_run(&s);
    RELEASE(list, allocator, queue);
    scene_close(&s);
    cr_assert_eq(annot_reader_open_file(NULL, dred_dump(), &reader), ANNOT_OK);
    for (size_t i = 0; annot_reader_stop_at(reader, i, &stop); i++) {
        if (!annot_reader_stop_operation(reader, i, &operation))
            continue;
        const bool is_async = operation.number == 1;
        cr_expect_eq(operation.arguments[0], is_async ? 2002 : 1001);
        has_seen[is_async] = true;
    }
    cr_expect(has_seen[0] || has_seen[1]);
}

/* The environment's order to hang switches breadcrumbs on, and the dump says so. */
Test(operations, a_hang_by_order_switches_breadcrumbs_on)
{
    dred_set(D3D12_DRED_ENABLEMENT_SYSTEM_CONTROLLED, DRED_OFF, DRED_OFF, FALSE);
    setenv("EMU_HANG", "dispatch:2", 1);
    SCENE("reference");
    unsetenv("EMU_HANG");
    kit_dispatch(s.list, s.signature, s.fill, s.buffer, NULL, 7, 16);
    kit_dispatch(s.list, s.signature, s.fill, s.buffer, NULL, 7, 16);
    scene_run(&s);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &operation));
    cr_expect_eq(operation.number, 1);
    AT_END(at_end_free_report) char *text = report_of(reader, ANNOT_REPORT_TEXT);
    EXPECT_SAYS(text, "EMU_HANG     dispatch:2; breadcrumbs are on\n");
}

static bool gather(void *user, const void *data, size_t size)
{
    return fwrite(data, 1, size, user) == size;
}

static bool has_bytes(const char *path, const char *word)
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    cr_assert(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    cr_assert_lt(size, sizeof bytes);
    for (size_t i = 0; i + strlen(word) <= size; i++)
        if (memcmp(bytes + i, word, strlen(word)) == 0)
            return true;
    return false;
}

/* Without its names the dump still says which operation, and of which shader. */
Test(operations, stay_in_a_redacted_dump_without_their_names)
{
    static const unsigned char key[ANNOT_REDACT_KEY_SIZE] = {1};
    struct scene s;
    annot_reader *reader, *redacted;
    annot_reader_operation before, after;
    char path[80];
    open_scene(&s, "reference", true);
    MUST(ID3D12PipelineState_SetName(s.spin, (const WCHAR *)L"SecretSpin"));
    record_frame(&s);
    scene_run(&s);
    scene_close(&s);
    cr_assert(stopped_at(&reader, &before));
    snprintf(path, sizeof path, "%s.redacted", dred_dump());
    FILE *file = fopen(path, "wb");
    cr_assert(file);
    cr_assert_eq(annot_redact_write(reader, key, &(annot_report_sink){file, gather}), ANNOT_OK);
    fclose(file);
    cr_assert(has_bytes(dred_dump(), "Secret"));
    cr_expect_not(has_bytes(path, "Secret"));
    cr_assert_eq(annot_reader_open_file(NULL, path, &redacted), ANNOT_OK);
    cr_assert(annot_reader_stop_operation(redacted, 0, &after));
    cr_expect_eq(memcmp(before.arguments, after.arguments, sizeof before.arguments), 0);
    cr_expect_eq(before.objects[0].object, after.objects[0].object);
    annot_reader_shader shaders[2];
    cr_assert(annot_reader_shader_of(reader, before.objects[0].object, 0, &shaders[0]));
    cr_assert(annot_reader_shader_of(redacted, after.objects[0].object, 0, &shaders[1]));
    cr_expect_eq(shaders[0].xxh3, shaders[1].xxh3);
    annot_reader_close(redacted);
    annot_reader_close(reader);
    remove(path);
}
