#include "replay.h"

#include "call.h"
#include "map.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#define HASH_NONFATAL_OOM 1
#include <uthash.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A thread's call between its two records. */
struct pending {
    uint32_t thread;
    uint64_t call, self_number;
    int method;
    void *self;
    uint64_t args[CODEC_ARGS];
    struct call_result result;
    struct codec_arena *arena;
    bool is_open, is_made;
    bool was_given_memory; /* its first argument is memory of the program's */
    void *map_pointer;     /* what Map writes into */
    UT_hash_handle hh;
};

struct mapped { /* a resource's memory, by its number */
    uint64_t number;
    uint8_t *memory;
    uint64_t size;
    UT_hash_handle hh;
};

struct address { /* of the resource that a call created */
    uint64_t call, address;
    UT_hash_handle hh;
};

struct replay {
    const struct replay_options *options;
    struct replay_outcome *outcome;
    struct map *map;
    struct pending *pendings, *current;
    struct mapped *mapped;
    struct address *addresses;
    void *runtime;
};

static void say(struct replay *r, uint64_t call, int method, const char *what)
{
    char name[160] = "";
    if (method >= 0)
        snprintf(name, sizeof name, "%s%s%s, ",
                 strcmp(schema_methods[method].iface, "NONE") ? schema_methods[method].iface : "",
                 strcmp(schema_methods[method].iface, "NONE") ? "::" : "",
                 schema_methods[method].name);
    if (r->options->log)
        fprintf(r->options->log, "call %" PRIu64 ": %s%s\n", call, name, what);
}

/* ---- what stands for recorded numbers ---- */

static void *object_here(void *user, uint64_t number)
{
    struct replay *r = user;
    if (!number)
        return NULL;
    void *object = map_object(r->map, number);
    return object || !(number >> 63) ? object : call_stand_in();
}

static uint64_t handle_here(struct replay *r, uint64_t recorded)
{
    uint64_t here = 0;
    if (!recorded || recorded == UINT64_MAX || map_value(r->map, KIND_K, recorded, &here))
        return recorded == UINT64_MAX ? recorded : here;
    here = (uint64_t)eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); /* the program's own event */
    map_add_value(r->map, KIND_K, recorded, here);
    return here;
}

static uint64_t address_here(void *user, uint8_t kind, uint64_t value)
{
    struct replay *r = user;
    switch (kind) {
    case KIND_K:
        return handle_here(r, value);
    case KIND_X: /* only Map's is written to */
        return r->current && r->current->method == METHOD_ID3D12Resource_Map
                   ? (uint64_t)(uintptr_t)&r->current->map_pointer
                   : 0;
    case KIND_Y:
        return call_callback();
    default:
        return map_range(r->map, kind, value);
    }
}

static struct codec_in decoder(struct replay *r, struct pending *p, const struct trace_item *item,
                               size_t skip)
{
    r->current = p;
    return (struct codec_in){.at = item->data + (skip < item->size ? skip : item->size),
                             .end = item->data + item->size,
                             .arena = p->arena,
                             .wchar_size = CAPTURE_WCHAR_SIZE,
                             .object = object_here,
                             .address = address_here,
                             .user = r};
}

static uint64_t word_at(const struct trace_item *item, size_t i)
{
    uint64_t word = 0;
    if (item->size / 8 > i)
        memcpy(&word, item->data + i * 8, sizeof word);
    return word;
}

/* ---- calls that need more than being made ---- */

/* It returns only when something else has happened, which other threads' calls bring about. */
static bool waits(const struct pending *p)
{
    switch (p->method) {
    case METHOD_ID3D12Fence_SetEventOnCompletion:
        return p->args[1] == 0;
    case METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion:
        return p->args[4] == 0;
    case METHOD_ID3D12Fence_GetCompletedValue:
        return true; /* for the value that it returned */
    case METHOD_IUnknown_Release:
        return true; /* threads race: taking references early and giving them back late is safe */
    default:
        return false;
    }
}

/* Memory that no size is recorded for. */
static bool is_left_out(const struct pending *p)
{
    switch (p->method) {
    case METHOD_ID3D12Device3_OpenExistingHeapFromAddress:
    case METHOD_ID3D12Device3_OpenExistingHeapFromFileMapping:
        return p->was_given_memory;
    default:
        return false;
    }
}

static void prepare(struct replay *r, struct pending *p)
{
    if (p->method == METHOD_NONE_emu_configure && p->args[0]) {
        /* Paths of the machine that was recorded: the dump goes where the caller wants it. */
        const struct schema_struct *s = &schema_structs[TYPE_emu_config];
        for (uint32_t i = 0; i < s->count; i++) {
            const struct schema_value *f = &schema_fields[s->first + i];
            const uint64_t path = (uint64_t)(uintptr_t)r->options->dump;
            if (strcmp(f->name, "dump_path") == 0)
                memcpy((char *)(uintptr_t)p->args[0] + f->offset, &path, sizeof path);
        }
    }
}

/* A creation whose address is known is asked to be there; when it can't, it is somewhere else. */
static void make_method(struct replay *r, struct pending *p)
{
    struct address *address;
    HASH_FIND(hh, r->addresses, &p->call, sizeof p->call, address);
    const bool is_placed = address && call_set_address(p->self, address->address);
    call_method((unsigned)p->method, p->self, p->args, &p->result);
    if (is_placed && (int32_t)p->result.word < 0)
        call_method((unsigned)p->method, p->self, p->args, &p->result);
}

static void make(struct replay *r, struct pending *p)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    p->is_made = true;
    memset(&p->result, 0, sizeof p->result);
    if (is_left_out(p)) {
        say(r, p->call, p->method, "not made: the memory that it is given is not in the trace");
        r->outcome->skipped++;
        p->is_open = false;
        return;
    }
    if (p->method >= SCHEMA_EXPORT_FIRST) {
        void *function = dlsym(r->runtime, m->name);
        if (!function) {
            say(r, p->call, p->method, "not made: this runtime has no such export");
            r->outcome->skipped++;
            p->is_open = false;
            return;
        }
        prepare(r, p);
        call_export((unsigned)p->method, function, p->args, &p->result);
        if (p->method == METHOD_NONE_emu_configure)
            codec_arena_keep(p->arena); /* a driver's table is static data */
    } else {
        make_method(r, p);
    }
    r->outcome->calls++;
}

/* ---- enter ---- */

static struct pending *pending_of(struct replay *r, uint32_t thread)
{
    struct pending *p;
    HASH_FIND(hh, r->pendings, &thread, sizeof thread, p);
    if (!p && (p = calloc(1, sizeof *p)) != NULL) {
        p->thread = thread;
        p->arena = codec_arena_create();
        HASH_ADD(hh, r->pendings, thread, sizeof p->thread, p);
    }
    return p && p->arena ? p : NULL;
}

static bool replay_enter(struct replay *r, const struct trace_item *item)
{
    struct pending *p = pending_of(r, item->thread);
    if (!p)
        return false;
    p->is_open = p->is_made = false;
    if (item->method < 0) {
        say(r, item->record.call, -1, "not made: a method that this table does not have");
        r->outcome->skipped++;
        return true;
    }
    codec_arena_reset(p->arena);
    p->call = item->record.call;
    p->method = item->method;
    p->was_given_memory = word_at(item, 1) != 0;
    p->self_number = word_at(item, 0);
    p->self = object_here(r, p->self_number);
    struct codec_in in = decoder(r, p, item, 8);
    if (!codec_decode(&in, &schema_methods[item->method], p->args, false) ||
        (item->method < SCHEMA_EXPORT_FIRST && !p->self)) {
        say(r, p->call, p->method,
            in.is_damaged ? "not made: its record is damaged"
                          : "not made: its object does not exist here");
        r->outcome->skipped++;
        return true;
    }
    p->is_open = true;
    if (!waits(p))
        make(r, p);
    return true;
}

/* ---- leave ---- */

static bool has_failed(const struct schema_method_row *m, uint64_t result)
{
    return m->result.kind == KIND_R && (int32_t)result < 0;
}

static bool same_value(uint8_t kind, uint16_t type, uint32_t size, const uint8_t *a,
                       const uint8_t *b)
{
    if (kind < KIND_SCALARS)
        return memcmp(a, b, size) == 0;
    if (kind != KIND_S)
        return true; /* addresses and handles may differ, objects are numbered */
    const struct schema_struct *s = &schema_structs[type];
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        for (uint32_t k = 0; k < f->array && schema_is_active(s, f, a); k++) {
            const uint32_t at = f->offset + k * f->elem_size;
            if (!same_value(f->kind, f->type, f->elem_size, a + at, b + at))
                return false;
        }
    }
    return true;
}

/* Results that a runtime may return differently at any time. */
static bool is_free(const struct replay *r, int method)
{
    if ((method == METHOD_IUnknown_AddRef || method == METHOD_IUnknown_Release) &&
        HASH_COUNT(r->pendings) > 1)
        return true; /* counts depend on which thread came first */

    static const uint16_t free_ones[] = {
        METHOD_ID3D12CommandQueue_GetClockCalibration,
        METHOD_ID3D12Device_GetAdapterLuid,
        METHOD_ID3D12InfoQueue_GetStorageFilter, /* pointers into the same bytes */
        METHOD_ID3D12InfoQueue_GetRetrievalFilter,
        METHOD_ID3D12PipelineLibrary_Serialize, /* the rest of the program's buffer */
        METHOD_ID3D12InfoQueue_GetMessage,    /* its text is behind a pointer into the same bytes */
        METHOD_ID3D12Fence_GetCompletedValue, /* at least what it was: it was waited for */
    };
    for (size_t i = 0; i < sizeof free_ones / sizeof free_ones[0]; i++)
        if (free_ones[i] == method)
            return true;
    return false;
}

/* Pairs what the call wrote with what it wrote then, and compares what can be compared. */
static bool pair_written(struct replay *r, struct pending *p, const struct schema_value *v,
                         uint64_t here, uint64_t then, uint64_t count)
{
    bool same = true;
    const uint8_t *a = (const uint8_t *)(uintptr_t)then, *b = (const uint8_t *)(uintptr_t)here;
    for (uint64_t i = 0; i < count; i++, a += v->elem_size, b += v->elem_size) {
        uint64_t x = 0, y = 0;
        memcpy(&x, a, v->elem_size < 8 ? v->elem_size : 8);
        memcpy(&y, b, v->elem_size < 8 ? v->elem_size : 8);
        if (v->elem == KIND_K)
            map_add_value(r->map, KIND_K, x, y);
        else if (!same_value(v->elem, v->type, v->elem_size, a, b))
            same = false;
    }
    (void)p;
    return same;
}

/* The words of written objects are numbers: they are read from the record, not decoded into pointers. */
static bool pair_objects(struct replay *r, uint64_t here, const uint64_t *numbers, uint64_t count)
{
    bool same = true;
    for (uint64_t i = 0; i < count; i++) {
        void *object;
        memcpy(&object, (char *)(uintptr_t)here + 8 * i, sizeof object);
        if (numbers[i] && object)
            map_add_object(r->map, numbers[i], object);
        same &= !numbers[i] == !object;
    }
    return same;
}

static void *as_number(void *user, uint64_t number)
{
    (void)user;
    return (void *)(uintptr_t)number;
}

static uint64_t as_recorded(void *user, uint8_t kind, uint64_t value)
{
    (void)user, (void)kind;
    return value;
}

static bool compare_args(struct replay *r, struct pending *p, const uint64_t *then,
                         const uint64_t *counts)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    bool same = true;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value shape = codec_shape(m, i, p->args), *v = &shape;
        if (v->kind != KIND_P || !(v->dir & DIR_WRITE) || !then[i] || !p->args[i])
            continue;
        if (has_failed(m, p->result.word) && v->dir == DIR_WRITE && v->elem != KIND_O)
            continue; /* it need not have written: there is what the program had there */
        if (v->elem == KIND_O)
            same &= pair_objects(r, p->args[i], (const uint64_t *)(uintptr_t)then[i], counts[i]);
        else if (p->method != METHOD_ID3D12Object_GetPrivateData || counts[i] != sizeof(void *))
            same &= pair_written(r, p, v, p->args[i], then[i],
                                 counts[i]); /* else it may be a pointer */
    }
    return same;
}

static bool compare_result(struct replay *r, struct pending *p, const struct trace_item *item,
                           struct codec_in *in)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    const uint64_t then = word_at(item, 1), here = p->result.word;
    const uint64_t mask = m->result.size < 8 ? (1ull << 8 * m->result.size) - 1 : UINT64_MAX;
    switch (m->result.kind) {
    case KIND_C:
    case KIND_H:
        map_add_range(r->map, m->result.kind, then, here, call_heap_span(p->self));
        return true;
    case KIND_A:
        map_add_range(r->map, KIND_A, then, here, call_resource_size(p->self));
        if (then != here)
            say(r, p->call, p->method,
                "another GPU address than then: those inside buffers are wrong");
        return true;
    case KIND_S: {
        const uint8_t *structure = codec_take_struct(in, m->result.type);
        return structure && same_value(KIND_S, m->result.type, 0, structure, p->result.structure);
    }
    case KIND_P:
    case KIND_X:
    case KIND_W:
    case KIND_Z:
        return !then == !here;
    default:
        return (then & mask) == (here & mask);
    }
}

static void note_mapped(struct replay *r, struct pending *p)
{
    struct mapped *m;
    if (p->method != METHOD_ID3D12Resource_Map || !p->args[2] || !p->map_pointer)
        return;
    HASH_FIND(hh, r->mapped, &p->self_number, sizeof p->self_number, m);
    if (!m && (m = calloc(1, sizeof *m)) != NULL) {
        m->number = p->self_number;
        HASH_ADD(hh, r->mapped, number, sizeof m->number, m);
    }
    if (m) {
        m->memory = p->map_pointer;
        m->size = call_resource_size(p->self);
    }
}

static void forget_mapped(struct replay *r, uint64_t number)
{
    struct mapped *m;
    HASH_FIND(hh, r->mapped, &number, sizeof number, m);
    if (!m)
        return;
    HASH_DEL(r->mapped, m);
    free(m);
}

static void report_difference(struct replay *r, struct pending *p, const struct trace_item *item)
{
    char line[128];
    r->outcome->different++;
    snprintf(line, sizeof line, "returned 0x%" PRIx64 " or wrote otherwise; then 0x%" PRIx64,
             p->result.word, word_at(item, 1));
    say(r, p->call, p->method, line);
}

/* The device was removed when the program asked: here it will be too, and when it hangs for ever this waits for ever. */
static void wait_for_removal(struct pending *p, uint64_t then)
{
    const struct timespec a_while = {0, 1000000};
    if (p->method != METHOD_ID3D12Device_GetDeviceRemovedReason || (int32_t)then >= 0)
        return;
    while ((int32_t)p->result.word >= 0) {
        nanosleep(&a_while, NULL);
        call_method((unsigned)p->method, p->self, p->args, &p->result);
    }
}

static bool replay_leave(struct replay *r, const struct trace_item *item)
{
    struct pending *p = pending_of(r, item->thread);
    uint64_t then[CODEC_ARGS] = {0};
    if (!p)
        return false;
    if (!p->is_open || p->call != item->record.call)
        return true;
    if (!p->is_made) {
        if (p->method == METHOD_ID3D12Fence_GetCompletedValue && word_at(item, 1) != UINT64_MAX)
            call_fence_wait(p->self, word_at(item, 1));
        make(r, p);
    }
    wait_for_removal(p, word_at(item, 1));
    p->is_open = false;
    struct codec_in in = decoder(r, p, item, 16);
    in.object = as_number;
    in.address = as_recorded;
    const struct schema_method_row *m = &schema_methods[p->method];
    if (!codec_decode(&in, m, then, true)) {
        say(r, p->call, p->method, "the record of its result is damaged");
        return true;
    }
    bool same = compare_result(r, p, item, &in) || is_free(r, p->method);
    if (has_failed(m, p->result.word) == has_failed(m, word_at(item, 1)))
        same &= compare_args(r, p, then, in.counts) || is_free(r, p->method);
    note_mapped(r, p);
    r->outcome->results++;
    if (!same)
        report_difference(r, p, item);
    return true;
}

/* ---- memory ---- */

static void replay_memory(struct replay *r, const struct trace_item *item)
{
    struct trace_memory head;
    struct mapped *m;
    if (item->size < sizeof head)
        return;
    memcpy(&head, item->data, sizeof head);
    HASH_FIND(hh, r->mapped, &head.object, sizeof head.object, m);
    if (!m || head.offset > m->size || head.size > m->size - head.offset) {
        say(r, item->record.call, -1, "memory that is not mapped here");
        return;
    }
    if (item->record.kind == RECORD_CHECK) {
        r->outcome->reads++;
        if (XXH64(m->memory + head.offset, head.size, 0) != head.hash) {
            r->outcome->unequal++;
            say(r, item->record.call, -1, "what can be read in mapped memory is not what it was");
        }
    } else if (head.size <= item->size - sizeof head) {
        memcpy(m->memory + head.offset, item->data + sizeof head, head.size);
    }
}

static void replay_fence(struct replay *r, const struct trace_item *item)
{
    void *fence = map_object(r->map, word_at(item, 0));
    if (fence)
        call_fence_wait(fence, word_at(item, 1));
}

static void replay_item(struct replay *r, const struct trace_item *item, bool *ok)
{
    switch (item->record.kind) {
    case RECORD_ENTER:
        *ok = replay_enter(r, item);
        break;
    case RECORD_LEAVE:
        *ok = replay_leave(r, item);
        break;
    case RECORD_MEMORY:
    case RECORD_CHECK:
        replay_memory(r, item);
        break;
    case RECORD_FENCES:
        replay_fence(r, item);
        break;
    default:
        break;
    }
}

/* ---- the whole ---- */

/* A resource's address is recorded behind the call that created it, and needed before. */
static bool collect_addresses(struct replay *r, struct trace *trace)
{
    struct trace_item item;
    while (trace_next(trace, &item)) {
        if (item.record.kind != RECORD_ADDRESS)
            continue;
        struct address *a = calloc(1, sizeof *a);
        if (!a)
            return false;
        a->call = item.record.call;
        a->address = word_at(&item, 0);
        HASH_ADD(hh, r->addresses, call, sizeof a->call, a);
    }
    trace_rewind(trace);
    return true;
}

static void finish(struct replay *r)
{
    struct pending *p, *next_pending;
    struct mapped *m, *next_mapped;
    struct address *a, *next_address;
    HASH_ITER(hh, r->pendings, p, next_pending)
    {
        HASH_DEL(r->pendings, p);
        codec_arena_destroy(p->arena);
        free(p);
    }
    HASH_ITER(hh, r->mapped, m, next_mapped)
    {
        HASH_DEL(r->mapped, m);
        free(m);
    }
    HASH_ITER(hh, r->addresses, a, next_address)
    {
        HASH_DEL(r->addresses, a);
        free(a);
    }
    map_destroy(r->map);
}

bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why)
{
    struct replay r = {.options = options, .outcome = outcome, .map = map_create()};
    struct trace_item item;
    const char *runtime = options->runtime ? options->runtime : trace_get_header(trace)->runtime;
    bool ok = r.map != NULL;
    *outcome = (struct replay_outcome){0};
    *why = "out of memory";
    r.runtime = dlopen(runtime, RTLD_NOW | RTLD_LOCAL);
    if (!r.runtime)
        *why = "the D3D12 library can't be loaded; give its path with --runtime";
    ok = ok && r.runtime && collect_addresses(&r, trace);
    while (ok && trace_next(trace, &item)) {
        if (options->until && item.record.kind == RECORD_ENTER && item.record.call > options->until)
            break;
        replay_item(&r, &item, &ok);
        if (ok && item.record.kind == RECORD_LEAVE && item.method == METHOD_IUnknown_Release &&
            word_at(&item, 1) == 0) {
            const struct pending *p = pending_of(&r, item.thread);
            if (p)
                forget_mapped(&r, p->self_number);
        }
        if (options->progress && outcome->calls % 65536 == 65535)
            options->progress(options->user, item.record.call);
    }
    finish(&r);
    return ok;
}
