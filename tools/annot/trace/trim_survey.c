/* The subjects of each call of a trace: its object, its arguments and the created objects. */
#include "trim_survey.h"

#include "table.h"
#include "array.h"

#include <capture/trace/codec.h>

struct trim_number { /* node of an object's number */
    uint64_t number;
    uint32_t node;
    UT_hash_handle hh;
};

struct survey { /* the survey in work */
    struct trim_survey *s;
    struct codec_arena *arena;
    struct trim_call *call;
    bool is_leave;
};

/* ---- arrays ---- */

/* Indices have 32 bits. */
#define GROW(s, array, one)                                                                        \
    (((s)->one##_count < UINT32_MAX &&                                                             \
      ARRAY_ROOM((s)->array, (s)->one##_count, (s)->one##_capacity)) ||                            \
     !((s)->has_failed = true))

static uint32_t add_node(struct trim_survey *s, uint64_t number, enum trim_node_kind kind)
{
    if (!GROW(s, nodes, node))
        return 0;
    const uint32_t node = (uint32_t)s->node_count++;
    s->nodes[node] =
        (struct trim_node){.number = number, .kind = kind, .alias = node, .memory = node};
    return node;
}

static void add_edge(struct trim_survey *s, uint32_t from, uint32_t to)
{
    if (!from || !to || from == to || !GROW(s, edges, edge))
        return;
    s->edges[s->edge_count] = (struct trim_edge){to, s->nodes[from].first_edge};
    s->nodes[from].first_edge = (uint32_t)s->edge_count++;
}

static void add_to_pool(struct trim_survey *s, uint32_t node)
{
    if (node && GROW(s, pool, pool))
        s->pool[s->pool_count++] = node;
}

/* ---- nodes ---- */

uint32_t trim_node_of(const struct trim_survey *s, uint64_t number)
{
    struct trim_number *found;
    HASH_FIND(hh, s->numbers, &number, sizeof number, found);
    return found ? found->node : 0;
}

static uint32_t node_for(struct trim_survey *s, uint64_t number)
{
    struct trim_number *n;
    if (!number)
        return 0;
    TABLE_FIND_OR_ADD(s->numbers, number, number, n);
    if (n && !n->node)
        n->node = add_node(s, number, NODE_OBJECT);
    s->has_failed |= !n;
    return n ? n->node : 0;
}

uint32_t trim_alias(const struct trim_survey *s, uint32_t node)
{
    while (s->nodes[node].alias != node)
        node = s->nodes[node].alias;
    return node;
}

uint32_t trim_memory(const struct trim_survey *s, uint32_t node)
{
    node = trim_alias(s, node);
    while (s->nodes[node].memory != node)
        node = s->nodes[node].memory;
    return node;
}

/* Unites two interfaces of one object; the older node represents the object. */
static void unite(struct trim_survey *s, uint32_t a, uint32_t b)
{
    a = trim_alias(s, a);
    b = trim_alias(s, b);
    if (a && b && a != b)
        s->nodes[b].alias = a;
}

static void share_memory(struct trim_survey *s, uint32_t a, uint32_t b)
{
    a = trim_memory(s, a);
    b = trim_memory(s, b);
    if (a && b && a != b)
        s->nodes[b].memory = a;
}

/* add_node may move the nodes, so the index comes first, then the list's address. */
static void begin_recording(struct trim_survey *s, uint32_t list)
{
    const uint32_t recording = add_node(s, 0, NODE_RECORDING);
    s->nodes[list].recording = recording;
}

/* ---- handles and addresses ---- */

static void remove_ranges(struct trim_survey *s, uint32_t node)
{
    for (size_t k = 0; k < BASES_KINDS; k++) {
        struct bases *r = &s->ranges[k];
        size_t kept = 0;
        for (size_t i = 0; i < r->count; i++)
            if (trim_alias(s, (uint32_t)r->at[i].object) != trim_alias(s, node))
                r->at[kept++] = r->at[i];
        r->count = kept;
    }
}

/* ---- a call's arguments ---- */

static void *take_object(void *user, uint64_t number)
{
    struct survey *survey = user;
    if (number)
        add_to_pool(survey->s, node_for(survey->s, number));
    return NULL;
}

/* Takes an address. Descriptor heaps come first. */
static uint64_t take_address(void *user, uint8_t kind, uint64_t value)
{
    struct survey *survey = user;
    struct trim_survey *s = survey->s;
    struct trim_call *c = survey->call;
    const int range = bases_kind(kind);
    if (range < 0 || !value || survey->is_leave)
        return value;
    const size_t at = bases_up_to(&s->ranges[range], value);
    const uint32_t node = at ? (uint32_t)s->ranges[range].at[at - 1].object : 0;
    c->has_unknown |= !node;
    if (!node || !GROW(s, pool, pool))
        return value;
    s->pool[s->pool_count++] = node;
    if (range != BASES_ADDRESS) {
        const uint32_t swapped = s->pool[c->first + c->heaps];
        s->pool[c->first + c->heaps++] = node;
        s->pool[s->pool_count - 1] = swapped;
    }
    return value;
}

static bool decode(struct survey *survey, const struct trace_item *item, size_t skip)
{
    uint64_t args[CODEC_ARGS];
    struct codec_in in = {.at = item->data + (skip < item->size ? skip : item->size),
                          .end = item->data + item->size,
                          .arena = survey->arena,
                          .wchar_size = 2,
                          .object = take_object,
                          .address = take_address,
                          .user = survey,
                          .only_data = true};
    survey->is_leave = item->record.kind == RECORD_LEAVE;
    codec_arena_reset(survey->arena);
    return codec_decode(&in, &schema_methods[item->method], args, survey->is_leave);
}

/* ---- rules ---- */

static bool is_of(int method, const char *part)
{
    return strstr(schema_methods[method].iface, part) != NULL;
}

static enum trim_rule rule_of(int method, const struct trim_call *c)
{
    if (method < 0 || method >= SCHEMA_EXPORT_FIRST)
        return RULE_ALWAYS;
    if (is_of(method, "CommandList"))
        return c->recording ? RULE_RECORDED : RULE_SELF;
    if (schema_is_named(method, "ExecuteCommandLists"))
        return RULE_EXECUTION;
    if (is_of(method, "CommandQueue") && strstr(schema_methods[method].name, "TileMappings"))
        return RULE_ARGUMENTS;
    if (is_of(method, "CommandQueue") && schema_is_named(method, "Signal"))
        return RULE_SIGNAL;
    if (is_of(method, "InfoQueue") && schema_begins(method, "Get"))
        return RULE_NEVER;
    if (!is_of(method, "ID3D12Device"))
        return RULE_SELF;
    if (c->heaps || (c->has_unknown && !c->heaps))
        return RULE_VIEW;
    return c->end > c->first ? RULE_ARGUMENTS : RULE_SELF;
}

/* Whether a command's addresses are in buffers. */
static bool uses_addresses_in_buffers(int method)
{
    return schema_is_named(method, "DispatchRays") || schema_is_named(method, "ExecuteIndirect") ||
           schema_is_named(method, "DispatchGraph") ||
           strstr(schema_methods[method].name, "Raytracing");
}

/* Whether the GPU only reads this argument: in a copy, every argument but the first. */
static bool is_only_read(int method, uint32_t argument)
{
    const char *name = schema_methods[method].name;
    return schema_begins(method, "IASet") || strstr(name, "RootConstantBufferView") ||
           strstr(name, "RootShaderResourceView") || (schema_begins(method, "Copy") && argument);
}

static void note_recorded(struct trim_survey *s, struct trim_call *c)
{
    const uint32_t list = trim_alias(s, c->self);
    if (schema_is_named(c->method, "Reset") && is_of(c->method, "CommandList"))
        begin_recording(s, list);
    c->recording = s->nodes[list].recording;
    c->is_close = schema_is_named(c->method, "Close");
    if (!c->recording)
        return;
    for (uint32_t i = c->first; i < s->pool_count; i++) {
        const uint32_t other = trim_alias(s, s->pool[i]);
        if (!is_only_read(c->method, i - c->first))
            add_edge(s, c->recording, other);
        if (s->nodes[other].recording) /* a bundle */
            add_edge(s, c->recording, s->nodes[other].recording);
    }
    if (c->has_unknown || uses_addresses_in_buffers(c->method))
        s->nodes[c->recording].touches_all = true;
}

/* Adds edges from the execution to the present recordings of its lists. */
static void note_execution(struct trim_survey *s, const struct trim_call *c)
{
    const size_t end = s->pool_count;
    for (size_t i = c->first; i < end; i++)
        add_to_pool(s, s->nodes[trim_alias(s, s->pool[i])].recording);
}

/* Notes a view in a descriptor heap, or a copy of views: users of the heap may touch the views'
 * resources. */
static void note_views(struct trim_survey *s, const struct trim_call *c)
{
    for (uint32_t i = c->first; i < c->first + c->heaps; i++)
        for (uint32_t k = c->first; k < s->pool_count; k++)
            add_edge(s, trim_alias(s, s->pool[i]), trim_alias(s, s->pool[k]));
}

/* ---- enter, leave ---- */

static void survey_enter(struct survey *survey, const struct trace_item *item)
{
    struct trim_survey *s = survey->s;
    const uint64_t self = word_at(item, 0);
    if (!GROW(s, calls, call))
        return;
    struct trim_call *c = survey->call = &s->calls[s->call_count++];
    *c = (struct trim_call){.number = item->record.call, .first = (uint32_t)s->pool_count};
    c->created = c->end = c->first;
    c->rule = RULE_ALWAYS;
    c->method = item->method < 0 ? SCHEMA_METHODS : (uint16_t)item->method;
    if (item->method < 0 || item->size < sizeof self)
        return;
    c->self = node_for(s, self);
    if (!decode(survey, item, sizeof self))
        return;
    if (is_of(item->method, "CommandList") && c->self)
        note_recorded(s, c);
    if (schema_is_named(item->method, "ExecuteCommandLists"))
        note_execution(s, c);
    if (is_of(item->method, "ID3D12Device") && c->heaps)
        note_views(s, c);
    c->created = c->end = (uint32_t)s->pool_count;
    c->rule = (uint8_t)rule_of(item->method, c);
}

static enum trim_node_kind kind_of(int method)
{
    const char *name = schema_methods[method].name;
    if (schema_is_named(method, "CreateDescriptorHeap"))
        return NODE_DESCRIPTORS;
    return strstr(name, "Resource") || strstr(name, "Heap") || strstr(name, "SharedHandle")
               ? NODE_MEMORY
               : NODE_OBJECT;
}

static void note_created(struct trim_survey *s, struct trim_call *c, uint32_t known)
{
    bool is_new = false;
    for (uint32_t i = c->created; i < c->end; i++) {
        const uint32_t node = s->pool[i];
        if (schema_is_named(c->method, "QueryInterface")) {
            unite(s, c->self, node);
            continue;
        }
        if (node < known)
            continue;
        is_new = true;
        s->nodes[node].kind = kind_of(c->method);
        if (schema_begins(c->method, "CreateCommandList"))
            begin_recording(s, node);
        if (schema_begins(c->method, "CreatePlacedResource") && c->created > c->first)
            share_memory(s, s->pool[c->first], node);
    }
    if (c->method < SCHEMA_EXPORT_FIRST && c->end > c->created &&
        !schema_is_named(c->method, "QueryInterface"))
        c->rule = is_new ? RULE_CREATION : RULE_RETURN;
}

static void note_result(struct trim_survey *s, struct trim_call *c, uint64_t result)
{
    const struct schema_value *r = &schema_methods[c->method].result;
    const int range = bases_kind(r->kind);
    const bool has_failed = schema_has_failed(&schema_methods[c->method], result);
    if (range >= 0 && result && c->self)
        s->has_failed |= !bases_add(&s->ranges[range], result, c->self);
    if (schema_is_named(c->method, "Release") && result == 0 && c->self)
        remove_ranges(s, c->self);
    if (has_failed && c->rule != RULE_ALWAYS && c->rule != RULE_RECORDED)
        c->rule = RULE_NEVER; /* the call changed nothing */
    s->was_removed |= has_failed && ((uint32_t)result & 0xfffffff0u) == 0x887a0000u &&
                      ((uint32_t)result & 0xfu) >= 5 && ((uint32_t)result & 0xfu) <= 7;
}

static void survey_leave(struct survey *survey, const struct trace_item *item)
{
    struct trim_survey *s = survey->s;
    struct trim_call *c = trim_call_of(s, item->record.call);
    const uint64_t result = word_at(item, 1);
    if (!c || item->method < 0 || item->method != c->method || item->size < 16)
        return;
    const uint32_t known = (uint32_t)s->node_count;
    const uint32_t arguments = c->first, count = c->end - c->first;
    survey->call = c;
    const uint32_t first = (uint32_t)s->pool_count;
    if (!decode(survey, item, 16))
        s->pool_count = first;
    if (s->pool_count > first) { /* arguments and results follow each other, behind all others */
        const uint32_t results = (uint32_t)s->pool_count - first;
        for (uint32_t i = 0; i < count; i++)
            add_to_pool(s, s->pool[arguments + i]);
        for (uint32_t i = 0; i < results; i++)
            add_to_pool(s, s->pool[first + i]);
        if (s->has_failed)
            return;
        c->first = first + results;
        c->created = c->first + count;
        c->end = c->created + results;
        note_created(s, c, known);
    }
    note_result(s, c, result);
}

struct trim_call *trim_call_of(const struct trim_survey *s, uint64_t number)
{
    size_t at;
    ARRAY_COUNT_FIRST(at, s->call_count, i, s->calls[i].number < number);
    return at < s->call_count && s->calls[at].number == number ? &s->calls[at] : NULL;
}

/* ---- the whole trace ---- */

bool trim_survey(struct trim_survey *s, struct trace *trace, uint64_t from, uint64_t to)
{
    struct survey survey = {.s = s, .arena = codec_arena_create()};
    struct trace_item item;
    *s = (struct trim_survey){.has_failed = !survey.arena};
    if (!s->has_failed) { /* node 0 means none */
        add_node(s, 0, NODE_OBJECT);
        if (GROW(s, edges, edge))
            s->edges[s->edge_count++] = (struct trim_edge){0, 0};
    }
    while (!s->has_failed && trace_next(trace, &item)) {
        if (item.record.call > to)
            continue;
        if (item.record.kind == RECORD_ENTER)
            survey_enter(&survey, &item);
        else if (item.record.kind == RECORD_LEAVE)
            survey_leave(&survey, &item);
        else if (item.record.call >= from &&
                 (item.record.kind == RECORD_MEMORY || item.record.kind == RECORD_CHECK ||
                  item.record.kind == RECORD_FENCES))
            s->nodes[trim_node_of(s, word_at(&item, 0))].is_seen = true;
    }
    codec_arena_destroy(survey.arena);
    return !s->has_failed;
}

void trim_survey_free(struct trim_survey *s)
{
    TABLE_FREE(struct trim_number, s->numbers)
    for (size_t i = 0; i < BASES_KINDS; i++)
        free(s->ranges[i].at);
    free(s->nodes);
    free(s->edges);
    free(s->calls);
    free(s->pool);
}
