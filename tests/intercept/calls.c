/* Each method of each interface, called through its wrapper: the runtime gets the arguments with
 * its own objects in them, the program gets the results with wrappers in them, and each client is
 * told of the parts that it asked for [ANN-TRACE-01, ANN-D3D-03]. */
#include "fake.h"

#include <intercept/call.h>
#include <intercept/d3d12.h>
#include <intercept/unknown.h>
#include <intercept/wrap.h>

#include "asserts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEHIND = 4096 };
static const uint32_t succeeded = 0x01020304, failure = 0x80070057;

/* ---- one call, and what is right of it ---- */

static struct {
    uint16_t method;
    const struct schema_method_row *m;
    struct object *self;
    uint64_t given[CODEC_ARGS], right[CODEC_ARGS]; /* to the program and to the runtime */
    _Alignas(16) uint8_t memory[CODEC_ARGS][BEHIND], should[CODEC_ARGS][BEHIND];
    uint8_t kept[CODEC_ARGS][BEHIND]; /* the program's memory before the call */
    size_t compared[CODEC_ARGS];      /* bytes behind what the runtime gets */
    struct fake *written[CODEC_ARGS];
    uint16_t written_type[CODEC_ARGS];
    uint64_t result; /* of the runtime */
    char log[64];
} play;

static const uint8_t fence_iid[16] = {0xcf, 0x3d, 0x75, 0x0a, 0xd8, 0xc4, 0x91, 0x4b,
                                      0xad, 0xf6, 0xbe, 0x5a, 0x60, 0xd9, 0x5a, 0x76};

static const char *named(void)
{
    static char name[128];
    snprintf(name, sizeof name, "%s::%s", play.m->iface, play.m->name);
    return name;
}

static void log_add(const char *what, int client)
{
    const size_t used = strlen(play.log);
    snprintf(play.log + used, sizeof play.log - used, client < 0 ? "%s" : "%s%d", what, client);
}

static struct object *wrapper_of(uint16_t type)
{
    const uint16_t newest = type_newest(type);
    struct object *wrapper = object_wrap(fake_create(newest), newest, true);
    cr_assert(object_at(wrapper) == wrapper);
    return wrapper;
}

static uint64_t low_bytes(uint64_t word, size_t size)
{
    return size >= 8 ? word : word & ((1ull << size * 8) - 1);
}

static uint64_t pattern(uint32_t i, size_t size)
{
    return low_bytes(0x0807060504030201u * 3 + i * 0x0101010101010101u, size);
}

static void store_in(uint8_t *memory, uint64_t word, size_t size)
{
    memcpy(memory, &word, size);
}

/* What the parameter counts; NULL: nothing. */
static const struct schema_value *counted_by(uint32_t i, uint8_t how)
{
    for (uint32_t k = 0; k < play.m->count; k++) {
        const struct schema_value *p = &schema_params[play.m->first + k];
        if (p->count == how && p->count_of == (int)i)
            return p;
    }
    return NULL;
}

/* Puts an object into each place of a structure: of two for one union, into the first. */
static void fill_objects(const struct schema_struct *s, uint8_t *memory, uint8_t *should)
{
    uint32_t used[8], used_count = 0;
    for (uint32_t i = 0; i < s->place_count; i++) {
        const struct schema_place *place = &schema_places[s->first_place + i];
        bool is_used = false;
        for (uint32_t k = 0; k < used_count; k++)
            is_used |= place->selector != SCHEMA_ALWAYS && used[k] == place->selector;
        if (is_used || used_count == 8)
            continue;
        used[used_count++] = place->selector;
        struct object *object = wrapper_of(TYPE_IUnknown);
        store_in(memory + place->offset, (uintptr_t)object, 8);
        store_in(should + place->offset, (uintptr_t)object->real, 8);
        if (place->selector != SCHEMA_ALWAYS) {
            store_in(memory + place->selector, (uint32_t)place->low, 4);
            store_in(should + place->selector, (uint32_t)place->low, 4);
        }
    }
}

static void fill_behind(const struct schema_value *p, uint32_t i)
{
    const uint32_t count = p->count == COUNT_FIXED ? (uint32_t)p->count_of
                           : p->count == COUNT_MEMBER || p->count == COUNT_DEREF ? 2 * p->multiplier
                                                                                 : 1;
    play.compared[i] = (size_t)count * p->elem_size;
    cr_assert(play.compared[i] <= BEHIND);
    for (uint32_t k = 0; k < count; k++) {
        uint8_t *memory = play.memory[i] + k * p->elem_size;
        uint8_t *should = play.should[i] + k * p->elem_size;
        if (p->elem == KIND_S) {
            fill_objects(&schema_structs[p->type], memory, should);
            continue;
        }
        struct object *object = wrapper_of(p->type);
        store_in(memory, (uintptr_t)object, 8);
        store_in(should, (uintptr_t)object->real, 8);
    }
}

/* The interface that the runtime writes: the type of the parameter, or what an IID before it is. */
static uint16_t type_written(uint32_t i)
{
    const uint16_t type = schema_params[play.m->first + i].type;
    if (type != TYPE_IUnknown)
        return type;
    for (uint32_t k = 0; k < i; k++)
        if (schema_params[play.m->first + k].elem == KIND_G)
            return TYPE_ID3D12Fence;
    return TYPE_NONE;
}

static void give(uint32_t i)
{
    const struct schema_value *p = &schema_params[play.m->first + i];
    const size_t size = fake_size(play.method, i);
    play.given[i] = play.right[i] = (uintptr_t)play.memory[i];
    if (p->kind == KIND_O) {
        struct object *object = wrapper_of(p->type);
        play.given[i] = (uintptr_t)object;
        play.right[i] = (uintptr_t)object->real;
        if (play.method == METHOD_ID3D12Object_SetPrivateDataInterface)
            play.right[i] = play.given[i]; /* the program gets it back as it is */
    } else if (play.m->behind >> i & 1) {
        fill_behind(p, i);
    } else if (call_writes_object(p, 1)) {
        store_in(play.memory[i], 0x1122334455667788u, 8); /* anything may stand there, and the
                                                              runtime gets a place of the layer's */
        play.written_type[i] = type_written(i);
    } else if (p->kind == KIND_P && p->elem == KIND_G) {
        memcpy(play.memory[i], fence_iid, sizeof fence_iid);
    } else if (counted_by(i, COUNT_DEREF)) {
        store_in(play.memory[i] + counted_by(i, COUNT_DEREF)->offset, 2, 4);
    } else if (size > 8) {
        memset(play.memory[i], 0x40 + (int)i, size);
        memcpy(play.should[i], play.memory[i], size);
        play.compared[i] = size;
    } else if (p->kind != KIND_P && p->kind != KIND_Z && p->kind != KIND_W) {
        play.given[i] = play.right[i] = counted_by(i, COUNT_MEMBER) ? 2 : pattern(i, size);
    }
}

/* Bytes between the members of a structure by value have no meaning. */
static bool has_members(const struct schema_struct *s, const uint8_t *there, const uint8_t *should)
{
    bool all = true;
    for (uint32_t i = s->first; i < s->first + s->count; i++)
        all &= memcmp(there + schema_fields[i].offset, should + schema_fields[i].offset,
                      schema_fields[i].size) == 0;
    return all;
}

/* Copies of what has objects behind it may differ in pointers that lead into the copy. */
static void check_arrived(const uint64_t *args)
{
    for (uint32_t i = 0; i < play.m->count; i++) {
        if (call_writes_object(&schema_params[play.m->first + i], args[i])) {
            cr_assert(args[i] != play.right[i], "%s: parameter %u is the program's", named(), i);
            continue;
        }
        if (!play.compared[i]) {
            cr_assert_eq(args[i], play.right[i], "%s: parameter %u", named(), i);
            continue;
        }
        if (fake_size(play.method, i) <= 8)
            cr_assert(args[i] != play.given[i], "%s: parameter %u is the program's", named(), i);
        const uint8_t *there = (const uint8_t *)(uintptr_t)args[i];
        cr_assert(fake_size(play.method, i) > 8
                      ? has_members(&schema_structs[schema_params[play.m->first + i].type], there,
                                    play.should[i])
                      : memcmp(there, play.should[i], play.compared[i]) == 0,
                  "%s: behind parameter %u", named(), i);
    }
}

static bool fails(void)
{
    return play.m->has_result && play.m->result.kind == KIND_R && (int32_t)play.result < 0;
}

static void answer(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    cr_assert_eq(method, play.method, "%s", named());
    cr_assert(self == play.self->real, "%s", named());
    log_add("R", -1);
    check_arrived(args);
    for (uint32_t i = 0; i < play.m->count && !fails(); i++) {
        if (!call_writes_object(&schema_params[play.m->first + i], args[i]))
            continue;
        const uint16_t type = play.written_type[i];
        play.written[i] = fake_create(type_newest(type == TYPE_NONE ? TYPE_ID3D12Fence : type));
        memcpy((void *)(uintptr_t)args[i], &play.written[i], sizeof(void *));
    }
    result->word = play.result;
    memset(result->structure, 0x5a, sizeof result->structure);
}

static void check_memory(void)
{
    for (uint32_t i = 0; i < play.m->count; i++) {
        struct object *now;
        if (!play.written[i]) {
            cr_assert(memcmp(play.memory[i], play.kept[i], BEHIND) == 0,
                      "%s: parameter %u: written", named(), i);
            continue;
        }
        memcpy(&now, play.memory[i], sizeof now);
        if (play.written_type[i] == TYPE_NONE) {
            cr_assert(now == (void *)play.written[i], "%s: parameter %u", named(), i);
            continue;
        }
        cr_assert(object_at(now) && now->real == play.written[i], "%s: parameter %u", named(), i);
        cr_assert(object_is(now, play.written_type[i]), "%s: parameter %u", named(), i);
        cr_assert_eq(object_references(now), 1, "%s: parameter %u", named(), i);
    }
}

/* The same method of the interface's only wrapper. Its objects aren't given back: memory of what is
 * gone stays, and a hundred of each kind are few. */
static void call(uint16_t method, uint64_t result)
{
    struct call_result returned = {0};
    memset(&play, 0, sizeof play);
    play.method = method;
    play.m = &schema_methods[method];
    play.result = result;
    play.self = wrapper_of(play.m->owner);
    for (uint32_t i = 0; i < play.m->count; i++)
        give(i);
    memcpy(play.kept, play.memory, sizeof play.kept);
    fake_answer = answer;
    call_method(method, play.self, play.given, &returned);
    check_memory();
    if (fake_returns_structure(method))
        for (uint32_t i = 0; i < play.m->result.size; i++)
            cr_assert_eq(returned.structure[i], 0x5a, "%s: byte %u of the result", named(), i);
    else if (play.m->has_result)
        cr_assert_eq(returned.word, low_bytes(result, play.m->result.size), "%s: result", named());
}

/* ---- clients ---- */

static unsigned wanted[2];
static bool has_direct;

/* Failures are of methods that return a HRESULT. */
static unsigned wants(int client, uint16_t method)
{
    const bool can_fail = schema_methods[method].result.kind == KIND_R;
    return wanted[client] & ~(can_fail ? 0u : (unsigned)CALL_FAILED);
}
static void told(int client, const char *part, const struct call *of)
{
    log_add(part, client);
    cr_assert_eq(of->method, play.method, "%s", named());
    cr_assert(of->self == play.self && of->depth == 0, "%s", named());
}

static void enter(int client, struct call *of, const uint64_t *args)
{
    told(client, "e", of);
    for (uint32_t i = 0; i < play.m->count; i++)
        if (fake_size(play.method, i) <= 8)
            cr_assert_eq(args[i], play.given[i], "%s: parameter %u", named(), i);
}
static void pass(int client, struct call *of, const uint64_t *args)
{
    told(client, "p", of);
    check_arrived(args);
}

static void leave(int client, struct call *of, uint64_t *result, void *structure)
{
    uint32_t written = 0;
    told(client, "l", of);
    cr_assert_eq(structure != NULL, fake_returns_structure(of->method), "%s", named());
    if (play.m->has_result && !structure)
        cr_assert_eq(*result, low_bytes(play.result, play.m->result.size), "%s", named());
    for (uint32_t i = 0; i < play.m->count; i++)
        written |= (uint32_t)(play.written[i] != NULL) << i;
    cr_assert_eq(of->wrapped, written, "%s", named());
    check_memory();
}
static bool is_any_failure;
static void failed(int client, struct object *self, uint16_t method, uint64_t result)
{
    log_add("f", client);
    cr_assert(self == play.self && method == play.method, "%s", named());
    cr_assert(is_any_failure || (uint32_t)result == failure, "%s", named());
}
static void direct(struct object *self, uint64_t first, uint64_t second, uint64_t third)
{
    const uint64_t words[] = {first, second, third};
    log_add("d", -1);
    cr_assert(self == play.self, "%s", named());
    for (uint32_t i = 0; i < 3; i++)
        if (i >= play.m->count || fake_size(play.method, i) <= 8)
            cr_assert_eq(words[i], i < play.m->count ? play.given[i] : 0, "%s: word %u", named(),
                         i);
}

static bool is_marker(uint16_t method)
{
    const char *name = schema_methods[method].name;
    return !strcmp(name, "BeginEvent") || !strcmp(name, "EndEvent") || !strcmp(name, "SetMarker");
}

/* Others have no place for it. */
static bool is_told_directly(uint16_t method)
{
    return is_marker(method) ||
           (schema_methods[method].has_result && !fake_returns_structure(method));
}

static client_direct *direct_for(uint16_t method)
{
    return has_direct && is_told_directly(method) ? direct : NULL;
}

static unsigned unknown_told, memory_told;

static void unknown(const char *text)
{
    cr_assert(*text);
    unknown_told++;
}

static void untold(const char *text)
{
    (void)text;
}

static void lacks_memory(const char *text)
{
    cr_assert(*text);
    memory_told++;
}

static uintptr_t gone_notes[8];
static unsigned gone_count;

static void gone(uintptr_t note)
{
    gone_notes[gone_count++ % 8] = note;
}

/* The functions of a client with its number; `...`: what only one of them has. */
#define CLIENT(n, ...)                                                                             \
    static unsigned wants_##n(uint16_t method)                                                     \
    {                                                                                              \
        return wants(n, method);                                                                   \
    }                                                                                              \
    static void enter_##n(struct call *of, const uint64_t *args)                                   \
    {                                                                                              \
        enter(n, of, args);                                                                        \
    }                                                                                              \
    static void pass_##n(struct call *of, uint64_t *args)                                          \
    {                                                                                              \
        pass(n, of, args);                                                                         \
    }                                                                                              \
    static void leave_##n(struct call *of, const uint64_t *args, uint64_t *result, void *to)       \
    {                                                                                              \
        (void)args;                                                                                \
        leave(n, of, result, to);                                                                  \
    }                                                                                              \
    static void failed_##n(struct object *self, uint16_t method, uint64_t result)                  \
    {                                                                                              \
        failed(n, self, method, result);                                                           \
    }                                                                                              \
    static const struct client client_##n = {.wants = wants_##n,                                   \
                                             .direct = direct_for,                                 \
                                             .enter = enter_##n,                                   \
                                             .pass = pass_##n,                                     \
                                             .leave = leave_##n,                                   \
                                             .failed = failed_##n,                                 \
                                             .lacks_memory = lacks_memory,                         \
                                             __VA_ARGS__};
CLIENT(0, .unknown = unknown, .gone = gone, .notes = OBJECT_NOTE_CRASH)
CLIENT(1, .unknown = untold, .notes = OBJECT_NOTE_RECORDER)

static void open_clients(unsigned first, unsigned second, bool direct_too)
{
    static const struct client *const both[] = {&client_0, &client_1};
    wanted[0] = first;
    wanted[1] = second;
    has_direct = direct_too;
    schema_init();
    call_open(wrap_tables, both, second ? 2 : first ? 1 : 0);
}

/* IUnknown's methods are the runtime's own answers: object.c has them. */
static void log_is(const char *right)
{
    cr_assert(strcmp(play.log, right) == 0, "%s: %s, not %s", named(), play.log, right);
}

/* With each result; what is told of a call, and of one that failed. NULL: direct_told says. */
static void direct_told(uint16_t method);
static void call_all(const char *right, const char *right_of_failure)
{
    const uint64_t results[] = {0, succeeded, failure};
    for (size_t i = 0; i < 3; i++)
        for (uint16_t method = 0; method < SCHEMA_EXPORT_FIRST; method++) {
            if (schema_methods[method].owner == TYPE_IUnknown)
                continue;
            call(method, results[i]);
            if (right)
                log_is(fails() ? right_of_failure : right);
            else
                direct_told(method);
        }
}

/* ---- the tests ---- */

Test(calls, nobody_is_told_of_pass_arguments_and_results_on)
{
    open_clients(0, 0, false);
    call_all("R", "R");
}

Test(calls, two_clients_are_told_of_all_parts_in_order)
{
    const unsigned all = CALL_ENTER | CALL_LEAVE | CALL_PASS | CALL_FAILED;
    open_clients(all, all, false);
    call_all("e0e1p0p1Rl1l0", "e0e1p0p1Rf0f1l1l0");
}

Test(calls, each_client_is_told_of_the_parts_that_it_wants)
{
    open_clients(CALL_ENTER | CALL_LEAVE, CALL_PASS | CALL_FAILED, false);
    call_all("e0p1Rl0", "e0p1Rf1l0");
}

Test(calls, failures_alone_are_told)
{
    open_clients(CALL_FAILED, 0, false);
    call_all("R", "Rf0");
}

/* Calls with few words, none of them an object, whose results have none. */
static void direct_told(uint16_t method)
{
    const struct schema_method_row *m = &schema_methods[method];
    const bool is_direct =
        is_told_directly(method) && m->count <= 3 && !m->objects && !m->behind && !m->written;
    const int client = wanted[0] ? 0 : 1;
    char right[16];
    snprintf(right, sizeof right, is_direct ? "dR" : "e%dR", client);
    if (fails())
        snprintf(right + strlen(right), 3, "f%d", client);
    log_is(right);
}

Test(calls, a_client_is_told_directly_where_it_can_be)
{
    open_clients(CALL_ENTER | CALL_FAILED, 0, true);
    call_all(NULL, NULL);
}

Test(calls, the_second_client_is_told_directly_too)
{
    open_clients(0, CALL_ENTER | CALL_FAILED, true);
    call_all(NULL, NULL);
}

Test(calls, none_is_direct_that_two_clients_want)
{
    open_clients(CALL_ENTER, CALL_ENTER, true);
    call_all("e0e1R", "e0e1R");
}

Test(calls, a_client_can_want_a_method_later)
{
    open_clients(CALL_FAILED, CALL_FAILED, false);
    call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, succeeded);
    log_is("R");
    call_want_enter(METHOD_ID3D12GraphicsCommandList_DrawInstanced, &client_1);
    call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, succeeded);
    log_is("e1R");
    call_want_enter(METHOD_ID3D12GraphicsCommandList_DrawInstanced, &client_0);
    call(METHOD_ID3D12GraphicsCommandList_DrawInstanced, succeeded);
    log_is("e0e1R");
    call(METHOD_ID3D12GraphicsCommandList_Dispatch, succeeded);
    log_is("R");
}

/* ---- objects that the runtime gives ---- */

static struct fake *handed_out;
static void *handed_pointer;

static void hand_out(uint16_t method, struct fake *self, uint64_t *args, struct call_result *result)
{
    const uint32_t at = method == METHOD_ID3D12Device_CreateFence ? 3 : 1;
    (void)self;
    if (args[at])
        memcpy((void *)(uintptr_t)args[at], &handed_pointer, sizeof handed_pointer);
    result->word = args[at] ? 0 : 1; /* S_FALSE */
}

static void *get(uint16_t method, struct object *self, const uint8_t *iid)
{
    void *out = NULL;
    struct call_result result = {0};
    const uint64_t to = (uintptr_t)&out, of = (uintptr_t)iid;
    const uint64_t create[CODEC_ARGS] = {0, 0, of, to}, query[CODEC_ARGS] = {of, to};
    fake_answer = hand_out;
    call_method(method, self, method == METHOD_ID3D12Device_CreateFence ? create : query, &result);
    cr_assert_eq(result.word, 0);
    return out;
}

static void open_for_objects(void)
{
    open_clients(CALL_FAILED, CALL_FAILED, false);
    handed_pointer = handed_out = fake_create(TYPE_ID3D12Fence1);
}

static void *ask(struct object *device, const uint8_t *iid, uint32_t right)
{
    void *out = NULL;
    struct call_result result = {0};
    const uint64_t args[CODEC_ARGS] = {0, 0, (uintptr_t)iid, (uintptr_t)&out};
    fake_answer = hand_out;
    call_method(METHOD_ID3D12Device_CreateFence, device, args, &result);
    cr_assert_eq(result.word, right);
    return out;
}

/* An interface of a future version, or of another library: the runtime's own object would meet
 * wrappers [ANN-FIELD-02]. */
Test(calls, an_interface_that_is_not_known_is_refused_and_told_of_once)
{
    static const uint8_t none[16] = {1, 2, 3}, other[16] = {4};
    setenv("ANNOT_D3D12_UNKNOWN", "refuse", 1);
    open_for_objects();
    open_clients(CALL_FAILED, 0, false);
    struct object *device = wrapper_of(TYPE_ID3D12Device);
    play.self = device;
    play.method = METHOD_ID3D12Device_CreateFence;
    play.m = &schema_methods[play.method];
    is_any_failure = true;
    cr_assert(*unknown_refused() == '\0');
    handed_out->references = 5;
    for (int i = 0; i < 2; i++)
        cr_assert(ask(device, none, (uint32_t)E_NOINTERFACE) == NULL);
    cr_assert_eqs(unknown_told, 1, handed_out->references, 3); /* what it got is given back */
    cr_assert(ask(device, other, (uint32_t)E_NOINTERFACE) == NULL);
    cr_assert(ask(device, NULL, (uint32_t)E_NOINTERFACE) == NULL);
    cr_assert_eqs(unknown_told, 3, handed_out->references, 1);
    cr_assert(strcmp(unknown_refused(),
                     "the program did not get {00030201-0000-0000-0000-000000000000}, "
                     "{00000004-0000-0000-0000-000000000000}, "
                     "an object without an IID") == 0);
    cr_assert(*unknown_passed() == '\0');
    handed_pointer = device; /* the program's own comes back */
    cr_assert(ask(device, none, 0) == device);
    cr_assert_eqs(unknown_told, 3, handed_out->references, 1);
}

Test(calls, an_interface_that_is_not_known_is_passed_on_where_the_user_says_so)
{
    static const uint8_t none[16] = {1, 2, 3};
    setenv("ANNOT_D3D12_UNKNOWN", "pass", 1);
    open_for_objects();
    struct object *device = wrapper_of(TYPE_ID3D12Device);
    for (int i = 0; i < 2; i++)
        cr_assert(ask(device, none, 0) == handed_out);
    cr_assert_eqs(unknown_told, 1, handed_out->references, 1);
    cr_assert(strcmp(unknown_passed(),
                     "statements about this device are uncertain: the program got "
                     "{00030201-0000-0000-0000-000000000000}") == 0);
    cr_assert(*unknown_refused() == '\0');
}

Test(calls, a_setting_that_is_not_known_is_told_of)
{
    setenv("ANNOT_D3D12_UNKNOWN", "perhaps", 1);
    open_for_objects();
    cr_assert_eq(unknown_told, 1);
    cr_assert(ask(wrapper_of(TYPE_ID3D12Device), fence_iid, 0) != NULL);
}

Test(calls, nothing_is_asked_for_where_nothing_can_be_written)
{
    const uint64_t args[CODEC_ARGS] = {0};
    struct call_result result = {0};
    open_for_objects();
    fake_answer = hand_out;
    call_method(METHOD_ID3D12Device_CreateFence, wrapper_of(TYPE_ID3D12Device), args, &result);
    cr_assert_eqs(result.word, 1, unknown_told, 0);
    call_method(METHOD_ID3D12DeviceRemovedExtendedData_GetAutoBreadcrumbsOutput,
                wrapper_of(TYPE_ID3D12DeviceRemovedExtendedData), args, &result);
    cr_assert_eq(result.word, 1);
}

/* The variable isn't set, and holds the address that the new object gets; the runtime may write
 * nothing, whatever it returns. */
static void leave_unwritten(uint16_t method, struct fake *self, uint64_t *args,
                            struct call_result *result)
{
    (void)method, (void)self, (void)args;
    result->word = args[0];
}

Test(calls, what_a_variable_holds_does_not_matter)
{
    open_for_objects();
    open_clients(0, 0, false);
    struct object *device = wrapper_of(TYPE_ID3D12Device);
    void *variable = handed_pointer;
    struct call_result result = {0};
    uint64_t args[CODEC_ARGS] = {0, 0, (uintptr_t)fence_iid, (uintptr_t)&variable};
    fake_answer = hand_out;
    call_method(METHOD_ID3D12Device_CreateFence, device, args, &result);
    cr_assert(object_at(variable) && object_real(variable) == handed_pointer);
    const uint32_t results[] = {0, 1, (uint32_t)E_FAIL};
    fake_answer = leave_unwritten;
    for (int i = 0; i < 3; i++) {
        variable = handed_pointer;
        args[0] = results[i];
        call_method(METHOD_ID3D12Device_CreateFence, device, args, &result);
        cr_assert(result.word == results[i] && variable == handed_pointer);
    }
}

/* An object that the program released and the runtime kept is returned by the one, and can't be by
 * the other. */
Test(calls, objects_without_references_are_the_same_when_returned_and_others_when_created)
{
    open_for_objects();
    struct object *device = wrapper_of(TYPE_ID3D12Device), *fence = wrapper_of(TYPE_ID3D12Fence);
    const uint8_t *iid = schema_interfaces[TYPE_ID3D12Device - SCHEMA_INTERFACE_FIRST].iid;
    object_release_reference(device);
    handed_pointer = device->real;
    cr_assert(get(METHOD_ID3D12DeviceChild_GetDevice, fence, iid) == device);
    object_release_reference(device);
    cr_assert(get(METHOD_IUnknown_QueryInterface, device, iid) == device);
    struct object *created = get(METHOD_ID3D12Device_CreateFence, device, fence_iid);
    object_release_reference(created);
    handed_pointer = fence->real;
    struct object *other = get(METHOD_ID3D12Device_CreateFence, device, fence_iid);
    cr_assert(other == fence);
    object_release_reference(fence);
    object_release_reference(fence);
    other = get(METHOD_ID3D12Device_CreateFence, device, fence_iid);
    cr_assert(other != fence && object_real(other) == fence->real);
}

Test(calls, a_client_is_told_of_its_own_note_when_an_object_is_gone)
{
    open_for_objects();
    for (uintptr_t note = 0; note < 3; note++) {
        struct object *object = wrapper_of(TYPE_ID3D12Fence);
        struct call_result result = {0};
        const uint64_t args[CODEC_ARGS] = {0};
        object_set_note(object, OBJECT_NOTE_RECORDER, 100);
        if (note)
            object_set_note(object, OBJECT_NOTE_CRASH, note);
        call_method(METHOD_IUnknown_AddRef, object, args, &result);
        call_method(METHOD_IUnknown_Release, object, args, &result);
        cr_assert_eqs(result.word, 1, gone_count, note ? note - 1 : 0);
        call_method(METHOD_IUnknown_Release, object, args, &result);
        cr_assert_eqs(result.word, 0, gone_count, note);
        cr_assert(!note || gone_notes[note - 1] == note);
    }
}

Test(calls, a_failure_is_a_result_of_methods_that_return_one)
{
    schema_init();
    for (uint16_t method = 0; method < SCHEMA_METHODS; method++) {
        const bool can_fail = schema_methods[method].result.kind == KIND_R;
        cr_assert_eq(schema_has_failed(&schema_methods[method], 0x80000000), can_fail);
        cr_assert(!schema_has_failed(&schema_methods[method], 0));
        cr_assert(!schema_has_failed(&schema_methods[method], 0xffffffff7fffffff));
    }
}
