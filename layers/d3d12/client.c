#include "client.h"

#include "../crash/say.h"
#include "../intercept/library.h"
#include "layer.h"
#include "environment.h"

#include <string.h>

#define FOR_LISTS(F, name)                                                                         \
    F(ID3D12GraphicsCommandList, name)                                                             \
    F(ID3D12VideoDecodeCommandList, name)                                                          \
    F(ID3D12VideoProcessCommandList, name)                                                         \
    F(ID3D12VideoEncodeCommandList, name)
#define FOR_LIST_FENCES(F, name)                                                                   \
    F(ID3D12GraphicsCommandList11, name)                                                           \
    F(ID3D12CommandListFenceBarriers, name)                                                        \
    F(ID3D12VideoDecodeCommandList4, name)                                                         \
    F(ID3D12VideoProcessCommandList4, name)                                                        \
    F(ID3D12VideoEncodeCommandList5, name)
#define CASE(iface, name) case METHOD_##iface##_##name:

static bool is_exact(void)
{
    return layer_settings.level == CRASH_LEVEL_EXACT;
}

/* Whether the call does work. Lists note work at once; the client always wants the other calls. */
static bool does_work(uint16_t method)
{
    return layer_is_work(method) || method == METHOD_ID3D12GraphicsCommandList_ResourceBarrier ||
           method == METHOD_ID3D12GraphicsCommandList7_Barrier ||
           method == METHOD_ID3D12GraphicsCommandList_DiscardResource ||
           method == METHOD_ID3D12GraphicsCommandList_BeginQuery ||
           method == METHOD_ID3D12GraphicsCommandList_EndQuery;
}

/* Copied words of a list are written before its first work. */
static struct layer_device *device_of(struct object *object)
{
    struct layer_device *device = layer_device_of(object);
    for (uint16_t method = 0;
         device && device->evidence == LAYER_EVIDENCE_COPY && method < SCHEMA_METHODS; method++)
        if (does_work(method))
            call_want_enter(method, &crash_client);
    return device;
}

/* ---- functions after a successful call ---- */

static struct object *kept(const struct call *call, unsigned which)
{
    return object_at((void *)(uintptr_t)call->kept[which]);
}

/* Whether the last argument is the place of a new object. */
static bool makes_object(uint16_t method)
{
    const struct schema_method_row *m = &schema_methods[method];
    return m->count > 0 && schema_params[m->first + m->count - 1].elem == KIND_O &&
           (schema_params[m->first + m->count - 1].dir & DIR_WRITE);
}

typedef void note(struct call *call, const uint64_t *args);

/* A note of the new object. */
#define NOTE_MADE(name, does)                                                                      \
    static void name(struct call *call, const uint64_t *args)                                      \
    {                                                                                              \
        struct object *made = object_written(call->method, args);                                  \
        if (made)                                                                                  \
            does;                                                                                  \
    }
NOTE_MADE(note_device, object_is(made, TYPE_ID3D12Device) ? (void)device_of(made) : (void)0)
NOTE_MADE(note_queue, layer_queue_of(made))
NOTE_MADE(note_allocator, layer_allocator_of(made))
NOTE_MADE(note_list, layer_list_open(made, kept(call, 0), kept(call, 1)))
NOTE_MADE(note_pipeline, layer_pipeline_made(made, call->method, args))

static void note_list_reset(struct call *call, const uint64_t *args)
{
    (void)args;
    layer_list_open(call->self, kept(call, 0), kept(call, 1));
}

/* Notes a reset, which proves that the program knows the work as done. */
static void note_allocator_reset(struct call *call, const uint64_t *args)
{
    const struct layer_mirror *mirror = layer_mirror_of(call->self);
    (void)args;
    if (mirror)
        layer_device_poll(mirror->device);
    layer_allocator_reset(call->self);
}

static void note_told(struct call *call, const uint64_t *args)
{
    layer_queue_told(call->self, call->method == METHOD_ID3D12CommandQueue_Wait, kept(call, 0),
                     args[1]);
}

static void note_fence(struct call *call, const uint64_t *args)
{
    if (call->method == METHOD_ID3D12Fence_Signal)
        layer_fence_note(call->self, CRASH_FENCE_SET, args[0]);
    else
        layer_fence_note(object_written(call->method, args),
                         (uint32_t)args[1] & D3D12_FENCE_FLAG_SHARED ? CRASH_FENCE_SHARED
                                                                     : CRASH_FENCE_MADE,
                         args[0]);
}

/* Notes that a wait ended. It also ends without an error if the device is lost. */
static void note_waited(struct call *call, const uint64_t *args)
{
    (void)args;
    layer_notice(call->self, call->method);
}

static void note_name(struct call *call, const uint64_t *args)
{
    layer_name_set(call->self, (const void *)(uintptr_t)args[0], SIZE_MAX, CAPTURE_WCHAR_SIZE);
}

static void note_private_data(struct call *call, const uint64_t *args)
{
    const uint32_t unit =
        annot_guid_name_unit((const void *)(uintptr_t)args[0], (annot_text_unit)CAPTURE_WCHAR_SIZE);
    const size_t size = (uint32_t)args[1];
    if (unit)
        layer_name_set(call->self, (const void *)(uintptr_t)args[2], size / unit, unit);
}

static void note_bound(struct call *call, const uint64_t *args)
{
    layer_bound_made(object_written(call->method, args), call->method, args);
}

/* Returns the method's note function; NULL: none. */
static note *note_of(uint16_t method)
{
    switch (method) {
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12DeviceFactory_CreateDevice:
        return note_device;
    case METHOD_ID3D12Device_CreateCommandQueue:
    case METHOD_ID3D12Device9_CreateCommandQueue1:
        return note_queue;
    case METHOD_ID3D12Device_CreateCommandAllocator:
        return note_allocator;
    case METHOD_ID3D12Device_CreateCommandList:
        return note_list;
        FOR_LISTS(CASE, Reset)
        return note_list_reset;
    case METHOD_ID3D12CommandAllocator_Reset:
        return note_allocator_reset;
    case METHOD_ID3D12CommandQueue_Wait:
    case METHOD_ID3D12CommandQueue_Signal:
        return note_told;
    case METHOD_ID3D12Fence_Signal:
    case METHOD_ID3D12Device_CreateFence:
        return note_fence;
    case METHOD_ID3D12Fence_SetEventOnCompletion:
    case METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion:
        return note_waited;
    case METHOD_ID3D12Device_CreateGraphicsPipelineState:
    case METHOD_ID3D12Device_CreateComputePipelineState:
    case METHOD_ID3D12Device2_CreatePipelineState:
    case METHOD_ID3D12PipelineLibrary_LoadGraphicsPipeline:
    case METHOD_ID3D12PipelineLibrary_LoadComputePipeline:
    case METHOD_ID3D12PipelineLibrary1_LoadPipeline:
        return is_exact() ? note_pipeline : NULL;
    case METHOD_ID3D12Object_SetName:
        return note_name;
    case METHOD_ID3D12Object_SetPrivateData:
        return note_private_data;
    default:
        return is_exact() && makes_object(method) ? note_bound : NULL;
    }
}

/* ---- the calls that the client gets ---- */

static bool may_fail(uint16_t method)
{
    const struct schema_method_row *m = &schema_methods[method];
    return method < SCHEMA_EXPORT_FIRST && m->has_result && m->result.kind == KIND_R &&
           m->owner != TYPE_IUnknown;
}

static unsigned wants(uint16_t method)
{
    if (is_exact() && layer_is_work(method))
        return CALL_ENTER | CALL_LEAVE;
    if (is_exact() && layer_bound_is_asked(method))
        return CALL_ENTER;
    switch (method) {
        FOR_LISTS(CASE, BeginEvent)
        FOR_LISTS(CASE, SetMarker)
        FOR_LISTS(CASE, EndEvent)
        FOR_LIST_FENCES(CASE, SignalBarrier)
        FOR_LIST_FENCES(CASE, WaitBarrier)
    case METHOD_ID3D12GraphicsCommandList_ExecuteBundle:
    case METHOD_ID3D12GraphicsCommandList_SetPredication:
    case METHOD_ID3D12GraphicsCommandList3_SetProtectedResourceSession:
    case METHOD_ID3D12GraphicsCommandList4_BeginRenderPass:
    case METHOD_ID3D12GraphicsCommandList4_EndRenderPass:
    case METHOD_ID3D12CommandQueue_BeginEvent:
    case METHOD_ID3D12CommandQueue_SetMarker:
    case METHOD_ID3D12CommandQueue_EndEvent:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetPageFaultEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings2_UseMarkersOnlyAutoBreadcrumbs:
    case METHOD_ID3D12GraphicsCommandList2_WriteBufferImmediate:
        return CALL_ENTER;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists:
        return CALL_ENTER | CALL_PASS | CALL_LEAVE;
        FOR_LISTS(CASE, Close)
        return CALL_ENTER | CALL_FAILED;
        FOR_LISTS(CASE, Reset)
    case METHOD_ID3D12Device_CreateCommandList:
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12CommandQueue_Wait:
    case METHOD_ID3D12CommandQueue_Signal:
    case METHOD_ID3D12Fence_SetEventOnCompletion:
    case METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion:
    case METHOD_ID3D12Device3_EnqueueMakeResident:
        return CALL_ENTER | CALL_LEAVE;
    case METHOD_IUnknown_AddRef:
    case METHOD_IUnknown_Release:
    case METHOD_IUnknown_QueryInterface:
    case METHOD_ID3D12Device_CheckFeatureSupport:
    case METHOD_ID3D12DeviceTools2_SetUserDefinedAnnotationMode:
    case METHOD_annot_ID3D12DeviceTools2_v006_SetUserDefinedAnnotationMode:
    case METHOD_ID3D12DeviceChild_GetDevice:
    case METHOD_ID3D12DeviceConfiguration_GetDesc:
    case METHOD_ID3D12Fence_GetCompletedValue:
        return CALL_LEAVE;
    default:
        if (layer_dred_is_asked(method))
            return CALL_PASS | CALL_LEAVE;
        if (layer_callback_is_asked(method))
            return CALL_PASS | CALL_FAILED;
        if (!may_fail(method))
            return 0;
        return note_of(method) ? CALL_LEAVE : CALL_FAILED; /* the method may report a device loss */
    }
}

/* ---- before a call ---- */

/* The shortcuts for the calls that a program makes most. */
static client_direct *direct(uint16_t method)
{
    switch (method) {
        FOR_LISTS(CASE, BeginEvent)
        return layer_list_begin;
        FOR_LISTS(CASE, SetMarker)
        return layer_list_set;
        FOR_LISTS(CASE, EndEvent)
        return layer_list_end;
        FOR_LISTS(CASE, Close)
        return layer_list_close;
    default:
        return NULL;
    }
}

/* Notes each fence of a wait for all of them, of the CPU or of a list. */
static void await_all(struct object *list, uint64_t count, const uint64_t *args)
{
    void *const *fences = (void *const *)(uintptr_t)args[0];
    const uint64_t *values = (const uint64_t *)(uintptr_t)args[1];
    for (uint32_t i = 0; fences && values && i < (uint32_t)count && i < CRASH_FENCES; i++)
        if (list)
            layer_list_told(list, true, object_at(fences[i]), values[i]);
        else
            layer_fence_note(object_at(fences[i]), CRASH_FENCE_AWAITED, values[i]);
}

static void enter(struct call *call, const uint64_t *args)
{
    struct object *self = call->self;
    if (call->method == METHOD_NONE_D3D12CreateDevice && args[3])
        layer_dred_enable();
    if (!self)
        return;
    switch (call->method) {
        FOR_LISTS(CASE, BeginEvent)
        FOR_LISTS(CASE, SetMarker)
        direct(call->method)(self, args[0], args[1], args[2]);
        break;
        FOR_LISTS(CASE, EndEvent)
        FOR_LISTS(CASE, Close)
        direct(call->method)(self, 0, 0, 0);
        break;
        FOR_LISTS(CASE, Reset)
        call->kept[0] = args[0];
        call->kept[1] =
            call->method == METHOD_ID3D12GraphicsCommandList_Reset ? args[1] : (uint64_t)0;
        break;
    case METHOD_ID3D12Device_CreateCommandList:
        call->kept[0] = args[2];
        call->kept[1] = args[3];
        break;
    case METHOD_ID3D12CommandQueue_Wait:
    case METHOD_ID3D12CommandQueue_Signal:
        call->kept[0] = args[0];
        break;
    case METHOD_ID3D12Fence_SetEventOnCompletion:
        layer_fence_note(self, CRASH_FENCE_AWAITED, args[0]);
        break;
    case METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion:
        await_all(NULL, args[3] == 0 ? args[2] : (uint64_t)0, args);
        break;
        FOR_LIST_FENCES(CASE, SignalBarrier)
        layer_list_told(self, false, object_at((void *)(uintptr_t)args[2]), args[3]);
        break;
    case METHOD_ID3D12Device3_EnqueueMakeResident:
        layer_fence_note(object_at((void *)(uintptr_t)args[3]), CRASH_FENCE_LENT, args[4]);
        break;
    case METHOD_ID3D12GraphicsCommandList_ExecuteBundle:
        layer_list_execute_bundle(self, object_at((void *)(uintptr_t)args[0]));
        break;
    case METHOD_ID3D12GraphicsCommandList_SetPredication:
        layer_list_block(self, LAYER_PREDICATED, args[0] != 0);
        break;
    case METHOD_ID3D12GraphicsCommandList3_SetProtectedResourceSession:
        layer_list_block(self, LAYER_PROTECTED, args[0] != 0);
        break;
    case METHOD_ID3D12GraphicsCommandList4_BeginRenderPass:
    case METHOD_ID3D12GraphicsCommandList4_EndRenderPass:
        if (call->method == METHOD_ID3D12GraphicsCommandList4_BeginRenderPass)
            layer_list_begin_pass(self, (uint32_t)args[3]);
        else
            layer_list_end_pass(self);
        if (is_exact())
            layer_bound_call(self, call->method, args);
        break;
    case METHOD_ID3D12CommandQueue_BeginEvent:
    case METHOD_ID3D12CommandQueue_SetMarker:
        layer_queue_marker(self, call->method == METHOD_ID3D12CommandQueue_BeginEvent, args);
        break;
    case METHOD_ID3D12CommandQueue_EndEvent:
        layer_queue_end(self);
        break;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists:
        layer_queue_submit(self, (uint32_t)args[0], (const uint64_t *)(uintptr_t)args[1]);
        break;
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetPageFaultEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings2_UseMarkersOnlyAutoBreadcrumbs:
        layer_dred_chosen(call->method, args[0]);
        break;
    case METHOD_ID3D12GraphicsCommandList2_WriteBufferImmediate:
        layer_list_works(self);
        layer_dred_written(layer_list_of(self));
        break;
        FOR_LIST_FENCES(CASE, WaitBarrier)
        await_all(self, args[2], &args[3]);
        __attribute__((fallthrough));
    default:
        if (does_work(call->method))
            layer_list_works(self);
        if (is_exact() && layer_is_work(call->method))
            layer_list_work(self, call->method, args);
        else if (is_exact() && layer_bound_is_asked(call->method))
            layer_bound_call(self, call->method, args);
        break;
    }
}

static void pass(struct call *call, uint64_t *args)
{
    if (call->method == METHOD_ID3D12CommandQueue_ExecuteCommandLists)
        layer_queue_pass(call->self, args);
    else if (layer_callback_is_asked(call->method))
        layer_callback_pass(call->method, args);
    else if (call->self)
        layer_dred_pass(call->self, call->method, args);
}

/* ---- behind a call ---- */

static void follow(struct call *call, const uint64_t *args)
{
    note *const note_it = note_of(call->method);
    if (note_it)
        note_it(call, args);
}

static void leave(struct call *call, const uint64_t *args, uint64_t *result, void *structure)
{
    const struct schema_method_row *m = &schema_methods[call->method];
    if (call->method == METHOD_IUnknown_AddRef || call->method == METHOD_IUnknown_Release) {
        const bool is_release = call->method == METHOD_IUnknown_Release;
        layer_device_counted(call->self, is_release, result);
        if (is_release && *result == 0)
            layer_devices_sweep();
        return;
    }
    if (call->method == METHOD_IUnknown_QueryInterface)
        return;
    if (call->method == METHOD_ID3D12Fence_GetCompletedValue && *result == UINT64_MAX)
        layer_notice(call->self, call->method); /* all fences of a removed device have this value */
    if (structure && call->method == METHOD_ID3D12DeviceConfiguration_GetDesc)
        layer_dred_describe(call->self, structure);
    if (call->self && layer_dred_is_asked(call->method))
        layer_dred_answer(call->self, call->method, args, result);
    if (call->method == METHOD_ID3D12CommandQueue_ExecuteCommandLists)
        layer_check(call->self, METHOD_ID3D12CommandQueue_Signal,
                    layer_queue_submitted(call->self));
    else if (is_exact() && layer_is_work(call->method))
        layer_list_worked(call->self);
    else if (m->result.kind == KIND_R && !schema_has_failed(m, *result))
        follow(call, args);
    else if (m->result.kind == KIND_R && call->self)
        layer_check(call->self, call->method, *result);
}

/* ---- the client ---- */

static bool open(const char *runtime_path)
{
    (void)runtime_path;
    layer_registry_open(device_of);
    crash_settings_init(&layer_settings);
    crash_settings_read(&layer_settings, &layer_evidence_words, "ANNOT_D3D12_",
                        os_environment_borrow);
    library_stay();
    return true;
}

static void lacks_memory(const char *text)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_told))
        crash_say(layer_settings.is_quiet, text);
}

static void unknown(const char *text)
{
    crash_say(layer_settings.is_quiet, text);
}

const struct client crash_client = {
    .open = open,
    .wants = wants,
    .direct = direct,
    .enter = enter,
    .pass = pass,
    .leave = leave,
    .answer = layer_tools_answer,
    .failed = layer_check,
    .unknown = unknown,
    .lacks_memory = lacks_memory,
    .close = crash_devices_end,
    .gone = layer_mirror_gone,
    .notes = OBJECT_NOTE_CRASH,
};
