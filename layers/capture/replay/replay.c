#include "replay.h"
#include "state.h"

#include "os_handle.h"
#include "os_memory.h"
#include "os_process.h"
#include "surroundings.h"

#include <inttypes.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- values that replace recorded numbers ---- */

static void *object_here(void *user, uint64_t number, uint16_t type)
{
    return number ? replay_object(user, number, type) : NULL;
}

/* Keeps the event or memory until the end. False: out of memory; then nothing changes. */
static bool own(struct replay *r, struct owned one)
{
    struct owned *owned = malloc(sizeof *owned);
    if (!owned)
        return false;
    *owned = one;
    owned->next = r->owned;
    r->owned = owned;
    return true;
}

static uint64_t handle_here(struct replay *r, uint64_t recorded)
{
    uint64_t here = 0;
    if (!recorded || recorded == UINT64_MAX || map_value(r->map, KIND_K, recorded, &here))
        return recorded == UINT64_MAX ? recorded : here;
    here = (uint64_t)os_event_create(); /* the program's own event */
    r->lacks_memory |=
        !own(r, (struct owned){.event = here}) || !map_add_value(r->map, KIND_K, recorded, here);
    return here;
}

/* Returns the memory for a pointer: for Map, the place of the result; for a heap over the program's
 * memory, as much memory as in the recording, or none. Data for callbacks is replaced. */
static uint64_t pointer_here(struct replay *r, struct pending *p)
{
    static uint64_t callback_data;
    if (p->method == METHOD_ID3D12InfoQueue1_RegisterMessageCallback ||
        p->method == METHOD_ID3DDestructionNotifier_RegisterDestructionCallback ||
        p->method == METHOD_NONE_emu_configure)
        return (uint64_t)(uintptr_t)&callback_data;
    if (p->method == METHOD_ID3D12Resource_Map)
        return (uint64_t)(uintptr_t)&p->map_pointer;
    if (!replay_opens_memory(p->method))
        return 0;
    const uint64_t most = r->options->call_memory ? r->options->call_memory : UINT64_MAX;
    p->given_memory = p->given <= most ? os_memory_take(p->given) : NULL;
    if (p->given_memory)
        r->lacks_memory |= !own(r, (struct owned){.memory = p->given_memory, .size = p->given});
    return p->given_memory ? (uint64_t)(uintptr_t)p->given_memory : 1;
}

static uint64_t address_here(void *user, uint8_t kind, uint64_t value)
{
    struct replay *r = user;
    uint64_t here;
    switch (kind) {
    case KIND_C:
    case KIND_H:
        here = map_range(r->map, kind, value);
        return replay_has_descriptor(r, kind, here) ? here : 0;
    case KIND_K:
        return handle_here(r, value);
    case KIND_X:
        return pointer_here(r, r->current);
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
                             .object_as = object_here,
                             .address = address_here,
                             .strict = !replay_is_lenient(r),
                             .user = r};
}

/* ---- enter ---- */

static struct pending *pending_of(struct replay *r, uint32_t thread)
{
    struct pending *p;
    TABLE_FIND_OR_ADD(r->pendings, thread, thread, p);
    if (p && !p->arena)
        p->arena = replay_arena_create(r);
    return p && p->arena ? p : NULL;
}

/* Takes the call's object and arguments. False: the call is not made, and the reason was logged. */
static bool take_arguments(struct replay *r, struct pending *p, struct codec_in *in)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    const bool is_export = p->method >= SCHEMA_EXPORT_FIRST;
    r->is_missing = !is_export && !p->self_number;
    r->wrong[0] = '\0';
    replay_pause(r, true);
    p->self = NULL;
    p->self = is_export ? NULL : object_here(r, p->self_number, m->owner);
    const bool ok = codec_decode(in, m, p->args, false);
    replay_pause(r, false);
    memcpy(p->counts, in->counts, sizeof p->counts);
    if (r->wrong[0]) {
        replay_refuse(r, p->call, p->method, r->wrong);
        return false;
    }
    if (!ok || r->is_missing) {
        replay_say(r, p->call, p->method,
                   ok ? "call not made: one of the call's objects does not exist in the replay"
                      : "call not made: the call's record is damaged");
        r->outcome->skipped++;
        return false;
    }
    return true;
}

static bool replay_enter(struct replay *r, const struct trace_item *item)
{
    struct pending *p = pending_of(r, item->thread);
    if (!p)
        return false;
    p->is_open = p->is_made = false;
    if (item->method < 0) {
        replay_say(r, item->record.call, -1, "call not made: the table of calls lacks the method");
        r->outcome->skipped++;
        return true;
    }
    codec_arena_reset(p->arena);
    p->call = item->record.call;
    p->method = item->method;
    p->self_number = word_at(item, 0);
    p->used_count = 0;
    p->map_pointer = NULL;
    struct codec_in in = decoder(r, p, item, 8);
    if (!take_arguments(r, p, &in) || !replay_check(r, p))
        return true;
    p->is_open = true;
    program_put(r, p);
    if (!replay_waits(p))
        replay_make(r, p);
    return true;
}

/* ---- leave ---- */

/* Returns the heap's number: the first written word, behind the words of the three parameters and
 * the number of elements. */
static uint64_t written_heap(const struct pending *p, const struct trace_item *item)
{
    const uint32_t behind = 2 + schema_methods[p->method].count;
    return word_at(item, behind) ? word_at(item, behind + 1) : 0;
}

static void note_mapped(struct replay *r, struct pending *p, const struct trace_item *item)
{
    if (p->method == METHOD_ID3D12Resource_Map && p->args[2] && p->map_pointer &&
        (int32_t)p->result.word >= 0)
        objects_map(r->objects, p->self_number, p->map_pointer, call_resource_size(p->self));
    if (replay_opens_memory(p->method) && p->given_memory && (int32_t)p->result.word >= 0 &&
        written_heap(p, item))
        objects_map(r->objects, written_heap(p, item), p->given_memory, p->given);
}

static void report_difference(struct replay *r, struct pending *p, const struct trace_item *item)
{
    char line[128];
    r->outcome->different++;
    snprintf(line, sizeof line,
             "the call returned 0x%" PRIx64 " (recorded: 0x%" PRIx64 "), or wrote different values",
             p->result.word, word_at(item, 1));
    replay_say(r, p->call, p->method, line);
}

/* Waits for the removal, without end if there is no limit, because the recorded device was removed
 * when the program asked. */
static void wait_for_removal(const struct replay *r, struct pending *p, uint64_t then)
{
    const uint64_t limit = r->options->wait;
    if (p->method != METHOD_ID3D12Device_GetDeviceRemovedReason || (int32_t)then >= 0)
        return;
    for (uint64_t i = 0; (int32_t)p->result.word >= 0 && (!limit || i < limit); i++) {
        os_sleep_millisecond();
        call_method((unsigned)p->method, p->self, p->args, &p->result);
    }
}

/* Whether both records of a call have the same arguments by value, which decide the layout. */
static bool has_same_values(const struct pending *p, const uint64_t *then)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    for (uint32_t i = 0; i < m->count; i++)
        if (schema_params[m->first + i].kind < KIND_SCALARS && then[i] != p->args[i])
            return false;
    return true;
}

static bool replay_leave(struct replay *r, const struct trace_item *item)
{
    struct pending *p = pending_of(r, item->thread);
    uint64_t then[CODEC_ARGS] = {0};
    if (!p)
        return false;
    if (!p->is_open || p->call != item->record.call)
        return true;
    if (!replay_is_there(r, p)) {
        p->is_open = false;
        replay_refuse(r, p->call, p->method,
                      "one of the call's objects was released before the call returned");
        return true;
    }
    if (!p->is_made) {
        replay_pause(r, true);
        if (p->method == METHOD_ID3D12Fence_GetCompletedValue && word_at(item, 1) != UINT64_MAX)
            call_fence_wait(p->self, word_at(item, 1));
        replay_pause(r, false);
        replay_make(r, p);
        if ((p->method == METHOD_NONE_D3D12CreateDevice ||
             p->method == METHOD_ID3D12DeviceFactory_CreateDevice) &&
            (int32_t)p->result.word < 0 &&
            (int32_t)word_at(item, 1) >= 0) { /* DXCore's are known once they were listed */
            p->args[0] = 0;
            replay_make(r, p);
        }
    }
    replay_pause(r, true);
    wait_for_removal(r, p, word_at(item, 1));
    replay_pause(r, false);
    p->is_open = false;
    struct codec_in in = decoder(r, p, item, 16);
    in.object = NULL;
    in.object_as = NULL;
    in.address = NULL;
    in.strict = false;
    const struct schema_method_row *m = &schema_methods[p->method];
    if (!codec_decode(&in, m, then, true) || !has_same_values(p, then)) {
        replay_say(r, p->call, p->method, "the record of the call's result is damaged");
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

const char *const replay_kinds[] = {"different", "garbage", "unwritten", "unstable"};

static void compare_memory(struct replay *r, uint64_t call, uint64_t here, uint64_t then)
{
    struct repetition *again = r->again;
    struct unequal_read *read;
    HASH_FIND(hh, again->reads, &r->checks, sizeof r->checks, read);
    const bool is_changed = read && here != read->hash;
    if (again->pass == FIRST_REPLAY && here != then) {
        r->outcome->unequal++;
        replay_say(r, call, -1, "mapped memory differs from the recorded memory");
        TABLE_FIND_OR_ADD(again->reads, number, r->checks, read);
        r->lacks_memory |= !read;
        if (read)
            read->hash = here;
    } else if (again->pass == OTHER_CONTENTS && is_changed) {
        again->has_changed = true;
        read->kind = here == then ? READ_GARBAGE : READ_UNWRITTEN;
    } else if (again->pass == FIRST_CONTENTS && (is_changed || (read && read->kind))) {
        const enum replay_kind kind = is_changed ? READ_UNSTABLE : read->kind;
        r->outcome->kinds[kind]++;
        if (r->options->log)
            fprintf(r->options->log, "call %" PRIu64 ": the unequal read-back is %s\n", call,
                    replay_kinds[kind]);
    }
}

static void replay_memory(struct replay *r, const struct trace_item *item)
{
    struct trace_memory head;
    if (item->size < sizeof head)
        return;
    memcpy(&head, item->data, sizeof head);
    r->checks += item->record.kind == RECORD_CHECK;
    uint8_t *memory = objects_bytes(r->objects, head.object, head.offset, head.size);
    if (!memory) {
        replay_say(r, item->record.call, -1, "the recorded memory is not mapped in the replay");
        return;
    }
    if (item->record.kind == RECORD_CHECK) {
        r->outcome->reads++;
        if (!r->is_repeated) /* otherwise the read may see older memory */
            compare_memory(r, item->record.call, XXH64(memory, head.size, 0), head.hash);
    } else if (head.size <= item->size - sizeof head) {
        if (head.flags & TRACE_MEMORY_SHARED) {
            const bool is_there = memcmp(memory, item->data + sizeof head, head.size) == 0;
            r->outcome->reads += is_there;
            r->outcome->shared += !is_there;
        }
        memcpy(memory, item->data + sizeof head, head.size);
        program_put_tables(r, memory, head.offset, head.size);
    }
}

static void replay_fence(struct replay *r, const struct trace_item *item)
{
    void *fence;
    replay_pause(r, true);
    if (objects_find(r->objects, word_at(item, 0), TYPE_ID3D12Fence, &fence) == OBJECTS_FINE)
        call_fence_wait(fence, word_at(item, 1));
    replay_pause(r, false);
}

static void replay_variable(struct replay *r, const struct trace_item *item)
{
    char name[64], line[160];
    if (surroundings_set_variable(item, r->options->trust, name, sizeof name))
        return;
    snprintf(line, sizeof line, "the trace sets the variable %s; --trust allows it", name);
    replay_refuse(r, item->record.call, -1, line);
}

static void replay_settings(struct replay *r, const struct trace_item *item)
{
    char line[160];
    const char *why = surroundings_put_file(item);
    if (!why)
        return;
    snprintf(line, sizeof line, "the trace's settings file can't be made: %s", why);
    replay_say(r, item->record.call, -1, line);
    r->outcome->skipped++;
}

/* Notes an adapter. Numbers of objects that are not the D3D12 library's have the highest bit. */
static bool replay_adapter(struct replay *r, const struct trace_item *item)
{
    const uint64_t number = word_at(item, 0);
    void *known;
    if (!(number >> 63) || objects_find(r->objects, number, TYPE_IUnknown, &known) == OBJECTS_FINE)
        return true;
    replay_pause(r, true);
    surroundings_list_adapters(replay_export(r, "emu_dxcore_factory"));
    replay_pause(r, false);
    return objects_name_foreign(r->objects, number,
                                surroundings_adapter(word_at(item, 1), word_at(item, 2)));
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
        replay_variable(r, item);
        break;
    case RECORD_FILE:
        replay_settings(r, item);
        break;
    case RECORD_ADAPTER:
        *ok = replay_adapter(r, item);
        break;
    case RECORD_GIVEN:
        p = pending_of(r, item->thread);
        *ok = p != NULL;
        if (p)
            p->given = word_at(item, 0);
        break;
    default:
        break;
    }
}

/* ---- the whole trace ---- */

static bool note_address(struct replay *r, uint64_t call, uint64_t address)
{
    struct address *a;
    TABLE_FIND_OR_ADD(r->addresses, call, call, a);
    if (a && address)
        a->address = address;
    return a != NULL;
}

static bool note_overtaken(struct replay *r, const struct trace_item *item)
{
    struct overtaken *o;
    TABLE_FIND_OR_ADD(r->overtaken, call, item->record.call, o);
    if (o)
        o->behind = word_at(item, 0);
    return o != NULL;
}

/* Reads ahead: the trace has a resource's address, and the return of a call, behind the call, but
 * replay needs them before the call. */
static bool look_ahead(struct replay *r, struct trace *trace)
{
    struct trace_item item;
    bool ok = true;
    while (ok && trace_next(trace, &item)) {
        watch_step(&r->watch, item.record.call);
        if (item.record.kind == RECORD_ADDRESS)
            ok = note_address(r, item.record.call, word_at(&item, 0));
        if (item.record.kind == RECORD_LEAVE && replay_allocates(item.method) &&
            !schema_has_failed(&schema_methods[item.method], word_at(&item, 1)))
            ok = note_address(r, item.record.call, 0);
        if (ok && r->imitate && item.record.kind == RECORD_LEAVE &&
            word_at(&item, 0) != item.record.call)
            ok = note_overtaken(r, &item);
    }
    trace_rewind(trace);
    return ok;
}

/* Gives back all references that replay took. */
static void release_all(struct replay *r)
{
    static const uint64_t no_config[CODEC_ARGS];
    struct call_result result;
    void *configure = replay_export(r, "emu_configure");
    replay_pause(r, true);
    objects_release_all(r->objects);
    if (configure)
        call_export(METHOD_NONE_emu_configure, configure, no_config, &result);
    replay_pause(r, false);
    while (r->kept) {
        struct kept_arena *kept = r->kept;
        r->kept = kept->next;
        codec_arena_destroy(kept->arena);
        free(kept);
    }
    while (r->owned) {
        struct owned *owned = r->owned;
        r->owned = owned->next;
        if (owned->memory)
            os_memory_give(owned->memory, owned->size);
        else if (owned->event && owned->event != UINT64_MAX)
            os_event_close((intptr_t)owned->event);
        free(owned);
    }
    surroundings_free_adapters();
}

static void finish(struct replay *r)
{
    if ((r->options->release || r->again->is_needed) && r->objects)
        release_all(r);
    struct pending *p, *next;
    HASH_ITER(hh, r->pendings, p, next)
    {
        codec_arena_destroy(p->arena);
        free(p->used);
    }
    TABLE_FREE(struct pending, r->pendings)
    TABLE_FREE(struct address, r->addresses)
    TABLE_FREE(struct overtaken, r->overtaken)
    TABLE_FREE(struct program, r->programs)
    free(r->tracked);
    map_destroy(r->map);
    objects_destroy(r->objects);
    if (r->again->is_needed)
        watch_stop(&r->watch); /* the release waits for work, perhaps without end */
    r->again->ticks = r->watch.ticks;
    surroundings_remove_files();
}

/* Plays the records of calls from `first` to `last`; a LEAVE belongs to its call. */
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
        watch_step(&r->watch, item.record.call);
        if (options->loop_first && !r->has_saved && item.record.call >= options->loop_first)
            loop_begin(r, false);
        replay_item(r, &item, &ok);
        ok = ok && !r->lacks_memory;
        if (options->progress && r->outcome->calls % 65536 == 65535)
            options->progress(options->user, item.record.call);
    }
    return ok;
}

/* Repeated replays need a time limit, and write all new memory. */
static bool needs_repetition(const struct replay *r)
{
    const struct replay_options *o = r->options;
    const bool is_needed = r->again->reads && r->is_emulator && !r->imitate && !o->dump &&
                           !o->loop_last && o->late && o->time_limit &&
                           r->taken <= os_physical_memory() / 2;
    r->outcome->repeat = is_needed ? REPEAT_UNFINISHED : REPLAYED_ONCE;
    return is_needed;
}

static bool replay_once(struct trace *trace, const struct replay_options *options,
                        struct repetition *again, struct replay_outcome *outcome, const char **why)
{
    struct replay r = {.options = options,
                       .outcome = outcome,
                       .again = again,
                       .map = map_create(),
                       .objects = objects_create(),
                       .watch = {.call_limit = options->call_limit,
                                 .time_limit = options->time_limit,
                                 .ticks = again->ticks,
                                 .late = options->late,
                                 .user = options->user},
                       .trimmed_from = trace_get_header(trace)->trimmed_from};
    const char *runtime =
        options->runtime || !options->trust ? options->runtime : trace_get_header(trace)->runtime;
    const char *unsafe = NULL;
    bool ok = r.map && r.objects;
    *outcome = (struct replay_outcome){0};
    *why = "out of memory";
    if (options->trust && again->pass == FIRST_REPLAY)
        replay_tell_trust(trace, options);
    else if ((unsafe = surroundings_divert_dumps()) != NULL)
        *why = unsafe;
    surroundings_name_dump(options->dump, trace_get_header(trace)->program);
    r.runtime = runtime && !options->exports ? os_library_load(runtime) : NULL;
    const bool has_runtime = r.runtime || options->exports;
    if (!has_runtime && !unsafe)
        *why = "the D3D12 library can't be loaded; give its path with --runtime";
    void *pause = replay_export(&r, "annot_capture_pause");
    void *imitate = replay_export(&r, "annot_capture_as");
    memcpy(&r.pause, &pause, sizeof pause);
    memcpy(&r.imitate, &imitate, sizeof imitate);
    r.is_emulator = replay_export(&r, "emu_configure") != NULL;
    if (options->dump && has_runtime && !r.is_emulator)
        replay_say(&r, 0, -1, "this D3D12 library writes no dumps; use the emulator for --dump");
    replay_number_calls(&r);
    os_pass_breaks();
    ok = ok && !unsafe && has_runtime && watch_start(&r.watch);
    const bool is_watched = ok;
    ok = ok && look_ahead(&r, trace);
    const uint64_t last = options->loop_last ? options->loop_last
                          : options->until   ? options->until
                                             : UINT64_MAX;
    ok = ok && play(&r, trace, 0, last);
    for (uint64_t i = 1; ok && options->loop_last && i != options->loop_times; i++) {
        loop_begin(&r, true);
        trace_rewind(trace);
        ok = play(&r, trace, options->loop_first, last);
    }
    if (is_watched)
        watch_stop(&r.watch);
    outcome->is_incomplete =
        trace_is_damaged(trace) || !(outcome->calls + outcome->skipped + outcome->refused);
    again->is_needed = ok && needs_repetition(&r) && watch_start(&r.watch);
    finish(&r);
    return ok;
}

bool replay_run(struct trace *trace, const struct replay_options *options,
                struct replay_outcome *outcome, const char **why)
{
    struct repetition again = {0};
    struct replay_outcome last = {0};
    const bool ok = replay_once(trace, options, &again, outcome, why);
    while (again.is_needed && again.pass < (again.has_changed ? FIRST_CONTENTS : OTHER_CONTENTS)) {
        again.pass++;
        surroundings_change_memory(again.pass == FIRST_CONTENTS);
        trace_rewind(trace);
        (void)replay_once(trace, options, &again, &last, &(const char *){NULL});
    }
    if (again.is_needed) {
        outcome->repeat = REPLAYED_AGAIN;
        memcpy(outcome->kinds, last.kinds, sizeof last.kinds);
    }
    TABLE_FREE(struct unequal_read, again.reads)
    return ok;
}
