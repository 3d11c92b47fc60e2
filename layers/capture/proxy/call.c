#include "call.h"

#include "d3d12.h"
#include "memory.h"
#include "os.h"
#include "recorder.h"
#include "resource.h"
#include "shared.h"
#include "written.h"

#include <string.h>

/* Per thread: the buffers that calls are encoded in, and how deep in calls the thread is. */
struct scratch {
    struct codec_bytes bytes, copied;
    struct codec_arena *arena;
    unsigned depth, pauses;
    uint64_t current; /* the number of the call that is being made, 0: none */
};
static _Thread_local struct scratch scratch;

static uint64_t number_of(void *user, void *pointer)
{
    (void)user;
    return object_number(pointer);
}

/* What the runtime wrote may point to objects that are gone. */
static uint64_t number_of_written(void *user, void *pointer)
{
    (void)user;
    return object_number_of_address(pointer);
}

static uint64_t real_of(void *user, void *pointer)
{
    (void)user;
    return (uint64_t)(uintptr_t)object_real(pointer);
}

static void *same_pointer(void *user, uint64_t number)
{
    (void)user;
    return (void *)(uintptr_t)number;
}

static uint64_t same_word(void *user, uint8_t kind, uint64_t value)
{
    (void)user, (void)kind;
    return value;
}

/* A handle that is none has to be none in replay too. */
static uint64_t handle_of(uint64_t handle)
{
    return os_has_handle(handle) ? handle : UINT64_MAX;
}

static uint64_t box_size(void *user, const struct schema_method_row *m, const uint64_t *args)
{
    const struct call *call = user;
    const bool is_write = m == &schema_methods[METHOD_ID3D12Resource_WriteToSubresource];
    /* Write: subresource, box, data, row pitch, depth pitch. Read: data, row pitch, depth pitch,
     * subresource, box. */
    return is_write ? resource_box_size(call->self->real, (uint32_t)args[0],
                                        (const void *)(uintptr_t)args[1], args[3], args[4])
                    : resource_box_size(call->self->real, (uint32_t)args[3],
                                        (const void *)(uintptr_t)args[4], args[1], args[2]);
}

/* ---- arguments as the runtime knows them ---- */

/* The runtime keeps the pointer and may give it back, to be called as the program made it: the
 * wrapper it is. */
static bool keeps_wrapper(uint16_t method)
{
    return method == METHOD_ID3D12Object_SetPrivateDataInterface;
}

static void replace_objects(const struct schema_method_row *m, uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first];
    struct codec_out out = {
        .bytes = scratch.copied, .wchar_size = CAPTURE_WCHAR_SIZE, .object = real_of, .raw = true};
    struct codec_in in = {.arena = scratch.arena,
                          .wchar_size = CAPTURE_WCHAR_SIZE,
                          .object = same_pointer,
                          .address = same_word,
                          .raw = true};
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &params[i];
        uint64_t copy = 0;
        const bool has_objects =
            p->elem == KIND_O || (p->elem == KIND_S && schema_structs[p->type].has_objects);
        if (p->kind == KIND_O)
            args[i] = (uint64_t)(uintptr_t)object_real((void *)(uintptr_t)args[i]);
        else if (p->kind == KIND_P && p->dir == DIR_READ && has_objects && args[i])
            copy = codec_copy(&out, &in, m, i, args);
        if (copy) /* else it claims more than there can be: the runtime says so */
            args[i] = copy;
    }
    scratch.copied = out.bytes;
}

/* ---- results as the program knows them ---- */

/* The interface that a written parameter is: what the IID before it says, or its type. */
static uint16_t written_type(const struct schema_method_row *m, uint32_t i, const uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first];
    if (params[i].type != TYPE_IUnknown)
        return params[i].type;
    while (i-- > 0)
        if (params[i].kind == KIND_P && params[i].elem == KIND_G)
            return args[i] ? schema_interface_of((const uint8_t *)(uintptr_t)args[i]) : TYPE_NONE;
    return TYPE_NONE;
}

static bool writes_object(const struct schema_value *p, uint64_t arg)
{
    return p->kind == KIND_P && p->elem == KIND_O && (p->dir & DIR_WRITE) && arg;
}

static void note_before(struct call *call, const struct schema_method_row *m, const uint64_t *args)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (writes_object(&schema_params[m->first + i], args[i]))
            memcpy(&call->before[i], (void *)(uintptr_t)args[i], 8);
}

static bool is_creation(const struct schema_method_row *m)
{
    return strncmp(m->name, "Get", 3) != 0 && strcmp(m->name, "QueryInterface") != 0;
}

static bool has_failed(const struct schema_method_row *m, uint64_t result)
{
    return m->has_result && m->result.kind == KIND_R && (int32_t)result < 0;
}

static bool writes_objects_in_structure(const struct schema_value *p)
{
    return p->kind == KIND_P && p->elem == KIND_S && p->dir == DIR_WRITE && p->count == COUNT_ONE &&
           schema_structs[p->type].has_objects;
}

static void wrap_written(struct call *call, const struct schema_method_row *m, const uint64_t *args,
                         uint64_t result)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &schema_params[m->first + i];
        uint64_t now;
        if (writes_objects_in_structure(p) && args[i] && !has_failed(m, result))
            written_wrap(p->type, (uint8_t *)(uintptr_t)args[i]);
        if (!writes_object(p, args[i]))
            continue;
        memcpy(&now, (void *)(uintptr_t)args[i], 8);
        if (!now || now == call->before[i])
            continue;
        if (call->method == METHOD_NONE_emu_adapter_create) {
            object_forget_foreign((void *)(uintptr_t)now); /* no object of D3D12's, but a new one */
            call->wrapped |= 1u << i;
            continue;
        }
        void *wrapped =
            object_wrap((void *)(uintptr_t)now, written_type(m, i, args), is_creation(m));
        memcpy((void *)(uintptr_t)args[i], &wrapped, sizeof wrapped);
        call->wrapped |= 1u << i;
    }
}

/* ---- records ---- */

static void record_enter(struct call *call, const struct schema_method_row *m, const uint64_t *args)
{
    struct codec_out out = {.bytes = scratch.bytes,
                            .wchar_size = CAPTURE_WCHAR_SIZE,
                            .object = number_of,
                            .user = call,
                            .box = box_size,
                            .handle = call->method == METHOD_ID3D12Device_OpenSharedHandle
                                          ? shared_original
                                          : handle_of};
    const uint64_t self = call->self ? call->self->number : 0;
    out.bytes.size = 0;
    out.bytes.failed = false;
    codec_bytes_add(&out.bytes, &self, sizeof self);
    codec_encode(&out, m, args, false);
    scratch.bytes = out.bytes;
    if (out.refused)
        recorder_say(out.refused, m->name);
    if (out.bytes.failed) {
        recorder_say("arguments too large, or out of memory: the call is not recorded", m->name);
        call->number = 0;
        return;
    }
    recorder_add(RECORD_ENTER, call->number, m->digest, m->count + 1, out.bytes.data,
                 out.bytes.size, NULL, 0);
}

/* D3D12_MESSAGE among bytes: where its text is becomes an offset, so that equal messages are equal
 * records. */
static uint64_t message_without_address(const uint64_t *args)
{
    D3D12_MESSAGE message;
    uint64_t size = 0;
    memcpy(&size, (void *)(uintptr_t)args[2], sizeof size);
    uint8_t *copy = size >= sizeof message ? codec_arena_take(scratch.arena, size) : NULL;
    if (!copy)
        return args[1];
    memcpy(copy, (void *)(uintptr_t)args[1], size);
    memcpy(&message, copy, sizeof message);
    const uint64_t offset = (uint64_t)(uintptr_t)message.pDescription - args[1];
    memset(copy, 0, sizeof message);
    memcpy(copy + offsetof(D3D12_MESSAGE, Category), &message.Category, sizeof message.Category);
    memcpy(copy + offsetof(D3D12_MESSAGE, Severity), &message.Severity, sizeof message.Severity);
    memcpy(copy + offsetof(D3D12_MESSAGE, ID), &message.ID, sizeof message.ID);
    memcpy(copy + offsetof(D3D12_MESSAGE, pDescription), &offset, sizeof offset);
    memcpy(copy + offsetof(D3D12_MESSAGE, DescriptionByteLength), &message.DescriptionByteLength,
           sizeof message.DescriptionByteLength);
    return (uint64_t)(uintptr_t)copy;
}

/* What a failed call left unwritten is whatever the program had there, and may lead nowhere. */
static bool is_left_unwritten(const struct call *call, const struct schema_method_row *m,
                              uint32_t i, const uint64_t *args, uint64_t result)
{
    const struct schema_value *p = &schema_params[m->first + i];
    uint64_t now = 0;
    if (writes_object(p, args[i])) {
        memcpy(&now, (void *)(uintptr_t)args[i], 8);
        return now && now == call->before[i] && !(call->wrapped >> i & 1);
    }
    return has_failed(m, result) && p->kind == KIND_P &&
           (p->dir == DIR_WRITE ||
            ((p->dir & DIR_WRITE) && p->elem == KIND_S && !schema_structs[p->type].plain));
}

/* Where an array of a filter is, as an offset behind it. */
static void put_offset(uint8_t *copy, size_t place, const void *array, const void *filter)
{
    const uint64_t offset = array ? (uint64_t)(uintptr_t)array - (uint64_t)(uintptr_t)filter : 0;
    memcpy(copy + place, &offset, sizeof(void *));
}

/* The same for D3D12_INFO_QUEUE_FILTER, whose padding is the program's. */
static uint64_t filter_without_addresses(const uint64_t *args)
{
    static const size_t lists[] = {offsetof(D3D12_INFO_QUEUE_FILTER, AllowList),
                                   offsetof(D3D12_INFO_QUEUE_FILTER, DenyList)};
    uint64_t size = 0;
    memcpy(&size, (void *)(uintptr_t)args[1], sizeof size);
    uint8_t *copy =
        size >= sizeof(D3D12_INFO_QUEUE_FILTER) ? codec_arena_take(scratch.arena, size) : NULL;
    if (!copy)
        return args[0];
    const void *filter = (const void *)(uintptr_t)args[0];
    memcpy(copy, filter, size);
    memset(copy, 0, sizeof(D3D12_INFO_QUEUE_FILTER));
    for (size_t i = 0; i < 2; i++) {
        D3D12_INFO_QUEUE_FILTER_DESC d;
        uint8_t *to = copy + lists[i];
        memcpy(&d, (const uint8_t *)filter + lists[i], sizeof d);
        memcpy(to + offsetof(D3D12_INFO_QUEUE_FILTER_DESC, NumCategories), &d.NumCategories, 4);
        memcpy(to + offsetof(D3D12_INFO_QUEUE_FILTER_DESC, NumSeverities), &d.NumSeverities, 4);
        memcpy(to + offsetof(D3D12_INFO_QUEUE_FILTER_DESC, NumIDs), &d.NumIDs, 4);
        put_offset(to, offsetof(D3D12_INFO_QUEUE_FILTER_DESC, pCategoryList), d.pCategoryList,
                   filter);
        put_offset(to, offsetof(D3D12_INFO_QUEUE_FILTER_DESC, pSeverityList), d.pSeverityList,
                   filter);
        put_offset(to, offsetof(D3D12_INFO_QUEUE_FILTER_DESC, pIDList), d.pIDList, filter);
    }
    return (uint64_t)(uintptr_t)copy;
}

static bool reads_filter(uint16_t method)
{
    return method == METHOD_ID3D12InfoQueue_GetStorageFilter ||
           method == METHOD_ID3D12InfoQueue_GetRetrievalFilter;
}

static void record_leave(struct call *call, const struct schema_method_row *m, const uint64_t *args,
                         uint64_t result, const void *structure)
{
    struct codec_out out = {.bytes = scratch.bytes,
                            .wchar_size = CAPTURE_WCHAR_SIZE,
                            .object = number_of_written,
                            .user = call,
                            .box = box_size,
                            .handle = handle_of};
    const bool is_pointer = m->result.kind == KIND_P || m->result.kind == KIND_X ||
                            m->result.kind == KIND_W || m->result.kind == KIND_Z;
    uint64_t words[2] = {recorder_last_call(), is_pointer ? result != 0 : result};
    uint64_t known[CODEC_ARGS];
    out.bytes.size = 0;
    out.bytes.failed = false;
    codec_bytes_add(&out.bytes, words, sizeof words);
    memcpy(known, args, m->count * sizeof *known);
    for (uint32_t i = 0; i < m->count; i++)
        if (is_left_unwritten(call, m, i, args, result))
            known[i] = 0;
    if (call->method == METHOD_ID3D12PipelineLibrary_Serialize) { /* the rest is the program's */
        const uint64_t size = resource_library_size(call->self->real);
        known[1] = size < known[1] ? size : known[1];
    }
    if (call->method == METHOD_ID3D12InfoQueue_GetMessage && known[1] && known[2] && scratch.arena)
        known[1] = message_without_address(known);
    if (reads_filter(call->method) && known[0] && known[1] && scratch.arena)
        known[0] = filter_without_addresses(known);
    codec_encode(&out, m, known, true);
    if (structure && m->result.kind == KIND_S)
        codec_add_struct(&out, m->result.type, structure);
    scratch.bytes = out.bytes;
    if (!out.bytes.failed)
        recorder_add(RECORD_LEAVE, call->number, m->digest, m->count + 2, out.bytes.data,
                     out.bytes.size, NULL, 0);
}

/* ---- the call ---- */

static void count_references(struct call *call)
{
    if (!call->self)
        return;
    if (call->method == METHOD_IUnknown_AddRef)
        object_add_reference(call->self);
    if (call->method == METHOD_IUnknown_Release)
        object_release_reference(call->self);
}

/* Most calls on lists: their words are the arguments, objects by their numbers, and nothing else
 * has to be done. */
static bool enter_plain(struct call *call, const struct schema_method_row *m, void *self,
                        uint64_t *args)
{
    struct object *object = object_at(self);
    if (!m->is_plain || !object || scratch.depth || scratch.pauses || !recorder_is_open())
        return false;
    uint64_t words[1 + CODEC_ARGS];
    words[0] = object->number;
    for (uint32_t i = 0; i < m->count; i++) {
        words[1 + i] = args[i];
        if (schema_params[m->first + i].kind != KIND_O || !args[i])
            continue;
        const struct object *given = object_at((void *)(uintptr_t)args[i]);
        words[1 + i] = given ? given->number : object_number((void *)(uintptr_t)args[i]);
        if (given)
            args[i] = (uint64_t)(uintptr_t)given->real;
    }
    call->number = scratch.current = recorder_next_call();
    call->self = object;
    scratch.depth = 1;
    recorder_add(RECORD_ENTER, call->number, m->digest, m->count + 1, words,
                 (m->count + 1) * sizeof *words, NULL, 0);
    return true;
}

/* The runtime has no wrapper, so a call within a call comes from the program. */
static void refuse_in_callback(const struct call *call, const struct schema_method_row *m)
{
    if (call->self && scratch.depth && !scratch.pauses && strcmp(m->iface, "IUnknown") != 0)
        recorder_say("a call that the program makes inside of a callback is not recorded", m->name);
}

void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args)
{
    const struct schema_method_row *m = &schema_methods[method];
    call->is_plain = enter_plain(call, m, self, args);
    if (call->is_plain) {
        call->method = method;
        return;
    }
    call->number =
        scratch.depth == 0 && scratch.pauses == 0 && recorder_is_open() ? recorder_next_call() : 0;
    call->method = method;
    call->self = object_at(self);
    if (call->number)
        scratch.current = call->number;
    refuse_in_callback(call, m);
    if (scratch.depth++ == 0) {
        if (!scratch.arena)
            scratch.arena = codec_arena_create();
        else if (m->takes_objects || method == METHOD_ID3D12InfoQueue_GetMessage ||
                 reads_filter(method))
            codec_arena_reset(scratch.arena);
    }
    call->wrapped = 0;
    if (m->leaves_record)
        note_before(call, m, args);
    if (call->number) {
        memory_before(call, args);
        record_enter(call, m, args);
    }
    count_references(call);
    if (scratch.arena && !keeps_wrapper(method))
        replace_objects(m, args);
}

void call_leave(struct call *call, uint64_t *args, uint64_t result, const void *structure)
{
    const struct schema_method_row *m = &schema_methods[call->method];
    if (--scratch.depth == 0)
        scratch.current = 0;
    if (call->is_plain) {
        recorder_left(call->number);
        return;
    }
    if (m->leaves_record)
        wrap_written(call, m, args, result);
    if (call->method == METHOD_IUnknown_Release && result == 0 && call->self)
        object_is_gone(call->self);
    if (!call->number)
        return;
    if (m->leaves_record)
        record_leave(call, m, args, result, structure);
    else
        recorder_left(call->number);
    memory_after(call, args, result);
}

uint64_t call_current(void)
{
    return scratch.current;
}

void call_pause(bool on)
{
    scratch.pauses += on ? 1u : -1u;
}
