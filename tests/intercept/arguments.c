/* Arguments that lead to many objects, or to objects behind further pointers, calls within calls,
 * and both without memory [ANN-D3D-03]. */
#include "fake.h"

#include <intercept/call.h>
#include <intercept/d3d12.h>
#include <intercept/wrap.h>

#include "asserts.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 3000 };

static unsigned memory_told;
static unsigned depth_seen, enters;

static unsigned wants_enter(uint16_t method)
{
    return method == METHOD_ID3D12GraphicsCommandList_ResourceBarrier ||
                   method == METHOD_ID3D12GraphicsCommandList_DrawInstanced ||
                   method == METHOD_ID3D12GraphicsCommandList_EndEvent
               ? CALL_ENTER
               : 0;
}

static void enter(struct call *call, const uint64_t *args)
{
    (void)args;
    depth_seen = call->depth;
    enters++;
}

static void lacks_memory(const char *text)
{
    cr_assert(*text);
    memory_told++;
}

static unsigned unknown_told;

static void unknown(const char *text)
{
    cr_assert(*text);
    unknown_told++;
}

static const struct client client = {.unknown = unknown,
                                     .wants = wants_enter,
                                     .enter = enter,
                                     .lacks_memory = lacks_memory,
                                     .notes = OBJECT_NOTE_CRASH};

static struct object *queue, *list;

static struct object *wrapper_of(uint16_t type)
{
    const uint16_t newest = type_newest(type);
    return object_wrap(fake_create(newest), newest, true);
}

static void open_call(void)
{
    static const struct client *const clients[] = {&client};
    schema_init();
    call_open(wrap_tables, clients, 1);
    queue = wrapper_of(TYPE_ID3D12CommandQueue);
    list = wrapper_of(TYPE_ID3D12GraphicsCommandList);
}

TestSuite(arguments, .init = open_call);

static uint64_t call(uint16_t method, void *object, uint64_t first, uint64_t second, uint64_t third)
{
    struct call_result result = {0};
    const uint64_t args[CODEC_ARGS] = {first, second, third};
    call_method(method, object, args, &result);
    return result.word;
}

/* ---- arrays ---- */

static struct object *given[MANY];
static unsigned arrived, arrived_count;

static void check_lists(uint16_t method, struct fake *self, uint64_t *args,
                        struct call_result *result)
{
    struct fake *const *there = (void *)(uintptr_t)args[1];
    (void)self, (void)result;
    cr_assert_eq(method, METHOD_ID3D12CommandQueue_ExecuteCommandLists);
    arrived_count = (uint32_t)args[0];
    for (unsigned i = 0; i < arrived_count; i++)
        cr_assert(there[i] == object_real(given[i]), "%u of %u", i, arrived_count);
    arrived++;
}

static void make_lists(void)
{
    for (unsigned i = 0; i < MANY; i++)
        given[i] = i % 7 == 3 ? NULL : i % 7 == 5 ? (void *)fake_create(TYPE_ID3D12Heap) : list;
}

/* In the call's own room, to its last word, and beyond it. */
Test(arguments, arrays_of_any_length_are_the_runtimes_objects)
{
    const unsigned counts[] = {0, 1, 2, 63, 64, 65, 66, MANY, 3};
    make_lists();
    fake_answer = check_lists;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, counts[i], (uintptr_t)given, 0);
        cr_assert_eqs(arrived, i + 1, arrived_count, counts[i]);
    }
    cr_assert_eq(memory_told, 0);
}

/* More than there can be: the runtime refuses it. */
static void check_untouched(uint16_t method, struct fake *self, uint64_t *args,
                            struct call_result *result)
{
    (void)method, (void)self, (void)result;
    cr_assert_eqs(args[0], UINT32_MAX, args[1], (uintptr_t)given);
    arrived++;
}

Test(arguments, an_array_that_cannot_be_is_the_runtimes_to_refuse)
{
    fake_answer = check_untouched;
    call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, UINT32_MAX, (uintptr_t)given, 0);
    cr_assert_eqs(arrived, 1, memory_told, 0);
}

/* The runtime calls back: what the outer call was given stays until it returns. */
static void call_within(uint16_t method, struct fake *self, uint64_t *args,
                        struct call_result *result)
{
    check_lists(method, self, args, result);
    if (arrived == 1)
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, MANY, (uintptr_t)given, 0);
    if (arrived == 2)
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, 60, (uintptr_t)given, 0);
    const unsigned count = arrived;
    check_lists(method, self, args, result);
    arrived = count;
}

Test(arguments, a_call_within_a_call_leaves_its_arguments)
{
    make_lists();
    fake_answer = call_within;
    for (unsigned round = 0; round < 2; round++) {
        arrived = 0;
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, 2000, (uintptr_t)given, 0);
        cr_assert_eq(arrived, 3);
    }
}

static void draw_within(uint16_t method, struct fake *self, uint64_t *args,
                        struct call_result *result)
{
    (void)self, (void)args, (void)result;
    if (method == METHOD_ID3D12GraphicsCommandList_DrawInstanced && arrived++ < 2)
        call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, list, 3, 1, 0);
}

Test(arguments, a_client_that_takes_none_directly_is_told_of_markers)
{
    fake_answer = draw_within;
    call(METHOD_ID3D12GraphicsCommandList_EndEvent, list, 0, 0, 0);
    cr_assert_eq(enters, 1);
}

Test(arguments, a_call_knows_how_deep_it_is)
{
    fake_answer = draw_within;
    for (unsigned round = 0; round < 2; round++) {
        arrived = 0;
        call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, list, 3, 1, 0);
        cr_assert_eqs(depth_seen, 2, enters, 3 * (round + 1));
        arrived = 2;
        call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, list, 3, 1, 0);
        cr_assert_eq(depth_seen, 0);
        enters--;
    }
}

/* ---- structures ---- */

static D3D12_RESOURCE_BARRIER barriers[100];

static void check_barriers(uint16_t method, struct fake *self, uint64_t *args,
                           struct call_result *result)
{
    const D3D12_RESOURCE_BARRIER *there = (void *)(uintptr_t)args[1];
    (void)method, (void)self, (void)result;
    cr_assert(there != barriers);
    for (unsigned i = 0; i < (uint32_t)args[0]; i++) {
        D3D12_RESOURCE_BARRIER right = barriers[i];
        if (i % 3 == 0)
            right.Transition.pResource = object_real(right.Transition.pResource);
        else
            right.Aliasing.pResourceBefore = object_real(right.Aliasing.pResourceBefore);
        if (i % 3 == 1)
            right.Aliasing.pResourceAfter = object_real(right.Aliasing.pResourceAfter);
        cr_assert(memcmp(&there[i], &right, sizeof right) == 0, "%u", i);
    }
    arrived++;
}

/* A barrier of each kind in turn; 16 of them fill the call's room. */
Test(arguments, each_structure_of_an_array_has_the_runtimes_objects)
{
    struct object *resources[] = {wrapper_of(TYPE_ID3D12Resource), wrapper_of(TYPE_ID3D12Resource)};
    const unsigned counts[] = {1, 2, 3, 15, 16, 17, 100};
    for (unsigned i = 0; i < 100; i++) {
        D3D12_RESOURCE_BARRIER *barrier = &barriers[i];
        barrier->Flags = (D3D12_RESOURCE_BARRIER_FLAGS)i;
        if (i % 3 == 0) {
            barrier->Type = D3D12_RESOURCE_BARRIER_TYPE_TRANSITION;
            barrier->Transition.pResource = (ID3D12Resource *)(void *)resources[i & 1];
            barrier->Transition.Subresource = i;
        } else if (i % 3 == 1) {
            barrier->Type = D3D12_RESOURCE_BARRIER_TYPE_ALIASING;
            barrier->Aliasing.pResourceBefore = (ID3D12Resource *)(void *)resources[i & 1];
            barrier->Aliasing.pResourceAfter = (ID3D12Resource *)(void *)resources[~i & 1];
        } else {
            barrier->Type = D3D12_RESOURCE_BARRIER_TYPE_UAV;
            barrier->UAV.pResource = (ID3D12Resource *)(void *)resources[i & 1];
        }
    }
    fake_answer = check_barriers;
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++)
        call(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, list, counts[i], (uintptr_t)barriers,
             0);
    cr_assert_eqs(arrived, 7, enters, 7);
}

/* A root signature in a stream of subobjects behind the description. */
static struct subobject {
    D3D12_PIPELINE_STATE_SUBOBJECT_TYPE type;
    void *root_signature;
} stream = {D3D12_PIPELINE_STATE_SUBOBJECT_TYPE_ROOT_SIGNATURE, NULL};
static void *stream_there;

static void check_stream(uint16_t method, struct fake *self, uint64_t *args,
                         struct call_result *result)
{
    const D3D12_PIPELINE_STATE_STREAM_DESC *desc = (void *)(uintptr_t)args[0];
    (void)method, (void)self;
    result->word = (uint32_t)E_INVALIDARG;
    arrived++;
    stream_there = NULL;
    if (!desc)
        return;
    cr_assert(desc->pPipelineStateSubobjectStream != &stream);
    cr_assert(desc->SizeInBytes >= sizeof stream);
    cr_assert_eq(*(const uint32_t *)desc->pPipelineStateSubobjectStream, (uint32_t)stream.type);
    memcpy(&stream_there, (const char *)desc->pPipelineStateSubobjectStream + 8, sizeof(void *));
}

static void create_from_stream(struct object *device)
{
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof stream, &stream};
    const uint8_t *iid = schema_interfaces[TYPE_ID3D12PipelineState - SCHEMA_INTERFACE_FIRST].iid;
    void *state = NULL;
    fake_answer = check_stream;
    cr_assert_eq(call(METHOD_ID3D12Device2_CreatePipelineState, device, (uintptr_t)&desc,
                      (uintptr_t)iid, (uintptr_t)&state),
                 (uint32_t)E_INVALIDARG);
}

Test(arguments, objects_behind_further_pointers_are_the_runtimes)
{
    struct object *root_signature = wrapper_of(TYPE_ID3D12RootSignature);
    stream.root_signature = root_signature;
    for (unsigned round = 1; round < 4; round++) {
        create_from_stream(wrapper_of(TYPE_ID3D12Device2));
        cr_assert(arrived == round && stream_there == root_signature->real);
        cr_assert(stream.root_signature == root_signature);
    }
}

/* Behind a tag of a future version there may be objects: the runtime is not called. The variable
 * is what D3D12 makes of one where a creation failed. */
Test(arguments, a_stream_with_an_unknown_tag_is_refused_and_told_of)
{
    struct object *device = wrapper_of(TYPE_ID3D12Device2);
    struct subobject long_stream[2] = {stream, {(D3D12_PIPELINE_STATE_SUBOBJECT_TYPE)999, device}};
    D3D12_PIPELINE_STATE_STREAM_DESC desc = {sizeof long_stream, long_stream};
    const uint8_t *iid = schema_interfaces[TYPE_ID3D12PipelineState - SCHEMA_INTERFACE_FIRST].iid;
    D3D12_STATE_SUBOBJECT subobject = {(D3D12_STATE_SUBOBJECT_TYPE)999, long_stream};
    const D3D12_STATE_OBJECT_DESC object = {0, 1, &subobject};
    const void *const descs[] = {&desc, &object};
    const uint16_t methods[] = {METHOD_ID3D12Device2_CreatePipelineState,
                                METHOD_ID3D12Device5_CreateStateObject};
    fake_answer = check_stream;
    for (unsigned i = 0; i < 6; i++) {
        void *state = &state;
        cr_assert_eqs(call(methods[i & 1], device, (uintptr_t)descs[i & 1], (uintptr_t)iid,
                           i < 4 ? (uintptr_t)&state : 0),
                      (uint32_t)E_INVALIDARG, arrived, 0);
        cr_assert(i < 4 ? !state : state == &state);
        cr_assert_eq(unknown_told, i > 0 ? 2 : 1);
    }
    desc.SizeInBytes = sizeof stream + 3; /* too short for a tag: the runtime says so */
    long_stream[0].root_signature = wrapper_of(TYPE_ID3D12RootSignature);
    void *state = NULL;
    call(methods[0], device, (uintptr_t)&desc, (uintptr_t)iid, (uintptr_t)&state);
    cr_assert_eqs(unknown_told, 2, arrived, 1);
}

/* Two arguments that are copied beyond the call's own room. */
static D3D12_RENDER_PASS_RENDER_TARGET_DESC targets[2];
static D3D12_RENDER_PASS_DEPTH_STENCIL_DESC depth;

static void check_pass(uint16_t method, struct fake *self, uint64_t *args,
                       struct call_result *result)
{
    const D3D12_RENDER_PASS_RENDER_TARGET_DESC *there = (void *)(uintptr_t)args[1];
    const D3D12_RENDER_PASS_DEPTH_STENCIL_DESC *of_depth = (void *)(uintptr_t)args[2];
    (void)method, (void)self, (void)result;
    cr_assert_eqs(args[0], 2, args[3], 5);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(there[i].cpuDescriptor.ptr, targets[i].cpuDescriptor.ptr);
        cr_assert(there[i].EndingAccess.Resolve.pSrcResource ==
                  object_real(targets[i].EndingAccess.Resolve.pSrcResource));
    }
    cr_assert_eq(of_depth->cpuDescriptor.ptr, depth.cpuDescriptor.ptr);
    cr_assert(of_depth->DepthEndingAccess.Resolve.pDstResource ==
              object_real(depth.DepthEndingAccess.Resolve.pDstResource));
    arrived++;
}

static void resolve(D3D12_RENDER_PASS_ENDING_ACCESS *access)
{
    access->Type = D3D12_RENDER_PASS_ENDING_ACCESS_TYPE_RESOLVE;
    access->Resolve.pSrcResource = (ID3D12Resource *)(void *)wrapper_of(TYPE_ID3D12Resource);
    access->Resolve.pDstResource = (ID3D12Resource *)(void *)wrapper_of(TYPE_ID3D12Resource);
}

static void begin_pass(void)
{
    struct call_result result = {0};
    const uint64_t args[CODEC_ARGS] = {2, (uintptr_t)targets, (uintptr_t)&depth, 5};
    fake_answer = check_pass;
    call_method(METHOD_ID3D12GraphicsCommandList4_BeginRenderPass, list, args, &result);
}

static void make_pass(void)
{
    for (unsigned i = 0; i < 2; i++) {
        targets[i].cpuDescriptor.ptr = 0x1000 + i;
        resolve(&targets[i].EndingAccess);
    }
    depth.cpuDescriptor.ptr = 0x2000;
    resolve(&depth.DepthEndingAccess);
}

Test(arguments, copies_for_one_call_stand_beside_each_other)
{
    make_pass();
    begin_pass();
    begin_pass();
    cr_assert_eqs(arrived, 2, memory_told, 0);
}

/* However often they come, and whatever was before. */
Test(arguments, calls_need_no_new_memory_when_the_first_have_had_it)
{
    make_lists();
    make_pass();
    stream.root_signature = wrapper_of(TYPE_ID3D12RootSignature);
    struct object *device = wrapper_of(TYPE_ID3D12Device2);
    for (int round = 0; round < 40; round++) {
        if (round == 20)
            fake_fail_allocations(0);
        begin_pass();
        create_from_stream(device);
        fake_answer = check_lists;
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, MANY, (uintptr_t)given, 0);
    }
    cr_assert_eqs(fake_allocations(), 0, memory_told, 0);
}

/* ---- without memory ---- */

static void count_barriers(uint16_t method, struct fake *self, uint64_t *args,
                           struct call_result *result)
{
    (void)method, (void)self, (void)result;
    arrived_count = (uint32_t)args[0];
    cr_assert(args[1] != (uintptr_t)barriers);
}

/* An array fills the call's own room to its last word. */
Test(arguments, arrays_arrive_whole_without_memory)
{
    make_lists();
    fake_answer = check_lists;
    fake_fail_allocations(1);
    for (unsigned count = 0; count < 70; count++) {
        const unsigned told = memory_told;
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, count, (uintptr_t)given, 0);
        cr_assert_eqs(memory_told, told, arrived_count, count);
    }
    fake_answer = count_barriers;
    for (unsigned count = 0; count < 20; count++) {
        const unsigned told = memory_told;
        call(METHOD_ID3D12GraphicsCommandList_ResourceBarrier, list, count, (uintptr_t)barriers, 0);
        cr_assert_eqs(memory_told, told, arrived_count, count);
    }
}

/* A failed allocation costs none of the program's work, whichever it is and however deep in calls
 * within calls. */
Test(arguments, without_memory_all_lists_run_and_all_objects_behind_are_the_runtimes)
{
    struct object *device = wrapper_of(TYPE_ID3D12Device2);
    stream.root_signature = wrapper_of(TYPE_ID3D12RootSignature);
    make_lists();
    unsigned made;
    for (unsigned from = 1;; from++) {
        arrived = 0;
        fake_fail_allocations(from);
        fake_answer = call_within;
        call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, MANY, (uintptr_t)given, 0);
        cr_assert_eqs(arrived, 3, arrived_count, MANY);
        create_from_stream(device);
        made = fake_allocations();
        fake_fail_allocations(0);
        cr_assert(stream_there == object_real(stream.root_signature));
        cr_assert_eq(memory_told, 0);
        if (made < from)
            break;
    }
}

static void check_nothing(uint16_t method, struct fake *self, uint64_t *args,
                          struct call_result *result)
{
    (void)self, (void)result;
    cr_assert_eq(method, METHOD_ID3D12CommandQueue_ExecuteCommandLists); /* no creation arrives */
    cr_assert_eqs(args[0], 0, args[1], 0);
    arrived++;
}

/* More than the memory that is kept for this: none of the program's objects reaches the runtime. */
Test(arguments, beyond_the_spare_memory_a_creation_fails_and_work_is_told_of)
{
    enum { TOO_MANY = 200000 };
    struct object **lists = calloc(TOO_MANY, sizeof *lists);
    struct subobject *long_stream = calloc(TOO_MANY, sizeof stream);
    const D3D12_PIPELINE_STATE_STREAM_DESC desc = {TOO_MANY * sizeof stream, long_stream};
    const uint8_t *iid = schema_interfaces[TYPE_ID3D12PipelineState - SCHEMA_INTERFACE_FIRST].iid;
    for (unsigned i = 0; i < TOO_MANY; i++)
        long_stream[i] = stream;
    struct object *device = wrapper_of(TYPE_ID3D12Device2);
    void *state = &state;
    fake_answer = check_nothing;
    fake_fail_allocations(1);
    call(METHOD_ID3D12CommandQueue_ExecuteCommandLists, queue, TOO_MANY, (uintptr_t)lists, 0);
    cr_assert_eqs(arrived, 1, memory_told, 1);
    const uint32_t result = (uint32_t)call(METHOD_ID3D12Device2_CreatePipelineState, device,
                                           (uintptr_t)&desc, (uintptr_t)iid, (uintptr_t)&state);
    fake_fail_allocations(0);
    cr_assert_eqs(result, (uint32_t)E_OUTOFMEMORY, memory_told, 2);
    cr_assert(state == NULL); /* as by a creation that fails */
    free(lists);
    free(long_stream);
}

static struct fake *created;

static void create_fence(uint16_t method, struct fake *self, uint64_t *args,
                         struct call_result *result)
{
    (void)method, (void)self, (void)result;
    created = fake_create(TYPE_ID3D12Fence1);
    memcpy((void *)(uintptr_t)args[3], &created, sizeof created);
}

/* The program would give the runtime's own object to methods that take ours. */
Test(arguments, without_memory_a_creation_has_failed)
{
    struct object *device = wrapper_of(TYPE_ID3D12Device2);
    const uint8_t *iid = schema_interfaces[TYPE_ID3D12Fence - SCHEMA_INTERFACE_FIRST].iid;
    struct object *fence = NULL;
    struct call_result result;
    unsigned from = 0;
    do {
        const uint64_t args[CODEC_ARGS] = {0, 0, (uintptr_t)iid, (uintptr_t)&fence};
        memset(&result, 0, sizeof result);
        fake_answer = create_fence;
        fake_fail_allocations(++from);
        call_method(METHOD_ID3D12Device_CreateFence, device, args, &result);
        fake_fail_allocations(0);
        const bool is_lost = result.word != 0;
        cr_assert_eq(result.word, is_lost ? (uint32_t)E_OUTOFMEMORY : 0);
        cr_assert(is_lost ? fence == NULL : object_at(fence) && fence->real == created);
        cr_assert_eq(created->references, is_lost ? 0 : 1);
    } while (result.word != 0);
    cr_assert(from > 2);
}
