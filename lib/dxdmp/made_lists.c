/* Makes lists and queues from DRED's nodes and annotations of a DirectX dump file. A node becomes a
 * recording and a submission with breadcrumbs; nothing is known before the operations that DRED
 * kept. A node that the GPU may not have reached gets no breadcrumbs, so its state is unknown. The
 * annotations of a queue or an allocator become a recording that was never submitted, because the
 * file does not say which annotations ran. If the numbers of markers belong to only one pair of
 * allocator and node, the node's recording gets the allocator's markers. */
#include "dxdmp/made.h"

#include "dump/dump_decode.h"

#include <annot/ddi.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The first annotation with this EventID. O(log n). */
static bool find_annotation(const struct dxdmp *file, uint64_t event_id, uint32_t *index)
{
    *index = dxdmp_lower(file->annotations, file->annotation_count, event_id, 0);
    return *index < file->annotation_count && file->annotations[*index].key == event_id;
}

/* ---- allocators and nodes, joined by counting ---- */

/* Returns how many nodes have markers; UINT32_MAX: the file lacks some, or has their names. */
static uint32_t count_nodes(const struct dxdmp_made *made, struct dxdmp_place *places)
{
    uint32_t count = 0, kind;
    for (uint32_t i = 0; i < made->node_count; i++) {
        const struct dxdmp_node *node = &made->nodes[i];
        uint32_t named = 0;
        if (node->ops_kept != node->op_count || node->context_count > 0)
            return UINT32_MAX;
        for (uint32_t op = 0; op < node->op_count; op++)
            named += dxdmp_node_op(made->from, node, op, &kind) && kind <= DXDMP_OP_BEGIN_EVENT;
        if (named > 0)
            places[count++] = (struct dxdmp_place){named, 0, i};
    }
    return made->node_count == made->from->counts[DXDMP_NODES] ? count : UINT32_MAX;
}

/* The same for allocators, whose places are their sections. */
static uint32_t count_allocators(const struct dxdmp *from, struct dxdmp_place *places)
{
    struct dxdmp_thing owner = {0};
    uint32_t count = 0;
    while (dxdmp_next(from, DXDMP_OWNERS, &owner)) {
        const uint64_t named = dxdmp_u64(from, owner.section, DXDMP_OWNER_COUNT);
        if (owner.section->type != DXDMP_ALLOCATOR_ANNOTATIONS || named == 0)
            continue;
        if (count == DXDMP_NODES_MADE || named > (owner.section->size - DXDMP_OWNER_IDS) / 8)
            return UINT32_MAX;
        places[count++] =
            (struct dxdmp_place){named, 0, (uint32_t)(owner.section - from->sections)};
    }
    return count;
}

/* A list under way has its markers in one allocator. If there are as many allocators as lists, with
 * the same counts, and each count comes once, the largest list can only be in the largest
 * allocator, and fills it; and so on. */
void dxdmp_join_annotations(struct dxdmp_made *made)
{
    struct dxdmp_place nodes[DXDMP_NODES_MADE], allocators[DXDMP_NODES_MADE];
    const uint32_t count = count_nodes(made, nodes);
    if (count == UINT32_MAX || count != count_allocators(made->from, allocators))
        return;
    dxdmp_sort(nodes, count);
    dxdmp_sort(allocators, count);
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i].key != allocators[i].key || (i > 0 && nodes[i].key == nodes[i - 1].key))
            return;
    for (uint32_t i = 0; i < count; i++)
        made->nodes[nodes[i].at].named_by = &made->from->sections[allocators[i].at];
    made->is_joined = count > 0;
}

/* ---- nodes ---- */

/* An EventID that no annotation of the file has. */
static uint64_t next_event(struct dxdmp_made *made)
{
    uint32_t index;
    do
        made->last_event += 16;
    while (find_annotation(made->from, made->last_event, &index));
    return made->last_event;
}

/* Returns the annotation's EventID for its first mention, and new ones for all others. */
static uint64_t event_of(struct dxdmp_made *made, uint64_t event_id, size_t index)
{
    uint8_t *byte = &made->mentioned[index / 8];
    const uint8_t bit = (uint8_t)(1u << index % 8);
    const bool is_first = event_id != 0 && !(*byte & bit);
    *byte |= bit;
    return is_first ? event_id : next_event(made);
}

struct marker {
    struct annot__dump_BEGIN fields;
    const void *data;
    size_t size; /* bytes of it that are kept */
};

/* Makes a marker of an owner's annotation, or of a name if there is none in the file. */
static void make_marker(struct dxdmp_made *made, const struct dxdmp_section *owner, uint64_t number,
                        annot_text name, struct marker *out)
{
    const struct dxdmp *from = made->from;
    const uint64_t event_id = dxdmp_u64(from, owner, DXDMP_OWNER_IDS + (size_t)number * 8);
    uint32_t index;
    *out = (struct marker){.fields = {.metadata = 1, .size = (uint32_t)name.size}, name.data};
    if (owner && find_annotation(from, event_id, &index)) {
        const struct dxdmp_place *place = &from->annotations[index];
        const struct dxdmp_section *payload = dxdmp_buffer(from, DXDMP_ANNOTATION_DATA, event_id);
        out->fields.event_id = event_of(made, event_id, index);
        out->fields.metadata =
            dxdmp_u32(from, &from->sections[place->kind],
                      (size_t)place->at * DXDMP_ANNOTATION_SIZE + DXDMP_ANNOTATION_METADATA);
        out->fields.size = payload ? (uint32_t)payload->size : 0;
        out->data = payload ? from->bytes + payload->data : NULL;
    } else {
        out->fields.event_id = next_event(made);
    }
    out->size = dxdmp_take_name(made, out->fields.size < ANNOT__DUMP_VARIABLE_MAX
                                          ? out->fields.size
                                          : ANNOT__DUMP_VARIABLE_MAX);
}

static void put_marker_record(struct dxdmp_made *made, uint32_t kind, const struct marker *marker)
{
    char fixed[ANNOT__DUMP_BEGIN_FIXED];
    annot__put_BEGIN(fixed, &marker->fields);
    dxdmp_put_record(made, kind, fixed, sizeof fixed, marker->data, marker->size);
    made->markers++;
}

/* The innermost open scope. While it is open, its flags have the place of the outer scope's BEGIN,
 * so that no depth needs more memory. */
struct scope {
    size_t recording;  /* offset of the recording, far below 4 GiB */
    uint32_t at;       /* offset of the BEGIN in the recording; 0: no scope is open */
    uint64_t event_id; /* 0: none */
};

/* The `number`-th marker of its list. */
static void put_marker(struct dxdmp_made *made, const struct dxdmp_node *node, uint32_t op,
                       uint32_t number, bool is_scope, struct scope *open)
{
    char name[DXDMP_NAME_MAX];
    const uint64_t keys[2] = {0, dxdmp_context_of(made->from, node, op)};
    struct marker marker;
    const size_t size = dxdmp_dred_string(made->from, keys, name, sizeof name);
    make_marker(made, node->named_by, number, (annot_text){name, size}, &marker);
    marker.fields.parent = open->event_id;
    marker.fields.flags = is_scope ? open->at : 0;
    const size_t at = made->size - open->recording;
    put_marker_record(made, is_scope ? ANNOT__DUMP_BEGIN : ANNOT__DUMP_SET, &marker);
    if (is_scope) {
        open->at = (uint32_t)at;
        open->event_id = marker.fields.event_id;
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

static void put_recording(struct dxdmp_made *made, const struct dxdmp_node *node, size_t index)
{
    const struct annot__dump_RECORDING recording = {.id = index + 1, .object = node->list_id};
    struct scope open = {.recording = made->size};
    uint32_t kind, number = 0;
    DXDMP_PUT(made, RECORDING, &recording, NULL, 0);
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count; op++) {
        if (!dxdmp_node_op(made->from, node, op, &kind))
            continue;
        if (kind == DXDMP_OP_BEGIN_EVENT || kind == DXDMP_OP_SET_MARKER)
            put_marker(made, node, op, number++, kind == DXDMP_OP_BEGIN_EVENT, &open);
        else if (kind == DXDMP_OP_END_EVENT)
            put_end(made, &open);
    }
    while (open.at && made->has_memory)
        leave_scope(made, &open, 0);
}

/* ---- annotations ---- */

static void put_annotation(struct dxdmp_made *made, const struct dxdmp_section *owner, uint64_t i)
{
    char name[DXDMP_NAME_MAX];
    struct marker marker;
    const int size = snprintf(name, sizeof name, "0x%016" PRIx64 " (not in the file)",
                              dxdmp_u64(made->from, owner, DXDMP_OWNER_IDS + (size_t)i * 8));
    make_marker(made, owner, i, (annot_text){name, (size_t)size}, &marker);
    put_marker_record(made, ANNOT__DUMP_SET, &marker);
}

static void put_annotations(struct dxdmp_made *made)
{
    struct dxdmp_thing owner = {0};
    uint32_t kind;
    while (made->has_memory && dxdmp_next(made->from, DXDMP_OWNERS, &owner)) {
        const struct annot__dump_RECORDING recording = {
            .id = DXDMP_NODES_MADE + (uint64_t)owner.number,
            .object = dxdmp_owner_id(made, &owner, &kind)};
        const uint64_t count = dxdmp_u64(made->from, owner.section, DXDMP_OWNER_COUNT);
        const uint64_t room = (owner.section->size - DXDMP_OWNER_IDS) / 8; /* else no count */
        if (made->is_joined && kind == D3D12DDI_HT_COMMAND_ALLOCATOR)
            continue; /* its markers are those of a node */
        DXDMP_PUT(made, RECORDING, &recording, NULL, 0);
        for (uint64_t i = 0; i < count && i < room; i++)
            put_annotation(made, owner.section, i);
    }
}

void dxdmp_put_lists(struct dxdmp_made *made)
{
    const annot_allocator *allocator = &made->from->allocator;
    const size_t size = made->from->annotation_count / 8 + 1;
    made->mentioned = allocator->allocate(allocator->user, size, 16);
    made->has_memory &= made->mentioned != NULL;
    if (!made->mentioned)
        return;
    memset(made->mentioned, 0, size);
    for (uint32_t i = 0; i < made->node_count; i++)
        put_recording(made, &made->nodes[i], i);
    put_annotations(made);
    allocator->release(allocator->user, made->mentioned, size);
}

/* ---- queues ---- */

/* Returns a list's place in the order, which DRED lacks: finished lists first, then lists in
 * progress, then the others. */
static int stage_of(const struct dxdmp_node *node)
{
    return node->done >= node->op_count ? 0 : node->done > 0 ? 1 : 2;
}

static void put_submission(struct dxdmp_made *made, size_t index, uint64_t serial)
{
    char lists[16];
    const struct annot__dump_SUBMISSION submission = {.serial = serial, .count = 1};
    annot__put_u64(lists, index + 1);
    annot__put_u64(lists + 8, made->nodes[index].list_id);
    DXDMP_PUT(made, SUBMISSION, &submission, lists, sizeof lists);
}

/* Calls `each` for the nodes of a queue in order of their serials. */
static uint64_t for_queue(struct dxdmp_made *made, uint64_t queue,
                          void (*each)(struct dxdmp_made *made, size_t index, uint64_t serial))
{
    uint64_t serial = 0;
    for (int stage = 0; stage < 3; stage++)
        for (uint32_t i = 0; i < made->node_count; i++)
            if (made->nodes[i].queue == queue && stage_of(&made->nodes[i]) == stage) {
                serial++;
                if (each)
                    each(made, i, serial);
            }
    return serial;
}

void dxdmp_put_queues(struct dxdmp_made *made)
{
    for (uint32_t i = 0; i < made->node_count; i++) {
        const struct dxdmp_node *node = &made->nodes[i];
        if (!node->is_first)
            continue;
        const struct annot__dump_QUEUE queue = {.object = node->queue_id,
                                                .submitted = for_queue(made, node->queue, NULL)};
        DXDMP_PUT(made, QUEUE, &queue, NULL, 0);
        for_queue(made, node->queue, put_submission);
    }
}

/* ---- breadcrumbs ---- */

static void put_crumbs(struct dxdmp_made *made, size_t index, uint64_t serial)
{
    const struct dxdmp_node *node = &made->nodes[index];
    uint32_t kind, markers = 0;
    if (stage_of(node) == 2 || node->op_count == 0)
        return;
    for (uint32_t op = 0; op < node->op_count && op < DXDMP_RING; op++)
        markers += dxdmp_node_op(made->from, node, op, &kind) && kind <= DXDMP_OP_END_EVENT;
    const struct annot__dump_CRUMBS crumbs = {
        .queue = node->queue_id,
        .submission = serial,
        .log = index + 1,
        .count = node->op_count,
        .done = node->done < node->op_count ? node->done : node->op_count,
        .markers = node->op_count > DXDMP_RING ? UINT32_MAX : markers};
    DXDMP_PUT(made, CRUMBS, &crumbs, NULL, 0);
}

static void put_ops(struct dxdmp_made *made, const struct dxdmp_node *node, size_t index)
{
    enum { PIECE = 4096 };
    char kinds[PIECE];
    uint32_t kind;
    const uint32_t first = node->op_count > DXDMP_RING ? node->op_count - DXDMP_RING : 0;
    for (uint32_t op = first; op < node->op_count;) {
        const struct annot__dump_OPS ops = {.log = index + 1, .first = op};
        uint32_t size = 0;
        while (size < PIECE && op < node->op_count && dxdmp_node_op(made->from, node, op, &kind)) {
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
    for (uint32_t i = 0; i < made->node_count; i++)
        if (made->nodes[i].is_first)
            for_queue(made, made->nodes[i].queue, put_crumbs);
    for (uint32_t i = 0; i < made->node_count; i++)
        put_ops(made, &made->nodes[i], i);
}
