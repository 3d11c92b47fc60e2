/* Writes breadcrumbs and the page fault of an annotation dump as DRED's sections: a node for each
 * unfinished execution, with its operations and marker names, and the objects that have or had the
 * address. Strings and arrays stand before the node that names them by key. */
#include "dxdmp/writer.h"

#include "dump_read/dump_model.h"

/* DRED's values. */
enum { DRED_VERSION = 4, STATE_UNKNOWN = 0, STATE_HUNG = 3, STATE_PAGE_FAULT = 7 };
#define DEVICE_REMOVED 0x887A0005u
#define DEVICE_HUNG    0x887A0006u

static uint64_t put_name(struct dxdmp_file *file, annot_text name)
{
    if (name.size == 0)
        return 0;
    dxdmp_put_wide(file, DXDMP_DRED_WIDE_STRING, ++file->keys, name);
    return file->keys;
}

static uint64_t put_object_name(struct dxdmp_file *file, uint64_t id)
{
    annot_reader_object object;
    return annot_reader_object_find(file->reader, id, &object) ? put_name(file, object.name) : 0;
}

/* ---- breadcrumbs ---- */

/* Returns the number of operations in the ring, which has the last DXDMP_RING operations. */
static uint32_t ring_size(const annot_reader_crumbs *crumbs)
{
    return crumbs->count < DXDMP_RING ? crumbs->count : DXDMP_RING;
}

/* Returns the number of the operation at `place` in the ring. */
static uint32_t op_at(const annot_reader_crumbs *crumbs, uint32_t place)
{
    const uint32_t round = (crumbs->count - 1 - place) / DXDMP_RING;
    return place + round * DXDMP_RING;
}

/* Returns false if histories have filled twice the dump's size, or were read as often. This happens
 * if many executions share one recording. */
static bool may_look(struct dxdmp_file *file, uint32_t count)
{
    const uint64_t limit = file->reader->file.size + (1u << 18);
    file->ops += count;
    return file->ops <= limit && file->out.written / 2 <= limit;
}

/* Writes a history. Returns 0 if the dump lacks operations, or has too many. */
static uint64_t put_history(struct dxdmp_file *file, size_t index,
                            const annot_reader_crumbs *crumbs)
{
    const uint32_t count = ring_size(crumbs);
    if (!may_look(file, count))
        return 0;
    for (uint32_t i = 0; i < count; i++)
        if (annot_reader_op(file->reader, index, op_at(crumbs, i)) == ANNOT_READER_NONE)
            return 0;
    if (count == 0)
        return 0;
    dxdmp_begin_memory(file, DXDMP_HISTORY, ++file->keys, 4 * (uint64_t)count);
    for (uint32_t i = 0; i < count; i++)
        dxdmp_put_u32(file, annot_reader_op(file->reader, index, op_at(crumbs, i)));
    dxdmp_end_memory(file, 4 * (uint64_t)count);
    return file->keys;
}

/* BeginEvent and SetMarker, which have a name. */
static bool is_named(uint32_t op)
{
    return op == DXDMP_OP_SET_MARKER || op == DXDMP_OP_BEGIN_EVENT;
}

/* Finds the stream whose k-th marker is the k-th named operation. Returns false if their numbers
 * can't be compared. */
static bool find_markers(const struct dxdmp_file *file, size_t index,
                         const annot_reader_crumbs *crumbs, annot_reader_stream *stream)
{
    annot_reader_execution execution;
    uint32_t named = 0;
    if (crumbs->count > DXDMP_RING ||
        !annot_reader_execution_at(file->reader, crumbs->execution, &execution) ||
        !annot_reader_stream_at(file->reader, execution.stream, stream) || stream->dropped > 0)
        return false;
    for (uint32_t i = 0; i < crumbs->count; i++)
        named += is_named(annot_reader_op(file->reader, index, i));
    return named == stream->marker_count;
}

/* Moves *entry to the next marker at or behind it. find_markers has found that there is one. */
static void next_marker(const annot_reader *reader, uint32_t *entry)
{
    annot_reader_entry at;
    while (annot_reader_entry_at(reader, *entry, &at) && !dxdmp_is_marker(&at))
        ++*entry;
}

/* Writes the contexts' strings, with keys from *first on. Returns the number of contexts. */
static uint32_t put_context_strings(struct dxdmp_file *file, const annot_reader_stream *stream,
                                    uint64_t *first)
{
    char name[1024];
    uint32_t entry = stream->first_entry;
    *first = file->keys + 1;
    for (uint32_t i = 0; i < stream->marker_count; i++, entry++) {
        next_marker(file->reader, &entry);
        const size_t size = annot_reader_entry_name(file->reader, entry, name, sizeof name);
        dxdmp_put_wide(file, DXDMP_DRED_WIDE_STRING, ++file->keys, (annot_text){name, size});
    }
    return stream->marker_count;
}

static uint32_t put_contexts(struct dxdmp_file *file, size_t index,
                             const annot_reader_crumbs *crumbs, uint64_t *key)
{
    annot_reader_stream stream;
    uint64_t string;
    if (!find_markers(file, index, crumbs, &stream) || stream.marker_count == 0)
        return 0;
    const uint32_t count = put_context_strings(file, &stream, &string);
    *key = ++file->keys;
    dxdmp_begin_memory(file, DXDMP_CONTEXTS, *key, (uint64_t)count * DXDMP_CONTEXT_SIZE);
    for (uint32_t i = 0; i < crumbs->count; i++) {
        if (!is_named(annot_reader_op(file->reader, index, i)))
            continue;
        dxdmp_put_u64(file, i);
        dxdmp_put_u64(file, string++);
    }
    return count;
}

static void write_node(struct dxdmp_file *file, size_t index, const annot_reader_crumbs *crumbs)
{
    annot_reader_execution execution = {0};
    annot_reader_submission submission;
    annot_reader_stream queue = {0};
    uint64_t contexts = 0;
    annot_reader_execution_at(file->reader, crumbs->execution, &execution);
    annot_reader_stream_at(file->reader, crumbs->queue, &queue);
    const uint64_t list_name = put_name(file, execution.name);
    const uint64_t queue_name =
        crumbs->execution != ANNOT_READER_NONE &&
                annot_reader_submission_at(file->reader, execution.submission, &submission)
            ? put_name(file, submission.queue_name)
            : put_object_name(file, queue.object);
    const uint64_t history = put_history(file, index, crumbs);
    const uint32_t context_count = history ? put_contexts(file, index, crumbs, &contexts) : 0;
    dxdmp_begin_section(file, DXDMP_NODE, 80);
    /* 0: there is no 8-bit name, because the dump has one name of each object */
    DXDMP_PUT_U64(file, 0, list_name, 0, queue_name, execution.object, queue.object, crumbs->count,
                  history);
    dxdmp_put_u32(file, crumbs->done == UINT32_MAX ? 0 : crumbs->done); /* never begun */
    dxdmp_put_u32(file, context_count);
    dxdmp_put_u64(file, contexts);
}

/* Returns true if the execution belongs to a list that may be unfinished. */
static bool is_node(const annot_reader *reader, size_t index)
{
    const struct annot__crumbs *crumbs = &reader->crumbs[index];
    const annot_state state = crumbs->execution != ANNOT__NONE
                                  ? reader->executions[crumbs->execution].state
                                  : annot__crumbs_claim(&crumbs->fields);
    return crumbs->fields.bundle == 0 && state != ANNOT_STATE_FINISHED &&
           state != ANNOT_STATE_NOT_EXECUTED;
}

/* ---- the page fault ---- */

static void write_allocations(struct dxdmp_file *file, uint64_t fault, bool is_freed)
{
    annot_reader_range range;
    for (size_t i = 0; annot_reader_range_at(file->reader, i, &range); i++) {
        if (range.is_freed != is_freed || fault < range.address ||
            fault - range.address >= (range.size > 0 ? range.size : 1)) /* 0: not known */
            continue;
        const uint64_t name = put_object_name(file, range.object);
        dxdmp_begin_section(file, is_freed ? DXDMP_FREED_ALLOCATION : DXDMP_LIVE_ALLOCATION, 32);
        DXDMP_PUT_U64(file, 0, name, range.kind, range.object);
    }
}

void dxdmp_write_dred(struct dxdmp_file *file, const annot_reader_device *device)
{
    annot_reader_crumbs crumbs;
    const bool is_hung = device->error == ANNOT_DEVICE_ERROR_HUNG;
    const bool is_fault = device->error == ANNOT_DEVICE_ERROR_PAGE_FAULT;
    if (annot_reader_crumbs_count(file->reader) > 0 || annot_reader_range_count(file->reader) > 0) {
        dxdmp_begin_section(file, DXDMP_DRED, 12);
        dxdmp_put_u32(file, DRED_VERSION);
        dxdmp_put_u32(file, is_fault ? STATE_PAGE_FAULT : is_hung ? STATE_HUNG : STATE_UNKNOWN);
        dxdmp_put_u32(file, is_fault || is_hung ? DEVICE_HUNG : DEVICE_REMOVED);
    }
    for (size_t i = 0; annot_reader_crumbs_at(file->reader, i, &crumbs); i++)
        if (is_node(file->reader, i))
            write_node(file, i, &crumbs);
    if (device->fault_count == 0)
        return;
    dxdmp_begin_section(file, DXDMP_PAGE_FAULT, 16);
    DXDMP_PUT_U64(file, device->fault_address, 0);
    write_allocations(file, device->fault_address, false);
    write_allocations(file, device->fault_address, true);
}
