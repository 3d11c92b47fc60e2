/*
 * What DRED's nodes and annotations of a DirectX dump file say, as lists and queues. A node becomes
 * a recording and a submission of its own, breadcrumbs and all; in front of the operations that
 * DRED kept nothing is known, and a node whose GPU may not have come to it gets no breadcrumbs, so
 * that its state is unknown. The annotations of a queue or an allocator become a recording that was
 * never submitted: the file says neither how they nest nor what ran.
 */
#include "dxdmp/made.h"

#include "dump/dump_decode.h"

#include <annot/dump.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- nodes ---- */

/* An EventID that no annotation of the file has. */
static uint64_t next_event(struct dxdmp_made *made)
{
    annot_dxdmp_annotation annotation;
    do
        made->last_event += 16;
    while (annot_dxdmp_annotation_find(made->from, made->last_event, &annotation));
    return made->last_event;
}

/* The innermost scope that is open. While one is, its flags say where the BEGIN of the scope around
 * it stands, so that no depth needs more memory. */
struct scope {
    size_t recording;  /* where it begins; a ring of names is far from 4 GiB long */
    uint32_t at;       /* the BEGIN, from there on; 0: none is open */
    uint64_t event_id; /* 0: none */
};

static void put_marker(struct dxdmp_made *made, const annot_dxdmp_node *node, uint32_t op,
                       bool is_scope, struct scope *open)
{
    char name[DXDMP_NAME_MAX], fixed[ANNOT__DUMP_BEGIN_FIXED];
    const uint64_t keys[2] = {0, dxdmp_context_of(made->from, node, op)};
    const size_t size = dxdmp_dred_name(made, keys, name);
    const struct annot__dump_BEGIN marker = {.event_id = next_event(made),
                                             .parent = open->event_id,
                                             .metadata = 1,
                                             .size = (uint32_t)size,
                                             .flags = is_scope ? open->at : 0};
    const size_t at = made->size - open->recording;
    annot__put_BEGIN(fixed, &marker);
    dxdmp_put_record(made, is_scope ? ANNOT__DUMP_BEGIN : ANNOT__DUMP_SET, fixed, sizeof fixed,
                     name, size);
    made->markers++;
    if (is_scope) {
        open->at = (uint32_t)at;
        open->event_id = marker.event_id;
    }
}

/* Gives the open scope the flags that it keeps; the one around it is open then. */
static void leave_scope(struct dxdmp_made *made, struct scope *open, uint32_t flags)
{
    if (!made->has_memory)
        return;
    char *fixed = made->bytes + open->recording + open->at + ANNOT__DUMP_RECORD_HEADER;
    struct annot__dump_BEGIN begin;
    annot__decode_BEGIN((struct annot__bytes){(const uint8_t *)fixed, ANNOT__DUMP_BEGIN_FIXED},
                        &begin);
    open->at = begin.flags;
    open->event_id = begin.parent;
    begin.flags = flags;
    annot__put_BEGIN(fixed, &begin);
}

static void put_end(struct dxdmp_made *made, struct scope *open)
{
    const struct annot__dump_SURPLUS_END end = {.parent = 0};
    if (open->at)
        leave_scope(made, open, ANNOT__DUMP_MARKER_CLOSED);
    else
        DXDMP_PUT(made, SURPLUS_END, &end, NULL, 0);
}

static void put_recording(struct dxdmp_made *made, const annot_dxdmp_node *node, size_t index)
{
    const struct annot__dump_RECORDING recording = {.id = index + 1,
                                                    .object = dxdmp_list_id(made, node, index)};
    struct scope open = {.recording = made->size};
    uint32_t kind;
    DXDMP_PUT(made, RECORDING, &recording, NULL, 0);
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count; op++) {
        if (!annot_dxdmp_node_op(made->from, node, op, &kind))
            continue;
        if (kind == DXDMP_OP_BEGIN_EVENT || kind == DXDMP_OP_SET_MARKER)
            put_marker(made, node, op, kind == DXDMP_OP_BEGIN_EVENT, &open);
        else if (kind == DXDMP_OP_END_EVENT)
            put_end(made, &open);
    }
    while (open.at && made->has_memory)
        leave_scope(made, &open, 0);
}

/* ---- annotations ---- */

/* What stands for an annotation that the file lacks. */
static size_t put_missing(uint64_t event_id, char name[DXDMP_NAME_MAX])
{
    return (size_t)snprintf(name, DXDMP_NAME_MAX, "0x%016" PRIx64 " (not in the file)", event_id);
}

/* Several may have one EventID, or come several times: the first mention alone has it. */
static uint64_t event_of(struct dxdmp_made *made, uint64_t event_id, size_t index)
{
    uint8_t *byte = &made->mentioned[index / 8];
    const uint8_t bit = (uint8_t)(1u << index % 8);
    const bool is_first = event_id != 0 && !(*byte & bit);
    *byte |= bit;
    return is_first ? event_id : next_event(made);
}

static void put_annotation(struct dxdmp_made *made, uint64_t event_id)
{
    char name[DXDMP_NAME_MAX];
    annot_dxdmp_annotation annotation = {.metadata = 1, .data = name};
    size_t index;
    if (dxdmp_annotation_index(made->from, event_id, &index))
        annot_dxdmp_annotation_at(made->from, index, &annotation);
    else
        annotation.size = put_missing(event_id, name);
    const size_t stored =
        annotation.size < ANNOT__DUMP_VARIABLE_MAX ? annotation.size : ANNOT__DUMP_VARIABLE_MAX;
    const bool is_known = annotation.data != name;
    const struct annot__dump_SET marker = {.event_id = is_known ? event_of(made, event_id, index)
                                                                : next_event(made),
                                           .metadata = annotation.metadata,
                                           .size = (uint32_t)annotation.size};
    DXDMP_PUT(made, SET, &marker, annotation.data, dxdmp_take_name(made, stored));
    made->markers++;
}

static void put_annotations(struct dxdmp_made *made)
{
    const annot_allocator *allocator = &made->from->allocator;
    const size_t size = annot_dxdmp_annotation_count(made->from) / 8 + 1;
    annot_dxdmp_owner owner;
    made->mentioned = allocator->allocate(allocator->user, size, 16);
    made->has_memory &= made->mentioned != NULL;
    if (made->mentioned)
        memset(made->mentioned, 0, size);
    for (size_t i = 0; made->has_memory && annot_dxdmp_owner_at(made->from, i, &owner); i++) {
        const struct annot__dump_RECORDING recording = {.id = DXDMP_NODES_MADE + 1 + i,
                                                        .object = dxdmp_owner_id(made, &owner, i)};
        DXDMP_PUT(made, RECORDING, &recording, NULL, 0);
        for (uint32_t k = 0; k < owner.id_count; k++)
            put_annotation(made, annot_dxdmp_owner_id(made->from, &owner, k));
    }
    if (made->mentioned)
        allocator->release(allocator->user, made->mentioned, size);
}

void dxdmp_put_lists(struct dxdmp_made *made)
{
    annot_dxdmp_node node;
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++)
        put_recording(made, &node, i);
    if (annot_dxdmp_owner_count(made->from) > 0)
        put_annotations(made);
}

/* ---- queues ---- */

/* Finished lists stand in front of those that are under way, and those in front of the rest: DRED
 * doesn't say the order. */
static int stage_of(const annot_dxdmp_node *node)
{
    return node->done >= node->op_count ? 0 : node->done > 0 ? 1 : 2;
}

static void put_submission(struct dxdmp_made *made, size_t index, uint64_t serial)
{
    char lists[16];
    annot_dxdmp_node node;
    annot_dxdmp_node_at(made->from, index, &node);
    const struct annot__dump_SUBMISSION submission = {.serial = serial, .count = 1};
    annot__put_u64(lists, index + 1);
    annot__put_u64(lists + 8, dxdmp_list_id(made, &node, index));
    DXDMP_PUT(made, SUBMISSION, &submission, lists, sizeof lists);
}

/* Calls `each` for the nodes of a queue in order of their serials. */
static uint64_t for_queue(struct dxdmp_made *made, uint64_t queue,
                          void (*each)(struct dxdmp_made *made, size_t index, uint64_t serial))
{
    annot_dxdmp_node node;
    uint64_t serial = 0;
    for (int stage = 0; stage < 3; stage++)
        for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++)
            if (node.queue == queue && stage_of(&node) == stage) {
                serial++;
                if (each)
                    each(made, i, serial);
            }
    return serial;
}

void dxdmp_put_queues(struct dxdmp_made *made)
{
    annot_dxdmp_node node;
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++) {
        if (!dxdmp_is_first_of_queue(made, &node, i))
            continue;
        const struct annot__dump_QUEUE queue = {.object = dxdmp_queue_id(made, &node),
                                                .submitted = for_queue(made, node.queue, NULL)};
        DXDMP_PUT(made, QUEUE, &queue, NULL, 0);
        for_queue(made, node.queue, put_submission);
    }
}

/* ---- breadcrumbs ---- */

static bool has_crumbs(const annot_dxdmp_node *node)
{
    return stage_of(node) < 2 && node->op_count > 0;
}

static void put_crumbs(struct dxdmp_made *made, size_t index, uint64_t serial)
{
    annot_dxdmp_node node;
    uint32_t kind, markers = 0;
    if (!annot_dxdmp_node_at(made->from, index, &node) || !has_crumbs(&node))
        return;
    for (uint32_t op = 0; op < node.op_count && op < DXDMP_RING; op++)
        markers += annot_dxdmp_node_op(made->from, &node, op, &kind) && kind <= DXDMP_OP_END_EVENT;
    const struct annot__dump_CRUMBS crumbs = {
        .queue = dxdmp_queue_id(made, &node),
        .submission = serial,
        .log = index + 1,
        .count = node.op_count,
        .done = node.done < node.op_count ? node.done : node.op_count,
        .markers = node.op_count > DXDMP_RING ? UINT32_MAX : markers};
    DXDMP_PUT(made, CRUMBS, &crumbs, NULL, 0);
}

static void put_ops(struct dxdmp_made *made, const annot_dxdmp_node *node, size_t index)
{
    enum { PIECE = 4096 };
    char kinds[PIECE];
    uint32_t kind;
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count;) {
        const struct annot__dump_OPS ops = {.log = index + 1, .first = op};
        uint32_t size = 0;
        while (size < PIECE && op < node->op_count &&
               annot_dxdmp_node_op(made->from, node, op, &kind)) {
            kinds[size++] = (char)(kind < 256 ? kind : 255);
            op++;
        }
        if (size == 0)
            return;
        DXDMP_PUT(made, OPS, &ops, kinds, size);
    }
}

void dxdmp_put_breadcrumbs(struct dxdmp_made *made)
{
    annot_dxdmp_node node;
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++)
        if (dxdmp_is_first_of_queue(made, &node, i))
            for_queue(made, node.queue, put_crumbs);
    for (size_t i = 0; i < made->node_count && annot_dxdmp_node_at(made->from, i, &node); i++)
        put_ops(made, &node, i);
}
