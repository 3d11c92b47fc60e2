#include "client.h"

#include "../crash/say.h"
#include "../intercept/library.h"
#include "layer.h"
#include "environment.h"

#include <stdatomic.h>
#include <string.h>

/* ---- what it is told of ---- */

#define FOR_LISTS(F, name)                                                                         \
    F(ID3D12GraphicsCommandList, name)                                                             \
    F(ID3D12VideoDecodeCommandList, name)                                                          \
    F(ID3D12VideoProcessCommandList, name)                                                         \
    F(ID3D12VideoEncodeCommandList, name)
#define CASE(iface, name) case METHOD_##iface##_##name:

static bool is_exact(void)
{
    return layer_settings.level == CRASH_LEVEL_EXACT;
}

/* The list does this at once; the client wants other calls in any case. */
static bool does_work(uint16_t method)
{
    return layer_is_work(method) || method == METHOD_ID3D12GraphicsCommandList_ResourceBarrier ||
           method == METHOD_ID3D12GraphicsCommandList7_Barrier ||
           method == METHOD_ID3D12GraphicsCommandList_DiscardResource ||
           method == METHOD_ID3D12GraphicsCommandList_BeginQuery ||
           method == METHOD_ID3D12GraphicsCommandList_EndQuery;
}

/* Copied words of a list come in front of its first work. */
static struct layer_device *device_of(struct object *object)
{
    struct layer_device *device = layer_device_of(object);
    for (uint16_t method = 0;
         device && device->evidence == LAYER_EVIDENCE_COPY && method < SCHEMA_METHODS; method++)
        if (does_work(method))
            call_want_enter(method, &crash_client);
    return device;
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
    case METHOD_ID3D12GraphicsCommandList_SetPipelineState:
        return is_exact() ? CALL_ENTER : 0;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists:
        return CALL_ENTER | CALL_PASS | CALL_LEAVE;
        FOR_LISTS(CASE, Close)
    case METHOD_ID3D12CommandAllocator_Reset:
    case METHOD_NONE_D3D12CreateDevice:
        return CALL_ENTER | CALL_LEAVE;
    case METHOD_IUnknown_AddRef:
    case METHOD_IUnknown_Release:
    case METHOD_ID3D12DeviceConfiguration_GetDesc:
        return CALL_LEAVE;
    default: /* what may tell that the device is gone, or make an object */
        if (layer_dred_is_asked(method))
            return CALL_PASS | CALL_LEAVE;
        return schema_methods[method].has_result && schema_methods[method].result.kind == KIND_R &&
                       strcmp(schema_methods[method].iface, "IUnknown") != 0
                   ? CALL_LEAVE
                   : 0;
    }
}

/* ---- before a call ---- */

/* The program knows that work is done. */
static void poll(const struct object *allocator)
{
    const struct layer_mirror *mirror = layer_mirror_of(allocator);
    if (mirror)
        layer_device_poll(mirror->device);
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
        layer_list_begin(self, args[0], args[1], args[2]);
        break;
        FOR_LISTS(CASE, SetMarker)
        layer_list_set(self, args[0], args[1], args[2]);
        break;
        FOR_LISTS(CASE, EndEvent)
        layer_list_end(self, 0, 0, 0);
        break;
        FOR_LISTS(CASE, Close)
        layer_list_close(self);
        break;
    case METHOD_ID3D12CommandAllocator_Reset:
        poll(self);
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
        layer_queue_marker(self, true, args);
        break;
    case METHOD_ID3D12CommandQueue_SetMarker:
        layer_queue_marker(self, false, args);
        break;
    case METHOD_ID3D12CommandQueue_EndEvent:
        layer_queue_end(self);
        break;
    case METHOD_ID3D12CommandQueue_ExecuteCommandLists:
        layer_queue_submit(self, (uint32_t)args[0], (const uint64_t *)(uintptr_t)args[1]);
        break;
    case METHOD_ID3D12GraphicsCommandList_SetPipelineState:
        layer_list_set_pipeline(self, (void *)(uintptr_t)args[0]);
        break;
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetAutoBreadcrumbsEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings_SetPageFaultEnablement:
    case METHOD_ID3D12DeviceRemovedExtendedDataSettings2_UseMarkersOnlyAutoBreadcrumbs:
        layer_dred_chosen(call->method, args[0]);
        break;
    case METHOD_ID3D12GraphicsCommandList2_WriteBufferImmediate:
        layer_list_works(self);
        layer_dred_written(self);
        break;
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

/* The calls that a program makes most. */
static client_direct *direct(uint16_t method)
{
    switch (method) {
        FOR_LISTS(CASE, BeginEvent)
        return layer_list_begin;
        FOR_LISTS(CASE, SetMarker)
        return layer_list_set;
        FOR_LISTS(CASE, EndEvent)
        return layer_list_end;
    default:
        return NULL;
    }
}

static void pass(struct call *call, uint64_t *args)
{
    if (call->method == METHOD_ID3D12CommandQueue_ExecuteCommandLists)
        layer_queue_pass(call->self, args);
    else if (call->self)
        layer_dred_pass(call->self, call->method, args);
}

/* ---- behind a call ---- */

static struct object *written(const struct call *call, const uint64_t *args)
{
    const uint64_t place = args[schema_methods[call->method].count - 1];
    void *pointer = NULL;
    if (place)
        memcpy(&pointer, (void *)(uintptr_t)place, sizeof pointer);
    return object_at(pointer);
}

static struct object *given(uint64_t real)
{
    return !real ? NULL : object_at(object_known((void *)(uintptr_t)real));
}

static void name_by_private_data(struct object *self, const uint64_t *args)
{
    const uint32_t unit =
        annot_guid_name_unit((const void *)(uintptr_t)args[0], (annot_text_unit)CAPTURE_WCHAR_SIZE);
    const size_t size = (uint32_t)args[1];
    if (unit)
        layer_name_set(self, (const void *)(uintptr_t)args[2], size / unit, unit);
}

/* The last argument is the place of a new object. */
static bool makes_object(uint16_t method)
{
    const struct schema_method_row *m = &schema_methods[method];
    return m->count > 0 && schema_params[m->first + m->count - 1].elem == KIND_O &&
           (schema_params[m->first + m->count - 1].dir & DIR_WRITE);
}

/* A call that succeeded. */
static void succeeded(struct call *call, const uint64_t *args)
{
    struct object *self = call->self, *made;
    switch (call->method) {
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12DeviceFactory_CreateDevice:
        if ((made = written(call, args)) && object_is(made, TYPE_ID3D12Device))
            device_of(made);
        break;
    case METHOD_ID3D12Device_CreateCommandQueue:
    case METHOD_ID3D12Device9_CreateCommandQueue1:
        if ((made = written(call, args)))
            layer_queue_of(made);
        break;
    case METHOD_ID3D12Device_CreateCommandAllocator:
        if ((made = written(call, args)))
            layer_allocator_of(made);
        break;
    case METHOD_ID3D12Device_CreateCommandList:
        if ((made = written(call, args)))
            layer_list_open(made, given(args[2]), given(args[3]));
        break;
        FOR_LISTS(CASE, Reset)
        layer_list_open(self, given(args[0]),
                        call->method == METHOD_ID3D12GraphicsCommandList_Reset ? given(args[1])
                                                                               : NULL);
        break;
    case METHOD_ID3D12CommandAllocator_Reset:
        layer_allocator_reset(self);
        break;
    case METHOD_ID3D12CommandQueue_Wait:
        layer_queue_waited(self);
        break;
    case METHOD_ID3D12Device_CreateGraphicsPipelineState:
    case METHOD_ID3D12Device_CreateComputePipelineState:
    case METHOD_ID3D12Device2_CreatePipelineState:
    case METHOD_ID3D12PipelineLibrary_LoadGraphicsPipeline:
    case METHOD_ID3D12PipelineLibrary_LoadComputePipeline:
    case METHOD_ID3D12PipelineLibrary1_LoadPipeline:
        if (is_exact() && (made = written(call, args)))
            layer_pipeline_made(made, call->method, args);
        break;
    case METHOD_ID3D12Object_SetName:
        layer_name_set(self, (const void *)(uintptr_t)args[0], SIZE_MAX, CAPTURE_WCHAR_SIZE);
        break;
    case METHOD_ID3D12Object_SetPrivateData:
        name_by_private_data(self, args);
        break;
    default:
        if (is_exact() && makes_object(call->method))
            layer_bound_made(written(call, args), call->method, args);
        break;
    }
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
    if (structure && call->method == METHOD_ID3D12DeviceConfiguration_GetDesc)
        layer_dred_describe(call->self, structure);
    if (call->self && layer_dred_is_asked(call->method))
        layer_dred_answer(call->self, call->method, args, result);
    if (call->method == METHOD_ID3D12CommandQueue_ExecuteCommandLists)
        layer_check(call->self, METHOD_ID3D12CommandQueue_Signal,
                    layer_queue_submitted(call->self));
    else if (is_exact() && layer_is_work(call->method))
        layer_list_worked(call->self);
    else if (m->result.kind == KIND_R && !call_has_failed(m, *result))
        succeeded(call, args);
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

static void close(bool is_alone)
{
    if (!is_alone)
        layer_devices_close();
}

static void lacks_memory(const char *text)
{
    static atomic_flag is_told = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_told))
        crash_say(&layer_settings, text);
}

const struct client crash_client = {
    .open = open,
    .wants = wants,
    .direct = direct,
    .enter = enter,
    .pass = pass,
    .leave = leave,
    .lacks_memory = lacks_memory,
    .close = close,
    .gone = layer_mirror_gone,
    .notes = OBJECT_NOTE_CRASH,
};
