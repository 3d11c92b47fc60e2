#include "codec.h"

#include <stdlib.h>
#include <string.h>

#define BYTES_MAX ((size_t)1 << 30) /* what one call may point to */

static size_t padded(size_t size)
{
    return (size + 7) & ~(size_t)7;
}

static uint64_t load(const void *memory, uint32_t size)
{
    uint64_t value = 0;
    memcpy(&value, memory, size < 8 ? size : 8);
    return value;
}

static void *pointer(uint64_t word)
{
    return (void *)(uintptr_t)word;
}

/* ---- counts ---- */

uint64_t codec_count(const struct schema_value *params, const struct schema_value *p,
                     const uint64_t *args)
{
    const struct schema_value *of = p->count_of >= 0 ? &params[p->count_of] : NULL;
    switch (p->count) {
    case COUNT_ONE:
        return 1;
    case COUNT_FIXED:
        return (uint64_t)p->count_of;
    case COUNT_MEMBER:
        return load(&args[p->count_of], of->size) * p->multiplier;
    case COUNT_DEREF:
        return args[p->count_of] ? load(pointer(args[p->count_of]), of->elem_size) * p->multiplier
                                 : 0;
    default:
        return 0;
    }
}

uint64_t codec_member_count(const struct schema_struct *s, const struct schema_value *member,
                            const void *memory)
{
    switch (member->count) {
    case COUNT_ONE:
        return 1;
    case COUNT_FIXED:
        return (uint64_t)member->count_of;
    case COUNT_MEMBER: {
        const struct schema_value *of = &schema_fields[s->first + (uint16_t)member->count_of];
        return load((const uint8_t *)memory + of->offset, of->size) * member->multiplier;
    }
    default:
        return 0;
    }
}

bool codec_stream_next(const uint8_t *stream, uint64_t size, uint64_t *at, uint64_t *value,
                       struct schema_subobject *subobject)
{
    *at = (*at + 7) & ~7ull;
    if (*at > size || size - *at < 4 ||
        !schema_pipeline_subobject((uint32_t)load(stream + *at, 4), subobject))
        return false;
    bool is_wide = subobject->kind == KIND_O;
    if (subobject->kind == KIND_S)
        for (uint32_t i = 0; i < schema_structs[subobject->type].count; i++)
            is_wide |= schema_fields[schema_structs[subobject->type].first + i].elem_size == 8;
    *value = *at + (is_wide ? 8 : 4);
    *at = *value + subobject->size;
    return *at <= size;
}

/* ---- encoding ---- */

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size)
{
    const size_t whole = padded(size);
    if (bytes->failed)
        return;
    if (bytes->capacity - bytes->size < whole) {
        size_t capacity = bytes->capacity ? bytes->capacity : 4096;
        while (capacity - bytes->size < whole && capacity < BYTES_MAX)
            capacity *= 2;
        uint8_t *grown = capacity - bytes->size < whole ? NULL : realloc(bytes->data, capacity);
        if (!grown) {
            bytes->failed = true;
            return;
        }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    memset(bytes->data + bytes->size + size, 0, whole - size);
    bytes->size += whole;
}

void codec_bytes_free(struct codec_bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct codec_bytes){0};
}

static void add_word(struct codec_out *out, uint64_t word)
{
    codec_bytes_add(&out->bytes, &word, sizeof word);
}

static void patch(struct codec_out *out, size_t at, uint64_t word)
{
    if (!out->bytes.failed)
        memcpy(out->bytes.data + at, &word, sizeof word);
}

static void add_text(struct codec_out *out, const char *text)
{
    const uint64_t length = strlen(text);
    add_word(out, length);
    codec_bytes_add(&out->bytes, text, length);
}

static size_t add_utf16(uint16_t *units, uint32_t c)
{
    if (c < 0x10000) {
        units[0] = (uint16_t)c;
        return 1;
    }
    units[0] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10 & 0x3ff));
    units[1] = (uint16_t)(0xdc00 + ((c - 0x10000) & 0x3ff));
    return 2;
}

static void add_wide(struct codec_out *out, const void *text)
{
    uint64_t length = 0;
    if (out->wchar_size == 2) {
        const uint16_t *units = text;
        while (units[length])
            length++;
        add_word(out, length);
        codec_bytes_add(&out->bytes, units, length * 2);
        return;
    }
    const uint32_t *units = text;
    while (units[length])
        length++;
    uint16_t *converted = malloc((length * 2 + 1) * sizeof *converted);
    size_t n = 0;
    for (uint64_t i = 0; converted && i < length; i++)
        n += add_utf16(converted + n, units[i]);
    add_word(out, n);
    codec_bytes_add(&out->bytes, converted, n * 2);
    free(converted);
}

static void add_elements(struct codec_out *out, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count);

static void add_stream(struct codec_out *out, const uint8_t *stream, uint64_t size);

/* Replaces what the structure at `memory`, already added at offset `at`, refers to, and adds what it points to. */
static void add_references(struct codec_out *out, const struct schema_struct *s,
                           const uint8_t *memory, size_t at);

static void add_member(struct codec_out *out, const struct schema_struct *s,
                       const struct schema_value *f, const uint8_t *memory, size_t at)
{
    const uint64_t word = load(memory + f->offset, 8);
    const size_t place = at + f->offset;
    switch (f->kind) {
    case KIND_S:
        for (uint32_t i = 0; i < f->array; i++)
            add_references(out, &schema_structs[f->type], memory + f->offset + i * f->elem_size,
                           place + i * f->elem_size);
        break;
    case KIND_O:
        for (uint32_t i = 0; i < f->array; i++) {
            const uint64_t object = load(memory + f->offset + 8 * i, 8);
            patch(out, place + 8 * i, object ? out->object(out->user, pointer(object)) : 0);
        }
        break;
    case KIND_X:
    case KIND_Y:
        if (!out->raw)
            patch(out, place, word != 0);
        break;
    case KIND_P: {
        const uint64_t count = word ? codec_member_count(s, f, memory) : 0;
        patch(out, place, word != 0);
        if (word) {
            add_word(out, count);
            add_elements(out, f->elem, f->type, f->elem_size, pointer(word), count);
        }
        break;
    }
    case KIND_Z:
        patch(out, place, word != 0);
        if (word)
            add_text(out, pointer(word));
        break;
    case KIND_W:
        patch(out, place, word != 0);
        if (word)
            add_wide(out, pointer(word));
        break;
    case KIND_STREAM:
        patch(out, place, word != 0);
        if (word)
            add_stream(out, pointer(word), load(memory, 8));
        break;
    case KIND_DESC: {
        struct schema_subobject sub;
        const bool known = word && schema_state_subobject((uint32_t)load(memory, 4), &sub);
        if (known || !out->raw)
            patch(out, place, known);
        if (known)
            add_elements(out, sub.kind, sub.type, sub.size, pointer(word), 1);
        else if (word)
            out->refused = "a state subobject of unknown type";
        break;
    }
    case KIND_SIBLING: {
        const uint64_t base = (uint64_t)(uintptr_t)out->siblings,
                       size = schema_structs[TYPE_D3D12_STATE_SUBOBJECT].size;
        const bool inside = word >= base && word < base + out->sibling_count * size;
        patch(out, place, inside ? 1 + (word - base) / size : 0);
        break;
    }
    default:
        break;
    }
}

static void add_references(struct codec_out *out, const struct schema_struct *s,
                           const uint8_t *memory, size_t at)
{
    if (s->plain)
        return;
    const void *siblings = out->siblings;
    const uint64_t sibling_count = out->sibling_count;
    if (s == &schema_structs[TYPE_D3D12_STATE_OBJECT_DESC]) {
        out->sibling_count = load(memory + 4, 4);
        out->siblings = pointer(load(memory + 8, 8));
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (f->kind > KIND_SCALARS && schema_is_active(s, f, memory))
            add_member(out, s, f, memory, at);
    }
    out->siblings = siblings;
    out->sibling_count = sibling_count;
}

static void add_stream(struct codec_out *out, const uint8_t *stream, uint64_t size)
{
    struct schema_subobject sub;
    uint64_t at = 0, value;
    if (size > BYTES_MAX)
        size = 0;
    add_word(out, size);
    const size_t start = out->bytes.size;
    codec_bytes_add(&out->bytes, stream, size);
    while (codec_stream_next(stream, size, &at, &value, &sub)) {
        if (sub.kind == KIND_O) {
            const uint64_t object = load(stream + value, 8);
            patch(out, start + value, object ? out->object(out->user, pointer(object)) : 0);
        } else if (sub.kind == KIND_S) {
            add_references(out, &schema_structs[sub.type], stream + value, start + value);
        }
    }
}

static void add_elements(struct codec_out *out, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count)
{
    const uint8_t *elements = memory;
    if (count > BYTES_MAX / (size ? size : 1)) {
        out->bytes.failed = true;
        return;
    }
    switch (kind) {
    case KIND_O:
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t object = load(elements + 8 * i, 8);
            add_word(out, object ? out->object(out->user, pointer(object)) : 0);
        }
        return;
    case KIND_X: /* addresses of the program's, of no use elsewhere */
    case KIND_Y:
        for (uint64_t i = 0; i < count; i++)
            add_word(out, load(elements + 8 * i, 8) != 0);
        return;
    case KIND_Z:
    case KIND_W:
    case KIND_P:
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t word = load(elements + 8 * i, 8);
            add_word(out, word != 0);
            if (word && kind == KIND_Z)
                add_text(out, pointer(word));
            else if (word && kind == KIND_W)
                add_wide(out, pointer(word));
            else if (word)
                add_elements(out, KIND_S, type, schema_structs[type].size, pointer(word), 1);
        }
        return;
    default:
        break;
    }
    const size_t at = out->bytes.size;
    codec_bytes_add(&out->bytes, elements, count * size);
    if (kind == KIND_S && !schema_structs[type].plain)
        for (uint64_t i = 0; i < count; i++)
            add_references(out, &schema_structs[type], elements + i * size, at + i * size);
}

static uint64_t word_of(struct codec_out *out, const struct schema_value *p, uint64_t arg)
{
    switch (p->kind) {
    case KIND_O:
        return arg ? out->object(out->user, pointer(arg)) : 0;
    case KIND_P:
    case KIND_Z:
    case KIND_W:
    case KIND_X:
    case KIND_Y:
        return arg != 0;
    case KIND_K:
        return arg && out->handle ? out->handle(arg) : arg;
    default:
        return arg;
    }
}

struct schema_value codec_shape(const struct schema_method_row *m, uint32_t i, const uint64_t *args)
{
    struct schema_value p = schema_params[m->first + i];
    const unsigned method = (unsigned)(m - schema_methods);
    const uint16_t type =
        i == 1 ? schema_feature(method, (uint32_t)args[0], args[2] & 0xffffffffu) : TYPE_NONE;
    if (type != TYPE_NONE) {
        p.elem = KIND_S;
        p.type = type;
        p.elem_size = schema_structs[type].size;
        p.count = COUNT_ONE;
    }
    return p;
}

static void add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
                     const uint64_t *args, bool leave)
{
    const struct schema_value *params = &schema_params[m->first];
    const struct schema_value shape = codec_shape(m, i, args), *p = &shape;
    const uint64_t arg = args[i];
    if (p->kind == KIND_Z)
        add_text(out, pointer(arg));
    if (p->kind == KIND_W)
        add_wide(out, pointer(arg));
    if (p->kind != KIND_P)
        return;
    uint64_t count = p->count == COUNT_BOX ? out->box ? out->box(out->user, m, args) : 0
                                           : codec_count(params, p, args);
    const bool has_data = p->dir & (leave ? DIR_WRITE : DIR_READ);
    if (p->elem_size && count > BYTES_MAX / p->elem_size)
        count = 0;
    add_word(out, count);
    if (has_data)
        add_elements(out, p->elem, p->type, p->elem_size, pointer(arg), count);
}

void codec_encode(struct codec_out *out, const struct schema_method_row *m, const uint64_t *args,
                  bool leave)
{
    const struct schema_value *params = &schema_params[m->first];
    const uint8_t dir = leave ? DIR_WRITE : DIR_BOTH;
    for (uint32_t i = 0; i < m->count; i++)
        add_word(out, (params[i].dir & dir) || params[i].kind < KIND_SCALARS
                          ? word_of(out, &params[i], args[i])
                          : 0);
    if (m->flat)
        return;
    for (uint32_t i = 0; i < m->count; i++)
        if ((params[i].dir & dir) && args[i])
            add_data(out, m, i, args, leave);
}

/* ---- memory that is decoded into ---- */

struct codec_block {
    struct codec_block *next;
    size_t size, used;
};

struct codec_arena {
    struct codec_block *blocks;
    size_t taken;
};

#define BLOCK_HEAD 32

struct codec_arena *codec_arena_create(void)
{
    return calloc(1, sizeof(struct codec_arena));
}

void codec_arena_reset(struct codec_arena *arena)
{
    while (arena->blocks && arena->blocks->next) {
        struct codec_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    if (arena->blocks)
        arena->blocks->used = 0;
    arena->taken = 0;
}

void codec_arena_keep(struct codec_arena *arena)
{
    *arena = (struct codec_arena){0};
}

void codec_arena_destroy(struct codec_arena *arena)
{
    if (!arena)
        return;
    codec_arena_reset(arena);
    free(arena->blocks);
    free(arena);
}

void *codec_arena_take(struct codec_arena *arena, size_t size)
{
    struct codec_block *block = arena->blocks;
    if (size > BYTES_MAX || arena->taken > BYTES_MAX - size)
        return NULL;
    size = (size + 31) & ~(size_t)15; /* one byte past the end is still ours */
    if (!block || block->size - block->used < size) {
        const size_t capacity = size > 65536 ? size : 65536;
        block = malloc(BLOCK_HEAD + capacity);
        if (!block)
            return NULL;
        *block = (struct codec_block){arena->blocks, capacity, 0};
        arena->blocks = block;
    }
    void *taken = (uint8_t *)block + BLOCK_HEAD + block->used;
    block->used += size;
    arena->taken += size;
    return memset(taken, 0, size);
}

/* ---- decoding ---- */

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

static void store(void *memory, uint64_t word)
{
    memcpy(memory, &word, sizeof word);
}

static void store_pointer(void *memory, const void *value)
{
    store(memory, (uint64_t)(uintptr_t)value);
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
    for (uint64_t i = 0, n = 0; i < length; i++, n++) {
        uint32_t c = (uint32_t)load(bytes + 2 * i, 2);
        if (in->wchar_size == 4 && c >= 0xd800 && c < 0xdc00 && i + 1 < length) {
            const uint32_t low = (uint32_t)load(bytes + 2 * i + 2, 2);
            if (low >= 0xdc00 && low < 0xe000) {
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
                i++;
            }
        }
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
    while (codec_stream_next(stream, size, &at, &value, &sub)) {
        if (sub.kind == KIND_O)
            store_pointer(stream + value, in->object(in->user, load(stream + value, 8)));
        else if (sub.kind == KIND_S)
            take_references(in, &schema_structs[sub.type], stream + value);
    }
    return stream;
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
            store_pointer(place + 8 * i, in->object(in->user, load(place + 8 * i, 8)));
        break;
    case KIND_A:
    case KIND_C:
    case KIND_H:
    case KIND_K:
        for (uint32_t i = 0; i < f->array && !in->raw; i++)
            store(place + 8 * i, in->address(in->user, f->kind, load(place + 8 * i, 8)));
        break;
    case KIND_X:
    case KIND_Y:
        if (!in->raw)
            store(place, word ? in->address(in->user, f->kind, word) : 0);
        break;
    case KIND_P: {
        void *elements = NULL;
        if (word) {
            const uint64_t count = take_word(in);
            if (count < codec_member_count(s, f, memory))
                in->is_damaged = true; /* what reads it would read beyond */
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
    case KIND_DESC: {
        struct schema_subobject sub;
        void *desc = NULL;
        if (word && schema_state_subobject((uint32_t)load(memory, 4), &sub))
            desc = take_elements(in, sub.kind, sub.type, sub.size, 1);
        else if (in->raw)
            desc = pointer(word);
        store_pointer(place, desc);
        break;
    }
    case KIND_SIBLING:
        store_pointer(place, word && word <= in->sibling_count
                                 ? (uint8_t *)in->siblings +
                                       (word - 1) * schema_structs[TYPE_D3D12_STATE_SUBOBJECT].size
                                 : NULL);
        break;
    default:
        break;
    }
}

static void take_references(struct codec_in *in, const struct schema_struct *s, uint8_t *memory)
{
    if (s->plain || in->is_damaged)
        return;
    /* Which member of a union is there is read before any is replaced. */
    bool active[256];
    for (uint32_t i = 0; i < s->count; i++)
        active[i] = schema_is_active(s, &schema_fields[s->first + i], memory);
    for (uint32_t i = 0; i < s->count && !in->is_damaged; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (f->kind > KIND_SCALARS && active[i])
            take_member(in, s, f, memory);
    }
}

static void *take_structs(struct codec_in *in, uint16_t type, uint32_t size, uint64_t count,
                          uint8_t *memory)
{
    void *siblings = in->siblings;
    const uint64_t sibling_count = in->sibling_count;
    if (type == TYPE_D3D12_STATE_SUBOBJECT) {
        in->siblings = memory;
        in->sibling_count = count;
    }
    for (uint64_t i = 0; i < count && !in->is_damaged; i++)
        take_references(in, &schema_structs[type], memory + i * size);
    in->siblings = siblings;
    in->sibling_count = sibling_count;
    return memory;
}

static void *take_elements(struct codec_in *in, uint8_t kind, uint16_t type, uint32_t size,
                           uint64_t count)
{
    const bool is_word = kind == KIND_O || kind == KIND_X || kind == KIND_Y || kind == KIND_Z ||
                         kind == KIND_W || kind == KIND_P;
    if (count > (uint64_t)(in->end - in->at) / (is_word ? 8 : size ? size : 1)) {
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
            store(memory + 8 * i, in->address(in->user, kind, load(memory + 8 * i, 8)));
        return memory;
    }
    for (uint64_t i = 0; i < count && !in->is_damaged; i++) {
        const uint64_t word = take_word(in);
        uint8_t *place = memory + 8 * i;
        if (kind == KIND_O)
            store_pointer(place, in->object(in->user, word));
        else if (word && kind == KIND_Z)
            store_pointer(place, take_text(in));
        else if (word && kind == KIND_W)
            store_pointer(place, take_wide(in));
        else if (word && kind == KIND_P)
            store_pointer(place, take_elements(in, KIND_S, type, schema_structs[type].size, 1));
    }
    return memory;
}

static uint64_t take_data(struct codec_in *in, const struct schema_value *p, bool leave,
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
        return (uint64_t)(uintptr_t)in->object(in->user, word);
    case KIND_A:
    case KIND_C:
    case KIND_H:
    case KIND_K:
        return in->address(in->user, p->kind, word);
    case KIND_X:
    case KIND_Y:
        return word ? in->address(in->user, p->kind, word) : 0;
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
        const struct schema_value p = codec_shape(m, i, words);
        const bool is_pointer = p.kind == KIND_P || p.kind == KIND_Z || p.kind == KIND_W;
        if ((!(p.dir & dir) && p.kind > KIND_SCALARS) || (is_pointer && !words[i]))
            args[i] = 0;
        else
            args[i] =
                is_pointer ? take_data(in, &p, leave, &in->counts[i]) : value_of(in, &p, words[i]);
    }
    for (uint32_t i = 0; i < m->count && !leave && !in->is_damaged; i++) {
        const struct schema_value p = codec_shape(m, i, words);
        const uint64_t claimed = p.kind == KIND_P && args[i] ? codec_count(params, &p, args) : 0;
        if (in->counts[i] < claimed && claimed <= BYTES_MAX / (p.elem_size ? p.elem_size : 1))
            in->is_damaged = true; /* the call would read or write beyond */
    }
    return !in->is_damaged;
}

/* Only the structure's own interface pointers: what it points to claims more than there can be. */
static void replace_direct(struct codec_out *out, const struct schema_struct *s, uint8_t *memory)
{
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        for (uint32_t k = 0; k < f->array && schema_is_active(s, f, memory); k++) {
            uint8_t *place = memory + f->offset + k * f->elem_size;
            if (f->kind == KIND_O && load(place, 8))
                store(place, out->object(out->user, pointer(load(place, 8))));
            else if (f->kind == KIND_S)
                replace_direct(out, &schema_structs[f->type], place);
        }
    }
}

static uint64_t copy_shallow(struct codec_out *out, struct codec_in *in,
                             const struct schema_value *p, uint64_t arg)
{
    uint8_t *copy =
        p->elem == KIND_S && p->count == COUNT_ONE ? memory_for(in, 1, p->elem_size) : NULL;
    in->is_damaged = false;
    if (!copy)
        return 0;
    memcpy(copy, pointer(arg), p->elem_size);
    replace_direct(out, &schema_structs[p->type], copy);
    return (uint64_t)(uintptr_t)copy;
}

uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first], *p = &params[i];
    const uint64_t count = codec_count(params, p, args);
    out->bytes.size = 0;
    out->bytes.failed = false;
    if (p->elem_size && count > BYTES_MAX / p->elem_size)
        return 0;
    add_data(out, m, i, args, false);
    if (out->bytes.failed)
        return copy_shallow(out, in, p, args[i]);
    in->at = out->bytes.data;
    in->end = in->at + out->bytes.size;
    return take_data(in, p, false, &in->counts[i]);
}

void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory)
{
    add_elements(out, KIND_S, type, schema_structs[type].size, memory, 1);
}

const void *codec_take_struct(struct codec_in *in, uint16_t type)
{
    return take_elements(in, KIND_S, type, schema_structs[type].size, 1);
}
