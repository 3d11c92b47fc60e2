#include "record.h"

#include "../../intercept/d3d12.h"
#include "../../intercept/resource.h"
#include "../../intercept/runtime.h"
#include "../../intercept/unknown.h"
#include "mapping.h"
#include "memory.h"
#include "os_handle.h"
#include "reach.h"
#include "recorder.h"
#include "shared.h"

#include <string.h>

/* Per thread: the call that the thread makes, and the buffers that calls are encoded in. */
struct scratch {
    struct recorded call;
    bool is_plain; /* only the call's arguments are recorded */
    struct codec_bytes bytes;
    struct codec_arena *arena;
    unsigned pauses;
};
static _Thread_local struct scratch scratch;

static uint64_t number_of(void *user, void *pointer)
{
    (void)user;
    return object_number(pointer);
}

/* A pointer that the runtime wrote may point to an object that is gone. */
static uint64_t number_of_written(void *user, void *pointer)
{
    (void)user;
    return object_number_of_address(pointer);
}

/* Returns a handle's number. A value that is no handle must be no handle in replay either. */
static uint64_t handle_of(uint64_t handle)
{
    return os_has_handle(handle) ? handle : UINT64_MAX;
}

static uint64_t box_size(void *user, const struct schema_method_row *m, const uint64_t *args)
{
    const struct recorded *call = user;
    (void)m;
    return resource_box_size(call->method, call->self->real, args);
}

/* ---- records ---- */

static void record_enter(struct recorded *call, const struct schema_method_row *m,
                         const uint64_t *args)
{
    struct codec_out out = {.bytes = scratch.bytes,
                            .wchar_size = CAPTURE_WCHAR_SIZE,
                            .object = number_of,
                            .user = call,
                            .box = box_size,
                            .handle = call->method == METHOD_ID3D12Device_OpenSharedHandle
                                          ? shared_original
                                          : handle_of};
    const uint64_t self = call->self ? call->self->more->number : 0;
    out.bytes.size = 0;
    out.bytes.failed = false;
    codec_bytes_add(&out.bytes, &self, sizeof self);
    codec_encode(&out, m, args, false);
    scratch.bytes = out.bytes;
    if (out.refused && unknown_is_passed()) /* otherwise the call is refused, with a message */
        recorder_say(out.refused, m->name);
    if (out.bytes.failed) {
        recorder_say("the arguments are too large, or memory ran out: the call is not recorded",
                     m->name);
        call->number = 0;
        return;
    }
    recorder_add(RECORD_ENTER, call->number, m->digest, m->count + 1, out.bytes.data,
                 out.bytes.size, NULL, 0);
}

/* A structure that the runtime wrote, at the beginning of `from`'s bytes, with the data behind its
 * pointers. Pointers become offsets and padding becomes zero, so that equal answers make equal
 * records. */
static void put_offsets(uint8_t *to, const uint8_t *from, const uint8_t *base, uint16_t type)
{
    const struct schema_struct *s = &schema_structs[type];
    memset(to, 0, s->size);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        uint64_t word = 0;
        if (f->kind == KIND_S) {
            put_offsets(to + f->offset, from + f->offset, base, f->type);
            continue;
        }
        memcpy(&word, from + f->offset, f->size);
        if (f->kind > KIND_SCALARS && word)
            word -= (uint64_t)(uintptr_t)base;
        memcpy(to + f->offset, &word, f->size);
    }
}

static uint64_t without_addresses(uint16_t type, uint64_t bytes, uint64_t size_place)
{
    uint64_t size = 0;
    memcpy(&size, (void *)(uintptr_t)size_place, sizeof size);
    uint8_t *copy =
        size >= schema_structs[type].size ? codec_arena_take(scratch.arena, size) : NULL;
    if (!copy)
        return bytes;
    const uint8_t *from = (const uint8_t *)(uintptr_t)bytes;
    memcpy(copy, from, size);
    put_offsets(copy, from, from, type);
    return (uint64_t)(uintptr_t)copy;
}

/* Whether a failed call left memory unwritten: the memory then has the program's old bytes, with
 * pointers that may lead nowhere. */
static bool is_left_unwritten(const struct call *made, const struct schema_method_row *m,
                              uint32_t i, const uint64_t *args, uint64_t result)
{
    const struct schema_value *p = &schema_params[m->first + i];
    uint64_t now = 0;
    if (call_writes_object(p, args[i])) {
        memcpy(&now, (void *)(uintptr_t)args[i], 8);
        return now && !(made->wrapped >> i & 1);
    }
    return schema_has_failed(m, result) && p->kind == KIND_P &&
           (p->dir == DIR_WRITE ||
            ((p->dir & DIR_WRITE) && p->elem == KIND_S && !schema_structs[p->type].plain));
}

static bool reads_filter(uint16_t method)
{
    return method == METHOD_ID3D12InfoQueue_GetStorageFilter ||
           method == METHOD_ID3D12InfoQueue_GetRetrievalFilter;
}

static void record_leave(struct recorded *call, const struct call *made, const uint64_t *args,
                         uint64_t result, const void *structure)
{
    struct codec_out out = {.bytes = scratch.bytes,
                            .wchar_size = CAPTURE_WCHAR_SIZE,
                            .object = number_of_written,
                            .user = call,
                            .box = box_size,
                            .handle = handle_of};
    const struct schema_method_row *m = &schema_methods[call->method];
    out.has_failed = schema_has_failed(m, result);
    const bool is_pointer = m->result.kind == KIND_P || m->result.kind == KIND_X ||
                            m->result.kind == KIND_W || m->result.kind == KIND_Z;
    uint64_t words[2] = {recorder_last_call(), is_pointer ? result != 0 : result};
    uint64_t known[CODEC_ARGS];
    out.bytes.size = 0;
    out.bytes.failed = false;
    codec_bytes_add(&out.bytes, words, sizeof words);
    memcpy(known, args, m->count * sizeof *known);
    for (uint32_t i = 0; i < m->count; i++)
        if (is_left_unwritten(made, m, i, args, result))
            known[i] = 0;
    if (call->method == METHOD_ID3D12PipelineLibrary_Serialize) { /* the rest is the program's */
        const uint64_t size = resource_library_size(call->self->real);
        known[1] = size < known[1] ? size : known[1];
    }
    if (call->method == METHOD_ID3D12InfoQueue_GetMessage && known[1] && known[2] && scratch.arena)
        known[1] = without_addresses(TYPE_D3D12_MESSAGE, known[1], known[2]);
    if (reads_filter(call->method) && known[0] && known[1] && scratch.arena)
        known[0] = without_addresses(TYPE_D3D12_INFO_QUEUE_FILTER, known[0], known[1]);
    codec_encode(&out, m, known, true);
    const bool is_identifier =
        m->result.kind == KIND_X && m->result.type == TYPE_D3D12_PROGRAM_IDENTIFIER;
    if (is_identifier)
        structure = (const void *)(uintptr_t)result;
    if (structure && (m->result.kind == KIND_S || is_identifier))
        codec_add_struct(&out, m->result.type, structure);
    scratch.bytes = out.bytes;
    if (!out.bytes.failed)
        recorder_add(RECORD_LEAVE, call->number, m->digest, m->count + 2, out.bytes.data,
                     out.bytes.size, NULL, 0);
}

/* ---- the call ---- */

/* Records most calls on lists: their words are the arguments, and objects are numbers. */
static void enter_plain(const struct schema_method_row *m, const uint64_t *args)
{
    uint64_t words[1 + CODEC_ARGS];
    words[0] = scratch.call.self->more->number;
    for (uint32_t i = 0; i < m->count; i++) {
        words[1 + i] = args[i];
        if (schema_params[m->first + i].kind != KIND_O || !args[i])
            continue;
        void *pointer = (void *)(uintptr_t)args[i];
        const struct object *given = object_at(pointer);
        words[1 + i] = given ? given->more->number : object_number(pointer);
    }
    recorder_add(RECORD_ENTER, scratch.call.number, m->digest, m->count + 1, words,
                 (m->count + 1) * sizeof *words, NULL, 0);
}

static void enter(struct call *made, const uint64_t *args)
{
    const struct schema_method_row *m = &schema_methods[made->method];
    struct recorded *call = &scratch.call;
    if (made->depth) { /* the runtime has no wrapper, so the program made this call */
        if (made->self && !scratch.pauses && strcmp(m->iface, "IUnknown") != 0)
            recorder_say("the program made this call in a callback, so the call is not recorded",
                         m->name);
        return;
    }
    call->method = made->method;
    call->self = made->self;
    call->number = 0;
    if (scratch.pauses || !recorder_is_open())
        return;
    if (reach_methods[made->method])
        reach_note(made->method, made->self, args);
    scratch.is_plain = m->is_plain && made->is_simple;
    if (scratch.is_plain) {
        call->number = recorder_next_call();
        enter_plain(m, args);
        return;
    }
    memory_number(call);
    if (made->method == METHOD_ID3D12InfoQueue_GetMessage || reads_filter(made->method)) {
        if (!scratch.arena)
            scratch.arena = codec_arena_create();
        else
            codec_arena_reset(scratch.arena);
    }
    memory_before(call, args);
    record_enter(call, m, args);
}

static void leave(struct call *made, const uint64_t *args, uint64_t *result, void *structure)
{
    struct recorded *call = &scratch.call;
    if (made->depth || !call->number)
        return;
    if (scratch.is_plain || !schema_methods[made->method].leaves_record)
        recorder_left(call->number);
    else
        record_leave(call, made, args, *result, structure);
    if (!scratch.is_plain)
        memory_after(call, args, *result);
    call->number = 0;
}

/* Records a successful call that the program did not make; `last` is its last parameter, to which
 * `object` was written. */
static void record_other(uint16_t method, struct object *self, const uint64_t *args, uint32_t last)
{
    struct recorded call = {.method = method, .self = self};
    const struct call made = {.wrapped = 1u << last};
    memory_number(&call);
    record_enter(&call, &schema_methods[method], args);
    if (call.number)
        record_leave(&call, &made, args, 0, NULL);
}

/* For replay a swap chain's buffer is a texture that the program creates, and each further
 * reference is a QueryInterface. */
static void given(struct object *device, struct object *given, bool is_new)
{
    static const D3D12_HEAP_PROPERTIES heap = {.Type = D3D12_HEAP_TYPE_DEFAULT};
    const bool is_buffer = object_is(given, TYPE_ID3D12Resource);
    const uint16_t type = is_buffer ? TYPE_ID3D12Resource : TYPE_ID3D12Device;
    const uint64_t iid = (uintptr_t)iid_of(type);
    void *out = given;
    if (scratch.pauses || !recorder_is_open() || (!is_buffer && !object_is(given, type)))
        return;
    if (is_buffer && is_new) {
        const D3D12_RESOURCE_DESC desc = resource_desc_of(given->real);
        const uint64_t args[CODEC_ARGS] = {
            (uintptr_t)&heap, 0, (uintptr_t)&desc, D3D12_RESOURCE_STATE_PRESENT, 0, iid,
            (uintptr_t)&out};
        record_other(METHOD_ID3D12Device_CreateCommittedResource, device, args, 6);
    } else {
        const uint64_t args[CODEC_ARGS] = {iid, (uintptr_t)&out};
        record_other(METHOD_IUnknown_QueryInterface, given, args, 1);
    }
}

static unsigned wants(uint16_t method)
{
    (void)method;
    return CALL_ENTER | CALL_LEAVE;
}

static void unknown(const char *text)
{
    recorder_say(text, NULL);
}

static uint64_t current_call(void)
{
    return scratch.call.number;
}

static bool open(const char *runtime_path)
{
    void (*count)(uint64_t(*)(void));
    void *found = runtime_function("annot_set_call_counter");
    memcpy(&count, &found, sizeof found);
    if (!recorder_open(runtime_path, mapping_open()))
        return false;
    if (found)
        count(current_call);
    return true;
}

const struct client record_client = {
    .open = open,
    .wants = wants,
    .enter = enter,
    .leave = leave,
    .unknown = unknown,
    .given = given,
    .lacks_memory = unknown,
    .close = recorder_close,
    .notes = OBJECT_NOTE_RECORDER,
};

/* ---- functions for a replayer that is recorded ---- */

/* For replay's own calls: this thread's calls between on = 1 and on = 0 are made, but not recorded.
 * Use both calls in pairs. */
RECORD_EXPORT void annot_capture_pause(int on)
{
    scratch.pauses += on ? 1u : -1u;
}

/* Records the next call with this number and thread. `behind`: the newest call that had begun when
 * the call returned. */
RECORD_EXPORT void annot_capture_as(uint32_t thread, uint64_t call, uint64_t behind)
{
    recorder_imitate(thread, call, behind);
}
