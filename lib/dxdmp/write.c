/* Writes an annotation dump as a DirectX dump file, section by section. A section's size comes
 * before the section, so each section is measured first and then written. Only the buffer for names
 * is allocated. String IDs are counted in the order of writing. */
#include "dxdmp/dxdmp_model.h"
#include "dxdmp/writer.h"

#include "base/utf.h"
#include "dump_read/dump_model.h"

#include <annot/dump.h>
#include <annot/dxdmp.h>

/* This project's values of DX_DUMP_FILE_APP_ANNOTATION.Type; the values of Windows are not public
 * (**decision**). */
enum { TYPE_BEGIN = 1, TYPE_SET = 2 };

/* Writes the text as a string. Returns the string's ID, or DXDMP_NO_STRING for an empty text. */
static uint64_t put_string(struct dxdmp_file *file, annot_text text)
{
    if (text.size == 0)
        return DXDMP_NO_STRING;
    dxdmp_put_wide(file, DXDMP_STRING, ++file->strings, text);
    return file->strings;
}

/* ---- the file as a whole ---- */

static void write_header(struct dxdmp_file *file, const annot_reader_device *device)
{
    const uint64_t epoch = UINT64_C(116444736000000000); /* 1970 in FILETIME */
    dxdmp_put_u32(file, DXDMP_SIGNATURE);
    dxdmp_put_u32(file, DXDMP_VERSION);
    annot__out_bytes(&file->out, (const char *)device->guid, sizeof device->guid);
    dxdmp_put_u32(file, device->error);
    dxdmp_put_u64(file, device->time ? device->time / 100 + epoch : 0);
    dxdmp_put_zeros(file, DXDMP_HEADER_SIZE - (DXDMP_HEADER_TIME + 8));
}

static void write_application(struct dxdmp_file *file, const annot_reader_device *device)
{
    uint64_t name = put_string(file, device->application);
    dxdmp_begin_section(file, DXDMP_APPLICATION, 56);
    dxdmp_put_u64(file, name);
    dxdmp_put_u64(file, DXDMP_NO_STRING);
    dxdmp_put_u64(file, 0); /* version */
    dxdmp_put_u64(file, DXDMP_NO_STRING);
    dxdmp_put_zeros(file, 24); /* the engine's version, the application's GUID */
}

static void write_adapter(struct dxdmp_file *file, const annot_reader_device *device)
{
    enum { DESCRIPTION = 127, SIZE = 368 };
    size_t size = device->adapter.size < DESCRIPTION ? device->adapter.size : DESCRIPTION;
    size_t units = annot__utf8_to(file->units, ANNOT_TEXT_UTF16, device->adapter.data, size);
    dxdmp_begin_section(file, DXDMP_ADAPTER, SIZE);
    for (size_t i = 0; i < units; i++)
        dxdmp_put(file, file->units[i], 2);
    dxdmp_put_zeros(file, SIZE - 2 * units);
}

/* ---- objects ---- */

enum { KIND_QUEUE = 19, KIND_LIST = 22 }; /* D3D12DDI_HANDLETYPE */

/* Writes objects of `kind`; `kind` 0 means all objects of kinds without an array. Names come first,
 * because an array can't be interrupted. The object's identity replaces the unknown address. */
static void write_objects(struct dxdmp_file *file, uint32_t type, uint32_t kind, uint64_t size)
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
    dxdmp_begin_memory(file, type, count, count * size);
    for (size_t i = 0; annot_reader_object_at(file->reader, i, &object); i++) {
        if (!IS_WANTED)
            continue;
        dxdmp_put_u64(file, object.id);
        dxdmp_put_u64(file, object.name.size > 0 ? ++id : DXDMP_NO_STRING);
        if (kind == 0) {
            dxdmp_put_u32(file, dxdmp_generic_type(object.kind));
            dxdmp_put_u32(file, 0);
            continue;
        }
        dxdmp_put_u64(file, object.handle);
        dxdmp_put_u32(file, object.list_type);
        dxdmp_put_zeros(file, size - 28); /* priority, flags, nodes */
    }
#undef IS_WANTED
}

/* ---- annotations ---- */

_Static_assert((int)ANNOT__DUMP_BEGIN_FIXED == 28, "what does a .dxdmp have of the new field?");

static bool is_marker(const annot_reader_entry *entry)
{
    return entry->kind == ANNOT_ENTRY_BEGIN || entry->kind == ANNOT_ENTRY_SET;
}

static void write_annotations(struct dxdmp_file *file)
{
    annot_reader_entry entry;
    uint64_t count = 0;
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++)
        count += is_marker(&entry);
    dxdmp_begin_memory(file, DXDMP_ANNOTATIONS, count, count * DXDMP_ANNOTATION_SIZE);
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!is_marker(&entry))
            continue;
        dxdmp_put_u64(file, entry.event_id);
        dxdmp_put_u32(file, entry.metadata);
        dxdmp_put_u32(file, entry.kind == ANNOT_ENTRY_BEGIN ? TYPE_BEGIN : TYPE_SET);
    }
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!is_marker(&entry))
            continue;
        dxdmp_begin_memory(file, DXDMP_ANNOTATION_DATA, entry.event_id, entry.stored);
        annot__out_bytes(&file->out, entry.data, entry.stored);
        dxdmp_end_memory(file, entry.stored);
    }
}

static void write_owner(struct dxdmp_file *file, const annot_reader_stream *stream)
{
    annot_reader_object object = {0};
    annot_reader_entry entry;
    annot_reader_object_find(file->reader, stream->object, &object);
    uint64_t size = DXDMP_OWNER_IDS + 8 * (uint64_t)stream->marker_count;
    dxdmp_begin_memory(
        file, stream->is_queue ? DXDMP_QUEUE_ANNOTATIONS : DXDMP_ALLOCATOR_ANNOTATIONS, 0, size);
    dxdmp_put_u64(file, stream->is_queue ? object.handle : stream->recording);
    dxdmp_put_u64(file, stream->marker_count);
    for (uint32_t i = 0; i < stream->entry_count; i++)
        if (annot_reader_entry_at(file->reader, stream->first_entry + i, &entry) &&
            is_marker(&entry))
            dxdmp_put_u64(file, entry.event_id);
}

/* Writes a command allocator for each recording, with the list's name. */
static void write_allocators(struct dxdmp_file *file)
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
    dxdmp_begin_memory(file, DXDMP_ALLOCATORS, count, count * SIZE);
    for (uint32_t i = 0; annot_reader_stream_at(file->reader, i, &stream); i++) {
        if (stream.is_queue)
            continue;
        list = (annot_reader_object){0};
        annot_reader_object_find(file->reader, stream.object, &list);
        dxdmp_put_u64(file, stream.recording);
        dxdmp_put_u64(file, list.name.size > 0 ? ++id : DXDMP_NO_STRING);
        dxdmp_put_u64(file, stream.recording);
        dxdmp_put_u32(file, list.list_type);
        dxdmp_put_u32(file, 0);
    }
}

/* ---- blobs ---- */

/* Writes the blobs. A blob's size is not trusted: all blobs together are no longer than the
 * dump. */
static void write_blobs(struct dxdmp_file *file)
{
    annot_reader_blob blob;
    char piece[4096];
    uint64_t left = file->reader->file.size;
    for (size_t i = 0; annot_reader_blob_at(file->reader, i, &blob); i++) {
        uint32_t type = blob.kind == ANNOT_BLOB_APPLICATION ? DXDMP_APPLICATION_BLOB
                        : blob.kind == ANNOT_BLOB_KERNEL    ? DXDMP_KERNEL_BLOB
                                                            : DXDMP_DRIVER_BLOB;
        const uint64_t size = blob.size < left ? blob.size : left;
        left -= size;
        dxdmp_begin_memory(file, type, blob.metadata, size);
        /* If the disk is full, the rest of a blob is not read; blobs may be as large as the
         * dump. */
        for (uint64_t at = 0, part; at < size && !file->out.has_failed; at += part) {
            part = size - at < sizeof piece ? size - at : sizeof piece;
            annot_reader_blob_read(file->reader, i, at, piece, (size_t)part);
            annot__out_bytes(&file->out, piece, (size_t)part);
        }
        dxdmp_end_memory(file, size);
    }
}

static void write_inner(struct dxdmp_file *file)
{
    struct annot__bytes dump = file->reader->file;
    dxdmp_begin_memory(file, DXDMP_DRIVER_BLOB, 0, dump.size);
    annot__out_bytes(&file->out, (const char *)dump.data, dump.size);
    dxdmp_end_memory(file, dump.size);
}

annot_result annot_dxdmp_write(const annot_reader *reader, const annot_report_sink *sink)
{
    annot_reader_device device;
    annot_reader_stream stream;
    struct dxdmp_file *file = annot__report_allocate(reader, sizeof *file);
    if (!file)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    file->out = (struct annot__out){.sink = sink};
    file->reader = reader;
    file->strings = file->keys = file->ops = 0;
    annot_reader_get_device(reader, &device);
    write_header(file, &device);
    write_application(file, &device);
    write_adapter(file, &device);
    dxdmp_write_dred(file, &device);
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
