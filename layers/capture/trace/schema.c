#include "schema.h"

#define STRUCT(name_, size_, first_, count_)                                                       \
    {.name = #name_, .size = size_, .first = first_, .count = count_},
struct schema_struct schema_structs[] = {D3D12_STRUCTS(STRUCT)};

#define VALUE(name_, dir_, kind_, elem_, ref, size_, elem_size_, how, of, times, offset_, array_,  \
              union_, selector_, low_, high_)                                                      \
    {                                                                                              \
        .name = name_, .type = TYPE_##ref, .kind = KIND_##kind_, .elem = KIND_##elem_,             \
        .dir = DIR_##dir_, .count = COUNT_##how, .count_of = of, .size = size_,                    \
        .elem_size = elem_size_, .multiplier = times, .offset = offset_, .array = array_,          \
        .in_union = union_, .selector = selector_, .low = low_, .high = high_                      \
    }

#define FIELD(owner, name, offset, kind, elem, ref, size, elem_size, how, of, times, array,        \
              number, selector, low, high, bits, dir)                                              \
    VALUE(#name, dir, kind, elem, ref, size, elem_size, how, of, times, offset, array, number,     \
          selector, low, high),
struct schema_value schema_fields[] = {D3D12_FIELDS(FIELD)};

#define ENUM(name_, first_, count_) {.name = #name_, .first = first_, .count = count_},
const struct schema_enum schema_enums[] = {D3D12_ENUMS(ENUM)};

#define ENUMERATOR(owner, name_, value_) {.name = #name_, .value = value_},
const struct schema_enumerator schema_enumerators[] = {D3D12_ENUMERATORS(ENUMERATOR)};

#define INTERFACE_ROW(name_, base_, slots_, leaf, ...)                                             \
    {.name = #name_,                                                                               \
     .base = TYPE_##base_,                                                                         \
     .slots = slots_,                                                                              \
     .is_leaf = IS_##leaf,                                                                         \
     .iid = {__VA_ARGS__}},
#define IS_LEAF true
#define IS_BASE false
struct schema_interface schema_interfaces[] = {D3D12_INTERFACES(INTERFACE_ROW)};

#define PARAM(ctype, name, dir, kind, elem, ref, size, elem_size, how, of, times)                  \
    VALUE(#name, dir, kind, elem, ref, size, elem_size, how, of, times, 0, 1, -1, -1, 0, 0),
#define METHOD_PARAMS(iface, name, ...) D3D12_PARAMS_##iface##_##name(PARAM)
#define EXPORT_PARAMS(none, name, ...)  D3D12_PARAMS_##name(PARAM)
struct schema_value schema_params[] = {D3D12_METHODS(METHOD_PARAMS) D3D12_EXPORTS(EXPORT_PARAMS)};

#define RESULT_NOTHING false
#define RESULT_VALUE   true
#define RESULT_STRUCT  true
#define METHOD_ROW(iface_, name_, digest_, how, ctype, kind_, ref, size_, first_, count_, slot)    \
    {.iface = #iface_,                                                                             \
     .owner = TYPE_##iface_,                                                                       \
     .name = #name_,                                                                               \
     .digest = digest_,                                                                            \
     .has_result = RESULT_##how,                                                                   \
     .result =                                                                                     \
         VALUE("result", WRITE, kind_, kind_, ref, size_, size_, NONE, 0, 0, 0, 1, -1, -1, 0, 0),  \
     .first = first_,                                                                              \
     .count = count_},
struct schema_method_row schema_methods[] = {D3D12_METHODS(METHOD_ROW) D3D12_EXPORTS(METHOD_ROW)};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- derived ---- */

/* Adds facts about parameters and results that the table has no annotation for. */
static void count_special(void)
{
    schema_methods[METHOD_ID3D12StateObjectProperties_GetShaderIdentifier].result.type =
        TYPE_D3D12_PROGRAM_IDENTIFIER; /* also has 32 bytes */
    const struct schema_struct *chain = &schema_structs[TYPE_DXGI_SWAP_CHAIN_DESC1];
    struct schema_value *queues =
        &schema_params[schema_methods[METHOD_IDXGIVkSwapChain_ChangeProperties].first + 2];
    for (uint32_t j = 0; j < chain->count; j++)
        if (strcmp(schema_fields[chain->first + j].name, "BufferCount") == 0)
            queues->offset = schema_fields[chain->first + j].offset;
    static const uint16_t boxes[] = {METHOD_ID3D12Resource_WriteToSubresource,
                                     METHOD_ID3D12Resource_ReadFromSubresource};
    for (size_t i = 0; i < LENGTH(boxes); i++) {
        const struct schema_method_row *m = &schema_methods[boxes[i]];
        for (uint32_t j = 0; j < m->count; j++) {
            struct schema_value *p = &schema_params[m->first + j];
            if (p->kind != KIND_X)
                continue;
            p->kind = KIND_P;
            p->elem = KIND_U;
            p->elem_size = 1;
            p->count = COUNT_BOX;
        }
    }
}

struct schema_place schema_places[320];
static uint32_t place_count;

static void add_place(struct schema_struct *s, struct schema_place place)
{
    if (place_count < LENGTH(schema_places)) { /* tests/trace checks that one exists */
        schema_places[place_count++] = place;
        s->place_count++;
    }
}

/* Adds a member with interface pointers. If the member belongs to a union, the pointers in the
 * member must depend on nothing else. */
static void add_places(struct schema_struct *s, const struct schema_value *f)
{
    const struct schema_struct *inner = f->kind == KIND_S ? &schema_structs[f->type] : NULL;
    const struct schema_place of = {
        .selector = f->selector < 0 ? SCHEMA_ALWAYS
                                    : schema_fields[s->first + (uint16_t)f->selector].offset,
        .low = f->low,
        .high = f->high};
    for (uint32_t k = 0; k < f->array; k++) {
        struct schema_place place = of;
        place.offset = f->offset + k * f->elem_size;
        if (!inner)
            add_place(s, place);
        for (uint32_t i = 0; inner && i < inner->place_count; i++) {
            struct schema_place in = schema_places[inner->first_place + i];
            in.offset += place.offset;
            if (in.selector != SCHEMA_ALWAYS)
                in.selector += place.offset;
            else
                in.selector = of.selector, in.low = of.low, in.high = of.high;
            add_place(s, in);
        }
    }
}

/* Derives a structure's facts. A structure's members come before it in the table. Only structures
 * that refer to themselves come later, and these are not followed. */
static void derive_struct(struct schema_struct *s)
{
    s->plain = true;
    s->first_place = place_count;
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        s->has_answers |= f->dir == DIR_WRITE;
        const struct schema_struct *inner =
            f->type < SCHEMA_ENUM_FIRST ? &schema_structs[f->type] : NULL;
        if (f->kind == KIND_S ? !inner->plain : f->kind > KIND_SCALARS)
            s->plain = false;
        const bool is_known = inner && inner != s;
        const bool leads_to_objects =
            f->kind == KIND_STREAM || f->kind == KIND_DESC || f->kind == KIND_SIBLING ||
            (f->kind == KIND_P &&
             (f->elem == KIND_O || f->elem == KIND_SIBLING || (is_known && inner->has_objects)));
        if (leads_to_objects || (f->kind == KIND_S && is_known && inner->has_objects_behind))
            s->has_objects_behind = true;
        if (leads_to_objects || f->kind == KIND_O ||
            (f->kind == KIND_S && is_known && inner->has_objects))
            s->has_objects = true;
        if (f->kind == KIND_O || (f->kind == KIND_S && is_known))
            add_places(s, f);
    }
}

static void derive_method(struct schema_method_row *m)
{
    m->flat = m->result.kind != KIND_S;
    m->is_plain = !m->has_result;
    m->leaves_record = m->has_result;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &schema_params[m->first + i];
        if (p->kind == KIND_P || p->kind == KIND_S || p->kind == KIND_Z || p->kind == KIND_W)
            m->flat = false;
        if (p->kind == KIND_P && (p->dir & DIR_WRITE))
            m->leaves_record = true;
        if (p->kind > KIND_SCALARS && p->kind != KIND_A && p->kind != KIND_C && p->kind != KIND_H &&
            p->kind != KIND_O)
            m->is_plain = false;
        const bool leads =
            p->kind == KIND_P &&
            (p->elem == KIND_O || (p->elem == KIND_S && schema_structs[p->type].has_objects));
        if (p->kind == KIND_O)
            m->objects |= 1u << i;
        if (leads && p->dir == DIR_READ)
            m->behind |= 1u << i;
        if (leads && (p->elem == KIND_O ? (p->dir & DIR_WRITE) != 0
                                        : p->dir == DIR_WRITE && p->count == COUNT_ONE))
            m->written |= 1u << i;
    }
}

/* ---- lookup ---- */

/* Hash tables with open addressing. An entry is an index + 1. */
static uint16_t methods_at[4096], interfaces_at[512];
_Static_assert(2 * SCHEMA_METHODS < LENGTH(methods_at) &&
                   2 * LENGTH(schema_interfaces) < LENGTH(interfaces_at),
               "most are where they are looked for first");

/* A bit for each interface that an interface is or derives from. */
static uint64_t is_a[LENGTH(schema_interfaces)][(LENGTH(schema_interfaces) + 63) / 64];

static void put(uint16_t *table, size_t size, uint32_t key, size_t index)
{
    size_t at = key % size;
    while (table[at])
        at = (at + 1) % size;
    table[at] = (uint16_t)(index + 1);
}

static uint32_t first_word(const uint8_t iid[16])
{
    uint32_t word;
    memcpy(&word, iid, sizeof word);
    return word;
}

static void fill_tables(void)
{
    for (size_t i = 0; i < SCHEMA_METHODS; i++)
        put(methods_at, LENGTH(methods_at), schema_methods[i].digest, i);
    for (size_t i = 0; i < LENGTH(schema_interfaces); i++) {
        put(interfaces_at, LENGTH(interfaces_at), first_word(schema_interfaces[i].iid), i);
        for (size_t k = i; k < LENGTH(schema_interfaces);
             k = (size_t)(schema_interfaces[k].base - SCHEMA_INTERFACE_FIRST))
            is_a[i][k / 64] |= (uint64_t)1 << k % 64;
    }
}

int schema_find(uint32_t digest)
{
    for (size_t at = digest % LENGTH(methods_at); methods_at[at];
         at = (at + 1) % LENGTH(methods_at))
        if (schema_methods[methods_at[at] - 1].digest == digest)
            return methods_at[at] - 1;
    return -1;
}

uint16_t schema_interface_of(const uint8_t iid[16])
{
    const size_t size = LENGTH(interfaces_at);
    for (size_t at = first_word(iid) % size; interfaces_at[at]; at = (at + 1) % size)
        if (memcmp(schema_interfaces[interfaces_at[at] - 1].iid, iid, 16) == 0)
            return (uint16_t)(SCHEMA_INTERFACE_FIRST - 1 + interfaces_at[at]);
    return TYPE_NONE;
}

void schema_init(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    count_special();
    fill_tables();
    for (size_t i = 0; i < LENGTH(schema_structs); i++)
        derive_struct(&schema_structs[i]);
    for (size_t i = 0; i < LENGTH(schema_methods); i++)
        derive_method(&schema_methods[i]);
}

bool schema_derives(uint16_t type, uint16_t base)
{
    const unsigned bit = base - SCHEMA_INTERFACE_FIRST;
    return type == base || (type != TYPE_NONE && base != TYPE_NONE &&
                            (is_a[type - SCHEMA_INTERFACE_FIRST][bit / 64] >> bit % 64 & 1));
}

bool schema_is_active(const struct schema_struct *s, const struct schema_value *member,
                      const void *memory)
{
    if (member->in_union < 0)
        return true;
    for (uint32_t i = 0; i < s->count; i++) { /* the first matching member */
        const struct schema_value *f = &schema_fields[s->first + i];
        int32_t value;
        if (f->in_union != member->in_union || f->selector < 0)
            continue;
        memcpy(&value,
               (const char *)memory + schema_fields[s->first + (uint16_t)f->selector].offset,
               sizeof value);
        if (value >= f->low && value <= f->high)
            return f == member || (f->selector == member->selector && f->low == member->low &&
                                   f->high == member->high);
    }
    return false;
}

uint16_t schema_feature(unsigned method, uint32_t feature, uint64_t size)
{
#define FEATURE(iface, feature, type) {METHOD_##iface##_CheckFeatureSupport, TYPE_##type, feature},
    static const struct {
        uint16_t method, type;
        uint32_t feature;
    } rows[] = {D3D12_FEATURES(FEATURE)};
    for (size_t i = 0; i < LENGTH(rows); i++)
        if (rows[i].method == method && rows[i].feature == feature)
            return schema_structs[rows[i].type].size == size ? rows[i].type : TYPE_NONE;
    return TYPE_NONE;
}

/* ---- subobjects ---- */

#define SUBOBJECT(value, kind, ref, size) [value] = {KIND_##kind, TYPE_##ref, size},
static const struct schema_subobject pipeline_subobjects[] = {
    D3D12_PIPELINE_STATE_SUBOBJECTS(SUBOBJECT)};
static const struct schema_subobject state_subobjects[] = {D3D12_STATE_SUBOBJECTS(SUBOBJECT)};

bool schema_pipeline_subobject(uint32_t type, struct schema_subobject *out)
{
    if (type >= LENGTH(pipeline_subobjects))
        return false;
    *out = pipeline_subobjects[type];
    return out->size > 0; /* 0: a gap in the numbers */
}

bool schema_state_subobject(uint32_t type, struct schema_subobject *out)
{
    if (type >= LENGTH(state_subobjects))
        return false;
    *out = state_subobjects[type];
    return out->size > 0;
}
