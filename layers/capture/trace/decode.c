#include "codec.h"

#include "codec_bytes.h"
#include "unicode.h"

static const uint8_t *take(struct codec_in *in, uint64_t size)
{
    static const uint8_t nothing[8];
    const uint64_t left = (uint64_t)(in->end - in->at);
    if (in->is_damaged || size > left || padded((size_t)size) > left) {
        in->is_damaged = true;
        return size <= sizeof nothing ? nothing : NULL;
    }
    const uint8_t *taken = in->at;
    in->at += padded((size_t)size);
    return taken;
}

static uint64_t take_word(struct codec_in *in)
{
    return load(take(in, 8), 8);
}

static void *memory_for(struct codec_in *in, uint64_t count, uint32_t size)
{
    void *memory = size && count > BYTES_MAX / size
                       ? NULL
                       : codec_arena_take(in->arena, (size_t)(count * size));
    if (!memory)
        in->is_damaged = true;
    return memory;
}

static void store_pointer(void *memory, const void *value)
{
    store(memory, (uint64_t)(uintptr_t)value);
}

static void *object_of(struct codec_in *in, uint64_t number, uint16_t type)
{
    return in->object_as ? in->object_as(in->user, number, type)
           : in->object  ? in->object(in->user, number)
                         : (void *)(uintptr_t)number;
}

static uint64_t stands_for(const struct codec_in *in, uint8_t kind, uint64_t value)
{
    return in->address ? in->address(in->user, kind, value) : value;
}

static char *take_text(struct codec_in *in)
{
    const uint64_t length = take_word(in);
    const uint8_t *bytes = take(in, length);
    char *text = bytes ? memory_for(in, length + 1, 1) : NULL;
    if (text && !in->is_damaged)
        memcpy(text, bytes, (size_t)length);
    return text;
}

static void *take_wide(struct codec_in *in)
{
    const uint64_t length = take_word(in);
    const uint8_t *bytes = length < BYTES_MAX ? take(in, length * 2) : NULL;
    uint8_t *text = bytes ? memory_for(in, length + 1, in->wchar_size) : NULL;
    if (!text || in->is_damaged) {
        in->is_damaged = true;
        return NULL;
    }
    for (size_t i = 0, n = 0; i < length; n++) {
        const uint32_t c = in->wchar_size == 4 ? unicode_next(bytes, 2, (size_t)length, &i)
                                               : unicode_unit(bytes, 2, i++);
        memcpy(text + n * in->wchar_size, &c, in->wchar_size);
    }
    return text;
}

static void *take_elements(struct codec_in *in, uint8_t kind, uint16_t type, uint32_t size,
                           uint64_t count);

static void take_references(struct codec_in *in, const struct schema_struct *s, uint8_t *memory);

static void *take_stream(struct codec_in *in, uint64_t claimed)
{
    struct schema_subobject sub;
    uint64_t at = 0, value;
    const uint64_t size = take_word(in);
    const uint8_t *bytes = take(in, size);
    in->is_damaged |= size < claimed;
    uint8_t *stream = bytes && !in->is_damaged ? memory_for(in, size, 1) : NULL;
    if (!stream)
        return NULL;
    memcpy(stream, bytes, (size_t)size);
    while (codec_stream_next(stream, size, &at, &value, &sub))
        if (sub.kind == KIND_O)
            store_pointer(stream + value, object_of(in, load(stream + value, 8), sub.type));
        else if (sub.kind == KIND_S)
            take_references(in, &schema_structs[sub.type], stream + value);
    if (in->strict && at < size && size - at > 4) /* the bytes behind a type that the table doesn't
                                                     know */
        memset(stream + at + 4, 0, (size_t)(size - at - 4));
    return stream;
}

/* Takes the structure that a state subobject at `memory` points to; NULL: none. */
static void *take_subobject(struct codec_in *in, const uint8_t *memory, uint64_t word)
{
    static uint64_t unknown[32];
    struct schema_subobject sub;
    if (word && schema_state_subobject((uint32_t)load(memory, 4), &sub))
        return take_elements(in, sub.kind, sub.type, sub.size, 1);
    if (in->raw)
        return pointer(word);
    return word ? unknown : NULL;
}

static void *sibling_at(const struct codec_in *in, uint64_t index)
{
    return index && index <= in->sibling_count
               ? (uint8_t *)in->siblings +
                     (index - 1) * schema_structs[TYPE_D3D12_STATE_SUBOBJECT].size
               : NULL;
}

static void take_member(struct codec_in *in, const struct schema_struct *s,
                        const struct schema_value *f, uint8_t *memory)
{
    uint8_t *place = memory + f->offset;
    const uint64_t word = load(place, 8);
    switch (f->kind) {
    case KIND_S:
        for (uint32_t i = 0; i < f->array; i++)
            take_references(in, &schema_structs[f->type], place + i * f->elem_size);
        break;
    case KIND_O:
        for (uint32_t i = 0; i < f->array; i++)
            store_pointer(place + 8 * i, object_of(in, load(place + 8 * i, 8), f->type));
        break;
    case KIND_A:
    case KIND_C:
    case KIND_H:
    case KIND_K:
        for (uint32_t i = 0; i < f->array && !in->raw; i++)
            store(place + 8 * i, stands_for(in, f->kind, load(place + 8 * i, 8)));
        break;
    case KIND_X:
    case KIND_Y:
        if (!in->raw)
            store(place, word ? stands_for(in, f->kind, word) : 0);
        break;
    case KIND_P: {
        void *elements = NULL;
        if (word) {
            const uint64_t count = take_word(in);
            if (count < codec_member_count(s, f, memory) ||
                (in->strict && !codec_member_is_possible(s, f, memory)))
                in->is_damaged = true; /* the callee would read beyond */
            elements = take_elements(in, f->elem, f->type, f->elem_size, count);
        }
        store_pointer(place, elements);
        break;
    }
    case KIND_Z:
        store_pointer(place, word ? take_text(in) : NULL);
        break;
    case KIND_W:
        store_pointer(place, word ? take_wide(in) : NULL);
        break;
    case KIND_STREAM:
        store_pointer(place, word ? take_stream(in, load(memory, 8)) : NULL);
        break;
    case KIND_DESC:
        store_pointer(place, take_subobject(in, memory, word));
        break;
    case KIND_SIBLING:
        store_pointer(place, sibling_at(in, word));
        break;
    default:
        break;
    }
}

static bool is_plain(const struct schema_value *f)
{
    return f->kind < KIND_SCALARS || (f->kind == KIND_S && schema_structs[f->type].plain);
}

/* Makes unknown values harmless: if a union's selector is unknown to the table, the runtime may
 * know a member that is a pointer. */
static void make_sound(const struct schema_struct *s, const bool *active, uint8_t *memory)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        bool is_there = f->in_union < 0 || is_plain(f);
        for (uint32_t k = 0; k < s->count && !is_there; k++)
            is_there = active[k] && schema_fields[s->first + k].in_union == f->in_union;
        if (!is_there)
            memset(memory + f->offset, 0, f->kind == KIND_S ? f->array * f->elem_size : 8);
        if (f->kind == KIND_B && f->elem_size == 1) /* C's own, which is 0 or 1 */
            memory[f->offset] = memory[f->offset] != 0;
    }
}

static void take_references(struct codec_in *in, const struct schema_struct *s, uint8_t *memory)
{
    if (s->plain || in->is_damaged)
        return;
    /* Finds the used members of unions before any member is replaced. */
    bool active[256];
    for (uint32_t i = 0; i < s->count; i++)
        active[i] = schema_is_active(s, &schema_fields[s->first + i], memory);
    if (in->strict)
        make_sound(s, active, memory);
    for (uint32_t i = 0; i < s->count && !in->is_damaged; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (f->kind > KIND_SCALARS && active[i])
            take_member(in, s, f, memory);
    }
}

static void *take_structs(struct codec_in *in, uint16_t type, uint32_t size, uint64_t count,
                          uint8_t *memory)
{
    if (type == TYPE_D3D12_STATE_SUBOBJECT) {
        in->siblings = memory;
        in->sibling_count = count;
    }
    for (uint64_t i = 0; i < count && !in->is_damaged; i++)
        take_references(in, &schema_structs[type], memory + i * size);
    return memory;
}

static void *take_elements(struct codec_in *in, uint8_t kind, uint16_t type, uint32_t size,
                           uint64_t count)
{
    const bool is_word = kind == KIND_O || kind == KIND_W || kind == KIND_P || kind == KIND_SIBLING;
    if (count > (uint64_t)(in->end - in->at) / (is_word ? 8 : size)) {
        in->is_damaged = true;
        return NULL;
    }
    uint8_t *memory = memory_for(in, count, is_word ? 8 : size);
    if (!memory)
        return NULL;
    if (!is_word) {
        const uint8_t *bytes = take(in, count * size);
        if (!bytes || in->is_damaged)
            return NULL;
        memcpy(memory, bytes, (size_t)(count * size));
        if (kind == KIND_S && !schema_structs[type].plain)
            return take_structs(in, type, size, count, memory);
        for (uint64_t i = 0; i < count && kind > KIND_SCALARS && kind != KIND_S && !in->raw; i++)
            store(memory + 8 * i, stands_for(in, kind, load(memory + 8 * i, 8)));
        return memory;
    }
    for (uint64_t i = 0; i < count && !in->is_damaged; i++) {
        const uint64_t word = take_word(in);
        uint8_t *place = memory + 8 * i;
        if (kind == KIND_O)
            store_pointer(place, object_of(in, word, type));
        else if (kind == KIND_SIBLING)
            store_pointer(place, sibling_at(in, word));
        else if (word && kind == KIND_W)
            store_pointer(place, take_wide(in));
        else if (word && kind == KIND_P)
            store_pointer(place, take_elements(in, KIND_S, type, schema_structs[type].size, 1));
    }
    return memory;
}

uint64_t codec_take_data(struct codec_in *in, const struct schema_value *p, bool leave,
                         uint64_t *elements)
{
    if (p->kind == KIND_Z)
        return (uint64_t)(uintptr_t)take_text(in);
    if (p->kind == KIND_W)
        return (uint64_t)(uintptr_t)take_wide(in);
    const uint64_t count = *elements = take_word(in);
    const bool has_data = p->dir & (leave ? DIR_WRITE : DIR_READ);
    static uint64_t zeros[2];
    if (!has_data && in->only_data)
        return (uint64_t)(uintptr_t)zeros;
    void *memory = has_data ? take_elements(in, p->elem, p->type, p->elem_size, count)
                            : memory_for(in, count ? count : 1, p->elem_size);
    return (uint64_t)(uintptr_t)memory;
}

static uint64_t value_of(struct codec_in *in, const struct schema_value *p, uint64_t word)
{
    switch (p->kind) {
    case KIND_O:
        return (uint64_t)(uintptr_t)object_of(in, word, p->type);
    case KIND_A:
    case KIND_C:
    case KIND_H:
    case KIND_K:
        return stands_for(in, p->kind, word);
    case KIND_X:
    case KIND_Y:
        return word ? stands_for(in, p->kind, word) : 0;
    default:
        return word;
    }
}

bool codec_decode(struct codec_in *in, const struct schema_method_row *m, uint64_t *args,
                  bool leave)
{
    const struct schema_value *params = &schema_params[m->first];
    const uint8_t dir = leave ? DIR_WRITE : DIR_BOTH;
    uint64_t words[CODEC_ARGS] = {0};
    memset(in->counts, 0, sizeof in->counts);
    for (uint32_t i = 0; i < m->count; i++)
        words[i] = take_word(in);
    for (uint32_t i = 0; i < m->count && !in->is_damaged; i++) {
        const bool has_element = in->end - in->at >= 16; /* behind the number of elements */
        const struct schema_value p = codec_shape_of(m, i, words, has_element ? in->at + 8 : NULL);
        const bool is_pointer = p.kind == KIND_P || p.kind == KIND_Z || p.kind == KIND_W;
        if ((!(p.dir & dir) && p.kind > KIND_SCALARS) || (is_pointer && !words[i]))
            args[i] = 0;
        else
            args[i] = is_pointer ? codec_take_data(in, &p, leave, &in->counts[i])
                                 : value_of(in, &p, words[i]);
    }
    for (uint32_t i = 0; i < m->count && !leave && !in->is_damaged; i++) {
        const struct schema_value p = codec_shape_of(m, i, words, NULL);
        const uint64_t claimed = p.kind == KIND_P && args[i] ? codec_count(params, &p, args) : 0;
        if (in->counts[i] < claimed && (in->strict || claimed <= BYTES_MAX / p.elem_size))
            in->is_damaged = true; /* the call would read or write beyond */
    }
    return !in->is_damaged;
}

const void *codec_take_struct(struct codec_in *in, uint16_t type)
{
    return take_elements(in, KIND_S, type, schema_structs[type].size, 1);
}
