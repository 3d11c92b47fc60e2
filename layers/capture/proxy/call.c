#include "call.h"

#include "memory.h"
#include "recorder.h"
#include "resource.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

/* Per thread: the buffers that calls are encoded in, and how deep in calls the thread is. */
struct scratch {
    struct codec_bytes bytes, copied;
    struct codec_arena *arena;
    unsigned depth;
};
static _Thread_local struct scratch scratch;

static uint64_t number_of(void *user, void *pointer)
{
    (void)user;
    return object_number(pointer);
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
    return handle > INT_MAX || fcntl((int)handle, F_GETFD) < 0 ? UINT64_MAX : handle;
}

static uint64_t box_size(void *user, const struct schema_method_row *m, const uint64_t *args)
{
    const struct call *call = user;
    const bool is_write = m == &schema_methods[METHOD_ID3D12Resource_WriteToSubresource];
    /* Write: subresource, box, data, row pitch, depth pitch. Read: data, row pitch, depth pitch, subresource, box. */
    return is_write ? resource_box_size(call->self->real, (uint32_t)args[0],
                                        (const void *)(uintptr_t)args[1], args[3], args[4])
                    : resource_box_size(call->self->real, (uint32_t)args[3],
                                        (const void *)(uintptr_t)args[4], args[1], args[2]);
}

/* ---- arguments as the runtime knows them ---- */

/* The runtime keeps the pointer and may give it back, to be called as the program made it: the wrapper it is. */
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

static void wrap_written(struct call *call, const struct schema_method_row *m, const uint64_t *args)
{
    for (uint32_t i = 0; i < m->count; i++) {
        uint64_t now;
        if (!writes_object(&schema_params[m->first + i], args[i]))
            continue;
        memcpy(&now, (void *)(uintptr_t)args[i], 8);
        if (!now || now == call->before[i])
            continue;
        if (call->method == METHOD_NONE_emu_adapter_create)
            continue; /* an adapter is no object of D3D12's */
        void *wrapped =
            object_wrap((void *)(uintptr_t)now, written_type(m, i, args), is_creation(m));
        memcpy((void *)(uintptr_t)args[i], &wrapped, sizeof wrapped);
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
                            .handle = handle_of};
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

static bool leaves_nothing(const struct schema_method_row *m)
{
    return m->flat && !m->has_result;
}

static bool has_failed(const struct schema_method_row *m, uint64_t result)
{
    return m->has_result && m->result.kind == KIND_R && (int32_t)result < 0;
}

static void record_leave(struct call *call, const struct schema_method_row *m, const uint64_t *args,
                         uint64_t result, const void *structure)
{
    struct codec_out out = {.bytes = scratch.bytes,
                            .wchar_size = CAPTURE_WCHAR_SIZE,
                            .object = number_of,
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
    /* What a failed call left unwritten is whatever the program had there. */
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &schema_params[m->first + i];
        uint64_t now = 0;
        if (writes_object(p, args[i]))
            memcpy(&now, (void *)(uintptr_t)args[i], 8);
        if ((writes_object(p, args[i]) && now == call->before[i] && now) ||
            (has_failed(m, result) && (p->dir & DIR_WRITE) && p->kind == KIND_P &&
             p->elem == KIND_S && !schema_structs[p->type].plain))
            known[i] = 0;
    }
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

void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args)
{
    const struct schema_method_row *m = &schema_methods[method];
    call->number = scratch.depth == 0 && recorder_is_open() ? recorder_next_call() : 0;
    call->method = method;
    call->self = object_at(self);
    if (scratch.depth++ == 0) {
        if (!scratch.arena)
            scratch.arena = codec_arena_create();
        else if (m->takes_objects)
            codec_arena_reset(scratch.arena);
    }
    if (!m->flat)
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
    scratch.depth--;
    if (!m->flat)
        wrap_written(call, m, args);
    if (call->method == METHOD_IUnknown_Release && result == 0 && call->self)
        object_is_gone(call->self);
    if (!call->number)
        return;
    if (leaves_nothing(m))
        recorder_left(call->number);
    else
        record_leave(call, m, args, result, structure);
    memory_after(call, args, result);
}
