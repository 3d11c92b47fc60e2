/* Any bytes as a dump: open, walk everything, ask everything, write both reports. What the reader
 * promises is checked as it goes: indices stay in their arrays, reports hold no control characters,
 * memory stays within its limit. */
#include <annot/fleet.h>
#include <annot/timeline.h>

#include <stdlib.h>
#include <string.h>

enum { MEMORY_LIMIT = 64 << 20 };

static void check(bool condition)
{
    if (!condition)
        abort();
}

struct checker {
    size_t lines;
};

static bool check_report(void *user, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    struct checker *checker = user;
    for (size_t i = 0; i < size; i++) {
        check(bytes[i] >= 0x20 || bytes[i] == '\n');
        check(bytes[i] != 0x7F);
        checker->lines += bytes[i] == '\n';
    }
    return true;
}

static void walk_entries(const annot_reader *reader, const annot_reader_stream *stream)
{
    annot_reader_entry entry;
    char name[64];
    for (uint32_t i = 0; i < stream->entry_count && i < 256; i++) {
        uint32_t index = stream->first_entry + i;
        check(annot_reader_entry_at(reader, index, &entry));
        check(entry.parent == ANNOT_READER_NONE || entry.parent < index);
        check(entry.last >= index && entry.last < stream->first_entry + stream->entry_count);
        check(annot_reader_entry_name(reader, index, name, sizeof name) < sizeof name);
        check(!memchr(name, '\n', strlen(name)));
        annot_reader_queue_state(reader, index, NULL);
    }
}

static void walk_crumbs(const annot_reader *reader)
{
    annot_reader_crumbs crumbs;
    annot_reader_range range;
    for (size_t i = 0; i < 256 && annot_reader_crumbs_at(reader, i, &crumbs); i++) {
        check(crumbs.execution == ANNOT_READER_NONE ||
              crumbs.execution < annot_reader_execution_count(reader));
        check(crumbs.queue == ANNOT_READER_NONE ||
              crumbs.queue < annot_reader_stream_count(reader));
        const uint32_t ops[] = {0, crumbs.done - 1, crumbs.done, crumbs.count - 1, crumbs.count};
        for (size_t k = 0; k < sizeof ops / sizeof ops[0]; k++) {
            const uint32_t op = annot_reader_op(reader, i, ops[k]);
            check(op == ANNOT_READER_NONE || op < 256);
            check(annot_op_text(op)[0] != 0);
        }
    }
    for (size_t i = 0; i < 64 && annot_reader_range_at(reader, i, &range); i++)
        annot_reader_object_find(reader, range.object, &(annot_reader_object){0});
}

static void walk(const annot_reader *reader)
{
    annot_reader_stream stream;
    annot_reader_execution execution;
    annot_reader_stop stop;
    annot_reader_object object;
    annot_evidence evidence;
    char path[256];
    uint8_t bytes[64];
    for (uint32_t i = 0; i < 256 && annot_reader_stream_at(reader, i, &stream); i++) {
        walk_entries(reader, &stream);
        annot_reader_queue_verdict(reader, i);
    }
    for (uint32_t i = 0; i < 256 && annot_reader_execution_at(reader, i, &execution); i++)
        if (annot_reader_stream_at(reader, execution.stream, &stream))
            for (uint32_t k = 0; k < stream.entry_count && k < 64; k++)
                annot_reader_state(reader, i, ANNOT_READER_NONE, stream.first_entry + k, &evidence);
    for (size_t i = 0; i < 64 && annot_reader_stop_at(reader, i, &stop); i++)
        check(annot_reader_stop_path(reader, i, path, sizeof path) == strlen(path));
    for (size_t i = 0; i < 64 && annot_reader_object_at(reader, i, &object); i++)
        annot_reader_object_find(reader, object.id, &object);
    for (size_t i = 0; i < 64 && i < annot_reader_blob_count(reader); i++)
        annot_reader_blob_read(reader, i, 3, bytes, sizeof bytes);
    walk_crumbs(reader);
    annot_reader_get_tdr(reader, &(annot_reader_tdr){0});
}

static void check_line(const char *line, size_t capacity)
{
    check(memchr(line, 0, capacity) != NULL);
    for (; *line; line++)
        check((unsigned char)*line >= 0x20 && *line != 0x7F);
}

/* Walks the answers that a report begins with, and those that hangs are grouped by. */
static void walk_answers(const annot_reader *reader)
{
    static annot_identity identity;
    annot_reader_operation operation;
    annot_reader_shader shader;
    char text[48];
    annot_reader_identity(reader, &identity);
    check_line(identity.title, sizeof identity.title);
    check(annot_reader_answer(reader, text, sizeof text) == strlen(text));
    check_line(text, sizeof text);
    for (uint32_t i = 0; i < 64 && annot_reader_advice(reader, i, text, sizeof text) > 0; i++)
        check_line(text, sizeof text);
    for (size_t i = 0; i < 64 && i < annot_reader_stop_count(reader); i++)
        if (annot_reader_stop_operation(reader, i, &operation)) {
            check(operation.stream < annot_reader_stream_count(reader));
            check(annot_reader_operation_text(&operation, text, sizeof text) == strlen(text));
            check_line(text, sizeof text);
            for (uint32_t k = 0; k < operation.object_count && k < 64; k++)
                annot_reader_shader_of(reader, operation.objects[k].object, 0, &shader);
        }
}

/* Slices of a track nest, and none ends before it begins. */
static void walk_timeline(const annot_reader *reader, const annot_report_sink *sink)
{
    annot_timeline *timeline;
    annot_timeline_slice slice, last = {0};
    const annot_report_options few = {.node_limit = 300};
    if (annot_timeline_create(reader, &timeline) != ANNOT_OK)
        return;
    for (size_t i = 0; i < 4096 && annot_timeline_slice_at(timeline, i, &slice); i++) {
        check(slice.begin <= slice.end);
        check(i == 0 || slice.track != last.track || slice.depth <= last.depth + 1);
        last = slice;
    }
    check(annot_timeline_text(timeline, &few, sink) == ANNOT_OK);
    check(annot_timeline_json(timeline, sink) == ANNOT_OK);
    annot_timeline_destroy(timeline);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    annot_reader_desc desc = {.memory_limit = MEMORY_LIMIT};
    annot_reader *reader;
    annot_result result = annot_reader_open_memory(&desc, data, size, &reader);
    check(!!reader == (result == ANNOT_OK || result == ANNOT_ERROR_INCOMPLETE));
    if (!reader)
        return 0;
    struct checker checker = {0};
    annot_report_sink sink = {&checker, check_report};
    annot_report_options folded = {.node_limit = 300};
    annot_report_options all = {.all = true, .node_limit = 300};
    walk(reader);
    walk_answers(reader);
    check(annot_report_text(reader, &folded, &sink) == ANNOT_OK);
    check(annot_report_text(reader, &all, &sink) == ANNOT_OK);
    check(annot_report_json(reader, &all, &sink) == ANNOT_OK);
    walk_timeline(reader, &sink);
    annot_reader_close(reader);
    return 0;
}

#ifndef ANNOT_FUZZ_NO_MUTATOR

/* Mutated bytes seldom have the right hashes, and the code behind damaged sections is then all that
 * is fuzzed. So half of the mutations have their hashes repaired. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

#define XXH_INLINE_ALL
#include <xxhash.h>

static void store(uint8_t *at, uint64_t value)
{
    for (unsigned i = 0; i < 8; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t load(const uint8_t *at, unsigned size)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static void repair(uint8_t *data, size_t size)
{
    if (size >= 32)
        store(data + 24, XXH64(data + 8, 16, 0));
    for (size_t at = 32; at + 32 <= size;) {
        if (memcmp(data + at, "ANNOTSEC", 8) != 0) {
            at += 8;
            continue;
        }
        uint64_t kind = load(data + at + 8, 4), index = load(data + at + 12, 4);
        uint64_t payload = load(data + at + 16, 8), left = size - at - 32;
        if (payload > left)
            store(data + at + 16, payload = left);
        store(data + at + 24, XXH64(data + at + 32, (size_t)payload, index << 32 | kind));
        at += 32 + ((size_t)payload + 7) / 8 * 8;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    size = LLVMFuzzerMutate(data, size, max_size);
    if (seed & 1)
        repair(data, size);
    return size;
}

#endif
