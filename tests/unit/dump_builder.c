#include "dump_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* No suite's assertion: programs that only write dumps use this file, too. */
#define MUST(condition) ((condition) ? (void)0 : fail(#condition))

static void fail(const char *condition)
{
    fprintf(stderr, "dump_builder: %s does not hold\n", condition);
    abort();
}

static uint8_t *grow(struct dump *dump, size_t size)
{
    if (dump->size + size > dump->capacity) {
        dump->capacity = (dump->size + size) * 2;
        dump->data = realloc(dump->data, dump->capacity);
        MUST(dump->data);
    }
    uint8_t *at = dump->data + dump->size;
    memset(at, 0, size);
    dump->size += size;
    return at;
}

static void put(uint8_t *at, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

static void close_section(struct dump *dump)
{
    if (!dump->section)
        return;
    uint8_t *header = dump->data + dump->section;
    size_t size = dump->size - dump->section - ANNOT__DUMP_SECTION_HEADER;
    put(header + 16, size, 8);
    put(header + 24, XXH64(header + 32, size, (uint64_t)(dump->index - 1) << 32 | dump->kind), 8);
    dump->section = 0;
}

void dump_new_section(struct dump *dump, uint32_t kind)
{
    close_section(dump);
    dump->section = dump->size;
    dump->kind = kind;
    uint8_t *header = grow(dump, ANNOT__DUMP_SECTION_HEADER);
    memcpy(header, ANNOT__DUMP_SECTION_MAGIC, 8);
    put(header + 8, kind, 4);
    put(header + 12, dump->index++, 4);
}

void dump_section(struct dump *dump, uint32_t kind)
{
    if (!dump->section || dump->kind != kind)
        dump_new_section(dump, kind);
}

void dump_record(struct dump *dump, uint32_t kind, const void *fixed, size_t fixed_size,
                 const void *variable, size_t variable_size)
{
    size_t size = ANNOT__DUMP_RECORD_HEADER + fixed_size + variable_size;
    uint8_t *at = grow(dump, (size + 7) & ~(size_t)7);
    put(at, kind, 2);
    put(at + 2, fixed_size, 2);
    put(at + 4, variable_size, 4);
    if (fixed_size)
        memcpy(at + 8, fixed, fixed_size);
    if (variable_size)
        memcpy(at + 8 + fixed_size, variable, variable_size);
    dump->records += kind != ANNOT__DUMP_END;
    dump->markers += kind == ANNOT__DUMP_BEGIN || kind == ANNOT__DUMP_SET;
}

#define PUT_U32(name, doc) put(at, fields->name, 4), at += 4;
#define PUT_U64(name, doc) put(at, fields->name, 8), at += 8;
#define DUMP_PUT(name, kind, doc, variable)                                                        \
    void dump_put_##name(struct dump *dump, const struct annot__dump_##name *fields,               \
                         const void *bytes, size_t size)                                           \
    {                                                                                              \
        uint8_t fixed[ANNOT__DUMP_##name##_FIXED], *at = fixed;                                    \
        ANNOT__DUMP_FIELDS_##name(PUT_U32, PUT_U64)                                                \
            dump_record(dump, kind, fixed, sizeof fixed, bytes, size);                             \
    }
ANNOT__DUMP_RECORDS(DUMP_PUT)

void dump_text(struct dump *dump, uint32_t role, const char *words)
{
    if (words)
        dump_add_with(dump, TEXT, words, strlen(words), .role = role);
}

void dump_fact(struct dump *dump, uint32_t source, const char *key, const char *value)
{
    char text[512];
    if (!key || !value)
        return;
    snprintf(text, sizeof text, "%s%s", key, value);
    dump_section(dump, ANNOT__DUMP_SECTION_ABOUT);
    dump_add_with(dump, FACT, text, strlen(text), source, (uint32_t)strlen(key));
}

static void start(struct dump *dump, const struct annot__dump_DEVICE *device, const char *reason)
{
    *dump = (struct dump){.next_event = 0x500000010};
    uint8_t *header = grow(dump, ANNOT__DUMP_HEADER_SIZE);
    put(header + 8, ANNOT__DUMP_MAJOR, 2);
    put(header + 10, ANNOT__DUMP_MINOR, 2);
    put(header + 12, ANNOT__DUMP_HEADER_SIZE, 4);
    put(header + 24, XXH64(header + 8, 16, 0), 8);
    dump_section(dump, ANNOT__DUMP_SECTION_ABOUT);
    dump_put_DEVICE(dump, device, NULL, 0);
    dump_text(dump, ANNOT__DUMP_TEXT_APPLICATION, "game");
    dump_text(dump, ANNOT__DUMP_TEXT_REASON, reason);
}

static struct annot__dump_DEVICE usual_device(uint32_t error)
{
    return (struct annot__dump_DEVICE){
        .error = error,
        .mode = 2,
        .driver_supported = 1,
        .has_report = 1,
        .pointer_size = 8,
    };
}

#define TIMEOUT "GPU timeout after 2.0 s"

void dump_start(struct dump *dump, uint32_t error, uint32_t order_window)
{
    dump_start_promising(dump, error, order_window, 0);
}

void dump_start_promising(struct dump *dump, uint32_t error, uint32_t order_window,
                          uint32_t promises)
{
    struct annot__dump_DEVICE device = usual_device(error);
    device.order_window = order_window;
    device.promises = promises;
    start(dump, &device, TIMEOUT);
}

void dump_start_because(struct dump *dump, uint32_t error, const char *reason)
{
    const struct annot__dump_DEVICE device = usual_device(error);
    start(dump, &device, reason);
}

void dump_start_device(struct dump *dump, const struct annot__dump_DEVICE *device)
{
    start(dump, device, TIMEOUT);
}

void dump_finish(struct dump *dump)
{
    uint64_t sections = dump->index;
    dump_new_section(dump, ANNOT__DUMP_SECTION_END);
    dump_add(dump, END, sections, dump->records, dump->markers);
    close_section(dump);
    memcpy(dump->data, ANNOT__DUMP_MAGIC, 8);
}

void dump_sign_header(struct dump *dump)
{
    put(dump->data + 24, XXH64(dump->data + 8, 16, 0), 8);
}

void dump_free(struct dump *dump)
{
    free(dump->data);
    *dump = (struct dump){0};
}

void dump_object(struct dump *dump, uint64_t id, uint32_t kind, const char *name)
{
    struct annot__dump_OBJECT object = {
        .id = id, .kind = kind, .flags = 2, .name_size = (uint32_t)strlen(name)};
    dump_section(dump, ANNOT__DUMP_SECTION_OBJECTS);
    dump_put_OBJECT(dump, &object, name, strlen(name));
}

void dump_recording(struct dump *dump, uint64_t id, uint64_t object)
{
    struct annot__dump_RECORDING recording = {.id = id, .object = object};
    dump_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_put_RECORDING(dump, &recording, NULL, 0);
    dump->depth = 0;
}

struct dump dump_started(uint32_t error, uint32_t order_window)
{
    struct dump dump;
    dump_start(&dump, error, order_window);
    return dump;
}

struct dump dump_promising(uint32_t promises)
{
    struct dump dump;
    dump_start_promising(&dump, ERROR_HUNG, 0, promises);
    dump_recording(&dump, 1, 100);
    return dump;
}

struct dump dump_hung(void)
{
    return dump_promising(0);
}

void dump_queue(struct dump *dump, uint64_t object, uint64_t submitted, uint64_t completed)
{
    struct annot__dump_QUEUE queue = {
        .object = object, .submitted = submitted, .completed = completed};
    dump_section(dump, ANNOT__DUMP_SECTION_QUEUES);
    dump_put_QUEUE(dump, &queue, NULL, 0);
    dump->depth = 0;
}

static uint64_t parent_of(const struct dump *dump)
{
    return dump->depth ? dump->scopes[dump->depth - 1] : 0;
}

uint64_t dump_marker(struct dump *dump, bool is_scope, uint32_t metadata, const void *data,
                     size_t size)
{
    struct annot__dump_BEGIN marker = {
        .event_id = dump->next_event,
        .parent = parent_of(dump),
        .metadata = metadata,
        .size = (uint32_t)size,
    };
    size_t at = dump->size;
    dump->next_event += 0x10;
    if (!is_scope) {
        struct annot__dump_SET set;
        memcpy(&set, &marker, sizeof set);
        dump_put_SET(dump, &set, data, size);
        return marker.event_id;
    }
    dump_put_BEGIN(dump, &marker, data, size);
    MUST(dump->depth < 128);
    enum { FLAGS = 24 }; /* new fields come behind them */
    dump->flags[dump->depth] = at + ANNOT__DUMP_RECORD_HEADER + FLAGS;
    dump->scopes[dump->depth++] = marker.event_id;
    return marker.event_id;
}

uint64_t dump_begin(struct dump *dump, const char *name)
{
    return dump_marker(dump, true, 1, name, strlen(name));
}

uint64_t dump_set(struct dump *dump, const char *name)
{
    return dump_marker(dump, false, 1, name, strlen(name));
}

void dump_end(struct dump *dump)
{
    if (dump->depth > 0) {
        put(dump->data + dump->flags[--dump->depth], ANNOT__DUMP_MARKER_CLOSED, 4);
        return;
    }
    dump_add(dump, SURPLUS_END, .parent = 0);
}

void dump_bundle(struct dump *dump, uint32_t ordinal, uint64_t recording, uint64_t object)
{
    dump_add(dump, BUNDLE, .parent = parent_of(dump), .recording = recording, .object = object,
             .ordinal = ordinal);
}

void dump_submitted(struct dump *dump)
{
    dump_queue(dump, 21, 1, 0);
    dump_submit(dump, 1, 1, (uint64_t[]){1});
}

void dump_submit(struct dump *dump, uint64_t serial, uint32_t count, const uint64_t *recordings)
{
    uint8_t lists[16 * 64];
    struct annot__dump_SUBMISSION submission = {
        .serial = serial, .parent = parent_of(dump), .count = count};
    MUST(count <= 64);
    for (uint32_t i = 0; i < count; i++) {
        put(lists + 16 * i, recordings[i], 8);
        put(lists + 16 * i + 8, 100 + i, 8);
    }
    dump_put_SUBMISSION(dump, &submission, lists, 16 * (size_t)count);
}

void dump_row(struct dump *dump, uint64_t queue, uint64_t submission, uint32_t list,
              uint32_t bundle, uint32_t state, uint64_t started, uint64_t completed)
{
    struct annot__dump_PROGRESS row = {.queue = queue,
                                       .submission = submission,
                                       .started = started,
                                       .completed = completed,
                                       .list = list,
                                       .bundle = bundle,
                                       .state = state,
                                       .inside = ANNOT_INSIDE_TRACKED};
    dump_section(dump, ANNOT__DUMP_SECTION_EVIDENCE);
    dump_put_PROGRESS(dump, &row, NULL, 0);
}

struct dump dump_frame(void)
{
    static const uint8_t pix[] = {0x00, 0x20, 0,   0,   0,   0, 0, 0, 0x10, 0x20, 0x30,
                                  0xFF, 0,    0,   0,   0,   0, 0, 0, 0,    0,    0,
                                  0xC0, 0x04, 'P', 'I', 'X', 0, 0, 0, 0,    0};
    static const uint8_t wide[] = {'W', 0, 0x3D, 0xD8, 0x00, 0xDE, 0, 0};
    struct dump made = dump_started(ERROR_HUNG, 0), *dump = &made;
    dump_object(dump, 21, 19, "Graphics");
    dump_object(dump, 22, 19, "Compute");
    dump_object(dump, 100, 22, "Shadow list");
    dump_object(dump, 101, 22, "Light list");

    dump_recording(dump, 1, 100);
    dump_begin(dump, "Frame 7");
    dump_marker(dump, false, 2, pix, sizeof pix);
    uint64_t shadow = dump_begin(dump, "Shadow pass");
    uint64_t first = dump_begin(dump, "Cascade 1");
    dump_bundle(dump, 1, 3, 102);
    dump_end(dump);
    uint64_t second = dump_begin(dump, "Cascade 2");
    dump_bundle(dump, 2, 3, 102);
    dump_end(dump);
    dump_end(dump);
    (void)shadow;
    dump_recording(dump, 2, 101);
    dump_begin(dump, "Lighting");
    dump_end(dump);
    dump_end(dump);
    dump_new_section(dump, ANNOT__DUMP_SECTION_LISTS);
    dump_recording(dump, 3, 102);
    uint64_t tree = dump_begin(dump, "Trees");
    uint64_t leaf = dump_marker(dump, false, 0, wide, sizeof wide);
    dump_end(dump);

    dump_queue(dump, 21, 3, 1);
    dump_submit(dump, 1, 2, (uint64_t[]){1, 2});
    dump_begin(dump, "Queue scope");
    dump_submit(dump, 2, 2, (uint64_t[]){1, 2});
    dump_submit(dump, 3, 1, (uint64_t[]){2});
    dump_queue(dump, 22, 1, 0);
    dump_set(dump, "async");
    dump_submit(dump, 1, 1, (uint64_t[]){2});

    dump_row(dump, 21, 2, 0, 0, STARTED, second, first);
    dump_row(dump, 21, 2, 0, 1, FINISHED, leaf, tree);
    dump_row(dump, 21, 2, 0, 2, STARTED, tree, 0);
    dump_row(dump, 21, 2, 1, 0, NOT_STARTED, 0, 0);
    dump_row(dump, 22, 1, 0, 0, NOT_STARTED, 0, 0);
    dump_finish(dump);
    return made;
}
