#include "codec.h"

#include "array.h"
#include "codec_bytes.h"
#include "unicode.h"

void codec_bytes_add(struct codec_bytes *bytes, const void *data, size_t size)
{
    const size_t whole = padded(size);
    if (bytes->failed)
        return;
    if (whole > BYTES_MAX - bytes->size ||
        (bytes->is_fixed && whole > bytes->capacity - bytes->size) ||
        !ARRAY_RESERVE(bytes->data, bytes->capacity, bytes->size + whole)) {
        bytes->failed = true;
        return;
    }
    if (size)
        memcpy(bytes->data + bytes->size, data, size);
    memset(bytes->data + bytes->size + size, 0, whole - size);
    bytes->size += whole;
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
    size_t length = 0;
    while (unicode_unit(text, out->wchar_size, length))
        length++;
    if (out->wchar_size == 2) {
        add_word(out, length);
        codec_bytes_add(&out->bytes, text, length * 2);
        return;
    }
    uint16_t *converted = malloc((length * 2 + 1) * sizeof *converted);
    size_t n = 0;
    for (size_t i = 0; converted && i < length; i++)
        n += add_utf16(converted + n, unicode_unit(text, 4, i));
    add_word(out, n);
    codec_bytes_add(&out->bytes, converted, n * 2);
    free(converted);
}

static void add_elements(struct codec_out *out, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count);

static void add_stream(struct codec_out *out, const uint8_t *stream, uint64_t size);

/* Replaces the references of the structure at `memory`, which was added at offset `at`, and adds
 * the data behind its pointers. */
static void add_references(struct codec_out *out, const struct schema_struct *s,
                           const uint8_t *memory, size_t at);

/* Adds the structure that a state subobject at `memory` points to. */
static void add_subobject(struct codec_out *out, const uint8_t *memory, uint64_t word, size_t place)
{
    struct schema_subobject sub;
    const bool known = word && schema_state_subobject((uint32_t)load(memory, 4), &sub);
    if (known || !out->raw)
        patch(out, place, known ? 1 : word ? 2 : 0);
    if (known)
        add_elements(out, sub.kind, sub.type, sub.size, pointer(word), 1);
    else if (word)
        out->refused = "a state subobject of unknown type";
}

/* A pointer to a subobject of the same description becomes its index, from 1. */
static uint64_t sibling_of(const struct codec_out *out, uint64_t word)
{
    const uint64_t base = (uint64_t)(uintptr_t)out->siblings,
                   size = schema_structs[TYPE_D3D12_STATE_SUBOBJECT].size;
    const bool inside = word >= base && word < base + out->sibling_count * size;
    return inside ? 1 + (word - base) / size : 0;
}

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
        if (word && out->raw && !codec_member_is_possible(s, f, memory))
            out->bytes.failed = true; /* later data is lost */
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
    case KIND_DESC:
        add_subobject(out, memory, word, place);
        break;
    case KIND_SIBLING:
        patch(out, place, sibling_of(out, word));
        break;
    default:
        break;
    }
}

static void add_references(struct codec_out *out, const struct schema_struct *s,
                           const uint8_t *memory, size_t at)
{
    if (s->plain)
        return;
    if (s == &schema_structs[TYPE_D3D12_STATE_OBJECT_DESC]) {
        out->sibling_count = load(memory + 4, 4);
        out->siblings = pointer(load(memory + 8, 8));
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (f->kind > KIND_SCALARS && schema_is_active(s, f, memory))
            add_member(out, s, f, memory, at);
    }
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
    if (at <= size && size - at >= 4 &&
        !schema_pipeline_subobject((uint32_t)load(stream + at, 4), &sub))
        out->refused = "a pipeline subobject of unknown type";
}

static void add_elements(struct codec_out *out, uint8_t kind, uint16_t type, uint32_t size,
                         const void *memory, uint64_t count)
{
    const uint8_t *elements = memory;
    if (count > BYTES_MAX / size) {
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
    case KIND_SIBLING:
        for (uint64_t i = 0; i < count; i++)
            add_word(out, sibling_of(out, load(elements + 8 * i, 8)));
        return;
    case KIND_W:
    case KIND_P:
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t word = load(elements + 8 * i, 8);
            add_word(out, word != 0);
            if (word && kind == KIND_W)
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

/* Clears members that the call only writes, because they have the program's old bytes. */
static void forget_answers(struct codec_out *out, uint16_t type, size_t at, uint64_t count)
{
    const struct schema_struct *s = &schema_structs[type];
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < s->count && !out->bytes.failed; k++) {
            const struct schema_value *f = &schema_fields[s->first + k];
            if (f->dir == DIR_WRITE)
                memset(out->bytes.data + at + i * s->size + f->offset, 0,
                       (size_t)f->array * f->elem_size);
        }
}

void codec_add_data(struct codec_out *out, const struct schema_method_row *m, uint32_t i,
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
    if (count > BYTES_MAX / p->elem_size)
        count = 0;
    add_word(out, count);
    const size_t at = out->bytes.size;
    if (has_data)
        add_elements(out, p->elem, p->type, p->elem_size, pointer(arg), count);
    if (has_data && (!leave || out->has_failed) && !out->raw && p->elem == KIND_S &&
        schema_structs[p->type].has_answers)
        forget_answers(out, p->type, at, count);
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
            codec_add_data(out, m, i, args, leave);
}

void codec_add_struct(struct codec_out *out, uint16_t type, const void *memory)
{
    add_elements(out, KIND_S, type, schema_structs[type].size, memory, 1);
}
