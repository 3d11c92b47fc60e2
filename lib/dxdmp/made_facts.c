/* Writes a DirectX dump file's data of the system, the device's configuration and the runtime's
 * last messages, as keys and values. */
#include "dxdmp/made.h"

#include <annot/ddi.h>
#include <annot/dump.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { JOURNAL_SAID = 64, FENCES_SAID = 32 };

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

static void put_memory(struct dxdmp_made *made)
{
    enum { DEDICATED_USED = 328, DEDICATED_BUDGET = 336, MEBI = 1024 * 1024 };
    const struct dxdmp_section *adapter = dxdmp_first_section(made->from, DXDMP_ADAPTER);
    const struct dxdmp_section *memory = dxdmp_first_section(made->from, DXDMP_SYSTEM_MEMORY);
    const uint64_t budget = dxdmp_u64(made->from, adapter, DEDICATED_BUDGET);
    const uint64_t size = dxdmp_u64(made->from, memory, 0);
    if (budget > 0)
        dxdmp_put_fact(made, "video memory", "%" PRIu64 " MiB used, of a budget of %" PRIu64 " MiB",
                       dxdmp_u64(made->from, adapter, DEDICATED_USED) / MEBI, budget / MEBI);
    if (size > 0)
        dxdmp_put_fact(made, "memory", "%" PRIu64 " MiB, %" PRIu64 " MiB free", size / MEBI,
                       dxdmp_u64(made->from, memory, 8) / MEBI);
}

static void put_system(struct dxdmp_made *made)
{
    enum { PRODUCT = 8, ENGINE = 24 /* each behind a version of 64 bits */ };
    enum { VENDOR = 256, DEVICE = 260, OS_BUILD = 8, OS_TEXT = 32 };
    enum { CPU_NAME = 48 }; /* length of the first package's name */
    const struct dxdmp_section *application = dxdmp_first_section(made->from, DXDMP_APPLICATION);
    const struct dxdmp_section *adapter = dxdmp_first_section(made->from, DXDMP_ADAPTER);
    const struct dxdmp_section *os = dxdmp_first_section(made->from, DXDMP_OS);
    const unsigned vendor = dxdmp_u32(made->from, adapter, VENDOR);
    const unsigned build = dxdmp_u32(made->from, os, OS_BUILD);
    char name[DXDMP_NAME_MAX];
    put_string(made, "product", application, PRODUCT);
    put_string(made, "engine", application, ENGINE);
    const size_t size = dxdmp_name(made, os, OS_TEXT, name);
    if (size > 0 || build != 0)
        dxdmp_put_fact(made, "system", build != 0 ? "%s, build %u" : "%s",
                       size > 0 ? name : "Windows", build);
    if (vendor != 0)
        dxdmp_put_fact(made, "adapter ID", "vendor 0x%04x, device 0x%04x", vendor,
                       (unsigned)dxdmp_u32(made->from, adapter, DEVICE));
    put_string(made, "CPU", dxdmp_first_section(made->from, DXDMP_CPU), CPU_NAME);
    put_memory(made);
}

/* ---- the device ---- */

static const char *removed_text(uint32_t hresult)
{
    return hresult == 0            ? "S_OK"
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
                                        "DRED breadcrumbs of markers only",
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
    enum { SIZE = 64, THREAD = 4, TICK = 8, MESSAGE = 56 };
    char text[DXDMP_NAME_MAX], key[32];
    unsigned said = 0;
    for (uint32_t i = 0; i < made->from->section_count; i++) {
        const struct dxdmp_section *section = &made->from->sections[i];
        if (!section->is_memory || section->type != DXDMP_JOURNAL)
            continue;
        for (uint32_t k = 0; k < section->count && said < JOURNAL_SAID; k++, said++) {
            const size_t at = (size_t)k * SIZE;
            const size_t size = dxdmp_name(made, section, at + MESSAGE, text);
            snprintf(key, sizeof key, "message.%u", said + 1);
            dxdmp_put_fact(made, key, "%s%s(number %u, thread %u, tick %u)", size > 0 ? text : "",
                           size > 0 ? " " : "", (unsigned)dxdmp_u32(made->from, section, at),
                           (unsigned)dxdmp_u32(made->from, section, at + THREAD),
                           (unsigned)dxdmp_u32(made->from, section, at + TICK));
        }
    }
}

static void put_fences(struct dxdmp_made *made)
{
    struct dxdmp_thing thing = {0};
    struct dxdmp_object object;
    char name[DXDMP_NAME_MAX];
    uint32_t count = 0;
    while (dxdmp_next(made->from, DXDMP_OBJECTS, &thing)) {
        dxdmp_object_of(made->from, &thing, &object);
        if (object.kind != D3D12DDI_HT_FENCE || count++ >= FENCES_SAID)
            continue;
        const size_t size = dxdmp_name(made, thing.section, object.name, name);
        if (size == 0)
            snprintf(name, sizeof name, "#%u", (unsigned)thing.number);
        dxdmp_put_fact(made, "fence", size > 0 ? "\"%s\" is at %" PRIu64 : "%s is at %" PRIu64,
                       name, object.completed);
    }
    if (count > FENCES_SAID)
        dxdmp_put_fact(made, "fences", "%u more", (unsigned)(count - FENCES_SAID));
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
        dxdmp_put_fact(made, "lists", "%u of DRED's lists are left out: there are too many",
                       (unsigned)left_out);
    put_journal(made);
    put_fences(made);
    put_findings(made);
}
