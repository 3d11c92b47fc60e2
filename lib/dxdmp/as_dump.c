/*
 * A DirectX dump file as an annotation dump, for everything that reads those: the one inside, or
 * what DRED says. A node becomes a recording and a submission of its own, breadcrumbs and all; in
 * front of the operations that DRED kept nothing is known, and a node whose GPU may not have come
 * to it gets no breadcrumbs, so that its state is unknown.
 */
#include "base/sized.h"
#include "dump/dump_decode.h"
#include "dump/dump_encode.h"
#include "dxdmp/dxdmp_model.h"
#include "report/report.h"

#include <annot/dxdmp.h>

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_EVENT UINT64_C(0x100000010)

enum {
    NAME_MAX_SIZE = 1024,
    KIND_QUEUE = 19, /* D3D12_DRED_ALLOCATION_TYPE */
    KIND_LIST = 22
};

struct making {
    const annot_dxdmp *from;
    char *bytes;
    size_t size, capacity, section;
    uint32_t kind, sections;
    uint64_t records, markers, next_event;
    bool has_memory;
};

/* ---- bytes ---- */

/* NULL: no memory, now or before. */
static char *extend(struct making *making, size_t size)
{
    const annot_allocator *allocator = &making->from->allocator;
    if (!making->has_memory)
        return NULL;
    if (size > making->capacity - making->size) {
        const size_t capacity = 2 * (making->size + size);
        char *larger = allocator->allocate(allocator->user, capacity, 16);
        making->has_memory = larger != NULL;
        if (!larger)
            return NULL;
        if (making->bytes) {
            memcpy(larger, making->bytes, making->size);
            allocator->release(allocator->user, making->bytes, making->capacity);
        }
        making->bytes = larger;
        making->capacity = capacity;
    }
    char *at = making->bytes + making->size;
    memset(at, 0, size);
    making->size += size;
    return at;
}

static void close_section(struct making *making)
{
    if (making->section == 0)
        return;
    char *header = making->bytes + making->section;
    const size_t size = making->size - making->section - ANNOT__DUMP_SECTION_HEADER;
    annot__put_u64(header + 16, size);
    annot__put_u64(header + 24, XXH64(header + ANNOT__DUMP_SECTION_HEADER, size,
                                      (uint64_t)(making->sections - 1) << 32 | making->kind));
}

static void open_section(struct making *making, uint32_t kind)
{
    close_section(making);
    const size_t at = making->size;
    char *header = extend(making, ANNOT__DUMP_SECTION_HEADER);
    if (!header)
        return;
    memcpy(header, ANNOT__DUMP_SECTION_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
    annot__put_u32(header + 8, kind);
    annot__put_u32(header + 12, making->sections++);
    making->section = at;
    making->kind = kind;
}

static void put_record(struct making *making, uint32_t kind, const char *fixed, size_t fixed_size,
                       const void *variable, size_t size)
{
    const size_t whole = ANNOT__DUMP_RECORD_HEADER + fixed_size + size;
    char *at = extend(making, (whole + 7) & ~(size_t)7);
    if (!at)
        return;
    annot__put_u16(at, (uint16_t)kind);
    annot__put_u16(at + 2, (uint16_t)fixed_size);
    annot__put_u32(at + 4, (uint32_t)size);
    memcpy(at + ANNOT__DUMP_RECORD_HEADER, fixed, fixed_size);
    if (size > 0)
        memcpy(at + ANNOT__DUMP_RECORD_HEADER + fixed_size, variable, size);
    making->records += kind != ANNOT__DUMP_END;
}

#define PUT(making, name, fields, variable, size)                                                  \
    do {                                                                                           \
        char put_fixed[ANNOT__DUMP_##name##_FIXED];                                                \
        annot__put_##name(put_fixed, fields);                                                      \
        put_record(making, ANNOT__DUMP_##name, put_fixed, sizeof put_fixed, variable, size);       \
    } while (0)

/* ---- the device ---- */

static void put_text(struct making *making, uint32_t role, const char *text, size_t size)
{
    const struct annot__dump_TEXT fields = {.role = role};
    if (size > 0)
        PUT(making, TEXT, &fields, text, size);
}

static uint64_t u64_of(const uint8_t *bytes)
{
    uint64_t value = 0;
    for (int i = 7; i >= 0; i--)
        value = value << 8 | bytes[i];
    return value;
}

static void put_about(struct making *making)
{
    annot_dxdmp_info info;
    char text[NAME_MAX_SIZE];
    annot_dxdmp_get_info(making->from, &info);
    const struct annot__dump_DEVICE device = {.guid_low = u64_of(info.guid),
                                              .guid_high = u64_of(info.guid + 8),
                                              .time = info.time,
                                              .error = info.error,
                                              .order_window = UINT32_MAX,
                                              .pointer_size = 8};
    open_section(making, ANNOT__DUMP_SECTION_ABOUT);
    PUT(making, DEVICE, &device, NULL, 0);
    put_text(making, ANNOT__DUMP_TEXT_APPLICATION, text,
             annot_dxdmp_string(making->from, info.executable, text, sizeof text));
    put_text(making, ANNOT__DUMP_TEXT_ADAPTER, text,
             annot_dxdmp_adapter(making->from, text, sizeof text));
    if (info.driver_version) {
        const int size =
            snprintf(text, sizeof text, "%u.%u.%u.%u", (unsigned)(info.driver_version >> 48),
                     (unsigned)(info.driver_version >> 32 & 0xffff),
                     (unsigned)(info.driver_version >> 16 & 0xffff),
                     (unsigned)(info.driver_version & 0xffff));
        put_text(making, ANNOT__DUMP_TEXT_DRIVER, text, (size_t)size);
    }
    put_text(making, ANNOT__DUMP_TEXT_WRITER, "DirectX dump file", 17);
}

/* ---- nodes ---- */

/* Numbers of objects: queues and lists by their old addresses, which are unique while they live. */
static void put_object(struct making *making, uint64_t id, uint32_t kind, bool is_freed,
                       const uint64_t keys[2])
{
    char name[NAME_MAX_SIZE];
    const size_t size = annot_dxdmp_dred_string(making->from, keys, name, sizeof name);
    const struct annot__dump_OBJECT fields = {.id = id,
                                              .kind = kind,
                                              .flags = (size > 0 ? 2u : 0) | (is_freed ? 1u : 0),
                                              .name_size = (uint32_t)size};
    PUT(making, OBJECT, &fields, name, size);
}

/* The first node of this queue. */
static bool is_first_of_queue(const struct making *making, const annot_dxdmp_node *node,
                              size_t index)
{
    annot_dxdmp_node other;
    for (size_t i = 0; i < index && annot_dxdmp_node_at(making->from, i, &other); i++)
        if (other.queue == node->queue)
            return false;
    return true;
}

enum { QUEUES_LOOKED_AT = 256 };

static size_t node_count(const struct making *making)
{
    const size_t count = annot_dxdmp_node_count(making->from);
    return count < QUEUES_LOOKED_AT ? count : QUEUES_LOOKED_AT;
}

/* Objects have numbers of this file: its addresses may be anything. */
static uint64_t list_id(size_t node)
{
    return 2 * node + 2;
}

static uint64_t queue_id(const struct making *making, const annot_dxdmp_node *node)
{
    annot_dxdmp_node other;
    size_t i = 0;
    while (annot_dxdmp_node_at(making->from, i, &other) && other.queue != node->queue)
        i++;
    return 2 * i + 1;
}

static uint64_t allocation_id(size_t allocation)
{
    return 2 * (uint64_t)QUEUES_LOOKED_AT + 16 + allocation;
}

enum { ALLOCATIONS_MAX = 64 };

static void put_objects(struct making *making)
{
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    open_section(making, ANNOT__DUMP_SECTION_OBJECTS);
    for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node); i++) {
        if (is_first_of_queue(making, &node, i))
            put_object(making, queue_id(making, &node), KIND_QUEUE, false, node.queue_name);
        put_object(making, list_id(i), KIND_LIST, false, node.list_name);
    }
    for (size_t i = 0;
         i < ALLOCATIONS_MAX && annot_dxdmp_allocation_at(making->from, i, &allocation); i++)
        put_object(making, allocation_id(i), allocation.type, allocation.is_freed, allocation.name);
}

/* The innermost scope that is open. While one is, its flags say where the BEGIN of the scope around
 * it stands, so that no depth needs more memory. */
struct scope {
    size_t recording;  /* where it begins; a ring of names is far from 4 GiB long */
    uint32_t at;       /* the BEGIN, from there on; 0: none is open */
    uint64_t event_id; /* 0: none */
};

static void put_marker(struct making *making, const annot_dxdmp_node *node, uint32_t op,
                       bool is_scope, struct scope *open)
{
    char name[NAME_MAX_SIZE], fixed[ANNOT__DUMP_BEGIN_FIXED];
    const uint64_t keys[2] = {0, dxdmp_context_of(making->from, node, op)};
    const size_t size = annot_dxdmp_dred_string(making->from, keys, name, sizeof name);
    const struct annot__dump_BEGIN marker = {.event_id = making->next_event,
                                             .parent = open->event_id,
                                             .metadata = 1,
                                             .size = (uint32_t)size,
                                             .flags = is_scope ? open->at : 0};
    const size_t at = making->size - open->recording;
    annot__put_BEGIN(fixed, &marker);
    put_record(making, is_scope ? ANNOT__DUMP_BEGIN : ANNOT__DUMP_SET, fixed, sizeof fixed, name,
               size);
    making->markers++;
    making->next_event += 16;
    if (is_scope) {
        open->at = (uint32_t)at;
        open->event_id = marker.event_id;
    }
}

/* Gives the open scope the flags that it keeps; the one around it is open then. */
static void leave_scope(struct making *making, struct scope *open, uint32_t flags)
{
    if (!making->has_memory)
        return;
    char *fixed = making->bytes + open->recording + open->at + ANNOT__DUMP_RECORD_HEADER;
    struct annot__dump_BEGIN begin;
    annot__decode_BEGIN((struct annot__bytes){(const uint8_t *)fixed, ANNOT__DUMP_BEGIN_FIXED},
                        &begin);
    open->at = begin.flags;
    open->event_id = begin.parent;
    begin.flags = flags;
    annot__put_BEGIN(fixed, &begin);
}

static void put_end(struct making *making, struct scope *open)
{
    const struct annot__dump_SURPLUS_END end = {.parent = 0};
    if (open->at)
        leave_scope(making, open, ANNOT__DUMP_MARKER_CLOSED);
    else
        PUT(making, SURPLUS_END, &end, NULL, 0);
}

static void put_recording(struct making *making, const annot_dxdmp_node *node, size_t index)
{
    const struct annot__dump_RECORDING recording = {.id = index + 1, .object = list_id(index)};
    struct scope open = {.recording = making->size};
    uint32_t kind;
    PUT(making, RECORDING, &recording, NULL, 0);
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count; op++) {
        if (!annot_dxdmp_node_op(making->from, node, op, &kind))
            continue;
        if (kind == DXDMP_OP_BEGIN_EVENT || kind == DXDMP_OP_SET_MARKER)
            put_marker(making, node, op, kind == DXDMP_OP_BEGIN_EVENT, &open);
        else if (kind == DXDMP_OP_END_EVENT)
            put_end(making, &open);
    }
    while (open.at && making->has_memory)
        leave_scope(making, &open, 0);
}

static void put_lists(struct making *making)
{
    annot_dxdmp_node node;
    open_section(making, ANNOT__DUMP_SECTION_LISTS);
    for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node); i++)
        put_recording(making, &node, i);
}

/* Finished lists stand in front of those that are under way, and those in front of the rest: DRED
 * doesn't say the order. */
static int stage_of(const annot_dxdmp_node *node)
{
    return node->done >= node->op_count ? 0 : node->done > 0 ? 1 : 2;
}

static void put_submission(struct making *making, size_t index, uint64_t serial)
{
    char lists[16];
    const struct annot__dump_SUBMISSION submission = {.serial = serial, .count = 1};
    annot__put_u64(lists, index + 1);
    annot__put_u64(lists + 8, list_id(index));
    PUT(making, SUBMISSION, &submission, lists, sizeof lists);
}

/* Calls `each` for the nodes of a queue in order of their serials. */
static uint64_t for_queue(struct making *making, uint64_t queue,
                          void (*each)(struct making *making, size_t index, uint64_t serial))
{
    annot_dxdmp_node node;
    uint64_t serial = 0;
    for (int stage = 0; stage < 3; stage++)
        for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node);
             i++)
            if (node.queue == queue && stage_of(&node) == stage) {
                serial++;
                if (each)
                    each(making, i, serial);
            }
    return serial;
}

static void put_queues(struct making *making)
{
    annot_dxdmp_node node;
    open_section(making, ANNOT__DUMP_SECTION_QUEUES);
    for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node); i++) {
        if (!is_first_of_queue(making, &node, i))
            continue;
        const struct annot__dump_QUEUE queue = {.object = queue_id(making, &node),
                                                .submitted = for_queue(making, node.queue, NULL)};
        PUT(making, QUEUE, &queue, NULL, 0);
        for_queue(making, node.queue, put_submission);
    }
}

/* ---- breadcrumbs ---- */

static bool has_crumbs(const annot_dxdmp_node *node)
{
    return stage_of(node) < 2 && node->op_count > 0;
}

static void put_crumbs(struct making *making, size_t index, uint64_t serial)
{
    annot_dxdmp_node node;
    uint32_t kind, markers = 0;
    if (!annot_dxdmp_node_at(making->from, index, &node) || !has_crumbs(&node))
        return;
    for (uint32_t op = 0; op < node.op_count && op < DXDMP_RING; op++)
        markers +=
            annot_dxdmp_node_op(making->from, &node, op, &kind) && kind <= DXDMP_OP_END_EVENT;
    const struct annot__dump_CRUMBS crumbs = {
        .queue = queue_id(making, &node),
        .submission = serial,
        .log = index + 1,
        .count = node.op_count,
        .done = node.done < node.op_count ? node.done : node.op_count,
        .markers = node.op_count > DXDMP_RING ? UINT32_MAX : markers};
    PUT(making, CRUMBS, &crumbs, NULL, 0);
}

static void put_ops(struct making *making, const annot_dxdmp_node *node, size_t index)
{
    enum { PIECE = 4096 };
    char kinds[PIECE];
    uint32_t kind;
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count;) {
        const struct annot__dump_OPS ops = {.log = index + 1, .first = op};
        uint32_t size = 0;
        while (size < PIECE && op < node->op_count &&
               annot_dxdmp_node_op(making->from, node, op, &kind)) {
            kinds[size++] = (char)(kind < 256 ? kind : 255);
            op++;
        }
        if (size == 0)
            return;
        PUT(making, OPS, &ops, kinds, size);
    }
}

static void put_evidence(struct making *making)
{
    annot_dxdmp_info info;
    annot_dxdmp_node node;
    annot_dxdmp_allocation allocation;
    annot_dxdmp_get_info(making->from, &info);
    if (info.has_page_fault) {
        const struct annot__dump_FAULT fault = {.address = info.fault_address};
        open_section(making, ANNOT__DUMP_SECTION_EVIDENCE);
        PUT(making, FAULT, &fault, NULL, 0);
    }
    open_section(making, ANNOT__DUMP_SECTION_CRUMBS);
    for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node); i++)
        if (is_first_of_queue(making, &node, i))
            for_queue(making, node.queue, put_crumbs);
    for (size_t i = 0; i < node_count(making) && annot_dxdmp_node_at(making->from, i, &node); i++)
        put_ops(making, &node, i);
    for (size_t i = 0; info.has_page_fault && i < ALLOCATIONS_MAX &&
                       annot_dxdmp_allocation_at(making->from, i, &allocation);
         i++) {
        const struct annot__dump_RANGE range = {.address = info.fault_address,
                                                .object = allocation_id(i),
                                                .kind = allocation.type,
                                                .flags = allocation.is_freed ? 1 : 0};
        PUT(making, RANGE, &range, NULL, 0);
    }
}

/* ---- the dump ---- */

static void make(struct making *making)
{
    char *header = extend(making, ANNOT__DUMP_HEADER_SIZE);
    if (!header)
        return;
    annot__put_u16(header + 8, ANNOT__DUMP_MAJOR);
    annot__put_u16(header + 10, ANNOT__DUMP_MINOR);
    annot__put_u32(header + 12, ANNOT__DUMP_HEADER_SIZE);
    annot__put_u64(header + 24, XXH64(header + 8, 16, 0));
    put_about(making);
    put_objects(making);
    put_lists(making);
    put_queues(making);
    put_evidence(making);
    const struct annot__dump_END end = {making->sections, making->records, making->markers};
    open_section(making, ANNOT__DUMP_SECTION_END);
    PUT(making, END, &end, NULL, 0);
    close_section(making);
    if (!annot_dxdmp_is_damaged(making->from))
        memcpy(making->bytes, ANNOT__DUMP_MAGIC, ANNOT__DUMP_MAGIC_SIZE);
}

annot_result annot_dxdmp_as_dump(const annot_dxdmp *dump, const annot_report_sink *sink)
{
    struct making making = {.from = dump, .next_event = FIRST_EVENT, .has_memory = true};
    const void *inner;
    size_t size;
    annot_result result = ANNOT_ERROR_OUT_OF_MEMORY;
    if (!dump || !sink || !sink->write)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot_dxdmp_inner(dump, &inner, &size))
        return sink->write(sink->user, inner, size) ? ANNOT_OK : ANNOT_ERROR_IO;
    make(&making);
    if (making.has_memory)
        result = sink->write(sink->user, making.bytes, making.size) ? ANNOT_OK : ANNOT_ERROR_IO;
    if (making.bytes)
        dump->allocator.release(dump->allocator.user, making.bytes, making.capacity);
    return result;
}
