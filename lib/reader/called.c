/* Finds the names that objects had when their work was recorded or submitted, because programs
 * rename lists for each use. */
#include "reader/ask.h"

#include "base/search.h"

static struct annot__called_object find_object(const annot_reader *reader, uint64_t id)
{
    const uint32_t index = annot__index_find(&reader->object_index, id);
    if (index == ANNOT__NONE)
        return (struct annot__called_object){.id = id};
    const struct annot__object_entry *object = &reader->objects[index];
    return (struct annot__called_object){
        .id = id,
        .name = object->name,
        .is_name_cut = object->fields.name_size > object->name.size,
        .is_destroyed = object->fields.flags & ANNOT__DUMP_OBJECT_DESTROYED,
        .is_known = true,
    };
}

struct annot__called_object annot__called_in_recording(const annot_reader *reader, uint32_t stream,
                                                       uint64_t id)
{
    struct annot__called_object object = find_object(reader, id);
    if (stream != ANNOT__NONE && reader->streams[stream].has_name) {
        object.name = reader->streams[stream].name;
        object.is_name_cut = reader->streams[stream].is_name_cut;
    }
    return object;
}

static void call(const annot_reader *reader, uint32_t called, struct annot__called_object *object)
{
    if (called == ANNOT__NONE)
        return;
    object->name = reader->called[called].name;
    object->is_name_cut = reader->called[called].is_cut;
}

struct annot__called_object annot__called_in_execution(const annot_reader *reader,
                                                       uint32_t execution)
{
    const struct annot__execution *of = &reader->executions[execution];
    struct annot__called_object object = annot__called_in_recording(reader, of->stream, of->object);
    call(reader, of->called, &object);
    return object;
}

struct annot__called_object annot__called_in_bundle(const annot_reader *reader, uint32_t entry)
{
    struct annot__called called;
    struct annot__called_object object = annot__called_in_recording(
        reader, reader->entries[entry].leaf.link, annot__entry_bundle(reader, entry).object);
    if (!annot__entry_bundle_name(reader, entry, &called))
        return object;
    object.name = called.name;
    object.is_name_cut = called.is_cut;
    return object;
}

struct annot__called_object annot__called_in_submission(const annot_reader *reader,
                                                        uint32_t submission)
{
    const struct annot__submitted *of = &reader->submissions[submission];
    struct annot__called_object object = find_object(reader, reader->streams[of->queue].object);
    call(reader, of->called, &object);
    return object;
}

struct annot__called_object annot__called_last(const annot_reader *reader, uint64_t id)
{
    return annot__called_in_recording(reader, annot__index_find(&reader->queue_index, id), id);
}

/* Finds an object's name; former names of an object are in order. */
struct annot__called_object annot__called_bound(const annot_reader *reader, uint32_t stream,
                                                uint64_t id)
{
    struct annot__called_object object = annot__called_last(reader, id);
    const uint64_t number = stream < reader->stream_count ? reader->streams[stream].number : 0;
    const struct annot__index *index = &reader->former_index;
    uint32_t low = annot__index_lower(index, id);
    uint32_t end = id == UINT64_MAX ? index->count : annot__index_lower(index, id + 1);
    const uint32_t behind = end;
    if (number == 0)
        return object;
    ANNOT__LOWER_BOUND(low, end, i, reader->formers[index->entries[i].value].fields.until < number);
    if (low == behind)
        return object;
    const struct annot__former_name *former = &reader->formers[index->entries[low].value];
    object.name = former->name;
    object.is_name_cut = former->fields.name_size > former->name.size;
    return object;
}
