/* Writes an annotation dump as a DirectX dump file, section by section. A section's size comes
 * before the section, so each section is measured first and then written. Only the buffer for names
 * is allocated. String IDs are counted in the order of writing. */
#include "dxdmp/dxdmp_model.h"
#include "dxdmp/writer.h"

#include "base/utf.h"
#include "dump_read/dump_model.h"

#include <annot/ddi.h>
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
    DXDMP_PUT_U64(file, name, DXDMP_NO_STRING, 0 /* version */, DXDMP_NO_STRING);
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

enum { LOOKED_AT = 256 /* ranges or waits, for each object */ };

static const struct annot__dump_RANGE *range_of(const annot_reader *reader, uint64_t object)
{
    for (uint32_t i = 0; i < reader->range_count && i < LOOKED_AT; i++) {
        const struct annot__dump_RANGE *range = &reader->ranges[i];
        if (range->object == object && range->size > 0 && !(range->flags & ANNOT_RANGE_FREED))
            return range;
    }
    return NULL;
}

static const struct annot__dump_WAIT *wait_of(const annot_reader *reader, uint64_t fence)
{
    for (uint32_t i = 0; i < reader->held_count && i < LOOKED_AT; i++)
        if (reader->held[i].fields.fence == fence)
            return &reader->held[i].fields;
    return NULL;
}

/* The kind whose array has the object. 0: the generic ones, with no more than a name, because the
 * dump does not know what the array of its kind says. */
static uint32_t array_of(const annot_reader *reader, const annot_reader_object *object)
{
    annot_resource of;
    const uint32_t kind = object->kind;
    const bool is_described =
        kind == D3D12DDI_HT_RESOURCE
            ? annot_reader_resource_of(reader, object->id, &of) && of.memory != ANNOT_MEMORY_UNKNOWN
        : kind == D3D12DDI_HT_FENCE ? wait_of(reader, object->id) != NULL
                                    : (kind >= D3D12DDI_HT_COMMAND_QUEUE &&
                                       kind <= D3D12DDI_HT_COMMAND_LIST) || /* also pipelines */
                                          kind == D3D12DDI_HT_ROOT_SIGNATURE;
    return is_described ? kind : 0;
}

/* What the array has of a resource behind the driver's handle. */
static void put_resource(struct dxdmp_file *file, const annot_reader_object *object)
{
    enum { BUFFER = 1, ROW_MAJOR = 1 };
    annot_resource of = {0};
    annot_reader_resource_of(file->reader, object->id, &of);
    const struct annot__dump_RANGE *range = range_of(file->reader, object->id);
    const bool is_buffer = of.dimension == BUFFER;
    DXDMP_PUT_U64(file, is_buffer && range ? range->address : 0, 0 /* its heap */,
                  of.memory - 1 /* DX_DUMP_FILE_D3D_RESOURCE_HEAP_TYPE */, of.dimension,
                  0 /* alignment: the default */, of.width);
    dxdmp_put_u32(file, of.height);
    dxdmp_put(file, of.depth, 2);
    dxdmp_put(file, of.mips, 2);
    dxdmp_put_u32(file, of.format);
    dxdmp_put_u32(file, of.samples);
    dxdmp_put_u32(file, 0); /* quality */
    dxdmp_put_u32(file, is_buffer ? ROW_MAJOR : 0);
    dxdmp_put_zeros(file, 32); /* flags, region of sampler feedback, GUID of a layout */
}

/* Writes an element up to the driver's handle, and what the dump knows behind it. */
static void put_object(struct dxdmp_file *file, const struct dxdmp_type *array,
                       const annot_reader_object *object, uint64_t *string)
{
    const uint32_t type = array->code;
    dxdmp_put_u64(file, object->id); /* in place of the address, which is not known */
    dxdmp_put_u64(file, object->name.size > 0 ? ++*string : DXDMP_NO_STRING);
    if (type == DXDMP_GENERICS) {
        dxdmp_put_u64(file, dxdmp_generic_type(object->kind));
        return;
    }
    dxdmp_put_u64(file, object->handle);
    if (type == DXDMP_RESOURCES) {
        put_resource(file, object);
    } else if (type == DXDMP_FENCES) {
        DXDMP_PUT_U64(file, 0 /* flags */, wait_of(file->reader, object->id)->reached);
    } else {
        dxdmp_put_u32(file, object->list_type);  /* 0 for others than queues, lists, allocators */
        dxdmp_put_zeros(file, array->size - 28); /* priority, flags, nodes; subobjects, bytes */
    }
}

/* A recording stands for its command allocator, under the list's name. False: it is a queue's. */
static bool allocator_of(const struct dxdmp_file *file, uint32_t index, annot_reader_object *as)
{
    annot_reader_stream stream;
    *as = (annot_reader_object){0};
    if (!annot_reader_stream_at(file->reader, index, &stream) || stream.is_queue)
        return false;
    annot_reader_object_find(file->reader, stream.object, as);
    as->handle = stream.recording;
    as->id = stream.recording | UINT64_C(1) << 63; /* no object has this identity */
    return true;
}

/* Writes the names of the array's objects, or, with `string`, its elements. What was destroyed is
 * no object of the device any more. */
static uint64_t put_objects(struct dxdmp_file *file, const struct dxdmp_type *array,
                            uint64_t *string)
{
    const uint32_t streams = array->code == DXDMP_ALLOCATORS ? file->reader->stream_count : 0;
    annot_reader_object object;
    uint64_t count = 0;
    for (uint32_t i = 0; i < file->reader->object_count + streams; i++) {
        const bool is_stream = i >= file->reader->object_count;
        if (is_stream ? !allocator_of(file, i - file->reader->object_count, &object)
                      : !annot_reader_object_at(file->reader, i, &object) || object.is_destroyed ||
                            array_of(file->reader, &object) != array->kind)
            continue;
        count++;
        if (string)
            put_object(file, array, &object, string);
        else
            put_string(file, object.name);
    }
    return count;
}

/* Names come first, because an array can't be interrupted. */
static void write_objects(struct dxdmp_file *file, const struct dxdmp_type *array)
{
    uint64_t id = file->strings;
    const uint64_t count = put_objects(file, array, NULL);
    if (count == 0)
        return;
    dxdmp_begin_memory(file, array->code, count, count * array->size);
    put_objects(file, array, &id);
}

/* ---- annotations ---- */

_Static_assert((int)ANNOT__DUMP_BEGIN_FIXED == 28, "what does a .dxdmp have of the new field?");

static void write_annotations(struct dxdmp_file *file)
{
    annot_reader_entry entry;
    uint64_t count = 0;
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++)
        count += dxdmp_is_marker(&entry);
    dxdmp_begin_memory(file, DXDMP_ANNOTATIONS, count, count * DXDMP_ANNOTATION_SIZE);
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!dxdmp_is_marker(&entry))
            continue;
        dxdmp_put_u64(file, entry.event_id);
        dxdmp_put_u32(file, entry.metadata);
        dxdmp_put_u32(file, entry.kind == ANNOT_ENTRY_BEGIN ? TYPE_BEGIN : TYPE_SET);
    }
    for (uint32_t i = 0; annot_reader_entry_at(file->reader, i, &entry); i++) {
        if (!dxdmp_is_marker(&entry))
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
    DXDMP_PUT_U64(file, stream->is_queue ? object.handle : stream->recording, stream->marker_count);
    for (uint32_t i = 0; i < stream->entry_count; i++)
        if (annot_reader_entry_at(file->reader, stream->first_entry + i, &entry) &&
            dxdmp_is_marker(&entry))
            dxdmp_put_u64(file, entry.event_id);
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
    for (size_t i = 0; i < DXDMP_TYPES; i++)
        if (dxdmp_types[i].group == DXDMP_OBJECTS)
            write_objects(file, &dxdmp_types[i]);
    write_annotations(file);
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        write_owner(file, &stream);
    write_blobs(file);
    write_inner(file);
    bool is_written = annot__out_flush(&file->out);
    annot__report_release(reader, file, sizeof *file);
    return is_written ? ANNOT_OK : ANNOT_ERROR_IO;
}
