#include "call.h"

#include "d3d12.h"
#include "held.h"
#include "swap_chain.h"
#include "unknown.h"
#include "written.h"

#include <errno.h>
#include <string.h>

/* Per thread: the memory of replaced arguments, and the number of calls that the thread is in. */
struct scratch {
    struct codec_bytes copied;
    struct codec_arena *arena;
    struct codec_arena *spare; /* NULL: this thread doesn't use the spare memory */
    unsigned depth;
};
static _Thread_local struct scratch scratch;

/* The needs of a method: for each of enum call_wants a bit for each client, in this order.
 * NEEDS_MORE: the method isn't simple. NEEDS_COPIES: it isn't simple because of objects behind its
 * arguments. */
enum {
    WANTS = 4,
    EACH_CLIENT = (1 << CALL_CLIENTS) - 1,
    NEEDS_MORE = 1 << WANTS * CALL_CLIENTS,
    NEEDS_COPIES = NEEDS_MORE | NEEDS_MORE << 1 /* and nothing else */
};
_Atomic uint16_t call_ways[SCHEMA_METHODS];
client_direct *call_direct[SCHEMA_METHODS];

static const struct client *clients[CALL_CLIENTS];

static uint64_t real_of(void *user, void *pointer)
{
    (void)user;
    return (uint64_t)(uintptr_t)object_real(pointer);
}

/* ---- arguments for the runtime ---- */

/* Whether the runtime may keep and return the pointer; then it gets the program's wrapper. */
static bool keeps_wrapper(uint16_t method)
{
    return method == METHOD_ID3D12Object_SetPrivateDataInterface;
}

/* Memory for copies when no other memory is left; one call at a time uses this memory. Pages that
 * are never written cost nothing. */
enum { SPARE_ROOM = 1 << 20 };
static struct spare {
    _Alignas(16) uint8_t copies[SPARE_ROOM], encoded[SPARE_ROOM];
} spare;
static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
HELD_AT_FORK(spare_lock)

static void take_spare(struct call *call)
{
    if (scratch.spare)
        return;
    pthread_mutex_lock(&spare_lock);
    scratch.spare = codec_arena_over(spare.copies, sizeof spare.copies);
    call->has_spare = true;
}

static void give_spare(struct call *call)
{
    if (!call->has_spare)
        return;
    codec_arena_reset(scratch.spare);
    scratch.spare = NULL;
    pthread_mutex_unlock(&spare_lock);
}

/* Leaves out an argument that is too large for the spare memory. If the call can fail, it fails. */
static void leave_out(struct call *call, const struct schema_method_row *m, uint32_t i,
                      uint64_t *args)
{
    const struct schema_value *p = &schema_params[m->first + i];
    call->refusal = m->result.kind == KIND_R ? (uint32_t)E_OUTOFMEMORY : 0;
    args[i] = 0;
    if (p->count == COUNT_MEMBER)
        args[p->count_of] = 0;
    for (unsigned k = 0; k < CALL_CLIENTS; k++)
        if (clients[k])
            clients[k]->lacks_memory("out of memory: a call got NULL instead of an argument that "
                                     "has objects");
}

/* Copies data; `bytes` is for a description. *refused: a part of the data is unknown. */
static uint64_t copy_deep(struct codec_arena *arena, struct codec_bytes *bytes,
                          const char **refused, const struct schema_method_row *m, uint32_t i,
                          const uint64_t *args)
{
    struct codec_out out = {
        .bytes = *bytes, .wchar_size = CAPTURE_WCHAR_SIZE, .object = real_of, .raw = true};
    struct codec_in in = {.arena = arena, .wchar_size = CAPTURE_WCHAR_SIZE, .raw = true};
    const uint64_t copy = codec_copy(&out, &in, m, i, args);
    *bytes = out.bytes;
    *refused = out.refused;
    return copy;
}

/* Prepares the thread's arena. Its memory is used until the thread's next outermost call. */
static void prepare_arena(struct call *call)
{
    if (!scratch.arena)
        scratch.arena = codec_arena_create();
    else if (call->depth == 0 && !call->uses_arena)
        codec_arena_reset(scratch.arena);
    call->uses_arena = true;
}

/* Copies data. False: out of memory. 0: an impossible size, which the runtime reports. */
static bool copy_into(struct codec_arena *arena, struct codec_bytes *bytes, const char **refused,
                      const struct schema_method_row *m, uint32_t i, const uint64_t *args,
                      uint64_t *copy)
{
    const struct schema_value *params = &schema_params[m->first], *p = &params[i];
    errno = arena ? 0 : ENOMEM;
    *copy = 0;
    if (arena)
        *copy = codec_is_shallow(p) ? codec_copy_shallow(arena, p, codec_count(params, p, args),
                                                         args[i], real_of, NULL)
                                    : copy_deep(arena, bytes, refused, m, i, args);
    return errno != ENOMEM && !(bytes->is_fixed && bytes->failed);
}

static void replace_in_arena(struct call *call, const struct schema_method_row *m, uint32_t i,
                             uint64_t *args)
{
    const char *refused = NULL;
    uint64_t copy;
    prepare_arena(call);
    if (!copy_into(scratch.arena, &scratch.copied, &refused, m, i, args, &copy)) {
        struct codec_bytes encoded = {
            .data = spare.encoded, .capacity = sizeof spare.encoded, .is_fixed = true};
        take_spare(call);
        if (!copy_into(scratch.spare, &encoded, &refused, m, i, args, &copy)) {
            leave_out(call, m, i, args);
            return;
        }
    }
    if (copy)
        args[i] = copy;
    if (refused && unknown_part(m->name, refused) && m->result.kind == KIND_R)
        call->refusal = (uint32_t)E_INVALIDARG; /* objects may be behind the unknown part */
}

/* Replaces objects in the room. False: no room, or objects behind further pointers. */
static bool replace_in_room(struct call *call, const struct schema_value *params,
                            const struct schema_value *p, uint64_t *args, uint64_t *arg)
{
    const uint64_t count = codec_count(params, p, args);
    uint64_t *copy = &call->room[call->room_used];
    if (!codec_is_shallow(p) || count > CALL_ROOM)
        return false;
    const size_t words = ((size_t)count * p->elem_size + sizeof *copy - 1) / sizeof *copy;
    if (words > CALL_ROOM - call->room_used)
        return false;
    call->room_used += (uint32_t)words;
    if (p->elem == KIND_O)
        for (uint64_t i = 0; i < count; i++)
            copy[i] = (uintptr_t)object_real(((void *const *)(uintptr_t)*arg)[i]);
    else
        codec_copy_into(copy, p, count, *arg, real_of, NULL);
    *arg = (uintptr_t)copy;
    return true;
}

/* Copies the data behind pointers, with the runtime's objects. False: the room is too small, and
 * `may_take_arena` is false. */
static bool replace_behind(struct call *call, const struct schema_method_row *m, uint64_t *args,
                           bool may_take_arena)
{
    const struct schema_value *params = &schema_params[m->first];
    for (uint32_t i = 0, left = m->behind; left; i++, left >>= 1) {
        if (!(left & 1) || !args[i] || replace_in_room(call, params, &params[i], args, &args[i]))
            continue;
        if (!may_take_arena)
            return false;
        replace_in_arena(call, m, i, args);
    }
    return true;
}

static inline void replace_words(const struct schema_method_row *m, uint64_t *args)
{
    for (uint32_t i = 0, left = m->objects; left; i++, left >>= 1)
        if (left & 1)
            args[i] = (uint64_t)(uintptr_t)object_real((void *)(uintptr_t)args[i]);
}

/* ---- results for the program ---- */

bool call_writes_object(const struct schema_value *p, uint64_t arg)
{
    return p->elem == KIND_O && (p->dir & DIR_WRITE) && arg;
}

/* Gives the runtime other variables than the program's. Values in the program's variables prove
 * nothing: a new object may have the address of an old one, or the call may write no object. */
static void give_places(struct call *call, const struct schema_method_row *m, uint64_t *args)
{
    for (uint32_t i = 0, left = m->written; left; i++, left >>= 1) {
        call->variables[i] = args[i];
        if (!(left & 1) || !call_writes_object(&schema_params[m->first + i], args[i]))
            continue;
        call->places[i] = &call->places[i];
        args[i] = (uintptr_t)&call->places[i];
    }
}

static bool is_creation(const struct schema_method_row *m)
{
    return strncmp(m->name, "Get", 3) != 0 && strcmp(m->name, "QueryInterface") != 0;
}

static void tell_unknown(const char *text)
{
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (clients[i])
            clients[i]->unknown(text);
}

/* Replaces the runtime's answer by a refusal. */
static void *refuse(void *real, uint64_t *result, HRESULT code)
{
    object_release(real);
    *result = (uint32_t)code;
    return NULL;
}

/* Wraps the object that the runtime wrote into this place, for the program. */
static void *wrap_place(struct call *call, const struct schema_method_row *m, uint32_t i,
                        const uint64_t *args, uint64_t *result)
{
    void *real = call->places[i];
    if (!real)
        return NULL;
    call->wrapped |= 1u << i;
    if (call->method == METHOD_NONE_emu_adapter_create) {
        object_forget_foreign(real); /* a new object, which is not D3D12's */
        return real;
    }
    const uint16_t type = codec_written_type(m, i, args);
    if (type == TYPE_NONE && !object_at(real) &&
        unknown_interface((const uint8_t *)(uintptr_t)args[i - 1]))
        return refuse(real, result, E_NOINTERFACE);
    /* If no wrapper can be made, the call fails, because the program would pass wrappers to the
     * runtime's object. */
    void *wrapped = object_wrap(real, type, is_creation(m));
    if (m->result.kind == KIND_R && type != TYPE_NONE && !object_at(wrapped))
        return refuse(real, result, E_OUTOFMEMORY);
    if (call->method == METHOD_NONE_D3D12CreateDevice ||
        call->method == METHOD_ID3D12DeviceFactory_CreateDevice)
        swap_chain_open();
    return wrapped;
}

static void wrap_written(struct call *call, const struct schema_method_row *m, uint64_t *args,
                         uint64_t *result)
{
    for (uint32_t i = 0, left = m->written; left; i++, left >>= 1) {
        const struct schema_value *p = &schema_params[m->first + i];
        if (!(left & 1))
            continue;
        if (p->elem == KIND_S && args[i] && !schema_has_failed(m, *result))
            written_wrap(p->type, (uint8_t *)(uintptr_t)args[i]);
        if (!call_writes_object(p, args[i]))
            continue;
        args[i] = call->variables[i];
        if (call->refusal)
            call->places[i] = NULL; /* D3D12 also clears the variable of a failed creation */
        if (call->places[i] == &call->places[i])
            continue;
        void *wrapped = wrap_place(call, m, i, args, result);
        memcpy((void *)(uintptr_t)args[i], &wrapped, sizeof wrapped);
    }
}

/* ---- the clients that are told ---- */

static unsigned needs_of(uint16_t method)
{
    const struct schema_method_row *m = &schema_methods[method];
    if (method >= SCHEMA_EXPORT_FIRST || m->owner == TYPE_IUnknown || m->written ||
        keeps_wrapper(method))
        return NEEDS_MORE;
    return m->behind ? NEEDS_COPIES : 0;
}

static void tell_gone(const uintptr_t *notes)
{
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (clients[i] && clients[i]->gone && notes[clients[i]->notes])
            clients[i]->gone(notes[clients[i]->notes]);
}

void call_open(const object_slot *const *tables, const struct client *const *wanted, unsigned count)
{
    object_open(tables, tell_gone);
    for (unsigned i = 0; i < count; i++)
        clients[i] = wanted[i];
    unknown_open(tell_unknown);
    for (uint16_t method = 0; method < SCHEMA_METHODS; method++) {
        unsigned way = needs_of(method);
        for (unsigned i = 0; i < count; i++) {
            const unsigned wants = clients[i]->wants(method);
            for (unsigned what = 0; what < WANTS; what++)
                way |= (wants >> what & 1) << (what * CALL_CLIENTS + i);
        }
        atomic_store_explicit(&call_ways[method], (uint16_t)way, memory_order_relaxed);
        for (unsigned i = 0; i < count; i++)
            if ((way & ~(unsigned)CALL_WAYS_FAILED) == 1u << i && !schema_methods[method].objects &&
                schema_methods[method].count <= CALL_DIRECT_WORDS && clients[i]->direct)
                call_direct[method] = clients[i]->direct(method);
    }
}

void call_want_enter(uint16_t method, const struct client *client)
{
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (clients[i] == client)
            atomic_fetch_or_explicit(&call_ways[method], (uint16_t)(1u << i), memory_order_relaxed);
}

static void tell_enter(struct call *call, const uint64_t *args)
{
    for (unsigned i = 0, told = call->way & EACH_CLIENT; told; i++, told >>= 1)
        if (told & 1)
            clients[i]->enter(call, args);
}

static void tell_pass(struct call *call, uint64_t *args)
{
    for (unsigned i = 0, told = call->way >> 2 * CALL_CLIENTS & EACH_CLIENT; told; i++, told >>= 1)
        if (told & 1)
            clients[i]->pass(call, args);
}

void call_given(struct object *device, struct object *given, bool is_new)
{
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (clients[i] && clients[i]->given)
            clients[i]->given(device, given, is_new);
}

/* ---- the call ---- */

static void count_references(struct call *call)
{
    if (call->method == METHOD_IUnknown_AddRef)
        object_add_reference(call->self);
    if (call->method == METHOD_IUnknown_Release)
        object_release_reference(call->self);
}

void call_enter(struct call *call, uint16_t method, void *self, uint64_t *args)
{
    const struct schema_method_row *m = &schema_methods[method];
    uint16_t way = atomic_load_explicit(&call_ways[method], memory_order_relaxed);
    if (self && object_is_forgotten(self))
        way &= NEEDS_COPIES; /* no client is told */
    call->way = way;
    call->room_used = 0;
    call->refusal = 0;
    if (!way || (way == NEEDS_COPIES && replace_behind(call, m, args, false))) {
        replace_words(m, args);
        call->way = 0;
        return;
    }
    call->method = method;
    call->is_simple = !(way & NEEDS_MORE);
    call->self = self;
    call->depth = scratch.depth++;
    call->wrapped = 0;
    call->uses_arena = call->has_spare = false;
    if (call->is_simple) {
        tell_enter(call, args);
        replace_words(m, args);
        tell_pass(call, args);
        return;
    }
    tell_enter(call, args);
    give_places(call, m, args);
    count_references(call);
    if (!keeps_wrapper(method)) {
        replace_words(m, args);
        replace_behind(call, m, args, true);
    }
    tell_pass(call, args);
}

unsigned call_depth(void)
{
    return scratch.depth;
}

void call_failed(uint16_t method, struct object *self, uint64_t result)
{
    const unsigned way = atomic_load_explicit(&call_ways[method], memory_order_relaxed);
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (way & CALL_WAYS_FAILED & 1u << (3 * CALL_CLIENTS + i))
            clients[i]->failed(self, method, result);
}

void call_leave_told(struct call *call, uint64_t *args, uint64_t *result, void *structure)
{
    const unsigned told = call->way >> CALL_CLIENTS & EACH_CLIENT;
    const struct schema_method_row *m = &schema_methods[call->method];
    scratch.depth--;
    if (call->refusal)
        *result = call->refusal;
    wrap_written(call, m, args, result);
    if (schema_has_failed(m, *result))
        call_failed(call->method, call->self, *result);
    for (unsigned i = CALL_CLIENTS; i-- > 0;)
        if (told >> i & 1)
            clients[i]->leave(call, args, result, structure);
    for (unsigned i = 0; i < CALL_CLIENTS; i++)
        if (told >> i & 1 && clients[i]->answer)
            clients[i]->answer(call, args, result);
    if (!call->is_simple)
        give_spare(call);
    if (call->method == METHOD_IUnknown_Release)
        object_released(call->self, *result == 0);
}
