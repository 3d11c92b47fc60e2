/* Makes recorded calls that need more than their arguments. */
#include "state.h"

/* ---- calls that need preparation ---- */

/* Whether the call may return only after calls of other threads. */
bool replay_waits(const struct pending *p)
{
    switch (p->method) {
    case METHOD_ID3D12Fence_SetEventOnCompletion:
        return p->args[1] == 0;
    case METHOD_ID3D12Device1_SetEventOnMultipleFenceCompletion:
        return p->args[4] == 0;
    case METHOD_ID3D12Fence_GetCompletedValue:
        return true; /* for the value that the call returned */
    case METHOD_NONE_D3D12CreateDevice:
    case METHOD_ID3D12DeviceFactory_CreateDevice:
        return p->args[0] != 0; /* the recorded adapter may be unknown here */
    case METHOD_IUnknown_Release:
        return true; /* threads race: taking references early and giving them back late is safe */
    default:
        return false;
    }
}

/* Whether a call has memory without a recorded size. */
static bool is_left_out(const struct pending *p)
{
    return p->method == METHOD_ID3D12Device3_OpenExistingHeapFromFileMapping && p->args[0] != 0 &&
           p->args[0] != UINT64_MAX;
}

/* These are paths of the recorded machine; the caller chooses the dump's path. The trace has no
 * functions of a kernel driver. */
static void prepare(struct replay *r, struct pending *p)
{
    const struct schema_struct *s = &schema_structs[TYPE_emu_config];
    if (p->method != METHOD_NONE_emu_configure || !p->args[0])
        return;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        const bool is_path = strcmp(f->name, "dump_path") == 0;
        const uint64_t word = is_path ? (uint64_t)(uintptr_t)r->options->dump : 0;
        if (is_path || strcmp(f->name, "kernel_driver") == 0)
            memcpy((char *)(uintptr_t)p->args[0] + f->offset, &word, sizeof word);
    }
}

/* ---- addresses ---- */

#define APART      ((uint64_t)1 << 46) /* an address that no trace should have */
#define APART_STEP ((uint64_t)4 << 20) /* the alignment of textures with several samples */
#define APART_MOST ((uint64_t)1 << 36) /* larger resources get no address */

bool replay_allocates(int method)
{
    static const uint16_t methods[] = {
        METHOD_ID3D12Device_CreateCommittedResource,
        METHOD_ID3D12Device4_CreateCommittedResource1,
        METHOD_ID3D12Device8_CreateCommittedResource2,
        METHOD_ID3D12Device10_CreateCommittedResource3,
        METHOD_ID3D12Device_CreateReservedResource,
        METHOD_ID3D12Device4_CreateReservedResource1,
        METHOD_ID3D12Device10_CreateReservedResource2,
        METHOD_ID3D12Device_CreateHeap,
        METHOD_ID3D12Device4_CreateHeap1,
    };
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (methods[i] == method)
            return true;
    return replay_opens_memory(method);
}

bool replay_opens_memory(int method)
{
    return method == METHOD_ID3D12Device3_OpenExistingHeapFromAddress ||
           method == METHOD_ID3D12Device13_OpenExistingHeapFromAddress1;
}

/* An upper bound of the memory that the call allocates: pixels have at most 16 bytes, and all other
 * mips are smaller than the first. */
static uint64_t size_at_most(const struct pending *p)
{
    const bool is_heap = p->method == METHOD_ID3D12Device_CreateHeap ||
                         p->method == METHOD_ID3D12Device4_CreateHeap1;
    const bool is_reserved = p->method == METHOD_ID3D12Device_CreateReservedResource ||
                             p->method == METHOD_ID3D12Device4_CreateReservedResource1 ||
                             p->method == METHOD_ID3D12Device10_CreateReservedResource2;
    if (replay_opens_memory(p->method))
        return p->given;
    const uint64_t desc = p->args[is_heap || is_reserved ? 0 : 2];
    return !desc     ? 0
           : is_heap ? call_heap_desc_size((const void *)(uintptr_t)desc)
                     : call_resource_desc_size((const void *)(uintptr_t)desc);
}

/* Returns an address outside of all recorded addresses for a texture, because the trace has no
 * address for the texture. 0: no address is free. */
static uint64_t address_apart(struct replay *r, const struct pending *p)
{
    const uint64_t size = size_at_most(p), at = APART + r->apart;
    if (size > APART_MOST || r->apart > APART - 2 * APART_MOST)
        return 0;
    r->apart += (size / APART_STEP + 2) * APART_STEP;
    return at;
}

/* Sets each allocation's recorded address; without an address the runtime chooses one. */
static void make_method(struct replay *r, struct pending *p)
{
    struct address *address;
    bool is_asked = false;
    HASH_FIND(hh, r->addresses, &p->call, sizeof p->call, address);
    if (replay_allocates(p->method)) {
        uint64_t where = address ? address->address : 0;
        if (!where)
            where = p->asked;
        if (!where && address)
            where = address_apart(r, p);
        replay_pause(r, true);
        is_asked = call_set_address(p->self, where) && where && where != p->asked;
        replay_pause(r, false);
        p->asked = 0;
    }
    call_method((unsigned)p->method, p->self, p->args, &p->result);
    if (is_asked && (int32_t)p->result.word < 0)
        call_method((unsigned)p->method, p->self, p->args, &p->result);
    if (replay_allocates(p->method) && (int32_t)p->result.word >= 0)
        r->taken += size_at_most(p);
    if (p->method == METHOD_ID3D12DeviceTools_SetNextAllocationAddress)
        p->asked = p->args[0];
}

/* Recordings in a dump of this run get the trace's numbers. */
static uint64_t number_now;

static uint64_t current_number(void)
{
    return number_now;
}

/* Makes dumps of a new device tell that they come from a replay. */
static void tell_device(struct replay *r, const struct pending *p)
{
    void *made;
    char by[1100];
    const bool is_creation = p->method == METHOD_NONE_D3D12CreateDevice ||
                             p->method == METHOD_ID3D12DeviceFactory_CreateDevice;
    const uint64_t to = is_creation ? p->args[schema_methods[p->method].count - 1] : 0;
    if (!to || !r->options->name || (int32_t)p->result.word < 0)
        return;
    memcpy(&made, (const void *)(uintptr_t)to, sizeof made);
    snprintf(by, sizeof by, "annot replay %.1000s", r->options->name);
    resource_set_fact(made, replay_export(r, "emu_annot_device"),
                      replay_export(r, "annot_device_set_fact"), "replayed by", by);
}

void replay_make(struct replay *r, struct pending *p)
{
    const struct schema_method_row *m = &schema_methods[p->method];
    p->is_made = true;
    number_now = p->call;
    replay_imitate(r, p);
    memset(&p->result, 0, sizeof p->result);
    const bool is_export = p->method >= SCHEMA_EXPORT_FIRST;
    void *function = is_export ? replay_export(r, m->name) : NULL;
    if (is_left_out(p) || (is_export && !function)) {
        replay_say(r, p->call, p->method,
                   is_export ? "call not made: this runtime lacks the function"
                             : "call not made: the trace lacks the memory that the program passed");
        r->outcome->skipped++;
        p->is_open = false;
        return;
    }
    if (is_export) {
        prepare(r, p);
        call_export((unsigned)p->method, function, p->args, &p->result);
        if (p->method == METHOD_NONE_emu_configure)
            replay_keep_arena(r, p); /* a driver's table is static data */
    } else {
        make_method(r, p);
    }
    replay_pause(r, true);
    tell_device(r, p);
    replay_count_references(r, p);
    replay_pause(r, false);
    r->outcome->calls++;
}

void replay_number_calls(const struct replay *r)
{
    void (*set)(uint64_t(*)(void));
    void *found = replay_export(r, "annot_set_call_counter");
    memcpy(&set, &found, sizeof found);
    if (found)
        set(current_number);
}
