#include "places.h"

#include <capture/trace/codec.h>

#include <string.h>

struct walk {
    struct places *to;
    const uint8_t *data;
    size_t size, at; /* of what follows the structures that were met */
    bool is_over;    /* the bytes are not what the table says */
};

static void add(struct walk *w, size_t at, size_t size, uint8_t kind, uint16_t type)
{
    if (w->to->count < PLACES_MAX && at + size <= w->size && size)
        w->to->all[w->to->count++] = (struct place){(uint32_t)at, (uint32_t)size, kind, type};
}

static uint64_t word_at(const struct walk *w, size_t at)
{
    uint64_t word = 0;
    if (at + 8 <= w->size)
        memcpy(&word, w->data + at, 8);
    return word;
}

/* Where the next `size` bytes begin. */
static size_t skip(struct walk *w, uint64_t size)
{
    const size_t at = w->at;
    if (size > w->size - at || ((size + 7) & ~7ull) > w->size - at) {
        w->is_over = true;
        return at;
    }
    w->at += (size_t)((size + 7) & ~7ull);
    return at;
}

static uint64_t take_word(struct walk *w, uint8_t kind)
{
    const size_t at = skip(w, 8);
    if (w->is_over)
        return 0;
    add(w, at, 8, kind, TYPE_NONE);
    return word_at(w, at);
}

static void walk_text(struct walk *w, unsigned unit)
{
    const uint64_t length = take_word(w, PLACE_COUNT);
    const uint64_t size = length < w->size ? length * unit : UINT64_MAX;
    const size_t at = skip(w, size);
    if (!w->is_over)
        add(w, at, (size_t)size, PLACE_BYTES, TYPE_NONE);
}

static void walk_elements(struct walk *w, uint8_t kind, uint16_t type, uint32_t size,
                          uint64_t count);
static void walk_struct(struct walk *w, const struct schema_struct *s, size_t at);

static void walk_stream(struct walk *w)
{
    struct schema_subobject sub;
    uint64_t in = 0, value;
    const uint64_t size = take_word(w, PLACE_COUNT);
    const size_t at = skip(w, size);
    while (!w->is_over && codec_stream_next(w->data + at, size, &in, &value, &sub)) {
        add(w, at + (size_t)value - (sub.size >= 8 ? 8 : 4), 4, KIND_E, TYPE_NONE);
        if (sub.kind == KIND_S)
            walk_struct(w, &schema_structs[sub.type], at + (size_t)value);
        else
            add(w, at + (size_t)value, sub.size, sub.kind, sub.type);
    }
}

static void walk_pointer(struct walk *w, const struct schema_value *f, size_t base, size_t place)
{
    struct schema_subobject sub;
    uint32_t kind_of_desc = 0;
    add(w, place, 8, PLACE_POINTER, TYPE_NONE);
    if (!word_at(w, place))
        return;
    switch (f->kind) {
    case KIND_P:
        walk_elements(w, f->elem, f->type, f->elem_size, take_word(w, PLACE_COUNT));
        break;
    case KIND_Z:
        walk_text(w, 1);
        break;
    case KIND_W:
        walk_text(w, 2);
        break;
    case KIND_STREAM:
        walk_stream(w);
        break;
    case KIND_DESC:
        memcpy(&kind_of_desc, w->data + base, sizeof kind_of_desc);
        if (schema_state_subobject(kind_of_desc, &sub))
            walk_elements(w, sub.kind, sub.type, sub.size, 1);
        break;
    default:
        break;
    }
}

static void walk_member(struct walk *w, const struct schema_value *f, size_t base)
{
    const size_t place = base + f->offset;
    switch (f->kind) {
    case KIND_S:
        for (uint32_t k = 0; k < f->array; k++)
            walk_struct(w, &schema_structs[f->type], place + k * f->elem_size);
        break;
    case KIND_P:
    case KIND_Z:
    case KIND_W:
    case KIND_X:
    case KIND_Y:
    case KIND_STREAM:
    case KIND_DESC:
        walk_pointer(w, f, base, place);
        break;
    default:
        for (uint32_t k = 0; k < f->array && k < 8; k++)
            add(w, place + k * f->elem_size, f->elem_size, f->kind, f->type);
        break;
    }
}

static void walk_struct(struct walk *w, const struct schema_struct *s, size_t at)
{
    for (uint32_t i = 0; i < s->count && !w->is_over; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (at + s->size <= w->size && schema_is_active(s, f, w->data + at))
            walk_member(w, f, at);
    }
}

static void walk_elements(struct walk *w, uint8_t kind, uint16_t type, uint32_t size,
                          uint64_t count)
{
    const bool is_word = kind == KIND_O || kind == KIND_W || kind == KIND_P;
    if (w->is_over || count > (w->size - w->at) / (is_word || !size ? 8 : size)) {
        w->is_over = true;
        return;
    }
    if (is_word) {
        for (uint64_t i = 0; i < count && !w->is_over; i++) {
            const uint64_t word = take_word(w, kind == KIND_O ? KIND_O : PLACE_POINTER);
            if (kind == KIND_O)
                w->to->all[w->to->count ? w->to->count - 1 : 0].type = type;
            else if (word && kind == KIND_W)
                walk_text(w, 2);
            else if (word)
                walk_elements(w, KIND_S, type, schema_structs[type].size, 1);
        }
        return;
    }
    const size_t at = skip(w, count * size);
    if (kind == KIND_S)
        for (uint64_t i = 0; i < count && !w->is_over; i++)
            walk_struct(w, &schema_structs[type], at + (size_t)i * size);
    else if (!w->is_over)
        add(w, at, (size_t)(count * size), size == 1 ? PLACE_BYTES : kind, type);
}

void places_find(struct places *to, int method, bool leave, const uint8_t *data, size_t size)
{
    const struct schema_method_row *m = &schema_methods[method];
    const size_t before = leave ? 16 : 8;
    uint64_t words[CODEC_ARGS] = {0};
    struct walk w = {to, data, size, before, false};
    to->count = 0;
    if (size < before + 8 * (size_t)m->count)
        return;
    add(&w, 0, 8, leave ? KIND_U : KIND_O, m->owner);
    if (leave)
        add(&w, 8, 8, m->result.kind, m->result.type);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct schema_value *p = &schema_params[m->first + i];
        const bool is_pointer = p->kind == KIND_P || p->kind == KIND_Z || p->kind == KIND_W;
        const size_t at = skip(&w, 8);
        words[i] = word_at(&w, at);
        add(&w, at, 8, is_pointer ? PLACE_POINTER : p->kind, p->type);
    }
    for (uint32_t i = 0; i < m->count && !w.is_over; i++) {
        const bool has_element = size - w.at >= 16; /* behind how many there are */
        const struct schema_value p =
            codec_shape_of(m, i, words, has_element ? data + w.at + 8 : NULL);
        if (!words[i] || !(p.dir & (leave ? DIR_WRITE : DIR_BOTH)))
            continue;
        if (p.kind == KIND_Z || p.kind == KIND_W) {
            walk_text(&w, p.kind == KIND_Z ? 1 : 2);
        } else if (p.kind == KIND_P) {
            const uint64_t count = take_word(&w, PLACE_COUNT);
            if (p.dir & (leave ? DIR_WRITE : DIR_READ))
                walk_elements(&w, p.elem, p.type, p.elem_size, count);
        }
    }
}
