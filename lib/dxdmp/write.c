/*
 * An annotation dump as a DirectX dump file, section by section. A section's size stands before it, so each is measured
 * first and then written; nothing is allocated but a name's buffer. String IDs are counted in the order of writing.
 */
#include "dxdmp/dxdmp_format.h"

#include "base/utf.h"
#include "dump/dump_model.h"
#include "report/report.h"

#include <annot/dump.h>

/* Our values of DX_DUMP_FILE_APP_ANNOTATION.Type; Windows' are not public (**decision**). */
enum { TYPE_BEGIN = 1, TYPE_SET = 2 };

struct file {
    struct annot__out out;
    const annot_reader *reader;
    uint64_t strings; /* IDs given out */
    uint16_t units[ANNOT__NAME_MAX];
};

/* ---- integers and frames ---- */

static void put(struct file *file, uint64_t value, unsigned size)
{
    char bytes[8];
    for (unsigned i = 0; i < size; i++)
        bytes[i] = (char)(value >> (8 * i));
    annot__out_bytes(&file->out, bytes, size);
}

static void put_u32(struct file *file, uint32_t value)
{
    put(file, value, 4);
}

static void put_u64(struct file *file, uint64_t value)
{
    put(file, value, 8);
}

static void put_zeros(struct file *file, uint64_t count)
{
    while (count-- > 0)
        put(file, 0, 1);
}

static uint64_t padding(uint64_t size)
{
    return (0 - size) & 7;
}

static void begin_section(struct file *file, uint32_t type, uint64_t size)
{
    put_u32(file, type);
    put_u32(file, 0);
    put_u64(file, size);
}

/* `size` bytes of data follow, and then end_memory. */
static void begin_memory(struct file *file, uint32_t type, uint64_t key, uint64_t size)
{
    begin_section(file, DXDMP_MEMORY, DXDMP_MEMORY_HEADER_SIZE + size + padding(size));
    put_u32(file, type);
    put_u32(file, 0);
    put_u64(file, size);
    put_u64(file, key);
}

static void end_memory(struct file *file, uint64_t size)
{
    put_zeros(file, padding(size));
}

/* Writes the text as a string of its own; its ID, or DXDMP_NO_STRING for an empty one. Past ANNOT__NAME_MAX units cut. */
static uint64_t put_string(struct file *file, annot_text text)
{
    if (text.size == 0)
        return DXDMP_NO_STRING;
    size_t most = sizeof file->units / sizeof *file->units;
    size_t size = text.size < most ? text.size : most; /* one unit needs a byte at least */
    size_t units = annot__utf8_to(file->units, ANNOT_TEXT_UTF16, text.data, size);
    begin_memory(file, DXDMP_STRING, ++file->strings, 2 * (units + 1));
    for (size_t i = 0; i < units; i++)
        put(file, file->units[i], 2);
    put(file, 0, 2);
    end_memory(file, 2 * (units + 1));
    return file->strings;
}

/* ---- the file as a whole ---- */

static void write_header(struct file *file, const annot_reader_device *device)
{
    const uint64_t epoch = UINT64_C(116444736000000000); /* 1970 in FILETIME */
    put_u32(file, DXDMP_SIGNATURE);
    put_u32(file, DXDMP_VERSION);
    annot__out_bytes(&file->out, (const char *)device->guid, sizeof device->guid);
    put_u32(file, device->error);
    put_u64(file, device->time ? device->time / 100 + epoch : 0);
    put_zeros(file, DXDMP_HEADER_SIZE - (DXDMP_HEADER_TIME + 8));
}

static void write_application(struct file *file, const annot_reader_device *device)
{
    uint64_t name = put_string(file, device->application);
    begin_section(file, DXDMP_APPLICATION, 56);
    put_u64(file, name);
    put_u64(file, DXDMP_NO_STRING);
    put_u64(file, 0); /* version */
    put_u64(file, DXDMP_NO_STRING);
    put_zeros(file, 24); /* the engine's version, the application's GUID */
}

static void write_adapter(struct file *file, const annot_reader_device *device)
{
    enum { DESCRIPTION = 127, SIZE = 368 };
    size_t size = device->adapter.size < DESCRIPTION ? device->adapter.size : DESCRIPTION;
    size_t units = annot__utf8_to(file->units, ANNOT_TEXT_UTF16, device->adapter.data, size);
    begin_section(file, DXDMP_ADAPTER, SIZE);
    for (size_t i = 0; i < units; i++)
        put(file, file->units[i], 2);
    put_zeros(file, SIZE - 2 * units);
}

static void write_fault(struct file *file, const annot_reader_device *device)
{
    if (device->fault_count == 0)
        return;
    begin_section(file, DXDMP_PAGE_FAULT, 16);
    put_u64(file, device->fault_address);
    put_u64(file, 0);
}

/* ---- objects ---- */

enum { KIND_QUEUE = 19, KIND_LIST = 22 }; /* D3D12DDI_HANDLETYPE */

/* DX_DUMP_FILE_D3D_OBJECT_TYPE of the other kinds. */
static uint32_t generic_type(uint32_t kind)
{
    static const uint8_t types[][2] = {
        {20, 1},  {21, 2},  {23, 9},  {24, 6},  {25, 8},  {27, 10}, {28, 11}, {29, 12},
        {30, 13}, {32, 15}, {34, 5},  {36, 18}, {37, 19}, {38, 20}, {39, 21}, {42, 22},
        {43, 23}, {45, 28}, {46, 29}, {47, 30}, {48, 32}, {49, 33},
    };
    const uint32_t extension = 35;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i][0] == kind)
            return types[i][1];
    return extension;
}

/* Objects of `kind`, or with 0 all that have no array of their own. Names are written first: an array can't be
 * interrupted. The dump's own identity stands for the address, which it doesn't know. */
static void write_objects(struct file *file, uint32_t type, uint32_t kind, uint64_t size)
{
    annot_reader_object object;
    uint64_t count = 0, id = file->strings;
#define IS_WANTED                                                                                  \
    (kind ? object.kind == kind : object.kind != KIND_QUEUE && object.kind != KIND_LIST)
    for (size_t i = 0; annot_reader_object_at(file->reader, i, &object); i++) {
        if (!IS_WANTED)
            continue;
        count++;
        put_string(file, object.name);
    }
    if (count == 0)
        return;
    begin_memory(file, type, count, count * size);
    for (size_t i = 0; annot_reader_object_at(file->reader, i, &object); i++) {
        if (!IS_WANTED)
            continue;
        put_u64(file, object.id);
        put_u64(file, object.name.size > 0 ? ++id : DXDMP_NO_STRING);
        if (kind == 0) {
            put_u32(file, generic_type(object.kind));
            put_u32(file, 0);
            continue;
        }
        put_u64(file, object.handle);
        put_u32(file, object.flavor);
        put_zeros(file, size - 28); /* priority, flags, nodes */
    }
#undef IS_WANTED
    end_memory(file, count * size);
}

/* ---- annotations ---- */

static bool is_marker(const annot_reader_entry *entry)
{
    return entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
}

static void write_annotations(struct file *file)
{
    annot_reader_entry entry;
    uint64_t count = 0;
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++)
        count += is_marker(&entry);
    begin_memory(file, DXDMP_ANNOTATIONS, count, count * DXDMP_ANNOTATION_SIZE);
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!is_marker(&entry))
            continue;
        put_u64(file, entry.event_id);
        put_u32(file, entry.metadata);
        put_u32(file, entry.kind == ANNOT_ENTRY_BEGIN ? TYPE_BEGIN : TYPE_SET);
    }
    end_memory(file, count * DXDMP_ANNOTATION_SIZE);
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!is_marker(&entry))
            continue;
        begin_memory(file, DXDMP_ANNOTATION_DATA, entry.event_id, entry.stored);
        annot__out_bytes(&file->out, entry.data, entry.stored);
        end_memory(file, entry.stored);
    }
}

static void write_owner(struct file *file, const annot_reader_stream *stream)
{
    annot_reader_object object = {0};
    annot_reader_entry entry;
    annot_reader_object_find(file->reader, stream->object, &object);
    uint64_t size = DXDMP_OWNER_IDS + 8 * (uint64_t)stream->marker_count;
    begin_memory(file, stream->is_queue ? DXDMP_QUEUE_ANNOTATIONS : DXDMP_ALLOCATOR_ANNOTATIONS, 0,
                 size);
    put_u64(file, stream->is_queue ? object.handle : stream->recording);
    put_u64(file, stream->marker_count);
    for (uint32_t i = 0; i < stream->entry_count; i++)
        if (annot_reader_entry_at(file->reader, stream->first_entry + i, &entry) &&
            is_marker(&entry))
            put_u64(file, entry.event_id);
    end_memory(file, size);
}

/* A recording stands for its command allocator, under the list's name. */
static void write_allocators(struct file *file)
{
    enum { SIZE = 32 };
    annot_reader_stream stream;
    annot_reader_object list;
    uint64_t count = 0, id = file->strings;
    for (uint32_t i = 0; annot_reader_stream_at(file->reader, i, &stream); i++) {
        if (stream.is_queue)
            continue;
        count++;
        if (annot_reader_object_find(file->reader, stream.object, &list))
            put_string(file, list.name);
    }
    if (count == 0)
        return;
    begin_memory(file, DXDMP_ALLOCATORS, count, count * SIZE);
    for (uint32_t i = 0; annot_reader_stream_at(file->reader, i, &stream); i++) {
        if (stream.is_queue)
            continue;
        list = (annot_reader_object){0};
        annot_reader_object_find(file->reader, stream.object, &list);
        put_u64(file, stream.recording);
        put_u64(file, list.name.size > 0 ? ++id : DXDMP_NO_STRING);
        put_u64(file, stream.recording);
        put_u32(file, list.flavor);
        put_u32(file, 0);
    }
    end_memory(file, count * SIZE);
}

/* ---- blobs ---- */

static void write_blobs(struct file *file)
{
    annot_reader_blob blob;
    char piece[4096];
    for (size_t i = 0; annot_reader_blob_at(file->reader, i, &blob); i++) {
        uint32_t type = blob.kind == ANNOT_BLOB_APPLICATION ? DXDMP_APPLICATION_BLOB
                        : blob.kind == ANNOT_BLOB_KERNEL    ? DXDMP_KERNEL_BLOB
                                                            : DXDMP_DRIVER_BLOB;
        begin_memory(file, type, blob.metadata, blob.size);
        for (uint64_t at = 0; at < blob.size && !file->out.has_failed;) {
            size_t got = annot_reader_blob_read(file->reader, i, at, piece, sizeof piece);
            annot__out_bytes(&file->out, piece, got);
            at += got;
        }
        end_memory(file, blob.size);
    }
}

static void write_inner(struct file *file)
{
    struct annot__bytes dump = file->reader->file;
    begin_memory(file, DXDMP_DRIVER_BLOB, 0, dump.size);
    annot__out_bytes(&file->out, (const char *)dump.data, dump.size);
    end_memory(file, dump.size);
}

annot_result annot_dxdmp_write(const annot_reader *reader, const annot_report_sink *sink)
{
    annot_reader_device device;
    annot_reader_stream stream;
    struct file *file = annot__report_allocate(reader, sizeof *file);
    if (!file)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    file->out = (struct annot__out){.sink = sink};
    file->reader = reader;
    file->strings = 0;
    annot_reader_get_device(reader, &device);
    write_header(file, &device);
    write_application(file, &device);
    write_adapter(file, &device);
    write_fault(file, &device);
    write_objects(file, DXDMP_QUEUES, KIND_QUEUE, 40);
    write_objects(file, DXDMP_LISTS, KIND_LIST, 32);
    write_objects(file, DXDMP_GENERICS, 0, 24);
    write_allocators(file);
    write_annotations(file);
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        write_owner(file, &stream);
    write_blobs(file);
    write_inner(file);
    bool is_written = annot__out_flush(&file->out);
    annot__report_release(reader, file, sizeof *file);
    return is_written ? ANNOT_OK : ANNOT_ERROR_IO;
}
