#include "shape.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { SCOPES_LOOKED_AT = 65536, NAME_MAX_SIZE = 200, DEPTH_MAX = 64 };

uint64_t shape_name_hash(const char *name, size_t size)
{
    return XXH3_64bits(name, size);
}

/* The open scopes of a shape in work. */
struct building {
    const annot_reader *reader;
    struct shape *shape;
    size_t text_size;
    bool has_room;                        /* whether there is room for more texts */
    uint16_t table[4 * SHAPE_NODES];      /* 1 + node, by hash of parent and name */
    uint16_t last_child[SHAPE_NODES + 1]; /* last child of the open instance; at 0: the root's */
    uint32_t seen_in[SHAPE_NODES];        /* instance of the parent, from 1 */
    uint32_t instance[SHAPE_NODES + 1];
    uint64_t names[SHAPE_NODES]
                  [SHAPE_NAMES_MAX]; /* unfolded names in this instance of the parent */
    uint64_t mark[SHAPE_NODES];      /* the scope's first marker, folded; 0: none */
    uint32_t marks;                  /* markers looked at */
    uint32_t instances;
};

static void add_text(struct building *building, const char *name, size_t size)
{
    building->has_room = building->has_room && building->text_size + size + 1 <= SHAPE_TEXTS;
    if (!building->has_room)
        return;
    memcpy(building->shape->texts + building->text_size, name, size + 1);
    building->text_size += size + 1;
}

/* Returns the node of this name in the parent, perhaps a new node; SHAPE_ROOT: there is no room. */
static uint16_t node_of(struct building *building, uint16_t parent, const char *name, size_t size)
{
    const uint32_t slot = parent == SHAPE_ROOT ? 0 : parent + 1u;
    struct shape *shape = building->shape;
    const uint64_t hash = shape_name_hash(name, size);
    uint32_t at = (uint32_t)(hash ^ (uint64_t)parent * 0x9E3779B1u) % (4 * SHAPE_NODES);
    for (; building->table[at]; at = (at + 1) % (4 * SHAPE_NODES)) {
        const struct shape_node *node = &shape->nodes[building->table[at] - 1];
        if (node->name == hash && node->parent == parent)
            return (uint16_t)(building->table[at] - 1);
    }
    if (shape->count == SHAPE_NODES)
        return SHAPE_ROOT;
    const uint16_t node = (uint16_t)shape->count++;
    shape->nodes[node] = (struct shape_node){hash, parent, (uint16_t)building->instance[slot], 0};
    building->table[at] = (uint16_t)(node + 1);
    add_text(building, name, size);
    return node;
}

/* Notes a name that is folded to the node's name. */
static void note_name(struct building *building, uint16_t node, uint64_t name)
{
    uint64_t *names = building->names[node];
    uint8_t *flags = &building->shape->nodes[node].flags;
    unsigned i = 0;
    while (i < SHAPE_NAMES_MAX && names[i] && names[i] != name)
        i++;
    if (i < SHAPE_NAMES_MAX)
        names[i] = name;
    if (i > *flags / SHAPE_NAMES)
        *flags = (uint8_t)(*flags % SHAPE_NAMES + i * SHAPE_NAMES);
}

/* Opens a scope. `slot` is 1 + the parent's node, or 0 for the root; `name` is unfolded. */
static void open_scope(struct building *building, uint32_t slot, uint16_t node, uint64_t name)
{
    const uint32_t instance = building->instance[slot], seen = building->seen_in[node];
    const uint16_t outer = slot > 0 ? (uint16_t)(building->shape->nodes[slot - 1].parent + 1) : 0;
    if (seen != instance && seen > building->instance[outer])
        building->shape->nodes[node].flags |= SHAPE_AGAIN;
    if (seen != instance)
        memset(building->names[node], 0, sizeof building->names[node]);
    else if (building->last_child[slot] != node + 1)
        building->shape->nodes[node].flags |= SHAPE_LOOPS;
    note_name(building, node, name);
    building->seen_in[node] = instance;
    building->last_child[slot] = (uint16_t)(node + 1);
    building->instance[node + 1] = ++building->instances;
    building->last_child[node + 1] = 0;
}

static void note_mark(struct building *building, uint16_t node, uint64_t mark)
{
    if (building->mark[node] && building->mark[node] != mark)
        building->shape->nodes[node].flags |= SHAPE_MARKS;
    building->mark[node] = mark;
}

static void add_list(struct building *building, const annot_reader_stream *stream, uint32_t *left)
{
    struct {
        uint32_t last; /* index of the entry */
        uint16_t node;
    } open[DEPTH_MAX];
    char name[1024], folded[NAME_MAX_SIZE];
    annot_reader_entry entry;
    uint32_t depth = 0;
    building->instance[0] = ++building->instances;
    building->last_child[0] = 0;
    for (uint32_t i = 0; *left > 0 && i < stream->entry_count; i++) {
        const uint32_t index = stream->first_entry + i;
        if (!annot_reader_entry_at(building->reader, index, &entry) ||
            (entry.kind != ANNOT_ENTRY_BEGIN && entry.kind != ANNOT_ENTRY_SET))
            continue;
        while (depth > 0 && index > open[depth - 1].last)
            depth--;
        if (entry.depth != depth || depth == DEPTH_MAX)
            continue; /* inside a scope without room */
        const uint16_t parent = depth > 0 ? open[depth - 1].node : SHAPE_ROOT;
        if (entry.kind == ANNOT_ENTRY_SET &&
            (parent == SHAPE_ROOT || building->shape->nodes[parent].flags & SHAPE_MARKS ||
             building->marks++ >= SCOPES_LOOKED_AT))
            continue;
        *left -= entry.kind == ANNOT_ENTRY_BEGIN;
        const size_t whole = annot_reader_entry_name(building->reader, index, name, sizeof name);
        const size_t size = annot_fold_name(name, whole, folded, sizeof folded);
        if (entry.kind == ANNOT_ENTRY_SET) {
            note_mark(building, parent, shape_name_hash(folded, size));
            continue;
        }
        const uint16_t node = node_of(building, parent, folded, size);
        if (node == SHAPE_ROOT)
            continue;
        open_scope(building, depth > 0 ? parent + 1u : 0, node, shape_name_hash(name, whole));
        open[depth].last = entry.last;
        open[depth++].node = node;
    }
}

void shape_of(const annot_reader *reader, struct shape *out)
{
    struct building building = {.reader = reader, .shape = out, .has_room = true};
    annot_reader_stream stream;
    uint32_t left = SCOPES_LOOKED_AT;
    out->count = 0;
    for (uint32_t i = 0; annot_reader_stream_at(reader, i, &stream); i++)
        if (!stream.is_queue)
            add_list(&building, &stream, &left);
    memset(out->texts + building.text_size, 0, SHAPE_TEXTS - building.text_size);
}

size_t shape_pack(const struct shape *shape, uint8_t *bytes)
{
    uint8_t *at = bytes;
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct shape_node *node = &shape->nodes[i];
        const uint64_t rest =
            node->parent | (uint64_t)node->instance << 16 | (uint64_t)node->flags << 32;
        for (unsigned k = 0; k < SHAPE_NODE_BYTES; k++)
            *at++ = (uint8_t)(k < 8 ? node->name >> (8 * k) : rest >> (8 * (k - 8)));
    }
    return (size_t)(at - bytes);
}

bool shape_unpack(const uint8_t *bytes, size_t size, struct shape_node *nodes, uint32_t *count)
{
    *count = 0;
    if (size % SHAPE_NODE_BYTES != 0 || size / SHAPE_NODE_BYTES > SHAPE_NODES)
        return false;
    for (size_t i = 0; i < size / SHAPE_NODE_BYTES; i++) {
        const uint8_t *at = bytes + i * SHAPE_NODE_BYTES;
        uint64_t name = 0;
        for (unsigned k = 0; k < 8; k++)
            name |= (uint64_t)at[k] << (8 * k);
        nodes[i] = (struct shape_node){name, (uint16_t)(at[8] | at[9] << 8),
                                       (uint16_t)(at[10] | at[11] << 8), at[12]};
        if (nodes[i].parent != SHAPE_ROOT && nodes[i].parent >= i)
            return false;
    }
    *count = (uint32_t)(size / SHAPE_NODE_BYTES);
    return true;
}

uint64_t shape_hash(const struct shape *shape)
{
    uint8_t bytes[SHAPE_NODES * SHAPE_NODE_BYTES];
    return XXH3_64bits(bytes, shape_pack(shape, bytes));
}
