/* Checks calls before they are made, because a trace may come from a stranger, and a runtime trusts
 * its arguments. */
#include "state.h"

#include "surroundings.h"
#include "array.h"

/* ---- objects ---- */

bool replay_is_lenient(const struct replay *r)
{
    return r->options->trust && r->is_emulator;
}

static bool note_used(struct replay *r, uint64_t number)
{
    struct pending *p = r->current;
    if (!ARRAY_ROOM(p->used, p->used_count, p->used_capacity))
        return false;
    p->used[p->used_count++] = (struct used){number, objects_serial(r->objects, number)};
    return true;
}

/* Whether a stand-in is enough: only runtimes call it, and recordings lack such calls. */
static bool can_stand_in(const struct replay *r, uint16_t type)
{
    return type == TYPE_IUnknown || type == TYPE_ID3D12LifetimeOwner || replay_is_lenient(r);
}

void *replay_object(struct replay *r, uint64_t number, uint16_t type)
{
    void *pointer;
    const enum objects_answer answer = objects_find(r->objects, number, type, &pointer);
    const unsigned long long shown = number & ~(1ull << 63);
    const bool is_argument = r->current->self || r->current->method >= SCHEMA_EXPORT_FIRST;
    if (answer == OBJECTS_FINE ||
        (answer == OBJECTS_OTHER && r->current->self && replay_is_lenient(r))) {
        r->is_missing |= !note_used(r, number);
        return pointer;
    }
    if (answer == OBJECTS_UNKNOWN && number >> 63 && is_argument && can_stand_in(r, type))
        return call_stand_in();
    if (answer == OBJECTS_UNKNOWN)
        r->is_missing = true;
    else if (answer == OBJECTS_GONE)
        snprintf(r->wrong, sizeof r->wrong, "object #%llu was released", shown);
    else
        snprintf(r->wrong, sizeof r->wrong, "object #%llu is not of type %s", shown,
                 schema_interfaces[type - SCHEMA_INTERFACE_FIRST].name);
    return NULL;
}

bool replay_is_there(struct replay *r, const struct pending *p)
{
    for (size_t i = 0; i < p->used_count; i++)
        if (objects_serial(r->objects, p->used[i].number) != p->used[i].serial)
            return false;
    return true;
}

/* ---- code ---- */

/* Returns the text that a member of the structure at `memory` points to, or NULL. */
static const char *text_of(uint16_t type, const char *name, const void *memory)
{
    const struct schema_struct *s = &schema_structs[type];
    const char *text = NULL;
    for (uint32_t i = 0; memory && i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (strcmp(f->name, name) == 0)
            memcpy(&text, (const char *)memory + f->offset, sizeof text);
    }
    return text;
}

const char *replay_driver_of(int method, const uint64_t *args)
{
    const void *first = (const void *)(uintptr_t)args[0];
    if (method == METHOD_NONE_emu_configure)
        return text_of(TYPE_emu_config, "driver", first);
    return method == METHOD_NONE_emu_adapter_create || method == METHOD_NONE_emu_driver_annotation
               ? first
               : NULL;
}

/* Refuses a call that would load code. */
static const char *names_code(const struct replay *r, const struct pending *p)
{
    const char *driver = replay_driver_of(p->method, p->args);
    if (driver && !surroundings_is_built_in(driver))
        return "the call names a driver that is not built in; --trust allows it";
    const bool is_sdk = p->method == METHOD_ID3D12SDKConfiguration_SetSDKVersion ||
                        p->method == METHOD_ID3D12SDKConfiguration1_CreateDeviceFactory;
    return is_sdk && !r->is_emulator ? "the call names a D3D12 library; --trust allows it" : NULL;
}

/* ---- memory and handles ---- */

#define LEFT_OUT ((uint64_t)1 << 30) /* memory of more bytes is recorded as empty */

/* Checks the bytes of a box, for which the call has no count. */
static const char *lacks_bytes(struct replay *r, const struct pending *p)
{
    const bool is_written = p->method == METHOD_ID3D12Resource_WriteToSubresource;
    if (!is_written && p->method != METHOD_ID3D12Resource_ReadFromSubresource)
        return NULL;
    const uint64_t memory = is_written ? 2 : 0;
    const uint64_t size = resource_box_size((uint16_t)p->method, p->self, p->args);
    const bool is_left_out = size > LEFT_OUT && replay_is_lenient(r);
    return p->args[memory] && p->counts[memory] < size && !is_left_out
               ? "the call's D3D12_BOX needs more bytes than the trace has"
               : NULL;
}

/* Whether `count` descriptors from `here` on are in a living heap. The emulator checks handles
 * itself. */
static bool has_descriptors(struct replay *r, uint8_t kind, uint64_t here, uint64_t count)
{
    struct map_owner owner;
    void *heap;
    uint32_t step = 0;
    if (r->is_emulator || !here || !count)
        return true;
    const uint64_t left = map_find_owner(r->map, kind, here, &owner);
    if (!left || objects_serial(r->objects, owner.number) != owner.serial ||
        objects_find(r->objects, owner.number, TYPE_ID3D12DescriptorHeap, &heap) != OBJECTS_FINE)
        return false;
    call_heap_span(heap, &step);
    return step && count <= left / step && left % step == 0;
}

bool replay_has_descriptor(struct replay *r, uint8_t kind, uint64_t here)
{
    if (!has_descriptors(r, kind, here, 1))
        snprintf(r->wrong, sizeof r->wrong, "a descriptor handle does not lie in a heap");
    return !r->wrong[0];
}

/* Checks ranges of descriptors; `sizes` NULL: each range has one descriptor. */
static bool has_ranges(struct replay *r, uint64_t count, uint64_t starts, uint64_t sizes)
{
    for (uint64_t i = 0; starts && i < count; i++) {
        uint64_t start;
        uint32_t size = 1;
        memcpy(&start, (const char *)(uintptr_t)starts + 8 * i, sizeof start);
        if (sizes)
            memcpy(&size, (const char *)(uintptr_t)sizes + 4 * i, sizeof size);
        if (!has_descriptors(r, KIND_C, start, size))
            return false;
    }
    return true;
}

/* Checks the descriptors behind the handles of a call. */
static const char *lacks_descriptors(struct replay *r, const struct pending *p)
{
    const uint64_t *a = p->args;
    bool has = true;
    if (r->is_emulator)
        return NULL;
    if (p->method == METHOD_ID3D12Device_CopyDescriptorsSimple)
        has = has_descriptors(r, KIND_C, a[1], (uint32_t)a[0]) &&
              has_descriptors(r, KIND_C, a[2], (uint32_t)a[0]);
    else if (p->method == METHOD_ID3D12Device_CopyDescriptors)
        has =
            has_ranges(r, (uint32_t)a[0], a[1], a[2]) && has_ranges(r, (uint32_t)a[3], a[4], a[5]);
    else if (p->method == METHOD_ID3D12GraphicsCommandList_OMSetRenderTargets && a[1] && a[2])
        has = has_descriptors(r, KIND_C, *(const uint64_t *)(uintptr_t)a[1], (uint32_t)a[0]);
    return has ? NULL : "the call's descriptors go beyond the end of the heap";
}

/* Refuses a feature whose structure the table lacks, because it may have pointers. */
static const char *lacks_layout(struct replay *r, const struct pending *p)
{
    const bool is_feature = p->method == METHOD_ID3D12Device_CheckFeatureSupport ||
                            p->method == METHOD_ID3D12VideoDevice_CheckFeatureSupport;
    return is_feature && !r->is_emulator && p->args[1] &&
                   codec_shape(&schema_methods[p->method], 1, p->args).elem != KIND_S
               ? "the call asks for a feature that the table of calls doesn't have"
               : NULL;
}

/* Whether the call reads or writes data with a size that the table lacks. vkd3d-proton's own
 * interfaces have nothing that another process could use. */
static const char *lacks_size(struct replay *r, const struct pending *p)
{
    static const char *const own[] = {"IDXGIVk",
                                      "ID3D12DeviceExt",
                                      "ID3D12DXVKInterop",
                                      "ID3DLowLatency",
                                      "IAmdExt",
                                      "ID3D12GraphicsCommandListExt",
                                      "ID3D12CommandQueueExt"};
    (void)r;
    if (p->method == METHOD_ID3D12Device15_ResolveQueryData)
        return "the call writes into the program's memory, but the size is unknown";
    if (p->method == METHOD_ID3D12Device12_GetResourceAllocationInfo3 && p->args[3])
        return "the trace lacks the call's lists of castable formats";
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(schema_methods[p->method].iface, own[i], strlen(own[i])) == 0)
            return "only vkd3d-proton has the call's interface";
    return NULL;
}

/* Checks the emulator's functions on a device, a list or a queue, which expect such an object. */
static const char *lacks_device(struct replay *r, const struct pending *p)
{
    static const uint16_t types[] = {
        TYPE_ID3D12Device, /* the others are for functions on a list or a queue */
        TYPE_ID3D12GraphicsCommandList,
        TYPE_ID3D12CommandQueue,
        TYPE_ID3D12VideoDecodeCommandList,
        TYPE_ID3D12VideoEncodeCommandList,
        TYPE_ID3D12VideoProcessCommandList,
    };
    const int method = p->method;
    const bool takes_a_device =
        method == METHOD_NONE_emu_run_until_idle || method == METHOD_NONE_emu_run_steps ||
        method == METHOD_NONE_emu_advance_clock || method == METHOD_NONE_emu_force_tdr ||
        method == METHOD_NONE_emu_annot_device;
    void *found;
    if (!takes_a_device && method != METHOD_NONE_emu_begin_event_by_reference &&
        method != METHOD_NONE_emu_set_marker_by_reference)
        return NULL;
    const size_t end = takes_a_device ? 1 : sizeof types / sizeof types[0];
    for (size_t k = !takes_a_device; k < end && p->used_count; k++)
        if (objects_find(r->objects, p->used[0].number, types[k], &found) == OBJECTS_FINE)
            return NULL;
    return "the call's first object must be a device, list or queue";
}

bool replay_check(struct replay *r, const struct pending *p)
{
    static const char *(*const checks[])(struct replay *, const struct pending *) = {
        lacks_bytes, lacks_descriptors, lacks_layout, lacks_size, lacks_device};
    const char *wrong = r->options->trust ? NULL : names_code(r, p);
    replay_pause(r, true);
    for (size_t i = 0; !wrong && i < sizeof checks / sizeof checks[0]; i++)
        wrong = checks[i](r, p);
    replay_pause(r, false);
    if (wrong)
        replay_refuse(r, p->call, p->method, wrong);
    return !wrong;
}
