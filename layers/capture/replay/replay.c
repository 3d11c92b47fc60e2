#include "state.h"

#include "os.h"
#include "surroundings.h"

#include <inttypes.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void replay_pause(const struct replay *r, bool on)
{
    if (r->pause)
        r->pause(on);
}

void replay_imitate(const struct replay *r, const struct pending *p)
{
    struct overtaken *found;
    if (!r->imitate || r->options->loop_last)
        return;
    HASH_FIND(hh, r->overtaken, &p->call, sizeof p->call, found);
    r->imitate(p->thread, p->call, found ? found->behind : p->call);
}

void replay_say(struct replay *r, uint64_t call, int method, const char *what)
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
    if (object || number >> 63)
        return object ? object : call_stand_in();
    r->is_missing = true;
    return NULL;
}

static uint64_t handle_here(struct replay *r, uint64_t recorded)
{
    uint64_t here = 0;
    if (!recorded || recorded == UINT64_MAX || map_value(r->map, KIND_K, recorded, &here))
        return recorded == UINT64_MAX ? recorded : here;
    here = os_event_create(); /* the program's own event */
    map_add_value(r->map, KIND_K, recorded, here);
    return here;
}

/* Map's is written to; that of a heap over the program's memory leads to as much memory, or to none
 * as then. What the program has given its callbacks is something else here. */
static uint64_t pointer_here(struct pending *p)
{
    static uint64_t callback_data;
    if (p->method == METHOD_ID3D12InfoQueue1_RegisterMessageCallback ||
        p->method == METHOD_ID3DDestructionNotifier_RegisterDestructionCallback ||
        p->method == METHOD_NONE_emu_configure)
        return (uint64_t)(uintptr_t)&callback_data;
    if (p->method == METHOD_ID3D12Resource_Map)
        return (uint64_t)(uintptr_t)&p->map_pointer;
    if (p->method != METHOD_ID3D12Device3_OpenExistingHeapFromAddress)
        return 0;
    p->given_memory = os_memory_take(p->given);
    return p->given_memory ? (uint64_t)(uintptr_t)p->given_memory : 1;
}

static uint64_t address_here(void *user, uint8_t kind, uint64_t value)
{
    struct replay *r = user;
    switch (kind) {
    case KIND_K:
        return handle_here(r, value);
    case KIND_X:
        return pointer_here(r->current);
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

/* ---- enter ---- */

static struct pending *pending_of(struct replay *r, uint32_t thread)
{
    struct pending *p;
    HASH_FIND(hh, r->pendings, &thread, sizeof thread, p);
    if (!p && (p = calloc(1, sizeof *p))) {
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
        replay_say(r, item->record.call, -1, "not made: a method that this table does not have");
        r->outcome->skipped++;
        return true;
    }
    codec_arena_reset(p->arena);
    p->call = item->record.call;
    p->method = item->method;
    p->self_number = replay_word(item, 0);
    p->self = object_here(r, p->self_number);
    struct codec_in in = decoder(r, p, item, 8);
    r->is_missing = item->method < SCHEMA_EXPORT_FIRST && !p->self;
    if (!codec_decode(&in, &schema_methods[item->method], p->args, false) || r->is_missing) {
        replay_say(r, p->call, p->method,
                   in.is_damaged ? "not made: its record is damaged"
                                 : "not made: an object of it does not exist here");
        r->outcome->skipped++;
        return true;
    }
    p->is_open = true;
    if (!replay_waits(p))
        replay_make(r, p);
    return true;
}

/* ---- leave ---- */

/* The heap's number is the first word of what the call wrote: behind the words of its three
 * parameters and the number of elements. */
static uint64_t written_heap(const struct trace_item *item)
{
    return replay_word(item, 5) ? replay_word(item, 6) : 0;
}

static void note_mapped(struct replay *r, struct pending *p, const struct trace_item *item)
{
    if (p->method == METHOD_ID3D12Resource_Map && p->args[2] && p->map_pointer)
        mapped_add(&r->mapped, p->self_number, p->map_pointer, call_resource_size(p->self));
    if (p->method == METHOD_ID3D12Device3_OpenExistingHeapFromAddress && p->given_memory &&
        (int32_t)p->result.word >= 0 && written_heap(item))
        mapped_add(&r->mapped, written_heap(item), p->given_memory, p->given);
}

static void report_difference(struct replay *r, struct pending *p, const struct trace_item *item)
{
    char line[128];
    r->outcome->different++;
    snprintf(line, sizeof line, "returned 0x%" PRIx64 " or wrote otherwise; then 0x%" PRIx64,
             p->result.word, replay_word(item, 1));
    replay_say(r, p->call, p->method, line);
}

/* The device was removed when the program asked: here it will be too, and when it hangs for ever
 * this waits for ever. */
static void wait_for_removal(struct pending *p, uint64_t then)
{
    if (p->method != METHOD_ID3D12Device_GetDeviceRemovedReason || (int32_t)then >= 0)
        return;
    while ((int32_t)p->result.word >= 0) {
        os_sleep_millisecond();
        call_method((unsigned)p->method, p->self, p->args, &p->result);
    }
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

static bool replay_leave(struct replay *r, const struct trace_item *item)
{
    struct pending *p = pending_of(r, item->thread);
    uint64_t then[CODEC_ARGS] = {0};
    if (!p)
        return false;
    if (!p->is_open || p->call != item->record.call)
        return true;
    if (!p->is_made) {
        replay_pause(r, true);
        if (p->method == METHOD_ID3D12Fence_GetCompletedValue && replay_word(item, 1) != UINT64_MAX)
            call_fence_wait(p->self, replay_word(item, 1));
        replay_pause(r, false);
        replay_make(r, p);
        if ((p->method == METHOD_NONE_D3D12CreateDevice ||
             p->method == METHOD_ID3D12DeviceFactory_CreateDevice) &&
            (int32_t)p->result.word < 0 &&
            (int32_t)replay_word(item, 1) >= 0) { /* DXCore's are known once they were listed */
            p->args[0] = 0;
            replay_make(r, p);
        }
    }
    replay_pause(r, true);
    wait_for_removal(p, replay_word(item, 1));
    replay_pause(r, false);
    p->is_open = false;
    struct codec_in in = decoder(r, p, item, 16);
    in.object = as_number;
    in.address = as_recorded;
    const struct schema_method_row *m = &schema_methods[p->method];
    if (!codec_decode(&in, m, then, true)) {
        replay_say(r, p->call, p->method, "the record of its result is damaged");
        return true;
    }
    replay_pause(r, true);
    const bool same = replay_compare(r, p, item, &in, then);
    note_mapped(r, p, item);
    loop_note(r, p, item);
    replay_pause(r, false);
    r->outcome->results++;
    if (!same && !r->is_repeated)
        report_difference(r, p, item);
    return true;
}

/* ---- memory ---- */

static void replay_memory(struct replay *r, const struct trace_item *item)
{
    struct trace_memory head;
    if (item->size < sizeof head)
        return;
    memcpy(&head, item->data, sizeof head);
    uint8_t *memory = mapped_bytes(r->mapped, head.object, head.offset, head.size);
    if (!memory) {
        replay_say(r, item->record.call, -1, "memory that is not mapped here");
        return;
    }
    if (item->record.kind == RECORD_CHECK) {
        r->outcome->reads++;
        if (XXH64(memory, head.size, 0) != head.hash) {
            if (r->is_repeated)
                return; /* what is read then may be of the time before */
            r->outcome->unequal++;
            replay_say(r, item->record.call, -1,
                       "what can be read in mapped memory is not what it was");
        }
    } else if (head.size <= item->size - sizeof head) {
        if (head.flags & TRACE_MEMORY_SHARED) {
            const bool is_there = XXH64(memory, head.size, 0) == head.hash;
            r->outcome->reads += is_there;
            r->outcome->shared += !is_there;
        }
        memcpy(memory, item->data + sizeof head, head.size);
    }
}

static void replay_fence(struct replay *r, const struct trace_item *item)
{
    void *fence = map_object(r->map, replay_word(item, 0));
    replay_pause(r, true);
    if (fence)
        call_fence_wait(fence, replay_word(item, 1));
    replay_pause(r, false);
}

static void replay_item(struct replay *r, const struct trace_item *item, bool *ok)
{
    struct pending *p;
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
    case RECORD_VARIABLE:
        surroundings_set_variable(item);
        break;
    case RECORD_FILE:
        surroundings_put_file(item);
        break;
    case RECORD_ADAPTER:
        if (!map_object(r->map, replay_word(item, 0))) {
            replay_pause(r, true);
            surroundings_list_adapters(r->runtime);
            replay_pause(r, false);
            *ok = map_add_object(r->map, replay_word(item, 0),
                                 surroundings_adapter(replay_word(item, 1), replay_word(item, 2)));
        }
        break;
    case RECORD_GIVEN:
        p = pending_of(r, item->thread);
        if (p)
            p->given = replay_word(item, 0);
        break;
    default:
        break;
    }
}

/* ---- the whole ---- */

static bool note_address(struct replay *r, const struct trace_item *item)
{
    struct address *a = calloc(1, sizeof *a);
    if (!a)
        return false;
    a->call = item->record.call;
    a->address = replay_word(item, 0);
    HASH_ADD(hh, r->addresses, call, sizeof a->call, a);
    return true;
}

static bool note_overtaken(struct replay *r, const struct trace_item *item)
{
    struct overtaken *o = calloc(1, sizeof *o);
    if (!o)
        return false;
    o->call = item->record.call;
    o->behind = replay_word(item, 0);
    HASH_ADD(hh, r->overtaken, call, sizeof o->call, o);
    return true;
}

/* A resource's address, and when a call returned, are recorded behind the call, and needed before.
 */
static bool look_ahead(struct replay *r, struct trace *trace)
{
    struct trace_item item;
    bool ok = true;
    while (ok && trace_next(trace, &item))
        if (item.record.kind == RECORD_ADDRESS)
            ok = note_address(r, &item);
        else if (r->imitate && item.record.kind == RECORD_LEAVE &&
                 replay_word(&item, 0) != item.record.call)
            ok = note_overtaken(r, &item);
    trace_rewind(trace);
    return ok;
}

static void finish(struct replay *r)
{
    struct pending *p, *next_pending;
    struct address *a, *next_address;
    struct overtaken *o, *next_overtaken;
    HASH_ITER(hh, r->overtaken, o, next_overtaken)
    {
        HASH_DEL(r->overtaken, o);
        free(o);
    }
    HASH_ITER(hh, r->pendings, p, next_pending)
    {
        HASH_DEL(r->pendings, p);
        codec_arena_destroy(p->arena);
        free(p);
    }
    mapped_remove_all(&r->mapped);
    HASH_ITER(hh, r->addresses, a, next_address)
    {
        HASH_DEL(r->addresses, a);
        free(a);
    }
    free(r->tracked);
    map_destroy(r->map);
    surroundings_remove_file();
}

/* Records of calls from `first` to `last`; a LEAVE counts as its call. */
static bool play(struct replay *r, struct trace *trace, uint64_t first, uint64_t last)
{
    const struct replay_options *options = r->options;
    struct trace_item item;
    bool ok = true;
    while (ok && trace_next(trace, &item)) {
        if (item.record.kind == RECORD_ENTER && item.record.call > last)
            break;
        if (item.record.call < first)
            continue;
        if (options->loop_first && !r->has_saved && item.record.call >= options->loop_first)
            loop_save(r);
        replay_item(r, &item, &ok);
        if (ok && item.record.kind == RECORD_LEAVE && item.method == METHOD_IUnknown_Release &&
            replay_word(&item, 1) == 0) {
            const struct pending *p = pending_of(r, item.thread);
            if (p) {
                mapped_remove(&r->mapped, p->self_number);
                loop_forget(r, p->self_number);
            }
        }
        if (options->progress && r->outcome->calls % 65536 == 65535)
            options->progress(options->user, item.record.call);
    }
    return ok;
}

bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why)
{
    struct replay r = {.options = options,
                       .outcome = outcome,
                       .map = map_create(),
                       .trimmed_from = trace_get_header(trace)->trimmed_from};
    const char *runtime = options->runtime ? options->runtime : trace_get_header(trace)->runtime;
    bool ok = r.map != NULL;
    *outcome = (struct replay_outcome){0};
    *why = "out of memory";
    r.runtime = os_library_load(runtime);
    if (!r.runtime)
        *why = "the D3D12 library can't be loaded; give its path with --runtime";
    void *pause = r.runtime ? os_library_function(r.runtime, "annot_capture_pause") : NULL;
    void *imitate = r.runtime ? os_library_function(r.runtime, "annot_capture_as") : NULL;
    memcpy(&r.pause, &pause, sizeof pause);
    memcpy(&r.imitate, &imitate, sizeof imitate);
    replay_number_calls(&r);
    os_pass_breaks();
    ok = ok && r.runtime && look_ahead(&r, trace);
    const uint64_t last = options->loop_last ? options->loop_last
                          : options->until   ? options->until
                                             : UINT64_MAX;
    ok = ok && play(&r, trace, 0, last);
    for (uint64_t i = 1; ok && options->loop_last && i != options->loop_times; i++) {
        loop_restore(&r);
        trace_rewind(trace);
        ok = play(&r, trace, options->loop_first, last);
    }
    finish(&r);
    return ok;
}
