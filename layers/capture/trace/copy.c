/* Copies a call's argument within the process and replaces the program's wrappers by the runtime's
 * objects. */
#include "codec.h"

#include "codec_bytes.h"

static bool has_objects(const struct schema_value *f)
{
    return f->kind == KIND_O || (f->kind == KIND_S && schema_structs[f->type].has_objects);
}

static void replace_one(struct codec_out *out, uint8_t kind, uint16_t type, uint8_t *place)
{
    const struct schema_struct *s = kind == KIND_S ? &schema_structs[type] : NULL;
    if (kind == KIND_O && load(place, 8))
        store(place, out->object(out->user, pointer(load(place, 8))));
    for (uint32_t i = 0; s && i < s->count; i++) {
        const struct schema_value *f = &schema_fields[s->first + i];
        if (!has_objects(f) || !schema_is_active(s, f, place))
            continue;
        for (uint32_t k = 0; k < f->array; k++)
            replace_one(out, f->kind, f->type, place + f->offset + k * f->elem_size);
    }
}

/* Of elements that have their objects in place: what is behind pointers stays where it is. */
static uint64_t copy_shallow(struct codec_out *out, struct codec_in *in,
                             const struct schema_value *p, uint64_t count, uint64_t arg)
{
    uint8_t *copy = codec_arena_take(in->arena, count * p->elem_size);
    if (!copy)
        return 0;
    memcpy(copy, pointer(arg), count * p->elem_size);
    for (uint64_t i = 0; i < count; i++)
        replace_one(out, p->elem, p->type, copy + i * p->elem_size);
    return (uint64_t)(uintptr_t)copy;
}

uint64_t codec_copy(struct codec_out *out, struct codec_in *in, const struct schema_method_row *m,
                    uint32_t i, const uint64_t *args)
{
    const struct schema_value *params = &schema_params[m->first], *p = &params[i];
    const uint64_t count = codec_count(params, p, args);
    if (count > BYTES_MAX / p->elem_size)
        return 0;
    if (p->elem == KIND_O || !schema_structs[p->type].has_objects_behind)
        return copy_shallow(out, in, p, count, args[i]);
    out->bytes.size = 0;
    out->bytes.failed = false;
    codec_add_data(out, m, i, args, false);
    in->is_damaged = false;
    if (out->bytes.failed)
        return p->count == COUNT_ONE ? copy_shallow(out, in, p, 1, args[i]) : 0;
    in->at = out->bytes.data;
    in->end = in->at + out->bytes.size;
    return codec_take_data(in, p, false, &in->counts[i]);
}
