/* Writes a DirectX dump file as an annotation dump: the dump inside the file, or a new dump with
 * the file's contents. Data that the file lacks is unknown. */
#include "dxdmp/made.h"

#include "base/sized.h"

#include <annot/dxdmp.h>

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- the device ---- */

static void put_text(struct dxdmp_made *made, uint32_t role, const char *text, size_t size)
{
    const struct annot__dump_TEXT fields = {.role = role};
    if (size > 0)
        DXDMP_PUT(made, TEXT, &fields, text, size);
}

/* Converts a FILETIME, which counts 100 ns from 1601. A time before 1970 wraps round and is too
 * large. */
static uint64_t time_from_filetime(uint64_t filetime)
{
    const uint64_t epoch = UINT64_C(116444736000000000);
    return filetime - epoch > UINT64_MAX / 100 ? 0 : (filetime - epoch) * 100;
}

static void put_about(struct dxdmp_made *made)
{
    enum { DRIVER_VERSION = 320 };
    const struct dxdmp *from = made->from;
    const struct dxdmp_section *adapter = dxdmp_first_section(from, DXDMP_ADAPTER);
    const uint64_t version = dxdmp_u64(from, adapter, DRIVER_VERSION); /* four parts */
    char text[DXDMP_NAME_MAX];
    const struct annot__dump_DEVICE device = {
        .guid_low = dxdmp_header(from, DXDMP_HEADER_GUID, 8),
        .guid_high = dxdmp_header(from, DXDMP_HEADER_GUID + 8, 8),
        .time = time_from_filetime(dxdmp_header(from, DXDMP_HEADER_TIME, 8)),
        .error = (uint32_t)dxdmp_header(from, DXDMP_HEADER_ERROR, 4),
        .order_window = UINT32_MAX,
        .pointer_size = 8};
    /* without breadcrumbs the file has no work of queues */
    const struct annot__dump_LOSS untold = {.count = 1, .what = ANNOT_LOSS_UNTOLD};
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_ABOUT);
    DXDMP_PUT(made, DEVICE, &device, NULL, 0);
    put_text(made, ANNOT__DUMP_TEXT_APPLICATION, text,
             dxdmp_name(made, dxdmp_first_section(from, DXDMP_APPLICATION), 0, text));
    put_text(made, ANNOT__DUMP_TEXT_ADAPTER, text, dxdmp_adapter(from, text, sizeof text));
    if (version) {
        const int size = snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(version >> 48),
                                  (unsigned)(version >> 32 & 0xffff),
                                  (unsigned)(version >> 16 & 0xffff), (unsigned)(version & 0xffff));
        put_text(made, ANNOT__DUMP_TEXT_DRIVER, text, (size_t)size);
    }
    put_text(made, ANNOT__DUMP_TEXT_WRITER, "DirectX dump file", 17);
    if (from->counts[DXDMP_NODES] == 0)
        DXDMP_PUT(made, LOSS, &untold, NULL, 0);
}

/* ---- the dump ---- */

static void put_evidence(struct dxdmp_made *made)
{
    const struct annot__dump_FAULT fault = {made->fault, ANNOT_FAULT_RUNTIME};
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_EVIDENCE);
    if (made->has_fault)
        DXDMP_PUT(made, FAULT, &fault, NULL, 0);
    dxdmp_put_blobs(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_CRUMBS);
    dxdmp_put_breadcrumbs(made);
    dxdmp_put_ranges(made);
}

static void make(struct dxdmp_made *made)
{
    const struct dxdmp_section *fault = dxdmp_first_section(made->from, DXDMP_PAGE_FAULT);
    char *header = dxdmp_extend(made, ANNOT__DUMP_HEADER_SIZE);
    if (!header)
        return;
    annot__put_u16(header + 8, ANNOT__DUMP_MAJOR);
    annot__put_u16(header + 10, ANNOT__DUMP_MINOR);
    annot__put_u32(header + 12, ANNOT__DUMP_HEADER_SIZE);
    annot__put_u64(header + 24, XXH64(header + 8, 16, 0));
    made->has_fault = fault && fault->size >= 8;
    made->fault = dxdmp_u64(made->from, fault, 0);
    dxdmp_know_objects(made);
    dxdmp_join_annotations(made);
    dxdmp_find_heap(made);
    put_about(made);
    dxdmp_put_facts(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_OBJECTS);
    dxdmp_put_objects(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_LISTS);
    dxdmp_put_lists(made);
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_QUEUES);
    dxdmp_put_queues(made);
    put_evidence(made);
    if (made->names_left_out > 0) {
        dxdmp_open_section(made, ANNOT__DUMP_SECTION_ABOUT);
        dxdmp_put_fact(made, "names",
                       "%llu names are left out: all names need more bytes than the file has",
                       (unsigned long long)made->names_left_out);
    }
    const struct annot__dump_END end = {made->sections, made->records, made->markers};
    dxdmp_open_section(made, ANNOT__DUMP_SECTION_END);
    DXDMP_PUT(made, END, &end, NULL, 0);
    dxdmp_close_section(made);
    if (!dxdmp_is_damaged(made->from) && made->has_memory)
        memcpy(made->bytes, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
}

#define FIRST_EVENT UINT64_C(0x100000000)

static annot_result give(const struct dxdmp *file, const annot_report_sink *sink)
{
    const struct dxdmp_section *inner = dxdmp_inner(file);
    if (inner)
        return sink->write(sink->user, file->bytes + inner->data, inner->size) ? ANNOT_OK
                                                                               : ANNOT_ERROR_IO;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    struct dxdmp_made made = {.from = file,
                              .has_memory = true,
                              .last_event = FIRST_EVENT,
                              .code_left = 4 * (uint64_t)file->size,
                              .name_bytes_left = 4 * (uint64_t)file->size + (1u << 20)};
    make(&made);
    if (made.has_memory)
        result = sink->write(sink->user, made.bytes, made.size) ? ANNOT_OK : ANNOT_ERROR_IO;
    if (made.bytes)
        file->allocator.release(file->allocator.user, made.bytes, made.capacity);
    if (made.known)
        file->allocator.release(file->allocator.user, made.known,
                                2 * (size_t)file->counts[DXDMP_OBJECTS] * sizeof *made.known);
    return result;
}

annot_result annot_dxdmp_as_dump_sized(const annot_reader_desc *desc, size_t desc_size,
                                       const void *data, size_t size, const annot_report_sink *sink)
{
    annot_reader_desc known = {0};
    struct dxdmp *file;
    if (!sink || !sink->write || !ANNOT__TAKE(known, desc, desc_size))
        return ANNOT_ERROR_INVALID_ARGUMENT;
    annot_result result = dxdmp_open(&known, data, size, &file);
    if (result != ANNOT_OK)
        return result;
    result = give(file, sink);
    dxdmp_close(file);
    return result;
}
