/*
 * A DirectX dump file as an annotation dump, for everything that reads those: the one inside, or
 * one that is made of what the file says. What it does not say is unknown there.
 */
#include "dxdmp/made.h"

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- the device ---- */

static void put_text(struct dxdmp_made *made, uint32_t role, const char *text, size_t size)
{
    const struct annot__dump_TEXT fields = {.role = role};
    if (size > 0)
        DXDMP_PUT(made, TEXT, &fields, text, size);
}

static uint64_t u64_of(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

static void put_about(struct dxdmp_made *made, const annot_dxdmp_info *info)
{
    char text[DXDMP_NAME_MAX];
    const struct annot__dump_DEVICE device = {.guid_low = u64_of(info->guid),
                                              .guid_high = u64_of(info->guid + 8),
                                              .time = info->time,
                                              .error = info->error,
                                              .order_window = UINT32_MAX,
                                              .pointer_size = 8};
    /* without breadcrumbs the file tells nothing of what queues did */
    const struct annot__dump_LOSS untold = {.count = 1, .what = ANNOT_LOSS_UNTOLD};
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_ABOUT);
    DXDMP_PUT(made, DEVICE, &device, NULL, 0);
    put_text(made, ANNOT__DUMP_TEXT_APPLICATION, text, dxdmp_name(made, info->executable, text));
    put_text(made, ANNOT__DUMP_TEXT_ADAPTER, text,
             annot_dxdmp_adapter(made->from, text, sizeof text));
    if (info->driver_version) {
        const int size =
            snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(info->driver_version >> 48),
                     (unsigned)(info->driver_version >> 32 & 0xffff),
                     (unsigned)(info->driver_version >> 16 & 0xffff),
                     (unsigned)(info->driver_version & 0xffff));
        put_text(made, ANNOT__DUMP_TEXT_DRIVER, text, (size_t)size);
    }
    put_text(made, ANNOT__DUMP_TEXT_WRITER, "DirectX dump file", 17);
    if (annot_dxdmp_node_count(made->from) == 0)
        DXDMP_PUT(made, LOSS, &untold, NULL, 0);
}

/* ---- the dump ---- */

static void put_evidence(struct dxdmp_made *made, const annot_dxdmp_info *info)
{
    const struct annot__dump_FAULT fault = {info->fault_address, ANNOT_FAULT_RUNTIME};
    if (info->has_page_fault || dxdmp_has_blobs(made->from))
        dxdmp_open_section(made, ANNOT__DUMP_SECTION_EVIDENCE);
    if (info->has_page_fault)
        DXDMP_PUT(made, FAULT, &fault, NULL, 0);
    dxdmp_put_blobs(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_CRUMBS);
    dxdmp_put_breadcrumbs(made);
    dxdmp_put_ranges(made, info);
}

static void make(struct dxdmp_made *made)
{
    annot_dxdmp_info info;
    char *header = dxdmp_extend(made, ANNOT__DUMP_HEADER_SIZE);
    annot_dxdmp_get_info(made->from, &info);
    if (!header)
        return;
    annot__put_u16(header + 8, ANNOT__DUMP_MAJOR);
    annot__put_u16(header + 10, ANNOT__DUMP_MINOR);
    annot__put_u32(header + 12, ANNOT__DUMP_HEADER_SIZE);
    annot__put_u64(header + 24, XXH64(header + 8, 16, 0));
    dxdmp_know_objects(made);
    put_about(made, &info);
    dxdmp_put_facts(made, &info);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_OBJECTS);
    dxdmp_put_objects(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_LISTS);
    dxdmp_put_lists(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_QUEUES);
    dxdmp_put_queues(made);
    put_evidence(made, &info);
    if (made->names_left_out > 0) {
        dxdmp_open_section(made, ANNOT__DUMP_SECTION_ABOUT);
        dxdmp_put_fact(made, "names", "%llu left out: they would fill more than the file",
                       (unsigned long long)made->names_left_out);
    }
    const struct annot__dump_END end = {made->sections, made->records, made->markers};
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_END);
    DXDMP_PUT(made, END, &end, NULL, 0);
    dxdmp_close_section(made);
    if (!annot_dxdmp_is_damaged(made->from) && made->has_memory)
        memcpy(made->bytes, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
}

#define FIRST_EVENT UINT64_C(0x100000000)

annot_result annot_dxdmp_as_dump(const annot_dxdmp *dump, const annot_report_sink *sink)
{
    const void *inner;
    size_t size;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (!dump || !sink || !sink->write)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot_dxdmp_inner(dump, &inner, &size))
        return sink->write(sink->user, inner, size) ? ANNOT_OK : ANNOT_ERROR_IO;
    struct dxdmp_made made = {.from = dump,
                              .has_memory = true,
                              .last_event = FIRST_EVENT,
                              .node_count = dxdmp_nodes_made(dump),
                              .name_bytes_left = 4 * (uint64_t)dump->size + (1u << 20)};
    make(&made);
    if (made.has_memory)
        result = sink->write(sink->user, made.bytes, made.size) ? ANNOT_OK : ANNOT_ERROR_IO;
    if (made.bytes)
        dump->allocator.release(dump->allocator.user, made.bytes, made.capacity);
    if (made.known)
        dump->allocator.release(dump->allocator.user, made.known,
                                2 * annot_dxdmp_object_count(dump) * sizeof *made.known);
    return result;
}
