/* Writes a DirectX dump file's data of the system, the device's configuration and the runtime's
 * last messages, as keys and values. */
#include "dxdmp/made.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { JOURNAL_SAID = 64, OBJECTS_SAID = 32 };

void dxdmp_put_fact(struct dxdmp_made *made, const char *key, const char *format, ...)
{
    char text[2 * DXDMP_NAME_MAX];
    const size_t key_size = strlen(key);
    const struct annot__dump_FACT fields = {.source = ANNOT_FACT_LIBRARY,
                                            .key_size = (uint32_t)key_size};
    va_list arguments;
    memcpy(text, key, key_size);
    va_start(arguments, format);
    vsnprintf(text + key_size, sizeof text - key_size, format, arguments);
    va_end(arguments);
    DXDMP_PUT(made, FACT, &fields, text, strlen(text));
}

static void put_string(struct dxdmp_made *made, const char *key,
                       const struct dxdmp_section *section, size_t offset)
{
    char name[DXDMP_NAME_MAX];
    if (dxdmp_name(made, section, offset, name) > 0)
        dxdmp_put_fact(made, key, "%s", name);
}

/* ---- the system ---- */

enum { MEBI = 1024 * 1024 };

static void put_mebi(struct dxdmp_made *made, const char *key, const char *format, uint64_t bytes,
                     uint64_t other)
{
    if (bytes > 0 || other > 0)
        dxdmp_put_fact(made, key, format, bytes / MEBI, other / MEBI);
}

static const char *vendor_text(uint32_t vendor)
{
    return vendor == 0x10DE                           ? " (NVIDIA)"
           : vendor == 0x1002                         ? " (AMD)"
           : vendor == 0x8086                         ? " (Intel)"
           : vendor == 0x1414                         ? " (Microsoft)"
           : vendor == 0x5143 || vendor == 0x4D4F4351 ? " (Qualcomm)"
                                                      : "";
}

static void put_adapter(struct dxdmp_made *made)
{
    enum { VENDOR = 256, DEDICATED = 272, SHARED = 288, USED = 328, LEVEL = 360 };
    const struct dxdmp *from = made->from;
    const struct dxdmp_section *of = dxdmp_first_section(from, DXDMP_ADAPTER);
    const uint32_t vendor = dxdmp_u32(from, of, VENDOR), level = dxdmp_u32(from, of, LEVEL);
    const uint64_t dedicated = dxdmp_u64(from, of, USED + 8),
                   shared = dxdmp_u64(from, of, USED + 24);
    if (vendor != 0)
        dxdmp_put_fact(
            made, "adapter ID", "vendor 0x%04x%s, device 0x%04x, subsystem 0x%08x, revision %u",
            (unsigned)vendor, vendor_text(vendor), (unsigned)dxdmp_u32(from, of, VENDOR + 4),
            (unsigned)dxdmp_u32(from, of, VENDOR + 8), (unsigned)dxdmp_u32(from, of, VENDOR + 12));
    put_mebi(made, "adapter memory", "%" PRIu64 " MiB dedicated, %" PRIu64 " MiB shared",
             dxdmp_u64(from, of, DEDICATED), dxdmp_u64(from, of, SHARED));
    if (dedicated > 0)
        put_mebi(made, "video memory", "%" PRIu64 " MiB used, of a budget of %" PRIu64 " MiB",
                 dxdmp_u64(from, of, USED), dedicated);
    if (shared > 0)
        put_mebi(made, "shared memory", "%" PRIu64 " MiB used, of a budget of %" PRIu64 " MiB",
                 dxdmp_u64(from, of, USED + 16), shared);
    if (level != 0) /* D3D_FEATURE_LEVEL has a digit for each part of the version */
        dxdmp_put_fact(made, "feature level", "%u_%u at least", (unsigned)level >> 12,
                       (unsigned)level >> 8 & 15);
}

static void put_os(struct dxdmp_made *made)
{
    enum { BUILD = 8, TYPE = 22, EDITION = 24, FLAGS = 28, TEXT = 32 };
    const struct dxdmp_section *os = dxdmp_first_section(made->from, DXDMP_OS);
    const unsigned build = dxdmp_u32(made->from, os, BUILD);
    const unsigned edition = dxdmp_u32(made->from, os, EDITION);
    char name[DXDMP_NAME_MAX];
    const size_t size = dxdmp_name(made, os, TEXT, name);
    if (size > 0 || build != 0)
        dxdmp_put_fact(made, "system", build != 0 ? "%s, build %u" : "%s",
                       size > 0 ? name : "Windows", build);
    if (edition != 0 || dxdmp_u32(made->from, os, FLAGS) != 0)
        dxdmp_put_fact(made, "edition", "number %u%s%s", edition,
                       (dxdmp_u32(made->from, os, TYPE - 2) >> 16 & 255) > 1 ? ", a server" : "",
                       dxdmp_u32(made->from, os, FLAGS) & 1 ? ", in developer mode" : "");
}

static void put_system(struct dxdmp_made *made)
{
    enum { PRODUCT = 8, ENGINE = 24 /* offsets of names behind 64-bit versions */ };
    enum { LOGICAL = 8, CORES = 36, CLOCK = 44, NAME = 48 /* of the first package */ };
    const struct dxdmp *from = made->from;
    const struct dxdmp_section *application = dxdmp_first_section(from, DXDMP_APPLICATION);
    const struct dxdmp_section *cpu = dxdmp_first_section(from, DXDMP_CPU);
    const struct dxdmp_section *memory = dxdmp_first_section(from, DXDMP_SYSTEM_MEMORY);
    char name[DXDMP_NAME_MAX];
    put_string(made, "product", application, PRODUCT);
    put_string(made, "engine", application, ENGINE);
    put_os(made);
    put_adapter(made);
    if (dxdmp_name(made, cpu, NAME, name) > 0)
        dxdmp_put_fact(made, "CPU", "%s, packages: %u, cores: %u, threads: %u, %u MHz", name,
                       (unsigned)dxdmp_u32(from, cpu, 0), (unsigned)dxdmp_u32(from, cpu, CORES),
                       (unsigned)dxdmp_u32(from, cpu, LOGICAL),
                       (unsigned)dxdmp_u32(from, cpu, CLOCK));
    put_mebi(made, "memory", "%" PRIu64 " MiB, %" PRIu64 " MiB free", dxdmp_u64(from, memory, 0),
             dxdmp_u64(from, memory, 8));
    put_mebi(made, "page file", "%" PRIu64 " MiB, %" PRIu64 " MiB free",
             dxdmp_u64(from, memory, 16), dxdmp_u64(from, memory, 24));
}

/* ---- the device ---- */

static const char *removed_text(uint32_t hresult)
{
    return hresult == 0            ? "S_OK"
           : hresult == 0x887A0001 ? "DXGI_ERROR_INVALID_CALL"
           : hresult == 0x887A0005 ? "DXGI_ERROR_DEVICE_REMOVED"
           : hresult == 0x887A0006 ? "DXGI_ERROR_DEVICE_HUNG"
           : hresult == 0x887A0007 ? "DXGI_ERROR_DEVICE_RESET"
           : hresult == 0x887A0020 ? "DXGI_ERROR_DRIVER_INTERNAL_ERROR"
                                   : "unknown";
}

/* D3D12_DRED_DEVICE_STATE */
static const char *state_text(uint32_t state)
{
    return state == 3 ? "hung" : state == 6 ? "faulted" : state == 7 ? "page fault" : "unknown";
}

/* Names of the bits, from bit 0 on; bits without a name are said by their number. */
static void put_bits(struct dxdmp_made *made, const char *key, uint32_t bits,
                     const char *const *names, unsigned count)
{
    char text[DXDMP_NAME_MAX] = "none";
    size_t used = 0;
    for (unsigned i = 0; i < 32; i++) {
        if (!(bits >> i & 1))
            continue;
        const char *comma = used > 0 ? ", " : "";
        used +=
            (size_t)(i < count ? snprintf(text + used, sizeof text - used, "%s%s", comma, names[i])
                               : snprintf(text + used, sizeof text - used, "%sbit %u", comma, i));
    }
    dxdmp_put_fact(made, key, "%s", text);
}

/* D3D12_DEVICE_FLAGS, and D3D12_DUMP_FILE_DRIVER_OPTIONS. */
static void put_configuration(struct dxdmp_made *made)
{
    static const char *const flags[] = {"debug layer",
                                        "GPU-based validation",
                                        "no synchronized queue validation",
                                        "DRED breadcrumbs",
                                        "DRED page faults",
                                        "DRED to Watson",
                                        "DRED breadcrumb contexts",
                                        "only markers have DRED breadcrumbs",
                                        "shader instrumentation",
                                        "automatic names",
                                        "legacy state validation"};
    static const char *const options[] = {"no overhead",  "medium overhead",  "high overhead",
                                          "no data",      "shader registers", "resources",
                                          "event markers"};
    enum { SDK = 8, TIER = 4, FLAGS_AND_OPTIONS = 8, BY_KERNEL = 1 };
    const struct dxdmp_section *device =
        dxdmp_first_section(made->from, DXDMP_DEVICE_CONFIGURATION);
    const struct dxdmp_section *caps = dxdmp_first_section(made->from, DXDMP_CAPS);
    if (device && device->size >= SDK + 4) {
        put_bits(made, "device", dxdmp_u32(made->from, device, 0), flags,
                 sizeof flags / sizeof *flags);
        dxdmp_put_fact(made, "SDK", "%u", (unsigned)dxdmp_u32(made->from, device, SDK));
    }
    if (!caps || caps->size < 20)
        return;
    /* the feature's struct may grow: the options are the last but one of the section */
    put_bits(made, "driver data", dxdmp_u32(made->from, caps, caps->size - FLAGS_AND_OPTIONS),
             options, sizeof options / sizeof *options);
    dxdmp_put_fact(made, "dump tier", "%u%s", (unsigned)dxdmp_u32(made->from, caps, TIER),
                   dxdmp_u32(made->from, caps, caps->size - 4) & BY_KERNEL
                       ? ""
                       : ", without the kernel-mode driver");
}

/* ---- its last moments ---- */

/* The runtime's last error events, under the keys of its messages. */
static void put_journal(struct dxdmp_made *made)
{
    enum { SIZE = 64, THREAD = 4, TICK = 8, CALLER = 48, MESSAGE = 56 };
    struct dxdmp_thing event = {0};
    char text[DXDMP_NAME_MAX], key[32];
    while (event.number < JOURNAL_SAID && dxdmp_next(made->from, DXDMP_EVENTS, &event)) {
        const size_t at = (size_t)event.element * SIZE;
        const size_t size = dxdmp_name(made, event.section, at + MESSAGE, text);
        snprintf(key, sizeof key, "message.%u", (unsigned)event.number);
        dxdmp_put_fact(made, key, "%s%s(number %u, thread %u, tick %u, caller 0x%" PRIx64 ")",
                       size > 0 ? text : "", size > 0 ? " " : "",
                       (unsigned)dxdmp_u32(made->from, event.section, at),
                       (unsigned)dxdmp_u32(made->from, event.section, at + THREAD),
                       (unsigned)dxdmp_u32(made->from, event.section, at + TICK),
                       dxdmp_u64(made->from, event.section, at + CALLER));
    }
}

/* Words for the heap's type, from D3D12_HEAP_TYPE_DEFAULT on. */
static const char *heap_text(uint32_t type)
{
    static const char *const words[] = {"default", "upload", "readback", "custom", "gpu upload"};
    return type - 1 < sizeof words / sizeof *words ? words[type - 1] : "unknown";
}

/* Describes the data behind an object's handle. Returns false if there is no fact about it. */
static bool describe(const struct dxdmp_made *made, const struct dxdmp_thing *thing,
                     const struct dxdmp_object *object, char *text, size_t size)
{
    enum { FIRST = 24 };
    const struct dxdmp_section *section = thing->section;
    const size_t at = (size_t)thing->element * section->element_size + FIRST;
    const uint64_t value = dxdmp_u64(made->from, section, at);
    if (section->type == DXDMP_FENCES)
        snprintf(text, size, "is at %" PRIu64 "%s", object->completed,
                 object->completed == UINT64_MAX ? ", as after a removal" : "");
    else if (section->type == DXDMP_HEAPS)
        snprintf(text, size, "has %" PRIu64 " bytes, of type %s%s", value,
                 heap_text(dxdmp_u32(made->from, section, at + 8)),
                 object->address != 0 && object->address == made->fault_heap
                     ? "; the buffer at or next to the fault is in this heap"
                     : "");
    else if (section->type == DXDMP_DESCRIPTOR_HEAPS)
        snprintf(text, size, "has %" PRIu64 " descriptors, of type %u%s", value >> 32,
                 (unsigned)value,
                 dxdmp_u32(made->from, section, at + 8) & 1 ? ", for shaders" : "");
    else if (object->code_size > 0)
        snprintf(text, size, "has %" PRIu64 " bytes, with XXH3 %016" PRIx64, object->code_size,
                 XXH3_64bits(object->code, (size_t)object->code_size));
    else
        return false;
    return true;
}

/* Writes facts about the first objects of a kind for which the file has more than a name. */
static void put_described(struct dxdmp_made *made, uint32_t type, const char *key)
{
    struct dxdmp_thing thing = {0};
    struct dxdmp_object object;
    char name[DXDMP_NAME_MAX], text[256];
    uint32_t count = 0;
    while (dxdmp_next(made->from, DXDMP_OBJECTS, &thing)) {
        if (thing.section->type != type)
            continue;
        dxdmp_object_of(made->from, &thing, &object);
        if (object.code_size > made->code_left ||
            !describe(made, &thing, &object, text, sizeof text) || count++ >= OBJECTS_SAID)
            continue;
        made->code_left -= object.code_size;
        const size_t size = dxdmp_name(made, thing.section, object.name, name);
        if (size == 0)
            snprintf(name, sizeof name, "#%u", (unsigned)thing.number);
        dxdmp_put_fact(made, key, size > 0 ? "\"%s\" %s" : "%s %s", name, text);
    }
    if (count > OBJECTS_SAID)
        dxdmp_put_fact(made, key, "%u more", (unsigned)(count - OBJECTS_SAID));
}

static void put_findings(struct dxdmp_made *made)
{
#define FINDING_TEXT(name, is_damage, text) text,
    static const char *const texts[] = {DXDMP_FINDINGS(FINDING_TEXT)};
    for (int slot = 0; slot < DXDMP_FINDING_SLOTS; slot++)
        if (made->from->findings[slot].count > 0)
            dxdmp_put_fact(made, "file", "%s: %" PRIu64 ", the first at byte %" PRIu64, texts[slot],
                           made->from->findings[slot].count, made->from->findings[slot].offset);
}

void dxdmp_put_facts(struct dxdmp_made *made)
{
    enum { STATE = 4, REASON = 8, GUID = 16 };
    const struct dxdmp_section *dred = dxdmp_first_section(made->from, DXDMP_DRED);
    const uint32_t reason = dxdmp_u32(made->from, dred, REASON);
    const uint32_t left_out = made->from->counts[DXDMP_NODES] - made->node_count;
    char guid[2 * GUID + 1];
    for (size_t i = 0; i < GUID; i++)
        snprintf(guid + 2 * i, 3, "%02x", made->from->bytes[DXDMP_HEADER_GUID + i]);
    put_system(made);
    if (dred)
        dxdmp_put_fact(made, "removed", "%s (0x%08x), device state: %s", removed_text(reason),
                       (unsigned)reason, state_text(dxdmp_u32(made->from, dred, STATE)));
    put_configuration(made);
    dxdmp_put_fact(made, "GUID", "%s%s%s", guid,
                   dxdmp_header(made->from, DXDMP_HEADER_UPLOADED, 4) ? ", uploaded to Watson" : "",
                   dxdmp_header(made->from, DXDMP_HEADER_DEBUGGED, 4) ? ", after live debugging"
                                                                      : "");
    if (left_out > 0)
        dxdmp_put_fact(made, "lists", "%u of DRED's lists are left out: DRED has too many",
                       (unsigned)left_out);
    if (made->is_joined)
        dxdmp_put_fact(made, "names",
                       "markers of DRED's lists have their names from the allocators: for each "
                       "list, exactly one allocator has the same number of markers");
    put_journal(made);
    put_described(made, DXDMP_FENCES, "fence");
    put_described(made, DXDMP_HEAPS, "heap");
    put_described(made, DXDMP_DESCRIPTOR_HEAPS, "descriptor heap");
    put_described(made, DXDMP_PIPELINE_STATES, "pipeline");
    put_described(made, DXDMP_STATE_OBJECTS, "state object");
    put_described(made, DXDMP_ROOT_SIGNATURES, "root signature");
    put_findings(made);
}
